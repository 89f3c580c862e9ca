// Path-condition queries per second: the bare back ends, the full stack, and the stack without each of its layers, all
// on the same stream (CPU time, for other work on the machine must not count; random small programs walked depth first,
// both sides of every branch asked for).
#include <benchmark/benchmark.h>

#include "solve/bits.h"
#include "solve/path_stream.h"
#include "solve/stack.h"

namespace whittle::solve {
namespace {

constexpr size_t kPrograms = 11, kQueriesEach = 200;

/// Bare solvers get the path by push and pop, as an engine would do it.
void bare(benchmark::State& state, std::unique_ptr<Solver> (*make)(const term::Store&), size_t programs) {
  size_t queries = 0, satisfiable = 0;
  for (auto _ : state) {
    term::Store store;
    auto solver = make(store);
    PathStream stream(store, 42);
    for (size_t i = 0; i < programs; ++i) {
      std::vector<Term> told;
      queries += stream.walk(kQueriesEach, [&](const std::vector<Term>& path, Term side) {
        size_t same = 0;
        while (same < told.size() && same < path.size() && told[same] == path[same]) ++same;
        for (; told.size() > same; told.pop_back()) solver->pop();
        for (; told.size() < path.size(); told.push_back(path[told.size()])) {
          solver->push();
          solver->add(path[told.size()]);
        }
        bool sat = solver->check(std::array{side}).sat();
        satisfiable += sat;
        return sat;
      });
      for (; !told.empty(); told.pop_back()) solver->pop();
    }
  }
  state.counters["queries"] = static_cast<double>(queries) / static_cast<double>(state.iterations());
  state.counters["sat"] = static_cast<double>(satisfiable) / static_cast<double>(state.iterations());
  state.counters["queries/s"] = benchmark::Counter(static_cast<double>(queries), benchmark::Counter::kIsRate);
}

void stacked(benchmark::State& state, const StackOptions& options) {
  size_t queries = 0, satisfiable = 0;
  Statistics statistics;
  for (auto _ : state) {
    term::Store store;
    auto solver = make_solver(store, options, &statistics);
    PathStream stream(store, 42);
    for (size_t i = 0; i < kPrograms; ++i)
      queries += stream.walk(kQueriesEach, [&](const std::vector<Term>& path, Term side) {
        std::vector<Term> query = path;
        query.push_back(side);
        bool sat = solver->check(query).sat();
        satisfiable += sat;
        return sat;
      });
  }
  state.counters["queries"] = static_cast<double>(queries) / static_cast<double>(state.iterations());
  state.counters["sat"] = static_cast<double>(satisfiable) / static_cast<double>(state.iterations());
  state.counters["asked_sat"] =
      static_cast<double>(statistics.count("solver.backend.sat")) / static_cast<double>(state.iterations());
  state.counters["asked"] =
      static_cast<double>(statistics.count("solver.backend.queries")) / static_cast<double>(state.iterations());
  state.counters["queries/s"] = benchmark::Counter(static_cast<double>(queries), benchmark::Counter::kIsRate);
}

void bare_z3(benchmark::State& state) { bare(state, &make_z3, kPrograms); }
void bare_cadical(benchmark::State& state) { bare(state, &make_cadical, kPrograms); }
void bare_cvc5(benchmark::State& state) { bare(state, &make_cvc5, 1); }
void full_stack(benchmark::State& state) { stacked(state, {}); }
void full_stack_cadical(benchmark::State& state) { stacked(state, {.engine = Engine::Cadical}); }
void without_split(benchmark::State& state) { stacked(state, {.split = false}); }
void without_independence(benchmark::State& state) { stacked(state, {.independence = false}); }
void without_cache(benchmark::State& state) { stacked(state, {.cache = false}); }
void without_model_reuse(benchmark::State& state) { stacked(state, {.reuse_models = false}); }

BENCHMARK(bare_z3)->Unit(benchmark::kMillisecond)->Iterations(1)->MeasureProcessCPUTime();
BENCHMARK(bare_cadical)->Unit(benchmark::kMillisecond)->Iterations(1)->MeasureProcessCPUTime();
BENCHMARK(full_stack_cadical)->Unit(benchmark::kMillisecond)->Iterations(1)->MeasureProcessCPUTime();
BENCHMARK(full_stack)->Unit(benchmark::kMillisecond)->Iterations(1)->MeasureProcessCPUTime();
BENCHMARK(bare_cvc5)->Unit(benchmark::kMillisecond)->Iterations(1)->MeasureProcessCPUTime();
BENCHMARK(without_split)->Unit(benchmark::kMillisecond)->Iterations(1)->MeasureProcessCPUTime();
BENCHMARK(without_independence)->Unit(benchmark::kMillisecond)->Iterations(1)->MeasureProcessCPUTime();
BENCHMARK(without_cache)->Unit(benchmark::kMillisecond)->Iterations(1)->MeasureProcessCPUTime();
BENCHMARK(without_model_reuse)->Unit(benchmark::kMillisecond)->Iterations(1)->MeasureProcessCPUTime();

}  // namespace
}  // namespace whittle::solve

BENCHMARK_MAIN();
