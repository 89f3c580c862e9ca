// The search as a decision tree: explored, pruned and failing parts.
#pragma once

#include <string>
#include <vector>

#include "engines/dpr/learn.h"

namespace whittle::engines::dpr {

class Picture {
 public:
  explicit Picture(std::string file) : file_(std::move(file)) {}

  void run(const std::vector<bool>& choices, bool violation);
  void reason(const std::vector<Literal>& choices);
  /// Writes Graphviz text to the file; does nothing if there is none. Throws Error if it cannot be written.
  void write() const;

 private:
  static constexpr size_t kMostRuns = 200;  ///< a larger tree cannot be read

  std::string file_;
  std::vector<std::pair<std::vector<bool>, bool>> runs_;
  std::vector<std::vector<Literal>> reasons_;
  size_t left_out_ = 0;
};

}  // namespace whittle::engines::dpr
