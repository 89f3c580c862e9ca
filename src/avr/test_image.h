// Firmware for unit tests, without a compiler: words of code, encoded by small helpers.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "avr/avr_machine.h"

namespace whittle::avr::test {

namespace as {
inline uint16_t two(uint16_t base, unsigned d, unsigned r) {
  return uint16_t(base | (d << 4) | (r & 15) | ((r & 16) << 5));
}
inline uint16_t imm(uint16_t base, unsigned d, unsigned k) {
  return uint16_t(base | ((d - 16) << 4) | ((k & 0xf0) << 4) | (k & 15));
}
inline uint16_t one(uint16_t low, unsigned d) { return uint16_t(0x9400 | (d << 4) | low); }
inline uint16_t in(unsigned d, unsigned io) { return uint16_t(0xb000 | (d << 4) | ((io & 0x30) << 5) | (io & 15)); }
inline uint16_t out(unsigned io, unsigned d) { return uint16_t(0xb800 | (d << 4) | ((io & 0x30) << 5) | (io & 15)); }
inline uint16_t ldi(unsigned d, unsigned k) { return imm(0xe000, d, k); }
inline uint16_t andi(unsigned d, unsigned k) { return imm(0x7000, d, k); }
inline uint16_t cpi(unsigned d, unsigned k) { return imm(0x3000, d, k); }
inline uint16_t brne(int by) { return uint16_t(0xf401 | ((by & 127) << 3)); }
inline uint16_t breq(int by) { return uint16_t(0xf001 | ((by & 127) << 3)); }
inline uint16_t rjmp(int by) { return uint16_t(0xc000 | (by & 0xfff)); }
inline uint16_t sbis(unsigned io, unsigned bit) { return uint16_t(0x9b00 | (io << 3) | bit); }
inline uint16_t sbi(unsigned io, unsigned bit) { return uint16_t(0x9a00 | (io << 3) | bit); }
inline std::vector<uint16_t> sts(unsigned a, unsigned d) { return {uint16_t(0x9200 | (d << 4)), uint16_t(a)}; }
inline std::vector<uint16_t> lds(unsigned d, unsigned a) { return {uint16_t(0x9000 | (d << 4)), uint16_t(a)}; }
inline constexpr uint16_t kSei = 0x9478, kCli = 0x94f8, kReti = 0x9518, kRet = 0x9508, kSleep = 0x9588, kNop = 0;
inline constexpr uint16_t kHalt = 0xcfff;  // rjmp to itself
}  // namespace as

/// Code that starts at word 0; RAM up to data_end belongs to the program.
inline std::shared_ptr<Image> image_of(const std::vector<uint16_t>& words, uint16_t data_end = 0) {
  auto image = std::make_shared<Image>();
  for (uint16_t w : words) image->flash.push_back(uint8_t(w)), image->flash.push_back(uint8_t(w >> 8));
  image->path = "test";
  image->data_end = data_end;
  return image;
}

inline std::unique_ptr<AvrMachine> machine_of(const std::vector<uint16_t>& words, ChipOptions options = {},
                                              const char* device = "atmega16", uint16_t data_end = 0x70,
                                              Environment environment = {}) {
  return std::make_unique<AvrMachine>(find_device(device), image_of(words, data_end), std::move(environment), options);
}

struct Space {
  std::set<std::vector<uint8_t>> states, ends;
  uint64_t steps = 0;
  std::vector<FaultKind> faults;
  std::set<uint64_t> truths;
};

/// Every reachable state, by plain search.
inline Space all_states(AvrMachine& m, size_t limit = 200'000) {
  Space out;
  std::vector<std::vector<uint8_t>> work;
  auto visit = [&] {
    auto bytes = m.save();
    std::vector<uint8_t> state(bytes.begin(), bytes.end());
    out.truths.insert(m.observe());
    if (out.states.insert(state).second) work.push_back(std::move(state));
  };
  m.reset();
  visit();
  while (!work.empty() && out.states.size() < limit) {
    std::vector<uint8_t> state = std::move(work.back());
    work.pop_back();
    m.load(state);
    uint32_t count = m.successors().count;
    if (count == 0) out.ends.insert(state);
    for (uint32_t i = 0; i < count; ++i) {
      m.load(state);
      ++out.steps;
      switch (m.step(i)) {
        case machine::StepKind::Moved: visit(); break;
        case machine::StepKind::Pruned: break;
        default: out.faults.push_back(m.fault().kind); break;
      }
    }
  }
  return out;
}

}  // namespace whittle::avr::test
