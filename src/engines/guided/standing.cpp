#include "engines/guided/standing.h"

#include <fmt/format.h>

#include <algorithm>

#include "program/analysis/targets.h"

namespace whittle::engines::guided {

using program::Kind;
using program::Statement;
using verdict::Property;

namespace {

/// What is asked about, and what ends a run (or what is known of it) although no one asked: docs/machine.md.
std::set<Property> that_end_runs(const verdict::Specification& specification) {
  std::set<Property> properties = specification.properties;
  properties.insert(
      {Property::UnreachCall, Property::ValidDeref, Property::ValidFree, Property::NoDivByZero, Property::NoBadShift});
  return properties;
}

}  // namespace

Standing::Standing(exec::SymbolicMachine& machine, std::shared_ptr<program::analysis::Analyses> analyses, bool slicing)
    : program_(machine.program()), machine_(machine), analyses_(std::move(analyses)) {
  const verdict::Specification& specification = machine.machine().code().specification();
  looks_ahead_ = !specification.has(Property::NoDataRace) && !specification.has(Property::ValidMemtrack) &&
                 !specification.has(Property::ValidMemcleanup);
  if (looks_ahead_) find_finish();
  if (slicing && looks_ahead_)
    slice_ =
        std::make_unique<program::analysis::Slice>(program_, analyses_->calls(), analyses_->points(),
                                                   program::analysis::Questions{that_end_runs(specification), false});
}

const Statement* Standing::standing_at(uint32_t thread) {
  const exec::View& machine = machine_.machine();
  if (!machine.alive(thread)) return nullptr;
  exec::FramePosition position = machine.frame(thread, machine.frame_count(thread) - 1);
  const program::Function& function = program_.functions[position.function];
  const program::Location& location = function.locations[position.location];
  return location.edge_count == 1 ? &function.edges[location.first_edge].statement : nullptr;
}

bool Standing::interleaves(uint32_t thread) {
  if (!slice_) return true;
  const exec::View& machine = machine_.machine();
  exec::FramePosition position = machine.frame(thread, machine.frame_count(thread) - 1);
  const program::Location& location = program_.functions[position.function].locations[position.location];
  return location.edge_count != 1 || slice_->interleaves(position.function, location.first_edge);
}

bool Standing::passes_unseen(uint32_t thread) {
  if (interleaves(thread) || may_abort(thread)) return false;
  const Statement& s = *standing_at(thread);
  if (s.kind == Kind::Await)
    return machine_.machine().enabled(thread) && !machine_.symbolic(await_of(thread, s).address, s.width / 8u);
  return s.kind != Kind::Assume && s.kind != Kind::Spawn;
}

/// The end of a thread is marked in a step of its own (runtime/src/thread.c). Who waits for it cannot tell whether that
/// happens right after the thread's last step or later; others can only if they ask without waiting.
void Standing::find_finish() {
  for (program::FunctionId f = 0; f < program_.functions.size(); ++f)
    if (program_.functions[f].role == program::FunctionRole::AskForEnd && analyses_->calls().reachable().test(f))
      return;
  auto object = program_.find(program::ObjectRole::AtThreadEnd);
  auto function = program_.find(program::FunctionRole::FinishThread);
  if (!object || !function) return;
  finish_ = *function;
  at_finish_ = program_.objects[*object].address;
}

bool Standing::about_to_finish(uint32_t thread) {
  if (finish_ == program::kNone) return false;
  const exec::View& machine = machine_.machine();
  exec::FramePosition position = machine.frame(thread, machine.frame_count(thread) - 1);
  if (position.function != finish_) return false;
  const Statement* s = standing_at(thread);
  if (!s || s->kind != Kind::AtomicBegin || machine_.symbolic(at_finish_, 8)) return false;
  uint8_t bytes[8] = {};
  machine.read_memory(at_finish_, {bytes, program_.pointer_width() / 8});
  return std::all_of(bytes, bytes + 8, [](uint8_t b) { return b == 0; });
}

bool Standing::may_start_threads(uint32_t thread) {
  return may_reach(starts_, thread, [](program::FunctionId, Kind kind) { return kind == Kind::Spawn; });
}

bool Standing::may_abort(uint32_t thread) {
  return may_reach(aborts_, thread, [&](program::FunctionId f, Kind kind) {
    return kind == Kind::Halt && program_.functions[f].role != program::FunctionRole::Exit;
  });
}

bool Standing::may_reach(std::vector<BitSet>& from, uint32_t thread,
                         const std::function<bool(program::FunctionId, Kind)>& wanted) {
  if (!looks_ahead_) return true;
  if (from.empty()) {
    for (const program::Function& f : program_.functions) from.emplace_back(f.locations.size());
    for (bool changed = true; changed;) {
      changed = false;
      for (program::FunctionId f = 0; f < program_.functions.size(); ++f)
        for (const program::Edge& edge : program_.functions[f].edges) {
          bool here = wanted(f, edge.statement.kind) || (edge.to != program::kNone && from[f].test(edge.to));
          if (edge.statement.kind != Kind::Spawn)
            for (program::FunctionId to : functions_called(analyses_->calls(), analyses_->points(), edge.statement))
              here = here || from[to].test(program_.functions[to].entry);
          if (here) changed |= from[f].set(edge.from);
        }
    }
  }
  const exec::View& machine = machine_.machine();
  for (uint32_t frame = 0; frame < machine.frame_count(thread); ++frame) {
    exec::FramePosition position = machine.frame(thread, frame);
    const program::Function& function = program_.functions[position.function];
    program::LocationId location = position.location;
    if (frame + 1 < machine.frame_count(thread))  // it waits for its call
      location = function.edges[function.locations[location].first_edge].to;
    if (location != program::kNone && from[position.function].test(location)) return true;
  }
  return false;
}

bool Standing::nothing_can_fail() {
  if (!slice_) return false;
  const exec::View& machine = machine_.machine();
  for (uint32_t t = 0; t < machine.thread_count(); ++t) {
    if (!machine.alive(t)) continue;
    exec::FramePosition position = machine.frame(t, machine.frame_count(t) - 1);
    if (slice_->ahead().ever(position.function, position.location)) return false;
  }
  return true;
}

bool Standing::stuck(uint32_t thread, const Statement* s) {
  if (!s || s->kind != Kind::Assume) return false;
  return machine_.machine().evaluate(thread, machine_.machine().frame_count(thread) - 1, s->operands[0]) == 0;
}

dpor::Await Standing::await_of(uint32_t thread, const Statement& s) {
  const exec::View& machine = machine_.machine();
  uint32_t frame = machine.frame_count(thread) - 1;
  auto number = [&](size_t i) {
    return static_cast<int64_t>(sign_extend128(machine.evaluate(thread, frame, s.operands[i]), s.operands[i].width()));
  };
  dpor::Await await;
  await.address = static_cast<uint64_t>(machine.evaluate(thread, frame, s.operands[0]));
  await.size = s.width / 8u;
  await.mask = static_cast<uint64_t>(number(1)) & mask64(s.width > 64 ? 64 : s.width);
  await.low = number(2);
  await.high = number(3);
  await.symbolic = s.width > 64 || !machine_.empty();
  return await;
}

uint64_t Standing::place_of(uint32_t thread) {
  const exec::View& machine = machine_.machine();
  exec::FramePosition position = machine.frame(thread, machine.frame_count(thread) - 1);
  return uint64_t{thread + 1} << 56 | uint64_t{position.function} << 28 | position.location;
}

std::string Standing::describe_place(uint32_t thread) {
  const exec::View& machine = machine_.machine();
  // The innermost loop of the user's code around the place.
  for (uint32_t frame = machine.frame_count(thread); frame-- > 0;) {
    exec::FramePosition position = machine.frame(thread, frame);
    const program::Function& function = program_.functions[position.function];
    const program::analysis::Loops& loops = analyses_->loops(position.function);
    uint32_t loop = loops.innermost(position.location);
    if (function.runtime || loop == program::kNone) continue;
    const program::Location& head = function.locations[loops.all()[loop].head];
    for (uint32_t e = head.first_edge; e < head.first_edge + head.edge_count; ++e)
      if (function.edges[e].statement.position.known())
        return fmt::format("the loop at {}", program_.where(function.edges[e].statement.position));
    return fmt::format("a loop in {}", function.name);
  }
  exec::FramePosition position = machine.frame(thread, 0);
  return fmt::format("recursion or a loop below {}", program_.functions[position.function].name);
}

}  // namespace whittle::engines::guided
