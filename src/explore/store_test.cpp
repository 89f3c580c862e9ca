#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <random>
#include <set>

#include "explore/byte_sets.h"
#include "explore/lossy_store.h"
#include "explore/tree_store.h"

namespace whittle::explore {
namespace {

using Bytes = std::vector<uint8_t>;

struct Blocks {
  std::vector<uint64_t> memory;
  uint8_t* room(uint64_t bytes) {
    memory.assign(bytes / 8, ~uint64_t{0});
    return reinterpret_cast<uint8_t*>(memory.data());
  }
};

TEST(TreeStore, KeepsEveryVectorApartAndGivesItBack) {
  std::mt19937 random(1);
  TreeStore store;
  std::map<Bytes, StateId> expected;
  Blocks previous, here;
  const uint8_t* base = nullptr;
  Bytes bytes(37, 0);
  for (int i = 0; i < 60000; ++i) {
    if (random() % 4 == 0) bytes.resize(random() % 100);
    for (unsigned k = random() % 3; k > 0 && !bytes.empty(); --k) bytes[random() % bytes.size()] = random() % 3;
    uint8_t* out = here.room(store.block_size(bytes.size()));
    bool known = expected.count(bytes) != 0;
    ASSERT_EQ(store.find(bytes, base, out), known ? expected[bytes] : kNoState);
    Interned got = store.insert(bytes, base, out);
    ASSERT_EQ(got.fresh, !known);
    auto [it, added] = expected.try_emplace(bytes, got.id);
    ASSERT_EQ(it->second, got.id);
    ASSERT_EQ(Bytes(Block::bytes(out).begin(), Block::bytes(out).end()), bytes);
    previous.memory = here.memory;
    base = random() % 8 == 0 ? nullptr : reinterpret_cast<uint8_t*>(previous.memory.data());
  }
  ASSERT_EQ(store.size(), expected.size());
  for (const auto& [vector, id] : expected) {
    ASSERT_EQ(store.length(id), vector.size());
    uint8_t* out = here.room(store.block_size(vector.size()));
    store.decode(id, out);
    ASSERT_EQ(Bytes(Block::bytes(out).begin(), Block::bytes(out).end()), vector);
    // A decoded block is as good a base as an inserted one.
    Blocks again;
    uint8_t* copy = again.room(store.block_size(vector.size()));
    Interned got = store.insert(vector, out, copy);
    ASSERT_EQ(got.id, id);
    ASSERT_EQ(again.memory, here.memory);
  }
}

TEST(TreeStore, VectorsOfZerosOfDifferentLengthsDiffer) {
  TreeStore store;
  Blocks block;
  for (int round = 0; round < 2; ++round)
    for (size_t n = 0; n < 300; ++n) {
      Interned got = store.insert(Bytes(n, 0), nullptr, block.room(store.block_size(n)));
      ASSERT_EQ(got.id, n);
      ASSERT_EQ(got.fresh, round == 0);
    }
}

TEST(TreeStore, RespectsItsBudget) {
  Budget budget{resident_memory() + (uint64_t{16} << 20)};
  TreeStore store(&budget);
  Blocks block;
  Bytes bytes(64, 0);
  bool stopped = false;
  for (uint64_t i = 0; i < 20'000'000 && !stopped; ++i) {
    uint64_t x = hash_mix(i);
    std::memcpy(bytes.data(), &x, 8);
    stopped = store.insert(bytes, nullptr, block.room(store.block_size(64))).id == kNoState;
  }
  EXPECT_TRUE(stopped);
  EXPECT_TRUE(budget.exhausted);
}

/// Ten processes of ten bytes, two of which move in each step: what a state space looks like to the store.
void fill(TreeStore& store, uint64_t count) {
  Bytes bytes(100, 0);
  std::vector<uint64_t> a(store.block_size(100) / 8), b(a.size());
  for (uint64_t i = 0; i < count; ++i) {
    for (uint64_t rest = i, p = 0; rest != 0; rest /= 6, ++p)
      bytes[p * 10 % 100 + p / 10] = static_cast<uint8_t>(rest % 6);
    Interned got = store.insert(bytes, i == 0 ? nullptr : reinterpret_cast<uint8_t*>(a.data()),
                                reinterpret_cast<uint8_t*>(b.data()));
    ASSERT_TRUE(got.fresh && got.id == i);
    a.swap(b);
  }
}

TEST(TreeStore, TakesLittleMemory) {
  const bool all = std::getenv("WHITTLE_LONG") != nullptr;
  const uint64_t count = all ? 10'000'000 : 300'000;
  TreeStore store;
  fill(store, count);
  EXPECT_LE(static_cast<double>(store.bytes()) / static_cast<double>(count), 40.0);
  EXPECT_LT(MemoryUse().peak(), uint64_t{2} << 30);
}

TEST(LossyStores, KnowWhatTheyHaveSeen) {
  HashStore hashes;
  BitStore bits(24);
  Blocks block;
  std::set<uint64_t> seen;
  std::mt19937 random(3);
  uint64_t lost = 0;
  for (int i = 0; i < 50000; ++i) {
    uint64_t x = random() % 30000;
    Bytes bytes(20, 1);
    std::memcpy(bytes.data(), &x, 8);
    bool fresh = seen.insert(x).second;
    EXPECT_EQ(hashes.insert(bytes, nullptr, block.room(hashes.block_size(20))).fresh, fresh);
    bool bit_fresh = bits.insert(bytes, nullptr, block.room(bits.block_size(20))).fresh;
    EXPECT_TRUE(fresh || !bit_fresh);
    lost += fresh && !bit_fresh;
  }
  EXPECT_EQ(hashes.size(), seen.size());
  EXPECT_LT(lost, 20u);
}

TEST(ByteSets, AgreeWithStdSet) {
  std::mt19937 random(4);
  ByteSets sets;
  auto make = [&](ByteSet& set, std::set<uint32_t>& plain) {
    for (int i = 0; i < 3; ++i) {
      machine::ByteRange range{static_cast<uint32_t>(random() % 150), static_cast<uint32_t>(random() % 90)};
      bool add = random() % 3 != 0;
      add ? set.add(range) : set.remove(range);
      for (uint32_t k = range.begin; k < range.begin + range.length; ++k)
        add ? void(plain.insert(k)) : void(plain.erase(k));
    }
  };
  auto check = [&](SetId id, const std::set<uint32_t>& plain) {
    std::span<const uint64_t> words = sets.words(id);
    for (uint32_t k = 0; k < 300; ++k)
      ASSERT_EQ(k / 64 < words.size() && (words[k / 64] >> k % 64 & 1) != 0, plain.count(k) != 0) << k;
  };
  for (int i = 0; i < 2000; ++i) {
    ByteSet r, w, l;
    std::set<uint32_t> pr, pw, pl;
    make(r, pr), make(w, pw), make(l, pl);
    SetId live = sets.intern(l), reads = sets.intern(r);
    check(live, pl);
    std::set<uint32_t> both = pr, common, before = pr;
    both.insert(pl.begin(), pl.end());
    for (uint32_t k : pl) {
      if (pr.count(k) != 0) common.insert(k);
      if (pw.count(k) == 0) before.insert(k);
    }
    check(sets.unite(reads, live), both);
    check(sets.intersect(reads, live), common);
    check(sets.before(sets.footprint(r, w), live), before);
    EXPECT_EQ(sets.is_subset(live, reads), std::includes(pr.begin(), pr.end(), pl.begin(), pl.end()));
    std::vector<uint64_t> a(31), b(31);
    for (uint64_t& x : a) x = random() * uint64_t{0x100000001};
    b = a;
    uint32_t at = random() % 248;
    reinterpret_cast<uint8_t*>(b.data())[at] ^= 1;
    EXPECT_EQ(sets.equal_under(live, a, b), pl.count(at) == 0);
    EXPECT_EQ(sets.masked_hash(live, a) == sets.masked_hash(live, b), pl.count(at) == 0);
  }
}

}  // namespace
}  // namespace whittle::explore
