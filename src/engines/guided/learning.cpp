#include "engines/guided/learning.h"

#include <algorithm>

namespace whittle::engines::guided {

using dpor::Access;
using program::Kind;
using program::Statement;

/// What must hold in a state for the same threads to be able to run there as here.
void Learning::note_state(Node& node) {
  exec::Machine& machine = machine_.machine();
  term::Store& terms = program_.terms();
  wp::Frames& frames = summaries_.frames();
  for (uint32_t t = 0; t < machine.thread_count(); ++t) {
    if (!machine.alive(t)) continue;
    const uint32_t depth = machine.frame_count(t) - 1;
    const program::FunctionId function = machine.frame(t, depth).function;
    auto in_frame = [&](Term term) { return frames.in_frame(frame_id(t, depth), function, term); };
    const Statement* s = standing_.standing_at(t);
    if (standing_.stuck(t, s)) node.learned.add(terms, terms.bnot(in_frame(s->operands[0])));
    if (s && s->kind == Kind::Await) {
      dpor::Await await = standing_.await_of(t, *s);
      Term address = terms.constant(s->operands[0].width(), await.address);
      node.learned.add(terms, terms.eq(in_frame(s->operands[0]), address));
      Term seen = terms.band(terms.read(address, s->width), in_frame(s->operands[1]));
      Term holds = terms.band(terms.sle(in_frame(s->operands[2]), seen), terms.sle(seen, in_frame(s->operands[3])));
      bool enabled = (node.enabled >> t & 1) != 0;
      node.learned.add(terms, enabled ? holds : terms.bnot(holds));
      if (!enabled) node.learned.add(LaterAccess{t, {await.address, await.size}, false, false, true, await});
    }
  }
  for (const Node::Spin& spin : node.spins) {
    // It goes round without effect in just this state: its registers and what it looks at must be the same.
    const uint32_t t = spin.thread, depth = machine.frame_count(t) - 1;
    const program::FunctionId function = machine.frame(t, depth).function;
    const program::LocationId location = machine.frame(t, depth).location;
    const program::analysis::Liveness& liveness = standing_.analyses().liveness(function);
    for (program::RegisterId r = 0; r < program_.functions[function].registers.size(); ++r) {
      if (!liveness.at(location).test(r)) continue;
      Term now = machine_.register_term(t, depth, r);
      if (!now.is_constant()) node.learned.usable = false;
      node.learned.add(terms, terms.eq(frames.variable(frame_id(t, depth), function, r), now));
    }
    for (const Access& a : spin.reads) {
      node.learned.add(LaterAccess{t, {a.address, a.size, a.write}, false, false, false, {}});
      Term now = a.size <= 16 ? machine_.memory_term(a.address, static_cast<unsigned>(a.size)) : Term();
      if (!now || !now.is_constant()) {
        node.learned.usable = false;
        continue;
      }
      Term address = terms.constant(program_.pointer_width(), a.address);
      node.learned.add(terms, terms.eq(terms.read(address, static_cast<unsigned>(a.size) * 8), now));
    }
  }
}

void Learning::note_step(Node& node, const dpor::Transition& event) {
  if (node.created == 1 && event.spawned == 0) return;
  auto add = [&](std::span<const Access> accesses, const dpor::Await* await) {
    for (const Access& a : accesses)
      node.learned.add(LaterAccess{node.thread, a, false, false, await != nullptr, await ? *await : dpor::Await{}});
  };
  add(event.accesses, event.await);
  for (const dpor::Part& part : event.parts) add(part.accesses, part.await);
  if (event.spawned != 0) node.learned.add(LaterAccess{node.thread, {}, true, false, false, {}});
  if (event.everything) node.learned.add(LaterAccess{node.thread, {}, false, true, false, {}});
}

/// Whatever happened before the step from parent to child and conflicts with the access conflicts with the step, too,
/// if that writes all of it: then the access comes after it, and only the step races with it. Except that an await that
/// passes only thanks to the step leaves open what was before.
bool Learning::comes_after(const LaterAccess& access, bool same_thread, const Node& parent, const Node& child) {
  auto writes_all = [&](const Access& a) {
    return a.write && a.address <= access.access.address &&
           access.access.address - a.address + access.access.size <= a.size;
  };
  if (access.spawns || access.everything || access.access.size == 0 ||
      std::none_of(child.did.begin(), child.did.end(), writes_all))
    return false;
  if (same_thread || !access.awaits) return true;
  const dpor::Await& await = access.await;
  if (await.symbolic || await.size > 8) return false;
  if (!loaded_) machine_.load(parent.snapshot);
  loaded_ = true;
  uint8_t bytes[8] = {};
  if (machine_.symbolic(await.address, await.size) ||
      !machine_.machine().read_memory(await.address, {bytes, static_cast<size_t>(await.size)}))
    return false;
  uint64_t word = 0;
  for (unsigned i = static_cast<unsigned>(await.size); i-- > 0;) word = word << 8 | bytes[i];
  const auto value = static_cast<int64_t>(sign_extend128(word & await.mask, static_cast<unsigned>(await.size) * 8));
  return await.low <= value && value <= await.high;
}

/// What was learned at the child, as seen from its parent.
void Learning::pass_on(Node& parent, Node& child) {
  loaded_ = false;
  for (LaterAccess access : child.learned.later) {
    if (!(parent.alive >> access.thread & 1)) access.thread = child.ran;
    access.access.ordered = access.access.ordered || comes_after(access, access.thread == child.ran, parent, child);
    parent.learned.add(access);
  }
  summaries_.back_over(child.step, child.learned, parent.learned);
  parent.steps.push_back(std::move(child.step));
}

/// Threads that need not be run first here. They were run first elsewhere, and nothing that happened since has to do
/// with what they did.
void Learning::note_sleepers(Node& node, const Node* parent) {
  node.sleepers.clear();
  node.done.clear();
  node.steps.clear();
  node.asleep = 0;
  const dpor::Threads names = reduction_.sleeping();
  if (names == 0 || !parent) return;
  for (uint32_t t = 0; t < dpor::kMaxThreads; ++t) {
    if (!(node.alive >> t & 1) || !(names >> node.names[t] & 1)) continue;
    node.asleep |= uint64_t{1} << t;
    for (const auto* list : {&parent->done, &parent->sleepers})
      for (const Node::Sleeper& sleeper : *list)
        if (sleeper.thread == t) node.sleepers.push_back(sleeper);
  }
}

/// The present thread of the node is explored, and another one comes: it will be asleep as long as nothing happens that
/// has to do with what it did. A state in which it would do something else is not spoken of.
void Learning::note_done(Node& node) {
  if (node.thread == UINT32_MAX) return;
  auto reason = std::make_shared<Learned>();
  reason->usable = node.learned.usable;
  for (const wp::Path& step : node.steps) summaries_.back_over(step, Learned{}, *reason);
  node.steps.clear();
  node.done.push_back({node.thread, std::move(reason)});
}

/// What was not explored because threads were asleep is explored elsewhere: for states in which they do as they did.
uint64_t Learning::rely_on_sleepers(Node& node) {
  const dpor::Threads names = reduction_.relied_on();
  uint64_t slept = 0;
  for (uint32_t t = 0; names != 0 && t < dpor::kMaxThreads; ++t) {
    if (!(node.alive >> t & 1) || !(names >> node.names[t] & 1)) continue;
    slept |= uint64_t{1} << t;
    if (node.covered) continue;
    bool known = false;
    for (const Node::Sleeper& sleeper : node.sleepers) {
      if (sleeper.thread != t) continue;
      known = true;
      node.learned.usable &= sleeper.reason->usable;
      for (Term condition : sleeper.reason->conditions) node.learned.add(program_.terms(), condition);
    }
    if (!known) node.learned.usable = false;
  }
  return slept;
}

bool Learning::covered(Node& node) {
  std::vector<uint8_t> control;
  machine_.machine().control(control);
  node.control.assign(control.begin(), control.end());
  const uint64_t awake = node.enabled & ~node.asleep;
  if (node.enabled != 0 && awake == 0) return false;
  std::optional<uint64_t> slept = summaries_.covers(node.control, machine_, path_, awake, node.learned);
  if (!slept) return false;
  leave_ghost(node, *slept);
  node.covered = (*slept & awake) == 0;
  return node.covered;
}

/// The reduction must see what would have been seen.
void Learning::leave_ghost(Node& node, uint64_t slept) {
  dpor::Threads slept_names = 0;
  std::vector<std::vector<Access>> accesses;
  std::vector<dpor::Await> awaits;
  std::vector<std::vector<dpor::Part>> parts(dpor::kMaxThreads);
  std::vector<dpor::Transition> pending, later;
  accesses.reserve(2 * dpor::kMaxThreads);
  awaits.reserve(dpor::kMaxThreads);
  for (uint32_t t = 0; t < dpor::kMaxThreads; ++t) {
    if (!(node.enabled >> t & 1)) continue;
    exec::Pending p = machine_.pending(t);
    const Statement* s = standing_.standing_at(t);
    dpor::Transition step;
    step.thread = node.names[t];
    accesses.emplace_back();
    for (unsigned i = 0; i < p.range_count; ++i)
      if (p.ranges[i].size != 0) accesses.back().push_back({p.ranges[i].address, p.ranges[i].size, p.ranges[i].write});
    step.accesses = accesses.back();
    if (s && s->kind == Kind::Await) {
      awaits.push_back(standing_.await_of(t, *s));
      step.await = &awaits.back();
    }
    pending.push_back(step);
  }
  for (uint32_t t = 0; t < dpor::kMaxThreads; ++t) {
    if (!(node.alive >> t & 1)) continue;
    if (slept >> t & 1) slept_names |= dpor::Threads{1} << node.names[t];
    dpor::Transition step;
    step.thread = node.names[t];
    accesses.emplace_back();
    for (const LaterAccess& access : node.learned.later) {
      if (access.thread != t) continue;
      if (access.spawns)
        step.spawned = ~dpor::Threads{0};
      else if (access.everything)
        step.everything = true;
      else if (access.awaits)
        parts[t].push_back({&access.await, {&access.access, 1}});
      else
        accesses.back().push_back(access.access);
    }
    step.accesses = accesses.back();
    step.parts = parts[t];
    later.push_back(step);
  }
  reduction_.ghost(pending, later, slept_names);
}

}  // namespace whittle::engines::guided
