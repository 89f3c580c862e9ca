#include "exec/detailed_tracer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <unordered_map>

#include "exec/naming.h"
#include "exec/thread_word.h"
#include "program/analysis/loops.h"
#include "semantics/access.h"

namespace whittle::exec {

using program::Kind;
using verdict::DetailedStep;

namespace {

constexpr uint64_t kFollowedBytes = 4096;  ///< of one write: what a read of a later byte saw is not told
constexpr uint64_t kMutexBytes = 40;       ///< sizeof(pthread_mutex_t)
constexpr uint64_t kOtherBytes = 16;       ///< of a semaphore, barrier or lock: what is there changes when it is used
constexpr size_t kModelWrites = 16;        ///< pieces of memory that one call of a model is shown to write
constexpr std::string_view kNameless = "heap object allocated";  ///< what messages call it that know no number
constexpr size_t kFailingLines = 4;        ///< lines back from the violation that are searched for what it read

}  // namespace

struct DetailedTracer::Impl {
  /// A statement that has been announced but whose effect is not known yet.
  struct Open {
    uint64_t step = 0;  ///< number of its step since the begin of the run
    bool shown = false;
    uint32_t frame = 0;
    program::FunctionId function = 0;
    uint32_t edge = 0;
    uint64_t address = 0;  ///< of what it stores or loads
    uint64_t size = 0;
    Through through;       ///< the pointer it goes through
    std::vector<uint8_t> before;  ///< what was there, if it stores
    struct Range {
      uint64_t address = 0, size = 0;
    };
    std::array<Range, 2> writes = {};  ///< all that it writes
    uint64_t writer = 0;               ///< number of the step that shows it: its own, or the user's call of the model; from 1
    std::vector<Range> by_model;       ///< of a call of a model: what it has written, by address
    program::FunctionId callee = program::kNone;  ///< of a call that has gone into a function
    bool asked = false;                           ///< of a call of a model: it took an input
  };
  /// A call that has not returned.
  struct Frame {
    uint32_t number = 0;  ///< in the run
    program::FunctionId function = program::kNone;
    bool begins = true;   ///< its parameters are still put where they belong
    std::map<program::RegisterId, uint32_t> variables = {};
    std::vector<uint32_t> scoped = {};  ///< those that are there now, and not for the whole call
    uint32_t around = 0;                ///< the round in which it was called
    std::vector<uint32_t> rounds = {};  ///< of its loops, innermost last: numbers of rounds
    std::vector<uint32_t> loops = {};   ///< the same loops, by number in the function
    /// Where it builds the struct that it returns, and what was known of that object before.
    struct Result {
      uint64_t address = 0;
      uint32_t variable = 0;
      bool hidden = false;
    };
    std::optional<Result> result = {};
  };
  /// "mk returns {x = 1}", said in a note.
  struct Said {
    uint64_t step = 0;
    std::string text, value;
  };
  struct ThreadState {
    uint32_t ordinal = 0;
    bool started = false;
    std::optional<Open> last;
    std::vector<Open> calls;  ///< calls that have not returned, innermost last
    std::vector<Frame> frames;
    bool again = false;  ///< its last statement was withdrawn: it will come once more
    std::optional<Said> said = {};  ///< of the last struct that was returned
  };

  Machine& machine;
  const program::Program& program;
  Naming naming;
  size_t max_steps;
  uint64_t untold;              ///< statements before the first that is told
  uint64_t untold_steps = 0;
  std::deque<DetailedStep> steps;
  uint64_t dropped = 0;
  std::vector<ThreadState> threads;
  std::vector<std::string> lanes;
  /// Which step wrote a byte last. Not of objects that no other thread and no other call can look at.
  std::unordered_map<uint64_t, uint64_t> writers;
  uint32_t frame_count = 0, loop_count = 0;
  std::vector<verdict::Variable> variables{{}};
  std::vector<program::Extent> scopes{{}};      ///< by variable
  std::vector<verdict::Round> rounds{{}};
  std::map<uint64_t, uint32_t> objects;         ///< variables by where their objects begin
  std::map<uint64_t, bool> hidden;              ///< objects on stacks, by where they begin: is it the compiler's own?
  std::vector<uint32_t> freed;                  ///< since the last step
  std::unordered_map<program::FunctionId, program::analysis::Loops> loops_of;

  DetailedStep* step(uint64_t number) {
    return number >= dropped && number - dropped < steps.size() ? &steps[number - dropped] : nullptr;
  }
  const program::Edge& edge(const Open& open) const { return program.functions[open.function].edges[open.edge]; }
  const program::Type& type(program::TypeId id) const { return program.types[id]; }
  std::string c(term::Term t) const { return program::to_c(program, t); }

  /// The only pointer of the source that the address depends on.
  Through through(uint32_t thread, uint32_t frame, term::Term address) const {
    Through found;
    for (term::Term variable : term::variables(address)) {
      const auto ref = program.register_of(variable);
      const program::Register& r = program.functions[ref.function].registers[ref.reg];
      if (r.name == "...") return {};
      if (program.types[r.type].kind != program::Type::Kind::Pointer || r.name.empty()) continue;
      if (!found.name.empty()) return {};
      found = {r.name, r.type, static_cast<uint64_t>(machine.register_value(thread, frame, ref.reg))};
    }
    return found;
  }
  std::string place(uint32_t thread, uint32_t frame, term::Term address, uint64_t size) const {
    uint64_t value = static_cast<uint64_t>(machine.evaluate(thread, frame, address));
    if (auto named = naming.place(through(thread, frame, address), value, size)) return named->text;
    if (machine.object_at(value)) return naming.place(value, size).text;
    return "*(" + c(address) + ")";
  }
  std::string target(const program::Function& f, const program::Statement& s, size_t i = 0) const {
    if (s.targets.size() <= i) return "";
    const program::Register& reg = f.registers[s.targets[i]];
    return (reg.name.empty() ? c(reg.variable) : reg.name) + " = ";
  }
  std::string list(const program::Statement& s, size_t first = 0) const {
    std::string text;
    for (size_t i = first; i < s.operands.size(); ++i) text += (i == first ? "" : ", ") + c(s.operands[i]);
    return text;
  }
  std::string text(uint32_t thread, uint32_t frame, const program::Function& f, const program::Location& location,
                   const program::Statement& s) const;
  void complete(uint32_t thread, Open& open);
  void follow_frames(uint32_t thread, ThreadState& state, uint32_t frame, program::FunctionId function);
  void enter(uint32_t thread, uint32_t index, ThreadState& state);
  void leave(const Frame& frame);
  void follow_rounds(ThreadState& state, program::FunctionId function, program::LocationId location);
  uint32_t add_round(verdict::Round round);
  bool is_hidden(uint64_t address) const;
  bool begins_call(uint32_t thread, Frame& frame, const program::Function& f, const program::Statement& s) const;
  uint32_t variable(uint32_t thread, uint32_t frame, program::RegisterId reg);
  uint32_t variable(uint64_t address);
  void belongs(verdict::Change& change, uint64_t address);
  void touch(uint32_t variable);
  void end_scopes(DetailedStep& step, Frame& frame, const program::SourcePosition& at);
  std::optional<std::string> result_text(const program::Function& callee, u128 value) const;
  DetailedStep& result_of(DetailedStep& of, uint32_t round);
  void follow_objects(uint32_t thread, const Open& open);
  void follow_writes(uint32_t thread, ThreadState& state, Open& open) const;
  std::vector<verdict::Change> written(uint32_t thread, const Open& call);
  Through argument_at(uint32_t thread, const Open& call, uint64_t address) const;
  void add_read(DetailedStep& to, uint32_t thread, const Open& open);
  void follow_pointer(const Open& open);
  void begin_access(uint32_t thread, Open& open) const;
  const Open* user_call(uint32_t thread) const;
  std::string library_object(uint64_t address) const;
  std::string holder(uint32_t thread, uint64_t address, bool mutex) const;
  std::string waiting(uint32_t thread) const;
  void explain_race(verdict::Violation& violation, uint32_t thread) const;
  void explain_lock(verdict::Violation& violation, uint32_t thread) const;
  std::string user_position(const ThreadState& state, const program::Statement& here) const;
  void changed(DetailedStep& to, uint32_t thread, uint32_t frame, const program::Function& f, program::RegisterId reg);
  void entered(uint32_t thread, const Open& call, uint32_t frame, const program::Function& callee);
  void returned(DetailedStep& to, uint32_t thread, const Open& call);
  void returned_struct(DetailedStep& to, uint32_t thread, const Open& call, uint32_t round);
  void begin_lane(ThreadState& state, const program::Function& f) {
    if (state.started) return;
    if (lanes.size() <= state.ordinal) lanes.resize(state.ordinal + 1);
    lanes[state.ordinal] = source_name(f);
    state.started = true;
  }
  void drop() {
    while (steps.size() > max_steps) steps.pop_front(), ++dropped;
  }
};

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
                           program::RegisterId reg) {
  const program::Register& r = f.registers[reg];
  if (r.name.empty()) return;  // an intermediate value, not a variable of the source
  u128 value = machine.register_value(thread, frame, reg);
  naming.pointed(static_cast<uint64_t>(value), r.type);
  to.changes.push_back({r.name, naming.value(value, r.width(), r.type), "", variable(thread, frame, reg)});
}

/// A function that was called begins with its own statements: what its parameters are.
void DetailedTracer::Impl::entered(uint32_t thread, const Open& call, uint32_t frame, const program::Function& callee) {
  DetailedStep* to = call.shown ? step(call.step) : nullptr;
  if (!to || callee.runtime) return;
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

bool DetailedTracer::Impl::is_hidden(uint64_t address) const {
  const auto object = machine.object_at(address);
  if (!object || object->kind != ObjectInfo::Kind::Stack) return false;
  const auto found = hidden.find(object->address);
  return found != hidden.end() && found->second;
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

uint32_t DetailedTracer::Impl::variable(uint64_t address) {
  const auto object = machine.object_at(address);
  if (!object) return 0;
  uint32_t& number = objects[object->address];
  if (number == 0) {
    number = static_cast<uint32_t>(variables.size());
    variables.push_back({naming.name(*object), 0, 0});
    scopes.push_back({});
  }
  if (object->kind == ObjectInfo::Kind::Heap) variables[number].name = naming.name(*object);
  touch(number);
  return number;
}

/// Says whose part the place is.
void DetailedTracer::Impl::belongs(verdict::Change& change, uint64_t address) {
  change.variable = variable(address);
  const auto object = machine.object_at(address);
  const std::string name = object ? naming.name(*object) : "";
  if (object && change.place.starts_with(name)) change.place.replace(0, name.size(), naming.place_name(*object));
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

namespace {

/// Structs of more than 16 bytes are built where the caller says, in the first parameter.
bool returns_in_memory(const program::Program& program, const program::Function& f) {
  return f.return_width == 0 && program::is_record(program.types[f.return_type]) && f.parameter_count > 0 && f.registers[0].argument == 0 &&
         f.registers[0].width() == program.pointer_width();
}

}  // namespace

/// A call begins. The struct that it builds for its caller is its own variable until it returns.
void DetailedTracer::Impl::enter(uint32_t thread, uint32_t index, ThreadState& state) {
  Frame& frame = state.frames[index];
  const program::Function& f = program.functions[frame.function];
  if (f.runtime || !returns_in_memory(program, f)) return;
  const program::Register& r = f.registers[0];
  const auto object = machine.object_at(static_cast<uint64_t>(machine.register_value(thread, index, 0)));
  if (!object || object->address != static_cast<uint64_t>(machine.register_value(thread, index, 0)) || object->size != type(f.return_type).size) return;
  const uint64_t address = object->address;
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

/// Calls and returns since the last statement of the thread. Calls of a function by itself, one in the other, are told like the
/// rounds of a loop; so are the returns from them.
void DetailedTracer::Impl::follow_frames(uint32_t thread, ThreadState& state, uint32_t frame, program::FunctionId function) {
  using Round = verdict::Round;
  std::vector<Frame>& frames = state.frames;
  auto next_round = [&](uint32_t last, Round::Kind kind, uint32_t around) {
    if (rounds[last].kind == kind && rounds[last].loop != 0 && kind != Round::Kind::Loop)
      return add_round({rounds[last].around, rounds[last].loop, rounds[last].number + 1, kind});
    return add_round({around, ++loop_count, 1, kind});
  };
  while (frames.size() > frame + 1) {
    const Frame ended_frame = std::move(frames.back());
    frames.pop_back();
    leave(ended_frame);
    Frame& caller = frames.back();
    if (caller.function != ended_frame.function || !caller.rounds.empty() || program.functions[caller.function].runtime) continue;
    const uint32_t outside = rounds[ended_frame.around].kind == Round::Kind::Loop ? ended_frame.around : rounds[ended_frame.around].around;
    caller.around = next_round(ended_frame.around, Round::Kind::Return, outside);
  }
  while (frames.size() < frame + 1) {
    const uint32_t index = static_cast<uint32_t>(frames.size());
    Frame made;
    made.number = ++frame_count;
    made.function = machine.frame(thread, index).function;
    if (index > 0) {
      const Frame& caller = frames.back();
      made.around = caller.rounds.empty() ? caller.around : caller.rounds.back();
      if (caller.function == made.function && caller.rounds.empty() && !program.functions[made.function].runtime) {
        const Round& last = rounds[made.around];
        made.around = next_round(made.around, Round::Kind::Call, last.kind == Round::Kind::Loop ? made.around : last.around);
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
  if (found == loops_of.end()) found = loops_of.try_emplace(function, f).first;
  const program::analysis::Loops& all = found->second;
  std::vector<uint32_t> here;  // outermost first
  for (uint32_t loop = all.innermost(location); loop != program::kNone; loop = all.all()[loop].parent) here.insert(here.begin(), loop);
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
  if (!r.name.empty() || (callee.runtime && !call.asked) || r.width() != callee.return_width) return;
  const u128 value = machine.register_value(thread, call.frame, s.targets[0]);
  if (type(callee.return_type).kind == program::Type::Kind::Pointer) naming.pointed(static_cast<uint64_t>(value), callee.return_type);
  if (const auto text = result_text(callee, value))
    to.note += fmt::format("{}{} returns {}", to.note.empty() ? "" : "; ", source_name(callee), *text);
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

/// A statement that made an object has just been executed.
void DetailedTracer::Impl::follow_objects(uint32_t thread, const Open& open) {
  const program::Statement& s = edge(open).statement;
  if ((s.kind != Kind::HeapAlloc && s.kind != Kind::StackAlloc) || !machine.alive(thread)) return;
  if (machine.frame_count(thread) <= open.frame || machine.frame(thread, open.frame).function != open.function) return;
  const uint64_t address = static_cast<uint64_t>(machine.register_value(thread, open.frame, s.targets[0]));
  const program::Register& r = program.functions[open.function].registers[s.targets[0]];
  naming.made(address, s.kind == Kind::HeapAlloc, r.type);
  objects.erase(address);
  hidden.erase(address);
  if (s.kind == Kind::HeapAlloc || open.frame >= threads[thread].frames.size()) return;
  // What has a name but no type is not of the source.
  const program::Type& pointed = type(type(r.type).element);
  const bool list = type(pointed.kind == program::Type::Kind::Array ? pointed.element : type(r.type).element).name.ends_with("__va_list_tag");
  hidden[address] = list || program.functions[open.function].runtime || (r.type == program::kNoType && !s.text.empty() && !s.text.starts_with(".compoundliteral"));
  objects[address] = static_cast<uint32_t>(variables.size());
  variables.push_back({s.text, threads[thread].ordinal, threads[thread].frames[open.frame].number});
  scopes.push_back(r.scope);
}

/// What a statement is about to write. Of a model of the library: by the user's call.
void DetailedTracer::Impl::follow_writes(uint32_t thread, ThreadState& state, Open& open) const {
  const program::Statement& s = edge(open).statement;
  if (open.shown) open.writer = open.step + 1;
  Open* model = nullptr;  // the user's call of it
  for (auto call = state.calls.rbegin(); open.writer == 0 && call != state.calls.rend(); ++call)
    if (call->shown) model = &*call, open.writer = call->step + 1;
  if (open.writer == 0) return;
  size_t count = 0;
  for (const semantics::Access& access : semantics::accesses(s)) {
    if (!access.write) continue;
    uint64_t size = access.bytes;
    if (access.size_operand != semantics::Access::kFixed)
      size = static_cast<uint64_t>(machine.evaluate(thread, open.frame, s.operands[access.size_operand]));
    const auto address = static_cast<uint64_t>(machine.evaluate(thread, open.frame, s.operands[access.address]));
    open.writes[count++] = {address, std::min(size, kFollowedBytes)};
    if (!model || is_hidden(address)) continue;
    if (!model->by_model.empty() && model->by_model.back().address + model->by_model.back().size == address)
      model->by_model.back().size += size;
    else if (model->by_model.size() < kModelWrites)
      model->by_model.push_back({address, size});
  }
}

/// The argument of the call that points to the place, or before it.
Through DetailedTracer::Impl::argument_at(uint32_t thread, const Open& call, uint64_t address) const {
  const auto object = machine.object_at(address);
  if (const program::Statement& s = edge(call).statement; object && !s.targets.empty()) {  // realloc
    const program::Register& r = program.functions[call.function].registers[s.targets[0]];
    const auto value = r.width() == program.pointer_width() ? static_cast<uint64_t>(machine.register_value(thread, call.frame, s.targets[0])) : 0;
    // `text = strdup("a")` must not read as if the pointer were the text.
    if (!r.name.empty() && value == object->address && type(type(r.type).element).size != 1) return {r.name, r.type, value};
  }
  for (term::Term operand : edge(call).statement.operands) {
    if (operand.width() != program.pointer_width()) continue;
    const auto value = static_cast<uint64_t>(machine.evaluate(thread, call.frame, operand));
    const auto other = machine.object_at(value);
    if (object && other && other->address == object->address && value <= address) return through(thread, call.frame, operand);
  }
  return {};
}

/// What a model of the library has written into the user's objects: "buf = \"abc\"".
std::vector<verdict::Change> DetailedTracer::Impl::written(uint32_t thread, const Open& call) {
  const program::Statement& s = edge(call).statement;
  std::vector<verdict::Change> all;
  const program::FunctionRole role = s.kind == Kind::Call ? program.functions[s.callee].role : program::FunctionRole::Threads;
  if (role != program::FunctionRole::None && role != program::FunctionRole::JoinThread) return all;
  for (const Open::Range& range : call.by_model) {
    const auto object = machine.object_at(range.address);
    if (!object || !object->alive || range.address + range.size > object->address + object->size) continue;
    const auto id = program.object_at(range.address);
    if (object->kind == ObjectInfo::Kind::Static && (!id || program.objects[*id].runtime)) continue;
    if (object->kind == ObjectInfo::Kind::ThreadLocal || is_hidden(range.address)) continue;
    std::vector<uint8_t> before(std::min(range.size, kFollowedBytes));
    machine.read_memory(range.address, before);
    const bool zero = std::ranges::all_of(before, [](uint8_t byte) { return byte == 0; });
    if (zero && object->kind == ObjectInfo::Kind::Heap && range.size == object->size) continue;  // calloc
    for (verdict::Change& change : naming.changes(argument_at(thread, call, range.address), range.address, before))
      if (std::ranges::find(all, change) == all.end()) {
        belongs(change, range.address);
        all.push_back(std::move(change));
      }
  }
  return all;
}

void DetailedTracer::Impl::begin_access(uint32_t thread, Open& open) const {
  const program::Statement& s = edge(open).statement;
  const bool block = s.kind == Kind::Copy || s.kind == Kind::Fill;
  if (!block && s.kind != Kind::Store && s.kind != Kind::Load && s.kind != Kind::AtomicRmw && s.kind != Kind::AtomicCas) return;
  open.address = static_cast<uint64_t>(machine.evaluate(thread, open.frame, s.operands[0]));
  open.size = block ? static_cast<uint64_t>(machine.evaluate(thread, open.frame, s.operands[2])) : s.width / 8;
  open.through = through(thread, open.frame, s.operands[0]);
  if (s.kind == Kind::Load || open.size > kFollowedBytes) return;
  open.before.resize(open.size);
  machine.read_memory(open.address, open.before);
}

/// What a load has read, unless no one but its own function could have written it.
void DetailedTracer::Impl::add_read(DetailedStep& to, uint32_t thread, const Open& open) {
  const program::Statement& s = edge(open).statement;
  const auto object = machine.object_at(open.address);
  if (!object || object->constant || s.targets.empty() || is_hidden(open.address)) return;
  const auto seen = naming.place(open.through, open.address, open.size);
  const PlaceName named = seen ? *seen : naming.place(open.address, open.size);
  const u128 value = machine.register_value(thread, open.frame, s.targets[0]);
  uint64_t writer = 0;
  for (uint64_t i = 0; i < open.size; ++i)
    if (auto found = writers.find(open.address + i); found != writers.end()) writer = std::max(writer, found->second);
  to.reads.push_back({named.text, naming.value(value, static_cast<unsigned>(open.size * 8), named.type), writer});
}

/// "a.c:12" of the user's statement that is executed, also inside a model.
std::string DetailedTracer::Impl::user_position(const ThreadState& state, const program::Statement& here) const {
  for (auto call = state.calls.rbegin(); call != state.calls.rend(); ++call)
    if (call->shown) return program.where(edge(*call).statement.position);
  return program.where(here.position);
}

/// A pointer that is stored tells what type the object has that it points to.
void DetailedTracer::Impl::follow_pointer(const Open& open) {
  uint64_t value = 0;
  if (open.size > sizeof value || is_hidden(open.address)) return;
  if (!machine.read_memory(open.address, {reinterpret_cast<uint8_t*>(&value), open.size}) || !naming.knows(value)) return;
  const auto seen = naming.place(open.through, open.address, open.size);
  naming.pointed(value, (seen ? *seen : naming.place(open.address, open.size)).type);
}

void DetailedTracer::Impl::complete(uint32_t thread, Open& open) {
  follow_objects(thread, open);
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
  if (kind != Kind::Return && there)
    for (program::RegisterId reg : e.statement.targets) {
      DetailedStep& result = result_of(*to, round);
      changed(result, thread, open.frame, f, reg);
      returned(result, thread, open);
    }
  if (kind == Kind::Call || kind == Kind::IndirectCall) {
    threads[thread].said.reset();
    if (there) returned_struct(*to, thread, open, round);
  }
  if (kind == Kind::Load && there && open.size <= 16) add_read(*to, thread, open);
  if (there && !open.by_model.empty())
    if (std::vector<verdict::Change> all = written(thread, open); !all.empty()) {
      std::vector<verdict::Change>& changes = result_of(*to, round).changes;
      changes.insert(changes.end(), all.begin(), all.end());
    }
  if (kind == Kind::Load || open.before.empty() || is_hidden(open.address)) return;
  for (verdict::Change& change : naming.changes(open.through, open.address, open.before)) {
    belongs(change, open.address);
    if (auto& said = threads[thread].said; said && said->value == change.value) {  // `b = mk()`: b shows it
      DetailedStep* by = step(said->step);
      if (const size_t at = by ? by->note.rfind(said->text) : std::string::npos; at != std::string::npos) by->note.resize(at >= 2 ? at - 2 : 0);
      said.reset();
    }
    to->changes.push_back(std::move(change));
  }
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
  if (state.ordinal != machine.ordinal(thread)) state = {machine.ordinal(thread), false, {}, {}, {}, false, {}};
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
    } else
      impl_->complete(thread, *state.last);
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
  bool silent = f.runtime || s.kind == Kind::Skip || s.kind == Kind::Fence || begins;
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
    if (!state.started && step.thread != 0) step.note = fmt::format("thread {} starts", step.thread);
    impl_->begin_lane(state, f);
    open.step = impl_->dropped + impl_->steps.size();
    open.shown = true;
    impl_->steps.push_back(std::move(step));
    impl_->begin_access(thread, open);
    impl_->drop();
  }
  impl_->follow_writes(thread, state, open);
  state.last = open;
}

void DetailedTracer::withdrawn(uint32_t thread) {
  Impl::ThreadState& state = impl_->threads[thread];
  if (!state.last) return;
  state.again = true;
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

/// The user's call that the thread is in: of a function of the library, or of one of the user's own.
const DetailedTracer::Impl::Open* DetailedTracer::Impl::user_call(uint32_t thread) const {
  const Open* call = nullptr;
  for (const Open& open : threads[thread].calls)
    if (open.shown) call = &open;
  return call;
}

/// "account.lock"
std::string DetailedTracer::Impl::library_object(uint64_t address) const {
  std::string name = naming.place(address, 1).text;
  if (size_t inside = name.find(".__"); inside != std::string::npos) name.resize(inside);  // of the library's own type
  return name;
}

/// ", which thread 2 locked at a.c:20"; empty: not known.
std::string DetailedTracer::Impl::holder(uint32_t thread, uint64_t address, bool mutex) const {
  uint64_t writer = 0;  // of a lock that is held: whoever took it
  for (uint64_t i = 0; i < (mutex ? kMutexBytes : kOtherBytes); ++i)
    if (auto found = writers.find(address + i); found != writers.end()) writer = std::max(writer, found->second);
  if (writer <= dropped || writer - dropped > steps.size()) return "";
  const DetailedStep& step = steps[writer - dropped - 1];
  const bool own = step.thread == machine.ordinal(thread);
  const std::string whom = own ? "it has itself" : fmt::format("thread {}", step.thread);
  return fmt::format(", which {} {} at {}:{}", whom, mutex ? "locked" : "used last", step.file, step.line);
}

/// "thread 1 waits for mutex b at a.c:12, which thread 2 locked at a.c:20"; empty: it does not wait in a call.
std::string DetailedTracer::Impl::waiting(uint32_t thread) const {
  const Open* call = user_call(thread);
  if (!call) return "";
  const program::Statement& s = edge(*call).statement;
  if (s.kind != Kind::Call || s.operands.empty()) return "";
  const program::FunctionRole role = program.functions[s.callee].role;
  const std::string where = program.where(s.position), who = fmt::format("thread {} waits", machine.ordinal(thread));
  const auto address = static_cast<uint64_t>(machine.evaluate(thread, call->frame, s.operands[0]));
  const auto object = machine.object_at(address);
  const bool mutex = role == program::FunctionRole::LockMutex;
  const std::string& callee = program.functions[s.callee].name;
  if (role == program::FunctionRole::JoinThread)
    for (uint32_t other = 0; other < machine.thread_count(); ++other)
      if (thread_word(other) == static_cast<uint32_t>(address) && machine.alive(other))
        return fmt::format("{} for the end of thread {} at {}", who, machine.ordinal(other), where);
  if (!object || s.operands[0].width() != program.pointer_width()) return fmt::format("{} in {} at {}", who, callee, where);
  const std::string name = library_object(address);
  const std::string text = mutex ? fmt::format("{} for mutex {} at {}", who, name, where)
                     : role == program::FunctionRole::WaitCondition
                         ? fmt::format("{} for condition variable {} at {}", who, name, where)
                         : fmt::format("{} in {} for {} at {}", who, callee, name, where);
  return role == program::FunctionRole::WaitCondition ? text : text + holder(thread, address, mutex);
}

/// "data race on shared.count", not only "on shared".
void DetailedTracer::Impl::explain_race(verdict::Violation& violation, uint32_t thread) const {
  const ThreadState& state = threads[thread];
  if (!state.last) return;
  const program::Statement& s = edge(*state.last).statement;
  for (const semantics::Access& access : semantics::accesses(s)) {
    const auto address = static_cast<uint64_t>(machine.evaluate(thread, state.last->frame, s.operands[access.address]));
    const auto object = machine.object_at(address);
    if (!object || access.size_operand != semantics::Access::kFixed) continue;
    const std::string known = "data race on " + machine.object_name(address);
    if (!violation.message.starts_with(known + ":")) continue;
    std::string name = naming.place(address, access.bytes).text;
    if (const size_t at = known.find(kNameless); at != std::string::npos) name += ", allocated" + known.substr(at + kNameless.size());
    violation.message.replace(0, known.size(), "data race on " + name);
    return;
  }
}

/// "mutex account.lock is unlocked by a thread that does not hold it", not "a mutex is".
void DetailedTracer::Impl::explain_lock(verdict::Violation& violation, uint32_t thread) const {
  const Open* call = user_call(thread);
  const size_t is = violation.message.find(" is ");
  if (!call || !violation.message.starts_with("a ") || is == std::string::npos) return;
  const program::Statement& s = edge(*call).statement;
  if (s.kind != Kind::Call || s.operands.empty() || s.operands[0].width() != program.pointer_width()) return;
  const auto address = static_cast<uint64_t>(machine.evaluate(thread, call->frame, s.operands[0]));
  if (!machine.object_at(address)) return;
  violation.message.insert(is, " " + library_object(address));
  violation.message.erase(0, 2);
}

void DetailedTracer::explain(verdict::Violation& violation) const {
  if (violation.property == verdict::Property::NoDeadlock) {
    std::string all;
    for (uint32_t t = 0; t < impl_->threads.size(); ++t) {
      if (t >= impl_->machine.thread_count() || !impl_->machine.alive(t)) continue;
      const std::string one = impl_->waiting(t);
      if (one.empty()) return;
      all += (all.empty() ? "deadlock: " : "; ") + one;
    }
    if (!all.empty()) violation.message = all;
    return;
  }
  const uint32_t thread = impl_->machine.pause().thread;
  const Impl::ThreadState& state = impl_->threads[thread];
  if (violation.property == verdict::Property::NoDataRace) return impl_->explain_race(violation, thread);
  if (violation.property == verdict::Property::LockDiscipline) return impl_->explain_lock(violation, thread);
  const size_t at = violation.message.find(kNameless);
  if (!state.last || at == std::string::npos) return;
  if (violation.property == verdict::Property::ValidMemtrack || violation.property == verdict::Property::ValidMemcleanup) {
    if (const auto lost = impl_->machine.object_at(impl_->machine.pause().memory))
      violation.message.replace(at, kNameless.size(), impl_->naming.name(*lost) + ", allocated");
    return;
  }
  const program::Statement& s = impl_->edge(*state.last).statement;
  std::vector<term::Term> addresses;
  for (const semantics::Access& access : semantics::accesses(s)) addresses.push_back(s.operands[access.address]);
  if (s.kind == Kind::HeapFree) addresses = {s.operands[0]};
  for (term::Term address : addresses) {
    const auto value = static_cast<uint64_t>(impl_->machine.evaluate(thread, state.last->frame, address));
    const auto object = impl_->machine.object_at(value);
    if (!object || violation.message.find(impl_->machine.object_name(value)) != at) continue;
    violation.message.replace(at, kNameless.size(), impl_->naming.name(*object) + ", allocated");
    const std::string where = impl_->naming.freed_at(value);
    if (!where.empty()) violation.message += (s.kind == Kind::HeapFree ? "; the first time at " : " at ") + where;
    return;
  }
}

size_t DetailedTracer::size() const { return impl_->dropped + impl_->steps.size(); }

namespace {

/// "checking = 150 was written by thread 1 at bank.c:12", for what the failing line read from another thread.
void tell_what_was_seen(verdict::DetailedTrace& trace) {
  if (trace.steps.empty()) return;
  DetailedStep& last = trace.steps.back();
  size_t lines = 0;
  const DetailedStep* reader = nullptr;
  for (size_t i = trace.steps.size(); i-- > 0 && lines < kFailingLines;) {
    const DetailedStep& step = trace.steps[i];
    if (step.thread != last.thread) break;  // what it saw before that is another story
    if (reader && (step.line != reader->line || step.function != reader->function)) break;
    if (i + 1 < trace.steps.size() && step.line != trace.steps[i + 1].line) ++lines;
    for (const verdict::Read& read : step.reads) {
      if (read.writer == 0) continue;
      const DetailedStep& writer = trace.steps[read.writer - 1];
      if (writer.thread == last.thread) continue;
      reader = &step;
      std::string text = fmt::format("{} = {} was written by thread {} at {}:{}", read.name, read.value, writer.thread,
                                     writer.file, writer.line);
      if (last.note.find(text) == std::string::npos) last.note += (last.note.empty() ? "" : "; ") + text;
    }
  }
}

}  // namespace

verdict::DetailedTrace DetailedTracer::finish() {
  const Pause& pause = impl_->machine.pause();
  for (uint32_t t = 0; t < impl_->threads.size(); ++t)
    if (impl_->threads[t].last && !(pause.final() && t == pause.thread)) impl_->complete(t, *impl_->threads[t].last);
  verdict::DetailedTrace trace;
  trace.steps.assign(std::make_move_iterator(impl_->steps.begin()), std::make_move_iterator(impl_->steps.end()));
  trace.lanes = std::move(impl_->lanes);
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
