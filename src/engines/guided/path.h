// The path from the start of a run to where it is: inputs, conditions on them, and a model.
//
// Inputs are numbered in the order in which they are asked for; the n-th one is the same variable on all paths, so that
// conditions of different paths are equal terms where they are equal.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "solve/solver.h"
#include "term/term.h"

namespace whittle::engines::guided {

using term::Term;

/// Values of input variables. What is not in it is kUsual: an ordinary small number, because what is learned on
/// ordinary paths speaks for more others than what is learned for zero.
using Model = std::unordered_map<Term, u128>;

constexpr u128 kUsual = 7;

class Path {
 public:
  Path(term::Store& terms, solve::Solver& solver) : terms_(terms), solver_(solver) {}

  // Inputs, in order
  Term next_input(unsigned width, const std::string& origin);
  size_t input_count() const { return inputs_.size(); }
  const std::vector<Term>& inputs() const { return inputs_; }

  // Conditions, in order
  void add(Term condition) { conditions_.push_back(condition); }
  size_t length() const { return conditions_.size(); }
  const std::vector<Term>& conditions() const { return conditions_; }

  void shorten(size_t length, size_t inputs) {
    conditions_.resize(length);
    inputs_.resize(inputs);
  }

  u128 value(Term variable) const {
    auto found = model.find(variable);
    return found == model.end() ? kUsual & mask128(variable.width()) : found->second;
  }
  /// Of a term over inputs, in the model.
  u128 evaluate(Term t) const;

  enum class Answer : uint8_t { Yes, No, Unknown };
  /// Is there an input that satisfies the path, and `more`? Yes: the model is one.
  Answer find(const std::vector<Term>& more);
  /// Do all inputs that satisfy the path satisfy the condition? The model is not changed.
  Answer implies(Term condition);

  Model model;
  std::string reason;  ///< why the solver said Unknown last
  uint64_t queries = 0;
  double seconds = 0;

 private:
  solve::Result ask(const std::vector<Term>& more);

  term::Store& terms_;
  solve::Solver& solver_;
  std::vector<std::vector<Term>> pool_;  ///< by number of the input: variables, one per width
  std::vector<Term> inputs_, conditions_;
};

}  // namespace whittle::engines::guided
