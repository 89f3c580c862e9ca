// Ways through functions: which location is next, where ways meet, how often loops go round.
#include "engines/merge/unwinder.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cassert>

#include "base/hash.h"
#include "exec/machine.h"

namespace whittle::engines::merge {

using program::Kind;
using program::kNone;
using verdict::Property;

namespace {

std::vector<uint64_t> thread_local_addresses(const program::Program& program,
                                             const std::shared_ptr<const exec::Code>& code) {
  exec::Machine machine(code);
  machine.reset();
  std::vector<uint64_t> addresses(program.objects.size(), 0);
  for (program::ObjectId id = 0; id < program.objects.size(); ++id)
    if (program.objects[id].thread_local_) addresses[id] = machine.thread_local_address(0, id);
  return addresses;
}

}  // namespace

Unwinder::Unwinder(const program::Program& program, std::shared_ptr<const exec::Code> code, Oracle& oracle,
                   Context& context)
    : program_(program),
      code_(std::move(code)),
      specification_(code_->specification()),
      oracle_(oracle),
      context_(context),
      store_(program.terms()),
      meanings_(program),
      facts_(program.functions.size()),
      objects_(program, thread_local_addresses(program, code_)),
      pointers_(store_, objects_),
      selectors_(program),
      active_(program.functions.size(), 0),
      check_alignment_(code_->options().check_alignment && specification_.has(Property::ValidDeref)) {}

Unwinder::FunctionFacts& Unwinder::facts(FunctionId id) {
  if (!facts_[id]) {
    facts_[id] = std::make_unique<FunctionFacts>(program_, id);
    const std::vector<program::Edge>& edges = program_.functions[id].edges;
    facts_[id]->saves = std::any_of(edges.begin(), edges.end(), [](const program::Edge& edge) {
      return edge.statement.kind == Kind::StackRestore;
    });
  }
  return *facts_[id];
}

const Unwinder::EdgeFacts& Unwinder::facts(Frame& frame, uint32_t edge) {
  EdgeFacts& f = frame.facts.edges[edge];
  if (!f.meaning) {
    const Statement& s = frame.function.edges[edge].statement;
    f.meaning = &meanings_.of(frame.id, edge);
    f.demands = semantics::demands(s);
    f.error = semantics::calls_error(program_, specification_, s);
  }
  return f;
}

Unwinder::End Unwinder::run(uint64_t bound) {
  bound_ = bound;
  depth_ = 0;
  std::fill(active_.begin(), active_.end(), 0);
  keys_.clear();
  incomplete_.clear();
  bound_place_.clear();
  trails_ = std::make_unique<Trails>(store_);
  objects_.restart();
  pointers_.restart();
  history_.restart();
  ++figures_.rounds;
  State start;
  start.trail = trails_->root();
  try {
    for (State& end : call(program_.entry, {}, std::move(start), 1)) {
      const program::Function& entry = program_.functions[program_.entry];
      Frame frame{program_.entry, entry, facts(program_.entry), 0, {}, {}, {}};
      ended(end, frame, static_cast<uint32_t>(entry.edges.size() - 1));
    }
    settle();
  } catch (const Stopped&) {
    return violated_ ? End::Violation : End::Stopped;
  }
  return End::Complete;
}

/// A name for what an edge does here: the same in every round, and different from all others on the ways to this state. On
/// ways that exclude each other it may be the same.
uint64_t Unwinder::key(const Frame& frame, const State& state, uint32_t edge) const {
  uint64_t k = hash_combine(hash_combine(frame.key, frame.id), edge);
  for (uint32_t loop = frame.facts.order.innermost(frame.function.edges[edge].from); loop != kNone;
       loop = frame.facts.order.loops()[loop].parent)
    k = hash_combine(k, state.loops[loop].rounds);
  return k;
}

void Unwinder::look_around() {
  if (context_.limits.poll() != Stop::No) throw Stopped{};
}

/// Are all claims met up to now? What can be violated is replayed, to be believed.
void Unwinder::settle() {
  for (;;) {
    look_around();
    switch (oracle_.any_violated()) {
      case Possible::No: return;
      case Possible::Unknown:
        look_around();
        if (incomplete_.empty()) incomplete_ = fmt::format("the solver gives up: {}", oracle_.reason());
        return;
      case Possible::Yes: break;
    }
    violation_ = history_.replay(oracle_.model(), code_, context_.limits);
    look_around();
    if (violation_.violation) {
      violated_ = true;
      throw Stopped{};
    }
    const Claim& claim = oracle_.violated();
    if (incomplete_.empty())
      incomplete_ = fmt::format("what may go wrong at {} does not on the machine: an address is not followed",
                                program_.where(program_.functions[claim.function].edges[claim.edge].statement.position));
  }
}

/// The states that come back.
std::vector<Unwinder::State> Unwinder::call(FunctionId id, std::vector<Term> arguments, State state, uint64_t key) {
  const program::Function& function = program_.functions[id];
  Frame frame{id, function, facts(id), key, {}, {}, {}};
  const program::analysis::WeakOrder& order = frame.facts.order;
  state.loops.assign(order.loops().size(), {});
  state.registers = std::move(arguments);
  state.registers.resize(function.registers.size());
  ++depth_, ++active_[id];
  frame.pending[order.slot(function.entry)].push_back(std::move(state));
  while (!frame.pending.empty()) {
    auto first = frame.pending.begin();
    const uint32_t slot = first->first;
    std::vector<State> states = std::move(first->second);
    frame.pending.erase(first);
    const bool round = order.is_end(slot);
    const LocationId location = round ? order.loops()[order.loop_ending(slot)].head : order.location(slot);
    const uint32_t loop = order.headed(location);
    if (loop != kNone && !round)
      for (State& entering : states) entering.loops[loop] = {};
    Groups groups = gather(frame, std::move(states), &frame.facts.liveness.at(location));
    if (loop != kNone) {
      go_round(frame, loop, std::move(groups));
    } else {
      for (State& group : groups.states) go(frame, std::move(group), location);
    }
  }
  --depth_, --active_[id];
  if (frame.returned.empty()) return {};
  for (State& back : frame.returned)
    for (ObjectNumber n : frame.objects) back.memory.end(n);
  return gather(frame, std::move(frame.returned), nullptr).states;
}

std::shared_ptr<const Unwinder::Passed> Unwinder::snapshot(const State& state) {
  State now = state;
  now.loops.clear();
  return std::make_shared<const Passed>(Passed{std::move(now)});
}

/// One of the states at the head of a loop goes on; the others wait until it has come round.
void Unwinder::go_round(Frame& frame, uint32_t loop, Groups groups) {
  const program::analysis::WeakOrder& order = frame.facts.order;
  const size_t chosen = first_to_go(frame, loop, groups);
  const bool others = groups.states.size() > 1;
  State state = std::move(groups.states[chosen]);
  for (size_t i = 0; i < groups.states.size(); ++i)
    if (i != chosen) frame.pending[order.loops()[loop].end].push_back(std::move(groups.states[i]));
  if (!state.loops[loop].entering && !goes_round(frame, loop, state)) return;
  LoopRun& run = state.loops[loop];
  run.entering = false;
  run.at_head = state.trail;
  run.passed = nullptr;
  if (others) run.passed = snapshot(state);
  go(frame, std::move(state), order.loops()[loop].head);
}

/// Does the loop go round once more?
bool Unwinder::goes_round(Frame& frame, uint32_t loop, State& state) {
  look_around();
  LoopRun& run = state.loops[loop];
  ++run.rounds;
  auto place = [&] {
    const program::Location& head = frame.function.locations[frame.facts.order.loops()[loop].head];
    const program::SourcePosition& position = frame.function.edges[head.first_edge].statement.position;
    return fmt::format("the loop of {} at {}", frame.function.name, program_.where(position));
  };
  if (state.trail == run.at_head) {  // whatever the inputs
    // The same state again: it goes round forever, and nothing new happens. What is lost there is never looked for.
    if (run.seen && run.seen->state.trail == state.trail && run.seen->state.registers == state.registers &&
        run.seen->state.region == state.region && run.seen->state.memory.same(state.memory)) {
      if (specification_.has(Property::ValidMemtrack))
        obstacle(state.trail->all, "memory may be lost in a run that never ends", frame,
                 frame.function.locations[frame.facts.order.loops()[loop].head].first_edge);
      return false;
    }
    if (std::has_single_bit(run.rounds)) run.seen = snapshot(state);
    if (run.rounds < limitations_.rounds_known * bound_) return true;
    bound_place_ = place();
    return false;
  }
  if (oracle_.due()) settle();
  const bool last = ++run.open >= bound_;
  const Possible answer = oracle_.possible(state.trail->all, last ? 0 : limitations_.conflicts);
  if (answer == Possible::No) return false;
  if (!last) return true;
  if (bound_place_.empty()) bound_place_ = place();
  return false;
}

void Unwinder::wait(Frame& frame, State state, LocationId from, LocationId to) {
  if (Trails::impossible(state.trail)) return;
  frame.pending[frame.facts.order.waits(from, to)].push_back(std::move(state));
}

/// From a location on, as long as no other way can come in between.
void Unwinder::go(Frame& frame, State state, LocationId location) {
  const program::Function& function = frame.function;
  const program::analysis::WeakOrder& order = frame.facts.order;
  for (;;) {
    const program::Location& at = function.locations[location];
    if (at.edge_count == 0 || Trails::impossible(state.trail)) return;
    if (at.edge_count > 1) {
      for (uint32_t i = 0; i < at.edge_count; ++i) {
        const program::Edge& edge = function.edges[at.first_edge + i];
        if (i + 1 == at.edge_count) return wait(frame, std::move(state), location, edge.to);
        Term here = condition(state, edge.statement.operands[0]);
        if (here.is_false()) continue;
        State taken = state;
        taken.trail = trails_->extend(state.trail, here);
        wait(frame, std::move(taken), location, edge.to);
        state.trail = trails_->extend(state.trail, store_.bnot(here));
        if (Trails::impossible(state.trail)) return;
      }
    }
    const program::Edge& edge = function.edges[at.first_edge];
    if ((++figures_.statements & 1023) == 0) look_around();
    if (edge.statement.kind == Kind::Call || edge.statement.kind == Kind::IndirectCall) {
      std::vector<State> after = execute_call(frame, std::move(state), at.first_edge);
      if (after.size() != 1) {
        for (State& one : after) {
          std::vector<State> several = forked(frame, one, at.first_edge);
          if (several.empty()) several.push_back(std::move(one));
          for (State& each : several) wait(frame, std::move(each), location, edge.to);
        }
        return;
      }
      state = std::move(after[0]);
    } else if (!execute(frame, state, at.first_edge) || edge.to == kNone) {
      return;
    }
    if (std::vector<State> several = forked(frame, state, at.first_edge); several.size() == 1) {
      state = std::move(several[0]);
    } else if (several.size() > 1) {
      for (State& one : several) wait(frame, std::move(one), location, edge.to);
      return;
    }
    const bool alone = !order.joins(edge.to) && order.innermost(edge.to) == order.innermost(location) &&
                       order.slot(edge.to) > order.slot(location) && order.headed(edge.to) == kNone;
    if (!alone) return wait(frame, std::move(state), location, edge.to);
    location = edge.to;
  }
}

/// Ways that parted last are joined first.
Unwinder::State Unwinder::join(std::vector<State> states, const BitSet* live) {
  std::vector<uint32_t> shared;
  for (size_t i = 0; i + 1 < states.size(); ++i)
    shared.push_back(Trails::common_depth(states[i].trail, states[i + 1].trail));
  while (states.size() > 1) {
    ++figures_.joins;
    const auto at = static_cast<size_t>(std::max_element(shared.begin(), shared.end()) - shared.begin());
    State &a = states[at], &b = states[at + 1];
    const Trails::Joined met = trails_->join(a.trail, b.trail);
    const size_t count = std::max(a.registers.size(), b.registers.size());
    a.registers.resize(count), b.registers.resize(count);
    for (size_t r = 0; r < count; ++r) {
      Term &x = a.registers[r], &y = b.registers[r];
      if (live != nullptr && !live->test(r)) {
        x = Term();
        continue;
      }
      if (x == y) continue;
      const unsigned width = x ? x.width() : y.width();
      if (!x) x = store_.constant(width, 0);
      x = store_.ite(met.first, x, y ? y : store_.constant(width, 0));
    }
    for (size_t l = 0; l < a.loops.size(); ++l) {
      LoopRun &x = a.loops[l], &y = b.loops[l];
      x.rounds = std::max(x.rounds, y.rounds), x.open = std::max(x.open, y.open);
      x.entering &= y.entering;
      if (x.at_head != y.at_head) x.at_head = nullptr;
      if (x.passed != y.passed) x.passed = nullptr;
      if (x.seen != y.seen) x.seen = nullptr;
    }
    if (a.region != b.region) a.region = std::max(a.region, b.region), incomplete_ = "atomic regions that do not nest";
    join_memory(a.memory, b.memory, met.first, met.trail->all);
    a.trail = met.trail;
    states.erase(states.begin() + static_cast<ptrdiff_t>(at) + 1);
    shared.erase(shared.begin() + static_cast<ptrdiff_t>(at));
    if (at > 0) shared[at - 1] = Trails::common_depth(states[at - 1].trail, states[at].trail);
    if (at < shared.size()) shared[at] = Trails::common_depth(states[at].trail, states[at + 1].trail);
  }
  State result = std::move(states[0]);
  if (live != nullptr)
    for (size_t r = 0; r < result.registers.size(); ++r)
      if (!live->test(r)) result.registers[r] = Term();
  return result;
}

void Unwinder::join_memory(Memory& a, const Memory& b, Term first, Term when) {
  if (a.same(b)) return;
  const std::vector<Memory::Held> left = a.all(), right = b.all();
  Memory joined;
  auto fixed = [&](ObjectNumber n) {
    return Memory::Held{n, store_.truth(), std::make_shared<Content>(objects_.initial(n))};
  };
  for (size_t i = 0, k = 0; i < left.size() || k < right.size();) {
    const bool only_left = k == right.size() || (i < left.size() && left[i].object < right[k].object);
    const bool only_right = i == left.size() || (k < right.size() && right[k].object < left[i].object);
    const ObjectNumber n = only_right ? right[k].object : left[i].object;
    Memory::Held x = only_right ? Memory::Held{} : left[i], y = only_left ? Memory::Held{} : right[k];
    i += only_right ? 0 : 1;
    k += only_left ? 0 : 1;
    if (objects_[n].fixed) {
      if (only_left) y = fixed(n);
      if (only_right) x = fixed(n);
    } else if (only_left || only_right) {  // on the other way it is not there
      Memory::Held& there = only_left ? x : y;
      there.alive = store_.band(there.alive, only_left ? first : store_.bnot(first));
      if (!there.alive.is_false()) joined.add(std::move(there));
      continue;
    }
    if (x.content != y.content && !x.content->same(*y.content))
      x.content = std::make_shared<Content>(
          Content::join(store_, first, *x.content, *y.content, [&](uint64_t offset, bool in_first) {
            return missing(n, offset, store_.band(when, in_first ? first : store_.bnot(first)));
          }));
    if (x.alive != y.alive) x.alive = store_.ite(first, x.alive, y.alive);
    joined.add(std::move(x));
  }
  a = std::move(joined);
}

// Calls

std::vector<Unwinder::State> Unwinder::enter(Frame& frame, State state, uint32_t edge, FunctionId callee, size_t first) {
  const Statement& s = frame.function.edges[edge].statement;
  const program::Function& function = program_.functions[callee];
  if (active_[callee] > 0) {
    look_around();
    if (oracle_.due()) settle();
    const bool last = active_[callee] >= bound_ || depth_ >= limitations_.frames;
    const Possible answer = oracle_.possible(state.trail->all, last ? 0 : limitations_.conflicts);
    if (answer == Possible::No) return {};
    if (last) {
      if (bound_place_.empty()) bound_place_ = fmt::format("the recursion of {}", function.name);
      return {};
    }
  } else if (depth_ >= limitations_.frames) {
    obstacle(state.trail->all, fmt::format("more than {} calls inside each other", limitations_.frames), frame, edge);
    return {};
  }
  const uint64_t frame_key = key(frame, state, edge);
  std::vector<Term> arguments;
  for (uint32_t i = 0; i < function.parameter_count && first + i < s.operands.size(); ++i)
    arguments.push_back(
        store_.resize_unsigned(evaluate(state, s.operands[first + i]), function.registers[i].width()));
  const std::vector<Term> registers = std::move(state.registers);
  const std::vector<LoopRun> loops = std::move(state.loops);
  const uint64_t place = hash_combine(frame_key, callee);
  std::vector<State> back = call(callee, std::move(arguments), std::move(state), place);
  for (State& one : back) {
    Term value = one.registers.empty() ? Term() : one.registers[0];
    one.registers = registers;
    one.loops = loops;
    if (!s.targets.empty()) set_register(frame, one, s.targets[0], value);
  }
  return back;
}

std::vector<Unwinder::State> Unwinder::execute_call(Frame& frame, State state, uint32_t edge) {
  const Statement& s = frame.function.edges[edge].statement;
  if (facts(frame, edge).error) {
    require(state, store_.falsity(), Property::UnreachCall, frame, edge);
    return {};
  }
  if (s.kind == Kind::Call) return enter(frame, std::move(state), edge, s.callee, 0);
  return call_pointer(frame, std::move(state), edge);
}

std::vector<Unwinder::State> Unwinder::call_pointer(Frame& frame, State state, uint32_t edge) {
  const Statement& s = frame.function.edges[edge].statement;
  Term pointer = evaluate(state, s.operands[0]);
  std::vector<FunctionId> callees;
  if (auto values = pointers_.constants(pointer)) {
    for (uint64_t address : *values)
      if (auto f = program_.function_at(address)) callees.push_back(*f);
  } else {
    obstacle(state.trail->all, "a call through a pointer that is not followed", frame, edge);
    return {};
  }
  auto is = [&](FunctionId f) {
    return store_.eq(pointer, store_.constant(pointer.width(), program::Program::function_address(f)));
  };
  Term any = store_.falsity();
  for (FunctionId f : callees) any = store_.bor(any, is(f));
  if (!require(state, any, Property::ValidDeref, frame, edge)) return {};
  std::vector<State> back;
  for (size_t i = 0; i < callees.size(); ++i) {
    const program::Function& function = program_.functions[callees[i]];
    State taken = state;
    taken.trail = trails_->extend(state.trail, is(callees[i]));
    if (i + 1 < callees.size()) state.trail = trails_->extend(state.trail, store_.bnot(is(callees[i])));
    if (Trails::impossible(taken.trail)) continue;
    if (!semantics::fits(frame.function, s, function)) {
      obstacle(taken.trail->all,
               fmt::format("call of {} through a pointer to a function of another type", function.name), frame, edge);
      continue;
    }
    if (specification_.has(Property::UnreachCall) && specification_.error_functions.contains(function.name)) {
      require(taken, store_.falsity(), Property::UnreachCall, frame, edge);
      continue;
    }
    for (State& one : enter(frame, std::move(taken), edge, callees[i], 1)) back.push_back(std::move(one));
  }
  return back;
}

}  // namespace whittle::engines::merge
