#include "base/nearest.h"

#include <gtest/gtest.h>

namespace whittle {

TEST(Nearest, DistanceCountsEditsAndSwaps) {
  EXPECT_EQ(edit_distance("", ""), 0u);
  EXPECT_EQ(edit_distance("abc", ""), 3u);
  EXPECT_EQ(edit_distance("", "abc"), 3u);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
  EXPECT_EQ(edit_distance("ab", "ba"), 1u);
  EXPECT_EQ(edit_distance("Deadlock", "deadlokc"), 1u);
}

TEST(Nearest, FindsTheCloseOneOnly) {
  std::vector<std::string> names{"unreach-call", "termination", "no-overflow", "no-deadlock"};
  EXPECT_EQ(nearest("unreach-cal", names), "unreach-call");
  EXPECT_EQ(nearest("unreach_call", names), "unreach-call");
  EXPECT_EQ(nearest("nodeadlock", names), "no-deadlock");
  EXPECT_EQ(nearest("xyzzy", names), "");
  EXPECT_EQ(nearest("", names), "");
  EXPECT_EQ(nearest("ab", std::vector<std::string>{"cd"}), "");
  EXPECT_EQ(suggestion("terminaton", names), " (did you mean `termination`?)");
  EXPECT_EQ(suggestion("quux", names), "");
}

}  // namespace whittle
