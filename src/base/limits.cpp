#include "base/limits.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace whittle {

std::string to_string(Stop reason) {
  switch (reason) {
    case Stop::No: return "not stopped";
    case Stop::Time: return "time limit reached";
    case Stop::Memory: return "memory limit reached";
    case Stop::Interrupt: return "interrupted";
  }
  return "?";
}

uint64_t resident_memory() {
  std::FILE* file = std::fopen("/proc/self/statm", "r");
  if (file == nullptr) return 0;
  unsigned long total = 0, resident = 0;
  int fields = std::fscanf(file, "%lu %lu", &total, &resident);
  std::fclose(file);
  return fields == 2 ? resident * static_cast<uint64_t>(sysconf(_SC_PAGESIZE)) : 0;
}

uint64_t peak_memory() {
  rusage usage{}, children{};
  getrusage(RUSAGE_SELF, &usage);
  getrusage(RUSAGE_CHILDREN, &children);
  return static_cast<uint64_t>(std::max(usage.ru_maxrss, children.ru_maxrss)) * 1024;
}

Stop Limits::check(uint64_t calls) {
  if (elapsed() >= timeout_) return stop_ = Stop::Time;
  if ((calls & 4095u) == 0 && memory_ != std::numeric_limits<uint64_t>::max() && resident_memory() >= memory_)
    return stop_ = Stop::Memory;
  return Stop::No;
}

}  // namespace whittle
