// The rules every program keeps, whoever built it. One function per kind of rule; the first broken one is named.
#include <fmt/format.h>

#include "base/error.h"
#include "program/program.h"
#include "program/words.h"

namespace whittle::program {
namespace {

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
    if (f.return_type >= program_.types.size()) broken("the type of its result does not exist");
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
    const KindInfo& expected = info(s.kind);
    count("targets", expected.targets, s.targets.size());
    count("operands", expected.operands, s.operands.size());
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

  void count(std::string_view what, std::string_view letters, size_t number) {
    const size_t optional = letters.find('?');
    const bool many = letters.ends_with('*');
    const size_t most = letters.size() - (optional != letters.npos) - many;
    const size_t least = std::min(optional, most);
    if (number < least || (number > most && !many)) broken(fmt::format("it has {} {}", number, what));
  }

  void widths(const Statement& s) {
    const KindInfo& expected = info(s.kind);
    if (expected.operands.find('w') != std::string_view::npos || expected.targets.find('w') != std::string_view::npos)
      access(s);
    for (size_t i = 0; i < s.operands.size(); ++i) {
      const char letter = program::letter(expected.operands, i);
      if (auto width = words::width_of(letter, program_, s)) operand(s, i, *width);
      if (letter == 'f' && s.operands[i].width() != 32 && s.operands[i].width() != 64)
        broken("an operand is neither float nor double");
    }
    for (size_t i = 0; i < s.targets.size(); ++i)
      if (auto width = words::width_of(letter(expected.targets, i), program_, s)) target(s, i, *width);
    if (s.kind == Kind::Call) call(s);
    if (s.kind == Kind::Return) returned(s);
    if (s.kind == Kind::Assign) {
      if (s.targets.size() != s.operands.size()) broken("it has not as many operands as targets");
      for (size_t i = 0; i < s.targets.size(); ++i) target(s, i, s.operands[i].width());
    }
    if (s.kind == Kind::ThreadLocal && (s.object >= program_.objects.size() || !program_.objects[s.object].thread_local_))
      broken("its object is no thread-local one");
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

  /// Statements that access `width` bits.
  void access(const Statement& s) {
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
