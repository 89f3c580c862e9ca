#include "explore/spill.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/mman.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "base/error.h"

namespace whittle::explore {

namespace {

constexpr uint64_t kPiece = uint64_t{16} << 20;  ///< written, or given back, at a time
constexpr uint64_t kSmallShare = 64;             ///< arrays below this part of the memory stay there
constexpr double kMuch = 0.75, kEnough = 0.6;    ///< of the memory: pages are given back from the one down to the other

bool is_in_memory(const std::string& folder) {
  struct statfs about{};
  return ::statfs(folder.c_str(), &about) == 0 && (about.f_type == TMPFS_MAGIC || about.f_type == RAMFS_MAGIC);
}

}  // namespace

Spill::Spill(std::string folder, Limits& limits, double from)
    : folder_(std::move(folder)),
      limits_(limits),
      from_(from),
      smallest_(from == 0 || !limits.limits_memory() ? 0 : limits.memory() / kSmallShare) {
  std::error_code ignored;
  std::filesystem::create_directories(folder_, ignored);
  if (is_in_memory(folder_)) fail_input("--spill {}: this folder is in memory itself, not on a disk", folder_);
  std::signal(SIGXFSZ, SIG_IGN);  // a limit on the size of files is an error like others
  int file = make_file(1);
  if (file < 0) fail_input("--spill: {}", failure());
  ::close(file);
  if (from_ == 0) begin();
}

Spill::~Spill() = default;

bool Spill::due() const {
  return !active() && limits_.limits_memory() &&
         static_cast<double>(resident_memory()) >= from_ * static_cast<double>(limits_.memory());
}

void Spill::begin() {
  active_.store(true, std::memory_order_release);
}

std::string Spill::failure() const {
  std::lock_guard lock(mutex_);
  return failure_;
}

void Spill::fail(int error) {
  std::lock_guard lock(mutex_);
  failure_ = "no room in " + folder_ + ": " + std::strerror(error);
  failed_.store(true, std::memory_order_release);
}

bool Spill::reserve(int file, uint64_t bytes) {
  int error = ::posix_fallocate(file, 0, static_cast<off_t>(bytes));
  if (error != 0) fail(error);
  return error == 0;
}

/// Without a name, and with its space on the disk.
int Spill::make_file(uint64_t bytes) {
  int file = ::open(folder_.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (file < 0) {  // not every file system can
    std::string name = folder_ + "/spill-XXXXXX";
    file = ::mkostemp(name.data(), O_CLOEXEC);
    if (file >= 0) ::unlink(name.c_str());
  }
  if (file < 0) {
    fail(errno);
    return -1;
  }
  if (reserve(file, bytes)) return file;
  ::close(file);
  return -1;
}

void* Spill::add(int file, uint64_t bytes) {
  void* data = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (data == MAP_FAILED) {
    fail(errno);
    ::close(file);
    return nullptr;
  }
  std::lock_guard lock(mutex_);
  mappings_.push_back({static_cast<uint8_t*>(data), bytes, file});
  bytes_ += bytes;
  return data;
}

void* Spill::map(uint64_t bytes, int& file) {
  int made = make_file(bytes);
  void* data = made < 0 ? nullptr : add(made, bytes);
  if (data != nullptr) file = made;
  return data;
}

void* Spill::take(void* data, uint64_t used, uint64_t bytes, int& file) {
  int made = make_file(bytes);
  if (made < 0) return nullptr;
  auto* from = static_cast<uint8_t*>(data);
  // Nothing is freed before all is written: a disk that fails leaves the array as it is.
  for (uint64_t done = 0; done < used;) {
    const ssize_t n = ::pwrite(made, from + done, std::min(kPiece, used - done), static_cast<off_t>(done));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) {
      fail(n == 0 ? ENOSPC : errno);
      ::close(made);
      return nullptr;
    }
    done += static_cast<uint64_t>(n);
  }
  void* mapped = add(made, bytes);
  if (mapped == nullptr) return nullptr;
  ::munmap(data, bytes);
  file = made;
  return mapped;
}

void* Spill::extend(void* data, uint64_t bytes, uint64_t new_bytes, int file) {
  if (!reserve(file, new_bytes)) return nullptr;
  std::lock_guard lock(mutex_);
  void* moved = ::mremap(data, bytes, new_bytes, MREMAP_MAYMOVE);
  if (moved == MAP_FAILED) return nullptr;
  auto it = std::ranges::find(mappings_, static_cast<uint8_t*>(data), &Mapping::data);
  *it = {static_cast<uint8_t*>(moved), new_bytes, file};
  bytes_ += new_bytes - bytes;
  return moved;
}

void Spill::unmap(void* data, uint64_t bytes, int file) {
  std::lock_guard lock(mutex_);
  std::erase_if(mappings_, [&](const Mapping& mapping) { return mapping.data == data; });
  bytes_ -= bytes;
  ::munmap(data, bytes);
  ::close(file);
}

void Spill::relieve() {
  if (!active() || !limits_.limits_memory()) return;
  const auto memory = static_cast<double>(limits_.memory());
  if (static_cast<double>(resident_memory()) < kMuch * memory) return;
  std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock) return;  // another thread is at it
  for (uint64_t pieces = bytes() / kPiece + 2 * mappings_.size() + 2; pieces > 0; --pieces) {
    give_back_some();
    if (static_cast<double>(resident_memory()) < kEnough * memory) return;
  }
}

/// Unmaps the next piece of the files; what was written is on its way to the disk then. Requires the lock.
void Spill::give_back_some() {
  if (next_mapping_ >= mappings_.size()) {
    next_mapping_ = 0;
    next_byte_ = 0;
  }
  if (mappings_.empty()) return;
  const Mapping& mapping = mappings_[next_mapping_];
  if (next_byte_ >= mapping.bytes) {
    ++next_mapping_;
    next_byte_ = 0;
    return;
  }
  const uint64_t size = std::min(kPiece, mapping.bytes - next_byte_);
  ::sync_file_range(mapping.file, static_cast<off_t>(next_byte_), static_cast<off_t>(size), SYNC_FILE_RANGE_WRITE);
  ::madvise(mapping.data + next_byte_, size, MADV_DONTNEED);
  next_byte_ += size;
}

}  // namespace whittle::explore
