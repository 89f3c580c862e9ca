#include "app/suite/dash_suite.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <sstream>

#include "app/output.h"
#include "app/suite/arguments.h"
#include "app/suite/check_file.h"
#include "app/suite/dash_drivers.h"
#include "app/suite/dash_programs.h"
#include "app/suite/table.h"
#include "app/suite/temporary_file.h"
#include "app/svcomp_tasks.h"

namespace whittle::app::suite {

namespace {

struct Figure {
  unsigned number;
  const char* published;
};
/// The paper gives no counts for its figures, only what follows.
constexpr Figure kFigures[] = {
    {1, "proved, 1 of 4 alias cases looked at"},
    {3, "proved in almost constant time"},
    {4, "proved; Slam cannot"},
    {6, "proved with O(n) splits"},
    {8, "proved, calls looked into"},
};
constexpr unsigned kSmall = 4;  ///< n of Figures 3 and 6 in the table of figures

struct Settings {
  bool quick = false;
  double timeout = 60;
  int rounds = 3;  ///< the fastest counts: other work on the machine only ever adds
};

verdict::Specification unreach_call() { return verdict::parse_specification("unreach-call"); }

Measured check_figure(unsigned number, bool broken, const Settings& settings, Context& context) {
  TemporaryFile proof;
  EngineOptions engine{{"proof", proof.name()}};
  if (number == 3 || number == 6)
    return check_text(number == 3 ? figure_3_program(kSmall, broken) : figure_6_program(kSmall, broken), "dash", engine,
                      settings.timeout, context, unreach_call());
  InputOptions input;
  input.files = {fmt::format("{}/figure{}.c", bench_folder("dash"), number)};
  if (broken) input.defines = {"BROKEN"};
  return check_file(input, "dash", engine, settings.timeout, context, unreach_call());
}

/// Proved, or refuted by a test that fails when it is run again.
bool as_expected(const Measured& m, bool broken) {
  return broken ? m.verdict.answer == verdict::Answer::False && m.replayed : m.verdict.answer == verdict::Answer::True;
}

Table figures(const Settings& settings, Context& context, unsigned& missed) {
  Table table("Figures, and a broken twin of each. Published, then measured.",
              {"figure", "program", "published", "iterations", "solver calls", "tests", "splits", "s", "verdict",
               "evidence", "as expected"});
  for (const Figure& figure : kFigures)
    for (bool broken : {false, true}) {
      if (context.limits.poll_now() != Stop::No) return table;
      Measured m = check_figure(figure.number, broken, settings, context);
      std::string evidence = broken ? (m.replayed ? "replayed" : "not replayed") : "proof: " + m.proof;
      bool good =
          as_expected(m, broken) && m.count("iterations") == m.count("solver_calls") && !m.proof.starts_with("invalid");
      missed += good ? 0 : 1;
      table.add({std::to_string(figure.number), broken ? "broken" : "as printed", broken ? "" : figure.published,
                 grouped(m.count("iterations")), grouped(m.count("solver_calls")), grouped(m.count("tests")),
                 grouped(m.count("splits")), fmt::format("{:.3f}", m.seconds), verdict::verdict_line(m.verdict),
                 evidence, good ? "yes" : "NO"});
    }
  return table;
}

struct Point {
  unsigned n;
  double iterations, splits, seconds;
};

/// The k of n^k between the last two of the points; a straight line with an offset stays below 1.
double growth(const std::vector<Point>& points, double Point::* what) {
  if (points.size() < 2) return 0;
  const Point &a = points[points.size() - 2], &b = points.back();
  return std::log(std::max(b.*what, 1e-9) / std::max(a.*what, 1e-9)) / std::log(static_cast<double>(b.n) / a.n);
}

struct Scaling {
  Table table;
  std::vector<Point> proofs, twins;
};

using Program = std::function<std::string(unsigned n, bool broken)>;

Scaling scale(const std::string& title, const Program& program, const std::vector<unsigned>& sizes,
              const Settings& settings, Context& context, unsigned& missed) {
  Scaling scaling{Table(title, {"n", "iterations", "solver calls", "tests", "splits", "regions", "cpu s", "verdict",
                                "broken: iterations", "broken: cpu s", "broken: verdict"}),
                  {},
                  {}};
  for (unsigned n : sizes) {
    if (context.limits.poll_now() != Stop::No) break;
    context.progress.update([&] { return fmt::format("n = {}", n); });
    Measured of[2];
    for (bool broken : {false, true})
      for (int round = 0; round < settings.rounds; ++round) {
        Measured m = check_text(program(n, broken), "dash", {}, settings.timeout, context, unreach_call());
        if (round == 0 || m.cpu_seconds < of[broken].cpu_seconds) of[broken] = m;
        if (m.cpu_seconds > settings.timeout / 10) break;
      }
    context.progress.clear();
    for (bool broken : {false, true}) {
      const Measured& m = of[broken];
      if (as_expected(m, broken))
        (broken ? scaling.twins : scaling.proofs)
            .push_back({n, m.number("iterations"), m.number("splits"), m.cpu_seconds});
      else
        ++missed;
    }
    scaling.table.add({std::to_string(n), grouped(of[0].count("iterations")), grouped(of[0].count("solver_calls")),
                       grouped(of[0].count("tests")), grouped(of[0].count("splits")), grouped(of[0].count("regions")),
                       fmt::format("{:.3f}", of[0].cpu_seconds), verdict::verdict_line(of[0].verdict),
                       grouped(of[1].count("iterations")), fmt::format("{:.3f}", of[1].cpu_seconds),
                       verdict::verdict_line(of[1].verdict)});
    if (of[0].verdict.answer == verdict::Answer::Unknown && of[1].verdict.answer == verdict::Answer::Unknown) break;
  }
  return scaling;
}

/// Counts decide; seconds are for the reader. The few small sizes of --quick decide nothing.
bool at_most_linear(const char* name, const Scaling& scaling) {
  constexpr double kTolerance = 0.1;
  const std::vector<Point>& points = scaling.proofs;
  if (points.size() < 2) return false;
  double iterations = growth(points, &Point::iterations), splits = growth(points, &Point::splits);
  bool good = iterations <= 1 + kTolerance && splits <= 1 + kTolerance;
  fmt::print("{} from n = {} to {}: iterations grow as n^{:.2f}, splits as n^{:.2f}: {}; seconds grow as n^{:.2f}\n",
             name, points[points.size() - 2].n, points.back().n, iterations, splits,
             good ? "at most linear" : "MORE THAN LINEAR", growth(points, &Point::seconds));
  return good;
}

Series series(const std::string& name, const std::vector<Point>& points, double Point::* what) {
  Series s{name, {}};
  for (const Point& p : points) s.points.emplace_back(p.n, p.*what);
  return s;
}

void plot(const std::string& file, const Scaling& figure_3, const Scaling& figure_6) {
  if (file.empty()) return;
  auto named = [&](const char* figure) {
    std::filesystem::path path(file);
    path.replace_filename(path.stem().string() + "-" + figure + path.extension().string());
    return path.string();
  };
  write_file(named("figure18"), svg_plot("Figure 18: seconds for the program of Figure 3", "n", "seconds",
                                         {series("proof", figure_3.proofs, &Point::seconds),
                                          series("broken twin refuted", figure_3.twins, &Point::seconds)},
                                         Scale::Linear));
  write_file(named("figure6"), svg_plot("Figure 6: 2^n paths", "n", "count",
                                        {series("splits", figure_6.proofs, &Point::splits),
                                         series("iterations (= solver calls)", figure_6.proofs, &Point::iterations),
                                         series("broken twin: iterations", figure_6.twins, &Point::iterations)},
                                        Scale::Linear));
}

std::vector<std::string> split_commas(const std::string& text) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, ',');) parts.push_back(part);
  return parts;
}

}  // namespace

int dash(const std::vector<std::string>& arguments, Context& context) {
  Arguments options(arguments, {"--dir", "--sets", "--timeout", "--json", "--svg"}, {"--quick", "--proofs"});
  Settings settings;
  settings.quick = options.flag("--quick");
  settings.timeout = parse_duration(options.value("--timeout", settings.quick ? "10s" : "60s"));
  if (settings.quick) settings.rounds = 1;
  require_writable(options.value("--json"));
  const std::string directory = options.value("--dir");
  const std::vector<std::string> sets =
      split_commas(options.value("--sets", "ntdrivers-simplified,ntdrivers,ssh-simplified,locks"));
  if (!directory.empty()) svcomp::find_tasks(directory, sets, {"unreach-call"});  // complains now rather than after all figures
  unsigned missed = 0;

  Table of_figures = figures(settings, context, missed);
  of_figures.print();

  using Sizes = std::vector<unsigned>;
  Scaling figure_3 = scale(
      "Figure 3 for n pointers, plotted in Figure 18. Published: almost constant time; Slam's grows exponentially.",
      figure_3_program, settings.quick ? Sizes{2, 4} : Sizes{2, 4, 8, 16, 32, 64}, settings, context, missed);
  figure_3.table.print();
  bool linear = at_most_linear("Figure 3", figure_3);
  Scaling figure_6 =
      scale("Figure 6 for n branches, 2^n paths. Published: O(n) splits.", figure_6_program,
            settings.quick ? Sizes{4, 8, 16} : Sizes{2, 5, 10, 25, 50, 100, 150, 200}, settings, context, missed);
  figure_6.table.print();
  linear = at_most_linear("Figure 6", figure_6) && linear;
  plot(options.value("--svg"), figure_3, figure_6);

  Table drivers = published_drivers();
  drivers.print();
  std::vector<const Table*> tables{&of_figures, &figure_3.table, &figure_6.table, &drivers};
  std::optional<DriverResults> results;
  if (!directory.empty()) {
    results = measure_drivers(directory, sets, fmt::format("{}s", settings.timeout), options.flag("--proofs"), context);
    results->tasks.print();
    results->sets.print();
    tables.insert(tables.end(), {&results->tasks, &results->sets});
  }
  write_json(options.value("--json"), tables);
  bool wrong = results && results->wrong > 0;
  if (missed > 0) fmt::print("\n{} of the programs above not answered as expected\n", missed);
  return missed == 0 && (linear || settings.quick) && !wrong ? 0 : 70;
}

}  // namespace whittle::app::suite
