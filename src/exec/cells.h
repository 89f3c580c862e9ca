// Where in a state the registers and the bytes of objects are.
//
//   ShapeTable shapes(code, memory);
//   uint32_t shape = shapes.number(machine.save());     // the same for states that differ in mortal bytes only
//   shapes[shape].map, shapes[shape].mortal
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <vector>

#include "exec/instruction.h"
#include "exec/memory.h"
#include "machine/machine.h"

namespace whittle::exec {

/// The mortal parts of one state. Everything between them is never dead and fixes the layout.
struct CellMap {
  struct Registers {
    uint32_t offset = 0;
    const Layout* layout = nullptr;
  };
  struct Contents {
    uint64_t address = 0, size = 0;
    uint32_t offset = 0;
  };
  uint32_t static_offset = 0;
  std::vector<std::vector<Registers>> threads;  ///< by thread, by frame
  std::vector<Contents> objects;                ///< by address; only those with bytes in the state
  uint32_t size = 0;

  CellMap(const CodeImpl& code, const Memory& memory, std::span<const uint8_t> state);
  const Contents* object_at(uint64_t address) const;
};

/// All that can be said of a state by its never-dead bytes alone.
struct Shape {
  Shape(const CodeImpl& code, const Memory& memory, std::span<const uint8_t> state);

  CellMap map;
  std::vector<machine::ByteRange> mortal;
  std::vector<bool> is_mortal;      ///< by byte of the state
  std::vector<uint8_t> never_dead;  ///< the bytes that are not
  uint64_t bytes() const;           ///< of memory, roughly
};

/// Numbers shapes from 1 on. A program has few: they follow from where its threads stand and which objects there are.
class ShapeTable {
 public:
  ShapeTable(const CodeImpl& code, const Memory& memory) : code_(code), memory_(memory), index_(256, 0) {}

  /// 0: there are too many of them to keep them all. Make a Shape of your own then.
  uint32_t number(std::span<const uint8_t> state);
  const Shape& operator[](uint32_t number) const { return shapes_[number - 1]; }

 private:
  void grow();

  const CodeImpl& code_;
  const Memory& memory_;
  std::deque<Shape> shapes_;
  std::vector<uint32_t> index_;  ///< open addressing
  std::vector<uint8_t> key_;
  uint64_t bytes_ = 0;
};

/// Footprints by what they follow from: the shapes before and after the step, and what the step touched.
class FootprintTable {
 public:
  FootprintTable() : index_(256, 0) {}

  /// Null if there is none with this key yet.
  const machine::Footprint* find(std::span<const uint64_t> key);
  /// Numbers it, if there is room. Requires that find() was called with this key right before.
  const machine::Footprint* add(std::span<const uint64_t> key, const machine::Footprint& footprint);

 private:
  struct Entry {
    std::vector<uint64_t> key;
    machine::Footprint footprint;
  };
  void grow();

  std::deque<Entry> entries_;
  std::vector<uint32_t> index_;  ///< open addressing: number
  size_t free_ = 0;              ///< where find() ended
  uint64_t bytes_ = 0;
};

}  // namespace whittle::exec
