// The programs of Proofs from Tests that come in sizes, written after their figures. The others lie in bench/dash.
#pragma once

#include <string>

namespace whittle::app::suite {

/// Figure 3, the program behind Figure 18: n structures fresh from malloc and a pointer p that is set to each of them
/// later. Broken: one of the n pointers is p itself if p->y has a certain value.
std::string figure_3_program(unsigned n, bool broken);

/// Figure 6: n branches, so 2^n paths, none of which changes the lock. Broken: for one value of an input, the pointer
/// that one side of the later branches writes through points to the lock.
std::string figure_6_program(unsigned n, bool broken);

}  // namespace whittle::app::suite
