// The meaning of statements, written down a second time, for the checker only: states as plain values, one step after
// the other, no speed. It shares with the engines the program and the meaning of terms; executor_test.cpp holds it
// against their machine.
//
//   Executor executor(program, specification);
//   State state = executor.start();
//   End end = executor.step(state, 0);      // thread 0 runs until others could notice it again
//   if (end.kind == End::Kind::Input) end = executor.give(state, end, value);
//
// An input of more than one bit is a symbol (Followed::Paths: every input): what depends on it is a term (symbols.h). Where the executor must know the
// value of a term (a condition, an address) it asks: End::Kind::Choice. A byte without a value that is read is an input.
//
// A step is what one thread does from one moment that others can notice up to the next: it may begin with one statement
// that others can notice, and ends before the next such statement. States between steps are normal (normal_form.h).
//
// Among others (proofs by threads): one thread is followed, in a program with any number of them. Thread kOthers stands for
// the others, kThread is followed, and one that it starts comes after it. Static bytes may be open: they hold any value.
// Calls of models of threads mean what their role says (roles.cpp). A step begins with one statement, whatever that is, and
// ends before what others can notice and where a loop comes round. Addresses of the thread's own objects stay with it.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "program/program.h"
#include "proof/normal_form.h"
#include "proof/state.h"
#include "proof/symbols.h"
#include "verdict/property.h"

namespace whittle::proof {

/// How a step ended.
struct End {
  enum class Kind : uint8_t {
    Next,       ///< the thread stands before something that others can notice, or is over; or `midway`
    Input,      ///< it asks for a value of `width` bits
    Choice,     ///< it must know the value of `term`
    Over,       ///< the program ended, or an assumption does not hold
    Violation,  ///< `what` tells
    Refused,    ///< not followed here: `what` tells
  };
  Kind kind = Kind::Next;
  std::string what = {};
  unsigned width = 0;
  unsigned bytes = 0;  ///< Choice: `term` is an address where so many are read or written; 0: it is not, or must be known
  uint32_t thread = 0;
  bool midway = false;  ///< Next, Followed::Paths: it stands where ways meet, and has not come to the end of its step
  bool token = false;  ///< Input, Choice: may the thread still do something that others notice, in this step?
  Term term = {};
  uint32_t questions = 0;  ///< Next, Choice: how many were answered without a statement executed since
};

enum class Followed : uint8_t {
  All,
  Paths,  ///< all; a step stops where ways meet, too, and what is decided of a symbol does not replace it: paths.h
  AmongOthers,
};
inline constexpr uint32_t kOthers = 0, kThread = 1;

class Executor {
 public:
  Executor(const program::Program& program, const verdict::Specification& specification, Followed followed = Followed::All);

  State start() const;
  /// Is the thread alive, and does it not wait for something that does not hold?
  bool can_step(const State& state, uint32_t thread) const;
  End step(State& state, uint32_t thread) const;
  End go_on(State& state, uint32_t thread) const { return run(state, thread, false, std::nullopt, 0); }  ///< after `midway`
  End give(State& state, const End& asked, u128 value) const;
  /// Among others: the address asked for is one of these; what is stored there is forgotten, what is read may be anything.
  End give(State& state, const End& asked, const Within& within) const;
  void decide(State& state, Term t, u128 value) const { normal_.decide(state, t, value); }
  /// The state as bytes, without what is decided: equal ones are equal states.
  void write(const State& state, std::vector<uint8_t>& bytes) const { normal_.write(state, bytes); }
  Symbols& symbols() const { return symbols_; }
  const NormalForm& normal_form() const { return normal_; }
  const StaticOffsets& offsets() const { return offsets_; }
  /// Among others: is it an address where objects of the thread lie?
  static bool is_own(u128 address);
  /// Among others: memory that models of threads used, and others, in the steps so far; empty: there is none.
  std::string misused() const;

 private:
  /// Each thread makes its objects in an area of its own, so that where they lie does not depend on others.
  static constexpr uint64_t area(uint32_t thread) { return program::layout::kDynamicBase + thread * uint64_t{0x0300'0000}; }

  /// Thrown out of the middle of a statement, before it has changed anything.
  struct Stop {
    End::Kind kind;
    std::string what;
    Term term = {};
    unsigned bytes = 0;
  };
  struct Unset {  ///< thrown likewise: this byte must get a value
    uint64_t address;
  };
  struct Place {  ///< some bytes of one object
    uint8_t* bytes = nullptr;
    Made* made = nullptr;  ///< none: static
    uint64_t offset = 0;   ///< Made: in the object; otherwise in State::statics, if it is not constant
    uint64_t address = 0;
  };

  End run(State& state, uint32_t thread, bool token, std::optional<u128> input, uint32_t questions) const;
  void execute(State& state, uint32_t thread, const program::Edge& edge, std::optional<u128>& input) const;
  void execute_object(State& state, uint32_t thread, const program::Edge& edge) const;
  void call(State& state, uint32_t thread, const program::Statement& call, program::FunctionId callee, size_t first) const;
  void leave(State& state, uint32_t thread, const Value& value) const;
  void end_thread(State& state, uint32_t thread) const;
  void end_objects(State& state, uint32_t thread, uint32_t frame, uint32_t from) const;
  uint64_t make(State& state, uint32_t thread, Made made, uint64_t align) const;

  Value value(const Frame& frame, Term t) const;
  u128 number(const State& state, const Frame& frame, Term t) const { return number(state, value(frame, t)); }
  u128 address_of(const State& state, const Value& value, const program::Statement& s) const;
  u128 number(const State& state, const Value& value) const;  ///< asks, if it is a term
  Term fresh(State& state, unsigned width) const { return symbols_.variable(width, state.inputs++); }
  Value combined(program::Rmw rmw, const Value& old, const Value& given, unsigned width) const;
  Place find(State& state, uint32_t thread, u128 address, uint64_t size, bool write, unsigned align) const;
  Place locate(State& state, uint32_t thread, u128 address, uint64_t size, bool write, unsigned align) const;
  Value load(State& state, uint32_t thread, u128 address, unsigned bytes, unsigned align) const;
  Value load(const State& state, const Place& place, unsigned bytes) const;
  std::optional<Place> somewhere(State& state, uint32_t thread, const Value& address, unsigned bytes, const program::Statement& s) const;
  void blur(State& state, const Place& object, const Value& stored) const;
  bool is_unset(const State& state, const Place& place, uint64_t i) const;
  void store(State& state, uint32_t thread, u128 address, const Value& value, unsigned bytes, unsigned align) const;
  void store(State& state, const Place& place, const Value& value, unsigned bytes) const;
  void written(State& state, const Place& place, uint64_t size) const;
  void share(State& state, u128 pointer) const;
  void share_symbols(State& state, uint64_t address, uint64_t size) const;
  void share_from(State& state, const uint8_t* bytes, uint64_t size) const;

  bool noticed(const State& state, uint32_t thread, const program::Statement& s) const;
  bool out_of_reach(const State& state, uint32_t thread, u128 address) const;
  bool await_holds(State& state, uint32_t thread, const program::Statement& s) const;
  bool alone(const State& state, uint32_t thread) const;
  void violated(verdict::Property property, const std::string& what) const;

  // Among others: roles.cpp
  void call_model(State& state, uint32_t thread, const program::Edge& edge) const;
  Place of_model(State& state, uint32_t thread, const program::Statement& s, size_t operand) const;
  Place mutex(State& state, uint32_t thread, const program::Statement& s, size_t operand) const;
  void release(State& state, const Place& mutex) const;
  void take(State& state, const Place& mutex) const;
  bool comes_round(Thread& thread) const;
  bool meets(const Thread& thread) const;
  void watch_addresses(const Frame& frame, Term t, const Value& now) const;
  void push_thread(State& state, program::FunctionId routine, const std::vector<Value>& given) const;

  const program::Program& program_;
  const verdict::Specification& specification_;
  const bool among_others_;
  std::vector<std::vector<bool>> meets_;  ///< Followed::Paths: by function, location: do several ways lead there?
  StaticOffsets offsets_;
  mutable Symbols symbols_;
  NormalForm normal_;
  mutable std::set<std::pair<uint64_t, uint64_t>> of_models_, accessed_;  ///< static memory: begin and end
};

}  // namespace whittle::proof
