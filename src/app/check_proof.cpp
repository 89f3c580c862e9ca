// whittle check-proof: is this proof of this program right?
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>
#include <set>

#include "app/commands.h"
#include "app/firmware.h"
#include "app/firmware_proof.h"
#include "app/load.h"
#include "app/output.h"
#include "base/error.h"
#include "base/file.h"
#include "base/progress.h"
#include "proof/packed.h"
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
  if (proof.kind == proof::Proof::Kind::Paths) {
    fmt::print("by: all of its paths, joined to {} states where they meet\n", proof.space.states);
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

/// What the proof does not claim of what must be proved (--property); empty: nothing. Whoever damages a proof could take
/// properties out of it.
std::string missing(const Options& options, const verdict::Specification& claimed) {
  using verdict::Property;
  if (claimed.has(Property::UnreachCall) && claimed.error_functions.empty()) return "it names no function whose call is an error";
  if (options.property.empty()) return "";
  const verdict::Specification wanted = specification_of(options);
  for (Property p : wanted.properties)
    if (!claimed.has(p)) return fmt::format("it does not claim {}", verdict::name(p));
  for (const std::string& function : wanted.error_functions)
    if (wanted.has(Property::UnreachCall) && !claimed.error_functions.contains(function)) return fmt::format("it does not claim that {} is never called", function);
  return "";
}

/// How far the checker is, on a terminal.
proof::Progressed on(Progress& progress, Watch& watch) {
  return [&](uint64_t done, uint64_t all, const char* unit) {
    progress.update([&] {
      return fmt::format("{}{} {}, {:.0f} s", done, all ? fmt::format(" of {}", all) : "", unit, watch.limits().elapsed());
    });
  };
}

/// The last line and the JSON report, which begins as given.
int conclude(const proof::Outcome& outcome, nlohmann::ordered_json report, const Options& options, Watch& watch) {
  const Stop stop = watch.limits().stopped();
  const bool open = !outcome.valid && (stop != Stop::No || !outcome.decided);
  const std::string result = outcome.valid ? "valid" : open ? "unknown" : "invalid";
  const std::string reason = outcome.valid ? "" : open && stop != Stop::No ? to_string(stop) : outcome.reason;
  if (!options.quiet && options.json != "-") fmt::print("steps checked: {}\n", outcome.obligations);
  if (options.json != "-") fmt::print("{}{}{}\n", result, reason.empty() ? "" : ": ", reason);
  if (!options.json.empty()) {
    nlohmann::ordered_json whole{{"format_version", "1.0"}, {"result", result}, {"reason", reason}, {"proof", options.proof}};
    whole.update(report);
    whole["steps"] = outcome.obligations;
    whole["seconds"] = watch.limits().elapsed();
    try {
      write_file(options.json, whole.dump(2) + "\n");
    } catch (const Error& error) {
      print_warnings({error.what()});
    }
  }
  return static_cast<int>(outcome.valid ? ExitCode::True : open ? ExitCode::Unknown : ExitCode::False);
}

int check_of_firmware(const std::string& text, const Options& options, bool silent, Watch& watch) {
  if (!options.property.empty()) fail_usage("--property is for C programs: a proof about firmware says its formulas");
  const FirmwareProof proof = read_firmware_proof(text, options);
  const std::string file = options.input.files.front();
  const std::vector<std::string> assumptions = load_firmware(proof.options)->assumptions();
  if (!silent) {
    fmt::print("firmware: {} ({})\n", file, proof.options.firmware.mcu);
    fmt::print("claim: no run fails a built-in check\n");
    if (const std::string formulas = formulas_of(proof.options); !formulas.empty()) fmt::print("  and {}", formulas);
    for (const std::string& assumption : assumptions) fmt::print("assumed: {}\n", assumption);
    fmt::print("by: all states, of which {} are kept\n", proof.space.states);
  }
  Progress progress(!silent);
  proof::StateSpace found;
  proof::Outcome outcome = check_all_states(proof.options, watch.limits(), found, on(progress, watch));
  progress.clear();
  proof::compare(found, proof.space, outcome);
  return conclude(outcome, {{"kind", "chip"}, {"files", options.input.files}, {"mcu", proof.options.firmware.mcu}, {"formulas", formulas_of(proof.options)}, {"assumptions", assumptions}}, options, watch);
}

}  // namespace

int check_proof(const Options& options, Watch& watch) {
  require_writable(options.json);
  const std::string text = proof::unpacked(file_text(options.proof));
  if (text.empty()) fail_input("{}: cannot be read, or is empty", options.proof);
  const bool silent = options.quiet || options.json == "-";
  if (is_firmware_proof(text)) return check_of_firmware(text, options, silent, watch);
  if (!options.firmware.environment.empty()) fail_usage("--env is for firmware");
  const proof::Header header = proof::header_of(text);
  InputOptions input = options.input;
  input.data_model = header.data_model == program::DataModel::ILP32 ? "ILP32" : "LP64";
  program::Program program = load(input, header.specification, false);
  const proof::Proof proof = proof::read(text, program);
  if (!silent) tell(proof, program, header, input.files);
  Progress progress(!silent);
  proof::Outcome outcome{false, true, missing(options, header.specification)};
  if (outcome.reason.empty()) outcome = proof::check(proof, program, header.specification, watch.limits(), on(progress, watch));
  progress.clear();
  nlohmann::ordered_json report{{"kind", proof::name(proof.kind)}, {"files", input.files}, {"data_model", input.data_model}};
  for (verdict::Property p : header.specification.properties) report["properties"].push_back(verdict::name(p));
  report["error_functions"] = header.specification.error_functions;
  report["assumptions"] = program.assumptions;
  return conclude(outcome, std::move(report), options, watch);
}

}  // namespace whittle::app
