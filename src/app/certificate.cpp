#include "app/certificate.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "base/file.h"
#include "proof/proof.h"
#include "proof/states.h"

namespace whittle::app {

namespace {

/// Going through all states takes longer than finding the answer, but not forever.
constexpr double kSeconds = 60, kTimesTheSearch = 10;

}  // namespace

Certificate::Certificate(const Options& options) : options_(options) {
  if (!options.proof.empty() || options.require_proof) file_ = std::make_unique<suite::TemporaryFile>();
}

void Certificate::settle(const program::Program& program, const verdict::Specification& specification, Limits& limits,
                         report::Run& run, verdict::Verdict& verdict) const {
  if (!wanted() || verdict.answer != verdict::Answer::True) return;
  auto give_up = [&](std::string reason) {
    verdict.answer = verdict::Answer::Unknown;
    verdict.reason = std::move(reason);
    verdict.notes.clear();  // of the proof
  };
  std::string text = file_text(file()), why;
  if (text.empty()) {
    Limits own;
    own.set_timeout(std::min(limits.remaining(), std::max(kSeconds, kTimesTheSearch * limits.elapsed())));
    proof::Proof proof;
    proof.kind = proof::Proof::Kind::States;
    const proof::Outcome outcome = proof::check_states(program, specification, own, proof.space);
    if (outcome.valid) text = proof::write(proof, program, specification);
    why = outcome.reason;
    if (!outcome.valid && outcome.decided) {
      give_up(fmt::format("{} proved it, but the checker of proofs refuses that: {}", verdict.engine, why));
      return;
    }
  }
  auto warn = [&](std::string warning) {
    fmt::print(stderr, "whittle: warning: {}\n", warning);
    run.warnings.push_back(std::move(warning));
  };
  if (text.empty() && options_.require_proof) {
    give_up(fmt::format("{} proved it, but there is no proof that check-proof could follow: {} (--require-proof)", verdict.engine, why));
  } else if (text.empty()) {
    warn(fmt::format("{} is not written: {} gives no proof, and not all states can be gone through: {}", options_.proof, verdict.engine, why));
  } else if (!options_.proof.empty()) {
    std::ofstream out(options_.proof, std::ios::binary);
    out << text;
    if (!out.flush()) warn(fmt::format("{} cannot be written", options_.proof));
  }
}

}  // namespace whittle::app
