// What recursive functions return for small numbers, each result from those before it: fibonacci(7) from fibonacci(6)
// and fibonacci(5), without a run of 41 calls.
//
// A row "n == 7 implies result == 13" is derived on all ways through the function, from what is known of the calls on
// them, rows among it. So it is as good as any other fact of a contract: induction over the length of a run.
//
//   Table table(space, asking, contract, context, returns);
//   table.fill({0}, limits, publish);       // rows in which the first parameter is given
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <vector>

#include "engines/dash/block.h"
#include "engines/dash/questions.h"

namespace whittle::engines::dash {

struct TableLimits {
  int64_t lowest = -2, highest = 64;  ///< of the last parameter that is given
  int64_t others = 4;                 ///< of the others
  size_t rows = 200;
  size_t misses = 4;  ///< one after the other: what follows is left alone
  size_t rounds = 4;  ///< rows may need rows that come later
};

class Table {
 public:
  struct Row {
    std::vector<u128> arguments;  ///< of the parameters that are given
    u128 result = 0;
  };

  /// `returns`: all ways through the function, in one context of it.
  Table(Space& space, const Asking& asking, Contract contract, uint32_t context, const std::vector<Block>& returns)
      : space_(space), asking_(asking), contract_(std::move(contract)), context_(context), returns_(returns) {}

  /// `publish` makes these facts known of calls, besides what was known, and says what that is together.
  using Publish = std::function<Term(const std::vector<Term>& facts)>;
  void fill(const std::vector<size_t>& parameters, const TableLimits& limits, const Publish& publish);

  const std::vector<Row>& rows() const { return rows_; }
  /// Rows that say more than what was known, as facts.
  const std::vector<Term>& facts() const { return facts_; }

 private:
  bool derive(const std::vector<size_t>& parameters, const std::vector<u128>& arguments);
  bool line(const std::vector<size_t>& parameters, std::vector<int64_t>& at, const TableLimits& limits,
            const Publish& publish);
  using Variables = std::function<Term(Term)>;
  std::optional<u128> known_result(const Variables& given);
  std::optional<u128> derived_result(const Variables& given);

  Space& space_;
  const Asking& asking_;
  Contract contract_;
  uint32_t context_;
  const std::vector<Block>& returns_;
  Term known_;
  std::vector<Row> rows_;
  std::vector<Term> facts_;
  std::set<std::vector<u128>> done_;
};

}  // namespace whittle::engines::dash
