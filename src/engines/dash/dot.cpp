#include "engines/dash/dot.h"

#include <fmt/format.h>

namespace whittle::engines::dash {

namespace {

std::string escaped(std::string text) {
  std::string out;
  for (char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

}  // namespace

std::string to_dot(Space& space, const Graph& graph) {
  std::string out = "digraph regions {\n  node [shape=box, fontsize=10];\n";
  out += fmt::format("  r{} [label=\"violation\", color=red];\n  r{} [label=\"not followed\", color=orange];\n",
                     Graph::kError, Graph::kUnknown);
  for (uint32_t n = 2; n < graph.nodes(); ++n) {
    const Node& node = graph.node(n);
    const auto& function = space.function(node.place.context);
    const auto& location = function.locations[node.place.location];
    std::string where =
        location.edge_count == 0 ? "?" : space.program().where(function.edges[location.first_edge].statement.position);
    out += fmt::format("  subgraph cluster_{} {{\n    label=\"{} {} (context {})\";\n", n, escaped(function.name),
                       escaped(where), node.place.context);
    for (uint32_t r : node.regions) {
      std::string text = space.to_c(space.terms().conjunction(graph.region(r).literals));
      if (text.size() > 120) text = text.substr(0, 117) + "...";
      out += fmt::format("    r{} [label=\"{}\"{}];\n", r, escaped(text),
                         graph.region(r).reached() ? ", style=filled, fillcolor=palegreen" : ", style=dashed");
    }
    out += "  }\n";
  }
  for (uint32_t n = 2; n < graph.nodes(); ++n)
    for (uint32_t r : graph.node(n).regions)
      for (uint32_t e : graph.region(r).out)
        if (!graph.edge(e).dead)
          out += fmt::format("  r{} -> r{}{};\n", r, graph.edge(e).to, graph.edge(e).stuck ? " [color=orange]" : "");
  return out + "}\n";
}

}  // namespace whittle::engines::dash
