#include "base/progress.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>

namespace whittle {

namespace {

/// A line that is written again and again needs a terminal that can erase one.
bool can_erase() {
  const char* terminal = std::getenv("TERM");
  return isatty(STDERR_FILENO) == 1 && terminal != nullptr && std::string(terminal) != "dumb";
}

constexpr std::chrono::milliseconds kLivePause{200};

/// Between two lines in a log that is no terminal.
std::chrono::milliseconds pause_of_logs() {
  const char* seconds = std::getenv("WHITTLE_PROGRESS_SECONDS");
  return std::chrono::milliseconds(seconds != nullptr ? static_cast<int64_t>(1000 * std::atof(seconds)) : 30'000);
}

}  // namespace

Progress::Progress(bool wanted) : wanted_(wanted), live_(wanted && can_erase()), last_(std::chrono::steady_clock::now()) {}

void Progress::update(const std::function<std::string()>& line) {
  if ((++calls_ & 255u) == 0) show(line);
}

void Progress::show(const std::function<std::string()>& line) {
  if (!wanted_) return;
  auto now = std::chrono::steady_clock::now();
  if (now - last_ < (live_ ? kLivePause : pause_of_logs())) return;
  last_ = now;
  if (!live_) {
    std::fprintf(stderr, "whittle: %s\n", line().c_str());
    std::fflush(stderr);
    return;
  }
  winsize size{};
  size_t columns = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1 ? size.ws_col - 1 : 79;
  std::string text = line();
  if (text.size() > columns) text.resize(columns);
  std::fprintf(stderr, "\r\033[K%s", text.c_str());
  std::fflush(stderr);
  shown_ = true;
}

void Progress::say(const std::string& line) {
  if (!wanted_) return;
  clear();
  std::fprintf(stderr, "whittle: %s\n", line.c_str());
  std::fflush(stderr);
}

void Progress::clear() {
  if (!shown_) return;
  std::fputs("\r\033[K", stderr);
  std::fflush(stderr);
  shown_ = false;
}

}  // namespace whittle
