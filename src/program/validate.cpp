// The rules every program keeps, whoever built it. One function per kind of rule; the first broken one is named.
#include <fmt/format.h>

#include "base/error.h"
#include "program/program.h"

namespace whittle::program {
namespace {

/// What a kind of statement is made of. Widths: a number, or one of the marks below.
struct Shape {
  unsigned min_targets, max_targets;
  unsigned min_operands, max_operands;
};

constexpr unsigned kMany = UINT32_MAX;

Shape shape(Kind kind) {
  switch (kind) {
    case Kind::Skip: return {0, 0, 0, 0};
    case Kind::Assign: return {1, kMany, 1, kMany};
    case Kind::Assume: return {0, 0, 1, 1};
    case Kind::Check: return {0, 0, 1, 1};
    case Kind::Load: return {1, 1, 1, 1};
    case Kind::Store: return {0, 0, 2, 2};
    case Kind::Nondet: return {1, 1, 0, 0};
    case Kind::StackAlloc: return {1, 1, 1, 1};
    case Kind::HeapAlloc: return {1, 1, 2, 3};
    case Kind::Freed: return {1, 1, 3, 3};
    case Kind::HeapFree: return {0, 0, 1, 1};
    case Kind::ObjectSize: return {1, 1, 1, 1};
    case Kind::Shared: return {1, 1, 1, 1};
    case Kind::StackSave: return {1, 1, 0, 0};
    case Kind::StackRestore: return {0, 0, 1, 1};
    case Kind::Copy: return {0, 0, 3, 3};
    case Kind::Fill: return {0, 0, 3, 3};
    case Kind::Call: return {0, 1, 0, kMany};
    case Kind::IndirectCall: return {0, 1, 1, kMany};
    case Kind::Return: return {0, 0, 0, 1};
    case Kind::AtomicRmw: return {0, 1, 2, 2};
    case Kind::AtomicCas: return {2, 2, 3, 3};
    case Kind::Fence: return {0, 0, 0, 0};
    case Kind::AtomicBegin: return {0, 0, 0, 0};
    case Kind::AtomicEnd: return {0, 0, 0, 0};
    case Kind::Await: return {0, 0, 4, 4};
    case Kind::Spawn: return {1, 1, 3, 3};
    case Kind::ThreadExit: return {0, 0, 0, 0};
    case Kind::Self: return {1, 1, 0, 0};
    case Kind::ThreadLocal: return {1, 1, 0, 0};
    case Kind::Yield: return {0, 0, 0, 0};
    case Kind::Output: return {0, 0, 3, 3};
    case Kind::HostMath: return {1, 1, 1, 3};
    case Kind::Error: return {0, 0, 0, 0};
    case Kind::Halt: return {0, 0, 1, 1};
    case Kind::Unsupported: return {0, 0, 0, 0};
  }
  return {};
}

class Validator {
 public:
  explicit Validator(const Program& program) : program_(program), pointer_(program.pointer_width()) {}

  void run() {
    types();
    objects();
    for (const Function& f : program_.functions) function(f);
    if (program_.entry == kNone) return;
    if (program_.entry >= program_.functions.size()) fail_internal("program: the entry function does not exist");
    if (program_.functions[program_.entry].parameter_count != 0)
      fail_internal("program: the entry function `{}` takes parameters", program_.functions[program_.entry].name);
  }

 private:
  void types() const {
    if (program_.types.empty() || program_.types[0].kind != Type::Kind::Unknown)
      fail_internal("program: type 0 is not the unknown type");
    auto exists = [&](TypeId id) {
      if (id >= program_.types.size()) fail_internal("program: type {} does not exist", id);
    };
    for (const Type& type : program_.types) {
      exists(type.element);
      for (const Type::Field& field : type.fields) exists(field.type);
    }
  }

  void objects() const {
    uint64_t end = 0;
    for (const Object& object : program_.objects) {
      auto broken = [&](std::string_view rule) { fail_internal("object `{}`: {}", object.name, rule); };
      if (object.initial.size() != object.size) broken("its initial bytes do not fill it");
      if (object.align == 0 || (object.align & (object.align - 1)) != 0) broken("its alignment is no power of two");
      if (object.type >= program_.types.size()) broken("its type does not exist");
      if (object.role != ObjectRole::None && (!object.runtime || object.thread_local_))
        broken("it has a role, but is no static object of the models");
      if (object.role == ObjectRole::AtThreadEnd && object.size != pointer_ / 8) broken("it is no pointer");
      if (object.thread_local_) continue;
      if (object.address < layout::kStaticBase || object.address + object.size > layout::kDynamicBase)
        broken("it lies outside the static area (place_objects?)");
      if (object.address % object.align != 0) broken("its address is not aligned");
      if (end != 0 && object.address < end + layout::kStaticGap) broken("there is no gap before it");
      end = object.address + object.size;
    }
  }

  void function(const Function& f) {
    function_ = &f;
    edge_ = nullptr;
    if (f.parameter_count > f.registers.size()) broken("it has more parameters than registers");
    for (RegisterId r = 0; r < f.registers.size(); ++r) {
      auto ref = program_.register_of(f.registers[r].variable);
      if (ref.reg != r || &program_.functions[ref.function] != &f) broken(fmt::format("register {} is not its own", r));
      if (f.registers[r].type >= program_.types.size())
        broken(fmt::format("the type of register {} does not exist", r));
    }
    role(f);
    if (f.locations.empty() || f.entry >= f.locations.size()) broken("it has no entry location");
    uint32_t next = 0;
    for (LocationId l = 0; l < f.locations.size(); ++l) {
      const Location& location = f.locations[l];
      if (location.edge_count == 0) continue;
      if (location.first_edge != next || location.edge_count > f.edges.size() - next)
        broken(fmt::format("the edges of location {} are out of order", l));
      for (uint32_t i = 0; i < location.edge_count; ++i) edge(f.edges[next + i], l, location);
      next += location.edge_count;
      edge_ = nullptr;
    }
    if (next != f.edges.size()) broken("there are edges that leave no location");
  }

  /// Who knows a function by its role relies on its parameters.
  void role(const Function& f) const {
    if (f.role == FunctionRole::None) return;
    if (!f.runtime) broken("it has a role, but is none of the models");
    unsigned parameters = 0;
    switch (f.role) {
      case FunctionRole::CreateThread: parameters = 4; break;
      case FunctionRole::JoinThread:
      case FunctionRole::InitMutex:
      case FunctionRole::WaitCondition: parameters = 2; break;
      case FunctionRole::ExitThread:
      case FunctionRole::FinishThread:
      case FunctionRole::DestroyMutex:
      case FunctionRole::LockMutex:
      case FunctionRole::UnlockMutex:
      case FunctionRole::Exit: parameters = 1; break;
      case FunctionRole::UseCondition: parameters = std::max(1u, f.parameter_count); break;
      default: return;
    }
    if (f.parameter_count != parameters) broken(fmt::format("its role `{}` has other parameters", name(f.role)));
    if (f.role != FunctionRole::Exit && f.registers[0].width() != pointer_)
      broken(fmt::format("its role `{}` has another first parameter", name(f.role)));
  }

  void edge(const Edge& e, LocationId from, const Location& location) {
    edge_ = &e;
    if (e.from != from) broken("it is listed under another location");
    Kind kind = e.statement.kind;
    if (static_cast<unsigned>(kind) >= kKindCount) broken("its kind does not exist");
    if (ends_path(kind) != (e.to == kNone)) broken("it must lead on, unless its statement ends the path");
    if (e.to != kNone && e.to >= function_->locations.size()) broken("it leads nowhere");
    if (location.edge_count > 1 && kind != Kind::Assume) broken("it branches without being an assume");
    statement(e.statement);
  }

  void statement(const Statement& s) {
    Shape expected = shape(s.kind);
    if (s.targets.size() < expected.min_targets || s.targets.size() > expected.max_targets)
      broken(fmt::format("it has {} targets", s.targets.size()));
    if (s.operands.size() < expected.min_operands || s.operands.size() > expected.max_operands)
      broken(fmt::format("it has {} operands", s.operands.size()));
    for (RegisterId target : s.targets)
      if (target >= function_->registers.size()) broken("its target does not exist");
    for (size_t i = 0; i < s.targets.size(); ++i)
      for (size_t j = i + 1; j < s.targets.size(); ++j)
        if (s.targets[i] == s.targets[j]) broken("it assigns the same register twice");
    for (term::Term operand : s.operands) operand_is_ours(operand);
    widths(s);
  }

  void operand_is_ours(term::Term operand) {
    if (!operand) broken("an operand is missing");
    if (operand.has_reads()) broken("an operand reads memory");
    for (term::Term variable : term::variables(operand)) {
      auto ref = program_.register_of(variable);
      if (ref.function == kNone || &program_.functions[ref.function] != function_)
        broken("an operand mentions what is no register of the function");
    }
  }

  void widths(const Statement& s) {
    switch (s.kind) {
      case Kind::Assign:
        if (s.targets.size() != s.operands.size()) broken("it has not as many operands as targets");
        for (size_t i = 0; i < s.targets.size(); ++i) target(s, i, s.operands[i].width());
        break;
      case Kind::Assume:
      case Kind::Check: operand(s, 0, 1); break;
      case Kind::Load: access(s), target(s, 0, s.width); break;
      case Kind::Store: access(s), operand(s, 1, s.width); break;
      case Kind::StackAlloc: operand(s, 0, pointer_), target(s, 0, pointer_); break;
      case Kind::HeapAlloc:
        operand(s, 0, pointer_), operand(s, 1, 1), target(s, 0, pointer_);
        if (s.operands.size() > 2) operand(s, 2, pointer_);
        break;
      case Kind::Freed:
        for (size_t i = 0; i < 3; ++i) operand(s, i, pointer_);
        target(s, 0, pointer_);
        break;
      case Kind::HeapFree: operand(s, 0, pointer_); break;
      case Kind::ObjectSize: operand(s, 0, pointer_), target(s, 0, pointer_); break;
      case Kind::Shared: operand(s, 0, pointer_), target(s, 0, 1); break;
      case Kind::StackSave: target(s, 0, pointer_); break;
      case Kind::StackRestore: operand(s, 0, pointer_); break;
      case Kind::Copy: operand(s, 0, pointer_), operand(s, 1, pointer_), operand(s, 2, pointer_); break;
      case Kind::Fill: operand(s, 0, pointer_), operand(s, 1, 8), operand(s, 2, pointer_); break;
      case Kind::Call: call(s); break;
      case Kind::IndirectCall: operand(s, 0, pointer_); break;
      case Kind::Return: returned(s); break;
      case Kind::AtomicRmw:
        access(s), operand(s, 1, s.width);
        if (!s.targets.empty()) target(s, 0, s.width);
        break;
      case Kind::AtomicCas:
        access(s), operand(s, 1, s.width), operand(s, 2, s.width), target(s, 0, s.width), target(s, 1, 1);
        break;
      case Kind::Await: access(s), operand(s, 1, s.width), operand(s, 2, s.width), operand(s, 3, s.width); break;
      case Kind::Spawn: operand(s, 0, pointer_), operand(s, 1, pointer_), operand(s, 2, pointer_); break;
      case Kind::ThreadLocal:
        if (s.object >= program_.objects.size() || !program_.objects[s.object].thread_local_)
          broken("its object is no thread-local one");
        target(s, 0, pointer_);
        break;
      case Kind::Output: operand(s, 1, pointer_), operand(s, 2, pointer_); break;
      case Kind::HostMath:
        for (term::Term t : s.operands)
          if (t.width() != 32 && t.width() != 64) broken("an operand is neither float nor double");
        break;
      default: break;
    }
  }

  void call(const Statement& s) {
    if (s.callee >= program_.functions.size()) broken("its callee does not exist");
    const Function& callee = program_.functions[s.callee];
    if (s.operands.size() != callee.parameter_count)
      broken(fmt::format("`{}` takes {} arguments, not {}", callee.name, callee.parameter_count, s.operands.size()));
    for (size_t i = 0; i < s.operands.size(); ++i) operand(s, i, callee.registers[i].width());
    if (!s.targets.empty()) target(s, 0, callee.return_width);
  }

  void returned(const Statement& s) {
    if (s.operands.size() != (function_->return_width != 0 ? 1u : 0u))
      broken("it returns a value, or none, against the function");
    if (!s.operands.empty()) operand(s, 0, function_->return_width);
  }

  /// Statements that access `width` bits at operand 0.
  void access(const Statement& s) {
    operand(s, 0, pointer_);
    if (s.width == 0 || s.width % 8 != 0 || s.width > 128) broken(fmt::format("it accesses {} bits", s.width));
    if (s.align == 0 || (s.align & (s.align - 1)) != 0) broken("its alignment is no power of two");
  }
  void operand(const Statement& s, size_t i, unsigned width) {
    if (s.operands[i].width() != width)
      broken(fmt::format("operand {} has {} bits, not {}", i, s.operands[i].width(), width));
  }
  void target(const Statement& s, size_t i, unsigned width) {
    unsigned actual = function_->registers[s.targets[i]].width();
    if (actual != width) broken(fmt::format("target {} has {} bits, not {}", i, actual, width));
  }

  [[noreturn]] void broken(std::string_view rule) const {
    if (!edge_) fail_internal("function `{}`: {}", function_->name, rule);
    fail_internal("function `{}`, edge {} at location {} ({}, {}): {}", function_->name,
                  edge_ - function_->edges.data(), edge_->from,
                  static_cast<unsigned>(edge_->statement.kind) < kKindCount ? name(edge_->statement.kind) : "?",
                  program_.where(edge_->statement.position), rule);
  }

  const Program& program_;
  unsigned pointer_;
  const Function* function_ = nullptr;
  const Edge* edge_ = nullptr;
};

}  // namespace

void Program::validate() const { Validator(*this).run(); }

}  // namespace whittle::program
