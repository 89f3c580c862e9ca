// How fast terms are made, found again, substituted and evaluated.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <new>

#include "term/term.h"

#pragma GCC diagnostic ignored "-Wmismatched-new-delete"
// Counting allocations: finding a term that exists must not make any.
static uint64_t g_allocations = 0;
void* operator new(std::size_t size) {
  ++g_allocations;
  if (void* p = std::malloc(size)) return p;
  throw std::bad_alloc();
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }

namespace whittle::term {
namespace {

/// The terms of a small loop body, built again and again: everything exists after the first round.
void existing_terms(benchmark::State& state) {
  Store store;
  Term x = store.variable(32, "x"), y = store.variable(32, "y"), one = store.constant(32, 1);
  auto round = [&] {
    Term sum = store.add(x, y);
    Term mixed = store.bxor(sum, x);
    Term scaled = store.mul(mixed, sum);
    Term less = store.slt(scaled, y);
    Term low = store.extract(scaled, 0, 8);
    Term back = store.zext(low, 32);
    Term chosen = store.ite(less, back, sum);
    Term next = store.add(mixed, one);
    Term equal = store.eq(chosen, next);
    benchmark::DoNotOptimize(store.band(equal, less));
  };
  round();
  uint64_t before = g_allocations;
  for (auto _ : state) round();
  const uint64_t allocations = g_allocations - before;
  state.counters["terms/s"] =
      benchmark::Counter(10.0 * static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
  state.counters["allocations"] = static_cast<double>(allocations);
}
BENCHMARK(existing_terms);

void new_terms(benchmark::State& state) {
  auto store = std::make_unique<Store>();
  Term x = store->variable(32, "x"), y = store->variable(32, "y");
  Term t = x;
  for (auto _ : state) {
    t = store->bxor(store->mul(t, y), x);
    if (store->size() > 4'000'000) {
      state.PauseTiming();
      store = std::make_unique<Store>();
      x = store->variable(32, "x"), y = store->variable(32, "y"), t = x;
      state.ResumeTiming();
    }
  }
  state.counters["terms/s"] =
      benchmark::Counter(2.0 * static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
}
BENCHMARK(new_terms);

Term polynomial(Store& store, Term x, Term y, int terms) {
  Term t = store.constant(32, 1);
  for (int i = 0; i < terms; ++i)
    t = store.bxor(store.mul(t, x), store.add(y, store.constant(32, static_cast<u128>(i) * 77)));
  return t;
}

void substitute(benchmark::State& state) {
  Store store;
  Term x = store.variable(32, "x"), y = store.variable(32, "y"), z = store.variable(32, "z");
  Term t = polynomial(store, x, y, 50);
  Term sum = store.add(y, z);
  for (auto _ : state) benchmark::DoNotOptimize(store.substitute(t, [&](Term v) { return v == y ? sum : Term{}; }));
  state.counters["nodes/s"] = benchmark::Counter(
      static_cast<double>(dag_size(t)) * static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
}
BENCHMARK(substitute);

void evaluate(benchmark::State& state) {
  Store store;
  Term x = store.variable(32, "x"), y = store.variable(32, "y");
  Term t = polynomial(store, x, y, 50);
  Assignment values{[&](Term v) { return u128{v == x ? 3u : 5u}; }, {}};
  for (auto _ : state) benchmark::DoNotOptimize(store.evaluate(t, values));
  state.counters["nodes/s"] = benchmark::Counter(
      static_cast<double>(dag_size(t)) * static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
}
BENCHMARK(evaluate);

}  // namespace
}  // namespace whittle::term

BENCHMARK_MAIN();
