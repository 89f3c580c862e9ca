#include "verdict/verdict.h"

#include <cassert>

namespace whittle::verdict {

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
