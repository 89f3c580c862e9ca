// Registers get their behaviour from their names: classic AVRs call the same thing the same everywhere.
#include "avr/device.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>

#include "base/error.h"
#include "base/nearest.h"

namespace whittle::avr {

namespace {

struct Rule {
  std::string_view pattern;  ///< register name; '*' matches any rest
  RegisterKind kind;
  std::string_view fresh;  ///< names of bits, a trailing '*' matches any rest; "all"
  std::string_view busy;
};

// The first rule that matches counts. What matches none is Plain.
constexpr Rule kRules[] = {
    {"SREG", RegisterKind::Sreg, "", ""},
    {"SPL", RegisterKind::Spl, "", ""},
    {"SPH", RegisterKind::Sph, "", ""},
    {"PIN*", RegisterKind::Pin, "", ""},
    {"PORT*", RegisterKind::Latch, "", ""},
    {"GPIOR*", RegisterKind::Latch, "", ""},
    {"OCR*", RegisterKind::Latch, "", ""},
    {"OCDR", RegisterKind::Latch, "", ""},
    {"EECR", RegisterKind::EepromControl, "", "EEPE EEWE"},
    {"EEDR", RegisterKind::Latch, "", ""},
    {"EEAR*", RegisterKind::Latch, "", ""},
    {"TCNT*", RegisterKind::Counter, "", ""},
    {"TIFR*", RegisterKind::Flags, "", ""},
    {"GIFR", RegisterKind::Flags, "all", ""},
    {"EIFR", RegisterKind::Flags, "all", ""},
    {"ETIFR", RegisterKind::Flags, "", ""},
    {"PCIFR", RegisterKind::Flags, "all", ""},
    {"UDR", RegisterKind::Stream, "all", ""},
    {"UDR?", RegisterKind::Stream, "all", ""},
    {"UCSRA", RegisterKind::Plain, "RXC TXC UDRE FE DOR PE UPE", ""},
    {"UCSR?A", RegisterKind::Plain, "RXC* TXC* UDRE* FE* DOR* UPE*", ""},
    {"UCSRB", RegisterKind::Plain, "RXB8", ""},
    {"UCSR?B", RegisterKind::Plain, "RXB8*", ""},
    {"ADCL", RegisterKind::Stream, "all", ""},
    {"ADCH", RegisterKind::Stream, "all", ""},
    {"ADCSRA", RegisterKind::Plain, "ADIF", "ADSC"},
    {"ACSR", RegisterKind::Plain, "ACO ACI", ""},
    {"SPCR", RegisterKind::Plain, "", "MSTR"},
    {"SPDR", RegisterKind::Stream, "all", ""},
    {"SPSR", RegisterKind::Plain, "SPIF WCOL", ""},
    {"TWDR", RegisterKind::Stream, "all", ""},
    {"TWCR", RegisterKind::Plain, "TWINT TWWC", "TWSTO"},
    {"TWSR", RegisterKind::Plain, "TWS*", ""},
    {"ICR*", RegisterKind::Stream, "all", ""},
    {"USISR", RegisterKind::Plain, "all", ""},
    {"USIDR", RegisterKind::Stream, "all", ""},
    {"USIBR", RegisterKind::Stream, "all", ""},
    {"ASSR", RegisterKind::Plain, "TCR2* OCR2* TCN2*", ""},
    {"MCUCSR", RegisterKind::Plain, "JTD", ""},
    {"MCUCR", RegisterKind::Plain, "JTD BODS BODSE", ""},
    {"WDTCR", RegisterKind::Plain, "WDIF WDTIF", ""},
    {"WDTCSR", RegisterKind::Plain, "WDIF", ""},
    {"PLLCSR", RegisterKind::Plain, "PLOCK", ""},
    {"USBSTA", RegisterKind::Plain, "all", ""},
    {"USBINT", RegisterKind::Plain, "all", ""},
    {"UDINT", RegisterKind::Plain, "all", ""},
    {"UDFNUM*", RegisterKind::Stream, "all", ""},
    {"UDMFN", RegisterKind::Stream, "all", ""},
    {"UEINT*", RegisterKind::Plain, "all", ""},
    {"UEDATX", RegisterKind::Stream, "all", ""},
    {"UEBC*", RegisterKind::Stream, "all", ""},
    {"UESTA*", RegisterKind::Stream, "all", ""},
    {"RCCTRL", RegisterKind::Plain, "all", ""},
    {"CLKSTA", RegisterKind::Plain, "all", ""},
};

bool matches(std::string_view pattern, std::string_view name) {
  if (pattern.ends_with('*')) return name.starts_with(pattern.substr(0, pattern.size() - 1));
  if (pattern.size() != name.size()) return false;
  for (size_t i = 0; i < name.size(); ++i)
    if (pattern[i] != '?' && pattern[i] != name[i]) return false;
  return true;
}

// Configuration registers that no device with a table of its own has. Of other registers that stand in headers only nothing
// is known: they read as anything.
constexpr std::string_view kConfiguration[] = {"ETIMSK", "TIMSK*", "TCCR*", "EICR*", "PCMSK*", "DIDR*", "PRR*",
                                               "XDIV",   "EMCUCR", "PORTCR", "XMCR*", "SPMCR*", "DDR*"};

bool is_configuration(std::string_view name) {
  static const std::set<std::string_view> known = [] {
    std::set<std::string_view> out;
    for (const DeviceTable* table : own_tables())
      for (const RegisterRow& row : table->registers) out.insert(row.name);
    return out;
  }();
  return known.contains(name) || std::any_of(std::begin(kConfiguration), std::end(kConfiguration),
                                             [&](std::string_view pattern) { return matches(pattern, name); });
}

// What is not zero after a reset.
constexpr std::pair<std::string_view, uint8_t> kAtReset[] = {
    {"TWAR", 0xfe},  {"UCSR?C", 0x06}, {"UCSRC", 0x86}, {"OCR1C", 0xff},
    {"OCR4C", 0xff}, {"PLLFRQ", 0x04}, {"USBCON", 0x20}, {"UDCON", 0x01},
};

// How an interrupt is enabled: bit names with '#' for the number in the vector's name.
struct InterruptRule {
  std::string_view vector;  ///< '#' stands for an optional number
  std::string_view enable;
  std::string_view guard;  ///< a bit, or "reg:NAME" for any bit of a register, or "timer"
  std::string_view flag;   ///< timers, and where the program clears it by a one
  Wakes wakes = Wakes::Idle;
  bool leaves = false;  ///< the flag stays as it is when the guard closes
};
constexpr InterruptRule kInterruptRules[] = {
    {"INT#", "INT#", "", "", Wakes::Always},
    {"PCINT#", "PCIE#", "reg:PCMSK#", "PCIF#", Wakes::Always, true},
    {"TIMER#_OVF", "TOIE#", "timer", "TOV#"},
    {"TIMER#_COMP", "OCIE#", "timer", "OCF#"},
    {"TIMER#_COMPA", "OCIE#A", "timer", "OCF#A"},
    {"TIMER#_COMPB", "OCIE#B", "timer", "OCF#B"},
    {"TIMER#_CMPA", "OCIE#A", "timer", "OCF#A"},
    {"TIMER#_CMPB", "OCIE#B", "timer", "OCF#B"},
    {"TIMER#_COMPC", "OCIE#C", "timer", "OCF#C"},
    {"TIMER#_COMPD", "OCIE#D", "timer", "OCF#D"},
    {"TIMER#_CAPT", "ICIE#", "", ""},
    {"TIMER#_FPF", "FPIE#", "", ""},
    {"ADC", "ADIE", "ADEN", "ADIF", Wakes::Noise, true},
    {"ANA_COMP", "ACIE", "", ""},
    {"ANALOG_COMP", "ACIE", "", ""},
    {"USART_RXC", "RXCIE", "RXEN", ""},
    {"USART_UDRE", "UDRIE", "", ""},
    {"USART_TXC", "TXCIE", "TXEN", "", Wakes::Idle, true},
    {"USART_RX", "RXCIE", "RXEN", ""},
    {"USART_TX", "TXCIE", "TXEN", "", Wakes::Idle, true},
    {"USART#_RX", "RXCIE#", "RXEN#", ""},
    {"USART#_UDRE", "UDRIE#", "", ""},
    {"USART#_TX", "TXCIE#", "TXEN#", "", Wakes::Idle, true},
    {"SPI_STC", "SPIE", "SPE", "", Wakes::Idle, true},
    {"TWI", "TWIE", "TWEN", "", Wakes::Always},
    {"EE_RDY", "EERIE", "", "", Wakes::Noise},
    {"EEPROM_READY", "EERIE", "", "", Wakes::Noise},
    {"EE_READY", "EERIE", "", "", Wakes::Noise},
    {"SPM_RDY", "SPMIE", "", "", Wakes::Noise},
    {"SPM_READY", "SPMIE", "", "", Wakes::Noise},
    {"WDT", "WDIE", "", "", Wakes::Always},
    {"WDT_OVERFLOW", "WDIE", "", "", Wakes::Always},
    {"USI_START", "USISIE", "", "", Wakes::Always},
    {"USI_OVF", "USIOIE", "", ""},
    {"USI_STR", "USISIE", "", "", Wakes::Always},
    {"USI_OVERFLOW", "USIOIE", "", ""},
    {"USB_GEN", "reg:UDIEN", "", "", Wakes::Always},
    {"USB_COM", "reg:UEIENX", "", ""},
};

template <typename F>
void each_word(std::string_view text, F&& f) {
  while (!text.empty()) {
    size_t end = std::min(text.find(' '), text.size());
    if (end > 0) f(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

uint8_t bits_named(const Register& r, std::string_view names) {
  if (names == "all") return 0xff;
  uint8_t mask = 0;
  each_word(names, [&](std::string_view pattern) {
    for (const RegisterBit& b : r.bits)
      if (matches(pattern, b.name)) mask |= uint8_t(1u << b.bit);
  });
  return mask;
}

/// The number that '#' stands for when `name` is an instance of `pattern`; "" is a number too.
std::optional<std::string> number_in(std::string_view pattern, std::string_view name) {
  size_t hash = pattern.find('#');
  if (hash == std::string_view::npos) return pattern == name ? std::optional<std::string>("") : std::nullopt;
  std::string_view head = pattern.substr(0, hash), tail = pattern.substr(hash + 1);
  if (name.size() < head.size() + tail.size() || !name.starts_with(head) || !name.ends_with(tail)) return std::nullopt;
  std::string_view middle = name.substr(head.size(), name.size() - head.size() - tail.size());
  if (!std::all_of(middle.begin(), middle.end(), [](char c) { return c >= '0' && c <= '9'; })) return std::nullopt;
  return std::string(middle);
}

std::string fill(std::string_view pattern, std::string_view number) {
  std::string out;
  for (char c : pattern) c == '#' ? out.append(number) : out.append(1, c);
  return out;
}

}  // namespace

Device::Device(const DeviceTable& table) : table_(table), io_(table.ram_start) {
  add_registers();
  add_timers();
  add_interrupts();
  table.from_headers ? add_any_pins() : add_pins();
  sleep_enable_ = find_bit("SE");
  for (size_t i = 0; i < sleep_mode_bits_.size(); ++i) sleep_mode_bits_[i] = bit_or_none(fmt::format("SM{}", i));
  watchdog_ = {bit_or_none("WDE"), bit_or_none(find_bit("WDIE") ? "WDIE" : "WDTIE"), bit_or_none("WDRF")};
  for (const Register& r : io_)
    if (r.timed.key != 0) window_keys_[r.timed.window] = {r.address, r.timed.key};
  window_keys_[kEepromWindow] = bit_or_none(find_bit("EEMPE") ? "EEMPE" : "EEMWE");
  asynchronous_ = bit_or_none(find_bit("AS2") ? "AS2" : "AS0");
  vector_select_ = bit_or_none("IVSEL");
  external_memory_ = bit_or_none("SRE");
}

BitAt Device::bit_or_none(std::string_view name) const { return find_bit(name).value_or(BitAt{}); }

/// Which pins peripherals take over.
void Device::add_pins() {
  for (const PinRow& row : table_.pins) {
    each_word(row.enable, [&](std::string_view name) {
      auto enable = find_bit(name);
      if (!enable) fail_internal("{}: no bit {} for the pins {}", table_.name, name, row.pins);
      each_word(row.pins, [&](std::string_view pin) {  // PD6
        const Register* r = find_register(fmt::format("PIN{}", pin[1]));
        auto mask = uint8_t(1u << (pin[2] - '0'));
        if (r == nullptr || (r->valid & mask) == 0) fail_internal("{}: no pin {}", table_.name, pin);
        io_[r->address].overrides.push_back({*enable, mask});
        BitAt& calm = io_[enable->address].calm;  // the first pin of SPI is SS: as an input it may end the master mode
        if (name == "SPE" && calm.address == 0) calm = {uint16_t(r->address + 1), mask};
      });
    });
  }
}

/// Which pins a peripheral drives is in no header: any of them while it is on.
void Device::add_any_pins() {
  for (const Register& r : io_) {
    auto mask = bits_named(r, "COM* PWM1* TXEN* RXEN* SPE TWEN USIWM*");
    if (mask == 0) continue;
    for (Register& pin : io_)
      if (pin.kind == RegisterKind::Pin) pin.overrides.push_back({{r.address, mask}, 0xff});
  }
}

void Device::add_registers() {
  for (const RegisterRow& row : table_.registers) {
    names_.emplace_back(row.name, row.address);
    Register& r = io_[row.address];
    if (r.address != 0) {  // a second name of the same address
      // UBRRH and UCSRC share one and take turns when they are read: either may answer.
      if (r.name == "UCSRC" || r.name == "UBRRH") r.fresh = r.valid = 0xff;
      continue;
    }
    r.address = row.address;
    r.name = row.name;
    each_word(row.bits, [&](std::string_view item) {
      size_t eq = item.find('=');
      r.bits.push_back({item.substr(0, eq), uint8_t(item[eq + 1] - '0')});
    });
    classify(r);
  }
}

namespace {

void classify_timed(Register& r) {
  auto sequence = [&](Window window, std::string_view key, std::string_view with, std::string_view guarded,
                      std::string_view free_ones) {
    if (uint8_t bit = bits_named(r, key); bit != 0)
      r.timed = {window, bit, bits_named(r, with), bits_named(r, guarded), bits_named(r, free_ones)};
  };
  sequence(kWatchdogWindow, "WDCE", "WDE", "WDE WDP*", "WDE");
  sequence(kWatchdogWindow, "WDTOE", "WDE", "WDE", "WDE");  // the first watchdogs guard only the bit that stops them
  sequence(kClockWindow, "CLKPCE", "", "CLKPS*", "");
  sequence(kVectorWindow, "IVCE", "", "IVSEL", "");
}

}  // namespace

void Device::classify(Register& r) const {
  r.kind = RegisterKind::Plain;
  bool known = false;
  for (const Rule& rule : kRules) {
    if (!matches(rule.pattern, r.name)) continue;
    r.kind = rule.kind;
    r.fresh = bits_named(r, rule.fresh);
    r.busy = bits_named(r, rule.busy);
    known = true;
    break;
  }
  if (!known && table_.from_headers && !is_configuration(r.name)) r.kind = RegisterKind::Stream, r.fresh = 0xff;
  if (r.name == "PINDIV") r.kind = RegisterKind::Plain;
  if (!r.bits.empty()) {
    r.valid = 0;
    for (const RegisterBit& b : r.bits) r.valid |= uint8_t(1u << b.bit);
  }
  if (r.name == "EEARH") r.valid = uint8_t((table_.eeprom_bytes - 1) >> 8);
  if (matches("UBRR?H", r.name)) r.valid = 0x0f;
  r.strobes = bits_named(r, "FOC* PSR*");
  r.restarts = bits_named(r, "PSR*");
  r.hold = bits_named(r, "TSM");
  r.compares = r.name.starts_with("OCR");
  classify_timed(r);
  if (r.name == "MCUSR" || r.name == "MCUCSR") r.unknown_at_reset = bits_named(r, "PORF EXTRF BORF WDRF JTRF");
  if (r.name == "OSCCAL") r.unknown_at_reset = 0xff;
  if (r.name.starts_with("EEAR")) r.unknown_at_reset = r.valid;
  for (const auto& [name, value] : kAtReset)
    if (matches(name, r.name)) r.at_reset = value & r.valid;
  if (r.name == "ADCSRA") r.restart = bits_named(r, "ADATE ADFR");
  if (r.name == "SPMCSR" || r.name == "SPMCR") r.refused = bits_named(r, "SPMEN SELFPRGEN");
}

void Device::add_timers() {
  for (int n = 0; n <= 5; ++n) {
    Timer timer;
    timer.number = n;
    for (const char* pattern : {"TCCR{}B", "TCCR{}", "TCCR{}A"}) {
      const Register* r = find_register(fmt::format(fmt::runtime(pattern), n));
      if (r == nullptr) continue;
      for (const RegisterBit& b : r->bits)
        if (b.name.starts_with(fmt::format("CS{}", n))) timer.select_mask |= uint8_t(1u << b.bit);
      if (timer.select_mask == 0) continue;
      timer.select_register = r->address;
      break;
    }
    if (timer.select_register == 0) continue;
    if (const Register* low = find_register(fmt::format("TCNT{}L", n))) {
      timer.counter_low = low->address;
      timer.counter_high = find_register(fmt::format("TCNT{}H", n))->address;
    } else if (const Register* only = find_register(fmt::format("TCNT{}", n))) {
      timer.counter_low = only->address;
      if (const Register* high = find_register(fmt::format("TC{}H", n))) timer.counter_high = high->address;
    }
    auto index = int8_t(timers_.size());
    if (find_register(fmt::format("TC{}H", n)) != nullptr && timer.counter_high != 0) {
      // The upper bits of a 10-bit timer pass through TCnH on every access: whatever is read there is any value.
      io_[timer.counter_high].kind = RegisterKind::Stream;
      io_[timer.counter_high].fresh = 0xff;
      timer.counter_high = 0;
    } else if (timer.counter_high != 0) {
      timer.temp = int8_t(temp_count_++);
      add_halves(n, index);
    }
    for (uint16_t a : {timer.select_register, timer.counter_low, timer.counter_high})
      if (a != 0) io_[a].timer = index;
    add_timer_units(timer);
    timers_.push_back(timer);
  }
  for (Register& r : io_)
    if (r.kind == RegisterKind::Counter && r.timer < 0 && r.half.timer < 0) r.kind = RegisterKind::Stream, r.fresh = 0xff;
  // Flags that belong to no timer of ours (input capture, fault protection) come from outside.
  for (Register& r : io_) {
    if (r.kind != RegisterKind::Flags || r.fresh == 0xff) continue;
    uint8_t timed = 0;
    for (const Timer& timer : timers_)
      if (timer.flag_register == r.address) timed |= timer.flag_mask;
    r.fresh = uint8_t(~timed);
  }
}

/// The 16-bit registers of a timer share its TEMP register.
void Device::add_halves(int number, int8_t index) {
  for (const char* pattern : {"TCNT{}", "ICR{}", "OCR{}A", "OCR{}B", "OCR{}C"}) {
    std::string name = fmt::format(fmt::runtime(pattern), number);
    const Register* low = find_register(name + "L");
    const Register* high = find_register(name + "H");
    if (low == nullptr || high == nullptr) continue;
    bool latches = !name.starts_with("OCR");
    io_[low->address].half = {index, false, latches, high->address};
    io_[high->address].half = {index, true, latches, low->address};
  }
}

void Device::add_timer_units(Timer& timer) const {
  int n = timer.number;
  if (auto bit = find_bit(fmt::format("TOV{}", n))) {
    timer.flag_register = bit->address;
    timer.flag_mask = timer.overflow_mask = bit->mask;
  }
  for (const char* unit : {"", "A", "B", "C", "D"}) {
    auto flag = find_bit(fmt::format("OCF{}{}", n, unit));
    if (!flag || (timer.flag_register != 0 && flag->address != timer.flag_register)) continue;
    timer.flag_register = flag->address;
    timer.flag_mask |= flag->mask;
    Compare compare;
    compare.flag_mask = flag->mask;
    if (const Register* only = find_register(fmt::format("OCR{}{}", n, unit))) {
      compare.low = only->address;
    } else if (const Register* low = find_register(fmt::format("OCR{}{}L", n, unit))) {
      compare.low = low->address;
      compare.high = find_register(fmt::format("OCR{}{}H", n, unit))->address;
    } else {
      continue;
    }
    timer.compares.push_back(compare);
  }
  for (size_t i = 0; i < timer.mode.size(); ++i)
    if (auto bit = find_bit(fmt::format("WGM{}{}", n, i))) timer.mode[i] = *bit;
}

void Device::add_interrupts() {
  int8_t leaving = 0;
  for (const VectorRow& row : table_.vectors) {
    bool again = !interrupts_.empty() && interrupts_.back().vector == row.number;  // a second name of the same vector
    if (again && interrupts_.back().enable_register != 0) continue;
    Interrupt source = source_of(row, leaving);
    if (!again)
      interrupts_.push_back(source);
    else if (source.enable_register != 0)
      interrupts_.back() = source;
  }
}

Interrupt Device::source_of(const VectorRow& row, int8_t& leaving) {
  Interrupt source;
  source.vector = row.number;
  source.name = row.name;
  std::string name = row.name;  // small devices call it TIM0_OVF
  if (name.starts_with("TIM") && name.size() > 3 && std::isdigit(static_cast<unsigned char>(name[3])) != 0) name.insert(3, "ER");
  for (const InterruptRule& rule : kInterruptRules) {
    auto number = number_in(rule.vector, name);
    if (!number) continue;
    auto where = [&](std::string_view what) -> std::optional<Bit> {
      if (what.empty()) return std::nullopt;
      if (what.starts_with("reg:")) {
        std::string wanted = fill(what.substr(4), *number);
        const Register* r = find_register(wanted);
        if (r == nullptr && wanted == "PCMSK0") r = find_register("PCMSK");
        return r == nullptr ? std::nullopt : std::optional<Bit>(Bit{r->address, 0xff});
      }
      auto bit = find_bit(fill(what, *number));
      return bit ? bit : find_bit(fill(what, *number) + "0");  // the only USART may be number 0
    };
    auto enable = where(rule.enable);
    if (!enable && rule.enable == "PCIE#") enable = find_bit("PCIE");
    if (!enable && rule.enable == "WDIE") enable = find_bit("WDTIE");
    if (!enable && rule.enable == "ICIE#") enable = find_bit("TICIE" + *number);
    if (!enable || io_[enable->address].kind == RegisterKind::Stream) break;
    source.wakes = rule.wakes;
    source.enable_register = enable->address;
    source.enable_mask = enable->mask;
    if (rule.guard == "timer") {
      for (size_t i = 0; i < timers_.size(); ++i)
        if (std::to_string(timers_[i].number) == *number) source.timer = int8_t(i);
      if (find_bit("AS" + *number)) source.wakes = Wakes::Asynchronous;
      auto flag = find_bit(fill(rule.flag, *number));
      if (source.timer >= 0 && flag) source.flag_mask = flag->mask;
      // Flags in another register than the timer's are not followed.
      if (source.timer >= 0 && (!flag || flag->address != timers_[size_t(source.timer)].flag_register)) source.timer = -1;
    } else if (auto guard = where(rule.guard)) {
      source.guard_register = guard->address;
      source.guard_mask = guard->mask;
      if (rule.leaves) source.leaves = leaving++, io_[guard->address].guards |= guard->mask;
      auto flag = where(rule.flag);
      if (!flag && rule.flag == "PCIF#") flag = find_bit("PCIF");
      if (rule.leaves && flag) source.clears = *flag;
    }
    break;
  }
  return source;
}

const Register* Device::find_register(std::string_view name) const {
  for (const auto& [known, address] : names_)
    if (known == name) return &io_[address];
  return nullptr;
}

std::optional<Device::Bit> Device::find_bit(std::string_view bit) const {
  for (const Register& r : io_) {
    // Pin-change masks name their bits like the interrupts; those are never what is looked for.
    if (r.kind == RegisterKind::Reserved || r.name.starts_with("PCMSK")) continue;
    for (const RegisterBit& b : r.bits)
      if (b.name == bit) return Bit{r.address, uint8_t(1u << b.bit)};
  }
  return std::nullopt;
}

}  // namespace whittle::avr
