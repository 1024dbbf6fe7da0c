#pragma once

#include <optional>
#include <vector>

#include "geometry/outline.hpp"
#include "grasp/base/drawings/joining.hpp"

namespace graspmap {

/// Divides closed chains into regions by what lies within what: the outermost are regions, those
/// within them holes, those within holes regions again. The largest region comes first; elements
/// have the names of their layers, without a value in the options where the outer chains are of
/// several; of others, those of one SPLINE or ELLIPSE share a name. `drawing` gets notes. Throws
/// ConfigError when chains cross, touch or enclose nothing.
std::vector<Outline> regions_of(const SourceFile& source, const Sketch& sketch,
                                const std::vector<ClosedChain>& chains,
                                const DrawingOptions& options, Drawing& drawing);

/// A curve by its number in a chain, and the chain's.
struct ChainElement {
  std::size_t chain = 0;
  std::size_t element = 0;
};

struct Crossing {
  ChainElement a;
  ChainElement b;
  Vec2 point_mm{0, 0};
};

/// Where two curves that do not follow each other cross or touch, if any do. Stops at the first
/// one: a drawing of 100,000 lines that all cross is refused at once, where the search for all
/// faults (geometry/outline_faults.hpp) would take minutes.
std::optional<Crossing> first_crossing(const std::vector<std::vector<OutlineCurve>>& chains);

}  // namespace graspmap
