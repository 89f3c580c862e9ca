// Programs that carry their verdict (tests/programs), gone through state by state by the executor of the checker. What it
// finds must be that verdict: it is a second definition of statements, and shares no code with the engines' machine.
// WHITTLE_LONG=1: all of them, not every fourth.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>

#include "base/error.h"
#include "frontend/frontend.h"
#include "proof/states.h"
#include "verdict/property.h"

namespace whittle::proof {
namespace {

namespace fs = std::filesystem;

constexpr double kSeconds = 1.5;  ///< for one program; what takes longer is passed over

struct Case {
  fs::path file;
  std::string expected;
  std::string properties;
  bool plain = true;  ///< no options, one file
};

Case read(const fs::path& file) {
  Case found{file, {}, {}};
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line) && line.starts_with("//");) {
    auto value = [&](const char* key) { return line.starts_with(key) ? line.substr(std::string(key).size()) : std::string(); };
    if (std::string text = value("// expect: "); !text.empty()) found.expected = text.substr(0, text.find(' '));
    if (std::string text = value("// property: "); !text.empty()) found.properties = text;
    if (line.starts_with("// options:") || line.starts_with("// files:")) found.plain = false;
  }
  return found;
}

Outcome outcome_of(const Case& c) {
  frontend::Options options;
  options.specification = c.properties.empty() ? verdict::default_specification() : verdict::parse_specification(c.properties);
  options.runtime = WHITTLE_RUNTIME;
  options.include = WHITTLE_INCLUDE;
  options.clang = WHITTLE_CLANG;
  options.clang_flags = {"-w"};
  const program::Program program = frontend::load_program({c.file.string()}, options);
  Limits limits;
  limits.set_timeout(kSeconds);
  StateSpace space;
  return check_states(program, options.specification, limits, space);
}

TEST(States, AreThoseOfProgramsThatCarryTheirVerdict) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(WHITTLE_PROGRAMS))
    if (entry.path().extension() == ".c") files.push_back(entry.path());
  std::ranges::sort(files);
  const char* only = std::getenv("WHITTLE_ONLY");
  const bool all = only || std::getenv("WHITTLE_LONG");
  unsigned valid = 0, refuted = 0;
  std::map<std::string, unsigned> passed;
  for (size_t i = 0; i < files.size(); i += all ? 1 : 4) {
    const fs::path& file = files[i];
    const Case c = read(file);
    if (c.expected.empty() || !c.plain || (only && file.string().find(only) == std::string::npos)) continue;
    Outcome outcome;
    try {
      outcome = outcome_of(c);
    } catch (const Error&) {
      continue;  // its front end is tested elsewhere
    }
    if (only) fmt::print("{}: {} {} {} {}\n", file.string(), c.expected, outcome.valid, outcome.decided, outcome.reason);
    if (outcome.valid) {
      EXPECT_EQ(c.expected, "true") << file << ": the checker goes through all states and finds nothing wrong";
      ++valid;
    } else if (outcome.decided) {
      EXPECT_TRUE(c.expected.starts_with("false")) << file << ": " << outcome.reason;
      ++refuted;
    } else {
      ++passed[outcome.reason.substr(0, 60)];
    }
  }
  fmt::print("{} valid, {} refuted\n", valid, refuted);
  for (const auto& [reason, count] : passed) fmt::print("{:5} {}\n", count, reason);
  if (!only) {
    EXPECT_GT(valid, 40u);
    EXPECT_GT(refuted, 40u);
  }
}

}  // namespace
}  // namespace whittle::proof
