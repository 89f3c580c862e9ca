// Compiled terms against term::evaluate, on random terms over all operators and widths.
#include <gtest/gtest.h>

#include <cstdlib>

#include "base/hash.h"
#include "exec/exec_test_support.h"

namespace whittle::exec::test {
namespace {

using term::Op;

class Dice {
 public:
  explicit Dice(uint64_t seed) : state_(seed) {}
  uint64_t next() { return hash_mix(state_ += 0x9e3779b97f4a7c15u); }
  unsigned below(unsigned n) { return static_cast<unsigned>(next() % n); }
  /// Widths that programs have, and odd ones.
  unsigned width() {
    static constexpr unsigned kCommon[] = {1, 8, 16, 32, 32, 64, 64, 128};
    return below(3) != 0 ? kCommon[below(8)] : 1 + below(128);
  }
  u128 value(unsigned width) {
    u128 random = u128{next()} << 64 | next();
    switch (below(8)) {
      case 0: return 0;
      case 1: return mask128(width);
      case 2: return u128{1} << (width - 1);
      case 3: return (u128{1} << (width - 1)) - 1;
      case 4: return below(10) & mask128(width);
      case 5: return (u128{0} - below(10)) & mask128(width);
      default: return random & mask128(width);
    }
  }

 private:
  uint64_t state_;
};

class Generator {
 public:
  Generator(Dice& dice, term::Store& store, std::vector<Term>& variables)
      : dice_(dice), store_(store), variables_(variables) {}

  Term term(unsigned width, unsigned depth) {
    if (depth == 0 || dice_.below(8) == 0) return leaf(width);
    switch (dice_.below(10)) {
      case 0: {
        Op ops[] = {Op::Not, Op::Neg};
        return unary(ops[dice_.below(2)], width, depth);
      }
      case 1: return make(Op::Ite, {term(1, depth - 1), term(width, depth - 1), term(width, depth - 1)}, width);
      case 2: {
        unsigned from = width + dice_.below(129 - width);
        return make(Op::Extract, {term(from, depth - 1)}, width, from == width ? 0 : dice_.below(from - width + 1));
      }
      case 3:
        if (width > 1) {
          unsigned low = 1 + dice_.below(width - 1);
          return make(Op::Concat, {term(width - low, depth - 1), term(low, depth - 1)}, width);
        }
        return comparison(depth);
      case 4: return make(dice_.below(2) ? Op::ZExt : Op::SExt, {term(1 + dice_.below(width), depth - 1)}, width);
      case 5: return width == 1 ? comparison(depth) : floating(width, depth);
      default: return binary(width, depth);
    }
  }

 private:
  Term make(Op op, std::initializer_list<Term> kids, unsigned width, unsigned low = 0) {
    if ((op == Op::ZExt || op == Op::SExt) && kids.begin()->width() == width) return *kids.begin();
    return store_.make(op, std::vector<Term>(kids), width, low);
  }
  Term unary(Op op, unsigned width, unsigned depth) { return make(op, {term(width, depth - 1)}, width); }
  Term binary(unsigned width, unsigned depth) {
    static constexpr Op kOps[] = {Op::And,  Op::Or,   Op::Xor,  Op::Add,  Op::Add, Op::Sub,  Op::Mul, Op::Mul,
                                  Op::UDiv, Op::SDiv, Op::URem, Op::SRem, Op::Shl, Op::LShr, Op::AShr};
    Op op = kOps[dice_.below(std::size(kOps))];
    Term b = (op == Op::Shl || op == Op::LShr || op == Op::AShr) && dice_.below(2)
                 ? store_.constant(width, dice_.below(width + 2))
                 : term(width, depth - 1);
    return make(op, {term(width, depth - 1), b}, width);
  }
  Term comparison(unsigned depth) {
    static constexpr Op kOps[] = {Op::Eq, Op::Ult, Op::Ule, Op::Slt, Op::Sle, Op::FEq, Op::FLt, Op::FLe, Op::FIsNan};
    Op op = kOps[dice_.below(std::size(kOps))];
    bool floats = op == Op::FEq || op == Op::FLt || op == Op::FLe || op == Op::FIsNan;
    unsigned width = floats ? (dice_.below(2) ? 32 : 64) : dice_.width();
    if (op == Op::FIsNan) return make(op, {term(width, depth - 1)}, 1);
    return make(op, {term(width, depth - 1), term(width, depth - 1)}, 1);
  }
  Term floating(unsigned width, unsigned depth) {
    if (width != 32 && width != 64) {
      unsigned from = dice_.below(2) ? 32 : 64;
      return make(dice_.below(2) ? Op::FToUInt : Op::FToSInt, {term(from, depth - 1)}, width);
    }
    static constexpr Op kOps[] = {Op::FAdd,     Op::FSub,    Op::FMul,    Op::FDiv,    Op::FRem,   Op::FNeg,
                                  Op::FAbs,     Op::FSqrt,   Op::FRound,  Op::FFloor,  Op::FCeil,  Op::FTrunc,
                                  Op::FToFloat, Op::UIntToF, Op::SIntToF, Op::FToUInt, Op::FToSInt};
    Op op = kOps[dice_.below(std::size(kOps))];
    switch (op) {
      case Op::FAdd:
      case Op::FSub:
      case Op::FMul:
      case Op::FDiv:
      case Op::FRem: return make(op, {term(width, depth - 1), term(width, depth - 1)}, width);
      case Op::FToFloat: return make(op, {term(width == 32 ? 64 : 32, depth - 1)}, width);
      case Op::FToUInt:
      case Op::FToSInt: return make(op, {term(dice_.below(2) ? 32 : 64, depth - 1)}, width);
      case Op::UIntToF:
      case Op::SIntToF: return make(op, {term(dice_.width(), depth - 1)}, width);
      default: return make(op, {term(width, depth - 1)}, width);
    }
  }
  Term leaf(unsigned width) {
    if (dice_.below(3) == 0) return store_.constant(width, float_or(width));
    std::vector<Term> fitting;
    for (Term v : variables_)
      if (v.width() == width) fitting.push_back(v);
    return fitting.empty() ? store_.constant(width, dice_.value(width))
                           : fitting[dice_.below(static_cast<unsigned>(fitting.size()))];
  }
  u128 float_or(unsigned width) {
    static constexpr uint64_t k64[] = {0x3ff0000000000000, 0xbfe0000000000000, 0x7ff0000000000000, 0x7ff8000000000001,
                                       0x4043000000000000};
    static constexpr uint32_t k32[] = {0x3f800000, 0xbf000000, 0x7f800000, 0xffc00001, 0x42180000};
    if (width == 64 && dice_.below(2)) return k64[dice_.below(5)];
    if (width == 32 && dice_.below(2)) return k32[dice_.below(5)];
    return dice_.value(width);
  }

  Dice& dice_;
  term::Store& store_;
  std::vector<Term>& variables_;
};

/// One program with many assignments of random terms, run on random inputs. Branches are compared, too.
void compare(uint64_t seed, bool simplify) {
  Dice dice(seed);
  program::Program program{term::Store::Options{simplify}};
  program.entry = add_function(program, "main");
  std::vector<Term> variables, terms, results, taken;
  {
    Writer w(program, 0);
    for (unsigned i = 0; i < 14; ++i) {
      static constexpr unsigned kWidths[] = {1, 8, 16, 32, 32, 64, 64, 128, 1};
      variables.push_back(w.reg(i < 9 ? kWidths[i] : dice.width()));
      w.nondet(variables.back());
    }
    Generator generator(dice, program.terms(), variables);
    for (int i = 0; i < 20; ++i) {
      terms.push_back(generator.term(dice.width(), 4));
      results.push_back(w.reg(terms.back().width()));
      w.assign(results.back(), terms.back());
      Term condition = generator.term(1, 3);
      LocationId yes = w.label(), no = w.label(), join = w.label();
      terms.push_back(condition);
      results.push_back(w.reg(1));
      w.branch(condition, yes, no);
      w.place(yes);
      w.assign(results.back(), w.num(1, 1));
      w.go(join);
      w.place(no);
      w.assign(results.back(), w.num(0, 1));
      w.go(join);
      w.place(join);
    }
    w.halt(w.num(0));
  }
  auto code = compile(program, verdict::default_specification(), {.drop_dead_registers = false});
  for (int round = 0; round < 6; ++round) {
    Machine machine(code);
    std::vector<u128> values;
    const Pause* pause = &machine.schedule(0);
    while (pause->kind == PauseKind::Input) {
      values.push_back(dice.value(pause->width));
      pause = &machine.provide(values.back());
    }
    ASSERT_EQ(pause->kind, PauseKind::Halted);
    term::Assignment assignment;
    assignment.variable = [&](Term v) {
      for (size_t i = 0; i < variables.size(); ++i)
        if (variables[i] == v) return values[i];
      return u128{0};
    };
    for (size_t i = 0; i < terms.size(); ++i) {
      u128 expected = program.terms().evaluate(terms[i], assignment);
      u128 actual = machine.register_value(0, 0, program.register_of(results[i]).reg);
      ASSERT_TRUE(expected == actual) << "seed " << seed << ": " << term::to_smtlib(program.terms(), terms[i]);
    }
  }
}

TEST(TermCompiler, AgreesWithEvaluation) {
  uint64_t count = std::getenv("WHITTLE_LONG") ? 20000 : 400;
  for (uint64_t seed = 0; seed < count && !::testing::Test::HasFatalFailure(); ++seed) compare(seed, seed % 2 == 0);
}

/// Every operator on boundary values of a few widths, one by one.
TEST(TermCompiler, EveryOperatorOnBoundaries) {
  for (unsigned width : {1u, 7u, 8u, 31u, 32u, 33u, 63u, 64u, 65u, 127u, 128u}) {
    program::Program program{term::Store::Options{false}};
    program.entry = add_function(program, "main");
    term::Store& t = program.terms();
    std::vector<Term> terms, results;
    Term a, b;
    {
      Writer w(program, 0);
      a = w.reg(width), b = w.reg(width);
      w.nondet(a), w.nondet(b);
      for (Op op = Op::And; op <= Op::Sle; op = static_cast<Op>(static_cast<int>(op) + 1)) {
        unsigned result = op >= Op::Eq ? 1 : width;
        std::vector<Term> kids{a, b}, constant{a, t.constant(width, 3)}, left{t.constant(width, 5), b};
        for (auto& k : {kids, constant, left}) terms.push_back(t.make(op, k, result));
      }
      for (Term term : terms) {
        results.push_back(w.reg(term.width()));
        w.assign(results.back(), term);
      }
      w.halt(w.num(0));
    }
    auto code = compile(program, verdict::default_specification(), {.drop_dead_registers = false});
    u128 top = u128{1} << (width - 1);
    u128 values[] = {0, 1, 2, 3, 5, width, width - 1, top, top - 1, top + 1, mask128(width), mask128(width) - 1};
    for (u128 x : values)
      for (u128 y : values) {
        x &= mask128(width), y &= mask128(width);
        Machine machine(code);
        machine.schedule(0);
        machine.provide(x);
        machine.provide(y);
        term::Assignment assignment;
        assignment.variable = [&](Term v) { return v == a ? x : y; };
        for (size_t i = 0; i < terms.size(); ++i) {
          u128 actual = machine.register_value(0, 0, program.register_of(results[i]).reg);
          ASSERT_TRUE(t.evaluate(terms[i], assignment) == actual)
              << term::to_smtlib(t, terms[i]) << " of " << uint64_t(x) << ", " << uint64_t(y);
        }
      }
  }
}

}  // namespace
}  // namespace whittle::exec::test
