#include "lab/scenes/soft_layer_reader.hpp"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <vector>

#include "grasp/base/io/units.hpp"
#include "lab/scenes/scene_keys.hpp"

namespace graspmap {
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

double least_eigenvalue(const Matrix3d& matrix) {
  return Eigen::SelfAdjointEigenSolver<Matrix3d>(matrix, Eigen::EigenvaluesOnly)
      .eigenvalues()
      .minCoeff();
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
