// Rounds of loops that go the same way are told once.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/hash.h"
#include "report/report.h"

namespace whittle::report {

namespace {

constexpr size_t kLongestRound = 400;  ///< parts; looking for longer ones would take time in every long trace
constexpr size_t kFewestRounds = 4;    ///< the first and the last are shown, so fewer would hide little
constexpr size_t kFewestHidden = 4;    ///< rows
constexpr unsigned kNesting = 6;

/// `depth`: from which the row's is counted.
uint64_t shape(const Row& row, unsigned depth = 0) {
  uint64_t hash = hash_mix(row.thread * uint64_t{1'000'003} + 2 * uint64_t{row.line} + row.changes.empty());
  hash = hash_mix(hash ^ std::hash<std::string>()(row.function));
  return hash_mix(hash ^ std::hash<std::string>()(row.file) ^ (row.depth - depth));
}

struct Shaped {
  Part part;
  uint64_t shape = 0;
};

/// "a[3].x" is "a[..].x": rounds often go on to the next element.
std::string any_element(const std::string& name) {
  std::string text;
  for (size_t i = 0; i < name.size(); ++i) {
    text += name[i];
    if (name[i] != '[') continue;
    const size_t end = name.find(']', i);
    if (end == std::string::npos || end == i + 1 || name.find_first_not_of("0123456789.", i + 1) != end) continue;
    text += "..";
    i = end - 1;
  }
  return text;
}

/// Names that did not have the same values in all rounds, in the order of their first change. `starts`: the first row of each round.
std::vector<std::string> varying(const std::vector<Row>& rows, const std::vector<size_t>& starts, size_t end) {
  constexpr size_t kNamed = 8;
  std::vector<std::string> order;
  std::map<std::string, uint64_t> first;  // of the first round that has the name
  std::set<std::string> differing;
  std::map<std::string, std::string> exact;  // the only element that is meant; empty: there are several
  std::map<std::string, size_t> count;       // of rounds that have the name
  for (size_t k = 0; k < starts.size(); ++k) {
    std::map<std::string, uint64_t> values;  // all of a round, one after the other, as a hash
    auto note = [&](const verdict::Change& change) {
      const std::string name = any_element(change.name);
      auto [known, fresh] = values.try_emplace(name, 0);
      known->second = hash_mix(known->second ^ std::hash<std::string>()(change.name + "=" + change.value));
      if (fresh && !first.contains(name)) order.push_back(name);
      if (auto only = exact.try_emplace(name, change.name).first; only->second != change.name) only->second.clear();
    };
    for (size_t i = starts[k]; i < (k + 1 < starts.size() ? starts[k + 1] : end); ++i) {
      for (const verdict::Change& change : rows[i].changes) note(change);
      for (const verdict::Change& argument : rows[i].arguments) note(argument);
    }
    for (const auto& [name, hash] : values) {
      ++count[name];
      if (first.try_emplace(name, hash).first->second != hash) differing.insert(name);
    }
  }
  std::vector<std::string> result;
  for (const std::string& name : order)
    if (differing.contains(name) || count[name] != starts.size()) result.push_back(exact[name].empty() ? name : exact[name]);
  if (result.size() > kNamed) {
    result.resize(kNamed - 1);
    result.emplace_back("others");
  }
  return result;
}

/// Folds by what is known of loops: rounds begin where the loop begins, and have its numbers.
class RoundFolder {
 public:
  RoundFolder(const std::vector<Row>& rows, const std::vector<verdict::Round>& rounds) : rows_(rows), rounds_(rounds), before_(rows.size(), SIZE_MAX) {
    std::map<uint32_t, size_t> last;
    for (size_t i = 0; i < rows.size(); ++i) {
      if (auto found = last.find(rows[i].thread); found != last.end()) before_[i] = found->second;
      last[rows[i].thread] = i;
    }
  }

  struct Told {
    std::vector<Part> parts;
    uint64_t shape = 0x9e37;
  };
  Told range(size_t begin, size_t end, uint32_t thread, unsigned depth) {
    Told told;
    for (size_t i = begin; i < end;) {
      if (const uint32_t round = starts(i); round != 0) {
        i = loop(told, i, end, rounds_[round], thread, depth);
        continue;
      }
      told.shape = hash_mix(told.shape ^ shape(rows_[i], rows_[i].thread == thread ? depth : 0));
      told.parts.push_back({i, i + 1});
      ++i;
    }
    return told;
  }

 private:
  /// The outermost round that begins with the row, of a loop that is not being looked at; 0: none.
  uint32_t starts(size_t i) const {
    const uint32_t before = before_[i] == SIZE_MAX ? 0 : rows_[before_[i]].round;
    uint32_t found = 0;
    for (uint32_t round = rows_[i].round; round != 0; round = rounds_[round].around) {
      if (std::ranges::find(open_, rounds_[round].loop) != open_.end()) break;
      bool fresh = true;
      for (uint32_t other = before; other != 0 && fresh; other = rounds_[other].around) fresh = other != round;
      if (fresh) found = round;
    }
    return found;
  }
  /// The round of the loop that the row is in; 0: none.
  uint32_t round_at(size_t i, uint32_t loop) const {
    for (uint32_t round = rows_[i].round; round != 0; round = rounds_[round].around)
      if (rounds_[round].loop == loop) return round;
    return 0;
  }

  /// All rounds of a loop that begins at a row. The row after it.
  size_t loop(Told& told, size_t begin, size_t end, const verdict::Round& first, uint32_t thread, unsigned depth) {
    std::vector<size_t> starts{begin};
    size_t last = begin;
    for (size_t i = begin + 1; i < end; ++i) {
      if (rows_[i].thread != rows_[begin].thread) continue;
      const uint32_t round = round_at(i, first.loop);
      if (round == 0) break;
      if (round != round_at(last, first.loop)) starts.push_back(i);
      last = i;
    }
    open_.push_back(first.loop);
    const bool calls = first.kind != verdict::Round::Kind::Loop;
    std::vector<Told> all;
    for (size_t k = 0; k < starts.size(); ++k)
      all.push_back(range(starts[k], k + 1 < starts.size() ? starts[k + 1] : last + 1, calls ? rows_[begin].thread : thread,
                          calls ? rows_[starts[k]].depth : depth));
    open_.pop_back();
    for (size_t k = 0; k < all.size();) {
      size_t next = k + 1;
      while (next < all.size() && all[next].shape == all[k].shape) ++next;
      const size_t after = next < starts.size() ? starts[next] : last + 1;
      told.shape = hash_mix(told.shape ^ all[k].shape);  // however many there are
      const size_t hidden = next - k < kFewestRounds ? 0 : starts[next - 1] - starts[k + 1];
      if (hidden >= kFewestHidden) {
        const uint32_t round = round_at(starts[k], first.loop);
        told.parts.push_back({starts[k], after, next - k, rounds_[round].number, first.kind, std::move(all[k].parts), std::move(all[next - 1].parts),
                              varying(rows_, {starts.begin() + static_cast<ptrdiff_t>(k), starts.begin() + static_cast<ptrdiff_t>(next)}, after)});
      } else {
        for (size_t one = k; one < next; ++one) std::ranges::move(all[one].parts, std::back_inserter(told.parts));
      }
      k = next;
    }
    return last + 1;
  }

  const std::vector<Row>& rows_;
  const std::vector<verdict::Round>& rounds_;
  std::vector<size_t> before_;  ///< the row before it of the same thread
  std::vector<uint32_t> open_;
};

/// Folds what repeats itself.
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
      if (rounds >= kFewestRounds && (rounds - 2) * length >= kFewestHidden && begins_round(i, length)) return {length, rounds};
    }
    return {0, 0};
  }

  /// Loops begin with their first line.
  bool begins_round(size_t i, size_t length) const {
    const Row& first = rows_[items_[i].part.begin];
    for (size_t k = 1; k < length; ++k) {
      const Row& row = rows_[items_[i + k].part.begin];
      if (row.depth < first.depth || (row.depth == first.depth && row.function == first.function && row.line < first.line)) return false;
    }
    return true;
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
    std::vector<size_t> starts;
    for (size_t k = 0; k < rounds; ++k) starts.push_back(items_[i + k * length].part.begin);
    made.part.varying = varying(rows_, starts, made.part.end);
    for (size_t k = 0; k < length; ++k) made.part.first.push_back(std::move(items_[i + k].part));
    for (size_t k = 0; k < length; ++k) made.part.last.push_back(std::move(items_[last + k].part));
    return made;
  }

  const std::vector<Row>& rows_;
  std::vector<Shaped> items_;
};

/// The functions that call each other, in the order in which the first round has them.
std::vector<std::string> in_turn(const Part& part, const std::vector<Row>& rows) {
  std::vector<std::string> names{rows[part.begin].function};
  const size_t second = part.first.empty() ? part.begin + 1 : part.first.back().end;
  const bool down = part.kind == verdict::Round::Kind::Call;
  unsigned depth = rows[part.begin].depth;
  for (size_t i = part.begin; i < second; ++i) {
    const Row& row = rows[i];
    const bool next = row.thread == rows[part.begin].thread && (down ? row.depth == depth + 1 : row.depth + 1 == depth);
    const bool reached = second < rows.size() && (down ? row.depth < rows[second].depth : row.depth > rows[second].depth);
    if (!next || !reached) continue;
    depth = row.depth;
    if (std::ranges::find(names, row.function) == names.end()) names.push_back(row.function);
  }
  return names;
}

}  // namespace

std::vector<Part> fold(const std::vector<Row>& rows, const std::vector<verdict::Round>& rounds) {
  if (rounds.size() > 1) return RoundFolder(rows, rounds).range(0, rows.size(), UINT32_MAX, 0).parts;
  std::vector<Shaped> items;
  for (size_t i = 0; i < rows.size(); ++i) items.push_back({{i, i + 1}, shape(rows[i])});
  Folder folder(rows, std::move(items));
  for (unsigned i = 0; i < kNesting && folder.fold(); ++i) {
  }
  std::vector<Part> result;
  for (Shaped& item : folder.take()) result.push_back(std::move(item.part));
  return result;
}

std::string rounds_text(const Part& part, const std::vector<Row>& rows) {
  const uint64_t left_out = part.rounds - 2;
  std::string text;
  const std::vector<std::string> functions = part.kind == verdict::Round::Kind::Loop ? std::vector<std::string>{} : in_turn(part, rows);
  const std::string names = fmt::format("{}", fmt::join(functions, " and "));
  if (part.kind == verdict::Round::Kind::Call)
    text = fmt::format("{} {} {} more times as before", names, functions.size() > 1 ? "call each other" : "calls itself", left_out);
  else if (part.kind == verdict::Round::Kind::Return)
    text = fmt::format("{} {} from {} more calls as before", names, functions.size() > 1 ? "return" : "returns", left_out);
  else if (part.number == 0)
    text = fmt::format("the same lines {} more times", left_out);
  else
    text = fmt::format("rounds {} to {} as round {}", part.number + 1, part.number + left_out, part.number);
  for (size_t i = 0; i < part.varying.size(); ++i)
    text += fmt::format("{} {}", i == 0 ? " except" : i + 1 == part.varying.size() ? " and" : ",", part.varying[i]);
  return text;
}

}  // namespace whittle::report
