#include "proof/join.h"

#include <algorithm>
#include <optional>

namespace whittle::proof {

namespace {
constexpr uint64_t kWord = 4;  ///< bytes that are joined as one number, so that they are read as one again
}

State Join::operator()(State a, const State& b) {
  fresh_ = std::max(a.inputs, b.inputs);
  first_ = tell_apart(a, b);
  join_registers(a, b);
  join_memory(a, b);
  a.inputs = fresh_;
  return a;
}

Term Join::tell_apart(State& a, const State& b) {
  auto says = [&](const std::pair<Term, u128>& known) { return store_.eq(known.first, store_.constant(known.first.width(), known.second)); };
  std::optional<uint32_t> by;
  for (const auto& [id, known] : a.decided)
    if (auto other = b.decided.find(id); other != b.decided.end() && other->second.second != known.second) {
      by = id;
      first_ = says(known);
      break;
    }
  if (!by) first_ = symbols_.variable(1, fresh_++);
  // What is decided in one of them only is decided where that one is meant.
  Term if_a = store_.truth(), if_b = store_.truth();
  for (const auto& [id, known] : b.decided) {
    auto other = a.decided.find(id);
    const bool same = other != a.decided.end() && other->second.second == known.second;
    const bool follows = id == by && known.first.width() == 1;  // of the choice
    if (!same && !follows) if_b = store_.band(if_b, says(known));
  }
  std::erase_if(a.decided, [&](const auto& entry) {
    auto other = b.decided.find(entry.first);
    const bool same = other != b.decided.end() && other->second.second == entry.second.second;
    if (!same && entry.first != by) if_a = store_.band(if_a, says(entry.second));
    return !same;
  });
  const Term both = choice(if_a, if_b);
  if (!both.is_constant()) executor_.decide(a, both, 1);
  return first_;
}

void Join::join_registers(State& a, const State& b) {
  for (size_t t = 0; t < a.threads.size(); ++t)
    for (size_t f = 0; f < a.threads[t].frames.size(); ++f) {
      Frame& frame = a.threads[t].frames[f];
      const Frame& other = b.threads[t].frames[f];
      const auto& registers = program_.functions[frame.function].registers;
      for (program::RegisterId reg = 0; reg < registers.size(); ++reg) {
        auto now = [&](const Frame& in) {
          auto symbol = in.symbols.find(reg);
          return symbol != in.symbols.end() ? symbol->second : store_.constant(registers[reg].width(), in.registers[reg]);
        };
        const Term one = now(frame), two = now(other);
        if (one != two) set(frame, reg, symbols_.value(choice(one, two)));
      }
    }
}

void Join::join_memory(State& a, const State& b) {
  for (size_t i = 0; i < program_.objects.size(); ++i)
    if (const auto offset = executor_.offsets()[i])
      join_bytes(a, b, {program_.objects[i].address, program_.objects[i].size, a.statics.data() + *offset, b.statics.data() + *offset});
  for (auto& [address, made] : a.objects) {
    const Made& other = b.objects.at(address);
    if (made.alive) join_bytes(a, b, {address, made.bytes.size(), made.bytes.data(), other.bytes.data(), &made, &other});
  }
}

void Join::join_bytes(State& a, const State& b, const Bytes& bytes) {
  auto symbol = [](const State& state, uint64_t at) {
    auto found = state.symbols.find(at);
    return found != state.symbols.end() ? found->second : Term();
  };
  auto known = [](const Made* made, uint64_t offset) { return !made || made->known[offset]; };
  auto same = [&](uint64_t i) {
    if (known(bytes.made_a, i) != known(bytes.made_b, i)) return false;
    if (!known(bytes.made_a, i)) return true;
    const Term one = symbol(a, bytes.address + i), two = symbol(b, bytes.address + i);
    return one == two && (one || bytes.a[i] == bytes.b[i]);
  };
  for (uint64_t i = 0; i < bytes.size; ++i) {
    if (same(i)) continue;
    uint64_t first = i - (bytes.address + i) % kWord, last = first + kWord;
    if (first > i || last > bytes.size) first = i, last = i + 1;
    for (uint64_t k = first; k < last; ++k)
      if (!known(bytes.made_a, k) || !known(bytes.made_b, k)) first = i, last = i + 1;
    Term one, two;
    for (uint64_t k = first; k < last; ++k) {
      auto value = [&](const State& in, const Made* made, uint8_t number) {
        if (!known(made, k)) return symbols_.variable(8, fresh_++);
        const Term t = symbol(in, bytes.address + k);
        return t ? t : store_.constant(8, number);
      };
      const Term low_a = value(a, bytes.made_a, bytes.a[k]), low_b = value(b, bytes.made_b, bytes.b[k]);
      one = one ? store_.concat(low_a, one) : low_a;
      two = two ? store_.concat(low_b, two) : low_b;
    }
    const Term joined = choice(one, two);
    for (uint64_t k = first; k < last; ++k) {
      const Value now = symbols_.value(store_.extract(joined, static_cast<unsigned>(8 * (k - first)), 8));
      bytes.a[k] = static_cast<uint8_t>(now.number);
      if (now.term)
        a.symbols[bytes.address + k] = now.term;
      else
        a.symbols.erase(bytes.address + k);
      if (bytes.made_a) bytes.made_a->known[k] = true;
    }
    i = last - 1;
  }
}

}  // namespace whittle::proof
