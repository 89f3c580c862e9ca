#include "engines/auto/race.h"

#include "base/pace.h"

#include <fmt/format.h>
#include <poll.h>

#include <algorithm>
#include <cmath>

namespace whittle::engines::auto_ {

using verdict::Answer;
using verdict::Verdict;

namespace {

constexpr double kLongestTurn = 5;
constexpr double kFirstTurn = 0.1;      ///< seconds, times the weight
constexpr int kTick = 20;               ///< milliseconds between looks at the clock
constexpr int kShortTick = 4;           ///< the same when memory gets short
/// Seconds for last words, and their share of the time so far: longer than engines take to give up by themselves
/// (child.cpp), shorter than this process has (base/watchdog.h).
constexpr double kPatience = 0.15, kPatienceShare = 0.007;
/// Parts of the memory limit: an engine is asked to stop so much below it, and killed so much above it.
constexpr uint64_t kReserve = 40, kTooMuch = 40;
constexpr double kPatienceForVerdicts = 1;  ///< seconds, for an answer that is being handed over
constexpr double kGrace = 0.25;             ///< seconds

std::string describe(const std::string& engine, const Verdict& v) {
  std::string text = fmt::format("{} says {}", engine, verdict::verdict_line(v));
  if (v.violation) {
    text += fmt::format(" at {}:{}: {}", v.violation->file, v.violation->line, v.violation->message);
    if (!v.counterexample.inputs.empty()) text += ", inputs";
    for (const verdict::Input& input : v.counterexample.inputs)
      text += fmt::format(" {:#x}", static_cast<uint64_t>(input.value));
    if (!v.counterexample.schedule.empty()) text += ", schedule";
    for (uint32_t thread : v.counterexample.schedule) text += fmt::format(" {}", thread);
  }
  return text + (v.reason.empty() ? "" : fmt::format(" ({})", v.reason));
}

/// To the engine every stop is an interrupt; the reader wants to know its cause.
std::string with_cause(std::string said, const std::string& why) {
  constexpr std::string_view kInterrupted = "interrupted";
  if (why.empty() || said.find(why) != std::string::npos) return said;
  if (size_t at = said.find(kInterrupted); at != std::string::npos) return said.replace(at, kInterrupted.size(), why);
  return said + fmt::format(" ({})", why);
}

}  // namespace

void Race::enter(const std::string& engine, double weight, bool fades) {
  Runner runner;
  runner.engine = engine;
  runner.weight = weight;
  runner.fades = fades;
  runner.standing.engine = engine;
  runners_.push_back(std::move(runner));
}

Finish Race::run() {
  auto left = [&] { return std::ranges::any_of(runners_, [](const Runner& r) { return !r.over(); }); };
  while (definite_.empty() && left()) {
    if (context_.limits.poll_now() != Stop::No) {
      last_words();
      break;
    }
    end_turns();
    fill_cores();
    wait_for_news();
    listen();
    hold_memory();
    show_progress();
  }
  context_.limits.poll_now();  // engines that all ended because time is up may be heard before it is noticed here
  context_.progress.clear();
  if (!definite_.empty()) refuse_contradiction();
  return finish();
}

void Race::start(Runner& runner) {
  uint64_t total = context_.limits.memory(), here = resident_memory();
  // Time is called here, for all at once; an engine's own clock only matters if this process does not get to it.
  ChildLimits limits{std::max(context_.limits.remaining(), 0.0) + kGrace, total};
  // What is shared with this process is counted there too.
  if (total != std::numeric_limits<uint64_t>::max()) limits.memory = std::max(total, here + (total >> 4));
  runner.child =
      std::make_unique<Child>([&](Limits& l, LastWords& words) { return rules_.work(runner.engine, l, words); }, limits,
                              context_.limits.memory_use());
}

void Race::fill_cores() {
  auto running = static_cast<unsigned>(std::ranges::count_if(runners_, &Runner::running));
  while (running < rules_.cores) {
    Runner* next = nullptr;
    for (Runner& runner : runners_) {
      if (runner.over() || runner.running()) continue;
      if (next == nullptr || runner.served() < next->served()) next = &runner;
    }
    if (next == nullptr) return;
    if (next->child)
      next->child->resume();
    else
      start(*next);
    next->turn_ends = next->effort() + std::clamp(next->effort(), kFirstTurn * next->weight, kLongestTurn);
    ++running;
  }
}

void Race::end_turns() {
  for (Runner& runner : runners_) {
    bool waiting = std::ranges::any_of(runners_, [](const Runner& r) { return !r.over() && !r.running(); });
    if (!waiting) return;
    // Somebody who has begun to speak, or was asked for last words, is not interrupted.
    if (runner.running() && runner.effort() >= runner.turn_ends && !runner.child->speaking() &&
        runner.why_stopped.empty())
      runner.child->pause();
  }
}

void Race::wait_for_news() {
  std::vector<pollfd> pipes;
  for (const Runner& runner : runners_)
    if (runner.child && !runner.child->ended()) pipes.push_back({runner.child->descriptor(), POLLIN, 0});
  const Limits& limits = context_.limits;
  const bool tight = limits.limits_memory() && memory_ > limits.memory() / 2;
  ::poll(pipes.data(), pipes.size(), tight ? kShortTick : kTick);
}

void Race::listen() {
  for (Runner& runner : runners_) {
    if (!runner.child || runner.child->ended()) continue;
    runner.child->read();
    if (runner.child->ended()) hear(runner);
  }
}

void Race::hear(Runner& runner) {
  Child& child = *runner.child;
  if (child.user_error()) throw *child.user_error();
  if (!child.verdict()) {
    runner.standing.said = runner.why_stopped.empty() ? child.trouble() : runner.why_stopped;
    runner.standing.trouble = context_.limits.stopped() == Stop::No;
  } else if (child.verdict()->answer == Answer::Unknown) {
    runner.standing.said = with_cause(child.verdict()->reason, runner.why_stopped);
    runner.standing.statistics = child.verdict()->statistics;
    runner.standing.trouble = !runner.why_stopped.empty() && context_.limits.stopped() == Stop::No;
  } else {
    definite_.emplace_back(runner.engine, std::move(*child.verdict()));
  }
}

/// The limit holds for this process and all children together.
void Race::hold_memory() {
  const uint64_t limit = context_.limits.memory();
  if (!context_.limits.limits_memory()) return;
  const uint64_t before = memory_;
  memory_ = context_.limits.memory_use().look();
  // Until the next look it may grow by as much again.
  const uint64_t ahead = memory_ + (memory_ > before && before != 0 ? memory_ - before : 0);
  Runner* largest = nullptr;
  for (Runner& runner : runners_) {
    if (!runner.child || runner.child->ended()) continue;
    if (largest == nullptr || runner.child->memory() > largest->child->memory()) largest = &runner;
    if (runner.why_stopped.empty() || context_.limits.elapsed() < runner.stop_asked + patience()) continue;
    runner.child->kill();
    hear(runner);
  }
  if (largest == nullptr || largest->over()) return;
  if (ahead > limit - limit / kReserve && largest->why_stopped.empty()) ask_to_stop(*largest, "memory limit reached");
  if (ahead > limit && !largest->hurried) {
    largest->child->hurry();
    largest->hurried = true;
  }
  if (ahead > limit + limit / kTooMuch) {  // no time for last words
    largest->child->kill();
    hear(*largest);
  }
}

double Race::patience() const { return kPatience + kPatienceShare * context_.limits.elapsed(); }

void Race::ask_to_stop(Runner& runner, const std::string& why) {
  runner.why_stopped = why;
  runner.stop_asked = context_.limits.elapsed();
  runner.child->ask_to_stop();
}

/// Time is up: everybody says what they have learned. A definite answer counts even now.
void Race::last_words() {
  const double begin = context_.limits.elapsed(), wait = patience();
  for (Runner& runner : runners_)
    if (runner.child && !runner.child->ended()) ask_to_stop(runner, to_string(context_.limits.stopped()));
  auto somebody = [&] { return std::ranges::any_of(runners_, &Runner::running); };
  while (definite_.empty() && somebody() && context_.limits.elapsed() < begin + wait) {
    wait_for_news();
    listen();
  }
  for (Runner& runner : runners_)
    if (runner.running()) {
      runner.child->kill();
      hear(runner);
    }
}

void Race::show_progress() {
  context_.progress.show([&] {
    std::string text = "auto: " + limits_text(context_.limits);
    for (const Runner& runner : runners_) {
      if (!runner.child) continue;
      const std::string pace = runner.running() ? runner.child->pace() : "";
      text += fmt::format("; {} {:.0f} s{}{}", runner.engine, runner.used(),
                          runner.over()      ? " (gave up)"
                          : runner.running() ? ""
                                             : " (waits)",
                          pace.empty() ? "" : ": " + pace);
    }
    return text;
  });
}

/// Somebody has an answer. Whoever has spoken too, or is about to, is heard before it is believed.
void Race::refuse_contradiction() {
  double begin = context_.limits.elapsed();
  listen();
  auto speaking = [](const Runner& r) { return r.child && r.child->speaking(); };
  while (std::ranges::any_of(runners_, speaking) && context_.limits.elapsed() < begin + kPatienceForVerdicts) {
    for (Runner& runner : runners_)
      if (speaking(runner)) runner.child->resume();
    wait_for_news();
    listen();
  }
  for (const auto& [engine, verdict] : definite_)
    if (verdict.answer != definite_.front().second.answer)
      fail_internal("two engines contradict each other, so neither is believed; this is a bug in whittle: {}; {}",
                    describe(definite_.front().first, definite_.front().second), describe(engine, verdict));
}

Finish Race::finish() {
  Finish finish;
  if (!definite_.empty()) {
    finish.verdict = std::move(definite_.front().second);
    finish.verdict->engine = definite_.front().first;
  }
  for (Runner& runner : runners_) {
    runner.standing.seconds = runner.used();
    if (runner.child) runner.child->kill();
    finish.standings.push_back(std::move(runner.standing));
  }
  return finish;
}

}  // namespace whittle::engines::auto_
