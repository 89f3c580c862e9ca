#include "avr/layout.h"

#include <algorithm>

namespace whittle::avr {

const Layout& Layouts::intern(uint16_t low_top, std::vector<uint16_t> io) {
  std::sort(io.begin(), io.end());
  io.erase(std::unique(io.begin(), io.end()), io.end());
  std::lock_guard lock(mutex_);
  auto [it, fresh] = ids_.try_emplace({low_top, io}, uint16_t(ids_.size()));
  if (!fresh) return at(it->second);
  std::unique_ptr<Layout[]>& piece = pieces_[it->second / kPiece];
  if (piece == nullptr) piece = std::make_unique<Layout[]>(kPiece);
  Layout& layout = piece[it->second % kPiece];
  layout.id = it->second;
  layout.low_top = low_top;
  layout.io_index.assign(io_end_, 0);
  for (size_t i = 0; i < io.size(); ++i) layout.io_index[io[i]] = uint8_t(i + 1);
  layout.io = std::move(io);
  return layout;
}

const Layout& Layouts::with_io(const Layout& from, uint16_t address) {
  std::vector<uint16_t> io = from.io;
  io.push_back(address);
  return intern(from.low_top, std::move(io));
}

}  // namespace whittle::avr
