// whittle check-proof: is this proof of this program right?
#include <fmt/format.h>

#include <fstream>
#include <sstream>

#include "app/commands.h"
#include "app/load.h"
#include "app/output.h"
#include "base/error.h"
#include "proof/proof.h"

namespace whittle::app {

namespace {

std::string contents(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  if (!in || !(text << in.rdbuf())) fail_input("{}: cannot be read", file);
  return text.str();
}

}  // namespace

int check_proof(const Options& options, Watch& watch) {
  const std::string text = contents(options.proof);
  const proof::Header header = proof::header_of(text);
  InputOptions input = options.input;
  input.data_model = header.data_model == program::DataModel::ILP32 ? "ILP32" : "LP64";
  program::Program program = load(input, header.specification, false);
  proof::Outcome outcome = proof::check(proof::read(text, program), program, header.specification, watch.limits());
  const Stop stop = watch.limits().stopped();
  if (!outcome.valid && stop != Stop::No) {
    fmt::print("unknown: {}\n", to_string(stop));
    return static_cast<int>(ExitCode::Unknown);
  }
  if (outcome.valid)
    fmt::print("valid\n");
  else
    fmt::print("invalid: {}\n", outcome.reason);
  return static_cast<int>(outcome.valid ? ExitCode::True : ExitCode::False);
}

}  // namespace whittle::app
