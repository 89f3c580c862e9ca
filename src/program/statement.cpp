#include "program/statement.h"

#include <array>

namespace whittle::program {
namespace {

constexpr std::array<KindInfo, kKindCount> kKinds{{
    {"skip", "", ""},
    {"assign", ".*", ".*"},
    {"assume", "", "1"},
    {"check", "", "1"},
    {"load", "w", "a"},
    {"store", "", "aw"},
    {"nondet", ".", ""},
    {"stack_alloc", "e", "n"},
    {"heap_alloc", "e", "n1?n"},
    {.word = "freed", .targets = "e", .operands = "nna", .asks = true},
    {"heap_free", "", "a"},
    {.word = "object_size", .targets = "e", .operands = "a", .asks = true},
    {.word = "object_offset", .targets = "e", .operands = "a", .asks = true},
    {.word = "shared", .targets = "1", .operands = "a", .asks = true},
    {.word = "stack_save", .targets = "e", .operands = "", .asks = true},
    {"stack_restore", "", "e"},
    {"copy", "", "aan"},
    {"fill", "", "a8n"},
    {"call", "?.", "*"},
    {"icall", "?.", "a*"},
    {.word = "return", .targets = "", .operands = "?.", .ends = true},
    {"atomic_rmw", "?w", "aw"},
    {"atomic_cas", "w1", "aww"},
    {"fence", "", ""},
    {"atomic_begin", "", ""},
    {"atomic_end", "", ""},
    {"await", "", "awww"},
    {"spawn", ".", "aee"},
    {.word = "thread_exit", .targets = "", .operands = "", .ends = true},
    {.word = "self", .targets = ".", .operands = "", .asks = true},
    {.word = "thread_local", .targets = "e", .operands = "", .asks = true},
    {"yield", "", ""},
    {"output", "", "ian"},
    {.word = "host_math", .targets = ".", .operands = "f?ff", .asks = true},
    {.word = "error", .targets = "", .operands = "", .ends = true},
    {.word = "halt", .targets = "", .operands = "i", .ends = true},
    {.word = "unsupported", .targets = "", .operands = "", .ends = true},
}};

constexpr std::array<std::string_view, 11> kRmws{"exchange", "add", "sub", "and",  "nand", "or",
                                                 "xor",      "max", "min", "umax", "umin"};

}  // namespace

const KindInfo& info(Kind kind) { return kKinds[static_cast<unsigned>(kind)]; }
std::string_view name(Rmw rmw) { return kRmws[static_cast<unsigned>(rmw)]; }

char letter(std::string_view letters, size_t i) {
  for (char c : letters) {
    if (c == '?') continue;
    if (c == '*') return '.';
    if (i-- == 0) return c;
  }
  return 0;
}

}  // namespace whittle::program
