// Random threaded programs under given schedules: natively (runtime/native), and on the machine. What they print and how
// they end is the same; and what the thread sanitizer reports on such a run, the machine reports too.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/wait.h>

#include <filesystem>
#include <fstream>
#include <random>

#include "frontend/frontend.h"
#include "native/coarse_run.h"
#include "native/generator.h"

namespace whittle::native {
namespace {

namespace fs = std::filesystem;

constexpr unsigned kBatch = 50;      ///< programs compiled together
constexpr unsigned kSchedules = 2;   ///< runs of each
constexpr unsigned kOtherSchedules = 300;
constexpr uint64_t kFirstSeed = 1;

unsigned count(unsigned usual, unsigned all) { return std::getenv("WHITTLE_LONG") != nullptr ? all : usual; }

struct Folder {
  fs::path path;
  Folder() {
    std::string name = (fs::temp_directory_path() / "whittle-native-XXXXXX").string();
    path = mkdtemp(name.data());
  }
  ~Folder() {
    std::error_code error;
    fs::remove_all(path, error);
  }
};

struct Output {
  std::string text;
  int status = 0;
};

Output shell(const std::string& command) {
  Output output;
  FILE* pipe = popen(command.c_str(), "r");
  char buffer[4096];
  for (size_t n; (n = fread(buffer, 1, sizeof buffer, pipe)) > 0;) output.text.append(buffer, n);
  int status = pclose(pipe);
  output.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return output;
}

/// Some programs, compiled for the machine and natively.
class Batch {
 public:
  Batch(uint64_t first, unsigned size, const std::string& flags) {
    std::string text = prelude(), cases;
    for (uint64_t seed = first; seed < first + size; ++seed) {
      text += synchronised_program(seed);
      cases += fmt::format("    case {0}: return main_{0}();\n", seed);
    }
    std::ofstream(folder_.path / "batch.c") << text;
    std::ofstream(folder_.path / "native.c")
        << "#include \"batch.c\"\n"
        << fmt::format("int main(int argc, char** argv) {{\n  switch (atoi(argv[argc - 1])) {{\n{}  }}\n  return 99;\n}}\n",
                       cases);
    const std::string at = folder_.path.string(), shim = WHITTLE_SHIM;
    good_ = run(fmt::format(WHITTLE_CLANG " -w -O0 -Xclang -disable-O0-optnone -g -emit-llvm -c -o {0}/batch.bc "
                            "{0}/batch.c", at)) &&
            run(fmt::format(WHITTLE_CLANG " -O1 -c -o {0}/schedule.o {1}/schedule.c", at, shim)) &&
            run(fmt::format(WHITTLE_CLANG " -w -g -O0 {2} -include {1}/schedule.h -o {0}/native {0}/native.c {0}/schedule.o "
                            "-lpthread", at, shim, flags));
  }

  bool good() const { return good_; }

  program::Program load(uint64_t seed, verdict::Specification specification) const {
    frontend::Options options;
    options.entry = fmt::format("main_{}", seed);
    options.specification = std::move(specification);
    options.runtime = WHITTLE_RUNTIME;
    return frontend::load_program({(folder_.path / "batch.bc").string()}, options);
  }

  Output native(uint64_t seed, const std::vector<uint32_t>& schedule, const std::string& rest) const {
    return shell(fmt::format("WHITTLE_SCHEDULE={} timeout 20 {}/native {} {}", fmt::join(schedule, ","),
                             folder_.path.string(), seed, rest));
  }

 private:
  static bool run(const std::string& command) {
    bool good = std::system(command.c_str()) == 0;
    EXPECT_TRUE(good) << command;
    return good;
  }

  Folder folder_;
  bool good_ = false;
};

CoarseRun::Choice randomly(std::mt19937_64& random) {
  return [&](const std::vector<uint32_t>& can) { return can[random() % can.size()]; };
}

std::string end_of(const Output& native) {
  return native.status == 86 ? "deadlock" : native.status == 134 ? "abort" : fmt::format("exit {}", native.status);
}

TEST(Native, SameScheduleSameEnd) {
  const unsigned all = count(30, 1000);
  std::map<std::string, unsigned> ends;
  for (unsigned done = 0; done < all; done += kBatch) {
    const unsigned size = std::min(kBatch, all - done);
    Batch batch(kFirstSeed + done, size, "");
    ASSERT_TRUE(batch.good());
    for (uint64_t seed = kFirstSeed + done; seed < kFirstSeed + done + size; ++seed) {
      verdict::Specification specification;
      specification.properties = {verdict::Property::UnreachCall};
      program::Program program = batch.load(seed, specification);
      auto code = std::make_shared<exec::Code>(program, specification);
      std::mt19937_64 random(seed);
      for (unsigned i = 0; i < kSchedules; ++i) {
        CoarseRun run(code);
        run.run(randomly(random));
        Output native = batch.native(seed, run.schedule(), "2> /dev/null");
        ASSERT_EQ(native.text + "\n" + end_of(native), run.output() + "\n" + run.end())
            << synchronised_program(seed) << fmt::format("WHITTLE_SCHEDULE={}", fmt::join(run.schedule(), ","));
        ++ends[run.end().substr(0, run.end().find(' '))];
      }
    }
  }
  for (const char* end : {"exit", "abort", "deadlock"}) EXPECT_GT(ends[end], 0u) << end;
}

CoarseRun::Choice along(const std::vector<uint32_t>& schedule) {
  return [&schedule, next = size_t{0}](const std::vector<uint32_t>& can) mutable {
    return next < schedule.size() ? schedule[next++] : can[0];
  };
}

/// A race in this run or, as some calls order more here than in C (sem_post after sem_post), in one of a few others.
bool finds_race(const std::shared_ptr<const exec::Code>& code, const std::vector<uint32_t>& schedule) {
  std::mt19937_64 random(1);
  for (unsigned i = 0; i <= kOtherSchedules; ++i) {
    CoarseRun run(code);
    run.run(i == 0 ? along(schedule) : randomly(random));
    if (run.end() == "data race") return true;
  }
  return false;
}

TEST(Native, WhatTheThreadSanitizerReports) {
  const unsigned all = count(20, 1000);
  unsigned reported = 0;
  for (unsigned done = 0; done < all; done += kBatch) {
    const unsigned size = std::min(kBatch, all - done);
    Batch batch(kFirstSeed + done, size, "-fsanitize=thread");
    ASSERT_TRUE(batch.good());
    for (uint64_t seed = kFirstSeed + done; seed < kFirstSeed + done + size; ++seed) {
      verdict::Specification assertions, races;
      assertions.properties = {verdict::Property::UnreachCall};
      races.properties = {verdict::Property::NoDataRace};
      program::Program program = batch.load(seed, assertions);
      std::mt19937_64 random(seed);
      CoarseRun run(std::make_shared<exec::Code>(program, assertions));
      run.run(randomly(random));
      Output native = batch.native(seed, run.schedule(), "2>&1 > /dev/null");
      if (native.text.find("ThreadSanitizer: data race") == std::string::npos) continue;
      ++reported;
      ASSERT_TRUE(finds_race(std::make_shared<exec::Code>(program, races), run.schedule()))
          << synchronised_program(seed) << fmt::format("WHITTLE_SCHEDULE={}\n", fmt::join(run.schedule(), ","))
          << native.text;
    }
  }
  EXPECT_GT(reported, all / 10);
}

}  // namespace
}  // namespace whittle::native
