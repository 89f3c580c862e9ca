#include "app/suite/dead_variables_suite.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "app/suite/arguments.h"
#include "app/suite/check_file.h"
#include "app/suite/table.h"

namespace whittle::app::suite {

namespace {

enum Analysis { kNone, kStatic, kDynamic };
constexpr std::array<const char*, 3> kNames{"none", "static", "dynamic"};

struct Published {
  const char* model;
  std::array<uint64_t, 3> states;  ///< by analysis
  std::array<double, 3> seconds;
};
constexpr Published kModels[] = {
    {"easy3", {34640, 15814, 10330}, {12.764, 6.605, 8.105}},
    {"littleBranch", {864, 721, 530}, {0.442, 0.405, 0.223}},
    {"multiBranch", {294515, 217454, 145440}, {109.170, 81.780, 156.640}},
    {"lexer", {262843, 226169, 74024}, {88.391, 77.633, 105.56}},
    {"robot", {35865, 27940, 27784}, {12.838, 10.377, 11.494}},
    {"bintree", {157828, 154084, 103839}, {60.608, 61.061, 67.530}},
};
constexpr double kTimeout = 300;
constexpr double kMostTime = 1.3;  ///< times that of no analysis
constexpr int kRounds = 3;         ///< the fastest counts: other work on the machine only ever adds

struct Row {
  std::array<uint64_t, 3> states{};
  std::array<double, 3> seconds{};
  bool complete = true;
};

Row measure(const std::string& file, Context& context) {
  InputOptions input;
  input.files = {file};
  Row row;
  row.seconds.fill(kTimeout);
  for (int round = 0; round < kRounds; ++round)
    for (int a = kNone; a <= kDynamic; ++a) {
      Measured m = check_file(input, "explicit", {{"states", "statements"}, {"reduce", "none"}, {"dead", kNames[a]}},
                              kTimeout, context);
      row.complete &= m.verdict.answer == verdict::Answer::True;
      row.states[a] = m.count("states_stored");
      // Of the search alone: what comes before it is the same for all.
      row.seconds[a] = std::min(row.seconds[a], m.number("cpu_seconds"));
    }
  return row;
}

std::string saved(uint64_t of, uint64_t all) {
  return fmt::format("{:.0f}%", all == 0 ? 0 : 100 - 100.0 * static_cast<double>(of) / static_cast<double>(all));
}

}  // namespace

int dead_variables(const std::vector<std::string>& arguments, Context& context) {
  Arguments options(arguments, {"--dir", "--json"}, {});
  std::string folder = options.value("--dir");
  if (folder.empty()) folder = bench_folder("dead-variables");

  Table states("States, without analysis and with static and dynamic dead variables. Published, then measured.",
               {"model", "none", "static", "dynamic", "saved", "none", "static", "dynamic", "saved", "in order"});
  Table times("Seconds of the same searches. Published, then measured; ratio is dynamic / none.",
              {"model", "none", "static", "dynamic", "ratio", "none", "static", "dynamic", "ratio", "within 1.3"});
  bool complete = true;
  for (const Published& p : kModels) {
    if (context.limits.poll_now() != Stop::No) break;
    context.progress.update([&] { return std::string(p.model); });
    Row row = measure(folder + "/" + p.model + ".c", context);
    context.progress.clear();
    complete &= row.complete;
    bool ordered =
        row.complete && row.states[kDynamic] < row.states[kStatic] && row.states[kStatic] <= row.states[kNone];
    states.add({p.model, grouped(p.states[kNone]), grouped(p.states[kStatic]), grouped(p.states[kDynamic]),
                saved(p.states[kDynamic], p.states[kNone]), grouped(row.states[kNone]), grouped(row.states[kStatic]),
                grouped(row.states[kDynamic]), saved(row.states[kDynamic], row.states[kNone]), ordered ? "yes" : "NO"});
    double ratio = row.seconds[kDynamic] / row.seconds[kNone];
    times.add({p.model, fmt::format("{:.2f}", p.seconds[kNone]), fmt::format("{:.2f}", p.seconds[kStatic]),
               fmt::format("{:.2f}", p.seconds[kDynamic]),
               fmt::format("{:.2f}", p.seconds[kDynamic] / p.seconds[kNone]), fmt::format("{:.4f}", row.seconds[kNone]),
               fmt::format("{:.4f}", row.seconds[kStatic]), fmt::format("{:.4f}", row.seconds[kDynamic]),
               fmt::format("{:.2f}", ratio), ratio <= kMostTime ? "yes" : "NO"});
  }
  states.print();
  times.print();
  write_json(options.value("--json"), {&states, &times});
  return complete ? 0 : 70;
}

}  // namespace whittle::app::suite
