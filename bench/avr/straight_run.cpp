// Instructions per second of the core on a run without choices. With Google Benchmark: --preset bench.
#include <benchmark/benchmark.h>

#include "avr/core.h"

namespace whittle::avr {
namespace {

/// A loop of sums, masks, memory accesses and a call: what compiled code is made of.
std::shared_ptr<std::vector<Insn>> loop(const Device& device) {
  std::vector<uint16_t> words = {
      0xe048, 0xbf4e, 0xe54f, 0xbf4d,  // sp
      0xe0a0, 0xe0b1,                  // X = 0x0100
      0x0f01, 0x1f12, 0x2723, 0x7f3e,  // add, adc, eor, andi
      0x930c, 0x912c, 0x5021, 0x9503,  // st X, ld, subi, inc
      0xd003, 0x3058, 0xf7b1, 0xcff4,  // rcall, cpi, brne, rjmp
      0x930f, 0x0f04, 0x910f, 0x9508,  // push, add, pop, ret
  };
  return std::make_shared<std::vector<Insn>>(decode_flash(words, device));
}

void straight_run(benchmark::State& state) {
  auto device = find_device("atmega328p");
  Layouts layouts(device->ram_start());
  const Layout& layout = layouts.intern(uint16_t(device->ram_end() + 1), {});
  CoreOptions options;
  options.forget_stack = false;
  options.zero_ram = true;
  Core core(device, loop(*device), std::make_shared<std::vector<uint8_t>>(0x8000, uint8_t(0xff)), layouts, layout,
            options);
  uint64_t total = 0;
  for (auto _ : state) {
    uint64_t ran = core.run(1'000'000);
    if (ran != 1'000'000) state.SkipWithError("the loop ended");
    total += ran;
  }
  state.SetItemsProcessed(int64_t(total));
}
BENCHMARK(straight_run);

}  // namespace
}  // namespace whittle::avr

BENCHMARK_MAIN();
