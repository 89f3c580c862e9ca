// Exhaustive search over symbolic states: for programs whose inputs have too many values to try one by one.
//
// A state is a state of the concrete machine in which cells that depend on inputs hold terms, with the condition on the
// inputs under which it is reached. Two states are the same if they agree up to the names of inputs and up to
// conditions on inputs that no cell mentions any more: such conditions were satisfiable when they were met and say
// nothing about the future. A state whose condition implies that of a visited one, all else being equal, is covered by
// it. So an endless program that carries unknown values around, but computes no ever larger terms
// from them, has finitely many states, and visiting all of them is a proof for all inputs and schedules.
//
// From each state every feasible path to the next pause is followed: the machine runs under one model and tells where
// it depended on inputs (exec/symbolic.h); each such place is then tried the other way, if the solver finds a model.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/context.h"
#include "engines/explicit/private_steps.h"
#include "exec/symbolic.h"
#include "solve/solver.h"
#include "verdict/verdict.h"

namespace whittle::engines::explicit_ {

class SymbolicSearch {
 public:
  /// Gives up after about so many questions to the solver.
  SymbolicSearch(std::shared_ptr<const exec::Code> code, bool private_steps, uint64_t most_queries, Context& context);
  ~SymbolicSearch();

  enum class Outcome : uint8_t { Holds, Violation, Unknown };
  Outcome run();

  const std::string& reason() const { return reason_; }  ///< of Unknown
  /// Of Violation: to be replayed.
  const verdict::Counterexample& counterexample() const { return counterexample_; }
  uint64_t states() const { return visited_.size(); }
  uint64_t steps() const { return steps_; }
  uint64_t queries() const { return queries_; }

 private:
  using Model = std::unordered_map<term::Term, u128>;
  /// A symbolic state: a snapshot under a model, and the condition on the inputs.
  struct State {
    exec::SymbolicMachine::Snapshot snapshot;
    std::vector<term::Term> condition;
    Model model;
  };
  /// What is done next: a thread goes on, an input is given, the budget is renewed.
  struct Action {
    enum class Kind : uint8_t { Schedule, Provide, Resume } kind = Kind::Schedule;
    uint32_t thread = 0;
  };
  enum class End : uint8_t { State, Halted, Violation };
  /// What was done on a way, one action after the other.
  struct Done {
    Action action;
    term::Term input;      ///< of Provide
    verdict::Input asked;  ///< likewise
  };
  struct Visited {
    uint32_t parent = 0;
    Action action;  ///< the first one on the way from the parent
    const std::string* shape = nullptr;
    std::vector<term::Term> condition;
  };

  std::vector<Action> actions();  ///< of the machine's present state
  bool deadlock_is_violation() const;
  /// Inputs have names by width and number.
  term::Term name(unsigned width, size_t number);
  /// The first number of this width that the state does not mention.
  size_t first_free(const State& state, unsigned width) const;
  /// All feasible ways that begin with an action, to the next state with a choice or after the next place where inputs
  /// matter. `visit` gets the end; false: stop.
  template <typename Visit>
  bool expand(const State& from, const Action& action, const Visit& visit);
  /// One action, and what follows it without any choice.
  End follow(const State& from, const Action& action, const Model& model, std::vector<Done>& done);
  void act(const Done& done, const Model& model);
  /// Nothing: unsatisfiable. Sets incomplete_ if it cannot be decided.
  std::optional<Model> solve(const std::vector<term::Term>& condition);
  void enter(const State& state);

  using Renaming = std::unordered_map<term::Term, term::Term>;
  /// Renames inputs by where they are used and forgets conditions that no cell cares about.
  State canonical(State state, Renaming* renaming = nullptr);
  std::string shape(const State& state);  ///< all but the condition
  bool covered(const State& state, const std::vector<uint32_t>& by);
  void arrive(State state, uint32_t parent, const Action& action);
  bool reconstruct(uint32_t last, const Action& action);

  std::shared_ptr<const exec::Code> code_;
  Context& context_;
  const uint64_t most_queries_;
  term::Store& terms_;
  exec::SymbolicMachine machine_;
  PrivateSteps private_;
  std::unique_ptr<solve::Solver> solver_;
  std::unordered_map<unsigned, std::vector<term::Term>> names_;  ///< inputs, by width and number
  std::unordered_map<term::Term, size_t> numbers_;
  std::unordered_map<std::string, std::vector<uint32_t>> shapes_;  ///< visited states of each
  std::vector<Visited> visited_;
  std::deque<std::pair<uint32_t, State>> work_;
  std::string reason_;
  bool incomplete_ = false;
  uint64_t steps_ = 0, queries_ = 0;
  verdict::Counterexample counterexample_;
};

}  // namespace whittle::engines::explicit_
