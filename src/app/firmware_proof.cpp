#include "app/firmware_proof.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <sstream>
#include <vector>

#include "app/firmware.h"
#include "base/error.h"
#include "base/file.h"
#include "explore/formula.h"
#include "proof/system.h"
#include "report/sha256.h"

namespace whittle::app {

using explore::Ctl;
using explore::Formula;
using nlohmann::json;

namespace {

constexpr const char* kKind = "chip";
constexpr int kVersion = 1;

std::string digest_of(const std::string& file) { return file.empty() ? "" : report::sha256_hex(file_text(file)); }

/// What must not hold in any state for the formula to hold: of AG p, not p. False: it says something else, too.
bool find_bad(const Formula& formula, uint32_t node, std::vector<uint32_t>& bad) {
  const Formula::Node& n = formula[node];
  if (n.op == Ctl::And) return find_bad(formula, n.left, bad) && find_bad(formula, n.right, bad);
  if (n.op != Ctl::Not) return n.op == Ctl::True;
  const Formula::Node& until = formula[n.left];
  if (until.op != Ctl::ExistsUntil || formula[until.left].op != Ctl::True || !formula.is_propositional(until.right)) return false;
  bad.push_back(until.right);
  return true;
}

}  // namespace

proof::Outcome check_all_states(const Options& options, Limits& limits, proof::StateSpace& space, const proof::Progressed& progressed) {
  const std::unique_ptr<machine::System> system = load_firmware(options);
  auto bind = [&](std::string_view atom) { return system->bind_atom(std::string(atom)); };
  struct Asked {
    Formula formula;
    std::vector<uint32_t> bad;
  };
  std::vector<Asked> asked;
  std::istringstream lines(formulas_of(options));
  for (std::string line; std::getline(lines, line);) {
    Asked& one = asked.emplace_back(Asked{explore::parse_formula(line, bind), {}});
    if (!find_bad(one.formula, one.formula.root(), one.bad))
      return {false, false, fmt::format("{}: of formulas only AG of a condition on states can be seen from the states alone", line), 0};
  }
  const std::optional<uint32_t> start = system->start_atom();
  auto bad = [&](uint64_t atoms) {
    if (start && (atoms >> *start & 1) != 0) return false;  // nothing has run yet
    for (const Asked& one : asked)
      for (uint32_t node : one.bad)
        if (one.formula.evaluate(node, atoms)) return true;
    return false;
  };
  proof::Outcome outcome = proof::check_system(system->machine(), bad, limits, space, [&](const proof::StateSpace& found) {
    if (progressed) progressed(found.states, 0, "states");
  });
  if (const std::string cut = system->cut_reason(); !outcome.valid && !outcome.decided && !cut.empty() && limits.stopped() == Stop::No) outcome.reason = cut;
  return outcome;
}

std::string write_firmware_proof(const Options& options, const proof::StateSpace& space) {
  const FirmwareSettings& firmware = options.firmware;
  json out{{"format", proof::kFormat}, {"version", kVersion}, {"kind", kKind}};
  out["firmware"] = digest_of(options.input.files.front());
  out["environment"] = digest_of(firmware.environment);
  out["mcu"] = firmware.mcu;
  out["timers"] = firmware.timers;
  out["early"] = firmware.early;
  out["from_reset"] = firmware.from_reset;
  out["check_written"] = firmware.check_written;
  out["check_endless"] = firmware.check_endless;
  out["formulas"] = formulas_of(options);
  out["space"] = {{"states", space.states}, {"digest", fmt::format("{:016x}", space.digest)}};
  return out.dump(1) + "\n";
}

bool is_firmware_proof(const std::string& text) {
  const json in = json::parse(text, nullptr, /*allow_exceptions=*/false);
  return in.is_object() && in.contains("kind") && in["kind"] == kKind;
}

FirmwareProof read_firmware_proof(const std::string& text, const Options& given) {
  const json in = json::parse(text);
  try {
    if (in.at("format") != proof::kFormat || in.at("version") != kVersion) fail_input("this is no proof of whittle, or of another version");
    if (in.at("firmware") != digest_of(given.input.files.front())) fail_input("proof: it is about other firmware (or another build of it)");
    if (in.at("environment") != digest_of(given.firmware.environment))
      fail_input("proof: {}", given.firmware.environment.empty() ? "it holds in an environment: say --env FILE" : "it is about another environment (--env)");
    FirmwareProof read{given, {}};
    FirmwareSettings& firmware = read.options.firmware;
    firmware.mcu = in.at("mcu").get<std::string>();
    firmware.timers = in.at("timers").get<std::string>();
    firmware.early = in.at("early").get<bool>();
    firmware.from_reset = in.at("from_reset").get<bool>();
    firmware.check_written = in.at("check_written").get<bool>();
    firmware.check_endless = in.at("check_endless").get<bool>();
    std::istringstream lines(in.at("formulas").get<std::string>());
    for (std::string line; std::getline(lines, line);) read.options.engine_options.emplace_back("ctl", line);
    read.space.states = in.at("space").at("states").get<uint64_t>();
    read.space.digest = proof::digest_from(in.at("space").at("digest").get<std::string>());
    return read;
  } catch (const json::exception&) {
    fail_input("proof: damaged: a field is missing, or holds something else than it should");
  }
}

}  // namespace whittle::app
