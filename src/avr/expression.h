// C expressions over the names of a firmware: `mode == OPENING && (PORTA & 0x20)`, `TIFR1.TOV1`, `queue[head].kind`.
//
//   Expression e = parse_expression("mode <= 6", names, device);     // Error(BadInput) with the nearest name
//   int64_t value = e.evaluate(core);                                // requires its cells to be known
//
// Names: variables (static locals as function::name), in flash too; *p, p->member and p[i] of pointers to variables; &x;
// enumerators, functions (what a pointer to them holds), I/O registers with `.BIT` or `.n`, 16-bit registers
// (TCNT1, SP), R0 to R31, PC (a byte address), mem[ADDRESS], mem16[ADDRESS], in(FUNCTION). Arithmetic is exact: values
// do not wrap at 16 bits.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "avr/core.h"
#include "avr/image.h"

namespace whittle::avr {

/// What evaluating an expression looks at.
struct Reads {
  std::vector<std::pair<uint16_t, uint8_t>> io;    ///< I/O address and mask
  std::vector<std::pair<uint16_t, uint32_t>> ram;  ///< address and bytes
  bool registers = false;                          ///< R0 .. R31, or mem[] below 32
  bool flags = false;
  bool pc = false;
};

/// Between which values something lies.
struct Interval {
  int64_t low = 0, high = 0;
};

/// A byte as it would be after a store.
struct ByteInstead {
  uint32_t address = 0xffffffff;
  uint8_t v = 0, x = 0;
};

class Expression {
 public:
  /// Whether it is not zero, if all values of unknown bits agree on that.
  std::optional<bool> truth(const Core& core, const ByteInstead& instead = {}) const;
  int64_t evaluate(const Core& core) const { return is_true(core, root_) ? (nodes_[size_t(root_)].is_real ? 1 : evaluate(core, root_)) : 0; }
  /// Where a pointer leads that it follows, if no variable of its type is there: then it has no value.
  std::optional<uint16_t> astray(const Core& core) const;
  const Reads& reads() const { return reads_; }
  const std::string& text() const { return text_; }

 private:
  friend class ExpressionParser;
  enum class Kind : uint8_t {
    Constant,
    Memory,
    Flash,
    Pointed,
    Io,
    Register,
    Flag,
    StackPointer,
    ProgramCounter,
    InFunction,
    Unary,
    Binary,
    Conditional
  };
  struct Node {
    Kind kind = Kind::Constant;
    uint8_t op = 0;  ///< Unary, Binary: operator token
    bool is_signed = false;
    bool is_real = false;         ///< a floating-point number
    uint8_t size = 1;             ///< bytes
    uint8_t shift = 0, bits = 0;  ///< a bit-field or register bit when bits != 0
    uint32_t address = 0;         ///< Memory, Io, Register; InFunction: first word
    uint32_t extent = 0;          ///< Memory with an offset: offsets must stay below; InFunction: words; Pointed: index
                                  ///< into targets_
    int64_t value = 0;
    double real = 0;             ///< Constant and is_real
    int a = -1, b = -1, c = -1;  ///< operands; Memory: a is an offset in bytes; Pointed: the address
  };
  int64_t evaluate(const Core& core, int node) const;
  Interval bounds(const Core& core, int node, const ByteInstead& instead) const;
  Interval load_bounds(const Core& core, const Node& node, uint32_t address, const ByteInstead& instead) const;
  Interval binary_bounds(const Core& core, const Node& node, const ByteInstead& instead) const;
  static int64_t compute(uint8_t op, int64_t a, int64_t b);
  static int64_t load(const std::vector<uint8_t>& memory, const Node& node, uint32_t address);
  bool is_true(const Core& core, int node) const;
  bool leads_to_variable(const Node& node, uint16_t address) const;
  bool compares_reals(const Node& node) const;
  static int64_t compare(uint8_t op, double a, double b);
  std::optional<double> real(const Core& core, int node, const ByteInstead& instead) const;
  int64_t binary(const Core& core, const Node& node) const;

  std::vector<Node> nodes_;
  int root_ = -1;
  Reads reads_;
  std::string text_;
  std::vector<std::vector<std::pair<uint16_t, uint32_t>>> targets_;  ///< what pointers may lead to: addresses and bytes
  mutable std::optional<uint16_t> astray_;
};

Expression parse_expression(std::string_view text, const Names& names, const Device& device);

}  // namespace whittle::avr
