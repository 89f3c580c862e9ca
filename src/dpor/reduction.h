// Dynamic partial order reduction for a depth-first explorer of thread schedules. Knows only events.
//
//   dpor::Reduction reduction(dpor::Mode::SourceSets);
//   void explore() {                                          // at a scheduling point
//     if (reduction.push_node(enabled threads, blocked ones); every thread blocked) deadlock();
//     for (uint32_t t; (t = reduction.next()) != dpor::kNone;)
//       for (each outcome of running t: one, or several if it depends on inputs) {
//         reduction.push_event({.thread = t, .accesses = ..., .spawned = ...});
//         if (the program goes on) explore();
//         reduction.pop_event();
//       }
//     reduction.pop_node();
//   }
//
// An event is what a thread does from one scheduling point to its next: the visible operation it stood before and all
// that follows, so it may touch several ranges. Two events are dependent if they touch a common byte and one of them
// writes it, or if both start threads. Happens-before is kept as vector clocks; a race (two dependent events of
// different threads, nothing ordered between them) that could have happened the other way round makes the explorer try
// that, at the node from which the first of them was run.
//
// Threads have numbers below kMaxThreads: main is 0, the others count up in the order of their creation on the run, and
// a number is not used again on the same run (a machine that uses numbers again needs a table on top).
//
// What an engine must report, or schedules are lost:
//  - every access to memory that any other thread ever could reach, even where no other thread is alive any more (an
//    access alone at the end may race with the last one of a thread that ended). If it does not know: `everything`.
//  - an access at a symbolic offset as the whole object.
//  - an Await that is passed over as Transition::await; what follows it in the same step as accesses.
//  - a thread before an assumption that fails: as not enabled, forever, and not among the blocked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace whittle::dpor {

inline constexpr uint32_t kMaxThreads = 64;
inline constexpr uint32_t kNone = UINT32_MAX;
using Threads = uint64_t;  ///< a set: bit t is thread t

/// A range of bytes that a step reads or writes (both: write).
struct Access {
  uint64_t address = 0;
  uint64_t size = 0;
  bool write = false;
  /// Of a write, if it is known and cheap to say: the bytes as a little-endian number after the step (size <= 8). Makes
  /// locks and joins cheaper: an await that such a value does not let pass cannot have happened at that point.
  bool known = false;
  uint64_t value = 0;
  /// In ghost(): after the cut, something always comes first that conflicts with all that conflicts with it, so it
  /// races with nothing before the cut.
  bool ordered = false;
};

/// A wait until low <= (word & mask) <= high, signed; the word has `size` <= 8 bytes.
struct Await {
  uint64_t address = 0;
  uint64_t size = 0;
  uint64_t mask = 0;
  int64_t low = 0;
  int64_t high = 0;
  bool symbolic = false;  ///< the numbers are not certain: nothing may be concluded from them
  bool operator==(const Await&) const = default;
};

/// Accesses after an await, that of its word included.
struct Part {
  const Await* await = nullptr;
  std::span<const Access> accesses;
};

/// What a thread did, or stands before. Borrowed: copied by every call.
struct Transition {
  uint32_t thread = 0;
  std::span<const Access> accesses;
  const Await* await = nullptr;  ///< the step begins with it; its word counts as read
  /// What it did after further awaits, one after the other, where it would have made a step of each if others had been
  /// there. In ghost(), `later`: what was done after awaits, in any order.
  std::span<const Part> parts;
  Threads spawned = 0;      ///< threads that it started (exist from the next node on)
  bool everything = false;  ///< unknown effect
  /// The run ended with it (end of the program, a failed assumption inside a region, a path that is given up). Others
  /// are given the chance to run before; that the run could have ended earlier is looked at only if `everything` is
  /// set, too (needed if something is checked at the end of the program).
  bool halts = false;
};

enum class Mode : uint8_t {
  Full,        ///< no reduction
  Backtrack,   ///< backtrack sets only: what may be used together with summaries (ghost())
  SourceSets,  ///< and sleep sets: fewest runs; without summaries
};

class Reduction {
 public:
  explicit Reduction(Mode mode);
  void clear();  ///< empties the stack

  // Walking. The stack is node, event, node, event, ...

  /// A scheduling point. `blocked`: threads at an Await that does not hold. `preferred`: run first if nothing speaks
  /// against it; by default the thread that ran last.
  void push_node(Threads enabled, std::span<const Transition> blocked = {}, uint32_t preferred = kNone);
  /// Requires a node on top, before next(). All threads that can run are to be run there, asleep ones apart: what follows
  /// adds nothing to this node any more, so that others may explore what follows.
  void expand() { nodes_.back().backtrack = nodes_.back().enabled; }
  /// Requires a node on top. The next thread to run there; kNone: done. The thread given before counts as explored.
  uint32_t next();
  /// Requires a node on top; step.thread is what next() said.
  void push_event(const Transition& step);
  void pop_event();  ///< requires an event on top
  void pop_node();   ///< requires a node on top

  /// The run is cut at the node on top (before any next()) because all that could follow has been explored before.
  /// `pending`: what enabled threads stand before, where known; blocked ones are known already. `later`: all accesses
  /// that were seen after this node, by thread (threads that were started there: under the thread of now that started
  /// them, itself or through others; `spawned` not empty if it started some), and the words that threads still waited
  /// for where runs after it ended. next() will say kNone.
  ///
  /// What was explored before was explored with threads asleep, `slept`. Those of them that are not asleep now are all
  /// that next() still gives: runs that begin with them were left out then.
  void ghost(std::span<const Transition> pending, std::span<const Transition> later, Threads slept = 0);

  // Asking
  bool reduces() const { return mode_ != Mode::Full; }
  size_t nodes() const { return nodes_.size(); }
  Threads explored(size_t node) const { return nodes_[node].done; }
  Threads backtrack(size_t node) const { return nodes_[node].backtrack; }
  /// Node on top: threads that need not be run first here, because runs that begin so are explored elsewhere ...
  Threads sleeping() const { return nodes_.back().sleep; }
  /// ... and those of them without whom more would have been explored from here on, once next() said kNone. What was
  /// learned here holds wherever these are asleep, whatever the others do.
  Threads relied_on() const;
  /// Node on top: everything enabled is asleep, so this run is no new one (do not count it).
  bool asleep() const;
  /// Does event a (a number below events()) happen before event b?
  bool ordered(size_t a, size_t b) const { return clock(b)[events_[a].thread] > a; }
  size_t events() const { return events_.size(); }
  uint64_t races() const { return races_; }

 private:
  /// Accesses of a step, in accesses_; a quick test first: one bit per word of memory, folded to 64.
  struct Set {
    uint32_t begin = 0, end = 0;
    uint64_t read_bits = 0, write_bits = 0;
  };
  struct Event {
    uint32_t thread = 0;
    uint32_t previous = 0;  ///< of the same thread: number + 1, 0: none
    Threads spawned = 0;
    Set set;
  };
  struct Waiting {
    uint32_t thread = 0;
    bool awaits = false;
    Await await;
    Set set;
  };
  struct Sleeper {
    uint32_t thread = 0;
    Set set;
  };
  struct Node {
    Threads enabled = 0, backtrack = 0, done = 0, sleep = 0;
    uint32_t current = kNone;
    Threads used = 0;            ///< of those asleep: relied on, here or after
    Threads open = ~Threads{0};  ///< what a cut leaves to explore
    bool ran = false;            ///< an event of `current` was pushed
    Set current_set;             ///< of `current`: all its outcomes
    uint32_t accesses = 0;       ///< size of accesses_ below the node
    uint32_t sleepers = 0, sleepers_end = 0;
    uint32_t waiting = 0, waiting_end = 0;
  };
  using Clock = uint32_t;  ///< kMaxThreads in a row: number + 1 of the last event of each thread that happens before

  /// What is known of the accesses after a cut.
  struct Ghost {
    uint32_t thread;
    Set set;
    const Await* await;
    bool later;    ///< not what the thread stands before at the cut
    bool certain;  ///< the set is all that the step touches
  };
  struct Ghosts {
    std::vector<Ghost> all;
    bool front = false;                   ///< the one that is looked at is what its thread stands before
    Threads conflicts[kMaxThreads] = {};  ///< by thread: whose ghosts conflict with one of its
    std::vector<Clock> clocks;            ///< by thread: what happens before all its ghosts but the first
  };

  /// Where an await is: the thread stands before it, or stood before something else in the same step, or in a run
  /// after a cut.
  enum class Place : uint8_t { Front, Middle, After };

  Clock* clock(size_t event) { return clocks_.data() + event * kMaxThreads; }
  const Clock* clock(size_t event) const { return clocks_.data() + event * kMaxThreads; }
  const Clock* start_clock(uint32_t thread) const;

  Set store(const Transition& step);
  Set subset(uint32_t begin, uint32_t end) const;
  void analyse_parts(const Transition& step, const Set& set, Clock* mine);
  static void grow(Set& set, const Set& more);
  bool dependent(const Set& a, const Set& b) const;
  void analyse(uint32_t thread, const Set& set, const Await* await, Clock* mine, bool certain, const Ghosts* ghosts,
               Place place = Place::Front);
  int await_possible(uint32_t event, uint32_t thread, const Await& await, Place place, const Ghosts* ghosts) const;
  bool may_be_let_pass(uint32_t event, uint32_t thread, const Await& await, const Ghosts& ghosts) const;
  bool writes_word(const Event& event, const Await& await, int& holds) const;
  void reverse(uint32_t event, uint32_t thread, const Clock* mine, bool certain, const Ghosts* ghosts);
  bool went_first(uint32_t event, uint32_t thread) const;
  Threads linked(const Ghosts& ghosts, uint32_t thread, uint32_t event) const;
  void analyse_blocked(const Node& node, uint32_t except);
  void inherit_sleep(Node& node);
  void finish_current(Node& node);

  Mode mode_;
  uint32_t thread_count_ = 1;  ///< one more than the highest number seen
  uint64_t races_ = 0;
  std::vector<Node> nodes_;
  std::vector<Event> events_;
  std::vector<Clock> clocks_;
  std::vector<Access> accesses_;
  std::vector<Sleeper> sleepers_;
  std::vector<Waiting> waiting_;
  std::vector<uint32_t> bounds_;        ///< of the step stored last: where its head and its parts end
  uint32_t last_[kMaxThreads] = {};     ///< last event of a thread: number + 1
  uint32_t spawner_[kMaxThreads] = {};  ///< event that started it: number + 1
};

}  // namespace whittle::dpor
