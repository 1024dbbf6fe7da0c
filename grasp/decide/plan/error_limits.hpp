#pragma once

#include <functional>
#include <optional>

#include "grasp/decide/plan/best_placement.hpp"

namespace graspmap {

/// By what a probability is said to reach what is required.
enum class Evidence {
  kEstimate,   ///< the estimate does
  kConfidence  ///< the lower end of its interval does
};

/// An error as a function of its size, in mm: the larger the size, the larger the error.
using ErrorOfSize = std::function<PlacementError(double size_mm)>;

/// How large the error may be for the best placement still to reach a required probability.
struct ErrorLimit {
  bool reached = false;  ///< false: for no error, not even the smallest that was looked at
  /// True when a larger error might do as well: what fails there is known too little, because the
  /// error reaches beyond the map.
  bool limited_by_map = false;
  double size_mm = 0.0;  ///< 0: reached without an error, but not with the smallest one
  PlacementError error{};
  PlannedPlacement placement;  ///< the best one under this error, when it is reached
};

/// The largest size at which best_placement reaches `required`. Sizes are multiples of a hundredth
/// of the smaller cell side; they are tried in geometric steps of 0.85, down from where the map
/// would be too small even if every grasp in it succeeded, to a quarter of the cell; the first that
/// does is improved by bisection.
ErrorLimit largest_error(const SuccessField& field, double required, Evidence evidence,
                         const ErrorOfSize& error, double z);

/// The largest square of cells each of which reaches a required probability.
struct GuaranteedSquare {
  bool found = false;
  double half_width_mm = 0.0;
  double x_mm = 0.0;
  double y_mm = 0.0;
  double theta_rad = 0.0;       ///< the centre of its slice
  bool limited_by_map = false;  ///< it reaches across the whole map in x or y
};

/// In every cell of which the estimate (or the lower end of its interval at z) reaches `required`.
/// Of equal squares the one closest to their mean, then of smaller |x|, then the first; of equal
/// slices the one in the middle.
GuaranteedSquare largest_guaranteed_square(const SuccessField& field, double required,
                                           Evidence evidence, double z);

}  // namespace graspmap
