#include "engines/test/drive.h"

#include <algorithm>
#include <deque>

namespace whittle::engines::test {

namespace {

/// Statements between two looks at the clock.
constexpr uint64_t kSlice = 200'000;
/// Steps that are recorded at most: a run that goes on forever must not fill the memory.
constexpr size_t kLongestRecord = 20'000'000;
/// Decisions that can be taken back: how many are kept, how often in one run, values tried for one input, bytes of a
/// state. With several threads, another schedule helps more than another value.
constexpr size_t kMemory = 16;
constexpr uint64_t kRetries = 2'000, kRetriesOfThreads = 500;
constexpr unsigned kTriesPerInput = 24, kTriesOfThreads = 3;
constexpr size_t kLargestState = 1 << 16;

class Driver {
 public:
  Driver(exec::Machine& machine, Scheduler& scheduler, InputSource& inputs, uint64_t budget, Limits& limits,
         InputSource* others)
      : machine_(machine), scheduler_(scheduler), inputs_(inputs), budget_(budget), limits_(limits), others_(others) {}

  Outcome run() {
    machine_.set_budget(std::min(budget_, kSlice));
    machine_.reset();
    uint64_t start = machine_.statements();
    for (uint64_t round = 0;; ++round) {
      const exec::Pause& pause = machine_.pause();
      outcome_.statements = machine_.statements() - start;
      if (pause.kind == exec::PauseKind::Pruned && go_back()) continue;
      if (pause.final()) return finish(pause);
      if (outcome_.statements >= budget_ || outcome_.record.schedule.size() >= kLongestRecord ||
          outcome_.record.inputs.size() >= kLongestRecord / 4)
        return end(End::Budget);
      // Programs that never pause come here once a slice; those that pause all the time need not look every time.
      if ((pause.kind == exec::PauseKind::Budget ? limits_.poll_now() : limits_.poll()) != Stop::No)
        return end(End::Stopped);
      if (pause.kind == exec::PauseKind::Budget) {
        machine_.resume();
      } else if (pause.kind == exec::PauseKind::Input) {
        remember(true);
        provide(inputs_.next(pause.width), pause.width);
      } else {
        if (!schedule(pause)) return deadlock();
      }
    }
  }

 private:
  bool schedule(const exec::Pause& pause) {
    enabled_.clear();
    uint32_t count = machine_.thread_count();
    for (uint32_t thread = 0; thread < count; ++thread)
      if (machine_.enabled(thread)) enabled_.push_back(thread);
    if (enabled_.empty()) return false;
    if (count > outcome_.threads) {
      outcome_.threads = count;
      outcome_.last_spawn = outcome_.choices;
    }
    uint32_t next = enabled_.front();
    if (enabled_.size() > 1) {
      ++outcome_.choices;
      bool yields = pause.kind == exec::PauseKind::Visible &&
                    std::ranges::find(enabled_, pause.thread) != enabled_.end() &&
                    machine_.pending(pause.thread).kind == exec::Pending::Kind::Yield;
      remember(false);
      next = scheduler_.pick(enabled_, pause.thread, yields);
      if (others_) checkpoints_.back().tried.push_back(next);
      if (next != pause.thread && std::ranges::find(enabled_, pause.thread) != enabled_.end()) ++outcome_.preemptions;
    } else {
      scheduler_.forced(next);
    }
    take(next);
    return true;
  }

  void provide(u128 value, unsigned width) {
    const std::string& origin = machine_.pause().origin;
    outcome_.record.inputs.push_back({value & mask128(width), width, origin.ends_with("double") || origin.ends_with("float")});
    machine_.provide(value);
  }
  void take(uint32_t thread) {
    outcome_.record.schedule.push_back(thread);
    machine_.schedule(thread);
  }

  /// A decision that can be taken back.
  struct Checkpoint {
    std::vector<uint8_t> state;
    size_t inputs = 0, schedule = 0;
    bool input = false;
    unsigned tries = 0;
    std::vector<uint32_t> tried;  ///< threads
  };

  void remember(bool input) {
    if (!others_) return;
    std::span<const uint8_t> state = machine_.save();
    if (state.size() > kLargestState) {
      others_ = nullptr;
      checkpoints_.clear();
      return;
    }
    if (checkpoints_.size() == kMemory) checkpoints_.pop_front();
    checkpoints_.push_back(
        {{state.begin(), state.end()}, outcome_.record.inputs.size(), outcome_.record.schedule.size(), input, 0, {}});
  }

  /// An assumption failed: takes back the last decision that can be made in another way, and makes it so.
  bool go_back() {
    const bool threads = outcome_.threads > 1;
    const uint64_t retries = threads ? kRetriesOfThreads : kRetries;
    const unsigned tries = threads ? kTriesOfThreads : kTriesPerInput;
    for (; others_ && !checkpoints_.empty() && retries_ < retries; checkpoints_.pop_back()) {
      Checkpoint& last = checkpoints_.back();
      if (last.input ? last.tries >= tries : last.tried.empty()) continue;
      machine_.load(last.state);
      outcome_.record.inputs.resize(last.inputs);
      outcome_.record.schedule.resize(last.schedule);
      if (last.input) {
        unsigned width = machine_.pause().width;
        provide(last.tries++ == 0 ? 1 : others_->next(width), width);
      } else {
        std::vector<uint32_t> rest;
        for (uint32_t thread = 0; thread < machine_.thread_count(); ++thread)
          if (std::ranges::find(last.tried, thread) == last.tried.end() && machine_.enabled(thread))
            rest.push_back(thread);
        if (rest.empty()) continue;
        uint32_t next = rest[retries_ % rest.size()];
        last.tried.push_back(next);
        take(next);
      }
      ++retries_;
      return true;
    }
    return false;
  }

  Outcome end(End kind) {
    outcome_.end = kind;
    return std::move(outcome_);
  }
  Outcome violation(verdict::Violation found) {
    outcome_.violation = std::move(found);
    return end(End::Violation);
  }
  Outcome deadlock() {
    if (!machine_.code().specification().has(verdict::Property::NoDeadlock)) return end(End::Deadlock);
    return violation(machine_.deadlock_violation());
  }
  Outcome finish(const exec::Pause& pause) {
    switch (pause.kind) {
      case exec::PauseKind::Violation: return violation(pause.violation);
      case exec::PauseKind::Cut: outcome_.reason = pause.reason; return end(End::Cut);
      case exec::PauseKind::Pruned: return end(End::Pruned);
      default: return end(End::Halted);
    }
  }

  exec::Machine& machine_;
  Scheduler& scheduler_;
  InputSource& inputs_;
  uint64_t budget_;
  Limits& limits_;
  InputSource* others_;
  Outcome outcome_;
  std::vector<uint32_t> enabled_;
  std::deque<Checkpoint> checkpoints_;
  uint64_t retries_ = 0;
};

}  // namespace

verdict::Counterexample Record::counterexample() const {
  verdict::Counterexample result;
  for (const Value& input : inputs) result.inputs.push_back({input.width, input.value, {}, {}, 0});
  result.schedule = schedule;
  return result;
}

Outcome drive(exec::Machine& machine, Scheduler& scheduler, InputSource& inputs, uint64_t budget, Limits& limits,
              InputSource* others) {
  return Driver(machine, scheduler, inputs, budget, limits, others).run();
}

}  // namespace whittle::engines::test
