// Static and dynamic objects of a running program.
//
// Dynamic objects live in areas: two for every thread number, one for what the thread allocates on the heap and one for
// its thread-local and stack objects. An object takes the lowest free place of its area, so addresses do not depend on
// what other threads allocated before. Places are multiples of 64 bytes with a gap after the object, at least
// 1 KiB as long as the area has room for that, then 32 bytes. An object that ended keeps its place (as a dead entry)
// until nothing in the state can be a pointer into it.
#pragma once

#include <cassert>
#include <cstdint>
#include <cstring>
#include <vector>

#include "exec/instruction.h"
#include "exec/links.h"
#include "exec/machine.h"

namespace whittle::exec {

struct DynamicObject {
  uint32_t address = 0;
  uint32_t size = 0;
  uint32_t place = 0;          ///< bytes from address to the end of its place
  uint32_t pool = 0;           ///< of its bytes in the pool; after them one bit per byte: not initialised
  uint32_t uninitialised = 0;  ///< number of such bits
  uint32_t frame = 0;          ///< stack: index of the frame it dies with
  uint32_t sequence = 0;       ///< stack: number among the objects of that frame
  ObjectInfo::Kind kind = ObjectInfo::Kind::Heap;
  bool alive = true;
  bool escaped = false;  ///< other threads may reach it
  bool wide = true;      ///< its place was made with a wide gap
  // For messages only, not part of states:
  program::FunctionId site_function = program::kNone;
  uint32_t site_edge = program::kNone;
};

constexpr uint64_t kDynamicBase = program::layout::kDynamicBase;
constexpr uint64_t kDynamicEnd = uint64_t{1} << 32;

struct Area {
  uint32_t base = 0;
  uint32_t size = 0;
  uint32_t lowest = 0;                 ///< no free place below this offset (only to find places faster)
  std::vector<DynamicObject> objects;  ///< by address
};

class Memory {
 public:
  explicit Memory(const CodeImpl& code);
  void reset();

  uint8_t* image() { return image_.data(); }
  const uint8_t* image() const { return image_.data(); }
  /// Areas from here on have no objects.
  uint32_t area_count() const { return used_areas_; }
  std::vector<DynamicObject>& objects(uint32_t area) { return areas_[area].objects; }
  const std::vector<DynamicObject>& objects(uint32_t area) const { return areas_[area].objects; }
  uint32_t area_base(uint32_t area) const { return areas_[area].base; }
  uint32_t area_size(uint32_t area) const { return areas_[area].size; }
  static uint32_t heap_area(uint32_t thread) { return 2 * thread; }
  static uint32_t stack_area(uint32_t thread) { return 2 * thread + 1; }
  static uint32_t area_of(uint64_t address);

  /// The object in whose place the address lies, alive or dead.
  DynamicObject* find(uint64_t address);
  const DynamicObject* find(uint64_t address) const { return const_cast<Memory*>(this)->find(address); }

  /// The first object that begins after the address, alive or dead.
  const DynamicObject* next(uint64_t address) const;

  /// Null: no room in the area. The object is not initialised.
  DynamicObject* allocate(uint32_t area, uint64_t size, uint64_t align);
  /// The thread-local object at a fixed address: it must not exist yet.
  DynamicObject& allocate_at(uint32_t area, uint32_t address, uint64_t size);
  /// Where nothing lives, in the area; what died there is forgotten. Null: something lives there.
  DynamicObject* place(uint32_t area, uint64_t address, uint64_t size);
  /// A new object where one ended. Requires that it fits().
  DynamicObject& allocate_again(const DynamicObject& ended, uint64_t size);
  bool fits(const DynamicObject& ended, uint64_t size) const { return place_size(size, ended.wide) <= ended.place; }
  void end(DynamicObject& object);

  /// Has a dynamic object, or what is known about one, changed since settle()? Whoever writes bytes of one says
  /// touch().
  bool changed() const { return changed_; }
  void touch() { changed_ = true; }
  void settle() { changed_ = false; }

  uint8_t* bytes(const DynamicObject& object) { return pool_.data() + object.pool; }
  const uint8_t* bytes(const DynamicObject& object) const { return pool_.data() + object.pool; }
  uint8_t* shadow(const DynamicObject& object) { return pool_.data() + object.pool + object.size; }
  const uint8_t* shadow(const DynamicObject& object) const { return pool_.data() + object.pool + object.size; }
  bool initialised(const DynamicObject& object, uint32_t offset) const {
    return object.uninitialised == 0 || !(shadow(object)[offset / 8] >> (offset % 8) & 1);
  }
  void set_initialised(DynamicObject& object, uint32_t offset, uint32_t size);
  void set_uninitialised(DynamicObject& object, uint32_t offset, uint32_t size);
  /// Which bytes without a value are copies of one another. Those that get a value or end leave it by themselves.
  Links& links() { return links_; }
  const Links& links() const { return links_; }
  /// Of all its bytes; also zeroes them, so that equal states have equal bytes.
  void forget_contents(DynamicObject& object);

  uint64_t dead() const { return dead_; }
  uint64_t count() const { return dead_ + live_; }
  uint64_t live_bytes() const { return live_bytes_; }
  uint64_t confined() const { return live_ - escaped_; }  ///< live objects that have not escaped
  void set_escaped(DynamicObject& object, bool escaped);
  /// One thread is left: no one else can reach its own objects. Those that others made stay reachable, so that whatever
  /// has not escaped belongs to the thread of its area.
  void clear_escaped(uint32_t thread);

  /// Drops the dead entries of an area for which `referenced(object)` is false.
  template <typename Predicate>
  void release(uint32_t area, Predicate referenced) {
    Area& a = areas_[area];
    size_t kept = 0;
    for (size_t i = 0; i < a.objects.size(); ++i) {
      if (!a.objects[i].alive && !referenced(a.objects[i])) {
        --dead_;
        changed_ = true;
        if (a.objects[i].address - a.base < a.lowest) a.lowest = a.objects[i].address - a.base;
        continue;
      }
      if (kept != i) a.objects[kept] = a.objects[i];
      ++kept;
    }
    a.objects.resize(kept);
  }

  /// For load(): all dynamic objects away; then append() them in order of address.
  void clear_dynamic();
  DynamicObject& append(uint32_t area, const DynamicObject& entry);

 private:
  DynamicObject* allocate(Area& area, uint64_t size, uint64_t align, bool wide);
  DynamicObject& insert(Area& area, size_t index, uint32_t address, uint64_t size, bool wide);
  uint32_t take_pool(uint64_t size);
  void compact();

  const CodeImpl& code_;
  std::vector<uint8_t> image_;
  std::vector<uint8_t> pool_;
  uint64_t garbage_ = 0;  ///< bytes of the pool that belong to no live object
  std::vector<Area> areas_;
  Links links_;
  uint32_t used_areas_ = 0;
  bool changed_ = true;
  uint64_t dead_ = 0, live_ = 0, escaped_ = 0, live_bytes_ = 0;
};

}  // namespace whittle::exec
