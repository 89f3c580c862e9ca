#include "program/statement.h"

#include <array>

namespace whittle::program {
namespace {

// The words of the textual form; print.h and parse.h speak them.
constexpr std::array<std::string_view, kKindCount> kKinds{
    "skip",         "assign",     "assume",    "check",       "load",        "store",         "nondet",
    "stack_alloc",  "heap_alloc", "freed", "heap_free", "object_size", "shared", "stack_save",  "stack_restore", "copy",
    "fill",         "call",       "icall",     "return",      "atomic_rmw",  "atomic_cas",    "fence",
    "atomic_begin", "atomic_end", "await",     "spawn",       "thread_exit", "self",          "thread_local",
    "yield",        "output",     "host_math", "error",       "halt",        "unsupported"};

constexpr std::array<std::string_view, 11> kRmws{"exchange", "add", "sub", "and",  "nand", "or",
                                                 "xor",      "max", "min", "umax", "umin"};

}  // namespace

std::string_view name(Kind kind) { return kKinds[static_cast<unsigned>(kind)]; }
std::string_view name(Rmw rmw) { return kRmws[static_cast<unsigned>(rmw)]; }

bool ends_path(Kind kind) {
  return kind == Kind::Return || kind == Kind::Halt || kind == Kind::Error || kind == Kind::ThreadExit ||
         kind == Kind::Unsupported;
}

}  // namespace whittle::program
