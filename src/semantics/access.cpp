#include "semantics/access.h"

#include "program/word_access.h"

namespace whittle::semantics {

using program::Kind;
using program::Statement;
using program::WordAccess;

Accesses accesses(const Statement& s) {
  Accesses list;
  const uint32_t bytes = s.width / 8u;
  if (const WordAccess access = program::word_access(s.kind); access != WordAccess::None)
    list.add({.align = s.align,
              .read = access != WordAccess::Write,
              .write = access != WordAccess::Read,
              .atomic = s.atomic || access == WordAccess::Update || s.kind == Kind::Await,
              .bytes = bytes});
  switch (s.kind) {
    case Kind::Copy:
      list.add({.address = 1, .size_operand = 2, .read = true});
      list.add({.address = 0, .size_operand = 2, .write = true});
      break;
    case Kind::Fill: list.add({.address = 0, .size_operand = 2, .write = true}); break;
    case Kind::Output: list.add({.address = 1, .size_operand = 2, .read = true}); break;
    default: break;
  }
  return list;
}

bool ends_object(const Statement& s) { return s.kind == Kind::HeapFree && !s.operands[0].is_constant(0); }

}  // namespace whittle::semantics
