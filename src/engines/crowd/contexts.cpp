#include "engines/crowd/contexts.h"

#include <fmt/format.h>

#include <unordered_set>

#include "semantics/access.h"

namespace whittle::engines::crowd {

using program::FunctionRole;
using program::Kind;
using program::Statement;

namespace {

constexpr size_t kMostContexts = 600;

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

Contexts::Contexts(const program::Program& program) : program_(program) {
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

uint32_t Contexts::enter(uint32_t kind, program::FunctionId function, uint32_t parent, uint32_t call) {
  if (needs_more(program_.functions[function]))
    throw Refused{fmt::format("{} is not followed", program_.functions[function].name)};
  for (uint32_t c = parent; c != kNone; c = contexts_[c].parent)
    if (contexts_[c].function == function)
      throw Refused{fmt::format("{} is recursive", program_.functions[function].name)};
  if (contexts_.size() >= kMostContexts) throw Refused{"there are too many call stacks"};
  const program::Function& body = program_.functions[function];
  Context context{kind, function, parent, call, {}, {}, {}, {}};
  for (const program::Register& reg : body.registers)
    context.registers.push_back(program_.terms().variable(reg.width(), reg.name.empty() ? "tmp" : reg.name));
  context.constants.resize(body.registers.size());
  context.may_point.resize(body.registers.size());
  contexts_.push_back(std::move(context));
  levels_.emplace_back(body.registers.size(), Level::Nothing);
  return static_cast<uint32_t>(contexts_.size() - 1);
}

/// Enters all functions that are called from here.
void Contexts::expand(uint32_t c) {
  for (uint32_t e = 0; e < function(c).edges.size(); ++e) {
    const Statement& s = function(c).edges[e].statement;
    if (s.kind == Kind::StackAlloc) {
      if (!s.operands[0].is_constant()) throw Refused{fmt::format("{} has a variable size", s.text)};
      objects_[{c, e}] = place({0, s.operands[0].value64(), contexts_[c].kind, s.text, nullptr, c, e});
    } else if (s.kind == Kind::Call && !is_known(program_.functions[s.callee])) {
      uint32_t callee = enter(contexts_[c].kind, s.callee, c, e);
      contexts_[c].callees[e] = callee;
      expand(callee);
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
        if (routine && !started_.contains({c, e})) {
          auto kind = static_cast<uint32_t>(starts_.size());
          uint32_t callee = enter(kind, *routine, kNone, kNone);
          starts_.push_back({program_.functions[*routine].name, callee});
          started_[{c, e}] = kind;
          expand(callee);
          changed = true;
        }
        if (started_.contains({c, e})) bind(starts_[started_[{c, e}]].context, 3);
        anything(false);
      } else if (auto callee = contexts_[c].callees.find(e); callee != contexts_[c].callees.end()) {
        bind(callee->second, 0);
      } else {
        anything(false);
      }
      break;
    case Kind::IndirectCall: {
      Term target = fold(c, s.operands[0]);
      auto found = target.is_constant() ? program_.function_at(target.value64()) : std::nullopt;
      if (found && !is_known(program_.functions[*found]) && !contexts_[c].callees.contains(e)) {
        uint32_t callee = enter(contexts_[c].kind, *found, c, e);
        contexts_[c].callees[e] = callee;
        expand(callee);
        changed = true;
      }
      if (contexts_[c].callees.contains(e)) bind(contexts_[c].callees[e], 1);
      break;
    }
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
  if (found == started_.end()) return std::nullopt;
  return found->second;
}

uint32_t Contexts::callee(uint32_t context, uint32_t edge) const {
  auto found = contexts_[context].callees.find(edge);
  return found == contexts_[context].callees.end() ? kNone : found->second;
}

const PrivateObject& Contexts::object(uint32_t context, uint32_t edge) const {
  return by_address_.find(objects_.find({context, edge})->second)->second;
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
