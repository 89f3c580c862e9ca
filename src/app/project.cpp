#include "app/project.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <deque>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

#include "app/answers.h"
#include "app/jobs.h"
#include "app/output.h"
#include "app/suite/temporary_file.h"
#include "base/error.h"
#include "base/nearest.h"

namespace whittle::app {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

/// Options of the command line that hold for every check of a project.
constexpr std::array kForAll = {"timeout", "memory", "seed", "engine", "format", "quiet", "trace-lines"};
/// Those that are about the project as a whole.
constexpr std::array kForProject = {"project", "only", "jobs", "answers", "no-answers", "cores", "json", "sarif"};

std::string find_project_file() {
  std::error_code error;
  for (fs::path folder = fs::current_path(error);; folder = folder.parent_path()) {
    if (fs::exists(folder / "whittle.yml", error)) return (folder / "whittle.yml").string();
    if (folder == folder.parent_path()) break;
  }
  fail_usage("no file given, and no project file whittle.yml here or in a folder above (whittle check --help tells more)");
}

std::map<std::string, std::vector<std::string>> options_for_all(const Options& options) {
  std::map<std::string, std::vector<std::string>> out;
  for (const auto& [name, values] : options.given) {
    std::string plain = name.substr(name.find_first_not_of('-'));
    if (std::ranges::find(kForProject, plain) != kForProject.end()) continue;
    if (std::ranges::find(kForAll, plain) == kForAll.end()) fail_usage("{} needs a FILE: write it into the project file", name);
    out[plain] = values;
  }
  return out;
}

void select(Project& project, const std::vector<std::string>& only) {
  std::vector<std::string> names;
  for (const ProjectCheck& check : project.checks) names.push_back(check.name);
  for (const std::string& name : only)
    if (std::ranges::find(names, name) == names.end()) fail_usage("--only: no check {}{}", name, suggestion(name, names));
  if (only.empty()) return;
  std::erase_if(project.checks, [&](const ProjectCheck& check) { return std::ranges::find(only, check.name) == only.end(); });
}

struct Answer {
  std::string verdict, output;
  int status = 0;
  double seconds = 0;
  bool kept = false;  ///< from an earlier run
};

bool is_expected(const ProjectCheck& check, const Answer& answer) {
  if (answer.verdict == check.expect) return true;
  return check.expect == "false" && answer.verdict.starts_with("false(");
}

/// A check and its process, with files for its reports.
class Running {
 public:
  Running(const ProjectCheck& check, const std::string& folder, const Options& options, unsigned cores, Jobs& jobs) : check_(check) {
    if (!options.sarif.empty()) sarif_.emplace(".sarif");
    if (!options.json.empty()) json_.emplace(".json");
    std::vector<std::string> command = {"check"};
    command.insert(command.end(), check.arguments.begin(), check.arguments.end());
    // Options come before what is for clang.
    auto add = [&](const std::string& option, const std::string& value) {
      command.insert(std::ranges::find(command, "--"), {option, value});
    };
    auto has = [&](const std::string& option) { return std::ranges::find(check.arguments, option) != check.arguments.end(); };
    if (json_) add("--json", json_->name());
    if (sarif_) add("--sarif", sarif_->name());
    if (!has("--cores")) add("--cores", std::to_string(cores));
    const std::string answers = options.no_answers ? "" : options.answers.empty() ? default_answers() : fs::absolute(options.answers).string();
    if (!answers.empty() && !has("--answers")) add("--answers", answers);
    JobRequest request{.command = std::move(command), .errors = Process::Errors::Shown, .folder = folder, .files = {}};
    for (const auto* file : {&json_, &sarif_})
      if (*file) request.files.push_back((*file)->name());
    job_ = jobs.start(request);
  }

  const ProjectCheck& check() const { return check_; }
  bool ended() const { return job_->ended(); }

  Answer answer() const {
    const JobResult& left = job_->result();
    Answer answer{.verdict = {}, .output = left.output, .status = left.status, .seconds = left.seconds};
    std::string text = answer.output;
    while (text.ends_with('\n')) text.pop_back();
    answer.verdict = text.substr(text.rfind('\n') + 1);
    const bool normal = answer.status == 0 || answer.status == 5 || answer.status == 10;
    if (!normal) answer.verdict = "not run";
    answer.kept = answer.output.find(kFromAnswers) != std::string::npos;
    return answer;
  }
  Json sarif() const { return read(sarif_); }
  Json json() const { return read(json_); }

 private:
  static Json read(const std::optional<suite::TemporaryFile>& file) {
    if (!file) return nullptr;
    std::ifstream stream(file->name());
    Json document = Json::parse(stream, nullptr, false);
    return document.is_discarded() ? Json() : document;
  }

  const ProjectCheck& check_;
  std::optional<suite::TemporaryFile> sarif_, json_;
  std::shared_ptr<Job> job_;
};

/// Reports of all checks in one file: the runs of SARIF together, the reports of JSON by name.
class Reports {
 public:
  explicit Reports(const Options& options) : options_(options) {}

  void take(const Running& ended) {
    if (Json one = ended.sarif(); one.is_object()) {
      Json before = std::move(sarif_["runs"]);
      sarif_ = std::move(one);
      sarif_["runs"].insert(sarif_["runs"].begin(), before.begin(), before.end());
      // Runs of one tool in one upload are told apart by this.
      sarif_["runs"].back()["automationDetails"] = {{"id", "whittle/" + ended.check().name + "/"}};
    }
    if (Json one = ended.json(); one.is_object()) json_[ended.check().name] = std::move(one);
  }

  void write() const {
    if (!options_.sarif.empty()) write_file(options_.sarif, sarif_.dump(1) + "\n");
    if (!options_.json.empty()) write_file(options_.json, json_.dump(1) + "\n");
  }

 private:
  const Options& options_;
  Json sarif_ = {{"version", "2.1.0"}, {"runs", Json::array()}}, json_ = Json::object();  // also if no check ran
};

/// How many checks had which answer.
struct Tally {
  size_t expected = 0, other = 0, unknown = 0, not_run = 0, kept = 0;
};

/// A line of the table; before it, the report of an answer that was not expected.
void print_answer(const ProjectCheck& check, const Answer& answer, const Options& options, size_t width, Tally& tally) {
  const bool good = is_expected(check, answer);
  if (answer.verdict == "not run")
    ++tally.not_run;
  else
    ++(good ? tally.expected : answer.verdict == "unknown" ? tally.unknown : tally.other);
  tally.kept += answer.kept ? 1 : 0;
  const bool shown = !good && (options.format == "github" || !options.quiet);
  if (shown && answer.verdict != "not run") write_file("-", answer.output.substr(0, answer.output.size() - answer.verdict.size() - 1));
  fmt::print("{:<{}}  {:<24} {:>7.2f} s{}{}\n", check.name, width, answer.verdict, answer.seconds, answer.kept ? "  kept" : "",
             good ? "" : "  expected: " + check.expect);
  flush_stdout();
}

/// So many checks at once in each process, each with its share of the cores; lines come in the order of the file.
Tally run_all(const Project& project, const Options& options, Reports& reports, Watch& watch) {
  const unsigned cores = options.cores != 0 ? options.cores : cores_here(watch.group());
  const size_t jobs = std::min<size_t>(options.jobs != 0 ? options.jobs : cores, project.checks.size());
  const auto share = static_cast<unsigned>(std::max<size_t>(1, cores / std::max<size_t>(jobs, 1)));
  size_t width = 0;
  for (const ProjectCheck& check : project.checks) width = std::max(width, check.name.size());
  Tally tally;
  Jobs at_work(watch.group(), jobs);
  std::deque<Running> running;  // those that are not printed yet, in order
  size_t started = 0;
  for (size_t printed = 0; printed < project.checks.size();) {
    while (at_work.room() && started < project.checks.size())
      running.emplace_back(project.checks[started++], project.folder, options, share, at_work);
    at_work.look();
    if (watch.limits().poll_now() != Stop::No) break;
    if (!running.front().ended()) {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
      continue;
    }
    reports.take(running.front());
    print_answer(running.front().check(), running.front().answer(), options, width, tally);
    running.pop_front();
    ++printed;
  }
  return tally;
}

}  // namespace

int check_project(const Options& options, Watch& watch) {
  if (options.only.empty() && options.given.contains("--only")) fail_usage("--only needs a value: NAME,...");
  Project project = read_project(options.project.empty() ? find_project_file() : options.project, options_for_all(options));
  select(project, options.only);
  require_writable(options.sarif);
  require_writable(options.json);
  Reports reports(options);
  const Tally tally = run_all(project, options, reports, watch);
  reports.write();
  const size_t count = project.checks.size();
  fmt::print("{} check{}: {} as expected, {} not, {} unknown, {} not run{}\n", count, count == 1 ? "" : "s", tally.expected, tally.other,
             tally.unknown, count - tally.expected - tally.other - tally.unknown,
             tally.kept == 0 ? "" : fmt::format(" ({} kept from earlier)", tally.kept));
  flush_stdout();
  if (tally.not_run > 0) return static_cast<int>(ExitCode::BadInput);
  return static_cast<int>(tally.other > 0 ? ExitCode::False : tally.expected < count ? ExitCode::Unknown : ExitCode::True);
}

}  // namespace whittle::app
