#include "engines/guided/guided_engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <optional>
#include <utility>

#include "base/error.h"
#include "engines/guided/crew.h"
#include "engines/guided/search.h"
#include "engines/keeper.h"
#include "exec/runner.h"
#include "solve/stack.h"

namespace whittle::engines::guided {

using verdict::Answer;
using verdict::Property;
using verdict::Verdict;

namespace {

constexpr std::array<engines::Option, 13> kOptions{{
    {"no-dpor", "", "", "no partial order reduction"},
    {"no-summaries", "", "", "no predicate summaries"},
    {"no-slicing", "", "", "no slicing"},
    {"summary-entries", "N", "100000", "keep summaries of at most N control states"},
    {"summary-size", "N", "40000", "a summary that would have more than N operators is not extended"},
    {"guided-rounds", "N", "unlimited", "at most N rounds of deepening"},
    {"guided-steps", "N", "unlimited", "give up after N steps of threads"},
    {"guided-bound", "N", "2", "how often a thread may come to the same place in the first round"},
    {"guided-alone", "STEPS", "400000", "one process makes so many steps in a round before --cores ones do"},
    {"guided-split", "N", "512", "several processes: subtrees are given out where the tree of schedules is N wide"},
    kCheckpoint,
    kCheckpointEvery,
    kResume,
}};

constexpr uint64_t kGrowth = 4;  ///< of the bound, from round to round

// A step with summaries costs as much as a hundred without, and it is not known beforehand whether they pay: both ways
// are tried in turns, with more steps each time.
constexpr uint64_t kFirstSteps = 2'000, kMoreSteps = 2, kMorePlainSteps = 8;

Options options_of(const Settings& settings) {
  Options options;
  options.dpor = !settings.flag("no-dpor");
  options.summaries = !settings.flag("no-summaries");
  options.slicing = !settings.flag("no-slicing");
  options.wide = settings.number("guided-split", options.wide);
  options.steps = settings.number("guided-steps", options.steps);
  options.summary_entries = settings.number("summary-entries", options.summary_entries);
  options.summary_size = settings.number("summary-size", options.summary_size);
  return options;
}

class Run {
 public:
  Run(const program::Program& program, const verdict::Specification& specification, const Settings& settings,
      Context& context)
      : program_(program),
        context_(context),
        code_(std::make_shared<exec::Code>(program, specification)),
        solver_(solve::make_solver(context, program.terms())),
        options_(options_of(settings)),
        learning_(program, code_, *solver_, options_, context),
        plain_(program, code_, *solver_, without_summaries(options_), context),
        rounds_(settings.number("guided-rounds", UINT64_MAX)),
        bound_(std::max<uint64_t>(1, settings.number("guided-bound", 2))),
        alone_(std::max<uint64_t>(1, settings.number("guided-alone", 400'000))),
        cores_(settings.cores),
        group_(settings.group),
        keeper_("guided", program, specification, settings, kOptions, {"guided-alone", "guided-steps"}, context.limits) {
    if (auto in = keeper_.resumed()) load(*in);
    keeper_.holds([this](CheckpointWriter& out) { save(out); });
  }

  Verdict answer() {
    Verdict verdict;
    verdict.engine = "guided";
    LastWords::Speaker speaker(context_.last_words, [this](Statistics& s) { put_figures(s); });
    verdict.answer = search(verdict);
    if (group_ != nullptr) crew().dismiss();
    keeper_.leave(verdict, stopped_);
    put_figures(verdict.statistics);
    return verdict;
  }

 private:
  static Options without_summaries(Options options) {
    options.summaries = false;
    return options;
  }

  bool shares() const { return cores_ > 1 || group_ != nullptr || keeper_.on(); }
  Crew& crew() {
    if (!crew_ && group_ != nullptr) crew_.emplace(program_, code_, options_, learning_.learns(), *group_, context_);
    if (!crew_) crew_.emplace(program_, code_, options_, learning_.learns(), cores_, context_);
    return *crew_;
  }

  /// One round.
  RoundEnd round() {
    const uint64_t bound = bound_;
    const bool resumed = std::exchange(resumed_, false);
    if (!resumed) {
      sharing_ = false;
      RoundEnd end = alone(bound);
      if (end.end != Search::End::Stopped || context_.limits.stopped() != Stop::No || end.figures.steps >= options_.steps || !shares())
        return end;
    }
    sharing_ = true;
    return crew().round(bound, !resumed, [this] { keeper_.save_if_due(); });
  }

  /// In this process: with summaries and without in turns, or only once each if others are to help.
  RoundEnd alone(uint64_t bound) {
    for (uint64_t steps = kFirstSteps, plain = alone_;; steps *= kMoreSteps, plain *= kMorePlainSteps) {
      RoundEnd end;
      for (Search* search : {&learning_, &plain_}) {
        uint64_t most = search == &plain_ ? plain : steps;
        if (!learning_.learns() && search == &learning_) continue;
        if (!learning_.learns() && !shares()) most = options_.steps;
        search_ = search;
        end = end_of(*search, search->run(bound, std::min(most, options_.steps)));
        bool out_of_steps = end.end == Search::End::Stopped && context_.limits.stopped() == Stop::No;
        if (!out_of_steps || most >= options_.steps) return end;
      }
      if (shares()) return end;
    }
  }

  Answer search(Verdict& verdict) {
    for (uint64_t number = 1;; ++number, bound_ = bound_ * kGrowth) {
      RoundEnd end = round();
      figures_ = end.figures;
      if (sharing_ && crew_->lost() != 0 && verdict.notes.empty())
        verdict.notes.emplace_back("processes of the search were lost; others did their part");
      switch (end.end) {
        case Search::End::Violation: return violated(verdict, end.counterexample);
        case Search::End::Stopped:
          stopped_ = true;
          if (context_.limits.stopped() != Stop::No) end.why = to_string(context_.limits.stopped());
          if (group_ != nullptr && context_.limits.stopped() == Stop::Interrupt) end.why += cluster::kWhyInterrupted;
          verdict.reason = fmt::format("{} after {} runs{}", end.why.empty() ? "limit of steps reached" : end.why, runs(), up_to());
          return Answer::Unknown;
        case Search::End::Complete: break;
      }
      if (!end.incomplete.empty()) {
        verdict.reason = fmt::format("no violation found, but: {}", end.incomplete);
        return Answer::Unknown;
      }
      if (end.bound_place.empty()) {
        verdict.reason =
            fmt::format("proved for all inputs and all schedules with {} run{}", runs(), runs() == 1 ? "" : "s");
        return Answer::True;
      }
      place_ = end.bound_place;
      done_ = bound_;
      if (number >= rounds_) {
        verdict.reason = fmt::format("no violation up to {} times round, because of {}", bound_.load(), place_);
        return Answer::Unknown;
      }
    }
  }

  std::string up_to() const {
    return done_ == 0 ? "" : fmt::format("; no violation up to {} times round, because of {}", done_, place_);
  }

  uint64_t runs() const { return figures_.runs_full + figures_.runs_partial; }

  Answer violated(Verdict& verdict, const verdict::Counterexample& counterexample) {
    exec::RunResult result = exec::replay(code_, counterexample, &context_.limits);
    if (!result.violation) {
      if (context_.limits.stopped() != Stop::No) {
        verdict.reason = fmt::format("{} while a violation was replayed", to_string(context_.limits.stopped()));
        return Answer::Unknown;
      }
      fail_internal("a violation does not replay");
    }
    verdict.violation = result.violation;
    verdict.counterexample = std::move(result.counterexample);
    verdict.trace = std::move(result.trace);
    verdict.reason = fmt::format("violated on run {}", runs());
    return Answer::False;
  }

  // Checkpoints: the bound of the round, and the subtrees of it that are done.

  void save(CheckpointWriter& out) {
    out.value(bound_.load());
    out.value(done_);
    // Subtrees first: what is to be said of them is there before they are done.
    const std::vector<Way> ways = sharing_ ? crew().subtrees().all_done() : std::vector<Way>{};
    out.array(ways.data(), ways.size());
    const std::string bound = sharing_ ? crew().subtrees().bound() : "", why = sharing_ ? crew().subtrees().incomplete() : "";
    for (const std::string* text : std::initializer_list<const std::string*>{&place_, &bound, &why}) out.array(text->data(), text->size());
  }
  void load(CheckpointReader& in) {
    bound_ = in.value<uint64_t>();
    done_ = in.value<uint64_t>();
    const std::vector<Way> ways = in.array<Way>();
    std::string bound, why;
    for (std::string* text : {&place_, &bound, &why}) {
      const std::vector<char> letters = in.array<char>();
      text->assign(letters.begin(), letters.end());
    }
    if (ways.empty() && bound.empty() && why.empty()) return;
    Subtrees& subtrees = crew().subtrees();
    subtrees.restore(ways);
    if (!bound.empty()) subtrees.note_bound(bound);
    if (!why.empty()) subtrees.note_incomplete(why);
    resumed_ = true;
  }

  void put_figures(Statistics& s) const {
    const Search* last = search_;
    const Figures f = sharing_ || last == nullptr ? figures_ : last->figures();
    if (sharing_) s.set("search_processes", uint64_t{crew_->processes()});
    s.set("runs_full", f.runs_full);
    s.set("runs_partial", f.runs_partial);
    s.set("runs_before", f.runs_all);  // in rounds with smaller bounds
    s.set("bound", bound_.load());
    s.set("steps", f.steps);
    s.set("forks", f.forks);
    s.set("depth", f.deepest);
    if (last == nullptr) return;
    if (const auto* slice = last->slice(); slice && slice->statements() != 0)
      s.set("slice_share",
            Statistics::Value{static_cast<double>(slice->size()) / static_cast<double>(slice->statements())});
    s.set("summaries_stored", last->summaries().stored());
    s.set("summary_hits", last->summaries().hits());
    s.set("summary_size", last->summaries().stored() == 0
                              ? uint64_t{0}
                              : last->summaries().operators() / last->summaries().stored());
    s.set("summary_seconds", Statistics::Value{last->summaries().seconds()});
    s.set("solver_calls", last->path().queries);
    s.set("solver_seconds", Statistics::Value{last->path().seconds});
  }

  const program::Program& program_;
  Context& context_;
  std::shared_ptr<exec::Code> code_;
  std::unique_ptr<solve::Solver> solver_;
  const Options options_;
  Search learning_, plain_;
  std::atomic<Search*> search_ = nullptr;  ///< the last one of this process
  std::optional<Crew> crew_;
  std::atomic<bool> sharing_ = false;  ///< several processes made the last round, or make it
  Figures figures_;                    ///< of the last round
  const uint64_t rounds_;
  std::atomic<uint64_t> bound_;
  uint64_t done_ = 0;  ///< the bound of the last complete round
  std::string place_;
  const uint64_t alone_;  ///< steps
  const unsigned cores_;
  cluster::Group* const group_;  ///< this is process 0 of it
  Keeper keeper_;
  bool resumed_ = false;  ///< the next round goes on where another process was
  bool stopped_ = false;
};

}  // namespace

std::span<const engines::Option> GuidedEngine::options() const { return kOptions; }

std::optional<std::string> GuidedEngine::supports(const program::Program&,
                                                  const verdict::Specification& specification) const {
  if (specification.has(Property::Termination)) return "guided cannot show that programs end (try --engine explicit)";
  if (specification.has(Property::Ctl)) return "guided cannot check temporal formulas (try --engine explicit)";
  return std::nullopt;
}

Verdict GuidedEngine::run(const program::Program& program, const verdict::Specification& specification,
                          const Settings& settings, Context& context) {
  if (settings.group == nullptr || settings.group->rank() == 0) return Run(program, specification, settings, context).answer();
  Crew(program, std::make_shared<exec::Code>(program, specification), options_of(settings), false, *settings.group, context).serve();
  Verdict verdict;
  verdict.engine = "guided";
  verdict.reason = "this process has no answer of its own";
  return verdict;
}

}  // namespace whittle::engines::guided
