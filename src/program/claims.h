// Where a program can go wrong, as people tell such places apart, and programs in which some of them cannot.
//
//   for (const Assertion& assertion : assertions(program)) fmt::print("{}\n", program.where(assertion.position));
//   Program other = ignoring(program, sites_at(program, "a.c:12", Property::UnreachCall));
#pragma once

#include <compare>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "program/program.h"

namespace whittle::program {

/// A statement.
struct Site {
  FunctionId function = kNone;
  uint32_t edge = 0;
  /// Of a call of a model (of the C library): which property is meant; none: every one.
  std::optional<verdict::Property> property = {};
  auto operator<=>(const Site&) const = default;
};

/// An assertion, or a call of an error function, of the user's code.
struct Assertion {
  std::string text;  ///< "assertion `x == 1`", "call of reach_error"
  std::string function;
  SourcePosition position;
  std::vector<Site> sites;  ///< more than one where a function of a header is part of several files
};

/// In the order of files and lines.
std::vector<Assertion> assertions(const Program& program);

/// Checks and errors of properties for which `asked` is false.
std::vector<Site> unasked(const Program& program, const std::function<bool(verdict::Property)>& asked);

/// Statements of the user's code at FILE:LINE or FILE:LINE:COLUMN that can violate `property` (without one: any) and that
/// ignoring() can pass over, calls of models among them. Nothing if FILE names no file of the program.
std::vector<Site> sites_at(const Program& program, std::string_view place, std::optional<verdict::Property> property = {});

/// "a.c:12:5": what sites_at takes.
std::string place_of(const Program& program, const SourcePosition& position);

/// A copy in which nothing is violated at these sites. What happens there instead: a failed check of an assertion, of signed
/// overflow or of locks is passed over; an error function, or assert(), ends the program; a write outside of an object and a free
/// of what cannot be freed are left out (of copies: what does not fit); other undefined behaviour is no behaviour of the program. A call of a model becomes one of a copy of it in which this holds for every statement.
/// Freeing an object of size zero counts as undefined at a site that frees.
Program ignoring(const Program& program, const std::vector<Site>& sites);

}  // namespace whittle::program
