#include "grasp/sweep/config/success_rule.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <tuple>
#include <utility>

#include "grasp/sweep/config/config_keys.hpp"
#include "grasp/sweep/config/key_reader.hpp"

namespace graspmap {
namespace {

/// What can be touched by this name: a piece, all elements of an outline's piece, all elements with
/// the name, or those that reports call so ("edge 7", "key: edge 7"). Ascending.
std::vector<int> features_named(const Part& part, std::string_view name) {
  std::vector<int> features;
  for (std::size_t i = 0; i < part.pieces.size(); ++i) {
    if (part.pieces[i].name == name) features.push_back(static_cast<int>(i));
  }
  for (std::size_t i = 0; i < part.outlines.size(); ++i) {
    const OutlinePiece& piece = part.outlines[i];
    int feature = first_feature(part, i);
    for (const OutlineElement& element : piece.outline.outer) {
      const bool has_name = is_name(name) && element.name == name;
      if (piece.name == name || has_name || feature_name(part, feature) == name) {
        features.push_back(feature);
      }
      ++feature;
    }
  }
  return features;
}

/// The names of pieces and elements, each once, and the numbers of elements without a name.
std::string names_text(const Part& part) {
  constexpr std::size_t kMost = 20;
  std::vector<std::string> names;
  const auto add = [&](std::string_view name) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.emplace_back(name);
  };
  for (const Piece& piece : part.pieces) add(piece.name);
  for (const OutlinePiece& piece : part.outlines) add(piece.name);
  for (std::size_t i = 0; i < part.outlines.size(); ++i) {
    int feature = first_feature(part, i);
    for (const OutlineElement& element : part.outlines[i].outline.outer) {
      add(is_name(element.name) ? element.name : feature_name(part, feature));
      ++feature;
    }
  }
  const std::size_t shown = std::min(names.size(), kMost);
  const std::string text = fmt::format(
      "{}", fmt::join(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(shown), ", "));
  return shown == names.size() ? text : fmt::format("{} and {} more", text, names.size() - shown);
}

std::string no_such_name(const Part& part, std::string_view name) {
  return fmt::format("no piece {}is named \"{}\"; the part's {} are {}",
                     part.outlines.empty() ? "" : "or element ", name,
                     part.outlines.empty() ? "pieces" : "names", names_text(part));
}

/// The obstacle with whose name and a colon a name begins, and the rest of the name; or -1.
std::pair<int, std::string_view> obstacle_named(const std::vector<Obstacle>& obstacles,
                                                std::string_view name) {
  for (std::size_t k = 0; k < obstacles.size(); ++k) {
    const std::string begin = obstacles[k].name + ": ";
    if (name.starts_with(begin)) return {static_cast<int>(k), name.substr(begin.size())};
  }
  return {-1, name};
}

/// Finds what the names of one finger, the palm, or obstacles, are: sorted, without repetition.
void find_features(const TomlTable& table, std::string_view key, const Part& part,
                   std::vector<TouchTarget>& targets, const std::vector<Obstacle>& obstacles = {}) {
  for (TouchTarget& target : targets) {
    const auto [obstacle, name] = obstacle_named(obstacles, target.name);
    target.obstacle = obstacle;
    target.features = features_named(part, name);
    if (target.features.empty()) table.fail(key, no_such_name(part, name));
  }
  const auto rank = [](const TouchTarget& t) { return std::tie(t.features, t.name); };
  std::sort(targets.begin(), targets.end(),
            [&](const TouchTarget& a, const TouchTarget& b) { return rank(a) < rank(b); });
  const auto same_name = [](const TouchTarget& a, const TouchTarget& b) {
    return a.name == b.name;
  };
  targets.erase(std::unique(targets.begin(), targets.end(), same_name), targets.end());
}

/// Throws unless the window of the angle goes with its period.
void check_angle_window(const TomlTable& table, const SuccessAlternative& rule) {
  if (!rule.theta_rad) {
    const std::string period = table.given("theta_period_rad");
    if (!period.empty()) table.fail(period, "has no effect without theta_rad; must be left out");
    return;
  }
  // Several digits of pi are as good as all of them, but 1 rad is no share of a turn.
  constexpr double kShareSlack = 0.01;
  const double period = rule.theta_period_rad;
  const double share = kWholeTurn_rad / period;
  if (std::abs(share - std::round(share)) > kShareSlack) {
    table.fail("theta_period_rad",
               fmt::format("is {}; must be a turn divided by a whole number: {} / 2, / 3, ...",
                           period, kWholeTurn_rad));
  }
  const double width = rule.theta_rad->max - rule.theta_rad->min;
  if (width > period) {
    table.fail("theta_rad",
               fmt::format("is {} wide; must be at most {} wide, the period after which angles are "
                           "the same",
                           width, period));
  }
}

SuccessAlternative read_alternative(const TomlTable& table, const Scenario& scenario) {
  SuccessAlternative rule;
  KeyReader keys(table);
  success_keys(keys, rule);
  find_features(table, "left", scenario.part, rule.left);
  find_features(table, "right", scenario.part, rule.right);
  find_features(table, "palm", scenario.part, rule.palm);
  find_features(table, "obstacle", scenario.part, rule.obstacle, scenario.obstacles);
  check_angle_window(table, rule);
  if (!rule.obstacle.empty() && scenario.obstacles.empty()) {
    table.fail("obstacle", "there is no obstacle; must be left out, or [[obstacle]] given");
  }
  if (!rule.palm.empty() && !scenario.gripper.palm) {
    table.fail("palm", "the gripper has no palm; must be left out, or [gripper.palm] given");
  }
  const std::string fault = opening_fault(rule, scenario);
  if (!fault.empty()) table.fail("opening_mm", fault);
  const bool touches =
      !rule.left.empty() || !rule.right.empty() || !rule.palm.empty() || !rule.obstacle.empty();
  const bool windows = rule.x_mm || rule.y_mm || rule.theta_rad || rule.opening_mm;
  if (!touches && !windows && !rule.at_rest && !rule.hold_factor) {
    table.fail("left",
               fmt::format("no condition is given; at least one must be named of {} in "
                           "left, right, palm or obstacle, or there must be x_mm, y_mm, theta_rad, "
                           "opening_mm, at_rest or hold_factor",
                           names_text(scenario.part)));
  }
  return rule;
}

}  // namespace

std::string opening_fault(const SuccessAlternative& rule, const Scenario& scenario) {
  const double closed_mm = scenario.stop.closed_opening_mm;
  const double open_mm = scenario.gripper.opening_mm;
  if (!rule.opening_mm || (rule.opening_mm->max > closed_mm && rule.opening_mm->min < open_mm)) {
    return "";
  }
  return fmt::format(
      "is [{}, {}]; must overlap the openings between stop.closed_opening_mm = {} and "
      "gripper.opening_mm = {}, at which trials can succeed",
      rule.opening_mm->min, rule.opening_mm->max, closed_mm, open_mm);
}

std::vector<SuccessAlternative> read_success(const std::vector<TomlTable>& tables,
                                             const Scenario& scenario) {
  std::vector<SuccessAlternative> success;
  for (const TomlTable& table : tables) success.push_back(read_alternative(table, scenario));
  return success;
}

namespace {

std::string condition_words(const SuccessAlternative& rule) {
  std::vector<std::string> conditions;
  const auto touches = [&](const char* side, const std::vector<TouchTarget>& targets) {
    if (targets.empty()) return;
    std::vector<std::string> names;
    for (const TouchTarget& target : targets) names.push_back(target.name);
    conditions.push_back(fmt::format("the {} touches {}", side, fmt::join(names, " and ")));
  };
  if (rule.left.empty() && rule.right.empty()) {
    conditions.emplace_back("both fingers touch the part");
  }
  touches("left finger", rule.left);
  touches("right finger", rule.right);
  touches("palm", rule.palm);
  touches("obstacle", rule.obstacle);
  const auto window = [&](const char* what, const std::optional<Window>& range) {
    if (!range) return;
    conditions.push_back(fmt::format("{} {:.6g} to {:.6g}", what, range->min, range->max));
  };
  window("the part's x in the gripper (mm) is", rule.x_mm);
  window("the part's y in the gripper (mm) is", rule.y_mm);
  if (const auto& angle = rule.theta_rad) {
    constexpr double kDegrees = 180 / std::numbers::pi;
    conditions.push_back(fmt::format("the part's angle is {:.6g} to {:.6g} rad ({:.3g} to {:.3g}°)",
                                     angle->min, angle->max, kDegrees * angle->min,
                                     kDegrees * angle->max));
    if (rule.theta_period_rad != kWholeTurn_rad) {
      conditions.back() +=
          fmt::format(", or {:.4g} rad or its multiples from there", rule.theta_period_rad);
    }
  }
  window("the opening (mm) is", rule.opening_mm);
  if (rule.at_rest) conditions.emplace_back("all is at rest");
  if (rule.hold_factor) {
    conditions.push_back(
        fmt::format("it stays in the hand with a safety factor of {:.3g}", *rule.hold_factor));
  }
  return fmt::format("{}", fmt::join(conditions, ", "));
}

}  // namespace

std::string success_words(const std::vector<SuccessAlternative>& success) {
  std::vector<std::string> alternatives;
  for (const SuccessAlternative& rule : success) alternatives.push_back(condition_words(rule));
  return fmt::format("{}", fmt::join(alternatives, "; or "));
}

}  // namespace graspmap
