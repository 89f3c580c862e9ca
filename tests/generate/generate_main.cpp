// Prints random programs: whittle_generate --seed 1 --count 100 --threads 2 ... (for looking at, and for shell tests)
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "generate/generator.h"

int main(int argc, char** argv) {
  whittle::generate::Options options;
  unsigned count = 1;
  auto value = [&](int& i) { return i + 1 < argc ? std::strtoull(argv[++i], nullptr, 10) : 0; };
  for (int i = 1; i < argc; ++i) {
    auto is = [&](const char* name) { return std::strcmp(argv[i], name) == 0; };
    if (is("--seed"))
      options.seed = value(i);
    else if (is("--count"))
      count = static_cast<unsigned>(value(i));
    else if (is("--threads"))
      options.threads = static_cast<unsigned>(value(i));
    else if (is("--statements"))
      options.statements = static_cast<unsigned>(value(i));
    else if (is("--choices"))
      options.choices = static_cast<unsigned>(value(i));
    else if (is("--choice-bits"))
      options.choice_bits = static_cast<unsigned>(value(i));
    else if (is("--asserts"))
      options.asserts = static_cast<unsigned>(value(i));
    else if (is("--endless"))
      options.endless = true;
    else if (is("--wide"))
      options.wide_inputs = true;
    else {
      std::fprintf(stderr,
                   "usage: whittle_generate [--seed N] [--count N] [--threads N] [--statements N] [--choices N] "
                   "[--choice-bits N] [--asserts N] [--endless] [--wide]\n");
      return 64;
    }
  }
  std::fputs(whittle::generate::prelude().c_str(), stdout);
  for (unsigned i = 0; i < count; ++i, ++options.seed)
    std::fputs(whittle::generate::generate(options, std::to_string(options.seed)).c_str(), stdout);
}
