// What a program reads with scanf, as text. The model of scanf (runtime/src/scan.c) chooses the values that it stores; a person who
// wants to repeat the run has to type them.
//
//   ReadText text;
//   i = text.add_scanf("%d %s", inputs, i);   // the inputs that one call took: "42 pear"
//   text.add('\n');                           // of getchar
//   text.text()
#pragma once

#include <string>
#include <vector>

#include "verdict/verdict.h"

namespace whittle::report {

class ReadText {
 public:
  void add(char c) { take_back(), text_ += c, word_ = false, more_ = false; }
  /// The inputs of a call with this format, from the `i`-th on. The number of the first input after them.
  size_t add_scanf(const std::string& format, const std::vector<verdict::Input>& inputs, size_t i);
  /// The last of these calls met the end before anything else.
  bool ended() const { return ended_; }
  /// There is something after what was read.
  void has_more() { more_ = true; }
  std::string text() const { return more_ ? text_ + "\n" : text_; }

 private:
  void add_word(const std::string& word);
  void take_back();

  std::string text_;
  bool unread_ = false;  ///< ends with something that was no number: it is still there for the next call
  bool ended_ = false, more_ = false;
  bool word_ = false;    ///< ends with a word or number: what follows must not become a part of it
};

}  // namespace whittle::report
