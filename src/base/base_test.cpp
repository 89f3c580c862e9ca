#include <gtest/gtest.h>

#include <array>

#include "base/context.h"
#include "base/error.h"
#include "base/hash.h"

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
  EXPECT_GT(peak_memory(), 0u);
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
