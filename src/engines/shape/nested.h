// Lists whose objects have parts of their own: lists of lists, rings in the objects of a list, skip lists.
//
// When two objects become one list, what hangs on each of them and on nothing else is compared, node by node. If both have the
// same form, the list gets nodes that every object has a copy of (Node::inside). Addresses of the object itself, and what its
// link holds, are symbols there: Segment::self and Segment::then.
//
//   Joining joining(memory, uses, {a, link_of_a}, {b, link_of_b}, list);   // `list` has its symbols
//   auto cell = joining.value(x, y);                                      // for each cell of both
//   if (joining.finish()) ...                                             // the memory has the parts now
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "engines/shape/memory.h"

namespace whittle::engines::shape {

/// How often something in the memory mentions a base.
struct Uses {
  unsigned registers = 0;
  unsigned cells = 0;
};

class Joining {
 public:
  /// An object that becomes a part of a list: a node or a segment, and what its link holds.
  struct Side {
    uint32_t base = 0;
    Term link;
  };

  using Numbers = std::function<std::optional<Cell>(const Cell& x, const Cell& y)>;

  /// `list` will have this base. Bases in `gone` must not be kept. `numbers` joins what is about no nodes.
  Joining(Memory& memory, std::map<uint32_t, Uses>& uses, Side a, Side b, uint32_t list, Term self, Term then,
          std::set<uint32_t> gone, Numbers numbers);

  /// What a range of bytes holds in both, with the list's symbols; nothing if they are to stay apart.
  std::optional<Cell> cell(const Cell& x, const Cell& y) { return cell(outer_, x, y); }
  bool any() const { return !parts_.empty(); }
  /// Compares all parts that values led to. True: each belongs to its object alone.
  bool finish();
  /// How often the objects and their parts mention the base themselves.
  unsigned own_mentions(uint32_t base, size_t side) const;
  /// Puts the new parts into the memory, and takes the old ones away.
  void publish();

 private:
  /// An object whose parts are compared: the whole one, or one of a list inside of it.
  struct Owner {
    Term object[2], link[2];
    Term self, then;
    uint32_t list = 0;
  };
  using Owners = std::vector<Owner>;
  struct Part {
    std::optional<uint32_t> of[2];  ///< none: an empty list there
    Owners owners;
    Term base;
    Node node;
    bool done = false;
  };
  struct End {
    uint32_t key = 0;
    bool last = false;
    int64_t offset = 0;
  };

  const Node& node(const Part& part, size_t side) const { return memory_.nodes.at(*part.of[side]); }
  std::optional<End> end(Term t) const;
  std::optional<Term> value(const Owners& owners, Term x, Term y);
  std::optional<Term> both(const Owners& owners, End x, End y);
  std::optional<Term> empty(const Owners& owners, size_t side, End there, Term other);
  Segment list_of_one(int64_t head) const;
  std::optional<size_t> part(const Owners& owners, std::optional<uint32_t> a, std::optional<uint32_t> b);
  std::optional<Term> rename(const Owners& owners, size_t side, Term x);
  bool is_about_nodes(Term t) const;
  bool is_kept(Term t) const;
  bool compare(size_t number);
  bool compare_cells(size_t number, const Owners& owners);
  bool copy(size_t number, size_t side);
  std::optional<Cell> cell(const Owners& owners, const Cell& x, const Cell& y);
  Term fresh() const { return memory_.fresh(memory_.program().pointer_width(), "node"); }

  Memory& memory_;
  std::map<uint32_t, Uses>& uses_;
  Side sides_[2];
  Owners outer_;
  std::set<uint32_t> gone_, symbols_;  ///< symbols: of all lists
  Numbers numbers_;
  unsigned depth_ = 0;
  std::vector<Part> parts_;
  std::map<uint32_t, size_t> by_[2];
};

}  // namespace whittle::engines::shape
