#include "engines/dpr/run.h"

#include <fmt/format.h>

namespace whittle::engines::dpr {

using exec::PauseKind;

namespace {

constexpr uint64_t kSlice = 200'000;  ///< statements between two looks at the limits
constexpr uint64_t kInputs = 256;     ///< inputs, likewise: the budget of statements starts anew with each

uint64_t first_enabled(exec::Machine& machine) {
  for (uint32_t t = 0; t < machine.thread_count(); ++t)
    if (machine.alive(t) && machine.enabled(t)) return t;
  return UINT32_MAX;
}

}  // namespace

Outcome run(exec::SymbolicMachine& symbolic, Choices& choices, const Oracle& oracle, Joins* joins,
            const RunLimits& bounds, Limits& limits) {
  Outcome outcome;
  exec::Machine& machine = symbolic.machine();
  uint64_t start = machine.statements();
  machine.set_budget(kSlice);
  symbolic.reset();
  const exec::Pause* pause = &machine.pause();
  bool done = false;
  uint64_t inputs = 0;
  std::vector<program::RegisterId> bounding;
  auto end = [&](End how, std::string reason = {}) {
    outcome.end = how;
    outcome.reason = std::move(reason);
    outcome.where = pause->position;
    done = true;
  };
  // A path may go on forever, with or without inputs on the way.
  auto look_at_limits = [&] {
    if (limits.poll_now() != Stop::No)
      end(End::Stopped);
    else if (machine.statements() - start > bounds.statements)
      end(End::Cut, "path longer than the limit of statements");
  };
  while (!done) {
    switch (pause->kind) {
      case PauseKind::Visible:
      case PauseKind::Blocked:
      case PauseKind::ThreadEnded: {
        uint64_t thread = first_enabled(machine);
        if (thread != UINT32_MAX)
          pause = &symbolic.schedule(static_cast<uint32_t>(thread));
        else if (symbolic.fork_awaits(); machine.code().specification().has(verdict::Property::NoDeadlock))
          end(End::Violation);
        else
          end(End::Harmless);
        break;
      }
      case PauseKind::Input: {
        if (++inputs % kInputs == 0) look_at_limits();
        if (done) break;
        Shape shape = choices.shape(*pause, bounding);
        size_t level = outcome.choices.size();
        if (level + shape.bits > bounds.depth) {
          end(End::Cut, fmt::format("oracle depth {}", bounds.depth));
          break;
        }
        if (!shape.complete && outcome.too_wide.empty())
          outcome.too_wide = fmt::format("{} ({} bits) at {}", pause->origin, pause->width,
                                         machine.code().program().where(pause->position));
        u128 value = 0;
        for (unsigned i = 0; i < shape.bits; ++i) {
          bool bit = oracle(level + i);
          outcome.choices.push_back(bit);
          value |= u128{bit} << i;
        }
        if (shape.is_signed) value = static_cast<u128>(sign_extend128(value, shape.bits)) & mask128(pause->width);
        value = (value + shape.base) & mask128(pause->width);
        outcome.inputs.push_back(value);
        if (joins == nullptr) {
          pause = &machine.provide(value);
          break;
        }
        joins->asked(bounding);
        symbolic.set_observer(joins);  // before the first choice there is nothing to see
        pause = &symbolic.provide(choices.value(shape, level, pause->width), value);
        break;
      }
      case PauseKind::Budget:
        look_at_limits();
        if (!done) pause = &symbolic.resume();
        break;
      case PauseKind::Halted: end(End::Harmless); break;
      case PauseKind::Violation: end(End::Violation); break;
      case PauseKind::Cut: end(End::Cut, pause->reason); break;
      case PauseKind::Pruned: end(End::Pruned); break;
    }
  }
  if (joins != nullptr) joins->finish(outcome.end == End::Pruned);
  symbolic.set_observer(nullptr);
  outcome.statements = machine.statements() - start;
  return outcome;
}

}  // namespace whittle::engines::dpr
