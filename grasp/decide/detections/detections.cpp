#include "grasp/decide/detections/detections.hpp"

#include <fmt/format.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

#include "geometry/types.hpp"
#include "grasp/base/io/csv.hpp"
#include "grasp/base/io/number.hpp"
#include "grasp/base/io/number_text.hpp"
#include "grasp/base/probability/random.hpp"
#include "grasp/decide/requests/shared_fields.hpp"
#include "grasp/sweep/config/scenario_number.hpp"

namespace graspmap {
namespace {

using Coordinates = std::array<double, 3>;

constexpr std::size_t kLeastDetections = 5;
constexpr std::size_t kMostDetections = 1000;  // as many as `plan --measured` takes
constexpr double kLargest = 1e6;               // of lengths (mm) and angles (rad)
constexpr double kLeastVariance = 1e-12;       // mm2, rad2
constexpr double kFullTurn_deg = 360.0;

}  // namespace

RequestFields DetectionsRequest::fields() {
  return {
      number_field(
          "period-deg D", period_deg,
          {.what = "a number > 0, at most 360", .least = 0.0, .most = 360.0, .above = true},
          "a part that looks the same when it is turned by D: angles are folded to the "
          "closest multiple (default: 360)"),
      numbers_field("truth X,Y,THETA", truth, "X,Y,THETA (mm, mm, rad)", so_many(3, 3),
                    "where the part really is (default: the detections' mean)"),
      number_field("placement-theta-rad T", placement_theta_rad, {.what = "a number"},
                   "the part's angle in the gripper with which it is grasped (default: 0)"),
      flag_field("positions-only", positions_only, "leave the angle out, for a map at one angle"),
      confidence_field(confidence)};
}

DetectionFile read_detections(const std::filesystem::path& file) {
  const CsvTable table = read_csv(file);
  DetectionFile found;
  std::vector<std::size_t> pose = {table.column("x_mm"), table.column("y_mm")};
  if (const auto theta = find_angle_column(table)) pose.push_back(*theta);
  found.has_angles = pose.size() == 3;
  const auto xx = table.find_column("cov_xx_mm2");
  const auto yy = table.find_column("cov_yy_mm2");
  const auto xy = table.find_column("cov_xy_mm2");
  const auto tt = table.find_column("cov_tt_rad2");
  found.has_covariances = xx && yy;
  if (xx.has_value() != yy.has_value() || ((xy || tt) && !xx) ||
      (found.has_covariances && tt.has_value() != found.has_angles)) {
    throw config_error({table.file, static_cast<int>(table.header.line)}, "",
                       "has some columns of covariances; must have cov_xx_mm2 and cov_yy_mm2 (and "
                       "cov_tt_rad2 with theta_rad), or none");
  }
  for (std::size_t k = 0; k < table.rows.size(); ++k) {
    const CsvRow& row = table.rows[k];
    // A detection that found no part has an empty pose; half of a pose is an error.
    const bool is_miss = std::all_of(pose.begin(), pose.end(), [&](std::size_t column) {
      return trimmed(row.fields[column]).empty();
    });
    if (is_miss) {
      ++found.misses;
      continue;
    }
    Detection detection;
    detection.row = k;
    for (std::size_t c = 0; c < pose.size(); ++c) {
      detection.pose[c] = table.number(row, pose[c]);
      if (std::abs(detection.pose[c]) <= kLargest) continue;
      table.fail(row, pose[c],
                 fmt::format("must be a number from {0:g} to {1:g}", -kLargest, kLargest));
    }
    if (found.has_covariances) {
      auto& [c_xx, c_xy, c_yy, c_tt] = detection.covariance;
      c_xx = table.number(row, *xx);
      c_yy = table.number(row, *yy);
      c_xy = xy ? table.number(row, *xy) : 0.0;
      // Without angles any variance passes the check.
      c_tt = tt ? table.number(row, *tt) : 1.0;
      const bool is_variance = std::min({c_xx, c_yy, c_tt}) >= kLeastVariance &&
                               std::max({c_xx, c_yy, c_tt}) <= 1 / kLeastVariance;
      if (!is_variance || !(c_xy * c_xy < c_xx * c_yy)) {
        table.fail(row, *xx, "is of no positive definite covariance");
      }
    }
    found.detections.push_back(detection);
  }
  const std::size_t count = found.detections.size();
  if (count < kLeastDetections || count > kMostDetections) {
    throw config_error({table.file}, "",
                       fmt::format("has {} detections; must have {} to {}", count, kLeastDetections,
                                   kMostDetections));
  }
  return found;
}

Coordinates placement_deviation(const Coordinates& part, const Coordinates& detected,
                                double theta_rad) {
  const double delta = detected[2] - part[2];
  const Vec2 d(detected[0] - part[0], detected[1] - part[1]);
  const Vec2 off = Rotation2(theta_rad - delta - part[2]) * d;
  return {off.x(), off.y(), -delta};
}

namespace {

/// The angle that the detections point to, up to multiples of the period.
double circular_mean(const DetectionFile& read, double period_rad) {
  constexpr double kTogether = 0.5;
  Vec2 sum = Vec2::Zero();
  for (const Detection& one : read.detections) {
    sum += unit_vector(one.pose[2] * kWholeTurn_rad / period_rad);
  }
  if (sum.norm() < kTogether * static_cast<double>(read.detections.size())) {
    throw RequestError("period-deg", "the angles point in all directions",
                       "the angle by which the part looks the same, and detections of a part that "
                       "lies still");
  }
  return std::atan2(sum.y(), sum.x()) * period_rad / kWholeTurn_rad;
}

/// Folds the angles, and counts those that looked turned otherwise than most: by another multiple
/// of the period, whole turns left out.
std::size_t fold(DetectionFile& read, double around_rad, double period_rad) {
  std::map<double, std::size_t> turned;  // how many, by the multiple
  std::size_t most = 0;
  const double of_turn = std::round(kWholeTurn_rad / period_rad);
  for (Detection& one : read.detections) {
    const double multiple = std::round((one.pose[2] - around_rad) / period_rad);
    one.pose[2] -= multiple * period_rad;
    most = std::max(most, ++turned[multiple - of_turn * std::floor(multiple / of_turn)]);
  }
  return read.detections.size() - most;
}

Eigen::Matrix3d claimed(const Detection& one) {
  const auto& [xx, xy, yy, tt] = one.covariance;
  return Eigen::Matrix3d{{xx, xy, 0}, {xy, yy, 0}, {0, 0, tt}};
}

Eigen::Vector3d vector_of(const Coordinates& pose) { return {pose[0], pose[1], pose[2]}; }

/// The mean, weighed by what the detector claims.
Coordinates mean_of(const DetectionFile& read) {
  Eigen::Matrix3d weights = Eigen::Matrix3d::Zero();
  Eigen::Vector3d sum = Eigen::Vector3d::Zero();
  for (const Detection& one : read.detections) {
    Eigen::Matrix3d weight = Eigen::Matrix3d::Identity();
    if (read.has_covariances) weight = claimed(one).inverse();
    weights += weight;
    sum += weight * vector_of(one.pose);
  }
  const Eigen::Vector3d mean = weights.inverse() * sum;
  return {mean.x(), mean.y(), mean.z()};
}

double claimed_ratio(const DetectedErrors& errors) {
  double squares = 0.0;
  for (const Detection& one : errors.read.detections) {
    const Eigen::Vector3d off = vector_of(one.pose) - vector_of(errors.center);
    squares += off.dot(claimed(one).inverse() * off);
  }
  const std::size_t coordinates = errors.read.has_angles ? 3 : 2;
  const std::size_t lost = errors.request.truth ? 0 : 1;
  return std::sqrt(squares /
                   static_cast<double>(coordinates * (errors.read.detections.size() - lost)));
}

/// Numbers less their mean.
std::vector<double> centered(std::vector<double> numbers) {
  const double mean =
      std::accumulate(numbers.begin(), numbers.end(), 0.0) / static_cast<double>(numbers.size());
  for (double& number : numbers) number -= mean;
  return numbers;
}

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

DriftTest drift_of(const std::vector<Detection>& detections) {
  constexpr std::uint64_t kSeed = 44;
  constexpr double kRounding = 1e-12;
  std::vector<double> rows;
  for (const Detection& one : detections) rows.push_back(static_cast<double>(one.row));
  std::vector<double> order = centered(rows);
  const double order_norm = std::sqrt(dot(order, order));
  std::array<std::vector<double>, 3> values;
  std::array<double, 3> norms{};
  for (std::size_t k = 0; k < 3; ++k) {
    std::vector<double> column;
    for (const Detection& one : detections) column.push_back(one.pose[k]);
    values[k] = centered(column);
    norms[k] = std::sqrt(dot(values[k], values[k]));
  }
  const auto largest = [&] {
    double most = 0.0;
    for (std::size_t k = 0; k < 3; ++k) {
      // A coordinate that never changes has no correlation with the order.
      if (!(norms[k] > kRounding)) continue;
      most = std::max(most, std::abs(dot(order, values[k])) / (norms[k] * order_norm));
    }
    return most;
  };
  DriftTest test;
  for (std::size_t k = 0; k < 3; ++k) {
    test.from_first_to_last[k] =
        dot(order, values[k]) / (order_norm * order_norm) * (rows.back() - rows.front());
  }
  // The largest correlation of three, in each order: p is for all coordinates together. The order
  // of the file is one of them, so p is above 0.
  const double found = largest();
  int as_large = 1;
  for (int n = 0; n < kDriftOrders; ++n) {
    for (std::size_t k = order.size() - 1; k > 0; --k) {
      const double u =
          uniform_open(kSeed, static_cast<std::uint64_t>(n), static_cast<std::uint32_t>(k));
      std::swap(order[k], order[static_cast<std::size_t>(u * static_cast<double>(k + 1))]);
    }
    as_large += largest() >= found - kRounding ? 1 : 0;
  }
  test.p_value = static_cast<double>(as_large) / (kDriftOrders + 1);
  return test;
}

void add_deviations(DetectedErrors& errors) {
  const auto n = static_cast<double>(errors.read.detections.size());
  const double factor = errors.request.truth ? 1.0 : std::sqrt(n / (n - 1));
  Eigen::Vector3d mean = Eigen::Vector3d::Zero();
  for (const Detection& one : errors.read.detections) {
    Coordinates off =
        placement_deviation(errors.center, one.pose, errors.request.placement_theta_rad);
    for (double& coordinate : off) coordinate *= factor;
    errors.deviations.push_back(off);
    mean += vector_of(off) / n;
  }
  Eigen::Matrix3d covariance = Eigen::Matrix3d::Zero();
  for (const Coordinates& off : errors.deviations) {
    const Eigen::Vector3d from_mean = vector_of(off) - mean;
    covariance += from_mean * from_mean.transpose() / n;
  }
  Eigen::Map<Eigen::Matrix3d>(errors.covariance[0].data()) = covariance;  // symmetric
}

}  // namespace

DetectedErrors detected_errors(const std::filesystem::path& file,
                               const DetectionsRequest& request) {
  DetectedErrors errors;
  errors.file = file.string();
  errors.request = request;
  check_period(request.period_deg);
  errors.read = read_detections(file);
  const double period_rad = request.period_deg * kWholeTurn_rad / kFullTurn_deg;
  if (errors.read.has_angles) {
    const double mean = circular_mean(errors.read, period_rad);
    const double around = request.truth ? (*request.truth)[2] : mean;
    errors.flips = fold(errors.read, around, period_rad);
  }
  errors.center = request.truth ? *request.truth : mean_of(errors.read);
  if (!errors.read.has_angles && request.truth) {
    for (Detection& one : errors.read.detections) one.pose[2] = errors.center[2];
  }
  if (errors.read.has_covariances) errors.claimed_ratio = claimed_ratio(errors);
  errors.drift = drift_of(errors.read.detections);
  add_deviations(errors);
  const auto misses = static_cast<std::int64_t>(errors.read.misses);
  errors.miss_interval = wilson_interval(misses, misses + std::ssize(errors.read.detections),
                                         two_sided_z(request.confidence));
  return errors;
}

// ---- Texts and files -------------------------------------------------------------------------

namespace {

bool with_angles(const DetectedErrors& errors) {
  return errors.read.has_angles && !errors.request.positions_only;
}

std::string numbers_text(const Coordinates& of, bool with_angle) {
  return fmt::format("{:.4g} mm in x, {:.4g} mm in y{}", of[0] + 0.0, of[1] + 0.0,
                     with_angle ? fmt::format(", {:.4g} rad", of[2] + 0.0) : "");
}

}  // namespace

std::string detections_text(const DetectedErrors& errors, const std::filesystem::path& csv) {
  const std::size_t detections = errors.read.detections.size();
  const std::size_t rows = detections + errors.read.misses;
  const bool angles = errors.read.has_angles;
  std::string text =
      fmt::format("{} of {} looks found the part; {} missed it: {} ({} interval {}).\n", detections,
                  rows, errors.read.misses,
                  percent(share_of(static_cast<std::int64_t>(errors.read.misses),
                                   static_cast<std::int64_t>(rows))),
                  given_percent(errors.request.confidence), percent_range(errors.miss_interval));
  if (angles) {
    text +=
        fmt::format("{} had another multiple of {:g} degrees in their angle than most: folded.\n",
                    errors.flips, errors.request.period_deg);
  }
  text += fmt::format("The part lies at {}{}.\n", placement_text(errors.center, angles),
                      errors.request.truth ? ", as --truth says" : ", by their mean");
  Coordinates sigma{};
  for (std::size_t k = 0; k < 3; ++k) sigma[k] = std::sqrt(errors.covariance[k][k]);
  text += "Standard deviations of the gripper's placement: " + numbers_text(sigma, angles) + ".\n";
  if (errors.claimed_ratio) {
    text +=
        fmt::format("They are {:.3g} times what the covariances in the file claim, on average.\n",
                    *errors.claimed_ratio);
  }
  text += fmt::format("{}, by a permutation test: p = {:.2g}.\n",
                      errors.drifts() ? "They drift" : "No drift is seen", errors.drift.p_value);
  text += fmt::format(
      "Use them: graspmap plan RUNDIR --measured {}, or beside the configuration as\n"
      "  [robot.camera]\n  measured = \"{}\"\n",
      csv.string(), csv.filename().string());
  return text;
}

std::string detections_notes(const DetectedErrors& errors) {
  if (!errors.drifts()) return {};
  return fmt::format(
      "graspmap: warning: the detections drift, from the first to the last {} (p = {:.2g}); the "
      "deviations have this in them.\n",
      numbers_text(errors.drift.from_first_to_last, errors.read.has_angles), errors.drift.p_value);
}

Object detections_fields(const DetectedErrors& errors) {
  const auto coordinates = [&](const Coordinates& of) {
    return Object{
        {"x_mm", of[0]}, {"y_mm", of[1]}, {"theta_rad", value_if(errors.read.has_angles, of[2])}};
  };
  return {
      {"file", errors.file},
      {"detections", errors.read.detections.size()},
      {"misses", errors.read.misses},
      {"miss_interval", errors.miss_interval, "of the share of misses"},
      {"confidence", errors.request.confidence},
      {"period_deg", errors.request.period_deg},
      {"flips", errors.flips, "angles that were another multiple of the period away"},
      {"center", coordinates(errors.center), "the part in the plane"},
      {"covariance", errors.covariance, "of the placement's deviations: x, y (mm), theta (rad)"},
      {"claimed_ratio", errors.claimed_ratio, "scatter over what the detector claims"},
      {"drift_p_value", errors.drift.p_value, "of no drift"},
      {"drift", coordinates(errors.drift.from_first_to_last), "from the first to the last"}};
}

Table deviations_table(const DetectedErrors& errors) {
  return table_of<Coordinates>(errors.deviations, [&](const Coordinates& off) {
    Object row{{"x_mm", off[0]}, {"y_mm", off[1]}};
    if (with_angles(errors)) row.add({"theta_rad", off[2]});
    return row;
  });
}

}  // namespace graspmap
