#include "engines/explicit/input_values.h"

#include <algorithm>
#include <array>
#include <functional>
#include <unordered_set>

#include "exec/assumption.h"
#include "solve/stack.h"

namespace whittle::engines::explicit_ {

using program::Kind;
using program::kNone;
using term::Term;

namespace {

constexpr size_t kMostOutcomes = 1024;  ///< found one by one with a solver

/// The value of an expression that has no other variable.
u128 outcome(const term::Store& terms, Term view, Term variable, u128 value) {
  term::Assignment assignment{[&](Term v) { return v == variable ? value : u128{0}; }, {}};
  return terms.evaluate(view, assignment);
}
bool holds(const term::Store& terms, Term condition, Term variable, u128 value) {
  return outcome(terms, condition, variable, value) == 1;
}

/// Collects the largest sub-terms that depend on the variable alone. False: it occurs by itself somewhere.
class ViewFinder {
 public:
  explicit ViewFinder(Term variable) : variable_(variable) {}

  bool visit(Term t) {
    if (!mentions(t)) return true;
    if (t == variable_) return false;
    if (only(t)) {
      found_.insert(t);
      return true;
    }
    for (unsigned i = 0; i < t.arity(); ++i)
      if (!visit(t.kid(i))) return false;
    return true;
  }
  std::vector<Term> found() const {
    std::vector<Term> list(found_.begin(), found_.end());
    std::sort(list.begin(), list.end(), [](Term a, Term b) { return a.id() < b.id(); });
    return list;
  }

 private:
  bool mentions(Term t) {
    for (Term v : variables_of(t))
      if (v == variable_) return true;
    return false;
  }
  bool only(Term t) {
    const auto& list = variables_of(t);
    return list.size() == 1 && !t.has_reads();
  }
  const std::vector<Term>& variables_of(Term t) {
    auto found = variables_.find(t);
    if (found == variables_.end()) found = variables_.emplace(t, term::variables(t)).first;
    return found->second;
  }

  Term variable_;
  std::unordered_set<Term> found_;
  std::unordered_map<Term, std::vector<Term>> variables_;
};

}  // namespace

InputValues::InputValues(const program::Program& program, uint64_t most, Context& context)
    : program_(program),
      most_(most),
      solver_(solve::make_solver(context, program.terms())),
      analyses_(program::analysis::analyses_of(context, program)) {}

InputValues::Asker InputValues::asker(const exec::View& machine) const {
  uint32_t thread = machine.pause().thread;
  auto top = machine.frame(thread, machine.frame_count(thread) - 1);
  const auto& function = program_.functions[top.function];
  uint32_t edge = function.locations[top.location].first_edge;
  const auto& statement = function.edges[edge].statement;
  if (statement.kind != Kind::Nondet || statement.targets.empty()) return {};
  return {top.function, edge, function.registers[statement.targets[0]].variable};
}

InputValues::List InputValues::at_pause(const exec::View& machine) {
  std::lock_guard lock(mutex_);
  unsigned width = machine.pause().width;
  Asker who = asker(machine);
  if (!who.variable) return all(width);
  if (is_dead(who)) return std::make_shared<std::vector<u128>>(1, 0);
  Term assumption = exec::assumption_after_input(machine);
  std::pair<uint64_t, uint32_t> slot{key(assumption), who.variable.variable()};
  auto [entry, fresh] = known_.try_emplace(slot);
  if (!fresh) return entry->second;
  const auto& views = views_of(who);
  List list;
  if (views) list = representatives(*views, assumption, who.variable);
  if (!list) list = assumption ? satisfying(assumption, who.variable) : all(width);
  return known_[slot] = list;
}

bool InputValues::is_dead(const Asker& who) {
  const auto& edge = program_.functions[who.function].edges[who.edge];
  return edge.to != kNone && !analyses_->liveness(who.function).at(edge.to).test(edge.statement.targets[0]);
}

/// All expressions over the input alone that anybody computes, if nothing else is done with it.
const std::optional<std::vector<Term>>& InputValues::views_of(const Asker& who) {
  auto [entry, fresh] = views_.try_emplace(who.variable);
  if (!fresh) return entry->second;
  ViewFinder finder(who.variable);
  for (const auto& edge : program_.functions[who.function].edges)
    for (Term operand : edge.statement.operands)
      if (!finder.visit(operand)) return entry->second;
  entry->second = finder.found();
  return entry->second;
}

InputValues::List InputValues::all(unsigned width) {
  if (width > 62 || uint64_t{1} << width > most_) return nullptr;
  List& list = all_[width];
  if (!list) {
    auto values = std::make_shared<std::vector<u128>>();
    for (uint64_t v = 0; v < uint64_t{1} << width; ++v) values->push_back(v);
    list = values;
  }
  return list;
}

/// The least value (unsigned) that satisfies a condition, by bisection.
std::optional<u128> InputValues::least(Term condition, Term variable) {
  auto& terms = program_.terms();
  auto result = solver_->check(std::array{condition});
  if (!result.sat()) return std::nullopt;
  u128 high = solver_->value(variable), low = 0;
  while (low < high) {
    u128 middle = low + (high - low) / 2;
    Term below = terms.ule(variable, terms.constant(variable.width(), middle));
    auto answer = solver_->check(std::array{condition, below});
    if (answer.unknown()) return std::nullopt;
    if (answer.sat())
      high = std::min(middle, solver_->value(variable));
    else
      low = middle + 1;
  }
  return low;
}

InputValues::List InputValues::satisfying(Term assumption, Term variable) {
  auto& terms = program_.terms();
  unsigned width = variable.width();
  auto values = std::make_shared<std::vector<u128>>();
  if (List every = all(width)) {
    for (u128 value : *every)
      if (holds(terms, assumption, variable, value)) values->push_back(value);
    return values;
  }
  // An interval around zero, in two's complement, that holds all of them; then each of it is tried.
  u128 bias = u128{1} << (width - 1);
  Term x = terms.variable(width, "value");
  Term shifted = terms.substitute(
      assumption, [&](Term v) { return v == variable ? terms.sub(x, terms.constant(width, bias)) : Term(); });
  auto lowest = least(shifted, x);
  if (!lowest) return solver_->check(std::array{assumption}).unsat() ? values : nullptr;
  Term mirrored = terms.substitute(shifted, [&](Term v) { return v == x ? terms.bnot(x) : Term(); });
  auto from_top = least(mirrored, x);
  if (!from_top) return nullptr;
  u128 highest = ~*from_top & mask128(width);
  if (highest - *lowest >= most_) return nullptr;
  for (u128 v = *lowest; v <= highest; ++v) {
    u128 value = (v - bias) & mask128(width);
    if (holds(terms, assumption, variable, value)) values->push_back(value);
  }
  return values;
}

InputValues::List InputValues::representatives(const std::vector<Term>& views, Term assumption, Term variable) {
  auto& terms = program_.terms();
  auto values = std::make_shared<std::vector<u128>>();
  solver_->push();
  if (assumption) solver_->add(assumption);
  bool complete = false;
  while (values->size() < std::min<uint64_t>(kMostOutcomes, most_)) {
    auto result = solver_->check();
    if (!result.sat()) {
      complete = result.unsat();
      break;
    }
    u128 value = solver_->value(variable);
    auto same = [&](u128 other) {
      if (assumption && !holds(terms, assumption, variable, other)) return false;
      return std::all_of(views.begin(), views.end(), [&](Term view) {
        return outcome(terms, view, variable, other) == outcome(terms, view, variable, value);
      });
    };
    for (u128 nice : {u128{0}, u128{1}})  // these read best in a trace
      if (same(nice)) {
        value = nice;
        break;
      }
    values->push_back(value);
    Term different = terms.falsity();
    for (Term view : views)
      different =
          terms.bor(different, terms.ne(view, terms.constant(view.width(), outcome(terms, view, variable, value))));
    solver_->add(different);
  }
  solver_->pop();
  if (!complete) return nullptr;
  std::sort(values->begin(), values->end());
  return values;
}

}  // namespace whittle::engines::explicit_
