// Tables of devices from the headers of avr-libc, at build time:  device_headers AVR-GCC OUTPUT.cpp
//
// The compiler is asked for what <avr/io.h> defines for each device. Newer headers define the bits of a register after the
// register, older ones after a comment that ends with its name, or describes it in words: then the bit's name tells, if
// a device with a table of its own has such a bit in a register that is there. Pins that peripherals drive are in no
// header, nor is what a register does: device.cpp is careful with what comes from here (DeviceTable::from_headers).
#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "avr/devices/families.h"

namespace {

// Classic AVRs of avr-gcc whose peripherals device.cpp knows, or that have unknown ones beside them.
constexpr const char* kDevices =
    "atmega8 atmega8a atmega16 atmega16a atmega32 atmega32a atmega64 atmega64a atmega128 atmega128a atmega323 atmega162 "
    "atmega8515 atmega8535 atmega48 atmega48a atmega48p atmega48pa atmega88 atmega88a atmega88p atmega88pa atmega168 "
    "atmega168a atmega168p atmega168pa atmega328 atmega328p atmega328pb atmega164a atmega164p atmega164pa atmega324a atmega324p "
    "atmega324pa atmega644 atmega644a atmega644p atmega644pa atmega1284 atmega1284p atmega640 atmega1280 atmega1281 "
    "atmega2560 atmega2561 atmega128rfa1 atmega256rfr2 atmega165p atmega169p atmega325p atmega329p atmega3290p "
    "atmega645 atmega649 atmega6490 atmega8u2 atmega16u2 atmega32u2 atmega16u4 atmega32u4 at90usb82 at90usb162 at90usb646 at90usb647 at90usb1286 "
    "at90usb1287 at90can32 at90can64 at90can128 attiny13 attiny13a attiny2313 attiny2313a attiny4313 attiny24 attiny24a "
    "attiny25 attiny26 attiny43u attiny44 attiny44a attiny45 attiny48 attiny84 attiny84a attiny85 attiny87 attiny88 attiny167 "
    "attiny261 attiny261a attiny461 attiny461a attiny861 attiny861a attiny441 attiny828 attiny841 attiny1634";

struct Bit {
  std::string name;
  unsigned position;
};
struct Row {
  std::string name;
  unsigned address;
  std::vector<Bit> bits;
};
struct Device {
  std::string name;
  std::vector<Row> registers;  // in the order of the header
  std::map<unsigned, std::vector<std::string>> vectors;
  std::map<std::string, std::string> macros;

  bool has(const std::string& macro) const { return macros.count(macro) != 0; }
  Row* find(const std::string& word) {
    for (Row& row : registers)
      if (row.name == word) return &row;
    return nullptr;
  }
};

std::string run(const std::string& command) {
  std::string out;
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return out;
  char buffer[4096];
  for (size_t n; (n = fread(buffer, 1, sizeof buffer, pipe)) > 0;) out.append(buffer, n);
  return pclose(pipe) == 0 ? out : "";
}

/// The register that a comment names: the last word that is one.
Row* named_in(Device& device, const std::string& comment) {
  Row* found = nullptr;
  std::string word;
  for (char c : comment + " ") {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_') {
      word += c;
      continue;
    }
    if (Row* row = word.size() > 2 ? device.find(word) : nullptr) found = row;
    word.clear();
  }
  return found;
}

/// A number, another macro, or a sum of them; `otherwise` when it is something else.
long value_of(const Device& device, const std::string& name, long otherwise, int depth = 0) {
  auto it = device.macros.find(name);
  if (it == device.macros.end() || depth > 8) return otherwise;
  long sum = 0, sign = 1;
  std::string word;
  for (char c : it->second + " ") {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_') {
      word += c;
      continue;
    }
    if (!word.empty()) {
      bool digits = std::isdigit(static_cast<unsigned char>(word[0])) != 0;
      long value = digits ? std::stol(word, nullptr, 0) : value_of(device, word, otherwise, depth + 1);
      if (!digits && value == otherwise) return otherwise;
      sum += sign * value;
      sign = 1;
      word.clear();
    }
    if (c == '-') sign = -1;
    if (c == '*' || c == '<' || c == '/') return otherwise;
  }
  return sum;
}

/// In which registers the devices with tables of their own have a bit.
std::map<std::string, std::set<std::string>> known_bits() {
  using namespace whittle::avr;
  std::map<std::string, std::set<std::string>> out;
  for (const DeviceTable* table : {&kATmega8, &kATmega16, &kATmega168P, &kATmega328P, &kATmega644, &kATmega1284P, &kATmega2560,
                                   &kATmega32U4, &kATtiny13, &kATtiny84, &kATtiny85}) {
    for (const RegisterRow& row : table->registers) {
      std::istringstream items(row.bits);
      for (std::string item; items >> item;) out[item.substr(0, item.find('='))].insert(row.name);
    }
  }
  return out;
}

/// Bits that stand at the wrong register move to where they are known to be.
void put_right(Device& device, const std::map<std::string, std::set<std::string>>& known) {
  std::vector<std::pair<std::string, Bit>> moved;
  for (Row& row : device.registers) {
    std::erase_if(row.bits, [&](const Bit& bit) {
      auto it = known.find(bit.name);
      if (it == known.end() || it->second.count(row.name) != 0) return false;
      std::string home;
      for (const std::string& name : it->second)
        if (device.find(name) != nullptr) home = home.empty() ? name : "?";
      if (home.empty() || home == "?") return false;
      moved.emplace_back(home, bit);
      return true;
    });
  }
  for (const auto& [home, bit] : moved) {
    Row& row = *device.find(home);
    bool there = false;
    for (const Bit& other : row.bits) there |= other.name == bit.name;
    if (!there) row.bits.push_back(bit);
  }
}

Device read(const std::string& gcc, const std::string& name) {
  Device device;
  device.name = name;
  std::istringstream in(run(gcc + " -mmcu=" + name + " -E -dD -CC -include avr/io.h -x c /dev/null 2>/dev/null"));
  static const std::regex define("#define\\s+(\\w+)\\s*(.*)"), address("_SFR_(IO|MEM)8 ?\\( ?(0[xX][0-9a-fA-F]+) ?\\).*"),
      digit("([0-7])\\s*(/[*/].*)?"), vector("_VECTOR ?\\( ?([0-9]+) ?\\).*");
  static const std::regex file("# [0-9]+ \"(?:.*/)?([^/\"]*)\".*"), alias("[A-Z][A-Z0-9]+");
  Row* current = nullptr;
  bool inside = false, adjacent = false;  // in the header of the device; after a register without an empty line between
  for (std::string line; std::getline(in, line);) {
    std::smatch match, inner;
    if (std::regex_match(line, match, file)) {
      inside = match[1].str().rfind("io", 0) == 0 && match[1] != "io.h";
      continue;
    }
    if (line.empty()) adjacent = false;
    if (!std::regex_match(line, match, define)) {
      if (line.find("/*") != std::string::npos || line.find("//") != std::string::npos)
        if (Row* row = inside && !adjacent ? named_in(device, line) : nullptr) current = row;
      continue;
    }
    std::string macro = match[1], value = match[2];
    if (size_t comment = value.find("/*"); comment != std::string::npos) value.erase(comment);
    while (!value.empty() && std::isspace(static_cast<unsigned char>(value.back())) != 0) value.pop_back();
    device.macros[macro] = value;
    if (!inside) continue;
    auto ends = [&](std::string_view tail) { return macro.size() > tail.size() && macro.ends_with(tail); };
    bool is_vector = macro.find("_vect") != std::string::npos;
    bool is_size = ends("SIZE") || ends("END") || ends("START");
    if (std::regex_match(value, inner, address)) {
      unsigned at = unsigned(std::stoul(inner[2], nullptr, 0)) + (inner[1] == "IO" ? 0x20 : 0);
      if (device.find(macro) == nullptr) device.registers.push_back({macro, at, {}});
      current = device.find(macro);
      adjacent = true;
    } else if (Row* same = std::regex_match(value, alias) ? device.find(value) : nullptr; same != nullptr && !is_vector) {
      if (device.find(macro) == nullptr) device.registers.push_back({macro, unsigned(same->address), {}});
      current = nullptr;  // the row may have moved
    } else if (std::regex_match(value, inner, digit) && current != nullptr && !is_vector && !is_size && macro[0] != '_') {
      current->bits.push_back({macro, unsigned(std::stoul(inner[1]))});
    } else if (macro.size() > 5 && macro.compare(macro.size() - 5, 5, "_vect") == 0 && std::regex_match(value, inner, vector)) {
      auto& names = device.vectors[unsigned(std::stoul(inner[1]))];
      std::string short_name = macro.substr(0, macro.size() - 5);
      if (std::find(names.begin(), names.end(), short_name) == names.end()) names.push_back(short_name);
    }
  }
  return device;
}

/// What no header of a device says, and one name for each address first: the one with the bits.
void complete(Device& device, const std::map<std::string, std::set<std::string>>& known) {
  put_right(device, known);
  std::erase_if(device.registers, [](const Row& row) { return row.name == "SP" || row.name == "SPL" || row.name == "SPH" || row.name == "SREG"; });
  device.registers.push_back({"SPL", 0x5d, {}});
  if (device.has("__AVR_HAVE_SPH__")) device.registers.push_back({"SPH", 0x5e, {}});
  device.registers.push_back({"SREG", 0x5f, {{"C", 0}, {"Z", 1}, {"N", 2}, {"V", 3}, {"S", 4}, {"H", 5}, {"T", 6}, {"I", 7}}});
  auto strange = [&](const Row& row) {  // a name that no device with a table of its own has
    for (const auto& [bit, homes] : known)
      if (homes.count(row.name) != 0) return false;
    return true;
  };
  auto late = [](const Row& row) { return row.name == "OCDR" || row.name == "UCSRC"; };  // others are there in most programs
  std::stable_sort(device.registers.begin(), device.registers.end(), [&](const Row& a, const Row& b) {
    if (a.address != b.address) return a.address < b.address;
    if (late(a) != late(b)) return late(b);
    if (strange(a) != strange(b)) return strange(b);
    return a.bits.size() > b.bits.size();
  });
}

void write(const Device& device, size_t index, std::ostream& out) {
  out << "constexpr RegisterRow kRegisters" << index << "[] = {\n";
  for (const Row& row : device.registers) {
    out << "    {0x" << std::hex << row.address << std::dec << ", \"" << row.name << "\", \"";
    for (size_t i = 0; i < row.bits.size(); ++i) out << (i > 0 ? " " : "") << row.bits[i].name << "=" << row.bits[i].position;
    out << "\"},\n";
  }
  out << "};\nconstexpr VectorRow kVectors" << index << "[] = {\n";
  for (const auto& [number, names] : device.vectors)
    for (const std::string& name : names) out << "    {" << number << ", \"" << name << "\"},\n";
  out << "};\n";
}

/// "ATmega32" from __AVR_ATmega32__.
std::string title(const Device& device) {
  for (const auto& [macro, value] : device.macros) {
    std::string lower;
    for (char c : macro) lower += char(std::tolower(static_cast<unsigned char>(c)));
    if (lower == "__avr_" + device.name + "__") return macro.substr(6, macro.size() - 8);
  }
  return device.name;
}

void write_table(const Device& device, size_t index, std::ostream& out) {
  bool newer = false;  // chips since about 2004: PINx toggles, and the stack pointer starts at the end of RAM
  for (const Row& row : device.registers) newer |= row.name == "GPIOR0";
  newer |= device.name.rfind("attiny13", 0) == 0;
  long vectors = device.vectors.empty() ? 1 : long(device.vectors.rbegin()->first) + 1;
  auto flag = [](bool on) { return on ? "true" : "false"; };
  out << "    {.name = \"" << device.name << "\", .title = \"" << title(device) << "\", .flash_bytes = "
      << value_of(device, "FLASHEND", 0) + 1 << ", .ram_start = " << value_of(device, "RAMSTART", 0x60)
      << ", .ram_end = " << value_of(device, "RAMEND", 0) << ", .eeprom_bytes = " << value_of(device, "E2END", -1) + 1
      << ",\n     .vector_words = " << (device.has("__AVR_HAVE_JMP_CALL__") ? 2 : 1) << ", .vector_count = " << vectors
      << ", .pc_bytes = " << (device.has("__AVR_3_BYTE_PC__") ? 3 : 2) << ", .has_mul = " << flag(device.has("__AVR_HAVE_MUL__"))
      << ", .has_elpm = " << flag(device.has("__AVR_HAVE_ELPM__")) << ", .pin_toggles = " << flag(newer)
      << ", .sp_at_ram_end = " << flag(newer) << ",\n     .registers = kRegisters" << index << ", .vectors = kVectors" << index
      << ", .pins = {}, .from_headers = true},\n";
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "use: device_headers AVR-GCC OUTPUT.cpp\n";
    return 2;
  }
  const auto known = known_bits();
  std::vector<Device> devices;
  std::istringstream names(argv[1][0] == '\0' ? "" : kDevices);
  for (std::string name; names >> name;) {
    Device device = read(argv[1], name);  // a compiler that does not know it says nothing
    if (device.registers.size() > 20 && value_of(device, "RAMEND", 0) > 0 && !device.vectors.empty())
      complete(device, known), devices.push_back(std::move(device));
  }
  std::ofstream out(argv[2]);
  out << "// Written by device_headers at build time.\n#include \"avr/devices/tables.h\"\n\nnamespace whittle::avr {\nnamespace {\n";
  for (size_t i = 0; i < devices.size(); ++i) write(devices[i], i, out);
  if (!devices.empty()) {
    out << "constexpr DeviceTable kTables[] = {\n";
    for (size_t i = 0; i < devices.size(); ++i) write_table(devices[i], i, out);
    out << "};\n";
  }
  out << "}  // namespace\n\nstd::span<const DeviceTable> header_devices() { return "
      << (devices.empty() ? "{}" : "kTables") << "; }\n\n}  // namespace whittle::avr\n";
  return out.good() ? 0 : 1;
}
