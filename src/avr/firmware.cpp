#include "avr/firmware.h"

#include <fmt/format.h>

#include <bit>
#include <fstream>

#include "avr/refinement.h"
#include "base/error.h"

namespace whittle::avr {

using machine::StepKind;

namespace {

/// A cell as text: 0x05, or 0b0000x01x while bits are unknown.
std::string cell_text(const Core& c, uint16_t a) {
  if (c.x[a] == 0) return fmt::format("0x{:02x}", c.v[a]);
  std::string out = "0b";
  for (int bit = 7; bit >= 0; --bit) out += ((c.x[a] >> bit) & 1) != 0 ? 'x' : ((c.v[a] >> bit) & 1) != 0 ? '1' : '0';
  return out;
}

struct Shown {
  std::string name;
  uint16_t address = 0;
  uint32_t size = 1;
  const Type* type = nullptr;
  uint8_t bit_offset = 0, bit_size = 0;  ///< of a bit-field
};

/// The scalar parts of all variables, in the order of their addresses.
void flatten(const Names& names, const std::string& name, int type_index, uint32_t address, std::vector<Shown>& out) {
  const Type* type = type_index >= 0 ? &names.types[size_t(type_index)] : nullptr;
  constexpr size_t kLimit = 4096;
  if (out.size() > kLimit) return;
  if (type != nullptr && type->kind == TypeKind::Array && type->element >= 0) {
    uint32_t size = names.types[size_t(type->element)].size;
    for (uint32_t i = 0; i < type->count; ++i)
      flatten(names, fmt::format("{}[{}]", name, i), type->element, address + i * size, out);
  } else if (type != nullptr && type->kind == TypeKind::Struct) {
    for (const Member& m : type->members) {
      const std::string inside = name + "." + m.name;
      if (m.bit_size == 0)
        flatten(names, inside, m.type, address + m.offset, out);
      else
        out.push_back({inside, uint16_t(address + m.offset), uint32_t((m.bit_offset + m.bit_size + 7) / 8), m.type >= 0 ? &names.types[size_t(m.type)] : nullptr, m.bit_offset, m.bit_size});
    }
  } else {
    out.push_back({name, uint16_t(address), type != nullptr ? type->size : 1, type});
  }
}

/// The address of a variable or a function; where there is none, the number.
std::string pointer_text(uint64_t value, const Type& type, const Names& names) {
  if (value == 0) return "null";
  if (type.to_function) {
    const Function* function = names.function_at(uint32_t(value));
    if (function != nullptr && function->pc == value) return function->name;
  } else if (const std::string name = names.describe(uint16_t(value)); !name.empty()) {
    return "&" + name;
  }
  return fmt::format("0x{:04x}", value);
}

/// A number as a value of the type.
std::string number_text(uint64_t value, uint32_t size, const Type& type, const Names& names) {
  switch (type.kind) {
    case TypeKind::Pointer: return pointer_text(value, type, names);
    case TypeKind::Bool: return value == 0 ? "false" : "true";
    case TypeKind::Enum:
      for (const auto& [name, number] : type.enumerators)
        if (number == int64_t(value)) return name;
      break;
    case TypeKind::Float:
      if (size == 4) return fmt::format("{}", std::bit_cast<float>(uint32_t(value)));
      if (size == 8) return fmt::format("{}", std::bit_cast<double>(value));
      break;
    default: break;
  }
  if (type.name == "char" && size == 1 && (value & 0xff) >= ' ' && (value & 0xff) <= '~') return fmt::format("'{}'", char(value));
  return type.is_signed ? fmt::format("{}", int64_t(value)) : fmt::format("{}", value);
}

std::string value_text(const Core& c, const Shown& item, const Names& names) {
  if (item.size == 0 || item.size > 8) return "?";
  uint64_t value = 0, unknown = 0;
  for (uint32_t i = 0; i < item.size; ++i) {
    value |= uint64_t(c.v[item.address + i]) << (8 * i);
    unknown |= uint64_t(c.x[item.address + i]) << (8 * i);
  }
  const uint32_t bits = item.bit_size != 0 ? item.bit_size : item.size * 8;
  const uint64_t mask = bits >= 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1;
  value = value >> item.bit_offset & mask;
  if ((unknown >> item.bit_offset & mask) != 0) {
    if (item.bit_size != 0) return "?";
    std::string out;
    for (uint32_t n = item.size; n-- > 0;) out += (n + 1 == item.size ? "" : " ") + cell_text(c, uint16_t(item.address + n));
    return out;
  }
  if (item.type == nullptr) return fmt::format("{}", value);
  if (item.type->is_signed && bits < 64 && (value >> (bits - 1) & 1) != 0) value |= ~mask;
  return number_text(value, item.size, *item.type, names);
}

/// Everything a reader wants to see change.
struct Snapshot {
  std::vector<std::pair<std::string, std::string>> values;
};

Snapshot take(const AvrMachine& machine) {
  const Core& c = machine.core();
  const Names& names = machine.image().names;
  Snapshot out;
  std::vector<Shown> shown;
  for (const Variable& v : names.variables) {
    std::string name = v.scope.empty() ? v.name : v.scope + "::" + v.name;
    if (v.type >= 0)
      flatten(names, name, v.type, v.address, shown);
    else
      for (uint32_t i = 0; i < std::min<uint32_t>(v.size, 64); ++i)
        shown.push_back({v.size > 1 ? fmt::format("{}[{}]", name, i) : name, uint16_t(v.address + i), 1, nullptr});
  }
  for (const Shown& item : shown)
    if (item.address + item.size <= uint32_t(c.device().ram_end()) + 1)
      out.values.emplace_back(item.name, value_text(c, item, names));
  for (const auto& [name, address] : c.device().register_names()) {
    const Register& r = c.device().at(address);
    if (r.name != name || r.kind == RegisterKind::Sreg || r.kind == RegisterKind::Spl || r.kind == RegisterKind::Sph)
      continue;
    out.values.emplace_back(std::string(name), cell_text(c, address));
  }
  for (uint16_t r = 0; r < 32; ++r) out.values.emplace_back(fmt::format("r{}", r), cell_text(c, r));
  if (names.variables.empty())
    for (uint32_t a = c.device().ram_start(); a < c.layout->low_top; ++a)
      out.values.emplace_back(fmt::format("mem[0x{:04x}]", a), cell_text(c, uint16_t(a)));
  return out;
}

}  // namespace

Firmware::Firmware(std::shared_ptr<const Device> device, std::shared_ptr<const Image> image, Environment environment,
                   ChipOptions options)
    : device_(std::move(device)), image_(std::move(image)), environment_(std::move(environment)) {
  machine_ = std::make_unique<AvrMachine>(device_, image_, environment_, options);
}

std::unique_ptr<Firmware> load_firmware(const std::string& path, const FirmwareOptions& options) {
  if (options.device.empty()) fail_usage("{}: which device? say --mcu NAME", path);
  auto device = find_device(options.device);
  auto image = std::make_shared<Image>(load_image(path, *device));
  Environment environment;
  if (!options.environment_path.empty()) environment = load_environment(options.environment_path, *device);
  return std::make_unique<Firmware>(device, image, std::move(environment), options.chip);
}

std::string Firmware::violation() const { return fault_text(machine_->fault(), *image_, *device_); }

std::vector<std::string> Firmware::assumptions() const {
  std::vector<std::string> out;
  const ChipOptions& options = machine_->options();
  out.push_back("registers are zero at power-up");
  if (machine_->started_in_main()) out.push_back("properties are checked from the first instruction of main()");
  if (!options.timers_exact) out.push_back("running timers may show any value and raise their flags at any time");
  if (!options.check_written) out.push_back("RAM never written, and RAM below the stack pointer, holds unknown values");
  if (!environment_.watchdog_resets) out.push_back("the watchdog never bites (environment)");
  for (uint8_t vector : environment_.never)
    for (const Interrupt& i : device_->interrupts())
      if (i.vector == vector) out.push_back(fmt::format("interrupt {} never comes (environment)", i.name));
  for (auto [vector, count] : environment_.at_most)
    for (const Interrupt& i : device_->interrupts())
      if (i.vector == vector)
        out.push_back(fmt::format("interrupt {} comes at most {} times (environment)", i.name, count));
  for (const auto& [address, fixed] : environment_.fixed)
    out.push_back(fmt::format("{} & 0x{:02x} is 0x{:02x} (environment)", device_->at(address).name, fixed.mask,
                              fixed.value & fixed.mask));
  for (const auto& [address, values] : environment_.allowed)
    out.push_back(fmt::format("{} has one of {} values (environment)", device_->at(address).name, values.size()));
  return out;
}

/// Debug information names files as the compiler was told; it may have run where the firmware lies.
std::string Firmware::path_of(const std::string& file) {
  auto [it, fresh] = paths_.try_emplace(file, file);
  if (fresh && !file.starts_with('/') && !std::ifstream(file)) {
    std::string beside = image_->path.substr(0, image_->path.find_last_of('/') + 1) + file;
    if (std::ifstream(beside)) it->second = beside;
  }
  return it->second;
}

void Firmware::place(TraceStep& step, uint32_t pc) {
  step.pc = pc * 2;
  if (const Function* f = image_->names.function_at(pc)) step.function = f->name;
  if (const LineRow* row = image_->names.line_at(pc); row != nullptr && row->line != 0) {
    step.file = path_of(image_->names.files[row->file]);
    step.line = row->line;
  }
}

TraceStep Firmware::describe_step(uint32_t choice) {
  AvrMachine& m = *machine_;
  TraceStep step;
  uint32_t pc = m.core().pc;
  place(step, pc);
  ChoiceInfo info = m.explain(choice);
  step.decision = info.decision;
  if (info.interrupt != nullptr) {
    step.interrupt = std::string(info.interrupt->name);
    step.instruction = "interrupt " + step.interrupt;
  } else if (info.watchdog) {
    step.instruction = "watchdog reset";
  } else if (info.asleep) {
    step.instruction = "asleep";
  } else if (info.begins) {
    step.instruction = "at the beginning";
  } else if (pc < m.core().code().size()) {
    step.instruction = disassemble(m.core().next(), pc);
  }
  Snapshot before = take(m);
  step.cycles = cycles_;
  const bool instruction = info.interrupt == nullptr && !info.watchdog && !info.asleep && !info.begins && pc < m.core().code().size();
  const Insn insn = instruction ? m.core().next() : Insn{};
  StepKind kind = m.step(choice);
  if (kind == StepKind::Violation || kind == StepKind::Cut) {
    step.violation = violation();
    return step;
  }
  if (kind == StepKind::Moved && m.core().pc == pc && info.interrupt == nullptr && !info.asleep && !info.begins &&
      !info.decision.empty() && !info.executes)
    step.instruction += " (about to)";
  else if (instruction)
    cycles_ += m.core().cycles_of(insn);
  else if (info.interrupt != nullptr)
    cycles_ += Core::kInterruptCycles;
  Snapshot after = take(m);
  for (size_t i = 0; i < before.values.size() && i < after.values.size(); ++i)
    if (before.values[i].second != after.values[i].second)
      step.changes.push_back({before.values[i].first, before.values[i].second, after.values[i].second});
  return step;
}

std::vector<TraceStep> Firmware::replay(const std::vector<uint32_t>& choices) {
  std::vector<TraceStep> out;
  machine_->reset();
  cycles_ = 0;
  for (uint32_t choice : choices) {
    if (choice >= machine_->successors().count)
      fail_input("the schedule is no run of this firmware with these options: choice {} at step {}", choice, out.size());
    out.push_back(describe_step(choice));
    if (!out.back().violation.empty()) break;
  }
  return out;
}

namespace {

/// The note begins with the time: verdict::detailed takes it from there.
verdict::TraceStep to_trace(const TraceStep& step) {
  verdict::TraceStep out;
  out.function = step.function;
  out.file = step.file;
  out.line = step.line;
  out.statement = fmt::format("0x{:04x}  {}", step.pc, step.instruction);
  for (const Change& c : step.changes) out.changes.emplace_back(c.name, c.after);
  bool event = !step.interrupt.empty() || step.instruction == "watchdog reset" || step.instruction == "asleep";
  out.note = fmt::format("cycle {}", step.cycles);
  if (event) out.note += "; " + step.instruction;
  if (!step.decision.empty()) out.note += "; " + step.decision;
  return out;
}

}  // namespace

machine::Story Firmware::describe(const std::vector<uint32_t>& choices) {
  machine::Story story;
  unsigned level = 0;  // interrupt routines that have not returned: they have a lane of their own
  for (const TraceStep& step : replay(choices)) {
    if (step.instruction == "watchdog reset") level = 0;
    if (!step.interrupt.empty()) ++level;
    story.trace.steps.push_back(to_trace(step));
    story.trace.steps.back().thread = level > 0 ? 1 : 0;
    if (level > 0 && step.instruction == "reti") --level;
    if (step.violation.empty() || machine_->fault().kind == FaultKind::NotModelled) continue;
    story.violation = verdict::Violation{
        verdict::Property::FirmwareCheck, step.violation, step.function, step.file, step.line, 0};
  }
  return story;
}

verdict::Violation Firmware::beginning() const {
  verdict::Violation out;
  out.property = verdict::Property::Ctl;
  const Function* main = image_->names.find_function("main");
  if (main == nullptr) return out;
  out.function = main->name;
  if (const LineRow* row = image_->names.line_at(main->pc)) {
    out.file = image_->names.files[row->file];
    out.line = row->line;
  }
  return out;
}

std::unique_ptr<machine::System> Firmware::fresh(bool early) const {
  ChipOptions options = machine_->options();
  options.delayed = !early;
  return std::make_unique<Firmware>(device_, image_, environment_, options);
}

std::unique_ptr<machine::Abstraction> Firmware::abstraction() const {
  const ChipOptions& options = machine_->options();
  bool looks_at_processor = false;
  for (const Expression& atom : machine_->atoms()) looks_at_processor |= atom.reads().registers || atom.reads().flags;
  // That a loop never ends is no property of single steps: an abstract chip may leave it.
  if (!options.delayed || options.check_endless || looks_at_processor) return nullptr;
  auto copy = [&] {
    auto machine = std::make_unique<AvrMachine>(device_, image_, environment_, options);
    for (const Expression& atom : machine_->atoms()) machine->bind_atom(atom.text());
    return machine;
  };
  return std::make_unique<Refinement>(copy(), copy());
}

}  // namespace whittle::avr
