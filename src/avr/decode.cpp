#include "avr/decode.h"

namespace whittle::avr {

namespace {

constexpr uint8_t d5(uint16_t w) { return (w >> 4) & 31; }
constexpr uint8_t r5(uint16_t w) { return uint8_t((w & 15) | ((w >> 5) & 16)); }
constexpr uint8_t d4(uint16_t w) { return uint8_t(16 + ((w >> 4) & 15)); }
constexpr uint8_t k8(uint16_t w) { return uint8_t(((w >> 4) & 0xf0) | (w & 15)); }
constexpr uint8_t a6(uint16_t w) { return uint8_t(((w >> 5) & 0x30) | (w & 15)); }
constexpr uint8_t q6(uint16_t w) { return uint8_t(((w >> 8) & 0x20) | ((w >> 7) & 0x18) | (w & 7)); }

constexpr uint8_t kX = 26, kY = 28, kZ = 30;

Insn two(Op op, uint16_t w) { return {op, d5(w), r5(w)}; }
Insn immediate(Op op, uint16_t w) { return {op, d4(w), 0, 1, k8(w)}; }

/// 0000 .... : moves, multiplications, arithmetic of two registers.
Insn decode_0(uint16_t w, const Device& device) {
  bool mul = device.table().has_mul;
  switch (w >> 8) {
    case 0x00: return w == 0 ? Insn{Op::Nop} : Insn{Op::Undefined};
    case 0x01: return {Op::Movw, uint8_t((w >> 3) & 30), uint8_t((w << 1) & 30)};
    case 0x02: return mul ? Insn{Op::Muls, d4(w), uint8_t(16 + (w & 15))} : Insn{Op::Undefined};
    case 0x03: {
      constexpr Op ops[] = {Op::Mulsu, Op::Fmul, Op::Fmuls, Op::Fmulsu};
      int which = ((w >> 6) & 2) | ((w >> 3) & 1);
      return mul ? Insn{ops[which], uint8_t(16 + ((w >> 4) & 7)), uint8_t(16 + (w & 7))} : Insn{Op::Undefined};
    }
    default: break;
  }
  switch (w >> 10) {
    case 1: return two(Op::Cpc, w);
    case 2: return two(Op::Sbc, w);
    default: return d5(w) == r5(w) ? two(Op::Lsl, w) : two(Op::Add, w);
  }
}

/// 0001 and 0010 .... : arithmetic, logic and moves of two registers.
Insn decode_two(uint16_t w) {
  bool same = d5(w) == r5(w);
  switch (w >> 10) {
    case 4: return two(Op::Cpse, w);
    case 5: return two(Op::Cp, w);
    case 6: return two(Op::Sub, w);
    case 7: return two(same ? Op::Rol : Op::Adc, w);
    case 8: return two(same ? Op::Tst : Op::And, w);
    case 9: return two(same ? Op::Clr : Op::Eor, w);
    case 10: return two(Op::Or, w);
    default: return two(Op::Mov, w);
  }
}

/// 1001 000. and 1001 001. : loads, stores, push and pop, flash reads.
Insn decode_memory(uint16_t w, uint16_t next, const Device& device) {
  bool store = (w & 0x0200) != 0, elpm = device.table().has_elpm;
  uint8_t d = d5(w);
  auto pointer = [&](Op load, Op save, uint8_t p) { return Insn{store ? save : load, d, p}; };
  switch (w & 15) {
    case 0: return {store ? Op::Sts : Op::Lds, d, 0, 2, next};
    case 1: return pointer(Op::LdInc, Op::StInc, kZ);
    case 2: return pointer(Op::LdDec, Op::StDec, kZ);
    case 4: return store ? Insn{Op::Undefined} : Insn{Op::Lpm, d};
    case 5: return store ? Insn{Op::Undefined} : Insn{Op::LpmInc, d};
    case 6: return store || !elpm ? Insn{Op::Undefined} : Insn{Op::Elpm, d};
    case 7: return store || !elpm ? Insn{Op::Undefined} : Insn{Op::ElpmInc, d};
    case 9: return pointer(Op::LdInc, Op::StInc, kY);
    case 10: return pointer(Op::LdDec, Op::StDec, kY);
    case 12: return pointer(Op::Ld, Op::St, kX);
    case 13: return pointer(Op::LdInc, Op::StInc, kX);
    case 14: return pointer(Op::LdDec, Op::StDec, kX);
    case 15: return {store ? Op::Push : Op::Pop, d};
    default: return {Op::Undefined};
  }
}

/// 1001 0101 .... 1000 and 1001: instructions without operands.
Insn decode_bare(uint16_t w, const Device& device) {
  bool elpm = device.table().has_elpm, wide = device.table().pc_bytes == 3;  // EIND exists beyond 128 KiB only
  switch (w) {
    case 0x9508: return {Op::Ret};
    case 0x9518: return {Op::Reti};
    case 0x9588: return {Op::Sleep};
    case 0x9598: return {Op::Break};
    case 0x95a8: return {Op::Wdr};
    case 0x95c8: return {Op::Lpm, 0};
    case 0x95d8: return elpm ? Insn{Op::Elpm, 0} : Insn{Op::Undefined};
    case 0x95e8: return {Op::Spm};
    case 0x95f8: return {Op::Spm};
    case 0x9409: return {Op::Ijmp};
    case 0x9509: return {Op::Icall};
    case 0x9419: return wide ? Insn{Op::Eijmp} : Insn{Op::Undefined};
    case 0x9519: return wide ? Insn{Op::Eicall} : Insn{Op::Undefined};
    default: break;
  }
  if ((w & 0xff8f) == 0x9408) return {Op::Bset, 0, uint8_t((w >> 4) & 7)};
  if ((w & 0xff8f) == 0x9488) return {Op::Bclr, 0, uint8_t((w >> 4) & 7)};
  return {Op::Undefined};
}

/// 1001 010. : one register, jumps, and what has no operands.
Insn decode_one(uint16_t w, uint16_t next, const Device& device) {
  uint8_t d = d5(w);
  switch (w & 15) {
    case 0: return {Op::Com, d};
    case 1: return {Op::Neg, d};
    case 2: return {Op::Swap, d};
    case 3: return {Op::Inc, d};
    case 5: return {Op::Asr, d};
    case 6: return {Op::Lsr, d};
    case 7: return {Op::Ror, d};
    case 10: return {Op::Dec, d};
    case 12:
    case 13:
    case 14:
    case 15: {
      if (device.table().flash_bytes <= 0x2000) return {Op::Undefined};
      uint32_t target = (uint32_t(((w >> 3) & 0x3e) | (w & 1)) << 16) | next;
      return {(w & 2) != 0 ? Op::Call : Op::Jmp, 0, 0, 2, target % device.flash_words()};
    }
    default: return decode_bare(w, device);
  }
}

Insn decode_9(uint16_t w, uint16_t next, const Device& device) {
  uint32_t io = 0x20u + ((w >> 3) & 31);
  uint8_t bit = w & 7;
  switch ((w >> 8) & 15) {
    case 0:
    case 1:
    case 2:
    case 3: return decode_memory(w, next, device);
    case 4:
    case 5: return decode_one(w, next, device);
    case 6:
    case 7: {
      auto d = uint8_t(24 + ((w >> 3) & 6));
      uint32_t k = ((w >> 2) & 0x30) | (w & 15);
      return {(w & 0x100) != 0 ? Op::Sbiw : Op::Adiw, d, 0, 1, k};
    }
    case 8: return {Op::Cbi, 0, bit, 1, io};
    case 9: return {Op::Sbic, 0, bit, 1, io};
    case 10: return {Op::Sbi, 0, bit, 1, io};
    case 11: return {Op::Sbis, 0, bit, 1, io};
    default: return device.table().has_mul ? two(Op::Mul, w) : Insn{Op::Undefined};
  }
}

Insn decode_f(uint16_t w, uint32_t pc, const Device& device) {
  uint8_t bit = w & 7;
  if ((w & 0x0800) == 0) {
    auto offset = int32_t((w >> 3) & 127);
    if (offset >= 64) offset -= 128;
    uint32_t target = uint32_t(int32_t(pc) + 1 + offset + int32_t(device.flash_words())) % device.flash_words();
    return {(w & 0x0400) != 0 ? Op::Brbc : Op::Brbs, 0, bit, 1, target};
  }
  if ((w & 8) != 0) return {Op::Undefined};
  constexpr Op ops[] = {Op::Bld, Op::Bst, Op::Sbrc, Op::Sbrs};
  return {ops[(w >> 9) & 3], d5(w), bit};
}

}  // namespace

Insn decode(uint16_t w, uint16_t next, uint32_t pc, const Device& device) {
  switch (w >> 12) {
    case 0: return decode_0(w, device);
    case 1:
    case 2: return decode_two(w);
    case 3: return immediate(Op::Cpi, w);
    case 4: return immediate(Op::Sbci, w);
    case 5: return immediate(Op::Subi, w);
    case 6: return immediate(Op::Ori, w);
    case 7: return immediate(Op::Andi, w);
    case 8:
    case 10: {
      uint8_t pointer = (w & 8) != 0 ? kY : kZ;
      return {(w & 0x0200) != 0 ? Op::St : Op::Ld, d5(w), pointer, 1, q6(w)};
    }
    case 9: return decode_9(w, next, device);
    case 11: return {(w & 0x0800) != 0 ? Op::Out : Op::In, d5(w), 0, 1, 0x20u + a6(w)};
    case 12:
    case 13: {
      auto offset = int32_t(w & 0xfff);
      if (offset >= 2048) offset -= 4096;
      uint32_t target = uint32_t(int32_t(pc) + 1 + offset + int32_t(device.flash_words())) % device.flash_words();
      return {(w >> 12) == 12 ? Op::Rjmp : Op::Rcall, 0, 0, 1, target};
    }
    case 14: return immediate(Op::Ldi, w);
    default: return decode_f(w, pc, device);
  }
}

std::vector<Insn> decode_flash(std::span<const uint16_t> words, const Device& device) {
  std::vector<Insn> code(device.flash_words());
  for (size_t pc = 0; pc < words.size() && pc < code.size(); ++pc) {
    bool last = pc + 1 >= words.size();
    Insn insn = decode(words[pc], last ? 0xffff : words[pc + 1], uint32_t(pc), device);
    code[pc] = last && insn.words == 2 ? Insn{} : insn;
  }
  return code;
}

}  // namespace whittle::avr
