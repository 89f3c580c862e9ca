#include "app/suite/dpr_suite.h"

#include <fmt/format.h>

#include "app/output.h"
#include "app/suite/arguments.h"
#include "app/suite/check_file.h"
#include "app/suite/dpr_programs.h"
#include "app/suite/table.h"

namespace whittle::app::suite {

namespace {

struct SatRow {
  unsigned variables, clauses;
  uint64_t explored;  // published, as all columns below
  double seconds;
  double seconds_without;  ///< 0: timeout (500 s)
};
constexpr SatRow kSat[] = {
    {9, 349, 44, 5.44, 3.86},       {10, 488, 264, 13.77, 7.61},    {11, 660, 140, 9.67, 15.58},
    {12, 867, 261, 14.53, 30.59},   {13, 1114, 1038, 49.61, 70.10}, {14, 1404, 965, 54.05, 150.32},
    {15, 1740, 337, 25.58, 300.80}, {16, 2125, 2369, 49.32, 0},     {17, 2564, 2024, 184.91, 0},
    {18, 3060, 1344, 175.34, 0},    {19, 3615, 669, 110.14, 0},
};

struct NfaRow {
  const char* sentence;
  bool valid;
  uint64_t explored;
  double seconds;
  uint64_t explored_without;  ///< 0: timeout
  double seconds_without;
};
constexpr NfaRow kNfa[] = {
    {"+1234567.8901", true, 22, 0.707, 2741, 0.085},           {"12345678.90123", true, 28, 0.845, 10963, 0.144},
    {"+123456789.0123456", true, 39, 2.312, 175403, 7.285},    {"1234567890.123456789", true, 29, 4.183, 350806, 6.699},
    {"+1234567890.123456789", true, 26, 4.202, 175403, 4.339}, {"+1234567890", false, 15, 1.69, 2048, 10.027},
    {"123456.78.901", false, 13, 0.52, 4096, 16.607},          {"-1234567.89012", false, 8, 0.84, 16384, 53.358},
    {"12345678901234567890", false, 28, 3.32, 0, 0},
};

constexpr double kTimeout = 500;  // the paper's

std::string seconds(double s) { return fmt::format("{:.3f}", s); }
std::string or_timeout(double s) { return s == 0 ? "timeout" : fmt::format("{:.2f}", s); }

std::string answer(const Measured& m) { return verdict::verdict_line(m.verdict); }

}  // namespace

int dpr(const std::vector<std::string>& arguments, Context& context) {
  Arguments options(arguments, {"--json", "--svg"}, {"--quick"});
  bool quick = options.flag("--quick");
  int wrong = 0;

  Table sat(
      "Randomised MAX-3SAT (table 1). Published: explored, seconds with and without reduction. Measured: the same.",
      {"variables", "clauses", "paths", "published", "s", "s without", "explored", "pruned", "s", "explored without",
       "s without", "verdict"});
  Series published{"published", {}}, measured{"whittle", {}}, all{"all paths", {}};
  for (const SatRow& row : kSat) {
    if (context.limits.poll_now() != Stop::No || (quick && row.variables > 12)) break;
    std::string text = max_3sat_program(row.variables, row.clauses, row.variables);
    Measured with = check_text(text, "dpr", {}, kTimeout, context);
    Measured without = check_text(text, "dpr", {{"dpr-learn", "no"}}, quick ? 20 : kTimeout, context);
    wrong += with.verdict.answer == verdict::Answer::True ? 0 : 1;
    uint64_t paths = uint64_t{1} << row.variables;
    sat.add({std::to_string(row.variables), std::to_string(row.clauses), grouped(paths), grouped(row.explored),
             or_timeout(row.seconds), or_timeout(row.seconds_without), grouped(with.count("explored")),
             grouped(paths - with.count("explored")), seconds(with.seconds), grouped(without.count("explored")),
             seconds(without.seconds), answer(with)});
    published.points.emplace_back(row.variables, row.explored);
    measured.points.emplace_back(row.variables, with.count("explored"));
    all.points.emplace_back(row.variables, paths);
  }
  sat.print();

  Table nfa(
      "NFA for [+]?[0-9]+\\.[0-9]+ (table 2). Published: explored, seconds, with and without reduction. Measured: the "
      "same.",
      {"length", "valid", "paths", "published", "s", "without", "s", "explored", "s", "without", "s", "verdict"});
  for (const NfaRow& row : kNfa) {
    std::string sentence = row.sentence;
    if (context.limits.poll_now() != Stop::No || (quick && sentence.size() > 14)) continue;
    Measured with = check_text(nfa_program(sentence), "dpr", {}, kTimeout, context);
    Measured without = check_text(nfa_program(sentence), "dpr", {{"dpr-learn", "no"}}, quick ? 20 : kTimeout, context);
    auto expected = row.valid ? verdict::Answer::False : verdict::Answer::True;
    wrong += with.verdict.answer == expected ? 0 : 1;
    nfa.add({std::to_string(sentence.size()), row.valid ? "yes" : "no", grouped(uint64_t{1} << sentence.size()),
             grouped(row.explored), or_timeout(row.seconds),
             row.explored_without == 0 ? "timeout" : grouped(row.explored_without), or_timeout(row.seconds_without),
             grouped(with.count("explored")), seconds(with.seconds), grouped(without.count("explored")),
             seconds(without.seconds), answer(with)});
  }
  nfa.print();

  write_json(options.value("--json"), {&sat, &nfa});
  if (std::string file = options.value("--svg"); !file.empty())
    write_file(file, svg_plot("Randomised MAX-3SAT: paths run", "variables", "paths", {all, published, measured}));
  return wrong == 0 ? 0 : 70;
}

}  // namespace whittle::app::suite
