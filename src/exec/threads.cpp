// Threads: who runs, who could, what each stands before.
#include <fmt/format.h>

#include <cassert>

#include "exec/machine_impl.h"
#include "program/word_access.h"
#include "semantics/demand.h"

namespace whittle::exec {

using program::Kind;
using verdict::Property;

MachineImpl::MachineImpl(std::shared_ptr<const Code> c) : owner(std::move(c)), code(owner->impl()), memory(code) {
  threads.resize(code.options.max_threads);
  assert(!code.check_races || threads.size() <= 64);
  races.set_orders(code.orders);
  reset();
}

void MachineImpl::reset() {
  memory.reset();
  races.reset();
  for (Thread& t : threads) t.alive = t.clean = false, t.depth = 0, t.frames.clear();
  const FunctionCode& entry = code.functions.at(code.program.entry);
  Thread& main = threads[0];
  main.alive = true;
  main.slots.assign(std::max<size_t>(256, entry.total_slots + 2), 0);
  main.frames.push_back({&entry, 0, 0, 0});
  main.location = entry.function->entry;
  alive_count = 1;
  active = 0;
  ordinals.assign(threads.size(), 0);
  started = 0;
  mode = Mode::Scheduling;
  has_input = false;
  input_address = 0;
  pause = {};
  saved = {};
  large_known = false;
}

const program::Edge* MachineImpl::pending_edge(const Thread& t) const {
  const program::Function& f = *t.frames.back().code->function;
  const program::Location& location = f.locations[t.location];
  return location.edge_count == 1 ? &f.edges[location.first_edge] : nullptr;
}

void MachineImpl::update_watch() { 
  // What threads that ended did may race with what the last one does.
  watch = alive_count > 1 || footprints || access_log || !observed.empty() || !races.empty();
}

void MachineImpl::run(uint32_t thread, bool with_token) {
  active = thread;
  token = with_token;
  saved = {};
  large_known = false;
  threads[thread].clean = false;
  update_watch();
  budget_left = budget > INT64_MAX ? INT64_MAX : static_cast<int64_t>(budget);
  unannounced = false;
  interpret(thread);
  bool before_statement = pause.kind == PauseKind::Visible || pause.kind == PauseKind::Blocked ||
                          pause.kind == PauseKind::Input || pause.kind == PauseKind::Budget;
  if (before_statement && !unannounced) withdraw();
  if (pause.scheduling()) {
    mode = Mode::Scheduling;
    collect();
  } else if (pause.kind == PauseKind::Input) {
    mode = token ? Mode::InputToken : Mode::Input;
    collect();
  } else if (pause.kind == PauseKind::Budget) {
    mode = token ? Mode::BudgetToken : Mode::Budget;
  } else {
    mode = Mode::Final;
  }
}

const Pause& MachineImpl::schedule(uint32_t thread) {
  assert(mode == Mode::Scheduling && thread < threads.size() && threads[thread].alive);
  if (footprints) begin_footprint();
  if (!recording) {
    run(thread, true);
    return pause;
  }
  save();  // from here on, memory.changed() is about this step
  const uint32_t threads_before = alive_count;
  recording->clear();
  recording->repeatable = threads_before > 1 && memory.dead() == 0 && !code.check_races;
  run(thread, true);
  // A thread that ended or was started would be counted, unless one of each.
  recording->repeatable &= alive_count == threads_before && !memory.changed() && memory.dead() == 0;
  recording->confined = memory.confined() != 0;
  return pause;
}

const Pause& MachineImpl::approach(uint32_t thread) {
  assert(mode == Mode::Scheduling && thread < threads.size() && threads[thread].alive && !recording);
  if (footprints) begin_footprint();
  run(thread, false);
  return pause;
}

const Pause& MachineImpl::provide(u128 value) {
  assert(pause.kind == PauseKind::Input);
  if (footprints) begin_footprint();
  value &= mask128(pause.width);
  if (input_address != 0) {
    auto put = [&](uint64_t address, u128 bytes, uint32_t size) {
      DynamicObject& object = *memory.find(address);
      Target target{nullptr, &object, static_cast<uint32_t>(address - object.address), object.escaped};
      target.bytes = memory.bytes(object) + target.offset;
      std::memcpy(target.bytes, &bytes, size);
      if (footprints) touch_memory(true, address, size);
      wrote(target, size);
    };
    if (!memory.links().empty())
      for (uint32_t b = 0; b < input_size; ++b)
        for (uint32_t copy : memory.links().others(static_cast<uint32_t>(input_address) + b)) put(copy, value >> (8 * b), 1);
    put(input_address, value, input_size);
    input_address = 0;
  } else {
    has_input = true;
    input_value = value;
  }
  run(active, mode == Mode::InputToken);
  return pause;
}

const Pause& MachineImpl::resume() {
  assert(pause.kind == PauseKind::Budget);
  if (footprints) begin_footprint();
  run(active, mode == Mode::BudgetToken);
  return pause;
}

void MachineImpl::yield_here() {
  if (pause.kind != PauseKind::Budget || threads[active].depth > 0 || alive_count < 2) return;
  mode = Mode::Scheduling;
  pause.kind = PauseKind::Visible;
  saved = {};
  collect();
}

// Statements

Outcome MachineImpl::await(Thread& t, const FunctionCode& f, const SlowStatement& s, const uint64_t* r) {
  const program::Statement& statement = *s.statement;
  unsigned size = statement.width / 8;
  uint64_t address = static_cast<uint64_t>(get(r, s.operands[0]));
  Pending::Range range{address, size, true, false};
  bool had_token = token;
  if (!peeking && !admit(Pending::Kind::Await, &range, 1, true, true, f, s.edge)) return Outcome::Paused;
  await_holds = true;  // a failing access is a way to go on
  Target target = resolve(address, size, false, 1, f, s.edge);
  if (peeking) admit(Pending::Kind::Await, &range, 1, true, true, f, s.edge);
  if (!target.bytes) return Outcome::Paused;
  if (peeking && target.dynamic)
    for (uint32_t i = 0; i < size; ++i)
      if (!memory.initialised(*target.dynamic, target.offset + i)) return Outcome::Paused;
  if (!require_initialised(target, size, f, s.edge)) {
    token = had_token;
    return Outcome::Paused;
  }
  u128 word = 0;
  std::memcpy(&word, target.bytes, size);
  i128 value = sign_extend128(word & get(r, s.operands[1]), statement.width);
  await_holds = sign_extend128(get(r, s.operands[2]), statement.width) <= value &&
                value <= sign_extend128(get(r, s.operands[3]), statement.width);
  if (peeking) return Outcome::Paused;
  if (!await_holds) {
    stop(PauseKind::Blocked, f, s.edge);
    return Outcome::Paused;
  }
  if (!note_access({address, size, Access::kAtomic}, f, s.edge)) return Outcome::Paused;
  token = false;
  ++t.depth;
  return Outcome::Next;
}

Outcome MachineImpl::spawn(Thread& t, const FunctionCode& f, const SlowStatement& s, uint64_t* r) {
  if (watch && !admit(Pending::Kind::Spawn, nullptr, 0, true, true, f, s.edge)) return Outcome::Paused;
  std::optional<program::FunctionId> id = code.program.function_at(static_cast<uint64_t>(get(r, s.operands[0])));
  if (!id) {
    fail(Property::ValidDeref, "a thread is started at an address where no function is", f, s.edge);
    return Outcome::Paused;
  }
  const FunctionCode& callee = code.functions[*id];
  uint32_t count = callee.function->parameter_count;
  if (!semantics::fits(*f.function, *s.statement, *callee.function) || callee.too_large) {
    cut(fmt::format("a thread is started with {}, whose type does not fit", callee.function->name), f, s.edge);
    return Outcome::Paused;
  }
  t.location = edge_at(f, s.edge).from;
  std::optional<uint32_t> unused = free_number();
  if (!unused) {
    cut(fmt::format("more than {} threads that are alive or remembered", threads.size()), f, s.edge);
    return Outcome::Paused;
  }
  uint32_t number = *unused;
  Thread& fresh = threads[number];
  ++started;
  if (!ordinals.empty()) ordinals[number] = started;
  if (recording) recording->repeatable = false;
  fresh.alive = true;
  used_threads = std::max<size_t>(used_threads, number + 1u);
  fresh.clean = false;
  fresh.depth = 0;
  fresh.location = callee.function->entry;
  fresh.frames.clear();
  fresh.frames.push_back({&callee, 0, 0, 0});
  if (fresh.slots.size() < callee.total_slots + 2) fresh.slots.resize(std::max<size_t>(64, callee.total_slots + 2));
  for (uint16_t slot : callee.zeroed) fresh.slots[slot] = 0;
  for (uint32_t i = 0; i < count; ++i)
    put(fresh.slots.data(), {callee.slot[i], static_cast<uint16_t>(s.operands[i + 1].width)},
        get(r, s.operands[i + 1]));
  put(r, s.targets[0], number);
  token = false;
  if (code.check_races) races.spawned(active, number);
  if (footprints) old_frames[number] = 0;
  if (++alive_count == 2) escape_from_statics();
  for (size_t i = 1; i < s.operands.size(); ++i) escape(static_cast<uint64_t>(get(r, s.operands[i])));
  update_watch();
  return Outcome::Next;
}

Outcome MachineImpl::execute_thread(Thread& t, const FunctionCode& f, const SlowStatement& s, uint64_t* r) {
  switch (s.statement->kind) {
    case Kind::AtomicBegin:
      if (watch && t.depth == 0 && !admit(Pending::Kind::AtomicBegin, nullptr, 0, true, true, f, s.edge))
        return Outcome::Paused;
      ++t.depth;
      return Outcome::Next;
    case Kind::AtomicEnd:
      if (t.depth == 0) {
        cut("an atomic region ends that never began", f, s.edge);
        return Outcome::Paused;
      }
      --t.depth;
      return Outcome::Next;
    case Kind::Await: return await(t, f, s, r);
    case Kind::Spawn: return spawn(t, f, s, r);
    case Kind::ThreadExit: end_thread(t, f, s.edge); return Outcome::Paused;
    case Kind::Self: put(r, s.targets[0], active); return Outcome::Next;
    case Kind::Shared:
      put(r, s.targets[0],
          alive_count > 1 && t.depth == 0 && reachable_by_others(static_cast<uint64_t>(get(r, s.operands[0]))) ? 1 : 0);
      return Outcome::Next;
    default:  // Yield
      if (watch && !admit(Pending::Kind::Yield, nullptr, 0, true, true, f, s.edge)) return Outcome::Paused;
      return Outcome::Next;
  }
}

// Questions

/// Accesses that no one else can see are executed without looking around, also by peek().
bool MachineImpl::stops_when_peeking(const Thread& t, const program::Statement& s) const {
  if (s.kind == Kind::AtomicBegin) return t.depth == 0;
  if (s.kind != Kind::Load && s.kind != Kind::Store) return true;
  if (s.local) return false;
  if (s.kind == Kind::Store || !s.operands[0].is_constant()) return true;
  const StaticObject* object = code.static_at(s.operands[0].value64());
  return !object || !object->frozen;
}

Pending MachineImpl::peek(uint32_t thread) {
  Pending none;
  Thread& t = threads[thread];
  if (!t.alive) return none;
  none.kind = Pending::Kind::Unknown;
  const program::Edge* edge = pending_edge(t);
  if (!edge || !stops_when_peeking(t, edge->statement)) return none;
  switch (edge->statement.kind) {
    case Kind::Return:
    case Kind::ThreadExit:
    case Kind::StackRestore: none.kind = Pending::Kind::Free; return none;
    case Kind::Copy:
    case Kind::Fill:
    case Kind::Output:
    case Kind::AtomicBegin:
    case Kind::Spawn:
    case Kind::Yield:
    case Kind::HeapFree: break;
    default:
      if (!program::accesses_word(edge->statement.kind)) return none;
  }
  // The operands are evaluated by the interpreter itself: it stops before the operation.
  uint32_t saved_active = active;
  bool saved_token = token, saved_watch = watch;
  int64_t saved_budget = budget_left;
  uint64_t saved_statements = statements;
  active = thread;
  token = false;
  watch = peeking = true;
  budget_left = INT64_MAX;
  pending = none;
  interpret(thread);
  peeking = false;
  active = saved_active;
  token = saved_token;
  watch = saved_watch;
  budget_left = saved_budget;
  statements = saved_statements;
  return pending;
}

bool MachineImpl::enabled(uint32_t thread) {
  if (thread >= threads.size() || !threads[thread].alive || mode == Mode::Final) return false;
  if (mode != Mode::Scheduling) return thread == active;
  const program::Edge* edge = pending_edge(threads[thread]);
  if (!edge || edge->statement.kind != Kind::Await) return true;
  peek(thread);
  return await_holds;
}

bool MachineImpl::deadlocked() {
  if (mode != Mode::Scheduling || alive_count == 0) return false;
  for (uint32_t t = 0; t < thread_limit(); ++t)
    if (enabled(t)) return false;
  return true;
}

verdict::Violation MachineImpl::deadlock_violation() {
  verdict::Violation violation;
  violation.property = Property::NoDeadlock;
  violation.message = "deadlock:";
  bool first = true;
  for (uint32_t i = 0; i < threads.size(); ++i) {
    if (!threads[i].alive) continue;
    // The innermost frame of the user's code is where people look.
    const Thread& t = threads[i];
    size_t frame = t.frames.size() - 1;
    auto position_of = [&](size_t k) {
      const program::Function& f = *t.frames[k].code->function;
      uint32_t edge = k + 1 == t.frames.size() ? f.locations[t.location].first_edge
                                               : t.frames[k].code->calls[t.frames[k].call].edge;
      return f.edges[edge].statement.position;
    };
    while (frame > 0 && t.frames[frame].code->function->runtime) --frame;
    program::SourcePosition position = position_of(frame);
    const std::string& inner = frame + 1 < t.frames.size() ? program::source_name(*t.frames[frame + 1].code->function) : "";
    violation.message += fmt::format("{} thread {} waits{} at {}", first ? "" : ";", ordinal(i),
                                     inner.empty() ? "" : " in " + inner, code.program.where(position));
    if (first) {
      violation.thread = ordinal(i);
      violation.function = t.frames[frame].code->function->name;
      violation.line = position.line;
      if (position.file < code.program.files.size()) violation.file = code.program.files[position.file];
    }
    first = false;
  }
  return violation;
}

}  // namespace whittle::exec
