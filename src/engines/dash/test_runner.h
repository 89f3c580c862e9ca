// Runs tests: the symbolic machine, listened to. Objects are put where the model (Space) says, so a predicate's
// addresses are those of the run.
//
//   TestRunner runner(space, code);
//   Test test = runner.run(plan, more, bounds, limits);
//   test.end                                   // Error: runner.counterexample() shows it
#pragma once

#include <functional>
#include <memory>

#include "base/limits.h"
#include "engines/dash/test.h"
#include "exec/strays.h"
#include "exec/symbolic.h"
#include "semantics/access.h"
#include "verdict/verdict.h"

namespace whittle::engines::dash {

struct TestLimits {
  uint64_t statements = 2'000'000;  ///< in all
  uint32_t visits = 20'000;         ///< that are kept
  size_t contexts = 20'000;
  size_t changes = 8'000'000;  ///< of registers and bytes: each takes some 40 bytes
  uint32_t depth = 19'000;     ///< of calls; the machine itself gives up at 20,000
};

/// What a test is to be given.
struct TestPlan {
  std::vector<u128> inputs;                        ///< the first ones, whatever asks for them
  std::vector<u128> later;                         ///< for Nondet statements after these
  std::unordered_map<uint64_t, uint8_t> memory{};  ///< for bytes without a value, when they are read after these
  /// Test::watched tells whether the run came to this edge of the context.
  uint32_t watch_context = program::kNone, watch_edge = program::kNone;
};

class TestRunner : private exec::Listener, private exec::Strays {
 public:
  TestRunner(Space& space, std::shared_ptr<const exec::Code> code);

  /// All other inputs are what `more` says for input number n (of a width).
  using More = std::function<u128(size_t, unsigned)>;
  Test run(const TestPlan& plan, const More& more, const TestLimits& bounds, Limits& limits);

  /// The inputs of the last run, as every engine gives them.
  const verdict::Counterexample& counterexample() const { return counterexample_; }

 private:
  // What the machine tells
  void statement(uint32_t thread, program::FunctionId function, uint32_t edge) override;
  void withdrawn(uint32_t thread) override;
  void executed(uint32_t thread, program::FunctionId function, uint32_t edge) override;
  uint64_t place(uint32_t thread, program::FunctionId function, uint32_t edge, uint64_t size) override;

  bool too_long(Limits& limits) const;
  void provide(const exec::Pause& pause);
  void note_accident(const program::Statement& s, const semantics::Access& access);
  void go_astray(const program::Statement& s);
  void finish(const exec::Pause& pause);
  bool depends_on_inputs(const program::Statement& s) const;
  uint64_t operand(term::Term t) const;
  void arrive(uint32_t context, program::LocationId to);
  void keep_targets(const program::Statement& s);
  void keep_register(uint32_t context, uint32_t frame, program::RegisterId reg);
  void keep_memory(uint64_t address, uint64_t size);
  void made_object(const program::Statement& s, uint32_t edge);
  void enter(uint32_t edge);
  void leave();
  void end_stack_objects(uint32_t context);

  Space& space_;
  exec::SymbolicMachine machine_;
  exec::Machine& concrete_;
  const TestPlan* plan_ = nullptr;
  const More* more_ = nullptr;
  TestLimits bounds_;
  size_t later_ = 0;  ///< of plan_->later that were used
  Test test_;
  verdict::Counterexample counterexample_;
  uint32_t context_ = 0, frame_ = 0;
  uint32_t announced_ = 0;  ///< the edge announced last
  uint64_t written_ = 0, written_size_ = 0;  ///< by the statement announced last
  uint64_t next_heap_ = 0, next_stack_ = 0;  ///< for objects that the model gives no address
  bool full_ = false;                        ///< no addresses are left for these
  bool astray_ = false;                      ///< the rest of the run does not count
};

}  // namespace whittle::engines::dash
