#include "engines/test/test_engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <unordered_set>

#include "engines/test/director.h"
#include "engines/test/drive.h"
#include "exec/code.h"
#include "exec/runner.h"

namespace whittle::engines::test {

namespace {

constexpr uint64_t kDefaultRuns = 1'000'000;
constexpr double kDefaultSeconds = 30;

constexpr Option kOptions[] = {
    {"test-runs", "N", "1000000", "Most runs to try"},
    {"test-seconds", "SECONDS", "30", "Longest search if there is no --timeout"},
};

class Search {
 public:
  Search(const program::Program& program, const verdict::Specification& specification, const Settings& settings,
         Context& context)
      : context_(context),
        random_(settings.seed),
        values_{program_constants(program), {}},
        code_(std::make_shared<exec::Code>(program, specification)),
        machine_(code_),
        max_runs_(settings.number("test-runs", kDefaultRuns)),
        max_seconds_(settings.real("test-seconds", kDefaultSeconds)) {
    if (context.limits.timeout() < std::numeric_limits<double>::infinity())
      max_seconds_ = std::numeric_limits<double>::infinity();
  }

  verdict::Verdict run() {
    verdict::Verdict result;
    LastWords::Speaker speaker(context_.last_words, [this](Statistics& s) { put_figures(s); });
    std::string why = fmt::format("limit of {} runs reached", max_runs_);
    while (runs_ < max_runs_) {
      if (context_.limits.poll_now() != Stop::No) break;
      if (context_.limits.elapsed() >= max_seconds_) {
        why = fmt::format("no violation in {:g} s (--test-seconds, --timeout)", max_seconds_);
        break;
      }
      Outcome outcome = one_run();
      count(outcome);
      if (outcome.end == End::Violation) return report(std::move(outcome));
      if (only_run(outcome) && outcome.end == End::Halted && outcome.threads <= 1) {
        result.answer = verdict::Answer::True;
        result.reason = fmt::format("proved: no inputs and one thread, so there is one run; it ended after {} statements", outcome.statements);
        finish(result);
        return result;
      }
      if (only_run(outcome)) {
        why = "the program has no inputs and no choice of schedule, so there is only one run";
        break;
      }
      if (hopeless()) {
        why = fmt::format("all of the first {} runs end at a place that is not followed", runs_);
        break;
      }
    }
    if (context_.limits.stopped() != Stop::No) why = to_string(context_.limits.stopped());
    result.reason = fmt::format("no violation found, nothing proved: {}{}", why, cut_text());
    finish(result);
    return result;
  }

 private:
  Outcome one_run() {
    uint64_t number = runs_++;
    std::unique_ptr<Scheduler> scheduler = number == 0 ? run_to_block() : draw_scheduler();
    InputStyle style =
        number == 0 || threads_only() ? InputStyle::Zero : static_cast<InputStyle>(random_.below(kInputStyles));
    std::unique_ptr<InputSource> inputs = random_inputs(random_.next(), style, values_);
    if (!kept_.empty() && random_.chance(2))
      inputs = mutated_inputs(random_.next(), kept_[random_.below(kept_.size())],
                              random_inputs(random_.next(), InputStyle::Mixed, values_));
    // Taking back costs a copy of the state at each decision: only where assumptions fail.
    std::unique_ptr<InputSource> others = random_inputs(random_.next(), InputStyle::Mixed, values_);
    bool back = ends_[static_cast<size_t>(End::Pruned)] > 0 && !random_.chance(8);
    return drive(machine_, *scheduler, *inputs, draw_budget(), context_.limits, back ? others.get() : nullptr);
  }

  /// Every eighth run of a program with threads has zeros for inputs: many need none at all.
  bool threads_only() { return threads_ > 1 && random_.chance(8); }

  std::unique_ptr<Scheduler> draw_scheduler() {
    if (threads_ <= 1) return random_walk(random_.next(), 2);
    std::unique_ptr<Scheduler> scheduler = draw_pattern();
    // Half of the runs let main start its threads first, most of them up to the very last one.
    if (random_.chance(2)) return scheduler;
    uint64_t picks = random_.chance(4) ? random_.below(2 * spawns_ + 8) : spawns_;
    return delayed(picks, std::move(scheduler));
  }

  std::unique_ptr<Scheduler> draw_pattern() {
    uint64_t seed = random_.next();
    uint32_t quantum = 1 + static_cast<uint32_t>(random_.below(random_.chance(4) ? 30 : 8));
    switch (random_.below(10)) {
      case 0: return random_walk(seed, 1);
      case 1: return random_walk(seed, uint64_t{2} << random_.below(5));
      case 2: return round_robin(quantum, 0);
      case 3: return round_robin(quantum, static_cast<uint32_t>(random_.below(threads_)));
      case 4: return round_robin(quantum, UINT32_MAX);
      default: return pct(seed, 1 + static_cast<unsigned>(random_.below(5)), draw_length());
    }
  }

  /// Change points among the first steps only, half of the time: set-up and early races are found sooner.
  uint64_t draw_length() { return random_.chance(2) ? longest_ : 1 + random_.below(longest_ + 1); }

  /// Most runs may take a few times what complete ones took so far; one in 32 sixteen times that, one in 1024 ...: each
  /// length gets half of the time of the one before. As long as none came to an end, longer and longer runs get half of
  /// all statements: loops over large arrays end late, and what is wrong shows after them.
  uint64_t draw_budget() {
    if (only_choice_free_) return UINT64_MAX;
    if (ends_[static_cast<size_t>(End::Budget)] == runs_ - 1 && statements_ >= next_long_run_) {
      long_budget_ = std::min(2 * long_budget_, kLongestBudget);
      next_long_run_ = statements_ + 2 * long_budget_;
      return long_budget_;
    }
    uint64_t budget = std::clamp(static_cast<uint64_t>(6 * finished_), kShortestBudget, kFirstBudget);
    while (budget < (uint64_t{1} << 40) && random_.chance(32)) budget *= 16;
    return budget;
  }

  void count(const Outcome& outcome) {
    statements_ += outcome.statements;
    threads_ = std::max(threads_, outcome.threads);
    if (runs_ == 1) spawns_ = outcome.last_spawn;  // the first run goes straight through main
    longest_ = std::max<uint64_t>(longest_, std::min<uint64_t>(outcome.record.schedule.size(), 100'000));
    ++ends_[static_cast<size_t>(outcome.end)];
    // Endings that took very long must not make all later runs long: an average that forgets.
    if (outcome.end != End::Budget && outcome.end != End::Stopped)
      finished_ += (static_cast<double>(std::min(outcome.statements, kFirstBudget)) - finished_) / 16;
    if (outcome.end == End::Cut) ++cuts_[outcome.reason];
    learn(outcome);
    // Nothing was decided so far and the budget ran out: the same run again, to its end.
    only_choice_free_ =
        outcome.end == End::Budget && outcome.record.inputs.empty() && outcome.choices == 0 && runs_ == 1;
  }

  /// Runs of a length that was not seen before took a new path: they are worth changing a little. Inputs that were followed
  /// by others passed all assumptions on them.
  void learn(const Outcome& outcome) {
    const std::vector<Record::Value>& inputs = outcome.record.inputs;
    if (threads_ > 1 || inputs.empty() || inputs.size() > kLongestKept) return;
    const bool pruned = outcome.end == End::Pruned;
    if (ends_[static_cast<size_t>(End::Pruned)] > 0)
      for (size_t i = 0; i + (pruned ? 1 : 0) < inputs.size(); ++i) {
        std::vector<u128>& accepted = values_.accepted[inputs[i].width];
        if (std::find(accepted.begin(), accepted.end(), inputs[i].value) != accepted.end()) continue;
        if (accepted.size() < kAccepted)
          accepted.push_back(inputs[i].value);
        else
          accepted[random_.below(kAccepted)] = inputs[i].value;
      }
    if (pruned || outcome.end == End::Budget || !lengths_.insert(outcome.statements).second) return;
    std::vector<u128> run;
    for (const Record::Value& value : inputs) run.push_back(value.value);
    if (kept_.size() < kKept)
      kept_.push_back(std::move(run));
    else
      kept_[random_.below(kKept)] = std::move(run);
  }

  static bool only_run(const Outcome& outcome) {
    return outcome.record.inputs.empty() && outcome.choices == 0 && outcome.end != End::Budget &&
           outcome.end != End::Stopped;
  }

  /// Whatever the inputs and schedules, no run gets past one place.
  bool hopeless() const {
    return runs_ >= kHopeless && cuts_.size() == 1 && ends_[static_cast<size_t>(End::Cut)] == runs_;
  }

  verdict::Verdict report(Outcome outcome) {
    verdict::Verdict result;
    exec::RunResult replayed = exec::replay(code_, outcome.record.counterexample());
    if (!replayed.violation || replayed.violation->property != outcome.violation->property) {
      result.reason = fmt::format("internal problem: a violation ({}) was found that does not replay",
                                  outcome.violation->message);
      finish(result);
      return result;
    }
    result.answer = verdict::Answer::False;
    result.violation = replayed.violation;
    result.counterexample = std::move(replayed.counterexample);
    result.trace = std::move(replayed.trace);
    result.reason = fmt::format("violation found in run {}, replayed", runs_);
    finish(result);
    return result;
  }

  void finish(verdict::Verdict& result) {
    result.engine = "test";
    put_figures(result.statistics);
  }

  void put_figures(Statistics& s) const {
    s.set("runs", runs_);
    s.set("statements", statements_);
    s.set("threads", threads_);
    constexpr std::pair<End, const char*> kNames[] = {{End::Halted, "runs_ended"},
                                                      {End::Deadlock, "runs_deadlocked"},
                                                      {End::Cut, "runs_cut"},
                                                      {End::Pruned, "runs_not_assumed"},
                                                      {End::Budget, "runs_out_of_budget"}};
    for (auto [end, name] : kNames)
      if (uint64_t n = ends_[static_cast<size_t>(end)]; n != 0) s.set(name, n);
  }

  std::string cut_text() const {
    std::vector<std::pair<std::string, uint64_t>> reasons(cuts_.begin(), cuts_.end());
    std::ranges::stable_sort(reasons, std::greater<>(), &std::pair<std::string, uint64_t>::second);
    std::string text;
    uint64_t others = 0;
    for (size_t i = 0; i < reasons.size(); ++i)
      if (const auto& [reason, n] = reasons[i]; i < kReasons)
        text += fmt::format("; {} run{} ended early: {}", n, n == 1 ? "" : "s", reason);
      else
        others += n;
    if (others != 0) text += fmt::format("; {} run{} ended early for {} other reasons", others, others == 1 ? "" : "s", reasons.size() - kReasons);
    return text;
  }

  static constexpr uint64_t kShortestBudget = 2'000, kFirstBudget = 100'000, kLongestBudget = 50'000'000;
  static constexpr size_t kReasons = 5;  ///< of runs that ended early, the most frequent ones
  static constexpr size_t kKept = 512, kLongestKept = 4096, kAccepted = 256;
  static constexpr uint64_t kHopeless = 1'000;  ///< runs that all end at the same unsupported place are enough

  Context& context_;
  Random random_;
  Values values_;
  std::shared_ptr<const exec::Code> code_;
  exec::Machine machine_;
  uint64_t max_runs_;
  double max_seconds_;
  uint64_t runs_ = 0, statements_ = 0, longest_ = 1, spawns_ = 0;
  uint64_t long_budget_ = 2 * kFirstBudget, next_long_run_ = 4 * kFirstBudget;  ///< both in statements
  double finished_ = static_cast<double>(kFirstBudget) / 6;  ///< statements of runs that came to an end, on average
  uint32_t threads_ = 1;
  bool only_choice_free_ = false;
  uint64_t ends_[7] = {};
  std::map<std::string, uint64_t> cuts_;
  std::vector<std::vector<u128>> kept_;      ///< inputs of runs along new paths
  std::unordered_set<uint64_t> lengths_;     ///< of runs, in statements
};

}  // namespace

std::span<const Option> TestEngine::options() const { return kOptions; }

std::optional<std::string> TestEngine::supports(const program::Program&,
                                                const verdict::Specification& specification) const {
  if (specification.properties.size() == 1 && specification.has(verdict::Property::Termination))
    return "single runs cannot show that a program does not terminate";
  return std::nullopt;
}

verdict::Verdict TestEngine::run(const program::Program& program, const verdict::Specification& specification,
                                 const Settings& settings, Context& context) {
  return Search(program, specification, settings, context).run();
}

}  // namespace whittle::engines::test
