#include "grasp/decide/design/designed_grasp.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "geometry/elementary/elementary.hpp"
#include "grasp/base/probability/random.hpp"
#include "grasp/sweep/trials/trial_sampler.hpp"
#include "sim/closing/simulate.hpp"

namespace graspmap {
namespace {

/// The draws that say which component of an error a grasp has; those below are the sampler's.
constexpr std::uint32_t kComponentDraw = 1000;

/// A seed for each kind of grasps: 2^64 over the golden ratio apart.
constexpr std::uint64_t kSeedStep = 0x9E3779B97F4A7C15U;
constexpr std::size_t kKinds = 5;

std::size_t sampler_of(GraspAt at, bool fresh) {
  return 2 * static_cast<std::size_t>(at) + (fresh ? 1U : 0U);
}

constexpr Axis kUnit{0.0, 1.0, 1};

/// Values beyond an end come back from it.
double reflected(double value, const Axis& axis) {
  if (value < axis.min) value = 2 * axis.min - value;
  if (value > axis.max) value = 2 * axis.max - value;
  return std::clamp(value, axis.min, axis.max);
}

}  // namespace

double log_error_scale(std::int64_t number) {
  // Multiples of the golden ratio fill (0, 1) evenly.
  constexpr double kGolden = 0.6180339887498949;
  const double turns = 0.5 + static_cast<double>(number % 1'000'000) * kGolden;
  return (2.0 * (turns - std::floor(turns)) - 1.0) * kLogMostErrorScale;
}

DesignedGrasp::DesignedGrasp(SweepConfig config, std::shared_ptr<const ErrorMixture> error,
                             std::uint64_t seed)
    : config_(std::make_shared<const SweepConfig>(std::move(config))), error_(std::move(error)) {
  for (std::size_t k = 0; k < 3; ++k) {
    sigma_[k] = std::sqrt(error_->overall[k].variance());
    for (const ErrorComponent& component : error_->components) {
      mean_[k] += component.shift[k] / static_cast<double>(error_->components.size());
    }
  }
  SweepConfig unit = *config_;
  unit.scenario = DrawnScenario{};
  unit.success.clear();
  unit.placement.x_mm = kUnit;
  unit.placement.y_mm = kUnit;
  if (has_angles()) unit.placement.theta_rad = kUnit;
  for (std::size_t kind = 0; kind < 2 * kKinds; ++kind) {
    // The intervals of fresh grasps are those of independent ones.
    unit.points = kind % 2 == 0 ? SweepPoints::kSobol : SweepPoints::kIndependent;
    unit.seed = seed + kind * kSeedStep;
    samplers_.push_back(unit);
  }
}

DesignedGrasp::Drawn DesignedGrasp::drawn(GraspAt at, std::int64_t number,
                                          const PlacementVector& aim, const PlacementVector& spread,
                                          bool fresh) const {
  const PlacementSweep& map = config_->placement;
  const std::array<Axis, 3> axes = map.axes();
  const SweepConfig& unit = samplers_[sampler_of(at, fresh)];
  const auto cells = static_cast<std::int64_t>(this->cells());
  // The sampler has one cell: of GraspAt::kCells each cell of the map gets the same points.
  const SampledTrial trial = sample_trial(unit, at == GraspAt::kCells ? number / cells : number);
  // Its placements, within (0, 1), are the levels of what is drawn here.
  std::array<double, 3> u = {trial.intended.x_mm, trial.intended.y_mm, trial.intended.theta_rad};
  const PlacementVector noise = {trial.parameters.placement_x_mm - trial.intended.x_mm,
                                 trial.parameters.placement_y_mm - trial.intended.y_mm,
                                 trial.parameters.theta_rad - trial.intended.theta_rad};
  Drawn drawn{{}, trial.parameters, trial.uncertain};
  const auto intend = [&](std::size_t k) {
    const Axis& axis = axes[k];
    if (at == GraspAt::kMap) return axis.min + u[k] * (axis.max - axis.min);
    if (at == GraspAt::kNear) return reflected(aim[k] + spread[k] * normal_score(u[k]), axis);
    return aim[k];
  };
  if (!has_angles()) u[2] = 0.5;
  for (std::size_t k = 0; k < 3; ++k) {
    drawn.intended[k] = k == 2 && !has_angles() ? axes[2].min : intend(k);
  }
  if (at == GraspAt::kCells) {
    const CellIndex cell = cell_of_trial(map, number);
    const std::array<int, 3> index = {cell.x, cell.y, cell.theta};
    for (std::size_t k = 0; k < 3; ++k) {
      drawn.intended[k] = axes[k].cell_min(index[k]) + u[k] * axes[k].cell_size();
    }
  }
  PlacementVector reached = drawn.intended;
  if (at == GraspAt::kAim || at == GraspAt::kScaled) {
    const std::size_t count = error_->components.size();
    std::size_t place = 0;
    if (count > 1) {
      const double w = uniform_open(unit.seed, static_cast<std::uint64_t>(number), kComponentDraw);
      place = std::min(static_cast<std::size_t>(w * static_cast<double>(count)), count - 1);
    }
    const ErrorComponent& component = error_->components[place];
    const double scale = at == GraspAt::kScaled ? elementary::exp(log_error_scale(number)) : 1.0;
    for (std::size_t k = 0; k < 3; ++k) {
      const double error = component.shift[k] + component.spread[k].quantile(u[k]);
      // For the tolerated error the deviation from the mean error is scaled, not the mean.
      reached[k] += error + (scale - 1.0) * (error - mean_[k]);
    }
  }
  drawn.parameters.placement_x_mm = reached[0] + noise[0];
  drawn.parameters.placement_y_mm = reached[1] + noise[1];
  drawn.parameters.theta_rad = reached[2] + noise[2];
  return drawn;
}

PlacementVector DesignedGrasp::placement(GraspAt at, std::int64_t number,
                                         const PlacementVector& aim,
                                         const PlacementVector& spread) const {
  return drawn(at, number, aim, spread, false).intended;
}

GraspJob DesignedGrasp::job(const std::string& design, GraspAt at, std::int64_t first,
                            std::int64_t count, const PlacementVector& aim,
                            const PlacementVector& spread, bool fresh) const {
  std::string kind = fmt::format("{} {} {}", design, static_cast<int>(at), fresh ? "fresh" : "");
  if (at != GraspAt::kMap && at != GraspAt::kCells) {
    kind += fmt::format(" {} {} {}", aim[0], aim[1], aim[2]);
  }
  if (at == GraspAt::kNear) kind += fmt::format(" {} {} {}", spread[0], spread[1], spread[2]);
  const auto simulate = [this, at, aim, spread, fresh](std::int64_t number, Workspace& workspace,
                                                       SimulationResult& result) {
    const Drawn one = drawn(at, number, aim, spread, fresh);
    const TrialRow row = run_trial(*config_, one.parameters, one.uncertain, workspace, result);
    return GraspEnd{
        row.outcome,
        {row.final_pose.position_mm.x(), row.final_pose.position_mm.y(), row.final_pose.angle_rad}};
  };
  return {std::move(kind), first, count, simulate};
}

double DesignedGrasp::clearance_mm(const PlacementVector& at) const {
  TrialParameters trial;
  trial.placement_x_mm = at[0];
  trial.placement_y_mm = at[1];
  trial.theta_rad = at[2];
  return smallest_gap_mm(config_->scenario, initial_state(config_->scenario, trial));
}

}  // namespace graspmap
