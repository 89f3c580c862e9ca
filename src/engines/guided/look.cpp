// What the search wants to know of the state in which the machine is.
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "engines/guided/search.h"
#include "program/analysis/targets.h"

namespace whittle::engines::guided {

using dpor::Access;
using program::Kind;
using program::Statement;

namespace {

constexpr size_t kSpinLength = 16;  ///< steps of one thread that may make up a round of busy waiting

}  // namespace

/// The only statement that the thread can go on with, or null.
const Statement* Search::standing_at(uint32_t thread) {
  exec::Machine& machine = machine_.machine();
  if (!machine.alive(thread)) return nullptr;
  exec::FramePosition position = machine.frame(thread, machine.frame_count(thread) - 1);
  const program::Function& function = program_.functions[position.function];
  const program::Location& location = function.locations[position.location];
  return location.edge_count == 1 ? &function.edges[location.first_edge].statement : nullptr;
}

/// Does anything that is asked about depend on when the thread does what it stands before?
bool Search::interleaves(uint32_t thread) {
  if (!slice_) return true;
  exec::Machine& machine = machine_.machine();
  exec::FramePosition position = machine.frame(thread, machine.frame_count(thread) - 1);
  const program::Location& location = program_.functions[position.function].locations[position.location];
  return location.edge_count != 1 || slice_->interleaves(position.function, location.first_edge);
}

/// What the thread does next can be noticed by others, but nothing that is asked about depends on when it happens.
bool Search::passes_unseen(uint32_t thread) {
  if (interleaves(thread) || may_abort(thread)) return false;
  const Statement& s = *standing_at(thread);
  if (s.kind == Kind::Await)
    return machine_.machine().enabled(thread) && !machine_.symbolic(await_of(thread, s).address, s.width / 8u);
  return s.kind != Kind::Assume && s.kind != Kind::Spawn;
}

/// The end of a thread is marked in a step of its own (runtime/src/thread.c). Who waits for it cannot tell whether that
/// happens right after the thread's last step or later; others can only if they ask without waiting.
void Search::find_finish() {
  for (program::FunctionId f = 0; f < program_.functions.size(); ++f)
    if (program_.functions[f].role == program::FunctionRole::AskForEnd && analyses_->calls().reachable().test(f)) return;
  auto object = program_.find(program::ObjectRole::AtThreadEnd);
  auto function = program_.find(program::FunctionRole::FinishThread);
  if (!object || !function) return;
  finish_ = *function;
  at_finish_ = program_.objects[*object].address;
}

bool Search::about_to_finish(uint32_t thread) {
  if (finish_ == program::kNone) return false;
  exec::Machine& machine = machine_.machine();
  exec::FramePosition position = machine.frame(thread, machine.frame_count(thread) - 1);
  if (position.function != finish_) return false;
  const Statement* s = standing_at(thread);
  if (!s || s->kind != Kind::AtomicBegin || machine_.symbolic(at_finish_, 8)) return false;
  uint8_t bytes[8] = {};
  machine.read_memory(at_finish_, {bytes, program_.pointer_width() / 8});
  return std::all_of(bytes, bytes + 8, [](uint8_t b) { return b == 0; });
}

bool Search::may_start_threads(uint32_t thread) {
  return may_reach(starts_, thread, [](program::FunctionId, Kind kind) { return kind == Kind::Spawn; });
}

/// The program may end in the same step, without giving others the chance to run before: exit() does, abort() does not.
bool Search::may_abort(uint32_t thread) {
  return may_reach(aborts_, thread, [&](program::FunctionId f, Kind kind) {
    return kind == Kind::Halt && program_.functions[f].role != program::FunctionRole::Exit;
  });
}

/// Can the thread still get to such a statement? `from` keeps the places from where that is so.
bool Search::may_reach(std::vector<BitSet>& from, uint32_t thread,
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
  exec::Machine& machine = machine_.machine();
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

/// No thread can get to anything that could fail. Partial order reduction must see what they would have done, all the
/// same: what others did before may have to come after it.
bool Search::harmless_from_here() {
  exec::Machine& machine = machine_.machine();
  if (!slice_ || (reduction_.reduces() && (nodes_.back()->created > 1 || machine.thread_count() > 1))) return false;
  for (uint32_t t = 0; t < machine.thread_count(); ++t) {
    if (!machine.alive(t)) continue;
    exec::FramePosition position = machine.frame(t, machine.frame_count(t) - 1);
    if (slice_->ahead().ever(position.function, position.location)) return false;
  }
  return true;
}

/// It stands before an assumption that does not hold: it is never going on.
bool Search::stuck(uint32_t thread, const Statement* s) {
  if (!s || s->kind != Kind::Assume) return false;
  return machine_.machine().evaluate(thread, machine_.machine().frame_count(thread) - 1, s->operands[0]) == 0;
}

dpor::Await Search::await_of(uint32_t thread, const Statement& s) {
  exec::Machine& machine = machine_.machine();
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

uint64_t Search::place_of(uint32_t thread) {
  exec::Machine& machine = machine_.machine();
  exec::FramePosition position = machine.frame(thread, machine.frame_count(thread) - 1);
  return uint64_t{thread + 1} << 56 | uint64_t{position.function} << 28 | position.location;
}

std::string Search::describe_place(uint32_t thread) {
  exec::Machine& machine = machine_.machine();
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

/// An await that was passed in mid-step, where there would have been a scheduling point with others around.
bool Search::known_await(const exec::Pending::Range& range, dpor::Await& await) {
  const Statement& s = program_.functions[range.function].edges[range.edge].statement;
  if (s.kind != Kind::Await || range.region || s.width > 64 || range.size * 8 != s.width) return false;
  for (size_t i = 1; i < 4; ++i)
    if (!s.operands[i].is_constant()) return false;
  auto number = [&](size_t i) {
    return static_cast<int64_t>(sign_extend128(s.operands[i].value(), s.operands[i].width()));
  };
  await = {range.address, range.size, static_cast<uint64_t>(s.operands[1].value()), number(2), number(3), false};
  return true;
}

/// What the last step did, as the reduction wants it.
void Search::collect_accesses(bool alone, bool awaits) {
  accesses_.clear();
  touched_.clear();
  behind_.clear();
  passed_.clear();
  parts_.clear();
  auto note = [](std::vector<Access>& list, const exec::Pending::Range& range) {
    for (Access& a : list)
      if (a.address == range.address && a.size == range.size) {
        a.write |= range.write;
        return;
      }
    list.push_back({range.address, range.size, range.write});
  };
  auto written = [&](const exec::Pending::Range& range) {
    return std::any_of(touched_.begin(), touched_.end(), [&](const Access& a) {
      return a.write && a.address < range.address + range.size && range.address < a.address + a.size;
    });
  };
  for (const exec::Pending::Range& range : log_) {
    if (range.size == 0) continue;
    note(touched_, range);
    if (slice_ && !slice_->interleaves(range.function, range.edge)) continue;
    dpor::Await await;
    if (alone && !(awaits && accesses_.empty()) && known_await(range, await) && !written(range)) {
      passed_.push_back(await);
      behind_.emplace_back();
    }
    note(behind_.empty() ? accesses_ : behind_.back(), range);
  }
  auto look_up = [&](std::vector<Access>& list) {
    for (Access& a : list) {
      if (!a.write || a.size > 8 || machine_.symbolic(a.address, a.size)) continue;
      uint8_t bytes[8] = {};
      if (!machine_.machine().read_memory(a.address, {bytes, a.size})) continue;
      a.known = true;
      for (unsigned i = static_cast<unsigned>(a.size); i-- > 0;) a.value = a.value << 8 | bytes[i];
    }
  };
  look_up(accesses_);
  for (size_t i = 0; i < behind_.size(); ++i) {
    look_up(behind_[i]);
    parts_.push_back({&passed_[i], behind_[i]});
  }
}

dpor::Threads Search::name_new_threads(const Node& node, std::vector<uint8_t>& names, uint32_t& created) {
  exec::Machine& machine = machine_.machine();
  dpor::Threads spawned = 0;
  uint32_t count = machine.thread_count();
  if (names.size() < count) names.resize(count);
  for (uint32_t t = 0; t < count; ++t) {
    if (!machine.alive(t) || (node.alive >> t & 1)) continue;
    if (created >= dpor::kMaxThreads) {
      note_incomplete(fmt::format("more than {} threads on a run", dpor::kMaxThreads));
      continue;
    }
    names[t] = static_cast<uint8_t>(created);
    spawned |= dpor::Threads{1} << created++;
  }
  return spawned;
}

/// A thread that came back to a state where it has been, alone, will come back again until somebody else changes what
/// it reads: it waits.
void Search::note_spinning(Node& node) {
  node.spins.clear();
  if (nodes_.size() < 2) return;
  const Node& parent = *nodes_[nodes_.size() - 2];
  for (const Node::Spin& spin : parent.spins) {
    if (spin.thread == node.ran || !machine_.machine().alive(spin.thread)) continue;
    bool changed = std::any_of(node.accesses.begin(), node.accesses.end(), [&](const Access& a) {
      return a.write && std::any_of(spin.reads.begin(), spin.reads.end(), [&](const Access& b) {
               return a.address < b.address + b.size && b.address < a.address + a.size;
             });
    });
    if (!changed) node.spins.push_back(spin);
  }
  if (node.place == 0 || visits_[node.place] < 2) return;
  std::vector<Access> reads;
  for (size_t i = nodes_.size() - 1, steps = 0; i > 0 && nodes_[i]->ran == node.ran && steps < kSpinLength;
       --i, ++steps) {
    reads.insert(reads.end(), nodes_[i]->accesses.begin(), nodes_[i]->accesses.end());
    const Node& before = *nodes_[i - 1];
    if (before.snapshot.bytes != node.snapshot.bytes ||
        before.snapshot.overlay.registers() != node.snapshot.overlay.registers() ||
        before.snapshot.overlay.memory() != node.snapshot.overlay.memory())
      continue;
    for (Access& a : reads) a.known = false;
    node.spins.push_back({node.ran, std::move(reads)});
    return;
  }
}

/// Who can run, who is blocked.
void Search::look_around(Node& node) {
  exec::Machine& machine = machine_.machine();
  node.alive = node.enabled = 0;
  dpor::Threads enabled = 0;
  blocked_.clear();
  awaits_.clear();
  uint32_t count = machine.thread_count();
  awaits_.reserve(count);
  for (uint32_t t = 0; t < count; ++t) {
    if (!machine.alive(t)) continue;
    node.alive |= uint64_t{1} << t;
    const Statement* s = standing_at(t);
    if (stuck(t, s)) continue;
    auto spin = std::find_if(node.spins.begin(), node.spins.end(), [&](const auto& x) { return x.thread == t; });
    dpor::Step step;
    step.thread = node.names[t];
    if (spin != node.spins.end()) {
      step.accesses = spin->reads;
      blocked_.push_back(step);
    } else if (s && s->kind == Kind::Await && !machine.enabled(t)) {
      awaits_.push_back(await_of(t, *s));
      step.await = &awaits_.back();
      blocked_.push_back(step);
    } else {
      node.enabled |= uint64_t{1} << t;
      enabled |= dpor::Threads{1} << node.names[t];
    }
  }
  reduction_.push_node(enabled, blocked_, learning_ && enabled != 0 ? node.names[preferred(node)] : dpor::kNone);
}

/// For summaries it pays to come to the same control states again: lowest number first. But who makes others wait goes
/// on to the end, and who had to wait goes on then: their order is settled before others begin, and a summary made
/// behind both of them speaks for both orders.
uint32_t Search::preferred(Node& node) {
  node.urgent = UINT32_MAX;
  if (nodes_.size() > 1) {
    const Node& parent = *nodes_[nodes_.size() - 2];
    const uint64_t waited = parent.alive & ~parent.enabled & node.enabled & ~uint64_t{1};
    const uint64_t blocked = parent.enabled & node.alive & ~node.enabled & ~(uint64_t{1} << node.ran);
    if ((parent.urgent == node.ran || blocked != 0) && (node.enabled >> node.ran & 1))
      node.urgent = node.ran;
    else if (waited != 0)
      node.urgent = static_cast<uint32_t>(std::countr_zero(waited));
  }
  return node.urgent != UINT32_MAX ? node.urgent : static_cast<uint32_t>(std::countr_zero(node.enabled));
}

}  // namespace whittle::engines::guided
