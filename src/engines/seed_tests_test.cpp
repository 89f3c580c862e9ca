#include "engines/seed_tests.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace whittle::engines {
namespace {

using Tests = std::vector<std::vector<u128>>;

TEST(SeedTests, OneALine) {
  EXPECT_EQ(parse_tests("1,2\n\n# nothing\n-1 0x1f # two\n", "f"), (Tests{{1, 2}, {~u128{0}, 31}}));
  EXPECT_TRUE(parse_tests("", "f").empty());
  EXPECT_EQ(parse_tests("5", "f"), (Tests{{5}}));
  for (const char* bad : {"x", "1,2,y", "0x", "-", "1.5.2", "99999999999999999999999999999999999999999999"})
    EXPECT_THROW(parse_tests(bad, "f"), Error) << bad;
}

TEST(SeedTests, TextComesBack) {
  const Tests tests{{0, 1, ~u128{0}}, {u128{1} << 100}, {2, 0, 0, 0, 0, 7, 7}};
  EXPECT_NE(tests_text(tests).find("0x2,0x0:4,0x7,0x7"), std::string::npos);
  EXPECT_EQ(parse_tests(tests_text(tests), "f"), tests);
}

}  // namespace
}  // namespace whittle::engines
