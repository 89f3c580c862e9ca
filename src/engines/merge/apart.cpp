// Which of the states that meet are joined, and which are kept apart because values that select differ (selectors.h).
#include <algorithm>
#include <set>
#include <tuple>

#include "engines/merge/unwinder.h"

namespace whittle::engines::merge {

using program::kNone;

/// The constant that a state has there, if it has one.
Term Unwinder::selected(const State& state, const Selector& selector) {
  Term value;
  if (selector.reg != kNone) {
    value = state.registers[selector.reg];
  } else {
    const Memory::Held* held = state.memory.find(selector.object);
    if (!held && !objects_[selector.object].fixed) return Term();
    const Content& now = held ? *held->content : objects_.initial(selector.object);
    const Selectors::Cell& cell = selector.cell;
    if (cell.offset + cell.bytes > now.size() || !now.has_values(cell.offset, cell.bytes)) return Term();
    value = now.load(store_, cell.offset, cell.bytes);
  }
  return value && value.is_constant() ? value : Term();
}

/// Where the states differ. `live`: registers that matter; none: the value of a return is in the first one.
std::vector<Unwinder::Selector> Unwinder::differences(const Frame& frame, const std::vector<State>& states,
                                                      const BitSet* live) {
  std::vector<Selector> found;
  auto consider = [&](const Selector& selector) {
    const Term first = selected(states[0], selector);
    for (size_t i = 1; i < states.size(); ++i)
      if (selected(states[i], selector) != first) return found.push_back(selector);
  };
  if (live == nullptr) {
    if (selectors_.returned(frame.id)) consider({.reg = 0});
  } else {
    BitSet registers = selectors_.registers(frame.id);
    registers.intersect(*live);
    registers.each([&](size_t r) { consider({.reg = static_cast<program::RegisterId>(r)}); });
  }
  std::set<ObjectNumber> objects;
  const Memory* last = nullptr;
  for (const State& state : states) {
    if (last != nullptr && state.memory.same(*last)) continue;
    last = &state.memory;
    for (const Memory::Held& held : state.memory.all())
      if (!selectors_.cells(objects_[held.object].site).empty()) objects.insert(held.object);
  }
  for (ObjectNumber n : objects)
    for (const Selectors::Cell& cell : selectors_.cells(objects_[n].site)) consider({.object = n, .cell = cell});
  return found;
}

void Unwinder::drop(const Frame& frame, const Selector& selector, bool returned) {
  if (selector.reg == kNone)
    selectors_.drop(objects_[selector.object].site, selector.cell);
  else if (returned)
    selectors_.drop_returned(frame.id);
  else
    selectors_.drop(frame.id, selector.reg);
}

/// Joins the states that do not differ in values that select. Where there would be too many, the selector with the most
/// values is given up.
Unwinder::Groups Unwinder::gather(const Frame& frame, std::vector<State> states, const BitSet* live) {
  Groups groups;
  if (states.size() > 1) groups.selectors = differences(frame, states, live);
  std::map<std::vector<uint32_t>, std::vector<size_t>> members;  // ids of terms; 0: no constant
  for (;;) {
    members.clear();
    std::vector<std::set<uint32_t>> values(groups.selectors.size());
    for (size_t i = 0; i < states.size(); ++i) {
      std::vector<uint32_t> key;
      for (size_t k = 0; k < groups.selectors.size(); ++k) {
        const Term value = selected(states[i], groups.selectors[k]);
        key.push_back(value ? value.id() + 1 : 0);
        values[k].insert(key.back());
      }
      members[std::move(key)].push_back(i);
    }
    if (members.size() <= limitations_.apart) break;
    const auto most = std::max_element(values.begin(), values.end(),
                                       [](const auto& a, const auto& b) { return a.size() < b.size(); });
    const auto at = most - values.begin();
    drop(frame, groups.selectors[static_cast<size_t>(at)], live == nullptr);
    groups.selectors.erase(groups.selectors.begin() + at);
  }
  for (auto& [key, indexes] : members) {
    std::vector<State> same;
    for (size_t i : indexes) same.push_back(std::move(states[i]));
    groups.states.push_back(join(std::move(same), live));
  }
  return groups;
}

/// Which of the states at the head of a loop goes first: one that the others cannot lead to, as far as values have gone up
/// or down in this loop up to now. Then states that get to the same values meet before they go on.
size_t Unwinder::first_to_go(const Frame& frame, uint32_t loop, const Groups& groups) {
  if (groups.states.size() == 1) return 0;
  struct Criterion {
    int rank;
    bool down;
    const Selector* selector;
  };
  std::vector<Criterion> criteria;
  for (const Selector& selector : groups.selectors) {
    Trend& trend = trends_[{frame.id, loop, selector}];
    for (const State& state : groups.states) {
      const std::shared_ptr<const Passed>& before = state.loops[loop].passed;
      if (!before) continue;
      const Term then = selected(before->state, selector), now = selected(state, selector);
      if (!then || !now || then == now) continue;
      (now.value() > then.value() ? trend.up : trend.down) = true;
    }
    const bool one_way = trend.up != trend.down;
    criteria.push_back({one_way ? 0 : trend.up ? 2 : 1, trend.down && !trend.up, &selector});
  }
  std::stable_sort(criteria.begin(), criteria.end(),
                   [](const Criterion& a, const Criterion& b) { return a.rank < b.rank; });
  auto before = [&](const State& a, const State& b) {
    for (const Criterion& c : criteria) {
      const Term x = selected(a, *c.selector), y = selected(b, *c.selector);
      if (x == y) continue;
      if (!x || !y) return static_cast<bool>(x);
      return (x.value() < y.value()) != c.down;
    }
    return false;
  };
  size_t best = 0;
  for (size_t i = 1; i < groups.states.size(); ++i)
    if (before(groups.states[i], groups.states[best])) best = i;
  return best;
}

/// A value on which the shape of a structure depends, and that can be few numbers only: a state for each of them. Nothing if
/// it is not so.
std::vector<Unwinder::State> Unwinder::forked(const Frame& frame, const State& state, uint32_t edge) {
  const Statement& s = frame.function.edges[edge].statement;
  if (s.targets.empty() || !selectors_.shaping(frame.id).test(s.targets[0]) ||
      !selectors_.registers(frame.id).test(s.targets[0]))
    return {};
  const Term value = state.registers[s.targets[0]];
  if (!value || value.is_constant() || unforked_.contains({frame.id, edge})) return {};
  std::vector<Term> found;
  Term rest = state.trail->all;
  for (;;) {
    look_around();
    const Possible answer = oracle_.possible(rest, limitations_.conflicts);
    if (answer == Possible::No) break;
    if (answer == Possible::Unknown || found.size() == limitations_.forks) {
      unforked_.insert({frame.id, edge});
      return {};
    }
    found.push_back(store_.constant(value.width(), oracle_.model().value(value)));
    rest = store_.band(rest, store_.ne(value, found.back()));
  }
  std::vector<State> states;
  for (Term one : found) {
    State taken = state;
    taken.trail = trails_->extend(state.trail, comparisons_.resolved(store_.eq(value, one)));
    taken.registers[s.targets[0]] = one;
    if (!Trails::impossible(taken.trail)) states.push_back(std::move(taken));
  }
  return states;
}

}  // namespace whittle::engines::merge
