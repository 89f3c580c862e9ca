#include "program/analysis/retry.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "program/analysis/liveness.h"
#include "program/analysis/loops.h"

namespace whittle::program::analysis {

namespace {

constexpr unsigned kLongestWay = 64;  ///< statements from the compare-and-swap back to the head: a handful in real code

bool without_effect(const Function& f, const Edge& edge) {
  switch (edge.statement.kind) {
    case Kind::Skip:
    case Kind::Fence:
    case Kind::Assign:
    case Kind::Load: return true;
    case Kind::Assume: return f.locations[edge.from].edge_count > 1;
    default: return false;
  }
}

class Retry {
 public:
  Retry(const Program& program, FunctionId id, uint32_t cas)
      : program_(program), id_(id), function_(program.functions[id]), cas_(cas), loops_(function_) {}

  bool holds() {
    const Edge& edge = function_.edges[cas_];
    number_ = loops_.innermost(edge.from);
    if (number_ == kNone || !loops_.irreducible().empty() || edge.statement.targets.size() < 2) return false;
    if (!look_at_body()) return false;
    const term::Term expected = edge.statement.operands[1];
    values_[function_.registers[edge.statement.targets[0]].variable] = expected;
    values_[function_.registers[edge.statement.targets[1]].variable] = program_.terms().falsity();
    if (!walk_back(edge.to)) return false;
    const Liveness liveness(program_, id_);
    const BitSet& live = liveness.at(head());
    for (RegisterId r = 0; r < function_.registers.size(); ++r) {
      if (!live.test(r)) continue;
      term::Term variable = function_.registers[r].variable;
      if (written_.test(r) || value(variable) != variable) return false;
    }
    return true;
  }

 private:
  LocationId head() const { return loops_.all()[number_].head; }

  /// Nothing in the loop but the compare-and-swap has an effect. Notes what is written between the head and it.
  bool look_at_body() {
    std::vector<bool> before(function_.locations.size());
    std::vector<LocationId> stack{head()};
    before[head()] = true;
    while (!stack.empty()) {
      const Location& location = function_.locations[stack.back()];
      stack.pop_back();
      for (uint32_t e = location.first_edge; e < location.first_edge + location.edge_count; ++e) {
        const Edge& edge = function_.edges[e];
        if (e == cas_ || edge.to == kNone || !loops_.contains(number_, edge.to)) continue;
        for (RegisterId r : edge.statement.targets) written_.set(r);
        if (!before[edge.to]) before[edge.to] = true, stack.push_back(edge.to);
      }
    }
    return std::ranges::all_of(loops_.all()[number_].body, [&](LocationId l) {
      const Location& location = function_.locations[l];
      for (uint32_t e = location.first_edge; e < location.first_edge + location.edge_count; ++e)
        if (e != cas_ && !without_effect(function_, function_.edges[e])) return false;
      return true;
    });
  }

  /// The way that a failure takes.
  bool walk_back(LocationId at) {
    for (unsigned steps = 0; at != head(); ++steps) {
      if (steps == kLongestWay || at == kNone || !loops_.contains(number_, at)) return false;
      const Location& location = function_.locations[at];
      const Edge* taken = nullptr;
      for (uint32_t e = location.first_edge; e < location.first_edge + location.edge_count; ++e) {
        const Edge& edge = function_.edges[e];
        if (location.edge_count > 1) {
          term::Term condition = value(edge.statement.operands[0]);
          if (!condition.is_constant()) return false;
          if (condition.is_constant(0)) continue;
        }
        taken = &edge;
      }
      if (!taken || !assign(taken->statement)) return false;
      at = taken->to;
    }
    return true;
  }

  bool assign(const Statement& s) {
    if (s.kind == Kind::Load) return false;
    if (s.kind != Kind::Assign) return true;
    std::vector<term::Term> now;
    for (term::Term operand : s.operands) now.push_back(value(operand));
    for (size_t i = 0; i < s.targets.size(); ++i) values_[function_.registers[s.targets[i]].variable] = now[i];
    return true;
  }

  /// In terms of the registers as they are when the compare-and-swap is made.
  term::Term value(term::Term t) const {
    return program_.terms().substitute(t, [&](term::Term variable) {
      auto it = values_.find(variable);
      return it == values_.end() ? term::Term() : it->second;
    });
  }

  const Program& program_;
  FunctionId id_;
  const Function& function_;
  uint32_t cas_;
  Loops loops_;
  uint32_t number_ = kNone;
  BitSet written_{function_.registers.size()};
  std::unordered_map<term::Term, term::Term> values_;
};

}  // namespace

bool retries_without_trace(const Program& program, FunctionId function, uint32_t cas) {
  return Retry(program, function, cas).holds();
}

}  // namespace whittle::program::analysis
