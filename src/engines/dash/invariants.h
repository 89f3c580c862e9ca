// Guessing what holds at nodes, when splits alone do not come to an end: relations between values that all tests have,
// as far as blocks preserve them all together (after Flanagan and Leino's Houdini).
//
//   Invariants invariants(space, graph, forest, ask);
//   if (invariants.run()) ...            // graph.node(n).invariants has more than before
//
// Every question to the solver goes through `ask` and counts there.
#pragma once

#include <map>
#include <unordered_set>
#include <vector>

#include "engines/dash/elements.h"
#include "engines/dash/graph.h"
#include "engines/dash/questions.h"

namespace whittle::engines::dash {

class Invariants {
 public:
  Invariants(Space& space, Graph& graph, const Forest& forest, const Asking& asking);
  /// True if something new holds. `given`, `elements`: candidates of others, besides the guesses.
  bool run(const std::vector<std::pair<Place, Term>>& given = {},
           const std::vector<std::pair<Place, ElementFact>>& elements = {});
  /// Leaves of the invariants those that are enough to keep errors out, on their own; false if none are: nothing
  /// changes.
  bool slice();
  /// The same with candidates given, where tests do not speak against them. `from_start`: with what is known of static
  /// memory when the program starts.
  bool keep(const std::vector<std::pair<Place, Term>>& candidates, bool from_start = true);

 private:
  struct Row {
    std::vector<u128> values;  ///< of the variables at the node, in one state
  };
  void take(const std::vector<std::pair<Place, Term>>& given);
  void take(const std::vector<std::pair<Place, ElementFact>>& given);
  void find_terms();
  void look_back();
  void note_terms(Term t);
  std::vector<Term> terms_at(uint32_t node);
  void guess(uint32_t node);
  void guess_single(Term x, const std::vector<u128>& values, std::vector<Term>& out);
  void guess_pair(Term x, Term y, const std::vector<u128>& a, const std::vector<u128>& b, std::vector<Term>& out);
  void guess_triples(const std::vector<Term>& terms, const std::vector<std::vector<u128>>& columns,
                     std::vector<Term>& out);
  void guess_ranges(const std::vector<Term>& terms, const std::vector<std::vector<u128>>& columns, std::vector<Term>& out);
  bool adopt();
  bool publish();
  static bool reads_elements(Term t);
  std::unordered_set<Term> fed_by_elements();
  bool filter();
  bool filter_block(uint32_t block, bool& changed);
  struct Needed {
    std::vector<char> invariants, elements;  ///< of a node
  };
  bool need(uint32_t block, std::vector<Needed>& needed, bool& changed);
  void drop(uint32_t node, const std::vector<char>& dropped);

  Space& space_;
  Graph& graph_;
  const Forest& forest_;
  const Asking& asking_;
  term::Store& store_;
  std::vector<Term> leaves_;                         ///< variables and reads that conditions mention
  std::map<unsigned, std::vector<u128>> constants_;  ///< that values are compared with, by width
  std::vector<std::vector<Term>> candidates_;        ///< by node
  std::vector<std::vector<ElementFact>> elements_;   ///< the same about all elements
  std::map<program::FunctionId, std::vector<std::vector<char>>> live_;
};

}  // namespace whittle::engines::dash
