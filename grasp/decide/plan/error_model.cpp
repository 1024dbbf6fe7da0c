#include "grasp/decide/plan/error_model.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

#include "geometry/assert.hpp"
#include "grasp/base/algebra/dense.hpp"
#include "grasp/base/probability/random.hpp"

namespace graspmap {

Distribution normal_error(double sigma) {
  return Distribution(Normal{0.0, sigma}).fixed_if_narrow();
}

Distribution uniform_error(double half_width) {
  return Distribution(Uniform{-half_width, half_width}).fixed_if_narrow();
}

double error_mass(const Distribution& error, double low, double high) {
  GRASPMAP_ASSERT(!error.is_fixed());
  return std::max(error.cumulative(high) - error.cumulative(low), 0.0);
}

double log_relative_density(const Distribution& error, double offset) {
  if (error.is_fixed()) return 0.0;
  if (const auto* normal = error.as<Normal>()) {
    const double z = offset / normal->sigma;
    return -z * z / 2;
  }
  return error.density(offset) > 0 ? 0.0 : -std::numeric_limits<double>::infinity();
}

namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

constexpr std::uint64_t kSeed = 20260;
constexpr std::size_t kLatentsOfOneWorld = 64;
constexpr std::size_t kLatentsOfEachWorld = 8;

/// Equal shares of the unit interval in random order, another order for each dimension: a Latin
/// hypercube.
class LatinHypercube {
 public:
  explicit LatinHypercube(std::size_t points) : points_(points) {}

  /// The next dimension of all points: the middles of the shares.
  std::vector<double> uniforms() {
    std::vector<std::size_t> order(points_);
    std::iota(order.begin(), order.end(), 0);
    std::vector<double> key;
    for (std::size_t k = 0; k < points_; ++k) key.push_back(uniform_open(kSeed, k, dimension_));
    std::sort(order.begin(), order.end(), [&](auto a, auto b) { return key[a] < key[b]; });
    std::vector<double> result;
    for (std::size_t k = 0; k < points_; ++k) {
      result.push_back((static_cast<double>(order[k]) + 0.5) / static_cast<double>(points_));
    }
    ++dimension_;
    return result;
  }

  /// The same in both halves of the points, for vectors that are mirrored.
  std::vector<double> uniforms_of_pairs() {
    LatinHypercube half(points_ / 2);
    half.dimension_ = dimension_++;
    const std::vector<double> values = half.uniforms();
    std::vector<double> result = values;
    result.insert(result.end(), values.begin(), values.end());
    return result;
  }

  std::vector<double> normals() {
    std::vector<double> result = uniforms();
    for (double& value : result) value = normal_score(value);
    return result;
  }

  /// Three dimensions: a vector for each point. The second half of the points mirrors the first,
  /// and all are stretched such that their covariance is exactly the unit matrix.
  std::vector<Vector3d> normal_vectors() {
    std::vector<Vector3d> result(points_);
    for (int k = 0; k < 3; ++k) {
      const std::vector<double> values = normals();
      for (std::size_t p = 0; p < points_; ++p) {
        result[p][k] = p < points_ / 2 ? values[p] : -values[p - points_ / 2];
      }
    }
    Matrix3d covariance = Matrix3d::Zero();
    for (const Vector3d& v : result) {
      covariance += v * v.transpose() / static_cast<double>(points_);
    }
    const Matrix3d root = covariance.llt().matrixL();
    for (Vector3d& v : result) v = root.triangularView<Eigen::Lower>().solve(v);
    return result;
  }

 private:
  std::size_t points_;
  std::uint32_t dimension_ = 0;
};

double chi_squared_quantile(double degrees, double u) {
  return 2 * boost::math::gamma_p_inv(degrees / 2, u);
}

bool has_correlations(const Matrix3d& s) { return s(0, 1) != 0 || s(0, 2) != 0 || s(1, 2) != 0; }

/// The coordinates that vary.
std::vector<int> active(const Matrix3d& s) {
  std::vector<int> result;
  for (int k = 0; k < 3; ++k) {
    if (s(k, k) > 0) result.push_back(k);
  }
  return result;
}

/// A matrix L with L L^T = s: Cholesky's, of a matrix that may be semidefinite.
Matrix3d root_of(const Matrix3d& s) {
  const Eigen::SelfAdjointEigenSolver<Matrix3d> solver(s);
  return solver.eigenvectors() * solver.eigenvalues().cwiseMax(0.0).cwiseSqrt().asDiagonal();
}

/// Draws of S given the covariance of n repeats, a world each.
std::vector<Matrix3d> spreads_given_repeats(const Matrix3d& covariance, std::int64_t repeats,
                                            std::size_t worlds, LatinHypercube& hypercube) {
  GRASPMAP_CHECK(repeats > 1);
  const auto degrees = static_cast<double>(repeats - 1);
  std::array<std::vector<double>, 3> uniforms;
  for (auto& dimension : uniforms) dimension = hypercube.uniforms_of_pairs();
  std::vector<Matrix3d> result(worlds, covariance);
  if (!has_correlations(covariance)) {
    for (std::size_t w = 0; w < worlds; ++w) {
      for (int k = 0; k < 3; ++k) {
        const double u = uniforms[static_cast<std::size_t>(k)][w];
        result[w](k, k) *= degrees / chi_squared_quantile(degrees, u);
      }
    }
    return result;
  }
  const std::vector<Vector3d> below = hypercube.normal_vectors();
  const std::vector<int> rows = active(covariance);
  const auto d = static_cast<Eigen::Index>(rows.size());
  const Eigen::MatrixXd root = cholesky_root(covariance(rows, rows));
  for (std::size_t w = 0; w < worlds; ++w) {
    // Bartlett: A A^T ~ Wishart(I, degrees), A lower triangular.
    Eigen::MatrixXd a = Eigen::MatrixXd::Zero(d, d);
    int next = 0;
    for (Eigen::Index i = 0; i < d; ++i) {
      const double u = uniforms[static_cast<std::size_t>(i)][w];
      a(i, i) = std::sqrt(chi_squared_quantile(degrees - static_cast<double>(i), u));
      for (Eigen::Index j = 0; j < i; ++j) a(i, j) = below[w][next++];
    }
    // S = n' L (A A^T)^-1 L^T.
    const Eigen::MatrixXd b = solve_lower(a, root.transpose());
    result[w](rows, rows) = degrees * transposed_product(b, b);
  }
  return result;
}

/// S = diag + through through^T, diag as large as it can be.
struct Split {
  Vector3d diagonal = Vector3d::Zero();
  Matrix3d through = Matrix3d::Zero();
};

Split split(const Matrix3d& s) {
  Split result{s.diagonal(), Matrix3d::Zero()};
  if (!has_correlations(s)) return result;
  const std::vector<int> rows = active(s);
  const Eigen::VectorXd deviations = s.diagonal()(rows).cwiseSqrt();
  const Eigen::MatrixXd inverse = deviations.cwiseInverse().asDiagonal();
  const SymmetricEigen eigen = symmetric_eigen(product(product(inverse, s(rows, rows)), inverse));
  const double least = std::max(eigen.values[0], 1e-4);
  result.diagonal = least * s.diagonal();
  const Eigen::VectorXd rest = (eigen.values.array() - least).max(0.0).sqrt().matrix();
  const Eigen::MatrixXd through = deviations.asDiagonal() * eigen.vectors * rest.asDiagonal();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    // The first eigenvector has no part: rank 2 at most.
    for (Eigen::Index j = 1; j < through.cols(); ++j) {
      result.through(rows[i], j - 1) = through(static_cast<Eigen::Index>(i), j);
    }
  }
  return result;
}

Matrix3d covariance_of(const ErrorModel& model) {
  return Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(model.covariance[0].data());
}

Eigen::Map<const Vector3d> as_vector(const PlacementVector& v) {
  return Eigen::Map<const Vector3d>(v.data());
}

bool has_offset(const ErrorModel& model) { return model.offset_sigma != PlacementVector{}; }

/// What is constant in each world.
struct World {
  Matrix3d spread;
  Vector3d offset = Vector3d::Zero();
  std::size_t law = 0;
};

std::vector<World> worlds_of(const ErrorModel& model) {
  const Matrix3d covariance = covariance_of(model);
  const bool unknown = model.repeats || has_offset(model) || !model.draws.empty();
  if (!unknown) return {{covariance}};
  LatinHypercube hypercube(kWorlds);
  std::vector<World> worlds(kWorlds, World{covariance});
  const std::vector<Vector3d> offsets = hypercube.normal_vectors();
  for (std::size_t w = 0; w < kWorlds; ++w) {
    worlds[w].offset = as_vector(model.offset_sigma).cwiseProduct(offsets[w]);
  }
  if (model.repeats) {
    const std::vector<Matrix3d> spreads =
        spreads_given_repeats(covariance, *model.repeats, kWorlds, hypercube);
    const std::vector<Vector3d> means = hypercube.normal_vectors();
    const double root_n = std::sqrt(static_cast<double>(*model.repeats));
    for (std::size_t w = 0; w < kWorlds; ++w) {
      worlds[w].spread = spreads[w];
      worlds[w].offset += root_of(spreads[w]) * means[w] / root_n;
    }
  }
  for (std::size_t w = 0; w < kWorlds && !model.draws.empty(); ++w) {
    worlds[w].law = w * model.draws.size() / kWorlds;
    const PosteriorDraw& draw = model.draws[worlds[w].law];
    worlds[w].offset += as_vector(draw.offset);
    // A spread that is given goes before the calibration's.
    for (int k = 0; k < 3 && draw.noise; ++k) {
      if (covariance(k, k) > 0) continue;
      worlds[w].spread(k, k) = std::pow(as_vector(*draw.noise)[k], 2);
    }
  }
  return worlds;
}

/// The standard deviation of each coordinate over all components.
PlacementError overall_spread(const std::vector<ErrorComponent>& components) {
  PlacementError result{};
  const auto n = static_cast<double>(components.size());
  for (std::size_t k = 0; k < 3; ++k) {
    double mean = 0;
    double squares = 0;
    for (const ErrorComponent& c : components) {
      mean += c.shift[k] / n;
      squares += (c.shift[k] * c.shift[k] + c.spread[k].variance()) / n;
    }
    result[k] = normal_error(std::sqrt(std::max(squares - mean * mean, 0.0)));
  }
  return result;
}

}  // namespace

bool ErrorModel::is_simple() const {
  return !repeats && !has_offset(*this) && draws.empty() && !has_correlations(covariance_of(*this));
}

ErrorMixture make_mixture(const ErrorModel& model) {
  const std::vector<World> worlds = worlds_of(model);
  const bool correlated = has_correlations(covariance_of(model));
  const std::size_t each = !correlated          ? 1
                           : worlds.size() == 1 ? kLatentsOfOneWorld
                                                : kLatentsOfEachWorld;
  std::vector<Vector3d> latent(worlds.size() * each, Vector3d::Zero());
  if (correlated) latent = LatinHypercube(latent.size()).normal_vectors();
  ErrorMixture mixture;
  mixture.components.clear();
  mixture.worlds = worlds.size();
  for (std::size_t w = 0; w < worlds.size(); ++w) {
    const Split parts = split(worlds[w].spread);
    for (std::size_t m = 0; m < each; ++m) {
      // A world has latent vectors from all over the hypercube.
      const Vector3d shift = worlds[w].offset + parts.through * latent[m * worlds.size() + w];
      ErrorComponent component{{}, {}, w, worlds[w].law};
      for (int k = 0; k < 3; ++k) {
        const auto axis = static_cast<std::size_t>(k);
        component.shift[axis] = shift[k];
        component.spread[axis] = normal_error(std::sqrt(parts.diagonal[k]));
      }
      mixture.components.push_back(component);
    }
  }
  mixture.overall = overall_spread(mixture.components);
  return mixture;
}

}  // namespace graspmap
