#include "program/claims.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <tuple>

#include "program/passing.h"

namespace whittle::program {

using term::Term;
using verdict::Property;

namespace {

bool asserts(const Statement& statement) {
  return (statement.kind == Kind::Error || statement.kind == Kind::Check) && statement.property == Property::UnreachCall;
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

bool is_model_call(const Program& program, const Statement& statement) {
  return statement.kind == Kind::Call && program.functions[statement.callee].runtime;
}

}  // namespace

std::vector<Site> sites_at(const Program& program, std::string_view place, std::optional<Property> property) {
  const Place wanted = parse(place);
  std::optional<std::vector<bool>> violating;  // most places call no model
  auto fits = [&](const Statement& statement) {
    if (!is_model_call(program, statement)) return can_be_passed(statement, property);
    if (!violating) violating = violating_models(program, property);
    return bool{(*violating)[statement.callee]};
  };
  std::vector<Site> sites = select(program, false, [&](const Statement& statement) {
    const SourcePosition& at = statement.position;
    return at.known() && at.line == wanted.line && (wanted.column == 0 || at.column == wanted.column) &&
           names(program.files[at.file], wanted.file) && fits(statement);
  });
  for (Site& site : sites)
    if (is_model_call(program, program.functions[site.function].edges[site.edge].statement)) site.property = property;
  return sites;
}

std::string place_of(const Program& program, const SourcePosition& position) {
  return fmt::format("{}:{}", program.where(position), position.column);
}

}  // namespace whittle::program
