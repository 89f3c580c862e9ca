#include "exec/races.h"

#include <algorithm>
#include <cassert>

#include "program/word_access.h"

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

/// How a state that has more than threads and words says so, in the byte of the kind.
constexpr uint8_t kMore = 4;

}  // namespace

WeakOrders weak_orders(const program::Program& program) {
  using program::Kind;
  bool releases = false, acquires = false;  // by fences
  bool reads = false, writes = false;       // that do not
  WeakOrders found;
  for (const program::Function& function : program.functions) {
    if (function.runtime) continue;
    for (const program::Edge& edge : function.edges) {
      const program::Statement& s = edge.statement;
      const bool reads_here = s.kind == Kind::Load && s.atomic, writes_here = s.kind == Kind::Store && s.atomic;
      const bool updates = program::updates_word(s.kind);
      if (!reads_here && !writes_here && !updates && s.kind != Kind::Fence) continue;
      const program::Order order = order_of(s);
      const bool reads_weakly = ((reads_here || updates) && !program::acquires(order)) ||
                                (s.kind == Kind::AtomicCas && !program::acquires(failure_order(s)));
      const bool writes_weakly = (writes_here || updates) && !program::releases(order);
      reads |= reads_weakly;
      writes |= writes_weakly;
      found.secret |= (reads_weakly || writes_weakly) && s.width >= program.pointer_width();
      found.heads |= writes_here && !program::releases(order);
      releases |= s.kind == Kind::Fence && program::releases(order);
      acquires |= s.kind == Kind::Fence && program::acquires(order);
    }
  }
  found.fenced = releases && writes;
  found.pending = acquires && reads;
  return found;
}

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

void RaceState::acquire(uint32_t thread, const Access& access) {
  const bool now = program::acquires(access.order);
  if (!now && !orders_.pending) return;
  const uint64_t end = access.address + access.size;
  change_entries([&](Entry& entry) {
    if ((entry.threads | (now ? 0 : entry.pending)) & bit(thread)) return false;
    for (const Word& word : entry.words) {
      if (word.address >= end || access.address >= uint64_t{word.address} + word.size) continue;
      (now ? entry.threads : entry.pending) |= bit(thread);
      if (now) entry.pending &= ~bit(thread);
      return true;
    }
    return false;
  });
}

/// A release sequence goes on with every update, and with stores of the thread that began it.
void RaceState::release(uint32_t thread, const Access& access) {
  const uint64_t end = access.address + access.size;
  const Word written{static_cast<uint32_t>(access.address), static_cast<uint32_t>(access.size),
                     orders_.heads ? static_cast<uint8_t>(thread) : Word::kNoHead};
  change_entries([&](Entry& entry) {
    const bool owns = ((program::releases(access.order) ? entry.threads : entry.fenced) & bit(thread)) != 0;
    auto ends = [&](const Word& word) {
      if (word.address < access.address || uint64_t{word.address} + word.size > end) return false;
      const bool same = word.address == written.address && word.size == written.size;
      return !same || !(access.updates || (orders_.heads && word.head == thread));
    };
    // The usual case: nothing changes.
    bool has = false, changed = false;
    for (const Word& word : entry.words) has |= word == written, changed |= word != written && ends(word);
    changed |= owns ? !has : has && ends(written);
    if (!changed) return false;
    std::erase_if(entry.words, ends);
    if (!owns) return true;
    auto at = std::ranges::lower_bound(entry.words, written);
    if (at == entry.words.end() || *at != written) entry.words.insert(at, written);
    return true;
  });
}

void RaceState::fence(uint32_t thread, program::Order order) {
  const bool acquires = orders_.pending && program::acquires(order), releases = orders_.fenced && program::releases(order);
  change_entries([&](Entry& entry) {
    bool changed = false;
    if (acquires && (entry.pending & bit(thread))) {
      entry.pending &= ~bit(thread);
      entry.threads |= bit(thread);
      changed = true;
    }
    if (releases && (entry.threads & ~entry.fenced & bit(thread))) {
      entry.fenced |= bit(thread);
      changed = true;
    }
    return changed;
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
  Entry entry;
  entry.kind = access.kind;
  entry.threads = bit(thread);
  entry.site = site;
  if (access.shared && !ordered_before_all(entry)) segment.entries.push_back(std::move(entry));
}

const AccessSite* RaceState::access(uint32_t thread, const Access& access, const AccessSite& site) {
  if (access.size == 0) return nullptr;
  if (access.synchronises_read()) acquire(thread, access);
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
  if (access.synchronises_write()) release(thread, access);
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
    entry.fenced &= ~bit(thread);
    entry.pending &= ~bit(thread);
    if (!orders_.heads) return true;
    for (Word& word : entry.words)
      if (word.head == thread) word.head = Word::kNoHead;
    std::ranges::sort(entry.words);
    entry.words.erase(std::ranges::unique(entry.words).begin(), entry.words.end());
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
// threads, those of fences if there are any, number of words, the words, with their heads if they matter. Neighbours with equal entries are written as one, in whatever pieces they came.
const Bytes& RaceState::encode() {
  if (clean_) return encoded_;
  clean_ = true;
  auto continues = [&](size_t i) {
    return i > 0 && segments_[i - 1].end == segments_[i].begin &&
           std::ranges::equal(segments_[i - 1].entries, segments_[i].entries,
                              [](const Entry& a, const Entry& b) { return a.key() == b.key(); });
  };
  size_t count = 0;
  for (size_t i = 0; i < segments_.size(); ++i) {
    std::ranges::sort(segments_[i].entries, [](const Entry& a, const Entry& b) { return a.key() < b.key(); });
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
      encoded_.reserve((5 + 3 * entry.words.size()) * Bytes::kLongestNumber);
      const bool more = (entry.fenced | entry.pending) != 0;
      encoded_.put(static_cast<uint8_t>(entry.kind | (more ? kMore : 0)));
      encoded_.put_number(entry.threads);
      if (more) encoded_.put_number(entry.fenced), encoded_.put_number(entry.pending);
      encoded_.put_number(entry.words.size());
      for (const Word& word : entry.words) {
        encoded_.put_number(word.address), encoded_.put_number(word.size);
        if (orders_.heads) encoded_.put(word.head);
      }
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
      const bool more = (entry.kind & kMore) != 0;
      entry.fenced = more ? in.number() : 0;
      entry.pending = more ? in.number() : 0;
      entry.kind &= static_cast<uint8_t>(~kMore);
      entry.words.resize(in.number());
      for (Word& word : entry.words) {
        word.address = static_cast<uint32_t>(in.number());
        word.size = static_cast<uint32_t>(in.number());
        word.head = orders_.heads ? *in.at++ : Word::kNoHead;
      }
      entry.site = {};
    }
  }
  assert(in.at == in.end);
}

}  // namespace whittle::exec
