#include "lab/spatial/linear_contact_step.hpp"

#include <Eigen/LU>
#include <cmath>
#include <iterator>

namespace graspmap {
namespace {

Eigen::VectorXd stacked(const std::vector<Twist>& twists) {
  Eigen::VectorXd all(6 * std::ssize(twists));
  for (std::size_t i = 0; i < twists.size(); ++i) {
    all.segment<6>(6 * static_cast<Eigen::Index>(i)) = twists[i];
  }
  return all;
}

}  // namespace

FreeBodies free_bodies(const SpatialScene& scene, const SpatialState& start, double h) {
  FreeBodies free;
  const std::vector<Twist> applied = applied_impulses(scene, start, h);
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    const SpatialBody& body = scene.bodies[i];
    if (body.is_fixed) {
      free.inverse_mass.push_back(0.0);
      free.inverse_inertia.push_back(Mat3::Zero());
      free.velocities.push_back(Twist::Zero());
      continue;
    }
    const Mat3 I = inertia_in_world(body, start.poses[i]);
    const Vec3 w = start.velocities[i].tail<3>();
    const Vec3 gyroscopic = -h * w.cross(I * w);
    Twist v = start.velocities[i];
    v.head<3>() += applied[i].head<3>() / body.mass_kg;
    free.inverse_mass.push_back(1.0 / body.mass_kg);
    free.inverse_inertia.push_back(I.inverse());
    v.tail<3>() += free.inverse_inertia.back() * (applied[i].tail<3>() + gyroscopic);
    free.velocities.push_back(v);
  }
  return free;
}

LinearContactStep::LinearContactStep(const FreeBodies& bodies,
                                     const std::vector<SpatialLinearContact>& contacts,
                                     const std::vector<Twist>& v_hat,
                                     const std::vector<Pose3>& q_hat, double h,
                                     SpatialGapTerm gap_term,
                                     const std::vector<SpatialJoint>& joints)
    : contacts_(contacts), v_free_(stacked(bodies.velocities)) {
  const auto size = v_free_.size();
  const auto n_c = std::ssize(contacts);
  M_inverse_ = Eigen::MatrixXd::Zero(size, size);
  for (std::size_t i = 0; i < bodies.velocities.size(); ++i) {
    const auto at = 6 * static_cast<Eigen::Index>(i);
    M_inverse_.block<3, 3>(at, at) = bodies.inverse_mass[i] * Mat3::Identity();
    M_inverse_.block<3, 3>(at + 3, at + 3) = bodies.inverse_inertia[i];
  }
  for (const SpatialJoint& joint : joints) {
    joints_.emplace_back(joint, q_hat[static_cast<std::size_t>(joint.body_a)],
                         q_hat[static_cast<std::size_t>(joint.body_b)]);
    space_.bilateral += joints_.back().size();
  }
  J_ = Eigen::MatrixXd::Zero(space_.bilateral + 3 * n_c, size);
  Eigen::VectorXd theta(space_.bilateral);
  Eigen::Index row = 0;
  for (std::size_t k = 0; k < joints.size(); ++k) {
    const int n = joints_[k].size();
    J_.block(row, 6 * joints[k].body_a, n, 6) = joints_[k].rows(0);
    J_.block(row, 6 * joints[k].body_b, n, 6) = joints_[k].rows(1);
    theta.segment(row, n) = joints_[k].theta();
    row += n;
  }
  space_.mu.resize(n_c);
  for (std::size_t k = 0; k < contacts.size(); ++k) set_rows(k, q_hat);
  space_.angle_rad = Eigen::VectorXd::Zero(n_c);
  space_.R = J_ * M_inverse_ * J_.transpose();
  space_.u_free = J_ * v_free_;
  if (gap_term == SpatialGapTerm::kVelocity) return;
  const Eigen::VectorXd u_hat = J_ * stacked(v_hat);
  space_.u_free.head(space_.bilateral) += theta / h - u_hat.head(space_.bilateral);
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    space_.u_free[row_of(k)] += contacts[k].at.gap_mm / h - u_hat[row_of(k)];
  }
}

void LinearContactStep::set_rows(std::size_t k, const std::vector<Pose3>& q_hat) {
  const SpatialLinearContact& contact = contacts_[k];
  const Eigen::Index row = row_of(k);
  const auto set = [&](int body, const Vec3& point, double sign) {
    const Vec3 r = point - q_hat[static_cast<std::size_t>(body)].position_mm;
    const Vec3 t = contact.friction.e_t * contact.t;
    const Vec3 o = contact.friction.e_o * contact.o;
    Eigen::Matrix<double, 3, 6> rows;
    rows << contact.at.normal.transpose(), r.cross(contact.at.normal).transpose(),  //
        t.transpose(), r.cross(t).transpose(),                                      //
        o.transpose(), r.cross(o).transpose();
    J_.block<3, 6>(row, 6 * body) = sign * rows;
  };
  set(contact.pair.body_a, contact.at.on_a_mm, 1.0);
  set(contact.pair.body_b, contact.at.on_b_mm, -1.0);
  space_.mu[static_cast<Eigen::Index>(k)] = contact.friction.mu;
}

ContactSpaceSolution LinearContactStep::solve(const SpatialStepperSettings& settings) const {
  ContactSolverSettings solver;
  solver.solver = ContactSolver::kMlcpLemke;
  solver.directions = settings.directions;
  solver.tolerance = settings.tolerance;
  return solve_contact_space(space_, solver);
}

std::vector<Twist> LinearContactStep::velocities(const Eigen::VectorXd& p) const {
  const Eigen::VectorXd v = v_free_ + M_inverse_ * (J_.transpose() * p);
  std::vector<Twist> twists;
  for (Eigen::Index at = 0; at < v.size(); at += 6) twists.emplace_back(v.segment<6>(at));
  return twists;
}

std::vector<Twist> LinearContactStep::joint_loads(const Eigen::VectorXd& p) const {
  std::vector<Twist> loads;
  Eigen::Index row = 0;
  for (const JointEquations& joint : joints_) {
    loads.push_back(joint.load(p.segment(row, joint.size())));
    row += joint.size();
  }
  return loads;
}

SpatialContact LinearContactStep::contact(std::size_t k, const Eigen::VectorXd& p) const {
  const SpatialLinearContact& from = contacts_[k];
  const Eigen::Index row = row_of(k);
  const Eigen::VectorXd v = v_free_ + M_inverse_ * (J_.transpose() * p);
  const auto speed_along = [&](const Vec3& direction, Eigen::Index at, double scale) {
    // A row of J, unless its stretch is zero.
    return direction.isZero(0.0) || scale == 0.0 ? 0.0 : J_.row(at).dot(v) / scale;
  };
  SpatialContact contact;
  contact.body_a = from.pair.body_a;
  contact.body_b = from.pair.body_b;
  contact.friction = from.friction;
  contact.t = from.t;
  contact.o = from.o;
  contact.p_n = p[row];
  contact.p_t = from.friction.e_t * p[row + 1];
  contact.p_o = from.friction.e_o * p[row + 2];
  contact.v_t_mm_s = speed_along(from.t, row + 1, from.friction.e_t);
  contact.v_o_mm_s = speed_along(from.o, row + 2, from.friction.e_o);
  const auto spin = [&](int body) -> Vec3 { return v.segment<3>(6 * body + 3); };
  contact.w_r_rad_s = from.at.normal.dot(spin(from.pair.body_a) - spin(from.pair.body_b));
  if (contact.p_n > 0.0) {
    contact.sigma_mm_s =
        std::hypot(from.friction.e_t * contact.v_t_mm_s, from.friction.e_o * contact.v_o_mm_s);
  }
  return contact;
}

}  // namespace graspmap
