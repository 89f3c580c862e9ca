// What both back ends share: the assertion stack, limits, refusal of what is not supported, and checking of models.
#pragma once

#include <atomic>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "solve/solver.h"

namespace whittle::solve {

/// A solver library failed. Thrown by back ends, caught in Backend::check, where it becomes the answer Unknown.
struct Failure {
  std::string reason;
};

/// A whole number as libraries write it, in two's complement.
u128 from_decimal(std::string_view digits);

class Backend : public Solver {
 public:
  Backend(const term::Store& store, Capabilities capabilities);

  void add(Term condition) final;
  void push() final;
  void pop() final;
  Result check(std::span<const Term> assumptions) final;
  u128 value(Term t) final;
  std::vector<Term> core() final { return core_; }
  void interrupt() final;
  void set_budget(const Budget& budget) final { budget_ = budget; }
  const Capabilities& capabilities() const final { return capabilities_; }

 protected:
  struct Outcome {
    Answer answer = Answer::Unknown;
    std::string reason;
    std::vector<size_t> core;  ///< of Unsat: indices of assumptions
  };
  /// Everything is told anew at each check: `levels` is the whole assertion stack, of which the first `unchanged`
  /// conditions were there at the last check, in the same levels. May throw: Failure, or what the library throws.
  virtual Outcome solve(std::span<const Term> assumptions) = 0;
  /// After Sat: the value of a variable or Read.
  virtual u128 leaf_value(Term leaf) = 0;
  /// After solve() or leaf_value() has thrown: the library's state is not to be trusted any more.
  virtual void drop() = 0;
  /// Called by another thread while solve() runs.
  virtual void stop() {}

  const term::Store& store_;
  Budget budget_;
  std::vector<std::vector<Term>> levels_{1};  ///< conditions by level; the first level is never popped
  size_t kept_levels_ = 0;                    ///< levels that have not been popped since the last solve()
  std::atomic<bool> interrupted_{false};

 private:
  const term::Op* unsupported(Term t);
  std::string refusal(std::span<const Term> assumptions);
  Result decide(std::span<const Term> assumptions);
  bool model_holds(std::span<const Term> assumptions);

  Capabilities capabilities_;
  std::vector<Term> core_;
  std::unordered_map<Term, u128> model_;
  std::unordered_set<Term> seen_;  ///< terms without unsupported operators
  bool has_model_ = false;
  std::atomic<bool> running_{false};
};

}  // namespace whittle::solve
