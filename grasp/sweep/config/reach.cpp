#include "grasp/sweep/config/reach.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "geometry/contact_element.hpp"
#include "geometry/elementary/elementary.hpp"
#include "geometry/part.hpp"

namespace graspmap {
namespace {

using Box2 = Eigen::AlignedBox2d;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kAngleStep_rad = std::numbers::pi / 90;

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

}  // namespace

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

double width_at_middle_mm(const SweepConfig& config) {
  const Axis& theta = config.placement.theta_rad;
  return box_of(config.scenario.part, 0.5 * (theta.min + theta.max)).sizes().x();
}

}  // namespace graspmap
