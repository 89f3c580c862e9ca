// Devices, files and expressions: what users type, and what they are told when it is wrong.
#include <gtest/gtest.h>

#include "avr/expression.h"
#include "avr/firmware.h"
#include "avr/test_image.h"
#include "base/error.h"

namespace whittle::avr {
namespace {

template <typename F>
std::string error_of(ExitCode code, F&& f) {
  try {
    f();
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), code);
    EXPECT_EQ(std::string(e.what()).find('\n'), std::string::npos);
    return e.what();
  }
  return "";
}

TEST(Devices, TablesAreComplete) {
  EXPECT_EQ(own_tables().size(), 17u);
  for (const DeviceTable* table : own_tables()) {
    Device device(*table);
    EXPECT_NE(device.find_register("SREG"), nullptr) << table->name;
    EXPECT_EQ(device.find_register("SREG")->address, 0x5f);
    EXPECT_GE(device.timers().size(), std::string_view(table->name) == "attiny13" ? 1u : 2u);
    EXPECT_TRUE(device.sleep_enable()) << table->name;
    EXPECT_NE(device.watchdog().enable.address, 0) << table->name;
    size_t modelled = 0;
    for (const Interrupt& i : device.interrupts()) modelled += i.enable_register != 0;
    EXPECT_EQ(modelled, device.interrupts().size()) << table->name;
    for (const auto& [name, address] : device.register_names()) EXPECT_LT(address, device.ram_start());
  }
  auto m16 = find_device("ATmega16");
  EXPECT_EQ(m16->find_register("PORTA")->address, 0x3b);
  EXPECT_EQ(m16->find_bit("TOV1")->mask, 0x04);
  EXPECT_NE(devices_text().find("atmega2560"), std::string::npos);
}

TEST(Devices, UnknownOnesGetTheNearestName) {
  EXPECT_EQ(error_of(ExitCode::Usage, [] { find_device("atmega238p"); }),
            "unknown device 'atmega238p'; did you mean 'atmega328p'?");
  EXPECT_NE(error_of(ExitCode::Usage, [] { find_device("pic16"); }).find("known devices:"), std::string::npos);
}

TEST(Images, HexIsReadAndChecked) {
  auto device = find_device("attiny85");
  Image image = parse_hex(":0400000000C0FFCF6E\n:00000001FF\n", "fw.hex", *device);
  EXPECT_EQ(image.flash, (std::vector<uint8_t>{0x00, 0xc0, 0xff, 0xcf}));
  auto bad = [&](const char* text) {
    return error_of(ExitCode::BadInput, [&] { parse_hex(text, "fw.hex", *device); });
  };
  EXPECT_EQ(bad(":0400000000C0FFCF6F\n:00000001FF\n"), "fw.hex:1: wrong checksum");
  EXPECT_EQ(bad(":0400000000C0FFCF6E\n"), "fw.hex: no end-of-file record; is the file complete?");
  EXPECT_NE(bad("hello"), "");
  EXPECT_NE(bad(":020000040001F9\n:0400000000C0FFCF6E\n:00000001FF\n").find("firmware too large for attiny85"),
            std::string::npos);
}

TEST(Images, OtherFilesAreRefused) {
  auto device = find_device("atmega16");
  EXPECT_EQ(error_of(ExitCode::BadInput, [&] { parse_elf("not an elf", "x.elf", *device); }),
            "x.elf: neither ELF nor Intel hex");
  EXPECT_NE(error_of(ExitCode::BadInput,
                     [&] {
                       parse_elf(
                           "\x7f"
                           "ELF",
                           "x.elf", *device);
                     })
                .find("x.elf: damaged ELF"),
            std::string::npos);
  EXPECT_NE(error_of(ExitCode::BadInput, [&] { load_image("/proc/self/exe", *device); }).find("for another machine"),
            std::string::npos);
  EXPECT_NE(error_of(ExitCode::BadInput, [&] { load_image("no/such/file.elf", *device); }), "");
}

Names some_names() {
  Names names;
  names.types.push_back({TypeKind::Unsigned, "uint8_t", 1, false, -1, 0, {}});
  names.types.push_back({TypeKind::Signed, "int16_t", 2, true, -1, 0, {}});
  names.types.push_back({TypeKind::Array, "", 6, false, 1, 3, {}});
  names.types.push_back(
      {TypeKind::Struct, "motor", 3, false, -1, 0, {{"speed", 0, 1, 0, 0}, {"on", 2, 0, 0, 1}, {"level", 2, 0, 1, 3}}});
  names.variables = {{"mode", "", "a.c", 0x60, 0, 1},
                     {"table", "", "a.c", 0x62, 2, 6},
                     {"motor", "", "a.c", 0x68, 3, 3},
                     {"count", "tick", "a.c", 0x6b, 0, 1}};
  names.constants = {{"OPENING", 3}};
  return names;
}

TEST(Expressions, FollowC) {
  Names names = some_names();
  auto device = find_device("atmega16");
  auto m = test::machine_of({test::as::kHalt});
  Core& core = m->core();
  core.v[0x60] = 3, core.v[0x62] = 0xff, core.v[0x63] = 0xff, core.v[0x64] = 0x10, core.v[0x65] = 0x01;
  core.v[0x68] = 0x9c, core.v[0x69] = 0xff, core.v[0x6a] = 0x0b, core.v[0x6b] = 1, core.v[0x3b] = 0x20;
  auto value = [&](const char* text) { return parse_expression(text, names, *device).evaluate(core); };
  EXPECT_EQ(value("mode == OPENING"), 1);
  EXPECT_EQ(value("table[0]"), -1);
  EXPECT_EQ(value("table[1]"), 0x110);
  EXPECT_EQ(value("table[count]"), 0x110);
  EXPECT_EQ(value("motor.speed"), -100);
  EXPECT_EQ(value("motor.on"), 1);
  EXPECT_EQ(value("motor.level"), 5);
  EXPECT_EQ(value("tick::count"), 1);
  EXPECT_EQ(value("PORTA == 0x20 && PORTA.PA5 && !PORTA.4"), 1);
  EXPECT_EQ(value("1 + 2 * 3 - 4 % 3 << 1"), 12);
  EXPECT_EQ(value("mode > 2 ? -5 : 5"), -5);
  EXPECT_EQ(value("~0 & 0b1010 | 1 ^ 2"), 11);
  EXPECT_EQ(value("mem[0x60] + mem16[0x64]"), 3 + 0x110);
  EXPECT_EQ(value("7 / 2 == 3 || mode / 0"), 1);
  EXPECT_EQ(value("'a'"), 97);
}

TEST(Expressions, MistakesAreExplained) {
  Names names = some_names();
  auto device = find_device("atmega16");
  auto bad = [&](const char* text) {
    return error_of(ExitCode::BadInput, [&] { parse_expression(text, names, *device); });
  };
  EXPECT_EQ(bad("mdoe == 1"), "in 'mdoe == 1': unknown variable 'mdoe'; did you mean 'mode'?");
  EXPECT_EQ(bad("PORTQ == 1"), "in 'PORTQ == 1': unknown variable 'PORTQ'; did you mean 'PORTD'?");
  EXPECT_EQ(bad("mode = 1"), "in 'mode = 1': '=' assigns; did you mean '=='?");
  EXPECT_EQ(bad("motor.sped"), "in 'motor.sped': no member 'sped'; did you mean 'speed'?");
  EXPECT_EQ(bad("TIFR.TOV9"), "in 'TIFR.TOV9': TIFR has no bit 'TOV9'; did you mean 'TOV0'?");
  EXPECT_EQ(bad("table[3]"), "in 'table[3]': index 3 is outside the array of 3");
  EXPECT_EQ(bad("(mode"), "in '(mode': expected ')' at the end");
  EXPECT_NE(bad("motor"), "");
  EXPECT_NE(bad("table"), "");
  EXPECT_NE(bad("mode &&"), "");
  EXPECT_NE(bad("mode 5"), "");
  EXPECT_NE(bad("12x"), "");
}

}  // namespace
}  // namespace whittle::avr
