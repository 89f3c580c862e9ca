#include "program/analysis/access.h"

#include <utility>

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

AccessSets::AccessSets(const Program& program, const CallGraph& calls, const PointsTo& points) {
  intern(nothing(points.places()));
  std::vector<std::vector<uint32_t>> own;
  for (FunctionId f = 0; f < program.functions.size(); ++f) {
    numbers_.emplace_back(program.functions[f].locations.size(), empty());
    own.emplace_back();
    for (const Edge& edge : program.functions[f].edges) {
      Access access = accessed_by(points, edge.statement);
      access.writes.merge(ending_with(program, points.places(), f, edge.statement));
      own.back().push_back(intern(std::move(access)));
    }
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (FunctionId f : calls.bottom_up()) changed |= solve(program, calls, f, own);
  }
}

bool AccessSets::solve(const Program& program, const CallGraph& calls, FunctionId f,
                       const std::vector<std::vector<uint32_t>>& own) {
  const Function& function = program.functions[f];
  bool any = false;
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t e = function.edges.size(); e-- > 0;) {
      const Edge& edge = function.edges[e];
      uint32_t before = join(numbers_[f][edge.from], own[f][e]);
      if (edge.to != kNone) before = join(before, numbers_[f][edge.to]);
      for (FunctionId to : calls.targets(edge.statement))
        before = join(before, numbers_[to][program.functions[to].entry]);
      changed |= before != numbers_[f][edge.from];
      numbers_[f][edge.from] = before;
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

}  // namespace whittle::program::analysis
