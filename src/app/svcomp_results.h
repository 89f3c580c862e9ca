// Answers to tasks of the collection: right or wrong, the competition's score, kept in a file between runs.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "app/svcomp_tasks.h"

namespace whittle::app::svcomp {

enum class Kind : uint8_t { Right, Wrong, Unknown, Crash };
const char* name(Kind kind);

struct Result {
  Task task;
  std::string verdict;  ///< last line, or "crash(STATUS)"
  Kind kind = Kind::Unknown;
  double seconds = 0;  ///< on the wall
  double cpu = 0;      ///< of all its processes
};

/// `verdict` against what the task expects. A violation of another property than the task's is wrong.
Kind judge(const Task& task, const std::string& verdict);

/// True 2, false 1, wrong true -32, wrong false -16.
int score(const Result& result);

struct Sums {
  std::string set;
  unsigned tasks = 0;
  unsigned count[4] = {};  ///< by Kind
  int score = 0;
  double seconds = 0;
};
/// One line for each set, in order, and one for all.
std::vector<Sums> sums(const std::vector<std::string>& sets, const std::vector<Result>& results);

/// What a file of results belongs to: results of other conditions are not taken over.
struct Conditions {
  std::string engine, timeout, memory;
  unsigned cores = 1;
};

/// Written so that an interruption leaves the old file or the new one. No file name: nothing happens.
void save(const std::string& file, const Conditions& conditions, const std::vector<Result>& results);
/// Verdict and times by name of the task; empty if there is no such file or its conditions differ.
std::map<std::string, Result> load(const std::string& file, const Conditions& conditions);

}  // namespace whittle::app::svcomp
