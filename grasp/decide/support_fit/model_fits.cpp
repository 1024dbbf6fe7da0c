#include "grasp/decide/support_fit/model_fits.hpp"

#include <cmath>
#include <limits>
#include <optional>

#include "grasp/base/algebra/dense.hpp"
#include "sim/support/fourth_order.hpp"

namespace graspmap {
namespace {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

constexpr int kReweightings = 4;
constexpr int kTwistRounds = 3;

double mean_size(const std::vector<MeasuredPush>& rows) {
  double sum = 0.0;
  for (const MeasuredPush& row : rows) sum += row.wrench.norm();
  return sum / static_cast<double>(rows.size());
}

/// A surface H = 1, H homogeneous of a degree and linear in its coefficients u, as a least-squares
/// problem: of each row the part of the gradient across the twist, relative to its size, and the
/// level's error over the degree, which is the relative error of the wrench's size.
template <typename Terms>
struct SurfaceEquations {
  int degree;
  int count;           ///< of coefficients
  const Terms& terms;  ///< (y, values, gradients): of each coefficient at y
  std::vector<MeasuredPush> rows;
  std::vector<double> gradient_size;

  SurfaceEquations(int of_degree, int of_count, const Terms& of_terms,
                   const std::vector<MeasuredPush>& all, double size)
      : degree(of_degree), count(of_count), terms(of_terms), rows(all) {
    for (MeasuredPush& row : rows) {
      row.wrench /= size;
      row.twist.normalize();
      gradient_size.push_back(degree * std::pow(row.wrench.norm(), degree - 1));
    }
  }

  /// The normal equations of the first `count` of `unknowns`.
  void assemble(MatrixXd& Q, VectorXd& b, Eigen::Index unknowns) const {
    Q = MatrixXd::Zero(unknowns, unknowns);
    b = VectorXd::Zero(unknowns);
    VectorXd values(count);
    MatrixXd gradients(3, count);
    MatrixXd equations(4, count);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const Vector3d& v = rows[i].twist;
      terms(rows[i].wrench, values, gradients);
      equations.topRows(3) =
          (Matrix3d::Identity() - v * v.transpose()) * gradients / gradient_size[i];
      equations.row(3) = values.transpose() / degree;
      Q.topLeftCorner(count, count) += equations.transpose() * equations;
      b.head(count) += values / (degree * degree);
    }
  }

  /// Scales a surface so that the wrenches are as large as it is in the mean. Without that each
  /// reweighting would take the errors across the twists for a reason to make it larger.
  void scale_to_rows(VectorXd& u) const {
    VectorXd values(count);
    MatrixXd gradients(3, count);
    double sum = 0.0;
    for (const MeasuredPush& row : rows) {
      terms(row.wrench, values, gradients);
      sum += std::pow(values.dot(u.head(count)), 1.0 / degree);
    }
    u /= std::pow(sum / static_cast<double>(rows.size()), degree);
  }

  void reweight(const VectorXd& u) {
    VectorXd values(count);
    MatrixXd gradients(3, count);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      terms(rows[i].wrench, values, gradients);
      gradient_size[i] = (gradients * u.head(count)).norm();
    }
  }
};

constexpr double kFirstBarrier = 1e-2;  ///< weights of the barrier, relative to the objective
constexpr double kLastBarrier = 1e-9;
constexpr double kBarrierDecrease = 0.1;
constexpr int kCentringIterations = 40;
constexpr double kCentringDecrement = 1e-9;

MatrixXd gram_sum(const std::vector<MatrixXd>& G, const VectorXd& u) {
  MatrixXd sum = MatrixXd::Zero(G[0].rows(), G[0].cols());
  for (std::size_t k = 0; k < G.size(); ++k) sum += u[static_cast<Eigen::Index>(k)] * G[k];
  return sum;
}

/// One objective with its barrier.
struct BarrierProblem {
  const MatrixXd& Q;
  const VectorXd& b;
  const std::vector<MatrixXd>& G;
  double weight;

  [[nodiscard]] double value(const VectorXd& u) const {
    const std::optional<MatrixXd> root = root_if_positive(gram_sum(G, u));
    if (!root) return std::numeric_limits<double>::infinity();
    const double log_det = 2.0 * root->diagonal().array().log().sum();
    return 0.5 * u.dot(Q * u) - b.dot(u) - weight * log_det;
  }

  /// Newton's method to the minimum.
  void centre(VectorXd& u) const {
    const auto count = static_cast<Eigen::Index>(G.size());
    std::vector<MatrixXd> products(G.size());
    for (int iteration = 0; iteration < kCentringIterations; ++iteration) {
      const MatrixXd inverse = inverse_positive(gram_sum(G, u));
      for (std::size_t k = 0; k < G.size(); ++k) products[k] = product(inverse, G[k]);
      VectorXd gradient = Q * u - b;
      MatrixXd hessian = Q;
      for (Eigen::Index k = 0; k < count; ++k) {
        const MatrixXd& first = products[static_cast<std::size_t>(k)];
        gradient[k] -= weight * first.trace();
        for (Eigen::Index l = 0; l <= k; ++l) {
          const MatrixXd& second = products[static_cast<std::size_t>(l)];
          const double entry = weight * first.cwiseProduct(second.transpose()).sum();
          hessian(k, l) += entry;
          if (l < k) hessian(l, k) += entry;
        }
      }
      const VectorXd step = -solve_semidefinite(hessian, gradient);
      const double decrement = -step.dot(gradient);
      if (!(decrement > kCentringDecrement * weight)) return;
      const double now = value(u);
      double alpha = 1.0;
      while (alpha > 1e-10 && !(value(u + alpha * step) <= now - 0.25 * alpha * decrement)) {
        alpha *= 0.5;
      }
      if (!(alpha > 1e-10)) return;
      u += alpha * step;
    }
  }
};

/// The least of u' Q u / 2 - b . u over the u for which the sum of u_k G_k is positive
/// semidefinite, by an interior-point method. `start` must make it positive definite; the result
/// does too. Small problems: some 25 unknowns, matrices of some 9 rows.
VectorXd semidefinite_least_squares(const MatrixXd& Q, const VectorXd& b,
                                    const std::vector<MatrixXd>& G, const VectorXd& start) {
  VectorXd u = start;
  const double size = std::max(b.lpNorm<Eigen::Infinity>(), std::numeric_limits<double>::min());
  for (double weight = kFirstBarrier; weight >= kLastBarrier; weight *= kBarrierDecrease) {
    BarrierProblem{Q, b, G, weight * size}.centre(u);
  }
  return u;
}

/// The coefficients of the convex surface that fits best. `size` is what wrenches are divided by.
template <typename Terms>
VectorXd fit_surface(int degree, int count, const Terms& terms,
                     const std::vector<MeasuredPush>& rows, double size,
                     const std::vector<MatrixXd>& gram, const VectorXd& start) {
  SurfaceEquations<Terms> equations(degree, count, terms, rows, size);
  VectorXd u = start;
  MatrixXd Q;
  VectorXd b;
  for (int k = 0; k < kReweightings; ++k) {
    equations.assemble(Q, b, start.size());
    u = semidefinite_least_squares(Q, b, gram, start);
    equations.scale_to_rows(u);
    equations.reweight(u);
  }
  return u.head(count);
}

/// The value and the gradient of each term of a fourth-order polynomial.
void fourth_order_terms(const Vector3d& y, VectorXd& values, MatrixXd& gradients) {
  for (int k = 0; k < kFourthOrderTerms; ++k) {
    const auto& powers = kFourthOrderPowers[static_cast<std::size_t>(k)];
    values[k] = 1.0;
    for (std::size_t i = 0; i < 3; ++i) {
      values[k] *= std::pow(y[static_cast<int>(i)], powers[i]);
      double slope = powers[i];
      for (std::size_t j = 0; j < 3 && powers[i] > 0; ++j) {
        slope *= std::pow(y[static_cast<int>(j)], powers[j] - (i == j ? 1 : 0));
      }
      gradients(static_cast<int>(i), k) = slope;
    }
  }
}

/// The Gram matrices of the Hessian's form: of each coefficient, then those that change nothing.
std::vector<MatrixXd> fourth_order_gram() {
  std::vector<MatrixXd> gram;
  for (std::size_t k = 0; k < std::size_t{kFourthOrderTerms}; ++k) {
    FourthOrderCoefficients unit{};
    unit[k] = 1.0;
    gram.emplace_back(hessian_gram(FourthOrderForm(unit)));
  }
  for (const GramMatrix& free : gram_freedom()) gram.emplace_back(free);
  return gram;
}

/// The wrench of each point's unit load at a twist, by column.
MatrixXd load_wrenches(const std::vector<Eigen::Vector2d>& points, const Vector3d& twist) {
  MatrixXd wrenches(3, static_cast<Eigen::Index>(points.size()));
  for (std::size_t j = 0; j < points.size(); ++j) {
    wrenches.col(static_cast<Eigen::Index>(j)) = point_wrench(points[j], twist);
  }
  return wrenches;
}

/// The loads at which friction takes up the pushers' work, in the mean over the directions of the
/// twists: errors of the wrenches do not bias it, as they bias their size relative to the limit
/// surface, which is convex.
std::shared_ptr<const PointsSliding> at_balanced_work(const PointsSliding& fitted,
                                                      const std::vector<Eigen::Vector2d>& points,
                                                      const std::vector<MeasuredPush>& rows) {
  double done = 0.0;
  double taken = 0.0;
  for (const MeasuredPush& row : rows) {
    const Vector3d twist = row.twist.normalized();
    done += row.wrench.dot(twist);
    taken += fitted.wrench_of(twist).dot(twist);
  }
  std::vector<double> forces = fitted.forces();
  for (double& force : forces) force *= done / taken;
  return std::make_shared<PointsSliding>(points, forces);
}

}  // namespace

std::shared_ptr<const EllipsoidSliding> fit_ellipsoid(const std::vector<MeasuredPush>& rows,
                                                      bool diagonal) {
  constexpr std::array<std::array<int, 2>, 6> kEntries{
      {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}}};
  const int count = diagonal ? 3 : 6;
  std::vector<MatrixXd> entries;
  for (int k = 0; k < count; ++k) {
    const auto [i, j] = kEntries[static_cast<std::size_t>(k)];
    MatrixXd E = MatrixXd::Zero(3, 3);
    E(i, j) = E(j, i) = 1.0;
    entries.push_back(E);
  }
  const auto terms = [&](const Vector3d& y, VectorXd& values, MatrixXd& gradients) {
    for (int k = 0; k < count; ++k) {
      const Vector3d Ey = entries[static_cast<std::size_t>(k)] * y;
      values[k] = y.dot(Ey);
      gradients.col(k) = 2.0 * Ey;
    }
  };
  const double size = mean_size(rows);
  VectorXd start = VectorXd::Zero(count);
  start.head(3).setOnes();
  const VectorXd u = fit_surface(2, count, terms, rows, size, entries, start);
  Matrix3d A = Matrix3d::Zero();
  for (int k = 0; k < count; ++k) A += u[k] * entries[static_cast<std::size_t>(k)];
  return std::make_shared<EllipsoidSliding>(A / (size * size));
}

std::shared_ptr<const FourthOrderSliding> fit_fourth_order(const std::vector<MeasuredPush>& rows) {
  static const std::vector<MatrixXd> gram = fourth_order_gram();
  const double size = mean_size(rows);
  VectorXd start = VectorXd::Zero(static_cast<Eigen::Index>(gram.size()));
  for (const int k : {0, 10, 14}) start[k] = 1.0;  // |y|^4
  for (const int k : {3, 5, 12}) start[k] = 2.0;
  // The Gram matrix of its Hessian is singular; with these it is 4 I + 8 e e', e = (e_1, e_2, e_3).
  for (const int k : {0, 4, 8}) start[kFourthOrderTerms + k] = 4.0;
  const VectorXd u = fit_surface(4, kFourthOrderTerms, fourth_order_terms, rows, size, gram, start);
  FourthOrderCoefficients coefficients{};
  for (std::size_t k = 0; k < coefficients.size(); ++k) {
    coefficients[k] = u[static_cast<Eigen::Index>(k)] / std::pow(size, 4);
  }
  return std::make_shared<FourthOrderSliding>(coefficients);
}

std::shared_ptr<const PointsSliding> fit_points(const std::vector<MeasuredPush>& rows,
                                                const std::vector<Eigen::Vector2d>& points,
                                                const std::vector<double>& shares) {
  const auto count = static_cast<Eigen::Index>(points.size());
  const Eigen::Map<const VectorXd> given(shares.data(), static_cast<Eigen::Index>(shares.size()));
  std::shared_ptr<const PointsSliding> fitted;
  for (int round = 0; round < kTwistRounds; ++round) {
    MatrixXd AtA = MatrixXd::Zero(count, count);
    VectorXd Atb = VectorXd::Zero(count);
    for (const MeasuredPush& row : rows) {
      Vector3d twist = row.twist.normalized();
      if (fitted) twist += fitted->twist_of(row.wrench).normalized();
      const MatrixXd A = load_wrenches(points, twist);
      AtA += A.transpose() * A;
      Atb += A.transpose() * row.wrench;
    }
    VectorXd forces;
    if (shares.empty()) {
      forces = non_negative_least_squares(AtA, Atb);
    } else {
      forces = given * (given.dot(Atb) / given.dot(AtA * given));
    }
    fitted = std::make_shared<PointsSliding>(
        points, std::vector<double>(forces.data(), forces.data() + count));
  }
  return at_balanced_work(*fitted, points, rows);
}

VectorXd non_negative_least_squares(const MatrixXd& AtA, const VectorXd& Atb) {
  const Eigen::Index n = Atb.size();
  const double tolerance = 1e-10 * Atb.lpNorm<Eigen::Infinity>();
  VectorXd w = VectorXd::Zero(n);
  std::vector<bool> free(static_cast<std::size_t>(n), false);
  for (Eigen::Index round = 0; round < 10 * n; ++round) {
    const VectorXd gain = Atb - AtA * w;
    Eigen::Index best = -1;
    for (Eigen::Index j = 0; j < n; ++j) {
      if (free[static_cast<std::size_t>(j)] || gain[j] <= tolerance) continue;
      if (best < 0 || gain[j] > gain[best]) best = j;
    }
    // No weight at 0 would gain: the conditions of Karush, Kuhn and Tucker hold.
    if (best < 0) break;
    free[static_cast<std::size_t>(best)] = true;
    for (;;) {
      std::vector<Eigen::Index> used;
      for (Eigen::Index j = 0; j < n; ++j) {
        if (free[static_cast<std::size_t>(j)]) used.push_back(j);
      }
      if (used.empty()) break;
      MatrixXd part = AtA(used, used);
      part.diagonal() *= 1.0 + 1e-12;
      const VectorXd target = solve_semidefinite(part, Atb(used));
      // Towards the solution with the free ones alone, until the first of them would fall below 0.
      double share = 1.0;
      for (std::size_t k = 0; k < used.size(); ++k) {
        const double now = w[used[k]];
        const double next = target[static_cast<Eigen::Index>(k)];
        if (next <= 0.0) share = std::min(share, now / (now - next));
      }
      for (std::size_t k = 0; k < used.size(); ++k) {
        double& value = w[used[k]];
        value += share * (target[static_cast<Eigen::Index>(k)] - value);
        if (share < 1.0 && value <= 1e-14) {
          value = 0.0;
          free[static_cast<std::size_t>(used[k])] = false;
        }
      }
      if (share >= 1.0) break;
    }
  }
  return w;
}

}  // namespace graspmap
