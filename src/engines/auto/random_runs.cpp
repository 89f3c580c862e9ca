#include "engines/auto/random_runs.h"

#include <algorithm>
#include <set>

namespace whittle::engines::auto_ {

namespace {

constexpr uint64_t kStatementsPerRun = 20'000;
constexpr unsigned kFirstRuns = 12;
constexpr size_t kFirstTests = 4;

/// Small values, boundary values, any values.
u128 draw_input(std::mt19937_64& random, unsigned width) {
  switch (random() % 4) {
    case 0: return 0;
    case 1: return random() % 8;
    case 2: return u128{random()} << 64 | random();
    default: return (u128{1} << (random() % std::max(width, 1u))) - random() % 2;
  }
}

/// Notices edges that no run before has passed.
class News : public exec::Listener {
 public:
  void statement(uint32_t, program::FunctionId function, uint32_t edge) override {
    any |= passed_.insert({function, edge}).second;
  }
  bool any = false;

 private:
  std::set<std::pair<program::FunctionId, uint32_t>> passed_;
};

}  // namespace

std::vector<u128> random_run(exec::Machine& machine, std::mt19937_64& random, Limits& limits) {
  std::vector<u128> inputs;
  machine.reset();
  uint64_t begin = machine.statements();
  machine.set_budget(kStatementsPerRun);
  std::vector<uint32_t> able;
  while (!machine.pause().final() && machine.statements() < begin + kStatementsPerRun && limits.poll() == Stop::No) {
    const exec::Pause& pause = machine.pause();
    if (pause.kind == exec::PauseKind::Input) {
      unsigned width = pause.width;
      u128 value = draw_input(random, width);
      inputs.push_back(width < 128 ? value & ((u128{1} << width) - 1) : value);
      machine.provide(inputs.back());
    } else if (pause.kind == exec::PauseKind::Budget) {
      break;
    } else {
      able.clear();
      for (uint32_t t = 0; t < machine.thread_count(); ++t)
        if (machine.alive(t) && machine.enabled(t)) able.push_back(t);
      if (able.empty()) break;
      machine.schedule(able[random() % able.size()]);
    }
  }
  return inputs;
}

std::vector<std::vector<u128>> first_tests(const program::Program& program, const verdict::Specification& specification,
                                           uint64_t seed, Limits& limits) {
  exec::Machine machine(std::make_shared<exec::Code>(program, specification));
  News news;
  machine.set_listener(&news);
  std::mt19937_64 random(seed);
  std::vector<std::vector<u128>> tests;
  for (unsigned run = 0; run < kFirstRuns && tests.size() < kFirstTests && limits.poll_now() == Stop::No; ++run) {
    news.any = false;
    std::vector<u128> inputs = random_run(machine, random, limits);
    if (inputs.empty()) return {};
    if (news.any && machine.pause().kind != exec::PauseKind::Violation) tests.push_back(std::move(inputs));
  }
  return tests;
}

}  // namespace whittle::engines::auto_
