#include "engines/shape/families.h"

#include <algorithm>
#include <iterator>
#include <set>

namespace whittle::engines::shape {

namespace {

bool any_value(const Cell& cell) { return !cell.value && !cell.up && !cell.limited(); }

std::vector<Term> constants(const Cell& cell) {
  if (cell.value && cell.value.is_constant()) return {cell.value};
  return cell.choices;
}

/// A constant, or one of some constants and objects.
bool enumerated(const Cell& cell) { return (cell.value && cell.value.is_constant()) || (!cell.value && cell.limited()); }

/// The forms' cells side by side; nothing if they are cut in different ways.
std::optional<std::vector<std::tuple<int64_t, Cell, Cell>>> side_by_side(const Node& a, const Node& b) {
  if (a.size != b.size || a.rest != b.rest || a.align != b.align) return std::nullopt;
  std::set<std::pair<int64_t, unsigned>> ranges;
  for (const Node* node : {&a, &b})
    for (const auto& [offset, cell] : node->cells) ranges.insert({offset, cell.bytes});
  std::vector<std::tuple<int64_t, Cell, Cell>> result;
  int64_t end = 0;
  for (auto [offset, bytes] : ranges) {
    if (offset < end) return std::nullopt;
    end = offset + bytes;
    auto cell = [&](const Node& node) -> std::optional<Cell> {
      auto at = node.cells.find(offset);
      if (at != node.cells.end()) return at->second;
      if (node.rest != Node::Rest::Nothing) return std::nullopt;
      return Cell{bytes, {}};
    };
    auto x = cell(a), y = cell(b);
    if (!x || !y) return std::nullopt;
    result.emplace_back(offset, *x, *y);
  }
  return result;
}

/// Null or an object: nothing that forms are told apart by.
bool only_links(const Cell& cell) {
  return cell.up || !cell.owned.empty() || (cell.value && cell.value.is_constant(0) && cell.value.width() >= 32);
}

}  // namespace

bool covers(const Cell& general, const Cell& special) {
  if (general.bytes != special.bytes) return false;
  if (!special.owned.empty() && general.owned.empty()) return false;
  if (any_value(general)) return true;
  if (general.up || special.up) return general.up == special.up;
  if (general.value) return general.value == special.value;
  if (!enumerated(special)) return false;
  return std::ranges::all_of(constants(special), [&](Term c) { return has(general.choices, c); }) &&
         std::ranges::includes(general.owned, special.owned);
}

std::optional<Cell> join(const Cell& a, const Cell& b) {
  if (covers(a, b)) return a;
  if (covers(b, a)) return b;
  Cell both{a.bytes, {}};
  if (enumerated(a) && enumerated(b)) {
    auto number = [](Term t) { return t.value(); };
    std::ranges::set_union(constants(a), constants(b), std::back_inserter(both.choices), {}, number, number);
    std::ranges::set_union(a.owned, b.owned, std::back_inserter(both.owned));
    if (both.choices.size() <= Cell::kMostChoices) return both;
    both.choices.clear();
  }
  if (!a.owned.empty() || !b.owned.empty()) return std::nullopt;
  return both;
}

uint32_t Families::family(uint32_t site, uint64_t size, int64_t head) {
  auto [at, made] = numbers_.try_emplace({site, size, head}, families_.size());
  if (made) families_.push_back({head, {}});
  return at->second;
}

bool Families::add(uint32_t family, const Node& form) {
  std::vector<Node>& forms = families_[family].forms;
  auto joined = [&](const Node& old, bool links_only) -> std::optional<Node> {
    auto cells = side_by_side(old, form);
    if (!cells) return std::nullopt;
    Node both = old;
    for (const auto& [offset, x, y] : *cells) {
      if (covers(x, y)) continue;
      if (links_only && !(only_links(x) && only_links(y))) return std::nullopt;
      auto cell = join(x, y);
      if (!cell) return std::nullopt;
      both.cells[offset] = *cell;
    }
    return both;
  };
  for (const Node& old : forms) {
    auto cells = side_by_side(old, form);
    if (cells && std::ranges::all_of(*cells, [](const auto& c) { return covers(std::get<1>(c), std::get<2>(c)); })) return true;
  }
  auto join_one = [&](bool links_only) {
    for (Node& old : forms)
      if (auto both = joined(old, links_only)) {
        old = std::move(*both);
        return true;
      }
    return false;
  };
  if (!join_one(true)) {
    if (forms.size() < kMostForms)
      forms.push_back(form);
    else if (!join_one(false))
      return false;
  }
  grown = true;
  return true;
}

}  // namespace whittle::engines::shape
