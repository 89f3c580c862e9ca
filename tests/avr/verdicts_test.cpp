// Firmware compiled from tests/avr/verdicts, each with its questions and the right answers in comments:
//
//   // mcu: atmega328p
//   // env: PINB.0 = 1            (a line of the environment; may be given again)
//   // timers: exact
//   // only: abstract            (too many states for the chip itself)
//   // ask: FORMULA => holds | fails | unknown REASON | violation TEXT
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "avr/firmware.h"
#include "base/error.h"
#include "explore/ctl.h"
#include "explore/traces.h"

namespace whittle::avr {
namespace {

struct Question {
  std::string formula, answer, text;
};

struct Case {
  std::string name, mcu, environment;
  bool exact = false;
  bool only_abstract = false;
  std::vector<Question> questions;
};

std::string after(const std::string& line, const std::string& key) {
  return line.starts_with("// " + key + ": ") ? line.substr(key.size() + 5) : "";
}

Case read_case(const std::filesystem::path& source) {
  Case out;
  out.name = source.stem().string();
  std::ifstream in(source);
  for (std::string line; std::getline(in, line) && (line.empty() || line.starts_with("//"));) {
    if (auto mcu = after(line, "mcu"); !mcu.empty()) out.mcu = mcu;
    if (auto env = after(line, "env"); !env.empty()) out.environment += env + "\n";
    if (auto timers = after(line, "timers"); !timers.empty()) out.exact = timers == "exact";
    if (after(line, "only") == "abstract") out.only_abstract = true;
    if (auto ask = after(line, "ask"); !ask.empty()) {
      size_t arrow = ask.rfind("=> ");
      std::string answer = ask.substr(arrow + 3);
      size_t space = answer.find(' ');
      out.questions.push_back({ask.substr(0, arrow - 1), answer.substr(0, space),
                               space == std::string::npos ? "" : answer.substr(space + 1)});
    }
  }
  return out;
}

std::string ask(const Case& item, const Question& question, bool delayed, explore::Reduce reduce) {
  FirmwareOptions options;
  options.device = item.mcu;
  options.chip.delayed = delayed;
  options.chip.timers_exact = item.exact;
  auto device = find_device(item.mcu);
  auto image = std::make_shared<Image>(load_image(fmt::format("{}/{}.elf", AVR_VERDICTS, item.name), *device));
  Firmware firmware(device, image, parse_environment(item.environment, item.name, *device), options.chip);
  explore::Formula formula = explore::parse_formula(
      question.formula, [&](std::string_view atom) { return firmware.bind_atom(std::string(atom)); });
  if (delayed && !explore::trace_determined(formula)) return "";
  if (auto start = firmware.chip().start_atom()) formula = explore::after_start(formula, *start);
  Limits limits;
  Statistics statistics;
  Progress progress(false);
  Context context{limits, statistics, progress};
  explore::Options search;
  search.reduce = reduce;
  explore::CtlResult result = explore::check(firmware.machine(), formula, search, context);
  if (result.violation) return "violation " + firmware.replay(result.evidence->choices).back().violation;
  switch (result.truth) {
    case explore::Truth::Holds: return "holds ";
    case explore::Truth::Fails: return "fails ";
    default: return "unknown " + firmware.chip().cut_reason();
  }
}

/// What an abstract machine says, coarser and coarser: nothing that is wrong.
std::string ask_abstract(const Case& item, const Question& question, int coarser) {
  FirmwareOptions options;
  options.chip.timers_exact = item.exact;
  auto device = find_device(item.mcu);
  auto image = std::make_shared<Image>(load_image(fmt::format("{}/{}.elf", AVR_VERDICTS, item.name), *device));
  Firmware firmware(device, image, parse_environment(item.environment, item.name, *device), options.chip);
  explore::Formula formula = explore::parse_formula(
      question.formula, [&](std::string_view atom) { return firmware.bind_atom(std::string(atom)); });
  if (!explore::about_all_paths(formula)) return "";
  const bool invariant = explore::is_invariant(formula);
  if (auto start = firmware.chip().start_atom()) formula = explore::after_start(formula, *start);
  auto abstraction = firmware.abstraction();
  if (abstraction == nullptr) return "";
  Limits limits;
  Statistics statistics;
  Progress progress(false);
  Context context{limits, statistics, progress};
  explore::Options search;
  search.max_states = 20'000;
  explore::check(abstraction->exact(), formula, search, context);
  for (int n = 0; n < coarser; ++n) abstraction->coarsen();
  constexpr int kRounds = 40;
  for (int round = 0; round < kRounds; ++round) {
    explore::CtlResult result = explore::check(abstraction->machine(), formula, search, context);
    if (result.truth == explore::Truth::Holds) return "holds ";
    if (result.truth == explore::Truth::Unknown && !result.violation && result.figures.states_stored >= search.max_states) {
      abstraction->coarsen();
      continue;
    }
    if (!result.violation && (result.truth != explore::Truth::Fails || !invariant)) return "";
    machine::Judgement judgement = abstraction->judge(result.evidence->choices, context);
    if (judgement.kind == machine::Judgement::Kind::Stuck) return "";
    if (judgement.kind == machine::Judgement::Kind::Refined) continue;
    auto steps = firmware.replay(judgement.choices);
    std::string violation = steps.empty() ? "" : steps.back().violation;
    return violation.empty() ? "fails " : "violation " + violation;
  }
  return "";
}

std::vector<std::string> names() {
  std::vector<std::string> out;
  for (const auto& entry : std::filesystem::directory_iterator(AVR_VERDICT_SOURCES))
    if (entry.path().extension() == ".c") out.push_back(entry.path().stem().string());
  return out;
}

class Verdicts : public testing::TestWithParam<std::string> {};

TEST_P(Verdicts, AreRight) {
  bool all = std::getenv("WHITTLE_LONG") != nullptr;
  Case item = read_case(std::filesystem::path(AVR_VERDICT_SOURCES) / (GetParam() + ".c"));
  ASSERT_FALSE(item.questions.empty());
  if (item.only_abstract) return;
  for (const Question& question : item.questions) {
    for (bool delayed : {true, false}) {
      for (auto reduce : {explore::Reduce::OnTheFly, explore::Reduce::Static}) {
        if (!all && (!delayed || reduce == explore::Reduce::Static) && item.name == "noinit") continue;  // 65536 values
        std::string answer = ask(item, question, delayed, reduce);
        if (answer.empty()) continue;
        EXPECT_TRUE(answer.starts_with(question.answer + " ") && answer.find(question.text) != std::string::npos)
            << item.name << (delayed ? "" : " early") << (reduce == explore::Reduce::Static ? " static" : "") << ": "
            << question.formula << ": " << answer << "; should be: " << question.answer << " " << question.text;
      }
    }
  }
}

TEST_P(Verdicts, AreRightInAbstraction) {
  Case item = read_case(std::filesystem::path(AVR_VERDICT_SOURCES) / (GetParam() + ".c"));
  for (const Question& question : item.questions) {
    for (int coarser : {0, 2, 6}) {
      if (item.only_abstract && coarser != 0) continue;
      std::string answer = ask_abstract(item, question, coarser);
      if (answer.empty() && !item.only_abstract) continue;
      EXPECT_TRUE(answer.starts_with(question.answer + " ") && answer.find(question.text) != std::string::npos)
          << item.name << " abstract: " << question.formula << ": " << answer << "; should be: " << question.answer << " "
          << question.text;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Programs, Verdicts, testing::ValuesIn(names()), [](const auto& item) { return item.param; });

}  // namespace
}  // namespace whittle::avr
