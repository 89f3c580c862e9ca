// The loops of the region graph: their counters, the accesses that move with them, and how they end.
//
// A counter is a variable that rounds change by the same constant. In round n it is start + step * n, so an address
// made of it is base + scale * n.
//
//   Loops loops(space, graph, forest);
//   if (loops.find(limits))
//     for (const Loop& loop : loops.all()) ...          // loop.counters, loop.accesses
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "engines/dash/effect.h"
#include "engines/dash/graph.h"

namespace whittle::engines::dash {

struct ElementLimits;

struct Counter {
  i128 step = 0;
  Term start;
  bool each_round = true;           ///< every round changes it
  std::map<uint32_t, i128> offset;  ///< at a node, in addition to its value at the head; if each_round
};

struct Access {
  Term base;
  u128 scale = 0;
  unsigned width = 0;
  Term counter;  ///< of an address that not every round moves; otherwise none
  bool operator==(const Access&) const = default;
};

struct Loop {
  size_t number = 0;
  uint32_t head = 0;
  std::vector<char> body;        ///< by node
  std::vector<uint32_t> blocks;  ///< from body to body
  std::vector<uint32_t> exits;   ///< from the body out of it
  std::unordered_set<Term> assigned;
  std::map<Term, Counter, bool (*)(Term, Term)> counters{[](Term a, Term b) { return a.id() < b.id(); }};
  std::vector<Access> accesses;
  std::vector<char> reachable;  ///< from the head, by node
};

/// What a block of the graph does, registers with one value replaced by it.
struct BlockTerms {
  uint32_t from = 0, to = program::kNone;
  std::unique_ptr<Effect> effect;
  std::vector<Term> guards;
  std::vector<std::pair<Term, Term>> values, writes;
  template <typename Visit>
  void for_each_term(const Visit& visit) const {
    for (Term g : guards) visit(g);
    for (const auto& [variable, value] : values) visit(value);
    for (const auto& [address, value] : writes) visit(value);
  }
};

class Loops {
 public:
  Loops(Space& space, Graph& graph, const Forest& forest)
      : space_(space), graph_(graph), forest_(forest), store_(space.terms()), n_(space.element()) {}

  /// False if the graph is larger than the limits.
  bool find(const ElementLimits& limits);
  const std::vector<Loop>& all() const { return loops_; }
  const std::vector<BlockTerms>& blocks() const { return blocks_; }
  /// Registers that have one value only: where an object lies, what a parameter was given.
  const std::unordered_map<Term, Term>& resolved() const { return resolved_; }

  std::optional<Access> strided(const Loop& loop, uint32_t node, Term address, unsigned width);
  Term element(const Access& access);
  Term in_round(const Counter& counter, uint32_t node, unsigned width);
  Term rounds(const Counter& counter, Term end);
  std::vector<Term> ends(const Loop& loop, Term v);
  bool mentioned_in_address(const Loop& loop, Term v);
  /// May a fact at the node speak of it, and is one needed there?
  bool visible(uint32_t node, Term t);
  Term number(i128 value, unsigned width) { return store_.constant(width, static_cast<u128>(value)); }

 private:
  bool read_graph(const ElementLimits& limits);
  void find_useful();
  Term resolve(Term t);
  Term resolved(Term v);
  void find_loops();
  std::optional<i128> change(const BlockTerms& block, Term variable);
  void find_counters(Loop& loop);
  void follow_rounds(const Loop& loop, Term v, Counter& counter);
  Term start_of(const Loop& loop, Term v);
  Term start_in_tests(const Loop& loop, Term v);
  void find_accesses(Loop& loop);

  Space& space_;
  Graph& graph_;
  const Forest& forest_;
  term::Store& store_;
  const Term n_;
  std::vector<char> useful_;  ///< by node
  std::vector<BlockTerms> blocks_;
  std::vector<Loop> loops_;
  std::unordered_map<Term, Term> resolved_;
};

bool is_comparison(Term t);

}  // namespace whittle::engines::dash
