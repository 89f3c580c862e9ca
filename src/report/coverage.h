// What runs of the machine reached of a program, and what is proved unreachable: lcov, words for people, HTML.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "report/report.h"

namespace whittle::report {

enum class Reach : uint8_t {
  Unreachable,  ///< proved: no run gets there
  Open,         ///< no run got there, and there is no proof that none can
  Reached,
};

struct CoveredBranch {
  unsigned line = 0;
  unsigned decision = 0;  ///< number of the decision on its line
  unsigned way = 0;       ///< number of the branch of that decision
  uint64_t count = 0;
  Reach reach = Reach::Open;
};

struct CoveredFile {
  struct Line {
    uint64_t count = 0;
    Reach reach = Reach::Unreachable;
  };
  struct Function {
    std::string name;
    unsigned line = 0;
    uint64_t count = 0;  ///< calls
    Reach reach = Reach::Open;
  };
  std::string name;
  std::map<unsigned, Line> lines;  ///< that have statements
  std::vector<CoveredBranch> branches;
  std::vector<Function> functions;
};

struct Coverage {
  std::vector<CoveredFile> files;
  uint64_t runs = 0;
};

/// "12 of 15 lines reached, 2 proved unreachable, 1 open; 7 of 8 branches reached, 1 proved unreachable (40 runs)".
std::string coverage_text(const Coverage& coverage);
/// A tracefile of lcov. Unreachable lines and branches are left out of it, as those are that its users exclude.
std::string lcov(const Coverage& coverage);
/// The sources with marks, to stand in a page.
std::string coverage_html(const Coverage& coverage, Sources& sources, const std::vector<Invariant>& invariants);
/// A page of its own.
std::string coverage_page(const Coverage& coverage, Sources& sources, const std::string& title);

}  // namespace whittle::report
