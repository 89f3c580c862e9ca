#include "avr/expression.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <optional>

#include "avr/operators.h"
#include "base/error.h"
#include "base/nearest.h"

namespace whittle::avr {

namespace {

struct Operator {
  std::string_view text;
  uint8_t id;
  int precedence;
};
// Two-character operators first: the first match counts.
constexpr Operator kBinary[] = {
    {"||", kOrOr, 1}, {"&&", kAndAnd, 2}, {"==", kEq, 6}, {"!=", kNe, 6},  {"<=", kLe, 7},  {">=", kGe, 7},
    {"<<", kShl, 8},  {">>", kShr, 8},    {"<", kLt, 7},  {">", kGt, 7},   {"|", kOr, 3},   {"^", kXor, 4},
    {"&", kAnd, 5},   {"+", kAdd, 9},     {"-", kSub, 9}, {"*", kMul, 10}, {"/", kDiv, 10}, {"%", kMod, 10},
};

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

}  // namespace

class ExpressionParser {
 public:
  ExpressionParser(std::string_view text, const Names& names, const Device& device)
      : text_(text), rest_(text), names_(names), device_(device) {}

  Expression parse() {
    out_.text_ = std::string(text_);
    out_.root_ = conditional();
    skip();
    if (!rest_.empty()) {
      if (rest_[0] == '=') fail("'=' assigns; did you mean '=='?");
      fail("unexpected '{}'", rest_.substr(0, 12));
    }
    return std::move(out_);
  }

 private:
  using Node = Expression::Node;
  using Kind = Expression::Kind;
  /// An access path while it is being read: the memory that it leads to so far.
  struct AccessPath {
    std::string name;
    bool in_flash = false;
    int pointer = -1;               // what a pointer leads to: the node of its value; addresses count from there
    int pointee = -1;               // ... and the type of that
    uint32_t base = 0, extent = 0;  // the whole object
    uint32_t address = 0;
    int type = -1;
    uint32_t size = 1;
    int offset = -1;
    uint8_t bit_offset = 0, bit_size = 0;
  };

  template <typename... Args>
  [[noreturn]] void fail(fmt::format_string<Args...> format, Args&&... args) const {
    fail_input("in '{}': {}", text_, fmt::format(format, std::forward<Args>(args)...));
  }
  void skip() {
    while (!rest_.empty() && std::isspace(static_cast<unsigned char>(rest_[0])) != 0) rest_.remove_prefix(1);
  }
  bool eat(std::string_view token) {
    skip();
    if (!rest_.starts_with(token)) return false;
    rest_.remove_prefix(token.size());
    return true;
  }
  void expect(std::string_view token) {
    if (!eat(token))
      fail("expected '{}'{}", token, rest_.empty() ? " at the end" : fmt::format(" before '{}'", rest_.substr(0, 12)));
  }
  int add(Node node) {
    out_.nodes_.push_back(node);
    return int(out_.nodes_.size()) - 1;
  }
  int constant(int64_t value) {
    Node node;
    node.value = value;
    return add(node);
  }
  int operation(uint8_t op, int a, int b = -1) {
    bool real = is_real(a) || (b >= 0 && is_real(b));
    if (real && (op == kComplement || op == kMod || (op >= kShl && op <= kShr) || (op >= kOr && op <= kAnd)))
      fail("a floating-point number has no bits to work on");
    Node node;
    node.is_real = real && (op == kAdd || op == kSub || op == kMul || op == kDiv);
    node.kind = b < 0 ? Kind::Unary : Kind::Binary;
    node.op = op;
    node.a = a;
    node.b = b;
    return add(node);
  }

  bool is_real(int node) const { return out_.nodes_[size_t(node)].is_real; }

  int conditional() {
    int condition = binary(1);
    if (!eat("?")) return condition;
    Node node;
    node.kind = Kind::Conditional;
    node.a = condition;
    node.b = conditional();
    expect(":");
    node.c = conditional();
    node.is_real = is_real(node.b) || is_real(node.c);
    return add(node);
  }

  int binary(int lowest) {
    int left = unary();
    for (;;) {
      skip();
      const Operator* found = nullptr;
      for (const Operator& op : kBinary) {
        if (!rest_.starts_with(op.text)) continue;
        found = &op;
        break;
      }
      if (found == nullptr || found->precedence < lowest) return left;
      rest_.remove_prefix(found->text.size());
      left = operation(found->id, left, binary(found->precedence + 1));
    }
  }

  int unary() {
    skip();
    if (rest_.empty()) fail("something is missing at the end");
    if (rest_.starts_with("!") && !rest_.starts_with("!=")) return eat("!"), operation(kNot, unary());
    if (eat("~")) return operation(kComplement, unary());
    if (eat("-")) return operation(kSub, unary());
    if (eat("+")) return unary();
    if (rest_.starts_with("*")) return value_of(path());
    if (rest_.starts_with("&") && !rest_.starts_with("&&")) return eat("&"), address_of(path());
    if (rest_.starts_with("("))
      if (auto object = path_in_parentheses()) return value_of(*object);
    if (eat("(")) {
      int inner = conditional();
      expect(")");
      return inner;
    }
    if (std::isdigit(static_cast<unsigned char>(rest_[0])) != 0) return literal();
    if (rest_.size() >= 3 && rest_[0] == '\'' && rest_[2] == '\'') {
      int64_t value = static_cast<unsigned char>(rest_[1]);
      rest_.remove_prefix(3);
      return constant(value);
    }
    if (is_word(rest_[0])) return name();
    fail("unexpected '{}'", rest_.substr(0, 12));
  }

  /// 12, 0x1f, 2.5, 1e-3
  int literal() {
    size_t used = 0;
    bool real = false;
    auto digits = [&] {
      while (used < rest_.size() && std::isdigit(static_cast<unsigned char>(rest_[used])) != 0) ++used;
    };
    digits();
    if (used + 1 < rest_.size() && rest_[used] == '.' && std::isdigit(static_cast<unsigned char>(rest_[used + 1])) != 0) real = true, ++used, digits();
    if (used < rest_.size() && (rest_[used] == 'e' || rest_[used] == 'E')) {
      real = true, ++used;
      if (used < rest_.size() && (rest_[used] == '-' || rest_[used] == '+')) ++used;
      digits();
    }
    if (!real) return constant(number());
    Node node;
    node.is_real = true;
    node.real = std::strtod(std::string(rest_.substr(0, used)).c_str(), nullptr);
    rest_.remove_prefix(used);
    if (rest_.starts_with("f") || rest_.starts_with("F")) rest_.remove_prefix(1);
    if (!rest_.empty() && is_word(rest_[0])) fail("not a number before '{}'", rest_.substr(0, 12));
    return add(node);
  }

  int64_t number() {
    int base = 10;
    if (rest_.starts_with("0x") || rest_.starts_with("0X"))
      base = 16, rest_.remove_prefix(2);
    else if (rest_.starts_with("0b") || rest_.starts_with("0B"))
      base = 2, rest_.remove_prefix(2);
    int64_t value = 0;
    size_t used = 0;
    for (; used < rest_.size(); ++used) {
      char c = rest_[used];
      int d = c >= '0' && c <= '9'   ? c - '0'
              : c >= 'a' && c <= 'f' ? c - 'a' + 10
              : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                     : 99;
      if (d >= base) break;
      if (value > (int64_t{1} << 40)) fail("number too large");
      value = value * base + d;
    }
    if (used == 0) fail("not a number");
    rest_.remove_prefix(used);
    while (!rest_.empty() && (rest_[0] == 'u' || rest_[0] == 'U' || rest_[0] == 'l' || rest_[0] == 'L'))
      rest_.remove_prefix(1);
    if (!rest_.empty() && is_word(rest_[0])) fail("not a number before '{}'", rest_.substr(0, 12));
    return value;
  }

  std::string word() {
    skip();
    size_t length = 0;
    while (length < rest_.size() && is_word(rest_[length])) ++length;
    std::string out(rest_.substr(0, length));
    rest_.remove_prefix(length);
    return out;
  }

  std::string scoped_word() {
    std::string first = word();
    if (rest_.starts_with("::")) {
      rest_.remove_prefix(2);
      first += "::" + word();
    }
    return first;
  }

  int name() {
    std::string first = scoped_word();
    if (auto object = variable(first)) return value_of(*object);
    if (auto it = names_.constants.find(first); it != names_.constants.end()) return constant(it->second);
    if (first == "true" || first == "false") return constant(first == "true");
    if (first == "mem" || first == "mem16") return raw(first == "mem16" ? 2 : 1);
    if (first == "in") return in_function();
    if (first == "at") return at_line();
    if (auto special = machine_name(first)) return *special;
    if (auto io = io_register(first)) return *io;
    if (const Function* f = names_.find_function(first)) return constant(f->pc);  // what a pointer to it holds
    unknown(first);
  }

  [[noreturn]] void unknown(const std::string& name) const {
    if (name == "AX" || name == "EX" || name == "X")
      fail("there is no next-time operator {}: reduced state spaces do not keep single steps", name);
    std::vector<std::string> candidates = names_.all();
    for (const auto& [known, address] : device_.register_names()) candidates.emplace_back(known);
    std::string near = nearest(name, candidates);
    fail("unknown variable '{}'{}", name, near.empty() ? "" : fmt::format("; did you mean '{}'?", near));
  }

  std::optional<int> machine_name(const std::string& name) {
    Node node;
    if (name == "PC") {
      node.kind = Kind::ProgramCounter;
      out_.reads_.pc = true;
      return add(node);
    }
    if (name == "SP") {
      node.kind = Kind::StackPointer;
      out_.reads_.pc = true;  // moves with every call: looked at anew in every state
      return add(node);
    }
    if (name.size() >= 2 && name.size() <= 3 && (name[0] == 'R' || name[0] == 'r') &&
        std::isdigit(static_cast<unsigned char>(name[1])) != 0) {
      int n = std::atoi(name.c_str() + 1);
      if (n > 31) return std::nullopt;
      node.kind = Kind::Register;
      node.address = uint32_t(n);
      out_.reads_.registers = true;
      return add(node);
    }
    return std::nullopt;
  }

  int in_function() {
    expect("(");
    std::string name = word();
    expect(")");
    const Function* f = names_.find_function(name);
    if (f == nullptr) {
      std::vector<std::string> candidates;
      for (const Function& known : names_.functions) candidates.push_back(known.name);
      std::string near = nearest(name, candidates);
      fail("unknown function '{}'{}", name, near.empty() ? "" : fmt::format("; did you mean '{}'?", near));
    }
    Node node;
    node.kind = Kind::InFunction;
    node.address = f->pc;
    node.extent = std::max(1u, f->words);
    out_.reads_.pc = true;
    return add(node);
  }

  /// at(main.c:12), at(12) when there is one source file: the program counter is at code of that line.
  int at_line() {
    expect("(");
    size_t end = rest_.find(')');
    if (end == std::string_view::npos) fail("expected ')' at the end");
    std::string_view where = rest_.substr(0, end);
    rest_.remove_prefix(end + 1);
    size_t colon = where.rfind(':');
    std::string file(colon == std::string_view::npos ? "" : where.substr(0, colon));
    unsigned line = 0;
    for (char c : where.substr(colon == std::string_view::npos ? 0 : colon + 1)) {
      if (std::isdigit(static_cast<unsigned char>(c)) == 0) fail("write at(FILE:LINE), not at({})", where);
      line = line * 10 + unsigned(c - '0');
    }
    out_.reads_.pc = true;
    int any = -1;
    for (size_t i = 0; i < names_.lines.size(); ++i) {
      const LineRow& row = names_.lines[i];
      std::string_view name = names_.files[row.file];
      bool same = file.empty() || name == file || (name.ends_with(file) && name[name.size() - file.size() - 1] == '/');
      if (row.line != line || line == 0 || !same) continue;
      Node node;
      node.kind = Kind::InFunction;
      node.address = row.pc;
      node.extent = (i + 1 < names_.lines.size() ? names_.lines[i + 1].pc : row.pc + 1) - row.pc;
      if (node.extent == 0) continue;
      int here = add(node);
      any = any < 0 ? here : operation(kOrOr, any, here);
    }
    if (any < 0) fail("no code belongs to {}", where);
    return any;
  }

  int raw(uint8_t size) {
    expect("[");
    skip();
    int64_t address = number();
    expect("]");
    if (address + size - 1 > device_.ram_end()) fail("address 0x{:x} is beyond RAM", address);
    if (address >= 32 && address < device_.ram_start()) {
      const Register& r = device_.at(uint16_t(address));
      if (size != 1 || r.kind == RegisterKind::Reserved) fail("no register at 0x{:x}", address);
      return io_node(r, 0, 0);
    }
    Node node;
    node.kind = address < 32 ? Kind::Register : Kind::Memory;
    node.address = uint32_t(address);
    node.size = address < 32 ? 1 : size;
    if (address < 32)
      out_.reads_.registers = true;
    else
      out_.reads_.ram.emplace_back(uint16_t(address), size);
    return add(node);
  }

  int io_node(const Register& r, uint8_t shift, uint8_t bits) {
    Node node;
    if (r.kind == RegisterKind::Sreg) {
      node.kind = Kind::Flag;
      node.shift = shift;
      node.bits = bits;
      out_.reads_.flags = true;
      return add(node);
    }
    if (r.kind == RegisterKind::Spl || r.kind == RegisterKind::Sph) fail("write SP for the stack pointer");
    node.kind = Kind::Io;
    node.address = r.address;
    node.shift = shift;
    node.bits = bits;
    out_.reads_.io.emplace_back(r.address, bits == 0 ? uint8_t(0xff) : uint8_t(1u << shift));
    return add(node);
  }

  std::optional<int> io_register(const std::string& name) {
    const Register* r = device_.find_register(name);
    if (r == nullptr) {  // TCNT1, OCR1A, ADC: two bytes
      const Register* low = device_.find_register(name + "L");
      const Register* high = device_.find_register(name + "H");
      if (low == nullptr || high == nullptr) return std::nullopt;
      int upper = operation(kShl, io_node(*high, 0, 0), constant(8));
      return operation(kOr, upper, io_node(*low, 0, 0));
    }
    if (!eat(".")) return io_node(*r, 0, 0);
    std::string bit = word();
    if (bit.size() == 1 && bit[0] >= '0' && bit[0] <= '7') return io_node(*r, uint8_t(bit[0] - '0'), 1);
    std::vector<std::string> candidates;
    for (const RegisterBit& b : r->bits) {
      if (b.name == bit) return io_node(*r, b.bit, 1);
      candidates.emplace_back(b.name);
    }
    std::string near = nearest(bit, candidates);
    fail("{} has no bit '{}'{}", r->name, bit, near.empty() ? "" : fmt::format("; did you mean '{}'?", near));
  }

  /// A variable in RAM or in flash, with its indices and members.
  std::optional<AccessPath> variable(const std::string& name) {
    const Variable* v = names_.find(name);
    const Variable* table = v == nullptr ? names_.find_in_flash(name) : nullptr;
    if (v == nullptr && table == nullptr) return std::nullopt;
    AccessPath place;
    place.name = name;
    place.in_flash = v == nullptr;
    if (place.in_flash) v = table;
    place.base = place.address = place.in_flash ? v->flash_address : v->address;
    place.type = v->type;
    place.size = v->type >= 0 ? names_.types[size_t(v->type)].size : v->size;
    place.extent = std::max<uint32_t>(1, place.size);
    while (step(place)) {
    }
    return place;
  }

  /// What may stand after '&', or between '*' and the rest: *p, (*p).next, motor.speed
  AccessPath path() {
    skip();
    if (eat("*")) {
      AccessPath place = path();
      return follow(place);
    }
    if (eat("(")) {
      AccessPath place = path();
      expect(")");
      while (step(place)) {
      }
      return place;
    }
    std::string first = rest_.empty() || !is_word(rest_[0]) ? "" : scoped_word();
    if (first.empty()) fail("a variable is expected before '{}'", rest_.substr(0, 12));
    if (auto place = variable(first)) return *place;
    unknown(first);
  }

  /// "(*p)", but not "(*p + 1)": nothing is read then.
  std::optional<AccessPath> path_in_parentheses() {
    size_t star = rest_.find_first_not_of("( ");
    if (star == std::string_view::npos || rest_[star] != '*') return std::nullopt;
    std::string_view before = rest_;
    Expression saved = out_;
    try {
      return path();
    } catch (const Error&) {
      rest_ = before;
      out_ = std::move(saved);
      return std::nullopt;
    }
  }

  const Type* type_at(const AccessPath& place) const {
    return place.type >= 0 ? &names_.types[size_t(place.type)] : nullptr;
  }

  /// What the pointer at `place` leads to.
  AccessPath follow(const AccessPath& place) {
    const Type* type = type_at(place);
    if (type == nullptr || type->kind != TypeKind::Pointer) fail("'{}' is no pointer", place.name);
    if (type->to_function || type->element < 0) fail("'{}' does not lead to a variable", place.name);
    AccessPath out;
    out.name = "*" + place.name;
    out.pointee = out.type = type->element;
    out.size = names_.types[size_t(out.type)].size;
    out.pointer = value_of(place);
    return out;
  }

  int address_of(const AccessPath& place) {
    if (place.in_flash || place.bit_size != 0) fail("'{}' has no address in RAM", place.name);
    int address = place.pointer >= 0 ? operation(kAdd, place.pointer, constant(place.address)) : constant(place.address);
    return place.offset < 0 ? address : operation(kAdd, address, place.offset);
  }

  /// Does a variable of the one type hold something of the other? Numbers of the same size are taken for each other.
  bool holds(int outer, int inner) const {
    if (outer < 0) return false;
    const Type &o = names_.types[size_t(outer)], &i = names_.types[size_t(inner)];
    bool aggregate = i.kind == TypeKind::Struct || i.kind == TypeKind::Array;
    // Names do not tell: a typedef has another, and every file describes its types anew.
    bool alike = aggregate && o.kind == i.kind && o.size == i.size &&
                 std::equal(o.members.begin(), o.members.end(), i.members.begin(), i.members.end(),
                            [](const Member& a, const Member& b) { return a.name == b.name && a.offset == b.offset; });
    if (outer == inner || alike) return true;
    if (o.kind == TypeKind::Array) return holds(o.element, inner);
    if (o.kind == TypeKind::Struct)
      return std::any_of(o.members.begin(), o.members.end(), [&](const Member& m) { return holds(m.type, inner); });
    return !aggregate && o.size == i.size;
  }

  /// The memory that a pointer to this type may lead to: whole variables.
  uint32_t targets_of(int pointee) {
    std::vector<std::pair<uint16_t, uint32_t>> regions;
    for (const Variable& v : names_.variables) {
      if (!holds(v.type, pointee)) continue;
      regions.emplace_back(v.address, std::max<uint32_t>(1, v.size));
      out_.reads_.ram.push_back(regions.back());
    }
    out_.targets_.push_back(std::move(regions));
    return uint32_t(out_.targets_.size() - 1);
  }

  int value_of(const AccessPath& place) {
    const Type* type = type_at(place);
    if (type != nullptr && type->kind == TypeKind::Struct) fail("'{}' is a struct; name a member", place.name);
    if (type != nullptr && type->kind == TypeKind::Array) fail("'{}' is an array; name an element", place.name);
    if (place.size > 8 || place.size == 0)
      fail("'{}' has {} bytes; name a part of it with mem[address]", place.name, place.size);
    Node node;
    node.kind = place.pointer >= 0 ? Kind::Pointed : place.in_flash ? Kind::Flash : Kind::Memory;
    node.address = place.address;
    node.size = uint8_t(place.size);
    node.is_signed = type != nullptr && type->is_signed;
    node.is_real = type != nullptr && type->kind == TypeKind::Float;
    node.shift = place.bit_offset;
    node.bits = place.bit_size;
    if (node.bits != 0) node.size = uint8_t((node.shift + node.bits + 7) / 8);
    node.a = place.offset;
    node.extent = place.base + place.extent;
    if (place.pointer >= 0) {
      node.a = address_of(place);
      node.extent = targets_of(place.pointee);
    } else if (!place.in_flash) {
      if (place.offset >= 0)
        out_.reads_.ram.emplace_back(uint16_t(place.base), place.extent);
      else
        out_.reads_.ram.emplace_back(uint16_t(place.address), node.size);
    }
    return add(node);
  }

  /// One [index], .member or ->member more.
  bool step(AccessPath& place) {
    const Type* type = type_at(place);
    if (rest_.starts_with("->") && type != nullptr && type->kind == TypeKind::Pointer) {
      place = follow(place);
      eat("->");
      return member(place);
    }
    if (type != nullptr && type->kind == TypeKind::Pointer && (skip(), rest_.starts_with("["))) {
      AccessPath element = follow(place);
      eat("[");
      int index = conditional();
      expect("]");
      element.offset = operation(kMul, index, constant(element.size));
      place = element;
      return true;
    }
    if (eat("[")) {
      int index = conditional();
      expect("]");
      uint32_t stride = 1;
      if (type != nullptr) {
        if (type->kind != TypeKind::Array) fail("'[' after something that is no array");
        stride = type->element >= 0 ? names_.types[size_t(type->element)].size : 1;
        const Node& at = out_.nodes_[size_t(index)];
        if (at.kind == Kind::Constant && (at.value < 0 || at.value >= int64_t(type->count)))
          fail("index {} is outside the array of {}", at.value, type->count);
      }
      place.type = type != nullptr ? type->element : -1;
      place.size = stride;
      if (out_.nodes_[size_t(index)].kind == Kind::Constant) {
        place.address += uint32_t(out_.nodes_[size_t(index)].value) * stride;
      } else {
        int scaled = operation(kMul, index, constant(stride));
        place.offset = place.offset < 0 ? scaled : operation(kAdd, place.offset, scaled);
      }
      return true;
    }
    skip();
    if (!rest_.starts_with(".")) return false;
    eat(".");
    return member(place);
  }

  bool member(AccessPath& place) {
    const Type* type = type_at(place);
    std::string member = word();
    if (type == nullptr || type->kind != TypeKind::Struct) fail("'.{}' after something that is no struct", member);
    std::vector<std::string> candidates;
    for (const Member& m : type->members) {
      if (m.name != member) {
        candidates.push_back(m.name);
        continue;
      }
      place.address += m.offset;
      place.type = m.type;
      place.size = m.type >= 0 ? names_.types[size_t(m.type)].size : 1;
      place.bit_offset = m.bit_offset;
      place.bit_size = m.bit_size;
      return true;
    }
    std::string near = nearest(member, candidates);
    fail("no member '{}'{}", member, near.empty() ? "" : fmt::format("; did you mean '{}'?", near));
  }

  std::string_view text_, rest_;
  const Names& names_;
  const Device& device_;
  Expression out_;
};

Expression parse_expression(std::string_view text, const Names& names, const Device& device) {
  return ExpressionParser(text, names, device).parse();
}

}  // namespace whittle::avr
