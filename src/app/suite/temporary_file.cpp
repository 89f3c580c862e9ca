#include "app/suite/temporary_file.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "base/error.h"

namespace whittle::app::suite {

namespace fs = std::filesystem;

TemporaryFile::TemporaryFile(const std::string& suffix)
    : name_((fs::temp_directory_path() / ("whittle-bench-XXXXXX" + suffix)).string()) {
  int descriptor = mkstemps(name_.data(), static_cast<int>(suffix.size()));
  if (descriptor < 0) fail_internal("cannot make a file in {}", fs::temp_directory_path().string());
  close(descriptor);
}

TemporaryFile::~TemporaryFile() { std::remove(name_.c_str()); }

}  // namespace whittle::app::suite
