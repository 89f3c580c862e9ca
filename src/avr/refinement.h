// Firmware as machine::Abstraction: which cells are forgotten, by what the searches have met, and which are kept, by the
// paths of the abstract chip that are none of the chip.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "avr/avr_machine.h"
#include "machine/system.h"

namespace whittle::avr {

class Refinement final : public machine::Abstraction {
 public:
  /// Two machines of the same firmware with the same atoms.
  Refinement(std::unique_ptr<AvrMachine> exact, std::unique_ptr<AvrMachine> abstract);

  machine::Machine& exact() override { return *exact_; }
  machine::Machine& machine() override { return *abstract_; }
  bool coarsen() override;
  machine::Judgement judge(const std::vector<uint32_t>& choices, Context& context) override;

 private:
  /// One step of the path that is more than a decision.
  struct Step {
    AvrMachine::Event event;
    Effect effect;
    bool abstracted = false;
  };
  struct Path {
    std::vector<Step> steps;
    std::optional<Effect> violation;  ///< the last step violates the machine's property; what it reads
    uint64_t atoms = 0;               ///< in the last state
  };
  /// The same byte of all elements of an array.
  struct Elements {
    uint32_t first = 0, stride = 1, count = 0;
  };
  std::vector<uint8_t> current_masks() const;
  void share(std::vector<uint8_t>& masks) const;
  void find_arrays(int type_index, uint32_t address);
  Path follow(const std::vector<uint32_t>& choices);
  std::optional<std::vector<uint32_t>> find_exact(const Path& path, Context& context, size_t& deepest);
  bool refine(const Path& path, size_t deepest);
  bool keep(uint16_t address);
  void adopt();

  std::unique_ptr<AvrMachine> exact_, abstract_;
  std::shared_ptr<Precision> precision_;
  std::vector<Elements> arrays_;
  unsigned threshold_;
};

}  // namespace whittle::avr
