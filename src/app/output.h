// Where reports go: the terminal's size and colours, files that may not be writable.
#pragma once

#include <string>
#include <vector>

#include "app/options.h"
#include "report/report.h"

namespace whittle::app {

/// For stdout, or for stderr if `error`: colours and width of the terminal, plain text otherwise.
report::TextStyle text_style(const Options& options, bool error);

/// Throws Error (bad input) if the file could not be written, without touching it: asked before a long search. Empty
/// names pass.
void require_writable(const std::string& file);
/// On stderr, the first few of them.
void print_warnings(const std::vector<std::string>& warnings);
/// Exit status when stdout cannot be written: EX_IOERR of sysexits.h.
constexpr int kOutputLost = 74;
/// Ends the program with a message and kOutputLost if what was printed did not get out (a full disk).
void flush_stdout();
/// "-" is stdout.
void write_file(const std::string& file, const std::string& text);

}  // namespace whittle::app
