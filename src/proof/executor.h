// The meaning of statements, written down a second time, for the checker only: states as plain values, one step after
// the other, no speed. It shares with the engines the program and the meaning of terms; executor_test.cpp holds it
// against their machine.
//
//   Executor executor(program, specification);
//   State state = executor.start();
//   End end = executor.step(state, 0);      // thread 0 runs until others could notice it again
//   if (end.kind == End::Kind::Input) end = executor.give(state, end, value);
//
// A step is what one thread does from one moment that others can notice up to the next: it may begin with one statement
// that others can notice, and ends before the next such statement. States between steps are normal: registers that are
// never read again are 0, and objects that ended are forgotten once nothing could be a pointer to them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "program/program.h"
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
};

/// How a step ended.
struct End {
  enum class Kind : uint8_t {
    Next,       ///< the thread stands before something that others can notice, or is over
    Input,      ///< it asks for a value of `width` bits
    Over,       ///< the program ended, or an assumption does not hold
    Violation,  ///< `what` tells
    Refused,    ///< not followed here: `what` tells
  };
  Kind kind = Kind::Next;
  std::string what;
  unsigned width = 0;
  uint32_t thread = 0;
  bool token = false;  ///< Input: may the thread still do something that others notice, in this step?
};

class Executor {
 public:
  Executor(const program::Program& program, const verdict::Specification& specification);

  State start() const;
  /// Is the thread alive, and does it not wait for something that does not hold?
  bool can_step(const State& state, uint32_t thread) const;
  End step(State& state, uint32_t thread) const { return run(state, thread, true, std::nullopt); }
  End give(State& state, const End& asked, u128 value) const { return run(state, asked.thread, asked.token, value); }
  /// The state as bytes: equal ones are equal states.
  void write(const State& state, std::vector<uint8_t>& bytes) const;

 private:
  /// Thrown out of the middle of a statement, before it has changed anything.
  struct Stop {
    End::Kind kind;
    std::string what;
  };
  struct Place {  ///< some bytes of one object
    uint8_t* bytes = nullptr;
    Made* made = nullptr;  ///< none: static
    uint64_t offset = 0;   ///< Made: in the object; otherwise in State::statics, if it is not constant
  };

  End run(State& state, uint32_t thread, bool token, std::optional<u128> input) const;
  void execute(State& state, uint32_t thread, const program::Edge& edge, std::optional<u128>& input) const;
  void execute_object(State& state, uint32_t thread, const program::Edge& edge) const;
  void call(State& state, uint32_t thread, const program::Statement& call, program::FunctionId callee, size_t first) const;
  void leave(State& state, uint32_t thread, std::optional<u128> value) const;
  void end_thread(State& state, uint32_t thread) const;
  void end_objects(State& state, uint32_t thread, uint32_t frame, uint32_t from) const;
  uint64_t make(State& state, uint32_t thread, Made made, uint64_t align) const;

  u128 value(const Frame& frame, term::Term t) const;
  Place find(State& state, uint32_t thread, u128 address, uint64_t size, bool write, unsigned align) const;
  u128 load(State& state, uint32_t thread, u128 address, unsigned bytes, unsigned align) const;
  void store(State& state, uint32_t thread, u128 address, u128 value, unsigned bytes, unsigned align) const;
  void written(State& state, const Place& place, uint64_t size) const;
  void share(State& state, u128 pointer) const;
  void share_from(State& state, const uint8_t* bytes, uint64_t size) const;

  bool noticed(const State& state, uint32_t thread, const program::Statement& s) const;
  bool out_of_reach(const State& state, uint32_t thread, u128 address) const;
  bool await_holds(State& state, uint32_t thread, const program::Statement& s) const;
  bool alone(const State& state, uint32_t thread) const;
  void violated(verdict::Property property, const std::string& what) const;
  void make_normal(State& state) const;
  void forget(State& state) const;
  void find_live();

  const program::Program& program_;
  const verdict::Specification& specification_;
  std::vector<std::optional<uint64_t>> offsets_;              ///< in State::statics, by object
  std::vector<std::vector<std::vector<bool>>> live_;          ///< by function, location, register
};

}  // namespace whittle::proof
