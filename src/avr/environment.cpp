#include "avr/environment.h"

#include <algorithm>
#include <fstream>
#include <optional>
#include <sstream>

#include "base/error.h"
#include "base/nearest.h"

namespace whittle::avr {

namespace {

std::string_view trim(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r')) text.remove_suffix(1);
  return text;
}

class Parser {
 public:
  Parser(const std::string& name, const Device& device) : name_(name), device_(device) {}

  Environment parse(std::string_view text) {
    while (!text.empty()) {
      size_t end = std::min(text.find('\n'), text.size());
      ++line_;
      std::string_view line = text.substr(0, end);
      text.remove_prefix(std::min(end + 1, text.size()));
      line = trim(line.substr(0, line.find('#')));
      if (!line.empty()) statement(line);
    }
    return std::move(out_);
  }

 private:
  template <typename... Args>
  [[noreturn]] void fail(fmt::format_string<Args...> format, Args&&... args) const {
    fail_input("{}:{}: {}", name_, line_, fmt::format(format, std::forward<Args>(args)...));
  }

  void statement(std::string_view line) {
    if (line.starts_with("never ")) return never(trim(line.substr(6)));
    if (line.starts_with("at most ")) return at_most(trim(line.substr(8)));
    if (line.starts_with("stack ")) return stack(trim(line.substr(6)));
    if (size_t in = line.find(" in "); in != std::string_view::npos)
      return allow(trim(line.substr(0, in)), trim(line.substr(in + 4)));
    if (size_t eq = line.find('='); eq != std::string_view::npos)
      return fix(trim(line.substr(0, eq)), trim(line.substr(eq + 1)));
    fail("expected 'REGISTER = VALUE', 'REGISTER in VALUES', 'never INTERRUPT', 'at most N INTERRUPT' or 'stack WHERE'");
  }

  void never(std::string_view what) {
    if (what == "watchdog")
      out_.watchdog_resets = false;
    else
      out_.never.push_back(vector(what));
  }

  void at_most(std::string_view rest) {
    size_t space = rest.find(' ');
    if (space == std::string_view::npos) fail("expected 'at most N INTERRUPT'");
    unsigned count = number(rest.substr(0, space));
    if (count > 255) fail("at most 255 events can be counted");
    out_.at_most[vector(trim(rest.substr(space)))] = uint8_t(count);
  }

  /// stack ucHeap, or stack 0x0200..0x02ff
  void stack(std::string_view what) {
    Environment::Stack item;
    item.where = fmt::format("{}:{}", name_, line_);
    if (size_t dots = what.find(".."); dots != std::string_view::npos) {
      unsigned from = number(trim(what.substr(0, dots))), to = number(trim(what.substr(dots + 2)));
      if (from < device_.ram_start() || to > device_.ram_end() || from > to)
        fail("no range of RAM: '{}'; it goes from 0x{:04x} to 0x{:04x}", what, device_.ram_start(), device_.ram_end());
      item.from = uint16_t(from), item.to = uint16_t(to);
    } else {
      item.object = std::string(what);
    }
    out_.stacks.push_back(std::move(item));
  }

  void fix(std::string_view what, std::string_view value) {
    size_t dot = what.find('.');
    const Register& r = input(what.substr(0, dot));
    Environment::Fixed& fixed = out_.fixed[r.address];
    unsigned v = number(value);
    uint8_t mask = 0xff;
    if (dot != std::string_view::npos) {
      uint8_t bit = bit_of(r, what.substr(dot + 1));
      if (v > 1) fail("a bit is 0 or 1, not {}", v);
      mask = uint8_t(1u << bit);
      v <<= bit;
    } else if (v > 255) {
      fail("{} does not fit into a register", v);
    }
    fixed.mask |= mask;
    fixed.value = uint8_t((fixed.value & ~mask) | v);
  }

  void allow(std::string_view what, std::string_view values) {
    const Register& r = input(what);
    if (r.half.latches) fail("{} is half of a 16-bit register, which takes any value; bits of it can be fixed with '='", what);
    std::vector<uint8_t>& list = out_.allowed[r.address];
    while (!values.empty()) {
      size_t comma = std::min(values.find(','), values.size());
      std::string_view item = trim(values.substr(0, comma));
      values.remove_prefix(std::min(comma + 1, values.size()));
      size_t dots = item.find("..");
      unsigned low = number(trim(item.substr(0, dots)));
      unsigned high = dots == std::string_view::npos ? low : number(trim(item.substr(dots + 2)));
      if (high > 255 || low > high) fail("no range of bytes: '{}'", item);
      for (unsigned v = low; v <= high; ++v) list.push_back(uint8_t(v));
    }
    if (list.empty()) fail("no values");
  }

  const Register& input(std::string_view name) const {
    const Register* r = device_.find_register(name);
    if (r == nullptr) {
      std::vector<std::string> names;
      for (const auto& [known, address] : device_.register_names()) names.emplace_back(known);
      std::string near = nearest(name, names);
      fail("{} has no register '{}'{}", device_.name(), name,
           near.empty() ? "" : fmt::format("; did you mean '{}'?", near));
    }
    bool counter = r->kind == RegisterKind::Counter || r->kind == RegisterKind::Flags;
    if (r->fresh == 0 && r->kind != RegisterKind::Pin && !counter)
      fail("{} is not an input: the environment does not set it", name);
    return *r;
  }

  uint8_t bit_of(const Register& r, std::string_view bit) const {
    if (bit.size() == 1 && bit[0] >= '0' && bit[0] <= '7') return uint8_t(bit[0] - '0');
    for (const RegisterBit& b : r.bits)
      if (b.name == bit) return b.bit;
    fail("{} has no bit '{}'", r.name, bit);
  }

  uint8_t vector(std::string_view name) const {
    std::vector<std::string> names;
    for (const Interrupt& i : device_.interrupts()) {
      if (i.name == name) return i.vector;
      names.emplace_back(i.name);
    }
    std::string near = nearest(name, names);
    fail("{} has no interrupt '{}'{}", device_.name(), name,
         near.empty() ? "" : fmt::format("; did you mean '{}'?", near));
  }

  unsigned number(std::string_view text) const {
    unsigned base = 10, value = 0;
    std::string_view digits = text;
    if (digits.size() == 3 && digits.front() == '\'' && digits.back() == '\'')
      return static_cast<unsigned char>(digits[1]);
    if (digits.starts_with("0x") || digits.starts_with("0X")) base = 16, digits.remove_prefix(2);
    if (digits.starts_with("0b")) base = 2, digits.remove_prefix(2);
    if (digits.empty() || digits.size() > 10) fail("not a number: '{}'", text);
    for (char c : digits) {
      unsigned d = c >= '0' && c <= '9'   ? unsigned(c - '0')
                   : c >= 'a' && c <= 'f' ? unsigned(c - 'a' + 10)
                   : c >= 'A' && c <= 'F' ? unsigned(c - 'A' + 10)
                                          : 99;
      if (d >= base) fail("not a number: '{}'", text);
      value = value * base + d;
    }
    return value;
  }

  const std::string& name_;
  const Device& device_;
  Environment out_;
  int line_ = 0;
};

}  // namespace

Environment parse_environment(std::string_view text, const std::string& name, const Device& device) {
  return Parser(name, device).parse(text);
}

Environment load_environment(const std::string& path, const Device& device) {
  std::ifstream file(path);
  if (!file) fail_input("{}: cannot read it", path);
  std::stringstream text;
  text << file.rdbuf();
  return parse_environment(text.str(), path, device);
}

}  // namespace whittle::avr
