#include "proof/memory.h"

#include <algorithm>

#include "term/stride.h"

namespace whittle::proof {

Term disjoint(term::Store& store, Term a, Term a_size, Term b, Term b_size) {
  return store.band(store.uge(store.sub(a, b), b_size), store.uge(store.sub(b, a), a_size));
}

Term MemoryWorld::byte(uint32_t epoch, Term address) {
  auto [it, fresh] = known_.try_emplace({epoch, address.id()});
  if (fresh) {
    it->second = store().variable(8, "byte");
    bytes_[epoch].emplace_back(address, it->second);
  }
  return it->second;
}

/// Objects begin at multiples of their alignment.
term::Range MemoryWorld::range(Term difference) const {
  return ranges_.of(store().substitute(difference, [&](Term v) {
    auto it = objects_.find(v);
    return it == objects_.end() ? Term() : store().mul(v, store().constant(v.width(), it->second.align));
  }));
}

bool MemoryWorld::equal_or_apart(Term difference, uint64_t bytes) const {
  if ((bytes & (bytes - 1)) != 0) return false;
  const term::Range r = range(difference);
  const auto size = static_cast<i128>(bytes);
  return r.low % size == 0 && r.stride % size == 0;
}

bool MemoryWorld::may_be(Term difference, uint64_t value) const {
  const term::Range r = range(difference);
  const i128 step = r.stride & -r.stride;  // addresses wrap around at a power of two
  return step == 0 || (static_cast<i128>(value) - r.low) % step == 0;
}

std::vector<Term> MemoryWorld::consistency(const std::unordered_set<Term>& mentioned,
                                           const std::function<bool(Term, Term)>& leave_out) const {
  std::vector<Term> conditions;
  for (const auto& [epoch, all] : bytes_) {
    std::vector<std::pair<Term, Term>> bytes;
    for (const auto& byte : all)
      if (mentioned.contains(byte.second)) bytes.push_back(byte);
    for (size_t i = 0; i < bytes.size(); ++i)
      for (size_t j = 0; j < i; ++j) {
        if (apart(bytes[i].first, 1, bytes[j].first, 1)) continue;
        Term same = store().eq(bytes[i].first, bytes[j].first);
        if (same.is_false() || !may_be(store().sub(bytes[i].first, bytes[j].first), 0)) continue;
        if (leave_out && leave_out(bytes[i].first, bytes[j].first)) continue;
        conditions.push_back(store().implies(same, store().eq(bytes[i].second, bytes[j].second)));
      }
  }
  for (const Lookup& lookup : tables_) {
    if (!mentioned.contains(lookup.byte)) continue;
    const program::Object& object = program_.objects[lookup.object];
    for (uint64_t i = 0; i < object.size; ++i)
      conditions.push_back(
          store().implies(store().eq(lookup.address, store().constant(lookup.address.width(), object.address + i)),
                          store().eq(lookup.byte, store().constant(8, object.initial[i]))));
  }
  for (const Lookup& lookup : zeros_) {
    if (!mentioned.contains(lookup.byte)) continue;
    const program::Object& object = program_.objects[lookup.object];
    const unsigned width = lookup.address.width();
    const Term offset = store().sub(lookup.address, store().constant(width, object.address));
    conditions.push_back(store().implies(store().ult(offset, store().constant(width, object.size)),
                                         store().eq(lookup.byte, store().constant(8, 0))));
  }
  return conditions;
}

std::optional<MemoryWorld::Rooted> MemoryWorld::rooted(Term address, uint64_t size) const {
  if (address.is_constant()) {
    if (address.value() >= program::layout::kDynamicBase || size > program::layout::kDynamicBase - address.value64())
      return std::nullopt;
    return Rooted{};
  }
  Rooted root{address, 0};
  if (address.op() == term::Op::Add) {
    const unsigned constant = address.kid(0).is_constant() ? 0 : 1;
    if (!address.kid(constant).is_constant()) return std::nullopt;
    root = {address.kid(1 - constant), address.kid(constant).value64()};
  }
  auto it = objects_.find(root.object);
  if (it == objects_.end() || root.offset > it->second.size || size > it->second.size - root.offset) return std::nullopt;
  return root;
}

bool MemoryWorld::apart(Term a, uint64_t a_size, Term b, uint64_t b_size) const {
  if (objects_.empty()) return false;
  const std::optional<Rooted> x = rooted(a, a_size);
  if (!x) return false;
  const std::optional<Rooted> y = rooted(b, b_size);
  return y && x->object != y->object;
}

bool MemoryWorld::excludes(const Reach& reach, Term address) const {
  if (!reach) return false;
  if (address.is_constant()) {
    const auto object = program_.object_at(address.value64());  // its number is that of the place
    return object && !program_.objects[*object].thread_local_ && !reach->test(*object);
  }
  const std::optional<Rooted> root = rooted(address, 1);
  return root && root->object && !reach->test(objects_.at(root->object).place);
}

Memory::Memory(MemoryWorld& world, const BitSet& unwritten, bool initial) : world_(&world), unwritten_(&unwritten) {
  auto node = std::make_shared<Node>();
  node->kind = Node::Kind::Open;
  node->epoch = world.new_epoch();
  node->initial = initial;
  node->id = world.new_node();
  last_ = std::move(node);
}

Memory Memory::with(Node node) const {
  node.before = last_;
  node.id = world_->new_node();
  Memory after = *this;
  after.last_ = std::make_shared<Node>(std::move(node));
  return after;
}

Memory Memory::store(Term address, Term value, Reach reach) const {
  Node node;
  node.reach = std::move(reach);
  node.address = address;
  node.value = value;
  return with(std::move(node));
}

Memory Memory::open(std::shared_ptr<const BitSet> kept) const {
  Node node;
  node.kind = Node::Kind::Open;
  node.kept = std::move(kept);
  node.epoch = world_->new_epoch();
  return with(std::move(node));
}

Memory Memory::open_range(Term address, Term size) const {
  Node node;
  node.kind = Node::Kind::OpenRange;
  node.address = address;
  node.size = size;
  node.epoch = world_->new_epoch();
  return with(std::move(node));
}

Memory Memory::fill(Term address, Term size, Term byte) const {
  Node node;
  node.kind = Node::Kind::Fill;
  node.address = address;
  node.size = size;
  node.value = byte;
  return with(std::move(node));
}

Memory Memory::copy(Term to, Term from, Term size) const {
  Node node;
  node.kind = Node::Kind::Copy;
  node.address = to;
  node.size = size;
  node.value = from;
  return with(std::move(node));
}

std::optional<program::ObjectId> Memory::object_of(Term address) const {
  if (!address.is_constant()) return std::nullopt;
  std::optional<program::ObjectId> object = world_->program().object_at(address.value64());
  if (object && world_->program().objects[*object].thread_local_) return std::nullopt;
  return object;
}

bool Memory::elsewhere(const Node& node, Term address, const Reach& reach) const {
  return world_->excludes(node.reach, address) || world_->excludes(reach, node.address);
}

Term Memory::byte(const Node* node, Term address, const Reach& reach) const {
  const std::tuple key{node->id, address.id(), static_cast<const void*>(reach.get())};
  if (auto it = world_->made.find(key); it != world_->made.end()) return it->second;
  const Term made = make_byte(node, address, reach);
  world_->made.emplace(key, made);
  return made;
}

Term Memory::make_byte(const Node* node, Term address, const Reach& reach) const {
  term::Store& store = world_->store();
  const std::optional<program::ObjectId> known = object_of(address);
  const program::ObjectId object = known.value_or(program::kNone);
  const unsigned width = address.width();
  auto initial = [&] {
    const program::Object& o = world_->program().objects[object];
    return store.constant(8, o.initial[address.value64() - o.address]);
  };
  if (known && unwritten_->test(object)) return initial();
  std::vector<std::pair<Term, Term>> choices;  // latest first: under this condition, this byte
  Term below;
  for (; !below; node = node->before.get()) {
    if (node->kind == Node::Kind::Open) {
      if (node->initial && known)
        below = initial();
      else if (!(node->kept && known && node->kept->test(object)))
        below = old_byte(node, address);
      continue;
    }
    if (elsewhere(*node, address, reach)) continue;
    const Term offset = store.sub(address, node->address);
    if (node->kind == Node::Kind::Store) {
      const unsigned size = node->value.width() / 8;
      if (offset.is_constant()) {
        if (offset.value() < size) below = store.extract(node->value, static_cast<unsigned>(offset.value()) * 8, 8);
        continue;
      }
      if (world_->apart(address, 1, node->address, size)) continue;
      for (unsigned i = 0; i < size; ++i)
        if (world_->may_be(offset, i))
          choices.emplace_back(store.eq(offset, store.constant(width, i)), store.extract(node->value, i * 8, 8));
      continue;
    }
    const Term inside = store.ult(offset, node->size);
    if (inside.is_false() ||
        (node->size.is_constant() && world_->apart(address, 1, node->address, node->size.value64())))
      continue;
    Term value = node->value;
    if (node->kind == Node::Kind::OpenRange) value = world_->byte(node->epoch, address);
    if (node->kind == Node::Kind::Copy) value = byte(node->before.get(), store.add(node->value, offset), {});
    if (inside.is_true())
      below = value;
    else
      choices.emplace_back(inside, value);
  }
  for (size_t i = choices.size(); i-- > 0;) below = store.ite(choices[i].first, choices[i].second, below);
  return below;
}

Term Memory::old_byte(const Node* node, Term address) const {
  constexpr uint64_t kLargestTable = 256;
  const Term byte = world_->byte(node->epoch, address);
  if (node->initial)
    if (auto object = world_->program().object_at(static_cast<uint64_t>(term::constant_part(address)))) {
      const program::Object& o = world_->program().objects[*object];
      const bool zero = std::all_of(o.initial.begin(), o.initial.end(), [](uint8_t b) { return b == 0; });
      if (zero && !o.thread_local_) world_->add_zeros(byte, address, *object);
    }
  if (address.op() != term::Op::Add) return byte;
  for (unsigned i = 0; i < 2; ++i)
    if (std::optional<program::ObjectId> object = object_of(address.kid(i));
        object && unwritten_->test(*object) && world_->program().objects[*object].size <= kLargestTable)
      world_->add_table(byte, address, *object);
  return byte;
}

Term Memory::bytes(const Node* node, Term address, unsigned count, const Reach& reach) const {
  term::Store& store = world_->store();
  Term value;
  for (unsigned i = 0; i < count; ++i) {
    const Term b = byte(node, store.add(address, store.constant(address.width(), i)), reach);
    value = value ? store.concat(b, value) : b;
  }
  return value;
}

/// The same as bytes(). Ranges that are apart as a whole are passed over as a whole, because that is how they are known
/// to be apart; only what may overlap is looked at byte by byte.
Term Memory::word(const Node* node, Term address, unsigned count, const Reach& reach) const {
  term::Store& store = world_->store();
  const Term length = store.constant(address.width(), count);
  std::vector<std::pair<Term, Term>> choices;  // latest first: unless this condition holds, this value
  Term below;
  for (; !below; node = node->before.get()) {
    if (node->kind == Node::Kind::Open) {
      below = bytes(node, address, count, reach);
      continue;
    }
    if (elsewhere(*node, address, reach)) continue;
    const bool stored = node->kind == Node::Kind::Store;
    const Term size = stored ? store.constant(address.width(), node->value.width() / 8) : node->size;
    if (size.is_constant() && world_->apart(address, count, node->address, size.value64())) continue;
    const Term apart = disjoint(store, address, length, node->address, size);
    if (apart.is_true()) continue;
    if (stored && node->value.width() == 8 * count && !apart.is_false() &&
        world_->equal_or_apart(store.sub(address, node->address), count)) {
      choices.emplace_back(store.ne(address, node->address), node->value);
      continue;
    }
    Term here = bytes(node, address, count, reach);
    if (stored && node->value.width() == 8 * count)
      here = store.ite(store.eq(address, node->address), node->value, here);
    if (apart.is_false())
      below = here;
    else
      choices.emplace_back(apart, here);
  }
  for (size_t i = choices.size(); i-- > 0;) below = store.ite(choices[i].first, below, choices[i].second);
  return below;
}

Term Memory::read(Term address, unsigned width, const Reach& reach) const {
  world_->note_read(address, width);
  return width == 8 ? byte(last_.get(), address, reach) : word(last_.get(), address, width / 8, reach);
}

}  // namespace whittle::proof
