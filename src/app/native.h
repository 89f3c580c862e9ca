// whittle run --native: the run once more, in the user's own program, built by the system's compiler.
#pragma once

#include "app/options.h"
#include "app/watch.h"
#include "exec/native_script.h"
#include "program/program.h"

namespace whittle::app {

/// Writes a folder with the program, what it needs to repeat the run, and a Makefile; builds it unless --export was all
/// that was asked for; runs it, in gdb with --gdb. Says on stderr how that ended. The exit code: False if the program
/// fails natively, Unknown if it does not.
int run_native(const Options& options, const exec::NativeScript& script, const exec::NativeCalls& calls, Watch& watch);

/// runtime/native/calls.txt
exec::NativeCalls read_native_calls();

}  // namespace whittle::app
