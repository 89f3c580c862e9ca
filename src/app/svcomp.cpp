#include "app/svcomp.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <deque>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <thread>

#include "app/options.h"
#include "app/output.h"
#include "app/process.h"
#include "app/svcomp_tasks.h"
#include "base/error.h"
#include "base/nearest.h"

namespace whittle::app::svcomp {

namespace {

struct Settings {
  std::string directory;
  std::vector<std::string> sets = default_sets();
  std::string engine = "test", timeout = "60s", memory, only, json;
  unsigned jobs = 1;
};

enum class Kind : uint8_t { Right, Wrong, Unknown, Crash };

struct Result {
  Task task;
  std::string verdict;  ///< last line, or "crash(STATUS)"
  Kind kind = Kind::Unknown;
  double seconds = 0;
};

Settings parse(const std::vector<std::string>& arguments) {
  Settings settings;
  CLI::App app("Scores a checkout of the competition's collection (layout of 2015 or today's)", "whittle bench svcomp");
  app.add_option("--dir", settings.directory, "The checkout, or its folder c")->required()->type_name("DIR");
  app.add_option("--sets", settings.sets, "Folders, with commas between them")->delimiter(',')->type_name("NAME,...");
  app.add_option("--engine", settings.engine, "As for whittle check")->capture_default_str();
  app.add_option("--timeout", settings.timeout, "For each task")->capture_default_str();
  app.add_option("--memory", settings.memory, "For each task");
  app.add_option("--jobs", settings.jobs, "Tasks at once")->capture_default_str();
  app.add_option("--only", settings.only, "Only tasks expected to be true, or false")
      ->check(CLI::IsMember({"true", "false"}));
  app.add_option("--json", settings.json, "Write the results; tasks already in this file are not run again")
      ->type_name("FILE");
  try {
    std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());
    app.parse(reversed);
  } catch (const CLI::CallForHelp&) {
    fmt::print("{}", app.help());
    settings.directory.clear();
    return settings;
  } catch (const CLI::ParseError& error) {
    fail_usage("bench svcomp: {}", error.what());
  }
  if (settings.jobs == 0) settings.jobs = 1;
  return settings;
}

Kind judge(const Task& task, const std::string& verdict) {
  if (verdict == "unknown") return Kind::Unknown;
  bool is_true = verdict == "true", is_false = verdict == "false(" + task.property + ")";
  if (!is_true && !is_false) return verdict.starts_with("false(") ? Kind::Wrong : Kind::Crash;
  return is_true == task.expected ? Kind::Right : Kind::Wrong;
}

Result result_of(Task task, const Process& process) {
  Result result{std::move(task), {}, Kind::Crash, process.seconds()};
  std::string output = process.output();
  while (output.ends_with('\n')) output.pop_back();
  result.verdict = output.substr(output.rfind('\n') + 1);
  bool normal = process.status() == 0 || process.status() == 5 || process.status() == 10;
  if (!normal) result.verdict = fmt::format("crash({})", process.status());
  result.kind = judge(result.task, result.verdict);
  return result;
}

std::unique_ptr<Process> start(const Task& task, const Settings& settings) {
  std::vector<std::string> command = {std::filesystem::read_symlink("/proc/self/exe").string(), "check"};
  command.insert(command.end(), task.files.begin(), task.files.end());
  for (const std::string& word :
       {std::string("--engine"), settings.engine, std::string("--timeout"), settings.timeout, std::string("--property"),
        task.property, std::string("--data-model"), task.data_model, std::string("--quiet")})
    command.push_back(word);
  if (!settings.memory.empty()) command.insert(command.end(), {"--memory", settings.memory});
  return std::make_unique<Process>(command, parse_duration(settings.timeout) * 1.2 + 10);
}

constexpr const char* kKindNames[] = {"right", "wrong", "unknown", "crash"};

int score(const Result& result) {
  if (result.kind == Kind::Right) return result.task.expected ? 2 : 1;
  if (result.kind == Kind::Wrong) return result.task.expected ? -16 : -32;
  return 0;
}

void save(const Settings& settings, const std::vector<Result>& results) {
  if (settings.json.empty()) return;
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const Result& result : results)
    list.push_back({{"task", result.task.name},
                    {"expected", result.task.expected},
                    {"verdict", result.verdict},
                    {"kind", kKindNames[static_cast<int>(result.kind)]},
                    {"seconds", result.seconds}});
  nlohmann::ordered_json document = {{"engine", settings.engine}, {"timeout", settings.timeout}, {"results", list}};
  write_file(settings.json, document.dump(1) + "\n");
}

/// Results of an earlier run with the same engine and timeout, so that an interrupted one goes on.
std::map<std::string, Result> load(const Settings& settings) {
  std::map<std::string, Result> known;
  std::ifstream stream(settings.json);
  if (settings.json.empty() || !stream) return known;
  auto document = nlohmann::json::parse(stream, nullptr, false);
  if (document.is_discarded() || document.value("engine", "") != settings.engine ||
      document.value("timeout", "") != settings.timeout)
    return known;
  for (const auto& entry : document["results"]) {
    Result result;
    result.verdict = entry.value("verdict", "");
    result.seconds = entry.value("seconds", 0.0);
    known[entry.value("task", "")] = result;
  }
  return known;
}

void print_table(const Settings& settings, const std::vector<Result>& results) {
  for (const Result& result : results)
    if (result.kind == Kind::Wrong || result.kind == Kind::Crash)
      fmt::print("{}: {} answers {}, expected {}\n", kKindNames[static_cast<int>(result.kind)], result.task.name,
                 result.verdict, result.task.expected);
  fmt::print("{:<24}{:>7}{:>7}{:>7}{:>9}{:>7}{:>8}{:>10}\n", "set", "tasks", "right", "wrong", "unknown", "crash",
             "score", "seconds");
  std::vector<std::string> sets = settings.sets;
  sets.emplace_back("all");
  for (const std::string& set : sets) {
    int counts[4] = {}, sum = 0, tasks = 0;
    double seconds = 0;
    for (const Result& result : results) {
      if (set != "all" && result.task.set != set) continue;
      ++tasks, ++counts[static_cast<int>(result.kind)], sum += score(result), seconds += result.seconds;
    }
    fmt::print("{:<24}{:>7}{:>7}{:>7}{:>9}{:>7}{:>8}{:>10.1f}\n", set, tasks, counts[0], counts[1], counts[2],
               counts[3], sum, seconds);
  }
}

struct Job {
  Task task;
  std::unique_ptr<Process> process;
};

}  // namespace

int run(const std::vector<std::string>& arguments, Context& context) {
  Settings settings = parse(arguments);
  if (settings.directory.empty()) return 0;
  parse_duration(settings.timeout);
  require_writable(settings.json);
  std::deque<Task> waiting;
  for (Task& task : find_tasks(settings.directory, settings.sets))
    if (settings.only.empty() || (settings.only == "true") == task.expected) waiting.push_back(std::move(task));
  const size_t total = waiting.size();
  std::map<std::string, Result> known = load(settings);
  std::vector<Result> results;
  std::vector<Job> jobs;
  while (!waiting.empty() || !jobs.empty()) {
    if (context.limits.poll_now() != Stop::No) break;
    while (!waiting.empty() && jobs.size() < settings.jobs) {
      Task task = std::move(waiting.front());
      waiting.pop_front();
      if (auto found = known.find(task.name); found != known.end()) {
        found->second.kind = judge(task, found->second.verdict);
        found->second.task = std::move(task);
        results.push_back(found->second);
        continue;
      }
      std::unique_ptr<Process> process = start(task, settings);
      jobs.push_back({std::move(task), std::move(process)});
    }
    std::erase_if(jobs, [&](Job& job) {
      if (!job.process->poll()) return false;
      Result result = result_of(std::move(job.task), *job.process);
      fmt::print("{:>4}/{} {:<8} {:>7.2f} s  {:<22} {}\n", results.size() + 1, total,
                 kKindNames[static_cast<int>(result.kind)], result.seconds, result.verdict, result.task.name);
      std::fflush(stdout);
      results.push_back(std::move(result));
      save(settings, results);
      return true;
    });
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  save(settings, results);
  print_table(settings, results);
  if (context.limits.stopped() != Stop::No) return static_cast<int>(ExitCode::Unknown);
  return std::ranges::any_of(results, [](const Result& result) { return result.kind == Kind::Wrong; })
             ? static_cast<int>(ExitCode::Internal)
             : 0;
}

}  // namespace whittle::app::svcomp
