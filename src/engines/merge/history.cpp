#include "engines/merge/history.h"

namespace whittle::engines::merge {

namespace {

constexpr uint64_t kSlice = 100'000;  ///< statements between two looks at the limits

/// Hands out the addresses of the objects that the model's way makes.
class Addresses final : public exec::Placement {
 public:
  Addresses(const std::vector<History::Made>& made, Model& model) : made_(made), model_(model) {}
  uint64_t place(uint32_t, program::FunctionId function, uint32_t edge, uint64_t) override {
    for (; next_ < made_.size(); ++next_) {
      const History::Made& m = made_[next_];
      if (!model_.holds(m.when)) continue;
      if (m.function != function || m.edge != edge) return 0;
      ++next_;
      return m.address;
    }
    return 0;
  }

 private:
  const std::vector<History::Made>& made_;
  Model& model_;
  size_t next_ = 0;
};

}  // namespace

exec::RunResult History::replay(Model& model, const std::shared_ptr<const exec::Code>& code, Limits& limits) const {
  Addresses addresses(made_, model);
  exec::Machine machine(code);
  machine.set_placement(&addresses);
  machine.set_budget(kSlice);
  machine.reset();
  verdict::Counterexample found;
  size_t next = 0;
  auto provided = [&](const exec::Pause& pause) -> u128 {
    if (pause.memory == 0) {
      for (; next < asked_.size(); ++next)
        if (asked_[next].bytes == 0 && model.holds(asked_[next].when)) return model.value(asked_[next++].variable);
      return 0;
    }
    u128 value = 0;
    for (unsigned b = 0; b < pause.width / 8; ++b) {
      const uint64_t address = machine.copied_from(pause.memory + b);
      for (const Asked& asked : asked_) {
        if (address < asked.address || address - asked.address >= asked.bytes || !model.holds(asked.when)) continue;
        const u128 whole = model.value(asked.variable);
        value |= (whole >> (8 * (address - asked.address)) & 0xff) << (8 * b);
        break;
      }
    }
    return value;
  };
  while (!machine.pause().final() && limits.poll_now() == Stop::No) {
    const exec::Pause& pause = machine.pause();
    if (pause.kind == exec::PauseKind::Input) {
      const u128 value = provided(pause) & mask128(pause.width);
      found.inputs.push_back({.width = pause.width, .value = value, .origin = pause.origin, .file = {}, .line = 0});
      machine.provide(value);
    } else if (pause.kind == exec::PauseKind::Budget) {
      machine.resume();
    } else if (machine.enabled(0)) {
      machine.schedule(0);
    } else {
      break;
    }
  }
  return exec::replay(code, found, &limits);
}

}  // namespace whittle::engines::merge
