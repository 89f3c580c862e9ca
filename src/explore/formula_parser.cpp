// Recursive descent over the text itself: what an atom is depends on what surrounds it, so there is no separate lexer.

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>

#include "base/error.h"
#include "explore/formula.h"

namespace whittle::explore {
namespace {

bool is_name_char(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$'; }
bool is_blank(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

class Parser {
 public:
  Parser(std::string_view text, const AtomBinder& bind) : text_(text), bind_(bind) {}

  Formula parse() {
    uint32_t root = equivalence();
    skip();
    if (at_ != text_.size())
      fail(at_, text_[at_] == ')' || text_[at_] == ']' ? "closing bracket without an opening one"
                                                       : "end of formula expected");
    formula_.set_root(root, std::string(text_));
    return std::move(formula_);
  }

 private:
  static constexpr int kDeepest = 300;
  static constexpr uint32_t kLargest = 3000;  ///< subformulas: whoever walks over them may do so by recursion

  [[noreturn]] void fail(size_t at, const std::string& why) const {
    fail_input("formula, column {}: {}\n  {}\n  {}^", at + 1, why, text_, std::string(at, ' '));
  }

  void skip() {
    while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
  }
  bool looking_at(size_t at, std::string_view what) const {
    if (text_.substr(at, what.size()) != what) return false;
    return !is_name_char(what[0]) || at + what.size() == text_.size() || !is_name_char(text_[at + what.size()]);
  }
  bool accept(std::initializer_list<std::string_view> spellings) {
    skip();
    for (std::string_view what : spellings)
      if (looking_at(at_, what)) {
        at_ += what.size();
        return true;
      }
    return false;
  }

  uint32_t equivalence() {
    if (++depth_ > kDeepest) fail(at_, "nested too deeply");
    uint32_t f = implication();
    if (accept({"<->", "<=>"})) {
      uint32_t g = equivalence();
      uint32_t neither = formula_.make_and(formula_.make_not(f), formula_.make_not(g));
      f = formula_.make_or(formula_.make_and(f, g), neither);
    }
    --depth_;
    return f;
  }
  uint32_t implication() {
    uint32_t f = disjunction();
    if (!accept({"->", "=>"})) return f;
    if (++depth_ > kDeepest) fail(at_, "nested too deeply");
    f = formula_.make_or(formula_.make_not(f), implication());
    --depth_;
    return f;
  }
  uint32_t disjunction() {
    uint32_t f = conjunction();
    while (accept({"||", "|", "or"})) f = formula_.make_or(f, conjunction());
    return f;
  }
  uint32_t conjunction() {
    if (formula_.size() > kLargest) fail(at_, "the formula is too large");
    uint32_t f = unary();
    while (accept({"&&", "&", "and"})) {
      if (formula_.size() > kLargest) fail(at_, "the formula is too large");
      f = formula_.make_and(f, unary());
    }
    return f;
  }

  uint32_t unary() {
    if (++depth_ > kDeepest) fail(at_, "nested too deeply");
    uint32_t f = unary_inside();
    --depth_;
    return f;
  }

  uint32_t unary_inside() {
    skip();
    size_t start = at_;
    if (at_ == text_.size()) fail(at_, "formula expected");
    bool unequal = text_.substr(at_, 2) == "!=";
    if (!unequal && accept({"!", "~", "not"})) return formula_.make_not(unary());
    if (is_word_formula("AG") && accept({"AG"})) return formula_.make_release(true, falsehood(), unary());
    if (is_word_formula("EG") && accept({"EG"})) return formula_.make_release(false, falsehood(), unary());
    if (is_word_formula("AF") && accept({"AF"})) return formula_.make_until(true, formula_.make_true(), unary());
    if (is_word_formula("EF") && accept({"EF"})) return formula_.make_until(false, formula_.make_true(), unary());
    for (std::string_view quantifier : {"A", "E"})
      if (is_word_formula(quantifier) && is_path_formula(start + 1)) {
        at_ = start + 1;
        return path_formula(quantifier == "A");
      }
    if (text_[at_] == '(' && is_group(at_)) {
      ++at_;
      uint32_t f = equivalence();
      if (!accept({")"})) fail(at_, fmt::format("the bracket of column {} is not closed", start + 1));
      return f;
    }
    if (text_[at_] == '{') return braced_atom();
    return atom();
  }

  uint32_t falsehood() { return formula_.make_not(formula_.make_true()); }

  /// A name that could be an operator is one unless it continues as an expression does: AG == 3 is about a variable.
  bool is_word_formula(std::string_view word) const {
    if (!looking_at(at_, word)) return false;
    size_t next = at_ + word.size();
    while (next < text_.size() && is_blank(text_[next])) ++next;
    if (next == text_.size()) return word.size() == 2;
    return std::string_view("=<>+-*/%^.),]?:&|").find(text_[next]) == std::string_view::npos && !looking_at(next, "!=");
  }

  /// End of the bracket that opens here, or npos.
  size_t closing(size_t open) const {
    std::string expected;
    for (size_t i = open; i < text_.size(); ++i) {
      char c = text_[i];
      if (c == '(') expected += ')';
      if (c == '[') expected += ']';
      if (c == '{') expected += '}';
      if (c != ')' && c != ']' && c != '}') continue;
      if (expected.empty() || expected.back() != c) return std::string_view::npos;
      expected.pop_back();
      if (expected.empty()) return i;
    }
    return std::string_view::npos;
  }

  /// Position of a lone U, R, V or W between `from` and `to`, outside brackets; npos if there is none.
  size_t path_operator(size_t from, size_t to) const {
    for (size_t i = from; i < to; ++i) {
      char c = text_[i];
      if (c == '(' || c == '[' || c == '{') {
        size_t end = closing(i);
        if (end == std::string_view::npos) return end;
        i = end;
      } else if (is_path_letter(i)) {
        return i;
      }
    }
    return std::string_view::npos;
  }
  bool is_path_letter(size_t i) const {
    return i < text_.size() && std::string_view("URVW").find(text_[i]) != std::string_view::npos &&
           (i == 0 || !is_name_char(text_[i - 1])) && (i + 1 == text_.size() || !is_name_char(text_[i + 1]));
  }

  /// After A or E: is this a quantifier, or the name of an array, a function, a variable?
  bool is_path_formula(size_t at) const {
    while (at < text_.size() && is_blank(text_[at])) ++at;
    if (at == text_.size()) return false;
    if (text_[at] == '[' || text_[at] == '(') {
      size_t end = closing(at);
      bool inside = path_operator(at + 1, std::min(end, text_.size())) != std::string_view::npos;
      if (inside || text_[at] == '[') return inside;
    }
    return path_operator(at, text_.size()) != std::string_view::npos;
  }

  uint32_t path_formula(bool always) {
    skip();
    size_t open = at_;
    char bracket = text_[at_];
    size_t end = bracket == '[' || bracket == '(' ? closing(at_) : std::string_view::npos;
    bool inside =
        bracket == '[' || (end != std::string_view::npos && path_operator(at_ + 1, end) != std::string_view::npos);
    if (inside) ++at_;
    uint32_t left = inside ? equivalence() : unary();
    skip();
    if (!is_path_letter(at_)) fail(at_, "U, R or W expected");
    char letter = text_[at_++];
    uint32_t right = inside ? equivalence() : unary();
    if (inside && !accept({bracket == '[' ? "]" : ")"}))
      fail(at_, fmt::format("the bracket of column {} is not closed", open + 1));
    if (letter == 'U') return formula_.make_until(always, left, right);
    if (letter == 'W') return formula_.make_weak_until(always, left, right);
    return formula_.make_release(always, left, right);
  }

  /// Does the bracket enclose a formula, or is it the beginning of an atom such as (a + b) == c or (int)x < 3?
  bool is_group(size_t open) const {
    size_t next = closing(open);
    if (next == std::string_view::npos) return true;
    do ++next;
    while (next < text_.size() && is_blank(text_[next]));
    if (next == text_.size()) return true;
    for (std::string_view connective :
         {"&&", "||", "->", "=>", "<->", "<=>", "&", "|", "and", "or", ")", "]", "}", "U", "R", "V", "W"})
      if (looking_at(next, connective)) return connective != "->" || !is_member(next);
    return false;
  }

  /// Is the `->` here a member access?
  bool is_member(size_t arrow) const {
    if (arrow == 0 || arrow + 2 >= text_.size() || !is_name_char(text_[arrow + 2])) return false;
    char before = text_[arrow - 1];
    return is_name_char(before) || before == ']' || before == ')';
  }

  uint32_t braced_atom() {
    size_t end = closing(at_);
    if (end == std::string_view::npos) fail(at_, "this brace is not closed");
    uint32_t f = bound(text_.substr(at_ + 1, end - at_ - 1), at_ + 1);
    at_ = end + 1;
    return f;
  }

  bool atom_ends(size_t i, bool compared) const {
    char c = text_[i];
    if (c == ')' || c == ']' || c == '}' || c == '&' || c == '|') return true;
    if (looking_at(i, "=>") || looking_at(i, "<->") || looking_at(i, "<=>")) return true;
    if (looking_at(i, "->")) return compared || !is_member(i);
    if (!is_name_char(c) || (i > 0 && is_name_char(text_[i - 1]))) return false;
    return looking_at(i, "and") || looking_at(i, "or") || is_path_letter(i);
  }

  uint32_t atom() {
    size_t start = at_;
    bool compared = false;
    size_t i = start;
    while (i < text_.size() && !(i > start && atom_ends(i, compared)) && text_[i] != '&' && text_[i] != '|') {
      char c = text_[i];
      if (c == '(' || c == '[' || c == '{') {
        size_t end = closing(i);
        if (end == std::string_view::npos) fail(i, "this bracket is not closed");
        i = end + 1;
        continue;
      }
      if (i == start && (c == ')' || c == ']' || c == '}')) fail(i, "formula expected");
      if (c == '-' && i + 1 < text_.size() && text_[i + 1] == '>')
        ++i;  // a member: both characters belong to it
      else if (c == '=' || c == '<' || c == '>' || c == '!')
        compared = true;
      ++i;
    }
    if (i == start) fail(start, "formula expected");
    at_ = i;
    std::string_view text = text_.substr(start, i - start);
    while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
    if (text == "true" || text == "TT" || text == "1") return formula_.make_true();
    if (text == "false" || text == "FF" || text == "0") return falsehood();
    if (std::isdigit(static_cast<unsigned char>(text[0])) && std::all_of(text.begin(), text.end(), is_name_char))
      fail(start, "a number is no condition; a C expression with & or | goes into braces: {flags & 4}");
    if ((looking_at(start, "AX") || looking_at(start, "EX")) && text.find('(') == 2)
      fail(start, "there is no X, because reductions do not preserve it");
    return bound(text, start);
  }

  uint32_t bound(std::string_view text, size_t column) {
    std::string key = with_double_equals(text);
    auto known = atoms_.find(key);
    if (known != atoms_.end()) return formula_.make_atom(known->second);
    uint32_t number = 0;
    try {
      number = bind_(key);
    } catch (const Error& error) {
      fail(column, error.what());
    }
    if (number >= 64) fail(column, "more than 64 different atoms");
    atoms_.emplace(key, number);
    return formula_.make_atom(number);
  }

  static std::string with_double_equals(std::string_view text) {
    std::string result;
    for (size_t i = 0; i < text.size(); ++i) {
      result += text[i];
      if (text[i] != '=') continue;
      bool part = (i > 0 && std::string_view("=!<>").find(text[i - 1]) != std::string_view::npos) ||
                  (i + 1 < text.size() && text[i + 1] == '=');
      if (!part) result += '=';
    }
    return result;
  }

  std::string_view text_;
  const AtomBinder& bind_;
  Formula formula_;
  std::map<std::string, uint32_t> atoms_;
  size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

Formula parse_formula(std::string_view text, const AtomBinder& bind) { return Parser(text, bind).parse(); }

}  // namespace whittle::explore
