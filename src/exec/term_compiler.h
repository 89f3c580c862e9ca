// Compiles terms to instructions. One of these per instruction stream of a function.
#pragma once

#include <unordered_map>

#include "exec/instruction.h"

namespace whittle::exec {

class TermCompiler {
 public:
  TermCompiler(CodeImpl& impl, FunctionCode& function, Stream& stream)
      : impl_(impl), function_(function), stream_(stream) {}

  /// Forgets temporaries; `reserved` slots after the registers stay out of use (arguments of a call).
  void begin_statement(uint32_t reserved = 0);
  /// Where the value of the term is. Registers are not copied.
  uint16_t value(term::Term t);
  /// Puts the value there.
  void into(term::Term t, uint16_t d);
  SlotRef place(term::Term t) { return {value(t), static_cast<uint16_t>(t.width())}; }
  uint16_t temporary(unsigned width);
  uint16_t slot_of(term::Term variable) const;

  /// Emits a branch on a condition without targets: they go into lo (it holds) and hi. True: swapped.
  struct Branch {
    uint32_t instruction;
    bool swapped;
  };
  Branch branch(term::Term condition, uint16_t count);

  uint32_t emit(Opcode op, uint32_t d, uint32_t a, uint32_t b, uint64_t imm);
  uint32_t emit(Opcode op, uint32_t d, uint32_t a, uint32_t b, uint32_t lo, uint32_t hi);
  bool overflowed() const { return overflowed_; }

 private:
  void binary(term::Term t, uint16_t d);
  bool with_constant(term::Term t, uint16_t d);
  void add(term::Term t, uint16_t d);
  void multiply(term::Term t, uint16_t d);
  void structural(term::Term t, uint16_t d);
  bool native_float(term::Term t, uint16_t d);
  void apply(term::Term t, uint16_t d);
  void constant(unsigned width, u128 value, uint16_t d);
  bool compare_branch(term::Term c, uint16_t count, Branch& result);

  CodeImpl& impl_;
  FunctionCode& function_;
  Stream& stream_;
  std::unordered_map<uint32_t, uint16_t> done_;  ///< term id -> temporary, within one statement
  uint32_t next_ = 0;
  bool overflowed_ = false;
};

}  // namespace whittle::exec
