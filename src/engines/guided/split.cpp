#include "engines/guided/split.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <new>

#include "base/hash.h"

namespace whittle::engines::guided {

namespace {

constexpr unsigned kPatience = 1'000'000;  ///< looks at a slot that another process is writing

}  // namespace

void Way::add(uint64_t what) {
  first = hash_mix(first ^ what) + 0x9e3779b97f4a7c15u;
  second = hash_mix(second + (what ^ 0xc2b2ae3d27d4eb4fu) * 0xff51afd7ed558ccdu) ^ (first << 1 | 1);
}

Subtrees::Subtrees() {
  void* memory = ::mmap(nullptr, kSlots * sizeof(Slot) + 2 * sizeof(Text), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  slots_ = static_cast<Slot*>(memory);
  bound_ = reinterpret_cast<Text*>(slots_ + kSlots);
  incomplete_ = bound_ + 1;
}

Subtrees::~Subtrees() { ::munmap(slots_, kSlots * sizeof(Slot) + 2 * sizeof(Text)); }

void Subtrees::clear() {
  for (uint64_t i = 0; i < kSlots; ++i)
    if (slots_[i].first.load(std::memory_order_relaxed) != 0) slots_[i].first = slots_[i].second = slots_[i].done = 0;
  bound_->state = incomplete_->state = 0;
}

void Subtrees::forget_claims() {
  const std::vector<Way> done = all_done();
  for (uint64_t i = 0; i < kSlots; ++i)
    if (slots_[i].first.load(std::memory_order_relaxed) != 0) slots_[i].first = slots_[i].second = slots_[i].done = 0;
  restore(done);
}

/// Its slot; null: it is not there, and there is no room for it near where it should be, or another process does not get on with writing there.
Subtrees::Slot* Subtrees::find(const Way& way, bool add, bool& added) const {
  const uint64_t first = way.first | 1, second = way.second | 1;
  added = false;
  for (uint64_t at = way.first >> 40, probes = 0; probes < kMostProbes; ++at, ++probes) {
    Slot& slot = slots_[at % kSlots];
    uint64_t there = slot.first.load(std::memory_order_acquire);
    if (there == 0) {
      if (!add) return nullptr;
      if (slot.first.compare_exchange_strong(there, first, std::memory_order_acq_rel)) {
        slot.second.store(second, std::memory_order_release);
        added = true;
        return &slot;
      }
    }
    if (there != first) continue;
    uint64_t rest = 0;
    for (unsigned looks = 0; looks < kPatience && (rest = slot.second.load(std::memory_order_acquire)) == 0; ++looks) {
    }
    if (rest == second) return &slot;
    if (rest == 0) return nullptr;
  }
  return nullptr;
}

bool Subtrees::claim(const Way& way) {
  bool added = false;
  return find(way, true, added) == nullptr || added;  // without a slot everyone explores it
}

void Subtrees::done(const Way& way) {
  bool added = false;
  if (Slot* slot = find(way, false, added)) slot->done.store(1, std::memory_order_release);
}

std::vector<Way> Subtrees::all_done() const {
  std::vector<Way> all;
  for (uint64_t i = 0; i < kSlots; ++i)
    if (slots_[i].done.load(std::memory_order_acquire) != 0) all.push_back({slots_[i].first, slots_[i].second});
  return all;
}

void Subtrees::restore(const std::vector<Way>& done) {
  bool added = false;
  for (const Way& way : done)
    if (Slot* slot = find(way, true, added)) slot->done = 1;
}

void Subtrees::Text::set(const std::string& text) {
  uint32_t empty = 0;
  if (!state.compare_exchange_strong(empty, 1)) return;
  std::memcpy(letters, text.data(), std::min(text.size(), sizeof letters - 1));
  letters[std::min(text.size(), sizeof letters - 1)] = 0;
  state.store(2, std::memory_order_release);
}

/// One that is being written, or that its writer could not end, is there all the same.
std::string Subtrees::Text::get() const {
  switch (state.load(std::memory_order_acquire)) {
    case 0: return "";
    case 1: return "(not told to the end)";
    default: return letters;
  }
}

}  // namespace whittle::engines::guided
