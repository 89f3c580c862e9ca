#include "base/checkpoint.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "base/error.h"
#include "base/hash.h"

namespace whittle {

namespace {

constexpr uint64_t kMagic = 0x31656c7474696877;  // "whittle1"
constexpr uint64_t kFormat = 2;                  ///< to be raised with every change of what is written
constexpr uint64_t kPiece = 1 << 20;             ///< hashed at a time

}  // namespace

void require_place_for_checkpoint(const std::string& path) { CheckpointWriter(path, 0); }

CheckpointWriter::CheckpointWriter(std::string path, uint64_t digest)
    : path_(std::move(path)), temporary_(path_ + ".new") {
  std::error_code ignored;
  if (auto folder = std::filesystem::path(path_).parent_path(); !folder.empty())
    std::filesystem::create_directories(folder, ignored);
  file_ = std::fopen(temporary_.c_str(), "wb");
  if (file_ == nullptr) fail_input("cannot write the checkpoint {}: {}", path_, std::strerror(errno));
  value(kMagic);
  value(kFormat);
  value(digest);
}

CheckpointWriter::~CheckpointWriter() {
  if (file_ == nullptr) return;
  std::fclose(file_);
  std::remove(temporary_.c_str());
}

void CheckpointWriter::bytes(const void* data, uint64_t size) {
  for (uint64_t done = 0; done < size;) {
    const uint64_t piece = std::min<uint64_t>(kPiece - buffer_.size(), size - done);
    const auto* at = static_cast<const uint8_t*>(data) + done;
    buffer_.insert(buffer_.end(), at, at + piece);
    done += piece;
    if (buffer_.size() != kPiece) continue;
    write_piece();
    if (between_) between_();
  }
}

void CheckpointWriter::write_piece() {
  hash_ = hash_combine(hash_, hash_bytes(buffer_));
  if (std::fwrite(buffer_.data(), 1, buffer_.size(), file_) != buffer_.size())
    fail_input("cannot write the checkpoint {}: {}", path_, std::strerror(errno));
  buffer_.clear();
}

void CheckpointWriter::finish() {
  if (!buffer_.empty()) write_piece();
  const uint64_t hash = hash_;
  if (std::fwrite(&hash, sizeof hash, 1, file_) != 1)
    fail_input("cannot write the checkpoint {}: {}", path_, std::strerror(errno));
  bool good = std::fflush(file_) == 0 && ::fsync(fileno(file_)) == 0;
  good = std::fclose(file_) == 0 && good;
  file_ = nullptr;
  good = good && std::rename(temporary_.c_str(), path_.c_str()) == 0;
  if (!good) {
    const int error = errno;
    std::remove(temporary_.c_str());
    fail_input("cannot write the checkpoint {}: {}", path_, std::strerror(error));
  }
  auto folder = std::filesystem::path(path_).parent_path();
  if (int directory = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY); directory >= 0) {
    ::fsync(directory);  // the new name, too
    ::close(directory);
  }
}

CheckpointReader::CheckpointReader(std::string path, uint64_t digest) : path_(std::move(path)) {
  file_ = std::fopen(path_.c_str(), "rb");
  if (file_ == nullptr) fail_input("there is no checkpoint {}: {}", path_, std::strerror(errno));
  std::error_code error;
  const uint64_t size = std::filesystem::file_size(path_, error);
  if (error || size < 4 * sizeof(uint64_t)) fail_input("{} is no checkpoint", path_);
  left_ = size - sizeof(uint64_t);
  if (value<uint64_t>() != kMagic) fail_input("{} is no checkpoint", path_);
  std::rewind(file_);
  left_ = size - sizeof(uint64_t);
  check_hash();
  value<uint64_t>();
  if (value<uint64_t>() != kFormat) fail_input("{} is a checkpoint of another version of whittle", path_);
  if (value<uint64_t>() != digest)
    fail_input("{} is a checkpoint of another program, or of other options: they must be the same", path_);
}

/// Reads all of it once: what is used later has been checked.
void CheckpointReader::check_hash() {
  std::vector<uint8_t> piece(kPiece);
  uint64_t hash = 0, expected = 0;
  for (uint64_t done = 0; done < left_;) {
    piece.resize(std::min(kPiece, left_ - done));
    if (std::fread(piece.data(), 1, piece.size(), file_) != piece.size()) damaged();
    hash = hash_combine(hash, hash_bytes(piece));
    done += piece.size();
  }
  if (std::fread(&expected, sizeof expected, 1, file_) != 1 || expected != hash) damaged();
  std::rewind(file_);
}

CheckpointReader::~CheckpointReader() {
  if (file_ != nullptr) std::fclose(file_);
}

void CheckpointReader::damaged() const { fail_input("the checkpoint {} is damaged", path_); }

uint64_t CheckpointReader::count(uint64_t element_size) {
  const auto count = value<uint64_t>();
  if (count > left_ / element_size) damaged();
  return count;
}

void CheckpointReader::bytes(void* data, uint64_t size) {
  if (size > left_) damaged();
  left_ -= size;
  auto* at = static_cast<uint8_t*>(data);
  for (uint64_t piece = 0; size != 0; size -= piece, at += piece) {
    piece = std::min(kPiece, size);
    if (std::fread(at, 1, piece, file_) != piece) damaged();
    if (between_) between_();
  }
}

}  // namespace whittle
