#include "engines/explicit/part_table.h"

#include <gtest/gtest.h>

#include <set>
#include <thread>

namespace whittle::engines::explicit_ {
namespace {

std::vector<uint8_t> part(uint32_t i) {
  std::vector<uint8_t> bytes(i % 40, static_cast<uint8_t>(i));
  if (bytes.size() >= sizeof i) std::memcpy(bytes.data(), &i, sizeof i);
  return bytes;
}

TEST(PartTable, GivesPartsBack) {
  PartTable table;
  EXPECT_EQ(table.number({}), 0u);
  for (uint32_t i = 4; i < 2000; ++i) {
    const uint32_t id = table.number(part(i));
    EXPECT_EQ(table.number(part(i)), id);
    EXPECT_TRUE(std::ranges::equal(table[id], part(i)));
  }
  EXPECT_EQ(table.number(std::vector<uint8_t>(100, 7), 100), PartTable::kNone);
  std::vector<uint8_t> longer(300'000, 7);
  EXPECT_TRUE(std::ranges::equal(table[table.number(longer)], longer));
}

TEST(PartTable, ThreadsGetTheSameNumbers) {
  constexpr uint32_t kThreads = 4, kParts = 20'000;
  PartTable table;
  std::vector<std::vector<uint32_t>> ids(kThreads, std::vector<uint32_t>(kParts));
  {
    std::vector<std::jthread> threads;
    for (uint32_t t = 0; t < kThreads; ++t)
      threads.emplace_back([&, t] {
        for (uint32_t n = 0; n < kParts; ++n) {
          const uint32_t i = (n + t * 100) % kParts;
          ids[t][i] = table.number(part(i));
          ASSERT_TRUE(std::ranges::equal(table[ids[t][i]], part(i)));
        }
      });
  }
  for (uint32_t t = 1; t < kThreads; ++t) EXPECT_EQ(ids[t], ids[0]);
  // Equal numbers, equal parts; and no number is left out.
  std::set<uint32_t> numbers(ids[0].begin(), ids[0].end());
  EXPECT_EQ(*numbers.rbegin() + 1, numbers.size());
}

}  // namespace
}  // namespace whittle::engines::explicit_
