#include <algorithm>
#include <cassert>

#include "program/program.h"

namespace whittle::program {
namespace {

/// Marks the targets of edges that lead back to a location still open in a depth-first walk from the entry. Every cycle
/// that can be reached has one.
void mark_loop_heads(Function& function) {
  enum class Colour : uint8_t { New, Open, Done };
  std::vector<Colour> colour(function.locations.size(), Colour::New);
  struct Frame {
    LocationId location;
    uint32_t next;
  };
  std::vector<Frame> stack{{function.entry, 0}};
  colour[function.entry] = Colour::Open;
  while (!stack.empty()) {
    Frame& frame = stack.back();
    const Location& location = function.locations[frame.location];
    if (frame.next == location.edge_count) {
      colour[frame.location] = Colour::Done;
      stack.pop_back();
      continue;
    }
    LocationId to = function.edges[location.first_edge + frame.next++].to;
    if (to == kNone) continue;
    if (colour[to] == Colour::Open) function.locations[to].loop_head = true;
    if (colour[to] == Colour::New) {
      colour[to] = Colour::Open;
      stack.push_back({to, 0});
    }
  }
}

}  // namespace

LocationId FunctionBuilder::location() {
  std::vector<Location>& locations = program_.functions[id_].locations;
  locations.emplace_back();
  return static_cast<LocationId>(locations.size() - 1);
}

void FunctionBuilder::edge(LocationId from, LocationId to, Statement statement) {
  Function& function = program_.functions[id_];
  assert(from < function.locations.size() && (to == kNone || to < function.locations.size()));
  function.edges.push_back({from, to, std::move(statement)});
}

void FunctionBuilder::finish(LocationId entry) {
  Function& function = program_.functions[id_];
  assert(entry < function.locations.size());
  function.entry = entry;
  std::stable_sort(function.edges.begin(), function.edges.end(),
                   [](const Edge& a, const Edge& b) { return a.from < b.from; });
  for (Location& location : function.locations) location = {};
  for (uint32_t i = static_cast<uint32_t>(function.edges.size()); i-- > 0;) {
    Location& location = function.locations[function.edges[i].from];
    location.first_edge = i;
    ++location.edge_count;
  }
  mark_loop_heads(function);
}

}  // namespace whittle::program
