// What is known of an automaton as a graph: kinds of threads of which there is one, and variables that matter.
#include <algorithm>

#include "engines/crowd/automaton.h"

namespace whittle::engines::crowd {

/// A kind is unique if whoever starts it is, and passes that place once at most.
void Automaton::find_unique() {
  size_t count = nodes_.size();
  std::vector<std::vector<bool>> reaches(count, std::vector<bool>(count));
  for (uint32_t n = 0; n < count; ++n) {
    std::vector<uint32_t> work{n};
    while (!work.empty()) {
      uint32_t at = work.back();
      work.pop_back();
      for (uint32_t step : nodes_[at].steps)
        if (uint32_t to = steps_[step].to; to != kNone && !reaches[n][to]) reaches[n][to] = true, work.push_back(to);
    }
  }
  std::vector<std::set<uint32_t>> born_at(kinds_.size());
  for (const Transition& step : steps_)
    if (step.birth != kNone) born_at[step.birth].insert(step.from);
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t kind = 1; kind < kinds_.size(); ++kind) {
      ThreadKind& k = kinds_[kind];
      if (k.unique || born_at[kind].size() != 1) continue;
      const uint32_t place = *born_at[kind].begin();
      if (!reaches[place][place] && kinds_[nodes_[place].kind].unique) k.unique = changed = true;
    }
  }
}

void Automaton::find_live() {
  for (Node& node : nodes_) node.live.clear();
  for (bool changed = true; changed;) {
    changed = false;
    for (const Transition& step : steps_) {
      Node& node = nodes_[step.from];
      auto use = [&](Term t) {
        for (Term v : term::variables(t))
          if (const Variable* known = variable(v); known && known->kind == node.kind)
            changed |= node.live.insert(v).second;
      };
      for (Term condition : step.conditions) use(condition);
      if (step.argument) use(step.argument);
      for (const auto& [changing, now] : step.changes)
        if (variable(changing)->kind == kNone || (step.to != kNone && nodes_[step.to].live.contains(changing)))
          use(now);
      if (step.to == kNone) continue;
      for (Term v : nodes_[step.to].live)
        if (!step.changes.contains(v)) changed |= node.live.insert(v).second;
    }
    for (Node& node : nodes_) {
      auto use = [&](Term t) {
        for (Term v : term::variables(t))
          if (const Variable* known = variable(v); known && known->kind == node.kind)
            changed |= node.live.insert(v).second;
      };
      for (const Danger& danger : node.dangers) use(danger.condition);
      for (const SharedAccess& access : node.accesses) use(access.condition), use(access.address);
    }
  }
}

bool Automaton::remember() {
  auto is_shared = [&](Term v) { return variable(v) && variable(v)->kind == kNone; };
  std::vector<TermSet> tested(nodes_.size());
  bool found = false;
  auto keep = [&](const Transition& step, Term v) {
    if (step.to == kNone || step.changes.contains(v) || !tested[step.to].insert(v).second) return false;
    found |= nodes_[step.to].live.insert(v).second;
    return true;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (const Transition& step : steps_) {
      for (Term v : tested[step.from]) changed |= keep(step, v);
      for (Term condition : step.conditions) {
        const std::vector<Term> all = term::variables(condition);
        if (std::ranges::none_of(all, is_shared)) continue;
        for (Term v : all)
          if (variable(v) && !is_shared(v)) changed |= keep(step, v);
      }
    }
  }
  return found;
}

}  // namespace whittle::engines::crowd
