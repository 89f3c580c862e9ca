// The loop over instructions: threaded code, one label per opcode (docs/decisions/030-register-code.md).
#include <bit>
#include <cmath>

#include "exec/machine_impl.h"

namespace whittle::exec {
namespace {

template <typename F, typename Bits>
uint64_t float_bits(F value) {
  if (std::isnan(value)) return sizeof(F) == 4 ? 0x7fc00000u : 0x7ff8000000000000u;
  return std::bit_cast<Bits>(value);
}
float f32(uint64_t bits) { return std::bit_cast<float>(static_cast<uint32_t>(bits)); }
double f64(uint64_t bits) { return std::bit_cast<double>(bits); }

uint64_t divide_signed(uint64_t a, uint64_t b, unsigned width) {
  int64_t x = sign_extend64(a, width), y = sign_extend64(b, width);
  if (y == 0) return (x < 0 ? 1 : ~uint64_t{0}) & mask64(width);
  if (y == -1) return (uint64_t{0} - static_cast<uint64_t>(x)) & mask64(width);
  return static_cast<uint64_t>(x / y) & mask64(width);
}
uint64_t remainder_signed(uint64_t a, uint64_t b, unsigned width) {
  int64_t x = sign_extend64(a, width), y = sign_extend64(b, width);
  if (y == 0) return a;
  if (y == -1) return 0;
  return static_cast<uint64_t>(x % y) & mask64(width);
}
uint64_t shift_right_signed(uint64_t a, uint64_t by, unsigned width) {
  return static_cast<uint64_t>(sign_extend64(a, width) >> (by >= width ? width - 1 : by)) & mask64(width);
}

void apply(const Application& p, uint64_t* r) {
  u128 kids[3];
  unsigned widths[3];
  for (unsigned i = 0; i < p.kid_count; ++i) {
    widths[i] = p.kids[i].width;
    kids[i] = r[p.kids[i].slot];
    if (widths[i] > 64) kids[i] |= u128{r[p.kids[i].slot + 1]} << 64;
  }
  u128 value = term::apply(p.op, p.width, {kids, p.kid_count}, {widths, p.kid_count}, p.low);
  r[p.result.slot] = static_cast<uint64_t>(value);
  if (p.width > 64) r[p.result.slot + 1] = static_cast<uint64_t>(value >> 64);
}

uint32_t find_case(const SwitchTable& table, uint64_t value) {
  size_t low = 0, high = table.cases.size();
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (table.cases[middle].first < value)
      low = middle + 1;
    else
      high = middle;
  }
  return low < table.cases.size() && table.cases[low].first == value ? table.cases[low].second : table.otherwise;
}

template <typename T>
uint64_t read_as(const uint8_t* p) {
  T v;
  std::memcpy(&v, p, sizeof v);
  return v;
}
template <typename T>
void write_as(uint8_t* p, uint64_t value) {
  T v = static_cast<T>(value);
  std::memcpy(p, &v, sizeof v);
}

}  // namespace

bool MachineImpl::push_frame(Thread& t, uint32_t call, const FunctionCode& callee) {
  Frame& caller = t.frames.back();
  uint32_t base = caller.base + caller.code->register_slots;
  caller.call = call;
  if (callee.too_large || t.frames.size() >= code.options.max_frames) return false;
  size_t need = size_t{base} + callee.total_slots + 2;
  if (need > t.slots.size()) t.slots.resize(need * 2);
  t.frames.push_back({&callee, base, 0, 0});
  for (uint16_t slot : callee.zeroed) t.slots[base + slot] = 0;
  return true;
}

// clang-format off
#define NEXT goto *labels[static_cast<unsigned>((++ip)->op)]
#define DISPATCH goto *labels[static_cast<unsigned>(ip->op)]
#define SIMPLE(name, expression) L_##name: { const Instruction& i = *ip; r[i.d] = (expression); NEXT; }
// The budget is looked at where control can go round: a loop has a branch, a jump or a call in it.
#define BRANCH(name, condition) L_##name: { \
    const Instruction& i = *ip; \
    if (__builtin_expect(left <= 0, 0)) goto out_of_budget; \
    left -= i.d; \
    ip = start + ((condition) ? i.lo : i.hi); DISPATCH; }
#define A r[i.a]
#define B r[i.b]
#define S32(x) static_cast<int32_t>(x)
#define S64(x) static_cast<int64_t>(x)
#define K16 static_cast<int16_t>(i.b)
#define MEMORY(bits) \
  L_LoadS##bits: { const Instruction& i = *ip; left -= i.b; \
    if (__builtin_expect(watch, 0) && !load_static(*f, i.hi, bits / 8)) goto paused; \
    r[i.d] = read_as<uint##bits##_t>(image + i.lo); NEXT; } \
  L_LoadC##bits: { const Instruction& i = *ip; left -= i.b; r[i.d] = read_as<uint##bits##_t>(image + i.lo); NEXT; } \
  L_Load##bits: { const Instruction& i = *ip; left -= i.b; \
    uint64_t at = (A + static_cast<uint64_t>(S64(S32(i.lo)))) & pointer_mask; \
    const uint8_t* p = watch ? nullptr : quick(at, bits / 8, i.hi); \
    if (__builtin_expect(p != nullptr, 1)) r[i.d] = read_as<uint##bits##_t>(p); \
    else { uint64_t v; if (!load(*f, i.hi, at, bits / 8, v)) goto paused; r[i.d] = v; } \
    NEXT; } \
  L_StoreS##bits: { const Instruction& i = *ip; left -= i.d; \
    if (__builtin_expect(watch, 0)) { \
      if (!before_store_static(*f, i.hi, bits / 8)) goto paused; \
      write_as<uint##bits##_t>(image + i.lo, B); after_store_static(*f, i.hi, bits / 8); NEXT; } \
    write_as<uint##bits##_t>(image + i.lo, B); NEXT; } \
  L_StoreC##bits: { const Instruction& i = *ip; left -= i.d; write_as<uint##bits##_t>(image + i.lo, B); NEXT; } \
  L_Store##bits: { const Instruction& i = *ip; left -= i.d; \
    uint64_t at = (A + static_cast<uint64_t>(S64(S32(i.lo)))) & pointer_mask; \
    uint8_t* p = watch ? nullptr : quick_write(at, bits / 8, i.hi); \
    if (__builtin_expect(p != nullptr, 1)) write_as<uint##bits##_t>(p, B); \
    else if (!store(*f, i.hi, at, bits / 8, B)) goto paused; \
    NEXT; }
// clang-format on

void MachineImpl::interpret(uint32_t thread) {
  static const void* const labels[] = {
#define X(name) &&L_##name,
      WHITTLE_OPCODES(X)
#undef X
  };
  Thread& t = threads[thread];
  // One statement at a time: pauses must not depend on who else listens. Marks count statements then; atomic regions
  // are one step, since no one sees what is inside.
  const bool single = budget == 1 && !peeking;
  if (single) budget_left = static_cast<int64_t>(kPatience);
  bool announced = false;
  const unsigned stream = (listener != nullptr || footprints || recording != nullptr || single) && !peeking ? 1 : 0;
  const uint64_t pointer_mask = code.pointer_mask;
  uint8_t* const image = memory.image();
  const int64_t start_budget = budget_left;
  int64_t left = budget_left;
  const FunctionCode* f;
  const Instruction* start;
  const Instruction* ip;
  uint64_t* r;

  // Static objects without further ado; null: take the long way.
  auto quick = [&](uint64_t at, unsigned size, uint32_t word) -> uint8_t* {
    uint64_t offset = at - program::layout::kStaticBase;
    if (offset >> 4 >= code.granules.size() || (at & ((1u << (word >> kAlignShift & 15)) - 1)) != 0) return nullptr;
    uint32_t index = code.granules[offset >> 4];
    if (index == 0) return nullptr;
    const StaticObject& object = code.statics[index - 1];
    uint64_t inside = at - object.address;
    return inside < object.size && object.size - inside >= size ? image + object.host + inside : nullptr;
  };
  auto quick_write = [&](uint64_t at, unsigned size, uint32_t word) -> uint8_t* {
    uint8_t* p = quick(at, size, word);
    return p && static_cast<uint64_t>(p - image) < code.saved_bytes ? p : nullptr;
  };

reload:
  f = t.frames.back().code;
  r = t.slots.data() + t.frames.back().base;
  start = f->streams[stream].code.data();
  ip = start + f->streams[stream].entry[t.location];
  DISPATCH;

  // clang-format off
  SIMPLE(Const, i.imm)
  SIMPLE(Move, A)
  L_Move2: { uint64_t low = r[ip->a], high = r[ip->a + 1]; r[ip->d] = low; r[ip->d + 1] = high; NEXT; }
  SIMPLE(Add32, static_cast<uint32_t>(A + B))
  SIMPLE(Add64, A + B)
  SIMPLE(AddM, (A + B) & i.imm)
  SIMPLE(Sub32, static_cast<uint32_t>(A - B))
  SIMPLE(Sub64, A - B)
  SIMPLE(SubM, (A - B) & i.imm)
  SIMPLE(Mul32, static_cast<uint32_t>(A * B))
  SIMPLE(Mul64, A * B)
  SIMPLE(MulM, (A * B) & i.imm)
  SIMPLE(Add32I, static_cast<uint32_t>(A + i.imm))
  SIMPLE(Add64I, A + i.imm)
  SIMPLE(AddMI, (A + i.imm) & mask64(i.b))
  SIMPLE(Mul32I, static_cast<uint32_t>(A * i.imm))
  SIMPLE(Mul64I, A * i.imm)
  SIMPLE(And, A & B)
  SIMPLE(Or, A | B)
  SIMPLE(Xor, A ^ B)
  SIMPLE(AndI, A & i.imm)
  SIMPLE(OrI, A | i.imm)
  SIMPLE(XorI, A ^ i.imm)
  SIMPLE(MulAdd64, A + B * i.imm)
  SIMPLE(SExtMulAdd64, A + static_cast<uint64_t>(S64(S32(B))) * i.imm)
  SIMPLE(UDiv, B == 0 ? i.imm : A / B)
  SIMPLE(URem, B == 0 ? A : A % B)
  SIMPLE(SDiv32, divide_signed(A, B, 32))
  SIMPLE(SRem32, remainder_signed(A, B, 32))
  SIMPLE(SDivW, divide_signed(A, B, static_cast<unsigned>(i.imm)))
  SIMPLE(SRemW, remainder_signed(A, B, static_cast<unsigned>(i.imm)))
  SIMPLE(ShlW, B >= i.imm ? 0 : (A << B) & mask64(static_cast<unsigned>(i.imm)))
  SIMPLE(LShrW, B >= i.imm ? 0 : A >> B)
  SIMPLE(AShrW, shift_right_signed(A, B, static_cast<unsigned>(i.imm)))
  SIMPLE(NegM, (uint64_t{0} - A) & i.imm)
  SIMPLE(Eq, A == B)
  SIMPLE(Ult, A < B)
  SIMPLE(Ule, A <= B)
  SIMPLE(SltS, S64(A << i.imm) < S64(B << i.imm))
  SIMPLE(SleS, S64(A << i.imm) <= S64(B << i.imm))
  SIMPLE(EqI, A == i.imm)
  SIMPLE(NeI, A != i.imm)
  SIMPLE(Ite, A ? B : r[i.lo])
  SIMPLE(Extract, (A >> i.b) & i.imm)
  SIMPLE(SExt, static_cast<uint64_t>(sign_extend64(A, i.b)) & i.imm)
  SIMPLE(Concat, A << i.imm | B)
  SIMPLE(FAdd32, (float_bits<float, uint32_t>(f32(A) + f32(B))))
  SIMPLE(FSub32, (float_bits<float, uint32_t>(f32(A) - f32(B))))
  SIMPLE(FMul32, (float_bits<float, uint32_t>(f32(A) * f32(B))))
  SIMPLE(FDiv32, (float_bits<float, uint32_t>(f32(A) / f32(B))))
  SIMPLE(FLt32, f32(A) < f32(B))
  SIMPLE(FLe32, f32(A) <= f32(B))
  SIMPLE(FEq32, f32(A) == f32(B))
  SIMPLE(FAdd64, (float_bits<double, uint64_t>(f64(A) + f64(B))))
  SIMPLE(FSub64, (float_bits<double, uint64_t>(f64(A) - f64(B))))
  SIMPLE(FMul64, (float_bits<double, uint64_t>(f64(A) * f64(B))))
  SIMPLE(FDiv64, (float_bits<double, uint64_t>(f64(A) / f64(B))))
  SIMPLE(FLt64, f64(A) < f64(B))
  SIMPLE(FLe64, f64(A) <= f64(B))
  SIMPLE(FEq64, f64(A) == f64(B))
  L_Apply: apply(f->applications[ip->lo], r); NEXT;
  BRANCH(Jump, true)
  BRANCH(Br, A != 0)
  BRANCH(BrEq, A == B)
  BRANCH(BrUlt, A < B)
  BRANCH(BrSlt32, S32(A) < S32(B))
  BRANCH(BrSlt64, S64(A) < S64(B))
  BRANCH(BrEqI, A == i.b)
  BRANCH(BrUltI, A < i.b)
  BRANCH(BrUgtI, A > i.b)
  BRANCH(BrSlt32I, S32(A) < K16)
  BRANCH(BrSgt32I, S32(A) > K16)
  BRANCH(BrSlt64I, S64(A) < K16)
  BRANCH(BrSgt64I, S64(A) > K16)
  L_Switch: left -= ip->d; ip = start + find_case(f->switches[ip->lo], r[ip->a]); DISPATCH;
  MEMORY(8)
  MEMORY(16)
  MEMORY(32)
  MEMORY(64)
  // clang-format on

L_Call: {
  const CallSite& site = f->calls[ip->lo];
  const FunctionCode& callee = code.functions[site.callee];
  if (left <= 0) {
    t.location = edge_at(*f, ip->hi).from;
    goto budget_pause;
  }
  left -= ip->d;
  if (!push_frame(t, ip->lo, callee)) {
    cut(callee.too_large ? "function " + callee.function->name + " is too large"
                         : "stack overflow: more than " + std::to_string(code.options.max_frames) + " frames",
        *f, ip->hi);
    goto paused;
  }
  if (footprints) touch_statement(thread, callee, program::kNone);
  f = &callee;
  r = t.slots.data() + t.frames.back().base;
  start = f->streams[stream].code.data();
  ip = start + f->streams[stream].entry[f->function->entry];
  DISPATCH;
}
L_Return: {
  left -= ip->d;
  u128 value = ip->a == kNoSlot ? 0 : ip->b == 2 ? u128{r[ip->a + 1]} << 64 | r[ip->a] : u128{r[ip->a]};
  if (t.frames.size() == 1 || t.frames.back().objects != 0 || footprints) {
    if (leave_function(t, *f, ip->hi, value) == Outcome::Paused) goto paused;
    goto reload;
  }
  t.frames.pop_back();
  const Frame& caller = t.frames.back();
  f = caller.code;
  r = t.slots.data() + caller.base;
  const CallSite& site = f->calls[caller.call];
  if (site.target.slot != kNoSlot) put(r, site.target, value);
  start = f->streams[stream].code.data();
  ip = start + f->streams[stream].entry[site.to];
  DISPATCH;
}
L_Fail:
  check_failed(*f, ip->hi);
  goto paused;
L_Prune:
  if (ip->hi == program::kNone) {
    cut("control reaches a location that nothing leaves", *f, program::kNone);
  } else if (!admit(Pending::Kind::Yield, nullptr, 0, true, true, *f, ip->hi)) {
    // What was done so far is a behaviour, and others may go on from it before the assumption is looked at.
    unannounced = f->function->locations[t.location].edge_count > 1;
  } else {
    t.location = edge_at(*f, ip->hi).from;
    stop(PauseKind::Pruned, *f, ip->hi);
  }
  goto paused;
L_Slow: {
  left -= ip->d;
  budget_left = left;
  switch (execute(t, *f, f->slow[ip->lo], r)) {
    case Outcome::Next: NEXT;
    case Outcome::Paused: goto paused;
    case Outcome::Reload: goto reload;
  }
}
L_Mark:
  if (single && announced && t.depth == 0) {
    t.location = edge_at(*f, ip->hi).from;
    unannounced = true;
    goto budget_pause;
  }
  announced = true;
  if (footprints) touch_statement(thread, *f, ip->hi);
  if (listener) {
    t.location = edge_at(*f, ip->hi).from;
    listener->statement(thread, f->id, ip->hi);
  }
  NEXT;

out_of_budget:
  t.location = f->streams[stream].location_of_branch(static_cast<uint32_t>(ip - start));
  unannounced = ip->op == Opcode::Jump || f->function->locations[t.location].edge_count > 1;
budget_pause:
  clear_pause();
  pause.kind = PauseKind::Budget;
  pause.thread = thread;
paused:
  statements += static_cast<uint64_t>(start_budget - left);
  budget_left = left;
}

}  // namespace whittle::exec
