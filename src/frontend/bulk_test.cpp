// What is more than one step where other threads look on.
#include <gtest/gtest.h>

#include <algorithm>

#include "frontend/test_support.h"

namespace whittle::frontend {
namespace {

using program::Kind;
using program::Program;
using program::Statement;
using test::lower;

const std::string kSpawn = "int __whittle_spawn(void (*)(void *, void *), void *, void *);\n";
const std::string kMain = "void t(void *a, void *b) {}\nint main(void) { __whittle_spawn(t, 0, 0); f(); return 0; }\n";

/// Bytes of the copies (or fills) in function f, as they come.
std::vector<uint64_t> sizes(const Program& program, Kind kind = Kind::Copy) {
  std::vector<uint64_t> result;
  for (const Statement& s : test::statements(program, "f", kind)) result.push_back(s.operands[2].value64());
  return result;
}

TEST(Bulk, StructsAreCopiedMemberByMember) {
  const std::string source =
      "struct S { int a; short b, c; long d; int e[3]; struct { int x; char c; } p[2]; union { int i; float f; } u; };\n"
      "struct S g;\nvoid f(void) { struct S l = {1}; g = l; }\n";
  Program program = lower(kSpawn + source + kMain);
  std::vector<uint64_t> expected{4, 2, 2, 8, 4, 4, 4, 4, 1, 4, 1, 4, 48}, found = sizes(program);
  ASSERT_EQ(found.size(), expected.size());
  EXPECT_TRUE(std::is_permutation(found.begin(), found.end(), expected.begin()));
  EXPECT_EQ(test::count(program, "f", Kind::Shared), 1u) << "no other thread has the local struct";

  Program alone = lower(source + "int main(void) { f(); return 0; }\n");
  EXPECT_EQ(sizes(alone), std::vector<uint64_t>{48}) << "there is one thread";
  EXPECT_EQ(test::count(alone, "f", Kind::Shared), 0u);
}

TEST(Bulk, BitFieldsAreOneMember) {
  Program program = lower(kSpawn +
                          "struct S { unsigned a : 3, b : 9; int c; } g;\n"
                          "void f(void) { struct S l; l.c = 1; g = l; }\n" +
                          kMain);
  std::vector<uint64_t> expected{2, 4, 8}, found = sizes(program);
  std::sort(found.begin(), found.end());
  EXPECT_EQ(found, expected);
}

TEST(Bulk, WhatBothSidesShareIsReadAndWritten) {
  Program program = lower(kSpawn + "struct S { int a, b; } g, h;\nvoid f(void) { g = h; }\n" + kMain);
  EXPECT_EQ(test::count(program, "f", Kind::Load), 2u);
  EXPECT_EQ(test::count(program, "f", Kind::Store), 2u);
  EXPECT_EQ(test::count(program, "f", Kind::Shared), 6u);
}

TEST(Bulk, ManyPiecesAreALoop) {
  Program program = lower(kSpawn + "struct S { int a[100]; } g;\nvoid f(void) { struct S l = {{1}}; g = l; }\n" + kMain);
  std::vector<uint64_t> expected{4, 400}, found = sizes(program);
  std::sort(found.begin(), found.end());
  EXPECT_EQ(found, expected);
}

TEST(Bulk, ScalarsThatAreWideOrNotAligned) {
  Program program = lower(kSpawn +
                          "__int128 w; long l; struct __attribute__((packed)) { char c; short s; } p; long double d;\n"
                          "void f(void) { w = 1; l = 1; p.s = 1; }\n" +
                          kMain);
  std::vector<unsigned> widths;
  for (const Statement& s : test::statements(program, "f", Kind::Store)) widths.push_back(s.width);
  std::sort(widths.begin(), widths.end());
  EXPECT_EQ(widths, (std::vector<unsigned>{8, 8, 64, 64, 64}));
}

TEST(Bulk, AtomicFunctionsAreOneStep) {
  Program program = lower(kSpawn +
                          "struct S { int a, b; } g, h;\nvoid __VERIFIER_atomic_f(void) { g = h; }\n"
                          "void f(void) { __VERIFIER_atomic_f(); }\n" +
                          kMain);
  EXPECT_EQ(test::count(program, "__VERIFIER_atomic_f", Kind::Copy), 1u);
  EXPECT_EQ(test::count(program, "__VERIFIER_atomic_f", Kind::Shared), 0u);
}

}  // namespace
}  // namespace whittle::frontend
