#include "frontend/declared_bounds.h"

#include <cctype>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string_view>

namespace whittle::frontend {
namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

/// From this place in the file on; empty if there is no such place.
std::string text_from(const std::filesystem::path& file, unsigned line, unsigned column) {
  std::ifstream in(file);
  std::string text;
  for (unsigned i = 1; i < line && std::getline(in, text);) ++i;
  if (line == 0 || column == 0 || !std::getline(in, text) || column > text.size()) return {};
  std::ostringstream rest;
  rest << text.substr(column - 1) << '\n' << in.rdbuf();
  return rest.str();
}

size_t skip_blanks(std::string_view text, size_t at) {
  while (at < text.size() && std::isspace(static_cast<unsigned char>(text[at]))) ++at;
  return at;
}

/// Without `static` and qualifiers, which may stand before a length.
std::string_view without_qualifiers(std::string_view text) {
  for (;;) {
    text.remove_prefix(skip_blanks(text, 0));
    size_t end = 0;
    while (end < text.size() && is_word(text[end])) ++end;
    const std::string_view word = text.substr(0, end);
    if (word != "static" && word != "const" && word != "volatile" && word != "restrict" && word != "__restrict") break;
    text.remove_prefix(end);
  }
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back()))) text.remove_suffix(1);
  return text;
}

}  // namespace

std::string declared_bound(const llvm::DILocalVariable& parameter, const llvm::DebugLoc& at) {
  const llvm::DIFile* file = parameter.getFile();
  const std::string name = parameter.getName().str();
  if (!file || !at || name.empty()) return {};
  std::filesystem::path path(file->getFilename().str());
  if (path.is_relative()) path = std::filesystem::path(file->getDirectory().str()) / path;
  const std::string text = text_from(path, at.getLine(), at.getCol());
  if (!text.starts_with(name)) return {};  // a macro
  size_t begin = skip_blanks(text, name.size());
  if (begin >= text.size() || text[begin] != '[') return {};
  unsigned depth = 1;
  size_t end = ++begin;
  for (; end < text.size() && depth > 0; ++end) depth += text[end] == '[' ? 1 : text[end] == ']' ? -1 : 0;
  if (depth > 0) return {};
  const std::string_view bound = without_qualifiers(std::string_view(text).substr(begin, end - 1 - begin));
  return bound == "*" ? std::string() : std::string(bound);
}

bool mentions(const std::string& text, const std::string& name) {
  for (size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
    const bool begins = at == 0 || !is_word(text[at - 1]);
    const bool ends = at + name.size() == text.size() || !is_word(text[at + name.size()]);
    if (begins && ends) return true;
  }
  return false;
}

}  // namespace whittle::frontend
