#include "exec/naming.h"

#include <fmt/format.h>

#include <bit>
#include <cstring>

namespace whittle::exec {

using program::is_record;
using program::kNoType;
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

/// "struct node" is a node.
std::string short_name(const Type& type) {
  for (std::string_view word : {"struct ", "union "})
    if (type.name.starts_with(word)) return type.name.substr(word.size());
  return type.name;
}

}  // namespace

void Naming::made(uint64_t address, bool heap, TypeId pointer) {
  Known& known = known_[address] = {};
  if (heap) known.number = ++heap_objects_;
  if (type(pointer).kind == Type::Kind::Pointer) known.type = type(pointer).element;
}

void Naming::freed(uint64_t address, std::string where) {
  if (auto found = known_.find(address); found != known_.end()) found->second.freed_at = std::move(where);
}

std::string Naming::freed_at(uint64_t address) const {
  auto object = machine_.object_at(address);
  if (!object || object->alive) return "";
  auto found = known_.find(object->address);
  return found == known_.end() ? "" : found->second.freed_at;
}

void Naming::pointed(uint64_t address, TypeId pointer) {
  auto found = known_.find(address);
  if (found == known_.end() || found->second.type != kNoType || type(pointer).kind != Type::Kind::Pointer) return;
  const TypeId element = type(pointer).element;
  const uint64_t size = type(element).size;
  auto object = machine_.object_at(address);
  if (size == 0 || !object || object->address != address || object->size < size) return;
  // malloc's bytes seen as characters may become something else later.
  if (size == 1 && !is_record(type(element))) return;
  found->second.type = element;
}

TypeId Naming::type_of(const ObjectInfo& object) const {
  if (object.kind == ObjectInfo::Kind::Static) {
    auto id = program_.object_at(object.address);
    return id ? program_.objects[*id].type : kNoType;
  }
  auto found = known_.find(object.address);
  return found == known_.end() ? kNoType : found->second.type;
}

std::string Naming::name(const ObjectInfo& object) const {
  auto found = known_.find(object.address);
  if (object.kind != ObjectInfo::Kind::Heap || found == known_.end() || found->second.number == 0)
    return machine_.object_name(object.address);
  const Type& it = type(found->second.type);
  const std::string what = is_record(it) ? short_name(it) : "";
  return fmt::format("{} #{}", what.empty() ? "heap object" : what, found->second.number);
}

std::string Naming::pointer(uint64_t value, TypeId element) const {
  if (value == 0) return "null";
  if (auto function = program_.function_at(value)) return program_.functions[*function].name;
  auto object = machine_.object_near(value);
  if (!object) return fmt::format("{:#x}", value);
  const bool heap = object->kind == ObjectInfo::Kind::Heap;
  const uint64_t end = object->address + object->size;
  if (value < object->address || value > end) {
    const uint64_t away = value < object->address ? object->address - value : value - end;
    return fmt::format("{} byte{} {} {}", away, away == 1 ? "" : "s", value < object->address ? "before" : "past the end of", name(*object));
  }
  if (value == object->address) return (heap ? "" : "&") + name(*object);
  if (value - object->address == object->size) return fmt::format("the end of {}", name(*object));
  return "&" + place(value, std::max<uint64_t>(1, type(element).size)).text;
}

std::string Naming::value(u128 value, unsigned width, TypeId id) const {
  const Type& it = type(id);
  switch (it.kind) {
    case Type::Kind::Bool: return value == 0 ? "false" : "true";
    case Type::Kind::Integer:
      if (it.name == "char" && value >= ' ' && value <= '~') return fmt::format("'{}'", static_cast<char>(value));
      return it.is_signed ? signed_decimal(value, width) : decimal(value);
    case Type::Kind::Float:
      if (width == 32) return fmt::format("{}", std::bit_cast<float>(static_cast<uint32_t>(value)));
      if (width == 64) return fmt::format("{}", std::bit_cast<double>(static_cast<uint64_t>(value)));
      if (width >= 80) {  // x87's, the host's own
        long double wide = 0;
        std::memcpy(&wide, &value, 10);
        return fmt::format("{}", wide);
      }
      break;
    case Type::Kind::Pointer: return pointer(static_cast<uint64_t>(value), it.element);
    case Type::Kind::Enum:
      for (const auto& [name, number] : it.enumerators)
        if ((static_cast<u128>(static_cast<i128>(number)) & mask128(width)) == value) return name;
      break;
    case Type::Kind::Unknown:
      // Objects lie high: a number that is inside of one is hardly anything but its address.
      if (width == program_.pointer_width() && machine_.object_at(static_cast<uint64_t>(value)))
        return pointer(static_cast<uint64_t>(value), kNoType);
      break;
    default: break;
  }
  return signed_decimal(value, width);
}

PlaceName Naming::place(uint64_t address, uint64_t size) const {
  auto object = machine_.object_at(address);
  if (!object) return {fmt::format("*({:#x})", address), kNoType};
  uint64_t offset = address - object->address;
  std::string text = name(*object);
  const TypeId id = type_of(*object);
  const uint64_t element = type(id).size;
  if (object->kind == ObjectInfo::Kind::Heap && element != 0 && object->size >= 2 * element) {  // an array of them
    text += fmt::format("[{}]", offset / element);
    offset %= element;
  }
  return program::place_in(program_, std::move(text), id, offset, size);
}

std::optional<PlaceName> Naming::place(const Through& through, uint64_t address, uint64_t size) const {
  if (through.name.empty() || type(through.type).kind != Type::Kind::Pointer) return std::nullopt;
  const TypeId id = type(through.type).element;
  const uint64_t element = type(id).size;
  auto object = machine_.object_at(through.value);
  if (element == 0 || !object || address < through.value || address - object->address >= object->size) return std::nullopt;
  const uint64_t index = (address - through.value) / element, offset = (address - through.value) % element;
  if (index == 0 && is_record(type(id))) {
    PlaceName named = program::place_in(program_, "", id, offset, size);
    if (!named.text.starts_with('.')) return std::nullopt;
    named.text = through.name + "->" + named.text.substr(1);
    return named;
  }
  if (index == 0 && offset == 0 && element == size && !is_record(type(id))) return PlaceName{"*" + through.name, id};
  return program::place_in(program_, fmt::format("{}[{}]", through.name, index), id, offset, size);
}

}  // namespace whittle::exec
