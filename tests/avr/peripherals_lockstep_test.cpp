// Registers of peripherals against simavr: random writes and reads with random distances, so that timed sequences come
// complete, too late and not at all. Whatever we claim to know must be what simavr has; unknown bits may be anything.
//
// Where the two differ, and the data sheets decide for us:
// - simavr keeps bits that do not exist and strobes (FOC0A), and has no TEMP register: those bits are not compared, and
//   halves of 16-bit registers are written in order.
// - Its timed sequences end a cycle or two earlier, as it counts from the start of the first instruction to the start of
//   the second; distances near the limit are left out.
// - Setting WDCE and WDE together does not set WDE there, nor WDIE: WDE is set before.
// - SBI and CBI of PINx read and write all eight pins there; they touch one.
// - A stopped counter reads as zero there, and so on: TCNTn and running timers are not compared.
#include <cstdlib>
#include <random>

#include "avr/demand.h"
#include "pair.h"

namespace whittle::avr {
namespace {

constexpr uint16_t kWdtcsr = 0x60, kEecr = 0x3f;

class Writer {
 public:
  Writer(Pair& pair, uint32_t seed) : pair_(pair), random_(seed) {
    rules_.observed.assign(pair.core->v.size(), 0);
    rules_.allowed.resize(pair.device().ram_start());
  }

  void begin() {
    avr_reset(pair_.sim);
    pair_.sim->frequency = 16'000'000;
    pair_.core->reset();
    for (uint16_t a = 0; a < 32; ++a) pair_.set_cell(a, 0);
    for (int f = 0; f < 8; ++f) pair_.set_flag(f, 0);
    pair_.set_sp(pair_.device().ram_end());
    pair_.set_pc(0);
  }

  /// One sequence; "" or what differs.
  std::string sequence() {
    switch (random_() % 4) {
      case 0: return watchdog();
      case 1: return eeprom();
      case 2: return write(kWide[random_() % std::size(kWide)]);
      default: return plain();
    }
  }

  uint64_t steps = 0;
  std::string log;

 private:
  static constexpr uint16_t kPlain[] = {0x24, 0x25, 0x27, 0x28, 0x2a, 0x2b, 0x3d, 0x3e, 0x4a, 0x4b, 0x44,
                                        0x47, 0x48, 0x80, 0xb0, 0xb3, 0xb4, 0x69, 0x6b, 0x6c, 0x6d, 0x7c,
                                        0x7e, 0x7f, 0x40, 0x41, 0x23, 0x26, 0x29, 0x4c, 0x7a};
  static constexpr uint16_t kWide[] = {0x88, 0x8a};  // OCR1A, OCR1B

  std::string plain() {
    uint16_t a = kPlain[random_() % std::size(kPlain)];
    switch (random_() % 3) {
      case 0: return read(a);
      case 1: return write_byte(a, uint8_t(random_()));
      default: return flip(a);
    }
  }

  std::string watchdog() {
    uint8_t now = pair_.sim->data[kWdtcsr];
    if ((now & 0x08) == 0) {
      if (std::string d = write_byte(kWdtcsr, uint8_t(0x08 | (now & 0x40))); !d.empty()) return d;
      now = pair_.sim->data[kWdtcsr];
    }
    if (random_() % 4 == 0)
      if (std::string d = write_byte(0x54, uint8_t(random_() & 8)); !d.empty()) return d;  // MCUSR
    if (random_() % 3 != 0)
      if (std::string d = write_byte(kWdtcsr, uint8_t(0x18 | (now & 0x40))); !d.empty()) return d;
    if (std::string d = wait(); !d.empty()) return d;
    if (std::string d = write_byte(kWdtcsr, uint8_t(random_() & 0x6f)); !d.empty()) return d;
    if (std::string d = settle(); !d.empty()) return d;
    return read(kWdtcsr);
  }

  std::string eeprom() {
    if (std::string d = write_byte(0x40, uint8_t(random_())); !d.empty()) return d;
    if (random_() % 3 != 0)
      if (std::string d = flip(kEecr, 2, true); !d.empty()) return d;
    if (std::string d = wait(); !d.empty()) return d;
    if (std::string d = random_() % 2 != 0 ? flip(kEecr, 1, true) : flip(kEecr, 0, true); !d.empty()) return d;
    if (std::string d = settle(); !d.empty()) return d;
    if (std::string d = read(kEecr); !d.empty()) return d;
    return read(0x40);
  }

  /// Well within the limit, or well beyond.
  std::string wait() { return random_() % 2 == 0 ? "" : settle(); }
  std::string settle() {
    for (int i = 0; i < 6; ++i)
      if (std::string d = execute({0}); !d.empty()) return d;
    return "";
  }
  std::string write(uint16_t low) {
    if (std::string d = write_byte(uint16_t(low + 1), uint8_t(random_())); !d.empty()) return d;
    return write_byte(low, uint8_t(random_()));
  }
  std::string write_byte(uint16_t a, uint8_t value) {
    pair_.set_cell(16, value);
    bool out = a < 0x60 && random_() % 2 == 0;
    uint16_t io = uint16_t(a - 0x20);
    std::string d = out ? execute({uint16_t(0xb800 | (16 << 4) | ((io & 0x30) << 5) | (io & 15))})
                        : execute({uint16_t(0x9200 | (16 << 4)), a});
    return d.empty() ? d : fmt::format("write of {:02x} to {:02x}: {}", value, a, d);
  }
  std::string read(uint16_t a) {
    const Register& reg = pair_.device().at(a);
    mask_ = uint8_t(reg.valid & ~reg.strobes);
    std::string d = execute({uint16_t(0x9000 | (17 << 4)), a});
    mask_ = 0;
    return d.empty() ? d : fmt::format("read of {:02x}: {}", a, d);
  }
  std::string flip(uint16_t a) { return flip(a, uint8_t(random_() & 7), random_() % 2 == 0); }
  std::string flip(uint16_t a, uint8_t bit, bool set) {
    if (a >= 0x40 || pair_.device().at(a).kind == RegisterKind::Pin) return "";
    std::string d = execute({uint16_t((set ? 0x9a00 : 0x9800) | ((a - 0x20) << 3) | bit)});
    return d.empty() ? d : fmt::format("{} bit {} of {:02x}: {}", set ? "sbi" : "cbi", bit, a, d);
  }

  std::string execute(std::vector<uint16_t> words) {
    Core& c = *pair_.core;
    ++steps;
    log += fmt::format("{:04x} {:04x} r16={:02x}; ", words[0], words.size() > 1 ? words[1] : 0, pair_.sim->data[16]);
    uint32_t pc = 100;
    pair_.set_pc(pc);
    for (size_t i = 0; i < words.size(); ++i) pair_.set_word(uint32_t(pc + i), words[i]);
    words.resize(2, 0);
    auto decoded = decode_flash(words, pair_.device());
    (*pair_.code)[pc] = decoded[0];
    (*pair_.code)[pc].k = decoded[0].k;
    c.canonicalise();
    Delivery delivery;
    for (int n = 0; n < 8; ++n) {  // what must be decided is decided as simavr has it
      Demand need = demand(c, rules_);
      if (need.kind != Demand::Kind::Bits) break;
      for (uint8_t bit = 0; bit < 8; ++bit)
        if ((need.mask & (1u << bit)) != 0) c.resolve(need.cell, bit, (pair_.sim->data[need.cell] >> bit & 1) != 0);
      c.canonicalise();
    }
    pair_.sim->state = cpu_Running;
    pair_.sim->pc = avr_run_one(pair_.sim);
    avr_cycle_timer_process(pair_.sim);
    if (!c.execute(delivery)) return "ours met a fault";
    return difference();
  }

  std::string difference() const {
    const Core& c = *pair_.core;
    if (((c.v[17] ^ pair_.sim->data[17]) & ~c.x[17] & mask_) != 0)
      return fmt::format("r17: ours {:02x} (unknown {:02x}), simavr {:02x}", c.v[17], c.x[17], pair_.sim->data[17]);
    for (uint16_t a : {kWdtcsr, kEecr, uint16_t(0x40), uint16_t(0x25), uint16_t(0x88), uint16_t(0x89), uint16_t(0x8a)}) {
      const Register& reg = pair_.device().at(a);
      Core::View view = c.inspect(a);
      auto known = uint8_t(~(view.stored_x | view.fresh) & reg.valid & ~reg.strobes);
      for (uint8_t w = 0; w < kWindowCount; ++w) {  // the end of a window is not compared
        BitAt key = pair_.device().window_key(Window(w));
        if (key.address == a && c.window[w] != 0) known &= uint8_t(~key.mask);
      }
      bool half = reg.half.timer >= 0 && reg.half.high;
      if (half) continue;  // simavr changes it before the other half is written
      if (((view.v ^ pair_.sim->data[a]) & known) != 0)
        return fmt::format("{}: ours {:02x} (known {:02x}), simavr {:02x}", reg.name, view.v, known,
                           pair_.sim->data[a]);
    }
    return "";
  }

  Pair& pair_;
  std::mt19937 random_;
  DemandRules rules_;
  uint8_t mask_ = 0;  ///< bits of the register that was read
};

TEST(Lockstep, TimedSequencesOfPeripherals) {
  Pair pair("atmega328p");
  const uint64_t count = std::getenv("WHITTLE_LONG") != nullptr ? 10'000'000 : 150'000;
  Writer writer(pair, 815);
  while (writer.steps < count) {
    writer.begin();
    writer.log.clear();
    for (int i = 0; i < 12; ++i) {
      std::string difference = writer.sequence();
      ASSERT_EQ(difference, "") << "after " << writer.steps << " steps: " << writer.log.substr(writer.log.size() > 2000 ? writer.log.size() - 2000 : 0);
    }
  }
}

}  // namespace
}  // namespace whittle::avr
