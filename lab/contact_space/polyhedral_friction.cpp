#include "lab/contact_space/polyhedral_friction.hpp"

#include <algorithm>
#include <cmath>

namespace graspmap {
namespace {

double direction_angle(double first, int k, int directions) {
  return first + 2.0 * M_PI * k / directions;
}

/// Weights of the two directions beside (p_t, p_o), which sum to it.
struct Between {
  int first = 0;
  double first_weight = 0.0;
  double second_weight = 0.0;
};

Between directions_beside(double p_t, double p_o, double angle_rad, int directions) {
  const double width = 2.0 * M_PI / directions;
  const double turns = (std::atan2(p_o, p_t) - angle_rad) / (2.0 * M_PI);
  const double angle = 2.0 * M_PI * (turns - std::floor(turns));
  const int first = std::min(static_cast<int>(angle / width), directions - 1);
  const double friction = std::hypot(p_t, p_o) / std::sin(width);
  const double from_first = angle - first * width;
  return {first, std::max(0.0, friction * std::sin(width - from_first)),
          std::max(0.0, friction * std::sin(from_first))};
}

}  // namespace

PolyhedralFriction::PolyhedralFriction(const ContactSpace& space, int directions)
    : space_(space), directions_(directions) {
  const int n_b = space.bilateral;
  const int n_c = space.contacts();
  const int impulses = n_b + n_c * (directions + 1);
  const int size = impulses + n_c;
  X_ = Eigen::MatrixXd::Zero(impulses, space.u_free.size());
  X_.topLeftCorner(n_b, n_b).setIdentity();
  problem_.M = Eigen::MatrixXd::Zero(size, size);
  for (int i = 0; i < n_c; ++i) {
    const int normal = row_of_normal(i);
    const int sigma = impulses + i;
    X_(normal, space.row(i)) = 1.0;
    for (int k = 0; k < directions; ++k) {
      const double angle = direction_angle(space.angle_rad[i], k, directions);
      X_(normal + 1 + k, space.row(i) + 1) = std::cos(angle);
      X_(normal + 1 + k, space.row(i) + 2) = std::sin(angle);
    }
    problem_.M.block(normal + 1, sigma, directions, 1).setOnes();
    problem_.M.block(sigma, normal + 1, 1, directions).setConstant(-1.0);
    problem_.M(sigma, normal) = space.mu[i];
  }
  problem_.M.topLeftCorner(impulses, impulses) = X_ * space.R * X_.transpose();
  problem_.q = Eigen::VectorXd::Zero(size);
  problem_.q.head(impulses) = X_ * space.u_free;
  problem_.kinds.assign(static_cast<std::size_t>(size), mcp::Kind::kNonnegative);
  std::fill_n(problem_.kinds.begin(), n_b, mcp::Kind::kFree);
}

int PolyhedralFriction::row_of_normal(int contact) const {
  return space_.bilateral + contact * (directions_ + 1);
}

Eigen::VectorXd PolyhedralFriction::impulses(const Eigen::VectorXd& z) const {
  return X_.transpose() * z.head(X_.rows());
}

Eigen::VectorXd PolyhedralFriction::unknowns(const Eigen::VectorXd& p,
                                             const Eigen::VectorXd& u) const {
  Eigen::VectorXd z = Eigen::VectorXd::Zero(problem_.q.size());
  z.head(space_.bilateral) = p.head(space_.bilateral);
  const Eigen::VectorXd v = X_ * u;
  for (int i = 0; i < space_.contacts(); ++i) {
    const int row = space_.row(i);
    const int normal = row_of_normal(i);
    const Between between =
        directions_beside(p[row + 1], p[row + 2], space_.angle_rad[i], directions_);
    z[normal] = p[row];
    z[normal + 1 + between.first] = between.first_weight;
    z[normal + 1 + (between.first + 1) % directions_] = between.second_weight;
    z[X_.rows() + i] = std::max(0.0, -v.segment(normal + 1, directions_).minCoeff());
  }
  return z;
}

}  // namespace graspmap
