#include <gtest/gtest.h>

#include "base/error.h"
#include "engines/engine.h"

namespace whittle::engines {

TEST(Settings, TypedAccess) {
  Settings settings;
  settings.set("a-runs", "12");
  settings.set("a-share", "0.5");
  settings.set("a-flag", "");
  EXPECT_EQ(settings.number("a-runs", 3), 12u);
  EXPECT_EQ(settings.number("b-runs", 3), 3u);
  EXPECT_EQ(settings.real("a-share", 1), 0.5);
  EXPECT_TRUE(settings.flag("a-flag"));
  EXPECT_FALSE(settings.flag("b-flag"));
  EXPECT_EQ(settings.text("a-runs", ""), "12");
}

TEST(Settings, ValuesThatDoNotFitAreUsageErrors) {
  Settings settings;
  for (const char* text : {"", "x", "12x", "-1", "1e99"}) {
    settings.set("a", text);
    try {
      settings.number("a", 0);
      FAIL() << text;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::Usage);
    }
  }
}

}  // namespace whittle::engines
