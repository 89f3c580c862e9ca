#include "program/analysis/spin.h"

#include <algorithm>
#include <optional>

#include "program/analysis/liveness.h"
#include "program/analysis/loops.h"
#include "term/op.h"

namespace whittle::program::analysis {

namespace {

/// Statements that neither change anything others can see, nor stop, nor give different results for equal memory.
bool looks_only(Kind kind) {
  switch (kind) {
    case Kind::Skip:
    case Kind::Assign:
    case Kind::Load:
    case Kind::Fence:
    case Kind::Yield:
    case Kind::Self:
    case Kind::ThreadLocal: return true;
    default: return false;
  }
}

/// A branch, not an assumption of the program: that one may end the run.
bool branches(const Function& f, const Edge& edge) {
  return edge.statement.kind == Kind::Assume && f.locations[edge.from].edge_count > 1;
}

/// Functions without loops that only look; what they return depends on their arguments and on memory alone.
BitSet harmless_functions(const Program& program, const CallGraph& calls) {
  BitSet answer(program.functions.size());
  for (FunctionId f : calls.bottom_up()) {
    const Function& function = program.functions[f];
    Loops loops(function);
    bool good = !calls.recursive(f) && loops.all().empty() && loops.irreducible().empty() && !function.edges.empty();
    for (const Edge& edge : function.edges) {
      Kind kind = edge.statement.kind;
      if (looks_only(kind) || branches(function, edge) || kind == Kind::Return) continue;
      good = good && kind == Kind::Call && answer.test(edge.statement.callee);
    }
    if (good) answer.set(f);
  }
  return answer;
}

class Finder {
 public:
  Finder(const Program& program, FunctionId f, const BitSet& harmless)
      : program_(program), id_(f), function_(program.functions[f]), harmless_(harmless), loops_(function_) {}

  std::vector<SpinLoop> run() {
    std::vector<SpinLoop> answer;
    for (uint32_t i = 0; i < loops_.all().size(); ++i)
      if (std::optional<SpinLoop> loop = examine(i)) answer.push_back(std::move(*loop));
    return answer;
  }

 private:
  std::optional<SpinLoop> examine(uint32_t number) {
    const Loop& loop = loops_.all()[number];
    SpinLoop spin{id_, loop.head, loop.back_edges, {}, {}};
    std::vector<RegisterId> written;
    for (LocationId l : loop.body) {
      // Cycles nobody understands are not waiting.
      if (std::find(loops_.irreducible().begin(), loops_.irreducible().end(), l) != loops_.irreducible().end())
        return std::nullopt;
      const Location& location = function_.locations[l];
      if (location.edge_count == 0) return std::nullopt;
      for (uint32_t e = location.first_edge; e < location.first_edge + location.edge_count; ++e) {
        if (!harmless(number, e)) return std::nullopt;
        const Statement& s = function_.edges[e].statement;
        written.insert(written.end(), s.targets.begin(), s.targets.end());
        if (s.kind == Kind::Load || s.kind == Kind::AtomicCas || s.kind == Kind::Call) spin.looks.push_back(e);
        bool leaves = function_.edges[e].to == kNone || !loops_.contains(number, function_.edges[e].to);
        if (leaves && s.kind == Kind::Assume) spin.exits.push_back(e);
      }
    }
    // Without memory to look at, or a way out, it waits for nothing.
    if (spin.looks.empty() || spin.exits.empty()) return std::nullopt;
    if (!liveness_) liveness_.emplace(program_, id_);
    for (RegisterId r : written)
      if (liveness_->at(loop.head).test(r)) return std::nullopt;  // something is carried from round to round
    return spin;
  }

  bool harmless(uint32_t loop, uint32_t e) const {
    const Edge& edge = function_.edges[e];
    if (looks_only(edge.statement.kind) || branches(function_, edge)) return true;
    if (edge.statement.kind == Kind::Call) return harmless_.test(edge.statement.callee);
    return edge.statement.kind == Kind::AtomicCas && leaves_on_success(loop, e);
  }

  /// Every way from the compare-and-swap to the head of the loop goes over a branch that says it failed.
  bool leaves_on_success(uint32_t number, uint32_t cas) const {
    const Statement& s = function_.edges[cas].statement;
    if (s.targets.size() < 2) return false;
    const Loop& loop = loops_.all()[number];
    term::Term success = function_.registers[s.targets[1]].variable;
    for (LocationId l : loop.body)
      for (uint32_t e = function_.locations[l].first_edge;
           e < function_.locations[l].first_edge + function_.locations[l].edge_count; ++e)
        if (e != cas && std::count(function_.edges[e].statement.targets.begin(),
                                   function_.edges[e].statement.targets.end(), s.targets[1]) > 0)
          return false;
    term::Term failed = program_.terms().bnot(success);
    std::vector<bool> seen(function_.locations.size());
    std::vector<LocationId> stack;
    auto reach = [&](LocationId l) {
      if (l != kNone && loops_.contains(number, l) && !seen[l]) seen[l] = true, stack.push_back(l);
    };
    reach(function_.edges[cas].to);
    while (!stack.empty()) {
      LocationId l = stack.back();
      stack.pop_back();
      if (l == loop.head) return false;
      const Location& location = function_.locations[l];
      for (uint32_t e = location.first_edge; e < location.first_edge + location.edge_count; ++e) {
        const Edge& edge = function_.edges[e];
        bool says_so = edge.statement.kind == Kind::Assume && edge.statement.operands[0] == failed;
        if (!says_so) reach(edge.to);
      }
    }
    return true;
  }

  const Program& program_;
  FunctionId id_;
  const Function& function_;
  const BitSet& harmless_;
  Loops loops_;
  std::optional<Liveness> liveness_;
};

}  // namespace

Spins::Spins(const Program& program, const CallGraph& calls) {
  BitSet harmless = harmless_functions(program, calls);
  for (FunctionId f = 0; f < program.functions.size(); ++f) {
    back_edges_.emplace_back(program.functions[f].edges.size());
    heads_.emplace_back(program.functions[f].locations.size());
    if (!calls.reachable().test(f)) continue;
    for (SpinLoop& loop : Finder(program, f, harmless).run()) {
      heads_[f].set(loop.head);
      for (uint32_t e : loop.back_edges) back_edges_[f].set(e);
      loops_.push_back(std::move(loop));
    }
  }
}

}  // namespace whittle::program::analysis
