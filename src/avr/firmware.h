// Firmware for the command line: load, name atoms, search with any engine over machine::Machine, tell what happened.
//
//   FirmwareOptions options;
//   options.device = "atmega16";
//   auto firmware = load_firmware("fw.elf", options);          // throws whittle::Error: one line, exit code 64 or 65
//   uint32_t atom = firmware->bind_atom("mode <= 6");
//   explore(firmware->machine(), ...);                          // gives a path: the choices of step() from reset()
//   machine::Story story = firmware->describe(path);
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "avr/avr_machine.h"
#include "machine/system.h"

namespace whittle::avr {

struct FirmwareOptions {
  std::string device;
  std::string environment_path;  ///< --env FILE; empty: no restriction
  ChipOptions chip;
};

/// A register or variable that a step changed, as text: "mode", "3 (OPENING)".
struct Change {
  std::string name, before, after;
};

struct TraceStep {
  uint32_t pc = 0;          ///< byte address
  std::string instruction;  ///< disassembled; "interrupt INT0", "watchdog reset", "asleep"
  std::string function;
  std::string file;  ///< "" when no source line belongs to it
  uint32_t line = 0;
  std::string decision;   ///< what the environment decided here: "PINA.0 = 1"; ""
  std::string interrupt;  ///< name of the interrupt taken; ""
  std::vector<Change> changes;
  std::string violation;  ///< set on the step that violates a check
  uint64_t cycles = 0;    ///< of the clock, before it: of all instructions so far, not of sleep
};

class Firmware final : public machine::System {
 public:
  Firmware(std::shared_ptr<const Device> device, std::shared_ptr<const Image> image, Environment environment,
           ChipOptions options);

  machine::Machine& machine() override { return *machine_; }
  AvrMachine& chip() { return *machine_; }
  const Image& image() const { return *image_; }

  uint32_t bind_atom(const std::string& expression) override { return machine_->bind_atom(expression); }
  std::optional<uint32_t> start_atom() const override { return machine_->start_atom(); }
  std::unique_ptr<machine::System> fresh(bool early) const override;
  std::unique_ptr<machine::Abstraction> abstraction() const override;
  bool decides_early() const override { return !machine_->options().delayed; }
  std::string cut_reason() const override { return machine_->cut_reason(); }
  machine::Story describe(const std::vector<uint32_t>& choices) override;
  verdict::Violation beginning() const override;
  std::vector<std::string> warnings() const override { return image_->warnings; }

  /// Replays the choices from the initial state, instruction by instruction. Stops early at a step that violates a
  /// check.
  std::vector<TraceStep> replay(const std::vector<uint32_t>& choices);

  /// Of the fault the machine met last: "stack runs into data: ..." and so on.
  std::string violation() const;

  /// What was taken for granted: sentences for the end of the report.
  std::vector<std::string> assumptions() const override;

 private:
  TraceStep describe_step(uint32_t choice);
  void place(TraceStep& step, uint32_t pc);
  std::string path_of(const std::string& file);

  std::shared_ptr<const Device> device_;
  std::shared_ptr<const Image> image_;
  Environment environment_;
  std::unique_ptr<AvrMachine> machine_;
  uint64_t cycles_ = 0;  ///< of what describe_step has run
  std::map<std::string, std::string> paths_;  ///< of source files, as they can be read
};

std::unique_ptr<Firmware> load_firmware(const std::string& path, const FirmwareOptions& options);

}  // namespace whittle::avr
