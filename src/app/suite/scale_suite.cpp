#include "app/suite/scale_suite.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "app/suite/arguments.h"
#include "app/suite/check_file.h"
#include "app/suite/table.h"

namespace whittle::app::suite {

namespace {

struct Model {
  const char* name;
  const char* folder;
  const char* file;
  std::vector<std::string> flags, quick;  ///< for clang
};

const std::array<Model, 2>& models() {
  static const std::array<Model, 2> kModels{{
      {"Peterson's filter lock", "explicit-peers", "peterson.c", {"-DN=5"}, {"-DN=4"}},
      {"lock-free queue", "scale", "queue.c", {"-DITEMS=6"}, {"-DITEMS=2"}},
  }};
  return kModels;
}

constexpr std::array<unsigned, 3> kThreads{1, 2, 8};
constexpr double kTimeout = 600;

struct Best {
  uint64_t states = 0;
  double seconds = std::numeric_limits<double>::infinity(), cpu_seconds = 0, bytes = 0;
  bool proved = true;
};

/// The fastest of several rounds, in which all numbers of threads take turns.
std::array<Best, kThreads.size()> measure(const InputOptions& input, int rounds, Context& context) {
  std::array<Best, kThreads.size()> best;
  for (int round = 0; round < rounds; ++round)
    for (size_t i = 0; i < kThreads.size(); ++i) {
      Measured m = check_file(input, "explicit", {{"cores", std::to_string(kThreads[i])}}, kTimeout, context);
      best[i].proved &= m.verdict.answer == verdict::Answer::True;
      best[i].states = m.count("states_stored");
      best[i].bytes = m.number("bytes_per_state");
      if (m.number("seconds") >= best[i].seconds) continue;
      best[i].seconds = m.number("seconds");
      best[i].cpu_seconds = m.number("cpu_seconds");
    }
  return best;
}

}  // namespace

int scale(const std::vector<std::string>& arguments, Context& context) {
  Arguments options(arguments, {"--dir", "--rounds", "--json"}, {"--quick"});
  const int rounds = std::max(1, std::atoi(options.value("--rounds", "2").c_str()));
  Table table("The explicit engine with several threads. Speed-up: by time passed, over one thread.",
              {"model", "threads", "states", "seconds", "cpu seconds", "states/s", "bytes/state", "speed-up", "proved"});
  bool good = true;
  for (const Model& model : models()) {
    if (context.limits.poll_now() != Stop::No) break;
    context.progress.update([&] { return std::string(model.name); });
    InputOptions input;
    const std::string folder = options.value("--dir").empty() ? bench_folder(model.folder) : options.value("--dir");
    input.files = {folder + "/" + model.file};
    input.clang_flags = options.flag("--quick") ? model.quick : model.flags;
    const auto best = measure(input, rounds, context);
    context.progress.clear();
    for (size_t i = 0; i < kThreads.size(); ++i) {
      const bool same = best[i].proved && best[i].states == best[0].states;
      good &= same;
      table.add({model.name, std::to_string(kThreads[i]), grouped(best[i].states), fmt::format("{:.2f}", best[i].seconds),
                 fmt::format("{:.2f}", best[i].cpu_seconds),
                 grouped(static_cast<uint64_t>(static_cast<double>(best[i].states) / best[i].seconds)),
                 fmt::format("{:.1f}", best[i].bytes), fmt::format("{:.2f}", best[0].seconds / best[i].seconds),
                 same ? "yes" : "NO"});
    }
  }
  table.print();
  write_json(options.value("--json"), {&table});
  return good ? 0 : 70;
}

}  // namespace whittle::app::suite
