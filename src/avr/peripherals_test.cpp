// Peripherals as the data sheets have them: timed sequences, TEMP, sleep modes, pins that are driven by others, the
// synchroniser, resets, and stacks.
#include <gtest/gtest.h>

#include "avr/firmware.h"
#include "avr/test_image.h"
#include "base/error.h"

namespace whittle::avr {
namespace {

using namespace test;
using machine::StepKind;
using Words = std::vector<uint16_t>;

Words join(std::initializer_list<Words> parts) {
  Words out;
  for (const Words& part : parts) out.insert(out.end(), part.begin(), part.end());
  return out;
}

/// Runs a program without choices to its end.
std::unique_ptr<AvrMachine> run(const Words& code, const char* device = "atmega328p", ChipOptions options = {},
                                Environment environment = {}) {
  auto m = machine_of(code, options, device, 0x110, std::move(environment));
  m->reset();
  for (int i = 0; i < 200 && m->successors().count != 0; ++i)
    if (m->step(0) != StepKind::Moved) break;
  return m;
}

constexpr uint16_t kWdtcsr = 0x60, kMcusr = 0x54;

/// WDTCSR: the two writes of a timed sequence with some instructions between them.
Words watchdog(uint8_t first, int nops, uint8_t second) {
  return join({{as::ldi(16, 0)}, as::sts(kMcusr, 16), {as::ldi(16, first), as::ldi(17, second)}, as::sts(kWdtcsr, 16),
               Words(size_t(nops), as::kNop), as::sts(kWdtcsr, 17), {as::kNop, as::kNop, as::kNop, as::kNop, as::kHalt}});
}

TEST(Watchdog, IsSwitchedOffOnlyInItsSequence) {
  auto off = parse_environment("never watchdog", "env", *find_device("atmega328p"));
  auto enabled = [&](const Words& code) { return run(code, "atmega328p", {}, off)->core().v[kWdtcsr]; };
  EXPECT_EQ(enabled(watchdog(0x08, 0, 0x00)), 0x08);  // WDE set, then cleared without WDCE: still on
  EXPECT_EQ(enabled(watchdog(0x18, 0, 0x00)), 0x00);  // with WDCE
  EXPECT_EQ(enabled(watchdog(0x18, 2, 0x00)), 0x00);  // the write is the fourth cycle
  EXPECT_EQ(enabled(watchdog(0x18, 3, 0x00)), 0x08);  // the fifth
  EXPECT_EQ(enabled(watchdog(0x10, 0, 0x00)), 0x00);  // WDCE alone opens nothing, and WDE was never set
  EXPECT_EQ(enabled(watchdog(0x18, 0, 0x2f)), 0x2f);  // a new period
  EXPECT_EQ(enabled(watchdog(0x08, 0, 0x2f)), 0x08);  // not without the sequence
  EXPECT_EQ(enabled(watchdog(0x08, 0, 0x40)), 0x48);  // WDIE is free
}

TEST(Watchdog, CannotBeSwitchedOffWhileItsResetFlagIsSet) {
  auto off = parse_environment("never watchdog", "env", *find_device("atmega328p"));
  Words code = join({{as::ldi(16, 0x18), as::ldi(17, 0)}, as::sts(kWdtcsr, 16), as::sts(kWdtcsr, 17), {as::kHalt}});
  auto m = machine_of(code, {}, "atmega328p", 0x110, off);
  std::set<std::pair<int, int>> ends;  // WDRF, WDE
  for (const auto& state : all_states(*m).ends) {
    m->load(state);
    ends.insert({m->core().v[kMcusr] >> 3 & 1, m->core().v[kWdtcsr] >> 3 & 1});
  }
  EXPECT_EQ(ends, (std::set<std::pair<int, int>>{{0, 0}, {1, 1}}));
}

TEST(Watchdog, ItsResetSetsItsFlagAndKeepsItRunning) {
  Words code = join({{as::ldi(16, 0)}, as::sts(kMcusr, 16), {as::ldi(16, 8)}, as::sts(kWdtcsr, 16), {as::kHalt}});
  auto m = machine_of(code, {}, "atmega328p", 0x110);
  m->reset();
  for (int i = 0; i < 4; ++i) m->step(0);
  ASSERT_EQ(m->successors().count, 2u);
  ASSERT_TRUE(m->explain(1).watchdog);
  m->step(1);
  EXPECT_EQ(m->core().pc, 0u);
  EXPECT_EQ(m->core().v[kMcusr], 0x08);
  EXPECT_EQ(m->core().x[kMcusr], 0x00);
  EXPECT_EQ(m->core().v[kWdtcsr], 0x08);
  EXPECT_EQ(m->successors().count, 2u);  // it may bite again at once
}

TEST(Watchdog, TheFirstOnesGuardOnlyTheirEnableBit) {
  auto off = parse_environment("never watchdog", "env", *find_device("atmega16"));
  auto end = [&](uint8_t first, uint8_t second) {
    Words code = {as::ldi(16, first), as::out(0x21, 16), as::ldi(16, second), as::out(0x21, 16), as::kHalt};
    return run(code, "atmega16", {}, off)->core().v[0x41];
  };
  EXPECT_EQ(end(0x08, 0x00), 0x08);
  EXPECT_EQ(end(0x08, 0x07), 0x0f);
  EXPECT_EQ(end(0x18, 0x00), 0x00);
}

TEST(Eeprom, AWriteStartsOnlyShortlyAfterItsMasterBit) {
  auto busy = [](int nops, bool master) {  // atmega328p: EECR is I/O 0x1f
    Words code = join({{as::ldi(16, 1)}, master ? Words{as::sbi(0x1f, 2)} : Words{}, Words(size_t(nops), as::kNop),
                       {as::sbi(0x1f, 1), as::kHalt}});
    return run(code)->core().x[0x3f] & 2;
  };
  EXPECT_EQ(busy(0, true), 2);
  EXPECT_EQ(busy(2, true), 2);
  EXPECT_EQ(busy(3, true), 0);
  EXPECT_EQ(busy(0, false), 0);
  auto expired = run({as::sbi(0x1f, 2), as::kNop, as::kNop, as::kNop, as::kNop, as::in(17, 0x1f), as::kHalt});
  EXPECT_EQ(expired->core().v[17] & 4, 0);
}

TEST(Clock, PrescalerChangesOnlyInItsSequence) {
  auto end = [](uint8_t first, uint8_t second) {
    return run(join({{as::ldi(16, first), as::ldi(17, second)}, as::sts(0x61, 16), as::sts(0x61, 17), {as::kHalt}}))
        ->core()
        .v[0x61];
  };
  EXPECT_EQ(end(0x80, 0x03), 0x03);
  EXPECT_EQ(end(0x81, 0x03), 0x00);  // CLKPCE counts only when written alone
  EXPECT_EQ(end(0x00, 0x03), 0x00);
}

TEST(Vectors, MovingThemIsUnknownByName) {
  Words code = {as::ldi(16, 1), as::ldi(17, 2), as::out(0x35, 16), as::out(0x35, 17), as::kHalt};
  auto m = run(code);
  EXPECT_EQ(m->fault().kind, FaultKind::NotModelled);
  EXPECT_NE(m->cut_reason().find("IVSEL"), std::string::npos);
  auto outside = run({as::ldi(17, 2), as::out(0x35, 17), as::in(18, 0x35), as::kHalt});
  EXPECT_EQ(outside->fault().kind, FaultKind::None);
  EXPECT_EQ(outside->core().v[18] & 2, 0);
}

TEST(Temp, IsSharedByThe16BitRegistersOfATimer) {
  // OCR1A = 0x1234 the right way round, then the wrong way round.
  Words right = join({{as::ldi(16, 0x12), as::ldi(17, 0x34)}, as::sts(0x89, 16), as::sts(0x88, 17), {as::kHalt}});
  auto m = run(right);
  EXPECT_EQ(m->core().v[0x89], 0x12);
  EXPECT_EQ(m->core().v[0x88], 0x34);
  Words wrong = join({{as::ldi(16, 0x12), as::ldi(17, 0x34)}, as::sts(0x88, 17), as::sts(0x89, 16), {as::kHalt}});
  EXPECT_EQ(run(wrong)->core().v[0x89], 0x00);
  // TCNT1H written, then OCR1BH by someone else, then TCNT1L: the counter gets the other's byte.
  Words torn = join({{as::ldi(16, 0x12), as::ldi(17, 0x56), as::ldi(18, 0x34)},
                     as::sts(0x85, 16),
                     as::sts(0x8b, 17),
                     as::sts(0x84, 18),
                     as::lds(20, 0x84),
                     as::lds(21, 0x85),
                     {as::kHalt}});
  auto t = run(torn);
  EXPECT_EQ(t->core().v[20], 0x34);
  EXPECT_EQ(t->core().v[21], 0x56);
  // OCR1AH reads the register, not TEMP.
  Words direct = join({{as::ldi(16, 0x12), as::ldi(17, 0x34)}, as::sts(0x89, 16), as::sts(0x88, 17), as::sts(0x85, 17),
                       as::lds(20, 0x89), {as::kHalt}});
  EXPECT_EQ(run(direct)->core().v[20], 0x12);
}

TEST(Temp, KeepsTheUpperByteOfARunningCounter) {
  // Timer 1 runs; TCNT1L is read once and TCNT1H twice: the same value.
  Words code = join({{as::ldi(16, 1)}, as::sts(0x81, 16), as::lds(20, 0x84), as::lds(21, 0x85), as::lds(22, 0x85),
                     {as::cpi(21, 7), as::brne(3), as::cpi(22, 7), as::brne(1), as::kHalt, as::kSleep, as::kHalt}});
  auto m = machine_of(code, {}, "atmega328p", 0x110);
  Space space = all_states(*m);
  for (const auto& state : space.ends) {
    m->load(state);
    EXPECT_EQ(m->core().v[21], m->core().v[22]);
  }
  EXPECT_GT(space.ends.size(), 1u);
}

TEST(Pins, ADrivenPinDoesNotReadItsLatch) {
  // DDRD.6 = 1 (OC0A), TCCR0A = COM0A1: the pin shows the waveform.
  Words code = {as::ldi(16, 0xff), as::out(0x0a, 16), as::ldi(16, 0x80), as::out(0x24, 16),
                as::kNop,          as::in(17, 0x09),  as::kHalt};
  auto m = run(code);
  EXPECT_EQ(m->core().x[17], 0x40);
  code[2] = as::ldi(16, 0);
  EXPECT_EQ(run(code)->core().x[17], 0x00);
}

TEST(Pins, AReadRightAfterAWriteMissesTheSynchroniser) {
  Words code = {as::ldi(16, 0xff), as::out(0x04, 16), as::ldi(16, 0x81), as::out(0x05, 16),
                as::in(17, 0x03),  as::in(18, 0x03),  as::kHalt};
  auto m = run(code);
  EXPECT_EQ(m->core().x[17], 0x81);  // what changed
  EXPECT_EQ(m->core().x[18], 0x00);
  EXPECT_EQ(m->core().v[18], 0x81);
}

TEST(Registers, ReservedBitsAndStrobesReadAsZero) {
  auto kept = [](uint16_t address) {
    return run(join({{as::ldi(16, 0xff)}, as::sts(address, 16), as::lds(17, address), {as::kHalt}}))->core().v[17];
  };
  EXPECT_EQ(kept(0x45) & 0xf0, 0x00);   // TCCR0B: FOC0A, FOC0B and two reserved bits
  EXPECT_EQ(kept(0x28), 0x7f);          // PORTC has seven pins
  EXPECT_EQ(kept(0x42), 0x03);          // EEARH: 1024 bytes
  EXPECT_EQ(kept(0x43), 0x83);          // GTCCR with TSM: the prescalers stay in reset
  EXPECT_EQ(kept(0x68), 0x07);          // PCICR
}

TEST(Sleep, InPowerDownTimersStandStill) {
  // ATmega328P: TIMER0 overflow is enabled and runs, sleep mode from r18, sei, sleep, nop.
  auto wakes = [](uint8_t smcr, bool exact) {
    Words words(52, as::kReti);
    words[0] = as::rjmp(51);
    words[32] = as::rjmp(52 + 14 - 33);  // TIMER0_OVF
    Words code = join({{as::ldi(16, 1), as::out(0x25, 16)}, as::sts(0x6e, 16),
                       {as::ldi(16, smcr), as::out(0x33, 16), as::kSei, as::kSleep, as::kNop, as::kHalt}});
    code.resize(14, as::kNop);
    words.insert(words.end(), code.begin(), code.end());
    words.push_back(as::ldi(20, 1));
    words.push_back(as::kReti);
    ChipOptions options;
    options.timers_exact = exact;
    auto m = machine_of(words, options, "atmega328p", 0x110);
    bool after = false;
    for (const auto& state : all_states(*m).states) {
      m->load(state);
      after |= m->core().v[20] == 1;
    }
    return after;
  };
  EXPECT_TRUE(wakes(0x01, true));    // idle
  EXPECT_FALSE(wakes(0x05, true));   // power-down: the overflow is 250 cycles away, and clocks stand still
  EXPECT_FALSE(wakes(0x07, true));   // power-save, timer 0
  EXPECT_TRUE(wakes(0x05, false));   // it may be pending when the chip goes to sleep
}

TEST(Sleep, ReservedModesAreUnknownByName) {
  auto m = run({as::ldi(16, 0x09), as::out(0x33, 16), as::kSei, as::kSleep, as::kHalt});
  EXPECT_NE(m->cut_reason().find("sleep mode"), std::string::npos);
}

TEST(Stack, AFrameMadeByWritingThePointerIsChecked) {
  // SP = 0x0108, with data up to 0x010f: no push ever happens.
  Words both = {as::ldi(16, 0x01), as::ldi(17, 0x08), as::out(0x3e, 16), as::out(0x3d, 17), as::kNop, as::kHalt};
  EXPECT_EQ(run(both)->fault().kind, FaultKind::StackIntoData);
  // One half for a moment, with an instruction between the halves.
  Words halves = {as::ldi(16, 0x08), as::out(0x3d, 16), as::ldi(16, 0x02), as::out(0x3e, 16), as::kNop, as::kHalt};
  EXPECT_EQ(run(halves)->fault().kind, FaultKind::None);
}

TEST(Stack, TasksMayHaveStacksInTheData) {
  // SP = 0x010c, push, push; back to the end of RAM.
  Words code = {as::ldi(16, 0x01), as::ldi(17, 0x0c), as::out(0x3e, 16), as::out(0x3d, 17), 0x930f,
                0x930f,            as::ldi(16, 0x08), as::ldi(17, 0xff), as::out(0x3e, 16), as::out(0x3d, 17),
                0x930f,            0x910f,            as::kHalt};
  auto device = find_device("atmega328p");
  EXPECT_EQ(run(code)->fault().kind, FaultKind::StackIntoData);
  auto m = run(code, "atmega328p", {}, parse_environment("stack 0x0104..0x010f", "env", *device));
  EXPECT_EQ(m->fault().kind, FaultKind::None);
  EXPECT_EQ(m->core().v[0x010c], 0x01);
  EXPECT_EQ(m->core().v[0x010b], 0x01);
  EXPECT_EQ(m->core().sp, 0x08ff);
  auto deep = run(code, "atmega328p", {}, parse_environment("stack 0x010c..0x010f", "env", *device));
  EXPECT_EQ(deep->fault().kind, FaultKind::StackIntoData);  // the second push leaves the task's stack
  EXPECT_THROW(parse_environment("stack 0x2000..0x2100", "env", *device), Error);
  EXPECT_THROW(run(code, "atmega328p", {}, parse_environment("stack nothing", "env", *device)), Error);
}

TEST(Atoms, WhatIsUnknownAtTheBeginningTakesEveryValue) {
  // RAM is never written; mem[0x100] decides what mem[0x101] becomes.
  Words code = join({as::lds(16, 0x100), {as::cpi(16, 3), as::brne(3), as::ldi(17, 1)}, as::sts(0x101, 17), {as::kHalt}});
  auto m = machine_of(code, {}, "atmega328p", 0x110);
  m->bind_atom("mem[0x100] <= 3");
  ASSERT_TRUE(m->start_atom());
  EXPECT_EQ(*m->start_atom(), 1u);
  m->reset();
  EXPECT_EQ(m->observe(), 2u);
  EXPECT_EQ(m->successors().count, 256u);
  Space space = all_states(*m);
  EXPECT_EQ(space.truths, (std::set<uint64_t>{0, 1, 2}));
  EXPECT_TRUE(space.faults.empty());
}

TEST(Atoms, RegistersAreLookedAtInEveryState) {
  auto m = machine_of({as::ldi(16, 5), as::ldi(16, 6), as::kHalt}, {}, "atmega328p", 0x110);
  m->bind_atom("R16 == 5");
  m->reset();
  EXPECT_EQ(m->observe(), 0u);
  m->step(0);
  EXPECT_EQ(m->observe(), 1u);
  m->step(0);
  EXPECT_EQ(m->observe(), 0u);
}

TEST(Atoms, ABitThatHardwareClearsStaysSetForAWhile) {
  // ADCSRA = ADEN | ADSC, then wait.
  Words code = join({{as::ldi(16, 0xc0)}, as::sts(0x7a, 16), {as::kNop, as::rjmp(-2)}});
  auto m = machine_of(code, {}, "atmega328p", 0x110);
  m->bind_atom("ADCSRA.ADSC");
  Space space = all_states(*m);
  EXPECT_TRUE(space.faults.empty());
  EXPECT_EQ(m->cut_reason(), "");
  for (const auto& state : space.states) {  // once cleared it stays so; the step that sets it shows it set
    m->load(state);
    if (m->core().pc < 3) continue;
    bool before = (m->observe() & 1) != 0;
    std::set<bool> after;
    for (uint32_t i = 0; i < m->successors().count; ++i) {
      m->load(state);
      if (m->step(i) == StepKind::Moved) after.insert((m->observe() & 1) != 0);
    }
    EXPECT_EQ(after, before ? (std::set<bool>{false, true}) : (std::set<bool>{false}));
  }
}

TEST(Atoms, DataReadFromTheEepromTakesEveryValue) {
  Words code = {as::sbi(0x1f, 0), as::in(17, 0x20), as::kHalt};  // EERE
  auto m = machine_of(code, {}, "atmega328p", 0x110);
  m->bind_atom("EEDR == 7");
  Space space = all_states(*m);
  EXPECT_TRUE(space.faults.empty());
  EXPECT_EQ(space.ends.size(), 256u);
}

}  // namespace
}  // namespace whittle::avr
