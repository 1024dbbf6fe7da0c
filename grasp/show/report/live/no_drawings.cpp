// The configuration of a run has its outlines written point by point: the page reads no drawings.

#include "grasp/base/drawings/drawing.hpp"

namespace graspmap {

Outline read_outline(const std::filesystem::path& file, const DrawingOptions& /*options*/) {
  throw ConfigError(file.string() + ": the page of a report reads no drawings");
}

}  // namespace graspmap
