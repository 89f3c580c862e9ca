// All ways through a program at once: one state for all ways that stand at the same place, loops and calls unwound.
//
//   Unwinder unwinder(program, code, oracle, context, options);
//   Unwinder::End end = unwinder.run(bound);     // what was demanded on the way waits in the oracle
//
// A state is a trail (the conditions on the ways to it), registers and memory; where ways meet, what differs becomes a
// choice, unless it selects (selectors.h): then there are several states at one place. What is asked for is a variable, the same one at the same place in the next round, so that rounds share terms
// and what the solver has learned.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/context.h"
#include "engines/merge/comparisons.h"
#include "engines/merge/history.h"
#include "engines/merge/memory.h"
#include "engines/merge/oracle.h"
#include "engines/merge/pointers.h"
#include "engines/merge/selectors.h"
#include "engines/merge/trail.h"
#include "program/analysis/liveness.h"
#include "program/analysis/weak_order.h"
#include "semantics/demand.h"
#include "semantics/meaning.h"
#include "term/ranges.h"

namespace whittle::engines::merge {

struct Limitations {
  uint64_t rounds_known = 1 << 22;     ///< of one loop, where it is known that it goes on; times the bound
  uint64_t elements = 4096;            ///< of one object that an access may touch
  uint64_t bulk = 1 << 16;             ///< elements times bytes, of a copy or fill
  uint64_t object = 1 << 16;           ///< bytes of an object whose size depends on inputs
  uint64_t conflicts = 20'000;         ///< of the solver, to find out whether a loop goes on before the bound is hit
  uint64_t anywhere = 16;              ///< objects that a pointer from outside is tried on
  uint32_t frames = 2'000;             ///< calls inside each other
  size_t apart = 256;                  ///< states at one place
  size_t forks = 16;                   ///< values that shape a structure, each followed by itself
};

class Unwinder {
 public:
  Unwinder(const program::Program& program, std::shared_ptr<const exec::Code> code, Oracle& oracle, Context& context);

  enum class End : uint8_t { Complete, Violation, Stopped };
  /// `bound`: how often a loop goes round, and a function is inside itself, where that depends on inputs.
  End run(uint64_t bound);

  const exec::RunResult& violation() const { return violation_; }
  /// Of the last round: what was not followed, empty if all was.
  const std::string& incomplete() const { return incomplete_; }
  /// Of the last round: which loop or function hit the bound, empty if none did.
  const std::string& bound_place() const { return bound_place_; }

  struct Figures {
    uint64_t statements = 0, joins = 0, rounds = 0, objects = 0;
  };
  const Figures& figures() const { return figures_; }

 private:
  using FunctionId = program::FunctionId;
  using LocationId = program::LocationId;
  using Statement = program::Statement;

  struct Passed;
  struct LoopRun {
    uint64_t rounds = 0, open = 0;  ///< in all; those that depend on inputs
    bool entering = true;           ///< has not been at the head yet
    Trail at_head = nullptr;
    std::shared_ptr<const Passed> passed;  ///< what it was at the head, where there were others
    std::shared_ptr<const Passed> seen;    ///< what it was after 1, 2, 4, ... times round
  };
  struct State {
    Trail trail = nullptr;
    std::vector<Term> registers;  ///< none: 0
    Memory memory;
    uint32_t region = 0;         ///< atomic regions around it
    std::vector<LoopRun> loops;  ///< of the function it is in
  };
  struct Passed {
    State state;  ///< without loops
  };
  /// What is known of an edge before it is executed.
  struct EdgeFacts {
    const semantics::Meaning* meaning = nullptr;
    std::vector<semantics::Demand> demands;
    bool error = false;  ///< a call of an error function
  };
  struct FunctionFacts {
    FunctionFacts(const program::Program& program, FunctionId id)
        : order(program.functions[id]), liveness(program, id), edges(program.functions[id].edges.size()) {}
    program::analysis::WeakOrder order;
    program::analysis::Liveness liveness;
    std::vector<EdgeFacts> edges;
    bool saves = false;  ///< ends stack objects before it returns
  };
  struct Frame {
    FunctionId id;
    const program::Function& function;
    FunctionFacts& facts;
    uint64_t key;  ///< where in the run it is
    std::map<uint32_t, std::vector<State>> pending;  ///< by slot
    std::vector<State> returned;                     ///< the value is in registers[0]
    std::vector<ObjectNumber> objects;               ///< end with it
  };
  struct Stopped {};  ///< thrown: a limit, or a violation was found

  FunctionFacts& facts(FunctionId id);
  const EdgeFacts& facts(Frame& frame, uint32_t edge);

  // apart.cpp: which states are joined
  /// A register of the function, or bytes of an object.
  struct Selector {
    program::RegisterId reg = program::kNone;
    ObjectNumber object = 0;
    Selectors::Cell cell;
    auto operator<=>(const Selector&) const = default;
  };
  struct Groups {
    std::vector<Selector> selectors;  ///< in which the states differ
    std::vector<State> states;
  };
  struct Trend {
    bool up = false, down = false;
  };
  Term selected(const State& state, const Selector& selector);
  std::vector<Selector> differences(const Frame& frame, const std::vector<State>& states, const BitSet* live);
  void drop(const Frame& frame, const Selector& selector, bool returned);
  Groups gather(const Frame& frame, std::vector<State> states, const BitSet* live);
  size_t first_to_go(const Frame& frame, uint32_t loop, const Groups& groups);
  std::vector<State> forked(const Frame& frame, const State& state, uint32_t edge);

  // unwinder.cpp: ways, loops, calls
  std::vector<State> call(FunctionId id, std::vector<Term> arguments, State state, uint64_t key);
  void go(Frame& frame, State state, LocationId location);
  void go_round(Frame& frame, uint32_t loop, Groups groups);
  bool goes_round(Frame& frame, uint32_t loop, State& state);
  static std::shared_ptr<const Passed> snapshot(const State& state);
  void wait(Frame& frame, State state, LocationId from, LocationId to);
  State join(std::vector<State> states, const BitSet* live);
  void join_memory(Memory& a, const Memory& b, Term first, Term when);
  std::vector<State> execute_call(Frame& frame, State state, uint32_t edge);
  std::vector<State> enter(Frame& frame, State state, uint32_t edge, FunctionId callee, size_t first);
  std::vector<State> call_pointer(Frame& frame, State state, uint32_t edge);
  uint64_t key(const Frame& frame, const State& state, uint32_t edge) const;
  void look_around();
  void settle();

  // statements.cpp: what single statements do
  bool execute(Frame& frame, State& state, uint32_t edge);
  bool effect(Frame& frame, State& state, uint32_t edge);
  bool require(State& state, Term condition, verdict::Property property, const Frame& frame, uint32_t edge);
  void obstacle(Term when, const std::string& what, const Frame& frame, uint32_t edge);
  void ended(State& state, const Frame& frame, uint32_t edge);
  Term evaluate(const State& state, Term t) const;
  Term condition(const State& state, Term t);
  Term input(const std::string& name, unsigned width, uint64_t key);
  std::string where(const Frame& frame, uint32_t edge) const;
  void set_register(const Frame& frame, State& state, program::RegisterId target, Term value);

  // accesses.cpp: memory
  struct Target {
    ObjectNumber object = 0;
    Term select;  ///< the access goes there
    Term offset;
  };
  struct Located {
    std::vector<Target> targets;
    Term valid;
  };
  bool make_object(Frame& frame, State& state, uint32_t edge, const semantics::NewObject& made);
  void free_object(Frame& frame, State& state, uint32_t edge);
  void restore_stack(Frame& frame, State& state, Term mark);
  Term object_property(Frame& frame, State& state, uint32_t edge);
  std::vector<Place> anywhere(const State& state, Term address);
  Located locate(const State& state, Term address, Term bytes, bool write, unsigned align);
  term::Elements elements(const Target& target, uint64_t bytes);
  bool too_many(State& state, const term::Elements& e, uint64_t bytes, const Frame& frame, uint32_t edge);
  const Content& content(const State& state, ObjectNumber n);
  Term load(Frame& frame, State& state, uint32_t edge, const Located& located, unsigned bytes);
  Term load_one(Frame& frame, State& state, uint32_t edge, const Target& target, unsigned bytes);
  void give_values(Frame& frame, State& state, uint32_t edge, const Target& target, uint64_t offset, uint64_t bytes);
  void store(Frame& frame, State& state, uint32_t edge, const Located& located, Term value);
  void store_one(Frame& frame, State& state, uint32_t edge, const Target& target, Term value, Term when);
  bool bulk(Frame& frame, State& state, uint32_t edge, const semantics::Write& write);
  bool bulk_in_place(Frame& frame, State& state, uint32_t edge, const Located& from, const Target& to, uint64_t bytes,
                     const semantics::Write& write);
  Term missing(ObjectNumber n, uint64_t offset, Term when);

  Term number(uint64_t value) { return store_.constant(program_.pointer_width(), value); }

  const program::Program& program_;
  std::shared_ptr<const exec::Code> code_;
  const verdict::Specification& specification_;
  Oracle& oracle_;
  Context& context_;
  term::Store& store_;
  const Limitations limitations_;
  semantics::Meanings meanings_;
  std::vector<std::unique_ptr<FunctionFacts>> facts_;
  std::unique_ptr<Trails> trails_;
  term::Ranges ranges_;
  Comparisons comparisons_{store_, ranges_};
  Objects objects_;
  Pointers pointers_;
  Selectors selectors_;
  std::map<std::tuple<FunctionId, uint32_t, Selector>, Trend> trends_;  ///< by loop
  std::set<std::pair<FunctionId, uint32_t>> unforked_;                  ///< edges that assign too many values
  History history_;
  uint64_t bound_ = 0;
  uint32_t depth_ = 0;
  std::vector<uint32_t> active_;                              ///< by function: how often it is inside itself
  std::unordered_map<uint64_t, Term> inputs_;                 ///< by key
  std::unordered_set<uint64_t> keys_;                         ///< of bytes that got a value where states were joined
  bool check_alignment_ = false;
  bool violated_ = false;
  exec::RunResult violation_;
  std::string incomplete_, bound_place_;
  Figures figures_;
};

}  // namespace whittle::engines::merge
