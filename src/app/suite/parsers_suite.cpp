#include "app/suite/parsers_suite.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>
#include <thread>

#include "app/options.h"
#include "app/process.h"
#include "app/suite/arguments.h"
#include "app/suite/check_file.h"
#include "app/suite/table.h"
#include "base/error.h"

namespace whittle::app::suite {

namespace {

namespace fs = std::filesystem;

std::vector<std::string> words(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> found;
  for (std::string word; in >> word;) found.push_back(word);
  return found;
}

/// A file of bench/parsers. Its first lines say where its project comes from and what to try: `// key: values`.
struct Harness {
  fs::path file;
  std::map<std::string, std::vector<std::string>> head;

  explicit Harness(const fs::path& path) : file(path) {
    std::ifstream in(path);
    for (std::string line; std::getline(in, line) && line.starts_with("//");)
      if (const size_t colon = line.find(": "); colon != std::string::npos)
        head[line.substr(3, colon - 3)] = words(line.substr(colon + 2));
  }
  std::vector<std::string> values(const std::string& key) const {
    const auto it = head.find(key);
    return it == head.end() ? std::vector<std::string>{} : it->second;
  }
  /// owner/name [version] is in NAME or NAME-VERSION.
  fs::path project(const fs::path& folder) const {
    const std::vector<std::string> source = values("source");
    if (source.empty()) return {};
    const std::string name = source[0].substr(source[0].find('/') + 1);
    return folder / (source.size() > 1 ? name + "-" + source[1] : name);
  }
  bool violated() const { return values("expect") == std::vector<std::string>{"false"}; }
  /// How often CBMC has to go round loops: "N+2".
  std::optional<unsigned> unwind(unsigned size) const {
    const std::vector<std::string> text = values("unwind");
    if (text.empty()) return std::nullopt;
    const bool more = text[0].starts_with("N+");
    return static_cast<unsigned>(std::stoul(more ? text[0].substr(2) : text[0])) + (more ? size : 0);
  }
};

struct Ran {
  std::string verdict;
  double seconds = 0, cpu_seconds = 0;
  std::string text() const { return fmt::format("{:.2f}", seconds); }
};

std::string last_line(const std::string& text) {
  const size_t end = text.find_last_not_of('\n');
  if (end == std::string::npos) return {};
  const size_t begin = text.rfind('\n', end);
  return text.substr(begin + 1, end - begin);  // npos + 1 is 0
}

std::string ran(const std::vector<std::string>& command, double limit, Context& context, Ran& result) {
  Process process(command, limit);
  while (!process.poll() && context.limits.poll_now() == Stop::No) std::this_thread::sleep_for(std::chrono::milliseconds(2));
  result.seconds = process.seconds();
  result.cpu_seconds = process.cpu_seconds();
  return process.output();
}

/// What its output says. A loop that goes round more often than it looked at leaves all else open.
std::string verdict_of_cbmc(const std::string& output) {
  if (output.find("VERIFICATION SUCCESSFUL") != std::string::npos) return "true";
  if (output.find("VERIFICATION FAILED") == std::string::npos) return "unknown";
  std::istringstream in(output);
  bool failed = false;
  for (std::string line; std::getline(in, line);)
    failed |= line.ends_with(": FAILURE") && line.find("unwinding assertion") == std::string::npos &&
              line.find("recursion unwinding") == std::string::npos;
  return failed ? "false" : "unknown";
}

bool is_installed(const std::string& program) {
  if (program.find('/') != std::string::npos) return fs::exists(program);
  const char* path = std::getenv("PATH");
  std::istringstream folders(path != nullptr ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');)
    if (fs::exists(fs::path(folder) / program)) return true;
  return false;
}

}  // namespace

int parsers(const std::vector<std::string>& arguments, Context& context) {
  Arguments options(arguments, {"--dir", "--only", "--timeout", "--memory", "--engine", "--cbmc", "--json"}, {});
  const std::string folder = options.value("--dir"), only = options.value("--only");
  if (folder.empty()) fail_usage("bench parsers: --dir DIR is missing: the folder with the projects");
  const double timeout = parse_duration(options.value("--timeout", "60s"));
  const std::string cbmc = options.value("--cbmc", "cbmc");
  const bool peer = is_installed(cbmc);
  if (!peer) fmt::print("CBMC ({}) is not installed and is left out.\n", cbmc);

  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(bench_folder("parsers")))
    if (entry.path().extension() == ".c") files.push_back(entry.path());
  std::sort(files.begin(), files.end());

  Table table("Public projects, seconds of wall and of processor time",
              {"harness", "N", "whittle", "seconds", "processor", "CBMC", "seconds ", "processor "});
  bool right = true;
  Ran sum, sum_cbmc;
  for (const fs::path& file : files) {
    const Harness harness(file);
    if (!only.empty() && file.stem().string().find(only) == std::string::npos) continue;
    const fs::path project = harness.project(folder);
    if (!fs::exists(project)) {
      fmt::print("{}: no folder {}\n", file.stem().string(), project.string());
      continue;
    }
    std::vector<std::string> includes;
    for (const std::string& inside : harness.values("include")) includes.push_back("-I" + (project / inside).string());
    if (includes.empty()) includes.push_back("-I" + project.string());
    for (const std::string& size : harness.values("sizes")) {
      if (context.limits.poll_now() != Stop::No) break;
      context.progress.update([&] { return fmt::format("{} {}", file.stem().string(), size); });
      std::vector<std::string> command{fs::read_symlink("/proc/self/exe").string(), "check", "--timeout",
                                       fmt::format("{}s", timeout), "--memory", options.value("--memory", "2G")};
      if (options.flag("--engine")) command.insert(command.end(), {"--engine", options.value("--engine")});
      command.insert(command.end(), {file.string(), "--", "-DN=" + size});
      command.insert(command.end(), includes.begin(), includes.end());
      Ran ours, theirs;
      ours.verdict = last_line(ran(command, timeout + 10, context, ours));
      const bool wrong = harness.violated() ? ours.verdict == "true" : ours.verdict.starts_with("false");
      right &= !wrong;
      if (wrong) ours.verdict += " WRONG";
      if (peer) {
        command = {cbmc, "--no-signed-overflow-check", "-DN=" + size};
        if (const auto unwind = harness.unwind(static_cast<unsigned>(std::stoul(size))))
          command.insert(command.end(), {"--unwind", std::to_string(*unwind)});
        command.insert(command.end(), includes.begin(), includes.end());
        command.push_back(file.string());
        theirs.verdict = verdict_of_cbmc(ran(command, timeout, context, theirs));
      }
      context.progress.clear();
      sum.seconds += ours.seconds, sum.cpu_seconds += ours.cpu_seconds;
      sum_cbmc.seconds += theirs.seconds, sum_cbmc.cpu_seconds += theirs.cpu_seconds;
      auto seconds = [&](double s, bool there) { return there ? fmt::format("{:.2f}", s) : std::string(); };
      table.add({file.stem().string(), size, ours.verdict, seconds(ours.seconds, true), seconds(ours.cpu_seconds, true),
                 theirs.verdict, seconds(theirs.seconds, peer), seconds(theirs.cpu_seconds, peer)});
    }
  }
  auto seconds = [&](double s) { return fmt::format("{:.2f}", s); };
  table.add({"sum", "", "", seconds(sum.seconds), seconds(sum.cpu_seconds), "", peer ? seconds(sum_cbmc.seconds) : "",
             peer ? seconds(sum_cbmc.cpu_seconds) : ""});
  table.print();
  write_json(options.value("--json"), {&table});
  return right ? 0 : 70;
}

}  // namespace whittle::app::suite
