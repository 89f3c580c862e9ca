#include "exec/cells.h"

#include <algorithm>
#include <cstring>

#include "base/hash.h"
#include "exec/state.h"

namespace whittle::exec {

using machine::ByteRange;

namespace {

constexpr uint64_t kMostBytes = uint64_t{48} << 20;  ///< of each table

/// Finds the mortal parts of a state in the order of their offsets. `Visitor` hears of all of them, empty ones too.
template <typename Visitor>
void walk(const CodeImpl& code, std::span<const uint8_t> state, Visitor& visitor) {
  Reader in{state.data() + 2, state.data() + state.size()};
  auto here = [&] { return static_cast<uint32_t>(in.at - state.data()); };
  visitor.statics(here(), code.fixed_bytes);
  in.at += code.fixed_bytes;
  for (uint32_t index : code.large) {
    const uint64_t size = in.number();
    visitor.large(code.statics[index], here(), size);
    in.at += size;
  }
  const uint32_t threads = static_cast<uint32_t>(in.number());
  visitor.threads(threads);
  for (uint32_t t = 0; t < threads; ++t) {
    if (in.number() == 0) continue;
    in.number();
    const size_t count = in.number();
    for (size_t i = 0; i < count; ++i) {
      uint64_t global = 0;
      for (unsigned b = 0; b < code.location_bytes; ++b) global |= uint64_t{*in.at++} << (8 * b);
      auto [function, location] = code.local_location(global);
      const FunctionCode& f = code.functions[function];
      const Layout& layout = f.layouts[i + 1 == count ? f.top_layout[location] : f.waiting_layout[location]];
      visitor.registers(t, here(), layout);
      in.at += layout.bytes;
    }
  }
  if (code.check_races) {
    const uint64_t length = in.number();
    in.at += length;
  }
  uint64_t unit = 0;
  uint32_t area = 0;
  for (uint64_t left = in.number(); left > 0; --left) {
    const uint32_t areas = static_cast<uint32_t>(in.number());
    unit = in.number() + (areas == 0 ? unit : 0);
    area += areas;
    const uint8_t flags = *in.at++;
    const uint64_t size = in.number();
    if (!(flags & 1)) continue;
    if (static_cast<ObjectInfo::Kind>(flags >> 4 & 3) == ObjectInfo::Kind::Stack) in.number(), in.number();
    if (flags & 8) continue;
    if (!(flags & 4)) in.at += (size + 7) / 8;  // which of its bytes have a value
    visitor.object(area, unit, here(), size);
    in.at += size;
  }
}

struct MapMaker {
  CellMap& map;
  const Memory& memory;

  void statics(uint32_t offset, uint64_t) { map.static_offset = offset; }
  void large(const StaticObject& object, uint32_t offset, uint64_t size) {
    if (size != 0) map.objects.push_back({object.address, size, offset});
  }
  void threads(uint32_t count) { map.threads.resize(count); }
  void registers(uint32_t thread, uint32_t offset, const Layout& layout) {
    map.threads[thread].push_back({offset, &layout});
  }
  void object(uint32_t area, uint64_t unit, uint32_t offset, uint64_t size) {
    map.objects.push_back({memory.area_base(area) + (unit << 6), size, offset});
  }
};

/// Collects the bytes between the mortal parts.
struct KeyMaker {
  std::span<const uint8_t> state;
  std::vector<uint8_t>& key;
  uint32_t done = 0;

  void pass(uint32_t offset, uint64_t size) {
    key.insert(key.end(), state.begin() + done, state.begin() + offset);
    done = offset + static_cast<uint32_t>(size);
  }
  void statics(uint32_t offset, uint64_t size) { pass(offset, size); }
  void large(const StaticObject&, uint32_t offset, uint64_t size) { pass(offset, size); }
  void threads(uint32_t) {}
  void registers(uint32_t, uint32_t offset, const Layout& layout) { pass(offset, layout.bytes); }
  void object(uint32_t, uint64_t, uint32_t offset, uint64_t size) { pass(offset, size); }
};

void make_key(const CodeImpl& code, std::span<const uint8_t> state, std::vector<uint8_t>& key) {
  key.clear();
  KeyMaker maker{state, key};
  walk(code, state, maker);
  maker.pass(static_cast<uint32_t>(state.size()), 0);
}

std::vector<ByteRange> mortal_ranges(const CodeImpl& code, const CellMap& map) {
  std::vector<ByteRange> mortal;
  if (code.fixed_bytes != 0) mortal.push_back({map.static_offset, code.fixed_bytes});
  for (const std::vector<CellMap::Registers>& frames : map.threads)
    for (const CellMap::Registers& registers : frames)
      if (registers.layout->bytes != 0) mortal.push_back({registers.offset, registers.layout->bytes});
  for (const CellMap::Contents& contents : map.objects)
    if (contents.size != 0) mortal.push_back({contents.offset, static_cast<uint32_t>(contents.size)});
  std::sort(mortal.begin(), mortal.end(), [](const ByteRange& a, const ByteRange& b) { return a.begin < b.begin; });
  return mortal;
}

uint64_t hash_of(std::span<const uint64_t> key) {
  uint64_t hash = key.size();
  for (uint64_t word : key) hash = hash_combine(hash, word);
  return hash;
}

}  // namespace

CellMap::CellMap(const CodeImpl& code, const Memory& memory, std::span<const uint8_t> state)
    : size(static_cast<uint32_t>(state.size())) {
  MapMaker maker{*this, memory};
  walk(code, state, maker);
}

const CellMap::Contents* CellMap::object_at(uint64_t address) const {
  auto it = std::upper_bound(objects.begin(), objects.end(), address,
                             [](uint64_t a, const Contents& c) { return a < c.address; });
  if (it == objects.begin() || address - (it - 1)->address >= (it - 1)->size) return nullptr;
  return &*(it - 1);
}

Shape::Shape(const CodeImpl& code, const Memory& memory, std::span<const uint8_t> state)
    : map(code, memory, state), mortal(mortal_ranges(code, map)), is_mortal(state.size(), false) {
  for (const ByteRange& range : mortal) std::fill_n(is_mortal.begin() + range.begin, range.length, true);
  make_key(code, state, never_dead);
}

uint64_t Shape::bytes() const {
  uint64_t total = sizeof *this + is_mortal.size() / 8 + mortal.size() * sizeof(ByteRange) + never_dead.size() +
                   map.objects.size() * sizeof(CellMap::Contents) + 64;
  for (const auto& frames : map.threads) total += sizeof frames + frames.size() * sizeof(CellMap::Registers);
  return total;
}

uint32_t ShapeTable::number(std::span<const uint8_t> state) {
  make_key(code_, state, key_);
  const size_t mask = index_.size() - 1;
  size_t at = hash_bytes(key_) & mask;
  for (; index_[at] != 0; at = (at + 1) & mask) {
    const std::vector<uint8_t>& other = shapes_[index_[at] - 1].never_dead;
    if (other.size() == key_.size() && std::memcmp(other.data(), key_.data(), key_.size()) == 0) return index_[at];
  }
  if (bytes_ > kMostBytes) return 0;
  shapes_.emplace_back(code_, memory_, state);
  bytes_ += shapes_.back().bytes();
  const uint32_t number = static_cast<uint32_t>(shapes_.size());
  index_[at] = number;
  if (shapes_.size() * 2 > index_.size()) grow();
  return number;
}

void ShapeTable::grow() {
  index_.assign(index_.size() * 2, 0);
  for (uint32_t i = 0; i < shapes_.size(); ++i) {
    size_t at = hash_bytes(shapes_[i].never_dead) & (index_.size() - 1);
    while (index_[at] != 0) at = (at + 1) & (index_.size() - 1);
    index_[at] = i + 1;
  }
}

const machine::Footprint* FootprintTable::find(std::span<const uint64_t> key) {
  const size_t mask = index_.size() - 1;
  for (free_ = hash_of(key) & mask; index_[free_] != 0; free_ = (free_ + 1) & mask)
    if (std::ranges::equal(entries_[index_[free_] - 1].key, key)) return &entries_[index_[free_] - 1].footprint;
  return nullptr;
}

const machine::Footprint* FootprintTable::add(std::span<const uint64_t> key, const machine::Footprint& footprint) {
  if (bytes_ > kMostBytes) return nullptr;
  Entry& entry = entries_.emplace_back(Entry{{key.begin(), key.end()}, footprint});
  entry.footprint.number = static_cast<uint32_t>(entries_.size());
  bytes_ += sizeof entry + key.size() * 8 + (footprint.reads.size() + footprint.writes.size()) * sizeof(ByteRange) + 64;
  index_[free_] = entry.footprint.number;
  if (entries_.size() * 2 > index_.size()) grow();
  return &entry.footprint;
}

void FootprintTable::grow() {
  index_.assign(index_.size() * 2, 0);
  for (uint32_t i = 0; i < entries_.size(); ++i) {
    size_t at = hash_of(entries_[i].key) & (index_.size() - 1);
    while (index_[at] != 0) at = (at + 1) & (index_.size() - 1);
    index_[at] = i + 1;
  }
}

}  // namespace whittle::exec
