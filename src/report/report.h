// What a run was about and how it ended, written for people and for machines.
//
//   report::Run run{.files = {"bank.c"}, .specification = spec, .verdict = verdict};
//   report::Sources sources;
//   std::cout << report::text(run, sources, {.colour = true});
//   write(report::json(run));
#pragma once

#include <map>
#include <string>
#include <vector>

#include "verdict/verdict.h"

namespace whittle::report {

/// Everything a report may mention.
struct Run {
  std::string version;             ///< "0.1.0"
  std::string command_line;        ///< as typed, for people
  std::string replay;              ///< command that replays the counterexample, or empty
  std::vector<std::string> files;  ///< as given
  std::string data_model = "LP64";
  verdict::Specification specification;
  verdict::Verdict verdict;
  double seconds = 0;
  uint64_t peak_memory = 0;  ///< bytes
  std::vector<std::string> warnings;
};

/// Lines of source files, read when first asked for.
class Sources {
 public:
  /// Without the white space around it; empty if there is no such file or line.
  std::string line(const std::string& file, unsigned number);

 private:
  std::map<std::string, std::vector<std::string>> files_;
};

/// A line of the trace as people read it: consecutive steps of one thread on one source line.
struct Row {
  uint32_t thread = 0;
  std::string file;
  unsigned line = 0;
  unsigned depth = 0;
  std::string function;
  std::string source;  ///< the line itself, or the statement if the file cannot be read
  std::vector<std::pair<std::string, std::string>> changes;
  std::vector<std::string> notes;
};
std::vector<Row> rows(const verdict::Trace& trace, Sources& sources);

struct TextStyle {
  bool colour = false;
  size_t columns = 100;   ///< of the terminal
  size_t max_rows = 200;  ///< longer traces are cut in the middle; 0: never
};

/// The counterexample: what is violated where, inputs, one column per thread. Empty unless the answer is `false`.
std::string counterexample_text(const Run& run, Sources& sources, const TextStyle& style);
/// The trace alone, whatever the answer.
std::string trace_text(const Run& run, Sources& sources, const TextStyle& style);
/// Statistics, assumptions, warnings, the reason of the answer. Ends with a new line. Not the verdict line.
std::string summary_text(const Run& run, const TextStyle& style);

std::string json(const Run& run);                    ///< docs/reports.md describes the fields
std::string html(const Run& run, Sources& sources);  ///< one self-contained page
std::string sarif(const Run& run);                   ///< SARIF 2.1.0
std::string github_annotations(const Run& run);      ///< lines `::error file=...`; empty if there is nothing to tell
std::string yaml_witness(const Run& run);            ///< violation_sequence 2.0. Requires answer `false`
std::string graphml_witness(const Run& run);         ///< violation witness 1.0. Requires answer `false`

/// Properties that a run did not look at, with commas; a temporal formula is not among them.
std::string not_checked(const verdict::Specification& specification);

/// "5", "-1", "0x1f..." for widths above 64: signed unless the origin's name says unsigned.
std::string value_text(const verdict::Input& input);
/// Thread per visible step, run-length coded: "0:12,1,0:3".
std::string schedule_text(const std::vector<uint32_t>& schedule);

}  // namespace whittle::report
