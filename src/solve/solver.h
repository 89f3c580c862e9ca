// What whittle asks of an SMT solver.
//
//   std::unique_ptr<Solver> solver = make_solver(store);             // the full stack: stack.h
//   solver->add(store.ult(x, y));
//   Result result = solver->check(std::array{store.eq(y, store.constant(32, 0))});
//   if (result.unsat()) for (Term t : solver->core()) ...            // which assumptions it needs
//   if (result.sat()) u128 v = solver->value(x);
//   if (result.unknown()) log(result.reason);
//
// Conditions are terms of width 1. Variables and Read terms are the unknowns: one value per distinct Read term,
// whatever its address; who needs equal addresses to read equal values says so in a condition. Nothing here throws: a
// limit, a missing capability or a failure of the solver behind is the answer Unknown, with a reason.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "term/term.h"

namespace whittle::solve {

using term::Term;

enum class Answer : uint8_t { Sat, Unsat, Unknown };
std::string_view to_string(Answer answer);

struct Result {
  Answer answer = Answer::Unknown;
  std::string reason;  ///< of Unknown: "time limit", "memory limit", "interrupted", "fmod is not supported by z3", ...
  bool sat() const { return answer == Answer::Sat; }
  bool unsat() const { return answer == Answer::Unsat; }
  bool unknown() const { return answer == Answer::Unknown; }
};

/// Limits of each single check. A check that reaches one is Unknown.
struct Budget {
  double seconds = std::numeric_limits<double>::infinity();
  uint64_t megabytes = 0;  ///< of memory the solver library may use in all; 0: unlimited
  uint64_t steps = 0;      ///< of the solver's own counting, so repeatable; 0: unlimited
};

/// What a solver can do, asked beforehand.
struct Capabilities {
  std::string name;
  bool floats = true;         ///< floating-point operators, but see supports()
  bool interruptible = true;  ///< interrupt() ends a check that is running
  bool memory_limit = true;   ///< Budget::megabytes is obeyed
  bool step_limit = true;     ///< Budget::steps is obeyed
  /// Can conditions with this operator be decided at all? (FRem: SMT-LIB's fp.rem is not C's fmod.)
  bool supports(term::Op op) const { return op != term::Op::FRem && (floats || op < term::Op::FAdd); }
};

class Solver {
 public:
  virtual ~Solver() = default;

  virtual void add(Term condition) = 0;  ///< assert it, until the matching pop
  virtual void push() = 0;
  virtual void pop() = 0;
  /// Is everything added so far satisfiable together with the assumptions?
  virtual Result check(std::span<const Term> assumptions) = 0;
  Result check() { return check({}); }
  /// After Sat, until the next add, pop or check: the value of any term in a model; what it leaves open is 0.
  virtual u128 value(Term t) = 0;
  /// After Unsat, until the next check: assumptions that suffice, together with what was added. Not always minimal.
  virtual std::vector<Term> core() = 0;
  /// From any thread, but not from a signal handler, at any time: the running check and all later ones are Unknown. It
  /// does not wait. A check that has just begun may miss it, so it is to be repeated while the check goes on.
  virtual void interrupt() = 0;
  virtual void set_budget(const Budget& budget) = 0;
  virtual const Capabilities& capabilities() const = 0;
};

/// The bare back ends. `store` must outlive the solver.
std::unique_ptr<Solver> make_z3(const term::Store& store);
std::unique_ptr<Solver> make_cvc5(const term::Store& store);

}  // namespace whittle::solve
