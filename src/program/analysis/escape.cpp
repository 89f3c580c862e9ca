#include "program/analysis/escape.h"

#include "program/analysis/access.h"

namespace whittle::program::analysis {

Escape::Escape(const Program& program, const CallGraph& calls, const PointsTo& points)
    : shared_(points.places().size()) {
  if (!calls.concurrent()) return;
  const Places& places = points.places();
  std::vector<PlaceId> open;
  auto share = [&](PlaceId p) {
    if (!places.is_function(p) && shared_.set(p)) open.push_back(p);
  };
  auto share_all = [&](const BitSet& set) {
    set.each([&](size_t p) { share(static_cast<PlaceId>(p)); });
    // A pointer that may be anything may be one to anything.
    for (PlaceId p = 0; set.test(places.anything()) && p < places.objects(); ++p) share(p);
  };
  for (ObjectId o = 0; o < program.objects.size(); ++o)
    if (!program.objects[o].thread_local_) share(places.of_object(o));
  share_all(points.wild());
  for (const Function& f : program.functions)
    for (const Edge& edge : f.edges)
      if (edge.statement.kind == Kind::Spawn)
        for (size_t i = 1; i < edge.statement.operands.size(); ++i)
          share_all(points.pointees(edge.statement.operands[i]));
  while (!open.empty()) {
    PlaceId p = open.back();
    open.pop_back();
    if (p != places.anything()) share_all(points.contents(p));
  }
}

bool Escape::local(const PointsTo& points, const Statement& statement) const {
  Access access = accessed_by(points, statement);
  access.reads.merge(access.writes);
  // With a single thread nothing is shared, whatever it touches.
  if (shared_.empty()) return true;
  return !access.reads.test(points.places().anything()) && !access.reads.intersects(shared_);
}

size_t mark_local(Program& program, const PointsTo& points, const Escape& escape) {
  size_t count = 0;
  for (Function& f : program.functions)
    for (Edge& edge : f.edges) {
      Statement& s = edge.statement;
      bool access = s.kind == Kind::Load || s.kind == Kind::Store || s.kind == Kind::Copy || s.kind == Kind::Fill;
      if (access && escape.local(points, s)) s.local = true;
      count += s.local ? 1 : 0;
    }
  return count;
}

}  // namespace whittle::program::analysis
