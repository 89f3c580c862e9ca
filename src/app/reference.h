// The command line described for people and shells, all from the table of options in command_line.cpp: help, the manual
// page, docs/cli.md, completions. Nothing of it is written by hand twice.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace whittle::app {

/// `form` is text, man or markdown. With a command, help on that command as text; throws Error (usage) if there is none of
/// that name.
std::string help(const CLI::App& root, const std::string& command, const std::string& form);

/// What --help calls the value of an option: "FILE", "z3|cvc5". The library adds what it checks; that is cut off.
std::string value_name(const CLI::Option& option);

/// A script for `shell`: bash, zsh or fish.
std::string completion(const CLI::App& root, const std::string& shell);

}  // namespace whittle::app
