#include <algorithm>
#include <array>
#include <set>
#include <unordered_set>

#include "engines/test/director.h"

namespace whittle::engines::test {

namespace {

class Listed : public InputSource {
 public:
  explicit Listed(std::vector<u128> values) : values_(std::move(values)) {}
  u128 next(unsigned width) override { return at_ < values_.size() ? values_[at_++] & mask128(width) : 0; }

 private:
  std::vector<u128> values_;
  size_t at_ = 0;
};

class Drawn : public InputSource {
 public:
  Drawn(uint64_t seed, InputStyle style, const Values& values) : random_(seed), style_(style), values_(values) {}
  u128 next(unsigned width) override {
    InputStyle style = style_;
    if (style == InputStyle::Mixed) style = static_cast<InputStyle>(random_.below(kInputStyles - 1));
    return draw(style, width) & mask128(width);
  }

 private:
  u128 draw(InputStyle style, unsigned width) {
    switch (style) {
      case InputStyle::Zero: return 0;
      case InputStyle::Small: return static_cast<u128>(static_cast<i128>(random_.below(14)) - 3);
      case InputStyle::Boundary: return boundary(width);
      case InputStyle::Constants:
        if (values_.constants.empty()) return draw(InputStyle::Small, width);
        return values_.constants[random_.below(values_.constants.size())] +
               static_cast<u128>(static_cast<i128>(random_.below(3)) - 1);
      case InputStyle::Accepted:
        if (auto it = values_.accepted.find(width); it != values_.accepted.end())
          return it->second[random_.below(it->second.size())];
        break;
      case InputStyle::Random:
      case InputStyle::Mixed: break;
    }
    return u128{random_.next()} << 64 | random_.next();
  }
  u128 boundary(unsigned width) {
    u128 top = u128{1} << (width - 1);
    switch (random_.below(8)) {
      case 0: return 0;
      case 1: return 1;
      case 2: return ~u128{0};
      case 3: return top;
      case 4: return top - 1;
      case 5: return top + 1;
      case 6: return u128{1} << random_.below(width);
      default: return (u128{1} << random_.below(width)) - 1;
    }
  }
  Random random_;
  InputStyle style_;
  const Values& values_;
};

class Mutated : public InputSource {
 public:
  Mutated(uint64_t seed, std::vector<u128> run, std::unique_ptr<InputSource> others)
      : run_(std::move(run)), others_(std::move(others)), random_(seed) {
    if (run_.empty()) return;
    for (uint64_t n = 1 + random_.below(3); n > 0; --n) replaced_.insert(random_.below(run_.size()));
    if (random_.chance(4)) run_.resize(random_.below(run_.size()) + 1);
    if (random_.chance(4)) run_.erase(run_.begin() + static_cast<ptrdiff_t>(random_.below(run_.size())));
  }
  u128 next(unsigned width) override {
    const size_t at = at_++;
    if (at >= run_.size() || replaced_.contains(at)) return others_->next(width);
    return run_[at] & mask128(width);
  }

 private:
  std::vector<u128> run_;
  std::unique_ptr<InputSource> others_;
  Random random_;
  std::set<size_t> replaced_;
  size_t at_ = 0;
};

}  // namespace

std::unique_ptr<InputSource> listed_inputs(std::vector<u128> values) {
  return std::make_unique<Listed>(std::move(values));
}
std::unique_ptr<InputSource> random_inputs(uint64_t seed, InputStyle style, const Values& values) {
  return std::make_unique<Drawn>(seed, style, values);
}
std::unique_ptr<InputSource> mutated_inputs(uint64_t seed, std::vector<u128> run, std::unique_ptr<InputSource> others) {
  return std::make_unique<Mutated>(seed, std::move(run), std::move(others));
}

std::vector<u128> program_constants(const program::Program& program) {
  std::set<u128> found;
  std::unordered_set<const term::Node*> seen;
  std::vector<term::Term> work;
  for (const program::Function& function : program.functions) {
    if (function.runtime) continue;
    for (const program::Edge& edge : function.edges) {
      // What a program compares its inputs with stands in branches and checks, or has been computed on the way there.
      bool tells = edge.statement.kind == program::Kind::Assume || edge.statement.kind == program::Kind::Check ||
                   edge.statement.kind == program::Kind::Assign;
      if (tells) work.insert(work.end(), edge.statement.operands.begin(), edge.statement.operands.end());
    }
  }
  while (!work.empty()) {
    term::Term term = work.back();
    work.pop_back();
    if (!term || !seen.insert(term.node()).second) continue;
    if (term.is_constant() && term.width() > 1)
      found.insert(static_cast<u128>(sign_extend128(term.value(), term.width())));
    for (unsigned i = 0; i < term.arity(); ++i) work.push_back(term.kid(i));
  }
  return {found.begin(), found.end()};
}

}  // namespace whittle::engines::test
