// Exhaustive search in which a state that has more covers those that have less: for programs that add up.
//
//   CoveringSearch search(code, options, context);
//   if (search.applies() && search.run() == CoveringSearch::Outcome::Holds) ...
//
// Two threads that add each other's sums reach a number of states that is exponential in the number of rounds. But if
// all that the sums are for is to be compared with a bound, a state needs no visit if one was visited that is equal but
// for larger sums (program/analysis/monotone.h). Violations are those of states that were visited. Data that turns out
// to decide something in the other direction, or to be negative or large, is compared exactly: the search begins again.
//
// Gives up where this does not pay soon, at a path that is cut, and after kMostSteps steps.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "base/context.h"
#include "engines/explicit/program_machine.h"
#include "program/analysis/monotone.h"

namespace whittle::engines::explicit_ {

class CoveringSearch : exec::Listener {
 public:
  CoveringSearch(std::shared_ptr<const exec::Code> code, MachineOptions options, Context& context);
  ~CoveringSearch() override;

  bool applies() const { return data_ && !data_->cells().empty(); }
  enum class Outcome : uint8_t { Holds, Violation, Unknown };
  Outcome run();

  /// Of Violation: choices of a ProgramMachine.
  const std::vector<uint32_t>& path() const { return path_; }
  uint64_t states() const { return visited_.size(); }
  uint64_t steps() const { return steps_; }

 private:
  using Way = program::analysis::Monotone::Way;
  using Values = std::vector<uint64_t>;  ///< larger ones cover smaller ones
  /// A register of a frame of a thread.
  struct Place {
    uint32_t thread = 0, frame = 0;
    program::RegisterId reg = 0;
    Way way = Way::Up;
  };
  struct Visited {
    std::vector<uint8_t> bytes;
    Values values;
    uint32_t parent = 0, choice = 0;
    bool covered = false;
  };
  /// States that agree in all but the data.
  struct Alike {
    std::vector<Place> places;      ///< registers with data that are part of the state
    std::vector<uint32_t> largest;  ///< none covers another
  };

  std::optional<Outcome> search();
  std::optional<Outcome> expand(uint32_t number);
  void arrive(uint32_t parent, uint32_t choice);
  Outcome violation(uint32_t parent, std::optional<uint32_t> choice);
  std::vector<Place> places();
  void clear(const std::vector<Place>& places, bool least);
  std::vector<Place> kept(const std::vector<Place>& places);
  Values values(const std::vector<Place>& places);
  uint64_t value(uint64_t address, unsigned bytes) const;
  bool input_depends_on_data();

  void statement(uint32_t thread, program::FunctionId function, uint32_t edge) override;
  u128 evaluate(uint32_t thread, term::Term term) const;
  bool is_small(uint32_t thread, term::Term term) const;

  std::shared_ptr<const exec::Code> code_;
  Context& context_;
  ProgramMachine machine_;
  exec::Machine& concrete_;
  std::shared_ptr<program::analysis::Analyses> analyses_;
  std::optional<program::analysis::Monotone> data_;
  std::vector<Visited> visited_;
  std::deque<uint32_t> work_;
  std::map<std::vector<uint8_t>, Alike> shapes_;
  std::set<uint64_t> trouble_;  ///< cells that must be compared exactly, as the last step has shown
  std::vector<uint32_t> path_;
  uint64_t steps_ = 0, arrivals_ = 0, saved_ = 0;
};

}  // namespace whittle::engines::explicit_
