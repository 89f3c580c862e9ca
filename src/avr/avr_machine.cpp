#include "avr/avr_machine.h"

#include <algorithm>
#include <bit>

#include "base/error.h"

namespace whittle::avr {

using machine::StepKind;

namespace {

constexpr uint64_t kStartupLimit = 4'000'000;  // instructions before main
constexpr unsigned kMaxShownBits = 10;

std::shared_ptr<const std::vector<Insn>> decode_image(const Image& image, const Device& device) {
  std::vector<uint16_t> words((image.flash.size() + 1) / 2, 0xffff);
  for (size_t i = 0; i < words.size(); ++i) {
    uint8_t high = 2 * i + 1 < image.flash.size() ? image.flash[2 * i + 1] : 0xff;
    words[i] = uint16_t(image.flash[2 * i] | (high << 8));
  }
  return std::make_shared<std::vector<Insn>>(decode_flash(words, device));
}

std::shared_ptr<const std::vector<uint8_t>> flash_bytes(const Image& image, const Device& device) {
  auto bytes = std::make_shared<std::vector<uint8_t>>(image.flash);
  bytes->resize(device.table().flash_bytes, 0xff);
  return bytes;
}

CoreOptions core_options(const ChipOptions& options) {
  CoreOptions out;
  out.check_written = options.check_written;
  out.timers_exact = options.timers_exact;
  return out;
}

/// I/O registers the code writes at addresses that stand in the instructions; others join when they are written.
std::vector<uint16_t> written_io(const std::vector<Insn>& code, const Device& device) {
  std::vector<uint16_t> io;
  auto add = [&](uint32_t address) {
    if (address < 32 || address >= device.ram_start()) return;
    const Register& r = device.at(uint16_t(address));
    switch (r.kind) {
      case RegisterKind::Reserved:
      case RegisterKind::Stream:
      case RegisterKind::Sreg:
      case RegisterKind::Spl:
      case RegisterKind::Sph:
      case RegisterKind::Flags: return;
      case RegisterKind::Pin: address += device.table().pin_toggles ? 2 : 0; break;
      default: break;
    }
    if (device.at(uint16_t(address)).kind != RegisterKind::Pin) io.push_back(uint16_t(address));
    if (r.timer >= 0) {
      const Timer& timer = device.timers()[size_t(r.timer)];
      for (uint16_t a : {timer.counter_low, timer.counter_high, timer.flag_register})
        if (a != 0) io.push_back(a);
    }
    if (r.kind == RegisterKind::EepromControl) io.push_back(device.find_register("EEDR")->address);
    if (r.half.timer >= 0 && r.kind == RegisterKind::Latch) io.push_back(r.half.other);
    const Watchdog& dog = device.watchdog();
    if (r.address == dog.enable.address && dog.reset_flag.address != 0) io.push_back(dog.reset_flag.address);
  };
  for (const Insn& i : code) {
    bool writes = i.op == Op::Out || i.op == Op::Sbi || i.op == Op::Cbi || i.op == Op::Sts;
    if (writes) add(i.k);
    bool reads = i.op == Op::In || i.op == Op::Sbic || i.op == Op::Sbis || i.op == Op::Lds;
    if (reads && i.k < device.ram_start() && i.k >= 32 && device.at(uint16_t(i.k)).unknown_at_reset != 0) add(i.k);
  }
  return io;
}

}  // namespace

const Layout& AvrMachine::first_layout() {
  std::vector<uint16_t> io = written_io(*decode_image(*image_, *device_), *device_);
  uint16_t top = std::max(image_->data_end, device_->ram_start());
  initial_layout_ = &shared_->layouts.intern(top, std::move(io));
  return *initial_layout_;
}

AvrMachine::AvrMachine(std::shared_ptr<const Device> device, std::shared_ptr<const Image> image,
                       Environment environment, ChipOptions options, std::shared_ptr<Shared> shared)
    : device_(std::move(device)),
      image_(std::move(image)),
      environment_(std::move(environment)),
      options_(options),
      shared_(shared ? std::move(shared) : std::make_shared<Shared>(device_->ram_start())),
      core_(device_, decode_image(*image_, *device_), flash_bytes(*image_, *device_), shared_->layouts, first_layout(),
            core_options(options)) {
  rules_.eager = !options_.delayed;
  rules_.observed.assign(core_.v.size(), 0);
  rules_.allowed.resize(device_->ram_start());
  for (const auto& [address, values] : environment_.allowed) rules_.allowed[address] = values;
  for (const auto& [address, fixed] : environment_.fixed)
    core_.fixed_mask[address] = fixed.mask, core_.fixed_value[address] = fixed.value;
  for (const Interrupt& source : device_->interrupts()) {
    bool never =
        std::find(environment_.never.begin(), environment_.never.end(), source.vector) != environment_.never.end();
    if (never || (source.enable_register == 0 && !has_handler(source.vector))) continue;
    auto limit = environment_.at_most.find(source.vector);
    budget_of_.push_back(limit == environment_.at_most.end() ? -1 : int(budget_.size()));
    if (limit != environment_.at_most.end()) budget_.push_back(limit->second);
    sources_.push_back(source);
    handled_.push_back(has_handler(source.vector));
  }
  for (const Environment::Stack& stack : environment_.stacks) {
    StackRegion region{stack.from, stack.to};
    if (!stack.object.empty()) {
      const Variable* object = image_->names.find(stack.object);
      if (object == nullptr) fail_input("{}: the program has no variable '{}' for a stack", stack.where, stack.object);
      uint32_t size = object->type >= 0 ? image_->names.types[size_t(object->type)].size : object->size;
      region = {object->address, uint16_t(object->address + std::max(1u, size) - 1)};
    }
    core_.stacks.push_back(region);
  }
  for (const char* name : {"__stop_program", "_exit"})
    if (const Function* f = image_->names.find_function(name)) {
      exit_ = f->pc;
      if (core_.code()[exit_].op == Op::Bclr) ++exit_;  // cli, then the loop
      break;
    }
  boot();
}

uint32_t AvrMachine::bind_atom(const std::string& text) {
  if (atoms_.size() >= 63) fail_usage("more than 63 atomic propositions");
  Expression e = parse_expression(text, image_->names, *device_);
  const Reads& reads = e.reads();
  if (reads.registers || reads.flags) rules_.eager = true;
  atoms_read_pc_ |= reads.pc || reads.flags || reads.registers;
  auto observe_cell = [&](uint16_t a, uint8_t mask) {
    if (rules_.observed[a] == 0) observed_cells_.push_back(a);
    rules_.observed[a] |= mask;
  };
  for (auto [address, size] : reads.ram) {
    for (uint32_t i = 0; i < size; ++i) observe_cell(uint16_t(address + i), 0xff);
    include_ram(address + size, text);
  }
  for (auto [address, mask] : reads.io) {
    const Register& r = device_->at(address);
    bool timed = !options_.timers_exact && (r.kind == RegisterKind::Counter || r.kind == RegisterKind::Flags);
    uint8_t outside = timed ? mask : uint8_t(mask & (r.kind == RegisterKind::Pin ? r.valid : r.fresh | r.busy));
    core_.visible_mask[address] |= outside & uint8_t(~core_.fixed_mask[address]);
    if (r.kind == RegisterKind::Pin)
      observe_cell(uint16_t(address + 2), mask);
    else
      observe_cell(address, mask);
    atoms_read_pc_ |= outside != 0;
  }
  atoms_.push_back(std::move(e));
  const Register* data = device_->find_register("EEDR");  // reading the EEPROM makes it unknown
  forgetful_ = data != nullptr && rules_.observed[data->address] != 0;
  for (uint16_t a : observed_cells_)
    undecided_after_reset_ |= a < device_->ram_start() && device_->at(a).unknown_at_reset != 0;
  shown_.clear();
  unsigned bits = 0;
  for (uint16_t a = 32; a < device_->ram_start(); ++a) {
    if (core_.visible_mask[a] == 0) continue;
    shown_.emplace_back(a, core_.visible_mask[a]);
    bits += unsigned(__builtin_popcount(core_.visible_mask[a]));
  }
  if (bits > kMaxShownBits)
    fail_input("in '{}': formulas look at {} input bits; at most {} can be followed (name single bits, as in PINA.0)",
               text, bits, kMaxShownBits);
  shown_count_ = 1u << bits;
  breaking_.clear();
  boot();
  return uint32_t(atoms_.size() - 1);
}

/// A formula names RAM: it must be part of every state.
void AvrMachine::include_ram(uint32_t end, const std::string& text) {
  uint16_t top = initial_layout_->low_top;
  if (end <= top) return;
  if (image_->data_end != 0)
    fail_input("in '{}': 0x{:04x} lies after the program's variables, which end at 0x{:04x}; the heap and the stack "
               "cannot be named by address",
               text, end - 1, top - 1);
  initial_layout_ = &shared_->layouts.with_ram(*initial_layout_, uint16_t(end));
  core_.start_with(*initial_layout_);
}

Demand AvrMachine::undecided() const {
  for (uint16_t a : observed_cells_)
    if (uint8_t mask = core_.x[a] & rules_.observed[a]; mask != 0) return {Demand::Kind::Bits, a, mask, {}};
  return {};
}

uint32_t AvrMachine::undecided_bits() const {
  uint32_t bits = 0;
  for (uint16_t a : observed_cells_)
    if (!abstract_ || starting_ || a < device_->ram_start()) bits += uint32_t(std::popcount(uint8_t(core_.x[a] & rules_.observed[a])));
  return bits;
}

bool AvrMachine::at_first_state() const {
  return starting_ && (first_pc_ == 0xffffffff || core_.pc == first_pc_);
}

std::optional<uint32_t> AvrMachine::start_atom() const {
  if (!begins_starting_) return std::nullopt;
  return uint32_t(atoms_.size());
}

std::unique_ptr<machine::Machine> AvrMachine::twin() {
  if (abstract_) return nullptr;  // what is met is noted in one place
  std::unique_ptr<AvrMachine> other(new AvrMachine(device_, image_, environment_, options_, shared_));
  for (const Expression& atom : atoms_) other->bind_atom(atom.text());
  return other;
}

std::string AvrMachine::cut_reason() const {
  std::lock_guard lock(shared_->mutex);
  return shared_->cut;
}

void AvrMachine::boot() {
  booting_ = true;
  core_.precision = nullptr;  // start-up code runs exactly
  core_.written = nullptr;    // ... and what it clears and sets once does not vary
  auto power_up = [&] {
    core_.reset();
    for (size_t i = 0; i < sources_.size(); ++i)
      if (budget_of_[i] >= 0) budget_[size_t(budget_of_[i])] = environment_.at_most.at(sources_[i].vector);
    plan_.valid = false;
    observed_valid_ = false;
    starting_ = true;
  };
  power_up();
  started_in_main_ = false;
  first_pc_ = 0xffffffff;
  const Function* main = options_.from_main ? image_->names.find_function("main") : nullptr;
  if (main != nullptr) {
    first_pc_ = main->pc;
    bool straight = true;
    uint64_t left = kStartupLimit;
    uint32_t shown = shown_count_;
    shown_count_ = 1;  // nothing is looked at before main
    while (straight && core_.pc != main->pc && left-- > 0)
      straight = successors().count == 1 && step(0) == StepKind::Moved;
    shown_count_ = shown;
    started_in_main_ = straight && core_.pc == main->pc;
    if (started_in_main_)
      starting_ = true;
    else
      power_up();
  }
  core_.canonicalise();
  plan_.valid = false;
  // Without atoms there is nothing to begin.
  if (atoms_.empty() || (at_first_state() && shown_count_ == 1 && undecided_bits() == 0)) starting_ = false;
  begins_starting_ = starting_;
  if (!starting_ && leads_astray()) fail_input("{}", fault_text(core_.fault, *image_, *device_));
  booting_ = false;
  core_.precision = abstract_ ? precision_.get() : nullptr;
  core_.written = precision_ != nullptr ? &precision_->written : nullptr;
  for (uint32_t a = device_->ram_start(); core_.written != nullptr && a < core_.layout->low_top; ++a)
    if (core_.t[a] != kNeverWritten) (*core_.written)[a].add(core_.v[a], core_.x[a]);
  std::span<const uint8_t> first = save();
  initial_.assign(first.begin(), first.end());
}

void AvrMachine::reset() { load(std::vector<uint8_t>(initial_)); }

/// The C library lets vectors without a handler jump to a place that jumps to the reset vector.
bool AvrMachine::has_handler(uint8_t vector) const {
  constexpr int kMaxJumps = 4;
  uint32_t pc = uint32_t(vector) * device_->table().vector_words;
  for (int n = 0; n < kMaxJumps && pc < core_.code().size(); ++n) {
    const Insn& i = core_.code()[pc];
    if (i.op != Op::Rjmp && i.op != Op::Jmp) return true;
    pc = i.k;
    if (pc == 0) return false;
  }
  return true;
}

/// A pointer that a formula follows leads to no variable: the formula has no value here.
bool AvrMachine::leads_astray() {
  for (const Expression& atom : atoms_) {
    auto address = atom.astray(core_);
    if (!address) continue;
    const char* what = "a formula over a pointer that leads to no variable of its type (null, perhaps)";
    core_.fault = {FaultKind::NotModelled, core_.pc, 0, what};
    return true;
  }
  return false;
}

uint64_t AvrMachine::observe() {
  if (atoms_.empty()) return 0;
  if (starting_) {
    observed_valid_ = false;
    return uint64_t{1} << atoms_.size();
  }
  if (abstract_) {
    uint64_t truth = 0;
    for (size_t i = 0; i < atoms_.size(); ++i)
      if (atoms_[i].truth(core_).value_or(false)) truth |= uint64_t{1} << i;
    return truth;
  }
  if (observed_valid_ && !atoms_read_pc_) {
    bool same = true;
    for (size_t i = 0; i < observed_cells_.size() && same; ++i)
      same = observed_values_[i] == core_.v[observed_cells_[i]];
    if (same) return observed_truth_;
  }
  observed_values_.resize(observed_cells_.size());
  for (size_t i = 0; i < observed_cells_.size(); ++i) observed_values_[i] = core_.v[observed_cells_[i]];
  uint64_t truth = 0;
  for (size_t i = 0; i < atoms_.size(); ++i)
    if (atoms_[i].evaluate(core_) != 0) truth |= uint64_t{1} << i;
  observed_truth_ = truth;
  observed_valid_ = true;
  return truth;
}

machine::Position AvrMachine::position() {
  // Nondeterminism the static analysis did not foresee (a saved status register restored, unknown bits) counts too.
  return {core_.pc, breaking(core_.pc) || successors().count != 1};
}

}  // namespace whittle::avr
