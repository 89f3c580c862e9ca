#include "app/project.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

#include "app/output.h"
#include "app/process.h"
#include "app/suite/temporary_file.h"
#include "base/error.h"
#include "base/nearest.h"

namespace whittle::app {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

/// Options of the command line that hold for every check of a project.
constexpr std::array kForAll = {"timeout", "memory", "cores", "seed", "engine", "format", "quiet", "trace-lines"};
/// Those that are about the project as a whole.
constexpr std::array kForProject = {"project", "only", "json", "sarif"};

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
};

bool is_expected(const ProjectCheck& check, const Answer& answer) {
  if (answer.verdict == check.expect) return true;
  return check.expect == "false" && answer.verdict.starts_with("false(");
}

/// Reports of all checks in one file: the runs of SARIF together, the reports of JSON by name.
class Reports {
 public:
  explicit Reports(const Options& options) : options_(options) {
    if (!options.sarif.empty()) sarif_file_.emplace(".sarif");
    if (!options.json.empty()) json_file_.emplace(".json");
  }

  void ask(std::vector<std::string>& arguments) const {
    // Options come before what is for clang.
    auto add = [&](const std::string& option, const std::optional<suite::TemporaryFile>& file) {
      if (file) arguments.insert(std::ranges::find(arguments, "--"), {option, file->name()});
    };
    add("--json", json_file_);
    add("--sarif", sarif_file_);
  }

  void take(const ProjectCheck& check) {
    if (Json one = read(sarif_file_); one.is_object()) {
      Json before = std::move(sarif_["runs"]);
      sarif_ = std::move(one);
      sarif_["runs"].insert(sarif_["runs"].begin(), before.begin(), before.end());
      // Runs of one tool in one upload are told apart by this.
      sarif_["runs"].back()["automationDetails"] = {{"id", "whittle/" + check.name + "/"}};
    }
    if (Json one = read(json_file_); one.is_object()) json_[check.name] = std::move(one);
  }

  void write() const {
    if (!options_.sarif.empty()) write_file(options_.sarif, sarif_.dump(1) + "\n");
    if (!options_.json.empty()) write_file(options_.json, json_.dump(1) + "\n");
  }

 private:
  static Json read(const std::optional<suite::TemporaryFile>& file) {
    if (!file) return nullptr;
    std::ifstream stream(file->name());
    Json document = Json::parse(stream, nullptr, false);
    std::ofstream(file->name(), std::ios::trunc);  // the next check may not get to write it
    return document.is_discarded() ? Json() : document;
  }

  const Options& options_;
  std::optional<suite::TemporaryFile> sarif_file_, json_file_;
  Json sarif_ = {{"version", "2.1.0"}, {"runs", Json::array()}}, json_ = Json::object();  // also if no check ran
};

Answer run(const ProjectCheck& check, const Project& project, const Reports& reports, Watch& watch) {
  std::vector<std::string> command = {fs::read_symlink("/proc/self/exe").string(), "check"};
  std::vector<std::string> arguments = check.arguments;
  reports.ask(arguments);
  command.insert(command.end(), arguments.begin(), arguments.end());
  Process process(command, std::numeric_limits<double>::infinity(), Process::Errors::Shown, project.folder);
  while (!process.poll()) {
    if (watch.limits().poll_now() != Stop::No) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  Answer answer{.output = process.output(), .status = process.status(), .seconds = process.seconds()};
  std::string text = answer.output;
  while (text.ends_with('\n')) text.pop_back();
  answer.verdict = text.substr(text.rfind('\n') + 1);
  bool normal = answer.status == 0 || answer.status == 5 || answer.status == 10;
  if (!normal) answer.verdict = "not run";
  return answer;
}

}  // namespace

int check_project(const Options& options, Watch& watch) {
  if (options.only.empty() && options.given.contains("--only")) fail_usage("--only needs a value: NAME,...");
  Project project = read_project(options.project.empty() ? find_project_file() : options.project, options_for_all(options));
  select(project, options.only);
  require_writable(options.sarif);
  require_writable(options.json);
  Reports reports(options);
  size_t expected = 0, unknown = 0, other = 0, not_run = 0, width = 0;
  for (const ProjectCheck& check : project.checks) width = std::max(width, check.name.size());
  for (const ProjectCheck& check : project.checks) {
    Answer answer = run(check, project, reports, watch);
    reports.take(check);
    bool good = is_expected(check, answer);
    if (answer.verdict == "not run")
      ++not_run;
    else
      ++(good ? expected : answer.verdict == "unknown" ? unknown : other);
    bool shown = !good && (options.format == "github" || !options.quiet);
    if (shown && answer.verdict != "not run") write_file("-", answer.output.substr(0, answer.output.size() - answer.verdict.size() - 1));
    fmt::print("{:<{}}  {:<24} {:>7.2f} s{}\n", check.name, width, answer.verdict, answer.seconds,
               good ? "" : "  expected: " + check.expect);
    flush_stdout();
    if (watch.limits().stopped() != Stop::No) break;
  }
  reports.write();
  fmt::print("{} check{}: {} as expected, {} not, {} unknown, {} not run\n", project.checks.size(),
             project.checks.size() == 1 ? "" : "s", expected, other, unknown,
             project.checks.size() - expected - other - unknown);
  flush_stdout();
  if (not_run > 0) return static_cast<int>(ExitCode::BadInput);
  return static_cast<int>(other > 0 ? ExitCode::False : expected < project.checks.size() ? ExitCode::Unknown : ExitCode::True);
}

}  // namespace whittle::app
