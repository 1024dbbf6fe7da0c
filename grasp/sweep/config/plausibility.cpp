#include "grasp/sweep/config/plausibility.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "grasp/sweep/config/reach.hpp"
#include "sim/closing/simulate.hpp"

namespace graspmap {
namespace {

constexpr double kSmallPart_mm = 5.0;
constexpr double kLargePart_mm = 2000.0;
/// The mass of a plate over the area of the circle around it: from foil to a metre of steel.
constexpr double kLightPlate_kg_mm2 = 1e-8;
constexpr double kHeavyPlate_kg_mm2 = 1e-2;

class DoubtList {
 public:
  DoubtList(const SweepConfig& config, const std::string& source)
      : config_(config), source_(source) {}

  std::vector<ConfigFault> find() {
    doubt_size();
    doubt_mass();
    doubt_force();
    doubt_friction();
    doubt_angles();
    doubt_origin();
    doubt_trials();
    doubt_opening();
    if (config_.scenario.program.empty()) {  // a gripper that moves or turns gets elsewhere
      doubt_reach();
      doubt_targets();
      doubt_timeout();
    }
    return std::move(doubts_);
  }

 private:
  void add(const char* key, const std::string& text) {
    doubts_.push_back(ConfigFault::of({source_}, key, text));
  }

  [[nodiscard]] double size_mm() const {
    const Scenario& scenario = config_.scenario;
    return 2 * bounding_radius_mm(scenario.part, scenario.mass.center_of_mass_P_mm);
  }

  void doubt_size() {
    const double size = size_mm();
    if (size >= kSmallPart_mm && size <= kLargePart_mm) return;
    add("part.piece", fmt::format("the part is {:.3g} mm large; is it drawn in {}?", size,
                                  size < kSmallPart_mm ? "inches or metres" : "another unit"));
  }

  void doubt_mass() {
    const double mass = config_.scenario.mass.mass_kg;
    const double radius = size_mm() / 2;
    const double plate = mass / (std::numbers::pi * radius * radius);
    if (plate >= kLightPlate_kg_mm2 && plate <= kHeavyPlate_kg_mm2) return;
    add("part.mass_kg",
        fmt::format("is {:.3g} for a part {:.3g} mm large; check the mass, or the density's unit: "
                    "steel has density_kg_mm3 = 7.85e-6",
                    mass, 2 * radius));
  }

  void doubt_force() {
    const Scenario& scenario = config_.scenario;
    constexpr double kMilli = 1e-3;  // kg mm/s^2 are mN
    const double friction_n =
        config_.mu_support.mean() * scenario.mass.mass_kg * scenario.gravity_mm_s2 * kMilli;
    const double force_n = scenario.gripper.closing_force_n;
    if (force_n >= friction_n) return;
    add("gripper.closing_force_n",
        fmt::format("is {:.3g}; the table holds the part with about {:.3g} N, so no jaw can push "
                    "it",
                    force_n, friction_n));
  }

  void doubt_friction() {
    constexpr double kSticky = 3.0;
    for (const auto& [key, distribution] : {std::pair{"friction.jaw", &config_.mu_jaw},
                                            std::pair{"friction.support", &config_.mu_support}}) {
      if (distribution->mean() <= kSticky) continue;
      add(key, fmt::format("is {:.3g} on average; coefficients of friction above {} are those of "
                           "glue: is it given in percent or degrees?",
                           distribution->mean(), kSticky));
    }
  }

  void doubt_angles() {
    const Axis& theta = config_.placement.theta_rad;
    const double most = std::max(std::abs(theta.min), std::abs(theta.max));
    if (most > kWholeTurn_rad) {
      add("placement.theta_rad",
          fmt::format("reaches {:.4g}, more than a turn; theta_deg takes degrees", most));
    }
    // A normal that covers a turn; any angle on purpose is a uniform distribution.
    const auto* noise = config_.placement.noise_theta_rad.as<Normal>();
    if (noise != nullptr && 4 * noise->sigma > kWholeTurn_rad) {
      add("placement.noise.theta_rad",
          fmt::format("has sigma = {:.3g}, which is any angle; theta_deg takes degrees",
                      noise->sigma));
    }
  }

  /// Noise of the angle turns the part about its origin.
  void doubt_origin() {
    const double noise_rad = std::sqrt(config_.placement.noise_theta_rad.variance());
    const double arm_mm = config_.scenario.mass.center_of_mass_P_mm.norm();
    if (!(noise_rad > 0) || arm_mm <= size_mm()) return;
    add("placement.noise.theta_rad",
        fmt::format(
            "turns the part about its origin, {:.4g} mm off its centre of mass, which it "
            "moves by {:.3g} mm: put the origin there (of a drawing: origin = \"centroid\"; "
            "graspmap init --origin centroid)",
            arm_mm, noise_rad * arm_mm));
  }

  void doubt_trials() {
    if (config_.trials_per_cell > 1) return;
    add("sweep.trials_per_cell", "is 1; one trial says little of a cell's probability");
  }

  /// At up to a thousand placements, evenly spread.
  void doubt_opening() {
    constexpr int kMostPlacements = 1000;
    const int cells = config_.placement.cell_count();
    const int stride = (cells + kMostPlacements - 1) / kMostPlacements;
    int looked_at = 0;
    int blocked = 0;
    StartCheck starts(config_.scenario);
    for (int number = 0; number < cells; number += stride) {
      ++looked_at;
      blocked += !starts_free_at_center(starts, config_.placement, number);
    }
    if (4 * blocked <= 3 * looked_at) return;
    add("gripper.opening_mm",
        fmt::format("is {:.6g}; at {:.0f} % of the map's placements fingers or palm start inside "
                    "the part, which is {:.3g} mm wide: open wider, or move the map",
                    config_.scenario.gripper.opening_mm, 100.0 * blocked / looked_at,
                    width_at_middle_mm(config_)));
  }

  void doubt_reach() {
    const std::optional<BeyondReach> beyond = beyond_reach(config_);
    if (!beyond) return;
    const auto& [fingers, part] = *beyond;
    add("placement",
        fmt::format("no finger can meet the part: fingers reach from y = {:.6g} to {:.6g} mm, the "
                    "part from {:.6g} to {:.6g} mm at all placements; move the map by "
                    "placement.y_min_mm and y_max_mm",
                    fingers.low, fingers.high, part.low, part.high));
  }

  void doubt_targets() {
    for (const UntouchableTarget& target : untouchable_targets(config_)) {
      const bool is_left = target.side == JawSide::kLeft;
      add(is_left ? "success.left" : "success.right",
          fmt::format("the {} finger cannot touch {} at any angle and height that the rule "
                      "allows; {}",
                      is_left ? "left" : "right", target.name,
                      target.other_side_can
                          ? fmt::format("the {} one can: are left and right swapped?",
                                        is_left ? "right" : "left")
                          : "name an element that faces it, or widen theta and y"));
    }
  }

  void doubt_timeout() {
    const Scenario& scenario = config_.scenario;
    const Gripper& gripper = scenario.gripper;
    const double closed_mm = gripper.opening_mm - scenario.stop.closed_opening_mm;
    const double closing_s = closed_mm / (2 * gripper.closing_speed_mm_s);
    if (scenario.stop.timeout_s >= closing_s) return;
    add("stop.timeout_s",
        fmt::format("is {:.3g}; without a part the jaws take {:.3g} s at least to close, so trials "
                    "end before they have",
                    scenario.stop.timeout_s, closing_s));
  }

  const SweepConfig& config_;
  const std::string& source_;
  std::vector<ConfigFault> doubts_;
};

}  // namespace

std::vector<ConfigFault> doubts(const SweepConfig& config, const std::string& source) {
  return DoubtList(config, source).find();
}

}  // namespace graspmap
