// The standard streams of a compiler, in memory.
#pragma once

#include <string>

#include "compiler/compiler.h"

namespace whittle::compiler {

class Streams {
 public:
  explicit Streams(const std::string& input);
  ~Streams();
  Streams(const Streams&) = delete;
  Streams& operator=(const Streams&) = delete;

  int in() const { return in_; }
  int out() const { return out_; }
  int err() const { return err_; }

  /// Waits for the process that has these streams and gathers what it left.
  Outcome outcome_of(int process);

 private:
  int in_, out_, err_;
};

}  // namespace whittle::compiler
