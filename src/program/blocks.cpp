#include "program/blocks.h"

#include <fmt/format.h>

#include <algorithm>

#include "program/term_text.h"
#include "program/words.h"

namespace whittle::program {
namespace {

std::vector<bool> reachable(const Function& function) {
  std::vector<bool> seen(function.locations.size());
  std::vector<LocationId> stack{function.entry};
  seen[function.entry] = true;
  while (!stack.empty()) {
    const Location& location = function.locations[stack.back()];
    stack.pop_back();
    for (uint32_t i = 0; i < location.edge_count; ++i) {
      LocationId to = function.edges[location.first_edge + i].to;
      if (to == kNone || seen[to]) continue;
      seen[to] = true;
      stack.push_back(to);
    }
  }
  return seen;
}

}  // namespace

std::vector<Block> blocks(const Function& function) {
  std::vector<bool> live = reachable(function);
  std::vector<bool> starts(function.locations.size());
  std::vector<unsigned> entries(function.locations.size());
  starts[function.entry] = true;
  for (const Edge& edge : function.edges) {
    if (!live[edge.from] || edge.to == kNone) continue;
    bool branches = function.locations[edge.from].edge_count > 1;
    if (++entries[edge.to] > 1 || branches || function.locations[edge.to].loop_head) starts[edge.to] = true;
  }
  std::vector<Block> answer;
  for (LocationId l = 0; l < function.locations.size(); ++l) {
    if (!starts[l] || !live[l]) continue;
    Block block{.start = l, .end = l};
    while (block.end != kNone && function.locations[block.end].edge_count == 1 && !block.joins) {
      block.edges.push_back(function.locations[block.end].first_edge);
      block.end = function.edges[block.edges.back()].to;
      block.joins = block.end != kNone && starts[block.end];
    }
    answer.push_back(std::move(block));
  }
  auto entry = std::find_if(answer.begin(), answer.end(), [&](const Block& b) { return b.start == function.entry; });
  std::rotate(answer.begin(), entry, entry + 1);
  return answer;
}

struct BriefPrinter::Impl {
  Impl(const Program& p, FunctionId function) : program(p), names(p), terms(p, names, function) { terms.be_brief(); }

  using Expected = TermPrinter::Expected;

  std::string term(term::Term t, Expected::Kind kind = Expected::Either) { return terms.print(t, {true, kind}); }

  /// What is at an address: the object itself where that is clear.
  std::string memory(term::Term address) {
    std::string text = term(address, Expected::Address);
    if (text.starts_with('&')) return text.substr(1);
    return "*" + text;
  }

  std::string arguments(const Statement& s, size_t from) {
    std::string text = "(";
    for (size_t i = from; i < s.operands.size(); ++i)
      text += (i == from ? "" : ", ") + term(s.operands[i], place_kind(program, s, i));
    return text + ")";
  }

  std::string effect(const Statement& s) {
    switch (s.kind) {
      case Kind::Assume: return term(s.operands[0]);
      case Kind::Check: return fmt::format("check {} for {}", term(s.operands[0]), verdict::name(s.property));
      case Kind::Load: return memory(s.operands[0]);
      case Kind::Store: return fmt::format("{} = {}", memory(s.operands[0]), term(s.operands[1]));
      case Kind::Nondet: return s.input ? "input " + s.text : s.text.empty() ? "any value" : "any value: " + s.text;
      case Kind::Call: return names.functions[s.callee] + arguments(s, 0);
      case Kind::IndirectCall: return fmt::format("(*{}){}", term(s.operands[0], Expected::Address), arguments(s, 1));
      case Kind::Return: return s.operands.empty() ? "return" : "return " + term(s.operands[0]);
      case Kind::Error: return fmt::format("error: {}: {}", verdict::name(s.property), s.text);
      case Kind::Unsupported: return "unsupported: " + s.text;
      case Kind::ThreadLocal: return fmt::format("&{} of this thread", names.objects[s.object]);
      case Kind::AtomicRmw:
        return fmt::format("atomic_{}({}, {})", name(s.rmw), memory(s.operands[0]), term(s.operands[1]));
      case Kind::Spawn: return fmt::format("spawn {}{}", term(s.operands[0], Expected::Address), arguments(s, 1));
      case Kind::StackAlloc: return fmt::format("stack_alloc({}) {}", term(s.operands[0], Expected::Number), s.text);
      case Kind::HostMath: return s.text + arguments(s, 0);
      default: return std::string(name(s.kind)) + (s.operands.empty() ? "" : arguments(s, 0));
    }
  }

  std::string statement(const Statement& s) {
    std::string text;
    if (s.kind == Kind::Assign) {
      for (size_t i = 0; i < s.targets.size(); ++i)
        text += fmt::format("{}{} = {}", i == 0 ? "" : "; ", terms.name(s.targets[i]), term(s.operands[i]));
      return text;
    }
    for (size_t i = 0; i < s.targets.size(); ++i) text += (i == 0 ? "" : ", ") + terms.name(s.targets[i]);
    if (!s.targets.empty()) text += " = ";
    return text + effect(s);
  }

  const Program& program;
  words::Names names;
  TermPrinter terms;
};

BriefPrinter::BriefPrinter(const Program& program, FunctionId function)
    : impl_(std::make_unique<Impl>(program, function)) {}
BriefPrinter::~BriefPrinter() = default;
std::string BriefPrinter::statement(const Statement& statement) { return impl_->statement(statement); }

}  // namespace whittle::program
