#include "program/analysis/places.h"

#include <fmt/format.h>

namespace whittle::program::analysis {

Places::Places(const Program& program) : program_(program) {
  for (FunctionId f = 0; f < program.functions.size(); ++f)
    for (uint32_t e = 0; e < program.functions[f].edges.size(); ++e) {
      Kind kind = program.functions[f].edges[e].statement.kind;
      if (kind != Kind::StackAlloc && kind != Kind::HeapAlloc) continue;
      site_numbers_[{f, e}] = objects();
      sites_.push_back({f, e, kind == Kind::HeapAlloc});
    }
}

std::string Places::name(PlaceId p) const {
  if (p == anything()) return "anything";
  if (is_static(p)) return program_.objects[p].name;
  if (is_function(p)) return program_.functions[p - objects()].name;
  const Function& f = program_.functions[site(p).function];
  const Statement& s = f.edges[site(p).edge].statement;
  if (!s.text.empty()) return fmt::format("{} of {}", s.text, f.name);
  return fmt::format("{} object of {}:{}", site(p).heap ? "heap" : "stack", f.name, site(p).edge);
}

bool Places::overlap(const BitSet& a, const BitSet& b) const {
  bool any_a = a.test(anything()), any_b = b.test(anything());
  return (any_a && !b.empty()) || (any_b && !a.empty()) || a.intersects(b);
}

}  // namespace whittle::program::analysis
