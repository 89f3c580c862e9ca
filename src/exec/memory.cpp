#include "exec/memory.h"

#include "exec/strays.h"

#include <algorithm>

namespace whittle::exec {
namespace {

// Thread 0 has the lower part, the others 32 MiB each; the last quarter of each is for stack objects. Between heap and stack
// of thread 0 lies the memory of no object.
constexpr uint32_t kMainHeap = 0x2000'0000, kMainStack = 0x6000'0000, kOthers = 0x8000'0000;
static_assert(kStrayEnd == kMainStack);
constexpr uint32_t kOtherShift = 25, kOtherHeap = 0x180'0000, kOtherSize = 1u << kOtherShift;

}  // namespace

Memory::Memory(const CodeImpl& code) : code_(code) {
  pool_.reserve(64);  // objects of no bytes have an address in it, too
  assert(code.options.max_threads >= 1 && code.options.max_threads <= 65);
  for (uint32_t t = 0; t < code.options.max_threads; ++t) {
    uint32_t base = t == 0 ? kMainHeap : kOthers + (t - 1) * kOtherSize;
    uint32_t heap = t == 0 ? static_cast<uint32_t>(kStrayBase) - kMainHeap : kOtherHeap;
    uint32_t stack = t == 0 ? kOthers - kMainStack : kOtherSize - kOtherHeap;
    areas_.push_back({base, heap, 0, {}});
    areas_.push_back({t == 0 ? kMainStack : base + heap, stack, static_cast<uint32_t>(code.thread_local_bytes), {}});
  }
  reset();
}

void Memory::reset() {
  image_ = code_.image;
  if (image_.empty()) image_.resize(1);
  clear_dynamic();
}

void Memory::clear_dynamic() {
  changed_ = true;
  links_.clear();
  if (count() == 0) {  // nothing to clear, and what is known of free places stays right
    pool_.clear();
    garbage_ = 0;
    return;
  }
  for (uint32_t i = 0; i < used_areas_; ++i) {
    areas_[i].objects.clear();
    areas_[i].lowest = i % 2 == 1 ? static_cast<uint32_t>(code_.thread_local_bytes) : 0;
  }
  used_areas_ = 0;
  pool_.clear();
  garbage_ = dead_ = live_ = escaped_ = live_bytes_ = 0;
}

uint32_t Memory::area_of(uint64_t address) {
  if (address < kMainStack) return 0;
  if (address < kOthers) return 1;
  uint32_t offset = static_cast<uint32_t>(address) - kOthers;
  return 2 * (1 + (offset >> kOtherShift)) + ((offset & (kOtherSize - 1)) >= kOtherHeap ? 1 : 0);
}

DynamicObject* Memory::find(uint64_t address) {
  if (address < kDynamicBase || address >= kDynamicEnd) return nullptr;
  uint32_t index = area_of(address);
  if (index >= areas_.size()) return nullptr;
  std::vector<DynamicObject>& objects = areas_[index].objects;
  auto it = std::upper_bound(objects.begin(), objects.end(), address,
                             [](uint64_t a, const DynamicObject& o) { return a < o.address; });
  if (it == objects.begin()) return nullptr;
  --it;
  return address - it->address < it->place ? &*it : nullptr;
}

const DynamicObject* Memory::next(uint64_t address) const {
  if (address >= kDynamicEnd) return nullptr;
  for (uint32_t index = address < kDynamicBase ? 0 : area_of(address); index < areas_.size(); ++index) {
    const std::vector<DynamicObject>& objects = areas_[index].objects;
    auto it = std::upper_bound(objects.begin(), objects.end(), address,
                               [](uint64_t a, const DynamicObject& o) { return a < o.address; });
    if (it != objects.end()) return &*it;
  }
  return nullptr;
}

uint32_t Memory::take_pool(uint64_t size) {
  uint64_t bytes = size + (size + 7) / 8;
  if (garbage_ > (1u << 16) && garbage_ > pool_.size() / 2) compact();
  uint64_t at = pool_.size();
  pool_.resize(at + bytes);
  return static_cast<uint32_t>(at);
}

void Memory::compact() {
  std::vector<uint8_t> pool;
  pool.reserve(64);
  for (uint32_t a = 0; a < used_areas_; ++a)
    for (DynamicObject& object : areas_[a].objects) {
      if (!object.alive) continue;
      size_t at = pool.size();
      const uint8_t* from = pool_.data() + object.pool;
      pool.insert(pool.end(), from, from + object.size + (object.size + 7) / 8);
      object.pool = static_cast<uint32_t>(at);
    }
  pool_.swap(pool);
  garbage_ = 0;
}

DynamicObject& Memory::insert(Area& area, size_t index, uint32_t address, uint64_t size, bool wide) {
  DynamicObject object;
  object.address = address;
  object.size = static_cast<uint32_t>(size);
  object.place = static_cast<uint32_t>(place_size(size, wide));
  object.wide = wide;
  object.pool = take_pool(size);
  ++live_;
  live_bytes_ += size;
  changed_ = true;
  used_areas_ = std::max(used_areas_, static_cast<uint32_t>(&area - areas_.data()) + 1);
  auto it = area.objects.insert(area.objects.begin() + static_cast<ptrdiff_t>(index), object);
  forget_contents(*it);
  return *it;
}

DynamicObject* Memory::allocate(uint32_t index, uint64_t size, uint64_t align) {
  DynamicObject* object = allocate(areas_[index], size, align, true);
  return object ? object : allocate(areas_[index], size, align, false);
}

DynamicObject* Memory::allocate(Area& area, uint64_t size, uint64_t align, bool wide) {
  uint64_t place = place_size(size, wide);
  if (align < 64) align = 64;
  auto round = [&](uint64_t at) { return (area.base + at + align - 1) / align * align - area.base; };
  // Everything below `lowest` is taken: go on with the first object that ends after it.
  std::vector<DynamicObject>& objects = area.objects;
  size_t i = static_cast<size_t>(
      std::upper_bound(objects.begin(), objects.end(), uint64_t{area.base} + area.lowest,
                       [](uint64_t a, const DynamicObject& o) { return a < uint64_t{o.address} + o.place; }) -
      objects.begin());
  uint64_t at = area.lowest;
  bool first = true;
  for (; i < objects.size(); ++i) {
    uint64_t begin = objects[i].address - area.base;
    if (round(at) + place <= begin) break;
    if (first && begin > at) first = false;  // a hole too small for this one
    at = std::max<uint64_t>(at, begin + objects[i].place);
    if (first) area.lowest = static_cast<uint32_t>(at);
  }
  at = round(at);
  if (at + place > area.size) return nullptr;
  return &insert(area, i, static_cast<uint32_t>(area.base + at), size, wide);
}

DynamicObject& Memory::allocate_at(uint32_t index, uint32_t address, uint64_t size) {
  Area& area = areas_[index];
  auto it = std::upper_bound(area.objects.begin(), area.objects.end(), address,
                             [](uint32_t a, const DynamicObject& o) { return a < o.address; });
  return insert(area, static_cast<size_t>(it - area.objects.begin()), address, size, true);
}

DynamicObject* Memory::place(uint32_t index, uint64_t address, uint64_t size) {
  Area& area = areas_[index];
  std::vector<DynamicObject>& objects = area.objects;
  if (address < area.base || address % 64 != 0 || address - area.base + size > area.size) return nullptr;
  auto it = std::lower_bound(objects.begin(), objects.end(), address,
                             [](const DynamicObject& o, uint64_t a) { return o.address < a; });
  if (it != objects.begin() && (it - 1)->alive && (it - 1)->address + uint64_t{(it - 1)->size} > address)
    return nullptr;
  while (it != objects.end() && (it->address == address || it->address < address + size)) {
    if (it->alive) return nullptr;
    --dead_;
    it = objects.erase(it);
  }
  return &insert(area, static_cast<size_t>(it - objects.begin()), static_cast<uint32_t>(address), size, true);
}

DynamicObject& Memory::allocate_again(const DynamicObject& ended, uint64_t size) {
  assert(!ended.alive && fits(ended, size));
  Area& area = areas_[area_of(ended.address)];
  const size_t index = static_cast<size_t>(&ended - area.objects.data());
  const uint32_t address = ended.address;
  const bool wide = ended.wide;
  area.objects.erase(area.objects.begin() + static_cast<ptrdiff_t>(index));
  --dead_;
  return insert(area, index, address, size, wide);
}

void Memory::end(DynamicObject& object) {
  assert(object.alive);
  changed_ = true;
  set_escaped(object, false);
  if (!links_.empty()) links_.leave(object.address, object.size);
  object.alive = false;
  object.uninitialised = 0;
  object.frame = object.sequence = 0;
  garbage_ += object.size + (object.size + 7) / 8;
  ++dead_;
  --live_;
  live_bytes_ -= object.size;
}

void Memory::set_escaped(DynamicObject& object, bool escaped) {
  if (object.escaped == escaped) return;
  changed_ = true;
  object.escaped = escaped;
  escaped_ += escaped ? 1 : uint64_t(-1);
}

void Memory::clear_escaped(uint32_t thread) {
  for (uint32_t a = 0; a < used_areas_; ++a)
    for (DynamicObject& object : areas_[a].objects) set_escaped(object, object.alive && a / 2 != thread);
}

void Memory::set_initialised(DynamicObject& object, uint32_t offset, uint32_t size) {
  if (object.uninitialised == 0) return;
  changed_ = true;
  if (!links_.empty()) links_.leave(object.address + offset, size);
  uint8_t* bits = shadow(object);
  for (uint32_t i = offset; i < offset + size; ++i) {
    uint8_t bit = static_cast<uint8_t>(1u << (i % 8));
    if (bits[i / 8] & bit) bits[i / 8] ^= bit, --object.uninitialised;
  }
}

void Memory::set_uninitialised(DynamicObject& object, uint32_t offset, uint32_t size) {
  changed_ = true;
  uint8_t* bits = shadow(object);
  for (uint32_t i = offset; i < offset + size; ++i) {
    uint8_t bit = static_cast<uint8_t>(1u << (i % 8));
    if (!(bits[i / 8] & bit)) bits[i / 8] |= bit, ++object.uninitialised;
    bytes(object)[i] = 0;
  }
}

void Memory::forget_contents(DynamicObject& object) {
  changed_ = true;
  std::memset(bytes(object), 0, object.size);
  std::memset(shadow(object), 0xff, (object.size + 7) / 8);
  if (object.size % 8 != 0) shadow(object)[object.size / 8] = static_cast<uint8_t>((1u << (object.size % 8)) - 1);
  object.uninitialised = object.size;
}

DynamicObject& Memory::append(uint32_t index, const DynamicObject& entry) {
  Area& area = areas_[index];
  changed_ = true;
  used_areas_ = std::max(used_areas_, index + 1);
  DynamicObject& object = area.objects.emplace_back(entry);
  const bool page = entry.kind == ObjectInfo::Kind::Static;
  object.place = page ? entry.size : static_cast<uint32_t>(place_size(entry.size, entry.wide));
  object.uninitialised = 0;
  if (!object.alive) {
    ++dead_;
    return object;
  }
  object.pool = take_pool(object.size);
  std::memset(shadow(object), 0, (object.size + 7) / 8);
  ++live_;
  live_bytes_ += object.size;
  if (object.escaped) ++escaped_;
  return object;
}

}  // namespace whittle::exec
