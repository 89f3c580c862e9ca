// An abstract chip has every path of the chip: random programs run, and beside each run goes an abstract state that has
// the chip's state among those it stands for, whatever the precision.
#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>
#include <random>

#include "avr/refinement.h"
#include "avr/test_image.h"

namespace whittle::avr {
namespace {

using namespace test;
using Action = AvrMachine::Action;
using machine::StepKind;

constexpr uint16_t kRam = 0x60;
constexpr unsigned kCells = 12;

/// A loop without end over r16 .. r21, r24, r25, r30, r31 and RAM; the pins of port A are inputs.
std::vector<uint16_t> random_loop(std::mt19937& random) {
  std::vector<uint16_t> code = {as::ldi(17, 0x5f), as::out(0x3d, 17), as::ldi(17, 0x04), as::out(0x3e, 17)};
  auto emit = [&](std::vector<uint16_t> words) { code.insert(code.end(), words.begin(), words.end()); };
  for (unsigned i = 0; i < kCells; ++i) emit(as::sts(kRam + i, 1));
  size_t head = code.size();
  constexpr unsigned kRegisters[] = {16, 17, 18, 19, 20, 21, 24, 25};
  auto reg = [&] { return kRegisters[random() % std::size(kRegisters)]; };
  auto branch = [&](unsigned flag, bool set) { code.push_back(uint16_t((set ? 0xf000 : 0xf400) | (1 << 3) | flag)); };
  for (int n = 0; n < 24; ++n) {
    unsigned d = reg(), r = reg();
    auto k = uint8_t(random());
    switch (random() % 24) {
      case 0: code.push_back(as::in(d, 0x19)); break;
      case 1: emit(as::lds(d, kRam + random() % kCells)); break;
      case 2: emit(as::sts(kRam + random() % kCells, d)); break;
      case 3: code.push_back(as::andi(d, k)); break;
      case 4: code.push_back(as::two(uint16_t(random() % 2 != 0 ? 0x2000 : 0x2800), d, r)); break;   // and, or
      case 5: code.push_back(as::two(uint16_t(random() % 2 != 0 ? 0x2400 : 0x2c00), d, r)); break;   // eor, mov
      case 6: code.push_back(as::two(0x0c00, d, r)), code.push_back(as::two(0x1c00, reg(), reg())); break;  // add, adc
      case 7: code.push_back(as::two(0x1800, d, r)), code.push_back(as::two(0x0800, reg(), reg())); break;  // sub, sbc
      case 8: code.push_back(as::two(0x1400, d, r)), code.push_back(as::two(0x0400, reg(), reg())); break;  // cp, cpc
      case 9: code.push_back(as::imm(0x5000, d, k)), code.push_back(as::imm(0x4000, reg(), random() & 0xff)); break;
      case 10: code.push_back(as::cpi(d, k)); break;
      case 11: code.push_back(as::one(uint16_t(random() % 2 != 0 ? 3 : 10), d)); break;  // inc, dec
      case 12: code.push_back(as::one(uint16_t(random() % 2), d)); break;                // com, neg
      case 13: code.push_back(as::one(uint16_t(5 + random() % 3), d)); break;            // asr, lsr, ror
      case 14: code.push_back(as::two(0x0c00, d, d)), code.push_back(as::two(0x1c00, r, r)); break;  // lsl, rol
      case 15: code.push_back(uint16_t((random() % 2 != 0 ? 0x9600 : 0x9700) | (k & 0xcf))); break;  // adiw, sbiw r24 ..
      case 16: code.push_back(as::two(0x9c00, d, r)); break;                                         // mul
      case 17:
      case 18: branch(random() % 7, random() % 2 != 0), code.push_back(as::one(3, r)); break;
      case 19: code.push_back(as::in(d, 0x3f)), code.push_back(as::andi(d, 0x7f)), code.push_back(as::out(0x3f, d)); break;
      case 20: code.push_back(uint16_t(0x920f | (d << 4))), code.push_back(uint16_t(0x900f | (r << 4))); break;  // push, pop
      case 21: code.push_back(as::one(2, d)); break;                                                            // swap
      default: {  // an element of an array: r30 = r & 7, plus its address; at times twice the index
        code.push_back(as::two(0x2c00, 30, d));
        code.push_back(as::andi(30, 3 + 4 * (random() % 2)));
        code.push_back(as::ldi(31, 0));
        if (random() % 4 == 0) code.push_back(as::two(0x0c00, 30, 30)), code.push_back(as::andi(30, 7));
        if (random() % 2 != 0) {
          code.push_back(as::imm(0x5000, 30, uint8_t(0 - kRam))), code.push_back(as::imm(0x4000, 31, 0xff));
        } else {
          code.push_back(as::ldi(17, kRam)), code.push_back(as::two(0x0c00, 30, 17)), code.push_back(as::two(0x1c00, 31, 1));
        }
        uint16_t access = random() % 2 != 0 ? 0x8200 : 0x8000;  // st, ld
        unsigned after = random() % 3;
        if (after == 0) access = uint16_t((access & 0x200) | 0x9001);  // Z+
        if (after == 1) access |= uint16_t(random() % 4);              // Z+q
        code.push_back(uint16_t(access | (r << 4)));
        break;
      }
    }
  }
  code.push_back(as::rjmp(int(head) - int(code.size()) - 1));
  return code;
}

std::shared_ptr<Precision> random_precision(const AvrMachine& m, std::mt19937& random) {
  auto p = std::make_shared<Precision>();
  size_t size = m.core().code().size();
  p->live = find_liveness(m.core());
  p->exact.assign(size, 0);
  for (uint8_t& exact : p->exact) exact = random() % 4 == 0;
  p->head_at.assign(size, -1);
  p->written.resize(m.core().v.size());
  p->pinned.assign(m.core().v.size(), 0);
  for (uint16_t i = 0; i < kCells; ++i)
    if (random() % 2 != 0) p->cells.push_back({uint16_t(kRam + i), uint8_t(random() % 3 == 0 ? 0x0f : 0xff)});
  p->heads.resize(1);
  for (uint8_t& mask : p->heads[0].forgotten) mask = uint8_t(random() % 2 != 0 ? random() : 0);
  p->head_at[random() % size] = 0;
  return p;
}

using Variables = std::array<std::optional<bool>, 256>;

/// May a cell of `abstract` be what it is in `chip`, with what other cells say about tokens?
bool agrees_with(const Core& abstract, const Core& chip, uint16_t a, Variables& variables) {
  if (chip.x[a] != 0) return (chip.x[a] & ~abstract.x[a]) == 0;
  if (((abstract.v[a] ^ chip.v[a]) & ~abstract.x[a]) != 0) return false;
  Range range = abstract.range_of(a);
  bool ranged = abstract.x[a] != 0 && (abstract.v[a] & abstract.x[a]) == 0;
  if (ranged && (chip.v[a] < range.low || chip.v[a] > range.high)) return false;
  if (abstract.t[a] == 0 || abstract.t[a] == kNeverWritten) return true;
  for (unsigned bit = 0; bit < 8; ++bit) {
    if ((abstract.x[a] >> bit & 1) == 0) continue;
    bool value = ((chip.v[a] ^ abstract.v[a]) >> bit & 1) != 0;
    auto& variable = variables[size_t((abstract.t[a] & 0xf8) | ((bit + abstract.t[a]) & 7))];
    if (variable && *variable != value) return false;
    variable = value;
  }
  return true;
}

/// Is the state of the chip, which has no unknown bits but those of RAM never written, among those of `abstract`?
bool stands_for(const Core& abstract, const Core& chip) {
  if (abstract.pc != chip.pc || abstract.sp != chip.sp) return false;
  Variables variables;
  auto agrees = [&](uint16_t a) { return agrees_with(abstract, chip, a, variables); };
  for (uint16_t a = 0; a < 32; ++a)
    if (!agrees(a)) return false;
  for (uint16_t a = kRam; a < abstract.layout->low_top; ++a)
    if (chip.live_ram(a) ? !agrees(a) : abstract.x[a] != 0xff) return false;
  for (uint32_t a = abstract.device().ram_end(); a >= abstract.live_low; --a)
    if (!agrees(uint16_t(a))) return false;
  for (unsigned f = 0; f < 8; ++f)
    if (abstract.sreg[f] < 2 && abstract.sreg[f] != chip.sreg[f]) return false;
  // Flags that wait in the last result: some value of that agrees with all of them.
  uint16_t last = abstract.flags_cell();
  for (unsigned result = 0; result < 256; ++result) {
    auto copy = variables;
    Core as_result = chip;
    as_result.v[last] = uint8_t(result), as_result.x[last] = 0;
    bool good = agrees_with(abstract, as_result, last, copy);
    for (uint8_t f : {kZ, kN, kS, kV}) {
      if (!waits_for_result(abstract.sreg[f])) continue;
      bool value = f == kZ ? result == 0 : (result >> 7 != 0) != (abstract.sreg[f] == kLazyNot);
      good &= value == (chip.sreg[f] != 0);
    }
    if (good) return true;
  }
  return false;
}

/// The abstract state after a step of the chip that did `event`; nothing: it has no such path.
bool goes_along(AvrMachine& abstract, const Core& before, const Core& after, AvrMachine::Event event) {
  std::span<const uint8_t> bytes = abstract.save();
  std::vector<std::vector<uint8_t>> work{{bytes.begin(), bytes.end()}};
  while (!work.empty()) {
    std::vector<uint8_t> state = std::move(work.back());
    work.pop_back();
    abstract.load(state);
    uint32_t count = abstract.successors().count;
    for (uint32_t choice = 0; choice < count; ++choice) {
      abstract.load(state);
      if (abstract.step(choice) != StepKind::Moved) continue;
      bool decided = abstract.last_event().action == Action::Decided;
      if (decided && stands_for(abstract.core(), before)) {
        bytes = abstract.save();
        work.emplace_back(bytes.begin(), bytes.end());
      }
      if (!decided && abstract.last_event().next == event.next && stands_for(abstract.core(), after)) return true;
    }
  }
  return false;
}

TEST(Abstract, HasEveryPathOfTheChip) {
  std::mt19937 random(4711);
  ChipOptions early;
  early.delayed = false;
  int programs = std::getenv("WHITTLE_LONG") != nullptr ? 10'000 : 300;
  uint64_t abstracted = 0, steps = 0;
  for (int n = 0; n < programs; ++n) {
    std::vector<uint16_t> code = random_loop(random);
    auto chip = machine_of(code, early, "atmega16", kRam + kCells);
    auto abstract = machine_of(code, {}, "atmega16", kRam + kCells);
    abstract->set_precision(random_precision(*abstract, random), true);
    chip->reset();
    for (int step = 0; step < 150; ++step) {
      Core before = chip->core();
      uint32_t count = chip->successors().count;
      if (count == 0 || chip->step(random() % count) != StepKind::Moved) break;
      AvrMachine::Event event = chip->last_event();
      if (event.action == Action::Decided) continue;
      ++steps;
      ASSERT_TRUE(goes_along(*abstract, before, chip->core(), event))
          << "program " << n << ", step " << step << ": " << disassemble(chip->core().code()[event.pc], event.pc);
      abstracted += abstract->core().abstracted ? 1 : 0;
      // Saved and loaded, it is the same.
      std::span<const uint8_t> bytes = abstract->save();
      std::vector<uint8_t> state(bytes.begin(), bytes.end());
      abstract->load(state);
      bytes = abstract->save();
      ASSERT_TRUE(std::equal(bytes.begin(), bytes.end(), state.begin(), state.end()));
    }
  }
  EXPECT_GT(steps, uint64_t(programs) * 50);
  EXPECT_GT(abstracted * 20, steps);
}

}  // namespace
}  // namespace whittle::avr
