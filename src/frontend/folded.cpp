#include "frontend/folded.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/Support/JSON.h>

#include <map>
#include <optional>
#include <set>
#include <vector>

namespace whittle::frontend {
namespace {

using llvm::StringRef;
using llvm::json::Array;
using llvm::json::Object;

StringRef text_of(const Object& node, StringRef key) {
  std::optional<StringRef> found = node.getString(key);
  return found ? *found : StringRef();
}

StringRef kind_of(const Object& node) { return text_of(node, "kind"); }

template <typename F>
void for_each_child(const Object& node, F f) {
  // An initialiser that leaves out elements keeps those it has beside the one that fills the rest.
  for (StringRef key : {"inner", "array_filler"})
    if (const Array* children = node.getArray(key))
      for (const llvm::json::Value& child : *children)
        if (const Object* object = child.getAsObject()) f(*object);
}

const Object* child(const Object& node, size_t i) {
  const Array* children = node.getArray("inner");
  return children && i < children->size() ? (*children)[i].getAsObject() : nullptr;
}

/// Where a node stands in the source, its last token included.
struct Range {
  size_t begin = 0, end = 0;
};

std::optional<Range> range_of(const Object& node) {
  const Object* range = node.getObject("range");
  const Object* first = range ? range->getObject("begin") : nullptr;
  const Object* last = range ? range->getObject("end") : nullptr;
  if (!first || !last || !first->getInteger("offset") || !last->getInteger("offset")) return std::nullopt;
  return Range{static_cast<size_t>(*first->getInteger("offset")),
               static_cast<size_t>(*last->getInteger("offset") + last->getInteger("tokLen").value_or(1))};
}

bool is_operator(const Object& node) {
  StringRef kind = kind_of(node);
  return kind == "BinaryOperator" || kind == "UnaryOperator" || kind == "ConditionalOperator";
}

bool is_arithmetic(const Object& node) {
  StringRef kind = kind_of(node), opcode = text_of(node, "opcode");
  if (kind == "UnaryOperator")
    // The opposite of a literal always fits.
    return opcode == "-" && child(node, 0) && kind_of(*child(node, 0)) != "IntegerLiteral";
  return kind == "BinaryOperator" && (opcode == "+" || opcode == "-" || opcode == "*" || opcode == "/" ||
                                      opcode == "%" || opcode == "<<" || opcode == ">>");
}

template <typename F>
bool any_of(const Object& node, F f) {
  if (f(node)) return true;
  bool found = false;
  for_each_child(node, [&](const Object& inner) { found = found || any_of(inner, f); });
  return found;
}

/// Made of literals, enumerators and constant variables only.
bool is_constant(const Object& node) {
  return !any_of(node, [](const Object& inner) {
    StringRef kind = kind_of(inner);
    if (kind == "DeclRefExpr") {
      const Object* target = inner.getObject("referencedDecl");
      const Object* type = inner.getObject("type");
      bool enumerator = target && kind_of(*target) == "EnumConstantDecl";
      StringRef name = type ? text_of(*type, "qualType") : "";
      return !enumerator && (!name.starts_with("const ") || name.find_first_of("*[") != StringRef::npos);
    }
    return kind == "CallExpr" || kind == "StmtExpr" || kind == "CompoundAssignOperator" ||
           text_of(inner, "opcode") == "=" || text_of(inner, "opcode") == "++" || text_of(inner, "opcode") == "--";
  });
}

class Checks {
 public:
  explicit Checks(const std::string& source) : source_(source) {}

  std::string run(const Object& unit) {
    for_each_child(unit, [&](const Object& declaration) {
      if (std::optional<Range> range = range_of(declaration)) file_scope(declaration, *range);
    });
    if (inserted_.empty()) return "";
    std::string result = "void " + std::string(kEvaluated) + "(void);\n";  // a line marker follows
    size_t done = 0;
    for (const auto& [at, text] : inserted_) {
      result.append(source_, done, at - done).append(text);
      done = at;
    }
    return result.append(source_, done, std::string::npos);
  }

 private:
  using Expressions = std::vector<Range>;

  /// The expression as a statement of its own, or as the first part of one, on its own line.
  std::string evaluation(Range range, const char* end) const {
    return line_marker(range.begin) + "(void)(" + source_.substr(range.begin, range.end - range.begin) + ")" + end;
  }

  /// The line marker `# 12 "file.c" 3` in force at a place, and where the line after it begins.
  std::pair<StringRef, size_t> marker_before(size_t at) const {
    for (size_t line = source_.rfind("\n#", at); line != std::string::npos; line = source_.rfind("\n#", line - 1)) {
      StringRef marker = StringRef(source_).substr(line + 1).split('\n').first;
      if (marker.contains('"') && marker.starts_with("# ")) return {marker, line + 2 + marker.size()};
      if (line == 0) break;
    }
    StringRef first = StringRef(source_).split('\n').first;
    return {first, first.size() + 1};
  }

  /// Is the text there of a system header? Line markers say so with a 3.
  bool is_system(size_t at) const { return marker_before(at).first.rsplit('"').second.contains(" 3"); }

  /// Makes what follows count as text of the line at a place.
  std::string line_marker(size_t at) const {
    auto [marker, begin] = marker_before(at);
    unsigned line = 0;
    marker.drop_front().ltrim().consumeInteger(10, line);
    StringRef file = marker.substr(marker.find('"')).rsplit('"').first;
    auto lines = static_cast<unsigned>(StringRef(source_).slice(begin, std::max(at, begin)).count('\n'));
    return "\n# " + std::to_string(line + lines) + " " + file.str() + "\"\n";
  }

  void file_scope(const Object& declaration, Range range) {
    if (is_system(range.begin)) return;
    Expressions found;
    if (kind_of(declaration) == "FunctionDecl") return statement(declaration, nullptr, false);
    collect_declaration(declaration, true, found);
    if (found.empty()) return;
    std::string function = " __attribute__((constructor(101))) static void " + std::string(kConstantsPrefix) +
                           std::to_string(number_++) + "(void) {";
    for (const Range& expression : found) function += evaluation(expression, ";");
    size_t end = end_of_declaration(range.end);
    inserted_.emplace(end, function + "}" + line_marker(end));
  }

  /// After the semicolon that ends a declaration at file scope.
  size_t end_of_declaration(size_t at) const {
    for (int depth = 0; at < source_.size(); ++at) {
      if (source_[at] == '{') ++depth;
      if (source_[at] == '}') --depth;
      if (source_[at] == ';' && depth <= 0) return at + 1;
    }
    return at;
  }

  /// `all`: every initialiser is constant; else only those of static variables, arrays and structs.
  void collect_declaration(const Object& declaration, bool all, Expressions& found) {
    StringRef kind = kind_of(declaration);
    if (kind == "VarDecl" && declaration.get("init")) {
      bool is_static = text_of(declaration, "storageClass") == "static";
      for_each_child(declaration, [&](const Object& inner) {
        if (all || is_static || kind_of(inner) == "InitListExpr") collect(inner, all || is_static, found);
      });
    } else if (kind == "EnumConstantDecl") {
      for_each_child(declaration, [&](const Object& inner) { collect(inner, true, found); });
    } else if (kind == "EnumDecl" || kind == "RecordDecl") {
      for_each_child(declaration, [&](const Object& inner) { collect_declaration(inner, all, found); });
    }
  }

  /// The largest constant expressions with arithmetic in them. `constant`: the whole is folded, addresses included.
  void collect(const Object& expression, bool constant, Expressions& found) {
    if (kind_of(expression) == "UnaryExprOrTypeTraitExpr" || kind_of(expression) == "GenericSelectionExpr") return;
    if (!is_operator(expression) || (constant && !is_constant(expression)))
      return for_each_child(expression, [&](const Object& inner) { collect(inner, constant, found); });
    std::optional<Range> range = range_of(expression);
    if (range && any_of(expression, is_arithmetic) && is_constant(expression)) found.push_back(*range);
  }

  /// Statements of a function and what is in them. `in_for`: a declaration here ends with the first part of a `for`.
  void statement(const Object& node, const Object* choice, bool in_for) {
    StringRef kind = kind_of(node);
    if (kind == "DeclStmt" && !in_for) {
      Expressions found;
      for_each_child(node, [&](const Object& inner) { collect_declaration(inner, false, found); });
      if (std::optional<Range> range = range_of(node))
        for (const Range& expression : found)
          inserted_.emplace(range->end, evaluation(expression, ";") + line_marker(range->end));
    }
    if (kind == "CaseStmt" && choice) label(node, *choice);
    if (kind == "IfStmt" || kind == "SwitchStmt" || kind == "ConditionalOperator") condition(child(node, 0));
    if (text_of(node, "opcode") == "&&" || text_of(node, "opcode") == "||") {
      condition(child(node, 0));
      condition(child(node, 1));
    }
    if (kind == "VarDecl" && text_of(node, "storageClass") == "static") return;
    if (kind == "UnaryExprOrTypeTraitExpr" || kind == "ConstantExpr") return;
    for_each_child(node, [&](const Object& inner) {
      statement(inner, kind == "SwitchStmt" ? &node : choice, kind == "ForStmt");
    });
  }

  void label(const Object& node, const Object& choice) {
    Expressions found;
    for_each_child(node, [&](const Object& inner) {
      if (kind_of(inner) == "ConstantExpr") collect(inner, true, found);
    });
    const Object* value = child(choice, 0);
    if (std::optional<Range> range = value ? range_of(*value) : std::nullopt)
      for (const Range& expression : found)
        inserted_.emplace(range->begin, evaluation(expression, ",") + line_marker(range->begin));
  }

  /// clang folds a shift into the sign bit, which C leaves undefined, as if it were fine.
  void condition(const Object* node) {
    bool shift = node && any_of(*node, [](const Object& inner) { return text_of(inner, "opcode") == "<<"; });
    if (!shift || !is_constant(*node)) return;
    std::optional<Range> range = range_of(*node);
    if (!range) return;
    inserted_.emplace(range->begin, "(" + std::string(kEvaluated) + "(), (");
    inserted_.emplace(range->end, "))");
  }

  const std::string& source_;
  std::multimap<size_t, std::string> inserted_;
  unsigned number_ = 0;
};

/// Splits a source into words, as far as may_fold has to know them.
class Words {
 public:
  explicit Words(StringRef source) : rest_(source) {}

  /// Empty at the end. Directives come as one word, strings and characters as "\"".
  StringRef next() {
    for (;;) {
      rest_ = rest_.ltrim(" \t\r\f\v\\");
      if (rest_.consume_front("\n")) {
        line_start_ = true;
      } else if (rest_.starts_with("//")) {
        rest_ = rest_.drop_until([](char c) { return c == '\n'; });
      } else if (rest_.starts_with("/*")) {
        rest_ = rest_.drop_front(std::min(rest_.find("*/", 2), rest_.size() - 2) + 2);
      } else {
        break;
      }
    }
    bool first = line_start_;
    line_start_ = false;
    if (rest_.empty()) return "";
    if (first && rest_[0] == '#') return directive();
    if (llvm::isAlpha(rest_[0]) || rest_[0] == '_') return take([](char c) { return llvm::isAlnum(c) || c == '_'; });
    if (llvm::isDigit(rest_[0])) return take([](char c) { return llvm::isAlnum(c) || c == '.'; });
    if (rest_[0] == '"' || rest_[0] == '\'') return literal();
    for (StringRef two : {"<<", ">>", "==", "<=", ">=", "!=", "->", "++", "--"})
      if (rest_.consume_front(two)) return two;
    StringRef one = rest_.take_front();
    rest_ = rest_.drop_front();
    return one;
  }

 private:
  template <typename F>
  StringRef take(F f) {
    StringRef word = rest_.take_while(f);
    rest_ = rest_.drop_front(word.size());
    return word;
  }
  StringRef literal() {
    char quote = rest_[0];
    size_t i = 1;
    while (i < rest_.size() && rest_[i] != quote) i += rest_[i] == '\\' ? 2 : 1;
    rest_ = rest_.drop_front(std::min(i + 1, rest_.size()));
    return "\"";
  }
  StringRef directive() {
    size_t end = 0;
    do end = rest_.find('\n', end + 1);
    while (end != StringRef::npos && rest_[end - 1] == '\\');
    StringRef line = rest_.take_front(end);
    rest_ = rest_.drop_front(line.size());
    return line;
  }

  StringRef rest_;
  bool line_start_ = true;
};

std::vector<StringRef> words_of(StringRef source) {
  std::vector<StringRef> words;
  Words reader(source);
  for (StringRef word = reader.next(); !word.empty(); word = reader.next()) words.push_back(word);
  return words;
}

bool is_number(StringRef word) { return !word.empty() && llvm::isDigit(word[0]); }
bool is_name(StringRef word) { return !word.empty() && (llvm::isAlpha(word[0]) || word[0] == '_'); }

/// Is the word at `i` an operator between two values, or a minus before something that is no literal?
bool is_operation(llvm::ArrayRef<StringRef> words, size_t i) {
  StringRef word = words[i], next = i + 1 < words.size() ? words[i + 1] : "";
  if (word == "<<" || word == ">>" || word == "+" || word == "/" || word == "%") return true;
  if (word == "*") return next != ")" && next != "*";  // a type in a cast
  if (word != "-") return false;
  bool operand_before = i > 0 && (is_name(words[i - 1]) || words[i - 1] == ")" || is_number(words[i - 1]));
  return operand_before || !is_number(next);
}

/// Could the word at `i` shift a constant into the sign bit?
bool is_constant_shift(llvm::ArrayRef<StringRef> words, size_t i, const std::set<StringRef>& constants) {
  if (words[i] != "<<" || i == 0 || i + 1 == words.size()) return false;
  StringRef left = words[i - 1], right = words[i + 1];
  auto value = [](StringRef word) {
    unsigned long long number = 0;
    return is_number(word) && !word.consumeInteger(0, number) ? std::optional(number) : std::nullopt;
  };
  if (value(left) && value(right)) return *value(right) >= 31 || (*value(left) << *value(right)) >> 31 != 0;
  auto maybe = [&](StringRef word, StringRef bracket) {
    return is_number(word) || word == bracket || constants.contains(word);
  };
  return maybe(left, ")") && maybe(right, "(");
}

bool has_operation(llvm::ArrayRef<StringRef> words) {
  for (size_t i = 0; i < words.size(); ++i)
    if (is_operation(words, i)) return true;
  return false;
}

}  // namespace

bool may_fold(const std::string& source) {
  std::vector<StringRef> words = words_of(source);
  std::set<StringRef> macros, constants;  // macros with an operation in them; all macros, and variables that are const
  for (StringRef word : words) {
    if (!word.starts_with("#")) continue;
    StringRef line = word.drop_front().ltrim();
    if (line.consume_front("include")) {
      if (line.ltrim().starts_with("\"")) return true;  // what it says is not known here
    } else if (line.consume_front("define")) {
      std::vector<StringRef> parts = words_of(line);
      if (parts.empty()) continue;
      constants.insert(parts[0]);
      if (has_operation(llvm::ArrayRef(parts).drop_front())) macros.insert(parts[0]);
    }
  }
  size_t depth = 0;
  bool constant = false;                 // in this statement: a `const`
  bool decides = false, shifts = false;  // something that folds its condition, a shift of a constant
  for (size_t i = 0; i < words.size(); ++i) {
    StringRef word = words[i], next = i + 1 < words.size() ? words[i + 1] : "";
    if (word == "{") ++depth;
    if (word == "}" && depth > 0) --depth;
    if (word == ";" || word == "{" || word == "}") constant = decides = shifts = false;
    constant |= word == "const" || word == "enum";
    if (constant && is_name(word)) constants.insert(word);
    decides |= word == "if" || word == "switch" || word == "?" || word == "&&" || word == "||";
    shifts |= macros.contains(word) || is_constant_shift(words, i, constants);
    if (decides && shifts) return true;
    bool initialiser = word == "=" && (depth == 0 || next == "{");
    if (!initialiser && word != "static" && word != "case" && word != "enum") continue;
    int inner = 0;
    for (size_t j = i + 1; j < words.size(); ++j) {
      bool body = word == "static" && words[j] == "{" && inner == 0 && words[j - 1] == ")";
      if (body || words[j] == ";" || (words[j] == ":" && word == "case")) break;
      if (words[j] == "{") ++inner;
      if (words[j] == "}" && --inner < 0) break;
      if (is_operation(words, j) || macros.contains(words[j])) return true;
    }
  }
  return false;
}

std::string check_folded(const std::string& source, const std::string& tree) {
  llvm::Expected<llvm::json::Value> parsed = llvm::json::parse(tree);
  if (!parsed) {
    llvm::consumeError(parsed.takeError());
    return "";
  }
  const Object* unit = parsed->getAsObject();
  return unit ? Checks(source).run(*unit) : "";
}

}  // namespace whittle::frontend
