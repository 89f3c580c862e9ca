#include "proof/proof.h"

#include <gtest/gtest.h>

#include <random>

#include "base/error.h"
#include "program/parse.h"
#include "proof/states.h"
#include "proof/term_text.h"

namespace whittle::proof {
namespace {

using program::Program;
using term::Term;

verdict::Specification only(verdict::Property property) {
  verdict::Specification specification;
  specification.properties = {property};
  return specification;
}
const verdict::Specification kReach = only(verdict::Property::UnreachCall);

Outcome check(const Proof& proof, const Program& program, const verdict::Specification& specification = kReach) {
  Limits limits;
  return proof::check(proof, program, specification, limits);
}

/// for (i = 0; i < n; i += step) ;  assert(i == 10), n being 10
std::string loop(int bound, int step) {
  return R"(program ILP32
entry 0
function 0 "main" returns 0 entry 0 locations 6 parameters 0
  register 0 32 "i"
  0 -> 1: i.0 := 0
  1 -> 2: assume((i.0 <s )" +
         std::to_string(bound) + R"())
  1 -> 3: assume((i.0 >=s )" +
         std::to_string(bound) + R"())
  2 -> 1: i.0 := (i.0 + )" +
         std::to_string(step) + R"()
  3 -> 4: assume((i.0 != 10))
  3 -> 5: assume((i.0 == 10))
  4: error property unreach-call "i == 10"
  5: return()
)";
}

FunctionProof bare(const Program& program, program::FunctionId f) {
  FunctionProof p;
  p.function = f;
  p.requires_ = p.ensures = program.terms().truth();
  return p;
}

Proof loop_proof(const Program& program) {
  Proof proof;
  FunctionProof f = bare(program, 0);
  f.regions = {{1, parse_term(program, f, "(sle i.0 10:32)")}, {1, parse_term(program, f, "(slt 10:32 i.0)")}};
  f.impossible = {{kStart, 1}, {0, 1}};
  proof.functions = {f};
  return proof;
}

TEST(Proof, LoopInvariantIsAccepted) {
  Program program = program::parse_text(loop(10, 1));
  Outcome outcome = check(loop_proof(program), program);
  EXPECT_TRUE(outcome.valid) << outcome.reason;
  EXPECT_GE(outcome.obligations, 2u);
}

TEST(Proof, FileHoldsTheProof) {
  Program program = program::parse_text(loop(10, 1));
  std::string text = write(loop_proof(program), program, kReach);
  EXPECT_TRUE(check(read(text, program), program).valid);
  EXPECT_EQ(write(read(text, program), program, kReach), text);
  EXPECT_EQ(header_of(text).specification.properties, kReach.properties);
  EXPECT_EQ(header_of(text).data_model, program::DataModel::ILP32);
  Program other = program::parse_text(loop(10, 2));
  EXPECT_THROW(read(text, other), Error);
  EXPECT_THROW(read("{}", program), Error);
  EXPECT_THROW(read("]", program), Error);
}

TEST(Proof, TheFirstStepThatFailsIsNamed) {
  Program program = program::parse_text(loop(10, 1));
  Proof proof = loop_proof(program);
  proof.functions[0].impossible.pop_back();  // region 1 counts as reachable then
  EXPECT_NE(check(proof, program).reason.find("main: region 1 (location 1"), std::string::npos);
  proof = loop_proof(program);
  proof.functions[0].regions[0].predicate = parse_term(program, proof.functions[0], "(slt i.0 10:32)");
  EXPECT_NE(check(proof, program).reason.find("do not cover"), std::string::npos);
  proof = loop_proof(program);
  proof.functions[0].regions.clear();
  proof.functions[0].impossible.clear();
  EXPECT_NE(check(proof, program).reason.find("cycle without regions"), std::string::npos);
  Program broken = program::parse_text(loop(11, 1));
  EXPECT_NE(check(loop_proof(broken), broken).reason.find("the step from region 0"), std::string::npos);
}

/// x := nondet; g := 3; r := f(x): g := g + 1, returns x if x < 5 else 4; assert(r <= 4 && g == 4)
std::string calls(int limit, int increment) {
  return R"(program ILP32
entry 0
object 0 "g" at 0x100000 size 4 align 4 = 0x07000000
object 1 "h" at 0x102000 size 4 align 4 = 0x09000000
function 0 "main" returns 0 entry 0 locations 9 parameters 0
  register 0 32 "x"
  register 1 32 "r"
  register 2 32 "y"
  0 -> 1: x.0 := nondet input "x"
  1 -> 2: store.32(&g, 3)
  2 -> 3: r.1 := call f(x.0)
  3 -> 4: y.2 := load.32(&g)
  4 -> 5: assume(((y.2 != 4) | (r.1 >u 4)))
  4 -> 6: assume(~((y.2 != 4) | (r.1 >u 4)))
  5: error property unreach-call "wrong"
  6: return()
function 1 "f" returns 32 entry 0 locations 6 parameters 1
  register 0 32 "x"
  register 1 32 "t"
  0 -> 1: t.1 := load.32(&g)
  1 -> 2: store.32(&g, (t.1 + )" +
         std::to_string(increment) + R"())
  2 -> 3: assume((x.0 <u )" +
         std::to_string(limit) + R"())
  2 -> 4: assume(~(x.0 <u )" +
         std::to_string(limit) + R"())
  3: return(x.0)
  4: return(4)
)";
}

Proof call_proof(const Program& program) {
  Proof proof;
  FunctionProof f = bare(program, 1);
  f.ghosts = {program.terms().variable(32, "g before")};
  f.result = program.terms().variable(32, "result");
  f.requires_ = parse_term(program, f, "(eq ?0 (read.32 1048576:32))");
  f.ensures = parse_term(program, f, "(and (eq (read.32 1048576:32) (add ?0 1:32)) (ule ?result 4:32))");
  FunctionProof main = bare(program, 0);
  main.calls = {{2, {{1, {parse_term(program, main, "(read.32 1048576:32)")}}}}};
  proof.functions = {main, f};
  return proof;
}

TEST(Proof, CallsByWhatIsProvedOfThem) {
  Program program = program::parse_text(calls(5, 1));
  Outcome outcome = check(call_proof(program), program);
  EXPECT_TRUE(outcome.valid) << outcome.reason;
  std::string text = write(call_proof(program), program, kReach);
  EXPECT_TRUE(check(read(text, program), program).valid);
  Proof without = call_proof(program);
  without.functions[0].calls.clear();
  EXPECT_NE(check(without, program).reason.find("violation of unreach-call"), std::string::npos);
  for (const std::string& broken : {calls(6, 1), calls(5, 2)}) {
    Program other = program::parse_text(broken);
    EXPECT_NE(check(call_proof(other), other).reason.find("without what is ensured"), std::string::npos);
  }
}

TEST(Proof, WhatACalleeLeavesAloneStays) {
  Program program = program::parse_text(calls(5, 1));
  // h is written by no one: its initial value is known everywhere.
  Proof proof = call_proof(program);
  FunctionProof& main = proof.functions[0];
  main.regions = {{3, parse_term(program, main, "(eq (read.32 1056768:32) 9:32)")},
                  {3, parse_term(program, main, "(not (eq (read.32 1056768:32) 9:32))")}};
  main.impossible = {{kStart, 1}};
  // The regions say nothing about g and r, so the error cannot be excluded from them, but the claim itself holds.
  EXPECT_NE(check(proof, program).reason.find("region 0 (location 3"), std::string::npos);
}

/// Whatever is damaged: a program that is wrong has no valid proof.
TEST(Proof, NoDamageMakesAWrongProgramRight) {
  std::mt19937 random(7);
  unsigned rejected = 0, valid = 0;
  for (unsigned round = 0; round < 200; ++round) {
    const bool looping = random() % 2 == 0;
    const bool wrong = random() % 2 == 0;
    Program program = program::parse_text(looping ? loop(10, wrong ? 3 : 1) : calls(5, wrong ? 2 : 1));
    Proof proof = looping ? loop_proof(program) : call_proof(program);
    FunctionProof& f = proof.functions[random() % proof.functions.size()];
    auto damage = [&](Term t) {  // one constant somewhere, or an operator
      std::string text = to_text(program, f, t);
      size_t at = random() % text.size();
      for (size_t i = 0; i < text.size(); ++i, at = (at + 1) % text.size()) {
        if (text[at] < '0' || text[at] > '9' || (at > 0 && text[at - 1] != ' ')) continue;
        text[at] = static_cast<char>('0' + random() % 10);
        try {
          return parse_term(program, f, text);
        } catch (const Error&) {
          return program.terms().bnot(t);
        }
      }
      return program.terms().bnot(t);
    };
    switch (random() % 5) {
      case 0: f.requires_ = damage(f.requires_); break;
      case 1: f.ensures = damage(f.ensures); break;
      case 2:
        if (!f.regions.empty()) {
          Region& region = f.regions[random() % f.regions.size()];
          region.predicate = damage(region.predicate);
        }
        break;
      case 3:
        if (!f.impossible.empty()) f.impossible.erase(f.impossible.begin() + random() % f.impossible.size());
        break;
      default:
        if (!f.regions.empty())
          f.impossible.push_back(
              {static_cast<uint32_t>(random() % f.regions.size()), static_cast<uint32_t>(random() % f.regions.size())});
    }
    Outcome outcome = check(proof, program);
    (outcome.valid ? valid : rejected)++;
    EXPECT_FALSE(wrong && outcome.valid) << "round " << round;
    EXPECT_EQ(outcome.valid, outcome.reason.empty());
  }
  EXPECT_GT(rejected, 100u);
  EXPECT_GT(valid, 5u);  // some damage does no harm
}

TEST(Proof, BytesWithoutAValueGetOne) {
  auto program_with = [](const std::string& statement) {
    return program::parse_text(R"(program ILP32
entry 0
object 0 "g" at 0x100000 size 4 align 4
function 0 "main" returns 0 entry 0 locations 9 parameters 0
  register 0 32 "p"
  register 1 32 "q"
  register 2 32 "x"
  register 3 32 "y"
  0 -> 1: p.0 := stack_alloc(4) align 4 "a"
  1 -> 2: q.1 := stack_alloc(4) align 4 "b"
  2 -> 3: store.32(&g, 5)
  3 -> 4: )" + statement + R"(
  4 -> 5: x.2 := load.32(p.0)
  5 -> 6: y.3 := load.32(p.0)
  6 -> 7: assume((x.2 != y.3))
  6 -> 8: assume((x.2 == y.3))
  7: error property unreach-call "wrong"
  8: return()
)");
  };
  auto outcome_of = [&](const std::string& statement) {
    Program program = program_with(statement);
    Proof proof;
    proof.functions = {bare(program, 0)};
    return check(proof, program);
  };
  // What has no value gets one when it is read first, and keeps it.
  EXPECT_TRUE(outcome_of("skip").valid);
  EXPECT_TRUE(outcome_of("store.32(p.0, 1)").valid);
}

/// Two objects p and q of 8 bytes; the statement; then it is wrong if `bad`, over x and y, the words at p and q.
Outcome two_objects(const std::string& first, const std::string& second, const std::string& bad) {
  Program program = program::parse_text(R"(program ILP32
entry 0
object 0 "g" at 0x100000 size 8 align 4
function 0 "main" returns 0 entry 0 locations 10 parameters 0
  register 0 32 "p"
  register 1 32 "q"
  register 2 32 "x"
  register 3 32 "y"
  0 -> 1: p.0 := stack_alloc(8) align 4 "a"
  1 -> 2: q.1 := stack_alloc(8) align 4 "b"
  2 -> 3: )" + first + R"(
  3 -> 4: )" + second + R"(
  4 -> 5: x.2 := load.32(p.0)
  5 -> 6: y.3 := load.32(q.1)
  6 -> 7: assume()" + bad + R"()
  6 -> 8: assume(~)" + bad + R"()
  7: error property unreach-call "wrong"
  8: return()
)");
  Proof proof;
  proof.functions = {bare(program, 0)};
  return check(proof, program);
}

TEST(Proof, StackObjectsAreApart) {
  EXPECT_TRUE(two_objects("store.32(p.0, 5)", "store.32(q.1, 6)", "(x.2 != 5)").valid);
  EXPECT_TRUE(two_objects("store.32(p.0, 5)", "store.32((q.1 + 4), 6)", "(x.2 != 5)").valid);
  EXPECT_FALSE(two_objects("store.32(p.0, 5)", "store.32(p.0, 6)", "(x.2 != 5)").valid);
  EXPECT_FALSE(two_objects("store.32(p.0, 5)", "store.16((p.0 + 2), 6)", "(x.2 != 5)").valid);
  EXPECT_TRUE(two_objects("store.32(p.0, 5)", "store.16((p.0 + 2), 6)", "(x.2 != 0x60005)").valid);
  EXPECT_FALSE(two_objects("skip", "skip", "(x.2 == 5)").valid) << "a new object may hold anything";
}

TEST(Proof, CopiesAndFills) {
  EXPECT_TRUE(two_objects("store.32(p.0, 5)", "copy(q.1, p.0, 4)", "(y.3 != 5)").valid);
  EXPECT_FALSE(two_objects("store.32(p.0, 5)", "copy(q.1, p.0, 3)", "(y.3 != 5)").valid);
  EXPECT_TRUE(two_objects("store.32(p.0, 5)", "copy(q.1, p.0, 8)", "(y.3 != 5)").valid) << "half of it has a value";
  EXPECT_TRUE(two_objects("skip", "copy(q.1, p.0, 4)", "(x.2 != y.3)").valid) << "the copy of no value has the same";
  EXPECT_TRUE(two_objects("store.16(p.0, 5)", "copy(q.1, p.0, 4)", "(x.2 != y.3)").valid);
  EXPECT_FALSE(two_objects("copy(q.1, p.0, 4)", "store.16(p.0, 5)", "(x.2 != y.3)").valid);
  EXPECT_TRUE(two_objects("copy(p.0, &g, 4)", "copy(q.1, p.0, 4)", "(y.3 != 0)").valid);
  EXPECT_TRUE(two_objects("fill(p.0, 1, 4)", "copy(q.1, p.0, 4)", "(y.3 != 0x01010101)").valid);
  EXPECT_FALSE(two_objects("fill(p.0, 1, 3)", "skip", "(x.2 != 0x01010101)").valid);
  EXPECT_FALSE(two_objects("fill(p.0, 1, 4)", "copy(q.1, p.0, 4)", "(y.3 == 0x01010101)").valid);
}

/// p := make(8); p->lock := 0; q := make(8); q->lock := `second`; wrong if p->lock is not 0. make() calls heap_alloc,
/// in a loop of its own or not.
std::string heap(const std::string& address, const std::string& back = "return(r.1)") {
  return R"(program ILP32
entry 0
function 0 "main" returns 0 entry 0 locations 9 parameters 0
  register 0 32 "p"
  register 1 32 "q"
  register 2 32 "x"
  0 -> 1: p.0 := call make(8)
  1 -> 2: store.32(p.0, 0)
  2 -> 3: q.1 := call make(8)
  3 -> 4: store.32()" +
         address + R"(, 1)
  4 -> 5: x.2 := load.32(p.0)
  5 -> 6: assume((x.2 != 0))
  5 -> 7: assume((x.2 == 0))
  6: error property unreach-call "wrong"
  7: return()
function 1 "make" returns 32 entry 0 locations 4 parameters 1
  register 0 32 "size"
  register 1 32 "r"
  0 -> 1: r.1 := heap_alloc(size.0, 0:1)
  1)" + back +
         "\n";
}

Proof heap_proof(const Program& program) {
  Proof proof;
  proof.functions = {bare(program, 0), bare(program, 1), bare(program, 1)};
  for (uint32_t i = 1; i <= 2; ++i) {
    proof.objects.push_back({i, 0, 8, program.terms().variable(32, "object")});
    FunctionProof& make = proof.functions[i];
    make.result = program.terms().variable(32, "result");
  }
  for (uint32_t i = 1; i <= 2; ++i) {
    FunctionProof& make = proof.functions[i];
    auto term = [&](const std::string& text) { return parse_term(program, make, text, proof.objects); };
    make.requires_ = term(i == 1 ? "(eq size.0 8:32)" : "(and (eq size.0 8:32) (eq (read.32 @0) 0:32))");
    make.ensures = term(i == 1 ? "(eq ?result @0)" : "(and (eq ?result @1) (eq (read.32 @0) 0:32))");
  }
  FunctionProof& main = proof.functions[0];
  main.calls = {{0, {{1, {}}}}, {2, {{2, {}}}}};
  // A cut point in between: what is known of the objects must be said there.
  main.regions = {{2, parse_term(program, main, "(and (eq p.0 @0) (eq (read.32 @0) 0:32))", proof.objects)}};
  main.regions.push_back({2, program.terms().bnot(main.regions[0].predicate)});
  main.impossible = {{kStart, 1}};
  return proof;
}

TEST(Proof, ObjectsOfCalleesHaveNames) {
  Program program = program::parse_text(heap("q.1", ": return(r.1)"));
  Outcome outcome = check(heap_proof(program), program);
  EXPECT_TRUE(outcome.valid) << outcome.reason;
  std::string text = write(heap_proof(program), program, kReach);
  EXPECT_TRUE(check(read(text, program), program).valid);
  EXPECT_EQ(write(read(text, program), program, kReach), text);
  Program wrong = program::parse_text(heap("p.0", ": return(r.1)"));
  EXPECT_FALSE(check(heap_proof(wrong), wrong).valid);
  Program beyond = program::parse_text(heap("(q.1 + 4)", ": return(r.1)"));
  EXPECT_TRUE(check(heap_proof(beyond), beyond).valid);
}

TEST(Proof, NamesOfObjectsAreNotTakenOnTrust) {
  Program program = program::parse_text(heap("q.1", ": return(r.1)"));
  auto reason = [&](auto&& damage) {
    Proof proof = heap_proof(program);
    damage(proof);
    Outcome outcome = check(proof, program);
    EXPECT_FALSE(outcome.valid);
    return outcome.reason;
  };
  EXPECT_NE(reason([](Proof& p) { p.objects[0].room = 4; }).find("larger than the proof says"), std::string::npos);
  EXPECT_NE(reason([](Proof& p) { p.objects[1].proof = 1; }).find("two objects that are one"), std::string::npos);
  EXPECT_FALSE(reason([](Proof& p) { p.objects[1].address = p.objects[0].address; }).empty());
  EXPECT_NE(reason([](Proof& p) { p.objects[1].edge = 1; }).find("not made"), std::string::npos);
  EXPECT_NE(reason([](Proof& p) { p.objects[1].edge = 9; }).find("no edge"), std::string::npos);
  EXPECT_NE(reason([](Proof& p) { p.objects[1].proof = 9; }).find("no one"), std::string::npos);
  EXPECT_FALSE(reason([&](Proof& p) { p.objects[1].address = program.functions[0].registers[0].variable; }).empty());
  // Objects that cannot lie apart, for there is no room: nothing would be possible then. (Entries that no one uses.)
  EXPECT_NE(reason([&](Proof& p) {
              for (uint32_t i = 0; i < 8; ++i) {
                p.functions.push_back(p.functions[1]);
                p.functions.back().requires_ = program.terms().falsity();
                const auto number = static_cast<uint32_t>(p.functions.size() - 1);
                const Term address = program.terms().variable(program.pointer_width(), "object");
                p.objects.push_back({number, p.objects[0].edge, 0x1fffffff, address});
              }
            }).find("do not fit"),
            std::string::npos);
  // Both calls described by one entry: then the object would be made twice.
  EXPECT_NE(reason([](Proof& p) { p.functions[0].calls[1].uses[0].proof = 1; }).find("made again"), std::string::npos);
  // One call described by both.
  EXPECT_NE(reason([](Proof& p) { p.functions[0].calls[1].uses.push_back({1, {}}); }).find("described twice"),
            std::string::npos);
  // The other one is returned.
  EXPECT_FALSE(reason([&](Proof& p) {
                 p.functions[1].ensures = parse_term(program, p.functions[1], "(eq ?result @1)", p.objects);
                 p.functions[0].regions[0].predicate = program.terms().truth();
                 p.functions[0].impossible.clear();
               }).empty());
  // What the second call leaves alone must be ensured by it.
  EXPECT_FALSE(reason([&](Proof& p) {
                 p.functions[2].ensures = parse_term(program, p.functions[2], "(eq ?result @1)", p.objects);
               }).empty());
}

TEST(Proof, ObjectsMadeInLoopsHaveNoNames) {
  // The second half of make() goes back, so the object is made again and again.
  Program program = program::parse_text(
      heap("q.1", " -> 2: assume((r.1 == 0))\n  1 -> 3: assume((r.1 != 0))\n  2 -> 0: skip\n  3: return(r.1)"));
  Proof proof = heap_proof(program);
  for (uint32_t i = 1; i <= 2; ++i) proof.functions[i].regions = {{0, program.terms().truth()}};
  EXPECT_NE(check(proof, program).reason.find("made again"), std::string::npos);
}

/// A function's own objects: f(p) { int x = 1; *p = 2; if (x != 1) wrong }, called in a loop with &y.
TEST(Proof, StackObjectsOfCallersHaveNames) {
  auto text = [](const std::string& argument) {
    return R"(program ILP32
entry 0
function 0 "main" returns 0 entry 0 locations 5 parameters 0
  register 0 32 "y"
  register 1 32 "more"
  0 -> 1: y.0 := stack_alloc(4) align 4 "y"
  1 -> 2: more.1 := nondet input "more"
  2 -> 3: assume((more.1 != 0))
  2 -> 4: assume((more.1 == 0))
  3 -> 1: call f()" +
           argument + R"()
  4: return()
function 1 "f" returns 0 entry 0 locations 8 parameters 1
  register 0 32 "p"
  register 1 32 "x"
  register 2 32 "v"
  0 -> 1: x.1 := stack_alloc(4) align 4 "x"
  1 -> 2: store.32(x.1, 1)
  2 -> 3: store.32(p.0, 2)
  3 -> 4: v.2 := load.32(x.1)
  4 -> 5: assume((v.2 != 1))
  4 -> 6: assume((v.2 == 1))
  5: error property unreach-call "wrong"
  6: return()
)";
  };
  auto proof_of = [](const Program& program) {
    Proof proof;
    proof.functions = {bare(program, 0), bare(program, 1)};
    proof.objects = {{0, 0, 4, program.terms().variable(32, "object")},
                     {1, 0, 4, program.terms().variable(32, "object")}};
    proof.functions[0].regions = {{1, program.terms().truth()}};
    proof.functions[0].calls = {{4, {{1, {}}}}};
    proof.functions[1].requires_ = parse_term(program, proof.functions[1], "(eq p.0 @0)", proof.objects);
    return proof;
  };
  Program program = program::parse_text(text("y.0"));
  Outcome outcome = check(proof_of(program), program);
  EXPECT_TRUE(outcome.valid) << outcome.reason;
  Proof vague = proof_of(program);
  vague.functions[1].requires_ = program.terms().truth();
  EXPECT_FALSE(check(vague, program).valid) << "p may point to x";
  Program other = program::parse_text(text("0x20000100"));
  EXPECT_FALSE(check(proof_of(other), other).valid);
}

/// main() { if (g) wrong; g = 1; main(); }
TEST(Proof, TheStartOfTheProgramIsNoCall) {
  Program program = program::parse_text(R"(program ILP32
entry 0
object 0 "g" at 0x100000 size 4 align 4
function 0 "main" returns 0 entry 0 locations 7 parameters 0
  register 0 32 "x"
  0 -> 1: x.0 := load.32(&g)
  1 -> 2: assume((x.0 != 0))
  1 -> 3: assume((x.0 == 0))
  2: error property unreach-call "wrong"
  3 -> 4: store.32(&g, 1)
  4 -> 5: call main()
  5: return()
)");
  Proof proof;
  proof.functions = {bare(program, 0)};
  proof.functions[0].calls = {{5, {{0, {}}}}};
  EXPECT_NE(check(proof, program).reason.find("start"), std::string::npos);
}

TEST(Proof, AliasesAreDecidedByAddresses) {
  auto outcome_of = [&](const std::string& address, const std::string& bad) {
    Program program = program::parse_text(R"(program ILP32
entry 0
object 0 "g" at 0x100000 size 40 align 4
function 0 "main" returns 0 entry 0 locations 9 parameters 0
  register 0 32 "p"
  register 1 32 "x"
  register 2 32 "i"
  0 -> 1: p.0 := stack_alloc(4) align 4 "a"
  1 -> 2: i.2 := nondet input "i"
  2 -> 3: assume((i.2 <u 9))
  3 -> 4: store.32(&g, 5)
  4 -> 5: store.32()" + address + R"(, 6)
  5 -> 6: x.1 := load.32(&g)
  6 -> 7: assume()" + bad + R"()
  6 -> 8: assume(~)" + bad + R"()
  7: error property unreach-call "wrong"
  8: return()
)");
    Proof proof;
    proof.functions = {bare(program, 0)};
    return check(proof, program);
  };
  EXPECT_TRUE(outcome_of("p.0", "(x.1 != 5)").valid);
  EXPECT_TRUE(outcome_of("((i.2 * 4) + &g+4)", "(x.1 != 5)").valid);
  EXPECT_FALSE(outcome_of("((i.2 * 4) + &g)", "(x.1 != 5)").valid);
  EXPECT_TRUE(outcome_of("((i.2 * 4) + &g)", "(x.1 >u 6)").valid);
  EXPECT_FALSE(outcome_of("&g", "(x.1 != 5)").valid);
  EXPECT_TRUE(outcome_of("&g", "(x.1 != 6)").valid);
}

/// What a region says of where a pointer lies is followed case by case, and no case is left out.
TEST(Proof, PlacesOfPointersAreLookedAtOneByOne) {
  auto outcome_of = [&](const std::string& predicate, const std::string& bad) {
    Program program = program::parse_text(R"(program ILP32
entry 0
object 0 "g" at 0x100000 size 4 align 4
object 1 "h" at 0x101000 size 4 align 4
object 2 "k" at 0x102000 size 4 align 4
function 0 "main" returns 0 entry 0 locations 9 parameters 0
  register 0 32 "p"
  register 1 32 "x"
  register 2 32 "i"
  0 -> 1: i.2 := nondet input "i"
  1 -> 2: assume((i.2 <u 2))
  2 -> 3: p.0 := ((i.2 * 4096) + &g)
  3 -> 4: store.32(&k, 5)
  4 -> 5: store.32(p.0, 6)
  5 -> 6: x.1 := load.32(&k)
  6 -> 7: assume()" + bad + R"()
  6 -> 8: assume(~)" + bad + R"()
  7: error property unreach-call "wrong"
  8: return()
)");
    Proof proof;
    FunctionProof f = bare(program, 0);
    const Term in = parse_term(program, f, predicate);
    f.regions = {{3, in}, {3, program.terms().bnot(in)}};
    f.impossible = {{kStart, 1}};
    proof.functions = {f};
    return check(proof, program);
  };
  const std::string g = "(eq p.0 1048576:32)", h = "(eq p.0 1052672:32)", k = "(eq p.0 1056768:32)";
  EXPECT_TRUE(outcome_of("(or " + g + " " + h + ")", "(x.1 != 5)").valid);
  EXPECT_FALSE(outcome_of("(or " + g + " " + k + ")", "(x.1 != 5)").valid);                 // a run goes elsewhere
  EXPECT_FALSE(outcome_of("(or " + g + " (or " + h + " " + k + "))", "(x.1 != 5)").valid);  // the last case fails
  EXPECT_FALSE(outcome_of("(or (or " + k + " " + g + ") " + h + ")", "(x.1 != 5)").valid);  // the first case fails
  EXPECT_TRUE(outcome_of("(or " + g + " (or " + h + " " + k + "))", "(x.1 >u 6)").valid);
  EXPECT_FALSE(outcome_of("(or " + g + " " + h + ")", "(x.1 != 6)").valid);
}

TEST(Proof, TablesThatNothingWritesAreLookedUp) {
  auto outcome_of = [&](const std::string& index, const std::string& before) {
    Program program = program::parse_text(R"(program ILP32
entry 0
object 0 "t" at 0x100000 size 16 align 4 = 0x03000000010000000400000001000000
object 1 "g" at 0x102000 size 4 align 4
function 0 "main" returns 0 entry 0 locations 8 parameters 0
  register 0 32 "x"
  register 1 32 "i"
  0 -> 1: i.1 := nondet input "i"
  1 -> 2: assume((i.1 <u )" + index + R"())
  2 -> 3: )" + before + R"(
  3 -> 4: x.0 := load.32(((i.1 * 4) + &t))
  4 -> 5: assume((x.0 >u 3))
  4 -> 6: assume(~(x.0 >u 3))
  5: error property unreach-call "wrong"
  6: return()
)");
    Proof proof;
    proof.functions = {bare(program, 0)};
    return check(proof, program);
  };
  EXPECT_TRUE(outcome_of("2", "store.32(&g, 9)").valid);
  EXPECT_FALSE(outcome_of("3", "store.32(&g, 9)").valid);
  EXPECT_FALSE(outcome_of("2", "store.32(&t, 9)").valid);
  EXPECT_FALSE(outcome_of("2", "store.32(((i.1 * 8) + &t), 9)").valid);
}

TEST(Proof, RunsArePlayedAgain) {
  Proof run;
  run.kind = Proof::Kind::Run;
  EXPECT_TRUE(check(run, program::parse_text(loop(10, 1))).valid);
  EXPECT_FALSE(check(run, program::parse_text(loop(10, 3))).valid);
}

/// Where the value of an input must be known, all that are possible are followed, and no others.
TEST(Proof, InputsAreTerms) {
  auto outcome_of = [](const std::string& condition, const std::string& rest) {
    const Program program = program::parse_text(R"(program ILP32
entry 0
object 0 "t" at 0x100000 size 16 align 4 = 0x03000000010000000400000001000000
function 0 "main" returns 0 entry 0 locations 8 parameters 0
  register 0 32 "x"
  register 1 32 "i"
  0 -> 1: i.1 := nondet input "i"
  1 -> 2: assume()" + condition + R"()
)" + rest + R"(
  4 -> 5: assume((x.0 >u 3))
  4 -> 6: assume(~(x.0 >u 3))
  5: error property unreach-call "wrong"
  6: return()
)");
    Limits limits;
    StateSpace space;
    const verdict::Specification specification = verdict::default_specification();
    return check_states(program, specification, limits, space);
  };
  const std::string read = "  2 -> 3: skip\n  3 -> 4: x.0 := load.32(((i.1 * 4) + &t))";
  EXPECT_TRUE(outcome_of("(i.1 <u 2)", read).valid);
  const Outcome wrong = outcome_of("(i.1 <u 3)", read);
  EXPECT_FALSE(wrong.valid);
  EXPECT_TRUE(wrong.decided);
  EXPECT_FALSE(outcome_of("(i.1 <u 5)", read).valid);
  const std::string changed = "  2 -> 3: store.32(&t, (i.1 & 3))\n  3 -> 4: x.0 := load.32(&t)";
  EXPECT_TRUE(outcome_of("(i.1 >u 2)", changed).valid);
}

TEST(Proof, StatesAreGoneThroughAgain) {
  const verdict::Specification specification = verdict::default_specification();
  const Program right = program::parse_text(loop(10, 1)), wrong = program::parse_text(loop(10, 3));
  Proof proof;
  proof.kind = Proof::Kind::States;
  Limits limits;
  EXPECT_TRUE(check_states(right, specification, limits, proof.space).valid);
  EXPECT_GT(proof.space.states, 0u);
  const Proof again = read(write(proof, right, specification), right);
  EXPECT_EQ(again.space, proof.space);
  EXPECT_TRUE(check(again, right).valid);
  EXPECT_FALSE(check(again, wrong).valid);
  EXPECT_THROW(read(write(proof, right, specification), wrong), Error);
  for (StateSpace damaged : {StateSpace{proof.space.states + 1, proof.space.digest}, StateSpace{proof.space.states, proof.space.digest ^ 1},
                             StateSpace{}}) {
    Proof other = proof;
    other.space = damaged;
    const Outcome outcome = check(other, right);
    EXPECT_FALSE(outcome.valid);
    EXPECT_TRUE(outcome.decided);
  }
}

TEST(Proof, TermsComeBack) {
  Program program = program::parse_text(loop(10, 1));
  FunctionProof scope = bare(program, 0);
  for (const char* text : {"(let (add 1:32 i.0) (mul $0 $0))", "(extract.8.4 i.0)", "(ite (slt i.0 0:32) 1:8 2:8)",
                           "(zext.64 i.0)", "0xffffffffff:64", "(sinttof.64 i.0)"}) {
    Term t = parse_term(program, scope, text);
    EXPECT_EQ(parse_term(program, scope, to_text(program, scope, t)), t) << text;
  }
  for (const char* text : {"(add i.0 1:8)", "(add i.0)", "i.9", "(let i.0)", "(foo i.0)", "5", "", "(extract.40.0 i.0)",
                           "(read.32 0:64)", "i.0 i.0", "(not"})
    EXPECT_THROW(parse_term(program, scope, text), Error) << text;
}

}  // namespace
}  // namespace whittle::proof
