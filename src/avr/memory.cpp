// Data space and stack. What lies between the end of the data and the stack pointer is not remembered: a frame that is
// given back is forgotten, and reading below the stack pointer finds unknown bits.
#include <algorithm>

#include "avr/core.h"

namespace whittle::avr {

Core::Core(std::shared_ptr<const Device> device, std::shared_ptr<const std::vector<Insn>> code,
           std::shared_ptr<const std::vector<uint8_t>> flash, Layouts& layouts, const Layout& initial,
           CoreOptions options)
    : device_(std::move(device)),
      code_(std::move(code)),
      flash_(std::move(flash)),
      layouts_(&layouts),
      initial_(&initial),
      options_(options),
      ram_start_(device_->ram_start()),
      ram_end_(device_->ram_end()) {
  size_t size = size_t(ram_end_) + 2 + device_->temp_count();
  v.assign(size, 0), x.assign(size, 0), t.assign(size, 0);
  fixed_mask.assign(ram_start_, 0), fixed_value.assign(ram_start_, 0);
  visible_mask.assign(ram_start_, 0), visible_value.assign(ram_start_, 0);
  if (auto bit = device_->find_bit("ADLAR")) adlar_ = *bit;
  reset();
}

void Core::reset(bool ram) {
  layout = ram ? initial_ : layout;
  const Watchdog& dog = device_->watchdog();
  uint16_t cause = dog.reset_flag.address;  // MCUSR or MCUCSR: flags stay until the program clears them
  Cell causes = ram || cause == 0 ? Cell{} : Cell{v[cause], x[cause], t[cause]};
  for (uint16_t a = ram ? 0 : 32; a < ram_start_; ++a) {
    v[a] = a >= 32 ? device_->at(a).at_reset : 0;
    x[a] = a >= 32 ? device_->at(a).unknown_at_reset : 0;
    t[a] = 0;
  }
  if (ram) {
    bool unknown = !options_.zero_ram;
    std::fill(v.begin() + ram_start_, v.end(), 0);
    std::fill(x.begin() + ram_start_, x.end(), unknown ? 0xff : 0);
    std::fill(t.begin() + ram_start_, t.end(), unknown ? kNeverWritten : 0);
    std::fill(visible_value.begin(), visible_value.end(), 0);
  } else if (cause != 0) {  // the watchdog bit
    uint8_t flags = device_->at(cause).unknown_at_reset;
    keep(cause);
    v[cause] = uint8_t((causes.v & flags) | dog.reset_flag.mask);
    x[cause] = uint8_t(causes.x & flags & ~dog.reset_flag.mask);
    t[cause] = causes.t;
    if (dog.interrupt.address != 0) set_known(dog.enable.address, dog.enable.mask);  // WDRF keeps WDE set
  }
  for (size_t a = flags_cell(); a < v.size(); ++a) v[a] = x[a] = t[a] = 0;
  sreg.fill(0);
  pc = 0;
  sp = device_->table().sp_at_ram_end ? ram_end_ : 0;
  live_low = uint16_t(ram_end_ + 1);
  prescaler = 0;
  inhibit = sleeping = deep = unsettled = false;
  sp_halves = 0;
  left_set = 0;
  window.fill(0);
  window_open = false;
  settling = settling_mask = 0;
  has_x = true;
  x_changed = 1;
  fault = {};
  canonicalise();
}

bool Core::fail(FaultKind kind, uint16_t address) {
  fault = {kind, pc, address, ""};
  return false;
}

bool Core::not_modelled(const char* what) {
  fault = {FaultKind::NotModelled, pc, 0, what};
  return false;
}

/// An access beyond RAM: a violation, unless the chip was told that there is memory outside.
bool Core::beyond_ram(uint16_t address) {
  BitAt external = device_->external_memory();
  if (external.address != 0 && (v[external.address] & external.mask) != 0) return not_modelled("external memory");
  return fail(FaultKind::BadAddress, address);
}

bool Core::load_into(uint8_t d, uint16_t address) {
  if (address >= ram_start_) [[likely]] {
    if (address > ram_end_) return beyond_ram(address);
    if (live_ram(address)) [[likely]] {
      if (options_.check_written && t[address] == kNeverWritten && x[address] != 0)
        return fail(FaultKind::NeverWritten, address);
      copy(d, address);
      return true;
    }
    if (options_.check_written) return fail(FaultKind::NeverWritten, address);
    v[d] = delivery_.value & delivery_.mask;
    x[d] = uint8_t(~delivery_.mask);
    t[d] = 0;
    has_x |= x[d] != 0;
    x_changed = 1;
    return true;
  }
  if (address < 32) {
    copy(d, address);
    return true;
  }
  return read_io(d, address);
}

bool Core::store(uint16_t address, uint8_t from) {
  if (address >= ram_start_) [[likely]] {
    if (address > ram_end_) return beyond_ram(address);
    if (!live_ram(address)) {
      come_alive(layout->low_top, uint32_t(address) + 1);
      layout = &layouts_->with_ram(*layout, uint16_t(address + 1));
    }
    if (written != nullptr) note_written(address, from);
    copy(address, from);
    return true;
  }
  if (address < 32) {
    copy(address, from);
    return true;
  }
  return write_io(address, from);
}

/// RAM becomes part of the state without having been written.
void Core::come_alive(uint32_t from, uint32_t to) {
  for (uint32_t a = from; a < to; ++a) v[a] = 0, x[a] = 0xff, t[a] = kNeverWritten;
  if (from < to) has_x = true, x_changed = 1;
}

/// `from` is a cell; a known byte comes in `cell` when from is 0xffff.
bool Core::push_byte(Cell cell, uint16_t from) {
  uint16_t address = sp;
  bool low = address < layout->low_top && options_.forget_stack;
  // A stack of a task lies in the data; the main stack must not grow into one.
  bool own = low && in_own_stack(address) && address + 1 != live_low;
  if (address > ram_end_ || address < ram_start_ || (low && !own)) return fail(FaultKind::StackIntoData, address);
  if (from == 0xffff) {
    v[address] = cell.v;
    x_changed |= address >= live_low ? x[address] : 0;
    x[address] = 0;
  } else {
    copy(address, from);
  }
  --sp;
  if (options_.forget_stack && address < live_low && !own) {
    // Bytes between a stack pointer that was moved down and the old stack come into being unknown.
    come_alive(uint32_t(address) + 1, live_low);
    live_low = address;
  }
  return true;
}

bool Core::pop_into(uint8_t d) {
  auto address = uint16_t(sp + 1);
  if (address > ram_end_ || address < ram_start_) return fail(FaultKind::StackUnderflow, address);
  if (!load_into(d, address)) return false;
  sp = address;
  x_changed |= x[address];
  if (options_.forget_stack && address >= live_low) live_low = uint16_t(address + 1);
  return true;
}

bool Core::pop_byte(uint8_t& value) {
  auto address = uint16_t(sp + 1);
  if (address > ram_end_ || address < ram_start_) return fail(FaultKind::StackUnderflow, address);
  value = v[address];
  sp = address;
  x_changed |= x[address];
  if (options_.forget_stack && address >= live_low) live_low = uint16_t(address + 1);
  return true;
}

bool Core::push_pc(uint32_t value) {
  uint16_t before_sp = sp, before_low = live_low;
  for (int i = 0; i < device_->table().pc_bytes; ++i) {
    if (!push_byte({uint8_t(value >> (8 * i)), 0, 0}, 0xffff)) {
      sp = before_sp, live_low = before_low;
      return false;
    }
  }
  return true;
}

bool Core::pop_pc() {
  uint32_t value = 0;
  for (int i = 0; i < device_->table().pc_bytes; ++i) {
    uint8_t byte = 0;
    if (!pop_byte(byte)) return false;
    value = (value << 8) | byte;
  }
  pc = value;
  return true;
}

/// The two bytes of the stack pointer are written one after the other; what is stack and what is not is settled when
/// the next other instruction executes. A frame that reaches into data is found once both bytes have been written (one
/// alone may be half of a new value), or when it is used.
bool Core::settle_stack() {
  unsettled = false;
  bool whole = sp_halves == 3 || device_->find_register("SPH") == nullptr;
  if (whole) sp_halves = 0;
  if (!options_.forget_stack) return true;
  if (uint32_t(sp) + 1 < layout->low_top) {
    if (in_own_stack(sp)) return true;  // the main stack waits as it was left
    if (whole) return fail(FaultKind::StackIntoData, sp);
  }
  uint32_t low = std::max<uint32_t>(uint32_t(sp) + 1, layout->low_top);
  low = std::min<uint32_t>(low, uint32_t(ram_end_) + 1);
  come_alive(low, live_low);
  x_changed |= low > live_low ? 1 : 0;
  live_low = uint16_t(low);
  return true;
}

}  // namespace whittle::avr
