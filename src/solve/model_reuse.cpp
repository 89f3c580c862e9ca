// Before asking, tries the models of the last 64 satisfiable queries: walking down a path, one of the two branches is
// always satisfied by the model of the path so far, and the other one often by a model near it (repair.h). What a
// condition is under a model is computed once and kept in a bit.
#include <array>

#include "solve/layer.h"
#include "solve/repair.h"
#include "solve/stack.h"

namespace whittle::solve {
namespace {

class ModelReuse final : public Layer {
 public:
  using Layer::Layer;

 private:
  static constexpr unsigned kModels = 64;
  static constexpr unsigned kRepairs = 3;  ///< models that are tried to be repaired, per query
  struct Truth {
    uint64_t known = 0;
    uint64_t value = 0;
  };

  Result query(std::span<const Term> conditions) override {
    uint64_t candidates = used_;
    for (Term t : conditions) {
      const Truth& truth = truth_[t];
      candidates &= ~truth.known | truth.value;
    }
    while (candidates != 0) {
      unsigned m = newest(candidates);
      uint64_t bit = uint64_t{1} << m;
      if (satisfies(conditions, m)) {
        context_.statistics.add("solver.model_reuse.hits");
        for (Term t : conditions)
          for (Term leaf : context_.leaves.of(t))
            if (auto it = models_[m].find(leaf); it != models_[m].end()) model_.insert(*it);
        return {Answer::Sat, ""};
      }
      candidates &= ~bit;
    }
    if (repaired(conditions)) {
      context_.statistics.add("solver.model_reuse.repaired");
      remember();
      return {Answer::Sat, ""};
    }
    Result result = ask(conditions);
    if (result.sat()) remember();
    return result;
  }

  /// The newest model that satisfies all but the newest condition is the one to start from.
  bool repaired(std::span<const Term> conditions) {
    if (used_ == 0 || conditions.empty()) return false;
    for (uint64_t candidates = used_, tries = 0; candidates != 0 && tries < kRepairs;) {
      unsigned m = newest(candidates);
      candidates &= ~(uint64_t{1} << m);
      if (!satisfies(conditions.first(conditions.size() - 1), m)) continue;
      Model start;
      for (Term t : conditions)
        for (Term leaf : context_.leaves.of(t))
          if (auto it = models_[m].find(leaf); it != models_[m].end()) start.insert(*it);
      std::optional<Model> model = Repair(context_, conditions).run(std::move(start));
      ++tries;
      if (!model) continue;
      model_ = std::move(*model);
      return true;
    }
    return false;
  }

  bool satisfies(std::span<const Term> conditions, unsigned m) {
    const uint64_t bit = uint64_t{1} << m;
    for (size_t i = conditions.size(); i-- > 0;) {  // the newest condition is the likeliest to fail
      Truth& truth = truth_[conditions[i]];
      if ((truth.known & bit) == 0) {
        truth.known |= bit;
        if (holds(conditions[i], models_[m]))
          truth.value |= bit;
        else
          truth.value &= ~bit;
      }
      if ((truth.value & bit) == 0) return false;
    }
    return true;
  }

  unsigned newest(uint64_t candidates) const {
    // Slots are used in turn, so the newest candidate is the first one going back from the last slot filled.
    uint64_t before = next_ == 0 ? 0 : candidates & ((uint64_t{1} << next_) - 1);
    return 63u - static_cast<unsigned>(__builtin_clzll(before != 0 ? before : candidates));
  }

  void remember() {
    const uint64_t bit = uint64_t{1} << next_;
    if ((used_ & bit) != 0)
      for (auto& [t, truth] : truth_) truth.known &= ~bit;
    models_[next_] = model_;
    used_ |= bit;
    next_ = (next_ + 1) % kModels;
  }

  std::array<Model, kModels> models_;
  uint64_t used_ = 0;
  unsigned next_ = 0;
  std::unordered_map<Term, Truth> truth_;
};

}  // namespace

std::unique_ptr<Solver> make_model_reuse(StackContext& context, std::unique_ptr<Solver> inner) {
  return std::make_unique<ModelReuse>(context, std::move(inner));
}

}  // namespace whittle::solve
