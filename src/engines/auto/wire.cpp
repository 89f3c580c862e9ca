#include "engines/auto/wire.h"

#include <cstring>

#include "base/error.h"

namespace whittle::engines::auto_ {

namespace {

class Writer {
 public:
  template <typename Number>
    requires std::is_arithmetic_v<Number>
  void operator()(const Number& value) {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void operator()(const u128& value) {
    (*this)(static_cast<uint64_t>(value)), (*this)(static_cast<uint64_t>(value >> 64));
  }
  void operator()(const std::string& text) { (*this)(uint64_t{text.size()}), bytes += text; }
  std::string bytes;
};

class Reader {
 public:
  explicit Reader(std::string_view bytes) : rest_(bytes) {}

  template <typename Number>
    requires std::is_arithmetic_v<Number>
  void operator()(Number& value) {
    std::string_view part = take(sizeof value);
    std::memcpy(&value, part.data(), sizeof value);
  }
  void operator()(u128& value) {
    uint64_t low = 0, high = 0;
    (*this)(low), (*this)(high);
    value = u128{high} << 64 | low;
  }
  void operator()(std::string& text) { text = take(size()); }
  /// Every item takes at least a byte, so a size beyond the rest is nonsense.
  uint64_t size() {
    uint64_t n = 0;
    (*this)(n);
    if (n > rest_.size()) fail_internal("an engine's process sent something that is no verdict");
    return n;
  }
  bool done() const { return rest_.empty(); }

 private:
  std::string_view take(uint64_t n) {
    if (n > rest_.size()) fail_internal("an engine's process sent something that is no verdict");
    std::string_view part = rest_.substr(0, n);
    rest_.remove_prefix(n);
    return part;
  }
  std::string_view rest_;
};

/// One description of the layout serves both directions: `Io` is a Writer or a Reader.
template <typename Io>
class Layout {
 public:
  explicit Layout(Io& io) : io_(io) {}

  void verdict(verdict::Verdict& v) {
    enumeration(v.answer, verdict::Answer::Unknown);
    io_(v.reason);
    bool violated = v.violation.has_value();
    io_(violated);
    if (violated) {
      if (!v.violation) v.violation.emplace();
      violation(*v.violation);
    }
    list(v.counterexample.inputs,
         [&](verdict::Input& i) { io_(i.width), io_(i.value), io_(i.origin), io_(i.file), io_(i.line); });
    list(v.counterexample.schedule, io_);
    list(v.trace.steps, [&](verdict::TraceStep& s) { step(s); });
    uint64_t loop = v.trace.loop_start ? *v.trace.loop_start + 1 : 0;
    io_(loop);
    if (loop != 0) v.trace.loop_start = loop - 1;
    list(v.assumptions, io_);
    list(v.notes, io_);
    io_(v.engine);
    statistics(v.statistics);
  }

 private:
  template <typename Enum>
  void enumeration(Enum& value, Enum last) {
    auto number = static_cast<uint8_t>(value);
    io_(number);
    if (number > static_cast<uint8_t>(last)) fail_internal("an engine's process sent something that is no verdict");
    value = static_cast<Enum>(number);
  }
  template <typename Item, typename Each>
  void list(std::vector<Item>& items, Each&& each) {
    uint64_t n = items.size();
    if constexpr (std::is_same_v<Io, Reader>) {
      n = io_.size();
      items.clear();
      for (uint64_t i = 0; i < n; ++i) each(items.emplace_back());
    } else {
      io_(n);
      for (Item& item : items) each(item);
    }
  }
  void violation(verdict::Violation& v) {
    enumeration(v.property, verdict::Property::FirmwareCheck);
    io_(v.message), io_(v.function), io_(v.file), io_(v.line), io_(v.thread);
  }
  void step(verdict::TraceStep& s) {
    io_(s.thread), io_(s.function), io_(s.file), io_(s.line), io_(s.column), io_(s.depth), io_(s.statement);
    list(s.changes, [&](std::pair<std::string, std::string>& c) { io_(c.first), io_(c.second); });
    io_(s.note);
  }
  void statistics(Statistics& s) {
    std::vector<std::pair<std::string, Statistics::Value>> entries = s.entries();
    list(entries, [&](std::pair<std::string, Statistics::Value>& entry) {
      io_(entry.first);
      auto kind = static_cast<uint8_t>(entry.second.index());
      io_(kind);
      uint64_t count = std::holds_alternative<uint64_t>(entry.second) ? std::get<uint64_t>(entry.second) : 0;
      double real = std::holds_alternative<double>(entry.second) ? std::get<double>(entry.second) : 0;
      std::string text = std::holds_alternative<std::string>(entry.second) ? std::get<std::string>(entry.second) : "";
      if (kind == 0) io_(count), entry.second = count;
      if (kind == 1) io_(real), entry.second = real;
      if (kind == 2) io_(text), entry.second = text;
    });
    for (auto& [name, value] : entries) s.set(name, value);
  }

  Io& io_;
};

}  // namespace

std::string encode(verdict::Verdict verdict) {
  Writer writer;
  Layout<Writer>(writer).verdict(verdict);
  return std::move(writer.bytes);
}

verdict::Verdict decode(std::string_view bytes) {
  verdict::Verdict verdict;
  Reader reader(bytes);
  Layout<Reader>(reader).verdict(verdict);
  if (!reader.done()) fail_internal("an engine's process sent more than a verdict");
  return verdict;
}

}  // namespace whittle::engines::auto_
