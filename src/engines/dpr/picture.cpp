#include "engines/dpr/picture.h"

#include <fmt/format.h>

#include <fstream>
#include <map>

#include "base/error.h"

namespace whittle::engines::dpr {

void Picture::run(const std::vector<bool>& choices, bool violation) {
  if (file_.empty()) return;
  if (runs_.size() < kMostRuns || violation)
    runs_.emplace_back(choices, violation);
  else
    ++left_out_;
}

void Picture::reason(const std::vector<Literal>& choices) {
  if (!file_.empty() && reasons_.size() < kMostRuns) reasons_.push_back(choices);
}

void Picture::write() const {
  if (file_.empty()) return;
  std::ofstream out(file_);
  out << "digraph dpr {\n  node [shape=circle, label=\"\", width=0.15, style=filled, fillcolor=white];\n"
         "  edge [arrowhead=none, fontsize=9];\n";
  if (left_out_ > 0) out << fmt::format("  label=\"{} more runs are left out\";\n", left_out_);
  // Inner nodes are prefixes of runs; a side that no run took is pruned.
  std::map<std::vector<bool>, int> number;
  auto node = [&](const std::vector<bool>& prefix) {
    return number.try_emplace(prefix, static_cast<int>(number.size())).first->second;
  };
  std::map<std::vector<bool>, std::string> leaves;
  for (size_t r = 0; r < runs_.size(); ++r) {
    const auto& [choices, violation] = runs_[r];
    leaves[choices] = fmt::format("shape=box, label=\"run {}{}\", fillcolor={}", r + 1, violation ? ": fails" : "",
                                  violation ? "tomato" : "palegreen");
    std::vector<bool> prefix;
    node(prefix);
    for (bool choice : choices) {
      prefix.push_back(choice);
      node(prefix);
    }
  }
  int pruned = 0;
  for (const auto& [prefix, id] : number) {
    if (auto leaf = leaves.find(prefix); leaf != leaves.end()) out << fmt::format("  n{} [{}];\n", id, leaf->second);
    if (leaves.contains(prefix)) continue;
    for (bool choice : {true, false}) {
      std::vector<bool> child = prefix;
      child.push_back(choice);
      std::string label = fmt::format("{}{}", choice ? "" : "!", prefix.size() + 1);
      if (auto found = number.find(child); found != number.end()) {
        out << fmt::format("  n{} -> n{} [label=\"{}\"];\n", id, found->second, label);
      } else {
        out << fmt::format("  p{} [shape=triangle, fillcolor=lightgrey];\n  n{} -> p{} [label=\"{}\", style=dashed];\n",
                           pruned, id, pruned, label);
        ++pruned;
      }
    }
  }
  for (size_t i = 0; i < reasons_.size(); ++i) {
    std::string text;
    for (Literal literal : reasons_[i]) text += fmt::format(" {}{}", literal.value ? "" : "!", literal.level + 1);
    out << fmt::format("  // reason {}: choices{}\n", i + 1, text.empty() ? " any" : text);
  }
  out << "}\n";
  if (!out.flush()) fail_input("cannot write {}", file_);
}

}  // namespace whittle::engines::dpr
