#include "program/c_text.h"

#include <fmt/format.h>

#include <optional>
#include <vector>

#include "term/op.h"
#include "term/print_c.h"

namespace whittle::program {

using term::Named;
using term::Op;
using term::Term;

bool is_record(const Type& type) { return type.kind == Type::Kind::Struct || type.kind == Type::Kind::Union; }

bool is_character(const Type& type) {
  if (type.kind != Type::Kind::Integer) return false;
  return type.name == "char" || type.name == "wchar_t" || type.name == "wint_t" || type.name == "char16_t" || type.name == "char32_t";
}

bool is_flexible(const Program& program, const Type& type) {
  if (type.kind != Type::Kind::Struct || type.fields.empty()) return false;
  const Type& last = program.types[type.fields.back().type];
  return last.kind == Type::Kind::Array && last.count == 0;
}

namespace {

/// What the bytes are in any of the members, down to members of members: a bit for each kind of type, the lowest for bit-fields.
Kinds kinds_at(const Program& program, TypeId id, uint64_t offset, uint64_t size) {
  const Type& it = program.types[id];
  if (it.kind == Type::Kind::Array) {
    const uint64_t element = program.types[it.element].size;
    return element != 0 && size <= element ? kinds_at(program, it.element, offset % element, size) : 0;
  }
  if (!is_record(it)) return offset == 0 && it.size == size ? kind_bit(it.kind) : 0;
  Kinds kinds = 0;
  for (const Type::Field& field : it.fields) {
    const uint64_t begin = field.bit_offset / 8, length = program.types[field.type].size;
    if (field.bit_width != 0 && begin < offset + size && field.bit_offset + field.bit_width > offset * 8) kinds |= 1;
    if (field.bit_width == 0 && begin <= offset && offset + size <= begin + length)
      kinds |= kinds_at(program, field.type, offset - begin, size);
  }
  return kinds;
}

/// The member that holds the bytes: of a union one in which they are all of something.
const Type::Field* member_at(const Program& program, const Type& record, uint64_t offset, uint64_t size, Kinds wanted) {
  for (const Type::Field& field : record.fields) {
    const Type& it = program.types[field.type];
    const uint64_t begin = field.bit_offset / 8;
    const bool open = is_flexible(program, record) && &field == &record.fields.back();
    if (field.bit_width != 0 || begin > offset || (!open && offset + size > begin + it.size)) continue;
    if (record.kind != Type::Kind::Union || (kinds_at(program, field.type, offset - begin, size) & wanted & ~1u) != 0) return &field;
  }
  return nullptr;
}

}  // namespace

Innermost innermost(const Program& program, std::string text, TypeId id, uint64_t offset, uint64_t size, bool decided, Kinds wanted) {
  while (id != kNoType) {
    const Type& it = program.types[id];
    if (it.kind == Type::Kind::Array && it.element != kNoType && program.types[it.element].size != 0) {
      const uint64_t element = program.types[it.element].size;
      if (size > element) break;
      text += fmt::format("[{}]", offset / element);
      offset %= element;
      id = it.element;
      continue;
    }
    if (!is_record(it)) break;
    const Kinds kinds = it.kind == Type::Kind::Union ? kinds_at(program, id, offset, size) & (wanted | 1) : 0;
    if (!decided && (kinds & (kinds - 1)) != 0) break;
    const Type::Field* inside = member_at(program, it, offset, size, wanted);
    if (!inside) break;
    if (!inside->name.empty()) text += "." + inside->name;
    offset -= inside->bit_offset / 8;
    id = inside->type;
  }
  return {std::move(text), id, offset};
}

PlaceName place_in(const Program& program, std::string text, TypeId id, uint64_t offset, uint64_t size) {
  Innermost found = innermost(program, std::move(text), id, offset, size, true);
  const bool exact = found.type != kNoType && found.offset == 0 && program.types[found.type].size == size;
  if (found.offset != 0) found.text += fmt::format(" + {}", found.offset);
  return {found.text, exact ? found.type : kNoType};
}

namespace {

/// An address taken apart: one thing with a name, a constant, and at most one index that is scaled.
struct Address {
  std::string name;       ///< of an object; of a pointer if `pointer`
  TypeId type = kNoType;  ///< of the object, or of what the pointer points to
  bool pointer = false;
  int64_t offset = 0;
  Term index;  ///< none: there is none
  uint64_t scale = 1;
};

class CText {
 public:
  CText(const Program& program, const RegisterOf& register_of) : program_(program), register_of_(register_of) {}

  std::optional<Named> operator()(Term t) const {
    if (t.op() == Op::Variable) return variable(t);
    if (t.op() == Op::Constant) return constant(t);
    if (t.op() == Op::Read) return read(t);
    if (t.op() == Op::Add && t.width() == program_.pointer_width()) return address(t);
    return std::nullopt;
  }

 private:
  const Type& type(TypeId id) const { return program_.types[id]; }
  bool is_signed(TypeId id) const {
    const Type& it = type(id);
    return it.kind == Type::Kind::Integer ? it.is_signed : it.kind == Type::Kind::Enum && type(it.element).is_signed;
  }
  Program::RegisterRef register_of(Term variable) const {
    return register_of_ ? register_of_(variable) : program_.register_of(variable);
  }

  /// The local object that the register is the address of, if it is always that one's.
  const Statement* stack_object(Program::RegisterRef ref) const {
    const Statement* found = nullptr;
    for (const Edge& edge : program_.functions[ref.function].edges)
      for (RegisterId target : edge.statement.targets) {
        if (target != ref.reg) continue;
        if (found || edge.statement.kind != Kind::StackAlloc || edge.statement.text.empty()) return nullptr;
        found = &edge.statement;
      }
    return found;
  }

  std::optional<Named> variable(Term t) const {
    const auto ref = register_of(t);
    if (ref.reg == kNone) return std::nullopt;
    const Register& it = program_.functions[ref.function].registers[ref.reg];
    if (!it.name.empty()) return Named{{it.name}, {}, is_signed(it.type), false};
    if (const Statement* object = stack_object(ref)) return Named{{"&" + object->text}, {}, false, true};
    return Named{{fmt::format("r{}", ref.reg)}, {}, false, false};
  }

  std::optional<Named> constant(Term t) const {
    if (t.width() != program_.pointer_width()) return std::nullopt;
    const uint64_t value = t.value64();
    if (auto function = program_.function_at(value))
      return Named{{source_name(program_.functions[*function])}, {}, false, false};
    if (!program_.object_at(value)) return std::nullopt;
    return address(t);
  }

  std::optional<Named> address(Term t) const {
    std::optional<Address> it = take_apart(t);
    if (!it || it->pointer) return std::nullopt;  // p + 8 is fine as it is
    if (it->index) {
      std::optional<Named> at = element(*it, 1).first;
      if (!at) return std::nullopt;
      at->pieces[0] = "&" + at->pieces[0];
      return Named{at->pieces, at->terms, false, true};
    }
    if (it->offset == 0) return Named{{"&" + it->name}, {}, false, true};
    PlaceName member = place_in(program_, it->name, it->type, static_cast<uint64_t>(it->offset), 1);
    if (member.text.find(" + ") == std::string::npos) return Named{{"&" + member.text}, {}, false, true};
    return Named{{fmt::format("((char*)&{} + {})", it->name, it->offset)}, {}, false, false};
  }

  std::optional<Named> read(Term t) const {
    std::optional<Address> it = take_apart(t.kid(0));
    if (!it || t.width() % 8 != 0) return std::nullopt;
    const uint64_t size = t.width() / 8;
    if (it->pointer || it->index) {
      auto [named, found] = element(*it, size);
      return found == kNoType ? std::nullopt : named;
    }
    PlaceName member = place_in(program_, it->name, it->type, static_cast<uint64_t>(it->offset), size);
    if (member.type != kNoType) return Named{{member.text}, {}, is_signed(member.type), false};
    // A piece of something else: the bytes there.
    if (size > 8) return std::nullopt;
    const std::string at = it->offset == 0 ? "&" + it->name : fmt::format("((char*)&{} + {})", it->name, it->offset);
    return Named{{fmt::format("*(uint{}_t*){}", t.width(), at)}, {}, false, true};
  }

  /// Sums of a base, constants and one scaled index.
  std::optional<Address> take_apart(Term t) const {
    Address found;
    bool based = false;
    std::vector<Term> open{t};
    while (!open.empty()) {
      Term part = open.back();
      open.pop_back();
      if (part.op() == Op::Add) {
        open.push_back(part.kid(0));
        open.push_back(part.kid(1));
        continue;
      }
      if (part.is_constant()) {
        auto object = program_.object_at(part.value64());
        if (!object || based) {
          found.offset += static_cast<int64_t>(sign_extend128(part.value(), part.width()));
          continue;
        }
        const Object& it = program_.objects[*object];
        found.name = source_name(it);
        found.type = it.type;
        found.offset += static_cast<int64_t>(part.value64() - it.address);
        based = true;
        continue;
      }
      if (part.is_variable() && !based && base(part, found)) {
        based = true;
        continue;
      }
      if (found.index) return std::nullopt;
      scaled(part, found);
    }
    if (!based || found.offset < 0) return std::nullopt;
    return found;
  }

  bool base(Term variable, Address& found) const {
    const auto ref = register_of(variable);
    if (ref.reg == kNone) return false;
    const Register& it = program_.functions[ref.function].registers[ref.reg];
    const TypeId element = type(it.type).kind == Type::Kind::Pointer ? type(it.type).element : kNoType;
    if (it.name.empty()) {
      const Statement* object = stack_object(ref);
      if (!object) return false;
      found.name = object->text;
      found.type = element;
      return true;
    }
    if (element == kNoType || type(element).size == 0) return false;
    found.name = it.name;
    found.type = element;
    found.pointer = true;
    return true;
  }

  static void scaled(Term part, Address& found) {
    if (part.op() == Op::Mul && part.kid(1).is_constant()) {
      found.scale = part.kid(1).value64();
      part = part.kid(0);
    } else if (part.op() == Op::Mul && part.kid(0).is_constant()) {
      found.scale = part.kid(0).value64();
      part = part.kid(1);
    } else if (part.op() == Op::Shl && part.kid(1).is_constant() && part.kid(1).value64() < 32) {
      found.scale = uint64_t{1} << part.kid(1).value64();
      part = part.kid(0);
    }
    if (part.op() == Op::SExt || part.op() == Op::ZExt) part = part.kid(0);  // as C's index does
    found.index = part;
  }

  /// An element of an array, or what a pointer points to, or a member of these; with its type if it is all of it.
  std::pair<std::optional<Named>, TypeId> element(const Address& it, uint64_t size) const {
    const bool array = !it.pointer && type(it.type).kind == Type::Kind::Array;
    const TypeId id = array ? type(it.type).element : it.type;
    const uint64_t bytes = type(id).size;
    if ((!array && !it.pointer) || bytes == 0 || (it.index && it.scale != bytes)) return {};
    const uint64_t first = static_cast<uint64_t>(it.offset) / bytes, offset = static_cast<uint64_t>(it.offset) % bytes;
    PlaceName member = place_in(program_, "", id, offset, size);
    if (member.text.starts_with(" + ")) return {};
    const bool is = is_signed(member.type);
    if (it.index)
      return {
          Named{
              {it.name + "[", (first == 0 ? "]" : fmt::format(" + {}]", first)) + member.text}, {it.index}, is, false},
          member.type};
    if (first > 0) return {Named{{fmt::format("{}[{}]{}", it.name, first, member.text)}, {}, is, false}, member.type};
    if (member.text.starts_with('.'))
      return {Named{{it.name + "->" + member.text.substr(1)}, {}, is, false}, member.type};
    if (!member.text.empty()) return {};
    return {Named{{"*" + it.name}, {}, is, true}, member.type};
  }

  const Program& program_;
  const RegisterOf& register_of_;
};

}  // namespace

std::string to_c(const Program& program, Term term, const RegisterOf& register_of) {
  return term::to_c(program.terms(), term, CText(program, register_of));
}

}  // namespace whittle::program
