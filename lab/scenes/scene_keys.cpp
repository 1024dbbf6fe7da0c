#include "lab/scenes/scene_keys.hpp"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <array>
#include <cmath>
#include <sstream>
#include <vector>

#include "grasp/base/io/number.hpp"
#include "grasp/base/io/toml_document.hpp"
#include "grasp/sweep/config/config_document.hpp"

namespace graspmap {
namespace {

constexpr std::array kSceneKinds{SceneKind::kPlanar, SceneKind::kSpatial, SceneKind::kArticulated};

/// The document as text; comments are lost.
std::string text_of(const toml::table& document) {
  std::ostringstream text;
  text << toml::toml_formatter{document} << "\n";
  return text.str();
}

}  // namespace

const char* name(SceneKind kind) {
  switch (kind) {
    case SceneKind::kPlanar:
      return "planar";
    case SceneKind::kSpatial:
      return "spatial";
    case SceneKind::kArticulated:
      break;
  }
  return "articulated";
}

SceneKind read_scene_kind(const TomlTable& document) {
  if (!document.has("kind")) return SceneKind::kPlanar;
  return read_named(document, "kind", kSceneKinds);
}

SceneDocument parse_scene_document(std::string_view text, const std::string& source,
                                   const std::vector<std::string>& overrides) {
  SceneDocument document;
  document.name = std::filesystem::path(source).stem().string();
  document.root = parse_toml(text, source);
  for (const std::string& assignment : overrides) apply_override(document.root, assignment);
  document.toml = overrides.empty() ? std::string(text) : text_of(document.root);
  check_toml_kind(document.root, TomlKind::kScene);
  document.kind = read_toml_in_part(document.root, read_scene_kind);
  return document;
}

SceneDocument read_scene_document(const std::filesystem::path& file,
                                  const std::vector<std::string>& overrides) {
  return parse_scene_document(read_toml_text(file), file.string(), overrides);
}

namespace {

constexpr NumberRange kStepSizes{.min = 1e-9, .max = 10.0};
constexpr double kMostSteps = 1e8;
constexpr double kMostLengthRatio = 1e9;
constexpr double kMostMassRatio = 1e9;
constexpr double kMostSizesPerStep = 1e6;
constexpr double kMostTurnPerStep_rad = 100.0;

bool has_size(const BodyScale& body) { return body.size_mm > 0.0 && std::isfinite(body.size_mm); }

/// The body with the largest value of what `value_of` gives.
template <typename ValueOf>
const BodyScale& largest_of(const std::vector<BodyScale>& bodies, const ValueOf& value_of) {
  return *std::max_element(
      bodies.begin(), bodies.end(),
      [&](const BodyScale& l, const BodyScale& r) { return value_of(l) < value_of(r); });
}

double length_mm(const BodyScale& body) {
  return std::max(body.distance_mm, has_size(body) ? body.size_mm : 0.0);
}

/// What a body by itself does in a step.
std::optional<ScaleFault> motion_fault(const BodyScale& body, std::size_t index, double step_s) {
  if (body.turning_rad_s * step_s > kMostTurnPerStep_rad) {
    return ScaleFault{
        index, ScaleFault::Of::kTurning,
        fmt::format("turns {} by {:.4g} rad in a step of {:g} s; must be at most {:g} "
                    "rad: take smaller steps",
                    body.name, body.turning_rad_s * step_s, step_s, kMostTurnPerStep_rad)};
  }
  const double sizes = body.speed_mm_s * step_s / body.size_mm;
  if (has_size(body) && sizes > kMostSizesPerStep) {
    return ScaleFault{index, ScaleFault::Of::kSpeed,
                      fmt::format("moves {} by {:.4g} times its size in a step of {:g} s; must be "
                                  "at most {:g} times: take smaller steps",
                                  body.name, sizes, step_s, kMostSizesPerStep)};
  }
  return std::nullopt;
}

}  // namespace

std::optional<ScaleFault> find_scale_fault(const std::vector<BodyScale>& bodies, double step_s) {
  const BodyScale& longest = largest_of(bodies, length_mm);
  const BodyScale& heaviest = largest_of(bodies, [](const BodyScale& b) { return b.mass_kg; });
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const BodyScale& body = bodies[i];
    if (has_size(body) && body.size_mm * kMostLengthRatio < length_mm(longest)) {
      return ScaleFault{
          i, ScaleFault::Of::kSize,
          fmt::format("{} has a size of {:.4g} mm, beside {} with a size or distance "
                      "from the origin of {:.4g} mm; must be at most {:g} times smaller",
                      body.name, body.size_mm, longest.name, length_mm(longest), kMostLengthRatio)};
    }
    if (body.mass_kg > 0.0 && body.mass_kg * kMostMassRatio < heaviest.mass_kg) {
      return ScaleFault{
          i, ScaleFault::Of::kMass,
          fmt::format("{} has a mass of {:.4g} kg, beside {} of {:.4g} kg; must be at "
                      "most {:g} times lighter",
                      body.name, body.mass_kg, heaviest.name, heaviest.mass_kg, kMostMassRatio)};
    }
    if (auto fault = motion_fault(body, i, step_s)) return fault;
  }
  return std::nullopt;
}

void check_count(const TomlTable& document, std::string_view key, std::size_t count,
                 std::size_t most) {
  if (count <= most) return;
  document.fail(key, fmt::format("{} of them; must be at most {}", count, most));
}

std::array<double, 2> read_components2(const TomlTable& table, std::string_view key) {
  const std::array<double, 2> v = table.numbers<2>(key);
  if (!kComponents.contains(v[0]) || !kComponents.contains(v[1])) {
    table.fail(key, fmt::format("is [{}, {}]; none may be larger than {:g}", v[0], v[1],
                                kLargestComponent));
  }
  return v;
}

SceneRunSettings read_scene_time(const TomlTable& table) {
  SceneRunSettings run;
  run.step_s = table.number("step_s", kStepSizes);
  run.duration_s =
      table.number("duration_s", {.min = 0.0, .max = kMostSteps * run.step_s, .above_min = true});
  table.check_keys();
  return run;
}

std::array<std::string, 2> names_between(const TomlTable& table) {
  const std::vector<std::string> names = table.texts("between", 2, "a list of two names");
  return {names[0], names[1]};
}

namespace {

using Eigen::Matrix3d;

/// A symmetric matrix in N; in the plane the third direction has the stiffness of the second.
Matrix3d read_matrix(const TomlTable& table, std::string_view key, std::size_t directions) {
  const std::vector<std::vector<double>> rows = table.number_lists(key, directions, directions);
  if (rows.size() != directions) {
    table.fail(key, fmt::format("has {} rows; must have {}, of {} numbers each", rows.size(),
                                directions, directions));
  }
  Matrix3d matrix = Matrix3d::Zero();
  for (std::size_t i = 0; i < directions; ++i) {
    for (std::size_t j = 0; j < directions; ++j) {
      matrix(static_cast<int>(i), static_cast<int>(j)) = rows[i][j];
    }
  }
  if (directions == 2) matrix(2, 2) = matrix(1, 1);
  if (matrix.cwiseAbs().maxCoeff() > kStiffnesses_n_per_mm.max) {
    table.fail(key, fmt::format("has an entry of {:g}; none may be larger than {:g}",
                                matrix.cwiseAbs().maxCoeff(), kStiffnesses_n_per_mm.max));
  }
  if (matrix != matrix.transpose()) table.fail(key, "must be symmetric");
  return kMillinewtonsPerNewton * matrix;
}

/// No diagonal entry is below it: nor is the least one found where entries differ so much that
/// rounding hides it.
double least_eigenvalue(const Matrix3d& matrix) {
  const Eigen::SelfAdjointEigenSolver<Matrix3d> solver(matrix, Eigen::EigenvaluesOnly);
  return std::min(solver.eigenvalues().minCoeff(), matrix.diagonal().minCoeff());
}

SoftMatrices read_matrices(const TomlTable& table, std::size_t directions) {
  constexpr const char* kStiffness = "stiffness_matrix_n_per_mm";
  constexpr const char* kDamping = "damping_matrix_n_s_per_mm";
  SoftMatrices matrices;
  matrices.stiffness_mn_per_mm = read_matrix(table, kStiffness, directions);
  const double least = least_eigenvalue(matrices.stiffness_mn_per_mm);
  if (!(least > 0.0)) {
    table.fail(kStiffness, "must be positive definite: a layer holds against all deflections");
  }
  if (least < kMillinewtonsPerNewton * kStiffnesses_n_per_mm.min) {
    table.fail(kStiffness, fmt::format("has an eigenvalue of {:.4g}; must be at least {:g}",
                                       least / kMillinewtonsPerNewton, kStiffnesses_n_per_mm.min));
  }
  if (!table.has(kDamping)) return matrices;
  constexpr double kRounding = -1e-12;
  matrices.damping_mn_s_per_mm = read_matrix(table, kDamping, directions);
  if (least_eigenvalue(matrices.damping_mn_s_per_mm) <
      kRounding * matrices.damping_mn_s_per_mm.norm()) {
    table.fail(kDamping, "must be positive semidefinite: a damper takes energy");
  }
  return matrices;
}

SoftLayer read_layer(const TomlTable& table, std::size_t directions) {
  SoftLayer layer;
  if (table.has("stiffness_matrix_n_per_mm")) {
    layer.matrices = read_matrices(table, directions);
    layer.stiffness_mn_per_mm = layer.matrices->stiffness_mn_per_mm(0, 0);
    layer.damping_mn_s_per_mm = layer.matrices->damping_mn_s_per_mm(0, 0);
  } else {
    layer.stiffness_mn_per_mm =
        kMillinewtonsPerNewton * table.number("stiffness_n_per_mm", kStiffnesses_n_per_mm);
    layer.damping_mn_s_per_mm =
        kMillinewtonsPerNewton * table.number_or(0.0, "damping_n_s_per_mm", kDampings_n_s_per_mm);
  }
  layer.max_deflection_mm = table.number("max_deflection_mm", kLengths_mm);
  table.check_keys();
  return layer;
}

}  // namespace

SoftLayers read_soft_layers(const TomlTable& contact, std::size_t directions) {
  if (!contact.has("soft")) return {};
  if (contact.has_table("soft")) {
    return {std::nullopt, read_layer(contact.table("soft"), directions)};
  }
  const std::vector<TomlTable> tables = contact.tables("soft");
  if (tables.size() != 2) {
    contact.fail("soft", fmt::format("has {} layers; must be one, or a list of two: of the first "
                                     "and of the second body of between",
                                     tables.size()));
  }
  return {read_layer(tables[0], directions), read_layer(tables[1], directions)};
}

}  // namespace graspmap
