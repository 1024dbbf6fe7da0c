#pragma once

#include <vector>

#include "grasp/base/drawings/joining.hpp"

namespace graspmap {

/// Divides closed chains into regions by what lies within what: the outermost are regions, those
/// within them holes, those within holes regions again. The largest region comes first; elements
/// have no names but those of their layers, if `named`. Throws ConfigError when chains cross, touch
/// or enclose nothing.
std::vector<Outline> regions_of(const SourceFile& source, const Sketch& sketch,
                                const std::vector<ClosedChain>& chains, bool named);

}  // namespace graspmap
