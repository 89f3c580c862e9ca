#include "frontend/cprover_syntax.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

namespace whittle::frontend {
namespace {

constexpr std::string_view kForall = "__CPROVER_forall", kExists = "__CPROVER_exists", kImplies = "==>",
                           kBitvector = "__CPROVER_bitvector", kUninterpreted = "__CPROVER_uninterpreted_", kAsync = "__CPROVER_ASYNC_";

bool is_word(char c) { return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

std::string trim(std::string_view text) {
  size_t begin = text.find_first_not_of(" \t\n\r"), end = text.find_last_not_of(" \t\n\r");
  return begin == std::string_view::npos ? "" : std::string(text.substr(begin, end - begin + 1));
}

std::string newlines_of(std::string_view text) { return std::string(static_cast<size_t>(std::count(text.begin(), text.end(), '\n')), '\n'); }

std::string one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

/// Positions outside of literals, with the depth of brackets before each.
template <typename F>
void each_code(std::string_view text, F f) {
  int depth = 0;
  for (size_t i = 0; i < text.size();) {
    const char c = text[i];
    if (c == '"' || c == '\'') {
      for (++i; i < text.size() && text[i] != c; ++i)
        if (text[i] == '\\') ++i;
      ++i;
      continue;
    }
    if (c == ')' || c == ']' || c == '}') --depth;
    if (!f(i, depth)) return;
    if (c == '(' || c == '[' || c == '{') ++depth;
    ++i;
  }
}

/// Where the bracket that opens at `open` is closed.
size_t closing(std::string_view text, size_t open) {
  size_t found = std::string_view::npos;
  each_code(text.substr(open), [&](size_t i, int depth) {
    if (i == 0 || depth != 0) return true;
    const char c = text[open + i];
    if (c != ')' && c != ']' && c != '}') return true;
    found = open + i;
    return false;
  });
  return found;
}

/// Parts between a separator outside of brackets.
std::vector<std::string> split(std::string_view text, std::string_view separator) {
  std::vector<std::string> parts;
  size_t begin = 0;
  each_code(text, [&](size_t i, int depth) {
    if (depth == 0 && i >= begin && text.substr(i, separator.size()) == separator) {
      parts.emplace_back(text.substr(begin, i - begin));
      begin = i + separator.size();
    }
    return true;
  });
  parts.emplace_back(text.substr(begin));
  return parts;
}

std::string without_brackets(std::string text) {
  for (text = trim(text); text.size() > 1 && text[0] == '(' && closing(text, 0) == text.size() - 1; text = trim(text)) text = text.substr(1, text.size() - 2);
  return text;
}

std::vector<std::string> conjuncts(const std::string& text) {
  std::vector<std::string> result, parts = split(without_brackets(text), "&&");
  if (parts.size() == 1) return {without_brackets(text)};
  for (const std::string& part : parts) {
    std::vector<std::string> inner = conjuncts(part);
    result.insert(result.end(), inner.begin(), inner.end());
  }
  return result;
}

struct Range {
  std::string begin;
  std::vector<std::string> conditions;  ///< that hold as long as the variable is in it
};

/// Sums and products of other variables, members and elements: nothing that could change with the variable, or bind less
/// tightly than a comparison.
bool is_bound(std::string text, const std::string& variable) {
  for (size_t arrow; (arrow = text.find("->")) != std::string::npos;) text.replace(arrow, 2, ".");
  if (text.empty() || text.find_first_of("<>=!&|^?:,;\"'{}") != std::string::npos || text.find("++") != std::string::npos ||
      text.find("--") != std::string::npos)
    return false;
  for (size_t at = 0; (at = text.find(variable, at)) != std::string::npos; at += variable.size()) {
    const size_t end = at + variable.size();
    if ((at == 0 || !is_word(text[at - 1])) && (end == text.size() || !is_word(text[end]))) return false;
  }
  return true;
}

/// `i < n`: the other side, and the operator as if the variable stood on its left.
std::optional<std::pair<std::string, std::string>> comparison(const std::string& text, const std::string& variable) {
  for (std::string_view operation : {"<=", ">=", "<", ">"}) {
    std::vector<std::string> sides = split(text, operation);
    if (sides.size() != 2) continue;
    const std::string left = without_brackets(sides[0]), right = without_brackets(sides[1]);
    if (left == variable && is_bound(right, variable)) return {{std::string(operation), right}};
    if (right != variable || !is_bound(left, variable)) return std::nullopt;
    std::string turned(operation);
    turned[0] = turned[0] == '<' ? '>' : '<';
    return {{turned, left}};
  }
  return std::nullopt;
}

std::optional<Range> range_of(const std::string& condition, const std::string& variable, bool is_unsigned) {
  Range range;
  if (is_unsigned) range.begin = "0";
  for (const std::string& part : conjuncts(condition)) {
    auto found = comparison(part, variable);
    if (!found) continue;
    const auto& [operation, other] = *found;
    if (operation == ">=")
      range.begin = other;
    else if (operation == ">")
      range.begin = "(" + other + ") + 1";
    else
      range.conditions.push_back(part);
  }
  if (range.begin.empty() || range.conditions.empty()) return std::nullopt;
  return range;
}

/// The expression for one quantifier; `inside` is what stands between its braces.
std::string quantified(bool forall, const std::string& inside) {
  const std::string refused = "__CPROVER_quantifier_without_a_range()";
  std::vector<std::string> parts = split(inside, ";");
  if (parts.size() < 2) return refused;
  const std::string declaration = trim(parts[0]);
  size_t name_begin = declaration.size();
  while (name_begin > 0 && is_word(declaration[name_begin - 1])) --name_begin;
  const std::string variable = declaration.substr(name_begin), type = declaration.substr(0, name_begin);
  std::string body = without_brackets(inside.substr(parts[0].size() + 1));
  std::vector<std::string> implication = split(body, kImplies);
  std::string condition = implication.size() >= 2 ? implication[0] : forall ? "" : body;
  std::string holds = body;
  if (implication.size() >= 2) {
    std::string rest = implication[1];
    for (size_t i = 2; i < implication.size(); ++i) rest += std::string(kImplies) + implication[i];
    holds = "!(" + implication[0] + ") || (" + rest + ")";
  }
  const bool is_unsigned = type.find("unsigned") != std::string::npos || type.find("size_t") != std::string::npos || type.find("uint") != std::string::npos;
  std::optional<Range> range = range_of(condition, variable, is_unsigned);
  if (variable.empty() || type.empty() || !range) return refused;
  std::string limits;
  for (const std::string& part : range->conditions) limits += "(" + part + ") && ";
  const char* begin = forall ? "1" : "0";
  // An implication holds for the first value after the range, too.
  if (!forall && implication.size() >= 2)
    return "__extension__({ _Bool __quantified = 0; for (" + type + variable + " = " + range->begin + ";; " + variable + "++) { if (" + holds +
           ") { __quantified = 1; break; } if (!(" + limits + "1)) break; } __quantified; })";
  return "__extension__({ _Bool __quantified = " + std::string(begin) + "; for (" + type + variable + " = " + range->begin + "; " + limits +
         (forall ? "__quantified" : "!__quantified") + "; " + variable + "++) if (" + (forall ? "!(" : "(") + holds + ")) __quantified = " +
         (forall ? "0" : "1") + "; __quantified; })";
}

void rewrite_quantifiers(std::string& source) {
  for (size_t limit = std::string::npos;;) {
    // The last one has no other inside.
    size_t forall = source.rfind(kForall, limit), exists = source.rfind(kExists, limit);
    const bool all = exists == std::string::npos || (forall != std::string::npos && forall > exists);
    const size_t at = all ? forall : exists;
    if (at == std::string::npos) return;
    const size_t after = at + kForall.size();
    const size_t open = source.find_first_not_of(" \t\n\r", after);
    const size_t close = open != std::string::npos && source[open] == '{' ? closing(source, open) : std::string::npos;
    if (close == std::string::npos) {
      if (at == 0) return;
      limit = at - 1;  // no quantifier: left to the compiler
      continue;
    }
    const std::string old = source.substr(at, close + 1 - at);
    source.replace(at, old.size(), quantified(all, one_line(source.substr(open + 1, close - open - 1))) + newlines_of(old));
  }
}

size_t last_in_code(std::string_view source, std::string_view word) {
  size_t found = std::string_view::npos;
  each_code(source, [&](size_t i, int) {
    if (source.substr(i, word.size()) == word) found = i;
    return true;
  });
  return found;
}

/// From the last to the first, as they bind to the right. Operands reach to the next bracket, comma or semicolon.
void rewrite_implications(std::string& source) {
  for (size_t at; (at = last_in_code(source, kImplies)) != std::string::npos;) {
    size_t begin = at, end = at + kImplies.size();
    for (int depth = 0; begin > 0; --begin) {
      const char c = source[begin - 1];
      if (c == ')' || c == ']' || c == '}') ++depth;
      if (depth == 0 && (c == '(' || c == '[' || c == '{' || c == ',' || c == ';')) break;
      if (c == '(' || c == '[' || c == '{') --depth;
      if (depth == 0 && begin > 1 && c == '=' && source[begin - 2] != '=' && source[begin - 2] != '<' && source[begin - 2] != '>' &&
          source[begin - 2] != '!' && source[begin] != '=')
        break;
    }
    for (int depth = 0; end < source.size(); ++end) {
      const char c = source[end];
      if (depth == 0 && (c == ')' || c == ']' || c == '}' || c == ',' || c == ';')) break;
      if (c == '(' || c == '[' || c == '{') ++depth;
      if (c == ')' || c == ']' || c == '}') --depth;
    }
    const std::string left = source.substr(begin, at - begin), right = source.substr(at + kImplies.size(), end - at - kImplies.size());
    source.replace(begin, end - begin, "(!(" + left + ") || (" + right + "))");
  }
}

void rewrite_bitvectors(std::string& source) {
  for (size_t at; (at = source.find(kBitvector)) != std::string::npos;) {
    const size_t open = source.find_first_not_of(" \t\n\r", at + kBitvector.size());
    const size_t close = open != std::string::npos && source[open] == '[' ? closing(source, open) : std::string::npos;
    if (close == std::string::npos) return;
    source[open] = '(';
    source[close] = ')';
    source.replace(at, kBitvector.size(), "_BitInt");
  }
}

/// The type of a parameter, which may have a name.
std::string parameter_type(const std::string& text) {
  std::string type = trim(text);
  size_t name = type.size();
  while (name > 0 && is_word(type[name - 1])) --name;
  const std::string last = type.substr(name);
  static const std::vector<std::string> kTypes = {"int", "char", "short", "long", "unsigned", "signed", "float", "double", "_Bool", "__CPROVER_bool", "const"};
  const bool named = name > 0 && !last.empty() && std::find(kTypes.begin(), kTypes.end(), last) == kTypes.end();
  const std::string before = trim(type.substr(0, name));
  return named && before != "struct" && before != "union" && before != "enum" && before != "const" ? before : type;
}

/// What returns any value for new arguments, and the same for the same.
std::string uninterpreted_body(const std::string& result, const std::string& name, const std::string& parameters) {
  const std::string any = result + " __any; ", list = trim(parameters);
  if (list.empty()) return result + " " + name + "() { " + any + "return __any; }";
  std::string taken, members, same = "1", keep;
  if (list != "void") {
    const std::vector<std::string> parts = split(list, ",");
    for (size_t i = 0; i < parts.size(); ++i) {
      const std::string number = std::to_string(i), type = parameter_type(parts[i]);
      taken += (i == 0 ? "" : ", ") + type + " __" + number;
      members += type + " a" + number + "; ";
      same += " && __seen[__i].a" + number + " == __" + number;
      keep += "__seen[__count].a" + number + " = __" + number + "; ";
    }
  }
  return result + " " + name + "(" + (taken.empty() ? "void" : taken) + ") { static struct { " + members + result +
         " result; } __seen[64]; static unsigned __count; for (unsigned __i = 0; __i < __count; __i++) if (" + same +
         ") return __seen[__i].result; if (__count == 64) __CPROVER_too_many_uninterpreted_calls(); " + keep + any +
         "__seen[__count].result = __any; return __seen[__count++].result; }";
}

/// Prototypes of uninterpreted functions become functions.
void rewrite_uninterpreted(std::string& source) {
  std::vector<std::string> done;
  for (size_t at = 0; (at = source.find(kUninterpreted, at)) != std::string::npos;) {
    size_t open = at;
    while (open < source.size() && is_word(source[open])) ++open;
    const std::string name = source.substr(at, open - at);
    open = source.find_first_not_of(" \t\n\r", open);
    const size_t close = open != std::string::npos && source[open] == '(' ? closing(source, open) : std::string::npos;
    const size_t end = close != std::string::npos ? source.find_first_not_of(" \t\n\r", close + 1) : std::string::npos;
    size_t begin = source.find_last_of(";}{)#", at);
    if (begin != std::string::npos && source[begin] == '#') begin = std::min(source.find('\n', begin), at - 1);  // its line
    begin = begin == std::string::npos ? 0 : begin + 1;
    const std::string result = trim(std::string_view(source).substr(begin, at - begin));
    const bool type = !result.empty() && result.find_first_of("=,(+-!<>&|?:") == std::string::npos && !result.starts_with("return");
    if (end == std::string::npos || source[end] != ';' || !type || std::find(done.begin(), done.end(), name) != done.end()) {
      at += name.size();
      continue;
    }
    done.push_back(name);
    const std::string old = source.substr(begin, end + 1 - begin);
    const std::string text = newlines_of(old) + uninterpreted_body(result, name, source.substr(open + 1, close - open - 1));
    source.replace(begin, old.size(), text);
    at = begin + text.size();
  }
}

/// A call with such a label runs in a thread of its own, with a copy of the local variables it mentions: a block of clang's.
/// Other statements keep their label, which is not supported.
void rewrite_threads(std::string& source) {
  for (size_t at = 0; (at = source.find(kAsync, at)) != std::string::npos;) {
    const size_t label = at;
    while (at < source.size() && is_word(source[at])) ++at;
    const size_t colon = source.find_first_not_of(" \t\n\r", at);
    if (colon == std::string::npos || source[colon] != ':') continue;
    const size_t begin = source.find_first_not_of(" \t\n\r", colon + 1);
    size_t open = begin;
    while (open < source.size() && is_word(source[open])) ++open;
    const size_t name = open;
    if (name == begin) continue;
    open = source.find_first_not_of(" \t\n\r", open);
    const size_t close = open != std::string::npos && source[open] == '(' ? closing(source, open) : std::string::npos;
    const size_t end = close != std::string::npos ? source.find_first_not_of(" \t\n\r", close + 1) : std::string::npos;
    if (end == std::string::npos || source[end] != ';') continue;
    source.replace(end, 1, ";});");
    source.insert(begin, "__CPROVER_async((void*)^{");
    std::fill(source.begin() + static_cast<std::ptrdiff_t>(label), source.begin() + static_cast<std::ptrdiff_t>(at), ' ');
    source[colon] = ' ';
  }
}

}  // namespace

bool has_cprover_syntax(const std::string& source) {
  bool found = false;
  for (std::string_view word : {kForall, kExists, kImplies, kBitvector, kUninterpreted, kAsync}) found |= source.find(word) != std::string::npos;
  return found;
}

bool rewrite_cprover_syntax(std::string& source) {
  const std::string before = source;
  rewrite_bitvectors(source);
  rewrite_uninterpreted(source);
  rewrite_quantifiers(source);
  rewrite_implications(source);
  rewrite_threads(source);
  return source != before;
}

}  // namespace whittle::frontend
