// C expressions over a program's global variables: atoms of temporal properties, questions of users.
//
//   term::Term safe = parse_condition(program, "mode <= 6 && queue[2].length != FULL");
//
// Variables are static objects with a type from debug information; a variable is a Read at its constant address, `p->x`
// a Read at a read address. Understood: all operators of C without side effects (unary + - ! ~ * & sizeof and casts,
// arithmetic, shifts, comparisons, && || ?:), `.`, `->`, `[]`, enumerators, numbers and characters. Types follow C:
// integer promotions, usual arithmetic conversions, pointer arithmetic scaled by the element. Where C leaves the value
// undefined (division by zero, shifts too far) it is that of the term. Thread-local variables are refused: whose?
#pragma once

#include <string_view>

#include "program/program.h"

namespace whittle::program {

/// The value of the expression, as a term of program.terms(). Throws Error (usage) with the column of what is wrong.
term::Term parse_expression(const Program& program, std::string_view text);

/// The same as a condition of one bit: is the value different from zero?
term::Term parse_condition(const Program& program, std::string_view text);

}  // namespace whittle::program
