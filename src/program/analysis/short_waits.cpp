#include "program/analysis/short_waits.h"

#include <vector>

#include "program/analysis/loops.h"
#include "program/analysis/targets.h"

namespace whittle::program::analysis {

namespace {

class Waits {
 public:
  Waits(const Program& program, const CallGraph& calls, const PointsTo& points,
        const std::function<bool(FunctionId, uint32_t)>& matters,
        const std::function<bool(FunctionId, uint32_t)>& lingers)
      : program_(program),
        calls_(calls),
        points_(points),
        matters_(matters),
        lingers_(lingers),
        stopping_(program.functions.size()),
        mattering_(program.functions.size()),
        joining_(program.functions.size()) {}

  bool run() {
    bool good = true;
    calls_.reachable().each([&](size_t f) {
      if (good && contains(static_cast<FunctionId>(f), Kind::Await)) good = is(f, FunctionRole::LockMutex) || is(f, FunctionRole::JoinThread);
    });
    if (!good) return false;
    summarise();
    return threads_end() && locks_are_short();
  }

 private:
  bool is(size_t f, FunctionRole role) const { return program_.functions[f].role == role; }
  bool contains(FunctionId f, Kind kind) const {
    for (const Edge& edge : program_.functions[f].edges)
      if (edge.statement.kind == kind) return true;
    return false;
  }

  /// A statement that may keep its thread where it is, or ends it. Locks are looked at apart.
  bool stops(FunctionId f, uint32_t e) const {
    const Function& function = program_.functions[f];
    const Edge& edge = function.edges[e];
    switch (edge.statement.kind) {
      case Kind::Await:
      case Kind::ThreadExit: return true;
      case Kind::Assume: return function.locations[edge.from].edge_count == 1;
      default: return false;
    }
  }

  bool loops_linger(FunctionId f) const {
    Loops loops(program_.functions[f]);
    if (!loops.irreducible().empty()) return true;
    for (const Loop& loop : loops.all())
      if (loop_lingers(f, loop)) return true;
    return false;
  }
  bool loop_lingers(FunctionId f, const Loop& loop) const {
    for (uint32_t e : loop.exits)
      if (program_.functions[f].edges[e].statement.kind == Kind::Assume && lingers_(f, e)) return true;
    return loop.exits.empty();
  }

  /// What functions do, callees included.
  void summarise() {
    for (bool changed = true; changed;) {
      changed = false;
      for (FunctionId f : calls_.bottom_up()) {
        if (!calls_.reachable().test(f)) continue;
        bool stop = is(f, FunctionRole::UnlockMutex) || loops_linger(f), matter = false, join = is(f, FunctionRole::JoinThread);
        const Function& function = program_.functions[f];
        for (uint32_t e = 0; e < function.edges.size(); ++e) {
          stop |= stops(f, e);
          matter |= matters_(f, e);
          if (function.edges[e].statement.kind == Kind::Spawn) continue;
          for (FunctionId to : functions_called(calls_, points_, function.edges[e].statement)) {
            stop |= stopping_.test(to);
            matter |= mattering_.test(to);
            join |= joining_.test(to);
          }
        }
        if (stop) changed |= stopping_.set(f);
        if (matter) changed |= mattering_.set(f);
        if (join) changed |= joining_.set(f);
      }
    }
  }

  /// All that runs in threads other than the first: no joins, no assumptions, no loops that linger, nothing that
  /// matters (joins tell the order of what threads did, too).
  bool threads_end() const {
    bool good = true;
    functions_of_others(program_, calls_, points_, [&](FunctionId f) { return is(f, FunctionRole::LockMutex); }).each([&](size_t f) {
      good = good && (is(f, FunctionRole::LockMutex) || ends(static_cast<FunctionId>(f)));
    });
    return good;
  }
  bool ends(FunctionId f) const {
    if (joining_.test(f) || loops_linger(f)) return false;
    const Function& function = program_.functions[f];
    for (uint32_t e = 0; e < function.edges.size(); ++e) {
      if (function.edges[e].statement.kind != Kind::ThreadExit && stops(f, e)) return false;
      if (matters_(f, e)) return false;
    }
    return true;
  }

  bool locks_are_short() const {
    bool good = true;
    calls_.reachable().each([&](size_t f) {
      const Function& function = program_.functions[f];
      for (uint32_t e = 0; good && e < function.edges.size(); ++e)
        for (FunctionId to : functions_called(calls_, points_, function.edges[e].statement))
          if (is(to, FunctionRole::LockMutex)) good = good && lock_is_short(static_cast<FunctionId>(f), e);
    });
    return good;
  }

  /// From the call on, every way gets to the unlock of the same mutex, and nothing on it waits or matters.
  bool lock_is_short(FunctionId f, uint32_t lock) const {
    const Function& function = program_.functions[f];
    const Statement& taken = function.edges[lock].statement;
    if (taken.kind != Kind::Call || !taken.operands[0].is_constant()) return false;
    Loops loops(function);
    if (!loops.irreducible().empty()) return false;
    std::vector<bool> seen(function.locations.size());
    std::vector<LocationId> stack;
    auto reach = [&](LocationId l) {
      if (l != kNone && !seen[l]) seen[l] = true, stack.push_back(l);
    };
    reach(function.edges[lock].to);
    while (!stack.empty()) {
      const Location& location = function.locations[stack.back()];
      stack.pop_back();
      for (uint32_t e = location.first_edge; e < location.first_edge + location.edge_count; ++e) {
        const Edge& edge = function.edges[e];
        const Statement& s = edge.statement;
        if (s.kind == Kind::Call && is(s.callee, FunctionRole::UnlockMutex) && s.operands[0] == taken.operands[0]) continue;
        if (s.kind == Kind::Return || s.kind == Kind::Spawn || stops(f, e) || matters_(f, e)) return false;
        for (FunctionId to : functions_called(calls_, points_, s))
          if (stopping_.test(to) || mattering_.test(to) || is(to, FunctionRole::LockMutex)) return false;
        reach(edge.to);
      }
    }
    for (const Loop& loop : loops.all())
      if (seen[loop.head] && loop_lingers(f, loop)) return false;
    return true;
  }

  const Program& program_;
  const CallGraph& calls_;
  const PointsTo& points_;
  const std::function<bool(FunctionId, uint32_t)>&matters_, &lingers_;
  BitSet stopping_, mattering_, joining_;  ///< functions
};

}  // namespace

bool waits_end(const Program& program, const CallGraph& calls, const PointsTo& points,
               const std::function<bool(FunctionId, uint32_t)>& matters,
               const std::function<bool(FunctionId, uint32_t)>& lingers) {
  return Waits(program, calls, points, matters, lingers).run();
}

}  // namespace whittle::program::analysis
