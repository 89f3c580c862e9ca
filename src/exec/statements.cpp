// Statements that are not worth an instruction of their own, and the ways a path ends.
#include <fmt/format.h>

#include <cassert>

#include "exec/host_math.h"
#include "exec/machine_impl.h"
#include "semantics/demand.h"

namespace whittle::exec {

using program::Kind;
using verdict::Property;

// Ends and pauses

/// As `pause = {}`, but only what the kind has set: this happens at every step.
void MachineImpl::clear_pause() {
  switch (pause.kind) {
    case PauseKind::Input:
      pause.width = 0;
      pause.input = false;
      pause.origin.clear();
      pause.memory = 0;
      break;
    case PauseKind::Halted:
      pause.status = 0;
      pause.aborted = false;
      break;
    case PauseKind::Cut:
      pause.reason.clear();
      pause.undefined = false;
      break;
    case PauseKind::Violation: pause.violation = {}; break;
    default: break;
  }
  pause.kind = PauseKind::Visible;
  pause.thread = 0;
  pause.position = {};
}

void MachineImpl::stop(PauseKind kind, const FunctionCode& f, uint32_t edge) {
  assert(!peeking);
  clear_pause();
  pause.kind = kind;
  pause.thread = active;
  if (edge == program::kNone) return;
  pause.position = edge_at(f, edge).statement.position;
  if (threads[active].alive) threads[active].location = edge_at(f, edge).from;
}

void MachineImpl::cut(std::string reason, const FunctionCode& f, uint32_t edge) {
  if (peeking) return;
  stop(PauseKind::Cut, f, edge);
  if (pause.position.known()) reason += fmt::format(" ({})", code.program.where(pause.position));
  pause.reason = std::move(reason);
}

MachineImpl::EdgeRef MachineImpl::user_site(const FunctionCode& f, uint32_t edge) const {
  const std::vector<Frame>& frames = threads[active].frames;
  if (!f.function->runtime || !threads[active].alive) return {&f, edge};
  for (size_t i = frames.size(); i-- > 0;)
    if (!frames[i].code->function->runtime && i + 1 < frames.size())
      return {frames[i].code, frames[i].code->calls[frames[i].call].edge};
  return {&f, edge};
}

void MachineImpl::fail(Property property, std::string message, const FunctionCode& f, uint32_t edge) {
  if (peeking) return;
  if (!code.specification.has(property)) {
    cut("undefined behaviour that is not checked: " + message, f, edge);
    pause.undefined = true;
    return;
  }
  stop(PauseKind::Violation, f, edge);
  EdgeRef site = user_site(f, edge);
  program::SourcePosition position = edge_at(*site.function, site.edge).statement.position;
  pause.violation = {property, std::move(message), site.function->function->name, "", position.line, ordinal(active), position.column};
  if (position.file < code.program.files.size()) pause.violation.file = code.program.files[position.file];
}

void MachineImpl::check_failed(const FunctionCode& f, uint32_t edge) {
  const program::Statement& s = edge_at(f, edge).statement;
  if (s.property == Property::UnreachCall && !code.specification.has(Property::UnreachCall)) {
    stop(PauseKind::Halted, f, edge);  // a failed assertion that was not asked about ends the program
    pause.status = 134;
    pause.aborted = true;
    return;
  }
  fail(s.property, s.text.empty() ? std::string(verdict::description(s.property)) : s.text, f, edge);
}

/// Reported where the object was made: the end of the program tells nothing.
void MachineImpl::leaked(Property property, std::string_view how, const DynamicObject& object, const FunctionCode& f,
                         uint32_t edge) {
  fail(property, fmt::format("{} ({} bytes) {}", name_of(object), object.size, how), f, edge);
  if (pause.kind != PauseKind::Violation || object.site_function == program::kNone) return;
  pause.memory = object.address;  // for reports
  const FunctionCode& maker = code.functions[object.site_function];
  program::SourcePosition position = edge_at(maker, object.site_edge).statement.position;
  pause.violation.function = maker.function->name;
  pause.violation.line = position.line;
  pause.violation.column = position.column;
  if (position.file < code.program.files.size()) pause.violation.file = code.program.files[position.file];
}

void MachineImpl::halt(int32_t status, bool aborted, const FunctionCode& f, uint32_t edge) {
  if (threads[active].alive) threads[active].location = edge_at(f, edge).from;
  if (!aborted && code.specification.has(Property::ValidMemtrack)) {
    if (footprints) touch_everything();
    std::vector<const DynamicObject*> lost = unreachable_heap();
    if (!lost.empty())
      return leaked(Property::ValidMemtrack, "is never freed and nothing points to it any more", *lost[0], f, edge);
  }
  if (!aborted && code.specification.has(Property::ValidMemcleanup))
    for (uint32_t a = 0; a < memory.area_count(); a += 2)
      for (const DynamicObject& object : memory.objects(a))
        if (object.alive)
          return leaked(Property::ValidMemcleanup, "is not freed when the program ends", object, f, edge);
  stop(PauseKind::Halted, f, edge);
  pause.status = status;
  pause.aborted = aborted;
}

// Functions

void MachineImpl::end_object(DynamicObject& object) {
  if (code.check_races) races.forget(object.address, object.size);
  memory.end(object);
}

void MachineImpl::end_frame_objects(uint32_t thread, uint32_t frame, uint32_t from_sequence) {
  for (DynamicObject& object : memory.objects(Memory::stack_area(thread)))
    if (object.alive && object.kind == ObjectInfo::Kind::Stack && object.frame == frame &&
        object.sequence >= from_sequence)
      end_object(object);
}

namespace {

bool any_escaped(const std::vector<DynamicObject>& objects, uint32_t first_frame, bool thread_locals) {
  for (const DynamicObject& object : objects)
    if (object.alive && object.escaped &&
        (object.kind == ObjectInfo::Kind::Stack ? object.frame >= first_frame : thread_locals))
      return true;
  return false;
}

}  // namespace

Outcome MachineImpl::leave_function(Thread& t, const FunctionCode& f, uint32_t edge, u128 value) {
  uint32_t frame = static_cast<uint32_t>(t.frames.size() - 1);
  if (frame == 0) {
    end_thread(t, f, edge);
    return Outcome::Paused;
  }
  if (t.frames.back().objects != 0) {
    bool escaped = alive_count > 1 && any_escaped(memory.objects(Memory::stack_area(active)), frame, false);
    if (escaped && !admit(Pending::Kind::Free, nullptr, 0, false, true, f, edge)) return Outcome::Paused;
    end_frame_objects(active, frame, 0);
  }
  t.frames.pop_back();
  if (footprints) touch_pop(active);
  Frame& caller = t.frames.back();
  const CallSite& site = caller.code->calls[caller.call];
  if (site.target.slot != kNoSlot) {
    put(t.slots.data() + caller.base, site.target, value);
    if (footprints) touch_register(true, active, frame - 1, edge_at(*caller.code, site.edge).statement.targets[0]);
  }
  t.location = site.to;
  return Outcome::Reload;
}

void MachineImpl::end_thread(Thread& t, const FunctionCode& f, uint32_t edge) {
  if (alive_count > 1 && any_escaped(memory.objects(Memory::stack_area(active)), 0, true)) {
    if (!admit(Pending::Kind::Free, nullptr, 0, false, true, f, edge)) return;
  }
  for (DynamicObject& object : memory.objects(Memory::stack_area(active)))
    if (object.alive) end_object(object);
  if (code.check_races) races.ended(active);
  t.frames.clear();
  t.alive = false;
  t.depth = 0;
  --alive_count;
  if (footprints) touch_pop(active);
  if (alive_count == 0) return halt(0, false, f, edge);
  if (alive_count == 1) {
    uint32_t last = 0;
    while (!threads[last].alive) ++last;
    memory.clear_escaped(last);
  }
  stop(PauseKind::ThreadEnded, f, edge);
}

Outcome MachineImpl::call_indirect(Thread& t, const FunctionCode& f, const SlowStatement& s, uint64_t* r) {
  uint64_t address = static_cast<uint64_t>(get(r, s.operands[0]));
  std::optional<program::FunctionId> id = code.program.function_at(address);
  if (!id) {
    fail(Property::ValidDeref,
         address == 0 ? std::string("call through a null pointer")
                      : fmt::format("call of address {:#x}, where no function is", address),
         f, s.edge);
    return Outcome::Paused;
  }
  const FunctionCode& callee = code.functions[*id];
  const program::Function& function = *callee.function;
  if (!semantics::fits(*f.function, *s.statement, function)) {
    cut(fmt::format("call of {} through a pointer to a function of another type", function.name), f, s.edge);
    return Outcome::Paused;
  }
  if (code.specification.has(Property::UnreachCall) && code.specification.error_functions.contains(function.name)) {
    fail(Property::UnreachCall, function.name + "() is called", f, s.edge);
    return Outcome::Paused;
  }
  if (!push_frame(t, s.call, callee)) {
    cut(callee.too_large ? "function " + function.name + " is too large"
                         : fmt::format("stack overflow: more than {} frames", code.options.max_frames),
        f, s.edge);
    return Outcome::Paused;
  }
  if (footprints) touch_statement(active, callee, program::kNone);
  t.location = function.entry;
  return Outcome::Reload;
}

// Input and output

Outcome MachineImpl::nondet(const FunctionCode& f, const SlowStatement& s, uint64_t* r) {
  if (has_input) {
    has_input = false;
    put(r, s.targets[0], input_value);
    return Outcome::Next;
  }
  stop(PauseKind::Input, f, s.edge);
  pause.width = s.targets[0].width;
  pause.input = s.statement->input;
  pause.origin = s.statement->text;
  pause.memory = input_address = 0;
  return Outcome::Paused;
}

Outcome MachineImpl::output(const FunctionCode& f, const SlowStatement& s, const uint64_t* r) {
  uint64_t size = static_cast<uint64_t>(get(r, s.operands[2]));
  if (size == 0) return peeking ? Outcome::Paused : Outcome::Next;
  uint64_t address = static_cast<uint64_t>(get(r, s.operands[1]));
  Pending::Range range{address, size, true, false};
  if (peeking)
    return admit(Pending::Kind::Access, &range, 1, false, reachable_by_others(address), f, s.edge), Outcome::Paused;
  bool had_token = token;
  Target target = resolve(address, size, false, 1, f, s.edge);
  if (!target.bytes) return Outcome::Paused;
  if (watch && !admit(Pending::Kind::Access, &range, 1, false, target.shared, f, s.edge)) return Outcome::Paused;
  if (!require_initialised(target, size, f, s.edge)) {
    token = had_token;
    return Outcome::Paused;
  }
  if (sink) sink(static_cast<int>(get(r, s.operands[0])), {target.bytes, static_cast<size_t>(size)});
  return Outcome::Next;
}

// The rest

Outcome MachineImpl::execute(Thread& t, const FunctionCode& f, const SlowStatement& s, uint64_t* r) {
  switch (s.statement->kind) {
    case Kind::Nondet: return nondet(f, s, r);
    case Kind::Call:  // of a function that must not be called
      fail(Property::UnreachCall, code.program.functions[s.statement->callee].name + "() is called", f, s.edge);
      return Outcome::Paused;
    case Kind::IndirectCall: return call_indirect(t, f, s, r);
    case Kind::Output: return output(f, s, r);
    case Kind::HostMath: {
      u128 values[3];
      for (size_t i = 0; i < s.operands.size(); ++i) values[i] = get(r, s.operands[i]);
      std::optional<u128> value = host_math(s.statement->text, {values, s.operands.size()}, s.targets[0].width);
      if (!value) {
        cut(fmt::format("the function {} is not known", s.statement->text), f, s.edge);
        return Outcome::Paused;
      }
      put(r, s.targets[0], *value);
      return Outcome::Next;
    }
    case Kind::Error:
      if (s.statement->property == Property::UnreachCall)
        check_failed(f, s.edge);
      else
        fail(s.statement->property,
             s.statement->text.empty() ? std::string(verdict::description(s.statement->property)) : s.statement->text,
             f, s.edge);
      return Outcome::Paused;
    case Kind::Halt:
      halt(static_cast<int32_t>(get(r, s.operands[0])), s.statement->text == "abort", f, s.edge);
      return Outcome::Paused;
    case Kind::Unsupported: cut("not supported: " + s.statement->text, f, s.edge); return Outcome::Paused;
    case Kind::Fence: races.fence(active, program::order_of(*s.statement)); return Outcome::Next;
    case Kind::AtomicBegin:
    case Kind::AtomicEnd:
    case Kind::Await:
    case Kind::Spawn:
    case Kind::ThreadExit:
    case Kind::Self:
    case Kind::Shared:
    case Kind::Yield: return execute_thread(t, f, s, r);
    case Kind::Load:
    case Kind::Store:
    case Kind::Copy:
    case Kind::Fill:
    case Kind::AtomicRmw:
    case Kind::AtomicCas: return execute_memory(t, f, s, r);
    default: return execute_object(t, f, s, r);
  }
}

}  // namespace whittle::exec
