#include "engines/dash/block.h"

#include <fmt/format.h>

namespace whittle::engines::dash {

using program::FunctionId;
using program::Kind;
using program::kNone;
using program::LocationId;
using program::Statement;
using verdict::Property;

struct Walker::Walk {
  Walk(Walker& w, Place from) : walker(w), space(w.space_), start(from) {}

  void run() { at(start.context, start.location, true); }

  void emit(Block::End end, Place to = {}, std::string reason = {}) {
    Block block;
    block.from = start;
    block.end = end;
    block.to = to;
    block.reason = std::move(reason);
    block.steps = steps;
    blocks.push_back(std::move(block));
  }
  void unknown(uint32_t context, uint32_t e, const std::string& why) {
    const Statement& s = space.edge(context, e).statement;
    emit(Block::End::Unknown, {}, fmt::format("{} ({})", why, space.program().where(s.position)));
    blocks.back().last_context = context;
    blocks.back().last_edge = e;
  }
  /// A block for every demand that is asked about and may not be met.
  void fails(uint32_t context, uint32_t edge) {
    const Statement& s = space.edge(context, edge).statement;
    const std::vector<semantics::Demand> demands = semantics::demands(s);
    for (uint32_t k = 0; k < demands.size(); ++k) {
      if (!space.specification().has(demands[k].property) || semantics::always_met(space.program(), s, demands[k])) continue;
      steps.push_back({Step::Kind::Fails, context, edge, kNone, kNone, k});
      emit(Block::End::Error);
      steps.pop_back();
    }
  }

  void at(uint32_t context, LocationId location, bool first) {
    FunctionId f = space.context(context).function;
    if (!first && space.is_node(f, location)) return emit(Block::End::Node, {context, location});
    const auto& l = space.program().functions[f].locations[location];
    for (uint32_t e = l.first_edge; e < l.first_edge + l.edge_count; ++e) edge(context, e);
  }

  void go(uint32_t context, uint32_t e) {
    steps.push_back({Step::Kind::Statement, context, e});
    at(context, space.edge(context, e).to, false);
    steps.pop_back();
  }

  void edge(uint32_t context, uint32_t e) {
    const Statement& s = space.edge(context, e).statement;
    const auto& spec = space.specification();
    switch (s.kind) {
      case Kind::Error:
        if (spec.has(s.property)) emit(Block::End::Error);
        return;
      case Kind::Halt:
      case Kind::ThreadExit: return;
      case Kind::Return: return leave(context, e);
      case Kind::Call: return call(context, e);
      case Kind::IndirectCall: return indirect(context, e);
      case Kind::Unsupported: return unknown(context, e, "not supported: " + s.text);
      case Kind::HostMath: return unknown(context, e, "the function " + s.text);
      case Kind::StackSave: return go(context, e);
      case Kind::StackRestore:  // objects end here: that matters only to those who ask whether accesses are valid
        if (spec.has(Property::ValidDeref)) return unknown(context, e, "the end of an array of variable length");
        return go(context, e);
      case Kind::Spawn: return unknown(context, e, "a thread");
      case Kind::Copy:
      case Kind::Fill:
        if (!s.operands[2].is_constant() || s.operands[2].value64() > 4096) {
          if (spec.has(Property::ValidDeref)) return unknown(context, e, "copying or filling many bytes");
          return go(context, e);
        }
        break;
      case Kind::StackAlloc:
      case Kind::HeapAlloc:
        if (!space.site(context, e)) return unknown(context, e, "an object that is made again and again");
        if (!space.site(context, e)->fixed) {
          steps.push_back({Step::Kind::TooLarge, context, e});
          unknown(context, e, "a large object");
          steps.pop_back();
        }
        return go(context, e);
      case Kind::Output:
        if (spec.has(Property::ValidDeref) && !s.operands[2].is_constant()) return unknown(context, e, "output");
        break;
      case Kind::Freed:
      case Kind::Shared:
      case Kind::Self:
      case Kind::ThreadLocal: break;  // known where there is one thread
      default:
        if (program::asks(s.kind)) return unknown(context, e, fmt::format("what the machine answers to {}", name(s.kind)));
        break;
    }
    fails(context, e);
    go(context, e);
  }

  void leave(uint32_t context, uint32_t e) {
    uint32_t parent = space.context(context).parent;
    if (parent == kNone) return;
    steps.push_back({Step::Kind::Leave, context, e, parent});
    LocationId to = space.edge(parent, space.context(context).edge).to;
    if (to != kNone) at(parent, to, false);
    steps.pop_back();
  }

  void call(uint32_t context, uint32_t e) {
    const auto& edge = space.edge(context, e);
    if (semantics::calls_error(space.program(), space.specification(), edge.statement)) return emit(Block::End::Error);
    if (space.is_straight(edge.statement.callee) || space.is_maker(edge.statement.callee) ||
        walker.expanded(context, e))
      return enter(context, e, edge.statement.callee);
    skip(context, e, edge.statement.callee);
  }

  void enter(uint32_t context, uint32_t e, FunctionId callee) {
    uint32_t inside = space.child(context, e, callee);
    steps.push_back({Step::Kind::Enter, context, e, inside, callee});
    at(inside, space.program().functions[callee].entry, false);
    steps.pop_back();
  }

  void skip(uint32_t context, uint32_t e, FunctionId callee) {
    steps.push_back({Step::Kind::Skip, context, e, kNone, callee});
    if (space.can_fail(callee))
      emit(Block::End::Unknown, {}, fmt::format("inside {}", space.program().functions[callee].name));
    LocationId to = space.edge(context, e).to;
    if (to != kNone) at(context, to, false);
    steps.pop_back();
  }

  void indirect(uint32_t context, uint32_t e) {
    const Statement& s = space.edge(context, e).statement;
    fails(context, e);
    for (FunctionId f : space.calls().candidates(s)) {
      const auto& callee = space.program().functions[f];
      if (!semantics::fits(space.function(context), s, callee)) {
        steps.push_back({Step::Kind::Misfit, context, e, kNone, f});
        unknown(context, e, fmt::format("call of {} through a pointer to a function of another type", callee.name));
        steps.pop_back();
        continue;
      }
      if (space.specification().has(Property::UnreachCall) &&
          space.specification().error_functions.contains(callee.name)) {
        steps.push_back({Step::Kind::Enter, context, e, space.child(context, e, f), f});
        emit(Block::End::Error);
        steps.pop_back();
      } else if (walker.expanded(context, e)) {
        enter(context, e, f);
      } else {
        skip(context, e, f);
      }
    }
  }

  Walker& walker;
  Space& space;
  Place start;
  std::vector<Step> steps;
  std::vector<Block> blocks;
};

std::vector<Block> Walker::blocks(Place from) {
  Walk walk(*this, from);
  walk.run();
  return std::move(walk.blocks);
}

}  // namespace whittle::engines::dash
