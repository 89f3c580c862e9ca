#include "engines/explicit/program_machine.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cstring>

#include "base/hash.h"
#include "exec/thread_word.h"

namespace whittle::engines::explicit_ {

using exec::PauseKind;
using machine::Ending;
using machine::StepKind;
using verdict::Property;

ProgramMachine::ProgramMachine(std::shared_ptr<const exec::Code> code, const MachineOptions& options, Context& context)
    : ProgramMachine(code, options, std::make_shared<Shared>(code->program(), options.max_branching, context)) {}

ProgramMachine::ProgramMachine(std::shared_ptr<const exec::Code> code, const MachineOptions& options,
                               std::shared_ptr<Shared> shared)
    : code_(std::move(code)),
      options_(options),
      shared_(std::move(shared)),
      machine_(code_),
      private_(shared_->analyses, machine_, options.private_steps),
      cache_(machine_, private_, shared_->numbers),
      deadlock_counts_(code_->specification().has(Property::NoDeadlock)) {
  if (options.repeat_steps && !code_->specification().has(Property::NoDataRace) && private_.concurrent()) {
    caching_ = true;
    cache_.set(machine_.save());
  }
}

std::unique_ptr<machine::Machine> ProgramMachine::twin() {
  // An analysis is made when it is first asked for: now, before several threads ask.
  if (private_.active()) shared_->analyses->accesses();
  std::unique_ptr<ProgramMachine> other(new ProgramMachine(code_, options_, shared_));
  if (!atoms_.empty()) other->set_atoms(atoms_);
  if (!caching_) other->stop_caching();
  return other;
}

template <typename Reason>
void ProgramMachine::note_cut(Reason reason) {
  std::lock_guard lock(shared_->mutex);
  if (shared_->cut.empty()) shared_->cut = reason();
}

namespace {

void append_text(std::vector<uint8_t>& out, std::span<const uint8_t> text) {
  const uint64_t size = text.size();
  const auto* bytes = reinterpret_cast<const uint8_t*>(&size);
  out.insert(out.end(), bytes, bytes + sizeof size);
  out.insert(out.end(), text.begin(), text.end());
}

/// Takes the first text off; false: there is none.
bool take_text(std::span<const uint8_t>& from, std::span<const uint8_t>& text) {
  uint64_t size;
  if (from.size() < sizeof size) return false;
  std::memcpy(&size, from.data(), sizeof size);
  from = from.subspan(sizeof size);
  if (from.size() < size) return false;
  text = from.first(size);
  from = from.subspan(size);
  return true;
}

}  // namespace

/// Why the first path was cut, then for each table the number of its parts and the parts in order.
void ProgramMachine::save_numbers(std::vector<uint8_t>& out) {
  const std::string reason = cut();
  append_text(out, {reinterpret_cast<const uint8_t*>(reason.data()), reason.size()});
  PartNumbers& numbers = *shared_->numbers;
  for (PartTable* table : {&numbers.threads, &numbers.objects, &numbers.large}) {
    const uint32_t count = table->size();
    append_text(out, {reinterpret_cast<const uint8_t*>(&count), sizeof count});
    for (uint32_t id = 0; id < count; ++id) append_text(out, (*table)[id]);
  }
}

bool ProgramMachine::load_numbers(std::span<const uint8_t> saved) {
  std::span<const uint8_t> text;
  if (!take_text(saved, text)) return false;
  if (!text.empty()) note_cut([&] { return std::string(text.begin(), text.end()); });
  PartNumbers& numbers = *shared_->numbers;
  for (PartTable* table : {&numbers.threads, &numbers.objects, &numbers.large}) {
    uint32_t count;
    if (!take_text(saved, text) || text.size() != sizeof count) return false;
    std::memcpy(&count, text.data(), sizeof count);
    // The parts of the initial state are there already, with the first numbers.
    for (uint32_t id = 0; id < count; ++id)
      if (!take_text(saved, text) || table->number(text) != id) return false;
  }
  return saved.empty();
}

void ProgramMachine::set_atoms(std::vector<term::Term> atoms) {
  assert(atoms.size() <= 64);
  stop_caching();  // values between two scheduling points matter now
  atoms_ = std::move(atoms);
  private_.keep_visible(atoms_);
  observed_.clear();
  observes_all_ = false;
  std::vector<exec::Pending::Range> watched;
  for (term::Term atom : atoms_)
    for (term::Term read : term::reads(atom))
      if (read.kid(0).is_constant())
        watched.push_back({read.kid(0).value64(), read.width() / 8, false, true});
      else
        observes_all_ = true;
  watched_ = watched;
  if (observes_all_) watched.push_back({0, uint64_t{1} << 62, false, true});
  machine_.set_observed(watched);  // no value between two states may be missed
  for (term::Term atom : atoms_)
    for (term::Term read : term::reads(atom))
      if (read.kid(0).is_constant())
        if (auto range = machine_.bytes().of_object(read.kid(0).value64(), read.width() / 8))
          observed_.push_back(*range);
}

void ProgramMachine::reset() {
  machine_.reset();
  known_ = false;
  synced_ = true;
  if (caching_) cache_.set(machine_.save());
}

void ProgramMachine::load(std::span<const uint8_t> state) {
  known_ = false;
  if (caching_) {
    cache_.load(state);
    synced_ = false;
  } else {
    machine_.load(state);
  }
}

void ProgramMachine::sync() {
  if (!synced_) machine_.load(cache_.machine_state());
  synced_ = true;
}

void ProgramMachine::stop_caching() {
  if (caching_) sync();
  caching_ = false;
}

exec::Machine& ProgramMachine::concrete() {
  stop_caching();
  return machine_;
}

void ProgramMachine::trace_footprints(bool on) {
  if (on) stop_caching();
  machine_.bytes().trace_footprints(on);
}

void ProgramMachine::find_choices() {
  if (known_) return;
  known_ = true;
  if (caching_ && cache_.applies()) return find_threads_in_cache();
  sync();
  threads_.clear();
  choices_ = {};
  values_ = nullptr;
  too_many_ = false;
  ending_ = Ending::None;
  const exec::Pause& pause = machine_.pause();
  switch (pause.kind) {
    case PauseKind::Visible:
    case PauseKind::Blocked:
    case PauseKind::ThreadEnded: find_threads(); break;
    case PauseKind::Input:
      values_ = shared_->inputs.at_pause(machine_);
      too_many_ = values_ == nullptr;
      // No value satisfies the assumption after the input: the thread goes up to it, and others may go on.
      if (values_ && values_->empty()) values_ = std::make_shared<const std::vector<u128>>(1, 0);
      break;
    case PauseKind::Budget:
      threads_.push_back(pause.thread);
      choices_ = threads_;
      break;
    default: ending_ = Ending::Halted; break;
  }
}

void ProgramMachine::find_threads() {
  uint32_t count = machine_.thread_count();
  for (uint32_t t = 0; t < count; ++t)
    if (machine_.alive(t) && machine_.enabled(t)) threads_.push_back(t);
  if (threads_.empty()) ending_ = deadlock_counts_ ? Ending::Deadlock : Ending::Halted;
  if (threads_.size() > 1)
    if (auto alone = private_.find(threads_)) threads_.assign(1, *alone);
  choices_ = threads_;
}

void ProgramMachine::find_threads_in_cache() {
  values_ = nullptr;
  too_many_ = false;
  StepCache::Threads& threads = cache_.threads();
  if (!cache_.threads_known()) {
    threads.count = 0;
    bool candidates = false;
    const uint32_t count = cache_.thread_count();
    for (uint32_t t = 0; t < count; ++t) {
      if (!cache_.alive(t)) continue;
      uint32_t entry = cache_.entry(t);
      if (entry == StepCache::kNone) sync(), entry = cache_.make_entry(t);
      const StepCache::Entry& e = cache_[entry];
      candidates |= e.step.has_value();
      if (!e.waits || can_go_on(t, entry)) threads.list[threads.count++] = t;
    }
    if (candidates && threads.count > 1) keep_private_step(threads);
    cache_.threads_known() = true;
  }
  choices_ = {threads.list.data(), threads.count};
  ending_ = threads.count != 0 ? Ending::None : deadlock_counts_ ? Ending::Deadlock : Ending::Halted;
}

void ProgramMachine::keep_private_step(StepCache::Threads& threads) {
  for (uint32_t i = 0; i < threads.count; ++i) {
    if (!private_step_in_cache(threads.list[i])) continue;
    threads.list[0] = threads.list[i];
    threads.count = 1;
    return;
  }
}

bool ProgramMachine::can_go_on(uint32_t thread, uint32_t entry) {
  std::optional<bool> enabled = cache_.enabled(entry);
  if (!enabled) {
    sync();
    enabled = machine_.enabled(thread);
    cache_.learn_enabled(entry, *enabled);
  }
  return *enabled;
}

bool ProgramMachine::private_step_in_cache(uint32_t thread) {
  const auto& step = cache_[cache_.entry(thread)].step;
  if (!step) return false;
  auto none_of_others = [&](auto disturbs) {
    for (uint32_t u = 0; u < cache_.thread_count(); ++u)
      if (u != thread && cache_.alive(u) && disturbs(cache_[cache_.entry(u)])) return false;
    return true;
  };
  if (none_of_others([&](const StepCache::Entry& e) { return private_.disturbs(*e.rest, *step); })) return true;
  for (uint32_t m = 0; m < private_.mutexes().size(); ++m) {
    const PrivateSteps::Mutex& mutex = private_.mutexes()[m];
    if (cache_.word_at(mutex.bytes) == exec::thread_word(thread) &&
        none_of_others([&](const StepCache::Entry& e) { return private_.disturbs(*e.open[m], mutex, *step); }))
      return true;
  }
  return false;
}

machine::Successors ProgramMachine::successors() {
  find_choices();
  if (ending_ != Ending::None) return {0, ending_};
  if (too_many_) return {1, Ending::None};  // the step is cut
  if (values_) return {static_cast<uint32_t>(values_->size()), Ending::None};
  return {static_cast<uint32_t>(choices_.size()), Ending::None};
}

StepKind ProgramMachine::step(uint32_t choice) {
  find_choices();
  if (!caching_) return run(choice);
  if (cache_.applies()) return repeat(choice);
  StepKind kind = run(choice);
  if (kind == StepKind::Moved || kind == StepKind::Violation)
    cache_.set(machine_.save());
  else
    synced_ = false;
  return kind;
}

StepKind ProgramMachine::repeat(uint32_t choice) {
  const uint32_t thread = choices_[choice], entry = cache_.entry(thread);
  switch (cache_.step(thread, entry)) {
    case StepCache::Answer::Moved: synced_ = known_ = false; return StepKind::Moved;
    case StepCache::Answer::Pruned: return StepKind::Pruned;
    case StepCache::Answer::Unknown: break;
  }
  sync();
  const bool worth = !cache_.useless();
  machine_.bytes().set_recording(worth ? &recording_ : nullptr);
  StepKind kind = run(choice);
  machine_.bytes().set_recording(nullptr);
  const bool moved = kind == StepKind::Moved;
  if (worth && ((moved && machine_.pause().scheduling()) || kind == StepKind::Pruned))
    cache_.learn(thread, entry, recording_, moved ? machine_.save() : std::span<const uint8_t>());
  else if (moved || kind == StepKind::Violation)
    cache_.set(machine_.save());
  synced_ = moved || kind == StepKind::Violation;
  return kind;
}

StepKind ProgramMachine::run(uint32_t choice) {
  const exec::Pause& pause = machine_.pause();
  if (++steps_ > options_.patience && values_ && values_->size() >= options_.many_values) {
    shared_->out_of_patience = true;
    return StepKind::Violation;
  }
  machine_.set_budget(options_.by_statement && alive_threads() == 1 ? 1 : exec::kPatience);
  if (too_many_) {
    shared_->cut_by_values = true;
    note_cut([&] {
      return fmt::format("{} at {} may have more than {} values (--max-branching)", pause.origin,
                         code_->program().where(pause.position), options_.max_branching);
    });
    return options_.stop_at_values ? StepKind::Violation : StepKind::Cut;
  }
  if (values_)
    machine_.provide((*values_)[choice]);
  else if (pause.kind == PauseKind::Budget)
    machine_.resume();
  else
    machine_.schedule(choices_[choice]);
  known_ = false;
  return arrived();
}

StepKind ProgramMachine::arrived() {
  const exec::Pause* pause = &machine_.pause();
  if (pause->kind == PauseKind::Budget) {
    if (!atoms_.empty() && machine_.in_atomic_region(pause->thread)) {
      note_cut([&] {
        return fmt::format("an atomic section is longer than {} statements at {}", exec::kPatience,
                           code_->program().where(pause->position));
      });
      return StepKind::Cut;  // formulas must not see what is inside
    }
    machine_.yield_here();  // perhaps an endless loop without visible operations: others must get on
    pause = &machine_.pause();
  }
  switch (pause->kind) {
    case PauseKind::Violation: violation_ = pause->violation; return StepKind::Violation;
    case PauseKind::Cut:
      note_cut([&] { return fmt::format("{} at {}", pause->reason, code_->program().where(pause->position)); });
      return StepKind::Cut;
    case PauseKind::Pruned: return StepKind::Pruned;
    default: break;
  }
  return StepKind::Moved;
}

uint64_t ProgramMachine::observe() {
  if (atoms_.empty()) return 0;
  if (!observes_all_) {
    now_bytes_.clear();
    for (const exec::Pending::Range& range : watched_) {
      uint8_t buffer[17] = {};  // the last byte: can it be read at all?
      buffer[16] = machine_.read_memory(range.address, {buffer, range.size}) ? 1 : 0;
      now_bytes_.insert(now_bytes_.end(), buffer, buffer + sizeof buffer);
    }
    if (now_bytes_ == watched_bytes_) return truth_;
  }
  uint64_t truth = 0;
  std::lock_guard lock(shared_->inputs.terms_in_use());
  term::Assignment memory{[](term::Term) { return u128{0}; },
                          [&](u128 address, unsigned bytes) {
                            uint8_t buffer[16] = {};
                            if (!machine_.read_memory(static_cast<uint64_t>(address), {buffer, bytes})) return u128{0};
                            u128 value = 0;
                            for (unsigned i = bytes; i-- > 0;) value = value << 8 | buffer[i];
                            return value;
                          }};
  for (size_t i = 0; i < atoms_.size(); ++i)
    if (code_->program().terms().evaluate(atoms_[i], memory) == 1) truth |= uint64_t{1} << i;
  watched_bytes_.swap(now_bytes_);
  return truth_ = truth;
}

uint32_t ProgramMachine::alive_threads() {
  if (caching_) sync();
  uint32_t count = 0;
  for (uint32_t t = 0; t < machine_.thread_count(); ++t) count += machine_.alive(t) ? 1 : 0;
  return count;
}

machine::Position ProgramMachine::position() {
  machine::Position position;
  if (caching_ && cache_.applies()) {
    find_choices();  // so that all threads have entries
    for (uint32_t t = 0; t < cache_.thread_count(); ++t)
      if (cache_.alive(t))
        position.location = hash_combine(position.location, hash_combine(t, cache_[cache_.entry(t)].location));
    return position;
  }
  sync();
  uint32_t alive = 0, last = 0;
  for (uint32_t t = 0; t < machine_.thread_count(); ++t) {
    if (!machine_.alive(t)) continue;
    ++alive;
    last = t;
    position.location = hash_combine(position.location, hash_combine(t, location_of(machine_, t)));
  }
  const exec::Pause& pause = machine_.pause();
  // What can be told from the program text: inputs, several threads, targets of jumps.
  position.breaking = alive != 1 || pause.kind == PauseKind::Input || pause.final() || !atoms_.empty();
  if (!position.breaking) {
    auto top = machine_.frame(last, machine_.frame_count(last) - 1);
    position.breaking = private_.jump_target(top.function, top.location);
  }
  return position;
}

void ProgramMachine::cells(std::vector<machine::ByteRange>& mortal, std::vector<machine::ByteRange>& dead) {
  sync();
  machine_.bytes().cells(mortal, dead);
  // What the property looks at is never dead.
  if (observes_all_) mortal.clear();
  for (machine::ByteRange seen : observed_) {
    std::vector<machine::ByteRange> rest;
    for (machine::ByteRange range : mortal) {
      uint32_t end = range.begin + range.length, seen_end = seen.begin + seen.length;
      if (range.begin < seen.begin) rest.push_back({range.begin, std::min(end, seen.begin) - range.begin});
      if (end > seen_end) rest.push_back({std::max(range.begin, seen_end), end - std::max(range.begin, seen_end)});
    }
    mortal = std::move(rest);
  }
}

uint32_t ProgramMachine::cells_number() {
  if (observes_all_ || !observed_.empty()) return 0;  // what the property looks at is never dead, and has no number
  sync();
  return machine_.bytes().cells_number();
}

ProgramMachine::Meaning ProgramMachine::meaning(uint32_t choice) {
  find_choices();
  sync();
  if (values_) return {true, machine_.pause().thread, (*values_)[choice]};
  return {false, choice < choices_.size() ? choices_[choice] : 0, 0};
}

}  // namespace whittle::engines::explicit_
