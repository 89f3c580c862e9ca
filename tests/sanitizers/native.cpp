#include "sanitizers/native.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "sanitizers/c_programs.h"

namespace whittle::sanitizers {
namespace {

/// Runs program after program on input after input, each in a process of its own, and prints one line for each:
/// SEED INPUT STATUS LIVE LINE REPORT.
constexpr const char* kDriver = R"(
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

struct program { unsigned long seed; int (*entry)(void); };
extern const struct program programs[];
struct shared { int line, live; } *shared;
static unsigned input, asked;

_Bool __VERIFIER_nondet_bool(void) { return input >> asked++ & 1; }
void reach_error(void) { write(2, "reach_error\n", 12); _exit(0); }
#undef calloc
#undef free
void* counted_calloc(size_t n, size_t size) { shared->live++; return calloc(n, size); }
void counted_free(void* p) { free(p); if (p) shared->live--; }

int main(void) {
  static char text[1 << 16];
  shared = mmap(0, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  int log = memfd_create("log", 0);
  for (const struct program* p = programs; p->entry; p++)
    for (input = 0; input < 16; input++) {
      ftruncate(log, 0);
      shared->line = shared->live = 0;
      pid_t child = fork();
      if (child == 0) {
        lseek(log, 0, SEEK_SET);
        dup2(log, 2);
        _exit(p->entry());
      }
      int status;
      waitpid(child, &status, 0);
      long n = pread(log, text, sizeof text - 1, 0);
      text[n < 0 ? 0 : n] = 0;
      // The first line that says something.
      char* report = strstr(text, "runtime error: ");
      if (!report) report = strstr(text, "AddressSanitizer: ");
      if (!report) report = text;
      char* begin = report;
      while (begin > text && begin[-1] != '\n') begin--;
      begin[strcspn(begin, "\n")] = 0;
      printf("%lu %u %d %d %d %s\n", p->seed, input, WIFEXITED(status) ? WEXITSTATUS(status) : -1, shared->live, shared->line, begin);
      fflush(stdout);
    }
}
)";

bool contains(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

std::string property_of(const std::string& report) {
  if (report.empty()) return "";
  if (report == "reach_error") return "unreach-call";
  if (contains(report, "runtime error: ")) {
    if (contains(report, "division by zero")) return "no-div-by-zero";
    if (contains(report, "shift exponent")) return "no-bad-shift";
    if (contains(report, "null pointer")) return "valid-deref";
    if (contains(report, "overflow") || contains(report, "negation of") || contains(report, "left shift of") ||
        contains(report, "division of"))
      return "no-overflow";
  } else if (contains(report, "AddressSanitizer: ")) {
    if (contains(report, "attempting double-free") || contains(report, "attempting free on")) return "valid-free";
    for (const char* access : {"-overflow", "-underflow", "-use-after-", "SEGV"})
      if (contains(report, access)) return "valid-deref";
  }
  throw std::runtime_error("a report that has no meaning here: " + report);
}

/// A report of the undefined-behaviour sanitizer says where; elsewhere the line that the program noted last counts.
unsigned line_of(const std::string& report, unsigned noted) {
  size_t message = report.find(": runtime error: ");
  if (message == std::string::npos) return noted;
  size_t column = report.rfind(':', message - 1), line = report.rfind(':', column - 1);
  return static_cast<unsigned>(std::stoul(report.substr(line + 1)));
}

}  // namespace

std::map<uint64_t, std::vector<Ending>> run_natively(const std::vector<uint64_t>& seeds, const std::string& folder) {
  std::string source = folder + "/batch.c", binary = folder + "/batch", output = folder + "/batch.txt";
  {
    std::ofstream out(source);
    out << "#define _GNU_SOURCE\n#include <stdarg.h>\n#include <stdlib.h>\n#include <string.h>\n"
           "_Bool __VERIFIER_nondet_bool(void);\nvoid reach_error(void);\n"
           "extern struct shared { int line, live; } *shared;\n"
           "void* counted_calloc(size_t n, size_t size);\nvoid counted_free(void* p);\n"
           "#define calloc counted_calloc\n#define free counted_free\n#define HERE shared->line = __LINE__,\n";
    // The sanitizer guards the end of a global, and so the begin of the next one. What is used is emitted where it is
    // declared; otherwise data of the sanitizer itself come to lie before it, and nothing guards them.
    out << "#define static __attribute__((used)) static\n";
    for (uint64_t seed : seeds) out << "#line 1 \"program\"\n" << c_program(seed);
    out << "struct program { unsigned long seed; int (*entry)(void); };\nconst struct program programs[] = {\n";
    for (uint64_t seed : seeds) out << "{" << seed << ", main_" << seed << "},\n";
    out << "{0, 0}};\n";
    std::ofstream(folder + "/driver.c") << "#define _GNU_SOURCE\n#include <stdlib.h>\n#include <string.h>\n" << kDriver;
  }
  std::string command =
      WHITTLE_CLANG " -w -O0 -g0 -ffp-contract=off -fno-builtin -fsanitize=address,signed-integer-overflow,shift,"
      "integer-divide-by-zero,null -fno-sanitize-recover=all -fsanitize-address-use-after-scope -o " + binary + " " + source + " " + folder +
      "/driver.c && ASAN_OPTIONS=detect_leaks=0:symbolize=0:detect_stack_use_after_return=1 " + binary + " > " + output;
  if (std::system(command.c_str()) != 0) throw std::runtime_error("cannot build or run programs natively: " + command);

  std::map<uint64_t, std::vector<Ending>> endings;
  std::ifstream in(output);
  for (std::string text; std::getline(in, text);) {
    std::istringstream words(text);
    uint64_t seed = 0, input = 0;
    int live = 0;
    unsigned line = 0;
    Ending ending;
    words >> seed >> input >> ending.status >> live >> line;
    std::getline(words >> std::ws, ending.report);
    ending.property = property_of(ending.report);
    ending.line = ending.property.empty() ? 0 : line_of(ending.report, line);
    ending.leak = ending.property.empty() && live != 0;
    endings[seed].push_back(std::move(ending));
  }
  return endings;
}

}  // namespace whittle::sanitizers
