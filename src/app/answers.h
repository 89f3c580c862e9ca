// Answers that are kept from one run to the next: an equal program, asked the same in the same way, is not searched again.
//
//   std::unique_ptr<engines::Engine> engine = remembering(find_engine("auto"), "answers", "auto timeout...");
//   engine->run(...)      // looks into the folder first
//
// `true` and `false` are kept, by the digest of the program's text, the properties and the options; `unknown` is not, because more
// time may tell more. A kept counterexample is run on the machine before it is believed.
#pragma once

#include <memory>
#include <string>

#include "app/options.h"
#include "engines/engine.h"

namespace whittle::app {

/// The engine itself if an option of it reads or writes a file: that is to be done again.
std::unique_ptr<engines::Engine> remembering(std::unique_ptr<engines::Engine> engine, const Options& options);

/// Where answers of projects are kept unless the user says it: in the user's folder for caches. Empty: there is none.
std::string default_answers();

/// Begins a note of verdicts that were found in the folder.
constexpr std::string_view kFromAnswers = "kept answer";

}  // namespace whittle::app
