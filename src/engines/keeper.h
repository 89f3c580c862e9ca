// A search that is kept in a file, now and then and when it is stopped, and goes on from there.
//
//   constexpr std::array kOptions{..., kCheckpoint, kCheckpointEvery, kResume};
//
//   Keeper keeper("mine", program, specification, settings, kOptions, {}, context.limits);
//   if (auto in = keeper.resumed()) read(*in);
//   keeper.holds([&](CheckpointWriter& out) { write(out); });
//   while (...) keeper.save_if_due();
//   keeper.leave(verdict, stopped);
//
// The file is DIR/mine.checkpoint. What cannot be written is no reason to end a search: the verdict says so.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "base/checkpoint.h"
#include "base/limits.h"
#include "engines/engine.h"

namespace whittle::engines {

inline constexpr Option kCheckpoint{"checkpoint", "DIR", "", "keep the search in a file there, now and then and when it is stopped"};
inline constexpr Option kCheckpointEvery{"checkpoint-every", "SECONDS", "300", "time between two checkpoints"};
inline constexpr Option kResume{"resume", "DIR", "", "go on with the search whose checkpoint is there, and keep it there"};

class Keeper {
 public:
  /// `free`: options that may differ when the search goes on.
  Keeper(std::string_view engine, const program::Program& program, const verdict::Specification& specification, const Settings& settings,
         std::span<const Option> options, std::initializer_list<std::string_view> free, Limits& limits);

  /// Is there anything to do? If not, all below does nothing.
  bool on() const { return !file_.empty(); }
  /// What to begin with; null: nothing was asked for. Throws Error (bad input) if it is no checkpoint of this task.
  std::unique_ptr<CheckpointReader> resumed() const;

  void holds(std::function<void(CheckpointWriter&)> write) { write_ = std::move(write); }
  void save_if_due();
  /// A search that was stopped can go on; one that has an answer needs no checkpoint any more.
  void leave(verdict::Verdict& verdict, bool stopped);

 private:
  void save();

  Limits& limits_;
  std::string file_, resume_;
  uint64_t task_ = 0;
  double every_ = 0, saved_at_ = 0;
  std::function<void(CheckpointWriter&)> write_;
  bool saved_ = false;
  std::string trouble_;  ///< why it could not be written
};

}  // namespace whittle::engines
