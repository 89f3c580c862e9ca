// Finds out what holds of every thread wherever it stands, however many threads there are.
//
// For each node a set of facts is kept, conditions over shared variables and those of one thread; for each two nodes
// whether two different threads can stand there at once, and which of their variables then differ. All begin as false
// (nobody is anywhere). The start of the program, each step of a thread, what the step does to another thread that
// stands anywhere, and each birth take facts away that need not hold, until nothing changes: what is left holds always.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/context.h"
#include "engines/crowd/automaton.h"
#include "solve/solver.h"

namespace whittle::engines::crowd {

class Prover {
 public:
  Prover(const Automaton& automaton, term::Store& terms, solve::Solver& solver, Limits& limits);

  /// False: told to stop, or the solver does not know (then `problem` says so).
  bool run();
  /// The first danger that the facts do not exclude.
  const Danger* unproved();

  const std::vector<Term>& facts(uint32_t node) const { return nodes_[node].kept; }
  bool reached(uint32_t node) const { return nodes_[node].alive; }

  std::string problem;
  uint64_t queries = 0, candidates = 0, rounds = 0;

 private:
  struct Facts {
    bool alive = false;
    uint64_t version = 0;
    std::vector<Term> kept;
  };
  struct Pair {
    bool alive = false;
    uint64_t version = 0;
    std::vector<Term> differ;  ///< variables that have different values in the two threads
  };

  void make_candidates();
  void add_comparisons(uint32_t node);
  void add_preconditions();
  bool closed(Term t) const;  ///< no open variables
  Pair& pair(uint32_t a, uint32_t b) { return pairs_[a < b ? std::pair(a, b) : std::pair(b, a)]; }
  bool possible(uint32_t a, uint32_t b) const;

  bool start();
  bool follow(const Step& step);
  bool follow_beside(const Step& step, uint32_t other);
  bool born(const Step& step);
  bool meet(uint32_t a, uint32_t b, const std::function<Term(Term)>& first, const std::function<Term(Term)>& second);
  bool weaken(Facts& facts, uint32_t node, const std::function<Term(Term)>& now);
  solve::Result check(Term condition);

  Term other(Term t);  ///< of another thread: its variables get other names
  Term after(const Step& step, Term t);
  Term after_shared(const Step& step, Term t);

  const Automaton& automaton_;
  term::Store& terms_;
  solve::Solver& solver_;
  Limits& limits_;
  std::vector<Facts> nodes_;
  std::vector<std::vector<Term>> candidates_;
  std::map<unsigned, TermSet> constants_;  ///< of the program, by width
  std::map<std::pair<uint32_t, uint32_t>, Pair> pairs_;
  std::unordered_map<Term, Term> others_;
  std::map<std::pair<const Step*, uint32_t>, uint64_t> seen_;  ///< version under which an obligation was last met
  uint64_t clock_ = 1;
};

}  // namespace whittle::engines::crowd
