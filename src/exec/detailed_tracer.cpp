#include "exec/detailed_tracer.h"

#include <fmt/format.h>

#include <algorithm>

#include "exec/detailed_tracer_impl.h"

namespace whittle::exec {

std::string DetailedTracer::Impl::text(uint32_t thread, uint32_t frame, const program::Function& f,
                               const program::Location& location, const program::Statement& s) const {
  switch (s.kind) {
    case Kind::Assign: {
      std::string all;
      for (size_t i = 0; i < s.targets.size(); ++i) all += (i == 0 ? "" : ", ") + target(f, s, i) + c(s.operands[i]);
      return all;
    }
    case Kind::Assume:
      return location.edge_count > 1 ? "[" + c(s.operands[0]) + "]" : "assume(" + c(s.operands[0]) + ")";
    case Kind::Check: return fmt::format("check({})", c(s.operands[0]));
    case Kind::Load: return target(f, s) + place(thread, frame, s.operands[0], s.width / 8);
    case Kind::Store: return place(thread, frame, s.operands[0], s.width / 8) + " = " + c(s.operands[1]);
    case Kind::Nondet:
      return fmt::format("{}{}", target(f, s), s.text.empty() ? "any value" : s.text + (s.input ? "()" : ""));
    case Kind::Call: return fmt::format("{}{}({})", target(f, s), source_name(program.functions[s.callee]), list(s));
    case Kind::IndirectCall: {
      auto callee = program.function_at(static_cast<uint64_t>(machine.evaluate(thread, frame, s.operands[0])));
      return fmt::format("{}{}({})", target(f, s),
                         callee ? source_name(program.functions[*callee]) : "(*" + c(s.operands[0]) + ")", list(s, 1));
    }
    case Kind::Return: return s.operands.empty() ? "return" : "return " + c(s.operands[0]);
    case Kind::AtomicRmw:
      return fmt::format("{}atomic {}({}, {})", target(f, s), name(s.rmw),
                         place(thread, frame, s.operands[0], s.width / 8), c(s.operands[1]));
    case Kind::AtomicCas:
      return fmt::format("{}compare and swap({}, {}, {})", target(f, s),
                         place(thread, frame, s.operands[0], s.width / 8), c(s.operands[1]), c(s.operands[2]));
    case Kind::Error: return s.text.empty() ? "error" : s.text;
    case Kind::Halt: return fmt::format("{}({})", s.text, c(s.operands[0]));
    case Kind::Unsupported: return s.text;
    case Kind::StackAlloc:
      return fmt::format("{} of {} bytes", s.text.empty() ? "local object" : s.text, c(s.operands[0]));
    default: return fmt::format("{}{}({})", target(f, s), name(s.kind), list(s));
  }
}

void DetailedTracer::Impl::changed(DetailedStep& to, uint32_t thread, uint32_t frame, const program::Function& f,
                           program::RegisterId reg, const program::Statement* by) {
  const program::Register& r = f.registers[reg];
  if (r.name.empty()) return;  // an intermediate value, not a variable of the source
  u128 value = machine.register_value(thread, frame, reg);
  naming.pointed(static_cast<uint64_t>(value), r.type);
  verdict::Change change{r.name, naming.value(value, r.width(), r.type), "", variable(thread, frame, reg)};
  if (const auto& said = threads[thread].said; said && said->value == change.value && by && uses_result(*said, frame, by->operands)) withdraw_result(threads[thread]);
  to.changes.push_back(std::move(change));
}

/// "a.c:12" of the user's statement that is executed, also inside a model.
std::string DetailedTracer::Impl::user_position(const ThreadState& state, const program::Statement& here) const {
  for (auto call = state.calls.rbegin(); call != state.calls.rend(); ++call)
    if (call->shown) return program.where(edge(*call).statement.position);
  return program.where(here.position);
}

void DetailedTracer::Impl::complete(uint32_t thread, Open& open) {
  follow_objects(thread, open);
  if (edge(open).statement.kind == Kind::Copy) follow_copy(thread, open);
  for (const Open::Range& range : open.writes)
    for (uint64_t i = 0; open.writer > untold_steps && i < range.size; ++i) writers[range.address + i] = open.writer;
  if (open.shown && !open.before.empty()) follow_pointer(open);
  DetailedStep* to = open.shown ? step(open.step) : nullptr;
  if (!to) return;
  const program::Edge& e = edge(open);
  const program::Function& f = program.functions[open.function];
  if (!machine.alive(thread)) return;
  const bool there = machine.frame_count(thread) > open.frame && machine.frame(thread, open.frame).function == open.function;
  const Kind kind = e.statement.kind;
  uint32_t round = to->round;
  if (there && open.frame < threads[thread].frames.size()) {
    const Frame& frame = threads[thread].frames[open.frame];
    round = frame.rounds.empty() ? frame.around : frame.rounds.back();
  }
  if (kind == Kind::Call || kind == Kind::IndirectCall) threads[thread].said.reset();
  if (kind != Kind::Return && there)
    for (program::RegisterId reg : e.statement.targets) {
      DetailedStep& result = result_of(*to, round);
      changed(result, thread, open.frame, f, reg, kind == Kind::Assign ? &e.statement : nullptr);
      returned(result, thread, open);
    }
  if ((kind == Kind::Call || kind == Kind::IndirectCall) && there) returned_struct(*to, thread, open, round);
  if (kind == Kind::Load && there && open.frame < threads[thread].frames.size()) threads[thread].frames[open.frame].last_load = {e.statement.targets[0], open.address};
  if (kind == Kind::Load && there && open.size <= 16) add_read(*to, thread, open);
  if (there && !open.by_model.empty())
    if (std::vector<verdict::Change> all = written(thread, open); !all.empty()) {
      std::vector<verdict::Change>& changes = result_of(*to, round).changes;
      changes.insert(changes.end(), all.begin(), all.end());
    }
  if (kind == Kind::Nondet && e.statement.input) threads[thread].input = open;
  if (kind == Kind::Load || open.before.empty() || is_hidden(open.address)) return initialise(*to, thread, open);
  for (verdict::Change& change : naming.changes(open.through, open.address, open.before, open.stored)) {
    belongs(change, open.address);
    if (const auto& said = threads[thread].said; said && said->value == change.value && stores_result(thread, open)) withdraw_result(threads[thread]);
    to->changes.push_back(std::move(change));
  }
  join_pieces(*to, thread, open);
  if (kind == Kind::Store) fill(*to, thread, open);
  initialise(*to, thread, open);
}

DetailedTracer::DetailedTracer(Machine& machine, size_t max_steps, uint64_t untold)
    : impl_(new Impl{machine,
                     machine.code().program(),
                     Naming(machine),
                     max_steps,
                     untold,
                     0,
                     {},
                     0,
                     std::vector<Impl::ThreadState>(machine.code().options().max_threads),
                     {},
                     {}}) {}
DetailedTracer::~DetailedTracer() = default;

void DetailedTracer::statement(uint32_t thread, program::FunctionId function, uint32_t edge) {
  Impl::ThreadState& state = impl_->threads[thread];
  Machine& machine = impl_->machine;
  if (state.ordinal != machine.ordinal(thread)) state = {machine.ordinal(thread), false, {}, {}, {}, false, false, {}};
  uint32_t frame = machine.frame_count(thread) - 1;
  const program::Function& f = impl_->program.functions[function];
  const program::Edge& e = f.edges[edge];
  const program::Statement& s = e.statement;
  impl_->follow_frames(thread, state, frame, function);
  if (state.last) {
    Kind kind = impl_->edge(*state.last).statement.kind;
    bool is_call = kind == Kind::Call || kind == Kind::IndirectCall;
    if (is_call && frame > state.last->frame) {
      state.last->callee = function;
      if (DetailedStep* to = state.last->shown && !f.runtime ? impl_->step(state.last->step) : nullptr) to->callee = source_name(f);
      state.calls.push_back(*state.last);
    } else {
      // Only what passes a jump on returns at no place of the source.
      if (kind == Kind::Return)
        state.jumps = impl_->edge(*state.last).statement.position.line == 0 && impl_->program.functions[state.last->function].position.line != 0;
      impl_->complete(thread, *state.last);
    }
    state.last.reset();
  }
  while (!state.calls.empty() && state.calls.back().frame >= frame) {
    impl_->complete(thread, state.calls.back());
    state.calls.pop_back();
  }
  if (!state.again) impl_->follow_rounds(state, function, e.from);
  state.again = false;
  Impl::Frame& in = state.frames.back();
  const bool begins = in.begins && !f.runtime && impl_->begins_call(thread, in, f, s);
  if (in.begins && !begins && !state.calls.empty() && state.calls.back().frame + 1 == frame) impl_->entered(thread, state.calls.back(), frame, f);
  in.begins = begins;
  Impl::Open open;
  open.frame = frame, open.function = function, open.edge = edge;
  if (s.kind == Kind::HeapFree) {
    const auto address = static_cast<uint64_t>(machine.evaluate(thread, frame, s.operands[0]));
    const auto object = machine.object_at(address);
    if (object && object->alive) {
      impl_->naming.freed(address, impl_->user_position(state, s));
      if (auto known = impl_->objects.find(object->address); known != impl_->objects.end()) impl_->freed.push_back(known->second);
    }
  }
  const bool of_compiler = s.position.line == 0 && f.position.line != 0;  // of no statement of the source: a jump under way
  bool silent = f.runtime || s.kind == Kind::Skip || s.kind == Kind::Fence || begins || of_compiler;
  const bool told = impl_->untold == 0 || --impl_->untold == 0;
  if (!silent && !told) {
    open.step = impl_->dropped++;
    open.shown = true;
    impl_->untold_steps = impl_->dropped;
    impl_->freed.clear();
    impl_->begin_lane(state, f);
    if (s.kind == Kind::Store && s.width == impl_->program.pointer_width()) impl_->begin_access(thread, open);
  } else if (!silent) {
    DetailedStep step;
    step.thread = machine.ordinal(thread);
    step.function = source_name(f);
    step.frame = in.number;
    step.round = in.rounds.empty() ? in.around : in.rounds.back();
    impl_->end_scopes(step, in, s.position);
    if (s.position.file < impl_->program.files.size()) step.file = impl_->program.files[s.position.file];
    step.line = s.position.line;
    step.column = s.position.column;
    for (const Impl::Open& call : state.calls) step.depth += call.shown;
    step.statement = impl_->text(thread, frame, f, f.locations[e.from], s);
    step.changes = std::move(state.given);
    if (!state.started && step.thread != 0) step.note = fmt::format("thread {} starts", step.thread);
    impl_->begin_lane(state, f);
    open.step = impl_->dropped + impl_->steps.size();
    open.shown = true;
    impl_->steps.push_back(std::move(step));
    impl_->begin_access(thread, open);
    impl_->drop();
  }
  impl_->follow_writes(thread, state, open);
  state.given.clear();
  state.withdrawn.reset();
  state.last = open;
}

void DetailedTracer::withdrawn(uint32_t thread) {
  Impl::ThreadState& state = impl_->threads[thread];
  if (!state.last) return;
  state.again = true;
  state.withdrawn = state.last;
  if (state.last->shown && impl_->dropped + impl_->steps.size() == state.last->step + 1) {
    if (!impl_->steps.empty() && !impl_->steps.back().note.empty()) state.started = false;
    if (impl_->steps.empty()) {  // it was not told
      impl_->untold_steps = --impl_->dropped;
    } else {
      impl_->freed = std::move(impl_->steps.back().ended);
      impl_->steps.pop_back();
    }
  }
  state.last.reset();
}

void DetailedTracer::note(uint32_t thread, std::string text) {
  for (auto it = impl_->steps.rbegin(); it != impl_->steps.rend(); ++it)
    if (it->thread == impl_->machine.ordinal(thread)) {
      it->note += (it->note.empty() ? "" : "; ") + text;
      return;
    }
}

void DetailedTracer::asked(uint32_t thread) {
  std::vector<Impl::Open>& calls = impl_->threads[thread].calls;
  for (auto call = calls.rbegin(); call != calls.rend(); ++call)
    if (call->shown) {
      call->asked = true;
      return;
    }
}

size_t DetailedTracer::size() const { return impl_->dropped + impl_->steps.size(); }

verdict::DetailedTrace DetailedTracer::finish() {
  const Pause& pause = impl_->machine.pause();
  for (uint32_t t = 0; t < impl_->threads.size(); ++t)
    if (impl_->threads[t].last && !(pause.final() && t == pause.thread)) impl_->complete(t, *impl_->threads[t].last);
  verdict::DetailedTrace trace;
  trace.steps.assign(std::make_move_iterator(impl_->steps.begin()), std::make_move_iterator(impl_->steps.end()));
  trace.lanes = std::move(impl_->lanes);
  for (const auto& [number, name] : impl_->begins_with)
    if (number < trace.lanes.size() && trace.lanes[number].empty()) trace.lanes[number] = name;
  trace.variables = std::move(impl_->variables);
  trace.rounds = std::move(impl_->rounds);
  trace.ended.assign(trace.lanes.size(), true);
  for (uint32_t t = 0; t < impl_->machine.thread_count(); ++t)
    if (impl_->machine.alive(t) && impl_->machine.ordinal(t) < trace.ended.size()) trace.ended[impl_->machine.ordinal(t)] = false;
  trace.dropped = impl_->dropped;
  for (DetailedStep& step : trace.steps)
    for (verdict::Read& read : step.reads) read.writer = read.writer > trace.dropped ? read.writer - trace.dropped : 0;
  if (pause.kind == PauseKind::Violation) tell_what_was_seen(trace);
  return trace;
}

}  // namespace whittle::exec
