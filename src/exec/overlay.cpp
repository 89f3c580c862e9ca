#include "exec/overlay.h"

#include <algorithm>
#include <cassert>

namespace whittle::exec {

using term::Term;

Overlay::Overlay(term::Store& terms, Constants constants)
    : terms_(&terms), constants_(constants), cells_(std::make_shared<Cells>()) {}

Overlay::Cells& Overlay::own() {
  if (cells_.use_count() != 1) cells_ = std::make_shared<Cells>(*cells_);
  return *cells_;
}

void Overlay::clear() {
  if (!empty()) cells_ = std::make_shared<Cells>();
}

Term Overlay::reg(Register cell) const {
  if (cells_->registers.empty()) return {};
  auto found = cells_->registers.find(cell);
  return found == cells_->registers.end() ? Term() : found->second;
}

void Overlay::set_reg(Register cell, Term value) {
  if (keeps(value))
    own().registers[cell] = value;
  else if (cells_->registers.contains(cell))
    own().registers.erase(cell);
}

void Overlay::forget_frames(uint32_t thread, uint32_t from_frame) {
  auto first = cells_->registers.lower_bound({thread, from_frame, 0});
  if (first == cells_->registers.end() || first->first.thread != thread) return;
  Registers& registers = own().registers;
  registers.erase(registers.lower_bound({thread, from_frame, 0}), registers.lower_bound({thread + 1, 0, 0}));
}

void Overlay::forget_registers(const std::function<bool(const Register&)>& drop) {
  bool any = std::any_of(cells_->registers.begin(), cells_->registers.end(),
                         [&](const auto& entry) { return drop(entry.first); });
  if (any) std::erase_if(own().registers, [&](const auto& entry) { return drop(entry.first); });
}

const std::pair<const uint64_t, Term>* Overlay::chunk_at(uint64_t address) const {
  auto after = cells_->memory.upper_bound(address);
  if (after == cells_->memory.begin()) return nullptr;
  --after;
  return address - after->first < after->second.width() / 8 ? &*after : nullptr;
}

bool Overlay::touches(uint64_t address, uint64_t size) const {
  if (cells_->memory.empty() || size == 0) return false;
  auto next = cells_->memory.lower_bound(address);
  if (next != cells_->memory.end() && next->first - address < size) return true;
  return chunk_at(address) != nullptr;
}

Term Overlay::load(uint64_t address, unsigned size, const std::function<Term(uint64_t)>& below) const {
  assert(size >= 1 && size <= 16);
  auto exact = cells_->memory.find(address);
  if (exact != cells_->memory.end() && exact->second.width() == size * 8) return exact->second;
  Term value;
  for (unsigned i = 0; i < size; ++i) {
    Term byte;
    if (const auto* chunk = chunk_at(address + i))
      byte = terms_->extract(chunk->second, static_cast<unsigned>(address + i - chunk->first) * 8, 8);
    else
      byte = below(address + i);
    if (!byte) return {};
    value = value ? terms_->concat(byte, value) : byte;
  }
  return value;
}

void Overlay::forget(uint64_t address, uint64_t size) {
  if (!touches(address, size)) return;
  Memory& memory = own().memory;
  auto it = memory.upper_bound(address);
  if (it != memory.begin()) --it;
  auto keep = [&](uint64_t at, Term part) {
    if (keeps(part)) memory[at] = part;
  };
  while (it != memory.end() && it->first < address + size) {
    uint64_t start = it->first, end = start + it->second.width() / 8;
    Term chunk = it->second;
    if (end <= address) {
      ++it;
      continue;
    }
    it = memory.erase(it);
    if (start < address) keep(start, terms_->extract(chunk, 0, static_cast<unsigned>(address - start) * 8));
    if (end > address + size) {
      unsigned low = static_cast<unsigned>(address + size - start) * 8;
      keep(address + size, terms_->extract(chunk, low, chunk.width() - low));
      break;
    }
  }
}

void Overlay::store(uint64_t address, Term value) {
  forget(address, value.width() / 8);
  if (keeps(value)) own().memory[address] = value;
}

void Overlay::copy(uint64_t to, uint64_t from, uint64_t size) {
  std::vector<std::pair<uint64_t, Term>> parts;  // by offset, cut to the range
  if (touches(from, size)) {
    auto it = cells_->memory.upper_bound(from);
    if (it != cells_->memory.begin()) --it;
    for (; it != cells_->memory.end() && it->first < from + size; ++it) {
      uint64_t start = std::max(it->first, from), end = std::min(it->first + it->second.width() / 8, from + size);
      if (start >= end) continue;
      unsigned low = static_cast<unsigned>(start - it->first) * 8;
      parts.push_back({start - from, terms_->extract(it->second, low, static_cast<unsigned>(end - start) * 8)});
    }
  }
  forget(to, size);
  for (const auto& [offset, part] : parts) store(to + offset, part);
}

}  // namespace whittle::exec
