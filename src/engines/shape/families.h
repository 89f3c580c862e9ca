// Objects that only one address leads to: trees.
//
// A cell can *own* an object: it holds the only address of it, and the object's own cells hold constants, values that are
// not known, addresses of objects that they own in turn, or the address of the object that owns it (a link to a
// parent, or to the element before). Such an object has no node of its own in a memory: the cell names the family that it
// belongs to. A family is a set of forms, which say what an object of it can hold. As forms name families, a family can
// describe trees of any depth.
//
// Families belong to the whole analysis and only grow. What was derived from a family that has grown later must be derived
// again: `grown` tells.
#pragma once

#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "engines/shape/memory.h"

namespace whittle::engines::shape {

class Families {
 public:
  struct Family {
    int64_t head = 0;         ///< the owning address leads to this byte
    std::vector<Node> forms;  ///< cells hold a constant, Cell::up, choices, owned families, or nothing: any value
  };

  /// A number for the calls that led to an allocation. Objects of different sites are in different families.
  uint32_t site(const std::vector<uint32_t>& calls) { return sites_.try_emplace(calls, sites_.size()).first->second; }
  uint32_t family(uint32_t site, uint64_t size, int64_t head);
  const Family& at(uint32_t family) const { return families_[family]; }
  /// Makes the family have objects of this form. False: it has too many to tell apart, and this one cannot be joined with them.
  bool add(uint32_t family, const Node& form);

  bool grown = false;  ///< since it was set to false

  static constexpr size_t kMostForms = 6;

 private:
  std::map<std::vector<uint32_t>, uint32_t> sites_;
  std::map<std::tuple<uint32_t, uint64_t, int64_t>, uint32_t> numbers_;
  std::vector<Family> families_;
};

/// Is every value that `special` can have one of `general`'s? Objects that are owned stay owned. Values are compared as terms.
bool covers(const Cell& general, const Cell& special);
/// A cell that covers both; nothing if an owned object would be forgotten.
std::optional<Cell> join(const Cell& a, const Cell& b);

}  // namespace whittle::engines::shape
