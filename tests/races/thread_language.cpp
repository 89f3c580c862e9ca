#include "races/thread_language.h"

#include <random>

namespace whittle::test::races {
namespace {

using Kind = Operation::Kind;

class Maker {
 public:
  explicit Maker(uint64_t seed) : random_(seed) {}

  Program program() {
    Program p;
    const int others = 1 + below(3);
    p.threads.resize(static_cast<size_t>(others) + 1);
    p.main_returns = below(3) != 0;
    p.weak = weak_ = below(2) == 0;
    protect_ = below(weak_ ? 5 : 3);
    for (int t = 1; t <= others; ++t) p.threads[static_cast<size_t>(t)] = body(1 + below(3), 1);
    // The last thread is sometimes started by the first one.
    const int by_main = others > 1 && below(3) == 0 ? others - 1 : others;
    p.threads[0] = starter(1, by_main);
    if (by_main < others) {
      std::vector<Operation> inner = starter(others, others);
      p.threads[1].insert(p.threads[1].end(), inner.begin(), inner.end());
    }
    return p;
  }

 private:
  int below(int n) { return static_cast<int>(random_() % static_cast<uint64_t>(n)); }

  std::vector<Operation> starter(int first, int last) {
    std::vector<Operation> list;
    for (int t = first; t <= last; ++t) {
      if (below(3) == 0) list.push_back(operation(1));
      list.push_back({Kind::Create, t, 0});
    }
    if (below(2) == 0) list.push_back(operation(1));
    for (int t = first; t <= last; ++t) {
      const int how = below(6);
      if (how < 4) list.push_back({Kind::Join, t, 0});
      if (how == 4) list.push_back({Kind::Detach, t, 0});
      if (below(4) == 0) list.push_back(operation(1));
    }
    return list;
  }

  std::vector<Operation> body(int count, int depth) {
    std::vector<Operation> list;
    for (int i = 0; i < count; ++i) {
      if (protect_ > kMessages && depth > 0)
        message(list);
      else
        list.push_back(operation(depth));
    }
    return list;
  }

  int order(std::initializer_list<int> choices) {
    return weak_ ? choices.begin()[below(static_cast<int>(choices.size()))] : Operation::kSequential;
  }
  int order_of_read() { return order({0, 1, 2, 2, 5}); }
  int order_of_write() { return order({0, 3, 3, 5}); }
  int order_of_update() { return order({0, 2, 3, 4, 5}); }
  Operation fence() { return {Kind::Fence, 0, 0, {}, order({2, 3, 4, 5})}; }

  /// Variable 0 is handed over by means of variable 2: now with all that is needed, now not.
  void message(std::vector<Operation>& list) {
    switch (below(5)) {
      case 0:
      case 1: {
        list.push_back(plain(0));
        if (below(3) == 0) list.push_back(fence());
        const int how = below(4);
        if (how < 2) list.push_back({Kind::AtomicWrite, 2, 1 + below(2), {}, order_of_write()});
        if (how == 2) list.push_back({Kind::AtomicAdd, 2, 0, {}, order_of_update()});
        if (how == 3) list.push_back(atomic(Kind::IfExchanged, 2, below(2)));
        if (below(4) == 0) list.push_back({Kind::AtomicWrite, 2, 1 + below(2), {}, order_of_write()});
        return;
      }
      case 2:
        list.push_back({Kind::AtomicAdd, 2, 0, {}, order_of_update()});
        return;
      default: {
        Operation o = atomic(below(3) == 0 ? Kind::IfExchanged : Kind::IfAtomic, 2, 1 + below(2));
        if (below(3) == 0) o.block.push_back(fence());
        o.block.push_back(plain(0));
        list.push_back(std::move(o));
      }
    }
  }

  Operation atomic(Kind kind, int a, int b) {
    Operation o{kind, a, b};
    o.order = kind == Kind::AtomicWrite || kind == Kind::Give ? order_of_write()
              : kind == Kind::AtomicAdd || kind == Kind::IfExchanged ? order_of_update()
              : kind == Kind::Fence ? fence().order
                                    : order_of_read();
    if (kind == Kind::IfExchanged) o.failure = order_of_read();
    return o;
  }

  /// Many programs should have no race: then variable 0 is for plain accesses under mutex 0, and 2 for atomics.
  Operation operation(int depth) {
    Operation o;
    if (protect_ > 0 && depth > 0 && below(2) == 0) {
      o.kind = below(4) == 0 ? Kind::IfLocked : Kind::Locked;
      o.block.push_back(plain(0));
      return o;
    }
    if (protect_ > 0 && below(4) != 0) {
      static constexpr Kind kAtomic[] = {Kind::AtomicRead, Kind::AtomicWrite, Kind::AtomicAdd};
      return atomic(kAtomic[below(3)], 2, below(3));
    }
    static constexpr Kind kAll[] = {Kind::Read,      Kind::Write,       Kind::WriteByte, Kind::Add,
                                    Kind::IfPlain,   Kind::AtomicRead,  Kind::AtomicWrite, Kind::AtomicAdd,
                                    Kind::IfAtomic,  Kind::IfExchanged, Kind::Locked,    Kind::IfLocked,
                                    Kind::Post,      Kind::Wait,        Kind::Lock,      Kind::IfAtomic,
                                    Kind::IfExchanged, Kind::Fence,     Kind::Give,      Kind::Give,
                                    Kind::Take,      Kind::Take};
    o.kind = kAll[static_cast<size_t>(below(static_cast<int>(std::size(kAll))))];
    if (depth == 0 && o.kind >= Kind::IfAtomic && o.kind <= Kind::Lock) o.kind = Kind::Write;
    if (depth == 0 && o.kind == Kind::IfPlain) o.kind = Kind::Read;
    if (o.kind == Kind::Lock && below(3) != 0) o.kind = Kind::Locked;
    const bool has_block = o.kind == Kind::IfPlain || (o.kind >= Kind::IfAtomic && o.kind <= Kind::IfLocked);
    if (has_block) o.block = body(1 + below(2), depth - 1);
    o.a = o.kind >= Kind::Post     ? below(Program::kSemaphores)
          : o.kind >= Kind::Locked ? below(Program::kMutexes)
                                   : below(Program::kVariables);
    o.b = o.kind == Kind::WriteByte ? below(4) : below(3);
    if (o.kind < Kind::AtomicRead || o.kind > Kind::IfExchanged) return o;
    Operation ordered = atomic(o.kind, o.a, o.b);
    ordered.block = std::move(o.block);
    return ordered;
  }

  Operation plain(int variable) {
    static constexpr Kind kPlain[] = {Kind::Read, Kind::Write, Kind::WriteByte, Kind::Add};
    return {kPlain[below(4)], variable, below(3)};
  }

  std::mt19937_64 random_;
  static constexpr int kMessages = 2;
  int protect_ = 0;  ///< how much is done to avoid races: 0 nothing, up to 2 by locks and atomics, above that by messages
  bool weak_ = false;
};

class Printer {
 public:
  Printer(const Program& program, std::string suffix) : program_(program), suffix_(std::move(suffix)) {}

  std::string text() {
    out_ = "static int x" + suffix_ + "[3]; static pthread_mutex_t m" + suffix_ +
           "[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER}; static sem_t s" + suffix_ +
           "[1]; static int *g" + suffix_ + ";\n";
    for (size_t t = program_.threads.size(); t-- > 0;) {
      out_ += t == 0 ? "int main_" + suffix_ + "(void) {\n"
                     : "static void *t" + std::to_string(t) + "_" + suffix_ + "(void *p) {\n";
      out_ += " pthread_t t[4]; int e, *q; (void)t; (void)e; (void)q;\n";
      if (t == 0) out_ += " sem_init(&s" + suffix_ + "[0], 0, 0);\n";
      list(program_.threads[t]);
      out_ += t != 0 ? " return p;\n}\n" : program_.main_returns ? " return 0;\n}\n" : " pthread_exit(0);\n}\n";
    }
    return out_;
  }

 private:
  void list(const std::vector<Operation>& operations) {
    for (const Operation& o : operations) one(o);
  }
  void block(const std::string& condition, const Operation& o, const std::string& end = "") {
    out_ += condition + " {\n";
    list(o.block);
    out_ += end + " }\n";
  }
  void one(const Operation& o) {
    const std::string a = std::to_string(o.a), b = std::to_string(o.b);
    const std::string x = "x" + suffix_ + "[" + a + "]", m = "&m" + suffix_ + "[" + a + "]",
                      s = "&s" + suffix_ + "[" + a + "]", g = "&g" + suffix_, plain = "*(volatile int *)&" + x,
                      order = ", " + std::to_string(o.order) + ")", failure = ", " + std::to_string(o.failure) + ")";
    switch (o.kind) {
      case Kind::Read: out_ += " (void)" + plain + ";\n"; break;
      case Kind::Write: out_ += " " + plain + " = " + b + ";\n"; break;
      case Kind::WriteByte: out_ += " ((volatile char *)&" + x + ")[" + b + "] = 1;\n"; break;
      case Kind::Add: out_ += " " + plain + " += 1;\n"; break;
      case Kind::IfPlain: block(" if (" + plain + " == " + b + ")", o); break;
      case Kind::AtomicRead: out_ += " (void)__atomic_load_n(&" + x + order + ";\n"; break;
      case Kind::AtomicWrite: out_ += " __atomic_store_n(&" + x + ", " + b + order + ";\n"; break;
      case Kind::AtomicAdd: out_ += " __atomic_fetch_add(&" + x + ", 1" + order + ";\n"; break;
      case Kind::Fence: out_ += " __atomic_thread_fence(" + std::to_string(o.order) + ");\n"; break;
      case Kind::Give: out_ += " q = malloc(4); *q = 1; __atomic_store_n(" + g + ", q" + order + ";\n"; break;
      case Kind::Take:
        out_ += " q = __atomic_load_n(" + g + order + "; if (q) " + (o.b == 0 ? "(void)*(volatile int *)q" : "*q = 2") + ";\n";
        break;
      case Kind::IfAtomic: block(" if (__atomic_load_n(&" + x + order + " == " + b + ")", o); break;
      case Kind::IfExchanged:
        block(" e = " + b + "; if (__atomic_compare_exchange_n(&" + x + ", &e, 3, 0, " + std::to_string(o.order) + failure + ")", o);
        break;
      case Kind::Locked:
        out_ += " pthread_mutex_lock(" + m + ");\n";
        list(o.block);
        out_ += " pthread_mutex_unlock(" + m + ");\n";
        break;
      case Kind::IfLocked:
        block(" if (!pthread_mutex_trylock(" + m + "))", o, " pthread_mutex_unlock(" + m + ");");
        break;
      case Kind::Lock: out_ += " pthread_mutex_lock(" + m + ");\n"; break;
      case Kind::Post: out_ += " sem_post(" + s + ");\n"; break;
      case Kind::Wait: out_ += " sem_wait(" + s + ");\n"; break;
      case Kind::Create: out_ += " pthread_create(&t[" + a + "], 0, t" + a + "_" + suffix_ + ", 0);\n"; break;
      case Kind::Join: out_ += " pthread_join(t[" + a + "], 0);\n"; break;
      case Kind::Detach: out_ += " pthread_detach(t[" + a + "]);\n"; break;
    }
  }

  const Program& program_;
  std::string suffix_, out_;
};

}  // namespace

Program random_program(uint64_t seed) { return Maker(seed).program(); }
std::string to_c(const Program& program, const std::string& suffix) { return Printer(program, suffix).text(); }
std::string c_prelude() { return "#include <pthread.h>\n#include <semaphore.h>\n#include <stdlib.h>\n"; }

}  // namespace whittle::test::races
