#include "frontend/other_types.h"

#include <fmt/format.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/InstrTypes.h>

#include <algorithm>
#include <map>
#include <set>

#include "program/analysis/few_values.h"
#include "program/analysis/points_to.h"
#include "semantics/demand.h"

namespace whittle::frontend {
namespace {

using program::Edge;
using program::Function;
using program::FunctionId;
using program::Kind;
using program::kNone;
using program::LocationId;
using program::RegisterId;
using program::Statement;
using term::Term;

constexpr unsigned kRounds = 4;       ///< what a new callee stores may lead to further ones
constexpr size_t kMostTargets = 64;   ///< of one call: with more the analysis does not know much
/// Statements of a program for which the analysis takes seconds (sqlite has 200,000). In larger ones such calls are refused where a run gets to
/// them.
constexpr size_t kMostStatements = 400'000;

/// By edge of a function: functions to be called there in a way of their own.
using Targets = std::map<uint32_t, std::set<FunctionId>>;

/// Is it passed in one register of integers, or one place on the stack?
bool is_word(const llvm::Type& type) { return type.isPointerTy() || (type.isIntegerTy() && type.getIntegerBitWidth() <= 64); }

bool takes_words(const llvm::Function& function) {
  if (function.isVarArg() || !(function.getReturnType()->isVoidTy() || is_word(*function.getReturnType()))) return false;
  return std::ranges::all_of(function.args(), [](const llvm::Argument& argument) {
    return is_word(*argument.getType()) && !argument.hasByValAttr() && !argument.hasStructRetAttr();
  });
}

/// Do all its calls through pointers pass and return words only?
bool passes_words(const llvm::Function& function) {
  for (const llvm::Instruction& instruction : llvm::instructions(function)) {
    auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    if (!call || !call->isIndirectCall()) continue;
    if (!call->getType()->isVoidTy() && !is_word(*call->getType())) return false;
    for (unsigned i = 0; i < call->arg_size(); ++i)
      if (!is_word(*call->getArgOperand(i)->getType()) || call->isByValArgument(i) || call->paramHasAttr(i, llvm::Attribute::StructRet))
        return false;
  }
  return true;
}

class Follower {
 public:
  Follower(const ModuleInfo& info, program::Program& program) : program_(program) {
    for (const llvm::Function* function : info.functions()) {
      takes_words_.push_back(takes_words(*function));
      // Models call what fits, or what the front end made fit (call_pointer).
      passes_words_.push_back(!info.is_runtime(*function) && passes_words(*function));
    }
  }

  void run() {
    if (!may_be_needed()) return;
    for (unsigned round = 0; round < kRounds; ++round) {
      std::map<FunctionId, Targets> found = find();
      if (found.empty()) break;
      for (const auto& [function, targets] : found) rebuild(function, targets);
    }
    note();
  }

 private:
  /// The analysis that found them takes all members of an object for one: not all of these calls need to happen.
  void note() const {
    constexpr size_t kNamed = 5;
    if (adapted_.empty()) return;
    std::string names;
    size_t count = 0;
    for (const std::string& name : adapted_)
      if (++count <= kNamed) names += (names.empty() ? "`" : ", `") + name + "`";
    if (count > kNamed) names += fmt::format(" and {} more", count - kNamed);
    program_.assumptions.push_back(fmt::format("where {} {} called through a pointer of another function type, arguments are passed as the ABI does", names,
                                               count == 1 ? "is" : "are"));
  }

  /// The analysis takes time: is there an indirect call, and a function that does not fit it?
  bool may_be_needed() const {
    program::analysis::CallGraph calls(program_);
    size_t statements = 0;
    calls.reachable().each([&](size_t f) { statements += program_.functions[f].edges.size(); });
    if (statements > kMostStatements) return false;
    for (FunctionId f = 0; f < program_.functions.size(); ++f) {
      const Function& function = program_.functions[f];
      if (!has(passes_words_, f)) continue;
      for (const Edge& edge : function.edges) {
        if (edge.statement.kind != Kind::IndirectCall) continue;
        for (FunctionId target = 0; target < program_.functions.size(); ++target)
          if (calls.address_taken(target) && adaptable(function, edge.statement, target)) return true;
      }
    }
    return false;
  }

  std::map<FunctionId, Targets> find() const {
    program::analysis::CallGraph calls(program_);
    program::analysis::PointsTo points(program_, calls);
    program::analysis::FewValues values(program_, calls, points);
    std::map<FunctionId, Targets> found;
    for (FunctionId f = 0; f < program_.functions.size(); ++f) {
      const Function& function = program_.functions[f];
      if (!has(passes_words_, f)) continue;
      for (uint32_t e = 0; e < function.edges.size(); ++e) {
        const Statement& statement = function.edges[e].statement;
        if (statement.kind != Kind::IndirectCall || !values.reachable(f, function.edges[e].from)) continue;
        BitSet pointees = points.pointees(statement.operands[0]);
        const auto few = values.of(f, statement.operands[0]);
        auto possible = [&](FunctionId target) {
          return pointees.test(points.places().of_function(target)) &&
                 (!few || std::ranges::find(*few, u128{program::Program::function_address(target)}) != few->end());
        };
        std::set<FunctionId> targets;
        for (FunctionId target = 0; target < program_.functions.size(); ++target)
          if (possible(target) && adaptable(function, statement, target) &&
              !excluded(f, function.edges[e].from, target))
            targets.insert(target);
        if (!targets.empty() && targets.size() <= kMostTargets) found[f][e] = std::move(targets);
      }
    }
    return found;
  }

  static bool has(const std::vector<bool>& functions, FunctionId id) { return id < functions.size() && functions[id]; }

  /// Was a branch made for it already?
  bool excluded(FunctionId f, LocationId from, FunctionId target) const {
    auto done = done_.find({f, from});
    return done != done_.end() && done->second.contains(target);
  }

  bool adaptable(const Function& caller, const Statement& call, FunctionId target) const {
    const Function& callee = program_.functions[target];
    if (!has(takes_words_, target)) return false;
    if (semantics::fits(caller, call, callee)) return false;
    if (program_.data_model == program::DataModel::LP64) return true;
    // On a stack of words an argument of two words would move all that follow.
    for (uint32_t i = 0; i < callee.parameter_count && i + 1 < call.operands.size(); ++i)
      if ((callee.registers[i].width() > 32) != (call.operands[i + 1].width() > 32)) return false;
    return true;
  }

  void rebuild(FunctionId id, const Targets& targets) {
    std::vector<Edge> edges = std::move(program_.functions[id].edges);
    const size_t count = program_.functions[id].locations.size();
    const LocationId entry = program_.functions[id].entry;
    program_.functions[id].edges.clear();
    program_.functions[id].locations.clear();
    program::FunctionBuilder builder(program_, id);
    for (size_t l = 0; l < count; ++l) builder.location();
    for (uint32_t e = 0; e < edges.size(); ++e) {
      auto found = targets.find(e);
      if (found == targets.end())
        builder.edge(edges[e].from, edges[e].to, std::move(edges[e].statement));
      else
        branch(builder, id, edges[e], found->second);
    }
    builder.finish(entry);
  }

  void branch(program::FunctionBuilder& builder, FunctionId id, const Edge& edge, const std::set<FunctionId>& targets) {
    term::Store& terms = program_.terms();
    const Statement& call = edge.statement;
    std::vector<Term> others;
    for (FunctionId target : targets) {
      Term is_target = terms.eq(call.operands[0], terms.constant(program_.pointer_width(), program::Program::function_address(target)));
      others.push_back(terms.bnot(is_target));
      LocationId here = builder.location();
      builder.edge(edge.from, here, assume(call, is_target));
      call_adapted(builder, here, edge.to, call, target);
      adapted_.insert(program_.functions[target].name);
    }
    LocationId rest = builder.location();
    builder.edge(edge.from, rest, assume(call, terms.conjunction(others)));
    builder.edge(rest, edge.to, call);
    std::set<FunctionId> done = targets;
    if (auto before = done_.find({id, edge.from}); before != done_.end()) done.insert(before->second.begin(), before->second.end());
    done_[{id, rest}] = std::move(done);
  }

  static Statement assume(const Statement& call, Term condition) {
    Statement statement;
    statement.kind = Kind::Assume;
    statement.operands = {condition};
    statement.position = call.position;
    return statement;
  }

  /// A value of `width` bits of which only those of `value` are known, if any.
  Term widen(program::FunctionBuilder& builder, LocationId& here, Term value, unsigned width, const Statement& call) {
    term::Store& terms = program_.terms();
    const unsigned known = value ? value.width() : 0;
    if (known >= width) return terms.resize_unsigned(value, width);
    Statement unknown;
    unknown.kind = Kind::Nondet;
    unknown.targets = {builder.reg(width - known)};
    unknown.text = "left in a register by a call through a pointer of another type";
    unknown.position = call.position;
    Term upper = builder.var(unknown.targets[0]);
    LocationId next = builder.location();
    builder.edge(here, next, std::move(unknown));
    here = next;
    return value ? terms.concat(upper, value) : upper;
  }

  void call_adapted(program::FunctionBuilder& builder, LocationId here, LocationId to, const Statement& call, FunctionId target) {
    Statement direct;
    direct.kind = Kind::Call;
    direct.callee = target;
    direct.position = call.position;
    const uint32_t count = program_.functions[target].parameter_count;
    for (uint32_t i = 0; i < count; ++i) {
      Term given = i + 1 < call.operands.size() ? call.operands[i + 1] : Term();
      direct.operands.push_back(widen(builder, here, given, program_.functions[target].registers[i].width(), call));
    }
    const unsigned width = program_.functions[target].return_width;
    if (call.targets.empty()) {
      builder.edge(here, to, std::move(direct));
      return;
    }
    Term returned;
    if (width != 0) {
      direct.targets = {builder.reg(width)};
      returned = builder.var(direct.targets[0]);
    }
    LocationId after = builder.location();
    builder.edge(here, after, std::move(direct));
    Statement assign;
    assign.kind = Kind::Assign;
    assign.targets = {call.targets[0]};
    assign.operands = {widen(builder, after, returned, builder.var(call.targets[0]).width(), call)};
    assign.position = call.position;
    builder.edge(after, to, std::move(assign));
  }

  program::Program& program_;
  std::set<std::string> adapted_;  ///< functions that got a branch somewhere
  std::vector<bool> takes_words_, passes_words_;  ///< by function; functions that whittle made are in neither
  std::map<std::pair<FunctionId, LocationId>, std::set<FunctionId>> done_;
};

}  // namespace

void follow_other_types(const ModuleInfo& info, program::Program& program) { Follower(info, program).run(); }

}  // namespace whittle::frontend
