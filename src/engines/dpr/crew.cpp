#include "engines/dpr/crew.h"

#include <algorithm>

#include "base/error.h"
#include "cluster/parcel.h"

namespace whittle::engines::dpr {

using cluster::Message;
using cluster::Parcel;
using cluster::Unpacker;

namespace {

enum class Kind : uint8_t {
  // From process 0
  Cube,   ///< is yours
  Split,  ///< give a part of your cube away
  Stop,
  // Both ways
  Removed,  ///< to process 0: with figures
  // To process 0
  Done,       ///< no oracle of my cube is left
  Part,       ///< of my cube, which I leave; or nothing
  Violation,  ///< inputs
  Stopped,    ///< why
};

constexpr double kBetweenReports = 0.005;  ///< seconds
constexpr double kBetweenAsking = 0.03;    ///< one process, for a part
constexpr size_t kBlockBits = 10;          ///< runs without learning, at a time: after that others are heard
constexpr unsigned kMostTries = 40;        ///< questions to the formula to find a part to give away

Parcel parcel(Kind kind) {
  Parcel out;
  out.value(kind);
  return out;
}

void put(Parcel& out, const Cube& cube) {
  out.value(static_cast<uint32_t>(cube.size()));
  for (Literal literal : cube) out.value(static_cast<uint32_t>(literal.level << 1 | (literal.value ? 1 : 0)));
}

Cube take_cube(Unpacker& in) {
  Cube cube(in.value<uint32_t>());
  for (Literal& literal : cube) {
    const auto word = in.value<uint32_t>();
    literal = {word >> 1, (word & 1) != 0};
  }
  return cube;
}

void put(Parcel& out, const Figures& f) {
  for (uint64_t n : {f.explored, f.statements, f.shortest, f.deepest}) out.value(n);
  out.value(f.solver_seconds);
  out.value(f.execution_seconds);
  out.text(f.cut);
  out.text(f.too_wide);
}

Figures take_figures(Unpacker& in) {
  Figures f;
  for (uint64_t* n : {&f.explored, &f.statements, &f.shortest, &f.deepest}) *n = in.value<uint64_t>();
  f.solver_seconds = in.value<double>();
  f.execution_seconds = in.value<double>();
  f.cut = in.text();
  f.too_wide = in.text();
  return f;
}

}  // namespace

Foreman::Foreman(Explorer& explorer, cluster::Group& group, Limits& limits, std::function<bool(unsigned)> lost)
    : explorer_(explorer), group_(group), limits_(limits), is_lost_(std::move(lost)), workers_(group.size()) {}

Foreman::End Foreman::run(const std::function<void()>& now_and_then) {
  for (unsigned rank = 1; rank < group_.size(); ++rank) send_removed(rank, 0);
  for (bool over = false; !over;) {
    bool heard = false;
    for (Message message; !over && group_.receive(message); heard = true) over = understand(message);
    if (over) break;
    if (limits_.poll_now() != Stop::No) {
      reason_ = to_string(limits_.stopped());
      end_ = End::Stopped;
      break;
    }
    look_for_lost();
    now_and_then();
    const auto idle = [](const Worker& worker) { return !worker.busy; };
    const bool all_idle = std::all_of(workers_.begin() + 1, workers_.end(), idle);
    if (all_idle && cubes_.empty()) {
      if (!explorer_.find({})) {
        end_ = End::Covered;
        break;
      }
      cubes_.emplace_back();
    }
    if (lost_count_ + 1 == group_.size()) return End::Alone;
    give_out();
    ask_for_parts();
    if (!heard) group_.idle();
  }
  for (unsigned rank = 1; rank < group_.size(); ++rank) group_.send(rank, parcel(Kind::Stop).take());
  return end_;
}

/// What was removed, from a position on.
void Foreman::send_removed(unsigned to, size_t from) {
  const std::vector<Cube>& all = explorer_.removed();
  if (from == all.size()) return;
  Parcel out = parcel(Kind::Removed);
  for (size_t i = from; i < all.size(); ++i) put(out, all[i]);
  group_.send(to, out.take());
}

/// True: the search is over.
bool Foreman::understand(const Message& message) {
  Worker& worker = workers_[message.from];
  Unpacker in(message.bytes);
  const size_t before = explorer_.removed().size();
  switch (in.value<Kind>()) {
    case Kind::Removed:
      explorer_.figures().add(take_figures(in));
      while (!in.empty()) explorer_.remove(take_cube(in));
      break;
    case Kind::Done:
      explorer_.remove(take_cube(in));
      worker.busy = worker.asked = false;
      break;
    case Kind::Part:
      worker.asked = false;
      if (!in.empty()) cubes_.push_back(take_cube(in));
      break;
    case Kind::Violation:
      while (!in.empty()) inputs_.push_back(in.value<u128>());
      end_ = End::Violation;
      return true;
    case Kind::Stopped:
      reason_ = in.text();
      end_ = End::Stopped;
      return true;
    default: fail_internal("dpr: a message that process 0 does not get");
  }
  for (unsigned rank = 1; rank < group_.size(); ++rank)
    if (rank != message.from && !workers_[rank].gone) send_removed(rank, before);
  return false;
}

/// What it had is still in the formula, so someone else will come to it.
void Foreman::look_for_lost() {
  for (unsigned rank = 1; is_lost_ && rank < group_.size(); ++rank) {
    if (workers_[rank].gone || !is_lost_(rank)) continue;
    workers_[rank] = {.busy = false, .gone = true};
    ++lost_count_;
  }
}

void Foreman::give_out() {
  for (unsigned rank = 1; rank < group_.size() && !cubes_.empty(); ++rank) {
    if (workers_[rank].busy || workers_[rank].gone) continue;
    Parcel out = parcel(Kind::Cube);
    put(out, cubes_.back());
    cubes_.pop_back();
    group_.send(rank, out.take());
    workers_[rank].busy = true;
  }
}

/// As many as have nothing to do.
void Foreman::ask_for_parts() {
  auto missing = std::count_if(workers_.begin() + 1, workers_.end(), [](const Worker& w) { return !w.busy && !w.gone; });
  missing -= std::count_if(workers_.begin() + 1, workers_.end(), [](const Worker& w) { return w.asked; });
  const double now = limits_.elapsed();
  for (unsigned rank = 1; rank < group_.size() && missing > 0; ++rank) {
    Worker& worker = workers_[rank];
    if (!worker.busy || worker.asked || now < worker.asked_at + kBetweenAsking) continue;
    worker.asked = true;
    worker.asked_at = now;
    --missing;
    group_.send(rank, parcel(Kind::Split).take());
  }
}

namespace {

class WorkerLoop {
 public:
  WorkerLoop(Explorer& explorer, cluster::Group& group, Limits& limits)
      : explorer_(explorer), group_(group), limits_(limits) {
    explorer_.set_longest_block(kBlockBits);
  }

  void operator()() {
    while (!stop_) {
      for (Message message; !stop_ && group_.receive(message);) understand(message);
      if (stop_) break;
      if (limits_.poll_now() != Stop::No) return stopped();
      if (split_wanted_) split();
      if (!busy_) {
        group_.idle();
        continue;
      }
      group_.busy();
      if (!explorer_.find(cube_)) {
        done();
        continue;
      }
      switch (explorer_.explore()) {
        case Explorer::Step::Harmless: break;
        case Explorer::Step::Violation: violation(); break;
        case Explorer::Step::Stopped: return stopped();
      }
      if (limits_.elapsed() > reported_at_ + kBetweenReports) report();
    }
  }

 private:
  void understand(const Message& message) {
    Unpacker in(message.bytes);
    switch (in.value<Kind>()) {
      case Kind::Cube:
        cube_ = take_cube(in);
        busy_ = true;
        break;
      case Kind::Removed:
        report();
        while (!in.empty()) explorer_.remove(take_cube(in));
        told_ = explorer_.removed().size();
        break;
      case Kind::Split: split_wanted_ = true; break;
      case Kind::Stop: stop_ = true; break;
      default: fail_internal("dpr: a message that only process 0 gets");
    }
  }
  void report() {
    reported_at_ = limits_.elapsed();
    const std::vector<Cube>& all = explorer_.removed();
    if (told_ == all.size() && explorer_.figures().explored == 0) return;
    Parcel out = parcel(Kind::Removed);
    put(out, explorer_.figures());
    explorer_.figures() = {};
    for (; told_ < all.size(); ++told_) put(out, all[told_]);
    group_.send(0, out.take());
  }
  /// Without an oracle that is left: whatever the others removed is known to process 0, too.
  void done() {
    report();
    std::ranges::sort(cube_, {}, &Literal::level);
    Parcel out = parcel(Kind::Done);
    put(out, cube_);
    explorer_.remove(cube_);
    told_ = explorer_.removed().size();
    group_.send(0, out.take());
    busy_ = false;
  }
  /// The first choice of the last run that could have been another one: these oracles are given away.
  void split() {
    split_wanted_ = false;
    Parcel out = parcel(Kind::Part);
    const std::vector<bool>& choices = explorer_.choices();
    unsigned tries = 0;
    for (size_t level = 0; busy_ && level < choices.size() && tries < kMostTries; ++level) {
      if (std::ranges::any_of(cube_, [&](Literal l) { return l.level == level; })) continue;
      ++tries;
      Cube part = cube_;
      part.push_back({level, !choices[level]});
      if (!explorer_.find(part)) continue;
      put(out, part);
      cube_.push_back({level, choices[level]});
      break;
    }
    group_.send(0, out.take());
  }
  void violation() {
    report();
    Parcel out = parcel(Kind::Violation);
    for (u128 value : explorer_.inputs()) out.value(value);
    group_.send(0, out.take());
    busy_ = false;
  }
  void stopped() {
    Parcel out = parcel(Kind::Stopped);
    out.text(to_string(limits_.stopped()));
    report();
    group_.send(0, out.take());
  }

  Explorer& explorer_;
  cluster::Group& group_;
  Limits& limits_;
  Cube cube_;
  bool busy_ = false, split_wanted_ = false, stop_ = false;
  size_t told_ = 0;  ///< of what was removed: process 0 knows it
  double reported_at_ = 0;
};

}  // namespace

void work(Explorer& explorer, cluster::Group& group, Limits& limits) { WorkerLoop(explorer, group, limits)(); }

}  // namespace whittle::engines::dpr
