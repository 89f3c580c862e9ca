// The answer of an engine, and the evidence for it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/int128.h"
#include "base/statistics.h"
#include "verdict/property.h"

namespace whittle::verdict {

enum class Answer : uint8_t { True, False, Unknown };

/// A nondeterministic value that a run consumed.
struct Input {
  unsigned width = 32;
  u128 value = 0;
  std::string origin;  ///< "__VERIFIER_nondet_int", "uninitialised x", "return value of getc", ...
  std::string file;
  unsigned line = 0;
};

/// Everything needed to run into the violation again: the inputs in the order in which they are asked for, and for each
/// visible step the thread that takes it (empty: the only thread).
struct Counterexample {
  std::vector<Input> inputs;
  std::vector<uint32_t> schedule;
};

/// One executed statement, for people.
struct TraceStep {
  uint32_t thread = 0;
  std::string function;
  std::string file;
  unsigned line = 0;
  unsigned column = 0;
  std::string statement;                                     ///< C-like text of the statement
  std::vector<std::pair<std::string, std::string>> changes;  ///< variable (or memory) and its new value
  std::string note;  ///< "thread 1 starts", "input: x = 5", "interrupt INT0", ...
  unsigned depth = 0;  ///< calls of the user's functions around it
};

struct Trace {
  std::vector<TraceStep> steps;
  std::optional<size_t> loop_start;  ///< lasso: after the last step it goes on with this one
};

struct Violation {
  Property property = Property::UnreachCall;
  std::string message;  ///< "assertion x == 1 failed", "write of 4 bytes at offset 40 of buf (40 bytes)", ...
  std::string function;
  std::string file;
  unsigned line = 0;
  uint32_t thread = 0;
  unsigned column = 0;  ///< 0: not known
};

/// The same property at the same line and column and, of assertions, the same one.
bool same_place(const Violation& a, const Violation& b);

struct Verdict {
  Answer answer = Answer::Unknown;
  std::string reason;  ///< True: what was proved; Unknown: why (limit, bound and loop, construct and line)
  std::optional<Violation> violation;
  Counterexample counterexample;
  Trace trace;
  std::vector<std::string> assumptions;  ///< "function `foo` has no body: returns any value, changes nothing", ...
  Statistics statistics;
  std::string engine;
  std::vector<std::string> notes;  ///< what else a reader should know: what `true` covers, an engine that crashed, ...
};

/// `true`, `false(unreach-call)`, `unknown`: the last line on stdout.
std::string verdict_line(const Verdict& verdict);

}  // namespace whittle::verdict
