// The tables of devices against the headers of avr-libc: addresses of registers, positions of bits, sizes, vectors.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <optional>
#include <regex>
#include <tuple>

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
  for (const DeviceTable* table : own_tables()) {
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

/// What was read from the headers when this was built means the same as the tables of our own.
TEST(Headers, SayWhatTheTablesSay) {
  size_t compared = 0;
  for (const DeviceTable& table : header_devices()) {
    for (const DeviceTable* own : own_tables()) {
      if (std::string_view(own->name) != table.name) continue;
      ++compared;
      SCOPED_TRACE(table.name);
      Device ours(*own), theirs(table);
      EXPECT_EQ(std::tie(own->flash_bytes, own->ram_start, own->ram_end, own->eeprom_bytes, own->vector_words, own->vector_count,
                         own->pc_bytes, own->has_mul, own->has_elpm, own->pin_toggles, own->sp_at_ram_end),
                std::tie(table.flash_bytes, table.ram_start, table.ram_end, table.eeprom_bytes, table.vector_words,
                         table.vector_count, table.pc_bytes, table.has_mul, table.has_elpm, table.pin_toggles, table.sp_at_ram_end));
      for (uint16_t a = 0x20; a < own->ram_start; ++a) {
        const Register &one = ours.at(a), &two = theirs.at(a);
        SCOPED_TRACE(one.name);
        if (one.fresh == 0xff || (one.kind == RegisterKind::Plain && two.kind == RegisterKind::Stream)) continue;  // any value
        EXPECT_EQ(one.kind, two.kind);
        EXPECT_EQ(std::tie(one.busy, one.unknown_at_reset, one.at_reset, one.restart, one.refused, one.restarts, one.timer),
                  std::tie(two.busy, two.unknown_at_reset, two.at_reset, two.restart, two.refused, two.restarts, two.timer));
        EXPECT_EQ(std::tie(one.timed.key, one.timed.guarded, one.half.timer, one.half.other),
                  std::tie(two.timed.key, two.timed.guarded, two.half.timer, two.half.other));
        // A bit that is there according to us is there. (The headers have one bit of RAMPZ, and none for the second USART.)
        if (one.kind != RegisterKind::Stream && one.name != "RAMPZ" && one.name != "PRR") EXPECT_EQ(one.valid & ~two.valid, 0);
      }
      ASSERT_EQ(ours.interrupts().size(), theirs.interrupts().size());
      for (size_t i = 0; i < ours.interrupts().size(); ++i) {
        const Interrupt &one = ours.interrupts()[i], &two = theirs.interrupts()[i];
        SCOPED_TRACE(one.name);
        EXPECT_EQ(std::tie(one.vector, one.enable_register, one.enable_mask, one.guard_register, one.guard_mask, one.timer,
                           one.flag_mask, one.wakes, one.clears.address, one.clears.mask),
                  std::tie(two.vector, two.enable_register, two.enable_mask, two.guard_register, two.guard_mask, two.timer,
                           two.flag_mask, two.wakes, two.clears.address, two.clears.mask));
      }
    }
  }
  EXPECT_GE(compared, 10u);
}

/// The peripherals that every program uses are known on every device.
TEST(Headers, EveryDeviceHasTimersAndInterrupts) {
  for (const DeviceTable* table : device_tables()) {
    Device device(*table);
    EXPECT_GE(device.timers().size(), 1u) << table->name;
    EXPECT_TRUE(device.sleep_enable()) << table->name;
    EXPECT_NE(device.watchdog().enable.address, 0) << table->name;
    size_t known = 0;
    for (const Interrupt& source : device.interrupts()) known += source.enable_register != 0;
    EXPECT_GE(known * 2, device.interrupts().size()) << table->name;
  }
}

}  // namespace
}  // namespace whittle::avr
