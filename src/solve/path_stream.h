// A stream of path-condition queries for tests and benchmarks: small random programs over inputs are walked depth
// first; at every branch both sides are asked for, together with the path so far, and followed if they can be taken.
#pragma once

#include <functional>
#include <random>
#include <vector>

#include "term/term.h"

namespace whittle::solve {

class PathStream {
 public:
  PathStream(term::Store& store, uint64_t seed) : store_(store), random_(seed) {}

  /// Asks at most `limit` queries of one random program: ask(path so far, branch condition), true if it can be taken.
  /// Returns how many were asked.
  size_t walk(size_t limit, const std::function<bool(const std::vector<term::Term>&, term::Term)>& ask) {
    asked_ = 0;
    limit_ = limit;
    make_program();
    std::vector<term::Term> path;
    run(0, inputs_, path, ask);
    return asked_;
  }

 private:
  /// if (condition over variables) then assign else assign; the same for every visit, so paths share structure.
  struct Branch {
    unsigned left = 0, right = 0, target = 0, shape = 0;
    uint64_t constant = 0;
    int64_t step = 0;
  };

  uint64_t pick(uint64_t n) { return random_() % n; }

  void make_program() {
    inputs_.clear();
    branches_.clear();
    for (int i = 0; i < 6; ++i) inputs_.push_back(store_.variable(32, "in" + std::to_string(i)));
    for (int i = 0; i < 14; ++i)
      branches_.push_back({static_cast<unsigned>(pick(6)), static_cast<unsigned>(pick(6)),
                           static_cast<unsigned>(pick(6)), static_cast<unsigned>(pick(7)), pick(1000),
                           static_cast<int64_t>(pick(9)) - 4});
  }

  term::Term condition(const Branch& b, const std::vector<term::Term>& v) {
    term::Term c = store_.constant(32, b.constant), x = v[b.left], y = v[b.right];
    switch (b.shape) {
      case 0: return store_.slt(x, c);
      case 1: return store_.slt(x, y);
      case 2: return store_.eq(store_.band(x, store_.constant(32, 7)), store_.constant(32, b.constant % 8));
      case 3: return store_.slt(store_.add(x, y), c);
      case 4: return store_.eq(x, c);
      case 5: return store_.ult(store_.mul(x, store_.constant(32, 3)), store_.add(y, c));
      default: return store_.sle(store_.sub(x, y), c);
    }
  }

  void run(size_t at, std::vector<term::Term> v, std::vector<term::Term>& path,
           const std::function<bool(const std::vector<term::Term>&, term::Term)>& ask) {
    if (at == branches_.size()) return;
    const Branch& b = branches_[at];
    term::Term c = condition(b, v);
    for (bool taken : {true, false}) {
      if (asked_ >= limit_) return;
      term::Term side = taken ? c : store_.bnot(c);
      ++asked_;
      if (!ask(path, side)) continue;
      std::vector<term::Term> next = v;
      if (taken) next[b.target] = store_.add(v[b.target], store_.constant(32, static_cast<u128>(b.step)));
      path.push_back(side);
      run(at + 1, std::move(next), path, ask);
      path.pop_back();
    }
  }

  term::Store& store_;
  std::mt19937_64 random_;
  std::vector<term::Term> inputs_;
  std::vector<Branch> branches_;
  size_t asked_ = 0, limit_ = 0;
};

}  // namespace whittle::solve
