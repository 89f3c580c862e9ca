#include "app/suite/startup_suite.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <thread>

#include "app/process.h"
#include "app/suite/arguments.h"
#include "app/suite/table.h"
#include "base/error.h"

namespace whittle::app::suite {

namespace {

namespace fs = std::filesystem;

/// What a run may take: a command that one types again and again should not be felt.
constexpr double kMostSeconds = 0.060;
constexpr double kMostMemory = 60;  ///< MiB

struct Cost {
  double wall = 1e9, cpu = 1e9;  ///< the least of several runs: other work on the machine only ever adds
  double memory = 0;             ///< MiB, of all processes at once; pages that several share are counted once
};

void add_tree(pid_t process, std::vector<pid_t>& all) {
  all.push_back(process);
  std::ifstream children(fmt::format("/proc/{0}/task/{0}/children", process));
  for (pid_t child; children >> child;) add_tree(child, all);
}

/// Proportional set size of a process in MiB; 0 if it is gone.
double proportional(pid_t process) {
  std::ifstream file(fmt::format("/proc/{}/smaps_rollup", process));
  for (std::string word; file >> word;) {
    double kilobytes = 0;
    if (word == "Pss:" && file >> kilobytes) return kilobytes / 1024;
  }
  return 0;
}

Cost measure(const std::vector<std::string>& command, int runs) {
  Cost cost;
  for (int i = 0; i < runs; ++i) {
    Process process(command, 60);
    while (!process.poll()) std::this_thread::sleep_for(std::chrono::microseconds(200));
    if (int status = process.status(); status != 0 && status != 5 && status != 10)
      fail_internal("{} ended with status {}", command[1], status);
    cost.wall = std::min(cost.wall, process.seconds());
    cost.cpu = std::min(cost.cpu, process.cpu_seconds());
  }
  for (int i = 0; i < runs; ++i) {  // apart, as looking at pages takes time
    Process process(command, 60);
    while (!process.poll()) {
      std::vector<pid_t> all;
      add_tree(process.pid(), all);
      double sum = 0;
      for (pid_t one : all) sum += proportional(one);
      cost.memory = std::max(cost.memory, sum);
    }
  }
  return cost;
}

}  // namespace

int startup(const std::vector<std::string>& arguments, Context&) {
  Arguments options(arguments, {"--file", "--runs", "--json"}, {"--bars"});
  std::string file = options.value("--file", "examples/bank.c"), count = options.value("--runs", "10");
  int runs = 0;
  if (auto [end, error] = std::from_chars(count.data(), count.data() + count.size(), runs);
      error != std::errc() || *end != '\0' || runs < 1)
    fail_usage("--runs: `{}` is no number of runs", count);
  if (!fs::exists(file)) fail_usage("{}: no such file (--file says what to check)", file);
  const std::string self = fs::read_symlink("/proc/self/exe").string();
  Table table("Start-up, the least of " + count + " runs", {"command", "ms", "CPU ms", "MiB", "may take"});
  bool kept = true;
  for (const std::vector<std::string>& words : {std::vector<std::string>{"--version"}, {"show", file}, {"check", file}}) {
    std::vector<std::string> command = {self};
    command.insert(command.end(), words.begin(), words.end());
    Cost cost = measure(command, runs);
    // On a busy machine a run waits for others; its own time is what it can be held to.
    bool bar = words.front() == "check";
    if (bar) kept = std::min(cost.wall, cost.cpu) <= kMostSeconds && cost.memory <= kMostMemory;
    table.add({"whittle " + words.front() + (words.size() > 1 ? " " + fs::path(file).filename().string() : ""),
               fmt::format("{:.1f}", cost.wall * 1000), fmt::format("{:.1f}", cost.cpu * 1000),
               fmt::format("{:.1f}", cost.memory),
               bar ? fmt::format("{:.0f} ms, {:.0f} MiB", kMostSeconds * 1000, kMostMemory) : ""});
  }
  table.print();
  write_json(options.value("--json"), {&table});
  return kept || !options.flag("--bars") ? 0 : static_cast<int>(ExitCode::False);
}

}  // namespace whittle::app::suite
