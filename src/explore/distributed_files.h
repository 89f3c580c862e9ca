// Checkpoints of a search by several processes: a file with the states of each, and one that says which belong together.
//
//   PartWriter part(checkpoint, task, {generation, parts}, rank);
//   part.figures(numbers);
//   part.add({bytes, parent, open});
//   part.finish();
//   write_manifest(checkpoint, task, {generation, parts});          // when all parts are there: from now on they count
//
// Any number of processes goes on from them: each reads some parts, and sends states to those that they belong to now.
// A state is written as what differs from the one before it.
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "base/checkpoint.h"

namespace whittle::explore {

/// The first number in a checkpoint: what it is of.
enum class CheckpointKind : uint64_t { OneProcess = 1, SeveralProcesses = 2 };

/// Files that belong together. Numbers of generations are never used twice.
struct Generation {
  uint64_t number = 0;
  uint64_t parts = 0;
};

/// Without a look at the rest of it; false if there is none.
bool is_of_several_processes(const std::string& checkpoint);
void write_manifest(const std::string& checkpoint, uint64_t task, Generation generation);
/// Throws Error (bad input) if it cannot be used.
Generation read_manifest(const std::string& checkpoint, uint64_t task);
/// Of all generations but this one; 0: of all.
void remove_other_parts(const std::string& checkpoint, uint64_t generation);
void remove_parts(const std::string& checkpoint, uint64_t generation);

struct PartState {
  std::span<const uint8_t> bytes;
  uint64_t parent = 0;  ///< hash of the state it was first reached from; 0: it is the first one
  bool open = false;    ///< still to be expanded
};
using PartFigures = std::array<uint64_t, 5>;

class PartWriter {
 public:
  PartWriter(const std::string& checkpoint, uint64_t task, Generation generation, uint64_t part);
  void figures(const PartFigures& numbers) { out_.value(numbers); }
  void add(const PartState& state);
  void raw(std::span<const uint8_t> piece) { piece_.assign(piece.begin(), piece.end()); }  ///< for tests
  void finish();

 private:
  void number(uint64_t value);
  CheckpointWriter out_;
  std::vector<uint8_t> last_, piece_;
};

class PartReader {
 public:
  PartReader(const std::string& checkpoint, uint64_t task, Generation generation, uint64_t part);
  PartFigures figures() { return in_.value<PartFigures>(); }
  /// False: there is no more. The bytes last until the next call.
  bool next(PartState& state);

 private:
  uint64_t number();
  uint8_t byte();
  CheckpointReader in_;
  std::vector<uint8_t> last_, piece_;
  size_t at_ = 0;
};

}  // namespace whittle::explore
