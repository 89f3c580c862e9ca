// Style and script of the HTML report: page.css and page.js, as the build puts them into the program.
#pragma once

#include <string>
#include <string_view>

namespace whittle::report {

extern const std::string_view kPageStyle;
extern const std::string_view kPageScript;

/// Text as it may stand in a page.
std::string escape_html(std::string_view text);

}  // namespace whittle::report
