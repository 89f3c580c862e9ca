// One engine on one program, for benchmark suites.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "app/options.h"
#include "base/context.h"
#include "verdict/verdict.h"

namespace whittle::app::suite {

struct Measured {
  verdict::Verdict verdict;
  double seconds = 0;      ///< of the engine alone
  double cpu_seconds = 0;  ///< the same, as the processor counts: other work does not add to it
  std::string proof;       ///< of `true`, if option "proof" names a file: valid, none, or invalid: ...
  bool replayed = false;   ///< a violation that the concrete machine has run into once more
  double number(std::string_view name) const;  ///< a figure of verdict.statistics, 0 if absent
  uint64_t count(std::string_view name) const { return static_cast<uint64_t>(number(name)); }
};

using EngineOptions = std::vector<std::pair<std::string, std::string>>;

/// Checks files that lie in the folder of the suite below bench/ (or anywhere). The option "cores" is that of
/// `whittle check`, but one unless it is given.
Measured check_file(const InputOptions& input, const std::string& engine, const EngineOptions& options, double timeout,
                    Context& context, const verdict::Specification& specification = verdict::default_specification());
/// The same for a text.
Measured check_text(const std::string& text, const std::string& engine, const EngineOptions& options, double timeout,
                    Context& context, const verdict::Specification& specification = verdict::default_specification());

/// The folder of ours below bench/, wherever whittle lies.
std::string bench_folder(const std::string& name);

}  // namespace whittle::app::suite
