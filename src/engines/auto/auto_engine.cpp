#include "engines/auto/auto_engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/error.h"
#include "engines/auto/plan.h"
#include "engines/auto/race.h"
#include "engines/auto/random_runs.h"
#include "engines/auto/vacuity.h"
#include "exec/runner.h"
#include "program/analysis/analyses.h"

namespace whittle::engines::auto_ {

using program::analysis::Features;
using verdict::Answer;
using verdict::Verdict;

namespace {

constexpr std::array<Option, 1> kOptions{{
    {"vacuity", "yes|no", "yes", "after a proof, look for assumptions no run satisfies and assertions no run reaches"},
}};

constexpr size_t kLongTrace = 10'000;

std::string scope(const Features& features) {
  std::string text = features.inputs != 0 ? "all inputs" : features.unset_memory ? "all that memory may hold" : "no inputs to choose";
  text += features.concurrent ? ", all schedules (sequentially consistent)" : ", one thread";
  text += features.loops == 0 ? ", no loops" : ", every number of loop rounds";
  if (features.recursion) text += ", every depth of recursion";
  return text;
}

class Attempt {
 public:
  Attempt(AutoEngine::Engines engines, const program::Program& program, const verdict::Specification& specification,
          const Settings& settings, Context& context)
      : engines_(std::move(engines)),
        program_(program),
        specification_(specification),
        settings_(settings),
        context_(context),
        analyses_(program::analysis::analyses_of(context, program)),
        features_(analyses_->features()) {}

  Verdict answer() {
    std::vector<std::string_view> able;
    for (const auto& engine : engines_) {
      if (std::optional<std::string> reason = engine->supports(program_, specification_))
        unable_.push_back({std::string(engine->name()), 0, "cannot try: " + *reason, false, {}});
      else
        able.push_back(engine->name());
    }
    if (!features_.concurrent && settings_.tests.empty())
      settings_.tests = first_tests(program_, specification_, settings_.seed, context_.limits);
    features_.unset_memory = features_.inputs == 0 && !settings_.tests.empty();
    Plan plan = make_plan(features_, able);
    if (!able.empty()) context_.progress.say(plan.sentence(settings_.cores));
    spare_cores_ = settings_.cores > able.size() ? settings_.cores - static_cast<unsigned>(able.size()) : 0;
    analyses_->points();  // before the fork: whoever needs it finds it made
    Race race({settings_.cores,
               [&](const std::string& name, Limits& limits, LastWords& words) { return work(name, limits, words); }},
              context_);
    for (const Turn& turn : plan.turns) race.enter(turn.engine, turn.weight, turn.fades());
    return report(race.run());
  }

 private:
  Engine& engine(std::string_view name) {
    auto found = std::ranges::find_if(engines_, [&](const auto& engine) { return engine->name() == name; });
    return **found;
  }

  /// In the child.
  Verdict work(const std::string& name, Limits& limits, LastWords& last_words) {
    Statistics statistics;
    Progress silent(false);
    Context context{limits, statistics, silent, &last_words, context_.solver_options, analyses_};
    Settings settings = settings_;
    settings.cores = 1 + spare_cores_;  // every engine has a core; an engine that can use more gets those left over
    Verdict verdict = engine(name).run(program_, specification_, settings, context);
    for (const auto& [key, value] : statistics.entries()) verdict.statistics.set(key, value);
    // To run again what took a million steps is faster than to hand over a description of each.
    if (verdict.trace.steps.size() > kLongTrace && !verdict.trace.loop_start) verdict.trace.steps.clear();
    return verdict;
  }

  void restore_trace(Verdict& verdict) {
    if (verdict.answer != Answer::False || !verdict.trace.steps.empty()) return;
    auto code = std::make_shared<exec::Code>(program_, specification_);
    exec::RunResult again = exec::replay(code, verdict.counterexample, &context_.limits);
    if (again.violation) verdict.trace = std::move(again.trace);
  }

  Verdict report(Finish finish) {
    Verdict verdict = finish.verdict ? std::move(*finish.verdict) : no_answer(finish);
    std::string tried;
    for (const Standing& standing : finish.standings) {
      if (standing.trouble)
        verdict.notes.push_back(fmt::format("engine {} gave no answer: {}", standing.engine, standing.said));
      if (standing.seconds > 0)
        tried += fmt::format("{}{} {:.2f} s", tried.empty() ? "" : ", ", standing.engine, standing.seconds);
    }
    verdict.statistics.set("engines_tried", Statistics::Value{tried});
    restore_trace(verdict);
    if (verdict.answer == Answer::True) {
      verdict.notes.insert(verdict.notes.begin(), "proved for: " + scope(features_));
      if (settings_.text("vacuity", "yes") == "yes") add_vacuity(verdict);
    }
    return verdict;
  }

  Verdict no_answer(const Finish& finish) {
    Verdict verdict;
    verdict.engine = "auto";
    Stop stop = context_.limits.stopped();
    verdict.reason = stop == Stop::No ? "no engine can decide it" : to_string(stop) + ", nothing decided so far";
    auto add = [&](const Standing& standing) {
      for (const auto& [name, value] : standing.statistics.entries())
        if (const auto* count = std::get_if<uint64_t>(&value); count != nullptr && *count != 0)
          verdict.statistics.set(standing.engine + "_" + name, *count);
      verdict.reason +=
          fmt::format("\n  {}: {}", standing.engine, standing.said.empty() ? "had no turn" : standing.said);
    };
    std::ranges::for_each(finish.standings, add);
    std::ranges::for_each(unable_, add);
    return verdict;
  }

  /// In a child as well, and never for long: a proof is not worth less without it.
  void add_vacuity(Verdict& verdict) {
    std::vector<Checkpoint> checkpoints = find_checkpoints(program_);
    double patience = std::min(std::max(0.3, 0.25 * context_.limits.elapsed()), context_.limits.remaining());
    if (checkpoints.empty() || patience <= 0) return;
    Child child(
        [&](Limits& limits, LastWords&) {
          Verdict found;
          found.notes = vacuous(program_, checkpoints, engine(verdict.engine), settings_, limits);
          return found;
        },
        {patience, context_.limits.memory()}, context_.limits.memory_use());
    while (!child.ended() && child.used() < patience && context_.limits.poll_now() == Stop::No) {
      child.wait();
      child.read();
    }
    child.kill();
    if (!child.verdict()) return;
    for (const std::string& note : child.verdict()->notes) verdict.notes.push_back(note);
  }

  AutoEngine::Engines engines_;
  const program::Program& program_;
  const verdict::Specification& specification_;
  Settings settings_;
  unsigned spare_cores_ = 0;
  Context& context_;
  std::shared_ptr<program::analysis::Analyses> analyses_;
  Features features_;
  std::vector<Standing> unable_;
};

}  // namespace

std::span<const Option> AutoEngine::options() const { return kOptions; }

std::optional<std::string> AutoEngine::supports(const program::Program& program,
                                                const verdict::Specification& specification) const {
  std::string reasons;
  for (const auto& engine : make_()) {
    std::optional<std::string> reason = engine->supports(program, specification);
    if (!reason) return std::nullopt;
    reasons += fmt::format("{}{}: {}", reasons.empty() ? "" : "; ", engine->name(), *reason);
  }
  return reasons;
}

Verdict AutoEngine::run(const program::Program& program, const verdict::Specification& specification,
                        const Settings& settings, Context& context) {
  return Attempt(make_(), program, specification, settings, context).answer();
}

}  // namespace whittle::engines::auto_
