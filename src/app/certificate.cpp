#include "app/certificate.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/firmware_proof.h"
#include "base/file.h"
#include "proof/packed.h"
#include "proof/paths.h"
#include "proof/proof.h"
#include "proof/states.h"

namespace whittle::app {

namespace {

/// Going through all states takes longer than finding the answer, but not forever.
constexpr double kSeconds = 60, kTimesTheSearch = 10;

/// With how much of that time: few states are soon found, and so are few paths.
constexpr std::pair<proof::Proof::Kind, double> kAttempts[] = {
    {proof::Proof::Kind::States, 0.05}, {proof::Proof::Kind::Paths, 0.15}, {proof::Proof::Kind::States, 0.3}, {proof::Proof::Kind::Paths, 1}};

void set_time(Limits& own, Limits& whole, double share = 1) {
  own.set_timeout(share * std::min(whole.remaining(), std::max(kSeconds, kTimesTheSearch * whole.elapsed())));
}

}  // namespace

struct Certificate::Made {
  std::string text;      ///< empty: there is none
  std::string why;       ///< not
  bool refused = false;  ///< the answer was found to be wrong
};

Certificate::Certificate(const Options& options) : options_(options) {
  if (!options.proof.empty() || options.require_proof) file_ = std::make_unique<suite::TemporaryFile>();
}

/// By the states of the program one by one, if they are few; or by its paths.
Certificate::Made Certificate::by_going_through(const program::Program& program, const verdict::Specification& specification, Limits& limits) {
  std::string why;
  for (const auto& [kind, share] : kAttempts) {
    const auto go = kind == proof::Proof::Kind::States ? proof::check_states : proof::check_paths;
    Limits own;
    set_time(own, limits, share);
    proof::Proof proof;
    proof.kind = kind;
    const proof::Outcome outcome = go(program, specification, own, proof.space, {});
    if (outcome.valid) return {proof::write(proof, program, specification), {}};
    if (outcome.decided) return {{}, outcome.reason, true};
    if (why.find(outcome.reason) == std::string::npos) why += (why.empty() ? "" : "; ") + outcome.reason;
  }
  return {{}, why};
}

void Certificate::settle(const program::Program& program, const verdict::Specification& specification, Limits& limits,
                         report::Run& run, verdict::Verdict& verdict) const {
  if (!wanted() || verdict.answer != verdict::Answer::True) return;
  Made made{file_text(file()), {}};
  if (made.text.empty()) {
    made = by_going_through(program, specification, limits);
  }
  for (const std::string& note : verdict.notes)
    if (note.find("wrote no proof") != std::string::npos) made.why += "; " + note;
  finish(made, run, verdict);
}

void Certificate::settle_firmware(Limits& limits, report::Run& run, verdict::Verdict& verdict) const {
  if (!wanted() || verdict.answer != verdict::Answer::True) return;
  Limits own;
  set_time(own, limits);
  proof::StateSpace space;
  const proof::Outcome outcome = check_all_states(options_, own, space);
  finish({outcome.valid ? write_firmware_proof(options_, space) : "", outcome.reason, !outcome.valid && outcome.decided}, run, verdict);
}

void Certificate::finish(const Made& made, report::Run& run, verdict::Verdict& verdict) const {
  auto give_up = [&](std::string reason) {
    verdict.answer = verdict::Answer::Unknown;
    verdict.reason = std::move(reason);
    verdict.notes.clear();  // of the proof
  };
  auto warn = [&](std::string warning) {
    fmt::print(stderr, "whittle: warning: {}\n", warning);
    run.warnings.push_back(std::move(warning));
  };
  if (made.refused)
    give_up(fmt::format("{} proved it, but the checker of proofs refuses that: {}", verdict.engine, made.why));
  else if (made.text.empty() && options_.require_proof)
    give_up(fmt::format("{} proved it, but there is no proof that check-proof could follow: {} (--require-proof)", verdict.engine, made.why));
  else if (made.text.empty())
    warn(fmt::format("{} is not written: {} gives no proof, and not all states can be gone through: {}", options_.proof, verdict.engine, made.why));
  else if (!options_.proof.empty() && !proof::store(options_.proof, options_.proof.ends_with(".json") ? made.text : proof::packed(made.text)))
    warn(fmt::format("{} cannot be written", options_.proof));
}

}  // namespace whittle::app
