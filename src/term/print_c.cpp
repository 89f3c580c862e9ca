// C as a person would write it. Values are unsigned unless the namer says otherwise; signed operations on unsigned
// values show as casts, and the other way round. Parts that occur more than once, and parts that would make the line
// unreadable, get a name in a statement expression: ({ uint32_t t1 = ...; ... }).
#include "term/print_c.h"

#include <fmt/format.h>

#include <unordered_map>
#include <unordered_set>

#include "term/op.h"

namespace whittle::term {

std::string_view name(Op op) {
  static constexpr std::string_view names[kOpCount] = {
      "constant", "variable", "read", "not",    "neg",      "and",     "or",      "xor",     "add",    "sub",
      "mul",      "udiv",     "sdiv", "urem",   "srem",     "shl",     "lshr",    "ashr",    "eq",     "ult",
      "ule",      "slt",      "sle",  "ite",    "extract",  "concat",  "zext",    "sext",    "fadd",   "fsub",
      "fmul",     "fdiv",     "frem", "fneg",   "fabs",     "fsqrt",   "fround",  "ffloor",  "fceil",  "ftrunc",
      "feq",      "flt",      "fle",  "fisnan", "ftofloat", "ftouint", "ftosint", "uinttof", "sinttof"};
  return names[static_cast<unsigned>(op)];
}

namespace {

/// Binding strength of C's operators; an operand is put in parentheses when it binds less than its place asks for.
enum Strength {
  kComma,
  kTernary,
  kOrElse,
  kAndAlso,
  kOr,
  kXor,
  kAnd,
  kEqual,
  kLess,
  kShift,
  kSum,
  kProduct,
  kPrefix,
  kPrimary
};

struct Text {
  std::string text;
  Strength strength = kPrimary;
  bool is_signed = false;
};

std::string type(unsigned width, bool is_signed = false) {
  if (width == 1 && !is_signed) return "bool";
  if (width == 8 || width == 16 || width == 32 || width == 64)
    return fmt::format("{}int{}_t", is_signed ? "" : "u", width);
  if (width == 128) return is_signed ? "__int128" : "unsigned __int128";
  return fmt::format("{}_BitInt({})", is_signed ? "" : "unsigned ", width);
}

Text number(unsigned width, u128 value) {
  if (width == 1) return {value != 0 ? "true" : "false"};
  i128 as_signed = sign_extend128(value, width);
  if (width >= 8 && as_signed < 0 && as_signed > -4096)
    return {fmt::format("{}", static_cast<int64_t>(as_signed)), kPrefix};
  if (value < 65536) return {fmt::format("{}", static_cast<uint64_t>(value))};
  if (value >> 64 == 0) return {fmt::format("0x{:x}", static_cast<uint64_t>(value))};
  return {fmt::format("((unsigned __int128)0x{:x} << 64 | 0x{:x})", static_cast<uint64_t>(value >> 64),
                      static_cast<uint64_t>(value))};
}

class Printer {
 public:
  Printer(const Store& store, const Namer& namer) : store_(store), namer_(namer) {}

  std::string print(Term root) {
    std::string definitions;
    for (Term t : schedule(root)) {
      Text body = text_of(t);
      bool repeated = uses_[t] > 1 && body.text.size() > 16;
      if (t != root && t.arity() > 0 && (repeated || body.text.size() > 240)) {
        std::string label = fmt::format("t{}", ++labels_);
        definitions += fmt::format("{} {} = {}; ", type(t.width(), body.is_signed), label, body.text);
        body = {label, kPrimary, body.is_signed};
      }
      texts_[t] = std::move(body);
    }
    const std::string& result = texts_[root].text;
    return definitions.empty() ? result : fmt::format("({{ {}{}; }})", definitions, result);
  }

 private:
  /// The terms that the text of this one is made of.
  std::vector<Term> parts(Term t) {
    if (auto known = named_.find(t); known != named_.end()) return known->second.terms;
    if (namer_)
      if (std::optional<Named> named = namer_(t)) return named_.emplace(t, std::move(*named)).first->second.terms;
    std::vector<Term> kids;
    for (unsigned i = 0; i < t.arity(); ++i) kids.push_back(t.kid(i));
    return kids;
  }

  std::vector<Term> schedule(Term root) {
    std::vector<Term> order, stack{root};
    std::unordered_set<Term> done;
    while (!stack.empty()) {
      Term t = stack.back();
      bool ready = true;
      const std::vector<Term> kids = done.contains(t) ? std::vector<Term>{} : parts(t);
      for (size_t i = kids.size(); i-- > 0;)
        if (!done.contains(kids[i])) stack.push_back(kids[i]), ready = false;
      if (!ready) continue;
      stack.pop_back();
      if (!done.insert(t).second) continue;
      order.push_back(t);
      for (Term kid : kids) ++uses_[kid];
    }
    return order;
  }

  Text text_of(Term t) const {
    auto known = named_.find(t);
    if (known == named_.end()) return one(t);
    const Named& named = known->second;
    std::string text = named.pieces[0];
    for (size_t i = 0; i < named.terms.size(); ++i) text += at(named.terms[i], kComma) + named.pieces[i + 1];
    return {text, named.prefix ? kPrefix : kPrimary, named.is_signed};
  }

  std::string at(Term t, Strength needed) const {
    const Text& text = texts_.at(t);
    return text.strength < needed ? "(" + text.text + ")" : text.text;
  }
  std::string cast(const std::string& to, Term t) const { return fmt::format("({}){}", to, at(t, kPrefix)); }
  bool is_signed(Term t) const { return texts_.at(t).is_signed; }
  std::string as_signed(Term t, Strength needed) const {
    return is_signed(t) || t.is_constant() ? at(t, needed) : cast(type(t.width(), true), t);
  }
  std::string as_unsigned(Term t, Strength needed) const {
    return is_signed(t) && !t.is_constant() ? cast(type(t.width()), t) : at(t, needed);
  }
  /// C's own rule: an operation on signed values is signed. Constants are what the others are.
  bool all_signed(Term t, unsigned first = 0) const {
    bool any = false;
    for (unsigned i = first; i < t.arity(); ++i) {
      if (!is_signed(t.kid(i)) && !t.kid(i).is_constant()) return false;
      any |= is_signed(t.kid(i));
    }
    return any;
  }
  std::string as_float(Term t) const {
    return fmt::format("{}({})", t.width() == 32 ? "as_float" : "as_double", at(t, kComma));
  }

  Text infix(Term t, std::string_view sign, Strength strength) const {
    return {fmt::format("{} {} {}", at(t.kid(0), strength), sign, at(t.kid(1), static_cast<Strength>(strength + 1))),
            strength, t.width() > 1 && all_signed(t)};
  }
  Text unsigned_infix(Term t, std::string_view sign, Strength strength) const {
    return {fmt::format("{} {} {}", as_unsigned(t.kid(0), strength), sign,
                        as_unsigned(t.kid(1), static_cast<Strength>(strength + 1))),
            strength};
  }
  Text signed_infix(Term t, std::string_view sign, Strength strength) const {
    return {fmt::format("{} {} {}", as_signed(t.kid(0), strength), sign,
                        as_signed(t.kid(1), static_cast<Strength>(strength + 1))),
            strength, t.width() > 1};
  }
  Text call(std::string_view function, Term t) const {
    std::string text = fmt::format("{}(", function);
    for (unsigned i = 0; i < t.arity(); ++i) text += (i > 0 ? ", " : "") + as_float(t.kid(i));
    return {text + ")"};
  }

  Text negation(Term t) const {
    Term a = t.kid(0);
    if (t.width() != 1) return {"~" + at(a, kPrefix), kPrefix, is_signed(a)};
    return negated(a);
  }

  /// A negated comparison reads as the opposite comparison, and what is neither one nor the other as not one and not
  /// the other.
  Text negated(Term a, unsigned depth = 0) const {
    constexpr unsigned kDeepest = 8;
    const Text& text = texts_.at(a);
    if (text.strength == kPrimary || depth > kDeepest) return {"!" + at(a, kPrefix), kPrefix};
    switch (a.op()) {
      case Op::Eq: return infix(a, "!=", kEqual);
      case Op::Ult: return unsigned_infix(a, ">=", kLess);
      case Op::Ule: return unsigned_infix(a, ">", kLess);
      case Op::Slt: return signed_infix(a, ">=", kLess);
      case Op::Sle: return signed_infix(a, ">", kLess);
      case Op::Not: return texts_.at(a.kid(0));
      case Op::Or: return joined(negated(a.kid(0), depth + 1), "&&", negated(a.kid(1), depth + 1), kAndAlso);
      case Op::And: return joined(negated(a.kid(0), depth + 1), "||", negated(a.kid(1), depth + 1), kOrElse);
      default: return {"!" + at(a, kPrefix), kPrefix};
    }
  }
  static Text joined(const Text& a, std::string_view sign, const Text& b, Strength strength) {
    auto in = [](const Text& it, int needed) { return it.strength < needed ? "(" + it.text + ")" : it.text; };
    return {fmt::format("{} {} {}", in(a, strength), sign, in(b, strength + 1)), strength};
  }

  Text sum(Term t) const {
    Term b = t.kid(1);
    if (t.op() == Op::Add && b.is_constant() && t.width() > 1 && sign_extend128(b.value(), b.width()) < 0) {
      u128 magnitude = (u128{0} - b.value()) & mask128(b.width());
      return {fmt::format("{} - {}", at(t.kid(0), kSum), number(128, magnitude).text), kSum, is_signed(t.kid(0))};
    }
    return infix(t, t.op() == Op::Add ? "+" : "-", kSum);
  }

  Text one(Term t) const {
    const unsigned w = t.width();
    switch (t.op()) {
      case Op::Constant: return number(w, t.value());
      case Op::Variable: return {store_.variable_name(t)};
      case Op::Read: return {fmt::format("*({}*){}", type(w), at(t.kid(0), kPrefix)), kPrefix};
      case Op::Not: return negation(t);
      case Op::Neg: return {"-" + at(t.kid(0), kPrimary), kPrefix, is_signed(t.kid(0))};
      case Op::And: return w == 1 ? infix(t, "&&", kAndAlso) : infix(t, "&", kAnd);
      case Op::Or: return w == 1 ? infix(t, "||", kOrElse) : infix(t, "|", kOr);
      case Op::Xor: return infix(t, "^", kXor);
      case Op::Add:
      case Op::Sub: return sum(t);
      case Op::Mul: return infix(t, "*", kProduct);
      case Op::UDiv: return unsigned_infix(t, "/", kProduct);
      case Op::SDiv: return signed_infix(t, "/", kProduct);
      case Op::URem: return unsigned_infix(t, "%", kProduct);
      case Op::SRem: return signed_infix(t, "%", kProduct);
      case Op::Shl:
        return {fmt::format("{} << {}", at(t.kid(0), kShift), at(t.kid(1), kSum)), kShift, is_signed(t.kid(0))};
      case Op::LShr: return {fmt::format("{} >> {}", as_unsigned(t.kid(0), kShift), at(t.kid(1), kSum)), kShift};
      case Op::AShr: return {fmt::format("{} >> {}", as_signed(t.kid(0), kShift), at(t.kid(1), kSum)), kShift, true};
      case Op::Eq: return infix(t, "==", kEqual);
      case Op::Ult: return unsigned_infix(t, "<", kLess);
      case Op::Ule: return unsigned_infix(t, "<=", kLess);
      case Op::Slt: return signed_infix(t, "<", kLess);
      case Op::Sle: return signed_infix(t, "<=", kLess);
      case Op::Ite:
        return {fmt::format("{} ? {} : {}", at(t.kid(0), kOrElse), at(t.kid(1), kTernary), at(t.kid(2), kTernary)),
                kTernary, all_signed(t, 1)};
      case Op::Extract:
        if (w == 1 && t.low() == 0) return {fmt::format("({} & 1)", at(t.kid(0), kPrefix))};
        if (w == 1) return {fmt::format("({} >> {} & 1)", at(t.kid(0), kShift), t.low())};
        if (t.low() == 0) return {cast(type(w), t.kid(0)), kPrefix};
        return {fmt::format("({})({} >> {})", type(w), at(t.kid(0), kShift), t.low()), kPrefix};
      case Op::Concat:
        return {fmt::format("({}){} << {} | {}", type(w), at(t.kid(0), kPrefix), t.kid(1).width(), at(t.kid(1), kXor)),
                kOr};
      case Op::ZExt:
        if (is_signed(t.kid(0))) return {fmt::format("({}){}", type(w), as_unsigned(t.kid(0), kPrefix)), kPrefix};
        return {cast(type(w), t.kid(0)), kPrefix};
      case Op::SExt:
        if (is_signed(t.kid(0))) return {cast(type(w, true), t.kid(0)), kPrefix, true};
        return {fmt::format("({})({}){}", type(w), type(t.kid(0).width(), true), at(t.kid(0), kPrefix)), kPrefix};
      default: return floating(t);
    }
  }

  Text floating(Term t) const {
    auto float_infix = [&](std::string_view sign) {
      return Text{fmt::format("{} {} {}", as_float(t.kid(0)), sign, as_float(t.kid(1)))};
    };
    Text text;
    switch (t.op()) {
      case Op::FEq: return {float_infix("==").text, kEqual};
      case Op::FLt: return {float_infix("<").text, kLess};
      case Op::FLe: return {float_infix("<=").text, kLess};
      case Op::FIsNan: return call("isnan", t);
      case Op::FAdd: text = float_infix("+"); break;
      case Op::FSub: text = float_infix("-"); break;
      case Op::FMul: text = float_infix("*"); break;
      case Op::FDiv: text = float_infix("/"); break;
      case Op::FRem: text = call("fmod", t); break;
      case Op::FNeg: text = {"-" + as_float(t.kid(0))}; break;
      case Op::FAbs: text = call("fabs", t); break;
      case Op::FSqrt: text = call("sqrt", t); break;
      case Op::FRound: text = call("roundeven", t); break;
      case Op::FFloor: text = call("floor", t); break;
      case Op::FCeil: text = call("ceil", t); break;
      case Op::FTrunc: text = call("trunc", t); break;
      case Op::FToFloat:
        text = {fmt::format("({}){}", t.width() == 32 ? "float" : "double", as_float(t.kid(0)))};
        break;
      case Op::FToUInt: return {fmt::format("({}){}", type(t.width()), as_float(t.kid(0))), kPrefix};
      case Op::FToSInt: return {fmt::format("({}){}", type(t.width(), true), as_float(t.kid(0))), kPrefix};
      case Op::UIntToF:
        text = {fmt::format("({}){}", t.width() == 32 ? "float" : "double", as_unsigned(t.kid(0), kPrefix))};
        break;
      default:
        text = {fmt::format("({}){}", t.width() == 32 ? "float" : "double", as_signed(t.kid(0), kPrefix))};
        break;
    }
    return {fmt::format("as_bits({})", text.text)};
  }

  const Store& store_;
  const Namer& namer_;
  std::unordered_map<Term, Named> named_;
  std::unordered_map<Term, Text> texts_;
  std::unordered_map<Term, unsigned> uses_;
  unsigned labels_ = 0;
};

}  // namespace

std::string to_c(const Store& store, Term root, const Namer& namer) { return Printer(store, namer).print(root); }
std::string to_c(const Store& store, Term root) { return to_c(store, root, {}); }

}  // namespace whittle::term
