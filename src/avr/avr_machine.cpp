#include "avr/avr_machine.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/error.h"

namespace whittle::avr {

using machine::Ending;
using machine::StepKind;

namespace {

constexpr uint64_t kStartupLimit = 4'000'000;  // instructions before main
constexpr unsigned kHeader = 11, kPassing = 6, kExact = 2;
constexpr unsigned kMaxShownBits = 10;
constexpr unsigned kMaxOutcomeBits = 12;  // 4096 successors of one step

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
    if (source.enable_register == 0 || never) continue;
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
  booting_ = false;
  core_.precision = abstract_ ? precision_.get() : nullptr;
  std::span<const uint8_t> first = save();
  initial_.assign(first.begin(), first.end());
}

void AvrMachine::reset() { load(std::vector<uint8_t>(initial_)); }

/// Where the status flags begin, which the registers follow.
uint32_t AvrMachine::flags_offset() const {
  size_t exact = options_.timers_exact ? kExact : 0;
  size_t passing = this->passing() ? kPassing + device_->temp_count() : 0;
  return uint32_t(kHeader + passing + exact + budget_.size() + shown_.size());
}

/// Is there anything to be remembered of timed sequences, the synchroniser and TEMP registers?
bool AvrMachine::passing() const {
  uint8_t temps = 0;
  for (unsigned i = 0; i < device_->temp_count(); ++i) temps |= core_.v[core_.flags_cell() + 1u + i];
  return core_.window_open || core_.settling_mask != 0 || core_.left_set != 0 || temps != 0;
}

std::span<const uint8_t> AvrMachine::save() {
  const Core& c = core_;
  const Layout& layout = *c.layout;
  uint16_t ram_start = device_->ram_start(), ram_end = device_->ram_end();
  size_t stack = size_t(ram_end) + 1 - c.live_low;
  size_t low = size_t(layout.low_top) - ram_start;
  size_t exact = options_.timers_exact ? kExact : 0;
  bool passing = this->passing();
  size_t size =
      flags_offset() + 40 + layout.io.size() + low + stack + (c.has_x ? c.unknown_bytes.size() : 0);
  buffer_.resize(size);
  uint8_t* p = buffer_.data();
  auto put16 = [&](uint16_t value) { *p++ = uint8_t(value), *p++ = uint8_t(value >> 8); };
  put16(uint16_t(c.pc));
  *p++ = uint8_t(c.pc >> 16);
  put16(layout.id);
  put16(c.sp);
  put16(c.live_low);
  *p++ = uint8_t((c.inhibit ? 1 : 0) | (c.sleeping ? 2 : 0) | (c.unsettled ? 4 : 0) | (starting_ ? 8 : 0) |
                 (c.deep ? 16 : 0) | (c.sp_halves << 5) | (passing ? 128 : 0));
  *p++ = c.v[c.flags_cell()];
  if (passing) {
    *p++ = uint8_t(c.window[0] | (c.window[1] << 4));
    *p++ = uint8_t(c.window[2] | (c.window[3] << 4));
    *p++ = uint8_t(c.settling);  // an address that IN can reach
    *p++ = c.settling_mask;
    put16(c.left_set);
    for (unsigned i = 0; i < device_->temp_count(); ++i) *p++ = c.v[c.flags_cell() + 1 + i];
  }
  if (exact != 0) put16(c.prescaler);
  for (uint8_t left : budget_) *p++ = left;
  for (auto [address, mask] : shown_) *p++ = c.visible_value[address] & mask;
  std::memcpy(p, c.sreg.data(), 8), p += 8;
  std::memcpy(p, c.v.data(), 32), p += 32;
  for (uint16_t a : layout.io) *p++ = c.v[a];
  std::memcpy(p, c.v.data() + ram_start, low), p += low;
  for (uint32_t a = ram_end; a >= c.live_low; --a) *p++ = c.v[a];
  if (c.has_x) std::memcpy(p, c.unknown_bytes.data(), c.unknown_bytes.size());
  return buffer_;
}

void AvrMachine::load(std::span<const uint8_t> state) {
  Core& c = core_;
  uint16_t ram_start = device_->ram_start(), ram_end = device_->ram_end();
  const uint8_t* p = state.data();
  auto get16 = [&] {
    auto value = uint16_t(p[0] | (p[1] << 8));
    p += 2;
    return value;
  };
  c.pc = get16();
  c.pc |= uint32_t(*p++) << 16;
  const Layout& layout = shared_->layouts.at(get16());
  if (&layout != c.layout) {  // registers that the new layout does not keep have their value after reset
    for (uint16_t a : c.layout->io)
      if (layout.io_index[a] == 0) c.v[a] = device_->at(a).at_reset, c.x[a] = device_->at(a).unknown_at_reset, c.t[a] = 0;
    c.layout = &layout;
  }
  c.sp = get16();
  c.live_low = get16();
  c.inhibit = (*p & 1) != 0, c.sleeping = (*p & 2) != 0, c.unsettled = (*p & 4) != 0, c.deep = (*p & 16) != 0;
  starting_ = (*p & 8) != 0;
  c.sp_halves = *p >> 5 & 3;
  bool passing = (*p & 128) != 0;
  ++p;
  c.v[c.flags_cell()] = *p++;
  if (passing) {
    c.window_open = (p[0] | p[1]) != 0;
    c.window = {uint8_t(p[0] & 15), uint8_t(p[0] >> 4), uint8_t(p[1] & 15), uint8_t(p[1] >> 4)};
    c.settling = p[2], c.settling_mask = p[3];
    c.left_set = uint16_t(p[4] | (p[5] << 8));
    p += kPassing;
    for (unsigned i = 0; i < device_->temp_count(); ++i) c.v[c.flags_cell() + 1 + i] = *p++;
  } else {
    c.window_open = false;
    c.window.fill(0);
    c.settling = c.settling_mask = 0;
    c.left_set = 0;
    for (unsigned i = 0; i < device_->temp_count(); ++i) c.v[c.flags_cell() + 1 + i] = 0;
  }
  for (size_t a = c.flags_cell(); a < c.x.size(); ++a) c.x[a] = 0;
  if (options_.timers_exact) c.prescaler = get16();
  for (uint8_t& left : budget_) left = *p++;
  for (auto [address, mask] : shown_) c.visible_value[address] = *p++;
  std::memcpy(c.sreg.data(), p, 8), p += 8;
  std::memcpy(c.v.data(), p, 32), p += 32;
  for (uint16_t a : layout.io) c.v[a] = *p++;
  size_t low = size_t(layout.low_top) - ram_start;
  std::memcpy(c.v.data() + ram_start, p, low), p += low;
  for (uint32_t a = ram_end; a >= c.live_low; --a) c.v[a] = *p++;
  const uint8_t* end = state.data() + state.size();
  // Cells that come alive later are set when they do; those alive now are known unless listed.
  std::memset(c.x.data(), 0, 32);
  for (uint16_t a : layout.io) c.x[a] = 0;
  std::memset(c.x.data() + ram_start, 0, low);
  std::memset(c.x.data() + c.live_low, 0, size_t(ram_end) + 1 - c.live_low);
  c.load_unknowns({p, end});
  c.fault = {};
  plan_.valid = false;
  observed_valid_ = false;
}

/// While clocks stand still, few interrupts come.
bool AvrMachine::can_wake(const Interrupt& source) const {
  SleepMode mode = core_.sleep_mode();
  BitAt crystal = device_->asynchronous();
  switch (source.wakes) {
    case Wakes::Always: return true;
    case Wakes::Idle: return mode == SleepMode::Idle;
    case Wakes::Noise: return mode == SleepMode::Idle || mode == SleepMode::NoiseReduction;
    case Wakes::Asynchronous:
      return mode == SleepMode::Idle ||
             ((mode == SleepMode::NoiseReduction || mode == SleepMode::PowerSave || mode == SleepMode::ExtendedStandby) &&
              crystal.address != 0 && (core_.v[crystal.address] & crystal.mask) != 0);
  }
  return true;
}

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

AvrMachine::Pending AvrMachine::pending(const Interrupt& source) const {
  const Core& c = core_;
  if (c.deep && !can_wake(source)) return Pending::No;
  if ((c.v[source.enable_register] & source.enable_mask) == 0) return Pending::No;
  if (source.guard_register != 0 && (c.v[source.guard_register] & source.guard_mask) == 0)
    return source.leaves >= 0 && (c.left_set >> source.leaves & 1) != 0 ? Pending::Maybe : Pending::No;
  if (source.timer < 0) return Pending::Maybe;
  if (!options_.timers_exact && c.timer_runs(source.timer)) return Pending::Maybe;
  uint16_t flags = device_->timers()[size_t(source.timer)].flag_register;
  if ((c.x[flags] & source.flag_mask) != 0) return Pending::Maybe;
  return (c.v[flags] & source.flag_mask) != 0 ? Pending::Certain : Pending::No;
}

bool AvrMachine::halted() const {
  if (shown_count_ > 1 || core_.sreg[kI] != 0 || plan_.watchdog) return false;
  if (core_.sleeping) return true;
  if (core_.pc >= core_.code().size()) return false;
  const Insn& i = core_.next();
  if ((i.op != Op::Rjmp && i.op != Op::Jmp) || i.k != core_.pc) return false;
  return !options_.check_endless || exit_ == core_.pc;
}

void AvrMachine::make_plan() {
  Plan& plan = plan_;
  plan.valid = true;
  plan.fires.clear();
  plan.instruction = 0;
  plan.answer = {};
  plan.outcomes.clear();
  plan.need = {};
  plan.settles = at_first_state();
  if (plan.settles) {
    plan.watchdog = false;
    plan.need = undecided();
    plan.instruction = plan.need.count();
    plan.answer.count = plan.instruction * shown_count_;
    return;
  }
  BitAt watchdog = device_->watchdog().enable;
  plan.watchdog =
      environment_.watchdog_resets && watchdog.address != 0 && (core_.v[watchdog.address] & watchdog.mask) != 0;
  bool forced = false;
  if (core_.sreg[kI] != 0 && !core_.inhibit && core_.window[kVectorWindow] == 0) {
    for (size_t i = 0; i < sources_.size() && !forced; ++i) {
      if (budget_of_[i] >= 0 && budget_[size_t(budget_of_[i])] == 0) continue;
      Pending p = pending(sources_[i]);
      if (p == Pending::No) continue;
      plan.fires.push_back(uint16_t(i));
      forced = p == Pending::Certain;
    }
  }
  if (!forced && !halted()) {
    if (core_.sleeping) {
      bool falls_asleep = !core_.deep && core_.sleep_mode() != SleepMode::Idle;
      bool wakes = !plan.fires.empty() || plan.watchdog || shown_count_ > 1 || falls_asleep ||
                   (options_.timers_exact && core_.sreg[kI] != 0 && core_.cycles_to_event() != 0);
      plan.instruction = wakes ? 1 : 0;
    } else {
      plan.need = demand(core_, rules_);
      plan.instruction = plan.need.count();
    }
  }
  uint32_t base = plan.instruction + uint32_t(plan.fires.size()) + (plan.watchdog ? 1 : 0);
  plan.answer.count = base * shown_count_;
  if (base == 0) plan.answer.ending = Ending::Halted;
  if (may_forget()) split_outcomes();
}

/// May the next step leave something unknown that formulas look at?
bool AvrMachine::may_forget() const {
  if (observed_cells_.empty() || plan_.answer.count == 0) return false;
  if (plan_.watchdog && undecided_after_reset_) return true;
  if (!forgetful_ || core_.sleeping || core_.pc >= core_.code().size()) return false;
  switch (core_.next().op) {
    case Op::Out:
    case Op::Sts:
    case Op::Sbi:
    case Op::Cbi:
    case Op::St:
    case Op::StInc:
    case Op::StDec: return true;
    default: return false;
  }
}

/// Tries every choice, and offers it once for each value of what it leaves undecided.
void AvrMachine::split_outcomes() {
  uint32_t base = plan_.answer.count / shown_count_;
  bool any = false;
  std::vector<Plan::Outcome> outcomes;
  const Core before = core_;
  const std::vector<uint8_t> budget = budget_;
  for (uint32_t i = 0; i < base; ++i) {
    bool moved = act(i) == StepKind::Moved;
    uint32_t bits = moved ? undecided_bits() : 0;
    core_ = before;
    budget_ = budget;
    any |= bits != 0;
    uint32_t values = bits <= kMaxOutcomeBits ? 1u << bits : 1u;  // too many: finish() cuts and says so
    for (uint32_t value = 0; value < values; ++value) outcomes.push_back({i, value});
  }
  if (!any) return;
  plan_.answer.count = uint32_t(outcomes.size()) * shown_count_;
  plan_.outcomes = std::move(outcomes);
}

machine::Successors AvrMachine::successors() {
  if (!plan_.valid) make_plan();
  return plan_.answer;
}

/// Interrupts of lower vectors that did not come although they were enabled: their flags were not set.
void AvrMachine::silence(size_t sources) {
  if (!core_.has_x || core_.sreg[kI] == 0 || core_.inhibit) return;
  for (size_t n = 0; n < sources; ++n) {
    const Interrupt& source = sources_[plan_.fires[n]];
    if (source.timer < 0) continue;
    uint16_t flags = device_->timers()[size_t(source.timer)].flag_register;
    for (uint8_t bit = 0; bit < 8; ++bit)
      if ((source.flag_mask & core_.x[flags] & (1u << bit)) != 0 && !core_.timer_runs(source.timer))
        core_.resolve(flags, bit, false);
  }
}

bool AvrMachine::idle() {
  if (!core_.deep && core_.sleep_mode() != SleepMode::Idle) {  // what was pending has not woken it
    core_.deep = true;
    return true;
  }
  if (options_.timers_exact)
    if (unsigned cycles = core_.cycles_to_event(); cycles != 0) return core_.tick(cycles);
  return true;
}

StepKind AvrMachine::act(uint32_t base) {
  Core& c = core_;
  c.begun = {};
  c.abstracted = false;
  last_pc_ = c.pc;
  if (plan_.settles) {
    last_action_ = Action::Decided;
    plan_.need.apply(c, base);
    return StepKind::Moved;
  }
  if (base < plan_.instruction) {
    silence(plan_.fires.size());
    last_action_ = c.sleeping ? Action::Slept : Action::Decided;
    if (c.sleeping) return idle() ? StepKind::Moved : StepKind::Cut;
    Delivery delivery = plan_.need.apply(c, base);
    bool resolved = plan_.need.kind == Demand::Kind::Bits || plan_.need.kind == Demand::Kind::Zero ||
                    plan_.need.kind == Demand::Kind::Flag || plan_.need.kind == Demand::Kind::Range;
    if (resolved) {
      Demand more = demand(c, rules_);
      if (more.kind != Demand::Kind::None) return StepKind::Moved;
    }
    bool may_loop = options_.check_endless && c.sreg[kI] == 0;
    uint32_t before = c.pc;
    last_action_ = Action::Executed;
    if (footprints_ && before < c.code().size()) last_effect_ = effect_of(c, c.next());
    if (!c.execute(delivery)) return c.fault.kind == FaultKind::NotModelled ? StepKind::Cut : StepKind::Violation;
    if (may_loop && c.pc <= before && c.sreg[kI] == 0 && !plan_.watchdog && endless()) {
      c.fault = {FaultKind::EndlessLoop, before, 0};
      return StepKind::Violation;
    }
    return StepKind::Moved;
  }
  base -= plan_.instruction;
  if (base < plan_.fires.size()) {
    silence(base);
    last_action_ = Action::Interrupted;
    size_t index = plan_.fires[base];
    const Interrupt& source = sources_[index];
    if (budget_of_[index] >= 0) --budget_[size_t(budget_of_[index])];
    if (source.leaves >= 0) c.left_set &= uint16_t(~(1u << source.leaves));
    if (source.timer >= 0) {
      uint16_t flags = device_->timers()[size_t(source.timer)].flag_register;
      if (options_.timers_exact || !c.timer_runs(source.timer)) {
        for (uint8_t bit = 0; bit < 8; ++bit)
          if ((source.flag_mask & c.x[flags] & (1u << bit)) != 0) c.resolve(flags, bit, true);
        c.v[flags] &= uint8_t(~source.flag_mask);
      }
    }
    if (!handled_[index]) {
      c.fault = {FaultKind::NoHandler, c.pc, source.vector};
      return StepKind::Violation;
    }
    const Watchdog& dog = device_->watchdog();
    bool bites_next = source.enable_register == dog.interrupt.address && source.enable_mask == dog.interrupt.mask &&
                      (c.v[dog.enable.address] & dog.enable.mask) != 0;
    if (bites_next) c.v[dog.interrupt.address] &= uint8_t(~dog.interrupt.mask);  // WDIE: the next time-out resets
    if (c.interrupt(source.vector)) return StepKind::Moved;
    return c.fault.kind == FaultKind::NotModelled ? StepKind::Cut : StepKind::Violation;
  }
  last_action_ = Action::Reset;
  c.reset(false);
  return StepKind::Moved;
}

void AvrMachine::set_shown(uint32_t index) {
  for (auto [address, mask] : shown_) {
    core_.visible_value[address] = deposit(index, mask);
    index >>= std::popcount(mask);
  }
}

/// Bits that hardware clears some time after software set them, while formulas look at them: `visible_value` says
/// what they are next. False: this cannot be.
bool AvrMachine::follow_begun() {
  for (auto [address, mask] : shown_) {
    uint8_t busy = device_->at(address).busy & mask;
    uint8_t wanted = core_.visible_value[address] & busy, now = core_.v[address] & busy;
    uint8_t begun = core_.begun.address == address ? core_.begun.mask : 0;
    const Register& r = device_->at(address);
    if ((core_.v[address] & r.restart) != 0) now = busy;  // hardware sets them, too
    if (r.calm.address != 0 && core_.busy_bits(r, core_.v[address]) == 0) begun = now;
    if ((wanted & ~now) != 0 || (begun & ~wanted) != 0) return false;
    core_.v[address] = uint8_t((core_.v[address] & ~busy) | wanted);
  }
  return true;
}

StepKind AvrMachine::finish(StepKind kind, uint32_t shown) {
  if (kind == StepKind::Cut) {
    std::lock_guard lock(shared_->mutex);
    if (!booting_ && shared_->cut.empty()) shared_->cut = fault_text(core_.fault, *image_, *device_);
    return kind;
  }
  if (shown_count_ > 1) {
    set_shown(shown);
    for (auto [address, mask] : shown_) {
      const std::vector<uint8_t>& allowed = rules_.allowed[address];
      uint8_t value = core_.visible_value[address];
      bool fits = allowed.empty() ||
                  std::any_of(allowed.begin(), allowed.end(), [&, m = mask](uint8_t v) { return (v & m) == value; });
      if (!fits) return StepKind::Pruned;
    }
    if (kind == StepKind::Moved && !follow_begun()) return StepKind::Pruned;
  }
  if (precision_ != nullptr && kind == StepKind::Moved && !booting_) {
    if (last_action_ == Action::Executed && core_.pc <= last_pc_) note_head();
    if (abstract_ && last_action_ != Action::Decided) {
      core_.forget();
      if (!starting_) forget_watched();
    }
  }
  core_.canonicalise();
  if (plan_.settles && undecided_bits() == 0) starting_ = false;
  plan_.valid = false;
  if (!starting_ && core_.has_x && (undecided_bits() != 0 || (abstract_ && !atoms_known()))) {
    core_.fault = {FaultKind::NotModelled, core_.pc, 0, "a formula over so many bits that are unknown at once"};
    return finish(StepKind::Cut, shown);
  }
  if (starting_ && shown_count_ == 1 && at_first_state() && undecided_bits() == 0) starting_ = false;
  return kind;
}

StepKind AvrMachine::step(uint32_t choice) {
  if (!plan_.valid) make_plan();
  uint32_t base = choice / shown_count_, shown = choice % shown_count_;
  uint32_t values = 0;
  if (!plan_.outcomes.empty()) values = plan_.outcomes[base].values, base = plan_.outcomes[base].base;
  auto go = [&] {
    StepKind kind = act(base);
    if (kind == StepKind::Moved && !plan_.outcomes.empty()) decide(values);
    return finish(kind, shown);
  };
  if (!footprints_) return go();
  note_reads(base);
  std::span<const uint8_t> now = save();
  std::vector<uint8_t> before(now.begin(), now.end());
  StepKind kind = go();
  note_writes(before);
  return kind;
}

/// What formulas look at and the step left unknown gets the values of one outcome.
void AvrMachine::decide(uint32_t values) {
  for (uint16_t a : observed_cells_)
    for (uint8_t bit = 0; bit < 8; ++bit)
      if ((core_.x[a] & rules_.observed[a] & (1u << bit)) != 0) {
        core_.resolve(a, bit, (values & 1) != 0);
        values >>= 1;
      }
}

void AvrMachine::set_precision(std::shared_ptr<Precision> precision, bool abstract) {
  precision_ = std::move(precision);
  abstract_ = abstract && precision_ != nullptr;
  rules_.atoms = abstract_ && !atoms_.empty() ? &atoms_ : nullptr;
  core_.written = precision_ != nullptr ? &precision_->written : nullptr;
  boot();
  reset();
}

/// RAM that no formula looks at, and latches whose value nothing else rests on.
bool AvrMachine::forgettable(uint16_t address) const {
  if (address < 32 || address > device_->ram_end()) return false;
  if (address >= device_->ram_start()) return true;
  if (watches(address)) return false;
  const Register& r = device_->at(address);
  return r.kind == RegisterKind::Latch && r.half.timer < 0 && !(r.compares && options_.timers_exact);
}

bool AvrMachine::atoms_known() const {
  for (const Expression& atom : atoms_)
    if (!atom.truth(core_)) return false;
  return true;
}

void AvrMachine::forget_watched() {
  for (Precision::Forgotten cell : precision_->watched) {
    uint16_t a = cell.address;
    if (core_.x[a] == 0xff || (core_.x[a] & cell.mask) == cell.mask) continue;
    const uint8_t v = core_.v[a], x = core_.x[a], t = core_.t[a];
    core_.x[a] |= cell.mask, core_.v[a] &= uint8_t(~core_.x[a]), core_.t[a] = 0;
    if (!atoms_known()) {
      core_.v[a] = v, core_.x[a] = x, core_.t[a] = t;
      continue;
    }
    core_.has_x = true;
    core_.x_changed = 1;
  }
}

/// A jump backwards was taken: where it leads, a loop begins anew.
void AvrMachine::note_head() {
  if (last_pc_ >= core_.code().size()) return;
  Op op = core_.code()[last_pc_].op;
  if (op != Op::Rjmp && op != Op::Jmp && op != Op::Brbs && op != Op::Brbc) return;
  Precision& p = *precision_;
  int32_t& index = p.head_at[core_.pc];
  if (index < 0) {
    index = int32_t(p.heads.size());
    p.heads.emplace_back();
  }
  for (uint32_t live = p.live.registers[core_.pc]; live != 0; live &= live - 1) {
    auto r = size_t(__builtin_ctz(live));
    p.heads[size_t(index)].met[r].add(core_.v[r], core_.x[r]);
  }
}

/// A loop with interrupts disabled that comes back to the same state without a choice can never be left. Brent's
/// algorithm, over a limited number of steps.
bool AvrMachine::endless() const {
  AvrMachine& self = const_cast<AvrMachine&>(*this);
  constexpr uint32_t kLimit = 1u << 14;
  self.core_.canonicalise();
  self.plan_.valid = false;
  std::span<const uint8_t> bytes = self.save();
  std::vector<uint8_t> here(bytes.begin(), bytes.end()), tortoise = here;
  bool options = self.options_.check_endless, found = false;
  self.options_.check_endless = false;
  uint32_t power = 1, length = 0;
  for (uint32_t n = 0; n < kLimit; ++n) {
    if (self.core_.sreg[kI] != 0) break;
    self.plan_.valid = false;
    self.make_plan();
    if (self.plan_.answer.count == 0) {
      found = !self.core_.sleeping;  // a jump to itself
      break;
    }
    if (self.plan_.answer.count != 1 || self.act(0) != StepKind::Moved) break;
    self.core_.canonicalise();
    bytes = self.save();
    if (std::equal(bytes.begin(), bytes.end(), tortoise.begin(), tortoise.end())) {
      found = true;
      break;
    }
    if (++length == power) power *= 2, length = 0, tortoise.assign(bytes.begin(), bytes.end());
  }
  self.options_.check_endless = options;
  self.load(here);
  return found;
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
