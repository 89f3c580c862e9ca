// Which memory a statement touches, as its operands say it. No other place knows which operand is an address.
//
//   for (const Access& access : accesses(statement))
//     ... points.accessed(statement.operands[access.address]) ...
#pragma once

#include <cstdint>

#include "program/statement.h"

namespace whittle::semantics {

/// One range of memory: operands[address], so many bytes.
struct Access {
  uint8_t address = 0;                        ///< index of the operand
  uint8_t size_operand = kFixed;              ///< index of the operand that holds the size in bytes; or kFixed: `bytes`
  uint8_t align = 1;                          ///< required alignment in bytes
  bool read = false, write = false;
  bool atomic = false;                        ///< conflicts with no other atomic access
  uint32_t bytes = 0;

  static constexpr uint8_t kFixed = UINT8_MAX;
  /// The size if it is the same on every path.
  bool fixed(const program::Statement& s) const { return size_operand == kFixed || s.operands[size_operand].is_constant(); }
  uint64_t size(const program::Statement& s) const {
    return size_operand == kFixed ? bytes : s.operands[size_operand].value64();
  }
};

/// At most two, in the order in which the machine looks at them.
class Accesses {
 public:
  void add(Access access) { list_[count_++] = access; }
  const Access* begin() const { return list_; }
  const Access* end() const { return list_ + count_; }
  bool empty() const { return count_ == 0; }
  const Access& operator[](unsigned i) const { return list_[i]; }

 private:
  Access list_[2];
  unsigned count_ = 0;
};

/// Loads, stores, atomic updates, copies, fills, awaits and output. The end of an object's life is not among them:
/// ends_object() tells.
Accesses accesses(const program::Statement& statement);

/// HeapFree of anything but null.
bool ends_object(const program::Statement& statement);

}  // namespace whittle::semantics
