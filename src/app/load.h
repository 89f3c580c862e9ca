// From files named on the command line to a program, with the models of libc and threads that belong to it.
#pragma once

#include <filesystem>
#include <string>

#include "app/options.h"
#include "program/program.h"
#include "verdict/property.h"

namespace whittle::app {

/// Throws Error as frontend::load_program does.
program::Program load(const InputOptions& input, const verdict::Specification& specification, bool strict);

/// A C file that calls input.entry; throws Error as frontend::write_harness does.
std::string harness_for(const InputOptions& input);

/// A file of ours that lies beside the program: in the build tree and its sources, or installed.
std::filesystem::path find_own(const std::string& name);

/// What --property asks for, or the default.
verdict::Specification specification_of(const Options& options);

}  // namespace whittle::app
