// Weakest preconditions, backwards along an executed path.
//
//   Frames frames(program);
//   Precondition pre = precondition(frames, path, {{predicate}, address_of}, {});
//   Term good = pre.all(program.terms());
//
// A predicate is a term over registers of frames (frames.h) and memory reads, true or false in the state after the
// path. Going back over a write to memory, every read in it is resolved by the aliasing that this execution had: inside
// what was written (then the value written takes its place) or apart from it (then it stays). What must hold of the
// addresses for that is recorded as an alias condition, unless it can be seen to hold always. So, for every state
// before the path in which all `aliases` hold:
//
//   guards and predicate hold before the path  <=>  the path can be run from there and the predicate holds after it
//
// if nothing is marked approximate; what is marked only implies (=>). "Can be run" means that assumptions and branch
// conditions hold; that memory accesses are valid, and that allocations get the addresses they had, is taken for
// granted.
#pragma once

#include <functional>
#include <span>

#include "wp/frames.h"
#include "wp/step.h"

namespace whittle::wp {

struct Options {
  /// A nondeterministic value: Keep gives it a variable of its own, so conditions speak of the inputs of the path.
  /// Forall: the condition must hold for every value; where that cannot be said, it becomes false and is marked
  /// approximate.
  enum class Nondet : uint8_t { Keep, Forall } nondet = Nondet::Keep;
  /// An assumption or branch condition c on the path: Guard collects it. Implies weakens each condition P to (c implies
  /// P), which says nothing about states that leave the path.
  enum class Assumption : uint8_t { Guard, Implies } assumption = Assumption::Guard;
  /// Do passed checks count as assumptions? (They do if a failed one would have ended the path.)
  bool checks = true;
};

/// One condition on the state before the path.
struct Conjunct {
  Term term;
  uint32_t origin = 0;          ///< step that gave rise to it; of the predicate: the length of the path
  std::vector<uint32_t> steps;  ///< steps that transformed it, latest first (the papers' transforming statements)
  bool approximate = false;     ///< stronger than need be
};

/// A nondeterministic value on the path that conditions speak of (Nondet::Keep).
struct Input {
  uint32_t step = 0;
  Term variable;
};

struct Precondition {
  std::vector<Conjunct> predicate;  ///< in the order of the predicates given, their conjunctions taken apart
  std::vector<Conjunct> guards;     ///< latest first
  std::vector<Conjunct> aliases;    ///< latest first
  std::vector<Input> inputs;        ///< latest first
  bool approximate() const;
  Term all(term::Store& store) const;  ///< everything together
  static Term conjunction(term::Store& store, const std::vector<Conjunct>& conjuncts);
};

/// What must hold after the path.
struct Goal {
  std::vector<Term> predicates;  ///< of width 1
  /// The address that a Read term of the predicates had at the end of this execution.
  std::function<u128(Term read)> address_of;
};

Precondition precondition(Frames& frames, std::span<const Step> path, const Goal& goal, const Options& options = {});

}  // namespace whittle::wp
