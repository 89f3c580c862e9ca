#include "exec/coverage.h"

#include <algorithm>
#include <utility>

namespace whittle::exec {

namespace {

constexpr size_t kNothing = SIZE_MAX;

}  // namespace

Coverage::Coverage(const program::Program& program) : program_(program) {
  size_t edges = 0;
  for (const program::Function& function : program.functions) {
    first_.push_back(edges);
    if (!function.runtime) edges += function.edges.size();
  }
  counts_.resize(edges);
  now_.resize(edges);
}

void Coverage::statement(uint32_t thread, program::FunctionId function, uint32_t edge) {
  if (last_.size() <= thread) last_.resize(thread + 1, kNothing);
  last_[thread] = kNothing;
  if (program_.functions[function].runtime) return;
  const size_t at = first_[function] + edge;
  if (now_[at]++ == 0) touched_.push_back(at);
  last_[thread] = at;
}

void Coverage::withdrawn(uint32_t thread) {
  if (thread >= last_.size() || last_[thread] == kNothing) return;
  const size_t at = std::exchange(last_[thread], kNothing);
  if (--now_[at] == 0) std::erase(touched_, at);
}

uint64_t Coverage::fresh() const {
  return static_cast<uint64_t>(std::ranges::count_if(touched_, [&](size_t at) { return now_[at] != 0 && counts_[at] == 0; }));
}

void Coverage::keep(Coverage* other) {
  for (size_t at : touched_) {
    counts_[at] += now_[at];
    if (other) other->counts_[at] += now_[at];
  }
  ++runs_;
  if (other) ++other->runs_;
  drop();
}

void Coverage::drop() {
  for (size_t at : touched_) now_[at] = 0;
  touched_.clear();
  std::ranges::fill(last_, kNothing);
}

uint64_t Coverage::reached() const {
  return static_cast<uint64_t>(std::ranges::count_if(counts_, [](uint64_t count) { return count != 0; }));
}

}  // namespace whittle::exec
