#include "avr/demand.h"

#include <algorithm>
#include <bit>

#include "avr/expression.h"
#include "avr/precision.h"

namespace whittle::avr {

namespace {

using Kind = Demand::Kind;

class Finder {
 public:
  Finder(const Core& core, const DemandRules& rules) : c_(core), rules_(rules) {}

  Demand find(const Insn& i);
  Demand find_exact(const Insn& i) const { return Finder(c_, rules_).find(i); }
  /// For an abstract chip, which computes with unknown bits.
  Demand find_abstract(const Insn& i);

 private:
  Demand find_needed(const Insn& i);
  Demand address_sum(const Insn& i) const;
  bool some_variable(const Insn& i) const;
  Demand bits(uint16_t cell, uint8_t mask) const {
    mask &= c_.x[cell];
    return mask == 0 ? Demand{} : Demand{Kind::Bits, cell, mask, {}};
  }
  Demand known(uint16_t cell) const { return bits(cell, 0xff); }
  Demand known(uint16_t first, uint16_t second) const { return c_.x[first] != 0 ? known(first) : known(second); }
  Demand flag(uint8_t which) const {
    if (c_.sreg[which] < kLazy) return {};
    if (c_.sreg[which] == kAnyFlag) return Demand{Kind::Flag, which, 1, {}};
    uint16_t f = c_.flags_cell();
    return which == kZ ? Demand{Kind::Zero, f, c_.x[f], {}} : bits(f, 0x80);
  }
  Demand all_flags() const {
    for (uint8_t which = 0; which < kI; ++which)
      if (c_.sreg[which] >= kLazy) return flag(which);
    return {};
  }
  /// Copying unknown bits needs a token when they have none yet.
  Demand copyable(uint16_t cell) const {
    return c_.precision == nullptr && c_.tokens() + 3 >= kMaxToken ? known(cell) : Demand{};
  }
  Demand both(const Insn& i) const {
    if (c_.precision != nullptr) return {};
    if (i.d == i.r || c_.x[i.d] == 0) return copyable(i.r);
    if (c_.x[i.r] == 0) return copyable(i.d);
    return std::popcount(c_.x[i.d]) <= std::popcount(c_.x[i.r]) ? known(i.d) : known(i.r);
  }
  Demand outside(uint16_t address, uint8_t fresh, uint8_t wanted, bool eager) const;
  Demand read_io(uint16_t address, uint8_t wanted, bool eager) const;
  Demand load(uint16_t address) const;
  Demand store(uint16_t address, uint8_t from) const;
  bool atoms_stay_known(uint16_t address, uint8_t from) const;
  Demand other_half(const Register& r) const;
  Demand write_bit(const Insn& i) const;
  Demand pointer_load(const Insn& i, int before) const;
  Demand pointer_store(const Insn& i, int before) const;
  Demand return_address() const;

  uint16_t pointer(const Insn& i) const { return uint16_t(c_.v[i.r] | (c_.v[i.r + 1] << 8)); }

  const Core& c_;
  const DemandRules& rules_;
};

/// The environment decides `fresh` bits of a register of which the instruction needs `wanted`.
Demand Finder::outside(uint16_t address, uint8_t fresh, uint8_t wanted, bool eager) const {
  const std::vector<uint8_t>& allowed = rules_.allowed[address];
  if (!allowed.empty() && fresh != 0) {
    Demand demand{Kind::Choose, address, uint8_t(fresh & wanted), {}};
    for (uint8_t value : allowed) demand.values.push_back(value & demand.mask);
    std::sort(demand.values.begin(), demand.values.end());
    demand.values.erase(std::unique(demand.values.begin(), demand.values.end()), demand.values.end());
    return demand.mask == 0 ? Demand{} : demand;
  }
  auto mask = uint8_t(fresh & wanted);
  return eager && mask != 0 ? Demand{Kind::Deliver, address, mask, {}} : Demand{};
}

Demand Finder::read_io(uint16_t address, uint8_t wanted, bool eager) const {
  const Register& r = c_.device().at(address);
  if (r.kind == RegisterKind::Sreg) return all_flags();
  Core::View view = c_.peek(address);
  if ((view.stored_x & wanted) != 0) {
    // Unknown bits of two origins do not fit into one cell, and a pin reads another register's bits.
    bool mixed = view.fresh != 0 || r.kind == RegisterKind::Pin;
    uint16_t cell = c_.stored_at(address);
    if (mixed || eager) return bits(cell, view.stored_x & wanted);
    return copyable(cell);
  }
  if (r.half.latches && !r.half.high && c_.x[r.half.other] != 0)  // TEMP becomes a copy of the other half
    if (Demand demand = copyable(r.half.other); demand.kind != Kind::None) return demand;
  return outside(address, view.fresh, wanted, eager);
}

Demand Finder::load(uint16_t address) const {
  if (address < 32) return copyable(address);
  const Device& device = c_.device();
  if (address < device.ram_start()) return read_io(address, 0xff, rules_.eager);
  if (address > device.ram_end()) return {};
  if (c_.options().check_written && (!c_.live_ram(address) || c_.t[address] == kNeverWritten)) return {};
  if (!c_.live_ram(address)) return rules_.eager ? Demand{Kind::Deliver, address, 0xff, {}} : Demand{};
  return rules_.eager ? known(address) : copyable(address);
}

Demand Finder::store(uint16_t address, uint8_t from) const {
  if (address < c_.device().ram_start() && address >= 32) {
    const Register& r = c_.device().at(address);
    if (r.timer >= 0 && r.kind == RegisterKind::Plain) {
      // Stopping a timer makes its flags unknown bits of their own: other links of that cell must be gone.
      uint16_t flags = c_.device().timers()[size_t(r.timer)].flag_register;
      if (flags != 0 && c_.x[flags] != 0 && c_.t[flags] != 0) return known(flags);
    }
    if (Demand demand = other_half(r); demand.kind != Kind::None) return demand;
    if (r.timed.window == kWatchdogWindow && r.timed.key != 0 && c_.window[kWatchdogWindow] != 0) {
      BitAt flag = c_.device().watchdog().reset_flag;  // decides whether the watchdog can be switched off
      if (Demand demand = bits(flag.address, flag.mask); demand.kind != Kind::None) return demand;
    }
    if (r.kind == RegisterKind::Stream && r.half.timer < 0) return {};  // what goes out is not remembered
    if (r.kind != RegisterKind::Latch || (r.compares && c_.options().timers_exact)) return known(from);
  }
  if (address <= c_.device().ram_end() && !atoms_stay_known(address, from))
    if (Demand demand = bits(from, rules_.observed[address]); demand.kind != Kind::None) return demand;
  return copyable(from);
}

bool Finder::atoms_stay_known(uint16_t address, uint8_t from) const {
  if (rules_.atoms == nullptr || address < c_.device().ram_start() || c_.x[from] == 0) return false;
  for (const Expression& atom : *rules_.atoms)
    if (!atom.truth(c_, {address, c_.v[from], c_.x[from]})) return false;
  return true;
}

/// Writing the low byte of a 16-bit register writes TEMP into the high byte.
Demand Finder::other_half(const Register& r) const {
  if (r.half.timer < 0 || r.half.high || r.kind == RegisterKind::Stream) return {};
  uint16_t temp = c_.temp_cell(r.half.timer);
  if (r.compares && c_.options().timers_exact) return known(temp);
  Demand seen = bits(temp, rules_.observed[r.half.other]);
  return seen.kind != Kind::None ? seen : copyable(temp);
}

Demand Finder::write_bit(const Insn& i) const {
  const Register& r = c_.device().at(uint16_t(i.k));
  if (r.kind == RegisterKind::Plain || r.kind == RegisterKind::EepromControl)
    return bits(uint16_t(i.k), uint8_t(~(r.busy | (1u << i.r))));
  return {};
}

Demand Finder::pointer_load(const Insn& i, int before) const {
  Demand address = known(i.r, uint16_t(i.r + 1));
  if (address.kind != Kind::None) return address;
  return load(uint16_t(pointer(i) + before + (i.op == Op::Ld ? int(i.k) : 0)));
}

Demand Finder::pointer_store(const Insn& i, int before) const {
  Demand address = known(i.r, uint16_t(i.r + 1));
  if (address.kind != Kind::None) return address;
  return store(uint16_t(pointer(i) + before + (i.op == Op::St ? int(i.k) : 0)), i.d);
}

Demand Finder::return_address() const {
  for (int n = 1; n <= c_.device().table().pc_bytes; ++n) {
    uint32_t address = uint32_t(c_.sp) + uint32_t(n);
    if (address <= c_.device().ram_end() && c_.x[address] != 0) return known(uint16_t(address));
  }
  return {};
}

/// Arithmetic that may become an address, and where a path was none of the chip, decides; a carry alone is decided, too.
Demand Finder::find_abstract(const Insn& i) {
  Demand demand = find_needed(i);
  // An address is decided for its own sake: what it was computed from stays unknown.
  demand.alone = demand.kind == Kind::Bits && c_.precision->exact[c_.pc] == 0 && c_.precision->live.makes_addresses[c_.pc] != 0;
  return demand;
}

/// A known number is added to an unknown one. Whether there is a carry is decided; the rest is a range.
Demand Finder::address_sum(const Insn& i) const {
  OffsetSum sum = c_.offset_sum(i);
  if (!sum.found || !c_.has_free_token())
    return c_.precision->live.makes_addresses[c_.pc] == Liveness::kAddress ? find_exact(i) : Demand{};
  Range range = c_.range_of(sum.cell);
  unsigned limit = 256u - sum.add;  // from there on the sum has a carry
  if (range.high < limit || range.low >= limit) return {};
  return {Kind::Range, sum.cell, range.mask, {range.low, uint8_t(limit - 1), uint8_t(limit), range.high}};
}

/// A pointer that lies in the variables, wherever exactly: a store may change each of them, a load finds any of them.
bool Finder::some_variable(const Insn& i) const {
  bool plain = i.op == Op::Ld || i.op == Op::St || i.op == Op::LdInc || i.op == Op::StInc;
  if (!plain || c_.x[i.r] == 0 || c_.x[i.r + 1] != 0 || c_.options().check_written) return false;
  AddressRange at = c_.address_range(i);
  if (at.low < c_.device().ram_start() || at.high >= c_.layout->low_top) return false;
  for (uint32_t a = at.low; a <= at.high; ++a)
    if (rules_.observed[a] != 0) return false;
  return true;
}

Demand Finder::find_needed(const Insn& i) {
  constexpr uint16_t kStatus = 0x5f;
  const Precision& p = *c_.precision;
  bool exact = p.exact[c_.pc] != 0 || p.live.makes_addresses[c_.pc] == Liveness::kAddress;
  bool any_carry = c_.sreg[kC] == kAnyFlag;
  switch (i.op) {
    case Op::Adc:
    case Op::Sbc:
    case Op::Cpc:
    case Op::Sbci: {
      bool one = i.op == Op::Sbci;
      Demand operands = one ? known(i.d) : known(i.d, i.r);
      if (exact && operands.kind != Kind::None) return operands;
      return any_carry && (exact || operands.kind == Kind::None) ? flag(kC) : Demand{};
    }
    case Op::Rol:
    case Op::Ror:
      if (any_carry && (exact || c_.x[i.d] == 0)) return flag(kC);
      return exact ? find(i) : Demand{};
    case Op::Add:
    case Op::Subi:
    case Op::Adiw:
    case Op::Sbiw:
      if (p.exact[c_.pc] == 0 && p.live.makes_addresses[c_.pc] != 0) return address_sum(i);
      return exact ? find(i) : Demand{};
    case Op::Ld:
    case Op::LdInc:
    case Op::St:
    case Op::StInc: return p.exact[c_.pc] == 0 && some_variable(i) ? Demand{} : find(i);
    case Op::Mul:
    case Op::Muls:
    case Op::Mulsu:
    case Op::Fmul:
    case Op::Fmuls:
    case Op::Fmulsu:
    case Op::Sub:
    case Op::Cp:
    case Op::Neg:
    case Op::Inc:
    case Op::Dec:
    case Op::Cpi:
    case Op::Lsl:
    case Op::Lsr:
    case Op::Asr: return exact ? find(i) : Demand{};
    case Op::In:
    case Op::Lds: return i.k == kStatus ? Demand{} : find(i);
    case Op::Out:
    case Op::Sts: return i.k == kStatus ? bits(i.d, 0x80) : find(i);
    case Op::Bld: return flag(kT);
    default: return find(i);
  }
}

Demand Finder::find(const Insn& i) {
  switch (i.op) {
    case Op::Mul:
    case Op::Muls:
    case Op::Mulsu:
    case Op::Fmul:
    case Op::Fmuls:
    case Op::Fmulsu:
    case Op::Add:
    case Op::Adc:
    case Op::Sub:
    case Op::Cp:
    case Op::Cpse: return known(i.d, i.r);
    case Op::Sbc:
    case Op::Cpc: return c_.sreg[kZ] >= kLazy ? flag(kZ) : known(i.d, i.r);
    case Op::Sbci: return c_.sreg[kZ] >= kLazy ? flag(kZ) : known(i.d);
    case Op::Neg:
    case Op::Inc:
    case Op::Dec:
    case Op::Subi:
    case Op::Cpi: return known(i.d);
    case Op::Adiw:
    case Op::Sbiw: return known(i.d, uint16_t(i.d + 1));
    case Op::And:
    case Op::Or:
    case Op::Eor: return both(i);
    case Op::Andi:
    case Op::Ori:
    case Op::Com:
    case Op::Tst: return copyable(i.d);
    case Op::Mov: return copyable(i.r);
    case Op::Movw: return c_.x[i.r] != 0 && c_.tokens() + 3 >= kMaxToken ? known(i.r) : copyable(uint16_t(i.r + 1));
    case Op::Lsl:
    case Op::Rol: return bits(i.d, 0x88).kind != Kind::None ? bits(i.d, 0x88) : copyable(i.d);
    case Op::Lsr:
    case Op::Ror: return bits(i.d, 0x01).kind != Kind::None ? bits(i.d, 0x01) : copyable(i.d);
    case Op::Asr: return bits(i.d, 0x81).kind != Kind::None ? bits(i.d, 0x81) : copyable(i.d);
    case Op::Ld:
    case Op::LdInc: return pointer_load(i, 0);
    case Op::LdDec: return pointer_load(i, -1);
    case Op::St:
    case Op::StInc: return pointer_store(i, 0);
    case Op::StDec: return pointer_store(i, -1);
    case Op::Lds: return load(uint16_t(i.k));
    case Op::Sts: return store(uint16_t(i.k), i.d);
    case Op::Push: return copyable(i.d);
    case Op::Pop: return load(uint16_t(c_.sp + 1));
    case Op::Lpm:
    case Op::LpmInc:
    case Op::Elpm:
    case Op::ElpmInc:
    case Op::Ijmp:
    case Op::Icall:
    case Op::Eijmp:
    case Op::Eicall: return known(30, 31);
    case Op::In: return read_io(uint16_t(i.k), 0xff, rules_.eager);
    case Op::Out: return store(uint16_t(i.k), i.d);
    case Op::Sbi:
    case Op::Cbi: return write_bit(i);
    case Op::Sbic:
    case Op::Sbis: return read_io(uint16_t(i.k), uint8_t(1u << i.r), true);
    case Op::Ret:
    case Op::Reti: return return_address();
    case Op::Brbs:
    case Op::Brbc: return flag(i.r);
    case Op::Sbrc:
    case Op::Sbrs:
    case Op::Bst: return bits(i.d, uint8_t(1u << i.r));
    default: return {};
  }
}

bool touches_outside(Op op) {
  switch (op) {
    case Op::Ld:
    case Op::LdInc:
    case Op::LdDec:
    case Op::Lds:
    case Op::Pop:
    case Op::In:
    case Op::Sbic:
    case Op::Sbis: return true;
    default: return false;
  }
}

}  // namespace

uint8_t deposit(uint32_t index, uint8_t mask) {
  uint8_t value = 0;
  for (uint8_t bit = 0; bit < 8; ++bit) {
    if ((mask & (1u << bit)) == 0) continue;
    if ((index & 1) != 0) value |= uint8_t(1u << bit);
    index >>= 1;
  }
  return value;
}

uint32_t Demand::count() const {
  switch (kind) {
    case Kind::None: return 1;
    case Kind::Bits:
    case Kind::Flag:
    case Kind::Deliver: return 1u << std::popcount(mask);
    case Kind::Range: return 2;
    case Kind::Zero: return 1u + uint32_t(std::popcount(mask));
    case Kind::Choose: return uint32_t(values.size());
  }
  return 1;
}

Delivery Demand::apply(Core& core, uint32_t index) const {
  switch (kind) {
    case Kind::None: return {};
    case Kind::Deliver: return {mask, deposit(index, mask)};
    case Kind::Choose: return {mask, values[index]};
    case Kind::Range: core.set_range(cell, values[2 * index], values[2 * index + 1]); return {};
    case Kind::Flag: core.sreg[cell] = uint8_t(index); return {};
    case Kind::Bits: {
      uint8_t value = deposit(index, mask);
      if (alone) core.unlink(cell);
      for (uint8_t bit = 0; bit < 8; ++bit)
        if ((mask & (1u << bit)) != 0) core.resolve(cell, bit, ((value >> bit) & 1) != 0);
      return {};
    }
    case Kind::Zero: {
      uint32_t seen = 0;
      for (uint8_t bit = 0; bit < 8; ++bit) {
        if ((mask & (1u << bit)) == 0) continue;
        ++seen;
        core.resolve(cell, bit, seen == index);
        if (seen == index) break;
      }
      return {};
    }
  }
  return {};
}

Demand demand(const Core& core, const DemandRules& rules) {
  if (core.pc >= core.code().size()) return {};
  const Insn& insn = core.next();
  if (core.precision != nullptr) return Finder(core, rules).find_abstract(insn);
  if (!core.has_x && !touches_outside(insn.op)) return {};
  return Finder(core, rules).find(insn);
}

}  // namespace whittle::avr
