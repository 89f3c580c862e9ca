#include "program/expression.h"

#include <gtest/gtest.h>

#include <cstring>

#include "base/error.h"
#include "program/parse.h"

// The expressions are meant to be odd: mixed signs, precedence without parentheses, numbers as conditions.
#pragma GCC diagnostic ignored "-Wsign-compare"
#pragma GCC diagnostic ignored "-Wint-in-bool-context"
#pragma GCC diagnostic ignored "-Wparentheses"
#pragma GCC diagnostic ignored "-Waddress"

namespace whittle::program {
namespace {

// The same variables for the compiler of this test and for the parser: what it says of an expression is compared with
// what C says.
enum State { IDLE, BUSY = 5, BROKEN = -1 };
struct Point {
  int x;
  short y;
  unsigned flags : 3;
  int delta : 5;
};
signed char c = -3;
unsigned char uc = 250;
short s = -1234;
int i = -7;
int j = 5;
unsigned u = 4000000000u;
long l = -5000000000;
unsigned long ul = 18000000000000000000u;
int table[4] = {10, -20, 30, -40};
Point point = {3, -4, 6, -9};
Point points[2] = {{1, 2, 3, 4}, {-5, -6, 7, -8}};
Point* p = &points[1];
int* q = &table[2];
double d = 2.5;
float f = -0.5f;
State state = BUSY;

constexpr const char* kProgram = R"(program LP64
type 1 integer "int" size 4 signed
type 2 integer "signed char" size 1 signed
type 3 integer "unsigned char" size 1
type 4 integer "short" size 2 signed
type 5 integer "unsigned int" size 4
type 6 integer "long" size 8 signed
type 7 integer "unsigned long" size 8
type 8 array "int[4]" size 16 element 1 count 4
type 9 struct "Point" size 8 field "x" type 1 bit 0 field "y" type 4 bit 32 field "flags" type 5 bit 48 width 3 field "delta" type 1 bit 51 width 5
type 10 array "Point[2]" size 16 element 9 count 2
type 11 pointer "Point *" size 8 element 9
type 12 pointer "int *" size 8 element 1
type 13 float "double" size 8
type 14 float "float" size 4
type 15 enum "State" size 4 signed element 1 value "IDLE" 0 value "BUSY" 5 value "BROKEN" -1
object 0 "c" at 0x101000 size 1 align 1 type 2
object 1 "uc" at 0x103000 size 1 align 1 type 3
object 2 "s" at 0x105000 size 2 align 2 type 4
object 3 "i" at 0x107000 size 4 align 4 type 1
object 4 "j" at 0x109000 size 4 align 4 type 1
object 5 "u" at 0x10b000 size 4 align 4 type 5
object 6 "l" at 0x10d000 size 8 align 8 type 6
object 7 "ul" at 0x10f000 size 8 align 8 type 7
object 8 "table" at 0x111000 size 16 align 4 type 8
object 9 "point" at 0x113000 size 8 align 4 type 9
object 10 "points" at 0x115000 size 16 align 4 type 10
object 11 "p" at 0x117000 size 8 align 8 type 11
object 12 "q" at 0x119000 size 8 align 8 type 12
object 13 "d" at 0x11b000 size 8 align 8 type 13
object 14 "f" at 0x11d000 size 4 align 4 type 14
object 15 "state" at 0x11f000 size 4 align 4 type 15
object 16 "mine" at 0x11f000 size 4 align 4 type 1 thread_local
object 17 "untyped" at 0x121000 size 4 align 4
)";

class Expression : public testing::Test {
 protected:
  Program program = parse_text(kProgram);

  /// Bytes at an address of the program: those of the variable here. Pointers are moved to the program's addresses.
  u128 read(u128 address, unsigned bytes) {
    const void* here[] = {&c, &uc, &s, &i, &j, &u, &l, &ul, table, &point, points, nullptr, nullptr, &d, &f, &state};
    auto id = program.object_at(static_cast<uint64_t>(address));
    EXPECT_TRUE(id) << "a read outside of all objects";
    if (!id || *id > 15) return 0;
    if (*id == 11) return program.objects[10].address + 8;
    if (*id == 12) return program.objects[8].address + 8;
    uint64_t offset = static_cast<uint64_t>(address) - program.objects[*id].address;
    EXPECT_LE(offset + bytes, program.objects[*id].size);
    u128 value = 0;
    std::memcpy(&value, static_cast<const char*>(here[*id]) + offset, bytes);
    return value;
  }
  u128 evaluate(std::string_view text, bool condition) {
    term::Term t = condition ? parse_condition(program, text) : parse_expression(program, text);
    width = t.width();
    return program.terms().evaluate(t, {.variable = {}, .read = [&](u128 a, unsigned n) { return read(a, n); }});
  }
  std::string error(std::string_view text) {
    try {
      parse_condition(program, text);
    } catch (const Error& e) {
      EXPECT_EQ(e.code(), ExitCode::Usage);
      return e.what();
    }
    return "";
  }
  unsigned width = 0;
};

template <typename T>
u128 bits_of(T value) {
  u128 bits = 0;
  std::memcpy(&bits, &value, sizeof(T));
  return bits;
}

// Value, width and truth as the compiler has them. `+` on both sides makes C++'s bool the int that C has.
#define SAME(e)                                                           \
  do {                                                                    \
    auto expected = +(e);                                                 \
    EXPECT_TRUE(evaluate("+(" #e ")", false) == bits_of(expected)) << #e; \
    EXPECT_EQ(width, sizeof(expected) * 8) << #e;                         \
    EXPECT_TRUE(evaluate(#e, true) == ((e) ? 1u : 0u)) << #e;             \
  } while (false)

TEST_F(Expression, IntegersAsTheCompilerHasThem) {
  SAME(i + j);
  SAME(i * j - 3);
  SAME(i / j);
  SAME(i % j);
  SAME(i / 2u);
  SAME(c + uc);
  SAME(uc << 4);
  SAME(c >> 1);
  SAME(u >> 1);
  SAME(l >> 3);
  SAME(i >> j);
  SAME(i < j);
  SAME(i < u);
  SAME(c < uc);
  SAME(s * s);
  SAME(l + u);
  SAME(l < ul);
  SAME(ul / 3);
  SAME(ul % 1000 + c);
  SAME(~uc);
  SAME(-uc);
  SAME(-u);
  SAME(!i);
  SAME(!!i);
  SAME(i & j | 8 ^ 3);
  SAME(i == -7 && j != 5 || u > 5);
  SAME(i <= -7 && j >= 5);
  SAME(i < 0 ? uc : l);
  SAME(i > 0 ? 1 : j > 0 ? 2 : 3);
  SAME(1 + 2 * 3 - 4 / 2);
  SAME(10 - 3 - 2);
  SAME(1 << 2 + 1);
  SAME((i + 1) * (j - 1));
  SAME(((((((((((((((((((((i)))))))))))))))))))));
  SAME(0x7fffffff);
  SAME(0x80000000);
  SAME(2147483648);
  SAME(4294967296);
  SAME(017);
  SAME(5u);
  SAME(5L);
  SAME(5ull);
  SAME('a' + '\n');
}

TEST_F(Expression, CastsAndSizes) {
  SAME((unsigned char)i);
  SAME((signed char)uc);
  SAME((short)u);
  SAME((unsigned)c);
  SAME((long)c * 1000000000);
  SAME((unsigned long)i);
  SAME((long long)u);
  SAME((int)d);
  SAME((double)i);
  SAME((float)j);
  SAME(sizeof(int) + sizeof(l));
  SAME(sizeof table);
  SAME(sizeof(point));
  SAME(sizeof(int*));
  SAME((int)sizeof(points[0]) - 9);
}

TEST_F(Expression, Floats) {
  SAME(d + f);
  SAME(d * 2);
  SAME(f - 1);
  SAME(-f);
  SAME(d > 2 && f < 0);
  SAME(d == 2);
  SAME(d != d);
  SAME(i / d);
  SAME(f * f);
}

TEST_F(Expression, StructsArraysPointersEnums) {
  SAME(table[1]);
  SAME(table[j - 2]);
  SAME(*table);
  SAME(*(table + 3));
  SAME(point.x + point.y);
  SAME(point.flags);
  SAME(point.delta);
  SAME(point.delta < point.flags);
  SAME(points[1].y);
  SAME(points[1].delta);
  SAME(p->x);
  SAME(p->flags);
  SAME(p[-1].y);
  SAME((*p).y);
  SAME((point).x);
  SAME(*q);
  SAME(q[1]);
  SAME(q[-2]);
  SAME(q - table);
  SAME(q == &table[2]);
  SAME(&table[3] > q);
  SAME(*&(i));
  SAME(p == &points[0]);
  SAME(p != 0);
  SAME((q ? *q : 0));
  SAME(state == BUSY);
  SAME(state > IDLE && state != BROKEN);
  SAME(BROKEN < 0);
}

TEST_F(Expression, VariablesAreReadsAtConstantAddresses) {
  for (term::Term read : term::reads(parse_condition(program, "i + table[2] == point.y + points[1].delta")))
    EXPECT_TRUE(read.kid(0).is_constant());
}

TEST_F(Expression, ErrorsNameTheColumn) {
  EXPECT_EQ(error("tabel[1] == 2"),
            "`tabel[1] == 2`, column 1: there is no global variable `tabel` that the program uses (did you mean `table`?)");
  EXPECT_EQ(error("point.flag"), "`point.flag`, column 7: Point has no field `flag` (did you mean `flags`?)");
  EXPECT_EQ(error("point.z"), "`point.z`, column 7: Point has no field `z`");
  EXPECT_EQ(error("i + "), "`i + `, column 5: the expression ends too early");
  EXPECT_EQ(error("i = 3"), "`i = 3`, column 3: `=` is not understood here");
  EXPECT_EQ(error("(i + 3"), "`(i + 3`, column 7: expected `)`");
  EXPECT_EQ(error("d % 2"), "`d % 2`, column 3: `%` needs integers");
  EXPECT_EQ(error("p * 2"), "`p * 2`, column 3: `*` does not go with pointers");
  EXPECT_EQ(error("i[2]"), "`i[2]`, column 2: only arrays and pointers have elements");
  EXPECT_EQ(error("*i"), "`*i`, column 1: only pointers can be dereferenced");
  EXPECT_EQ(error("mine == 0"), "`mine == 0`, column 1: `mine` is thread-local: it has a value for every thread");
  EXPECT_NE(error("untyped"), "");
  EXPECT_NE(error("point == 3"), "");
  EXPECT_NE(error("(struct nothing)i"), "");
  EXPECT_NE(error("99999999999999999999"), "");
  EXPECT_NE(error("089"), "");
  EXPECT_NE(error("3x"), "");
  EXPECT_NE(error("&3"), "");
  EXPECT_NE(error("&point.flags"), "");
  EXPECT_NE(error("'a"), "");
  EXPECT_NE(error(""), "");
  EXPECT_NE(error("i j"), "");
  EXPECT_NE(error("p + q"), "");
}

}  // namespace
}  // namespace whittle::program
