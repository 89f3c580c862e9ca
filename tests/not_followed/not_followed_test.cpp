// Every reason to end a path as not followed x every engine. Where the violation lies beyond the reason no engine may
// answer `true`; where no run gets there it may, and some engine does.
#include <gtest/gtest.h>

#include <cstdlib>

#include "app/registry.h"
#include "engines/programs.h"
#include "exec/runner.h"
#include "not_followed/reasons.h"

namespace whittle::test {
namespace {

using verdict::Answer;

struct How {
  std::string engine;
  std::vector<std::pair<std::string, std::string>> options;
};

const std::vector<How>& all_engines() {
  static const std::vector<How> kEngines{
      {"test", {{"test-runs", "50"}}}, {"explicit", {}}, {"explicit", {{"values", "symbolic"}}},
      {"dpr", {}},  {"guided", {}}, {"dash", {}}, {"crowd", {}}, {"auto", {{"vacuity", "no"}}}};
  return kEngines;
}

verdict::Specification unreach_call() {
  verdict::Specification specification = verdict::default_specification();
  specification.properties = {verdict::Property::UnreachCall};
  return specification;
}

/// Nothing if the engine cannot try.
std::optional<verdict::Verdict> check(const program::Program& program, const How& how,
                                      const verdict::Specification& specification) {
  for (auto& engine : app::make_engines()) {
    if (engine->name() != how.engine) continue;
    if (engine->supports(program, specification)) return std::nullopt;
    engines::Settings settings;
    for (const auto& [name, value] : how.options) settings.set(name, value);
    Limits limits;
    limits.set_timeout(1);  // a wrong `true` comes at once
    limits.set_memory(uint64_t{2} << 30);
    Statistics statistics;
    Progress progress(false);
    Context context{limits, statistics, progress};
    return engine->run(program, specification, settings, context);
  }
  ADD_FAILURE() << "no engine " << how.engine;
  return std::nullopt;
}

std::string label(const How& how) {
  std::string text = how.engine;
  for (const auto& [name, value] : how.options) text += " --" + name + " " + value;
  return text;
}

bool assumes_definedness(const verdict::Verdict& verdict) {
  for (const std::string& line : verdict.assumptions)
    if (line.find("undefined behaviour") != std::string::npos) return true;
  return false;
}

/// The machine stops where the reason says, so the program is about it.
void machine_stops(const program::Program& program, const Reason& reason, const verdict::Specification& specification) {
  exec::RunResult run = exec::run(std::make_shared<exec::Code>(program, specification), {});
  ASSERT_EQ(run.end, exec::RunEnd::Cut) << reason.name;
  EXPECT_NE(run.reason.find(reason.says), std::string::npos) << reason.name << ": " << run.reason;
}

class NotFollowed : public testing::TestWithParam<Reason> {};

void never_true(const Reason& reason, Setting setting) {
  const std::string text = program_text(reason, setting);
  const verdict::Specification specification = unreach_call();
  program::Program program = load_text(text, specification);
  if (setting == Setting::First) machine_stops(program, reason, specification);
  for (const How& how : all_engines()) {
    auto verdict = check(program, how, specification);
    if (!verdict) continue;
    EXPECT_FALSE(verdict->answer == Answer::True && !(reason.undefined && assumes_definedness(*verdict)))
        << reason.name << " with " << label(how) << ": " << verdict->reason << "\n" << text;
  }
}

bool quick() { return std::getenv("WHITTLE_LONG") == nullptr; }

TEST_P(NotFollowed, First) { never_true(GetParam(), Setting::First); }
TEST_P(NotFollowed, InFunction) { never_true(GetParam(), Setting::InFunction); }
TEST_P(NotFollowed, UnderInput) {
  if (!quick()) never_true(GetParam(), Setting::UnderInput);
}
TEST_P(NotFollowed, InThread) {
  if (!quick() || GetParam().name.find("parameter") != std::string::npos) never_true(GetParam(), Setting::InThread);
}
TEST_P(NotFollowed, UnreachableDoesNoHarm) {
  const Reason& reason = GetParam();
  const std::string text = program_text(reason, Setting::Unreachable);
  const verdict::Specification specification = unreach_call();
  program::Program program = load_text(text, specification);
  unsigned proved = 0;
  for (const How& how : all_engines()) {
    auto verdict = check(program, how, specification);
    if (!verdict) continue;
    EXPECT_NE(verdict->answer, Answer::False) << reason.name << " with " << label(how) << "\n" << text;
    proved += verdict->answer == Answer::True;
  }
  EXPECT_GT(proved, 0u) << reason.name << "\n" << text;
}

INSTANTIATE_TEST_SUITE_P(Reasons, NotFollowed, testing::ValuesIn(reasons()), [](const auto& p) {
  std::string name = p.param.name;
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return name;
});

}  // namespace
}  // namespace whittle::test
