// Terms and places of a program in the words of its source.
//
//   to_c(program, t)                                   // "l.locked == 0", "a[i] < n", "p->next != 0"
//   place_in(program, "a", type_of_a, 12, 4).text      // "a[1].next"
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "program/program.h"

namespace whittle::program {

/// A piece of memory, and its type if that is known.
struct PlaceName {
  std::string text;
  TypeId type = kNoType;
};

bool is_record(const Type& type);  ///< a struct or a union
/// `char`, `wchar_t` and their relatives, under any name; `signed char` and `unsigned char` are numbers.
bool is_character(const Type& type);
bool is_flexible(const Program& program, const Type& type);  ///< a struct whose last member is an array of any length

/// The innermost object that holds `size` bytes at the offset in something called `text` of this type: its name, its type, and
/// what is left of the offset. Of a union, the
/// first member in which the bytes are all of something; the union itself if there is none, or if what fits is of different kinds.
struct Innermost {
  std::string text;
  TypeId type = kNoType;
  uint64_t offset = 0;
};
/// Kinds of types, as bits.
using Kinds = unsigned;
constexpr Kinds kind_bit(Type::Kind kind) { return 1u << static_cast<unsigned>(kind); }
constexpr Kinds kAnyKind = ~0u;
/// `decided`: of different kinds, the first one. `wanted`: only members of these kinds count.
Innermost innermost(const Program& program, std::string text, TypeId type, uint64_t offset, uint64_t size, bool decided = false,
                    Kinds wanted = kAnyKind);
/// What the text of a plain Store says if it writes a number with a point: which member of a union is meant follows from it.
inline constexpr std::string_view kFloatText = "float";

/// `size` bytes at the offset in something called `text` of this type: goes into arrays and structs as far as the piece
/// lies in one member. What is left of the offset is added: "buffer + 3".
PlaceName place_in(const Program& program, std::string text, TypeId type, uint64_t offset, uint64_t size);

/// The register that a variable stands for.
using RegisterOf = std::function<Program::RegisterRef(term::Term)>;

/// A term as C that a programmer would recognise: static objects, locals in memory and what pointers point to by
/// their names and members, and casts only where the types of these ask for them. Without `register_of`, variables are
/// the program's own registers.
std::string to_c(const Program& program, term::Term term, const RegisterOf& register_of = {});

}  // namespace whittle::program
