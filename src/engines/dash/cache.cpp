#include "engines/dash/cache.h"

#include <fmt/format.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/error.h"
#include "base/hash.h"
#include "engines/dash/proof_writer.h"
#include "program/print.h"
#include "proof/term_text.h"

namespace whittle::engines::dash {

using nlohmann::json;

namespace {

constexpr const char* kFormat = "whittle-dash-cache";
constexpr int kVersion = 1;
constexpr size_t kMostTests = 300, kMostPredicates = 3000;

std::string hex(uint64_t value) { return fmt::format("{:016x}", value); }

uint64_t hash_text(std::string_view text, uint64_t seed = 0) {
  return hash_bytes({reinterpret_cast<const uint8_t*>(text.data()), text.size()}, seed);
}

std::string number(u128 value) {
  uint64_t high = static_cast<uint64_t>(value >> 64), low = static_cast<uint64_t>(value);
  return high == 0 ? fmt::format("{:x}", low) : fmt::format("{:x}{:016x}", high, low);
}

u128 parse_number(const std::string& text) {
  u128 value = 0;
  if (text.empty() || text.size() > 32) fail_input("no number");
  for (char c : text) {
    const char* digits = "0123456789abcdef";
    const char* at = std::strchr(digits, c);
    if (c == '\0' || !at) fail_input("no number");
    value = value << 4 | static_cast<u128>(at - digits);
  }
  return value;
}

}  // namespace

Cache::Cache(std::string folder, const program::Program& program, const verdict::Specification& specification)
    : program_(program) {
  uint64_t key = hash_text(kFormat);
  for (const auto& file : program.files) key = hash_text(file, key);
  for (auto p : specification.properties) key = hash_combine(key, static_cast<uint64_t>(p));
  for (const auto& f : specification.error_functions) key = hash_text(f, key);
  file_ = (std::filesystem::path(folder) / (hex(key) + ".json")).string();
}

std::string Cache::digest(program::FunctionId f) const {
  const auto& function = program_.functions[f];
  uint64_t h = hash_text(function.name);
  for (const auto& r : function.registers) h = hash_text(r.name, hash_combine(h, r.width()));
  for (const auto& edge : function.edges) {
    h = hash_combine(h, (uint64_t{edge.from} << 32) | edge.to);
    h = hash_text(program::to_text(program_, f, edge.statement), h);
  }
  return hex(h);
}

Kept Cache::load(Space& space) const {
  std::ifstream in(file_);
  if (!in) return {};
  Kept kept;
  try {
    std::ostringstream text;
    text << in.rdbuf();
    json file = json::parse(text.str());
    if (file.at("format") != kFormat || file.at("version") != kVersion) fail_input("of another format");
    json body = file.at("body");
    if (file.at("check") != hex(hash_text(body.dump()))) fail_input("damaged");
    for (const auto& test : body.at("tests")) {
      std::vector<u128> inputs;
      for (const auto& input : test) inputs.push_back(parse_number(input.get<std::string>()));
      kept.tests.push_back(std::move(inputs));
    }
    for (const auto& entry : body.at("nodes")) {
      // The way to the context: every function on it must be what it was.
      uint32_t context = space.root();
      std::vector<uint32_t> chain{context};
      bool same = entry.at("start") == digest(program_.entry);
      for (const auto& step : entry.at("path")) {
        auto f = program_.find_function(step.at(1).get<std::string>());
        uint32_t edge = step.at(0).get<uint32_t>();
        same = same && f && digest(*f) == step.at(2) && edge < space.function(context).edges.size() &&
               space.edge(context, edge).statement.kind == program::Kind::Call &&
               space.edge(context, edge).statement.callee == *f;
        if (!same) break;
        context = space.child(context, edge, *f);
        chain.push_back(context);
      }
      program::LocationId location = entry.at("location").get<uint32_t>();
      if (!same || location >= space.function(context).locations.size()) continue;
      proof::FunctionProof scope;
      scope.function = space.context(context).function;
      std::vector<Term> meanings;
      for (const auto& ghost : entry.at("ghosts")) {
        Term v = space.variable(chain.at(ghost.at(0).get<size_t>()), ghost.at(1).get<uint32_t>());
        meanings.push_back(v);
        scope.ghosts.push_back(space.terms().variable(v.width(), "ghost"));
      }
      Term t = space.in(context, proof::parse_term(program_, scope, entry.at("predicate").get<std::string>()));
      for (size_t i = 0; i < meanings.size(); ++i)
        t = space.terms().substitute(t, [&](Term v) { return v == scope.ghosts[i] ? meanings[i] : Term(); });
      if (t.width() == 1) kept.predicates.push_back({{context, location}, t});
    }
  } catch (const Error& e) {
    kept = {};
    kept.warning = fmt::format("{} is not used: {}", file_, e.what());
  } catch (const std::exception&) {
    kept = {};
    kept.warning = fmt::format("{} is not used: it is damaged", file_);
  }
  return kept;
}

bool Cache::save(Space& space, Graph& graph, const Forest& forest) const {
  json body{{"tests", json::array()}, {"nodes", json::array()}};
  for (uint32_t t = 0; t < forest.size() && t < kMostTests; ++t) {
    json inputs = json::array();
    for (const auto& input : forest.test(t).inputs) inputs.push_back(number(input.value));
    if (inputs.size() <= 2000) body["tests"].push_back(std::move(inputs));
  }
  for (const auto& [place, predicate] : node_predicates(space, graph)) {
    if (body["nodes"].size() >= kMostPredicates) break;
    json path = json::array(), ghosts = json::array();
    for (uint32_t c = place.context; space.context(c).parent != program::kNone; c = space.context(c).parent)
      path.insert(path.begin(),
                  json::array({space.context(c).edge, space.function(c).name, digest(space.context(c).function)}));
    proof::FunctionProof scope;
    scope.function = space.context(place.context).function;
    bool plain = true;
    Term text = space.terms().substitute(predicate, [&](Term v) -> Term {
      Space::Owner owner = space.owner(v);
      plain = plain && owner.known() && owner.reg != program::kNone;
      if (!plain) return {};
      if (owner.context == place.context) return space.function(place.context).registers[owner.reg].variable;
      scope.ghosts.push_back(space.terms().variable(v.width(), "ghost"));
      ghosts.push_back(json::array({space.context(owner.context).depth, owner.reg}));
      return scope.ghosts.back();
    });
    if (!plain) continue;
    body["nodes"].push_back({{"start", digest(program_.entry)},
                             {"path", std::move(path)},
                             {"location", place.location},
                             {"ghosts", std::move(ghosts)},
                             {"predicate", proof::to_text(program_, scope, text)}});
  }
  json file{{"format", kFormat}, {"version", kVersion}, {"check", hex(hash_text(body.dump()))}, {"body", body}};
  std::error_code error;
  std::filesystem::create_directories(std::filesystem::path(file_).parent_path(), error);
  std::ofstream out(file_);
  out << file.dump();
  return static_cast<bool>(out);
}

}  // namespace whittle::engines::dash
