// An answer for each property and for each assertion of a program, with any engine.
//
//   verdict::Claims claims;
//   Verdict verdict = answer_claims(engine, program, specification, settings, {.all = true}, context, claims);
//   for (const verdict::Claim& claim : claims.claims) ...
//
// First the engine is asked about everything together. A proof answers everything; a violation ends the search, or,
// with `all`, is passed over (program/claims.h) and the engine is asked again. Where the engine does not know, the question
// is taken apart: each property by itself, then each assertion by itself. What was not asked about in a part behaves as
// it does where nobody asks for that property, so the first violation of a run is found in some part: if every part is
// proved, so is the whole.
#pragma once

#include <functional>

#include "engines/engine.h"
#include "verdict/claims.h"

namespace whittle::engines {

struct ClaimOptions {
  bool all = false;    ///< find every violation
  bool parts = true;   ///< take a question apart if the whole of it is not answered
  /// Called with what would be the answer if the search ended now, each time that more is known.
  std::function<void(const verdict::Verdict& verdict, const verdict::Claims& claims)> so_far = {};
};

/// The verdict on the whole; what is known of its parts comes in `claims`.
verdict::Verdict answer_claims(Engine& engine, const program::Program& program,
                               const verdict::Specification& specification, const Settings& settings,
                               const ClaimOptions& options, Context& context, verdict::Claims& claims);

}  // namespace whittle::engines
