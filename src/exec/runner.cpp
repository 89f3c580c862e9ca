#include "exec/runner.h"

#include "exec/strays.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>

#include "base/hash.h"
#include "exec/library_call.h"
#include "exec/detailed_tracer.h"

namespace whittle::exec {
namespace {

constexpr size_t kToldSteps = 300'000;  ///< of a detailed trace: some 200 MB
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
    machine_.set_placement(&strays_);
    if (plan.output) machine_.set_output(plan.output);
    if (plan.listener) machine_.set_listener(plan.listener);
    if (plan.keep_trace) {
      teller_ = std::make_unique<DetailedTracer>(machine_, plan.max_trace, plan.untold);
      machine_.set_listener(teller_.get());
    }
  }

  /// After run(), of a plan that keeps the trace.
  verdict::DetailedTrace take_trace() { return std::move(trace_); }

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
    if (teller_ && result_.violation) teller_->explain(*result_.violation);
    if (teller_) {
      std::vector<verdict::DetailedTrace::InputName> inputs = std::move(trace_.inputs);
      const std::vector<DetailedTracer::Filled> filled = teller_->filled();
      trace_ = teller_->finish();
      trace_.inputs = std::move(inputs);
      result_.trace = verdict::plain(trace_);
      name_inputs();
      name_filled(filled);
    }
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
    if (teller_) trace_.inputs.push_back({"", machine_.ordinal(pause.thread)});
    if (auto call = library_call(machine_, pause.thread)) {
      if (pause.memory == 0) input.origin = call->name;
      if (teller_) {
        trace_.inputs.back().inside = pause.memory == 0;
        trace_.inputs.back().format = call->format;
        teller_->asked(pause.thread);
      }
      input.line = call->position.line;
      input.file = call->position.file < program.files.size() ? program.files[call->position.file] : "";
    }
    if (teller_) input_steps_.push_back(teller_->size());
    if (teller_ && pause.memory != 0 && !pause.origin.starts_with("argv["))
      if (auto given = teller_->given(pause.thread, pause.memory, value, pause.width)) {
        trace_.inputs.back().variable = given->first;
        if (!shows(given->second, input) || character_code(given->second)) trace_.inputs.back().text = given->second;
      }
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

  /// An input's value as changes of variables show it.
  static bool shows(const std::string& text, const verdict::Input& input) {
    if (input.width > 64) return true;
    const auto value = static_cast<uint64_t>(input.value & mask128(input.width));
    if (text == std::to_string(value) || (input.width > 1 && text == std::to_string(sign_extend64(value, input.width)))) return true;
    if (input.width == 64 && text == fmt::format("{}", std::bit_cast<double>(value))) return true;
    if (input.width == 32 && text == fmt::format("{}", std::bit_cast<float>(static_cast<uint32_t>(value)))) return true;
    if (value <= 1 && text == (value == 0 ? "false" : "true")) return true;
    return character_code(text) == value;
  }

  /// Of "'x'", "L'\\n'".
  static std::optional<uint64_t> character_code(std::string_view text) {
    if (!text.empty() && (text[0] == 'L' || text[0] == 'u' || text[0] == 'U')) text.remove_prefix(1);
    if (text.size() < 3 || text.front() != '\'' || text.back() != '\'') return std::nullopt;
    text = text.substr(1, text.size() - 2);
    if (text.size() == 1) return static_cast<uint8_t>(text[0]);
    if (text[0] != '\\') return std::nullopt;
    if (text.size() == 2) return text[1] == 'n' ? '\n' : text[1] == 't' ? '\t' : text[1] == 'r' ? '\r' : text[1];
    uint64_t code = 0;
    std::from_chars(text.data() + 2, text.data() + text.size(), code, 16);
    return code;
  }

  static bool is_identifier(const std::string& text) {
    auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
    return !text.empty() && letter(text[0]) && text != "nan" && text != "inf" && text != "null" &&
           std::ranges::all_of(text, [&](char c) { return letter(c) || (c >= '0' && c <= '9'); });
  }

  /// The variable or parameter that an input was put into: what the line that asked for it changed first.
  void name_inputs() {
    const std::vector<verdict::DetailedStep>& steps = trace_.steps;
    for (size_t i = 0; i < input_steps_.size(); ++i) {
      const verdict::Input& input = result_.counterexample.inputs[i];
      if (input_steps_[i] < trace_.dropped) continue;
      if (input.origin.ends_with("scanf") && trace_.inputs[i].format.empty()) continue;  // no value that it has read
      // The step that asks comes next; a call whose model asks was there before.
      const size_t next = input_steps_[i] - trace_.dropped;
      bool direct = false;  // its value is that of the expression, not one that a model of the library needs inside
      auto asks_at = [&](size_t at) { return steps[at].file == input.file && steps[at].line == input.line; };
      auto name_from = [&](const verdict::DetailedStep& step) {
        const std::vector<verdict::Change>& seen = step.changes.empty() ? step.arguments : step.changes;
        auto found = std::ranges::find_if(seen, [&](const verdict::Change& change) { return shows(change.value, input); });
        if (found != seen.end()) {
          trace_.inputs[i].variable = found->name;
          trace_.inputs[i].inside = false;
          if (character_code(found->value)) trace_.inputs[i].text = found->value;
        }
        if (found == seen.end() && direct && seen.size() == 1 && is_identifier(seen[0].value)) {
          trace_.inputs[i].variable = seen[0].name;
          trace_.inputs[i].text = seen[0].value;
        }
        return !seen.empty();
      };
      for (size_t at = next; at < steps.size(); ++at) {
        const verdict::DetailedStep& step = steps[at];
        if (step.thread != trace_.inputs[i].thread) continue;
        if (!asks_at(at)) break;
        const bool named = step.statement.find(input.origin) != std::string::npos;
        direct = direct || (named && step.statement.ends_with(input.origin + "()"));
        if ((named || direct) && name_from(step)) break;
      }
      if (next == 0 || !trace_.inputs[i].variable.empty()) continue;
      const size_t call = next - 1;
      const bool by_call = steps[call].statement.find(input.origin + "(") != std::string::npos &&
                           (trace_.inputs[i].inside || !steps[call].statement.ends_with(input.origin + "()"));
      if (steps[call].thread == trace_.inputs[i].thread && asks_at(call) && by_call) name_from(steps[call]);
      for (size_t at = call; at < steps.size() && trace_.inputs[i].inside; ++at) {
        const std::string returns = input.origin + " returns ";
        const size_t said = steps[at].note.find(returns);
        if (steps[at].thread != trace_.inputs[i].thread || !asks_at(at)) break;
        if (said == std::string::npos) continue;
        const std::string value = steps[at].note.substr(said + returns.size());
        trace_.inputs[i].inside = !shows(value.substr(0, value.find(';')), input);
        break;
      }
    }
  }

  /// Inputs that one call has put into one object, one after the other.
  void name_filled(const std::vector<DetailedTracer::Filled>& filled) {
    for (const DetailedTracer::Filled& one : filled) {
      const auto begin = std::ranges::find(input_steps_, one.asked.front());
      const bool together = input_steps_.end() - begin >= static_cast<ptrdiff_t>(one.asked.size()) && std::ranges::equal(one.asked, std::span(begin, one.asked.size()));
      const bool record = one.value.starts_with('{') || one.value.starts_with('"');
      if (!together || !record) continue;
      const auto first = trace_.inputs.begin() + (begin - input_steps_.begin());
      for (size_t k = 0; k < one.asked.size(); ++k) first[static_cast<ptrdiff_t>(k)] = {"", first->thread};
      first->variable = one.name, first->whole = one.value, first->count = one.asked.size();
    }
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
  Strays strays_;
  Random random_;
  std::unique_ptr<DetailedTracer> teller_;
  verdict::DetailedTrace trace_;
  RunResult result_;
  std::vector<size_t> input_steps_;  ///< by input: steps of the trace when it was asked for
  size_t next_step_ = 0;
  uint32_t last_ = 0;
  uint64_t pauses_ = 0;
};

}  // namespace

RunResult run(const std::shared_ptr<const Code>& code, const RunPlan& plan, Limits* limits) {
  return Run(code, plan, limits).run();
}

namespace {

/// To tell a step takes a hundred times as long as to execute it. So a long run is executed first, and then its end is told.
RunPlan plan_of(const std::shared_ptr<const Code>& code, const verdict::Counterexample& counterexample, Limits* limits) {
  RunPlan plan;
  for (const verdict::Input& input : counterexample.inputs) plan.inputs.push_back(input.value);
  plan.schedule = counterexample.schedule;
  const uint64_t statements = run(code, plan, limits).statements;
  plan.keep_trace = true;
  plan.max_trace = kToldSteps;
  plan.untold = statements - std::min<uint64_t>(statements, kToldSteps);
  return plan;
}

}  // namespace

RunResult replay(const std::shared_ptr<const Code>& code, const verdict::Counterexample& counterexample,
                 Limits* limits) {
  return run(code, plan_of(code, counterexample, limits), limits);
}

Told tell(const std::shared_ptr<const Code>& code, const verdict::Counterexample& counterexample, Limits* limits) {
  const RunPlan plan = plan_of(code, counterexample, limits);
  Run run(code, plan, limits);
  RunResult result = run.run();
  return {run.take_trace(), std::move(result.violation), std::move(result.counterexample)};
}

}  // namespace whittle::exec
