#include "engines/shape/match.h"

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <unordered_map>

#include "engines/shape/families.h"

namespace whittle::engines::shape {

namespace {

class Matching {
 public:
  /// `general` is changed where numbers differ, if `lenient`.
  Matching(Memory& general, const Memory& special, bool lenient, const std::function<bool(Term)>& holds, size_t place = 0)
      : s_(general), t_(special), lenient_(lenient), holds_(holds), place_(place), link_(special.program().pointer_width() / 8) {
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
    bind_what_stays();
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
    for (const Later& later : later_)
      if (!settle_later(later)) return false;
    bind_what_is_left();
    for (auto& [a, b] : blocks_)
      if (!match_marks(*a, *b)) return false;
    return match_facts();
  }

  std::vector<General::Instead> symbols() const {
    std::vector<General::Instead> all;
    for (const auto& [key, symbol] : general_) all.push_back(symbol);
    for (const auto& [width, symbol] : rounds_)
      all.push_back({symbol, s_.store().constant(width, 0), s_.store().constant(width, 1)});
    return all;
  }
  const std::unordered_map<Term, Term>& names() const { return bound_; }

 private:
  struct Later {
    Term* a;
    Term b;
    Term base = {}, index = {}, b_index = {};  ///< of an address
  };

  bool node_base(const Memory& m, const std::set<uint32_t>& lasts, uint32_t v) const {
    return m.nodes.contains(v) || lasts.contains(v);
  }

  /// Where the second descends from the first, what has not changed tells which symbols are the same.
  void bind_what_stays() {
    if (!s_.relations) return;
    auto stays = [&](Term a, Term b) {
      if (a && a == b && !a.is_constant()) bind_to_itself(a);
    };
    for (size_t i = 0; i < s_.stack.size(); ++i) {
      const std::vector<Term>&a = s_.stack[i].registers, &b = t_.stack[i].registers;
      for (size_t r = 0; r < std::min(a.size(), b.size()); ++r) stays(a[r], b[r]);
    }
    for (const auto& [base, node] : s_.nodes)
      if (auto other = t_.nodes.find(base); other != t_.nodes.end()) stays(node.length, other->second.length);
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
    if (made) {
      at->second = {s_.fresh(a.width(), "number"), a, b};
      s_.made.insert(at->second.symbol.variable());
    }
    a = at->second.symbol;
    return true;
  }

  /// How often the loop was gone around from the first to the second.
  Term rounds(unsigned width) {
    const unsigned whole = std::max(width, 8 * link_);
    auto [at, made] = rounds_.try_emplace(whole);
    if (made) {
      at->second = s_.fresh(whole, "rounds");
      s_.rounds[at->second.variable()] = place_;
      s_.made.insert(at->second.variable());
    }
    return s_.store().extract(at->second, 0, width);
  }

  /// The object in which an address may become another one: a block, or an object that has no links.
  bool may_wander(const Node& node) const {
    if (node.length) return true;
    if (node.segment || node.inside || node.size <= 2 * link_) return false;
    return std::ranges::all_of(node.cells, [&](const auto& entry) {
      const Cell& cell = entry.second;
      return cell.owned.empty() && (!cell.value || cell.value.is_constant() || Memory::sum(cell.value) == std::nullopt ||
                                    !node_base(t_, t_lasts_, Memory::sum(cell.value)->first.variable()));
    });
  }

  bool may_wander_static(Term a, Term b) const {
    const program::Program& program = t_.program();
    auto object = program.object_at(a.value64());
    return object && program.object_at(b.value64()) == object && !program.objects[*object].thread_local_ &&
           program.objects[*object].size > 2 * link_;
  }

  /// The second descends from the first, and this has changed by a constant: it may do so in every round.
  bool moved(Term& a, Term b) {
    if (!lenient_ || !s_.relations || a == b || a.width() < 8) return false;
    term::Store& store = s_.store();
    const Term by = store.sub(b, a);
    if (!by.is_constant()) return false;
    if (a.is_constant() && !numbers(a, b) && !may_wander_static(a, b)) return false;
    for (Term v : term::variables(a)) {
      const uint32_t number = v.variable();
      if (auto of = s_.rounds.find(number); of != s_.rounds.end() && of->second == place_) return false;
      if (own_.contains(number) || t_own_.contains(number)) return false;
      if (auto found = bound_.find(v); found != bound_.end() && found->second != v) return false;
      if (node_base(s_, s_lasts_, number) != node_base(t_, t_lasts_, number)) return false;
      if (!node_base(s_, s_lasts_, number)) continue;
      const auto first = s_.nodes.find(number);
      const auto second = t_.nodes.find(number);
      if (first == s_.nodes.end() || second == t_.nodes.end()) return false;
      if (!may_wander(first->second) && !may_wander(second->second)) return false;
    }
    for (Term v : term::variables(a)) {
      if (node_base(s_, s_lasts_, v.variable())) {
        if (!match_bases(v.variable(), v, v)) return false;
      } else if (!bind(v, v)) {
        return false;
      }
    }
    a = store.add(a, store.mul(by, rounds(a.width())));
    return true;
  }

  std::optional<std::pair<Term, Term>> address(const Memory& m, const std::set<uint32_t>& lasts, Term t) const {
    if (t.is_constant()) return std::nullopt;
    if (auto sum = Memory::sum(t)) {
      if (!node_base(m, lasts, sum->first.variable())) return std::nullopt;
      return std::pair{sum->first, plus(m.store(), m.store().constant(t.width(), 0), sum->second)};
    }
    return m.indexed(t);
  }

  bool differ_index(Term& a, Term base, Term index, Term b_index) {
    if (!differ_but_for_rounds(index, b_index)) return false;
    a = s_.store().add(base, index);
    return true;
  }

  /// What changes by a constant in each round still does, only where it began is not the same.
  bool differ_but_for_rounds(Term& a, Term b) {
    if (!lenient_) return false;
    term::Store& store = s_.store();
    for (Term v : s_.relations ? term::variables(a) : std::vector<Term>{}) {
      auto of = s_.rounds.find(v.variable());
      auto now = bound_.find(v);
      if (of == s_.rounds.end() || of->second != place_ || now == bound_.end() || v.width() < a.width()) continue;
      const Term n = store.extract(v, 0, a.width()), n_there = store.extract(now->second, 0, a.width());
      for (int64_t by : {1, -1, 4, -4, 2, -2, 8, -8}) {
        const Term factor = plus(store, store.constant(a.width(), 0), by);
        Term start = store.sub(a, store.mul(factor, n));
        if (start == n || has(term::variables(start), v) || !differ(start, store.sub(b, store.mul(factor, n_there)))) continue;
        a = store.add(start, store.mul(factor, n));
        return true;
      }
    }
    return differ(a, b);
  }

  bool match(Term& a, Term b) {
    if (!a) return true;
    if (!b || a.width() != b.width()) return false;
    if (moved(a, b)) return true;
    if (a.is_constant()) return a == b || differ(a, b);
    auto p = Memory::sum(a);
    if (p && !node_base(s_, s_lasts_, p->first.variable()))
      return bind(p->first, plus(s_.store(), b, -p->second)) || differ(a, b);
    auto x = address(s_, s_lasts_, a);
    if (!x) {
      bind_inside(a, b);
      later_.push_back({&a, b});
      return true;
    }
    auto y = address(t_, t_lasts_, b);
    if (!y || !match_bases(x->first.variable(), x->first, y->first)) return false;
    if (x->second.is_constant() && y->second.is_constant()) {
      if (x->second == y->second) return true;
      auto node = s_.nodes.find(x->first.variable());
      return s_.relations && node != s_.nodes.end() && may_wander(node->second) && differ_index(a, x->first, x->second, y->second);
    }
    auto q = x->second.is_constant() ? std::nullopt : Memory::sum(x->second);
    if (q && bind(q->first, plus(s_.store(), y->second, -q->second))) return true;
    bind_inside(x->second, y->second);
    later_.push_back({&a, b, x->first, x->second, y->second});
    return true;
  }

  /// Guesses what the symbols of a term are in another one. Whether the terms are the same then is asked later.
  void bind_inside(Term a, Term b) {
    if (!s_.relations) return;
    term::Store& store = s_.store();
    const Term by = store.sub(b, a);
    std::vector<Term> symbols = term::variables(a);
    std::ranges::sort(symbols, std::ranges::greater{}, [](Term v) { return v.variable(); });
    for (Term v : by.is_constant() ? symbols : std::vector<Term>{}) {  // the newest number of rounds
      if (!s_.rounds.contains(v.variable()) || bound_.contains(v) || v.width() < a.width()) continue;
      const Term n = store.extract(v, 0, a.width());
      for (int64_t factor : {1, -1, 4, -4, 2, -2, 8, -8}) {
        const Term f = plus(store, store.constant(a.width(), 0), factor);
        const Term more = store.make(term::Op::SDiv, std::vector<Term>{by, f}, a.width(), 0);
        if (has(term::variables(store.sub(a, store.mul(f, n))), v) || store.mul(more, f) != by) continue;
        bind(v, store.add(v, store.sext(more, v.width())));
        break;
      }
      break;
    }
    bind_alike(a, b);
  }

  /// Symbols at the same places of terms of one form.
  void bind_alike(Term a, Term b) {
    if (a.is_constant() || b.is_constant() || a.width() != b.width()) return;
    if (a.is_variable()) {
      if (!bound_.contains(a) && !node_base(s_, s_lasts_, a.variable())) bind(a, b);
      return;
    }
    if (a.op() != b.op() || a.arity() != b.arity() || (a.op() == term::Op::Extract && a.low() != b.low())) return;
    for (unsigned i = 0; i < a.arity(); ++i) bind_alike(a.kid(i), b.kid(i));
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
    if (a.length || b.length) return !a.segment && !b.segment && match_blocks(a, b);
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
      Memory other(t_.program());
      const Node& there = found == t_.statics.end() ? other.static_node(id) : found->second;
      if (!(node.length || there.length ? match_blocks(node, there) : match_cells(node, there))) return false;
    }
    return true;
  }

  bool match_blocks(Node& a, const Node& b) {
    for (const Node* node : {&static_cast<const Node&>(a), &b}) {
      if (node->segment || node->inside) return false;
      for (const auto& [offset, cell] : node->cells)
        if (!cell.owned.empty()) return false;
    }
    s_.make_block(a);
    auto other = std::make_unique<Node>(b);
    t_.make_block(*other);
    if (a.length.is_constant() != other->length.is_constant()) return false;
    if (!match(a.length, other->length)) return false;
    blocks_.emplace_back(&a, std::move(other));
    return true;
  }

  /// When all other symbols are bound: what the general block knows the special one must know.
  bool match_marks(Node& a, const Node& b) {
    std::vector<bool> found(b.marks.size());
    bool forgets = false;
    std::erase_if(a.marks, [&](const Mark& mark) {
      bool at_known = false, value_known = false;
      const Term at = renamed(mark.at, at_known), value = renamed(mark.value, value_known);
      for (size_t i = 0; at_known && value_known && i < b.marks.size(); ++i) {
        const Mark& other = b.marks[i];
        if (other.bytes != mark.bytes || other.value != value) continue;
        if (at != other.at && !holds_(s_.store().eq(at, other.at))) continue;
        found[i] = true;
        return false;
      }
      forgets = true;
      return true;
    });
    if (forgets && !lenient_) return false;
    bool zero = a.rest == Node::Rest::Zero && b.rest == Node::Rest::Zero && !forgets;
    for (size_t i = 0; i < b.marks.size(); ++i)
      if (!found[i] && !b.marks[i].value.is_constant(0)) zero = false;
    if (a.rest == Node::Rest::Zero && !zero) {
      if (!lenient_) return false;
      a.rest = Node::Rest::Nothing;
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

  bool settle_later(const Later& later) {
    bool complete = false;
    if (s_.relations) bind_to_itself(*later.a);
    Term other = renamed(*later.a, complete);
    if (complete && (other == later.b || (s_.relations && holds_(s_.store().eq(other, later.b))))) return true;
    if (!later.base) return differ_but_for_rounds(*later.a, later.b);
    return s_.relations && differ_index(*later.a, later.base, later.index, later.b_index);
  }

  /// Symbols that are not bound yet stand for what they are in the second.
  void bind_to_itself(Term t) {
    for (Term v : term::variables(t))
      if (!node_base(s_, s_lasts_, v.variable()) && !node_base(t_, t_lasts_, v.variable()) && !own_.contains(v.variable()) &&
          !t_own_.contains(v.variable()))
        bound_.try_emplace(v, v);
  }

  /// A symbol that only facts and marks mention stands for some value: here for the one that it has in the second.
  void bind_what_is_left() {
    if (!s_.relations) return;
    for (Term fact : s_.facts) bind_to_itself(fact);
    for (const auto& [a, b] : blocks_)
      for (const Mark& mark : a->marks) bind_to_itself(mark.at);
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
  size_t place_;
  unsigned link_;
  std::set<uint32_t> s_lasts_, t_lasts_, taken_;
  std::set<uint32_t> own_, t_own_;  ///< symbols of lists; in the other one also bases of what is inside of lists
  std::unordered_map<Term, Term> bound_;
  std::vector<std::pair<uint32_t, uint32_t>> pairs_;
  std::vector<Later> later_;
  std::vector<std::pair<Node*, std::unique_ptr<Node>>> blocks_;
  std::map<std::pair<uint32_t, uint32_t>, General::Instead> general_;
  std::map<unsigned, Term> rounds_;  ///< by width
};

}  // namespace

bool covers(const Memory& general, const Memory& special, const std::function<bool(Term)>& holds) {
  Memory copy = general;
  return Matching(copy, special, false, holds).run();
}

std::optional<General> generalise(const Memory& general, const Memory& special, size_t place,
                                  const std::function<bool(Term)>& holds) {
  General result{general, {}, {}};
  Matching matching(result.memory, special, true, holds, place);
  if (!matching.run()) return std::nullopt;
  result.symbols = matching.symbols();
  result.names = matching.names();
  return result;
}

}  // namespace whittle::engines::shape
