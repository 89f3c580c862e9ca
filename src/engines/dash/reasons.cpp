#include "engines/dash/reasons.h"

#include <algorithm>
#include <unordered_set>

#include "engines/dash/addresses.h"
#include "engines/dash/elements.h"
#include "engines/dash/facts.h"
#include "engines/dash/project.h"
#include "solve/linear.h"

namespace whittle::engines::dash {

using program::kNone;

/// Does the variable hold the address of one object on the heap in all states that tests have in the region?
bool ReasonFinder::must_alias(uint32_t region, Term variable) const {
  if (!space_.owner(variable).known() || variable.width() != space_.program().pointer_width()) return false;
  const auto& states = graph_.region(region).states;
  auto value = [&](StateRef s) { return forest_.test(s.test).evaluate(space_, s.visit, variable); };
  if (states.empty()) return false;
  const u128 first = value(states[0]);
  const auto& sites = space_.sites();
  if (std::none_of(sites.begin(), sites.end(), [&](const Site& s) { return s.heap && s.address == first; }))
    return false;
  const size_t step = std::max<size_t>(1, states.size() / 16);
  for (size_t i = 0; i < states.size(); i += step)
    if (value(states[i]) != first) return false;
  return true;
}

/// The objects that the variable points to where tests were at the region's node, if they are few.
std::vector<u128> ReasonFinder::places(uint32_t region, Term variable) const {
  if (!space_.owner(variable).known() || variable.width() != space_.program().pointer_width()) return {};
  constexpr size_t kFew = 3;
  std::vector<u128> values;
  const auto& states = forest_.at(graph_.node(graph_.region(region).node).place);
  const size_t step = std::max<size_t>(1, states.size() / 16);
  for (size_t i = 0; i < states.size(); i += step) {
    u128 v = forest_.test(states[i].test).evaluate(space_, states[i].visit, variable);
    if (std::find(values.begin(), values.end(), v) != values.end()) continue;
    if (values.size() == kFew || !space_.starts_object(static_cast<uint64_t>(v))) return {};
    values.push_back(v);
  }
  std::sort(values.begin(), values.end());
  return values;
}

namespace {

std::vector<Effect::CheckedAccess> accesses(wp::Resolution& resolution, const Effect& effect) {
  std::vector<Effect::CheckedAccess> checked = effect.checked_accesses();
  std::vector<Term> aliases;
  for (auto& access : checked) {
    access.address = resolution.of(access.address, aliases);
    access.in_object = resolution.of(access.in_object, aliases);
    if (access.in_none) access.in_none = resolution.of(access.in_none, aliases);
  }
  return checked;
}

}  // namespace

Reasons ReasonFinder::of(const RegionEdge& edge, StateRef state, uint32_t next) {
  const Test& test = forest_.test(state.test);
  Oracle oracle = [&](Term t) { return test.evaluate(space_, state.visit, t); };
  oracle.must_alias = [&](Term v) { return must_alias(edge.from, v); };
  oracle.places = [&](Term v) { return places(edge.from, v); };
  Effect& effect = graph_.effect(edge.block);
  wp::Resolution resolution(effect, oracle);
  Reasons reasons;
  auto add = [&](Term unresolved, std::vector<Term>& to) {
    std::vector<Term> parts, resolved;
    flatten(unresolved, parts);
    for (Term part : parts) {
      std::vector<Term> aliases;
      resolved.clear();
      flatten(resolution.of(part, aliases), resolved);
      for (Term t : resolved) {
        if (std::find(to.begin(), to.end(), t) == to.end()) to.push_back(t);
        auto [it, fresh] = reasons.aliases_of.try_emplace(t, aliases);
        if (!fresh && aliases.size() < it->second.size()) it->second = aliases;
      }
      for (Term t : aliases)
        if (std::find(reasons.aliases.begin(), reasons.aliases.end(), t) == reasons.aliases.end())
          reasons.aliases.push_back(t);
    }
  };
  for (Term g : effect.guards()) add(g, reasons.conditions);
  if (edge.to <= Graph::kUnknown) reasons.label = reasons.conditions;
  if (next != kNone)
    for (Term t : graph_.edge(next).why) add(graph_.before(edge.block, t), reasons.label);
  for (Term t : graph_.region(edge.to).literals) add(graph_.before(edge.block, t), reasons.conditions);
  // (Of a state that a test was in they are known anyway: only what is simple is worth repeating.)
  auto simple = [](Term t) { return t.op() != term::Op::Or && !solve::has_exact_sums(t); };
  for (Term t : graph_.node(graph_.region(edge.from).node).invariants)
    if (simple(t)) flatten(t, reasons.conditions);
  reasons.inputs = effect.inputs();
  reasons.accesses = accesses(resolution, effect);
  reasons.memory = effect.without_value();
  return reasons;
}

/// Does the state have its pointers in objects where the block uses them, as far as that is checked?
bool ReasonFinder::in_objects(uint32_t block, StateRef state) const {
  const Test& test = forest_.test(state.test);
  Oracle oracle = [&](Term t) { return test.evaluate(space_, state.visit, t); };
  Effect& effect = graph_.effect(block);
  wp::Resolution resolution(effect, oracle);
  const auto checked = accesses(resolution, effect);
  return std::all_of(checked.begin(), checked.end(), [&](const auto& a) { return forest_.holds(state, a.in_object); });
}

bool ReasonFinder::excluded(const std::vector<Term>& conditions, StateRef state) const {
  for (Term c : conditions)
    if (!forest_.holds(state, c)) return true;
  return false;
}

/// These conditions, without inputs to come, if that is false in the state.
std::optional<Choice> ReasonFinder::choose(std::vector<Term> conditions, StateRef state, const Reasons& reasons) const {
  Choice choice;
  for (Term t : conditions)
    if (auto it = reasons.aliases_of.find(t); it != reasons.aliases_of.end())
      for (Term alias : it->second)
        if (std::find(choice.aliases.begin(), choice.aliases.end(), alias) == choice.aliases.end())
          choice.aliases.push_back(alias);
  if (speak_of_inputs_to_come(choice.aliases)) return std::nullopt;
  choice.conditions =
      project(space_.terms(), std::move(conditions), [&](Term v) { return !space_.owner(v).known(); });
  if (!excluded(choice.conditions, state)) return std::nullopt;
  return choice;
}

/// Which of the conditions the split is about: what is chosen must be false in the state of the test. The fewer
/// conditions, the more states lose their way to the target. Nothing if the state does not tell.
std::optional<Choice> ReasonFinder::pick(const RegionEdge& edge, StateRef state, const Reasons& reasons) const {
  auto& store = space_.terms();
  std::optional<Choice> choice = choose(reasons.label, state, reasons);
  const bool whole = edge.to > Graph::kUnknown && choice;
  if (!choice) {
    std::vector<Term> both = reasons.label;
    for (Term t : reasons.core) flatten(t, both);
    choice = choose(std::move(both), state, reasons);
  }
  if (!choice && !reasons.aliases.empty()) {
    std::vector<Term> simple;
    for (Term t : reasons.conditions)
      if (auto it = reasons.aliases_of.find(t); it == reasons.aliases_of.end() || it->second.empty())
        simple.push_back(t);
    choice = choose(std::move(simple), state, reasons);
  }
  if (!choice) choice = choose(reasons.conditions, state, reasons);
  if (!choice) return std::nullopt;
  Facts facts(store);
  for (Term t : graph_.region(edge.from).literals) facts.add(t);
  for (Term t : graph_.node(graph_.region(edge.from).node).invariants) facts.add(t);
  std::vector<Term> kept;
  for (int pass = 0; pass < 2; ++pass)  // equations first: they make others superfluous
    for (Term t : choice->conditions) {
      if ((t.op() == term::Op::Eq) != (pass == 0)) continue;
      Term simple = facts.simplify(t);
      if (simple.is_true()) continue;
      kept.push_back(simple);
      facts.add(t);
    }
  if (facts.contradiction()) kept = {store.falsity()};
  bool loop = graph_.node(graph_.region(edge.from).node).loop_head;
  if (bundles_ && !whole && edge.to <= Graph::kUnknown && (loop || reasons.siblings))
    drop_needless(edge, reasons.core, kept);
  choice->conditions = std::move(kept);
  return choice;
}

/// Branches that do not matter: conditions that no test of the region needs to be kept out.
void ReasonFinder::drop_needless(const RegionEdge& edge, const std::vector<Term>& core,
                                 std::vector<Term>& chosen) const {
  const auto& all = graph_.region(edge.from).states;
  std::vector<StateRef> states;
  size_t step = std::max<size_t>(1, all.size() / 48);
  for (size_t i = 0; i < all.size(); i += step) states.push_back(all[i]);
  if (chosen.size() < 2) return;
  // Which states does each condition keep out? A condition is needless if others keep out all of its states.
  std::vector<std::vector<size_t>> keeps_out(chosen.size());
  std::vector<size_t> keepers(states.size(), 0);
  for (size_t i = 0; i < chosen.size(); ++i)
    for (size_t s = 0; s < states.size(); ++s)
      if (!forest_.holds(states[s], chosen[i])) {
        keeps_out[i].push_back(s);
        ++keepers[s];
      }
  if (std::find(keepers.begin(), keepers.end(), 0u) != keepers.end()) return;
  std::vector<char> kept(chosen.size(), 1);
  size_t left = chosen.size();
  for (int pass = 0; pass < 2; ++pass)
    for (size_t i = 0; i < chosen.size() && left > 1; ++i) {
      if (!kept[i] || (pass == 0 && std::find(core.begin(), core.end(), chosen[i]) != core.end())) continue;
      if (!std::all_of(keeps_out[i].begin(), keeps_out[i].end(), [&](size_t s) { return keepers[s] > 1; })) continue;
      for (size_t s : keeps_out[i]) --keepers[s];
      kept[i] = 0;
      --left;
    }
  std::vector<Term> needed;
  for (size_t i = 0; i < chosen.size(); ++i)
    if (kept[i]) needed.push_back(chosen[i]);
  chosen = std::move(needed);
}

bool ReasonFinder::speak_of_inputs_to_come(const std::vector<Term>& terms) const {
  for (Term t : terms)
    for (Term v : term::variables(t))
      if (!space_.owner(v).known()) return true;
  return false;
}

/// Where inputs to come are part of what separates the test from the target: values of the test that separate it, whatever
/// these inputs are. Where pointers point may be enough; if not, what a core names of all values.
std::optional<std::vector<Term>> ReasonFinder::excluding_values(const RegionEdge& edge, StateRef state,
                                                                const Reasons& reasons) {
  auto& store = space_.terms();
  std::vector<Term> places, values;
  std::unordered_set<Term> seen;
  for (Term t : reasons.conditions)
    for (Term v : term::leaves(t)) {
      if (!seen.insert(v).second || (v.is_variable() && !space_.owner(v).known())) continue;
      if (!v.is_variable() && speak_of_inputs_to_come({v})) continue;
      const u128 value = forest_.test(state.test).evaluate(space_, state.visit, v);
      const bool place =
          v.width() == space_.program().pointer_width() && space_.starts_object(static_cast<uint64_t>(value));
      const Term equation = store.eq(v, store.constant(v.width(), value));
      values.push_back(equation);
      if (v.is_variable() && (place || v.width() == 1)) places.push_back(equation);
    }
  std::vector<Term> conditions = reasons.conditions;
  conditions.insert(conditions.end(), reasons.aliases.begin(), reasons.aliases.end());
  for (Term t : graph_.region(edge.from).literals) conditions.push_back(t);
  auto separate = [&](const std::vector<Term>& equations) {
    std::vector<Term> query = equations;
    query.insert(query.end(), conditions.begin(), conditions.end());
    return !equations.empty() && questions_.ask(query).unsat();
  };
  if (separate(places)) return places;
  if (!separate(values)) return std::nullopt;
  const auto core = questions_.core();
  std::erase_if(values, [&](Term t) { return std::find(core.begin(), core.end(), t) == core.end(); });
  return values;
}

/// Looks at the edge alone, wherever a run may come from, once; if it is impossible, it goes.
bool ReasonFinder::is_infeasible(uint32_t e) {
  RegionEdge edge = graph_.edge(e);
  if (edge.asked) return false;
  graph_.edge(e).asked = true;
  const auto& after = graph_.node(graph_.region(edge.to).node).invariants;
  const Node& from = graph_.node(graph_.region(edge.from).node);
  Effect effect(space_, graph_.block(edge.block).block);
  std::vector<Term> conditions = from.invariants;
  for (Term t : graph_.region(edge.from).literals) conditions.push_back(t);
  for (Term t : effect.guards()) conditions.push_back(t);
  for (Term t : graph_.region(edge.to).literals) conditions.push_back(effect.pre(t));
  for (Term t : after) conditions.push_back(effect.pre(t));
  if (!from.elements.empty()) {
    use_addresses(space_, from.invariants, conditions);
    const std::vector<Term> more = instances(space_, from.elements, conditions);
    conditions.insert(conditions.end(), more.begin(), more.end());
  }
  if (!questions_.ask(conditions).unsat()) return false;
  ++questions_.counts().removed;
  graph_.remove(e);
  return true;
}

}  // namespace whittle::engines::dash
