#include "engines/shape/match.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "engines/shape/families.h"

namespace whittle::engines::shape {

namespace {

class Matching {
 public:
  /// `general` is changed where numbers differ, if `lenient`.
  Matching(Memory& general, const Memory& special, bool lenient, const std::function<bool(Term)>& holds)
      : s_(general), t_(special), lenient_(lenient), holds_(holds), link_(special.program().pointer_width() / 8) {
    for (const auto& [base, node] : s_.nodes) {
      if (!node.segment) continue;
      s_lasts_.insert(node.segment->last.variable());
      for (Term symbol : {node.segment->self, node.segment->then})
        if (symbol) own_.insert(symbol.variable());
    }
    for (const auto& [base, node] : t_.nodes) {
      if (node.inside) t_own_.insert(base);
      if (!node.segment) continue;
      t_lasts_.insert(node.segment->last.variable());
      if (node.inside) t_own_.insert(node.segment->last.variable());
      for (Term symbol : {node.segment->self, node.segment->then})
        if (symbol) t_own_.insert(symbol.variable());
    }
  }

  bool run() {
    if (s_.stack.size() != t_.stack.size()) return false;
    for (size_t i = 0; i < s_.stack.size(); ++i) {
      Frame& a = s_.stack[i];
      const Frame& b = t_.stack[i];
      if (a.function != b.function || a.at != b.at || a.result != b.result) return false;
      for (size_t r = 0; r < a.registers.size(); ++r)
        if (!match(a.registers[r], b.registers[r])) return false;
    }
    if (!match_statics() || !match_frame_objects()) return false;
    while (!pairs_.empty()) {
      auto [a, b] = pairs_.back();
      pairs_.pop_back();
      if (!match_nodes(s_.nodes.at(a), t_.nodes.at(b), b)) return false;
    }
    // Neither has an object that the other does not have.
    if (taken_.size() != t_.nodes.size() || taken_.size() != s_.nodes.size()) return false;
    for (auto [a, b] : later_)
      if (!settle_later(*a, b)) return false;
    return match_facts();
  }

 private:
  bool node_base(const Memory& m, const std::set<uint32_t>& lasts, uint32_t v) const {
    return m.nodes.contains(v) || lasts.contains(v);
  }

  /// A symbol is the same in all objects of a list; what each of them has of its own is only bound to such.
  bool bind(Term symbol, Term to) {
    const uint32_t number = symbol.variable();
    if (!own_.contains(number) && !node_base(s_, s_lasts_, number) && is_own(to, t_own_)) return false;
    auto [at, made] = bound_.try_emplace(symbol, to);
    return made || at->second == to;
  }

  static bool is_own(Term t, const std::set<uint32_t>& own) {
    return !own.empty() && std::ranges::any_of(term::variables(t), [&](Term v) { return own.contains(v.variable()); });
  }

  /// May both be replaced by a symbol?
  bool numbers(Term a, Term b) const {
    auto number = [&](Term t, const Memory& m, const std::set<uint32_t>& lasts) {
      if (t.is_constant()) {
        const uint64_t value = t.value64();
        return t.width() != 8 * link_ ||
               (value != 0 && !(value >= program::layout::kFunctionBase && value < program::layout::kDynamicBase)) ||
               value < program::layout::kNullEnd;
      }
      return std::ranges::none_of(term::variables(t), [&](Term v) { return node_base(m, lasts, v.variable()); });
    };
    return number(a, s_, s_lasts_) && number(b, t_, t_lasts_) && !is_own(a, own_) && !is_own(b, t_own_);
  }

  bool differ(Term& a, Term b) {
    if (!lenient_ || !numbers(a, b)) return false;
    auto [at, made] = general_.try_emplace({a.id(), b.id()});
    if (made) at->second = s_.fresh(a.width(), "number");
    a = at->second;
    return true;
  }

  bool match(Term& a, Term b) {
    if (!a) return true;
    if (!b || a.width() != b.width()) return false;
    if (a.is_constant()) return a == b || differ(a, b);
    auto p = Memory::sum(a);
    if (!p) {
      later_.emplace_back(&a, b);
      return true;
    }
    const uint32_t base = p->first.variable();
    if (node_base(s_, s_lasts_, base)) {
      if (b.is_constant()) return false;
      auto q = Memory::sum(b);
      if (!q || p->second != q->second) return false;
      return match_bases(base, p->first, q->first);
    }
    return bind(p->first, plus(s_.store(), b, -p->second)) || differ(a, b);
  }

  bool match_bases(uint32_t a, Term a_base, Term b_base) {
    const uint32_t b = b_base.variable();
    if (!node_base(t_, t_lasts_, b)) return false;
    if (auto found = bound_.find(a_base); found != bound_.end()) return found->second == b_base;
    bound_[a_base] = b_base;
    if (s_lasts_.contains(a)) {  // the segment that ends there
      const uint32_t a_first = *s_.segment_ending(a), b_first = t_.segment_ending(b).value_or(b);
      return match_bases(a_first, s_.store().variable_by_number(a_first), t_.store().variable_by_number(b_first));
    }
    if (!t_.nodes.contains(b)) return false;
    if (!taken_.insert(b).second) return false;
    pairs_.emplace_back(a, b);
    return true;
  }

  bool is_choice(const Cell& cell, const Node& b, int64_t offset) const {
    if (const Cell* other = Memory::cell(b, offset, cell.bytes)) return shape::covers(cell, *other);
    return shape::covers(cell, Cell{cell.bytes, t_.peek(b, offset, cell.bytes)});
  }

  /// `b_link`: where a single object has the link of a list, or a list all of its links.
  bool match_cells(Node& a, const Node& b, std::optional<int64_t> b_link = {}) {
    auto is_link = [&](int64_t offset) { return offset == b_link || (a.segment && offset == a.segment->prev_at); };
    for (const auto& [offset, cell] : b.cells) {  // what is owned stays owned
      if (cell.owned.empty()) continue;
      const Cell* own = Memory::cell(a, offset, cell.bytes);
      if (!own || !shape::covers(*own, cell)) return false;
    }
    for (auto& [offset, cell] : a.cells) {
      if (is_link(offset)) continue;
      if (!cell.value && !cell.limited()) continue;
      if (!cell.value) {
        if (!is_choice(cell, b, offset)) return false;
        continue;
      }
      Term value = t_.peek(b, offset, cell.bytes);
      if (!value || !match(cell.value, value)) return false;
    }
    if (a.rest == Node::Rest::Nothing) return true;
    if (b.rest != a.rest) return false;
    for (const auto& [offset, cell] : b.cells) {
      if (is_link(offset)) continue;
      auto own = a.cells.find(offset);
      if (own != a.cells.end() && own->second.bytes >= cell.bytes) continue;
      Term expected = s_.peek(a, offset, cell.bytes);
      if (!expected || expected != cell.value) return false;
    }
    return true;
  }

  /// Where a single object has its link, if it is to be a list like this one.
  int64_t link_of(const Node& b, const Segment& s) const {
    for (int64_t link : s.links()) {
      Term next = t_.peek(b, link, link_);
      if (next && (s.next.is_constant() ? next == s.next : !next.is_constant())) return link;
    }
    return s.next_at;
  }

  bool match_nodes(Node& a, const Node& b, uint32_t b_base) {
    if (a.kind != b.kind || a.size != b.size || a.frame != b.frame || a.order != b.order || a.object != b.object ||
        a.align > b.align || a.constant != b.constant)
      return false;
    if (a.inside ? !is_inside(*a.inside, b) : b.inside.has_value()) return false;
    if (!a.segment) return !b.segment && match_cells(a, b);
    Segment& s = *a.segment;
    if (b.segment) {
      const Segment& t = *b.segment;
      if (s.head != t.head || s.prev_at != t.prev_at || t.least < s.least || !bind(s.last, t.last)) return false;
      if (!std::ranges::includes(s.links(), t.links())) return false;
      if (s.self && (!t.self || !bind(s.self, t.self) || !bind(s.then, t.then))) return false;
      if (!match(s.next, t.next)) return false;
      if (s.prev && (!t.prev || !match(s.prev, t.prev))) return false;
      return match_cells(a, b, t.or_at.empty() ? std::optional(t.next_at) : std::nullopt);
    } else {
      if (s.least > 1 || !bind(s.last, t_.store().variable_by_number(b_base))) return false;
      const int64_t link = link_of(b, s);
      Term next = t_.peek(b, link, link_);
      if (!next || !match(s.next, next)) return false;
      if (s.self && (!bind(s.self, t_.store().variable_by_number(b_base)) || !bind(s.then, next))) return false;
      if (s.prev_at) {
        Term prev = t_.peek(b, *s.prev_at, link_);
        if (s.prev && (!prev || !match(s.prev, prev))) return false;
      } else if (s.prev) {
        return false;  // what is before it is not known
      }
      return match_cells(a, b, link);
    }
  }

  /// Is this a part of the object, or list of objects, that was matched with the list?
  bool is_inside(uint32_t list, const Node& b) const {
    auto owner = bound_.find(s_.store().variable_by_number(list));
    if (owner == bound_.end()) return false;
    const Node& there = t_.nodes.at(owner->second.variable());
    return there.segment ? b.inside == owner->second.variable() : b.inside == there.inside;
  }

  bool match_statics() {
    for (const auto& [id, node] : t_.statics) s_.static_node(id);
    for (auto& [id, node] : s_.statics) {
      auto found = t_.statics.find(id);
      if (found == t_.statics.end()) {
        Memory other(t_.program());
        if (!match_cells(node, other.static_node(id))) return false;
      } else if (!match_cells(node, found->second)) {
        return false;
      }
    }
    return true;
  }

  /// Objects of frames are there whether or not something points to them.
  bool match_frame_objects() {
    for (const auto& [base, node] : s_.nodes) {
      if (node.kind == Node::Kind::Heap) continue;
      auto found = std::ranges::find_if(t_.nodes, [&](const auto& entry) {
        const Node& other = entry.second;
        return other.kind == node.kind && other.frame == node.frame && other.order == node.order && other.object == node.object;
      });
      if (found == t_.nodes.end()) return false;
      if (!match_bases(base, s_.store().variable_by_number(base), t_.store().variable_by_number(found->first))) return false;
    }
    return true;
  }

  Term renamed(Term t, bool& complete) {
    complete = true;
    return s_.store().substitute(t, [&](Term v) -> Term {
      auto found = bound_.find(v);
      if (found == bound_.end()) {
        complete = false;
        return {};
      }
      return found->second;
    });
  }

  bool settle_later(Term& a, Term b) {
    bool complete = false;
    Term other = renamed(a, complete);
    if (complete && other == b) return true;
    return differ(a, b);
  }

  bool match_facts() {
    std::vector<Term> kept;
    for (Term fact : s_.facts) {
      bool complete = false;
      Term other = renamed(fact, complete);
      if (complete && (other.is_true() || has(t_.facts, other) || holds_(other)))
        kept.push_back(fact);
      else if (!lenient_)
        return false;
    }
    s_.facts = std::move(kept);
    return true;
  }

  Memory& s_;
  const Memory& t_;
  bool lenient_;
  const std::function<bool(Term)>& holds_;
  unsigned link_;
  std::set<uint32_t> s_lasts_, t_lasts_, taken_;
  std::set<uint32_t> own_, t_own_;  ///< symbols of lists; in the other one also bases of what is inside of lists
  std::unordered_map<Term, Term> bound_;
  std::vector<std::pair<uint32_t, uint32_t>> pairs_;
  std::vector<std::pair<Term*, Term>> later_;
  std::map<std::pair<uint32_t, uint32_t>, Term> general_;
};

}  // namespace

bool covers(const Memory& general, const Memory& special, const std::function<bool(Term)>& holds) {
  Memory copy = general;
  return Matching(copy, special, false, holds).run();
}

std::optional<Memory> generalise(const Memory& general, const Memory& special, const std::function<bool(Term)>& holds) {
  Memory copy = general;
  if (!Matching(copy, special, true, holds).run()) return std::nullopt;
  return copy;
}

}  // namespace whittle::engines::shape
