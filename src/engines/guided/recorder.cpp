#include "engines/guided/recorder.h"

#include "semantics/access.h"

namespace whittle::engines::guided {

using program::Kind;
using program::Statement;
using term::Term;

namespace {

/// Reads memory into a register, and does nothing else.
bool only_loads(const Statement& s) {
  const semantics::Accesses accesses = semantics::accesses(s);
  return !accesses.empty() && !accesses[0].write && !s.targets.empty();
}

constexpr size_t kMostStatements = 20'000;  ///< of one step

}  // namespace

void Recorder::begin() {
  usable_ = true;
  uninitialised_ = open_ = full_ = false;
  announced_ = 0;
  path_.clear();
  numbers_.clear();
}

void Recorder::uninitialised() { uninitialised_ = true; }

void Recorder::finish() { settle(); }

void Recorder::rewind(const Mark& mark) {
  open_ = uninitialised_ = false;
  announced_ = mark.announced;
  if (full_ != mark.full) return;  // all is lost
  usable_ = mark.usable;
  path_.resize(mark.steps);
  numbers_.resize(mark.steps);
}

void Recorder::loosen(uint64_t announced) {
  for (size_t i = 0; i < path_.size(); ++i)
    if (numbers_[i] == announced) path_[i].firm = false;
}

uint64_t Recorder::evaluate(Term operand) const {
  const wp::Step& step = path_.back();
  return static_cast<uint64_t>(machine_.evaluate(step.thread, frame_, operand));
}

void Recorder::statement(uint32_t thread, program::FunctionId function, uint32_t edge) {
  settle();
  if (path_.size() >= kMostStatements) {
    usable_ = false;
    full_ = true;
    path_.clear();
    numbers_.clear();
  }
  if (full_) return;
  const Statement& s = program_.functions[function].edges[edge].statement;
  frame_ = machine_.frame_count(thread) - 1;
  wp::Step step;
  step.function = function;
  step.edge = edge;
  step.thread = thread;
  step.frame = frame_id(thread, frame_);
  path_.push_back(std::move(step));
  numbers_.push_back(announced_++);
  note(s, path_.back());
  uninitialised_ = false;
  open_ = true;
}

/// The thread pauses before the statement, and that it pauses there and not in an error is part of the step.
void Recorder::withdrawn(uint32_t) {
  if (!open_) return;
  open_ = false;
  wp::Step& step = path_.back();
  step.skipped = true;
  const Statement& s = program_.functions[step.function].edges[step.edge].statement;
  if (s.kind == Kind::Assume) {  // it does not hold: others may run before that ends the run
    step.demands.push_back(program_.terms().bnot(s.operands[0]));
  } else if (step.demands.empty()) {
    path_.pop_back();
    numbers_.pop_back();
  }
}

/// What is known only once the statement was executed.
void Recorder::settle() {
  if (!open_) return;
  open_ = false;
  wp::Step& step = path_.back();
  const Statement& s = program_.functions[step.function].edges[step.edge].statement;
  const bool makes = s.kind == Kind::StackAlloc || s.kind == Kind::HeapAlloc;
  if (!makes && s.kind != Kind::Spawn && !program::asks(s.kind)) return;
  if (!machine_.alive(step.thread) || machine_.frame_count(step.thread) <= depth_of(step.frame)) return;
  step.value = machine_.register_value(step.thread, depth_of(step.frame), s.targets[0]);
  if (makes) step.address = static_cast<uint64_t>(step.value);
  if (s.kind == Kind::Spawn) step.callee_frame = frame_id(static_cast<uint32_t>(step.value), 0);
}

void Recorder::demand_value(const Statement& s, wp::Step& step, size_t operand) {
  Term t = s.operands[operand];
  if (t.is_constant()) return;
  u128 now = machine_.evaluate(step.thread, frame_, t);
  step.demands.push_back(program_.terms().eq(t, program_.terms().constant(t.width(), now)));
}

void Recorder::note(const Statement& s, wp::Step& step) {
  step.firm = true;
  if (uninitialised_ && !only_loads(s)) usable_ = false;
  switch (s.kind) {
    case Kind::StackAlloc:
    case Kind::HeapAlloc:
      step.size = evaluate(s.operands[0]);
      for (size_t i = 0; i < s.operands.size(); ++i) demand_value(s, step, i);
      break;
    case Kind::HeapFree:
    case Kind::StackRestore:
    case Kind::Output:
      for (size_t i = 0; i < s.operands.size(); ++i) demand_value(s, step, i);
      break;
    case Kind::Call:
      step.callee = s.callee;
      step.callee_frame = frame_id(step.thread, frame_ + 1);
      break;
    case Kind::IndirectCall:
    case Kind::Spawn:
      if (auto callee = program_.function_at(evaluate(s.operands[0]))) step.callee = *callee;
      if (step.callee == program::kNone) usable_ = false;
      step.callee_frame = frame_id(step.thread, frame_ + 1);
      break;
    case Kind::Return:
      if (frame_ > 0) {
        exec::FramePosition caller = machine_.frame(step.thread, frame_ - 1);
        step.caller = caller.function;
        step.call_edge = program_.functions[caller.function].locations[caller.location].first_edge;
        step.caller_frame = frame_id(step.thread, frame_ - 1);
      }
      break;
    case Kind::ThreadLocal: {
      auto object = machine_.object_at(machine_.thread_local_address(step.thread, s.object));
      if (!object || !object->alive) step.size = program_.objects[s.object].size;
      break;
    }
    case Kind::Freed:  // depends on all pointers there are
    case Kind::Unsupported: usable_ = false; break;
    default:
      note_accesses(s, step);
      if (program::asks(s.kind))  // about the object at this address
        for (size_t i = 0; i < s.operands.size(); ++i)
          if (program::letter(program::info(s.kind).operands, i) == 'a') demand_value(s, step, i);
      break;
  }
}

void Recorder::note_accesses(const Statement& s, wp::Step& step) {
  const semantics::Accesses accesses = semantics::accesses(s);
  const bool two = accesses.end() - accesses.begin() == 2;
  for (const semantics::Access& access : accesses) {
    const uint64_t address = evaluate(s.operands[access.address]);
    demand_value(s, step, access.address);
    if (access.size_operand != semantics::Access::kFixed) {
      step.size = evaluate(s.operands[access.size_operand]);
      demand_value(s, step, access.size_operand);
    } else if (!access.write) {
      step.uninitialised = uninitialised_;
    }
    if (two && access.read) {  // from memory to memory
      step.source = address;
      if (step.size != 0 && !machine_.initialised(address, step.size)) usable_ = false;
    } else {
      step.address = address;
    }
  }
}

}  // namespace whittle::engines::guided
