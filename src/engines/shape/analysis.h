// All states that a sequential program can be in, as memories that stand for many of them each.
//
// A path is followed statement by statement. Where it meets a loop's head its memory is folded (fold.h) and left alone if
// one that was there before covers it (match.h); numbers that keep changing there become symbols. So the search ends for
// lists of any length. It never says that something goes wrong: whatever cannot be excluded ends it, with GiveUp.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "base/context.h"
#include "engines/shape/blocks.h"
#include "engines/shape/families.h"
#include "engines/shape/memory.h"
#include "program/analysis/liveness.h"
#include "semantics/demand.h"
#include "semantics/meaning.h"
#include "solve/solver.h"
#include "verdict/verdict.h"

namespace whittle::engines::shape {

inline constexpr const char* kTooManySteps = "too many steps";  ///< why a try with Options::most_steps ended

class Analysis {
 public:
  struct Options {
    unsigned patience = 5;        ///< so many numbers are told apart at a loop's head
    unsigned most_different = 6;  ///< so many objects of one size are told apart by their content
    bool families = false;        ///< cells own objects that nothing else leads to: trees
    bool nested = false;          ///< objects of lists have parts of their own: lists of lists
    bool by_site = false;         ///< only objects of one allocation become a list: levels of lists stay apart
    bool relations = false;       ///< numbers that change in loops are compared with others
    bool segments = true;         ///< no: lists stay as they are, which ends only if their length has a bound
    uint64_t most_steps = UINT64_MAX;
    uint64_t most_graphs = UINT64_MAX;  ///< that are kept: each new one is compared with those at its place
  };
  struct Figures {
    uint64_t steps = 0, kept = 0, covered = 0, widened = 0, splits = 0, queries = 0;
  };

  Analysis(const program::Program& program, const verdict::Specification& specification, Options options, Context& context);

  /// Until no path is left. False: the limits ended it. Throws GiveUp.
  bool run();
  const Figures& figures() const { return figures_; }

 private:
  struct State;  // of semantics::apply

  struct Path {
    Memory memory;
    bool arrived = false;  ///< the memory has been compared with others at this place
  };

  /// As run, with the families as they are, which may grow.
  bool run_once();
  void follow(Path path);
  /// Does the statement. False: the path ends there.
  bool step(Memory& memory, const program::Edge& edge, uint32_t index);
  bool demand(Memory& memory, const program::Statement& statement, const semantics::Demand& demand);
  void access(Memory& memory, Term address, Term size, unsigned align, bool write);
  Term load(Memory& memory, Term address, unsigned bytes);
  void store(Memory& memory, const program::Statement& statement, Term address, Term value);
  void bulk(Memory& memory, const semantics::Write& write, Term size);
  Blocks blocks(Memory& memory);
  /// A new object of this size with this base.
  void set_size(Memory& memory, Node& node, Term base, Term size);
  void call(Memory& memory, const program::Statement& statement, program::FunctionId callee, size_t first_argument,
            program::LocationId after);
  bool leave(Memory& memory, const program::Statement& statement);
  void end_of_run(Memory& memory, const program::Statement& statement);
  void frame_object(Memory& memory, const program::Statement& statement);
  Term thread_local_object(Memory& memory, program::ObjectId object);
  bool known_before(Term t) const;
  unsigned width_of(const Memory& memory, const program::Statement& statement) const;
  bool assume(Memory& memory, Term condition);
  std::vector<Memory> cases(const Memory& memory, const Split& where);
  bool holds(const Memory& memory, Term condition);
  void add_apart(const Memory& memory, Term a, Term b, std::vector<Term>& facts) const;
  Term now(Memory& memory, Term t);
  /// Folds it, forgets what is dead. False: covered.
  bool arrive(Memory& memory);
  uint32_t allocation_site(const Memory& memory);
  void nothing_lost(Memory& memory);
  [[noreturn]] void give_up(const Memory& memory, const program::Statement& statement, const std::string& why,
                            bool relations = false) const;

  const program::Program& program_;
  const verdict::Specification& specification_;
  Options options_;
  Context& context_;
  semantics::Meanings meanings_;
  std::unique_ptr<solve::Solver> solver_;
  std::vector<std::unique_ptr<program::analysis::Liveness>> live_;  ///< by function
  std::map<program::ObjectId, Term> thread_locals_;
  std::map<std::vector<uint32_t>, std::vector<Memory>> kept_;  ///< by where the frames stand
  std::map<std::vector<uint32_t>, size_t> places_;  ///< numbers of these
  std::vector<Path> work_;
  Families families_;
  uint32_t edge_ = 0;       ///< whose statement is done
  uint32_t first_new_ = 0;  ///< symbols from this number on are the statement's own
  Figures figures_;
};

}  // namespace whittle::engines::shape
