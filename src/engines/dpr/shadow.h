// Follows one concrete run and works out for which other runs it speaks.
//
// The shadow listens to the machine and keeps terms over choice bits for everything that depends on a choice. Its
// promise: for every oracle under which all `kept` conditions hold, the run meets the same choices in the same order,
// violates nothing, and ends as this one did or earlier by a failed assumption.
//
// A branch whose condition depends on choices is either *free*: both sides meet again, and what the other side would
// have done is known (sidestep.h), so values are merged there; or *kept*: its condition must hold for all oracles that
// this run speaks for. Accesses through addresses that depend on choices are kept likewise.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engines/dpr/regions.h"
#include "engines/dpr/sidestep.h"
#include "engines/dpr/view.h"
#include "exec/machine.h"
#include "semantics/access.h"
#include "semantics/meaning.h"

namespace whittle::engines::dpr {

/// A condition that must hold for all oracles a run speaks for, and why.
struct Kept {
  term::Term condition;
  program::SourcePosition position;
  std::string why;  ///< "branch not taken can reach an error", "array index", ...
};

class Shadow : public exec::Listener {
 public:
  Shadow(const program::Program& program, exec::Machine& machine, Regions& regions);

  void statement(uint32_t thread, program::FunctionId function, uint32_t edge) override;

  /// How many choices the next value takes depends on these registers: they must be the same for all oracles spoken
  /// for, or the numbers of later choices would shift. Call before provide.
  void rely_on(const std::vector<program::RegisterId>& registers);

  /// The value that the machine just asked for stands for this term. Call before Machine::provide.
  void provide(term::Term value, u128 concrete);

  /// The run is over. `pruned`: by an assumption that failed.
  void finish(bool pruned);

  const std::vector<Kept>& kept() const { return kept_; }

 private:
  struct Alternative {
    term::Term condition;
    Effects effects;
  };
  /// An open free branch.
  struct Region {
    uint32_t frame;
    program::LocationId join;
    program::SourcePosition position;
    term::Term condition;  ///< of the side taken
    std::vector<Alternative> others;
    bool others_end = true;
    std::map<RegisterCell, term::Term> old_registers;  ///< before the branch, of cells written since
    std::map<MemoryCell, term::Term> old_memory;       ///< no term: not known any more
  };

  term::Term value(term::Term operand) const { return view_.evaluate(operand, frame_, function_); }
  void keep(term::Term condition, const program::SourcePosition& position, const char* why);
  /// The value is that of this run for all oracles spoken for.
  void keep_equal(term::Term value, u128 concrete, const program::SourcePosition& position, const char* why);
  uint64_t pin(const program::Statement& statement, size_t operand, const char* why);
  term::Term unknown(unsigned width);

  void branch(const program::Function& function, uint32_t edge);
  void close(Region region);
  void settle();
  void set_reg(RegisterCell cell, term::Term value);
  void store(MemoryCell cell, term::Term value);
  void effect(const program::Statement& statement, const semantics::Meaning& meaning);
  void bulk(const program::Statement& statement, const semantics::Write& write);
  void call(const program::Statement& statement, program::FunctionId callee, size_t first_argument);
  void leave(const program::Statement& statement);

  /// Memory that a statement accesses.
  struct Located {
    MemoryCell here;                ///< in this run
    term::Term address;             ///< if it depends on choices
    std::vector<MemoryCell> cells;  ///< where it may be for other oracles, inside one small object; empty: only here
  };
  Located locate(const program::Statement& statement, const semantics::Access& access);
  std::vector<MemoryCell> spread(const program::Statement& statement, const semantics::Access& access,
                                 term::Term address, uint64_t concrete);
  term::Term loaded(const program::Statement& statement, const Located& memory);
  void store(const program::Statement& statement, const Located& memory, term::Term value);

  const program::Program& program_;
  exec::Machine& machine_;
  Regions& regions_;
  semantics::Meanings meanings_;
  Sidestep sidestep_;
  View view_;
  std::vector<Region> regions_open_;
  std::vector<Kept> kept_;

  uint32_t frame_ = 0;
  program::FunctionId function_ = program::kNone;
  const program::Statement* last_ = nullptr;  ///< the last statement seen, not yet settled
  uint32_t last_frame_ = 0;
  program::FunctionId last_function_ = program::kNone;
  const program::Statement* assumption_ = nullptr;  ///< the last statement was a user's assumption that ...
  term::Term assumed_;                              ///< ... depends on choices
};

}  // namespace whittle::engines::dpr
