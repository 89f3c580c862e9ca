#include "engines/keeper.h"

#include <fmt/format.h>

#include <cstdio>

#include "base/error.h"
#include "engines/task_digest.h"

namespace whittle::engines {

Keeper::Keeper(std::string_view engine, const program::Program& program, const verdict::Specification& specification, const Settings& settings,
               std::span<const Option> options, std::initializer_list<std::string_view> free, Limits& limits)
    : limits_(limits) {
  const std::string resume = settings.text("resume", ""), keep = settings.text("checkpoint", resume);
  if (keep.empty()) return;
  file_ = fmt::format("{}/{}.checkpoint", keep, engine);
  if (!resume.empty()) resume_ = fmt::format("{}/{}.checkpoint", resume, engine);
  every_ = settings.real("checkpoint-every", 300);
  task_ = task_digest(program, specification, settings, options, free);
  require_place_for_checkpoint(file_);
}

std::unique_ptr<CheckpointReader> Keeper::resumed() const {
  return resume_.empty() ? nullptr : std::make_unique<CheckpointReader>(resume_, task_);
}

void Keeper::save_if_due() {
  if (!on() || limits_.elapsed() < saved_at_ + every_) return;
  save();
  saved_at_ = limits_.elapsed();
}

void Keeper::save() {
  try {
    CheckpointWriter out(file_, task_);
    write_(out);
    out.finish();
    saved_ = true;
    trouble_.clear();
  } catch (const Error& error) {
    trouble_ = error.what();
  }
}

void Keeper::leave(verdict::Verdict& verdict, bool stopped) {
  if (!on()) return;
  if (verdict.answer == verdict::Answer::Unknown && limits_.stopped() != Stop::No) stopped = true;  // perhaps while a violation was shown
  if (!stopped) {
    std::remove(file_.c_str());
  } else {
    save();
    if (saved_) verdict.reason += "; --resume goes on from here";
  }
  if (!trouble_.empty()) verdict.notes.push_back(trouble_);
}

}  // namespace whittle::engines
