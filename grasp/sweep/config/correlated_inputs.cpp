#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "grasp/base/algebra/dense.hpp"
#include "grasp/sweep/config/distributions.hpp"

namespace graspmap {
namespace {

constexpr std::size_t kMostKeys = 100;
constexpr double kSymmetry = 1e-9;
constexpr double kLeastEigenvalue = 1e-9;

/// Keys of earlier tables, and those of this one.
using TakenKeys = std::vector<std::string>;

void check_key(const TomlTable& table, const SweepConfig& config, const std::string& key,
               const TakenKeys& taken) {
  if (std::find(taken.begin(), taken.end(), key) != taken.end()) {
    table.fail("keys", fmt::format("has \"{}\", which is named twice in [[correlated]]; must be "
                                   "named once",
                                   key));
  }
  std::vector<std::string> random;  // the keys of all inputs that have a width
  for (const auto& [name, distribution] : random_inputs(config)) {
    if (!distribution->is_fixed()) random.push_back(name);
  }
  if (std::find(random.begin(), random.end(), key) != random.end()) return;
  const bool is_fixed =
      find_distribution(config, key) != nullptr || ScenarioNumber::find(config.scenario, key);
  table.fail("keys", fmt::format("has \"{}\", which {}; must be keys of distributions: {}", key,
                                 is_fixed ? "is fixed" : "is no random input",
                                 random.empty() ? "the configuration has none"
                                                : fmt::format("{}", fmt::join(random, ", "))));
}

Eigen::MatrixXd square_matrix(const TomlTable& table, std::size_t size,
                              const std::vector<std::vector<double>>& rows) {
  if (rows.size() != size) {
    table.fail("matrix", fmt::format("has {} rows; must have {} rows of {} numbers, as many as "
                                     "keys",
                                     rows.size(), size, size));
  }
  Eigen::MatrixXd matrix(size, size);
  for (std::size_t i = 0; i < size; ++i) {
    if (rows[i].size() != size) {
      table.fail("matrix", fmt::format("has {} numbers in row {}; must have {}, as many as keys",
                                       rows[i].size(), i + 1, size));
    }
    matrix.row(static_cast<Eigen::Index>(i)) =
        Eigen::RowVectorXd::Map(rows[i].data(), matrix.cols());
  }
  return matrix;
}

double least_eigenvalue(const Eigen::MatrixXd& matrix) {
  return symmetric_eigenvalues(matrix).minCoeff();
}

/// Throws unless a matrix is symmetric and positive definite, with ones on its diagonal.
void check_matrix(const TomlTable& table, const Eigen::MatrixXd& matrix) {
  for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
    if (matrix(i, i) != 1.0) {
      table.fail("matrix", fmt::format("has {} on its diagonal, in row {}; must be 1 there",
                                       matrix(i, i), i + 1));
    }
    for (Eigen::Index j = 0; j < i; ++j) {
      const double other = matrix(j, i);
      if (!(std::abs(matrix(i, j)) <= 1.0)) {
        table.fail("matrix", fmt::format("has {} in row {}; correlations must be from -1 to 1",
                                         matrix(i, j), i + 1));
      }
      if (std::abs(matrix(i, j) - other) <= kSymmetry) continue;
      table.fail("matrix",
                 fmt::format("is not symmetric: {} in row {}, column {}, but {} in row {}, column "
                             "{}; must be the same",
                             matrix(i, j), i + 1, j + 1, other, j + 1, i + 1));
    }
  }
  const double least = least_eigenvalue(matrix);
  if (least > kLeastEigenvalue) return;
  table.fail("matrix", fmt::format("has the smallest eigenvalue {:.4g}; must be positive definite, "
                                   "all eigenvalues > {:g}: no inputs have these correlations",
                                   least, kLeastEigenvalue));
}

/// Throws when lots take more of the variance of some inputs than their correlation with others
/// leaves.
void check_lots(const TomlTable& table, const SweepConfig& config, const CorrelatedInputs& inputs) {
  const double least = least_eigenvalue(lot_covariances(config, inputs).part);
  if (least > -kLeastEigenvalue) return;
  table.fail("matrix", fmt::format("does not go with the lot_sigma of its keys: what is left for "
                                   "the parts of a lot has the eigenvalue {:.4g}; correlations of "
                                   "inputs with unequal lot_sigma / sigma must be smaller",
                                   least));
}

CorrelatedInputs read_inputs(const TomlTable& table, const SweepConfig& config, TakenKeys& taken) {
  CorrelatedInputs inputs;
  for (const std::string& key : table.texts_or_none("keys")) inputs.keys.push_back(in_radians(key));
  const std::vector<std::vector<double>> rows = table.number_lists("matrix", 1, kMostKeys);
  if (inputs.keys.size() < 2 || inputs.keys.size() > kMostKeys) {
    table.fail("keys", fmt::format("has {} keys; must be a list of 2 to {} keys of distributions",
                                   inputs.keys.size(), kMostKeys));
  }
  for (const std::string& key : inputs.keys) {
    check_key(table, config, key, taken);
    taken.push_back(key);
  }
  inputs.correlation = square_matrix(table, inputs.keys.size(), rows);
  check_matrix(table, inputs.correlation);
  check_lots(table, config, inputs);
  return inputs;
}

}  // namespace

const Distribution* find_distribution(const SweepConfig& config, std::string_view key) {
  for (const auto& [name, distribution] : random_inputs(config)) {
    if (name == key) return distribution;
  }
  return nullptr;
}

LotCovariances lot_covariances(const SweepConfig& config, const CorrelatedInputs& inputs) {
  Eigen::VectorXd shares(static_cast<Eigen::Index>(inputs.keys.size()));
  for (std::size_t k = 0; k < inputs.keys.size(); ++k) {
    const Distribution* distribution = find_distribution(config, inputs.keys[k]);
    shares(static_cast<Eigen::Index>(k)) =
        distribution != nullptr ? distribution->lot_share() : 0.0;
  }
  LotCovariances covariances;
  covariances.lot = shares.asDiagonal() * inputs.correlation * shares.asDiagonal();
  covariances.part = inputs.correlation - covariances.lot;
  return covariances;
}

void read_correlated(const std::vector<TomlTable>& tables, SweepConfig& config) {
  TakenKeys taken;
  for (const TomlTable& table : tables) {
    config.correlated.push_back(read_inputs(table, config, taken));
  }
}

}  // namespace graspmap
