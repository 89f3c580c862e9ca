#include "program/analysis/call_graph.h"

#include <algorithm>
#include <unordered_set>

#include "program/analysis/graph.h"

namespace whittle::program::analysis {
namespace {

void sort_once(std::vector<FunctionId>& list) {
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
}

}  // namespace

CallGraph::CallGraph(const Program& program)
    : program_(program),
      taken_(program.functions.size()),
      recursive_(program.functions.size()),
      reachable_(program.functions.size()),
      callees_(program.functions.size()),
      callers_(program.functions.size()),
      spawned_(program.functions.size()) {
  find_addresses();
  find_edges();
  find_order();
  find_reachable();
}

void CallGraph::find_addresses() {
  for (FunctionId f = 0; program_.disguised_addresses && f < program_.functions.size(); ++f) taken_.set(f);
  unsigned bytes = program_.pointer_width() / 8;
  auto take = [&](uint64_t value) {
    if (auto f = program_.function_at(value)) taken_.set(*f);
  };
  std::unordered_set<uint32_t> seen;
  std::vector<term::Term> stack;
  for (const Function& function : program_.functions)
    for (const Edge& edge : function.edges)
      for (term::Term operand : edge.statement.operands) stack.push_back(operand);
  while (!stack.empty()) {
    term::Term t = stack.back();
    stack.pop_back();
    if (!seen.insert(t.id()).second) continue;
    for (unsigned i = 0; i < t.arity(); ++i) stack.push_back(t.kid(i));
    // A wide constant may be several pointers side by side. A piece of a function's address is one in disguise.
    if (t.is_constant())
      for (unsigned low = 0; low == 0 || low + program_.pointer_width() <= t.width(); low += 8)
        take(static_cast<uint64_t>(t.value() >> low & mask128(program_.pointer_width())));
  }
  for (const Object& object : program_.objects)
    for (size_t i = 0; i + bytes <= object.initial.size(); ++i) {
      uint64_t value = 0;
      for (unsigned b = 0; b < bytes; ++b) value |= uint64_t{object.initial[i + b]} << (8 * b);
      if (value != 0) take(value);
    }
}

std::vector<FunctionId> CallGraph::candidates(const Statement& statement) const {
  if (statement.kind == Kind::Call) return {statement.callee};
  if (statement.kind != Kind::IndirectCall && statement.kind != Kind::Spawn) return {};
  term::Term function = statement.operands[0];
  std::vector<FunctionId> answer;
  if (function.is_constant()) {
    if (auto f = program_.function_at(function.value64())) answer.push_back(*f);
    return answer;
  }
  taken_.each([&](size_t f) { answer.push_back(static_cast<FunctionId>(f)); });
  return answer;
}

std::vector<FunctionId> CallGraph::targets(const Statement& statement) const {
  std::vector<FunctionId> answer = candidates(statement);
  if (statement.kind != Kind::Call)
    std::erase_if(answer, [&](FunctionId f) {
      return program_.functions[f].parameter_count > statement.operands.size() - 1;
    });
  return answer;
}

void CallGraph::find_edges() {
  for (FunctionId f = 0; f < program_.functions.size(); ++f) {
    for (const Edge& edge : program_.functions[f].edges) {
      std::vector<FunctionId> to = targets(edge.statement);
      std::vector<FunctionId>& list = edge.statement.kind == Kind::Spawn ? spawned_[f] : callees_[f];
      list.insert(list.end(), to.begin(), to.end());
    }
    sort_once(callees_[f]);
    sort_once(spawned_[f]);
    for (FunctionId callee : callees_[f]) callers_[callee].push_back(f);
  }
}

void CallGraph::find_order() {
  Digraph graph(program_.functions.size());
  for (FunctionId f = 0; f < callees_.size(); ++f)
    for (FunctionId callee : callees_[f]) graph.add(f, callee);
  Components parts = components(graph);
  std::vector<unsigned> size(parts.count);
  for (FunctionId f = 0; f < callees_.size(); ++f) {
    bottom_up_.push_back(f);
    ++size[parts.of[f]];
  }
  for (FunctionId f = 0; f < callees_.size(); ++f)
    if (size[parts.of[f]] > 1 || std::binary_search(callees_[f].begin(), callees_[f].end(), f)) recursive_.set(f);
  std::stable_sort(bottom_up_.begin(), bottom_up_.end(),
                   [&](FunctionId a, FunctionId b) { return parts.of[a] < parts.of[b]; });
}

void CallGraph::find_reachable() {
  std::vector<FunctionId> stack;
  auto add = [&](FunctionId f) {
    if (reachable_.set(f)) stack.push_back(f);
  };
  if (program_.entry != kNone) add(program_.entry);
  for (FunctionId f = 0; program_.entry == kNone && f < program_.functions.size(); ++f) add(f);
  while (!stack.empty()) {
    FunctionId f = stack.back();
    stack.pop_back();
    for (FunctionId callee : callees_[f]) add(callee);
    for (FunctionId thread : spawned_[f]) add(thread);
    for (const Edge& edge : program_.functions[f].edges) concurrent_ |= edge.statement.kind == Kind::Spawn;
  }
}

}  // namespace whittle::program::analysis
