#include "explore/shared_tables.h"

#include <algorithm>

namespace whittle::explore {

SharedInternTable::SharedInternTable(Rendezvous& rendezvous, unsigned threads, Budget* budget, bool valued)
    : rendezvous_(rendezvous), budget_(budget), valued_(valued), ids_(threads) {
  unsigned bits = kFirstBits;
  while ((uint64_t{1} << bits) < 2 * uint64_t{threads} * kBlock) ++bits;
  set_bits(bits);
}

void SharedInternTable::set_bits(unsigned bits) {
  bits_ = bits;
  shift_ = 64 - bits;
  mask_ = (uint64_t{1} << bits) - 1;
  id_mask_ = static_cast<uint32_t>(mask_);
  limit_ = (mask_ + 1) / 4 * 3;
  slots_ = ZeroedArray<std::atomic<uint32_t>>(mask_ + 1);
  keys_.extend(limit_);
  tags_.extend(limit_);
  if (valued_) values_.extend(limit_);
}

bool SharedInternTable::more_ids(Ids& ids) {
  for (;;) {
    uint64_t first = next_id_.load(std::memory_order_relaxed);
    while (first + kBlock <= limit_)
      if (next_id_.compare_exchange_weak(first, first + kBlock, std::memory_order_relaxed)) {
        ids = {static_cast<uint32_t>(first), static_cast<uint32_t>(first + kBlock)};
        return true;
      }
    if (full_) return false;
    rendezvous_.grow(*this);
  }
}

void SharedInternTable::prepare() {
  next_share_.store(0, std::memory_order_relaxed);
  // The index is released before the new one is made; keys come one by one.
  if (bits_ == 32 || (budget_ != nullptr && !budget_->allows(slots_.bytes()))) {
    full_ = true;
    return;
  }
  slots_.release();
  set_bits(bits_ + 1);
}

void SharedInternTable::help() {
  if (full_) return;
  const uint64_t end = next_id_.load(std::memory_order_relaxed);
  for (;;) {
    const uint64_t first = next_share_.fetch_add(kShare, std::memory_order_relaxed);
    if (first >= end) return;
    for (uint64_t block = first; block < std::min(first + kShare, end); block += kBlock)
      for (uint64_t id = block; id < used_end(block); ++id) put(static_cast<uint32_t>(id));
  }
}

/// Of a block that was given to a thread: the ids from there on are not in use.
uint64_t SharedInternTable::used_end(uint64_t block) const {
  for (const std::vector<Ids>* list : {&ids_, &holes_})
    for (const Ids& ids : *list)
      if (ids.end == block + kBlock) return ids.next;
  return block + kBlock;
}

/// Into the new index.
void SharedInternTable::put(uint32_t id) {
  const uint64_t hash = hash_of(keys_[id], tag(id));
  uint64_t at = hash >> shift_;
  for (uint32_t free = 0; !slots_[at].compare_exchange_strong(free, fingerprint(hash) | (id + 1)); free = 0)
    at = (at + 1) & mask_;
}

uint64_t SharedInternTable::size() const {
  uint64_t size = next_id_.load(std::memory_order_relaxed);
  for (const Ids& ids : unused()) size -= ids.end - ids.next;
  return size;
}

std::vector<SharedInternTable::Ids> SharedInternTable::unused() const {
  std::vector<Ids> all = holes_;
  for (const Ids& ids : ids_)
    if (ids.next != ids.end) all.push_back(ids);
  return all;
}

void SharedInternTable::save(CheckpointWriter& out) const {
  const uint64_t ids = next_id_.load(std::memory_order_relaxed);
  out.array(keys_.data(), ids);
  out.array(tags_.data(), tagged_.load(std::memory_order_relaxed) ? ids : 0);
  out.array(values_.data(), valued_ ? ids : 0);
  std::vector<uint32_t> holes;
  for (const Ids& hole : unused()) holes.insert(holes.end(), {hole.next, hole.end});
  out.array(holes.data(), holes.size());
}

void SharedInternTable::load(CheckpointReader& in) {
  const uint64_t ids = in.count(sizeof(uint64_t));
  if (ids % kBlock != 0 || ids > uint64_t{3} << 30) in.damaged();
  unsigned bits = bits_;
  while (ids + ids_.size() * kBlock > (uint64_t{1} << bits) / 4 * 3 && bits < 32) ++bits;
  slots_.release();
  set_bits(bits);
  in.bytes(keys_.data(), ids * sizeof(uint64_t));
  const uint64_t tags = in.count(sizeof(uint16_t));
  if (tags != 0 && tags != ids) in.damaged();
  in.bytes(tags_.data(), tags * sizeof(uint16_t));
  tagged_.store(tags != 0, std::memory_order_relaxed);
  const uint64_t values = in.count(sizeof(uint32_t));
  if (values != (valued_ ? ids : 0)) in.damaged();
  in.bytes(values_.data(), values * sizeof(uint32_t));
  const std::vector<uint32_t> holes = in.array<uint32_t>();
  for (size_t i = 0; i + 1 < holes.size(); i += 2) {
    if (holes[i] >= holes[i + 1] || holes[i + 1] > ids || holes[i + 1] % kBlock != 0) in.damaged();
    holes_.push_back({holes[i], holes[i + 1]});
  }
  next_id_.store(ids, std::memory_order_relaxed);
  next_share_.store(0, std::memory_order_relaxed);
  help();
}

uint64_t SharedInternTable::bytes() const {
  const uint64_t ids = next_id_.load(std::memory_order_relaxed);
  return slots_.bytes() + ids * (8 + (tagged_.load(std::memory_order_relaxed) ? 2 : 0) + (valued_ ? 4 : 0));
}

SharedTables::SharedTables(unsigned threads, Budget* budget)
    : threads_(threads), budget_(budget), roots_(rendezvous_, threads, budget, true), lengths_(kMostShapes) {}

bool SharedTables::shape_of(uint64_t length, bool add, uint32_t& shape) {
  std::lock_guard lock(mutex_);
  if (auto known = shapes_.find(length); known != shapes_.end()) {
    shape = known->second;
    return true;
  }
  if (!add || shapes_.size() == kMostShapes) return false;
  shape = static_cast<uint32_t>(shapes_.size());
  lengths_[shape] = static_cast<uint32_t>(length);
  for (uint64_t words = (length + 7) / 8, level = 0; words > 1; words = (words + 1) / 2, ++level)
    if (levels_[level] == nullptr) levels_[level] = std::make_unique<SharedInternTable>(rendezvous_, threads_, budget_);
  shapes_.emplace(length, shape);
  return true;
}

uint64_t SharedTables::bytes() const {
  std::lock_guard lock(mutex_);
  uint64_t total = roots_.bytes();
  for (const auto& level : levels_)
    if (level != nullptr) total += level->bytes();
  return total;
}

void SharedTables::save(CheckpointWriter& out) const {
  out.array(lengths_.data(), shapes_.size());
  roots_.save(out);
  for (const auto& level : levels_)
    if (level != nullptr) level->save(out);
}

void SharedTables::load(CheckpointReader& in) {
  for (uint32_t length : in.array<uint32_t>()) {
    uint32_t shape;
    if (!shape_of(length, true, shape)) in.damaged();
  }
  roots_.load(in);
  for (const auto& level : levels_)
    if (level != nullptr) level->load(in);
}

}  // namespace whittle::explore
