// Unknown bits mean exactly the concrete states they stand for: random programs, run with delayed decisions and with
// eager ones, end in the same set of concrete states.
#include <gtest/gtest.h>

#include <cstdlib>
#include <random>

#include "avr/test_image.h"

namespace whittle::avr {
namespace {

using namespace test;

constexpr uint16_t kRam = 0x60;
constexpr unsigned kCells = 4;

/// Registers, flags, port latch and the program's RAM of every concrete state that the core stands for.
void expand(const Core& core, std::set<std::vector<uint8_t>>& out) {
  for (uint16_t a : core.unknowns) {
    bool relevant = a < 32 || a == core.flags_cell() ||
                    core.device().at(std::min<uint16_t>(a, 0x5f)).name.starts_with("PORT") ||
                    (a >= kRam && a < kRam + kCells);
    if (!relevant || core.x[a] == 0) continue;
    uint8_t bit = uint8_t(__builtin_ctz(core.x[a]));
    for (bool value : {false, true}) {
      Core copy = core;
      copy.resolve(a, bit, value);
      expand(copy, out);
    }
    return;
  }
  std::vector<uint8_t> concrete(core.v.begin(), core.v.begin() + 32);
  concrete.insert(concrete.end(), core.sreg.begin(), core.sreg.end());
  for (unsigned i = 0; i < kCells; ++i) concrete.push_back(core.v[kRam + i]);
  concrete.push_back(core.v[0x3b]);
  concrete.push_back(uint8_t(core.pc));
  for (uint8_t f : core.sreg) EXPECT_LT(f, 2);
  out.insert(concrete);
}

std::set<std::vector<uint8_t>> concrete_ends(const std::vector<uint16_t>& code, bool delayed, size_t& stored) {
  ChipOptions options;
  options.delayed = delayed;
  auto m = machine_of(code, options, "atmega16", kRam + kCells);
  Space space = all_states(*m);
  EXPECT_TRUE(space.faults.empty());
  EXPECT_FALSE(space.ends.empty());
  stored += space.states.size();
  std::set<std::vector<uint8_t>> out;
  for (const auto& state : space.ends) {
    m->load(state);
    expand(m->core(), out);
  }
  return out;
}

/// Straight code with forward branches over r16 .. r19, RAM and port A, whose lower three pins are inputs.
std::vector<uint16_t> random_program(std::mt19937& random) {
  std::vector<uint16_t> code = {as::ldi(16, 0xf8), as::out(0x1a, 16), as::ldi(17, 0x5f),
                                as::out(0x3d, 17), as::ldi(17, 0x04), as::out(0x3e, 17)};
  auto emit = [&](std::vector<uint16_t> words) { code.insert(code.end(), words.begin(), words.end()); };
  for (unsigned i = 0; i < kCells; ++i) emit(as::sts(kRam + i, 1));
  auto reg = [&] { return 16 + random() % 4; };
  int reads = 0, depth = 0;
  for (int n = 0; n < 14; ++n) {
    unsigned d = reg(), r = reg();
    auto k = uint8_t(random());
    switch (random() % 30) {
      case 0:
      case 1:
      case 2:
        if (reads++ < 3) code.push_back(as::in(d, 0x19));
        break;
      case 3: code.push_back(as::two(0x2c00, d, r)); break;  // mov
      case 4: code.push_back(0x0189); break;                 // movw r16, r18
      case 5:
      case 6: code.push_back(as::andi(d, k)); break;
      case 7: code.push_back(as::imm(0x6000, d, k)); break;   // ori
      case 8: code.push_back(as::two(0x2000, d, r)); break;   // and
      case 9: code.push_back(as::two(0x2800, d, r)); break;   // or
      case 10: code.push_back(as::two(0x2400, d, r)); break;  // eor
      case 11: code.push_back(as::one(0, d)); break;          // com
      case 12: code.push_back(as::one(2, d)); break;          // swap
      case 13: code.push_back(as::one(6, d)); break;          // lsr
      case 14: code.push_back(as::one(7, d)); break;          // ror
      case 15: code.push_back(as::one(5, d)); break;          // asr
      case 16: code.push_back(as::two(0x0c00, d, r)); break;  // add, lsl
      case 17: code.push_back(as::two(0x1c00, d, d)); break;  // rol
      case 18: emit(as::sts(kRam + random() % kCells, d)); break;
      case 19: emit(as::lds(d, kRam + random() % kCells)); break;
      case 20: code.push_back(uint16_t(0x920f | (d << 4))), ++depth; break;  // push
      case 21:
        if (depth > 0) code.push_back(uint16_t(0x900f | (d << 4))), --depth;  // pop
        break;
      case 22: code.push_back(as::imm(0x5000, d, k)); break;                       // subi
      case 23: code.push_back(as::breq(1)), code.push_back(as::one(3, r)); break;  // inc, unless zero
      case 24: code.push_back(as::two(0x2000, d, d)), code.push_back(as::brne(1)), code.push_back(as::ldi(r, k)); break;
      case 25:
        code.push_back(uint16_t(0xfc00 | (d << 4) | (k & 7))), code.push_back(as::one(0, r));
        break;  // sbrc, com
      case 26: code.push_back(as::sbis(0x19, k & 7)), code.push_back(as::one(2, r)); break;
      case 27:
        code.push_back(uint16_t(0xfa00 | (d << 4) | (k & 7))),
            code.push_back(uint16_t(0xf800 | (r << 4) | ((k >> 3) & 7)));
        break;                                           // bst, bld
      case 28: code.push_back(as::out(0x1b, d)); break;  // PORTA: pins that are outputs read it
      default:
        code.push_back(uint16_t(0xf002 | ((k & 1) << 10) | (1 << 3))), code.push_back(as::one(3, d));
        break;  // brmi, brpl
    }
  }
  code.push_back(as::kHalt);
  return code;
}

TEST(Unknown, DelayedAndEagerEndInTheSameConcreteStates) {
  std::mt19937 random(20);
  size_t delayed_states = 0, eager_states = 0;
  int programs = std::getenv("WHITTLE_LONG") != nullptr ? 3000 : 150;
  for (int n = 0; n < programs; ++n) {
    std::vector<uint16_t> code = random_program(random);
    auto delayed = concrete_ends(code, true, delayed_states);
    auto eager = concrete_ends(code, false, eager_states);
    ASSERT_EQ(delayed, eager) << "program " << n;
  }
  EXPECT_LT(delayed_states * 2, eager_states);
}

TEST(Unknown, TestingOnePinGivesTwoSuccessors) {
  // in r16, PINA; andi r16, 1; breq
  auto m = machine_of({as::in(16, 0x19), as::andi(16, 1), as::breq(1), as::ldi(17, 1), as::kHalt});
  m->reset();
  EXPECT_EQ(m->successors().count, 1u);
  m->step(0);
  EXPECT_EQ(m->core().x[16], 0xff);
  m->step(0);
  EXPECT_EQ(m->core().x[16], 0x01);
  EXPECT_EQ(m->successors().count, 2u);
  m->step(1);
  EXPECT_EQ(m->core().x[16], 0);
  EXPECT_EQ(m->core().v[16], 1);
}

TEST(Unknown, CopiesLearnTogether) {
  // in r16, PINA; mov r17, r16; swap r17; com r17; sbrc r16, 0; nop
  auto m = machine_of({as::in(16, 0x19), as::two(0x2c00, 17, 16), as::one(2, 17), as::one(0, 17),
                       uint16_t(0xfc00 | (16 << 4)), 0, as::kHalt});
  m->reset();
  for (int i = 0; i < 4; ++i) {
    ASSERT_EQ(m->successors().count, 1u);
    m->step(0);
  }
  ASSERT_EQ(m->successors().count, 2u);
  m->step(1);
  EXPECT_EQ(m->core().x[16], 0xfe);
  EXPECT_EQ(m->core().v[16] & 1, 1);
  EXPECT_EQ(m->core().x[17], uint8_t(~0x10));
  EXPECT_EQ(m->core().v[17] & 0x10, 0);
}

TEST(Unknown, LoadRestoresWhatSaveGave) {
  std::mt19937 random(7);
  for (int n = 0; n < 40; ++n) {
    auto m = machine_of(random_program(random), {}, "atmega16", kRam + kCells);
    Space space = all_states(*m, 5000);
    for (const auto& state : space.states) {
      m->load(state);
      auto again = m->save();
      ASSERT_TRUE(std::equal(again.begin(), again.end(), state.begin(), state.end()));
    }
  }
}

}  // namespace
}  // namespace whittle::avr
