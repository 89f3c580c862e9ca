// A file as a string.
#pragma once

#include <fstream>
#include <iterator>
#include <string>

namespace whittle {

/// All bytes of a file; none if it cannot be read.
inline std::string file_text(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

}  // namespace whittle
