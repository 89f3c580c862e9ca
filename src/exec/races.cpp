#include "exec/races.h"

#include <algorithm>
#include <cassert>

namespace whittle::exec {
namespace {

uint64_t bit(uint32_t thread) {
  assert(thread < 64);
  return uint64_t{1} << thread;
}

bool conflict(uint8_t a, uint8_t b) {
  return ((a | b) & Access::kWrite) != 0 && (a & b & Access::kAtomic) == 0;
}

/// Whatever conflicts with the earlier access conflicts with the later one, too.
bool stands_for(uint8_t later, uint8_t earlier) {
  for (uint8_t other = 0; other < 4; ++other)
    if (conflict(earlier, other) && !conflict(later, other)) return false;
  return true;
}

}  // namespace

void RaceState::reset() {
  segments_.clear();
  alive_ = 1;
  clean_ = false;
}

/// Changes owners of all entries; those that are ordered before everything from now on go.
template <typename Change>
void RaceState::change_entries(Change change) {
  for (Segment& segment : segments_) {
    bool changed = false;
    for (Entry& entry : segment.entries) changed |= change(entry);
    if (!changed) continue;
    clean_ = false;
    std::erase_if(segment.entries, [&](const Entry& entry) { return ordered_before_all(entry); });
  }
  if (!clean_) std::erase_if(segments_, [](const Segment& segment) { return segment.entries.empty(); });
}

void RaceState::acquire(uint32_t thread, uint64_t address, uint64_t size) {
  change_entries([&](Entry& entry) {
    if (entry.threads & bit(thread)) return false;
    for (const Word& word : entry.words) {
      if (word.address >= address + size || address >= uint64_t{word.address} + word.size) continue;
      entry.threads |= bit(thread);
      return true;
    }
    return false;
  });
}

void RaceState::release(uint32_t thread, uint64_t address, uint64_t size) {
  const Word written{static_cast<uint32_t>(address), static_cast<uint32_t>(size)};
  change_entries([&](Entry& entry) {
    const bool owns = (entry.threads & bit(thread)) != 0;
    auto overwritten = [&](const Word& word) {
      return word.address >= address && uint64_t{word.address} + word.size <= address + size;
    };
    bool has = false, changed = false;
    for (const Word& word : entry.words) has |= word == written, changed |= overwritten(word) && word != written;
    changed |= has != owns;
    if (!changed) return false;
    std::erase_if(entry.words, overwritten);
    if (!owns) return true;
    auto at = std::ranges::find_if(entry.words, [&](const Word& word) { return word.address > address; });
    entry.words.insert(at, written);
    return true;
  });
}

size_t RaceState::split(uint64_t address) {
  auto it = std::ranges::partition_point(segments_, [&](const Segment& s) { return s.end <= address; });
  const size_t index = static_cast<size_t>(it - segments_.begin());
  if (it == segments_.end() || it->begin >= address) return index;
  Segment second{address, it->end, it->entries};
  it->end = address;
  segments_.insert(it + 1, std::move(second));
  return index + 1;
}

/// The access takes the place of those that it stands for.
void RaceState::replace(Segment& segment, uint32_t thread, const Access& access, const AccessSite& site) {
  std::erase_if(segment.entries, [&](const Entry& entry) {
    return (entry.threads & bit(thread)) != 0 && stands_for(access.kind, entry.kind);
  });
  Entry entry{access.kind, bit(thread), {}, site};
  if (access.shared && !ordered_before_all(entry)) segment.entries.push_back(std::move(entry));
}

const AccessSite* RaceState::access(uint32_t thread, const Access& access, const AccessSite& site) {
  if (access.size == 0) return nullptr;
  if (access.acquires()) acquire(thread, access.address, access.size);
  const uint64_t end = access.address + access.size;
  auto first = std::ranges::partition_point(segments_, [&](const Segment& s) { return s.end <= access.address; });
  for (auto it = first; it != segments_.end() && it->begin < end; ++it)
    for (const Entry& entry : it->entries)
      if (conflict(entry.kind, access.kind) && !(entry.threads & bit(thread))) return &entry.site;
  const bool alone = alive_ == bit(thread);
  const bool meets = first != segments_.end() && first->begin < end;
  if (meets || (access.shared && !alone)) {
    clean_ = false;
    size_t index = split(access.address);
    split(end);
    for (uint64_t at = access.address; at < end; ++index) {
      if (index == segments_.size() || segments_[index].begin > at) {
        const uint64_t until = index == segments_.size() ? end : std::min(end, segments_[index].begin);
        segments_.insert(segments_.begin() + static_cast<ptrdiff_t>(index), Segment{at, until, {}});
      }
      replace(segments_[index], thread, access, site);
      at = segments_[index].end;
    }
    std::erase_if(segments_, [](const Segment& segment) { return segment.entries.empty(); });
  }
  if (access.releases()) release(thread, access.address, access.size);
  return nullptr;
}

void RaceState::spawned(uint32_t thread, uint32_t child) {
  assert(!(alive_ & bit(child)));
  alive_ |= bit(child);
  change_entries([&](Entry& entry) {
    if (!(entry.threads & bit(thread))) return false;
    entry.threads |= bit(child);
    return true;
  });
}

void RaceState::ended(uint32_t thread) {
  alive_ &= ~bit(thread);
  change_entries([&](Entry& entry) {
    entry.threads &= ~bit(thread);
    return true;
  });
}

void RaceState::forget(uint64_t address, uint64_t size) {
  if (segments_.empty()) return;
  const size_t first = split(address), last = split(address + size);
  segments_.erase(segments_.begin() + static_cast<ptrdiff_t>(first), segments_.begin() + static_cast<ptrdiff_t>(last));
  clean_ = false;
  change_entries([&](Entry& entry) {
    return std::erase_if(entry.words, [&](const Word& word) {
             return word.address < address + size && address < uint64_t{word.address} + word.size;
           }) != 0;
  });
}

// The number of segments, then for each: gap since the one before, length, number of entries; of each entry: kind,
// threads, number of words, the words. Neighbours with equal entries are written as one, in whatever pieces they came.
const Bytes& RaceState::encode() {
  if (clean_) return encoded_;
  clean_ = true;
  auto before = [](const Entry& a, const Entry& b) {
    if (a.kind != b.kind) return a.kind < b.kind;
    if (a.threads != b.threads) return a.threads < b.threads;
    return std::ranges::lexicographical_compare(a.words, b.words, [](const Word& x, const Word& y) {
      return x.address != y.address ? x.address < y.address : x.size < y.size;
    });
  };
  auto continues = [&](size_t i) {
    return i > 0 && segments_[i - 1].end == segments_[i].begin &&
           std::ranges::equal(segments_[i - 1].entries, segments_[i].entries,
                              [](const Entry& a, const Entry& b) { return a.same(b); });
  };
  size_t count = 0;
  for (size_t i = 0; i < segments_.size(); ++i) {
    std::ranges::sort(segments_[i].entries, before);
    count += continues(i) ? 0 : 1;
  }
  encoded_.start(Bytes::kLongestNumber);
  encoded_.put_number(count);
  uint64_t last = 0;
  for (size_t i = 0; i < segments_.size();) {
    const Segment& segment = segments_[i];
    size_t end = i + 1;
    while (end < segments_.size() && continues(end)) ++end;
    encoded_.reserve(3 * Bytes::kLongestNumber);
    encoded_.put_number(segment.begin - last);
    encoded_.put_number(segments_[end - 1].end - segment.begin);
    encoded_.put_number(segment.entries.size());
    last = segments_[end - 1].end;
    for (const Entry& entry : segment.entries) {
      encoded_.reserve((3 + 2 * entry.words.size()) * Bytes::kLongestNumber);
      encoded_.put(entry.kind);
      encoded_.put_number(entry.threads);
      encoded_.put_number(entry.words.size());
      for (const Word& word : entry.words) encoded_.put_number(word.address), encoded_.put_number(word.size);
    }
    i = end;
  }
  return encoded_;
}

void RaceState::decode(const uint8_t* bytes, size_t size, uint64_t alive) {
  alive_ = alive;
  if (clean_ && encoded_.equals(bytes, size)) return;
  encoded_.start(size);
  encoded_.put(bytes, size);
  clean_ = true;
  Reader in{bytes, bytes + size};
  segments_.resize(in.number());
  uint64_t last = 0;
  for (Segment& segment : segments_) {
    segment.begin = last + in.number();
    last = segment.end = segment.begin + in.number();
    segment.entries.resize(in.number());
    for (Entry& entry : segment.entries) {
      entry.kind = *in.at++;
      entry.threads = in.number();
      entry.words.resize(in.number());
      for (Word& word : entry.words) {
        word.address = static_cast<uint32_t>(in.number());
        word.size = static_cast<uint32_t>(in.number());
      }
      entry.site = {};
    }
  }
  assert(in.at == in.end);
}

}  // namespace whittle::exec
