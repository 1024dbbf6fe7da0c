#include "sim/spatial/implicit_problem.hpp"

#include <algorithm>
#include <array>
#include <unsupported/Eigen/AutoDiff>
#include <utility>

#include "sim/spatial/contact_equations.hpp"
#include "sim/spatial/contact_patch.hpp"

namespace graspmap {
namespace {

using mcp::Kind;

constexpr int kOfBody = 6;
constexpr int kMostOfContact = 24;  // two boxes
constexpr int kMostLocal = 2 * kOfBody + kMostOfContact;

/// Derivatives with respect to (nu_A, nu_B, unknowns of the contact).
using LocalDerivatives = Eigen::Matrix<double, kMostLocal, 1>;
using Dual = Eigen::AutoDiffScalar<LocalDerivatives>;

/// Scaled unknowns (v, w) of a body, or zero.
template <typename T>
using BodyUnknowns = std::array<T, kOfBody>;

template <typename T>
BodyAtEnd<T> body_at(const Pose3& start, const BodyUnknowns<T>& nu, const SpatialScales& scales,
                     double h) {
  const T V(scales.velocity_mm_s);
  const T W(scales.velocity_mm_s / scales.length_mm);
  const Vec3T<T> v(nu[0] * V, nu[1] * V, nu[2] * V);
  const Vec3T<T> w(nu[3] * W, nu[4] * W, nu[5] * W);
  return body_at_end<T>(start, v, w, h);
}

/// All that a contact's unknowns say.
template <typename T>
struct ContactAtEnd {
  std::array<T, kMostOfContact> rows;
  ClosestPoints3<T> at;
  ContactWrench<T> wrench;
};

template <typename T>
ContactAtEnd<T> contact_at_end(const SpatialScene& scene, const StepContact& contact,
                               const SpatialScales& scales, const Vec3& origin_mm,
                               const BodyAtEnd<T>& A, const BodyAtEnd<T>& B, const T* z) {
  ContactAtEnd<T> result;
  T* const rows = result.rows.data();
  if (contact.is_condensed) {
    const Solid& a = scene.bodies[static_cast<std::size_t>(contact.body_a)].solid;
    const Solid& b = scene.bodies[static_cast<std::size_t>(contact.body_b)].solid;
    result.at = unique_closest_points<T>(a, A, b, B);
  } else {
    result.at = closest_point_rows<T>(contact, scales, origin_mm, A, B, z, rows);
  }
  result.wrench = friction_rows<T>(contact, scales, A, B, result.at, z + contact.impulse(),
                                   rows + contact.impulse());
  return result;
}

/// The impulse and its moment about the body's centre in units of the scales; for B negative.
template <typename T>
BodyUnknowns<T> wrench_on(const ContactAtEnd<T>& contact, const BodyAtEnd<T>& body, bool is_a,
                          const SpatialScales& scales) {
  const T P(is_a ? scales.impulse_mn_s : -scales.impulse_mn_s);
  const Vec3T<T> arm = (is_a ? contact.at.a1 : contact.at.a2) - body.centre_mm;
  const Vec3T<T> linear = contact.wrench.impulse / P;
  const Vec3T<T> angular =
      (arm.cross(contact.wrench.impulse) + contact.at.n * contact.wrench.spin) /
      (P * T(scales.length_mm));
  return {linear[0], linear[1], linear[2], angular[0], angular[1], angular[2]};
}

template <typename T>
BodyUnknowns<T> unknowns_of(const Eigen::VectorXd& z, int first) {
  BodyUnknowns<T> nu;
  for (int i = 0; i < kOfBody; ++i)
    nu[static_cast<std::size_t>(i)] = T(first < 0 ? 0.0 : z[first + i]);
  return nu;
}

}  // namespace

SpatialStepProblem::SpatialStepProblem(const SpatialScene& scene, const SpatialState& start,
                                       double h, const SpatialScales& scales,
                                       std::vector<StepContact> contacts)
    : scene_(scene), start_(start), h_(h), scales_(scales), contacts_(std::move(contacts)) {
  lay_out();
  applied_ = applied_impulses(scene, start, h);
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    const SpatialBody& body = scene.bodies[i];
    if (body.is_fixed) continue;
    applied_[i].head<3>() += body.mass_kg * start.velocities[i].head<3>();
    applied_[i].tail<3>() += inertia_in_world(body, start.poses[i]) * start.velocities[i].tail<3>();
  }
}

void SpatialStepProblem::lay_out() {
  for (const SpatialBody& body : scene_.bodies) {
    first_.push_back(body.is_fixed ? -1 : size_);
    if (!body.is_fixed) size_ += kOfBody;
  }
  kinds_.assign(static_cast<std::size_t>(size_), Kind::kFree);
  for (StepContact& contact : contacts_) {
    contact.first = size_;
    size_ += contact.size();
    kinds_.resize(static_cast<std::size_t>(size_), Kind::kFree);
    const auto nonnegative = [&](int offset) {
      kinds_[static_cast<std::size_t>(contact.first + offset)] = Kind::kNonnegative;
    };
    if (!contact.is_condensed) {
      for (int i = contact.multiplier_a(); i < contact.impulse(); ++i) nonnegative(i);
    }
    nonnegative(contact.impulse());
    nonnegative(contact.impulse() + 4);
    const int moving = first_of(contact.body_a) >= 0 ? contact.body_a : contact.body_b;
    origins_.push_back(start_.poses[static_cast<std::size_t>(moving)].position_mm);
  }
}

int SpatialStepProblem::contact_of_row(int row) const {
  for (std::size_t k = contacts_.size(); k-- > 0;) {
    if (row >= contacts_[k].first) return static_cast<int>(k);
  }
  return -1;
}

void SpatialStepProblem::momentum_rows(const Eigen::VectorXd& z, Eigen::VectorXd& F) const {
  const double P = scales_.impulse_mn_s;
  for (std::size_t i = 0; i < scene_.bodies.size(); ++i) {
    const int first = first_[i];
    if (first < 0) continue;
    const SpatialBody& body = scene_.bodies[i];
    const Vec3 v = z.segment<3>(first) * scales_.velocity_mm_s;
    const Vec3 w = z.segment<3>(first + 3) * (scales_.velocity_mm_s / scales_.length_mm);
    // I' w = C I C^T w with the step's rotation C, which is about w.
    const Vec3 momentum = turned<double>(w, h_, inertia_in_world(body, start_.poses[i]) * w);
    F.segment<3>(first) = (body.mass_kg * v - applied_[i].head<3>()) / P;
    F.segment<3>(first + 3) = (momentum - applied_[i].tail<3>()) / (P * scales_.length_mm);
  }
}

void SpatialStepProblem::momentum_jacobian(const Eigen::VectorXd& z, Eigen::MatrixXd& J) const {
  using Dual3 = Eigen::AutoDiffScalar<Vec3>;
  const double V = scales_.velocity_mm_s;
  const double P = scales_.impulse_mn_s;
  const double L = scales_.length_mm;
  for (std::size_t i = 0; i < scene_.bodies.size(); ++i) {
    const int first = first_[i];
    if (first < 0) continue;
    const SpatialBody& body = scene_.bodies[i];
    J.block<3, 3>(first, first).diagonal().setConstant(body.mass_kg * V / P);
    Vec3T<Dual3> w;
    for (int axis = 0; axis < 3; ++axis) w[axis] = Dual3(z[first + 3 + axis] * V / L, 3, axis);
    const Mat3 I = inertia_in_world(body, start_.poses[i]);
    const Vec3T<Dual3> Iw = I.cast<Dual3>() * w;
    const Vec3T<Dual3> momentum = turned<Dual3>(w, h_, Iw);
    for (int axis = 0; axis < 3; ++axis) {
      J.block<1, 3>(first + 3 + axis, first + 3) =
          momentum[axis].derivatives().transpose() * (V / (P * L * L));
    }
  }
}

void SpatialStepProblem::evaluate(const Eigen::VectorXd& z, Eigen::VectorXd& F) {
  F.setZero(size_);
  momentum_rows(z, F);
  for (std::size_t k = 0; k < contacts_.size(); ++k) {
    const StepContact& contact = contacts_[k];
    const std::array<int, 2> bodies{contact.body_a, contact.body_b};
    std::array<BodyAtEnd<double>, 2> ends;
    for (std::size_t side = 0; side < 2; ++side) {
      const auto nu = unknowns_of<double>(z, first_of(bodies[side]));
      ends[side] =
          body_at<double>(start_.poses[static_cast<std::size_t>(bodies[side])], nu, scales_, h_);
    }
    const ContactAtEnd<double> end = contact_at_end<double>(
        scene_, contact, scales_, origins_[k], ends[0], ends[1], z.data() + contact.first);
    for (int i = 0; i < contact.size(); ++i) {
      F[contact.first + i] = end.rows[static_cast<std::size_t>(i)];
    }
    for (std::size_t side = 0; side < 2; ++side) {
      const int first = first_of(bodies[side]);
      if (first < 0) continue;
      const auto wrench = wrench_on<double>(end, ends[side], side == 0, scales_);
      for (int i = 0; i < kOfBody; ++i) F[first + i] -= wrench[static_cast<std::size_t>(i)];
    }
  }
}

void SpatialStepProblem::jacobian(const Eigen::VectorXd& z, Eigen::MatrixXd& J) {
  J.setZero(size_, size_);
  momentum_jacobian(z, J);
  for (std::size_t k = 0; k < contacts_.size(); ++k) {
    const StepContact& contact = contacts_[k];
    const std::array<int, 2> bodies{contact.body_a, contact.body_b};
    std::array<int, kMostLocal> column{};  // of a local unknown, -1: none
    column.fill(-1);
    std::array<BodyAtEnd<Dual>, 2> ends;
    for (int side = 0; side < 2; ++side) {
      const int body = bodies[static_cast<std::size_t>(side)];
      auto nu = unknowns_of<Dual>(z, first_of(body));
      for (int i = 0; i < kOfBody && first_of(body) >= 0; ++i) {
        nu[static_cast<std::size_t>(i)].derivatives()[kOfBody * side + i] = 1.0;
        column[static_cast<std::size_t>(kOfBody * side + i)] = first_of(body) + i;
      }
      ends[static_cast<std::size_t>(side)] =
          body_at<Dual>(start_.poses[static_cast<std::size_t>(body)], nu, scales_, h_);
    }
    std::array<Dual, kMostOfContact> local;
    for (int i = 0; i < contact.size(); ++i) {
      Dual& x = local[static_cast<std::size_t>(i)];
      x = Dual(z[contact.first + i], kMostLocal, 2 * kOfBody + i);
      column[static_cast<std::size_t>(2 * kOfBody + i)] = contact.first + i;
    }
    const ContactAtEnd<Dual> end =
        contact_at_end<Dual>(scene_, contact, scales_, origins_[k], ends[0], ends[1], local.data());
    const auto add = [&](int row, const Dual& x, double factor) {
      for (int j = 0; j < 2 * kOfBody + contact.size(); ++j) {
        const int c = column[static_cast<std::size_t>(j)];
        if (c >= 0) J(row, c) += factor * x.derivatives()[j];
      }
    };
    for (int i = 0; i < contact.size(); ++i) {
      add(contact.first + i, end.rows[static_cast<std::size_t>(i)], 1.0);
    }
    for (std::size_t side = 0; side < 2; ++side) {
      const int first = first_of(bodies[side]);
      if (first < 0) continue;
      const auto wrench = wrench_on<Dual>(end, ends[side], side == 0, scales_);
      for (int i = 0; i < kOfBody; ++i) add(first + i, wrench[static_cast<std::size_t>(i)], -1.0);
    }
  }
}

std::vector<Twist> SpatialStepProblem::velocities(const Eigen::VectorXd& z) const {
  std::vector<Twist> list;
  for (std::size_t i = 0; i < scene_.bodies.size(); ++i) {
    Twist nu = Twist::Zero();
    if (first_[i] >= 0) {
      nu = z.segment<6>(first_[i]) * scales_.velocity_mm_s;
      nu.tail<3>() /= scales_.length_mm;
    }
    list.push_back(nu);
  }
  return list;
}

SpatialContact SpatialStepProblem::read_contact(std::size_t k, const Eigen::VectorXd& z) const {
  const StepContact& contact = contacts_[k];
  const auto end_of = [&](int body) {
    return body_at<double>(start_.poses[static_cast<std::size_t>(body)],
                           unknowns_of<double>(z, first_of(body)), scales_, h_);
  };
  const BodyAtEnd<double> A = end_of(contact.body_a);
  const BodyAtEnd<double> B = end_of(contact.body_b);
  const auto end =
      contact_at_end<double>(scene_, contact, scales_, origins_[k], A, B, z.data() + contact.first);
  const ContactFrame<double> frame = contact_frame<double>(end.at.n, contact.axis);
  const Vec3 slip =
      A.v + A.w.cross(end.at.a1 - A.centre_mm) - B.v - B.w.cross(end.at.a2 - B.centre_mm);
  SpatialContact read;
  read.body_a = contact.body_a;
  read.body_b = contact.body_b;
  read.friction = contact.friction;
  read.on_a_mm = end.at.a1;
  read.on_b_mm = end.at.a2;
  read.normal = frame.n;
  read.t = frame.t;
  read.o = frame.o;
  read.gap_mm = end.at.gap;
  read.p_n = std::max(0.0, z[contact.first + contact.impulse()]) * scales_.impulse_mn_s;
  read.p_t = end.wrench.impulse.dot(frame.t);
  read.p_o = end.wrench.impulse.dot(frame.o);
  read.p_r = end.wrench.spin;
  read.v_t_mm_s = slip.dot(frame.t);
  read.v_o_mm_s = slip.dot(frame.o);
  read.w_r_rad_s = frame.n.dot(A.w - B.w);
  set_patch(contact, z, scales_, A.R, B.R, read);
  if (read.patch != PatchKind::kOpen) {
    read.sigma_mm_s =
        Vec3(contact.friction.e_t * read.v_t_mm_s, contact.friction.e_o * read.v_o_mm_s,
             contact.friction.e_r_mm * read.w_r_rad_s)
            .norm();
  }
  return read;
}

void SpatialStepProblem::read(const Eigen::VectorXd& z, SpatialState& end) const {
  advance(scene_, start_, velocities(z), h_, end);
  for (std::size_t k = 0; k < contacts_.size(); ++k) end.contacts.push_back(read_contact(k, z));
}

}  // namespace graspmap
