// Ports, flags, timers and the rest as the program sees them: what it wrote, and what the environment may answer.
#include "avr/core.h"

namespace whittle::avr {

namespace {

constexpr uint8_t kWindowCycles = 4;  // of every timed sequence, in all data sheets

constexpr SleepMode kSleepModes[] = {SleepMode::Idle,      SleepMode::NoiseReduction,  SleepMode::PowerDown,
                                     SleepMode::PowerSave, SleepMode::Reserved,        SleepMode::Reserved,
                                     SleepMode::Standby,   SleepMode::ExtendedStandby};

}  // namespace

SleepMode Core::sleep_mode() const {
  unsigned mode = 0;
  const auto& bits = device_->sleep_mode_bits();
  for (size_t i = 0; i < bits.size(); ++i)
    if (bits[i].address != 0 && (v[bits[i].address] & bits[i].mask) != 0) mode |= 1u << i;
  if (mode == 3 && bits[2].address == 0) return SleepMode::Reserved;
  return kSleepModes[mode];
}

Core::View Core::inspect(uint16_t address) const {
  const Register& r = device_->at(address);
  View view{v[address], x[address], 0};
  switch (r.kind) {
    case RegisterKind::Reserved: return {};
    case RegisterKind::Pin: {
      uint8_t output = v[address + 1] & r.valid;  // DDRx follows PINx, PORTx follows DDRx
      for (const Override& other : r.overrides)
        if ((v[other.enable.address] & other.enable.mask) != 0) output &= uint8_t(~other.pins);
      view = {uint8_t(v[address + 2] & output), uint8_t(x[address + 2] & output), uint8_t(r.valid & ~output)};
      break;
    }
    case RegisterKind::Stream: {
      bool left = adlar_.address != 0 && (v[adlar_.address] & adlar_.mask) != 0;
      view = {0, 0, 0xff};
      if (r.name == "ADCH" && !left) view.fresh = 0x03;
      if (r.name == "ADCL" && left) view.fresh = 0xc0;
      break;
    }
    case RegisterKind::Counter:
      if (!options_.timers_exact && r.timer >= 0 && timer_runs(r.timer)) view = {0, 0, 0xff};
      break;
    case RegisterKind::Flags:
      view.fresh = r.fresh & r.valid;
      if (!options_.timers_exact) {
        for (size_t i = 0; i < device_->timers().size(); ++i)
          if (device_->timers()[i].flag_register == address && timer_runs(int(i)))
            view.fresh |= device_->timers()[i].flag_mask;
      }
      break;
    case RegisterKind::Sreg: return {sreg_byte(), 0, 0};
    case RegisterKind::Spl: return {uint8_t(sp), 0, 0};
    case RegisterKind::Sph: return {uint8_t(sp >> 8), 0, 0};
    default: {
      uint8_t may_be_set = (v[address] & r.restart) != 0 ? 0xff : uint8_t(v[address] | x[address]);
      view.fresh = uint8_t(r.fresh | (busy_bits(r, v[address]) & ~visible_mask[address] & may_be_set));
      view.fresh |= uint8_t(r.busy & ~visible_mask[address] & x[address]);
      break;
    }
  }
  view.v &= uint8_t(~view.fresh);
  view.stored_x &= uint8_t(~view.fresh);
  uint8_t fixed = fixed_mask[address] & view.fresh;
  view.v |= fixed_value[address] & fixed;
  view.fresh &= uint8_t(~fixed);
  uint8_t shown = visible_mask[address] & view.fresh;
  view.v |= visible_value[address] & shown;
  view.fresh &= uint8_t(~shown);
  return view;
}

Core::View Core::peek(uint16_t address) const {
  const Half& half = device_->at(address).half;
  if (half.latches && half.high) {
    uint16_t temp = temp_cell(half.timer);
    return {v[temp], x[temp], 0};
  }
  View view = inspect(address);
  if (settling == address && settling_mask != 0) {
    view.v &= uint8_t(~settling_mask);
    view.stored_x &= uint8_t(~settling_mask);
    view.fresh |= settling_mask;
  }
  return view;
}

/// The cell that holds what stored_x of peek() means.
uint16_t Core::stored_at(uint16_t address) const {
  const Register& r = device_->at(address);
  if (r.kind == RegisterKind::Pin) return uint16_t(address + 2);
  return r.half.latches && r.half.high ? temp_cell(r.half.timer) : address;
}

uint8_t Core::sreg_byte() const {
  uint8_t byte = 0;
  for (uint8_t i = 0; i < 8; ++i) byte |= uint8_t((sreg[i] & 1) << i);
  return byte;
}

bool Core::read_io(uint8_t d, uint16_t address) {
  View view = peek(address);
  const Register& r = device_->at(address);
  if (r.half.latches && !r.half.high) {  // the other half waits in TEMP
    View high = inspect(r.half.other);
    uint16_t temp = temp_cell(r.half.timer);
    if (high.stored_x != 0) {
      copy(temp, r.half.other);
    } else {
      v[temp] = high.v, x[temp] = high.fresh, t[temp] = 0;
      has_x |= high.fresh != 0;
    }
    x_changed = 1;
  }
  if (view.stored_x != 0 && view.fresh == 0) {
    uint16_t cell = stored_at(address);
    if (cell < ram_start_) keep(cell);
    copy(d, cell);
    v[d] = uint8_t((v[d] & x[d]) | (view.v & ~x[d]));
    return true;
  }
  uint8_t delivered = view.fresh & delivery_.mask;
  uint8_t unknown = view.fresh & uint8_t(~delivery_.mask);
  v[d] = uint8_t(view.v | (delivery_.value & delivered));
  x[d] = unknown;
  t[d] = 0;
  if (uint8_t busy = r.busy & delivered; busy != 0) {
    v[address] = uint8_t((v[address] & ~busy) | (v[d] & busy));
    x[address] &= uint8_t(~busy);
  }
  if (uint8_t busy = r.busy & unknown; busy != 0) {  // the register learns what the program learns
    v[address] &= uint8_t(~busy);
    x[address] |= busy;
    t[d] = t[address] = uint8_t(++tokens_ << 3);
  }
  has_x |= unknown != 0;
  x_changed = 1;
  return true;
}

bool Core::read_io_bit(uint16_t address, uint8_t bit, bool& value) {
  View view = peek(address);
  auto mask = uint8_t(1u << bit);
  uint8_t byte = uint8_t(view.v | (delivery_.value & delivery_.mask & view.fresh));
  value = (byte & mask) != 0;
  const Register& r = device_->at(address);
  if (uint8_t busy = r.busy & view.fresh & mask; busy != 0) {
    v[address] = uint8_t((v[address] & ~busy) | (byte & busy));
    x[address] &= uint8_t(~busy);
    x_changed = 1;
  }
  return true;
}

/// `out` and then `in` of the same port: the synchroniser in front of PINx has not seen the new value yet, and the
/// pins that changed read as anything.
bool Core::pin_read_follows(uint16_t address, uint16_t& pin) const {
  if (pc >= code_->size()) return false;
  const Insn& i = next();
  if (i.op != Op::In && i.op != Op::Sbic && i.op != Op::Sbis) return false;
  pin = uint16_t(i.k);
  return address >= pin && address <= pin + 2 && device_->at(pin).kind == RegisterKind::Pin;
}

void Core::start_settling(uint16_t pin, const View& before) {
  View after = inspect(pin);
  settling_mask = uint8_t((before.v ^ after.v) | before.stored_x | after.stored_x | (before.fresh ^ after.fresh));
  settling = settling_mask != 0 ? pin : 0;
}

bool Core::write_io(uint16_t address, uint8_t from) {
  const Register& r = device_->at(address);
  if (r.kind != RegisterKind::Latch) return write_io_value(address, v[from]);
  uint16_t pin = 0;
  bool settles = pin_read_follows(address, pin);
  View before = settles ? inspect(pin) : View{};
  keep(address);
  if (written != nullptr) note_written(address, from);
  if (r.half.timer >= 0) {
    write_half(r, from);
  } else {
    copy(address, from);
    v[address] &= r.valid;
    x[address] &= r.valid;
  }
  if (settles) start_settling(pin, before);
  return true;
}

/// OCRnx: the high byte waits in TEMP, and the low byte takes it along.
void Core::write_half(const Register& r, uint16_t from) {
  uint16_t temp = temp_cell(r.half.timer);
  if (r.half.high) return copy(temp, from);
  keep(r.half.other);
  copy(r.address, from);
  copy(r.half.other, temp);
}

bool Core::write_io_value(uint16_t address, uint8_t value) {
  x_changed |= has_x ? 1 : 0;
  const Register& r = device_->at(address);
  if (r.kind == RegisterKind::Reserved) return fail(FaultKind::ReservedWrite, address);
  uint16_t pin = 0;
  bool settles = pin_read_follows(address, pin);
  View before = settles ? inspect(pin) : View{};
  bool good = write_register(r, value);
  if (left_set != 0) clear_left(address, value);
  if (settles) start_settling(pin, before);
  return good;
}

bool Core::write_register(const Register& r, uint8_t value) {
  uint16_t address = r.address;
  switch (r.kind) {
    case RegisterKind::Reserved: return true;
    case RegisterKind::Sreg: set_sreg(value); return true;
    case RegisterKind::Spl:
      sp = uint16_t((sp & 0xff00) | value), unsettled = true, sp_halves |= 1;
      return true;
    case RegisterKind::Sph:
      sp = uint16_t((value << 8) | (sp & 0xff)), unsettled = true, sp_halves |= 2;
      return true;
    case RegisterKind::Pin:
      if (!device_->table().pin_toggles || value == 0) return true;
      keep(uint16_t(address + 2));
      v[address + 2] ^= value & r.valid;
      return true;
    case RegisterKind::Stream:
      if (r.half.high) v[temp_cell(r.half.timer)] = value, x[temp_cell(r.half.timer)] = 0;
      return true;
    case RegisterKind::Flags:
      v[address] &= uint8_t(~value);
      x[address] &= uint8_t(~value);
      return true;
    case RegisterKind::Counter: write_counter(r, value); return true;
    case RegisterKind::EepromControl: write_eeprom_control(r, value); return true;
    case RegisterKind::Latch: set_known(address, value & r.valid); return true;
    case RegisterKind::Plain: return write_plain(r, value);
  }
  return true;
}

void Core::write_counter(const Register& r, uint8_t value) {
  bool kept = options_.timers_exact || r.timer < 0 || !timer_runs(r.timer);
  if (r.half.timer < 0) {
    if (kept) set_known(r.address, value);
    return;
  }
  uint16_t temp = temp_cell(r.half.timer);
  if (r.half.high) {
    v[temp] = value, x[temp] = 0;
    return;
  }
  if (!kept) return;
  set_known(r.address, value);
  keep(r.half.other);
  copy(r.half.other, temp);
}

/// Configuration: bits that exist, in their timed sequences, without those that read as zero.
bool Core::write_plain(const Register& r, uint8_t value) {
  if ((value & r.refused) != 0) return not_modelled("self-programming, and reading fuses and signature (SPMEN)");
  if (options_.timers_exact && (value & r.restarts) != 0) return not_modelled("restarting the prescaler of timers");
  if (r.timed.key != 0 && !write_timed(r, value)) return false;
  uint8_t gone = uint8_t(r.strobes & ~((value & r.hold) != 0 ? r.restarts : 0));
  value &= uint8_t(r.valid & ~gone);
  if (r.timer >= 0 && r.address == device_->timers()[size_t(r.timer)].select_register) {
    write_select(r, value);
    return true;
  }
  if ((v[r.address] & ~value & r.guards) != 0) close_guards(r, value);
  uint8_t busy = busy_bits(r, value);
  // A zero does not stop what is under way; it does end the master mode of SPI.
  uint8_t still = r.calm.address != 0 ? 0 : uint8_t(~value) & r.busy;
  uint8_t seen = busy & visible_mask[r.address];
  uint8_t old_v = v[r.address] & still, old_x = x[r.address] & still;
  uint8_t started = uint8_t(value & busy & ~v[r.address]);
  set_known(r.address, uint8_t((value & ~(r.fresh | busy)) | old_v | (value & seen)));
  x[r.address] = uint8_t(old_x | (value & busy & ~seen));
  has_x |= x[r.address] != 0;
  x_changed |= x[r.address];
  if ((started & seen) != 0) begun = {r.address, uint8_t(started & seen)};
  return true;
}

/// What is switched off leaves the flags of its interrupts as they are.
void Core::close_guards(const Register& r, uint8_t value) {
  for (const Interrupt& source : device_->interrupts()) {
    if (source.leaves < 0 || source.guard_register != r.address) continue;
    if ((v[r.address] & source.guard_mask) != 0 && (value & source.guard_mask) == 0)
      left_set |= uint16_t(1u << source.leaves);
  }
}

/// A flag that was left set ends with a one written to it.
void Core::clear_left(uint16_t address, uint8_t value) {
  for (const Interrupt& source : device_->interrupts()) {
    if (source.leaves < 0 || source.clears.address != address || (value & source.clears.mask) == 0) continue;
    bool open = (v[source.guard_register] & source.guard_mask) != 0;  // then it may be set again
    if (!open) left_set &= uint16_t(~(1u << source.leaves));
  }
}

/// Guarded bits keep their values outside of their window. False: what happens is not known.
bool Core::write_timed(const Register& r, uint8_t& value) {
  const Timed& timed = r.timed;
  uint8_t given = value, kept = v[r.address] & timed.guarded;
  bool open = window[timed.window] != 0 && window[timed.window] >= length_;
  bool key = (given & timed.key) != 0;
  if (open && key && (given & timed.guarded) != kept)
    return not_modelled("guarded bits written together with their key bit inside its timed sequence");
  if (!open || key) {
    value = uint8_t((given & ~timed.guarded) | kept | (given & timed.free_ones));
  } else {
    window[timed.window] = 0;
    const Watchdog& dog = device_->watchdog();
    bool locked = dog.interrupt.address != 0 && (v[dog.reset_flag.address] & dog.reset_flag.mask) != 0;
    if (timed.window == kWatchdogWindow && locked) value |= dog.enable.mask;
    if (timed.window == kVectorWindow && (value & timed.guarded) != 0)
      return not_modelled("interrupt vectors in the boot section (IVSEL)");
  }
  bool opens = key && (given & timed.with) == timed.with;
  if (timed.window == kClockWindow) opens = key && given == timed.key;
  if (!opens) {
    value &= uint8_t(~timed.key);
  } else {
    window[timed.window] = kWindowCycles;
    opened_ |= uint8_t(1u << timed.window);
    window_open = true;
  }
  return true;
}

void Core::close_windows(unsigned cycles) {
  window_open = false;
  for (uint8_t w = 0; w < kWindowCount; ++w) {
    if (window[w] == 0) continue;
    if ((opened_ & (1u << w)) == 0) window[w] = uint8_t(window[w] > cycles ? window[w] - cycles : 0);
    if (window[w] != 0) {
      window_open = true;
      continue;
    }
    BitAt key = device_->window_key(Window(w));
    v[key.address] &= uint8_t(~key.mask);
  }
  opened_ = 0;
}

bool Core::write_io_bit(uint16_t address, uint8_t bit, bool value) {
  x_changed |= has_x ? 1 : 0;
  const Register& r = device_->at(address);
  auto mask = uint8_t(1u << bit);
  switch (r.kind) {
    case RegisterKind::Latch: {
      uint16_t pin = 0;
      bool settles = pin_read_follows(address, pin);
      View before = settles ? inspect(pin) : View{};
      keep(address);
      v[address] = uint8_t((value ? v[address] | mask : v[address] & ~mask) & (r.valid | x[address]));
      x[address] &= uint8_t(~mask);
      if (settles) start_settling(pin, before);
      return true;
    }
    case RegisterKind::Pin:
    case RegisterKind::Flags: return value ? write_io_value(address, mask) : true;
    default: return write_io_value(address, uint8_t(value ? v[address] | mask : v[address] & ~mask));
  }
}

/// Starting a timer makes its counter and flags the environment's; stopping it leaves them as they happen to be.
void Core::write_select(const Register& r, uint8_t value) {
  const Timer& timer = device_->timers()[size_t(r.timer)];
  bool ran = timer_runs(r.timer);
  set_known(r.address, value);
  bool runs = timer_runs(r.timer);
  if (options_.timers_exact || ran == runs) return;
  for (uint16_t a : {timer.counter_low, timer.counter_high}) {
    if (a == 0) continue;
    runs ? set_known(a, 0) : leave_unknown(a, 0xff);
  }
  if (timer.flag_register == 0) return;
  if (runs) {
    keep(timer.flag_register);
    v[timer.flag_register] &= uint8_t(~timer.flag_mask);
    x[timer.flag_register] &= uint8_t(~timer.flag_mask);
  } else {
    leave_unknown(timer.flag_register, timer.flag_mask);
  }
}

/// Bits that no one looked at while the environment owned them become unknown bits of the state.
void Core::leave_unknown(uint16_t address, uint8_t mask) {
  uint8_t fixed = fixed_mask[address] & mask, shown = visible_mask[address] & mask & uint8_t(~fixed);
  set_unknown(address, mask);
  v[address] |= uint8_t((visible_value[address] & shown) | (fixed_value[address] & fixed));
  x[address] &= uint8_t(~(shown | fixed));
}

/// What the EEPROM holds is not remembered: a read finds unknown bits, a write takes some time. A write starts only
/// within four cycles after EEMPE was set.
void Core::write_eeprom_control(const Register& r, uint8_t value) {
  constexpr uint8_t kRead = 1, kWrite = 2, kMaster = 4;
  value &= r.valid;
  uint8_t under_way = uint8_t((v[r.address] | x[r.address]) & kWrite);
  uint8_t old_v = v[r.address] & kWrite, old_x = x[r.address], token = old_x != 0 ? t[r.address] : 0;
  bool armed = window[kEepromWindow] != 0 && window[kEepromWindow] >= length_;
  bool starts = armed && (value & kWrite) != 0;
  bool seen = (visible_mask[r.address] & kWrite) != 0;
  window[kEepromWindow] = 0;
  if ((value & kMaster) != 0 && !starts) {
    window[kEepromWindow] = kWindowCycles;
    opened_ |= uint8_t(1u << kEepromWindow);
    window_open = true;
  }
  set_known(r.address, uint8_t(value & ~(kRead | kWrite | (starts ? kMaster : 0))));
  if (under_way != 0) {
    v[r.address] |= old_v;
    x[r.address] = old_x & kWrite;
    t[r.address] = token;
  }
  if (starts && under_way == 0) {
    if (seen)
      v[r.address] |= kWrite, begun = {r.address, kWrite};
    else
      x[r.address] = kWrite, t[r.address] = 0;
  }
  has_x |= x[r.address] != 0;
  x_changed = 1;
  if ((value & kRead) != 0) set_unknown(device_->find_register("EEDR")->address, 0xff);
}

void Core::set_sreg(uint8_t value) {
  if ((value & 0x80) != 0 && sreg[kI] == 0) inhibit = true;
  for (uint8_t i = 0; i < 8; ++i) sreg[i] = (value >> i) & 1;
}

}  // namespace whittle::avr
