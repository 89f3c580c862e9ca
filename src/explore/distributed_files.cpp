#include "explore/distributed_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "base/error.h"
#include "base/hash.h"

namespace whittle::explore {
namespace {

constexpr size_t kPiece = 1 << 20;
constexpr uint64_t kLongestState = uint64_t{1} << 30;

std::string part_file(const std::string& checkpoint, uint64_t generation, uint64_t part) {
  return fmt::format("{}.{:016x}.{}", checkpoint, generation, part);
}
uint64_t part_task(uint64_t task, Generation generation, uint64_t part) {
  return hash_combine(hash_combine(hash_combine(task, generation.number), generation.parts), part);
}

/// Files of parts beside the checkpoint, by the number of their generation.
template <typename Wanted>
void remove_if(const std::string& checkpoint, Wanted wanted) {
  const std::filesystem::path path(checkpoint);
  const std::string begin = path.filename().string() + ".";
  std::vector<std::filesystem::path> found;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(path.has_parent_path() ? path.parent_path() : ".", error)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(begin) || name.size() <= begin.size() + 17 || name[begin.size() + 16] != '.') continue;
    const std::string digits = name.substr(begin.size(), 16);
    if (digits.find_first_not_of("0123456789abcdef") != std::string::npos) continue;
    if (wanted(std::stoull(digits, nullptr, 16))) found.push_back(entry.path());
  }
  for (const auto& file : found) std::filesystem::remove(file, error);
}

}  // namespace

bool is_of_several_processes(const std::string& checkpoint) {
  std::FILE* file = std::fopen(checkpoint.c_str(), "rb");
  if (file == nullptr) return false;
  std::array<uint64_t, 4> head{};  // magic, format, task, kind
  const bool read = std::fread(head.data(), sizeof head, 1, file) == 1;
  std::fclose(file);
  return read && head[3] == static_cast<uint64_t>(CheckpointKind::SeveralProcesses);
}

void write_manifest(const std::string& checkpoint, uint64_t task, Generation generation) {
  CheckpointWriter out(checkpoint, task);
  out.value(CheckpointKind::SeveralProcesses);
  out.value(generation);
  out.finish();
}

Generation read_manifest(const std::string& checkpoint, uint64_t task) {
  CheckpointReader in(checkpoint, task);
  if (in.value<CheckpointKind>() != CheckpointKind::SeveralProcesses)
    fail_input("{} is a checkpoint of one process: go on without mpirun", checkpoint);
  const auto generation = in.value<Generation>();
  if (generation.parts == 0) in.damaged();
  return generation;
}

void remove_other_parts(const std::string& checkpoint, uint64_t generation) {
  remove_if(checkpoint, [&](uint64_t number) { return number != generation; });
}
void remove_parts(const std::string& checkpoint, uint64_t generation) {
  remove_if(checkpoint, [&](uint64_t number) { return number == generation; });
}

PartWriter::PartWriter(const std::string& checkpoint, uint64_t task, Generation generation, uint64_t part)
    : out_(part_file(checkpoint, generation.number, part), part_task(task, generation, part)) {}

/// Seven bits a byte, the low ones first.
void PartWriter::number(uint64_t value) {
  for (; value >= 128; value >>= 7) piece_.push_back(static_cast<uint8_t>(value | 128));
  piece_.push_back(static_cast<uint8_t>(value));
}

void PartWriter::add(const PartState& state) {
  number(uint64_t{state.bytes.size()} << 1 | (state.open ? 1 : 0));
  for (unsigned i = 0; i < 8; ++i) piece_.push_back(static_cast<uint8_t>(state.parent >> (8 * i)));
  last_.resize(state.bytes.size());
  for (size_t at = 0; at < last_.size();) {
    size_t end = at;
    while (end < last_.size() && last_[end] == state.bytes[end]) ++end;
    number(end - at);
    at = end;
    while (end < last_.size() && last_[end] != state.bytes[end]) ++end;
    number(end - at);
    piece_.insert(piece_.end(), state.bytes.begin() + static_cast<ptrdiff_t>(at), state.bytes.begin() + static_cast<ptrdiff_t>(end));
    at = end;
  }
  std::ranges::copy(state.bytes, last_.begin());
  if (piece_.size() < kPiece) return;
  out_.array(piece_.data(), piece_.size());
  piece_.clear();
}

void PartWriter::finish() {
  if (!piece_.empty()) out_.array(piece_.data(), piece_.size());
  out_.array(piece_.data(), 0);
  out_.finish();
}

PartReader::PartReader(const std::string& checkpoint, uint64_t task, Generation generation, uint64_t part)
    : in_(part_file(checkpoint, generation.number, part), part_task(task, generation, part)) {}

uint8_t PartReader::byte() {
  if (at_ == piece_.size()) in_.damaged();
  return piece_[at_++];
}
uint64_t PartReader::number() {
  uint64_t value = 0;
  for (unsigned shift = 0;; shift += 7) {
    if (shift > 63) in_.damaged();
    const uint8_t part = byte();
    value |= uint64_t{part & 127u} << shift;
    if (part < 128) return value;
  }
}

bool PartReader::next(PartState& state) {
  if (at_ == piece_.size()) {  // a state never begins in one piece and ends in another
    piece_ = in_.array<uint8_t>();
    at_ = 0;
    if (piece_.empty()) return false;
  }
  const uint64_t head = number();
  if (head >> 1 > kLongestState) in_.damaged();
  state.open = (head & 1) != 0;
  state.parent = 0;
  for (unsigned i = 0; i < 8; ++i) state.parent |= uint64_t{byte()} << (8 * i);
  last_.resize(head >> 1);
  for (size_t at = 0; at < last_.size();) {
    const uint64_t same = number();
    if (same > last_.size() - at) in_.damaged();
    at += same;
    const uint64_t differ = number();
    if (differ > last_.size() - at || (same == 0 && differ == 0)) in_.damaged();
    for (uint64_t i = 0; i < differ; ++i) last_[at++] = byte();
  }
  state.bytes = last_;
  return true;
}

}  // namespace whittle::explore
