// The chip as a machine: interrupts, inputs, timers, checks, footprints.
#include <gtest/gtest.h>

#include <random>

#include "avr/firmware.h"
#include "avr/test_image.h"
#include "base/error.h"

namespace whittle::avr {
namespace {

using namespace test;
using machine::StepKind;

/// Vectors of ATmega16 (two words each) that all return at once, then code at word 42.
std::vector<uint16_t> with_vectors(const std::vector<uint16_t>& code,
                                   const std::vector<uint16_t>& handler_int0 = {as::kReti}) {
  std::vector<uint16_t> words(42, as::kReti);
  words[0] = as::rjmp(41);
  words[2] = as::rjmp(int(42 + code.size()) - 3);
  words.insert(words.end(), code.begin(), code.end());
  words.insert(words.end(), handler_int0.begin(), handler_int0.end());
  return words;
}

std::vector<uint16_t> stack_setup() {
  return {as::ldi(16, 0x04), as::out(0x3e, 16), as::ldi(16, 0x5f), as::out(0x3d, 16)};
}

std::vector<uint16_t> join(std::initializer_list<std::vector<uint16_t>> parts) {
  std::vector<uint16_t> out;
  for (const auto& part : parts) out.insert(out.end(), part.begin(), part.end());
  return out;
}

TEST(Interrupts, OneInstructionOfDelayAfterSei) {
  auto m = machine_of(with_vectors(
      join({stack_setup(), {as::ldi(16, 0x40), as::out(0x3b, 16), as::kSei, as::kNop, as::kNop, as::rjmp(-2)}})));
  m->reset();
  for (int i = 0; i < 7; ++i) {
    ASSERT_EQ(m->successors().count, 1u) << i;
    ASSERT_EQ(m->step(0), StepKind::Moved);
  }
  EXPECT_EQ(m->successors().count, 1u);  // after sei: the next instruction comes first
  m->step(0);
  ASSERT_EQ(m->successors().count, 1u);
  m->step(0);
  ASSERT_EQ(m->successors().count, 2u);
  ChoiceInfo info = m->explain(1);
  ASSERT_NE(info.interrupt, nullptr);
  EXPECT_EQ(info.interrupt->name, "INT0");
  uint16_t sp = m->core().sp;
  m->step(1);
  EXPECT_EQ(m->core().pc, 2u);
  EXPECT_EQ(m->core().sreg[kI], 0);
  EXPECT_EQ(m->core().sp, sp - 2);
  EXPECT_EQ(m->successors().count, 1u);
  m->step(0);  // to the handler
  m->step(0);  // reti
  EXPECT_EQ(m->core().sreg[kI], 1);
  EXPECT_EQ(m->core().sp, sp);
  EXPECT_EQ(m->successors().count, 1u);  // one instruction of the main program
  m->step(0);
  EXPECT_EQ(m->successors().count, 2u);
}

TEST(Interrupts, EnvironmentForbidsAndCounts) {
  auto device = find_device("atmega16");
  auto code =
      with_vectors(join({stack_setup(), {as::ldi(16, 0xc0), as::out(0x3b, 16), as::kSei, as::kNop, as::rjmp(-2)}}));
  auto count = [&](const char* text) {
    auto m = machine_of(code, {}, "atmega16", 0x70, parse_environment(text, "env", *device));
    Space space = all_states(*m);
    size_t most = 0;
    for (const auto& state : space.states) {
      m->load(state);
      most = std::max<size_t>(most, m->successors().count);
    }
    return std::pair(most, space.states.size());
  };
  auto [free_most, free_states] = count("");
  EXPECT_EQ(free_most, 3u);
  EXPECT_EQ(count("never INT1").first, 2u);
  EXPECT_EQ(count("never INT1\nnever INT0").first, 1u);
  auto [most, states] = count("at most 2 INT0\nnever INT1\n");
  EXPECT_EQ(most, 2u);
  EXPECT_GT(states, count("never INT1").second);
}

TEST(Interrupts, ASleepingChipWaits) {
  // MCUCR.SE = bit 6 on ATmega16
  auto sleeper = [](uint16_t flag) {
    return with_vectors(
        join({stack_setup(),
              {as::ldi(16, 0x40), as::out(0x3b, 16), as::out(0x35, 16), flag, as::kSleep, as::kNop, as::kHalt}}));
  };
  auto awake = machine_of(sleeper(as::kSei));
  Space space = all_states(*awake);
  EXPECT_GT(space.states.size(), 12u);
  auto dead = machine_of(sleeper(as::kCli));
  Space end = all_states(*dead);
  ASSERT_EQ(end.ends.size(), 1u);
  dead->load(*end.ends.begin());
  EXPECT_TRUE(dead->core().sleeping);
  EXPECT_EQ(dead->successors().ending, machine::Ending::Halted);
}

TEST(Inputs, OutputsReadTheirLatchAndFixedPinsTheirValue) {
  auto device = find_device("atmega16");
  // DDRA = 0xf0, PORTA = 0xa5, in r17, PINA
  std::vector<uint16_t> code = {as::ldi(16, 0xf0), as::out(0x1a, 16), as::ldi(16, 0xa5), as::out(0x1b, 16),
                                as::kNop,          as::in(17, 0x19),  as::kHalt};
  auto m = machine_of(code, {}, "atmega16", 0x70, parse_environment("PINA.0 = 1", "env", *device));
  m->reset();
  for (int i = 0; i < 6; ++i) m->step(0);
  EXPECT_EQ(m->core().v[17], 0xa1);
  EXPECT_EQ(m->core().x[17], 0x0e);
  ChipOptions eager;
  eager.delayed = false;
  auto e =
      machine_of(code, eager, "atmega16", 0x70, parse_environment("PINA in 0x01, 0x03..0x04, 0x33", "env", *device));
  e->reset();
  for (int i = 0; i < 5; ++i) e->step(0);
  EXPECT_EQ(e->successors().count, 3u);  // 1, 3, 4 in the lower half
}

TEST(Inputs, EnvironmentErrorsNameTheLine) {
  auto device = find_device("atmega16");
  auto error = [&](const char* text) -> std::string {
    try {
      parse_environment(text, "room.env", *device);
    } catch (const Error& e) {
      EXPECT_EQ(e.code(), ExitCode::BadInput);
      return e.what();
    }
    return "";
  };
  EXPECT_EQ(error("# fine\n\nPINQ = 3"), "room.env:3: atmega16 has no register 'PINQ'; did you mean 'PIND'?");
  EXPECT_EQ(error("never INT9"), "room.env:1: atmega16 has no interrupt 'INT9'; did you mean 'INT0'?");
  EXPECT_EQ(error("PINA.0 = 2"), "room.env:1: a bit is 0 or 1, not 2");
  EXPECT_EQ(error("PORTA = 1"), "room.env:1: PORTA is not an input: the environment does not set it");
  EXPECT_NE(error("PINA in 5..1"), "");
  EXPECT_NE(error("hello"), "");
  EXPECT_EQ(error("PINA = 0x0f\nUDR in 'a'..'z', 13"), "");
}

TEST(Timers, RunningCountersAreUnknownAndStoppedOnesKept) {
  // TCCR0 = 1 (running); in r17, TCNT0; TCCR0 = 0; in r18, TCNT0; in r19, TCNT0; eor r18, r19
  std::vector<uint16_t> code = {as::ldi(16, 1),    as::out(0x33, 16), as::in(17, 0x32), as::ldi(16, 0),
                                as::out(0x33, 16), as::in(18, 0x32),  as::in(19, 0x32), as::cpi(18, 7),
                                as::brne(2),       as::cpi(19, 7),    as::brne(0),      as::kHalt};
  auto m = machine_of(code);
  m->reset();
  for (int i = 0; i < 7; ++i) {
    ASSERT_EQ(m->successors().count, 1u);
    m->step(0);
  }
  EXPECT_EQ(m->core().x[17], 0xff);
  EXPECT_EQ(m->core().x[18], 0xff);
  ASSERT_EQ(m->successors().count, 256u);  // cpi needs all of r18
  m->step(7);
  EXPECT_EQ(m->core().v[19], m->core().v[18]);  // the stopped counter was read twice: the same value
  EXPECT_EQ(m->core().x[19], 0);
}

TEST(Timers, ExactTimersAreDeterministic) {
  // TCCR0 = 1; OCR0 = 20; TIMSK = OCIE0 (2); sei; loop: nop; rjmp loop
  ChipOptions exact;
  exact.timers_exact = true;
  auto code = with_vectors(join({stack_setup(),
                                 {as::ldi(16, 1), as::out(0x33, 16), as::ldi(16, 20), as::out(0x3c, 16), as::ldi(16, 2),
                                  as::out(0x39, 16), as::kSei, as::kNop, as::rjmp(-2)}}));
  auto m = machine_of(code, exact);
  m->reset();
  int interrupts = 0, steps = 0;
  for (; steps < 4000; ++steps) {
    ASSERT_EQ(m->successors().count, 1u);
    ChoiceInfo info = m->explain(0);
    if (info.interrupt != nullptr) {
      EXPECT_EQ(info.interrupt->name, "TIMER0_COMP");
      ++interrupts;
    }
    ASSERT_EQ(m->step(0), StepKind::Moved);
  }
  EXPECT_GE(interrupts, 15);  // some 1.6 cycles a step, one match every 256 cycles
  EXPECT_LE(interrupts, 40);
}

TEST(Checks, EachFindsItsFault) {
  auto first_fault = [](const std::vector<uint16_t>& code, ChipOptions options = {}, uint16_t data_end = 0x70) {
    auto m = machine_of(code, options, "atmega16", data_end);
    Space space = all_states(*m, 20000);
    return space.faults.empty() ? FaultKind::None : space.faults[0];
  };
  auto recurse = join({stack_setup(), {0xdfff}});  // rcall itself
  EXPECT_EQ(first_fault(recurse), FaultKind::StackIntoData);
  EXPECT_EQ(first_fault(join({stack_setup(), {as::kRet}})), FaultKind::StackUnderflow);
  EXPECT_EQ(first_fault({as::kNop, as::kNop}), FaultKind::PcOutside);
  EXPECT_EQ(first_fault({0x0001}), FaultKind::UndefinedOpcode);
  EXPECT_EQ(first_fault({0x95e8}), FaultKind::NotModelled);
  EXPECT_EQ(first_fault(join({as::sts(0x0500, 0), {as::kHalt}})), FaultKind::BadAddress);
  auto reserved = std::vector<uint16_t>{as::ldi(16, 1), 0x9300, 0x00e0, as::kHalt};
  auto m = machine_of(reserved, {}, "atmega328p", 0x110);
  Space space = all_states(*m);
  ASSERT_FALSE(space.faults.empty());
  EXPECT_EQ(space.faults[0], FaultKind::ReservedWrite);
  // INT0 is enabled and may come; vector 1 jumps to the reset vector
  std::vector<uint16_t> vectors = {as::rjmp(3), as::kNop, as::rjmp(-3), as::kNop, as::ldi(16, 0x40), as::out(0x3b, 16), as::kSei,
                                   as::kHalt};
  EXPECT_EQ(first_fault(vectors), FaultKind::NoHandler);
  vectors[2] = as::kReti;
  EXPECT_NE(first_fault(vectors), FaultKind::NoHandler);
  ChipOptions written;
  written.check_written = true;
  EXPECT_EQ(first_fault(join({as::lds(16, 0x62), {as::kHalt}}), written), FaultKind::NeverWritten);
  EXPECT_EQ(first_fault(join({as::sts(0x62, 0), as::lds(16, 0x62), {as::kHalt}}), written), FaultKind::None);
  ChipOptions endless;
  endless.check_endless = true;
  EXPECT_EQ(first_fault({as::kCli, as::kNop, as::kNop, as::rjmp(-3)}, endless), FaultKind::EndlessLoop);
  EXPECT_EQ(first_fault({as::kCli, as::kHalt}, endless), FaultKind::EndlessLoop);
  EXPECT_EQ(first_fault({as::sbis(0x19, 0), as::rjmp(-2), as::kSei, as::rjmp(-1)}, endless), FaultKind::None);
}

TEST(Atoms, AreDefiniteInEveryState) {
  // in r16, PINA; sts 0x60, r16: a formula looks at the byte, so the store splits
  auto code = join({{as::in(16, 0x19), as::andi(16, 3)}, as::sts(0x60, 16), {as::kHalt}});
  auto m = machine_of(code);
  m->bind_atom("mem[0x60] == 2");
  Space space = all_states(*m);
  EXPECT_TRUE(space.faults.empty());
  EXPECT_EQ(space.truths.size(), 3u);  // the state before the first one, in which RAM has no value yet, is one of its own
  EXPECT_EQ(space.ends.size(), 4u);
  auto blind = machine_of(code);
  EXPECT_EQ(all_states(*blind).ends.size(), 1u);
}

TEST(Atoms, InputBitsBecomePartOfTheState) {
  auto m = machine_of({as::kNop, as::rjmp(-2)});
  m->bind_atom("PINA.3");
  Space space = all_states(*m);
  EXPECT_EQ(space.truths.size(), 3u);
  EXPECT_EQ(space.states.size(), 5u);  // two locations, two values (all four are reached), and the one before the first
  auto reader = machine_of({as::sbis(0x19, 3), as::kNop, as::rjmp(-3)});
  reader->bind_atom("PINA.3 == 1");
  for (const auto& state : all_states(*reader).states) {
    reader->load(state);
    EXPECT_EQ(reader->successors().count, 2u);  // the next value; the instruction itself reads the one that is there
  }
  auto many = machine_of({as::kHalt});
  EXPECT_THROW(many->bind_atom("PINA == 0 && PINB == 0"), Error);
}

/// Bytes outside the reads of a step do not influence it; written bytes do not depend on what they held.
TEST(Footprints, UnreadBytesDoNotMatter) {
  std::mt19937 random(5);
  auto code =
      with_vectors(join({stack_setup(),
                         as::sts(0x60, 1),
                         as::sts(0x61, 1),
                         as::sts(0x62, 1),
                         {as::ldi(16, 0x40), as::out(0x3b, 16)},
                         {as::kSei, as::in(17, 0x19), as::andi(17, 3)},
                         as::sts(0x60, 17),
                         {as::kCli},
                         as::lds(18, 0x60),
                         {as::two(0x0f00, 18, 17), as::one(3, 19), as::breq(1), as::one(2, 19)},
                         as::sts(0x61, 18),
                         {as::rjmp(-16)}}),
                   join({{uint16_t(0x920f | (16 << 4)), as::in(16, 0x3f), uint16_t(0x920f | (16 << 4))},
                         as::lds(16, 0x62),
                         {as::one(3, 16)},
                         as::sts(0x62, 16),
                         {uint16_t(0x900f | (16 << 4)), as::out(0x3f, 16), uint16_t(0x900f | (16 << 4)), as::kReti}}));
  ChipOptions eager;
  eager.delayed = false;
  auto m = machine_of(code, eager, "atmega16", 0x63);
  m->reset();
  for (int i = 0; i < 8; ++i) m->step(0);
  std::vector<machine::ByteRange> mortal, dead;
  int tried = 0;
  for (int walk = 0; walk < 3000; ++walk) {
    auto bytes = m->save();
    std::vector<uint8_t> state(bytes.begin(), bytes.end());
    m->cells(mortal, dead);
    std::vector<uint32_t> offsets;
    for (const auto& r : mortal)
      for (uint32_t i = 0; i < r.length; ++i) offsets.push_back(r.begin + i);
    uint32_t choice = uint32_t(random()) % m->successors().count;
    bool unknown = m->core().has_x;
    m->trace_footprints(true);
    ASSERT_EQ(m->step(choice), StepKind::Moved);
    machine::Footprint footprint = m->footprint();
    m->trace_footprints(false);
    auto after_bytes = m->save();
    std::vector<uint8_t> after(after_bytes.begin(), after_bytes.end());
    auto inside = [](const std::vector<machine::ByteRange>& ranges, uint32_t at) {
      for (const auto& r : ranges)
        if (at >= r.begin && at < r.begin + r.length) return true;
      return false;
    };
    for (int k = 0; k < 4 && !unknown; ++k) {
      uint32_t at = offsets[random() % offsets.size()];
      if (inside(footprint.reads, at)) continue;
      std::vector<uint8_t> other = state;
      bool flag = at < offsets[0] + 7;
      other[at] ^= flag ? 1 : uint8_t(1 + random() % 255);
      m->load(other);
      ASSERT_EQ(m->step(choice), StepKind::Moved);
      auto got = m->save();
      ASSERT_EQ(got.size(), after.size());
      for (uint32_t i = 0; i < after.size(); ++i) {
        if (i == at && !inside(footprint.writes, at)) {
          ASSERT_EQ(got[i], other[at]);
          continue;
        }
        ASSERT_EQ(got[i], after[i]) << "offset " << i << " changed by " << at << " at pc " << m->core().pc;
      }
      ++tried;
    }
    m->load(after);
  }
  EXPECT_GT(tried, 2000);
}

}  // namespace
}  // namespace whittle::avr
