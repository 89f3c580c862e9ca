// Random sequences of calls of one family of libc, written as C functions whose output tells what each call did.
#pragma once

#include <random>
#include <string>
#include <vector>

namespace whittle::glibc {

/// Choices for one sequence, and the lines of C made from them.
class Sequence {
 public:
  explicit Sequence(uint64_t seed) : random_(seed) {}

  size_t below(size_t n) { return random_() % n; }
  int between(int low, int high) { return low + static_cast<int>(below(static_cast<size_t>(high - low + 1))); }
  bool chance(size_t n) { return below(n) == 0; }
  template <typename T, size_t N>
  const T& pick(const T (&list)[N]) {
    return list[below(N)];
  }
  std::string number(int low, int high) { return std::to_string(between(low, high)); }
  /// A string literal of up to `longest` characters of the alphabet.
  std::string text(const char* alphabet, int longest);

  /// One line of C, made of the macros of prelude.h.
  void add(const std::string& line) { lines_.push_back(line); }
  const std::vector<std::string>& lines() const { return lines_; }

 private:
  std::mt19937_64 random_;
  std::vector<std::string> lines_;
};

struct Family {
  const char* name;
  const char* declarations;  ///< variables at the start of every sequence
  void (*step)(Sequence&);   ///< adds one call, or a few that belong together
  int steps;                 ///< calls in a sequence
};

extern const Family kFamilies[];
extern const size_t kFamilyCount;

/// The C program of sequences `first` to `first + count - 1` of a family.
std::string program_of(const Family& family, uint64_t first, size_t count);

}  // namespace whittle::glibc
