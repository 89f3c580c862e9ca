// Which statements of a program runs of the machine have executed, and how often.
//
//   Coverage coverage(program);
//   machine.set_listener(&coverage);
//   ...                                  // a run
//   coverage.keep();                     // or drop(): an assumption failed, so it was no run of the program
//   coverage.count(function, edge)
//
// Functions of the runtime are left out.
#pragma once

#include <cstdint>
#include <vector>

#include "exec/machine.h"

namespace whittle::exec {

class Coverage : public Listener {
 public:
  explicit Coverage(const program::Program& program);

  void statement(uint32_t thread, program::FunctionId function, uint32_t edge) override;
  void withdrawn(uint32_t thread) override;

  /// Edges of the run since the last keep() or drop() that no kept run had executed.
  uint64_t fresh() const;
  /// Counts the run. Another coverage of the same program may take it, too.
  void keep(Coverage* other = nullptr);
  void drop();

  /// How often kept runs executed the edge.
  uint64_t count(program::FunctionId function, uint32_t edge) const { return counts_[first_[function] + edge]; }
  uint64_t edges() const { return counts_.size(); }  ///< of the program's own functions
  uint64_t reached() const;
  uint64_t runs() const { return runs_; }

 private:
  const program::Program& program_;
  std::vector<size_t> first_;       ///< by function
  std::vector<uint64_t> counts_;    ///< of kept runs
  std::vector<uint64_t> now_;       ///< of this run
  std::vector<size_t> touched_;     ///< where now_ is not 0
  std::vector<size_t> last_;        ///< by thread: what it was announced to execute
  uint64_t runs_ = 0;
};

}  // namespace whittle::exec
