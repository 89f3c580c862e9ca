// Taking what threads do under locks as one step makes no difference: the same violations come about, by brute force on
// the automata of random programs.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "engines/crowd/automaton.h"
#include "engines/crowd_programs.h"
#include "engines/programs.h"

namespace whittle::engines::crowd {
namespace {

constexpr size_t kMostStates = 40'000;
constexpr size_t kMostThreads = 4;
constexpr u128 kMostOpen = 2;  ///< open variables have values below

using Values = std::map<uint32_t, u128>;  ///< by the term's number

struct Thread {
  uint32_t node = 0;
  Values own;
  auto operator<=>(const Thread&) const = default;
};

struct State {
  Values shared;
  std::vector<Thread> threads;
  auto operator<=>(const State&) const = default;
};

using Violation = std::pair<std::string, uint32_t>;  ///< what, and in which line

/// All that can go wrong with a few threads; nothing: there are too many states.
class Search {
 public:
  Search(const Automaton& automaton, const term::Store& terms) : automaton_(automaton), terms_(terms) {}

  std::optional<std::set<Violation>> run() {
    State first{{}, {newborn(0)}};
    for (const Variable& v : automaton_.variables())
      if (v.kind == kNone) first.shared[v.term.id()] = v.initial ? v.initial.value() : 0;
    visit(first);
    while (!work_.empty()) {
      if (seen_.size() > kMostStates) return std::nullopt;
      const State state = work_.back();
      work_.pop_back();
      for (size_t t = 0; t < state.threads.size(); ++t) run_thread(state, t);
    }
    return found_;
  }

 private:
  Thread newborn(uint32_t kind) const {
    Thread thread{automaton_.kinds()[kind].entry, {}};
    for (const Variable& v : automaton_.variables())
      if (v.kind == kind) thread.own[v.term.id()] = v.initial ? v.initial.value() : 0;
    return thread;
  }

  void visit(State state) {
    if (seen_.insert(state).second) work_.push_back(std::move(state));
  }

  void run_thread(const State& state, size_t t) {
    const bool waits = std::ranges::any_of(state.threads, [&](const Thread& thread) {
      return &thread != &state.threads[t] && automaton_.nodes()[thread.node].atomic;
    });
    if (waits) return;
    const Node& node = automaton_.nodes()[state.threads[t].node];
    for (const Danger& danger : node.dangers)
      for_values(state, t, {danger.condition}, [&](const auto& value) {
        if (value(danger.condition) == 1) found_.emplace(danger.what, danger.where.line);
      });
    for (uint32_t number : node.steps) take(state, t, automaton_.steps()[number]);
  }

  void take(const State& state, size_t t, const Transition& step) {
    if (step.birth != kNone && state.threads.size() >= kMostThreads) return;
    std::vector<Term> terms = step.conditions;
    for (const auto& [v, now] : step.changes) terms.push_back(now);
    if (step.argument) terms.push_back(step.argument);
    for_values(state, t, terms, [&](const auto& value) {
      for (Term condition : step.conditions)
        if (value(condition) == 0) return;
      State next = state;
      for (const auto& [v, now] : step.changes) {
        Values& values = automaton_.variable(v)->kind == kNone ? next.shared : next.threads[t].own;
        values[v.id()] = value(now);
      }
      if (step.birth != kNone) {
        const ThreadKind& kind = automaton_.kinds()[step.birth];
        next.threads.push_back(newborn(step.birth));
        if (kind.parameter) next.threads.back().own[kind.parameter.id()] = value(step.argument);
      }
      if (step.to == kNone)
        next.threads.erase(next.threads.begin() + static_cast<ptrdiff_t>(t));
      else
        next.threads[t].node = step.to;
      // What nobody reads again makes no difference.
      for (Thread& thread : next.threads)
        std::erase_if(thread.own, [&](const auto& held) {
          return std::ranges::none_of(automaton_.nodes()[thread.node].live,
                                      [&](Term v) { return v.id() == held.first; });
        });
      visit(std::move(next));
    });
  }

  /// For all values of the open variables in some terms.
  template <typename Then>
  void for_values(const State& state, size_t t, const std::vector<Term>& terms, const Then& then) {
    std::vector<Term> open;
    for (Term term : terms)
      for (Term v : term::variables(term))
        if (!automaton_.variable(v) && std::ranges::find(open, v) == open.end()) open.push_back(v);
    Values values;
    auto lookup = [&](Term v) -> u128 {
      for (const Values* known : {&state.shared, &state.threads[t].own})
        if (auto found = known->find(v.id()); found != known->end()) return found->second;
      auto found = values.find(v.id());
      return found == values.end() ? 0 : found->second;
    };
    auto value = [&](Term term) { return terms_.evaluate(term, {lookup, {}}); };
    auto choose = [&](auto& self, size_t i) -> void {
      if (i == open.size()) return then(value);
      for (u128 x = 0; x < kMostOpen; ++x) {
        values[open[i].id()] = x;
        self(self, i + 1);
      }
    };
    choose(choose, 0);
  }

  const Automaton& automaton_;
  const term::Store& terms_;
  std::set<State> seen_;
  std::vector<State> work_;
  std::set<Violation> found_;
};

TEST(Sections, TheSameViolationsComeAbout) {
  unsigned programs = test::program_count(150, 3000), compared = 0, smaller = 0, violations = 0;
  for (uint64_t seed = 1; seed <= programs; ++seed) {
    std::string text = test::crowd_program(2 * seed);
    program::Program program = test::load_text(text);
    verdict::Specification specification;
    specification.properties = {verdict::Property::UnreachCall};
    Limits limits;
    try {
      Automaton plain(program, specification, limits, false), joined(program, specification, limits, true);
      auto expected = Search(plain, program.terms()).run(), found = Search(joined, program.terms()).run();
      if (!expected || !found) continue;
      ASSERT_EQ(*found, *expected) << "seed " << seed << "\n" << text;
      ++compared;
      violations += expected->size();
      smaller += joined.nodes().size() < plain.nodes().size();
    } catch (const Refused&) {
    }
  }
  EXPECT_GT(compared, programs / 2);
  EXPECT_GT(smaller, programs / 4);
  EXPECT_GT(violations, programs / 4);
  RecordProperty("compared", static_cast<int>(compared));
  RecordProperty("smaller", static_cast<int>(smaller));
  RecordProperty("violations", static_cast<int>(violations));
}

}  // namespace
}  // namespace whittle::engines::crowd
