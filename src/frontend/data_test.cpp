// Static objects and their contents, types, names and positions.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "frontend/test_support.h"

namespace whittle::frontend {
namespace {

using program::Kind;
using program::Object;
using program::Program;
using program::Type;
using test::lower;

const Object& object(const Program& program, const std::string& name) {
  auto id = program.find_object(name);
  if (!id) throw std::runtime_error("no object " + name);
  return program.objects[*id];
}

template <typename T>
T at(const Object& object, size_t offset) {
  T value;
  std::memcpy(&value, object.initial.data() + offset, sizeof value);
  return value;
}

TEST(Objects, Initialisers) {
  Program p = lower(
      "int a[4] = {1, 2, 3}; int *middle = &a[2]; static int f(void) { return 1; }\nint (*fp)(void) = f;\n"
      "struct s { char c; double d; unsigned x : 3, y : 7; const char *t; } s = {'x', 1.5, 5, 100, \"text\"};\n"
      "long diff = sizeof(struct s); float z = -2.5f; char str[8] = \"abc\"; __int128 wide = -2;\n"
      "extern int alias_of_a[4] __attribute__((alias(\"a\")));\n"
      "int main(void) { return a[0] + *middle + fp() + s.c + diff + z + str[0] + wide + alias_of_a[1]; }");
  const Object& a = object(p, "a");
  EXPECT_EQ(a.size, 16u);
  EXPECT_EQ(at<int>(a, 4), 2);
  EXPECT_EQ(at<int>(a, 12), 0);
  EXPECT_EQ(at<uint64_t>(object(p, "middle"), 0), a.address + 8);
  EXPECT_EQ(at<uint64_t>(object(p, "fp"), 0), Program::function_address(*p.find_function("f")));
  const Object& s = object(p, "s");
  EXPECT_EQ(at<char>(s, 0), 'x');
  EXPECT_EQ(at<double>(s, 8), 1.5);
  EXPECT_EQ(at<uint16_t>(s, 16), 5 | 100 << 3);
  const Object& text = p.objects[*p.object_at(at<uint64_t>(s, 24))];
  EXPECT_TRUE(text.constant);
  EXPECT_EQ(std::string(text.initial.begin(), text.initial.end()), std::string("text\0", 5));
  EXPECT_EQ(at<float>(object(p, "z"), 0), -2.5f);
  EXPECT_EQ(at<int64_t>(object(p, "wide"), 8), -1);
  EXPECT_FALSE(p.find_object("alias_of_a"));
}

TEST(Objects, OnlyThoseThatAreUsed) {
  Program p =
      lower("int used = 1, unused = 2; int *chain = &used; int **end = &chain;\nint main(void) { return **end; }");
  EXPECT_TRUE(p.find_object("used"));
  EXPECT_TRUE(p.find_object("chain"));
  EXPECT_FALSE(p.find_object("unused"));
}

TEST(Objects, ThreadLocal) {
  Program p = lower("_Thread_local int t = 5; static __thread int u;\nint main(void) { t++; return u; }");
  EXPECT_TRUE(object(p, "t").thread_local_);
  EXPECT_EQ(at<int>(object(p, "t"), 0), 5);
  EXPECT_GE(test::count(p, "main", Kind::ThreadLocal), 2u);
}

TEST(Objects, DefinedNowhere) {
  Program p = lower("extern int x;\nint main(void) { return x; }");
  EXPECT_THAT(p.assumptions, testing::ElementsAre(testing::HasSubstr("`x` is defined nowhere")));
  EXPECT_EQ(test::count(p, "__whittle_start", Kind::Nondet), 1u);
  EXPECT_EQ(test::count(p, "__whittle_start", Kind::Store), 1u);
}

TEST(Assumptions, NamesWhatTheProgramTakesForGranted) {
  Program p = lower("int main(int argc, char **argv) { return (unsigned long)&argc % 7 == 3; }");
  EXPECT_THAT(p.assumptions,
              testing::UnorderedElementsAre("main is called without arguments: argc is 1 (--args N: up to N)",
                                            testing::HasSubstr("addresses")));
  EXPECT_TRUE(lower("int a[4]; int main(void) { int *p = a; return &a[3] - p; }").assumptions.empty());
}

TEST(Disguise, AddressesThatBecomeOtherNumbers) {
  auto disguised = [](const std::string& expression) {
    return lower("int a[4], b; void f(void) {} unsigned long k; int main(void) { k = " + expression + "; return 0; }")
        .disguised_addresses;
  };
  for (const char* plain : {"(unsigned long)&a[4]", "(unsigned long)&b & ~3ul", "(unsigned long)&b | 1", "&a[3] - a",
                            "(unsigned long)f", "k * 2 + k / 2", "(unsigned long)&b == k"})
    EXPECT_FALSE(disguised(plain)) << plain;
  for (const char* odd : {"(unsigned long)&b ^ 5", "(unsigned long)&b * 2", "~(unsigned long)&b",
                          "(unsigned long)&b >> 3", "(unsigned long)(a - 1)", "(unsigned long)&b + 4000",
                          "(unsigned long)f + 4", "(unsigned long)f | 1", "0 - (unsigned long)&b"})
    EXPECT_TRUE(disguised(odd)) << odd;
}

TEST(Objects, StaticLocalsHaveTypesAndPositions) {
  Program p = lower("\nint main(void) {\n  static unsigned long counter = 3;\n  return counter++; }");
  const Object& counter = object(p, "main.counter");
  EXPECT_EQ(p.types[counter.type].name, "unsigned long");
  EXPECT_EQ(counter.position.line, 3u);
}

TEST(Types, StructsEnumsArrays) {
  Program p = lower(
      "enum colour { RED, GREEN = 5, BLUE = -1 };\ntypedef struct node { struct node *next; unsigned a : 3, b : 5; "
      "enum colour c;\n"
      "  union { float f; char bytes[2][3]; } u; } node_t;\nnode_t n; const volatile int cv = 1; _Bool flag;\n"
      "int main(void) { return n.a + cv + flag; }");
  const Type& node = p.types[object(p, "n").type];
  EXPECT_EQ(node.kind, Type::Kind::Struct);
  EXPECT_EQ(node.name, "node_t");
  ASSERT_EQ(node.fields.size(), 5u);
  const Type& next = p.types[node.fields[0].type];
  EXPECT_EQ(next.kind, Type::Kind::Pointer);
  EXPECT_EQ(p.types[next.element].name, "struct node");
  EXPECT_EQ(node.fields[1].bit_width, 3u);
  EXPECT_EQ(node.fields[2].bit_offset, 67u);
  const Type& colour = p.types[node.fields[3].type];
  EXPECT_EQ(colour.kind, Type::Kind::Enum);
  EXPECT_EQ(colour.enumerators[1], (std::pair<std::string, int64_t>("GREEN", 5)));
  EXPECT_EQ(colour.enumerators[2].second, -1);
  const Type& u = p.types[node.fields[4].type];
  EXPECT_EQ(u.kind, Type::Kind::Union);
  const Type& bytes = p.types[u.fields[1].type];
  EXPECT_EQ(bytes.name, "char[2][3]");
  EXPECT_EQ(bytes.count, 2u);
  EXPECT_EQ(p.types[bytes.element].count, 3u);
  EXPECT_EQ(p.types[object(p, "cv").type].name, "int");
  EXPECT_TRUE(p.types[object(p, "cv").type].is_signed);
  EXPECT_EQ(p.types[object(p, "flag").type].kind, Type::Kind::Bool);
}

TEST(Positions, EveryStatementOfUserCodeHasOne) {
  Program p = lower(
      "int g;\nint f(int a) {\n  int b = a / 3;\n  if (b > 2)\n    g = b;\n  return g;\n}\nint main(void) {\n  return "
      "f(4);\n}");
  for (const char* name : {"f", "main"})
    for (const program::Edge& edge : test::function(p, name).edges)
      EXPECT_TRUE(edge.statement.position.known()) << name;
}

}  // namespace
}  // namespace whittle::frontend
