// Style and script of the HTML report: page.css and page.js, as the build puts them into the program.
#pragma once

#include <string_view>

namespace whittle::report {

extern const std::string_view kPageStyle;
extern const std::string_view kPageScript;

}  // namespace whittle::report
