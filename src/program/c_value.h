// Values of C expressions as terms, with the conversions that C makes between them.
#pragma once

#include "program/program.h"

namespace whittle::program {

/// A value: its bits, and as much of its type as conversions need.
struct CValue {
  enum class Class : uint8_t { Integer, Float, Pointer };
  term::Term bits;
  Class kind = Class::Integer;
  bool is_signed = true;
  TypeId element = kNoType;  ///< of a pointer
  unsigned width() const { return bits.width(); }
};

class CArithmetic {
 public:
  CArithmetic(const Program& program) : program_(program), store_(program.terms()) {}

  CValue integer(term::Term bits, bool is_signed) const { return {bits, CValue::Class::Integer, is_signed, kNoType}; }
  CValue truth(term::Term bit) const { return integer(store_.zext(bit, 32), true); }  ///< C's int 0 or 1
  term::Term condition(const CValue& v) const;                                        ///< v != 0
  /// To the type that `like` has.
  CValue convert(const CValue& v, const CValue& like) const;
  CValue promote(const CValue& v) const;
  /// The usual arithmetic conversions; both numbers.
  void balance(CValue& a, CValue& b) const;
  /// Both are numbers. The operator is one of * / % + - & | ^ == < <=.
  CValue binary(std::string_view op, CValue a, CValue b) const;
  CValue shift(bool left, const CValue& a, const CValue& b) const;
  CValue negate(const CValue& v) const;

 private:
  term::Term float_binary(std::string_view op, const CValue& a, const CValue& b) const;
  term::Term integer_binary(std::string_view op, const CValue& a, const CValue& b) const;

  const Program& program_;
  term::Store& store_;
};

}  // namespace whittle::program
