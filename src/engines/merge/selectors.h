// Values that select: what is accessed, or which way a large switch goes. Indexes, pointers, states of automata.
//
//   Selectors selectors(program);
//   selectors.registers(f).test(r)           // what register r of f holds becomes a part of an address
//   selectors.loaded(site, 8, 4);            // four bytes at 8 of an object made there were loaded as such a value
//   for (const Cell& cell : selectors.cells(site)) ...
//
// States that differ in them are better kept apart: one with pos == 3 reads text[3], a choice between all values of pos
// reads a choice between all of text, and every loop from pos on is as long as the longest. This is only about effort: no
// answer depends on which values select.
#pragma once

#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/bit_set.h"
#include "program/program.h"

namespace whittle::engines::merge {

class Selectors {
 public:
  explicit Selectors(const program::Program& program);

  /// Bytes of every object that was made at one place.
  struct Cell {
    uint64_t offset = 0;
    unsigned bytes = 0;
    auto operator<=>(const Cell&) const = default;
  };

  const BitSet& registers(program::FunctionId f) const { return registers_[f]; }
  /// What they hold becomes a part of an address at which an address is stored: the shape of a structure depends on it.
  const BitSet& shaping(program::FunctionId f) const { return shaping_[f]; }
  bool returned(program::FunctionId f) const { return returned_.test(f); }  ///< does its value select?
  void loaded(uint64_t site, Cell cell);
  const std::vector<Cell>& cells(uint64_t site) const;
  /// Too many values: they are joined from now on.
  void drop(program::FunctionId f, program::RegisterId r) { registers_[f].reset(r); }
  void drop_returned(program::FunctionId f) { returned_.reset(f); }
  void drop(uint64_t site, Cell cell);

 private:
  static constexpr uint32_t kLargeSwitch = 6;   ///< edges
  static constexpr size_t kCells = 64;          ///< of one site

  using Registers = std::vector<BitSet>;  ///< by function
  bool mark(term::Term t, Registers& registers, bool conditions = false) const;  ///< was any of them new?
  bool holds(term::Term t, const Registers& registers) const;
  /// Goes back from what is assigned, passed and returned. Was anything new?
  bool spread(program::FunctionId f, Registers& registers, BitSet& returned) const;
  void begin(program::FunctionId f);
  void begin_shaping(program::FunctionId f);

  const program::Program& program_;
  Registers registers_, shaping_;
  BitSet returned_;
  std::unordered_map<uint64_t, std::vector<Cell>> cells_, dropped_;
};

}  // namespace whittle::engines::merge
