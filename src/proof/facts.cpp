#include "proof/facts.h"

#include <algorithm>

#include "program/analysis/dominators.h"
#include "program/analysis/graph.h"
#include "program/word_access.h"
#include "semantics/demand.h"

namespace whittle::proof {

using program::Function;
using program::FunctionId;
using program::Kind;
using program::LocationId;
using program::Statement;
using term::Term;
using verdict::Property;
namespace analysis = program::analysis;

ProgramFacts::ProgramFacts(const program::Program& program, const verdict::Specification& specification)
    : program_(program),
      specification_(specification),
      calls_(program),
      points_(program, calls_,
              specification.has(Property::ValidDeref) ? analysis::PointsTo::Strays::Anywhere
                                                      : analysis::PointsTo::Strays::Nowhere),
      accesses_(program, calls_, points_),
      unwritten_(program.objects.size()),
      harmless_(program.functions.size()),
      frees_(program.functions.size()),
      makes_(program.functions.size()) {
  BitSet written = analysis::written_objects(program, calls_, points_);
  for (size_t o = 0; o < program.objects.size(); ++o)
    if (!written.test(o)) unwritten_.set(o);
  find_harmless();
  for (FunctionId f = 0; f < program.functions.size(); ++f)
    for (const program::Edge& edge : program.functions[f].edges) {
      const Kind kind = edge.statement.kind;
      if (kind == Kind::HeapFree) frees_.set(f);
      if (kind == Kind::HeapAlloc || kind == Kind::StackAlloc) makes_.set(f);
    }
  close_under_calls(frees_);
  close_under_calls(makes_);
}

/// Adds all that may call one of them.
void ProgramFacts::close_under_calls(BitSet& functions) const {
  for (bool changed = true; changed;) {
    changed = false;
    for (FunctionId f = 0; f < program_.functions.size(); ++f)
      for (FunctionId g : calls_.callees(f))
        if (!functions.test(f) && functions.test(g)) functions.set(f), changed = true;
  }
}

bool ProgramFacts::touches_memory(FunctionId f) const {
  if (makes_.test(f)) return true;
  const BitSet& writes = accesses_.before_return(f, program_.functions[f].entry).writes;
  for (size_t i = 0; i < writes.size(); ++i)
    if (writes.test(i)) return true;
  return false;
}

bool ProgramFacts::asked(const Statement& s) const { return specification_.has(s.property); }

bool ProgramFacts::can_fail(const Function& function, const Statement& s) const {
  const bool memory = specification_.has(Property::ValidDeref);
  switch (s.kind) {
    case Kind::Check: return asked(s);
    case Kind::Error: return asked(s);
    case Kind::Unsupported:
    case Kind::Spawn: return true;
    case Kind::Await: return specification_.has(Property::NoDeadlock);
    case Kind::HeapFree: return specification_.has(Property::ValidFree) && !s.operands[0].is_constant(0);
    case Kind::Copy:
    case Kind::Fill:
    case Kind::Output: return memory;
    case Kind::IndirectCall: {
      const std::vector<FunctionId> all = calls_.candidates(s);
      return memory || std::any_of(all.begin(), all.end(),
                                   [&](FunctionId f) { return !semantics::fits(function, s, program_.functions[f]); });
    }
    default: break;
  }
  if (!memory || !program::accesses_word(s.kind)) return false;
  if (!s.operands[0].is_constant()) return true;
  auto object = program_.object_at(s.operands[0].value64());
  const uint64_t end = s.operands[0].value64() + s.width / 8;
  return !object || end > program_.objects[*object].address + program_.objects[*object].size ||
         (s.kind != Kind::Load && program_.objects[*object].constant);
}

/// Everything that cannot be seen to be harmless is not: the greatest set closed under calls.
void ProgramFacts::find_harmless() {
  for (FunctionId f = 0; f < program_.functions.size(); ++f) {
    const auto& edges = program_.functions[f].edges;
    bool named = specification_.has(Property::UnreachCall) &&
                 specification_.error_functions.contains(program_.functions[f].name);
    if (!named && std::none_of(edges.begin(), edges.end(),
                               [&](const program::Edge& e) { return can_fail(program_.functions[f], e.statement); }))
      harmless_.set(f);
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (FunctionId f = 0; f < program_.functions.size(); ++f)
      for (FunctionId g : calls_.callees(f))
        if (harmless_.test(f) && !harmless_.test(g)) harmless_.reset(f), changed = true;
  }
}

std::shared_ptr<const BitSet> ProgramFacts::kept_by(FunctionId f) const {
  const BitSet& writes = accesses_.before_return(f, program_.functions[f].entry).writes;
  auto kept = std::make_shared<BitSet>(program_.objects.size());
  for (program::ObjectId o = 0; o < program_.objects.size(); ++o)
    if (!points_.places().contains(writes, points_.places().of_object(o))) kept->set(o);
  return kept;
}

std::shared_ptr<const BitSet> ProgramFacts::reach(Term address) const {
  if (!points_.strays(address)) return nullptr;
  auto& known = reach_[address];
  if (!known) known = std::make_shared<const BitSet>(points_.accessed(address));
  return known;
}

std::vector<FrameObject> ProgramFacts::frame_objects(FunctionId f, LocationId l) const {
  std::vector<FrameObject> there;
  const Function& function = program_.functions[f];
  const std::vector<FrameObject> objects = analysis::frame_objects(function);
  if (objects.empty()) return there;
  analysis::Dominators dominators(analysis::flow_graph(function), function.entry);
  for (const FrameObject& object : objects) {
    const LocationId from = function.edges[object.edge].from;
    if (from != l && function.locations[from].edge_count == 1 && dominators.dominates(from, l)) there.push_back(object);
  }
  return there;
}

}  // namespace whittle::proof
