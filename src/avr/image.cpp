// Intel .hex, and what both formats share.
#include "avr/image.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "base/error.h"

namespace whittle::avr {

namespace {

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::vector<uint8_t> hex_record(std::string_view line, const std::string& path, int number) {
  std::vector<uint8_t> bytes;
  if (line.size() < 11 || line.size() % 2 == 0) fail_input("{}:{}: not a record of Intel hex", path, number);
  for (size_t i = 1; i + 1 < line.size(); i += 2) {
    int high = hex_digit(line[i]), low = hex_digit(line[i + 1]);
    if (high < 0 || low < 0) fail_input("{}:{}: not a hexadecimal digit", path, number);
    bytes.push_back(uint8_t(high * 16 + low));
  }
  uint8_t sum = 0;
  for (uint8_t b : bytes) sum = uint8_t(sum + b);
  if (bytes.size() != size_t(bytes[0]) + 5) fail_input("{}:{}: record of the wrong length", path, number);
  if (sum != 0) fail_input("{}:{}: wrong checksum", path, number);
  return bytes;
}

std::string describe_inside(const Names& names, int type_index, uint32_t offset) {
  if (type_index < 0) return "";
  const Type& type = names.types[size_t(type_index)];
  if (type.kind == TypeKind::Array && type.element >= 0) {
    uint32_t size = std::max<uint32_t>(1, names.types[size_t(type.element)].size);
    return fmt::format("[{}]{}", offset / size, describe_inside(names, type.element, offset % size));
  }
  if (type.kind == TypeKind::Struct) {
    for (const Member& m : type.members) {
      uint32_t size = m.type < 0 ? 1 : std::max<uint32_t>(1, names.types[size_t(m.type)].size);
      if (offset >= m.offset && offset < m.offset + size)
        return fmt::format(".{}{}", m.name, describe_inside(names, m.type, offset - m.offset));
    }
  }
  return "";
}

}  // namespace

Image parse_hex(std::string_view text, const std::string& path, const Device& device) {
  Image image;
  image.path = path;
  uint32_t base = 0;
  int number = 0;
  bool ended = false;
  while (!text.empty() && !ended) {
    size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    ++number;
    while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.remove_suffix(1);
    if (line.empty()) continue;
    if (line[0] != ':') fail_input("{}:{}: a record of Intel hex starts with ':'", path, number);
    std::vector<uint8_t> r = hex_record(line, path, number);
    uint32_t address = uint32_t(r[1] << 8 | r[2]);
    switch (r[3]) {
      case 0:
        for (size_t i = 0; i < r[0]; ++i) {
          uint32_t at = base + address + uint32_t(i);
          if (at >= device.table().flash_bytes)
            fail_input("{}: firmware too large for {}: byte at 0x{:x}, flash ends at 0x{:x}", path, device.name(), at,
                       device.table().flash_bytes);
          if (at >= image.flash.size()) image.flash.resize(at + 1, 0xff);
          image.flash[at] = r[4 + i];
        }
        break;
      case 1: ended = true; break;
      case 2: base = uint32_t(r[4] << 8 | r[5]) << 4; break;
      case 4: base = uint32_t(r[4] << 8 | r[5]) << 16; break;
      case 3:
      case 5: break;  // start addresses mean nothing to an AVR
      default: fail_input("{}:{}: unknown kind of record {}", path, number, r[3]);
    }
  }
  if (!ended) fail_input("{}: no end-of-file record; is the file complete?", path);
  if (image.flash.empty()) fail_input("{}: no firmware in it", path);
  return image;
}

Image load_image(const std::string& path, const Device& device) {
  std::ifstream file(path, std::ios::binary);
  if (!file) fail_input("{}: cannot read it", path);
  std::stringstream text;
  text << file.rdbuf();
  std::string bytes = text.str();
  if (!bytes.starts_with("\x7f"
                         "ELF") &&
      (path.ends_with(".hex") || path.ends_with(".ihex") || bytes.starts_with(':')))
    return parse_hex(bytes, path, device);
  return parse_elf(bytes, path, device);
}

namespace {

const Variable* find_among(const std::vector<Variable>& variables, std::string_view name) {
size_t colons = name.find("::");
  std::string_view scope = colons == std::string_view::npos ? "" : name.substr(0, colons);
  std::string_view last = colons == std::string_view::npos ? name : name.substr(colons + 2);
  const Variable* found = nullptr;
  for (const Variable& v : variables) {
    if (v.name != last) continue;
    if (v.scope == scope) return &v;
    if (scope.empty() && found == nullptr) found = &v;
  }
  return found;
}

}  // namespace

const Variable* Names::find(std::string_view name) const { return find_among(variables, name); }
const Variable* Names::find_in_flash(std::string_view name) const { return find_among(in_flash, name); }

const Function* Names::function_at(uint32_t pc) const {
  auto it =
      std::upper_bound(functions.begin(), functions.end(), pc, [](uint32_t p, const Function& f) { return p < f.pc; });
  if (it == functions.begin()) return nullptr;
  --it;
  return it->words == 0 || pc < it->pc + it->words ? &*it : nullptr;
}

const Function* Names::find_function(std::string_view name) const {
  for (const Function& f : functions)
    if (f.name == name) return &f;
  return nullptr;
}

const LineRow* Names::line_at(uint32_t pc) const {
  auto it = std::upper_bound(lines.begin(), lines.end(), pc, [](uint32_t p, const LineRow& row) { return p < row.pc; });
  if (it == lines.begin()) return nullptr;
  --it;
  return it->line == 0 ? nullptr : &*it;
}

std::vector<std::string> Names::all() const {
  std::vector<std::string> out;
  for (const Variable& v : variables) {
    out.push_back(v.name);
    if (!v.scope.empty()) out.push_back(v.scope + "::" + v.name);
  }
  for (const Variable& v : in_flash) out.push_back(v.scope.empty() ? v.name : v.scope + "::" + v.name);
  for (const auto& [name, value] : constants) out.push_back(name);
  return out;
}

std::string Names::describe(uint16_t address) const {
  for (const Variable& v : variables) {
    uint32_t size = v.type >= 0 ? types[size_t(v.type)].size : v.size;
    if (address < v.address || address >= v.address + std::max<uint32_t>(1, size)) continue;
    std::string name = v.scope.empty() ? v.name : v.scope + "::" + v.name;
    return name + describe_inside(*this, v.type, uint32_t(address - v.address));
  }
  return "";
}

}  // namespace whittle::avr
