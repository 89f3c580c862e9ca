#include "engines/test/drive.h"

#include <algorithm>

namespace whittle::engines::test {

namespace {

/// Statements between two looks at the clock.
constexpr uint64_t kSlice = 200'000;

class Driver {
 public:
  Driver(exec::Machine& machine, Scheduler& scheduler, InputSource& inputs, uint64_t budget, Limits& limits)
      : machine_(machine), scheduler_(scheduler), inputs_(inputs), budget_(budget), limits_(limits) {}

  Outcome run() {
    machine_.set_budget(std::min(budget_, kSlice));
    machine_.reset();
    uint64_t start = machine_.statements();
    const bool races = machine_.code().specification().has(verdict::Property::NoDataRace);
    for (uint64_t round = 0;; ++round) {
      const exec::Pause& pause = machine_.pause();
      outcome_.statements = machine_.statements() - start;
      if (pause.final()) return finish(pause);
      if (outcome_.statements >= budget_) return end(End::Budget);
      // Programs that never pause come here once a slice; those that pause all the time need not look every time.
      if ((pause.kind == exec::PauseKind::Budget ? limits_.poll_now() : limits_.poll()) != Stop::No)
        return end(End::Stopped);
      if (pause.kind == exec::PauseKind::Budget) {
        machine_.resume();
      } else if (pause.kind == exec::PauseKind::Input) {
        u128 value = inputs_.next(pause.width);
        outcome_.record.inputs.push_back({value & mask128(pause.width), pause.width});
        machine_.provide(value);
      } else {
        if (races)
          if (auto race = machine_.data_race()) return violation(std::move(*race));
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
      next = scheduler_.pick(enabled_, pause.thread, yields);
    }
    outcome_.record.schedule.push_back(next);
    machine_.schedule(next);
    return true;
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
  Outcome outcome_;
  std::vector<uint32_t> enabled_;
};

}  // namespace

verdict::Counterexample Record::counterexample() const {
  verdict::Counterexample result;
  for (const Value& input : inputs) result.inputs.push_back({input.width, input.value, {}, {}, 0});
  result.schedule = schedule;
  return result;
}

Outcome drive(exec::Machine& machine, Scheduler& scheduler, InputSource& inputs, uint64_t budget, Limits& limits) {
  return Driver(machine, scheduler, inputs, budget, limits).run();
}

}  // namespace whittle::engines::test
