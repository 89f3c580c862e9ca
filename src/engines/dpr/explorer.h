// What one process of dpr does: takes an oracle that no reason covers, runs the program along it, and removes every oracle
// that the run speaks for.
//
//   Explorer explorer(program, specification, settings, context);
//   while (explorer.find({}))
//     if (explorer.explore() == Explorer::Step::Violation) ... explorer.inputs() ...
//
// A *cube* is a set of oracles: those that make certain choices. Processes that search together have disjoint cubes, and
// tell each other which sets of choices they removed (crew.h).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/context.h"
#include "engines/dpr/learn.h"
#include "engines/dpr/oracles.h"
#include "engines/dpr/picture.h"
#include "engines/dpr/run.h"
#include "engines/engine.h"

namespace whittle::engines::dpr {

using Cube = std::vector<Literal>;

/// What is known besides the oracles that were removed.
struct Figures {
  uint64_t explored = 0, statements = 0;
  uint64_t shortest = UINT64_MAX, deepest = 0;  ///< choices of a run
  double solver_seconds = 0, execution_seconds = 0;
  std::string cut, too_wide;  ///< why the answer is no proof; empty: nothing is in the way
  void add(const Figures& more);
};

class Explorer {
 public:
  /// `explain`: called for each reason found. Throws Error (usage) where a setting does not fit.
  Explorer(const program::Program& program, const verdict::Specification& specification, const Settings& settings,
           Context& context);

  /// Looks for an oracle of the cube that was not removed; explore() is to run it.
  bool find(const Cube& cube) { return oracles_.next(cube); }

  enum class Step : uint8_t { Harmless, Violation, Stopped };
  Step explore();
  /// With --dpr-learn no: all oracles at once, depth first.
  Step explore_all();
  bool learns() const { return learning_; }
  /// Blocks of runs without learning are at most 2^this long: after them others may have something to say.
  void set_longest_block(size_t bits) { longest_block_ = bits; }

  /// Of the violation.
  const std::vector<u128>& inputs() const { return inputs_; }
  /// Of the last run.
  const std::vector<bool>& choices() const { return choices_; }

  void remove(Cube choices);
  /// In the order in which they were removed.
  const std::vector<Cube>& removed() const { return removed_; }

  const Figures& figures() const { return figures_; }
  Figures& figures() { return figures_; }
  const Oracles& oracles() const { return oracles_; }
  const std::shared_ptr<exec::Code>& code() const { return code_; }
  void write_picture() { picture_.write(); }

 private:
  static Oracles::Order order(const Settings& settings);
  Outcome learn_from_run();
  Outcome block_around(const Outcome& outcome);
  Outcome block(size_t fixed, std::vector<bool> path);
  void note(const Outcome& outcome);
  void explain(const Reason& reason);
  Step ended(Outcome outcome);

  static constexpr size_t kPatience = 4;  ///< runs in a row without a reason, after which whole blocks are run

  const program::Program& program_;
  Context& context_;
  std::shared_ptr<exec::Code> code_;
  exec::SymbolicMachine machine_;
  Regions regions_;
  std::unique_ptr<solve::Solver> solver_;
  Choices bits_;
  Oracles oracles_;
  RunLimits bounds_;
  bool explain_;
  Picture picture_;
  bool learning_;
  size_t longest_block_ = 24;

  std::vector<Cube> removed_;  ///< whatever else is chosen, the oracle is harmless or was run
  size_t useless_ = 0;         ///< runs in a row from which nothing was learned
  Figures figures_;
  std::vector<u128> inputs_;
  std::vector<bool> choices_;
};

}  // namespace whittle::engines::dpr
