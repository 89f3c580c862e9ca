// States as plain values, for the checker's executor.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "program/program.h"
#include "proof/symbols.h"

namespace whittle::proof {

struct Made {  ///< an object that the program made, by its address in State::objects
  enum class Kind : uint8_t { Heap, Stack, ThreadLocal };
  Kind kind = Kind::Heap;
  bool alive = true;
  bool shared = false;     ///< other threads may have its address
  uint32_t thread = 0;     ///< that made it
  uint32_t frame = 0;      ///< Stack: of which frame,
  uint32_t sequence = 0;   ///< and the how manieth there
  uint32_t edge = program::kNone;  ///< Stack: that made it
  std::vector<uint8_t> bytes;
  std::vector<bool> known;  ///< has the byte a value?
};

struct Frame {
  program::FunctionId function = 0;
  program::LocationId location = 0;  ///< of a frame that called another one: before the call
  uint32_t made = 0;                 ///< objects on the stack so far
  std::vector<u128> registers;
  std::map<program::RegisterId, Term> symbols;  ///< registers whose values are terms
  std::vector<std::pair<uint32_t, uint32_t>> rounds = {};  ///< paths: of loops around the location, and how often they came round
};

struct Thread {
  bool alive = true;
  uint32_t depth = 0;  ///< of atomic regions
  std::vector<Frame> frames;
  uint32_t phase = 0;  ///< among others: of a call that takes two steps
  std::set<std::tuple<size_t, program::FunctionId, program::LocationId>> heads = {};  ///< of loops, passed in this step
};

struct Within {  ///< an address is one of these
  uint64_t first = 0, last = 0;
};

struct State {
  std::vector<Thread> threads;  ///< by number; those that ended have no frames
  std::map<uint64_t, Made> objects;
  std::vector<uint8_t> statics;  ///< of all static objects that are not constant, in order
  std::map<uint64_t, Term> symbols;                        ///< bytes whose values are terms, by address
  std::map<uint32_t, std::pair<Term, u128>> decided;       ///< values that terms have, by the term's number
  uint32_t inputs = 0;                                     ///< symbols with lower numbers are in use
  std::vector<bool> open;                                  ///< among others: static bytes that hold any value
  std::map<uint32_t, Within> within;                       ///< among others: what is known of addresses, by the term's number
};

/// Bytes as a number, the lowest first.
u128 word(const uint8_t* bytes, uint64_t size);
void set(Frame& frame, program::RegisterId reg, const Value& value);

}  // namespace whittle::proof
