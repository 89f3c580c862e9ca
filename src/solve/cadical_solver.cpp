// CaDiCaL behind the Solver interface: bit-vector conditions as gates. Conditions of the first level are clauses for
// good; those of later levels, and assumptions, are assumed literal by literal, so that everything learned is kept.
#include <algorithm>
#include <optional>
#include <unordered_set>
#include <vector>

#include "solve/backend.h"
#include "solve/bit_blaster.h"
#include "solve/bits.h"

namespace whittle::solve {
namespace {

class CadicalSolver final : public Backend {
 public:
  explicit CadicalSolver(const term::Store& store)
      : Backend(store, {.name = "cadical", .floats = false, .memory_limit = false}) {}

 private:
  static constexpr size_t kFirstLook = 20'000;

  /// One SAT solver with what was told to it.
  struct Session {
    Sat sat;
    BitBlaster blaster{sat};
    size_t told = 0;                ///< conditions of the first level
    size_t next_look = kFirstLook;  ///< bits
  };

  /// A model has a value for everything that was ever told, so each answer costs more the more is told. When questions are
  /// about a small part of it, a new session is cheaper than what the old one has learned.
  void forget(std::span<const Term> assumptions) {
    if (!session_ || session_->blaster.bits() < session_->next_look) return;
    constexpr size_t kFactor = 8;
    if (session_->blaster.bits() > kFactor * bits_of(assumptions))
      session_.reset();
    else
      session_->next_look = 2 * session_->blaster.bits();
  }

  size_t bits_of(std::span<const Term> assumptions) const {
    std::vector<Term> todo(assumptions.begin(), assumptions.end());
    for (const auto& level : levels_) todo.insert(todo.end(), level.begin(), level.end());
    std::unordered_set<Term> seen;
    size_t bits = 0;
    while (!todo.empty()) {
      const Term t = todo.back();
      todo.pop_back();
      if (!seen.insert(t).second) continue;
      bits += t.width();
      for (unsigned i = 0; i < t.arity() && t.op() != term::Op::Read; ++i) todo.push_back(t.kid(i));
    }
    return bits;
  }

  Outcome solve(std::span<const Term> assumptions) override {
    forget(assumptions);
    if (!session_) session_.emplace();
    whole_ = false;
    for (; session_->told < levels_[0].size(); ++session_->told)
      session_->sat.clause({session_->blaster.literal(levels_[0][session_->told])});
    std::vector<int> assumed;
    for (size_t level = 1; level < levels_.size(); ++level)
      for (Term t : levels_[level]) assumed.push_back(session_->blaster.literal(t));
    const size_t first = assumed.size();
    for (Term t : assumptions) assumed.push_back(session_->blaster.literal(t));
    busy_.store(&session_->sat);
    const double seconds = budget_.seconds > 1e9 ? -1 : budget_.seconds;
    const int conflicts =
        budget_.steps == 0 ? -1 : static_cast<int>(std::min<uint64_t>(budget_.steps, std::numeric_limits<int>::max()));
    Outcome outcome;
    outcome.answer = session_->sat.solve(assumed, seconds, conflicts);
    busy_.store(nullptr);
    whole_ = true;
    if (outcome.answer == Answer::Unknown) outcome.reason = "limit of the query reached";
    if (outcome.answer == Answer::Unsat)
      for (size_t i = 0; i < assumptions.size(); ++i)
        if (session_->sat.failed(assumed[first + i])) outcome.core.push_back(i);
    return outcome;
  }

  u128 leaf_value(Term leaf) override { return session_->blaster.value(leaf); }

  /// An answer that a limit prevented leaves the solver as it should be.
  void drop() override {
    if (!whole_) session_.reset();
  }

  void stop() override {
    if (Sat* sat = busy_.load()) sat->interrupt();
  }

  std::optional<Session> session_;
  std::atomic<Sat*> busy_{nullptr};
  bool whole_ = true;  ///< the last call of the library came back
};

}  // namespace

std::unique_ptr<Solver> make_cadical(const term::Store& store) { return std::make_unique<CadicalSolver>(store); }

}  // namespace whittle::solve
