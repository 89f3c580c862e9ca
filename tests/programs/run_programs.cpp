// Runs `whittle check` on programs that carry their verdict and compares. See README.md in this folder.
//
//   run_programs --whittle PROGRAM --engines test,explicit [--time SECONDS] [--jobs N] FOLDER|FILE...
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <mutex>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

extern char** environ;

namespace {

namespace fs = std::filesystem;

struct Settings {
  std::string whittle;
  std::vector<std::string> engines;
  double seconds = 60;
  unsigned jobs = 2;
  std::vector<std::string> places;
};

std::vector<std::string> words(const std::string& text, char separator = ' ') {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);)
    if (!part.empty()) parts.push_back(part);
  return parts;
}

/// What a program says about itself in the comments it begins with.
struct Expectation {
  fs::path file;
  std::string verdict;  ///< "true", "false(...)", "unknown"
  unsigned line = 0;    ///< 0: any
  std::vector<std::string> options, files, hard_for, proved_by;
  double seconds = 0;  ///< 0: the default
  std::string complaint;
};

Expectation read_expectation(const fs::path& file) {
  Expectation e{.file = file};
  std::ifstream stream(file);
  for (std::string text; std::getline(stream, text) && text.starts_with("//");) {
    size_t colon = text.find(": ");
    if (colon == std::string::npos) continue;
    std::string key = text.substr(3, colon - 3), value = text.substr(colon + 2);
    std::vector<std::string> parts = words(value);
    if (key == "expect") {
      e.verdict = parts[0];
      if (parts.size() == 3 && parts[1] == "line")
        e.line = static_cast<unsigned>(std::stoul(parts[2]));
      else if (parts.size() != 1)
        e.complaint = "expect: VERDICT [line N]";
    } else if (key == "property") {
      e.options.insert(e.options.end(), {"--property", value});
    } else if (key == "options") {
      e.options.insert(e.options.end(), parts.begin(), parts.end());
    } else if (key == "files") {
      for (const std::string& name : parts) e.files.push_back((file.parent_path() / name).string());
    } else if (key == "hard-for") {
      e.hard_for = parts;
    } else if (key == "proved-by") {
      e.proved_by = parts;
    } else if (key == "time") {
      e.seconds = std::stod(value);
    }
  }
  bool known = e.verdict == "true" || e.verdict == "unknown" || e.verdict.starts_with("false(");
  if (!known && e.complaint.empty()) e.complaint = "no `// expect:` line";
  return e;
}

struct Outcome {
  int status = -1;  ///< exit status; 1000 + N: killed by signal N
  std::string output, errors;
};

/// Whoever hangs is killed: a test must not.
Outcome run(const std::vector<std::string>& command, double seconds) {
  Outcome outcome;
  char out_name[] = "/tmp/whittle-test-XXXXXX", error_name[] = "/tmp/whittle-test-XXXXXX";
  int out = mkostemp(out_name, O_CLOEXEC), error = mkostemp(error_name, O_CLOEXEC);
  unlink(out_name);
  unlink(error_name);
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, out, 1);
  posix_spawn_file_actions_adddup2(&actions, error, 2);
  pid_t child = 0;
  int failed = posix_spawn(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (!failed) {
    int status = 0;
    auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
    while (waitpid(child, &status, WNOHANG) == 0) {
      if (std::chrono::steady_clock::now() > end) {
        kill(child, SIGKILL);
        waitpid(child, &status, 0);
        break;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    outcome.status = WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
  }
  auto content = [](int descriptor) {
    std::string text;
    char buffer[4096];
    lseek(descriptor, 0, SEEK_SET);
    for (ssize_t n; (n = read(descriptor, buffer, sizeof buffer)) > 0;) text.append(buffer, static_cast<size_t>(n));
    close(descriptor);
    return text;
  };
  outcome.output = content(out);
  outcome.errors = content(error);
  return outcome;
}

bool contains(const std::vector<std::string>& list, const std::string& item) {
  return std::find(list.begin(), list.end(), item) != list.end();
}

/// Looks for no violation: `unknown` is all that it can say of a program that has one.
bool only_proves(const std::string& engine) { return engine == "shape" || engine == "crowd"; }

/// Empty if the engine's answer is right, else what is wrong with it.
std::string judge(const Expectation& e, const std::string& engine, const Outcome& outcome) {
  const nlohmann::json report = nlohmann::json::parse(outcome.output, nullptr, false);
  const std::string answer = report.is_object() ? report.value("verdict", "") : "";
  int right_status = answer == "true" ? 0 : answer == "unknown" ? 5 : answer.starts_with("false(") ? 10 : -1;
  if (right_status < 0) return "no verdict, exit status " + std::to_string(outcome.status);
  if (right_status != outcome.status) return answer + " with exit status " + std::to_string(outcome.status);
  bool is_false = answer.starts_with("false(");
  if (e.verdict == "unknown") return answer == "unknown" ? "" : answer;
  if (e.verdict == "true") {
    if (is_false) return answer;
    return contains(e.proved_by, engine) && answer != "true" ? answer : "";
  }
  if (answer == "unknown") {
    // An engine may refuse a kind of program (threads, ...) by name.
    bool refused = report.is_object() && report.value("reason", "").find("cannot try") != std::string::npos;
    return refused || contains(e.hard_for, engine) || only_proves(engine) ? "" : answer;
  }
  if (answer != e.verdict) return answer;
  if (e.line == 0) return "";
  const nlohmann::json violation = report.is_object() ? report.value("violation", nlohmann::json()) : nlohmann::json();
  if (!violation.is_object()) return answer + " without a report";
  unsigned line = violation.value("line", 0u);
  std::string file = violation.value("file", "");
  if (line != e.line || fs::path(file).filename() != e.file.filename())
    return answer + " at " + file + ":" + std::to_string(line);
  return "";
}

std::vector<fs::path> collect(const Settings& settings) {
  std::vector<fs::path> files;
  for (const std::string& place : settings.places) {
    if (!fs::is_directory(place)) {
      files.push_back(place);
      continue;
    }
    for (const auto& entry : fs::recursive_directory_iterator(place)) {
      bool part = entry.path().filename().string().starts_with("part_");
      if ((entry.path().extension() == ".c" || entry.path().extension() == ".i") && !part)
        files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

struct Task {
  Expectation expectation;
  std::string engine;
};

std::vector<std::string> command_of(const Settings& settings, const Task& task) {
  const Expectation& e = task.expectation;
  double seconds = e.seconds > 0 ? e.seconds : settings.seconds;
  // Looking for what is not there: a short while is enough.
  bool search = e.verdict.starts_with("false(") && !contains(e.hard_for, task.engine) && !only_proves(task.engine);
  if (!search && !contains(e.proved_by, task.engine)) seconds = std::min(seconds, 1.5);
  std::vector<std::string> command = {settings.whittle,        "check",  "--engine", task.engine, "--timeout",
                                      std::to_string(seconds), "--json", "-",        "--quiet"};
  command.insert(command.end(), e.options.begin(), e.options.end());
  command.push_back(e.file.string());
  command.insert(command.end(), e.files.begin(), e.files.end());
  return command;
}

Settings parse(int argc, char** argv) {
  Settings settings;
  for (int i = 1; i < argc; ++i) {
    std::string word = argv[i];
    auto value = [&] { return ++i < argc ? std::string(argv[i]) : std::string(); };
    if (word == "--whittle")
      settings.whittle = value();
    else if (word == "--engines")
      settings.engines = words(value(), ',');
    else if (word == "--time")
      settings.seconds = std::stod(value());
    else if (word == "--jobs")
      settings.jobs = static_cast<unsigned>(std::stoul(value()));
    else
      settings.places.push_back(word);
  }
  return settings;
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings = parse(argc, argv);
  std::vector<Task> tasks;
  unsigned failures = 0;
  for (const fs::path& file : collect(settings)) {
    Expectation e = read_expectation(file);
    if (!e.complaint.empty()) {
      std::cout << file.string() << ": " << e.complaint << '\n';
      failures++;
    } else {
      for (const std::string& engine : settings.engines) tasks.push_back({e, engine});
    }
  }
  if (tasks.empty()) {
    std::cout << "nothing to run\n";
    return 2;
  }
  std::atomic<size_t> next = 0;
  std::mutex mutex;
  auto work = [&] {
    for (size_t i; (i = next++) < tasks.size();) {
      const Task& task = tasks[i];
      std::vector<std::string> command = command_of(settings, task);
      Outcome outcome = run(command, 60 + 3 * settings.seconds);
      // Ended before it could say anything, as the machine is busy: once more, with time.
      if (outcome.status == 5 && outcome.output.find('{') == std::string::npos) {
        *std::next(std::find(command.begin(), command.end(), "--timeout")) = std::to_string(settings.seconds);
        outcome = run(command, 60 + 3 * settings.seconds);
      }
      std::string wrong = judge(task.expectation, task.engine, outcome);
      std::lock_guard lock(mutex);
      if (wrong.empty()) continue;
      failures++;
      std::cout << task.expectation.file.string() << ": " << task.engine << " answers " << wrong << ", expected "
                << task.expectation.verdict
                << (task.expectation.line ? " line " + std::to_string(task.expectation.line) : "") << '\n';
      for (const std::string& word : command) std::cout << ' ' << word;
      std::cout << '\n' << outcome.errors.substr(0, 2000);
    }
  };
  std::vector<std::thread> workers;
  for (unsigned i = 0; i < std::max(1u, settings.jobs); ++i) workers.emplace_back(work);
  for (std::thread& worker : workers) worker.join();
  std::cout << tasks.size() << " checks, " << failures << " wrong\n";
  return failures ? 1 : 0;
}
