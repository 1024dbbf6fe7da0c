#include "sim/hold/cone_program.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace graspmap {
namespace {

using Block = ConeProgram::Block;
using Rows = ConeProgram::Rows;
using Vec3d = Eigen::Vector3d;
using Vectors = std::vector<Vec3d>;

/// A row of which less than this is left beside the others, relative to the largest row, says
/// nothing that they do not: normals are known to about as many digits.
constexpr double kDependent = 1e-7;
constexpr int kMostIterations = 60;
/// How far a step goes towards the border of the cones.
constexpr double kStepShare = 0.995;
/// No more is tried once no iterate has become better in so many steps.
constexpr int kPatience = 15;
constexpr int kMostHalvings = 20;
/// What suffices where rounding errors leave no more: of a part at the very limit of friction,
/// whose program has no interior.
constexpr double kNearTolerance = 1e-7;

const Vec3d kUnit(1.0, 0.0, 0.0);

double dot(const Vectors& a, const Vectors& b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i].dot(b[i]);
  return sum;
}

double largest(const Vectors& a) {
  double most = 0.0;
  for (const Vec3d& v : a) most = std::max(most, v.cwiseAbs().maxCoeff());
  return most;
}

/// u' J u = u_0^2 - u_1^2 - u_2^2, by factors.
double cone_product(const Vec3d& u) {
  const double tail = std::sqrt(u[1] * u[1] + u[2] * u[2]);
  return (u[0] - tail) * (u[0] + tail);
}

/// u o v = (u' v, u_0 v_1 + v_0 u_1), and what it is to be multiplied with to give `product`.
Vec3d circle(const Vec3d& u, const Vec3d& v) {
  return {u.dot(v), u[0] * v[1] + v[0] * u[1], u[0] * v[2] + v[0] * u[2]};
}

Vec3d divided(const Vec3d& u, const Vec3d& product) {
  const double head = (u[0] * product[0] - u[1] * product[1] - u[2] * product[2]) / cone_product(u);
  return {head, (product[1] - head * u[1]) / u[0], (product[2] - head * u[2]) / u[0]};
}

/// The largest t with u + t d in Q, for u inside: 1 / (|r_1, r_2| - r_0), where r is what d becomes
/// in the hyperbolic rotation that takes u to (1, 0, 0).
double reach(const Vec3d& u, const Vec3d& d) {
  const double size = std::sqrt(cone_product(u));
  const Vec3d unit = u / size;
  const double head = unit[0] * d[0] - unit[1] * d[1] - unit[2] * d[2];
  const double share = (head + d[0]) / (unit[0] + 1.0);
  const double r_1 = d[1] - share * unit[1];
  const double r_2 = d[2] - share * unit[2];
  const double shrinks = std::sqrt(r_1 * r_1 + r_2 * r_2) - head;
  return shrinks > 0.0 ? size / shrinks : std::numeric_limits<double>::infinity();
}

/// The scaling of Nesterov and Todd: the symmetric W with W s = W^-1 x.
/// W = beta (2 v v' - J).
struct Scaling {
  double beta = 1.0;
  Vec3d v = kUnit;
  Vec3d w = kUnit;
  Vec3d lambda = kUnit;  ///< W s = W^-1 x

  Scaling(const Vec3d& x, const Vec3d& s) {
    const double x_size = std::sqrt(cone_product(x));
    const double s_size = std::sqrt(cone_product(s));
    const Vec3d x_unit = x / x_size;
    const Vec3d s_unit = s / s_size;
    const double gamma = std::sqrt((1.0 + x_unit.dot(s_unit)) / 2.0);
    w = Vec3d(x_unit[0] + s_unit[0], x_unit[1] - s_unit[1], x_unit[2] - s_unit[2]) / (2.0 * gamma);
    v = Vec3d(w[0] + 1.0, w[1], w[2]) / std::sqrt(2.0 * (w[0] + 1.0));
    beta = std::sqrt(x_size / s_size);
    // Without the cancellation that W s has near the border.
    const double of_x = (gamma + s_unit[0]) / (x_unit[0] + s_unit[0] + 2.0 * gamma);
    const double of_s = (gamma + x_unit[0]) / (x_unit[0] + s_unit[0] + 2.0 * gamma);
    lambda = std::sqrt(x_size * s_size) *
             Vec3d(gamma, of_x * x_unit[1] + of_s * s_unit[1], of_x * x_unit[2] + of_s * s_unit[2]);
  }

  static Vec3d mirrored(const Vec3d& u) { return {u[0], -u[1], -u[2]}; }
  [[nodiscard]] Vec3d times(const Vec3d& u) const {
    return beta * (2.0 * v.dot(u) * v - mirrored(u));
  }
  [[nodiscard]] Vec3d inverse_times(const Vec3d& u) const {
    const Vec3d jv = mirrored(v);
    return (2.0 * jv.dot(u) * jv - mirrored(u)) / beta;
  }
};

/// The program with rows that are orthonormal: as many as do not depend on others.
struct Reduced {
  std::vector<Block> a;
  Rows b = Rows::Zero();
  int rows = 0;
  bool contradicts = false;  ///< a row that is left out asks for something else
};

/// Gram and Schmidt's orthogonalisation, the largest remaining row first, twice for each.
Reduced reduced(const ConeProgram& program) {
  Reduced out;
  out.a.assign(program.a.size(), Block::Zero());
  std::vector<Block> left = program.a;
  Rows b = program.b;
  const auto norm = [&](int row) {
    double sum = 0.0;
    for (const Block& block : left) sum += block.row(row).squaredNorm();
    return std::sqrt(sum);
  };
  double largest_row = 0.0;
  for (int row = 0; row < kMostConeRows; ++row) largest_row = std::max(largest_row, norm(row));
  std::array<bool, kMostConeRows> used{};
  for (int k = 0; k < kMostConeRows; ++k) {
    int best = -1;
    double most = kDependent * largest_row;
    for (int row = 0; row < kMostConeRows; ++row) {
      if (used[static_cast<std::size_t>(row)] || !(norm(row) > most)) continue;
      most = norm(row);
      best = row;
    }
    if (best < 0) break;
    used[static_cast<std::size_t>(best)] = true;
    for (std::size_t i = 0; i < left.size(); ++i) out.a[i].row(k) = left[i].row(best) / most;
    out.b[k] = b[best] / most;
    ++out.rows;
    // Nearly parallel rows leave rounding errors along the first one, which a second pass takes
    // away.
    for (int pass = 0; pass < 2; ++pass) {
      for (int row = 0; row < kMostConeRows; ++row) {
        if (used[static_cast<std::size_t>(row)]) continue;
        double along = 0.0;
        for (std::size_t i = 0; i < left.size(); ++i)
          along += left[i].row(row).dot(out.a[i].row(k));
        for (std::size_t i = 0; i < left.size(); ++i) left[i].row(row) -= along * out.a[i].row(k);
        b[row] -= along * out.b[k];
      }
    }
  }
  // A row that depends on others is zero by now: what is left of its b contradicts them.
  for (int row = 0; row < kMostConeRows; ++row) {
    if (used[static_cast<std::size_t>(row)]) continue;
    const double scale = std::max(largest_row, program.b.cwiseAbs().maxCoeff());
    if (std::abs(b[row]) > kDependent * scale) out.contradicts = true;
  }
  return out;
}

/// The iterate: x in Q, y, s in Q, tau > 0, kappa > 0, of
///   A x = b tau,   A' y + s = c tau,   c' x - b' y + kappa = 0,   c = -g.
struct Iterate {
  Vectors x;
  Rows y = Rows::Zero();
  Vectors s;
  double tau = 1.0;
  double kappa = 1.0;
};

/// The three numbers of a cone.
template <typename Vector>
auto part(Vector& v, std::size_t cone) {
  return v.template segment<3>(3 * static_cast<Eigen::Index>(cone));
}

class InteriorPoint {
 public:
  InteriorPoint(const Reduced& program, const Vectors& g)
      : a_(program.a), b_(program.b), n_(g.size()), rows_(program.rows) {
    for (const Vec3d& of_cone : g) c_.push_back(-of_cone);
    at_.x.assign(n_, kUnit);
    at_.s.assign(n_, kUnit);
  }

  ConeSolution run() {
    ConeSolution best;
    double best_error = std::numeric_limits<double>::infinity();
    int best_at = 0;
    for (int k = 0; k < kMostIterations && k - best_at <= kPatience; ++k) {
      measure();
      const auto [status, error] = judged();
      if (error < best_error) {
        best_error = error;
        best = told(status);
        best.iterations = best_at = k;
      }
      if (error <= kConeTolerance || !advance()) break;
    }
    if (!(best_error <= kNearTolerance)) best.status = ConeStatus::kUnsolved;
    return best;
  }

 private:
  /// A u.
  [[nodiscard]] Rows times(const Vectors& u) const {
    Rows sum = Rows::Zero();
    for (std::size_t i = 0; i < n_; ++i) sum += a_[i] * u[i];
    return sum;
  }

  void measure() {
    primal_ = b_ * at_.tau - times(at_.x);
    dual_.resize(n_);
    for (std::size_t i = 0; i < n_; ++i) {
      dual_[i] = c_[i] * at_.tau - a_[i].transpose() * at_.y - at_.s[i];
    }
    cx_ = dot(c_, at_.x);
    by_ = b_.dot(at_.y);
    gap_ = at_.kappa + cx_ - by_;
    mu_ = (dot(at_.x, at_.s) + at_.tau * at_.kappa) / static_cast<double>(n_ + 1);
  }

  /// What the iterate is nearest to show, and how far it is from that.
  [[nodiscard]] std::pair<ConeStatus, double> judged() const {
    const double gap =
        std::abs(cx_ - by_) / std::max(at_.tau, std::min(std::abs(cx_), std::abs(by_)));
    std::pair best{ConeStatus::kOptimal, std::max(residual(), gap)};
    // Certificates: y with A' y + s = 0 and b' y > 0, or x with A x = 0 and c' x < 0.
    if (by_ > 0.0) {
      double left = 0.0;
      for (std::size_t i = 0; i < n_; ++i) {
        const Vec3d row = a_[i].transpose() * at_.y + at_.s[i];
        left = std::max(left, row.cwiseAbs().maxCoeff());
      }
      if (left / by_ < best.second) best = {ConeStatus::kInfeasible, left / by_};
    }
    if (cx_ < 0.0) {
      const double left = times(at_.x).cwiseAbs().maxCoeff() / -cx_;
      if (left < best.second) best = {ConeStatus::kUnbounded, left};
    }
    return best;
  }

  /// The largest of both problems, relative.
  [[nodiscard]] double residual() const {
    return std::max(primal_.cwiseAbs().maxCoeff() / (1.0 + b_.cwiseAbs().maxCoeff()),
                    largest(dual_) / (1.0 + largest(c_))) /
           at_.tau;
  }

  [[nodiscard]] ConeSolution told(ConeStatus status) const {
    ConeSolution out;
    out.status = status;
    if (status != ConeStatus::kOptimal) return out;
    for (const Vec3d& x : at_.x) out.x.push_back(x / at_.tau);
    out.value = -cx_ / at_.tau;
    out.bound = -by_ / at_.tau;
    out.residual = residual();
    return out;
  }

  struct Direction {
    Vectors x;
    Rows y = Rows::Zero();
    Vectors s;
    double tau = 0.0;
    double kappa = 0.0;
  };

  /// u and y with A W u = r and u = v + W A' y. With W A' = Q R: w = R'^-1 r - Q' v, R y = w and
  /// u = v + Q w, without the square of its condition that A W^2 A' has.
  struct Projected {
    Eigen::VectorXd u;
    Rows y = Rows::Zero();
  };
  [[nodiscard]] Projected projected(const Eigen::VectorXd& v, const Rows& r) const {
    const auto upper = r_.triangularView<Eigen::Upper>();
    const Eigen::VectorXd w =
        upper.transpose().solve(r.head(rows_)) - q_.transpose().lazyProduct(v);
    Projected out;
    out.u = v + q_.lazyProduct(w);
    out.y.head(rows_) = upper.solve(w);
    return out;
  }

  /// The direction that takes residuals back by `share`, with complementarity d (scaled: W^-1 dx +
  /// W ds = d) and tau dkappa + kappa dtau = d_tau.
  [[nodiscard]] Direction direction(double share, const Vectors& d, double d_tau) const {
    Eigen::VectorXd v(size());
    for (std::size_t i = 0; i < n_; ++i) {
      part(v, i) = d[i] - share * scaling_[i].times(dual_[i]);
    }
    const Projected first = projected(v, share * primal_);
    double cx1 = 0.0;
    Direction out;
    out.x.resize(n_);
    out.s.resize(n_);
    for (std::size_t i = 0; i < n_; ++i) {
      out.x[i] = scaling_[i].times(part(first.u, i));
      cx1 += c_[i].dot(out.x[i]);
    }
    out.tau = (share * gap_ + cx1 - b_.dot(first.y) + d_tau / at_.tau) /
              (at_.kappa / at_.tau - cx2_ + b_.dot(y2_));
    out.y = first.y + out.tau * y2_;
    for (std::size_t i = 0; i < n_; ++i) {
      out.x[i] += out.tau * x2_[i];
      out.s[i] = share * dual_[i] + c_[i] * out.tau - a_[i].transpose() * out.y;
    }
    out.kappa = (d_tau - at_.kappa * out.tau) / at_.tau;
    return out;
  }

  [[nodiscard]] Eigen::Index size() const { return 3 * static_cast<Eigen::Index>(n_); }
  [[nodiscard]] double longest(const Direction& d) const {
    double most = 1e300;
    for (std::size_t i = 0; i < n_; ++i) {
      most = std::min({most, reach(at_.x[i], d.x[i]), reach(at_.s[i], d.s[i])});
    }
    if (d.tau < 0.0) most = std::min(most, -at_.tau / d.tau);
    if (d.kappa < 0.0) most = std::min(most, -at_.kappa / d.kappa);
    return most;
  }

  /// One step; false when it cannot be computed.
  bool advance() {
    scaling_.clear();
    Vectors lambda(n_);
    Eigen::MatrixXd scaled(size(), rows_);  // W A'
    Eigen::VectorXd v(size());
    for (std::size_t i = 0; i < n_; ++i) {
      const Scaling w(at_.x[i], at_.s[i]);
      lambda[i] = w.lambda;
      for (int row = 0; row < rows_; ++row) {
        scaled.block<3, 1>(3 * static_cast<Eigen::Index>(i), row) =
            w.times(a_[i].row(row).transpose());
      }
      part(v, i) = -w.times(c_[i]);
      scaling_.push_back(w);
    }
    const Eigen::HouseholderQR<Eigen::MatrixXd> qr(scaled);
    q_ = qr.householderQ() * Eigen::MatrixXd::Identity(size(), rows_);
    r_ = qr.matrixQR().topRows(rows_);
    if (!(r_.diagonal().cwiseAbs().minCoeff() > 0.0)) return false;
    const Projected of_tau = projected(v, b_);
    y2_ = of_tau.y;
    x2_.resize(n_);
    cx2_ = 0.0;
    for (std::size_t i = 0; i < n_; ++i) {
      x2_[i] = scaling_[i].times(part(of_tau.u, i));
      cx2_ += c_[i].dot(x2_[i]);
    }

    Vectors d(n_);
    for (std::size_t i = 0; i < n_; ++i) d[i] = -lambda[i];
    const Direction predictor = direction(1.0, d, -at_.tau * at_.kappa);
    const double free = std::min(1.0, longest(predictor));
    // Mehrotra's rule: the further the predictor gets, the less the corrector returns to the
    // centre.
    const double sigma = std::max((1.0 - free) * (1.0 - free) * (1.0 - free), 1e-10);
    for (std::size_t i = 0; i < n_; ++i) {
      const Vec3d second =
          circle(scaling_[i].inverse_times(predictor.x[i]), scaling_[i].times(predictor.s[i]));
      const Vec3d wanted = sigma * mu_ * kUnit - circle(lambda[i], lambda[i]) - second;
      d[i] = divided(lambda[i], wanted);
    }
    const double d_tau = sigma * mu_ - at_.tau * at_.kappa - predictor.tau * predictor.kappa;
    // Residuals fall as fast as complementarity: at the same rate 1 - sigma.
    const Direction step = direction(1.0 - sigma, d, d_tau);
    double length = std::min(1.0, kStepShare * longest(step));
    // Near the border rounding errors may take a step beyond it.
    for (int halvings = 0; halvings < kMostHalvings; ++halvings, length /= 2) {
      const Iterate next = stepped(step, length);
      if (!is_inside(next)) continue;
      at_ = next;
      return true;
    }
    return false;
  }

  [[nodiscard]] Iterate stepped(const Direction& step, double length) const {
    Iterate next = at_;
    for (std::size_t i = 0; i < n_; ++i) {
      next.x[i] += length * step.x[i];
      next.s[i] += length * step.s[i];
    }
    next.y += length * step.y;
    next.tau += length * step.tau;
    next.kappa += length * step.kappa;
    return next;
  }

  static bool is_inside(const Iterate& at) {
    const auto inside = [](const Vec3d& u) { return u[0] > 0.0 && cone_product(u) > 0.0; };
    return at.tau > 0.0 && at.kappa > 0.0 && at.y.allFinite() &&
           std::all_of(at.x.begin(), at.x.end(), inside) &&
           std::all_of(at.s.begin(), at.s.end(), inside);
  }

  const std::vector<Block>& a_;
  const Rows& b_;
  std::size_t n_;
  Vectors c_;
  Eigen::Index rows_;
  Iterate at_;

  Rows primal_ = Rows::Zero();  ///< residuals, and what else belongs to the iterate
  Vectors dual_;
  double cx_ = 0.0;
  double by_ = 0.0;
  double gap_ = 0.0;
  double mu_ = 0.0;

  std::vector<Scaling> scaling_;
  Eigen::MatrixXd q_;  ///< of W A'
  Eigen::MatrixXd r_;
  Rows y2_ = Rows::Zero();
  Vectors x2_;
  double cx2_ = 0.0;
};

}  // namespace

ConeSolution solve(const ConeProgram& program) {
  const Reduced reduced_program = reduced(program);
  if (reduced_program.contradicts) {
    ConeSolution none;
    none.status = ConeStatus::kInfeasible;
    return none;
  }
  return InteriorPoint(reduced_program, program.g).run();
}

}  // namespace graspmap
