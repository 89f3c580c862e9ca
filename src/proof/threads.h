// Proofs for any number of threads: facts about every thread that stands at a place.
//
// A place is a call stack with a location before something that others could notice, and which objects the thread has. The
// checker finds the places itself: it begins where the program does, and follows every step from every place under the
// facts that the proof has of it, with the executor (Followed::AmongOthers). It asks of each step that the facts of the
// place where it leads hold then; that so do those of a new thread; and that each other thread keeps its facts, wherever
// there can be one. At which two places there can be two threads at once it finds out itself, too.
//
//   Outcome outcome = check_threads(proof, program, specification, limits);
//   std::optional<Proof> proof = fit_threads(guess, program, specification, limits, why);
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/limits.h"
#include "program/program.h"
#include "proof/proof.h"
#include "verdict/property.h"

namespace whittle::proof {

Outcome check_threads(const Proof& proof, const program::Program& program, const verdict::Specification& specification,
                      Limits& limits, const Progressed& progressed = {});

/// What may hold at a place; terms as in PlaceFacts.
struct Candidates {
  std::vector<std::pair<program::FunctionId, program::LocationId>> stack;  ///< callers first
  std::vector<term::Term> facts;
};

/// A variable in candidates that stands for memory of an own object.
struct OwnCell {
  term::Term variable;
  program::FunctionId function = program::kNone;
  uint32_t edge = program::kNone;  ///< of the function: makes the object; or none:
  program::ObjectId thread_local_ = program::kNone;  ///< it is the thread's copy of this one
  uint64_t offset = 0;
};
struct Guess {
  std::vector<Candidates> places;
  std::vector<OwnCell> own;
};

/// The facts that no step breaks: what need not hold is taken away until nothing changes. Nothing, and `why`, if that
/// leaves a violation possible, or a limit was met.
std::optional<Proof> fit_threads(const Guess& guess, const program::Program& program,
                                 const verdict::Specification& specification, Limits& limits, std::string& why);

}  // namespace whittle::proof
