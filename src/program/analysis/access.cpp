#include "program/analysis/access.h"

#include <utility>

#include "program/analysis/targets.h"
#include "semantics/access.h"

namespace whittle::program::analysis {
namespace {

Access nothing(const Places& places) { return {BitSet(places.size()), BitSet(places.size())}; }

/// Stack objects that end with the frame (or, at a ThreadExit, with all frames).
BitSet ending_with(const Program& program, const Places& places, FunctionId f, const Statement& s) {
  BitSet answer(places.size());
  bool all = s.kind == Kind::ThreadExit;
  if (!all && s.kind != Kind::Return && s.kind != Kind::StackRestore) return answer;
  for (PlaceId p = places.statics(); p < places.objects(); ++p)
    if (!places.site(p).heap && (all || places.site(p).function == f)) answer.set(p);
  // Copies of thread-local objects end with their thread.
  for (ObjectId o = 0; all && o < program.objects.size(); ++o)
    if (program.objects[o].thread_local_) answer.set(places.of_object(o));
  return answer;
}

}  // namespace

Access accessed_by(const PointsTo& points, const Statement& s) {
  Access all = nothing(points.places());
  for (const semantics::Access& access : semantics::accesses(s)) {
    BitSet there = points.accessed(s.operands[access.address]);
    if (access.read) all.reads.merge(there);
    if (access.write) all.writes.merge(there);
  }
  if (semantics::ends_object(s)) all.writes.merge(points.accessed(s.operands[0]));
  return all;
}

std::optional<uint64_t> mutex_of(const Program& program, const Statement& s) {
  if (s.kind != Kind::Call) return std::nullopt;
  const FunctionRole role = program.functions[s.callee].role;
  if (role != FunctionRole::LockMutex && role != FunctionRole::UnlockMutex) return std::nullopt;
  return s.operands[0].is_constant() ? std::optional(s.operands[0].value64()) : std::nullopt;
}

uint32_t AccessSets::intern(Access access) {
  uint64_t hash = hash_combine(access.reads.hash(), access.writes.hash());
  auto [from, to] = by_hash_.equal_range(hash);
  for (; from != to; ++from)
    if (pool_[from->second] == access) return from->second;
  auto number = static_cast<uint32_t>(pool_.size());
  pool_.push_back(std::move(access));
  by_hash_.emplace(hash, number);
  return number;
}

uint32_t AccessSets::join(uint32_t a, uint32_t b) {
  if (a == b || b == empty()) return a;
  if (a == empty()) return b;
  if (a > b) std::swap(a, b);
  auto [entry, fresh] = joins_.try_emplace(uint64_t{a} << 32 | b);
  if (!fresh) return entry->second;
  Access both = pool_[a];
  both.merge(pool_[b]);
  return entry->second = intern(std::move(both));
}

AccessSets::AccessSets(const Program& program, const CallGraph& calls, const PointsTo& points, const FewValues* values,
                       std::optional<uint64_t> mutex)
    : mutex_(mutex) {
  intern(nothing(points.places()));
  std::vector<std::vector<uint32_t>> own;
  for (FunctionId f = 0; f < program.functions.size(); ++f) {
    numbers_.emplace_back(program.functions[f].locations.size(), empty());
    returns_.emplace_back(program.functions[f].locations.size());
    own.emplace_back();
    for (const Edge& edge : program.functions[f].edges) {
      Access access = accessed_by(points, edge.statement);
      if (std::optional<uint64_t> known = mutex_of(program, edge.statement);
          mutex_ && known && !locks(program, edge.statement)) {
        const BitSet there = points.accessed(edge.statement.operands[0]);
        access.reads.merge(there);
        access.writes.merge(there);
      }
      access.writes.merge(ending_with(program, points.places(), f, edge.statement));
      own.back().push_back(intern(std::move(access)));
    }
  }
  // Asked once: points-to knows more of function pointers than the call graph.
  std::vector<std::vector<std::vector<FunctionId>>> targets(program.functions.size());
  for (FunctionId f : calls.bottom_up())
    for (const Edge& edge : program.functions[f].edges)
      targets[f].push_back(functions_called(calls, points, edge.statement));
  for (bool changed = true; changed;) {
    changed = false;
    for (FunctionId f : calls.bottom_up()) changed |= solve(program, f, values, own[f], targets[f]);
  }
}

/// Waits for the thread that holds the mutex.
bool AccessSets::locks(const Program& program, const Statement& s) const {
  return mutex_ && mutex_of(program, s) == mutex_ && program.functions[s.callee].role == FunctionRole::LockMutex;
}

bool AccessSets::solve(const Program& program, FunctionId f, const FewValues* values, const std::vector<uint32_t>& own,
                       const std::vector<std::vector<FunctionId>>& called) {
  const Function& function = program.functions[f];
  bool any = false;
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t e = function.edges.size(); e-- > 0;) {
      const Edge& edge = function.edges[e];
      if (values && !values->reachable(f, edge.from)) continue;
      const Statement& s = edge.statement;
      uint32_t before = join(numbers_[f][edge.from], own[e]);
      const std::optional<uint64_t> known = mutex_ ? mutex_of(program, s) : std::nullopt;
      bool goes_on = true;
      if (known) {
        goes_on = !locks(program, s);
      } else {
        const std::vector<FunctionId>& targets = called[e];
        if (mutex_ && (s.kind == Kind::Call || s.kind == Kind::IndirectCall) && !targets.empty()) {
          goes_on = false;
          for (FunctionId to : targets) goes_on = goes_on || returns_[to][program.functions[to].entry];
        }
        for (FunctionId to : targets) before = join(before, numbers_[to][program.functions[to].entry]);
      }
      if (goes_on && edge.to != kNone) before = join(before, numbers_[f][edge.to]);
      const bool returns = s.kind == Kind::Return || (goes_on && edge.to != kNone && returns_[f][edge.to]);
      changed |= before != numbers_[f][edge.from] || (returns && !returns_[f][edge.from]);
      numbers_[f][edge.from] = before;
      if (returns) returns_[f][edge.from] = true;
    }
    any |= changed;
  }
  return any;
}

BitSet written_objects(const Program& program, const CallGraph& calls, const PointsTo& points) {
  const Places& places = points.places();
  BitSet answer(program.objects.size());
  calls.reachable().each([&](size_t f) {
    for (const Edge& edge : program.functions[f].edges) {
      BitSet writes = accessed_by(points, edge.statement).writes;
      for (ObjectId o = 0; o < program.objects.size(); ++o)
        if (places.contains(writes, places.of_object(o))) answer.set(o);
    }
  });
  return answer;
}

BitSet set_once(const Program& program, const CallGraph& calls, const PointsTo& points) {
  const Places& places = points.places();
  std::vector<uint32_t> writers(program.objects.size(), 0), numbers(program.objects.size(), 0);
  calls.reachable().each([&](size_t f) {
    for (const Edge& edge : program.functions[f].edges) {
      const Statement& s = edge.statement;
      const BitSet writes = accessed_by(points, s).writes;
      if (writes.empty()) continue;
      for (ObjectId o = 0; o < program.objects.size(); ++o)
        if (places.contains(writes, places.of_object(o))) ++writers[o];
      if (s.kind != Kind::Store || !s.operands[0].is_constant() || !s.operands[1].is_constant()) continue;
      const std::optional<ObjectId> o = program.object_at(s.operands[0].value64());
      if (o && program.objects[*o].address == s.operands[0].value64() && program.objects[*o].size == s.width / 8u)
        ++numbers[*o];
    }
  });
  BitSet found(program.objects.size());
  for (ObjectId o = 0; o < program.objects.size(); ++o)
    if (writers[o] == 1 && numbers[o] == 1 && !program.objects[o].thread_local_) found.set(o);
  return found;
}

}  // namespace whittle::program::analysis
