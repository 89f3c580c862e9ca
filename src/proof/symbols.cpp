#include "proof/symbols.h"

#include <array>
#include <unordered_set>

#include "base/hash.h"
#include "program/program.h"

namespace whittle::proof {

Term Symbols::variable(unsigned width, uint32_t number) {
  Term& found = variables_[{width, number}];
  if (!found) {
    found = store_.variable(width, "input");
    numbers_[found] = {width, number};
  }
  return found;
}

Term Symbols::translate(Term t, const std::function<Term(Term)>& leaf) {
  std::unordered_map<Term, Term> done;
  std::function<Term(Term)> go = [&](Term from) {
    if (auto it = done.find(from); it != done.end()) return it->second;
    Term to;
    if (from.is_constant()) {
      to = store_.constant(from.width(), from.value());
    } else if (from.is_variable() || from.op() == term::Op::Read) {
      to = leaf(from);
    } else {
      std::vector<Term> kids;
      for (unsigned i = 0; i < from.arity(); ++i) kids.push_back(go(from.kid(i)));
      to = store_.make(from.op(), kids, from.width(), from.op() == term::Op::Extract ? from.low() : 0);
    }
    done[from] = to;
    return to;
  };
  return go(t);
}

Value Symbols::apply(term::Op op, unsigned width, const Value& a, const Value& b) {
  const bool compares = op >= term::Op::Eq && op <= term::Op::Sle;
  const unsigned result = compares ? 1 : width;
  if (!a.term && !b.term) return {term::apply(op, result, std::array{a.number, b.number}, std::array{width, width})};
  return value(store_.make(op, std::array{term(a, width), term(b, width)}, result));
}

uint64_t Symbols::hash(Term t) {
  if (auto it = hashes_.find(t); it != hashes_.end()) return it->second;
  std::vector<uint64_t> parts{static_cast<uint64_t>(t.op()), t.width()};
  if (t.is_constant()) {
    parts.push_back(t.value64());
    parts.push_back(static_cast<uint64_t>(t.value() >> 64));
  } else if (t.is_variable()) {
    parts.push_back(numbers_.at(t).second);
  } else {
    if (t.op() == term::Op::Extract) parts.push_back(t.low());
    for (unsigned i = 0; i < t.arity(); ++i) parts.push_back(hash(t.kid(i)));
  }
  const uint64_t found = hash_bytes({reinterpret_cast<const uint8_t*>(parts.data()), parts.size() * sizeof(uint64_t)}, 3);
  hashes_[t] = found;
  return found;
}

const std::vector<uint64_t>& Symbols::addresses(Term t) {
  if (auto it = addresses_.find(t); it != addresses_.end()) return it->second;
  std::vector<uint64_t> found;
  std::unordered_set<Term> seen;
  std::function<void(Term)> go = [&](Term part) {
    if (!seen.insert(part).second) return;
    if (part.is_constant() && part.value() >= program::layout::kDynamicBase && part.value() <= UINT32_MAX)
      found.push_back(part.value64());
    for (unsigned i = 0; i < part.arity(); ++i) go(part.kid(i));
  };
  go(t);
  return addresses_[t] = std::move(found);
}

}  // namespace whittle::proof
