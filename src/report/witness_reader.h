// Witnesses of the competition, read: format 2 (YAML) and 1.0 (GraphML, violations only).
//
//   Witness witness = read_witness("w.yml");       // throws Error (input) that says what is wrong, and where
//   for (const Witness::Waypoint& point : witness.follow) ...
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace whittle::report {

struct Witness {
  struct Location {
    std::string file;
    unsigned line = 0, column = 0;  ///< from 1; 0: not given
  };
  /// A waypoint to be followed; those to be avoided are counted.
  struct Waypoint {
    enum class Type : uint8_t { Assumption, Branching, FunctionEnter, FunctionReturn, Target };
    Type type = Type::Target;
    Location at;
    std::string value;  ///< of the constraint; empty: none
    std::optional<uint32_t> thread;
  };
  struct Invariant {
    bool loop = false;  ///< at the head of the loop whose keyword is there; else before the statement there
    Location at;
    std::string value;
  };
  bool violation = true;
  std::string specification, data_model;
  std::map<std::string, std::string> hashes;  ///< by file: SHA-256
  std::vector<Waypoint> follow;
  size_t avoided = 0;
  std::vector<Invariant> invariants;
};

Witness read_witness(const std::string& file);

/// Of "\\result == 5": the number; nothing if the constraint says something else.
std::optional<std::string> result_of(const std::string& constraint);

}  // namespace whittle::report
