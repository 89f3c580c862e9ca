// Several engines on one program, a few at a time, until one has a definite answer.
//
//   Race race({.cores = 2, .start = start}, context);
//   race.enter("explicit", 2);
//   race.enter("test", 1);
//   Finish finish = race.run();
//   if (finish.verdict) ...             // by finish.engine
//
// Each engine works in a process of its own (child.h). Where there are more engines than cores they take turns: a turn
// is as long as all the engine's turns before it, at least a moment, and whoever has had least of its share goes next.
// An engine that waits is stopped by the kernel and loses nothing.
//
// A definite answer ends the race. Whatever else has been said by then is heard first: if two engines contradict each
// other, run() throws Error (internal) with both answers.
#pragma once

#include <cmath>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/context.h"
#include "engines/auto/child.h"

namespace whittle::engines::auto_ {

/// How an engine fared.
struct Standing {
  std::string engine;
  double seconds = 0;
  std::string said;       ///< the reason of its `unknown`, or what went wrong
  bool trouble = false;   ///< it crashed, or ran out of memory
  Statistics statistics;  ///< that came with its `unknown`
};

struct Finish {
  std::optional<verdict::Verdict> verdict;  ///< a definite one
  std::vector<Standing> standings;          ///< of all engines, in the order in which they entered
};

class Race {
 public:
  struct Rules {
    unsigned cores = 1;
    /// What the engine of that name does in its process.
    std::function<verdict::Verdict(const std::string& engine, Limits& limits, LastWords& last_words)> work;
  };

  static constexpr double kFade = 5;  ///< seconds

  Race(Rules rules, Context& context) : rules_(std::move(rules)), context_(context) {}
  /// `fades`: its weight halves with every kFade seconds that it has used.
  void enter(const std::string& engine, double weight, bool fades = false);

  /// Until a definite answer, until no engine is left, or until the context's limits say stop: then all are asked
  /// what they know so far.
  Finish run();

 private:
  struct Runner {
    std::string engine;
    double weight = 1;
    bool fades = false;
    std::unique_ptr<Child> child;  ///< none: not started yet
    double turn_ends = 0;          ///< of its effort()
    std::string why_stopped;       ///< asked to stop, and why
    double stop_asked = 0;         ///< when, on the clock of the limits
    bool hurried = false;          ///< asked for its last words at once
    Standing standing;

    bool over() const { return child && child->ended(); }
    bool running() const { return child && !child->ended() && !child->paused(); }
    double used() const { return child ? child->used() : 0; }
    double effort() const { return child ? child->effort() : 0; }
    /// How much of its share it has had.
    double served() const { return effort() / weight * (fades ? std::exp2(effort() / kFade) : 1); }
  };

  void fill_cores();
  void end_turns();
  void hold_memory();
  void wait_for_news();
  void listen();
  void hear(Runner& runner);
  void last_words();
  void start(Runner& runner);
  void ask_to_stop(Runner& runner, const std::string& why);
  double patience() const;  ///< seconds for last words
  void show_progress();
  void refuse_contradiction();
  Finish finish();

  Rules rules_;
  Context& context_;
  std::vector<Runner> runners_;
  uint64_t memory_ = 0;                                             ///< in use when last looked at, by all
  std::vector<std::pair<std::string, verdict::Verdict>> definite_;  ///< by engine, in order of arrival
};

}  // namespace whittle::engines::auto_
