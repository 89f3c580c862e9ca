#include "program/analysis/meetings.h"

#include "program/analysis/targets.h"

namespace whittle::program::analysis {

Meetings::Meetings(const Program& program, const CallGraph& calls, const PointsTo& points)
    : program_(program), calls_(calls), points_(points), others_(functions_of_others(program, calls, points)) {
  find_shared();
  find_mortal();
  clear();
}

void Meetings::clear() {
  BitSet none(points_.places().size());
  all_ = by_others_ = {none, none};
}

/// Static objects have addresses that everyone knows; others are known where a pointer to them was stored or given to
/// a new thread.
void Meetings::find_shared() {
  const Places& places = points_.places();
  shared_ = points_.wild();
  for (PlaceId p = 0; p < places.objects(); ++p) {
    if (places.is_static(p) && !program_.objects[p].thread_local_) shared_.set(p);
    shared_.merge(points_.contents(p));
  }
  calls_.reachable().each([&](size_t f) {
    for (const Edge& edge : program_.functions[f].edges)
      if (edge.statement.kind == Kind::Spawn)
        for (term::Term operand : edge.statement.operands) shared_.merge(points_.pointees(operand));
  });
  if (shared_.test(places.anything()))
    for (PlaceId p = 0; p < places.objects(); ++p) shared_.set(p);
}

BitSet Meetings::shared(const BitSet& set) const {
  BitSet answer = set;
  answer.intersect(shared_);
  if (set.test(points_.places().anything())) answer.set(points_.places().anything());
  return answer;
}

void Meetings::find_mortal() {
  const Places& places = points_.places();
  mortal_ = mortal_first_ = BitSet(places.size());
  auto ends = [&](PlaceId p, bool by_others) {
    if (!shared_.test(p)) return;
    mortal_.set(p);
    if (by_others) mortal_first_.set(p);
  };
  for (PlaceId p = 0; p < places.objects(); ++p) {
    if (places.is_static(p)) {
      if (program_.objects[p].thread_local_) ends(p, true);
    } else if (!places.site(p).heap) {
      ends(p, others_.test(places.site(p).function));
    }
  }
  calls_.reachable().each([&](size_t f) {
    for (const Edge& edge : program_.functions[f].edges) {
      if (edge.statement.kind != Kind::HeapFree) continue;
      BitSet freed = accessed_by(points_, edge.statement).writes;
      for (PlaceId p = places.statics(); p < places.objects(); ++p)
        if (places.contains(freed, p)) ends(p, others_.test(f));
    }
  });
}

void Meetings::count(FunctionId f, uint32_t edge) {
  Access access = accessed_by(points_, program_.functions[f].edges[edge].statement);
  access.reads = shared(access.reads);
  access.writes = shared(access.writes);
  all_.merge(access);
  if (others_.test(f)) by_others_.merge(access);
}

bool Meetings::possible(FunctionId f, uint32_t edge) const {
  Access access = accessed_by(points_, program_.functions[f].edges[edge].statement);
  const Access& with = others_.test(f) ? all_ : by_others_;
  const Places& places = points_.places();
  BitSet writes = shared(access.writes), touches = shared(access.reads);
  touches.merge(writes);
  return places.overlap(touches, with.writes) || places.overlap(writes, with.reads);
}

bool Meetings::mortal(FunctionId f, uint32_t edge) const {
  Access access = accessed_by(points_, program_.functions[f].edges[edge].statement);
  access.reads.merge(access.writes);
  return points_.places().overlap(shared(access.reads), others_.test(f) ? mortal_ : mortal_first_);
}

}  // namespace whittle::program::analysis
