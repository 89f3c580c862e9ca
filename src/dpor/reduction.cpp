#include "dpor/reduction.h"

#include <algorithm>
#include <bit>
#include <cassert>

namespace whittle::dpor {

namespace {

constexpr Threads bit(uint32_t thread) { return Threads{1} << thread; }

/// Where nothing lives: starting a thread is a write there, so that starts are in one order.
constexpr Access kSpawn{UINT64_MAX - 1, 1, true};
constexpr Access kEverything{0, UINT64_MAX, true};

bool overlap(uint64_t a, uint64_t a_size, uint64_t b, uint64_t b_size) {
  return a < b ? b - a < a_size : a - b < b_size;
}

/// The words of memory that a range touches, folded to 64 bits.
uint64_t fold(uint64_t address, uint64_t size) {
  if (size == 0) return 0;
  uint64_t first = address / 8, count = (address % 8 + std::min<uint64_t>(size, 1024) + 7) / 8;
  if (count >= 64) return ~uint64_t{0};
  return std::rotl((uint64_t{1} << count) - 1, static_cast<int>(first % 64));
}

int64_t extend(uint64_t value, uint64_t size) {
  if (size >= 8) return static_cast<int64_t>(value);
  unsigned shift = static_cast<unsigned>(64 - 8 * size);
  return static_cast<int64_t>(value << shift) >> shift;
}

}  // namespace

Reduction::Reduction(Mode mode) : mode_(mode) {}

void Reduction::clear() {
  nodes_.clear();
  events_.clear();
  clocks_.clear();
  accesses_.clear();
  sleepers_.clear();
  waiting_.clear();
  std::fill(std::begin(last_), std::end(last_), 0);
  std::fill(std::begin(spawner_), std::end(spawner_), 0);
  thread_count_ = 1;
}

// Accesses

Reduction::Set Reduction::store(const Transition& step) {
  Set set{static_cast<uint32_t>(accesses_.size()), 0, 0, 0};
  auto add = [&](const Access& access) {
    accesses_.push_back(access);
    (access.write ? set.write_bits : set.read_bits) |= fold(access.address, access.size);
  };
  if (step.await) add({step.await->address, step.await->size, false});
  if (step.spawned != 0) add(kSpawn);
  if (step.everything) add(kEverything);
  for (const Access& access : step.accesses)
    if (access.size != 0) add(access);
  bounds_.assign(1, static_cast<uint32_t>(accesses_.size()));
  for (const Part& part : step.parts) {
    for (const Access& access : part.accesses)
      if (access.size != 0) add(access);
    bounds_.push_back(static_cast<uint32_t>(accesses_.size()));
  }
  set.end = static_cast<uint32_t>(accesses_.size());
  return set;
}

Reduction::Set Reduction::subset(uint32_t begin, uint32_t end) const {
  Set set{begin, end, 0, 0};
  for (uint32_t i = begin; i < end; ++i)
    (accesses_[i].write ? set.write_bits : set.read_bits) |= fold(accesses_[i].address, accesses_[i].size);
  return set;
}

/// Requires that `more` lies right after it.
void Reduction::grow(Set& set, const Set& more) {
  assert(set.end == more.begin);
  set.end = more.end;
  set.read_bits |= more.read_bits;
  set.write_bits |= more.write_bits;
}

bool Reduction::dependent(const Set& a, const Set& b) const {
  if (((a.write_bits & (b.read_bits | b.write_bits)) | (a.read_bits & b.write_bits)) == 0) return false;
  for (uint32_t i = a.begin; i < a.end; ++i)
    for (uint32_t j = b.begin; j < b.end; ++j) {
      const Access &x = accesses_[i], &y = accesses_[j];
      if ((x.write || y.write) && overlap(x.address, x.size, y.address, y.size)) return true;
    }
  return false;
}

// Walking

void Reduction::push_node(Threads enabled, std::span<const Transition> blocked, uint32_t preferred) {
  assert(nodes_.size() == events_.size());
  Node node;
  node.enabled = enabled;
  node.accesses = static_cast<uint32_t>(accesses_.size());
  node.sleepers = node.sleepers_end = static_cast<uint32_t>(sleepers_.size());
  node.waiting = static_cast<uint32_t>(waiting_.size());
  thread_count_ = std::max(thread_count_, static_cast<uint32_t>(std::bit_width(enabled)));
  for (const Transition& step : blocked) {
    assert(step.thread < kMaxThreads);
    thread_count_ = std::max(thread_count_, step.thread + 1);
    waiting_.push_back({step.thread, step.await != nullptr, step.await ? *step.await : Await{}, store(step)});
  }
  node.waiting_end = static_cast<uint32_t>(waiting_.size());
  if (mode_ == Mode::SourceSets) inherit_sleep(node);
  if (mode_ == Mode::Full) {
    node.backtrack = enabled;
  } else if (Threads free = enabled & ~node.sleep; free != 0) {
    if (preferred == kNone && !events_.empty()) preferred = events_.back().thread;
    bool wanted = preferred < kMaxThreads && (free & bit(preferred)) != 0;
    node.backtrack = wanted ? bit(preferred) : free & (~free + 1);
  }
  if ((enabled & ~node.sleep) == 0) node.used = enabled;
  nodes_.push_back(node);
  // Also where all is asleep: the runs that go on from here were seen elsewhere, but there those who wait here may have
  // had to wait for another reason.
  if ((enabled & ~node.sleep) == 0) analyse_blocked(node, kNone);
}

/// Threads explored before and still independent of all that happened since need not be run first now.
void Reduction::inherit_sleep(Node& node) {
  if (events_.empty()) return;
  const Node& below = nodes_.back();
  const Event& event = events_.back();
  for (uint32_t i = below.sleepers; i < below.sleepers_end; ++i) {
    Sleeper sleeper = sleepers_[i];
    if (sleeper.thread == event.thread || dependent(sleeper.set, event.set)) continue;
    sleepers_.push_back(sleeper);
    node.sleep |= bit(sleeper.thread);
  }
  node.sleepers_end = static_cast<uint32_t>(sleepers_.size());
}

void Reduction::finish_current(Node& node) {
  if (node.current == kNone) return;
  node.done |= bit(node.current);
  if (mode_ == Mode::SourceSets && node.ran) {
    sleepers_.push_back({node.current, node.current_set});
    node.sleepers_end = static_cast<uint32_t>(sleepers_.size());
  }
  node.current = kNone;
  node.ran = false;
}

uint32_t Reduction::next() {
  assert(nodes_.size() == events_.size() + 1);
  Node& node = nodes_.back();
  finish_current(node);
  Threads rest = node.backtrack & node.open & node.enabled & ~node.done & ~node.sleep;
  if (rest == 0) return kNone;
  // The preferred one was the first in the set; of the others any will do.
  node.current = static_cast<uint32_t>(std::countr_zero(rest));
  return node.current;
}

void Reduction::push_event(const Transition& step) {
  assert(nodes_.size() == events_.size() + 1 && step.thread == nodes_.back().current);
  uint32_t index = static_cast<uint32_t>(events_.size());
  Event event;
  event.thread = step.thread;
  event.previous = last_[step.thread];
  event.spawned = step.spawned;
  event.set = store(step);
  Node& node = nodes_.back();
  if (node.ran)
    grow(node.current_set, event.set);
  else
    node.current_set = event.set;
  node.ran = true;
  thread_count_ = std::max(thread_count_, static_cast<uint32_t>(std::bit_width(step.spawned)));

  clocks_.resize((index + size_t{1}) * kMaxThreads);
  Clock* mine = clock(index);
  std::copy_n(start_clock(step.thread), kMaxThreads, mine);
  analyse_parts(step, event.set, mine);
  mine[step.thread] = index + 1;
  events_.push_back(event);
  last_[step.thread] = index + 1;
  for (Threads rest = step.spawned; rest != 0; rest &= rest - 1) spawner_[std::countr_zero(rest)] = index + 1;
  if (step.halts && mode_ != Mode::Full) {
    node.backtrack |= node.enabled;
    analyse_blocked(node, step.thread);
  }
}

void Reduction::pop_event() {
  assert(nodes_.size() == events_.size());
  const Event& event = events_.back();
  last_[event.thread] = event.previous;
  for (Threads rest = event.spawned; rest != 0; rest &= rest - 1) {
    uint32_t thread = static_cast<uint32_t>(std::countr_zero(rest));
    spawner_[thread] = 0;
    assert(last_[thread] == 0);
  }
  events_.pop_back();
}

Threads Reduction::relied_on() const {
  const Node& node = nodes_.back();
  return node.used | (node.backtrack & node.open & node.enabled & node.sleep);
}

void Reduction::pop_node() {
  assert(nodes_.size() == events_.size() + 1);
  const Node& node = nodes_.back();
  if (Threads relied = relied_on(); relied != 0 && nodes_.size() > 1) {
    Node& below = nodes_[nodes_.size() - 2];
    below.used |= relied & below.sleep;
  }
  accesses_.resize(node.accesses);
  sleepers_.resize(node.sleepers);
  waiting_.resize(node.waiting);
  nodes_.pop_back();
}

bool Reduction::asleep() const {
  const Node& node = nodes_.back();
  return node.enabled != 0 && (node.enabled & ~node.sleep) == 0;
}

// Races

const Reduction::Clock* Reduction::start_clock(uint32_t thread) const {
  static constexpr Clock kNothing[kMaxThreads] = {};
  if (last_[thread] != 0) return clock(last_[thread] - 1);
  if (spawner_[thread] != 0) return clock(spawner_[thread] - 1);
  return kNothing;
}

/// Finds what the step races with and has those races reversed. `mine` is what happens before the thread; what happens
/// before the step is added. Going back, whoever is covered by a later conflict is ordered already.
///
/// An await that only passed thanks to an event cannot be put before it (a lock before the unlock it waited for). The
/// other order belongs to an earlier event (the lock of the other thread), although that one is ordered by now: so for
/// such an event the step is ordered after it, but what it covers stays open. So it does where that is not known.
///
/// `certain`: the set is all that the step touches. Of a thread that waits only the word is known, not what it does
/// when it passes.
void Reduction::analyse(uint32_t thread, const Set& set, const Await* await, Clock* mine, bool certain,
                        const Ghosts* ghosts, Place place) {
  if (set.begin == set.end) return;
  Clock open[kMaxThreads];
  Clock* races = mine;
  if (await) {
    std::copy_n(mine, kMaxThreads, open);
    races = open;
  }
  auto lowest = [&] {
    Clock least = UINT32_MAX;
    for (uint32_t t = 0; t < thread_count_; ++t)
      if (t != thread && last_[t] != 0 && races[t] < last_[t]) least = std::min(least, races[t]);
    return least;
  };
  uint32_t stop = lowest();
  for (uint32_t i = static_cast<uint32_t>(events_.size()); i-- > stop;) {
    const Event& event = events_[i];
    if (event.thread == thread || races[event.thread] > i || !dependent(event.set, set)) continue;
    const Clock* theirs = clock(i);
    // `mine` stays as it is until the race has been reversed: the step itself does not come after the event then.
    int possible = await ? await_possible(i, thread, *await, place, ghosts) : 1;
    if (possible < 0 && place == Place::After) possible = 1;
    if (possible != 0) reverse(i, thread, mine, certain, ghosts);
    if (possible == 1) {
      for (uint32_t t = 0; t < thread_count_; ++t) races[t] = std::max(races[t], theirs[t]);
      stop = lowest();
    }
    if (races != mine)
      for (uint32_t t = 0; t < thread_count_; ++t) mine[t] = std::max(mine[t], theirs[t]);
  }
}

/// A thread that is alone passes awaits without a pause. With others it would have stopped before each of them, so they
/// are looked at as if it had.
void Reduction::analyse_parts(const Transition& step, const Set& set, Clock* mine) {
  if (step.parts.empty()) return analyse(step.thread, set, step.await, mine, true, nullptr);
  analyse(step.thread, subset(set.begin, bounds_[0]), step.await, mine, true, nullptr);
  for (size_t i = 0; i < step.parts.size(); ++i)
    analyse(step.thread, subset(bounds_[i], bounds_[i + 1]), step.parts[i].await, mine, true, nullptr, Place::Middle);
}

/// Does the event write to the word? `holds`: would the await pass afterwards: 1, 0, or -1 if that is not known.
bool Reduction::writes_word(const Event& event, const Await& await, int& holds) const {
  if ((event.set.write_bits & fold(await.address, await.size)) == 0) return false;
  bool found = false;
  for (uint32_t i = event.set.begin; i < event.set.end; ++i) {
    const Access& access = accesses_[i];
    if (!access.write || !overlap(access.address, access.size, await.address, await.size)) continue;
    int result = -1;
    if (access.known && access.address == await.address && access.size == await.size && !await.symbolic) {
      int64_t value = extend(access.value & await.mask, await.size);
      result = await.low <= value && value <= await.high ? 1 : 0;
    }
    holds = found && holds != result ? -1 : result;
    found = true;
  }
  return found;
}

/// Can something after the cut that does not depend on the event write the word before the await is passed? What a
/// thread does after the same await does not count: it had to pass it first. (If the event writes the word, all others
/// who do depend on it.)
bool Reduction::may_be_let_pass(uint32_t event, uint32_t thread, const Await& await, const Ghosts& ghosts) const {
  const uint32_t other = events_[event].thread;
  return std::any_of(ghosts.all.begin(), ghosts.all.end(), [&](const Ghost& ghost) {
    if (ghost.thread == other || ghosts.clocks[size_t{ghost.thread} * kMaxThreads + other] > event) return false;
    if (ghost.thread == thread && ghost.await && *ghost.await == await) return false;
    for (uint32_t i = ghost.set.begin; i < ghost.set.end; ++i)
      if (accesses_[i].write && overlap(accesses_[i].address, accesses_[i].size, await.address, await.size))
        return true;
    return false;
  });
}

/// Would the await have passed if all that depends on the event had not happened? 1, 0, or -1 if that is not known.
///
int Reduction::await_possible(uint32_t event, uint32_t thread, const Await& await, Place place,
                              const Ghosts* ghosts) const {
  uint32_t other = events_[event].thread;
  int holds = -1;
  if (place == Place::After && !writes_word(events_[event], await, holds) &&
      may_be_let_pass(event, thread, await, *ghosts))
    return -1;
  for (uint32_t i = static_cast<uint32_t>(events_.size()); --i > event;)
    if (clock(i)[other] <= event && writes_word(events_[i], await, holds)) return holds;
  if (place == Place::Front && last_[thread] <= event && (last_[thread] != 0 || spawner_[thread] <= event)) {
    // It stood there already: the node knows, if it was told.
    const Node& node = nodes_[event];
    if ((node.enabled & bit(thread)) != 0) return 1;
    for (uint32_t i = node.waiting; i < node.waiting_end; ++i)
      if (waiting_[i].thread == thread) return 0;
    return -1;
  }
  for (uint32_t i = event; i-- > 0;)
    if (writes_word(events_[i], await, holds)) return holds;
  return -1;
}

/// Of the threads that could go first in a run with the race the other way round one must be tried: those whose first
/// event after the race's first, and not ordered after that, has no predecessor among the others of that kind.
///
/// Flanagan and Godefroid try any thread whose events the step needs; with threads that wait that is not enough.
///
/// `ghosts`: the step is one of those after a cut, and others of them, in an unknown order, may come before
/// it. Unless some event of the run itself comes first, it may be any thread that has to do with the step.
void Reduction::reverse(uint32_t event, uint32_t thread, const Clock* mine, bool certain, const Ghosts* ghosts) {
  ++races_;
  Node& node = nodes_[event];
  if ((node.enabled & ~node.backtrack) == 0) return;
  uint32_t first[kMaxThreads];
  Threads seen = 0, late = 0, found = 0;
  uint32_t chosen = kNone, other = events_[event].thread;
  auto initial = [&](const Clock* clock) {
    for (Threads rest = seen; rest != 0; rest &= rest - 1) {
      uint32_t t = static_cast<uint32_t>(std::countr_zero(rest));
      if (clock[t] > first[t]) return false;
    }
    return true;
  };
  for (uint32_t i = event + 1; i < events_.size(); ++i) {
    uint32_t t = events_[i].thread;
    if (((seen | late) & bit(t)) != 0) continue;
    if (clock(i)[other] > event) {
      late |= bit(t);
      continue;
    }
    if (initial(clock(i))) {
      if ((node.backtrack & bit(t)) != 0) return;
      if (chosen == kNone && (node.enabled & bit(t)) != 0) chosen = t;
      found |= bit(t);
    }
    first[t] = i;
    seen |= bit(t);
  }
  if ((!ghosts || ghosts->front) && (seen & bit(thread)) == 0 && went_first(event, thread)) return;
  if (ghosts && seen == 0) {
    Threads able = linked(*ghosts, thread, event) & node.enabled;
    node.backtrack |= able != 0 ? able : node.enabled;
    return;
  }
  if (!ghosts && (seen & bit(thread)) == 0 && (certain ? initial(mine) : seen == 0)) {
    if ((node.backtrack & bit(thread)) != 0) return;
    if ((node.sleep & bit(thread)) == 0)
      found |= bit(thread);
    else if (seen == 0) {
      node.used |= bit(thread);
      return;  // it was run at this very place before
    }
  }
  if ((found & node.enabled & bit(thread)) != 0) chosen = thread;
  node.backtrack |= chosen != kNone ? bit(chosen) : node.enabled;
}

/// The thread was run from the node of the event, stands now where it stood there, and what it did has nothing to do
/// with what came after the event without depending on it: a run with the race the other way round began so.
bool Reduction::went_first(uint32_t event, uint32_t thread) const {
  const Node& node = nodes_[event];
  if ((node.done & bit(thread)) == 0 || last_[thread] > event) return false;
  const uint32_t other = events_[event].thread;
  for (uint32_t i = node.sleepers; i < node.sleepers_end; ++i) {
    if (sleepers_[i].thread != thread) continue;
    for (uint32_t j = event + 1; j < events_.size(); ++j)
      if (clock(j)[other] <= event && dependent(events_[j].set, sleepers_[i].set)) return false;
    return true;
  }
  return false;
}

/// Threads that wait when a run ends might have passed earlier in it.
void Reduction::analyse_blocked(const Node& node, uint32_t except) {
  if (mode_ == Mode::Full) return;
  for (uint32_t i = node.waiting; i < node.waiting_end; ++i) {
    const Waiting waiting = waiting_[i];
    if (waiting.thread == except) continue;
    Clock mine[kMaxThreads];
    std::copy_n(start_clock(waiting.thread), kMaxThreads, mine);
    analyse(waiting.thread, waiting.set, waiting.awaits ? &waiting.await : nullptr, mine, false, nullptr);
  }
}

/// The threads that a thread is linked to by conflicts, without the help of those all of whose ghosts come after the
/// event.
Threads Reduction::linked(const Ghosts& ghosts, uint32_t thread, uint32_t event) const {
  uint32_t other = events_[event].thread;
  Threads found = bit(thread), open = found;
  while (open != 0) {
    Threads news = ghosts.conflicts[std::countr_zero(open)] & ~found;
    open &= open - 1;
    for (; news != 0; news &= news - 1) {
      auto t = static_cast<uint32_t>(std::countr_zero(news));
      if (t == other || ghosts.clocks[size_t{t} * kMaxThreads + other] > event) continue;
      found |= bit(t);
      open |= bit(t);
    }
  }
  return found;
}

/// What a thread stands before now happens before all it did after this node in other runs; so does what that depends
/// on. About the order among the rest nothing is known: each access is looked at alone.
void Reduction::ghost(std::span<const Transition> pending, std::span<const Transition> later, Threads slept) {
  assert(nodes_.size() == events_.size() + 1);
  Node& node = nodes_.back();
  node.open = node.backtrack = slept & ~node.sleep;
  node.used |= slept & node.sleep;
  if (mode_ == Mode::Full) return;
  const size_t mark = accesses_.size();
  Ghosts ghosts;
  std::vector<Ghost>& all = ghosts.all;
  auto add_front = [&](const Transition& step) {
    Ghost ghost{step.thread, store(step), step.await, false, step.await == nullptr};
    // What it does after the await that it stands before was seen, too.
    for (const Transition& seen : later)
      for (const Part& part : seen.parts)
        if (step.await && seen.thread == step.thread && *part.await == *step.await) {
          Transition more;
          more.accesses = part.accesses;
          grow(ghost.set, store(more));
          ghost.certain = true;
        }
    all.push_back(ghost);
  };
  for (uint32_t i = node.waiting; i < node.waiting_end; ++i) {
    Waiting& waiting = waiting_[i];
    Transition step;
    step.thread = waiting.thread;
    step.await = &waiting.await;
    if (waiting.awaits)
      add_front(step);
    else
      all.push_back({waiting.thread, waiting.set, nullptr, false, false});
  }
  for (const Transition& step : pending) add_front(step);
  for (const Transition& step : later) {
    const Set whole = store(step);
    all.push_back({step.thread, subset(whole.begin, bounds_[0]), nullptr, true, false});
    for (size_t i = 0; i < step.parts.size(); ++i)
      all.push_back({step.thread, subset(bounds_[i], bounds_[i + 1]), step.parts[i].await, true, false});
  }
  for (const Ghost& a : all)
    for (const Ghost& b : all)
      if (a.thread != b.thread && dependent(a.set, b.set)) ghosts.conflicts[a.thread] |= bit(b.thread);

  ghosts.clocks.resize(size_t{kMaxThreads} * kMaxThreads);
  auto of = [&](uint32_t thread) { return ghosts.clocks.data() + size_t{thread} * kMaxThreads; };
  for (uint32_t t = 0; t < kMaxThreads; ++t) std::copy_n(start_clock(t), kMaxThreads, of(t));
  auto one_by_one = [&](const Ghost& ghost, const Clock* clock) {
    for (uint32_t i = ghost.set.begin; i < ghost.set.end; ++i) {
      if (accesses_[i].ordered) continue;
      Clock mine[kMaxThreads];
      std::copy_n(clock, kMaxThreads, mine);
      analyse(ghost.thread, subset(i, i + 1), ghost.await, mine, false, &ghosts, Place::After);
    }
  };
  // What they stand before: right now, and after others.
  for (const Ghost& ghost : all)
    if (!ghost.later) analyse(ghost.thread, ghost.set, ghost.await, of(ghost.thread), ghost.certain, nullptr);
  auto disturbed = [&](const Ghost& ghost) {
    return !ghost.certain || std::any_of(all.begin(), all.end(), [&](const Ghost& other) {
      return other.thread != ghost.thread && dependent(ghost.set, other.set);
    });
  };
  for (const Ghost& ghost : all)
    if (ghosts.front = !ghost.later; ghost.later || disturbed(ghost))
      one_by_one(ghost, ghost.later ? of(ghost.thread) : start_clock(ghost.thread));
  accesses_.resize(mark);
}

}  // namespace whittle::dpor
