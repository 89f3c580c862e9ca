#include "engines/dash/contract_tables.h"

#include <algorithm>

#include "engines/dash/effect.h"
#include "engines/dash/facts.h"

namespace whittle::engines::dash {

using program::kNone;

/// The one result that calls with these arguments can have, as far as is known of all calls.
std::optional<u128> Table::known_result(const Variables& given) {
  std::vector<Term> parts;
  flatten(space_.terms().substitute(known_, given), parts);
  for (Term t : parts)
    for (unsigned side = 0; t.op() == term::Op::Eq && side < 2; ++side)
      if (t.kid(side) == contract_.result && t.kid(1 - side).is_constant()) return t.kid(1 - side).value();
  return {};
}

/// The one result on all ways through the function; none if there are several, or no way comes back.
std::optional<u128> Table::derived_result(const Variables& given) {
  auto& store = space_.terms();
  const Context& context = space_.context(context_);
  const Term target = space_.variable(context.parent, space_.edge(context.parent, context.edge).statement.targets[0]);
  std::optional<u128> result;
  for (const Block& way : returns_) {
    Effect effect(space_, way);
    std::vector<Term> query;
    for (Term g : effect.guards()) query.push_back(store.substitute(g, given));
    if (std::any_of(query.begin(), query.end(), [](Term t) { return t.is_false(); })) continue;
    const Term returned = store.substitute(effect.pre(target), given);
    if (!result) {
      const solve::Result first = asking_.ask(query);
      if (first.unsat()) continue;
      if (!first.sat()) return {};
      result = asking_.value(returned);
    }
    query.push_back(store.ne(returned, store.constant(returned.width(), *result)));
    if (!query.back().is_false() && !asking_.ask(query).unsat()) return {};
  }
  return result;
}

bool Table::derive(const std::vector<size_t>& parameters, const std::vector<u128>& arguments) {
  auto& store = space_.terms();
  auto given = [&](const std::function<Term(size_t)>& variable) -> Variables {
    return [&, variable](Term v) -> Term {
      for (size_t i = 0; i < parameters.size(); ++i)
        if (v == variable(parameters[i])) return store.constant(v.width(), arguments[i]);
      return {};
    };
  };
  if (const auto known = known_result(given([&](size_t i) { return contract_.parameters[i]; }))) {
    rows_.push_back({arguments, *known});
    return true;
  }
  const auto result =
      derived_result(given([&](size_t i) { return space_.variable(context_, static_cast<uint32_t>(i)); }));
  if (!result) return false;
  rows_.push_back({arguments, *result});
  Term where = store.truth();
  for (size_t i = 0; i < parameters.size(); ++i) {
    const Term p = contract_.parameters[parameters[i]];
    where = store.band(where, store.eq(p, store.constant(p.width(), arguments[i])));
  }
  const Term r = contract_.result;
  facts_.push_back(store.implies(where, store.eq(r, store.constant(r.width(), *result))));
  return true;
}

/// The last parameter goes up from `lowest`, while the others stay. True if there is a row more.
bool Table::line(const std::vector<size_t>& parameters, std::vector<int64_t>& at, const TableLimits& limits,
                 const Publish& publish) {
  bool news = false;
  size_t misses = 0;
  for (int64_t last = limits.lowest; last <= limits.highest && misses < limits.misses; ++last) {
    at.back() = last;
    std::vector<u128> arguments;
    for (size_t i = 0; i < parameters.size(); ++i)
      arguments.push_back(static_cast<u128>(static_cast<i128>(at[i])) &
                          mask128(contract_.parameters[parameters[i]].width()));
    if (done_.contains(arguments)) continue;
    if (rows_.size() >= limits.rows || asking_.out_of_budget()) return news;
    const size_t before = facts_.size();
    if (!derive(parameters, arguments)) {
      misses += last >= 0;
      continue;
    }
    done_.insert(arguments);
    news = true;
    misses = 0;
    if (facts_.size() > before) known_ = publish(facts_);
  }
  return news;
}

void Table::fill(const std::vector<size_t>& parameters, const TableLimits& limits, const Publish& publish) {
  known_ = publish(facts_);
  for (size_t round = 0; round < limits.rounds; ++round) {
    bool news = false;
    std::vector<int64_t> at(parameters.size(), 0);
    for (bool more = true; more;) {
      news |= line(parameters, at, limits, publish);
      more = false;
      for (size_t i = 0; i + 1 < parameters.size() && !more; ++i) {
        more = at[i] < limits.others;
        at[i] = more ? at[i] + 1 : 0;
      }
    }
    if (!news) return;
  }
}

}  // namespace whittle::engines::dash
