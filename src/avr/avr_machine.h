// A chip running a firmware in an unknown world, as a machine for searches.
//
// A choice of step() is one of: the next instruction with one way of deciding what it needs to know (demand.h), or an
// interrupt that may come now, or the watchdog biting. While formulas look at input bits, those are part of the state
// and every choice comes with one value for them.
//
// What formulas look at is known in every state. Where that is not so at the beginning (RAM that no start-up code
// writes, flags that say why the chip was reset, input bits), or where start-up code has a choice before main, the
// machine begins in states of which only starting() is true, and the first states of formulas are those that follow.
//
// The state that save() returns (offsets fixed by the bytes before them):
//
//   pc 3 | layout 2 | sp 2 | live_low 2 | mode 1 | flags cell 1 | [windows 2 | synchroniser 2 | flags left set 2 | TEMP registers] |
//   [exact timers 2] | event counts | visible inputs | status flags 8 | registers 32 | I/O registers of the layout | RAM up to low_top | stack from the end of RAM down |
//   cells with unknown bits: address 2, x 1, t 1 each
//
// The first brackets are there when something in them is not zero, which is rare; the mode byte says so.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "avr/core.h"
#include "avr/demand.h"
#include "avr/effect.h"
#include "avr/environment.h"
#include "avr/expression.h"
#include "avr/image.h"
#include "avr/precision.h"
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
  bool begins = false;    ///< nothing executes: what the chip begins with is decided
  std::string decision;   ///< "PINA bit 0 is 1", or ""
};

/// "stack runs into data: it would write address 0x0123 (table[3]) at 0x1f4 (main.c:12)"
std::string fault_text(const Fault& fault, const Image& image, const Device& device);

class AvrMachine final : public machine::Machine {
 public:
  AvrMachine(std::shared_ptr<const Device> device, std::shared_ptr<const Image> image, Environment environment,
             ChipOptions options)
      : AvrMachine(std::move(device), std::move(image), std::move(environment), options, nullptr) {}

  /// Shares the layouts, which states name by numbers.
  std::unique_ptr<machine::Machine> twin() override;

  /// Adds an atomic proposition; its number. Before the first reset. Error(BadInput) when it cannot be evaluated.
  uint32_t bind_atom(const std::string& expression);

  /// Nothing: this chip exactly. Otherwise an abstract one, with more paths and fewer states; `abstract` false: the
  /// chip exactly, which notes there what values it meets. After the last bind_atom; the machine is to be reset.
  void set_precision(std::shared_ptr<Precision> precision, bool abstract);
  /// What an abstract chip may forget.
  bool forgettable(uint16_t address) const;
  bool watches(uint16_t address) const { return rules_.observed[address] != 0; }

  /// What the last step did.
  enum class Action : uint8_t { Decided, Executed, Interrupted, Slept, Reset };
  struct Event {
    Action action = Action::Decided;
    uint32_t pc = 0;    ///< before it
    uint32_t next = 0;  ///< after it
  };
  Event last_event() const { return {last_action_, last_pc_, core_.pc}; }
  /// Of the last step, if it executed an instruction; while footprints are traced.
  const Effect& last_effect() const { return last_effect_; }

  /// The atom that is true in states before the first one; nothing when there are none. Ask after the last bind_atom.
  std::optional<uint32_t> start_atom() const;

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
  /// Why a path was cut, in this machine or its twins: of the first one. "" when none was.
  std::string cut_reason() const;
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
    bool settles = false;  ///< nothing executes: what formulas look at is decided (`need`), or the first state begins
    /// When what formulas look at becomes unknown by a step: its choice without that, and the values then decided.
    struct Outcome {
      uint32_t base = 0, values = 0;
    };
    std::vector<Outcome> outcomes;
  };
  enum class Pending : uint8_t { No, Maybe, Certain };
  /// What a machine and its twins have in common.
  struct Shared {
    explicit Shared(uint16_t io_end) : layouts(io_end) {}
    Layouts layouts;
    std::mutex mutex;
    std::string cut;  ///< why the first path was cut
  };
  AvrMachine(std::shared_ptr<const Device> device, std::shared_ptr<const Image> image, Environment environment,
             ChipOptions options, std::shared_ptr<Shared> shared);

  void make_plan();
  Pending pending(const Interrupt& source) const;
  void silence(size_t sources);
  bool idle();
  machine::StepKind act(uint32_t base);
  machine::StepKind finish(machine::StepKind kind, uint32_t shown);
  bool halted() const;
  bool endless() const;
  void boot();
  /// Bits that formulas look at and that are unknown: the first cell with such bits.
  Demand undecided() const;
  uint32_t undecided_bits() const;
  bool at_first_state() const;
  void split_outcomes();
  bool may_forget() const;
  bool follow_begun();
  bool can_wake(const Interrupt& source) const;
  bool has_handler(uint8_t vector) const;
  uint32_t flags_offset() const;
  bool passing() const;
  void decide(uint32_t values);
  void include_ram(uint32_t end, const std::string& text);
  const Layout& first_layout();
  void set_shown(uint32_t index);
  void note_reads(uint32_t base);
  void note_writes(const std::vector<uint8_t>& before);
  uint32_t offset_of(uint16_t cell) const;
  uint32_t stack_offset() const;
  void find_breaking();
  void note_head();
  void forget_watched();
  bool atoms_known() const;
  bool leads_astray();

  std::shared_ptr<const Device> device_;
  std::shared_ptr<const Image> image_;
  Environment environment_;
  ChipOptions options_;
  std::shared_ptr<Shared> shared_;
  const Layout* initial_layout_ = nullptr;
  Core core_;
  DemandRules rules_;
  std::vector<Interrupt> sources_;                   ///< those that can come at all, by vector
  std::vector<bool> handled_;                        ///< by source: its vector leads to a handler
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
  bool starting_ = false;          ///< in the current state
  bool begins_starting_ = false;   ///< in the initial state
  uint32_t first_pc_ = 0xffffffff; ///< where formulas begin; 0xffffffff: at reset
  bool forgetful_ = false;              ///< formulas look at something that instructions make unknown
  bool undecided_after_reset_ = false;  ///< ... that a reset makes unknown
  bool booting_ = false;           ///< what happens now is no path of the search
  uint32_t exit_ = 0xffffffff;  ///< where the C library ends a program: jumping to itself forever is its way to halt
  std::vector<uint8_t> breaking_;
  bool footprints_ = false;
  machine::Footprint footprint_;
  Action last_action_ = Action::Decided;
  uint32_t last_pc_ = 0;
  Effect last_effect_;
  std::shared_ptr<Precision> precision_;
  bool abstract_ = false;
};

}  // namespace whittle::avr
