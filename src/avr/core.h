// The processor and its memories, with bits that may be 0, 1 or unknown.
//
// Every cell of the data space (registers, I/O, RAM) is three bytes: v, x and t. Bit i of the cell is unknown when bit
// i of x is set. t says what the unknown bits are:
//
//   t == 0          every unknown bit is a variable of its own, occurring nowhere else (v is 0 there)
//   t == kNeverWritten   like 0, and the cell has never been written
//   otherwise       token = t >> 3, rotation = t & 7: bit i is variable (i + rotation) mod 8 of that token, negated
//                   when bit i of v is set. Cells that share a token hold copies of the same unknown bits.
//
// So a copy keeps its link to the original: when a branch learns one bit, every copy learns it, and unknown bits
// describe exactly the concrete states they stand for. The price is that an operation whose result cannot be written
// down this way needs known operands: demand.h says which bits must be known before an instruction may execute, and the
// machine splits on them first. The flags Z, N, S and V may wait in the flags cell (a copy of the last result).
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "avr/decode.h"
#include "avr/device.h"
#include "avr/layout.h"

namespace whittle::avr {

enum Flag : uint8_t { kC, kZ, kN, kV, kS, kH, kT, kI };

/// What a status flag holds besides 0 and 1. Z: whether the flags cell is zero. N, S, V: its bit 7, or the negation.
inline constexpr uint8_t kLazy = 2, kLazyNot = 3;
/// Either of them, and linked to nothing: only in an abstract chip (precision.h).
inline constexpr uint8_t kAnyFlag = 4;
inline constexpr bool waits_for_result(uint8_t flag) { return flag == kLazy || flag == kLazyNot; }
inline constexpr uint8_t kNeverWritten = 0xff;
inline constexpr uint8_t kMaxToken = 30;

/// Between which values a byte lies whose unknown bits are those of a token (abstract chips): the byte that has the bits
/// `mask` of the token in their places, and `base` around them.
struct Range {
  uint8_t mask = 0, base = 0, low = 0, high = 0;  ///< mask 0: nothing is known
};

/// An instruction that adds a known number to an unknown byte; a subtraction adds 256 less the number.
struct OffsetSum {
  bool found = false;
  uint16_t cell = 0;
  uint8_t add = 0;
};
struct AddressRange {
  uint32_t low = 0, high = 0;
};

struct Cell {
  uint8_t v = 0, x = 0, t = 0;
};

enum class FaultKind : uint8_t {
  None,
  StackIntoData,   ///< the stack has run into variables, or out of RAM
  StackUnderflow,  ///< more was taken off the stack than there was
  PcOutside,       ///< execution left the firmware
  UndefinedOpcode,
  ReservedWrite,  ///< a write to an I/O address without a register
  BadAddress,     ///< a data address beyond RAM
  NeverWritten,   ///< RAM read before it was written (by option)
  NoHandler,      ///< an interrupt whose vector leads back to the reset vector
  EndlessLoop,    ///< a loop that can never be left (by option)
  NotModelled,    ///< nothing is known about what the chip does next: no violation, the path is cut
};

struct Fault {
  FaultKind kind = FaultKind::None;
  uint32_t pc = 0;
  uint16_t address = 0;
  const char* what = "";  ///< NotModelled: what is not
};

/// RAM below the end of the data that the program uses as a stack of its own (a task's): addresses from..to.
struct StackRegion {
  uint16_t from = 0, to = 0;
};

struct CoreOptions {
  bool forget_stack = true;    ///< what lies below the stack pointer is not remembered (off: plain memory)
  bool zero_ram = false;       ///< RAM is zero at power-up instead of unknown
  bool check_written = false;  ///< reading RAM that was never written is a fault
  bool timers_exact = false;   ///< timers count clock cycles
};

/// A known part of a value the environment delivers on this step.
struct Delivery {
  uint8_t mask = 0, value = 0;
};

struct Precision;

/// What a cell has held, as far as it was seen.
struct Values {
  std::bitset<256> known;
  uint8_t unknown = 0;  ///< bits that were unknown
  void add(uint8_t value, uint8_t unknown_bits) {
    known.set(value & uint8_t(~unknown_bits));
    unknown |= unknown_bits;
  }
};

class Core {
 public:
  Core(std::shared_ptr<const Device> device, std::shared_ptr<const std::vector<Insn>> code,
       std::shared_ptr<const std::vector<uint8_t>> flash, Layouts& layouts, const Layout& initial, CoreOptions options);

  /// From the next power-up on, states begin with this layout.
  void start_with(const Layout& initial) { initial_ = &initial; }
  /// Power-up (ram = true), or a reset that leaves RAM and the register file alone.
  void reset(bool ram = true);

  /// Executes the instruction at pc. Requires demand(*this) to be empty. False: a fault was met and noted.
  bool execute(Delivery delivery = {});

  /// Runs up to `count` instructions without looking for choices; for programs that make none. Returns how many ran.
  uint64_t run(uint64_t count);

  /// Pushes pc and jumps to the vector; clears I and wakes the processor.
  bool interrupt(uint8_t vector);

  const Insn& next() const { return (*code_)[pc]; }
  const Device& device() const { return *device_; }
  const CoreOptions& options() const { return options_; }
  const std::vector<uint8_t>& flash() const { return *flash_; }
  const std::vector<Insn>& code() const { return *code_; }

  // ---- state, open to the machine and the tests ----
  std::vector<uint8_t> v, x, t;  ///< by data address; one more for the flags cell
  std::array<uint8_t, 8> sreg{};
  uint32_t pc = 0;
  uint16_t sp = 0;
  uint16_t live_low = 0;  ///< first address of the live stack
  const Layout* layout = nullptr;
  uint16_t prescaler = 0;  ///< exact timers: clock cycles modulo 1024
  bool inhibit = false;    ///< one more instruction before an interrupt
  bool sleeping = false;
  bool deep = false;       ///< sleeping in a mode other than idle, and nothing that was pending woke it: clocks stand still
  bool unsettled = false;  ///< half of the stack pointer has been written: live_low waits for the other half
  uint8_t sp_halves = 0;   ///< halves written since both were: 1 low, 2 high
  std::array<uint8_t, kWindowCount> window{};  ///< clock cycles left in which guarded bits may change
  bool window_open = false;                    ///< some window is
  uint16_t settling = 0;      ///< PINx whose synchroniser does not show the last instruction's write yet; 0: none
  uint8_t settling_mask = 0;  ///< which of its pins
  uint16_t left_set = 0;           ///< interrupts (Interrupt::leaves) whose flags may be set although their guard is closed
  bool has_x = false;              ///< some live cell may have unknown bits
  uint8_t x_changed = 0;           ///< nonzero: unknown bits came, went or moved since canonicalise()
  std::vector<uint16_t> unknowns;  ///< live cells with unknown bits, in the order of the state; after canonicalise()
  std::vector<uint8_t> unknown_bytes;  ///< the same, as they stand at the end of a saved state
  Fault fault;
  const Precision* precision = nullptr;     ///< not null: an abstract chip
  std::vector<Values>* written = nullptr;   ///< not null: notes what is stored, by data address
  bool abstracted = false;                  ///< the last instruction computed with unknown bits

  uint16_t flags_cell() const { return uint16_t(ram_end_ + 1); }
  /// The TEMP register of a timer with 16-bit registers.
  uint16_t temp_cell(int timer) const {
    return uint16_t(flags_cell() + 1 + device_->timers()[size_t(timer)].temp);
  }
  /// A bit that hardware clears (ADSC) which a formula looks at and the last instruction set; address 0: none.
  BitAt begun;
  /// Where the program may have stacks besides the one at the end of RAM.
  std::vector<StackRegion> stacks;
  uint8_t tokens() const { return tokens_; }

  /// Brings unknown bits into canonical form: tokens numbered as met, no token without a second holder.
  void canonicalise() {
    if (has_x && (x_changed != 0 || x[flags_cell()] != 0)) rebuild_unknowns();
  }
  void rebuild_unknowns();
  /// Reads back what unknown_bytes held.
  void load_unknowns(std::span<const uint8_t> bytes);
  /// Bit `bit` of a cell becomes known, in all its copies.
  void resolve(uint16_t cell, uint8_t bit, bool value);
  /// Values that a cell may have; for an abstract chip.
  Range range_of(uint16_t cell) const;
  /// The cell is any value from low to high, linked to nothing. Requires a token to be free (has_free_token).
  void set_range(uint16_t cell, uint8_t low, uint8_t high);
  OffsetSum offset_sum(const Insn& i) const;
  /// Where the pointer of a load or store may lead. Requires its upper byte to be known.
  AddressRange address_range(const Insn& i) const;
  bool has_free_token() const { return tokens_ + 1 < kMaxToken; }
  /// Unknown bits of a cell become variables of their own.
  void unlink(uint16_t cell) {
    v[cell] &= uint8_t(~x[cell]);
    t[cell] = 0;
    x_changed = 1;
  }
  /// Of a flag that is not lazy.
  uint8_t sreg_byte() const;
  /// What `precision` does not keep becomes any value. After every step of an abstract chip.
  void forget();
  bool live_ram(uint16_t a) const { return a < layout->low_top || a >= live_low; }

  /// What reading an I/O register would give.
  struct View {
    uint8_t v = 0;
    uint8_t stored_x = 0;  ///< unknown bits remembered in the register itself
    uint8_t fresh = 0;     ///< bits the environment decides now
  };
  View peek(uint16_t address) const;
  /// The same for formulas: the register itself, not the TEMP byte or a synchroniser in front of it.
  View inspect(uint16_t address) const;
  SleepMode sleep_mode() const;
  /// Bits that hardware may clear now, when the register holds `value`.
  uint8_t busy_bits(const Register& r, uint8_t value) const {
    if (r.calm.address == 0) return r.busy;
    bool on = (value & r.guards) != 0;  // SPE
    return on && (v[r.calm.address] & r.calm.mask) == 0 ? r.busy : 0;
  }
  /// The cell in which the stored unknown bits of peek() lie.
  uint16_t stored_at(uint16_t address) const;
  bool timer_runs(int timer) const {
    const Timer& item = device_->timers()[size_t(timer)];
    return (v[item.select_register] & item.select_mask) != 0;
  }
  /// Marks a register as decided: the environment's bits that are fixed from outside. By address.
  std::vector<uint8_t> fixed_mask, fixed_value;
  /// Bits whose value is part of the state because a formula looks at them. By address; values in `visible_value`.
  std::vector<uint8_t> visible_mask, visible_value;

  /// Clock cycles pass (exact timers only). False: a timer runs in a way that is not modelled.
  bool tick(unsigned cycles);
  /// Cycles until a running timer next raises a flag; 0 when none ever does.
  unsigned cycles_to_event() const;

 private:
  friend struct Exec;
  friend class AvrMachine;
  bool fail(FaultKind kind, uint16_t address = 0);

  // memory
  bool load_into(uint8_t d, uint16_t address);
  bool store(uint16_t address, uint8_t from);
  bool push_byte(Cell cell, uint16_t from);
  bool pop_byte(uint8_t& value);
  bool pop_into(uint8_t d);
  bool push_pc(uint32_t value);
  bool pop_pc();
  bool settle_stack();
  void copy_unknown(uint16_t to, uint16_t from);
  void copy(uint16_t to, uint16_t from) {
    if (x[from] == 0) {
      v[to] = v[from];
      x_changed |= x[to];
      x[to] = 0;
    } else {
      copy_unknown(to, from);
    }
  }
  // I/O
  bool read_io(uint8_t d, uint16_t address);
  bool read_io_bit(uint16_t address, uint8_t bit, bool& value);
  bool write_io(uint16_t address, uint8_t from);
  bool write_io_value(uint16_t address, uint8_t value);
  bool write_io_bit(uint16_t address, uint8_t bit, bool value);
  void keep(uint16_t address) {
    if (layout->io_index[address] == 0) layout = &layouts_->with_io(*layout, address);
  }
  void set_known(uint16_t address, uint8_t value) {
    keep(address);
    v[address] = value;
    x_changed |= x[address];
    x[address] = 0;
  }
  void set_unknown(uint16_t address, uint8_t mask);
  void come_alive(uint32_t from, uint32_t to);
  void write_unknown_bytes();
  void leave_unknown(uint16_t address, uint8_t mask);
  bool not_modelled(const char* what);
  bool beyond_ram(uint16_t address);
  bool fail_timer(const Timer& timer);
  bool write_timed(const Register& r, uint8_t& value);
  void close_windows(unsigned cycles);
  bool pass_cycles(const Insn& insn, uint32_t before);

 public:
  /// Clock cycles that the instruction executed last took. `insn` is that one.
  unsigned cycles_of(const Insn& insn) const;
  static constexpr unsigned kInterruptCycles = 4;

 private:
  void write_half(const Register& r, uint16_t from);
  void write_counter(const Register& r, uint8_t value);
  bool write_register(const Register& r, uint8_t value);
  bool pin_read_follows(uint16_t address, uint16_t& pin) const;
  void start_settling(uint16_t pin, const View& before);
  bool in_own_stack(uint16_t address) const {
    for (StackRegion region : stacks)
      if (address >= region.from && address <= region.to) return true;
    return false;
  }
  void write_select(const Register& r, uint8_t value);
  void close_guards(const Register& r, uint8_t value);
  void clear_left(uint16_t address, uint8_t value);
  void write_eeprom_control(const Register& r, uint8_t value);
  bool write_plain(const Register& r, uint8_t value);
  void set_sreg(uint8_t value);

  // unknown results
  bool run_abstract(const Insn& i, uint32_t at);
  void note_written(uint16_t address, uint16_t from) {
    (*written)[address].add(v[from], x[from]);
  }
  void lazy_flags(uint8_t d);
  void refresh_flags();

  std::shared_ptr<const Device> device_;
  std::shared_ptr<const std::vector<Insn>> code_;
  std::shared_ptr<const std::vector<uint8_t>> flash_;
  Layouts* layouts_;
  const Layout* initial_;
  CoreOptions options_;
  uint16_t ram_start_, ram_end_;
  Device::Bit adlar_{};
  uint8_t tokens_ = 0;  ///< highest token in use
  std::array<Range, 32> ranges_{};  ///< by token
  std::array<Range, 32> old_ranges_{};  ///< while tokens are numbered anew
  bool has_ranges_ = false;
  Delivery delivery_;
  unsigned cycles_ = 0;
  uint8_t length_ = 0;  ///< cycles of the instruction under way
  uint8_t opened_ = 0;  ///< windows that it opened
};

}  // namespace whittle::avr
