#include "engines/merge/memory.h"

#include <algorithm>
#include <cassert>

#include "base/error.h"
#include "base/hash.h"

namespace whittle::engines::merge {

namespace {

// Where the concrete machine has room for objects of the first thread (docs/machine.md).
constexpr uint64_t kHeapBegin = 0x2000'0000, kHeapEnd = 0x6000'0000, kStackEnd = 0x8000'0000;
constexpr uint64_t kAlign = 64;          ///< of places
constexpr uint64_t kLeastGap = 1024;     ///< bytes between two objects that belong to neither
constexpr uint64_t kMostGap = 1 << 16;   ///< it grows with the object up to that
constexpr uint64_t kReach = 1 << 20;     ///< a constant farther away from an object does not mean it
constexpr uint64_t kThreadLocals = 1 << 20;  ///< kept free for them at the begin of the stack's area

uint64_t gap(uint64_t capacity) { return std::clamp(capacity, kLeastGap, kMostGap); }

}  // namespace

Objects::Objects(const program::Program& program, const std::vector<uint64_t>& thread_local_addresses)
    : program_(program) {
  term::Store& store = program.terms();
  for (program::ObjectId id = 0; id < program.objects.size(); ++id) {
    const program::Object& o = program.objects[id];
    const uint64_t address = o.thread_local_ ? thread_local_addresses[id] : o.address;
    if (o.thread_local_) thread_locals_[id] = static_cast<ObjectNumber>(objects_.size());
    by_address_.emplace(address, static_cast<ObjectNumber>(objects_.size()));
    objects_.push_back({address, o.size, store.constant(program.pointer_width(), o.size), false, o.constant, true,
                        objects_.size()});
    sources_.push_back(id);
  }
  restart();
}

void Objects::restart() {
  std::erase_if(by_address_, [&](const auto& entry) { return entry.second >= sources_.size(); });
  objects_.resize(sources_.size());
  made_.clear();
  uint64_t heap = kHeapBegin, stack = kHeapEnd + kThreadLocals;
  for (const auto& [key, place] : placed_) {
    uint64_t& next = place.heap ? heap : stack;
    next = std::max(next, place.address + place.capacity + gap(place.capacity));
  }
  areas_[0] = {(heap + kAlign - 1) / kAlign * kAlign, kHeapEnd};
  areas_[1] = {(stack + kAlign - 1) / kAlign * kAlign, kStackEnd};
}

std::optional<ObjectNumber> Objects::near(uint64_t address) const {
  auto after = by_address_.upper_bound(address);
  const bool has_after = after != by_address_.end() && after->first - address <= kReach;
  if (after == by_address_.begin()) return has_after ? std::optional(after->second) : std::nullopt;
  auto before = std::prev(after);
  const uint64_t end = before->first + objects_[before->second].capacity;
  if (address <= end) return before->second;
  if (address - end > kReach) return has_after ? std::optional(after->second) : std::nullopt;
  // A gap is shared half and half, so that new objects do not change whose it is: they have gaps of their own.
  if (has_after && after->first - address < address - end) return after->second;
  return before->second;
}

std::optional<ObjectNumber> Objects::make(Object object, uint64_t key, bool shared) {
  for (auto made = made_.find(key); made != made_.end(); key = hash_mix(key), made = made_.find(key)) {
    const Object& o = objects_[made->second];
    if (shared && o.heap == object.heap && o.capacity == object.capacity && o.size == object.size && o.site == object.site)
      return made->second;
  }
  const uint64_t capacity = object.capacity;
  auto known = placed_.find(key);
  if (known != placed_.end() && known->second.heap == object.heap && known->second.capacity >= capacity) {
    object.address = known->second.address;
  } else {
    Area& area = areas_[object.heap ? 0 : 1];
    if (capacity > area.end - area.next || area.end - area.next - capacity < gap(capacity)) return std::nullopt;
    object.address = area.next;
    area.next += (capacity + gap(capacity) + kAlign - 1) / kAlign * kAlign;
    placed_[key] = {object.address, capacity, object.heap};
  }
  const auto number = static_cast<ObjectNumber>(objects_.size());
  objects_.push_back(object);
  made_.emplace(key, number);
  if (!by_address_.emplace(object.address, number).second) fail_internal("an address is given twice");
  return number;
}

const Content& Objects::initial(ObjectNumber n) {
  assert(n < sources_.size());
  auto [it, fresh] = initial_.try_emplace(n);
  if (fresh) it->second = Content::of(program_.terms(), program_.objects[sources_[n]].initial);
  return it->second;
}

std::vector<Memory::Held>& Memory::own() {
  if (held_.use_count() > 1) held_ = std::make_shared<std::vector<Held>>(*held_);
  return *held_;
}

namespace {
constexpr auto kByNumber = [](const Memory::Held& held, ObjectNumber n) { return held.object < n; };
}

const Memory::Held* Memory::find(ObjectNumber n) const {
  auto it = std::lower_bound(held_->begin(), held_->end(), n, kByNumber);
  return it != held_->end() && it->object == n ? &*it : nullptr;
}

void Memory::add(Held held) {
  std::vector<Held>& all = own();
  all.insert(std::lower_bound(all.begin(), all.end(), held.object, kByNumber), std::move(held));
}

void Memory::end(ObjectNumber n) {
  if (!find(n)) return;
  std::vector<Held>& all = own();
  all.erase(std::lower_bound(all.begin(), all.end(), n, kByNumber));
}

void Memory::set_alive(ObjectNumber n, Term alive) {
  if (alive.is_false()) return end(n);
  std::vector<Held>& all = own();
  std::lower_bound(all.begin(), all.end(), n, kByNumber)->alive = alive;
}

Content& Memory::writable(ObjectNumber n, Objects& objects, term::Store& store) {
  if (!find(n)) add({n, store.truth(), std::make_shared<Content>(objects.initial(n))});
  std::vector<Held>& all = own();
  std::shared_ptr<Content>& content = std::lower_bound(all.begin(), all.end(), n, kByNumber)->content;
  if (content.use_count() > 1) content = std::make_shared<Content>(*content);
  return *content;
}

}  // namespace whittle::engines::merge
