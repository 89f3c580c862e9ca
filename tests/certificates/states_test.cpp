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
#include "proof/threads.h"
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

program::Program load(const Case& c, const verdict::Specification& specification) {
  frontend::Options options;
  options.specification = specification;
  options.runtime = WHITTLE_RUNTIME;
  options.include = WHITTLE_INCLUDE;
  options.clang = WHITTLE_CLANG;
  options.clang_flags = {"-w"};
  return frontend::load_program({c.file.string()}, options);
}

Outcome outcome_of(const Case& c) {
  const verdict::Specification specification =
      c.properties.empty() ? verdict::default_specification() : verdict::parse_specification(c.properties);
  const program::Program program = load(c, specification);
  Limits limits;
  limits.set_timeout(kSeconds);
  StateSpace space;
  return check_states(program, specification, limits, space);
}

std::vector<fs::path> all_programs() {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(WHITTLE_PROGRAMS))
    if (entry.path().extension() == ".c") files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

TEST(States, AreThoseOfProgramsThatCarryTheirVerdict) {
  const std::vector<fs::path> files = all_programs();
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

/// Facts that could hold anywhere: what small static objects begin with, and that they are not negative.
Guess guess_of(const program::Program& program) {
  term::Store& terms = program.terms();
  std::vector<term::Term> facts;
  for (const program::Object& o : program.objects) {
    if (o.constant || o.thread_local_ || o.runtime || (o.size != 4 && o.size != 8)) continue;
    const auto width = static_cast<unsigned>(8 * o.size);
    const term::Term cell = terms.read(terms.constant(program.pointer_width(), o.address), width);
    u128 initial = 0;
    for (size_t i = o.size; i-- > 0;) initial = initial << 8 | o.initial[i];
    facts.push_back(terms.eq(cell, terms.constant(width, initial)));
    facts.push_back(terms.sle(terms.constant(width, 0), cell));
  }
  Guess guess;
  for (program::FunctionId f = 0; f < program.functions.size(); ++f) guess.places.push_back({{{f, program::kNone}}, facts});
  return guess;
}

/// A program of threads that violates what its first line says has no proof by threads, whatever facts are tried.
TEST(Threads, ProgramsThatFailHaveNoProof) {
  const bool all = std::getenv("WHITTLE_LONG") != nullptr;
  unsigned met = 0, proved = 0, index = 0;
  std::map<std::string, unsigned> passed;
  for (const fs::path& file : all_programs()) {
    const Case c = read(file);
    std::ifstream stream(file);
    const std::string text{std::istreambuf_iterator<char>(stream), {}};
    if (!c.plain || text.find("pthread_create") == std::string::npos || (!all && ++index % 3 != 0)) continue;
    const bool fails = c.expected.starts_with("false(");
    if (!fails && c.expected != "true") continue;
    verdict::Specification specification;
    Outcome outcome;
    std::string why;
    std::optional<Proof> proof;
    try {
      specification = verdict::parse_specification(fails ? c.expected.substr(6, c.expected.find(')') - 6) : "unreach-call");
      const program::Program program = load(c, specification);
      Limits limits;
      limits.set_timeout(kSeconds);
      proof = fit_threads(guess_of(program), program, specification, limits, why);
    } catch (const Error&) {
      continue;  // its front end is tested elsewhere
    }
    if (fails) {
      EXPECT_FALSE(proof) << file;
      met += why.find("violation") != std::string::npos;
    }
    proved += proof.has_value();
    if (!proof) ++passed[why.substr(0, 60)];
  }
  fmt::print("{} violations met, {} proved\n", met, proved);
  for (const auto& [reason, count] : passed) fmt::print("{:5} {}\n", count, reason);
  EXPECT_GT(met, 10u);
  EXPECT_GT(proved, 0u);
}

}  // namespace
}  // namespace whittle::proof
