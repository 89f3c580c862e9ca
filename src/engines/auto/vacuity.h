// Proofs that prove nothing: an assumption that no run satisfies, an assertion that no run reaches.
//
//   std::vector<Checkpoint> checkpoints = find_checkpoints(program);
//   for (const std::string& warning : vacuous(program, checkpoints, engine, settings, limits)) ...
//
// A few random runs show for most checkpoints that they are alive. For the others the engine that proved the program is
// asked to prove that they are dead: on a copy of the program in which reaching one of them is the only violation.
// Nothing is said about a checkpoint for which that does not succeed in time.
#pragma once

#include <string>
#include <vector>

#include "engines/engine.h"
#include "program/program.h"

namespace whittle::engines::auto_ {

/// A place in one of the user's functions.
struct Checkpoint {
  enum class Kind : uint8_t {
    Assumption,  ///< of `edge`: alive if some run passes it
    Assertion,   ///< alive if some run gets to the location where `edge` starts, whatever it decides there
  };
  Kind kind = Kind::Assumption;
  program::FunctionId function = program::kNone;
  uint32_t edge = 0;
  program::SourcePosition position;
};

std::vector<Checkpoint> find_checkpoints(const program::Program& program);

/// Warnings about checkpoints that are dead for certain. Requires that unreach-call has been proved of the program.
std::vector<std::string> vacuous(const program::Program& program, std::vector<Checkpoint> checkpoints, Engine& engine,
                                 const Settings& settings, Limits& limits);

}  // namespace whittle::engines::auto_
