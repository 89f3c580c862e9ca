#include "cluster/forked_group.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>

#include "base/error.h"
#include "base/watchdog.h"

namespace whittle::cluster {

namespace {

constexpr double kGrace = 0.1;  ///< seconds after a limit: a worker has nothing to report
constexpr int kIdleMilliseconds = 2;

/// The other end of a socket: what is under way in both directions.
struct Line {
  int socket = -1;
  bool closed = false;
  std::vector<uint8_t> in, out;
  size_t sent = 0;  ///< of `out`

  void write() {
    while (!closed && sent < out.size()) {
      const ssize_t n = ::send(socket, out.data() + sent, out.size() - sent, MSG_NOSIGNAL | MSG_DONTWAIT);
      if (n < 0 && errno == EINTR) continue;
      if (n < 0 && errno != EAGAIN) closed = true;
      if (n < 0) return;
      sent += static_cast<size_t>(n);
    }
    out.clear();
    sent = 0;
  }
  void read() {
    uint8_t buffer[1 << 16];
    while (!closed) {
      const ssize_t n = ::recv(socket, buffer, sizeof buffer, MSG_DONTWAIT);
      if (n < 0 && errno == EINTR) continue;
      if (n < 0 && errno == EAGAIN) return;
      if (n <= 0) closed = true;
      if (n > 0) in.insert(in.end(), buffer, buffer + n);
      if (n < static_cast<ssize_t>(sizeof buffer)) return;
    }
  }
  /// A message is its length and its bytes.
  bool take(std::vector<uint8_t>& message) {
    uint32_t size = 0;
    if (in.size() < sizeof size) return false;
    std::memcpy(&size, in.data(), sizeof size);
    if (in.size() < sizeof size + size) return false;
    const auto begin = in.begin() + sizeof size;
    message.assign(begin, begin + size);
    in.erase(in.begin(), begin + size);
    return true;
  }
};

}  // namespace

class ForkedGroup::Member final : public Group {
 public:
  Member(unsigned rank, unsigned size) : rank_(rank), size_(size), lines_(size) {}
  ~Member() override {
    for (Line& line : lines_)
      if (line.socket >= 0) ::close(line.socket);
  }
  void connect(unsigned other, int socket) { lines_[other].socket = socket; }
  bool closed(unsigned other) const { return lines_[other].closed; }

  unsigned rank() const override { return rank_; }
  unsigned size() const override { return size_; }
  unsigned size_here() const override { return size_; }
  void send(unsigned to, std::vector<uint8_t> bytes) override {
    Line& line = lines_[to];
    if (line.closed || line.socket < 0) return;
    const auto size = static_cast<uint32_t>(bytes.size());
    const auto* begin = reinterpret_cast<const uint8_t*>(&size);
    line.out.insert(line.out.end(), begin, begin + sizeof size);
    line.out.insert(line.out.end(), bytes.begin(), bytes.end());
    line.write();
  }
  bool receive(Message& message) override {
    for (unsigned i = 0; i < size_; ++i) {
      next_ = (next_ + 1) % size_;
      Line& line = lines_[next_];
      if (line.socket < 0) continue;
      line.write();
      line.read();
      if (!line.take(message.bytes)) continue;
      message.from = next_;
      return true;
    }
    return false;
  }
  uint64_t unsent() override {
    uint64_t sum = 0;
    for (const Line& line : lines_) sum += line.out.size() - line.sent;
    return sum;
  }
  void idle() override {
    std::vector<pollfd> all;
    for (const Line& line : lines_)
      if (line.socket >= 0 && !line.closed) all.push_back({line.socket, static_cast<short>(POLLIN | (line.out.empty() ? 0 : POLLOUT)), 0});
    ::poll(all.data(), all.size(), kIdleMilliseconds);
  }
  void busy() override {}
  void leave() override {}

 private:
  const unsigned rank_, size_;
  unsigned next_ = 0;
  std::vector<Line> lines_;  ///< by rank; without a socket where there is none
};

ForkedGroup::ForkedGroup(unsigned workers, Limits& limits, const Work& work)
    : limits_(limits), here_(std::make_unique<Member>(0, workers + 1)) {
  std::fflush(nullptr);
  const pid_t parent = ::getpid();
  const uint64_t memory = resident_memory();
  sigset_t stopping, before;
  sigemptyset(&stopping);
  for (int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&stopping, signal);
  pthread_sigmask(SIG_BLOCK, &stopping, &before);
  for (unsigned rank = 1; rank <= workers; ++rank) {
    int ends[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) fail_internal("cannot make a socket");
    const pid_t process = ::fork();
    if (process == 0) {
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      if (::getppid() != parent) _exit(1);
      here_.reset();  // the other ends of all sockets
      try {
        Member member(rank, workers + 1);
        member.connect(0, ends[1]);
        Limits own;
        own.set_timeout(limits.remaining());
        if (limits.limits_memory() && limits.memory() > memory) own.set_memory(memory + (limits.memory() - memory) / (workers + 1));
        Watchdog watchdog(own, {.give_up = [](const std::string&) { _exit(1); }, .users_signals = false, .grace = kGrace});
        work(member, own);
        while (member.unsent() != 0 && own.poll() == Stop::No) {
          Message ignored;
          member.receive(ignored);
          member.idle();
        }
      } catch (...) {
        _exit(1);  // process 0 goes on without it
      }
      _exit(0);
    }
    ::close(ends[1]);
    here_->connect(rank, ends[0]);
    if (process < 0) {
      pthread_sigmask(SIG_SETMASK, &before, nullptr);
      fail_internal("cannot start a process");
    }
    processes_.push_back(process);
    limits_.memory_use().add(process);
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

ForkedGroup::~ForkedGroup() {
  for (pid_t process : processes_) {
    ::kill(process, SIGKILL);
    while (::waitpid(process, nullptr, 0) < 0 && errno == EINTR) {
    }
    limits_.memory_use().remove(process);
  }
}

Group& ForkedGroup::here() { return *here_; }

bool ForkedGroup::lost(unsigned rank) const { return here_->closed(rank); }

}  // namespace whittle::cluster
