// How fast states are stored and searched, apart from any real machine. Figures to watch: states per second and bytes
// per state.
//
//   cmake --preset bench && cmake --build --preset bench --target explore_bench && build/bench/bench/explore_bench

#include <benchmark/benchmark.h>

#include <cstring>

#include "explore/lossy_store.h"
#include "explore/search.h"

namespace {

using namespace whittle;
using namespace whittle::explore;

/// `kProcesses` counters of kValues values, each in its own 12 bytes of the state; one of them goes on in each step.
/// As cheap as a machine can be: what is measured is the search.
template <unsigned kProcesses, unsigned kValues>
class Counters final : public machine::Machine {
 public:
  static constexpr uint64_t states() {
    uint64_t n = 1;
    for (unsigned i = 0; i < kProcesses; ++i) n *= kValues;
    return n;
  }
  void reset() override { std::memset(state_, 0, sizeof state_); }
  std::span<const uint8_t> save() override { return state_; }
  void load(std::span<const uint8_t> state) override { std::memcpy(state_, state.data(), sizeof state_); }
  machine::Successors successors() override { return {kProcesses, machine::Ending::None}; }
  machine::StepKind step(uint32_t choice) override {
    uint8_t& counter = state_[choice * 12 + 5];
    counter = static_cast<uint8_t>((counter + 1) % kValues);
    return machine::StepKind::Moved;
  }
  uint64_t observe() override { return state_[5] == 0; }
  machine::Position position() override { return {}; }
  void trace_footprints(bool on) override { trace_ = on; }
  const machine::Footprint& footprint() override { return footprint_; }
  void cells(std::vector<machine::ByteRange>& mortal, std::vector<machine::ByteRange>& dead) override {
    mortal.clear(), dead.clear();
  }

 private:
  uint8_t state_[kProcesses * 12] = {};
  bool trace_ = false;
  machine::Footprint footprint_;
};

using Small = Counters<5, 16>;  // 1,048,576 states of 60 bytes, 5 transitions each
using Large = Counters<8, 8>;   // 16,777,216 states of 96 bytes, 8 transitions each

template <typename System>
void run_search(benchmark::State& state, const Options& options) {
  Figures figures;
  for (auto _ : state) {
    Limits limits;
    Statistics statistics;
    Progress progress(false);
    Context context{limits, statistics, progress};
    System system;
    Result result = search(system, options, context);
    if (result.figures.states_stored < System::states() / 2) state.SkipWithError("states are missing");
    figures = result.figures;
  }
  double stored = static_cast<double>(figures.states_stored);
  state.counters["states/s"] = benchmark::Counter(stored, benchmark::Counter::kIsIterationInvariantRate);
  state.counters["steps/s"] =
      benchmark::Counter(static_cast<double>(figures.states_created), benchmark::Counter::kIsIterationInvariantRate);
  state.counters["bytes/state"] = figures.bytes_per_state();
  state.counters["search_MB"] = static_cast<double>(figures.search_bytes) / 1e6;
}

void small_system(benchmark::State& state, const Options& options) { run_search<Small>(state, options); }
void large_system(benchmark::State& state, const Options& options) { run_search<Large>(state, options); }

Options with(Order order, StoreKind store, Reduce reduce = Reduce::None, Dead dead = Dead::None) {
  Options options;
  options.order = order, options.store = store, options.reduce = reduce, options.dead = dead;
  return options;
}

BENCHMARK_CAPTURE(small_system, depth_first, with(Order::DepthFirst, StoreKind::Exact))->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(small_system, breadth_first, with(Order::BreadthFirst, StoreKind::Exact))
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(small_system, hash_compaction, with(Order::DepthFirst, StoreKind::HashCompaction))
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(small_system, bit_state, with(Order::DepthFirst, StoreKind::BitState))->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(small_system, dynamic_dead, with(Order::DepthFirst, StoreKind::Exact, Reduce::None, Dead::Dynamic))
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(large_system, depth_first, with(Order::DepthFirst, StoreKind::Exact))
    ->Unit(benchmark::kMillisecond)
    ->Iterations(1);

/// New states only, each like the one before it but for one byte.
void insert_new(benchmark::State& state) {
  const size_t length = static_cast<size_t>(state.range(0));
  uint64_t inserted = 0;
  double bytes = 0;
  for (auto _ : state) {
    TreeStore store;
    std::vector<uint64_t> a(store.block_size(length) / 8), b(a.size());
    std::vector<uint8_t> vector(length, 0);
    const uint8_t* base = nullptr;
    for (uint64_t i = 0; i < 1'000'000; ++i) {
      for (uint64_t rest = i, p = 0; rest != 0 || p < 1; rest /= 8, ++p) {
        vector[p * 9 % length] = static_cast<uint8_t>(rest % 8);
        if (rest % 8 != 0) break;
      }
      store.insert(vector, base, reinterpret_cast<uint8_t*>(b.data()));
      a.swap(b);
      base = reinterpret_cast<uint8_t*>(a.data());
    }
    inserted += 1'000'000;
    bytes = static_cast<double>(store.bytes()) / static_cast<double>(store.size());
  }
  state.counters["inserts/s"] = benchmark::Counter(static_cast<double>(inserted), benchmark::Counter::kIsRate);
  state.counters["bytes/state"] = bytes;
}
BENCHMARK(insert_new)->Arg(64)->Arg(150)->Arg(1200)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
