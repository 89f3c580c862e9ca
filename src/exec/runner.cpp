#include "exec/runner.h"

#include "base/hash.h"

namespace whittle::exec {
namespace {

constexpr uint64_t kSlice = 1 << 20;  ///< statements between two looks at the limits

class Random {
 public:
  explicit Random(uint64_t seed) : state_(hash_mix(seed + 1)) {}
  uint64_t next() { return hash_mix(state_ += 0x9e3779b97f4a7c15u); }
  uint64_t below(uint64_t n) { return next() % n; }

 private:
  uint64_t state_;
};

class Run {
 public:
  Run(const std::shared_ptr<const Code>& code, const RunPlan& plan, Limits* limits)
      : plan_(plan), limits_(limits), machine_(code), random_(plan.seed) {
    if (plan.output) machine_.set_output(plan.output);
    if (plan.keep_trace) {
      tracer_ = std::make_unique<Tracer>(machine_, plan.max_trace);
      machine_.set_listener(tracer_.get());
    }
  }

  RunResult run() {
    while (step()) {
      result_.statements = machine_.statements();
      if (limits_ && limits_->poll_now() != Stop::No) {
        result_.end = RunEnd::Stopped;
        result_.reason = to_string(limits_->stopped());
        break;
      }
      if (result_.statements >= plan_.max_statements) {
        result_.end = RunEnd::Budget;
        break;
      }
    }
    result_.statements = machine_.statements();
    if (tracer_ && result_.violation) tracer_->explain(*result_.violation);
    if (tracer_) result_.trace = tracer_->finish();
    return std::move(result_);
  }

 private:
  /// Goes on for a while. False: the run has ended and result_ says how.
  bool step() {
    uint64_t end = machine_.statements() + kSlice;
    while (machine_.statements() < end) {
      const Pause& pause = machine_.pause();
      machine_.set_budget(
          std::min(kPatience, plan_.max_statements - std::min(plan_.max_statements, machine_.statements())));
      if (pause.final()) return ended(pause);
      if (pause.kind == PauseKind::Input)
        provide(pause);
      else if (pause.kind == PauseKind::Budget)
        machine_.resume();
      else if (!schedule())
        return false;
      if (machine_.pause().kind == PauseKind::Budget) {
        machine_.yield_here();
        return true;
      }
      if (++pauses_ % 1024 == 0) return true;
    }
    return true;
  }

  bool ended(const Pause& pause) {
    switch (pause.kind) {
      case PauseKind::Halted:
        result_.end = RunEnd::Halted;
        result_.status = pause.status;
        result_.aborted = pause.aborted;
        break;
      case PauseKind::Violation:
        result_.end = RunEnd::Violation;
        result_.violation = pause.violation;
        break;
      case PauseKind::Pruned: result_.end = RunEnd::Pruned; break;
      default: result_.end = RunEnd::Cut; result_.reason = pause.reason;
    }
    return false;
  }

  void provide(const Pause& pause) {
    size_t index = result_.counterexample.inputs.size();
    u128 value = 0;
    if (index < plan_.inputs.size())
      value = plan_.inputs[index];
    else if (plan_.more_inputs == RunPlan::Inputs::Random)
      value = random_value();
    value &= mask128(pause.width);
    const program::Program& program = machine_.code().program();
    verdict::Input input{pause.width, value, pause.origin, "", pause.position.line};
    if (pause.position.file < program.files.size()) input.file = program.files[pause.position.file];
    result_.counterexample.inputs.push_back(std::move(input));
    machine_.provide(value);
  }
  /// Small numbers of both signs half of the time.
  u128 random_value() {
    uint64_t kind = random_.below(4);
    if (kind == 0) return random_.below(4);
    if (kind == 1) return static_cast<u128>(static_cast<i128>(random_.below(256)) - 128);
    return static_cast<u128>(random_.next()) << 64 | random_.next();
  }

  bool schedule() {
    uint32_t thread = pick();
    if (thread == UINT32_MAX) {
      result_.end = RunEnd::Deadlock;
      if (machine_.code().specification().has(verdict::Property::NoDeadlock)) {
        result_.end = RunEnd::Violation;
        result_.violation = machine_.deadlock_violation();
      }
      return false;
    }
    result_.counterexample.schedule.push_back(thread);
    last_ = thread;
    machine_.schedule(thread);
    return true;
  }

  /// UINT32_MAX: no thread can run.
  uint32_t pick() {
    uint32_t count = machine_.thread_count();
    while (next_step_ < plan_.schedule.size()) {
      uint32_t wanted = plan_.schedule[next_step_++];
      if (machine_.enabled(wanted)) return wanted;
    }
    if (plan_.more_steps == RunPlan::Scheduling::Random) {
      std::vector<uint32_t> open;
      for (uint32_t t = 0; t < count; ++t)
        if (machine_.enabled(t)) open.push_back(t);
      return open.empty() ? UINT32_MAX : open[random_.below(open.size())];
    }
    uint32_t first = plan_.more_steps == RunPlan::Scheduling::RoundRobin ? last_ + 1 : last_;
    for (uint32_t i = 0; i < count; ++i) {
      uint32_t t = (first + i) % count;
      if (machine_.enabled(t)) return t;
    }
    return UINT32_MAX;
  }

  const RunPlan& plan_;
  Limits* limits_;
  Machine machine_;
  Random random_;
  std::unique_ptr<Tracer> tracer_;
  RunResult result_;
  size_t next_step_ = 0;
  uint32_t last_ = 0;
  uint64_t pauses_ = 0;
};

}  // namespace

RunResult run(const std::shared_ptr<const Code>& code, const RunPlan& plan, Limits* limits) {
  return Run(code, plan, limits).run();
}

RunResult replay(const std::shared_ptr<const Code>& code, const verdict::Counterexample& counterexample,
                 Limits* limits) {
  RunPlan plan;
  for (const verdict::Input& input : counterexample.inputs) plan.inputs.push_back(input.value);
  plan.schedule = counterexample.schedule;
  plan.keep_trace = true;
  return run(code, plan, limits);
}

}  // namespace whittle::exec
