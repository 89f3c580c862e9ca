// whittle check-proof: is this proof of this program right?
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <fstream>
#include <set>
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

/// What the proof claims. Its invariants are for people: they are not what is checked.
void tell(const proof::Proof& proof, const program::Program& program, const proof::Header& header,
          const std::vector<std::string>& files) {
  fmt::print("program: {} ({})\n", fmt::join(files, " "),
             header.data_model == program::DataModel::ILP32 ? "ILP32" : "LP64");
  std::vector<std::string> properties;
  for (verdict::Property p : header.specification.properties) properties.emplace_back(verdict::name(p));
  fmt::print("claim: no run violates {}\n", fmt::join(properties, ", "));
  if (header.specification.has(verdict::Property::UnreachCall))
    fmt::print("  errors are calls of: {}\n", fmt::join(header.specification.error_functions, ", "));
  for (const std::string& assumption : program.assumptions) fmt::print("assumed: {}\n", assumption);
  if (proof.kind == proof::Proof::Kind::Run) {
    fmt::print("by: its only run\n");
    return;
  }
  if (proof.kind == proof::Proof::Kind::States) {
    fmt::print("by: all of its {} states\n", proof.space.states);
    return;
  }
  size_t regions = 0;
  std::set<program::FunctionId> functions;
  for (const proof::FunctionProof& f : proof.functions) regions += f.regions.size(), functions.insert(f.function);
  fmt::print("by: {} regions in {} entries for {} of {} functions, {} objects\n", regions, proof.functions.size(),
             functions.size(), program.functions.size(), proof.objects.size());
  for (const std::string& line : proof.invariants) fmt::print("invariant: {}\n", line);
}

}  // namespace

int check_proof(const Options& options, Watch& watch) {
  const std::string text = contents(options.proof);
  const proof::Header header = proof::header_of(text);
  InputOptions input = options.input;
  input.data_model = header.data_model == program::DataModel::ILP32 ? "ILP32" : "LP64";
  program::Program program = load(input, header.specification, false);
  const proof::Proof proof = proof::read(text, program);
  tell(proof, program, header, input.files);
  proof::Outcome outcome = proof::check(proof, program, header.specification, watch.limits());
  fmt::print("steps checked: {}\n", outcome.obligations);
  const Stop stop = watch.limits().stopped();
  if (!outcome.valid && (stop != Stop::No || !outcome.decided)) {
    fmt::print("unknown: {}\n", stop != Stop::No ? to_string(stop) : outcome.reason);
    return static_cast<int>(ExitCode::Unknown);
  }
  if (outcome.valid)
    fmt::print("valid\n");
  else
    fmt::print("invalid: {}\n", outcome.reason);
  return static_cast<int>(outcome.valid ? ExitCode::True : ExitCode::False);
}

}  // namespace whittle::app
