#include "report/scanned.h"

#include <fmt/format.h>

#include <bit>
#include <cctype>

#include "base/int128.h"

namespace whittle::report {

namespace {

/// "%*5hd"
struct Conversion {
  bool drop = false;
  unsigned width = 0;  ///< 0: none
  char length = 0;     ///< 'H': hh, 'q': ll
  char letter = 0;
};

size_t parse(const std::string& format, size_t at, Conversion& it) {
  auto now = [&] { return at < format.size() ? format[at] : '\0'; };
  if (now() == '*') it.drop = true, ++at;
  for (; now() >= '0' && now() <= '9'; ++at) it.width = it.width * 10 + static_cast<unsigned>(now() - '0');
  if (now() == 'h' || now() == 'l') {
    it.length = format[at++];
    if (now() == it.length) it.length = format[at++] == 'h' ? 'H' : 'q';
  } else if (now() == 'j' || now() == 'z' || now() == 't' || now() == 'L') {
    it.length = format[at++];
  }
  it.letter = now();
  if (at < format.size()) ++at;
  if (it.letter != '[') return at;
  if (now() == '^') ++at;
  if (now() == ']') ++at;
  while (at < format.size() && format[at] != ']') ++at;
  return std::min(at + 1, format.size());
}

bool is_float(char letter) { return std::string_view("aAeEfFgG").find(letter) != std::string_view::npos; }

std::string number(const Conversion& it, uint64_t value) {
  if (is_float(it.letter)) {
    const auto wide = std::bit_cast<double>(value);
    return it.length == 'l' ? fmt::format("{}", wide) : fmt::format("{}", static_cast<float>(wide));
  }
  const unsigned width = it.length == 'H' ? 8 : it.length == 'h' ? 16 : it.length == 0 ? 32 : 64;
  const uint64_t bits = static_cast<uint64_t>(value & mask128(width));
  switch (it.letter) {
    case 'd':
    case 'i': return fmt::format("{}", sign_extend64(bits, width));
    case 'o': return fmt::format("{:o}", bits);
    case 'x':
    case 'X': return fmt::format("{:x}", bits);
    case 'p': return fmt::format("{:#x}", value);
    default: return fmt::format("{}", bits);
  }
}

}  // namespace

/// What was no number may have been any character: that which is read next.
void ReadText::take_back() {
  if (unread_) text_.pop_back();
  unread_ = false;
}

void ReadText::add_word(const std::string& word) {
  if (word_) text_ += ' ';
  text_ += word;
  word_ = true;
  more_ = false;
}

size_t ReadText::add_scanf(const std::string& format, const std::vector<verdict::Input>& inputs, size_t i) {
  auto next = [&] { return i < inputs.size() ? static_cast<uint64_t>(inputs[i++].value) : 0; };
  size_t stored = 0;
  ended_ = false;
  for (size_t at = 0; at < format.size();) {
    if (format[at] != '%' || format.substr(at, 2) == "%%") {
      if (format[at] == '%') ++at;
      const char c = format[at++];
      if (!std::isspace(static_cast<unsigned char>(c))) add(c);
      else if (word_) add(' ');
      continue;
    }
    Conversion it;
    at = parse(format, at + 1, it);
    const bool letters = it.letter == 's' || it.letter == '[' || it.letter == 'c';
    if (next() != 0) {  // it ends here: at the end of what there is, or at what is no number
      const bool at_end = stored == 0 && next() != 0;
      ended_ = at_end;
      if (!at_end && !letters && !unread_) {
        add_word("?");
        unread_ = true;
      }
      return i;
    }
    if (it.letter == 'n') {
      if (!it.drop) next();
      continue;
    }
    take_back();
    if (it.drop) {
      add_word("0");
      continue;
    }
    ++stored;
    if (!letters) {
      add_word(number(it, next()));
      continue;
    }
    std::string read;
    const size_t limit = it.width != 0 ? it.width : it.letter == 'c' ? 1 : SIZE_MAX;
    do read += static_cast<char>(next());
    while (read.size() < limit && i < inputs.size() && (it.letter == 'c' || next() != 0));
    if (it.letter == 's') {
      add_word(read);
    } else {
      text_ += read;
      word_ = it.letter == '[';
    }
  }
  return i;
}

}  // namespace whittle::report
