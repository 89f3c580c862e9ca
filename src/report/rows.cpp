// Traces condensed to what people read: one row per source line and thread.
#include <fmt/format.h>

#include <bit>
#include <cmath>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "report/report.h"

namespace whittle::report {

const std::vector<std::string>& Sources::lines(const std::string& file) {
  auto [entry, fresh] = files_.try_emplace(file);
  if (fresh) {
    std::ifstream stream(file);
    for (std::string line; std::getline(stream, line);) entry->second.push_back(std::move(line));
  }
  return entry->second;
}

Sources::Sources(const std::map<std::string, std::string>& texts) {
  for (const auto& [file, text] : texts) {
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) files_[file].push_back(std::move(line));
  }
}

std::string Sources::line(const std::string& file, unsigned number) {
  const std::vector<std::string>& lines = this->lines(file);
  if (number == 0 || number > lines.size()) return {};
  const std::string& text = lines[number - 1];
  size_t begin = text.find_first_not_of(" \t\r");
  if (begin == std::string::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

namespace {

bool is_within(const std::vector<verdict::Round>& rounds, uint32_t round, uint32_t outer) {
  for (; round != 0; round = rounds[round].around)
    if (round == outer) return true;
  return false;
}

/// Which loops begin a round in a row. A row has one round of each at most: `for (...) s += i;` on one line is a row each round.
class Arrivals {
 public:
  explicit Arrivals(const std::vector<verdict::Round>& rounds) : rounds_(rounds) {}
  void new_row() { loops_.clear(); }
  /// The row goes on from one round to the other. False: that begins another row.
  bool go_on(uint32_t from, uint32_t to) {
    if (from == to || to == 0 || rounds_.empty() || is_within(rounds_, from, to)) return true;
    const bool inside = loops_.empty() || is_around(loops_.back(), rounds_[to].around);
    if (inside) loops_.push_back(rounds_[to].loop);
    return inside;
  }

 private:
  bool is_around(uint32_t loop, uint32_t round) const {
    for (; round != 0; round = rounds_[round].around)
      if (rounds_[round].loop == loop) return true;
    return false;
  }
  const std::vector<verdict::Round>& rounds_;
  std::vector<uint32_t> loops_;
};

/// The end of a function or block where nothing happens says nothing, nor does the jump from an interrupt's vector to its handler. The
/// last row is where the run ends, and stays.
void leave_out_ends(std::vector<Row>& rows) {
  std::vector<Row> kept;
  std::vector<uint32_t> ended;  // of the rows left out before the next one
  for (size_t i = 0; i < rows.size(); ++i) {
    Row& row = rows[i];
    const bool silent = row.changes.empty() && row.notes.empty() && row.reads.empty() && row.callee.empty();
    const bool end = row.source == "}" && !row.cycles;
    const bool vector = row.cycles && row.line == 0 && !kept.empty() && kept.back().source.starts_with("interrupt ");
    if (i + 1 < rows.size() && silent && (end || (vector && rows[i + 1].line != 0))) {
      ended.insert(ended.end(), row.ended.begin(), row.ended.end());
      continue;
    }
    row.ended.insert(row.ended.begin(), ended.begin(), ended.end());
    ended.clear();
    kept.push_back(std::move(row));
  }
  rows = std::move(kept);
}

/// "length" of "q->length".
std::string_view last_part(std::string_view name) {
  const size_t at = name.find_last_of(".>");
  return at == std::string_view::npos ? name : name.substr(at + 1);
}

/// What a line has read says what is wrong on the last line, and why it matters that other threads go on before a line does something with
/// it: if they change it.
void tell_reads(std::vector<Row>& rows) {
  constexpr size_t kTold = 4;
  std::map<uint32_t, size_t> next;  // row of each thread
  for (size_t i = rows.size(); i-- > 0;) {
    Row& row = rows[i];
    const auto later = next.find(row.thread);
    const size_t goes_on = later == next.end() ? i + 1 : later->second;
    next[row.thread] = i;
    const bool last = i + 1 == rows.size();
    const bool interrupted = goes_on > i + 1 && rows[goes_on].frame == row.frame && rows[goes_on].line == row.line;
    if ((!last && !interrupted) || row.cycles || !row.changes.empty() || !row.notes.empty() || !row.callee.empty()) continue;
    auto matters = [&](const verdict::Read& read) {
      return last || std::any_of(rows.begin() + static_cast<ptrdiff_t>(i) + 1, rows.begin() + static_cast<ptrdiff_t>(goes_on), [&](const Row& other) {
               return std::ranges::any_of(other.changes, [&](const verdict::Change& change) {
                 return read.name.starts_with('*') || last_part(change.place.empty() ? change.name : change.place) == last_part(read.name);
               });
             });
    };
    std::string text;
    for (const verdict::Read& read : row.reads)
      if (matters(read)) text += fmt::format("{}{} = {}", text.empty() ? "reads " : ", ", read.name, read.value);
    if (!text.empty() && row.reads.size() <= kTold) row.notes.push_back(std::move(text));
  }
}

}  // namespace

std::vector<Row> rows(const verdict::DetailedTrace& trace, Sources& sources) {
  std::vector<Row> result;
  Arrivals arrivals(trace.rounds);
  std::set<uint32_t> calls;
  for (size_t i = 0; i < trace.steps.size(); ++i) {
    const verdict::DetailedStep& step = trace.steps[i];
    bool same = !result.empty() && result.back().thread == step.thread && result.back().file == step.file &&
                result.back().line == step.line && result.back().function == step.function &&
                result.back().depth == step.depth && result.back().frame == step.frame;
    // An interrupt comes before a line of the program; it is not that line.
    const bool interrupt = step.cycles && step.note.starts_with("interrupt ");
    same = same && !interrupt && arrivals.go_on(result.back().round, step.round);
    // A variable changed a second time opens a new row, too.
    if (same)
      for (const verdict::Change& change : step.changes)
        if (std::ranges::any_of(result.back().changes, [&](const auto& old) { return old.name == change.name && old.variable == change.variable; }))
          same = false;
    if (!same) {
      std::string source = interrupt ? step.note : sources.line(step.file, step.line);
      if (source.empty()) source = step.statement;
      arrivals.new_row();
      const bool goes_on = !result.empty() && result.back().thread == step.thread && result.back().frame == step.frame && result.back().line == step.line;
      const bool begins = step.frame != 0 && calls.insert(step.frame).second;  // a call that begins in a loop begins its first round
      if (goes_on || begins) arrivals.go_on(goes_on ? result.back().round : 0, step.round);
      result.push_back({step.thread, step.file, interrupt ? 0 : step.line, step.depth, step.function, source, {}, {}, {}, i});
    }
    Row& row = result.back();
    row.frame = step.frame, row.round = step.round;
    row.ended.insert(row.ended.end(), step.ended.begin(), step.ended.end());
    row.changes.insert(row.changes.end(), step.changes.begin(), step.changes.end());
    row.reads.insert(row.reads.end(), step.reads.begin(), step.reads.end());
    if (!step.note.empty() && !interrupt) row.notes.push_back(step.note);
    if (!step.callee.empty()) row.callee = step.callee, row.arguments = step.arguments;
    if (step.cycles && !row.cycles) row.cycles = step.cycles;
  }
  leave_out_ends(result);
  tell_reads(result);
  return result;
}

bool is_register(const std::string& name) {
  return name.size() >= 2 && name.size() <= 3 && name[0] == 'r' && name[1] >= '0' && name[1] <= '9';
}

std::string call_text(const Row& row) {
  if (row.arguments.empty()) return {};
  std::string text = row.callee + "(";
  for (const verdict::Change& argument : row.arguments)
    text += fmt::format("{}{} = {}", text.ends_with('(') ? "" : ", ", argument.name, argument.value);
  return text + ")";
}

std::string effects_text(const Row& row) {
  std::string text;
  for (const auto& [name, value, place, variable] : row.changes)
    if (!row.cycles || row.line == 0 || !is_register(name)) text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", name, value);
  for (const std::string& note : row.notes) text += (text.empty() ? "" : "; ") + note;  // what `f(g())` has of g, before f
  if (const std::string call = call_text(row); !call.empty()) text += (text.empty() ? "" : "; ") + call;
  return text;
}

std::vector<Invariant> invariants(const verdict::Verdict& verdict) {
  std::vector<Invariant> result;
  if (verdict.answer != verdict::Answer::True) return result;
  std::istringstream lines(verdict.reason);
  for (std::string line; std::getline(lines, line);) {
    const size_t text = line.find(": ");
    if (!line.starts_with("  ") || text == std::string::npos) continue;
    const size_t colon = line.rfind(':', text - 1);
    if (colon == std::string::npos || colon < 3) continue;
    unsigned number = 0;
    const char* end = line.data() + text;
    if (std::from_chars(line.data() + colon + 1, end, number).ptr != end || number == 0) continue;
    result.push_back({line.substr(2, colon - 2), number, line.substr(text + 2)});
  }
  return result;
}

std::string lane_name(const verdict::DetailedTrace& trace, uint32_t thread) {
  const std::string name = thread < trace.lanes.size() ? trace.lanes[thread] : thread == 0 ? "main" : "";
  const bool firmware = !trace.lanes.empty() && trace.lanes[0] == "program";
  if (firmware && !name.empty()) return name;
  return fmt::format("thread {}{}", thread, name.empty() ? "" : " (" + name + ")");
}

std::string not_checked(const verdict::Specification& specification) {
  std::string names;
  if (specification.has(verdict::Property::FirmwareCheck)) return names;  // nothing else can be checked of firmware
  for (unsigned i = 0; i < verdict::kPropertyCount; ++i) {
    auto property = static_cast<verdict::Property>(i);
    bool elsewhere = property == verdict::Property::Ctl || property == verdict::Property::FirmwareCheck;
    if (elsewhere || specification.has(property)) continue;
    names += (names.empty() ? "" : ", ") + std::string(verdict::name(property));
  }
  return names;
}

namespace {

/// A number that run --inputs reads back exactly: "2.5", or "2.5f" of a float. A NaN has no such text.
template <typename Float>
std::string float_text(Float value, const char* suffix) {
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".en") == std::string::npos) text += ".0";
  return text + suffix;
}

}  // namespace

std::string value_text(const verdict::Input& input) {
  auto of_type = [&](const char* name) { return input.origin.ends_with(name); };
  if (input.width == 32 && of_type("_float")) {
    auto bits = static_cast<uint32_t>(input.value);
    auto value = std::bit_cast<float>(bits);
    return std::isnan(value) ? fmt::format("0x{:x}", bits) : float_text(value, "f");
  }
  if (input.width == 64 && (of_type("_double") || of_type("_float"))) {
    auto bits = static_cast<uint64_t>(input.value);
    auto value = std::bit_cast<double>(bits);
    return std::isnan(value) ? fmt::format("0x{:x}", bits) : float_text(value, "");
  }
  auto is_unsigned = [&] {
    for (const char* word : {"uint", "uchar", "ushort", "ulong", "unsigned", "size_t", "_u8", "_u16", "_u32", "_u64",
                             "bool", "pointer", "pchar"})
      if (input.origin.find(word) != std::string::npos) return true;
    return input.width == 1;
  };
  u128 value = input.value & mask128(input.width);
  if (input.width > 64) {
    if (value >> 64 == 0) return fmt::format("{}", static_cast<uint64_t>(value));
    return fmt::format("0x{:x}{:016x}", static_cast<uint64_t>(value >> 64), static_cast<uint64_t>(value));
  }
  if (is_unsigned()) return fmt::format("{}", static_cast<uint64_t>(value));
  return fmt::format("{}", sign_extend64(static_cast<uint64_t>(value), input.width));
}

std::string schedule_text(const std::vector<uint32_t>& schedule) {
  std::string result;
  for (size_t i = 0; i < schedule.size();) {
    size_t end = i;
    while (end < schedule.size() && schedule[end] == schedule[i]) ++end;
    if (!result.empty()) result += ',';
    result += end - i == 1 ? fmt::format("{}", schedule[i]) : fmt::format("{}:{}", schedule[i], end - i);
    i = end;
  }
  return result;
}

}  // namespace whittle::report
