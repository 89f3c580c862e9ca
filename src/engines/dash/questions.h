// The solver as dash asks it: every question has a budget and is counted.
//
//   Questions questions(context, terms, counts);
//   if (questions.ask(conditions).sat()) use(questions.value(t));
//   Invariants(space, graph, forest, questions.until(Questions::now() + 2)).run();
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "base/context.h"
#include "program/program.h"
#include "solve/answers.h"
#include "solve/solver.h"

namespace whittle::engines::dash {

using term::Term;

struct Counts {
  uint64_t iterations = 0, solver_calls = 0, tests = 0, splits = 0, removed = 0, expanded = 0, invariants = 0,
           clauses = 0;
  double solver_seconds = 0;
  uint64_t shared = 0;  ///< calls that have invariants from other calls of the same function
  std::map<program::FunctionId, uint64_t> iterations_of;  ///< by the function at whose states the question was asked
};

/// What those need who look for invariants and contracts.
struct Asking {
  std::function<solve::Result(const std::vector<Term>&)> ask;
  std::function<u128(Term)> value;          ///< after Sat
  std::function<std::vector<Term>()> core;  ///< after Unsat
  std::function<bool()> out_of_budget;      ///< stop asking
  /// A candidate that all tests agree with is not preserved by the blocks. (For all n: with Space::element() in it.)
  std::function<void(uint32_t node, Term candidate)> dropped;
};

class Questions {
 public:
  /// Counts in `counts`. `kept`: what was asked by an earlier process is not asked again; null: nothing was.
  Questions(whittle::Context& context, term::Store& terms, Counts& counts, solve::Answers* kept);

  solve::Result ask(const std::vector<Term>& conditions);
  u128 value(Term t) { return solver_->value(t); }      ///< after Sat
  std::vector<Term> core() { return solver_->core(); }  ///< after Unsat
  /// Questions until that second.
  Asking until(double second);
  Counts& counts() { return counts_; }
  const Counts& counts() const { return counts_; }

  /// Seconds of this process: what an answer costs does not depend on what else the computer does.
  static double now();
  double begun() const { return begun_; }

 private:
  whittle::Context& context_;
  Counts& counts_;
  std::unique_ptr<solve::Solver> solver_;
  double begun_;
};

}  // namespace whittle::engines::dash
