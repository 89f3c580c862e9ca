// Checks CTL formulas (without X) on the fly: a state is visited only if the truth in the initial state may depend on
// it.
//
//   explore::CtlResult result = explore::check(machine, formula, options, context);
//   if (result.truth == explore::Truth::Fails) show(result.evidence);
//
// Semantics. A state without successors - halted, deadlocked, or with all choices pruned - stays as it is forever: AF p
// fails there unless p holds, EG p holds if p does. A path that is cut may go on in any way: the answer is then Holds
// or Fails only if it does not depend on that. A violation of the machine's own property ends the check.
//
// AG p and EF p with propositional p run as a plain search with all its reductions and stores. Other formulas use
// depth-first order and the exact store. With dynamic dead variables the whole reachable graph is built first, because
// dead sets are known only when depth-first search has left a state.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "explore/formula.h"
#include "explore/options.h"
#include "machine/machine.h"

namespace whittle::explore {

enum class Truth : uint8_t { Holds, Fails, ProbablyHolds, Unknown };
const char* to_string(Truth truth);

/// A path, possibly with a loop at its end, that shows why a formula fails (of the kind A...) or holds (E...).
struct Evidence {
  /// Every choice from reset() on.
  std::vector<uint32_t> choices;
  /// The path is infinite: after its end it goes on from the state that follows this many choices, which is the same
  /// state, byte for byte. Equal to choices.size(): the last state has no successors and lasts.
  std::optional<size_t> loop;
};

struct CtlResult {
  Truth truth = Truth::Unknown;
  /// Empty if no single path shows it: AG p that holds, EF p that fails.
  std::optional<Evidence> evidence;
  /// The machine's own property was violated on the way: truth is Unknown, and `evidence` leads to the violation.
  bool violation = false;
  bool plain_search = false;  ///< the order of the search was the one asked for: breadth-first finds a shortest path
  std::string reason;  ///< of Unknown
  std::vector<std::string> notes;
  Figures figures;
};

/// Requires that the machine's observe() knows the formula's atoms.
CtlResult check(machine::Machine& machine, const Formula& formula, const Options& options, Context& context);

}  // namespace whittle::explore
