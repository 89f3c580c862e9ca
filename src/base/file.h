// A file as a string.
#pragma once

#include <fstream>
#include <sstream>
#include <string>

namespace whittle {

/// All bytes of a file; none if it cannot be read.
inline std::string file_text(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();  // (a folder can be opened, but not read)
  return text.str();
}

}  // namespace whittle
