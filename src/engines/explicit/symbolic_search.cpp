#include "engines/explicit/symbolic_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "solve/stack.h"

namespace whittle::engines::explicit_ {

using exec::PauseKind;
using term::Term;
using verdict::Property;

namespace {

constexpr uint64_t kShortBudget = 1'000;  ///< statements of a single thread between states while inputs matter
constexpr size_t kMostWays = 50'000;      ///< from one state
constexpr size_t kLongestChain = 256;     ///< actions without a choice between states
constexpr double kSecondsPerQuery = 20;
constexpr size_t kMostAsked = 4;  ///< visited states that the solver compares a new one with

}  // namespace

SymbolicSearch::SymbolicSearch(std::shared_ptr<const exec::Code> code, bool private_steps, uint64_t most_queries,
                               Context& context)
    : code_(std::move(code)),
      context_(context),
      most_queries_(most_queries),
      terms_(code_->program().terms()),
      machine_(code_->program(), code_),
      private_(program::analysis::analyses_of(context, code_->program()), machine_.machine(), private_steps,
               [this](uint64_t address, uint64_t size) { return !machine_.symbolic(address, size); }),
      solver_(solve::make_solver(context, terms_)) {
  machine_.pin_shared_addresses();
  solver_->set_budget({.seconds = kSecondsPerQuery});
}

SymbolicSearch::~SymbolicSearch() = default;

SymbolicSearch::Outcome SymbolicSearch::run() {
  machine_.reset();
  State first{machine_.save(), {}, {}};
  arrive(std::move(first), UINT32_MAX, {});
  while (!work_.empty()) {
    auto [number, state] = std::move(work_.front());
    work_.pop_front();
    if (context_.limits.poll_now() != Stop::No) {
      reason_ = to_string(context_.limits.stopped());
      return Outcome::Unknown;
    }
    if (queries_ > most_queries_) {
      reason_ = fmt::format("{} questions to the solver were not enough", most_queries_);
      return Outcome::Unknown;
    }
    enter(state);
    std::vector<Action> open = actions();
    if (open.empty() && deadlock_is_violation() && machine_.machine().deadlocked() && reconstruct(number, {}))
      return Outcome::Violation;
    for (const Action& action : open) {
      bool found = false;
      expand(state, action, [&](End end, State next, const std::vector<Done>&) {
        if (end == End::State) arrive(std::move(next), number, action);
        found = end == End::Violation && reconstruct(number, action);
        return end != End::Violation;
      });
      if (found) return Outcome::Violation;
    }
    if (context_.limits.stopped() != Stop::No) {
      reason_ = to_string(context_.limits.stopped());
      return Outcome::Unknown;
    }
  }
  return incomplete_ ? Outcome::Unknown : Outcome::Holds;
}

bool SymbolicSearch::deadlock_is_violation() const { return code_->specification().has(Property::NoDeadlock); }

void SymbolicSearch::enter(const State& state) {
  machine_.load(state.snapshot);
  machine_.set_model([&](Term v) {
    auto it = state.model.find(v);
    return it == state.model.end() ? u128{0} : it->second;
  });
}

std::vector<SymbolicSearch::Action> SymbolicSearch::actions() {
  exec::Machine& machine = machine_.machine();
  const exec::Pause& pause = machine.pause();
  if (pause.kind == PauseKind::Input) return {{Action::Kind::Provide, pause.thread}};
  if (pause.kind == PauseKind::Budget) return {{Action::Kind::Resume, pause.thread}};
  std::vector<uint32_t> threads;
  for (uint32_t t = 0; t < machine.thread_count(); ++t)
    if (machine.alive(t) && machine.enabled(t)) threads.push_back(t);
  if (threads.size() > 1)
    if (auto alone = private_.find(threads)) threads.assign(1, *alone);
  std::vector<Action> list;
  for (uint32_t t : threads) list.push_back({Action::Kind::Schedule, t});
  return list;
}

Term SymbolicSearch::name(unsigned width, size_t number) {
  std::vector<Term>& names = names_[width];
  while (names.size() <= number) {
    names.push_back(terms_.variable(width, fmt::format("input{}", names.size())));
    numbers_.emplace(names.back(), names.size() - 1);
  }
  return names[number];
}

size_t SymbolicSearch::first_free(const State& state, unsigned width) const {
  size_t number = 0;
  for (const auto& [variable, value] : state.model)
    if (variable.width() == width) number = std::max(number, numbers_.at(variable) + 1);
  return number;
}

void SymbolicSearch::act(const Done& done, const Model& model) {
  exec::Machine& machine = machine_.machine();
  uint32_t alive = 0;
  for (uint32_t t = 0; t < machine.thread_count(); ++t) alive += machine.alive(t) ? 1 : 0;
  machine.set_budget(alive == 1 && (!machine_.empty() || done.input) ? kShortBudget : exec::kPatience);
  switch (done.action.kind) {
    case Action::Kind::Schedule: machine_.schedule(done.action.thread); break;
    case Action::Kind::Resume: machine_.resume(); break;
    case Action::Kind::Provide: {
      auto it = model.find(done.input);
      machine_.provide(done.input, it == model.end() ? u128{0} : it->second);
      break;
    }
  }
  if (machine_.pause().kind == PauseKind::Budget) machine.yield_here();
  if (machine_.pause().scheduling() && !machine_.empty()) machine_.fork_awaits();
  ++steps_;
}

SymbolicSearch::End SymbolicSearch::follow(const State& from, const Action& first, const Model& model,
                                           std::vector<Done>& done) {
  Action action = first;
  std::unordered_map<unsigned, size_t> inputs;  // the next free number, by width
  while (true) {
    Done next{action, {}, {}};
    if (action.kind == Action::Kind::Provide) {
      const exec::Pause& pause = machine_.pause();
      auto [number, fresh] = inputs.try_emplace(pause.width, 0);
      if (fresh) number->second = first_free(from, pause.width);
      next.input = name(pause.width, number->second++);
      next.asked = {pause.width, 0, pause.origin, "", pause.position.line};
      const auto& files = code_->program().files;
      if (pause.position.file < files.size()) next.asked.file = files[pause.position.file];
    }
    act(next, model);
    done.push_back(std::move(next));
    const exec::Pause& pause = machine_.pause();
    if (pause.kind == PauseKind::Violation) return End::Violation;
    if (pause.final()) return End::Halted;
    if (!machine_.forks().empty() || done.size() >= kLongestChain) return End::State;
    std::vector<Action> open = actions();
    if (open.size() != 1) return End::State;
    action = open[0];
  }
}

std::optional<SymbolicSearch::Model> SymbolicSearch::solve(const std::vector<Term>& condition) {
  ++queries_;
  solve::Result result = solver_->check(condition);
  if (result.unknown()) {
    if (!incomplete_) reason_ = "a condition could not be decided: " + result.reason;
    incomplete_ = true;
  }
  if (!result.sat()) return std::nullopt;
  Model model;
  for (Term c : condition)
    for (Term v : term::variables(c))
      if (!model.contains(v)) model.emplace(v, solver_->value(v));
  return model;
}

template <typename Visit>
bool SymbolicSearch::expand(const State& from, const Action& action, const Visit& visit) {
  /// A way to be followed: under this model, which agrees with all ways before it up to fork number `at`.
  struct Way {
    Model model;
    size_t at = 0;
    std::vector<Term> condition;  ///< of the state, and of forks before `at`
    std::vector<Term> excluded;   ///< ways taken at `at` already
  };
  std::vector<Way> ways{{from.model, 0, from.condition, {}}};
  size_t taken = 0;
  while (!ways.empty()) {
    if (context_.limits.poll_now() != Stop::No) return false;
    if (++taken > kMostWays || queries_ > 2 * most_queries_) {
      incomplete_ = true;
      reason_ = fmt::format("more than {} ways lead from one state, near {}", kMostWays,
                            code_->program().where(machine_.pause().position));
      return true;
    }
    Way way = std::move(ways.back());
    ways.pop_back();
    machine_.load(from.snapshot);
    auto value = [&](Term v) {
      auto it = way.model.find(v);
      return it == way.model.end() ? u128{0} : it->second;
    };
    machine_.set_model(value);
    std::vector<Done> done;
    const End end = follow(from, action, way.model, done);
    for (const Done& d : done)
      if (d.input) way.model.try_emplace(d.input, 0);
    std::vector<Term> condition = way.condition;
    std::span<const exec::Fork> forks = machine_.forks();
    for (size_t i = way.at; i < forks.size(); ++i) {
      const Term here = forks[i].condition;
      std::vector<Term> excluded = i == way.at ? way.excluded : std::vector<Term>{};
      const bool other_side_done = std::find(excluded.begin(), excluded.end(), terms_.bnot(here)) != excluded.end();
      bool implied = excluded.empty();
      if (!other_side_done) {
        std::vector<Term> query = condition;
        for (Term e : excluded) query.push_back(terms_.bnot(e));
        query.push_back(terms_.bnot(here));
        const bool complete = !incomplete_;
        if (std::optional<Model> model = solve(query)) {
          for (const auto& [v, x] : way.model) model->try_emplace(v, x);  // what the query does not mention stays
          std::vector<Term> more = excluded;
          more.push_back(here);
          ways.push_back({std::move(*model), i, condition, std::move(more)});
          implied = false;
        } else if (complete && incomplete_) {
          implied = false;
        }
      }
      if (!implied) condition.push_back(here);
    }
    const exec::Pause& pause = machine_.pause();
    if (pause.kind == PauseKind::Pruned) continue;
    if (pause.kind == PauseKind::Cut) {
      if (!incomplete_) reason_ = fmt::format("{} at {}", pause.reason, code_->program().where(pause.position));
      incomplete_ = true;
      continue;
    }
    State next{end == End::State ? machine_.save() : exec::SymbolicMachine::Snapshot{{}, exec::Overlay(terms_)},
               std::move(condition), std::move(way.model)};
    if (!visit(end, std::move(next), done)) return false;
  }
  return true;
}

SymbolicSearch::State SymbolicSearch::canonical(State state, Renaming* renaming) {
  // Inputs that matter: those in cells, and those that conditions tie to them.
  std::unordered_set<Term> matter;
  auto add = [&](Term t) {
    for (Term v : term::variables(t)) matter.insert(v);
  };
  for (const auto& [cell, t] : state.snapshot.overlay.registers()) add(t);
  for (const auto& [address, t] : state.snapshot.overlay.memory()) add(t);
  std::vector<bool> kept(state.condition.size());
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = 0; i < kept.size(); ++i) {
      if (kept[i]) continue;
      std::vector<Term> variables = term::variables(state.condition[i]);
      if (std::none_of(variables.begin(), variables.end(), [&](Term v) { return matter.contains(v); })) continue;
      kept[i] = changed = true;
      add(state.condition[i]);
    }
  }
  Renaming renamed;
  std::unordered_map<unsigned, size_t> used;
  auto rename = [&](Term t) {
    return terms_.substitute(t, [&](Term v) {
      auto [it, fresh] = renamed.try_emplace(v);
      if (fresh) {
        it->second = name(v.width(), used[v.width()]++);
      }
      return it->second;
    });
  };
  State result{{std::move(state.snapshot.bytes), exec::Overlay(terms_)}, {}, {}};
  for (const auto& [cell, t] : state.snapshot.overlay.registers()) result.snapshot.overlay.set_reg(cell, rename(t));
  for (const auto& [address, t] : state.snapshot.overlay.memory()) result.snapshot.overlay.store(address, rename(t));
  for (size_t i = 0; i < kept.size(); ++i)
    if (kept[i]) {
      Term c = rename(state.condition[i]);
      if (std::find(result.condition.begin(), result.condition.end(), c) == result.condition.end())
        result.condition.push_back(c);
    }
  for (const auto& [old, now] : renamed) {
    auto it = state.model.find(old);
    result.model.emplace(now, it == state.model.end() ? u128{0} : it->second);
  }
  if (renaming) *renaming = std::move(renamed);
  return result;
}

/// The bytes of the machine with all inputs 0, and the terms of cells.
std::string SymbolicSearch::shape(const State& state) {
  machine_.load(state.snapshot);
  machine_.set_model([](Term) { return u128{0}; });
  std::span<const uint8_t> bytes = machine_.machine().save();
  std::string text(bytes.begin(), bytes.end());
  auto number = [&](uint64_t n) { text.append(reinterpret_cast<const char*>(&n), sizeof n); };
  number(bytes.size());
  for (const auto& [cell, t] : state.snapshot.overlay.registers()) {
    number(uint64_t{cell.thread} << 32 | cell.frame);
    number(uint64_t{cell.reg} << 32 | t.id());
  }
  number(UINT64_MAX);
  for (const auto& [address, t] : state.snapshot.overlay.memory()) number(address), number(t.id());
  return text;
}

/// Has a visited state of the same shape a condition that holds for all inputs of this one?
bool SymbolicSearch::covered(const State& state, const std::vector<uint32_t>& by) {
  const std::unordered_set<Term> have(state.condition.begin(), state.condition.end());
  auto missing = [&](uint32_t number) {
    Term all = terms_.truth();
    for (Term c : visited_[number].condition)
      if (!have.contains(c)) all = terms_.band(all, c);
    return all;
  };
  for (uint32_t number : by)
    if (missing(number).is_true()) return true;
  size_t asked = 0;
  for (size_t i = by.size(); i-- > 0 && asked < kMostAsked; ++asked) {
    std::vector<Term> query = state.condition;
    query.push_back(terms_.bnot(missing(by[i])));
    ++queries_;
    if (solver_->check(query).unsat()) return true;
  }
  return false;
}

void SymbolicSearch::arrive(State state, uint32_t parent, const Action& action) {
  State same = canonical(std::move(state));
  auto [it, fresh] = shapes_.try_emplace(shape(same));
  if (!fresh && covered(same, it->second)) return;
  const auto number = static_cast<uint32_t>(visited_.size());
  it->second.push_back(number);
  visited_.push_back({parent, action, &it->first, same.condition});
  work_.emplace_back(number, std::move(same));
}

namespace {

/// Inputs of a path, each under a name of its own, while states rename them from one to the next.
class PathInputs {
 public:
  explicit PathInputs(term::Store& terms) : terms_(terms) {}

  /// From here on `name` stands for a new input.
  Term give(Term name) {
    Term own = terms_.variable(name.width(), fmt::format("path{}", count_++));
    own_[name] = own;
    return own;
  }
  void require(const std::vector<Term>& condition) {
    for (Term c : condition) {
      Term own = terms_.substitute(c, [&](Term v) {
        auto it = own_.find(v);
        return it == own_.end() ? give(v) : it->second;
      });
      if (std::find(condition_.begin(), condition_.end(), own) == condition_.end()) condition_.push_back(own);
    }
  }
  void rename(const std::unordered_map<Term, Term>& renaming) {
    std::unordered_map<Term, Term> now;
    for (const auto& [old, name] : renaming)
      if (auto it = own_.find(old); it != own_.end()) now.emplace(name, it->second);
    own_ = std::move(now);
  }
  /// On all inputs so far, also on those that the state has forgotten.
  const std::vector<Term>& condition() const { return condition_; }

 private:
  term::Store& terms_;
  std::unordered_map<Term, Term> own_;
  std::vector<Term> condition_;
  size_t count_ = 0;
};

}  // namespace

/// The same path once more, through the very states of the search, while every input keeps a name of its own: then one
/// model of all conditions gives all of them.
bool SymbolicSearch::reconstruct(uint32_t last, const Action& final_action) {
  std::vector<uint32_t> path;
  for (uint32_t n = last; n != UINT32_MAX; n = visited_[n].parent) path.push_back(n);
  std::reverse(path.begin(), path.end());
  machine_.reset();
  State state = canonical({machine_.save(), {}, {}});
  PathInputs given(terms_);
  verdict::Counterexample result;
  std::vector<Term> inputs;
  auto note = [&](const State& next, const std::vector<Done>& done) {
    for (const Done& d : done) {
      if (d.action.kind == Action::Kind::Schedule) result.schedule.push_back(d.action.thread);
      if (d.action.kind != Action::Kind::Provide) continue;
      result.inputs.push_back(d.asked);
      inputs.push_back(given.give(d.input));
    }
    given.require(next.condition);
  };
  bool lost = false;
  for (size_t i = 1; i < path.size() && !lost; ++i)
    lost = expand(state, visited_[path[i]].action, [&](End end, State next, const std::vector<Done>& done) {
      if (end != End::State) return true;
      Renaming renaming;
      State same = canonical(next, &renaming);
      const Visited& wanted = visited_[path[i]];
      if (same.condition != wanted.condition || shape(same) != *wanted.shape) return true;
      note(next, done);
      given.rename(renaming);
      state = std::move(same);
      return false;
    });
  if (!lost) {
    enter(state);
    if (!actions().empty())  // else a deadlock
      lost = expand(state, final_action, [&](End end, State next, const std::vector<Done>& done) {
        if (end != End::Violation) return true;
        note(next, done);
        return false;
      });
  }
  std::optional<Model> model;
  if (!lost) model = solve(given.condition());
  if (!model) {
    reason_ = "a violation was found, but its inputs could not be reconstructed";
    incomplete_ = true;
    return false;
  }
  for (size_t i = 0; i < inputs.size(); ++i) {
    auto it = model->find(inputs[i]);
    result.inputs[i].value = it == model->end() ? u128{0} : it->second;
  }
  counterexample_ = std::move(result);
  return true;
}

}  // namespace whittle::engines::explicit_
