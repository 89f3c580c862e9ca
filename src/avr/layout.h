// Which cells of the data space belong to the state: registers, the I/O registers the program writes, RAM up to the
// end of its data, and the stack from its pointer to the end of RAM.
//
// Layouts grow when the program writes somewhere new (through a pointer into I/O space, or the heap). A layout is a
// function of what was written, so it is part of the state; layouts are interned and named by a number. Chips in
// several threads may use the same ones.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace whittle::avr {

struct Layout {
  uint16_t id = 0;
  uint16_t low_top = 0;           ///< RAM from the start up to here (exclusive) is kept
  std::vector<uint16_t> io;       ///< I/O addresses kept, ascending
  std::vector<uint8_t> io_index;  ///< by I/O address: 1 + position in io (0: not kept)
};

class Layouts {
 public:
  explicit Layouts(uint16_t io_end) : io_end_(io_end) {}
  const Layout& intern(uint16_t low_top, std::vector<uint16_t> io);
  const Layout& with_io(const Layout& from, uint16_t address);
  const Layout& with_ram(const Layout& from, uint16_t low_top) { return intern(low_top, from.io); }
  const Layout& at(uint16_t id) const { return pieces_[id / kPiece][id % kPiece]; }

 private:
  static constexpr size_t kPiece = 256;
  uint16_t io_end_;
  std::mutex mutex_;  ///< to intern
  std::array<std::unique_ptr<Layout[]>, 65536 / kPiece> pieces_;  ///< they never move
  std::map<std::pair<uint16_t, std::vector<uint16_t>>, uint16_t> ids_;
};

}  // namespace whittle::avr
