#include "engines/dpr/learn.h"

#include <algorithm>
#include <chrono>
#include <unordered_map>
#include <unordered_set>

namespace whittle::engines::dpr {

using term::Term;

namespace {

class Learner {
 public:
  Learner(Term failure, const std::vector<bool>& choices, Choices& bits, term::Store& terms, solve::Solver& solver,
          double seconds)
      : solver_(solver), start_(std::chrono::steady_clock::now()), seconds_(seconds) {
    std::unordered_set<Term> mentioned;
    for (Term variable : term::variables(failure)) mentioned.insert(variable);
    for (size_t level = 0; level < choices.size(); ++level) {
      Term bit = bits.bit(level);
      if (!mentioned.contains(bit)) continue;
      Term assumption = choices[level] ? bit : terms.bnot(bit);
      literals_[assumption] = {level, choices[level]};
      assumptions_.push_back(assumption);
    }
    solver_.push();
    solver_.add(failure);
  }
  ~Learner() { solver_.pop(); }

  const std::vector<Term>& assumptions() const { return assumptions_; }
  bool late() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count() > seconds_;
  }

  /// A subset of the assumptions under which the failure is impossible; false if they do not suffice.
  bool suffices(std::vector<Term>& from) {
    if (!solver_.check(from).unsat()) return false;
    from = solver_.core();
    return true;
  }

  /// Leaves out what can be left out. False: stopped early.
  bool minimise(std::vector<Term>& core) {
    for (size_t i = 0; i < core.size();) {
      if (late()) return false;
      std::vector<Term> fewer = core;
      fewer.erase(fewer.begin() + static_cast<ptrdiff_t>(i));
      if (suffices(fewer)) {
        // Keep the order, so that what was found necessary stays in front.
        std::unordered_set<Term> left(fewer.begin(), fewer.end());
        std::erase_if(core, [&](Term t) { return !left.contains(t); });
      } else {
        ++i;
      }
    }
    return true;
  }

  Reason reason(const std::vector<Term>& core, bool minimal) const {
    Reason reason;
    for (Term t : core) reason.choices.push_back(literals_.at(t));
    std::sort(reason.choices.begin(), reason.choices.end(), [](Literal a, Literal b) { return a.level < b.level; });
    reason.minimal = minimal;
    return reason;
  }

 private:
  solve::Solver& solver_;
  std::chrono::steady_clock::time_point start_;
  double seconds_;
  std::vector<Term> assumptions_;
  std::unordered_map<Term, Literal> literals_;
};

}  // namespace

std::vector<Reason> learn(const std::vector<Kept>& kept, const std::vector<bool>& choices, Choices& bits,
                          term::Store& terms, solve::Solver& solver, const LearnOptions& options) {
  std::vector<Reason> reasons;
  auto everything = [&] {
    Reason reason;
    for (size_t level = 0; level < choices.size(); ++level) reason.choices.push_back({level, choices[level]});
    reason.minimal = false;
    for (const Kept& k : kept) reason.conditions.push_back(&k);
    return reason;
  };
  Term failure = terms.falsity();
  for (const Kept& k : kept) failure = terms.bor(failure, terms.bnot(k.condition));
  if (failure.is_false()) return {Reason{}};
  Learner learner(failure, choices, bits, terms, solver, options.seconds);
  auto conditions = [&](Reason& reason) {
    for (const Kept& k : kept) reason.conditions.push_back(&k);
  };
  std::vector<Term> first = learner.assumptions();
  if (!learner.suffices(first)) return {everything()};
  bool minimal = learner.minimise(first);
  reasons.push_back(learner.reason(first, minimal));
  conditions(reasons.back());
  // Reasons that do without some choice of the first one speak for other oracles.
  for (size_t i = 0; i < first.size() && reasons.size() < options.reasons && !learner.late(); ++i) {
    std::vector<Term> other = learner.assumptions();
    std::erase(other, first[i]);
    if (!learner.suffices(other)) continue;
    bool other_minimal = learner.minimise(other);
    Reason reason = learner.reason(other, other_minimal);
    bool known =
        std::any_of(reasons.begin(), reasons.end(), [&](const Reason& r) { return r.choices == reason.choices; });
    if (known) continue;
    conditions(reason);
    if (reason.choices.size() < reasons[0].choices.size()) std::swap(reason, reasons[0]);
    reasons.push_back(std::move(reason));
  }
  return reasons;
}

}  // namespace whittle::engines::dpr
