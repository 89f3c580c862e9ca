// Terms as C, with names for their parts that the caller knows better.
//
//   to_c(store, t, [&](Term part) { ... return Named{{"a[", "].next"}, {index}, true}; })    // a[i + 1].next
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "term/term.h"

namespace whittle::term {

/// What a part is called: pieces of text with terms between them.
struct Named {
  std::vector<std::string> pieces;  ///< one more than terms
  std::vector<Term> terms;
  bool is_signed = false;  ///< its C type is
  bool prefix = false;     ///< begins with an operator: `*p`, `&x`
};

/// Nothing: no better name than usual.
using Namer = std::function<std::optional<Named>(Term)>;

/// Signed operations show as casts only where the operands are not signed by themselves.
std::string to_c(const Store& store, Term root, const Namer& namer);

}  // namespace whittle::term
