// Firmware compiled from C, searched with the explicit-state engine: every reduction gives the same answer.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "avr/firmware.h"
#include "base/error.h"
#include "explore/ctl.h"
#include "explore/search.h"
#include "explore/traces.h"

namespace whittle::avr {
namespace {

struct Answer {
  explore::CtlResult result;
  bool by_traces = false;
  std::unique_ptr<Firmware> firmware;
};

std::string elf(const std::string& name) { return fmt::format("{}/{}.elf", AVR_PROGRAMS, name); }

Answer ask(const std::string& name, const std::string& formula, const explore::Options& options, bool delayed) {
  FirmwareOptions firmware;
  firmware.device = "atmega16";
  firmware.chip.delayed = delayed;
  Answer answer;
  answer.firmware = load_firmware(elf(name), firmware);
  auto bind = [&](std::string_view atom) { return answer.firmware->bind_atom(std::string(atom)); };
  explore::Formula parsed = explore::parse_formula(formula, bind);
  answer.by_traces = explore::trace_determined(parsed);
  if (auto start = answer.firmware->chip().start_atom()) parsed = explore::after_start(parsed, *start);
  Limits limits;
  Statistics statistics;
  Progress progress(false);
  Context context{limits, statistics, progress};
  answer.result = explore::check(answer.firmware->machine(), parsed, options, context);
  return answer;
}

struct Question {
  const char* program;
  const char* formula;
  bool holds;
};

// The paper's formulas are marked with their numbers.
constexpr Question kQuestions[] = {
    {"window_lift", "AG(mode >= 0 & mode <= 6)", true},                                              // (1)
    {"window_lift", "AG(mode = 5 => !E[(mode = 5 & !mode = 6) U (!mode = 5 & !mode = 6)])", false},  // (2)
    {"plant", "AG(tank >= 0 & tank <= 4)", true},                                                    // (3)
    {"plant", "AG(PORTA = 0x20 => AG PORTA = 0x20) & EF(PORTA = 0x20)", false},                      // (4)
    {"window_lift", "EF(mode = 6)", true},
    {"window_lift", "AG((PORTB & 3) != 3)", true},
    {"window_lift", "AG(position <= 9)", true},
    {"window_lift", "AG(mode = 6 -> AF mode = 0)", false},
    {"plant", "EF(tank = 4)", true},
    {"plant", "AG(tank = 4 -> (PORTA & 1) = 0)", false},
    {"plant", "EF(batches = 3)", true},
    {"plant", "AG(emergency -> phase = STOPPED)", false},
    {"plant", "AF(tank = 1)", false},
    {"light_switch", "AG(light <= 3)", true},
    {"light_switch", "EF(light = LIGHT_DIMMED)", true},
    {"light_switch", "AG(PORTB.0 -> !PORTB.2)", true},
    {"light_switch", "AG(EF light = LIGHT_OFF)", true},
    {"light_switch", "AG(button <= 3)", false},
    {"reentrance", "AG(torn = 0)", false},
    {"reentrance", "AG(count >= 0xfd & count <= 0x104)", false},
    {"reentrance", "EF(overrun = 1)", true},
    {"vector", "AG(result.octant <= 7 & result.norm_max <= 3)", true},
    {"vector", "EF(result.dot = 7)", true},
};

class Reductions : public ::testing::TestWithParam<Question> {};

TEST_P(Reductions, AllGiveTheSameTruth) {
  const Question& q = GetParam();
  bool heavy = std::string_view(q.program) == "vector";
  bool all = std::getenv("WHITTLE_LONG") != nullptr;
  explore::Options options;
  for (auto reduce : {explore::Reduce::OnTheFly, explore::Reduce::Static, explore::Reduce::None}) {
    for (bool delayed : {true, false}) {
      for (auto dead : {explore::Dead::None, explore::Dead::Dynamic}) {
        if (!all && heavy && (reduce != explore::Reduce::OnTheFly || !delayed || dead != explore::Dead::None)) continue;
        int off = (reduce != explore::Reduce::OnTheFly) + !delayed + (dead != explore::Dead::None);
        if (!all && off > 1) continue;
        if (!all && !delayed && q.holds && std::string_view(q.program) == "window_lift") continue;
        options.reduce = reduce;
        options.dead = dead;
        Answer answer = ask(q.program, q.formula, options, delayed);
        if (delayed && !answer.by_traces) continue;  // whittle decides early for such formulas
        std::string setting =
            fmt::format("{} {} reduce {} delayed {} dead {}", q.program, q.formula, int(reduce), delayed, int(dead));
        ASSERT_EQ(answer.result.truth, q.holds ? explore::Truth::Holds : explore::Truth::Fails)
            << setting << " " << answer.result.reason;
        if (answer.result.evidence) {
          auto steps = answer.firmware->replay(answer.result.evidence->choices);
          EXPECT_EQ(steps.size(), answer.result.evidence->choices.size()) << setting;
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Programs, Reductions, ::testing::ValuesIn(kQuestions),
                         [](const auto& one) { return fmt::format("{}_{}", one.param.program, one.index); });

uint64_t stored(const std::string& name, explore::Reduce reduce, bool delayed = true) {
  FirmwareOptions options;
  options.device = "atmega16";
  options.chip.delayed = delayed;
  auto firmware = load_firmware(elf(name), options);
  Limits limits;
  Statistics statistics;
  Progress progress(false);
  Context context{limits, statistics, progress};
  explore::Options search;
  search.reduce = reduce;
  explore::Result result = explore::search(firmware->machine(), search, context);
  EXPECT_EQ(result.outcome, explore::Outcome::Holds) << name << firmware->violation();
  return result.figures.states_stored;
}

TEST(Savings, OnTheFlyPathReduction) {
  for (const char* name : {"plant", "reentrance", "window_lift"}) {
    uint64_t all = stored(name, explore::Reduce::None), few = stored(name, explore::Reduce::OnTheFly);
    EXPECT_LE(few * 10, all) << name;
    EXPECT_LE(few, stored(name, explore::Reduce::Static)) << name;
  }
  if (std::getenv("WHITTLE_LONG") != nullptr) {
    EXPECT_LE(stored("vector", explore::Reduce::OnTheFly) * 1000, stored("vector", explore::Reduce::None));
  }
}

TEST(Savings, DelayedNondeterminism) {
  uint64_t late = stored("two_bits", explore::Reduce::None), early = stored("two_bits", explore::Reduce::None, false);
  EXPECT_LE(late * 10, early);
  for (const char* formula : {"AG !(both & one)", "EF both", "AG(both -> AF one)", "AG(rounds <= 7)"}) {
    explore::Options options;
    EXPECT_EQ(ask("two_bits", formula, options, true).result.truth,
              ask("two_bits", formula, options, false).result.truth)
        << formula;
  }
}

TEST(Traces, TellInstructionLineAndChange) {
  explore::Options options;
  options.reduce = explore::Reduce::OnTheFly;
  Answer answer = ask("plant", "AG(tank < 2)", options, true);
  ASSERT_EQ(answer.result.truth, explore::Truth::Fails);
  ASSERT_TRUE(answer.result.evidence);
  auto steps = answer.firmware->replay(answer.result.evidence->choices);
  ASSERT_GT(steps.size(), 20u);
  bool interrupt = false, change = false, line = false, decision = false;
  for (const TraceStep& step : steps) {
    interrupt |= step.interrupt == "INT1";
    line |= step.file.ends_with("plant.c") && step.line != 0;
    decision |=
        step.decision.find("PIND.0 = 1") != std::string::npos || step.decision.find(".0 = 1") != std::string::npos;
    for (const Change& c : step.changes) change |= c.name == "tank" && c.before == "1" && c.after == "2";
  }
  EXPECT_TRUE(interrupt);
  EXPECT_TRUE(change);
  EXPECT_TRUE(line);
  EXPECT_TRUE(decision);
}

TEST(Input, IsCheckedAgainstTheDevice) {
  FirmwareOptions options;
  options.device = "atmega16";
  EXPECT_THROW(load_firmware(elf("large"), options), Error);
  auto firmware = load_firmware(elf("plant"), options);
  try {
    firmware->bind_atom("tnak <= 4");
    FAIL();
  } catch (const Error& e) {
    EXPECT_STREQ(e.what(), "in 'tnak <= 4': unknown variable 'tnak'; did you mean 'tank'?");
    EXPECT_EQ(e.code(), ExitCode::BadInput);
  }
}

}  // namespace
}  // namespace whittle::avr
