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

// C11's weaker orders: docs/decisions/024-weaker-orders.md.

class WeakRacesTest : public RacesTest {
 protected:
  using Order = program::Order;
  WeakRacesTest() { races.set_orders({true, true, true, true}); }
  void write(uint32_t thread, Order order) { access(thread, kAtomicWrite, false, order); }
  void update(uint32_t thread, Order order) { access(thread, kAtomicWrite, true, order); }
  void read(uint32_t thread, Order order) { access(thread, kAtomicRead, false, order); }
  void access(uint32_t thread, uint8_t kind, bool updates, Order order) {
    EXPECT_EQ(races.access(thread, {200, 4, kind, updates, true, order}, {}), nullptr);
  }
  bool data(uint32_t thread) { return race(thread, 100, kWrite); }
};

TEST_F(WeakRacesTest, BothSidesMustAskForIt) {
  for (Order written : {Order::Relaxed, Order::Release, Order::Both})
    for (Order seen : {Order::Relaxed, Order::Acquire, Order::Both}) {
      races.reset();
      races.spawned(0, 1);
      EXPECT_FALSE(data(0));
      write(0, written);
      read(1, seen);
      EXPECT_EQ(data(1), written == Order::Relaxed || seen == Order::Relaxed) << text_of(written) << " " << text_of(seen);
    }
}

TEST_F(WeakRacesTest, FencesOnBothSides) {
  for (Order before : {Order::Acquire, Order::Release, Order::Both})
    for (Order after : {Order::Acquire, Order::Release, Order::Both}) {
      races.reset();
      races.spawned(0, 1);
      EXPECT_FALSE(data(0));
      races.fence(0, before);
      write(0, Order::Relaxed);
      read(1, Order::Relaxed);
      races.fence(1, after);
      EXPECT_EQ(data(1), before == Order::Acquire || after == Order::Release) << text_of(before) << " " << text_of(after);
    }
}

TEST_F(WeakRacesTest, FencesOrderWhatIsOnTheirSide) {
  races.fence(0, Order::Both);
  EXPECT_FALSE(data(0));
  write(0, Order::Relaxed);
  read(1, Order::Acquire);
  EXPECT_TRUE(data(1)) << "written after the fence";
}

TEST_F(WeakRacesTest, AnUpdateGoesOnWithTheSequence) {
  EXPECT_FALSE(data(0));
  write(0, Order::Release);
  update(2, Order::Relaxed);
  read(1, Order::Acquire);
  EXPECT_FALSE(data(1));
  EXPECT_TRUE(data(2)) << "its update acquired nothing";
}

TEST_F(WeakRacesTest, AStoreOfTheSameThreadGoesOnWithTheSequence) {
  EXPECT_FALSE(data(0));
  write(0, Order::Release);
  write(0, Order::Relaxed);
  read(1, Order::Acquire);
  EXPECT_FALSE(data(1));
}

TEST_F(WeakRacesTest, AStoreOfAnotherThreadEndsIt) {
  EXPECT_FALSE(data(0));
  write(0, Order::Release);
  write(2, Order::Relaxed);
  write(0, Order::Relaxed);
  read(1, Order::Acquire);
  EXPECT_TRUE(data(1));
}

// The number comes again, the thread does not.
TEST_F(WeakRacesTest, ASequenceOfAThreadThatEnded) {
  EXPECT_FALSE(data(2));
  write(2, Order::Release);
  races.ended(2);
  races.spawned(0, 2);
  write(2, Order::Relaxed);
  read(1, Order::Acquire);
  EXPECT_TRUE(data(1));
}

TEST_F(WeakRacesTest, SaveAndLoad) {
  EXPECT_FALSE(data(0));
  races.fence(0, Order::Release);
  write(0, Order::Relaxed);
  read(1, Order::Relaxed);
  const std::vector<uint8_t> saved = bytes();
  RaceState other;
  other.set_orders({true, true, true, true});
  other.decode(saved.data(), saved.size(), 7);
  auto again = other.encode().span();
  EXPECT_EQ(std::vector<uint8_t>(again.begin(), again.end()), saved);
  other.fence(1, Order::Acquire);
  EXPECT_EQ(other.access(1, {100, 4, kWrite}, {}), nullptr);
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
