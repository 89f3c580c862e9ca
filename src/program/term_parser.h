// Reads words, numbers and terms from one line of a program's text. See print.h for the syntax.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/error.h"
#include "program/program.h"

namespace whittle::program {

/// A place in a line. Spaces before a word or sign are passed over.
class Cursor {
 public:
  Cursor(std::string_view line, const std::string& file, unsigned number)
      : line_(line), file_(&file), number_(number) {}

  bool at_end();
  bool peek(std::string_view sign);
  bool accept(std::string_view sign);       ///< that text comes next: pass over it
  bool accept_word(std::string_view word);  ///< the same for a whole word
  void expect(std::string_view sign);
  std::optional<std::string> word();  ///< letters, digits, `_`; also `-` and `.` inside (valid-deref, i.0, load.32)
  std::string word(std::string_view what);
  uint64_t number(std::string_view what);   ///< decimal or 0x
  u128 wide_number(std::string_view what);  ///< the same, and with a minus
  std::string quoted(std::string_view what);
  std::vector<uint8_t> hex_bytes();  ///< after 0x
  /// The next character without passing over spaces, 0 at the end.
  char next(size_t ahead = 0) const { return at_ + ahead < line_.size() ? line_[at_ + ahead] : '\0'; }
  void skip(size_t n) { at_ += n; }

  template <typename... Args>
  [[noreturn]] void fail(fmt::format_string<Args...> format, Args&&... args) const {
    fail_input("{}:{}:{}: {}", *file_, number_, mark_ + 1, fmt::format(format, std::forward<Args>(args)...));
  }

 private:
  void spaces();

  std::string_view line_;
  const std::string* file_;
  unsigned number_;
  size_t at_ = 0;
  size_t mark_ = 0;  ///< start of the last word or sign looked at: where errors are
};

/// Names of functions and objects, as written without the sign before them.
struct Symbols {
  std::unordered_map<std::string, uint32_t> functions;
  std::unordered_map<std::string, uint32_t> objects;
};

class TermParser {
 public:
  TermParser(Program& program, const Symbols& symbols, FunctionId function, Cursor& cursor)
      : program_(program), symbols_(symbols), function_(function), cursor_(cursor) {}

  /// A term; constants without a width of their own get `expected` (0: that is an error).
  term::Term parse(unsigned expected);
  RegisterId parse_register();
  uint32_t parse_symbol(const std::unordered_map<std::string, uint32_t>& table, std::string_view what);

 private:
  term::Term primary(unsigned expected);
  term::Term parenthesis(unsigned expected);
  term::Term infix(term::Term left);
  term::Term constant(unsigned expected);
  term::Term address();
  term::Term shared();
  term::Term operation(const std::string& word);
  term::Term register_named(const std::string& word);
  std::optional<RegisterId> register_number(const std::string& word);
  void same_width(term::Term a, term::Term b);

  Program& program_;
  const Symbols& symbols_;
  FunctionId function_;
  Cursor& cursor_;
  std::unordered_map<uint64_t, term::Term> shared_;
};

}  // namespace whittle::program
