#include "lab/spatial/implicit_problem.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <variant>
#include <vector>

#include "lab/spatial/contact_equations.hpp"

namespace graspmap {
namespace {

using mcp::Kind;

constexpr int kOfBody = 6;

}  // namespace

SpatialStepProblem::SpatialStepProblem(const SpatialScene& scene, const SpatialState& start,
                                       double h, const SpatialScales& scales,
                                       std::vector<StepContact> contacts)
    : scene_(scene),
      start_(start),
      h_(h),
      scales_(scales),
      joints_(scene, h, scales_),
      contacts_(std::move(contacts)) {
  lay_out();
  applied_ = applied_impulses(scene, start, h);
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    const SpatialBody& body = scene.bodies[i];
    bodies_.push_back(body_at_end(start.poses[i], Vec3::Zero(), Vec3::Zero(), h));
    inertias_.push_back(inertia_in_world(body, start.poses[i]));
    if (body.is_fixed) continue;
    applied_[i].head<3>() += body.mass_kg * start.velocities[i].head<3>();
    applied_[i].tail<3>() += inertias_[i] * start.velocities[i].tail<3>();
  }
}

void SpatialStepProblem::lay_out() {
  for (const SpatialBody& body : scene_.bodies) {
    first_.push_back(body.is_fixed ? -1 : size_);
    if (!body.is_fixed) size_ += kOfBody;
  }
  first_joint_ = size_;
  size_ += joints_.size();
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
    for (int i = contact.impulse() + 5; i < contact.size(); ++i) nonnegative(i);
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

BodyAtEnd SpatialStepProblem::body_at(int body, const Eigen::VectorXd& z) const {
  const int first = first_of(body);
  Vec3 v = Vec3::Zero();
  Vec3 w = Vec3::Zero();
  if (first >= 0) {
    v = z.segment<3>(first) * scales_.velocity_mm_s;
    w = z.segment<3>(first + 3) * (scales_.velocity_mm_s / scales_.length_mm);
  }
  return body_at_end(start_.poses[static_cast<std::size_t>(body)], v, w, h_);
}

void SpatialStepProblem::place_bodies(const Eigen::VectorXd& z) {
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    if (first_[i] >= 0) bodies_[i] = body_at(static_cast<int>(i), z);
  }
}

/// M' nu' - M nu - applied impulses, with I' w' = C I C^T w' = C I w': C is about w'.
void SpatialStepProblem::momentum_rows(Eigen::VectorXd& F) const {
  const double P = scales_.impulse_mn_s;
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    const int first = first_[i];
    if (first < 0) continue;
    const BodyAtEnd& body = bodies_[i];
    const Vec3 momentum = body.turn * (inertias_[i] * body.w);
    F.segment<3>(first) = (scene_.bodies[i].mass_kg * body.v - applied_[i].head<3>()) / P;
    F.segment<3>(first + 3) = (momentum - applied_[i].tail<3>()) / (P * scales_.length_mm);
  }
}

void SpatialStepProblem::momentum_jacobian(Eigen::MatrixXd& J) const {
  const double V = scales_.velocity_mm_s;
  const double P = scales_.impulse_mn_s;
  const double L = scales_.length_mm;
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    const int first = first_[i];
    if (first < 0) continue;
    const BodyAtEnd& body = bodies_[i];
    const Mat3 CI = body.turn * inertias_[i];
    J.block<3, 3>(first, first).diagonal().setConstant(scene_.bodies[i].mass_kg * V / P);
    J.block<3, 3>(first + 3, first + 3) =
        (CI - cross_matrix(CI * body.w) * body.dphi_dw) * (V / (P * L * L));
  }
}

void SpatialStepProblem::evaluate(const Eigen::VectorXd& z, Eigen::VectorXd& F) {
  F.setZero(size_);
  place_bodies(z);
  momentum_rows(F);
  joints_.add_rows(joint_layout(), bodies_, z, F);
  for (std::size_t k = 0; k < contacts_.size(); ++k) {
    const StepContact& contact = contacts_[k];
    const ContactEquations equations = equations_of(k, z);
    for (int i = 0; i < contact.size(); ++i) {
      F[contact.first + i] = equations.rows()[static_cast<std::size_t>(i)];
    }
    for (const int side : {0, 1}) {
      const int first = first_of(side == 0 ? contact.body_a : contact.body_b);
      if (first >= 0) F.segment<6>(first) -= equations.wrench(side);
    }
  }
}

/// Adds rows' derivatives by the contact's columns to those by a body's velocities.
template <typename Derivatives, typename Block>
void SpatialStepProblem::add_body_columns(const Derivatives& by, int side, int body,
                                          Block&& block) const {
  const BodyAtEnd& of = bodies_[static_cast<std::size_t>(body)];
  const double V = scales_.velocity_mm_s;
  const int pose = kOfBody * side;
  const int velocity = kOfBody * (2 + side);
  block.template leftCols<3>() +=
      V * (h_ * by.template middleCols<3>(pose) + by.template middleCols<3>(velocity));
  block.template rightCols<3>() +=
      V / scales_.length_mm *
      (by.template middleCols<3>(pose + 3) * of.dphi_dw + by.template middleCols<3>(velocity + 3));
}

void SpatialStepProblem::jacobian(const Eigen::VectorXd& z, Eigen::MatrixXd& J) {
  J.setZero(size_, size_);
  place_bodies(z);
  momentum_jacobian(J);
  joints_.add_jacobian(joint_layout(), bodies_, z, J);
  for (std::size_t k = 0; k < contacts_.size(); ++k) {
    const StepContact& contact = contacts_[k];
    ContactEquations equations = equations_of(k, z);
    equations.differentiate();
    const int size = contact.size();
    const std::array<int, 2> bodies{contact.body_a, contact.body_b};
    J.block(contact.first, contact.first, size, size) = equations.rows_by().rightCols(size);
    for (const int side : {0, 1}) {
      const int body = bodies[static_cast<std::size_t>(side)];
      const int first = first_of(body);
      if (first < 0) continue;
      add_body_columns(equations.rows_by(), side, body,
                       J.block<Eigen::Dynamic, kOfBody>(contact.first, first, size, kOfBody));
    }
    for (const int side : {0, 1}) {
      const int row = first_of(bodies[static_cast<std::size_t>(side)]);
      if (row < 0) continue;
      const ContactEquations::Rows6 by = -equations.wrench_by(side);
      J.block(row, contact.first, kOfBody, size) += by.rightCols(size);
      for (const int other : {0, 1}) {
        const int body = bodies[static_cast<std::size_t>(other)];
        if (first_of(body) < 0) continue;
        add_body_columns(by, other, body, J.block<kOfBody, kOfBody>(row, first_of(body)));
      }
    }
  }
}

ContactEquations SpatialStepProblem::equations_of(std::size_t k, const Eigen::VectorXd& z) const {
  const StepContact& contact = contacts_[k];
  return {scene_,
          contact,
          scales_,
          origins_[k],
          bodies_[static_cast<std::size_t>(contact.body_a)],
          bodies_[static_cast<std::size_t>(contact.body_b)],
          z.data() + contact.first};
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
  const ContactEquations equations = equations_of(k, z);
  const ContactFrame& frame = equations.frame();
  const BodyAtEnd& A = bodies_[static_cast<std::size_t>(contact.body_a)];
  const BodyAtEnd& B = bodies_[static_cast<std::size_t>(contact.body_b)];
  const double P = scales_.impulse_mn_s;
  SpatialContact read;
  read.body_a = contact.body_a;
  read.body_b = contact.body_b;
  read.friction = contact.friction;
  read.on_a_mm = equations.at().a1;
  read.on_b_mm = equations.at().a2;
  read.normal = frame.n;
  read.t = frame.t;
  read.o = frame.o;
  read.gap_mm = equations.at().gap;
  read.p_n = std::max(0.0, z[contact.first + contact.impulse()]) * P;
  read.p_t = P * equations.impulse().dot(frame.t);
  read.p_o = P * equations.impulse().dot(frame.o);
  read.p_r = P * scales_.length_mm * equations.spin();
  for (int i = 0; contact.soft && i < 2; ++i) {
    read.p_core[static_cast<std::size_t>(i)] = z[contact.first + contact.impulse() + 5 + i] * P;
  }
  read.v_t_mm_s = equations.slip()[0];
  read.v_o_mm_s = equations.slip()[1];
  read.w_r_rad_s = equations.slip()[2];
  set_patch(contact, z, scales_, A.R, B.R, read);
  if (read.patch != PatchKind::kOpen) {
    read.sigma_mm_s =
        Vec3(contact.friction.e_t * read.v_t_mm_s, contact.friction.e_o * read.v_o_mm_s,
             contact.friction.e_r_mm * read.w_r_rad_s)
            .norm();
  }
  return read;
}

void SpatialStepProblem::read(const Eigen::VectorXd& z, SpatialState& end) {
  place_bodies(z);
  advance(scene_, start_, velocities(z), h_, end);
  end.joint_impulses = joints_.loads(joint_layout(), bodies_, z);
  for (std::size_t k = 0; k < contacts_.size(); ++k) {
    const StepContact& contact = contacts_[k];
    end.contacts.push_back(read_contact(k, z));
    if (!contact.soft) continue;
    const ContactEquations equations = equations_of(k, z);
    end.deflections.push_back({contact.body_a, contact.body_b, equations.deflections_mm(),
                               equations.frame().t, equations.frame().o});
  }
}

namespace {

constexpr double kNoMultiplier = 1e-7;  // y is a unit vector
constexpr double kNoImpulse = 1e-9;     // p_n of an open contact, of the step's impulse
constexpr double kParallel = 1e-6;

/// The directions in which a body is curved or bounded at its contact point, in G, one a row.
class CurvedDirections {
 public:
  void add(const Surface& surface, const Mat3& R) {
    if (const auto* plane = std::get_if<PlaneSurface>(&surface)) {
      add(R * plane->normal);
    } else if (std::holds_alternative<TubeSurface>(surface)) {
      add(R.col(0));
      add(R.col(1));
    } else {
      for (int i = 0; i < 3; ++i) add(Vec3::Unit(i));
    }
  }
  /// Needs one row or more.
  [[nodiscard]] int rank() const {
    Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(rows_.topRows(count_).transpose());
    qr.setThreshold(kParallel);
    return static_cast<int>(qr.rank());
  }

 private:
  void add(const Vec3& direction) { rows_.row(count_++) = direction.transpose(); }

  Eigen::Matrix<double, 16, 3> rows_ = Eigen::Matrix<double, 16, 3>::Zero();
  int count_ = 0;
};

}  // namespace

void set_patch(const StepContact& contact, const Eigen::VectorXd& z, const SpatialScales& scales,
               const Mat3& R_a, const Mat3& R_b, SpatialContact& read) {
  CurvedDirections curved;
  const auto count = [&](const std::vector<Surface>& surfaces, int multipliers, const Mat3& R) {
    int facets = 0;
    for (std::size_t i = 0; i < surfaces.size(); ++i) {
      const bool is_unique = contact.is_condensed;
      if (!is_unique && z[contact.first + multipliers + static_cast<int>(i)] <= kNoMultiplier) {
        continue;
      }
      ++facets;
      curved.add(surfaces[i], R);
    }
    return facets;
  };
  read.facets_a = count(contact.surfaces_a, contact.multiplier_a(), R_a);
  read.facets_b = count(contact.surfaces_b, contact.multiplier_b(), R_b);
  if (read.p_n <= kNoImpulse * scales.impulse_mn_s) return;
  if (read.facets_a + read.facets_b == 0) return;  // no solution: there |y| = 1
  constexpr PatchKind kKinds[] = {PatchKind::kPoint, PatchKind::kLine, PatchKind::kSurface};
  const int flat = 3 - curved.rank();
  read.patch = kKinds[flat < 0 ? 0 : flat > 2 ? 2 : flat];
}

namespace {

constexpr double kNextToNothing = 1e-2;  // p_n of a contact that may be open, of the step's impulse

/// u and sigma of an open contact, by its slip.
void set_slip(const StepContact& contact, const SpatialContact& at, double velocity_mm_s,
              double* impulse) {
  const EllipticFriction& law = contact.friction;
  if (law.mu <= 0.0) return;
  const Vec3 slip =
      Vec3(law.e_t * at.v_t_mm_s, law.e_o * at.v_o_mm_s, law.e_r_mm * at.w_r_rad_s) / velocity_mm_s;
  const double sigma = slip.norm();
  const Vec3 u = sigma > 0.0 ? Vec3(-slip / sigma) : Vec3::Zero();
  std::copy(u.data(), u.data() + 3, impulse + 1);
  impulse[4] = sigma;
}

}  // namespace

mcp::Result solve_lift_off(const SpatialScene& scene, const SpatialState& start, double h,
                           const SpatialScales& scales, SpatialStepProblem& problem,
                           const mcp::SemismoothNewtonOptions& options, Eigen::VectorXd& z) {
  mcp::Result result;
  if (!z.allFinite()) return result;
  std::vector<StepContact> contacts = problem.contacts();
  std::vector<std::size_t> released;
  Eigen::VectorXd trial = z;
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    double* impulse = trial.data() + contacts[k].first + contacts[k].impulse();
    if (std::abs(impulse[0]) > kNextToNothing) continue;
    released.push_back(k);
    contacts[k].friction.mu = 0.0;
    std::fill(impulse, impulse + 5, 0.0);
  }
  if (released.empty()) return result;
  SpatialStepProblem without(scene, start, h, scales, contacts);
  result = mcp::solve_semismooth_newton(without, options, trial);
  if (result.status != mcp::Status::kSolved) return result;
  SpatialState end;
  without.read(trial, end);
  for (const std::size_t k : released) {
    const StepContact& contact = problem.contacts()[k];
    double* impulse = trial.data() + contact.first + contact.impulse();
    impulse[0] = std::max(0.0, impulse[0]);
    set_slip(contact, end.contacts[k], scales.velocity_mm_s, impulse);
  }
  Eigen::VectorXd F;
  problem.evaluate(trial, F);
  result.residual = mcp::natural_residual(problem, trial, F);
  const bool is_solved = result.residual <= options.tolerance;
  result.status = is_solved ? mcp::Status::kSolved : mcp::Status::kStalled;
  if (is_solved) z = trial;
  return result;
}

}  // namespace graspmap
