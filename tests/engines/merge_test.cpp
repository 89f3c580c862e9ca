// merge against brute force: all inputs of random programs with buffers, tables, structs and heap objects are run.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "engines/merge/merge_engine.h"
#include "engines/programs.h"
#include "exec/runner.h"

namespace whittle::engines::merge {
namespace {

using verdict::Answer;

verdict::Verdict check(const program::Program& program, const verdict::Specification& specification) {
  Limits limits;
  limits.set_timeout(30);
  Statistics statistics;
  Progress progress(false);
  Context context{limits, statistics, progress};
  return MergeEngine().run(program, specification, {}, context);
}

/// Inputs are single bits; all are tried.
bool fails(const std::shared_ptr<const exec::Code>& code) {
  std::vector<u128> path;
  for (;;) {
    exec::RunPlan plan;
    plan.inputs = path;
    exec::RunResult result = exec::run(code, plan);
    if (result.end == exec::RunEnd::Violation) return true;
    path.clear();
    for (const auto& input : result.counterexample.inputs) path.push_back(input.value);
    while (!path.empty() && path.back() != 0) path.pop_back();
    if (path.empty()) return false;
    path.back() = 1;
  }
}

/// Writes a program that moves bytes about: indices, lengths and pointers depend on its inputs.
class Writer {
 public:
  Writer(uint64_t seed) : random_(seed), name_(std::to_string(seed)) {}

  std::string text() {
    inputs_ = 3 + below(5);
    std::string t = fmt::format("static const unsigned char table_{}[{}] = {{", name_, 8 + below(9));
    for (int i = 0; i < 8; ++i) t += fmt::format("{},", below(12));
    t += fmt::format("}};\nstruct s_{0} {{ unsigned char a; unsigned short b; unsigned c[2]; }};\nstatic unsigned words_{0}[5];\n",
                     name_);
    t += fmt::format("static unsigned twice_{}(unsigned n) {{ return n == 0 ? 0 : 2 + twice_{}(n - 1); }}\n", name_, name_);
    t += fmt::format("int main_{}(void) {{\n  unsigned v[4] = {{0, 0, 0, 0}}, i, k;\n", name_);
    for (unsigned i = 0; i < inputs_; ++i)
      t += fmt::format("  v[{}] = 2 * v[{}] + __VERIFIER_nondet_bool();\n", i % 4, i % 4);
    t += fmt::format("  unsigned char buf[{}] = {{0}}, *heap = malloc(1 + v[0] % 4), *p = buf;\n", size_ = 3 + below(6));
    t += fmt::format("  struct s_{} s[3] = {{{{0}}}};\n  memset(heap, {}, 1 + v[0] % 4);\n", name_, below(5));
    for (unsigned n = 5 + below(8); n > 0; --n) t += statement(2);
    t += "  free(heap);\n";
    if (chance(8)) t += "  if (v[1] == 3) free(heap);\n";
    if (chance(8)) t += "  if (v[2] == 1) v[0] = *heap;\n";
    t += fmt::format("  if ({} == {}) __VERIFIER_error();\n  return 0;\n}}\n", value(), below(40));
    return t;
  }

 private:
  unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }
  bool chance(unsigned one_in) { return below(one_in) == 0; }

  /// An index, inside mostly.
  std::string index(unsigned size) {
    std::string i = chance(3) ? fmt::format("twice_{}(v[{}] % 4)", name_, below(4)) : fmt::format("v[{}]", below(4));
    if (chance(3)) i += fmt::format(" + {}", below(3));
    return chance(12) ? i : fmt::format("({}) % {}", i, chance(25) ? size + 1 : size);
  }

  std::string place() {
    switch (below(8)) {
      case 0: return fmt::format("buf[{}]", index(size_));
      case 1: return fmt::format("words_{}[{}]", name_, index(5));
      case 2: return fmt::format("s[{}].a", index(3));
      case 3: return fmt::format("s[{}].c[{}]", index(3), index(2));
      case 4: return fmt::format("s[{}].b", index(3));
      case 5: return fmt::format("heap[{}]", chance(10) ? index(4) : "v[0] % 4");
      case 6: return chance(6) ? "*p" : "buf[0]";
      default: return fmt::format("v[{}]", below(4));
    }
  }

  std::string value() {
    switch (below(6)) {
      case 0: return fmt::format("table_{}[{}]", name_, index(8));
      case 1: return fmt::format("table_{0}[table_{0}[{1}] % 8]", name_, index(8));
      case 2: return std::to_string(below(20));
      case 3: return fmt::format("({} + {})", place(), place());
      default: return place();
    }
  }

  std::string statement(unsigned depth) {
    switch (below(depth == 0 ? 4 : 9)) {
      case 0: return fmt::format("  {} = {};\n", place(), value());
      case 1: return fmt::format("  p = {} ? buf + {} : (unsigned char *)&s[{}];\n", condition(), below(size_), index(3));
      case 2: return fmt::format("  if (!({} {} {})) __VERIFIER_error();\n", value(), chance(4) ? "<" : "!=", 100 + below(99));
      case 3: return fmt::format("  {} += {};\n", place(), value());
      case 4: return fmt::format("  memcpy(buf + {0}, heap, (v[0] % 4 + 1) % {1});\n", below(2), size_);
      case 5: return fmt::format("  memmove(buf, buf + {}, {});\n", index(size_ / 2), size_ / 2);
      case 6: return fmt::format("  if ({}) {{\n{}{}  }} else {{\n{}  }}\n", condition(), statement(depth - 1),
                                 statement(depth - 1), statement(depth - 1));
      case 7: return fmt::format("  for (i = 0; i < {} % {}; i++) {{\n{}    if ({}) break;\n  }}\n", value(), size_,
                                 statement(0), condition());
      default: return fmt::format("  for (k = 0; buf[k % {}] != 0 && k < {}; k++) {};\n", size_, 2 + below(6),
                                  chance(2) ? fmt::format("v[{}]++", below(4)) : std::string("p = buf + k"));
    }
  }

  std::string condition() { return fmt::format("({} & {}) == {}", value(), 1 + below(7), below(3)); }

  std::mt19937_64 random_;
  std::string name_;
  unsigned inputs_ = 0, size_ = 0;
};

TEST(MergeAgainstBruteForce, BuffersAndTables) {
  unsigned proved = 0, violated = 0, unknown = 0;
  const std::string prelude =
      "#include <stdlib.h>\n#include <string.h>\n_Bool __VERIFIER_nondet_bool(void);\nvoid __VERIFIER_error(void);\n";
  const char* other = std::getenv("WHITTLE_SEED");  // other programs
  const uint64_t seed = 1 + (other ? 1'000'000 * std::strtoull(other, nullptr, 10) : 0);
  test::for_each_text(
      prelude, seed, test::program_count(60, 3000), [](uint64_t own) { return Writer(own).text(); },
      [&](program::Program& program, uint64_t own, const std::string& text) {
        const auto specification = verdict::default_specification();
        auto code = std::make_shared<exec::Code>(program, specification);
        const verdict::Verdict verdict = check(program, specification);
        if (verdict.answer == Answer::Unknown) {
          ++unknown;
          std::printf("seed %lu: %s\n", own, verdict.reason.c_str());
          return;
        }
        const bool wrong = verdict.answer == Answer::False;
        ++(wrong ? violated : proved);
        ASSERT_EQ(fails(code), wrong) << "seed " << own << "\n" << text;
      });
  std::printf("%u proved, %u violated, %u unknown\n", proved, violated, unknown);
  EXPECT_GT(proved, unknown);
  EXPECT_GT(violated, unknown);
}

TEST(MergeAgainstBruteForce, BranchesLoopsAndProcedures) {
  unsigned proved = 0, violated = 0, unknown = 0;
  generate::Options options;
  options.seed = 70'000;
  options.heap = true;
  test::for_each_program(
      options, test::program_count(60, 2000),
      [&](program::Program& program, uint64_t own, const std::string& text) {
        const auto specification = verdict::default_specification();
        auto code = std::make_shared<exec::Code>(program, specification);
        const verdict::Verdict verdict = check(program, specification);
        if (verdict.answer == Answer::Unknown) {
          ++unknown;
          return;
        }
        const bool wrong = verdict.answer == Answer::False;
        ++(wrong ? violated : proved);
        ASSERT_EQ(fails(code), wrong) << "seed " << own << "\n" << text;
      },
      [](generate::Options& own) {
        own.choices = 2 + own.seed % 7;
        own.statements = 5 + own.seed % 9;
      });
  std::printf("%u proved, %u violated, %u unknown\n", proved, violated, unknown);
  EXPECT_GT(proved + violated, 10 * unknown);
}

}  // namespace
}  // namespace whittle::engines::merge
