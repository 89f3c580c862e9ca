// What a choice stands for, in words.
#include <fmt/format.h>

#include <bit>

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

/// Flags that are looked at decide what the last operation gave.
std::string result_text(uint8_t unknown, uint8_t value) {
  if (unknown == 0) return fmt::format("the last result is 0x{:02x}", value);
  std::string bits;
  for (int bit = 7; bit >= 0; --bit) bits += (unknown >> bit & 1) != 0 ? 'x' : (value >> bit & 1) != 0 ? '1' : '0';
  return "the last result is 0b" + bits;
}

}  // namespace

std::string fault_text(const Fault& fault, const Image& image, const Device& device) {
  std::string what;
  switch (fault.kind) {
    case FaultKind::None: return "";
    case FaultKind::StackIntoData:
      what = fmt::format("stack runs into data: it would write address 0x{:04x}", fault.address);
      if (std::string name = image.names.describe(fault.address); !name.empty()) what += " (" + name + ")";
      break;
    case FaultKind::StackUnderflow: what = "more is taken off the stack than was put there"; break;
    case FaultKind::PcOutside: what = "execution leaves the program"; break;
    case FaultKind::UndefinedOpcode: what = fmt::format("not an instruction of {}", device.name()); break;
    case FaultKind::ReservedWrite: what = fmt::format("write to reserved I/O address 0x{:02x}", fault.address); break;
    case FaultKind::BadAddress: what = fmt::format("access to 0x{:04x}, beyond RAM", fault.address); break;
    case FaultKind::NeverWritten:
      what = fmt::format("read of RAM never written: 0x{:04x}", fault.address);
      if (std::string name = image.names.describe(fault.address); !name.empty()) what += " (" + name + ")";
      break;
    case FaultKind::NoHandler:
      what = "an interrupt without a handler comes, and the program starts anew";
      for (const Interrupt& source : device.interrupts())
        if (source.vector == fault.address) what = fmt::format("{}: {}", source.name, what);
      break;
    case FaultKind::EndlessLoop: what = "endless loop with interrupts disabled"; break;
    case FaultKind::NotModelled:
      what = fault.address != 0 ? fmt::format("{} after {} is not modelled", fault.what, device.at(fault.address).name)
                                : fmt::format("{} is not modelled", fault.what);
      break;
  }
  what += fmt::format(" at 0x{:x}", fault.pc * 2);
  if (const LineRow* row = image.names.line_at(fault.pc))
    what += fmt::format(" ({}:{})", image.names.files[row->file], row->line);
  else if (const Function* f = image.names.function_at(fault.pc))
    what += fmt::format(" (in {})", f->name);
  return what;
}

ChoiceInfo AvrMachine::explain(uint32_t choice) {
  if (!plan_.valid) make_plan();
  ChoiceInfo info;
  uint32_t base = choice / shown_count_, shown = choice % shown_count_;
  uint32_t values = 0;
  if (!plan_.outcomes.empty()) values = plan_.outcomes[base].values, base = plan_.outcomes[base].base;
  auto add = [&](const std::string& text) { info.decision += (info.decision.empty() ? "" : ", ") + text; };
  auto name_of = [&](uint16_t cell) -> std::string {
    if (cell < 32) return fmt::format("r{}", cell);
    if (cell < device_->ram_start()) return std::string(device_->at(cell).name);
    std::string name = image_->names.describe(cell);
    return name.empty() ? fmt::format("mem[0x{:04x}]", cell) : name;
  };
  if (base >= plan_.instruction) {
    uint32_t rest = base - plan_.instruction;
    if (rest < plan_.fires.size())
      info.interrupt = &sources_[plan_.fires[rest]];
    else
      info.watchdog = true;
  } else if (core_.sleeping && !plan_.settles) {
    info.asleep = true;
  } else {
    info.executes = !plan_.settles;
    info.begins = plan_.settles;
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
      case Demand::Kind::Range:
      case Demand::Kind::Flag: break;  // of abstract chips, which are not explained
      case Demand::Kind::Bits:
      case Demand::Kind::Zero: {
        Core copy = core_;
        need.apply(copy, base);
        auto known = uint8_t(need.mask & ~copy.x[need.cell]);
        add(need.cell == core_.flags_cell() ? result_text(copy.x[need.cell], copy.v[need.cell]) : bits_text(name_of(need.cell), known, copy.v[need.cell]));
        info.executes = !plan_.settles && demand(copy, rules_).kind == Demand::Kind::None;
        break;
      }
    }
  }
  if (!plan_.outcomes.empty()) {  // what the step leaves unknown and formulas look at
    const Core before = core_;
    const std::vector<uint8_t> budget = budget_;
    act(base);
    for (uint16_t a : observed_cells_) {
      auto mask = uint8_t(core_.x[a] & rules_.observed[a]);
      if (mask == 0) continue;
      auto count = unsigned(std::popcount(mask));
      add(bits_text(name_of(a), mask, deposit(values, mask)));
      values >>= count;
    }
    core_ = before;
    budget_ = budget;
  }
  if (shown_count_ > 1) {
    for (auto [address, mask] : shown_) {
      uint8_t value = deposit(shown, mask);
      shown >>= std::popcount(mask);
      if (value != (core_.visible_value[address] & mask)) add(bits_text(name_of(address), mask, value));
    }
  }
  return info;
}

}  // namespace whittle::avr
