// What is known of each thing that was asked.
#include <fmt/format.h>

#include <algorithm>

#include "report/report.h"

namespace whittle::report {

namespace {

using verdict::Answer;
using verdict::Claim;

/// Of engines that tried together only the first line is about the property.
std::string first_line(const std::string& reason) {
  std::string line = reason.substr(0, reason.find('\n'));
  // "no engine can decide it": what they said is more telling.
  if (size_t next = reason.find('\n'); next != std::string::npos) {
    std::string_view rest = std::string_view(reason).substr(next + 1);
    rest = rest.substr(0, rest.find('\n'));
    if (size_t begin = rest.find_first_not_of(' '); begin != std::string_view::npos)
      line += fmt::format("; {}", rest.substr(begin));
  }
  constexpr size_t kLongest = 160;
  if (line.size() > kLongest) line = line.substr(0, kLongest) + " ...";
  return line;
}

}  // namespace

std::string_view answer_word(Answer answer) {
  switch (answer) {
    case Answer::True: return "proved";
    case Answer::False: return "violated";
    case Answer::Unknown: break;
  }
  return "unknown";
}

std::string claim_name(const Claim& claim) {
  if (claim.text.empty()) return std::string(verdict::name(claim.property));
  return fmt::format("{}:{} {}", claim.file.empty() ? "?" : claim.file, claim.line, claim.text);
}

std::string claims_text(const Run& run, const TextStyle& style) {
  const std::vector<Claim>& claims = run.claims.claims;
  // Nothing is known of any part that is not said of the whole.
  if (std::ranges::all_of(claims, [&](const Claim& claim) { return claim.answer == Answer::Unknown && claim.reason == run.verdict.reason; }))
    return {};
  const auto is_assertion = [](const Claim& claim) { return !claim.text.empty(); };
  const auto assertions = std::ranges::count_if(claims, is_assertion);
  // Assertions that all fare as their property does need no lines of their own.
  const bool alike = std::ranges::none_of(claims, [&](const Claim& claim) { return is_assertion(claim) && claim.answer == Answer::False; }) &&
                     (std::ranges::all_of(claims, [&](const Claim& claim) { return !is_assertion(claim) || claim.answer == Answer::True; }) ||
                      std::ranges::all_of(claims, [&](const Claim& claim) { return !is_assertion(claim) || claim.answer == Answer::Unknown; }));
  std::string out;
  for (Answer answer : {Answer::True, Answer::False, Answer::Unknown}) {
    struct Group {
      std::string properties, assertions, reason;
    };
    std::vector<Group> groups;  // by reason
    for (const Claim& claim : claims) {
      if (claim.answer != answer || (is_assertion(claim) && alike)) continue;
      std::string name = claim_name(claim), reason = first_line(claim.reason);
      if (!is_assertion(claim) && claim.property == verdict::Property::UnreachCall && alike && assertions > 0)
        name += fmt::format(" ({} assertion{})", assertions, assertions == 1 ? "" : "s");
      auto group = std::ranges::find(groups, reason, &Group::reason);
      if (group == groups.end()) group = groups.insert(groups.end(), {"", "", reason});
      if (is_assertion(claim))
        group->assertions += "  " + name + "\n";
      else
        group->properties += (group->properties.empty() ? " " : ", ") + name;
    }
    const std::string word = style.colour ? fmt::format("\033[1m{}\033[0m", answer_word(answer)) : std::string(answer_word(answer));
    for (const Group& group : groups)
      out += fmt::format("{}:{}\n{}{}", word, group.properties, group.assertions,
                         group.reason.empty() ? "" : fmt::format("    because: {}\n", group.reason));
  }
  return out;
}

std::vector<Run> further_violations(const Run& run) {
  std::vector<Run> result;
  for (const verdict::Finding& finding : run.claims.findings) {
    Run one;
    one.version = run.version;
    one.files = run.files;
    one.specification = run.specification;
    one.replay = finding.replay;
    one.trace = finding.detailed;
    one.verdict.answer = Answer::False;
    one.verdict.violation = finding.violation;
    one.verdict.counterexample = finding.counterexample;
    one.verdict.trace = finding.trace;
    result.push_back(std::move(one));
  }
  return result;
}

}  // namespace whittle::report
