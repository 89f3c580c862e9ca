// Rounds of loops that go the same way are told once.
#include <algorithm>
#include <map>

#include "base/hash.h"
#include "report/report.h"

namespace whittle::report {

namespace {

constexpr size_t kLongestRound = 400;  ///< parts; looking for longer ones would take time in every long trace
constexpr size_t kFewestRounds = 4;    ///< the first and the last are shown, so fewer would hide little
constexpr size_t kFewestHidden = 4;    ///< rows
constexpr unsigned kNesting = 6;

uint64_t shape(const Row& row) {
  uint64_t hash = hash_mix(row.thread * uint64_t{1'000'003} + row.line);
  hash = hash_mix(hash ^ std::hash<std::string>()(row.function));
  return hash_mix(hash ^ std::hash<std::string>()(row.file) ^ row.depth);
}

struct Shaped {
  Part part;
  uint64_t shape = 0;
};

/// Names that did not have the same value all the time, in the order of their first change.
std::vector<std::string> varying(const std::vector<Row>& rows, size_t begin, size_t end) {
  constexpr size_t kNamed = 8;
  std::map<std::string, std::string> first;
  std::vector<std::string> result;
  for (size_t i = begin; i < end; ++i)
    for (const verdict::Change& change : rows[i].changes) {
      auto [known, fresh] = first.try_emplace(change.name, change.value);
      if (fresh || known->second == change.value || result.size() >= kNamed) continue;
      if (std::ranges::find(result, change.name) == result.end()) result.push_back(change.name);
    }
  return result;
}

class Folder {
 public:
  Folder(const std::vector<Row>& rows, std::vector<Shaped> items) : rows_(rows), items_(std::move(items)) {}

  /// False: nothing to fold.
  bool fold() {
    std::vector<Shaped> result;
    bool any = false;
    for (size_t i = 0; i < items_.size();) {
      auto [length, rounds] = rounds_from(i);
      if (rounds == 0) {
        result.push_back(std::move(items_[i++]));
        continue;
      }
      result.push_back(make(i, length, rounds));
      i += length * rounds;
      any = true;
    }
    items_ = std::move(result);
    return any;
  }
  std::vector<Shaped> take() { return std::move(items_); }

 private:
  bool equal(size_t a, size_t b, size_t length) const {
    for (size_t k = 0; k < length; ++k)
      if (items_[a + k].shape != items_[b + k].shape) return false;
    return true;
  }

  std::pair<size_t, size_t> rounds_from(size_t i) const {
    const size_t left = items_.size() - i;
    for (size_t length = 1; length <= std::min(kLongestRound, left / kFewestRounds); ++length) {
      size_t rounds = 1;
      while ((rounds + 1) * length <= left && equal(i, i + rounds * length, length)) ++rounds;
      if (rounds >= kFewestRounds && (rounds - 2) * length >= kFewestHidden) return {length, rounds};
    }
    return {0, 0};
  }

  Shaped make(size_t i, size_t length, size_t rounds) {
    Shaped made;
    uint64_t hash = 0x9e37;
    for (size_t k = 0; k < length; ++k) hash = hash_mix(hash ^ items_[i + k].shape);
    made.shape = hash;
    const size_t last = i + (rounds - 1) * length;
    made.part.begin = items_[i].part.begin;
    made.part.end = items_[last + length - 1].part.end;
    made.part.rounds = rounds;
    made.part.varying = varying(rows_, made.part.begin, made.part.end);
    for (size_t k = 0; k < length; ++k) made.part.first.push_back(std::move(items_[i + k].part));
    for (size_t k = 0; k < length; ++k) made.part.last.push_back(std::move(items_[last + k].part));
    return made;
  }

  const std::vector<Row>& rows_;
  std::vector<Shaped> items_;
};

}  // namespace

std::vector<Part> fold(const std::vector<Row>& rows) {
  std::vector<Shaped> items;
  for (size_t i = 0; i < rows.size(); ++i) items.push_back({{i, i + 1, 0, {}, {}, {}}, shape(rows[i])});
  Folder folder(rows, std::move(items));
  for (unsigned i = 0; i < kNesting && folder.fold(); ++i) {
  }
  std::vector<Part> result;
  for (Shaped& item : folder.take()) result.push_back(std::move(item.part));
  return result;
}

}  // namespace whittle::report
