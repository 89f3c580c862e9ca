#include "engines/shape/memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <unordered_map>

#include "engines/shape/families.h"
#include "term/print.h"

namespace whittle::engines::shape {

using program::layout::kDynamicBase;
using term::Op;

Term part(term::Store& store, Term value, int64_t from, unsigned bytes) {
  return value ? store.extract(value, static_cast<unsigned>(8 * from), 8 * bytes) : value;
}

Term plus(term::Store& store, Term t, int64_t by) {
  return store.add(t, store.constant(t.width(), static_cast<u128>(static_cast<uint64_t>(by))));
}

std::optional<std::pair<Term, int64_t>> Memory::sum(Term t) {
  auto constant = [](Term c) {
    const unsigned width = c.width();
    uint64_t value = c.value64();
    if (width < 64 && (value >> (width - 1)) != 0) value |= ~uint64_t{0} << width;
    return static_cast<int64_t>(value);
  };
  if (t.width() > 64) return std::nullopt;
  if (t.is_variable()) return std::pair{t, int64_t{0}};
  if (t.op() != Op::Add) return std::nullopt;
  for (unsigned i = 0; i < 2; ++i)
    if (t.kid(i).is_variable() && t.kid(1 - i).is_constant()) return std::pair{t.kid(i), constant(t.kid(1 - i))};
  return std::nullopt;
}

std::optional<uint32_t> Memory::segment_ending(uint32_t base) const {
  for (const auto& [key, node] : nodes)
    if (node.segment && node.segment->last.variable() == base) return key;
  return std::nullopt;
}

Node* Memory::segment_with_last(uint32_t base) {
  auto key = segment_ending(base);
  return key ? &nodes.at(*key) : nullptr;
}

std::optional<Pointer> Memory::pointer(Term address) {
  if (address.is_constant()) {
    const uint64_t value = address.value64();
    if (auto object = program_->object_at(value); object && !program_->objects[*object].thread_local_)
      return Pointer{{}, *object, static_cast<int64_t>(value - program_->objects[*object].address)};
    return std::nullopt;
  }
  auto parts = sum(address);
  if (!parts || !is_base(parts->first.variable())) {
    auto found = indexed(address);
    if (!found) return static_pointer(address);
    const uint32_t base = found->first.variable();
    if (!nodes.contains(base) || nodes.at(base).segment) throw Split{base};
    return Pointer{found->first, program::kNone, 0, found->second};
  }
  const uint32_t base = parts->first.variable();
  if (auto found = nodes.find(base); found != nodes.end()) {
    if (found->second.segment) throw Split{base};
    return Pointer{parts->first, program::kNone, parts->second};
  }
  if (segment_with_last(base) != nullptr) throw Split{base};
  return std::nullopt;
}

std::optional<std::pair<Term, Term>> Memory::indexed(Term address) const {
  std::optional<std::pair<Term, Term>> found;
  for (Term v : term::variables(address)) {
    if (!nodes.contains(v.variable()) && !segment_ending(v.variable())) continue;
    if (v.width() != address.width()) return std::nullopt;
    const Term rest = store().sub(address, v);
    if (has(term::variables(rest), v)) continue;
    if (found) return std::nullopt;  // a sum of two addresses
    found = {v, rest};
  }
  return found;
}

/// A static object's address plus what is no constant: which object is told by the constant. Whether it stays inside is to be asked.
std::optional<Pointer> Memory::static_pointer(Term address) const {
  if (address.op() != Op::Add || !address.kid(1).is_constant()) return std::nullopt;
  const uint64_t start = address.kid(1).value64();
  auto object = program_->object_at(start);
  if (!object || program_->objects[*object].thread_local_) return std::nullopt;
  return Pointer{{}, *object, 0,
                 store().sub(address, store().constant(address.width(), program_->objects[*object].address))};
}

void Memory::make_block(Node& node) const {
  if (node.length) return;
  if (!relations) throw GiveUp{"an index that is not constant", false, true};
  if (node.segment || node.inside) throw GiveUp{"an index into an object of a list"};
  disown(node);
  const unsigned width = program_->pointer_width();
  node.length = store().constant(width, node.size);
  for (const auto& [offset, cell] : node.cells)
    if (cell.value)
      node.marks.push_back({store().constant(width, static_cast<u128>(static_cast<uint64_t>(offset))), cell.bytes, cell.value});
    else if (node.rest != Node::Rest::Initial)
      node.rest = Node::Rest::Nothing;
  if (node.rest == Node::Rest::Initial) {
    const bool limited = std::ranges::any_of(node.cells, [](const auto& entry) { return !entry.second.value; });
    const bool zero = std::ranges::all_of(program_->objects[node.object].initial, [](uint8_t byte) { return byte == 0; });
    node.rest = zero && !limited ? Node::Rest::Zero : Node::Rest::Nothing;
  }
  node.cells.clear();
}

Node& Memory::static_node(program::ObjectId id) {
  auto [at, made] = statics.try_emplace(id);
  if (made) {
    const program::Object& object = program_->objects[id];
    at->second.kind = Node::Kind::Static;
    at->second.rest = Node::Rest::Initial;
    at->second.constant = object.constant;
    at->second.size = object.size;
    at->second.align = object.align;
    at->second.object = id;
  }
  return at->second;
}

Node& Memory::node(const Pointer& pointer) {
  return pointer.base ? nodes.at(pointer.base.variable()) : static_node(pointer.object);
}

Term Memory::rest_value(const Node& node, int64_t offset, unsigned bytes) const {
  switch (node.rest) {
    case Node::Rest::Nothing: return {};
    case Node::Rest::Zero: return store().constant(8 * bytes, 0);
    case Node::Rest::Initial: {
      const std::vector<uint8_t>& initial = program_->objects[node.object].initial;
      u128 value = 0;
      for (unsigned i = 0; i < bytes; ++i)
        if (static_cast<uint64_t>(offset) + i < initial.size()) value |= u128{initial[offset + i]} << (8 * i);
      return store().constant(8 * bytes, value);
    }
  }
  return {};
}

const Cell* Memory::cell(const Node& node, int64_t offset, unsigned bytes) {
  auto at = node.cells.find(offset);
  return at != node.cells.end() && at->second.bytes == bytes ? &at->second : nullptr;
}

Term Memory::peek(const Node& node, int64_t offset, unsigned bytes) const {
  auto at = node.cells.lower_bound(offset);
  if (at != node.cells.end() && at->first == offset && at->second.bytes == bytes) return at->second.value;
  if (at != node.cells.end() && at->first < offset + bytes) return {};
  if (at != node.cells.begin() && std::prev(at)->first + std::prev(at)->second.bytes > offset) return {};
  return rest_value(node, offset, bytes);
}

void Memory::split_cell(const Node& node, int64_t offset) const {
  for (const auto& [base, other] : nodes)
    if (&other == &node) throw Split{base, offset};
  throw GiveUp{"a static object with several values"};
}

void Memory::disown(const Node& node) const {
  for (const auto& [offset, cell] : node.cells)
    if (!cell.owned.empty()) split_cell(node, offset);
}

Term Memory::read(Node& node, int64_t offset, unsigned bytes) {
  if (Term whole = peek(node, offset, bytes)) return whole;
  // Bytes that no cell has get one, so that they are read with the same value the next time.
  auto fill_gap = [&](int64_t from, int64_t to) {
    while (from < to) {
      const auto length = static_cast<unsigned>(std::min<int64_t>(to - from, 16));
      Term value = rest_value(node, from, length);
      node.cells[from] = {length, value ? value : fresh(8 * length, "bytes")};
      from += length;
    }
  };
  int64_t done = offset;
  auto at = node.cells.lower_bound(offset);
  if (at != node.cells.begin() && std::prev(at)->first + std::prev(at)->second.bytes > offset) --at;
  std::vector<std::pair<int64_t, int64_t>> gaps;
  for (; at != node.cells.end() && at->first < offset + bytes; ++at) {
    if (at->first > done) gaps.emplace_back(done, at->first);
    if (!at->second.value && at->second.limited()) split_cell(node, at->first);
    if (!at->second.value) at->second.value = fresh(8 * at->second.bytes, "bytes");
    done = at->first + at->second.bytes;
  }
  if (done < offset + static_cast<int64_t>(bytes)) gaps.emplace_back(done, offset + bytes);
  for (auto [from, to] : gaps) fill_gap(from, to);
  Term value;
  at = std::prev(node.cells.upper_bound(offset));
  for (int64_t from = offset; from < offset + static_cast<int64_t>(bytes); ++at) {
    const int64_t end = std::min<int64_t>(at->first + at->second.bytes, offset + bytes);
    Term piece = part(store(), at->second.value, from - at->first, static_cast<unsigned>(end - from));
    value = value ? store().concat(piece, value) : piece;
    from = end;
  }
  return value;
}

void Memory::write(Node& node, int64_t offset, unsigned bytes, Term value) {
  const int64_t end = offset + bytes;
  auto at = node.cells.lower_bound(offset);
  if (at != node.cells.begin() && std::prev(at)->first + std::prev(at)->second.bytes > offset) --at;
  std::vector<std::pair<int64_t, Cell>> left;
  while (at != node.cells.end() && at->first < end) {
    if (!at->second.owned.empty()) split_cell(node, at->first);
    const int64_t from = at->first, to = from + at->second.bytes;
    const Term old = at->second.value;
    if (from < offset)
      left.emplace_back(from, Cell{static_cast<unsigned>(offset - from),
                                   part(store(), old, 0, static_cast<unsigned>(offset - from))});
    if (to > end)
      left.emplace_back(end, Cell{static_cast<unsigned>(to - end),
                                  part(store(), old, end - from, static_cast<unsigned>(to - end))});
    at = node.cells.erase(at);
  }
  for (auto& [from, cell] : left) node.cells[from] = cell;
  node.cells[offset] = {bytes, value};
}

void Memory::for_each_term(const std::function<void(Term&)>& visit, bool with_facts) {
  auto each = [&](Term& t) {
    if (t) visit(t);
  };
  for (Frame& frame : stack)
    for (Term& t : frame.registers) each(t);
  auto look = [&](Node& node) {
    for (auto& [offset, cell] : node.cells) each(cell.value);
    each(node.length);
    for (Mark& mark : node.marks) each(mark.at), each(mark.value);
    if (!node.segment) return;
    each(node.segment->next);
    each(node.segment->prev);
  };
  for (auto& [id, node] : statics) look(node);
  for (auto& [base, node] : nodes) look(node);
  if (with_facts)
    for (Term& fact : facts) each(fact);
}

void Memory::substitute(Term symbol, Term by) {
  std::unordered_map<Term, Term> done;
  for_each_term(
      [&](Term& t) {
        if (t.is_constant()) return;
        auto [at, made] = done.try_emplace(t);
        if (made) at->second = store().substitute(t, [&](Term v) { return v == symbol ? by : Term{}; });
        t = at->second;
      },
      true);
  std::erase_if(facts, [](Term fact) { return fact.is_true(); });
}

std::vector<Memory> Memory::split(const Split& where) const {
  if (!where.cell) return split(where.base);
  std::vector<Memory> cases;
  const Cell cell = nodes.at(where.base).cells.at(*where.cell);
  const Term owner = store().variable_by_number(where.base);
  auto add = [&](Memory& one, Term value) {
    one.nodes.at(where.base).cells.at(*where.cell) = {cell.bytes, value};
    cases.push_back(std::move(one));
  };
  for (Term choice : cell.choices) {
    Memory one = *this;
    add(one, choice);
  }
  for (uint32_t family : cell.owned)
    for (const Node& form : families->at(family).forms) {
      Memory one = *this;
      const Term base = one.fresh(owner.width(), "node");
      Node node = form;
      for (auto& [offset, held] : node.cells)
        if (held.up) held = {held.bytes, plus(store(), owner, *held.up)};
      one.nodes[base.variable()] = std::move(node);
      add(one, plus(store(), base, families->at(family).head));
    }
  return cases;
}

std::vector<uint32_t> Memory::parts(uint32_t segment) const {
  std::vector<uint32_t> found{segment};
  for (size_t i = 0; i < found.size(); ++i)
    for (const auto& [key, node] : nodes)
      if (node.inside == found[i]) found.push_back(key);
  found.erase(found.begin());
  return found;
}

void Memory::give_parts(uint32_t segment, Node& object, Term base, Term link, const Segment& of) {
  if (!of.self) return;
  std::unordered_map<Term, Term> names{{of.self, base}, {of.then, link}};
  const std::vector<uint32_t> all = parts(segment);
  for (uint32_t part : all) {
    const Term old = store().variable_by_number(part);
    names[old] = fresh(old.width(), "node");
    if (auto& list = nodes.at(part).segment)
      for (Term symbol : {list->last, list->self, list->then}) names[symbol] = fresh(old.width(), "node");
  }
  auto rename = [&](Term t) {
    if (!t || t.is_constant()) return t;
    return store().substitute(t, [&](Term v) {
      auto found = names.find(v);
      return found == names.end() ? Term{} : found->second;
    });
  };
  for (auto& [offset, cell] : object.cells) cell.value = rename(cell.value);
  for (uint32_t part : all) {
    Node copy = nodes.at(part);
    for (auto& [offset, cell] : copy.cells) cell.value = rename(cell.value);
    if (copy.segment)
      for (Term Segment::* t : {&Segment::last, &Segment::self, &Segment::then, &Segment::next, &Segment::prev})
        (*copy.segment).*t = rename((*copy.segment).*t);
    copy.inside = copy.inside == segment ? object.inside : names.at(store().variable_by_number(*copy.inside)).variable();
    nodes[names.at(store().variable_by_number(part)).variable()] = std::move(copy);
  }
}

std::vector<Memory> Memory::split(uint32_t base) const {
  std::vector<Memory> cases;
  auto found = nodes.find(base);
  const bool first = found != nodes.end();
  if (!first) found = nodes.find(*segment_ending(base));
  const Term first_base = store().variable_by_number(found->first);
  const Segment segment = *found->second.segment;
  const unsigned width = first_base.width();
  auto offset = [&](Term t, int64_t by) { return plus(store(), t, by); };
  if (segment.least == 0) {
    Memory empty = *this;
    for (uint32_t part : parts(found->first)) empty.nodes.erase(part);
    empty.nodes.erase(found->first);
    empty.substitute(first_base, offset(segment.next, -segment.head));
    if (segment.prev)
      empty.substitute(segment.last, offset(store().substitute(segment.prev, [&](Term v) {
                                              return v == first_base ? offset(segment.next, -segment.head) : Term{};
                                            }),
                                            -segment.head));
    // Both ends of an empty segment may have been each other's.
    cases.push_back(std::move(empty));
  }
  for (int64_t next_at : segment.links()) {
    Memory more = *this;
    Node one = found->second, rest = found->second;
    one.segment.reset();
    rest.segment->least = segment.least == 0 ? 0 : segment.least - 1;
    const unsigned link = width / 8;
    more.nodes.erase(found->first);
    if (first) {  // one object, then the rest, which gets a new first base
      Term other = more.fresh(width, "node");
      more.give_parts(found->first, one, first_base, offset(other, segment.head), segment);
      for (auto& [key, node] : more.nodes)
        if (node.inside == found->first) node.inside = other.variable();
      rest.segment->prev = offset(first_base, segment.head);
      one.cells[next_at] = {link, offset(other, segment.head)};
      if (segment.prev_at) one.cells[*segment.prev_at] = {link, segment.prev};
      more.nodes[first_base.variable()] = std::move(one);
      more.nodes[other.variable()] = std::move(rest);
    } else {  // the rest, which gets a new last base, then one object
      Term other = more.fresh(width, "node");
      more.give_parts(found->first, one, segment.last, segment.next, segment);
      rest.segment->last = other;
      rest.segment->next = offset(segment.last, segment.head);
      one.cells[next_at] = {link, segment.next};
      if (segment.prev_at) one.cells[*segment.prev_at] = {link, offset(other, segment.head)};
      more.nodes[first_base.variable()] = std::move(rest);
      more.nodes[segment.last.variable()] = std::move(one);
    }
    cases.push_back(std::move(more));
  }
  return cases;
}

std::optional<bool> Memory::apart(const std::pair<Term, int64_t>& a, const std::pair<Term, int64_t>& b) {
  const uint32_t x = a.first.variable(), y = b.first.variable();
  struct End {
    Node* node = nullptr;
    bool last = false;
  };
  auto end = [&](uint32_t base) -> End {
    if (auto found = nodes.find(base); found != nodes.end()) return {&found->second, false};
    return {segment_with_last(base), true};
  };
  const End p = end(x), q = end(y);
  if (!p.node || !q.node) return std::nullopt;
  // An empty segment's base is that of another object.
  if (p.node->segment && p.node->segment->least == 0) throw Split{x};
  if (q.node->segment && q.node->segment->least == 0) throw Split{y};
  // Equal addresses would put the first object so far after the second one.
  const int64_t distance = b.second - a.second, size = static_cast<int64_t>(p.node->size);
  if (size == 0 || q.node->size == 0 || distance <= -size || distance >= static_cast<int64_t>(q.node->size)) return std::nullopt;
  if (p.node == q.node && p.node->segment->least < 2) throw Split{x};  // first and last may be one
  return true;
}

std::optional<bool> Memory::equal(Term a, Term b) {
  if (a == b) return true;
  if (a.is_constant() && b.is_constant()) return false;
  if (a.is_constant()) std::swap(a, b);
  auto p = sum(a);
  if (!p) return std::nullopt;
  if (b.is_constant()) {
    const uint32_t base = p->first.variable();
    auto found = nodes.find(base);
    Node* node = found != nodes.end() ? &found->second : segment_with_last(base);
    if (!node || node->size == 0) return std::nullopt;
    if (node->segment && node->segment->least == 0) throw Split{base};
    // The object's bytes would have these addresses, and objects lie from kDynamicBase on, without wrapping around.
    const uint64_t first = plus(store(), b, -p->second).value64();
    const uint64_t last = plus(store(), b, static_cast<int64_t>(node->size) - 1 - p->second).value64();
    if (first >= kDynamicBase && last >= first) return std::nullopt;
    return false;
  }
  auto q = sum(b);
  if (!q) return std::nullopt;
  if (p->first == q->first) return p->second == q->second;
  if (auto different = apart(*p, *q)) return !*different;
  return std::nullopt;
}

Term Memory::settle(Term t) {
  if (t.is_constant() || t.is_variable()) return t;
  std::unordered_map<Term, Term> done;
  std::function<Term(Term)> go = [&](Term now) -> Term {
    if (now.arity() == 0) return now;
    if (auto found = done.find(now); found != done.end()) return found->second;
    Term result = now;
    if (now.width() == 1 && !facts.empty()) {
      if (has(facts, now)) result = store().truth();
      if (has(facts, store().bnot(now))) result = store().falsity();
    }
    if (now.op() == Op::Eq && now.kid(0).width() > 1) {
      if (auto answer = equal(now.kid(0), now.kid(1))) result = store().boolean(*answer);
    }
    if (result == now) {
      std::vector<Term> kids;
      bool changed = false;
      for (unsigned i = 0; i < now.arity(); ++i) {
        kids.push_back(go(now.kid(i)));
        changed |= kids.back() != now.kid(i);
      }
      if (changed) {
        result = store().make(now.op(), kids, now.width(), now.op() == Op::Extract ? now.low() : 0);
        if (result.op() == Op::Eq && result.kid(0).width() > 1)
          if (auto answer = equal(result.kid(0), result.kid(1))) result = store().boolean(*answer);
      }
    }
    done.emplace(now, result);
    return result;
  };
  return go(t);
}

std::pair<std::vector<uint32_t>, std::vector<uint32_t>> Memory::reach(const Holds& holds) const {
  std::set<uint32_t> kept, found;  // by any mention; by an address inside
  std::vector<uint32_t> work;
  std::map<uint32_t, uint32_t> owner;  // bases of last objects
  for (const auto& [base, node] : nodes) {
    owner[base] = base;
    if (node.segment) owner[node.segment->last.variable()] = base;
  }
  auto mark = [&](Term t, bool from_found) {
    if (!t || t.is_constant()) return;
    auto parts = sum(t);
    for (Term v : term::variables(t)) {
      auto at = owner.find(v.variable());
      if (at == owner.end()) continue;
      bool inside = parts && parts->second >= 0 && parts->second < static_cast<int64_t>(nodes.at(at->second).size);
      if (Term length = nodes.at(at->second).length; length && !inside && from_found && v.width() == t.width())
        inside = holds(store().ult(store().sub(t, v), length));
      const bool better = inside && from_found && found.insert(at->second).second;
      if (kept.insert(at->second).second || better) work.push_back(at->second);
    }
  };
  auto look = [&](const Node& node, bool from_found) {
    for (const auto& [offset, cell] : node.cells) mark(cell.value, from_found);
    for (const Mark& known : node.marks) mark(known.at, false), mark(known.value, from_found);
    mark(node.length, false);
    if (!node.segment) return;
    mark(node.segment->next, from_found);
    if (node.segment->prev_at) mark(node.segment->prev, from_found);
  };
  for (const Frame& frame : stack)
    for (Term t : frame.registers) mark(t, true);
  for (const auto& [id, node] : statics) look(node, true);
  for (const auto& [base, node] : nodes)
    if (node.kind != Node::Kind::Heap) {
      kept.insert(base);
      found.insert(base);
      look(node, true);
    }
  while (!work.empty()) {
    const uint32_t base = work.back();
    work.pop_back();
    look(nodes.at(base), found.contains(base));
  }
  std::pair<std::vector<uint32_t>, std::vector<uint32_t>> result;
  for (const auto& [base, node] : nodes) {
    if (node.kind != Node::Kind::Heap) continue;
    if (!found.contains(base) && !node.inside) result.first.push_back(base);
    if (!kept.contains(base)) result.second.push_back(base);
  }
  return result;
}

void Memory::collect() {
  for (uint32_t base : reach([](Term) { return false; }).second) nodes.erase(base);
  // Facts about symbols that nothing mentions say nothing any more; but they may say how others are related.
  std::set<uint32_t> mentioned;
  for_each_term(
      [&](Term& t) {
        if (!t.is_constant())
          for (Term v : term::variables(t)) mentioned.insert(v.variable());
      },
      false);
  auto known = [&](Term v) { return mentioned.contains(v.variable()); };
  for (bool more = relations; more;) {
    more = false;
    for (Term fact : facts) {
      const std::vector<Term> about = term::variables(fact);
      if (std::ranges::none_of(about, known) || std::ranges::all_of(about, known)) continue;
      if (std::ranges::any_of(about, [&](Term v) { return !known(v) && made.contains(v.variable()); })) continue;
      for (Term v : about) mentioned.insert(v.variable());
      more = true;
    }
  }
  std::erase_if(facts, [&](Term fact) { return !std::ranges::all_of(term::variables(fact), known); });
}

std::string Memory::text() const {
  std::string out;
  auto show = [&](Term t) { return t ? term::to_smtlib(store(), t) : std::string("?"); };
  for (const Frame& frame : stack) {
    out += fmt::format("{} at {}:", program_->functions[frame.function].name, frame.at);
    for (size_t r = 0; r < frame.registers.size(); ++r)
      if (frame.registers[r])
        out += fmt::format(" {}.{}={}", program_->functions[frame.function].registers[r].name, r, show(frame.registers[r]));
    out += "\n";
  }
  auto node_text = [&](const std::string& name, const Node& node) {
    out += fmt::format("  {} ({} bytes)", name, node.size);
    for (const auto& [offset, cell] : node.cells) {
      out += fmt::format(" [{}]={}", offset, show(cell.value));
      for (Term choice : cell.choices) out += "|" + show(choice);
      for (uint32_t family : cell.owned) out += fmt::format("|owned {}", family);
    }
    if (node.length) out += fmt::format(" block of {}", show(node.length));
    for (const Mark& mark : node.marks) out += fmt::format(" [{}]={}", show(mark.at), show(mark.value));
    if (node.inside) out += fmt::format(" inside {}", *node.inside);
    if (node.segment)
      out += fmt::format(" list of {}+ head {} next@{}={} prev@{}={} last {}", node.segment->least, node.segment->head,
                         node.segment->next_at, show(node.segment->next), node.segment->prev_at.value_or(-1),
                         show(node.segment->prev), show(node.segment->last));
    out += "\n";
  };
  for (const auto& [id, node] : statics)
    if (!node.cells.empty() || node.length) node_text(program_->objects[id].name, node);
  for (const auto& [base, node] : nodes) node_text(show(store().variable_by_number(base)) + "#" + std::to_string(base), node);
  for (Term fact : facts) out += "  " + show(fact) + "\n";
  return out;
}

}  // namespace whittle::engines::shape
