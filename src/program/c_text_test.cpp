#include "program/c_text.h"

#include <gtest/gtest.h>

namespace whittle::program {
namespace {

using term::Term;

class CText : public testing::Test {
 protected:
  CText() {
    program.types.push_back({.kind = Type::Kind::Integer, .name = "int", .size = 4, .is_signed = true});
    program.types.push_back({.kind = Type::Kind::Integer, .name = "unsigned", .size = 4});
    program.types.push_back(
        {.kind = Type::Kind::Struct,
         .name = "struct pair",
         .size = 8,
         .fields = {{.name = "first", .type = kInt}, {.name = "next", .type = kUnsigned, .bit_offset = 32}}});
    program.types.push_back(
        {.kind = Type::Kind::Array, .name = "struct pair[4]", .size = 32, .element = kPair, .count = 4});
    program.types.push_back({.kind = Type::Kind::Pointer, .name = "struct pair *", .size = 8, .element = kPair});
    program.types.push_back({.kind = Type::Kind::Pointer, .name = "int *", .size = 8, .element = kInt});
    program.objects.push_back({.name = "lock", .size = 4, .align = 4, .type = kInt});
    program.objects.push_back({.name = "table", .size = 32, .align = 4, .type = kTable});
    program.place_objects();
    program.functions.push_back({.name = "f"});
    FunctionBuilder builder(program, 0);
    i = builder.var(builder.reg(32, "i", kInt));
    u = builder.var(builder.reg(32, "u", kUnsigned));
    p = builder.var(builder.reg(64, "p", kPointer));
    q = builder.var(builder.reg(64, "q", kPointerToInt));
    RegisterId object = builder.reg(64, "", kPointerToInt);
    local = builder.var(object);
    LocationId start = builder.location(), end = builder.location();
    Statement allocate;
    allocate.kind = Kind::StackAlloc;
    allocate.targets = {object};
    allocate.operands = {number(4, 64)};
    allocate.text = "local";
    builder.edge(start, end, allocate);
    Statement back;
    back.kind = Kind::Return;
    builder.edge(end, kNone, back);
    builder.finish(start);
  }

  term::Store& store() { return program.terms(); }
  Term number(uint64_t value, unsigned width = 32) { return store().constant(width, value); }
  Term at(Term address, unsigned width = 32) { return store().read(address, width); }
  Term address(const char* name, uint64_t offset = 0) {
    return number(program.objects[*program.find_object(name)].address + offset, 64);
  }
  Term plus(Term a, Term b) { return store().add(a, b); }
  std::string text(Term t) { return to_c(program, t); }

  static constexpr TypeId kInt = 1, kUnsigned = 2, kPair = 3, kTable = 4, kPointer = 5, kPointerToInt = 6;
  Program program;
  Term i, u, p, q, local;
};

TEST_F(CText, StaticObjectsHaveNames) {
  EXPECT_EQ(text(store().eq(at(address("lock")), number(0))), "lock == 0");
  EXPECT_EQ(text(at(address("table", 20))), "table[2].next");
  EXPECT_EQ(text(address("table", 16)), "&table[2].first");
  EXPECT_EQ(text(address("lock")), "&lock");
  EXPECT_EQ(text(at(address("lock", 1), 8)), "*(uint8_t*)((char*)&lock + 1)");
  EXPECT_EQ(text(at(address("table"), 64)), "table[0]");
}

TEST_F(CText, ElementsAndMembersByTheirPointers) {
  Term scaled = store().mul(store().sext(i, 64), number(8, 64));
  EXPECT_EQ(text(at(plus(scaled, address("table", 4)))), "table[i].next");
  EXPECT_EQ(text(at(plus(scaled, address("table", 12)))), "table[i + 1].next");
  EXPECT_EQ(text(at(p)), "p->first");
  EXPECT_EQ(text(at(plus(p, number(4, 64)))), "p->next");
  EXPECT_EQ(text(at(plus(plus(p, scaled), number(4, 64)))), "p[i].next");
  EXPECT_EQ(text(at(q)), "*q");
  EXPECT_EQ(text(at(plus(q, number(8, 64)))), "q[2]");
  EXPECT_EQ(text(at(local)), "local");
  EXPECT_EQ(text(store().eq(p, number(0, 64))), "p == 0");
}

TEST_F(CText, CastsOnlyWhereTypesAskForThem) {
  EXPECT_EQ(text(store().slt(i, number(10))), "i < 10");
  EXPECT_EQ(text(store().ult(u, number(10))), "u < 10");
  EXPECT_EQ(text(store().ult(i, number(10))), "(uint32_t)i < 10");
  EXPECT_EQ(text(store().slt(u, number(10))), "(int32_t)u < 10");
  EXPECT_EQ(text(store().slt(plus(i, at(address("lock"))), number(10))), "i + lock < 10");
  EXPECT_EQ(text(store().slt(plus(i, u), number(10))), "(int32_t)(i + u) < 10");
}

}  // namespace
}  // namespace whittle::program
