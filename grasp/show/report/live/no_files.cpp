// The configuration of a run has its outlines written point by point: the page reads no files.

#include "grasp/base/drawings/drawing.hpp"
#include "grasp/base/process/examples.hpp"

namespace graspmap {

Outline read_outline(const std::filesystem::path& file, const DrawingOptions& /*options*/) {
  throw ConfigError(file.string() + ": the page of a report reads no drawings");
}

std::string example_hint(const std::filesystem::path& /*path*/) { return ""; }

}  // namespace graspmap
