#include "app/suite/guided_suite.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>

#include "app/output.h"
#include "app/suite/arguments.h"
#include "app/suite/check_file.h"
#include "app/suite/guided_rows.h"
#include "app/suite/table.h"
#include "base/error.h"

namespace whittle::app::suite {

namespace {

using verdict::Answer;

enum Mode { kPlain, kDpor, kBoth, kModes };
// Slicing belongs to the paper's method, not to what it is compared with. The figures show summaries and partial order
// reduction by themselves.
const std::array<EngineOptions, kModes> kOptions = {
    {{{"no-dpor", ""}, {"no-summaries", ""}, {"no-slicing", ""}}, {{"no-summaries", ""}, {"no-slicing", ""}}, {}}};
const EngineOptions kSummaries = {{"no-dpor", ""}, {"no-slicing", ""}}, kUnsliced = {{"no-slicing", ""}};

struct Settings {
  std::string folder, collection;
  double timeout = 60;
  bool quick = false;
};

verdict::Specification assertions() {
  verdict::Specification specification;
  specification.properties = {verdict::Property::UnreachCall};
  return specification;
}

uint64_t runs(const Measured& m) { return m.count("runs_full") + m.count("runs_partial"); }

/// A violation ends the search; a bound or the time limit leaves a number that says nothing.
std::string shown(const Measured& m) { return m.verdict.answer == Answer::Unknown ? "-" : fmt::format("{}", runs(m)); }

std::string shown(const GuidedRow::Figure& f) { return f.runs == 0 ? "-" : fmt::format("{}", f.runs); }

Measured run(const std::string& file, const std::vector<std::string>& defines, const EngineOptions& options,
             double timeout, Context& context) {
  InputOptions input;
  input.files = {file};
  input.defines = defines;
  return check_file(input, "guided", options, timeout, context, assertions());
}

std::string read(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) fail_input("{}: cannot be read", file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// Nothing if the program is one of the collection and there is none.
std::optional<Measured> run(const GuidedRow& row, Mode mode, const Settings& settings, Context& context) {
  std::string name = row.file;
  if (name.find('/') == std::string::npos)
    return run(settings.folder + "/" + name, {row.defines.begin(), row.defines.end()}, kOptions[mode], settings.timeout,
               context);
  std::string file = settings.collection + "/" + name;
  if (settings.collection.empty() || !std::filesystem::exists(file)) return std::nullopt;
  std::string text = read(file);
  for (auto [from, to] : row.edits) {
    size_t at = text.find(from);
    if (at == std::string::npos) fail_input("{}: there is no `{}` in it; is it the collection of 2015?", file, from);
    text.replace(at, std::string_view(from).size(), to);
  }
  return check_text(text, "guided", kOptions[mode], settings.timeout, context, assertions());
}

Table figures(const Settings& settings, Context& context, int& wrong) {
  Table table("Figures 2, 3 and 4: runs, and what the paper says.",
              {"program", "published", "plain", "DPOR", "summaries", "both", "full", "partial", "verdict"});
  auto row = [&](const std::string& name, const std::string& file, const std::vector<std::string>& defines,
                 const std::string& published, bool plain, Answer expected) {
    if (context.limits.poll_now() != Stop::No) return;
    context.progress.update([&] { return name; });
    std::string path = settings.folder + "/" + file;
    auto column = [&](const EngineOptions& options) {
      return plain ? shown(run(path, defines, options, settings.timeout, context)) : std::string("-");
    };
    Measured both = run(path, defines, kUnsliced, settings.timeout, context);
    std::string none = column(kOptions[kPlain]), dpor = column(kOptions[kDpor]), summaries = column(kSummaries);
    wrong += both.verdict.answer == expected ? 0 : 1;
    table.add({name, published, none, dpor, summaries, shown(both), fmt::format("{}", both.count("runs_full")),
               fmt::format("{}", both.count("runs_partial")), verdict::verdict_line(both.verdict)});
    context.progress.clear();
  };
  row("figure 2", "figure2.c", {}, "6 / 1 + 4", true, Answer::True);
  row("figure 2, x > 11", "figure2.c", {"LIMIT=11"}, "run 5 fails", true, Answer::False);
  for (unsigned k = 1; k <= 12; ++k) {
    std::string published = fmt::format("{} / {}", uint64_t{1} << k, k + 1);
    row(fmt::format("figure 3, k = {}", k), "figure3.c", {fmt::format("K={}", k)}, published, k <= 4, Answer::True);
  }
  row("figure 4", "figure4.c", {}, "54 / 34 / 18 / 13", true, Answer::True);
  return table;
}

Table table2(const Settings& settings, Context& context, int& wrong) {
  Table table(
      "Table 2: runs and seconds. Published, then measured: plain, with DPOR, with DPOR and summaries.",
      {"program", "threads", "plain", "DPOR", "both", "s", "plain", "DPOR", "both", "full", "s", "no more", "verdict"});
  unsigned rows = 0, fewer = 0;
  double published = 0, measured = 0;
  for (const GuidedRow& row : guided_rows()) {
    if (context.limits.poll_now() != Stop::No) break;
    context.progress.update([&] { return std::string(row.name); });
    std::optional<Measured> both = run(row, kBoth, settings, context);
    if (!both) continue;
    std::string plain = settings.quick ? "-" : shown(*run(row, kPlain, settings, context));
    std::string dpor = shown(*run(row, kDpor, settings, context));
    context.progress.clear();
    bool unknown = both->verdict.answer == Answer::Unknown;
    wrong += unknown || both->verdict.answer == row.expected ? 0 : 1;
    bool good = !unknown && runs(*both) <= row.published[kBoth].runs;
    ++rows;
    fewer += good ? 1 : 0;
    published += row.published[kBoth].seconds;
    measured += both->seconds;
    table.add({row.name, fmt::format("{}", row.threads), shown(row.published[kPlain]), shown(row.published[kDpor]),
               shown(row.published[kBoth]), fmt::format("{:.1f}", row.published[kBoth].seconds), plain, dpor,
               shown(*both), fmt::format("{}", both->count("runs_full")), fmt::format("{:.3f}", both->seconds),
               good ? "yes" : "NO", verdict::verdict_line(both->verdict)});
  }
  table.print();
  if (rows != 0)
    fmt::print(
        "\nNo more runs than published in {} of {} rows; {:.2f} s on the average of these rows (published: {:.2f} s; "
        "51.6 s over the whole table).\n",
        fewer, rows, measured / rows, published / rows);
  if (settings.collection.empty())
    fmt::print("Programs of the public collection were left out: --dir DIR names a checkout of it.\n");
  return table;
}

/// Figure 9: runs over the number of threads.
Table figure9(const Settings& settings, Context& context, const std::string& svg, int& wrong) {
  Table table("Figure 9: reorder with 2 to 8 threads. Runs and seconds: plain, with DPOR, with DPOR and summaries.",
              {"threads", "plain", "s", "DPOR", "s", "both", "s", "verdict"});
  std::array<Series, kModes> series = {{{"plain", {}}, {"DPOR", {}}, {"DPOR and summaries", {}}}};
  std::array<bool, kModes> over{};
  for (unsigned threads = 2; threads <= 8; ++threads) {
    if (context.limits.poll_now() != Stop::No) break;
    context.progress.update([&] { return fmt::format("reorder with {} threads", threads); });
    std::vector<std::string> row{fmt::format("{}", threads)};
    std::string verdict;
    for (int mode = kPlain; mode < kModes; ++mode) {
      if (over[mode]) {
        row.insert(row.end(), {"-", "-"});
        continue;
      }
      // Without the mistake: with it, a search ends at the first run that shows it.
      Measured m = run(settings.folder + "/reorder.c", {fmt::format("SET={}", threads - 1), "CHECK=1", "CORRECT"},
                       kOptions[mode], settings.timeout, context);
      over[mode] = m.verdict.answer == Answer::Unknown;
      wrong += m.verdict.answer == Answer::False ? 1 : 0;
      row.insert(row.end(), {shown(m), fmt::format("{:.3f}", m.seconds)});
      if (!over[mode]) series[mode].points.emplace_back(threads, runs(m));
      verdict = verdict::verdict_line(m.verdict);
    }
    row.push_back(verdict);
    table.add(row);
    context.progress.clear();
  }
  if (!svg.empty())
    write_file(svg, svg_plot("reorder: runs by number of threads", "threads", "runs", {series.begin(), series.end()}));
  return table;
}

}  // namespace

int guided(const std::vector<std::string>& arguments, Context& context) {
  Arguments options(arguments, {"--dir", "--timeout", "--json", "--svg"}, {"--quick"});
  Settings settings;
  settings.folder = bench_folder("guided");
  settings.collection = options.value("--dir");
  settings.quick = options.flag("--quick");
  if (std::string text = options.value("--timeout"); !text.empty()) {
    auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), settings.timeout);
    if (error != std::errc{} || end != text.data() + text.size() || !(settings.timeout > 0))
      fail_usage("--timeout {}: a number of seconds is wanted", text);
  } else if (settings.quick) {
    settings.timeout = 10;
  }
  if (!settings.collection.empty() && !std::filesystem::is_directory(settings.collection))
    fail_input("{}: is no folder", settings.collection);
  int wrong = 0;
  Table small = figures(settings, context, wrong);
  small.print();
  Table large = table2(settings, context, wrong);
  Table growth = figure9(settings, context, options.value("--svg"), wrong);
  growth.print();
  write_json(options.value("--json"), {&small, &large, &growth});
  return wrong == 0 ? 0 : 70;
}

}  // namespace whittle::app::suite
