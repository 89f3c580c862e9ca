#include "engines/dpr/dpr_engine.h"

#include <fmt/format.h>

#include <array>
#include <optional>

#include "base/error.h"
#include "cluster/forked_group.h"
#include "engines/dpr/crew.h"
#include "engines/dpr/explorer.h"
#include "engines/keeper.h"
#include "exec/runner.h"

namespace whittle::engines::dpr {

using verdict::Answer;
using verdict::Property;
using verdict::Verdict;

namespace {

constexpr std::array<Option, 10> kOptions{{
    {"k", "N", "unlimited", "oracle depth: at most N choice bits on a path; deeper paths make the answer unknown"},
    {"search", "guided|random", "guided", "which oracle next: then-branches first, or a coin (see --seed)"},
    {"dpr-learn", "yes|no", "yes", "no: run every oracle, for comparison"},
    {"explain", "", "", "print the reason behind every clause: source lines and choices"},
    {"dot", "FILE", "", "write the search as a decision tree for Graphviz"},
    {"dpr-statements", "N", "100000000", "statements on one path; longer paths make the answer unknown"},
    {"dpr-alone", "SECONDS", "3", "one process searches so long before --cores ones do"},
    kCheckpoint,
    kCheckpointEvery,
    kResume,
}};

constexpr size_t kBlockBits = 12;  ///< runs without learning between two looks at the clock, where that matters

class Search {
 public:
  Search(const program::Program& program, const verdict::Specification& specification, const Settings& settings,
         Context& context)
      : program_(program),
        specification_(specification),
        settings_(settings),
        context_(context),
        explorer_(program, specification, settings, context),
        alone_(settings.real("dpr-alone", 3)),
        told_one_by_one_(settings.flag("explain") || !settings.text("dot", "").empty()) {
    if (settings.cores > 1 || !settings.text("checkpoint", settings.text("resume", "")).empty()) explorer_.set_longest_block(kBlockBits);
    if (settings.group != nullptr && settings.group->rank() != 0) return;
    keeper_.emplace("dpr", program, specification, settings, kOptions, std::initializer_list<std::string_view>{"dpr-alone"}, context.limits);
    if (keeper_->on() && told_one_by_one_) fail_usage("--checkpoint and --resume do not go with --explain and --dot");
    if (auto in = keeper_->resumed()) load(*in);
    keeper_->holds([this](CheckpointWriter& out) { save(out); });
  }

  Verdict answer() {
    Verdict verdict;
    verdict.engine = "dpr";
    LastWords::Speaker speaker(context_.last_words, [this](Statistics& s) { put_figures(s); });
    verdict.answer = search(verdict);
    if (keeper_) keeper_->leave(verdict, stopped_);
    put_figures(verdict.statistics);
    if (countable() && verdict.answer == Answer::True)
      verdict.statistics.set("pruned", (uint64_t{1} << figures().deepest) - figures().explored);
    explorer_.write_picture();
    return verdict;
  }

 private:
  const Figures& figures() const { return explorer_.figures(); }

  Answer search(Verdict& verdict) {
    if (settings_.group != nullptr && settings_.group->rank() != 0) {
      work(explorer_, *settings_.group, context_.limits);
      verdict.reason = "this process has no answer of its own";
      return Answer::Unknown;
    }
    if (settings_.group != nullptr) {
      Foreman foreman(explorer_, *settings_.group, context_.limits);
      return with_others(foreman, verdict);
    }
    const double begin = context_.limits.elapsed();
    const bool plainly = !explorer_.learns() && !keeper_->on() && settings_.cores == 1;
    while (explorer_.find({})) {
      if (context_.limits.poll_now() != Stop::No) return stopped(verdict);
      const Explorer::Step step = plainly ? explorer_.explore_all() : explorer_.explore();
      if (step == Explorer::Step::Violation) return violated(verdict, explorer_.inputs());
      if (step == Explorer::Step::Stopped) return stopped(verdict);
      keeper_->save_if_due();
      if (settings_.cores > 1 && !told_one_by_one_ && !crew_is_lost_ && context_.limits.elapsed() - begin >= alone_)
        if (std::optional<Answer> answer = with_workers(verdict)) return *answer;
    }
    return covered(verdict);
  }

  /// Nothing: all workers are lost, and this process goes on alone.
  std::optional<Answer> with_workers(Verdict& verdict) {
    workers_ = settings_.cores;
    cluster::ForkedGroup workers(settings_.cores, context_.limits, [this](cluster::Group& group, Limits& limits) {
      Statistics statistics;
      Progress silent(false);
      Context context{limits, statistics, silent, nullptr, context_.solver_options, context_.analyses};
      Explorer explorer(program_, specification_, settings_, context);
      work(explorer, group, limits);
    });
    Foreman foreman(explorer_, workers.here(), context_.limits, [&](unsigned rank) { return workers.lost(rank); });
    const Answer answer = with_others(foreman, verdict);
    if (foreman.lost() != 0)
      verdict.notes.push_back(fmt::format("{} of {} processes of the search were lost; others did their part", foreman.lost(), workers_));
    crew_is_lost_ = foreman.lost() == workers_;
    if (crew_is_lost_) return std::nullopt;
    return answer;
  }

  Answer with_others(Foreman& foreman, Verdict& verdict) {
    switch (foreman.run([this] { keeper_->save_if_due(); })) {
      case Foreman::End::Covered: return covered(verdict);
      case Foreman::End::Violation: return violated(verdict, foreman.inputs());
      case Foreman::End::Stopped: return stopped(verdict, foreman.reason());
      case Foreman::End::Alone: break;
    }
    return Answer::Unknown;
  }

  Answer covered(Verdict& verdict) {
    if (!figures().cut.empty()) {
      verdict.reason = fmt::format("no violation up to a bound: {}", figures().cut);
      return Answer::Unknown;
    }
    if (!figures().too_wide.empty()) {
      verdict.reason = fmt::format("no violation found, but not all values were tried of {}", figures().too_wide);
      return Answer::Unknown;
    }
    verdict.reason =
        fmt::format("proved for all inputs with {} run{}{}", figures().explored, figures().explored == 1 ? "" : "s",
                    all_run() ? ", one for every path" : "; every other path is harmless for the same reasons");
    return Answer::True;
  }

  Answer violated(Verdict& verdict, const std::vector<u128>& inputs) {
    verdict::Counterexample counterexample;
    for (u128 value : inputs) counterexample.inputs.push_back({128, value, "", "", 0});
    exec::RunResult result = exec::replay(explorer_.code(), counterexample, &context_.limits);
    if (!result.violation) {
      if (context_.limits.stopped() != Stop::No) return stopped(verdict);
      fail_internal("dpr: a violation does not replay");
    }
    verdict.violation = result.violation;
    verdict.counterexample = std::move(result.counterexample);
    verdict.trace = std::move(result.trace);
    verdict.reason = fmt::format("violated on run {}", figures().explored);
    return Answer::False;
  }

  Answer stopped(Verdict& verdict, std::string why = {}) {
    stopped_ = true;
    if (why.empty()) why = to_string(context_.limits.stopped());
    if (settings_.group != nullptr && context_.limits.stopped() == Stop::Interrupt) why += cluster::kWhyInterrupted;
    verdict.reason = fmt::format("{} after {} runs", why, figures().explored);
    return Answer::Unknown;
  }

  // Checkpoints: what was removed is all there is to the search, besides figures.

  static std::array<uint64_t*, 4> numbers(Figures& f) { return {&f.explored, &f.statements, &f.shortest, &f.deepest}; }

  void save(CheckpointWriter& out) const {
    Figures now = figures();
    for (uint64_t* number : numbers(now)) out.value(*number);
    for (const std::string* text : {&now.cut, &now.too_wide}) out.array(text->data(), text->size());
    std::vector<uint32_t> words;
    for (const Cube& cube : explorer_.removed()) {
      words.push_back(static_cast<uint32_t>(cube.size()));
      for (Literal literal : cube) words.push_back(static_cast<uint32_t>(literal.level << 1 | (literal.value ? 1 : 0)));
    }
    out.array(words.data(), words.size());
  }
  void load(CheckpointReader& in) {
    Figures& now = explorer_.figures();
    for (uint64_t* number : numbers(now)) *number = in.value<uint64_t>();
    for (std::string* text : {&now.cut, &now.too_wide}) {
      const std::vector<char> letters = in.array<char>();
      text->assign(letters.begin(), letters.end());
    }
    const std::vector<uint32_t> words = in.array<uint32_t>();
    for (size_t at = 0; at < words.size();) {
      const size_t count = words[at++];
      if (count > words.size() - at) in.damaged();
      Cube cube;
      for (size_t i = 0; i < count; ++i, ++at) cube.push_back({words[at] >> 1, (words[at] & 1) != 0});
      explorer_.remove(std::move(cube));
    }
    resumed_ = true;
  }

  /// Do all paths have the same number of choices, as far as is known?
  bool countable() const { return figures().shortest == figures().deepest && figures().deepest < 63; }
  bool all_run() const { return countable() && figures().explored == uint64_t{1} << figures().deepest; }

  void put_figures(Statistics& s) const {
    const Oracles& oracles = explorer_.oracles();
    if (countable()) s.set("paths", uint64_t{1} << figures().deepest);
    s.set("explored", figures().explored);
    s.set("clauses", uint64_t{oracles.clauses()});
    double length =
        oracles.clauses() == 0 ? 0 : static_cast<double>(oracles.literals()) / static_cast<double>(oracles.clauses());
    s.set("average_clause_length", Statistics::Value{length});
    s.set("depth", figures().deepest);
    s.set("solver_seconds", Statistics::Value{figures().solver_seconds});
    s.set("execution_seconds", Statistics::Value{figures().execution_seconds});
    s.set("statements", figures().statements);
    if (workers_ != 0) s.set("search_processes", uint64_t{workers_});
    if (resumed_) s.set("resumed", uint64_t{1});
  }

  const program::Program& program_;
  const verdict::Specification& specification_;
  const Settings& settings_;
  Context& context_;
  Explorer explorer_;
  const double alone_;           ///< seconds
  const bool told_one_by_one_;   ///< what is learned is told in the order in which it is learned
  unsigned workers_ = 0;
  bool crew_is_lost_ = false;
  std::optional<Keeper> keeper_;  ///< of process 0
  bool resumed_ = false, stopped_ = false;
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
