#include "engines/dpr/explorer.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "base/error.h"
#include "program/c_text.h"
#include "solve/stack.h"

namespace whittle::engines::dpr {

using verdict::Property;

namespace {

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

/// Depth first: the last then-branch after the fixed part becomes an else-branch. False: none is left.
bool next_in_block(std::vector<bool>& path, size_t fixed) {
  while (path.size() > fixed && !path.back()) path.pop_back();
  if (path.size() <= fixed) return false;
  path.back() = false;
  return true;
}

/// The oracle that goes on with then-branches after `path` makes choices that were removed: `path` goes on as far as
/// these do, and all oracles that start with it are harmless.
bool skip(const std::vector<const Cube*>& known, std::vector<bool>& path) {
  for (const Cube* cube : known) {
    const Cube& choices = *cube;
    if (!std::ranges::all_of(choices, [&](Literal l) { return l.value == (l.level >= path.size() || path[l.level]); }))
      continue;
    if (!choices.empty()) path.resize(std::max(path.size(), choices.back().level + 1), true);
    return true;
  }
  return false;
}

Cube all(const std::vector<bool>& choices) {
  Cube literals;
  for (size_t level = 0; level < choices.size(); ++level) literals.push_back({level, choices[level]});
  return literals;
}

}  // namespace

void Figures::add(const Figures& more) {
  explored += more.explored;
  statements += more.statements;
  shortest = std::min(shortest, more.shortest);
  deepest = std::max(deepest, more.deepest);
  solver_seconds += more.solver_seconds;
  execution_seconds += more.execution_seconds;
  if (cut.empty()) cut = more.cut;
  if (too_wide.empty()) too_wide = more.too_wide;
}

Explorer::Explorer(const program::Program& program, const verdict::Specification& specification,
                   const Settings& settings, Context& context)
    : program_(program),
      context_(context),
      code_(std::make_shared<exec::Code>(program, specification)),
      machine_(program, code_),
      regions_(program),
      solver_(solve::make_solver(context, program.terms())),
      bits_(program, machine_.machine(), *solver_),
      oracles_(order(settings), settings.seed),
      explain_(settings.flag("explain")),
      picture_(settings.text("dot", "")),
      learning_(settings.text("dpr-learn", "yes") == "yes" && !specification.has(Property::ValidMemtrack) &&
                !specification.has(Property::ValidMemcleanup)) {
  bounds_.depth = settings.number("k", SIZE_MAX);
  bounds_.statements = settings.number("dpr-statements", bounds_.statements);
}

Oracles::Order Explorer::order(const Settings& settings) {
  std::string text = settings.text("search", "guided");
  if (text == "guided") return Oracles::Order::Guided;
  if (text == "random") return Oracles::Order::Random;
  fail_usage("--search is guided or random, not '{}'", text);
}

Explorer::Step Explorer::ended(Outcome outcome) {
  inputs_ = std::move(outcome.inputs);
  choices_ = std::move(outcome.choices);
  if (outcome.end == End::Violation) return Step::Violation;
  return outcome.end == End::Stopped ? Step::Stopped : Step::Harmless;
}

Explorer::Step Explorer::explore_all() { return ended(block(0, {})); }

Explorer::Step Explorer::explore() {
  Outcome outcome = learn_from_run();
  const bool over = outcome.end == End::Violation || outcome.end == End::Stopped;
  if (over || useless_ < kPatience) return ended(std::move(outcome));
  std::vector<bool> choices = outcome.choices;
  const Step step = ended(block_around(outcome));
  if (step == Step::Harmless) choices_ = std::move(choices);
  return step;
}

/// One symbolic run; adds what was learned.
Outcome Explorer::learn_from_run() {
  Joins joins(machine_, regions_);
  double begin = now();
  Outcome outcome = run(
      machine_, bits_, [&](size_t level) { return oracles_.choice(level); }, learning_ ? &joins : nullptr, bounds_,
      context_.limits);
  note(outcome);
  figures_.execution_seconds += now() - begin;
  if (outcome.end == End::Violation || outcome.end == End::Stopped) return outcome;
  if (outcome.end == End::Cut || !learning_) {
    remove(all(outcome.choices));
    if (!learning_) useless_ = kPatience + longest_block_;
    return outcome;
  }
  begin = now();
  auto reasons = learn(joins.kept(), outcome.choices, bits_, program_.terms(), *solver_, {});
  figures_.solver_seconds += now() - begin;
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
Outcome Explorer::block_around(const Outcome& outcome) {
  size_t free_bits = std::min<size_t>({useless_ - kPatience + 2, outcome.choices.size(), longest_block_});
  size_t fixed = outcome.choices.size() - free_bits;
  return block(fixed, {outcome.choices.begin(), outcome.choices.begin() + static_cast<ptrdiff_t>(fixed)});
}

/// Runs all oracles that start with `path`, without learning, depth first.
Outcome Explorer::block(size_t fixed, std::vector<bool> path) {
  std::vector<bool> prefix = path;
  std::vector<const Cube*> known;  // that may cover an oracle of the block
  for (const Cube& choices : removed_)
    if (std::ranges::all_of(choices, [&](Literal l) { return l.level >= fixed || l.value == prefix[l.level]; }))
      known.push_back(&choices);
  for (;;) {
    if (skip(known, path)) {
      if (!next_in_block(path, fixed)) break;
      continue;
    }
    double begin = now();
    Outcome outcome = run(
        machine_, bits_, [&](size_t level) { return level >= path.size() || path[level]; }, nullptr, bounds_,
        context_.limits);
    note(outcome);
    figures_.execution_seconds += now() - begin;
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

void Explorer::remove(Cube choices) {
  oracles_.remove(choices);
  removed_.push_back(std::move(choices));
}

void Explorer::note(const Outcome& outcome) {
  ++figures_.explored;
  figures_.statements += outcome.statements;
  figures_.shortest = std::min<uint64_t>(figures_.shortest, outcome.choices.size());
  figures_.deepest = std::max<uint64_t>(figures_.deepest, outcome.choices.size());
  if (outcome.end == End::Cut && figures_.cut.empty())
    figures_.cut = fmt::format("{}, at {}", outcome.reason, program_.where(outcome.where));
  if (figures_.too_wide.empty()) figures_.too_wide = outcome.too_wide;
  picture_.run(outcome.choices, outcome.end == End::Violation);
}

void Explorer::explain(const Reason& reason) {
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

}  // namespace whittle::engines::dpr
