#include "engines/merge/content.h"

#include <algorithm>
#include <cassert>

namespace whittle::engines::merge {

Content Content::without_values(uint64_t bytes) {
  Content c;
  c.size_ = bytes;
  c.pages_.resize((bytes + kPage - 1) / kPage);
  return c;
}

Content Content::zeroed(term::Store& store, uint64_t bytes) {
  Content c = without_values(bytes);
  auto page = std::make_shared<Page>();
  page->bytes.fill({store.constant(8, 0), 0});
  std::fill(c.pages_.begin(), c.pages_.end(), page);
  return c;
}

Content Content::of(term::Store& store, const std::vector<uint8_t>& bytes) {
  Content c = without_values(bytes.size());
  for (size_t i = 0; i < bytes.size(); ++i) c.writable(i) = {store.constant(8, bytes[i]), 0};
  return c;
}

Content::Byte& Content::writable(uint64_t offset) {
  assert(offset < size_);
  std::shared_ptr<Page>& page = pages_[offset / kPage];
  if (!page)
    page = std::make_shared<Page>();
  else if (page.use_count() > 1)
    page = std::make_shared<Page>(*page);
  return page->bytes[offset % kPage];
}

bool Content::has_values(uint64_t offset, uint64_t bytes) const {
  for (uint64_t i = 0; i < bytes; ++i)
    if (!has_value(offset + i)) return false;
  return true;
}

Term Content::load(term::Store& store, uint64_t offset, unsigned bytes) const {
  assert(offset + bytes <= size_ && bytes >= 1 && bytes <= 16);
  Term result;
  for (unsigned i = 0; i < bytes;) {
    const Byte& first = at(offset + i);
    assert(first.cell);
    unsigned run = 1;
    while (i + run < bytes && at(offset + i + run) == Byte{first.cell, static_cast<uint8_t>(first.index + run)}) ++run;
    Term part = store.extract(first.cell, 8u * first.index, 8 * run);
    result = result ? store.concat(part, result) : part;
    i += run;
  }
  return result;
}

void Content::store(uint64_t offset, Term value) {
  assert(value.width() % 8 == 0);
  for (unsigned i = 0; i < value.width() / 8; ++i) writable(offset + i) = {value, static_cast<uint8_t>(i)};
}

void Content::forget(uint64_t offset, uint64_t bytes) {
  for (uint64_t i = 0; i < bytes; ++i) writable(offset + i) = {};
}

void Content::copy(uint64_t offset, const Content& from, uint64_t from_offset, uint64_t bytes) {
  std::vector<Byte> taken;
  taken.reserve(bytes);
  for (uint64_t i = 0; i < bytes; ++i) taken.push_back(from.at(from_offset + i));
  for (uint64_t i = 0; i < bytes; ++i) writable(offset + i) = taken[i];
}

unsigned Content::extent(uint64_t offset) const {
  const Byte& first = at(offset);
  if (!first.cell || first.index != 0) return 1;
  const unsigned whole = first.cell.width() / 8;
  if (offset + whole > size_) return 1;
  for (unsigned i = 1; i < whole; ++i)
    if (at(offset + i) != Byte{first.cell, static_cast<uint8_t>(i)}) return 1;
  return whole;
}

Content Content::join(term::Store& store, Term first, const Content& a, const Content& b,
                      const std::function<Term(uint64_t, bool)>& missing) {
  assert(a.size_ == b.size_);
  Content c = a;
  for (size_t p = 0; p < c.pages_.size(); ++p) {
    if (a.pages_[p] == b.pages_[p]) continue;
    const uint64_t end = std::min<uint64_t>((p + 1) * kPage, a.size_);
    for (uint64_t i = p * kPage; i < end;) {
      const Byte& x = a.at(i);
      const Byte& y = b.at(i);
      if (x == y) {
        ++i;
        continue;
      }
      unsigned bytes = std::min<unsigned>(std::max(a.extent(i), b.extent(i)), 16);
      if (!a.has_values(i, bytes) || !b.has_values(i, bytes)) bytes = 1;
      Term then = x.cell ? a.load(store, i, bytes) : missing(i, true);
      Term otherwise = y.cell ? b.load(store, i, bytes) : missing(i, false);
      c.store(i, store.ite(first, then, otherwise));
      i += bytes;
    }
  }
  return c;
}

}  // namespace whittle::engines::merge
