#include "engines/dash/contracts.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "engines/dash/contract_tables.h"

namespace whittle::engines::dash {

using program::FunctionId;
using program::kNone;

namespace {

constexpr size_t kMostPaths = 64;        ///< through one function
constexpr size_t kMostSamples = 400;     ///< calls of one function
constexpr size_t kMostConditions = 6;    ///< on parameters, that facts may depend on
constexpr size_t kMostCandidates = 160;  ///< of one function at a time

/// Functions of recursions and those that they call.
std::vector<FunctionId> involved(const Space& space) {
  const auto& calls = space.calls();
  const auto& functions = space.program().functions;
  BitSet found(functions.size());
  std::vector<FunctionId> todo;
  auto reach = [&](FunctionId f) {
    if (!functions[f].runtime && !functions[f].locations.empty() && found.set(f)) todo.push_back(f);
  };
  for (FunctionId f = 0; f < functions.size(); ++f)
    if (calls.reachable().test(f) && calls.recursive(f)) reach(f);
  while (!todo.empty()) {
    FunctionId f = todo.back();
    todo.pop_back();
    for (FunctionId g : calls.callees(f)) reach(g);
  }
  std::vector<FunctionId> all;
  found.each([&](size_t f) { all.push_back(static_cast<FunctionId>(f)); });
  return all;
}

struct Sample {
  std::vector<u128> arguments;
  u128 result = 0;
};

/// One function with what is guessed of it.
struct Subject {
  FunctionId function = kNone;
  uint32_t context = kNone;  ///< some call of it
  Contract contract;
  std::vector<Block> returns, errors;
  std::vector<Sample> samples;
  std::vector<Term> kept;        ///< what holds, as far as is known
  std::vector<Term> candidates;  ///< in this round
  bool safe = false;             ///< nothing goes wrong inside: in this round
  bool was_safe = false;
};

class Finder {
 public:
  Finder(Space& space, const Forest& forest, const Asking& asking)
      : space_(space), forest_(forest), asking_(asking), store_(space.terms()), walker_(space) {}

  bool run() {
    for (FunctionId f : involved(space_)) add(f);
    if (subjects_.empty()) return false;
    collect_samples();
    for (int round = 0; round < 2; ++round)  // of functions that call each other, too
      for (Subject& s : subjects_) calculate_samples(s);
    // First what holds of all calls; then, with that known, what depends on a condition.
    for (unsigned depth = 0; depth < 3; ++depth) {
      for (Subject& s : subjects_) guess(s, depth);
      if (!filter()) break;
      for (Subject& s : subjects_) {
        adopt(s);
        s.was_safe |= s.safe;
      }
    }
    for (Subject& s : subjects_) {
      s.candidates.clear();
      s.safe = s.was_safe;
      publish(s);
    }
    for (Subject& s : subjects_) tabulate(s);
    bool news = false;
    for (Subject& s : subjects_) {
      publish(s);
      news |= !s.kept.empty() || s.safe;
    }
    return news;
  }

 private:
  void add(FunctionId f) {
    const auto& function = space_.program().functions[f];
    if (function.return_width == 0) return;
    Subject s;
    s.function = f;
    auto comes_back = [](const program::Edge& call) { return call.to != kNone && !call.statement.targets.empty(); };
    for (uint32_t c = 1; c < space_.contexts() && s.context == kNone; ++c)
      if (space_.context(c).function == f && comes_back(space_.edge(space_.context(c).parent, space_.context(c).edge)))
        s.context = c;
    // No test has called it: as if it were called from where tests were.
    for (uint32_t c = 0, known = space_.contexts(); c < known && s.context == kNone; ++c) {
      const auto& edges = space_.function(c).edges;
      for (uint32_t e = 0; e < edges.size() && s.context == kNone; ++e)
        if (edges[e].statement.kind == program::Kind::Call && edges[e].statement.callee == f && comes_back(edges[e]))
          s.context = space_.child(c, e, f);
    }
    if (s.context == kNone || !walk(s, {s.context, function.entry}, {}, {})) return;
    for (uint32_t i = 0; i < function.parameter_count; ++i)
      s.contract.parameters.push_back(function.registers[i].variable);
    s.contract.result = store_.variable(function.return_width, "result");
    subjects_.push_back(std::move(s));
  }

  /// All ways from here to a return or an error; false if they cannot be followed, or go in circles.
  bool walk(Subject& s, Place from, std::vector<Step> steps, std::set<program::LocationId> seen) {
    if (!seen.insert(from.location).second) return false;
    for (Block& block : walker_.blocks(from)) {
      std::vector<Step> all = steps;
      all.insert(all.end(), block.steps.begin(), block.steps.end());
      Block way;
      way.from = {s.context, space_.function(s.context).entry};
      way.end = block.end;
      way.to = block.to;
      way.steps = all;
      if (block.end == Block::End::Unknown) {
        // Something may go wrong inside a callee; the way past it comes, too.
        if (block.steps.empty() || block.steps.back().kind != Step::Kind::Skip) return false;
        s.errors.push_back(std::move(way));
      } else if (block.end == Block::End::Error) {
        s.errors.push_back(std::move(way));
      } else if (block.to.context == s.context) {
        if (!walk(s, block.to, std::move(all), seen)) return false;
      } else {
        s.returns.push_back(std::move(way));
      }
      if (s.returns.size() + s.errors.size() > kMostPaths) return false;
    }
    return true;
  }

  /// Calls that tests made and that came back.
  void collect_samples() {
    std::map<FunctionId, Subject*> by_function;
    for (Subject& s : subjects_) by_function[s.function] = &s;
    for (uint32_t t = 0; t < forest_.size(); ++t) {
      const Test& test = forest_.test(t);
      std::map<std::pair<uint32_t, uint32_t>, uint32_t> open;  // call, by context and edge: the visit before it
      for (uint32_t v = 0; v < test.visits.size(); ++v) {
        const Place place = test.visits[v].place;
        const auto& function = space_.function(place.context);
        for (auto it = open.lower_bound({place.context, 0}); it != open.end() && it->first.first == place.context;) {
          const auto& call = function.edges[it->first.second];
          if (call.to == place.location)
            sample(*by_function.at(call.statement.callee), test, place.context, call.statement, it->second, v);
          it = open.erase(it);
        }
        const auto& location = function.locations[place.location];
        for (uint32_t e = location.first_edge; e < location.first_edge + location.edge_count; ++e) {
          const auto& call = function.edges[e].statement;
          if (call.kind == program::Kind::Call && by_function.contains(call.callee) && !call.targets.empty())
            open[{place.context, e}] = v;
        }
      }
    }
  }

  void sample(Subject& s, const Test& test, uint32_t context, const program::Statement& call, uint32_t before,
              uint32_t after) {
    if (s.samples.size() >= kMostSamples) return;
    Sample sample;
    for (size_t i = 0; i < s.contract.parameters.size(); ++i)
      sample.arguments.push_back(test.evaluate(space_, before, space_.in(context, call.operands[i])));
    sample.result = test.evaluate(space_, after, space_.variable(context, call.targets[0]));
    s.samples.push_back(std::move(sample));
  }

  bool recursive(const Subject& s) const { return space_.calls().recursive(s.function); }

  /// Makes facts known besides those that are kept.
  Table::Publish publisher(Subject& s) {
    return [this, &s](const std::vector<Term>& facts) {
      s.candidates = facts;
      publish(s);
      s.candidates.clear();
      return s.contract.holds;
    };
  }

  /// Is the result known for all arguments? (An equation between it and them, without a condition.)
  bool is_explained(const Subject& s) const {
    return std::any_of(s.kept.begin(), s.kept.end(), [&](Term t) {
      const Term at_zero = store_.substitute(
          t, [&](Term v) { return v == s.contract.result ? Term() : store_.constant(v.width(), 0); });
      return t.op() == term::Op::Eq && at_zero.op() == term::Op::Eq &&
             (at_zero.kid(0) == s.contract.result || at_zero.kid(1) == s.contract.result);
    });
  }

  /// Results for small arguments: tests make calls with these seldom.
  void calculate_samples(Subject& s) {
    constexpr size_t kMostParameters = 3;
    if (s.contract.parameters.size() > kMostParameters || !recursive(s)) return;
    std::vector<size_t> all;
    for (size_t i = 0; i < s.contract.parameters.size(); ++i) all.push_back(i);
    if (all.empty()) return;
    Table table(space_, asking_, s.contract, s.context, s.returns);
    table.fill(all, {.lowest = 0, .highest = 5, .rows = 60}, publisher(s));
    for (const Table::Row& row : table.rows()) s.samples.push_back({row.arguments, row.result});
    s.kept = table.facts();
    publish(s);
    s.kept.clear();
  }

  /// Results for as many arguments as the program has numbers for.
  void tabulate(Subject& s) {
    if (!recursive(s) || is_explained(s)) return;
    std::vector<size_t> looked_at;
    for (Term t : conditions(s))
      for (Term v : term::variables(t)) {
        const auto& p = s.contract.parameters;
        const size_t i = static_cast<size_t>(std::find(p.begin(), p.end(), v) - p.begin());
        if (std::find(looked_at.begin(), looked_at.end(), i) == looked_at.end()) looked_at.push_back(i);
      }
    std::vector<std::vector<size_t>> choices;
    for (size_t i : looked_at) choices.push_back({i});
    if (looked_at.size() == 2) choices.push_back(looked_at);
    const TableLimits limits{.highest = largest_number()};
    for (const auto& choice : choices) {
      Table table(space_, asking_, s.contract, s.context, s.returns);
      table.fill(choice, limits, publisher(s));
      s.kept.insert(s.kept.end(), table.facts().begin(), table.facts().end());
      publish(s);
    }
  }

  /// The largest with which the program compares something, of those that are few calls away.
  int64_t largest_number() const {
    constexpr int64_t kLeast = 8, kMost = 64;
    int64_t largest = kLeast;
    for (const auto& function : space_.program().functions) {
      if (function.runtime) continue;
      for (const auto& edge : function.edges)
        if (edge.statement.kind == program::Kind::Assume) {
          const Term t = edge.statement.operands[0];
          std::vector<Term> todo{t};
          while (!todo.empty()) {
            const Term x = todo.back();
            todo.pop_back();
            if (x.is_constant() && x.value() <= kMost) largest = std::max(largest, static_cast<int64_t>(x.value()));
            for (unsigned i = 0; i < x.arity(); ++i) todo.push_back(x.kid(i));
          }
        }
    }
    return largest;
  }

  bool holds(const Subject& s, const Sample& sample, Term t) const {
    return store_
        .substitute(t,
                    [&](Term v) -> Term {
                      if (v == s.contract.result) return store_.constant(v.width(), sample.result);
                      for (size_t i = 0; i < s.contract.parameters.size(); ++i)
                        if (v == s.contract.parameters[i]) return store_.constant(v.width(), sample.arguments[i]);
                      return {};
                    })
        .is_true();
  }

  /// Conditions on parameters that the function itself looks at first.
  std::vector<Term> conditions(const Subject& s) {
    std::vector<Term> found;
    const auto& function = space_.function(s.context);
    for (const auto& edge : function.edges) {
      if (edge.statement.kind != program::Kind::Assume) continue;
      const Term t = edge.statement.operands[0];
      const std::vector<Term> variables = term::variables(t);
      const bool own =
          !variables.empty() && term::reads(t).empty() && std::all_of(variables.begin(), variables.end(), [&](Term v) {
            const auto& p = s.contract.parameters;
            return std::find(p.begin(), p.end(), v) != p.end();
          });
      if (own && std::find(found.begin(), found.end(), t) == found.end() && found.size() < 2 * kMostConditions)
        found.push_back(t);
    }
    return found;
  }

  /// What might be said of the result: of all samples of `of`.
  void guess_facts(const Subject& s, const std::vector<Sample>& of, std::vector<Term>& out) {
    const Term r = s.contract.result;
    const unsigned w = r.width();
    auto constant = [&](u128 c) { return store_.constant(w, c & mask128(w)); };
    std::vector<size_t> same;  // parameters as wide as the result
    for (size_t i = 0; i < s.contract.parameters.size(); ++i)
      if (s.contract.parameters[i].width() == w) same.push_back(i);
    auto parameter = [&](size_t i) { return s.contract.parameters[i]; };
    auto add = [&](Term t) {
      if (!t.is_constant() && std::all_of(of.begin(), of.end(), [&](const Sample& x) { return holds(s, x, t); }))
        out.push_back(t);
    };
    auto offset = [&](Term t) {  // of the result from t, in the first sample
      const Term value = store_.substitute(t, [&](Term v) -> Term {
        for (size_t i = 0; i < s.contract.parameters.size(); ++i)
          if (v == parameter(i)) return store_.constant(v.width(), of[0].arguments[i]);
        return {};
      });
      return value.is_constant() ? (of[0].result - value.value()) & mask128(w) : u128{0};
    };
    auto equal = [&](Term t) { add(store_.eq(r, store_.add(t, constant(offset(t))))); };
    add(store_.eq(r, constant(of[0].result)));
    for (size_t i : same) {
      equal(parameter(i));
      equal(store_.neg(parameter(i)));
      equal(store_.mul(parameter(i), constant(2)));
      const Term odd = store_.band(parameter(i), constant(1));
      add(store_.eq(r, odd));
      add(store_.eq(r, store_.sub(constant(1), odd)));
      for (size_t j : same) {
        if (j > i) equal(store_.add(parameter(i), parameter(j)));
        if (j > i) add(store_.eq(r, store_.mul(parameter(i), parameter(j))));
        if (j != i) equal(store_.sub(parameter(i), parameter(j)));
      }
    }
    for (u128 c : {u128{0}, u128{1}, ~u128{0}}) {
      add(store_.sge(r, constant(c)));
      add(store_.sle(r, constant(c)));
      add(store_.ne(r, constant(c)));
      for (size_t i : same) {
        add(store_.sge(r, store_.add(parameter(i), constant(c))));
        add(store_.sle(r, store_.add(parameter(i), constant(c))));
        add(store_.ule(r, store_.add(parameter(i), constant(c))));
      }
    }
  }

  /// "m == 2", for the values of parameters that several calls had while others differ.
  std::vector<Term> values_of_parameters(const Subject& s) {
    constexpr u128 kLargest = 8;
    std::vector<Term> found;
    if (s.contract.parameters.size() < 2 || !recursive(s)) return found;
    for (size_t i = 0; i < s.contract.parameters.size(); ++i) {
      const Term p = s.contract.parameters[i];
      std::map<u128, size_t> calls;
      for (const Sample& x : s.samples) ++calls[x.arguments[i]];
      for (const auto& [value, count] : calls)
        if (value <= kLargest && count >= 3) found.push_back(store_.eq(p, store_.constant(p.width(), value)));
    }
    return found;
  }

  /// Facts under as many conditions as `depth`, where tests agree.
  void guess(Subject& s, unsigned depth) {
    s.safe = s.was_safe || space_.can_fail(s.function);
    if (is_explained(s)) return;
    std::vector<Term> guards{store_.truth()};
    const std::vector<Term> own = depth == 0 ? std::vector<Term>() : conditions(s);
    if (depth == 1) {
      guards = values_of_parameters(s);
      guards.insert(guards.end(), own.begin(), own.end());
    }
    if (depth == 2) {
      guards.clear();
      for (size_t i = 0; i < own.size(); ++i)
        for (size_t j = 0; j < i; ++j) guards.push_back(store_.band(own[i], own[j]));
    }
    for (Term guard : guards) {
      std::vector<Sample> of;
      for (const Sample& x : s.samples)
        if (guard.is_true() || holds(s, x, guard)) of.push_back(x);
      if (of.size() < 2) continue;
      std::vector<Term> facts;
      guess_facts(s, of, facts);
      for (Term fact : facts) {
        const Term t = store_.implies(guard, fact);
        const bool known = std::find(s.kept.begin(), s.kept.end(), fact) != s.kept.end();
        if (!known && s.candidates.size() < kMostCandidates) s.candidates.push_back(t);
      }
    }
  }

  /// Keeps what does not follow from the rest: calls are easier to understand, for solvers too.
  void adopt(Subject& s) {
    for (Term t : s.candidates) {
      std::vector<Term> query = s.kept;
      query.push_back(store_.bnot(t));
      if (asking_.out_of_budget() || !asking_.ask(query).unsat()) s.kept.push_back(t);
    }
    s.candidates.clear();
  }

  void publish(Subject& s) {
    std::vector<Term> all = s.kept;
    all.insert(all.end(), s.candidates.begin(), s.candidates.end());
    s.contract.holds = store_.conjunction(all);
    s.contract.safe = s.safe;
    space_.set_contract(s.function, s.contract);
  }

  /// Drops what is not inductive. False if there is no time.
  bool filter() {
    for (bool changed = true; changed;) {
      changed = false;
      for (Subject& s : subjects_) publish(s);
      for (Subject& s : subjects_) {
        bool fewer = false;
        for (const Block& way : s.returns)
          if (!filter_return(s, way, fewer)) return false;
        if (s.safe && !s.was_safe && !errors_impossible(s)) s.safe = false, fewer = true;
        if (fewer) publish(s);  // at once: less is known of calls from now on
        changed |= fewer;
      }
    }
    return true;
  }

  bool filter_return(Subject& s, const Block& way, bool& changed) {
    while (!s.candidates.empty()) {
      if (asking_.out_of_budget()) return false;
      const Context& context = space_.context(s.context);
      Effect effect(space_, way);
      std::vector<Term> query = effect.guards(), now;
      const Term returned = effect.pre(
          space_.variable(context.parent, space_.edge(context.parent, context.edge).statement.targets[0]));
      std::vector<Term> arguments;
      for (uint32_t i = 0; i < s.contract.parameters.size(); ++i) arguments.push_back(space_.variable(s.context, i));
      for (Term t : s.candidates) now.push_back(s.contract.of(store_, t, arguments, returned));
      query.push_back(store_.bnot(store_.conjunction(now)));
      solve::Result result = asking_.ask(query);
      if (result.unsat()) return true;
      std::vector<Term> left;
      if (result.sat())
        for (size_t i = 0; i < now.size(); ++i)
          if (asking_.value(now[i]) != 0) left.push_back(s.candidates[i]);
      if (left.size() == s.candidates.size() || !result.sat()) left = easier(s.candidates);  // not decided
      s.candidates = std::move(left);
      changed = true;
      publish(s);
    }
    return true;
  }

  /// Those without products of parameters, which solvers find hard; none if there are none of these.
  static std::vector<Term> easier(const std::vector<Term>& candidates) {
    std::vector<Term> easy;
    for (Term t : candidates)
      if (!has_product(t)) easy.push_back(t);
    return easy.size() < candidates.size() ? easy : std::vector<Term>();
  }
  static bool has_product(Term t) {
    if (t.op() == term::Op::Mul && !t.kid(0).is_constant() && !t.kid(1).is_constant()) return true;
    for (unsigned i = 0; i < t.arity(); ++i)
      if (has_product(t.kid(i))) return true;
    return false;
  }

  bool errors_impossible(const Subject& s) {
    for (const Block& way : s.errors) {
      if (asking_.out_of_budget()) return false;
      if (way.end == Block::End::Unknown && !space_.can_fail(way.steps.back().callee)) continue;
      if (!asking_.ask(Effect(space_, way).guards()).unsat()) return false;
    }
    return true;
  }

  Space& space_;
  const Forest& forest_;
  const Asking& asking_;
  term::Store& store_;
  Walker walker_;  ///< passes over all calls
  std::vector<Subject> subjects_;
};

}  // namespace

bool wants_contracts(const Space& space) { return !involved(space).empty(); }

bool find_contracts(Space& space, const Forest& forest, const Asking& asking) {
  return Finder(space, forest, asking).run();
}

std::vector<std::string> contract_lines(const Space& space) {
  std::vector<std::string> lines;
  for (program::FunctionId f = 0; f < space.program().functions.size(); ++f) {
    const Contract* contract = space.contract(f);
    if (!contract || contract->holds.is_true()) continue;
    std::string parameters;
    for (Term p : contract->parameters)
      parameters += (parameters.empty() ? "" : ", ") + std::string(space.terms().variable_name(p));
    lines.push_back(fmt::format("{}({}): {}", space.program().functions[f].name, parameters,
                                space.to_c(contract->holds)));
  }
  return lines;
}

}  // namespace whittle::engines::dash
