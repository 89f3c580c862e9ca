// The tables of devices against the headers of avr-libc: addresses of registers, positions of bits, sizes, vectors.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <optional>
#include <regex>

#include "avr/device.h"

namespace whittle::avr {
namespace {

/// What `avr-gcc -E -dM` prints for <avr/io.h>.
std::map<std::string, std::string> definitions(const std::string& mcu) {
  std::map<std::string, std::string> out;
  std::ifstream in(fmt::format("{}/{}.defs", AVR_HEADERS, mcu));
  for (std::string line; std::getline(in, line);) {
    size_t name = line.find(' ') + 1, value = line.find(' ', name);
    if (value != std::string::npos) out[line.substr(name, value - name)] = line.substr(value + 1);
  }
  return out;
}

std::optional<unsigned long> number(const std::map<std::string, std::string>& defs, const std::string& name) {
  auto it = defs.find(name);
  if (it == defs.end()) return std::nullopt;
  std::smatch match;
  if (!std::regex_match(it->second, match, std::regex("\\(?(0[xX][0-9a-fA-F]+|[0-9]+)[UL]*\\)?"))) return std::nullopt;
  return std::stoul(match[1], nullptr, 0);
}

TEST(Headers, AgreeWithTheTables) {
  for (const DeviceTable* table : device_tables()) {
    auto defs = definitions(table->name);
    ASSERT_GT(defs.size(), 100u) << table->name;
    size_t registers = 0, bits = 0;
    for (const RegisterRow& row : table->registers) {
      auto it = defs.find(row.name);
      std::smatch match;
      static const std::regex address("_SFR_(IO|MEM)8 ?\\( ?(0[xX][0-9a-fA-F]+) ?\\)");
      if (it == defs.end() || !std::regex_match(it->second, match, address)) continue;  // an alias there
      ++registers;
      EXPECT_EQ(std::stoul(match[2], nullptr, 0) + (match[1] == "IO" ? 0x20 : 0), row.address)
          << table->name << " " << row.name;
      static const std::regex bit("(\\w+)=([0-7])");
      std::string text = row.bits;
      for (std::sregex_iterator i(text.begin(), text.end(), bit), end; i != end; ++i) {
        auto value = number(defs, (*i)[1]);
        if (!value) continue;
        ++bits;
        EXPECT_EQ(*value, std::stoul((*i)[2])) << table->name << " " << row.name << "." << (*i)[1];
      }
    }
    EXPECT_GE(registers * 10, table->registers.size() * 8) << table->name;
    EXPECT_GE(bits, 60u) << table->name;
    EXPECT_EQ(number(defs, "RAMEND").value_or(table->ram_end), table->ram_end) << table->name;
    EXPECT_EQ(number(defs, "FLASHEND").value_or(table->flash_bytes - 1), table->flash_bytes - 1) << table->name;
    EXPECT_EQ(number(defs, "E2END").value_or(table->eeprom_bytes - 1u), table->eeprom_bytes - 1u) << table->name;
    for (const VectorRow& row : table->vectors) {
      auto it = defs.find(std::string(row.name) + "_vect");
      if (it == defs.end()) continue;
      EXPECT_EQ(it->second, fmt::format("_VECTOR({})", row.number)) << table->name << " " << row.name;
    }
  }
}

}  // namespace
}  // namespace whittle::avr
