// "Did you mean ...?": the candidate closest to a misspelt name.
//
//   nearest("unreach-cal", {"unreach-call", "termination"})  ->  "unreach-call"
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace whittle {

/// Number of insertions, deletions, replacements and swaps of neighbours that turn a into b; case counts for nothing.
unsigned edit_distance(std::string_view a, std::string_view b);

/// The first candidate with the smallest distance, or empty if none is close enough to be what was meant
/// (a third of the name's length, at least two edits, and never all of it).
std::string nearest(std::string_view name, std::span<const std::string> candidates);

/// " (did you mean `x`?)" or empty: to be put at the end of a message.
std::string suggestion(std::string_view name, std::span<const std::string> candidates);

}  // namespace whittle
