// A search that is stopped again and again, and goes on from its checkpoint each time.
//
//   Stopped stopped = with_stops<DashEngine>(program, "dash", specification, 0.01, settings);
//   EXPECT_EQ(stopped.verdict.answer, whole.answer);
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "engines/engine.h"
#include "program/parse.h"
#include "program/print.h"

namespace whittle::test {

struct Stopped {
  verdict::Verdict verdict;
  unsigned stops = 0;
};

/// Each part has a program of its own, as a new process would. `seconds`: of the first part; each is a little longer than the one before, however slow the machine is.
template <typename E>
Stopped with_stops(const program::Program& original, const std::string& engine, const verdict::Specification& specification, double seconds,
                   engines::Settings settings = {}) {
  std::string folder = (std::filesystem::temp_directory_path() / "whittle_stops_XXXXXX").string();
  EXPECT_NE(mkdtemp(folder.data()), nullptr);
  const std::string file = folder + "/" + engine + ".checkpoint";
  settings.set("checkpoint", folder);
  settings.set("checkpoint-every", "0.01");
  const std::string text = program::to_text(original);
  Stopped all;
  for (;; ++all.stops, seconds *= 1.3) {
    if (std::filesystem::exists(file)) settings.set("resume", folder);
    const program::Program program = program::parse_text(text);
    Limits limits;
    limits.set_timeout(seconds);
    Statistics statistics;
    Progress progress(false);
    Context context{limits, statistics, progress};
    all.verdict = E().run(program, specification, settings, context);
    if (all.verdict.reason.find("--resume goes on from here") == std::string::npos) break;
    EXPECT_EQ(all.verdict.answer, verdict::Answer::Unknown);
    EXPECT_TRUE(std::filesystem::exists(file));
  }
  EXPECT_FALSE(std::filesystem::exists(file)) << "an answer needs no checkpoint";
  std::filesystem::remove_all(folder);
  return all;
}

}  // namespace whittle::test
