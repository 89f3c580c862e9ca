// Proofs as files, damaged at random: fields taken away, doubled, exchanged for others of the same type, figures and facts
// changed. Whatever the kind: a proof is a tree of JSON.
#pragma once

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

namespace whittle::proof {

class Damage {
 public:
  explicit Damage(uint64_t seed) : random_(seed) {}

  /// One change below what the fields hold; what identifies the program stays.
  void once(nlohmann::json& proof, const std::vector<std::string>& fields) {
    std::vector<nlohmann::json*> nodes;
    for (const std::string& field : fields)
      if (proof.contains(field)) collect(proof[field], nodes);
    if (nodes.empty()) return;
    nlohmann::json& node = *nodes[pick(nodes.size())];
    if (node.is_string())
      text(node, nodes);
    else if (node.is_number())
      node = pick(4) == 0 ? nlohmann::json(pick(200)) : nlohmann::json(node.get<int64_t>() + static_cast<int64_t>(pick(5)) - 2);
    else if (node.is_array())
      list(node, nodes);
    else
      node = like(node, nodes);
  }

 private:
  size_t pick(size_t n) { return random_() % n; }

  static void collect(nlohmann::json& node, std::vector<nlohmann::json*>& nodes) {
    nodes.push_back(&node);
    if (node.is_structured())
      for (nlohmann::json& part : node) collect(part, nodes);
  }

  /// Something of the same type elsewhere.
  nlohmann::json like(const nlohmann::json& node, const std::vector<nlohmann::json*>& nodes) {
    std::vector<const nlohmann::json*> same;
    for (const nlohmann::json* other : nodes)
      if (other->type() == node.type()) same.push_back(other);
    return *same[pick(same.size())];
  }

  void text(nlohmann::json& node, const std::vector<nlohmann::json*>& nodes) {
    auto now = node.get<std::string>();
    const auto other = like(node, nodes).get<std::string>();
    switch (pick(7)) {
      case 0: node = "1:1"; break;
      case 1: node = "0:1"; break;
      case 2: node = fmt::format("(not {})", now); break;
      case 3: node = fmt::format("(and {} {})", now, other); break;
      case 4: node = fmt::format("(or {} {})", now, other); break;
      case 5: node = other; break;
      default: {
        std::vector<size_t> digits;
        for (size_t i = 0; i < now.size(); ++i)
          if (now[i] >= '0' && now[i] <= '9') digits.push_back(i);
        if (!digits.empty()) now[digits[pick(digits.size())]] = static_cast<char>('0' + pick(10));
        node = now;
      }
    }
  }

  void list(nlohmann::json& node, const std::vector<nlohmann::json*>& nodes) {
    if (node.empty() || pick(6) == 0) {
      node = like(node, nodes);
      return;
    }
    const size_t one = pick(node.size()), two = pick(node.size());
    switch (pick(4)) {
      case 0: node.erase(one); break;
      case 1: node.push_back(nlohmann::json(node[one])); break;
      case 2: std::swap(node[one], node[two]); break;
      default: node[one] = nlohmann::json(node[two]);
    }
  }

  std::mt19937_64 random_;
};

}  // namespace whittle::proof
