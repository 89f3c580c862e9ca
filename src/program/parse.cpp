// Two passes over the lines: first everything that has a name (types, objects, functions, registers), then the edges,
// which may mention all of it.
#include "program/parse.h"

#include "base/nearest.h"
#include "program/term_parser.h"
#include "program/words.h"

namespace whittle::program {
namespace {

uint32_t small(Cursor& cursor, std::string_view what) {
  uint64_t value = cursor.number(what);
  if (value >= UINT32_MAX) cursor.fail("the number is too large");
  return static_cast<uint32_t>(value);
}

unsigned width(Cursor& cursor, unsigned least) {
  uint32_t value = small(cursor, "a width");
  if (value < least || value > 128) cursor.fail("a width is from {} to 128", least);
  return value;
}

/// Entries are numbered in order, so that the numbers in the text can be trusted.
void in_order(Cursor& cursor, size_t expected, std::string_view what) {
  if (small(cursor, "a number") != expected) cursor.fail("expected {} {} here", what, expected);
}

class Reader {
 public:
  Reader(std::string_view text, const std::string& file) : file_(file) {
    while (!text.empty()) {
      size_t end = text.find('\n');
      lines_.push_back(text.substr(0, end));
      text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
    }
  }

  Program read() {
    program_.terms().set_simplify(false);  // the text says exactly which terms are meant
    for (size_t i = 0; i < lines_.size(); ++i) declaration(i);
    if (!started_) fail_input("{}: this is no program text: it does not start with `program`", file_);
    symbols();
    for (const auto& [function, line] : edge_lines_) edge(function, line);
    for (size_t f = 0; f < program_.functions.size(); ++f)
      FunctionBuilder(program_, static_cast<FunctionId>(f)).finish(program_.functions[f].entry);
    program_.terms().set_simplify(true);
    validate();
    return std::move(program_);
  }

 private:
  void declaration(size_t i) {
    Cursor cursor(lines_[i], file_, static_cast<unsigned>(i + 1));
    if (cursor.at_end()) return;
    if (cursor.next() >= '0' && cursor.next() <= '9') {
      if (program_.functions.empty()) cursor.fail("an edge outside a function");
      edge_lines_.emplace_back(static_cast<FunctionId>(program_.functions.size() - 1), i);
      return;
    }
    std::string word = cursor.word("a word like `function`");
    if (word != "program" && !started_) cursor.fail("a program text starts with `program ILP32` or `program LP64`");
    if (word == "program") {
      std::string model = cursor.word("ILP32 or LP64");
      if (model != "ILP32" && model != "LP64") cursor.fail("expected ILP32 or LP64");
      program_.data_model = model == "LP64" ? DataModel::LP64 : DataModel::ILP32;
      started_ = true;
    } else if (word == "disguised") {
      program_.disguised_addresses = true;
    } else if (word == "entry") {
      program_.entry = small(cursor, "a function's number");
    } else if (word == "file") {
      program_.files.push_back(cursor.quoted("a file name"));
    } else if (word == "assumption") {
      program_.assumptions.push_back(cursor.quoted("a text"));
    } else if (word == "warning") {
      program_.warnings.push_back(cursor.quoted("a text"));
    } else if (word == "type") {
      type(cursor);
    } else if (word == "object") {
      object(cursor);
    } else if (word == "function") {
      function(cursor);
    } else if (word == "register") {
      reg(cursor);
    } else {
      static const std::vector<std::string> known{"program", "entry", "disguised", "file",     "assumption",
                                                  "warning", "type",  "object",    "function", "register"};
      cursor.fail("`{}` is not understood{}", word, suggestion(word, known));
    }
    if (!cursor.at_end()) cursor.fail("this is not understood");
  }

  void type(Cursor& cursor) {
    in_order(cursor, program_.types.size(), "type");
    Type& t = program_.types.emplace_back();
    std::string kind = cursor.word("a kind of type");
    unsigned k = 0;
    while (k < words::kTypeKindCount && words::name(static_cast<Type::Kind>(k)) != kind) ++k;
    if (k == words::kTypeKindCount) cursor.fail("there is no kind of type `{}`", kind);
    t.kind = static_cast<Type::Kind>(k);
    t.name = cursor.quoted("a name");
    cursor.expect("size");
    t.size = cursor.number("a size");
    t.is_signed = cursor.accept_word("signed");
    if (cursor.accept_word("element")) t.element = small(cursor, "a type's number");
    if (cursor.accept_word("count")) t.count = cursor.number("a number");
    while (cursor.accept_word("field")) {
      Type::Field& field = t.fields.emplace_back();
      field.name = cursor.quoted("a name");
      cursor.expect("type");
      field.type = small(cursor, "a type's number");
      cursor.expect("bit");
      field.bit_offset = cursor.number("an offset");
      if (cursor.accept_word("width")) field.bit_width = small(cursor, "a width");
    }
    while (cursor.accept_word("value")) {
      std::string name = cursor.quoted("a name");
      t.enumerators.emplace_back(name, static_cast<int64_t>(cursor.wide_number("a number")));
    }
  }

  void object(Cursor& cursor) {
    in_order(cursor, program_.objects.size(), "object");
    Object& o = program_.objects.emplace_back();
    o.name = cursor.quoted("a name");
    cursor.expect("at");
    o.address = cursor.number("an address");
    cursor.expect("size");
    o.size = cursor.number("a size");
    if (o.size > layout::kDynamicBase) cursor.fail("the object is too large");
    cursor.expect("align");
    o.align = small(cursor, "an alignment");
    if (cursor.accept_word("named")) o.source_name = cursor.quoted("a name");
    if (cursor.accept_word("type")) o.type = small(cursor, "a type's number");
    o.constant = cursor.accept_word("constant");
    o.thread_local_ = cursor.accept_word("thread_local");
    o.runtime = cursor.accept_word("runtime");
    role(cursor, o.role, kObjectRoleCount);
    if (cursor.accept("=")) {
      if (cursor.peek("\"")) {
        std::string text = cursor.quoted("bytes");
        o.initial.assign(text.begin(), text.end());
      } else {
        o.initial = cursor.hex_bytes();
      }
    }
    if (o.initial.size() > o.size) cursor.fail("{} bytes do not fit into {}", o.initial.size(), o.size);
    o.initial.resize(o.size);
    position(cursor, o.position);
  }

  void function(Cursor& cursor) {
    in_order(cursor, program_.functions.size(), "function");
    Function& f = program_.functions.emplace_back();
    f.name = cursor.quoted("a name");
    if (cursor.accept_word("named")) f.source_name = cursor.quoted("a name");
    cursor.expect("returns");
    f.return_width = width(cursor, 0);
    if (cursor.accept_word("type")) f.return_type = small(cursor, "a type's number");
    cursor.expect("entry");
    f.entry = small(cursor, "a location");
    cursor.expect("locations");
    uint32_t locations = small(cursor, "a number of locations");
    if (locations > 10'000'000) cursor.fail("that many locations cannot be");
    if (f.entry >= locations) cursor.fail("the entry location does not exist");
    f.locations.resize(locations);
    cursor.expect("parameters");
    f.parameter_count = small(cursor, "a number of parameters");
    f.runtime = cursor.accept_word("runtime");
    role(cursor, f.role, kFunctionRoleCount);
    position(cursor, f.position);
  }

  template <typename Role>
  static void role(Cursor& cursor, Role& role, unsigned count) {
    if (!cursor.accept_word("role")) return;
    const std::string word = cursor.word("a role");
    for (unsigned i = 1; i < count; ++i)
      if (word == name(static_cast<Role>(i))) return void(role = static_cast<Role>(i));
    cursor.fail("there is no role `{}`", word);
  }

  void reg(Cursor& cursor) {
    if (program_.functions.empty()) cursor.fail("a register outside a function");
    auto f = static_cast<FunctionId>(program_.functions.size() - 1);
    in_order(cursor, program_.functions[f].registers.size(), "register");
    unsigned w = width(cursor, 1);
    std::string name = cursor.peek("\"") ? cursor.quoted("a name") : "";
    TypeId type = cursor.accept_word("type") ? small(cursor, "a type's number") : kNoType;
    Register& made = program_.functions[f].registers[program_.add_register(f, w, name, type)];
    if (cursor.accept_word("argument")) made.argument = small(cursor, "a parameter's number");
    if (cursor.accept_word("scope")) scope(cursor, made.scope);
  }

  void scope(Cursor& cursor, Extent& extent) {
    extent.first_line = small(cursor, "a line");
    for (uint32_t* number : {&extent.first_column, &extent.last_line, &extent.last_column}) {
      cursor.expect(":");
      *number = small(cursor, "a line or column");
    }
  }

  void position(Cursor& cursor, SourcePosition& p) {
    if (!cursor.accept("@")) return;
    if (!cursor.accept("?")) p.file = small(cursor, "a file's number");
    cursor.expect(":");
    p.line = small(cursor, "a line");
    cursor.expect(":");
    p.column = small(cursor, "a column");
  }

  void symbols() {
    for (const Function& f : program_.functions)
      if (f.parameter_count > f.registers.size())
        fail_input("{}: function `{}` has {} parameters but {} registers", file_, f.name, f.parameter_count,
                   f.registers.size());
    words::Names names(program_);
    for (uint32_t i = 0; i < names.functions.size(); ++i) symbols_.functions[names.functions[i]] = i;
    for (uint32_t i = 0; i < names.objects.size(); ++i) symbols_.objects[names.objects[i]] = i;
  }

  void edge(FunctionId function, size_t i) {
    Cursor cursor(lines_[i], file_, static_cast<unsigned>(i + 1));
    LocationId from = location(cursor, function);
    LocationId to = cursor.accept("->") ? location(cursor, function) : kNone;
    cursor.expect(":");
    Statement s = statement(cursor, function);
    position(cursor, s.position);
    if (!cursor.at_end()) cursor.fail("this is not understood");
    if (ends_path(s.kind) && to != kNone) cursor.fail("`{}` ends the path: the edge leads nowhere", name(s.kind));
    if (!ends_path(s.kind) && to == kNone) cursor.fail("after `{}` the edge must lead on", name(s.kind));
    FunctionBuilder(program_, function).edge(from, to, std::move(s));
  }

  LocationId location(Cursor& cursor, FunctionId function) {
    uint32_t id = small(cursor, "a location");
    if (id >= program_.functions[function].locations.size()) cursor.fail("location {} does not exist", id);
    return id;
  }

  Statement statement(Cursor& cursor, FunctionId function) {
    Statement s;
    TermParser terms(program_, symbols_, function, cursor);
    Cursor start = cursor;
    bool has_targets = find_assignment(cursor);
    cursor = start;
    if (has_targets) {
      do s.targets.push_back(terms.parse_register());
      while (cursor.accept(","));
      cursor.expect(":=");
    }
    start = cursor;
    auto word = cursor.word();
    if (word && kind(*word, s)) {
      kind_details(cursor, terms, s);
      bool many = cursor.accept("(");
      if (many && !cursor.accept(")")) operands(cursor, terms, function, s, ")");
    } else {
      if (!has_targets) start.fail("expected a statement");
      cursor = start;
      s.kind = Kind::Assign;
      operands(cursor, terms, function, s, "");
    }
    attributes(cursor, s);
    return s;
  }

  /// Is there a `:=` before anything that could be a string?
  static bool find_assignment(Cursor& cursor) {
    while (!cursor.at_end() && !cursor.peek("\"")) {
      if (cursor.accept(":=")) return true;
      cursor.skip(1);
    }
    return false;
  }

  /// "load.32" -> Load of width 32. "assign" is no word of the text: an assignment is just its terms.
  static bool kind(const std::string& word, Statement& s) {
    size_t dot = word.find('.');
    for (unsigned k = 0; k < kKindCount; ++k) {
      if (name(static_cast<Kind>(k)) != word.substr(0, dot) || static_cast<Kind>(k) == Kind::Assign) continue;
      std::string digits = dot == std::string::npos ? "0" : word.substr(dot + 1);
      if (digits.size() > 4 || digits.find_first_not_of("0123456789") != std::string::npos) return false;
      s.kind = static_cast<Kind>(k);
      s.width = static_cast<uint16_t>(std::stoul(digits));
      return true;
    }
    return false;
  }

  void kind_details(Cursor& cursor, TermParser& terms, Statement& s) {
    switch (words::detail(s.kind)) {
      case words::Detail::Callee: s.callee = terms.parse_symbol(symbols_.functions, "function"); break;
      case words::Detail::Object: s.object = terms.parse_symbol(symbols_.objects, "object"); break;
      case words::Detail::Operation: {
        std::string word = cursor.word("an operation like `add`");
        unsigned r = 0;
        while (r <= static_cast<unsigned>(Rmw::UMin) && name(static_cast<Rmw>(r)) != word) ++r;
        if (r > static_cast<unsigned>(Rmw::UMin)) cursor.fail("there is no operation `{}`", word);
        s.rmw = static_cast<Rmw>(r);
        break;
      }
      case words::Detail::None: break;
    }
  }

  void operands(Cursor& cursor, TermParser& terms, FunctionId function, Statement& s, std::string_view end) {
    do {
      unsigned expected = words::operand_width(program_, program_.functions[function], s, s.operands.size());
      s.operands.push_back(terms.parse(expected));
    } while (cursor.accept(","));
    if (!end.empty()) cursor.expect(end);
  }

  void attributes(Cursor& cursor, Statement& s) {
    if (cursor.accept_word("property")) {
      std::string word = cursor.word("a property");
      unsigned p = 0;
      while (p < verdict::kPropertyCount && verdict::name(static_cast<verdict::Property>(p)) != word) ++p;
      if (p == verdict::kPropertyCount) cursor.fail("there is no property `{}`", word);
      s.property = static_cast<verdict::Property>(p);
    }
    if (cursor.accept_word("align")) {
      uint32_t align = small(cursor, "an alignment");
      if (align == 0 || align > 128 || (align & (align - 1)) != 0)
        cursor.fail("an alignment is a power of two up to 128");
      s.align = static_cast<uint8_t>(align);
    }
    s.atomic = cursor.accept_word("atomic");
    s.local = cursor.accept_word("local");
    s.input = cursor.accept_word("input");
    if (cursor.peek("\"")) s.text = cursor.quoted("a text");
  }

  /// A text can describe what no program is; that is the text's fault, not ours.
  void validate() const {
    try {
      program_.validate();
    } catch (const Error& error) {
      fail_input("{}: {}", file_, error.what());
    }
  }

  const std::string& file_;
  std::vector<std::string_view> lines_;
  Program program_;
  bool started_ = false;
  Symbols symbols_;
  std::vector<std::pair<FunctionId, size_t>> edge_lines_;
};

}  // namespace

Program parse_text(std::string_view text, const std::string& file) { return Reader(text, file).read(); }

}  // namespace whittle::program
