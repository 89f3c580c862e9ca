// What a Store is made of, for the files that implement it.
#pragma once

#include <cassert>
#include <string>
#include <vector>

#include "term/builder.h"
#include "term/op.h"
#include "term/term.h"

namespace whittle::term {

/// Values per term number for one traversal. Stamped, so that a new traversal costs nothing; pooled, because a callback
/// of one traversal may start another.
template <typename Value>
class Memo {
 public:
  void begin(size_t terms) {
    if (stamps_.size() < terms) stamps_.resize(terms + terms / 2, 0), values_.resize(terms + terms / 2);
    if (++stamp_ == 0) stamps_.assign(stamps_.size(), 0), stamp_ = 1;
  }
  bool has(Term t) const { return stamps_[t.id()] == stamp_; }
  const Value& at(Term t) const { return values_[t.id()]; }
  void set(Term t, const Value& value) {
    stamps_[t.id()] = stamp_;
    values_[t.id()] = value;
  }
  std::vector<Term> stack;

 private:
  std::vector<uint32_t> stamps_;
  std::vector<Value> values_;
  uint32_t stamp_ = 0;
};

template <typename Value>
class MemoPool {
 public:
  std::unique_ptr<Memo<Value>> take(size_t terms) {
    std::unique_ptr<Memo<Value>> memo;
    if (free_.empty())
      memo = std::make_unique<Memo<Value>>();
    else
      memo = std::move(free_.back()), free_.pop_back();
    memo->begin(terms);
    memo->stack.clear();
    return memo;
  }
  void give_back(std::unique_ptr<Memo<Value>> memo) { free_.push_back(std::move(memo)); }

 private:
  std::vector<std::unique_ptr<Memo<Value>>> free_;
};

struct Store::Impl {
  explicit Impl(Options options) : builder(options.simplify) {}

  Term unary(Op op, Term a) { return builder.make(op, a.width(), 0, a); }
  Term binary(Op op, Term a, Term b) {
    assert(a.width() == b.width());
    return builder.make(op, is_comparison(op) ? 1 : a.width(), 0, a, b);
  }

  Builder builder;
  std::vector<Term> variables;
  std::vector<std::string> names;
  MemoPool<u128> values;
  MemoPool<Term> terms;
};

}  // namespace whittle::term
