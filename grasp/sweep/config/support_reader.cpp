#include "grasp/sweep/config/support_reader.hpp"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <cmath>
#include <numbers>
#include <numeric>

#include "grasp/sweep/config/limits.hpp"
#include "sim/support/convexity.hpp"
#include "sim/support/static_loads.hpp"

namespace graspmap {
namespace {

constexpr double kLoadSumTolerance = 0.01;
constexpr double kLeastDistanceMm = 1e-6;
constexpr double kSymmetry = 1e-9;
constexpr double kLeastEigenvalueRatio = 1e-6;

/// A radius of the support model; when it is left out, that of uniform pressure.
double read_support_radius(const TomlTable& table, std::string_view key, const Part& part,
                           const MassProperties& mass) {
  if (table.has(key)) return positive_within(table, key, limits::kLengths_mm);
  return mean_radius_mm(part, mass.center_of_mass_P_mm);
}

EllipsoidSupport read_ellipsoid(const TomlTable& table, const Part& part,
                                const MassProperties& mass) {
  EllipsoidSupport support;
  support.e_t = positive_within_or(table, support.e_t, "e_t", limits::kRatios);
  support.e_o = positive_within_or(table, support.e_o, "e_o", limits::kRatios);
  support.e_r_mm = read_support_radius(table, "e_r_mm", part, mass);
  table.check_keys();
  return support;
}

TripodSupport read_tripod(const TomlTable& table, const Part& part, const MassProperties& mass) {
  constexpr double kDegree = std::numbers::pi / 180.0;
  TripodSupport support;
  support.radius_mm = read_support_radius(table, "radius_mm", part, mass);
  support.angles_rad = table.has("angles_rad")
                           ? table.numbers<3>("angles_rad")
                           : std::array{90 * kDegree, 210 * kDegree, 330 * kDegree};
  table.check_keys();
  return support;
}

/// points_mm: 3 to kMaxSupportPoints, no two in the same place.
std::vector<Vec2> read_support_points(const TomlTable& table) {
  std::vector<Vec2> points;
  for (const auto& [x, y] : table.pairs("points_mm")) {
    check_limits(table, "points_mm", x, limits::kPositions_mm);
    check_limits(table, "points_mm", y, limits::kPositions_mm);
    points.emplace_back(x, y);
  }
  if (points.size() < 3 || points.size() > std::size_t{kMaxSupportPoints}) {
    table.fail("points_mm", fmt::format("is a list of {}; must be 3 to {} points, [[x, y], ...]",
                                        points.size(), kMaxSupportPoints));
  }
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if ((points[i] - points[j]).norm() > kLeastDistanceMm) continue;
      table.fail("points_mm", fmt::format("points {} and {} are the same, ({}, {}); must differ",
                                          j + 1, i + 1, points[i].x(), points[i].y()));
    }
  }
  return points;
}

/// A list with one number >= 0 for each point.
std::vector<double> read_for_points(const TomlTable& table, std::string_view key,
                                    std::size_t count) {
  std::vector<double> values = table.number_list(key, count);
  for (const double value : values) {
    if (value < 0.0) table.fail(key, fmt::format("has {}; all must be >= 0", value));
  }
  return values;
}

/// The given shares of the weight, or those of statics.
std::vector<double> read_loads(const TomlTable& table, const std::vector<Vec2>& points_mm,
                               const Vec2& center_of_mass_mm) {
  if (table.has("load_shares")) {
    std::vector<double> shares = read_for_points(table, "load_shares", points_mm.size());
    const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
    if (!(std::abs(sum - 1.0) <= kLoadSumTolerance)) {
      table.fail("load_shares",
                 fmt::format("sum up to {}; must sum up to 1: shares of the weight", sum));
    }
    return shares;
  }
  const auto loads = static_loads(points_mm, center_of_mass_mm);
  if (!loads) {
    table.fail("points_mm",
               fmt::format("the centre of mass ({}, {}) lies outside of their convex hull, where "
                           "the part would tip over; must lie within it, or give load_shares",
                           center_of_mass_mm.x(), center_of_mass_mm.y()));
  }
  return *loads;
}

PointsSupport read_points_support(const TomlTable& table, const MassProperties& mass) {
  table.ask_for({"points_mm", "load_shares", "friction_factors"});
  table.check_keys();
  const std::vector<Vec2> points = read_support_points(table);
  const std::vector<double> loads = read_loads(table, points, mass.center_of_mass_P_mm);
  const std::vector<double> factors =
      table.has("friction_factors") ? read_for_points(table, "friction_factors", points.size())
                                    : std::vector<double>(points.size(), 1.0);
  PointsSupport support;
  for (std::size_t k = 0; k < points.size(); ++k) {
    support.points.push_back({points[k], loads[k], factors[k]});
  }
  return support;
}

PartEllipsoidSupport read_part_ellipsoid(const TomlTable& table) {
  PartEllipsoidSupport support;
  support.length_mm = positive_within(table, "length_mm", limits::kLengths_mm);
  const std::vector<std::vector<double>> rows = table.number_lists("matrix", 3, 3);
  table.check_keys();
  if (rows.size() != 3) {
    table.fail("matrix", fmt::format("has {} rows; must have 3 rows of 3 numbers", rows.size()));
  }
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      support.matrix(i, j) = rows[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
    }
  }
  const Eigen::Matrix3d& A = support.matrix;
  if ((A - A.transpose()).norm() > kSymmetry * A.norm()) {
    table.fail("matrix", "is not symmetric; must be symmetric and positive definite");
  }
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> eigen(A, Eigen::EigenvaluesOnly);
  const double least = eigen.eigenvalues().minCoeff();
  if (!(least > kLeastEigenvalueRatio * eigen.eigenvalues().maxCoeff())) {
    table.fail("matrix",
               fmt::format("has the eigenvalues {:.6g}, {:.6g}, {:.6g}; must be positive definite, "
                           "the least at least {:g} of the largest",
                           eigen.eigenvalues()[0], eigen.eigenvalues()[1], eigen.eigenvalues()[2],
                           kLeastEigenvalueRatio));
  }
  return support;
}

FourthOrderSupport read_fourth_order(const TomlTable& table) {
  FourthOrderSupport support;
  support.length_mm = positive_within(table, "length_mm", limits::kLengths_mm);
  support.coefficients = table.numbers<std::size_t{kFourthOrderTerms}>("coefficients");
  table.check_keys();
  const std::string fault = limit_surface_fault(FourthOrderForm(support.coefficients));
  if (!fault.empty()) {
    table.fail("coefficients", fmt::format("the polynomial {}; must be convex, and positive in all "
                                           "directions but 0, to be a limit surface",
                                           fault));
  }
  return support;
}

/// The keys that models have beside "model"; some have them in common.
struct ModelKeys {
  const char* owner;
  std::vector<std::string_view> keys;
};

void name_keys_of_models(const TomlTable& table) {
  for (const auto& [owner, keys] :
       {ModelKeys{"the ellipsoid (support.model = \"ellipsoid\")", {"e_t", "e_o", "e_r_mm"}},
        ModelKeys{"the tripod (support.model = \"tripod\")", {"radius_mm", "angles_rad"}},
        ModelKeys{"points (support.model = \"points\")",
                  {"points_mm", "load_shares", "friction_factors"}},
        ModelKeys{"support.model = \"part-ellipsoid\" and \"fourth-order\"", {"length_mm"}},
        ModelKeys{"support.model = \"part-ellipsoid\"", {"matrix"}},
        ModelKeys{"support.model = \"fourth-order\"", {"coefficients"}}}) {
    table.belongs_elsewhere(owner, keys);
  }
}

}  // namespace

SupportModel read_support(const TomlTable& table, const Part& part, const MassProperties& mass) {
  const std::vector<std::string_view> models(kSupportModelNames.begin(), kSupportModelNames.end());
  const std::size_t model = table.choice("model", models);
  name_keys_of_models(table);
  if (!table.has("model")) {
    table.ask_for({"e_t", "e_o", "e_r_mm", "radius_mm", "angles_rad", "points_mm", "load_shares",
                   "friction_factors", "length_mm", "matrix", "coefficients"});
    table.check_keys();
  }
  switch (model) {
    case 1:
      return read_tripod(table, part, mass);
    case 2:
      return read_points_support(table, mass);
    case 3:
      return read_part_ellipsoid(table);
    case 4:
      return read_fourth_order(table);
    default:
      return read_ellipsoid(table, part, mass);
  }
}

}  // namespace graspmap
