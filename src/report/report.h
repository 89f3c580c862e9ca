// What a run was about and how it ended, written for people and for machines.
//
//   report::Run run{.files = {"bank.c"}, .specification = spec, .verdict = verdict};
//   report::Sources sources;
//   std::cout << report::text(run, sources, {.colour = true});
//   write(report::json(run));
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "verdict/claims.h"
#include "verdict/detailed_trace.h"

namespace whittle::report {

struct Coverage;  // report/coverage.h

/// Everything a report may mention.
struct Run {
  std::string version;             ///< "0.1.0"
  std::string command_line;        ///< as typed, for people
  std::string replay;              ///< command that replays the counterexample, or empty
  std::vector<std::string> files;  ///< as given
  std::string data_model = "LP64";
  verdict::Specification specification;
  verdict::Verdict verdict;
  verdict::DetailedTrace trace;  ///< the violation, or the evidence for a formula; empty if there is none
  double seconds = 0;
  uint64_t peak_memory = 0;  ///< bytes
  std::vector<std::string> warnings;
  verdict::Claims claims;
  std::shared_ptr<const Coverage> coverage;  ///< if it was asked for
  std::map<std::string, std::string> texts;  ///< of files that are nowhere else: the harness for a function
};

/// Lines of source files, read when first asked for.
class Sources {
 public:
  /// `texts`: of files that are nowhere else.
  explicit Sources(const std::map<std::string, std::string>& texts = {});
  /// Without the white space around it; empty if there is no such file or line.
  std::string line(const std::string& file, unsigned number);
  /// All of them; none if the file cannot be read.
  const std::vector<std::string>& lines(const std::string& file);

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
  std::vector<verdict::Change> changes;
  std::vector<std::string> notes;
  std::vector<verdict::Read> reads = {};
  size_t first = 0;  ///< step of the trace that it begins with
  std::string callee = {};  ///< the user's function that it goes into
  std::vector<verdict::Change> arguments = {};
  std::optional<uint64_t> cycles = {};  ///< of a chip
  uint32_t frame = 0, round = 0;         ///< as in a step; the round that it ends in
  std::vector<uint32_t> ended = {};
};
/// A register of a chip: where there is a source line, it says nothing to most readers.
bool is_register(const std::string& name);
/// "push(value = 1, color = RED)"; empty: no call, or a call of a function without parameters.
std::string call_text(const Row& row);
/// "x = 1, y = 2; g returns 3; f(a = 3)": what it changed, what is to be said of it, and the call.
std::string effects_text(const Row& row);
std::vector<Row> rows(const verdict::DetailedTrace& trace, Sources& sources);

/// A row, or rounds of a loop, one after the other, that all passed the same lines.
struct Part {
  size_t begin = 0, end = 0;         ///< rows
  uint64_t rounds = 0;               ///< 0: one row
  uint64_t number = 0;               ///< of the first of these rounds in its loop; 0: not known
  verdict::Round::Kind kind = verdict::Round::Kind::Loop;
  std::vector<Part> first, last;     ///< the first and the last round
  std::vector<std::string> varying;  ///< what rounds differ in, by name; some of it
};
/// Without `rounds`: what repeats itself.
std::vector<Part> fold(const std::vector<Row>& rows, const std::vector<verdict::Round>& rounds = {});
/// "rounds 2 to 4,998 as round 1 except i": in place of all but the first and the last.
std::string rounds_text(const Part& part, const std::vector<Row>& rows);

/// "thread 0 (main)", "thread 2 (transfer)", "interrupts".
std::string lane_name(const verdict::DetailedTrace& trace, uint32_t thread);

struct TextStyle {
  bool colour = false;
  size_t columns = 100;   ///< of the terminal
  size_t max_rows = 200;  ///< longer traces are cut in the middle; 0: never, and loops are not folded
  bool statistics = false;  ///< all figures, not one line
};

/// The counterexample: what is violated where, inputs, one column per thread. Empty unless the answer is `false`.
std::string counterexample_text(const Run& run, Sources& sources, const TextStyle& style);
/// The trace alone, whatever the answer.
std::string trace_text(const Run& run, Sources& sources, const TextStyle& style);
/// Assumptions, the reason of the answer, what was not checked, and how long it took. Ends with a new line. Not the
/// verdict line.
std::string summary_text(const Run& run, const TextStyle& style);

/// What is known of each property and of each assertion: proved, violated, unknown and why. Empty if there is no list.
std::string claims_text(const Run& run, const TextStyle& style);
/// "proved", "violated", "unknown".
std::string_view answer_word(verdict::Answer answer);
/// A property, or an assertion with its place.
std::string claim_name(const verdict::Claim& claim);
/// The run as if it were about each violation of `run.claims.findings`.
std::vector<Run> further_violations(const Run& run);

std::string json(const Run& run);                    ///< docs/reports.md describes the fields
std::string html(const Run& run, Sources& sources);  ///< one self-contained page
std::string sarif(const Run& run);                   ///< SARIF 2.1.0
std::string github_annotations(const Run& run);      ///< lines `::error file=...`; empty if there is nothing to tell
std::string yaml_witness(const Run& run);            ///< violation_sequence or invariant_set. Requires answer `false` or `true`
std::string graphml_witness(const Run& run);         ///< violation witness 1.0. Requires answer `false`

/// What a proof says about every arrival at a source line: the lines "  FILE:LINE: TEXT" of the reason.
struct Invariant {
  std::string file;
  unsigned line = 0;
  std::string text;  ///< "i <= n"
};
std::vector<Invariant> invariants(const verdict::Verdict& verdict);

/// Properties that a run did not look at, with commas; a temporal formula is not among them.
std::string not_checked(const verdict::Specification& specification);

/// The variable that the program put an input into, or empty.
inline std::string input_name(const Run& run, size_t i) { return i < run.trace.inputs.size() ? run.trace.inputs[i].variable : ""; }
/// Inputs that belong together, as one row: the characters of a text, an argument of the command line.
struct InputRow {
  size_t first = 0, last = 0;  ///< numbers in the counterexample, from 0
  std::string value;           ///< "x = 5", "\"-x\""
  std::string origin, file;
  unsigned line = 0;
};
std::vector<InputRow> input_rows(const Run& run);

/// What a run was given from outside that is no value the program asked for by name.
struct Surroundings {
  bool has_arguments = false;          ///< main looks at its arguments
  std::vector<std::string> arguments;  ///< argv[1], ...
  bool has_text = false;               ///< functions of the library read
  std::string text;                    ///< what they read, one after the other
  std::vector<bool> known;             ///< by input: it is a part of these
};
/// `formats`: by input, of the scanf that asked for it.
Surroundings surroundings(const verdict::Counterexample& counterexample, const std::vector<std::string>& formats);
/// "5", "-1", "0x1f..." for widths above 64: signed unless the origin's name says unsigned.
std::string value_text(const verdict::Input& input);
/// Thread per visible step, run-length coded: "0:12,1,0:3".
std::string schedule_text(const std::vector<uint32_t>& schedule);

}  // namespace whittle::report
