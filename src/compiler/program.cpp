// The program clang.
#include <fcntl.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>

#include "base/error.h"
#include "compiler/compiler.h"
#include "compiler/streams.h"

namespace whittle::compiler {

Outcome run(const std::vector<std::string>& command, const std::string& input) {
  Streams streams(input);
  std::vector<char*> arguments;
  for (const std::string& argument : command) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  int report[2];  // closes when the program has started; else says why it has not
  if (pipe2(report, O_CLOEXEC) != 0) fail_internal("cannot make a pipe: {}", std::strerror(errno));
  pid_t parent = getpid(), child = fork();
  if (child < 0) fail_internal("cannot start a process: {}", std::strerror(errno));
  if (child == 0) {
    // Nothing works on when this process is gone, whatever ended it.
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(1);
    dup2(streams.in(), 0);
    dup2(streams.out(), 1);
    dup2(streams.err(), 2);
    execvp(arguments[0], arguments.data());
    int why = errno;
    [[maybe_unused]] ssize_t written = write(report[1], &why, sizeof why);
    _exit(1);
  }
  close(report[1]);
  int error = 0;
  bool failed = read(report[0], &error, sizeof error) == sizeof error;
  close(report[0]);
  Outcome outcome = streams.outcome_of(child);
  if (failed) fail_usage("cannot run {}: {} (install clang {})", command[0], std::strerror(error), WHITTLE_LLVM_MAJOR);
  return outcome;
}

}  // namespace whittle::compiler
