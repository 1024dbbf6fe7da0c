#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "grasp/decide/design/kept_grasps.hpp"
#include "grasp/decide/plan/error_model.hpp"
#include "grasp/sweep/config/sweep_config.hpp"

namespace graspmap {

/// At which placements a design is tried.
enum class GraspAt : std::uint8_t {
  kMap,     ///< anywhere in the map: to find a placement
  kNear,    ///< normal about a placement: to improve it
  kAim,     ///< at a placement, with the robot's error
  kScaled,  ///< the same with the error's spread about its mean at another scale each time
  kCells    ///< in the map's cells, in turn
};

/// Grasps of a part with a designed gripper. Grasp k of a kind has the same random numbers with all
/// designs, the points of scrambled nets, or of fresh grasps independent ones: designs are compared
/// in pairs. A pure function of seed and number.
class DesignedGrasp {
 public:
  /// `error`: the robot's.
  DesignedGrasp(SweepConfig config, std::shared_ptr<const ErrorMixture> error, std::uint64_t seed);

  [[nodiscard]] const SweepConfig& config() const { return *config_; }
  /// Whether the map has angles.
  [[nodiscard]] bool has_angles() const { return !config_->placement.theta_rad.is_fixed(); }
  [[nodiscard]] std::size_t cells() const {
    return static_cast<std::size_t>(config_->placement.cell_count());
  }
  /// The mean of the robot's error, and its standard deviations.
  [[nodiscard]] const PlacementVector& error_mean() const { return mean_; }
  [[nodiscard]] const PlacementVector& error_sigma() const { return sigma_; }

  /// The intended placement of grasp `number` at random in the map, or near an aim.
  [[nodiscard]] PlacementVector placement(GraspAt at, std::int64_t number,
                                          const PlacementVector& aim,
                                          const PlacementVector& spread) const;

  /// The job that simulates grasps first, first + 1, ..., of one kind. `spread`: the standard
  /// deviations for kNear. `fresh`: others, which no search looks at. The object must outlive it.
  [[nodiscard]] GraspJob job(const std::string& design, GraspAt at, std::int64_t first,
                             std::int64_t count, const PlacementVector& aim = {},
                             const PlacementVector& spread = {}, bool fresh = false) const;

  /// The least gap of the open gripper to the part at a placement, mm; negative where it is
  /// blocked.
  [[nodiscard]] double clearance_mm(const PlacementVector& at) const;

 private:
  struct Drawn {
    PlacementVector intended{};
    TrialParameters parameters;
    std::vector<double> uncertain;
  };
  [[nodiscard]] Drawn drawn(GraspAt at, std::int64_t number, const PlacementVector& aim,
                            const PlacementVector& spread, bool fresh) const;

  std::shared_ptr<const SweepConfig> config_;
  std::shared_ptr<const ErrorMixture> error_;
  PlacementVector mean_{};
  PlacementVector sigma_{};
  /// One for each kind, with a seed of its own: without a scenario, and the unit cube is its cell.
  std::vector<SweepConfig> samplers_;
};

/// The logarithm of the robot's error's scale in grasp `number` of kScaled: even from
/// -kLogMostErrorScale to kLogMostErrorScale.
double log_error_scale(std::int64_t number);
inline constexpr double kMostErrorScale = 4.0;
inline constexpr double kLogMostErrorScale = 1.3862943611198906;

}  // namespace graspmap
