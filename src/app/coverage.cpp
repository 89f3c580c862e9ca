#include "app/coverage.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/watchdog.h"
#include "engines/test/collect.h"
#include "exec/coverage.h"
#include "exec/runner.h"

namespace whittle::app {

namespace {

using program::FunctionId;
using program::Kind;
using program::LocationId;

constexpr double kRunsShare = 0.3;      ///< of the time: runs before engines are asked
constexpr double kAtOnceShare = 0.6;    ///< of what is left: the question about all that is open
constexpr double kOfTheRest = 0.7;      ///< of the time that is left before the limit: engines take a while to stop
constexpr double kShortest = 0.05;      ///< seconds for a question
constexpr uint64_t kBudget = 5'000'000; ///< statements of a run that an engine found

struct Target {
  FunctionId function = 0;
  uint32_t edge = 0;
  auto operator<=>(const Target&) const = default;
};

class Measurement {
 public:
  Measurement(const CoverageTask& task, Limits& limits)
      : task_(task),
        program_(task.program),
        limits_(limits),
        deadline_(limits.elapsed() + task.seconds),
        code_(std::make_shared<const exec::Code>(task.program, task.specification)),
        coverage_(task.program) {}

  report::Coverage run() {
    for (const verdict::Counterexample& known : task_.known_runs) repeat(known);
    engines::test::collect_tests(code_, {}, 1, left() * kRunsShare, limits_, &coverage_);
    bool proved = ask_at_once();
    if (!proved) ask_one_by_one();
    return result();
  }

 private:
  double left() const { return std::max(0.0, std::min(deadline_ - limits_.elapsed(), limits_.remaining() * kOfTheRest)); }
  bool over() { return left() < kShortest || limits_.poll_now() != Stop::No; }
  bool reached(const Target& target) const { return coverage_.count(target.function, target.edge) != 0; }

  /// One more run of the program itself.
  void repeat(const verdict::Counterexample& known) {
    exec::RunPlan plan;
    for (const verdict::Input& input : known.inputs) plan.inputs.push_back(input.value);
    plan.schedule = known.schedule;
    plan.max_statements = kBudget;
    plan.listener = &coverage_;
    const exec::RunEnd end = exec::run(code_, plan, &limits_).end;
    if (end == exec::RunEnd::Pruned || end == exec::RunEnd::Cut)
      coverage_.drop();
    else
      coverage_.keep();
  }

  /// What was not executed, but could be next: after what was, or first in a function. Nothing else that was not executed
  /// can be before one of these is.
  std::set<Target> frontier() const {
    std::set<Target> found;
    for (FunctionId f = 0; f < program_.functions.size(); ++f) {
      const program::Function& function = program_.functions[f];
      if (function.runtime) continue;
      std::vector<bool> next(function.locations.size());
      if (!next.empty()) next[function.entry] = true;
      for (uint32_t e = 0; e < function.edges.size(); ++e)
        if (reached({f, e}) && function.edges[e].to != program::kNone) next[function.edges[e].to] = true;
      for (uint32_t e = 0; e < function.edges.size(); ++e)
        if (!reached({f, e}) && next[function.edges[e].from] && !unreachable_.contains({f, e})) found.insert({f, e});
    }
    return found;
  }

  /// The program, with an error at every target instead of its own ones.
  program::Program question(const std::set<Target>& targets) const {
    program::Program asked = program_.clone();
    for (program::Function& function : asked.functions)
      for (program::Edge& edge : function.edges) {
        program::Statement& s = edge.statement;
        if (s.property != verdict::Property::UnreachCall) continue;
        if (s.kind == Kind::Check) s.kind = Kind::Assume, s.text.clear();
        if (s.kind == Kind::Error) end_here(asked, s);
      }
    for (const Target& target : targets) {
      program::Function& function = asked.functions[target.function];
      program::Statement error;
      error.kind = Kind::Error;
      error.text = "reached";
      error.position = function.edges[target.edge].statement.position;
      if (function.edges[target.edge].statement.kind != Kind::Assume) {
        function.edges[target.edge].statement = std::move(error);
        function.edges[target.edge].to = program::kNone;
        continue;
      }
      const auto location = static_cast<LocationId>(function.locations.size());
      function.edges[target.edge].to = location;
      function.locations.push_back({static_cast<uint32_t>(function.edges.size()), 1, false});
      function.edges.push_back({location, program::kNone, std::move(error)});
    }
    return asked;
  }
  static void end_here(program::Program& program, program::Statement& s) {
    s.kind = Kind::Halt;
    s.text = "exit";
    s.operands = {program.terms().constant(32, 0)};
  }

  verdict::Verdict ask(const std::set<Target>& targets, double seconds) {
    const program::Program asked = question(targets);
    verdict::Specification specification;
    specification.properties = {verdict::Property::UnreachCall};
    std::unique_ptr<engines::Engine> engine = task_.engine();
    if (engine->supports(asked, specification)) return {};
    Limits limits;
    limits.set_timeout(seconds);
    limits.set_memory(limits_.memory());
    Limits::Hook stops(limits_, [&] { limits.stop(limits_.stopped()); });
    Watchdog watchdog(limits, {.give_up = {}, .users_signals = false});
    Statistics statistics;
    Progress progress(false);
    Context context{limits, statistics, progress};
    return engine->run(asked, specification, task_.settings, context);
  }

  /// True: nothing is open any more.
  bool ask_at_once() {
    while (!over()) {
      const std::set<Target> targets = frontier();
      if (targets.empty()) return true;
      const verdict::Verdict verdict = ask(targets, left() * kAtOnceShare);
      if (verdict.answer == verdict::Answer::True) {
        unreachable_.insert(targets.begin(), targets.end());
        return true;
      }
      if (verdict.answer == verdict::Answer::Unknown) return false;
      const uint64_t before = coverage_.reached();
      repeat(verdict.counterexample);
      if (coverage_.reached() == before) return false;
    }
    return false;
  }

  void ask_one_by_one() {
    std::set<Target> tried;
    while (!over()) {
      std::set<Target> open = frontier();
      std::erase_if(open, [&](const Target& target) { return tried.contains(target); });
      if (open.empty()) return;
      const Target target = *open.begin();
      tried.insert(target);
      const verdict::Verdict verdict = ask({target}, std::max(kShortest, left() / static_cast<double>(open.size())));
      if (verdict.answer == verdict::Answer::True) unreachable_.insert(target);
      if (verdict.answer == verdict::Answer::False) repeat(verdict.counterexample);
    }
  }

  /// What can be executed after something open is open, too.
  std::vector<std::vector<bool>> open_edges() const {
    std::vector<std::vector<bool>> open(program_.functions.size());
    for (FunctionId f = 0; f < open.size(); ++f) open[f].resize(program_.functions[f].edges.size());
    std::vector<Target> work;
    auto add = [&](const Target& target) {
      if (open[target.function][target.edge] || reached(target) || unreachable_.contains(target)) return;
      open[target.function][target.edge] = true;
      work.push_back(target);
    };
    for (const Target& target : frontier()) add(target);
    while (!work.empty()) {
      const Target from = work.back();
      work.pop_back();
      const program::Function& function = program_.functions[from.function];
      const LocationId to = function.edges[from.edge].to;
      if (to == program::kNone) continue;
      const program::Location& location = function.locations[to];
      for (uint32_t e = 0; e < location.edge_count; ++e) add({from.function, location.first_edge + e});
    }
    return open;
  }

  report::Coverage result() {
    report::Coverage result;
    result.runs = coverage_.runs();
    const std::vector<std::vector<bool>> open = open_edges();
    std::map<uint32_t, report::CoveredFile> files;
    auto reach_of = [&](FunctionId f, uint32_t e) {
      return reached({f, e}) ? report::Reach::Reached : open[f][e] ? report::Reach::Open : report::Reach::Unreachable;
    };
    for (FunctionId f = 0; f < program_.functions.size(); ++f) {
      const program::Function& function = program_.functions[f];
      if (function.runtime || function.edges.empty()) continue;
      std::map<std::pair<uint32_t, unsigned>, unsigned> decisions;  // so far, by file and line
      for (const program::Location& location : function.locations) {
        uint64_t count = 0;  // of a decision: whichever way it goes
        for (uint32_t e = location.first_edge; e < location.first_edge + location.edge_count; ++e) count += coverage_.count(f, e);
        for (uint32_t e = location.first_edge; e < location.first_edge + location.edge_count; ++e) {
          const program::SourcePosition& at = function.edges[e].statement.position;
          if (!at.known() || at.file >= program_.files.size()) continue;
          report::CoveredFile::Line& line = files[at.file].lines[at.line];
          line.count = std::max(line.count, count);
          line.reach = std::max(line.reach, reach_of(f, e));
        }
      }
      for (const program::Location& location : function.locations) {
        if (location.edge_count < 2) continue;
        const program::SourcePosition& at = function.edges[location.first_edge].statement.position;
        if (!at.known() || at.file >= program_.files.size()) continue;
        const unsigned decision = decisions[{at.file, at.line}]++;
        for (uint32_t e = 0; e < location.edge_count; ++e)
          files[at.file].branches.push_back({at.line, decision, e, coverage_.count(f, location.first_edge + e), reach_of(f, location.first_edge + e)});
      }
      add_function(files, f, reach_of);
    }
    for (auto& [number, file] : files) {
      file.name = program_.files[number];
      std::ranges::stable_sort(file.branches, {}, &report::CoveredBranch::line);
      result.files.push_back(std::move(file));
    }
    return result;
  }

  template <typename ReachOf>
  void add_function(std::map<uint32_t, report::CoveredFile>& files, FunctionId f, const ReachOf& reach_of) const {
    const program::Function& function = program_.functions[f];
    if (!function.position.known() || function.position.file >= program_.files.size()) return;
    report::CoveredFile::Function entry{function.name, function.position.line, 0, report::Reach::Unreachable};
    const program::Location& first = function.locations[function.entry];
    for (uint32_t e = first.first_edge; e < first.first_edge + first.edge_count; ++e) {
      entry.count += coverage_.count(f, e);
      entry.reach = std::max(entry.reach, reach_of(f, e));
    }
    files[function.position.file].functions.push_back(std::move(entry));
  }

  const CoverageTask& task_;
  const program::Program& program_;
  Limits& limits_;
  double deadline_;
  std::shared_ptr<const exec::Code> code_;
  exec::Coverage coverage_;
  std::set<Target> unreachable_;
};

}  // namespace

report::Coverage measure_coverage(const CoverageTask& task, Limits& limits) { return Measurement(task, limits).run(); }

}  // namespace whittle::app
