// Our core against simavr, instruction by instruction: registers, status, stack pointer, program counter and SRAM.
#include <filesystem>
#include <map>
#include <random>

#include "pair.h"

namespace whittle::avr {
namespace {

/// A random instruction that both can execute: I/O only to the general purpose registers, memory only to RAM.
class Generator {
 public:
  Generator(Pair& pair, uint32_t seed) : pair_(pair), random_(seed) {
    gpior_ = {pair.device().find_register("GPIOR0")->address, pair.device().find_register("GPIOR1")->address,
              pair.device().find_register("GPIOR2")->address};
  }

  Op next() {
    const Device& device = pair_.device();
    for (;;) {
      auto word = uint16_t(random_());
      if (random_() % 8 == 0) word = uint16_t(0x9400 | (word & 0x1ff));  // the crowded corner
      if (random_() % 64 == 0) word = uint16_t(0x9408 | (word & 0x1f1));
      if (random_() % 4096 == 0) word = 0;
      if (random_() % 4096 == 0) word = 0x95d8;
      uint32_t pc = 0x100 + random_() % 64;
      auto second = uint16_t(random_());
      Insn i = decode(word, second, pc, device);
      if (!adapt(i, word, second)) continue;
      randomise(i);
      i = decode(word, second, pc, device);
      pair_.set_word(pc, word), pair_.set_word(pc + 1, second);
      uint16_t third = random_() % 2 == 0 ? 0x0000 : uint16_t(0x9000);  // a skip may have to pass two words
      if (i.words == 1) pair_.set_word(pc + 1, third), second = third;
      (*pair_.code)[pc] = i;
      (*pair_.code)[pc + 1] = decode(second, 0x0200, pc + 1, device);
      pair_.set_word(pc + 2, 0x0200);
      pair_.set_pc(pc);
      return i.op;
    }
  }

 private:
  bool adapt(const Insn& i, uint16_t& word, uint16_t& second) {
    switch (i.op) {
      case Op::Undefined:
      case Op::Outside:
      case Op::Spm:
      case Op::Sleep:
      case Op::Break:
      case Op::Wdr: return false;
      case Op::In:
      case Op::Out: {
        uint16_t io =
            uint16_t((i.op == Op::In && random_() % 2 == 0 ? 0x5d + random_() % 3 : gpior_[random_() % 3]) - 0x20);
        word = uint16_t((word & 0xf9f0) | ((io & 0x30) << 5) | (io & 15));
        return true;
      }
      case Op::Sbi:
      case Op::Cbi:
      case Op::Sbic:
      case Op::Sbis: word = uint16_t((word & 0xff07) | ((gpior_[0] - 0x20) << 3)); return true;
      case Op::Lds:
      case Op::Sts: second = ram(); return true;
      case Op::LpmInc:
      case Op::ElpmInc: return i.d < 30;
      case Op::LdInc:
      case Op::LdDec:
      case Op::StInc:
      case Op::StDec: return i.d != i.r && i.d != i.r + 1;  // undefined by the instruction set manual
      case Op::Jmp:
      case Op::Call:
        word &= pair_.device().flash_words() > 0x10000 ? 0xfe0f : 0xfe0e;
        second = uint16_t(second % pair_.device().flash_words());
        return true;
      default: return true;
    }
  }
  uint16_t ram() {
    uint16_t start = uint16_t(pair_.device().ram_start() + 70);
    return uint16_t(start + random_() % (pair_.device().ram_end() - start - 70));
  }
  void randomise(const Insn& i) {
    for (uint16_t r = 0; r < 32; ++r) pair_.set_cell(r, random_() % 4 == 0 ? edge() : uint8_t(random_()));
    for (int f = 0; f < 8; ++f) pair_.set_flag(f, uint8_t(random_() & 1));
    for (uint16_t a : gpior_) pair_.set_cell(a, uint8_t(random_()));
    for (uint16_t p : {26, 28, 30}) {
      bool used = i.op == Op::Ld || i.op == Op::LdInc || i.op == Op::LdDec || i.op == Op::St || i.op == Op::StInc ||
                  i.op == Op::StDec;
      if (!used) continue;
      uint16_t a = ram();
      pair_.set_cell(p, uint8_t(a)), pair_.set_cell(uint16_t(p + 1), uint8_t(a >> 8));
    }
    if (i.op == Op::Ijmp || i.op == Op::Icall || i.op == Op::Eijmp || i.op == Op::Eicall)
      pair_.set_cell(31, uint8_t(random_() % (std::min<uint32_t>(pair_.device().flash_words(), 0x10000) >> 8)));
    if (i.op == Op::Lpm || i.op == Op::LpmInc || i.op == Op::Elpm || i.op == Op::ElpmInc)
      pair_.set_cell(31, uint8_t(random_() % (std::min<uint32_t>(pair_.device().table().flash_bytes, 0x10000) >> 8)));
    if (pair_.device().table().has_elpm) {
      pair_.set_cell(0x5b, uint8_t(random_() & ((pair_.device().table().flash_bytes - 1) >> 16)));
      pair_.set_cell(0x5c, uint8_t(random_() & 1));
    }
    uint16_t sp = ram();
    pair_.set_sp(sp);
    for (int n = -3; n <= 3; ++n) pair_.set_cell(uint16_t(sp + n), uint8_t(random_()));
    if (i.op == Op::Ret || i.op == Op::Reti) {
      uint32_t words = pair_.device().flash_words();
      uint32_t target = uint32_t(random_()) % words;
      for (int n = 0; n < pair_.device().table().pc_bytes; ++n)
        pair_.set_cell(uint16_t(sp + pair_.device().table().pc_bytes - n), uint8_t(target >> (8 * n)));
    }
  }
  uint8_t edge() {
    constexpr uint8_t kEdges[] = {0, 1, 0x7f, 0x80, 0xff, 0x0f, 0x10, 0xfe};
    return kEdges[random_() % 8];
  }

  Pair& pair_;
  std::mt19937 random_;
  std::vector<uint16_t> gpior_;
};

void random_instructions(const char* mcu, uint32_t count, std::map<Op, uint32_t>& seen) {
  Pair pair(mcu);
  Generator generator(pair, 4711);
  for (uint32_t n = 0; n < count; ++n) {
    Op op = generator.next();
    ++seen[op];
    uint32_t pc = pair.core->pc;
    bool ran = pair.step();
    std::string difference = pair.difference();
    ASSERT_TRUE(ran && difference.empty())
        << mcu << " instruction " << n << ": " << disassemble((*pair.code)[pc], pc) << ": " << difference;
  }
}

TEST(Lockstep, EveryOpcodeWithRandomOperands) {
  std::map<Op, uint32_t> seen;
  random_instructions("atmega328p", 600'000, seen);
  random_instructions("atmega2560", 400'000, seen);
  random_instructions("attiny85", 100'000, seen);
  for (const char* relative : {"atmega168", "atmega644", "atmega1284p", "attiny84"})
    random_instructions(relative, 20'000, seen);
  for (int op = 0; op < kOpCount; ++op) {
    switch (Op(op)) {
      case Op::Undefined:
      case Op::Outside:
      case Op::Spm:
      case Op::Sleep:
      case Op::Break:
      case Op::Wdr: continue;
      default: break;
    }
    EXPECT_GE(seen[Op(op)], 15u) << "instruction " << disassemble(Insn{Op(op)}, 0) << " was hardly tried";
  }
}

void whole_program(const std::filesystem::path& elf, const char* mcu) {
  Pair pair(mcu);
  Image image = load_image(elf.string(), pair.device());
  pair.load(image);
  pair.core->reset();
  avr_reset(pair.sim);
  pair.set_sp(pair.device().ram_end());
  for (uint16_t a = 0; a < 32; ++a) pair.set_cell(a, 0);
  for (uint32_t a = pair.device().ram_start(); a <= pair.device().ram_end(); ++a) pair.set_cell(uint16_t(a), 0);
  for (int f = 0; f < 8; ++f) pair.set_flag(f, 0);
  pair.set_pc(0);
  uint64_t n = 0;
  for (;; ++n) {
    ASSERT_LT(n, 5'000'000u) << elf << " does not end";
    const Insn& i = pair.core->next();
    if (i.op == Op::Rjmp && i.k == pair.core->pc) break;  // exit()
    uint32_t pc = pair.core->pc;
    bool ran = pair.step();
    std::string difference = pair.difference();
    ASSERT_TRUE(ran && difference.empty())
        << elf << " at " << std::hex << pc * 2 << ": " << disassemble((*pair.code)[pc], pc) << ": " << difference;
  }
  EXPECT_GT(n, 100u) << elf;
}

TEST(Lockstep, CompiledPrograms) {
  int programs = 0;
  for (const auto& entry : std::filesystem::directory_iterator(AVR_PROGRAMS)) {
    if (entry.path().extension() != ".elf") continue;
    std::string name = entry.path().stem().string();
    const char* mcu = name.ends_with("_2560")   ? "atmega2560"
                      : name.ends_with("_tiny") ? "attiny85"
                      : name.ends_with("_16")   ? "atmega16"
                                                : "atmega328p";
    whole_program(entry.path(), mcu);
    if (::testing::Test::HasFatalFailure()) return;
    ++programs;
  }
  EXPECT_GE(programs, 20);
}

}  // namespace
}  // namespace whittle::avr
