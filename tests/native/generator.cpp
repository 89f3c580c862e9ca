#include "native/generator.h"

#include <fmt/format.h>

#include <random>

namespace whittle::native {

namespace {

constexpr unsigned kVariables = 3, kAtomics = 2, kMutexes = 2;

class Generator {
 public:
  explicit Generator(uint64_t seed) : random_(seed), suffix_(std::to_string(seed)) {}

  std::string run() {
    threads_ = 2 + any(2);
    globals();
    for (unsigned t = 1; t <= threads_; ++t) {
      thread_ = t;
      line("static void* t{}_{}(void* unused) {{", t, suffix_);
      ++indent_;
      line("int v = {};", t);
      statements(2 + any(4), 2);
      if (any(8) == 0) line("pthread_exit(0);");
      line("return unused;");
      close();
    }
    thread_ = 0;
    entry();
    return std::move(text_);
  }

 private:
  unsigned any(unsigned below) { return static_cast<unsigned>(random_() % below); }
  template <typename... Arguments>
  void line(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    text_ += std::string(2 * indent_, ' ') + fmt::format(format, std::forward<Arguments>(arguments)...) + "\n";
  }
  void close() {
    --indent_;
    line("}}");
  }
  std::string name(const char* what, unsigned i) { return fmt::format("{}{}_{}", what, i, suffix_); }
  std::string name(const char* what) { return fmt::format("{}_{}", what, suffix_); }
  std::string variable() { return name("g", any(kVariables)); }
  std::string atomic() { return "&" + name("a", any(kAtomics)); }

  void globals() {
    for (unsigned i = 0; i < kVariables; ++i) line("static int g{}_{};", i, suffix_);
    for (unsigned i = 0; i < kAtomics; ++i) line("static atomic_int a{}_{};", i, suffix_);
    line("static pthread_mutex_t m0_{} = PTHREAD_MUTEX_INITIALIZER;", suffix_);
    line("static pthread_mutex_t m1_{} = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;", suffix_);
    line("static pthread_rwlock_t l_{} = PTHREAD_RWLOCK_INITIALIZER;", suffix_);
    line("static pthread_spinlock_t s_{};", suffix_);
    line("static sem_t e_{};", suffix_);
    line("static pthread_cond_t c_{} = PTHREAD_COND_INITIALIZER;", suffix_);
    line("static pthread_barrier_t b_{};", suffix_);
    line("static pthread_once_t o_{} = PTHREAD_ONCE_INIT;", suffix_);
    line("static pthread_t h_{}[4];", suffix_);
    line("static void once_{}(void) {{ {} += 10; }}", suffix_, variable());
  }

  std::string value() {
    switch (any(5)) {
      case 0: return std::to_string(any(4));
      case 1: return "v";
      case 2: return fmt::format("atomic_load({})", atomic());
      case 3: return fmt::format("v + {}", variable());
      default: return variable();
    }
  }

  void statements(unsigned count, unsigned depth) {
    for (unsigned i = 0; i < count; ++i) statement(depth);
  }

  void statement(unsigned depth) {
    switch (any(depth > 0 ? 20 : 9)) {
      case 0:
      case 1: return line("{} = {};", variable(), value());
      case 2: return line("{} += {};", variable(), 1 + any(3));
      case 3: return line("v = {};", value());
      case 4: return line("atomic_store({}, {});", atomic(), value());
      case 5: return line("v += atomic_fetch_add({}, {});", atomic(), 1 + any(3));
      case 6: return line("printf(\"{} %d %d\\n\", v, {});", thread_, variable());
      case 7: return small_call();
      case 8:
        line("{{ int e = {}; v += atomic_compare_exchange_strong({}, &e, {}) ? 7 : e; }}", any(3), atomic(), any(4));
        return;
      case 9:
      case 10:
      case 11: return critical(depth);
      case 12: return reading(depth);
      case 13:
        line("if ({} {} {}) {{", value(), any(2) ? "<" : "==", any(4));
        ++indent_;
        statements(1 + any(2), depth - 1);
        return close();
      case 14:
        line("for (int i = 0; i < 2; i++) {{");
        ++indent_;
        statements(1 + any(2), depth - 1);
        return close();
      case 15: return waiting();
      case 16: return trying(depth);
      case 17: return line("assert({} != {});", value(), 2 + any(6));
      case 18:
        if (thread_ != 0 && any(10) == 0) return line("v += pthread_barrier_wait(&b_{}) != 0;", suffix_);
        return line("sem_post(&e_{});", suffix_);
      default: return line("pthread_once(&o_{0}, once_{0});", suffix_);
    }
  }

  void small_call() {
    switch (any(6)) {
      case 0: return line("sched_yield();");
      case 1: return line("sem_post(&e_{});", suffix_);
      case 2: return line("v += sem_trywait(&e_{}) ? errno : 1;", suffix_);
      case 3: return line("pthread_cond_signal(&c_{});", suffix_);
      case 4: return line("{}(&e_{});", any(3) ? "sem_post" : "sem_wait", suffix_);
      default: return line("pthread_cond_broadcast(&c_{});", suffix_);
    }
  }

  void critical(unsigned depth) {
    unsigned which = any(4);
    if ((held_ >> which & 1) != 0 && any(4) != 0) which = 1;  // most threads do not block themselves
    const unsigned before = held_;
    held_ |= 1u << which;
    std::string lock = which < 2 ? fmt::format("pthread_mutex_lock(&{});", name("m", which))
                       : which == 2 ? fmt::format("pthread_spin_lock(&s_{});", suffix_)
                                    : fmt::format("pthread_rwlock_wrlock(&l_{});", suffix_);
    std::string unlock = which < 2 ? fmt::format("pthread_mutex_unlock(&{});", name("m", which))
                         : which == 2 ? fmt::format("pthread_spin_unlock(&s_{});", suffix_)
                                      : fmt::format("pthread_rwlock_unlock(&l_{});", suffix_);
    line("{}", lock);
    statements(1 + any(3), depth - 1);
    if (any(15) != 0) line("{}", unlock);  // sometimes left locked
    held_ = before;
  }

  void reading(unsigned depth) {
    if (held_ >> 3 != 0) return line("v++;");
    held_ |= 8;
    line("pthread_rwlock_rdlock(&l_{});", suffix_);
    statements(1 + any(2), depth - 1);
    line("pthread_rwlock_unlock(&l_{});", suffix_);
    held_ &= ~8u;
  }

  void trying(unsigned depth) {
    unsigned which = any(4);
    std::string call = which < 2    ? fmt::format("pthread_mutex_trylock(&{})", name("m", which))
                       : which == 2 ? fmt::format("pthread_spin_trylock(&s_{})", suffix_)
                                    : fmt::format("pthread_rwlock_trywrlock(&l_{})", suffix_);
    line("{{ int r = {};", call);
    ++indent_;
    line("printf(\"{} try %d\\n\", r);", thread_);
    line("if (r == 0) {{");
    ++indent_;
    statements(1 + any(2), depth - 1);
    line("{};", which < 2    ? fmt::format("pthread_mutex_unlock(&{})", name("m", which))
                : which == 2 ? fmt::format("pthread_spin_unlock(&s_{})", suffix_)
                             : fmt::format("pthread_rwlock_unlock(&l_{})", suffix_));
    close();
    close();
  }

  void waiting() {
    if ((held_ & 1) != 0 || any(2)) return line("{} += v;", variable());
    std::string condition = fmt::format("{} < {}", variable(), any(3));
    line("pthread_mutex_lock(&m0_{});", suffix_);
    line("{} ({}) pthread_cond_wait(&c_{}, &m0_{});", any(3) ? "while" : "if", condition, suffix_, suffix_);
    line("{} += 1;", variable());
    line("pthread_mutex_unlock(&m0_{});", suffix_);
  }

  void entry() {
    line("int main_{}(void) {{", suffix_);
    ++indent_;
    line("int v = 0;");
    line("pthread_spin_init(&s_{}, 0);", suffix_);
    line("sem_init(&e_{}, 0, {});", suffix_, any(2));
    line("pthread_barrier_init(&b_{}, 0, 2);", suffix_);
    // What is never written is no step of the machine, atomic or not.
    for (unsigned i = 0; i < kAtomics; ++i) line("atomic_store(&a{}_{}, 0);", i, suffix_);
    for (unsigned t = 1; t <= threads_; ++t) {
      line("pthread_create(&h_{}[{}], 0, t{}_{}, 0);", suffix_, t, t, suffix_);
      if (any(4) == 0) statement(1);
    }
    statements(any(3), 2);
    for (unsigned t = 1; t <= threads_; ++t)
      if (any(10) != 0) line("pthread_join(h_{}[{}], 0);", suffix_, t);
    for (unsigned i = 0; i < kVariables; ++i) line("printf(\"%d \", g{}_{});", i, suffix_);
    for (unsigned i = 0; i < kAtomics; ++i) line("printf(\"%d \", atomic_load(&a{}_{}));", i, suffix_);
    line("assert(g0_{} != {});", suffix_, any(4));
    if (any(6) == 0) line("exit(3);");
    line("printf(\"%d\\n\", v);");
    line("return 0;");
    close();
    text_ += "\n";
  }

  std::mt19937_64 random_;
  std::string suffix_, text_;
  unsigned indent_ = 0, threads_ = 2, thread_ = 0;
  unsigned held_ = 0;  ///< bits: m0, m1, spin lock, rwlock
};

}  // namespace

std::string prelude() {
  return "#define _GNU_SOURCE\n"
         "#include <assert.h>\n"
         "#include <errno.h>\n"
         "#include <pthread.h>\n"
         "#include <sched.h>\n"
         "#include <semaphore.h>\n"
         "#include <stdatomic.h>\n"
         "#include <stdio.h>\n"
         "#include <stdlib.h>\n\n";
}

std::string synchronised_program(uint64_t seed) { return Generator(seed).run(); }

}  // namespace whittle::native
