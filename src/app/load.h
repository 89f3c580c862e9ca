// From files named on the command line to a program, with the models of libc and threads that belong to it.
#pragma once

#include <string>

#include "app/options.h"
#include "program/program.h"
#include "verdict/property.h"

namespace whittle::app {

/// Throws Error as frontend::load_program does.
program::Program load(const InputOptions& input, const verdict::Specification& specification, bool strict);

/// What --property asks for, or the default.
verdict::Specification specification_of(const Options& options);

}  // namespace whittle::app
