#include <fmt/format.h>

#include "interleavings/language.h"

namespace whittle::interleavings {
namespace {

class Printer {
 public:
  Printer(const Program& program, std::string suffix) : program_(program), n_(std::move(suffix)) {}

  std::string run() {
    static const char* const kInitial[] = {"PTHREAD_MUTEX_INITIALIZER", "PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP",
                                           "PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP"};
    line("static int x_{0}[{1}];", n_, kShared);
    line("static _Atomic int z_{0}[{1}];", n_, kAtomics);
    line("static struct S s_{0}[{1}];", n_, kStructs);
    for (int m = 0; m < kMutexes; ++m)
      line("static pthread_mutex_t m{1}_{0} = {2};", n_, m, kInitial[static_cast<int>(program_.mutex[m])]);
    line("static pthread_cond_t c_{0} = PTHREAD_COND_INITIALIZER;", n_);
    line("static sem_t q_{0};", n_);
    for (size_t i = program_.bodies.size(); i-- > 0;) body(static_cast<int>(i));
    return out_;
  }

 private:
  template <typename... Args>
  void line(fmt::format_string<Args...> format, Args&&... args) {
    out_.append(2 * static_cast<size_t>(depth_), ' ');
    out_ += fmt::format(format, std::forward<Args>(args)...) + "\n";
  }
  static std::string sum(int local, int c) {
    if (local < 0) return std::to_string(c);
    return c == 0 ? fmt::format("r{}", local) : fmt::format("r{} + {}", local, c);
  }
  static std::string into(int local) { return local < 0 ? "" : fmt::format("r{} = ", local); }

  void body(int i) {
    main_ = i == 0;
    if (main_)
      line("int main_{}(void) {{", n_);
    else
      line("static void *T{}_{}(void *arg) {{", i, n_);
    ++depth_;
    line("int r0 = 0, r1 = 0, r2 = 0, e = 0;");
    line("struct S l = {{0, 0, 0}};");
    if (main_) {
      line("pthread_t t[{}];", program_.bodies.size());
      line("sem_init(&q_{}, 0, {});", n_, program_.semaphore);
    }
    statements(program_.bodies[static_cast<size_t>(i)]);
    line("(void)r0, (void)r1, (void)r2, (void)e, (void)l;");
    line("return {};", main_ ? "0" : "arg");
    --depth_;
    line("}}");
  }
  void statements(const Body& body) {
    for (const Statement& s : body) statement(s);
  }
  void statement(const Statement& s) {
    switch (s.op) {
      case Op::Set: return line("r{} = {};", s.a, sum(s.b, s.c));
      case Op::Load: return line("r{} = x_{}[{}];", s.a, n_, s.b);
      case Op::Store: return line("x_{}[{}] = {};", n_, s.a, sum(s.b, s.c));
      case Op::AtomicLoad: return line("r{} = atomic_load(&z_{}[{}]);", s.a, n_, s.b);
      case Op::AtomicStore: return line("atomic_store(&z_{}[{}], {});", n_, s.a, sum(s.b, s.c));
      case Op::AtomicAdd: return line("r{} = atomic_fetch_add(&z_{}[{}], {});", s.a, n_, s.b, s.c);
      case Op::Exchange:
        line("e = {};", s.c);
        return line("r{} = atomic_compare_exchange_strong(&z_{}[{}], &e, {});", s.a, n_, s.b, s.c + 1);
      case Op::LoadStruct: return line("l = s_{}[{}];", n_, s.b);
      case Op::StoreStruct: return line("s_{}[{}] = l;", n_, s.a);
      case Op::CopyStruct: return line("s_{0}[{1}] = s_{0}[{2}];", n_, s.a, s.b);
      case Op::PassStruct: return line("r{} = sum(s_{}[{}]);", s.a, n_, s.b);
      case Op::GetMember: return line("r{} = l.{};", s.a, "abc"[s.b]);
      case Op::SetMember: return line("l.{} = {};", "abc"[s.a], sum(s.b, s.c));
      case Op::StoreMember: return line("s_{}[{}].{} = {};", n_, s.a, "abc"[s.b], s.c);
      case Op::Lock: return line("{}pthread_mutex_lock(&m{}_{});", into(s.a), s.b, n_);
      case Op::TryLock: return line("{}pthread_mutex_trylock(&m{}_{});", into(s.a), s.b, n_);
      case Op::Unlock: return line("{}pthread_mutex_unlock(&m{}_{});", into(s.a), s.b, n_);
      case Op::Wait: return line("pthread_cond_wait(&c_{0}, &m{1}_{0});", n_, s.b);
      case Op::Signal: return line("pthread_cond_signal(&c_{});", n_);
      case Op::Broadcast: return line("pthread_cond_broadcast(&c_{});", n_);
      case Op::SemWait: return line("sem_wait(&q_{});", n_);
      case Op::SemTryWait: return line("r{} = sem_trywait(&q_{});", s.a, n_);
      case Op::SemPost: return line("sem_post(&q_{});", n_);
      case Op::If:
        line("if (r{} == {}) {{", s.a, s.c);
        ++depth_;
        statements(s.yes);
        --depth_;
        if (!s.no.empty()) {
          line("}} else {{");
          ++depth_;
          statements(s.no);
          --depth_;
        }
        return line("}}");
      case Op::Assert: return line("assert(r{} != {});", s.a, s.c);
      case Op::Create: return line("pthread_create(&t[{0}], 0, T{0}_{1}, 0);", s.a, n_);
      case Op::Join: return line("pthread_join(t[{}], 0);", s.a);
      case Op::Detach: return line("pthread_detach(t[{}]);", s.a);
      case Op::Return: return line("return {};", main_ ? "0" : "arg");
      case Op::Exit: return line("pthread_exit(0);");
    }
  }

  const Program& program_;
  std::string n_, out_;
  int depth_ = 0;
  bool main_ = false;
};

}  // namespace

std::string prelude() {
  return "#define _GNU_SOURCE\n#include <assert.h>\n#include <pthread.h>\n#include <semaphore.h>\n"
         "#include <stdatomic.h>\nstruct S { int a, b, c; };\n"
         "static int sum(struct S s) { return s.a + s.b + s.c; }\n";
}

std::string to_c(const Program& program, const std::string& suffix) { return Printer(program, suffix).run(); }

}  // namespace whittle::interleavings
