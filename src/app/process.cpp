#include "app/process.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"

extern char** environ;

namespace whittle::app {

Process::Process(const std::vector<std::string>& command, double seconds, Errors errors, const std::string& folder)
    : limit_(seconds), start_(std::chrono::steady_clock::now()) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) fail_internal("cannot make a pipe");
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  if (errors == Errors::Dropped) posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  if (!folder.empty()) posix_spawn_file_actions_addchdir_np(&actions, folder.c_str());
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&attributes, &none);  // whittle itself blocks signals, see watch.h
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  int error = posix_spawn(&pid_, arguments[0], &actions, &attributes, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  close(ends[1]);
  pipe_ = ends[0];
  if (error != 0) {
    close(pipe_);
    fail_internal("cannot start {}", command.front());
  }
  fcntl(pipe_, F_SETFL, O_NONBLOCK);
}

Process::~Process() {
  if (pid_ > 0) {
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
  if (pipe_ >= 0) close(pipe_);
}

bool Process::poll() {
  if (pid_ <= 0) return true;
  char buffer[4096];
  for (ssize_t n; (n = read(pipe_, buffer, sizeof buffer)) > 0;) output_.append(buffer, static_cast<size_t>(n));
  seconds_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  int status = 0;
  rusage usage{};
  pid_t ended = wait4(pid_, &status, WNOHANG, &usage);
  if (ended == 0 && seconds_ > limit_) {
    kill(pid_, SIGKILL);
    ended = wait4(pid_, &status, 0, &usage);
  }
  if (ended != pid_) return false;
  auto seconds = [](const timeval& t) { return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) / 1e6; };
  cpu_seconds_ = seconds(usage.ru_utime) + seconds(usage.ru_stime);
  for (ssize_t n; (n = read(pipe_, buffer, sizeof buffer)) > 0;) output_.append(buffer, static_cast<size_t>(n));
  status_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  pid_ = -1;
  return true;
}

}  // namespace whittle::app
