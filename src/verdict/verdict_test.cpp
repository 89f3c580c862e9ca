#include "verdict/verdict.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/error.h"

namespace whittle::verdict {
namespace {

/// The message of the Error that `f` throws, with its exit code; "no error" if it does not.
template <typename F>
std::pair<ExitCode, std::string> error_of(F f) {
  try {
    f();
  } catch (const Error& error) {
    return {error.code(), error.what()};
  }
  return {ExitCode::True, "no error"};
}

using Properties = std::set<Property>;

TEST(Property, EveryNameParsesBackToItsProperty) {
  Properties seen;
  for (unsigned i = 0; i < kPropertyCount; ++i) {
    auto property = static_cast<Property>(i);
    EXPECT_FALSE(description(property).empty());
    EXPECT_EQ(parse_specification(std::string(name(property))).properties, Properties{property});
    seen.insert(property);
  }
  EXPECT_EQ(seen.size(), kPropertyCount);
  EXPECT_EQ(name(Property::UnreachCall), "unreach-call");
  EXPECT_EQ(name(Property::LockDiscipline), "lock-discipline");
}

TEST(Property, ListsAndGroups) {
  auto specification = parse_specification("no-overflow, memory-safety,unreach-call");
  EXPECT_EQ(specification.properties, (Properties{Property::NoOverflow, Property::ValidDeref, Property::ValidFree,
                                                  Property::ValidMemtrack, Property::UnreachCall}));
  EXPECT_TRUE(specification.error_functions.contains("reach_error"));
  EXPECT_TRUE(specification.has(Property::NoOverflow));
  EXPECT_FALSE(default_specification().has(Property::NoOverflow));
  EXPECT_TRUE(default_specification().has(Property::NoDeadlock));
}

TEST(Property, UnknownNamesGetASuggestion) {
  auto [code, message] = error_of([] { parse_specification("unreach-cal"); });
  EXPECT_EQ(code, ExitCode::Usage);
  EXPECT_EQ(message, "unknown property `unreach-cal` (did you mean `unreach-call`?)");
  EXPECT_EQ(error_of([] { parse_specification(" ,"); }).first, ExitCode::Usage);
}

TEST(Property, CheckLinesOfTheCompetition) {
  struct {
    const char* text;
    Properties properties;
  } cases[] = {
      {"CHECK( init(main()), LTL(G ! call(reach_error())) )", {Property::UnreachCall}},
      {"CHECK( init(main()), LTL(G ! overflow) )\n\n", {Property::NoOverflow}},
      {"CHECK( init(main()), LTL(G ! data-race) )", {Property::NoDataRace}},
      {"CHECK( init(main()), LTL(F end) )\r\n", {Property::Termination}},
      {"CHECK( init(main()), LTL(G valid-memcleanup) )", {Property::ValidMemcleanup}},
      {"CHECK( init(main()), LTL(G !deadlock) )", {Property::NoDeadlock}},
      {"CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G valid-deref) )\n"
       "CHECK( init(main()), LTL(G valid-memtrack) )\n\n",
       {Property::ValidDeref, Property::ValidFree, Property::ValidMemtrack}},
  };
  for (const auto& c : cases) {
    auto specification = parse_checks(c.text, "p.prp");
    EXPECT_EQ(specification.properties, c.properties) << c.text;
    EXPECT_EQ(specification.entry, "main");
  }
}

TEST(Property, CallNamesTheErrorFunctions) {
  auto old = parse_checks("CHECK( init(main()), LTL(G ! call(__VERIFIER_error())) )", "p.prp");
  EXPECT_EQ(old.error_functions, (std::set<std::string>{"__VERIFIER_error"}));
  auto two = parse_checks("CHECK(init(main()),LTL(G!call(f())))\nCHECK(init(main()),LTL(G ! call(g())))", "p.prp");
  EXPECT_EQ(two.error_functions, (std::set<std::string>{"f", "g"}));
  EXPECT_TRUE(parse_checks("CHECK( init(main()), LTL(F end) )", "p").error_functions.contains("reach_error"));
}

TEST(Property, BrokenFilesSayWhere) {
  auto message = [](const char* text) {
    auto [code, what] = error_of([&] { parse_checks(text, "p.prp"); });
    EXPECT_EQ(code, ExitCode::BadInput) << text;
    return what;
  };
  EXPECT_EQ(message(""), "p.prp: no CHECK line in the property file");
  EXPECT_EQ(message("\nCHECK( init(main(), LTL(F end) )"), "p.prp:2: expected `)` instead of `,`");
  EXPECT_EQ(message("CHECK( init(main()), LTL(G ! overflw) )"),
            "p.prp:1: unknown property `G ! overflw` (did you mean `overflow`?)");
  EXPECT_EQ(message("CHECK( init(main()), LTL(G valid-derf) )"),
            "p.prp:1: unknown property `G valid-derf` (did you mean `valid-deref`?)");
  EXPECT_EQ(message("CHECK( init(main()), LTL(G no-overflow) )"), "p.prp:1: unknown property `G no-overflow`");
  EXPECT_EQ(message("CHECK( init(main()), LTL(G ! label(ERROR)) )"), "p.prp:1: unknown property `G ! label`");
  EXPECT_EQ(message("CHECK( init(main()), LTL(G ! overflow)"), "p.prp:1: expected `)` at the end of the line");
  EXPECT_EQ(message("CHECK( init(main()), LTL(F end) ) x"), "p.prp:1: unexpected `x` after the property");
  EXPECT_EQ(message("CHECK(init(f()),LTL(F end))\nCHECK(init(g()),LTL(F end))"),
            "p.prp:2: one run has one entry function, not both `f` and `g`");
  EXPECT_EQ(message("COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )"),
            "p.prp:1: expected `CHECK` instead of `COVER`");
}

TEST(Property, Files) {
  std::string path = testing::TempDir() + "whittle_verdict_test.prp";
  std::ofstream(path) << "CHECK( init(main()), LTL(G ! overflow) )\n";
  EXPECT_EQ(parse_specification(path).properties, Properties{Property::NoOverflow});
  std::filesystem::remove(path);
  auto [code, missing] = error_of([&] { parse_specification(path); });
  EXPECT_EQ(code, ExitCode::BadInput);
  EXPECT_EQ(missing, path + ": cannot read the property file");
  EXPECT_EQ(error_of([] { parse_specification("./"); }).second, "./: is a directory, not a property file");
}

TEST(Verdict, Line) {
  Verdict verdict;
  EXPECT_EQ(verdict_line(verdict), "unknown");
  verdict.answer = Answer::True;
  EXPECT_EQ(verdict_line(verdict), "true");
  verdict.answer = Answer::False;
  verdict.violation = Violation{.property = Property::ValidDeref};
  EXPECT_EQ(verdict_line(verdict), "false(valid-deref)");
}

}  // namespace
}  // namespace whittle::verdict
