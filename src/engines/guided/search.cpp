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

constexpr uint64_t kForksPerRound = 16;  ///< so many times the bound, at one place in one step

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
      learns_(can_learn(options, code->specification())),
      recorder_(program, machine_),
      summaries_(program, options.summary_entries, options.summary_size),
      learning_(program, machine_, standing_, path_, reduction_, summaries_),
      stepper_(machine_, standing_, path_, recorder_, learns_, options_, context) {
  const verdict::Specification& specification = code->specification();
  check_deadlock_ = specification.has(Property::NoDeadlock);
  check_end_ = specification.has(Property::ValidMemtrack) || specification.has(Property::ValidMemcleanup);
  if (learns_) machine_.set_observer(&recorder_);
}

/// Nothing can fail any more. Partial order reduction must see what threads would have done, all the same: what others
/// did before may have to come after it.
bool Search::harmless_from_here() {
  if (reduction_.reduces() && (nodes_.back()->created > 1 || machine_.machine().thread_count() > 1)) return false;
  return standing_.nothing_can_fail();
}

bool Search::stop() {
  Shares* others = subtrees_ != nullptr ? subtrees_ : listens_;
  return context_.limits.poll() != Stop::No || figures_.steps >= last_step_ || (others != nullptr && others->over());
}

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
  path_.shorten(0, 0);
  path_.model.clear();
  reduction_.clear();
  machine_.set_access_log(nullptr);
  stepper_.reset();
  machine_.reset();
  End end = enter(UINT32_MAX, 0, 1, {0}, {});
  while (end == End::Complete && !nodes_.empty()) {
    if (stop()) return End::Stopped;
    end = advance();
  }
  if (subtrees_ != nullptr) tell_subtrees();
  return end;
}

Search::End Search::advance() {
  Node& node = *nodes_.back();
  if (node.elsewhere) {
    leave();
    return End::Complete;
  }
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
  if (learns_) learning_.note_done(node);
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
  stepper_.schedule.resize(node.scheduled);
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
  const bool alone = stepper_.pause_alone(node);
  if (!stepper_.run(node, bound_)) return End::Stopped;
  recorder_.finish();
  ++figures_.steps;

  const exec::Pause& pause = machine_.pause();
  if (pause.kind == PauseKind::Violation) return violation();
  if (pause.scheduling()) {
    stepper_.approach_new_threads(node);
    machine_.fork_awaits();
  }
  if (!flip(alternative)) return End::Stopped;

  bool ends = !pause.scheduling() || harmless_from_here();
  Learned after;
  if (pause.kind == PauseKind::Cut) note_incomplete(pause.reason);
  if (stepper_.endless() == Endless::Cut && bound_ >= options_.statements / exec::kPatience)
    note_incomplete(fmt::format("a thread does more than {} statements without end", options_.statements));
  else if (stepper_.endless() == Endless::Cut && bound_place_.empty())
    bound_place_ = standing_.describe_place(thread);
  after.usable = pause.kind != PauseKind::Cut && stepper_.endless() != Endless::Cut && pause.kind != PauseKind::Budget;
  uint64_t place = 0;
  if (!ends && !alone && machine_.machine().alive(thread)) {
    place = standing_.place_of(thread);
    if (visits_[place] >= bound_) {
      if (bound_place_.empty()) bound_place_ = standing_.describe_place(thread);
      ends = after.cut = true;
    }
  }
  std::vector<uint8_t> names = node.names;
  uint32_t created = node.created;
  dpor::Threads spawned = name_new_threads(node, names, created);
  last_.collect(standing_.slice(), std::has_single_bit(node.alive), awaits);
  dpor::Transition event;
  event.thread = node.names[thread];
  event.accesses = last_.accesses;
  event.await = awaits ? &await : nullptr;
  event.parts = last_.parts;
  event.spawned = spawned;
  // What a path that is not followed would have touched is in no log: the memory may have been freed before.
  event.everything = everything || (ends && check_end_) || pause.kind == PauseKind::Cut;
  event.halts = ends;
  reduction_.push_event(event);
  if (learns_) {
    learning_.note_step(node, event);
    if (!recorder_.usable()) node.learned.usable = false;
    if (ends) {
      wp::Path steps = recorder_.take();
      summaries_.back_over(steps, after, node.learned);
      node.steps.push_back(std::move(steps));
    }
  }
  if (!ends) return enter(thread, place, created, std::move(names), recorder_.take());
  end_of_run();
  reduction_.pop_event();
  return End::Complete;
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
  sides_ = 1 + static_cast<uint64_t>(std::ranges::count(both, true));
  for (size_t i = 0; learns_ && i < forks.size(); ++i)
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
  node.scheduled = stepper_.schedule.size();
  node.names = std::move(names);
  node.created = created;
  node.ran = ran;
  node.place = place;
  node.alone = stepper_.pausing_alone() ? nodes_[nodes_.size() - 2]->alone + 1 : 0;
  node.accesses = last_.touched;
  node.did = last_.accesses;
  for (const std::vector<dpor::Access>& more : last_.after_awaits)
    node.did.insert(node.did.end(), more.begin(), more.end());
  node.alternatives.clear();
  node.thread = UINT32_MAX;
  node.pristine = true;
  if (place != 0) ++visits_[place];
  figures_.deepest = std::max<uint64_t>(figures_.deepest, nodes_.size());
  note_spinning(node);
  look_around(node);
  if (subtrees_ != nullptr) share_out(node);
  node.learned.clear();
  node.covered = false;
  if (learns_) {
    node.step = std::move(step);
    learning_.note_sleepers(node, nodes_.size() > 1 ? nodes_[nodes_.size() - 2].get() : nullptr);
    if (learning_.covered(node)) {
      ++figures_.runs_partial;
      return End::Complete;
    }
    learning_.note_state(node);
  }
  if (reduction_.asleep()) ++figures_.runs_partial;
  if (node.enabled == 0) {
    if (check_deadlock_ && machine_.machine().deadlocked()) return deadlock();
    if (check_end_ && !node.spins.empty())
      note_incomplete("threads go round forever, so that the program does not end");
    end_of_run();
  }
  return End::Complete;
}

void Search::leave() {
  Node& node = *nodes_.back();
  if (node.claimed) {
    tell_subtrees();
    subtrees_->done(node.way);
  }
  if (node.place != 0 && --visits_[node.place] == 0) visits_.erase(node.place);
  uint64_t slept = learns_ ? learning_.rely_on_sleepers(node) : 0;
  bool asleep = reduction_.asleep();
  reduction_.pop_node();
  if (learns_) {
    if (!node.covered && !asleep) summaries_.keep(node.control, node.learned, slept);
    if (nodes_.size() > 1) learning_.pass_on(*nodes_[nodes_.size() - 2], node);
  }
  spare_.push_back(std::move(nodes_.back()));
  nodes_.pop_back();
  if (!nodes_.empty()) reduction_.pop_event();
}

/// As the paper counts: a run that comes to an end where another one has ended has nothing new after it.
void Search::end_of_run() {
  const exec::Pause& pause = machine_.pause();
  uint64_t place =
      uint64_t{pause.position.file} << 40 ^ uint64_t { pause.position.line } << 8 ^ static_cast<uint64_t>(pause.kind);
  if (learns_ && !ends_.insert(place).second)
    ++figures_.runs_partial;
  else
    ++figures_.runs_full;
}

/// Who replays it does not know that threads wait that never ran: see approach_new_threads().
Search::End Search::deadlock() {
  const Node& node = *nodes_.back();
  std::vector<uint32_t>& schedule = stepper_.schedule;
  for (uint32_t t = 0; t < node.names.size(); ++t)
    if ((node.alive >> t & 1) && node.names[t] == t && std::find(schedule.begin(), schedule.end(), t) == schedule.end())
      schedule.push_back(t);
  return violation();
}

Search::End Search::violation() {
  counterexample_ = {};
  for (Term variable : path_.inputs())
    counterexample_.inputs.push_back({variable.width(), path_.value(variable), "", "", 0});
  counterexample_.schedule = stepper_.schedule;
  ++figures_.runs_full;
  return End::Violation;
}

void Search::note_incomplete(std::string why) {
  if (incomplete_.empty()) incomplete_ = std::move(why);
}

}  // namespace whittle::engines::guided
