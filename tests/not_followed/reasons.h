// Reasons why a path is not followed to its end, each as a piece of C.
#pragma once

#include <string>
#include <vector>

namespace whittle::test {

struct Reason {
  std::string name;
  std::string declarations;  ///< of the piece, at file scope
  std::string piece;         ///< statements; what follows them is not followed
  std::string says;          ///< part of what the machine says when it stops there
  bool undefined = false;    ///< undefined behaviour that was not asked about: engines may assume that there is none
  bool threads = false;      ///< the piece starts threads itself
  bool slow = false;         ///< takes the machine long to get there: not with every engine
};

const std::vector<Reason>& reasons();

/// Where the piece stands, and whether a run gets there.
enum class Setting {
  First,        ///< the first thing that main does
  UnderInput,   ///< for one value of an input
  InFunction,   ///< in a function that is called under a condition on two inputs
  InThread,     ///< in a second thread
  Unreachable,  ///< under a condition that never holds
};

/// A whole program: the piece in its setting, then a failing assertion.
std::string program_text(const Reason& reason, Setting setting);

}  // namespace whittle::test
