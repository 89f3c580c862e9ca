// The conditions while they move back over a path: which reads they contain, and what those addresses were.
#pragma once

#include <unordered_map>
#include <unordered_set>

#include "wp/precondition.h"

namespace whittle::wp {

/// Memory as one statement changes it, seen from before: how a read after the statement is said in the state before it.
class Write {
 public:
  virtual ~Write() = default;
  Term address;           ///< first byte written
  uint64_t concrete = 0;  ///< what it was
  uint64_t size = 0;      ///< bytes written
  /// The bytes from `offset` on, `bytes` of them, all inside, as a term over the state before.
  virtual Term inside(uint64_t offset, unsigned bytes) = 0;
};

class Conditions {
 public:
  Conditions(term::Store& store, const Goal& goal, uint32_t length);

  /// Moves everything back over one statement: registers get the values in `registers`; reads are resolved against
  /// `write`, if there is one.
  void move(uint32_t step, const std::unordered_map<Term, Term>& registers, Write* write);
  /// A condition that must hold before the step: of the path, or of addresses.
  void add_guard(uint32_t step, Term condition, bool implies);
  void add_alias(uint32_t step, Term condition);
  /// A further predicate, on the state before the step.
  void add_predicate(uint32_t step, Term condition);
  /// A read of memory at a known address in the state before the present step, for terms that it brings in.
  Term read(Term address, unsigned width, u128 concrete);
  /// Eliminates a variable that can have any value. `approximate`: mark whatever mentions it.
  void forall(uint32_t step, Term variable, bool approximate);
  /// Does any condition mention the variable / read memory? Cheap; may say yes too often.
  bool mentions(Term variable);
  bool has_reads() const { return has_reads_; }

  Precondition result;
  term::Store& store;

 private:
  template <typename Visit>
  void each(const Visit& visit) {
    for (auto* list : {&result.predicate, &result.guards, &result.aliases})
      for (Conjunct& c : *list)
        if (!c.term.is_constant()) visit(c);
  }
  Term rewrite(Term root, const std::unordered_map<Term, Term>& registers, Write* write, uint32_t step);
  Term resolve(uint32_t step, Term read, u128 concrete, Write& write);
  Term bytes(Term read, u128 concrete, int64_t distance, Write& write);
  void changed();
  void file_reads();
  Term for_all(Term t, Term variable, bool& approximate);
  Term for_all_comparison(Term t, bool negated, Term variable);

  std::unordered_map<Term, u128>
      concrete_;  ///< address that each Read has in this execution, at this point of the path
  std::vector<std::pair<Term, u128>> pending_;  ///< reads brought in by the present step: filed when it is done, for
                                                ///< one of them may look like an older one that is still to be moved
  std::unordered_map<Term, Term> memo_;
  std::vector<Conjunct> new_aliases_;
  std::unordered_set<Term> variables_;                        ///< of all conditions, when fresh_
  std::unordered_map<Term, std::vector<Term>> variables_of_;  ///< of conditions seen so far
  bool fresh_ = false;
  bool has_reads_ = false;
};

}  // namespace whittle::wp
