#include "engines/dpr/oracles.h"

#include "base/error.h"
#include "base/hash.h"
#include "solve/sat.h"

namespace whittle::engines::dpr {

struct Oracles::Impl {
  solve::Sat sat;
  Order order;
  uint64_t random;
  size_t levels = 0;  ///< variables 1 .. levels exist

  /// Of a level, and of all before it.
  int variable(size_t level) {
    for (; levels <= level; ++levels) sat.phase(sat.variable());
    return static_cast<int>(level + 1);
  }
  bool coin() {
    random += 0x9e3779b97f4a7c15u;
    return hash_mix(random) >> 63;
  }
};

Oracles::Oracles(Order order, uint64_t seed) : impl_(std::make_unique<Impl>()) {
  impl_->order = order;
  impl_->random = hash_mix(seed);
}

Oracles::~Oracles() = default;

bool Oracles::next(const std::vector<Literal>& fixed) {
  std::vector<int> assumptions;
  for (Literal literal : fixed) {
    const int variable = impl_->variable(literal.level);
    assumptions.push_back(literal.value ? variable : -variable);
  }
  if (impl_->order == Order::Random)
    for (size_t v = 1; v <= impl_->levels; ++v)
      impl_->sat.phase(impl_->coin() ? static_cast<int>(v) : -static_cast<int>(v));
  const solve::Answer answer = impl_->sat.solve(assumptions);
  if (answer == solve::Answer::Unknown) fail_internal("dpr: no answer whether an oracle is left");
  return answer == solve::Answer::Sat;
}

bool Oracles::choice(size_t level) {
  if (level < impl_->levels) return impl_->sat.value(static_cast<int>(level + 1));
  return impl_->order == Order::Random ? impl_->coin() : true;
}

void Oracles::remove(const std::vector<Literal>& choices) {
  std::vector<int> clause;
  for (Literal literal : choices) {
    const int variable = impl_->variable(literal.level);
    clause.push_back(literal.value ? -variable : variable);
  }
  impl_->sat.clause(clause);
  ++clauses_;
  literals_ += clause.size();
}

}  // namespace whittle::engines::dpr
