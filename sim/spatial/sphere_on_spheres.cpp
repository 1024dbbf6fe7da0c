#include "sim/spatial/sphere_on_spheres.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <unsupported/Eigen/AutoDiff>

#include "sim/mcp/levenberg_marquardt.hpp"
#include "sim/mcp/semismooth_newton.hpp"

namespace graspmap {
namespace {

using mcp::Kind;

constexpr int kPerContact = 5;  // p_n, s_t, s_o, s_r, sigma
// Gaps are measured in h V, but not less than this part of the radius: rounding of the centre would
// count otherwise.
constexpr double kLeastGapUnit = 1e-4;
constexpr double kOpen = 1e-9;  // p_n of a contact that is open, in units of the step's impulse
constexpr int kMostUnknowns = 6 + 4 * kPerContact;

template <typename T>
using Vec = Eigen::Matrix<T, 3, 1>;

/// n, t, o: right-handed, t across a fixed axis that is not near n.
template <typename T>
struct Frame {
  Vec<T> n;
  Vec<T> t;
  Vec<T> o;
};

template <typename T>
Vec<T> normalized(const Vec<T>& v) {
  using std::sqrt;
  const T norm = sqrt(v.dot(v));
  return v / norm;
}

template <typename T>
Frame<T> contact_frame(const Vec<T>& apart, const Vec3d& axis) {
  Frame<T> frame;
  frame.n = normalized(apart);
  frame.t = normalized(Vec<T>(axis.cast<T>().cross(frame.n)));
  frame.o = frame.n.cross(frame.t);
  return frame;
}

/// The equations of a step, in units of the step's free impulse and velocity.
class SphereProblem : public mcp::Problem {
 public:
  SphereProblem(const SphereOnSpheres& system, const SphereState& start, double h)
      : system_(system), start_(start), h_(h) {
    for (const auto& fixed : system.fixed) {
      const Vec3d n = (start.centre - fixed.centre).normalized();
      axes_.push_back(std::abs(n.x()) < 0.7 ? Vec3d::UnitX() : Vec3d::UnitZ());
    }
    impulse_ = h * system.applied.head<3>().norm() + system.mass * start.velocity.norm();
    speed_ = impulse_ / system.mass;
  }

  [[nodiscard]] int size() const override {
    return 6 + kPerContact * static_cast<int>(system_.fixed.size());
  }
  [[nodiscard]] Kind kind(int i) const override {
    const int row = (i - 6) % kPerContact;
    return i >= 6 && (row == 0 || row == 4) ? Kind::kNonnegative : Kind::kFree;
  }
  void evaluate(const Eigen::VectorXd& z, Eigen::VectorXd& F) override { residual(z, F); }

  void jacobian(const Eigen::VectorXd& z, Eigen::MatrixXd& J) override {
    using Derivatives = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, kMostUnknowns, 1>;
    using Dual = Eigen::AutoDiffScalar<Derivatives>;
    const int n = size();
    Eigen::Matrix<Dual, Eigen::Dynamic, 1> x(n);
    for (int i = 0; i < n; ++i) x[i] = Dual(z[i], n, i);
    Eigen::Matrix<Dual, Eigen::Dynamic, 1> F(n);
    residual(x, F);
    J.setZero(n, n);
    for (int i = 0; i < n; ++i) {
      if (F[i].derivatives().size() == n) J.row(i) = F[i].derivatives();
    }
  }

  /// Free motion, with contacts that carry half of the impulse and slide by `sigma`.
  [[nodiscard]] Eigen::VectorXd guess(double sigma) const {
    Eigen::VectorXd z = Eigen::VectorXd::Zero(size());
    z.head<6>() = start_.velocity / speed_;
    z.head<3>() += h_ * system_.applied.head<3>() / system_.mass / speed_;
    for (int i = 6; i < size(); i += kPerContact) {
      z[i] = 0.5;
      z[i + 4] = sigma;
    }
    return z;
  }

  [[nodiscard]] SphereStep read(const Eigen::VectorXd& z) const {
    SphereStep step;
    step.end.time = start_.time + h_;
    step.end.velocity = speed_ * z.head<6>();
    step.end.centre = start_.centre + h_ * step.end.velocity.head<3>();
    for (int i = 6; i < size(); i += kPerContact) {
      const double force = impulse_ / h_;
      const double friction = system_.mu * z[i] * std::hypot(z[i + 1], z[i + 2]);
      step.contacts.push_back(
          {force * z[i], force * friction, z[i] > kOpen ? speed_ * z[i + 4] : 0.0});
    }
    return step;
  }

 private:
  template <typename T>
  void residual(const Eigen::Matrix<T, Eigen::Dynamic, 1>& z,
                Eigen::Matrix<T, Eigen::Dynamic, 1>& F) const {
    using std::sqrt;
    F.resize(size());
    const Vec<T> v = z.template head<3>() * T(speed_);
    const Vec<T> w = z.template segment<3>(3) * T(speed_);
    const Vec<T> centre = start_.centre.cast<T>() + v * T(h_);
    Vec<T> force = (h_ * system_.applied.head<3>()).template cast<T>();
    Vec<T> moment = (h_ * system_.applied.tail<3>()).template cast<T>();
    for (std::size_t k = 0; k < system_.fixed.size(); ++k) {
      contact(k, centre, v, w, z, F, force, moment);
    }
    const Vec<T> linear = (v - start_.velocity.head<3>().cast<T>()) * T(system_.mass) - force;
    const Vec<T> angular = (w - start_.velocity.tail<3>().cast<T>()) * T(system_.inertia) - moment;
    F.template head<3>() = linear / T(impulse_);
    F.template segment<3>(3) = angular / T(impulse_ * system_.radius);
  }

  /// Adds the contact's impulses to the balance; the gap's row; eq. (7) for s = p / (mu p_n),
  /// divided by mu p_n and (mu p_n)^2, which is regular at p_n = 0 (sigma is the slip there).
  template <typename T>
  void contact(std::size_t k, const Vec<T>& centre, const Vec<T>& v, const Vec<T>& w,
               const Eigen::Matrix<T, Eigen::Dynamic, 1>& z, Eigen::Matrix<T, Eigen::Dynamic, 1>& F,
               Vec<T>& force, Vec<T>& moment) const {
    using std::sqrt;
    const auto& fixed = system_.fixed[k];
    const auto row = static_cast<Eigen::Index>(6 + kPerContact * static_cast<int>(k));
    const Vec<T> apart = centre - fixed.centre.cast<T>();
    const Frame<T> frame = contact_frame(apart, axes_[k]);
    const T distance = sqrt(apart.dot(apart));
    const T psi = distance - T(fixed.radius + system_.radius);
    const Vec<T> arm = frame.n * T(-system_.radius);
    const Vec<T> slip = v + w.cross(arm);
    const T p_n = z[row];
    const T s_t = z[row + 1];
    const T s_o = z[row + 2];
    const T s_r = z[row + 3];  // over the radius
    const T sigma = z[row + 4];
    const double R = system_.radius;
    const Vec3d e(system_.e_t, system_.e_o, system_.e_r / R);
    const Vec3d e2 = e.cwiseProduct(e);
    F[row] = psi / T(std::max(h_ * speed_, kLeastGapUnit * R));
    F[row + 1] = T(e2[0] / speed_) * frame.t.dot(slip) + s_t * sigma;
    F[row + 2] = T(e2[1] / speed_) * frame.o.dot(slip) + s_o * sigma;
    F[row + 3] = T(e2[2] * R / speed_) * frame.n.dot(w) + s_r * sigma;
    F[row + 4] = T(1.0) - s_t * s_t / T(e2[0]) - s_o * s_o / T(e2[1]) - s_r * s_r / T(e2[2]);
    const T p_r = T(system_.mu) * p_n * s_r;
    const Vec<T> impulse = (frame.n + (frame.t * s_t + frame.o * s_o) * T(system_.mu)) * p_n;
    force += impulse * T(impulse_);
    moment += arm.cross(impulse) * T(impulse_) + frame.n * (p_r * T(impulse_ * R));
  }

  const SphereOnSpheres& system_;
  const SphereState& start_;
  double h_;
  std::vector<Vec3d> axes_;
  double impulse_ = 1.0;
  double speed_ = 1.0;
};

/// Newton's method, from rolling contacts and from sliding ones; then Levenberg-Marquardt's.
mcp::Result solve(SphereProblem& problem, Eigen::VectorXd& z) {
  using mcp::ComplementarityFunction;
  mcp::Result result;
  for (const double sigma : {0.1, 0.0, 1.0}) {
    for (const auto function :
         {ComplementarityFunction::kNaturalMap, ComplementarityFunction::kFischerBurmeister}) {
      mcp::SemismoothNewtonOptions options;
      options.function = function;
      z = problem.guess(sigma);
      result = mcp::solve_semismooth_newton(problem, options, z);
      if (result.status == mcp::Status::kSolved) return result;
    }
  }
  mcp::RegularLmOptions options;
  options.function = ComplementarityFunction::kFischerBurmeister;
  options.max_iterations = 500;
  z = problem.guess(0.1);
  return mcp::solve_regular_lm(problem, options, z);
}

}  // namespace

SphereStep step_sphere(const SphereOnSpheres& system, const SphereState& start, double h) {
  SphereProblem problem(system, start, h);
  Eigen::VectorXd z;
  const mcp::Result result = solve(problem, z);
  SphereStep step = problem.read(z);
  step.status = result.status;
  step.residual = result.residual;
  return step;
}

}  // namespace graspmap
