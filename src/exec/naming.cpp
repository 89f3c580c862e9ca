#include "exec/naming.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace whittle::exec {

using program::is_character;
using program::is_record;
using program::kNoType;
using program::Type;
using program::TypeId;

namespace {

/// "struct node" is a node.
std::string short_name(const Type& type) {
  for (std::string_view word : {"struct ", "union "})
    if (type.name.starts_with(word)) return type.name.substr(word.size());
  return type.name;
}

}  // namespace

bool is_opaque(const Type& type) {
  if (!is_record(type) || type.fields.empty()) return false;
  return type.fields[0].name.starts_with("__") || std::ranges::all_of(type.fields, [](const Type::Field& field) { return field.name.starts_with('_'); });
}

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
  if (found == known_.end() || (found->second.type != kNoType && !found->second.guessed) || type(pointer).kind != Type::Kind::Pointer) return;
  const TypeId element = type(pointer).element;
  const uint64_t size = type(element).size;
  auto object = machine_.object_at(address);
  if (size == 0 || !object || object->address != address || (object->size < size && !is_opaque(type(element)))) return;
  found->second.guessed = size == 1 && !is_record(type(element));
  found->second.type = element;
}

void Naming::copied(uint64_t to, uint64_t from) {
  const auto source = known_.find(from), target = known_.find(to);
  if (source == known_.end() || target == known_.end() || target->second.type != kNoType) return;
  const auto object = machine_.object_at(to);
  if (!object || object->size < type(source->second.type).size) return;
  target->second.type = source->second.type;
  target->second.guessed = true;
}

void Naming::end_result(uint64_t address) {
  auto found = results_.find(address);
  found->second.pop_back();
  if (found->second.empty()) results_.erase(found);
}

const Naming::Result* Naming::result(const ObjectInfo& object) const {
  const auto found = results_.find(object.address);
  if (found == results_.end() || found->second.back().name.empty()) return nullptr;
  return type(found->second.back().type).size == object.size ? &found->second.back() : nullptr;
}

TypeId Naming::type_of(const ObjectInfo& object) const {
  if (const Result* it = result(object)) return it->type;
  if (object.kind == ObjectInfo::Kind::Static) {
    auto id = program_.object_at(object.address);
    return id ? program_.objects[*id].type : kNoType;
  }
  auto found = known_.find(object.address);
  return found == known_.end() ? kNoType : found->second.type;
}

std::string Naming::name(const ObjectInfo& object) const {
  if (const Result* it = result(object)) return it->name;
  if (object.kind == ObjectInfo::Kind::Static)
    if (auto id = program_.object_at(object.address)) return source_name(program_.objects[*id]);
  auto found = known_.find(object.address);
  if (object.kind != ObjectInfo::Kind::Heap || found == known_.end() || found->second.number == 0) {
    std::string own = machine_.object_name(object.address);
    return own.starts_with(".compoundliteral") ? "compound literal" : own;
  }
  const Type& it = type(found->second.type);
  const std::string what = is_record(it) ? short_name(it) : "";
  return fmt::format("{} #{}", what.empty() ? "heap object" : what, found->second.number);
}

bool Naming::is_errno(const ObjectInfo& object) const {
  if (object.kind != ObjectInfo::Kind::Static && object.kind != ObjectInfo::Kind::ThreadLocal) return false;
  const auto id = program_.object_at(object.address);
  return (!id || program_.objects[*id].runtime) && name(object) == "errno";
}

std::string Naming::pointer(uint64_t value, TypeId element) const {
  if (value == 0) return "null";
  if (auto function = program_.function_at(value)) return source_name(program_.functions[*function]);
  auto object = machine_.object_near(value);
  if (!object) return fmt::format("{:#x}", value);
  const bool heap = object->kind == ObjectInfo::Kind::Heap;
  const uint64_t end = object->address + object->size;
  if (value < object->address || value > end) {
    const uint64_t away = value < object->address ? object->address - value : value - end;
    return fmt::format("{} byte{} {} {}", away, away == 1 ? "" : "s", value < object->address ? "before" : "past the end of", name(*object));
  }
  if (object->constant && object->kind == ObjectInfo::Kind::Static && name(*object).starts_with('.')) {  // of a literal
    const uint64_t unit = is_character(type(element)) ? type(element).size : 1;
    if (type(element).size == unit || begins_with_text(value)) return text_at(value, (end - value) / unit, type(element));
  }
  if (object->kind == ObjectInfo::Kind::Static && is_character(type(element)))  // a text that belongs to the library
    if (const auto id = program_.object_at(object->address); id && program_.objects[*id].runtime)
      return begins_with_text(value) ? text_at(value, (end - value) / type(element).size, type(element)) : "a text of the library";
  const bool first = is_array_of(type_of(*object), element);  // "&buf[0]", as "&buf[1]"
  const bool bytes = type(element).size == 0 && type(type_of(*object)).kind == Type::Kind::Array;  // `void *` to an array
  if (value == object->address && !first) return (heap ? "" : "&") + name(*object) + (bytes && !heap ? "[0]" : "");
  if (value - object->address == object->size) return fmt::format("the end of {}", name(*object));
  if (type(element).size == 0)
    if (const std::string whole = outermost(*object, value - object->address); !whole.empty()) return "&" + whole;
  std::string inside = place(value, std::max<uint64_t>(1, type(element).size)).text;
  if (inside.starts_with("byte")) {  // several elements of an array of bytes
    const std::string first_byte = place(value, 1).text;
    inside = first_byte;
    if (inside.starts_with("byte")) return inside;
  }
  inside.insert(0, "&");
  return inside;
}

bool Naming::is_array_of(TypeId id, TypeId element) const {
  if (element == kNoType || type(id).kind != Type::Kind::Array) return false;
  while (type(id).kind == Type::Kind::Array) {
    id = type(id).element;
    if (id == element) return true;
  }
  // A struct may be there twice, by its tag and by its typedef.
  return is_record(type(id)) && is_record(type(element)) && type(id).size == type(element).size;
}

std::string Naming::outermost(const ObjectInfo& object, uint64_t offset) const {
  std::string text = name(object);
  TypeId id = type_of(object);
  if (const uint64_t part = type(id).size; object.kind == ObjectInfo::Kind::Heap && part != 0 && object.size >= 2 * part) {
    text += fmt::format("[{}]", offset / part);
    offset %= part;
  }
  while (offset != 0) {
    const Type& it = type(id);
    const uint64_t element = type(it.element).size;
    if (it.kind == Type::Kind::Array && element != 0) {
      text += fmt::format("[{}]", offset / element);
      offset %= element;
      id = it.element;
      continue;
    }
    const auto inside = std::ranges::find_if(it.fields, [&](const Type::Field& field) {
      return field.bit_width == 0 && !field.name.empty() && field.bit_offset / 8 <= offset && offset < field.bit_offset / 8 + type(field.type).size;
    });
    if (inside == it.fields.end()) return "";
    text += "." + inside->name;
    offset -= inside->bit_offset / 8;
    id = inside->type;
  }
  return text;
}

/// What malloc returned for several elements is used as an array: `p[0]`, not `*p`.
bool Naming::begins_array(const ObjectInfo& object, uint64_t address, uint64_t element) const {
  return object.kind == ObjectInfo::Kind::Heap && object.address == address && object.size >= 2 * element;
}

std::string Naming::part_of(const Through& through, const std::string& inside) const {
  if (inside.empty()) return through.object ? through.name : "*" + through.name;
  return through.object || !inside.starts_with('.') ? through.name + inside : through.name + "->" + inside.substr(1);
}

program::Innermost Naming::innermost(const Through& through, uint64_t address, uint64_t size, program::Kinds wanted) const {
  const TypeId id = pointee(through);
  const uint64_t element = type(id).size;
  auto pointed = machine_.object_at(through.value);
  if (!through.name.empty() && element != 0 && pointed && address >= through.value && address - pointed->address < pointed->size) {
    const bool flexible = program::is_flexible(program_, type(id));
    const uint64_t index = flexible ? 0 : (address - through.value) / element;
    if (index == 0 && is_record(type(id)) && (flexible || address + size <= through.value + element)) {
      program::Innermost found = program::innermost(program_, "", id, address - through.value, size, false, wanted);
      found.text = part_of(through, found.text);
      return found;
    }
    program::Innermost found = program::innermost(program_, fmt::format("{}[{}]", through.name, index), id,
                                                  (address - through.value) % element, size, false, wanted);
    if (index == 0 && found.text == through.name + "[0]" && element == size && !begins_array(*pointed, through.value, element))
      found.text = "*" + through.name;
    return found;
  }
  auto object = machine_.object_at(address);
  if (!object) return {fmt::format("*({:#x})", address), kNoType, 0};
  uint64_t offset = address - object->address;
  std::string text = name(*object);
  const TypeId own = type_of(*object);
  const uint64_t part = type(own).size;
  if (object->kind == ObjectInfo::Kind::Heap && part != 0 && object->size >= 2 * part && size <= part && !program::is_flexible(program_, type(own))) {
    text += fmt::format("[{}]", offset / part);
    offset %= part;
  }
  return program::innermost(program_, std::move(text), own, offset, size, false, wanted);
}

/// Characters, and the zero after them.
static bool is_text(std::span<const uint8_t> bytes) {
  return bytes.back() == 0 && std::ranges::all_of(bytes.first(bytes.size() - 1), [](uint8_t byte) { return byte >= ' ' && byte <= '~'; });
}
/// "v[3..5]"
static std::string range_name(const std::string& array, uint64_t offset, uint64_t size, uint64_t element) {
  return fmt::format("{}[{}..{}]", array, offset / element, (offset + size) / element - 1);
}
/// "p->flags" of "*p".
static std::string member(const std::string& of, const std::string& field) {
  return of.starts_with('*') ? of.substr(1) + "->" + field : of + "." + field;
}

std::optional<Naming::Elements> Naming::elements(const Through& through, uint64_t address, uint64_t size) const {
  auto fits = [&](TypeId element, uint64_t begin) {
    const uint64_t one = type(element).size;
    return one != 0 && size > one && size % one == 0 && address >= begin && (address - begin) % one == 0 &&
           !program::is_flexible(program_, type(element));
  };
  const auto object = machine_.object_at(address);
  if (!object) return std::nullopt;
  if (!through.name.empty() && type(through.type).kind == Type::Kind::Pointer) {
    const TypeId element = type(through.type).element;
    const auto pointed = machine_.object_at(through.value);
    if (!pointed || pointed->address != object->address || !fits(element, through.value)) return std::nullopt;
    return Elements{through.name, element, (address - through.value) / type(element).size};
  }
  const TypeId element = type_of(*object);
  if (object->kind != ObjectInfo::Kind::Heap || !fits(element, object->address)) return std::nullopt;
  return Elements{name(*object), element, (address - object->address) / type(element).size};
}

static bool has_end(std::span<const uint8_t> text, uint64_t unit) {
  for (; text.size() >= unit; text = text.subspan(unit))
    if (std::ranges::all_of(text.first(unit), [](uint8_t byte) { return byte == 0; })) return true;
  return false;
}

/// "buf = \"abc\"", "v[3..5] = {1, 2, 3}".
std::optional<verdict::Change> Naming::several(const Through& through, uint64_t address, uint64_t size) const {
  const auto named = elements(through, address, size);
  if (!named) return std::nullopt;
  const auto known = elements({}, address, size);
  const auto object = machine_.object_at(address);
  const uint64_t one = type(named->type).size;
  const Elements own = known ? *known : Elements{name(*object), named->type, (address - object->address) / one};
  std::vector<uint8_t> bytes(size);
  const bool text = is_character(type(named->type)) && machine_.read_memory(address, bytes);
  auto called = [&](const Elements& it) {
    if (text && it.first == 0 && has_end(bytes, one)) return it.array;
    return range_name(it.array, it.first * one, size, one);
  };
  return verdict::Change{called(*named), array(address, named->type, size / one), called(own)};
}

std::vector<verdict::Change> Naming::changes(const Through& through, uint64_t address, std::span<const uint8_t> before, const Stored& stored) const {
  std::vector<verdict::Change> all = all_changes(through, address, before, stored);
  std::erase_if(all, [](const verdict::Change& change) { return change.value == kOpaque || change.place.find("__jmpbuf") != std::string::npos; });
  return all;
}

std::vector<verdict::Change> Naming::all_changes(const Through& through, uint64_t address, std::span<const uint8_t> before, const Stored& stored) const {
  const uint64_t size = before.size();
  const auto pointed = machine_.object_at(address);
  if (pointed && pointed->kind == ObjectInfo::Kind::Heap)
    if (auto change = several(through, address, size)) return {*change};
  const program::Innermost named = innermost(through, address, size, stored.kinds), own = innermost({}, address, size, stored.kinds);
  const Type& it = type(named.type);
  const bool whole = named.type != kNoType && named.offset == 0 && it.size == size;
  const uint64_t begin = address - named.offset;  // of the innermost object
  const bool beyond = is_record(it) && named.offset >= it.size && !program::is_flexible(program_, it);  // what was allocated after it
  if (is_record(it) && !beyond && (!whole || stored.bits)) {
    std::vector<verdict::Change> fields;
    std::vector<uint8_t> after(size);
    if (!read(address, after)) return {};
    auto differs = [&](uint64_t i) { return ((before[i / 8] ^ after[i / 8]) >> i % 8 & 1) != 0; };
    for (const Type::Field& field : it.fields) {
      bool changed = false;
      for (uint64_t i = field.bit_offset; i < field.bit_offset + field.bit_width; ++i) {
        if (i / 8 < named.offset || i / 8 >= named.offset + size) continue;
        const uint64_t at = i - named.offset * 8;
        changed = changed || (stored.bits ? (*stored.bits >> at & 1) != 0 : differs(at));
      }
      if (changed) fields.push_back({member(named.text, field.name), bit_field(begin, field), member(own.text, field.name)});
    }
    const bool bit_fields = std::ranges::any_of(it.fields, [&](const Type::Field& field) {
      return field.bit_width != 0 && field.bit_offset / 8 < named.offset + size && field.bit_offset + field.bit_width > named.offset * 8;
    });
    if (bit_fields) return fields;
    return {{named.text, record(begin, it, named.offset, size), own.text}};
  }
  if ((is_record(it) && !beyond) || (it.kind == Type::Kind::Array && size > type(it.element).size)) {
    const bool characters = it.kind == Type::Kind::Array && is_character(type(it.element));
    if (whole || characters) return {{named.text, contents(begin, named.type), own.text}};
    if (it.kind == Type::Kind::Array && type(it.element).size != 0 && named.offset % type(it.element).size == 0)
      return {{range_name(named.text, named.offset, size, type(it.element).size),
               array(address, it.element, size / type(it.element).size), range_name(own.text, own.offset, size, type(it.element).size)}};
    if (it.kind == Type::Kind::Array && is_record(type(it.element))) {  // parts of several elements
      std::vector<verdict::Change> parts;
      const uint64_t element = type(it.element).size;
      for (uint64_t at = 0, end = 0; at < size; at = end) {
        end = std::min(size, ((named.offset + at) / element + 1) * element - named.offset);
        std::vector<verdict::Change> part = all_changes(through, address + at, before.subspan(at, end - at), stored);
        parts.insert(parts.end(), part.begin(), part.end());
      }
      return parts;
    }
  }
  if (size > 16) {
    if ((named.type != kNoType && !is_character(it)) || !begins_with_text(address)) return {};
    return {{named.text, text_at(address, size, type(kNoType)), own.text}};
  }
  u128 value = 0;
  if (!read(address, {reinterpret_cast<uint8_t*>(&value), size})) return {};
  if (named.type == kNoType && size > 1 && is_text(std::span(reinterpret_cast<const uint8_t*>(&value), size)))
    return {{named.text, text_at(address, size, type(kNoType)), own.text}};
  const auto seen = place(through, address, size, stored.kinds);
  const PlaceName place_name = seen ? *seen : place(address, size, stored.kinds);
  if (pointed && is_errno(*pointed) && value != 0)
    if (const char* error = strerrorname_np(static_cast<int>(value))) return {{place_name.text, error, place_name.text}};
  return {{place_name.text, this->value(value, static_cast<unsigned>(size * 8), place_name.type), place(address, size, stored.kinds).text}};
}

PlaceName Naming::place(uint64_t address, uint64_t size, program::Kinds wanted) const {
  auto object = machine_.object_at(address);
  if (!object) return {fmt::format("*({:#x})", address), kNoType};
  uint64_t offset = address - object->address;
  std::string text = name(*object);
  const TypeId id = type_of(*object);
  const uint64_t element = type(id).size;
  const bool array = element != 0 && object->size >= 2 * element && !program::is_flexible(program_, type(id));
  if (object->kind == ObjectInfo::Kind::Heap && array) {
    text += fmt::format("[{}]", offset / element);
    offset %= element;
  }
  return exact(program::innermost(program_, std::move(text), id, offset, size, true, wanted), size);
}

std::string Naming::place_name(const ObjectInfo& object) const {
  const auto id = object.kind == ObjectInfo::Kind::Static ? program_.object_at(object.address) : std::nullopt;
  if (!id || program_.objects[*id].source_name.empty()) return name(object);
  const program::Object& it = program_.objects[*id];
  const size_t local = it.name.find('.' + it.source_name);  // "f.count"
  const uint32_t file = it.position.file;
  const std::string where = local != std::string::npos && local > 0 ? it.name.substr(0, local) : file < program_.files.size() ? program_.files[file] : "";
  return where.empty() ? it.name : fmt::format("{} ({})", it.source_name, where);
}

/// What is only part of something is told by its bytes.
PlaceName Naming::exact(const program::Innermost& found, uint64_t size) const {
  if (found.type != kNoType && found.offset == 0 && type(found.type).size == size) return {found.text, found.type};
  if (found.offset == 0) return {found.text, kNoType};
  if (size == 1) return {fmt::format("byte {} of {}", found.offset, found.text), kNoType};
  return {fmt::format("bytes {} to {} of {}", found.offset, found.offset + size - 1, found.text), kNoType};
}

std::optional<PlaceName> Naming::place(const Through& through, uint64_t address, uint64_t size, program::Kinds wanted) const {
  if (through.name.empty() || (!through.object && type(through.type).kind != Type::Kind::Pointer)) return std::nullopt;
  const TypeId id = pointee(through);
  const uint64_t element = type(id).size;
  auto object = machine_.object_at(through.value);
  if (element == 0 || !object || address < through.value || address - object->address >= object->size) return std::nullopt;
  const bool flexible = program::is_flexible(program_, type(id));
  const uint64_t index = flexible ? 0 : (address - through.value) / element, offset = address - through.value - index * element;
  if (index == 0 && is_record(type(id))) {
    const program::Innermost found = program::innermost(program_, "", id, offset, size, true, wanted);
    if (!found.text.starts_with('.')) return std::nullopt;
    return exact({part_of(through, found.text), found.type, found.offset}, size);
  }
  if (index == 0 && offset == 0 && element == size && !is_record(type(id)) && !begins_array(*object, through.value, element)) return PlaceName{"*" + through.name, id};
  return exact(program::innermost(program_, fmt::format("{}[{}]", through.name, index), id, offset, size, true, wanted), size);
}

}  // namespace whittle::exec
