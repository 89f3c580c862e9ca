#include "semantics/access.h"

namespace whittle::semantics {

using program::Kind;
using program::Statement;

Accesses accesses(const Statement& s) {
  Accesses list;
  const uint32_t bytes = s.width / 8u;
  switch (s.kind) {
    case Kind::Load: list.add({.align = s.align, .read = true, .atomic = s.atomic, .bytes = bytes}); break;
    case Kind::Store: list.add({.align = s.align, .write = true, .atomic = s.atomic, .bytes = bytes}); break;
    case Kind::AtomicRmw:
    case Kind::AtomicCas:
      list.add({.align = s.align, .read = true, .write = true, .atomic = true, .bytes = bytes});
      break;
    case Kind::Await: list.add({.align = s.align, .read = true, .atomic = true, .bytes = bytes}); break;
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
