#include "program/term_text.h"

#include <fmt/format.h>

#include "program/words.h"
#include "term/op.h"

namespace whittle::program {

using term::Op;
using term::Term;

namespace {

/// Up to this many nodes a term is written out as a tree, however much it shares: people read trees.
constexpr size_t kReadableTree = 60;

/// Has the term, written as a tree, more than `budget` nodes? Takes what it counts off the budget.
bool exceeds(Term term, size_t& budget) {
  if (budget == 0) return true;
  --budget;
  for (unsigned i = 0; i < term.arity(); ++i)
    if (exceeds(term.kid(i), budget)) return true;
  return false;
}

}  // namespace

TermPrinter::Expected::Kind place_kind(const Program& program, const Statement& s, size_t i) {
  using Expected = TermPrinter::Expected;
  if (s.kind == Kind::Call) {
    const Function& callee = program.functions[s.callee];
    if (i >= callee.parameter_count) return Expected::Number;
    TypeId type = callee.registers[i].type;
    if (type >= program.types.size() || type == kNoType) return Expected::Either;
    return program.types[type].kind == Type::Kind::Pointer ? Expected::Address : Expected::Number;
  }
  switch (letter(info(s.kind).operands, i)) {
    case 'a': return Expected::Address;
    case 'n':
    case 'i':
    case '8': return Expected::Number;
    default: return Expected::Either;
  }
}

void TermPrinter::be_brief() {
  brief_ = true;
  const Function& function = program_.functions[function_];
  std::unordered_map<std::string_view, unsigned> count;
  for (const Register& r : function.registers) ++count[r.name];
  for (RegisterId r = 0; r < function.registers.size(); ++r) {
    const std::string& name = function.registers[r].name;
    registers_.push_back(!name.empty() && count[name] == 1 ? name : words::register_name(function, r));
  }
}

std::string TermPrinter::name(RegisterId reg) const {
  return brief_ ? registers_[reg] : words::register_name(program_.functions[function_], reg);
}

std::string TermPrinter::print(Term term, Expected place) {
  out_.clear();
  uses_.clear();
  size_t budget = kReadableTree;
  if (exceeds(term, budget)) {
    if (brief_) return "...";
    count_uses(term);
  }
  write(term, place);
  return out_;
}

void TermPrinter::count_uses(Term term) {
  std::vector<Term> stack{term};
  while (!stack.empty()) {
    Term t = stack.back();
    stack.pop_back();
    if (t.arity() == 0 || ++uses_[t] > 1) continue;
    for (unsigned i = 0; i < t.arity(); ++i) stack.push_back(t.kid(i));
  }
}

void TermPrinter::write(Term term, Expected place) {
  if (term.is_constant()) return write_constant(term, place);
  if (term.is_variable()) {
    auto ref = program_.register_of(term);
    if (ref.function == function_)
      out_ += name(ref.reg);
    else  // not part of a valid program, but engines print their own terms too
      out_ += fmt::format("?{}", program_.terms().variable_name(term));
    return;
  }
  if (auto named = names_.find(term); named != names_.end()) {
    out_ += fmt::format("${}", named->second);
    return;
  }
  if (auto uses = uses_.find(term); uses != uses_.end() && uses->second > 1) {
    unsigned number = static_cast<unsigned>(names_.size()) + 1;
    names_.emplace(term, number);
    out_ += fmt::format("${}=", number);
    return write_wrapped(term, &TermPrinter::write_operation);
  }
  write_operation(term, place);
}

void TermPrinter::write_wrapped(Term term, void (TermPrinter::*how)(Term, Expected)) {
  bool open = term.is_constant() || term.op() == Op::Not || term.op() == Op::Neg || term.op() == Op::Extract;
  if (open) out_ += '(';
  (this->*how)(term, {});
  if (open) out_ += ')';
}

void TermPrinter::write_constant(Term term, Expected place) {
  unsigned width = term.width();
  u128 value = term.value();
  bool pointer = width == program_.pointer_width() && value <= UINT64_MAX;
  if (pointer && place.kind != Expected::Number &&
      write_address(static_cast<uint64_t>(value), place.kind == Expected::Address))
    return;
  i128 as_signed = sign_extend128(value, width);
  if (value < 1'000'000 || width == 1)
    out_ += fmt::format("{}", static_cast<uint64_t>(value));
  else if (as_signed < 0 && as_signed > -1'000'000)
    out_ += fmt::format("{}", static_cast<int64_t>(as_signed));
  else if (value > UINT64_MAX)
    out_ += fmt::format("0x{:x}{:016x}", static_cast<uint64_t>(value >> 64), static_cast<uint64_t>(value));
  else
    out_ += fmt::format("0x{:x}", static_cast<uint64_t>(value));
  if (!place.width_known && !brief_) out_ += fmt::format(":{}", width);
}

bool TermPrinter::write_address(uint64_t value, bool address_place) {
  // Round numbers are rather sizes than addresses, unless the place wants an address.
  if (!address_place && (value % 1024 == 0 || value % 100 == 0)) return false;
  if (auto object = program_.object_at(value)) {
    uint64_t offset = value - program_.objects[*object].address;
    out_ += "&" + names_of_.objects[*object];
    if (offset != 0) out_ += fmt::format("+{}", offset);
    return true;
  }
  if (auto function = program_.function_at(value)) {
    out_ += "@" + names_of_.functions[*function];
    return true;
  }
  return false;
}

void TermPrinter::write_infix(Term term, std::string_view symbol, Expected place) {
  bool keeps = words::keeps_width(term.op());
  bool sum = term.op() == Op::Add || term.op() == Op::Sub;
  out_ += '(';
  Expected::Kind kind = sum && place.kind == Expected::Address ? Expected::Address : Expected::Number;
  write(term.kid(0), {keeps && place.width_known, kind});
  out_ += fmt::format(" {} ", symbol);
  write(term.kid(1), {term.op() != Op::Concat, kind});
  out_ += ')';
}

void TermPrinter::write_operation(Term term, Expected place) {
  Op op = term.op();
  if (auto symbol = words::infix(op)) return write_infix(term, *symbol, place);
  if (op == Op::Not || op == Op::Neg) {
    Term kid = term.kid(0);
    auto symbol = words::negated(kid.op());
    bool named = names_.contains(kid) || (uses_.contains(kid) && uses_[kid] > 1);
    if (op == Op::Not && symbol && !named) return write_infix(kid, *symbol, {});
    out_ += op == Op::Neg ? '-' : term.width() == 1 ? '!' : '~';
    if (kid.is_constant()) out_ += '(';
    write(kid, {place.width_known});
    if (kid.is_constant()) out_ += ')';
    return;
  }
  if (op == Op::Ite) {
    out_ += '(';
    write(term.kid(0), {});
    out_ += " ? ";
    write(term.kid(1), place);
    out_ += " : ";
    write(term.kid(2), {true, place.kind});
    out_ += ')';
    return;
  }
  if (op == Op::Extract) {
    write_wrapped(term.kid(0), &TermPrinter::write);
    out_ += fmt::format("[{}:{}]", term.low() + term.width() - 1, term.low());
    return;
  }
  out_ += term::name(op);
  if (term::width_is_told(op)) out_ += fmt::format(".{}", term.width());
  out_ += '(';
  for (unsigned i = 0; i < term.arity(); ++i) {
    if (i != 0) out_ += ", ";
    write(term.kid(i), {false, op == Op::Read ? Expected::Address : Expected::Number});
  }
  out_ += ')';
}

}  // namespace whittle::program
