#include <algorithm>

#include "exec/detailed_tracer_impl.h"

namespace whittle::exec {

/// `klee_make_symbolic(&p, sizeof p, "p")` is a store of one input, or of one after the other: what is told is the object.
void DetailedTracer::Impl::fill(DetailedStep& to, uint32_t thread, const Open& open) {
  ThreadState& state = threads[thread];
  const program::Statement& s = edge(open).statement;
  const std::optional<Open> input = std::exchange(state.input, std::nullopt);
  const std::optional<size_t> before = std::exchange(state.filled, std::nullopt);
  if (!input || input->frame != open.frame || s.operands[1].op() != term::Op::Variable) return;
  const program::Statement& asked = edge(*input).statement;
  if (program.register_of(s.operands[1]).reg != asked.targets[0] || asked.position != s.position) return;
  const Filled* last = before ? &filled[*before] : nullptr;
  if (!last || last->frame != open.frame || last->at != s.position || last->begin + last->before.size() != open.address || last->asked.back() >= input->step)
    filled.push_back({open.frame, s.position, open.address, open.through, {}});
  Filled& all = filled.back();
  if (all.before.size() + open.before.size() > kFollowedBytes) return;
  all.asked.push_back(input->step);
  all.before.insert(all.before.end(), open.before.begin(), open.before.end());
  if (DetailedStep* piece = all.asked.size() > 1 ? step(all.stored) : nullptr) piece->changes.clear();
  all.stored = open.step;
  state.filled = filled.size() - 1;
  if (all.asked.size() == 1) return;
  to.changes = naming.changes(all.through, all.begin, all.before);
  for (verdict::Change& change : to.changes) belongs(change, all.begin);
}

bool DetailedTracer::Impl::has_union(program::TypeId id) const {
  const program::Type& it = type(id);
  if (it.kind == program::Type::Kind::Array) return has_union(it.element);
  if (it.kind == program::Type::Kind::Union) return true;
  return program::is_record(it) && std::ranges::any_of(it.fields, [&](const program::Type::Field& field) { return has_union(field.type); });
}

/// `struct point p = {.x = n}` is zeros and a store, or several copies: on its line the object is told once, with all that it holds.
void DetailedTracer::Impl::initialise(DetailedStep& to, uint32_t thread, const Open& open) {
  ThreadState& state = threads[thread];
  std::optional<Initialised> last = std::exchange(state.initialised, std::nullopt);
  if (to.changes.empty() && open.before.empty()) {  // it has changed nothing
    if (to.callee.empty()) state.initialised = std::move(last);
    return;
  }
  const auto object = machine.object_at(open.address);
  if (!object || object->kind != ObjectInfo::Kind::Stack || open.before.empty() || is_hidden(open.address)) return;
  const program::Statement& s = edge(open).statement;
  if (s.kind == Kind::Store && has_union(naming.type_of(*object))) return;  // the store says which member is meant
  const bool goes_on = last && last->frame == open.frame && last->round == to.round && last->file == s.position.file && last->line == s.position.line && last->object == object->address;
  if (!goes_on) last = Initialised{open.frame, to.round, s.position.file, s.position.line, object->address, {}};
  std::vector<uint8_t> before(object->size);
  machine.read_memory(object->address, before);
  std::vector<verdict::Change> whole = naming.changes({}, object->address, before);
  if (whole.size() != 1) return;
  const bool complete = whole[0].value.find('?') == std::string::npos;
  if (!goes_on && complete && s.kind == Kind::Store) return;  // it had its value before
  const DetailedStep* piece = goes_on ? step(last->steps.back()) : nullptr;
  if (piece && piece->changes.size() == 1 && piece->changes[0].value == whole[0].value) return;  // it is beyond the parts that are shown
  last->steps.push_back(open.step);
  if (goes_on && complete) {
    for (uint64_t other : last->steps)
      if (DetailedStep* by = step(other)) by->changes.clear();
    belongs(whole[0], object->address);
    to.changes = std::move(whole);
  }
  state.initialised = std::move(last);
}

/// A loop that the front end made for one call of the source: no variable changes in it, and it is at one place.
bool DetailedTracer::Impl::is_of_front_end(const program::Function& f, const program::analysis::Loop& loop) const {
  const program::Edge& first = f.edges[loop.back_edges.front()];
  for (const program::LocationId location : loop.body) {
    const program::Location& at = f.locations[location];
    for (uint32_t i = at.first_edge; i < at.first_edge + at.edge_count; ++i) {
      const program::Statement& s = f.edges[i].statement;
      if (std::ranges::find(loop.exits, i) != loop.exits.end()) continue;
      if (s.position != first.statement.position) return false;
      if (s.kind != Kind::Nondet && s.kind != Kind::Store && s.kind != Kind::Assign && s.kind != Kind::Assume) return false;
      if (std::ranges::any_of(s.targets, [&](program::RegisterId reg) { return !f.registers[reg].name.empty(); })) return false;
    }
  }
  return true;
}

std::vector<DetailedTracer::Filled> DetailedTracer::filled() const {
  std::vector<Filled> result;
  for (const Impl::Filled& one : impl_->filled) {
    const DetailedStep* by = impl_->step(one.stored);
    if (by && by->changes.size() == 1) result.push_back({one.asked, by->changes[0].name, by->changes[0].value});
  }
  return result;
}

}  // namespace whittle::exec
