#include "program/words.h"

#include <fmt/format.h>

#include <cctype>
#include <unordered_map>

namespace whittle::program::words {

using term::Op;

std::optional<std::string_view> infix(Op op) {
  for (const Infix& row : kInfix)
    if (row.op == op) return row.symbol;
  return std::nullopt;
}

std::optional<std::string_view> negated(Op op) {
  for (const Infix& row : kNegated)
    if (row.op == op) return row.symbol;
  return std::nullopt;
}

bool keeps_width(Op op) { return (op >= Op::Not && op <= Op::AShr) || (op >= Op::FAdd && op <= Op::FTrunc); }

Detail detail(Kind kind) {
  switch (kind) {
    case Kind::Call: return Detail::Callee;
    case Kind::ThreadLocal: return Detail::Object;
    case Kind::AtomicRmw: return Detail::Operation;
    default: return Detail::None;
  }
}

unsigned operand_width(const Program& program, const Function& function, const Statement& s, size_t i) {
  if (s.kind == Kind::Assign) return i < s.targets.size() ? function.registers[s.targets[i]].width() : 0;
  if (s.kind == Kind::Return) return function.return_width;
  if (s.kind == Kind::Call) {
    const Function& callee = program.functions[s.callee];
    return i < callee.parameter_count ? callee.registers[i].width() : 0;
  }
  return width_of(letter(info(s.kind).operands, i), program, s).value_or(0);
}

std::optional<unsigned> width_of(char letter, const Program& program, const Statement& statement) {
  switch (letter) {
    case 'a':
    case 'n':
    case 'e': return program.pointer_width();
    case 'w': return statement.width;
    case '1': return 1;
    case '8': return 8;
    default: return std::nullopt;
  }
}

bool is_plain(std::string_view name) {
  if (name.empty() || std::isdigit(static_cast<unsigned char>(name[0]))) return false;
  for (char c : name)
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '_') return false;
  return true;
}

namespace {

template <typename Table>
std::vector<std::string> names_of(const Table& table) {
  std::unordered_map<std::string_view, unsigned> count;
  for (const auto& entry : table) ++count[entry.name];
  std::vector<std::string> names;
  for (size_t i = 0; i < table.size(); ++i) {
    bool plain = is_plain(table[i].name) && count[table[i].name] == 1;
    names.push_back(plain ? table[i].name : fmt::format("#{}", i));
  }
  return names;
}

}  // namespace

Names::Names(const Program& program) : functions(names_of(program.functions)), objects(names_of(program.objects)) {}

std::string register_name(const Function& function, RegisterId reg) {
  const std::string& name = function.registers[reg].name;
  if (!is_plain(name)) return fmt::format("r{}", reg);
  // A variable `load` must not read like the statement load.32.
  bool reserved = false;
  for (unsigned k = 0; k < kKindCount; ++k) reserved |= program::name(static_cast<Kind>(k)) == name;
  return fmt::format("{}{}.{}", name, reserved ? "_" : "", reg);
}

std::string_view name(Type::Kind kind) {
  constexpr std::array<std::string_view, kTypeKindCount> kNames{
      "unknown", "void", "bool", "integer", "float", "pointer", "array", "struct", "union", "enum", "function"};
  return kNames[static_cast<unsigned>(kind)];
}

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else if (c >= ' ' && c <= '~') {
      out += c;
    } else {
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    }
  }
  return out + '"';
}

}  // namespace whittle::program::words
