// What pointers reach. Everything here is conservative: any four bytes anywhere in a state that hold an address inside
// the place of an object count as a pointer to it (all addresses are below 4 GiB, whatever the data model).
#include <algorithm>
#include <unordered_set>

#include "exec/machine_impl.h"

namespace whittle::exec {
namespace {

/// Every four bytes of a range, at every offset.
template <typename Visit>
void words_of(const uint8_t* bytes, size_t size, Visit visit) {
  for (size_t i = 0; i + 4 <= size; ++i) {
    uint32_t word;
    std::memcpy(&word, bytes + i, 4);
    if (word >= kDynamicBase) visit(word);
  }
}

}  // namespace

const Layout& MachineImpl::layout_of(const Thread& t, size_t frame) const {
  const FunctionCode& f = *t.frames[frame].code;
  if (frame + 1 == t.frames.size()) return f.layouts[f.top_layout[t.location]];
  return f.layouts[f.waiting_layout[f.function->edges[f.calls[t.frames[frame].call].edge].from]];
}

/// Visits every word of the state outside of dynamic objects: static memory and live registers.
template <typename Visit>
void MachineImpl::for_each_word(Visit visit) const {
  words_of(memory.image(), code.saved_bytes, visit);
  for (const Thread& t : threads) {
    if (!t.alive) continue;
    for (size_t i = 0; i < t.frames.size(); ++i)
      for (const Layout::Item& item : layout_of(t, i).items) {
        if (item.bytes < 4) continue;
        uint64_t value[2] = {t.slots[t.frames[i].base + item.slot], 0};
        if (item.bytes > 8) value[1] = t.slots[t.frames[i].base + item.slot + 1];
        words_of(reinterpret_cast<const uint8_t*>(value), item.bytes, visit);
      }
  }
}

/// ... and of live objects, and what a listener keeps for later.
template <typename Visit>
void MachineImpl::for_each_reference(Visit visit) const {
  for_each_word(visit);
  if (holder) holder->references([&](uint64_t address) { visit(static_cast<uint32_t>(address)); });
  for (uint32_t a = 0; a < memory.area_count(); ++a)
    for (const DynamicObject& object : memory.objects(a))
      if (object.alive) words_of(memory.bytes(object), object.size, visit);
}

std::optional<uint32_t> MachineImpl::free_number() const {
  std::vector<bool> taken(threads.size());
  for (size_t i = 0; i < threads.size(); ++i) taken[i] = threads[i].alive;
  for_each_reference([&](uint32_t word) {
    uint32_t number = (word & 0xffff) - 1;
    if (number < taken.size() && (word & 0x7fff'ffff) == thread_word(number)) taken[number] = true;
  });
  auto it = std::ranges::find(taken, false);
  if (it == taken.end()) return std::nullopt;
  return static_cast<uint32_t>(it - taken.begin());
}

void MachineImpl::escape(uint64_t value) {
  std::vector<DynamicObject*> work;
  auto mark = [&](uint64_t word) {
    DynamicObject* object = memory.find(word);
    if (!object || !object->alive || object->escaped) return;
    memory.set_escaped(*object, true);
    work.push_back(object);
  };
  mark(value);
  while (!work.empty()) {
    DynamicObject* object = work.back();
    work.pop_back();
    words_of(memory.bytes(*object), object->size, mark);
  }
}

void MachineImpl::escape_from_statics() {
  auto visit = [&](uint32_t word) { escape(word); };
  words_of(memory.image(), code.saved_bytes, visit);
  // What was stored in reachable objects while no thread could reach them.
  for (uint32_t a = 0; a < memory.area_count(); ++a)
    for (const DynamicObject& object : memory.objects(a))
      if (object.alive && object.escaped) words_of(memory.bytes(object), object.size, visit);
}

/// A pointer that is something else between where it is made and where it is used is not seen on its way (`~address`,
/// `array - 1`): then steps that looked private were not.
bool MachineImpl::hidden(const DynamicObject& object) const {
  return !object.escaped && Memory::area_of(object.address) / 2 != active;
}

void MachineImpl::scan_stored(const Target& target, uint64_t size) {
  // Words that overlap the bytes written; an earlier part of a pointer may already be there.
  uint64_t back = std::min<uint64_t>(target.offset, 3);
  uint64_t object_size = target.dynamic ? target.dynamic->size : target.offset + size + 3;
  if (!target.dynamic) {
    uint64_t room = static_cast<uint64_t>(memory.image() + code.saved_bytes - target.bytes);
    object_size = target.offset + std::min(room, size + 3);
  }
  uint64_t after = std::min<uint64_t>(object_size - target.offset, size + 3);
  words_of(target.bytes - back, back + after, [&](uint32_t word) { escape(word); });
}

void MachineImpl::collect() {
  if (memory.dead() == 0) return;
  std::vector<std::pair<uint32_t, uint32_t>> dead;  // begin and end of places
  for (uint32_t a = 0; a < memory.area_count(); ++a)
    for (const DynamicObject& object : memory.objects(a))
      if (!object.alive) dead.push_back({object.address, object.address + (object.place - 1)});
  std::vector<bool> referenced(dead.size(), false);
  uint32_t lowest = dead.front().first, highest = dead.back().second;
  auto visit = [&](uint32_t word) {
    if (word < lowest || word > highest) return;
    auto it =
        std::upper_bound(dead.begin(), dead.end(), word, [](uint32_t w, const auto& range) { return w < range.first; });
    if (it == dead.begin() || word > (it - 1)->second) return;
    referenced[static_cast<size_t>(it - 1 - dead.begin())] = true;
  };
  for_each_reference(visit);
  size_t next = 0;
  for (uint32_t a = 0; a < memory.area_count(); ++a)
    if (!memory.objects(a).empty()) memory.release(a, [&](const DynamicObject&) { return referenced[next++]; });
}

std::vector<const DynamicObject*> MachineImpl::unreachable_heap() const {
  std::vector<const DynamicObject*> work, lost;
  std::unordered_set<const DynamicObject*> reached;
  auto mark = [&](uint32_t word) {
    const DynamicObject* object = memory.find(word);
    if (object && object->alive && reached.insert(object).second) work.push_back(object);
  };
  for_each_word(mark);
  for (uint32_t a = 1; a < memory.area_count(); a += 2)
    for (const DynamicObject& object : memory.objects(a))
      if (object.alive) mark(object.address);
  while (!work.empty()) {
    const DynamicObject* object = work.back();
    work.pop_back();
    words_of(memory.bytes(*object), object->size, mark);
  }
  for (uint32_t a = 0; a < memory.area_count(); a += 2)
    for (const DynamicObject& object : memory.objects(a))
      if (object.alive && !reached.contains(&object)) lost.push_back(&object);
  return lost;
}

}  // namespace whittle::exec
