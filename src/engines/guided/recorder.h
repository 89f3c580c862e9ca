// Writes down what a thread does between two scheduling points, as weakest preconditions need it (wp/step.h), together
// with what must be so for another state at the same place to do the same: bytes accessed, functions called, checks
// passed. (Addresses could be freer within their object, but then partial order reduction would have relied on more
// than the summary says, and every write would have to be told apart from every read: see docs/guided.md.) Conditions
// of branches are demanded ("firm") unless the other side is explored, too: loosen().
#pragma once

#include <vector>

#include "exec/symbolic.h"
#include "wp/step.h"

namespace whittle::engines::guided {

/// Numbers of frames in predicates: one for each thread and depth.
constexpr wp::FrameId frame_id(uint32_t thread, uint32_t depth) { return thread << 20 | depth; }
constexpr uint32_t thread_of(wp::FrameId frame) { return frame >> 20; }
constexpr uint32_t depth_of(wp::FrameId frame) { return frame & 0xfffff; }

class Recorder : public exec::Listener {
 public:
  Recorder(const program::Program& program, exec::SymbolicMachine& machine)
      : program_(program), machine_(machine.machine()) {}

  void begin();  ///< of a step
  /// The machine asked for a value of memory: the statement announced last reads bytes without one.
  void uninitialised();
  void finish();  ///< the step is over
  /// What was written down since mark() did not happen after all.
  struct Mark {
    size_t steps = 0;
    uint64_t announced = 0;
    bool usable = true, full = false;
  };
  Mark mark() const { return {path_.size(), announced_, usable_, full_}; }
  void rewind(const Mark& mark);
  /// The condition of the statement that was announced as the n-th need not hold.
  void loosen(uint64_t announced);
  /// Nothing happened that cannot be written down.
  bool usable() const { return usable_; }
  wp::Path take() { return std::move(path_); }

  void statement(uint32_t thread, program::FunctionId function, uint32_t edge) override;
  void withdrawn(uint32_t thread) override;

 private:
  void settle();
  void note(const program::Statement& s, wp::Step& step);
  void note_accesses(const program::Statement& s, wp::Step& step);
  uint64_t evaluate(term::Term operand) const;
  void demand_value(const program::Statement& s, wp::Step& step, size_t operand);

  const program::Program& program_;
  const exec::View& machine_;
  bool usable_ = true;
  bool uninitialised_ = false;
  bool full_ = false;  ///< the step is too long to be written down
  bool open_ = false;  ///< the last step is announced, not known to have been executed
  uint32_t frame_ = 0;
  uint64_t announced_ = 0;
  wp::Path path_;
  std::vector<uint64_t> numbers_;  ///< by step: number of its announcement
};

}  // namespace whittle::engines::guided
