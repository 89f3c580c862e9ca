// Random small systems of threads, explored in full and with each reduction: every behaviour must be found.
#include "dpor/reduction.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstdlib>
#include <map>
#include <random>
#include <set>
#include <string>

namespace whittle::dpor {
namespace {

// A toy: threads with one register each, over a few words of memory. Operations look at the register, so what a thread
// touches depends on the schedule.

struct Op {
  enum Kind { Read, Write, Add, Pair, Choose, Lock, Unlock, Wait, Spawn, Halt, Pause } kind = Read;
  unsigned var = 0;
  bool indirect = false;  ///< the register is added to `var`
  bool skip = false;      ///< afterwards: an odd register skips the next operation
  unsigned value = 0;     ///< Write; Wait: the value waited for; Spawn: the thread
};

struct System {
  unsigned vars = 2;
  std::vector<std::vector<Op>> threads;
  uint64_t started = 0;
  bool tell_values = true;
};

struct State {
  std::vector<uint64_t> vars;
  std::vector<unsigned> pc, reg;
  uint64_t started = 0;
  bool halted = false;
  auto operator<=>(const State&) const = default;
};

constexpr uint64_t kWord = 8;

struct Outcome {
  State state;
  std::vector<Access> accesses;
  Threads spawned = 0;
  std::string seen;  ///< what the thread did and saw
};

class Toy {
 public:
  explicit Toy(const System& system) : system_(system) {}

  State initial() const {
    State s;
    s.vars.assign(system_.vars, 0);
    s.pc.assign(system_.threads.size(), 0);
    s.reg.assign(system_.threads.size(), 0);
    s.started = system_.started;
    return s;
  }
  bool alive(const State& s, uint32_t t) const {
    return !s.halted && (s.started >> t & 1) != 0 && s.pc[t] < system_.threads[t].size();
  }
  unsigned var(const State& s, uint32_t t) const {
    const Op& op = system_.threads[t][s.pc[t]];
    return (op.var + (op.indirect ? s.reg[t] : 0)) % system_.vars;
  }
  bool waits(const State& s, uint32_t t, Await& await) const {
    const Op& op = system_.threads[t][s.pc[t]];
    if (op.kind != Op::Lock && op.kind != Op::Wait) return false;
    int64_t wanted = op.kind == Op::Lock ? 0 : op.value;
    await = {var(s, t) * kWord, kWord, ~uint64_t{0}, wanted, wanted};
    return true;
  }
  bool enabled(const State& s, uint32_t t) const {
    Await await;
    if (!alive(s, t)) return false;
    return !waits(s, t, await) || s.vars[await.address / kWord] == static_cast<uint64_t>(await.low);
  }
  std::vector<Outcome> run(const State& before, uint32_t t) const {
    std::vector<Outcome> all;
    const Op& op = system_.threads[t][before.pc[t]];
    for (unsigned choice = 0; choice < (op.kind == Op::Choose ? 2u : 1u); ++choice) {
      Outcome o;
      o.state = before;
      State& s = o.state;
      unsigned v = var(before, t), w = (v + 1) % system_.vars;
      unsigned& reg = s.reg[t];
      auto write = [&](unsigned place, uint64_t value) {
        s.vars[place] = value;
        o.accesses.push_back({place * kWord, kWord, true, system_.tell_values, value});
      };
      auto read = [&](unsigned place) {
        o.accesses.push_back({place * kWord, kWord, false});
        return static_cast<unsigned>(s.vars[place]);
      };
      switch (op.kind) {
        case Op::Read: reg = read(v); break;
        case Op::Write: write(v, op.value); break;
        case Op::Add: write(v, (s.vars[v] + 1 + reg) % 4), reg = static_cast<unsigned>(s.vars[v]); break;
        case Op::Pair: reg = read(w), write(v, reg + 1); break;
        case Op::Choose:
          if (choice == 0)
            reg = read(v);
          else
            write(w, reg + 1);
          break;
        case Op::Lock:
          if (op.value == 2) reg = read(w);
          write(v, 1);
          break;
        case Op::Unlock: write(v, 0); break;
        case Op::Spawn:
          o.spawned = Threads{1} << op.value;
          s.started |= o.spawned;
          break;
        case Op::Halt: s.halted = true; break;
        case Op::Wait:
        case Op::Pause: break;
      }
      o.seen = std::to_string(t) + "@" + std::to_string(before.pc[t]) + "c" + std::to_string(choice) + "v" +
               std::to_string(v) + "r" + std::to_string(reg) + ";";
      s.pc[t] += op.skip && reg % 2 != 0 ? 2 : 1;
      all.push_back(std::move(o));
    }
    return all;
  }
  uint32_t threads() const { return static_cast<uint32_t>(system_.threads.size()); }
  const System& system() const { return system_; }

 private:
  const System& system_;
};

/// All that a search found.
struct Found {
  std::set<std::string> traces;    ///< maximal runs up to the order of independent events
  std::set<std::string> seen;      ///< what single threads did and saw
  uint64_t runs = 0;               ///< maximal runs that are not asleep
  uint64_t relied = 0, again = 0;  ///< states explored with threads asleep that mattered; to which more had to be added
  uint64_t leaves = 0;             ///< all runs, cut ones and those that fell asleep too
};

/// Depth first, with a reduction; with `cache`, states explored before are cut off and their accesses given as ghosts.
class Search {
 public:
  Search(const System& system, Mode mode, bool cache = false, bool everything_at_halt = false)
      : toy_(system), reduction_(mode), cache_(cache), everything_(everything_at_halt) {}
  Found run() {
    explore(toy_.initial());
    EXPECT_EQ(reduction_.nodes(), 0u);
    return std::move(found_);
  }

 private:
  struct Done {
    uint32_t thread;
    std::string seen;
    std::vector<Access> accesses;
    Threads spawned;
  };
  /// What a thread did after a state, after which await, and whether something came before that covers it.
  struct Later {
    Access access;
    bool awaits = false;
    Await await;
  };
  using Ghosts = std::map<uint32_t, std::pair<std::vector<Later>, Threads>>;

  /// Per event: what it was and which events of each thread happen before it, computed from scratch.
  std::string canonical() const {
    std::vector<std::map<uint32_t, unsigned>> before(run_.size());
    std::map<uint32_t, std::string> texts;
    std::map<uint32_t, unsigned> counts;
    std::vector<unsigned> index(run_.size());
    for (size_t j = 0; j < run_.size(); ++j) {
      index[j] = ++counts[run_[j].thread];
      for (size_t i = 0; i < j; ++i) {
        bool ordered = run_[i].thread == run_[j].thread || (run_[i].spawned >> run_[j].thread & 1) != 0 ||
                       (run_[i].spawned != 0 && run_[j].spawned != 0);
        for (const Access& a : run_[i].accesses)
          for (const Access& b : run_[j].accesses) ordered |= a.address == b.address && (a.write || b.write);
        if (!ordered) continue;
        for (auto [t, n] : before[i]) before[j][t] = std::max(before[j][t], n);
        before[j][run_[i].thread] = std::max(before[j][run_[i].thread], index[i]);
      }
      std::string& text = texts[run_[j].thread];
      text += run_[j].seen;
      for (auto [t, n] : before[j]) text += std::to_string(t) + "<" + std::to_string(n) + ",";
    }
    std::string all;
    for (const auto& [t, text] : texts) all += text + "|";
    return all;
  }

  static void add(Ghosts& to, uint32_t thread, const Later& later) {
    auto& list = to[thread].first;
    for (const Later& known : list)
      if (known.access.address == later.access.address && known.access.write >= later.access.write &&
          known.access.ordered <= later.access.ordered &&
          (!known.awaits || (later.awaits && known.await == later.await)))
        return;
    list.push_back(later);
  }

  /// What was found after an outcome of the step of thread t, as seen from before it.
  void pass_on(Ghosts& to, const Ghosts& from, const State& s, uint32_t t, const Outcome& o) const {
    for (const auto& [thread, what] : from) {
      // What threads started here do counts for the one that started them.
      const uint32_t mine = (s.started >> thread & 1) != 0 ? thread : t;
      to[mine].second |= what.second;
      for (Later later : what.first) {
        for (const Access& a : o.accesses)
          if (a.write && a.address == later.access.address)
            later.access.ordered |= mine == t || !later.awaits ||
                                    s.vars[later.await.address / kWord] == static_cast<uint64_t>(later.await.low);
        add(to, mine, later);
      }
    }
  }

  Ghosts explore(const State& s) {
    Ghosts ghosts;
    Threads enabled = 0;
    std::vector<Transition> blocked;
    std::vector<Await> awaits(toy_.threads());
    bool any = false;
    for (uint32_t t = 0; t < toy_.threads(); ++t) {
      if (!toy_.alive(s, t)) continue;
      any = true;
      if (toy_.enabled(s, t)) {
        enabled |= Threads{1} << t;
      } else {
        toy_.waits(s, t, awaits[t]);
        blocked.push_back({.thread = t, .accesses = {}, .await = &awaits[t]});
      }
    }
    reduction_.push_node(enabled, blocked);
    Threads slept = 0;
    auto found = known_.find(s);
    bool cut_here = cache_ && found != known_.end();
    if (cut_here) {
      ghosts = found->second.first;
      slept = found->second.second;
      cut(s, enabled, ghosts, slept);
      if ((slept & ~reduction_.sleeping()) != 0)
        ++found_.again;
      else
        ++found_.leaves;
      for (uint32_t t; (t = reduction_.next()) != kNone;) step(s, t, ghosts);
    } else {
      if (enabled == 0) finish();
      for (const Transition& step : blocked) {
        add(ghosts, step.thread, {{step.await->address, step.await->size, false}, true, *step.await});
      }
      if (any && reduction_.asleep()) {
        ++found_.leaves;
        EXPECT_EQ(reduction_.next(), kNone);
      }
      for (uint32_t t; (t = reduction_.next()) != kNone;) step(s, t, ghosts);
    }
    slept = reduction_.relied_on();
    EXPECT_EQ(slept & ~reduction_.sleeping(), 0u);
    if (slept != 0) ++found_.relied;
    known_[s] = {ghosts, slept};
    reduction_.pop_node();
    return ghosts;
  }

  void cut(const State& s, Threads enabled, const Ghosts& ghosts, Threads slept) {
    std::vector<Transition> pending, later;
    std::vector<Await> awaits(toy_.threads());
    std::vector<std::vector<Outcome>> outcomes(toy_.threads());
    for (uint32_t t = 0; t < toy_.threads(); ++t) {
      if ((enabled >> t & 1) == 0) continue;
      outcomes[t] = toy_.run(s, t);
      if (outcomes[t].size() > 1) continue;
      pending.push_back({.thread = t,
                         .accesses = outcomes[t][0].accesses,
                         .await = toy_.waits(s, t, awaits[t]) ? &awaits[t] : nullptr,
                         .spawned = outcomes[t][0].spawned});
    }
    std::map<uint32_t, std::vector<Access>> plain;
    std::map<uint32_t, std::vector<Part>> parts;
    for (const auto& [t, what] : ghosts) {
      for (const Later& l : what.first)
        if (l.awaits)
          parts[t].push_back({&l.await, {&l.access, 1}});
        else
          plain[t].push_back(l.access);
      later.push_back({.thread = t, .accesses = plain[t], .parts = parts[t], .spawned = what.second});
    }
    reduction_.ghost(pending, later, slept);
  }

  void step(const State& s, uint32_t t, Ghosts& ghosts) {
    Await await;
    bool waits = toy_.waits(s, t, await);
    for (const Outcome& o : toy_.run(s, t)) {
      reduction_.push_event({.thread = t,
                             .accesses = o.accesses,
                             .await = waits ? &await : nullptr,
                             .spawned = o.spawned,
                             .everything = o.state.halted && everything_,
                             .halts = o.state.halted});
      std::vector<Access> accesses = o.accesses;
      if (waits) accesses.push_back({await.address, await.size, false});
      for (const Access& a : accesses) add(ghosts, t, {a, waits, await});
      ghosts[t].second |= o.spawned;
      run_.push_back({t, o.seen, accesses, o.spawned});
      found_.seen.insert(o.seen);
      if (o.state.halted) {
        finish();
      } else {
        pass_on(ghosts, explore(o.state), s, t, o);
      }
      run_.pop_back();
      reduction_.pop_event();
    }
  }

  void finish() {
    ++found_.runs;
    ++found_.leaves;
    found_.traces.insert(canonical());
  }

  Toy toy_;
  Reduction reduction_;
  bool cache_, everything_;
  std::vector<Done> run_;
  std::map<State, std::pair<Ghosts, Threads>> known_;
  Found found_;
};

struct Shape {
  bool awaits = false, spawns = false, halts = false, choices = true;
  unsigned operations = 8;
};

System random_system(std::mt19937& random, const Shape& shape) {
  auto below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
  static constexpr Op::Kind kinds[] = {Op::Read,  Op::Read, Op::Write, Op::Write,  Op::Add,    Op::Pair,
                                       Op::Pause, Op::Lock, Op::Lock,  Op::Unlock, Op::Unlock, Op::Wait};
  System system;
  unsigned threads = 2 + below(3);
  system.vars = 1 + below(3);
  system.threads.resize(threads);
  system.tell_values = below(2) == 0;
  unsigned left = shape.operations;
  for (uint32_t t = 0; t < threads; ++t) {
    bool start = !shape.spawns || t == 0 || below(2) == 0;
    if (start) system.started |= uint64_t{1} << t;
    unsigned share = left / (threads - t), count = share == 0 ? 1 : 1 + below(share);
    left -= std::min(left, count);
    for (unsigned i = 0; i < count; ++i) {
      Op op;
      op.var = below(system.vars);
      op.indirect = below(4) == 0;
      op.skip = below(4) == 0;
      op.value = below(3);
      unsigned what = below(shape.awaits ? 12 : 7);
      op.kind = kinds[what];
      if (shape.choices && op.kind == Op::Pause && below(2)) op.kind = Op::Choose;
      if (shape.halts && below(6) == 0) op.kind = Op::Halt;
      system.threads[t].push_back(op);
    }
    if (!start) {  // started once, by one before it
      auto& parent = system.threads[below(t)];
      parent.insert(parent.begin() + below(static_cast<unsigned>(parent.size())), {Op::Spawn, 0, false, false, t});
    }
  }
  return system;
}

/// What the second set has and the first does not.
std::string missing(const std::set<std::string>& found, const std::set<std::string>& all) {
  std::string text = "\n";
  for (const std::string& one : all)
    if (!found.contains(one)) text += "missing: " + one + "\n";
  return text;
}

int rounds(int usual) { return std::getenv("WHITTLE_LONG") ? usual * 80 : usual; }

std::string show(const System& system) {
  static const char* names[] = {"Read",   "Write", "Add",   "Pair", "Choose", "Lock",
                                "Unlock", "Wait",  "Spawn", "Halt", "Pause"};
  std::string text = "vars " + std::to_string(system.vars) + (system.tell_values ? " told" : "") + "\n";
  for (size_t t = 0; t < system.threads.size(); ++t) {
    text += (system.started >> t & 1) != 0 ? "  " : " -";
    for (const Op& op : system.threads[t])
      text += std::string(" ") + names[op.kind] + std::to_string(op.var) + (op.indirect ? "i" : "") + "=" +
              std::to_string(op.value) + (op.skip ? "s" : "");
    text += "\n";
  }
  return text;
}

TEST(Reduction, EveryTraceOnceWithoutAwaits) {
  std::mt19937 random(1);
  uint64_t traces = 0;
  for (int round = 0; round < rounds(250); ++round) {
    System system = random_system(random, {.spawns = round % 2 == 1, .choices = round % 5 == 4, .operations = 8});
    Found full = Search(system, Mode::Full).run();
    Found source = Search(system, Mode::SourceSets).run();
    Found plain = Search(system, Mode::Backtrack).run();
    ASSERT_TRUE(source.traces == full.traces) << missing(source.traces, full.traces) << round << show(system);
    // Where the outcomes of a choice touch different memory, a sleeping thread is woken by what conflicts with either.
    if (round % 5 != 4) {
      ASSERT_EQ(source.runs, full.traces.size()) << round << show(system);
    }
    ASSERT_TRUE(plain.traces == full.traces) << missing(plain.traces, full.traces) << round << show(system);
    traces += full.traces.size();
  }
  EXPECT_GT(traces, 2'000u);
}

TEST(Reduction, EveryTraceAndDeadlockWithAwaits) {
  std::mt19937 random(2);
  uint64_t traces = 0, runs = 0;
  for (int round = 0; round < rounds(250); ++round) {
    System system =
        random_system(random, {.awaits = true, .spawns = round % 3 == 1, .choices = round % 5 == 4, .operations = 9});
    Found full = Search(system, Mode::Full).run();
    Found source = Search(system, Mode::SourceSets).run();
    Found plain = Search(system, Mode::Backtrack).run();
    ASSERT_TRUE(source.traces == full.traces) << missing(source.traces, full.traces) << round << show(system);
    ASSERT_TRUE(plain.traces == full.traces) << missing(plain.traces, full.traces) << round << show(system);
    if (round % 5 != 4) {
      ASSERT_EQ(source.runs, full.traces.size()) << round << show(system);
    }
    traces += full.traces.size();
    runs += full.runs;
  }
  EXPECT_GT(traces, 2'000u);
  EXPECT_GT(runs, traces * 3);
}

TEST(Reduction, AllThatThreadsSeeBeforeTheEnd) {
  std::mt19937 random(3);
  for (int round = 0; round < rounds(250); ++round) {
    System system =
        random_system(random, {.awaits = round % 2 == 0, .spawns = round % 3 == 1, .halts = true, .operations = 9});
    Found full = Search(system, Mode::Full).run();
    ASSERT_EQ(Search(system, Mode::SourceSets).run().seen, full.seen) << round << show(system);
    ASSERT_EQ(Search(system, Mode::Backtrack).run().seen, full.seen) << round << show(system);
    ASSERT_EQ(Search(system, Mode::SourceSets, false, true).run().seen, full.seen) << round << show(system);
  }
}

TEST(Reduction, CutRunsLeaveGhosts) {
  std::mt19937 random(4);
  uint64_t cached = 0, plain = 0, asleep = 0, cached_leaves = 0, asleep_leaves = 0, relied = 0, again = 0;
  for (int round = 0; round < rounds(250); ++round) {
    System system = random_system(
        random, {.awaits = round % 2 == 0, .spawns = round % 3 == 1, .halts = round % 5 == 1, .operations = 9});
    Found full = Search(system, Mode::Full).run();
    Found reduced = Search(system, Mode::Backtrack, true).run();
    ASSERT_EQ(reduced.seen, full.seen) << round << show(system);
    Found sleeping = Search(system, Mode::SourceSets, true).run();
    ASSERT_EQ(sleeping.seen, full.seen) << round << missing(sleeping.seen, full.seen) << show(system);
    cached += reduced.runs;
    asleep += sleeping.runs;
    cached_leaves += reduced.leaves;
    asleep_leaves += sleeping.leaves;
    relied += sleeping.relied;
    again += sleeping.again;
    plain += Search(system, Mode::Backtrack).run().runs;
  }
  EXPECT_LT(cached * 2, plain);  // otherwise nothing was cut, and this is no test
  EXPECT_LE(asleep, cached);
  EXPECT_GT(relied, 100u);
  EXPECT_GT(again, 10u);
  std::cout << "runs " << plain << ", with a cache " << cached << " of " << cached_leaves << ", and sleep sets "
            << asleep << " of " << asleep_leaves << "; relied on " << relied << ", again " << again << "\n";
}

Op op(Op::Kind kind, unsigned var, unsigned value = 0) { return {kind, var, false, false, value}; }

TEST(Reduction, CrossedLocksDeadlock) {
  System system;
  system.vars = 2;
  system.started = 3;
  system.threads = {{op(Op::Lock, 0), op(Op::Lock, 1), op(Op::Unlock, 1), op(Op::Unlock, 0)},
                    {op(Op::Lock, 1), op(Op::Lock, 0), op(Op::Unlock, 0), op(Op::Unlock, 1)}};
  for (bool tell : {false, true}) {
    system.tell_values = tell;
    Found found = Search(system, Mode::SourceSets).run();
    EXPECT_EQ(found.runs, 3u);  // one after the other, both ways, and the deadlock
    EXPECT_EQ(Search(system, Mode::Backtrack).run().traces.size(), 3u);
  }
}

TEST(Reduction, IndependentThreadsNeedOneRun) {
  System system;
  system.vars = 4;
  system.started = 15;
  for (unsigned t = 0; t < 4; ++t) system.threads.push_back({op(Op::Write, t), op(Op::Read, t), op(Op::Pause, 0)});
  EXPECT_EQ(Search(system, Mode::SourceSets).run().runs, 1u);
  EXPECT_EQ(Search(system, Mode::Backtrack).run().runs, 1u);
}

TEST(Reduction, WaitingForWhatWasThereBefore) {
  // 0 writes 1, then 0 again; 1 waits for the 1: it passes in between or never.
  System system;
  system.vars = 1;
  system.started = 3;
  system.threads = {{op(Op::Write, 0, 1), op(Op::Write, 0, 0)}, {op(Op::Wait, 0, 1), op(Op::Pause, 0)}};
  for (bool tell : {false, true}) {
    system.tell_values = tell;
    EXPECT_EQ(Search(system, Mode::SourceSets).run().runs, 2u);
  }
}

TEST(Reduction, GhostsMayComeBeforeGhosts) {
  // For thread 2 to get the lock with a 2 in its register, thread 1 must come first, then 2, then 0: after the cut
  // after the first step of 0, the access of 2 needs one of 1 that is after the cut, too.
  System system;
  system.vars = 3;
  system.started = 7;
  system.threads = {{op(Op::Write, 2, 1), op(Op::Lock, 0, 1)},
                    {op(Op::Add, 1)},
                    {op(Op::Choose, 0), {Op::Pair, 0, false, true, 2}, op(Op::Lock, 2)}};
  for (bool tell : {false, true}) {
    system.tell_values = tell;
    EXPECT_EQ(Search(system, Mode::Backtrack, true).run().seen, Search(system, Mode::Full).run().seen);
  }
}

TEST(Reduction, AnAwaitBehindACutMayBeLetPassBySomethingThere) {
  // An event that does not write the word is no reason for an await to fail before it: a write after the cut that has
  // nothing to do with the event may come first.
  System system;
  system.vars = 3;
  system.started = 15;
  system.threads = {{op(Op::Write, 1, 1)},
                    {{Op::Write, 2, true, false, 2}, op(Op::Unlock, 0)},
                    {op(Op::Read, 1), {Op::Read, 0, false, true, 1}, {Op::Lock, 2, true, false, 1}},
                    {{Op::Read, 2, true, false, 1}, {Op::Add, 0, false, true, 2}, op(Op::Lock, 0, 2)}};
  Found full = Search(system, Mode::Full).run();
  EXPECT_EQ(Search(system, Mode::Backtrack, true).run().seen, full.seen);
  EXPECT_EQ(Search(system, Mode::SourceSets, true).run().seen, full.seen);
}

TEST(Reduction, AwaitsPassedInOneStepAreLookedAtOneByOne) {
  // Threads 1 and 2 end, each marked by a word; 0 waits for both words, alone, in one step. That cannot come before the
  // end of 2. What it wrote between the two waits can.
  const Access ends[2] = {{8, 8, true, true, 1}, {16, 8, true, true, 1}}, looks{24, 8, false};
  const Await awaits[2] = {{8, 8, ~uint64_t{0}, 1, 1}, {16, 8, ~uint64_t{0}, 1, 1}};
  for (bool writes : {false, true}) {
    Reduction reduction(Mode::SourceSets);
    const Access first[2] = {{8, 8, true, true, 0}, {24, 8, true, true, 1}}, second{16, 8, true, true, 0};
    const Part part{&awaits[1], {&second, 1}};
    const Access began[2] = {{8, 8, true, true, 0}, {16, 8, true, true, 0}};
    reduction.push_node(1);
    EXPECT_EQ(reduction.next(), 0u);
    reduction.push_event({.thread = 0, .accesses = began, .spawned = 6});
    const Transition blocked{.thread = 0, .accesses = {}, .await = &awaits[0]};
    reduction.push_node(6, {&blocked, 1});
    EXPECT_EQ(reduction.next(), 1u);
    reduction.push_event({.thread = 1, .accesses = {&ends[0], 1}});
    reduction.push_node(5, {}, 2);
    EXPECT_EQ(reduction.next(), 2u);
    const Access last[2] = {looks, ends[1]};
    reduction.push_event({.thread = 2, .accesses = last});
    reduction.push_node(1);
    EXPECT_EQ(reduction.next(), 0u);
    reduction.push_event(
        {.thread = 0, .accesses = {first, writes ? 2u : 1u}, .await = &awaits[0], .parts = {&part, 1}});
    EXPECT_EQ(reduction.backtrack(2), writes ? 5u : 4u);
  }
}

TEST(Reduction, RangesAreBytes) {
  Reduction reduction(Mode::SourceSets);
  auto races = [&](Access first, Access second) {
    reduction.clear();
    uint64_t before = reduction.races();
    reduction.push_node(3);
    EXPECT_EQ(reduction.next(), 0u);
    reduction.push_event({.thread = 0, .accesses = {&first, 1}});
    reduction.push_node(2);
    EXPECT_EQ(reduction.next(), 1u);
    reduction.push_event({.thread = 1, .accesses = {&second, 1}});
    return reduction.races() - before;
  };
  EXPECT_EQ(races({100, 4, true}, {103, 1, false}), 1u);
  EXPECT_EQ(races({100, 4, true}, {104, 4, true}), 0u);
  EXPECT_EQ(races({100, 4, false}, {100, 4, false}), 0u);
  EXPECT_EQ(races({0, UINT64_MAX, true}, {104, 4, false}), 1u);
  EXPECT_EQ(races({4096, 1 << 20, true}, {5000, 1, false}), 1u);
  EXPECT_EQ(races({4096, 1 << 20, true}, {4095, 1, false}), 0u);
}

}  // namespace
}  // namespace whittle::dpor
