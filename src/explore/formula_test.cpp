#include "explore/formula.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"

namespace whittle::explore {
namespace {

/// Fully bracketed, in terms of the core.
std::string show(const Formula& f, uint32_t i, const std::vector<std::string>& atoms) {
  const Formula::Node& n = f[i];
  auto sub = [&](uint32_t k) { return show(f, k, atoms); };
  switch (n.op) {
    case Ctl::True: return "T";
    case Ctl::Atom: return "<" + atoms[n.left] + ">";
    case Ctl::Not: return "!" + sub(n.left);
    case Ctl::And: return "(" + sub(n.left) + " & " + sub(n.right) + ")";
    case Ctl::Or: return "(" + sub(n.left) + " | " + sub(n.right) + ")";
    case Ctl::ExistsUntil: return "E[" + sub(n.left) + " U " + sub(n.right) + "]";
    case Ctl::AlwaysUntil: return "A[" + sub(n.left) + " U " + sub(n.right) + "]";
  }
  return "?";
}

std::string parsed(std::string_view text) {
  std::vector<std::string> atoms;
  Formula f = parse_formula(text, [&](std::string_view atom) {
    if (atom == "nonsense") fail_input("there is no variable nonsense");
    atoms.emplace_back(atom);
    return static_cast<uint32_t>(atoms.size() - 1);
  });
  return show(f, f.root(), atoms);
}

std::string error_of(std::string_view text) {
  try {
    return "parsed: " + parsed(text);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::BadInput);
    return error.what();
  }
}

TEST(Formula, Operators) {
  EXPECT_EQ(parsed("p"), "<p>");
  EXPECT_EQ(parsed("AG p"), "!E[T U !<p>]");
  EXPECT_EQ(parsed("EF p"), "E[T U <p>]");
  EXPECT_EQ(parsed("AF(p)"), "A[T U <p>]");
  EXPECT_EQ(parsed("EG !p"), "!A[T U <p>]");
  EXPECT_EQ(parsed("A[p U q]"), "A[<p> U <q>]");
  EXPECT_EQ(parsed("E(p U q)"), "E[<p> U <q>]");
  EXPECT_EQ(parsed("E (p && r) U (q)"), "E[(<p> & <r>) U <q>]");
  EXPECT_EQ(parsed("E !p U AF q"), "E[!<p> U A[T U <q>]]");
  EXPECT_EQ(parsed("A[p R q]"), "!E[!<p> U !<q>]");
  EXPECT_EQ(parsed("E[p V q]"), "!A[!<p> U !<q>]");
  EXPECT_EQ(parsed("A[p W q]"), "!E[!<q> U (!<p> & !<q>)]");
  EXPECT_EQ(parsed("A[A[p U q] U r || s]"), "A[A[<p> U <q>] U (<r> | <s>)]");
  EXPECT_EQ(parsed("TT & !FF | true -> false"), "(!((T & T) | T) | !T)");
}

TEST(Formula, BindsAsUsual) {
  EXPECT_EQ(parsed("p && q || r && s"), "((<p> & <q>) | (<r> & <s>))");
  EXPECT_EQ(parsed("p -> q => r"), "(!<p> | (!<q> | <r>))");
  EXPECT_EQ(parsed("! p & q"), "(!<p> & <q>)");
  EXPECT_EQ(parsed("AG p & q"), "(!E[T U !<p>] & <q>)");
  EXPECT_EQ(parsed("not p and q or r"), "((!<p> & <q>) | <r>)");
  EXPECT_EQ(parsed("p <-> q"), "((<p> & <q>) | (!<p> & !<q>))");
  EXPECT_EQ(parsed("p & p"), "(<p> & <p>)");
}

TEST(Formula, Atoms) {
  EXPECT_EQ(parsed("AG(mode >= 0 && mode <= 6)"), "!E[T U !(<mode >= 0> & <mode <= 6>)]");
  EXPECT_EQ(parsed("PORTA = 0x20"), "<PORTA == 0x20>");
  EXPECT_EQ(parsed("! mode = 6"), "!<mode == 6>");
  EXPECT_EQ(parsed("mode != 6"), "<mode != 6>");
  EXPECT_EQ(parsed("(flags & 4) != 0 & ok"), "(<(flags & 4) != 0> & <ok>)");
  EXPECT_EQ(parsed("a[i & 3].x == b"), "<a[i & 3].x == b>");
  EXPECT_EQ(parsed("(int)x < 3 || f(x, y)"), "(<(int)x < 3> | <f(x, y)>)");
  EXPECT_EQ(parsed("p->next == 0 -> q"), "(!<p->next == 0> | <q>)");
  EXPECT_EQ(parsed("a[1]->x == 1"), "<a[1]->x == 1>");
  EXPECT_EQ(parsed("x==1->y==2"), "(!<x==1> | <y==2>)");
  EXPECT_EQ(parsed("x == 1 => y == 2"), "(!<x == 1> | <y == 2>)");
  EXPECT_EQ(parsed("A[3] == 5 && E[p U q]"), "(<A[3] == 5> & E[<p> U <q>])");
  EXPECT_EQ(parsed("A == 1 & AG == 2"), "(<A == 1> & <AG == 2>)");
  EXPECT_EQ(parsed("{a & b | U}"), "<a & b | U>");
  EXPECT_EQ(parsed("AG UART != 0"), "!E[T U !<UART != 0>]");
  EXPECT_EQ(parsed("a << 2 == b"), "<a << 2 == b>");
  EXPECT_EQ(parsed("x - 1 > -3"), "<x - 1 > -3>");
}

TEST(Formula, OfThePaper) {
  EXPECT_EQ(parsed("AG(mode = 5 => !E(mode = 5 && !mode = 6) U (!mode = 5 && !mode = 6))"),
            "!E[T U !(!<mode == 5> | !E[(<mode == 5> & !<mode == 6>) U (!<mode == 5> & !<mode == 6>)])]");
  EXPECT_EQ(parsed("AG(PORTA = 0x20 => AG PORTA = 0x20) & EF(PORTA = 0x20)"),
            "(!E[T U !(!<PORTA == 0x20> | !E[T U !<PORTA == 0x20>])] & E[T U <PORTA == 0x20>])");
}

TEST(Formula, EqualPartsAreOne) {
  std::vector<std::string> atoms;
  Formula f = parse_formula("AG(p -> AF q) && EF AF q", [&](std::string_view atom) {
    atoms.emplace_back(atom);
    return static_cast<uint32_t>(atoms.size() - 1);
  });
  EXPECT_EQ(atoms, (std::vector<std::string>{"p", "q"}));
  int until = 0;
  for (uint32_t i = 0; i < f.size(); ++i) until += f[i].op == Ctl::AlwaysUntil;
  EXPECT_EQ(until, 1);
  EXPECT_EQ(f.atoms(), 3u);
}

TEST(Formula, ErrorsPointAtTheColumn) {
  using testing::HasSubstr;
  EXPECT_THAT(error_of(""), HasSubstr("column 1: formula expected"));
  EXPECT_THAT(error_of("AG (p && )"), HasSubstr("column 10: formula expected"));
  EXPECT_THAT(error_of("AG (p"), HasSubstr("column 6: the bracket of column 4 is not closed"));
  EXPECT_THAT(error_of("A[p q]"), HasSubstr("<A[p q]>"));  // an array, as far as the grammar knows
  EXPECT_THAT(error_of("E[p U ]"), HasSubstr("column 7: formula expected"));
  EXPECT_THAT(error_of("p)"), HasSubstr("column 2: closing bracket without an opening one"));
  EXPECT_THAT(error_of("p && nonsense"),
              HasSubstr("column 6: there is no variable nonsense\n  p && nonsense\n       ^"));
  EXPECT_THAT(error_of("p &&"), HasSubstr("column 5: formula expected"));
  EXPECT_THAT(error_of("a[3 == 1"), HasSubstr("column 2: this bracket is not closed"));
  std::string longest = "p";
  for (int i = 0; i < 5000; ++i) longest += " && !" + std::string(i % 7, '!') + "q";
  EXPECT_THAT(error_of(longest + "&& p"), HasSubstr("the formula is too large"));
  EXPECT_THAT(error_of(std::string(5000, '!') + "p"), HasSubstr("nested too deeply"));
  EXPECT_THAT(error_of(std::string(5000, '(') + "p" + std::string(5000, ')')), HasSubstr("nested too deeply"));
}

}  // namespace
}  // namespace whittle::explore
