// What one run leaves for the next: inputs of tests, and what was proved to hold at nodes.
//
//   Cache cache(folder, program, specification);
//   Kept kept = cache.load();                 // empty if there is nothing, or nothing that can be trusted
//   cache.save(space, graph, forest);
//
// Nothing in a cache can make a verdict wrong: tests are run again, and predicates are asked about again (one question
// per block, see invariants.h): those that still hold are invariants, the others are dropped. Tests are kept for the
// files of the program, whatever they contain; predicates for functions whose code is still the same.
#pragma once

#include <string>
#include <vector>

#include "engines/dash/graph.h"

namespace whittle::engines::dash {

struct KeptPredicate {
  Place place;
  Term predicate;  ///< over variables of the place's context and its callers, and memory
};

struct Kept {
  std::vector<std::vector<u128>> tests;
  std::vector<KeptPredicate> predicates;
  std::string warning;  ///< of a file that is there but cannot be used
};

class Cache {
 public:
  Cache(std::string folder, const program::Program& program, const verdict::Specification& specification);
  /// Makes the contexts that predicates mention.
  Kept load(Space& space) const;
  /// False if it cannot be written.
  bool save(Space& space, Graph& graph, const Forest& forest) const;

 private:
  std::string digest(program::FunctionId function) const;
  const program::Program& program_;
  std::string file_;
};

}  // namespace whittle::engines::dash
