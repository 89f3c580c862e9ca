#include "program/analysis/initialised.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "program/parse.h"
#include "program/rmw.h"

namespace whittle::program::analysis {
namespace {

/// Two stack objects p and q of 8 bytes and a static one; some statements, the last of which is the Copy asked about.
std::string values(const std::vector<std::string>& statements) {
  std::string text = R"(program ILP32
entry 0
object 0 "g" at 0x100000 size 8 align 4
object 1 "keep" at 0x102000 size 4 align 4
function 0 "main" returns 0 entry 0 locations 20 parameters 0
  register 0 32 "p"
  register 1 32 "q"
  register 2 32 "h"
  register 3 32 "k"
  0 -> 1: p.0 := stack_alloc(8) align 4 "a"
  1 -> 2: q.1 := stack_alloc(8) align 4 "b"
  2 -> 3: h.2 := heap_alloc(8, 0:1)
)";
  size_t at = 3;
  for (const std::string& s : statements) text += fmt::format("  {} -> {}: {}\n", at, at + 1, s), ++at;
  text += fmt::format("  {}: return()\n", at);
  Program program = parse_text(text);
  CallGraph calls(program);
  PointsTo points(program, calls);
  Initialised initialised(program, points);
  std::string bytes;
  for (uint64_t i = 0; i < 8; ++i)
    bytes += initialised.copied(0, static_cast<uint32_t>(2 + statements.size()), i) ? '1' : '0';
  return bytes;
}

TEST(Initialised, BytesOfFrameObjectsAreFollowed) {
  EXPECT_EQ(values({"copy(q.1, p.0, 8)"}), "00000000");
  EXPECT_EQ(values({"store.32(p.0, 1)", "copy(q.1, p.0, 8)"}), "11110000");
  EXPECT_EQ(values({"store.8((p.0 + 5), 1:8)", "copy(q.1, p.0, 8)"}), "00000100");
  EXPECT_EQ(values({"fill(p.0, 1:8, 8)", "copy(q.1, p.0, 8)"}), "11111111");
  EXPECT_EQ(values({"store.32(q.1, 1)", "copy(q.1, p.0, 8)"}), "00000000");
}

TEST(Initialised, CopiesHandOnWhatTheyFind) {
  EXPECT_EQ(values({"copy(p.0, &g, 8)", "copy(q.1, p.0, 8)"}), "11111111") << "static objects have values";
  EXPECT_EQ(values({"store.32(p.0, 1)", "copy(q.1, p.0, 8)", "copy(p.0, q.1, 8)"}), "11110000");
  EXPECT_EQ(values({"fill(p.0, 1:8, 8)", "copy(p.0, q.1, 4)", "copy(q.1, p.0, 8)"}), "00001111");
  EXPECT_EQ(values({"copy(q.1, h.2, 8)"}), "00000000") << "nothing is known of the heap";
}

TEST(Initialised, WhatGetsAwayMustBeWholeFirst) {
  // Somebody copies to wherever `keep` points: that may put bytes without a value into p.
  EXPECT_EQ(values({"fill(p.0, 1:8, 8)", "store.32(&keep, p.0)", "k.3 := load.32(&keep)", "copy(k.3, h.2, 8)",
                    "copy(q.1, p.0, 8)"}),
            "00000000");
  EXPECT_EQ(values({"fill(p.0, 1:8, 8)", "store.32(&keep, p.0)", "k.3 := load.32(&keep)", "copy(q.1, k.3, 8)"}),
            "11111111");
  EXPECT_EQ(values({"store.32(p.0, 1)", "store.32(&keep, p.0)", "k.3 := load.32(&keep)", "copy(q.1, k.3, 8)"}),
            "00000000");
}

TEST(Rmw, EveryOperation) {
  term::Store store;
  auto value = [&](Rmw rmw, uint64_t old, uint64_t operand) {
    return combine(store, rmw, store.constant(8, old), store.constant(8, operand)).value64();
  };
  EXPECT_EQ(value(Rmw::Exchange, 3, 250), 250u);
  EXPECT_EQ(value(Rmw::Add, 3, 254), 1u);
  EXPECT_EQ(value(Rmw::Sub, 3, 4), 255u);
  EXPECT_EQ(value(Rmw::And, 12, 10), 8u);
  EXPECT_EQ(value(Rmw::Nand, 12, 10), 247u);
  EXPECT_EQ(value(Rmw::Or, 12, 10), 14u);
  EXPECT_EQ(value(Rmw::Xor, 12, 10), 6u);
  EXPECT_EQ(value(Rmw::Max, 3, 250), 3u);
  EXPECT_EQ(value(Rmw::Min, 3, 250), 250u);
  EXPECT_EQ(value(Rmw::UMax, 3, 250), 250u);
  EXPECT_EQ(value(Rmw::UMin, 3, 250), 3u);
}

}  // namespace
}  // namespace whittle::program::analysis
