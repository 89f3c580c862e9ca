#include "engines/crowd_programs.h"

#include <random>
#include <utility>

namespace whittle::test {

const char* const kCrowdBegin =
    "#include <assert.h>\n#include <pthread.h>\n#include <semaphore.h>\n"
    "extern _Bool __VERIFIER_nondet_bool(void);\nextern void __VERIFIER_assume(int);\n"
    "extern void __VERIFIER_atomic_begin(void);\nextern void __VERIFIER_atomic_end(void);\n"
    "pthread_mutex_t lock;\npthread_spinlock_t spin;\nsem_t permits;\npthread_t named;\nint m;\n"
    "static int up(int v) { return v + 1; }\nstatic int flip(int v) { return !v; }\n"
    "void __VERIFIER_atomic_acquire(void) { __VERIFIER_assume(m == 0); m = 1; }\n"
    "void __VERIFIER_atomic_release(void) { m = 0; }\n"
    "void __VERIFIER_atomic_swap(int *at, int from, int to, int *done) { *done = *at == from; if (*done) *at = to; }\n";

namespace {

class Text {
 public:
  explicit Text(uint64_t seed) : random_(seed), careful_(seed % 2 == 0) {}

  std::string program() {
    std::string text = kCrowdBegin;
    text += "int x, y = " + number() + ";\n";
    bool two = coin(2);
    text += "void *work(void *a) {\n  int r = 0, s = 0;\n" + block(4, 2) + "  return 0;\n}\n";
    if (two) text += "void *other(void *a) {\n  int r = 1, s = 0;\n" + block(3, 2) + "  return 0;\n}\n";
    text += "int main(void) {\n  pthread_t t;\n  int r = 0, s = 0;\n";
    if (text.find("permits") != std::string::npos) text += "  sem_init(&permits, 0, " + std::string(coin(4) ? "2" : "1") + ");\n";
    if (coin(2)) text += "  x = " + number() + ";\n";
    // A thread that is waited for, where it is the only one of its kind and where it is not.
    const bool global = coin(2), waits = coin(2);
    const std::string who = global ? "named" : "u";
    if (two && !global) text += "  pthread_t u;\n";
    if (two) text += "  pthread_create(&" + who + ", 0, other, 0);\n";
    if (two && waits && coin(2)) text += "  pthread_join(" + who + ", 0);\n" + block(2, 1);
    text += "  for (r = 0; r < " + std::string(coin(2) ? "2" : "3") + "; r++) pthread_create(&t, 0, work, 0);\n";
    if (two && waits && coin(2)) text += "  pthread_join(" + std::string(coin(6) ? "t" : who) + ", 0);\n" + block(2, 0);
    if (coin(3)) text += block(2, 1);
    return text + "  return 0;\n}\n";
  }

 private:
  bool coin(unsigned one_in) { return random_() % one_in == 0; }
  std::string number() { return std::to_string(random_() % 3); }
  std::string shared() {
    if (!careful_ || coin(8)) return coin(2) ? "x" : "y";
    return section_.empty() ? local() : section_;
  }
  /// What stands between taking a lock and giving it back.
  std::string section(const std::string& variable, unsigned depth) {
    const std::string outside = std::exchange(section_, variable);
    // In between it is what it is not when others have the lock.
    const bool flips = careful_ && coin(2);
    const std::string flip = flips ? "  " + variable + " ^= 1;\n" : "";
    std::string text = flip + block(3, depth) + flip;
    section_ = outside;
    return text;
  }
  std::string local() { return coin(2) ? "r" : "s"; }
  std::string variable() { return coin(2) ? shared() : local(); }
  std::string condition() {
    static const char* kOperators[] = {"==", "!=", "<", "<=", ">="};
    return variable() + " " + kOperators[random_() % 5] + " " + (coin(2) ? number() : variable());
  }
  std::string block(unsigned most, unsigned depth) {
    std::string text;
    unsigned count = 1 + random_() % most;
    for (unsigned i = 0; i < count; ++i) text += "  " + statement(depth) + "\n";
    return text;
  }
  std::string statement(unsigned depth) {
    unsigned kind = random_() % (depth > 0 ? 19 : 8);
    if (careful_ && depth > 0 && section_.empty() && coin(2)) kind = coin(2) ? 10 : 11;
    if (careful_ && coin(30)) return coin(2) ? "__VERIFIER_atomic_release();" : local() + " = m;";
    if (careful_ && coin(4)) return "assert(" + shared() + (coin(2) ? " == " : " != ") + number() + ");";
    switch (kind) {
      case 0: return shared() + " = " + number() + ";";
      case 1: return shared() + " = " + local() + ";";
      case 2:
      case 3: return local() + " = " + shared() + ";";
      case 4: return variable() + " = " + local() + " + 1;";
      case 5:
      case 6: return "assert(" + condition() + ");";
      case 7: return "__VERIFIER_assume(" + condition() + ");";
      case 8:
        return "if (" + condition() + ") {\n" + block(2, depth - 1) + "  } else {\n" + block(2, depth - 1) + "  }";
      case 9: return "__VERIFIER_atomic_begin();\n" + block(3, 0) + "  __VERIFIER_atomic_end();";
      case 10: return "pthread_mutex_lock(&lock);\n" + section("x", depth - 1) + "  pthread_mutex_unlock(&lock);";
      case 11: return "__VERIFIER_atomic_acquire();\n" + section("y", depth - 1) + "  __VERIFIER_atomic_release();";
      case 12:
        return "{ int done; __VERIFIER_atomic_swap(&" + shared() + ", " + number() + ", " + local() +
               ", &done);\n  if (done) {\n" + block(2, depth - 1) + "  } }";
      case 13: return "pthread_spin_lock(&spin);\n" + section("x", depth - 1) + "  pthread_spin_unlock(&spin);";
      case 14: return "sem_wait(&permits);\n" + section("y", depth - 1) + "  sem_post(&permits);";
      case 15:
        return "if (pthread_mutex_trylock(&lock)" + std::string(coin(6) ? "" : " == 0") + ") {\n" + section("x", depth - 1) +
               "  pthread_mutex_unlock(&lock); }";
      case 16:
        return "{ int (*p)(int) = " + condition() + " ? up : flip; " + variable() + " = p(" + local() + "); }";
      case 17: return "while (" + shared() + " == " + number() + ") {}";
      default: return "if (__VERIFIER_nondet_bool()) {\n" + block(2, depth - 1) + "  }";
    }
  }

  std::mt19937_64 random_;
  const bool careful_;
  std::string section_;  ///< the variable that goes with the innermost lock
};

}  // namespace

std::string crowd_program(uint64_t seed) { return Text(seed).program(); }

}  // namespace whittle::test
