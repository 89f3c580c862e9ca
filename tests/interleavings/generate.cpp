// Random programs: few statements from a few families, so that these meet each other.
#include <algorithm>
#include <random>

#include "interleavings/language.h"

namespace whittle::interleavings {
namespace {

class Generator {
 public:
  explicit Generator(uint64_t seed) : random_(seed) {}

  Program run() {
    Program program;
    for (MutexKind& kind : program.mutex) kind = static_cast<MutexKind>(below(3));
    program.semaphore = below(2);
    for (bool& family : families_) family = below(3) == 0;
    families_[below(kFamilies)] = true;
    int workers = 1 + below(10) / 4;  // one, two or, seldom, three
    program.bodies.resize(static_cast<size_t>(workers) + 1);
    for (int i = 1; i <= workers; ++i) {
      program.bodies[i] = block((workers == 3 ? 1 : 2) + below(workers == 1 ? 5 : 3), 0);
      if (below(8) == 0) program.bodies[i].push_back({Op::Exit});
    }
    program.bodies[0] = main(workers);
    return program;
  }

 private:
  enum Family { Plain, Atomic, Struct, Mutex, Condition, Semaphore, kFamilies };

  int below(int n) { return static_cast<int>(random_() % static_cast<uint64_t>(n)); }
  int local() { return below(kLocals); }

  Body main(int workers) {
    Body body;
    std::vector<int> open;
    auto some = [&](int most) {
      Body more = block(below(most + 1), 0);
      body.insert(body.end(), more.begin(), more.end());
    };
    for (int i = 1; i <= workers; ++i) {
      body.push_back({Op::Create, i});
      open.push_back(i);
      if (below(3) == 0) some(2);
      if (below(3) == 0) end(body, open);
    }
    if (below(2) == 0) some(2);
    while (!open.empty() && below(8) != 0) end(body, open);
    some(2);
    body.push_back({below(4) == 0 ? Op::Exit : Op::Return});
    return body;
  }
  /// One of the workers is joined or detached.
  void end(Body& body, std::vector<int>& open) {
    size_t which = static_cast<size_t>(below(static_cast<int>(open.size())));
    body.push_back({below(6) == 0 ? Op::Detach : Op::Join, open[which]});
    open.erase(open.begin() + static_cast<std::ptrdiff_t>(which));
  }

  Body block(int count, int depth) {
    Body body;
    while (count-- > 0) add(body, depth);
    return body;
  }

  void add(Body& body, int depth) {
    int kind = below(12);
    if (kind == 0) return body.push_back({Op::Assert, local(), 0, below(4)});
    if (kind == 1 && depth < 2) {
      Statement choice{Op::If, local(), 0, below(2)};
      choice.yes = block(1 + below(2), depth + 1);
      if (below(2) == 0) choice.no = block(1, depth + 1);
      if (below(6) == 0) choice.yes.push_back({Op::Exit});
      return body.push_back(std::move(choice));
    }
    if (kind == 2) return body.push_back({Op::Set, local(), local(), below(3)});
    int family;
    do family = below(kFamilies);
    while (!families_[family]);
    switch (family) {
      case Plain: return plain(body);
      case Atomic: return atomic(body);
      case Struct: return structure(body);
      case Mutex: return mutex(body, depth);
      case Condition: return condition(body, depth);
      default: return semaphore(body);
    }
  }

  void plain(Body& body) {
    int x = below(kShared), r = local();
    switch (below(3)) {
      case 0: return body.push_back({Op::Store, x, local(), below(3)});
      case 1: return body.push_back({Op::Load, r, x});
      default: body.push_back({Op::Load, r, x}), body.push_back({Op::Store, x, r, 1});
    }
  }
  void atomic(Body& body) {
    int z = below(kAtomics);
    switch (below(4)) {
      case 0: return body.push_back({Op::AtomicStore, z, local(), below(3)});
      case 1: return body.push_back({Op::AtomicLoad, local(), z});
      case 2: return body.push_back({Op::AtomicAdd, local(), z, 1});
      default: return body.push_back({Op::Exchange, local(), z, below(3)});
    }
  }
  void structure(Body& body) {
    int s = below(kStructs), m = below(kMembers);
    switch (below(5)) {
      case 0: {
        int value = 1 + below(2);
        for (int i = 0; i < kMembers; ++i) body.push_back({Op::SetMember, i, -1, value});
        return body.push_back({Op::StoreStruct, s});
      }
      case 1:
        body.push_back({Op::LoadStruct, 0, s});
        for (int i = 0; i < 2; ++i) body.push_back({Op::GetMember, i, i == 0 ? m : (m + 1) % kMembers});
        return difference(body);
      case 2: return body.push_back({Op::CopyStruct, s, 1 - s});
      case 3: return body.push_back({Op::PassStruct, local(), s});
      default: return body.push_back({Op::StoreMember, s, m, 1 + below(2)});
    }
  }
  /// Locals 0 and 1 are the same, of the values that occur.
  void difference(Body& body) {
    if (below(2) == 0) return;
    Statement choice{Op::If, 0, 0, below(3)};
    choice.yes.push_back({Op::Assert, 1, 0, below(3)});
    body.push_back(std::move(choice));
  }
  void mutex(Body& body, int depth) {
    int m = below(kMutexes), r = below(3) == 0 ? local() : -1;
    switch (below(8)) {
      case 0: return body.push_back({Op::Lock, r, m});
      case 1: return body.push_back({Op::Unlock, r, m});
      case 2: return body.push_back({Op::TryLock, local(), m});
      default: {
        body.push_back({Op::Lock, r, m});
        Body inside = block(depth < 2 ? 1 + below(2) : 0, depth + 1);
        body.insert(body.end(), inside.begin(), inside.end());
        if (below(8) != 0) body.push_back({Op::Unlock, -1, m});
      }
    }
  }
  void condition(Body& body, int depth) {
    int m = below(kMutexes), r = local();
    switch (below(4)) {
      case 0: return body.push_back({Op::Signal});
      case 1: return body.push_back({Op::Broadcast});
      case 2: {
        body.push_back({Op::Lock, -1, m});
        body.push_back({Op::Load, r, 0});
        Statement choice{Op::If, r, 0, 0};
        choice.yes.push_back({Op::Wait, 0, m});
        body.push_back(std::move(choice));
        if (depth < 2 && below(2) == 0) add(body, depth + 1);
        return body.push_back({Op::Unlock, -1, m});
      }
      default:
        body.push_back({Op::Lock, -1, m});
        body.push_back({Op::Store, 0, -1, 1});
        body.push_back({below(2) == 0 ? Op::Signal : Op::Broadcast});
        return body.push_back({Op::Unlock, -1, m});
    }
  }
  void semaphore(Body& body) {
    switch (below(3)) {
      case 0: return body.push_back({Op::SemWait});
      case 1: return body.push_back({Op::SemTryWait, local()});
      default: return body.push_back({Op::SemPost});
    }
  }

  std::mt19937_64 random_;
  bool families_[kFamilies] = {};
};

}  // namespace

Program generate(uint64_t seed) { return Generator(seed).run(); }

}  // namespace whittle::interleavings
