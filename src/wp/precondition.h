// Weakest preconditions of conditions that hold after an executed path.
//
//   Frames frames(program);
//   std::vector<Term> before = precondition(frames, path, {predicate, ...});
//
// A condition is a term over registers of frames (frames.h) and memory at constant addresses. The path is an execution:
// its steps say which addresses, sizes and objects it had, and its demands say that these are what they were. For every
// state before the path in which all of `before` hold, and whatever values are chosen on the way: either the path is left
// at a branch that is not firm, or it can be run to its end, all demands hold on the way, and all conditions after it.
// The other way round, too, unless a choice had to be given up (forall.h).
#pragma once

#include <span>
#include <vector>

#include "wp/frames.h"
#include "wp/step.h"

namespace whittle::wp {

std::vector<Term> precondition(Frames& frames, std::span<const Step> path, const std::vector<Term>& conditions);

}  // namespace whittle::wp
