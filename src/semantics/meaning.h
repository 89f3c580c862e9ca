// What a statement means, once: its effect as terms over the state before it.
//
//   Meanings meanings(program);
//   const Meaning& m = meanings.of(function, edge);
//   // over a state (registers, memory): if `guard` or `wait` is there it must hold; then all `assigns` and `writes` happen
//   // at once, every term in them evaluated in the state before
//
// Terms mention the registers of the function and memory (Read terms). So symbolic execution is substitution of what
// registers and memory hold, a precondition is substitution of assigns and writes into a predicate, concrete execution is
// evaluation. exec's register code is the fast form of the same meaning; exec/meaning_test.cpp compares them kind by kind.
// What must hold beforehand is in demand.h, which memory is touched in access.h.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "program/program.h"

namespace whittle::semantics {

using term::Term;

/// A register gets a new value.
struct Assign {
  enum class Source : uint8_t {
    Value,    ///< `value`
    Choice,   ///< any value: an input, or storage without one
    Object,   ///< the address of the new object, see Meaning::object
    Machine,  ///< known only where the run is: thread numbers, sizes of objects, marks of frames, libm
  };
  program::RegisterId target = 0;
  Source source = Source::Value;
  Term value;  ///< Value: as wide as the register
};

/// Memory gets new bytes.
struct Write {
  enum class Kind : uint8_t {
    Value,  ///< `value`, of a whole number of bytes
    Copy,   ///< the `size` bytes at `value`, as they were before
    Fill,   ///< `size` times the byte `value`
  };
  Kind kind = Kind::Value;
  Term address;
  Term value;
  Term size;  ///< Copy, Fill: in bytes; at 0 nothing is touched
};

/// A new object, with an address that no live object has.
struct NewObject {
  bool heap = false;
  Term size;    ///< in bytes
  Term zeroed;  ///< of width 1; if it does not hold, the bytes have no value
};

struct Meaning {
  Term guard;  ///< none: nothing. Paths on which it does not hold do not go on
  Term wait;   ///< none: nothing. The thread is blocked until it holds; then an atomic region begins
  std::vector<Assign> assigns;
  std::vector<Write> writes;
  std::optional<NewObject> object;
};

/// Of an edge of a function. Calls, returns, thread starts, atomic regions and the ends of objects have no effect here:
/// they move between frames, threads and lifetimes, which the state's owner keeps.
Meaning meaning_of(const program::Program& program, program::FunctionId function, uint32_t edge);

/// Meanings by edge, made when they are first asked for.
class Meanings {
 public:
  explicit Meanings(const program::Program& program) : program_(program) {}
  const Meaning& of(program::FunctionId function, uint32_t edge);

 private:
  const program::Program& program_;
  std::vector<std::vector<std::unique_ptr<const Meaning>>> made_;  ///< by function and edge
};

}  // namespace whittle::semantics
