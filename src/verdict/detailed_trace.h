// A run told for people: what every report is made from.
//
// A verdict::Trace is what engines hand over; a DetailedTrace knows more, because it is made by running the counterexample once
// more: which write a read saw, one name for a piece of memory whoever looks at it, what threads are called.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "verdict/verdict.h"

namespace whittle::verdict {

/// A variable or a piece of memory, and its new value.
struct Change {
  std::string name;        ///< as the statement says it: "n->next"
  std::string value;
  std::string place = {};  ///< the same for whoever looks at it: "node #1.next"; empty: a local variable of the function
  uint32_t variable = 0;   ///< number in DetailedTrace::variables that it is, or is part of; 0: not known
  bool operator==(const Change&) const = default;
};

/// A variable or an object of the run. Several may have the same name: of other calls, other blocks, other files.
struct Variable {
  std::string name;
  uint32_t thread = 0;  ///< of a local one
  uint32_t frame = 0;   ///< of a local one: the call it belongs to; 0: static or on the heap
};

/// A round of a loop, or a call of a function by itself, inside of others.
struct Round {
  uint32_t around = 0;  ///< number in DetailedTrace::rounds; 0: none
  uint32_t loop = 0;    ///< the same for all rounds, from where the loop is entered until it is left
  uint64_t number = 0;  ///< from 1
  enum class Kind : uint8_t { Loop, Call, Return } kind = Kind::Loop;
};

/// What a statement read from memory that it shares with other functions or threads, and which step had written it.
struct Read {
  std::string name;
  std::string value;
  uint64_t writer = 0;  ///< number of the step in the trace, from 1; 0: no step that is shown
  bool operator==(const Read&) const = default;
};

/// One executed statement.
struct DetailedStep {
  uint32_t thread = 0;
  std::string function;
  std::string file;
  unsigned line = 0;
  unsigned column = 0;
  std::string statement;
  std::vector<Change> changes;
  std::string note;
  unsigned depth = 0;  ///< calls of the user's functions around it
  std::vector<Read> reads = {};
  std::string callee = {};                ///< of a call that goes into one of the user's functions
  std::vector<Change> arguments = {};     ///< of that call: the callee's parameters
  uint32_t frame = 0;                     ///< number of the call that it belongs to, from 1; 0: not known
  uint32_t round = 0;                     ///< number in DetailedTrace::rounds; 0: none
  std::vector<uint32_t> ended = {};       ///< variables that were there before it and are there no more
  std::optional<uint64_t> cycles = {};    ///< of a chip: its clock's cycles since the begin of the run
};

struct DetailedTrace {
  /// Of an input of the counterexample.
  struct InputName {
    std::string variable;  ///< that the program put it into; empty: none, or not known
    uint32_t thread = 0;   ///< that asked for it
    std::string text = {};  ///< its value as the source writes it, if that is no number: "RED", "'q'"
    std::string format = {};  ///< if scanf asked for it: its format
    std::string whole = {};  ///< of a struct, an array or a text that inputs were put into one after the other: its value
    size_t count = 1;        ///< those inputs, this one first
    bool inside = false;    ///< a choice that the model of a library function makes, and not what the function returns
  };
  std::vector<DetailedStep> steps;
  std::optional<size_t> loop_start;  ///< as in Trace
  std::vector<std::string> lanes;    ///< by thread: the function it began with, "interrupts", ...; may be shorter
  std::vector<InputName> inputs;     ///< by input; may be shorter
  std::vector<Variable> variables;   ///< by number; the first is no variable
  std::vector<Round> rounds;         ///< by number; the first is no round
  std::vector<bool> ended;           ///< by thread: it ended with its last step; may be shorter
  uint64_t dropped = 0;              ///< steps before the first one that were not kept
};

/// What a trace says, no more.
DetailedTrace detailed(const Trace& trace);
/// The other way round: what is more than a trace is left out.
Trace plain(const DetailedTrace& detailed);

}  // namespace whittle::verdict
