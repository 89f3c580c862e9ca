// The meaning of statements, written down a second time, for the checker only: states as plain values, one step after
// the other, no speed. It shares with the engines the program and the meaning of terms; executor_test.cpp holds it
// against their machine.
//
//   Executor executor(program, specification);
//   State state = executor.start();
//   End end = executor.step(state, 0);      // thread 0 runs until others could notice it again
//   if (end.kind == End::Kind::Input) end = executor.give(state, end, value);
//
// An input of more than one bit is a symbol: what depends on it is a term (symbols.h). Where the executor must know the
// value of a term (a condition, an address) it asks: End::Kind::Choice. A byte without a value that is read is an input.
//
// A step is what one thread does from one moment that others can notice up to the next: it may begin with one statement
// that others can notice, and ends before the next such statement. States between steps are normal: registers that are
// never read again are 0, and objects that ended are forgotten once nothing could be a pointer to them.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "program/program.h"
#include "proof/symbols.h"
#include "verdict/property.h"

namespace whittle::proof {

struct Made {  ///< an object that the program made, by its address in State::objects
  enum class Kind : uint8_t { Heap, Stack, ThreadLocal };
  Kind kind = Kind::Heap;
  bool alive = true;
  bool shared = false;     ///< other threads may have its address
  uint32_t thread = 0;     ///< that made it
  uint32_t frame = 0;      ///< Stack: of which frame,
  uint32_t sequence = 0;   ///< and the how manieth there
  std::vector<uint8_t> bytes;
  std::vector<bool> known;  ///< has the byte a value?
};

struct Frame {
  program::FunctionId function = 0;
  program::LocationId location = 0;  ///< of a frame that called another one: before the call
  uint32_t made = 0;                 ///< objects on the stack so far
  std::vector<u128> registers;
  std::map<program::RegisterId, Term> symbols;  ///< registers whose values are terms
};

struct Thread {
  bool alive = true;
  uint32_t depth = 0;  ///< of atomic regions
  std::vector<Frame> frames;
};

struct State {
  std::vector<Thread> threads;  ///< by number; those that ended have no frames
  std::map<uint64_t, Made> objects;
  std::vector<uint8_t> statics;  ///< of all static objects that are not constant, in order
  std::map<uint64_t, Term> symbols;                        ///< bytes whose values are terms, by address
  std::map<uint32_t, std::pair<Term, u128>> decided;       ///< values that terms have, by the term's number
  uint32_t inputs = 0;                                     ///< symbols with lower numbers are in use
};

/// How a step ended.
struct End {
  enum class Kind : uint8_t {
    Next,       ///< the thread stands before something that others can notice, or is over
    Input,      ///< it asks for a value of `width` bits
    Choice,     ///< it must know the value of `term`
    Over,       ///< the program ended, or an assumption does not hold
    Violation,  ///< `what` tells
    Refused,    ///< not followed here: `what` tells
  };
  Kind kind = Kind::Next;
  std::string what;
  unsigned width = 0;
  uint32_t thread = 0;
  bool token = false;  ///< Input, Choice: may the thread still do something that others notice, in this step?
  Term term = {};
  uint32_t questions = 0;  ///< Next, Choice: how many were answered without a statement executed since
};

class Executor {
 public:
  Executor(const program::Program& program, const verdict::Specification& specification);

  State start() const;
  /// Is the thread alive, and does it not wait for something that does not hold?
  bool can_step(const State& state, uint32_t thread) const;
  End step(State& state, uint32_t thread) const { return run(state, thread, true, std::nullopt, 0); }
  End give(State& state, const End& asked, u128 value) const;
  /// The state as bytes, without what is decided: equal ones are equal states.
  void write(const State& state, std::vector<uint8_t>& bytes) const;
  Symbols& symbols() const { return symbols_; }

 private:
  /// Thrown out of the middle of a statement, before it has changed anything.
  struct Stop {
    End::Kind kind;
    std::string what;
    Term term = {};
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
  u128 number(const State& state, const Value& value) const;  ///< asks, if it is a term
  static void set(Frame& frame, program::RegisterId reg, const Value& value);
  Term fresh(State& state, unsigned width) const { return symbols_.variable(width, state.inputs++); }
  Value combined(program::Rmw rmw, const Value& old, const Value& given, unsigned width) const;
  Place find(State& state, uint32_t thread, u128 address, uint64_t size, bool write, unsigned align) const;
  Value load(State& state, uint32_t thread, u128 address, unsigned bytes, unsigned align) const;
  void store(State& state, uint32_t thread, u128 address, const Value& value, unsigned bytes, unsigned align) const;
  void written(State& state, const Place& place, uint64_t size) const;
  void share(State& state, u128 pointer) const;
  void share_symbols(State& state, uint64_t address, uint64_t size) const;
  void share_from(State& state, const uint8_t* bytes, uint64_t size) const;

  bool noticed(const State& state, uint32_t thread, const program::Statement& s) const;
  bool out_of_reach(const State& state, uint32_t thread, u128 address) const;
  bool await_holds(State& state, uint32_t thread, const program::Statement& s) const;
  bool alone(const State& state, uint32_t thread) const;
  void violated(verdict::Property property, const std::string& what) const;
  void decide(State& state, Term t, u128 value) const;
  void replace(State& state, const std::function<Term(Term)>& variables) const;
  void make_normal(State& state, Term* asked = nullptr) const;
  void rename(State& state, Term* asked) const;
  void forget(State& state) const;
  void find_live();

  const program::Program& program_;
  const verdict::Specification& specification_;
  std::vector<std::optional<uint64_t>> offsets_;              ///< in State::statics, by object
  std::vector<std::vector<std::vector<bool>>> live_;          ///< by function, location, register
  mutable Symbols symbols_;
};

}  // namespace whittle::proof
