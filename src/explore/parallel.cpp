#include "explore/parallel.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "explore/block_stack.h"
#include "explore/shared_tables.h"

namespace whittle::explore {
namespace {

using machine::StepKind;

/// A stored state that is still to be expanded.
struct Open {
  StateId state;
  uint32_t depth;            ///< in stored states
  BlockStack::Offset block;  ///< where the thread that has it keeps it in full, perhaps
};

/// What ends the search early.
struct Found {
  Outcome outcome;
  StateId state;   ///< the last stored one
  uint32_t choice; ///< there; kNone for a deadlock
  static constexpr uint32_t kNone = ~uint32_t{0};
};

/// What the threads have in common besides the store.
class Pool {
 public:
  explicit Pool(unsigned workers) : workers_(workers) {}

  bool hungry() const { return hungry_.load(std::memory_order_relaxed); }
  const std::atomic<bool>& stop() const { return stop_; }
  bool stopped() const { return stop_.load(std::memory_order_relaxed); }

  void offer(std::vector<Open> states) {
    std::lock_guard lock(mutex_);
    offered_.push_back(std::move(states));
    count_hungry();
    changed_.notify_one();
  }
  /// Waits for states to expand. Empty: there will be none.
  std::vector<Open> take() {
    std::unique_lock lock(mutex_);
    ++idle_;
    if (idle_ == workers_ && offered_.empty()) finished_ = true, changed_.notify_all();
    count_hungry();
    changed_.wait(lock, [&] { return finished_ || stopped() || !offered_.empty(); });
    if (finished_ || stopped()) return {};
    --idle_;
    std::vector<Open> states = std::move(offered_.front());
    offered_.pop_front();
    count_hungry();
    return states;
  }
  void end() {
    std::lock_guard lock(mutex_);
    finish(lock);
  }
  void found(Found what) {
    std::lock_guard lock(mutex_);
    if (!found_) found_ = what;
    finish(lock);
  }
  void failed(std::exception_ptr error) {
    std::lock_guard lock(mutex_);
    if (!error_) error_ = std::move(error);
    finish(lock);
  }
  /// True: the search has ended, one way or another.
  bool wait(std::chrono::milliseconds longest) {
    std::unique_lock lock(mutex_);
    return ended_.wait_for(lock, longest, [&] { return finished_ || stopped(); });
  }
  // When all threads have ended:
  const std::optional<Found>& found() const { return found_; }
  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  void count_hungry() {
    hungry_.store(idle_ > offered_.size(), std::memory_order_relaxed);
    if (finished_) ended_.notify_all();
  }
  void finish(const std::lock_guard<std::mutex>&) {
    stop_.store(true, std::memory_order_relaxed);
    changed_.notify_all();
    ended_.notify_all();
  }

  const unsigned workers_;
  std::mutex mutex_;
  std::condition_variable changed_, ended_;
  std::deque<std::vector<Open>> offered_;
  unsigned idle_ = 0;
  bool finished_ = false;  ///< all lists are empty
  std::atomic<bool> hungry_{false}, stop_{false};
  std::optional<Found> found_;
  std::exception_ptr error_;
};

class Worker {
 public:
  Worker(Run& whole, machine::Machine& machine, SharedTables& tables, Pool& pool, unsigned number)
      : run_(machine, whole.options, whole.context, whole.bad(), whole.branching()),
        machine_(machine),
        tables_(tables),
        rendezvous_(tables.rendezvous()),
        store_(tables.view(number)),
        pool_(pool),
        walker_(machine, run_.options, whole.context.limits, {run_.watches(), run_.branching(), false}),
        blocks_(run_.options.stack_bytes / 4) {}

  /// Stores the initial state.
  void begin() {
    machine_.reset();
    ++run_.figures.states_created;
    atoms_ = run_.watches() ? machine_.observe() : 0;
    if (run_.bad_atoms(atoms_)) return pool_.found({Outcome::BadState, kNoState, Found::kNone});
    rendezvous_.join();
    arrive(Arrival{}, kNoState, 1);
    rendezvous_.leave();
  }
  /// Expands states until there are none left, or `most` are stored.
  void work_alone(uint64_t most) {
    rendezvous_.join();
    while (has_open() && !pool_.stopped() && tables_.about() < most && run_.context.limits.poll() == Stop::No)
      expand_last();
    rendezvous_.leave();
  }
  bool has_open() const { return open_.size() > given_; }
  /// Until no thread has any states left. Another thread polls the limits.
  void work() {
    walker_.set_patience({nullptr, &pool_.stop()});
    try {
      rendezvous_.join();
      for (;;) {
        while (has_open() && !pool_.stopped()) {
          expand_last();
          if (pool_.hungry() && ++since_offer_ > kBetweenOffers) offer();
        }
        rendezvous_.leave();
        std::vector<Open> taken = pool_.take();
        if (taken.empty()) return;
        rendezvous_.join();
        blocks_.pop_to(0);
        open_.clear();
        given_ = 0;
        for (const Open& open : taken) open_.push_back({open.state, open.depth, BlockStack::kNone});
        since_offer_ = kBetweenOffers;
      }
    } catch (...) {
      pool_.failed(std::current_exception());
    }
  }

  /// Choices from the initial state to what was found. When all threads have ended.
  std::vector<uint32_t> path_to(const Found& found) {
    walker_.set_patience({&run_.context.limits});
    std::vector<StateId> chain;
    for (StateId state = found.state; state != kNoState; state = tables_.parent(state)) chain.push_back(state);
    std::vector<uint32_t> path;
    for (size_t i = chain.size(); i-- > 1;)
      if (!walk(chain[i], chain[i - 1], path)) return {};
    if (found.choice == Found::kNone) return path;
    load(found.state);
    Arrival last = go(found.choice);
    extend_path(path, found.choice, last.steps);
    return path;
  }

  Run& run() { return run_; }
  uint64_t created() const { return walker_.created(); }
  uint64_t ticks() const { return walker_.ticks(); }
  uint64_t bytes() const { return blocks_.peak_bytes() + most_open_ * sizeof(Open); }

 private:
  static constexpr uint32_t kBetweenOffers = 128;  ///< states expanded: to wake a thread costs as much as some of them
  static constexpr size_t kLongestOffer = 1 << 14;

  const uint8_t* here() const { return reinterpret_cast<const uint8_t*>(here_.data()); }

  /// Brings here_ and the machine to the state.
  void load(StateId state) {
    here_.resize(store_.block_size(store_.length(state)) / 8);
    store_.decode(state, reinterpret_cast<uint8_t*>(here_.data()));
    load_here();
  }
  void load_here() {
    machine_.load(Block::bytes(here()));
    if (run_.watches()) atoms_ = machine_.observe();
  }
  Arrival go(uint32_t choice) { return walker_.go(choice, atoms_, Block::bytes(here())); }

  void expand_last() {
    const Open open = open_.back();
    open_.pop_back();
    if (open.block != BlockStack::kNone && blocks_.holds(open.block)) {
      const uint8_t* block = blocks_.at(open.block);
      here_.resize(store_.block_size(Block::length(block)) / 8);
      std::memcpy(here_.data(), block, here_.size() * 8);
      load_here();
    } else {
      load(open.state);
    }
    if (open.block != BlockStack::kNone) blocks_.pop_to(open.block);
    const machine::Successors successors = machine_.successors();
    if (successors.count == 0) end_of_path(open.state, successors.ending);
    for (uint32_t choice = 0; choice < successors.count && !pool_.stopped(); ++choice) {
      rendezvous_.pass();
      if (choice != 0) machine_.load(Block::bytes(here()));
      take(open, choice);
    }
    if (tables_.about() >= run_.options.max_states) [[unlikely]] {
      run_.give_up(fmt::format("limit of {} states reached", run_.options.max_states));
      pool_.end();
    }
  }

  void take(const Open& from, uint32_t choice) {
    Arrival arrival = walker_.first_step(choice);
    looked_for_ = false;
    if (arrival.kind == StepKind::Moved && run_.reducing()) {
      if (arrives_at_known(arrival)) return;
      walker_.follow(arrival, choice, atoms_, Block::bytes(here()));
    }
    switch (arrival.kind) {
      case StepKind::Moved:
        if (run_.bad_atoms(arrival.atoms)) return pool_.found({Outcome::BadState, from.state, choice});
        return arrive(arrival, from.state, from.depth + 1);
      case StepKind::Violation: return pool_.found({Outcome::Violation, from.state, choice});
      case StepKind::Cut: ++run_.figures.cuts; return;
      case StepKind::Pruned: ++run_.figures.pruned; return;
    }
  }

  /// As in depth_first.h: a path may end after its first step, and most end in a state that is known.
  bool arrives_at_known(const Arrival& arrival) {
    if (takes_out_dead_ || (run_.watches() && run_.bad_atoms(arrival.atoms))) return false;
    std::span<const uint8_t> bytes = machine_.save();
    make_room(bytes.size());
    looked_for_ = true;
    if (store_.find(bytes, here(), blocks_.at(blocks_.top())) == kNoState) return false;
    ++run_.figures.revisits;
    return true;
  }

  void make_room(uint64_t length) {
    if (length != last_length_) last_length_ = length, last_size_ = store_.block_size(length);
    blocks_.make_room(last_size_);
  }

  /// The machine stands in a state that may be new.
  void arrive(const Arrival& arrival, StateId from, uint32_t depth) {
    std::span<const uint8_t> bytes = machine_.save();
    if (takes_out_dead_) bytes = run_.without_dead(bytes);
    make_room(bytes.size());
    uint8_t* out = blocks_.at(blocks_.top());
    const uint8_t* base = from == kNoState ? nullptr : here();
    const Interned stored = looked_for_ && arrival.steps == 1 ? store_.insert_not_found(bytes, base, out)
                                                              : store_.insert(bytes, base, out);
    if (stored.id == kNoState) [[unlikely]] {
      run_.stop_for_memory();
      return pool_.end();
    }
    if (!stored.fresh) {
      ++run_.figures.revisits;
      return;
    }
    tables_.set_parent(stored.id, from);
    if (arrival.successors_known && arrival.successors.count == 0)
      return end_of_path(stored.id, arrival.successors.ending);
    open_.push_back({stored.id, depth, blocks_.top()});
    run_.figures.max_depth = std::max<uint64_t>(run_.figures.max_depth, depth);
    most_open_ = std::max<uint64_t>(most_open_, open_.size());
    blocks_.push(last_size_);
    if (blocks_.full() || !blocks_.addressable(uint64_t{1} << 30)) blocks_.forget();
  }

  void end_of_path(StateId state, machine::Ending ending) {
    if (ending == machine::Ending::Cut) ++run_.figures.cuts;
    if (ending != machine::Ending::Deadlock) return;
    ++run_.figures.deadlocks;
    if (run_.options.deadlock_is_violation) pool_.found({Outcome::Deadlock, state, Found::kNone});
  }

  /// Gives away the older half of the open states: what follows from them is likely to be more.
  void offer() {
    const size_t count = open_.size() - given_;
    if (count < 2) return;
    since_offer_ = 0;
    const auto first = open_.begin() + static_cast<ptrdiff_t>(given_);
    const size_t many = std::min(count / 2, kLongestOffer);
    pool_.offer({first, first + static_cast<ptrdiff_t>(many)});
    given_ += many;
  }

  /// Goes from one stored state to the next one and appends the choices.
  bool walk(StateId from, StateId to, std::vector<uint32_t>& path) {
    load(from);
    const uint32_t count = machine_.successors().count;
    for (uint32_t choice = 0; choice < count; ++choice) {
      if (choice != 0) load_here();
      const Arrival arrival = go(choice);
      if (arrival.kind != StepKind::Moved) continue;
      std::span<const uint8_t> bytes = machine_.save();
      if (takes_out_dead_) bytes = run_.without_dead(bytes);
      make_room(bytes.size());
      if (store_.find(bytes, here(), blocks_.at(blocks_.top())) != to) continue;
      extend_path(path, choice, arrival.steps);
      return true;
    }
    return false;
  }

  Run run_;
  machine::Machine& machine_;
  SharedTables& tables_;
  Rendezvous& rendezvous_;
  SharedTreeStore store_;
  Pool& pool_;
  Walker walker_;
  BlockStack blocks_;  ///< of the last open states
  std::vector<Open> open_;
  size_t given_ = 0;            ///< so many, at the beginning of open_, were given away
  std::vector<uint64_t> here_;  ///< block of the state that is expanded
  uint64_t atoms_ = 0;          ///< there
  bool looked_for_ = false;     ///< the store did not know the state after the first step of the path
  uint64_t last_length_ = ~uint64_t{0}, last_size_ = 0;  ///< of a block
  uint64_t most_open_ = 0;
  uint32_t since_offer_ = 0;
  const bool takes_out_dead_ = run_.options.dead == Dead::Static && !run_.machine.leaves_out_dead();
};

/// For what asks about a store.
struct Counted {
  const SharedTables& tables;
  bool ended;
  uint64_t size() const { return ended ? tables.size() : tables.about(); }
  uint64_t bytes() const { return tables.bytes(); }
};

class Search {
 public:
  Search(Run& run, Budget& budget) : run_(run), tables_(run.options.cores, &budget), pool_(run.options.cores) {}

  void operator()() {
    LastWords::Speaker speaker(run_.context.last_words,
                               [&](Statistics& statistics) { run_.tell(Counted{tables_, false}, statistics); });
    add_worker(run_.machine);
    workers_[0]->begin();
    workers_[0]->work_alone(run_.options.alone);
    if (goes_on()) add_twins();
    if (goes_on() && workers_.size() == 1) workers_[0]->work_alone(~uint64_t{0});
    if (goes_on()) work_together();
    conclude();
  }

 private:
  void add_worker(machine::Machine& machine) {
    const auto number = static_cast<unsigned>(workers_.size());
    workers_.push_back(std::make_unique<Worker>(run_, machine, tables_, pool_, number));
  }
  bool goes_on() { return workers_[0]->has_open() && !pool_.stopped() && run_.context.limits.poll() == Stop::No; }
  bool some_open() const {
    return std::ranges::any_of(workers_, [](const auto& worker) { return worker->has_open(); });
  }
  void add_twins() {
    while (workers_.size() < run_.options.cores) {
      std::unique_ptr<machine::Machine> twin = run_.machine.twin();
      if (twin == nullptr) break;
      add_worker(*twin);
      twins_.push_back(std::move(twin));
    }
    if (workers_.size() < run_.options.cores) workers_.resize(1);
  }
  void work_together() {
    std::vector<std::jthread> threads;
    for (auto& worker : workers_) threads.emplace_back([&worker] { worker->work(); });
    while (!pool_.wait(kBetweenPolls))
      if (run_.context.limits.poll() != Stop::No) pool_.end();
  }

  void conclude() {
    for (auto& worker : workers_) {
      const Figures& part = worker->run().figures;
      run_.figures.states_created += part.states_created + worker->created();
      run_.figures.revisits += part.revisits;
      run_.figures.pruned += part.pruned;
      run_.figures.cuts += part.cuts;
      run_.figures.deadlocks += part.deadlocks;
      run_.figures.max_depth = std::max(run_.figures.max_depth, part.max_depth);
      run_.figures.search_bytes += worker->bytes();
      run_.reduce_ticks += worker->ticks();
      run_.dead_ticks += worker->run().dead_ticks;
      if (worker->run().done()) run_.give_up(worker->run().result.reason);
    }
    pool_.rethrow();
    if (const auto& found = pool_.found()) {
      run_.stop(found->outcome);
      run_.result.path = workers_[0]->path_to(*found);
    } else if (Stop reason = run_.context.limits.stopped(); reason != Stop::No) {
      run_.give_up(to_string(reason));
    } else if (!run_.done() && (pool_.stopped() || some_open())) {
      run_.give_up("the search was ended");  // never without one of the reasons above
    }
    run_.conclude(Counted{tables_, true}, false);
    run_.context.statistics.set("search_threads", uint64_t{workers_.size()});
  }

  static constexpr std::chrono::milliseconds kBetweenPolls{10};

  Run& run_;
  SharedTables tables_;
  Pool pool_;
  std::vector<std::unique_ptr<machine::Machine>> twins_;
  std::vector<std::unique_ptr<Worker>> workers_;
};

}  // namespace

void search_in_parallel(Run& run, Budget& budget) { Search(run, budget)(); }

}  // namespace whittle::explore
