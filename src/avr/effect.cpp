#include "avr/effect.h"

namespace whittle::avr {

namespace {

constexpr uint8_t bit(Flag f) { return uint8_t(1u << f); }
constexpr uint8_t kLogicFlags = bit(kS) | bit(kV) | bit(kN) | bit(kZ);
constexpr uint8_t kShiftFlags = kLogicFlags | bit(kC);
constexpr uint8_t kArithmeticFlags = kShiftFlags | bit(kH);

constexpr uint32_t one(unsigned r) { return 1u << r; }
constexpr uint32_t two(unsigned r) { return 3u << r; }

void memory_effect(const Core& c, const Insn& i, Effect& e) {
  auto pointer = [&](int change) {
    e.reads |= two(i.r);
    if (i.op != Op::Ld && i.op != Op::St) e.writes |= two(i.r);
    int displacement = i.op == Op::Ld || i.op == Op::St ? int(i.k) : 0;
    return int(uint16_t((c.v[i.r] | (c.v[i.r + 1] << 8)) + change + displacement));
  };
  switch (i.op) {
    case Op::Ld:
    case Op::LdInc: e.load = pointer(0), e.writes |= one(i.d); break;
    case Op::LdDec: e.load = pointer(-1), e.writes |= one(i.d); break;
    case Op::St:
    case Op::StInc: e.store = pointer(0), e.reads |= one(i.d); break;
    case Op::StDec: e.store = pointer(-1), e.reads |= one(i.d); break;
    case Op::Lds:
    case Op::In: e.load = int(i.k), e.writes |= one(i.d); break;
    case Op::Sts:
    case Op::Out: e.store = int(i.k), e.reads |= one(i.d); break;
    case Op::Push: e.store = c.sp, e.reads |= one(i.d); break;
    case Op::Pop: e.load = c.sp + 1, e.writes |= one(i.d); break;
    case Op::Rcall:
    case Op::Call:
    case Op::Icall:
    case Op::Eicall:
      e.store_count = c.device().table().pc_bytes;
      e.store = c.sp - e.store_count + 1;
      if (i.op == Op::Icall || i.op == Op::Eicall) e.reads |= two(30);
      break;
    case Op::Ret:
    case Op::Reti: e.load = c.sp + 1, e.load_count = c.device().table().pc_bytes; break;
    default: break;
  }
  if (e.load == 0x5f) e.reads_flags |= 0x7f;
  if (e.store == 0x5f) e.writes_flags |= 0x7f;
}

}  // namespace

Effect effect_of(const Core& c, const Insn& i) {
  Effect e;
  switch (i.op) {
    case Op::Movw: e.reads = two(i.r), e.writes = two(i.d); break;
    case Op::Mul:
    case Op::Muls:
    case Op::Mulsu:
    case Op::Fmul:
    case Op::Fmuls:
    case Op::Fmulsu: e.reads = one(i.d) | one(i.r), e.writes = two(0), e.writes_flags = bit(kZ) | bit(kC); break;
    case Op::Adc:
    case Op::Sbc:
    case Op::Cpc:
    case Op::Rol:
      e.reads_flags = bit(kC);
      if (i.op == Op::Sbc || i.op == Op::Cpc) e.reads_flags |= bit(kZ);
      [[fallthrough]];
    case Op::Add:
    case Op::Sub:
    case Op::Cp:
    case Op::Lsl:
      e.reads = one(i.d) | one(i.r), e.writes_flags = kArithmeticFlags;
      if (i.op != Op::Cp && i.op != Op::Cpc) e.writes = one(i.d);
      break;
    case Op::Cpse: e.reads = one(i.d) | one(i.r); break;
    case Op::Sbci: e.reads_flags = bit(kC) | bit(kZ); [[fallthrough]];
    case Op::Neg:
    case Op::Subi: e.reads = e.writes = one(i.d), e.writes_flags = kArithmeticFlags; break;
    case Op::Cpi: e.reads = one(i.d), e.writes_flags = kArithmeticFlags; break;
    case Op::Adiw:
    case Op::Sbiw: e.reads = e.writes = two(i.d), e.writes_flags = kShiftFlags; break;
    case Op::And:
    case Op::Or:
    case Op::Eor: e.reads = one(i.d) | one(i.r), e.writes = one(i.d), e.writes_flags = kLogicFlags; break;
    case Op::Andi:
    case Op::Ori:
    case Op::Inc:
    case Op::Dec: e.reads = e.writes = one(i.d), e.writes_flags = kLogicFlags; break;
    case Op::Tst: e.reads = one(i.d), e.writes_flags = kLogicFlags; break;
    case Op::Clr: e.writes = one(i.d), e.writes_flags = kLogicFlags; break;
    case Op::Com: e.reads = e.writes = one(i.d), e.writes_flags = kShiftFlags; break;
    case Op::Ror: e.reads_flags = bit(kC); [[fallthrough]];
    case Op::Lsr:
    case Op::Asr: e.reads = e.writes = one(i.d), e.writes_flags = kShiftFlags; break;
    case Op::Swap: e.reads = e.writes = one(i.d); break;
    case Op::Mov: e.reads = one(i.r), e.writes = one(i.d); break;
    case Op::Ldi: e.writes = one(i.d); break;
    case Op::Lpm:
    case Op::Elpm: e.reads = two(30), e.writes = one(i.d); break;
    case Op::LpmInc:
    case Op::ElpmInc: e.reads = two(30), e.writes = two(30) | one(i.d); break;
    case Op::Ijmp:
    case Op::Eijmp: e.reads = two(30); break;
    case Op::Brbs:
    case Op::Brbc: e.reads_flags = uint8_t(1u << i.r); break;
    case Op::Sbrc:
    case Op::Sbrs: e.reads = one(i.d); break;
    case Op::Bst: e.reads = one(i.d), e.writes_flags = bit(kT); break;
    case Op::Bld: e.reads = e.writes = one(i.d), e.reads_flags = bit(kT); break;
    case Op::Bset:
    case Op::Bclr: e.writes_flags = uint8_t(1u << i.r); break;
    default: memory_effect(c, i, e); break;
  }
  return e;
}

}  // namespace whittle::avr
