#pragma once

#include <map>
#include <string>

namespace graspmap {

/// The files of a page by their names: there is no disk.
std::map<std::string, std::string>& browser_files();

}  // namespace graspmap
