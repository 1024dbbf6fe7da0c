#pragma once

#include <optional>
#include <string>

namespace graspmap {

/// One figure: NAME.gp draws NAME.png and NAME.svg from NAME.csv, where there is one.
struct Figure {
  std::string name;
  std::string script;
  std::optional<std::string> data;
};

}  // namespace graspmap
