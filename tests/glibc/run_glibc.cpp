// Runs random sequences of libc calls natively and on the concrete machine, and compares what they print.
//   run_glibc --whittle PROGRAM --family NAME [--first N] [--count N]
// The number of sequences is 40, or 1000 with WHITTLE_LONG set. Prints differences with their line of C; the last line
// counts. Fails if there is one.
#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

#include "families.h"

namespace fs = std::filesystem;
using namespace whittle::glibc;

namespace {

constexpr size_t kBatch = 100;  // sequences in one program: starting clang costs as much as running them

struct Result {
  int status = 0;
  std::vector<std::string> lines;
  std::string message;  ///< the first line on stderr
};

Result run(const std::string& command, const fs::path& output) {
  Result result;
  result.status = std::system((command + " < /dev/null > " + output.string() + " 2> " + output.string() + ".messages").c_str());
  std::ifstream file(output);
  for (std::string line; std::getline(file, line);) result.lines.push_back(line);
  std::ifstream messages(output.string() + ".messages");
  std::getline(messages, result.message);
  return result;
}

std::string line_of(const std::string& source, const std::string& output) {
  size_t wanted = std::strtoul(output.c_str(), nullptr, 10);
  std::istringstream lines(source);
  std::string line;
  for (size_t i = 0; i < wanted && std::getline(lines, line); ++i) {
  }
  return line;
}

/// The number of differences in one program, at most a few.
size_t compare(const std::string& whittle, const Family& family, uint64_t first, size_t count, const fs::path& folder) {
  std::string source = program_of(family, first, count);
  std::ofstream(folder / "program.c") << source;
  std::string file = (folder / "program.c").string(), native = (folder / "native").string();
  std::string flags = fmt::format("-I {}", WHITTLE_GLIBC_FOLDER);
  Result built = run(fmt::format(WHITTLE_CLANG " -w -O0 -fno-builtin -ffp-contract=off {} -o {} {} -lm", flags, native, file),
                     folder / "build");
  if (built.status != 0) {
    std::cout << family.name << ": does not compile: " << built.message << "\n";
    return 1;
  }
  Result expected = run("env -i TZ=UTC0 timeout 60 " + native, folder / "expected");
  Result actual = run(fmt::format("timeout 300 {} run {} {}", whittle, flags, file), folder / "actual");
  size_t differences = 0;
  if (expected.status != actual.status) {
    std::cout << fmt::format("{} {}..{}: exit {} natively, {} on the machine: {}\n", family.name, first,
                             first + count - 1, expected.status, actual.status, actual.message);
    ++differences;
  }
  for (size_t i = 0; i < std::max(expected.lines.size(), actual.lines.size()) && differences < 8; ++i) {
    std::string e = i < expected.lines.size() ? expected.lines[i] : "(nothing)";
    std::string a = i < actual.lines.size() ? actual.lines[i] : "(nothing)";
    if (e == a) continue;
    std::cout << fmt::format("{} {}..{}: natively `{}`, on the machine `{}`\n   {}\n", family.name, first,
                             first + count - 1, e, a, line_of(source, e));
    ++differences;
  }
  return differences;
}

}  // namespace

int main(int argc, char** argv) {
  std::string whittle, name;
  uint64_t first = 1;
  size_t count = std::getenv("WHITTLE_LONG") ? 1000 : 40;
  for (int i = 1; i + 1 < argc; i += 2) {
    std::string option = argv[i], value = argv[i + 1];
    if (option == "--whittle") whittle = value;
    if (option == "--family") name = value;
    if (option == "--first") first = std::stoull(value);
    if (option == "--count") count = std::stoull(value);
  }
  const Family* family = nullptr;
  for (size_t i = 0; i < kFamilyCount; ++i)
    if (kFamilies[i].name == name) family = &kFamilies[i];
  if (!family || whittle.empty()) {
    std::cerr << "usage: run_glibc --whittle PROGRAM --family NAME [--first N] [--count N]\n";
    return 2;
  }
  std::string pattern = fs::temp_directory_path() / "whittle-glibc-XXXXXX";
  fs::path folder = mkdtemp(pattern.data());
  size_t differences = 0;
  for (uint64_t seed = first; seed < first + count; seed += kBatch)
    differences += compare(whittle, *family, seed, std::min<size_t>(kBatch, first + count - seed), folder);
  if (!std::getenv("WHITTLE_KEEP")) fs::remove_all(folder);
  std::cout << fmt::format("{}: {} sequences, {} differences\n", name, count, differences);
  return differences == 0 ? 0 : 1;
}
