// The proof of a `true`, as a file: the engine's own, or else one by states.
//
//   Certificate certificate(options);
//   settings.set("proof", certificate.file());      // if wanted(): where the engine writes
//   ... search ...
//   certificate.settle(program, specification, watch.limits(), run, verdict);
#pragma once

#include <memory>
#include <string>

#include "app/options.h"
#include "app/suite/temporary_file.h"
#include "base/limits.h"
#include "program/program.h"
#include "report/report.h"

namespace whittle::app {

class Certificate {
 public:
  explicit Certificate(const Options& options);

  bool wanted() const { return file_ != nullptr; }
  const std::string& file() const { return file_->name(); }
  /// Writes the user's file, compressed unless its name ends in .json. Without a proof: a warning, and `unknown` if one is
  /// required.
  void settle(const program::Program& program, const verdict::Specification& specification, Limits& limits,
              report::Run& run, verdict::Verdict& verdict) const;
  void settle_firmware(Limits& limits, report::Run& run, verdict::Verdict& verdict) const;

 private:
  struct Made;
  static Made by_going_through(const program::Program& program, const verdict::Specification& specification, Limits& limits);
  void finish(const Made& made, report::Run& run, verdict::Verdict& verdict) const;

  const Options& options_;
  std::unique_ptr<suite::TemporaryFile> file_;
};

}  // namespace whittle::app
