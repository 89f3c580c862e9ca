#include "engines/explicit/program_machine.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

#include "base/hash.h"

namespace whittle::engines::explicit_ {

using exec::PauseKind;
using machine::Ending;
using machine::StepKind;
using verdict::Property;

ProgramMachine::ProgramMachine(std::shared_ptr<const exec::Code> code, const MachineOptions& options)
    : code_(std::move(code)),
      options_(options),
      machine_(code_),
      inputs_(code_->program(), machine_, options.max_branching),
      private_(code_->program(), machine_, options.private_steps),
      check_races_(code_->specification().has(Property::NoDataRace)),
      deadlock_counts_(code_->specification().has(Property::NoDeadlock)) {}

void ProgramMachine::set_atoms(std::vector<term::Term> atoms) {
  assert(atoms.size() <= 64);
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
  if (observes_all_) watched.push_back({0, uint64_t{1} << 62, false, true});
  machine_.set_observed(watched);  // no value between two states may be missed
  for (term::Term atom : atoms_)
    for (term::Term read : term::reads(atom))
      if (read.kid(0).is_constant())
        if (auto range = machine_.saved_range(read.kid(0).value64(), read.width() / 8)) observed_.push_back(*range);
}

void ProgramMachine::reset() {
  machine_.reset();
  known_ = false;
}

void ProgramMachine::load(std::span<const uint8_t> state) {
  machine_.load(state);
  known_ = false;
}

void ProgramMachine::find_choices() {
  if (known_) return;
  known_ = true;
  threads_.clear();
  values_ = nullptr;
  too_many_ = false;
  ending_ = Ending::None;
  const exec::Pause& pause = machine_.pause();
  switch (pause.kind) {
    case PauseKind::Visible:
    case PauseKind::Blocked:
    case PauseKind::ThreadEnded: find_threads(); break;
    case PauseKind::Input:
      values_ = inputs_.at_pause();
      too_many_ = values_ == nullptr;
      // No value satisfies the assumption behind the input: the thread goes up to it, and others may go on.
      if (values_ && values_->empty()) values_ = std::make_shared<const std::vector<u128>>(1, 0);
      break;
    case PauseKind::Budget: threads_.push_back(pause.thread); break;
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
}

machine::Successors ProgramMachine::successors() {
  find_choices();
  if (ending_ != Ending::None) return {0, ending_};
  if (too_many_) return {1, Ending::None};  // the step is cut
  if (values_) return {static_cast<uint32_t>(values_->size()), Ending::None};
  return {static_cast<uint32_t>(threads_.size()), Ending::None};
}

StepKind ProgramMachine::step(uint32_t choice) {
  find_choices();
  const exec::Pause& pause = machine_.pause();
  machine_.set_budget(options_.by_statement && alive_threads() == 1 ? 1 : exec::kPatience);
  if (too_many_) {
    cut_by_values_ = true;
    if (cut_.empty())
      cut_ = fmt::format("{} at {} may have more than {} values (--max-branching)", pause.origin,
                         code_->program().where(pause.position), options_.max_branching);
    return options_.stop_at_values ? StepKind::Violation : StepKind::Cut;
  }
  if (values_)
    machine_.provide((*values_)[choice]);
  else if (pause.kind == PauseKind::Budget)
    machine_.resume();
  else
    machine_.schedule(threads_[choice]);
  known_ = false;
  return arrived();
}

StepKind ProgramMachine::arrived() {
  const exec::Pause* pause = &machine_.pause();
  if (pause->kind == PauseKind::Budget) {
    if (!atoms_.empty() && machine_.in_atomic_region(pause->thread)) {
      if (cut_.empty())
        cut_ = fmt::format("an atomic section is longer than {} statements at {}", exec::kPatience,
                           code_->program().where(pause->position));
      return StepKind::Cut;  // formulas must not see what is inside
    }
    machine_.yield_here();  // perhaps an endless loop without visible operations: others must get on
    pause = &machine_.pause();
  }
  switch (pause->kind) {
    case PauseKind::Violation: violation_ = pause->violation; return StepKind::Violation;
    case PauseKind::Cut:
      if (cut_.empty()) cut_ = fmt::format("{} at {}", pause->reason, code_->program().where(pause->position));
      return StepKind::Cut;
    case PauseKind::Pruned: return StepKind::Pruned;
    default: break;
  }
  if (check_races_ && pause->scheduling())
    if (auto race = machine_.data_race()) {
      violation_ = *race;
      return StepKind::Violation;
    }
  return StepKind::Moved;
}

uint64_t ProgramMachine::observe() {
  uint64_t truth = 0;
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
  return truth;
}

uint32_t ProgramMachine::alive_threads() const {
  uint32_t count = 0;
  for (uint32_t t = 0; t < machine_.thread_count(); ++t) count += machine_.alive(t) ? 1 : 0;
  return count;
}

machine::Position ProgramMachine::position() {
  machine::Position position;
  uint32_t alive = 0, last = 0;
  for (uint32_t t = 0; t < machine_.thread_count(); ++t) {
    if (!machine_.alive(t)) continue;
    ++alive;
    last = t;
    for (uint32_t f = 0; f < machine_.frame_count(t); ++f) {
      auto frame = machine_.frame(t, f);
      position.location =
          hash_combine(position.location, uint64_t{t} << 56 ^ uint64_t{frame.function} << 32 ^ frame.location);
    }
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
  machine_.cells(mortal, dead);
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

ProgramMachine::Meaning ProgramMachine::meaning(uint32_t choice) {
  find_choices();
  if (values_) return {true, machine_.pause().thread, (*values_)[choice]};
  return {false, choice < threads_.size() ? threads_[choice] : 0, 0};
}

}  // namespace whittle::engines::explicit_
