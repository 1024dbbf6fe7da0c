#include "grasp/sweep/trials/success_conditions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>

namespace graspmap {
namespace {

/// The conditions that an alternative can have, and their keys.
enum class Condition {
  kHeld,
  kLeft,
  kRight,
  kPalm,
  kObstacle,
  kX,
  kY,
  kTheta,
  kOpening,
  kHold,
  kAtRest
};
constexpr std::array kConditions = {Condition::kHeld, Condition::kLeft,     Condition::kRight,
                                    Condition::kPalm, Condition::kObstacle, Condition::kX,
                                    Condition::kY,    Condition::kTheta,    Condition::kOpening,
                                    Condition::kHold, Condition::kAtRest};
constexpr std::array kKeys = {"held", "left",      "right",      "palm",        "obstacle", "x_mm",
                              "y_mm", "theta_rad", "opening_mm", "hold_factor", "at_rest"};
static_assert(kConditions.size() == kKeys.size());

/// True when one of the target's features is among `touched` (ascending).
bool is_touched(const TouchTarget& target, const std::vector<int>& touched) {
  return std::any_of(target.features.begin(), target.features.end(), [&](int feature) {
    return std::binary_search(touched.begin(), touched.end(), feature);
  });
}

/// The same of obstacles, by which the touched features are given: of the one that the target
/// names, or of any.
bool is_touched(const TouchTarget& target, const std::vector<std::vector<int>>& by_obstacle) {
  if (target.obstacle >= 0) return is_touched(target, by_obstacle[index(target.obstacle)]);
  return std::any_of(by_obstacle.begin(), by_obstacle.end(),
                     [&](const std::vector<int>& touched) { return is_touched(target, touched); });
}

template <typename Touched>
bool all_touched(const std::vector<TouchTarget>& targets, const Touched& touched) {
  return std::all_of(targets.begin(), targets.end(),
                     [&](const TouchTarget& target) { return is_touched(target, touched); });
}

/// What obstacles touch, ascending.
std::vector<int> touched_by_any(const std::vector<std::vector<int>>& by_obstacle) {
  std::vector<int> all;
  for (const std::vector<int>& touched : by_obstacle) {
    all.insert(all.end(), touched.begin(), touched.end());
  }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

bool contains(const std::optional<Window>& window, double value) {
  return !window || window->contains(value);
}

/// How far an angle lies above the lower end of a window, whole periods left out.
double above_min_rad(const Window& window, double angle_rad, double period_rad) {
  const double above = std::fmod(angle_rad - window.min, period_rad);
  return above < 0 ? above + period_rad : above;
}

/// One alternative, and the end of the simulation that it is held against.
struct Judgement {
  const SuccessAlternative& rule;
  const SimulationResult& result;
  const Pose2& pose;
  double hold_factor;

  [[nodiscard]] double opening_mm() const {
    return result.final_state.jaw_right_mm - result.final_state.jaw_left_mm;
  }

  /// Whether a condition holds; true of one that the alternative does not have.
  [[nodiscard]] bool met(Condition condition) const {
    switch (condition) {
      case Condition::kHeld:
        return !rule.left.empty() || !rule.right.empty() ||
               (!result.left_touches.empty() && !result.right_touches.empty());
      case Condition::kLeft:
        return all_touched(rule.left, result.left_touches);
      case Condition::kRight:
        return all_touched(rule.right, result.right_touches);
      case Condition::kPalm:
        return all_touched(rule.palm, result.palm_touches);
      case Condition::kObstacle:
        return all_touched(rule.obstacle, result.obstacle_touches);
      case Condition::kX:
        return contains(rule.x_mm, pose.position_mm.x());
      case Condition::kY:
        return contains(rule.y_mm, pose.position_mm.y());
      case Condition::kTheta:
        return !rule.theta_rad ||
               above_min_rad(*rule.theta_rad, pose.angle_rad, rule.theta_period_rad) <=
                   rule.theta_rad->max - rule.theta_rad->min;
      case Condition::kOpening:
        return contains(rule.opening_mm, opening_mm());
      case Condition::kHold:
        return !rule.hold_factor || hold_factor >= *rule.hold_factor;
      case Condition::kAtRest:
        break;
    }
    return !rule.at_rest || result.end == EndReason::kStopped;
  }

  /// The final angle, or the same one whole periods away, that is nearest to the window.
  [[nodiscard]] double angle_near_window_rad() const {
    const Window& window = *rule.theta_rad;
    const double period = rule.theta_period_rad;
    const double above = above_min_rad(window, pose.angle_rad, period);
    const bool nearer_below = above > (window.max - window.min + period) / 2;
    return window.min + above - (nearer_below ? period : 0.0);
  }

  /// What is wanted, and what there is, for a condition that is not met.
  [[nodiscard]] UnmetCondition explain(Condition condition, const Part& part) const {
    const char* key = kKeys[static_cast<std::size_t>(condition)];
    const auto touches = [&](const std::vector<TouchTarget>& targets,
                             const std::vector<int>& touched) -> UnmetCondition {
      std::string names;
      for (const TouchTarget& target : targets) {
        names += (names.empty() ? "" : " and ") + target.name;
      }
      return {key, names, touched_text(part, touched)};
    };
    const auto window = [&](const Window& wanted, double found) -> UnmetCondition {
      return {key, fmt::format("{:.6g} to {:.6g}", wanted.min, wanted.max),
              fmt::format("{:.4g}", found), found};
    };
    switch (condition) {
      case Condition::kHeld:
        return {key, "both jaws",
                !result.left_touches.empty()    ? "the left jaw alone"
                : !result.right_touches.empty() ? "the right jaw alone"
                                                : "neither jaw"};
      case Condition::kLeft:
        return touches(rule.left, result.left_touches);
      case Condition::kRight:
        return touches(rule.right, result.right_touches);
      case Condition::kPalm:
        return touches(rule.palm, result.palm_touches);
      case Condition::kObstacle:
        return touches(rule.obstacle, touched_by_any(result.obstacle_touches));
      case Condition::kX:
        return window(*rule.x_mm, pose.position_mm.x());
      case Condition::kY:
        return window(*rule.y_mm, pose.position_mm.y());
      case Condition::kTheta:
        return window(*rule.theta_rad, angle_near_window_rad());
      case Condition::kOpening:
        return window(*rule.opening_mm, opening_mm());
      case Condition::kHold:
        return {key, fmt::format("at least {:.6g}", *rule.hold_factor),
                fmt::format("{:.4g}", hold_factor), hold_factor};
      case Condition::kAtRest:
        break;
    }
    return {key, "at rest", "still moving at the timeout"};
  }
};

}  // namespace

bool holds(const SuccessAlternative& rule, const SimulationResult& result, const Pose2& pose,
           double hold_factor) {
  const Judgement judgement{rule, result, pose, hold_factor};
  return std::all_of(kConditions.begin(), kConditions.end(),
                     [&](Condition condition) { return judgement.met(condition); });
}

bool asks_for_hold(const std::vector<SuccessAlternative>& success) {
  return std::any_of(success.begin(), success.end(),
                     [](const SuccessAlternative& rule) { return rule.hold_factor.has_value(); });
}

std::vector<UnmetCondition> unmet_conditions(const std::vector<SuccessAlternative>& success,
                                             const Part& part, const SimulationResult& result,
                                             const Pose2& pose, double hold_factor) {
  std::vector<UnmetCondition> fewest;
  for (const SuccessAlternative& rule : success) {
    const Judgement judgement{rule, result, pose, hold_factor};
    std::vector<UnmetCondition> unmet;
    for (const Condition condition : kConditions) {
      if (!judgement.met(condition)) unmet.push_back(judgement.explain(condition, part));
    }
    if (unmet.empty()) return {};
    if (fewest.empty() || unmet.size() < fewest.size()) fewest = std::move(unmet);
  }
  return fewest;
}

bool is_touch(std::string_view key) {
  return key == "left" || key == "right" || key == "palm" || key == "obstacle";
}

std::string unmet_sentence(const UnmetCondition& condition) {
  const std::string& key = condition.key;
  const std::string& wanted = condition.wanted;
  const std::string& found = condition.found;
  if (key == "held") return fmt::format("{} touches the part, wanted {}", found, wanted);
  if (key == "at_rest") return fmt::format("{}, wanted {}", found, wanted);
  return fmt::format("{} {} {}, wanted {}", key, is_touch(key) ? "touches" : "is", found, wanted);
}

std::string feature_names(const Part& part, const std::vector<int>& features,
                          const char* separator) {
  std::string names;
  for (const int feature : features) {
    if (!names.empty()) names += separator;
    names += feature_name(part, feature);
  }
  return names;
}

std::string touched_text(const Part& part, const std::vector<int>& features) {
  return features.empty() ? "nothing" : feature_names(part, features);
}

}  // namespace graspmap
