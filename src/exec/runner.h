// Runs a program from start to end: which inputs, which thread next. Used by `whittle run`, by the test engine and to
// replay counterexamples.
//
//   exec::RunPlan plan;                       // all inputs zero, threads run until they block
//   plan.inputs = {5, 7};                     // first two inputs, then zeros
//   exec::RunResult result = exec::run(code, plan, limits);
//   if (result.end == RunEnd::Violation) std::cout << result.violation->message;
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/limits.h"
#include "exec/machine.h"
#include "verdict/verdict.h"

namespace whittle::exec {

struct RunPlan {
  enum class Inputs : uint8_t { Zero, Random };                        ///< what comes after the listed inputs
  enum class Scheduling : uint8_t { RunToBlock, RoundRobin, Random };  ///< what comes after the listed steps
  std::vector<u128> inputs;
  std::vector<uint32_t> schedule;  ///< one thread number per scheduling pause; one that cannot run is passed over
  Inputs more_inputs = Inputs::Zero;
  Scheduling more_steps = Scheduling::RunToBlock;
  uint64_t seed = 0;
  uint64_t max_statements = UINT64_MAX;
  bool keep_trace = false;       ///< collect RunResult::trace
  size_t max_trace = 1'000'000;  ///< steps; the oldest are dropped
  uint64_t untold = 0;           ///< first statements that no trace is made of
  Machine::Sink output;
  Listener* listener = nullptr;  ///< hears every statement; not together with keep_trace
};

enum class RunEnd : uint8_t { Halted, Violation, Cut, Pruned, Deadlock, Budget, Stopped };

struct RunResult {
  RunEnd end = RunEnd::Halted;
  int32_t status = 0;
  bool aborted = false;
  std::optional<verdict::Violation>
      violation;       ///< Violation; Deadlock too if no-deadlock is checked (end is Violation then)
  std::string reason;  ///< Cut, Stopped
  verdict::Counterexample counterexample;  ///< inputs consumed and schedule taken, whatever the end
  verdict::Trace trace;
  uint64_t statements = 0;
};

/// `limits` may be null.
RunResult run(const std::shared_ptr<const Code>& code, const RunPlan& plan, Limits* limits = nullptr);

/// Runs the inputs and the schedule of a counterexample; the result has a trace. The caller compares the violation.
RunResult replay(const std::shared_ptr<const Code>& code, const verdict::Counterexample& counterexample,
                 Limits* limits = nullptr);

/// Builds the steps of a trace while a machine runs: install with Machine::set_listener. Statements inside functions of
/// the runtime are left out; the call of one is shown.
class Tracer : public Listener {
 public:
  explicit Tracer(Machine& machine, size_t max_steps = 1'000'000);
  ~Tracer() override;
  void statement(uint32_t thread, program::FunctionId function, uint32_t edge) override;
  void withdrawn(uint32_t thread) override;
  void note(uint32_t thread, std::string text);  ///< attached to the last step of the thread: "input: 5"
  void explain(verdict::Violation& violation) const;  ///< names the object it is about; where it was freed
  size_t size() const;                           ///< steps so far
  verdict::Trace finish();                       ///< after the run ended

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace whittle::exec
