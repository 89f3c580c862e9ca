// What every engine offers. An engine gets a program and what to check of it, and answers with a verdict.
//
//   class Mine : public engines::Engine {
//     std::string_view name() const override { return "mine"; }
//     std::string_view description() const override { return "one line for --help"; }
//     std::span<const Option> options() const override { return kOptions; }   // optional
//     std::optional<std::string> supports(const program::Program&, const verdict::Specification&) const override;
//     verdict::Verdict run(const program::Program&, const verdict::Specification&, const Settings&, Context&) override;
//   };
//
// A task is a program or another system with a machine (firmware); engines that take the latter override
// supports_system and run_system.
//
// To add one: a folder src/engines/NAME, a line in src/layers.txt, a line in the table of src/app/registry.cpp.
//
// The contract of run():
// - `false` has been replayed on the concrete machine before it is returned, and carries counterexample and trace.
// - `true` has a reason that says what was proved; a bound that was hit is `unknown`, with the bound and the loop
// named.
// - It polls context.limits often and answers `unknown` with what it has learned when told to stop.
// - It fills verdict.statistics, verdict.assumptions (beyond the program's own) and verdict.engine.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/context.h"
#include "base/int128.h"
#include "machine/system.h"
#include "program/program.h"
#include "verdict/verdict.h"

namespace whittle::cluster {
class Group;
}

namespace whittle::engines {

/// An option of one engine. The command line offers it as `--NAME VALUE` in a group of its own.
struct Option {
  std::string_view name;           ///< starts with the engine's name: "test-runs"
  std::string_view value;          ///< "N", "NAME", "SECONDS"; empty: a flag
  std::string_view default_value;  ///< shown in --help
  std::string_view help;
};

/// What the user asked for, as text, and typed access to it. Throws Error (usage) on a value that does not fit.
class Settings {
 public:
  uint64_t seed = 1;    ///< every random choice comes from it
  bool strict = false;  ///< reaching a function without a body makes the answer `unknown`
  unsigned cores = 1;
  cluster::Group* group = nullptr;  ///< processes that were started together and do the same; none: this one is alone
  /// Inputs of runs that were made already and found nothing: engines that learn from tests begin with them.
  std::vector<std::vector<u128>> tests;

  void set(std::string name, std::string value) { values_[std::move(name)] = std::move(value); }
  bool flag(std::string_view name) const { return values_.contains(name); }
  uint64_t number(std::string_view name, uint64_t otherwise) const;
  double real(std::string_view name, double otherwise) const;
  std::string text(std::string_view name, std::string_view otherwise) const;

 private:
  std::map<std::string, std::string, std::less<>> values_;
};

class Engine {
 public:
  virtual ~Engine() = default;
  virtual std::string_view name() const = 0;
  virtual std::string_view description() const = 0;
  virtual std::span<const Option> options() const { return {}; }
  /// Nothing if it can try; otherwise why not, as a sentence for the user.
  virtual std::optional<std::string> supports(const program::Program& program,
                                              const verdict::Specification& specification) const = 0;
  virtual verdict::Verdict run(const program::Program& program, const verdict::Specification& specification,
                               const Settings& settings, Context& context) = 0;

  /// The same for a system that is no program. Its formulas are the lines of the setting `ctl`.
  virtual std::optional<std::string> supports_system() const { return "it takes C programs only"; }
  virtual verdict::Verdict run_system(machine::System& system, const Settings& settings, Context& context);
};

}  // namespace whittle::engines
