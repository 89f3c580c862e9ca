#include "engines/dpr/view.h"

#include <algorithm>
#include <cassert>

namespace whittle::engines::dpr {

using program::FunctionId;
using term::Term;

Term View::reg(RegisterCell cell, FunctionId function) const {
  for (const View* view = this; view != nullptr; view = view->below_)
    if (auto found = view->registers_.find(cell); found != view->registers_.end()) return found->second;
  if (cell.frame >= machine_.frame_count(0)) return {};  // a frame that only a sidestep has: never assigned
  unsigned width = program_.functions[function].registers[cell.reg].width();
  return terms().constant(width, machine_.register_value(0, cell.frame, cell.reg));
}

void View::set_reg(RegisterCell cell, Term value) {
  if (is_base() && value.is_constant())
    registers_.erase(cell);
  else
    registers_[cell] = value;
}

Term View::evaluate(Term t, uint32_t frame, FunctionId function, const Read& read) const {
  if (t.is_constant()) return t;
  bool missing = false;
  auto known = [&](Term value) {
    missing |= !value;
    return value;
  };
  auto variable = [&](Term v) {
    auto ref = program_.register_of(v);
    assert(ref.function == function);
    return known(reg({frame, ref.reg}, function));
  };
  Term result = t.has_reads() ? terms().substitute(t, variable, [&](Term r) { return known(read(r)); })
                              : terms().substitute(t, variable);
  return missing ? Term() : result;
}

/// The chunk of this view that covers the byte, if any.
const Term* View::chunk_at(uint64_t address, uint64_t* start) const {
  auto after = memory_.upper_bound(address);
  if (after == memory_.begin()) return nullptr;
  --after;
  if (address - after->first >= after->second.width() / 8) return nullptr;
  *start = after->first;
  return &after->second;
}

Term View::byte(uint64_t address) const {
  for (const View* view = this; view != nullptr; view = view->below_) {
    uint64_t start = 0;
    if (const Term* chunk = view->chunk_at(address, &start))
      return terms().extract(*chunk, static_cast<unsigned>(address - start) * 8, 8);
  }
  uint8_t value = 0;
  if (!machine_.initialised(address, 1) || !machine_.read_memory(address, {&value, 1})) return {};
  return terms().constant(8, value);
}

Term View::load(MemoryCell cell) const {
  assert(cell.size >= 1 && cell.size <= 16);
  for (const View* view = this; view != nullptr; view = view->below_) {
    auto exact = view->memory_.find(cell.address);
    if (exact != view->memory_.end() && exact->second.width() == cell.size * 8) return exact->second;
    if (view->touches(cell.address, cell.size)) break;
  }
  uint8_t bytes[16];
  if (!touches(cell.address, cell.size)) {
    if (!machine_.initialised(cell.address, cell.size)) return {};
    if (!machine_.read_memory(cell.address, {bytes, cell.size})) return {};
    u128 value = 0;
    for (unsigned i = cell.size; i-- > 0;) value = value << 8 | bytes[i];
    return terms().constant(cell.size * 8, value);
  }
  if (!machine_.read_memory(cell.address, {bytes, cell.size})) return {};  // inside one live object at all?
  Term value = byte(cell.address);
  for (unsigned i = 1; i < cell.size && value; ++i) {
    Term high = byte(cell.address + i);
    value = high ? terms().concat(high, value) : Term();
  }
  return value;
}

bool View::touches(uint64_t address, uint64_t size) const {
  for (const View* view = this; view != nullptr; view = view->below_) {
    auto next = view->memory_.lower_bound(address);
    if (next != view->memory_.end() && next->first < address + size) return true;
    uint64_t start = 0;
    if (view->chunk_at(address, &start) != nullptr) return true;
  }
  return false;
}

void View::forget(uint64_t address, uint64_t size) {
  if (memory_.empty() || size == 0) return;
  auto it = memory_.upper_bound(address);
  if (it != memory_.begin()) --it;
  while (it != memory_.end() && it->first < address + size) {
    uint64_t start = it->first;
    Term chunk = it->second;
    uint64_t end = start + chunk.width() / 8;
    if (end <= address) {
      ++it;
      continue;
    }
    it = memory_.erase(it);
    if (start < address) memory_[start] = terms().extract(chunk, 0, static_cast<unsigned>(address - start) * 8);
    if (end > address + size) {
      unsigned low = static_cast<unsigned>(address + size - start) * 8;
      it = memory_.emplace(address + size, terms().extract(chunk, low, chunk.width() - low)).first;
    }
  }
  // What is left of a chunk of the base view may be constant now; it is only a little slower, never wrong.
}

void View::store(MemoryCell cell, Term value) {
  assert(value.width() == cell.size * 8);
  forget(cell.address, cell.size);
  if (!is_base() || !value.is_constant()) memory_[cell.address] = value;
}

void View::forget_frame(uint32_t frame) {
  registers_.erase(registers_.lower_bound({frame, 0}), registers_.lower_bound({frame + 1, 0}));
}

}  // namespace whittle::engines::dpr
