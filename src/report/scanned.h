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
  void add(char c) { take_back(), text_ += c, word_ = false; }
  /// The inputs of a call with this format, from the `i`-th on. The number of the first input after them.
  size_t add_scanf(const std::string& format, const std::vector<verdict::Input>& inputs, size_t i);
  const std::string& text() const { return text_; }

 private:
  void add_word(const std::string& word);
  void take_back();

  std::string text_;
  bool unread_ = false;  ///< ends with something that was no number: it is still there for the next call
  bool word_ = false;    ///< ends with a word or number: what follows must not become a part of it
};

}  // namespace whittle::report
