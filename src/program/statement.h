// Statements: what edges of a control-flow automaton do. Operands are terms over the registers of the function; every
// memory access is a statement of its own, so evaluating an operand never touches memory.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "term/term.h"
#include "verdict/property.h"

namespace whittle::program {

using FunctionId = uint32_t;
using LocationId = uint32_t;  ///< within its function
using RegisterId = uint32_t;  ///< within its function
using ObjectId = uint32_t;    ///< static memory object of the program
constexpr uint32_t kNone = UINT32_MAX;

struct SourcePosition {
  uint32_t file = kNone;  ///< index into Program::files
  uint32_t line = 0;      ///< 0: unknown
  uint32_t column = 0;
  bool known() const { return line != 0; }
  bool operator==(const SourcePosition&) const = default;
};

enum class Kind : uint8_t {
  Skip,
  Assign,        ///< targets[i] := operands[i], all at once
  Assume,        ///< operands[0] (width 1) holds. The edges leaving a branching location all assume, disjointly and exhaustively
  Check,         ///< operands[0] (width 1) must hold, otherwise `property` is violated with message `text`
  Load,          ///< targets[0] := `width` bits of memory at operands[0]
  Store,         ///< memory at operands[0] := operands[1] (of `width` bits)
  Nondet,        ///< targets[0] := any value; `text` says where it comes from. An input if `input`, else uninitialised storage etc.
  StackAlloc,    ///< targets[0] := address of a new object of operands[0] bytes in this frame; `text` is its name; dies at Return
  HeapAlloc,     ///< targets[0] := address of a new heap object of operands[0] bytes; zeroed if operands[1] is 1; at operands[2], if given and still Freed. Never fails
  Freed,         ///< targets[0] := the lowest address above operands[1] where a heap object was that ended, operands[0] bytes fit and a pointer to it is left; 0: none. Whoever frees writes operands[2], so that the order is known to matter
  HeapFree,      ///< ends the object at operands[0]; null is allowed
  ObjectSize,    ///< targets[0] := size of the object that operands[0] points into (0 if none)
  ObjectOffset,  ///< targets[0] := how far operands[0] is from the start of that object, ended or not (operands[0] itself if none)
  Shared,        ///< targets[0] (width 1) := can another thread access the object at operands[0] before this one goes on?
  StackSave,     ///< targets[0] := mark of the frame's dynamic objects
  StackRestore,  ///< ends objects of this frame made after the mark operands[0]
  Copy,          ///< operands: destination, source, size in bytes; overlap allowed (memmove)
  Fill,          ///< operands: destination, byte (width 8), size in bytes
  Call,          ///< targets (0 or 1) := function `callee`(operands...)
  IndirectCall,  ///< the same for the function at address operands[0], arguments from operands[1] on
  Return,        ///< operands (0 or 1): the value
  AtomicRmw,     ///< targets[0] (may be absent) := old value at operands[0]; memory := old `rmw` operands[1]
  AtomicCas,     ///< targets[0] := old value at operands[0], targets[1] (width 1) := success; operands[1] expected, operands[2] new
  Fence,
  AtomicBegin,   ///< no other thread runs until the matching AtomicEnd (they nest)
  AtomicEnd,
  Await,         ///< blocks until operands[2] <=s (memory at operands[0] & operands[1]) <=s operands[3] (all of `width` bits), then AtomicBegin
  Spawn,         ///< targets[0] := number of a new thread that runs the function at operands[0] with arguments operands[1], operands[2]
  ThreadExit,    ///< this thread ends here, whatever its call stack
  Self,          ///< targets[0] := number of this thread (main is 0)
  ThreadLocal,   ///< targets[0] := address of this thread's copy of static object `object`
  Yield,         ///< another thread may run here; no other effect
  Output,        ///< operands: file descriptor, address, size: writes bytes as the program's output
  HostMath,      ///< targets[0] := libm's function `text` on the bit patterns operands... (32 or 64 bits); concrete values only
  Error,         ///< `property` is violated with message `text`
  Halt,          ///< the whole program ends; operands[0] is the exit status; `text` is "exit" or "abort"
  Unsupported,   ///< `text` names a construct that is not modelled: nothing is known about paths that get here
};
constexpr unsigned kKindCount = static_cast<unsigned>(Kind::Unsupported) + 1;

enum class Rmw : uint8_t { Exchange, Add, Sub, And, Nand, Or, Xor, Max, Min, UMax, UMin };

struct Statement {
  Kind kind = Kind::Skip;
  Rmw rmw = Rmw::Exchange;
  verdict::Property property = verdict::Property::UnreachCall;
  bool atomic = false;     ///< Load, Store: an atomic access (never part of a data race)
  bool local = false;      ///< Load, Store, Copy, Fill: can only touch objects of this thread (proved statically), so invisible
  bool input = false;      ///< Nondet: asked for by the program (`__VERIFIER_nondet_*`, klee_make_symbolic, ...)
  uint8_t align = 1;       ///< Load, Store, StackAlloc: required alignment in bytes, 1 if none
  uint16_t width = 0;      ///< Load, Store, AtomicRmw, AtomicCas, Await: bits of memory accessed, a multiple of 8
  uint32_t callee = kNone; ///< Call
  ObjectId object = kNone; ///< ThreadLocal
  std::vector<RegisterId> targets;
  std::vector<term::Term> operands;
  std::string text;
  SourcePosition position;
};

/// What a kind of statement is made of: one row of a table that the rules for programs, the reader and the printers share.
///
/// A letter for each target and each operand says how wide it is and what it is:
///   a  an address            n  a number as wide as an address      e  an address or a number of that width
///   w  `width` bits          1  8  so many bits                     f  a float or a double
///   i  a number of any width .  anything
///   ?  those that follow may be left out                            *  any number of anything follows
struct KindInfo {
  std::string_view word;  ///< in the textual form
  std::string_view targets, operands;
  bool ends = false;  ///< the edge leads nowhere
  bool asks = false;  ///< all it does is to put into its target what only the machine knows
};
const KindInfo& info(Kind kind);

/// The letter of operand i, or of target i; '.' where `*` stands for it, 0 where there can be none.
char letter(std::string_view letters, size_t i);

inline std::string_view name(Kind kind) { return info(kind).word; }
std::string_view name(Rmw rmw);
inline bool ends_path(Kind kind) { return info(kind).ends; }
inline bool asks(Kind kind) { return info(kind).asks; }

}  // namespace whittle::program
