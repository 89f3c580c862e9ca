#include "engines/explicit/step_cache.h"

#include <algorithm>
#include <cassert>
#include <cstring>

#include "base/hash.h"

namespace whittle::engines::explicit_ {

namespace {

constexpr size_t kSlack = 16;  ///< bytes after a state that may be read
constexpr size_t kMostNodes = 1u << 20, kMostEntries = 1u << 19;

uint64_t low_bytes(uint64_t word, unsigned bytes) {
  return bytes >= 8 ? word : word & ((uint64_t{1} << 8 * bytes) - 1);
}

/// Up to kSlack bytes more may be copied, too.
void copy_with_slack(uint8_t* to, const uint8_t* from, size_t size) {
  for (size_t i = 0; i < size; i += kSlack) std::memcpy(to + i, from + i, kSlack);
}

/// Sizes of most variables, without a call.
void copy_few(uint8_t* to, const void* from, size_t size) {
  switch (size) {
    case 1: std::memcpy(to, from, 1); break;
    case 2: std::memcpy(to, from, 2); break;
    case 4: std::memcpy(to, from, 4); break;
    case 8: std::memcpy(to, from, 8); break;
    default: std::memcpy(to, from, size); break;
  }
}

void append_number(std::vector<uint8_t>& out, uint64_t value) {
  for (; value >= 0x80; value >>= 7) out.push_back(static_cast<uint8_t>(value | 0x80));
  out.push_back(static_cast<uint8_t>(value));
}

}  // namespace

uint64_t location_of(const exec::View& machine, uint32_t thread) {
  uint64_t hash = 0;
  for (uint32_t f = 0; f < machine.frame_count(thread); ++f) {
    auto frame = machine.frame(thread, f);
    hash = hash_combine(hash, uint64_t{frame.function} << 32 ^ frame.location);
  }
  return hash;
}

void StepCache::clear() {
  entries_.clear();
  index_.assign(1u << 10, 0);
  nodes_.assign(1, {});
  writes_.clear();
  children_.assign(1u << 10, {});
  child_count_ = 0;
  for (Snapshot& s : snapshots_) {
    s.entries.fill(kNone);
    s.threads_known = false;  // whoever knows the threads relies on their entries
  }
}

// The current state

void StepCache::start(Snapshot& s, size_t size) {
  s.size = static_cast<uint32_t>(size);
  if (s.bytes.size() < size + kSlack) s.bytes.resize(2 * (size + kSlack));
  s.threads_known = false;
}

void StepCache::set_threads(Snapshot& s, uint32_t count) {
  assert(count <= kMostThreads);
  s.thread_count = count;
  const uint32_t numbers = 1 + count + (s.inlined ? 0 : 1);
  s.statics = kHeader + (s.narrow ? 2 : 4) * numbers;
  std::fill_n(s.entries.begin(), count, kNone);
}

void StepCache::set(std::span<const uint8_t> machine_state) {
  if (nodes_.size() > kMostNodes || entries_.size() > kMostEntries) clear();
  place(machine_state);
}

void StepCache::place(std::span<const uint8_t> state) {
  Snapshot& s = *now_;
  machine_.bytes().split(state, parts_);
  s.numbered = parts_.scheduling && parts_.alive > 1;
  if (!s.numbered) {
    start(s, state.size());
    std::memcpy(s.bytes.data(), state.data(), state.size());
    return;
  }
  numbers_.assign(1, object_parts_.number(state.subspan(parts_.objects)));
  for (const exec::StateParts::Part& part : parts_.threads)
    numbers_.push_back(part.alive ? thread_parts_.number(state.subspan(part.begin, part.length)) : kEnded);
  const uint32_t fixed_end = machine_.bytes().fixed_end(), large_size = parts_.threads_begin - fixed_end;
  uint32_t large = kNone;
  if (large_size != 0 && large_size <= kLongestLarge)
    large = large_parts_.number(state.subspan(fixed_end, large_size), kMostLarge);
  const uint32_t end = large == kNone ? parts_.threads_begin : fixed_end;
  write(s, large, state.subspan(kMachineHeader, end - kMachineHeader));
}

/// numbers_ has those of the objects and of the threads.
void StepCache::write(Snapshot& s, uint32_t large, std::span<const uint8_t> statics) {
  const uint32_t threads = static_cast<uint32_t>(numbers_.size() - 1);
  s.numbered = true;
  s.inlined = large == kNone;
  if (!s.inlined) numbers_.push_back(large);
  s.narrow = std::ranges::all_of(numbers_, [](uint32_t n) { return n < kNarrowEnd || n == kEnded; });
  set_threads(s, threads);
  start(s, s.statics + statics.size());
  uint8_t* at = s.bytes.data();
  *at++ = static_cast<uint8_t>((s.narrow ? kNarrow : kWide) | (s.inlined ? kInline : 0));
  *at++ = static_cast<uint8_t>(threads);
  const unsigned width = s.narrow ? 2 : 4;  // kEnded is all ones in both
  for (uint32_t number : numbers_) std::memcpy(at, &number, width), at += width;
  if (!statics.empty()) std::memcpy(at, statics.data(), statics.size());
}

std::span<const uint8_t> StepCache::machine_state() {
  const Snapshot& s = *now_;
  if (!s.numbered) return bytes();
  std::vector<uint8_t>& out = machine_state_;
  out.assign(kMachineHeader, 0);
  out.insert(out.end(), s.bytes.begin() + s.statics, s.bytes.begin() + s.size);
  auto append = [&](std::span<const uint8_t> part) { out.insert(out.end(), part.begin(), part.end()); };
  if (!s.inlined) append(large_parts_[large_of(s)]);
  append_number(out, s.thread_count);
  for (uint32_t t = 0; t < s.thread_count; ++t)
    if (alive(t))
      append(thread_parts_[part_of(s, t)]);
    else
      out.push_back(0);
  append(object_parts_[objects_of(s)]);
  return out;
}

void StepCache::load(std::span<const uint8_t> bytes) {
  // Most often: the state before this one (which was known), this one (the step was pruned), or one further back.
  static constexpr uint32_t kBack[kLookBack] = {1, 0, 2, 3, 4, 5};
  for (uint32_t back : kBack) {
    Snapshot& s = snapshot(at_ - back);
    if (s.size != bytes.size() || std::memcmp(s.bytes.data(), bytes.data(), bytes.size()) != 0) continue;
    at_ -= back;
    now_ = &s;
    return;
  }
  Snapshot& s = *now_;
  start(s, bytes.size());
  std::memcpy(s.bytes.data(), bytes.data(), bytes.size());
  const uint8_t kind = s.bytes[0];
  s.numbered = kind >= kNarrow;
  if (!s.numbered) return;
  s.inlined = (kind & kInline) != 0;
  s.narrow = (kind & ~kInline) == kNarrow;
  set_threads(s, s.bytes[1]);
}

// Entries

uint64_t StepCache::hash(uint32_t thread, uint32_t part, uint32_t objects) {
  return hash_combine(uint64_t{part} << 32 | objects, thread);
}

uint32_t StepCache::find_entry(uint32_t thread) const {
  const uint32_t part = part_of(*now_, thread), objects = objects_of(*now_);
  const size_t mask = index_.size() - 1;
  for (size_t at = hash(thread, part, objects) & mask; index_[at] != 0; at = (at + 1) & mask) {
    const Entry& e = entries_[index_[at] - 1];
    if (e.part == part && e.thread == thread && e.objects == objects) return index_[at] - 1;
  }
  return kNone;
}

uint32_t StepCache::make_entry(uint32_t thread) {
  if (uint32_t known = entry(thread); known != kNone) return known;
  Snapshot& s = *now_;
  Entry e;
  e.thread = thread;
  e.part = part_of(s, thread);
  e.objects = objects_of(s);
  e.waits = machine_.pending(thread).kind == exec::Pending::Kind::Await;
  e.location = location_of(machine_, thread);
  e.step = private_.candidate(thread);
  if (private_.active()) {
    e.rest = &private_.rest_of(thread);
    for (uint32_t m = 0; m < private_.mutexes().size(); ++m) e.open.push_back(&private_.open_of(thread, m));
  }
  const uint32_t id = static_cast<uint32_t>(entries_.size());
  entries_.push_back(std::move(e));
  if (entries_.size() * 2 > index_.size()) {
    index_.assign(index_.size() * 2, 0);
    for (uint32_t i = 0; i < id; ++i) add_to_index(i);
  }
  add_to_index(id);
  return s.entries[thread] = id;
}

void StepCache::add_to_index(uint32_t id) {
  const Entry& e = entries_[id];
  const size_t mask = index_.size() - 1;
  size_t at = hash(e.thread, e.part, e.objects) & mask;
  while (index_[at] != 0) at = (at + 1) & mask;
  index_[at] = id + 1;
}

// Decision trees

inline uint32_t StepCache::find_child(uint32_t node, uint64_t value) const {
  const Node& n = nodes_[node];
  if (n.first_value[0] == value && n.first[0] != 0) return n.first[0];
  if (n.first[1] == 0) return 0;
  if (n.first_value[1] == value) return n.first[1];
  return find_in_table(node, value);
}

uint32_t StepCache::find_in_table(uint32_t node, uint64_t value) const {
  const size_t mask = children_.size() - 1;
  for (size_t at = hash_combine(node, value) & mask; children_[at].child != 0; at = (at + 1) & mask)
    if (children_[at].node == node && children_[at].value == value) return children_[at].child;
  return 0;
}

void StepCache::add_child(uint32_t node, uint64_t value, uint32_t child) {
  Node& n = nodes_[node];
  for (int i = 0; i < 2; ++i)
    if (n.first[i] == 0) {
      n.first[i] = child;
      n.first_value[i] = value;
      return;
    }
  add_to_table(node, value, child);
}

void StepCache::add_to_table(uint32_t node, uint64_t value, uint32_t child) {
  if (2 * (child_count_ + 1) > children_.size()) {
    std::vector<Child> old(children_.size() * 2);
    old.swap(children_);
    child_count_ = 0;
    for (const Child& c : old)
      if (c.child != 0) add_to_table(c.node, c.value, c.child);
  }
  const size_t mask = children_.size() - 1;
  size_t at = hash_combine(node, value) & mask;
  while (children_[at].child != 0) at = (at + 1) & mask;
  children_[at] = {value, node, child};
  ++child_count_;
}

inline uint64_t StepCache::value_at(const Node& node) const {
  uint64_t word;
  std::memcpy(&word, now_->bytes.data() + now_->statics + node.offset, sizeof word);
  return low_bytes(word, node.size);
}

/// The leaf for the current state; 0 if there is none yet.
uint32_t StepCache::follow(uint32_t node) const {
  while (node != 0 && nodes_[node].kind == Kind::Read) node = find_child(node, value_at(nodes_[node]));
  return node;
}

/// Adds the path of these reads with these values.
void StepCache::attach(uint32_t& root, std::span<const Node> reads, std::span<const uint64_t> values,
                       const Node& leaf) {
  uint32_t above = 0;  // the node whose child comes next; 0: the root
  for (size_t i = 0; i <= reads.size(); ++i) {
    uint32_t here = i == 0 ? root : find_child(above, values[i - 1]);
    if (here == 0) {
      here = static_cast<uint32_t>(nodes_.size());
      nodes_.push_back(i < reads.size() ? reads[i] : leaf);
      if (i == 0)
        root = here;
      else
        add_child(above, values[i - 1], here);
    }
    if (i == reads.size()) return;
    // The same reads in the same order, as long as they gave the same values.
    assert(nodes_[here].kind == Kind::Read && nodes_[here].offset == reads[i].offset &&
           nodes_[here].size == reads[i].size);
    above = here;
  }
}

// Waiting

std::optional<bool> StepCache::enabled(uint32_t entry) {
  const Entry& e = entries_[entry];
  if (!e.waits) return true;
  uint32_t leaf = follow(e.waiting);
  if (leaf == 0) return std::nullopt;
  return nodes_[leaf].kind == Kind::Yes;
}

void StepCache::learn_enabled(uint32_t entry, bool enabled) {
  Entry& e = entries_[entry];
  exec::Pending pending = machine_.pending(e.thread);
  if (pending.range_count != 1 || pending.ranges[0].size > 8) return;
  auto where = machine_.bytes().of_object(pending.ranges[0].address, pending.ranges[0].size);
  if (!where || where->begin + where->length > machine_.bytes().fixed_end()) return;
  Node read;
  read.offset = where->begin - kMachineHeader;
  read.size = static_cast<uint8_t>(where->length);
  Node leaf;
  leaf.kind = enabled ? Kind::Yes : Kind::No;
  const uint64_t value = value_at(read);
  attach(e.waiting, {&read, 1}, {&value, 1}, leaf);
}

// Steps

/// May a word that was written, wholly or in part, be a pointer?
bool StepCache::writes_pointer(const Node& node, const Snapshot& after) const {
  const uint8_t* statics = after.bytes.data() + after.statics;
  const uint32_t size = after.size - after.statics;
  for (uint32_t i = node.writes; i < node.write_end; ++i) {
    const uint32_t begin = std::max(writes_[i].offset, 3u) - 3;
    const uint32_t end = std::min(writes_[i].offset + writes_[i].size + 3, size);
    for (uint32_t at = begin; at + 4 <= end; ++at) {
      uint32_t word;
      std::memcpy(&word, statics + at, sizeof word);
      if (word >= program::layout::kDynamicBase) return true;
    }
  }
  return false;
}

StepCache::Answer StepCache::step(uint32_t thread, uint32_t entry) {
  const uint32_t leaf = follow(entries_[entry].steps);
  if (leaf == 0) return ++misses_, Answer::Unknown;
  const Node& node = nodes_[leaf];
  if (node.kind == Kind::Pruned) return ++hits_, Answer::Pruned;
  const Snapshot& from = *now_;
  Snapshot& to = snapshot(at_ + 1);
  const uint32_t part = entries_[node.next].part;
  if (from.narrow && part < kNarrowEnd) [[likely]] {
    start(to, from.size);
    copy_with_slack(to.bytes.data(), from.bytes.data(), from.size);
    to.numbered = to.narrow = true;
    to.inlined = from.inlined;
    to.thread_count = from.thread_count;
    to.statics = from.statics;
    std::memcpy(to.bytes.data() + kHeader + 2 * (1 + thread), &part, 2);
  } else {
    numbers_.assign(1, objects_of(from));
    for (uint32_t t = 0; t < from.thread_count; ++t) numbers_.push_back(t == thread ? part : part_of(from, t));
    write(to, large_of(from), {from.bytes.data() + from.statics, from.size - from.statics});
  }
  uint8_t* statics = to.bytes.data() + to.statics;
  for (uint32_t i = node.writes; i < node.write_end; ++i)
    copy_few(statics + writes_[i].offset, &writes_[i].value, writes_[i].size);
  if (node.scan && writes_pointer(node, to)) {
    to.size = 0;
    return ++misses_, Answer::Unknown;
  }
  std::copy_n(from.entries.begin(), from.thread_count, to.entries.begin());
  to.entries[thread] = node.next;
  ++at_;
  now_ = &to;
  return ++hits_, Answer::Moved;
}

/// Reads of bytes that the step had neither written nor read before, in pieces of at most eight bytes.
void StepCache::find_reads(const exec::Recording& recording) {
  reads_.clear();
  values_.clear();
  touched_.assign(machine_.bytes().fixed_end(), false);
  auto add = [&](uint32_t offset, uint32_t size) {
    Node read;
    read.offset = offset - kMachineHeader;
    read.size = static_cast<uint8_t>(size);
    reads_.push_back(read);
    values_.push_back(value_at(read));
  };
  for (const exec::Recording::Access& access : recording.accesses) {
    for (uint32_t at = access.offset; access.read && at < access.offset + access.size;) {
      uint32_t end = at;
      while (end < access.offset + access.size && end - at < 8 && !touched_[end]) ++end;
      if (end > at) add(at, end - at);
      at = std::max(end, at + 1);
    }
    std::fill_n(touched_.begin() + access.offset, access.size, true);
  }
}

void StepCache::learn(uint32_t thread, uint32_t entry, const exec::Recording& recording,
                      std::span<const uint8_t> after) {
  if (!recording.repeatable) {
    if (!after.empty()) set(after);
    return;
  }
  find_reads(recording);
  Node leaf;
  leaf.kind = Kind::Pruned;
  if (!after.empty()) {
    leaf.kind = Kind::Moved;
    leaf.scan = recording.confined;
    leaf.writes = static_cast<uint32_t>(writes_.size());
    for (const exec::Recording::Access& access : recording.accesses)
      for (uint32_t at = access.offset; access.write && at < access.offset + access.size; at += 8) {
        Write w{at - kMachineHeader, std::min<uint32_t>(8, access.offset + access.size - at), 0};
        std::memcpy(&w.value, after.data() + at, w.size);
        writes_.push_back(w);
      }
    leaf.write_end = static_cast<uint32_t>(writes_.size());
    const uint32_t objects = objects_of(*now_);
    place(after);
    assert(now_->numbered && objects_of(*now_) == objects);
    (void)objects;
    leaf.next = make_entry(thread);
  }
  attach(entries_[entry].steps, reads_, values_, leaf);
}

}  // namespace whittle::engines::explicit_
