// Small questions about memory accesses that the shadow and the sidestep share.
#pragma once

#include "exec/machine.h"
#include "program/statement.h"
#include "term/term.h"

namespace whittle::engines::dpr {

/// Would this Load or Store at a known address succeed in the machine's present state?
inline bool can_access(exec::Machine& machine, const program::Statement& statement, uint64_t address, bool write) {
  auto object = machine.object_at(address);
  if (!object || !object->alive || (write && object->constant)) return false;
  uint64_t size = statement.width / 8u;
  if (address < object->address || address - object->address + size > object->size) return false;
  return statement.align <= 1 || address % statement.align == 0;
}

/// Memory is accessed in whole bytes; registers may be narrower.
inline term::Term fit(term::Store& terms, term::Term value, unsigned width) {
  return terms.resize_unsigned(value, width);
}

}  // namespace whittle::engines::dpr
