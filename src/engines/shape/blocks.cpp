#include "engines/shape/blocks.h"

#include <algorithm>
#include <bit>

namespace whittle::engines::shape {

namespace {

constexpr uint64_t kMostIndices = 32;  ///< an object of so many elements with addresses is split at its index

/// All bytes of the constant are the same: so each of them says what the whole says.
bool is_uniform(Term value) {
  if (!value.is_constant() || value.width() > 64) return false;
  const uint64_t v = value.value64();
  for (unsigned i = 8; i < value.width(); i += 8)
    if (((v >> i) & 0xff) != (v & 0xff)) return false;
  return true;
}

}  // namespace

bool Blocks::disjoint(Term a, Term m, Term b, Term n) {
  term::Store& store = terms();
  return holds_(store.band(store.bnot(store.ult(store.sub(b, a), m)), store.bnot(store.ult(store.sub(a, b), n))));
}

bool Blocks::has_addresses(const Node& node) const {
  return std::ranges::any_of(node.cells, [&](const auto& entry) {
    const Cell& cell = entry.second;
    if (!cell.owned.empty()) return true;
    return cell.value && !cell.value.is_constant() && std::ranges::any_of(term::variables(cell.value), [&](Term v) {
             return memory_.is_base(v.variable());
           });
  });
}

bool Blocks::concerns(Pointer& pointer) {
  const Node& node = memory_.node(pointer);
  if (node.length) return true;
  if (!pointer.index) return false;
  // Addresses are found again only at constants: each element by itself.
  const unsigned link = memory_.program().pointer_width() / 8;
  const bool few = node.size / link <= kMostIndices;
  if (!few || !known_before_(pointer.index) || !has_addresses(node)) return true;
  for (uint64_t k = 0; k < node.size; k += link) {
    const Term here = terms().eq(pointer.index, number(k));
    if (here.is_false() || has(memory_.facts, terms().bnot(here))) continue;
    if (!here.is_true() && !has(memory_.facts, here)) throw Split{.condition = here};
    pointer.offset = static_cast<int64_t>(k);
    pointer.index = {};
    return false;
  }
  return true;
}

std::optional<std::string> Blocks::outside(const Pointer& pointer, Term size, unsigned align) {
  term::Store& store = terms();
  const Node& node = memory_.node(pointer);
  const unsigned width = memory_.program().pointer_width();
  if (size.width() > width && (!size.is_constant() || size.value64() >> (width - 1) != 0)) return "a size that is not known";
  size = store.resize_unsigned(size, width);
  const Term length = node.length ? node.length : number(node.size), offset = at(pointer);
  if (!holds_(store.band(store.bnot(store.ult(length, size)), store.bnot(store.ult(store.sub(length, size), offset)))))
    return "an access may be out of bounds";
  if (align <= 1) return std::nullopt;
  const uint64_t start = pointer.base ? 0 : memory_.program().objects[pointer.object].address % align;
  const Term low = store.extract(plus(store, offset, static_cast<int64_t>(start)), 0, static_cast<unsigned>(std::countr_zero(align)));
  const bool based = !pointer.base || node.align % align == 0;
  if (!std::has_single_bit(align) || !based || !holds_(store.eq(low, store.constant(low.width(), 0))))
    return "an access may not be aligned";
  return std::nullopt;
}

Term Blocks::load(const Pointer& pointer, unsigned bytes) {
  term::Store& store = terms();
  Node& node = memory_.node(pointer);
  memory_.make_block(node);
  const Term offset = at(pointer);
  bool apart = true;
  for (const Mark& mark : node.marks) {
    const Term meets = store.eq(offset, mark.at);
    if (mark.bytes == bytes && (meets.is_true() || has(memory_.facts, meets))) return mark.value;
  }
  for (const Mark& mark : node.marks) {
    const Term meets = memory_.settle(store.eq(offset, mark.at));
    if (disjoint(offset, number(bytes), mark.at, number(mark.bytes))) continue;
    if (mark.bytes == bytes && holds_(meets)) return mark.value;
    apart = false;
    const bool decided = meets.is_constant() || has(memory_.facts, meets) || has(memory_.facts, store.bnot(meets));
    if (mark.bytes == bytes && !decided && known_before_(meets)) throw Split{.condition = meets};
  }
  if (apart && node.rest == Node::Rest::Zero) return store.constant(8 * bytes, 0);
  const Term value = memory_.fresh(8 * bytes, "bytes");
  if (apart) mark(node, {offset, bytes, value});
  return value;
}

void Blocks::forget(Node& node, Term offset, Term size, const std::function<bool(const Mark&)>& stays) {
  std::erase_if(node.marks, [&](const Mark& mark) {
    if (stays(mark) || disjoint(offset, size, mark.at, number(mark.bytes))) return false;
    node.rest = Node::Rest::Nothing;
    return true;
  });
}

void Blocks::mark(Node& node, Mark mark) {
  if (node.marks.size() >= kMostMarks) {
    auto oldest = std::ranges::find_if(node.marks, [](const Mark& m) { return !m.value.is_constant(); });
    node.marks.erase(oldest == node.marks.end() ? node.marks.begin() : oldest);
    node.rest = Node::Rest::Nothing;
  }
  node.marks.push_back(mark);
}

void Blocks::store(const Pointer& pointer, unsigned bytes, Term value) {
  Node& node = memory_.node(pointer);
  memory_.make_block(node);
  const Term offset = at(pointer);
  std::erase_if(node.marks, [&](const Mark& mark) { return mark.bytes == bytes && same(mark.at, offset); });
  forget(node, offset, number(bytes), [&](const Mark& mark) {
    return is_uniform(value) && is_uniform(mark.value) && part(terms(), value, 0, 1) == part(terms(), mark.value, 0, 1);
  });
  if (node.rest == Node::Rest::Zero && value.is_constant(0)) return;
  // A constant that stays may have bytes in common with it.
  if (std::ranges::all_of(node.marks, [&](const Mark& m) { return disjoint(offset, number(bytes), m.at, number(m.bytes)); }))
    mark(node, {offset, bytes, value});
  else
    node.rest = Node::Rest::Nothing;
}

void Blocks::fill(const Pointer& to, Term size, Term byte) {
  Node& node = memory_.node(to);
  memory_.make_block(node);
  const Term offset = at(to);
  const bool zero = byte.is_constant(0);
  if (zero && offset.is_constant(0) && same(size, node.length)) {
    node.marks.clear();
    node.rest = Node::Rest::Zero;
    return;
  }
  const Node::Rest rest = node.rest;
  forget(node, offset, size, [&](const Mark& mark) { return is_uniform(mark.value) && part(terms(), mark.value, 0, 1) == byte; });
  if (!zero || rest != Node::Rest::Zero || node.rest != rest) node.rest = Node::Rest::Nothing;
}

void Blocks::copy(const Pointer& to, const Pointer& from, Term size) {
  term::Store& store = terms();
  memory_.make_block(memory_.node(from));
  memory_.make_block(memory_.node(to));
  const Term target = at(to), source = at(from);
  std::vector<Mark> copied;
  for (const Mark& mark : memory_.node(from).marks) {
    const Term distance = store.sub(mark.at, source), bytes = number(mark.bytes);
    const Term inside = store.band(store.bnot(store.ult(size, bytes)), store.bnot(store.ult(store.sub(size, bytes), distance)));
    if (holds_(inside)) copied.push_back({store.add(target, distance), mark.bytes, mark.value});
  }
  Node& node = memory_.node(to);
  forget(node, target, size, [](const Mark&) { return false; });
  node.rest = Node::Rest::Nothing;
  for (const Mark& known : copied) mark(node, known);
}

void tidy_blocks(Memory& memory) {
  auto tidy = [](Node& node) {
    std::erase_if(node.marks, [&](const Mark& mark) {
      if (mark.value.is_constant()) return false;
      node.rest = Node::Rest::Nothing;
      return true;
    });
  };
  for (auto& [id, node] : memory.statics) tidy(node);
  for (auto& [base, node] : memory.nodes) tidy(node);
}

}  // namespace whittle::engines::shape
