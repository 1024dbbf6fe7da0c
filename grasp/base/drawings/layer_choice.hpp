#pragma once

#include <set>
#include <string>
#include <vector>

#include "grasp/base/drawings/source_file.hpp"

namespace graspmap {

/// The layers that a person asked for, and those that a file has.
class LayerChoice {
 public:
  /// All layers when there are no names.
  explicit LayerChoice(std::vector<std::string> wanted) : wanted_(std::move(wanted)) {}

  /// True when what is on a layer is to be read.
  bool take(const std::string& layer);
  /// The same for what is on several at once, one within the other.
  bool take_any(const std::vector<std::string>& layers);

  /// Throws ConfigError when nothing is on a layer that was asked for.
  void check(const SourceFile& source) const;

 private:
  [[nodiscard]] bool is_wanted(const std::string& layer) const;

  std::vector<std::string> wanted_;
  std::set<std::string> seen_;
};

}  // namespace graspmap
