// From files named on the command line to a program, with the models of libc and threads that belong to it.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "app/options.h"
#include "program/program.h"
#include "verdict/property.h"

namespace whittle::app {

/// Throws Error as frontend::load_program does.
program::Program load(const InputOptions& input, const verdict::Specification& specification, bool strict);

/// The program in which what is violated at these places (FILE:LINE or FILE:LINE:COLUMN) is passed over, as program/claims.h says.
/// Throws Error (usage) naming a place where nothing can be violated.
program::Program passing_over(const program::Program& program, const std::vector<std::string>& places);

/// A C file that calls input.entry; throws Error as frontend::write_harness does.
std::string harness_for(const InputOptions& input);

/// What is in files that traces name and that are nowhere else: the harness of `whittle harness`, as "harness". Without a function as entry: nothing.
std::map<std::string, std::string> made_texts(const InputOptions& input);

/// A file of ours that lies beside the program: in the build tree and its sources, or installed.
std::filesystem::path find_own(const std::string& name);

/// What --property asks for, or the default.
verdict::Specification specification_of(const Options& options);

}  // namespace whittle::app
