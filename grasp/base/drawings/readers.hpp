#pragma once

#include "grasp/base/drawings/sketch.hpp"

namespace graspmap {

/// What a DXF file shows in its model space. Throws ConfigError naming file and line.
Sketch read_dxf(const SourceFile& source, const DrawingOptions& options);

/// What an SVG file shows. Throws ConfigError naming file and line.
Sketch read_svg(const SourceFile& source, const DrawingOptions& options);

}  // namespace graspmap
