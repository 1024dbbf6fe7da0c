#pragma once

#include <string>
#include <variant>

#include "grasp/base/io/result.hpp"

namespace graspmap {

/// A file that holds what was found: its name in a folder, and what it has.
struct ResultFile {
  std::string name;
  std::variant<Object, Table, std::string> content;

  /// JSON, CSV, or the text itself.
  [[nodiscard]] std::string text() const;
};

}  // namespace graspmap
