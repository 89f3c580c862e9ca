#include <fmt/format.h>

#include <algorithm>

#include "program/print.h"
#include "program/term_text.h"
#include "program/words.h"

namespace whittle::program {
namespace {

using words::quoted;
using Expected = TermPrinter::Expected;

class Printer {
 public:
  Printer(const Program& program, const PrintOptions& options)
      : program_(program), options_(options), names_(program) {}

  std::string all() {
    line("program {}", program_.data_model == DataModel::ILP32 ? "ILP32" : "LP64");
    if (program_.entry != kNone) line("entry {}", program_.entry);
    if (program_.disguised_addresses) line("disguised");
    for (const std::string& file : program_.files) line("file {}", quoted(file));
    for (const std::string& text : program_.assumptions) line("assumption {}", quoted(text));
    for (const std::string& text : program_.warnings) line("warning {}", quoted(text));
    for (size_t i = 1; i < program_.types.size(); ++i) type(i);
    for (size_t i = 0; i < program_.objects.size(); ++i) object(i);
    for (size_t i = 0; i < program_.functions.size(); ++i)
      if (options_.runtime || !program_.functions[i].runtime) function(static_cast<FunctionId>(i));
    return std::move(out_);
  }

  std::string statement(FunctionId function, const Statement& s) {
    const Function& f = program_.functions[function];
    TermPrinter terms(program_, names_, function);
    std::string text;
    for (size_t i = 0; i < s.targets.size(); ++i) text += (i == 0 ? "" : ", ") + words::register_name(f, s.targets[i]);
    if (!s.targets.empty()) text += " := ";
    if (s.kind != Kind::Assign) text += name(s.kind);
    if (s.width != 0) text += fmt::format(".{}", s.width);
    switch (words::detail(s.kind)) {
      case words::Detail::Callee: text += " " + names_.functions[s.callee]; break;
      case words::Detail::Object: text += " " + names_.objects[s.object]; break;
      case words::Detail::Operation: text += fmt::format(" {}", name(s.rmw)); break;
      case words::Detail::None: break;
    }
    bool parentheses = s.kind != Kind::Assign && (!s.operands.empty() || s.kind == Kind::Call);
    if (parentheses) text += '(';
    for (size_t i = 0; i < s.operands.size(); ++i) {
      bool known = words::operand_width(program_, f, s, i) != 0;
      if (i != 0) text += ", ";
      text += terms.print(s.operands[i], {known, place_kind(program_, s, i)});
    }
    if (parentheses) text += ')';
    return text + attributes(s);
  }

  std::string term(FunctionId function, term::Term t) {
    return TermPrinter(program_, names_, function).print(t, {false, Expected::Either});
  }

 private:
  template <typename... Args>
  void line(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
    out_ += '\n';
  }

  static std::string attributes(const Statement& s) {
    std::string text;
    if (s.kind == Kind::Check || s.kind == Kind::Error) text += fmt::format(" property {}", verdict::name(s.property));
    if (s.align != 1) text += fmt::format(" align {}", s.align);
    if (s.atomic) text += " atomic";
    if (s.local) text += " local";
    if (s.input) text += " input";
    if (!s.text.empty()) text += " " + quoted(s.text);
    return text;
  }

  std::string position(const SourcePosition& p) const {
    if (!options_.positions || p == SourcePosition{}) return "";
    if (p.file == kNone) return fmt::format(" @?:{}:{}", p.line, p.column);
    return fmt::format(" @{}:{}:{}", p.file, p.line, p.column);
  }

  void type(size_t id) {
    const Type& t = program_.types[id];
    std::string text = fmt::format("type {} {} {} size {}", id, words::name(t.kind), quoted(t.name), t.size);
    if (t.is_signed) text += " signed";
    if (t.element != kNoType) text += fmt::format(" element {}", t.element);
    if (t.count != 0) text += fmt::format(" count {}", t.count);
    for (const Type::Field& f : t.fields) {
      text += fmt::format(" field {} type {} bit {}", quoted(f.name), f.type, f.bit_offset);
      if (f.bit_width != 0) text += fmt::format(" width {}", f.bit_width);
    }
    for (const auto& [word, value] : t.enumerators) text += fmt::format(" value {} {}", quoted(word), value);
    line("{}", text);
  }

  void object(size_t id) {
    const Object& o = program_.objects[id];
    if (o.runtime && !options_.runtime) return;
    std::string text =
        fmt::format("object {} {} at 0x{:x} size {} align {}", id, quoted(o.name), o.address, o.size, o.align);
    if (!o.source_name.empty()) text += " named " + quoted(o.source_name);
    if (o.type != kNoType) text += fmt::format(" type {}", o.type);
    if (o.constant) text += " constant";
    if (o.thread_local_) text += " thread_local";
    if (o.runtime) text += " runtime";
    if (o.role != ObjectRole::None) text += fmt::format(" role {}", name(o.role));
    text += bytes(o.initial);
    line("{}{}", text, position(o.position));
  }

  /// The bytes up to the last that is not zero: as a string if they read like one.
  static std::string bytes(const std::vector<uint8_t>& initial) {
    size_t n = initial.size();
    while (n > 0 && initial[n - 1] == 0) --n;
    if (n == 0) return "";
    bool text = std::all_of(initial.begin(), initial.begin() + static_cast<ptrdiff_t>(n),
                            [](uint8_t c) { return (c >= ' ' && c <= '~') || c == '\n' || c == '\t'; });
    if (text && n > 1) return " = " + quoted({reinterpret_cast<const char*>(initial.data()), n});
    std::string hex = " = 0x";
    for (size_t i = 0; i < n; ++i) hex += fmt::format("{:02x}", initial[i]);
    return hex;
  }

  void function(FunctionId id) {
    const Function& f = program_.functions[id];
    const std::string named = f.source_name.empty() ? "" : " named " + quoted(f.source_name);
    const std::string type = f.return_type == kNoType ? "" : fmt::format(" type {}", f.return_type);
    line("\nfunction {} {}{} returns {}{} entry {} locations {} parameters {}{}{}", id, quoted(f.name), named, f.return_width, type,
         f.entry, f.locations.size(), f.parameter_count, f.runtime ? " runtime" : "",
         (f.role == FunctionRole::None ? "" : fmt::format(" role {}", name(f.role))) + position(f.position));
    for (size_t i = 0; i < f.registers.size(); ++i) {
      const Register& r = f.registers[i];
      std::string text = fmt::format("  register {} {}", i, r.width());
      if (!r.name.empty()) text += " " + quoted(r.name);
      if (r.type != kNoType) text += fmt::format(" type {}", r.type);
      if (r.argument != 0) text += fmt::format(" argument {}", r.argument);
      if (r.scope.known() && options_.positions)
        text += fmt::format(" scope {}:{}:{}:{}", r.scope.first_line, r.scope.first_column, r.scope.last_line, r.scope.last_column);
      line("{}", text);
    }
    for (const Edge& edge : f.edges) {
      std::string to = edge.to == kNone ? "" : fmt::format(" -> {}", edge.to);
      line("  {}{}: {}{}", edge.from, to, statement(id, edge.statement), position(edge.statement.position));
    }
  }

  const Program& program_;
  PrintOptions options_;
  words::Names names_;
  std::string out_;
};

}  // namespace

std::string to_text(const Program& program, const PrintOptions& options) { return Printer(program, options).all(); }

std::string to_text(const Program& program, FunctionId function, const Statement& statement) {
  return Printer(program, {}).statement(function, statement);
}

std::string to_text(const Program& program, FunctionId function, term::Term term) {
  return Printer(program, {}).term(function, term);
}

}  // namespace whittle::program
