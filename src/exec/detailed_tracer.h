// Turns executed statements into steps that people read: install with Machine::set_listener. Statements inside functions of
// the runtime are left out; the call of one is shown.
//
//   Told told = tell(code, counterexample, &limits);      // the whole run
#pragma once

#include <memory>
#include <optional>

#include "base/limits.h"
#include "exec/machine.h"
#include "verdict/detailed_trace.h"

namespace whittle::exec {

class DetailedTracer : public Listener {
 public:
  /// Of more steps, the oldest are dropped; so are those of the first `untold` statements, and no text is made for them.
  explicit DetailedTracer(Machine& machine, size_t max_steps = 1'000'000, uint64_t untold = 0);
  ~DetailedTracer() override;
  void statement(uint32_t thread, program::FunctionId function, uint32_t edge) override;
  void withdrawn(uint32_t thread) override;
  void note(uint32_t thread, std::string text);  ///< attached to the last step of the thread: "input: 5"
  /// The call of the library that the thread is in takes an input: what it returns is worth telling.
  void asked(uint32_t thread);
  /// Memory without a value, that the thread reads, is about to get one. Returns how the line names the place, and the value by its type; nothing
  /// if that has no name.
  std::optional<std::pair<std::string, std::string>> given(uint32_t thread, uint64_t address, u128 value, unsigned width);
  /// Names the object it is about and where it was freed; of a deadlock, who waits for what.
  void explain(verdict::Violation& violation) const;
  size_t size() const;      ///< steps so far
  /// An object, or a piece of one, that inputs were stored into one after the other by one call.
  struct Filled {
    std::vector<uint64_t> asked;  ///< steps that asked for one
    std::string name, value;      ///< "p", "{x = 1, y = 2}"
  };
  std::vector<Filled> filled() const;  ///< before finish()
  verdict::DetailedTrace finish();  ///< after the run ended

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// A counterexample, run once more.
struct Told {
  verdict::DetailedTrace trace;
  std::optional<verdict::Violation> violation;
  verdict::Counterexample counterexample;
};
Told tell(const std::shared_ptr<const Code>& code, const verdict::Counterexample& counterexample, Limits* limits = nullptr);

}  // namespace whittle::exec
