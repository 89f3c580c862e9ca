// The report a person reads in a terminal.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

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

void write_inputs(std::string& out, const verdict::Counterexample& counterexample, const Painter& paint) {
  const auto& inputs = counterexample.inputs;
  if (inputs.empty()) return;
  out += paint.bold("inputs") + "\n";
  constexpr size_t kShown = 40;
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (i == kShown) {
      out += fmt::format("  ... and {} more\n", inputs.size() - kShown);
      break;
    }
    out += fmt::format("  {:>3}  {:<20} {}{}\n", i + 1, value_text(inputs[i]), inputs[i].origin,
                       inputs[i].line == 0 ? "" : paint.dim("  " + place(inputs[i].file, inputs[i].line)));
  }
  out += '\n';
}

std::string changes_text(const Row& row) {
  std::string text;
  for (const auto& [name, value] : row.changes) text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", name, value);
  for (const std::string& note : row.notes) text += (text.empty() ? "" : "; ") + note;
  return text;
}

/// Rows start at their thread's column and may run on to the right: at any moment only one thread moves.
class Columns {
 public:
  Columns(const std::vector<Row>& rows, const TextStyle& style, const Painter& paint)
      : paint_(paint), columns_(style.columns) {
    for (const Row& row : rows) {
      threads_ = std::max(threads_, row.thread + 1);
      number_width_ = std::max(number_width_, fmt::format("{}", row.line).size());
    }
    size_t room = style.columns > 24 ? style.columns - 12 : 12;
    step_ = threads_ <= 1 ? 0 : std::clamp<size_t>(room / threads_, 8, 36);
  }

  std::string header() const {
    if (threads_ <= 1) return {};
    std::string line(number_width_ + 4, ' ');
    for (uint32_t thread = 0; thread < threads_; ++thread) {
      std::string name = step_ < 16    ? fmt::format("T{}", thread)
                         : thread == 0 ? "thread 0 (main)"
                                       : fmt::format("thread {}", thread);
      line += fmt::format("{:<{}}", name, step_);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    return paint_.bold(line) + "\n";
  }

  void write(std::string& out, const Row& row) const {
    std::string number = row.line == 0 ? "" : fmt::format("{}", row.line);
    std::string indent(step_ * row.thread + 2 * std::min<size_t>(row.depth, kDeepest), ' ');
    out += paint_.dim(fmt::format("  {:>{}}  ", number, number_width_)) + indent + row.source;
    std::string changes = changes_text(row);
    if (!changes.empty()) {
      size_t used = 4 + number_width_ + indent.size() + row.source.size();
      if (used + changes.size() + 5 <= columns_) {
        out += "   ";
      } else {
        out += '\n' + std::string(number_width_ + 8, ' ') + indent;
      }
      out += paint_.green("-> " + changes);
    }
    out += '\n';
  }


 private:
  static constexpr size_t kDeepest = 8;  ///< calls further in are not indented further: recursion would leave the page
  const Painter& paint_;
  size_t columns_;
  uint32_t threads_ = 1;
  size_t number_width_ = 1;
  size_t step_ = 0;
};

void write_trace(std::string& out, const Run& run, Sources& sources, const TextStyle& style, const Painter& paint) {
  std::vector<Row> all = rows(run.verdict.trace, sources);
  if (all.empty()) return;
  out += paint.bold("trace") + "\n";
  Columns columns(all, style, paint);
  out += columns.header();
  size_t head = all.size(), tail = all.size();
  if (style.max_rows != 0 && all.size() > style.max_rows) {
    head = style.max_rows / 4;
    tail = all.size() - (style.max_rows - head);
  }
  std::string file = run.files.size() == 1 ? run.files.front() : std::string();
  for (size_t i = 0; i < all.size(); ++i) {
    if (i == head && head != tail) {
      out += fmt::format("       ... {} lines left out (--trace-lines 0 shows all) ...\n", tail - head);
      i = tail;
    }
    if (all[i].file != file && all[i].line != 0) {
      file = all[i].file;
      out += paint.dim(fmt::format("  {}\n", file));
    }
    columns.write(out, all[i]);
  }
  if (run.verdict.trace.loop_start) out += "       ... and so on forever: the last lines repeat\n";
  out += '\n';
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
  write_inputs(out, verdict.counterexample, paint);
  write_trace(out, run, sources, style, paint);
  out += fmt::format("{} {}\n", paint.red("violation:"), violation.message);
  out += fmt::format("  {}: {}{}\n", place(violation.file, violation.line),
                     violation.function.empty() ? "" : "in " + violation.function,
                     violation.thread == 0 ? "" : fmt::format(", thread {}", violation.thread));
  std::string source = sources.line(violation.file, violation.line);
  if (!source.empty()) out += "    " + source + "\n";
  if (!run.replay.empty()) out += fmt::format("replay: {}\n", run.replay);
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
  std::string figures;
  std::vector<std::pair<std::string, std::string>> details;
  for (const auto& [name, value] : verdict.statistics.entries()) {
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
  out += paint.dim(fmt::format("{:.2f} s, {}{}{}", run.seconds, bytes_text(run.peak_memory),
                               figures.empty() ? "" : ", ", figures)) +
         "\n";
  constexpr size_t kMostDetails = 12;
  for (size_t i = 0; i < std::min(details.size(), kMostDetails); ++i)
    out += paint.dim(fmt::format("  {}: {}", details[i].first, details[i].second)) + "\n";
  if (details.size() > kMostDetails)
    out += paint.dim(fmt::format("  and {} more", details.size() - kMostDetails)) + "\n";
  return out;
}

}  // namespace whittle::report
