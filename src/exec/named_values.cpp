// Values as a C programmer writes them; naming.cpp has the names of places.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <optional>

#include "exec/naming.h"

namespace whittle::exec {

using program::is_character;
using program::is_record;
using program::Type;
using program::TypeId;
using program::kNoType;

namespace {

constexpr uint64_t kTextLength = 40;  ///< characters of a text that are shown
constexpr uint64_t kElements = 8;    ///< of an array or a struct

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

/// What stands before the quotes of a character or text of this type.
const char* prefix(const Type& it) { return it.size == 1 ? "" : it.size == 2 ? "u" : it.is_signed ? "L" : "U"; }

/// A character inside of quotes; nothing if it cannot be seen.
std::optional<std::string> visible(uint64_t code, char quote) {
  if (code == '\n') return "\\n";
  if (code == '\t') return "\\t";
  if (code == '\r') return "\\r";
  if (code == static_cast<uint64_t>(quote) || code == '\\') return fmt::format("\\{}", static_cast<char>(code));
  if (code >= ' ' && code <= '~') return std::string(1, static_cast<char>(code));
  constexpr uint64_t kFirst = 0xa1, kSurrogates = 0xd800, kAfterSurrogates = 0xe000, kLast = 0x10ffff;
  if (code < kFirst || code > kLast || (code >= kSurrogates && code < kAfterSurrogates)) return std::nullopt;
  return code <= 0xffff ? fmt::format("\\u{:04x}", code) : fmt::format("\\U{:08x}", code);
}

/// "'x'", "L'\u00e9'"; nothing if the number says more.
std::optional<std::string> character(u128 value, const Type& it) {
  const auto code = static_cast<uint64_t>(value & mask128(static_cast<unsigned>(8 * it.size)));
  if (it.size == 1 && code > '~') return std::nullopt;
  const std::optional<std::string> inside = visible(code, '\'');
  return inside ? std::optional(fmt::format("{}'{}'", prefix(it), *inside)) : std::nullopt;
}

}  // namespace

/// Nothing lives that low.
constexpr uint64_t kAside = 16;

bool Naming::read(uint64_t address, std::span<uint8_t> bytes) const {
  if (address < kAside || address >= program::layout::kNullEnd) return machine_.read_memory(address, bytes);
  const uint64_t offset = address - kAside;
  if (offset + bytes.size() > aside_.size()) return false;
  std::ranges::copy(aside_.subspan(offset, bytes.size()), bytes.begin());
  return true;
}

bool Naming::initialised(uint64_t address, uint64_t size) const {
  if (address < kAside || address >= program::layout::kNullEnd) return machine_.initialised(address, size);
  return address - kAside + size <= aside_.size();
}

std::string Naming::contents(std::span<const uint8_t> bytes, TypeId id) const {
  aside_ = bytes;
  std::string text = contents(kAside, id);
  aside_ = {};
  return text;
}

std::string Naming::value(u128 value, unsigned width, TypeId id) const {
  const Type& it = type(id);
  switch (it.kind) {
    case Type::Kind::Bool: return value == 0 ? "false" : "true";
    case Type::Kind::Integer:
      if (is_character(it))
        if (const auto text = character(value, it)) return *text;
      // "uintptr_t": the number, and what is there.
      if (it.name.find("intptr") != std::string::npos && machine_.object_at(static_cast<uint64_t>(value)))
        return fmt::format("{} ({})", decimal(value), pointer(static_cast<uint64_t>(value), kNoType));
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

/// A text in memory, up to its end, at most `count` characters of the type.
std::string Naming::text_at(uint64_t address, uint64_t count, const Type& it) const {
  const uint64_t unit = is_character(it) ? it.size : 1;
  std::string text = std::string(unit == 1 ? "" : prefix(it)) + "\"";
  for (uint64_t i = 0;; ++i) {
    uint32_t code = 0;
    const uint64_t at = address + i * unit;
    if (i == count || !read(at, {reinterpret_cast<uint8_t*>(&code), unit})) return text + "\"";
    if (!initialised(at, unit)) return i == 0 ? "?" : text + "\" ?";
    if (code == 0) return text + "\"";
    if (i == kTextLength) return text + "\"...";
    const std::optional<std::string> seen = unit == 1 && code > '~' ? std::nullopt : visible(code, '"');
    text += seen ? *seen : code <= 0777 ? fmt::format("\\{:03o}", code) : fmt::format("\\x{:x}", code);
  }
}

std::string Naming::array(uint64_t address, TypeId element, uint64_t count) const {
  const Type& it = type(element);
  if (is_character(it)) return text_at(address, count, it);
  std::string text;
  for (uint64_t i = 0; i < count; ++i) {
    if (i == kElements) return "{" + text + ", ...}";
    text += (i == 0 ? "" : ", ") + contents(address + i * it.size, element);
  }
  return "{" + text + "}";
}

std::string Naming::bit_field(uint64_t record, const Type::Field& field) const {
  u128 bits = 0;
  const uint64_t begin = field.bit_offset / 8, end = (field.bit_offset + field.bit_width + 7) / 8;
  if (!read(record + begin, {reinterpret_cast<uint8_t*>(&bits), end - begin})) return "?";
  return value(bits >> field.bit_offset % 8 & mask128(field.bit_width), field.bit_width, field.type);
}

/// Is something of the type there?
bool Naming::points_to(uint64_t address, TypeId id) const {
  const auto object = machine_.object_at(address);
  if (!object || type(id).size == 0) return false;
  if (is_character(type(id)) && object->constant && name(*object).starts_with('.')) return true;  // a literal
  const TypeId there = innermost({}, address, type(id).size, program::kAnyKind).type;
  return there != kNoType && (there == id || (is_record(type(there)) && type(there).name == type(id).name));
}

int Naming::sense(uint64_t address, const Type::Field& field) const {
  const Type& it = type(field.type);
  const uint64_t at = address + field.bit_offset / 8;
  if (!initialised(at, std::max<uint64_t>(1, it.size))) return 0;
  if (it.kind == Type::Kind::Struct && field.bit_width == 0) {  // as much as its worst member
    int worst = 1;
    for (const Type::Field& inner : it.fields)
      if (inner.bit_width == 0) worst = std::min(worst, sense(at, inner));
    return worst;
  }
  uint64_t bits = 0;
  if (it.size > sizeof bits || !read(at, {reinterpret_cast<uint8_t*>(&bits), it.size})) return 1;
  if (it.kind == Type::Kind::Pointer && bits != 0) return points_to(bits, it.element) ? 3 : program_.function_at(bits) || machine_.object_at(bits) ? 2 : 0;
  return it.kind != Type::Kind::Float || is_usual(bits, field.type) ? 1 : 0;
}

bool Naming::is_usual(u128 bits, TypeId number) const {
  const uint64_t size = type(number).size;
  if (bits == 0 || size > sizeof(double)) return true;
  return size == sizeof(float) ? std::isnormal(std::bit_cast<float>(static_cast<uint32_t>(bits))) : std::isnormal(std::bit_cast<double>(static_cast<uint64_t>(bits)));
}

/// The members that have a byte in the piece.
std::string Naming::record(uint64_t address, const Type& it, uint64_t offset, uint64_t size) const {
  if (is_opaque(it)) return std::string(kOpaque);
  std::string text;
  size_t count = 0;
  // Of a union, members that make sense hide those that do not.
  int best = 0;
  for (const Type::Field& field : it.fields)
    if (it.kind == Type::Kind::Union) best = std::max(best, sense(address, field));
  for (const Type::Field& field : it.fields) {
    const uint64_t begin = field.bit_offset / 8;
    uint64_t end = field.bit_width != 0 ? (field.bit_offset + field.bit_width + 7) / 8 : begin + type(field.type).size;
    const bool open = &field == &it.fields.back() && program::is_flexible(program_, it);
    if (open) end = offset + size;
    if (end <= offset || begin >= offset + size || (best != 0 && sense(address, field) != best)) continue;
    if (count++ == kElements) return "{" + text + ", ...}";
    const TypeId element = type(field.type).element;
    std::string inside = field.bit_width != 0 ? bit_field(address, field)
                               : open && type(element).size != 0 ? array(address + begin, element, (end - begin) / type(element).size)
                                                                 : contents(address + begin, field.type);
    if (field.name.empty() && is_record(type(field.type)) && inside.starts_with('{')) inside = inside.substr(1, inside.size() - 2);  // its members are ours
    text += (count == 1 ? "" : ", ") + (field.name.empty() ? inside : field.name + " = " + inside);
  }
  return "{" + text + "}";
}

std::string Naming::contents(uint64_t address, TypeId id) const {
  const Type& it = type(id);
  if (it.kind == Type::Kind::Array) return array(address, it.element, it.count);
  if (is_record(it)) return record(address, it, 0, it.size);
  u128 value = 0;
  if (it.size == 0 || it.size > 16 || !initialised(address, it.size) ||
      !read(address, {reinterpret_cast<uint8_t*>(&value), it.size}))
    return "?";
  return this->value(value, static_cast<unsigned>(it.size * 8), id);
}

bool Naming::begins_with_text(uint64_t address) const {
  uint8_t byte = 0;
  for (uint64_t i = 0; i < kTextLength && read(address + i, {&byte, 1}) && byte != 0; ++i)
    if (byte >= 127 || (byte < ' ' && byte != '\n' && byte != '\t')) return false;
  return true;
}

}  // namespace whittle::exec
