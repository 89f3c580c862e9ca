#include "explore/distributed.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <optional>

#include "base/error.h"
#include "base/hash.h"
#include "cluster/parcel.h"
#include "explore/distributed_files.h"
#include "explore/tree_store.h"

namespace whittle::explore {
namespace {

using cluster::Message;
using cluster::Parcel;
using cluster::Unpacker;
using machine::StepKind;

enum class Kind : uint8_t {
  States,   ///< parent and bytes of each, and whether it is still to be expanded
  Token,    ///< of Safra's algorithm
  Ended,    ///< to process 0: how the search ended here
  Stop,     ///< from process 0: the search is over
  Figures,  ///< to process 0, after Stop
  Chain,    ///< from process 0: the states on the way to one; and the answer
  Done,     ///< from process 0: nothing more will be asked
  Pause,    ///< from process 0: expand nothing, send what is ready
  Write,    ///< from process 0: no state is under way; write yours
  Written,  ///< to process 0: it is on the disk, or why not
  GoOn,     ///< from process 0: the pause is over
  Refused,  ///< to process 0: why the checkpoint cannot be read
};

constexpr uint64_t kNone = 0;  ///< the hash of no state

/// Adds the processor time of this thread, from when it is made until it ends.
class Stopwatch {
 public:
  explicit Stopwatch(double& seconds) : seconds_(seconds), begin_(now()) {}
  ~Stopwatch() { seconds_ += now() - begin_; }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

 private:
  static double now() {
    timespec time{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  }
  double& seconds_;
  const double begin_;
};

/// What a search costs, for plans of larger ones.
struct Costs {
  uint64_t batches = 0, states_sent = 0, bytes_sent = 0;
  double expand_seconds = 0, receive_seconds = 0;  ///< of processor time: with sending; of states, with looking them up
  void add(const Costs& more) {
    batches += more.batches, states_sent += more.states_sent, bytes_sent += more.bytes_sent;
    expand_seconds += more.expand_seconds, receive_seconds += more.receive_seconds;
  }
};

struct Token {
  int64_t count = 0;  ///< messages sent but not received
  bool black = false;
};

/// Why a process ends the search for all.
struct Ended {
  Outcome outcome = Outcome::Unknown;
  uint64_t last = kNone;  ///< hash of the last stored state before the violation
  std::string reason;  ///< of Unknown
};

class Search {
 public:
  Search(Run& run, Budget& budget)
      : run_(run),
        machine_(run.machine),
        group_(*run.options.group),
        store_(&budget),
        walker_(machine_, run.options, run.context.limits, {run.watches(), run.branching(), false}),
        outbox_(group_.size()),
        recent_(kRecent) {}

  void operator()() {
    next_save_ = run_.context.limits.elapsed() + run_.options.checkpoint_every;
    LastWords::Speaker speaker(run_.context.last_words, [&](Statistics& statistics) { run_.tell(store_, statistics); });
    begin();
    while (!over_) {
      receive();
      if (over_ || stopped_by_limit()) break;
      if (first() && keeps() && !paused_ && !ended_ && run_.context.limits.elapsed() >= next_save_) pause_all();
      if (ended_ || paused_ || open_.empty() || group_.unsent() > kMostUnsent)
        rest();
      else
        expand_some();
    }
    conclude();
  }

 private:
  static constexpr size_t kBatch = 1 << 15;  ///< bytes of states in one message
  static constexpr uint64_t kMostUnsent = uint64_t{64} << 20;
  static constexpr unsigned kAtOnce = 64;     ///< states expanded between two looks at messages
  static constexpr unsigned kMostReceived = 16;  ///< messages between two looks at everything else: others may send without end
  static constexpr unsigned kFlushAfter = 16;  ///< so many times that: others may have nothing to do
  static constexpr size_t kRecent = 1 << 14;
  static constexpr double kLongestWait = 0.1;  ///< seconds for the others' figures after a signal
  static constexpr double kLongestPause = 0.5;  ///< seconds for them to come to rest, then: who is lost never does
  static constexpr double kLongestWaitForRest = 5;  ///< seconds for them to come to rest after a limit

  bool first() const { return group_.rank() == 0; }
  bool keeps() const { return !run_.options.checkpoint.empty(); }
  std::span<const uint8_t> here() const { return Block::bytes(reinterpret_cast<const uint8_t*>(here_.data())); }
  std::span<const uint8_t> state_bytes() {
    std::span<const uint8_t> bytes = machine_.save();
    return takes_out_dead_ ? run_.without_dead(bytes) : bytes;
  }
  static Parcel parcel(Kind kind) {
    Parcel out;
    out.value(kind);
    return out;
  }
  void send_all(Parcel message) {
    const std::vector<uint8_t> bytes = message.take();
    for (unsigned rank = 0; rank < group_.size(); ++rank)
      if (rank != group_.rank()) group_.send(rank, bytes);
  }

  // States

  void begin() {
    machine_.reset();
    if (!run_.options.resume.empty()) return load_parts();
    if (first()) ++run_.figures.states_created;
    if (run_.watches() && run_.bad_atoms(machine_.observe()))
      first() ? end({Outcome::BadState, kNone, {}}) : void();
    else if (const std::span<const uint8_t> bytes = state_bytes(); owner(hash_bytes(bytes)) == group_.rank())
      store(bytes, kNone, true);
  }
  unsigned owner(uint64_t hash) const { return static_cast<unsigned>((hash >> 32) * group_.size() >> 32); }

  /// `open`: it is still to be expanded, if it is new.
  void store(std::span<const uint8_t> bytes, uint64_t parent, bool open) {
    const uint64_t size = TreeStore::block_size(bytes.size());
    next_.resize(size / 8);
    const Interned stored = store_.insert(bytes, nullptr, reinterpret_cast<uint8_t*>(next_.data()));
    if (stored.id == kNoState) {
      leave_over(bytes, parent, open);
      return end({Outcome::Unknown, kNone, "memory limit reached"});
    }
    if (!stored.fresh) {
      ++run_.figures.revisits;
      return;
    }
    parents_.push_back(parent);
    if (!open) return;
    open_.push_back(stored.id);
    most_open_ = std::max(most_open_, open_.size());
    if (store_.size() * group_.size() >= run_.options.max_states)
      end({Outcome::Unknown, kNone, fmt::format("limit of {} states reached", run_.options.max_states)});
  }
  /// What can no longer be stored is needed by those who go on from the checkpoint.
  void leave_over(std::span<const uint8_t> bytes, uint64_t parent, bool open) {
    if (keeps()) left_over_.push_back({{bytes.begin(), bytes.end()}, parent, open});
  }

  void load(StateId state) {
    here_.resize(TreeStore::block_size(store_.length(state)) / 8);
    store_.decode(state, reinterpret_cast<uint8_t*>(here_.data()));
    load_here();
  }
  void load_here() {
    machine_.load(here());
    atoms_ = run_.watches() ? machine_.observe() : 0;
  }

  void expand_some() {
    const Stopwatch watch(costs_.expand_seconds);
    group_.busy();
    for (unsigned i = 0; i < kAtOnce && !open_.empty() && !ended_; ++i) {
      const StateId state = open_.back();
      open_.pop_back();
      expand(state);
    }
    if (++since_flush_ >= kFlushAfter) flush();
  }
  void expand(StateId state) {
    if (!expand_all_of(state)) open_.push_back(state);  // who goes on from here begins with it again
  }
  /// False: the search ended before the last choice was made.
  bool expand_all_of(StateId state) {
    load(state);
    hash_here_ = hash_bytes(here());
    const machine::Successors successors = machine_.successors();
    if (successors.count == 0) end_of_path(successors.ending);
    for (uint32_t choice = 0; choice < successors.count && !ended_; ++choice) {
      if (choice != 0) load_here();
      const Arrival arrival = walker_.go(choice, atoms_, here());
      if (run_.context.limits.stopped() != Stop::No) return false;  // perhaps in the middle of a path: no answer any more
      switch (arrival.kind) {
        case StepKind::Moved:
          if (run_.bad_atoms(arrival.atoms))
            end({Outcome::BadState, hash_here_, {}});
          else
            deliver();
          break;
        case StepKind::Violation: end({Outcome::Violation, hash_here_, {}}); break;
        case StepKind::Cut: ++run_.figures.cuts; break;
        case StepKind::Pruned: ++run_.figures.pruned; break;
      }
    }
    return !ended_;
  }
  void end_of_path(machine::Ending ending) {
    if (ending == machine::Ending::Cut) ++run_.figures.cuts;
    if (ending != machine::Ending::Deadlock) return;
    ++run_.figures.deadlocks;
    if (run_.options.deadlock_is_violation) end({Outcome::Deadlock, hash_here_, {}});
  }

  /// The machine's state, to whom it belongs.
  void deliver() {
    const std::span<const uint8_t> bytes = state_bytes();
    const uint64_t hash = hash_bytes(bytes);
    const unsigned to = owner(hash);
    if (to == group_.rank()) return store(bytes, hash_here_, true);
    std::vector<uint8_t>& recent = recent_[hash % kRecent];
    if (std::ranges::equal(recent, bytes)) return;  // it is there, or on its way
    recent.assign(bytes.begin(), bytes.end());
    put(to, bytes, hash_here_, true);
  }
  void put(unsigned to, std::span<const uint8_t> bytes, uint64_t parent, bool open) {
    Parcel& box = outbox_[to];
    if (box.size() == 0) box.value(Kind::States);
    box.value(parent);
    box.value(open);
    box.bytes(bytes);
    ++costs_.states_sent;
    if (box.size() >= kBatch) flush(to);
  }
  void flush(unsigned to) {
    if (outbox_[to].size() == 0) return;
    ++balance_;
    ++costs_.batches;
    costs_.bytes_sent += outbox_[to].size();
    group_.send(to, outbox_[to].take());
  }
  void flush() {
    since_flush_ = 0;
    for (unsigned to = 0; to < group_.size(); ++to) flush(to);
  }

  // Messages

  void receive() {
    Message message;
    for (unsigned i = 0; i < kMostReceived && !over_ && group_.receive(message); ++i) {
      group_.busy();
      Unpacker in(message.bytes);
      switch (in.value<Kind>()) {
        case Kind::States: take_states(in); break;
        case Kind::Token: token_ = in.value<Token>(); break;
        case Kind::Ended: {
          Ended what;
          what.outcome = in.value<Outcome>();
          what.last = in.value<uint64_t>();
          what.reason = in.text();
          end(std::move(what));
          break;
        }
        case Kind::Stop: over_ = true; break;
        case Kind::Pause: paused_ = true; break;
        case Kind::Write: answer_write(in.value<Generation>()); break;
        case Kind::Written: written(in.text()); break;
        case Kind::Refused: fail_input("{}", in.text());
        case Kind::GoOn:
          --balance_;
          black_ = true;  // it may have work again
          paused_ = false;
          break;
        default: fail_internal("a message between processes comes too early");
      }
    }
  }

  void take_states(Unpacker& in) {
    const Stopwatch watch(costs_.receive_seconds);
    --balance_;
    black_ = true;
    while (!in.empty()) {
      const auto parent = in.value<uint64_t>();
      const auto open = in.value<bool>();
      const std::span<const uint8_t> bytes = in.bytes();
      ended_ ? leave_over(bytes, parent, open) : store(bytes, parent, open);
    }
  }

  /// The first reason counts. Process 0 decides which one that is.
  void end(Ended what) {
    if (ended_) return;
    ended_ = std::move(what);
    if (first()) return ended_->outcome == Outcome::Unknown && keeps() ? pause_all() : stop_all();
    Parcel message = parcel(Kind::Ended);
    message.value(ended_->outcome);
    message.value(ended_->last);
    message.text(ended_->reason);
    group_.send(0, message.take());
  }
  void stop_all() {
    over_ = true;
    send_all(parcel(Kind::Stop));
  }
  bool stopped_by_limit() {
    const Stop reason = run_.context.limits.poll();
    if (reason == Stop::No) return false;
    if (reason == Stop::Interrupt && !lost_) lost_ = true, resting_since_ = run_.context.limits.elapsed();
    end({Outcome::Unknown, kNone, to_string(reason) + (lost_ ? std::string(cluster::kWhyInterrupted) : "")});
    // One that ended before the search began never comes to rest.
    if (first() && paused_ && !writing_ && run_.context.limits.elapsed() > paused_at_ + kLongestWaitForRest) return lost_ = true;
    if (over_ || !lost_) return over_;  // process 0 will say so
    return !keeps() || run_.context.limits.elapsed() > resting_since_ + kLongestPause;
  }

  /// Nothing to expand. Safra: the token goes on from a process that is idle.
  void rest() {
    if (paused_ || (open_.empty() && !ended_)) {
      flush();
      if (first() && !writing_ && (!round_ || token_)) {
        const bool quiet = token_ && !token_->black && !black_ && token_->count + balance_ == 0;
        if (round_ && quiet) return paused_ ? all_at_rest() : stop_all();
        round_ = true;
        black_ = false;
        pass_token({});
      } else if (!first() && token_) {
        Token token{token_->count + balance_, token_->black || black_};
        black_ = false;
        pass_token(token);
      }
    }
    group_.idle();
  }
  void pass_token(Token token) {
    token_.reset();
    Parcel message = parcel(Kind::Token);
    message.value(token);
    group_.send((group_.rank() + 1) % group_.size(), message.take());
  }

  // Checkpoints. All pause; when no state is under way, each writes its own; when all are written, they count.

  void pause_all() {
    paused_at_ = run_.context.limits.elapsed();
    if (paused_) return;
    paused_ = true;
    send_all(parcel(Kind::Pause));
  }
  /// Process 0: no state is under way.
  void all_at_rest() {
    if (loading_) {
      loading_ = false;
      if (!ended_) return go_on();
    }
    writing_ = Generation{hash_combine(static_cast<uint64_t>(std::chrono::system_clock::now().time_since_epoch().count()), static_cast<uint64_t>(::getpid())),
                          group_.size()};
    Parcel message = parcel(Kind::Write);
    message.value(*writing_);
    send_all(std::move(message));
    unwritten_ = group_.size();
    written(write_part(*writing_));
  }
  void go_on() {
    paused_ = round_ = false;
    token_.reset();
    balance_ += group_.size() - 1;  // it counts as work that was sent
    send_all(parcel(Kind::GoOn));
  }
  void answer_write(Generation generation) {
    Parcel message = parcel(Kind::Written);
    message.text(write_part(generation));
    group_.send(0, message.take());
    resting_since_ = run_.context.limits.elapsed();
  }
  /// Empty, or what went wrong.
  std::string write_part(Generation generation) {
    if (unread_) return "the search was stopped before all of its checkpoint was read";
    try {
      PartWriter out(run_.options.checkpoint, run_.options.task, generation, group_.rank());
      Figures figures = run_.figures;
      figures.states_created += walker_.created();
      PartFigures numbers{};
      std::ranges::transform(fields(figures), numbers.begin(), [](const uint64_t* field) { return *field; });
      out.figures(numbers);
      std::vector<bool> open(store_.size());
      for (StateId state : open_) open[state] = true;
      for (StateId state = 0; state < store_.size(); ++state) {
        here_.resize(TreeStore::block_size(store_.length(state)) / 8);
        store_.decode(state, reinterpret_cast<uint8_t*>(here_.data()));
        out.add({here(), parents_[state], open[state]});
      }
      for (const LeftOver& one : left_over_) out.add({one.bytes, one.parent, one.open});
      out.finish();
      return {};
    } catch (const Error& error) {
      return error.what();
    }
  }
  /// Process 0: one more has written its part.
  void written(const std::string& trouble) {
    if (!trouble.empty()) trouble_ = trouble;
    if (--unwritten_ != 0) return;
    try {
      if (trouble_.empty()) write_manifest(run_.options.checkpoint, run_.options.task, *writing_);
    } catch (const Error& error) {
      trouble_ = error.what();
    }
    if (trouble_.empty()) {
      remove_other_parts(run_.options.checkpoint, writing_->number);
      saved_ = true;
    } else {
      remove_parts(run_.options.checkpoint, writing_->number);
      if (run_.result.notes.empty()) run_.result.notes.push_back(trouble_);  // once, not every five minutes
      trouble_.clear();
    }
    writing_.reset();
    const double now = resting_since_ = run_.context.limits.elapsed();
    next_save_ = now + std::max(run_.options.checkpoint_every, now - paused_at_);  // at most half of the time goes into this
    ended_ ? stop_all() : go_on();
  }

  /// All begin in a pause, which ends when every state has come to the process that it belongs to.
  void load_parts() {
    paused_ = loading_ = true;
    try {
      read_parts();
    } catch (const Error& error) {
      if (first()) throw;
      Parcel message = parcel(Kind::Refused);  // only process 0 has words for the user
      message.text(error.what());
      group_.send(0, message.take());
      unread_ = true;
    }
  }
  void read_parts() {
    const Generation from = read_manifest(run_.options.resume, run_.options.task);
    for (uint64_t part = group_.rank(); part < from.parts && run_.context.limits.poll() == Stop::No; part += group_.size()) {
      PartReader in(run_.options.resume, run_.options.task, from, part);
      const PartFigures numbers = in.figures();
      const auto into = fields(run_.figures);
      for (size_t i = 0; i < numbers.size(); ++i) *into[i] += numbers[i];
      for (PartState state; in.next(state);) load_state(state);
    }
    unread_ = run_.context.limits.stopped() != Stop::No;
  }
  void load_state(const PartState& state) {
    const unsigned to = owner(hash_bytes(state.bytes));
    if (to != group_.rank())
      put(to, state.bytes, state.parent, state.open);
    else
      ended_ ? leave_over(state.bytes, state.parent, state.open) : store(state.bytes, state.parent, state.open);
    while (group_.unsent() > kMostUnsent) {
      receive();
      group_.idle();
    }
  }

  // The end

  static std::array<uint64_t*, 5> fields(Figures& f) {
    return {&f.states_created, &f.revisits, &f.pruned, &f.cuts, &f.deadlocks};
  }
  void conclude() {
    run_.figures.states_created += walker_.created();
    run_.figures.search_bytes = most_open_ * sizeof(StateId) + parents_.bytes();
    states_ = store_.size(), bytes_ = store_.bytes();
    if (!first()) {
      if (!lost_) serve();
      run_.give_up("this process has no answer of its own");
    } else {
      collect_figures();
      std::vector<uint32_t> path;
      if (ended_ && ended_->outcome != Outcome::Unknown && !lost_) path = path_to(*ended_);
      if (!lost_) send_all(parcel(Kind::Done));
      if (ended_ && ended_->outcome == Outcome::Unknown) run_.give_up(ended_->reason + (saved_ ? "; --resume goes on from here" : ""));
      if (ended_ && ended_->outcome != Outcome::Unknown) run_.stop(ended_->outcome), run_.result.path = std::move(path);
      if (!ended_) forget_checkpoint(run_.options);
    }
    struct {
      uint64_t states, memory;
      uint64_t size() const { return states; }
      uint64_t bytes() const { return memory; }
    } const all{states_, bytes_};
    run_.conclude(all, false);
    Statistics& statistics = run_.context.statistics;
    statistics.set("processes", uint64_t{group_.size()});
    if (first()) statistics.set("states_of_a_process_min", least_), statistics.set("states_of_a_process_max", most_);
    if (first()) statistics.set("store_bytes_of_a_process_max", most_bytes_);
    if (!first()) return;
    statistics.set("messages", costs_.batches);
    statistics.set("states_sent", costs_.states_sent);
    statistics.set("bytes_sent", costs_.bytes_sent);
    statistics.set("expand_seconds", Statistics::Value{costs_.expand_seconds});
    statistics.set("receive_seconds", Statistics::Value{costs_.receive_seconds});
  }

  void collect_figures() {
    least_ = most_ = states_, most_bytes_ = bytes_;
    const double begin = run_.context.limits.elapsed();
    for (unsigned missing = group_.size() - 1; missing > 0;) {
      Message message;
      if (!group_.receive(message)) {
        if ((lost_ || run_.context.limits.stopped() == Stop::Interrupt) && run_.context.limits.elapsed() > begin + kLongestWait) return;
        group_.idle();
        continue;
      }
      Unpacker in(message.bytes);
      if (in.value<Kind>() != Kind::Figures) continue;  // sent before it heard of the end
      --missing;
      const auto states = in.value<uint64_t>(), bytes = in.value<uint64_t>();
      states_ += states, bytes_ += bytes;
      least_ = std::min(least_, states), most_ = std::max(most_, states), most_bytes_ = std::max(most_bytes_, bytes);
      costs_.add(in.value<Costs>());
      for (uint64_t* field : fields(run_.figures)) *field += in.value<uint64_t>();
    }
  }

  /// All but process 0, after the end: figures, then what is asked for.
  void serve() {
    Parcel figures = parcel(Kind::Figures);
    for (uint64_t value : {states_, bytes_}) figures.value(value);
    figures.value(costs_);
    for (uint64_t* field : fields(run_.figures)) figures.value(*field);
    group_.send(0, figures.take());
    for (bool more = true; more && run_.context.limits.stopped() != Stop::Interrupt;) {
      Message message;
      if (!group_.receive(message)) {
        group_.idle();
        continue;
      }
      group_.busy();
      Unpacker in(message.bytes);
      const Kind kind = in.value<Kind>();
      if (kind == Kind::Done) more = false;
      if (kind == Kind::Chain) group_.send(0, chain_from(in.value<uint64_t>()).take());
    }
  }
  /// States from this one back, as long as they are here; then where it goes on.
  Parcel chain_from(uint64_t hash) {
    constexpr size_t kLongest = 1 << 20;
    Parcel out = parcel(Kind::Chain);
    while (hash != kNone && owner(hash) == group_.rank() && out.size() < kLongest) {
      const StateId state = with_hash(hash);
      if (state == kNoState) break;
      out.value(uint8_t{1});
      out.bytes(here());
      hash = parents_[state];
    }
    out.value(uint8_t{0});
    out.value(hash);
    return out;
  }
  /// The state, which is in here_ afterwards. All are hashed when the first one is looked for.
  StateId with_hash(uint64_t hash) {
    auto decode = [&](StateId state) {
      here_.resize(TreeStore::block_size(store_.length(state)) / 8);
      store_.decode(state, reinterpret_cast<uint8_t*>(here_.data()));
      return hash_bytes(here());
    };
    if (by_hash_.empty()) {
      by_hash_.assign(std::bit_ceil(store_.size() * 3 / 2 + 1), kNoState);
      for (StateId state = 0; state < store_.size(); ++state) {
        size_t at = decode(state) & (by_hash_.size() - 1);
        while (by_hash_[at] != kNoState) at = (at + 1) & (by_hash_.size() - 1);
        by_hash_[at] = state;
      }
    }
    for (size_t at = hash & (by_hash_.size() - 1); by_hash_[at] != kNoState; at = (at + 1) & (by_hash_.size() - 1))
      if (decode(by_hash_[at]) == hash) return by_hash_[at];
    return kNoState;
  }
  std::vector<uint8_t> ask_chain(uint64_t hash) {
    if (owner(hash) == group_.rank()) return chain_from(hash).take();
    Parcel question = parcel(Kind::Chain);
    question.value(hash);
    group_.send(owner(hash), question.take());
    for (Message message; run_.context.limits.stopped() != Stop::Interrupt;) {
      if (!group_.receive(message))
        group_.idle();
      else if (!message.bytes.empty() && static_cast<Kind>(message.bytes[0]) == Kind::Chain)
        return std::move(message.bytes);
    }
    return {};
  }
  /// Choices from the initial state to what was found; empty if the way is not found again.
  std::vector<uint32_t> path_to(const Ended& found) {
    std::vector<std::vector<uint8_t>> chain;  // the last state first
    for (uint64_t at = found.last; at != kNone;) {
      const std::vector<uint8_t> answer = ask_chain(at);
      if (answer.empty()) return {};
      Unpacker in(answer);
      in.value<Kind>();
      while (in.value<uint8_t>() != 0) {
        const std::span<const uint8_t> bytes = in.bytes();
        chain.emplace_back(bytes.begin(), bytes.end());
      }
      const auto next = in.value<uint64_t>();
      if (next == at) return {};  // it is not there
      at = next;
    }
    std::vector<uint32_t> path;
    for (size_t i = chain.size(); i-- > 1;)
      if (!walk(chain[i], path, [&](const Arrival& a) { return a.kind == StepKind::Moved && std::ranges::equal(state_bytes(), chain[i - 1]); }))
        return {};
    if (chain.empty() || found.outcome == Outcome::Deadlock) return path;
    const bool bad = found.outcome == Outcome::BadState;
    const bool there = walk(chain[0], path, [&](const Arrival& a) {
      return bad ? a.kind == StepKind::Moved && run_.bad_atoms(a.atoms) : a.kind == StepKind::Violation;
    });
    return there ? path : std::vector<uint32_t>{};
  }
  /// From the state with the first choice that leads where it should. Appends the choices.
  template <typename Arrives>
  bool walk(const std::vector<uint8_t>& from, std::vector<uint32_t>& path, Arrives arrives) {
    machine_.load(from);
    const uint32_t count = machine_.successors().count;
    for (uint32_t choice = 0; choice < count; ++choice) {
      machine_.load(from);
      const uint64_t atoms = run_.watches() ? machine_.observe() : 0;
      const Arrival arrival = walker_.go(choice, atoms, from);
      if (!arrives(arrival)) continue;
      extend_path(path, choice, arrival.steps);
      return true;
    }
    return false;
  }

  Run& run_;
  machine::Machine& machine_;
  cluster::Group& group_;
  TreeStore store_;
  Walker walker_;
  GrowingArray<uint64_t> parents_;  ///< by state: the hash of the one that it was first reached from
  std::vector<StateId> open_;    ///< stored but not expanded
  std::vector<uint64_t> here_, next_;
  uint64_t atoms_ = 0, hash_here_ = 0;
  std::vector<Parcel> outbox_;
  Costs costs_;  ///< of this process; in the end, process 0: of all
  std::vector<std::vector<uint8_t>> recent_;  ///< sent not long ago: they need not be sent again
  unsigned since_flush_ = 0;
  size_t most_open_ = 0;
  const bool takes_out_dead_ = run_.options.dead == Dead::Static && !run_.machine.leaves_out_dead();

  std::optional<Ended> ended_;
  bool over_ = false;  ///< process 0 said so
  bool lost_ = false;  ///< a signal came: others may be gone
  std::vector<StateId> by_hash_;  ///< for chains: open addressing
  // Checkpoints
  struct LeftOver {
    std::vector<uint8_t> bytes;
    uint64_t parent;
    bool open;
  };
  std::vector<LeftOver> left_over_;  ///< came when there was no room any more
  bool paused_ = false, loading_ = false, saved_ = false;
  bool unread_ = false;  ///< not all of the checkpoint that it began with
  std::optional<Generation> writing_;  ///< process 0
  unsigned unwritten_ = 0;             ///< process 0: parts that are still to be written
  std::string trouble_;
  double next_save_ = 0, paused_at_ = 0, resting_since_ = 0;
  // Safra
  int64_t balance_ = 0;  ///< messages with states: sent less received
  bool black_ = false;   ///< one was received since the token was here
  bool round_ = false;   ///< process 0: a token has been sent
  std::optional<Token> token_;

  uint64_t states_ = 0, bytes_ = 0, least_ = 0, most_ = 0, most_bytes_ = 0;
};

}  // namespace

void search_distributed(Run& run, Budget& budget) { Search(run, budget)(); }

}  // namespace whittle::explore
