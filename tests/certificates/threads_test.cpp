// Proofs by threads: right programs whose proofs by crowd are accepted, and their wrong twins, for which nothing is: neither
// the proof of the right one under their name, nor what becomes of it when facts are taken away, added, exchanged or changed.
// WHITTLE_LONG=1: 1,000 damaged proofs and more, not 80.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/context.h"
#include "base/error.h"
#include "certificates/damage.h"
#include "engines/crowd/crowd_engine.h"
#include "engines/programs.h"
#include "proof/proof.h"

namespace whittle::proof {
namespace {

using nlohmann::json;

struct Twins {
  const char* name;
  const char* text;  ///< RIGHT_OR_WRONG stands for one of:
  const char *right, *wrong;
};

constexpr const char* kPrelude = R"(
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void __VERIFIER_assume(int);
void reach_error(void) {}
static void start_many(void* (*f)(void*), void* argument) {
  pthread_t t;
  while (1) pthread_create(&t, 0, f, argument);
}
)";

constexpr Twins kTwins[] = {
    {"what a mutex guards", R"(
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;
void* worker(void* a) {
  pthread_mutex_lock(&m);
  if (x != 0) reach_error();
  x = 1;
  x = RIGHT_OR_WRONG;
  pthread_mutex_unlock(&m);
  return a;
}
int main(void) { start_many(worker, 0); }
)", "0", "2"},
    {"the same mutex", R"(
pthread_mutex_t m[2];
int x;
void* worker(void* a) {
  pthread_mutex_lock(&m[0]);
  x = 3;
  if (x != 3) reach_error();
  pthread_mutex_unlock(&m[0]);
  return a;
}
void* other(void* a) {
  pthread_mutex_lock(&m[RIGHT_OR_WRONG]);
  x = 4;
  pthread_mutex_unlock(&m[RIGHT_OR_WRONG]);
  return a;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, other, 0);
  start_many(worker, 0);
}
)", "0", "1"},
    {"a lock by exchange", R"(
int lock, x;
void* worker(void* a) {
  while (__atomic_exchange_n(&lock, RIGHT_OR_WRONG, __ATOMIC_SEQ_CST) != 0) {}
  x = 1;
  if (x != 1) reach_error();
  x = 2;
  __atomic_store_n(&lock, 0, __ATOMIC_SEQ_CST);
  return a;
}
int main(void) { start_many(worker, 0); }
)", "1", "0"},
    {"what stays even", R"(
int x;
void* worker(void* a) {
  __VERIFIER_atomic_begin();
  x = x + RIGHT_OR_WRONG;
  __VERIFIER_atomic_end();
  __VERIFIER_atomic_begin();
  if (x % 2 != 0) reach_error();
  __VERIFIER_atomic_end();
  return a;
}
int main(void) { start_many(worker, 0); }
)", "2", "3"},
    {"arguments", R"(
void* worker(void* a) {
  int n = (int)(long)a;
  if (n >= 7) reach_error();
  return a;
}
int main(void) {
  pthread_t t;
  for (int i = 0; i < RIGHT_OR_WRONG; i++) pthread_create(&t, 0, worker, (void*)(long)i);
  return 0;
}
)", "7", "8"},
    {"memory of its own", R"(
int limit = 5;
void* worker(void* a) {
  int own[2];
  int* p = &own[0];
  *p = limit;
  own[1] = *p + RIGHT_OR_WRONG;
  if (own[1] > 9) reach_error();
  return a;
}
int main(void) { start_many(worker, 0); }
)", "4", "5"},
    {"one thread only", R"(
int x;
void* worker(void* a) {
  x = 1;
  if (x != 1) reach_error();
  x = 0;
  return a;
}
int main(void) {
  pthread_t t;
  for (int i = 0; i < RIGHT_OR_WRONG; i++) {
    if (i == 1) x = 5;
    pthread_create(&t, 0, worker, 0);
  }
  return 0;
}
)", "1", "2"},
    {"whoever says so first", R"(
int flag1, flag2, x;
void* one(void* a) {
  flag1 = RIGHT_OR_WRONG;
  if (flag2 == 0) {
    x = 0;
    if (x > 0) reach_error();
  }
  flag1 = 0;
  return a;
}
void* two(void* a) {
  flag2 = 1;
  if (flag1 == 0) {
    x = 1;
    if (x < 1) reach_error();
  }
  flag2 = 0;
  return a;
}
int main(void) {
  pthread_t t1, t2;
  pthread_create(&t1, 0, one, 0);
  pthread_create(&t2, 0, two, 0);
  return 0;
}
)", "1", "0"},
    {"a copy for each thread", R"(
int x;
__thread char seen;
void* worker(void* a) {
  seen = RIGHT_OR_WRONG;
  x = 0;
  if (seen == 0) reach_error();
  return a;
}
int main(void) { start_many(worker, 0); }
)", "1", "0"},
    {"what holds while a lock is free", R"(
int lock, count;
static void __VERIFIER_atomic_take(void) { __VERIFIER_assume(lock == 0); lock = 1; }
static void __VERIFIER_atomic_give(void) { __VERIFIER_assume(lock == 1); lock = 0; }
void* worker(void* a) {
  __VERIFIER_atomic_take();
  count++;
  count RIGHT_OR_WRONG;
  __VERIFIER_atomic_give();
  __VERIFIER_atomic_take();
  if (count != 0) reach_error();
  __VERIFIER_atomic_give();
  return a;
}
int main(void) { start_many(worker, 0); }
)", "--", "+= 0"},
    {"places in an array", R"(
int memory[40], next, top;
static void take(int* place) {
  __VERIFIER_atomic_begin();
  *place = next;
  if (next < RIGHT_OR_WRONG) next = next + 1;
  __VERIFIER_atomic_end();
}
void* worker(void* a) {
  int place = -1;
  take(&place);
  if (place > 39) reach_error();
  if (place < 39) memory[place] = 1 + memory[place + 1];
  top = place;
  if (top > 39) reach_error();
  return a;
}
int main(void) { start_many(worker, 0); }
)", "39", "40"},
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

/// What crowd says, and the proof it writes; empty if it writes none.
std::string proof_by_crowd(const program::Program& program, verdict::Verdict& verdict) {
  const std::string file = testing::TempDir() + "/threads_test.proof";
  std::ofstream(file).close();
  Limits limits;
  limits.set_timeout(60);
  Statistics statistics;
  Progress progress(false);
  Context context{limits, statistics, progress};
  engines::Settings settings;
  settings.set("proof", file);
  verdict = engines::crowd::CrowdEngine().run(program, reach(), settings, context);
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

Outcome outcome_of(const std::string& text, const program::Program& program) {
  Limits limits;
  limits.set_timeout(20);
  try {
    return check(read(text, program), program, reach(), limits);
  } catch (const Error& error) {
    return {false, true, error.what(), 0};
  }
}

/// A proof that claims to be one of this program.
json signed_for(const program::Program& program, json proof) {
  Proof empty;
  empty.kind = Proof::Kind::Threads;
  proof["program"] = json::parse(write(empty, program, reach()))["program"];
  return proof;
}

TEST(Threads, RightProgramsHaveProofsAndNoDamageMakesTheirTwinsRight) {
  const unsigned rounds = std::getenv("WHITTLE_LONG") ? 130 : 10;
  unsigned accepted = 0, refused = 0, still = 0;
  for (const Twins& twins : kTwins) {
    const program::Program right = test::load_text(text_of(twins, true), reach());
    const program::Program wrong = test::load_text(text_of(twins, false), reach());
    verdict::Verdict verdict;
    const std::string text = proof_by_crowd(right, verdict);
    ASSERT_EQ(verdict.answer, verdict::Answer::True) << twins.name << ": " << verdict.reason;
    ASSERT_FALSE(text.empty()) << twins.name << ": " << (verdict.notes.empty() ? "" : verdict.notes.back());
    const Outcome outcome = outcome_of(text, right);
    EXPECT_TRUE(outcome.valid) << twins.name << ": " << outcome.reason;
    accepted += outcome.valid;
    EXPECT_EQ(proof_by_crowd(wrong, verdict), "") << twins.name;
    EXPECT_NE(verdict.answer, verdict::Answer::True) << twins.name;
    const json proof = json::parse(text);
    EXPECT_FALSE(outcome_of(proof.dump(), wrong).valid);
    EXPECT_FALSE(outcome_of(signed_for(wrong, proof).dump(), wrong).valid) << twins.name;
    for (unsigned round = 0; round < rounds; ++round) {
      Damage damage(round);
      json damaged = proof;
      for (unsigned n = 0; n <= round % 3; ++n) damage.once(damaged, {"places"});
      const Outcome of_wrong = outcome_of(signed_for(wrong, damaged).dump(), wrong);
      EXPECT_FALSE(of_wrong.valid) << twins.name << ", round " << round << "\n" << damaged.dump(1);
      refused += !of_wrong.valid;
      if (round % 4 == 0) still += outcome_of(damaged.dump(), right).valid;
    }
  }
  fmt::print("{} accepted, {} damaged ones of twins refused, {} damaged ones still fine\n", accepted, refused, still);
  EXPECT_GT(still, 0u);
}

}  // namespace
}  // namespace whittle::proof
