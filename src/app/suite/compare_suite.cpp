#include "app/suite/compare_suite.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "app/output.h"
#include "app/suite/arguments.h"
#include "app/suite/table.h"
#include "base/error.h"

namespace whittle::app::suite {

namespace {

using Json = nlohmann::ordered_json;

struct Answer {
  std::string task, verdict, kind;
  double seconds = 0;
  int score = 0;
  bool right() const { return kind == "right"; }
  bool definite() const { return verdict == "true" || verdict.starts_with("false"); }
};

struct Results {
  std::string name;
  double timeout = 0;  ///< the longest time of any task: where unsolved tasks stand in a plot
  std::map<std::string, Answer> answers;
};

Results read(const std::string& file) {
  if (std::error_code error; std::filesystem::is_directory(file, error)) fail_input("{} is a directory", file);
  std::ifstream stream(file);
  if (!stream) fail_input("{}: no such file", file);
  Json document = Json::parse(stream, nullptr, false);
  auto refuse = [&] { fail_input("{}: not a file that whittle bench svcomp --json wrote", file); };
  if (!document.is_object() || !document.contains("results") || !document["results"].is_array()) refuse();
  Results results{std::filesystem::path(file).stem().string(), 0, {}};
  for (const Json& entry : document["results"]) try {
    Answer answer{entry.value("task", ""), entry.value("verdict", ""), entry.value("kind", ""), entry.value("seconds", 0.0),
                  entry.value("score", 0)};
    results.timeout = std::max(results.timeout, answer.seconds);
    results.answers[answer.task] = std::move(answer);
  } catch (const Json::exception&) {
    refuse();
  }
  return results;
}

struct Pair {
  const Answer* a;
  const Answer* b;
};

std::vector<Pair> common_tasks(const Results& a, const Results& b) {
  std::vector<Pair> pairs;
  for (const auto& [task, answer] : a.answers)
    if (auto found = b.answers.find(task); found != b.answers.end()) pairs.push_back({&answer, &found->second});
  return pairs;
}

bool contradict(const Pair& pair) {
  return pair.a->definite() && pair.b->definite() && (pair.a->verdict == "true") != (pair.b->verdict == "true");
}

Table summary(const Results& a, const Results& b, const std::vector<Pair>& pairs) {
  Table table("Summary of the tasks in both files",
              {"file", "tasks", "right", "wrong", "only here", "faster", "score", "seconds"});
  for (bool first : {true, false}) {
    size_t right = 0, wrong = 0, only = 0, faster = 0;
    int score = 0;
    double seconds = 0;
    for (const Pair& pair : pairs) {
      const Answer &own = first ? *pair.a : *pair.b, &other = first ? *pair.b : *pair.a;
      right += own.right(), wrong += own.kind == "wrong";
      only += own.right() && !other.right();
      faster += own.right() && other.right() && own.seconds < other.seconds;
      score += own.score, seconds += own.seconds;
    }
    table.add({first ? a.name : b.name, std::to_string(pairs.size()), std::to_string(right), std::to_string(wrong),
               std::to_string(only), std::to_string(faster), std::to_string(score), fmt::format("{:.1f}", seconds)});
  }
  return table;
}

Table differences(const Results& a, const Results& b, const std::vector<Pair>& pairs) {
  Table table("Tasks with different answers", {"task", a.name, "s", b.name, "s", "what"});
  for (const Pair& pair : pairs) {
    if (pair.a->verdict == pair.b->verdict) continue;
    std::string what = contradict(pair)                        ? "contradiction"
                       : pair.a->right() && !pair.b->right()   ? "only " + a.name
                       : pair.b->right() && !pair.a->right()   ? "only " + b.name
                                                               : "neither is right";
    table.add({pair.a->task, pair.a->verdict, fmt::format("{:.2f}", pair.a->seconds), pair.b->verdict,
               fmt::format("{:.2f}", pair.b->seconds), what});
  }
  return table;
}

std::string escape(const std::string& text) {
  std::string out;
  for (char c : text) out += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : c == '"' ? "&quot;" : std::string(1, c);
  return out;
}

/// Seconds against seconds, both axes logarithmic; what one did not solve stands on the line beyond its longest time.
std::string scatter(const Results& a, const Results& b, const std::vector<Pair>& pairs) {
  constexpr double kSize = 480, kMargin = 64, kLeast = 0.01;
  double most = std::max({a.timeout, b.timeout, 1.0});
  double decades = std::ceil(std::log10(most / kLeast));
  double unsolved = kLeast * std::pow(10, decades) * 1.6, full = std::log10(unsolved * 1.3 / kLeast);
  auto at = [&](double seconds) { return std::log10(std::max(seconds, kLeast) / kLeast) / full * kSize; };
  auto x = [&](double seconds) { return kMargin + at(seconds); };
  auto y = [&](double seconds) { return kMargin / 2 + kSize - at(seconds); };
  double right = kMargin + kSize, bottom = kMargin / 2 + kSize;
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {0}\" font-family=\"sans-serif\" font-size=\"12\">\n"
      "<rect width=\"{0}\" height=\"{0}\" fill=\"white\"/>\n",
      kSize + 1.6 * kMargin);
  for (double decade = 0; decade <= decades; ++decade) {
    double seconds = kLeast * std::pow(10, decade);
    out += fmt::format(
        "<path d=\"M{0:.1f} {1:.1f}V{2:.1f}M{3:.1f} {4:.1f}H{5:.1f}\" stroke=\"#ddd\"/>"
        "<text x=\"{0:.1f}\" y=\"{6:.1f}\" text-anchor=\"middle\">{7:g}</text>"
        "<text x=\"{8:.1f}\" y=\"{9:.1f}\" text-anchor=\"end\">{7:g}</text>\n",
        x(seconds), kMargin / 2, bottom, kMargin, y(seconds), right, bottom + 16, seconds, kMargin - 6, y(seconds) + 4);
  }
  out += fmt::format(
      "<path d=\"M{0:.1f} {1:.1f}L{2:.1f} {3:.1f}\" stroke=\"#888\"/>"
      "<path d=\"M{4:.1f} {3:.1f}V{1:.1f}M{0:.1f} {5:.1f}H{2:.1f}\" stroke=\"#d62728\" stroke-dasharray=\"4 3\"/>\n",
      kMargin, bottom, right, kMargin / 2, x(unsolved), y(unsolved));
  for (const Pair& pair : pairs) {
    if (!pair.a->right() && !pair.b->right()) continue;
    out += fmt::format(
        "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3.5\" fill=\"{}\" fill-opacity=\".6\"><title>{}</title></circle>\n",
        x(pair.a->right() ? pair.a->seconds : unsolved), y(pair.b->right() ? pair.b->seconds : unsolved),
        pair.a->right() && pair.b->right() ? "#1f77b4" : "#d62728", escape(pair.a->task));
  }
  return out + fmt::format(
                   "<text x=\"{0:.1f}\" y=\"{1:.1f}\" text-anchor=\"middle\">{2}: seconds (dashed: not solved)</text>\n"
                   "<text transform=\"translate(14,{3:.1f}) rotate(-90)\" text-anchor=\"middle\">{4}: seconds</text>\n</svg>\n",
                   kMargin + kSize / 2, bottom + 40, escape(a.name), kMargin / 2 + kSize / 2, escape(b.name));
}

/// How many tasks were solved within which time, as the competition draws it.
std::string quantile(const Results& a, const Results& b) {
  std::vector<Series> series;
  for (const Results* results : {&a, &b}) {
    std::vector<double> times;
    for (const auto& [task, answer] : results->answers)
      if (answer.right()) times.push_back(std::max(answer.seconds, 0.001));
    std::ranges::sort(times);
    Series one{escape(results->name), {}};
    for (size_t i = 0; i < times.size(); ++i) one.points.emplace_back(static_cast<double>(i + 1), times[i]);
    series.push_back(std::move(one));
  }
  return svg_plot("Tasks solved over time", "tasks solved", "seconds for the slowest of them", series);
}

}  // namespace

int compare(const std::vector<std::string>& arguments, Context&) {
  std::vector<std::string> files, rest;
  for (size_t i = 0; i < arguments.size(); ++i) {
    bool option = arguments[i].starts_with("--");
    (option || !rest.empty() ? rest : files).push_back(arguments[i]);
    if (option && i + 1 < arguments.size()) rest.push_back(arguments[++i]);
  }
  Arguments options(rest, {"--scatter", "--quantile", "--json"}, {});
  if (files.size() != 2) fail_usage("bench compare needs two files of results: whittle bench compare A.json B.json");
  for (const char* name : {"--scatter", "--quantile", "--json"}) require_writable(options.value(name));
  Results a = read(files[0]), b = read(files[1]);
  if (a.name == b.name) a.name = files[0], b.name = files[1];
  std::vector<Pair> pairs = common_tasks(a, b);
  if (pairs.empty()) fail_input("{} and {} have no task in common", files[0], files[1]);
  Table sums = summary(a, b, pairs), different = differences(a, b, pairs);
  sums.print();
  if (!different.rows().empty()) different.print();
  size_t left_out = a.answers.size() + b.answers.size() - 2 * pairs.size();
  if (left_out > 0) fmt::print("{} tasks are in one file only and left out\n", left_out);
  if (std::string file = options.value("--scatter"); !file.empty()) write_file(file, scatter(a, b, pairs));
  if (std::string file = options.value("--quantile"); !file.empty()) write_file(file, quantile(a, b));
  write_json(options.value("--json"), {&sums, &different});
  return std::ranges::any_of(pairs, contradict) ? static_cast<int>(ExitCode::False) : 0;
}

}  // namespace whittle::app::suite
