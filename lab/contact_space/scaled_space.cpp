#include "lab/contact_space/scaled_space.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>

namespace graspmap {
namespace {

/// 1/sqrt(r_i) by row; where nothing can move, that of the largest r.
Eigen::VectorXd mass_scales(const ContactSpace& space) {
  Eigen::VectorXd r = space.R.diagonal();
  for (int k = 0; k < space.contacts(); ++k) {
    r.segment<3>(space.row(k)).setConstant(r.segment<3>(space.row(k)).mean());
  }
  const double largest = r.maxCoeff();
  const double unmoved = largest > 0.0 ? largest : 1.0;
  return r.unaryExpr([&](double x) { return 1.0 / std::sqrt(x > 0.0 ? x : unmoved); });
}

/// Bilateral rows that do not depend on one another, in order.
std::vector<int> independent_bilateral_rows(const Eigen::MatrixXd& R_bb) {
  constexpr double kRounding = 1e-14;
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr;
  qr.setThreshold(kRounding * static_cast<double>(R_bb.rows()));
  qr.compute(R_bb);
  const auto& order = qr.colsPermutation().indices();
  std::vector<int> rows(order.data(), order.data() + qr.rank());
  std::sort(rows.begin(), rows.end());
  return rows;
}

}  // namespace

ScaledContactSpace scaled_contact_space(const ContactSpace& space) {
  const Eigen::VectorXd s = mass_scales(space);
  const double V = s.cwiseProduct(space.u_free).cwiseAbs().maxCoeff();
  const Eigen::MatrixXd R = s.asDiagonal() * space.R * s.asDiagonal();
  const int n_b = space.bilateral;
  ScaledContactSpace scaled;
  if (n_b > 0) scaled.rows = independent_bilateral_rows(R.topLeftCorner(n_b, n_b));
  scaled.space.bilateral = static_cast<int>(scaled.rows.size());
  for (int i = 0; i < n_b; ++i) {
    if (!std::binary_search(scaled.rows.begin(), scaled.rows.end(), i)) {
      scaled.left_out.push_back(i);
    }
  }
  for (int i = n_b; i < s.size(); ++i) scaled.rows.push_back(i);
  scaled.space.R = R(scaled.rows, scaled.rows);
  scaled.space.u_free = s.cwiseProduct(space.u_free)(scaled.rows) / V;
  scaled.space.mu = space.mu;
  scaled.space.angle_rad = space.angle_rad;
  scaled.impulse_unit = V * s;
  scaled.speed_unit = V * s.cwiseInverse();
  return scaled;
}

Eigen::VectorXd unscaled_impulses(const ScaledContactSpace& scaled, const Eigen::VectorXd& p) {
  Eigen::VectorXd unscaled = Eigen::VectorXd::Zero(scaled.impulse_unit.size());
  unscaled(scaled.rows) = scaled.impulse_unit(scaled.rows).cwiseProduct(p);
  return unscaled;
}

double residual_of_left_out(const ScaledContactSpace& scaled, const Eigen::VectorXd& u) {
  double largest = 0.0;
  for (const int i : scaled.left_out) {
    largest = std::max(largest, std::abs(u[i] / scaled.speed_unit[i]));
  }
  return largest;
}

}  // namespace graspmap
