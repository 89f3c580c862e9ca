#include "engines/shape/fold.h"

#include <algorithm>
#include <ranges>
#include <set>

#include "engines/shape/families.h"
#include "engines/shape/nested.h"

namespace whittle::engines::shape {

namespace {

class Folding {
 public:
  Folding(Memory& memory, unsigned most_different)
      : memory_(memory), most_different_(most_different), link_(memory.program().pointer_width() / 8) {}

  void run() {
    fold_alike();
    fold_different();
    forget();
  }

 private:
  void fold_alike() {
    // Lists without parts first: what becomes a part is as short as can be then.
    while (hide_one() || step(false, false) || (memory_.nested && step(false, true))) {
    }
  }

  void fold_different() {
    for (;;) {
      std::map<uint64_t, unsigned> sizes;
      for (const auto& [base, node] : memory_.nodes)
        if (!node.inside && !node.length) ++sizes[node.size];
      if (std::ranges::none_of(sizes, [&](const auto& entry) { return entry.second > most_different_; })) return;
      if (!step(true, false) && !(memory_.nested && step(true, true))) return;
      fold_alike();
    }
  }

  /// What an address can be that leads to an object which nothing else leads to; `owned` has the families of the object.
  struct Hidden {
    Cell address;
    std::vector<uint32_t> nodes;  ///< that are described by families now
  };

  /// Makes a cell own the object that it alone leads to. False: there is none.
  bool hide_one() {
    if (!memory_.families) return false;
    uses_ = count_uses();
    for (auto& [base, node] : memory_.nodes) {
      if (node.kind != Node::Kind::Heap || node.segment || node.length) continue;
      const Term owner = memory_.store().variable_by_number(base);
      for (auto& [offset, cell] : node.cells) {
        if (cell.bytes != link_ || !cell.value) continue;
        auto hidden = hide(cell.value, owner, 0);
        if (!hidden || hidden->address.owned.empty()) continue;
        cell = hidden->address;
        for (uint32_t gone : hidden->nodes) memory_.nodes.erase(gone);
        return true;
      }
    }
    return false;
  }

  std::optional<Hidden> hide(Term address, Term owner, unsigned depth) {
    if (address.is_constant()) return Hidden{{link_, {}, {address}}, {}};
    auto to = Memory::sum(address);
    auto found = to ? memory_.nodes.find(to->first.variable()) : memory_.nodes.end();
    if (found == memory_.nodes.end() || to->first == owner || depth > memory_.nodes.size()) return std::nullopt;
    const Node& node = found->second;
    if (node.kind != Node::Kind::Heap || node.length || to->second < 0 || to->second >= static_cast<int64_t>(node.size)) return std::nullopt;
    const Uses uses = uses_[found->first];
    if (uses.registers != 0 || uses.cells != 1) return std::nullopt;
    const uint32_t family = memory_.families->family(node.site, node.size, to->second);
    if (node.segment) return hide_segment(node, found->first, to->second, owner, family, depth);
    auto form = form_of(node, owner);
    if (!form || !memory_.families->add(family, *form)) return std::nullopt;
    return Hidden{{link_, {}, {}, {family}}, {found->first}};
  }

  /// What objects like this one hold; nothing if it leads to objects that are nodes.
  std::optional<Node> form_of(const Node& node, Term owner) {
    Node form = node;
    form.segment.reset();
    form.site = 0;
    for (auto& [offset, cell] : form.cells) {
      if (!cell.value || cell.value.is_constant()) continue;
      if (auto sum = Memory::sum(cell.value); sum && sum->first == owner)
        cell = {cell.bytes, {}, {}, {}, sum->second};
      else if (mentions_node(cell.value))
        return std::nullopt;
      else
        cell = {cell.bytes, {}};
    }
    return form;
  }

  /// Each object of the list owns the next one, the last one what comes after the list.
  std::optional<Hidden> hide_segment(const Node& node, uint32_t base, int64_t head, Term owner, uint32_t family, unsigned depth) {
    const Segment& segment = *node.segment;
    if (segment.head != head) return std::nullopt;
    const bool back = segment.prev_at.has_value();
    if (back && segment.prev != plus(memory_.store(), owner, head)) return std::nullopt;
    if (!back && segment.prev && segment.least == 0) return std::nullopt;  // something may lead to its end
    auto after = hide(segment.next, segment.last, depth + 1);
    if (!after) return std::nullopt;
    // Only what comes after it may lead to its end.
    unsigned back_links = 0;
    for (uint32_t other : after->nodes) back_links += mentions(memory_.nodes.at(other), segment.last);
    const Uses ends = uses_[segment.last.variable()];
    if (ends.registers != 0 || ends.cells != back_links) return std::nullopt;
    auto form = form_of(node, Term{});  // only the first object is owned by `owner`
    if (!form) return std::nullopt;
    auto following = join(after->address, Cell{link_, {}, {}, {family}});
    if (!following) return std::nullopt;
    if (back) form->cells[*segment.prev_at] = {link_, {}, {}, {}, head};
    for (int64_t link : segment.links()) {
      Node one = *form;
      one.cells[link] = *following;
      if (!memory_.families->add(family, one)) return std::nullopt;
    }
    Cell first{link_, {}, {}, {family}};
    if (segment.least == 0) {
      // If it is empty, what comes after it is owned by what is before it, and links back lead there.
      if (!after->nodes.empty() && back_links != 0 && !back) return std::nullopt;
      auto both = join(first, after->address);
      if (!both) return std::nullopt;
      first = *both;
    }
    Hidden result{first, after->nodes};
    result.nodes.push_back(base);
    return result;
  }

  static unsigned mentions(const Node& node, Term base) {
    unsigned count = 0;
    auto look = [&](Term t) { count += t && !t.is_constant() && has(term::variables(t), base) ? 1 : 0; };
    for (const auto& [offset, cell] : node.cells) look(cell.value);
    if (!node.segment) return count;
    look(node.segment->next);
    if (node.segment->prev_at) look(node.segment->prev);
    return count;
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
      for (const Mark& mark : node.marks) mention(mark.value, &Uses::cells), mention(mark.at, &Uses::registers);
      mention(node.length, &Uses::registers);
      if (!node.segment) return;
      mention(node.segment->next, &Uses::cells);
      if (node.segment->prev_at) mention(node.segment->prev, &Uses::cells);
    };
    for (const auto& [id, node] : memory_.statics) look(node);
    for (const auto& [base, node] : memory_.nodes) look(node);
    return uses;
  }

  /// Folds two nodes into one. False: there are no two that can be.
  bool step(bool different, bool with_parts) {
    with_parts_ = with_parts;
    uses_ = count_uses();
    for (auto& [base, node] : memory_.nodes) {
      if (node.kind != Node::Kind::Heap || node.inside || node.length) continue;
      if (node.segment) {
        if (try_link(base, node, node.segment->next_at, node.segment->next, different)) return true;
        continue;
      }
      auto follow = [&](const auto& cell) {
        return cell.second.bytes == link_ && cell.second.value && try_link(base, node, cell.first, cell.second.value, different);
      };
      // Towers of a skip list follow each other on their highest level: what is below becomes their parts.
      if (memory_.nested ? std::ranges::any_of(std::views::reverse(node.cells), follow) : std::ranges::any_of(node.cells, follow))
        return true;
    }
    return false;
  }

  bool try_link(uint32_t base, const Node& a, int64_t next_at, Term value, bool different) {
    auto to = Memory::sum(value);
    if (!to) return false;
    auto found = memory_.nodes.find(to->first.variable());
    if (found == memory_.nodes.end() || found->first == base) return false;
    const Node& b = found->second;
    if (b.kind != Node::Kind::Heap || b.inside || b.length || b.size != a.size || to->second < 0 || to->second >= static_cast<int64_t>(b.size))
      return false;
    if (memory_.by_site && a.site != b.site) return false;
    Segment form;
    form.head = to->second;
    form.next_at = next_at;
    const Term first = memory_.store().variable_by_number(base);
    const Term a_last = a.segment ? a.segment->last : first;
    const Term b_first = to->first, b_last = b.segment ? b.segment->last : b_first;
    const Term back = plus(memory_.store(), a_last, form.head);
    if (b.segment) {
      form.prev_at = b.segment->prev_at;
      if (!fits(form, *b.segment)) return false;
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
    if (a.segment && !fits(form, *a.segment)) return false;
    if (form.prev_at && next_at > *form.prev_at) return false;  // one direction for every list
    const int64_t b_at = b.segment ? b.segment->next_at : link_of(b, next_at, form.prev_at);
    const Term b_next = b.segment ? b.segment->next : memory_.peek(b, b_at, link_);
    if (!b_next) return false;
    std::set<int64_t> links{next_at, b_at};
    for (const Node* node : {&a, &b})
      if (node->segment) links.insert(node->segment->or_at.begin(), node->segment->or_at.end());
    form.next_at = *links.begin();
    form.or_at.assign(std::next(links.begin()), links.end());
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
    if (begins.registers != 0 || (!with_parts_ && begins.cells != 1 + back_links)) return false;
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
    joined.site = a.site;
    std::set<uint32_t> gone{b_first.variable()};
    if (a.segment) gone.insert(a_last.variable());
    if (memory_.nested) form.self = memory_.fresh(8 * link_, "self"), form.then = memory_.fresh(8 * link_, "then");
    Joining parts(memory_, uses_, {base, value}, {b_first.variable(), b_next}, base, form.self, form.then, gone,
                  [&](const Cell& x, const Cell& y) { return join_cells(x, y, different); });
    if (!join_content(a, next_at, b, b_at, form, memory_.nested ? &parts : nullptr, different, joined)) return false;
    if (memory_.nested) {
      const uint32_t second = b_first.variable();
      if (!with_parts_ && parts.any()) return false;
      if (!parts.finish() || begins.cells != back_links + parts.own_mentions(second, 0) + parts.own_mentions(second, 1)) return false;
      parts.publish();
    }
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

  /// Lists whose links are at different places become one only if cells can own what is at the others.
  bool fits(const Segment& form, const Segment& other) const {
    return form.head == other.head && form.prev_at == other.prev_at &&
           (memory_.families || form.next_at == other.next_at);
  }

  /// Where the link to the next object is: on a way down a tree the only address of a node, or the same as before.
  int64_t link_of(const Node& node, int64_t before, std::optional<int64_t> prev_at) const {
    if (!memory_.families) return before;
    int64_t at = before;
    unsigned count = 0;
    for (const auto& [offset, cell] : node.cells) {
      if (offset == prev_at || cell.bytes != link_ || !mentions_node(cell.value)) continue;
      at = offset;
      ++count;
    }
    return count == 1 ? at : before;
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

  Cell cell_of(const Node& node, int64_t offset, unsigned bytes) const {
    if (const Cell* cell = Memory::cell(node, offset, bytes)) return *cell;
    return {bytes, memory_.peek(node, offset, bytes)};
  }

  /// What a range of bytes can be in both; nothing if they are to stay apart.
  std::optional<Cell> join_cells(const Cell& x, const Cell& y, bool different) const {
    if (x.value && x.value == y.value) return x;
    if (mentions_node(x.value) || mentions_node(y.value)) return std::nullopt;
    if (!x.owned.empty() || !y.owned.empty()) return join(x, y);
    auto open = [](const Cell& cell) { return cell.value ? !cell.value.is_constant() : !cell.limited(); };
    if (!open(x) && !open(y)) {
      auto both = join(x, y);
      const bool grows = !covers(x, y) && !covers(y, x);
      // Two constants become choices only if objects may be different.
      if (!different && grows) return std::nullopt;
      return both;
    }
    if (!different && !(is_symbol(x.value) && is_symbol(y.value) && open(x) && open(y))) return std::nullopt;
    return Cell{x.bytes, {}};
  }

  bool join_content(const Node& a, int64_t a_at, const Node& b, int64_t b_at, const Segment& form, Joining* parts, bool different,
                    Node& joined) {
    joined.rest = a.rest == b.rest ? a.rest : Node::Rest::Nothing;
    const std::vector<int64_t> links = form.links();
    std::set<std::pair<int64_t, unsigned>> ranges;
    for (const Node* node : {&a, &b})
      for (const auto& [offset, cell] : node->cells)
        if (offset != form.prev_at && !(links.size() == 1 && offset == form.next_at)) ranges.insert({offset, cell.bytes});
    if (links.size() > 1)
      for (int64_t link : links) ranges.insert({link, link_});
    int64_t end = -1;
    for (auto [offset, bytes] : ranges) {
      if (offset < end) return false;  // cut in different ways
      end = offset + bytes;
      auto overlaps = [&](int64_t link) { return offset < link + static_cast<int64_t>(link_) && link < end; };
      if (form.prev_at && overlaps(*form.prev_at)) return false;
      const bool is_link = links.size() > 1 && bytes == link_ && std::ranges::find(links, offset) != links.end();
      if (!is_link && std::ranges::any_of(links, overlaps)) return false;
      // Where all its objects have their link, a node has nothing else.
      auto only_link = [&](const Node& node, int64_t at) { return offset == at && (!node.segment || node.segment->or_at.empty()); };
      const bool no_a = only_link(a, a_at), no_b = only_link(b, b_at);
      const Cell x = cell_of(a, offset, bytes), y = cell_of(b, offset, bytes);
      if (no_a && no_b) return false;  // no object says what is there
      std::optional<Cell> both = no_a ? y : no_b ? x : parts ? parts->cell(x, y) : join_cells(x, y, different);
      if (!both || ((no_a || no_b) && mentions_node(both->value))) return false;
      joined.cells[offset] = *both;
    }
    return true;
  }

  Memory& memory_;
  unsigned most_different_;
  unsigned link_;
  bool with_parts_ = false;  ///< objects that have parts may become a list
  std::map<uint32_t, Uses> uses_;
};

}  // namespace

void fold(Memory& memory, unsigned most_different) { Folding(memory, most_different).run(); }

}  // namespace whittle::engines::shape
