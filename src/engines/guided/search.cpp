#include "engines/guided/search.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cassert>

namespace whittle::engines::guided {

using exec::PauseKind;
using program::Kind;
using program::Statement;
using verdict::Property;

namespace {

constexpr unsigned kMostUnseen = 10'000;  ///< visible operations outside of the slice in one step
constexpr uint64_t kForksPerRound = 16;   ///< so many times the bound, at one place in one step
constexpr unsigned kShortRound = 200;     ///< statements that may make up a loop that changes nothing
constexpr unsigned kManyInputs = 200;  ///< in one step, times the bound of the round: it may go on like that for ever
constexpr uint32_t kMostAlone = 16;    ///< scheduling points of a thread that is left alone

/// Summaries say nothing about what orders accesses that come later after those done so far, nor about the memory that
/// is left at the end.
bool can_learn(const Options& options, const verdict::Specification& specification) {
  return options.summaries && !specification.has(Property::NoDataRace) && !specification.has(Property::ValidMemtrack) &&
         !specification.has(Property::ValidMemcleanup);
}

}  // namespace

Search::Search(const program::Program& program, std::shared_ptr<const exec::Code> code, solve::Solver& solver,
               const Options& options, Context& context)
    : program_(program),
      options_(options),
      context_(context),
      machine_(program, code),
      standing_(machine_, program::analysis::analyses_of(context, program), options.slicing),
      last_(machine_),
      path_(program.terms(), solver),
      reduction_(options.dpor ? dpor::Mode::SourceSets : dpor::Mode::Full),
      learning_(can_learn(options, code->specification())),
      recorder_(program, machine_),
      summaries_(program, options.summary_entries, options.summary_size) {
  const verdict::Specification& specification = code->specification();
  check_deadlock_ = specification.has(Property::NoDeadlock);
  check_end_ = specification.has(Property::ValidMemtrack) || specification.has(Property::ValidMemcleanup);
  machine_.machine().set_budget(exec::kPatience);
  if (learning_) machine_.set_observer(&recorder_);
}

/// Nothing can fail any more. Partial order reduction must see what threads would have done, all the same: what others did
/// before may have to come after it.
bool Search::harmless_from_here() {
  if (reduction_.reduces() && (nodes_.back()->created > 1 || machine_.machine().thread_count() > 1)) return false;
  return standing_.nothing_can_fail();
}

bool Search::stop() { return context_.limits.poll() != Stop::No || figures_.steps >= last_step_; }

Search::End Search::run(uint64_t bound, uint64_t steps) {
  bound_ = bound;
  last_step_ = steps > UINT64_MAX - figures_.steps ? UINT64_MAX : figures_.steps + steps;
  figures_.runs_all += figures_.runs_full + figures_.runs_partial;
  figures_.runs_full = figures_.runs_partial = 0;
  summaries_.clear();
  ends_.clear();
  incomplete_.clear();
  bound_place_.clear();
  nodes_.clear();
  visits_.clear();
  schedule_.clear();
  path_.shorten(0, 0);
  path_.model.clear();
  reduction_.clear();
  machine_.set_access_log(nullptr);
  machine_.machine().set_observed({});
  pausing_alone_ = false;
  machine_.reset();
  End end = enter(UINT32_MAX, 0, 1, {0}, {});
  while (end == End::Complete && !nodes_.empty()) {
    if (stop()) return End::Stopped;
    end = advance();
  }
  return end;
}

Search::End Search::advance() {
  Node& node = *nodes_.back();
  if (!node.alternatives.empty()) {
    Alternative alternative = std::move(node.alternatives.back());
    node.alternatives.pop_back();
    return step(&alternative);
  }
  uint32_t name = reduction_.next();
  if (name == dpor::kNone) {
    leave();
    return End::Complete;
  }
  if (learning_) note_done(node);
  node.thread = 0;
  while (!(node.alive >> node.thread & 1) || node.names[node.thread] != name) ++node.thread;
  return step(nullptr);
}

/// Runs the present thread of the node on top to its next scheduling point, and goes there.
Search::End Search::step(const Alternative* alternative) {
  Node& node = *nodes_.back();
  if (node.pristine)
    machine_.forget_forks();
  else
    machine_.load(node.snapshot);
  node.pristine = false;
  path_.shorten(node.path_length, node.inputs);
  if (alternative) {
    path_.model = alternative->model;
    machine_.set_model([&](Term variable) { return path_.value(variable); });
  } else {
    path_.model = node.model;
  }
  const uint32_t thread = node.thread;
  schedule_.resize(node.scheduled);
  dpor::Await await;
  const Statement* before = standing_.standing_at(thread);
  const bool awaits = before && before->kind == Kind::Await && standing_.interleaves(thread);
  if (awaits) await = standing_.await_of(thread, *before);
  bool everything =
      before &&
      (before->kind == Kind::Return || before->kind == Kind::ThreadExit || before->kind == Kind::StackRestore) &&
      machine_.machine().thread_count() > 1;
  everything = everything && machine_.machine().pending(thread).kind == exec::Pending::Kind::Free && node.created > 1;
  last_.log.clear();
  machine_.set_access_log(node.created > 1 ? &last_.log : nullptr);
  recorder_.begin();
  const bool alone = pause_alone(node);
  if (!run_thread(thread)) return End::Stopped;
  recorder_.finish();
  ++figures_.steps;

  const exec::Pause& pause = machine_.pause();
  if (pause.kind == PauseKind::Violation) return violation();
  if (pause.scheduling()) {
    approach_new_threads(node);
    machine_.fork_awaits();
  }
  if (!flip(alternative)) return End::Stopped;

  bool ends = !pause.scheduling() || harmless_from_here();
  Learned behind;
  if (pause.kind == PauseKind::Cut) note_incomplete(pause.reason);
  if (endless_ == Endless::Cut && bound_ >= options_.statements / exec::kPatience)
    note_incomplete(fmt::format("a thread does more than {} statements without end", options_.statements));
  else if (endless_ == Endless::Cut && bound_place_.empty())
    bound_place_ = standing_.describe_place(thread);
  behind.usable = pause.kind != PauseKind::Cut && endless_ != Endless::Cut && pause.kind != PauseKind::Budget;
  uint64_t place = 0;
  if (!ends && !alone && machine_.machine().alive(thread)) {
    place = standing_.place_of(thread);
    if (visits_[place] >= bound_) {
      if (bound_place_.empty()) bound_place_ = standing_.describe_place(thread);
      ends = behind.cut = true;
    }
  }
  std::vector<uint8_t> names = node.names;
  uint32_t created = node.created;
  dpor::Threads spawned = name_new_threads(node, names, created);
  last_.collect(standing_.slice(), std::has_single_bit(node.alive), awaits);
  dpor::Step event;
  event.thread = node.names[thread];
  event.accesses = last_.accesses;
  event.await = awaits ? &await : nullptr;
  event.parts = last_.parts;
  event.spawned = spawned;
  // What a path that is not followed would have touched is in no log: the memory may have been freed before.
  event.everything = everything || (ends && check_end_) || pause.kind == PauseKind::Cut;
  event.halts = ends;
  reduction_.push_event(event);
  if (learning_) {
    learn_access(node, event);
    if (!recorder_.usable()) node.learned.usable = false;
    if (ends) {
      wp::Path steps = recorder_.take();
      summaries_.back_over(steps, behind, node.learned);
      node.steps.push_back(std::move(steps));
    }
  }
  if (!ends) return enter(thread, place, created, std::move(names), recorder_.take());
  end_of_run();
  reduction_.pop_event();
  return End::Complete;
}

/// The only thread that is left is not disturbed by anybody, but where its ways meet again a summary of one may speak
/// for the others: it stops before its next writes, too.
bool Search::pause_alone(const Node& node) {
  static constexpr exec::Pending::Range kEverything[] = {{0, UINT64_MAX, true, true}};
  const bool alone = learning_ && node.created > 1 && std::has_single_bit(node.alive) && node.alone < kMostAlone &&
                     !machine_.empty() && !standing_.may_start_threads(node.thread);
  if (alone != pausing_alone_)
    machine_.machine().set_observed(alone ? std::span<const exec::Pending::Range>(kEverything)
                                          : std::span<const exec::Pending::Range>());
  return pausing_alone_ = alone;
}

/// False: stopped by a limit. A Budget pause: given up.
bool Search::run_thread(uint32_t thread) {
  uint64_t begin = machine_.machine().statements();
  const uint64_t most =
      std::min(options_.statements, bound_ > options_.statements ? UINT64_MAX : bound_ * exec::kPatience);
  endless_ = Endless::No;
  auto schedule = [&](bool noted) {
    if (noted) schedule_.push_back(thread);
    machine_.schedule(thread);
  };
  schedule(nodes_.back()->alone == 0);  // nobody else would stop there
  uint64_t inputs = 0;
  for (unsigned unseen = 0;;) {
    const exec::Pause& pause = machine_.pause();
    if (pause.kind == PauseKind::Input) {
      if (context_.limits.poll() != Stop::No) return false;
      if (++inputs / kManyInputs > bound_) {
        endless_ = Endless::Cut;
        return true;
      }
      if (pause.memory != 0) recorder_.uninitialised();
      Term variable = path_.next_input(pause.width, pause.origin);
      machine_.provide(variable, path_.value(variable));
    } else if (pause.kind == PauseKind::Budget) {
      if (context_.limits.poll_now() != Stop::No) return false;
      machine_.machine().yield_here();
      if (machine_.pause().kind != PauseKind::Budget) return true;
      if (goes_round(thread)) return true;
      if (machine_.pause().kind != PauseKind::Budget) continue;
      if (machine_.machine().statements() - begin > most) {
        endless_ = Endless::Cut;
        return true;
      }
      machine_.resume();
    } else if (pause.kind == PauseKind::Visible && unseen < kMostUnseen && standing_.passes_unseen(thread)) {
      ++unseen;
      schedule(!pausing_alone_);
    } else if (pause.kind == PauseKind::Visible && standing_.about_to_finish(thread)) {
      schedule(!pausing_alone_);
    } else {
      return true;
    }
  }
}

/// A thread that was just started goes as far as nobody can tell: what it stands before is known then, and if it waits
/// there, it is not tried in vain. The schedule of a counterexample does not mention it, so it must not matter for what
/// happens when that is done: a number that was used before may have addresses in use.
void Search::approach_new_threads(const Node& node) {
  exec::Machine& machine = machine_.machine();
  uint32_t name = node.created;
  for (uint32_t t = 0; t < machine.thread_count(); ++t) {
    if (!machine.alive(t) || (node.alive >> t & 1) || name++ != t) continue;
    Recorder::Mark mark = recorder_.mark();
    bool there = machine_.approach(t);
    recorder_.finish();
    if (!there) recorder_.rewind(mark);
  }
}

/// At a Budget pause of a thread that is alone: does it come back to the same state, and so for ever?
bool Search::goes_round(uint32_t thread) {
  if (check_end_ || machine_.machine().in_atomic_region(thread)) return false;
  Snapshot before = machine_.save();
  Snapshot now = machine_.save();
  machine_.machine().set_budget(1);
  for (unsigned i = 0; i < kShortRound && machine_.pause().kind == PauseKind::Budget; ++i) {
    machine_.resume();
    if (machine_.pause().kind != PauseKind::Budget) break;
    machine_.save(now);
    if (now.bytes != before.bytes || now.overlay.registers() != before.overlay.registers() ||
        now.overlay.memory() != before.overlay.memory())
      continue;
    endless_ = Endless::Round;
    break;
  }
  machine_.machine().set_budget(exec::kPatience);
  return endless_ == Endless::Round;
}

/// What else could have happened in this step, for other inputs: noted for later. False: stopped by a limit.
bool Search::flip(const Alternative* alternative) {
  Node& node = *nodes_.back();
  std::span<const exec::Fork> forks = machine_.forks();
  std::vector<Term> conditions;
  if (alternative) conditions = alternative->conditions;
  size_t start = alternative ? alternative->position : 0;
  assert(forks.size() >= start);
  figures_.forks += forks.size() - start;
  Model model = path_.model;
  std::vector<bool> both;
  if (alternative) both = alternative->both;
  std::unordered_map<uint64_t, uint64_t> times;
  for (size_t i = 0; i < start; ++i) ++times[uint64_t{forks[i].function} << 32 | forks[i].edge];
  for (size_t i = start; i < forks.size(); ++i) {
    Term condition = forks[i].condition;
    const uint64_t time = ++times[uint64_t{forks[i].function} << 32 | forks[i].edge];
    if (alternative && i == start && condition == conditions.back()) {  // the other side of a fork in two
      both.push_back(true);
      continue;
    }
    if (time > kForksPerRound * bound_) {
      // A loop without a scheduling point: its further ways are left to the next round.
      if (bound_place_.empty()) bound_place_ = standing_.describe_place(forks[i].thread);
      node.learned.cut = true;
      conditions.push_back(condition);
      both.push_back(false);
      continue;
    }
    if (context_.limits.poll_now() != Stop::No) return false;  // a question may take long
    conditions.push_back(program_.terms().bnot(condition));
    both.push_back(false);
    switch (path_.find(conditions)) {
      case Path::Answer::Yes:
        both.back() = true;
        node.alternatives.push_back({conditions, i, {both.begin(), both.end() - 1}, std::move(path_.model)});
        break;
      case Path::Answer::No: break;
      case Path::Answer::Unknown:
        node.learned.usable = false;
        note_incomplete(fmt::format("the solver gave up ({}) on a condition at {}", path_.reason,
                                    program_.where(forks[i].position)));
    }
    conditions.back() = condition;
  }
  path_.model = std::move(model);
  for (Term condition : conditions) path_.add(condition);
  for (size_t i = 0; learning_ && i < forks.size(); ++i)
    if (both[i] && (forks[i].kind == exec::Fork::Kind::Branch || forks[i].kind == exec::Fork::Kind::Assume ||
                    forks[i].kind == exec::Fork::Kind::Target))
      recorder_.loosen(forks[i].statement);
  return true;
}

/// The machine stands at a scheduling point, after a step of `ran`.
Search::End Search::enter(uint32_t ran, uint64_t place, uint32_t created, std::vector<uint8_t> names, wp::Path step) {
  if (spare_.empty()) spare_.push_back(std::make_unique<Node>(program_.terms()));
  nodes_.push_back(std::move(spare_.back()));
  spare_.pop_back();
  Node& node = *nodes_.back();
  machine_.save(node.snapshot);
  node.model = path_.model;
  node.path_length = path_.length();
  node.inputs = path_.input_count();
  node.scheduled = schedule_.size();
  node.names = std::move(names);
  node.created = created;
  node.ran = ran;
  node.place = place;
  node.alone = pausing_alone_ ? nodes_[nodes_.size() - 2]->alone + 1 : 0;
  node.accesses = last_.touched;
  node.did = last_.accesses;
  for (const std::vector<dpor::Access>& more : last_.behind) node.did.insert(node.did.end(), more.begin(), more.end());
  node.alternatives.clear();
  node.thread = UINT32_MAX;
  node.pristine = true;
  if (place != 0) ++visits_[place];
  figures_.deepest = std::max<uint64_t>(figures_.deepest, nodes_.size());
  note_spinning(node);
  look_around(node);
  node.learned.clear();
  node.covered = false;
  if (learning_) {
    node.step = std::move(step);
    note_sleepers(node);
    if (covered(node)) return End::Complete;
    learn_state(node);
  }
  if (reduction_.asleep()) ++figures_.runs_partial;
  if (node.enabled == 0) {
    if (check_deadlock_ && machine_.machine().deadlocked()) return deadlock();
    if (check_end_ && !node.spins.empty())
      note_incomplete("threads go round for ever, so that the program does not end");
    end_of_run();
  }
  return End::Complete;
}

void Search::leave() {
  Node& node = *nodes_.back();
  if (node.place != 0 && --visits_[node.place] == 0) visits_.erase(node.place);
  uint64_t slept = learning_ ? rely_on_sleepers(node) : 0;
  bool asleep = reduction_.asleep();
  reduction_.pop_node();
  if (learning_) {
    if (!node.covered && !asleep) summaries_.keep(node.control, node.learned, slept);
    if (nodes_.size() > 1) pass_on(*nodes_[nodes_.size() - 2], node);
  }
  spare_.push_back(std::move(nodes_.back()));
  nodes_.pop_back();
  if (!nodes_.empty()) reduction_.pop_event();
}

/// As the paper counts: a run that comes to an end where another one has ended has nothing new behind it.
void Search::end_of_run() {
  const exec::Pause& pause = machine_.pause();
  uint64_t place =
      uint64_t{pause.position.file} << 40 ^ uint64_t { pause.position.line } << 8 ^ static_cast<uint64_t>(pause.kind);
  if (learning_ && !ends_.insert(place).second)
    ++figures_.runs_partial;
  else
    ++figures_.runs_full;
}

/// Who replays it does not know that threads wait that never ran: see approach_new_threads().
Search::End Search::deadlock() {
  const Node& node = *nodes_.back();
  for (uint32_t t = 0; t < node.names.size(); ++t)
    if ((node.alive >> t & 1) && node.names[t] == t &&
        std::find(schedule_.begin(), schedule_.end(), t) == schedule_.end())
      schedule_.push_back(t);
  return violation();
}

Search::End Search::violation() {
  counterexample_ = {};
  for (Term variable : path_.inputs())
    counterexample_.inputs.push_back({variable.width(), path_.value(variable), "", "", 0});
  counterexample_.schedule = schedule_;
  ++figures_.runs_full;
  return End::Violation;
}

void Search::note_incomplete(std::string why) {
  if (incomplete_.empty()) incomplete_ = std::move(why);
}

}  // namespace whittle::engines::guided
