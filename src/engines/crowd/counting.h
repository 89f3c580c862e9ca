// How many threads have come how far: shared variables of our own, and candidates for facts with them.
//
//   Counting counting(automaton, terms, first_prover, solver);        // from here on steps count
//   Prover prover(automaton, terms, solver, limits, &first_prover, counting.candidates());
//
// A quantity gives each place of one kind of thread a weight, and is the sum of weights over all threads of that kind,
// those that are over included. For each node: the threads that have come there or further (weight 0 or 1). For each
// variable to which steps add constants: what has been added so far. A step changes a quantity by a constant, and where
// one weight is nowhere less than another, neither is the sum; the more so if somebody is known to stand where it is
// greater. That fewer than kMostThreads threads are ever started is assumed.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "engines/crowd/automaton.h"
#include "solve/solver.h"

namespace whittle::engines::crowd {

class Prover;

struct ByIds {
  bool operator()(const std::pair<Term, Term>& a, const std::pair<Term, Term>& b) const {
    return std::pair(a.first.id(), a.second.id()) < std::pair(b.first.id(), b.second.id());
  }
};

class Counting {
 public:
  static constexpr uint64_t kMostThreads = 0x7fff'ffff;

  /// What `before` found out without counting tells what a step adds to a variable.
  Counting(Automaton& automaton, term::Store& terms, const Prover& before, solve::Solver& solver);

  std::vector<std::vector<Term>> candidates() const;  ///< for each node
  /// What is known of quantities if there are threads at these nodes; `together`: can threads stand at two nodes at
  /// once?
  using Together = std::function<bool(uint32_t, uint32_t)>;
  std::vector<Term> known(const std::vector<uint32_t>& threads, const Together& together) const;

 private:
  struct Quantity {
    uint32_t kind = 0;
    std::vector<int64_t> at;     ///< by node, none negative, 0 in other kinds
    std::vector<int64_t> ended;  ///< by step that ends a thread
    Term variable;
    bool operator==(const Quantity& o) const { return kind == o.kind && at == o.at && ended == o.ended; }
  };

  Term number(int64_t value) const;
  Term wide(Term t) const;  ///< with the width of quantities, signed
  Term add(Quantity quantity);
  Quantity nothing(uint32_t kind) const;
  void add_progress(uint32_t node);
  void add_balance(const Variable& variable);
  std::optional<int64_t> added(const Transition& step, Term variable) const;
  bool no_others(const Quantity& q, const std::vector<uint32_t>& threads, const Together& together) const;
  bool unique(const Quantity& q) const { return automaton_.kinds()[q.kind].unique; }
  /// The least that `more` exceeds `less` by, given who stands where; none: it need not be more.
  std::optional<int64_t> excess(const Quantity& more, const Quantity& less, const std::vector<uint32_t>& threads) const;

  Automaton& automaton_;
  term::Store& terms_;
  const Prover& before_;
  solve::Solver& solver_;
  std::vector<Quantity> quantities_;
  std::vector<Term> progress_;  ///< quantities of that sort
  std::set<std::pair<Term, Term>, ByIds> first_changes_;  ///< shared variables, and who has come to a step that changes them
  std::vector<Term> totals_;
  std::vector<Term> balances_;  ///< facts
};

}  // namespace whittle::engines::crowd
