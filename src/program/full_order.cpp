#include "program/full_order.h"

#include "program/order.h"
#include "program/word_access.h"

namespace whittle::program {

bool orders_all(const Program& program) {
  for (const Function& function : program.functions)
    for (const Edge& edge : function.edges) {
      const Statement& s = edge.statement;
      const bool reads = s.kind == Kind::Load && s.atomic, writes = s.kind == Kind::Store && s.atomic;
      const bool updates = updates_word(s.kind);
      if (!reads && !writes && !updates) continue;
      if ((reads || updates) && !acquires(order_of(s))) return false;
      if ((writes || updates) && !releases(order_of(s))) return false;
      if (s.kind == Kind::AtomicCas && !acquires(failure_order(s))) return false;
    }
  return true;
}

}  // namespace whittle::program
