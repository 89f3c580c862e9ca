// The topmost layer: conditions become a set of conjuncts, in the order given, without trivial ones. A false one or a
// condition together with its negation needs no solver. Cores are told in the caller's conditions.
#include <algorithm>

#include "solve/layer.h"
#include "solve/stack.h"

namespace whittle::solve {
namespace {

class Split final : public Layer {
 public:
  using Layer::Layer;

 private:
  /// Conjuncts of t, a few levels deep, so that a huge conjunction stays one condition rather than thousands.
  static void split(Term t, std::vector<Term>& parts, unsigned depth) {
    if (t.op() == term::Op::And && depth < 64) {
      split(t.kid(0), parts, depth + 1);
      split(t.kid(1), parts, depth + 1);
    } else if (!t.is_true()) {
      parts.push_back(t);
    }
  }

  Result query(std::span<const Term> conditions) override {
    std::vector<Term> parts;
    std::unordered_map<Term, Term> origin;
    for (Term condition : conditions) {
      size_t first = parts.size();
      split(condition, parts, 0);
      for (size_t i = first; i < parts.size(); ++i) {
        origin.try_emplace(parts[i], condition);
        if (parts[i].is_false()) {
          core_ = {condition};
          return {Answer::Unsat, ""};
        }
      }
    }
    // In the caller's order: what two queries of one path begin with alike, the back end keeps.
    std::unordered_set<Term> seen;
    std::erase_if(parts, [&](Term t) { return !seen.insert(t).second; });
    for (Term t : parts) {
      if (t.op() != term::Op::Not) continue;
      auto opposite = origin.find(t.kid(0));
      if (opposite == origin.end()) continue;
      core_ = {opposite->second};
      if (origin[t] != opposite->second) core_.push_back(origin[t]);
      return {Answer::Unsat, ""};
    }
    if (parts.empty()) return {Answer::Sat, ""};
    Result result = ask(parts);
    if (result.unsat()) tell_core(origin);
    return result;
  }

  void tell_core(const std::unordered_map<Term, Term>& origin) {
    std::unordered_set<Term> seen;
    std::vector<Term> told;
    for (Term t : core_)
      if (Term condition = origin.at(t); seen.insert(condition).second) told.push_back(condition);
    core_ = std::move(told);
  }
};

}  // namespace

std::unique_ptr<Solver> make_split(StackContext& context, std::unique_ptr<Solver> inner) {
  return std::make_unique<Split>(context, std::move(inner));
}

}  // namespace whittle::solve
