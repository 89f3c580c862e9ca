#include "frontend/syntax_tree.h"

#include <llvm/ADT/StringExtras.h>

namespace whittle::frontend {
namespace {

using llvm::StringRef;

/// Reads the places of the nodes. Each one says only what differs from the one before.
class Places {
 public:
  explicit Places(StringRef source) : source_(source), lines_(source) {}

  /// `<line:3:5, col:9>` at the front of the text.
  std::optional<SourceRange> range(StringRef& text) {
    if (!text.consume_front("<")) return std::nullopt;
    std::optional<size_t> begin = location(text), end = begin;
    if (text.consume_front(", ")) end = location(text);
    text.consume_front(">");
    text = text.ltrim(' ');
    if (!begin || !end || *end < *begin) return std::nullopt;
    return SourceRange{*begin, token_end(source_, *end)};
  }

  /// `line:3:5`, `col:9`, `source:3:5`, `<invalid sloc>`; nothing is taken from the text if there is no place.
  std::optional<size_t> location(StringRef& text) {
    if (text.consume_front("<invalid sloc>")) return std::nullopt;
    size_t column = 0;
    StringRef rest = text;
    if (rest.consume_front("col:")) {
      if (rest.consumeInteger(10, column)) return std::nullopt;
    } else {
      // The name of a file may have spaces in it; a number follows it.
      size_t colon = rest.find(':');
      if (colon == StringRef::npos) return std::nullopt;
      StringRef file = rest.take_front(colon);
      rest = rest.drop_front(colon + 1);
      size_t line = 0;
      if (rest.consumeInteger(10, line) || !rest.consume_front(":") || rest.consumeInteger(10, column))
        return std::nullopt;
      if (file != "line") here_ = file == "source";
      line_ = line;
    }
    text = rest;
    return here_ ? lines_.offset(line_, column) : std::nullopt;
  }

 private:
  StringRef source_;
  SourceLines lines_;
  bool here_ = false;  ///< the last place was in the source itself
  size_t line_ = 0;
};

SyntaxNode read_node(StringRef text, Places& places) {
  SyntaxNode node;
  if (text.starts_with("<<<")) return node;
  std::tie(node.kind, text) = text.split(' ');
  if (node.kind.ends_with(":")) std::tie(node.kind, text) = text.split(' ');  // what this child is to its parent
  while (text.starts_with("0x") || text.starts_with("parent ") || text.starts_with("prev "))
    text = text.split(' ').second;
  node.range = places.range(text);
  if (node.kind.ends_with("Decl")) places.location(text);  // that of its name
  node.rest = text;
  return node;
}

}  // namespace

StringRef SyntaxNode::type() const { return rest.split('\'').second.split('\'').first; }

StringRef SyntaxNode::opcode() const {
  for (StringRef text = rest; text.contains('\'');) {
    text = text.split('\'').second;
    StringRef quoted = text.split('\'').first;
    text = text.split('\'').second;
    if (!quoted.empty() && quoted.find_first_not_of("+-*/%<>=!&|^~,.") == StringRef::npos) return quoted;
  }
  return "";
}

bool SyntaxNode::has_word(StringRef word) const {
  for (StringRef words = rest.rsplit('\'').second; !words.empty();) {
    StringRef first;
    std::tie(first, words) = words.ltrim(' ').split(' ');
    if (first == word) return true;
  }
  return false;
}

SourceLines::SourceLines(StringRef source) : begins_{0}, size_(source.size()) {
  for (size_t at = source.find('\n'); at != StringRef::npos; at = source.find('\n', at + 1)) begins_.push_back(at + 1);
}

std::optional<size_t> SourceLines::offset(size_t line, size_t column) const {
  if (line == 0 || line > begins_.size() || column == 0) return std::nullopt;
  size_t at = begins_[line - 1] + column - 1;
  return at < size_ ? std::optional(at) : std::nullopt;
}

size_t token_end(StringRef source, size_t at) {
  auto is_word = [&](size_t i) { return i < source.size() && (llvm::isAlnum(source[i]) || source[i] == '_'); };
  size_t end = at;
  if (is_word(at) || (source[at] == '.' && at + 1 < source.size() && llvm::isDigit(source[at + 1]))) {
    bool number = !llvm::isAlpha(source[at]) && source[at] != '_';
    StringRef exponent = source.substr(at).starts_with_insensitive("0x") ? "pP" : "eE";
    for (; is_word(end) || (number && end < source.size() && source[end] == '.'); ++end)
      if (number && exponent.contains(source[end]) && end + 1 < source.size() &&
          (source[end + 1] == '-' || source[end + 1] == '+'))
        ++end;
  }
  if (end < source.size() && (source[end] == '"' || source[end] == '\'')) {  // the word was a prefix, if there was one
    char quote = source[end];
    for (++end; end < source.size() && source[end] != quote; ++end)
      if (source[end] == '\\') ++end;
    return std::min(end + 1, source.size());
  }
  if (end > at) return end;
  for (StringRef longer : {"...", "++", "--"})
    if (source.substr(at).starts_with(longer)) return at + longer.size();
  return at + 1;
}

SyntaxNode read_syntax_tree(StringRef dump, StringRef source) {
  Places places(source);
  std::vector<SyntaxNode> open;  // the last node of each depth so far
  auto close = [&](size_t depth) {
    while (open.size() > depth && open.size() > 1) {
      SyntaxNode done = std::move(open.back());
      open.pop_back();
      open.back().children.push_back(std::move(done));
    }
  };
  while (!dump.empty()) {
    StringRef line;
    std::tie(line, dump) = dump.split('\n');
    StringRef text = line.drop_while([](char c) { return c == '|' || c == ' ' || c == '`' || c == '-'; });
    if (text.empty() || text.starts_with("value: ")) continue;
    close((line.size() - text.size()) / 2);
    open.push_back(read_node(text, places));
  }
  close(1);
  return open.empty() ? SyntaxNode() : std::move(open.front());
}

}  // namespace whittle::frontend
