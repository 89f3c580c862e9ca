// C types as debug information has them, for traces and for expressions in properties. Execution never needs them.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace whittle::program {

using TypeId = uint32_t;
constexpr TypeId kNoType = 0;  ///< unknown type; entry 0 of every table

struct Type {
  enum class Kind : uint8_t { Unknown, Void, Bool, Integer, Float, Pointer, Array, Struct, Union, Enum, Function };
  struct Field {
    std::string name;
    TypeId type = kNoType;
    uint64_t bit_offset = 0;
    uint32_t bit_width = 0;  ///< 0 unless it is a bit-field
  };
  Kind kind = Kind::Unknown;
  std::string name;  ///< "unsigned int", "struct node", "state_t"
  uint64_t size = 0;  ///< bytes
  bool is_signed = false;
  TypeId element = kNoType;  ///< of arrays and pointers; underlying type of enums
  uint64_t count = 0;        ///< of arrays
  std::vector<Field> fields;
  std::vector<std::pair<std::string, int64_t>> enumerators;
};

}  // namespace whittle::program
