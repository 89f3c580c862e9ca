// All paths of a program, joined where they meet: the proof of a program whose loops end, however many paths and values
// there are. Two states are one (join.h) if their threads stand at the same locations, in the same rounds of all loops, and
// have the same objects. So 2^n paths through n conditions are 2n states.
//
// States are taken in such an order that what leads to a place is done before the place, as far as that can be told. The
// order says only which states are joined: each is followed, or is equal to one that was, or a part of one that will be.
#pragma once

#include <functional>

#include "base/limits.h"
#include "program/program.h"
#include "proof/proof.h"
#include "verdict/property.h"

namespace whittle::proof {

/// As check_states; `states` are the joined ones.
Outcome check_paths(const program::Program& program, const verdict::Specification& specification, Limits& limits,
                    StateSpace& states, const std::function<void(const StateSpace&)>& progressed = {});

}  // namespace whittle::proof
