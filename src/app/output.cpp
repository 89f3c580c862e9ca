#include "app/output.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "base/error.h"

namespace whittle::app {

report::TextStyle text_style(const Options& options, bool error) {
  report::TextStyle style;
  style.max_rows = options.trace_lines;
  style.statistics = options.statistics;
  int descriptor = error ? STDERR_FILENO : STDOUT_FILENO;
  winsize size{};
  if (isatty(descriptor) == 1) {
    const char* terminal = std::getenv("TERM");
    style.colour = std::getenv("NO_COLOR") == nullptr && terminal != nullptr && std::string(terminal) != "dumb";
    if (ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 20) style.columns = size.ws_col;
  }
  return style;
}

void require_writable(const std::string& file) {
  if (file.empty() || file == "-") return;
  std::error_code error;
  std::filesystem::path path(file), folder = path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
  if (std::filesystem::is_directory(path, error)) fail_input("cannot write {}: it is a folder", file);
  if (std::filesystem::exists(path, error) ? access(file.c_str(), W_OK) != 0 : access(folder.c_str(), W_OK) != 0)
    fail_input("cannot write {}", file);
}

void print_warnings(const std::vector<std::string>& warnings) {
  constexpr size_t kShown = 5;
  for (size_t i = 0; i < warnings.size() && i < kShown; ++i) std::fprintf(stderr, "whittle: warning: %s\n", warnings[i].c_str());
  if (warnings.size() > kShown) std::fprintf(stderr, "whittle: %zu more warnings\n", warnings.size() - kShown);
}

void flush_stdout() {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return;
  std::fprintf(stderr, "whittle: cannot write to stdout: %s\n", std::strerror(errno));
  _exit(kOutputLost);
}

void write_file(const std::string& file, const std::string& text) {
  if (file == "-") {
    std::fwrite(text.data(), 1, text.size(), stdout);
    return;
  }
  std::FILE* stream = std::fopen(file.c_str(), "w");
  bool good = stream != nullptr && std::fwrite(text.data(), 1, text.size(), stream) == text.size();
  if (stream != nullptr && std::fclose(stream) != 0) good = false;
  if (!good) fail_input("cannot write {}", file);
}

}  // namespace whittle::app
