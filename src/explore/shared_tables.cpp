#include "explore/shared_tables.h"

#include <algorithm>

namespace whittle::explore {

SharedInternTable::SharedInternTable(Rendezvous& rendezvous, unsigned threads, Budget* budget, Spill* spill, bool valued)
    : rendezvous_(rendezvous), budget_(budget), spill_(spill), valued_(valued), ids_(threads) {
  keys_.set_spill(spill);
  tags_.set_spill(spill);
  values_.set_spill(spill);
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
  if (slots_.size() != mask_ + 1) slots_ = ZeroedArray<std::atomic<uint32_t>>(mask_ + 1, spill_);
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
  if (bits_ == 32 || !make_room())
    full_ = true;
  else
    set_bits(bits_ + 1);
}

/// For an index of twice the size. In memory it is released before the new one is made; keys come one by one.
bool SharedInternTable::make_room() {
  const uint64_t more = slots_.bytes();
  if (spill_ != nullptr && !spill_->active() && budget_ != nullptr && !budget_->has_room(more)) spill_->begin();
  if (spill_ == nullptr || !spill_->active()) {
    if (budget_ != nullptr && !budget_->allows(more)) return false;
    slots_.release();
    return true;
  }
  move_to_files();
  const uint64_t limit = 2 * slots_.size() / 4 * 3;
  if (!keys_.extend(limit) || !tags_.extend(limit) || (valued_ && !values_.extend(limit))) return false;
  if (!spill_->wants(2 * more)) {
    slots_.release();
    return true;
  }
  ZeroedArray<std::atomic<uint32_t>> next(2 * slots_.size(), spill_);
  if (!next.in_file()) return false;
  slots_ = std::move(next);
  return true;
}

void SharedInternTable::move_to_files() {
  const uint64_t ids = next_id_.load(std::memory_order_relaxed);
  slots_.move_to_file(slots_.size());
  keys_.move_to_file(ids);
  tags_.move_to_file(tagged_.load(std::memory_order_relaxed) ? ids : 0);
  values_.move_to_file(valued_ ? ids : 0);
}

/// The new index is filled part by part, so that each fits into memory: what belongs to one place after the other is
/// written there at once, and keys are read from the beginning to the end.
uint64_t SharedInternTable::parts() const {
  if (!slots_.in_file()) return 1;
  const uint64_t part = spill_->part();
  return std::clamp<uint64_t>((slots_.bytes() + part - 1) / part, 1, 64);
}

void SharedInternTable::help() {
  if (full_) return;
  const uint64_t end = next_id_.load(std::memory_order_relaxed);
  const uint64_t shares = (end + kShare - 1) / kShare, parts = this->parts();
  for (;;) {
    const uint64_t number = next_share_.fetch_add(1, std::memory_order_relaxed);
    if (number >= shares * parts) return;
    const uint64_t part = number / shares, first = number % shares * kShare;
    for (uint64_t block = first; block < std::min(first + kShare, end); block += kBlock) {
      if (spill_ != nullptr && block % (8 * kBlock) == 0) spill_->relieve();  // each key may touch a page of its own
      for (uint64_t id = block; id < used_end(block); ++id) put(static_cast<uint32_t>(id), part, parts);
    }
  }
}

/// Of a block that was given to a thread: the ids from there on are not in use.
uint64_t SharedInternTable::used_end(uint64_t block) const {
  for (const std::vector<Ids>* list : {&ids_, &holes_})
    for (const Ids& ids : *list)
      if (ids.end == block + kBlock) return ids.next;
  return block + kBlock;
}

/// Into the new index, if its place is in this part of it.
void SharedInternTable::put(uint32_t id, uint64_t part, uint64_t parts) {
  const uint64_t hash = hash_of(keys_[id], tag(id));
  uint64_t at = hash >> shift_;
  if (parts != 1 && at * parts >> bits_ != part) return;
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
  if (spill_ != nullptr) out.between_pieces([this] { spill_->relieve(); });
  out.array(keys_.data(), ids);
  out.array(tags_.data(), tagged_.load(std::memory_order_relaxed) ? ids : 0);
  out.array(values_.data(), valued_ ? ids : 0);
  std::vector<uint32_t> holes;
  for (const Ids& hole : unused()) holes.insert(holes.end(), {hole.next, hole.end});
  out.array(holes.data(), holes.size());
}

void SharedInternTable::load(CheckpointReader& in) {
  const uint64_t ids = in.count(sizeof(uint64_t));
  if (spill_ != nullptr) in.between_pieces([this] { spill_->relieve(); });
  if (ids % kBlock != 0 || ids > uint64_t{3} << 30) in.damaged();
  unsigned bits = bits_;
  while (ids + ids_.size() * kBlock > (uint64_t{1} << bits) / 4 * 3 && bits < 32) ++bits;
  if (spill_ != nullptr && budget_ != nullptr && !budget_->has_room(ids * 20)) spill_->begin();
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

SharedTables::SharedTables(unsigned threads, Budget* budget, Spill* spill)
    : threads_(threads),
      budget_(budget),
      spill_(spill),
      roots_(rendezvous_, threads, budget, spill, true),
      lengths_(kMostShapes) {}

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
    if (levels_[level] == nullptr) levels_[level] = std::make_unique<SharedInternTable>(rendezvous_, threads_, budget_, spill_);
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

void SharedTables::move_to_files() {
  struct Move final : Growing {
    explicit Move(SharedTables& all) : tables(all) {}
    void prepare() override {
      tables.spill_->begin();
      tables.roots_.move_to_files();
      for (const auto& level : tables.levels_)
        if (level != nullptr) level->move_to_files();
    }
    void help() override {}
    SharedTables& tables;
  } move(*this);
  rendezvous_.grow(move);
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
