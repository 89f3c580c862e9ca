#include "engines/shape/fold.h"

#include <algorithm>
#include <iterator>
#include <set>

namespace whittle::engines::shape {

namespace {

class Folding {
 public:
  Folding(Memory& memory, unsigned most_different)
      : memory_(memory), most_different_(most_different), link_(memory.program().pointer_width() / 8) {}

  void run() {
    while (step(false)) {
    }
    fold_different();
    forget();
  }

 private:
  void fold_different() {
    for (;;) {
      std::map<uint64_t, unsigned> sizes;
      for (const auto& [base, node] : memory_.nodes) ++sizes[node.size];
      if (std::ranges::none_of(sizes, [&](const auto& entry) { return entry.second > most_different_; })) return;
      if (!step(true)) return;
      while (step(false)) {
      }
    }
  }

  /// What is before a list that has no links back matters only if it may be empty and something points to its end.
  void forget() {
    uses_ = count_uses();
    for (auto& [base, node] : memory_.nodes) {
      if (!node.segment || node.segment->prev_at) continue;
      const Uses ends = uses_[node.segment->last.variable()];
      if (node.segment->least != 0 || (ends.registers == 0 && ends.cells == 0)) node.segment->prev = {};
    }
  }

  /// Where the state mentions a base.
  struct Uses {
    unsigned registers = 0;
    unsigned cells = 0;
  };

  std::map<uint32_t, Uses> count_uses() {
    std::map<uint32_t, Uses> uses;
    auto mention = [&](Term t, unsigned Uses::* where) {
      if (!t || t.is_constant()) return;
      for (Term v : term::variables(t)) ++(uses[v.variable()].*where);
    };
    for (const Frame& frame : memory_.stack)
      for (Term t : frame.registers) mention(t, &Uses::registers);
    auto look = [&](const Node& node) {
      for (const auto& [offset, cell] : node.cells) mention(cell.value, &Uses::cells);
      if (!node.segment) return;
      mention(node.segment->next, &Uses::cells);
      if (node.segment->prev_at) mention(node.segment->prev, &Uses::cells);
    };
    for (const auto& [id, node] : memory_.statics) look(node);
    for (const auto& [base, node] : memory_.nodes) look(node);
    return uses;
  }

  /// Folds two nodes into one. False: there are no two that can be.
  bool step(bool different) {
    uses_ = count_uses();
    for (auto& [base, node] : memory_.nodes) {
      if (node.kind != Node::Kind::Heap) continue;
      if (node.segment) {
        if (try_link(base, node, node.segment->next_at, node.segment->next, different)) return true;
        continue;
      }
      for (const auto& [offset, cell] : node.cells)
        if (cell.bytes == link_ && cell.value && try_link(base, node, offset, cell.value, different)) return true;
    }
    return false;
  }

  bool try_link(uint32_t base, const Node& a, int64_t next_at, Term value, bool different) {
    auto to = Memory::sum(value);
    if (!to) return false;
    auto found = memory_.nodes.find(to->first.variable());
    if (found == memory_.nodes.end() || found->first == base) return false;
    const Node& b = found->second;
    if (b.kind != Node::Kind::Heap || b.size != a.size || to->second < 0 || to->second >= static_cast<int64_t>(b.size))
      return false;
    Segment form;
    form.head = to->second;
    form.next_at = next_at;
    const Term first = memory_.store().variable_by_number(base);
    const Term a_last = a.segment ? a.segment->last : first;
    const Term b_first = to->first, b_last = b.segment ? b.segment->last : b_first;
    const Term back = plus(memory_.store(), a_last, form.head);
    if (b.segment) {
      form.prev_at = b.segment->prev_at;
      if (!form.same_form(*b.segment)) return false;
      if (form.prev_at && b.segment->prev != back) return false;
    } else if (a.segment) {
      form.prev_at = a.segment->prev_at;
      if (form.prev_at && memory_.peek(b, *form.prev_at, link_) != back) return false;
    } else {
      for (const auto& [offset, cell] : b.cells)
        if (offset != next_at && cell.bytes == link_ && cell.value == back && a.cells.contains(offset) &&
            a.cells.at(offset).bytes == link_) {
          form.prev_at = offset;
          break;
        }
    }
    if (a.segment && !form.same_form(*a.segment)) return false;
    if (form.prev_at && next_at > *form.prev_at) return false;  // one direction for every list
    const Term b_next = b.segment ? b.segment->next : memory_.peek(b, next_at, link_);
    if (!b_next) return false;
    Term a_prev;
    if (a.segment) {
      a_prev = a.segment->prev;
    } else if (form.prev_at) {
      a_prev = memory_.peek(a, *form.prev_at, link_);
      if (!a_prev) return false;
    }
    // Nothing may point between the two: not to where the second begins, not to where the first ends.
    const Uses begins = uses_[b_first.variable()];
    unsigned back_links = 0;
    if (!b.segment && form.prev_at) {  // the object after it points back, to what will be the last object
      Node* after = node_at(b_next);
      if (after) {
        const Term to_b = plus(memory_.store(), b_first, form.head);
        for (const auto& [offset, cell] : after->cells) back_links += cell.value == to_b ? 1 : 0;
        if (after->segment && after->segment->prev == to_b) ++back_links;
        back_links = std::min(back_links, 1u);
      }
    }
    if (begins.registers != 0 || begins.cells != 1 + back_links) return false;
    if (a.segment) {
      const Uses ends = uses_[a.segment->last.variable()];
      if (ends.registers != 0 || ends.cells != (form.prev_at ? 1u : 0u)) return false;
    }
    // If the second is empty, its last object is the one before it: which must be the end of the first.
    if (b.segment && b.segment->least == 0 && b.segment->prev != back) {
      const Uses ends = uses_[b_last.variable()];
      if (ends.registers != 0 || ends.cells != 0) return false;
    }
    Node joined;
    joined.size = a.size;
    joined.align = std::min(a.align, b.align);
    if (!join_content(a, b, form, different, joined)) return false;
    const unsigned length = (a.segment ? a.segment->least : 1) + (b.segment ? b.segment->least : 1);
    form.least = std::min(length, Segment::kMost);
    form.last = b_last;
    form.next = b_next;
    form.prev = a_prev;
    joined.segment = form;
    memory_.nodes.erase(b_first.variable());
    memory_.nodes[base] = std::move(joined);
    return true;
  }

  Node* node_at(Term address) {
    if (address.is_constant()) {
      auto object = memory_.program().object_at(address.value64());
      auto at = object ? memory_.statics.find(*object) : memory_.statics.end();
      return at == memory_.statics.end() ? nullptr : &at->second;
    }
    auto parts = Memory::sum(address);
    if (!parts) return nullptr;
    auto found = memory_.nodes.find(parts->first.variable());
    return found == memory_.nodes.end() ? nullptr : &found->second;
  }

  /// The constants that the bytes can be; none: others, too.
  std::vector<Term> choices(const Node& node, int64_t offset, unsigned bytes) const {
    const Term value = memory_.peek(node, offset, bytes);
    if (value) return value.is_constant() ? std::vector<Term>{value} : std::vector<Term>{};
    const Cell* cell = Memory::cell(node, offset, bytes);
    return cell ? cell->choices : std::vector<Term>{};
  }

  bool is_symbol(Term t) const {
    if (!t) return true;
    if (!t.is_variable()) return false;
    return !memory_.nodes.contains(t.variable()) && !memory_.segment_with_last(t.variable()) &&
           std::ranges::none_of(memory_.facts, [&](Term fact) { return has(term::variables(fact), t); });
  }

  bool mentions_node(Term t) const {
    if (!t || t.is_constant()) return false;
    for (Term v : term::variables(t))
      if (memory_.nodes.contains(v.variable()) || memory_.segment_with_last(v.variable())) return true;
    return false;
  }

  bool join_content(const Node& a, const Node& b, const Segment& form, bool different, Node& joined) {
    joined.rest = a.rest == b.rest ? a.rest : Node::Rest::Nothing;
    std::set<std::pair<int64_t, unsigned>> ranges;
    for (const Node* node : {&a, &b})
      for (const auto& [offset, cell] : node->cells)
        if (offset != form.next_at && offset != form.prev_at) ranges.insert({offset, cell.bytes});
    int64_t end = -1;
    for (auto [offset, bytes] : ranges) {
      if (offset < end) return false;  // cut in different ways
      end = offset + bytes;
      auto overlaps = [&](int64_t link) { return offset < link + static_cast<int64_t>(link_) && link < end; };
      if (overlaps(form.next_at) || (form.prev_at && overlaps(*form.prev_at))) return false;
      const Term x = memory_.peek(a, offset, bytes), y = memory_.peek(b, offset, bytes);
      if (x && x == y) {
        joined.cells[offset] = {bytes, x, {}};
        continue;
      }
      if (mentions_node(x) || mentions_node(y)) return false;
      const std::vector<Term> some = choices(a, offset, bytes), others = choices(b, offset, bytes);
      if (!some.empty() && !others.empty()) {
        std::vector<Term> both;
        auto number = [](Term t) { return t.value(); };
        std::ranges::set_union(some, others, std::back_inserter(both), {}, number, number);
        if (!different && both != some && both != others) return false;
        joined.cells[offset] = {bytes, {}, both.size() <= Cell::kMostChoices ? both : std::vector<Term>{}};
        continue;
      }
      if (!different && !(is_symbol(x) && is_symbol(y) && some.empty() && others.empty())) return false;
      joined.cells[offset] = {bytes, {}, {}};
    }
    return true;
  }

  Memory& memory_;
  unsigned most_different_;
  unsigned link_;
  std::map<uint32_t, Uses> uses_;
};

}  // namespace

void fold(Memory& memory, unsigned most_different) { Folding(memory, most_different).run(); }

}  // namespace whittle::engines::shape
