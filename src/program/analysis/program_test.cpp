// Analyses of whole programs on programs whose whole answer is known.
#include <gtest/gtest.h>

#include "program/analysis/analyses.h"
#include "program/analysis/endings.h"
#include "program/analysis/reachability.h"
#include "program/parse.h"
#include "program/print.h"

namespace whittle::program::analysis {
namespace {

using verdict::Property;

std::set<std::string> names(const Places& places, const BitSet& set) {
  std::set<std::string> answer;
  set.each([&](size_t p) { answer.insert(places.name(static_cast<PlaceId>(p))); });
  return answer;
}
using Names = std::set<std::string>;

constexpr const char* kThreads = R"(program LP64
entry 0
object 0 "x" at 0x101000 size 4 align 4
object 1 "table" at 0x103000 size 40 align 4
object 2 "p" at 0x105000 size 8 align 8 = 0x0010100000000000
object 3 "hook" at 0x107000 size 8 align 8 = 0x2010000000000000
object 4 "tls" at 0x107000 size 8 align 8 thread_local
object 5 "fixed" at 0x109000 size 8 align 8

function 0 "main" returns 0 entry 0 locations 14 parameters 0
  register 0 64 "a"
  register 1 64 "b"
  register 2 64 "q"
  register 3 32 "v"
  register 4 64 "k"
  register 5 64 "t"
  register 6 64 "h"
  0 -> 1: a.0 := stack_alloc(8) "private"
  1 -> 2: b.1 := stack_alloc(8) "handed over"
  2 -> 3: h.6 := heap_alloc(8, 0)
  3 -> 4: store.64(a.0, h.6)
  4 -> 5: q.2 := load.64(&p)
  5 -> 6: v.3 := load.32(q.2)
  6 -> 7: v.3 := load.32(((k.4 * 4) + 0x102e7c))
  7 -> 8: v.3 := spawn(@worker, b.1, 0)
  8 -> 9: t.5 := thread_local tls
  9 -> 10: store.64(t.5, a.0)
  10 -> 11: q.2 := load.64(&hook)
  11 -> 12: icall(q.2)
  12 -> 13: store.32(k.4, v.3)
  13: halt(0:32) "exit"

function 1 "worker" returns 0 entry 0 locations 2 parameters 2
  register 0 64 "argument"
  register 1 64 "unused"
  0 -> 1: store.32((argument.0 + 4), 1)
  1: return

function 2 "hooked" returns 0 entry 0 locations 3 parameters 0
  register 0 64 "v"
  0 -> 1: v.0 := load.64(&fixed)
  1 -> 2: check((v.0 == 0)) property unreach-call "v is 0"
  2: return

function 3 "never" returns 0 entry 0 locations 2 parameters 1
  register 0 64 "z"
  0 -> 1: store.64(z.0, 0)
  1: return
)";

class Threads : public testing::Test {
 protected:
  Program program = parse_text(kThreads);
  CallGraph calls{program};
  PointsTo points{program, calls};
  const Places& places = points.places();
  const Statement& statement(FunctionId f, uint32_t e) { return program.functions[f].edges[e].statement; }
  Names accessed(FunctionId f, uint32_t e) { return names(places, points.accessed(statement(f, e).operands[0])); }
};

TEST_F(Threads, CallGraph) {
  EXPECT_EQ(calls.callees(0), (std::vector<FunctionId>{2})) << "worker takes two arguments, hooked none";
  EXPECT_EQ(calls.spawned(0), (std::vector<FunctionId>{1}));
  EXPECT_EQ(calls.callers(2), (std::vector<FunctionId>{0}));
  EXPECT_TRUE(calls.address_taken(2)) << "in the initial bytes of hook";
  EXPECT_FALSE(calls.address_taken(3));
  EXPECT_FALSE(calls.reachable().test(3));
  EXPECT_TRUE(calls.reachable().test(1));
  EXPECT_TRUE(calls.concurrent());
  EXPECT_FALSE(calls.recursive(0));
}

TEST_F(Threads, PointsTo) {
  EXPECT_EQ(accessed(0, 3), Names{"private of main"});
  EXPECT_EQ(accessed(0, 4), Names{"p"});
  EXPECT_EQ(accessed(0, 5), Names{"x"}) << "from the initial bytes of p";
  EXPECT_EQ(accessed(0, 6), (Names{"x", "table"})) << "table[k - 97], x being on the other side of the gap";
  EXPECT_EQ(accessed(0, 9), Names{"tls"});
  EXPECT_EQ(accessed(0, 12), Names{"anything"}) << "an address made of no pointer";
  EXPECT_EQ(accessed(1, 0), Names{"handed over of main"});
}

TEST_F(Threads, AccessSets) {
  AccessSets accesses(program, calls, points);
  EXPECT_EQ(names(places, accesses.before_return(0, 10).reads), (Names{"hook", "fixed"}));
  EXPECT_EQ(names(places, accesses.before_return(0, 12).writes), Names{"anything"});
  EXPECT_EQ(names(places, accesses.before_return(1, 0).writes), Names{"handed over of main"});
  EXPECT_TRUE(accesses.before_return(0, 7).writes.test(places.of_site(0, 1))) << "by the new thread";
  EXPECT_TRUE(accesses.before_return(0, 13).reads.empty());
  EXPECT_TRUE(written_objects(program, calls, points).test(5)) << "the store to anything";
  uint32_t joined = accesses.join(accesses.number(1, 0), accesses.number(0, 10));
  EXPECT_EQ(accesses.join(accesses.number(0, 10), accesses.number(1, 0)), joined);
  EXPECT_TRUE(accesses.numbered(joined).reads.test(places.of_object(3)));
}

TEST_F(Threads, NeverWritten) {
  std::string text = kThreads;
  text.replace(text.find("store.32(k.4, v.3)"), 18, "store.32(&x, v.3)");
  Program tame = parse_text(text);
  CallGraph tame_calls(tame);
  BitSet written = written_objects(tame, tame_calls, PointsTo(tame, tame_calls));
  EXPECT_TRUE(written.test(0));
  EXPECT_FALSE(written.test(1));
  EXPECT_FALSE(written.test(2));
  EXPECT_TRUE(written.test(4));
  EXPECT_FALSE(written.test(5));
}

TEST_F(Threads, SetOnce) {
  EXPECT_TRUE(set_once(program, calls, points).empty()) << "a store to anything may be the second";
  std::string text = kThreads;
  text.replace(text.find("store.32(k.4, v.3)"), 18, "store.32(&x, 7)");
  Program tame = parse_text(text);
  CallGraph tame_calls(tame);
  PointsTo tame_points(tame, tame_calls);
  EXPECT_FALSE(set_once(tame, tame_calls, tame_points).test(4)) << "written, but not with a number";
}

TEST_F(Threads, AnalysesAreMadeOnceForOneProgram) {
  Limits limits;
  Statistics statistics;
  Progress silent(false);
  Context context{limits, statistics, silent};
  EXPECT_NE(analyses_of(context, program), analyses_of(context, program)) << "no one keeps them";
  context.analyses = std::make_shared<Analyses>(program);
  EXPECT_EQ(analyses_of(context, program), context.analyses);
  EXPECT_EQ(&context.analyses->points(), &analyses_of(context, program)->points());
  EXPECT_EQ(&context.analyses->liveness(1), &context.analyses->liveness(1));
  const Program copy = program.clone();
  EXPECT_EQ(&analyses_of(context, copy)->program(), &copy) << "never those of another program";
  EXPECT_EQ(to_text(copy), to_text(program));
}

TEST_F(Threads, Reachability) {
  Reachability unreach(program, calls, {.properties = {Property::UnreachCall}});
  EXPECT_TRUE(unreach.ever(0, 0)) << "the check in hooked";
  EXPECT_TRUE(unreach.ever(0, 11));
  EXPECT_FALSE(unreach.ever(0, 12));
  EXPECT_FALSE(unreach.ever(1, 0)) << "a thread has no caller";
  EXPECT_TRUE(unreach.before_return(2, 1));
  EXPECT_FALSE(unreach.ever(2, 2));
  EXPECT_TRUE(unreach.returns(2, 0));
  EXPECT_FALSE(unreach.returns(0, 0)) << "main ends in a halt";
  Reachability memory(program, calls, {.properties = {Property::ValidDeref}});
  EXPECT_TRUE(memory.ever(0, 12));
  EXPECT_TRUE(memory.ever(2, 2)) << "main's store after the call";
  EXPECT_FALSE(memory.before_return(2, 0)) << "a constant address inside an object";
  EXPECT_FALSE(memory.ever(0, 13));
  Reachability free(program, calls, {.properties = {Property::ValidFree}});
  EXPECT_FALSE(free.ever(0, 0));
  Reachability cleanup(program, calls, {.properties = {Property::ValidMemcleanup}});
  EXPECT_TRUE(cleanup.ever(0, 13));
  Reachability races(program, calls, {.properties = {Property::NoDataRace}});
  EXPECT_TRUE(races.ever(2, 0));
  EXPECT_FALSE(races.ever(0, 13));
}

TEST(Reachability, RecursionAndPathsThatDoNotReturn) {
  Program program = parse_text(R"(program LP64
entry 0
function 0 "start" returns 0 entry 0 locations 3 parameters 0
  0 -> 1: call ping()
  1 -> 2: call stop()
  2: error property unreach-call "after a call that never returns"

function 1 "ping" returns 0 entry 0 locations 3 parameters 0
  register 0 1
  0 -> 1: assume(r0)
  0 -> 2: assume(!r0)
  1 -> 2: call pong()
  2: return

function 2 "pong" returns 0 entry 0 locations 2 parameters 0
  0 -> 1: call ping()
  1: return

function 3 "stop" returns 0 entry 0 locations 1 parameters 0
  0: unsupported "asm"
)");
  CallGraph calls(program);
  EXPECT_TRUE(calls.recursive(1));
  EXPECT_TRUE(calls.recursive(2));
  EXPECT_FALSE(calls.recursive(0));
  Reachability ahead(program, calls, {.properties = {Property::NoOverflow}});
  EXPECT_TRUE(ahead.ever(0, 0)) << "unsupported statements are never harmless";
  EXPECT_FALSE(ahead.before_return(1, 0));
  EXPECT_TRUE(ahead.returns(1, 0));
  EXPECT_TRUE(ahead.ever(1, 0)) << "start goes on with stop";
  EXPECT_FALSE(ahead.returns(3, 0));
  EXPECT_FALSE(ahead.ever(0, 2)) << "not asked about unreach-call";
  Reachability unreach(program, calls, {.properties = {Property::UnreachCall}});
  EXPECT_TRUE(unreach.ever(0, 2));
}

TEST(Features, CountsWhatTheUserWrote) {
  Program program = parse_text(R"(program LP64
entry 0
function 0 "main" returns 0 entry 0 locations 9 parameters 0
  register 0 32 "x"
  register 1 64 "p"
  register 2 8 "c"
  0 -> 1: x.0 := nondet input "__VERIFIER_nondet_int"
  1 -> 2: assume((x.0 >s 7))
  1 -> 3: assume((x.0 <=s 7))
  2 -> 1: call start()
  3 -> 4: c.2 := nondet "uninitialised c"
  4 -> 5: call down(x.0)
  5 -> 6: assume((x.0 == 3))
  5 -> 7: assume((x.0 != 3))
  6: error property unreach-call "x is 3"
  7 -> 8: p.1 := heap_alloc(8, 0)
  8: return

function 1 "start" returns 0 entry 0 locations 2 parameters 0 runtime
  register 0 32 "t"
  0 -> 1: t.0 := spawn(@worker, 0:64, 0:64)
  1: return

function 2 "worker" returns 0 entry 0 locations 4 parameters 2
  register 0 64 "a"
  register 1 64 "b"
  0 -> 1: a.0 := (a.0 + 1)
  1 -> 2: assume((a.0 == 0))
  1 -> 3: assume((a.0 != 0))
  2: error property unreach-call "round"
  3 -> 0: skip

function 3 "down" returns 0 entry 0 locations 2 parameters 1
  register 0 32 "n"
  0 -> 1: call down((n.0 - 1))
  1: return

function 4 "unused" returns 0 entry 0 locations 2 parameters 0
  register 0 32 "f"
  0 -> 1: f.0 := (f.0 +f f.0)
  1: return
)");
  Features features(program, CallGraph(program));
  EXPECT_TRUE(features.concurrent);
  EXPECT_EQ(features.spawns, 1u);
  EXPECT_TRUE(features.spawns_in_loops);
  EXPECT_EQ(features.loops, 2u);
  EXPECT_TRUE(features.endless_loop);
  EXPECT_TRUE(features.recursion);
  EXPECT_EQ(features.inputs, 2u);
  EXPECT_EQ(features.widest_input, 32u);
  EXPECT_TRUE(features.heap);
  EXPECT_FALSE(features.floats) << "no one calls that function";
  EXPECT_EQ(features.assertions, 2u);
  EXPECT_EQ(features.text(),
            "threads, started at 1 place (in loops), 2 loops (endless), 2 inputs of up to 32 bits, recursion, heap");
}

/// main: `branch` decides between a call of `strange` and its own end, or there is no other way.
Program with_unsupported(const std::string& other_way, const std::string& body_of_strange) {
  return parse_text(R"(program LP64
entry 0

function 0 "main" returns 0 entry 0 locations 4 parameters 0
  register 0 32 "x"
  0 -> 1: x.0 := nondet "input"
  1 -> 2: assume((x.0 == 0))
  1 -> 3: assume(!(x.0 == 0))
  2 -> 3: call strange()
  3: )" + other_way + R"(

function 1 "strange" returns 0 entry 0 locations 1 parameters 0
  0: )" + body_of_strange + "\n");
}

TEST(Endings, RunsThatEndWithoutWhatIsNotModelled) {
  auto ends = [](const std::string& main, const std::string& strange) {
    Program program = with_unsupported(main, strange);
    return can_end(program, CallGraph(program));
  };
  EXPECT_TRUE(ends("halt(0:32) \"exit\"", "return"));
  EXPECT_TRUE(ends("halt(0:32) \"exit\"", "unsupported \"it\""));  // x is not 0
  EXPECT_FALSE(ends("unsupported \"it\"", "return"));
  EXPECT_FALSE(ends("unsupported \"it\"", "unsupported \"it\""));
  EXPECT_TRUE(ends("unsupported \"it\"", "halt(0:32) \"exit\""));  // in the callee
  EXPECT_FALSE(ends("unsupported \"it\"", "error property unreach-call \"bad\""));
}

}  // namespace
}  // namespace whittle::program::analysis
