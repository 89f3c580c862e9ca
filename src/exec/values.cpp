#include "exec/values.h"

#include <fmt/format.h>

#include <bit>

namespace whittle::exec {

using program::Type;
using program::TypeId;

namespace {

std::string decimal(u128 value) {
  if (value == 0) return "0";
  std::string digits;
  for (; value != 0; value /= 10)
    digits.insert(digits.begin(), static_cast<char>('0' + static_cast<unsigned>(value % 10)));
  return digits;
}

std::string signed_decimal(u128 value, unsigned width) {
  i128 v = sign_extend128(value, width);
  return v < 0 ? "-" + decimal(u128{0} - static_cast<u128>(v)) : decimal(static_cast<u128>(v));
}

std::string pointer(const Machine& machine, uint64_t value) {
  if (value == 0) return "null";
  if (auto function = machine.code().program().function_at(value))
    return machine.code().program().functions[*function].name;
  auto object = machine.object_at(value);
  if (!object) return fmt::format("{:#x}", value);
  std::string name = object->kind == ObjectInfo::Kind::Heap ? object->name : "&" + object->name;
  return value == object->address ? name : fmt::format("{} + {}", name, value - object->address);
}

}  // namespace

std::string format_value(const Machine& machine, u128 value, unsigned width, TypeId id) {
  const Type& type = machine.code().program().types[id];
  switch (type.kind) {
    case Type::Kind::Bool: return value == 0 ? "false" : "true";
    case Type::Kind::Integer: return type.is_signed ? signed_decimal(value, width) : decimal(value);
    case Type::Kind::Float:
      if (width == 32) return fmt::format("{}", std::bit_cast<float>(static_cast<uint32_t>(value)));
      if (width == 64) return fmt::format("{}", std::bit_cast<double>(static_cast<uint64_t>(value)));
      break;
    case Type::Kind::Pointer: return pointer(machine, static_cast<uint64_t>(value));
    case Type::Kind::Enum:
      for (const auto& [name, number] : type.enumerators)
        if ((static_cast<u128>(static_cast<i128>(number)) & mask128(width)) == value) return name;
      break;
    default: break;
  }
  return signed_decimal(value, width);
}

PlaceName name_place(const Machine& machine, uint64_t address, uint64_t size) {
  const program::Program& program = machine.code().program();
  auto object = machine.object_at(address);
  if (!object) return {fmt::format("*({:#x})", address), program::kNoType};
  uint64_t offset = address - object->address;
  TypeId type = program::kNoType;
  if (object->kind == ObjectInfo::Kind::Static)
    if (auto id = program.object_at(object->address)) type = program.objects[*id].type;
  std::string text = object->name;
  while (type != program::kNoType) {
    const Type& t = program.types[type];
    if (t.kind == Type::Kind::Array && t.element != program::kNoType && program.types[t.element].size != 0) {
      uint64_t element = program.types[t.element].size;
      if (size > element) break;
      text += fmt::format("[{}]", offset / element);
      offset %= element;
      type = t.element;
      continue;
    }
    if (t.kind != Type::Kind::Struct && t.kind != Type::Kind::Union) break;
    const Type::Field* inside = nullptr;
    for (const Type::Field& field : t.fields) {
      uint64_t begin = field.bit_offset / 8, length = program.types[field.type].size;
      if (field.bit_width == 0 && begin <= offset && offset + size <= begin + length) {
        inside = &field;
        break;
      }
    }
    if (!inside) break;
    text += "." + inside->name;
    offset -= inside->bit_offset / 8;
    type = inside->type;
  }
  bool exact = type != program::kNoType && offset == 0 && program.types[type].size == size;
  if (offset != 0) text += fmt::format(" + {}", offset);
  return {text, exact ? type : program::kNoType};
}

}  // namespace whittle::exec
