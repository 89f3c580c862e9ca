#include "app/validate.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>

#include "app/load.h"
#include "app/output.h"
#include "base/error.h"
#include "base/file.h"
#include "engines/test/director.h"
#include "engines/test/drive.h"
#include "exec/library_call.h"
#include "exec/runner.h"
#include "report/sha256.h"
#include "verdict/inputs.h"

namespace whittle::app {

namespace fs = std::filesystem;
using report::Witness;
using Type = Witness::Waypoint::Type;

namespace {

/// Witnesses are made elsewhere: folders say nothing.
bool same_file(const std::string& a, const std::string& b) {
  return a.empty() || b.empty() || fs::path(a).filename() == fs::path(b).filename();
}

/// The user's position of what a thread is at, also inside a model of the library.
struct Position {
  std::string file;
  unsigned line = 0;
};
Position position_of(const exec::Machine& machine, uint32_t thread, const program::SourcePosition& otherwise) {
  program::SourcePosition at = otherwise;
  if (auto call = exec::library_call(machine, thread)) at = call->position;
  const std::vector<std::string>& files = machine.code().program().files;
  return {at.file < files.size() ? files[at.file] : "", at.line};
}

/// Inputs that the witness says, in its order; others are zero, or random.
class WitnessInputs : public engines::test::InputSource {
 public:
  WitnessInputs(const exec::Machine& machine, const Witness& witness, uint64_t seed) : machine_(machine), random_(seed), seed_(seed) {
    for (const Witness::Waypoint& point : witness.follow)
      if (point.type == Type::FunctionReturn) returns_.push_back(&point);
  }
  u128 next(unsigned width) override {
    const exec::Pause& pause = machine_.pause();
    const Position at = position_of(machine_, pause.thread, pause.position);
    // A call that goes on over several lines ends on a later one.
    constexpr unsigned kLines = 20;
    const bool asked = pause.memory == 0 && !pause.origin.starts_with("uninitialised ");
    if (next_ < returns_.size() && asked) {
      const Witness::Waypoint& point = *returns_[next_];
      const bool here = same_file(point.at.file, at.file) && point.at.line >= at.line && point.at.line < at.line + kLines &&
                        (!point.thread || *point.thread == machine_.ordinal(pause.thread));
      if (here) {
        ++next_;
        std::vector<u128> values;
        const std::optional<std::string> value = report::result_of(point.value);
        if (value && verdict::add_inputs(*value, values) && !values.empty()) return values.front() & mask128(width);
      }
    }
    if (seed_ == 0) return 0;
    return random_.below(2) == 0 ? u128{random_.below(4)} : (static_cast<u128>(random_.next()) << 64 | random_.next()) & mask128(width);
  }

 private:
  const exec::Machine& machine_;
  engines::test::Random random_;
  uint64_t seed_;
  std::vector<const Witness::Waypoint*> returns_;
  size_t next_ = 0;
};

/// A turn of a thread: it ends some visible operations after the thread has come to a line.
struct Turn {
  uint32_t thread = 0;
  std::string file;
  unsigned line = 0;
};
std::vector<Turn> turns_of(const Witness& witness) {
  std::vector<Turn> turns;
  for (const Witness::Waypoint& point : witness.follow) {
    if (!point.thread) continue;
    if (turns.empty() || turns.back().thread != *point.thread) turns.push_back({*point.thread, "", 0});
    turns.back().file = point.at.file;
    turns.back().line = point.at.line;
  }
  return turns;
}

class WitnessSchedule : public engines::test::Scheduler {
 public:
  /// `counts`: by turn, how many visible operations the thread does on the turn's last line.
  WitnessSchedule(exec::Machine& machine, const std::vector<Turn>& turns, const std::vector<unsigned>& counts)
      : machine_(machine), turns_(turns), counts_(counts) {}

  uint32_t pick(std::span<const uint32_t> enabled, uint32_t last, bool) override {
    for (; turn_ < turns_.size(); ++turn_, done_ = 0) {
      auto wanted = std::ranges::find_if(enabled, [&](uint32_t t) { return machine_.ordinal(t) == turns_[turn_].thread; });
      if (wanted == enabled.end()) {
        if (began_ == turn_ + 1) continue;  // it waits, or has ended
        break;                              // it has not begun: others go on until it has
      }
      began_ = turn_ + 1;
      const bool final = turn_ + 1 == turns_.size();
      const exec::Pending pending = machine_.pending(*wanted);
      const bool here = is_here(*wanted, pending);
      if (!final && !here && done_ >= counts_[turn_] && done_ > 0) continue;
      if (!final && here && done_ >= counts_[turn_]) continue;
      if (here) ++done_;
      return *wanted;
    }
    return std::ranges::find(enabled, last) != enabled.end() ? last : enabled.front();
  }

 private:
  bool is_here(uint32_t thread, const exec::Pending& pending) const {
    if (pending.function == program::kNone) return false;
    const program::Program& program = machine_.code().program();
    const Position at = position_of(machine_, thread, program.functions[pending.function].edges[pending.edge].statement.position);
    return at.line == turns_[turn_].line && same_file(at.file, turns_[turn_].file);
  }

  exec::Machine& machine_;
  const std::vector<Turn>& turns_;
  const std::vector<unsigned>& counts_;
  size_t turn_ = 0, began_ = 0;
  unsigned done_ = 0;
};

/// Numbers of operations for each turn, by their sum. False: those were all that are tried.
bool next_counts(std::vector<unsigned>& counts, unsigned& total) {
  constexpr unsigned kMost = 8, kLargestSum = 24;
  if (counts.empty()) return false;
  for (;;) {  // like digits of a number
    size_t i = 0;
    while (i < counts.size() && counts[i] == std::min(kMost, total)) counts[i++] = 0;
    if (i == counts.size()) {
      if (++total > kLargestSum) return false;
      i = 0;
    }
    ++counts[i];
    unsigned sum = 0;
    for (unsigned count : counts) sum += count;
    if (sum == total) return true;
  }
}

bool is_target(const verdict::Violation& violation, const Witness& witness) {
  // Threads that wait for each other stand at several lines.
  if (violation.property == verdict::Property::NoDeadlock) return witness.specification.find("deadlock") != std::string::npos;
  const Witness::Waypoint& target = witness.follow.back();
  return target.at.line == violation.line && same_file(target.at.file, violation.file);
}

}  // namespace

Witness read_fitting_witness(const Options& options, const verdict::Specification& specification) {
  Witness witness = report::read_witness(options.validate);
  for (const auto& [name, hash] : witness.hashes) {
    auto file = std::ranges::find_if(options.input.files, [&](const std::string& given) { return same_file(given, name); });
    if (file == options.input.files.end()) fail_input("the witness is about {}, which is not given", name);
    if (hash != report::sha256_hex(file_text(*file))) fail_input("the witness is about another version of {}: its SHA-256 is not {}", *file, hash);
  }
  if (!witness.data_model.empty() && witness.data_model != options.input.data_model)
    fail_input("the witness is for data model {}; say --data-model {}", witness.data_model, witness.data_model);
  const bool known = std::ranges::any_of(specification.properties, [&](verdict::Property property) {
    if (property == verdict::Property::UnreachCall) return witness.specification.find("call(") != std::string::npos;
    if (property == verdict::Property::Termination) return witness.specification.find("F end") != std::string::npos;
    const std::string_view name = verdict::name(property);
    return witness.specification.find(name.starts_with("no-") ? name.substr(3) : name) != std::string::npos;
  });
  if (!known) fail_input("the witness is about `{}`, which is not asked for (--property)", witness.specification);
  return witness;
}

std::optional<verdict::Verdict> follow_witness(const std::shared_ptr<const exec::Code>& code, const Witness& witness, double seconds,
                                               Limits& limits) {
  constexpr uint64_t kStatements = 20'000'000;
  exec::Machine machine(code);
  const std::vector<Turn> turns = turns_of(witness);
  std::vector<unsigned> counts(turns.size() > 1 ? turns.size() - 1 : 0, 0);
  unsigned total = 0;
  const double end = limits.elapsed() + seconds;
  bool more_counts = true;
  std::vector<unsigned> used = counts;
  used.push_back(0);
  for (uint64_t round = 0; limits.elapsed() < end && limits.poll_now() == Stop::No; ++round) {
    WitnessInputs inputs(machine, witness, more_counts && !counts.empty() ? 0 : round);
    WitnessSchedule schedule(machine, turns, used);
    engines::test::Outcome outcome = engines::test::drive(machine, schedule, inputs, kStatements, limits);
    if (outcome.end == engines::test::End::Violation && is_target(*outcome.violation, witness)) {
      exec::RunResult again = exec::replay(code, outcome.record.counterexample(), &limits);
      if (again.violation && is_target(*again.violation, witness)) {
        verdict::Verdict verdict;
        verdict.answer = verdict::Answer::False;
        verdict.engine = "witness";
        verdict.violation = std::move(again.violation);
        verdict.counterexample = std::move(again.counterexample);
        verdict.trace = std::move(again.trace);
        verdict.statistics.set("runs", round + 1);
        return verdict;
      }
    }
    if (more_counts && !counts.empty()) {
      more_counts = next_counts(counts, total);
      used.assign(counts.begin(), counts.end());
      used.push_back(0);
    }
  }
  return std::nullopt;
}

bool fits_witness(const verdict::Verdict& verdict, const Witness& witness) {
  if (!verdict.violation || !is_target(*verdict.violation, witness)) return false;
  size_t next = 0;
  const std::vector<verdict::Input>& inputs = verdict.counterexample.inputs;
  for (const Witness::Waypoint& point : witness.follow) {
    if (point.type != Type::FunctionReturn) continue;
    std::vector<u128> values;
    const std::optional<std::string> value = report::result_of(point.value);
    if (!value || !verdict::add_inputs(*value, values) || values.empty()) return false;
    auto fits = [&](const verdict::Input& input) {
      return input.line <= point.at.line && same_file(input.file, point.at.file) &&
             (input.value & mask128(input.width)) == (values.front() & mask128(input.width));
    };
    while (next < inputs.size() && !fits(inputs[next])) ++next;
    if (next++ >= inputs.size()) return false;
  }
  return true;
}

namespace {

/// Where in a file the invariants go.
struct Insertion {
  size_t at = 0;
  std::string text;
};

size_t offset_of(const std::string& text, unsigned line, unsigned column) {
  size_t at = 0;
  for (unsigned i = 1; i < line; ++i) {
    at = text.find('\n', at);
    if (at == std::string::npos) return std::string::npos;
    ++at;
  }
  if (column == 0) {
    while (at < text.size() && (text[at] == ' ' || text[at] == '\t')) ++at;
    return at;
  }
  return at + column - 1 < text.size() ? at + column - 1 : std::string::npos;
}

bool is_word(const std::string& text, size_t at, std::string_view word) {
  auto letter = [](char c) { return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  return text.compare(at, word.size(), word) == 0 && !(at > 0 && letter(text[at - 1])) &&
         !(at + word.size() < text.size() && letter(text[at + word.size()]));
}

/// Of the character that ends what begins at `at`, outside of brackets and quotes; npos: none.
size_t find_outside(const std::string& text, size_t at, std::string_view wanted) {
  int depth = 0;
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (depth == 0 && wanted.find(c) != std::string_view::npos) return at;
    if (c == '(' || c == '[' || c == '{') ++depth;
    if (c == ')' || c == ']' || c == '}') --depth;
    if (depth < 0) return std::string::npos;
    if (c == '"' || c == '\'')
      for (++at; at < text.size() && text[at] != c; ++at)
        if (text[at] == '\\') ++at;
  }
  return std::string::npos;
}

/// Nothing if there is no loop, or no statement, that an expression can be put into.
std::optional<Insertion> place(const std::string& text, const Witness::Invariant& invariant) {
  size_t at = offset_of(text, invariant.at.line, invariant.at.column);
  if (at == std::string::npos) return std::nullopt;
  // Its value is looked at, and nothing else: it may not assign.
  const std::string check = fmt::format("(({}) ? (void)0 : {}())", invariant.value, WithInvariants::kFails);
  if (!invariant.loop) {
    size_t before = at;
    while (before > 0 && std::string_view(" \t\r\n").find(text[before - 1]) != std::string_view::npos) --before;
    if (before == 0 || std::string_view(";{}").find(text[before - 1]) == std::string_view::npos) return std::nullopt;
    return Insertion{at, check + "; "};
  }
  if (invariant.at.column == 0)
    for (const size_t end = text.find('\n', at); at < std::min(end, text.size()); ++at)
      if (is_word(text, at, "while") || is_word(text, at, "for") || is_word(text, at, "do")) break;
  if (is_word(text, at, "do")) {
    const size_t brace = text.find_first_not_of(" \t\r\n", at + 2);
    if (brace == std::string::npos || text[brace] != '{') return std::nullopt;
    return Insertion{brace + 1, " " + check + "; "};
  }
  const bool is_for = is_word(text, at, "for");
  if (!is_for && !is_word(text, at, "while")) return std::nullopt;
  size_t open = text.find_first_not_of(" \t\r\n", at + (is_for ? 3 : 5));
  if (open == std::string::npos || text[open] != '(') return std::nullopt;
  if (is_for) {
    open = find_outside(text, open + 1, ";");
    if (open == std::string::npos) return std::nullopt;
    const size_t end = find_outside(text, open + 1, ";");
    if (end == std::string::npos) return std::nullopt;
    const bool empty = text.find_first_not_of(" \t\r\n", open + 1) == end;
    return Insertion{open + 1, " " + check + (empty ? ", 1" : ", ")};
  }
  return Insertion{open + 1, check + ", "};
}

/// An expression, and no more: brackets match, nothing ends the statement, nothing is assigned or called.
bool is_harmless(const std::string& value) {
  int depth = 0;
  for (size_t i = 0; i < value.size(); ++i) {
    const char c = value[i];
    if (c == '(' || c == '[') ++depth;
    if ((c == ')' || c == ']') && --depth < 0) return false;
    if (std::string_view(";{}#\"'\\@`$\n").find(c) != std::string_view::npos) return false;
    if (value.compare(i, 2, "++") == 0 || value.compare(i, 2, "--") == 0 || value.compare(i, 2, "//") == 0 || value.compare(i, 2, "/*") == 0) return false;
    if (c == '=' && !(i + 1 < value.size() && value[i + 1] == '=') && !(i > 0 && std::string_view("=!<>").find(value[i - 1]) != std::string_view::npos)) return false;
    if (c == '=' && i > 1 && (value.compare(i - 2, 2, "<<") == 0 || value.compare(i - 2, 2, ">>") == 0)) return false;
    if (c == '(' && i > 0) {
      size_t name = value.find_last_not_of(' ', i - 1);
      const bool called = name != std::string::npos && (isalnum(static_cast<unsigned char>(value[name])) || value[name] == '_');
      if (called && !value.substr(0, name + 1).ends_with("sizeof")) return false;
    }
  }
  return depth == 0 && !value.empty();
}

/// Has the expression a value whatever variables hold? Told by its text: a `*` after an operand multiplies.
bool is_total(const std::string& value) {
  for (size_t i = 0; i < value.size(); ++i) {
    if (std::string_view("/%[").find(value[i]) != std::string_view::npos) return false;
    if (value.compare(i, 2, "->") == 0 || value.compare(i, 2, "<<") == 0 || value.compare(i, 2, ">>") == 0) return false;
    if (value[i] != '*') continue;
    const size_t before = i == 0 ? std::string::npos : value.find_last_not_of(' ', i - 1);
    if (before == std::string::npos) return false;
    if (!isalnum(static_cast<unsigned char>(value[before])) && value[before] != '_' && value[before] != ')') return false;
    if (value[before] == ')' && value.find_last_of("*(", before - 1) != std::string::npos && value[value.find_last_of("*(", before - 1)] == '*')
      return false;  // a cast to a pointer, then a read through it
  }
  return true;
}

}  // namespace

/// A program with some of the invariants in it.
class WithInvariants::Writer {
 public:
  struct Placed {
    size_t file = 0;  ///< number in the input's files
    Insertion insertion;
    std::string named;
    bool total = true;
  };
  Writer(const InputOptions& input, fs::path folder) : input_(input), folder_(std::move(folder)) {
    for (const std::string& file : input.files) texts_.push_back(file_text(file));
  }
  const std::string& text(size_t file) const { return texts_[file]; }

  InputOptions write(const std::vector<Placed>& placed) const {
    InputOptions changed = input_;
    for (size_t i = 0; i < texts_.size(); ++i) {
      std::vector<const Insertion*> here;
      for (const Placed& one : placed)
        if (one.file == i) here.push_back(&one.insertion);
      if (here.empty()) continue;
      std::ranges::stable_sort(here, [](const Insertion* a, const Insertion* b) { return a->at > b->at; });
      std::string text = texts_[i];
      for (const Insertion* insertion : here) text.insert(insertion->at, insertion->text);
      const fs::path copy = folder_ / fs::path(input_.files[i]).filename();
      write_file(copy.string(), fmt::format("void {}(void);\n# 1 \"{}\"\n{}", kFails, input_.files[i], text));
      changed.include_paths.push_back(fs::absolute(input_.files[i]).parent_path().string());
      changed.files[i] = copy.string();
    }
    return changed;
  }
  /// Is what stands there C?
  bool compiles(const std::vector<Placed>& placed) const {
    try {
      load(write(placed), {}, false);
      return true;
    } catch (const Error&) {
      return false;
    }
  }

 private:
  const InputOptions& input_;
  fs::path folder_;
  std::vector<std::string> texts_;
};

WithInvariants::WithInvariants(const InputOptions& input, const Witness& witness) {
  std::string name = (fs::temp_directory_path() / "whittle-witness-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) fail_input("cannot make a folder in {}", fs::temp_directory_path().string());
  folder_ = name;
  const Writer writer(input, folder_);
  std::vector<Writer::Placed> placed;
  for (size_t file = 0; file < input.files.size(); ++file)
    for (const Witness::Invariant& invariant : witness.invariants) {
      if (!same_file(invariant.at.file, input.files[file])) continue;
      std::optional<Insertion> found;
      if (is_harmless(invariant.value)) found = place(writer.text(file), invariant);
      const std::string named = fmt::format("{}:{}: {}", invariant.at.file, invariant.at.line, invariant.value);
      if (found)
        placed.push_back({file, std::move(*found), named, is_total(invariant.value)});
      else
        left_out_.push_back(named);
    }
  if (!placed.empty() && !writer.compiles(placed))
    std::erase_if(placed, [&](const Writer::Placed& one) {
      const bool is_c = writer.compiles({one});
      if (!is_c) left_out_.push_back(one.named);
      return !is_c;
    });
  for (const Writer::Placed& one : placed)
    if (!one.total) partial_.push_back(one.named);
  checked_ = placed.size();
  input_ = writer.write(placed);
}

WithInvariants::~WithInvariants() {
  std::error_code error;
  fs::remove_all(folder_, error);
}

}  // namespace whittle::app
