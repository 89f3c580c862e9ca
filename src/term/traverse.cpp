// Everything that walks over a term: evaluation, substitution, sets of leaves. No recursion: terms can be very deep.
#include <unordered_set>

#include "term/store_impl.h"

namespace whittle::term {
namespace {

/// Calls visit(t) for every part of root once, kids first; `known(t)` says that t needs no visit.
template <typename Value, typename Known, typename Visit>
void post_order(std::vector<Term>& stack, Term root, const Known& known, const Visit& visit) {
  stack.push_back(root);
  while (!stack.empty()) {
    Term t = stack.back();
    if (known(t)) {
      stack.pop_back();
      continue;
    }
    bool ready = true;
    for (unsigned i = t.arity(); i-- > 0;)
      if (!known(t.kid(i))) stack.push_back(t.kid(i)), ready = false;
    if (!ready) continue;
    stack.pop_back();
    visit(t);
  }
}

u128 value_of(Term t, const Memo<u128>& memo, const Assignment& assignment) {
  switch (t.op()) {
    case Op::Constant: return t.value();
    case Op::Variable: return assignment.variable(t) & mask128(t.width());
    case Op::Read: return assignment.read(memo.at(t.kid(0)), t.width() / 8) & mask128(t.width());
    default: break;
  }
  u128 values[3];
  unsigned widths[3];
  for (unsigned i = 0; i < t.arity(); ++i) values[i] = memo.at(t.kid(i)), widths[i] = t.kid(i).width();
  return apply(t.op(), t.width(), {values, t.arity()}, {widths, t.arity()}, t.op() == Op::Extract ? t.low() : 0);
}

}  // namespace

u128 Store::evaluate(Term root, const Assignment& assignment) const {
  if (root.is_constant()) return root.value();
  auto memo = impl_->values.take(root.id() + size_t{1});
  auto known = [&](Term t) {
    if (memo->has(t)) return true;
    if (t.arity() > 0) return false;
    memo->set(t, value_of(t, *memo, assignment));
    return true;
  };
  post_order<u128>(memo->stack, root, known, [&](Term t) { memo->set(t, value_of(t, *memo, assignment)); });
  u128 result = memo->at(root);
  impl_->values.give_back(std::move(memo));
  return result;
}

u128 Store::evaluate_leaves(Term root, const std::function<u128(Term leaf)>& leaf) const {
  if (root.is_constant()) return root.value();
  static const Assignment none;
  auto memo = impl_->values.take(root.id() + size_t{1});
  auto known = [&](Term t) {
    if (memo->has(t)) return true;
    if (t.op() != Op::Read && t.op() != Op::Variable) return false;
    memo->set(t, leaf(t) & mask128(t.width()));
    return true;
  };
  post_order<u128>(memo->stack, root, known, [&](Term t) { memo->set(t, value_of(t, *memo, none)); });
  u128 result = memo->at(root);
  impl_->values.give_back(std::move(memo));
  return result;
}

Term Store::substitute(Term root, const std::function<Term(Term variable)>& variables,
                       const std::function<Term(Term read_with_new_address)>& reads) {
  const uint8_t interesting = (variables ? Node::kVariables : 0) | (reads ? Node::kReads : 0);
  auto untouched = [&](Term t) { return (t.node()->flags & interesting) == 0; };
  if (untouched(root)) return root;
  auto memo = impl_->terms.take(root.id() + size_t{1});
  auto now = [&](Term t) { return untouched(t) ? t : memo->at(t); };
  auto rebuilt = [&](Term t) {
    if (t.is_variable()) {
      Term replacement = variables ? variables(t) : Term{};
      assert(!replacement || replacement.width() == t.width());
      return replacement ? replacement : t;
    }
    Term kids[3];
    bool same = true;
    for (unsigned i = 0; i < t.arity(); ++i) kids[i] = now(t.kid(i)), same = same && kids[i] == t.kid(i);
    Term result = same ? t : make(t.op(), {kids, t.arity()}, t.width(), t.op() == Op::Extract ? t.low() : 0);
    if (t.op() != Op::Read || !reads) return result;
    Term replacement = reads(result);
    assert(!replacement || replacement.width() == t.width());
    return replacement ? replacement : result;
  };
  post_order<Term>(
      memo->stack, root, [&](Term t) { return untouched(t) || memo->has(t); },
      [&](Term t) { memo->set(t, rebuilt(t)); });
  Term result = memo->at(root);
  impl_->terms.give_back(std::move(memo));
  return result;
}

namespace {

/// Pre-order, so "first occurrence" is what a reader of the text would say.
template <typename Visit>
void each_part(Term root, const Visit& visit, bool into_addresses = true) {
  std::unordered_set<Term> seen;
  std::vector<Term> stack{root};
  while (!stack.empty()) {
    Term t = stack.back();
    stack.pop_back();
    if (!seen.insert(t).second) continue;
    visit(t);
    if (t.op() == Op::Read && !into_addresses) continue;
    for (unsigned i = t.arity(); i-- > 0;) stack.push_back(t.kid(i));
  }
}

}  // namespace

std::vector<Term> variables(Term root) {
  std::vector<Term> found;
  each_part(root, [&](Term t) {
    if (t.is_variable()) found.push_back(t);
  });
  return found;
}

std::vector<Term> reads(Term root) {
  std::vector<Term> found;
  if (!root.has_reads()) return found;
  each_part(root, [&](Term t) {
    if (t.op() == Op::Read) found.push_back(t);
  });
  return found;
}

std::vector<Term> leaves(Term root) {
  std::vector<Term> found;
  auto visit = [&](Term t) {
    if (t.is_variable() || t.op() == Op::Read) found.push_back(t);
  };
  each_part(root, visit, false);
  return found;
}

size_t dag_size(Term root) {
  size_t count = 0;
  each_part(root, [&](Term) { ++count; });
  return count;
}

}  // namespace whittle::term
