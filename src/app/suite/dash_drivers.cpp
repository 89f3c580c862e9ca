#include "app/suite/dash_drivers.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

#include "app/options.h"
#include "app/process.h"
#include "app/suite/temporary_file.h"
#include "app/svcomp_tasks.h"
#include "base/error.h"

namespace whittle::app::suite {

namespace {

struct Row {
  const char* driver;
  bool correct;
  unsigned lines;
  const char* property;
  int slam_iterations;  ///< -1: timeout (30 min), -2: gave up because of aliases
  unsigned slam_calls;  ///< of its theorem prover
  double slam_seconds;
  unsigned iterations;  ///< of Dash; as many calls
  double seconds;
};
constexpr Row kTable1[] = {
    {"bluetooth", true, 700, "SpinLock", -2, 0, 0, 553, 27.90},
    {"floppy", true, 6500, "InterlockedQueuedIrps", -1, 0, 0, 726, 14.56},
    {"floppy", true, 6500, "SpinLock", -1, 0, 0, 826, 14.17},
    {"floppy", false, 6500, "SpinLock", -1, 0, 0, 493, 8.90},
    {"serial", false, 10380, "SpinLock", -1, 0, 0, 982, 16.95},
    {"serial", true, 10380, "SpinLock", -1, 0, 0, 2297, 48.66},
    {"bluetooth", true, 700, "CancelSpinLock", 5, 1183, 4.26, 275, 2.15},
    {"bluetooth", false, 700, "CancelSpinLock", 5, 1413, 5.69, 171, 1.59},
    {"bluetooth", false, 700, "SpinLock", 6, 2453, 8.1, 171, 1.69},
    {"diskperf", true, 2365, "CancelSpinLock", 2, 15, 1.76, 123, 1.95},
    {"diskperf", false, 2365, "CancelSpinLock", 3, 92, 2.55, 3, 1.21},
    {"diskperf", true, 2365, "MarkIrpPending", 5, 278, 2.35, 318, 3.15},
    {"diskperf", false, 2365, "MarkIrpPending", 5, 440, 2.35, 2, 1.22},
    {"floppy", true, 6500, "CancelSpinLock", 3, 2851, 7.81, 538, 5.41},
    {"floppy", false, 6500, "CancelSpinLock", 3, 2490, 7.19, 91, 1.61},
    {"floppy", false, 6500, "InterlockedQueuedIrps", 7, 6688, 24.84, 1147, 17.21},
    {"floppy", true, 6500, "MarkIrpPending", 4, 2513, 11.84, 568, 5.68},
    {"floppy", false, 6500, "MarkIrpPending", 3, 2506, 10.95, 110, 1.98},
};

/// What the paper has for a driver of this name, over all properties: "538-826" iterations, "5.41-14.56" s.
struct Span {
  std::string iterations, seconds;
};
Span published_span(const std::string& task, bool correct) {
  std::string name = task.substr(task.rfind('/') + 1);
  unsigned least = UINT32_MAX, most = 0;
  double fastest = 1e300, slowest = 0;
  for (const Row& row : kTable1) {
    if (!name.starts_with(row.driver) || row.correct != correct) continue;
    least = std::min(least, row.iterations), most = std::max(most, row.iterations);
    fastest = std::min(fastest, row.seconds), slowest = std::max(slowest, row.seconds);
  }
  if (most == 0) return {};
  return {fmt::format("{}-{}", least, most), fmt::format("{:.2f}-{:.2f}", fastest, slowest)};
}

size_t lines_of(const std::vector<std::string>& files) {
  size_t count = 0;
  for (const std::string& file : files) {
    std::ifstream stream(file);
    for (std::string line; std::getline(stream, line);) ++count;
  }
  return count;
}

struct Outcome {
  std::string verdict, proof;
  uint64_t iterations = 0, calls = 0, tests = 0;
  double seconds = 0;
};

/// Until it ends, or whittle is asked to.
void wait(Process& process, Context& context) {
  while (!process.poll() && context.limits.poll_now() == Stop::No)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
}

/// "valid", "none", "invalid: ...", "unknown: ..." (no time left) or how it crashed.
std::string check_proof(const std::string& file, const svcomp::Task& task, const std::string& timeout,
                        Context& context) {
  if (std::filesystem::file_size(file) == 0) return "none";
  std::vector<std::string> command = {std::filesystem::read_symlink("/proc/self/exe").string(), "check-proof", file};
  command.insert(command.end(), task.files.begin(), task.files.end());
  command.insert(command.end(), {"--timeout", timeout});
  Process process(command, parse_duration(timeout) * 1.2 + 10);
  wait(process, context);
  if (process.status() != 0 && process.status() != 5 && process.status() != 10)
    return fmt::format("crash({})", process.status());
  const std::string& output = process.output();  // the answer is the last line
  const size_t end = output.find_last_not_of('\n');
  if (end == std::string::npos) return "no answer";
  const size_t before = output.rfind('\n', end);
  return output.substr(before == std::string::npos ? 0 : before + 1,
                       end - (before == std::string::npos ? 0 : before + 1) + 1);
}

Outcome check(const svcomp::Task& task, const std::string& timeout, bool proofs, Context& context) {
  TemporaryFile proof;
  std::vector<std::string> command = {std::filesystem::read_symlink("/proc/self/exe").string(), "check"};
  command.insert(command.end(), task.files.begin(), task.files.end());
  command.insert(command.end(), {"--engine", "dash", "--timeout", timeout, "--property", task.property, "--data-model",
                                 task.data_model, "--quiet", "--json", "-"});
  if (proofs) command.insert(command.end(), {"--proof", proof.name()});
  Process process(command, parse_duration(timeout) * 1.2 + 10);
  wait(process, context);
  Outcome outcome;
  outcome.seconds = process.seconds();
  // The report, then the verdict on a line of its own.
  auto report = nlohmann::json::parse(process.output().substr(0, process.output().rfind('}') + 1), nullptr, false);
  bool normal = process.status() == 0 || process.status() == 5 || process.status() == 10;
  if (process.status() == 5 && !report.is_object()) {  // the last word of one that was stopped hard
    outcome.verdict = "unknown";
    return outcome;
  }
  if (!normal || !report.is_object()) {
    outcome.verdict = fmt::format("crash({})", process.status());
    return outcome;
  }
  outcome.verdict = report.value("verdict", "");
  const auto& statistics = report["statistics"];
  outcome.iterations = statistics.value("iterations", uint64_t{0});
  outcome.calls = statistics.value("solver_calls", uint64_t{0});
  outcome.tests = statistics.value("tests", uint64_t{0});
  if (proofs && outcome.verdict == "true") outcome.proof = check_proof(proof.name(), task, timeout, context);
  return outcome;
}

struct Sum {
  unsigned tasks = 0, right = 0, wrong = 0, crashes = 0, proofs = 0;
  uint64_t iterations = 0, calls = 0;
  double seconds = 0, slowest = 0;
};

}  // namespace

Table published_drivers() {
  Table table(
      "Device drivers as published (table 1). Slam: iterations, calls of its prover, seconds. Dash: iterations (= "
      "calls).",
      {"driver", "lines", "property", "Slam iterations", "Slam calls", "Slam s", "Dash iterations", "Dash s"});
  for (const Row& row : kTable1) {
    bool ended = row.slam_iterations >= 0;
    std::string iterations = row.slam_iterations == -1 ? "timeout" : "gave up";
    if (ended) iterations = std::to_string(row.slam_iterations);
    table.add({fmt::format("{}-{}", row.driver, row.correct ? "correct" : "buggy"), grouped(row.lines), row.property,
               iterations, ended ? grouped(row.slam_calls) : "", ended ? fmt::format("{:.2f}", row.slam_seconds) : "",
               grouped(row.iterations), fmt::format("{:.2f}", row.seconds)});
  }
  return table;
}

DriverResults measure_drivers(const std::string& directory, const std::vector<std::string>& sets,
                              const std::string& timeout, bool proofs, Context& context) {
  DriverResults results{
      Table("Public programs. Published: a driver of the same name, all properties. Seconds are of the whole process.",
            {"task", "lines", "expected", "published iterations", "published s", "iterations", "solver calls", "tests",
             "s", "verdict", "proof"}),
      Table("The same by set.", {"set", "tasks", "right", "wrong", "unknown", "crash", "iterations", "solver calls",
                                 "calls = iterations", "s", "slowest", "valid proofs"}),
      0};
  for (const std::string& set : sets) {
    Sum sum;
    for (const svcomp::Task& task : svcomp::find_tasks(directory, {set}, {"unreach-call"})) {
      if (context.limits.poll_now() != Stop::No) break;
      context.progress.update([&] { return task.name; });
      Outcome outcome = check(task, timeout, proofs, context);
      context.progress.clear();
      std::string expected = task.expected ? "true" : "false(unreach-call)";
      Span published = published_span(task.name, task.expected);
      results.tasks.add({task.name, grouped(lines_of(task.files)), task.expected ? "true" : "false",
                         published.iterations, published.seconds, grouped(outcome.iterations), grouped(outcome.calls),
                         grouped(outcome.tests), fmt::format("{:.2f}", outcome.seconds), outcome.verdict,
                         outcome.proof});
      ++sum.tasks;
      sum.right += outcome.verdict == expected;
      sum.wrong += outcome.verdict != expected && (outcome.verdict == "true" || outcome.verdict.starts_with("false"));
      sum.proofs += outcome.proof == "valid";
      results.wrong += outcome.proof.starts_with("invalid");
      sum.crashes += outcome.verdict.starts_with("crash");
      sum.iterations += outcome.iterations, sum.calls += outcome.calls;
      sum.seconds += outcome.seconds, sum.slowest = std::max(sum.slowest, outcome.seconds);
    }
    results.wrong += sum.wrong;
    results.sets.add({set, grouped(sum.tasks), grouped(sum.right), grouped(sum.wrong),
                      grouped(sum.tasks - sum.right - sum.wrong - sum.crashes), grouped(sum.crashes),
                      grouped(sum.iterations), grouped(sum.calls), sum.iterations == sum.calls ? "yes" : "NO",
                      fmt::format("{:.1f}", sum.seconds), fmt::format("{:.2f}", sum.slowest),
                      proofs ? grouped(sum.proofs) : ""});
  }
  return results;
}

}  // namespace whittle::app::suite
