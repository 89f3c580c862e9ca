// A file of one's own for a while.
//
//   TemporaryFile proof;          // an empty file, made so that no other process has it
//   write_to(proof.name());       // gone when `proof` is
#pragma once

#include <string>

namespace whittle::app::suite {

class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& suffix = {});  ///< throws Error (internal) if it cannot be made
  ~TemporaryFile();
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  const std::string& name() const { return name_; }

 private:
  std::string name_;
};

}  // namespace whittle::app::suite
