#include "engines/test/collect.h"

#include <algorithm>

#include "engines/test/drive.h"

namespace whittle::engines::test {

namespace {

constexpr uint64_t kBudget = 1'000'000;     ///< statements of one run
constexpr uint64_t kPatientRuns = 20'000;   ///< runs without anything new before it ends

class Collector {
 public:
  Collector(const std::shared_ptr<const exec::Code>& code, uint64_t seed, double seconds, Limits& limits,
            exec::Coverage* reached)
      : code_(code),
        machine_(code),
        coverage_(code->program()),
        values_{program_constants(code->program()), {}},
        random_(seed),
        deadline_(limits.elapsed() + seconds),
        limits_(limits),
        reached_(reached) {
    machine_.set_listener(&coverage_);
  }

  Collection run(const std::vector<std::vector<u128>>& seeds) {
    attempt(*listed_inputs({}));
    for (const std::vector<u128>& values : seeds) attempt(*listed_inputs(values));
    uint64_t barren = 0;
    bool inputs = true;
    while (inputs && barren < kPatientRuns && limits_.elapsed() < deadline_ && limits_.poll_now() == Stop::No) {
      const auto style = static_cast<InputStyle>(random_.below(kInputStyles));
      auto drawn = random_inputs(random_.next(), style, values_);
      const bool fresh = kept_.empty() || random_.chance(3);
      const bool found = attempt(*(fresh ? std::move(drawn) : changed(std::move(drawn))));
      inputs = asked_;
      barren = found ? 0 : barren + 1;
    }
    found_.edges = coverage_.edges();
    found_.reached = coverage_.reached();
    return std::move(found_);
  }

 private:
  /// A kept test with a few values drawn anew.
  std::unique_ptr<InputSource> changed(std::unique_ptr<InputSource> drawn) {
    return mutated_inputs(random_.next(), kept_[random_.below(kept_.size())], std::move(drawn));
  }

  bool attempt(InputSource& source) {
    ++found_.runs;
    auto scheduler = run_to_block();
    Outcome outcome = drive(machine_, *scheduler, source, kBudget, limits_);
    asked_ = asked_ || !outcome.record.inputs.empty();
    const bool usable = outcome.end == End::Halted || outcome.end == End::Violation;
    const uint64_t fresh = coverage_.fresh();
    // A run that goes on forever, or waits forever, is no test; but it got somewhere.
    const bool run = usable || outcome.end == End::Budget || outcome.end == End::Deadlock;
    if (usable || (run && reached_))
      coverage_.keep(reached_);
    else
      coverage_.drop();
    if (!(usable || (run && reached_)) || fresh == 0) return false;
    std::vector<u128>& values = kept_.emplace_back();
    for (const Record::Value& input : outcome.record.inputs) values.push_back(input.value);
    if (reached_) return true;
    CollectedTest test{exec::tell(code_, outcome.record.counterexample(), &limits_), machine_.pause().status,
                       machine_.pause().aborted, fresh};
    test.run.trace.steps.clear();
    found_.tests.push_back(std::move(test));
    return true;
  }

  const std::shared_ptr<const exec::Code>& code_;
  exec::Machine machine_;
  exec::Coverage coverage_;
  Values values_;
  Random random_;
  double deadline_;
  Limits& limits_;
  exec::Coverage* reached_;
  Collection found_;
  std::vector<std::vector<u128>> kept_;  ///< inputs of runs that reached something new
  bool asked_ = false;  ///< some run asked for an input
};

}  // namespace

Collection collect_tests(const std::shared_ptr<const exec::Code>& code, const std::vector<std::vector<u128>>& seeds,
                         uint64_t seed, double seconds, Limits& limits, exec::Coverage* reached) {
  return Collector(code, seed, seconds, limits, reached).run(seeds);
}

}  // namespace whittle::engines::test
