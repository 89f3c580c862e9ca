// States of random programs: going on from a loaded state is the same as going on; runs with and without a listener are
// the same; footprints and cells keep what machine::Machine promises.
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <map>

#include "base/hash.h"
#include "exec/exec_test_support.h"

namespace whittle::exec::test {
namespace {

using Bytes = std::vector<uint8_t>;

Bytes saved(Machine& machine) {
  std::span<const uint8_t> s = machine.save();
  return {s.begin(), s.end()};
}

class Dice {
 public:
  explicit Dice(uint64_t seed) : state_(hash_mix(seed)) {}
  unsigned below(unsigned n) { return static_cast<unsigned>(hash_mix(state_ += 0x9e3779b97f4a7c15u) % n); }

 private:
  uint64_t state_;
};

/// Threads that compute, call, allocate, publish pointers, lock and read inputs, with bounded loops.
class RandomProgram {
 public:
  explicit RandomProgram(uint64_t seed) : dice_(seed) {
    program.entry = add_function(program, "main");
    worker_ = add_function(program, "worker");
    helper_ = add_function(program, "helper", 32);
    for (const char* name : {"a", "b", "done"}) add_object(program, name, {0, 0, 0, 0});
    add_object(program, "pointer", Bytes(8, 0), 8);
    add_object(program, "table", Bytes(128, 0), 8);
    add_object(program, "tls", {1, 0, 0, 0});
    program.objects.back().thread_local_ = true;
    program.place_objects();
    helper();
    worker();
    main();
    program.validate();
  }
  program::Program program;

 private:
  Term global(Writer& w, unsigned i) { return w.num(program.objects[i].address, 64); }
  void main() {
    Writer w(program, 0);
    Term t = w.reg(32, "t"), p = w.reg(64, "p");
    w.plain(Kind::HeapAlloc, {p}, {w.num(8, 64), w.num(dice_.below(2), 1)});
    if (dice_.below(2)) w.store(global(w, 3), p);
    unsigned count = 1 + dice_.below(2);
    for (unsigned i = 0; i < count; ++i)
      w.plain(
          Kind::Spawn, {t},
          {w.num(program::Program::function_address(worker_), 64), dice_.below(2) ? p : w.num(i, 64), w.num(i, 64)});
    body(w, 4);
    w.await(global(w, 2), w.num(~0u), w.num(count), w.num(count));
    w.plain(Kind::AtomicEnd);
    w.halt(t);
  }
  void worker() {
    Writer w(program, worker_);
    w.param(64, "argument"), w.param(64, "number");
    body(w, 6);
    Term old = w.reg(32);
    Statement s = w.make(Kind::AtomicRmw, {old}, {global(w, 2), w.num(1)});
    s.width = 32;
    s.rmw = program::Rmw::Add;
    w.add(s);
    w.plain(Kind::Return);
  }
  void helper() {
    Writer w(program, helper_);
    Term x = w.param(32, "x"), p = w.reg(64, "p"), v = w.reg(32, "v");
    w.plain(Kind::StackAlloc, {p}, {w.num(8, 64)}, "cell");
    w.store(p, x);
    if (dice_.below(2)) w.store(global(w, 3), p);
    w.load(v, p);
    if (dice_.below(3) == 0) w.load(v, global(w, 1));
    w.plain(Kind::Return, {}, {w.t().add(v, w.num(1))});
  }
  void body(Writer& w, unsigned length) {
    Term v = w.reg(32, "v"), u = w.reg(32, "u"), p = w.reg(64, "q"), wide = w.reg(100, "wide"), i = w.reg(8, "i");
    w.add(w.make(Kind::Assign, {v, u, wide, i}, {w.num(1), w.num(2), w.num(3, 100), w.num(0, 8)}));
    w.plain(Kind::HeapAlloc, {p}, {w.num(12, 64), w.num(dice_.below(2), 1)});
    LocationId head = w.label(), exit = w.label(), inside = w.label();
    w.place(head);
    w.branch(w.t().ult(i, w.num(2, 8)), inside, exit);
    w.place(inside);
    w.assign(i, w.t().add(i, w.num(1, 8)));
    for (unsigned k = 0; k < length; ++k) statement(w, v, u, p, wide);
    w.go(head);
    w.place(exit);
    if (dice_.below(2)) w.plain(Kind::HeapFree, {}, {p});
  }
  void statement(Writer& w, Term v, Term u, Term p, Term wide) {
    Term small = w.t().band(v, w.num(15));
    Term slot = w.t().add(global(w, 4), w.t().mul(w.t().zext(small, 64), w.num(8, 64)));
    switch (dice_.below(17)) {
      case 0: w.load(v, global(w, dice_.below(2))); break;
      case 1: w.store(global(w, dice_.below(2)), v); break;
      case 2:
        w.assign(v, w.t().band(w.t().add(w.t().mul(v, w.num(3)), u), w.num(0xffff)));
        break;  // nothing that looks like a pointer
      case 3: w.call(helper_, {u}, {v}); break;
      case 4: w.nondet(u); break;
      case 5: w.store(p, v); break;
      case 6: w.load(u, w.t().add(p, w.num(4, 64))); break;
      case 7: w.store(global(w, 3), p); break;
      case 8: w.plain(Kind::Yield); break;
      case 9:
        w.plain(Kind::AtomicBegin);
        w.load(u, global(w, 0));
        w.store(global(w, 0), w.t().add(u, w.num(1)));
        w.plain(Kind::AtomicEnd);
        break;
      case 10:
        w.plain(Kind::HeapFree, {}, {p});
        w.plain(Kind::HeapAlloc, {p}, {w.num(8 + 8 * dice_.below(3), 64), w.num(1, 1)});
        break;
      case 11: w.assign(wide, w.t().bxor(w.t().mul(wide, w.num(17, 100)), w.t().zext(v, 100))); break;
      case 12: w.assign(v, w.t().zext(w.t().extract(wide, 60, 16), 32)); break;
      case 13: w.store(slot, w.t().zext(u, 64)); break;
      case 14: w.load(u, slot); break;
      case 15: {
        Term tls = w.reg(64);
        Statement s = w.make(Kind::ThreadLocal, {tls}, {});
        s.object = 5;
        w.add(s);
        w.load(u, tls);
        w.store(tls, w.t().add(u, w.num(1)));
        break;
      }
      default: {
        LocationId yes = w.label(), no = w.label();
        w.branch(w.t().slt(v, u), yes, no);
        w.place(yes);
        w.assign(v, u);
        w.go(no);
        w.place(no);
      }
    }
  }
  Dice dice_;
  FunctionId worker_ = 0, helper_ = 0;
};

/// One step of a random run; false: nothing is left to do.
bool step(Machine& machine, Dice dice) {
  const Pause& pause = machine.pause();
  if (pause.final()) return false;
  if (pause.kind == PauseKind::Input) {
    machine.provide(dice.below(3));
    return true;
  }
  std::vector<uint32_t> open;
  for (uint32_t t = 0; t < machine.thread_count(); ++t)
    if (machine.enabled(t)) open.push_back(t);
  if (open.empty()) return false;
  machine.schedule(open[dice.below(static_cast<unsigned>(open.size()))]);
  return true;
}

class Silent : public Listener {
 public:
  void statement(uint32_t, program::FunctionId, uint32_t) override { ++count; }
  void withdrawn(uint32_t) override { --count; }
  int64_t count = 0;
};

uint64_t programs(uint64_t few) { return std::getenv("WHITTLE_LONG") ? few * 20 : few; }

TEST(State, LoadingChangesNothing) {
  for (uint64_t seed = 0; seed < programs(300); ++seed) {
    RandomProgram random(seed);
    auto code = compile(random.program, everything());
    Machine plain(code), reloaded(code), heard(code), traced(code);
    Silent silent;
    heard.set_listener(&silent);
    traced.bytes().trace_footprints(true);
    Tracer tracer(traced);
    traced.set_listener(&tracer);
    for (uint64_t i = 0; i < 300; ++i) {
      Bytes state = saved(plain);
      ASSERT_EQ(saved(reloaded), state) << "seed " << seed << " step " << i;
      ASSERT_EQ(saved(heard), state) << "seed " << seed << " step " << i;
      ASSERT_EQ(saved(traced), state) << "seed " << seed << " step " << i;
      Machine fresh(code);
      fresh.load(state);
      ASSERT_EQ(saved(fresh), state);
      ASSERT_EQ(fresh.pause().final(), plain.pause().final());
      if (!plain.pause().final()) {
        ASSERT_EQ(fresh.pause().kind == PauseKind::Input, plain.pause().kind == PauseKind::Input);
      }
      if (i % 3 == 0) reloaded.reset();
      reloaded.load(state);
      Dice dice(seed * 1000 + i);
      bool moved = step(plain, dice);
      ASSERT_EQ(step(reloaded, dice), moved);
      ASSERT_EQ(step(heard, dice), moved);
      step(traced, dice);
      if (!moved) break;
    }
    if (!plain.pause().final() || plain.pause().kind != PauseKind::Violation) continue;
    EXPECT_EQ(plain.pause().violation.message.substr(0, 12), heard.pause().violation.message.substr(0, 12));
  }
}

/// The way of a search: from any state to any other one, with one machine.
TEST(State, LoadingInAnyOrder) {
  for (uint64_t seed = 0; seed < programs(60); ++seed) {
    RandomProgram random(seed);
    auto code = compile(random.program, everything());
    Machine walker(code);
    std::vector<Bytes> states{saved(walker)};
    for (uint64_t i = 0; i < 400; ++i) {
      Dice dice(seed * 1000 + i);
      // Mostly near the last one, as depth-first search does.
      size_t size = states.size(), from = dice.below(4) == 0 ? dice.below(static_cast<unsigned>(size)) : size - 1;
      Machine fresh(code);
      fresh.load(states[from]);
      walker.load(states[from]);
      if (i % 5 == 0) {
        ASSERT_EQ(saved(walker), states[from]) << "seed " << seed << " step " << i;
      }
      bool moved = step(fresh, dice);
      ASSERT_EQ(step(walker, dice), moved) << "seed " << seed << " step " << i;
      ASSERT_EQ(walker.pause().kind, fresh.pause().kind) << "seed " << seed << " step " << i;
      if (!moved || i % 7 == 0) continue;  // not every state is saved before the next one is loaded
      Bytes state = saved(fresh);
      ASSERT_EQ(saved(walker), state) << "seed " << seed << " step " << i;
      states.push_back(std::move(state));
    }
  }
}

bool inside(const std::vector<machine::ByteRange>& ranges, uint32_t offset) {
  for (const machine::ByteRange& r : ranges)
    if (offset >= r.begin && offset < r.begin + r.length) return true;
  return false;
}

/// Could the byte be a part of a pointer to a dynamic object?
bool pointer_at(const Bytes& state, uint32_t offset) {
  for (uint32_t i = offset < 3 ? 0 : offset - 3; i <= offset && i + 4 <= state.size(); ++i) {
    uint32_t word;
    std::memcpy(&word, &state[i], 4);
    if (word >= program::layout::kDynamicBase && (word & 0x7fffff) < 0x10000)
      return true;  // areas are used from their begin
  }
  return false;
}

/// Change a mortal byte that the step does not read: the step must do the same, and carry the byte along unless it
/// writes it.
TEST(State, FootprintsTellWhatMatters) {
  verdict::Specification specification = verdict::default_specification();
  uint64_t changed = 0;
  for (uint64_t seed = 0; seed < programs(150); ++seed) {
    RandomProgram random(seed);
    auto code = compile(random.program, specification);
    Machine machine(code), other(code);
    machine.bytes().trace_footprints(true);
    for (uint64_t i = 0; i < 120; ++i) {
      Bytes before = saved(machine);
      std::vector<machine::ByteRange> mortal, dead;
      machine.bytes().cells(mortal, dead);
      Dice dice(seed * 1000 + i);
      if (!step(machine, dice)) break;
      Bytes after = saved(machine);
      machine::Footprint footprint = machine.bytes().footprint();
      ASSERT_EQ(saved(machine), after);
      for (uint32_t offset = 0; offset < before.size(); ++offset) {
        if (!inside(mortal, offset) || inside(footprint.reads, offset)) continue;
        Bytes twin = before;
        twin[offset] ^= 0x05;
        other.load(twin);
        if (pointer_at(before, offset) || pointer_at(twin, offset)) continue;  // keeps a freed place
        if (saved(other) != twin) continue;  // a trimmed object got shorter, or a byte without a value
        ASSERT_TRUE(step(other, dice)) << "seed " << seed << " step " << i << " offset " << offset;
        Bytes expected = after, actual = saved(other);
        if (!inside(footprint.writes, offset) && offset < expected.size()) {
          ASSERT_EQ(expected[offset], before[offset]) << "a byte that is not written keeps value and place; seed "
                                                      << seed << " step " << i << " offset " << offset;
          expected[offset] ^= 0x05;
        }
        if (offset < expected.size() && (pointer_at(expected, offset) || pointer_at(after, offset))) continue;
        ASSERT_EQ(actual, expected) << "seed " << seed << " step " << i << " offset " << offset;
        ++changed;
      }
    }
  }
  EXPECT_GT(changed, 1000u);
}

/// A machine remembers footprints and shapes of states that came before; one that never ran has nothing to remember.
TEST(State, FootprintsDoNotDependOnThePast) {
  verdict::Specification specification = verdict::default_specification();
  uint64_t again = 0;
  for (uint64_t seed = 0; seed < programs(60); ++seed) {
    RandomProgram random(seed);
    auto code = compile(random.program, specification);
    Machine machine(code);
    machine.bytes().trace_footprints(true);
    std::map<uint32_t, machine::Footprint> footprints;
    std::map<uint32_t, Bytes> never_dead;
    for (uint64_t i = 0; i < 200; ++i) {
      if (i % 40 == 0) machine.reset();
      Bytes before = saved(machine);
      Machine fresh(code);
      fresh.load(before);
      fresh.bytes().trace_footprints(true);
      std::vector<machine::ByteRange> mortal, dead, fresh_mortal;
      machine.bytes().cells(mortal, dead);
      fresh.bytes().cells(fresh_mortal, dead);
      ASSERT_EQ(mortal, fresh_mortal) << "seed " << seed << " step " << i;
      Bytes kept;
      for (uint32_t offset = 0; offset < before.size(); ++offset)
        if (!inside(mortal, offset)) kept.push_back(before[offset]);
      auto known = never_dead.try_emplace(machine.bytes().cells_number(), kept).first;
      ASSERT_EQ(known->second, kept) << "seed " << seed << " step " << i;
      Dice dice(seed * 1000 + i % 80);
      const bool moved = step(machine, dice);
      ASSERT_EQ(step(fresh, dice), moved);
      if (!moved) {
        machine.reset();
        continue;
      }
      const machine::Footprint& one = machine.bytes().footprint();
      const machine::Footprint& other = fresh.bytes().footprint();
      ASSERT_EQ(one.reads, other.reads) << "seed " << seed << " step " << i;
      ASSERT_EQ(one.writes, other.writes) << "seed " << seed << " step " << i;
      auto [it, is_new] = footprints.try_emplace(one.number, one);
      ASSERT_EQ(it->second.reads, one.reads);
      ASSERT_EQ(it->second.writes, one.writes);
      again += is_new ? 0 : 1;
    }
  }
  EXPECT_GT(again, 1000u);
}

TEST(State, PetersonIsSmall) {
  // Frames, locations and registers of four threads in a state without dynamic objects.
  program::Program program;
  program.entry = add_function(program, "main");
  FunctionId worker = add_function(program, "worker");
  add_object(program, "flag", Bytes(16, 0));
  add_object(program, "table", Bytes(1024, 0));
  add_object(program, "never_written", Bytes(400, 7));
  program.place_objects();
  Term flag = program.terms().constant(64, program.objects[0].address);
  {
    Writer w(program, 0);
    Term t = w.reg(32), v = w.reg(32);
    for (unsigned i = 1; i < 4; ++i)
      w.plain(Kind::Spawn, {t}, {w.num(program::Program::function_address(worker), 64), w.num(i, 64), w.num(0, 64)});
    w.load(v, w.t().add(w.num(program.objects[2].address, 64), w.t().zext(t, 64)));
    w.call(worker, {}, {w.num(0, 64), w.num(0, 64)});
    w.halt(v);
  }
  {
    Writer w(program, worker);
    Term me = w.param(64);
    w.param(64);
    Term unused = w.reg(64);
    w.assign(unused, me);
    LocationId head = w.label();
    w.place(head);
    w.store(w.t().add(flag, w.t().mul(me, w.num(4, 64))), w.num(1));
    w.store(w.t().add(w.num(program.objects[1].address, 64), me), w.num(1, 8));
    w.go(head);
  }
  Machine machine(compile(program));
  for (int i = 0; i < 3; ++i) machine.schedule(0);
  for (uint32_t t = 0; t < 4; ++t) machine.schedule(t), machine.schedule(t);
  EXPECT_LE(machine.save().size(), 90u);
}

}  // namespace
}  // namespace whittle::exec::test
