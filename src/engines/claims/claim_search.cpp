#include "engines/claims/claim_search.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "base/slice.h"
#include "engines/claims/obstacle.h"
#include "exec/runner.h"
#include "program/analysis/call_graph.h"
#include "program/analysis/reachability.h"
#include "program/claims.h"
#include "program/passing.h"

namespace whittle::engines {

using program::Site;
using verdict::Answer;
using verdict::Claim;
using verdict::Property;
using verdict::Verdict;

namespace {

/// Of the time that is left, what the whole question gets before it is taken apart.
constexpr double kWholeShare = 0.75, kWholeShareOfAll = 0.5;
/// --all without a limit: seconds for the whole, then for each part; they double from round to round.
constexpr double kFirstRound = 20;
constexpr double kLeastForParts = 5;  ///< seconds
constexpr double kForTheEnd = 0.5;    ///< seconds, to come back in time
/// A limit of fewer seconds is not shared out, unless all was asked for.
constexpr double kTooShortForParts = 10;

/// Seconds, where every run meets a place that is not modelled.
constexpr double kBeforeObstacle = 1;

constexpr const char* kStopped = "the search ended with the first violation (--all goes on)";

/// What is asked at once.
struct Question {
  std::set<Property> properties;
  std::set<size_t> assertions;  ///< of unreach-call
  bool empty() const { return properties.empty(); }
};

class ClaimSearch {
 public:
  ClaimSearch(Engine& engine, const program::Program& program, const verdict::Specification& specification,
              const Settings& settings, const ClaimOptions& options, Context& context)
      : engine_(engine),
        program_(program),
        specification_(specification),
        settings_(settings),
        options_(options),
        context_(context),
        assertions_(program::assertions(program)) {
    for (Property property : specification.properties) whole_.properties.insert(property);
    if (specification.has(Property::UnreachCall))
      for (size_t i = 0; i < assertions_.size(); ++i) whole_.assertions.insert(i);
  }

  Verdict run(verdict::Claims& claims) {
    Question open = whole_;
    if (std::optional<Obstacle> obstacle = find_obstacle(program_, specification_, context_.limits))
      return conclude(search_before(*obstacle, open), claims);
    const double budget = context_.limits.remaining();
    double share = kWholeShare;
    if (options_.all) share = kWholeShareOfAll;
    double slice = can_split(open) && may_go_on() ? budget * share : budget;
    if (options_.all && std::isinf(budget) && can_split(open)) slice = kFirstRound;
    Verdict first = ask(open, slice);
    if (!open.empty() && may_go_on()) ask_parts(std::move(open));
    return conclude(std::move(first), claims);
  }

 private:
  /// Nothing can be proved; what goes wrong before the place is looked for, not for long.
  Verdict search_before(const Obstacle& obstacle, Question& open) {
    Verdict verdict;
    verdict.engine = engine_.name();
    if (!obstacle.at_once) verdict = ask(open, std::min(kBeforeObstacle, context_.limits.remaining()));
    if (verdict.answer != Answer::Unknown) return verdict;
    if (!verdict.reason.empty()) verdict.notes.insert(verdict.notes.begin(), "searched up to there: " + verdict.reason.substr(0, verdict.reason.find('\n')));
    verdict.reason = obstacle.reason;
    verdict.notes.insert(verdict.notes.begin(), obstacle.advice);
    for (Property property : open.properties) reasons_[property] = obstacle.reason;
    for (size_t assertion : open.assertions) assertion_reasons_[assertion] = obstacle.reason;
    return verdict;
  }

  bool may_go_on() {
    if (context_.limits.poll_now() != Stop::No) return false;
    if (!violations_.empty()) return options_.all;
    return options_.all || (options_.parts && context_.limits.timeout() >= kTooShortForParts);
  }

  static bool can_split(const Question& question) {
    return question.properties.size() > 1 || question.assertions.size() > 1;
  }

  std::vector<Question> split(const Question& question) const {
    std::vector<Question> parts;
    if (question.properties.size() > 1) {
      for (Property property : question.properties) {
        parts.push_back({{property}, {}});
        if (property == Property::UnreachCall) parts.back().assertions = question.assertions;
      }
    } else {
      for (size_t assertion : question.assertions) parts.push_back({{Property::UnreachCall}, {assertion}});
    }
    return parts;
  }

  /// No statement that a run can get to, by control flow, violates any of them.
  bool is_out_of_reach(const std::set<Property>& properties) const {
    program::analysis::CallGraph calls(program_);
    program::analysis::Reachability ahead(program_, calls, {.properties = properties});
    return program_.entry != program::kNone && !ahead.before_return(program_.entry, program_.functions[program_.entry].entry);
  }

  /// The program in which only `question` can be violated.
  program::Program ask_only(const Question& question) const {
    // What was never asked about stays what it is: a run that meets such undefined behaviour is not followed, whole or in parts.
    std::vector<Site> ignored =
        program::unasked(program_, [&](Property p) { return question.properties.contains(p) || !specification_.has(p); });
    for (size_t i = 0; i < assertions_.size(); ++i)
      if (!question.assertions.contains(i)) ignored.insert(ignored.end(), assertions_[i].sites.begin(), assertions_[i].sites.end());
    ignored.insert(ignored.end(), ignored_.begin(), ignored_.end());
    std::ranges::sort(ignored);
    ignored.erase(std::ranges::unique(ignored).begin(), ignored.end());
    return program::ignoring(program_, ignored);
  }

  bool is_whole(const Question& question) const {
    return ignored_.empty() && question.properties == whole_.properties && question.assertions == whole_.assertions;
  }

  Verdict attempt(const Question& question, double seconds) {
    verdict::Specification specification = specification_;
    specification.properties = question.properties;
    // An answer on the whole is what proofs in files and checkpoints are about.
    if (is_whole(question)) {
      if (seconds >= context_.limits.remaining()) return engine_.run(program_, specification, settings_, context_);
      Slice slice(context_.limits, seconds);
      return run_in(slice, program_, specification, settings_, context_.progress);
    }
    program::Program asked = ask_only(question);
    Settings settings = settings_;
    settings.set("vacuity", "no");
    settings.tests.clear();
    Verdict refused;
    if (std::optional<std::string> reason = engine_.supports(asked, specification)) {
      refused.engine = engine_.name();
      refused.reason = "this engine cannot try: " + *reason;
      return refused;
    }
    Slice slice(context_.limits, seconds);
    Progress silent(false);
    Verdict verdict = run_in(slice, asked, specification, settings, silent);
    return verdict.answer == Answer::False ? confirm(std::move(verdict)) : verdict;
  }

  Verdict run_in(Slice& slice, const program::Program& program, const verdict::Specification& specification,
                 const Settings& settings, Progress& progress) {
    Context part{slice.limits(), context_.statistics, progress, context_.last_words, context_.solver_options};
    return engine_.run(program, specification, settings, part);
  }

  /// The same inputs and schedule, with everything asked: what the run violates first is what a reader sees when running it again.
  Verdict confirm(Verdict verdict) {
    if (!machine_sees(verdict)) return verdict;
    program::Program all = program::ignoring(program_, ignored_);
    exec::RunResult again = exec::replay(std::make_shared<exec::Code>(all, passable_specification()), verdict.counterexample, &context_.limits);
    if (again.violation) {
      verdict.violation = std::move(again.violation);
      verdict.trace = std::move(again.trace);
      verdict.counterexample = std::move(again.counterexample);
    } else {
      Verdict lost;
      lost.engine = verdict.engine;
      lost.reason = "a violation was found with fewer questions, and not again with all";
      verdict = std::move(lost);
    }
    return verdict;
  }

  /// Without the properties of violations that cannot be passed over: they would hide all others.
  verdict::Specification passable_specification() const {
    verdict::Specification specification = specification_;
    for (Property property : not_all_) specification.properties.erase(property);
    return specification;
  }

  static bool machine_sees(const Verdict& verdict) {
    return !verdict.trace.loop_start && verdict.violation->property != Property::Termination;
  }

  /// Answers `open` as far as possible in so much time; what is left in it is not answered. Returns the last answer.
  Verdict ask(Question& open, double seconds) {
    const double end = context_.limits.elapsed() + seconds;
    for (;;) {
      Verdict verdict = attempt(open, end - context_.limits.elapsed());
      if (verdict.answer == Answer::True) {
        note_proved(verdict, open);
        open = {};
        return verdict;
      }
      if (verdict.answer == Answer::Unknown) {
        for (Property property : open.properties) reasons_[property] = verdict.reason;
        for (size_t assertion : open.assertions) assertion_reasons_[assertion] = verdict.reason;
        return verdict;
      }
      Verdict returned = violations_.empty() ? verdict : Verdict{};
      const size_t properties = open.properties.size(), assertions = open.assertions.size(), ignored = ignored_.size();
      note_violation(std::move(verdict), open);
      const bool progress = open.properties.size() < properties || open.assertions.size() < assertions || ignored_.size() > ignored;
      if (!progress) return returned;
      if (open.empty() || !may_go_on() || context_.limits.elapsed() >= end) return returned;
    }
  }

  void ask_parts(Question open) {
    std::vector<Question> waiting = {std::move(open)};
    // Who did not ask for all waits no longer for the parts than for the whole.
    const double now = context_.limits.elapsed();
    const double remaining = context_.limits.remaining() - kForTheEnd;
    const double most = options_.all ? remaining : std::min(remaining, std::max(kLeastForParts, now - begin_));
    const bool endless = std::isinf(most);
    for (double round = kFirstRound; !waiting.empty() && may_go_on(); round *= 2) {
      std::vector<Question> later;
      // Properties first, then assertions: what can be taken apart further is, and is asked as parts.
      for (size_t i = 0; i < waiting.size(); ++i) {
        if (!may_go_on()) return;
        Question question = waiting[i];
        if (question.properties.size() > 1) {
          std::vector<Question> parts = split(question);
          waiting.insert(waiting.end(), parts.begin(), parts.end());
          continue;
        }
        if (is_out_of_reach(question.properties)) {
          note_proved({}, question);
          continue;
        }
        const double left = (now + most - context_.limits.elapsed()) / static_cast<double>(waiting.size() - i);
        if (left <= 0) return;
        const double begin = context_.limits.elapsed();
        const double seconds = endless ? round : left;
        const bool divisible = can_split(question);
        ask(question, divisible ? seconds / 2 : seconds);
        if (question.empty()) continue;
        if (divisible) {
          std::vector<Question> parts = split(question);
          waiting.insert(waiting.end(), parts.begin(), parts.end());
        } else if (endless && context_.limits.elapsed() - begin >= seconds * kTimeWasUp) {
          later.push_back(std::move(question));
        }
      }
      if (!endless) return;
      waiting = std::move(later);
    }
  }

  void note_proved(const Verdict& verdict, const Question& question) {
    if (!verdict.engine.empty()) proved_engines_.insert(verdict.engine);
    auto add = [](std::vector<std::string>& all, const std::vector<std::string>& more) {
      for (const std::string& text : more)
        if (std::ranges::find(all, text) == all.end()) all.push_back(text);
    };
    add(notes_, verdict.notes);
    add(assumptions_, verdict.assumptions);
    proved_.insert(question.properties.begin(), question.properties.end());
    proved_assertions_.insert(question.assertions.begin(), question.assertions.end());
    if (question.properties.contains(Property::UnreachCall) && proved_assertions_.size() < whole_.assertions.size())
      proved_.erase(Property::UnreachCall);
    tell_so_far();
  }

  void tell_so_far() {
    if (!options_.so_far) return;
    verdict::Claims claims;
    Verdict nothing;
    nothing.engine = engine_.name();
    Verdict verdict = conclude(std::move(nothing), claims);
    options_.so_far(verdict, claims);
  }

  /// Takes what was violated out of the question.
  void note_violation(Verdict verdict, Question& open) {
    const verdict::Violation violation = *verdict.violation;
    const Property property = violation.property;
    std::vector<Site> sites = sites_of(violation, verdict.trace);
    std::erase_if(sites, [&](const Site& site) { return std::ranges::find(ignored_, site) != ignored_.end(); });
    if (property == Property::UnreachCall) {
      std::erase_if(open.assertions, [&](size_t i) {
        return std::ranges::any_of(assertions_[i].sites, [&](const Site& site) {
          if (std::ranges::find(sites, site) == sites.end()) return false;
          violated_assertions_.insert(i);
          return true;
        });
      });
    }
    verdict::Finding finding{violation, std::move(verdict.counterexample), std::move(verdict.trace), {}, {}, passable_specification(), {}};
    finding.ignored = met_before(finding);
    const bool known = std::ranges::any_of(violations_, [&](const verdict::Finding& other) { return verdict::same_place(other.violation, violation); });
    if (!known) violations_.push_back(std::move(finding));
    // A violation that cannot be passed over hides others of its property.
    const bool passable = !sites.empty();
    if (!passable) not_all_.insert(property);
    if (passable && property == Property::ValidFree)
      assumptions_.push_back(fmt::format("in what is proved, no object of size 0 is freed at {}:{}", violation.file, violation.line));
    const bool done = property == Property::UnreachCall && open.assertions.empty();
    if (!passable || done) open.properties.erase(property);
    if (!open.properties.contains(Property::UnreachCall)) open.assertions.clear();
    ignored_.insert(ignored_.end(), sites.begin(), sites.end());
    tell_so_far();
  }

  /// The statements that a violation is about, if one step of the user's own code is to blame.
  std::vector<Site> sites_of(const verdict::Violation& violation, const verdict::Trace& trace) const {
    const std::vector<verdict::TraceStep>& steps = trace.steps;
    auto last = std::find_if(steps.rbegin(), steps.rend(),
                             [&](const verdict::TraceStep& step) { return step.thread == violation.thread; });
    if (last == steps.rend() || last->line != violation.line || last->file != violation.file) return {};
    std::vector<Site> sites =
        program::sites_at(program_, fmt::format("{}:{}:{}", last->file, last->line, last->column), violation.property);
    // A macro may have several assertions at one place.
    auto is_other = [&](const Site& site) {
      return program_.functions[site.function].edges[site.edge].statement.text != violation.message;
    };
    if (violation.property == Property::UnreachCall && !std::ranges::all_of(sites, is_other)) std::erase_if(sites, is_other);
    return sites;
  }

  /// Places of `ignored_` that its run violates before it gets to the finding.
  std::vector<std::string> met_before(const verdict::Finding& finding) {
    std::vector<Site> met;
    std::vector<std::string> places;
    while (met.size() < ignored_.size() && !finding.trace.loop_start) {
      program::Program asked = program::ignoring(program_, met);
      exec::RunResult again = exec::replay(std::make_shared<exec::Code>(asked, finding.specification), finding.counterexample, &context_.limits);
      if (!again.violation) break;
      const verdict::Violation& first = *again.violation;
      if (verdict::same_place(first, finding.violation)) return places;
      const size_t before = met.size();
      for (const Site& site : sites_of(first, again.trace)) {
        if (std::ranges::find(ignored_, site) == ignored_.end() || std::ranges::find(met, site) != met.end()) continue;
        met.push_back(site);
        add_place(places, site);
      }
      if (met.size() == before) break;
    }
    places.clear();
    for (const Site& site : ignored_) add_place(places, site);
    return places;
  }

  void add_place(std::vector<std::string>& places, const Site& site) const {
    std::string place = program::place_of(program_, program_.functions[site.function].edges[site.edge].statement.position);
    if (std::ranges::find(places, place) == places.end()) places.push_back(std::move(place));
  }

  Verdict conclude(Verdict first, verdict::Claims& claims) {
    const bool proved = std::ranges::all_of(whole_.properties, [&](Property p) { return proved_.contains(p); });
    Verdict verdict = std::move(first);
    if (!violations_.empty()) {
      if (verdict.answer != Answer::False) {
        verdict.answer = Answer::False;
        verdict.reason.clear();
        verdict.notes.clear();  // they were about a part
        verdict.engine = engine_.name();
      }
      verdict.violation = violations_.front().violation;
      verdict.counterexample = violations_.front().counterexample;
      verdict.trace = violations_.front().trace;
      claims.findings.assign(violations_.begin() + 1, violations_.end());
    } else if (proved && verdict.answer != Answer::True) {
      verdict.answer = Answer::True;
      verdict.engine.clear();
      for (const std::string& name : proved_engines_) verdict.engine += (verdict.engine.empty() ? "" : ", ") + name;
      verdict.reason = "proved: each property by itself";
      verdict.notes = notes_;
    }
    note_ended_runs(verdict);
    for (const std::string& assumption : assumptions_)
      if (std::ranges::find(verdict.assumptions, assumption) == verdict.assumptions.end()) verdict.assumptions.push_back(assumption);
    if (std::string advice = stub_advice(verdict.reason); verdict.answer == Answer::Unknown && !advice.empty() &&
                                                           std::ranges::find(verdict.notes, advice) == verdict.notes.end())
      verdict.notes.push_back(advice);
    add_claims(claims.claims);
    return verdict;
  }

  /// What was proved after a violation of memory was passed over says nothing of runs with that violation.
  void note_ended_runs(Verdict& verdict) const {
    if (proved_.empty() && proved_assertions_.empty()) return;
    std::vector<std::string> places;
    for (const Site& site : ignored_)
      if (program::ends_runs(program_.functions[site.function].edges[site.edge].statement)) add_place(places, site);
    if (!places.empty())
      verdict.assumptions.push_back(fmt::format("what is proved is proved of runs without the violation at {}", fmt::join(places, ", ")));
  }

  void add_claims(std::vector<Claim>& claims) const {
    for (Property property : whole_.properties) {
      Claim claim;
      claim.property = property;
      const bool violated =
          std::ranges::any_of(violations_, [&](const auto& finding) { return finding.violation.property == property; });
      claim.answer = violated ? Answer::False : proved_.contains(property) ? Answer::True : Answer::Unknown;
      if (claim.answer == Answer::Unknown) claim.reason = why(reasons_, property);
      if (violated && options_.all && not_all_.contains(property))
        claim.reason = "further violations of it were not looked for";
      claims.push_back(std::move(claim));
      if (property == Property::UnreachCall) add_assertions(claims);
    }
  }

  void add_assertions(std::vector<Claim>& claims) const {
    for (size_t i : whole_.assertions) {
      Claim claim;
      claim.text = assertions_[i].text;
      claim.function = assertions_[i].function;
      if (assertions_[i].position.known()) {
        claim.file = program_.files[assertions_[i].position.file];
        claim.line = assertions_[i].position.line;
      }
      claim.answer = violated_assertions_.contains(i)                                             ? Answer::False
                     : proved_assertions_.contains(i) || proved_.contains(Property::UnreachCall) ? Answer::True
                                                                                                  : Answer::Unknown;
      if (claim.answer == Answer::Unknown) claim.reason = why(assertion_reasons_, i);
      claims.push_back(std::move(claim));
    }
  }

  template <typename Reasons, typename Key>
  std::string why(const Reasons& reasons, const Key& key) const {
    if (!violations_.empty() && !options_.all) return kStopped;
    if (auto found = reasons.find(key); found != reasons.end()) return found->second;
    const Stop stop = context_.limits.stopped();
    return stop == Stop::No ? "not decided" : to_string(stop) + " before it was asked";
  }

  static constexpr double kTimeWasUp = 0.9;  ///< of a part's time: it did not end by itself

  Engine& engine_;
  const program::Program& program_;
  const verdict::Specification& specification_;
  const Settings& settings_;
  const ClaimOptions options_;
  Context& context_;
  const double begin_ = context_.limits.elapsed();
  const std::vector<program::Assertion> assertions_;
  Question whole_;
  std::vector<Site> ignored_;
  std::vector<verdict::Finding> violations_;
  std::set<Property> proved_, not_all_;
  std::set<size_t> proved_assertions_, violated_assertions_;
  std::set<std::string> proved_engines_;
  std::vector<std::string> notes_, assumptions_;  ///< of proofs
  std::map<Property, std::string> reasons_;
  std::map<size_t, std::string> assertion_reasons_;
};

}  // namespace

Verdict answer_claims(Engine& engine, const program::Program& program, const verdict::Specification& specification,
                      const Settings& settings, const ClaimOptions& options, Context& context, verdict::Claims& claims) {
  return ClaimSearch(engine, program, specification, settings, options, context).run(claims);
}

}  // namespace whittle::engines
