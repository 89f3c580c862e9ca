#include "engines/crowd/contexts.h"

#include <fmt/format.h>

#include <unordered_set>

#include "semantics/access.h"
#include "semantics/demand.h"

namespace whittle::engines::crowd {

using program::FunctionRole;
using program::Kind;
using program::Statement;

namespace {

constexpr size_t kMostContexts = 600;
constexpr size_t kMostInOneCall = 200;  ///< of these; a library function with more is not followed
constexpr size_t kMostCallees = 12;     ///< of one call through a pointer

}  // namespace

bool is_private(u128 address) { return address >= kPrivateBase && address < kPrivateEnd; }

bool mentions(Term root, uint64_t begin, uint64_t end) {
  std::vector<Term> work{root};
  std::unordered_set<Term> seen;
  while (!work.empty()) {
    Term t = work.back();
    work.pop_back();
    if (!seen.insert(t).second) continue;
    if (t.is_constant() && t.width() >= 32 && t.value() >= begin && t.value() < end) return true;
    for (unsigned i = 0; i < t.arity(); ++i) work.push_back(t.kid(i));
  }
  return false;
}

bool is_known(const program::Function& function) {
  const bool inner = function.role == FunctionRole::StartThread || function.role == FunctionRole::FinishThread;
  return function.role != FunctionRole::None && !inner && !needs_more(function);
}

bool needs_more(const program::Function& function) {
  return function.role == FunctionRole::Threads || function.role == FunctionRole::AskForEnd;
}

Contexts::Contexts(const program::Program& program) : program_(program), calls_(program) {
  for (const program::Function& function : program.functions)
    for (const program::Edge& edge : function.edges)
      for (Term operand : edge.statement.operands)
        if (edge.statement.kind != Kind::Assume && operand.width() >= 32 &&
            mentions(operand, kPrivateBase, kPrivateEnd))
          throw Refused{fmt::format("a number at {} looks like an address", program.where(edge.statement.position))};
  starts_.push_back({"main", enter(0, program.entry, kNone, kNone)});
  expand(starts_[0].context);
  // What an indirect call or a thread's function is can depend on constants found so far.
  while (pass()) {
  }
}

/// Throws Refused.
uint32_t Contexts::enter(uint32_t kind, program::FunctionId function, uint32_t parent, uint32_t call) {
  const program::Function& body = program_.functions[function];
  if (needs_more(body) && !says_all(function)) throw Refused{fmt::format("{} is not followed", body.name)};
  for (uint32_t c = parent; c != kNone; c = contexts_[c].parent)
    if (contexts_[c].function == function) throw Refused{fmt::format("{} is recursive", body.name)};
  const size_t below = stacks_below(function);
  if (below > kMostInOneCall || contexts_.size() + below > kMostContexts)
    throw Refused{fmt::format("there are too many call stacks in {}", body.name)};
  Context context{kind, function, parent, call, {}, {}, {}, {}};
  for (const program::Register& reg : body.registers)
    context.registers.push_back(program_.terms().variable(reg.width(), reg.name.empty() ? "tmp" : reg.name));
  context.constants.resize(body.registers.size());
  context.may_point.resize(body.registers.size());
  contexts_.push_back(std::move(context));
  levels_.emplace_back(body.registers.size(), Level::Nothing);
  return static_cast<uint32_t>(contexts_.size() - 1);
}

/// Is what a model of threads does all in its body? It is not if it has something run later, which it keeps in static
/// memory, or if it keeps sets of threads, which are bits.
bool Contexts::says_all(program::FunctionId f) {
  if (program_.functions[f].role == FunctionRole::AskForEnd) return false;
  auto [found, fresh] = says_all_.try_emplace(f, true);
  if (!fresh) return found->second;
  bool all = true;
  for (const program::Edge& edge : program_.functions[f].edges) {
    const Statement& s = edge.statement;
    all &= s.kind != Kind::Spawn && s.kind != Kind::ThreadExit;
    if (s.kind == Kind::Call && !is_known(program_.functions[s.callee])) all &= says_all(s.callee);
    for (Term operand : s.operands) all &= !keeps_something(operand);
  }
  return says_all_[f] = all;
}

bool Contexts::keeps_something(Term t) const {
  if (t.op() == term::Op::Shl && !t.kid(1).is_constant()) return true;
  if (t.is_constant() && t.width() == program_.pointer_width()) {
    const auto object = program_.object_at(t.value64());
    return object && !program_.objects[*object].constant && !program_.objects[*object].thread_local_;
  }
  for (unsigned i = 0; i < t.arity(); ++i)
    if (keeps_something(t.kid(i))) return true;
  return false;
}

/// How many call stacks direct calls make of one call of the function. What is too large is left out, but a model is
/// followed as a whole or not at all. Recursion is found when it is entered.
size_t Contexts::stacks_below(program::FunctionId f) {
  auto [found, fresh] = sizes_.try_emplace(f, 1);
  if (!fresh) return found->second;
  size_t sum = 1;
  for (const program::Edge& edge : program_.functions[f].edges) {
    if (edge.statement.kind != Kind::Call || is_known(program_.functions[edge.statement.callee])) continue;
    const size_t below = stacks_below(edge.statement.callee);
    if (below <= kMostInOneCall || program_.functions[f].runtime) sum = std::min(sum + below, kMostContexts);
  }
  return sizes_[f] = sum;
}

bool Contexts::start(uint32_t c, uint32_t e, program::FunctionId routine) {
  try {
    const auto kind = static_cast<uint32_t>(starts_.size());
    const uint32_t entry = enter(kind, routine, kNone, kNone);
    starts_.push_back({program_.functions[routine].name, entry});
    started_[{c, e}] = kind;
    expand(entry);
    return true;
  } catch (const Refused& refused) {
    refused_[{c, e}] = refused.why;
    return false;
  }
}

/// Returns false if it is not followed.
bool Contexts::enter_callee(uint32_t c, uint32_t e, program::FunctionId function) {
  try {
    const uint32_t callee = enter(contexts_[c].kind, function, c, e);
    contexts_[c].callees[{e, function}] = callee;
    expand(callee);
    return true;
  } catch (const Refused& refused) {
    refused_[{c, e}] = refused.why;
    refused_callees_.insert({c, e, function});
    return false;
  }
}

/// Enters all functions that are called from here.
void Contexts::expand(uint32_t c) {
  for (uint32_t e = 0; e < function(c).edges.size(); ++e) {
    const Statement& s = function(c).edges[e].statement;
    if (s.kind == Kind::StackAlloc) {
      try {
        if (!s.operands[0].is_constant()) throw Refused{fmt::format("{} has a variable size", s.text)};
        objects_[{c, e}] = place({0, s.operands[0].value64(), contexts_[c].kind, s.text, nullptr, c, e});
      } catch (const Refused& refused) {
        refused_[{c, e}] = refused.why;
      }
    } else if (s.kind == Kind::Call && !is_known(program_.functions[s.callee])) {
      enter_callee(c, e, s.callee);
    }
  }
}

uint64_t Contexts::place(PrivateObject object) {
  if (object.size > 1 << 20) throw Refused{fmt::format("{} is too large", object.name)};
  object.address = next_address_;
  next_address_ += kPrivateSpacing;
  if (next_address_ >= kPrivateEnd) throw Refused{"there are too many local objects"};
  by_address_[object.address] = object;
  return object.address;
}

bool Contexts::pass() {
  bool changed = false;
  for (uint32_t c = 0; c < contexts_.size(); ++c)
    for (uint32_t e = 0; e < function(c).edges.size(); ++e) changed |= pass(c, e);
  return changed;
}

bool Contexts::pass(uint32_t c, uint32_t e) {
  const Statement& s = function(c).edges[e].statement;
  bool changed = false;
  auto anything = [&](bool pointer) {
    for (program::RegisterId target : s.targets) changed |= raise(c, target, Level::Anything, {}, pointer);
  };
  auto bind = [&](uint32_t callee, size_t first) {
    for (uint32_t i = 0; i < function(callee).parameter_count; ++i) {
      if (first + i < s.operands.size())
        changed |= assign(callee, i, c, s.operands[first + i]);
      else
        changed |= raise(callee, i, Level::Anything, {}, false);
    }
  };
  switch (s.kind) {
    case Kind::Assign:
      for (size_t i = 0; i < s.targets.size(); ++i) changed |= assign(c, s.targets[i], c, s.operands[i]);
      break;
    case Kind::StackAlloc:
      if (!objects_.contains({c, e})) break;
      changed |= raise(c, s.targets[0], Level::Constant,
                       program_.terms().constant(program_.pointer_width(), object(c, e).address), true);
      break;
    case Kind::ThreadLocal: {
      uint32_t kind = contexts_[c].kind;
      auto [found, fresh] = thread_locals_.try_emplace({kind, s.object}, 0);
      const program::Object& original = program_.objects[s.object];
      if (fresh) found->second = place({0, original.size, kind, original.name, &original});
      changed |= raise(c, s.targets[0], Level::Constant,
                       program_.terms().constant(program_.pointer_width(), found->second), true);
      break;
    }
    case Kind::Call:
      if (program_.functions[s.callee].role == FunctionRole::CreateThread) {
        Term target = fold(c, s.operands[2]);
        auto routine = target.is_constant() ? program_.function_at(target.value64()) : std::nullopt;
        if (routine && !started_.contains({c, e}) && !refused_.contains({c, e})) changed |= start(c, e, *routine);
        if (started_.contains({c, e})) bind(starts_[started_[{c, e}]].context, 3);
        anything(false);
      } else if (auto callee = contexts_[c].callees.find({e, s.callee}); callee != contexts_[c].callees.end()) {
        bind(callee->second, 0);
      } else {
        anything(false);
      }
      break;
    case Kind::IndirectCall:
      for (program::FunctionId f : called(c, e)) {
        if (!contexts_[c].callees.contains({e, f}) && !refused_callees_.contains({c, e, f})) changed |= enter_callee(c, e, f);
        if (auto callee = contexts_[c].callees.find({e, f}); callee != contexts_[c].callees.end()) bind(callee->second, 1);
      }
      break;
    case Kind::Return:
      if (uint32_t parent = contexts_[c].parent; parent != kNone) {
        const Statement& call = function(parent).edges[contexts_[c].call].statement;
        if (!call.targets.empty() && !s.operands.empty()) changed |= assign(parent, call.targets[0], c, s.operands[0]);
        if (!call.targets.empty() && s.operands.empty())
          changed |= raise(parent, call.targets[0], Level::Anything, {}, false);
      }
      break;
    default:
      for (const semantics::Access& access : semantics::accesses(s))
        for (size_t i = 0; i < s.operands.size() && access.write && !pointers_in_memory_; ++i)
          if (i != access.address && access.size_operand == semantics::Access::kFixed && may_point(c, s.operands[i]))
            pointers_in_memory_ = changed = true;
      anything(pointers_in_memory_);
      break;
  }
  return changed;
}

bool Contexts::assign(uint32_t c, program::RegisterId reg, uint32_t from, Term operand) {
  for (Term v : term::variables(operand))
    if (levels_[from][program_.register_of(v).reg] == Level::Nothing) return false;
  Term value = fold(from, operand);
  unsigned width = contexts_[c].registers[reg].width();
  bool constant = value.is_constant() && value.width() == width;
  return raise(c, reg, constant ? Level::Constant : Level::Anything, value, may_point(from, operand));
}

bool Contexts::raise(uint32_t c, program::RegisterId reg, Level level, Term constant, bool pointer) {
  Level& now = levels_[c][reg];
  bool changed = pointer && !contexts_[c].may_point[reg];
  if (pointer) contexts_[c].may_point[reg] = true;
  if (level == Level::Constant && now == Level::Constant && contexts_[c].constants[reg] != constant)
    level = Level::Anything;
  if (level <= now) return changed;
  now = level;
  contexts_[c].constants[reg] = level == Level::Constant ? constant : Term{};
  return true;
}

std::optional<uint32_t> Contexts::kind_started(uint32_t context, uint32_t edge) const {
  auto found = started_.find({context, edge});
  if (found != started_.end()) return found->second;
  if (auto why = refused_.find({context, edge}); why != refused_.end()) throw Refused{why->second};
  return std::nullopt;
}

uint32_t Contexts::callee(uint32_t context, uint32_t edge, program::FunctionId function) const {
  auto found = contexts_[context].callees.find({edge, function});
  if (found != contexts_[context].callees.end()) return found->second;
  auto why = refused_.find({context, edge});
  if (why != refused_.end()) throw Refused{why->second};
  throw Refused{fmt::format("{} is not followed", program_.functions[function].name)};
}

std::vector<program::FunctionId> Contexts::called(uint32_t c, uint32_t e) const {
  const Statement& s = function(c).edges[e].statement;
  const Term target = fold(c, s.operands[0]);
  std::vector<program::FunctionId> all;
  if (!target.is_constant())
    all = called(contexts_[c].function, s);
  else if (auto one = program_.function_at(target.value64()))
    all = {*one};
  std::erase_if(all, [&](program::FunctionId f) {
    return is_known(program_.functions[f]) || !semantics::fits(function(c), s, program_.functions[f]);
  });
  if (all.size() > kMostCallees) all.clear();
  return all;
}

/// The values of the address where few are possible, otherwise all functions that may be meant.
std::vector<program::FunctionId> Contexts::called(program::FunctionId caller, const Statement& s) const {
  if (!values_) {
    points_.emplace(program_, calls_);
    values_.emplace(program_, calls_, *points_);
  }
  const auto addresses = values_->of(caller, s.operands[0]);
  if (!addresses) return calls_.targets(s);
  std::vector<program::FunctionId> all;
  for (u128 address : *addresses)
    if (auto one = program_.function_at(static_cast<uint64_t>(address))) all.push_back(*one);
  return all;
}

const PrivateObject& Contexts::object(uint32_t context, uint32_t edge) const {
  auto found = objects_.find({context, edge});
  if (found == objects_.end()) throw Refused{refused_.at({context, edge})};
  return by_address_.find(found->second)->second;
}

bool Contexts::active(uint32_t context, uint32_t now) const {
  for (; now != kNone; now = contexts_[now].parent)
    if (now == context) return true;
  return false;
}

const PrivateObject* Contexts::object_at(uint64_t address) const {
  auto found = by_address_.upper_bound(address);
  if (found == by_address_.begin()) return nullptr;
  const PrivateObject& object = (--found)->second;
  return address < object.address + std::max<uint64_t>(object.size, 1) ? &object : nullptr;
}

Term Contexts::fold(uint32_t c, Term operand) const {
  return program_.terms().substitute(operand,
                                     [&](Term v) { return contexts_[c].constants[program_.register_of(v).reg]; });
}

bool Contexts::may_point(uint32_t c, Term operand) const {
  // What a comparison says of an address does not tell the address.
  std::vector<Term> work{operand};
  std::unordered_set<Term> seen;
  while (!work.empty()) {
    Term t = work.back();
    work.pop_back();
    if (!seen.insert(t).second) continue;
    if (t.is_variable() && contexts_[c].may_point[program_.register_of(t).reg]) return true;
    if (t.op() >= term::Op::Eq && t.op() <= term::Op::Sle) continue;
    for (unsigned i = 0; i < t.arity(); ++i) work.push_back(t.kid(i));
  }
  return false;
}

}  // namespace whittle::engines::crowd
