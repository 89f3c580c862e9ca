#include "compiler/streams.h"

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/error.h"

namespace whittle::compiler {
namespace {

int memory_file(const char* name) {
  int fd = memfd_create(name, MFD_CLOEXEC);
  if (fd < 0) fail_internal("cannot make a memory file: {}", std::strerror(errno));
  return fd;
}

std::string content_of(int fd) {
  lseek(fd, 0, SEEK_SET);
  std::string content;
  char buffer[1 << 16];
  for (;;) {
    ssize_t n = read(fd, buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return content;
    content.append(buffer, static_cast<size_t>(n));
  }
}

}  // namespace

std::string default_program() { return WHITTLE_CLANG_PROGRAM; }

Streams::Streams(const std::string& input)
    : in_(memory_file("whittle-in")), out_(memory_file("whittle-out")), err_(memory_file("whittle-err")) {
  for (size_t done = 0; done < input.size();) {
    ssize_t n = write(in_, input.data() + done, input.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) fail_internal("cannot write to a memory file: {}", std::strerror(errno));
    done += static_cast<size_t>(n);
  }
  lseek(in_, 0, SEEK_SET);
}

Streams::~Streams() {
  for (int fd : {in_, out_, err_}) close(fd);
}

Outcome Streams::outcome_of(int process) {
  int status = 0;
  while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  return {WIFEXITED(status) && WEXITSTATUS(status) == 0, content_of(out_), content_of(err_)};
}

}  // namespace whittle::compiler
