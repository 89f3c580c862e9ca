// Work in a process of its own: a crash or a lack of memory there costs nothing here.
//
//   Child child([&](Limits& limits, LastWords&) { return engine.run(program, ...); }, {.timeout = 10}, use);
//   while (!child.ended()) { poll(child.descriptor()); child.read(); }
//   if (child.verdict()) ... else fmt::print("{}\n", child.trouble());
//
// The child is a fork: it sees everything this process has computed so far without copying it, and hands back a verdict
// over a pipe. It keeps off the terminal. It dies with this process.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <functional>
#include <optional>
#include <string>

#include "base/context.h"
#include "base/error.h"
#include "verdict/verdict.h"

namespace whittle::engines::auto_ {

struct ChildLimits {
  double timeout = std::numeric_limits<double>::infinity();
  uint64_t memory = std::numeric_limits<uint64_t>::max();
};

class Child {
 public:
  /// `last_words`: what to say where it does not come back.
  using Work = std::function<verdict::Verdict(Limits& limits, LastWords& last_words)>;

  /// Starts it. As long as it runs, its memory is counted in `use`. Throws Error (internal) if there can be no process.
  Child(const Work& work, const ChildLimits& limits, MemoryUse& use);
  ~Child();  ///< kills it if it still runs
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  void pause();  ///< it keeps what it has and takes no time
  void resume();
  void ask_to_stop();  ///< its limits say `interrupted`; it should answer soon
  void hurry();        ///< it says what it knows at once
  void kill();         ///< now; reaped

  bool paused() const { return paused_; }
  double used() const;  ///< seconds it was not paused
  /// Seconds of processor time, so that turns are fair on a busy machine too; one that only sleeps pays a tenth.
  double effort() const;
  uint64_t memory() const { return ended() ? 0 : use_.of(pid_); }  ///< bytes that are its own
  int descriptor() const { return pipe_; }  ///< readable when there is something to read()

  /// How far it is, in words; a moment old. Empty: it has not said.
  std::string pace() const;
  /// Waits until there is something to read(), a moment at most.
  void wait() const;
  /// Takes what there is, without waiting.
  void read();
  /// Bytes have arrived, but not all of them.
  bool speaking() const { return !ended() && !received_.empty(); }
  bool ended() const { return pid_ <= 0; }

  // After the end:
  std::optional<verdict::Verdict>& verdict() { return verdict_; }
  /// Why there is no verdict: "crashed (signal 11, Segmentation fault)", "memory limit reached", ...
  const std::string& trouble() const { return trouble_; }
  /// The work ended with an Error that is the user's to mend (a wrong option).
  const std::optional<Error>& user_error() const { return user_error_; }

 private:
  void reap(bool wait);
  void understand();

  MemoryUse& use_;
  pid_t pid_ = -1;
  int pipe_ = -1;
  char* board_ = nullptr;  ///< shared with the child, which writes there how far it is
  bool paused_ = false;
  double used_ = 0;
  std::chrono::steady_clock::time_point since_;
  std::string received_;
  std::optional<verdict::Verdict> verdict_;
  std::string trouble_;
  std::optional<Error> user_error_;
};

}  // namespace whittle::engines::auto_
