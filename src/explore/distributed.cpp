#include "explore/distributed.h"

#include <algorithm>
#include <array>
#include <optional>

#include "cluster/parcel.h"
#include "explore/tree_store.h"

namespace whittle::explore {
namespace {

using cluster::Message;
using cluster::Parcel;
using cluster::Unpacker;
using machine::StepKind;

enum class Kind : uint8_t {
  States,   ///< parent and bytes of each
  Token,    ///< of Safra's algorithm
  Ended,    ///< to process 0: how the search ended here
  Stop,     ///< from process 0: the search is over
  Figures,  ///< to process 0, after Stop
  Chain,    ///< from process 0: the states on the way to one; and the answer
  Done,     ///< from process 0: nothing more will be asked
};

/// A stored state of any process.
struct Place {
  uint32_t rank = 0;
  StateId state = kNoState;
};

struct Token {
  int64_t count = 0;  ///< messages sent but not received
  bool black = false;
};

/// Why a process ends the search for all.
struct Ended {
  Outcome outcome = Outcome::Unknown;
  Place last;          ///< the last stored state before the violation
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
    LastWords::Speaker speaker(run_.context.last_words, [&](Statistics& statistics) { run_.tell(store_, statistics); });
    begin();
    while (!over_) {
      receive();
      if (stopped_by_limit()) break;
      if (ended_ || open_.empty() || group_.unsent() > kMostUnsent)
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
  static constexpr unsigned kFlushAfter = 16;  ///< so many times that: others may have nothing to do
  static constexpr size_t kRecent = 1 << 14;
  static constexpr double kLongestWait = 0.1;  ///< seconds for the others' figures after a signal

  bool first() const { return group_.rank() == 0; }
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
    if (first()) ++run_.figures.states_created;
    if (run_.watches() && run_.bad_atoms(machine_.observe()))
      first() ? end({Outcome::BadState, {}, {}}) : void();
    else if (const std::span<const uint8_t> bytes = state_bytes(); owner(hash_bytes(bytes)) == group_.rank())
      store(bytes, {});
  }
  unsigned owner(uint64_t hash) const { return static_cast<unsigned>((hash >> 32) * group_.size() >> 32); }

  void store(std::span<const uint8_t> bytes, Place parent) {
    const uint64_t size = TreeStore::block_size(bytes.size());
    next_.resize(size / 8);
    const Interned stored = store_.insert(bytes, nullptr, reinterpret_cast<uint8_t*>(next_.data()));
    if (stored.id == kNoState) return end({Outcome::Unknown, {}, "memory limit reached"});
    if (!stored.fresh) {
      ++run_.figures.revisits;
      return;
    }
    parents_.push_back(parent);
    open_.push_back(stored.id);
    most_open_ = std::max(most_open_, open_.size());
    if (store_.size() * group_.size() >= run_.options.max_states)
      end({Outcome::Unknown, {}, fmt::format("limit of {} states reached", run_.options.max_states)});
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
    group_.busy();
    for (unsigned i = 0; i < kAtOnce && !open_.empty() && !ended_; ++i) {
      const StateId state = open_.back();
      open_.pop_back();
      expand(state);
    }
    if (++since_flush_ >= kFlushAfter) flush();
  }
  void expand(StateId state) {
    load(state);
    const machine::Successors successors = machine_.successors();
    if (successors.count == 0) end_of_path(state, successors.ending);
    for (uint32_t choice = 0; choice < successors.count && !ended_; ++choice) {
      if (choice != 0) load_here();
      const Arrival arrival = walker_.go(choice, atoms_, here());
      if (run_.context.limits.stopped() != Stop::No) return;  // perhaps in the middle of a path: no answer any more
      switch (arrival.kind) {
        case StepKind::Moved:
          if (run_.bad_atoms(arrival.atoms))
            end({Outcome::BadState, {group_.rank(), state}, {}});
          else
            deliver(state);
          break;
        case StepKind::Violation: end({Outcome::Violation, {group_.rank(), state}, {}}); break;
        case StepKind::Cut: ++run_.figures.cuts; break;
        case StepKind::Pruned: ++run_.figures.pruned; break;
      }
    }
  }
  void end_of_path(StateId state, machine::Ending ending) {
    if (ending == machine::Ending::Cut) ++run_.figures.cuts;
    if (ending != machine::Ending::Deadlock) return;
    ++run_.figures.deadlocks;
    if (run_.options.deadlock_is_violation) end({Outcome::Deadlock, {group_.rank(), state}, {}});
  }

  /// The machine's state, to whom it belongs.
  void deliver(StateId from) {
    const std::span<const uint8_t> bytes = state_bytes();
    const uint64_t hash = hash_bytes(bytes);
    const unsigned to = owner(hash);
    if (to == group_.rank()) return store(bytes, {group_.rank(), from});
    std::vector<uint8_t>& recent = recent_[hash % kRecent];
    if (std::ranges::equal(recent, bytes)) return;  // it is there, or on its way
    recent.assign(bytes.begin(), bytes.end());
    Parcel& box = outbox_[to];
    if (box.size() == 0) box.value(Kind::States);
    box.value(from);
    box.bytes(bytes);
    if (box.size() >= kBatch) flush(to);
  }
  void flush(unsigned to) {
    if (outbox_[to].size() == 0) return;
    ++balance_;
    ++batches_;
    group_.send(to, outbox_[to].take());
  }
  void flush() {
    since_flush_ = 0;
    for (unsigned to = 0; to < group_.size(); ++to) flush(to);
  }

  // Messages

  void receive() {
    for (Message message; !over_ && group_.receive(message);) {
      group_.busy();
      Unpacker in(message.bytes);
      switch (in.value<Kind>()) {
        case Kind::States:
          --balance_;
          black_ = true;
          while (!in.empty()) {
            const auto parent = in.value<StateId>();
            const std::span<const uint8_t> bytes = in.bytes();
            if (!ended_) store(bytes, {message.from, parent});
          }
          break;
        case Kind::Token: token_ = in.value<Token>(); break;
        case Kind::Ended: {
          Ended what;
          what.outcome = in.value<Outcome>();
          what.last = in.value<Place>();
          what.reason = in.text();
          end(std::move(what));
          break;
        }
        case Kind::Stop: over_ = true; break;
        default: fail_internal("a message between processes comes too early");
      }
    }
  }

  /// The first reason counts. Process 0 decides which one that is.
  void end(Ended what) {
    if (ended_) return;
    ended_ = std::move(what);
    if (first()) return stop_all();
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
    lost_ = reason == Stop::Interrupt;
    end({Outcome::Unknown, {}, to_string(reason) + (lost_ ? std::string(cluster::kWhyInterrupted) : "")});
    return lost_ || over_;  // otherwise process 0 will say so
  }

  /// Nothing to expand. Safra: the token goes on from a process that is idle.
  void rest() {
    if (open_.empty() && !ended_) {
      flush();
      if (first() && (!round_ || token_)) {
        const bool quiet = token_ && !token_->black && !black_ && token_->count + balance_ == 0;
        if (round_ && quiet) return stop_all();
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
      if (ended_ && ended_->outcome == Outcome::Unknown) run_.give_up(ended_->reason);
      if (ended_ && ended_->outcome != Outcome::Unknown) run_.stop(ended_->outcome), run_.result.path = std::move(path);
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
    if (first()) statistics.set("messages", batches_);
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
      batches_ += in.value<uint64_t>();
      for (uint64_t* field : fields(run_.figures)) *field += in.value<uint64_t>();
    }
  }

  /// All but process 0, after the end: figures, then what is asked for.
  void serve() {
    Parcel figures = parcel(Kind::Figures);
    for (uint64_t value : {states_, bytes_, batches_}) figures.value(value);
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
      if (kind == Kind::Chain) group_.send(0, chain_from(in.value<StateId>()).take());
    }
  }
  /// States from this one back, as long as they are here; then where it goes on.
  Parcel chain_from(StateId state) {
    constexpr size_t kLongest = 1 << 20;
    Parcel out = parcel(Kind::Chain);
    Place at{group_.rank(), state};
    for (; at.rank == group_.rank() && at.state != kNoState && out.size() < kLongest; at = parents_[at.state]) {
      here_.resize(TreeStore::block_size(store_.length(at.state)) / 8);
      store_.decode(at.state, reinterpret_cast<uint8_t*>(here_.data()));
      out.value(uint8_t{1});
      out.bytes(here());
    }
    out.value(uint8_t{0});
    out.value(at);
    return out;
  }
  std::vector<uint8_t> ask_chain(Place at) {
    if (at.rank == group_.rank()) return chain_from(at.state).take();
    Parcel question = parcel(Kind::Chain);
    question.value(at.state);
    group_.send(at.rank, question.take());
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
    for (Place at = found.last; at.state != kNoState;) {
      const std::vector<uint8_t> answer = ask_chain(at);
      if (answer.empty()) return {};
      Unpacker in(answer);
      in.value<Kind>();
      while (in.value<uint8_t>() != 0) {
        const std::span<const uint8_t> bytes = in.bytes();
        chain.emplace_back(bytes.begin(), bytes.end());
      }
      at = in.value<Place>();
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
  GrowingArray<Place> parents_;  ///< by state
  std::vector<StateId> open_;    ///< stored but not expanded
  std::vector<uint64_t> here_, next_;
  uint64_t atoms_ = 0;
  std::vector<Parcel> outbox_;
  std::vector<std::vector<uint8_t>> recent_;  ///< sent not long ago: they need not be sent again
  unsigned since_flush_ = 0;
  size_t most_open_ = 0;
  const bool takes_out_dead_ = run_.options.dead == Dead::Static && !run_.machine.leaves_out_dead();

  std::optional<Ended> ended_;
  bool over_ = false;  ///< process 0 said so
  bool lost_ = false;  ///< a signal came: others may be gone
  // Safra
  int64_t balance_ = 0;  ///< messages with states: sent less received
  bool black_ = false;   ///< one was received since the token was here
  bool round_ = false;   ///< process 0: a token has been sent
  std::optional<Token> token_;

  uint64_t states_ = 0, bytes_ = 0, batches_ = 0, least_ = 0, most_ = 0, most_bytes_ = 0;
};

}  // namespace

void search_distributed(Run& run, Budget& budget) { Search(run, budget)(); }

}  // namespace whittle::explore
