// Everything the user asked for, parsed once from the command line and read-only afterwards.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace whittle::app {

enum class Command : uint8_t { None, Check, Run, Show, Harness, Bench, CheckProof };

/// What is to be read and how: common to check, run and show.
struct InputOptions {
  std::vector<std::string> files;
  std::vector<std::string> include_paths;  // -I
  std::vector<std::string> defines;        // -D
  std::vector<std::string> clang_flags;    // after --
  std::string data_model = "LP64";
  std::string entry = "main";
  // how the arguments of another entry than main are made
  std::vector<std::string> buffers, lengths, strings, nulls;  ///< NAME=N, NAME:LENGTH, NAME=N, NAME
  unsigned depth = 2;
  bool any_globals = false;
  std::string database;  ///< compile_commands.json or its folder; empty: none
  unsigned arguments = 2, argument_length = 4;  ///< of main
  unsigned text_length = 8;                     ///< of texts from the system
  std::vector<std::string> ignore;  ///< FILE:LINE or FILE:LINE:COLUMN: what is violated there is passed over
  unsigned signals = 0;             ///< that arrive from outside
  bool malloc_may_fail = false, spurious_wakeups = false;
  std::vector<std::string> stubs;  ///< NAME=any|havoc-arguments|zero|FILE.c
};

/// Firmware instead of a C program: what --mcu and its companions say.
struct FirmwareSettings {
  std::string mcu;          ///< empty: no firmware
  std::string environment;  ///< file
  std::string timers = "any";
  bool early = false;       ///< decide inputs when they are read
  bool from_reset = false;
  bool check_written = false, check_endless = false;
};

struct Options {
  Command command = Command::None;
  std::string command_line;  ///< as typed
  InputOptions input;

  // check
  std::string engine = "auto";
  std::string property;  ///< names or a file; empty: the default
  bool strict = false;
  bool all = false;             ///< every violation, not only the first
  std::string solver = "auto";  ///< solve::kEngineNames
  bool cross_check = false;
  std::string smt_log;  ///< a folder; empty: no log
  std::vector<std::pair<std::string, std::string>> engine_options;  ///< name without dashes, value

  // check and run
  std::optional<uint64_t> seed;                              ///< check: 1 if absent; run: no randomness if absent
  double timeout = std::numeric_limits<double>::infinity();  ///< seconds
  std::optional<uint64_t> memory;                            ///< bytes
  unsigned cores = 0;                                        ///< check: 0: all there are
  bool quiet = false;
  bool verbose = false;     ///< what is decided on the way, on stderr
  bool statistics = false;  ///< all figures, not one line
  size_t trace_lines = 200;
  std::string format = "text";             ///< of the report on stdout: text or github
  std::string json, html, sarif, witness, coverage;  ///< files, or "-"
  std::string validate;  ///< a witness; empty: none
  std::string error_function;  ///< calls of it violate unreach-call, too; empty: none
  std::string counterexample;              ///< check writes it, run reads it

  FirmwareSettings firmware;
  /// Options on the command line, by name ("--html", "-I"), with their values.
  std::map<std::string, std::vector<std::string>> given;

  // check without files
  std::string project;            ///< the project file; empty: whittle.yml here or in a folder above
  std::vector<std::string> only;  ///< names of checks; empty: all
  unsigned jobs = 0;              ///< checks at once; 0: as many as there are cores

  std::string answers;      ///< folder of answers that are kept; empty: none, of a project the default one
  bool no_answers = false;  ///< ... of a project: none

  // run
  std::optional<std::string> inputs;    ///< file, or values
  std::optional<std::string> schedule;  ///< file, or threads
  bool trace = false;
  bool native = false;        ///< in the user's own program
  bool gdb = false;           ///< ... in a debugger
  std::string export_folder;  ///< ... written there
  std::string tests;          ///< folder for tests made from runs

  // show
  std::string show_as = "program";

  // check-proof: reads it; check: writes it
  std::string proof;           ///< the file
  bool require_proof = false;  ///< check: no `true` without one

  // bench
  std::string suite;  ///< empty: list them
  std::vector<std::string> suite_arguments;
};

/// Parses a command line. Nothing if everything asked for has been done (--help, --version). Throws Error (usage) with
/// the nearest name when an option or a command is not known.
std::optional<Options> parse_command_line(int argc, const char* const* argv);

/// "10", "10s", "5m", "1h", "250ms"; "2G", "512M", "1000000". Throw Error (usage).
double parse_duration(const std::string& text);
uint64_t parse_size(const std::string& text);

}  // namespace whittle::app
