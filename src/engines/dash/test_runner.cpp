#include "engines/dash/test_runner.h"

#include <fmt/format.h>

#include <algorithm>

#include "semantics/access.h"

namespace whittle::engines::dash {

using exec::PauseKind;
using program::FunctionId;
using program::Kind;
using program::kNone;
using program::LocationId;
using program::Statement;

namespace {

constexpr uint64_t kSlice = 1024;  ///< statements between two looks at the limits

}  // namespace

TestRunner::TestRunner(Space& space, std::shared_ptr<const exec::Code> code)
    : space_(space), machine_(space.program(), std::move(code)), concrete_(machine_.machine()) {
  machine_.pin_addresses();
  concrete_.set_placement(this);
  concrete_.set_budget(kSlice);
  machine_.set_observer(this);
}

Test TestRunner::run(const TestPlan& plan, const More& more, const TestLimits& bounds, Limits& limits) {
  plan_ = &plan;
  more_ = &more;
  bounds_ = bounds;
  later_ = 0;
  test_ = {};
  astray_ = false;
  test_.planned = plan.memory;
  counterexample_ = {};
  context_ = space_.root();
  frame_ = 0;
  next_heap_ = space_.loose(true).begin;
  next_stack_ = space_.loose(false).begin;
  full_ = false;
  machine_.reset();
  const uint64_t begin = concrete_.statements();
  test_.visit({context_, space_.program().functions[space_.program().entry].entry}, 0);
  if (space_.follows_strays())
    test_.make_object(exec::kStrayBase, exec::kStrayEnd - exec::kStrayBase, false);
  while (!machine_.pause().final() && !astray_) {
    test_.statements = concrete_.statements() - begin;
    const exec::Pause& pause = machine_.pause();
    if (too_long(limits)) {
      test_.end = Test::End::Long;
      break;
    }
    if (concrete_.thread_count() > 1 && concrete_.alive(1)) {
      test_.end = Test::End::Unknown;
      test_.reason = "a thread";
      break;
    }
    if (pause.kind == PauseKind::Input)
      provide(pause);
    else if (pause.kind == PauseKind::Budget)
      machine_.resume();
    else if (concrete_.enabled(0))
      machine_.schedule(0);
    else {
      machine_.fork_awaits();
      if (space_.specification().has(verdict::Property::NoDeadlock)) test_.end = Test::End::Error;
      break;
    }
  }
  if (machine_.pause().final() && !astray_) finish(machine_.pause());
  test_.statements = concrete_.statements() - begin;
  test_.conditions.reserve(machine_.forks().size());
  for (const exec::Fork& fork : machine_.forks()) test_.conditions.push_back(fork.condition);
  return std::move(test_);
}

bool TestRunner::too_long(Limits& limits) const {
  return full_ || test_.statements >= bounds_.statements || test_.visits.size() >= bounds_.visits ||
         space_.contexts() >= bounds_.contexts || space_.context(context_).depth >= bounds_.depth ||
         test_.changes() >= bounds_.changes || limits.poll_now() != Stop::No;
}

void TestRunner::finish(const exec::Pause& pause) {
  if (pause.kind == PauseKind::Violation) test_.end = Test::End::Error;
  if (pause.kind != PauseKind::Cut) return;
  test_.end = Test::End::Unknown;
  test_.reason = pause.reason;
  if (!pause.undefined) return;
  test_.cut_context = context_;
  test_.cut_edge = announced_;
  if (depends_on_inputs(space_.edge(context_, announced_).statement)) test_.end = Test::End::Assumed;
}

/// Is there an address in the statement that could be another one for other inputs?
bool TestRunner::depends_on_inputs(const Statement& s) const {
  const semantics::Accesses accesses = semantics::accesses(s);
  return std::any_of(accesses.begin(), accesses.end(), [&](const semantics::Access& access) {
    return !machine_.evaluate(0, frame_, s.operands[access.address]).is_constant();
  });
}

void TestRunner::provide(const exec::Pause& pause) {
  const size_t n = test_.inputs.size();
  const unsigned bytes = pause.width / 8;
  u128 value = 0;
  bool planned = n < plan_->inputs.size();
  if (planned) value = plan_->inputs[n];
  for (unsigned b = 0; !planned && pause.memory != 0 && b < bytes; ++b)
    planned = plan_->memory.contains(concrete_.copied_from(pause.memory + b));
  if (planned && n >= plan_->inputs.size())
    for (unsigned b = 0; b < bytes; ++b)
      if (auto it = plan_->memory.find(concrete_.copied_from(pause.memory + b)); it != plan_->memory.end())
        value |= u128{it->second} << (8 * b);
  if (!planned && pause.memory == 0 && later_ < plan_->later.size()) {
    value = plan_->later[later_++];
    planned = true;
  }
  if (!planned) value = (*more_)(n, pause.width);
  value &= mask128(pause.width);
  Term variable = space_.input(n, pause.width);
  test_.inputs.push_back({variable, value});
  const auto& files = space_.program().files;
  counterexample_.inputs.push_back({pause.width, value, pause.origin,
                                    pause.position.file < files.size() ? files[pause.position.file] : "",
                                    pause.position.line});
  for (unsigned b = 0; pause.memory != 0 && b < bytes; ++b) {
    const Term byte = space_.terms().extract(variable, 8 * b, 8);
    test_.settle_byte(pause.memory + b, static_cast<uint8_t>(value >> (8 * b)), byte);
    for (uint64_t copy : concrete_.copies(pause.memory + b))
      test_.settle_byte(copy, static_cast<uint8_t>(value >> (8 * b)), byte);
    test_.lazy.push_back({concrete_.copied_from(pause.memory + b), static_cast<uint32_t>(n), b});
  }
  machine_.provide(variable, value);
}

// The history

uint64_t TestRunner::operand(Term t) const {
  if (t.is_constant()) return t.value64();
  if (t.is_variable())
    return static_cast<uint64_t>(concrete_.register_value(0, frame_, space_.program().register_of(t).reg));
  return static_cast<uint64_t>(concrete_.evaluate(0, frame_, t));
}

void TestRunner::statement(uint32_t thread, FunctionId, uint32_t edge) {
  written_size_ = 0;
  if (thread != 0 || astray_) return;
  announced_ = edge;
  if (edge == plan_->watch_edge && context_ == plan_->watch_context) test_.watched = true;
  const Statement& s = space_.edge(context_, edge).statement;
  for (const semantics::Access& access : semantics::accesses(s)) {
    if (wp::Reach reach = space_.reach(s.operands[access.address]);
        reach && !(*reach)(operand(s.operands[access.address])))
      return go_astray(s);
    else if (reach)
      note_accident(s, access);
    if (!access.write) continue;
    written_ = operand(s.operands[access.address]);
    written_size_ = access.size_operand == semantics::Access::kFixed ? access.bytes : operand(s.operands[access.size_operand]);
  }
  if (s.kind == Kind::HeapFree) written_ = operand(s.operands[0]);
}

void TestRunner::note_accident(const Statement& s, const semantics::Access& access) {
  constexpr size_t kMost = 16;
  const Term address = s.operands[access.address];
  const uint64_t at = operand(address);
  if (test_.accidents.size() >= kMost || (at >= exec::kStrayBase && at < exec::kStrayEnd)) return;
  const Term from = machine_.evaluate(0, frame_, address);
  if (from.is_constant()) return;
  const uint64_t bytes = access.fixed(s) ? access.size(s) : 1;
  test_.accidents.push_back({from, bytes, static_cast<uint32_t>(machine_.forks().size()), static_cast<uint32_t>(test_.inputs.size())});
}

/// What follows is no run that counts: a pointer that may have no value leads where the program never lets it lead.
void TestRunner::go_astray(const Statement& s) {
  astray_ = true;
  test_.end = Test::End::Assumed;
  test_.reason = fmt::format("a pointer without a value leads into an object ({})", space_.program().where(s.position));
  test_.cut_context = context_;
  test_.cut_edge = announced_;
}

void TestRunner::withdrawn(uint32_t) { written_size_ = 0; }

void TestRunner::executed(uint32_t thread, FunctionId, uint32_t e) {
  if (thread != 0 || astray_) return;
  const program::Edge& edge = space_.edge(context_, e);
  const Statement& s = edge.statement;
  switch (s.kind) {
    case Kind::Call:
    case Kind::IndirectCall: return enter(e);
    case Kind::Return: return leave();
    case Kind::StackAlloc:
    case Kind::HeapAlloc: made_object(s, e); break;
    case Kind::HeapFree:
      for (const Site& site : space_.sites())
        if (site.heap && site.address == written_) test_.set(site.alive, 0, {});
      break;
    case Kind::StackRestore: end_stack_objects(context_); break;
    default:
      if (written_size_ != 0) keep_memory(written_, written_size_);
      break;
  }
  keep_targets(s);
  arrive(context_, edge.to);
}

void TestRunner::arrive(uint32_t context, LocationId to) {
  context_ = context;
  if (to != kNone && space_.is_node(space_.context(context).function, to) && test_.visits.size() < bounds_.visits)
    test_.visit({context, to}, machine_.forks().size());
}

void TestRunner::keep_targets(const Statement& s) {
  for (program::RegisterId reg : s.targets)
    if (reg != kNone) keep_register(context_, frame_, reg);
}

void TestRunner::keep_register(uint32_t context, uint32_t frame, program::RegisterId reg) {
  test_.set(space_.variable(context, reg), concrete_.register_value(0, frame, reg),
            machine_.overlay().reg({0, frame, reg}));
}

void TestRunner::keep_memory(uint64_t address, uint64_t size) {
  constexpr uint64_t kPiece = 16;
  for (uint64_t at = 0; at < size; at += kPiece) {
    const auto n = static_cast<unsigned>(std::min(kPiece, size - at));
    uint8_t bytes[kPiece] = {};
    concrete_.read_memory(address + at, {bytes, n});
    const bool whole = concrete_.initialised(address + at, n), symbolic = machine_.symbolic(address + at, n);
    Term t = whole && symbolic ? machine_.memory_term(address + at, n) : Term();
    for (unsigned i = 0; i < n; ++i) {
      const uint64_t byte = address + at + i;
      if (!whole && !concrete_.initialised(byte, 1)) {
        test_.unset_byte(byte, concrete_.copied_from(byte));
        continue;
      }
      Term part;
      if (symbolic) part = whole ? space_.terms().extract(t, 8 * i, 8) : machine_.memory_term(byte, 1);
      if (part && part.is_constant()) part = {};
      test_.set_byte(byte, bytes[i], part);
    }
  }
}

void TestRunner::made_object(const Statement& s, uint32_t e) {
  const uint64_t address = static_cast<uint64_t>(concrete_.register_value(0, frame_, s.targets[0]));
  const auto object = concrete_.object_at(address);
  const Site* site = space_.site(context_, e);
  test_.make_object(address, object->size, object->size != 0 && concrete_.initialised(address, 1));
  if (!site || site->address != address) return;
  test_.set(site->alive, 1, {});
  if (!site->fixed) test_.set(site->bytes, object->size, {});
}

uint64_t TestRunner::place(uint32_t thread, FunctionId function, uint32_t e, uint64_t size) {
  if (thread != 0 || full_) return 0;
  const Site* site = space_.site(context_, e);
  if (site && size <= site->size) return site->address;
  // Others get addresses that no object of this run had.
  const Statement& s = space_.program().functions[function].edges[e].statement;
  const bool heap = s.kind == Kind::HeapAlloc;
  uint64_t& next = heap ? next_heap_ : next_stack_;
  const uint64_t at = Space::next_place(next, 0, s.align);
  const uint64_t after = Space::next_place(at, std::max<uint64_t>(size, 1), 1);
  if (after > space_.loose(heap).end) {
    full_ = true;
    return 0;
  }
  next = after;
  return at;
}

// Calls

void TestRunner::enter(uint32_t edge) {
  const exec::FramePosition inside = concrete_.frame(0, frame_ + 1);
  const auto& function = space_.program().functions[inside.function];
  const uint32_t context = space_.child(context_, edge, inside.function);
  ++frame_;
  for (uint32_t r = 0; r < function.registers.size(); ++r) {
    if (r < function.parameter_count)
      keep_register(context, frame_, r);
    else if (Term v = space_.variable(context, r); test_.knows(v))
      test_.set(v, 0, {});  // what an earlier activation had is gone
  }
  arrive(context, function.entry);
}

void TestRunner::leave() {
  const uint32_t parent = space_.context(context_).parent;
  if (parent == kNone) return;
  const program::Edge& call = space_.edge(parent, space_.context(context_).edge);
  end_stack_objects(context_);
  --frame_;
  if (!call.statement.targets.empty()) keep_register(parent, frame_, call.statement.targets[0]);
  arrive(parent, call.to);
}

void TestRunner::end_stack_objects(uint32_t context) {
  for (uint32_t k : space_.sites_of(context)) {
    const Site& site = space_.sites()[k];
    if (site.heap || !test_.knows(site.alive)) continue;
    const auto object = concrete_.object_at(site.address);
    if (!object || !object->alive) test_.set(site.alive, 0, {});
  }
}

}  // namespace whittle::engines::dash
