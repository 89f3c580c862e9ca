// Words and widths that the printer and the reader of programs share.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "program/program.h"

namespace whittle::program::words {

/// Operators written between their operands.
struct Infix {
  term::Op op;
  std::string_view symbol;
};
inline constexpr std::array<Infix, 27> kInfix{{
    {term::Op::And, "&"},    {term::Op::Or, "|"},    {term::Op::Xor, "^"},     {term::Op::Add, "+"},
    {term::Op::Sub, "-"},    {term::Op::Mul, "*"},   {term::Op::UDiv, "/u"},   {term::Op::SDiv, "/s"},
    {term::Op::URem, "%u"},  {term::Op::SRem, "%s"}, {term::Op::Shl, "<<"},    {term::Op::LShr, ">>u"},
    {term::Op::AShr, ">>s"}, {term::Op::Eq, "=="},   {term::Op::Ult, "<u"},    {term::Op::Ule, "<=u"},
    {term::Op::Slt, "<s"},   {term::Op::Sle, "<=s"}, {term::Op::Concat, "++"}, {term::Op::FAdd, "+f"},
    {term::Op::FSub, "-f"},  {term::Op::FMul, "*f"}, {term::Op::FDiv, "/f"},   {term::Op::FRem, "%f"},
    {term::Op::FEq, "==f"},  {term::Op::FLt, "<f"},  {term::Op::FLe, "<=f"},
}};
/// Negations of comparisons: `a >=s b` is Not(a <s b).
inline constexpr std::array<Infix, 8> kNegated{{{term::Op::Eq, "!="},
                                                {term::Op::Ult, ">=u"},
                                                {term::Op::Ule, ">u"},
                                                {term::Op::Slt, ">=s"},
                                                {term::Op::Sle, ">s"},
                                                {term::Op::FEq, "!=f"},
                                                {term::Op::FLt, "!<f"},
                                                {term::Op::FLe, "!<=f"}}};

std::optional<std::string_view> infix(term::Op op);
std::optional<std::string_view> negated(term::Op op);
/// Has the result the width of both operands, so that a constant among them needs no width of its own?
bool keeps_width(term::Op op);

/// The width that operand i must have, as far as the statement's kind, targets, width and callee tell; else 0.
unsigned operand_width(const Program& program, const Function& function, const Statement& statement, size_t i);

/// The width that a letter of KindInfo stands for, if it says one.
std::optional<unsigned> width_of(char letter, const Program& program, const Statement& statement);

/// What stands between the word of a statement and its operands: `call f(...)`, `thread_local x`, `atomic_rmw.32 add(...)`.
enum class Detail : uint8_t { None, Callee, Object, Operation };
Detail detail(Kind kind);

/// What functions and static objects are called: the name, or "#3" if it is not plain or not the only one.
struct Names {
  explicit Names(const Program& program);
  std::vector<std::string> functions;
  std::vector<std::string> objects;
};

/// "i.0", "r0" if it has no plain name, "load_.0" if the name is the word of a statement.
std::string register_name(const Function& function, RegisterId reg);

/// Can the name stand without quotes?
bool is_plain(std::string_view name);

std::string_view name(Type::Kind kind);
inline constexpr unsigned kTypeKindCount = static_cast<unsigned>(Type::Kind::Function) + 1;

/// In double quotes; anything but printable ASCII as \n, \t, \\, \" or \xHH.
std::string quoted(std::string_view text);

}  // namespace whittle::program::words
