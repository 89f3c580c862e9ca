// Slices and busy waiting on programs whose answer is known.
#include "program/analysis/slice.h"

#include <gtest/gtest.h>

#include <set>

#include "program/parse.h"

namespace whittle::program::analysis {
namespace {

using verdict::Property;

struct Sliced {
  explicit Sliced(const std::string& text, std::set<Property> properties = {Property::UnreachCall})
      : program(parse_text(text)),
        calls(program),
        points(program, calls),
        slice(program, calls, points, {.properties = std::move(properties)}) {}

  std::set<uint32_t> edges(FunctionId f) const {
    std::set<uint32_t> answer;
    for (uint32_t e = 0; e < program.functions[f].edges.size(); ++e)
      if (slice.relevant(f, e)) answer.insert(e);
    return answer;
  }

  Program program;
  CallGraph calls;
  PointsTo points;
  Slice slice;
};
using Edges = std::set<uint32_t>;

constexpr const char* kObjects = R"(program LP64
entry 0
object 0 "x" at 0x101000 size 4 align 4
object 1 "y" at 0x103000 size 4 align 4
object 2 "p" at 0x105000 size 8 align 8
object 3 "lock" at 0x107000 size 4 align 4
)";

// if (p) y = v; z = w * 5; if (q) x = z * 2; assert(x);
TEST(Slice, DataAndControl) {
  Sliced s(std::string(kObjects) + R"(
function 0 "main" returns 0 entry 0 locations 12 parameters 0
  register 0 1 "p"
  register 1 1 "q"
  register 2 32 "w"
  register 3 32 "z"
  register 4 32 "a"
  0 -> 1: p.0 := nondet input "p"
  1 -> 2: q.1 := nondet input "q"
  2 -> 3: w.2 := nondet input "w"
  3 -> 4: assume(p.0)
  3 -> 5: assume(!p.0)
  4 -> 5: store.32(&y, 1:32)
  5 -> 6: z.3 := (w.2 * 5)
  6 -> 7: assume(q.1)
  6 -> 8: assume(!q.1)
  7 -> 8: store.32(&x, z.3)
  8 -> 9: a.4 := load.32(&x)
  9 -> 10: check((a.4 != 0)) property unreach-call "x"
  10: halt(0:32) "exit"
)");
  EXPECT_EQ(s.edges(0), (Edges{1, 2, 6, 7, 8, 9, 10, 11, 12}));
  EXPECT_FALSE(s.slice.branch(0, 3));
  EXPECT_TRUE(s.slice.branch(0, 6));
  EXPECT_FALSE(s.slice.interleaves(0, 5)) << "no one asks for y";
  EXPECT_FALSE(s.slice.interleaves(0, 9)) << "there is one thread only";
  EXPECT_LT(s.slice.size(), s.slice.statements());
}

TEST(Slice, OtherThreadsPointersParametersAndResults) {
  Sliced s(std::string(kObjects) + R"(
function 0 "main" returns 0 entry 0 locations 6 parameters 0
  register 0 32 "t"
  register 1 32 "a"
  register 2 32 "b"
  0 -> 1: t.0 := spawn(@worker, &x, 7)
  1 -> 2: a.1 := call twice(3:32, 4:32)
  2 -> 3: check((a.1 != 0)) property unreach-call "a"
  3 -> 4: b.2 := load.32(&y)
  4: halt(b.2) "exit"

function 1 "worker" returns 0 entry 0 locations 4 parameters 2
  register 0 64 "where"
  register 1 64 "what"
  0 -> 1: store.64(where.0, what.1)
  1 -> 2: store.32(&y, 1:32)
  2: return

function 2 "twice" returns 32 entry 0 locations 4 parameters 2
  register 0 32 "unused"
  register 1 32 "used"
  register 2 32 "seen"
  0 -> 1: seen.2 := load.32(&x)
  1 -> 2: unused.0 := (unused.0 + 1)
  2: return((used.1 + seen.2))
)");
  EXPECT_EQ(s.edges(1), Edges{0}) << "x through the parameter; y and the return matter to no one";
  EXPECT_EQ(s.edges(2), (Edges{0, 2}));
  EXPECT_TRUE(s.slice.relevant(0, 0)) << "the one who writes x is started there";
  EXPECT_FALSE(s.slice.relevant(0, 3));
  EXPECT_TRUE(s.slice.interleaves(1, 0));
  EXPECT_TRUE(s.slice.interleaves(2, 0)) << "the two meet";
  EXPECT_FALSE(s.slice.interleaves(1, 1)) << "no one asks for y";
}

// What an access may fail for is its address; who writes to the same memory is another question.
TEST(Slice, AddressesWithoutContents) {
  const std::string text = std::string(kObjects) + R"(
function 0 "main" returns 0 entry 0 locations 8 parameters 0
  register 0 32 "t"
  register 1 32 "i"
  register 2 32 "a"
  register 3 32 "b"
  0 -> 1: t.0 := spawn(@worker, 0, 0)
  1 -> 2: i.1 := nondet input "i"
  2 -> 3: a.2 := load.32((&x + (zext.64(i.1) * 4)))
  3 -> 4: store.32((&x + (zext.64(i.1) * 4)), a.2)
  4 -> 5: b.3 := load.32(&y)
  5 -> 6: check((b.3 == 0)) property unreach-call "y"
  6: halt(0:32) "exit"

function 1 "worker" returns 0 entry 0 locations 4 parameters 2
  register 0 64 "a"
  register 1 64 "b"
  register 2 32 "c"
  0 -> 1: store.32(&x, 1:32)
  1 -> 2: c.2 := load.32(&y)
  2: return
)";
  Sliced s(text, {Property::UnreachCall, Property::ValidDeref});
  EXPECT_TRUE(s.slice.relevant(0, 2));
  EXPECT_TRUE(s.slice.relevant(0, 3));
  EXPECT_TRUE(s.slice.relevant(0, 1)) << "part of the address";
  EXPECT_FALSE(s.slice.interleaves(0, 2)) << "what is read is of no interest, and x does not end";
  EXPECT_FALSE(s.slice.interleaves(0, 3));
  EXPECT_FALSE(s.slice.interleaves(1, 0));
  EXPECT_FALSE(s.slice.interleaves(0, 4)) << "no one writes y";
}

// Memory that may be freed meanwhile.
TEST(Slice, AddressesOfWhatMayEnd) {
  Sliced s(std::string(kObjects) + R"(
function 0 "main" returns 0 entry 0 locations 8 parameters 0
  register 0 64 "h"
  register 1 32 "t"
  0 -> 1: h.0 := heap_alloc(4, 1)
  1 -> 2: t.1 := spawn(@worker, h.0, 0)
  2 -> 3: store.32(h.0, 1:32)
  3 -> 4: store.32(&x, 1:32)
  4: halt(0:32) "exit"

function 1 "worker" returns 0 entry 0 locations 4 parameters 2
  register 0 64 "a"
  register 1 64 "b"
  0 -> 1: heap_free(a.0)
  1: return
)",
           {Property::ValidDeref});
  EXPECT_TRUE(s.slice.interleaves(0, 2));
  EXPECT_TRUE(s.slice.interleaves(1, 0));
  EXPECT_FALSE(s.slice.interleaves(0, 3));
}

// A parameter that is the same everywhere: its accesses cannot fail, and what is after `if (null)` is never done.
TEST(Slice, FewValues) {
  Sliced s(std::string(kObjects) + R"(
function 0 "main" returns 0 entry 0 locations 5 parameters 0
  register 0 32 "t"
  0 -> 1: t.0 := spawn(@worker, 0, 0)
  1 -> 2: call use(&y, 0:64)
  2 -> 3: call use(&x, 0:64)
  3 -> 4: check((t.0 == 1)) property unreach-call "t"
  4: halt(0:32) "exit"

function 1 "worker" returns 0 entry 0 locations 4 parameters 2
  register 0 64 "a"
  register 1 64 "b"
  0 -> 1: store.32(&y, 1:32)
  1: return

function 2 "use" returns 0 entry 0 locations 6 parameters 2
  register 0 64 "where"
  register 1 64 "never"
  register 2 32 "a"
  0 -> 1: a.2 := load.32(where.0)
  1 -> 2: assume((a.2 == 0))
  1 -> 4: assume((a.2 != 0))
  2 -> 3: assume((never.1 == 0))
  2 -> 5: assume((never.1 != 0))
  3 -> 4: store.32(where.0, 1:32)
  4: return
  5 -> 4: store.32(never.1, 1:32)
)",
           {Property::UnreachCall, Property::ValidDeref});
  EXPECT_EQ(s.edges(2), Edges{}) << "nothing in there can fail";
  EXPECT_FALSE(s.slice.interleaves(1, 0));
}

TEST(Slice, WhateverDelays) {
  Sliced s(std::string(kObjects) + R"(
function 0 "main" returns 0 entry 0 locations 14 parameters 0
  register 0 32 "a"
  register 1 32 "i"
  register 2 1 "c"
  register 3 32 "t"
  0 -> 1: t.3 := spawn(@worker, 0, 0)
  1 -> 2: await.32(&lock, -1, 0, 0)
  2 -> 3: atomic_end
  3 -> 4: a.0 := load.32(&y)
  4 -> 3: assume((a.0 == 0))
  4 -> 5: assume((a.0 != 0))
  5 -> 6: i.1 := 0
  6 -> 7: assume((i.1 <u 10))
  6 -> 8: assume(!(i.1 <u 10))
  7 -> 6: i.1 := (i.1 + 1)
  8 -> 9: c.2 := nondet input "c"
  9 -> 10: assume(c.2)
  10 -> 11: check((t.3 == 1)) property unreach-call "t"
  11: halt(0:32) "exit"

function 1 "worker" returns 0 entry 0 locations 4 parameters 2
  register 0 64 "a"
  register 1 64 "b"
  0 -> 1: store.32(&lock, 1:32)
  1 -> 2: store.32(&y, 1:32)
  2 -> 3: store.32(&x, 1:32)
  3: return
)");
  EXPECT_TRUE(s.slice.relevant(0, 1)) << "waiting";
  EXPECT_TRUE(s.slice.relevant(1, 0)) << "what is waited for";
  EXPECT_TRUE(s.slice.branch(0, 4)) << "may never end";
  EXPECT_TRUE(s.slice.relevant(1, 1));
  EXPECT_FALSE(s.slice.branch(0, 6)) << "ends for itself";
  EXPECT_TRUE(s.slice.relevant(0, 11)) << "an assumption";
  EXPECT_TRUE(s.slice.relevant(0, 10)) << "and what it is about";
  EXPECT_FALSE(s.slice.relevant(1, 2)) << "x";
}

// for (;;) { if (y) continue; if (x) error; }, and a loop that nothing leaves.
TEST(Slice, LoopsThatMayNeverEnd) {
  Sliced s(std::string(kObjects) + R"(
function 0 "main" returns 0 entry 0 locations 8 parameters 0
  register 0 32 "a"
  register 1 32 "b"
  register 2 32 "t"
  0 -> 1: t.2 := spawn(@worker, 0, 0)
  1 -> 2: a.0 := load.32(&y)
  2 -> 1: assume((a.0 != 0))
  2 -> 3: assume((a.0 == 0))
  3 -> 4: b.1 := load.32(&x)
  4 -> 1: assume((b.1 == 0))
  4 -> 5: assume((b.1 != 0))
  5: error property unreach-call "x"

function 1 "worker" returns 0 entry 0 locations 7 parameters 2
  register 0 64 "a"
  register 1 64 "b"
  register 2 32 "c"
  0 -> 1: c.2 := load.32(&lock)
  1 -> 2: assume((c.2 == 0))
  1 -> 3: assume((c.2 != 0))
  2 -> 2: yield
  3 -> 4: store.32(&y, 1:32)
  4 -> 5: store.32(&x, 1:32)
  5 -> 6: store.32(&lock, 1:32)
  6: return
)");
  EXPECT_TRUE(s.slice.branch(0, 2)) << "goes round, perhaps forever";
  EXPECT_TRUE(s.slice.interleaves(0, 1));
  EXPECT_TRUE(s.slice.interleaves(1, 4));
  EXPECT_TRUE(s.slice.branch(1, 1)) << "leads to a loop that nothing leaves";
}

TEST(Slice, MemorySafetyNeedsAddressesAndLives) {
  const std::string text = std::string(kObjects) + R"(
function 0 "main" returns 0 entry 0 locations 8 parameters 0
  register 0 64 "h"
  register 1 64 "q"
  register 2 32 "t"
  0 -> 1: h.0 := heap_alloc(4, 1)
  1 -> 2: store.64(&p, h.0)
  2 -> 3: t.2 := spawn(@worker, 0, 0)
  3 -> 4: q.1 := load.64(&p)
  4 -> 5: store.32(q.1, 1:32)
  5 -> 6: store.32(&x, 1:32)
  6: halt(0:32) "exit"

function 1 "worker" returns 0 entry 0 locations 4 parameters 2
  register 0 64 "a"
  register 1 64 "b"
  0 -> 1: a.0 := load.64(&p)
  1 -> 2: heap_free(a.0)
  2: return
)";
  Sliced s(text, {Property::ValidDeref});
  EXPECT_EQ(s.edges(0), (Edges{0, 1, 2, 3, 4, 6})) << "not the store to x";
  EXPECT_TRUE(s.slice.relevant(1, 0));
  EXPECT_TRUE(s.slice.relevant(1, 1));
  Sliced none(text, {Property::UnreachCall});
  EXPECT_EQ(none.slice.size(), 0u) << "nothing can be violated";
}

TEST(Slice, RegionsWithSomethingRelevantInside) {
  Sliced s(std::string(kObjects) + R"(
function 0 "main" returns 0 entry 0 locations 12 parameters 0
  register 0 32 "a"
  register 1 32 "t"
  0 -> 1: t.1 := spawn(@worker, 0, 0)
  1 -> 2: atomic_begin
  2 -> 3: store.32(&y, 1:32)
  3 -> 4: atomic_end
  4 -> 5: atomic_begin
  5 -> 6: a.0 := load.32(&x)
  6 -> 7: atomic_end
  7 -> 8: check((a.0 == 0)) property unreach-call "x"
  8: halt(0:32) "exit"

function 1 "worker" returns 0 entry 0 locations 4 parameters 2
  register 0 64 "a"
  register 1 64 "b"
  0 -> 1: atomic_begin
  1 -> 2: call set()
  2 -> 3: atomic_end
  3: return

function 2 "set" returns 0 entry 0 locations 2 parameters 0
  0 -> 1: store.32(&x, 1:32)
  1: return
)");
  EXPECT_FALSE(s.slice.interleaves(0, 1));
  EXPECT_TRUE(s.slice.interleaves(0, 4));
  EXPECT_TRUE(s.slice.interleaves(1, 0)) << "in a callee";
}

constexpr const char* kMutex = R"(
function 2 "pthread_mutex_lock" returns 32 entry 0 locations 4 parameters 1 runtime role lock_mutex
  register 0 64 "m"
  0 -> 1: await.32(m.0, -1, 0, 0)
  1 -> 2: store.32(m.0, 1:32)
  2 -> 3: atomic_end
  3: return(0:32)

function 3 "pthread_mutex_unlock" returns 32 entry 0 locations 4 parameters 1 runtime role unlock_mutex
  register 0 64 "m"
  0 -> 1: atomic_begin
  1 -> 2: store.32(m.0, 0:32)
  2 -> 3: atomic_end
  3: return(0:32)
)";

/// A thread that does something under a lock, and main, which takes the lock and asserts something of its own.
Sliced with_lock(const std::string& inside, const std::string& asserted) {
  return Sliced(std::string(kObjects) + R"(
function 0 "main" returns 0 entry 0 locations 8 parameters 0
  register 0 32 "t"
  register 1 32 "a"
  0 -> 1: t.0 := spawn(@worker, 0, 0)
  1 -> 2: a.1 := call pthread_mutex_lock(&lock)
  2 -> 3: store.32(&y, 1:32)
  3 -> 4: call pthread_mutex_unlock(&lock)
  4 -> 5: a.1 := load.32()" +
                asserted + R"()
  5 -> 6: check((a.1 == 0)) property unreach-call "a"
  6: halt(0:32) "exit"

function 1 "worker" returns 0 entry 0 locations 8 parameters 2
  register 0 64 "a"
  register 1 64 "b"
  register 2 32 "c"
  0 -> 1: c.2 := call pthread_mutex_lock(&lock)
)" + inside + kMutex);
}

TEST(Slice, WaitingThatEndsForItself) {
  const std::string leave = "  2 -> 3: c.2 := call pthread_mutex_unlock(&lock)\n  3: return\n";
  Sliced apart = with_lock("  1 -> 2: store.32(&y, 2:32)\n" + leave, "&x");
  EXPECT_FALSE(apart.slice.relevant(2, 0)) << "no one asks for y, and the lock is always given back";
  EXPECT_FALSE(apart.slice.relevant(3, 1));
  Sliced inside = with_lock("  1 -> 2: store.32(&x, 2:32)\n" + leave, "&x");
  EXPECT_TRUE(inside.slice.relevant(2, 0)) << "the order of what is done under the lock matters";
  EXPECT_TRUE(inside.slice.relevant(3, 1));
  Sliced kept = with_lock("  1 -> 2: store.32(&y, 2:32)\n  2: return\n", "&x");
  EXPECT_TRUE(kept.slice.relevant(2, 0)) << "the lock is not given back";
  Sliced twice = with_lock("  1 -> 2: c.2 := call pthread_mutex_lock(&p)\n" + leave, "&x");
  EXPECT_TRUE(twice.slice.relevant(2, 0)) << "waits under a lock";
  Sliced assumes = with_lock("  1 -> 2: assume((c.2 == 1))\n" + leave, "&x");
  EXPECT_TRUE(assumes.slice.relevant(2, 0)) << "may stop there";
}

// Busy waiting

}  // namespace
}  // namespace whittle::program::analysis
