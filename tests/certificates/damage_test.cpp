// Proofs by regions, by states and by paths: of right programs they are accepted, and whatever damage is done to them, none speaks
// for the wrong twin. WHITTLE_LONG=1: 1,000 damaged proofs of each kind and more.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "base/context.h"
#include "base/error.h"
#include "certificates/damage.h"
#include "engines/dash/dash_engine.h"
#include "engines/programs.h"
#include "proof/proof.h"
#include "proof/paths.h"
#include "proof/states.h"

namespace whittle::proof {
namespace {

using nlohmann::json;

struct Twins {
  const char* name;
  const char* text;  ///< RIGHT_OR_WRONG stands for one of:
  const char *right, *wrong;
};

constexpr const char* kPrelude = R"(
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}
)";

constexpr Twins kTwins[] = {
    {"a counter", R"(
int main(void) {
  int n = __VERIFIER_nondet_int(), i = 0;
  if (n < 0) return 0;
  while (i < n) i += RIGHT_OR_WRONG;
  if (i != n) reach_error();
})", "1", "2"},
    {"a call", R"(
static int larger(int a, int b) { return a < b ? RIGHT_OR_WRONG; }
int main(void) {
  int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int(), c = larger(a, b);
  if (c < a || c < b) reach_error();
})", "b : a", "a : b"},
    {"a lock", R"(
int locked, old, now;
static void lock(void) { if (locked) reach_error(); locked = 1; }
static void unlock(void) { if (!locked) reach_error(); locked = 0; }
int main(void) {
  do {
    lock();
    old = now;
    if (__VERIFIER_nondet_int()) { unlock(); now RIGHT_OR_WRONG; }
  } while (now != old);
  unlock();
})", "++", "+= 0"},
    {"an array", R"(
int a[6];
int main(void) {
  unsigned i, k = __VERIFIER_nondet_int();
  for (i = 0; i < RIGHT_OR_WRONG; i++) a[i] = 7;
  if (k < 6 && a[k] != 7) reach_error();
})", "6", "5"},
    {"a recursion", R"(
static int down(int n) { return n <= 0 ? RIGHT_OR_WRONG : down(n - 1); }
int main(void) { if (down(__VERIFIER_nondet_int()) != 3) reach_error(); })", "3", "4"},
    {"the heap", R"(
int main(void) {
  int *p = malloc(sizeof *p), *q = RIGHT_OR_WRONG, k = __VERIFIER_nondet_int();
  *p = k, *q = 2;
  if (*p != k) reach_error();
  free(p);
})", "malloc(sizeof *q)", "p"},
    {"pointers to variables", R"(
static void swap(int* a, int* b) { int t = *a; *a = *b; *b = t; }
int main(void) {
  int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int(), before = x;
  swap(&x, RIGHT_OR_WRONG);
  if (y != before) reach_error();
})", "&y", "&x"},
};

std::string text_of(const Twins& twins, bool right) {
  std::string text = std::string(kPrelude) + twins.text;
  const std::string mark = "RIGHT_OR_WRONG";
  for (size_t at; (at = text.find(mark)) != std::string::npos;) text.replace(at, mark.size(), right ? twins.right : twins.wrong);
  return text;
}

verdict::Specification reach() {
  verdict::Specification specification = verdict::default_specification();
  specification.properties = {verdict::Property::UnreachCall};
  return specification;
}

std::string proof_by_dash(const program::Program& program) {
  const std::string file = testing::TempDir() + "/damage_test.proof";
  std::remove(file.c_str());
  Limits limits;
  limits.set_timeout(60);
  Statistics statistics;
  Progress progress(false);
  Context context{limits, statistics, progress};
  engines::Settings settings;
  settings.set("proof", file);
  EXPECT_EQ(engines::dash::DashEngine().run(program, reach(), settings, context).answer, verdict::Answer::True);
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

Outcome outcome_of(const std::string& text, const program::Program& program) {
  Limits limits;
  limits.set_timeout(10);
  try {
    return check(read(text, program), program, reach(), limits);
  } catch (const Error& error) {
    return {false, true, error.what(), 0};
  }
}

/// What identifies the program, of another one.
json signed_for(const program::Program& program, json proof) {
  Proof empty;
  empty.kind = Proof::Kind::Run;
  proof["program"] = json::parse(write(empty, program, reach()))["program"];
  return proof;
}

struct Count {
  unsigned refused = 0, still = 0;
};

void damage(const Twins& twins, const std::string& text, const program::Program& right, const program::Program& wrong,
            const std::vector<std::string>& fields, unsigned rounds, Count& count) {
  const json proof = json::parse(text);
  EXPECT_FALSE(outcome_of(signed_for(wrong, proof).dump(), wrong).valid) << twins.name;
  for (unsigned round = 0; round < rounds; ++round) {
    Damage damage(round);
    json damaged = proof;
    for (unsigned n = 0; n <= round % 4; ++n) damage.once(damaged, fields);
    EXPECT_FALSE(outcome_of(signed_for(wrong, damaged).dump(), wrong).valid) << twins.name << ", round " << round << "\n" << damaged.dump(1);
    ++count.refused;
    if (round % 8 == 0) count.still += outcome_of(damaged.dump(), right).valid;
  }
}

unsigned rounds() { return std::getenv("WHITTLE_LONG") ? 300 : 12; }

TEST(Damage, OfProofsByRegions) {
  Count count;
  for (const Twins& twins : kTwins) {
    const program::Program right = test::load_text(text_of(twins, true), reach()), wrong = test::load_text(text_of(twins, false), reach());
    const std::string text = proof_by_dash(right);
    ASSERT_FALSE(text.empty()) << twins.name;
    const Outcome outcome = outcome_of(text, right);
    EXPECT_TRUE(outcome.valid) << twins.name << ": " << outcome.reason;
    EXPECT_EQ(json::parse(text)["kind"], "regions") << twins.name;
    damage(twins, text, right, wrong, {"functions", "objects", "entry"}, rounds(), count);
  }
  fmt::print("{} damaged ones of twins refused, {} damaged ones still fine\n", count.refused, count.still);
  EXPECT_GT(count.still, 0u);
}

/// Not of all: some have too many states, or paths.
void damage_what_is_gone_through(Proof::Kind kind, decltype(&check_states) check) {
  Count count;
  unsigned proved = 0;
  for (const Twins& twins : kTwins) {
    const program::Program right = test::load_text(text_of(twins, true), reach()), wrong = test::load_text(text_of(twins, false), reach());
    Limits limits;
    limits.set_timeout(2);
    Proof proof;
    proof.kind = kind;
    if (!check(right, reach(), limits, proof.space, {}).valid) continue;
    ++proved;
    damage(twins, write(proof, right, reach()), right, wrong, {"space", "kind"}, rounds(), count);
  }
  fmt::print("{} proofs, {} damaged ones of twins refused, {} damaged ones still fine\n", proved, count.refused, count.still);
  EXPECT_GT(proved, 2u);
}

/// 3^20 paths through one loop: states by rounds, not by paths.
TEST(Paths, AreJoinedWhereTheyMeet) {
  constexpr Twins kMany = {"many paths", R"(
int main(void) {
  unsigned i, n = 0, bits = 0;
  for (i = 0; i < 20; i++) {
    int c = __VERIFIER_nondet_int();
    if (c > 5) bits += 1u << i, n++;
    else if (c < -3) bits ^= 3u << i;
  }
  if (n > RIGHT_OR_WRONG) reach_error();
})", "20", "19"};
  for (bool right : {true, false}) {
    const program::Program program = test::load_text(text_of(kMany, right), reach());
    Limits limits;
    limits.set_timeout(60);
    StateSpace found;
    const Outcome outcome = check_paths(program, reach(), limits, found);
    EXPECT_EQ(outcome.valid, right) << outcome.reason;
    EXPECT_TRUE(outcome.decided) << outcome.reason;
    EXPECT_LT(found.states, 200u);
  }
}

TEST(Damage, OfProofsByStates) { damage_what_is_gone_through(Proof::Kind::States, check_states); }
TEST(Damage, OfProofsByPaths) { damage_what_is_gone_through(Proof::Kind::Paths, check_paths); }

}  // namespace
}  // namespace whittle::proof
