// The syntax tree of a C source, as clang prints it with -ast-dump.
//
//     run clang -fsyntax-only -Xclang -ast-dump on kTreeMarker + source;
//     SyntaxNode unit = read_syntax_tree(output, source);
//
// The text form is a tenth of the JSON form; places in it are lines and columns, so the source must have no line markers of its
// own.
#pragma once

#include <llvm/ADT/StringRef.h>

#include <cstddef>
#include <optional>
#include <vector>

namespace whittle::frontend {

/// Goes before the source that clang reads: names it, so that its places can be told from those of builtins.
inline constexpr llvm::StringLiteral kTreeMarker = "# 1 \"source\"\n";

/// Offsets in the source: the first character, and the one after the last token.
struct SourceRange {
  size_t begin = 0, end = 0;
  bool contains(size_t at) const { return begin <= at && at < end; }
};

/// Points into the text that it was read from.
struct SyntaxNode {
  llvm::StringRef kind;               ///< "BinaryOperator"; empty: an optional part that is not there
  llvm::StringRef rest;               ///< what follows the place: name, type, operator
  std::optional<SourceRange> range;   ///< none: made by the compiler
  std::vector<SyntaxNode> children;

  llvm::StringRef type() const;       ///< "const int"
  llvm::StringRef opcode() const;     ///< "+"; empty if this is no operator
  /// Is this one of the words after the last name or type, such as "static", "cinit"?
  bool has_word(llvm::StringRef word) const;
};

/// The place of a line and a column, both counted from 1; nothing if the source has no such line.
class SourceLines {
 public:
  explicit SourceLines(llvm::StringRef source);
  std::optional<size_t> offset(size_t line, size_t column) const;

 private:
  std::vector<size_t> begins_;
  size_t size_;
};

/// The offset after the token that begins at `at`.
size_t token_end(llvm::StringRef source, size_t at);

/// The translation unit.
SyntaxNode read_syntax_tree(llvm::StringRef dump, llvm::StringRef source);

}  // namespace whittle::frontend
