#include "app/svcomp.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <deque>
#include <filesystem>
#include <map>
#include <memory>
#include <thread>

#include "app/complaints.h"
#include "app/jobs.h"
#include "app/options.h"
#include "app/output.h"
#include "app/svcomp_report.h"
#include "app/svcomp_results.h"
#include "app/svcomp_tasks.h"
#include "base/error.h"

namespace whittle::app::svcomp {

namespace {

struct Settings {
  std::string directory;
  std::vector<std::string> sets = default_sets(), properties = {"unreach-call"};
  Conditions conditions{.engine = "auto", .timeout = "60s", .memory = "", .cores = 0};
  std::string only, json, html;
  unsigned jobs = 1;
};

Settings parse(const std::vector<std::string>& arguments, const cluster::Group* group) {
  Settings settings;
  CLI::App app("Scores a checkout of the competition's collection (layout of 2015 or today's)", "whittle bench svcomp");
  app.add_option("--dir", settings.directory, "The checkout, or its folder c")->required()->type_name("DIR");
  app.add_option("--sets", settings.sets, "Folders, with commas between them")->delimiter(',')->type_name("NAME,...");
  app.add_option("--property", settings.properties, "Tasks of these properties, with commas between them; all: every one")
      ->delimiter(',')
      ->type_name("NAME,...")
      ->capture_default_str();
  app.add_option("--engine", settings.conditions.engine, "As for whittle check")->capture_default_str();
  app.add_option("--timeout", settings.conditions.timeout, "For each task")->capture_default_str();
  app.add_option("--memory", settings.conditions.memory, "For each task");
  app.add_option("--jobs", settings.jobs, "Tasks at once, in each process if mpirun started several")->capture_default_str();
  app.add_option("--cores", settings.conditions.cores, "For each task, as for whittle check [all cores / jobs]");
  app.add_option("--only", settings.only, "Only tasks expected to be true, or false")
      ->check(CLI::IsMember({"true", "false"}));
  app.add_option("--json", settings.json, "Write the results; tasks already in this file are not run again")
      ->type_name("FILE");
  app.add_option("--html", settings.html, "Write the results as one page: tables that sort, a plot of tasks over time")
      ->type_name("FILE");
  try {
    std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());
    app.parse(reversed);
  } catch (const CLI::CallForHelp&) {
    fmt::print("{}", app.help());
    settings.directory.clear();
    return settings;
  } catch (const CLI::ParseError& error) {
    complain(app, error);
  }
  if (std::ranges::find(settings.properties, "all") != settings.properties.end()) settings.properties.clear();
  if (settings.jobs == 0) settings.jobs = 1;
  if (settings.conditions.cores == 0)
    settings.conditions.cores = std::max(1u, cores_here(group) / settings.jobs);
  return settings;
}

Result result_of(Task task, const JobResult& process) {
  Result result{std::move(task), {}, Kind::Crash, process.seconds, process.cpu_seconds};
  std::string output = process.output;
  while (output.ends_with('\n')) output.pop_back();
  result.verdict = output.substr(output.rfind('\n') + 1);
  bool normal = process.status == 0 || process.status == 5 || process.status == 10;
  if (!normal) result.verdict = fmt::format("crash({})", process.status);
  result.kind = judge(result.task, result.verdict);
  return result;
}

JobRequest request_of(const Task& task, const Settings& settings) {
  std::vector<std::string> command = {"check"};
  command.insert(command.end(), task.files.begin(), task.files.end());
  for (const std::string& word :
       {std::string("--engine"), settings.conditions.engine, std::string("--timeout"), settings.conditions.timeout,
        std::string("--cores"), std::to_string(settings.conditions.cores), std::string("--property"), property_argument(task),
        std::string("--data-model"), task.data_model, std::string("--quiet")})
    command.push_back(word);
  if (!settings.conditions.memory.empty()) command.insert(command.end(), {"--memory", settings.conditions.memory});
  return {.command = std::move(command), .seconds = parse_duration(settings.conditions.timeout) * 1.2 + 10};
}

struct Running {
  Task task;
  std::shared_ptr<Job> job;
};

/// The tasks one after another, a few at a time.
class Run {
 public:
  Run(const Settings& settings, std::vector<Task> tasks, Context& context, cluster::Group* group)
      : settings_(settings),
        context_(context),
        known_(load(settings.json, settings.conditions)),
        total_(tasks.size()),
        jobs_(group, settings.jobs) {
    for (Task& task : tasks) waiting_.push_back(std::move(task));
  }

  std::vector<Result> results() {
    begin_ = context_.limits.elapsed();
    while (!waiting_.empty() || !running_.empty()) {
      if (context_.limits.poll_now() != Stop::No) break;
      fill();
      jobs_.look();
      std::erase_if(running_, [&](Running& one) {
        if (!one.job->ended()) return false;
        ++measured_;
        add(result_of(std::move(one.task), one.job->result()));
        save(settings_.json, settings_.conditions, results_);
        return true;
      });
      for (int i = 0; i < 32; ++i)  // it looks at the clock once in 256 calls
        context_.progress.update([&] { return progress(); });
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    context_.progress.clear();
    save(settings_.json, settings_.conditions, results_);
    return std::move(results_);
  }

 private:
  void fill() {
    while (!waiting_.empty() && jobs_.room()) {
      Task task = std::move(waiting_.front());
      waiting_.pop_front();
      if (auto found = known_.find(task.name); found != known_.end()) {
        Result result = found->second;
        result.kind = judge(task, result.verdict);
        result.task = std::move(task);
        add(std::move(result));
        continue;
      }
      std::shared_ptr<Job> job = jobs_.start(request_of(task, settings_));
      running_.push_back({std::move(task), std::move(job)});
    }
  }

  void add(Result result) {
    context_.progress.clear();
    ++count_[static_cast<int>(result.kind)];
    fmt::print("{:>4}/{} {:<8} {:>7.2f} s  {:<22} {}\n", results_.size() + 1, total_, name(result.kind), result.seconds,
               result.verdict, result.task.name);
    std::fflush(stdout);
    results_.push_back(std::move(result));
  }

  /// The rest will take as long on average as what was measured so far.
  std::string progress() const {
    double elapsed = context_.limits.elapsed() - begin_;
    size_t left = waiting_.size() + running_.size();
    std::string estimate = "no estimate yet";
    if (measured_ > 0) {
      double seconds = elapsed / static_cast<double>(measured_) * static_cast<double>(left);
      estimate = seconds < 90 ? fmt::format("about {:.0f} s left", seconds)
                              : fmt::format("about {:.0f} min left", seconds / 60);
    }
    return fmt::format("{}/{} tasks: {} right, {} wrong, {} unknown, {} crashed; {:.0f} s, {}", results_.size(), total_,
                       count_[0], count_[1], count_[2], count_[3], elapsed, estimate);
  }

  const Settings& settings_;
  Context& context_;
  std::map<std::string, Result> known_;
  size_t total_, measured_ = 0;
  double begin_ = 0;
  unsigned count_[4] = {};
  std::deque<Task> waiting_;
  Jobs jobs_;
  std::vector<Running> running_;
  std::vector<Result> results_;
};

}  // namespace

int run(const std::vector<std::string>& arguments, Context& context, cluster::Group* group) {
  Settings settings = parse(arguments, group);
  if (settings.directory.empty()) return 0;
  parse_duration(settings.conditions.timeout);
  require_writable(settings.json);
  require_writable(settings.html);
  std::vector<Task> tasks = find_tasks(settings.directory, settings.sets, settings.properties);
  if (!settings.only.empty())
    std::erase_if(tasks, [&](const Task& task) { return (settings.only == "true") != task.expected; });
  std::vector<Result> results = Run(settings, std::move(tasks), context, group).results();
  if (!settings.html.empty()) write_file(settings.html, html_report(settings.sets, settings.conditions, results));
  fmt::print("{}", text_report(settings.sets, results));
  if (context.limits.stopped() != Stop::No) return static_cast<int>(ExitCode::Unknown);
  return std::ranges::any_of(results, [](const Result& result) { return result.kind == Kind::Wrong; })
             ? static_cast<int>(ExitCode::Internal)
             : 0;
}

}  // namespace whittle::app::svcomp
