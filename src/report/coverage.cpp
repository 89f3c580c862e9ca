#include "report/coverage.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "report/page.h"

namespace whittle::report {

namespace {

/// How many of each kind.
struct Tally {
  std::array<uint64_t, 3> of = {};
  void add(Reach reach) { ++of[static_cast<size_t>(reach)]; }
  uint64_t operator[](Reach reach) const { return of[static_cast<size_t>(reach)]; }
  uint64_t all() const { return of[0] + of[1] + of[2]; }
  std::string text(const char* what) const {
    std::string out = fmt::format("{} of {} {} reached", (*this)[Reach::Reached], all(), what);
    if ((*this)[Reach::Unreachable] != 0) out += fmt::format(", {} proved unreachable", (*this)[Reach::Unreachable]);
    if ((*this)[Reach::Open] != 0) out += fmt::format(", {} open", (*this)[Reach::Open]);
    return out;
  }
};

Tally lines_of(const CoveredFile& file) {
  Tally tally;
  for (const auto& [number, line] : file.lines) tally.add(line.reach);
  return tally;
}
Tally branches_of(const CoveredFile& file) {
  Tally tally;
  for (const CoveredBranch& branch : file.branches) tally.add(branch.reach);
  return tally;
}
Tally sum(const Coverage& coverage, Tally (*of)(const CoveredFile&)) {
  Tally all;
  for (const CoveredFile& file : coverage.files) {
    const Tally one = of(file);
    for (size_t i = 0; i < all.of.size(); ++i) all.of[i] += one.of[i];
  }
  return all;
}

const char* word(Reach reach) {
  switch (reach) {
    case Reach::Reached: return "reached";
    case Reach::Unreachable: return "unreachable";
    case Reach::Open: break;
  }
  return "open";
}

/// "2 of 3" branches of a line, and what is known about the others.
std::string branch_text(const CoveredFile& file, unsigned line) {
  Tally tally;
  for (const CoveredBranch& branch : file.branches)
    if (branch.line == line) tally.add(branch.reach);
  if (tally.all() == 0) return "";
  std::string out = fmt::format("{}/{}", tally[Reach::Reached], tally.all() - tally[Reach::Unreachable]);
  if (tally[Reach::Unreachable] != 0) out += fmt::format(" &minus;{}", tally[Reach::Unreachable]);
  return out;
}

}  // namespace

std::string coverage_text(const Coverage& coverage) {
  std::string out = sum(coverage, lines_of).text("lines");
  if (const Tally branches = sum(coverage, branches_of); branches.all() != 0) out += "; " + branches.text("branches");
  return out + fmt::format(" ({} run{})", coverage.runs, coverage.runs == 1 ? "" : "s");
}

std::string lcov(const Coverage& coverage) {
  std::string out = "TN:whittle\n";
  for (const CoveredFile& file : coverage.files) {
    out += fmt::format("SF:{}\n", file.name);
    uint64_t found = 0, hit = 0;
    for (const CoveredFile::Function& function : file.functions) {
      if (function.reach == Reach::Unreachable) continue;
      out += fmt::format("FN:{},{}\nFNDA:{},{}\n", function.line, function.name, function.count, function.name);
      ++found, hit += function.count != 0;
    }
    out += fmt::format("FNF:{}\nFNH:{}\n", found, hit);
    found = hit = 0;
    for (const CoveredBranch& branch : file.branches) {
      if (branch.reach == Reach::Unreachable) continue;
      auto line = file.lines.find(branch.line);
      const bool decided = line != file.lines.end() && line->second.count != 0;
      out += fmt::format("BRDA:{},{},{},{}\n", branch.line, branch.decision, branch.way,
                         decided ? fmt::format("{}", branch.count) : "-");
      ++found, hit += branch.count != 0;
    }
    out += fmt::format("BRF:{}\nBRH:{}\n", found, hit);
    found = hit = 0;
    for (const auto& [number, line] : file.lines) {
      if (line.reach == Reach::Unreachable) continue;
      out += fmt::format("DA:{},{}\n", number, line.count);
      ++found, hit += line.count != 0;
    }
    out += fmt::format("LF:{}\nLH:{}\nend_of_record\n", found, hit);
  }
  return out;
}

std::string coverage_html(const Coverage& coverage, Sources& sources, const std::vector<Invariant>& invariants) {
  std::string out = fmt::format("<p id=coverage>{}</p>\n<p class=soft><span class=\"key reached\">reached by a run, and how often</span> "
                                "<span class=\"key unreachable\">proved unreachable</span> "
                                "<span class=\"key open\">open: no run got there, no proof that none can</span></p>\n",
                                coverage_text(coverage));
  for (const CoveredFile& file : coverage.files) {
    out += fmt::format("<h3>{}</h3><div class=\"proof covered\"><div class=source>", escape_html(file.name));
    const std::vector<std::string>& lines = sources.lines(file.name);
    for (unsigned number = 1; number <= lines.size(); ++number) {
      for (const Invariant& invariant : invariants)
        if (invariant.file == file.name && invariant.line == number)
          out += fmt::format("<div class=there><span class=n></span><span class=count></span><span class=ways></span><span class=fact>{}</span></div>",
                             escape_html(invariant.text));
      auto line = file.lines.find(number);
      const bool there = line != file.lines.end();
      out += fmt::format("<div{}><span class=n>{}</span><span class=count>{}</span><span class=ways>{}</span><span>{}</span></div>",
                         there ? fmt::format(" class={} title=\"{}\"", word(line->second.reach), word(line->second.reach)) : "", number,
                         !there ? "" : line->second.reach == Reach::Unreachable ? "never" : fmt::format("{}", line->second.count),
                         branch_text(file, number), escape_html(lines[number - 1]));
    }
    out += "</div></div>\n";
  }
  return out;
}

std::string coverage_page(const Coverage& coverage, Sources& sources, const std::string& title) {
  return fmt::format(
             "<!doctype html>\n<html lang=en><head><meta charset=utf-8><meta name=viewport "
             "content=\"width=device-width,initial-scale=1\">\n<title>coverage - {}</title><style>{}</style></head><body>\n"
             "<div class=top><h1>Coverage of {}</h1><button id=theme>dark / light</button></div>\n",
             escape_html(title), kPageStyle, escape_html(title)) +
         coverage_html(coverage, sources, {}) +
         fmt::format("<script id=data type=application/json>{{\"steps\":[],\"strings\":[]}}</script>\n<script>{}</script>\n</body></html>\n",
                     kPageScript);
}

}  // namespace whittle::report
