// Bit-vector terms as clauses: every operator becomes gates over literals of a Sat, each gate once.
//
//   Sat sat;
//   BitBlaster blaster(sat);
//   if (sat.solve({blaster.literal(condition)}) == Answer::Sat) u128 x = blaster.value(variable);
//
// Gates define their output in both directions, so conditions may come and go as assumptions while the clauses stay.
// Floats are not known here: Capabilities says so beforehand.
#pragma once

#include <unordered_map>
#include <vector>

#include "solve/sat.h"

namespace whittle::solve {

class BitBlaster {
 public:
  explicit BitBlaster(Sat& sat);

  int literal(Term condition);   ///< of a term of width 1
  u128 value(Term leaf) const;   ///< after Sat: of a variable or Read; 0 if no condition mentions it
  size_t gates() const { return gates_; }
  size_t bits() const { return pool_.size(); }  ///< of all terms that were encoded

 private:
  using Bits = std::vector<int>;
  struct Key {
    int a, b, c;
    bool operator==(const Key&) const = default;
  };
  struct KeyHash {
    size_t operator()(const Key& k) const;
  };
  using Gates = std::unordered_map<Key, int, KeyHash>;

  static constexpr int kTrue = 1;

  void encode(Term root);
  bool known(Term t) const { return t.id() < start_.size() && start_[t.id()] != 0; }
  Bits bits(Term t) const;
  Bits one(Term t);
  Bits constant(unsigned width, u128 value) const;

  int both(int a, int b);
  int either(int a, int b) { return -both(-a, -b); }
  int differ(int a, int b);
  int choose(int c, int a, int b);
  int majority(int a, int b, int c);

  Bits map(const Bits& a, const Bits& b, int (BitBlaster::*gate)(int, int));
  Bits choose(int c, const Bits& a, const Bits& b);
  Bits inverted(Bits a) const;
  Bits negated(const Bits& a) { return sum(inverted(a), constant(static_cast<unsigned>(a.size()), 0), kTrue); }
  Bits sum(const Bits& a, const Bits& b, int carry, int* carry_out = nullptr);
  Bits product(Bits a, Bits b);
  void divide(const Bits& a, const Bits& b, Bits& quotient, Bits& remainder);
  Bits division(term::Op op, const Bits& a, const Bits& b);
  Bits shift(term::Op op, const Bits& a, const Bits& amount);
  int equal(const Bits& a, const Bits& b);
  int less(const Bits& a, const Bits& b);

  Sat& sat_;
  std::vector<uint32_t> start_;  ///< by id of term: where its bits begin; 0: not encoded
  std::vector<int> pool_{0};
  std::vector<Term> stack_;
  Gates ands_, xors_, muxes_, majorities_;
  size_t gates_ = 0;
};

}  // namespace whittle::solve
