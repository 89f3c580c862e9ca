#include "solve/core_search.h"
#include "solve/sat.h"

namespace whittle::solve {
namespace {

/// Sets over 0 .. n-1 that must be hit; finds smallest hitting sets.
class HittingSets {
 public:
  /// Only hitting sets of at most `most` elements will be asked for.
  HittingSets(size_t n, size_t most) : counter_(most + 1) {
    for (size_t i = 0; i < n; ++i) elements_.push_back(sat_.variable());
    for (int element : elements_) count(element);
  }
  void add(const std::vector<size_t>& set) {
    std::vector<int> clause;
    for (size_t i : set) clause.push_back(elements_[i]);
    sat_.clause(clause);
  }
  /// A hitting set of at most `size` elements.
  Answer find(size_t size, double seconds, std::vector<size_t>& hit) {
    std::vector<int> assumptions;
    if (size < counter_.size() && counter_[size] != 0) assumptions.push_back(-counter_[size]);
    Answer answer = sat_.solve(assumptions, seconds);
    hit.clear();
    if (answer == Answer::Sat)
      for (size_t i = 0; i < elements_.size(); ++i)
        if (sat_.value(elements_[i])) hit.push_back(i);
    return answer;
  }

 private:
  /// Sequential counter: counter_[j] is true if more than j of the elements so far are.
  void count(int element) {
    sat_.phase(-element);
    std::vector<int> next(counter_.size());
    for (size_t j = 0; j < counter_.size(); ++j) {
      if (j > 0 && counter_[j - 1] == 0) break;  // there are not so many elements yet
      next[j] = sat_.variable();
      if (counter_[j] != 0) sat_.clause({-counter_[j], next[j]});
      if (j == 0)
        sat_.clause({-element, next[j]});
      else
        sat_.clause({-element, -counter_[j - 1], next[j]});
    }
    counter_ = std::move(next);
  }

  Sat sat_;
  std::vector<int> elements_;
  std::vector<int> counter_;
};

class ImplicitHittingSets : CoreSearch {
 public:
  using CoreSearch::CoreSearch;

  MinimalCore run(const MinimalCore& first) {
    best_ = first.conditions;
    checks_ = first.checks;
    if (best_.size() <= 1) return report(best_, first.minimal || best_.empty());
    HittingSets sets(soft_.size(), best_.size());
    for (size_t size = 1; size < best_.size();) {
      if (exhausted()) return report(best_, false);
      std::vector<size_t> hit;
      Answer answer = sets.find(size, seconds_left(), hit);
      if (answer == Answer::Unknown) {
        reason_ = "budget";
        return report(best_, false);
      }
      if (answer == Answer::Unsat) {
        ++size;
        continue;
      }
      std::vector<Term> chosen;
      for (size_t i : hit) chosen.push_back(soft_[i]);
      Result result = check(chosen);
      if (result.unknown()) return report(best_, false);
      if (result.unsat()) return report(chosen, true);
      std::vector<size_t> correction = grow(std::move(chosen));
      sets.add(correction);
    }
    return report(best_, true);
  }

 private:
  double seconds_left() const {
    if (budget_.seconds == std::numeric_limits<double>::infinity()) return -1;
    return std::max(0.0,
                    budget_.seconds - std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count());
  }

  /// Adds conditions to a satisfiable set while it stays so; what is left out must be hit by every core. Stopping early
  /// only makes the set bigger than need be.
  std::vector<size_t> grow(std::vector<Term> chosen) {
    std::vector<bool> in(soft_.size(), false);
    auto absorb = [&] {
      Model values = model();
      for (size_t i = 0; i < soft_.size(); ++i)
        if (!in[i] && holds(soft_[i], values)) in[i] = true;
      chosen.clear();
      for (size_t i = 0; i < soft_.size(); ++i)
        if (in[i]) chosen.push_back(soft_[i]);
    };
    absorb();
    for (size_t i = 0; i < soft_.size() && !exhausted(); ++i) {
      if (in[i]) continue;
      chosen.push_back(soft_[i]);
      Result result = check(chosen);
      if (result.sat()) {
        absorb();
        continue;
      }
      if (result.unsat()) {
        std::vector<Term> core = solver_.core();
        if (core.size() < best_.size()) best_ = std::move(core);
      }
      chosen.pop_back();
    }
    std::vector<size_t> left;
    for (size_t i = 0; i < soft_.size(); ++i)
      if (!in[i]) left.push_back(i);
    return left;
  }

  std::vector<Term> best_;
};

}  // namespace

MinimalCore smallest_core(Solver& solver, const term::Store& store, std::span<const Term> hard,
                          std::span<const Term> soft, const CoreBudget& budget) {
  MinimalCore first = minimal_core(solver, store, hard, soft, budget);
  if (first.answer != Answer::Unsat) return first;
  return ImplicitHittingSets(solver, store, hard, soft, budget).run(first);
}

}  // namespace whittle::solve
