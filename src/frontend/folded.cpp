#include "frontend/folded.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringRef.h>

#include <algorithm>
#include <map>
#include <set>

#include "frontend/syntax_tree.h"

namespace whittle::frontend {
namespace {

using llvm::StringRef;

const SyntaxNode* child(const SyntaxNode& node, size_t i) {
  return i < node.children.size() ? &node.children[i] : nullptr;
}

bool is_operator(const SyntaxNode& node) {
  return node.kind == "BinaryOperator" || node.kind == "UnaryOperator" || node.kind == "ConditionalOperator";
}

bool is_arithmetic(const SyntaxNode& node) {
  StringRef opcode = node.opcode();
  if (node.kind == "UnaryOperator")
    // The opposite of a literal always fits.
    return opcode == "-" && child(node, 0) && child(node, 0)->kind != "IntegerLiteral";
  return node.kind == "BinaryOperator" && (opcode == "+" || opcode == "-" || opcode == "*" || opcode == "/" ||
                                           opcode == "%" || opcode == "<<" || opcode == ">>");
}

template <typename F>
bool any_of(const SyntaxNode& node, F f) {
  return f(node) ||
         std::any_of(node.children.begin(), node.children.end(), [&](const SyntaxNode& inner) { return any_of(inner, f); });
}

/// Made of literals, enumerators and constant variables only.
bool is_constant(const SyntaxNode& node) {
  return !any_of(node, [](const SyntaxNode& inner) {
    if (inner.kind == "DeclRefExpr") {
      StringRef type = inner.type();
      return !inner.rest.contains("' EnumConstant 0x") &&
             (!type.starts_with("const ") || type.find_first_of("*[") != StringRef::npos);
    }
    StringRef opcode = inner.opcode();
    return inner.kind == "CallExpr" || inner.kind == "StmtExpr" || inner.kind == "CompoundAssignOperator" || opcode == "=" ||
           opcode == "++" || opcode == "--";
  });
}

/// May a statement stand here that is none of a block's own?
bool is_body(const SyntaxNode& parent, size_t i) {
  if (parent.kind == "IfStmt") return i > 0;
  if (parent.kind == "DoStmt") return i == 0;
  bool last = i + 1 == parent.children.size();
  return last && (parent.kind == "ForStmt" || parent.kind == "WhileStmt" || parent.kind == "SwitchStmt" ||
                  parent.kind == "CaseStmt" || parent.kind == "DefaultStmt" || parent.kind == "LabelStmt");
}

/// `# 12 "file.c" 3`
struct Marker {
  size_t begin = 0;     ///< of the line after it, which is `line` of `file`
  size_t line = 1;
  StringRef file;       ///< with its quotes
  bool system = false;  ///< a 3 says: the text of a system header
};

/// At least one, if the source was preprocessed.
std::vector<Marker> markers_of(StringRef source) {
  std::vector<Marker> found;
  for (StringRef rest = source; !rest.empty();) {
    StringRef line;
    std::tie(line, rest) = rest.split('\n');
    size_t open = line.find('"'), close = line.rfind('"');
    Marker marker;
    if (!line.consume_front("# ") || open == close || line.consumeInteger(10, marker.line)) continue;
    marker.begin = source.size() - rest.size();
    marker.file = line.substr(line.find('"'), close - open + 1);
    marker.system = line.rsplit('"').second.contains(" 3");
    found.push_back(marker);
  }
  if (found.empty()) found.push_back({.file = "\"source\""});
  return found;
}

class Checks {
 public:
  Checks(const std::string& source, StringRef diagnostics)
      : source_(source), diagnostics_(diagnostics), markers_(markers_of(source)) {}

  std::optional<std::string> run(const SyntaxNode& unit) {
    for (const SyntaxNode& declaration : unit.children)
      if (declaration.range && !is_system(declaration.range->begin)) file_scope(declaration);
    for (size_t at : warned())
      if (!is_system(at) && !is_in_tree(unit, at) && !bracket(unit, at)) return std::nullopt;
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
  using Expressions = std::vector<SourceRange>;

  /// The expression as a statement of its own, or as the first part of one, on its own line.
  std::string evaluation(SourceRange range, const char* end) const {
    return line_marker(range.begin) + "(void)(" + source_.substr(range.begin, range.end - range.begin) + ")" + end;
  }

  /// The line marker in force at a place.
  const Marker& marker_before(size_t at) const {
    auto after = std::upper_bound(markers_.begin(), markers_.end(), at,
                                  [](size_t place, const Marker& marker) { return place < marker.begin; });
    return after == markers_.begin() ? markers_.front() : *std::prev(after);
  }

  bool is_system(size_t at) const { return marker_before(at).system; }

  /// Makes what follows count as text of the line at a place.
  std::string line_marker(size_t at) const {
    const Marker& marker = marker_before(at);
    size_t lines = StringRef(source_).slice(marker.begin, std::max(at, marker.begin)).count('\n');
    return "\n# " + std::to_string(marker.line + lines) + " " + marker.file.str() + "\n";
  }

  void file_scope(const SyntaxNode& declaration) {
    if (declaration.kind == "FunctionDecl") return statement(declaration, nullptr, nullptr);
    Expressions found;
    collect_declaration(declaration, true, found);
    at_start(declaration, found);
  }

  /// Evaluates the expressions before the program starts.
  void at_start(const SyntaxNode& declaration, const Expressions& found) {
    if (found.empty()) return;
    std::string function = " __attribute__((constructor(101))) static void " + std::string(kConstantsPrefix) +
                           std::to_string(number_++) + "(void) {";
    for (const SourceRange& expression : found) function += evaluation(expression, ";");
    bool body = !declaration.children.empty() && declaration.children.back().kind == "CompoundStmt";
    size_t end = body ? declaration.range->end : after_semicolon(declaration.range->end);
    inserted_.emplace(end, function + "}" + line_marker(end));
  }

  /// After the semicolon that ends a declaration at file scope.
  size_t after_semicolon(size_t at) const {
    for (int depth = 0; at < source_.size(); at = token_end(source_, at)) {
      if (source_[at] == '{') ++depth;
      if (source_[at] == '}') --depth;
      if (source_[at] == ';' && depth <= 0) return at + 1;
    }
    return at;
  }

  /// Evaluates the expressions where a statement stands: after a declaration, before anything else.
  void beside(const SyntaxNode& place, const Expressions& found) {
    if (!place.range) return;
    if (place.kind == "DeclStmt") {
      for (const SourceRange& expression : found)
        inserted_.emplace(place.range->end, evaluation(expression, ";") + line_marker(place.range->end));
      return;
    }
    // The semicolon belongs to the statement and is not in its range.
    size_t end = place.range->end, next = end;
    while (next < source_.size() && (llvm::isSpace(source_[next]) || source_[next] == '#'))
      next = source_[next] == '#' ? std::min(source_.find('\n', next), source_.size()) : next + 1;
    if (next < source_.size() && source_[next] == ';') end = next + 1;
    for (const SourceRange& expression : found) {
      inserted_.emplace(place.range->begin, "{" + evaluation(expression, ";") + line_marker(place.range->begin));
      inserted_.emplace(end, "}");
    }
  }

  /// `all`: every initialiser is constant; else only those of static variables, arrays and structs.
  void collect_declaration(const SyntaxNode& declaration, bool all, Expressions& found) {
    bool is_static = declaration.has_word("static");
    bool initialised = declaration.kind == "VarDecl" && declaration.has_word("cinit");
    for (const SyntaxNode& inner : declaration.children) {
      if (inner.kind == "ConstantExpr" || declaration.kind == "StaticAssertDecl") {  // a value, a width, an assertion
        collect(inner, true, found);
      } else if (inner.kind == "AlignedAttr") {
        for (const SyntaxNode& value : inner.children) collect(value, true, found);
      } else if (inner.kind.ends_with("Decl")) {
        collect_declaration(inner, all, found);
      } else if (initialised && (all || is_static || inner.kind == "InitListExpr")) {
        collect(inner, all || is_static, found);
      }
    }
  }

  /// The largest constant expressions with arithmetic in them. `constant`: the whole is folded, addresses included.
  void collect(const SyntaxNode& expression, bool constant, Expressions& found) {
    if (expression.kind == "UnaryExprOrTypeTraitExpr" || expression.kind == "GenericSelectionExpr") return;
    if (!is_operator(expression) || (constant && !is_constant(expression))) {
      for (const SyntaxNode& inner : expression.children) collect(inner, constant, found);
      return;
    }
    if (expression.range && any_of(expression, is_arithmetic) && is_constant(expression)) found.push_back(*expression.range);
  }

  /// Statements of a function and what is in them. `choice`: the switch around it. `place`: the `for` whose first part it is.
  void statement(const SyntaxNode& node, const SyntaxNode* choice, const SyntaxNode* place) {
    if (node.kind == "DeclStmt") {
      Expressions found;
      collect_declaration(node, false, found);
      beside(place ? *place : node, found);
    }
    if (node.kind == "CompoundLiteralExpr" && node.range) literal(node);
    if (node.kind == "CaseStmt" && choice) label(node, *choice);
    if (node.kind == "IfStmt" || node.kind == "SwitchStmt" || node.kind == "ConditionalOperator") condition(child(node, 0));
    if (StringRef opcode = node.opcode(); node.kind == "BinaryOperator" && (opcode == "&&" || opcode == "||")) {
      condition(child(node, 0));
      condition(child(node, 1));
    }
    if (node.kind == "VarDecl" && node.has_word("static")) return;
    if (node.kind == "UnaryExprOrTypeTraitExpr" || node.kind == "ConstantExpr") return;
    for (const SyntaxNode& inner : node.children)
      statement(inner, node.kind == "SwitchStmt" ? &node : choice, node.kind == "ForStmt" ? &node : nullptr);
  }

  /// What it is made of may be copied from a constant object.
  void literal(const SyntaxNode& node) {
    Expressions found;
    for (const SyntaxNode& inner : node.children) collect(inner, false, found);
    if (found.empty()) return;
    std::string before = "(*(";
    for (const SourceRange& expression : found) before += evaluation(expression, ",");
    inserted_.emplace(node.range->begin, before + line_marker(node.range->begin) + "&");
    inserted_.emplace(node.range->end, "))");
  }

  void label(const SyntaxNode& node, const SyntaxNode& choice) {
    Expressions found;
    for (const SyntaxNode& inner : node.children)
      if (inner.kind == "ConstantExpr") collect(inner, true, found);
    const SyntaxNode* value = child(choice, 0);
    if (!value || !value->range) return;
    for (const SourceRange& expression : found)
      inserted_.emplace(value->range->begin, evaluation(expression, ",") + line_marker(value->range->begin));
  }

  /// clang folds a shift into the sign bit, which C leaves undefined, as if it were fine.
  void condition(const SyntaxNode* node) {
    bool shift = node && any_of(*node, [](const SyntaxNode& inner) {
      return inner.kind == "BinaryOperator" && inner.opcode() == "<<";
    });
    if (!shift || !is_constant(*node) || !node->range) return;
    inserted_.emplace(node->range->begin, "(" + std::string(kEvaluated) + "(), (");
    inserted_.emplace(node->range->end, "))");
  }

  /// Where clang warns.
  std::vector<size_t> warned() const {
    std::vector<size_t> found;
    SourceLines lines(source_);
    for (StringRef rest = diagnostics_; !rest.empty();) {
      StringRef text;
      std::tie(text, rest) = rest.split('\n');
      size_t line = 0, column = 0;
      if (!warns_of_fold(text) || !text.consume_front("source:") || text.consumeInteger(10, line) ||
          !text.consume_front(":") || text.consumeInteger(10, column))
        continue;
      if (std::optional<size_t> at = lines.offset(line, column)) found.push_back(*at);
    }
    return found;
  }

  /// Is there an operator of the tree at this place? Then code is made for it, or it was dealt with above.
  static bool is_in_tree(const SyntaxNode& node, size_t at) {
    bool inside = false;
    for (const SyntaxNode& inner : node.children) {
      bool attribute = inner.kind.ends_with("Attr");  // its range is its first word
      if (!attribute && inner.range && !inner.range->contains(at)) continue;
      if (is_in_tree(inner, at)) return true;
      inside |= !attribute && inner.range.has_value();
    }
    return !inside && node.range && (is_operator(node) || node.kind == "CompoundAssignOperator");
  }

  /// Lengths of arrays and designators are in no tree: evaluates what stands in the square brackets around a place.
  bool bracket(const SyntaxNode& unit, size_t at) {
    for (const SyntaxNode& declaration : unit.children) {
      if (!declaration.range || !declaration.range->contains(at)) continue;
      std::optional<SourceRange> inside = brackets(declaration.range->begin, at);
      if (!inside) return false;
      if (!brackets_.emplace(inside->begin).second) return true;
      if (const SyntaxNode* place = slot(declaration, at, nullptr)) {
        beside(*place, {*inside});
      } else {
        at_start(declaration, {*inside});
      }
      return true;
    }
    return false;
  }

  /// The text in the innermost square brackets around a place. `begin`: the beginning of some token before it.
  std::optional<SourceRange> brackets(size_t begin, size_t at) const {
    std::vector<size_t> open;
    for (size_t i = begin; i < source_.size(); i = token_end(source_, i)) {
      if (source_[i] == '[') open.push_back(i);
      if (source_[i] != ']') continue;
      if (open.empty()) return std::nullopt;
      if (open.back() < at && at < i) return SourceRange{open.back() + 1, i};
      open.pop_back();
    }
    return std::nullopt;
  }

  /// The innermost statement around a place; null if it is in no body of a function.
  static const SyntaxNode* slot(const SyntaxNode& node, size_t at, const SyntaxNode* found) {
    for (size_t i = 0; i < node.children.size(); ++i) {
      const SyntaxNode& inner = node.children[i];
      if (!inner.range || !inner.range->contains(at)) continue;
      bool statement = node.kind == "CompoundStmt" || is_body(node, i);
      if (const SyntaxNode* deeper = slot(inner, at, statement ? &inner : found)) return deeper;
    }
    return found;
  }

  const std::string& source_;
  StringRef diagnostics_;
  std::vector<Marker> markers_;
  std::multimap<size_t, std::string> inserted_;
  std::set<size_t> brackets_;  ///< those that are evaluated already
  unsigned number_ = 0;
};

constexpr StringRef kWarnings[] = {"integer-overflow",     "division-by-zero", "shift-count-negative",
                                   "shift-count-overflow", "shift-overflow",   "shift-sign-overflow",
                                   "shift-negative-value"};

}  // namespace

std::vector<std::string> fold_warnings() {
  std::vector<std::string> flags;
  for (StringRef name : kWarnings)
    for (const char* prefix : {"-W", "-Wno-error="}) flags.push_back(prefix + name.str());
  return flags;
}

bool warns_of_fold(std::string_view diagnostics) {
  return std::any_of(std::begin(kWarnings), std::end(kWarnings),
                     [&](StringRef name) { return StringRef(diagnostics).contains("[-W" + name.str() + "]"); });
}

std::optional<std::string> check_folded(const std::string& source, std::string_view tree, std::string_view diagnostics) {
  return Checks(source, diagnostics).run(read_syntax_tree(tree, source));
}

std::string refuse_folded(const std::string& file) {
  return "# 1 \"" + file + "\"\nvoid __whittle_unsupported(const char*); __attribute__((constructor(101))) static void " +
         std::string(kConstantsPrefix) + "refused(void) { __whittle_unsupported(\"arithmetic in constant expressions of " + file +
         "\"); }\n";
}

}  // namespace whittle::frontend
