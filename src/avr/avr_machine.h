// A chip running a firmware in an unknown world, as a machine for searches.
//
// A choice of step() is one of: the next instruction with one way of deciding what it needs to know (demand.h), or an
// interrupt that may come now, or the watchdog biting. While formulas look at input bits, those are part of the state
// and every choice comes with one value for them.
//
// The state that save() returns (offsets fixed by the bytes before them):
//
//   pc 3 | layout 2 | sp 2 | live_low 2 | mode 1 | flags cell 1 | [exact timers 3] | event counts | visible inputs |
//   status flags 8 | registers 32 | I/O registers of the layout | RAM up to low_top | stack from the end of RAM down |
//   cells with unknown bits: address 2, x 1, t 1 each
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "avr/core.h"
#include "avr/demand.h"
#include "avr/effect.h"
#include "avr/environment.h"
#include "avr/expression.h"
#include "avr/image.h"
#include "machine/machine.h"

namespace whittle::avr {

struct ChipOptions {
  bool delayed = true;    ///< unknown bits stay unknown until something needs them
  bool from_main = true;  ///< the initial state is the first one in main(), if start-up code leads there on one path
  bool timers_exact = false;
  bool check_written = false;  ///< reading RAM that was never written is a violation
  bool check_endless = false;  ///< a loop that can never be left is a violation
};

/// What a choice of step() stands for.
struct ChoiceInfo {
  const Interrupt* interrupt = nullptr;
  bool watchdog = false;
  bool asleep = false;    ///< nothing happens but time passing
  bool executes = false;  ///< the instruction executes (otherwise it only decides something)
  std::string decision;   ///< "PINA bit 0 is 1", or ""
};

class AvrMachine final : public machine::Machine {
 public:
  AvrMachine(std::shared_ptr<const Device> device, std::shared_ptr<const Image> image, Environment environment,
             ChipOptions options);

  /// Adds an atomic proposition; its number. Before the first reset. Error(BadInput) when it cannot be evaluated.
  uint32_t bind_atom(const std::string& expression);

  void reset() override;
  std::span<const uint8_t> save() override;
  void load(std::span<const uint8_t> state) override;
  machine::Successors successors() override;
  machine::StepKind step(uint32_t choice) override;
  uint64_t observe() override;
  machine::Position position() override;
  void trace_footprints(bool on) override { footprints_ = on; }
  const machine::Footprint& footprint() override { return footprint_; }
  void cells(std::vector<machine::ByteRange>& mortal, std::vector<machine::ByteRange>& dead) override;

  // ---- for traces and tests ----
  const Core& core() const { return core_; }
  Core& core() { return core_; }
  const Image& image() const { return *image_; }
  const Device& device() const { return *device_; }
  const ChipOptions& options() const { return options_; }
  const std::vector<Expression>& atoms() const { return atoms_; }
  ChoiceInfo explain(uint32_t choice);
  /// Of the last step that was a violation or cut.
  const Fault& fault() const { return core_.fault; }
  bool started_in_main() const { return started_in_main_; }
  /// Whether static analysis lets a reduced path run on over this word address.
  bool breaking(uint32_t pc);

 private:
  struct Plan {
    bool valid = false;
    machine::Successors answer;
    Demand need;
    uint32_t instruction = 0;     ///< choices that go on with the instruction (or with sleeping)
    std::vector<uint16_t> fires;  ///< indices into sources_
    bool watchdog = false;
  };
  enum class Pending : uint8_t { No, Maybe, Certain };

  void make_plan();
  Pending pending(const Interrupt& source) const;
  void silence(size_t sources);
  bool idle();
  machine::StepKind act(uint32_t base);
  machine::StepKind finish(machine::StepKind kind, uint32_t shown);
  bool halted() const;
  bool endless() const;
  void boot();
  void settle_observed();
  bool observed_known() const;
  const Layout& first_layout();
  void set_shown(uint32_t index);
  void note_reads(uint32_t base);
  void note_writes(const std::vector<uint8_t>& before);
  uint32_t offset_of(uint16_t cell) const;
  uint32_t stack_offset() const;
  void find_breaking();

  std::shared_ptr<const Device> device_;
  std::shared_ptr<const Image> image_;
  Environment environment_;
  ChipOptions options_;
  Layouts layouts_;
  Core core_;
  DemandRules rules_;
  std::vector<Interrupt> sources_;                   ///< those that can come at all, by vector
  std::vector<uint8_t> budget_;                      ///< events left, by at_most entry
  std::vector<int> budget_of_;                       ///< by source: index into budget_ or -1
  std::vector<std::pair<uint16_t, uint8_t>> shown_;  ///< visible input bits: address, mask
  uint32_t shown_count_ = 1;
  std::vector<Expression> atoms_;
  bool atoms_read_pc_ = false;
  std::vector<uint16_t> observed_cells_;
  std::vector<uint8_t> observed_values_;
  uint64_t observed_truth_ = 0;
  bool observed_valid_ = false;
  Plan plan_;
  std::vector<uint8_t> buffer_, initial_;
  bool started_in_main_ = false;
  uint32_t exit_ = 0xffffffff;  ///< where the C library ends a program: jumping to itself for ever is its way to halt
  std::vector<uint8_t> breaking_;
  bool footprints_ = false;
  machine::Footprint footprint_;
  enum class Action : uint8_t { Decided, Executed, Interrupted, Slept, Reset } last_action_ = Action::Decided;
  Effect last_effect_;
};

}  // namespace whittle::avr
