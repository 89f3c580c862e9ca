#include <fmt/format.h>

#include "avr/decode.h"

namespace whittle::avr {

namespace {

constexpr const char* kNames[kOpCount] = {
    "nop",  "movw",  "mul",  "muls", "mulsu", "fmul",  "fmuls",  "fmulsu", "add",  "adc",        "sub",     "sbc",
    "cp",   "cpc",   "cpse", "neg",  "inc",   "dec",   "subi",   "sbci",   "cpi",  "adiw",       "sbiw",    "and",
    "or",   "eor",   "andi", "ori",  "com",   "tst",   "clr",    "lsl",    "rol",  "lsr",        "ror",     "asr",
    "swap", "mov",   "ldi",  "ld",   "ld",    "ld",    "st",     "st",     "st",   "lds",        "sts",     "push",
    "pop",  "lpm",   "lpm",  "elpm", "elpm",  "in",    "out",    "sbi",    "cbi",  "sbic",       "sbis",    "rjmp",
    "jmp",  "rcall", "call", "ijmp", "icall", "eijmp", "eicall", "ret",    "reti", "brbs",       "brbc",    "sbrc",
    "sbrs", "bst",   "bld",  "bset", "bclr",  "sleep", "wdr",    "break",  "spm",  ".undefined", ".outside"};

constexpr const char* kBranchSet[] = {"brcs", "breq", "brmi", "brvs", "brlt", "brhs", "brts", "brie"};
constexpr const char* kBranchClear[] = {"brcc", "brne", "brpl", "brvc", "brge", "brhc", "brtc", "brid"};
constexpr const char* kFlagSet[] = {"sec", "sez", "sen", "sev", "ses", "seh", "set", "sei"};
constexpr const char* kFlagClear[] = {"clc", "clz", "cln", "clv", "cls", "clh", "clt", "cli"};

std::string pointer(const Insn& insn) {
  const char* name = insn.r == 26 ? "X" : insn.r == 28 ? "Y" : "Z";
  switch (insn.op) {
    case Op::LdInc:
    case Op::StInc: return fmt::format("{}+", name);
    case Op::LdDec:
    case Op::StDec: return fmt::format("-{}", name);
    default: return insn.k == 0 ? name : fmt::format("{}+{}", name, insn.k);
  }
}

}  // namespace

std::string disassemble(const Insn& insn, uint32_t pc) {
  const char* name = kNames[int(insn.op)];
  const char* disp = (insn.op == Op::Ld || insn.op == Op::St) && insn.k != 0 ? "d" : "";
  switch (insn.op) {
    case Op::Nop:
    case Op::Ijmp:
    case Op::Icall:
    case Op::Eijmp:
    case Op::Eicall:
    case Op::Ret:
    case Op::Reti:
    case Op::Sleep:
    case Op::Wdr:
    case Op::Break:
    case Op::Spm:
    case Op::Undefined:
    case Op::Outside: return name;
    case Op::Neg:
    case Op::Inc:
    case Op::Dec:
    case Op::Com:
    case Op::Tst:
    case Op::Clr:
    case Op::Lsl:
    case Op::Rol:
    case Op::Lsr:
    case Op::Ror:
    case Op::Asr:
    case Op::Swap:
    case Op::Push:
    case Op::Pop: return fmt::format("{} r{}", name, insn.d);
    case Op::Subi:
    case Op::Sbci:
    case Op::Cpi:
    case Op::Andi:
    case Op::Ori:
    case Op::Ldi:
    case Op::Adiw:
    case Op::Sbiw: return fmt::format("{} r{}, 0x{:02X}", name, insn.d, insn.k);
    case Op::Ld:
    case Op::LdInc:
    case Op::LdDec: return fmt::format("{}{} r{}, {}", name, disp, insn.d, pointer(insn));
    case Op::St:
    case Op::StInc:
    case Op::StDec: return fmt::format("{}{} {}, r{}", name, disp, pointer(insn), insn.d);
    case Op::Lds: return fmt::format("lds r{}, 0x{:04X}", insn.d, insn.k);
    case Op::Sts: return fmt::format("sts 0x{:04X}, r{}", insn.k, insn.d);
    case Op::Lpm:
    case Op::Elpm: return fmt::format("{} r{}, Z", name, insn.d);
    case Op::LpmInc:
    case Op::ElpmInc: return fmt::format("{} r{}, Z+", name, insn.d);
    case Op::In: return fmt::format("in r{}, 0x{:02x}", insn.d, insn.k - 0x20);
    case Op::Out: return fmt::format("out 0x{:02x}, r{}", insn.k - 0x20, insn.d);
    case Op::Sbi:
    case Op::Cbi:
    case Op::Sbic:
    case Op::Sbis: return fmt::format("{} 0x{:02x}, {}", name, insn.k - 0x20, insn.r);
    case Op::Rjmp:
    case Op::Rcall: return fmt::format("{} .{:+}", name, (int64_t(insn.k) - int64_t(pc) - 1) * 2);
    case Op::Jmp:
    case Op::Call: return fmt::format("{} 0x{:x}", name, insn.k * 2);
    case Op::Brbs: return fmt::format("{} .{:+}", kBranchSet[insn.r], (int64_t(insn.k) - int64_t(pc) - 1) * 2);
    case Op::Brbc: return fmt::format("{} .{:+}", kBranchClear[insn.r], (int64_t(insn.k) - int64_t(pc) - 1) * 2);
    case Op::Sbrc:
    case Op::Sbrs:
    case Op::Bst:
    case Op::Bld: return fmt::format("{} r{}, {}", name, insn.d, insn.r);
    case Op::Bset: return kFlagSet[insn.r];
    case Op::Bclr: return kFlagClear[insn.r];
    default: return fmt::format("{} r{}, r{}", name, insn.d, insn.r);
  }
}

}  // namespace whittle::avr
