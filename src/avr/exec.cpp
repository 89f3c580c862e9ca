// What every instruction does, given that demand() found nothing left to decide.
//
// Arithmetic never sees unknown bits. Moves, masks, shifts and stores do: they go through copy() and the cases below
// that look at x. Flags follow the instruction set manual's equations.
#include "avr/core.h"

namespace whittle::avr {

namespace {

inline uint16_t pair(const uint8_t* r, int low) { return uint16_t(r[low] | (r[low + 1] << 8)); }

}  // namespace

/// One instruction's worth of access to the core, all inline: the bodies of the cases in Core::execute.
struct Exec {
  Core& c;
  uint8_t* v;
  uint8_t* x;
  uint8_t* sreg;

  explicit Exec(Core& core) : c(core), v(core.v.data()), x(core.x.data()), sreg(core.sreg.data()) {}

  void zns(uint8_t r) {
    sreg[kZ] = r == 0;
    sreg[kN] = r >> 7;
    sreg[kS] = sreg[kN] ^ sreg[kV];
  }
  void set(uint8_t d, uint8_t value) {
    v[d] = value;
    c.x_changed |= x[d];
    x[d] = 0;
  }
  void set_pair(uint8_t d, uint16_t value) {
    set(d, uint8_t(value));
    set(uint8_t(d + 1), uint8_t(value >> 8));
  }

  uint8_t add(uint8_t a, uint8_t b, uint8_t carry) {
    auto r = uint8_t(a + b + carry);
    auto carries = uint8_t((a & b) | (b & ~r) | (~r & a));
    sreg[kH] = (carries >> 3) & 1;
    sreg[kC] = carries >> 7;
    sreg[kV] = uint8_t(((a & b & ~r) | (~a & ~b & r)) >> 7) & 1;
    zns(r);
    return r;
  }
  uint8_t subtract(uint8_t a, uint8_t b, uint8_t borrow) {
    auto r = uint8_t(a - b - borrow);
    auto borrows = uint8_t((~a & b) | (b & r) | (r & ~a));
    sreg[kH] = (borrows >> 3) & 1;
    sreg[kC] = borrows >> 7;
    sreg[kV] = uint8_t(((a & ~b & ~r) | (~a & b & r)) >> 7) & 1;
    zns(r);
    return r;
  }
  /// With the Z flag of a chain of bytes: it can only be cleared.
  uint8_t subtract_chain(uint8_t a, uint8_t b) {
    uint8_t z = sreg[kZ];
    uint8_t r = subtract(a, b, sreg[kC]);
    sreg[kZ] &= z;
    return r;
  }
  /// Flags of a logical result already in register d.
  void logic(uint8_t d) {
    sreg[kV] = 0;
    if (x[d] == 0)
      zns(v[d]);
    else
      c.lazy_flags(d);
  }
  void mask(uint8_t d, uint8_t r, bool conjunction) {
    if (d == r) {
      // unchanged
    } else if (x[d] == 0 && x[r] == 0) {
      v[d] = conjunction ? v[d] & v[r] : v[d] | v[r];
    } else if (x[r] == 0) {
      immediate_mask(d, v[r], conjunction);
    } else {
      uint8_t known = v[d];
      c.copy(d, r);
      immediate_mask(d, known, conjunction);
    }
    logic(d);
  }
  void immediate_mask(uint8_t d, uint8_t k, bool conjunction) {
    c.x_changed |= x[d];
    if (conjunction) {
      v[d] &= k;
      x[d] &= k;
    } else {
      v[d] |= k;
      x[d] &= uint8_t(~k);
    }
  }
  void exclusive_or(uint8_t d, uint8_t r) {
    uint8_t other = v[d];
    if (x[d] != 0)
      other = v[r];
    else if (x[r] != 0)
      c.copy(d, r);
    else
      other = v[r];
    v[d] ^= other;
    c.x_changed |= x[d];
    logic(d);
  }
  void rotate_token(uint8_t d, unsigned by) {
    c.x_changed |= x[d];
    uint8_t& t = c.t[d];
    if (x[d] != 0 && t != 0 && t != kNeverWritten) t = uint8_t((t & 0xf8) | ((t + by) & 7));
  }
  /// Bits move one place; carry and the bit that enters are known.
  void shift_flags(uint8_t d, uint8_t carry) {
    sreg[kC] = carry;
    if (x[d] == 0) {
      sreg[kV] = uint8_t((v[d] >> 7) ^ carry);
      zns(v[d]);
      return;
    }
    c.lazy_flags(d);
    sreg[kV] = sreg[kN] == kLazy ? (carry != 0 ? kLazyNot : kLazy) : sreg[kN] ^ carry;
    sreg[kS] = carry;  // N xor V
  }
  void shift_right(uint8_t d, uint8_t in) {
    uint8_t carry = v[d] & 1;
    v[d] = uint8_t((v[d] >> 1) | (in << 7));
    c.x_changed |= x[d];
    x[d] >>= 1;
    rotate_token(d, 1);
    shift_flags(d, carry);
  }
  void shift_left(uint8_t d, uint8_t in) {
    uint8_t carry = v[d] >> 7;
    sreg[kH] = (v[d] >> 3) & 1;
    v[d] = uint8_t((v[d] << 1) | in);
    c.x_changed |= x[d];
    x[d] = uint8_t(x[d] << 1);
    rotate_token(d, 7);
    shift_flags(d, carry);
  }
  void product(uint16_t p, bool fraction) {
    sreg[kC] = uint8_t(p >> 15);
    if (fraction) p = uint16_t(p << 1);
    sreg[kZ] = p == 0;
    set_pair(0, p);
  }
  void add_word(uint8_t d, uint16_t k) {
    uint16_t a = pair(v, d);
    auto r = uint16_t(a + k);
    sreg[kV] = uint8_t((~a & r) >> 15);
    sreg[kC] = uint8_t((a & ~r) >> 15);
    word_flags(r);
    set_pair(d, r);
  }
  void subtract_word(uint8_t d, uint16_t k) {
    uint16_t a = pair(v, d);
    auto r = uint16_t(a - k);
    sreg[kV] = uint8_t((a & ~r) >> 15);
    sreg[kC] = uint8_t((~a & r) >> 15);
    word_flags(r);
    set_pair(d, r);
  }
  void word_flags(uint16_t r) {
    sreg[kZ] = r == 0;
    sreg[kN] = uint8_t(r >> 15);
    sreg[kS] = sreg[kN] ^ sreg[kV];
  }
  void swap(uint8_t d) {
    v[d] = uint8_t((v[d] << 4) | (v[d] >> 4));
    x[d] = uint8_t((x[d] << 4) | (x[d] >> 4));
    rotate_token(d, 4);
  }
  uint32_t z_pointer(bool extended) const {
    uint32_t z = pair(v, 30);
    return extended ? z | (uint32_t(v[0x5b]) << 16) : z;
  }
  void load_flash(const Insn& i, bool extended, bool increment) {
    uint32_t z = z_pointer(extended);
    const std::vector<uint8_t>& flash = c.flash();
    uint8_t byte = flash[z % flash.size()];
    if (increment) {
      set_pair(30, uint16_t(z + 1));
      if (extended) c.set_known(0x5b, uint8_t((z + 1) >> 16));
    }
    set(i.d, byte);
  }
  bool load(const Insn& i, int before, int after) {
    auto address = uint16_t(pair(v, i.r) + before);
    if (!c.load_into(i.d, uint16_t(address + (i.op == Op::Ld ? i.k : 0)))) return false;
    if (before != after) set_pair(i.r, uint16_t(address + after));
    return true;
  }
  bool store(const Insn& i, int before, int after) {
    auto address = uint16_t(pair(v, i.r) + before);
    if (!c.store(uint16_t(address + (i.op == Op::St ? i.k : 0)), i.d)) return false;
    if (before != after) set_pair(i.r, uint16_t(address + after));
    return true;
  }
  void skip_if(bool condition) {
    if (!condition) return;
    unsigned words = c.pc < c.code().size() ? c.next().words : 1;
    c.pc += words;
    c.cycles_ += words;
  }
  void branch_if(bool condition, uint32_t target) {
    if (!condition) return;
    c.pc = target;
    c.cycles_ += 1;
  }
  bool call(uint32_t target) {
    if (!c.push_pc(c.pc)) return false;
    c.pc = target;
    return true;
  }
  void set_flag(uint8_t flag, uint8_t value) {
    if (flag == kI && value == 1 && sreg[kI] == 0) c.inhibit = true;
    sreg[flag] = value;
  }
  uint32_t indirect(bool extended) const {
    uint32_t z = pair(v, 30);
    return extended ? z | (uint32_t(v[0x5c] & 1) << 16) : z;
  }
  bool sleep();
  inline bool run(const Insn& i);
};

bool Exec::sleep() {
  auto enable = c.device().sleep_enable();
  if (!enable || (v[enable->address] & enable->mask) == 0) return true;
  if (c.sleep_mode() == SleepMode::Reserved) return c.not_modelled("a reserved sleep mode");
  c.sleeping = true;
  c.deep = false;
  return true;
}

// pc already points after the instruction.
inline bool Exec::run(const Insn& i) {
  uint8_t d = i.d, r = i.r;
  switch (i.op) {
    case Op::Nop:
    case Op::Wdr:
    case Op::Break: return true;
    case Op::Movw: c.copy(d, r), c.copy(uint16_t(d + 1), uint16_t(r + 1)); return true;
    case Op::Mul: product(uint16_t(v[d] * v[r]), false); return true;
    case Op::Muls: product(uint16_t(int8_t(v[d]) * int8_t(v[r])), false); return true;
    case Op::Mulsu: product(uint16_t(int8_t(v[d]) * v[r]), false); return true;
    case Op::Fmul: product(uint16_t(v[d] * v[r]), true); return true;
    case Op::Fmuls: product(uint16_t(int8_t(v[d]) * int8_t(v[r])), true); return true;
    case Op::Fmulsu: product(uint16_t(int8_t(v[d]) * v[r]), true); return true;
    case Op::Add: v[d] = add(v[d], v[r], 0); return true;
    case Op::Adc: v[d] = add(v[d], v[r], sreg[kC]); return true;
    case Op::Sub: v[d] = subtract(v[d], v[r], 0); return true;
    case Op::Sbc: v[d] = subtract_chain(v[d], v[r]); return true;
    case Op::Cp: subtract(v[d], v[r], 0); return true;
    case Op::Cpc: subtract_chain(v[d], v[r]); return true;
    case Op::Cpse: skip_if(v[d] == v[r]); return true;
    case Op::Neg: v[d] = subtract(0, v[d], 0); return true;
    case Op::Inc: ++v[d], sreg[kV] = v[d] == 0x80, zns(v[d]); return true;
    case Op::Dec: --v[d], sreg[kV] = v[d] == 0x7f, zns(v[d]); return true;
    case Op::Subi: v[d] = subtract(v[d], uint8_t(i.k), 0); return true;
    case Op::Sbci: v[d] = subtract_chain(v[d], uint8_t(i.k)); return true;
    case Op::Cpi: subtract(v[d], uint8_t(i.k), 0); return true;
    case Op::Adiw: add_word(d, uint16_t(i.k)); return true;
    case Op::Sbiw: subtract_word(d, uint16_t(i.k)); return true;
    case Op::And: mask(d, r, true); return true;
    case Op::Or: mask(d, r, false); return true;
    case Op::Eor: exclusive_or(d, r); return true;
    case Op::Andi: immediate_mask(d, uint8_t(i.k), true), logic(d); return true;
    case Op::Ori: immediate_mask(d, uint8_t(i.k), false), logic(d); return true;
    case Op::Com: v[d] ^= 0xff, c.x_changed |= x[d], sreg[kC] = 1, logic(d); return true;
    case Op::Tst: logic(d); return true;
    case Op::Clr: set(d, 0), logic(d); return true;
    case Op::Lsl: shift_left(d, 0); return true;
    case Op::Rol: shift_left(d, sreg[kC]); return true;
    case Op::Lsr: shift_right(d, 0); return true;
    case Op::Ror: shift_right(d, sreg[kC]); return true;
    case Op::Asr: shift_right(d, v[d] >> 7); return true;
    case Op::Swap: swap(d); return true;
    case Op::Mov: c.copy(d, r); return true;
    case Op::Ldi: set(d, uint8_t(i.k)); return true;
    case Op::Ld: return load(i, 0, 0);
    case Op::LdInc: return load(i, 0, 1);
    case Op::LdDec: return load(i, -1, 0);
    case Op::St: return store(i, 0, 0);
    case Op::StInc: return store(i, 0, 1);
    case Op::StDec: return store(i, -1, 0);
    case Op::Lds: return c.load_into(d, uint16_t(i.k));
    case Op::Sts: return c.store(uint16_t(i.k), d);
    case Op::Push: return c.push_byte({}, d);
    case Op::Pop: return c.pop_into(d);
    case Op::Lpm: load_flash(i, false, false); return true;
    case Op::LpmInc: load_flash(i, false, true); return true;
    case Op::Elpm: load_flash(i, true, false); return true;
    case Op::ElpmInc: load_flash(i, true, true); return true;
    case Op::In: return c.read_io(d, uint16_t(i.k));
    case Op::Out: return c.write_io(uint16_t(i.k), d);
    case Op::Sbi: return c.write_io_bit(uint16_t(i.k), r, true);
    case Op::Cbi: return c.write_io_bit(uint16_t(i.k), r, false);
    case Op::Sbic:
    case Op::Sbis: {
      bool value = false;
      if (!c.read_io_bit(uint16_t(i.k), r, value)) return false;
      skip_if(value == (i.op == Op::Sbis));
      return true;
    }
    case Op::Rjmp:
    case Op::Jmp: c.pc = i.k; return true;
    case Op::Rcall:
    case Op::Call: return call(i.k);
    case Op::Ijmp: c.pc = indirect(false); return true;
    case Op::Eijmp: c.pc = indirect(true); return true;
    case Op::Icall: return call(indirect(false));
    case Op::Eicall: return call(indirect(true));
    case Op::Ret: return c.pop_pc();
    case Op::Reti:
      if (!c.pop_pc()) return false;
      set_flag(kI, 1);
      c.inhibit = true;
      return true;
    case Op::Brbs: branch_if(sreg[r] != 0, i.k); return true;
    case Op::Brbc: branch_if(sreg[r] == 0, i.k); return true;
    case Op::Sbrc: skip_if(((v[d] >> r) & 1) == 0); return true;
    case Op::Sbrs: skip_if(((v[d] >> r) & 1) != 0); return true;
    case Op::Bst: sreg[kT] = (v[d] >> r) & 1; return true;
    case Op::Bld: {
      auto bit = uint8_t(1u << r);
      v[d] = uint8_t(sreg[kT] != 0 ? v[d] | bit : v[d] & ~bit);
      c.x_changed |= x[d];
      x[d] &= uint8_t(~bit);
      return true;
    }
    case Op::Bset: set_flag(r, 1); return true;
    case Op::Bclr: sreg[r] = 0; return true;
    case Op::Sleep: return sleep();
    case Op::Spm: return c.not_modelled("instruction SPM (self-programming)");
    case Op::Undefined: return c.fail(FaultKind::UndefinedOpcode);
    case Op::Outside: return c.fail(FaultKind::PcOutside);
  }
  return false;
}

namespace {

// Clock cycles without the extra ones of taken branches and skips, in the order of Op.
constexpr uint8_t kCycles[kOpCount] = {1, 1, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
                                       2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2,
                                       2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 1, 1, 2, 2, 1, 1, 2, 3, 3, 4,
                                       2, 3, 2, 4, 4, 4, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};

bool writes_stack_pointer(const Insn& i) { return (i.op == Op::Out || i.op == Op::Sts) && i.k >= 0x5d && i.k <= 0x5f; }

}  // namespace

bool Core::execute(Delivery delivery) {
  if (pc >= code_->size()) return fail(FaultKind::PcOutside);
  const Insn& i = (*code_)[pc];
  delivery_ = delivery;
  inhibit = false;
  uint32_t before = pc;
  cycles_ = 0;
  pc += i.words;
  length_ = kCycles[int(i.op)];
  uint8_t settled = settling_mask;
  if (precision != nullptr) [[unlikely]]
    abstracted = run_abstract(i, before);
  if ((unsettled && !writes_stack_pointer(i) && !settle_stack()) || (!abstracted && !Exec(*this).run(i))) {
    fault.pc = before;
    pc = before;
    return false;
  }
  if (settled != 0) settling = settling_mask = 0;
  if (window_open || options_.timers_exact) return pass_cycles(i, before);
  return true;
}

unsigned Core::cycles_of(const Insn& i) const {
  bool call = i.op == Op::Call || i.op == Op::Rcall || i.op == Op::Icall || i.op == Op::Ret || i.op == Op::Reti;
  return kCycles[int(i.op)] + cycles_ + (call && device_->table().pc_bytes == 3 ? 1 : 0);
}

bool Core::pass_cycles(const Insn& i, uint32_t before) {
  const unsigned cycles = cycles_of(i);
  if (window_open) close_windows(cycles);
  if (options_.timers_exact && !tick(cycles)) {
    fault.pc = before;
    return false;
  }
  return true;
}

uint64_t Core::run(uint64_t count) {
  const Insn* code = code_->data();
  const auto size = uint32_t(code_->size());
  Exec exec(*this);
  delivery_ = {};
  inhibit = false;
  for (uint64_t done = 0; done < count; ++done) {
    uint32_t before = pc;
    if (before >= size) [[unlikely]] {
      fail(FaultKind::PcOutside);
      fault.pc = before;
      return done;
    }
    const Insn& i = code[before];
    pc = before + i.words;
    if (!exec.run(i)) [[unlikely]] {
      fault.pc = before;
      pc = before;
      return done;
    }
    if (sleeping) [[unlikely]]
      return done + 1;
  }
  return count;
}

bool Core::interrupt(uint8_t vector) {
  uint32_t back = pc;
  inhibit = false;
  if ((unsettled && !settle_stack()) || !push_pc(back)) {
    fault.pc = back;
    return false;
  }
  settling = settling_mask = 0;
  if (window_open) close_windows(kInterruptCycles);
  sreg[kI] = 0;
  sleeping = deep = false;
  pc = uint32_t(vector) * device_->table().vector_words;
  return !options_.timers_exact || tick(kInterruptCycles);
}

}  // namespace whittle::avr
