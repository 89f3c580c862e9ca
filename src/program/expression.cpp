#include "program/expression.h"

#include <algorithm>
#include <cctype>
#include <optional>

#include "base/error.h"
#include "base/nearest.h"
#include "program/c_value.h"

namespace whittle::program {
namespace {

using Class = CValue::Class;
using term::Term;

/// A value, or a place in memory that has one.
struct Operand {
  CValue value;
  Term address;  ///< set: a place of type `type`
  TypeId type = kNoType;
  uint32_t bit = 0, bits = 0;  ///< a bit-field: `bits` bits from `bit` on
  bool is_place() const { return static_cast<bool>(address); }
};

class Parser {
 public:
  Parser(const Program& program, std::string_view text)
      : program_(program), store_(program.terms()), arithmetic_(program), text_(text) {}

  CValue parse() {
    CValue value = value_of(conditional());
    spaces();
    if (at_ != text_.size()) fail(at_, "`{}` is not understood here", text_.substr(at_, 1));
    return value;
  }
  Term condition() { return arithmetic_.condition(parse()); }

 private:
  template <typename... Args>
  [[noreturn]] void fail(size_t at, fmt::format_string<Args...> format, Args&&... args) const {
    fail_usage("`{}`, column {}: {}", text_, at + 1, fmt::format(format, std::forward<Args>(args)...));
  }

  void spaces() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
    mark_ = at_;
  }
  /// The sign comes next, and is not the begin of a longer one (`<` of `<<`).
  bool accept(std::string_view sign, std::string_view not_before = "") {
    spaces();
    if (!text_.substr(at_).starts_with(sign)) return false;
    if (at_ + sign.size() < text_.size() && not_before.find(text_[at_ + sign.size()]) != std::string_view::npos)
      return false;
    at_ += sign.size();
    return true;
  }
  void expect(std::string_view sign) {
    if (!accept(sign)) fail(at_, "expected `{}`", sign);
  }
  std::string word() {
    spaces();
    size_t from = at_;
    auto is_word = [&] {
      return at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) || text_[at_] == '_');
    };
    if (at_ < text_.size() && !std::isdigit(static_cast<unsigned char>(text_[at_])))
      while (is_word()) ++at_;
    return std::string(text_.substr(from, at_ - from));
  }

  // --- Operators, weakest first. Where no operator is found a place stays a place: &(x), (x).f.

  Operand conditional() {
    Operand first = any_of();
    if (!accept("?")) return first;
    Term test = arithmetic_.condition(value_of(first));
    CValue a = value_of(conditional());
    expect(":");
    size_t at = at_;
    CValue b = value_of(conditional());
    if (a.kind == Class::Pointer || b.kind == Class::Pointer) {
      if (a.kind != Class::Pointer || b.kind != Class::Pointer) fail(at, "a pointer or a number, not one of each");
    } else {
      arithmetic_.balance(a, b);
    }
    a.bits = store_.ite(test, a.bits, b.bits);
    return number(a);
  }

  Operand any_of() {
    Operand o = all_of();
    while (accept("||")) {
      Term left = arithmetic_.condition(value_of(o));
      o = number(arithmetic_.truth(store_.bor(left, arithmetic_.condition(value_of(all_of())))));
    }
    return o;
  }

  Operand all_of() {
    Operand o = binary(0);
    while (accept("&&")) {
      Term left = arithmetic_.condition(value_of(o));
      o = number(arithmetic_.truth(store_.band(left, arithmetic_.condition(value_of(binary(0))))));
    }
    return o;
  }

  struct Sign {
    unsigned level;
    std::string_view sign, not_before;
  };

  Operand binary(unsigned level) {
    static constexpr Sign kSigns[] = {{0, "|", "|"}, {1, "^", ""},  {2, "&", "&"}, {3, "==", ""},
                                      {3, "!=", ""}, {4, "<=", ""}, {4, ">=", ""}, {4, "<", "<"},
                                      {4, ">", ">"}, {5, "<<", ""}, {5, ">>", ""}, {6, "+", ""},
                                      {6, "-", ""},  {7, "*", ""},  {7, "/", ""},  {7, "%", ""}};
    if (level == 8) return unary();
    Operand left = binary(level + 1);
    while (true) {
      const Sign* found = nullptr;
      for (const Sign& sign : kSigns)
        if (!found && sign.level == level && accept(sign.sign, sign.not_before)) found = &sign;
      if (!found) return left;
      size_t at = mark_;
      CValue a = value_of(left);
      left = number(apply(found->sign, a, value_of(binary(level + 1)), at));
    }
  }

  CValue apply(std::string_view sign, const CValue& a, const CValue& b, size_t at) {
    bool pointers = a.kind == Class::Pointer || b.kind == Class::Pointer;
    bool floats = a.kind == Class::Float || b.kind == Class::Float;
    if (floats && (sign == "%" || sign == "&" || sign == "|" || sign == "^" || sign == "<<" || sign == ">>"))
      fail(at, "`{}` needs integers", sign);
    if (pointers && (sign == "+" || sign == "-")) return pointer_sum(sign, a, b, at);
    bool compares = sign == "==" || sign == "!=" || sign[0] == '<' || sign[0] == '>';
    if (pointers && (!compares || sign == "<<" || sign == ">>" || floats))
      fail(at, "`{}` does not go with pointers", sign);
    CValue x = as_number(a), y = as_number(b);
    if (sign == "<<" || sign == ">>") return arithmetic_.shift(sign == "<<", x, y);
    if (sign == "!=") return arithmetic_.truth(store_.bnot(arithmetic_.condition(arithmetic_.binary("==", x, y))));
    if (sign == ">") return arithmetic_.binary("<", y, x);
    if (sign == ">=") return arithmetic_.binary("<=", y, x);
    return arithmetic_.binary(sign, x, y);
  }

  CValue as_number(const CValue& v) const { return v.kind == Class::Pointer ? arithmetic_.integer(v.bits, false) : v; }

  CValue pointer_sum(std::string_view sign, const CValue& a, const CValue& b, size_t at) {
    unsigned width = program_.pointer_width();
    CValue offset_type = arithmetic_.integer(store_.constant(width, 0), true);
    if (a.kind == Class::Pointer && b.kind == Class::Pointer) {
      if (sign != "-") fail(at, "two pointers have no sum");
      Term size = store_.constant(width, element_size(a, at));
      return arithmetic_.integer(store_.sdiv(store_.sub(a.bits, b.bits), size), true);
    }
    const CValue &pointer = a.kind == Class::Pointer ? a : b, &index = a.kind == Class::Pointer ? b : a;
    if (index.kind != Class::Integer || (sign == "-" && b.kind == Class::Pointer))
      fail(at, "a pointer goes with an integer after it");
    Term steps =
        store_.mul(arithmetic_.convert(index, offset_type).bits, store_.constant(width, element_size(pointer, at)));
    CValue result = pointer;
    result.bits = sign == "+" ? store_.add(pointer.bits, steps) : store_.sub(pointer.bits, steps);
    return result;
  }

  uint64_t element_size(const CValue& pointer, size_t at) const {
    uint64_t size = program_.types[pointer.element].size;
    if (size == 0) fail(at, "the size of what the pointer points to is not known");
    return size;
  }

  // --- Unary and postfix

  Operand unary() {
    spaces();
    size_t at = at_;
    if (accept("!")) return number(arithmetic_.truth(store_.bnot(arithmetic_.condition(value_of(unary())))));
    if (accept("~")) return number(complement(value_of(unary()), at));
    if (accept("-")) return number(arithmetic_.negate(numeric(value_of(unary()), at)));
    if (accept("+")) return number(arithmetic_.promote(numeric(value_of(unary()), at)));
    if (accept("*")) return target(value_of(unary()), at);
    if (accept("&", "&")) return number(address_of(unary(), at));
    if (text_.substr(at_).starts_with("sizeof")) return number(size_of());
    if (accept("(")) {
      if (auto type = type_name()) {
        expect(")");
        return number(cast(value_of(unary()), *type, at));
      }
      at_ = at;
    }
    return postfix();
  }

  Operand number(CValue v) const { return {.value = v}; }

  CValue numeric(const CValue& v, size_t at) const {
    if (v.kind == Class::Pointer) fail(at, "a number is needed here, not a pointer");
    return v;
  }

  CValue complement(const CValue& v, size_t at) const {
    if (v.kind != Class::Integer) fail(at, "`~` needs an integer");
    CValue result = arithmetic_.promote(v);
    result.bits = store_.bnot(result.bits);
    return result;
  }

  Operand target(const CValue& v, size_t at) const {
    if (v.kind != Class::Pointer) fail(at, "only pointers can be dereferenced");
    if (program_.types[v.element].size == 0) fail(at, "the type of what the pointer points to is not known");
    return {.address = v.bits, .type = v.element};
  }

  CValue address_of(const Operand& o, size_t at) const {
    if (!o.is_place() || o.bits != 0) fail(at, "this has no address");
    return {o.address, Class::Pointer, false, o.type};
  }

  CValue size_of() {
    size_t at = at_;
    if (word() != "sizeof") {
      at_ = at;
      return value_of(postfix());
    }
    unsigned width = program_.pointer_width();
    if (accept("(")) {
      if (auto type = type_name()) {
        expect(")");
        uint64_t size = type->pointer      ? width / 8
                        : type->width != 0 ? type->width / 8
                                           : program_.types[type->element].size;
        return arithmetic_.integer(store_.constant(width, size), false);
      }
      at_ = mark_ = at + 6;
    }
    Operand o = unary();
    uint64_t size = o.is_place() ? program_.types[o.type].size : o.value.width() / 8;
    if (size == 0) fail(at, "the size of this is not known");
    return arithmetic_.integer(store_.constant(width, size), false);
  }

  Operand postfix() {
    Operand o = primary();
    while (true) {
      spaces();
      size_t at = at_;
      if (accept("[")) {
        CValue index = value_of(conditional());
        expect("]");
        o = target(pointer_sum("+", pointer_of(o, at), index, at), at);
      } else if (accept("->")) {
        o = field(target(value_of(o), at));
      } else if (accept(".")) {
        o = field(o);
      } else {
        return o;
      }
    }
  }

  CValue pointer_of(const Operand& o, size_t at) {
    CValue v = value_of(o);
    if (v.kind != Class::Pointer) fail(at, "only arrays and pointers have elements");
    return v;
  }

  Operand field(const Operand& o) {
    spaces();
    size_t at = at_;
    std::string name = word();
    const Type& type = program_.types[o.type];
    if (!o.is_place() || (type.kind != Type::Kind::Struct && type.kind != Type::Kind::Union))
      fail(at, "only structs and unions have fields");
    std::vector<std::string> names;
    for (const Type::Field& f : type.fields) {
      names.push_back(f.name);
      if (f.name != name) continue;
      uint64_t byte = f.bit_offset / 8;
      Operand part{.address = store_.add(o.address, store_.constant(o.address.width(), byte)), .type = f.type};
      if (f.bit_width != 0) part.bit = static_cast<uint32_t>(f.bit_offset % 8), part.bits = f.bit_width;
      return part;
    }
    fail(at, "{} has no field `{}`{}", type.name.empty() ? "the type" : type.name, name, suggestion(name, names));
  }

  // --- Leaves

  Operand primary() {
    spaces();
    size_t at = at_;
    if (accept("(")) {
      Operand o = conditional();
      expect(")");
      return o;
    }
    if (accept("'")) return number(character(at));
    if (at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_]))) return number(literal());
    std::string name = word();
    if (name.empty() && at_ == text_.size()) fail(at, "the expression ends too early");
    if (name.empty()) fail(at, "expected a value");
    return named(name, at);
  }

  Operand named(const std::string& name, size_t at) {
    for (const Type& type : program_.types)
      for (const auto& [word, value] : type.enumerators)
        if (word == name)
          return number(arithmetic_.integer(store_.constant(32, static_cast<u128>(static_cast<i128>(value))), true));
    auto id = program_.find_object(name);
    if (!id) {
      std::vector<std::string> names;
      for (const Object& o : program_.objects)
        if (!o.runtime && o.type != kNoType) names.push_back(o.name);
      fail(at, "there is no global variable `{}` that the program uses{}", name, suggestion(name, names));
    }
    const Object& object = program_.objects[*id];
    if (object.thread_local_) fail(at, "`{}` is thread-local: it has a value for every thread", name);
    if (object.type == kNoType) fail(at, "the type of `{}` is not known: compile with debug information", name);
    return {.address = store_.constant(program_.pointer_width(), object.address), .type = object.type};
  }

  CValue literal() {
    size_t at = at_;
    bool hex = text_.substr(at_).starts_with("0x") || text_.substr(at_).starts_with("0X");
    bool octal = !hex && text_[at_] == '0';
    unsigned base = hex ? 16 : octal ? 8 : 10;
    if (hex) at_ += 2;
    u128 value = 0;
    bool digits = false;
    for (; at_ < text_.size() && std::isxdigit(static_cast<unsigned char>(text_[at_])); ++at_, digits = true) {
      char c = text_[at_];
      unsigned digit =
          std::isdigit(static_cast<unsigned char>(c)) ? c - '0' : static_cast<unsigned>(std::tolower(c) - 'a' + 10);
      if (digit >= base) fail(at_, "`{}` is no digit here", c);
      value = value * base + digit;
      if (value > UINT64_MAX) fail(at, "the number is too large");
    }
    if (!digits) fail(at, "a number without digits");
    if (at_ < text_.size() && text_[at_] == '.')
      fail(at, "floating-point constants are not understood: compare with a cast integer");
    bool is_unsigned = false;
    unsigned longs = 0;
    for (; at_ < text_.size() && std::isalpha(static_cast<unsigned char>(text_[at_])); ++at_) {
      char c = static_cast<char>(std::tolower(text_[at_]));
      if (c == 'u' && !is_unsigned)
        is_unsigned = true;
      else if (c == 'l' && longs < 2)
        ++longs;
      else
        fail(at_, "a number ends here, not in `{}`", text_[at_]);
    }
    // The first of int, long, long long that holds it; unsigned ones too for `u` and for anything but decimal.
    unsigned least = longs == 2 ? 64 : longs == 1 ? program_.pointer_width() : 32;
    for (unsigned width : {32u, 64u}) {
      if (width < least) continue;
      if (!is_unsigned && value <= mask128(width - 1)) return arithmetic_.integer(store_.constant(width, value), true);
      if ((is_unsigned || base != 10) && value <= mask128(width))
        return arithmetic_.integer(store_.constant(width, value), false);
    }
    fail(at, "the number is too large for its type");
  }

  CValue character(size_t at) {
    if (at_ + 1 >= text_.size()) fail(at, "a character is not closed");
    char c = text_[at_++];
    if (c == '\\') {
      static constexpr std::string_view kNames = "nt0r\\'\"", kValues{"\n\t\0\r\\'\"", 7};
      size_t which = at_ < text_.size() ? kNames.find(text_[at_++]) : std::string_view::npos;
      if (which == std::string_view::npos) fail(at, "this escape is not understood");
      c = kValues[which];
    }
    if (at_ >= text_.size() || text_[at_++] != '\'') fail(at, "a character is not closed");
    return arithmetic_.integer(store_.constant(32, static_cast<u128>(static_cast<i128>(c))), true);
  }

  // --- Types

  struct NamedType {
    bool pointer = false;
    unsigned width = 0;  ///< of a basic type
    bool is_signed = true;
    Class kind = Class::Integer;
    TypeId element = kNoType;  ///< of a pointer; or the type itself if it is not basic
  };

  /// The names of a type and stars after it; nothing (and nothing passed over) if there is no type here.
  std::optional<NamedType> type_name() {
    size_t start = at_;
    std::vector<std::string> words;
    while (true) {
      size_t before = at_;
      std::string next = word();
      static const std::vector<std::string> kWords{"const", "volatile", "unsigned", "signed", "char",
                                                   "short", "int",      "long",     "float",  "double",
                                                   "_Bool", "struct",   "union",    "enum"};
      bool known = std::find(kWords.begin(), kWords.end(), next) != kWords.end();
      bool tag = !words.empty() && (words.back() == "struct" || words.back() == "union" || words.back() == "enum");
      bool alone =
          words.empty() && !known && !next.empty() && !program_.find_object(next) && find_type(next) != kNoType;
      if (next.empty() || !(known || tag || alone)) {
        at_ = before;
        break;
      }
      if (next != "const" && next != "volatile") words.push_back(next);
      if (alone) break;
    }
    if (words.empty()) {
      at_ = start;
      return std::nullopt;
    }
    std::optional<NamedType> type = basic(words);
    if (!type) type = declared(words, start);
    while (accept("*")) *type = pointer_to(*type, start);
    return type;
  }

  TypeId find_type(const std::string& name) const {
    for (TypeId t = 1; t < program_.types.size(); ++t)
      if (program_.types[t].name == name) return t;
    return kNoType;
  }

  std::optional<NamedType> basic(const std::vector<std::string>& words) const {
    NamedType type;
    unsigned longs = 0;
    std::string core;
    for (const std::string& w : words) {
      if (w == "unsigned")
        type.is_signed = false;
      else if (w == "long")
        ++longs;
      else if (w == "char" || w == "short" || w == "float" || w == "double" || w == "_Bool")
        core = w;
      else if (w != "signed" && w != "int")
        return std::nullopt;
    }
    if (core == "float" || core == "double") type.kind = Class::Float;
    if (core == "_Bool") type.is_signed = false;
    type.width = core == "_Bool"    ? 1
                 : core == "char"   ? 8
                 : core == "short"  ? 16
                 : core == "float"  ? 32
                 : core == "double" ? 64
                 : longs == 2       ? 64
                 : longs == 1       ? program_.pointer_width()
                                    : 32;
    return type;
  }

  NamedType declared(const std::vector<std::string>& words, size_t at) const {
    std::string full;
    for (const std::string& w : words) full += (full.empty() ? "" : " ") + w;
    TypeId id = find_type(full);
    if (id == kNoType && words.size() == 2) id = find_type(words[1]);
    if (id == kNoType) fail(at, "there is no type `{}` in the program", full);
    NamedType type;
    type.element = id;
    const Type& t = program_.types[id];
    bool number = t.kind == Type::Kind::Integer || t.kind == Type::Kind::Float || t.kind == Type::Kind::Enum;
    if (t.kind == Type::Kind::Bool) type.width = 1, type.is_signed = false;
    if (number) type.width = static_cast<unsigned>(t.size * 8), type.is_signed = t.is_signed;
    if (t.kind == Type::Kind::Float) type.kind = Class::Float;
    if (t.kind == Type::Kind::Pointer) type.pointer = true, type.element = t.element;
    return type;
  }

  NamedType pointer_to(const NamedType& type, size_t at) const {
    NamedType result;
    result.pointer = true;
    if (!type.pointer) {
      result.element = type.element;
      for (TypeId t = 1; t < program_.types.size() && result.element == kNoType; ++t) {
        const Type& c = program_.types[t];
        bool same = type.kind == Class::Float ? c.kind == Type::Kind::Float
                                              : c.kind == Type::Kind::Integer && c.is_signed == type.is_signed;
        if (same && c.size * 8 == type.width) result.element = t;
      }
      if (result.element == kNoType) fail(at, "the program has no type to point to of that kind");
    }
    return result;
  }

  CValue cast(const CValue& v, const NamedType& type, size_t at) const {
    if (type.pointer) {
      if (v.kind == Class::Float) fail(at, "a float cannot become a pointer");
      CValue like{store_.constant(program_.pointer_width(), 0), Class::Pointer, false, type.element};
      return arithmetic_.convert(v, like);
    }
    if (type.width == 0) fail(at, "only numbers and pointers can be cast");
    if (type.width == 1) return arithmetic_.integer(store_.zext(arithmetic_.condition(v), 8), false);
    if (v.kind == Class::Pointer && type.kind == Class::Float) fail(at, "a pointer cannot become a float");
    return arithmetic_.convert(v, {store_.constant(type.width, 0), type.kind, type.is_signed, kNoType});
  }

  /// The value in a place: arrays become pointers to their first element.
  CValue value_of(const Operand& o) {
    if (!o.is_place()) return o.value;
    const Type& type = program_.types[o.type];
    auto width = static_cast<unsigned>(type.size * 8);
    if (o.bits != 0) return bit_field(o, type);
    switch (type.kind) {
      case Type::Kind::Array: return {o.address, Class::Pointer, false, type.element};
      case Type::Kind::Pointer: return {store_.read(o.address, width), Class::Pointer, false, type.element};
      case Type::Kind::Bool:
      case Type::Kind::Integer:
      case Type::Kind::Enum:
        if (width == 0 || width > 128) break;
        return arithmetic_.integer(store_.read(o.address, width), type.is_signed && type.kind != Type::Kind::Bool);
      case Type::Kind::Float:
        if (width != 32 && width != 64) break;
        return {store_.read(o.address, width), Class::Float, true, kNoType};
      default: break;
    }
    fail(mark_, "{} has no value that can be compared: name one of its fields", type.name.empty() ? "this" : type.name);
  }

  CValue bit_field(const Operand& o, const Type& type) const {
    unsigned bytes = (o.bit + o.bits + 7) / 8;
    Term field = store_.extract(store_.read(o.address, bytes * 8), o.bit, o.bits);
    // A bit-field narrower than int is promoted to int, whatever its declared type.
    unsigned width = o.bits <= 32 ? 32 : 64;
    bool fits_int = o.bits < 32 || type.is_signed;
    Term value = type.is_signed ? store_.sext(field, width) : store_.zext(field, width);
    return arithmetic_.integer(value, fits_int && (type.is_signed || o.bits < 32));
  }

  const Program& program_;
  term::Store& store_;
  CArithmetic arithmetic_;
  std::string_view text_;
  size_t at_ = 0;
  size_t mark_ = 0;
};

}  // namespace

term::Term parse_expression(const Program& program, std::string_view text) {
  return Parser(program, text).parse().bits;
}
term::Term parse_condition(const Program& program, std::string_view text) { return Parser(program, text).condition(); }

}  // namespace whittle::program
