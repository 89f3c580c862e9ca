// An AVR device: memories, registers, timers and interrupts, derived from its table by the register names that all
// classic AVRs share.
//
//   const Device& chip = find_device("atmega16");           // throws Error with the nearest name
//   const Register* port = chip.find_register("PORTA");
//   for (const Interrupt& source : chip.interrupts()) ...
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "avr/devices/tables.h"

namespace whittle::avr {

/// What an access to a register does beyond holding a byte.
enum class RegisterKind : uint8_t {
  Reserved,  ///< no register here: writing is a violation
  Plain,     ///< holds what was written; configuration, so the bits written must be known
  Latch,     ///< holds what was written, unknown bits included (PORTx, OCRx, GPIORx ...)
  Pin,       ///< PINx: reads the latch where DDRx says output, unknown where it says input
  Stream,    ///< reads unknown, writes vanish (UDR, SPDR, ADCL ...)
  Flags,     ///< flags of interrupts: writing a one clears
  Counter,   ///< TCNTx: unknown while its timer runs
  EepromControl,
  Spl,
  Sph,
  Sreg,
};

struct RegisterBit {
  std::string_view name;
  uint8_t bit;
};

/// A bit of a register, or several of them.
struct BitAt {
  uint16_t address = 0;  ///< 0: there is none
  uint8_t mask = 0;
};

/// Bits that change only within four clock cycles after a key bit was set: the watchdog's, the clock prescaler's, and
/// the place of the interrupt vectors. (The EEPROM's sequence starts an action; RegisterKind::EepromControl has it.)
enum Window : uint8_t { kWatchdogWindow, kEepromWindow, kClockWindow, kVectorWindow, kWindowCount };

struct Timed {
  Window window = kWatchdogWindow;
  uint8_t key = 0;        ///< setting this bit opens the window; 0: the register has no such sequence
  uint8_t with = 0;       ///< bits to be set together with the key
  uint8_t guarded = 0;    ///< bits that only change in the window
  uint8_t free_ones = 0;  ///< guarded bits that may be set, but not cleared, at any time
};

/// One byte of a 16-bit register of a timer: its halves are accessed through the timer's TEMP register.
struct Half {
  int8_t timer = -1;  ///< -1: not such a register
  bool high = false;
  bool latches = false;  ///< reading the low byte loads TEMP, reading the high byte gives TEMP (TCNTn, ICRn; not OCRnx)
  uint16_t other = 0;    ///< address of the other half
};

struct Override {
  BitAt enable;
  uint8_t pins = 0;
};

struct Register {
  uint16_t address = 0;
  std::string_view name;
  RegisterKind kind = RegisterKind::Reserved;
  uint8_t fresh = 0;  ///< bits the environment may set at any time: every read finds them anew
  uint8_t busy = 0;   ///< bits that hardware clears some time after software set them (ADSC, EEPE)
  uint8_t unknown_at_reset = 0;
  uint8_t at_reset = 0;   ///< the other bits after a reset
  uint8_t restart = 0;    ///< while this bit (ADATE) is set, hardware sets the busy bits, too
  uint8_t refused = 0;    ///< setting these bits starts something that is not modelled (SPMEN)
  uint8_t guards = 0;     ///< bits whose clearing may leave the flag of an interrupt set (Interrupt::leaves)
  uint8_t valid = 0xff;   ///< bits that exist: the others read as zero
  uint8_t strobes = 0;    ///< bits that do something when set and read as zero
  uint8_t restarts = 0;   ///< of these: those that restart the prescaler of timers (PSR...)
  uint8_t hold = 0;       ///< while this bit (TSM) is set, they stay set
  bool compares = false;  ///< OCRnx
  BitAt calm;             ///< while this bit (the direction of SS) is set, hardware leaves the busy bits alone
  int8_t timer = -1;      ///< Counter and clock-select registers: which timer
  Timed timed;
  Half half;
  std::vector<Override> overrides;  ///< pins: what drives them besides PORTx
  std::vector<RegisterBit> bits;
};

struct Compare {
  uint16_t low = 0, high = 0;  ///< OCRx; high 0: 8 bits
  uint8_t flag_mask = 0;
};

struct Timer {
  int number = 0;
  uint16_t select_register = 0;  ///< holds the clock select bits; they start and stop the timer
  uint8_t select_mask = 0;
  uint16_t counter_low = 0, counter_high = 0;  ///< counter_high 0: an 8-bit timer
  uint16_t flag_register = 0;
  uint8_t flag_mask = 0;
  uint8_t overflow_mask = 0;
  int8_t temp = -1;               ///< which of the device's TEMP registers is this timer's; -1: none
  std::array<BitAt, 4> mode{};    ///< waveform generation mode, lowest bit first
  std::vector<Compare> compares;  ///< the first one is the top of the CTC mode
};

/// In which sleep modes an interrupt can come.
enum class Wakes : uint8_t {
  Idle,         ///< idle only: it needs the I/O clock
  Noise,        ///< also in ADC noise reduction mode
  Asynchronous, ///< a timer with its own crystal: wherever that keeps running
  Always,
};

enum class SleepMode : uint8_t { Idle, NoiseReduction, PowerDown, PowerSave, Standby, ExtendedStandby, Reserved };

struct Interrupt {
  uint8_t vector = 0;
  std::string_view name;
  uint16_t enable_register = 0;  ///< 0: it is not known what enables it, it may come at any time if it has a handler
  uint8_t enable_mask = 0;
  uint16_t guard_register = 0;  ///< the peripheral must be switched on here too (0: no such bit)
  uint8_t guard_mask = 0;
  int8_t leaves = -1;  ///< its flag may stay set when the guard closes; a number among those, or -1
  BitAt clears;        ///< ... and a one written here clears it; address 0: nothing does while the guard is closed
  int8_t timer = -1;   ///< the guard is the clock of this timer, and flag_mask may outlive it
  uint8_t flag_mask = 0;
  Wakes wakes = Wakes::Always;
};

/// The bits of the watchdog.
struct Watchdog {
  BitAt enable;      ///< WDE
  BitAt interrupt;   ///< WDIE; address 0 on devices without that mode
  BitAt reset_flag;  ///< WDRF: while it is set, WDE cannot be cleared (devices with WDIE)
};

class Device {
 public:
  explicit Device(const DeviceTable& table);

  const DeviceTable& table() const { return table_; }
  std::string_view name() const { return table_.name; }
  uint32_t flash_words() const { return table_.flash_bytes / 2; }
  uint16_t ram_start() const { return table_.ram_start; }
  uint16_t ram_end() const { return table_.ram_end; }

  /// Of an address below ram_start(); kind Reserved where there is none.
  const Register& at(uint16_t address) const { return io_[address]; }
  const Register* find_register(std::string_view name) const;
  const std::vector<std::pair<std::string_view, uint16_t>>& register_names() const { return names_; }

  const std::vector<Interrupt>& interrupts() const { return interrupts_; }
  const std::vector<Timer>& timers() const { return timers_; }

  using Bit = BitAt;
  /// The register that has a bit of this name, and its mask.
  std::optional<Bit> find_bit(std::string_view bit) const;
  std::optional<Bit> sleep_enable() const { return sleep_enable_; }
  const Watchdog& watchdog() const { return watchdog_; }
  BitAt window_key(Window window) const { return window_keys_[window]; }
  uint8_t temp_count() const { return temp_count_; }
  /// Sleep mode bits, lowest first.
  const std::array<BitAt, 3>& sleep_mode_bits() const { return sleep_mode_bits_; }
  /// A timer 2 that runs on a crystal of its own (ASSR.AS2).
  BitAt asynchronous() const { return asynchronous_; }
  BitAt vector_select() const { return vector_select_; }      ///< IVSEL
  BitAt external_memory() const { return external_memory_; }  ///< SRE

 private:
  void add_registers();
  void add_timers();
  void add_timer_units(Timer& timer) const;
  void add_halves(int number, int8_t index);
  void add_interrupts();
  void add_pins();
  void add_any_pins();
  Interrupt source_of(const VectorRow& row, int8_t& leaving);
  void classify(Register& r) const;
  BitAt bit_or_none(std::string_view name) const;

  const DeviceTable& table_;
  std::vector<Register> io_;  // by address
  std::vector<std::pair<std::string_view, uint16_t>> names_;
  std::vector<Interrupt> interrupts_;
  std::vector<Timer> timers_;
  std::optional<Bit> sleep_enable_;
  Watchdog watchdog_;
  std::array<BitAt, kWindowCount> window_keys_{};
  uint8_t temp_count_ = 0;
  std::array<BitAt, 3> sleep_mode_bits_{};
  BitAt asynchronous_, vector_select_, external_memory_;
};

/// The devices with tables of their own.
std::vector<const DeviceTable*> own_tables();
/// All devices: these, and those from headers.
std::vector<const DeviceTable*> device_tables();

/// The device of this name, in any case of letters. Error(Usage) with the nearest name otherwise.
std::shared_ptr<const Device> find_device(std::string_view name);

/// The table `whittle show --as devices` prints.
std::string devices_text();

}  // namespace whittle::avr
