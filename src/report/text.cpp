// The report a person reads in a terminal.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "report/coverage.h"
#include "report/report.h"

namespace whittle::report {

namespace {

class Painter {
 public:
  explicit Painter(bool on) : on_(on) {}
  std::string bold(std::string_view text) const { return paint("1", text); }
  std::string red(std::string_view text) const { return paint("31;1", text); }
  std::string green(std::string_view text) const { return paint("32", text); }
  std::string dim(std::string_view text) const { return paint("2", text); }

 private:
  std::string paint(const char* code, std::string_view text) const {
    return on_ ? fmt::format("\033[{}m{}\033[0m", code, text) : std::string(text);
  }
  bool on_;
};

std::string place(const std::string& file, unsigned line) {
  return file.empty() ? "?" : line == 0 ? file : fmt::format("{}:{}", file, line);
}

void write_inputs(std::string& out, const Run& run, const Painter& paint) {
  const std::vector<InputRow> rows = input_rows(run);
  if (rows.empty()) return;
  out += paint.bold("inputs") + "\n";
  constexpr size_t kShown = 40;
  for (size_t i = 0; i < rows.size(); ++i) {
    const InputRow& row = rows[i];
    if (i == kShown) {
      out += fmt::format("  ... and {} more\n", run.verdict.counterexample.inputs.size() - row.first);
      break;
    }
    out += fmt::format("  {:>3}  {:<20} {}{}\n", row.first + 1, row.value, row.origin,
                       row.line == 0 ? "" : paint.dim("  " + place(row.file, row.line)));
  }
  out += '\n';
}

/// Lines of at most `width` characters, broken at spaces where there are any.
std::vector<std::string> wrap(std::string_view text, size_t width) {
  std::vector<std::string> lines;
  while (text.size() > width) {
    size_t at = text.rfind(' ', width);
    if (at == std::string_view::npos || at < width / 3) {
      at = width;
      while (at > 1 && (static_cast<unsigned char>(text[at]) & 0xc0) == 0x80) --at;  // not inside a character
    }
    lines.emplace_back(text.substr(0, at));
    text.remove_prefix(at);
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  }
  lines.emplace_back(text);
  return lines;
}

/// Rows start at their thread's lane and may run on to the right: at any moment only one thread moves.
class Columns {
 public:
  Columns(const verdict::DetailedTrace& trace, const std::vector<Row>& rows, const TextStyle& style, const Painter& paint)
      : trace_(trace), paint_(paint), columns_(style.columns) {
    for (const Row& row : rows) {
      threads_ = std::max(threads_, row.thread + 1);
      number_width_ = std::max(number_width_, number(row).size());
    }
    size_t room = style.columns > 24 ? style.columns - 12 : 12;
    step_ = threads_ <= 1 ? 0 : std::clamp<size_t>(room / threads_, kNarrowest, 36);
    // The last lane needs room for words.
    while (step_ > 2 && threads_ > 1 && left(threads_ - 1, 0) + kLastLane > columns_) --step_;
  }

  std::string header() const {
    if (threads_ <= 1) return {};
    std::string line(number_width_ + 4, ' ');
    std::string names;
    bool fits = true;
    for (uint32_t thread = 0; thread < threads_; ++thread) {
      const std::string name = lane_name(trace_, thread);
      fits &= name.size() < step_ || thread + 1 == threads_;
      names += fmt::format("{}T{} {}", names.empty() ? "" : ", ", thread, thread < trace_.lanes.size() ? trace_.lanes[thread] : "");
    }
    for (uint32_t thread = 0; thread < threads_; ++thread)
      line += fmt::format("{:<{}}", fits ? lane_name(trace_, thread) : fmt::format("T{}", thread), step_);
    line.erase(line.find_last_not_of(' ') + 1);
    std::string legend;
    if (!fits)
      for (const std::string& part : wrap(names, columns_ - 8)) legend += paint_.dim("      " + part) + "\n";
    return legend + paint_.bold(line) + "\n";
  }

  void write(std::string& out, const Row& row) const {
    const size_t indent = left(row.thread, row.depth);
    const size_t width = columns_ > indent + kReadable ? columns_ - indent : kReadable;
    out += paint_.dim(fmt::format("  {:>{}}  ", number(row), number_width_)) + std::string(indent - number_width_ - 4, ' ');
    std::vector<std::string> lines = wrap(row.source, width);
    for (size_t i = 0; i < lines.size(); ++i) out += (i == 0 ? "" : "\n" + std::string(indent + 2, ' ')) + lines[i];
    std::string changes = effects_text(row);
    if (!changes.empty()) {
      changes = "-> " + changes;
      if (lines.back().size() + changes.size() + 3 <= width && lines.size() == 1) {
        out += "   " + paint_.green(changes);
      } else {
        for (const std::string& line : wrap(changes, width - 4)) out += "\n" + std::string(indent + 4, ' ') + paint_.green(line);
      }
    }
    out += '\n';
  }

  void write_rounds(std::string& out, const Part& part, const std::vector<Row>& rows) const {
    const Row& row = rows[part.begin];
    const std::string text = "... " + rounds_text(part, rows);
    const size_t indent = left(row.thread, row.depth);
    const size_t width = columns_ > indent + kReadable ? columns_ - indent : kReadable;
    for (const std::string& line : wrap(text, width)) out += std::string(indent, ' ') + paint_.dim(line) + "\n";
  }

 private:
  /// The line; of a chip, after the cycle.
  static std::string number(const Row& row) {
    const std::string line = row.line == 0 ? "" : fmt::format("{}", row.line);
    return row.cycles ? fmt::format("@{} {:>4}", *row.cycles, line) : line;
  }
  static constexpr size_t kDeepest = 8;    ///< calls further in are not indented further: recursion would leave the page
  static constexpr size_t kNarrowest = 8;  ///< lane
  static constexpr size_t kLastLane = 40;  ///< columns of the lane that has the least
  static constexpr size_t kReadable = 24;  ///< width below which text is not wrapped further
  size_t left(uint32_t thread, unsigned depth) const {
    return number_width_ + 4 + step_ * thread + 2 * std::min<size_t>(depth, kDeepest);
  }
  const verdict::DetailedTrace& trace_;
  const Painter& paint_;
  size_t columns_;
  uint32_t threads_ = 1;
  size_t number_width_ = 1;
  size_t step_ = 0;
};

/// What is printed one after the other: a row, or the words for rounds that are left out.
struct Line {
  size_t row = 0;
  const Part* rounds = nullptr;
};
void unfold(const std::vector<Part>& parts, std::vector<Line>& lines) {
  for (const Part& part : parts) {
    if (part.rounds == 0) {
      lines.push_back({part.begin, nullptr});
      continue;
    }
    unfold(part.first, lines);
    lines.push_back({part.begin, &part});
    unfold(part.last, lines);
  }
}

void write_trace(std::string& out, const Run& run, Sources& sources, const TextStyle& style, const Painter& paint) {
  const verdict::DetailedTrace& trace = run.trace;
  std::vector<Row> all = rows(trace, sources);
  if (all.empty()) return;
  out += paint.bold("trace") + "\n";
  if (trace.dropped != 0) out += fmt::format("       ... the first {} steps were not kept ...\n", trace.dropped);
  Columns columns(trace, all, style, paint);
  out += columns.header();
  std::vector<Part> parts;
  std::vector<Line> lines;
  if (style.max_rows != 0) {
    parts = fold(all, trace.rounds);
    unfold(parts, lines);
  } else {
    for (size_t i = 0; i < all.size(); ++i) lines.push_back({i, nullptr});
  }
  size_t head = lines.size(), tail = lines.size();
  if (style.max_rows != 0 && lines.size() > style.max_rows) {
    head = style.max_rows / 4;
    tail = lines.size() - (style.max_rows - head);
  }
  std::string file = run.files.size() == 1 ? run.files.front() : std::string();
  for (size_t i = 0; i < lines.size(); ++i) {
    if (i == head && head != tail) {
      out += fmt::format("       ... {} lines left out (--trace-lines 0 shows all) ...\n", tail - head);
      i = tail;
    }
    if (lines[i].rounds) {
      columns.write_rounds(out, *lines[i].rounds, all);
      continue;
    }
    const Row& row = all[lines[i].row];
    if (row.file != file && row.line != 0) {
      file = row.file;
      out += paint.dim(fmt::format("  {}\n", file));
    }
    columns.write(out, row);
  }
  if (trace.loop_start) out += "       ... and so on forever: the last lines repeat\n";
  out += '\n';
}

void write_statistics(std::string& out, const Statistics& statistics, const Painter& paint) {
  std::string figures;
  std::vector<std::pair<std::string, std::string>> details;
  for (const auto& [name, value] : statistics.entries()) {
    std::string text = std::visit(
        [](const auto& v) -> std::string {
          using V = std::decay_t<decltype(v)>;
          if constexpr (std::is_same_v<V, double>)
            return fmt::format("{:.3g}", v);
          else
            return fmt::format("{}", v);
        },
        value);
    std::string words = name;
    std::ranges::replace(words, '_', ' ');
    const size_t slash = words.rfind('/');
    if (slash == std::string::npos) {
      figures += fmt::format("{}{} {}", figures.empty() ? "" : ", ", words, text);
      continue;
    }
    // "functions/main/tests": a line for each function
    const std::string whose = name.substr(name.find('/') + 1, slash - name.find('/') - 1);
    if (details.empty() || details.back().first != whose) details.emplace_back(whose, "");
    std::string& line = details.back().second;
    line += fmt::format("{}{} {}", line.empty() ? "" : ", ", words.substr(slash + 1), text);
  }
  if (!figures.empty()) out += paint.dim(figures) + "\n";
  constexpr size_t kMostDetails = 12;
  for (size_t i = 0; i < std::min(details.size(), kMostDetails); ++i)
    out += paint.dim(fmt::format("  {}: {}", details[i].first, details[i].second)) + "\n";
  if (details.size() > kMostDetails)
    out += paint.dim(fmt::format("  and {} more", details.size() - kMostDetails)) + "\n";
}

std::string bytes_text(uint64_t bytes) {
  if (bytes >= uint64_t{1} << 30) return fmt::format("{:.1f} GiB", static_cast<double>(bytes) / (1 << 30));
  return fmt::format("{:.1f} MiB", static_cast<double>(bytes) / (1 << 20));
}

}  // namespace

std::string counterexample_text(const Run& run, Sources& sources, const TextStyle& style) {
  const verdict::Verdict& verdict = run.verdict;
  if (verdict.answer != verdict::Answer::False || !verdict.violation) return {};
  const verdict::Violation& violation = *verdict.violation;
  Painter paint(style.colour);
  std::string out;
  write_inputs(out, run, paint);
  write_trace(out, run, sources, style, paint);
  out += fmt::format("{} {}\n", paint.red("violation:"), violation.message);
  out += fmt::format("  {}: {}{}\n", place(violation.file, violation.line),
                     violation.function.empty() ? "" : "in " + violation.function,
                     violation.thread == 0 ? "" : fmt::format(", thread {}", violation.thread));
  std::string source = sources.line(violation.file, violation.line);
  if (!source.empty()) out += "    " + source + "\n";
  constexpr size_t kLongestCommand = 10'000;  // what a person pastes, and every shell takes
  if (run.replay.size() > kLongestCommand)
    out += "replay: too many inputs for a command; --counterexample FILE keeps them for whittle run --counterexample FILE\n";
  else if (!run.replay.empty())
    out += fmt::format("replay: {}\n", run.replay);
  return out;
}

std::string trace_text(const Run& run, Sources& sources, const TextStyle& style) {
  std::string out;
  write_trace(out, run, sources, style, Painter(style.colour));
  return out;
}

std::string summary_text(const Run& run, const TextStyle& style) {
  Painter paint(style.colour);
  const verdict::Verdict& verdict = run.verdict;
  std::string out;
  if (!verdict.assumptions.empty()) {
    out += paint.bold("assumptions") + "\n";
    for (const std::string& assumption : verdict.assumptions) out += "  " + assumption + "\n";
  }
  if (!verdict.reason.empty())
    out += fmt::format("{}: {}\n", paint.bold(verdict.engine.empty() ? "whittle" : verdict.engine), verdict.reason);
  for (const std::string& note : verdict.notes) out += "  " + note + "\n";
  if (std::string names = not_checked(run.specification); !names.empty())
    out += fmt::format("{}: {}\n", paint.bold("not checked"), names);
  out += claims_text(run, style);
  if (run.coverage) out += fmt::format("{}: {}\n", paint.bold("coverage"), coverage_text(*run.coverage));
  const char* how = verdict.answer == verdict::Answer::True ? "proved" : verdict.answer == verdict::Answer::False ? "found" : "no answer";
  out += paint.dim(fmt::format("{} by {} in {:.2f} s, {}", how, verdict.engine.empty() ? "whittle" : verdict.engine, run.seconds,
                               bytes_text(run.peak_memory))) +
         "\n";
  if (style.statistics) write_statistics(out, verdict.statistics, paint);
  return out;
}

}  // namespace whittle::report
