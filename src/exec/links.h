// Bytes without a value that are copies of one another. They have the same value, though none is known yet: when one of
// them is read and gets a value, all get it.
//
//   Links links;
//   Links::Unknown u = links.unknown(from);   // what the byte at `from` has for a value
//   links.set(to, u);                         // a copy of it
//   links.others(to)                          // {from}
//   links.leave(from);                        // it was written
#pragma once

#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

namespace whittle::exec {

class Links {
 public:
  using Unknown = uint32_t;  ///< the number of a value that is not known yet

  bool empty() const { return bytes_.empty(); }
  void clear();
  /// Of a byte without a value.
  Unknown unknown(uint32_t address);
  void set(uint32_t address, Unknown unknown);
  void leave(uint32_t address);
  void leave(uint32_t begin, uint32_t size);

  std::vector<uint32_t> others(uint32_t address) const;
  /// Where this unknown value was first, as far as that is known; else one of the places where it is.
  uint32_t first(uint32_t address) const;

  /// Bytes in a row with unknown values in a row. Equal relations have equal runs; a value in one place only is in none.
  struct Run {
    uint32_t address = 0, length = 0, unknown = 0;
  };
  std::vector<Run> runs() const;
  void add(const Run& run);  ///< the unknown values of all runs that are added are numbered as they are there

 private:
  struct Value {
    uint32_t first = 0;
    std::vector<uint32_t> places;
  };
  std::map<uint32_t, Unknown> bytes_;
  std::unordered_map<Unknown, Value> values_;
  Unknown next_ = 0;
};

}  // namespace whittle::exec
