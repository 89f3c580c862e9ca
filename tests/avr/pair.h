// Our core and simavr side by side.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

extern "C" {
#include <sim_avr.h>
#include <sim_core.h>
#include <sim_elf.h>
}
#undef R  // simavr's headers are generous with names

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "avr/core.h"
#include "avr/image.h"

namespace whittle::avr {

/// Both processors side by side.
class Pair {
 public:
  explicit Pair(const std::string& mcu) : device_(find_device(mcu)), layouts_(device_->ram_start()) {
    sim = avr_make_mcu_by_name(mcu.c_str());
    EXPECT_NE(sim, nullptr);
    avr_init(sim);
    sim->log = 0;
    sim->run_cycle_limit = 1;
    sim->sleep = [](avr_t*, avr_cycle_count_t) {};
    std::vector<uint16_t> io;
    for (uint16_t a = 32; a < device_->ram_start(); ++a)
      if (device_->at(a).kind != RegisterKind::Reserved) io.push_back(a);
    layout_ = &layouts_.intern(uint16_t(device_->ram_end() + 1), io);
    code = std::make_shared<std::vector<Insn>>(device_->flash_words());
    flash = std::make_shared<std::vector<uint8_t>>(device_->table().flash_bytes, 0xff);
    CoreOptions options;
    options.forget_stack = false;
    options.zero_ram = true;
    core = std::make_unique<Core>(device_, code, flash, layouts_, *layout_, options);
  }
  ~Pair() {
    avr_terminate(sim);
    free(sim);
  }

  void set_word(uint32_t word, uint16_t value) {
    sim->flash[2 * word] = uint8_t(value), sim->flash[2 * word + 1] = uint8_t(value >> 8);
    (*flash)[2 * word] = uint8_t(value), (*flash)[2 * word + 1] = uint8_t(value >> 8);
  }
  void load(const Image& image) {
    for (size_t i = 0; i < image.flash.size(); ++i) sim->flash[i] = (*flash)[i] = image.flash[i];
    sim->codeend = sim->flashend;
    std::vector<uint16_t> words;
    for (size_t i = 0; i + 1 < image.flash.size(); i += 2)
      words.push_back(uint16_t(image.flash[i] | image.flash[i + 1] << 8));
    *code = decode_flash(words, *device_);
  }
  void set_sp(uint16_t sp) {
    core->sp = sp;
    sim->data[R_SPL] = uint8_t(sp), sim->data[R_SPH] = uint8_t(sp >> 8);
  }
  void set_flag(int flag, uint8_t value) { core->sreg[size_t(flag)] = sim->sreg[flag] = value; }
  void set_cell(uint16_t a, uint8_t value) { core->v[a] = sim->data[a] = value; }
  void set_pc(uint32_t words) { core->pc = words, sim->pc = words * 2; }

  bool step() {
    sim->state = cpu_Running;
    sim->pc = avr_run_one(sim);
    return core->execute();
  }
  /// What differs, or "".
  std::string difference() const {
    for (int r = 0; r < 32; ++r)
      if (core->v[size_t(r)] != sim->data[r])
        return fmt::format("r{}: ours {:02x}, simavr {:02x}", r, core->v[size_t(r)], sim->data[r]);
    for (int f = 0; f < 8; ++f)
      if (core->sreg[size_t(f)] != sim->sreg[f])
        return fmt::format("flag {}: ours {}, simavr {}", "CZNVSHTI"[f], core -> sreg[size_t(f)], sim -> sreg[f]);
    uint16_t sp = uint16_t(sim->data[R_SPL] | sim->data[R_SPH] << 8);
    if (core->sp != sp) return fmt::format("SP: ours {:04x}, simavr {:04x}", core->sp, sp);
    if (core->pc * 2 != sim->pc) return fmt::format("PC: ours {:x}, simavr {:x}", core->pc * 2, sim->pc);
    uint16_t start = device_->ram_start();
    size_t size = size_t(device_->ram_end()) + 1 - start;
    if (std::memcmp(core->v.data() + start, sim->data + start, size) != 0) {
      for (uint32_t a = start; a <= device_->ram_end(); ++a)
        if (core->v[a] != sim->data[a])
          return fmt::format("[{:04x}]: ours {:02x}, simavr {:02x}", a, core->v[a], sim->data[a]);
    }
    return "";
  }

  const Device& device() const { return *device_; }
  avr_t* sim;
  std::shared_ptr<std::vector<Insn>> code;
  std::shared_ptr<std::vector<uint8_t>> flash;
  std::unique_ptr<Core> core;

 private:
  std::shared_ptr<const Device> device_;
  Layouts layouts_;
  const Layout* layout_ = nullptr;
};

}  // namespace whittle::avr
