#include "exec/races.h"

#include <gtest/gtest.h>

namespace whittle::exec {
namespace {

constexpr uint8_t kRead = Access::kRead, kWrite = Access::kWrite, kAtomicRead = Access::kAtomic,
                  kAtomicWrite = Access::kAtomic | Access::kWrite;

class RacesTest : public testing::Test {
 protected:
  RacesTest() {
    races.reset();
    races.spawned(0, 1);
    races.spawned(0, 2);
  }
  bool race(uint32_t thread, uint64_t address, uint8_t kind, uint64_t size = 4) {
    return races.access(thread, {address, size, kind}, {thread, 0, 0}) != nullptr;
  }
  std::vector<uint8_t> bytes() {
    auto span = races.encode().span();
    return {span.begin(), span.end()};
  }
  RaceState races;
};

TEST_F(RacesTest, ConflictsOfAllKinds) {
  for (uint8_t first = 0; first < 4; ++first)
    for (uint8_t second = 0; second < 4; ++second) {
      races.reset();
      races.spawned(0, 1);
      EXPECT_FALSE(race(0, 100, first));
      const bool write = ((first | second) & kWrite) != 0, atomic = (first & second & kAtomicRead) != 0;
      EXPECT_EQ(race(1, 103, second), write && !atomic) << int{first} << " " << int{second};
    }
}

TEST_F(RacesTest, NeighboursDoNotMeet) {
  EXPECT_FALSE(race(0, 100, kWrite));
  EXPECT_FALSE(race(1, 104, kWrite));
  EXPECT_FALSE(race(2, 96, kWrite));
  EXPECT_TRUE(race(2, 96, kRead, 5));
}

TEST_F(RacesTest, AnAtomicWordOrders) {
  EXPECT_FALSE(race(0, 100, kWrite));
  EXPECT_FALSE(race(0, 200, kAtomicWrite));
  EXPECT_FALSE(race(1, 200, kAtomicRead));
  EXPECT_FALSE(race(1, 100, kWrite));
  EXPECT_TRUE(race(2, 100, kRead)) << "did not look at the word";
}

TEST_F(RacesTest, AWriteThatHasNotReadHidesTheOneBefore) {
  EXPECT_FALSE(race(0, 100, kWrite));
  EXPECT_FALSE(race(0, 200, kAtomicWrite));
  EXPECT_FALSE(race(2, 200, kAtomicWrite));
  EXPECT_FALSE(race(1, 200, kAtomicRead));
  EXPECT_TRUE(race(1, 100, kWrite));
}

TEST_F(RacesTest, AnUpdateKeepsTheOneBefore) {
  EXPECT_FALSE(race(0, 100, kWrite));
  EXPECT_FALSE(race(0, 200, kAtomicWrite));
  EXPECT_EQ(races.access(2, {200, 4, kAtomicWrite, true}, {}), nullptr);
  EXPECT_FALSE(race(1, 200, kAtomicRead));
  EXPECT_FALSE(race(1, 100, kWrite));
}

TEST_F(RacesTest, EveryReaderCounts) {
  EXPECT_FALSE(race(0, 100, kRead));
  EXPECT_FALSE(race(1, 100, kRead));
  EXPECT_FALSE(race(0, 200, kAtomicWrite));
  EXPECT_FALSE(race(2, 200, kAtomicRead));
  EXPECT_TRUE(race(2, 100, kWrite)) << "after the read of thread 0, not after that of thread 1";
}

TEST_F(RacesTest, ThreadsThatEndedStillRace) {
  EXPECT_FALSE(race(1, 100, kWrite));
  races.ended(1);
  races.ended(2);
  EXPECT_FALSE(races.empty());
  races.spawned(0, 1);  // the number is another thread now
  EXPECT_TRUE(race(1, 100, kRead));
}

TEST_F(RacesTest, StatesForgetWhatIsOrderedBeforeAll) {
  const std::vector<uint8_t> empty = bytes();
  EXPECT_FALSE(race(0, 100, kWrite));
  EXPECT_NE(bytes(), empty);
  races.ended(1);
  races.ended(2);
  EXPECT_TRUE(races.empty()) << "one thread is left, and it is its own access";
  EXPECT_EQ(bytes(), empty);
  EXPECT_FALSE(race(0, 100, kWrite));
  EXPECT_TRUE(races.empty());
}

TEST_F(RacesTest, ObjectsThatEndedAreForgotten) {
  EXPECT_FALSE(race(0, 100, kWrite, 64));
  races.forget(100, 32);
  EXPECT_FALSE(race(1, 100, kWrite, 32));
  EXPECT_TRUE(race(1, 132, kWrite, 1));
}

TEST_F(RacesTest, EqualHistoriesInOtherPiecesGiveEqualBytes) {
  EXPECT_FALSE(race(0, 100, kWrite, 8));
  const std::vector<uint8_t> whole = bytes();
  races.reset();
  races.spawned(0, 1);
  races.spawned(0, 2);
  EXPECT_FALSE(race(0, 104, kWrite, 4));
  EXPECT_FALSE(race(0, 100, kRead, 2));
  EXPECT_FALSE(race(0, 100, kWrite, 4));
  EXPECT_EQ(bytes(), whole);
}

TEST_F(RacesTest, SaveAndLoad) {
  EXPECT_FALSE(race(0, 100, kWrite));
  EXPECT_FALSE(race(1, 96, kRead, 4));
  EXPECT_FALSE(race(0, 200, kAtomicWrite));
  const std::vector<uint8_t> saved = bytes();
  RaceState other;
  other.decode(saved.data(), saved.size(), 7);
  auto again = other.encode().span();
  EXPECT_EQ(std::vector<uint8_t>(again.begin(), again.end()), saved);
  EXPECT_EQ(other.access(2, {200, 4, kAtomicRead}, {}), nullptr);
  EXPECT_EQ(other.access(2, {100, 4, kWrite}, {}), nullptr);
  const AccessSite* earlier = other.access(2, {96, 4, kWrite}, {});
  ASSERT_NE(earlier, nullptr);
  EXPECT_FALSE(earlier->known());
}

// A lock handed round forever has finitely many states.
TEST_F(RacesTest, NothingGrows) {
  std::vector<std::vector<uint8_t>> seen;
  for (int round = 0; round < 20; ++round) {
    const uint32_t thread = static_cast<uint32_t>(round % 3);
    EXPECT_EQ(races.access(thread, {200, 4, kAtomicWrite, true}, {}), nullptr);
    EXPECT_FALSE(race(thread, 100, kWrite));
    EXPECT_EQ(races.access(thread, {200, 4, kAtomicWrite, true}, {}), nullptr);
    seen.push_back(bytes());
  }
  for (size_t i = 6; i < seen.size(); ++i) EXPECT_EQ(seen[i], seen[i - 3]);
}

}  // namespace
}  // namespace whittle::exec
