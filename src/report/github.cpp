// Annotations as GitHub's runners read them from a log: ::error file=...,line=...::message
#include <fmt/format.h>

#include "report/report.h"

namespace whittle::report {

namespace {

std::string escape(const std::string& text, bool property) {
  std::string out;
  for (char c : text) {
    if (c == '%' || c == '\r' || c == '\n' || (property && (c == ':' || c == ',')))
      out += fmt::format("%{:02X}", static_cast<unsigned>(c));
    else
      out += c;
  }
  return out;
}

std::string error_line(const Run& run) {
  std::string message = run.verdict.violation->message;
  if (!run.replay.empty()) message += "\nreplay: " + run.replay;
  const verdict::Violation& at = *run.verdict.violation;
  std::string place = at.file.empty() ? "" : fmt::format("file={},line={},", escape(at.file, true), at.line);
  return fmt::format("::error {}title={}::{}\n", place, escape("whittle: " + verdict::verdict_line(run.verdict), true),
                     escape(message, false));
}

}  // namespace

std::string github_annotations(const Run& run) {
  std::string out;
  const verdict::Verdict& verdict = run.verdict;
  for (const std::string& warning : run.warnings) out += fmt::format("::warning title=whittle::{}\n", escape(warning, false));
  if (verdict.answer == verdict::Answer::Unknown)
    out += fmt::format("::warning title={}::{}\n", escape("whittle: " + verdict::verdict_line(verdict), true),
                       escape(verdict.reason.empty() ? "no answer" : verdict.reason, false));
  if (verdict.answer != verdict::Answer::False || !verdict.violation) return out;
  out += error_line(run);
  for (const Run& other : further_violations(run)) out += error_line(other);
  return out;
}

}  // namespace whittle::report
