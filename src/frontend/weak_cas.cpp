#include "frontend/weak_cas.h"

#include <algorithm>
#include <set>

#include "program/analysis/retry.h"
#include "program/order.h"

namespace whittle::frontend {

using program::Edge;
using program::Function;
using program::FunctionId;
using program::Kind;
using program::LocationId;
using program::RegisterId;
using program::Statement;

namespace {

/// Edges of the function with an AtomicCas that can fail for no reason, and where that matters.
std::set<uint32_t> that_matter(const program::Program& program, FunctionId id, const std::vector<WeakCas>& all) {
  std::set<uint32_t> answer;
  const std::vector<Edge>& edges = program.functions[id].edges;
  for (uint32_t e = 0; e < edges.size(); ++e) {
    const Statement& s = edges[e].statement;
    bool weak = s.kind == Kind::AtomicCas && std::ranges::any_of(all, [&](const WeakCas& cas) {
                  return cas.function == id && cas.success == s.targets[1];
                });
    if (weak && !program::analysis::retries_without_trace(program, id, e)) answer.insert(e);
  }
  return answer;
}

/// from -cas-> to becomes from -choice-> middle, and from there -[!choice]-cas-> to or -[choice]-load-fail-> to.
class Rebuilding {
 public:
  Rebuilding(program::Program& program, FunctionId id) : program_(program), id_(id) {}

  void run(const std::set<uint32_t>& weak) {
    Function& function = program_.functions[id_];
    std::vector<Edge> edges = std::move(function.edges);
    size_t count = function.locations.size();
    LocationId entry = function.entry;
    function.edges.clear();
    function.locations.clear();
    program::FunctionBuilder builder(program_, id_);
    for (size_t l = 0; l < count; ++l) builder.location();
    for (uint32_t e = 0; e < edges.size(); ++e) {
      if (weak.contains(e))
        expand(builder, std::move(edges[e]));
      else
        builder.edge(edges[e].from, edges[e].to, std::move(edges[e].statement));
    }
    builder.finish(entry);
  }

 private:
  Statement make(const Statement& like, Kind kind, std::vector<RegisterId> targets, std::vector<term::Term> operands) {
    Statement s;
    s.kind = kind;
    s.position = like.position;
    s.targets = std::move(targets);
    s.operands = std::move(operands);
    return s;
  }

  void expand(program::FunctionBuilder& builder, Edge cas) {
    const Statement& s = cas.statement;
    term::Store& terms = program_.terms();
    RegisterId choice = builder.reg(1);
    LocationId middle = builder.location(), swap = builder.location(), load = builder.location(),
               fail = builder.location();
    Statement nondet = make(s, Kind::Nondet, {choice}, {});
    nondet.text = "weak compare-and-exchange fails";
    builder.edge(cas.from, middle, std::move(nondet));
    builder.edge(middle, load, make(s, Kind::Assume, {}, {builder.var(choice)}));
    builder.edge(middle, swap, make(s, Kind::Assume, {}, {terms.bnot(builder.var(choice))}));
    Statement look = make(s, Kind::Load, {s.targets[0]}, {s.operands[0]});
    look.width = s.width;
    look.align = s.align;
    look.local = s.local;
    look.atomic = true;
    look.text = program::text_of(program::failure_order(s));
    builder.edge(load, fail, std::move(look));
    builder.edge(fail, cas.to, make(s, Kind::Assign, {s.targets[1]}, {terms.falsity()}));
    builder.edge(swap, cas.to, std::move(cas.statement));
  }

  program::Program& program_;
  FunctionId id_;
};

}  // namespace

void let_fail(program::Program& program, const std::vector<WeakCas>& all) {
  std::set<FunctionId> functions;
  for (const WeakCas& cas : all) functions.insert(cas.function);
  for (FunctionId f : functions)
    if (std::set<uint32_t> weak = that_matter(program, f, all); !weak.empty()) Rebuilding(program, f).run(weak);
}

}  // namespace whittle::frontend
