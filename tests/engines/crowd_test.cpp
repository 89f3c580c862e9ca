// crowd on random threaded programs: what it proves for any number of threads, the explicit engine must not refute for
// a few. And programs of which each is wrong only because of one rule that a proof could forget.
#include <gtest/gtest.h>

#include "engines/crowd/crowd_engine.h"
#include "engines/crowd_programs.h"
#include "engines/explicit/explicit_engine.h"
#include "engines/programs.h"
#include "engines/stops.h"

namespace whittle::engines::crowd {
namespace {

using verdict::Answer;
using verdict::Property;
using verdict::Specification;

template <typename Engine>
verdict::Verdict run(const program::Program& program, const Settings& settings = {}, Property property = Property::UnreachCall) {
  Specification specification;
  specification.properties = {property};
  Limits limits;
  Statistics statistics;
  Progress progress(false);
  Context context{limits, statistics, progress};
  if (const auto why = Engine().supports(program, specification)) {
    verdict::Verdict refused;
    refused.reason = *why;
    return refused;
  }
  return Engine().run(program, specification, settings, context);
}

verdict::Verdict check(const std::string& text, bool counting, Property property = Property::UnreachCall) {
  program::Program program = test::load_text(test::kCrowdBegin + text);
  Settings settings;
  if (!counting) settings.set("crowd-counting", "no");
  return run<CrowdEngine>(program, settings, property);
}

TEST(Random, WhatIsProvedForManyHoldsForFew) {
  unsigned programs = test::program_count(60, 3000), proved = 0, compared = 0, refuted = 0;
  for (uint64_t seed = 1; seed <= programs; ++seed) {
    std::string text = test::crowd_program(seed);
    program::Program program = test::load_text(text);
    Settings settings;
    if (seed % 10 != 0) settings.set("crowd-counting", "no");
    verdict::Verdict verdict = run<CrowdEngine>(program, settings);
    ASSERT_NE(verdict.answer, Answer::False);
    if (verdict.answer != Answer::True) continue;
    ++proved;
    settings = {};
    verdict::Verdict exact = run<explicit_::ExplicitEngine>(program, settings);
    ASSERT_NE(exact.answer, Answer::False) << "seed " << seed << "\n" << text << verdict.reason;
    compared += exact.answer == Answer::True;
    refuted += exact.answer == Answer::False;
  }
  EXPECT_GT(proved, programs / 20);
  EXPECT_GT(compared, proved / 2);
  RecordProperty("proved", static_cast<int>(proved));
  RecordProperty("compared", static_cast<int>(compared));
}

/// Returns how often the search was stopped.
unsigned stop_and_go_on(const std::string& text, const Settings& settings) {
  const program::Program program = test::load_text(text);
  const verdict::Verdict whole = run<CrowdEngine>(program, settings);
  Specification specification;
  specification.properties = {Property::UnreachCall};
  const test::Stopped stopped = test::with_stops<CrowdEngine>(program, "crowd", specification, 0.01, settings);
  EXPECT_EQ(stopped.verdict.answer, whole.answer) << text << stopped.verdict.reason << " / " << whole.reason;
  return stopped.stops;
}

TEST(Random, AStoppedSearchGoesOn) {
  Settings settings;
  settings.set("crowd-counting", "no");
  unsigned stops = 0;
  for (uint64_t seed = 1; seed <= test::program_count(4, 200); ++seed) stops += stop_and_go_on(test::crowd_program(seed), settings);
  EXPECT_GT(stops, 0u);
}

// Counting takes minutes for some random programs.
TEST(Stops, ASearchThatCountsGoesOn) {
  EXPECT_GT(stop_and_go_on(std::string(test::kCrowdBegin) +
                               "int in, out;\nvoid *f(void *a) { __VERIFIER_atomic_begin(); in++; __VERIFIER_atomic_end(); "
                               "__VERIFIER_atomic_begin(); assert(out < in); out++; __VERIFIER_atomic_end(); return 0; }\n"
                               "int main(void) { pthread_t t; for (;;) pthread_create(&t, 0, f, 0); }\n",
                           {}),
            0u);
}

TEST(Random, WithoutRacesForManyMeansForFew) {
  unsigned programs = test::program_count(20, 2000), proved = 0, racy = 0;
  for (uint64_t seed = 1; seed <= programs; ++seed) {
    const std::string text = test::crowd_program(seed);
    program::Program program = test::load_text(text);
    Settings settings;
    settings.set("crowd-counting", "no");
    const verdict::Verdict verdict = run<CrowdEngine>(program, settings, Property::NoDataRace);
    ASSERT_NE(verdict.answer, Answer::False);
    const Answer exact = run<explicit_::ExplicitEngine>(program, {}, Property::NoDataRace).answer;
    racy += exact == Answer::False;
    if (verdict.answer != Answer::True) continue;
    ++proved;
    ASSERT_NE(exact, Answer::False) << "seed " << seed << "\n" << text << verdict.reason;
  }
  EXPECT_GT(proved, programs / 30);
  EXPECT_GT(racy, programs / 10);
  RecordProperty("proved", static_cast<int>(proved));
}

struct Race {
  const char* name;
  Answer answer;
  const char* text;
};

class Races : public testing::TestWithParam<Race> {};

TEST_P(Races, Answer) {
  const verdict::Verdict verdict = check(GetParam().text, true, Property::NoDataRace);
  EXPECT_EQ(verdict.answer, GetParam().answer) << verdict.reason;
}

INSTANTIATE_TEST_SUITE_P(
    Crowd, Races,
    testing::Values(
        Race{"under_a_lock", Answer::True,
             "int c;\nvoid *f(void *a) { pthread_mutex_lock(&lock); c++; pthread_mutex_unlock(&lock); return 0; }\n"
             "int main(void) { pthread_t t; c = 3; for (;;) pthread_create(&t, 0, f, 0); }\n"},
        Race{"under_two_locks", Answer::Unknown,
             "int c;\npthread_mutex_t second;\n"
             "void *f(void *a) { pthread_mutex_lock(&lock); c++; pthread_mutex_unlock(&lock); return 0; }\n"
             "void *g(void *a) { pthread_mutex_lock(&second); c++; pthread_mutex_unlock(&second); return 0; }\n"
             "int main(void) { pthread_t t; for (;;) { pthread_create(&t, 0, f, 0); pthread_create(&t, 0, g, 0); } }\n"},
        Race{"a_plain_read_beside_a_section", Answer::Unknown,
             "int c;\nvoid *f(void *a) { __VERIFIER_atomic_begin(); c = 1; __VERIFIER_atomic_end(); return 0; }\n"
             "int main(void) { pthread_t t; for (;;) { pthread_create(&t, 0, f, 0); if (c) break; } return 0; }\n"},
        Race{"atomic_accesses", Answer::True,
             "_Atomic int c;\nvoid *f(void *a) { c = c + 1; return 0; }\n"
             "int main(void) { pthread_t t; for (;;) pthread_create(&t, 0, f, 0); }\n"},
        Race{"handed_over_by_an_atomic_flag", Answer::True,
             "_Atomic int set;\nint c;\nvoid *f(void *a) { if (set) return (void *)(long)c; return 0; }\n"
             "int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); c = 1; set = 1; }\n"},
        Race{"handed_over_by_a_relaxed_flag", Answer::Unknown,
             "#include <stdatomic.h>\natomic_int set;\nint c;\n"
             "void *f(void *a) { if (atomic_load_explicit(&set, memory_order_relaxed)) return (void *)(long)c; return 0; }\n"
             "int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); c = 1; set = 1; }\n"},
        Race{"after_the_join", Answer::True,
             "int c;\nvoid *f(void *a) { c = 1; return 0; }\n"
             "int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_join(t, 0); c = 2; }\n"},
        Race{"before_the_join", Answer::Unknown,
             "int c;\nvoid *f(void *a) { c = 1; return 0; }\n"
             "int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); c = 2; pthread_join(t, 0); }\n"},
        Race{"the_number_of_a_thread", Answer::Unknown,
             "void *f(void *a) { return (void *)named; }\n"
             "int main(void) { pthread_create(&named, 0, f, 0); pthread_join(named, 0); }\n"},
        Race{"a_lock_made_while_it_is_used", Answer::Unknown,
             "void *f(void *a) { pthread_mutex_lock(&lock); pthread_mutex_unlock(&lock); return 0; }\n"
             "int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_mutex_init(&lock, 0); }\n"},
        Race{"elements_of_their_own", Answer::True,
             "int a[2];\nvoid *f(void *p) { for (int i = 0; i < 9; i++) a[0] = a[0] + i; return 0; }\n"
             "void *g(void *p) { for (int i = 0; i < 9; i++) a[1] = a[1] + i; return 0; }\n"
             "int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_create(&t, 0, g, 0); }\n"},
        Race{"written_while_it_is_printed", Answer::Unknown,
             "#include <unistd.h>\nchar text[2] = \"a\";\nvoid *f(void *p) { text[0] = 'b'; return 0; }\n"
             "int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); write(1, text, 1); }\n"}),
    [](const auto& tested) { return tested.param.name; });

struct Case {
  const char* name;
  Answer answer;
  const char* text;
};

class Programs : public testing::TestWithParam<Case> {};

TEST_P(Programs, Answer) {
  // Where counting has nothing to say it only takes time.
  bool counting = GetParam().answer == Answer::True || std::string_view(GetParam().name) == "one_more_than_started";
  verdict::Verdict verdict = check(GetParam().text, counting);
  EXPECT_EQ(verdict.answer, GetParam().answer) << verdict.reason;
}

INSTANTIATE_TEST_SUITE_P(
    Proved, Programs,
    testing::Values(Case{"copied_locals", Answer::True,
                         "struct P { int a, b; };\nvoid see(struct P *p) { assert(p->a == 1 && p->b == 2); }\n"
                         "void *f(void *a) { for (;;) { struct P p = {1, 2}, q; int l; __VERIFIER_atomic_swap(&m, 0, 0, "
                         "&l); q = p; see(&q); } }\n"
                         "int main(void) { pthread_t t; for (;;) pthread_create(&t, 0, f, 0); }\n"},
                    Case{"only_the_first_one_goes_on", Answer::True,
             "unsigned r, s;\nvoid __VERIFIER_atomic_more(void) { __VERIFIER_assume(r != -1); r = r + 1; }\n"
             "void *f(void *a) { unsigned l = 0; __VERIFIER_atomic_more(); if (r == 1) for (;;) { s = s + 1; l = l + 1; assert(s == l); } "
             "return 0; }\nint main(void) { pthread_t t; for (;;) pthread_create(&t, 0, f, 0); }\n"},
        Case{"one_of_two_functions_is_called", Answer::True,
             "int x;\nint one(int a) { return a; }\nint two(int a) { return 2 * a; }\n"
             "void *f(void *a) { int (*p)(int); if (__VERIFIER_nondet_bool()) p = one; else p = two; __VERIFIER_atomic_acquire(); "
             "x = p(3); __VERIFIER_atomic_release(); assert(x < 7); return 0; }\n"
             "int main(void) { pthread_t t; for (;;) pthread_create(&t, 0, f, 0); }\n"},
        Case{"spin_lock", Answer::True,
                         "int c;\nvoid *f(void *a) { pthread_spin_lock(&spin); c = 1; assert(c == 1); c = 0; "
                         "pthread_spin_unlock(&spin); return 0; }\n"
                         "int main(void) { pthread_t t; pthread_spin_init(&spin, 0); for (;;) pthread_create(&t, 0, f, 0); }\n"},
                    Case{"semaphore", Answer::True,
                         "int c;\nvoid *f(void *a) { sem_wait(&permits); c = 1; assert(c == 1); c = 0; sem_post(&permits); return 0; }\n"
                         "int main(void) { pthread_t t; sem_init(&permits, 0, 1); for (;;) pthread_create(&t, 0, f, 0); }\n"},
                    Case{"lock_if_it_is_free", Answer::True,
                         "int c;\nvoid *f(void *a) { if (pthread_mutex_trylock(&lock)) return 0; c = 1; assert(c == 1); c = 0; "
                         "pthread_mutex_unlock(&lock); return 0; }\n"
                         "int main(void) { pthread_t t; for (;;) pthread_create(&t, 0, f, 0); }\n"},
                    Case{"tickets", Answer::True,
                         "unsigned next, now;\nint c;\n"
                         "void __VERIFIER_atomic_draw(unsigned *l) { __VERIFIER_assume(next != -1); *l = next; next = next + 1; }\n"
                         "void *f(void *a) { unsigned l; __VERIFIER_atomic_draw(&l); while (now != l) {} c = 1; assert(c == 1); c = 0; "
                         "now++; return 0; }\n"
                         "int main(void) { pthread_t t; for (;;) pthread_create(&t, 0, f, 0); }\n"},
                    Case{"waits_for_two_threads", Answer::True,
                         "int a, b;\nvoid *f(void *p) { a = 1; return 0; }\n"
                         "void *g(void *p) { for (int i = 0; i < 1000; i++) { pthread_mutex_lock(&lock); if (b < 5) b++; "
                         "pthread_mutex_unlock(&lock); } return 0; }\n"
                         "int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_create(&named, 0, g, 0);\n"
                         "void *r; pthread_join(t, &r); assert(a == 1); pthread_join(named, 0); assert(b <= 5); b = 9; assert(b == 9); }\n"},
                    Case{"one_of_two_functions", Answer::True,
                         "int c;\nvoid *f(void *a) { int (*p)(int) = __VERIFIER_nondet_bool() ? up : flip; "
                         "pthread_mutex_lock(&lock); c = p(1); pthread_mutex_unlock(&lock); assert(c <= 2); return 0; }\n"
                         "int main(void) { pthread_t t; for (;;) pthread_create(&t, 0, f, 0); }\n"},
                    Case{"what_is_not_followed_is_not_reached", Answer::True,
                         "#include <stdio.h>\nint c;\nvoid *f(void *a) { if (c > 7) printf(\"%d\\n\", c); pthread_mutex_lock(&lock); "
                         "c = 1; pthread_mutex_unlock(&lock); return 0; }\n"
                         "int main(void) { pthread_t t; for (;;) pthread_create(&t, 0, f, 0); }\n"},
                    Case{"mutex", Answer::True,
                         "int c;\nvoid *f(void *a) { pthread_mutex_lock(&lock); c = 1; assert(c == 1); c = 0; "
                         "pthread_mutex_unlock(&lock); "
                         "return 0; }\nint main(void) { pthread_t t; for (;;) pthread_create(&t, 0, f, 0); }\n"},
                    Case{"increments", Answer::True,
                         "unsigned v;\nvoid *f(void *a) { unsigned r; __VERIFIER_atomic_acquire(); r = v; if (r == "
                         "~0u) return 0; v = r + 1; "
                         "__VERIFIER_atomic_release(); assert(v > r); return 0; }\n"
                         "int main(void) { pthread_t t; for (;;) pthread_create(&t, 0, f, 0); }\n"},
                    Case{"thread_local_variables_are_nobody_elses", Answer::True,
                         "_Thread_local int own = 3;\nvoid *f(void *a) { own++; assert(own == 4); return 0; }\n"
                         "int main(void) { pthread_t t; own = 9; for (;;) pthread_create(&t, 0, f, 0); }\n"},
                    Case{"balance", Answer::True,
                         "int in, out;\nvoid *f(void *a) { __VERIFIER_atomic_begin(); in++; __VERIFIER_atomic_end(); "
                         "__VERIFIER_atomic_begin(); "
                         "assert(out < in); out++; __VERIFIER_atomic_end(); return 0; }\n"
                         "int main(void) { pthread_t t; for (;;) pthread_create(&t, 0, f, 0); }\n"},
                    Case{"as_many_as_started", Answer::True,
                         "int x;\nvoid *f(void *a) { int r = x; x = r + 1; return 0; }\nvoid *g(void *a) { assert(x <= "
                         "5); return 0; }\n"
                         "int main(void) { pthread_t t; pthread_create(&t, 0, g, 0); for (int i = 0; i < 5; i++) "
                         "pthread_create(&t, 0, f, 0); "
                         "return 0; }\n"}),
    [](const auto& tested) { return tested.param.name; });

INSTANTIATE_TEST_SUITE_P(
    NotProved, Programs,
    testing::Values(
        Case{"local_begins_anew", Answer::Unknown,
                         "void __VERIFIER_atomic_see(int *at, int set) { if (set) *at = 1; else assert(*at == 1); }\n"
                         "void *f(void *a) { int set = 1; for (;;) { int l; __VERIFIER_atomic_see(&l, set); set = 0; } }\n"
                         "int main(void) { pthread_t t; for (;;) pthread_create(&t, 0, f, 0); }\n"},
                    Case{"copied_after_change", Answer::Unknown,
                         "struct P { int a, b; };\nvoid see(struct P *p) { assert(p->b == 2); }\n"
                         "void *f(void *a) { struct P p = {1, 2}, q; __VERIFIER_atomic_swap(&m, 0, 1, &p.b); q = p; see(&q); "
                         "return 0; }\n"
                         "int main(void) { pthread_t t; for (;;) pthread_create(&t, 0, f, 0); }\n"},
                    Case{"what_is_written_before_waiting_for_ever", Answer::Unknown,
             "int x;\nvoid *f(void *a) { x = 1; __VERIFIER_assume(0); return 0; }\n"
             "int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); assert(x == 0); return 0; }\n"},
        Case{"a_thread_started_just_before_the_end", Answer::Unknown,
             "int x = 1;\nvoid *f(void *a) { assert(x == 0); return 0; }\n"
             "int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); return 0; }\n"},
        Case{"what_is_not_followed_is_reached", Answer::Unknown,
             "#include <stdio.h>\nvoid *f(void *a) { printf(\"%d\\n\", 1); return 0; }\n"
             "int main(void) { pthread_t t; for (;;) pthread_create(&t, 0, f, 0); }\n"},
        Case{"waits_for_another_one", Answer::Unknown,
             "int a;\nvoid *f(void *p) { a = 1; return 0; }\nvoid *g(void *p) { return 0; }\n"
             "int main(void) { pthread_t s, t; pthread_create(&s, 0, f, 0); pthread_create(&t, 0, g, 0);\n"
             "pthread_join(t, 0); assert(a == 1); }\n"},
        Case{"waits_for_one_of_two", Answer::Unknown,
             "int a;\nvoid *f(void *p) { int r = a; a = r + 1; return 0; }\n"
             "int main(void) { for (int i = 0; i < 2; i++) pthread_create(&named, 0, f, 0); pthread_join(named, 0); assert(a == 2); }\n"},
        Case{"waits_in_the_step_in_which_it_goes_on", Answer::Unknown,
             "int a;\nvoid *f(void *p) { __VERIFIER_assume(a == 1); a = 2; return 0; }\n"
             "int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); a = 1; pthread_join(t, 0); assert(0); }\n"},
        Case{"a_number_that_others_see_late", Answer::Unknown,
             "void *f(void *p) { pthread_t mine = named; assert(mine != 0); return 0; }\n"
             "int main(void) { pthread_create(&named, 0, f, 0); pthread_join(named, 0); }\n"},
        Case{"semaphore_with_two_permits", Answer::Unknown,
             "int c;\nvoid *f(void *a) { sem_wait(&permits); c = 1; assert(c == 1); c = 0; sem_post(&permits); return 0; }\n"
             "int main(void) { pthread_t t; sem_init(&permits, 0, 2); for (;;) pthread_create(&t, 0, f, 0); }\n"},
        Case{"goes_on_without_the_lock", Answer::Unknown,
             "int c;\nvoid *f(void *a) { pthread_mutex_trylock(&lock); c = 1; assert(c == 1); c = 0; "
             "pthread_mutex_unlock(&lock); return 0; }\n"
             "int main(void) { pthread_t t; for (;;) pthread_create(&t, 0, f, 0); }\n"},
        Case{"the_same_ticket_twice", Answer::Unknown,
             "unsigned next, now;\nint c;\n"
             "void *f(void *a) { unsigned l = next; next = l + 1; while (now != l) {} c = 1; assert(c == 1); c = 0; now++; return 0; }\n"
             "int main(void) { pthread_t t; for (;;) pthread_create(&t, 0, f, 0); }\n"},
        Case{"something_is_run_at_the_end_of_a_thread", Answer::Unknown,
             "int c;\npthread_key_t key;\nvoid last(void *v) { c = 1; }\n"
             "void *f(void *a) { pthread_setspecific(key, &c); return 0; }\nvoid *g(void *a) { assert(c == 0); return 0; }\n"
             "int main(void) { pthread_t t; pthread_key_create(&key, last); for (;;) { pthread_create(&t, 0, f, 0); "
             "pthread_create(&t, 0, g, 0); } }\n"},
        Case{"two_of_one_kind", Answer::Unknown,
             "int c;\nvoid *f(void *a) { c = c + 1; assert(c == 1); c = 0; return 0; }\n"
             "int main(void) { pthread_t t; for (;;) pthread_create(&t, 0, f, 0); }\n"},
        Case{"one_more_than_started", Answer::Unknown,
             "int x;\nvoid *f(void *a) { int r = x; x = r + 1; return 0; }\nvoid *g(void *a) { assert(x < 5); return "
             "0; }\n"
             "int main(void) { pthread_t t; pthread_create(&t, 0, g, 0); for (int i = 0; i < 5; i++) "
             "pthread_create(&t, 0, f, 0); "
             "return 0; }\n"},
        Case{"a_lock_given_back_by_another", Answer::Unknown,
             "int c;\nvoid *f(void *a) { __VERIFIER_atomic_acquire(); c++; assert(c == 1); c--; "
             "__VERIFIER_atomic_release(); return 0; "
             "}\nvoid *g(void *a) { __VERIFIER_atomic_release(); return 0; }\n"
             "int main(void) { pthread_t t; pthread_create(&t, 0, g, 0); for (;;) pthread_create(&t, 0, f, 0); }\n"},
        Case{"a_local_object_is_new_in_each_round", Answer::Unknown,
             "int zero;\nvoid put(int *p) { if (__VERIFIER_nondet_bool()) *p = 1; }\n"
             "int once(int first) { int r; if (first) r = 1; put(&r); return r; }\n"
             "void *f(void *a) { once(1); zero = 0; assert(once(0) == 1); return 0; }\n"
             "int main(void) { pthread_t t; for (;;) pthread_create(&t, 0, f, 0); }\n"},
        Case{"a_local_address_that_others_have", Answer::Unknown,
             "int *p;\nvoid *f(void *a) { int r = 1; p = &r; assert(*p == 1); r = 2; return 0; }\n"
             "int main(void) { pthread_t t; for (;;) pthread_create(&t, 0, f, 0); }\n"},
        Case{"a_local_address_kept_from_an_earlier_call", Answer::Unknown,
             "int *f(int *old) { int here = 1; if (old) *old = 2; if (here != 1) return 0; return &here; }\n"
             "void *g(void *a) { return 0; }\n"
             "int main(void) { pthread_t t; int *p = 0; pthread_create(&t, 0, g, 0); for (int i = 0; i < 2; i++) p = "
             "f(p); "
             "return 0; }\n"},
        Case{"a_local_address_of_a_function_that_returned", Answer::Unknown,
             "int *f(void) { int here = 1; int *p = &here; return p; }\nvoid *g(void *a) { return 0; }\n"
             "int main(void) { pthread_t t; pthread_create(&t, 0, g, 0); assert(*f() == 1); return 0; }\n"},
        Case{"two_threads_started_in_one_atomic_section", Answer::Unknown,
             "void *f(void *a) { assert(0); return 0; }\nvoid *g(void *a) { return 0; }\n"
             "int main(void) { pthread_t t; for (;;) { __VERIFIER_atomic_begin(); pthread_create(&t, 0, f, 0); "
             "pthread_create(&t, 0, g, 0); __VERIFIER_atomic_end(); } }\n"},
        Case{"waiting_for_a_thread_in_an_atomic_section", Answer::Unknown,
             "int x;\nvoid *f(void *a) { x = 1; return 0; }\n"
             "int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); __VERIFIER_atomic_begin(); x = 0; "
             "pthread_join(t, 0); "
             "assert(x == 0); __VERIFIER_atomic_end(); return 0; }\n"},
        Case{"a_local_address_exchanged", Answer::Unknown,
             "int *g;\nvoid *f(void *a) { int r = 0; int *p = 0; __atomic_exchange_n(&p, &r, 5); g = p; assert(g == "
             "&r); "
             "return 0; }\nint main(void) { pthread_t t; for (;;) pthread_create(&t, 0, f, 0); }\n"},
        Case{"a_part_of_a_local_address", Answer::Unknown,
             "unsigned char g;\nvoid *f(void *a) { int r = 1; unsigned char c = (unsigned long)&r >> 20; g = c; "
             "assert(g == c); "
             "return 0; }\nint main(void) { pthread_t t; for (;;) pthread_create(&t, 0, f, 0); }\n"},
        Case{"many_ways_that_lead_nowhere", Answer::Unknown,
             "#define B if (__VERIFIER_nondet_bool()) n++; else n--;\n#define E B B B B B\nint x;\n"
             "void *f(void *a) { int n = x; E E E E E E __VERIFIER_assume(0); return 0; }\n"
             "int main(void) { pthread_t t; for (;;) pthread_create(&t, 0, f, 0); }\n"},
        Case{"waiting_gives_the_mutex_back", Answer::Unknown,
             "int c;\npthread_cond_t cond;\nvoid *f(void *a) { pthread_mutex_lock(&lock); c = 1; "
             "pthread_cond_wait(&cond, &lock); "
             "assert(c == 1); c = 0; pthread_mutex_unlock(&lock); return 0; }\n"
             "int main(void) { pthread_t t; for (;;) { pthread_create(&t, 0, f, 0); pthread_cond_broadcast(&cond); } "
             "}\n"},
        Case{"the_first_two_go_on", Answer::Unknown,
             "unsigned r, s;\nvoid __VERIFIER_atomic_more(void) { __VERIFIER_assume(r != -1); r = r + 1; }\n"
             "void *f(void *a) { unsigned l = 0; __VERIFIER_atomic_more(); if (r <= 2) for (;;) { s = s + 1; l = l + 1; assert(s == l); } "
             "return 0; }\nint main(void) { pthread_t t; for (;;) pthread_create(&t, 0, f, 0); }\n"},
        Case{"one_of_two_functions_gives_more", Answer::Unknown,
             "int x;\nint one(int a) { return a; }\nint two(int a) { return 3 * a; }\n"
             "void *f(void *a) { int (*p)(int); if (__VERIFIER_nondet_bool()) p = one; else p = two; __VERIFIER_atomic_acquire(); "
             "x = p(3); __VERIFIER_atomic_release(); assert(x < 7); return 0; }\n"
             "int main(void) { pthread_t t; for (;;) pthread_create(&t, 0, f, 0); }\n"},
        Case{"nothing_is_followed", Answer::Unknown,
             "int x;\nvoid *f(void *a) { x = *(int *)a; return 0; }\n"
             "int main(void) { pthread_t t; int own[2] = {0, 1}; for (int i = 0; i < 2; i++) pthread_create(&t, 0, f, &own[i]); return 0; }\n"},
        Case{"handlers_at_exit", Answer::Unknown,
             "#include <stdlib.h>\nint x;\nvoid last(void) { assert(x == 0); }\nvoid *f(void *a) { x = 1; return 0; }\n"
             "int main(void) { pthread_t t; atexit(last); pthread_create(&t, 0, f, 0); return 0; }\n"}),
    [](const auto& tested) { return tested.param.name; });

}  // namespace
}  // namespace whittle::engines::crowd
