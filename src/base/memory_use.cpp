#include "base/memory_use.h"

#include <unistd.h>

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <string>

namespace whittle {

namespace {

uint64_t resident_in(const char* path) {
  std::FILE* file = std::fopen(path, "r");
  if (file == nullptr) return 0;
  unsigned long total = 0, resident = 0;
  int fields = std::fscanf(file, "%lu %lu", &total, &resident);
  std::fclose(file);
  return fields == 2 ? resident * static_cast<uint64_t>(sysconf(_SC_PAGESIZE)) : 0;
}

/// The sum of the lines "NAME:  N kB" of a file of /proc, in bytes.
uint64_t kilobytes_in(const std::string& path, std::initializer_list<const char*> names) {
  std::FILE* file = std::fopen(path.c_str(), "r");
  if (file == nullptr) return 0;
  uint64_t sum = 0;
  for (char line[256]; std::fgets(line, sizeof line, file) != nullptr;)
    for (const char* name : names)
      if (const size_t n = std::strlen(name); std::strncmp(line, name, n) == 0 && line[n] == ':') {
        uint64_t kilobytes = 0;
        if (std::sscanf(line + n + 1, "%" SCNu64, &kilobytes) == 1) sum += kilobytes * 1024;
      }
  std::fclose(file);
  return sum;
}

}  // namespace

uint64_t resident_memory() { return resident_in("/proc/self/statm"); }

uint64_t resident_memory(pid_t process) {
  return resident_in(("/proc/" + std::to_string(process) + "/statm").c_str());
}

uint64_t private_memory(pid_t process) {
  return kilobytes_in("/proc/" + std::to_string(process) + "/smaps_rollup", {"Private_Clean", "Private_Dirty"});
}

void MemoryUse::add(pid_t process) {
  std::lock_guard lock(mutex_);
  workers_[process] = {};
}

void MemoryUse::remove(pid_t process) {
  std::lock_guard lock(mutex_);
  workers_.erase(process);
}

uint64_t MemoryUse::of(pid_t process) const {
  std::lock_guard lock(mutex_);
  auto it = workers_.find(process);
  return it == workers_.end() ? 0 : it->second.now;
}

uint64_t MemoryUse::look() {
  std::lock_guard lock(mutex_);
  uint64_t sum = resident_memory();
  for (auto& [process, worker] : workers_) {
    const uint64_t resident = resident_memory(process);
    // What has become its own since the pages were looked at: what it has gained, at least. They are looked at again
    // when a fiftieth has changed, so this costs little in all.
    const uint64_t changed = resident > worker.resident ? resident - worker.resident : worker.resident - resident;
    if (changed > worker.resident / 50) {
      worker.own = private_memory(process);
      worker.resident = resident;
    }
    worker.now = worker.own + resident - std::min(resident, worker.resident);
    sum += worker.now;
  }
  peak_ = std::max(peak_, sum);
  return sum;
}

uint64_t MemoryUse::peak() {
  look();
  std::lock_guard lock(mutex_);
  // (rusage would tell of whoever started this process, too: it survives exec.)
  return std::max(peak_, kilobytes_in("/proc/self/status", {"VmHWM"}));
}

}  // namespace whittle
