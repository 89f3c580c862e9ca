#include "engines/auto/plan.h"

#include <fmt/format.h>

#include <algorithm>

namespace whittle::engines::auto_ {

namespace {

/// Inputs of so many bits can be tried one by one.
constexpr unsigned kNarrow = 16;

struct Line {
  const char* why;
  std::vector<Turn> turns;
};

/// The first engine of a line gets a larger share: it is the most likely one to prove programs of that kind. `test`
/// stands second everywhere, because a violation that exists at all mostly shows within its first hundred runs.
Line line_for(const program::analysis::Features& f) {
  if (f.concurrent && f.spawns_in_loops)
    return {"there may be any number of threads",
            {{"crowd", 3}, {"test", 2}, {"explicit", 3}, {"guided", 2}, {"dash", 1}, {"dpr", 1}}};
  if (f.concurrent)
    return {f.inputs == 0 ? "schedules are the only choices" : "schedules and inputs to choose",
            {{"explicit", 3}, {"test", 2}, {"guided", 3}, {"crowd", 1}, {"dash", 1}, {"dpr", 1}}};
  if (f.inputs == 0 && !f.unset_memory)
    return {"without inputs there is one run",
            {{"explicit", 8}, {"test", 4}, {"dash", 3}, {"shape", 1}, {"merge", 1}, {"guided", 0.5}, {"dpr", 0.5}}};
  if (!f.unset_memory && f.widest_input <= kNarrow)
    return {"inputs of few bits",
            {{"merge", 8}, {"test", 2}, {"shape", 2}, {"explicit", 3}, {"dash", 3}, {"dpr", 2}, {"guided", 0.5}}};
  return {f.unset_memory ? "what memory holds cannot be tried one by one" : "inputs too wide to try one by one",
          {{"dash", 4}, {"test", 2}, {"shape", 2}, {"merge", 4}, {"explicit", 3}, {"guided", 0.5}, {"dpr", 0.5}}};
}

}  // namespace

Plan make_plan(const program::analysis::Features& features, const std::vector<std::string_view>& engines) {
  Line line = line_for(features);
  Plan plan{features.text(), line.why, {}};
  for (const Turn& turn : line.turns)
    if (std::ranges::find(engines, turn.engine) != engines.end()) plan.turns.push_back(turn);
  for (std::string_view engine : engines)
    if (std::ranges::none_of(plan.turns, [&](const Turn& turn) { return turn.engine == engine; }))
      plan.turns.push_back({std::string(engine), 1});
  return plan;
}

std::string Plan::sentence(unsigned cores) const {
  std::string text = look + ": trying ";
  for (size_t i = 0; i < turns.size(); ++i) {
    if (i > 0) text += i < cores ? " and " : i == cores ? ", then " : ", ";
    text += turns[i].engine;
  }
  return text + fmt::format(" ({})", why);
}

}  // namespace whittle::engines::auto_
