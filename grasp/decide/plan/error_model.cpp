#include "grasp/decide/plan/error_model.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>
#include <limits>
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
constexpr std::size_t kLatentsOfMixed = 256;  ///< of more coordinates
constexpr std::size_t kLatentsOfEachWorld = 8;
constexpr std::size_t kMeasuredOfCoarseWorld = 16;  ///< 1024 components of all worlds
constexpr double kEigenvalueError = 1e-9;           ///< by rounding, of the largest one

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
  GRASPMAP_CHECK(solver.eigenvalues()[0] >= -kEigenvalueError * solver.eigenvalues()[2]);
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
  GRASPMAP_CHECK(eigen.values[0] >= -kEigenvalueError);
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

Matrix3d covariance_of(const ErrorPart& part) {
  return Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(part.covariance[0].data());
}

std::vector<const ErrorPart*> parts_of(const ErrorModel& model) {
  std::vector<const ErrorPart*> parts{&model};
  if (model.camera) parts.push_back(&*model.camera);
  return parts;
}

template <typename Truth>
bool any_part(const ErrorModel& model, const Truth& truth) {
  const std::vector<const ErrorPart*> parts = parts_of(model);
  return std::any_of(parts.begin(), parts.end(),
                     [&](const ErrorPart* part) { return truth(*part); });
}

Eigen::Map<const Vector3d> as_vector(const PlacementVector& v) {
  return Eigen::Map<const Vector3d>(v.data());
}

bool is_unknown(const ErrorModel& model) {
  return !model.draws.empty() || any_part(model, [](const ErrorPart& part) {
    return part.repeats || part.offset_sigma != PlacementVector{};
  });
}

bool is_correlated(const ErrorModel& model) {
  return any_part(model,
                  [](const ErrorPart& part) { return has_correlations(covariance_of(part)); });
}

}  // namespace

bool has_spread(const ErrorModel& model, std::size_t k) {
  return any_part(model, [k](const ErrorPart& part) {
    return part.covariance[k][k] > 0 || part.half_width[k] > 0 ||
           std::any_of(part.measured.begin(), part.measured.end(),
                       [k](const PlacementVector& at) { return at[k] != 0; });
  });
}

namespace {

/// Whether a coordinate has a uniform error beside another one.
bool is_mixed(const ErrorModel& model) {
  for (std::size_t k = 0; k < 3; ++k) {
    int uniform = 0;
    bool has_normal = false;
    for (const ErrorPart* part : parts_of(model)) {
      uniform += part->half_width[k] > 0 ? 1 : 0;
      has_normal = has_normal || part->covariance[k][k] > 0 || !part->measured.empty();
    }
    if (uniform > (has_normal ? 0 : 1)) return true;
  }
  return false;
}

/// What is constant in each world.
struct World {
  Matrix3d spread = Matrix3d::Zero();
  Vector3d offset = Vector3d::Zero();
  std::size_t draw = 0;
};

/// Adds what a part has in each world.
void add_part(const ErrorPart& part, LatinHypercube& hypercube, std::vector<World>& worlds) {
  const Matrix3d covariance = covariance_of(part);
  const std::vector<Vector3d> offsets = hypercube.normal_vectors();
  for (std::size_t w = 0; w < worlds.size(); ++w) {
    worlds[w].offset += as_vector(part.offset_sigma).cwiseProduct(offsets[w]);
    if (!part.repeats) worlds[w].spread += covariance;
  }
  if (!part.repeats) return;
  const std::vector<Matrix3d> spreads =
      spreads_given_repeats(covariance, *part.repeats, worlds.size(), hypercube);
  const std::vector<Vector3d> means = hypercube.normal_vectors();
  const double root_n = std::sqrt(static_cast<double>(*part.repeats));
  for (std::size_t w = 0; w < worlds.size(); ++w) {
    worlds[w].spread += spreads[w];
    worlds[w].offset += root_of(spreads[w]) * means[w] / root_n;
  }
}

std::vector<World> worlds_of(const ErrorModel& model) {
  if (!is_unknown(model)) {
    World world;
    for (const ErrorPart* part : parts_of(model)) world.spread += covariance_of(*part);
    return {world};
  }
  LatinHypercube hypercube(kWorlds);
  std::vector<World> worlds(kWorlds);
  for (const ErrorPart* part : parts_of(model)) add_part(*part, hypercube, worlds);
  const std::array given{has_spread(model, 0), has_spread(model, 1), has_spread(model, 2)};
  for (std::size_t w = 0; w < kWorlds && !model.draws.empty(); ++w) {
    worlds[w].draw = w * model.draws.size() / kWorlds;
    const PosteriorDraw& draw = model.draws[worlds[w].draw];
    worlds[w].offset += as_vector(draw.offset);
    for (std::size_t k = 0; k < 3 && draw.noise; ++k) {
      if (given[k]) continue;
      const auto i = static_cast<Eigen::Index>(k);
      worlds[w].spread(i, i) = std::pow((*draw.noise)[k], 2);
    }
  }
  return worlds;
}

/// The standard deviations of the normal around each of some measured deviations.
Vector3d bandwidths(const std::vector<PlacementVector>& measured) {
  constexpr double kNormalQuartiles = 1.349;  // their distance, in standard deviations
  Vector3d result = Vector3d::Zero();
  const auto n = static_cast<double>(measured.size());
  double coordinates = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    std::vector<double> values;
    for (const PlacementVector& at : measured) values.push_back(at[k]);
    const Eigen::Map<const Eigen::VectorXd> all(values.data(), std::ssize(values));
    const double deviation = std::sqrt((all.array() - all.mean()).square().mean());
    const double quartiles = sample_quantile(values, 0.75) - sample_quantile(values, 0.25);
    result[static_cast<Eigen::Index>(k)] =
        quartiles > 0 ? std::min(deviation, quartiles / kNormalQuartiles) : deviation;
    coordinates += deviation > 0 ? 1 : 0;
  }
  return result * std::pow(n, -1 / (coordinates + 4));
}

/// What the components of all worlds are made from: `each` of a world.
struct Latents {
  Latents(const ErrorModel& model, std::size_t world_count, Grain grain) : worlds(world_count) {
    const bool correlated = is_correlated(model);
    for (const ErrorPart* part : parts_of(model)) {
      if (!part->measured.empty()) measured.push_back(&part->measured);
      for (std::size_t k = 0; k < 3; ++k) {
        if (part->half_width[k] > 0) half_widths[k].push_back(part->half_width[k]);
      }
    }
    const bool mixed = is_mixed(model) || measured.size() > 1;
    if (correlated || mixed) {
      each = worlds > 1 ? kLatentsOfEachWorld : mixed ? kLatentsOfMixed : kLatentsOfOneWorld;
    }
    bool in_part = false;  // worlds have some of the first list each
    if (!measured.empty()) {
      const std::size_t n = measured[0]->size();
      in_part = grain == Grain::kCoarse && worlds > 1 && n > kMeasuredOfCoarseWorld;
      each = in_part ? kMeasuredOfCoarseWorld : (each + n - 1) / n * n;  // all weigh the same
    }
    LatinHypercube hypercube(worlds * each);
    normal.assign(worlds * each, Vector3d::Zero());
    if (correlated) normal = hypercube.normal_vectors();
    for (std::size_t k = 0; k < 3; ++k) {
      for (std::size_t u = 0; u < half_widths[k].size(); ++u) {
        uniforms[k].push_back(hypercube.uniforms());
      }
    }
    if (measured.size() > 1) second = hypercube.uniforms();
    if (in_part) first = hypercube.uniforms();
  }

  /// The measured deviations of component m of world w.
  [[nodiscard]] Vector3d deviation(std::size_t m, std::size_t w) const {
    Vector3d sum = Vector3d::Zero();
    const auto drawn = [&](const std::vector<PlacementVector>& list, double uniform) {
      const auto n = static_cast<double>(list.size());
      return as_vector(list[static_cast<std::size_t>(n * uniform)]);
    };
    if (!first.empty()) {
      sum += drawn(*measured[0], first[number(m, w)]);
    } else if (!measured.empty()) {
      sum += as_vector((*measured[0])[m % measured[0]->size()]);
    }
    if (measured.size() > 1) sum += drawn(*measured[1], second[number(m, w)]);
    return sum;
  }
  /// Its place among all: a world has latent numbers from all over the hypercube.
  [[nodiscard]] std::size_t number(std::size_t m, std::size_t w) const { return m * worlds + w; }

  std::size_t worlds;
  std::size_t each = 1;
  std::vector<Vector3d> normal;                               ///< of correlated errors
  std::array<std::vector<double>, 3> half_widths;             ///< of the uniform errors
  std::array<std::vector<std::vector<double>>, 3> uniforms;   ///< for each of them
  std::vector<const std::vector<PlacementVector>*> measured;  ///< lists, one or two
  std::vector<double> first;                                  ///< of a coarse mixture
  std::vector<double> second;
};

/// Gives a coordinate of a component the widest of its independent errors, and of the others a
/// draw.
void add_independent(const Latents& latents, std::size_t number, std::size_t axis, double variance,
                     ErrorComponent& component) {
  Distribution widest = normal_error(std::sqrt(variance));
  for (std::size_t u = 0; u < latents.half_widths[axis].size(); ++u) {
    Distribution other = uniform_error(latents.half_widths[axis][u]);
    if (other.variance() > widest.variance()) std::swap(other, widest);
    component.shift[axis] += other.quantile(latents.uniforms[axis][u][number]);
  }
  component.spread[axis] = widest;
}

/// The standard deviation of each coordinate over all components.
PlacementError overall_spread(const std::vector<ErrorComponent>& components) {
  const ErrorComponent& first = components.front();
  if (components.size() == 1 && first.shift == PlacementVector{}) return first.spread;
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
  return !is_unknown(*this) && !is_correlated(*this) && !is_mixed(*this) &&
         !any_part(*this, [](const ErrorPart& part) { return !part.measured.empty(); });
}

ErrorModel ErrorModel::random_part() const {
  ErrorModel model = *this;
  model.draws.clear();
  const auto forget = [](ErrorPart& part) {
    part.repeats.reset();
    part.offset_sigma = {};
  };
  forget(model);
  if (model.camera) forget(*model.camera);
  return model;
}

namespace {

ErrorPart part_of(const DeviceError& error) {
  return {error.covariance(), error.half_width(), error.deviations, error.repeats,
          error.offset_standard_deviations()};
}

}  // namespace

ErrorModel error_model(const RobotError& error) {
  ErrorModel model{part_of(error), {}, {}};
  if (error.camera) model.camera = part_of(*error.camera);
  return model;
}

ErrorMixture make_mixture(const ErrorModel& model, Grain grain) {
  const std::vector<World> worlds = worlds_of(model);
  const Latents latents(model, worlds.size(), grain);
  Vector3d smoothing = Vector3d::Zero();
  for (const auto* list : latents.measured) smoothing += bandwidths(*list).cwiseAbs2();
  ErrorMixture mixture;
  mixture.components.clear();
  mixture.worlds = worlds.size();
  for (std::size_t w = 0; w < worlds.size(); ++w) {
    const Split parts = split(worlds[w].spread);
    for (std::size_t m = 0; m < latents.each; ++m) {
      const std::size_t number = latents.number(m, w);
      const Vector3d shift =
          worlds[w].offset + parts.through * latents.normal[number] + latents.deviation(m, w);
      ErrorComponent component{{shift[0], shift[1], shift[2]}, {}, w, worlds[w].draw};
      for (int k = 0; k < 3; ++k) {
        add_independent(latents, number, static_cast<std::size_t>(k),
                        parts.diagonal[k] + smoothing[k], component);
      }
      mixture.components.push_back(component);
    }
  }
  mixture.overall = overall_spread(mixture.components);
  return mixture;
}

ErrorMixture widened(ErrorMixture mixture, const PlacementVector& least_sigma) {
  for (ErrorComponent& component : mixture.components) {
    for (std::size_t k = 0; k < 3; ++k) {
      Distribution& error = component.spread[k];
      if (error.is_fixed() || std::sqrt(error.variance()) >= least_sigma[k]) continue;
      error = error.is<Uniform>() ? uniform_error(std::sqrt(3.0) * least_sigma[k])
                                  : normal_error(least_sigma[k]);
    }
  }
  mixture.overall = overall_spread(mixture.components);
  return mixture;
}

}  // namespace graspmap
