// The value of an expression where everything that it reads is known.
#include <bit>

#include "avr/expression.h"
#include "avr/operators.h"

namespace whittle::avr {

int64_t Expression::load(const std::vector<uint8_t>& memory, const Node& node, uint32_t address) {
  uint64_t value = 0;
  for (uint8_t i = 0; i < node.size; ++i) value |= uint64_t(memory[address + i]) << (8 * i);
  unsigned width = node.size * 8u;
  if (node.bits != 0) {
    value = (value >> node.shift) & ((uint64_t{1} << node.bits) - 1);
    width = node.bits;
  }
  if (node.is_signed && width < 64 && ((value >> (width - 1)) & 1) != 0) value |= ~uint64_t{0} << width;
  return int64_t(value);
}

int64_t Expression::binary(const Core& core, const Node& node) const {
  if (node.op == kOrOr) return is_true(core, node.a) || is_true(core, node.b);
  if (node.op == kAndAnd) return is_true(core, node.a) && is_true(core, node.b);
  if (compares_reals(node)) return compare(node.op, real(core, node.a, {}).value_or(0), real(core, node.b, {}).value_or(0));
  int64_t a = evaluate(core, node.a);
  return compute(node.op, a, evaluate(core, node.b));
}

int64_t Expression::compute(uint8_t op, int64_t a, int64_t b) {
  auto ua = uint64_t(a), ub = uint64_t(b);
  switch (op) {
    case kEq: return a == b;
    case kNe: return a != b;
    case kLe: return a <= b;
    case kGe: return a >= b;
    case kLt: return a < b;
    case kGt: return a > b;
    case kShl: return b < 0 || b > 63 ? 0 : int64_t(ua << b);
    case kShr: return b < 0 || b > 63 ? 0 : a >> b;
    case kOr: return a | b;
    case kXor: return a ^ b;
    case kAnd: return a & b;
    case kAdd: return int64_t(ua + ub);
    case kSub: return int64_t(ua - ub);
    case kMul: return int64_t(ua * ub);
    case kDiv: return b == 0 || b == -1 ? int64_t(b == 0 ? 0 : 0 - ua) : a / b;
    default: return b == 0 || b == -1 ? 0 : a % b;
  }
}

int64_t Expression::evaluate(const Core& core, int index) const {
  const Node& node = nodes_[size_t(index)];
  switch (node.kind) {
    case Kind::Constant: return node.value;
    case Kind::Memory:
    case Kind::Flash: {
      int64_t address = node.address;
      if (node.a >= 0) {
        address += evaluate(core, node.a);
        if (address < int64_t(node.address) || address + node.size > int64_t(node.extent)) return 0;
      }
      return load(node.kind == Kind::Flash ? core.flash() : core.v, node, uint32_t(address));
    }
    case Kind::Pointed: {
      auto address = uint16_t(evaluate(core, node.a));
      if (leads_to_variable(node, address)) return load(core.v, node, address);
      astray_ = address;
      return 0;
    }
    case Kind::Register: return core.v[node.address];
    case Kind::Io: {
      uint8_t value = core.inspect(uint16_t(node.address)).v;
      return node.bits != 0 ? (value >> node.shift) & 1 : value;
    }
    case Kind::Flag: return node.bits != 0 ? core.sreg[node.shift] : core.sreg_byte();
    case Kind::StackPointer: return core.sp;
    case Kind::ProgramCounter: return int64_t(core.pc) * 2;
    case Kind::InFunction: return core.pc >= node.address && core.pc < node.address + node.extent;
    case Kind::Unary: {
      if (node.op == kNot) return !is_true(core, node.a);
      int64_t a = evaluate(core, node.a);
      return node.op == kComplement ? ~a : int64_t(0 - uint64_t(a));
    }
    case Kind::Binary: return binary(core, node);
    case Kind::Conditional: return evaluate(core, is_true(core, node.a) ? node.b : node.c);
  }
  return 0;
}

bool Expression::is_true(const Core& core, int index) const {
  if (!nodes_[size_t(index)].is_real) return evaluate(core, index) != 0;
  return real(core, index, {}).value_or(0) != 0;
}

bool Expression::leads_to_variable(const Node& node, uint16_t address) const {
  for (auto [from, size] : targets_[node.extent])
    if (address >= from && uint32_t(address) + node.size <= from + size) return true;
  return false;
}

bool Expression::compares_reals(const Node& node) const {
  return (node.op >= kEq && node.op <= kGt) && (nodes_[size_t(node.a)].is_real || nodes_[size_t(node.b)].is_real);
}

int64_t Expression::compare(uint8_t op, double a, double b) {
  switch (op) {
    case kEq: return a == b;
    case kNe: return a != b;
    case kLe: return a <= b;
    case kGe: return a >= b;
    case kLt: return a < b;
    default: return a > b;
  }
}

/// A floating-point number, if its bytes are known. Every float is a double.
std::optional<double> Expression::real(const Core& core, int index, const ByteInstead& instead) const {
  const Node& node = nodes_[size_t(index)];
  if (node.kind == Kind::Constant && node.is_real) return node.real;
  if (node.is_real && node.kind == Kind::Binary) {
    auto a = real(core, node.a, instead), b = real(core, node.b, instead);
    if (!a || !b) return std::nullopt;
    return node.op == kAdd ? *a + *b : node.op == kSub ? *a - *b : node.op == kMul ? *a * *b : *a / *b;
  }
  if (node.is_real && node.kind == Kind::Unary) {
    auto a = real(core, node.a, instead);
    return a ? std::optional<double>(-*a) : std::nullopt;
  }
  if (node.is_real && node.kind == Kind::Conditional) {
    Interval condition = bounds(core, node.a, instead);
    if (condition.low != condition.high) return std::nullopt;
    return real(core, condition.low != 0 ? node.b : node.c, instead);
  }
  Interval bits = bounds(core, index, instead);
  if (bits.low != bits.high) return std::nullopt;
  if (!node.is_real) return double(bits.low);
  return node.size == 8 ? std::bit_cast<double>(bits.low) : double(std::bit_cast<float>(uint32_t(bits.low)));
}

std::optional<uint16_t> Expression::astray(const Core& core) const {
  if (targets_.empty()) return std::nullopt;
  astray_.reset();
  evaluate(core);
  return astray_;
}

}  // namespace whittle::avr
