// Instructions of an abstract chip: arithmetic on unknown bits gives unknown bits. Whatever the chip may compute is
// among the values that the result stands for.
#include <bit>

#include "avr/core.h"
#include "avr/precision.h"

namespace whittle::avr {

namespace {

/// A number of which some bits are known.
struct Bits {
  uint32_t value = 0, unknown = 0;  ///< bits of value are 0 where unknown
  uint32_t low() const { return value; }
  uint32_t high() const { return value | unknown; }
};

Bits known_bits(uint32_t value) { return {value, 0}; }

/// a + b + carry in `width` bits, and one more for the carry.
Bits sum(Bits a, Bits b, Bits carry, unsigned width) {
  uint32_t low = a.low() + b.low() + carry.low(), high = a.high() + b.high() + carry.high();
  uint32_t carries_low = low ^ a.low() ^ b.low(), carries_high = high ^ a.high() ^ b.high();
  uint32_t mask = (2u << width) - 1;
  uint32_t unknown = (a.unknown | b.unknown | (carries_low ^ carries_high)) & mask;
  return {low & mask & ~unknown, unknown};
}

Bits complement(Bits a, unsigned width) {
  uint32_t mask = (1u << width) - 1;
  return {~a.value & mask & ~a.unknown, a.unknown};
}

Bits either(Bits a, Bits b) {
  uint32_t unknown = a.unknown | b.unknown | (a.value ^ b.value);
  return {a.value & ~unknown, unknown};
}

/// The carry into bit n of a sum, from its bits and those of its operands; 0, 1 or kAnyFlag.
uint8_t bit_of(Bits a, unsigned n) { return (a.unknown >> n & 1) != 0 ? kAnyFlag : uint8_t(a.value >> n & 1); }
uint8_t exclusive(uint8_t a, uint8_t b) { return a > 1 || b > 1 ? kAnyFlag : uint8_t(a ^ b); }
uint8_t negated(uint8_t flag) { return flag > 1 ? kAnyFlag : uint8_t(flag ^ 1); }

}  // namespace

struct Abstract {
  Core& c;

  Bits cell(unsigned a) const { return {uint32_t(c.v[a] & ~c.x[a]), c.x[a]}; }
  Bits pair(unsigned a) const {
    Bits low = cell(a), high = cell(a + 1);
    return {low.value | high.value << 8, low.unknown | high.unknown << 8};
  }
  Bits flag(uint8_t which) const {
    uint8_t f = c.sreg[which];
    return f > 1 ? Bits{0, 1} : Bits{f, 0};
  }
  void set(unsigned a, Bits b) {
    c.v[a] = uint8_t(b.value), c.x[a] = uint8_t(b.unknown), c.t[a] = 0;
    c.x_changed = 1;
    c.has_x |= b.unknown != 0;
  }
  void set_pair(unsigned a, Bits b) {
    set(a, {b.value & 0xff, b.unknown & 0xff});
    set(a + 1, {b.value >> 8 & 0xff, b.unknown >> 8 & 0xff});
  }
  uint8_t zero(Bits b, unsigned width) const {
    uint32_t mask = (1u << width) - 1;
    if ((b.value & mask) != 0) return 0;
    return (b.unknown & mask) != 0 ? kAnyFlag : 1;
  }
  void signs(Bits r, unsigned width, uint8_t overflow) {
    c.sreg[kN] = bit_of(r, width - 1);
    c.sreg[kV] = overflow;
    c.sreg[kS] = exclusive(c.sreg[kN], overflow);
    c.sreg[kZ] = zero(r, width);
  }
  /// Carries out of two places of a + b = r.
  static uint8_t carry_into(Bits a, Bits b, Bits r, unsigned n) {
    return exclusive(exclusive(bit_of(a, n), bit_of(b, n)), bit_of(r, n));
  }
  /// Sum of bytes with its flags; `borrow`: it is a - b as a + ~b + 1.
  Bits add(Bits a, Bits b, Bits carry, bool borrow) {
    Bits r = sum(a, b, carry, 8);
    uint8_t out = bit_of(r, 8), half = carry_into(a, b, r, 4), into_sign = carry_into(a, b, r, 7);
    c.sreg[kC] = borrow ? negated(out) : out;
    c.sreg[kH] = borrow ? negated(half) : half;
    signs(r, 8, exclusive(out, into_sign));
    return {r.value & 0xff, r.unknown & 0xff};
  }
  Bits subtract(Bits a, Bits b, Bits borrow) {
    return add(a, complement(b, 8), complement(borrow, 1), true);
  }
  Bits subtract_chain(Bits a, Bits b) {
    uint8_t z = c.sreg[kZ];
    Bits r = subtract(a, b, flag(kC));
    if (z == 0)
      c.sreg[kZ] = 0;
    else if (z > 1 && c.sreg[kZ] == 1)
      c.sreg[kZ] = kAnyFlag;
    return r;
  }
  void add_word(unsigned d, uint32_t k, bool minus) {
    Bits a = pair(d), b = minus ? complement(known_bits(k), 16) : known_bits(k);
    Bits r = sum(a, b, known_bits(minus ? 1 : 0), 16);
    uint8_t out = bit_of(r, 16), into_sign = carry_into(a, b, r, 15);
    c.sreg[kC] = minus ? negated(out) : out;
    signs(r, 16, exclusive(out, into_sign));
    set_pair(d, r);
  }
  void shift_right(unsigned d, Bits in) {
    Bits a = cell(d);
    c.sreg[kC] = bit_of(a, 0);
    Bits r{a.value >> 1 | in.value << 7, a.unknown >> 1 | in.unknown << 7};
    set(d, r);
    signs(r, 8, exclusive(bit_of(r, 7), c.sreg[kC]));
  }
  void shift_left(unsigned d, Bits in) {
    Bits a = cell(d);
    c.sreg[kC] = bit_of(a, 7);
    c.sreg[kH] = bit_of(a, 3);
    Bits r{(a.value << 1 | in.value) & 0xff, (a.unknown << 1 | in.unknown) & 0xff};
    set(d, r);
    signs(r, 8, exclusive(bit_of(r, 7), c.sreg[kC]));
  }
  void logic(unsigned d, Bits r) {
    set(d, r);
    signs(r, 8, 0);
  }
  void product(uint32_t highest) {
    set_pair(0, {0, (uint32_t{1} << std::bit_width(highest)) - 1});
    c.sreg[kC] = (highest & 0x8000) != 0 ? kAnyFlag : uint8_t(0);
    c.sreg[kZ] = kAnyFlag;
  }
  void status_to(unsigned d) {
    Bits r;
    for (unsigned f = 0; f < 8; ++f) {
      Bits one = flag(uint8_t(f));
      r.value |= one.value << f, r.unknown |= one.unknown << f;
    }
    set(d, r);
  }
  void status_from(unsigned d) {
    Bits from = cell(d);
    if (bit_of(from, 7) == 1 && c.sreg[kI] == 0) c.inhibit = true;
    for (unsigned f = 0; f < 8; ++f) c.sreg[f] = bit_of(from, f);
  }
  /// A pointer goes on by one; flags stay.
  void advance(unsigned pointer) {
    auto flags = c.sreg;
    add_word(pointer, 1, false);
    c.sreg = flags;
  }
  bool run_sum(const Insn& i);
  bool access(const Insn& i);
  bool run(const Insn& i);
};

/// The demand has made sure that the carry is the same for all values.
bool Abstract::run_sum(const Insn& i) {
  OffsetSum what = c.offset_sum(i);
  if (!what.found || !c.has_free_token()) return false;
  Range range = c.range_of(what.cell);
  unsigned low = range.low + what.add, high = range.high + what.add;
  if ((low >> 8) != (high >> 8)) return false;
  bool minus = i.op == Op::Subi || i.op == Op::Sbiw, word = i.op == Op::Adiw || i.op == Op::Sbiw;
  uint8_t carry = uint8_t(low >> 8), upper = word ? c.v[i.d + 1] : uint8_t(0);
  if (word) {
    add_word(i.d, i.k, i.op == Op::Sbiw);
    auto sum = uint8_t(minus ? upper - 1 + carry : upper + carry);
    set(i.d + 1u, known_bits(sum));
    c.sreg[kC] = minus ? uint8_t(upper == 0 && carry == 0) : uint8_t(upper == 0xff && carry == 1);
  } else {
    add(cell(what.cell), known_bits(what.add), {}, minus);
    c.sreg[kC] = minus ? uint8_t(carry ^ 1) : carry;
    if (minus) c.sreg[kH] = c.sreg[kV] = c.sreg[kS] = kAnyFlag;  // those of a sum are other ones
  }
  c.set_range(i.d, uint8_t(low), uint8_t(high));
  return true;
}

bool Abstract::access(const Insn& i) {
  AddressRange at = c.address_range(i);
  if (i.op == Op::Ld || i.op == Op::LdInc) {
    Bits any = cell(at.low);
    for (uint32_t a = at.low + 1; a <= at.high; ++a) any = either(any, cell(a));
    if (i.op == Op::LdInc) advance(i.r);
    set(i.d, any);
    return true;
  }
  for (uint32_t a = at.low; a <= at.high; ++a) {
    if (c.written != nullptr) (*c.written)[a].add(c.v[i.d], c.x[i.d]);
    if (!(c.x[a] == 0xff && c.t[a] == kNeverWritten)) set(a, either(cell(a), cell(i.d)));
  }
  if (i.op == Op::StInc) advance(i.r);
  return true;
}

/// False: nothing is unknown here that the usual instruction cannot take.
bool Abstract::run(const Insn& i) {
  constexpr uint16_t kStatus = 0x5f;
  unsigned d = i.d, r = i.r;
  const bool one = c.x[d] != 0, two = one || (r < 32 && c.x[r] != 0);
  const bool carry = c.sreg[kC] > 1, chain = carry || c.sreg[kZ] > 1;
  switch (i.op) {
    case Op::Add: return two && (set(d, add(cell(d), cell(r), {}, false)), true);
    case Op::Adc: return (two || carry) && (set(d, add(cell(d), cell(r), flag(kC), false)), true);
    case Op::Sub: return two && (set(d, subtract(cell(d), cell(r), {})), true);
    case Op::Cp: return two && (subtract(cell(d), cell(r), {}), true);
    case Op::Sbc: return (two || chain) && (set(d, subtract_chain(cell(d), cell(r))), true);
    case Op::Cpc: return (two || chain) && (subtract_chain(cell(d), cell(r)), true);
    case Op::Subi: return one && (set(d, subtract(cell(d), known_bits(uint8_t(i.k)), {})), true);
    case Op::Cpi: return one && (subtract(cell(d), known_bits(uint8_t(i.k)), {}), true);
    case Op::Sbci: return (one || chain) && (set(d, subtract_chain(cell(d), known_bits(uint8_t(i.k)))), true);
    case Op::Neg: return one && (set(d, subtract({}, cell(d), {})), true);
    case Op::Inc:
    case Op::Dec: {
      if (!one) return false;
      uint8_t c0 = c.sreg[kC], h0 = c.sreg[kH];
      set(d, i.op == Op::Inc ? add(cell(d), known_bits(1), {}, false) : subtract(cell(d), known_bits(1), {}));
      c.sreg[kC] = c0, c.sreg[kH] = h0;
      return true;
    }
    case Op::Adiw:
    case Op::Sbiw:
      if (!one && c.x[d + 1] == 0) return false;
      add_word(d, i.k, i.op == Op::Sbiw);
      return true;
    case Op::Mul: return two && (product(cell(d).high() * cell(r).high()), true);
    case Op::Muls:
    case Op::Mulsu:
    case Op::Fmul:
    case Op::Fmuls:
    case Op::Fmulsu: return two && (product(0xffff), true);
    case Op::And:
    case Op::Or:
    case Op::Eor: {
      if (d == r || !one || c.x[r] == 0) return false;  // one operand known: the other keeps its links
      Bits a = cell(d), b = cell(r);
      uint32_t ones = i.op == Op::And ? a.value & b.value : i.op == Op::Or ? a.value | b.value : 0;
      uint32_t unknown = i.op == Op::And  ? a.high() & b.high() & ~ones
                         : i.op == Op::Or ? (a.unknown | b.unknown) & ~ones
                                          : a.unknown | b.unknown;
      if (i.op == Op::Eor) ones = (a.value ^ b.value) & ~unknown;
      logic(d, {ones, unknown});
      return true;
    }
    case Op::Lsl: return (c.x[d] & 0x88) != 0 && (shift_left(d, {}), true);
    case Op::Rol: return ((c.x[d] & 0x88) != 0 || carry) && (shift_left(d, flag(kC)), true);
    case Op::Lsr: return (c.x[d] & 1) != 0 && (shift_right(d, {}), true);
    case Op::Ror: return ((c.x[d] & 1) != 0 || carry) && (shift_right(d, flag(kC)), true);
    case Op::Asr: return (c.x[d] & 0x81) != 0 && (shift_right(d, {cell(d).value >> 7, cell(d).unknown >> 7}), true);
    case Op::Ld:
    case Op::LdInc:
    case Op::St:
    case Op::StInc: return c.x[r] != 0 && access(i);
    case Op::In:
    case Op::Lds: return i.k == kStatus && (status_to(d), true);
    case Op::Out:
    case Op::Sts: return i.k == kStatus && (status_from(d), true);
    default: return false;
  }
}

bool Core::run_abstract(const Insn& i, uint32_t at) {
  Abstract abstract{*this};
  if (precision->live.makes_addresses[at] != 0 && precision->exact[at] == 0 && abstract.run_sum(i)) return true;
  return abstract.run(i);
}

OffsetSum Core::offset_sum(const Insn& i) const {
  switch (i.op) {
    case Op::Add:
      if (x[i.d] != 0 && x[i.r] == 0) return {true, i.d, v[i.r]};
      if (x[i.d] == 0 && x[i.r] != 0) return {true, i.r, v[i.d]};
      return {};
    case Op::Subi: return x[i.d] != 0 && i.k != 0 ? OffsetSum{true, i.d, uint8_t(0 - i.k)} : OffsetSum{};
    case Op::Adiw:
    case Op::Sbiw:
      if (x[i.d] == 0 || x[i.d + 1] != 0 || i.k == 0) return {};
      return {true, i.d, uint8_t(i.op == Op::Adiw ? i.k : 0 - i.k)};
    default: return {};
  }
}

AddressRange Core::address_range(const Insn& i) const {
  Range range = range_of(i.r);
  uint32_t base = (uint32_t(v[i.r + 1]) << 8) + (i.op == Op::Ld || i.op == Op::St ? i.k : 0);
  return {base + range.low, base + range.high};
}

/// After a step: what the precision does not keep, and what nothing will read, is any value.
void Core::forget() {
  const Precision& p = *precision;
  auto any = [&](uint16_t a, uint8_t mask, uint8_t token) {
    if ((x[a] & mask) == mask && t[a] == token) return;
    x[a] |= mask;
    v[a] &= uint8_t(~x[a]);
    t[a] = token;
    has_x = true;
    x_changed = 1;
  };
  for (Precision::Forgotten cell : p.cells) {
    bool kept = cell.address < ram_start_ ? layout->io_index[cell.address] != 0 : live_ram(cell.address);
    if (kept && !(x[cell.address] == 0xff && t[cell.address] == kNeverWritten)) any(cell.address, cell.mask, 0);
  }
  if (pc >= p.live.registers.size()) return;
  for (uint32_t dead = ~p.live.registers[pc]; dead != 0; dead &= dead - 1)
    any(uint16_t(__builtin_ctz(dead)), 0xff, kNeverWritten);
  for (uint8_t f = 0; f < kI; ++f)
    if ((p.live.flags[pc] >> f & 1) == 0) sreg[f] = kAnyFlag;
  if (p.head_at[pc] < 0) return;
  const Precision::Head& head = p.heads[size_t(p.head_at[pc])];
  for (uint16_t r = 0; r < 32; ++r)
    if (head.forgotten[r] != 0 && !(x[r] == 0xff && t[r] == kNeverWritten)) any(r, head.forgotten[r], 0);
}

}  // namespace whittle::avr
