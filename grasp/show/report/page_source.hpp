#pragma once

#include <string>

/// The page of a report as it was built: grasp/show/report/page, bundled. The definitions are
/// written by scripts/cmake/EmbedPage.cmake.

namespace graspmap {

std::string page_style();   ///< CSS
std::string page_body();    ///< HTML
std::string page_script();  ///< JavaScript, a module

}  // namespace graspmap
