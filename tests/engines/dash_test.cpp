// dash against brute force: all inputs of random programs are run; no verdict may disagree, and every proof must check.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>
#include <sstream>

#include "base/error.h"
#include "engines/buffer_programs.h"
#include "engines/dash/dash_engine.h"
#include "engines/programs.h"
#include "engines/stops.h"
#include "exec/runner.h"
#include "proof/proof.h"

namespace whittle::engines::dash {
namespace {

using verdict::Answer;

struct Checked {
  verdict::Verdict verdict;
  std::string proof;  ///< the file's contents
};

Checked check(const program::Program& program, const verdict::Specification& specification, double seconds = 10,
              std::vector<std::pair<std::string, std::string>> options = {}, bool with_proof = true) {
  Settings settings;
  for (const auto& [name, value] : options) settings.set(name, value);
  std::string file = (std::filesystem::temp_directory_path() / ("whittle-dash-" + std::to_string(getpid()))).string();
  if (with_proof) settings.set("proof", file);
  std::filesystem::remove(file);
  Limits limits;
  limits.set_timeout(seconds);
  Statistics statistics;
  Progress progress(false);
  Context context{limits, statistics, progress};
  Checked result{DashEngine().run(program, specification, settings, context), ""};
  std::ifstream in(file);
  std::ostringstream text;
  text << in.rdbuf();
  result.proof = text.str();
  std::filesystem::remove(file);
  return result;
}

verdict::Specification unreach_call() {
  verdict::Specification specification;
  specification.properties = {verdict::Property::UnreachCall};
  return specification;
}

struct Tally {
  unsigned proved = 0, violated = 0, unknown = 0, checked = 0, refused = 0;
};

void compare(program::Program& program, uint64_t seed, const std::string& text, bool expected_known, Tally& tally,
             const verdict::Specification& specification, bool check_the_proof) {
  auto code = std::make_shared<exec::Code>(program, specification);
  Checked result = check(program, specification, 30, {{"dash-iterations", "300"}}, check_the_proof);
  if (result.verdict.answer == Answer::Unknown) {
    ++tally.unknown;
    return;
  }
  bool wrong = result.verdict.answer == Answer::False;
  ++(wrong ? tally.violated : tally.proved);
  EXPECT_EQ(result.verdict.statistics.count("iterations"), result.verdict.statistics.count("solver_calls"));
  if (expected_known) {
    ASSERT_EQ(test::fails(code), wrong) << "seed " << seed << "\n" << text;
  } else if (!wrong) {
    std::mt19937_64 random(seed);
    for (int i = 0; i < 300; ++i) {
      exec::RunPlan plan;
      for (int k = 0; k < 12; ++k)
        plan.inputs.push_back(i % 3 == 0 ? random() % 4 : i % 3 == 1 ? random() % 64 : random());
      exec::RunResult run = exec::run(code, plan);
      ASSERT_NE(run.end, exec::RunEnd::Violation) << "seed " << seed << "\n" << text;
    }
  }
  if (!check_the_proof || wrong || result.proof.empty()) return;
  Limits limits;
  limits.set_timeout(20);
  proof::Outcome outcome = proof::check(proof::read(result.proof, program), program, specification, limits);
  ++(outcome.valid ? tally.checked : tally.refused);
}

void vary(generate::Options& own) {
  own.choices = 2 + own.seed % 7;
  own.statements = 5 + own.seed % 9;
  own.asserts = 2 + own.seed % 3;
}

void go(unsigned usual, unsigned all, uint64_t seed, bool wide, const verdict::Specification& specification) {
  generate::Options options;
  const char* other = std::getenv("WHITTLE_SEED");  // other programs
  options.seed = seed + (other ? 1'000'000 * std::strtoull(other, nullptr, 10) : 0);
  options.wide_inputs = wide;
  Tally tally;
  test::for_each_program(
      options, test::program_count(usual, all),
      [&](program::Program& program, uint64_t own_seed, const std::string& text) {
        compare(program, own_seed, text, !wide, tally, specification, own_seed % 4 == 0);
      },
      vary);
  std::cerr << "proved " << tally.proved << ", violated " << tally.violated << ", unknown " << tally.unknown
            << ", proofs checked " << tally.checked << ", refused " << tally.refused << "\n";
}

TEST(Dash, AgreesWithBruteForce) { go(40, 1500, 1, false, verdict::default_specification()); }
TEST(Dash, AgreesWithBruteForceOnReachabilityAlone) { go(30, 1000, 50'000, false, unreach_call()); }
TEST(Dash, AgreesWithRunsOfWideInputs) { go(30, 500, 100'000, true, verdict::default_specification()); }

TEST(Dash, AStoppedSearchGoesOn) {
  const std::string begin = "#include <assert.h>\nextern float __VERIFIER_nondet_float(void); extern unsigned __VERIFIER_nondet_uint(void);\n"
                            "int main(void) { ";
  const std::string floats = "float x = __VERIFIER_nondet_float(), y = __VERIFIER_nondet_float(); if (x > 0.5f && x < 2 && y > 0.5f && y < 2) { ";
  const std::string counts = "unsigned n = __VERIFIER_nondet_uint() % 1000, i = 0, j = 0; while (i < n) { i++; j += 2; if (j % 7 == 3) j += 2, i++; } ";
  unsigned stops = 0;
  for (const auto& [text, answer] : std::vector<std::pair<std::string, Answer>>{
           {floats + "assert(x * y < 4.1f); assert(x * y > 0.2f); assert(x + y < 4.1f); }}", Answer::True},
           {floats + "assert(x * y < 4.1f); assert(x + y < 4.1f); assert(x * y != 1.5f); }}", Answer::False},
           {counts + "assert(j == 2 * i); }", Answer::True},
           {counts + "assert(j != 2 * 977); }", Answer::False}}) {
    const test::Stopped stopped = test::with_stops<DashEngine>(test::load_text(begin + text), "dash", unreach_call(), 0.03);
    EXPECT_EQ(stopped.verdict.answer, answer) << text << "\n" << stopped.verdict.reason;
    stops += stopped.stops;
  }
  EXPECT_GT(stops, 3u);
}

/// Tables that nothing writes, looked up under an invariant (328); calls that were looked into after invariants had
/// been found around them (580).
TEST(Dash, InvariantsOfTablesAndAroundCallsHaveProofs) {
  for (uint64_t seed : {328, 580}) {
    generate::Options options;
    options.seed = seed;
    test::for_each_program(
        options, 1,
        [&](program::Program& program, uint64_t, const std::string& text) {
          const verdict::Specification specification = verdict::default_specification();
          Checked result = check(program, specification, 60);
          ASSERT_EQ(result.verdict.answer, Answer::True) << text;
          ASSERT_FALSE(result.proof.empty()) << text;
          Limits limits;
          EXPECT_TRUE(proof::check(proof::read(result.proof, program), program, specification, limits).valid) << text;
        },
        vary);
  }
}

/// Recursions whose depth no one knows, with what main does with their results: {functions, condition of the error}
struct Recursion {
  const char *functions, *wrong;
};

void check_recursion(const Recursion& r, Answer expected) {
  std::string text =
      "extern int __VERIFIER_nondet_int(void); extern void __VERIFIER_error(void);\n" + std::string(r.functions) +
      "\nint main(void) { int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int(); int x = f(a, b);\n"
      "  if (" +
      r.wrong + ") __VERIFIER_error(); return 0; }\n";
  program::Program program = test::load_text(text);
  Checked result = check(program, unreach_call(), 30, {{"dash-iterations", "4000"}});
  EXPECT_EQ(result.verdict.answer, expected) << text << result.verdict.reason;
  if (expected != Answer::True || result.verdict.answer != expected) return;
  ASSERT_FALSE(result.proof.empty()) << text;
  Limits limits;
  proof::Outcome outcome = proof::check(proof::read(result.proof, program), program, unreach_call(), limits);
  EXPECT_TRUE(outcome.valid) << text << outcome.reason;
}

TEST(Dash, ProvesRecursionsOfAnyDepth) {
  const char* sum = "int f(int n, int m) { if (n <= 0) return m + n; return f(n - 1, m + 1); }";
  check_recursion({sum, "x != a + b"}, Answer::True);
  check_recursion({sum, "x == a + b + (a == 3)"}, Answer::False);
  const char* mccarthy = "int f(int n, int m) { if (n > 100) return n - 10; return f(f(n + 11, m), m); }";
  check_recursion({mccarthy, "x != (a > 100 ? a - 10 : 91)"}, Answer::True);
  check_recursion({mccarthy, "x != 91 && a < 103"}, Answer::False);
  const char* parity =
      "int odd(int n); int even(int n) { if (n == 0) return 1; return odd(n - 1); }\n"
      "int odd(int n) { if (n == 0) return 0; return even(n - 1); }\n"
      "int f(int n, int m) { if (n < 0 || m != m) return 0; return odd(n); }";
  check_recursion({parity, "x != (a < 0 ? 0 : a % 2)"}, Answer::True);
  // What goes right inside does so because of the arguments: its calls are looked into.
  const char* guarded =
      "int g(unsigned n, unsigned m) { if (m > n) __VERIFIER_error(); if (m == 0) return n; return g(n - 1, m - 1); }\n"
      "int f(int n, int m) { if ((unsigned)m > (unsigned)n || (unsigned)m > 3) return 0; return g(n, m); }";
  check_recursion({guarded, "a == 9 && b == 2 && x != 7"}, Answer::True);
  // The function changes its parameter: the contract is about the argument.
  const char* changed =
      "int f(int n, int m) { int old = n; if (n > 0) n = f(n - 1, m); else return n; return n < old ? n + 1 : n; }";
  check_recursion({changed, "a >= 0 && x != a"}, Answer::True);
}

/// What all tests show, but is not so: a contract must not rest on it.
TEST(Dash, ContractsAreNoGuesses) {
  const char* rare = "int f(int n, int m) { if (n <= 0) return 0; if (n == 900000) return m; return f(n - 1, m); }";
  const char* memory = "int g; int f(int n, int m) { if (n <= 0) return g; return f(n - 1, m); }";
  const char* inside =
      "int f(int n, int m) { if (n <= 0) return 0; int r = f(n - 1, m); if (r == 77000) __VERIFIER_error();"
      " return r + 1; }";
  for (const Recursion& r : {Recursion{rare, "x == 5"}, {memory, "g++ == 1"}, {inside, "x == -1"}}) {
    std::string text =
        "extern int __VERIFIER_nondet_int(void); extern void __VERIFIER_error(void);\n" + std::string(r.functions) +
        "\nint main(void) { int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();\n" +
        "  int x = f(a, b); if (" + r.wrong + ") __VERIFIER_error();" +
        (r.functions == memory ? " x = f(a, b); if (x == 1) __VERIFIER_error();" : "") + " return 0; }\n";
    EXPECT_NE(check(test::load_text(text), unreach_call(), 5, {{"dash-iterations", "300"}}, false).verdict.answer,
              Answer::True)
        << text;
  }
}

const char* const kHead = "extern int __VERIFIER_nondet_int(void); extern void __VERIFIER_error(void);\n";

/// Figure 8 of the paper: b is x + 2 after two calls.
std::string figure8(int sum) {
  return std::string(kHead) +
         "int inc(int y) { int r = y + 1; return r; }\n"
         "int main(void) { int x = __VERIFIER_nondet_int(); int a = inc(x), b = inc(a);\n"
         "  if (b != x + " +
         std::to_string(sum) + ") __VERIFIER_error(); return 0; }\n";
}

/// Figure 6: n branches that do not matter.
std::string figure6(int n, bool broken) {
  std::string text = std::string(kHead) + "int g; int main(void) { int lock = 1, x = 0; int *p = &g;\n";
  for (int i = 0; i < n; ++i)
    text += broken && i == n / 2 ? "  if (__VERIFIER_nondet_int() == 77) lock = 0;\n"
                                 : "  if (__VERIFIER_nondet_int()) x = x + 1; else *p = *p + 1;\n";
  return text + "  if (lock != 1) __VERIFIER_error(); return x; }\n";
}

/// A lock that is taken and given back forever; `set` is what taking it stores.
std::string endless(int set) {
  return std::string(kHead) +
         "int main(void) { int lock = 0, p;\n  while (1) {\n    p = __VERIFIER_nondet_int();\n"
         "    if (p) lock = " +
         std::to_string(set) +
         ";\n    if (p && lock != 1) __VERIFIER_error();\n    lock = 0;\n"
         "    if (__VERIFIER_nondet_int() == 3) break;\n  }\n  return 0; }\n";
}

Answer answer(const std::string& text) {
  program::Program program = test::load_text(text);
  return check(program, unreach_call(), 120).verdict.answer;
}

TEST(Dash, ProvesTheFiguresAndRefutesTheirTwins) {
  EXPECT_EQ(answer(figure8(2)), Answer::True);
  EXPECT_EQ(answer(figure8(3)), Answer::False);
  EXPECT_EQ(answer(figure6(12, false)), Answer::True);
  EXPECT_EQ(answer(figure6(12, true)), Answer::False);
  EXPECT_EQ(answer(endless(1)), Answer::True);
  EXPECT_EQ(answer(endless(2)), Answer::False);
}

/// Two cells of an array, chosen by inputs; the second one is written last.
std::string cells(int value) {
  return std::string(kHead) +
         "int a[10]; int main(void) {\n"
         "  int i = __VERIFIER_nondet_int(), j = __VERIFIER_nondet_int();\n"
         "  if (i < 0 || i >= 10 || j < 0 || j >= 10) return 0;\n"
         "  a[i] = 1; a[j] = 2;\n"
         "  if (a[i] == " +
         std::to_string(value) + " && i == j) __VERIFIER_error(); return 0; }\n";
}

/// A test that is meant to go one way may have other aliases than the one before it; memory may never have been
/// written.
TEST(Dash, AliasesOfInputsAreToldApart) {
  program::Program right = test::load_text(cells(1));
  Checked proved = check(right, unreach_call(), 120);
  EXPECT_EQ(proved.verdict.answer, Answer::True);
  EXPECT_FALSE(proved.proof.empty());
  EXPECT_EQ(answer(cells(2)), Answer::False);
  EXPECT_EQ(answer(std::string(kHead) + "int main(void) { int a[4], i = __VERIFIER_nondet_int();\n"
                                        "  if (i < 0 || i > 3) return 0; a[2] = 7;\n"
                                        "  if (a[i] == 4711 && i != 1) __VERIFIER_error(); return 0; }\n"),
            Answer::False);
}

TEST(Dash, NeedsSplitsInProportionToBranches) {
  program::Program small = test::load_text(figure6(10, false)), large = test::load_text(figure6(40, false));
  uint64_t a = check(small, unreach_call()).verdict.statistics.count("splits");
  uint64_t b = check(large, unreach_call()).verdict.statistics.count("splits");
  EXPECT_LE(b, 6 * a);
}

/// One function with a loop whose invariant has several parts, called from many places.
std::string many_calls(int calls, int limit) {
  std::string text = std::string(kHead) +
                     "int delayed(int n) { int a = 0, b = 0, c = 0, d = 0, e = 0;\n"
                     "  while (n > 0) { a = b; b = c; c = d; d = e; e = n & 1; n--; }\n  return a; }\n"
                     "int main(void) {\n";
  for (int i = 0; i < calls; ++i) text += fmt::format("  int a{} = delayed(__VERIFIER_nondet_int());\n", i);
  for (int i = 0; i < calls; ++i) text += fmt::format("  if (a{} > {}) __VERIFIER_error();\n", i, limit);
  return text + "  return 0; }\n";
}

TEST(Dash, WhatIsKnownOfOneCallHelpsInOthers) {
  program::Program program = test::load_text(many_calls(6, 1));
  Checked shared = check(program, unreach_call(), 120);
  Checked alone = check(program, unreach_call(), 120, {{"dash-alone", ""}});
  EXPECT_EQ(shared.verdict.answer, Answer::True);
  EXPECT_EQ(alone.verdict.answer, Answer::True);
  EXPECT_GE(shared.verdict.statistics.count("shared_calls"), 1u);
  EXPECT_EQ(alone.verdict.statistics.count("shared_calls"), 0u);
  EXPECT_LT(shared.verdict.statistics.count("iterations"), alone.verdict.statistics.count("iterations"));
  Limits limits;
  EXPECT_TRUE(proof::check(proof::read(shared.proof, program), program, unreach_call(), limits).valid);
  program::Program wrong = test::load_text(many_calls(6, 0));
  EXPECT_EQ(check(wrong, unreach_call(), 120).verdict.answer, Answer::False);
}

TEST(Dash, CountsByFunction) {
  program::Program program = test::load_text(figure8(2));
  Statistics statistics = check(program, unreach_call()).verdict.statistics;
  uint64_t iterations = 0;
  for (const auto& [name, value] : statistics.entries())
    if (name.starts_with("functions/") && name.ends_with("/iterations")) iterations += std::get<uint64_t>(value);
  EXPECT_EQ(iterations, statistics.count("iterations"));
  EXPECT_EQ(statistics.count("functions/main/tests"), statistics.count("tests"));
  EXPECT_GT(statistics.count("functions/main/regions"), 0u);
  EXPECT_GT(statistics.count("functions/main/predicates"), 0u);
}

/// The violation asks for two inputs that no one would guess; a test given to begin with shows it, or comes close.
TEST(Dash, BeginsWithTestsOfOthers) {
  const std::string text = std::string(kHead) +
                           "int main(void) { int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();\n"
                           "  if (x == 12345 && y == 777) __VERIFIER_error(); return 0; }\n";
  program::Program program = test::load_text(text);
  Settings settings;
  settings.tests = {{1, 2}, {12345, 777}};
  Limits limits;
  Statistics statistics;
  Progress progress(false);
  Context context{limits, statistics, progress};
  verdict::Verdict verdict = DashEngine().run(program, unreach_call(), settings, context);
  EXPECT_EQ(verdict.answer, Answer::False);
  EXPECT_EQ(verdict.statistics.count("tests"), 2u);
  EXPECT_EQ(verdict.statistics.count("iterations"), 0u);
  std::string file = (std::filesystem::temp_directory_path() / ("whittle-seeds-" + std::to_string(getpid()))).string();
  std::ofstream(file) << "# two tests\n1 2\n0x3039,777\n";
  EXPECT_EQ(check(program, unreach_call(), 10, {{"seed-tests", file}}).verdict.statistics.count("tests"), 2u);
  std::ofstream(file) << "1,x\n";
  EXPECT_THROW(check(program, unreach_call(), 10, {{"seed-tests", file}}), Error);
  std::filesystem::remove(file);
}

/// Figure 1: two objects on the heap, a pointer that is neither; `second` is what the second one is.
std::string figure1(const std::string& second) {
  return "#include <stdlib.h>\n" + std::string(kHead) +
         "typedef struct { int lock, y; } DE;\n"
         "static void f(DE *p, DE *p1, DE *p2) {\n"
         "  p1 = malloc(sizeof(DE)); p1->lock = 0; p2 = " +
         second +
         "; p2->lock = 0; p->lock = 1;\n"
         "  if (p1->lock == 1 || p2->lock == 1) __VERIFIER_error();\n}\n"
         "int main(void) { DE a = {__VERIFIER_nondet_int(), 0}, b = {0, 0};\n"
         "  f(__VERIFIER_nondet_int() ? &a : &b, &a, &b); return 0; }\n";
}

TEST(Dash, RefusesThreadsByName) {
  program::Program program = test::load_text(
      "#include <pthread.h>\nvoid *f(void *p) { return p; }\n"
      "int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_join(t, 0); return 0; }\n");
  auto why = DashEngine().supports(program, unreach_call());
  ASSERT_TRUE(why.has_value());
  EXPECT_NE(why->find("threads"), std::string::npos);
}

TEST(Dash, BeginsWithWhatACacheHoldsAndIgnoresADamagedOne) {
  std::string folder =
      (std::filesystem::temp_directory_path() / ("whittle-dash-cache-" + std::to_string(getpid()))).string();
  program::Program program = test::load_text(figure6(20, false));
  uint64_t first = check(program, unreach_call(), 30, {{"cache", folder}}).verdict.statistics.count("iterations");
  Checked second = check(program, unreach_call(), 30, {{"cache", folder}});
  EXPECT_EQ(second.verdict.answer, Answer::True);
  EXPECT_GT(second.verdict.statistics.count("cached_tests"), 0u);
  EXPECT_LE(second.verdict.statistics.count("iterations"), 2 * first);
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    std::ofstream(entry.path(), std::ios::app) << "damage";
  }
  Checked third = check(program, unreach_call(), 30, {{"cache", folder}});
  EXPECT_EQ(third.verdict.answer, Answer::True);
  EXPECT_EQ(third.verdict.statistics.count("cached_tests"), 0u);
  std::filesystem::remove_all(folder);
}

/// 200 proofs damaged at random: whatever the damage, none may speak for a program with a violation.
void damage_proofs(const std::string& right, const std::string& wrong, unsigned count,
                   const verdict::Specification& specification = unreach_call()) {
  program::Program good = test::load_text(right), bad = test::load_text(wrong);
  Checked result = check(good, specification, 120);
  ASSERT_EQ(result.verdict.answer, Answer::True);
  proof::Proof none;
  none.kind = proof::Proof::Kind::Run;
  nlohmann::json original = nlohmann::json::parse(result.proof);
  nlohmann::json other = nlohmann::json::parse(proof::write(none, bad, specification));
  std::mt19937_64 random(7);
  unsigned rejected = 0;
  for (unsigned i = 0; i < count; ++i) {
    nlohmann::json damaged = original;
    auto& functions = damaged["functions"];
    auto& objects = damaged["objects"];
    auto& f =
        i % 5 == 4 && !objects.empty() ? objects[random() % objects.size()] : functions[random() % functions.size()];
    if (i % 3 == 0 && f.contains("impossible") && !f["impossible"].empty()) {  // an edge more
      f["impossible"].erase(random() % f["impossible"].size());
    } else {  // a predicate changed: one digit in the text
      std::string text = f.dump();
      std::vector<size_t> digits;
      for (size_t at = 0; at < text.size(); ++at)
        if (std::isdigit(static_cast<unsigned char>(text[at]))) digits.push_back(at);
      if (digits.empty()) continue;
      text[digits[random() % digits.size()]] = static_cast<char>('0' + random() % 10);
      try {
        f = nlohmann::json::parse(text);
      } catch (const std::exception&) {
        ++rejected;
        continue;
      }
    }
    for (bool twin : {false, true}) {
      if (twin) damaged["program"] = other["program"];
      const program::Program& program = twin ? bad : good;
      bool valid = false;
      try {
        Limits limits;
        limits.set_timeout(20);
        valid = proof::check(proof::read(damaged.dump(), program), program, specification, limits).valid;
      } catch (const std::exception&) {
      }
      if (twin) {
        EXPECT_FALSE(valid) << damaged.dump();
      } else {
        rejected += !valid;
      }
    }
  }
  std::cout << rejected << " of " << count << " rejected\n";
  EXPECT_GT(rejected, count / 5);
}

TEST(Dash, DamagedProofsProveNothingWrong) { damage_proofs(endless(1), endless(2), 200); }

/// The same with objects on the heap. In the twin the pointer is one of them.
TEST(Dash, DamagedProofsOfHeapProgramsProveNothingWrong) {
  damage_proofs(figure1("malloc(sizeof(DE))"), figure1("p"), test::program_count(10, 200));
}

/// An object that is made, used in `uses`, and freed.
std::string freed(const std::string& uses) {
  return std::string(kHead) +
         "#include <stdlib.h>\nint main(void) { int *p = malloc(8), i = __VERIFIER_nondet_int();\n"
         "  if (!p || i < 0 || i > 1) return 0;\n  " +
         uses + "\n  return 0; }\n";
}

/// Accesses to the heap. In the first twin the object is gone, in the second one it is too small.
TEST(Dash, DamagedProofsOfValidAccessesProveNothingWrong) {
  verdict::Specification deref;
  deref.properties = {verdict::Property::ValidDeref};
  const std::string right = freed("p[0] = i; p[1] = i; free(p);");
  damage_proofs(right, freed("p[0] = i; free(p); p[1] = i;"), test::program_count(20, 200), deref);
  damage_proofs(right, freed("p[0] = i; p[2] = i; free(p);"), test::program_count(20, 200), deref);
}

// Facts about all elements

/// Loops over arrays a and b of `size` elements; the error in the last one is under a condition on x.
std::string array_program(const std::string& loops, const std::string& wrong, int size) {
  return fmt::format(
      "extern int __VERIFIER_nondet_int(void); extern void __VERIFIER_error(void);\n"
      "int main(void) {{ int a[{0}], b[{0}], i, x, m = 0, k = __VERIFIER_nondet_int();\n{1}"
      "  for (x = 0; x < {0}; x++) if ({2}) __VERIFIER_error();\n  return m; }}\n",
      size, loops, wrong);
}

struct ArrayCase {
  const char *loops, *right, *wrong;
};

const ArrayCase kArrayCases[] = {
    {"  for (i = 0; i < 100; i++) a[i] = k;\n  for (i = 0; i < 100; i++) b[i] = a[i];\n", "b[x] != k",
     "b[x] == k && k == 77"},
    {"  for (i = 0; i < 100; i++) a[i] = i + k;\n", "a[x] != x + k", "a[x] == x + k && x == 3 && k == 9"},
    {"  for (i = 0; i < 100; i++) if (m < a[i]) m = a[i];\n", "a[x] > m", "a[x] == m && x == 2 && m == 5"},
    {"  for (i = 99; i >= 0; i--) a[i] = b[i];\n", "a[x] != b[x]", "a[x] == b[x] && x == 1 && b[1] == 4"},
    {"  for (i = 0; i < 100; i++) { if (a[i] != b[i]) m = 1; }\n  if (m) return 1;\n", "a[x] != b[x]",
     "a[x] == b[x] && x == 1 && k == 4"},
    {"  for (i = 0; i < 100; i++) if (a[i] > 3) b[m++] = a[i];\n", "x < m && b[x] <= 3",
     "x < m && b[x] > 3 && x == 0"},
    {"  for (i = 2; i < 100; i += 3) { b[m] = a[i]; m++; }\n", "x < 33 && b[x] != a[3 * x + 2]",
     "x < 33 && b[x] == a[3 * x + 2] && x == 1 && k == 4"},
    {"  int c[100], d[100], e[100];\n  for (i = 0; i < 100; i++) c[i] = a[i];\n  for (i = 0; i < 100; i++) d[i] = c[i];\n"
     "  for (i = 0; i < 100; i++) e[i] = d[i];\n  for (i = 0; i < 100; i++) b[i] = e[i];\n",
     "a[x] != b[x]", "a[x] == b[x] && x == 99 && k == 4"},
};

/// No number of splits is enough.
TEST(Dash, ProvesFactsAboutAllElements) {
  const bool all = std::getenv("WHITTLE_LONG") != nullptr;
  for (size_t i = 0; i < std::size(kArrayCases); i += all ? 1 : 3) {
    const ArrayCase& one = kArrayCases[i];
    const std::string text = array_program(one.loops, one.right, 100);
    program::Program program = test::load_text(text);
    Checked result = check(program, unreach_call(), 300);
    EXPECT_EQ(result.verdict.answer, Answer::True) << text << result.verdict.reason;
    EXPECT_NE(result.proof.find("for_all"), std::string::npos) << text;
    if (result.proof.empty()) continue;
    Limits limits;
    proof::Outcome outcome = proof::check(proof::read(result.proof, program), program, unreach_call(), limits);
    EXPECT_TRUE(outcome.valid) << text << outcome.reason;
    EXPECT_NE(check(test::load_text(array_program(one.loops, one.wrong, 100)), unreach_call(), 10,
                    {{"dash-iterations", "200"}}, false)
                  .verdict.answer,
              Answer::True)
        << one.wrong;
  }
}

/// In the twin the last element is left out.
TEST(Dash, DamagedProofsAboutElementsProveNothingWrong) {
  auto filled = [](int end) {
    return array_program(fmt::format("  for (i = 0; i < {}; i++) a[i] = k;\n", end), "a[x] != k", 100);
  };
  damage_proofs(filled(100), filled(99), test::program_count(4, 200));
}

/// Random loops over small arrays, or lists: what dash says of them must be what all runs say.
std::string random_loops(uint64_t seed) {
  std::mt19937_64 random(seed);
  auto pick = [&](std::initializer_list<const char*> options) {
    return std::string(*(options.begin() + random() % options.size()));
  };
  const unsigned size = 9 + random() % 5;
  auto bound = [&] { return random() % 6 == 0 ? fmt::format("{}", size - 1) : fmt::format("{}", size); };
  auto value = [&](const char* at) {
    std::string text = pick({"7", "@", "k", "a[@]", "b[@]", "a[@] + 1", "b[@] + @", "@ + k", "m", "2 * @"});
    for (size_t p; (p = text.find('@')) != std::string::npos;) text.replace(p, 1, at);
    return text;
  };
  if (seed % 5 == 0) {  // a list: pushed, changed, counted, freed
    std::string text = fmt::format(
        "int main_{}(void) {{ struct cell {{ int v; struct cell *next; }} *list = 0, *c; int n = 0, k = "
        "__VERIFIER_nondet_bool();\n"
        "  for (int i = 0; i < {}; i++) {{ c = malloc(sizeof *c); if (!c) return 0; c->v = {}; c->next = list; list = c; "
        "}}\n"
        "  for (c = list; c; c = c->next) {{ {} n++; }}\n  if ({}) __VERIFIER_error();\n",
        seed, 2 + random() % 4, pick({"i", "k", "i + k", "1"}), pick({"", "c->v++;", "if (c->v == k) n--;"}),
        pick({"n > 4", "n == 3", "list && list->v == 1", "n < 2 && k", "list && list->next && list->v < list->next->v"}));
    if (random() % 2) text += "  while (list) { c = list->next; free(list); list = c; }\n";
    return text + "  return 0; }\n";
  }
  std::string text = fmt::format(
      "int main_{}(void) {{ int a[{}], b[{}], i, x, m = 0, f = 0, k = __VERIFIER_nondet_bool();\n"
      "  for (i = 0; i < {}; i++) {{ a[i] = {}; b[i] = {}; }}\n",
      seed, size, size, size, pick({"0", "i", "k", "3"}), pick({"0", "i", "1", "k", "2 - i"}));
  for (unsigned loops = 1 + random() % 3; loops > 0; --loops) {
    const std::string to = pick({"a", "b"}), from = pick({"a", "b"});
    switch (random() % 6) {
      case 0: text += fmt::format("  for (i = 0; i < {}; i++) {}[i] = {};\n", bound(), to, value("i")); break;
      case 1: text += fmt::format("  for (i = {}; i >= 0; i--) {}[i] = {};\n", size - 1, to, value("i")); break;
      case 2:
        text += fmt::format("  for (i = {}; i < {}; i++) if ({}[i] {} m) m = {}[i];\n", random() % 2, bound(), from,
                            pick({"<", ">", "!="}), from);
        break;
      case 3: text += fmt::format("  for (i = 0; i < {}; i++) if ({}[i] == {}) f = 1;\n", bound(), from, value("i")); break;
      case 4:
        text += fmt::format("  for (i = 0; i < {}; i += {}) {}[i] = {};\n", size, 1 + random() % 3, to, value("i"));
        break;
      default:
        text += fmt::format("  m = 0; for (i = 0; i < {}; i++) if ({}[i] > {}) {}[m++] = {}[i];\n", bound(), from,
                            pick({"0", "k", "2"}), to, from);
    }
  }
  return text + fmt::format("  for (x = 0; x < {}; x++) if ({}{}[x] {} {}) __VERIFIER_error();\n  return 0; }}\n", bound(),
                            pick({"", "", "f == 0 && ", "x < m && "}), pick({"a", "b"}), pick({"!=", "<", ">", "=="}),
                            value("x"));
}

/// Random loops that count in small types, so that sums wrap around: relations between counters are proved only where
/// they hold on bits.
std::string random_counts(uint64_t seed) {
  std::mt19937_64 random(seed);
  auto pick = [&](std::initializer_list<const char*> options) {
    return std::string(*(options.begin() + random() % options.size()));
  };
  auto type = [&] { return pick({"unsigned char", "signed char", "unsigned char", "short", "int"}); };
  auto variable = [&] { return pick({"i", "k", "m", "n"}); };
  auto step = [&] { return pick({"1", "1", "2", "3", "37", "-1", "100"}); };
  std::string text = fmt::format(
      "int main_{}(void) {{ {} n = {} * ({}), i = 0; {} k = 0; {} m = {};\n", seed, type(), pick({"1", "4"}),
      "bit() + 2 * bit() + 4 * bit() + 8 * bit() + 16 * bit() + 32 * bit()", type(), type(), pick({"0", "n", "1"}));
  text += fmt::format("  if ({}) return 0;\n", pick({"n > 50", "n < 1 || n > 100", "n > 200", "n < 0", "0"}));
  for (unsigned loops = 1 + random() % 2; loops > 0; --loops) {
    const std::string by = pick({"1", "1", "2", "3"});
    text += fmt::format("  for (i = 0; i < n && i < 250; i += {}) {{\n    k += {};\n", by, step());
    switch (random() % 4) {
      case 0: text += fmt::format("    if (i % 2 == 0) m += {};\n", step()); break;
      case 1: text += fmt::format("    if (__VERIFIER_nondet_bool_once) m += {}; else k += {};\n", step(), step()); break;
      case 2: text += fmt::format("    m += {};\n", step()); break;
      default: text += fmt::format("    if (k {} {}) m = {};\n", pick({"<", ">", "!="}), variable(), pick({"i", "k", "0"}));
    }
    text += "  }\n";
    if (random() % 2) break;
  }
  for (size_t p; (p = text.find("__VERIFIER_nondet_bool_once")) != std::string::npos;) text.replace(p, 27, "n & 1");
  return text + fmt::format("  if ({}{} {} {} * {} {} {}) __VERIFIER_error();\n  return 0; }}\n", pick({"", "", "n > 0 && "}),
                            pick({"k", "m", "i", "k + m"}), pick({"!=", "<", ">", "=="}), pick({"1", "2", "3", "37"}), variable(),
                            pick({"+", "-"}), pick({"0", "0", "1", "2"}));
}

TEST(Dash, AgreesWithBruteForceOnLoopsThatCount) {
  Tally tally;
  const char* other = std::getenv("WHITTLE_SEED");
  const uint64_t first = 1 + (other ? 1'000'000 * std::strtoull(other, nullptr, 10) : 0);
  test::for_each_text("extern _Bool __VERIFIER_nondet_bool(void); extern void __VERIFIER_error(void);\n"
                      "#define bit() __VERIFIER_nondet_bool()\n", first,
                      test::program_count(12, 200), random_counts,
                      [&](program::Program& program, uint64_t seed, const std::string& text) {
                        compare(program, seed, text, true, tally, unreach_call(), seed % 8 == 0);
                      });
  std::cerr << "proved " << tally.proved << ", violated " << tally.violated << ", unknown " << tally.unknown
            << ", proofs checked " << tally.checked << ", refused " << tally.refused << "\n";
}

TEST(Dash, AgreesWithBruteForceOnLoopsOverArraysAndLists) {
  Tally tally;
  const std::string prelude =
      "#include <stdlib.h>\nextern _Bool __VERIFIER_nondet_bool(void); extern void __VERIFIER_error(void);\n";
  const char* other = std::getenv("WHITTLE_SEED");
  const uint64_t first = 1 + (other ? 1'000'000 * std::strtoull(other, nullptr, 10) : 0);
  test::for_each_text(prelude, first, test::program_count(20, 300), random_loops,
                      [&](program::Program& program, uint64_t seed, const std::string& text) {
                        compare(program, seed, text, true, tally, unreach_call(), seed % 4 == 0);
                      });
  std::cerr << "proved " << tally.proved << ", violated " << tally.violated << ", unknown " << tally.unknown
            << ", proofs checked " << tally.checked << ", refused " << tally.refused << "\n";
}

}  // namespace
}  // namespace whittle::engines::dash
