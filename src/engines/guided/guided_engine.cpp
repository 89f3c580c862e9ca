#include "engines/guided/guided_engine.h"

#include <fmt/format.h>

#include <array>

#include "base/error.h"
#include "engines/guided/search.h"
#include "exec/runner.h"
#include "solve/stack.h"

namespace whittle::engines::guided {

using verdict::Answer;
using verdict::Property;
using verdict::Verdict;

namespace {

constexpr std::array<engines::Option, 8> kOptions{{
    {"no-dpor", "", "", "no partial order reduction"},
    {"no-summaries", "", "", "no predicate summaries"},
    {"no-slicing", "", "", "no slicing"},
    {"summary-entries", "N", "100000", "keep summaries of at most N control states"},
    {"summary-size", "N", "40000", "a summary that would have more than N operators is not extended"},
    {"guided-rounds", "N", "unlimited", "at most N rounds of deepening"},
    {"guided-steps", "N", "unlimited", "give up after N steps of threads"},
    {"guided-bound", "N", "2", "how often a thread may come to the same place in the first round"},
}};

constexpr uint64_t kGrowth = 4;  ///< of the bound, from round to round

// A step with summaries costs as much as a hundred without, and it is not known beforehand whether they pay: both ways
// are tried in turns, with more steps each time.
constexpr uint64_t kFirstSteps = 2'000, kMoreSteps = 2, kFirstPlainSteps = 400'000, kMorePlainSteps = 8;

class Run {
 public:
  Run(const program::Program& program, const verdict::Specification& specification, const Settings& settings,
      Context& context)
      : program_(program),
        context_(context),
        code_(std::make_shared<exec::Code>(program, specification)),
        solver_(solve::make_solver(context, program.terms())),
        options_(options(settings)),
        learning_(program, code_, *solver_, options_, context),
        plain_(program, code_, *solver_, without_summaries(options_), context),
        rounds_(settings.number("guided-rounds", UINT64_MAX)),
        first_bound_(settings.number("guided-bound", 2)) {}

  Verdict answer() {
    Verdict verdict;
    verdict.engine = "guided";
    LastWords::Speaker speaker(context_.last_words, [this](Statistics& s) { put_figures(s); });
    verdict.answer = search(verdict);
    put_figures(verdict.statistics);
    return verdict;
  }

 private:
  static Options options(const Settings& settings) {
    Options options;
    options.dpor = !settings.flag("no-dpor");
    options.summaries = !settings.flag("no-summaries");
    options.slicing = !settings.flag("no-slicing");
    options.steps = settings.number("guided-steps", options.steps);
    options.summary_entries = settings.number("summary-entries", options.summary_entries);
    options.summary_size = settings.number("summary-size", options.summary_size);
    return options;
  }

  static Options without_summaries(Options options) {
    options.summaries = false;
    return options;
  }

  /// One round: search_ is the one that ended it.
  Search::End round(uint64_t bound) {
    if (!learning_.learns()) {
      search_ = &plain_;
      return plain_.run(bound, options_.steps);
    }
    for (uint64_t steps = kFirstSteps, plain = kFirstPlainSteps;; steps *= kMoreSteps, plain *= kMorePlainSteps) {
      for (Search* search : {&learning_, &plain_}) {
        uint64_t most = search == &plain_ ? plain : steps;
        search_ = search;
        Search::End end = search->run(bound, std::min(most, options_.steps));
        bool out_of_steps = end == Search::End::Stopped && context_.limits.stopped() == Stop::No;
        if (!out_of_steps || most >= options_.steps) return end;
      }
    }
  }

  Answer search(Verdict& verdict) {
    uint64_t bound = std::max<uint64_t>(1, first_bound_);
    for (uint64_t number = 1;; ++number, bound *= kGrowth) {
      bound_ = bound;
      switch (round(bound)) {
        case Search::End::Violation: return violated(verdict);
        case Search::End::Stopped:
          verdict.reason = fmt::format(
              "{} after {} runs{}",
              context_.limits.stopped() == Stop::No ? "limit of steps reached" : to_string(context_.limits.stopped()),
              runs(), up_to());
          return Answer::Unknown;
        case Search::End::Complete: break;
      }
      if (!search_->incomplete().empty()) {
        verdict.reason = fmt::format("no violation found, but: {}", search_->incomplete());
        return Answer::Unknown;
      }
      if (!search_->bound_hit()) {
        verdict.reason =
            fmt::format("proved for all inputs and all schedules with {} run{}", runs(), runs() == 1 ? "" : "s");
        return Answer::True;
      }
      place_ = search_->bound_place();
      done_ = bound;
      if (number >= rounds_) {
        verdict.reason = fmt::format("no violation up to {} times round, because of {}", bound, place_);
        return Answer::Unknown;
      }
    }
  }

  std::string up_to() const {
    return done_ == 0 ? "" : fmt::format("; no violation up to {} times round, because of {}", done_, place_);
  }

  uint64_t runs() const { return search_->figures().runs_full + search_->figures().runs_partial; }

  Answer violated(Verdict& verdict) {
    exec::RunResult result = exec::replay(code_, search_->counterexample(), &context_.limits);
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

  void put_figures(Statistics& s) const {
    const Figures& f = search_->figures();
    s.set("runs_full", f.runs_full);
    s.set("runs_partial", f.runs_partial);
    s.set("runs_before", f.runs_all);  // in rounds with smaller bounds
    s.set("bound", bound_);
    s.set("steps", f.steps);
    s.set("forks", f.forks);
    s.set("depth", f.deepest);
    if (const auto* slice = search_->slice(); slice && slice->statements() != 0)
      s.set("slice_share",
            Statistics::Value{static_cast<double>(slice->size()) / static_cast<double>(slice->statements())});
    s.set("summaries_stored", search_->summaries().stored());
    s.set("summary_hits", search_->summaries().hits());
    s.set("summary_size", search_->summaries().stored() == 0
                              ? uint64_t{0}
                              : search_->summaries().operators() / search_->summaries().stored());
    s.set("summary_seconds", Statistics::Value{search_->summaries().seconds()});
    s.set("solver_calls", search_->path().queries);
    s.set("solver_seconds", Statistics::Value{search_->path().seconds});
  }

  const program::Program& program_;
  Context& context_;
  std::shared_ptr<exec::Code> code_;
  std::unique_ptr<solve::Solver> solver_;
  const Options options_;
  Search learning_, plain_;
  Search* search_ = &learning_;
  uint64_t rounds_, first_bound_;
  uint64_t bound_ = 0, done_ = 0;
  std::string place_;
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
  return Run(program, specification, settings, context).answer();
}

}  // namespace whittle::engines::guided
