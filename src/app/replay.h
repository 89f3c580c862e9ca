// Inputs and schedules as text: on the command line, in counterexample files, in the "replay:" line.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/options.h"
#include "base/int128.h"
#include "verdict/verdict.h"

namespace whittle::app {

/// "5,-1,0x10,0:99" or the path of a file with such values, separated by commas or white space; # starts a comment.
/// Throws Error (usage) naming what is no value.
std::vector<u128> parse_inputs(const std::string& values_or_file);
/// "0:12,1,0:3" or the path of a file with that.
std::vector<uint32_t> parse_schedule(const std::string& text_or_file);

struct ReplayData {
  std::vector<u128> inputs;
  std::vector<uint32_t> schedule;
  std::vector<std::pair<std::string, std::string>> digests;  ///< files of the program, and their SHA-256 at that time
};
/// With the digests of the program's files as they are now.
std::string counterexample_file(const verdict::Verdict& verdict, const std::string& replay_command,
                                const std::vector<std::string>& files);
/// Throws Error (bad input).
ReplayData read_counterexample(const std::string& file);
/// "a.c has changed since", naming the first of `files` that is not what the counterexample was made for; or empty.
std::string first_change(const ReplayData& data, const std::vector<std::string>& files);

/// A shell command that runs into the violation again; with a counterexample file if one was written. `formula`: which
/// of several formulas it is about, from 1 (firmware); 0: there is one at most.
std::string replay_command(const Options& options, const verdict::Counterexample& counterexample,
                           uint64_t formula = 0);

/// A word for the shell, in quotes if it needs them.
std::string quote(const std::string& word);

}  // namespace whittle::app
