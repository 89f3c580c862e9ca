#include "term/term.h"

#include <gtest/gtest.h>

namespace whittle::term {
namespace {

TEST(Store, EqualTermsAreOneTerm) {
  Store store;
  Term x = store.variable(32, "x");
  EXPECT_EQ(store.add(x, store.constant(32, 1)), store.add(store.constant(32, 1), x));
  EXPECT_NE(store.variable(32, "x"), x);
  EXPECT_EQ(store.add(store.constant(32, ~u128{0}), store.constant(32, 2)), store.constant(32, 1));
}

}  // namespace
}  // namespace whittle::term
