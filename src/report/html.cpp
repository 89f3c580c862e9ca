// One self-contained page: no script, no network, light and dark.
#include <fmt/format.h>

#include <algorithm>

#include "report/report.h"

namespace whittle::report {

namespace {

std::string escape(std::string_view text) {
  std::string result;
  for (char c : text) {
    switch (c) {
      case '<': result += "&lt;"; break;
      case '>': result += "&gt;"; break;
      case '&': result += "&amp;"; break;
      case '"': result += "&quot;"; break;
      default: result += c;
    }
  }
  return result;
}

constexpr const char* kStyle = R"(
:root{color-scheme:light dark;--ink:#1b1f24;--soft:#667080;--line:#d9dee5;--back:#fff;--panel:#f5f7fa;--bad:#b3261e;--good:#1a7f37;--value:#0a5fb4}
@media(prefers-color-scheme:dark){:root{--ink:#e6e9ee;--soft:#98a2b3;--line:#343a44;--back:#15181d;--panel:#1e2229;--bad:#ff8a80;--good:#6fdd8b;--value:#7db8ff}}
body{font:15px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--back);margin:2rem auto;max-width:1400px;padding:0 1.5rem}
h1{font-size:1.5rem;margin:0}h2{font-size:1.05rem;margin:2rem 0 .5rem}
.false{color:var(--bad)}.true{color:var(--good)}.unknown{color:var(--soft)}
.soft{color:var(--soft)}.box{background:var(--panel);border:1px solid var(--line);border-radius:6px;padding:.8rem 1rem;margin:1rem 0}
table{border-collapse:collapse;width:100%}th{text-align:left;font-weight:600}td,th{padding:.15rem .6rem;vertical-align:top}
code,pre,.trace td{font:13px/1.5 ui-monospace,monospace}.trace th{position:sticky;top:0;background:var(--panel);border-bottom:1px solid var(--line)}
.trace{border:1px solid var(--line)}.trace td{border-top:1px solid var(--line);white-space:pre-wrap;overflow-wrap:anywhere}
.trace td.n{color:var(--soft);text-align:right;white-space:nowrap;width:1%}.trace td+td{border-left:1px solid var(--line)}
.v{color:var(--value);display:block}.last td{background:color-mix(in srgb,var(--bad) 14%,transparent)}
.scroll{overflow-x:auto}
)";

void write_inputs(std::string& out, const verdict::Counterexample& counterexample) {
  if (counterexample.inputs.empty()) return;
  out += "<h2>Inputs</h2><table>\n<tr><th>#</th><th>value</th><th>from</th><th>where</th></tr>\n";
  for (size_t i = 0; i < counterexample.inputs.size(); ++i) {
    const verdict::Input& input = counterexample.inputs[i];
    out +=
        fmt::format("<tr><td>{}</td><td><code>{}</code></td><td><code>{}</code></td><td class=soft>{}:{}</td></tr>\n",
                    i + 1, value_text(input), escape(input.origin), escape(input.file), input.line);
  }
  out += "</table>\n";
}

void write_trace(std::string& out, const std::vector<Row>& all) {
  if (all.empty()) return;
  uint32_t threads = 1;
  for (const Row& row : all) threads = std::max(threads, row.thread + 1);
  out += "<h2>Trace</h2><div class=scroll><table class=trace>\n<tr><th></th>";
  for (uint32_t thread = 0; thread < threads; ++thread)
    out += fmt::format("<th>thread {}{}</th>", thread, thread == 0 ? " (main)" : "");
  out += "</tr>\n";
  std::string file;
  for (size_t i = 0; i < all.size(); ++i) {
    const Row& row = all[i];
    std::string place = row.line == 0      ? ""
                        : row.file == file ? fmt::format("{}", row.line)
                                           : fmt::format("{}:{}", escape(row.file), row.line);
    if (row.line != 0) file = row.file;
    out += fmt::format("<tr{}><td class=n>{}</td>", i + 1 == all.size() ? " class=last" : "", place);
    for (uint32_t thread = 0; thread < threads; ++thread) {
      out += "<td>";
      if (thread == row.thread) {
        for (unsigned i = 0; i < std::min(row.depth, 8u); ++i) out += "&ensp;";
        out += escape(row.source);
        for (const auto& [name, value] : row.changes)
          out += fmt::format("<span class=v>{} = {}</span>", escape(name), escape(value));
        for (const std::string& note : row.notes) out += fmt::format("<span class=\"v soft\">{}</span>", escape(note));
      }
      out += "</td>";
    }
    out += "</tr>\n";
  }
  out += "</table></div>\n";
}

}  // namespace

std::string html(const Run& run, Sources& sources) {
  const verdict::Verdict& verdict = run.verdict;
  std::string line = verdict::verdict_line(verdict), files;
  for (const std::string& file : run.files) files += (files.empty() ? "" : ", ") + file;
  std::string out = fmt::format(
      "<!doctype html>\n<html lang=en><head><meta charset=utf-8><meta name=viewport "
      "content=\"width=device-width,initial-scale=1\">\n"
      "<title>{} - {}</title><style>{}</style></head><body>\n",
      escape(line), escape(files), kStyle);
  out += fmt::format("<h1><span class={}>{}</span> {}</h1>\n", line.substr(0, line.find('(')), escape(line),
                     escape(files));
  out += fmt::format("<p class=soft>whittle {}, engine {}, {:.2f} s, {:.1f} MiB<br><code>{}</code></p>\n",
                     escape(run.version), escape(verdict.engine), run.seconds,
                     static_cast<double>(run.peak_memory) / (1 << 20), escape(run.command_line));
  if (verdict.violation) {
    out += fmt::format("<div class=box><b class=false>{}</b><br>{}:{}{}", escape(verdict.violation->message),
                       escape(verdict.violation->file), verdict.violation->line,
                       verdict.violation->function.empty() ? "" : " in " + escape(verdict.violation->function));
    std::string source = sources.line(verdict.violation->file, verdict.violation->line);
    if (!source.empty()) out += fmt::format("<pre>{}</pre>", escape(source));
    out += "</div>\n";
  }
  if (!verdict.reason.empty())
    out += fmt::format("<p style=\"white-space:pre-line\">{}</p>\n", escape(verdict.reason));
  for (const std::string& note : verdict.notes) out += fmt::format("<p>{}</p>\n", escape(note));
  if (verdict.answer == verdict::Answer::False) write_inputs(out, verdict.counterexample);
  write_trace(out, rows(verdict.trace, sources));
  if (!run.replay.empty()) out += fmt::format("<h2>Replay</h2><pre class=box>{}</pre>\n", escape(run.replay));
  if (!verdict.assumptions.empty()) {
    out += "<h2>Assumptions</h2><ul>\n";
    for (const std::string& assumption : verdict.assumptions) out += fmt::format("<li>{}</li>\n", escape(assumption));
    out += "</ul>\n";
  }
  out += "<h2>Properties checked</h2><ul>\n";
  for (verdict::Property property : run.specification.properties)
    out += fmt::format("<li><code>{}</code> <span class=soft>{}</span></li>\n", verdict::name(property),
                       verdict::description(property));
  out += "</ul>\n";
  if (std::string names = not_checked(run.specification); !names.empty())
    out += fmt::format("<p class=soft>Not checked: {}</p>\n", names);
  return out + "</body></html>\n";
}

}  // namespace whittle::report
