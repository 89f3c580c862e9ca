#include "verdict/property.h"

#include <array>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/error.h"
#include "base/nearest.h"

namespace whittle::verdict {
namespace {

struct Row {
  std::string_view name;
  std::string_view description;
};

constexpr std::array<Row, kPropertyCount> kRows{{
    {"unreach-call", "an error function is called or an assertion fails"},
    {"valid-deref", "a pointer is dereferenced that does not point into a live object"},
    {"valid-free", "memory is freed that is not allocated: freed before, or never"},
    {"valid-memtrack", "allocated memory is lost: no pointer leads to it any more"},
    {"valid-memcleanup", "memory is still allocated when the program ends"},
    {"no-overflow", "a signed operation leaves the range of its type"},
    {"no-data-race", "two threads access the same memory, one of them writing, with nothing that orders them"},
    {"termination", "the program can run forever"},
    {"no-div-by-zero", "a division by zero, or one whose quotient does not fit"},
    {"no-bad-shift", "a shift by a negative amount or by at least the width"},
    {"no-deadlock", "threads wait for each other and none can go on"},
    {"lock-discipline", "a lock is used against its rules: unlocked while not held, destroyed while held"},
    {"ctl", "a temporal formula (--ctl) does not hold"},
    {"firmware-check", "firmware runs into data with its stack, leaves its code, or uses addresses that do not exist"},
}};

const std::set<Property> kMemorySafety{Property::ValidDeref, Property::ValidFree, Property::ValidMemtrack};

std::optional<Property> find(std::string_view text) {
  for (unsigned i = 0; i < kPropertyCount; ++i)
    if (kRows[i].name == text) return static_cast<Property>(i);
  return std::nullopt;
}

std::vector<std::string> all_names() {
  std::vector<std::string> names;
  for (const Row& row : kRows) names.emplace_back(row.name);
  names.insert(names.end(), {"memory-safety", "valid-memsafety"});
  return names;
}

void add_named(const std::string& text, Specification& specification) {
  if (text == "memory-safety" || text == "valid-memsafety") {
    specification.properties.insert(kMemorySafety.begin(), kMemorySafety.end());
  } else if (auto property = find(text)) {
    specification.properties.insert(*property);
  } else {
    fail_usage("unknown property `{}`{}", text, suggestion(text, all_names()));
  }
}

/// Reads one CHECK line; names are runs of letters, digits, `_` and `-`, everything else is one character a token.
class CheckLine {
 public:
  CheckLine(std::string_view line, std::string where) : where_(std::move(where)) {
    for (size_t i = 0; i < line.size();) {
      if (std::isspace(static_cast<unsigned char>(line[i]))) {
        ++i;
      } else if (size_t n = name_length(line.substr(i))) {
        tokens_.emplace_back(line.substr(i, n));
        i += n;
      } else {
        tokens_.emplace_back(line.substr(i++, 1));
      }
    }
  }

  void parse(Specification& specification) {
    for (const char* token : {"CHECK", "(", "init", "("}) expect(token);
    std::string entry = take("a function name");
    for (const char* token : {"(", ")", ")", ",", "LTL", "("}) expect(token);
    formula(specification);
    for (const char* token : {")", ")"}) expect(token);
    if (next_ != tokens_.size()) fail_input("{}: unexpected `{}` after the property", where_, tokens_[next_]);
    if (!specification.entry.empty() && specification.entry != entry)
      fail_input("{}: one run has one entry function, not both `{}` and `{}`", where_, specification.entry, entry);
    specification.entry = entry;
  }

 private:
  static size_t name_length(std::string_view text) {
    size_t n = 0;
    while (n < text.size() && (std::isalnum(static_cast<unsigned char>(text[n])) || text[n] == '_' || text[n] == '-'))
      ++n;
    return n;
  }

  void formula(Specification& specification) {
    std::string temporal = take("`G` or `F`");
    if (temporal == "F") {
      expect("end");
      specification.properties.insert(Property::Termination);
      return;
    }
    if (temporal != "G") fail_input("{}: `{}` is not understood here, expected `G` or `F end`", where_, temporal);
    bool negated = accept("!");
    std::string atom = take("a property");
    if (negated && atom == "call") return called(specification);
    auto property = find(negated ? "no-" + atom : atom);
    // `G no-overflow` would read as a double negation: only the competition's spelling is taken.
    if (!property || (!negated && atom.starts_with("no-")) || *property == Property::Termination)
      fail_input("{}: unknown property `G {}{}`{}", where_, negated ? "! " : "", atom, hint(negated, atom));
    specification.properties.insert(*property);
  }

  void called(Specification& specification) {
    expect("(");
    std::string function = take("a function name");
    for (const char* token : {"(", ")", ")"}) expect(token);
    // The file says which functions are errors; the default names count only until it does.
    if (specification.properties.insert(Property::UnreachCall).second) specification.error_functions.clear();
    specification.error_functions.insert(function);
  }

  static std::string hint(bool negated, const std::string& atom) {
    std::vector<std::string> atoms;
    for (const Row& row : kRows)
      if (row.name.starts_with("no-")) {
        if (negated) atoms.emplace_back(row.name.substr(3));
      } else if (!negated && row.name != "unreach-call" && row.name != "termination") {
        atoms.emplace_back(row.name);
      }
    if (negated) atoms.emplace_back("call");
    return suggestion(atom, atoms);
  }

  bool accept(std::string_view token) {
    if (next_ == tokens_.size() || tokens_[next_] != token) return false;
    ++next_;
    return true;
  }
  void expect(std::string_view token) {
    if (!accept(token)) fail_input("{}: expected `{}`{}", where_, token, found());
  }
  std::string take(std::string_view what) {
    if (next_ == tokens_.size() || name_length(tokens_[next_]) == 0)
      fail_input("{}: expected {}{}", where_, what, found());
    return tokens_[next_++];
  }
  std::string found() const {
    return next_ < tokens_.size() ? " instead of `" + tokens_[next_] + "`" : " at the end of the line";
  }

  std::string where_;
  std::vector<std::string> tokens_;
  size_t next_ = 0;
};

Specification parse_file(const std::string& path) {
  if (std::filesystem::is_directory(path)) fail_input("{}: is a directory, not a property file", path);
  std::ifstream file(path);
  if (!file) fail_input("{}: cannot read the property file", path);
  std::stringstream text;
  text << file.rdbuf();
  return parse_checks(text.str(), path);
}

}  // namespace

std::string_view name(Property property) { return kRows[static_cast<unsigned>(property)].name; }
std::string_view description(Property property) { return kRows[static_cast<unsigned>(property)].description; }

Specification default_specification() {
  Specification specification;
  specification.properties = {Property::UnreachCall,   Property::ValidDeref, Property::ValidFree,
                              Property::NoDivByZero,   Property::NoBadShift, Property::NoDeadlock,
                              Property::LockDiscipline};
  return specification;
}

Specification parse_checks(std::string_view text, const std::string& file) {
  Specification specification;
  std::istringstream lines{std::string(text)};
  std::string line;
  for (unsigned number = 1; std::getline(lines, line); ++number) {
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    CheckLine(line, fmt::format("{}:{}", file, number)).parse(specification);
  }
  if (specification.properties.empty()) fail_input("{}: no CHECK line in the property file", file);
  return specification;
}

Specification parse_specification(const std::string& names_or_file) {
  auto is_path = [](const std::string& text) { return text.ends_with(".prp") || text.find('/') != std::string::npos; };
  std::error_code error;
  if (is_path(names_or_file) && (names_or_file.find(',') == std::string::npos || std::filesystem::exists(names_or_file, error)))
    return parse_file(names_or_file);
  Specification specification;
  std::set<std::string> error_functions;  // that files name
  std::istringstream parts(names_or_file);
  std::string part;
  while (std::getline(parts, part, ',')) {
    size_t first = part.find_first_not_of(" \t");
    if (first == std::string::npos) continue;
    part = part.substr(first, part.find_last_not_of(" \t") - first + 1);
    if (!is_path(part)) {
      add_named(part, specification);
      continue;
    }
    const Specification more = parse_file(part);
    specification.properties.insert(more.properties.begin(), more.properties.end());
    if (more.has(Property::UnreachCall)) error_functions.insert(more.error_functions.begin(), more.error_functions.end());
    if (!more.entry.empty()) specification.entry = more.entry;
  }
  if (specification.properties.empty()) fail_usage("no property named: expected NAME[,NAME...] or a .prp file");
  if (!error_functions.empty()) specification.error_functions = std::move(error_functions);
  return specification;
}

}  // namespace whittle::verdict
