// A firmware file as it comes from the linker: bytes for flash, and names for what they mean.
//
//   Image image = load_image("fw.elf", device);    // .elf or Intel .hex; throws Error with one clear line
//   const Variable* mode = image.names.find("mode");
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "avr/device.h"

namespace whittle::avr {

enum class TypeKind : uint8_t { Unsigned, Signed, Bool, Enum, Pointer, Array, Struct, Float, Unknown };

struct Member {
  std::string name;
  uint32_t offset = 0;     ///< in bytes
  int type = -1;           ///< index into Names::types
  uint8_t bit_offset = 0;  ///< bit-fields: lowest bit, counted from bit 0 of the byte at offset
  uint8_t bit_size = 0;    ///< 0: no bit-field
};

struct Type {
  TypeKind kind = TypeKind::Unknown;
  std::string name;
  uint32_t size = 0;
  bool is_signed = false;
  int element = -1;             ///< arrays and pointers
  uint32_t count = 0;           ///< arrays
  std::vector<Member> members;  ///< structs and unions
  std::vector<std::pair<std::string, int64_t>> enumerators;
  bool to_function = false;     ///< pointers
};

struct Variable {
  std::string name;
  std::string scope;  ///< the function of a static local, or "" for a global
  std::string unit;   ///< source file
  uint16_t address = 0;
  int type = -1;  ///< -1: a symbol without debug information; `size` bytes
  uint32_t size = 1;
  uint32_t flash_address = 0;  ///< of those in flash
};

struct LineRow {
  uint32_t pc = 0;  ///< in words
  uint32_t file = 0;
  uint32_t line = 0;  ///< 0: no line belongs to these instructions
};

struct Function {
  std::string name;
  uint32_t pc = 0;  ///< in words
  uint32_t words = 0;
};

class Names {
 public:
  std::vector<Type> types;
  std::vector<Variable> variables;
  std::vector<Variable> in_flash;  ///< PROGMEM
  std::map<std::string, int64_t, std::less<>> constants;  ///< enumerators
  std::vector<std::string> files;
  std::vector<LineRow> lines;       ///< ascending
  std::vector<Function> functions;  ///< ascending
  std::map<std::string, std::vector<std::string>> sources;

  /// "name", or "function::name" for a static local. nullptr when there is none; several statics of one name: the
  /// first.
  const Variable* find(std::string_view name) const;
  const Variable* find_in_flash(std::string_view name) const;
  const Function* function_at(uint32_t pc) const;
  const Function* find_function(std::string_view name) const;
  const LineRow* line_at(uint32_t pc) const;
  /// Everything a formula may name, for suggestions.
  std::vector<std::string> all() const;
  /// "mode", "table[2]", "motor.speed": what lies at this address, or "".
  std::string describe(uint16_t address) const;
};

struct Image {
  std::string path;
  std::vector<uint8_t> flash;  ///< from address 0 to the last byte loaded
  uint16_t data_end = 0;       ///< first RAM address after the program's variables; 0 when the file does not say
  Names names;
  std::vector<std::string> warnings;  ///< for the user, one line each
};

Image load_image(const std::string& path, const Device& device);

/// The parts of load_image, for tests.
Image parse_hex(std::string_view text, const std::string& path, const Device& device);
Image parse_elf(std::string_view bytes, const std::string& path, const Device& device);

}  // namespace whittle::avr
