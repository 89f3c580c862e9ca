#include "base/nearest.h"

#include <algorithm>
#include <cctype>

namespace whittle {
namespace {

char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

}  // namespace

unsigned edit_distance(std::string_view a, std::string_view b) {
  // Three rows of the usual table: a swap looks two rows back.
  std::vector<unsigned> before(b.size() + 1), previous(b.size() + 1), current(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) current[j] = static_cast<unsigned>(j);
  for (size_t i = 1; i <= a.size(); ++i) {
    before.swap(previous);
    previous.swap(current);
    current[0] = static_cast<unsigned>(i);
    for (size_t j = 1; j <= b.size(); ++j) {
      bool same = lower(a[i - 1]) == lower(b[j - 1]);
      current[j] = std::min({previous[j] + 1, current[j - 1] + 1, previous[j - 1] + (same ? 0 : 1)});
      if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1]))
        current[j] = std::min(current[j], before[j - 2] + 1);
    }
  }
  return current[b.size()];
}

std::string nearest(std::string_view name, std::span<const std::string> candidates) {
  size_t limit = std::max<size_t>(2, name.size() / 3);
  size_t best = std::min(limit + 1, name.size());
  std::string answer;
  for (const std::string& candidate : candidates) {
    size_t distance = edit_distance(name, candidate);
    if (distance < best) best = distance, answer = candidate;
  }
  return answer;
}

std::string suggestion(std::string_view name, std::span<const std::string> candidates) {
  std::string best = nearest(name, candidates);
  return best.empty() ? "" : " (did you mean `" + best + "`?)";
}

}  // namespace whittle
