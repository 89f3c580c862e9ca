#include "engines/dpr/dpr_engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>

#include "base/error.h"
#include "engines/dpr/learn.h"
#include "engines/dpr/oracles.h"
#include "engines/dpr/picture.h"
#include "engines/dpr/run.h"
#include "exec/runner.h"
#include "program/c_text.h"
#include "solve/stack.h"

namespace whittle::engines::dpr {

using verdict::Answer;
using verdict::Property;
using verdict::Verdict;

namespace {

constexpr std::array<Option, 6> kOptions{{
    {"k", "N", "unlimited", "oracle depth: at most N choice bits on a path; deeper paths make the answer unknown"},
    {"search", "guided|random", "guided", "which oracle next: then-branches first, or a coin (see --seed)"},
    {"dpr-learn", "yes|no", "yes", "no: run every oracle, for comparison"},
    {"explain", "", "", "print the reason behind every clause: source lines and choices"},
    {"dot", "FILE", "", "write the search as a decision tree for Graphviz"},
    {"dpr-statements", "N", "100000000", "statements on one path; longer paths make the answer unknown"},
}};

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

class Search {
 public:
  Search(const program::Program& program, const verdict::Specification& specification, const Settings& settings,
         Context& context)
      : program_(program),
        context_(context),
        code_(std::make_shared<exec::Code>(program, specification)),
        machine_(program, code_),
        regions_(program),
        solver_(solve::make_solver(context, program.terms())),
        choices_(program, machine_.machine(), *solver_),
        oracles_(order(settings), settings.seed),
        explain_(settings.flag("explain")),
        picture_(settings.text("dot", "")),
        learning_(settings.text("dpr-learn", "yes") == "yes" && !specification.has(Property::ValidMemtrack) &&
                  !specification.has(Property::ValidMemcleanup)) {
    bounds_.depth = settings.number("k", SIZE_MAX);
    bounds_.statements = settings.number("dpr-statements", bounds_.statements);
  }

  Verdict answer() {
    Verdict verdict;
    verdict.engine = "dpr";
    LastWords::Speaker speaker(context_.last_words, [this](Statistics& s) { put_figures(s); });
    verdict.answer = search(verdict);
    put_figures(verdict.statistics);
    if (countable() && verdict.answer == Answer::True)
      verdict.statistics.set("pruned", (uint64_t{1} << deepest_) - explored_);
    picture_.write();
    return verdict;
  }

 private:
  static Oracles::Order order(const Settings& settings) {
    std::string text = settings.text("search", "guided");
    if (text == "guided") return Oracles::Order::Guided;
    if (text == "random") return Oracles::Order::Random;
    fail_usage("--search is guided or random, not '{}'", text);
  }

  Answer search(Verdict& verdict) {
    while (oracles_.next()) {
      if (context_.limits.poll_now() != Stop::No) return stopped(verdict);
      Outcome outcome = learning_ ? learn_from_run() : block(0, {});
      if (outcome.end == End::Violation) return violated(verdict, outcome);
      if (outcome.end == End::Stopped) return stopped(verdict);
      if (useless_ >= kPatience) {
        outcome = block_around(outcome);
        if (outcome.end == End::Violation) return violated(verdict, outcome);
        if (outcome.end == End::Stopped) return stopped(verdict);
      }
    }
    if (!cut_.empty()) {
      verdict.reason = fmt::format("no violation up to a bound: {}", cut_);
      return Answer::Unknown;
    }
    if (!too_wide_.empty()) {
      verdict.reason = fmt::format("no violation found, but not all values were tried of {}", too_wide_);
      return Answer::Unknown;
    }
    verdict.reason =
        fmt::format("proved for all inputs with {} run{}{}", explored_, explored_ == 1 ? "" : "s",
                    all_run() ? ", one for every path" : "; every other path is harmless for the same reasons");
    return Answer::True;
  }

  /// One symbolic run; adds what was learned.
  Outcome learn_from_run() {
    Joins joins(machine_, regions_);
    double begin = now();
    Outcome outcome = run(
        machine_, choices_, [&](size_t level) { return oracles_.choice(level); }, &joins, bounds_, context_.limits);
    note(outcome);
    execution_seconds_ += now() - begin;
    if (outcome.end == End::Violation || outcome.end == End::Stopped) return outcome;
    if (outcome.end == End::Cut) {
      remove(all(outcome.choices));
      return outcome;
    }
    begin = now();
    auto reasons = learn(joins.kept(), outcome.choices, choices_, program_.terms(), *solver_, {});
    solver_seconds_ += now() - begin;
    size_t smallest = SIZE_MAX;
    for (const Reason& reason : reasons) {
      remove(reason.choices);
      smallest = std::min(smallest, reason.choices.size());
      picture_.reason(reason.choices);
      if (explain_) explain(reason);
    }
    useless_ = smallest >= outcome.choices.size() && smallest > 0 ? useless_ + 1 : 0;
    return outcome;
  }

  /// Where learning does not pay, whole blocks are run plainly: all oracles that share a prefix with this one. The
  /// blocks double as long as nothing is learned, so the attempts to learn cost little in all.
  Outcome block_around(const Outcome& outcome) {
    size_t free_bits = std::min<size_t>({useless_ - kPatience + 2, outcome.choices.size(), 24});
    size_t fixed = outcome.choices.size() - free_bits;
    return block(fixed, {outcome.choices.begin(), outcome.choices.begin() + static_cast<ptrdiff_t>(fixed)});
  }

  /// Runs all oracles that start with `path`, without learning, depth first.
  Outcome block(size_t fixed, std::vector<bool> path) {
    std::vector<bool> prefix = path;
    for (;;) {
      if (skip_removed(path)) {
        if (!next_in_block(path, fixed)) break;
        continue;
      }
      double begin = now();
      Outcome outcome = run(
          machine_, choices_, [&](size_t level) { return level >= path.size() || path[level]; }, nullptr, bounds_,
          context_.limits);
      note(outcome);
      execution_seconds_ += now() - begin;
      if (outcome.end == End::Violation || outcome.end == End::Stopped) return outcome;
      path = outcome.choices;
      if (!next_in_block(path, fixed)) break;
      if (context_.limits.poll() != Stop::No) {
        outcome.end = End::Stopped;
        return outcome;
      }
    }
    remove(all(prefix));
    picture_.reason(all(prefix));
    return {};
  }

  void remove(std::vector<Literal> choices) {
    oracles_.remove(choices);
    removed_.push_back(std::move(choices));
  }

  /// The oracle that goes on with then-branches after `path` makes choices that were removed: `path` goes on as far as
  /// these do, and all oracles that start with it are harmless.
  bool skip_removed(std::vector<bool>& path) const {
    for (const std::vector<Literal>& choices : removed_) {
      if (!std::ranges::all_of(choices, [&](Literal l) { return l.value == (l.level >= path.size() || path[l.level]); }))
        continue;
      if (!choices.empty()) path.resize(std::max(path.size(), choices.back().level + 1), true);
      return true;
    }
    return false;
  }

  /// Depth first: the last then-branch after the fixed part becomes an else-branch. False: none is left.
  static bool next_in_block(std::vector<bool>& path, size_t fixed) {
    while (path.size() > fixed && !path.back()) path.pop_back();
    if (path.size() <= fixed) return false;
    path.back() = false;
    return true;
  }

  static std::vector<Literal> all(const std::vector<bool>& choices) {
    std::vector<Literal> literals;
    for (size_t level = 0; level < choices.size(); ++level) literals.push_back({level, choices[level]});
    return literals;
  }

  void note(const Outcome& outcome) {
    ++explored_;
    shortest_ = std::min(shortest_, outcome.choices.size());
    deepest_ = std::max(deepest_, outcome.choices.size());
    if (outcome.end == End::Cut && cut_.empty())
      cut_ = fmt::format("{}, at {}", outcome.reason, program_.where(outcome.where));
    if (too_wide_.empty()) too_wide_ = outcome.too_wide;
    picture_.run(outcome.choices, outcome.end == End::Violation);
  }

  Answer violated(Verdict& verdict, const Outcome& outcome) {
    verdict::Counterexample counterexample;
    for (u128 value : outcome.inputs) counterexample.inputs.push_back({128, value, "", "", 0});
    exec::RunResult result = exec::replay(code_, counterexample, &context_.limits);
    if (!result.violation) {
      if (context_.limits.stopped() != Stop::No) return stopped(verdict);
      fail_internal("dpr: a violation does not replay");
    }
    verdict.violation = result.violation;
    verdict.counterexample = std::move(result.counterexample);
    verdict.trace = std::move(result.trace);
    verdict.reason = fmt::format("violated on run {}", explored_);
    return Answer::False;
  }

  Answer stopped(Verdict& verdict) {
    verdict.reason = fmt::format("{} after {} runs", to_string(context_.limits.stopped()), explored_);
    return Answer::Unknown;
  }

  void explain(const Reason& reason) {
    std::string text = "reason: ";
    if (reason.choices.empty()) text += "whatever is chosen";
    for (size_t i = 0; i < reason.choices.size(); ++i)
      text += fmt::format("{}choice {} is {}", i == 0 ? "as long as " : " and ", reason.choices[i].level + 1,
                          reason.choices[i].value ? "true" : "false");
    fmt::print(stderr, "{}\n", text);
    if (reason.conditions.empty()) fmt::print(stderr, "  nothing on the way to an error depends on a choice\n");
    size_t shown = 0;
    for (const Kept* kept : reason.conditions) {
      if (++shown > 6) {
        fmt::print(stderr, "  ... and {} more\n", reason.conditions.size() - 6);
        break;
      }
      std::string condition = program::to_c(program_, kept->condition);
      if (condition.size() > 160) condition = condition.substr(0, 157) + "...";
      fmt::print(stderr, "  {} ({}): {} holds\n", program_.where(kept->position), kept->why, condition);
    }
  }

  /// Do all paths have the same number of choices, as far as is known?
  bool countable() const { return shortest_ == deepest_ && deepest_ < 63; }
  bool all_run() const { return countable() && explored_ == uint64_t{1} << deepest_; }

  void put_figures(Statistics& s) const {
    if (countable()) s.set("paths", uint64_t{1} << deepest_);
    s.set("explored", uint64_t{explored_});
    s.set("clauses", uint64_t{oracles_.clauses()});
    double length = oracles_.clauses() == 0
                        ? 0
                        : static_cast<double>(oracles_.literals()) / static_cast<double>(oracles_.clauses());
    s.set("average_clause_length", Statistics::Value{length});
    s.set("depth", uint64_t{deepest_});
    s.set("solver_seconds", Statistics::Value{solver_seconds_});
    s.set("execution_seconds", Statistics::Value{execution_seconds_});
    s.set("statements", machine_.machine().statements());
  }

  static constexpr size_t kPatience = 4;

  const program::Program& program_;
  Context& context_;
  std::shared_ptr<exec::Code> code_;
  exec::SymbolicMachine machine_;
  Regions regions_;
  std::unique_ptr<solve::Solver> solver_;
  Choices choices_;
  Oracles oracles_;
  RunLimits bounds_;
  bool explain_;
  Picture picture_;
  bool learning_;

  size_t explored_ = 0;
  std::vector<std::vector<Literal>> removed_;  ///< whatever else is chosen, the oracle is harmless or was run
  size_t useless_ = 0;                         ///< runs in a row from which nothing was learned
  size_t shortest_ = SIZE_MAX, deepest_ = 0;
  std::string cut_, too_wide_;
  double solver_seconds_ = 0, execution_seconds_ = 0;
};

}  // namespace

std::span<const Option> DprEngine::options() const { return kOptions; }

std::optional<std::string> DprEngine::supports(const program::Program& program, const verdict::Specification&) const {
  for (const auto& function : program.functions)
    for (const auto& edge : function.edges)
      if (edge.statement.kind == program::Kind::Spawn)
        return "the program creates threads: dpr is for one thread (try --engine explicit or guided)";
  return std::nullopt;
}

Verdict DprEngine::run(const program::Program& program, const verdict::Specification& specification,
                       const Settings& settings, Context& context) {
  return Search(program, specification, settings, context).answer();
}

}  // namespace whittle::engines::dpr
