// Witnesses of others: does the run exist, do the invariants hold?
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/options.h"
#include "app/watch.h"
#include "exec/code.h"
#include "report/witness_reader.h"
#include "verdict/verdict.h"

namespace whittle::app {

/// Reads the witness and throws Error (input) if it is about another program, property or data model.
report::Witness read_fitting_witness(const Options& options, const verdict::Specification& specification);

/// A run along the waypoints of a violation witness that ends in its target, and was made on the machine: inputs are those that
/// the witness says, threads change where its waypoints do. What the witness leaves open is tried, for at most `seconds`.
std::optional<verdict::Verdict> follow_witness(const std::shared_ptr<const exec::Code>& code, const report::Witness& witness, double seconds,
                                               Limits& limits);
/// Does a run, whoever found it, have the inputs of the witness and end in its target?
bool fits_witness(const verdict::Verdict& verdict, const report::Witness& witness);

/// The program's files with the invariants of a correctness witness as calls of kInvariantFails where they do not hold, in a folder
/// of its own that goes with the object.
class WithInvariants {
 public:
  static constexpr const char* kFails = "__whittle_invariant_of_the_witness_fails";
  WithInvariants(const InputOptions& input, const report::Witness& witness);
  ~WithInvariants();
  WithInvariants(const WithInvariants&) = delete;
  WithInvariants& operator=(const WithInvariants&) = delete;
  const InputOptions& input() const { return input_; }
  size_t checked() const { return checked_; }
  const std::vector<std::string>& left_out() const { return left_out_; }  ///< invariants that cannot be placed, or are no C there: "a.c:12: x > 0"
  /// Those that have no value everywhere, as far as their text tells: they divide, shift or read memory. Where they have none a run
  /// would end, and hide what comes after.
  const std::vector<std::string>& partial() const { return partial_; }

 private:
  class Writer;
  InputOptions input_;
  std::filesystem::path folder_;
  size_t checked_ = 0;
  std::vector<std::string> left_out_, partial_;
};

}  // namespace whittle::app
