// The checker: regions cover, claims hold, no error can be reached from where runs can be.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <unordered_set>

#include "base/error.h"
#include "program/analysis/graph.h"
#include "proof/facts.h"
#include "proof/path.h"
#include "proof/proof.h"
#include "proof/simplify.h"
#include "proof/paths.h"
#include "proof/states.h"
#include "proof/threads.h"
#include "solve/boxes.h"
#include "solve/in_turn.h"
#include "solve/sampled.h"
#include "term/stride.h"

namespace whittle::proof {

using verdict::Property;

namespace {

class FunctionChecker {
 public:
  FunctionChecker(const Proof& proof, uint32_t index, const program::Program& program,
                  const verdict::Specification& specification, const ProgramFacts& facts, Limits& limits,
                  Outcome& outcome)
      : proof_(proof),
        index_(index),
        scope_(proof.functions[index]),
        is_entry_(index == proof.entry),
        program_(program),
        specification_(specification),
        function_(program.functions[scope_.function]),
        facts_(facts),
        limits_(limits),
        outcome_(outcome),
        store_(program.terms()) {}

  bool run() {
    cut_.assign(function_.locations.size(), false);
    for (const Region& r : scope_.regions) cut_[r.location] = true;
    if (!cycles_are_cut() || !regions_cover()) return false;
    find_reachable();
    if (!follow_from(kStart)) return false;
    for (uint32_t r = 0; r < scope_.regions.size(); ++r)
      if (reachable_[r] && !follow_from(r)) return false;
    return true;
  }

 private:
  bool fail(std::string reason) {
    if (!outcome_.reason.empty()) return false;
    outcome_.reason = fmt::format("{}: {}", function_.name, reason);
    outcome_.decided = doubt_.empty();
    return false;
  }

  std::string describe(uint32_t region) const {
    if (region == kStart) return "the start";
    const program::LocationId l = scope_.regions[region].location;
    std::string where;
    if (function_.locations[l].edge_count > 0)
      where = program_.where(function_.edges[function_.locations[l].first_edge].statement.position);
    return fmt::format("region {} (location {}, {})", region, l, where);
  }

  /// Is there no cycle through locations without regions only?
  bool cycles_are_cut() {
    enum : uint8_t { New, Open, Done };
    std::vector<uint8_t> colour(function_.locations.size(), New);
    std::vector<std::pair<program::LocationId, uint32_t>> stack;
    for (program::LocationId root = 0; root < function_.locations.size(); ++root) {
      if (colour[root] != New || cut_[root]) continue;
      stack.emplace_back(root, 0);
      colour[root] = Open;
      while (!stack.empty()) {
        auto& [l, next] = stack.back();
        const program::Location& location = function_.locations[l];
        if (next == location.edge_count) {
          colour[l] = Done;
          stack.pop_back();
          continue;
        }
        program::LocationId to = function_.edges[location.first_edge + next++].to;
        if (to == program::kNone || cut_[to] || colour[to] == Done) continue;
        if (colour[to] == Open) return fail(fmt::format("location {} is on a cycle without regions", to));
        colour[to] = Open;
        stack.emplace_back(to, 0);
      }
    }
    return true;
  }

  bool regions_cover() {
    std::vector<Term> outside(function_.locations.size());
    for (const Region& r : scope_.regions) {
      Term& o = outside[r.location];
      Term negated = store_.bnot(r.predicate);
      o = o ? store_.band(o, negated) : negated;
    }
    for (program::LocationId l = 0; l < outside.size(); ++l) {
      if (!outside[l] || outside[l].is_false()) continue;
      MemoryWorld world(program_);
      Paths paths(program_, specification_, facts_, proof_, index_, world);
      PathState anything = paths.begin(l, false);
      if (!impossible(world, anything, {paths.hold(outside[l], anything)}))
        return fail(fmt::format("the regions of location {} do not cover all states", l) + doubt_);
    }
    return true;
  }

  void find_reachable() {
    std::set<std::pair<uint32_t, uint32_t>> claims;
    for (const Impossible& i : scope_.impossible) claims.emplace(i.from, i.to);
    reachable_.assign(scope_.regions.size(), false);
    std::vector<uint32_t> todo{kStart};
    while (!todo.empty()) {
      const uint32_t from = todo.back();
      todo.pop_back();
      std::vector<bool> next = next_cuts(from);
      for (uint32_t to = 0; to < scope_.regions.size(); ++to) {
        if (reachable_[to] || !next[scope_.regions[to].location] || claims.contains({from, to})) continue;
        reachable_[to] = true;
        todo.push_back(to);
      }
    }
  }

  /// Cut points that come next.
  std::vector<bool> next_cuts(uint32_t from) const {
    std::vector<bool> seen(function_.locations.size()), next(function_.locations.size());
    std::vector<program::LocationId> todo;
    auto visit = [&](program::LocationId l) {
      if (cut_[l])
        next[l] = true;
      else if (!seen[l])
        seen[l] = true, todo.push_back(l);
    };
    auto leave = [&](program::LocationId l) {
      const program::Location& location = function_.locations[l];
      for (uint32_t i = 0; i < location.edge_count; ++i)
        if (program::LocationId to = function_.edges[location.first_edge + i].to; to != program::kNone) visit(to);
    };
    if (from == kStart)
      visit(function_.entry);
    else
      leave(scope_.regions[from].location);
    while (!todo.empty()) {
      program::LocationId l = todo.back();
      todo.pop_back();
      leave(l);
    }
    return next;
  }

  /// If the region says that registers lie in one of a few places, each place is looked at on its own.
  bool follow_from(uint32_t from) {
    const Term known = from == kStart ? scope_.requires_ : scope_.regions[from].predicate;
    std::vector<std::vector<Term>> cases{{}};
    std::vector<Term> parts;
    conjuncts(known, parts);
    constexpr size_t kCases = 8;
    for (Term part : parts) {
      const std::vector<Term> places = places_of(part);
      if (places.empty() || cases.size() * places.size() > kCases) continue;
      std::vector<std::vector<Term>> more;
      for (const std::vector<Term>& one : cases)
        for (Term place : places) {
          more.push_back(one);
          more.back().push_back(place);
        }
      cases = std::move(more);
    }
    return std::all_of(cases.begin(), cases.end(), [&](const auto& one) { return follow_case(from, known, one); });
  }

  /// Of a condition that a variable has one of several addresses: that it has the first, the second, ...
  std::vector<Term> places_of(Term t) const {
    std::vector<Term> places, todo{t};
    Term variable;
    if (t.op() != term::Op::Or) return {};
    while (!todo.empty()) {
      Term part = todo.back();
      todo.pop_back();
      if (part.op() == term::Op::Or) {
        todo.push_back(part.kid(0));
        todo.push_back(part.kid(1));
        continue;
      }
      if (part.op() != term::Op::Eq || part.kid(0).width() != program_.pointer_width()) return {};
      auto own = [&](Term v) { return v.is_variable() && program_.register_of(v).function == scope_.function; };
      const unsigned side = own(part.kid(0)) ? 0 : 1;
      if (!own(part.kid(side))) return {};
      if (variable && variable != part.kid(side)) return {};
      variable = part.kid(side);
      places.push_back(part);
    }
    return places;
  }

  bool follow_case(uint32_t from, Term known, const std::vector<Term>& places) {
    MemoryWorld world(program_);
    Paths paths(program_, specification_, facts_, proof_, index_, world);
    const bool at_start = from == kStart;
    PathState state = paths.begin(at_start ? function_.entry : scope_.regions[from].location, at_start && is_entry_);
    paths.adopt(known, state);
    for (Term place : places) paths.adopt(place, state);
    if (at_start)
      for (Term body : scope_.requires_all) paths.assume_for_all(body, state);
    else
      for (const ForAll& fact : scope_.elements)
        if (fact.location == state.location) paths.assume_for_all(fact.body, state);
    state.conditions.push_back(paths.hold(known, state));
    for (Term place : places) state.conditions.push_back(paths.hold(place, state));
    PathEvents events;
    events.possible = [&](const PathState& s) { return !impossible(world, s, s.conditions); };
    events.danger = [&](const PathState& s, Term condition, uint32_t edge, const std::string& what) {
      std::vector<Term> conditions = s.conditions;
      conditions.push_back(condition);
      const bool blind = paths.knows_too_little;
      if (impossible(world, s, conditions)) return true;
      if (blind && doubt_.empty()) doubt_ = " (not all objects that may be there are known)";
      return fail(fmt::format("{} leads to {} at {}", describe(from), what,
                              program_.where(function_.edges[edge].statement.position)) +
                  doubt_);
    };
    events.arrived = [&](const PathState& s) { return arrived(paths, world, from, s); };
    events.returned = [&](const PathState& s, Term value, uint32_t edge) {
      PathState after = s;
      paths.end_frame(after);
      Term any;
      auto then = [&](Term t) {
        return store_.substitute(
            t,
            [&](Term variable) {
              if (any && variable == scope_.element) return any;
              return variable == scope_.result ? value : paths.of_object(variable, after);
            },
            [&](Term read) { return s.memory.read(read.kid(0), read.width()); });
      };
      Term ensures = then(scope_.ensures);
      for (Term body : scope_.ensures_all) {
        any = store_.variable(program_.pointer_width(), "any");
        ensures = store_.band(ensures, then(body));
      }
      std::vector<Term> conditions = s.conditions;
      conditions.push_back(store_.bnot(ensures));
      return impossible(world, s, conditions) ||
             fail(fmt::format("{} returns at {} without what is ensured", describe(from),
                              program_.where(function_.edges[edge].statement.position)) +
                  doubt_);
    };
    if (at_start && cut_[function_.entry]) return arrived(paths, world, from, state);
    if (paths.follow(std::move(state), cut_, events)) return true;
    if (!paths.problem.empty()) doubt_ = paths.problem;  // it was not followed, so nothing is decided
    return paths.problem.empty() ? false : fail(paths.problem);
  }

  bool arrived(Paths& paths, MemoryWorld& world, uint32_t from, const PathState& state) {
    std::vector<uint32_t> targets;
    Term any = store_.falsity();
    for (uint32_t to = 0; to < scope_.regions.size(); ++to) {
      if (scope_.regions[to].location != state.location || reachable_[to]) continue;
      targets.push_back(to);
      any = store_.bor(any, paths.hold(scope_.regions[to].predicate, state));
    }
    std::vector<Term> conditions = state.conditions;
    const Term element = store_.variable(program_.pointer_width(), "any");
    for (const ForAll& fact : scope_.elements)
      if (fact.location == state.location)
        any = store_.bor(any, store_.bnot(paths.hold_of(fact.body, element, state)));
    conditions.push_back(any);
    if (impossible(world, state, conditions)) return true;
    for (uint32_t to : targets) {
      conditions.back() = paths.hold(scope_.regions[to].predicate, state);
      if (!impossible(world, state, conditions))
        return fail(fmt::format("the step from {} to {} is possible", describe(from), describe(to)) + doubt_);
    }
    for (const ForAll& fact : scope_.elements) {
      if (fact.location != state.location) continue;
      conditions.back() = store_.bnot(paths.hold_of(fact.body, element, state));
      if (!impossible(world, state, conditions))
        return fail(fmt::format("a step from {} does not keep what holds for all elements at location {}",
                                describe(from), state.location) +
                    doubt_);
    }
    return true;
  }

  /// What is known for all elements, of those that are read.
  void add_instances(const MemoryWorld& world, const PathState& state, std::vector<Term>& conditions) {
    constexpr size_t kMost = 120;
    constexpr int kRounds = 6;
    if (state.known.empty()) return;
    std::set<std::pair<size_t, uint32_t>> made;
    std::vector<std::vector<term::Stride>> strides;
    // Of all that was ever read, what these conditions are about.
    auto mentioned = variables_of(conditions);
    auto matters = [&](Term address) {
      for (uint32_t epoch = 0; epoch < world.epochs(); ++epoch)
        if (Term byte = world.known_byte(epoch, address); byte && mentioned.contains(byte)) return true;
      return false;
    };
    for (const PathState::ForAll& known : state.known) strides.push_back(term::strides(store_, known.body, known.element));
    for (int round = 0; round < kRounds; ++round) {
      const size_t conditions_before = conditions.size();
      for (size_t r = world.readings().size(); r-- > 0;) {
        if (!matters(world.readings()[r].address)) continue;
        for (size_t k = 0; k < strides.size(); ++k)
          for (const term::Stride& stride : strides[k]) {
            const auto reading = world.readings()[r];
            if (reading.width != stride.width || made.size() >= kMost) continue;
            if (apart(reading.address, stride.base)) continue;
            const Term number = term::quotient(store_, store_.sub(reading.address, stride.base), stride.scale);
            if (!made.insert({k, number.id()}).second) continue;
            conditions.push_back(store_.substitute(
                state.known[k].body, [&](Term v) { return v == state.known[k].element ? number : Term(); },
                [&](Term read) { return state.known[k].memory.read(read.kid(0), read.width()); }));
          }
      }
      if (conditions.size() == conditions_before) return;
      for (size_t i = conditions_before; i < conditions.size(); ++i)
        for (Term v : term::variables(conditions[i])) mentioned.insert(v);
    }
  }

  static std::unordered_set<Term> variables_of(const std::vector<Term>& conditions) {
    std::unordered_set<Term> found;
    for (Term c : conditions)
      for (Term v : term::variables(c)) found.insert(v);
    return found;
  }

  /// Are these sums that begin in different objects? Then nothing is to be learned.
  bool apart(Term a, Term b) const {
    auto root = [&](Term t) -> std::pair<Term, uint64_t> {
      for (Term v : term::variables(t))
        for (const Object& o : proof_.objects)
          if (o.address == v) return {v, 0};
      if (auto o = program_.object_at(static_cast<uint64_t>(term::constant_part(t)))) return {Term(), *o + 1};
      return {};
    };
    const auto x = root(a), y = root(b);
    return (x.first || x.second != 0) && (y.first || y.second != 0) && x != y;
  }

  /// Do the conditions contradict each other? If that cannot be decided they do not, and `doubt_` says why.
  bool impossible(const MemoryWorld& world, const PathState& state, std::vector<Term> conditions) {
    doubt_.clear();
    for (Term c : conditions)
      if (c.is_false()) return true;
    add_instances(world, state, conditions);
    std::erase_if(conditions, [](Term c) { return c.is_true(); });
    if (conditions.empty()) return false;
    if (limits_.poll_now() != Stop::No) {
      doubt_ = " (" + to_string(limits_.stopped()) + ")";
      return false;
    }
    ++outcome_.obligations;
    // Mostly it is impossible already without asking a solver about all pairs of objects, or about bytes that are the
    // same by chance of their addresses. What is left out can only make more possible.
    std::vector<Term> axioms = object_axioms(conditions);
    conditions.insert(conditions.end(), axioms.begin(), axioms.end());
    simplify_together(store_, conditions);
    if (std::any_of(conditions.begin(), conditions.end(), [](Term c) { return c.is_false(); })) return true;
    if (!axioms.empty() && state.known.empty()) {
      std::vector<Term> parts;
      for (Term axiom : axioms) conjuncts(axiom, parts);
      const std::unordered_set<Term> left_out(parts.begin(), parts.end());
      std::vector<Term> fewer = conditions;
      std::erase_if(fewer, [&](Term c) { return left_out.contains(c); });
      if (!fewer.empty() && decide(fewer)) return true;
    }
    if (state.known.empty() ? decide(conditions) : decide_within_objects(world, conditions)) return true;
    const std::vector<Term> consistency = world.consistency(variables_of(conditions));
    if (consistency.empty()) return false;
    conditions.insert(conditions.end(), consistency.begin(), consistency.end());
    simplify_together(store_, conditions);
    if (std::any_of(conditions.begin(), conditions.end(), [](Term c) { return c.is_false(); })) return true;
    return decide(conditions);
  }

  /// The same where no byte of one object is a byte of another: mostly nothing else is needed of elements.
  bool decide_within_objects(const MemoryWorld& world, std::vector<Term> conditions) {
    const std::vector<Term> consistency =
        world.consistency(variables_of(conditions), [&](Term a, Term b) { return apart(a, b); });
    conditions.insert(conditions.end(), consistency.begin(), consistency.end());
    simplify_together(store_, conditions);
    return std::any_of(conditions.begin(), conditions.end(), [](Term c) { return c.is_false(); }) || decide(conditions);
  }

  static void conjuncts(Term t, std::vector<Term>& parts) {
    if (t.op() != term::Op::And) return parts.push_back(t);
    conjuncts(t.kid(0), parts);
    conjuncts(t.kid(1), parts);
  }

  /// The same of conditions that are complete, by a solver.
  bool decide(const std::vector<Term>& conditions) {
    doubt_.clear();
    if (limits_.poll_now() != Stop::No) {
      doubt_ = " (" + to_string(limits_.stopped()) + ")";
      return false;
    }
    if (!solver_ || ++checks_ % 100 == 0) {
      std::shared_ptr<solve::Solver> bits = solve::make_boxes(store_, solve::make_cvc5(store_));
      solver_ = solve::make_sampled(store_,
                                    solve::make_in_turn({{solve::make_cvc5_linear(store_), 5, false, 0, 0, true},
                                                         {bits, 1},
                                                         {solve::make_cvc5_on_integers(store_), 5, false},
                                                         {bits, 60}}),
                                    kAskedTwice);
    }
    solver_->set_budget({.seconds = std::min(60.0, limits_.remaining())});
    solver_->push();
    for (Term c : conditions) solver_->add(c);
    solve::Result result = solver_->check();
    solver_->pop();
    if (result.unknown()) doubt_ = fmt::format(" (could not be decided: {})", result.reason);
    return result.unsat();
  }

  /// Objects that the conditions mention lie apart, among dynamic objects.
  std::vector<Term> object_axioms(const std::vector<Term>& conditions) const {
    std::vector<Term> axioms;
    if (proof_.objects.empty()) return axioms;
    std::unordered_set<Term> mentioned;
    for (Term c : conditions)
      for (Term v : term::variables(c)) mentioned.insert(v);
    std::vector<std::pair<Term, Term>> others;
    for (const Object& o : proof_.objects) {
      if (!mentioned.contains(o.address)) continue;
      const unsigned w = o.address.width();
      const Term end = store_.add(o.address, store_.constant(w, o.room));
      axioms.push_back(store_.ule(store_.constant(w, program::layout::kDynamicBase), o.address));
      axioms.push_back(store_.ule(o.address, end));
      if (w > 32) axioms.push_back(store_.ule(end, store_.constant(w, uint64_t{1} << 32)));
      const uint64_t align = alignment(program_, proof_, o);
      if (align > 1)
        axioms.push_back(store_.eq(store_.band(o.address, store_.constant(w, align - 1u)), store_.constant(w, 0)));
      const Term room = store_.constant(w, o.room);
      for (const auto& [address, size] : others) axioms.push_back(disjoint(store_, o.address, room, address, size));
      others.emplace_back(o.address, room);
    }
    return axioms;
  }

  const Proof& proof_;
  uint32_t index_;
  const FunctionProof& scope_;
  bool is_entry_;
  const program::Program& program_;
  const verdict::Specification& specification_;
  const program::Function& function_;
  const ProgramFacts& facts_;
  Limits& limits_;
  Outcome& outcome_;
  term::Store& store_;
  std::vector<bool> cut_;
  std::vector<bool> reachable_;
  std::unique_ptr<solve::Solver> solver_;
  uint64_t checks_ = 0;
  std::string doubt_;
};

std::string malformed_objects(const Proof& proof, const program::Program& program) {
  std::set<std::pair<uint32_t, uint32_t>> makers;
  std::unordered_set<Term> addresses;
  // With that for alignment. All of it must fit, or the axioms on objects contradict each other; and what is left must be
  // enough for whatever else is made, or a room that is larger than its object would say how large others are.
  uint64_t room = 0;
  constexpr uint64_t kMostRoom = uint64_t{1} << 28, kMostAlign = 256;
  for (const Object& o : proof.objects) {
    if (o.proof >= proof.functions.size()) return "an object that no one makes";
    const program::Function& function = program.functions[proof.functions[o.proof].function];
    if (o.edge >= function.edges.size()) return "an object made on no edge";
    const program::Statement& s = function.edges[o.edge].statement;
    if (s.kind != program::Kind::StackAlloc && s.kind != program::Kind::HeapAlloc) return "an object that is not made";
    if (o.room == 0 || o.room >= program::layout::kDynamicBase) return "an object without a size";
    room += o.room + kMostAlign;
    if (room > kMostRoom) return "objects that do not fit into memory";
    if (!o.address.is_variable() || o.address.width() != program.pointer_width() ||
        program.register_of(o.address).function != program::kNone)
      return "an object whose address is no variable";
    for (Term t : {o.there, o.size})
      if (t && (!t.is_variable() || program.register_of(t).function != program::kNone || !addresses.insert(t).second))
        return "an object of which something is known that is no variable";
    if ((o.there && o.there.width() != 1) || (o.size && o.size.width() != program.pointer_width()))
      return "an object of which something is known that is too wide";
    if (!makers.insert({o.proof, o.edge}).second || !addresses.insert(o.address).second)
      return "two objects that are one";
  }
  if (proof.objects.empty()) return "";
  for (const FunctionProof& f : proof.functions)
    for (size_t i = 0; i < f.calls.size(); ++i) {
      for (size_t j = 0; j < i; ++j)
        if (f.calls[j].edge == f.calls[i].edge) return "two entries of one call";
      std::set<program::FunctionId> callees;  // an object must not get two names
      for (const Use& use : f.calls[i].uses)
        if (!callees.insert(proof.functions[use.proof].function).second)
          return "a call that is described twice, in a proof that is about objects";
    }
  return "";
}

/// Objects keep their addresses forever, so none may be made again while it is there. An object on the heap must be
/// made once in a run. One on the stack ends with its function: that must not call itself, and no pointer to the object
/// may be kept anywhere until the next one is made. Answers what is wrong, or nothing.
std::string made_again(const Proof& proof, const program::Program& program, const ProgramFacts& facts) {
  if (proof.objects.empty()) return "";
  auto on_cycle = [&](program::FunctionId f, program::LocationId l) {
    const program::analysis::Digraph graph = program::analysis::flow_graph(program.functions[f]);
    std::vector<bool> seen(graph.size());
    std::vector<uint32_t> todo{l};
    while (!todo.empty()) {
      const uint32_t at = todo.back();
      todo.pop_back();
      for (uint32_t next : graph.successors[at]) {
        if (next == l) return true;
        if (!seen[next]) seen[next] = true, todo.push_back(next);
      }
    }
    return false;
  };
  struct User {
    uint32_t proof, edge;
  };
  std::vector<std::vector<User>> users(proof.functions.size());
  for (uint32_t p = 0; p < proof.functions.size(); ++p)
    for (const CallSite& call : proof.functions[p].calls)
      for (const Use& use : call.uses) users[use.proof].push_back({p, call.edge});
  // Calls described by this proof: at most one in a run?
  auto once = [&](uint32_t p) {
    for (size_t steps = 0; p != proof.entry; ++steps) {
      if (users[p].size() > 1 || steps > proof.functions.size()) return false;
      if (users[p].empty()) return true;
      const User& user = users[p][0];
      const program::FunctionId f = proof.functions[user.proof].function;
      if (on_cycle(f, program.functions[f].edges[user.edge].from)) return false;
      p = user.proof;
    }
    return true;
  };
  auto calls_itself = [&](uint32_t p) {
    std::vector<bool> seen(proof.functions.size());
    std::vector<uint32_t> todo{p};
    while (!todo.empty()) {
      const uint32_t at = todo.back();
      todo.pop_back();
      for (const User& user : users[at]) {
        if (user.proof == p) return true;
        if (!seen[user.proof]) seen[user.proof] = true, todo.push_back(user.proof);
      }
    }
    return false;
  };
  const program::analysis::Places& places = facts.points().places();
  auto kept = [&](program::FunctionId f, uint32_t edge) {
    const program::analysis::PlaceId own = places.of_site(f, edge);
    for (program::analysis::PlaceId p = 0; p < places.objects(); ++p)
      if (p != own && places.contains(facts.points().contents(p), own)) return true;
    for (const program::Edge& e : program.functions[f].edges)
      if (e.statement.kind == program::Kind::Return && !e.statement.operands.empty() &&
          places.contains(facts.points().pointees(e.statement.operands[0]), own))
        return true;
    return false;
  };
  for (const Object& o : proof.objects) {
    const program::FunctionId f = proof.functions[o.proof].function;
    const program::Edge& edge = program.functions[f].edges[o.edge];
    const bool again = on_cycle(f, edge.from);
    const bool fine = edge.statement.kind == program::Kind::HeapAlloc
                          ? !again && once(o.proof)
                          : !again && !calls_itself(o.proof) && (once(o.proof) || !kept(f, o.edge));
    if (!fine)
      return fmt::format("{}: the object made at {} may be made again while something points to it",
                         program.functions[f].name, program.where(edge.statement.position));
  }
  return "";
}

/// Nothing that the checker relies on may be out of range. Answers what is wrong, or nothing.
std::string malformed(const Proof& proof, const program::Program& program) {
  if (proof.entry >= proof.functions.size()) return "the proof of the program's entry is missing";
  if (proof.functions[proof.entry].function != program.entry) return "the entry is another function";
  if (!proof.functions[proof.entry].requires_.is_true()) return "the entry requires something";
  if (!proof.functions[proof.entry].ghosts.empty()) return "the entry has ghosts";
  if (!proof.functions[proof.entry].requires_all.empty()) return "the entry requires something of all elements";
  auto is_object = [&](Term v) {
    return std::any_of(proof.objects.begin(), proof.objects.end(),
                       [&](const Object& o) { return o.address == v || o.there == v || o.size == v; });
  };
  for (const FunctionProof& f : proof.functions) {
    const program::Function& function = program.functions[f.function];
    auto only = [&](Term t, bool parameters, bool registers, bool result, bool element = false) {
      std::vector<Term> variables = term::variables(t);
      for (Term read : term::reads(t))
        for (Term v : term::variables(read.kid(0))) variables.push_back(v);
      return std::all_of(variables.begin(), variables.end(), [&](Term v) {
        if (std::find(f.ghosts.begin(), f.ghosts.end(), v) != f.ghosts.end()) return true;
        if (v == f.result) return result;
        if (v == f.element) return element;
        if (is_object(v)) return true;
        program::Program::RegisterRef ref = program.register_of(v);
        return ref.function == f.function && (registers || (parameters && ref.reg < function.parameter_count));
      });
    };
    for (Term ghost : f.ghosts)
      if (program.register_of(ghost).function != program::kNone || ghost == f.result || is_object(ghost))
        return "a ghost that is a register";
    if (f.result && is_object(f.result)) return "a result that is an object";
    if (f.result &&
        (f.result.width() != function.return_width || program.register_of(f.result).function != program::kNone))
      return "a result that is none";
    if (!only(f.requires_, true, false, false)) return "a requirement over more than parameters and ghosts";
    if (!only(f.ensures, false, false, true)) return "an assurance over more than the result and ghosts";
    if (f.element && (f.element.width() != program.pointer_width() || !f.element.is_variable() ||
                      program.register_of(f.element).function != program::kNone || f.element == f.result ||
                      is_object(f.element) || std::find(f.ghosts.begin(), f.ghosts.end(), f.element) != f.ghosts.end()))
      return "an element that is none";
    if (!f.element && !(f.elements.empty() && f.requires_all.empty() && f.ensures_all.empty()))
      return "something about all elements without one";
    for (Term t : f.requires_all)
      if (!only(t, true, false, false, true)) return "a requirement over more than parameters, ghosts and elements";
    for (Term t : f.ensures_all)
      if (!only(t, false, false, true, true)) return "an assurance over more than the result, ghosts and elements";
    for (const ForAll& fact : f.elements) {
      if (!only(fact.body, true, true, false, true)) return "a fact over more than registers, ghosts and elements";
      if (std::none_of(f.regions.begin(), f.regions.end(),
                       [&](const Region& r) { return r.location == fact.location; }))
        return "a fact about elements where no region is";
    }
    for (const Region& r : f.regions) {
      if (r.location >= function.locations.size()) return "a region of no location";
      if (!only(r.predicate, true, true, false)) return "a predicate over more than registers and ghosts";
    }
    for (const Impossible& i : f.impossible)
      if ((i.from != kStart && i.from >= f.regions.size()) || i.to >= f.regions.size())
        return "a step between no regions";
    for (const CallSite& call : f.calls) {
      if (call.edge >= function.edges.size()) return "a call on no edge";
      for (const Use& use : call.uses) {
        if (use.proof >= proof.functions.size()) return "the use of no proof";
        if (use.proof == proof.entry) return "the proof of the program's start stands for a call";
        const FunctionProof& other = proof.functions[use.proof];
        if (use.ghosts.size() != other.ghosts.size()) return "a wrong number of ghosts";
        for (size_t i = 0; i < use.ghosts.size(); ++i)
          if (use.ghosts[i].width() != other.ghosts[i].width() || !only(use.ghosts[i], true, true, false))
            return "a ghost that does not fit";
      }
    }
  }
  return malformed_objects(proof, program);
}

/// Its only run goes through finitely many states.
Outcome check_run(const program::Program& program, const verdict::Specification& specification, Limits& limits,
                  const Progressed& progressed) {
  StateSpace found;
  return check_states(program, specification, limits, found, [&](const StateSpace& now) {
    if (progressed) progressed(now.states, 0, "states");
  });
}

Outcome check_space(const Proof& proof, const program::Program& program, const verdict::Specification& specification,
                    Limits& limits, const Progressed& progressed) {
  StateSpace found;
  const auto go = proof.kind == Proof::Kind::States ? check_states : check_paths;
  Outcome outcome = go(program, specification, limits, found, [&](const StateSpace& now) {
    if (progressed) progressed(now.states, proof.space.states, "states");
  });
  compare(found, proof.space, outcome);
  return outcome;
}

}  // namespace

Outcome check(const Proof& proof, const program::Program& program, const verdict::Specification& specification,
              Limits& limits, const Progressed& progressed) {
  if (specification.properties.empty()) return {false, true, "it proves no property"};
  if (specification.has(Property::Termination) || specification.has(Property::Ctl))
    return {false, true, "proofs of termination and of formulas are not known"};
  if (proof.kind == Proof::Kind::Run) return check_run(program, specification, limits, progressed);
  if (proof.kind == Proof::Kind::States || proof.kind == Proof::Kind::Paths) return check_space(proof, program, specification, limits, progressed);
  if (proof.kind == Proof::Kind::Threads) return check_threads(proof, program, specification, limits, progressed);
  if (std::string problem = malformed(proof, program); !problem.empty()) return {false, true, "malformed: " + problem};
  if (specification.has(Property::ValidMemtrack) || specification.has(Property::ValidMemcleanup))
    for (const program::Function& f : program.functions)
      for (const program::Edge& e : f.edges)
        if (e.statement.kind == program::Kind::HeapAlloc)
          return {false, false, "lost memory is not looked at in proofs by regions"};
  ProgramFacts facts(program, specification);
  Outcome outcome;
  outcome.reason = made_again(proof, program, facts);
  outcome.decided = outcome.reason.empty();
  if (!outcome.decided) return outcome;
  for (uint32_t i = 0; i < proof.functions.size(); ++i) {
    if (progressed) progressed(i, proof.functions.size(), "entries");
    if (!FunctionChecker(proof, i, program, specification, facts, limits, outcome).run()) return outcome;
  }
  outcome.valid = true;
  return outcome;
}

}  // namespace whittle::proof
