#include "grasp/sweep/config/plausibility.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <tuple>

#include "geometry/contact_element.hpp"
#include "geometry/elementary/elementary.hpp"
#include "geometry/part.hpp"
#include "sim/closing/simulate.hpp"

namespace graspmap {
namespace {

using Box2 = Eigen::AlignedBox2d;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kAngleStep_rad = std::numbers::pi / 90;

/// How far something reaches in y of the gripper's frame, mm.
struct HeightRange {
  double low = 0.0;
  double high = 0.0;
};

/// The box of a part whose frame lies at the origin, turned.
Box2 box_of(const Part& part, double angle_rad) {
  Box2 box;
  const Pose2 turned{{0, 0}, angle_rad};
  for (const Piece& piece : part.pieces) {
    const Rotation2 rotation(angle_rad + piece.pose.angle_rad);
    const Vec2 center = transform(turned, piece.pose.position_mm);
    for (const Vec2& u : {Vec2(1, 0), Vec2(-1, 0), Vec2(0, 1), Vec2(0, -1)}) {
      box.extend(center +
                 rotation *
                     support_point(piece.shape, Rotation2(-angle_rad - piece.pose.angle_rad) * u));
    }
  }
  for (const OutlinePiece& piece : part.outlines) {
    const Outline in_P = placed(piece.outline, piece.pose);
    box.extend(box_of(placed(in_P, turned).outer));
  }
  return box;
}

/// A range that is wide enough for nearly all draws of a distribution.
HeightRange range_of(const Distribution& distribution) {
  constexpr double kSigmas = 4.0;
  const double half = kSigmas * std::sqrt(distribution.variance());
  return {distribution.mean() - half, distribution.mean() + half};
}

/// Angles from `low` to `high`, at most kAngleStep_rad apart, and of a turn at most.
std::vector<double> angles_between(double low, double high) {
  high = std::min(high, low + kWholeTurn_rad);
  const int steps = static_cast<int>(std::ceil((high - low) / kAngleStep_rad));
  std::vector<double> angles;
  for (int k = 0; k <= steps; ++k) angles.push_back(low + (high - low) * k / std::max(steps, 1));
  return angles;
}

const std::optional<Outline>& finger_of(const Gripper& gripper, JawSide side) {
  return side == JawSide::kLeft ? gripper.left_finger : gripper.right_finger;
}

/// From where to where a finger is in y; the quarter-planes are below y = 0.
HeightRange heights_of(const Gripper& gripper, JawSide side) {
  const std::optional<Outline>& finger = finger_of(gripper, side);
  if (!finger) return {-kInfinity, 0.0};
  const Box2 box = box_of(finger->outer);
  return {box.min().y(), box.max().y()};
}

/// Directions in which a finger can touch: outward normals, but of its side away from the part.
class TouchDirections {
 public:
  TouchDirections(const Gripper& gripper, JawSide side) : inward_(side == JawSide::kLeft ? 1 : -1) {
    const std::optional<Outline>& finger = finger_of(gripper, side);
    if (!finger) return;
    const Box2 box = box_of(finger->outer);
    const double outer_mm = side == JawSide::kLeft ? box.min().x() : box.max().x();
    const double depth_mm = box.max().x() - box.min().x();
    const auto is_outside = [&](const ContactElement& element) {
      constexpr double kOfDepth = 1e-3;
      return std::max(std::abs(element.lo_mm.x() - outer_mm),
                      std::abs(element.hi_mm.x() - outer_mm)) < kOfDepth * depth_mm;
    };
    elements_ = contact_elements(*finger);
    std::erase_if(elements_, is_outside);
  }

  [[nodiscard]] bool has(const Vec2& u, double slack) const {
    if (elements_.empty()) return inward_ * u.x() >= -slack && u.y() >= -slack;
    return std::any_of(elements_.begin(), elements_.end(), [&](const ContactElement& element) {
      return range_of(element, u, slack) == NormalRange::kInside;
    });
  }

 private:
  double inward_;
  std::vector<ContactElement> elements_;
};

/// A feature of an outline, in the part's frame.
std::optional<ContactElement> element_of(const Part& part, int feature) {
  std::size_t outline = part.outlines.size() - 1;
  while (feature < first_feature(part, outline)) --outline;
  const OutlinePiece& piece = part.outlines[outline];
  const int own = feature - first_feature(part, outline);
  for (const ContactElement& element : contact_elements(piece.outline)) {
    if (own < element.feature || own >= element.feature + element.joined) continue;
    return placed(element, piece.pose, 0, 0);
  }
  return std::nullopt;  // a reflex corner, or a smooth joint
}

/// Whether a finger can touch an element of a part that lies as a success rule wants it.
bool can_touch(const Gripper& gripper, JawSide side, const ContactElement& element,
               const SuccessAlternative& rule) {
  const double slack = elementary::sin(kAngleStep_rad);
  const TouchDirections directions(gripper, side);
  const HeightRange finger = heights_of(gripper, side);
  const BoundingCircle circle = bounding_circle(element);
  const auto is_in_height = [&](double angle) {
    if (!rule.y_mm) return true;
    const double y = (Rotation2(angle) * circle.center_mm).y();
    return y - circle.radius_mm + rule.y_mm->min <= finger.high &&
           y + circle.radius_mm + rule.y_mm->max >= finger.low;
  };
  const auto is_facing = [&](double angle) {
    for (const double at : angles_between(0, kWholeTurn_rad)) {
      const auto [sine, cosine] = elementary::sincos(at);
      const Vec2 u(cosine, sine);
      if (range_of(element, Rotation2(-angle) * u, slack) == NormalRange::kInside &&
          directions.has(-u, slack)) {
        return true;
      }
    }
    return false;
  };
  for (double other = 0; other < kWholeTurn_rad - 1e-9; other += rule.theta_period_rad) {
    const std::vector<double> angles =
        angles_between(rule.theta_rad->min + other, rule.theta_rad->max + other);
    if (std::any_of(angles.begin(), angles.end(),
                    [&](double angle) { return is_in_height(angle) && is_facing(angle); })) {
      return true;
    }
  }
  return false;
}

bool can_touch(const Scenario& scenario, JawSide side, const TouchTarget& target,
               const SuccessAlternative& rule) {
  const auto first_of_outlines = static_cast<int>(scenario.part.pieces.size());
  return std::any_of(target.features.begin(), target.features.end(), [&](int feature) {
    if (feature < first_of_outlines) return true;  // superellipses face all sides
    const std::optional<ContactElement> element = element_of(scenario.part, feature);
    return element && can_touch(scenario.gripper, side, *element, rule);
  });
}

/// A map at none of whose placements a closing finger meets the part.
struct BeyondReach {
  HeightRange fingers;
  HeightRange part;  ///< at all placements
};

/// Nothing when a finger may meet the part somewhere on the map, with its noise.
std::optional<BeyondReach> beyond_reach(const SweepConfig& config) {
  const Scenario& scenario = config.scenario;
  const PlacementSweep& map = config.placement;
  const HeightRange left = heights_of(scenario.gripper, JawSide::kLeft);
  const HeightRange right = heights_of(scenario.gripper, JawSide::kRight);
  const HeightRange noise_y = range_of(map.noise_y_mm);
  const HeightRange noise_theta = range_of(map.noise_theta_rad);
  BeyondReach result{{std::min(left.low, right.low), std::max(left.high, right.high)},
                     {kInfinity, -kInfinity}};
  const std::vector<double> angles =
      angles_between(map.theta_rad.min + noise_theta.low, map.theta_rad.max + noise_theta.high);
  for (const double angle : angles) {
    const Box2 box = box_of(scenario.part, angle);
    result.part.low = std::min(result.part.low, box.min().y());
    result.part.high = std::max(result.part.high, box.max().y());
  }
  const double between =
      angles.size() > 1 ? kAngleStep_rad * bounding_radius_mm(scenario.part, Vec2::Zero()) : 0.0;
  const double offset = scenario.gripper.offset_mm.y();
  result.part.low -= map.y_mm.max + noise_y.high + offset + between;
  result.part.high -= map.y_mm.min + noise_y.low + offset - between;
  const auto meets = [&](const HeightRange& finger) {
    return result.part.low <= finger.high && result.part.high >= finger.low;
  };
  if (meets(left) || meets(right)) return std::nullopt;
  return result;
}

/// The part's size in x at the middle of the map, mm.
double width_at_middle_mm(const SweepConfig& config) {
  const Axis& theta = config.placement.theta_rad;
  return box_of(config.scenario.part, 0.5 * (theta.min + theta.max)).sizes().x();
}

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

std::vector<UntouchableTarget> untouchable_targets(const SweepConfig& config) {
  const Scenario& scenario = config.scenario;
  std::vector<UntouchableTarget> found;
  for (const SuccessAlternative& rule : config.success) {
    if (!rule.theta_rad) continue;  // the part may turn as it likes
    for (const auto& [side, other, targets] :
         {std::tuple{JawSide::kLeft, JawSide::kRight, &rule.left},
          std::tuple{JawSide::kRight, JawSide::kLeft, &rule.right}}) {
      for (const TouchTarget& target : *targets) {
        if (can_touch(scenario, side, target, rule)) continue;
        found.push_back({side, target.name, can_touch(scenario, other, target, rule)});
      }
    }
  }
  return found;
}

std::vector<ConfigFault> doubts(const SweepConfig& config, const std::string& source) {
  return DoubtList(config, source).find();
}

}  // namespace graspmap
