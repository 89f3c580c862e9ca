// Machine words to instructions. The whole flash is decoded once, when the firmware is loaded: one entry a word.
//
//   std::vector<Insn> code = decode_flash(words, device);
//   fmt::print("{}", disassemble(code[pc], pc));                // "sbis 0x16, 3"
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "avr/device.h"

namespace whittle::avr {

// clang-format off
enum class Op : uint8_t {
  Nop, Movw, Mul, Muls, Mulsu, Fmul, Fmuls, Fmulsu,
  Add, Adc, Sub, Sbc, Cp, Cpc, Cpse, Neg, Inc, Dec, Subi, Sbci, Cpi, Adiw, Sbiw,
  And, Or, Eor, Andi, Ori, Com, Tst, Clr,          // Tst d = and d,d   Clr d = eor d,d
  Lsl, Rol, Lsr, Ror, Asr, Swap,                   // Lsl d = add d,d   Rol d = adc d,d
  Mov, Ldi, Ld, LdInc, LdDec, St, StInc, StDec, Lds, Sts, Push, Pop,   // r: pointer register, k: displacement
  Lpm, LpmInc, Elpm, ElpmInc,
  In, Out, Sbi, Cbi, Sbic, Sbis,                   // k: data-space address, r: bit
  Rjmp, Jmp, Rcall, Call, Ijmp, Icall, Eijmp, Eicall, Ret, Reti,       // k: target word address
  Brbs, Brbc, Sbrc, Sbrs, Bst, Bld, Bset, Bclr,    // r: bit
  Sleep, Wdr, Break, Spm,
  Undefined,  ///< no instruction of this device
  Outside,    ///< no word of the firmware is here
};
// clang-format on
inline constexpr int kOpCount = int(Op::Outside) + 1;

struct Insn {
  Op op = Op::Outside;
  uint8_t d = 0;      ///< destination (and first source) register
  uint8_t r = 0;      ///< second register, or bit number
  uint8_t words = 1;  ///< length
  uint32_t k = 0;     ///< constant, address, displacement or target
};
static_assert(sizeof(Insn) == 8);

/// Decodes `words`; entries from words.size() to the end of flash are Op::Outside, as is the second word of an
/// instruction cut off by the end of the firmware.
std::vector<Insn> decode_flash(std::span<const uint16_t> words, const Device& device);

Insn decode(uint16_t word, uint16_t next, uint32_t pc, const Device& device);

/// In the spelling of GNU as. `pc` in words.
std::string disassemble(const Insn& insn, uint32_t pc);

}  // namespace whittle::avr
