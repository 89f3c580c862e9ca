// An engine that proves what it is asked in parts, but never the whole.
#include "engines/claims/claim_search.h"

#include <gtest/gtest.h>

#include "program/parse.h"

namespace whittle::engines {
namespace {

using verdict::Answer;
using verdict::Property;

class OneAtATime : public Engine {
 public:
  std::string_view name() const override { return "one"; }
  std::string_view description() const override { return ""; }
  std::optional<std::string> supports(const program::Program&, const verdict::Specification&) const override { return {}; }
  verdict::Verdict run(const program::Program&, const verdict::Specification& specification, const Settings&, Context&) override {
    verdict::Verdict verdict;
    verdict.engine = "one";
    verdict.reason = "too much at once";
    if (specification.properties == std::set<Property>{Property::NoDivByZero}) verdict.answer = Answer::True;
    return verdict;
  }
};

TEST(ClaimSearch, TellsWhatIsKnownSoFar) {
  program::Program program = program::parse_text(R"(program LP64
entry 0
file "a.c"
function 0 "main" returns 0 entry 0 locations 6 parameters 0
  register 0 32 "x"
  0 -> 1: x.0 := nondet input "__VERIFIER_nondet_int" @0:1:1
  1 -> 2: check((x.0 != 0)) property no-div-by-zero "division by zero" @0:2:1
  2 -> 3: assume((x.0 == 5)) @0:3:1
  2 -> 4: assume((x.0 != 5)) @0:3:1
  3: error property unreach-call "five" @0:3:9
  4: halt(0:32) "exit"
)");
  verdict::Specification specification;
  specification.properties = {Property::UnreachCall, Property::NoDivByZero};
  OneAtATime engine;
  Limits limits;
  limits.set_timeout(100);
  Statistics statistics;
  Progress progress(false);
  Context context{limits, statistics, progress, nullptr, nullptr};
  std::vector<verdict::Claims> told;
  ClaimOptions options;
  options.so_far = [&](const verdict::Verdict& verdict, const verdict::Claims& claims) {
    EXPECT_EQ(verdict.answer, Answer::Unknown);
    told.push_back(claims);
  };
  verdict::Claims claims;
  verdict::Verdict verdict = answer_claims(engine, program, specification, {}, options, context, claims);
  EXPECT_EQ(verdict.answer, Answer::Unknown);
  ASSERT_EQ(told.size(), 1u);
  for (const verdict::Claim& claim : told[0].claims)
    EXPECT_EQ(claim.answer, claim.property == Property::NoDivByZero ? Answer::True : Answer::Unknown);
}

}  // namespace
}  // namespace whittle::engines
