// Does a source look as if clang could fold undefined arithmetic in it? Looks at words only.
#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringRef.h>

#include <optional>
#include <set>
#include <vector>

#include "frontend/folded.h"

namespace whittle::frontend {
namespace {

using llvm::StringRef;

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

/// Is there an operation before the brace that closes, and no semicolon: a compound literal, no body of a statement?
bool is_literal_with_operation(llvm::ArrayRef<StringRef> words, const std::set<StringRef>& macros) {
  bool found = false;
  int depth = 0;
  for (size_t i = 0; i < words.size() && words[i] != ";"; ++i) {
    if (words[i] == "{") ++depth;
    if (words[i] == "}" && --depth < 0) return found;
    found |= is_operation(words, i) || macros.contains(words[i]);
  }
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
    if (word == ")" && next == "{" && is_literal_with_operation(llvm::ArrayRef(words).drop_front(i + 2), macros)) return true;
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

}  // namespace whittle::frontend
