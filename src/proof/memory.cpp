#include "proof/memory.h"

namespace whittle::proof {

Term MemoryWorld::byte(uint32_t epoch, Term address) {
  auto [it, fresh] = known_.try_emplace({epoch, address.id()});
  if (fresh) {
    it->second = store().variable(8, "byte");
    bytes_[epoch].emplace_back(address, it->second);
  }
  return it->second;
}

std::vector<Term> MemoryWorld::consistency() const {
  std::vector<Term> conditions;
  for (const auto& [epoch, bytes] : bytes_)
    for (size_t i = 0; i < bytes.size(); ++i)
      for (size_t j = 0; j < i; ++j) {
        Term same = store().eq(bytes[i].first, bytes[j].first);
        if (same.is_false()) continue;
        conditions.push_back(store().implies(same, store().eq(bytes[i].second, bytes[j].second)));
      }
  return conditions;
}

Memory::Memory(MemoryWorld& world, const BitSet& unwritten, bool initial) : world_(&world), unwritten_(&unwritten) {
  auto node = std::make_shared<Node>();
  node->epoch = world.new_epoch();
  node->initial = initial;
  last_ = std::move(node);
}

Memory Memory::store(Term address, Term value) const {
  auto node = std::make_shared<Node>();
  node->before = last_;
  node->address = address;
  node->value = value;
  Memory after = *this;
  after.last_ = std::move(node);
  return after;
}

Memory Memory::open(std::shared_ptr<const BitSet> kept) const {
  auto node = std::make_shared<Node>();
  node->before = last_;
  node->kept = std::move(kept);
  node->epoch = world_->new_epoch();
  Memory after = *this;
  after.last_ = std::move(node);
  return after;
}

std::optional<program::ObjectId> Memory::object_of(Term address) const {
  if (!address.is_constant()) return std::nullopt;
  std::optional<program::ObjectId> object = world_->program().object_at(address.value64());
  if (object && world_->program().objects[*object].thread_local_) return std::nullopt;
  return object;
}

Term Memory::byte(Term address) const {
  term::Store& store = world_->store();
  const std::optional<program::ObjectId> known = object_of(address);
  const program::ObjectId object = known.value_or(program::kNone);
  auto initial = [&] {
    const program::Object& o = world_->program().objects[object];
    return store.constant(8, o.initial[address.value64() - o.address]);
  };
  if (known && unwritten_->test(object)) return initial();
  std::vector<std::pair<Term, Term>> choices;  // latest first: under this condition, this byte
  Term below;
  for (const Node* node = last_.get(); !below; node = node->before.get()) {
    if (!node->address) {
      if (node->initial && known)
        below = initial();
      else if (!(node->kept && known && node->kept->test(object)))
        below = world_->byte(node->epoch, address);
      continue;
    }
    const unsigned size = node->value.width() / 8, width = address.width();
    Term offset = store.sub(address, node->address);
    if (offset.is_constant()) {
      if (offset.value() < size) below = store.extract(node->value, static_cast<unsigned>(offset.value()) * 8, 8);
      continue;
    }
    for (unsigned i = 0; i < size; ++i)
      choices.emplace_back(store.eq(offset, store.constant(width, i)), store.extract(node->value, i * 8, 8));
  }
  for (size_t i = choices.size(); i-- > 0;) below = store.ite(choices[i].first, choices[i].second, below);
  return below;
}

Term Memory::read(Term address, unsigned width) const {
  term::Store& store = world_->store();
  Term value;
  for (unsigned i = 0; i < width / 8; ++i) {
    Term b = byte(store.add(address, store.constant(address.width(), i)));
    value = value ? store.concat(b, value) : b;
  }
  return value;
}

}  // namespace whittle::proof
