// What a thread does under a lock becomes one step.
//
// A step moves right if no other thread can tell, or does otherwise, when it comes later, just before the next step of
// its thread. A node to which only such steps lead is left out: each of them is joined with each step from there. What
// others could do in between they can do before as well, and a violation of theirs comes about without a step that
// moves right and was not followed by the rest. (Lipton's reduction, without what moves left: that would ask whether
// the rest can always be done.)
//
// Steps that move right: to take a lock; to use a variable that threads use only while they hold a certain lock; to use
// what only one thread uses, or none writes; all that main does before it starts a thread. A lock is a shared variable
// that is set, in the step that takes it, from one certain constant to another one, and that no thread mentions except
// the thread that took it, until it writes it again.
#include <algorithm>
#include <utility>

#include "engines/crowd/automaton.h"

namespace whittle::engines::crowd {

namespace {

constexpr size_t kMostJoined = 16;    ///< steps that take the place of those to and from a node, if these are fewer
constexpr size_t kLargestStep = 400;  ///< terms of a condition

}  // namespace

class Sections {
 public:
  Sections(Automaton& automaton, term::Store& terms) : a_(automaton), terms_(terms) {}

  void run() {
    leave_out_idle_steps();
    find_alone();
    find_locks();
    find_held();
    find_users();
    std::erase_if(locks_, [&](Term lock) { return !is_lock(lock); });
    for (Term lock : locks_) a_.free_locks_.push_back(terms_.eq(lock, free_.at(lock)));
    for (Transition& step : a_.steps_) moves_right_.push_back(moves_right(step));
    removed_.resize(a_.steps_.size());
    std::vector<bool> entry(a_.nodes_.size());
    for (const ThreadKind& kind : a_.kinds_) entry[kind.entry] = true;
    for (bool changed = true; changed;) {
      changed = false;
      for (uint32_t n = 0; n < a_.nodes_.size(); ++n)
        if (!entry[n] && may_leave_out(n)) {
          leave_out(n);
          changed = true;
        }
    }
    compact();
  }

 private:
  bool shared(Term v) const {
    const Variable* known = a_.variable(v);
    return known && known->kind == kNone;
  }

  /// A thread that tries again and changes nothing.
  void leave_out_idle_steps() {
    std::erase_if(a_.steps_, [&](const Transition& step) {
      return step.to == step.from && step.birth == kNone && std::ranges::all_of(step.changes, [&](const auto& change) {
               return !shared(change.first) && !a_.nodes_[step.from].live.contains(change.first);
             });
    });
    number_steps();
  }

  void number_steps() {
    for (Node& node : a_.nodes_) node.steps.clear();
    for (uint32_t s = 0; s < a_.steps_.size(); ++s) a_.nodes_[a_.steps_[s].from].steps.push_back(s);
  }

  /// Nodes at which main is the only thread there has been.
  void find_alone() {
    alone_.resize(a_.nodes_.size());
    for (uint32_t n = 0; n < alone_.size(); ++n) alone_[n] = a_.nodes_[n].kind == 0;
    for (bool changed = true; changed;) {
      changed = false;
      for (const Transition& step : a_.steps_)
        if (step.to != kNone && alone_[step.to] && (step.birth != kNone || !alone_[step.from])) {
          alone_[step.to] = false;
          changed = true;
        }
    }
  }

  // Locks

  /// The constant that a variable is known to have when the step is taken.
  static Term required(const Transition& step, Term variable) {
    std::vector<Term> work(step.conditions);
    while (!work.empty()) {
      Term t = work.back();
      work.pop_back();
      if (t.op() == term::Op::And && t.width() == 1) work.insert(work.end(), {t.kid(0), t.kid(1)});
      if (t.op() != term::Op::Eq) continue;
      for (unsigned i = 0; i < 2; ++i)
        if (t.kid(i) == variable && t.kid(1 - i).is_constant()) return t.kid(1 - i);
    }
    return {};
  }

  /// The constant from which a step takes the variable to another one.
  static Term taken_from(const Transition& step, Term variable) {
    auto change = step.changes.find(variable);
    if (change == step.changes.end() || !change->second.is_constant()) return {};
    Term from = required(step, variable);
    return from && from != change->second ? from : Term{};
  }

  bool takes(const Transition& step, Term lock) const {
    auto free = free_.find(lock);
    return free != free_.end() && taken_from(step, lock) == free->second;
  }

  void find_locks() {
    for (const Transition& step : a_.steps_)
      for (const auto& [v, now] : step.changes)
        if (shared(v))
          if (Term from = taken_from(step, v)) {
            locks_.insert(v);
            free_.try_emplace(v, from);
          }
  }

  /// The locks that a thread surely holds, by node.
  void find_held() {
    held_.resize(a_.nodes_.size());
    std::vector<bool> known(held_.size());
    for (const ThreadKind& kind : a_.kinds_) known[kind.entry] = true;
    for (bool changed = true; changed;) {
      changed = false;
      for (const Transition& step : a_.steps_) {
        if (!known[step.from] || step.to == kNone) continue;
        TermSet after = held_[step.from];
        for (const auto& [v, now] : step.changes)
          if (locks_.contains(v)) {
            after.erase(v);
            if (takes(step, v)) after.insert(v);
          }
        TermSet& held = held_[step.to];
        if (!known[step.to]) {
          known[step.to] = changed = true;
          held = std::move(after);
        } else if (std::erase_if(held, [&](Term lock) { return !after.contains(lock); }) > 0) {
          changed = true;
        }
      }
    }
    // No thread comes there.
    for (size_t n = 0; n < held_.size(); ++n)
      if (!known[n]) held_[n].clear();
  }

  // Who uses what

  struct Use {
    uint32_t node = 0;
    const Transition* step = nullptr;  ///< none: a danger
    bool write = false;
  };

  void find_users() {
    for (const Transition& step : a_.steps_)
      if (!alone_[step.from])
        for (Term v : used(step)) users_[v].push_back({step.from, &step, step.changes.contains(v)});
    for (uint32_t n = 0; n < a_.nodes_.size(); ++n)
      if (!alone_[n])
        for (const Danger& danger : a_.nodes_[n].dangers)
          for (Term v : term::variables(danger.condition))
            if (shared(v)) users_[v].push_back({n, nullptr, false});
  }

  /// Shared variables that a step reads or writes.
  TermSet used(const Transition& step) const {
    TermSet out;
    auto read = [&](Term t) {
      for (Term v : term::variables(t))
        if (shared(v)) out.insert(v);
    };
    for (Term condition : step.conditions) read(condition);
    if (step.argument) read(step.argument);
    for (const auto& [v, now] : step.changes) {
      if (shared(v)) out.insert(v);
      read(now);
    }
    return out;
  }

  bool is_lock(Term lock) const {
    auto uses = users_.find(lock);
    return uses != users_.end() && std::ranges::all_of(uses->second, [&](const Use& use) { return holds(use, lock); });
  }

  bool holds(const Use& use, Term lock) const {
    return held_[use.node].contains(lock) || (use.step && takes(*use.step, lock));
  }

  /// Does no other thread use a variable between this step of a thread, in which it used it, and its next one?
  bool undisturbed(Term v, const Transition& step) const {
    const std::vector<Use>& uses = users_.at(v);
    if (std::ranges::none_of(uses, &Use::write)) return true;
    const uint32_t kind = a_.nodes_[step.from].kind;
    if (a_.kinds_[kind].unique && std::ranges::all_of(uses, [&](const Use& use) {
          return a_.nodes_[use.node].kind == kind;
        }))
      return true;
    const Use here{step.from, &step, false};
    return std::ranges::any_of(locks_, [&](Term lock) {
      return holds(here, lock) && std::ranges::all_of(uses, [&](const Use& use) { return holds(use, lock); });
    });
  }

  bool moves_right(const Transition& step) const {
    if (step.birth != kNone || step.to == kNone || a_.nodes_[step.from].atomic) return false;
    if (alone_[step.from]) return true;
    for (Term v : used(step)) {
      const bool gives_back = locks_.contains(v) && step.changes.contains(v) && !takes(step, v);
      if (gives_back || !undisturbed(v, step)) return false;
    }
    return true;
  }

  // Joining

  bool may_leave_out(uint32_t n) const {
    if (a_.nodes_[n].atomic) return false;
    size_t in = 0, out = 0;
    for (uint32_t s = 0; s < a_.steps_.size(); ++s) {
      if (removed_[s]) continue;
      const Transition& step = a_.steps_[s];
      if (step.to == n && (step.from == n || !moves_right_[s])) return false;
      if (step.to == n) ++in;
      if (step.from != n) continue;
      ++out;
      for (Term t : step.conditions)
        if (term::dag_size(t) > kLargestStep) return false;
    }
    return in > 0 && in * out <= std::max(in + out, kMostJoined);
  }

  void leave_out(uint32_t n) {
    const std::vector<Danger> dangers = std::exchange(a_.nodes_[n].dangers, {});
    const size_t count = a_.steps_.size();
    for (size_t first = 0; first < count; ++first) {
      if (removed_[first] || a_.steps_[first].to != n) continue;
      removed_[first] = true;
      const Transition step = a_.steps_[first];
      for (const Danger& danger : dangers) {
        Term condition = terms_.band(terms_.conjunction(step.conditions), before(step, danger.condition));
        if (!condition.is_false()) a_.nodes_[step.from].dangers.push_back({condition, danger.what, danger.where});
      }
      for (size_t second = 0; second < count; ++second)
        if (!removed_[second] && a_.steps_[second].from == n) join(step, second);
    }
    for (size_t second = 0; second < count; ++second)
      if (a_.steps_[second].from == n) removed_[second] = true;
  }

  /// Says before a step what holds after it. Open variables keep their names: a node on a cycle of nodes that are left out
  /// has a step to itself when it is the last one, and stays, so no step is joined with itself.
  Term before(const Transition& step, Term t) {
    return terms_.substitute(t, [&](Term v) {
      auto change = step.changes.find(v);
      return change == step.changes.end() ? v : change->second;
    });
  }

  void join(const Transition& first, size_t second) {
    const Transition then = a_.steps_[second];
    Transition both;
    both.from = first.from;
    both.to = then.to;
    both.conditions = first.conditions;
    for (Term t : then.conditions)
      if (Term condition = before(first, t); !condition.is_true()) both.conditions.push_back(condition);
    if (terms_.conjunction(both.conditions).is_false()) return;
    both.changes = first.changes;
    for (const auto& [v, now] : then.changes) both.changes[v] = before(first, now);
    std::erase_if(both.changes, [](const auto& change) { return change.first == change.second; });
    both.birth = then.birth;
    if (then.argument) both.argument = before(first, then.argument);
    a_.steps_.push_back(std::move(both));
    moves_right_.push_back(moves_right_[second]);
    removed_.push_back(false);
  }

  /// Takes away what no thread comes to.
  void compact() {
    std::vector<Transition> steps;
    for (size_t s = 0; s < a_.steps_.size(); ++s)
      if (!removed_[s]) steps.push_back(std::move(a_.steps_[s]));
    std::vector<bool> reached(a_.nodes_.size());
    for (const ThreadKind& kind : a_.kinds_) reached[kind.entry] = true;
    for (bool changed = true; changed;) {
      changed = false;
      for (const Transition& step : steps)
        if (step.to != kNone && reached[step.from] && !reached[step.to]) reached[step.to] = changed = true;
    }
    std::vector<uint32_t> numbers(a_.nodes_.size(), kNone);
    std::vector<Node> nodes;
    for (uint32_t n = 0; n < numbers.size(); ++n)
      if (reached[n]) {
        numbers[n] = static_cast<uint32_t>(nodes.size());
        nodes.push_back(std::move(a_.nodes_[n]));
      }
    std::erase_if(steps, [&](const Transition& step) { return !reached[step.from]; });
    for (Transition& step : steps) {
      step.from = numbers[step.from];
      if (step.to != kNone) step.to = numbers[step.to];
    }
    a_.nodes_ = std::move(nodes);
    a_.steps_ = std::move(steps);
    for (ThreadKind& kind : a_.kinds_) kind.entry = numbers[kind.entry];
    number_steps();
  }

  Automaton& a_;
  term::Store& terms_;
  std::vector<bool> alone_;  ///< by node
  TermSet locks_;
  std::unordered_map<Term, Term> free_;  ///< what a lock is while no thread has it
  std::vector<TermSet> held_;            ///< by node
  std::unordered_map<Term, std::vector<Use>> users_;
  std::vector<bool> moves_right_, removed_;  ///< by step
};

void Automaton::merge_sections(term::Store& terms) { Sections(*this, terms).run(); }

}  // namespace whittle::engines::crowd
