#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "grasp/base/io/request.hpp"
#include "grasp/decide/plan/error_model.hpp"
#include "grasp/decide/plan/success_field.hpp"
#include "grasp/sweep/store/run_store.hpp"

namespace graspmap {

/// A placement as the options of a decision ask for it, and the robot's error there.
struct PlacementOptions {
  std::vector<double> placement;  ///< (x, y) or (x, y, theta); empty: what the run answers with
  std::optional<std::array<double, 2>> position_sigma_mm;
  std::optional<double> angle_sigma_rad;

  /// These, then others.
  RequestFields fields_and(const RequestFields& others);
};

struct AskedPlacement {
  std::optional<PlacementVector> placement;  ///< nothing: the run has no answer
  ErrorMixture error;
  std::string error_words;  ///< "": exact, the placement's cell
};

/// Throws RequestError for options that no run with this configuration can be asked.
void check_placement(const PlacementOptions& options, const SweepConfig& config);

/// What is asked for. A run answers with the best placement under its robot's error, or without
/// [robot] with the sweet spot, anywhere in its square. Throws RequestError.
AskedPlacement asked_placement(const RunStore& run, const SuccessField& field,
                               const PlacementOptions& options);

}  // namespace graspmap
