// The bytes of one object, as terms. Copies share pages until they are written.
//
//   Content c = Content::unknown(12);
//   c.store(4, value32);
//   c.load(store, 4, 4) == value32
//
// A byte is a part of a cell: the term that was stored, and which byte of it. So what is stored is loaded again as the
// same term, and only what is read across cells becomes parts and concatenations.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <vector>

#include "term/term.h"

namespace whittle::engines::merge {

using term::Term;

class Content {
 public:
  Content() = default;
  static Content without_values(uint64_t bytes);
  static Content zeroed(term::Store& store, uint64_t bytes);
  static Content of(term::Store& store, const std::vector<uint8_t>& bytes);

  uint64_t size() const { return size_; }
  bool has_value(uint64_t offset) const { return static_cast<bool>(at(offset).cell); }
  bool has_values(uint64_t offset, uint64_t bytes) const;
  Term load(term::Store& store, uint64_t offset, unsigned bytes) const;  ///< all of them have values; at most 16
  void store(uint64_t offset, Term value);                               ///< a whole number of bytes
  void forget(uint64_t offset, uint64_t bytes);                          ///< they have no values any more
  /// Bytes of another content, cells as they are.
  void copy(uint64_t offset, const Content& from, uint64_t from_offset, uint64_t bytes);
  /// How many bytes of one cell begin here; 1 if it is the inside of one, or has no value.
  unsigned extent(uint64_t offset) const;

  /// ite(first, a, b), byte for byte. What has a value in one of them only: `missing` makes one for the other.
  static Content join(term::Store& store, Term first, const Content& a, const Content& b,
                      const std::function<Term(uint64_t offset, bool in_first)>& missing);
  bool same(const Content& other) const { return pages_ == other.pages_; }

 private:
  static constexpr uint64_t kPage = 32;
  struct Byte {
    Term cell;  ///< none: no value
    uint8_t index = 0;
    bool operator==(const Byte&) const = default;
  };
  struct Page {
    std::array<Byte, kPage> bytes;
  };

  const Byte& at(uint64_t offset) const {
    static const Byte kNone{};
    const auto& page = pages_[offset / kPage];
    return page ? page->bytes[offset % kPage] : kNone;
  }
  Byte& writable(uint64_t offset);

  uint64_t size_ = 0;
  std::vector<std::shared_ptr<Page>> pages_;  ///< null: no values
};

}  // namespace whittle::engines::merge
