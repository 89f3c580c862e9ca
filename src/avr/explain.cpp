// What a choice stands for, in words.
#include <fmt/format.h>

#include "avr/avr_machine.h"

namespace whittle::avr {

namespace {

std::string bits_text(const std::string& name, uint8_t mask, uint8_t value) {
  if (mask == 0xff) return fmt::format("{} = 0x{:02x}", name, value);
  std::string out;
  for (uint8_t bit = 0; bit < 8; ++bit)
    if ((mask & (1u << bit)) != 0)
      out += fmt::format("{}{}.{} = {}", out.empty() ? "" : ", ", name, bit, (value >> bit) & 1);
  return out;
}

}  // namespace

ChoiceInfo AvrMachine::explain(uint32_t choice) {
  if (!plan_.valid) make_plan();
  ChoiceInfo info;
  uint32_t base = choice / shown_count_, shown = choice % shown_count_;
  auto add = [&](const std::string& text) { info.decision += (info.decision.empty() ? "" : ", ") + text; };
  auto name_of = [&](uint16_t cell) -> std::string {
    if (cell < 32) return fmt::format("r{}", cell);
    if (cell < device_->ram_start()) return std::string(device_->at(cell).name);
    if (cell == core_.flags_cell()) return "last result";
    std::string name = image_->names.describe(cell);
    return name.empty() ? fmt::format("mem[0x{:04x}]", cell) : name;
  };
  if (base >= plan_.instruction) {
    uint32_t rest = base - plan_.instruction;
    if (rest < plan_.fires.size())
      info.interrupt = &sources_[plan_.fires[rest]];
    else
      info.watchdog = true;
  } else if (core_.sleeping) {
    info.asleep = true;
  } else {
    info.executes = true;
    const Demand& need = plan_.need;
    switch (need.kind) {
      case Demand::Kind::None: break;
      case Demand::Kind::Deliver:
      case Demand::Kind::Choose: {
        Core copy = core_;
        Delivery given = need.apply(copy, base);
        add(bits_text(name_of(need.cell), given.mask, given.value));
        break;
      }
      case Demand::Kind::Bits:
      case Demand::Kind::Zero: {
        Core copy = core_;
        need.apply(copy, base);
        auto known = uint8_t(need.mask & ~copy.x[need.cell]);
        add(bits_text(name_of(need.cell), known, copy.v[need.cell]));
        info.executes = demand(copy, rules_).kind == Demand::Kind::None;
        break;
      }
    }
  }
  if (shown_count_ > 1) {
    for (auto [address, mask] : shown_) {
      uint8_t value = 0;
      for (uint8_t bit = 0; bit < 8; ++bit) {
        if ((mask & (1u << bit)) == 0) continue;
        if ((shown & 1) != 0) value |= uint8_t(1u << bit);
        shown >>= 1;
      }
      if (value != (core_.visible_value[address] & mask)) add(bits_text(name_of(address), mask, value));
    }
  }
  return info;
}

}  // namespace whittle::avr
