#include "program/term_parser.h"

#include <algorithm>
#include <cctype>

#include "base/nearest.h"
#include "program/words.h"
#include "term/op.h"

namespace whittle::program {

using term::Op;
using term::Term;

namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_hex(char c) { return std::isxdigit(static_cast<unsigned char>(c)); }
unsigned hex_value(char c) { return is_digit(c) ? c - '0' : static_cast<unsigned>(std::tolower(c) - 'a' + 10); }

}  // namespace

void Cursor::spaces() {
  while (at_ < line_.size() && std::isspace(static_cast<unsigned char>(line_[at_]))) ++at_;
  if (line_.substr(at_).starts_with("//")) at_ = line_.size();
  mark_ = at_;
}

bool Cursor::at_end() {
  spaces();
  return at_ == line_.size();
}

bool Cursor::peek(std::string_view sign) {
  spaces();
  return line_.substr(at_).starts_with(sign);
}

bool Cursor::accept(std::string_view sign) {
  if (!peek(sign)) return false;
  at_ += sign.size();
  return true;
}

bool Cursor::accept_word(std::string_view word) {
  if (!peek(word) || is_word(next(word.size()))) return false;
  at_ += word.size();
  return true;
}

void Cursor::expect(std::string_view sign) {
  if (!accept(sign)) fail("expected `{}`", sign);
}

std::optional<std::string> Cursor::word() {
  spaces();
  if (!is_word(next()) || is_digit(next())) return std::nullopt;
  size_t from = at_;
  while (is_word(next()) || ((next() == '-' || next() == '.') && is_word(next(1)))) ++at_;
  return std::string(line_.substr(from, at_ - from));
}

std::string Cursor::word(std::string_view what) {
  auto answer = word();
  if (!answer) fail("expected {}", what);
  return *answer;
}

u128 Cursor::wide_number(std::string_view what) {
  spaces();
  bool minus = next() == '-' && is_digit(next(1));
  if (minus) skip(1);
  if (!is_digit(next())) fail("expected {}", what);
  bool hex = next() == '0' && next(1) == 'x';
  if (hex) skip(2);
  if (hex && !is_hex(next())) fail("expected a digit after 0x");
  u128 value = 0;
  unsigned base = hex ? 16 : 10;
  for (; hex ? is_hex(next()) : is_digit(next()); ++at_) {
    if (value > (~u128{0} - hex_value(next())) / base) fail("the number is too large");
    value = value * base + hex_value(next());
  }
  return minus ? -value : value;
}

uint64_t Cursor::number(std::string_view what) {
  if (peek("-")) fail("expected {}", what);
  u128 value = wide_number(what);
  if (value > UINT64_MAX) fail("the number is too large");
  return static_cast<uint64_t>(value);
}

std::string Cursor::quoted(std::string_view what) {
  if (!accept("\"")) fail("expected {} in quotes", what);
  std::string text;
  while (next() != '"') {
    if (at_ >= line_.size()) fail("a quote is not closed");
    char c = next();
    skip(1);
    if (c != '\\') {
      text += c;
      continue;
    }
    char escape = next();
    skip(1);
    switch (escape) {
      case 'n': text += '\n'; break;
      case 't': text += '\t'; break;
      case '"':
      case '\\': text += escape; break;
      case 'x':
        if (!is_hex(next()) || !is_hex(next(1))) fail("expected two digits after \\x");
        text += static_cast<char>(hex_value(next()) * 16 + hex_value(next(1)));
        skip(2);
        break;
      default: fail("unknown escape `\\{}`", escape);
    }
  }
  skip(1);
  return text;
}

std::vector<uint8_t> Cursor::hex_bytes() {
  expect("0x");
  std::vector<uint8_t> bytes;
  for (; is_hex(next()) && is_hex(next(1)); skip(2))
    bytes.push_back(static_cast<uint8_t>(hex_value(next()) * 16 + hex_value(next(1))));
  if (is_word(next())) fail("expected pairs of hexadecimal digits");
  return bytes;
}

Term TermParser::parse(unsigned expected) {
  Term term = primary(expected);
  while (cursor_.next() == '[') {
    cursor_.skip(1);
    uint64_t high = cursor_.number("the highest bit");
    cursor_.expect(":");
    uint64_t low = cursor_.number("the lowest bit");
    cursor_.expect("]");
    if (low > high || high >= term.width())
      cursor_.fail("a term of {} bits has no bits {}:{}", term.width(), high, low);
    Term kids[] = {term};
    term = program_.terms().make(Op::Extract, kids, static_cast<unsigned>(high - low + 1), static_cast<unsigned>(low));
  }
  return term;
}

Term TermParser::primary(unsigned expected) {
  term::Store& store = program_.terms();
  if (cursor_.accept("(")) return parenthesis(expected);
  if (cursor_.accept("$")) return shared();
  if (cursor_.peek("&") || cursor_.peek("@")) return address();
  if (is_digit(cursor_.next()) || (cursor_.next() == '-' && is_digit(cursor_.next(1)))) return constant(expected);
  if (cursor_.accept("-")) return store.neg(parse(expected));
  if (cursor_.peek("!") || cursor_.peek("~")) {
    bool boolean = cursor_.next() == '!';
    cursor_.skip(1);
    Term kid = parse(boolean ? 1 : expected);
    if (boolean && kid.width() != 1) cursor_.fail("`!` needs one bit, not {}", kid.width());
    return store.bnot(kid);
  }
  std::string word = cursor_.word("a term");
  return cursor_.next() == '(' ? operation(word) : register_named(word);
}

Term TermParser::parenthesis(unsigned expected) {
  Term left = parse(expected);
  if (cursor_.accept(")")) return left;
  if (cursor_.accept("?")) {
    if (left.width() != 1) cursor_.fail("a condition has one bit, not {}", left.width());
    Term then = parse(expected);
    cursor_.expect(":");
    Term otherwise = parse(then.width());
    same_width(then, otherwise);
    cursor_.expect(")");
    return program_.terms().ite(left, then, otherwise);
  }
  Term term = infix(left);
  cursor_.expect(")");
  return term;
}

Term TermParser::infix(Term left) {
  // The longest sign that fits, so that `<` never hides `<=`.
  const words::Infix* best = nullptr;
  bool negated = false;
  auto look = [&](const auto& table, bool is_negated) {
    for (const words::Infix& row : table)
      if (cursor_.peek(row.symbol) && (!best || row.symbol.size() > best->symbol.size()))
        best = &row, negated = is_negated;
  };
  look(words::kInfix, false);
  look(words::kNegated, true);
  if (!best) cursor_.fail("expected an operator or `)`");
  cursor_.expect(best->symbol);
  Term right = parse(best->op == Op::Concat ? 0 : left.width());
  if (best->op != Op::Concat) same_width(left, right);
  if (best->op == Op::Concat && left.width() + right.width() > 128) cursor_.fail("the result has more than 128 bits");
  if (term::is_float_op(best->op) && left.width() != 32 && left.width() != 64)
    cursor_.fail("floating-point operations need 32 or 64 bits, not {}", left.width());
  Term kids[] = {left, right};
  Term term = program_.terms().make(best->op, kids);
  return negated ? program_.terms().bnot(term) : term;
}

void TermParser::same_width(Term a, Term b) {
  if (a.width() != b.width()) cursor_.fail("operands of {} and {} bits", a.width(), b.width());
}

Term TermParser::constant(unsigned expected) {
  u128 value = cursor_.wide_number("a number");
  if (cursor_.next() == ':' && is_digit(cursor_.next(1))) {
    cursor_.skip(1);
    uint64_t width = cursor_.number("a width");
    if (width == 0 || width > 128) cursor_.fail("a width is from 1 to 128");
    expected = static_cast<unsigned>(width);
  }
  if (expected == 0) cursor_.fail("the width of this constant is not clear: write it after a colon");
  if (value > mask128(expected) && -value > mask128(expected))
    cursor_.fail("the constant has more than {} bits", expected);
  return program_.terms().constant(expected, value);
}

Term TermParser::address() {
  bool object = cursor_.next() == '&';
  cursor_.skip(1);
  uint64_t value;
  if (object) {
    value = program_.objects[parse_symbol(symbols_.objects, "object")].address;
    if (cursor_.next() == '+') cursor_.skip(1), value += cursor_.number("an offset");
  } else {
    value = Program::function_address(parse_symbol(symbols_.functions, "function"));
  }
  return program_.terms().constant(program_.pointer_width(), value);
}

uint32_t TermParser::parse_symbol(const std::unordered_map<std::string, uint32_t>& table, std::string_view what) {
  if (cursor_.accept("#")) {
    uint64_t id = cursor_.number("a number");
    if (id >= (what == "object" ? program_.objects.size() : program_.functions.size()))
      cursor_.fail("there is no {} {}", what, id);
    return static_cast<uint32_t>(id);
  }
  std::string word = cursor_.word(what);
  auto found = table.find(word);
  if (found == table.end()) {
    std::vector<std::string> names;
    for (const auto& [known, id] : table) names.push_back(known);
    std::sort(names.begin(), names.end());
    cursor_.fail("there is no {} `{}`{}", what, word, suggestion(word, names));
  }
  return found->second;
}

Term TermParser::shared() {
  uint64_t number = cursor_.number("a number");
  if (cursor_.next() == '=') {
    cursor_.skip(1);
    return shared_[number] = primary(0);
  }
  auto found = shared_.find(number);
  if (found == shared_.end()) cursor_.fail("${} is used before it is given", number);
  return found->second;
}

Term TermParser::operation(const std::string& word) {
  size_t dot = word.find('.');
  std::string base = word.substr(0, dot);
  for (unsigned i = 0; i < term::kOpCount; ++i) {
    Op op = static_cast<Op>(i);
    if (name(op) != base || term::arity_of(op) != 1 || op == Op::Extract) continue;
    unsigned width = 0;
    if (term::width_is_told(op)) {
      if (dot == std::string::npos) cursor_.fail("`{}` needs a width: {}.32(...)", base, base);
      std::string digits = word.substr(dot + 1);
      if (digits.size() > 3 || !std::all_of(digits.begin(), digits.end(), is_digit))
        cursor_.fail("a width is from 1 to 128");
      width = static_cast<unsigned>(std::stoul(digits));
    }
    cursor_.expect("(");
    Term kids[] = {parse(op == Op::Read ? program_.pointer_width() : 0)};
    cursor_.expect(")");
    bool wider = op == Op::ZExt || op == Op::SExt;
    if (width > 128 || (term::width_is_told(op) && width == 0)) cursor_.fail("a width is from 1 to 128");
    if (wider && width < kids[0].width()) cursor_.fail("`{}` makes {} bits of {}", base, width, kids[0].width());
    if (op == Op::Read && width % 8 != 0) cursor_.fail("memory is read in whole bytes");
    auto is_float = [](unsigned w) { return w == 32 || w == 64; };
    bool from_float = term::is_float_op(op) && op != Op::UIntToF && op != Op::SIntToF;
    bool to_float = op == Op::FToFloat || op == Op::UIntToF || op == Op::SIntToF;
    if ((from_float && !is_float(kids[0].width())) || (to_float && !is_float(width)))
      cursor_.fail("`{}` is about floats of 32 or 64 bits", base);
    return program_.terms().make(op, kids, width);
  }
  cursor_.fail("there is no operation `{}`", base);
}

std::optional<RegisterId> TermParser::register_number(const std::string& word) {
  size_t dot = word.find('.');
  std::string digits = dot != std::string::npos ? word.substr(dot + 1) : word[0] == 'r' ? word.substr(1) : "";
  if (digits.empty() || digits.size() > 9 || !std::all_of(digits.begin(), digits.end(), is_digit)) return std::nullopt;
  auto id = static_cast<RegisterId>(std::stoul(digits));
  const Function& function = program_.functions[function_];
  if (id >= function.registers.size() || words::register_name(function, id) != word) return std::nullopt;
  return id;
}

Term TermParser::register_named(const std::string& word) {
  auto id = register_number(word);
  if (!id) {
    std::vector<std::string> names;
    const Function& function = program_.functions[function_];
    for (RegisterId r = 0; r < function.registers.size(); ++r) names.push_back(words::register_name(function, r));
    cursor_.fail("there is no register `{}`{}", word, suggestion(word, names));
  }
  return program_.functions[function_].registers[*id].variable;
}

RegisterId TermParser::parse_register() {
  std::string word = cursor_.word("a register");
  return program_.register_of(register_named(word)).reg;
}

}  // namespace whittle::program
