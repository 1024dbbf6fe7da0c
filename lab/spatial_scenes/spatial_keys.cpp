#include "lab/spatial_scenes/spatial_keys.hpp"

#include <fmt/format.h>

#include <cmath>

#include "grasp/base/io/number.hpp"
#include "lab/scenes/scene_keys.hpp"

namespace graspmap {
namespace {

std::string vec3_text(const Vec3& v) { return fmt::format("[{}, {}, {}]", v.x(), v.y(), v.z()); }

}  // namespace

Vec3 read_vec3(const TomlTable& table, std::string_view key) {
  const auto [x, y, z] = table.numbers<3>(key);
  const Vec3 v(x, y, z);
  if (v.cwiseAbs().maxCoeff() > kLargestComponent) {
    table.fail(key,
               fmt::format("is {}; none may be larger than {:g}", vec3_text(v), kLargestComponent));
  }
  return v;
}

Vec3 read_vec3_or_zero(const TomlTable& table, std::string_view key) {
  return table.has(key) ? read_vec3(table, key) : Vec3::Zero();
}

Vec3 read_lengths3(const TomlTable& table, std::string_view key) {
  const Vec3 lengths = read_vec3(table, key);
  if (lengths.minCoeff() < kLengths_mm.min || lengths.maxCoeff() > kLengths_mm.max) {
    table.fail(key, fmt::format("is {}; all must be > 0, from {:g} to {:g}", vec3_text(lengths),
                                kLengths_mm.min, kLengths_mm.max));
  }
  return lengths;
}

Vec3 read_direction3(const TomlTable& table, std::string_view key) {
  const Vec3 direction = read_vec3(table, key);
  const double length = direction.norm();
  if (length == 0.0 || !std::isfinite(length)) {
    table.fail(key, fmt::format("is {}; must be a direction, not all 0", vec3_text(direction)));
  }
  return direction / length;
}

Eigen::Quaterniond read_orientation(const TomlTable& table, std::string_view key) {
  constexpr double kNearlyUnit = 1e-3;
  if (!table.has(key)) return Eigen::Quaterniond::Identity();
  const auto [w, x, y, z] = table.numbers<4>(key);
  const Eigen::Quaterniond q(w, x, y, z);
  if (!(std::abs(q.norm() - 1.0) <= kNearlyUnit)) {
    table.fail(key, fmt::format("is of length {:.6g}; must be a unit quaternion [w, x, y, z], of "
                                "length 1 to {}",
                                q.norm(), kNearlyUnit));
  }
  return q.normalized();
}

Vec3 read_principal_inertia(const TomlTable& table, std::string_view key, bool may_vanish) {
  constexpr double kRounding = 1e-9;
  const Vec3 inertia = read_vec3(table, key);
  if (may_vanish ? inertia.minCoeff() < 0.0 : inertia.minCoeff() <= 0.0) {
    table.fail(key,
               fmt::format("is {}; all must be {} 0", vec3_text(inertia), may_vanish ? ">=" : ">"));
  }
  if (inertia.maxCoeff() > (0.5 + kRounding) * inertia.sum()) {
    table.fail(key, fmt::format("is {}, which no body has; none may be more than the two others "
                                "together",
                                vec3_text(inertia)));
  }
  return inertia;
}

Twist read_wrench(const TomlTable& table, std::string_view force_key, std::string_view moment_key) {
  Twist wrench;
  wrench << kMillinewtonsPerNewton * read_vec3_or_zero(table, force_key),
      kMillinewtonsPerNewton * read_vec3_or_zero(table, moment_key);
  return wrench;
}

int read_friction_directions(const TomlTable& table, int fallback) {
  constexpr std::int64_t kMost = 64;
  if (!table.has("directions")) return fallback;
  const std::int64_t count = table.integer("directions", 4, kMost);
  if (count % 2 != 0) table.fail("directions", fmt::format("is {}; must be even", count));
  return static_cast<int>(count);
}

}  // namespace graspmap
