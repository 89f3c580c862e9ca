// Ports, flags, timers and the rest as the program sees them: what it wrote, and what the environment may answer.
#include "avr/core.h"

namespace whittle::avr {

Core::View Core::peek(uint16_t address) const {
  const Register& r = device_->at(address);
  View view{v[address], x[address], 0};
  switch (r.kind) {
    case RegisterKind::Reserved: return {};
    case RegisterKind::Pin: {
      uint8_t output = v[address + 1] & r.valid;  // DDRx follows PINx, PORTx follows DDRx
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
      if (options_.timers_exact && address == device_->timers()[size_t(r.timer)].counter_high) view.v = temp_;
      break;
    case RegisterKind::Flags:
      view.fresh = r.fresh;
      if (!options_.timers_exact) {
        for (size_t i = 0; i < device_->timers().size(); ++i)
          if (device_->timers()[i].flag_register == address && timer_runs(int(i)))
            view.fresh |= device_->timers()[i].flag_mask;
      }
      break;
    case RegisterKind::Sreg: return {sreg_byte(), 0, 0};
    case RegisterKind::Spl: return {uint8_t(sp), 0, 0};
    case RegisterKind::Sph: return {uint8_t(sp >> 8), 0, 0};
    default: view.fresh = uint8_t(r.fresh | (r.busy & (v[address] | x[address]))); break;
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

uint8_t Core::sreg_byte() const {
  uint8_t byte = 0;
  for (uint8_t i = 0; i < 8; ++i) byte |= uint8_t((sreg[i] & 1) << i);
  return byte;
}

bool Core::read_io(uint8_t d, uint16_t address) {
  View view = peek(address);
  const Register& r = device_->at(address);
  if (options_.timers_exact && r.kind == RegisterKind::Counter) {
    const Timer& timer = device_->timers()[size_t(r.timer)];
    if (address == timer.counter_low && timer.counter_high != 0) temp_ = v[timer.counter_high];
  }
  if (view.stored_x != 0 && view.fresh == 0) {
    copy(d, address);
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

bool Core::write_io(uint16_t address, uint8_t from) {
  const Register& r = device_->at(address);
  if (r.kind == RegisterKind::Latch) {
    keep(address);
    copy(address, from);
    return true;
  }
  return write_io_value(address, v[from]);
}

bool Core::write_io_value(uint16_t address, uint8_t value) {
  x_changed |= has_x ? 1 : 0;
  const Register& r = device_->at(address);
  switch (r.kind) {
    case RegisterKind::Reserved: return fail(FaultKind::ReservedWrite, address);
    case RegisterKind::Sreg: set_sreg(value); return true;
    case RegisterKind::Spl: sp = uint16_t((sp & 0xff00) | value), unsettled = true; return true;
    case RegisterKind::Sph: sp = uint16_t((value << 8) | (sp & 0xff)), unsettled = true; return true;
    case RegisterKind::Pin:
      if (!device_->table().pin_toggles || value == 0) return true;
      keep(uint16_t(address + 2));
      v[address + 2] ^= value & r.valid;
      return true;
    case RegisterKind::Stream: return true;
    case RegisterKind::Flags:
      v[address] &= uint8_t(~value);
      x[address] &= uint8_t(~value);
      return true;
    case RegisterKind::Counter: {
      if (!options_.timers_exact) {
        if (r.timer < 0 || !timer_runs(r.timer)) set_known(address, value);
        return true;
      }
      const Timer& timer = device_->timers()[size_t(r.timer)];
      if (address == timer.counter_high) {
        temp_ = value;
        return true;
      }
      if (timer.counter_high != 0) set_known(timer.counter_high, temp_);
      set_known(address, value);
      return true;
    }
    case RegisterKind::EepromControl: write_eeprom_control(r, value); return true;
    case RegisterKind::Latch: set_known(address, value); return true;
    case RegisterKind::Plain: break;
  }
  if (r.timer >= 0 && address == device_->timers()[size_t(r.timer)].select_register) {
    write_select(r, value);
    return true;
  }
  uint8_t still = uint8_t(~value) & r.busy;  // a zero does not stop what is under way
  uint8_t old_v = v[address] & still, old_x = x[address] & still;
  set_known(address, uint8_t((value & ~(r.fresh | r.busy)) | old_v));
  x[address] = uint8_t(old_x | (value & r.busy));
  has_x |= x[address] != 0;
  x_changed |= x[address];
  return true;
}

bool Core::write_io_bit(uint16_t address, uint8_t bit, bool value) {
  x_changed |= has_x ? 1 : 0;
  const Register& r = device_->at(address);
  auto mask = uint8_t(1u << bit);
  switch (r.kind) {
    case RegisterKind::Latch:
      keep(address);
      v[address] = uint8_t(value ? v[address] | mask : v[address] & ~mask);
      x[address] &= uint8_t(~mask);
      return true;
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

/// Bits that nobody looked at while the environment owned them become unknown bits of the state.
void Core::leave_unknown(uint16_t address, uint8_t mask) {
  uint8_t shown = visible_mask[address] & mask;
  set_unknown(address, mask);
  v[address] |= visible_value[address] & shown;
  x[address] &= uint8_t(~shown);
}

/// What the EEPROM holds is not remembered: a read finds unknown bits, a write takes some time.
void Core::write_eeprom_control(const Register& r, uint8_t value) {
  constexpr uint8_t kRead = 1, kWrite = 2, kMaster = 4;
  uint8_t under_way = uint8_t((v[r.address] | x[r.address]) & kWrite);
  uint8_t token = x[r.address] != 0 ? t[r.address] : 0;
  uint8_t old_x = x[r.address];
  bool armed = (v[r.address] & kMaster) != 0;
  set_known(r.address, uint8_t(value & ~(kRead | kWrite)));
  if (under_way != 0) {
    x[r.address] = old_x | kWrite;
    t[r.address] = old_x != 0 ? token : 0;
  }
  if ((value & kWrite) != 0 && armed) {
    x[r.address] = kWrite;
    t[r.address] = 0;
    v[r.address] &= uint8_t(~kMaster);
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
