// Proofs as JSON.
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/hash.h"
#include "program/print.h"
#include "proof/proof.h"
#include "proof/term_text.h"

namespace whittle::proof {

using nlohmann::json;
using term::Term;

namespace {

constexpr int kVersion = 1;

/// Tells programs apart, not adversaries: a proof of another program would fail anyway.
std::string digest(const program::Program& program) {
  std::string text = program::to_text(program, {.positions = false});
  return fmt::format("{:016x}", hash_bytes({reinterpret_cast<const uint8_t*>(text.data()), text.size()}));
}

json region_number(uint32_t number) { return number == kStart ? json("start") : json(number); }

json to_json(const FunctionProof& f, const program::Program& program, std::span<const Object> objects) {
  auto text = [&](Term t) { return to_text(program, f, t, objects); };
  json out{{"function", program.functions[f.function].name}, {"number", f.function}};
  out["ghosts"] = json::array();
  for (Term ghost : f.ghosts)
    out["ghosts"].push_back({{"width", ghost.width()}, {"name", program.terms().variable_name(ghost)}});
  if (f.result) out["result"] = f.result.width();
  out["requires"] = text(f.requires_);
  out["ensures"] = text(f.ensures);
  out["regions"] = json::array();
  for (const Region& r : f.regions)
    out["regions"].push_back({{"location", r.location}, {"predicate", text(r.predicate)}});
  out["impossible"] = json::array();
  for (const Impossible& i : f.impossible) out["impossible"].push_back({region_number(i.from), i.to});
  if (f.element) {
    auto texts = [&](const std::vector<Term>& terms) {
      json list = json::array();
      for (Term t : terms) list.push_back(text(t));
      return list;
    };
    json elements = json::array();
    for (const ForAll& fact : f.elements) elements.push_back({{"location", fact.location}, {"holds", text(fact.body)}});
    out["for_all"] = {{"elements", elements}, {"requires", texts(f.requires_all)}, {"ensures", texts(f.ensures_all)}};
  }
  out["calls"] = json::array();
  for (const CallSite& call : f.calls) {
    json uses = json::array();
    for (const Use& use : call.uses) {
      json ghosts = json::array();
      for (Term t : use.ghosts) ghosts.push_back(text(t));
      uses.push_back({{"proof", use.proof}, {"ghosts", ghosts}});
    }
    out["calls"].push_back({{"edge", call.edge}, {"uses", uses}});
  }
  return out;
}

Term condition_from(const json& text, const program::Program& program, const FunctionProof& scope, std::span<const Object> objects) {
  Term t = parse_term(program, scope, text.get<std::string>(), objects);
  if (t.width() != 1) fail_input("proof: a condition that is no condition: {}", shorten(text.get<std::string>()));
  return t;
}

FunctionProof function_from(const json& in, const program::Program& program, std::span<const Object> objects) {
  FunctionProof f;
  f.function = in.at("number").get<uint32_t>();
  if (f.function >= program.functions.size() || program.functions[f.function].name != in.at("function"))
    fail_input("proof: no function {} here", in.at("function").get<std::string>());
  term::Store& store = program.terms();
  auto width = [](const json& value) {
    auto w = value.get<unsigned>();
    if (w < 1 || w > 128) fail_input("proof: a width out of range");
    return w;
  };
  for (const json& ghost : in.at("ghosts"))
    f.ghosts.push_back(store.variable(width(ghost.at("width")), ghost.at("name").get<std::string>()));
  if (in.contains("result")) f.result = store.variable(width(in.at("result")), "result");
  auto condition = [&](const json& text) { return condition_from(text, program, f, objects); };
  f.requires_ = condition(in.at("requires"));
  f.ensures = condition(in.at("ensures"));
  for (const json& region : in.at("regions"))
    f.regions.push_back({region.at("location").get<uint32_t>(), condition(region.at("predicate"))});
  for (const json& pair : in.at("impossible"))
    f.impossible.push_back({pair.at(0) == "start" ? kStart : pair.at(0).get<uint32_t>(), pair.at(1).get<uint32_t>()});
  if (in.contains("for_all")) {
    const json& all = in.at("for_all");
    f.element = store.variable(program.pointer_width(), "n");
    for (const json& fact : all.at("elements"))
      f.elements.push_back({fact.at("location").get<uint32_t>(), condition(fact.at("holds"))});
    for (const json& fact : all.at("requires")) f.requires_all.push_back(condition(fact));
    for (const json& fact : all.at("ensures")) f.ensures_all.push_back(condition(fact));
  }
  for (const json& call : in.at("calls")) {
    CallSite site{call.at("edge").get<uint32_t>(), {}};
    for (const json& use : call.at("uses")) {
      Use u{use.at("proof").get<uint32_t>(), {}};
      for (const json& ghost : use.at("ghosts"))
        u.ghosts.push_back(parse_term(program, f, ghost.get<std::string>(), objects));
      site.uses.push_back(std::move(u));
    }
    f.calls.push_back(std::move(site));
  }
  return f;
}

json parse(std::string_view text) {
  json in = json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (in.is_discarded() || !in.is_object() || in.value("format", "") != kFormat)
    fail_input("this is no proof of whittle");
  if (in.value("version", 0) != kVersion)
    fail_input("proof: version {} is not known (version {} is)", in.value("version", 0), kVersion);
  return in;
}

/// Runs what reads JSON; a missing field or a wrong type is bad input.
template <typename Read>
auto guarded(const Read& read) {
  try {
    return read();
  } catch (const json::exception& error) {
    // The library's words are for those who call it.
    const bool type = dynamic_cast<const json::type_error*>(&error) != nullptr;
    fail_input("proof: damaged: {}", type ? "a field holds something else than it should" : "a field is missing");
  }
}

}  // namespace

uint64_t digest_from(const std::string& digits) {
  if (digits.size() != 16 || digits.find_first_not_of("0123456789abcdef") != std::string::npos)
    fail_input("proof: damaged: a digest that is none");
  return std::stoull(digits, nullptr, 16);
}

std::string_view name(Proof::Kind kind) {
  switch (kind) {
    case Proof::Kind::Regions: return "regions";
    case Proof::Kind::Run: return "run";
    case Proof::Kind::Paths: return "paths";
    case Proof::Kind::States: return "states";
    case Proof::Kind::Threads: return "threads";
  }
  return "";
}

std::string write(const Proof& proof, const program::Program& program, const verdict::Specification& specification) {
  json out{{"format", kFormat}, {"version", kVersion}, {"program", digest(program)}};
  out["data_model"] = program.data_model == program::DataModel::ILP32 ? "ILP32" : "LP64";
  out["properties"] = json::array();
  for (verdict::Property p : specification.properties) out["properties"].push_back(verdict::name(p));
  out["error_functions"] = specification.error_functions;
  out["kind"] = name(proof.kind);
  if (proof.kind == Proof::Kind::States || proof.kind == Proof::Kind::Paths)
    out["space"] = {{"states", proof.space.states}, {"digest", fmt::format("{:016x}", proof.space.digest)}};
  if (proof.kind == Proof::Kind::Threads) {
    out["places"] = json::array();
    for (const PlaceFacts& p : proof.places) {
      json facts = json::array();
      for (Term t : p.facts) facts.push_back(to_text(program, FunctionProof{}, t));
      out["places"].push_back({{"place", p.place}, {"facts", facts}});
    }
  }
  out["invariants"] = proof.invariants;
  if (proof.kind == Proof::Kind::Regions) {
    out["entry"] = proof.entry;
    out["functions"] = json::array();
    for (const FunctionProof& f : proof.functions) out["functions"].push_back(to_json(f, program, proof.objects));
    out["objects"] = json::array();
    for (const Object& o : proof.objects)
      out["objects"].push_back({{"entry", o.proof}, {"edge", o.edge}, {"room", o.room}});
  }
  return out.dump(1) + "\n";
}

bool store(const std::string& file, const std::string& text) {
  const std::string part = fmt::format("{}.{}", file, getpid());
  std::ofstream out(part, std::ios::binary);
  out << text;
  out.close();
  if (out && std::rename(part.c_str(), file.c_str()) == 0) return true;
  std::remove(part.c_str());
  return false;
}

Header header_of(std::string_view text) {
  return guarded([&] {
    json in = parse(text);
    Header header;
    verdict::Specification& specification = header.specification;
    for (const json& name : in.at("properties")) {
      bool known = false;
      for (unsigned i = 0; i < verdict::kPropertyCount; ++i)
        if (verdict::name(static_cast<verdict::Property>(i)) == name.get<std::string>())
          specification.properties.insert(static_cast<verdict::Property>(i)), known = true;
      if (!known) fail_input("proof: unknown property {}", name.get<std::string>());
    }
    specification.error_functions = in.at("error_functions").get<std::set<std::string>>();
    const std::string model = in.at("data_model").get<std::string>();
    if (model != "ILP32" && model != "LP64") fail_input("proof: unknown data model {}", model);
    header.data_model = model == "ILP32" ? program::DataModel::ILP32 : program::DataModel::LP64;
    return header;
  });
}

Proof read(std::string_view text, const program::Program& program) {
  return guarded([&] {
    json in = parse(text);
    if (in.at("program") != digest(program))
      fail_input("proof: it is about another program (or another version of it)");
    Proof proof;
    const std::string kind = in.at("kind").get<std::string>();
    bool known = false;
    for (Proof::Kind k : {Proof::Kind::Regions, Proof::Kind::Run, Proof::Kind::States, Proof::Kind::Paths, Proof::Kind::Threads})
      if (kind == name(k)) proof.kind = k, known = true;
    if (!known) fail_input("proof: unknown kind {}", kind);
    proof.invariants = in.value("invariants", std::vector<std::string>{});
    if (proof.kind == Proof::Kind::Run) return proof;
    if (proof.kind == Proof::Kind::States || proof.kind == Proof::Kind::Paths) {
      proof.space = {in.at("space").at("states").get<uint64_t>(), digest_from(in.at("space").at("digest").get<std::string>())};
      return proof;
    }
    if (proof.kind == Proof::Kind::Threads) {
      for (const json& p : in.at("places")) {
        PlaceFacts place{p.at("place").get<std::string>(), {}};
        for (const json& fact : p.at("facts")) place.facts.push_back(condition_from(fact, program, FunctionProof{}, {}));
        proof.places.push_back(std::move(place));
      }
      return proof;
    }
    proof.entry = in.at("entry").get<uint32_t>();
    term::Store& store = program.terms();
    for (const json& o : in.value("objects", json::array()))
      proof.objects.push_back({o.at("entry").get<uint32_t>(), o.at("edge").get<uint32_t>(),
                               o.at("room").get<uint64_t>(), store.variable(program.pointer_width(), "object"),
                               store.variable(1, "there"), store.variable(program.pointer_width(), "size")});
    for (const json& f : in.at("functions")) proof.functions.push_back(function_from(f, program, proof.objects));
    return proof;
  });
}

}  // namespace whittle::proof
