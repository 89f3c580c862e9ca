#include "explore/parallel.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <condition_variable>
#include <cstdio>
#include <deque>
#include <exception>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "base/checkpoint.h"
#include "base/error.h"
#include "explore/block_stack.h"
#include "explore/distributed_files.h"
#include "explore/shared_tables.h"
#include "machine/state_numbers.h"

namespace whittle::explore {
namespace {

using machine::StepKind;

/// A stored state that is still to be expanded.
struct Open {
  StateId state;
  uint32_t depth;            ///< in stored states
  BlockStack::Offset block;  ///< where the thread that has it keeps it in full, perhaps
};

/// The same in a checkpoint.
struct SavedOpen {
  StateId state;
  uint32_t depth;
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
  /// Before threads start: how many there will be.
  void set_workers(unsigned workers) { workers_ = workers; }

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
    if (idle_ == workers_ && offered_.empty() && !stopped()) finished_ = true, changed_.notify_all();
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
  bool finished() const { return finished_; }
  bool failed() const { return error_ != nullptr; }
  const std::deque<std::vector<Open>>& offered() const { return offered_; }
  /// The threads go on. Requires !finished().
  void restart() {
    idle_ = 0;
    stop_ = false;
    hungry_ = false;
  }
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

  unsigned workers_ = 1;
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
  Worker(Run& whole, machine::Machine& machine, SharedTables& tables, Pool& pool, Spill* spill, unsigned number)
      : run_(machine, whole.options, whole.context, whole.bad(), whole.branching()),
        machine_(machine),
        tables_(tables),
        rendezvous_(tables.rendezvous()),
        store_(tables.view(number)),
        pool_(pool),
        spill_(spill),
        walker_(machine, run_.options, whole.context.limits, {run_.watches(), run_.branching(), false}),
        blocks_(std::min(run_.options.stack_bytes / 4, spill == nullptr ? ~uint64_t{0} : spill->memory() / 64)),
        open_(spill) {}

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
  void append_open(std::vector<SavedOpen>& all) const {
    for (size_t i = given_; i < open_.size(); ++i) all.push_back({open_[i].state, open_[i].depth});
  }
  /// In the place of begin().
  void begin_with(const std::vector<SavedOpen>& all) {
    for (SavedOpen open : all) open_.push_back({open.state, open.depth, BlockStack::kNone});
  }
  /// Until no thread has any states left. Another thread polls the limits.
  void work() {
    walker_.set_patience({nullptr, &pool_.stop()});
    bool member = false;
    try {
      rendezvous_.join();
      member = true;
      for (;;) {
        while (has_open() && !pool_.stopped()) {
          expand_last();
          if (spill_ != nullptr && (++since_relief_ & 31) == 0) spill_->relieve();
          if (pool_.hungry() && ++since_offer_ > kBetweenOffers) offer();
        }
        rendezvous_.leave();
        member = false;
        std::vector<Open> taken = pool_.take();
        if (taken.empty()) return;
        rendezvous_.join();
        member = true;
        blocks_.pop_to(0);
        open_.clear();
        given_ = 0;
        for (const Open& open : taken) open_.push_back({open.state, open.depth, BlockStack::kNone});
        since_offer_ = kBetweenOffers;
      }
    } catch (...) {
      if (member) rendezvous_.leave();  // others may wait for all members, to grow
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
    for (uint32_t choice = 0; choice < successors.count; ++choice) {
      rendezvous_.pass();
      if (choice != 0) machine_.load(Block::bytes(here()));
      if (!stopping() && take(open, choice)) continue;
      open_.push_back({open.state, open.depth, BlockStack::kNone});  // who goes on from here begins with this one
      return;
    }
    if (tables_.about() >= run_.options.max_states) [[unlikely]] {
      run_.give_up(fmt::format("limit of {} states reached", run_.options.max_states));
      pool_.end();
    }
  }

  bool stopping() const { return pool_.stopped() || run_.context.limits.stopped() != Stop::No; }

  /// False: it has not been taken, or not to its end.
  bool take(const Open& from, uint32_t choice) {
    Arrival arrival = walker_.first_step(choice);
    looked_for_ = false;
    if (arrival.kind == StepKind::Moved && run_.reducing()) {
      if (arrives_at_known(arrival)) return true;
      walker_.follow(arrival, choice, atoms_, Block::bytes(here()));
      if (stopping()) return false;  // perhaps in the middle of the path
    }
    switch (arrival.kind) {
      case StepKind::Moved:
        if (!run_.bad_atoms(arrival.atoms)) return arrive(arrival, from.state, from.depth + 1);
        pool_.found({Outcome::BadState, from.state, choice});
        break;
      case StepKind::Violation: pool_.found({Outcome::Violation, from.state, choice}); break;
      case StepKind::Cut: ++run_.figures.cuts; break;
      case StepKind::Pruned: ++run_.figures.pruned; break;
    }
    return true;
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

  /// The machine stands in a state that may be new. False: there is no room for it.
  bool arrive(const Arrival& arrival, StateId from, uint32_t depth) {
    std::span<const uint8_t> bytes = machine_.save();
    if (takes_out_dead_) bytes = run_.without_dead(bytes);
    make_room(bytes.size());
    uint8_t* out = blocks_.at(blocks_.top());
    const uint8_t* base = from == kNoState ? nullptr : here();
    const Interned stored = looked_for_ && arrival.steps == 1 ? store_.insert_not_found(bytes, base, out)
                                                              : store_.insert(bytes, base, out);
    if (stored.id == kNoState) [[unlikely]] {
      run_.stop_for_memory();
      pool_.end();
      return false;
    }
    if (!stored.fresh) {
      ++run_.figures.revisits;
      return true;
    }
    tables_.set_parent(stored.id, from);
    if (arrival.successors_known && arrival.successors.count == 0) {
      end_of_path(stored.id, arrival.successors.ending);
      return true;
    }
    open_.push_back({stored.id, depth, blocks_.top()});
    run_.figures.max_depth = std::max<uint64_t>(run_.figures.max_depth, depth);
    most_open_ = std::max<uint64_t>(most_open_, open_.size());
    blocks_.push(last_size_);
    if (blocks_.full() || !blocks_.addressable(uint64_t{1} << 30)) blocks_.forget();
    return true;
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
    const Open* first = open_.begin() + given_;
    const size_t many = std::min(count / 2, kLongestOffer);
    pool_.offer({first, first + many});
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
  Spill* spill_;
  Walker walker_;
  BlockStack blocks_;  ///< of the last open states
  SpilledStack<Open> open_;
  size_t given_ = 0;            ///< so many, at the beginning of open_, were given away
  std::vector<uint64_t> here_;  ///< block of the state that is expanded
  uint64_t atoms_ = 0;          ///< there
  bool looked_for_ = false;     ///< the store did not know the state after the first step of the path
  uint64_t last_length_ = ~uint64_t{0}, last_size_ = 0;  ///< of a block
  uint64_t most_open_ = 0;
  uint32_t since_offer_ = 0, since_relief_ = 0;
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
  Search(Run& run, Budget& budget)
      : run_(run), spill_(make_spill(run)), tables_(run.options.cores, &budget, spill_.get()) {}

  void operator()() {
    LastWords::Speaker speaker(run_.context.last_words,
                               [&](Statistics& statistics) { run_.tell(Counted{tables_, false}, statistics); });
    add_worker(run_.machine);
    if (run_.options.resume.empty())
      workers_[0]->begin();
    else
      load();
    workers_[0]->work_alone(run_.options.alone);
    if (goes_on()) add_twins();
    if (goes_on()) work_together();
    conclude();
  }

 private:
  static std::unique_ptr<Spill> make_spill(Run& run) {
    if (run.options.spill.empty()) return nullptr;
    return std::make_unique<Spill>(run.options.spill, run.context.limits, run.options.spill_from);
  }
  void add_worker(machine::Machine& machine) {
    const auto number = static_cast<unsigned>(workers_.size());
    workers_.push_back(std::make_unique<Worker>(run_, machine, tables_, pool_, spill_.get(), number));
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
    pool_.set_workers(static_cast<unsigned>(workers_.size()));
    while (work_until_checkpoint()) {
      save();
      pool_.restart();
    }
  }
  /// True: the threads have only paused.
  bool work_until_checkpoint() {
    const double every = run_.options.checkpoint.empty() ? std::numeric_limits<double>::infinity() : run_.options.checkpoint_every;
    const TickRate clock;
    bool pause = false;
    {
      std::vector<std::jthread> threads;
      for (auto& worker : workers_) threads.emplace_back([&worker] { worker->work(); });
      while (!pool_.wait(kBetweenPolls)) {
        if (spill_ != nullptr && !look_at_spill()) break;
        pause = clock.elapsed() >= every;
        if (pause || run_.context.limits.poll() != Stop::No) pool_.end();
      }
    }
    if (pool_.finished() || pool_.found() || pool_.failed()) return false;
    const bool gave_up = std::ranges::any_of(workers_, [](const auto& worker) { return worker->run().done(); });
    return pause && !gave_up && run_.context.limits.stopped() == Stop::No;
  }

  /// False: the disk is full.
  bool look_at_spill() {
    if (spill_->due()) {
      spilled_at_ = tables_.about();
      spilled_after_ = clock_.elapsed();
      tables_.rendezvous().join();
      tables_.move_to_files();
      tables_.rendezvous().leave();
    }
    if (!spill_->failed()) return true;
    pool_.end();
    return false;
  }
  /// What it was and what it cost.
  void tell_of_spill() {
    Statistics& statistics = run_.context.statistics;
    statistics.set("spilled_bytes", spill_->bytes());
    if (!spill_->active()) return;
    const double then = spilled_after_, since = clock_.elapsed() - then;
    auto rate = [](uint64_t states, double seconds) { return seconds > 0 ? static_cast<double>(states) / seconds / 1000 : 0; };
    run_.result.spilled = fmt::format(
        "--spill: {} MB are in files; {} states were stored before, {:.0f} thousand a second, and {} since, {:.0f} thousand a second",
        spill_->bytes() >> 20, spilled_at_, rate(spilled_at_, then), tables_.about() - spilled_at_,
        rate(tables_.about() - spilled_at_, since));
  }

  // What can be said of the search so far, in this process and before.
  Figures counted() const {
    Figures sum = before_;
    for (const auto& worker : workers_) {
      const Figures& part = worker->run().figures;
      sum.states_created += part.states_created + worker->created();
      sum.revisits += part.revisits;
      sum.pruned += part.pruned;
      sum.cuts += part.cuts;
      sum.deadlocks += part.deadlocks;
      sum.max_depth = std::max(sum.max_depth, part.max_depth);
    }
    return sum;
  }
  static std::array<uint64_t*, 6> fields(Figures& f) {
    return {&f.states_created, &f.revisits, &f.pruned, &f.cuts, &f.deadlocks, &f.max_depth};
  }

  static machine::StateNumbers& numbers_of(machine::Machine& machine) {
    auto* numbers = dynamic_cast<machine::StateNumbers*>(&machine);
    if (numbers == nullptr) fail_usage("the states of this system cannot be kept in a checkpoint");
    return *numbers;
  }

  /// What cannot be written is no reason to end the search.
  void save() {
    try {
      std::vector<uint8_t> numbers;
      numbers_of(run_.machine).save_numbers(numbers);
      CheckpointWriter out(run_.options.checkpoint, run_.options.task);
      out.value(CheckpointKind::OneProcess);
      out.array(numbers.data(), numbers.size());
      Figures figures = counted();
      for (uint64_t* field : fields(figures)) out.value(*field);
      tables_.save(out);
      std::vector<SavedOpen> open;
      for (const auto& worker : workers_) worker->append_open(open);
      for (const std::vector<Open>& offered : pool_.offered())
        for (const Open& one : offered) open.push_back({one.state, one.depth});
      out.array(open.data(), open.size());
      out.finish();
      saved_ = true;
    } catch (const Error& error) {
      run_.result.notes.emplace_back(error.what());
    }
  }
  void load() {
    CheckpointReader in(run_.options.resume, run_.options.task);
    if (in.value<CheckpointKind>() != CheckpointKind::OneProcess) in.damaged();
    run_.machine.reset();
    if (!numbers_of(run_.machine).load_numbers(in.array<uint8_t>())) in.damaged();
    for (uint64_t* field : fields(before_)) *field = in.value<uint64_t>();
    tables_.load(in);
    const std::vector<SavedOpen> open = in.array<SavedOpen>();
    if (std::ranges::any_of(open, [&](SavedOpen one) { return one.state >= tables_.about(); })) in.damaged();
    workers_[0]->begin_with(open);
  }

  void conclude() {
    run_.figures = counted();
    for (auto& worker : workers_) {
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
    } else if (spill_ != nullptr && spill_->failed()) {
      run_.give_up(spill_->failure());
    } else if (!run_.done() && (pool_.stopped() || some_open())) {
      run_.give_up("the search was ended");  // never without one of the reasons above
    }
    if (!run_.options.checkpoint.empty()) leave_checkpoint();
    if (spill_ != nullptr) tell_of_spill();
    run_.conclude(Counted{tables_, true}, false);
    run_.context.statistics.set("search_threads", uint64_t{workers_.size()});
  }

  /// A search that was stopped can go on; one that has seen everything needs no checkpoint any more. What was written before a violation was found stays until the
  /// violation has been shown (forget_checkpoint): that takes time, and may be stopped, too.
  void leave_checkpoint() {
    if (!run_.done()) forget_checkpoint(run_.options);
    if (!run_.done() || run_.result.outcome != Outcome::Unknown) return;
    save();
    if (saved_) run_.result.reason += "; --resume goes on from here";
  }

  static constexpr std::chrono::milliseconds kBetweenPolls{10};

  Run& run_;
  std::unique_ptr<Spill> spill_;
  SharedTables tables_;
  Pool pool_;
  std::vector<std::unique_ptr<machine::Machine>> twins_;
  std::vector<std::unique_ptr<Worker>> workers_;
  Figures before_;      ///< of the searches whose checkpoint this one began with
  bool saved_ = false;  ///< a checkpoint has been written
  const TickRate clock_;
  uint64_t spilled_at_ = 0;   ///< states, and seconds, ...
  double spilled_after_ = 0;  ///< ... when tables went to files
};

}  // namespace

void search_in_parallel(Run& run, Budget& budget) { Search(run, budget)(); }

}  // namespace whittle::explore
