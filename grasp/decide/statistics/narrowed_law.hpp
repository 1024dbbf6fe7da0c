#pragma once

#include "grasp/base/probability/distribution.hpp"

namespace graspmap {

/// A law with `factor` times the width, factor > 0, about its centre. A law that has a sigma has
/// `factor` times that, lot_sigma too; its mean and its bounds stay. Of any other law each value's
/// distance from the mean is `factor` times as large.
Distribution narrowed_law(const Distribution& law, double factor);

}  // namespace graspmap
