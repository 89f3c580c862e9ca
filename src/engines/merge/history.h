// What was asked for and made on all ways, in order: enough to run one of them on the concrete machine.
#pragma once

#include <memory>
#include <vector>

#include "base/limits.h"
#include "engines/merge/model.h"
#include "exec/runner.h"

namespace whittle::engines::merge {

class History {
 public:
  /// A Nondet statement, or (`bytes` not 0) bytes without a value that are read.
  struct Asked {
    Term when;
    Term variable;
    uint64_t address = 0;
    uint64_t bytes = 0;
  };
  struct Made {
    Term when;
    uint64_t address = 0;
    program::FunctionId function = program::kNone;
    uint32_t edge = program::kNone;
  };

  void asked(Asked asked) { asked_.push_back(asked); }
  void made(Made made) { made_.push_back(made); }
  void restart() { asked_.clear(), made_.clear(); }

  /// Runs the inputs of the model, with objects where the states have them, and then, to be believed, as everybody
  /// replays: the result of that.
  exec::RunResult replay(Model& model, const std::shared_ptr<const exec::Code>& code, Limits& limits) const;

 private:
  std::vector<Asked> asked_;
  std::vector<Made> made_;
};

}  // namespace whittle::engines::merge
