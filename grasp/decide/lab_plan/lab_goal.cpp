#include "grasp/decide/lab_plan/lab_goal.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "grasp/base/io/number.hpp"
#include "grasp/sweep/trials/trial.hpp"

namespace graspmap {
namespace {

[[noreturn]] void fail_change(std::string_view text, const std::string& problem) {
  throw ConfigError(fmt::format("--detect: '{}': {}", text, problem));
}

LabDifference parse_difference(std::string_view text, std::string_view word) {
  std::vector<std::string> keys;
  for (const LabDifference difference : kLabDifferences) {
    if (word == key(difference)) return difference;
    keys.emplace_back(key(difference));
  }
  fail_change(text,
              fmt::format("'{}' is no change; must be one of {}", word, fmt::join(keys, ", ")));
}

std::string typed(const LabChange& change) {
  return fmt::format("{}={:.6g}", key(change.difference), change.amount);
}

/// "higher by 0.05", "lower by 0.05".
std::string by(double amount, const char* more, const char* less, const char* unit = "") {
  return fmt::format("{} by {:.6g}{}", amount > 0 ? more : less, std::abs(amount), unit);
}

/// Tails are cut at 0, since friction is not negative.
void shift(Distribution& distribution, const LabChange& change) {
  const auto fail = [&](double least) {
    fail_change(typed(change),
                fmt::format("the friction distribution would reach down to {:.4g}; friction is not "
                            "negative",
                            least));
  };
  const bool ends_at_0 =
      distribution.is<Lognormal>() && distribution.range().low == 0;  // by itself
  distribution = distribution.shifted(change.amount).visit([&](auto shifted) -> Distribution {
    if constexpr (std::is_same_v<decltype(shifted), Lognormal>) {
      if (!(shifted.mean > 0)) fail(shifted.mean);
    }
    if constexpr (requires { shifted.sigma; }) {
      shifted.min = ends_at_0 ? 0.0 : std::max(shifted.min, 0.0);
    } else if (const double least = Distribution(shifted).range().low; least < 0) {
      fail(least);
    }
    return shifted;
  });
}

void scale_part(Scenario& scenario, double factor, const LabChange& change) {
  if (!(factor > 0)) fail_change(typed(change), "nothing would be left of the part");
  scenario = with_part_scaled(std::move(scenario), factor);
}

}  // namespace

const char* key(LabDifference difference) {
  constexpr std::array kKeys = {"jaw_friction", "support_friction", "shift_x_mm",  "shift_y_mm",
                                "turn_rad",     "size_mm",          "size_percent"};
  return kKeys[static_cast<std::size_t>(difference)];
}

LabChange parse_lab_change(std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos) {
    fail_change(text, "must be KEY=NUMBER, such as jaw_friction=0.05");
  }
  const LabDifference difference = parse_difference(text, text.substr(0, equals));
  const std::optional<double> amount = parse_number(text.substr(equals + 1));
  if (!amount || *amount == 0) {
    fail_change(text, fmt::format("'{}' must be a number other than 0", text.substr(equals + 1)));
  }
  return {difference, *amount};
}

LabChange lab_change(std::string_view name, double amount) {
  if (amount == 0) fail_change(name, "must be a number other than 0");
  return {parse_difference(name, name), amount};
}

std::string words(const LabChange& change) {
  switch (change.difference) {
    case LabDifference::kJawFriction:
      return "a jaw friction " + by(change.amount, "higher", "lower");
    case LabDifference::kSupportFriction:
      return "a support friction " + by(change.amount, "higher", "lower");
    case LabDifference::kShiftX:
      return fmt::format("a gripper that is off by {:.6g} mm in x", change.amount);
    case LabDifference::kShiftY:
      return fmt::format("a gripper that is off by {:.6g} mm in y", change.amount);
    case LabDifference::kTurn:
      return fmt::format("a part that is turned by {:.6g} rad", change.amount);
    case LabDifference::kSizeMm:
      return "a part " + by(change.amount, "larger", "smaller", " mm");
    case LabDifference::kSizePercent:
      return "a part " + by(change.amount, "larger", "smaller", " %");
  }
  return "";
}

ChangedLab changed_lab(const SweepConfig& config, const LabChange& change) {
  ChangedLab lab{config, {}};
  switch (change.difference) {
    case LabDifference::kJawFriction:
      shift(lab.config.mu_jaw, change);
      break;
    case LabDifference::kSupportFriction:
      shift(lab.config.mu_support, change);
      break;
    case LabDifference::kShiftX:
      lab.offset.x_mm = change.amount;
      break;
    case LabDifference::kShiftY:
      lab.offset.y_mm = change.amount;
      break;
    case LabDifference::kTurn:
      lab.offset.theta_rad = change.amount;
      break;
    case LabDifference::kSizeMm: {
      const double size_mm = 2 * bounding_radius_mm(config.scenario.part, Vec2::Zero());
      scale_part(lab.config.scenario, 1 + change.amount / size_mm, change);
      break;
    }
    case LabDifference::kSizePercent:
      scale_part(lab.config.scenario, 1 + change.amount / 100, change);
      break;
  }
  return lab;
}

double interval_width(const Agreement& agreement, Change change) {
  const ChangeResult* result = agreement.of(change);
  if (result == nullptr) return std::numeric_limits<double>::infinity();
  return result->estimate.interval.high - result->estimate.interval.low;
}

bool reached(const Agreement& agreement, const LabRequest& request) {
  if (std::holds_alternative<DetectGoal>(request.goal)) return agreement.significant;
  if (std::holds_alternative<AgreeGoal>(request.goal)) {
    return agreement.verdict == AgreementVerdict::kAgrees;
  }
  if (std::holds_alternative<TrialsGoal>(request.goal)) return true;
  const auto& goal = std::get<LearnGoal>(request.goal);
  return interval_width(agreement, goal.change) <= goal.width;
}

std::string words(const LabGoal& goal) {
  if (const auto* detect = std::get_if<DetectGoal>(&goal)) {
    return "to find " + words(detect->change);
  }
  if (const auto* agree = std::get_if<AgreeGoal>(&goal)) {
    return fmt::format("to show agreement within {:.6g} points", 100 * agree->within);
  }
  if (std::holds_alternative<TrialsGoal>(goal)) return "for what they can show";
  const auto& learn = std::get<LearnGoal>(goal);
  const std::string suffix = unit(learn.change);
  return fmt::format("to know {} with an interval at most {:.6g}{} wide", name(learn.change),
                     learn.change == Change::kLevel ? 100 * learn.width : learn.width,
                     suffix.empty() ? "" : " " + suffix);
}

}  // namespace graspmap
