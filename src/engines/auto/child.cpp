#include "engines/auto/child.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <mutex>
#include <new>

#include "base/pace.h"
#include "base/watchdog.h"
#include "engines/auto/wire.h"

namespace whittle::engines::auto_ {

namespace {

constexpr double kSeconds = 0.25;    ///< between two lines on the board
constexpr size_t kBoardSize = 256;
constexpr double kGrace = 0.1;  ///< seconds: the parent waits a little longer
/// First byte of what a child says; its exit status repeats it, so that a message cut short is noticed.
constexpr char kVerdict = 'v', kError = 'e', kUserError = 'u', kMemory = 'm';

sigset_t stopping_signals() {
  sigset_t set;
  sigemptyset(&set);
  for (int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&set, signal);
  return set;
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

[[noreturn]] void say_and_exit(int pipe, char kind, const std::string& text) {
  std::string bytes = kind + text;
  for (size_t sent = 0; sent < bytes.size();) {
    ssize_t n = write(pipe, bytes.data() + sent, bytes.size() - sent);
    if (n < 0 && errno != EINTR) _exit(1);
    if (n > 0) sent += static_cast<size_t>(n);
  }
  _exit(kind);
}

/// What the child says: once, by whichever of its threads is first.
class Voice {
 public:
  explicit Voice(int pipe) : pipe_(pipe) {}
  [[noreturn]] void say(char kind, const std::string& text) {
    once_.lock();  // for good: who comes second waits until the process is gone
    say_and_exit(pipe_, kind, text);
  }

 private:
  int pipe_;
  std::mutex once_;
};

/// Ctrl-C is the parent's business; SIGTERM is its word to stop. If the work does not come back, the watchdog says what
/// is known of it.
[[noreturn]] void live(const Child::Work& work, const ChildLimits& given, int pipe, pid_t parent, char* board) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);
  Limits limits;
  limits.set_timeout(given.timeout);
  limits.set_memory(given.memory);
  LastWords last_words;
  Voice voice(pipe);
  auto give_up = [&](const std::string& why) {
    verdict::Verdict unfinished;
    unfinished.reason = why;
    last_words.tell(unfinished.statistics);
    voice.say(kVerdict, encode(unfinished));
  };
  // Of its own memory only: what is shared with the parent was there before.
  Watchdog watchdog(limits, {.give_up = give_up, .users_signals = false, .grace = kGrace});
  Pace pace;
  Ticker ticker(kSeconds, [&] {
    Statistics now;
    last_words.tell(now);
    const std::string text = pace.text(now, limits.elapsed());
    // Whoever reads while it is written sees letters of both, for a moment.
    if (board != nullptr) std::strncpy(board, text.c_str(), kBoardSize - 1);
  });
  try {
    voice.say(kVerdict, encode(work(limits, last_words)));
  } catch (const std::bad_alloc&) {
    voice.say(kMemory, "");
  } catch (const Error& error) {
    bool users = error.code() == ExitCode::Usage || error.code() == ExitCode::BadInput;
    voice.say(users ? kUserError : kError, static_cast<char>(error.code()) + std::string(error.what()));
  } catch (const std::exception& error) {
    voice.say(kError, static_cast<char>(ExitCode::Internal) + std::string(error.what()));
  }
}

}  // namespace

Child::Child(const Work& work, const ChildLimits& limits, MemoryUse& use)
    : use_(use), since_(std::chrono::steady_clock::now()) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) fail_internal("cannot make a pipe");
  void* shared = mmap(nullptr, kBoardSize, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared != MAP_FAILED) board_ = static_cast<char*>(shared);
  std::fflush(nullptr);
  sigset_t set = stopping_signals(), before;
  pthread_sigmask(SIG_BLOCK, &set, &before);
  pid_t parent = getpid();
  pid_ = fork();
  if (pid_ == 0) {
    close(ends[0]);
    live(work, limits, ends[1], parent, board_);
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  close(ends[1]);
  pipe_ = ends[0];
  if (pid_ < 0) {
    close(pipe_);
    fail_internal("cannot start a process");
  }
  use_.add(pid_);
  fcntl(pipe_, F_SETFL, O_NONBLOCK);
}

Child::~Child() {
  kill();
  close(pipe_);
  if (board_ != nullptr) munmap(board_, kBoardSize);
}

std::string Child::pace() const { return board_ == nullptr ? "" : std::string(board_, strnlen(board_, kBoardSize)); }

void Child::pause() {
  if (ended() || paused_) return;
  ::kill(pid_, SIGSTOP);
  used_ += seconds_since(since_);
  paused_ = true;
}

void Child::resume() {
  if (ended() || !paused_) return;
  since_ = std::chrono::steady_clock::now();
  paused_ = false;
  ::kill(pid_, SIGCONT);
}

void Child::ask_to_stop() {
  if (ended()) return;
  ::kill(pid_, SIGTERM);
  resume();
}

void Child::hurry() {
  if (ended()) return;
  ::kill(pid_, SIGUSR1);
  resume();
}

void Child::kill() {
  if (ended()) return;
  ::kill(pid_, SIGKILL);
  reap(true);
}

double Child::used() const { return used_ + (paused_ || ended() ? 0 : seconds_since(since_)); }

double Child::effort() const {
  double waited = used() / 10;
  clockid_t clock{};
  timespec time{};
  if (ended() || clock_getcpuclockid(pid_, &clock) != 0 || clock_gettime(clock, &time) != 0) return waited;
  return std::max(waited, static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9);
}

void Child::wait() const {
  pollfd pipe{pipe_, POLLIN, 0};
  ::poll(&pipe, 1, 20);
}

void Child::read() {
  if (ended()) return;
  char buffer[65536];
  ssize_t n = 0;
  while ((n = ::read(pipe_, buffer, sizeof buffer)) > 0) received_.append(buffer, static_cast<size_t>(n));
  if (n == 0) reap(true);  // the other end is closed: it has ended, or will in a moment
}

void Child::reap(bool wait) {
  int status = 0;
  pid_t ended = 0;
  do ended = waitpid(pid_, &status, wait ? 0 : WNOHANG);
  while (ended < 0 && errno == EINTR);
  if (ended == 0) return;
  if (!paused_) used_ += seconds_since(since_);
  use_.remove(pid_);
  pid_ = -1;
  if (WIFSIGNALED(status)) {
    int signal = WTERMSIG(status);
    trouble_ = fmt::format("crashed (signal {}, {})", signal, strsignal(signal));
  } else if (received_.empty() || WEXITSTATUS(status) != received_.front()) {
    trouble_ = fmt::format("crashed (exit status {})", WEXITSTATUS(status));
  } else {
    understand();
  }
}

void Child::understand() {
  std::string text = received_.substr(1);
  switch (received_.front()) {
    case kMemory: trouble_ = "memory limit reached"; return;
    case kError: trouble_ = "internal error: " + text.substr(1); return;
    case kUserError:
      user_error_.emplace(static_cast<ExitCode>(text.front()), text.substr(1));
      trouble_ = user_error_->what();
      return;
    default: break;
  }
  try {
    verdict_ = decode(text);
  } catch (const Error& error) {
    trouble_ = error.what();
  }
}

}  // namespace whittle::engines::auto_
