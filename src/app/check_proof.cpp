// whittle check-proof: is this proof of this program right?
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>
#include <set>

#include "app/commands.h"
#include "app/load.h"
#include "app/output.h"
#include "base/error.h"
#include "base/file.h"
#include "base/progress.h"
#include "proof/proof.h"

namespace whittle::app {

namespace {

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
  if (proof.kind == proof::Proof::Kind::Threads) {
    size_t facts = 0;
    for (const proof::PlaceFacts& p : proof.places) facts += p.facts.size();
    fmt::print("by: {} facts about threads at {} places, for any number of threads\n", facts, proof.places.size());
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
  require_writable(options.json);
  const std::string text = file_text(options.proof);
  if (text.empty()) fail_input("{}: cannot be read, or is empty", options.proof);
  const proof::Header header = proof::header_of(text);
  InputOptions input = options.input;
  input.data_model = header.data_model == program::DataModel::ILP32 ? "ILP32" : "LP64";
  program::Program program = load(input, header.specification, false);
  const proof::Proof proof = proof::read(text, program);
  const bool silent = options.quiet || options.json == "-";
  if (!silent) tell(proof, program, header, input.files);
  Progress progress(!silent);
  const proof::Outcome outcome = proof::check(
      proof, program, header.specification, watch.limits(), [&](uint64_t done, uint64_t all, const char* unit) {
        progress.update([&] {
          return fmt::format("{}{} {}, {:.0f} s", done, all ? fmt::format(" of {}", all) : "", unit, watch.limits().elapsed());
        });
      });
  progress.clear();
  const Stop stop = watch.limits().stopped();
  const bool open = !outcome.valid && (stop != Stop::No || !outcome.decided);
  const std::string result = outcome.valid ? "valid" : open ? "unknown" : "invalid";
  const std::string reason = outcome.valid ? "" : open && stop != Stop::No ? to_string(stop) : outcome.reason;
  if (!silent) fmt::print("steps checked: {}\n", outcome.obligations);
  if (options.json != "-") fmt::print("{}{}{}\n", result, reason.empty() ? "" : ": ", reason);
  if (!options.json.empty()) {
    nlohmann::ordered_json report;
    report["format_version"] = "1.0";
    report["result"] = result;
    report["reason"] = reason;
    report["proof"] = options.proof;
    report["kind"] = proof::name(proof.kind);
    report["files"] = input.files;
    report["data_model"] = input.data_model;
    for (verdict::Property p : header.specification.properties) report["properties"].push_back(verdict::name(p));
    report["assumptions"] = program.assumptions;
    report["steps"] = outcome.obligations;
    report["seconds"] = watch.limits().elapsed();
    try {
      write_file(options.json, report.dump(2) + "\n");
    } catch (const Error& error) {
      print_warnings({error.what()});
    }
  }
  return static_cast<int>(outcome.valid ? ExitCode::True : open ? ExitCode::Unknown : ExitCode::False);
}

}  // namespace whittle::app
