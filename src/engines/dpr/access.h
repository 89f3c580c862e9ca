// Small questions about memory accesses that the shadow and the sidestep share.
#pragma once

#include "exec/machine.h"
#include "semantics/access.h"
#include "term/term.h"

namespace whittle::engines::dpr {

/// Would this access at a known address succeed in the machine's present state?
inline bool can_access(exec::Machine& machine, const semantics::Access& access, uint64_t address) {
  auto object = machine.object_at(address);
  if (!object || !object->alive || (access.write && object->constant)) return false;
  if (address < object->address || address - object->address + access.bytes > object->size) return false;
  return address % access.align == 0;
}

/// Memory is accessed in whole bytes; registers may be narrower.
inline term::Term fit(term::Store& terms, term::Term value, unsigned width) {
  return terms.resize_unsigned(value, width);
}

}  // namespace whittle::engines::dpr
