#include "engines/dpr/learn.h"

#include <algorithm>
#include <chrono>
#include <unordered_map>
#include <unordered_set>

#include "solve/core.h"

namespace whittle::engines::dpr {

using term::Term;

namespace {

/// The choices of one run as conditions, and cores of them against what would make the run fail.
class Learner {
 public:
  Learner(Term failure, const std::vector<bool>& choices, Choices& bits, term::Store& terms, solve::Solver& solver,
          double seconds)
      : failure_(failure), terms_(terms), solver_(solver), start_(std::chrono::steady_clock::now()), seconds_(seconds) {
    std::unordered_set<Term> mentioned;
    for (Term variable : term::variables(failure)) mentioned.insert(variable);
    for (size_t level = 0; level < choices.size(); ++level) {
      Term bit = bits.bit(level);
      if (!mentioned.contains(bit)) continue;
      Term choice = choices[level] ? bit : terms.bnot(bit);
      literals_[choice] = {level, choices[level]};
      choices_.push_back(choice);
    }
  }

  const std::vector<Term>& choices() const { return choices_; }
  double left() const {
    return seconds_ - std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

  solve::MinimalCore smallest() {
    return solve::smallest_core(solver_, terms_, std::span(&failure_, 1), choices_, {kChecks, left()});
  }
  solve::MinimalCore without(Term choice) {
    std::vector<Term> others = choices_;
    std::erase(others, choice);
    return solve::minimal_core(solver_, terms_, std::span(&failure_, 1), others, {kChecks, left()});
  }

  Reason reason(const solve::MinimalCore& core) const {
    Reason reason;
    for (Term choice : core.conditions) reason.choices.push_back(literals_.at(choice));
    std::sort(reason.choices.begin(), reason.choices.end(), [](Literal a, Literal b) { return a.level < b.level; });
    reason.minimal = core.minimal;
    return reason;
  }

 private:
  static constexpr uint64_t kChecks = 500;

  Term failure_;
  term::Store& terms_;
  solve::Solver& solver_;
  std::chrono::steady_clock::time_point start_;
  double seconds_;
  std::vector<Term> choices_;
  std::unordered_map<Term, Literal> literals_;
};

}  // namespace

std::vector<Reason> learn(const std::vector<Kept>& kept, const std::vector<bool>& choices, Choices& bits,
                          term::Store& terms, solve::Solver& solver, const LearnOptions& options) {
  std::vector<Reason> reasons;
  Term failure = terms.falsity();
  for (const Kept& k : kept) failure = terms.bor(failure, terms.bnot(k.condition));
  if (failure.is_false()) return {Reason{}};
  Learner learner(failure, choices, bits, terms, solver, options.seconds);
  auto add = [&](Reason reason) {
    for (const Kept& k : kept) reason.conditions.push_back(&k);
    reasons.push_back(std::move(reason));
  };
  solve::MinimalCore first = learner.smallest();
  if (first.answer != solve::Answer::Unsat) {
    // Not even all choices explain it (the time is up): the run speaks for itself only.
    Reason everything;
    for (size_t level = 0; level < choices.size(); ++level) everything.choices.push_back({level, choices[level]});
    everything.minimal = false;
    add(std::move(everything));
    return reasons;
  }
  add(learner.reason(first));
  // Reasons that do without some choice of the first one speak for other oracles.
  for (size_t i = 0; i < first.conditions.size() && reasons.size() < options.reasons && learner.left() > 0; ++i) {
    solve::MinimalCore other = learner.without(first.conditions[i]);
    if (other.answer != solve::Answer::Unsat) continue;
    Reason reason = learner.reason(other);
    bool known =
        std::any_of(reasons.begin(), reasons.end(), [&](const Reason& r) { return r.choices == reason.choices; });
    if (!known) add(std::move(reason));
  }
  return reasons;
}

}  // namespace whittle::engines::dpr
