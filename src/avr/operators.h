// Operators of expressions.
#pragma once

#include <cstdint>

namespace whittle::avr {

enum : uint8_t {
  kOrOr = 1,
  kAndAnd,
  kEq,
  kNe,
  kLe,
  kGe,
  kShl,
  kShr,
  kLt,
  kGt,
  kOr,
  kXor,
  kAnd,
  kAdd,
  kSub,
  kMul,
  kDiv,
  kMod,
  kNot,
  kComplement
};

}  // namespace whittle::avr
