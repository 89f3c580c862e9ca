// Inputs of runs as test suites that others read.
//
//   for (auto& [name, bytes] : test_suite(cases, about)) write(folder / name, bytes);
#pragma once

#include <map>
#include <string>
#include <vector>

#include "verdict/verdict.h"

namespace whittle::report {

struct TestCase {
  std::vector<verdict::Input> inputs;  ///< that the program asks for, in order
  std::vector<std::string> names;      ///< by input: the variable it is put into; may be shorter
  bool violates = false;
  int status = 0;       ///< exit status, if it ends
  bool aborts = false;
};

struct SuiteInfo {
  std::string version;
  std::string file;           ///< the program
  std::string specification;  ///< "COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )"
  std::string entry = "main";
  std::string data_model = "LP64";
  std::string created;        ///< ISO 8601
};

/// File names and contents: metadata.xml and test-N.xml (Test-Comp), test-N.ktest (KLEE), tests.c: a program that runs
/// each case in a process of its own and compares how it ends.
std::map<std::string, std::string> test_suite(const std::vector<TestCase>& cases, const SuiteInfo& info);

}  // namespace whittle::report
