#include "engines/dpr/oracles.h"

#include "base/hash.h"
#include "solve/sat.h"

namespace whittle::engines::dpr {

struct Oracles::Impl {
  solve::Sat sat;
  Order order;
  uint64_t random;
  size_t levels = 0;  ///< variables 1 .. levels exist
  bool solved = false;

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

bool Oracles::next() {
  if (impl_->order == Order::Random)
    for (size_t v = 1; v <= impl_->levels; ++v)
      impl_->sat.phase(impl_->coin() ? static_cast<int>(v) : -static_cast<int>(v));
  impl_->solved = impl_->sat.solve() == solve::Answer::Sat;
  return impl_->solved;
}

bool Oracles::choice(size_t level) {
  if (level < impl_->levels) return impl_->sat.value(static_cast<int>(level + 1));
  return impl_->order == Order::Random ? impl_->coin() : true;
}

void Oracles::remove(const std::vector<Literal>& choices) {
  std::vector<int> clause;
  for (Literal literal : choices) {
    for (; impl_->levels <= literal.level; ++impl_->levels) impl_->sat.phase(impl_->sat.variable());
    int variable = static_cast<int>(literal.level + 1);
    clause.push_back(literal.value ? -variable : variable);
  }
  impl_->sat.clause(clause);
  ++clauses_;
  literals_ += clause.size();
}

}  // namespace whittle::engines::dpr
