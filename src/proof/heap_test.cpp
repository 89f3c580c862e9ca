// Accesses to objects that have names: where predicates say that they are there, and how large they are.
#include <gtest/gtest.h>

#include "program/parse.h"
#include "proof/proof.h"
#include "proof/term_text.h"

namespace whittle::proof {
namespace {

using program::Program;
using verdict::Property;

verdict::Specification only(Property property) {
  verdict::Specification specification;
  specification.properties = {property};
  return specification;
}

FunctionProof bare(const Program& program, program::FunctionId f) {
  FunctionProof p;
  p.function = f;
  p.requires_ = p.ensures = program.terms().truth();
  return p;
}

Object object(const Program& program, uint32_t proof, uint32_t edge) {
  term::Store& store = program.terms();
  return {proof, edge, 64, store.variable(32, "object"), store.variable(1, "there"), store.variable(32, "size")};
}

/// p = malloc(8); a cut point; first; second; return.
std::string straight(const std::string& first, const std::string& second) {
  return R"(program ILP32
entry 0
function 0 "main" returns 0 entry 0 locations 7 parameters 0
  register 0 32 "p"
  register 1 32 "i"
  register 2 32 "x"
  0 -> 1: p.0 := heap_alloc(8, 0:1)
  1 -> 2: i.1 := nondet input "i"
  2 -> 3: assume((i.1 <u 2))
  3 -> 4: )" +
         first + "\n  4 -> 5: " + second + "\n  5 -> 6: skip\n  6: return()\n";
}

struct Straight {
  std::string first = "store.32(((i.1 * 4) + p.0), 1)", second = "heap_free(p.0)";
  std::string region = "(and (ult i.1 2:32) (and (eq p.0 @0) (and @0.there (eq @0.size 8:32))))";
  Property property = Property::ValidDeref;

  bool valid() const {
    Program program = program::parse_text(straight(first, second));
    Proof proof;
    proof.objects = {object(program, 0, 0)};
    proof.functions = {bare(program, 0)};
    FunctionProof& f = proof.functions[0];
    const term::Term in = parse_term(program, f, region, proof.objects);
    f.regions = {{3, in}, {3, program.terms().bnot(in)}};
    f.impossible = {{kStart, 1}};
    Limits limits;
    const std::string text = write(proof, program, only(property));
    EXPECT_EQ(write(read(text, program), program, only(property)), text);
    const bool valid = check(proof, program, only(property), limits).valid;
    EXPECT_EQ(check(read(text, program), program, only(property), limits).valid, valid);
    return valid;
  }
};

TEST(HeapProof, AccessesInsideObjectsThatAreThere) {
  EXPECT_TRUE(Straight().valid());
  EXPECT_FALSE((Straight{.first = "store.32(((i.1 * 8) + p.0), 1)"}.valid()));        // outside
  EXPECT_FALSE((Straight{.first = "store.32(((i.1 * 4) + (p.0 - 4)), 1)"}.valid()));  // before it
  EXPECT_FALSE((Straight{.first = "store.32(((i.1 * 2) + p.0), 1) align 4"}.valid()));
  EXPECT_FALSE((Straight{.first = "heap_free(p.0)", .second = "store.32(p.0, 1)"}.valid()));
  EXPECT_FALSE((Straight{.first = "heap_free((p.0 + (i.1 * 4)))", .second = "x.2 := load.32(p.0)"}.valid()));
  EXPECT_TRUE((Straight{.first = "heap_free(0)", .second = "x.2 := load.32(p.0)"}.valid()));
}

TEST(HeapProof, WhatRegionsSayIsNotTakenOnTrust) {
  EXPECT_FALSE((Straight{.region = "(and (eq p.0 @0) (and @0.there (eq @0.size 8:32)))"}.valid()));  // i is open
  EXPECT_FALSE((Straight{.region = "(and (ult i.1 2:32) (and (eq p.0 @0) (eq @0.size 8:32)))"}.valid()));
  EXPECT_FALSE((Straight{.region = "(and (ult i.1 2:32) (and (eq p.0 @0) @0.there))"}.valid()));
  EXPECT_FALSE((Straight{.region = "(and (ult i.1 2:32) (and @0.there (eq @0.size 8:32)))"}.valid()));
  EXPECT_FALSE((Straight{.region = "(and (ult i.1 2:32) (and (eq p.0 @0) (and @0.there (eq @0.size 9:32))))"}.valid()));
  EXPECT_FALSE(
      (Straight{.region = "(and (ult i.1 2:32) (and (eq p.0 @0) (and (not @0.there) (eq @0.size 8:32))))"}.valid()));
  EXPECT_TRUE(
      (Straight{.region = "(and (ult i.1 2:32) (and (eq p.0 @0) (and @0.there (not (ult @0.size 8:32)))))"}.valid()));
}

TEST(HeapProof, BlocksLieInsideObjects) {
  const std::string load = "x.2 := load.32(p.0)";
  EXPECT_TRUE((Straight{.first = "fill(p.0, 0:8, 8)", .second = load}.valid()));
  EXPECT_FALSE((Straight{.first = "fill(p.0, 0:8, 9)", .second = load}.valid()));
  EXPECT_TRUE((Straight{.first = "copy(p.0, (p.0 + 4), 4)", .second = load}.valid()));
  EXPECT_FALSE((Straight{.first = "copy((p.0 + 5), p.0, 4)", .second = load}.valid()));
  EXPECT_FALSE((Straight{.first = "copy(p.0, (p.0 + 5), 4)", .second = load}.valid()));
  EXPECT_FALSE((Straight{.first = "fill(p.0, 0:8, i.1)", .second = load}.valid()));  // not followed
}

TEST(HeapProof, OnlyObjectsThatAreThereAreFreed) {
  const auto free = Property::ValidFree;
  EXPECT_TRUE((Straight{.property = free}.valid()));
  EXPECT_FALSE((Straight{.first = "heap_free(p.0)", .property = free}.valid()));  // twice
  EXPECT_FALSE((Straight{.second = "heap_free((p.0 + 4))", .property = free}.valid()));
  EXPECT_FALSE((Straight{.second = "heap_free((p.0 + (i.1 * 4)))", .property = free}.valid()));
  EXPECT_TRUE((Straight{.first = "heap_free(0)", .property = free}.valid()));
}

/// make() { p = malloc(8) or the address of a local; other(p); return p; }, then main writes to what it got.
TEST(HeapProof, CallsSayWhatIsThereBehindThem) {
  struct Calls {
    std::string made = "heap_alloc(8, 0:1)", other = "skip",
                ensures = "(and (eq ?result @0) (and @0.there (eq @0.size 8:32)))";
    bool valid() const {
      Program program = program::parse_text(R"(program ILP32
entry 0
function 0 "main" returns 0 entry 0 locations 3 parameters 0
  register 0 32 "p"
  0 -> 1: p.0 := call make()
  1 -> 2: store.32(p.0, 1)
  2: return()
function 1 "make" returns 32 entry 0 locations 3 parameters 0
  register 0 32 "p"
  0 -> 1: p.0 := )" + made +
                                            "\n  1 -> 2: " + other + R"(
  2: return(p.0)
function 2 "end" returns 0 entry 0 locations 2 parameters 1
  register 0 32 "p"
  0 -> 1: heap_free(p.0)
  1: return()
function 3 "idle" returns 0 entry 0 locations 2 parameters 1
  register 0 32 "p"
  0 -> 1: skip
  1: return()
)");
      Proof proof;
      for (program::FunctionId f = 0; f < 4; ++f) proof.functions.push_back(bare(program, f));
      proof.objects = {object(program, 1, 0)};
      proof.functions[1].ensures = parse_term(
          program,
          [&] {
            proof.functions[1].result = program.terms().variable(32, "result");
            return proof.functions[1];
          }(),
          ensures, proof.objects);
      proof.functions[0].calls = {{0, {{1, {}}}}};
      if (other == "call end(p.0)") proof.functions[1].calls = {{1, {{2, {}}}}};
      if (other == "call idle(p.0)") proof.functions[1].calls = {{1, {{3, {}}}}};
      Limits limits;
      return check(proof, program, only(Property::ValidDeref), limits).valid;
    }
  };
  EXPECT_TRUE(Calls().valid());
  EXPECT_TRUE((Calls{.other = "call idle(p.0)"}.valid()));
  EXPECT_FALSE((Calls{.other = "call end(p.0)"}.valid()));
  EXPECT_FALSE((Calls{.other = "heap_free(p.0)"}.valid()));
  EXPECT_FALSE((Calls{.made = "stack_alloc(8) align 4 \"a\""}.valid()));  // gone with its function
  EXPECT_FALSE((Calls{.ensures = "(and (eq ?result @0) (eq @0.size 8:32))"}.valid()));
  EXPECT_FALSE((Calls{.ensures = "(and (eq ?result @0) @0.there)"}.valid()));
}

}  // namespace
}  // namespace whittle::proof
