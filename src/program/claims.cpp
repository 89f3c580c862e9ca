#include "program/claims.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <tuple>

namespace whittle::program {

using term::Term;
using verdict::Property;

namespace {

bool asserts(const Statement& statement) {
  return (statement.kind == Kind::Error || statement.kind == Kind::Check) && statement.property == Property::UnreachCall;
}

/// A memory access at one address, which ignoring() can guard.
bool accesses(const Statement& statement) {
  switch (statement.kind) {
    case Kind::Load:
    case Kind::Store:
    case Kind::AtomicRmw:
    case Kind::AtomicCas: return true;
    default: return false;
  }
}

bool can_violate(const Statement& statement, Property property) {
  if (statement.kind == Kind::Error || statement.kind == Kind::Check) return statement.property == property;
  return property == Property::ValidDeref && accesses(statement);
}

struct Place {
  std::string_view file;
  uint32_t line = 0, column = 0;  ///< 0: any
};

/// Numbers from the end: a file's name may have colons.
Place parse(std::string_view text) {
  uint32_t numbers[2] = {0, 0};
  unsigned count = 0;
  while (count < 2) {
    size_t colon = text.rfind(':');
    if (colon == std::string_view::npos) break;
    uint32_t value = 0;
    const char* end = text.data() + text.size();
    auto [rest, error] = std::from_chars(text.data() + colon + 1, end, value);
    if (error != std::errc() || rest != end) break;
    numbers[count++] = value;
    text = text.substr(0, colon);
  }
  if (count == 2) return {text, numbers[1], numbers[0]};
  return {text, numbers[0], 0};
}

bool names(std::string_view file, std::string_view name) {
  if (file == name) return true;
  return file.ends_with(name) && file[file.size() - name.size() - 1] == '/';
}

/// Makes changes to the edges of one program; new locations are added at the end.
class Editor {
 public:
  explicit Editor(Program& program) : program_(program) {}

  void ignore(const Site& site) {
    Statement& statement = program_.functions[site.function].edges[site.edge].statement;
    if (statement.kind == Kind::Error) return end(site);
    if (statement.kind == Kind::Check) return pass(statement);
    if (accesses(statement)) guard(site);
  }

 private:
  static bool goes_on(Property property) {
    return property == Property::UnreachCall || property == Property::NoOverflow || property == Property::LockDiscipline;
  }

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

  /// Before the access: size and offset of the object, and the assumption that the access is inside.
  void guard(const Site& site) {
    term::Store& terms = program_.terms();
    const unsigned pointer = program_.pointer_width();
    Edge access = program_.functions[site.function].edges[site.edge];
    RegisterId size = program_.add_register(site.function, pointer), offset = program_.add_register(site.function, pointer);
    auto var = [&](RegisterId reg) { return program_.functions[site.function].registers[reg].variable; };
    Term bytes = terms.constant(pointer, access.statement.width / 8);
    Term inside = terms.band(terms.ule(bytes, var(size)), terms.ule(var(offset), terms.sub(var(size), bytes)));
    auto make = [&](Kind kind, std::vector<RegisterId> targets, std::vector<Term> operands) {
      Statement statement;
      statement.kind = kind;
      statement.targets = std::move(targets);
      statement.operands = std::move(operands);
      statement.position = access.statement.position;
      return statement;
    };
    Term address = access.statement.operands[0];
    LocationId last = add(site.function, access.to, access.statement);
    LocationId assumed = add(site.function, last, make(Kind::Assume, {}, {inside}));
    LocationId measured = add(site.function, assumed, make(Kind::ObjectOffset, {offset}, {address}));
    Edge& edge = program_.functions[site.function].edges[site.edge];
    edge.statement = make(Kind::ObjectSize, {size}, {address});
    edge.to = measured;
  }

  /// A location with one edge.
  LocationId add(FunctionId id, LocationId to, Statement statement) {
    Function& function = program_.functions[id];
    auto location = static_cast<LocationId>(function.locations.size());
    function.locations.push_back({static_cast<uint32_t>(function.edges.size()), 1, false});
    function.edges.push_back({location, to, std::move(statement)});
    return location;
  }

  static constexpr unsigned kAborted = 134;
  Program& program_;
};

/// What is asserted, in words that say nothing of how it went.
std::string named(std::string_view message) {
  constexpr std::string_view kFailed = " failed", kCalled = " is called";
  if (message.ends_with(kFailed)) return std::string(message.substr(0, message.size() - kFailed.size()));
  if (message.ends_with(kCalled)) return fmt::format("call of {}", message.substr(0, message.size() - kCalled.size()));
  return message.empty() ? "assertion" : std::string(message);
}

template <typename Wanted>
std::vector<Site> select(const Program& program, bool runtime, Wanted wanted) {
  std::vector<Site> found;
  for (FunctionId f = 0; f < program.functions.size(); ++f) {
    if (program.functions[f].runtime && !runtime) continue;
    const std::vector<Edge>& edges = program.functions[f].edges;
    for (uint32_t e = 0; e < edges.size(); ++e)
      if (wanted(edges[e].statement)) found.push_back({f, e});
  }
  return found;
}

}  // namespace

std::vector<Assertion> assertions(const Program& program) {
  using Key = std::tuple<uint32_t, uint32_t, uint32_t, std::string>;
  std::map<Key, Assertion> found;
  for (const Site& site : select(program, false, asserts)) {
    const Statement& statement = program.functions[site.function].edges[site.edge].statement;
    const SourcePosition& at = statement.position;
    Assertion& one = found[{at.file, at.line, at.column, statement.text}];
    one.text = named(statement.text);
    one.function = program.functions[site.function].name;
    one.position = at;
    one.sites.push_back(site);
  }
  std::vector<Assertion> result;
  for (auto& [key, assertion] : found) result.push_back(std::move(assertion));
  return result;
}

std::vector<Site> unasked(const Program& program, const std::function<bool(Property)>& asked) {
  return select(program, true, [&](const Statement& statement) {
    return (statement.kind == Kind::Error || statement.kind == Kind::Check) && !asked(statement.property);
  });
}

namespace {

template <typename Fits>
std::vector<Site> select_at(const Program& program, std::string_view place, Fits fits) {
  Place wanted = parse(place);
  return select(program, false, [&](const Statement& statement) {
    const SourcePosition& at = statement.position;
    return at.known() && at.line == wanted.line && (wanted.column == 0 || at.column == wanted.column) &&
           names(program.files[at.file], wanted.file) && fits(statement);
  });
}

}  // namespace

std::vector<Site> sites_at(const Program& program, std::string_view place, Property property) {
  return select_at(program, place, [&](const Statement& statement) { return can_violate(statement, property); });
}

std::vector<Site> sites_at(const Program& program, std::string_view place) {
  return select_at(program, place, [](const Statement& statement) {
    return statement.kind == Kind::Error || statement.kind == Kind::Check || accesses(statement);
  });
}

std::string place_of(const Program& program, const SourcePosition& position) {
  return fmt::format("{}:{}", program.where(position), position.column);
}

Program ignoring(const Program& program, const std::vector<Site>& sites) {
  Program copy = program.clone();
  Editor editor(copy);
  for (const Site& site : sites) editor.ignore(site);
  copy.validate();
  return copy;
}

}  // namespace whittle::program
