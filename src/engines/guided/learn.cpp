// What the search learns on its way back, and where it need not go on.
#include <algorithm>

#include "engines/guided/search.h"

namespace whittle::engines::guided {

using dpor::Access;
using program::Kind;
using program::Statement;

/// What must hold in a state for the same threads to be able to run there as here.
void Search::learn_state(Node& node) {
  exec::Machine& machine = machine_.machine();
  term::Store& terms = program_.terms();
  wp::Frames& frames = summaries_.frames();
  for (uint32_t t = 0; t < machine.thread_count(); ++t) {
    if (!machine.alive(t)) continue;
    const uint32_t depth = machine.frame_count(t) - 1;
    const program::FunctionId function = machine.frame(t, depth).function;
    auto in_frame = [&](Term term) { return frames.in_frame(frame_id(t, depth), function, term); };
    const Statement* s = standing_at(t);
    if (stuck(t, s)) node.learned.add(terms, terms.bnot(in_frame(s->operands[0])));
    if (s && s->kind == Kind::Await) {
      dpor::Await await = await_of(t, *s);
      Term address = terms.constant(s->operands[0].width(), await.address);
      node.learned.add(terms, terms.eq(in_frame(s->operands[0]), address));
      Term seen = terms.band(terms.read(address, s->width), in_frame(s->operands[1]));
      Term holds = terms.band(terms.sle(in_frame(s->operands[2]), seen), terms.sle(seen, in_frame(s->operands[3])));
      bool enabled = (node.enabled >> t & 1) != 0;
      node.learned.add(terms, enabled ? holds : terms.bnot(holds));
      if (!enabled) node.learned.add(LaterAccess{t, {await.address, await.size, false, false, 0}, false, false});
    }
  }
  for (const Node::Spin& spin : node.spins) {
    // It goes round without effect in just this state: its registers and what it looks at must be the same.
    const uint32_t t = spin.thread, depth = machine.frame_count(t) - 1;
    const program::FunctionId function = machine.frame(t, depth).function;
    const program::LocationId location = machine.frame(t, depth).location;
    auto& liveness = liveness_[function];
    if (!liveness) liveness = std::make_unique<program::analysis::Liveness>(program_, function);
    for (program::RegisterId r = 0; r < program_.functions[function].registers.size(); ++r) {
      if (!liveness->at(location).test(r)) continue;
      Term now = machine_.register_term(t, depth, r);
      if (!now.is_constant()) node.learned.usable = false;
      node.learned.add(terms, terms.eq(frames.variable(frame_id(t, depth), function, r), now));
    }
    for (const Access& a : spin.reads) {
      node.learned.add(LaterAccess{t, {a.address, a.size, a.write, false, 0}, false, false});
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

/// A step from the node was explored; `after` is where it led, if the run went on.
void Search::learn_step(Node& node, const wp::Path& step, const Learned& behind, const Node* after) {
  bool loaded = false;
  auto address_at_end = [&](Term address) {
    if (!loaded && after) machine_.load(after->snapshot);
    loaded = true;
    exec::Machine& machine = machine_.machine();
    term::Assignment assignment;
    assignment.variable = [&](Term variable) {
      wp::Frames::Register cell = summaries_.frames().register_of(variable);
      return machine.register_value(thread_of(cell.frame), depth_of(cell.frame), cell.reg);
    };
    assignment.read = [&](u128 at, unsigned bytes) {
      uint8_t buffer[16] = {};
      machine.read_memory(static_cast<uint64_t>(at), {buffer, bytes});
      u128 value = 0;
      for (unsigned i = bytes; i-- > 0;) value = value << 8 | buffer[i];
      return value;
    };
    return program_.terms().evaluate(address, assignment);
  };
  summaries_.back_over(step, behind, address_at_end, node.learned);
}

void Search::learn_access(Node& node, const dpor::Step& event) {
  if (node.created == 1 && event.spawned == 0) return;
  for (const Access& a : event.accesses) node.learned.add(LaterAccess{node.thread, a, false, false});
  if (event.spawned != 0) node.learned.add(LaterAccess{node.thread, {}, true, false});
  if (event.everything) node.learned.add(LaterAccess{node.thread, {}, false, true});
}

/// What was learned at the child, as seen from its parent.
void Search::pass_on(Node& parent, Node& child) {
  for (LaterAccess access : child.learned.later) {
    if (!(parent.alive >> access.thread & 1)) access.thread = child.ran;
    parent.learned.add(access);
  }
  learn_step(parent, child.step, child.learned, &child);
}

bool Search::covered(Node& node) {
  std::vector<uint8_t> control;
  machine_.machine().control(control);
  node.control.assign(control.begin(), control.end());
  if (!summaries_.covers(node.control, machine_, path_, node.learned)) return false;
  node.covered = true;
  ++figures_.runs_partial;
  leave_ghost(node);
  return true;
}

/// The reduction must see what would have been seen.
void Search::leave_ghost(Node& node) {
  std::vector<std::vector<Access>> accesses;
  std::vector<dpor::Await> awaits;
  std::vector<dpor::Step> pending, later;
  accesses.reserve(2 * dpor::kMaxThreads);
  awaits.reserve(dpor::kMaxThreads);
  for (uint32_t t = 0; t < dpor::kMaxThreads; ++t) {
    if (!(node.enabled >> t & 1)) continue;
    exec::Pending p = machine_.pending(t);
    const Statement* s = standing_at(t);
    dpor::Step step;
    step.thread = node.names[t];
    accesses.emplace_back();
    for (unsigned i = 0; i < p.range_count; ++i)
      if (p.ranges[i].size != 0)
        accesses.back().push_back({p.ranges[i].address, p.ranges[i].size, p.ranges[i].write, false, 0});
    step.accesses = accesses.back();
    if (s && s->kind == Kind::Await) {
      awaits.push_back(await_of(t, *s));
      step.await = &awaits.back();
    }
    pending.push_back(step);
  }
  for (uint32_t t = 0; t < dpor::kMaxThreads; ++t) {
    if (!(node.alive >> t & 1)) continue;
    dpor::Step step;
    step.thread = node.names[t];
    accesses.emplace_back();
    for (const LaterAccess& access : node.learned.later) {
      if (access.thread != t) continue;
      if (access.spawns)
        step.spawned = ~dpor::Threads{0};
      else if (access.everything)
        step.everything = true;
      else
        accesses.back().push_back(access.access);
    }
    for (Access& a : accesses.back()) a.known = false;
    step.accesses = accesses.back();
    later.push_back(step);
  }
  reduction_.ghost(pending, later);
}

}  // namespace whittle::engines::guided
