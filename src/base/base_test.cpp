#include <gtest/gtest.h>

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <thread>
#include <vector>

#include "base/context.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/watchdog.h"

namespace whittle {

TEST(Int128, MasksAndSigns) {
  EXPECT_EQ(mask64(64), ~uint64_t{0});
  EXPECT_EQ(mask64(1), 1u);
  EXPECT_TRUE(mask128(128) == ~u128{0});
  EXPECT_EQ(sign_extend64(0x80, 8), -128);
  EXPECT_TRUE(sign_extend128(1, 1) == -1);
}

TEST(Hash, DependsOnEveryByteAndOnLength) {
  std::array<uint8_t, 37> bytes{};
  uint64_t zero = hash_bytes(bytes);
  for (auto& byte : bytes) {
    byte = 1;
    EXPECT_NE(hash_bytes(bytes), zero);
    byte = 0;
  }
  EXPECT_NE(hash_bytes(std::span(bytes).first(36)), zero);
}

TEST(Limits, TimeAndInterruptStop) {
  Limits limits;
  EXPECT_EQ(limits.poll_now(), Stop::No);
  limits.set_timeout(0);
  EXPECT_EQ(limits.poll_now(), Stop::Time);
  Limits other;
  other.interrupt();
  EXPECT_EQ(other.poll(), Stop::Interrupt);
  Limits small;
  small.set_memory(1);
  EXPECT_EQ(small.poll_now(), Stop::Memory);
  EXPECT_EQ(small.poll_now(), Stop::Memory);
}

TEST(Limits, HooksAreCalledUntilTheyGo) {
  Limits limits;
  limits.set_timeout(0.02);
  std::atomic<int> called{0}, late{0};
  bool given_up = false;
  {
    Watchdog watchdog(limits, {.give_up = [&](const std::string&) { given_up = true; }, .grace = 1000});
    Limits::Hook hook(limits, [&] { ++called; });
    { Limits::Hook other(limits, [&] { ++late; }); }
    while (called < 3) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    EXPECT_EQ(limits.poll(), Stop::Time);
  }
  EXPECT_EQ(late, 0);
  EXPECT_FALSE(given_up);
}

TEST(Limits, WorkThatDoesNotComeBackIsGivenUp) {
  Limits limits;
  std::atomic<bool> given_up{false};
  Watchdog watchdog(limits, {.give_up = [&](const std::string&) { given_up = true; }, .grace = 0.01});
  limits.interrupt();
  while (!given_up) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_EQ(limits.poll(), Stop::Interrupt);
}

TEST(MemoryUse, CountsChildrenAndWhatTheyShareOnce) {
  constexpr size_t kSize = size_t{64} << 20;
  std::vector<char> shared(kSize, 1);
  MemoryUse use;
  const uint64_t before = use.look();
  int ends[2], back[2];
  ASSERT_EQ(pipe(ends), 0);
  ASSERT_EQ(pipe(back), 0);
  char byte = 0;
  pid_t child = fork();
  if (child == 0) {
    write(back[1], &byte, 1);
    read(ends[0], &byte, 1);
    std::vector<char> own(kSize, 1);
    write(back[1], &byte, 1);
    read(ends[0], &own[5], 1);
    _exit(0);
  }
  use.add(child);
  ASSERT_EQ(read(back[0], &byte, 1), 1);
  EXPECT_LT(use.look(), before + kSize / 2);
  ASSERT_EQ(write(ends[1], &byte, 1), 1);
  ASSERT_EQ(read(back[0], &byte, 1), 1);
  EXPECT_GT(use.look(), before + kSize / 10 * 9);
  EXPECT_GT(use.of(child), kSize / 10 * 9);
  ASSERT_EQ(write(ends[1], &byte, 1), 1);
  waitpid(child, nullptr, 0);
  use.remove(child);
  EXPECT_LT(use.look(), before + kSize / 2);
  EXPECT_GT(use.peak(), before + kSize / 10 * 9);
}

TEST(Statistics, KeepsOrderAndAdds) {
  Statistics figures;
  figures.add("b", 2);
  figures.add("a");
  figures.add("b");
  EXPECT_EQ(figures.count("b"), 3u);
  EXPECT_EQ(figures.entries().front().first, "b");
}

TEST(Error, CarriesItsExitCode) {
  try {
    fail_input("no such file: {}", "x.c");
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::BadInput);
    EXPECT_STREQ(error.what(), "no such file: x.c");
  }
}

}  // namespace whittle
