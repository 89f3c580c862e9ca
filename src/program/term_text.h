// Terms of a function as text. See print.h for the syntax.
#pragma once

#include <string>
#include <unordered_map>

#include "program/program.h"
#include "program/words.h"

namespace whittle::program {

class TermPrinter {
 public:
  TermPrinter(const Program& program, const words::Names& names, FunctionId function)
      : program_(program), names_of_(names), function_(function) {}
  /// For people only: registers by name where that is clear, constants without widths, and `...` for terms
  /// longer than anybody reads.
  void be_brief();

  struct Expected {
    /// What a constant here is for people: a number, an address, or it may be either.
    enum Kind : uint8_t { Number, Address, Either };
    bool width_known = false;  ///< the reader knows the width here, so a constant need not tell it
    Kind kind = Number;
  };
  /// Parts named `$1` are named for all terms printed between two calls of begin().
  void begin() { names_.clear(), uses_.clear(); }
  std::string print(term::Term term, Expected place);
  /// Of a register, in the way of print().
  std::string name(RegisterId reg) const;

 private:
  void count_uses(term::Term term);
  void write(term::Term term, Expected place);
  /// In parentheses unless it holds together by itself: for `$1=` before and `[7:0]` after it.
  void write_wrapped(term::Term term, void (TermPrinter::*how)(term::Term, Expected));
  void write_constant(term::Term term, Expected place);
  bool write_address(uint64_t value, bool address_place);
  void write_operation(term::Term term, Expected place);
  void write_infix(term::Term term, std::string_view symbol, Expected place);

  const Program& program_;
  const words::Names& names_of_;
  FunctionId function_;
  bool brief_ = false;
  std::vector<std::string> registers_;  ///< their brief names
  std::string out_;
  std::unordered_map<term::Term, unsigned> uses_;   ///< how often each part occurs, where sharing pays
  std::unordered_map<term::Term, unsigned> names_;  ///< $1, $2, ...
};

/// What a constant operand of a statement is for people.
TermPrinter::Expected::Kind place_kind(const Program& program, const Statement& statement, size_t operand);

}  // namespace whittle::program
