// explicit against brute force: every combination of reductions must answer as the plain search does, and the plain
// search as all schedules and inputs, run one by one without a store.
#include <gtest/gtest.h>

#include <array>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "engines/buffer_programs.h"
#include "engines/explicit/explicit_engine.h"
#include "engines/programs.h"
#include "engines/sums.h"
#include "exec/machine.h"

namespace whittle::engines::explicit_ {
namespace {

using verdict::Answer;
using verdict::Property;
using verdict::Specification;

/// Follows every schedule and every input from the start, over and over.
class BruteForce {
 public:
  BruteForce(const program::Program& program, const Specification& specification)
      : machine_(std::make_shared<exec::Code>(program, specification)),
        deadlock_counts_(specification.has(Property::NoDeadlock)) {
    machine_.set_budget(2'000);
  }

  /// Nothing if more runs than that, or longer ones than anybody should make, would be needed.
  std::optional<Answer> answer(uint64_t most_runs) {
    bool long_runs = false;
    for (uint64_t run = 0; run < most_runs; ++run) {
      switch (follow()) {
        case End::Bad: return Answer::False;
        case End::Long: long_runs = true; break;
        case End::Fine: break;
      }
      while (!path_.empty() && path_.back().next + 1 == path_.back().count) path_.pop_back();
      if (path_.empty()) return long_runs ? std::nullopt : std::optional(Answer::True);
      ++path_.back().next;
    }
    return std::nullopt;
  }

 private:
  enum class End { Fine, Bad, Long };
  struct Choice {
    uint64_t count, next;
  };

  /// Which of `count` things to do at this depth.
  uint64_t choose(size_t depth, uint64_t count) {
    if (depth == path_.size()) path_.push_back({count, 0});
    EXPECT_EQ(path_[depth].count, count) << "a run is not repeatable";
    return path_[depth].next;
  }

  End follow() {
    machine_.reset();
    size_t depth = 0;
    for (unsigned steps = 0; steps < 300; ++steps) {
      const exec::Pause& pause = machine_.pause();
      if (pause.final()) return pause.kind == exec::PauseKind::Violation ? End::Bad : end_of(pause);
      if (pause.kind == exec::PauseKind::Budget) return End::Long;
      if (pause.kind == exec::PauseKind::Input) {
        machine_.provide(choose(depth++, uint64_t{1} << pause.width));
        continue;
      }
      std::vector<uint32_t> threads;
      for (uint32_t t = 0; t < machine_.thread_count(); ++t)
        if (machine_.alive(t) && machine_.enabled(t)) threads.push_back(t);
      if (threads.empty()) return deadlock_counts_ ? End::Bad : End::Fine;
      machine_.schedule(threads.size() == 1 ? threads[0] : threads[choose(depth++, threads.size())]);
    }
    return End::Long;
  }
  static End end_of(const exec::Pause& pause) {
    EXPECT_NE(pause.kind, exec::PauseKind::Cut) << pause.reason;
    return End::Fine;
  }

  exec::Machine machine_;
  bool deadlock_counts_;
  std::vector<Choice> path_;
};

constexpr uint64_t kMostStates = 4'000;

/// Counts states at pauses as they come, with every input and schedule. Which programs are compared is decided by this
/// count and by no search, so that all combinations get the same ones.
bool is_small(const program::Program& program, const Specification& specification) {
  exec::Machine machine(std::make_shared<exec::Code>(program, specification));
  machine.set_budget(2'000);
  std::unordered_set<std::string> seen;
  std::vector<std::string> open;
  auto arrive = [&] {
    std::span<const uint8_t> bytes = machine.save();
    std::string state(bytes.begin(), bytes.end());
    if (!machine.pause().final() && seen.insert(state).second) open.push_back(std::move(state));
  };
  machine.reset();
  arrive();
  while (!open.empty() && seen.size() <= kMostStates) {
    const std::string state = std::move(open.back());
    open.pop_back();
    auto go_back = [&] { machine.load({reinterpret_cast<const uint8_t*>(state.data()), state.size()}); };
    go_back();
    const exec::Pause pause = machine.pause();
    if (pause.kind == exec::PauseKind::Budget) {
      machine.resume(), arrive();
    } else if (pause.kind == exec::PauseKind::Input) {
      if (pause.width > 12) return false;
      for (uint64_t value = 0; value < uint64_t{1} << pause.width; ++value) go_back(), machine.provide(value), arrive();
    } else {
      for (uint32_t t = 0; go_back(), t < machine.thread_count(); ++t)
        if (machine.alive(t) && machine.enabled(t)) machine.schedule(t), arrive();
    }
  }
  return open.empty() && seen.size() <= kMostStates;
}

struct Combination {
  const char *reduce, *dead, *states, *private_steps, *order, *loop, *repeat = "yes";
  unsigned cores = 1;
};

constexpr const char* kReduce[] = {"none", "static", "onthefly"};
constexpr const char* kDead[] = {"none", "static", "dynamic"};
constexpr const char* kStates[] = {"pauses", "statements"};
constexpr const char* kPrivate[] = {"yes", "no"};
constexpr const char* kLoop[] = {"hash", "pc", "state"};

/// All 36 of them, and some more, as i grows.
Combination combination(uint64_t i) {
  return {kReduce[i % 3],
          kDead[i / 3 % 3],
          kStates[i / 9 % 2],
          kPrivate[i / 18 % 2],
          i % 7 == 3 ? "breadth" : "depth",
          kLoop[i / 5 % 3],
          i % 11 == 5 ? "no" : "yes"};
}

std::string show(const Combination& c) {
  return std::string("--reduce ") + c.reduce + " --dead " + c.dead + " --states " + c.states + " --private-steps " +
         c.private_steps + " --repeat-steps " + c.repeat + " --order " + c.order + " --loop " + c.loop + " --cores " +
         std::to_string(c.cores);
}

verdict::Verdict check(const program::Program& program, const Specification& specification, const Combination& c) {
  Settings settings;
  settings.set("reduce", c.reduce);
  settings.set("dead", c.dead);
  settings.set("states", c.states);
  settings.set("private-steps", c.private_steps);
  settings.set("order", c.order);
  settings.set("repeat-steps", c.repeat);
  settings.set("loop", c.loop);
  settings.set("parallel-from", "0");
  settings.set("covering", "no");
  settings.cores = c.cores;
  Limits limits;
  Statistics statistics;
  Progress progress(false);
  Context context{limits, statistics, progress};
  return ExplicitEngine().run(program, specification, settings, context);
}

/// Deadlocks would hide after failing assertions, and the other way round: also each of them alone.
Specification specification_for(uint64_t seed) {
  Specification specification = verdict::default_specification();
  if (seed % 3 == 1) specification.properties.erase(Property::NoDeadlock);
  if (seed % 3 == 2) specification.properties.erase(Property::UnreachCall);
  return specification;
}

uint64_t states_of(const verdict::Verdict& verdict) {
  for (const auto& [name, value] : verdict.statistics.entries())
    if (name == "states_stored") return std::get<uint64_t>(value);
  return 0;
}

struct Counts {
  int programs = 0, large = 0, compared = 0, wrong = 0, deadlocks = 0, symbolic = 0;
};

/// Inputs as symbols: an answer, if there is one, is that of the plain search.
void compare_symbolic(const program::Program& program, const Specification& specification, uint64_t seed,
                      const verdict::Verdict& plain, const std::string& text, Counts& counts) {
  Settings settings;
  settings.set("values", "symbolic");
  settings.set("private-steps", kPrivate[seed % 2]);
  Limits limits;
  limits.set_timeout(3);
  Statistics statistics;
  Progress progress(false);
  Context context{limits, statistics, progress};
  verdict::Verdict symbolic = ExplicitEngine().run(program, specification, settings, context);
  if (symbolic.answer == Answer::Unknown) return;
  ++counts.symbolic;
  ASSERT_EQ(symbolic.answer, plain.answer) << "seed " << seed << ", --values symbolic\n" << text;
}

void compare(const program::Program& program, uint64_t seed, const std::string& text, Counts& counts) {
  Specification specification = specification_for(seed);
  if (!is_small(program, specification)) {  // the test should not take all day
    ++counts.large;
    return;
  }
  verdict::Verdict plain = check(program, specification, {"none", "none", "pauses", "no", "depth", "hash", "no"});
  ASSERT_NE(plain.answer, Answer::Unknown) << "seed " << seed << ": " << plain.reason << "\n" << text;
  ++counts.programs;
  counts.wrong += plain.answer == Answer::False;
  counts.deadlocks += plain.violation && plain.violation->property == Property::NoDeadlock;

  // Where there are too many runs for a proof by brute force, a violation that it finds still counts.
  if (auto expected = BruteForce(program, specification).answer(2'000)) {
    ASSERT_EQ(plain.answer, *expected) << "seed " << seed << ": the plain search is wrong\n" << text;
    ++counts.compared;
  }
  compare_symbolic(program, specification, seed, plain, text, counts);
  verdict::Verdict repeating = check(program, specification, {"none", "none", "pauses", "no", "depth", "hash", "yes"});
  ASSERT_EQ(repeating.answer, plain.answer) << "seed " << seed << "\n" << text;
  ASSERT_EQ(states_of(repeating), states_of(plain)) << "seed " << seed << ": repeated steps lead elsewhere\n" << text;
  for (uint64_t i = 0; i < 6; ++i) {
    Combination c = combination(seed * 6 + i * 7);
    verdict::Verdict other = check(program, specification, c);
    ASSERT_EQ(other.answer, plain.answer) << "seed " << seed << ", " << show(c) << ": " << other.reason << "\n" << text;
    // As many states with several threads, and the same answer.
    if (c.dead == std::string("dynamic") || c.order == std::string("breadth")) continue;
    c.cores = std::array{2, 3, 8}[(seed + i) % 3];
    verdict::Verdict parallel = check(program, specification, c);
    ASSERT_EQ(parallel.answer, plain.answer) << "seed " << seed << ", " << show(c) << ": " << parallel.reason << "\n"
                                             << text;
    // Where a path ends at a location that comes again depends on where it began, and so on the order.
    if (parallel.answer == Answer::True && c.loop != std::string("pc")) {
      ASSERT_EQ(states_of(parallel), states_of(other)) << "seed " << seed << ", " << show(c) << "\n" << text;
    }
  }
}

TEST(Explicit, EveryCombinationAnswersLikeThePlainSearchAndBruteForce) {
  generate::Options options;
  options.seed = 1;
  options.threads = 2;
  Counts counts;
  const int wanted = static_cast<int>(test::program_count(200, 2000));
  test::for_each_program(
      options, static_cast<unsigned>(wanted) * 5 / 4,
      [&](program::Program& program, uint64_t seed, const std::string& text) {
        if (counts.programs < wanted) compare(program, seed, text, counts);
      },
      [](generate::Options& own) {
        uint64_t variant = own.seed;
        own.statements = 2 + variant % 2;
        own.choices = variant % 5;
        own.thread_choices = variant % 7 < 3 ? 1 : 0;
        own.asserts = 3 + variant % 4;
        own.endless = variant % 4 == 1;
        own.procedures = !own.endless;  // some of them count up to 2^32
        own.loops = variant % 3 == 0;
        own.locks = variant % 5 != 0;
        own.pointers = variant % 3 != 0;
        own.arrays = variant % 2 != 0;
        own.heap = variant % 6 == 0;
        if (variant % 3 != 2) return;
        // Only deadlocks are looked for in these: little else than locks.
        own.statements = 4;
        own.nested_locks = 80;
        own.locks = true;
        own.thread_choices = 0;
        own.pointers = own.arrays = own.procedures = false;
      });
  RecordProperty("compared_with_brute_force", counts.compared);
  RecordProperty("violated", counts.wrong);
  RecordProperty("deadlocks", counts.deadlocks);
  EXPECT_EQ(counts.programs, wanted) << "too many programs are too large";
  EXPECT_GT(counts.compared * 4, counts.programs) << "too few programs are small enough for brute force";
  EXPECT_GT(counts.wrong * 10, counts.programs) << "too few programs are wrong";
  EXPECT_GT(counts.deadlocks, 0);
  EXPECT_GT(counts.symbolic * 2, counts.programs) << "too few answers with inputs as symbols";
}

/// More different parts of states than the short way to write states has numbers for.
TEST(Explicit, RepeatedStepsWithManyDifferentParts) {
  const std::string head = R"(
    #include <assert.h>
    #include <pthread.h>
    unsigned char shared;
    int table[20];
    static void *other(void *unused) { for (;;) shared = !shared; return unused; }
    int main(void) {
      pthread_t thread;
      pthread_create(&thread, 0, other, 0);
      for (;;))";
  const std::string places = "for (unsigned i = 0; i < 66000; i++) assert(shared < 2); }";
  const std::string tables = "for (unsigned i = 0; i < 4500; i++) { assert(shared < 2); table[i % 20] = i; } }";
  const std::string largest = "for (unsigned i = 0; i < 200; i++) { assert(shared < 2); wide[i] = i; } }";
  for (const std::string& text : {head + places, head + tables, "char wide[300];\n" + head + largest}) {
    program::Program program = test::load_text(text);
    Specification specification = verdict::default_specification();
    verdict::Verdict run = check(program, specification, {"none", "static", "pauses", "no", "depth", "hash", "no"});
    verdict::Verdict repeated =
        check(program, specification, {"none", "static", "pauses", "no", "depth", "hash", "yes"});
    EXPECT_EQ(run.answer, Answer::True) << run.reason << text;
    EXPECT_EQ(repeated.answer, Answer::True) << repeated.reason << text;
    EXPECT_EQ(states_of(repeated), states_of(run)) << text;
  }
}

/// One thread, values of three bits that are computed with: arrays, pointers and heap under symbolic conditions.
TEST(Explicit, SymbolsAnswerLikeValues) {
  generate::Options options;
  options.seed = 5001;
  options.choice_bits = 3;
  options.choices = 3;
  Counts counts;
  test::for_each_program(
      options, test::program_count(120, 3000),
      [&](program::Program& program, uint64_t seed, const std::string& text) {
        Specification specification = verdict::default_specification();
        verdict::Verdict plain =
            check(program, specification, {"onthefly", "static", "pauses", "yes", "depth", "hash"});
        ASSERT_NE(plain.answer, Answer::Unknown) << "seed " << seed << ": " << plain.reason << "\n" << text;
        ++counts.programs;
        counts.wrong += plain.answer == Answer::False;
        compare_symbolic(program, specification, seed, plain, text, counts);
      },
      [](generate::Options& own) {
        own.statements = 6 + own.seed % 6;
        own.asserts = 1 + own.seed % 3;
        own.heap = own.seed % 3 == 0;
      });
  EXPECT_GT(counts.wrong * 10, counts.programs) << "too few programs are wrong";
  EXPECT_GT(counts.symbolic * 10, counts.programs * 9) << "too few answers with inputs as symbols";
}

TEST(Explicit, StatesWithLargerSumsCoverOthers) {
  unsigned covered = 0, wrong = 0;
  const unsigned wanted = test::program_count(80, 3000);
  test::for_each_text(
      "#include <assert.h>\n#include <pthread.h>\nvoid __VERIFIER_assume(int);\n", 1, wanted, [](uint64_t seed) { return test::random_sums(seed).text(); },
      [&](program::Program& program, uint64_t seed, const std::string& text) {
        const bool fails = test::random_sums(seed).fails();
        Settings settings;
        Limits limits;
        Statistics statistics;
        Progress progress(false);
        Context context{limits, statistics, progress};
        Specification specification;
        specification.properties = {Property::UnreachCall};
        const verdict::Verdict found = ExplicitEngine().run(program, specification, settings, context);
        EXPECT_EQ(found.answer, fails ? Answer::False : Answer::True) << "seed " << seed << ": " << found.reason << "\n" << text;
        wrong += fails ? 1 : 0;
        covered += found.reason.find("larger sums") != std::string::npos ? 1 : 0;
      });
  EXPECT_GT(wrong * 10, wanted) << "too few programs are wrong";
  EXPECT_GT(covered * 10, wanted) << "too few programs are proved by covering";
}

/// Two threads add each other's sums: 4,000 states cover more than a million others. One less is too low a bound.
TEST(Explicit, SumsOfManyRoundsAreBounded) {
  for (const bool low : {false, true}) {
    program::Program program = test::load_text(std::string(R"(
      #include <assert.h>
      #include <pthread.h>
      int i = 1, j = 1;
      static void *t1(void *p) { for (int k = 0; k < 11; k++) i += j; return p; }
      static void *t2(void *p) { for (int k = 0; k < 11; k++) j += i; return p; }
      int main(void) {
        pthread_t a, b;
        pthread_create(&a, 0, t1, 0);
        pthread_create(&b, 0, t2, 0);
        assert(i <= 46368 && j <= )") + (low ? "46367" : "46368") + "); }");
    Settings settings;
    Limits limits;
    Statistics statistics;
    Progress progress(false);
    Context context{limits, statistics, progress};
    Specification specification;
    specification.properties = {Property::UnreachCall};
    EXPECT_EQ(ExplicitEngine().run(program, specification, settings, context).answer, low ? Answer::False : Answer::True);
  }
}

/// What is compared wraps around for the smaller sums only: larger ones do not cover them.
TEST(Explicit, SumsThatWrapInComparisonsDoNotCoverOthers) {
  for (const char* bad : {"v - 2u >= 5u", "v + x >= 5u", "!(unsigned char)(v - 2u < 5u)", "v + x > 0x7fffffffu", "v * 2 - 3u > 9u"}) {
    const std::string text = std::string(R"(
      #include <pthread.h>
      void reach_error(void);
      unsigned i, x;
      static void *t1(void *p) { i += 1; return p; }
      static void *t2(void *p) { i += 2; return p; }
      int main(void) {
        pthread_t a, b;
        x = -2;
        pthread_create(&a, 0, t1, 0);
        pthread_create(&b, 0, t2, 0);
        pthread_join(a, 0);
        pthread_join(b, 0);
        unsigned v = i;
        if ()") + bad + ") reach_error(); }";
    program::Program program = test::load_text(text);
    Settings settings;
    Limits limits;
    Statistics statistics;
    Progress progress(false);
    Context context{limits, statistics, progress};
    Specification specification;
    specification.properties = {Property::UnreachCall};
    EXPECT_EQ(ExplicitEngine().run(program, specification, settings, context).answer, Answer::False) << text;
  }
}

TEST(Explicit, SymbolsAgreeWithBruteForceOnBuffersAndTables) {
  Settings settings;
  settings.set("values", "symbolic");
  test::against_brute_force(test::check_by<ExplicitEngine>(settings, 5), test::Buffers::Tables, 40, 3000);
}

}  // namespace
}  // namespace whittle::engines::explicit_
