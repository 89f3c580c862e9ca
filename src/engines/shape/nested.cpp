#include "engines/shape/nested.h"

#include <algorithm>

namespace whittle::engines::shape {

namespace {

constexpr size_t kMostParts = 24;
constexpr unsigned kDeepest = 8;

unsigned mentions(const Node& node, uint32_t base) {
  unsigned count = 0;
  auto look = [&](Term t) {
    if (!t || t.is_constant()) return;
    count += std::ranges::any_of(term::variables(t), [&](Term v) { return v.variable() == base; }) ? 1 : 0;
  };
  for (const auto& [offset, cell] : node.cells) look(cell.value);
  if (!node.segment) return count;
  look(node.segment->next);
  if (node.segment->prev_at) look(node.segment->prev);
  return count;
}

}  // namespace

Joining::Joining(Memory& memory, std::map<uint32_t, Uses>& uses, Side a, Side b, uint32_t list, Term self, Term then,
                 std::set<uint32_t> gone, Numbers numbers)
    : memory_(memory), uses_(uses), sides_{a, b}, gone_(std::move(gone)), numbers_(std::move(numbers)) {
  Owner owner;
  owner.self = self, owner.then = then, owner.list = list;
  for (size_t side = 0; side < 2; ++side) {
    const Node& object = memory.nodes.at(sides_[side].base);
    owner.object[side] = object.segment ? object.segment->self : memory.store().variable_by_number(sides_[side].base);
    owner.link[side] = object.segment ? object.segment->then : sides_[side].link;
  }
  outer_.push_back(owner);
  for (const auto& [key, node] : memory.nodes)
    if (node.segment && node.segment->self) {
      symbols_.insert(node.segment->self.variable());
      symbols_.insert(node.segment->then.variable());
    }
}

bool Joining::is_about_nodes(Term t) const {
  return t && !t.is_constant() && std::ranges::any_of(term::variables(t), [&](Term v) {
           return memory_.is_base(v.variable()) || symbols_.contains(v.variable());
         });
}

/// The same address in both objects: of something that is there afterwards, for all of the list.
bool Joining::is_kept(Term t) const {
  return std::ranges::none_of(term::variables(t), [&](Term v) {
    if (gone_.contains(v.variable()) || symbols_.contains(v.variable())) return true;
    auto found = memory_.nodes.find(v.variable());
    if (found == memory_.nodes.end())
      if (auto key = memory_.segment_ending(v.variable())) found = memory_.nodes.find(*key);
    return found != memory_.nodes.end() && found->second.inside.has_value();
  });
}

std::optional<Joining::End> Joining::end(Term t) const {
  auto sum = t && !t.is_constant() ? Memory::sum(t) : std::nullopt;
  if (!sum) return std::nullopt;
  End end{sum->first.variable(), false, sum->second};
  if (!memory_.nodes.contains(end.key)) {
    auto key = memory_.segment_ending(end.key);
    if (!key) return std::nullopt;
    end.key = *key, end.last = true;
  }
  const Node& node = memory_.nodes.at(end.key);
  if (node.kind != Node::Kind::Heap || node.length || end.key == sides_[0].base || end.key == sides_[1].base) return std::nullopt;
  if (end.offset < 0 || end.offset >= static_cast<int64_t>(node.size)) return std::nullopt;
  return end;
}

std::optional<Term> Joining::value(const Owners& owners, Term x, Term y) {
  if (!x || !y || x.width() != y.width()) return std::nullopt;
  const auto p = Memory::sum(x), q = Memory::sum(y);
  for (size_t i = owners.size(); i-- > 0;) {
    const Owner& owner = owners[i];
    if (owner.link[0] && x == owner.link[0] && y == owner.link[1]) return owner.then;
    if (p && q && p->first == owner.object[0] && q->first == owner.object[1] && p->second == q->second)
      return plus(memory_.store(), owner.self, p->second);
  }
  if (x == y) return is_kept(x) ? std::optional(x) : std::nullopt;
  const auto e = end(x), f = end(y);
  if (depth_ > kDeepest) return std::nullopt;
  ++depth_;
  std::optional<Term> found;
  if (e && f)
    found = both(owners, *e, *f);
  else if (e)
    found = empty(owners, 0, *e, y);
  else if (f)
    found = empty(owners, 1, *f, x);
  --depth_;
  return found;
}

std::optional<Term> Joining::both(const Owners& owners, End x, End y) {
  if (x.offset != y.offset) return std::nullopt;
  auto i = part(owners, x.key, y.key);
  if (!i) return std::nullopt;
  const bool list_x = node(parts_[*i], 0).segment.has_value(), list_y = node(parts_[*i], 1).segment.has_value();
  if (list_x && list_y && x.last != y.last) return std::nullopt;
  const bool last = list_x ? x.last : list_y && y.last;
  const auto& list = parts_[*i].node.segment;
  if (last && list->least == 0 && !list->prev_at) return std::nullopt;  // if it is empty, nobody knows where that leads
  return plus(memory_.store(), last ? list->last : parts_[*i].base, x.offset);
}

/// A list in one of them, and in the other one what would follow if it were empty.
std::optional<Term> Joining::empty(const Owners& owners, size_t side, End there, Term other) {
  const bool is_list = memory_.nodes.at(there.key).segment.has_value(), known = by_[side].contains(there.key);
  auto i = side == 0 ? part(owners, there.key, {}) : part(owners, {}, there.key);
  if (!i || owners.empty()) return std::nullopt;
  auto follows = [&](Term own) { return side == 0 ? value(owners, own, other) : value(owners, other, own); };
  auto settle = [&](bool last, Term own) {
    auto found = own ? follows(own) : std::nullopt;
    if (!found || there.offset != parts_[*i].node.segment->head) return false;
    Term& slot = last ? parts_[*i].node.segment->prev : parts_[*i].node.segment->next;
    if (slot && slot != *found) return false;
    slot = *found;
    return true;
  };
  const Node own = memory_.nodes.at(there.key);
  bool last = there.last;
  if (is_list) {
    if (last && !own.segment->prev_at) return std::nullopt;
    if (!settle(last, last ? own.segment->prev : own.segment->next)) return std::nullopt;
  } else {
    // One object can be a list: by a link to what is there instead. If it is led to again, that may be its end.
    const unsigned link = memory_.program().pointer_width() / 8;
    if (!known) parts_[*i].node.segment = list_of_one(there.offset);
    const Segment form = *parts_[*i].node.segment;
    bool found = false;
    for (auto at = own.cells.begin(); !found && at != own.cells.end(); ++at) {
      if (at->second.bytes != link || !at->second.value || at->first == form.next_at) continue;
      if (known && form.prev_at && at->first != *form.prev_at) continue;
      if (!settle(known, at->second.value)) continue;
      found = true, last = known;
      Segment& list = *parts_[*i].node.segment;
      if (known)
        list.prev_at = at->first;
      else
        list.next_at = at->first;
    }
    if (!found && (!known || form.next_at < 0 || !settle(false, memory_.peek(own, form.next_at, link)))) return std::nullopt;
  }
  const Segment& list = *parts_[*i].node.segment;
  return plus(memory_.store(), last ? list.last : parts_[*i].base, there.offset);
}

Segment Joining::list_of_one(int64_t head) const {
  Segment list;
  list.head = head, list.next_at = -1;
  list.last = fresh(), list.self = fresh(), list.then = fresh();
  return list;
}

std::optional<size_t> Joining::part(const Owners& owners, std::optional<uint32_t> a, std::optional<uint32_t> b) {
  const std::optional<uint32_t> of[2] = {a, b};
  std::optional<size_t> known;
  for (size_t side = 0; side < 2; ++side)
    if (of[side])
      if (auto found = by_[side].find(*of[side]); found != by_[side].end()) known = found->second;
  if (known) {
    const Part& part = parts_[*known];
    const bool same = part.of[0] == a && part.of[1] == b && part.owners.size() == owners.size() &&
                      part.owners.back().list == owners.back().list;
    return same ? known : std::nullopt;
  }
  if (parts_.size() >= kMostParts) return std::nullopt;
  Part made;
  made.of[0] = a, made.of[1] = b;
  made.owners = owners;
  made.base = fresh();
  const Node& one = memory_.nodes.at(a ? *a : *b);
  const Node& other = memory_.nodes.at(b ? *b : *a);
  if (one.size != other.size) return std::nullopt;
  made.node.size = one.size;
  made.node.align = std::min(one.align, other.align);
  made.node.site = one.site;
  made.node.rest = one.rest == other.rest ? one.rest : Node::Rest::Nothing;
  made.node.inside = owners.back().list;
  if (one.segment || other.segment) {
    if (one.segment && other.segment && !one.segment->same_form(*other.segment)) return std::nullopt;
    const Segment& form = one.segment ? *one.segment : *other.segment;
    if (!form.or_at.empty()) return std::nullopt;
    Segment list;
    list.head = form.head, list.next_at = form.next_at, list.prev_at = form.prev_at;
    auto least = [](const Node& node) { return node.segment ? node.segment->least : 1; };
    list.least = a && b ? std::min(least(one), least(other)) : 0;
    list.last = fresh(), list.self = fresh(), list.then = fresh();
    made.node.segment = list;
  }
  for (size_t side = 0; side < 2; ++side)
    if (of[side]) by_[side][*of[side]] = parts_.size();
  parts_.push_back(std::move(made));
  return parts_.size() - 1;
}

std::optional<Cell> Joining::cell(const Owners& owners, const Cell& x, const Cell& y) {
  if (x.value && y.value)
    if (auto found = value(owners, x.value, y.value)) return Cell{x.bytes, *found};
  if (is_about_nodes(x.value) || is_about_nodes(y.value)) return std::nullopt;
  return numbers_(x, y);
}

bool Joining::compare(size_t number) {
  for (size_t side = 0; side < 2; ++side)
    if (!parts_[number].of[1 - side]) return copy(number, side);
  const Owners owners = parts_[number].owners;
  if (!parts_[number].node.segment) return compare_cells(number, owners);
  const Segment form = *parts_[number].node.segment;
  const unsigned link = memory_.program().pointer_width() / 8;
  Owner owner;
  Term next[2], prev[2];
  for (size_t side = 0; side < 2; ++side) {
    const Node& own = node(parts_[number], side);
    next[side] = own.segment ? own.segment->next : memory_.peek(own, form.next_at, link);
    if (form.prev_at) prev[side] = own.segment ? own.segment->prev : memory_.peek(own, *form.prev_at, link);
    owner.object[side] = own.segment ? own.segment->self : memory_.store().variable_by_number(*parts_[number].of[side]);
    owner.link[side] = own.segment ? own.segment->then : next[side];
  }
  auto follows = value(owners, next[0], next[1]);
  if (!follows) return false;
  parts_[number].node.segment->next = *follows;
  if (form.prev_at) {
    auto before = value(owners, prev[0], prev[1]);
    if (!before) return false;
    parts_[number].node.segment->prev = *before;
  }
  owner.self = form.self, owner.then = form.then, owner.list = parts_[number].base.variable();
  Owners inner = owners;
  inner.push_back(owner);
  return compare_cells(number, inner);
}

/// The cells of both, but for links.
bool Joining::compare_cells(size_t number, const Owners& owners) {
  std::set<std::pair<int64_t, unsigned>> ranges;
  for (size_t side = 0; side < 2; ++side)
    for (const auto& [offset, cell] : node(parts_[number], side).cells) ranges.insert({offset, cell.bytes});
  const auto list = parts_[number].node.segment;
  const int64_t link = memory_.program().pointer_width() / 8;
  auto overlaps = [&](int64_t from, int64_t to, int64_t at) { return from < at + link && at < to; };
  int64_t end = -1;
  for (auto [offset, bytes] : ranges) {
    if (list && bytes == link && (offset == list->next_at || offset == list->prev_at)) continue;
    if (offset < end) return false;  // cut in different ways
    end = offset + bytes;
    if (list && (overlaps(offset, end, list->next_at) || (list->prev_at && overlaps(offset, end, *list->prev_at)))) return false;
    auto of = [&](size_t side) {
      const Node& own = node(parts_[number], side);
      const Cell* whole = Memory::cell(own, offset, bytes);
      return whole ? *whole : Cell{bytes, memory_.peek(own, offset, bytes)};
    };
    auto both = cell(owners, of(0), of(1));
    if (!both) return false;
    parts_[number].node.cells[offset] = *both;
  }
  return true;
}

/// A part that only one of them has, with new names.
bool Joining::copy(size_t number, size_t side) {
  const Node own = node(parts_[number], side);
  Owners owners = parts_[number].owners;
  auto rename_to = [&](Term& t, Term old) {
    auto found = old ? rename(owners, side, old) : std::optional<Term>(Term{});
    if (found) t = *found;
    return found.has_value();
  };
  const unsigned link = memory_.program().pointer_width() / 8;
  const bool is_list = parts_[number].node.segment.has_value(), one_sided = !owners.back().object[1 - side];
  if (!is_list && !one_sided) return false;  // one node is no list, which could be empty
  if (is_list) {
    const Segment form = *parts_[number].node.segment;
    const Term next = own.segment ? own.segment->next : memory_.peek(own, form.next_at, link);
    Term now_next = form.next, now_prev = form.prev;
    if (!now_next && (!one_sided || !rename_to(now_next, next))) return false;
    if (!now_prev && form.prev_at && (!own.segment || !rename_to(now_prev, own.segment->prev))) return false;
    Segment& list = *parts_[number].node.segment;
    list.next = now_next, list.prev = now_prev;
    if (one_sided) list.least = own.segment->least;
    Owner owner;
    owner.object[side] = own.segment ? own.segment->self : memory_.store().variable_by_number(*parts_[number].of[side]);
    owner.link[side] = own.segment ? own.segment->then : next;
    owner.self = list.self, owner.then = list.then, owner.list = parts_[number].base.variable();
    owners.push_back(owner);
  }
  for (const auto& [offset, cell] : own.cells) {
    if (is_list && cell.bytes == link && (offset == parts_[number].node.segment->next_at || offset == parts_[number].node.segment->prev_at)) continue;
    Cell renamed = cell;
    if (!rename_to(renamed.value, cell.value)) return false;
    parts_[number].node.cells[offset] = renamed;
  }
  return true;
}

std::optional<Term> Joining::rename(const Owners& owners, size_t side, Term x) {
  const auto sum = Memory::sum(x);
  for (size_t i = owners.size(); i-- > 0;) {
    if (x == owners[i].link[side]) return owners[i].then;
    if (sum && sum->first == owners[i].object[side]) return plus(memory_.store(), owners[i].self, sum->second);
  }
  if (!is_about_nodes(x)) return x;
  auto there = end(x);
  if (!there) return std::nullopt;
  auto known = by_[side].find(there->key);
  if (known == by_[side].end()) {
    if (owners.back().object[1 - side]) return std::nullopt;  // both have one, or should
    auto i = side == 0 ? part(owners, there->key, {}) : part(owners, {}, there->key);
    if (!i) return std::nullopt;
    known = by_[side].find(there->key);
  }
  const Part& part = parts_[known->second];
  if (there->last && part.node.segment->least == 0 && !part.node.segment->prev_at) return std::nullopt;
  return plus(memory_.store(), there->last ? part.node.segment->last : part.base, there->offset);
}

unsigned Joining::own_mentions(uint32_t base, size_t side) const {
  unsigned count = mentions(memory_.nodes.at(sides_[side].base), base);
  for (const auto& [key, number] : by_[side]) count += mentions(memory_.nodes.at(key), base);
  return count;
}

bool Joining::finish() {
  for (size_t i = 0; i < parts_.size(); ++i)
    if (!compare(i)) return false;
  for (size_t side = 0; side < 2; ++side) {
    auto is_own = [&](uint32_t key) { return key == sides_[side].base || by_[side].contains(key); };
    for (const auto& [key, node] : memory_.nodes)
      if (node.inside && is_own(*node.inside) && !by_[side].contains(key)) return false;
    for (const auto& [key, number] : by_[side]) {
      const Node& node = memory_.nodes.at(key);
      if (node.inside) {
        if (!is_own(*node.inside)) return false;
        continue;
      }
      for (uint32_t base : {key, node.segment ? node.segment->last.variable() : key})
        if (uses_[base].registers != 0 || uses_[base].cells != own_mentions(base, side)) return false;
    }
  }
  return true;
}

void Joining::publish() {
  for (const auto& by : by_)
    for (const auto& [key, number] : by) memory_.nodes.erase(key);
  for (Part& part : parts_) memory_.nodes[part.base.variable()] = std::move(part.node);
}

}  // namespace whittle::engines::shape
