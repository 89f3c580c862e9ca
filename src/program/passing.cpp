#include "program/passing.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "program/claims.h"
#include "program/word_access.h"

namespace whittle::program {

using term::Term;
using verdict::Property;

namespace {

bool goes_on(Property property) {
  return property == Property::UnreachCall || property == Property::NoOverflow || property == Property::LockDiscipline;
}

/// What a statement accesses: bytes of memory at an address.
struct Touched {
  Term address, bytes;
};

std::vector<Touched> touched(const Program& program, const Statement& s) {
  if (accesses_word(s.kind)) return {{s.operands[0], program.terms().constant(program.pointer_width(), s.width / 8)}};
  switch (s.kind) {
    case Kind::Copy: return {{s.operands[0], s.operands[2]}, {s.operands[1], s.operands[2]}};
    case Kind::Fill: return {{s.operands[0], s.operands[2]}};
    default: return {};
  }
}

/// Makes changes to the edges of one program; new locations are added at the end.
class Editor {
 public:
  explicit Editor(Program& program) : program_(program) {}

  /// Requires: statements of models that are to be ignored come before calls of models, whose copies have them.
  void ignore(const Site& site) {
    Statement& statement = program_.functions[site.function].edges[site.edge].statement;
    switch (statement.kind) {
      case Kind::Error: return end(site);
      case Kind::Check: return pass(statement);
      case Kind::Call: {
        const FunctionId copy = without(statement.callee, site.property);  // which adds functions
        program_.functions[site.function].edges[site.edge].statement.callee = copy;
        return;
      }
      default: return guard(site);
    }
  }

 private:
  void pass(Statement& statement) {
    Statement instead;
    instead.position = statement.position;
    if (!goes_on(statement.property)) {
      instead.kind = Kind::Assume;
      instead.operands = {statement.operands[0]};
    }
    statement = std::move(instead);
  }

  void end(const Site& site) {
    Statement halt;
    halt.kind = Kind::Halt;
    halt.operands = {program_.terms().constant(32, kAborted)};
    halt.text = "abort";
    const Statement error = program_.functions[site.function].edges[site.edge].statement;
    halt.position = error.position;
    Statement first;
    first.position = halt.position;
    if (error.property == Property::UnreachCall) {
      first.kind = Kind::AtomicBegin;  // other threads may run before the end
    } else {
      first.kind = Kind::Assume;
      first.operands = {program_.terms().falsity()};
    }
    const LocationId last = add(site.function, kNone, std::move(halt));
    Edge& edge = program_.functions[site.function].edges[site.edge];
    edge.statement = std::move(first);
    edge.to = last;
  }

  /// What cannot be done is left out: writing outside of an object, freeing what cannot be freed. Before anything else: the
  /// assumption that it is defined, as far as can be asked; a value read from nowhere would only lead to more violations.
  void guard(const Site& site) {
    term::Store& terms = program_.terms();
    const Edge guarded = program_.functions[site.function].edges[site.edge];
    const Statement& s = guarded.statement;
    const Term zero = terms.constant(program_.pointer_width(), 0);
    std::vector<Statement> before;
    std::vector<Term> conditions, rooms;
    for (const auto& [address, bytes] : touched(program_, s)) {
      auto [size, offset] = ask(site.function, s, address, before);
      Term room = terms.ite(terms.ule(offset, size), terms.sub(size, offset), zero);
      rooms.push_back(room);
      conditions.push_back(terms.ule(bytes, room));
    }
    if (s.kind == Kind::HeapFree) {
      auto [size, offset] = ask(site.function, s, s.operands[0], before);
      Term start = terms.band(terms.eq(offset, zero), terms.bnot(terms.eq(size, zero)));
      conditions.push_back(terms.bor(terms.eq(s.operands[0], zero), start));
    }
    if (s.kind == Kind::IndirectCall) conditions.push_back(is_function(s.operands[0]));
    switch (s.kind) {
      case Kind::Copy:
      case Kind::Fill: {
        Edge shorter = guarded;
        for (Term room : rooms) {
          Term& bytes = shorter.statement.operands[2];
          bytes = terms.ite(terms.ule(bytes, room), bytes, room);
        }
        return insert_before(site, shorter, before);
      }
      case Kind::Store:
      case Kind::HeapFree: return insert_before(site, guarded, before, terms.conjunction(conditions));
      default: break;
    }
    before.push_back(make(s, Kind::Assume, {}, {terms.conjunction(conditions)}));
    insert_before(site, guarded, before);
  }

  /// Puts statements before the one of the edge, which is done only if `condition` holds.
  void insert_before(const Site& site, const Edge& edge, std::vector<Statement>& before, std::optional<Term> condition = {}) {
    LocationId next = add(site.function, edge.to, edge.statement);
    if (condition) {
      std::vector<Edge>& edges = program_.functions[site.function].edges;
      const auto fork = static_cast<LocationId>(program_.functions[site.function].locations.size());
      program_.functions[site.function].locations.push_back({static_cast<uint32_t>(edges.size()), 2, false});
      edges.push_back({fork, next, make(edge.statement, Kind::Assume, {}, {*condition})});
      edges.push_back({fork, edge.to, make(edge.statement, Kind::Assume, {}, {program_.terms().bnot(*condition)})});
      next = fork;
    }
    for (size_t i = before.size(); i-- > 1;) next = add(site.function, next, std::move(before[i]));
    Edge& first = program_.functions[site.function].edges[site.edge];
    first.statement = std::move(before[0]);
    first.to = next;
  }

  /// Size of the object at the address, and how far the address is from its start; adds the statements that ask.
  std::pair<Term, Term> ask(FunctionId function, const Statement& s, Term address, std::vector<Statement>& statements) {
    Term answers[2];
    const Kind kinds[2] = {Kind::ObjectSize, Kind::ObjectOffset};
    for (unsigned i = 0; i < 2; ++i) {
      RegisterId target = program_.add_register(function, program_.pointer_width());
      statements.push_back(make(s, kinds[i], {target}, {address}));
      answers[i] = program_.functions[function].registers[target].variable;
    }
    return {answers[0], answers[1]};
  }

  Term is_function(Term address) const {
    term::Store& terms = program_.terms();
    auto constant = [&](uint64_t value) { return terms.constant(program_.pointer_width(), value); };
    const uint64_t end = Program::function_address(static_cast<FunctionId>(program_.functions.size()));
    return terms.band(terms.ule(constant(layout::kFunctionBase), address), terms.ult(address, constant(end)));
  }

  static Statement make(const Statement& at, Kind kind, std::vector<RegisterId> targets, std::vector<Term> operands) {
    Statement statement;
    statement.kind = kind;
    statement.targets = std::move(targets);
    statement.operands = std::move(operands);
    statement.position = at.position;
    return statement;
  }

  /// A location with one edge.
  LocationId add(FunctionId id, LocationId to, Statement statement) {
    Function& function = program_.functions[id];
    auto location = static_cast<LocationId>(function.locations.size());
    function.locations.push_back({static_cast<uint32_t>(function.edges.size()), 1, false});
    function.edges.push_back({location, to, std::move(statement)});
    return location;
  }

  /// A copy of a model, and of the models that it calls, in which nothing violates the property; the model itself if it cannot.
  FunctionId without(FunctionId model, std::optional<Property> property) {
    std::vector<bool>& violating = violating_[property];
    if (model >= violating.size()) violating = violating_models(program_, property);
    if (!violating[model]) return model;
    auto [known, first] = copies_.try_emplace({model, property}, kNone);
    if (!first) return known->second;
    const FunctionId copy = known->second = duplicate(model, property);
    const size_t edges = program_.functions[copy].edges.size();  // more are added after them
    for (uint32_t e = 0; e < edges; ++e) {
      const Statement& s = program_.functions[copy].edges[e].statement;
      if (s.kind == Kind::Call || can_be_passed(s, property)) ignore({copy, e, property});
    }
    return copy;
  }

  FunctionId duplicate(FunctionId original, std::optional<Property> property) {
    const auto copy = static_cast<FunctionId>(program_.functions.size());
    Function function = program_.functions[original];
    if (function.source_name.empty()) function.source_name = function.name;
    function.name += fmt::format(" passing {}", property ? verdict::name(*property) : "everything");
    const std::vector<Register> registers = std::exchange(function.registers, {});
    program_.functions.push_back(std::move(function));
    std::map<uint32_t, Term> fresh;
    for (const Register& old : registers) {
      const RegisterId reg = program_.add_register(copy, old.width(), old.name, old.type);
      Register& added = program_.functions[copy].registers[reg];
      added.argument = old.argument;
      added.scope = old.scope;
      fresh[old.variable.variable()] = added.variable;
    }
    for (Edge& edge : program_.functions[copy].edges)
      for (Term& operand : edge.statement.operands)
        operand = program_.terms().substitute(operand, [&](Term variable) { return fresh.at(variable.variable()); });
    return copy;
  }

  static constexpr unsigned kAborted = 134;
  Program& program_;
  std::map<std::optional<Property>, std::vector<bool>> violating_;  ///< of the functions so far
  std::map<std::pair<FunctionId, std::optional<Property>>, FunctionId> copies_;
};

}  // namespace

bool can_be_passed(const Statement& s, std::optional<Property> property) {
  auto asked = [&](Property violated) { return !property || *property == violated; };
  switch (s.kind) {
    case Kind::Error:
    case Kind::Check: return asked(s.property);
    case Kind::HeapFree: return asked(Property::ValidFree);
    case Kind::Copy:
    case Kind::Fill:
    case Kind::IndirectCall: return asked(Property::ValidDeref);
    default: return accesses_word(s.kind) && asked(Property::ValidDeref);
  }
}

bool ends_runs(const Statement& s) {
  switch (s.kind) {
    case Kind::Error:  // an assertion that failed ends the program in any case
    case Kind::Check: return !goes_on(s.property);
    case Kind::Copy:
    case Kind::Fill:
    case Kind::Store:
    case Kind::HeapFree: return false;
    default: return true;
  }
}

std::vector<bool> violating_models(const Program& program, std::optional<Property> property) {
  std::vector<bool> violating(program.functions.size(), false);
  auto can_violate = [&](const Edge& edge) {
    const Statement& s = edge.statement;
    return s.kind == Kind::Call ? violating[s.callee] : can_be_passed(s, property);
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (FunctionId f = 0; f < program.functions.size(); ++f) {
      const Function& function = program.functions[f];
      if (!function.runtime || violating[f] || !std::ranges::any_of(function.edges, can_violate)) continue;
      violating[f] = changed = true;
    }
  }
  return violating;
}

Program ignoring(const Program& program, const std::vector<Site>& sites) {
  Program copy = program.clone();
  Editor editor(copy);
  for (const bool calls : {false, true})
    for (const Site& site : sites)
      if (calls == (program.functions[site.function].edges[site.edge].statement.kind == Kind::Call)) editor.ignore(site);
  copy.validate();
  return copy;
}

}  // namespace whittle::program
