#include "exec/detailed_tracer_impl.h"

#include <fmt/format.h>

#include <algorithm>

namespace whittle::exec {

/// A function that was called begins with its own statements: what its parameters are.
void DetailedTracer::Impl::entered(uint32_t thread, const Open& call, uint32_t frame, const program::Function& callee) {
  if (callee.runtime) return;
  DetailedStep* to = call.shown ? step(call.step) : nullptr;
  if (!call.shown) {  // the library calls: a signal handler, what qsort compares with
    const std::vector<Open>& calls = threads[thread].calls;
    const auto user = std::find_if(calls.rbegin(), calls.rend(), [](const Open& it) { return it.shown; });
    DetailedStep* of = user == calls.rend() ? nullptr : step(user->step);
    if (!of) return;
    to = &result_of(*of, of->round);
    to->callee = source_name(callee);
    to->arguments.clear();
  }
  if (!to) return;
  std::map<uint32_t, verdict::Change> arguments;
  for (program::RegisterId reg = 0; reg < callee.registers.size(); ++reg) {
    const program::Register& r = callee.registers[reg];
    if (r.argument == 0 || (r.name.empty() ? type(r.type).kind != program::Type::Kind::Pointer : reg >= callee.parameter_count)) continue;
    const u128 value = machine.register_value(thread, frame, reg);
    if (r.name.empty()) {  // an object
      const auto object = machine.object_at(static_cast<uint64_t>(value));
      if (!object || !object->alive || object->kind != ObjectInfo::Kind::Stack || object->address != static_cast<uint64_t>(value)) continue;
      const std::string name = naming.name(*object);
      arguments[r.argument] = {name, naming.contents(object->address, type(r.type).element), name, variable(object->address)};
      continue;
    }
    if (program::is_record(type(r.type)) || arguments.contains(r.argument)) continue;  // in a register: its object comes later
    naming.pointed(static_cast<uint64_t>(value), r.type);
    arguments[r.argument] = {r.name, naming.value(value, r.width(), r.type), "", variable(thread, frame, reg)};
  }
  for (auto& [number, argument] : arguments) to->arguments.push_back(std::move(argument));
}

/// Is the statement one of those at the begin of a function that put parameters where they belong?
bool DetailedTracer::Impl::begins_call(uint32_t thread, Frame& frame, const program::Function& f, const program::Statement& s) const {
  auto from_parameters = [&](term::Term t) {
    const std::vector<term::Term> all = term::variables(t);
    return !all.empty() && std::ranges::all_of(all, [&](term::Term v) { return program.register_of(v).reg < f.parameter_count; });
  };
  const uint32_t index = machine.frame_count(thread) - 1;
  auto of_parameter = [&](term::Term address) {
    const auto object = machine.object_at(static_cast<uint64_t>(machine.evaluate(thread, index, address)));
    if (!object || object->kind != ObjectInfo::Kind::Stack) return false;
    if (is_hidden(object->address)) return true;
    for (const auto& r : f.registers)
      if (r.argument != 0 && r.name.empty() && static_cast<uint64_t>(machine.register_value(thread, index, static_cast<program::RegisterId>(&r - f.registers.data()))) == object->address)
        return true;
    return false;
  };
  if (!frame.begins || s.kind == Kind::StackAlloc || s.kind == Kind::Skip) return frame.begins;
  if (s.position.column == 0) {  // of no statement: a struct is copied, piece by piece if other threads may look at it
    if (s.kind == Kind::Shared || s.kind == Kind::Assume || (s.kind == Kind::Load && f.registers[s.targets[0]].name.empty())) return true;
    if (s.kind == Kind::Store && of_parameter(s.operands[0])) return true;
  }
  if (s.kind == Kind::Store && from_parameters(s.operands[1]) && of_parameter(s.operands[0])) return true;
  if (s.kind == Kind::Copy && of_parameter(s.operands[0]) && (from_parameters(s.operands[1]) || of_parameter(s.operands[1]))) return true;
  if (s.kind == Kind::Assign && f.registers[s.targets[0]].argument != 0 && from_parameters(s.operands[0]) &&
      term::variables(s.operands[0]).size() == 1 &&
      f.registers[program.register_of(term::variables(s.operands[0])[0]).reg].argument == f.registers[s.targets[0]].argument &&
      s.operands[0].op() == term::Op::ZExt)
    return true;
  return false;
}

uint32_t DetailedTracer::Impl::variable(uint32_t thread, uint32_t frame, program::RegisterId reg) {
  ThreadState& state = threads[thread];
  if (frame >= state.frames.size()) return 0;
  Frame& in = state.frames[frame];
  uint32_t& number = in.variables[reg];
  if (number == 0) {
    const program::Register& r = program.functions[in.function].registers[reg];
    number = static_cast<uint32_t>(variables.size());
    variables.push_back({r.name, state.ordinal, in.number});
    scopes.push_back(r.scope);
  }
  touch(number);
  return number;
}

/// A variable got a value: it is there until its block ends.
void DetailedTracer::Impl::touch(uint32_t variable) {
  if (!scopes[variable].known()) return;
  for (ThreadState& state : threads)
    for (Frame& frame : state.frames)
      if (frame.number == variables[variable].frame && std::ranges::find(frame.scoped, variable) == frame.scoped.end())
        frame.scoped.push_back(variable);
}

void DetailedTracer::Impl::end_scopes(DetailedStep& step, Frame& frame, const program::SourcePosition& at) {
  step.ended = std::move(freed);
  freed.clear();
  std::erase_if(frame.scoped, [&](uint32_t variable) {
    if (scopes[variable].contains(at)) return false;
    step.ended.push_back(variable);
    return true;
  });
}

uint32_t DetailedTracer::Impl::add_round(verdict::Round round) {
  rounds.push_back(round);
  return static_cast<uint32_t>(rounds.size() - 1);
}

bool returns_in_memory(const program::Program& program, const program::Function& f) {
  return f.return_width == 0 && program::is_record(program.types[f.return_type]) && f.parameter_count > 0 && f.registers[0].argument == 0 &&
         f.registers[0].width() == program.pointer_width();
}

/// A call begins. The struct that it builds for its caller is its own variable until it returns.
void DetailedTracer::Impl::enter(uint32_t thread, uint32_t index, ThreadState& state) {
  Frame& frame = state.frames[index];
  const program::Function& f = program.functions[frame.function];
  if (f.runtime || !returns_in_memory(program, f)) return;
  const program::Register& r = f.registers[0];
  const auto object = machine.object_at(static_cast<uint64_t>(machine.register_value(thread, index, 0)));
  const auto address = static_cast<uint64_t>(machine.register_value(thread, index, 0));
  if (object && object->size > type(f.return_type).size && address + type(f.return_type).size <= object->address + object->size)
    frame.part = {r.name, f.return_type, address, true};
  if (!object || object->address != address || object->size != type(f.return_type).size) return;
  frame.result = {address, objects[address], hidden[address]};
  naming.begin_result(address, r.name, f.return_type);
  hidden[address] = r.name.empty();
  objects[address] = static_cast<uint32_t>(variables.size());
  variables.push_back({r.name, state.ordinal, frame.number});
  scopes.push_back(r.scope);
}

void DetailedTracer::Impl::leave(const Frame& frame) {
  if (!frame.result) return;
  naming.end_result(frame.result->address);
  objects[frame.result->address] = frame.result->variable;
  hidden[frame.result->address] = frame.result->hidden;
}

/// Is there such a call on the stack, in the round of a recursion that the innermost call is in, with no loop in between?
bool DetailedTracer::Impl::recurs(const std::vector<Frame>& frames, program::FunctionId function) const {
  if (program.functions[function].runtime) return false;
  for (auto frame = frames.rbegin(); frame != frames.rend(); ++frame) {
    if (!frame->rounds.empty() || program.functions[frame->function].runtime) return false;
    if (frame->function == function) return true;
    if (frame->begins_round) return false;
  }
  return false;
}

/// Calls and returns since the last statement of the thread. Calls of a function by itself, one in the other, also through other
/// functions, are told like the rounds of a loop; so are the returns from them.
void DetailedTracer::Impl::follow_frames(uint32_t thread, ThreadState& state, uint32_t frame, program::FunctionId function) {
  using Round = verdict::Round;
  std::vector<Frame>& frames = state.frames;
  // `same`: the round that was last is one of the same recursion.
  auto next_round = [&](uint32_t last, Round::Kind kind, bool same) {
    const Round before = rounds[last];
    if (same && before.kind == kind && before.loop != 0) return add_round({before.around, before.loop, before.number + 1, kind});
    return add_round({same && before.kind != Round::Kind::Loop ? before.around : last, ++loop_count, 1, kind});
  };
  while (frames.size() > frame + 1) {
    const Frame ended_frame = std::move(frames.back());
    frames.pop_back();
    leave(ended_frame);
    Frame& caller = frames.back();
    if (!caller.rounds.empty() || program.functions[caller.function].runtime) continue;
    const bool goes_on = rounds[ended_frame.around].kind == Round::Kind::Return && ended_frame.head != ended_frame.function;
    if (ended_frame.begins_round && ended_frame.leaf) {  // part of its caller's round: another call may follow
      rounds[ended_frame.around] = {caller.around, ++loop_count, 1, Round::Kind::Call};
      continue;
    }
    if (ended_frame.begins_round)
      caller.around = next_round(ended_frame.around, Round::Kind::Return, true);
    else if (goes_on)
      caller.around = ended_frame.around;
    if (ended_frame.begins_round || goes_on) caller.head = ended_frame.head;
  }
  while (frames.size() < frame + 1) {
    const uint32_t index = static_cast<uint32_t>(frames.size());
    Frame made;
    made.number = ++frame_count;
    made.function = machine.frame(thread, index).function;
    if (index > 0) {
      const Frame& caller = frames.back();
      made.around = caller.rounds.empty() ? caller.around : caller.rounds.back();
      made.head = caller.rounds.empty() ? caller.head : program::kNone;
      if (recurs(frames, made.function)) {
        made.around = next_round(made.around, Round::Kind::Call, made.head == made.function);
        made.head = made.function, made.begins_round = true;
        for (auto outer = frames.rbegin(); outer != frames.rend(); ++outer) {
          outer->leaf = false;
          if (outer->begins_round) break;
        }
      }
    }
    frames.push_back(std::move(made));
    enter(thread, index, state);
  }
  if (frames.back().function != function) {
    leave(frames.back());
    Frame made;
    made.number = ++frame_count, made.function = function, made.around = frames.back().around;
    frames.back() = std::move(made);
    enter(thread, frame, state);
  }
}

/// Loops that were entered and left, and the round that the innermost one is in.
void DetailedTracer::Impl::follow_rounds(ThreadState& state, program::FunctionId function, program::LocationId location) {
  Frame& frame = state.frames.back();
  const program::Function& f = program.functions[function];
  if (f.runtime) return;
  auto found = loops_of.find(function);
  if (found == loops_of.end()) {
    found = loops_of.emplace(function, KnownLoops{program::analysis::Loops(f), {}}).first;
    for (const program::analysis::Loop& loop : found->second.loops.all()) found->second.of_source.push_back(!is_of_front_end(f, loop));
  }
  const program::analysis::Loops& all = found->second.loops;
  std::vector<uint32_t> here;  // outermost first
  for (uint32_t loop = all.innermost(location); loop != program::kNone; loop = all.all()[loop].parent)
    if (found->second.of_source[loop]) here.insert(here.begin(), loop);
  size_t same = 0;
  while (same < here.size() && same < frame.loops.size() && here[same] == frame.loops[same]) ++same;
  frame.loops.resize(same), frame.rounds.resize(same);
  if (same > 0 && same == here.size() && all.all()[here.back()].head == location) {
    const verdict::Round last = rounds[frame.rounds.back()];
    frame.rounds.back() = add_round({last.around, last.loop, last.number + 1, last.kind});
  }
  for (; same < here.size(); ++same) {
    const uint32_t around = frame.rounds.empty() ? frame.around : frame.rounds.back();
    frame.loops.push_back(here[same]);
    frame.rounds.push_back(add_round({around, ++loop_count, 1, verdict::Round::Kind::Loop}));
  }
}

/// A value as a function returns it: a struct comes in one or two pieces of up to 8 bytes, one after the other.
std::optional<std::string> DetailedTracer::Impl::result_text(const program::Function& callee, u128 value) const {
  const program::Type& it = type(callee.return_type);
  if (!program::is_record(it)) return naming.value(value, callee.return_width, callee.return_type);
  std::array<uint8_t, 16> bytes = {};
  if (it.size > bytes.size()) return std::nullopt;
  auto put = [&](u128 bits, size_t at, size_t count) {
    for (size_t i = 0; i < count && at + i < bytes.size(); ++i) bytes[at + i] = static_cast<uint8_t>(bits >> (8 * i));
  };
  if (callee.return_width == 8 * it.size || it.size <= 8) {
    put(value, 0, it.size);
  } else {  // padding before the second piece is left out
    uint64_t used = 0;
    for (const program::Type::Field& field : it.fields)
      if (field.bit_offset < 64) used = std::max(used, std::min<uint64_t>(8, (field.bit_offset + (field.bit_width != 0 ? field.bit_width : 8 * type(field.type).size) + 7) / 8));
    uint64_t first = 1;
    while (first < used) first *= 2;
    if (callee.return_width <= 8 * first || callee.return_width - 8 * first > 64) return std::nullopt;
    put(value, 0, first);
    put(value >> (8 * first), 8, callee.return_width / 8 - first);
  }
  return naming.contents(std::span<const uint8_t>(bytes.data(), it.size), callee.return_type);
}

/// What a call of one of the user's functions gave back, where no variable shows it.
void DetailedTracer::Impl::returned(DetailedStep& to, uint32_t thread, const Open& call) {
  const program::Statement& s = edge(call).statement;
  if ((s.kind != Kind::Call && s.kind != Kind::IndirectCall) || s.targets.empty() || call.callee == program::kNone) return;
  const program::Register& r = program.functions[call.function].registers[s.targets[0]];
  const program::Function& callee = program.functions[call.callee];
  if (!r.name.empty() || (callee.runtime && !call.asked) || r.width() != callee.return_width || (threads[thread].jumps && !callee.runtime)) return;
  const u128 value = machine.register_value(thread, call.frame, s.targets[0]);
  if (type(callee.return_type).kind == program::Type::Kind::Pointer) naming.pointed(static_cast<uint64_t>(value), callee.return_type);
  const auto text = result_text(callee, value);
  if (!text) return;
  const std::string said = fmt::format("{} returns {}", source_name(callee), *text);
  to.note += (to.note.empty() ? "" : "; ") + said;
  threads[thread].said = {&to == step(call.step) ? call.step : dropped + steps.size() - 1, said, *text, callee.return_type, call.frame, s.targets[0]};
}

/// Structs come from where they were put meanwhile, other values from the register.
bool DetailedTracer::Impl::stores_result(uint32_t thread, const Open& open) const {
  const Said& said = *threads[thread].said;
  if (said.type == program::kNoType || program::is_record(type(said.type))) return true;
  const program::Statement& s = edge(open).statement;
  return s.kind == Kind::Store && uses_result(said, open.frame, std::span(s.operands).subspan(1, 1));
}

bool DetailedTracer::Impl::uses_result(const Said& said, uint32_t frame, std::span<const term::Term> operands) const {
  if (frame != said.frame) return false;
  return std::ranges::any_of(operands, [&](term::Term operand) {
    return std::ranges::any_of(term::variables(operand), [&](term::Term v) { return program.register_of(v).reg == said.result; });
  });
}

/// `b = mk()`: b shows what mk returned.
void DetailedTracer::Impl::withdraw_result(ThreadState& state) {
  DetailedStep* by = step(state.said->step);
  if (const size_t at = by ? by->note.rfind(state.said->text) : std::string::npos; at != std::string::npos) by->note.resize(at >= 2 ? at - 2 : 0);
  state.said.reset();
}

/// A struct that was returned in two pieces is stored in two pieces. Once it is whole it is told as one.
void DetailedTracer::Impl::join_pieces(DetailedStep& to, uint32_t thread, const Open& open) {
  auto& said = threads[thread].said;
  if (!said || !program::is_record(type(said->type)) || open.size >= type(said->type).size) return;
  if (said->pieces.empty()) said->begin = open.address;
  const uint64_t size = type(said->type).size;
  if (open.address < said->begin || open.address - said->begin >= size) return;
  said->pieces.push_back(open.step);
  if (naming.contents(said->begin, said->type) != said->value) return;
  std::vector<uint8_t> before(size);
  machine.read_memory(said->begin, before);
  std::vector<verdict::Change> whole = naming.changes(open.through, said->begin, before);
  if (whole.size() != 1 || whole[0].value != said->value) return;
  for (uint64_t piece : said->pieces)
    if (DetailedStep* by = step(piece)) by->changes.clear();
  belongs(whole[0], said->begin);
  to.changes.push_back(std::move(whole[0]));
  withdraw_result(threads[thread]);
}

/// A struct that the callee built in memory: the variable that it is now, or what was returned where no variable is it.
void DetailedTracer::Impl::returned_struct(DetailedStep& to, uint32_t thread, const Open& call, uint32_t round) {
  const program::Statement& s = edge(call).statement;
  if (call.callee == program::kNone) return;
  const program::Function& callee = program.functions[call.callee];
  const size_t first = s.kind == Kind::IndirectCall ? 1 : 0;
  if (callee.runtime || !returns_in_memory(program, callee) || s.operands.size() <= first) return;
  const auto address = static_cast<uint64_t>(machine.evaluate(thread, call.frame, s.operands[first]));
  const uint64_t size = type(callee.return_type).size;
  const auto object = machine.object_at(address);
  if (!object || !object->alive) return;
  DetailedStep& result = result_of(to, round);
  const std::string value = naming.contents(address, callee.return_type);
  if (is_hidden(address)) {
    const std::string text = fmt::format("{} returns {}", source_name(callee), value);
    threads[thread].said = {&result == &to ? call.step : dropped + steps.size() - 1, text, value};
    result.note += (result.note.empty() ? "" : "; ") + text;
    return;
  }
  std::vector<uint8_t> before(size);
  machine.read_memory(address, before);
  for (verdict::Change& change : naming.changes({}, address, before)) {
    belongs(change, address);
    result.changes.push_back(std::move(change));
  }
}

/// The step that shows what a statement has changed: a call that has shown its callee gets another one after it.
DetailedStep& DetailedTracer::Impl::result_of(DetailedStep& of, uint32_t round) {
  DetailedStep& last = steps.back();
  if (&of == &last || (last.thread == of.thread && last.depth == of.depth)) return of;
  DetailedStep again = of;
  again.changes.clear();
  again.note.clear();
  again.callee.clear();
  again.arguments.clear();
  again.reads.clear();
  again.ended.clear();
  again.round = round;
  return steps.emplace_back(std::move(again));
}

}  // namespace whittle::exec
