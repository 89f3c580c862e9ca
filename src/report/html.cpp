// One self-contained page: no network, light and dark. The trace is data that page.js steps through; everything else is
// there without a script, too.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <unordered_map>

#include "report/coverage.h"
#include "report/page.h"
#include "report/report.h"

namespace whittle::report {

std::string escape_html(std::string_view text) {
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

namespace {

using Json = nlohmann::ordered_json;

std::string escape(std::string_view text) { return escape_html(text); }

/// The trace for page.js. Strings are written once and referred to by number: traces say the same things again and again.
class PageData {
 public:
  PageData(const Run& run, Sources& sources) : run_(run), sources_(sources), rows_(rows(run.trace, sources)) {}

  bool empty() const { return rows_.empty(); }

  std::string text() {
    const verdict::DetailedTrace& trace = run_.trace;
    Json data;
    uint32_t threads = 1;
    for (const Row& row : rows_) threads = std::max(threads, row.thread + 1);
    Json lanes = Json::array();
    for (uint32_t thread = 0; thread < threads; ++thread) lanes.push_back(lane_name(trace, thread));
    Json steps = Json::array();
    for (const Row& row : rows_) steps.push_back(step(row));
    data["lanes"] = std::move(lanes);
    data["firmware"] = !trace.lanes.empty() && trace.lanes[0] == "program";
    data["steps"] = std::move(steps);
    Json owners = Json::array();
    for (const verdict::Variable& variable : trace.variables) owners.push_back(variable.frame);
    data["owners"] = std::move(owners);
    data["ended"] = trace.ended;
    data["parts"] = parts(fold(rows_, trace.rounds));
    data["violated"] = nullptr;
    if (run_.verdict.violation)
      data["violated"] = {{"file", file(run_.verdict.violation->file)}, {"line", run_.verdict.violation->line}};
    Json files = Json::array();
    for (const std::string& name : file_names_) files.push_back({{"name", name}, {"lines", sources_.lines(name)}});
    data["files"] = std::move(files);
    data["strings"] = strings_;
    std::string out = data.dump(-1, ' ', false, Json::error_handler_t::replace);
    // Nothing in the data may end the element it stands in.
    for (size_t at = 0; (at = out.find("</", at)) != std::string::npos; at += 3) out.replace(at, 2, "<\\/");
    for (size_t at = 0; (at = out.find("<!", at)) != std::string::npos; at += 7) out.replace(at, 2, "\\u003c!");
    return out;
  }

 private:
  size_t string(const std::string& text) {
    auto [found, fresh] = numbers_.try_emplace(text, strings_.size());
    if (fresh) strings_.push_back(text);
    return found->second;
  }
  size_t file(const std::string& name) {
    auto found = std::ranges::find(file_names_, name);
    if (found != file_names_.end()) return static_cast<size_t>(found - file_names_.begin());
    file_names_.push_back(name);
    return file_names_.size() - 1;
  }

  void change(Json& to, const verdict::Change& change) {
    for (const std::string* part : {&change.name, &change.value, &change.place}) to.push_back(string(*part));
    to.push_back(change.variable);
  }

  Json step(const Row& row) {
    Json changes = Json::array(), notes = Json::array(), reads = Json::array();
    for (const verdict::Change& one : row.changes) change(changes, one);
    for (const std::string& note : row.notes) notes.push_back(string(note));
    for (const verdict::Read& read : row.reads) {
      if (read.writer == 0) continue;
      reads.push_back(string(read.name));
      reads.push_back(string(read.value));
      reads.push_back(row_of(read.writer - 1) + 1);
    }
    Json result = {row.thread, file(row.file), row.line, row.depth, string(row.function)};
    Json call = Json::array();
    if (!row.callee.empty()) call.push_back(string(row.callee));
    for (const verdict::Change& argument : row.arguments) change(call, argument);
    const bool quoted = sources_.line(row.file, row.line) == row.source && !row.source.empty();
    // What is empty at the end is left out.
    Json cells = {std::move(changes), std::move(notes), std::move(reads), std::move(call), Json::array(), Json::array(), row.ended, Json::array()};
    if (!quoted) cells[4] = string(row.source);
    if (row.cycles) cells[5] = *row.cycles;
    if (row.frame != 0) cells[7] = row.frame;
    while (!cells.empty() && cells.back().is_array() && cells.back().empty()) cells.erase(cells.size() - 1);
    for (Json& cell : cells) result.push_back(std::move(cell));
    return result;
  }

  /// The row that a step of the trace is part of.
  size_t row_of(size_t step) const {
    auto after = std::ranges::upper_bound(rows_, step, {}, &Row::first);
    return after == rows_.begin() ? 0 : static_cast<size_t>(after - rows_.begin()) - 1;
  }

  Json parts(const std::vector<Part>& all) const {
    Json result = Json::array();
    for (const Part& part : all) {
      if (part.rounds == 0)
        result.push_back(part.begin);
      else
        result.push_back({{"begin", part.begin},
                          {"end", part.end},
                          {"rounds", part.rounds},
                          {"first", parts(part.first)},
                          {"last", parts(part.last)},
                          {"text", rounds_text(part, rows_)}});
    }
    return result;
  }

  const Run& run_;
  Sources& sources_;
  std::vector<Row> rows_;
  std::vector<std::string> strings_, file_names_;
  std::unordered_map<std::string, size_t> numbers_;
};

void write_inputs(std::string& out, const Run& run) {
  const verdict::Counterexample& counterexample = run.verdict.counterexample;
  if (counterexample.inputs.empty()) return;
  constexpr size_t kShown = 1000, kOpen = 12;
  out += fmt::format("<details{}><summary>Inputs ({})</summary><table>\n<tr><th>#</th><th>value</th><th>from</th><th>where</th></tr>\n",
                     counterexample.inputs.size() <= kOpen ? " open" : "", counterexample.inputs.size());
  const std::vector<InputRow> rows = input_rows(run);
  for (size_t i = 0; i < std::min(kShown, rows.size()); ++i)
    out += fmt::format("<tr><td>{}</td><td><code>{}</code></td><td><code>{}</code></td><td class=soft>{}</td></tr>\n", rows[i].first + 1,
                       escape(rows[i].value), escape(rows[i].origin), rows[i].line == 0 ? "" : fmt::format("{}:{}", escape(rows[i].file), rows[i].line));
  if (rows.size() > kShown)
    out += fmt::format("<tr><td></td><td>and {} more</td></tr>\n", counterexample.inputs.size() - rows[kShown].first);
  out += "</table></details>\n";
}

void write_trace(std::string& out, PageData& data) {
  auto button = [](const char* id, const char* words, const char* title) {
    return fmt::format("<button id={} title=\"{}\">{}</button>", id, title, words);
  };
  out += "<h2 id=trace-title>Trace</h2>\n<div class=bar role=toolbar aria-label=\"steps of the trace\">";
  out += button("first", "&#124;&#9664; start", "to the first step (Home)") + button("back", "&#9664; back", "one step back (left arrow)") +
         button("next", "step &#9654;", "one step, into calls (right arrow)") + button("over", "over", "over calls, same thread (down arrow)") +
         button("out", "out", "to the caller (o)") + button("violation", "end &#9654;&#124;", "to the last step (End)") +
         button("folds", "fold", "fold or unfold loops (f)");
  out += "<input id=search type=search placeholder=\"search ( / )\" aria-label=\"search the trace\"><span id=found class=soft aria-live=polite></span>"
         "<span class=where id=where></span></div>\n";
  out += "<div class=app id=app><section class=\"pane source-pane\" aria-label=source><h2 id=source-name></h2><div id=source class=source></div></section>\n";
  out += "<section class=\"pane trace\" id=trace tabindex=0 role=listbox aria-label=\"steps, one column for each thread\"><div class=\"head rows\" "
         "aria-hidden=true><span class=n></span>{lanes}</div><div id=rows class=rows></div></section>\n";
  out += "<section class=\"pane vars\" aria-label=\"variables and stacks\"><h2>Variables and stacks</h2><div id=values class=values></div></section></div>\n";
  out += "<div id=live class=sr aria-live=polite></div>\n<noscript><p class=box>Stepping through the trace needs JavaScript.</p></noscript>\n";
  out += "<script id=data type=application/json>" + data.text() + "</script>\n";
}

/// What a proof says, at the lines it says it about.
void write_invariants(std::string& out, const verdict::Verdict& verdict, Sources& sources) {
  const std::vector<Invariant> all = invariants(verdict);
  if (all.empty()) return;
  out += "<h2>Invariants</h2>\n<p class=soft>What holds whenever the program gets to these lines.</p>\n";
  std::vector<std::string> files;
  for (const Invariant& invariant : all)
    if (std::ranges::find(files, invariant.file) == files.end()) files.push_back(invariant.file);
  for (const std::string& file : files) {
    out += fmt::format("<h3>{}</h3><div class=proof><div class=source>", escape(file));
    const std::vector<std::string>& lines = sources.lines(file);
    for (size_t number = 1; number <= lines.size(); ++number) {
      for (const Invariant& invariant : all)
        if (invariant.file == file && invariant.line == number)
          out += fmt::format("<div class=there><span class=n></span><span class=fact>{}</span></div>", escape(invariant.text));
      out += fmt::format("<div><span class=n>{}</span><span>{}</span></div>", number, escape(lines[number - 1]));
    }
    out += "</div></div>\n";
  }
}

void write_list(std::string& out, const char* title, const std::vector<std::string>& items) {
  if (items.empty()) return;
  out += fmt::format("<h2>{}</h2><ul>\n", title);
  for (const std::string& item : items) out += fmt::format("<li>{}</li>\n", escape(item));
  out += "</ul>\n";
}

void write_answer(std::string& out, const Run& run, Sources& sources) {
  const verdict::Verdict& verdict = run.verdict;
  if (verdict.violation && verdict.answer == verdict::Answer::False) {
    out += fmt::format("<div class=box><b class=false>{}</b><br>{}:{}{}", escape(verdict.violation->message),
                       escape(verdict.violation->file), verdict.violation->line,
                       verdict.violation->function.empty() ? "" : " in " + escape(verdict.violation->function));
    if (verdict.violation->thread != 0) out += fmt::format(", thread {}", verdict.violation->thread);
    std::string source = sources.line(verdict.violation->file, verdict.violation->line);
    if (!source.empty()) out += fmt::format("<pre>{}</pre>", escape(source));
    out += "</div>\n";
    return;
  }
  const bool proved = verdict.answer == verdict::Answer::True;
  out += fmt::format("<h2>{}</h2>\n<div class=box style=\"white-space:pre-line\">{}", proved ? "What was proved" : "What is missing",
                     escape(verdict.reason.empty() ? "no answer" : verdict.reason));
  for (const std::string& note : verdict.notes) out += "\n" + escape(note);
  out += "</div>\n";
}

/// What is known of each property and assertion, and the violations beyond the one that the page steps through.
void write_claims(std::string& out, const Run& run, Sources& sources) {
  if (!run.claims.claims.empty()) out += "<h2>Answers</h2><table class=answers>\n";
  for (const verdict::Claim& claim : run.claims.claims)
    out += fmt::format("<tr><td><b class={}>{}</b></td><td><code>{}</code></td><td class=soft>{}</td></tr>\n",
                       claim.answer == verdict::Answer::True    ? "true"
                       : claim.answer == verdict::Answer::False ? "false"
                                                                : "unknown",
                       answer_word(claim.answer), escape(claim_name(claim)), !claim.reason.empty() && claim.reason == run.verdict.reason ? "as above" : escape(claim.reason));
  if (!run.claims.claims.empty()) out += "</table>\n";
  const std::vector<Run> others = further_violations(run);
  if (!others.empty()) out += "<h2>Further violations</h2>\n";
  for (const Run& other : others)
    out += fmt::format("<details><summary><b class=false>{}</b> <span class=soft>{}:{}</span></summary><pre class=box>{}</pre></details>\n",
                       escape(other.verdict.violation->message), escape(other.verdict.violation->file), other.verdict.violation->line,
                       escape(counterexample_text(other, sources, {})));
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
      escape(line), escape(files), kPageStyle);
  out += fmt::format("<div class=top><h1><span class={}>{}</span> {}</h1><button id=theme>dark / light</button></div>\n",
                     line.substr(0, line.find('(')), escape(line), escape(files));
  out += fmt::format("<p class=soft>whittle {}, engine {}, {:.2f} s, {:.1f} MiB<br><code>{}</code></p>\n",
                     escape(run.version), escape(verdict.engine), run.seconds,
                     static_cast<double>(run.peak_memory) / (1 << 20), escape(run.command_line));
  write_answer(out, run, sources);
  if (verdict.answer == verdict::Answer::False) {
    write_inputs(out, run);
    for (const std::string& note : verdict.notes) out += fmt::format("<p>{}</p>\n", escape(note));
  }
  PageData data(run, sources);
  if (!data.empty()) {
    write_trace(out, data);
    std::string lanes;
    uint32_t threads = 1;
    for (const verdict::DetailedStep& step : run.trace.steps) threads = std::max(threads, step.thread + 1);
    for (uint32_t thread = 0; thread < threads; ++thread)
      lanes += "<span>" + escape(lane_name(run.trace, thread)) + "</span>";
    const size_t at = out.find("{lanes}");
    out.replace(at, 7, lanes);
  }
  if (!run.replay.empty()) out += fmt::format("<h2>Replay</h2><pre class=box>{}</pre>\n", escape(run.replay));
  write_claims(out, run, sources);
  if (run.coverage)
    out += (invariants(verdict).empty() ? "<h2>Coverage</h2>\n" : "<h2>Coverage and invariants</h2>\n") +
           coverage_html(*run.coverage, sources, invariants(verdict));
  else
    write_invariants(out, verdict, sources);
  write_list(out, "Assumptions", verdict.assumptions);
  write_list(out, "Warnings", run.warnings);
  out += "<h2>Properties checked</h2><ul>\n";
  for (verdict::Property property : run.specification.properties)
    out += fmt::format("<li><code>{}</code> <span class=soft>{}</span></li>\n", verdict::name(property),
                       verdict::description(property));
  out += "</ul>\n";
  if (std::string names = not_checked(run.specification); !names.empty())
    out += fmt::format("<p class=soft>Not checked: {}</p>\n", names);
  if (data.empty()) out += "<script id=data type=application/json>{\"steps\":[],\"strings\":[]}</script>\n";
  return out + fmt::format("<script>{}</script>\n</body></html>\n", kPageScript);
}

}  // namespace whittle::report
