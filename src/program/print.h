// Programs as text: the whole of one (read back by program/parse.h), its control flow for people, and Graphviz.
//
//   function 2 "main" returns 32 entry 0 locations 4 parameters 0 @0:3:5
//     register 0 32 "i" type 1
//     0 -> 1: i.0 := 0 @0:4:7
//     1 -> 2: assume((i.0 <s 10)) @0:4:14
//     1 -> 3: assume((i.0 >=s 10)) @0:4:14
//     2 -> 1: i.0 := (i.0 + 1) @0:4:20
//     3: return(i.0) @0:5:3
//
// Terms: binary operations always have parentheses; signed operators end in `s`, unsigned ones in `u`, floating ones in
// `f` (<s, /u, >>s, +f); `x[7:0]` are bits, `(a ++ b)` joins, `zext.64(x)` has its width after the dot. A constant has
// its width after a colon unless its place tells it. A register is its name and number (i.0), or r0 if it has no name;
// one that is called like a statement gets an underscore (error_.0).
// `&x`, `&x+4` are addresses in static objects, `@f` is that of a function. `$1=t` names a part that comes again as
// `$1`.
#pragma once

#include <string>

#include "program/program.h"

namespace whittle::program {

struct PrintOptions {
  bool runtime = true;    ///< also whittle's own models; without them the text cannot be read back
  bool positions = true;  ///< source positions after statements (to_text only)
};

/// Everything. Equal programs give equal texts; parse_text reads it back exactly.
std::string to_text(const Program& program, const PrintOptions& options = {});

/// One statement or one term of a function, in the same words, without the position.
std::string to_text(const Program& program, FunctionId function, const Statement& statement);
std::string to_text(const Program& program, FunctionId function, term::Term term);

/// The control flow of the user's functions (all if options.runtime): a line of source, then what happens there.
std::string to_cfg(const Program& program, const PrintOptions& options = {.runtime = false});

/// Graphviz: one cluster per function, loop heads doubly ringed, violations red.
std::string to_dot(const Program& program, const PrintOptions& options = {.runtime = false});

}  // namespace whittle::program
