#include "wp/state.h"

#include <algorithm>
#include <cassert>

namespace whittle::wp {

using term::Op;

namespace {

void split(Term t, std::vector<Term>& parts) {
  std::vector<Term> stack{t};
  while (!stack.empty()) {
    Term part = stack.back();
    stack.pop_back();
    if (part.op() != Op::And) {
      parts.push_back(part);
      continue;
    }
    stack.push_back(part.kid(1));
    stack.push_back(part.kid(0));
  }
}

}  // namespace

Conditions::Conditions(term::Store& terms, const Goal& goal, uint32_t length) : store(terms) {
  for (Term predicate : goal.predicates) {
    assert(predicate.width() == 1);
    for (Term read : term::reads(predicate)) {
      assert(goal.address_of && "a predicate that reads memory needs the addresses of this execution");
      concrete_[read] = goal.address_of(read);
    }
    std::vector<Term> parts;
    split(predicate, parts);
    for (Term t : parts) result.predicate.push_back({t, length, {}, false});
  }
  changed();
}

void Conditions::changed() {
  file_reads();
  fresh_ = false;
  has_reads_ = false;
  each([&](Conjunct& c) { has_reads_ = has_reads_ || c.term.has_reads(); });
}

bool Conditions::mentions(Term variable) {
  if (!fresh_) {
    variables_.clear();
    each([&](Conjunct& c) {
      auto [it, fresh] = variables_of_.try_emplace(c.term);
      if (fresh) it->second = term::variables(c.term);
      variables_.insert(it->second.begin(), it->second.end());
    });
    fresh_ = true;
  }
  return variables_.contains(variable);
}

Term Conditions::read(Term address, unsigned width, u128 concrete) {
  Term t = store.read(address, width);
  pending_.emplace_back(t, address.is_constant() ? address.value() : concrete);
  return t;
}

void Conditions::file_reads() {
  for (auto [t, concrete] : pending_) concrete_[t] = concrete;
  pending_.clear();
}

void Conditions::add_guard(uint32_t step, Term condition, bool implies) {
  if (!implies) {
    std::vector<Term> parts;
    split(condition, parts);
    for (Term t : parts)
      if (!t.is_true()) result.guards.push_back({t, step, {}, false});
  } else {
    for (auto* list : {&result.predicate, &result.aliases})
      for (Conjunct& c : *list) {
        Term weaker = store.implies(condition, c.term);
        if (weaker != c.term) c.steps.push_back(step);
        c.term = weaker;
      }
  }
  changed();
}

void Conditions::add_alias(uint32_t step, Term condition) {
  if (condition.is_true()) return;
  result.aliases.push_back({condition, step, {}, false});
  changed();
}

void Conditions::add_predicate(uint32_t step, Term condition) {
  if (condition.is_true()) return;
  result.predicate.push_back({condition, step, {}, false});
  changed();
}

void Conditions::move(uint32_t step, const std::unordered_map<Term, Term>& registers, Write* write) {
  memo_.clear();
  new_aliases_.clear();
  each([&](Conjunct& c) {
    Term before = rewrite(c.term, registers, write, step);
    if (before != c.term) c.steps.push_back(step);
    c.term = before;
  });
  for (Conjunct& alias : new_aliases_) {
    bool known = false;
    for (const Conjunct& other : result.aliases) known = known || other.term == alias.term;
    if (!known) result.aliases.push_back(std::move(alias));
  }
  changed();
}

/// Kids first. A read keeps the address it had in this execution, however its address is said now.
Term Conditions::rewrite(Term root, const std::unordered_map<Term, Term>& registers, Write* write, uint32_t step) {
  std::vector<Term> stack{root};
  while (!stack.empty()) {
    Term t = stack.back();
    if (memo_.contains(t)) {
      stack.pop_back();
      continue;
    }
    bool ready = true;
    for (unsigned i = t.arity(); i-- > 0;)
      if (!memo_.contains(t.kid(i))) stack.push_back(t.kid(i)), ready = false;
    if (!ready) continue;
    stack.pop_back();
    if (t.is_variable()) {
      auto it = registers.find(t);
      memo_[t] = it != registers.end() ? it->second : t;
      continue;
    }
    Term kids[3];
    bool same = true;
    for (unsigned i = 0; i < t.arity(); ++i) kids[i] = memo_.at(t.kid(i)), same = same && kids[i] == t.kid(i);
    if (t.op() != Op::Read) {
      memo_[t] = same ? t : store.make(t.op(), {kids, t.arity()}, t.width(), t.op() == Op::Extract ? t.low() : 0);
      continue;
    }
    const u128 concrete = kids[0].is_constant() ? kids[0].value() : concrete_.at(t);
    Term moved = same ? t : store.read(kids[0], t.width());
    pending_.emplace_back(moved, concrete);
    memo_[t] = write != nullptr ? resolve(step, moved, concrete, *write) : moved;
  }
  return memo_.at(root);
}

/// The read as it is said before the write, under the aliasing of this execution.
Term Conditions::resolve(uint32_t step, Term read, u128 concrete, Write& write) {
  const Term q = read.kid(0), p = write.address;
  const unsigned w = q.width();
  const uint64_t bytes_read = read.width() / 8;
  if (write.size == 0) return read;
  const Term difference = store.sub(q, p);
  i128 distance = sign_extend128((concrete - write.concrete) & mask128(w), w);
  const bool certain = difference.is_constant();
  if (certain) distance = sign_extend128(difference.value(), w);
  const bool apart = distance >= static_cast<i128>(write.size) || distance <= -static_cast<i128>(bytes_read);
  if (!certain) {
    Term condition;
    if (apart) {
      Term behind = store.uge(difference, store.constant(w, write.size));
      Term before = store.uge(store.neg(difference), store.constant(w, bytes_read));
      condition = store.band(behind, before);
    } else {
      condition = store.eq(difference, store.constant(w, static_cast<u128>(distance)));
    }
    if (!condition.is_true()) new_aliases_.push_back({condition, step, {}, false});
  }
  return apart ? read : bytes(read, concrete, static_cast<int64_t>(distance), write);
}

/// A read that overlaps the write, put together from what was written and what was there before.
Term Conditions::bytes(Term read, u128 concrete, int64_t distance, Write& write) {
  const Term q = read.kid(0);
  const int64_t size = static_cast<int64_t>(write.size), n = static_cast<int64_t>(read.width() / 8);
  Term value;
  for (int64_t i = 0; i < n;) {
    const int64_t at = distance + i;  // offset of this byte from the start of the write
    const bool inside = at >= 0 && at < size;
    const int64_t end = inside ? std::min(n, size - distance) : at < 0 ? std::min(n, -distance) : n;
    const unsigned count = static_cast<unsigned>(end - i);
    Term part;
    if (inside) {
      part = write.inside(static_cast<uint64_t>(at), count);
    } else {
      Term address = store.add(q, store.constant(q.width(), static_cast<u128>(i)));
      part = store.read(address, 8 * count);
      pending_.emplace_back(part, concrete + static_cast<u128>(i));
    }
    value = value ? store.concat(part, value) : part;
    i = end;
  }
  return value;
}

}  // namespace whittle::wp
