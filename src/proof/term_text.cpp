#include "proof/term_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <unordered_map>

#include "base/error.h"
#include "term/op.h"

namespace whittle::proof {

using term::Op;
using term::Term;

namespace {

std::string hex(u128 value) {
  if (value <= 0xffff'ffffu) return fmt::format("{}", static_cast<uint64_t>(value));
  std::string digits;
  for (; value != 0; value >>= 4) digits += "0123456789abcdef"[static_cast<unsigned>(value & 15)];
  return "0x" + std::string(digits.rbegin(), digits.rend());
}

class Writer {
 public:
  Writer(const program::Program& program, const FunctionProof& scope, std::span<const Object> objects)
      : program_(program), scope_(scope), objects_(objects) {}

  std::string write(Term root) {
    count(root);
    std::string body = term(root);
    std::string out;
    for (const std::string& part : parts_) out += "(let " + part + " ";
    out += body;
    out.append(parts_.size(), ')');
    return out;
  }

 private:
  void count(Term root) {
    std::vector<Term> todo{root};
    while (!todo.empty()) {
      Term t = todo.back();
      todo.pop_back();
      if (++uses_[t] > 1) continue;
      for (unsigned i = 0; i < t.arity(); ++i) todo.push_back(t.kid(i));
    }
  }

  std::string term(Term t) {
    if (t.is_constant()) return fmt::format("{}:{}", hex(t.value()), t.width());
    if (t.is_variable()) return variable(t);
    if (auto it = names_.find(t); it != names_.end()) return fmt::format("${}", it->second);
    std::string text = fmt::format("({}", term::name(t.op()));
    const Op op = t.op();
    if (op == Op::Extract)
      text += fmt::format(".{}.{}", t.width(), t.low());
    else if (term::width_is_told(op))
      text += fmt::format(".{}", t.width());
    for (unsigned i = 0; i < t.arity(); ++i) text += " " + term(t.kid(i));
    text += ")";
    if (uses_[t] < 2) return text;
    names_[t] = parts_.size();
    parts_.push_back(std::move(text));
    return fmt::format("${}", parts_.size() - 1);
  }

  std::string variable(Term t) {
    if (scope_.result == t) return "?result";
    if (scope_.element == t) return "?n";
    auto ghost = std::find(scope_.ghosts.begin(), scope_.ghosts.end(), t);
    if (ghost != scope_.ghosts.end()) return fmt::format("?{}", ghost - scope_.ghosts.begin());
    auto object = std::find_if(objects_.begin(), objects_.end(), [&](const Object& o) { return o.address == t; });
    if (object != objects_.end()) return fmt::format("@{}", object - objects_.begin());
    for (size_t i = 0; i < objects_.size(); ++i) {
      if (objects_[i].there == t) return fmt::format("@{}.there", i);
      if (objects_[i].size == t) return fmt::format("@{}.size", i);
    }
    program::Program::RegisterRef ref = program_.register_of(t);
    const bool any = scope_.function == program::kNone;
    if (ref.function == program::kNone || (!any && ref.function != scope_.function))
      fail_internal("a proof is about a variable that is none of its own");
    const std::string& name = program_.functions[ref.function].registers[ref.reg].name;
    const std::string of = any ? fmt::format(".{}", ref.function) : "";
    return fmt::format("{}{}.{}", name.empty() ? "r" : name, of, ref.reg);
  }

  const program::Program& program_;
  const FunctionProof& scope_;
  std::span<const Object> objects_;
  std::unordered_map<Term, unsigned> uses_;
  std::unordered_map<Term, size_t> names_;
  std::vector<std::string> parts_;
};

class Reader {
 public:
  Reader(const program::Program& program, const FunctionProof& scope, std::string_view text,
         std::span<const Object> objects)
      : program_(program), scope_(scope), objects_(objects), text_(text) {}

  Term read() {
    Term t = term(0);
    if (!word().empty()) fail("text after the term");
    return t;
  }

 private:
  [[noreturn]] void fail(std::string_view what) const { fail_input("proof: {} in \"{}\"", what, shorten(text_)); }

  std::string_view word() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    size_t start = at_;
    if (at_ < text_.size() && (text_[at_] == '(' || text_[at_] == ')')) return text_.substr(at_++, 1);
    while (at_ < text_.size() && text_[at_] != ' ' && text_[at_] != '(' && text_[at_] != ')') ++at_;
    return text_.substr(start, at_ - start);
  }

  uint64_t number(std::string_view text) const {
    uint64_t value = 0;
    auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) fail("a number is missing");
    return value;
  }

  Term term(unsigned depth) {
    if (depth > 20'000) fail("a term too deep");
    std::string_view w = word();
    if (w.empty()) fail("the end comes too early");
    return w == "(" ? operation(depth) : leaf(w);
  }

  Term leaf(std::string_view w) {
    if (w[0] == '$') {
      uint64_t n = number(w.substr(1));
      if (n >= parts_.size()) fail("an unknown part");
      return parts_[n];
    }
    if (w == "?n") {
      if (!scope_.element) fail("an element where there are none");
      return scope_.element;
    }
    if (w == "?result") {
      if (!scope_.result) fail("a result of a function that has none");
      return scope_.result;
    }
    if (w[0] == '?') {
      uint64_t n = number(w.substr(1));
      if (n >= scope_.ghosts.size()) fail("an unknown ghost");
      return scope_.ghosts[n];
    }
    if (w[0] == '@') {
      const size_t dot = std::min(w.find('.'), w.size());
      const uint64_t n = number(w.substr(1, dot - 1));
      if (n >= objects_.size()) fail("an unknown object");
      const std::string_view what = w.substr(dot);
      const Term t = what.empty()       ? objects_[n].address
                     : what == ".there" ? objects_[n].there
                     : what == ".size"  ? objects_[n].size
                                        : Term();
      if (!t) fail("nothing that is known of an object");
      return t;
    }
    if (w[0] >= '0' && w[0] <= '9') return constant(w);
    size_t dot = w.rfind('.');
    if (dot == std::string_view::npos) fail("a word that is no term");
    uint64_t reg = number(w.substr(dot + 1)), function = scope_.function;
    if (scope_.function == program::kNone) {
      const size_t before = w.substr(0, dot).rfind('.');
      if (before == std::string_view::npos) fail("a register without its function");
      function = number(w.substr(before + 1, dot - before - 1));
      if (function >= program_.functions.size()) fail("an unknown function");
    }
    const auto& registers = program_.functions[function].registers;
    if (reg >= registers.size()) fail("an unknown register");
    return registers[reg].variable;
  }

  Term constant(std::string_view w) {
    size_t colon = w.find(':');
    if (colon == std::string_view::npos) fail("a constant without width");
    uint64_t width = number(w.substr(colon + 1));
    if (width < 1 || width > 128) fail("a width out of range");
    std::string_view digits = w.substr(0, colon);
    if (!digits.starts_with("0x")) return store().constant(static_cast<unsigned>(width), number(digits));
    u128 value = 0;
    for (char c : digits.substr(2)) {
      int digit = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
      if (digit < 0 || (value >> 124) != 0) fail("a bad constant");
      value = value << 4 | static_cast<unsigned>(digit);
    }
    return store().constant(static_cast<unsigned>(width), value);
  }

  Term operation(unsigned depth) {
    std::string_view head = word();
    if (head == "let") {
      parts_.push_back(term(depth + 1));
      Term body = term(depth + 1);
      if (word() != ")") fail("a missing parenthesis");
      return body;
    }
    std::vector<uint64_t> figures;
    std::string_view name = head.substr(0, head.find('.'));
    for (size_t dot = head.find('.'); dot != std::string_view::npos;) {
      size_t next = head.find('.', dot + 1);
      figures.push_back(number(head.substr(dot + 1, next == std::string_view::npos ? next : next - dot - 1)));
      dot = next;
    }
    Op op{};
    bool known = false;
    for (unsigned i = 0; i < term::kOpCount; ++i)
      if (term::name(static_cast<Op>(i)) == name) op = static_cast<Op>(i), known = true;
    if (!known || op == Op::Constant || op == Op::Variable) fail("an unknown operation");
    std::vector<Term> kids;
    while (true) {
      size_t before = at_;
      std::string_view w = word();
      if (w == ")") break;
      at_ = before;
      kids.push_back(term(depth + 1));
    }
    return make(op, kids, figures);
  }

  Term make(Op op, const std::vector<Term>& kids, const std::vector<uint64_t>& figures) {
    const bool sized = term::width_is_told(op);
    if (figures.size() != (op == Op::Extract ? 2u : sized ? 1u : 0u)) fail("an operation with wrong figures");
    uint64_t width = figures.empty() ? 0 : figures[0], low = op == Op::Extract ? figures[1] : 0;
    if (sized && (width < 1 || width > 128)) fail("a width out of range");
    const unsigned arity = term::arity_of(op);
    if (kids.size() != arity) fail("a wrong number of operands");
    const unsigned w = kids[0].width();
    bool fits = true;
    if (op == Op::Ite)
      fits = w == 1 && kids[1].width() == kids[2].width();
    else if (arity == 2 && op != Op::Concat)
      fits = w == kids[1].width();
    else if (op == Op::Concat)
      fits = w + kids[1].width() <= 128;
    else if (op == Op::Extract)
      fits = low < w && width <= w - low;
    else if (op == Op::ZExt || op == Op::SExt)
      fits = width >= w;
    else if (op == Op::Read)
      fits = width % 8 == 0 && w == program_.pointer_width();
    const bool float_operands =
        (op >= Op::FAdd && op <= Op::FIsNan) || op == Op::FToFloat || op == Op::FToUInt || op == Op::FToSInt;
    if (float_operands) fits = fits && (w == 32 || w == 64);
    if (op == Op::FToFloat || op == Op::UIntToF || op == Op::SIntToF) fits = fits && (width == 32 || width == 64);
    if (!fits) fail("operands whose widths do not fit");
    return store().make(op, kids, static_cast<unsigned>(width), static_cast<unsigned>(low));
  }

  term::Store& store() const { return program_.terms(); }

  const program::Program& program_;
  const FunctionProof& scope_;
  std::span<const Object> objects_;
  std::string_view text_;
  size_t at_ = 0;
  std::vector<Term> parts_;
};

}  // namespace

std::string shorten(std::string_view text) {
  constexpr size_t kMost = 80;
  return text.size() <= kMost ? std::string(text) : std::string(text.substr(0, kMost)) + "...";
}

std::string to_text(const program::Program& program, const FunctionProof& scope, Term term,
                    std::span<const Object> objects) {
  return Writer(program, scope, objects).write(term);
}

Term parse_term(const program::Program& program, const FunctionProof& scope, std::string_view text,
                std::span<const Object> objects) {
  return Reader(program, scope, text, objects).read();
}

}  // namespace whittle::proof
