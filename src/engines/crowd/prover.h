// Finds out what holds of every thread wherever it stands, however many threads there are.
//
// For each node a set of facts is kept, conditions over shared variables and those of one thread; for each two nodes
// whether two different threads can stand there at once, and facts about their own variables then. All begin as false
// (no thread is anywhere). The start of the program, each step of a thread, what the step does to another thread that
// stands anywhere, and each birth take facts away that need not hold, until nothing changes: what is left holds always.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/context.h"
#include "engines/crowd/automaton.h"
#include "solve/solver.h"

namespace whittle::engines::crowd {

class Counting;

class Prover {
 public:
  /// `known`: one that is done, whose facts are taken for granted; `counting`: more candidates, and what is known of
  /// its quantities; `hints`: candidates everywhere.
  Prover(const Automaton& automaton, term::Store& terms, solve::Solver& solver, Limits& limits,
         const Prover* known = nullptr, const Counting* counting = nullptr, const std::vector<Term>& hints = {});

  /// False: told to stop, or there is a `problem`.
  bool run();
  void tidy();
  /// The first danger that the facts do not exclude.
  const Danger* unproved();
  /// The first two accesses that two threads may stand before at once, one of them a write, not both atomic.
  std::optional<std::pair<const SharedAccess*, const SharedAccess*>> race();

  std::vector<Term> facts(uint32_t node) const;
  bool reached(uint32_t node) const { return nodes_[node].alive; }
  const std::map<unsigned, TermSet>& constants() const { return constants_; }

  std::string problem;
  uint64_t queries = 0, candidates = 0, rounds = 0;

 private:
  struct NodeFacts {
    bool alive = false;
    uint64_t version = 0;
    std::vector<Term> kept;
  };
  struct Pair {
    bool alive = false;
    uint64_t version = 0;
    std::vector<Term> kept;  ///< over variables of both: of the thread at the lower node, and renamed of the other
  };

  void make_candidates();
  void add_comparisons(uint32_t node);
  void add_guards();
  void add_strides();
  void add_preconditions();
  void add_results();
  bool closed(Term t) const;  ///< no open variables
  Pair& pair(uint32_t a, uint32_t b) { return pairs_[a < b ? std::pair(a, b) : std::pair(b, a)]; }
  std::vector<Term> pair_candidates(uint32_t low, uint32_t high);
  /// A fact about two threads, said of one that is called by `first` and one called by `second`.
  Term said_of(Term fact, const std::function<Term(Term)>& first, const std::function<Term(Term)>& second);
  bool possible(uint32_t a, uint32_t b) const;
  std::vector<Term> pair_facts(uint32_t low, uint32_t high) const;

  bool start();
  bool follow(const Transition& step);
  bool follow_beside(const Transition& step, uint32_t other);
  bool born(const Transition& step);
  bool may_race(uint32_t a, uint32_t b, const SharedAccess& one, const SharedAccess& two);
  void add_both(uint32_t a, uint32_t b, const std::function<void(Term)>& add);
  bool meet(uint32_t a, uint32_t b, const std::function<Term(Term)>& first, const std::function<Term(Term)>& second);
  bool weaken(NodeFacts& facts, uint32_t node, const std::function<Term(Term)>& now);
  bool keep(std::vector<Term>& kept, uint64_t& version, const std::function<Term(Term)>& now);
  solve::Result check(Term condition);
  void stand(const std::vector<uint32_t>& threads);  ///< is known of them

  Term other(Term t);  ///< of another thread: its variables get other names
  Term after(const Transition& step, Term t);
  Term newborn(const Transition& step, Term t);
  Term after_shared(const Transition& step, Term t);

  const Automaton& automaton_;
  term::Store& terms_;
  solve::Solver& solver_;
  Limits& limits_;
  const Prover* known_;
  const Counting* counting_;
  std::vector<NodeFacts> nodes_;
  std::vector<std::vector<Term>> all_;  ///< facts by node, before tidy()
  std::vector<std::vector<Term>> candidates_;
  std::map<unsigned, TermSet> constants_;  ///< of the program, by width
  std::map<std::pair<uint32_t, uint32_t>, Pair> pairs_;
  std::unordered_map<Term, Term> others_, owners_;  ///< to another thread's name of a variable, and back
  std::map<std::pair<const Transition*, uint32_t>, uint64_t> seen_;  ///< version under which an obligation was last met
  uint64_t clock_ = 1;
};

}  // namespace whittle::engines::crowd
