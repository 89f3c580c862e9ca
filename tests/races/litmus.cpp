#include "races/litmus.h"

#include <cassert>

namespace whittle::test::races {
namespace {

using Kind = Operation::Kind;
constexpr int kData = 0, kFlag = 1, kOtherFlag = 2;

/// One way to set a flag, and the value that the flag has then.
struct Setting {
  std::vector<Operation> operations;
  int value = 1;
};

std::vector<Setting> settings(int flag) {
  auto store = [&](int value, int order) { return Operation{Kind::AtomicWrite, flag, value, {}, order}; };
  auto add = [&](int order) { return Operation{Kind::AtomicAdd, flag, 0, {}, order}; };
  auto fence = [](int order) { return Operation{Kind::Fence, 0, 0, {}, order}; };
  constexpr int kRelaxed = Operation::kRelaxed, kRelease = Operation::kRelease;
  std::vector<Setting> all;
  for (int order : {kRelaxed, kRelease, Operation::kSequential}) all.push_back({{store(1, order)}});
  for (int order = kRelaxed; order <= Operation::kSequential; ++order)
    if (order != Operation::kConsume) all.push_back({{add(order)}});
  for (int order : {Operation::kAcquire, kRelease, Operation::kAcquireRelease, Operation::kSequential}) {
    all.push_back({{fence(order), store(1, kRelaxed)}});
    all.push_back({{fence(order), add(kRelaxed)}});
  }
  all.push_back({{store(1, kRelaxed), fence(kRelease)}});
  all.push_back({{store(1, kRelease), store(2, kRelaxed)}, 2});
  all.push_back({{store(1, kRelaxed), store(2, kRelease)}, 2});
  all.push_back({{store(1, kRelease), add(kRelaxed)}, 2});
  all.push_back({{Operation{Kind::IfExchanged, flag, 0, {}, kRelaxed, kRelaxed}}, 3});
  all.push_back({{Operation{Kind::IfExchanged, flag, 0, {}, Operation::kAcquireRelease, kRelaxed}}, 3});
  return all;
}

/// One way to do the block if the flag has the value.
struct Seeing {
  Kind kind = Kind::IfAtomic;
  int order = 0, fence = -1;

  Operation operator()(int flag, int value, std::vector<Operation> block) const {
    if (fence >= 0) block.insert(block.begin(), Operation{Kind::Fence, 0, 0, {}, fence});
    return {kind, flag, value, std::move(block), order, Operation::kRelaxed};
  }
};

std::vector<Seeing> seeings() {
  std::vector<Seeing> all;
  for (int order = Operation::kRelaxed; order <= Operation::kSequential; ++order) {
    const bool reads = order != Operation::kRelease && order != Operation::kAcquireRelease;
    if (reads) all.push_back({Kind::IfAtomic, order});
    if (order != Operation::kConsume) all.push_back({Kind::IfExchanged, order});
    if (order >= Operation::kAcquire) all.push_back({Kind::IfAtomic, Operation::kRelaxed, order});
  }
  all.push_back({Kind::IfPlain});  // volatile, which orders nothing
  return all;
}

/// Takes the number apart.
struct Mix {
  uint64_t number;
  template <typename T>
  const T& choice(const std::vector<T>& all) {
    const T& chosen = all[number % all.size()];
    number /= all.size();
    return chosen;
  }
};

void append(std::vector<Operation>& list, const std::vector<Operation>& more) {
  list.insert(list.end(), more.begin(), more.end());
}

}  // namespace

uint64_t mixes(Shape shape) {
  const uint64_t sets = settings(kFlag).size(), sees = seeings().size();
  switch (shape) {
    case Shape::MessagePassing:
    case Shape::Write:
    case Shape::ReadFirst: return sets * sees;
    case Shape::StoreBuffer:
    case Shape::LoadBuffer:
    case Shape::PingPong:
    case Shape::HandedOn: return sets * sees * sets * sees;
    case Shape::ReleaseSequence: return sets * sets * sees;
  }
  return 0;
}

Program litmus(Shape shape, uint64_t number) {
  assert(number < mixes(shape));
  const Operation read{Kind::Read, kData, 0}, write{Kind::Write, kData, 1};
  Mix mix{number};
  const std::vector<Setting> one = settings(kFlag), other = settings(kOtherFlag);
  const std::vector<Seeing> ways = seeings();
  const Setting& set = mix.choice(one);
  const Seeing& see = mix.choice(ways);
  std::vector<Operation> a, b, c;
  switch (shape) {
    case Shape::MessagePassing:
    case Shape::Write:
    case Shape::ReadFirst:
      a = {shape == Shape::ReadFirst ? read : write};
      append(a, set.operations);
      b = {see(kFlag, set.value, {shape == Shape::MessagePassing ? read : write})};
      break;
    case Shape::StoreBuffer: {
      const Setting& second = mix.choice(other);
      a = set.operations;
      a.push_back(see(kOtherFlag, 0, {write}));
      b = second.operations;
      b.push_back(mix.choice(ways)(kFlag, 0, {write}));
      break;
    }
    case Shape::LoadBuffer: {
      const Setting& second = mix.choice(other);
      a = {see(kOtherFlag, second.value, {write})};
      append(a, set.operations);
      b = {mix.choice(ways)(kFlag, set.value, {write})};
      append(b, second.operations);
      break;
    }
    case Shape::PingPong: {
      const Setting& back = mix.choice(other);
      a = {read};
      append(a, set.operations);
      a.push_back(mix.choice(ways)(kOtherFlag, back.value, {read}));
      std::vector<Operation> block{write};
      append(block, back.operations);
      b = {see(kFlag, set.value, block)};
      break;
    }
    case Shape::HandedOn: {
      const Setting& on = mix.choice(other);
      a = {write};
      append(a, set.operations);
      b = {see(kFlag, set.value, on.operations)};
      c = {mix.choice(ways)(kOtherFlag, on.value, {write})};
      break;
    }
    case Shape::ReleaseSequence: {
      const Setting& between = mix.choice(one);
      a = {write};
      append(a, set.operations);
      b = between.operations;
      c = {see(kFlag, between.value == 3 ? 3 : set.value == 3 ? between.value : 2, {write})};
      break;
    }
  }
  Program p;
  p.weak = true;
  p.threads = {{}, a, b};
  if (!c.empty()) p.threads.push_back(c);
  const int last = static_cast<int>(p.threads.size()) - 1;
  for (int t = 1; t <= last; ++t) p.threads[0].push_back({Kind::Create, t, 0});
  for (int t = 1; t <= last; ++t) p.threads[0].push_back({Kind::Join, t, 0});
  return p;
}

}  // namespace whittle::test::races
