#include "semantics/demand.h"

namespace whittle::semantics {

using program::Kind;
using program::Statement;
using verdict::Property;

std::vector<Demand> demands(const Statement& s) {
  std::vector<Demand> list;
  for (const Access& access : accesses(s)) list.push_back({Demand::Kind::Access, Property::ValidDeref, access});
  switch (s.kind) {
    case Kind::Check: list.push_back({Demand::Kind::Condition, s.property, {}}); break;
    case Kind::Await: list.push_back({Demand::Kind::Progress, Property::NoDeadlock, {}}); break;
    case Kind::IndirectCall:
    case Kind::Spawn: list.push_back({Demand::Kind::Function, Property::ValidDeref, {}}); break;
    case Kind::HeapFree: list.push_back({Demand::Kind::Free, Property::ValidFree, {}}); break;
    case Kind::Error: list.push_back({Demand::Kind::Unreachable, s.property, {}}); break;
    case Kind::Unsupported: list.push_back({Demand::Kind::Supported, {}, {}}); break;
    default: break;
  }
  return list;
}

bool calls_error(const program::Program& program, const verdict::Specification& specification, const Statement& s) {
  return s.kind == Kind::Call && specification.has(Property::UnreachCall) &&
         specification.error_functions.contains(program.functions[s.callee].name);
}

bool fits(const program::Function& caller, const Statement& call, const program::Function& callee) {
  if (callee.parameter_count > call.operands.size() - 1) return false;
  const bool takes_result = call.kind != Kind::Spawn && !call.targets.empty();
  if (takes_result && caller.registers[call.targets[0]].width() != callee.return_width) return false;
  for (uint32_t i = 0; i < callee.parameter_count; ++i)
    if (callee.registers[i].width() != call.operands[i + 1].width()) return false;
  return true;
}

Treatment treatment(const verdict::Specification& specification, Property property) {
  if (specification.has(property)) return Treatment::Violation;
  switch (property) {
    case Property::NoOverflow:      // wraps around
    case Property::LockDiscipline:  // the model goes on
    case Property::NoDeadlock: return Treatment::Ignored;
    case Property::UnreachCall: return Treatment::Halts;
    default: return Treatment::Cut;
  }
}

bool in_static_object(const program::Program& program, uint64_t address, uint64_t bytes, unsigned align, bool write) {
  auto id = program.object_at(address);
  if (!id) return false;
  const program::Object& object = program.objects[*id];
  return !object.thread_local_ && !(write && object.constant) && address % align == 0 && bytes <= object.size &&
         address - object.address <= object.size - bytes;
}

bool always_met(const program::Program& program, const Statement& s, const Demand& demand) {
  switch (demand.kind) {
    case Demand::Kind::Condition: return s.operands[0].is_true();
    case Demand::Kind::Free: return s.operands[0].is_constant(0);
    case Demand::Kind::Function: return s.operands[0].is_constant() && program.function_at(s.operands[0].value64());
    case Demand::Kind::Access: {
      const Access& access = demand.access;
      if (!access.fixed(s)) return false;
      const uint64_t size = access.size(s);
      if (size == 0) return true;
      if (!s.operands[access.address].is_constant()) return false;
      return in_static_object(program, s.operands[access.address].value64(), size, access.align, access.write);
    }
    default: return false;
  }
}

}  // namespace whittle::semantics
