#include "app/svcomp_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/suite/table.h"

namespace whittle::app::svcomp {

namespace {

constexpr const char* kStyle = R"(
:root{color-scheme:light dark}
body{font:15px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem}
h1{font-size:1.4rem}h2{font-size:1.1rem;margin-top:2rem}
table{border-collapse:collapse;width:100%}
th,td{padding:.25rem .6rem;text-align:left;border-bottom:1px solid #8884}
td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}
table.sort th{cursor:pointer;user-select:none;white-space:nowrap}
table.sort th[data-up]::after{content:" \25B2"}table.sort th[data-down]::after{content:" \25BC"}
tr.all td{font-weight:600}
.right{color:#2a8a3e}.wrong{color:#d1242f;font-weight:700}.crash{color:#b35900;font-weight:700}.unknown{color:#888}
.soft{color:#888}.plot{max-width:44rem}
.box{border:1px solid #d1242f;border-radius:6px;padding:.5rem 1rem;margin:1rem 0}
input{font:inherit;padding:.2rem .5rem;width:20rem;max-width:100%}
td.name{overflow-wrap:anywhere}
)";

/// Sorts by the clicked column: numbers as numbers, texts as texts. The last click turns the order round.
constexpr const char* kScript = R"(
for (const table of document.querySelectorAll('table.sort')) {
  const body = table.tBodies[0], heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => head.addEventListener('click', () => {
    const down = 'up' in head.dataset;
    for (const other of heads) { delete other.dataset.up; delete other.dataset.down; }
    head.dataset[down ? 'down' : 'up'] = '';
    const key = row => row.cells[column].textContent, number = head.classList.contains('n');
    const rows = [...body.rows].filter(row => !row.classList.contains('all'));
    rows.sort((a, b) => number ? key(a) - key(b) : key(a).localeCompare(key(b)));
    if (down) rows.reverse();
    for (const row of rows) body.insertBefore(row, body.querySelector('tr.all'));
  }));
}
const filter = document.getElementById('filter'), count = document.getElementById('count');
filter.addEventListener('input', () => {
  const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
  let shown = 0;
  for (const row of document.getElementById('tasks').tBodies[0].rows) {
    const text = row.textContent.toLowerCase();
    row.hidden = !words.every(word => text.includes(word));
    shown += row.hidden ? 0 : 1;
  }
  count.textContent = shown + ' tasks';
});
)";

std::string escape(const std::string& text) {
  std::string out;
  for (char c : text) out += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : std::string(1, c);
  return out;
}

std::string complaint(const Result& result) {
  return fmt::format("{}: {} answers {}, expected {}", name(result.kind), result.task.name, result.verdict,
                     result.task.expected);
}

/// Wrong answers, then crashes.
std::vector<const Result*> complaints(const std::vector<Result>& results) {
  std::vector<const Result*> list;
  for (Kind kind : {Kind::Wrong, Kind::Crash})
    for (const Result& result : results)
      if (result.kind == kind) list.push_back(&result);
  return list;
}

/// Solved tasks over time: the n-th fastest right answer took so long.
std::string cactus(const std::vector<Result>& results) {
  suite::Series all{"right answers", {}}, proofs{"true", {}}, violations{"false", {}};
  auto add = [](suite::Series& series, double seconds) {
    series.points.emplace_back(static_cast<double>(series.points.size()) + 1, std::max(seconds, 0.01));
  };
  std::vector<const Result*> solved;
  for (const Result& result : results)
    if (result.kind == Kind::Right) solved.push_back(&result);
  std::ranges::sort(solved, {}, [](const Result* r) { return r->seconds; });
  for (const Result* result : solved) {
    add(all, result->seconds);
    add(result->task.expected ? proofs : violations, result->seconds);
  }
  return suite::svg_plot("Solved tasks over time", "tasks solved", "seconds for the slowest of them",
                         {all, proofs, violations});
}

std::string sums_table(const std::vector<std::string>& sets, const std::vector<Result>& results) {
  std::string out =
      "<table class=sort><thead><tr><th>set<th class=n>tasks<th class=n>right<th class=n>wrong<th class=n>unknown"
      "<th class=n>crash<th class=n>score<th class=n>seconds</tr></thead><tbody>\n";
  for (const Sums& line : sums(sets, results)) {
    auto [right, wrong, unknown, crash] = line.count;
    out += fmt::format(
        "<tr{}><td>{}<td class=n>{}<td class=n>{}<td class=\"n{}\">{}<td class=n>{}<td class=\"n{}\">{}"
        "<td class=n>{}<td class=n>{:.1f}</tr>\n",
        line.set == "all" ? " class=all" : "", escape(line.set), line.tasks, right, wrong != 0 ? " wrong" : "", wrong,
        unknown, crash != 0 ? " crash" : "", crash, line.score, line.seconds);
  }
  return out + "</tbody></table>\n";
}

std::string tasks_table(const std::vector<Result>& results) {
  std::string out =
      "<table class=sort id=tasks><thead><tr><th>set<th>task<th>expected<th>answer<th>result<th class=n>score"
      "<th class=n>seconds<th class=n>CPU s</tr></thead><tbody>\n";
  for (const Result& result : results) {
    std::string file = result.task.name.substr(result.task.name.find('/') + 1);
    out += fmt::format(
        "<tr><td>{}<td class=name>{}<td>{}<td>{}<td class={}>{}<td class=n>{}<td class=n>{:.2f}<td "
        "class=n>{:.2f}</tr>\n",
        escape(result.task.set), escape(file), result.task.expected, escape(result.verdict), name(result.kind),
        name(result.kind), score(result), result.seconds, result.cpu);
  }
  return out + "</tbody></table>\n";
}

}  // namespace

std::string text_report(const std::vector<std::string>& sets, const std::vector<Result>& results) {
  std::string out;
  for (const Result* result : complaints(results)) out += complaint(*result) + "\n";
  out += fmt::format("{:<24}{:>7}{:>7}{:>7}{:>9}{:>7}{:>8}{:>10}\n", "set", "tasks", "right", "wrong", "unknown",
                     "crash", "score", "seconds");
  for (const Sums& line : sums(sets, results)) {
    auto [right, wrong, unknown, crash] = line.count;
    out += fmt::format("{:<24}{:>7}{:>7}{:>7}{:>9}{:>7}{:>8}{:>10.1f}\n", line.set, line.tasks, right, wrong, unknown,
                       crash, line.score, line.seconds);
  }
  return out;
}

std::string html_report(const std::vector<std::string>& sets, const Conditions& conditions,
                        const std::vector<Result>& results) {
  Sums all = sums(sets, results).back();
  std::string out = fmt::format(
      "<!doctype html>\n<html lang=en><head><meta charset=utf-8><meta name=viewport "
      "content=\"width=device-width,initial-scale=1\">\n<title>whittle bench "
      "svcomp</title><style>{}</style></head><body>\n"
      "<h1>{} of {} tasks solved, {} wrong, score {}</h1>\n"
      "<p class=soft>whittle {}, engine {}, {} per task{}, {} core{} per task</p>\n",
      kStyle, all.count[0], all.tasks, all.count[1], all.score, WHITTLE_VERSION, escape(conditions.engine),
      escape(conditions.timeout), conditions.memory.empty() ? "" : ", " + escape(conditions.memory), conditions.cores,
      conditions.cores == 1 ? "" : "s");
  if (auto list = complaints(results); !list.empty()) {
    out += "<div class=box>";
    for (const Result* result : list)
      out += fmt::format("<div class={}>{}</div>\n", name(result->kind), escape(complaint(*result)));
    out += "</div>\n";
  }
  out += "<h2>Sets</h2>\n" + sums_table(sets, results);
  out += "<h2>Time</h2>\n<div class=plot>" + cactus(results) + "</div>\n";
  out += fmt::format(
      "<h2>Tasks</h2>\n<p><input id=filter placeholder=\"words: locks unknown\" aria-label=\"Filter\"> "
      "<span class=soft id=count>{} tasks</span></p>\n",
      results.size());
  return out + tasks_table(results) + "<script>" + kScript + "</script>\n</body></html>\n";
}

}  // namespace whittle::app::svcomp
