#include "program/analysis/endings.h"

#include <vector>

namespace whittle::program::analysis {

namespace {

/// What calls of a function can lead to, as far as it is known yet.
struct Ends {
  bool returns = false;  ///< to the caller
  bool halts = false;    ///< the program, or the thread
  bool operator==(const Ends&) const = default;
};

class Endings {
 public:
  Endings(const Program& program, const CallGraph& calls) : program_(program), calls_(calls), ends_(program.functions.size()) {
    for (bool changed = true; changed;) {
      changed = false;
      for (FunctionId f : calls.bottom_up()) {
        if (!calls.reachable().test(f)) continue;
        Ends now = look(f);
        changed |= now != ends_[f];
        ends_[f] = now;
      }
    }
  }
  const Ends& of(FunctionId f) const { return ends_[f]; }

 private:
  Ends look(FunctionId f) const {
    const Function& function = program_.functions[f];
    Ends found;
    std::vector<bool> seen(function.locations.size());
    std::vector<LocationId> open = {function.entry};
    while (!open.empty()) {
      const LocationId here = open.back();
      open.pop_back();
      if (here == kNone || seen[here]) continue;
      seen[here] = true;
      const Location& location = function.locations[here];
      for (uint32_t e = location.first_edge; e < location.first_edge + location.edge_count; ++e)
        if (passes(function.edges[e].statement, found)) open.push_back(function.edges[e].to);
    }
    return found;
  }

  /// Can a run go on after the statement?
  bool passes(const Statement& statement, Ends& found) const {
    switch (statement.kind) {
      case Kind::Return: found.returns = true; return false;
      case Kind::Halt:
      case Kind::ThreadExit: found.halts = true; return false;
      case Kind::Error:
      case Kind::Unsupported: return false;
      case Kind::Assume:
      case Kind::Check: return !statement.operands[0].is_false();
      case Kind::Call:
      case Kind::IndirectCall: {
        bool returns = false;
        for (FunctionId target : calls_.targets(statement)) {
          returns |= ends_[target].returns;
          found.halts |= ends_[target].halts;
        }
        return returns;
      }
      default: return true;
    }
  }

  const Program& program_;
  const CallGraph& calls_;
  std::vector<Ends> ends_;
};

}  // namespace

bool can_end(const Program& program, const CallGraph& calls) {
  if (program.entry == kNone) return true;
  const Ends ends = Endings(program, calls).of(program.entry);
  return ends.returns || ends.halts;
}

}  // namespace whittle::program::analysis
