#include "program/word_access.h"

namespace whittle::program {

WordAccess word_access(Kind kind) {
  switch (kind) {
    case Kind::Load:
    case Kind::Await: return WordAccess::Read;
    case Kind::Store: return WordAccess::Write;
    case Kind::AtomicRmw:
    case Kind::AtomicCas: return WordAccess::Update;
    default: return WordAccess::None;
  }
}

}  // namespace whittle::program
