// How fast the concrete machine runs: statements per second on compute loops, and states per second through save and
// load on Peterson's filter lock.
#include <benchmark/benchmark.h>

#include "exec/exec_test_support.h"

namespace {

using namespace whittle;
using namespace whittle::exec;
using namespace whittle::exec::test;

/// for (i = 0; i < n; ++i) { sum = sum * 31 + (i ^ sum); if (sum is odd) ++odd; }
std::shared_ptr<const Code> compute_loop(program::Program& program) {
  program.entry = add_function(program, "main");
  {
    Writer w(program, 0);
    Term i = w.reg(32, "i"), sum = w.reg(32, "sum"), odd = w.reg(32, "odd");
    LocationId head = w.label(), body = w.label(), count = w.label(), next = w.label(), exit = w.label();
    w.add(w.make(Kind::Assign, {i, sum, odd}, {w.num(0), w.num(1), w.num(0)}));
    w.place(head);
    w.branch(w.t().slt(i, w.num(10'000'000)), body, exit);
    w.place(body);
    w.assign(sum, w.t().add(w.t().mul(sum, w.num(31)), w.t().bxor(i, sum)));
    w.branch(w.t().eq(w.t().extract(sum, 0, 1), w.num(1, 1)), count, next);
    w.place(count);
    w.assign(odd, w.t().add(odd, w.num(1)));
    w.go(next);
    w.place(next);
    w.assign(i, w.t().add(i, w.num(1)));
    w.go(head);
    w.place(exit);
    w.halt(odd);
  }
  return compile(program);
}

void compute(benchmark::State& state) {
  program::Program program;
  auto code = compute_loop(program);
  uint64_t statements = 0;
  for (auto _ : state) statements += run(code, {}).statements;
  state.counters["statements/s"] = benchmark::Counter(static_cast<double>(statements), benchmark::Counter::kIsRate);
}
BENCHMARK(compute)->Unit(benchmark::kMillisecond);

/// a[i & 255] += i; in static memory.
void array(benchmark::State& state) {
  program::Program program;
  program.entry = add_function(program, "main");
  add_object(program, "a", std::vector<uint8_t>(1024, 0));
  program.place_objects();
  {
    Writer w(program, 0);
    Term i = w.reg(32, "i"), v = w.reg(32, "v"), p = w.reg(64, "p");
    LocationId head = w.label(), body = w.label(), exit = w.label();
    w.assign(i, w.num(0));
    w.place(head);
    w.branch(w.t().slt(i, w.num(10'000'000)), body, exit);
    w.place(body);
    w.assign(p, w.t().add(w.num(program.objects[0].address, 64),
                          w.t().mul(w.t().zext(w.t().band(i, w.num(255)), 64), w.num(4, 64))));
    w.load(v, p);
    w.store(p, w.t().add(v, i));
    w.assign(i, w.t().add(i, w.num(1)));
    w.go(head);
    w.place(exit);
    w.halt(v);
  }
  auto code = compile(program);
  uint64_t statements = 0;
  for (auto _ : state) statements += run(code, {}).statements;
  state.counters["statements/s"] = benchmark::Counter(static_cast<double>(statements), benchmark::Counter::kIsRate);
}
BENCHMARK(array)->Unit(benchmark::kMillisecond);

/// fib(27)
void calls(benchmark::State& state) {
  program::Program program;
  program.entry = add_function(program, "main");
  FunctionId fib = add_function(program, "fib", 32);
  {
    Writer w(program, fib);
    Term n = w.param(32, "n"), a = w.reg(32), b = w.reg(32);
    LocationId base = w.label(), more = w.label();
    w.branch(w.t().slt(n, w.num(2)), base, more);
    w.place(base);
    w.plain(Kind::Return, {}, {n});
    w.place(more);
    w.call(fib, {a}, {w.t().sub(n, w.num(1))});
    w.call(fib, {b}, {w.t().sub(n, w.num(2))});
    w.plain(Kind::Return, {}, {w.t().add(a, b)});
  }
  {
    Writer w(program, 0);
    Term r = w.reg(32);
    w.call(fib, {r}, {w.num(27)});
    w.halt(r);
  }
  auto code = compile(program);
  uint64_t statements = 0;
  for (auto _ : state) statements += run(code, {}).statements;
  state.counters["statements/s"] = benchmark::Counter(static_cast<double>(statements), benchmark::Counter::kIsRate);
}
BENCHMARK(calls)->Unit(benchmark::kMillisecond);

/// Peterson's filter lock for four threads: random walk, with the state loaded before every step and saved after it.
std::shared_ptr<const Code> filter_lock(program::Program& program, unsigned n) {
  program.entry = add_function(program, "main");
  FunctionId worker = add_function(program, "worker");
  add_object(program, "level", std::vector<uint8_t>(n, 0), 1);
  add_object(program, "last", std::vector<uint8_t>(n, 0), 1);
  add_object(program, "inside", {0}, 1);
  program.place_objects();
  uint64_t level = program.objects[0].address, last = program.objects[1].address, inside = program.objects[2].address;
  {
    Writer w(program, 0);
    Term t = w.reg(32);
    for (unsigned i = 1; i < n; ++i)
      w.plain(Kind::Spawn, {t}, {w.num(program::Program::function_address(worker), 64), w.num(i, 64), w.num(0, 64)});
    w.call(worker, {}, {w.num(0, 64), w.num(0, 64)});
    w.halt(w.num(0));
  }
  {
    Writer w(program, worker);
    Term me = w.param(64, "me");
    w.param(64);
    Term l = w.reg(8, "l"), k = w.reg(8, "k"), v = w.reg(8, "v");
    auto at = [&](uint64_t base, Term index) { return w.t().add(w.num(base, 64), w.t().zext(index, 64)); };
    LocationId again = w.label(), levels = w.label(), enter = w.label(), wait = w.label(), look = w.label(),
               test = w.label(), skip = w.label(), other = w.label(), next = w.label(), critical = w.label(),
               spin = w.label();
    w.place(again);
    w.assign(l, w.num(1, 8));
    w.place(levels);
    w.branch(w.t().ult(l, w.num(n, 8)), enter, critical);
    w.place(enter);
    w.store(at(level, me), l);
    w.store(at(last, l), w.t().extract(me, 0, 8));
    w.place(wait);
    w.assign(k, w.num(0, 8));
    w.place(look);
    w.branch(w.t().ult(k, w.num(n, 8)), test, next);
    w.place(test);
    w.branch(w.t().eq(k, w.t().extract(me, 0, 8)), skip, other);
    w.place(other);
    w.load(v, at(level, k));
    LocationId high = w.label();
    w.branch(w.t().ult(v, l), skip, high);
    w.place(high);
    w.load(v, at(last, l));
    w.branch(w.t().eq(v, w.t().extract(me, 0, 8)), spin, next);
    w.place(spin);
    w.go(wait);
    w.place(skip);
    w.assign(k, w.t().add(k, w.num(1, 8)));
    w.go(look);
    w.place(next);
    w.assign(l, w.t().add(l, w.num(1, 8)));
    w.go(levels);
    w.place(critical);
    w.load(v, w.num(inside, 64));
    w.check(w.t().eq(v, w.num(0, 8)));
    w.store(w.num(inside, 64), w.num(1, 8));
    w.store(w.num(inside, 64), w.num(0, 8));
    w.store(at(level, me), w.num(0, 8));
    w.go(again);
  }
  return compile(program);
}

void load_step_save(benchmark::State& state) {
  program::Program program;
  Machine machine(filter_lock(program, 4));
  for (int i = 0; i < 4; ++i) machine.schedule(0);
  std::span<const uint8_t> now = machine.save();
  std::vector<uint8_t> bytes(now.begin(), now.end());
  uint64_t random = 1, steps = 0;
  for (auto _ : state) {
    random = random * 6364136223846793005u + 1442695040888963407u;
    machine.load(bytes);
    machine.schedule(random >> 62);
    now = machine.save();
    bytes.assign(now.begin(), now.end());
    ++steps;
  }
  state.counters["steps/s"] = benchmark::Counter(static_cast<double>(steps), benchmark::Counter::kIsRate);
  state.counters["state bytes"] = static_cast<double>(bytes.size());
}
BENCHMARK(load_step_save);

}  // namespace

BENCHMARK_MAIN();
