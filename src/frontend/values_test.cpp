// Values of operations, intrinsics and their checks, compared with plain arithmetic: all values of 8 bits, samples of
// more.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "frontend/test_support.h"

namespace whittle::frontend {
namespace {

using program::Kind;
using program::Program;
using verdict::Property;

/// Lowers a function f of LLVM assembly; arguments are parameters.
Program lower_assembly(const std::string& function, bool overflow = false) {
  test::Folder folder;
  Options options = test::standard_options();
  options.entry = "f";
  if (overflow) options.specification.properties.insert(Property::NoOverflow);
  std::string text =
      "target datalayout = \"e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128\"\n"
      "target triple = \"x86_64-pc-linux-gnu\"\n" +
      function;
  Program program = load_program({folder.write("test.ll", text)}, options);
  program.validate();
  return program;
}

u128 evaluate(const Program& program, term::Term term, std::initializer_list<u128> arguments) {
  term::Assignment assignment;
  assignment.variable = [&](term::Term variable) { return arguments.begin()[program.register_of(variable).reg]; };
  return program.terms().evaluate(term, assignment);
}

term::Term returned(const Program& program) {
  return test::statements(program, "f", Kind::Return).at(0).operands.at(0);
}

/// f(i8 %a, i8 %b) by one expression, against a function of C++, for all values.
void compare(const std::string& body, unsigned width, const std::function<unsigned(uint8_t, uint8_t)>& expected) {
  Program program = lower_assembly(
      "define i" + std::to_string(width) + " @f(i8 %a, i8 %b) {\n" + body + "}\n" +
      "declare i8 @llvm.ctpop.i8(i8)\ndeclare i8 @llvm.ctlz.i8(i8, i1)\ndeclare i8 @llvm.cttz.i8(i8, i1)\n"
      "declare i8 @llvm.bitreverse.i8(i8)\ndeclare i8 @llvm.fshl.i8(i8, i8, i8)\ndeclare i8 @llvm.fshr.i8(i8, i8, i8)\n"
      "declare i8 @llvm.abs.i8(i8, i1)\ndeclare i8 @llvm.smax.i8(i8, i8)\ndeclare i8 @llvm.umin.i8(i8, i8)\n"
      "declare i8 @llvm.sadd.sat.i8(i8, i8)\ndeclare i8 @llvm.usub.sat.i8(i8, i8)\ndeclare i8 @llvm.ssub.sat.i8(i8, "
      "i8)\n"
      "declare i8 @llvm.uadd.sat.i8(i8, i8)\n"
      "declare {i8, i1} @llvm.smul.with.overflow.i8(i8, i8)\ndeclare {i8, i1} @llvm.umul.with.overflow.i8(i8, i8)\n"
      "declare {i8, i1} @llvm.ssub.with.overflow.i8(i8, i8)\ndeclare {i8, i1} @llvm.uadd.with.overflow.i8(i8, i8)\n"
      "declare {i8, i1} @llvm.usub.with.overflow.i8(i8, i8)\n");
  term::Term result = returned(program);
  for (unsigned a = 0; a < 256; ++a)
    for (unsigned b = 0; b < 256; ++b)
      ASSERT_EQ(static_cast<unsigned>(evaluate(program, result, {a, b})),
                expected(static_cast<uint8_t>(a), static_cast<uint8_t>(b)))
          << body << " a=" << a << " b=" << b;
}

int s(uint8_t x) { return static_cast<int8_t>(x); }
unsigned byte(int x) { return static_cast<uint8_t>(x); }
int clamp(int x, int low, int high) { return x < low ? low : x > high ? high : x; }
std::string one(const std::string& call) { return "  %r = call i8 @llvm." + call + "\n  ret i8 %r\n"; }
std::string flag(const std::string& call) {
  return "  %p = call {i8, i1} @llvm." + call + "(i8 %a, i8 %b)\n  %r = extractvalue {i8, i1} %p, 1\n  ret i1 %r\n";
}

TEST(Intrinsics, BitsOfBytes) {
  compare(one("ctpop.i8(i8 %a)"), 8, [](uint8_t a, uint8_t) { return std::popcount(a); });
  compare(one("ctlz.i8(i8 %a, i1 false)"), 8, [](uint8_t a, uint8_t) { return std::countl_zero(a); });
  compare(one("cttz.i8(i8 %a, i1 false)"), 8, [](uint8_t a, uint8_t) { return std::countr_zero(a); });
  compare(one("bitreverse.i8(i8 %a)"), 8, [](uint8_t a, uint8_t) {
    unsigned r = 0;
    for (int i = 0; i < 8; ++i) r |= (a >> i & 1u) << (7 - i);
    return r;
  });
  compare(one("fshl.i8(i8 %a, i8 %b, i8 %b)"), 8,
          [](uint8_t a, uint8_t b) { return byte((a << 8 | b) << (b % 8) >> 8); });
  compare(one("fshr.i8(i8 %a, i8 %b, i8 %b)"), 8, [](uint8_t a, uint8_t b) { return byte((a << 8 | b) >> (b % 8)); });
}

TEST(Intrinsics, ArithmeticOfBytes) {
  compare(one("abs.i8(i8 %a, i1 false)"), 8, [](uint8_t a, uint8_t) { return byte(std::abs(s(a))); });
  compare(one("smax.i8(i8 %a, i8 %b)"), 8, [](uint8_t a, uint8_t b) { return byte(std::max(s(a), s(b))); });
  compare(one("umin.i8(i8 %a, i8 %b)"), 8, [](uint8_t a, uint8_t b) { return std::min(a, b); });
  compare(one("sadd.sat.i8(i8 %a, i8 %b)"), 8,
          [](uint8_t a, uint8_t b) { return byte(clamp(s(a) + s(b), -128, 127)); });
  compare(one("ssub.sat.i8(i8 %a, i8 %b)"), 8,
          [](uint8_t a, uint8_t b) { return byte(clamp(s(a) - s(b), -128, 127)); });
  compare(one("uadd.sat.i8(i8 %a, i8 %b)"), 8, [](uint8_t a, uint8_t b) { return byte(clamp(a + b, 0, 255)); });
  compare(one("usub.sat.i8(i8 %a, i8 %b)"), 8, [](uint8_t a, uint8_t b) { return byte(clamp(a - b, 0, 255)); });
}

TEST(Intrinsics, OverflowFlags) {
  compare(flag("smul.with.overflow.i8"), 1,
          [](uint8_t a, uint8_t b) { return s(a) * s(b) != clamp(s(a) * s(b), -128, 127); });
  compare(flag("umul.with.overflow.i8"), 1, [](uint8_t a, uint8_t b) { return a * b > 255; });
  compare(flag("ssub.with.overflow.i8"), 1,
          [](uint8_t a, uint8_t b) { return s(a) - s(b) != clamp(s(a) - s(b), -128, 127); });
  compare(flag("uadd.with.overflow.i8"), 1, [](uint8_t a, uint8_t b) { return a + b > 255; });
  compare(flag("usub.with.overflow.i8"), 1, [](uint8_t a, uint8_t b) { return a < b; });
}

TEST(Operations, CheckOfSignedOverflowIsExact) {
  struct Case {
    const char* op;
    int (*exact)(int, int);
  };
  for (const Case& c :
       {Case{"add", [](int a, int b) { return a + b; }}, Case{"sub", [](int a, int b) { return a - b; }},
        Case{"mul", [](int a, int b) { return a * b; }}}) {
    Program program = lower_assembly(
        std::string("define i8 @f(i8 %a, i8 %b) {\n  %r = ") + c.op + " nsw i8 %a, %b\n  ret i8 %r\n}\n", true);
    auto checks = test::statements(program, "f", Kind::Check);
    ASSERT_EQ(checks.size(), 1u);
    for (int a = -128; a < 128; ++a)
      for (int b = -128; b < 128; ++b) {
        int exact = c.exact(a, b);
        bool fine = exact >= -128 && exact <= 127;
        ASSERT_EQ(evaluate(program, checks[0].operands[0], {byte(a), byte(b)}), u128(fine))
            << c.op << " " << a << " " << b;
      }
  }
}

TEST(Operations, CheckOfWideMultiplication) {
  Program program =
      lower_assembly("define i128 @f(i128 %a, i128 %b) {\n  %r = mul nsw i128 %a, %b\n  ret i128 %r\n}\n", true);
  term::Term check = test::statements(program, "f", Kind::Check).at(0).operands[0];
  constexpr i128 kMin = static_cast<i128>(u128{1} << 127), kMax = ~kMin;
  const i128 samples[] = {
      0, 1, -1, 2, -2, 3, kMax, kMin, kMin + 1, kMax / 2, kMin / 2, i128{1} << 64, -(i128{1} << 63), i128{1} << 63};
  for (i128 a : samples)
    for (i128 b : samples) {
      i128 product;
      bool fine = !__builtin_mul_overflow(a, b, &product);
      EXPECT_EQ(evaluate(program, check, {static_cast<u128>(a), static_cast<u128>(b)}), u128(fine))
          << static_cast<int64_t>(a >> 64) << " " << static_cast<int64_t>(b >> 64);
    }
}

TEST(Operations, ClassesOfFloats) {
  const double samples[] = {0.0,     -0.0,     1.5,       -2.0, 5e-324,
                            -5e-324, INFINITY, -INFINITY, NAN,  std::numeric_limits<double>::min()};
  auto classes = [](double x) -> unsigned {
    bool negative = std::signbit(x);
    switch (std::fpclassify(x)) {
      case FP_NAN: return 1u << 1;
      case FP_INFINITE: return negative ? 1u << 2 : 1u << 9;
      case FP_NORMAL: return negative ? 1u << 3 : 1u << 8;
      case FP_SUBNORMAL: return negative ? 1u << 4 : 1u << 7;
      default: return negative ? 1u << 5 : 1u << 6;
    }
  };
  for (unsigned bit = 0; bit < 10; ++bit) {
    Program program =
        lower_assembly("define i1 @f(double %a) {\n  %r = call i1 @llvm.is.fpclass.f64(double %a, i32 " +
                       std::to_string(1u << bit) + ")\n  ret i1 %r\n}\ndeclare i1 @llvm.is.fpclass.f64(double, i32)\n");
    for (double x : samples)
      EXPECT_EQ(evaluate(program, returned(program), {std::bit_cast<uint64_t>(x)}), u128((classes(x) >> bit) & 1))
          << x << " " << bit;
  }
}

TEST(Operations, WideIntegersOfBitFields) {
  // Shifts over the borders of limbs: bits 60 .. 123 of 200, sign-extended from bit 123.
  Program program = lower_assembly(
      "define i128 @f(i128 %a, i128 %b) {\n  %x = zext i128 %a to i200\n  %y = zext i128 %b to i200\n"
      "  %s = shl i200 %y, 72\n  %o = or i200 %x, %s\n  %l = shl i200 %o, 76\n  %r = ashr i200 %l, 136\n"
      "  %t = trunc i200 %r to i128\n  ret i128 %t\n}\n");
  for (u128 a : {u128{0}, ~u128{0}, u128{0x123456789abcdef0} << 60, u128{1} << 123})
    for (u128 b : {u128{0}, u128{1} << 51, u128{0xfedcba987654}}) {
      u128 both = a | b << 72;  // the part below bit 128
      i128 expected = static_cast<i128>(both << 4) >> 64;
      EXPECT_EQ(evaluate(program, returned(program), {a, b}), static_cast<u128>(expected));
    }
}

TEST(Operations, VectorsAreScalarised) {
  Program program = lower_assembly(
      "define i32 @f(i32 %a, i32 %b) {\n  %u = insertelement <2 x i32> undef, i32 %a, i32 0\n"
      "  %v = insertelement <2 x i32> %u, i32 %b, i32 1\n  %w = add <2 x i32> %v, <i32 10, i32 20>\n"
      "  %s = shufflevector <2 x i32> %w, <2 x i32> undef, <2 x i32> <i32 1, i32 0>\n"
      "  %c = icmp ugt <2 x i32> %s, %w\n  %m = select <2 x i1> %c, <2 x i32> %s, <2 x i32> %w\n"
      "  %r = extractelement <2 x i32> %m, i32 0\n  ret i32 %r\n}\n");
  // %u has an undefined element, which is overwritten.
  for (auto [a, b] : {std::pair<uint32_t, uint32_t>{1, 2}, {50, 3}, {0xffffffff, 0}}) {
    term::Assignment assignment;
    assignment.variable = [&, x = a, y = b](term::Term variable) -> u128 {
      auto reg = program.register_of(variable).reg;
      return reg == 0 ? x : reg == 1 ? y : 77;
    };
    EXPECT_EQ(program.terms().evaluate(returned(program), assignment), u128(std::max(a + 10, b + 20)));
  }
}

TEST(Phis, AreAssignedAtOnce) {
  Program program = lower_assembly(
      "define i32 @f(i32 %n) {\nentry:\n  br label %loop\nloop:\n"
      "  %a = phi i32 [ 0, %entry ], [ %b, %loop ]\n  %b = phi i32 [ 1, %entry ], [ %a, %loop ]\n"
      "  %i = phi i32 [ 0, %entry ], [ %j, %loop ]\n  %j = add i32 %i, 1\n  %c = icmp ult i32 %j, %n\n"
      "  br i1 %c, label %loop, label %end\nend:\n  ret i32 %a\n}\n");
  bool swapped = false;
  for (const program::Statement& statement : test::statements(program, "f", Kind::Assign))
    if (statement.operands[0].is_variable() && statement.targets.size() == 3)
      swapped = program.register_of(statement.operands[0]).reg == statement.targets[1] &&
                program.register_of(statement.operands[1]).reg == statement.targets[0];
  EXPECT_TRUE(swapped);
}

TEST(Undefined, IsFreshEachTime) {
  Program program = lower_assembly(
      "define i32 @f() {\n  %x = freeze i32 undef\n  %a = add i32 %x, undef\n  %r = add i32 %a, %x\n  ret i32 %r\n}\n");
  auto nondets = test::statements(program, "f", Kind::Nondet);
  ASSERT_EQ(nondets.size(), 2u);
  EXPECT_FALSE(nondets[0].input);
}

}  // namespace
}  // namespace whittle::frontend
