// A C program as a machine for explicit search: threads and inputs are choices.
//
// States are those of the concrete machine at its pauses: before a visible operation of a thread, or where an input is
// asked for. A choice is a thread to schedule or a value to provide. Where only one thing can happen there is one
// choice.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "engines/explicit/input_values.h"
#include "engines/explicit/private_steps.h"
#include "engines/explicit/step_cache.h"
#include "exec/machine.h"
#include "machine/machine.h"
#include "machine/state_numbers.h"
#include "verdict/verdict.h"

namespace whittle::engines::explicit_ {

struct MachineOptions {
  uint64_t max_branching = 65'536;   ///< values of one input that may be tried
  bool by_statement = false;         ///< a state after every statement, not only at pauses: for comparing reductions
  bool stop_at_values = false;       ///< an input with too many values ends the search, as a violation would
  uint64_t patience = ~uint64_t{0};  ///< after so many steps, so does an input with many values (many_values)
  uint64_t many_values = 16;
  bool private_steps = true;  ///< a step that no other thread can notice offers no choice (private_steps.h)
  bool repeat_steps = true;   ///< steps made before are not run again (step_cache.h)
};

class ProgramMachine : public machine::Machine, public machine::StateNumbers {
 public:
  ProgramMachine(std::shared_ptr<const exec::Code> code, const MachineOptions& options, Context& context);

  /// Shares what numbers in states refer to, the values of inputs, and what it has to say of cuts.
  std::unique_ptr<machine::Machine> twin() override;
  void save_numbers(std::vector<uint8_t>& out) override;
  bool load_numbers(std::span<const uint8_t> saved) override;

  /// Atomic propositions for observe(): conditions over memory reads at constant addresses, at most 64.
  void set_atoms(std::vector<term::Term> atoms);

  void reset() override;
  std::span<const uint8_t> save() override { return caching_ ? cache_.bytes() : machine_.save(); }
  void load(std::span<const uint8_t> state) override;
  machine::Successors successors() override;
  machine::StepKind step(uint32_t choice) override;
  uint64_t observe() override;
  machine::Position position() override;
  void trace_footprints(bool on) override;
  const machine::Footprint& footprint() override { return machine_.bytes().footprint(); }
  void cells(std::vector<machine::ByteRange>& mortal, std::vector<machine::ByteRange>& dead) override;
  uint32_t cells_number() override;
  bool leaves_out_dead() const override { return true; }
  uint64_t shared_bytes() const override { return caching_ ? cache_.shared_bytes() : 0; }

  /// From here on all steps are run by the concrete machine, which may be listened to.
  exec::Machine& concrete();
  uint32_t alive_threads();
  /// What the choice means, for replays: the thread scheduled, or the value provided.
  struct Meaning {
    bool is_input = false;
    uint32_t thread = 0;
    u128 value = 0;
  };
  Meaning meaning(uint32_t choice);

  /// Of the last step that returned Violation.
  const verdict::Violation& violation() const { return violation_; }
  // Of this machine and its twins:
  /// The first reason why a path was cut, with its source line; empty if none was.
  std::string cut() const {
    std::lock_guard lock(shared_->mutex);
    return shared_->cut;
  }
  /// Was a path cut because an input has too many values?
  bool cut_by_values() const { return shared_->cut_by_values; }
  /// Did an input with many values end the search, because patience was at its end?
  bool out_of_patience() const { return shared_->out_of_patience; }
  void be_patient() { options_.patience = ~uint64_t{0}; }

 private:
  /// What a machine and its twins have in common.
  struct Shared {
    Shared(const program::Program& program, uint64_t most, Context& context)
        : analyses(program::analysis::analyses_of(context, program)), inputs(program, most, context) {}
    std::shared_ptr<program::analysis::Analyses> analyses;
    InputValues inputs;
    std::shared_ptr<PartNumbers> numbers = std::make_shared<PartNumbers>();
    std::mutex mutex;
    std::string cut;
    std::atomic<bool> cut_by_values{false}, out_of_patience{false};
  };
  ProgramMachine(std::shared_ptr<const exec::Code> code, const MachineOptions& options, std::shared_ptr<Shared> shared);
  template <typename Reason>
  void note_cut(Reason reason);

  void find_choices();
  void find_threads();
  void find_threads_in_cache();
  bool can_go_on(uint32_t thread, uint32_t entry);
  bool private_step_in_cache(uint32_t thread);
  void keep_private_step(StepCache::Threads& threads);
  machine::StepKind run(uint32_t choice);
  machine::StepKind repeat(uint32_t choice);
  void sync();
  void stop_caching();
  machine::StepKind arrived();

  std::shared_ptr<const exec::Code> code_;
  MachineOptions options_;
  std::shared_ptr<Shared> shared_;
  exec::Machine machine_;
  PrivateSteps private_;
  StepCache cache_;
  bool caching_ = false;  ///< cache_ has the current state
  bool synced_ = true;    ///< machine_ is in the current state
  exec::Recording recording_;
  std::vector<term::Term> atoms_;
  std::vector<machine::ByteRange> observed_;  ///< bytes of states that the atoms read
  bool observes_all_ = false;                 ///< an atom reads through a pointer or a variable index
  std::vector<exec::Pending::Range> watched_;      ///< the memory that the atoms read, unless it may be any
  std::vector<uint8_t> watched_bytes_, now_bytes_;  ///< when the atoms were evaluated last; and now
  uint64_t truth_ = 0;                             ///< of the atoms, with watched_bytes_
  bool deadlock_counts_;

  bool known_ = false;  ///< the fields below are those of the current state
  machine::Ending ending_ = machine::Ending::None;
  std::vector<uint32_t> threads_;
  std::span<const uint32_t> choices_;  ///< threads_, or those that the cache knows
  InputValues::List values_;
  bool too_many_ = false;

  verdict::Violation violation_;
  uint64_t steps_ = 0;
};

}  // namespace whittle::engines::explicit_
