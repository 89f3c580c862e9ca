#include "verdict/verdict.h"

#include <cassert>

namespace whittle::verdict {

bool same_place(const Violation& a, const Violation& b) {
  return a.property == b.property && a.file == b.file && a.line == b.line && (a.column == b.column || a.column == 0 || b.column == 0) &&
         (a.property != Property::UnreachCall || a.message == b.message);
}

std::string verdict_line(const Verdict& verdict) {
  switch (verdict.answer) {
    case Answer::True: return "true";
    case Answer::Unknown: return "unknown";
    case Answer::False: break;
  }
  assert(verdict.violation && "a verdict of false names what is violated");
  return "false(" + std::string(name(verdict.violation->property)) + ")";
}

}  // namespace whittle::verdict
