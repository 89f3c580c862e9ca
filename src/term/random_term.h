// Random terms for tests: a recipe that can be cooked in any number of stores (simplifying or not).
//
//   RandomTerms random(seed, {.max_width = 8});
//   Recipe recipe = random.next();
//   Term t = cook(recipe, store, [&](unsigned width, unsigned number) { return variable...; });
#pragma once

#include <array>
#include <functional>
#include <random>
#include <vector>

#include "term/op.h"
#include "term/term.h"

namespace whittle::term {

struct Operation {
  Op op = Op::Constant;
  unsigned width = 1;
  unsigned low = 0;  ///< of an Extract; number of a variable
  u128 value = 0;    ///< of a constant
  unsigned kids[3] = {};
};
using Recipe = std::vector<Operation>;

/// Runs the recipe; `variable(width, number)` gives the variables. The last step is the term.
inline Term cook(const Recipe& recipe, Store& store,
                 const std::function<Term(unsigned width, unsigned number)>& variable) {
  std::vector<Term> made;
  for (const Operation& step : recipe) {
    if (step.op == Op::Constant) {
      made.push_back(store.constant(step.width, step.value));
    } else if (step.op == Op::Variable) {
      made.push_back(variable(step.width, step.low));
    } else {
      Term kids[3];
      for (unsigned i = 0; i < arity_of(step.op); ++i) kids[i] = made[step.kids[i]];
      made.push_back(store.make(step.op, {kids, arity_of(step.op)}, step.width, step.low));
    }
  }
  return made.back();
}

class RandomTerms {
 public:
  struct Options {
    unsigned max_width = 128;
    unsigned steps = 10;     ///< operations per term, about
    unsigned variables = 3;  ///< per width
    bool floats = true;
    bool reads = true;
    bool boolean = false;     ///< the term has width 1
    unsigned only_width = 0;  ///< variables of this width only
    bool division = true;
  };
  RandomTerms(uint64_t seed, Options options) : random_(seed), options_(options) {}

  Recipe next() {
    recipe_.clear();
    for (unsigned i = 0; i < 3; ++i) leaf(any_width());
    unsigned count = 1 + pick(options_.steps);
    for (unsigned i = 0; i < count; ++i) operation();
    if (options_.boolean && recipe_.back().width != 1) predicate();
    return recipe_;
  }
  u128 value(unsigned width) {
    switch (pick(6)) {
      case 0: return pick(4) & mask128(width);
      case 1: return (u128{0} - 1 - pick(4)) & mask128(width);
      case 2: return (u128{1} << pick(width)) & mask128(width);
      case 3: return ((u128{1} << (width - 1)) - pick(2)) & mask128(width);
      case 4: return float_value() & mask128(width);
      default: return (static_cast<u128>(random_()) << 64 | random_()) & mask128(width);
    }
  }
  unsigned pick(unsigned bound) { return static_cast<unsigned>(random_() % bound); }

 private:
  unsigned any_width() {
    static constexpr unsigned common[] = {1, 1, 8, 16, 32, 32, 64, 128};
    if (options_.only_width != 0) return options_.only_width;
    unsigned w = pick(2) == 0 ? common[pick(8)] : 1 + pick(options_.max_width);
    return w > options_.max_width ? 1 + pick(options_.max_width) : w;
  }
  u128 float_value() {
    static constexpr uint64_t singles[] = {0x3f800000, 0xbf800000, 0x7f800000, 0x7fc00000,
                                           0x80000000, 0x4b7fffff, 0x3f000000, 1};
    static constexpr uint64_t doubles[] = {0x3ff0000000000000, 0xc000000000000000, 0x7ff0000000000000,
                                           0x7ff8000000000001, 0x8000000000000000, 0x433fffffffffffff,
                                           0x3fe0000000000000, 0x41f0000000000000};
    return pick(2) == 0 ? singles[pick(8)] : doubles[pick(8)];
  }
  unsigned push(Operation step) {
    recipe_.push_back(step);
    return static_cast<unsigned>(recipe_.size() - 1);
  }
  unsigned leaf(unsigned width) {
    if (pick(3) == 0) return push({.op = Op::Constant, .width = width, .value = value(width)});
    unsigned w = options_.only_width != 0 ? options_.only_width : width;
    unsigned v = push({.op = Op::Variable, .width = w, .low = pick(options_.variables)});
    return fit(v, width);
  }
  /// An operand of a given width: an earlier step, resized if need be, the last ones preferred.
  unsigned operand(unsigned width) {
    if (pick(4) == 0) return leaf(width);
    unsigned n = static_cast<unsigned>(recipe_.size());
    unsigned back = pick(2) == 0 ? pick(std::min(n, 3u)) : pick(n);
    return fit(n - 1 - back, width);
  }
  unsigned fit(unsigned i, unsigned width) {
    unsigned w = recipe_[i].width;
    if (w == width) return i;
    if (w > width) return push({.op = Op::Extract, .width = width, .low = pick(w - width + 1), .kids = {i}});
    return push({.op = pick(2) == 0 ? Op::ZExt : Op::SExt, .width = width, .kids = {i}});
  }
  unsigned float_width() { return pick(2) == 0 ? 32 : 64; }
  void predicate() {
    static constexpr Op ops[] = {Op::Eq, Op::Ult, Op::Ule, Op::Slt, Op::Sle};
    unsigned a = static_cast<unsigned>(recipe_.size() - 1);
    unsigned b = operand(recipe_[a].width);
    push({.op = ops[pick(5)], .width = 1, .kids = {a, b}});
  }

  void operation() {
    Op op = static_cast<Op>(2 + pick(kOpCount - 2));
    if (is_float_op(op) && (!options_.floats || options_.max_width < 64)) op = static_cast<Op>(3 + pick(26));
    if (op == Op::Read && !options_.reads) op = Op::Ite;
    if (!options_.division && op >= Op::UDiv && op <= Op::SRem) op = Op::Add;
    const unsigned w = any_width();
    Operation step{.op = op, .width = w};
    if (op == Op::Read) {
      step.width = 8 * (1 + pick(16));
      step.kids[0] = operand(64);
    } else if (op == Op::Ite) {
      step.kids[0] = operand(1), step.kids[1] = operand(w), step.kids[2] = operand(w);
    } else if (op == Op::Extract) {
      unsigned from = std::min(options_.max_width, w + pick(20));
      step.low = pick(from - w + 1);
      step.kids[0] = operand(from);
      if (from == w) return;
    } else if (op == Op::Concat) {
      if (options_.max_width < 2) return;
      unsigned high = 1 + pick(options_.max_width - 1), low = 1 + pick(options_.max_width - high);
      step.width = high + low;
      step.kids[0] = operand(high), step.kids[1] = operand(low);
    } else if (op == Op::ZExt || op == Op::SExt) {
      unsigned from = 1 + pick(w);
      if (from == w) return;
      step.kids[0] = operand(from);
    } else if (is_float_conversion(op)) {
      bool from_integer = op == Op::UIntToF || op == Op::SIntToF, to_integer = op == Op::FToUInt || op == Op::FToSInt;
      step.width = to_integer ? w : float_width();
      step.kids[0] = operand(from_integer ? w : float_width());
    } else {
      const unsigned kw = is_float_op(op) ? float_width() : w;
      step.width = is_comparison(op) || is_float_predicate(op) ? 1 : kw;
      for (unsigned i = 0; i < arity_of(op); ++i) step.kids[i] = operand(kw);
    }
    push(step);
  }

  std::mt19937_64 random_;
  Options options_;
  Recipe recipe_;
};

}  // namespace whittle::term
