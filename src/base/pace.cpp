#include "base/pace.h"

#include <fmt/format.h>

#include <chrono>
#include <cmath>

namespace whittle {

namespace {

/// Figures that say how far a search is, by the names engines give them, in the order in which they are said.
struct Said {
  std::string_view name, word;
  bool rate = false;  ///< the first of these that is there tells the speed
  bool first = false; ///< word before number: "depth 25"
};
constexpr Said kSaid[] = {
    {"states_stored", "states", true},      {"symbolic states", "symbolic states", true},
    {"explored", "paths", true},            {"runs_full", "paths", true},
    {"iterations", "iterations", true},     {"runs", "runs", true},
    {"claims", "claims", true},             {"candidates", "candidates", true},
    {"splits", "regions split"},            {"tests", "tests"},
    {"summaries_stored", "summaries"},      {"clauses", "clauses"},
    {"statements", "statements"},           {"bound", "bound", false, true},
    {"frontier", "frontier", false, true},  {"depth", "depth", false, true},
    {"solver_calls", "solver calls"},
};
constexpr double kWindow = 2;  ///< seconds that a rate is about, at least

}  // namespace

std::string Pace::text(const Statistics& now, double seconds) {
  std::string out;
  bool rated = false;
  for (const Said& said : kSaid) {
    const uint64_t count = now.count(said.name);
    if (count == 0) continue;
    if (!out.empty()) out += ", ";
    out += said.first ? fmt::format("{} {}", said.word, count) : fmt::format("{} {}", count, said.word);
    if (!said.rate || rated) continue;
    rated = true;
    if (last_.name != said.name || count < last_.count) last_ = before_ = {std::string(said.name), 0, 0};
    if (seconds - last_.seconds >= kWindow) before_ = last_, last_ = {std::string(said.name), count, seconds};
    const double span = seconds - before_.seconds;
    if (span > 0.1) out += fmt::format(", {:.0f}/s", static_cast<double>(count - before_.count) / span);
  }
  return out;
}

std::string limits_text(Limits& limits) {
  constexpr double kMiB = 1 << 20;
  std::string text = fmt::format("{:.0f} s", limits.elapsed());
  if (std::isfinite(limits.timeout())) text += fmt::format(" of {:.0f} s", limits.timeout());
  text += fmt::format(", {:.0f} MiB", static_cast<double>(limits.memory_use().look()) / kMiB);
  if (limits.limits_memory()) text += fmt::format(" of {:.0f} MiB", static_cast<double>(limits.memory()) / kMiB);
  return text;
}

Ticker::Ticker(double seconds, std::function<void()> tick)
    : thread_([this, seconds, tick = std::move(tick)] {
        std::unique_lock lock(mutex_);
        while (!ended_.wait_for(lock, std::chrono::duration<double>(seconds), [this] { return done_; })) tick();
      }) {}

Ticker::~Ticker() {
  {
    std::lock_guard lock(mutex_);
    done_ = true;
  }
  ended_.notify_all();
  thread_.join();
}

}  // namespace whittle
