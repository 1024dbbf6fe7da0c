#include "lab/planar/full/full_mncp.hpp"

#include <algorithm>
#include <cmath>

#include "lab/scene_model/contact_laws.hpp"

namespace graspmap {
namespace {

/// The least curvature, times L, of boundaries in the Jacobian.
constexpr double kLeastCurvature = 1e-9;

/// The least unit of length, relative to L: in a smaller one rounding errors would count.
constexpr double kLeastUnitLength = 1e-4;

/// Velocities in generalised coordinates that only turn bodies are angular.
Eigen::VectorXd velocity_units(const PlanarScene& scene, const StepScales& scales) {
  Eigen::VectorXd units =
      Eigen::VectorXd::Constant(scene.velocities, scales.velocity_mm_s / scales.length_mm);
  for (const PlanarBody& body : scene.bodies) {
    for (std::size_t axis = 0; axis < 2; ++axis) {
      const int index = body.coordinates[axis].index;
      if (index >= 0) units[index] = scales.velocity_mm_s;
    }
  }
  return units;
}

Vec3 table_radii(const TableFriction& table) { return {table.e_t, table.e_o, table.e_r_mm}; }

}  // namespace

/// Scatters a contact's derivatives into the whole Jacobian.
class FullMncp::Sink : public ContactJacobianSink {
 public:
  Sink(const FullMncp& problem, const FullContact& contact, Eigen::MatrixXd& J)
      : h_(problem.h_), at_(contact.at), J_(J) {
    body_[0] = &problem.body(contact.F.body);
    body_[1] = &problem.body(contact.G.body);
  }

  void row(int row, const ContactRow& derivative) override { scatter(row, 1.0, derivative); }
  void entry(int row, int column, double derivative) override { J_(row, column) += derivative; }
  void wrench_row(int side, int axis, const ContactRow& derivative) override {
    const Coordinate& of = coordinate(side, axis);
    if (of.index >= 0) scatter(of.index, -of.factor, derivative);
  }
  void wrench_entry(int side, int axis, int column, double derivative) override {
    const Coordinate& of = coordinate(side, axis);
    if (of.index >= 0) J_(of.index, column) -= of.factor * derivative;
  }

 private:
  [[nodiscard]] const Coordinate& coordinate(int side, int axis) const {
    return body_[static_cast<std::size_t>(side)]->coordinates[static_cast<std::size_t>(axis)];
  }

  void scatter(int row, double factor, const ContactRow& derivative) {
    for (int k = 0; k < 2; ++k) {
      J_(row, at_.a1 + k) += factor * derivative[k];
      J_(row, at_.a2 + k) += factor * derivative[2 + k];
    }
    for (int side = 0; side < 2; ++side) {
      for (int axis = 0; axis < 3; ++axis) {
        const Coordinate& of = coordinate(side, axis);
        if (of.index < 0) continue;
        const double slope =
            h_ * derivative[4 + 3 * side + axis] + derivative[10 + 3 * side + axis];
        J_(row, of.index) += factor * of.factor * slope;
      }
    }
  }

  double h_;
  const FullContact::Layout& at_;
  Eigen::MatrixXd& J_;
  std::array<const PlanarBody*, 2> body_{};
};

void FullMncp::begin(const PlanarScene& scene, const PlanarState& start, double h) {
  scene_ = &scene;
  start_ = start;
  h_ = h;
  velocities_ = scene.velocities;
  scales_ = step_scales(scene, start, h);
  unit_length_mm_ = std::max(h * scales_.velocity_mm_s, kLeastUnitLength * scales_.length_mm);
  const Eigen::VectorXd mass = mass_diagonal(scene);
  inertia_ = mass + h * damping_diagonal(scene);
  free_impulse_ = mass.cwiseProduct(start.nu) + h * applied_force(scene);
  free_velocity_ = free_impulse_.cwiseQuotient(inertia_);
  velocity_unit_ = velocity_units(scene, scales_);
  rubbing_.clear();
  for (std::size_t i = 0; i < scene.tables.size(); ++i) {
    if (scene.tables[i].limit_mn > 0.0) rubbing_.push_back(static_cast<int>(i));
  }
}

void FullMncp::lay_out() {
  first_table_ = velocities_ + 2 * static_cast<int>(scene_->pins.size());
  int next = first_table_ + 4 * tables();
  for (FullContact& contact : contacts) {
    contact.series = soft_contact_step(contact.layers, h_);
    next = graspmap::lay_out(contact, next);
  }
  size_ = next;
  at_.resize(contacts.size());
  set_units();
}

void FullMncp::set_unit(int i, double unknown, double row, mcp::Kind kind) {
  unit_z_[i] = unknown;
  unit_row_[i] = row;
  kinds_[static_cast<std::size_t>(i)] = kind;
}

void FullMncp::set_units() {
  unit_z_ = Eigen::VectorXd::Ones(size_);
  unit_row_ = Eigen::VectorXd::Ones(size_);
  kinds_.assign(static_cast<std::size_t>(size_), mcp::Kind::kFree);
  unit_z_.head(velocities_) = velocity_unit_;
  unit_row_.head(velocities_) = inertia_.cwiseProduct(velocity_unit_);
  for (int i = velocities_; i < first_table_; ++i) {
    set_unit(i, scales_.impulse_mn_s, unit_length_mm_, mcp::Kind::kFree);
  }
  for (int i = 0; i < tables(); ++i) {
    const double e = table_radii(table(i)).head<2>().maxCoeff();
    const double velocity = e * scales_.velocity_mm_s;
    for (int k = 0; k < 3; ++k) set_unit(table_at(i) + k, 1.0, velocity, mcp::Kind::kFree);
    set_unit(table_at(i) + 3, velocity, 1.0, mcp::Kind::kNonnegative);
  }
  for (const FullContact& contact : contacts) set_contact_units(contact);
}

void FullMncp::set_contact_units(const FullContact& contact) {
  const FullContact::Layout& of = contact.at;
  const double length = unit_length_mm_;
  const double angle = unit_length_mm_ / scales_.length_mm;
  for (int k = 0; k < 2; ++k) {
    set_unit(of.a1 + k, length, length, mcp::Kind::kFree);
    set_unit(of.a2 + k, length, angle, mcp::Kind::kFree);
  }
  for (int i = of.l_F; i < of.p_n; ++i) set_unit(i, angle, length, mcp::Kind::kNonnegative);
  unit_z_[of.l_F + static_cast<int>(contact.k1)] = length;
  set_unit(of.p_n, scales_.impulse_mn_s, length, mcp::Kind::kNonnegative);
  if (contact.soft) {
    const double spring =
        (h_ * contact.soft->stiffness_mn_per_mm + contact.soft->damping_mn_s_per_mm) * length;
    if (of.delta_n != of.delta_bar) set_unit(of.delta_n, length, length, mcp::Kind::kFree);
    set_unit(of.delta_bar, length, std::min(spring, scales_.impulse_mn_s), mcp::Kind::kFree);
    set_unit(of.p_nr, scales_.impulse_mn_s, length, mcp::Kind::kNonnegative);
  }
  if (is_soft(contact.layers)) {
    if (of.delta_n != of.delta_bar) set_unit(of.delta_n, length, length, mcp::Kind::kFree);
    set_unit(of.delta_bar, length, length, mcp::Kind::kFree);
    for (const int p_core : of.p_core) {
      if (p_core >= 0) set_unit(p_core, scales_.impulse_mn_s, length, mcp::Kind::kNonnegative);
    }
  }
  if (contact.has_friction()) {
    set_unit(of.s, 1.0, scales_.velocity_mm_s, mcp::Kind::kFree);
    set_unit(of.sigma, scales_.velocity_mm_s, 1.0, mcp::Kind::kNonnegative);
  }
}

void FullMncp::move(const Eigen::VectorXd& nu) {
  advance(*scene_, start_, nu, h_, end_);
  bodies_.resize(end_.poses.size());
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    bodies_[i].frame = {end_.poses[i].head<2>(), Rotation2(end_.poses[i][2])};
    bodies_[i].velocity = body_velocity(*scene_, end_, static_cast<int>(i));
  }
}

void FullMncp::subtract_wrench(int of, const Vec3& wrench, Eigen::VectorXd& F) const {
  for (int axis = 0; axis < 3; ++axis) {
    const Coordinate& coordinate = body(of).coordinates[static_cast<std::size_t>(axis)];
    if (coordinate.index >= 0) F[coordinate.index] -= coordinate.factor * wrench[axis];
  }
}

void FullMncp::evaluate(const Eigen::VectorXd& z, Eigen::VectorXd& F) {
  x_ = z.cwiseProduct(unit_z_);
  move(x_.head(velocities_));
  F.resize(size_);
  F.head(velocities_) = inertia_.cwiseProduct(x_.head(velocities_)) - free_impulse_;  // (21)
  pin_rows(x_, F);
  table_rows(x_, F);
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const FullContact& contact = contacts[i];
    evaluate_contact(contact, bodies_[static_cast<std::size_t>(contact.F.body)],
                     bodies_[static_cast<std::size_t>(contact.G.body)], x_, at_[i]);
    Vec3 wrench_F;
    Vec3 wrench_G;
    contact_rows(contact, at_[i], h_, x_, F, wrench_F, wrench_G);
    subtract_wrench(contact.F.body, wrench_F, F);
    subtract_wrench(contact.G.body, wrench_G, F);
  }
  F = F.cwiseQuotient(unit_row_);
}

void FullMncp::jacobian(const Eigen::VectorXd& z, Eigen::MatrixXd& J) {
  x_ = z.cwiseProduct(unit_z_);
  J.setZero(size_, size_);
  J.diagonal().head(velocities_) = inertia_;
  pin_jacobian(J);
  table_jacobian(x_, J);
  const double least_curvature = kLeastCurvature / scales_.length_mm;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const FullContact& contact = contacts[i];
    Sink sink(*this, contact, J);
    contact_jacobian(contact, at_[i], bodies_[static_cast<std::size_t>(contact.F.body)],
                     bodies_[static_cast<std::size_t>(contact.G.body)], h_, least_curvature, x_,
                     sink);
  }
  J = unit_row_.cwiseInverse().asDiagonal() * J * unit_z_.asDiagonal();
}

void FullMncp::pin_rows(const Eigen::VectorXd& x, Eigen::VectorXd& F) const {
  for (int i = 0; i < static_cast<int>(scene_->pins.size()); ++i) {
    const PinJoint& pin = scene_->pins[static_cast<std::size_t>(i)];
    const BodyMotion& A = bodies_[static_cast<std::size_t>(pin.body_a)];
    const BodyMotion& B = bodies_[static_cast<std::size_t>(pin.body_b)];
    const Vec2 r_a = A.frame.R * pin.point_a_mm;
    const Vec2 r_b = B.frame.R * pin.point_b_mm;
    F.segment<2>(pin_at(i)) = A.frame.origin_mm + r_a - B.frame.origin_mm - r_b;
    const Vec2 p = x.segment<2>(pin_at(i));
    subtract_wrench(pin.body_a, {p.x(), p.y(), cross(r_a, p)}, F);
    subtract_wrench(pin.body_b, {-p.x(), -p.y(), -cross(r_b, p)}, F);
  }
}

void FullMncp::pin_jacobian(Eigen::MatrixXd& J) const {
  for (int i = 0; i < static_cast<int>(scene_->pins.size()); ++i) {
    const PinJoint& pin = scene_->pins[static_cast<std::size_t>(i)];
    const int at = pin_at(i);
    const Vec2 p = x_.segment<2>(at);
    for (const bool is_a : {true, false}) {
      const int index = is_a ? pin.body_a : pin.body_b;
      const double sign = is_a ? 1.0 : -1.0;
      const Vec2 r = bodies_[static_cast<std::size_t>(index)].frame.R *
                     (is_a ? pin.point_a_mm : pin.point_b_mm);
      const Vec2 turned = perp(r);
      const auto& coordinates = body(index).coordinates;
      for (int axis = 0; axis < 3; ++axis) {
        const Coordinate& of = coordinates[static_cast<std::size_t>(axis)];
        if (of.index < 0) continue;
        for (int k = 0; k < 2; ++k) {
          const double arm = axis == 2 ? turned[k] : (axis == k ? 1.0 : 0.0);
          J(at + k, of.index) += sign * h_ * of.factor * arm;
          J(of.index, at + k) -= sign * of.factor * arm;
        }
        // d (r x p) / d theta = perp(r) x p
        if (axis == 2)
          J(of.index, of.index) -= sign * h_ * of.factor * of.factor * cross(turned, p);
      }
    }
  }
}

Vec3 FullMncp::table_impulse(int i, const Eigen::VectorXd& x) const {
  const Vec3 s = x.segment<3>(table_at(i));
  return h_ * table(i).limit_mn * table_radii(table(i)).cwiseProduct(s);
}

Vec3 FullMncp::table_slip(int i) const {
  const Vec3& v = bodies_[static_cast<std::size_t>(table(i).body)].velocity;
  return table_radii(table(i)).cwiseProduct(v);
}

Vec3 FullMncp::impulse_of_table(int scene_table, const Eigen::VectorXd& x) const {
  for (int i = 0; i < tables(); ++i) {
    if (rubbing_[static_cast<std::size_t>(i)] == scene_table) return table_impulse(i, x);
  }
  return Vec3::Zero();
}

/// Eq. (7) of a table, with u = E nu.
void FullMncp::table_rows(const Eigen::VectorXd& x, Eigen::VectorXd& F) const {
  for (int i = 0; i < tables(); ++i) {
    const Vec3 s = x.segment<3>(table_at(i));
    const auto rows = maximum_dissipation<double, 3>(table_slip(i), s, x[table_at(i) + 3]);
    F.segment<3>(table_at(i)) = rows.slip;
    F[table_at(i) + 3] = rows.cone;
    subtract_wrench(table(i).body, table_impulse(i, x), F);
  }
}

void FullMncp::table_jacobian(const Eigen::VectorXd& x, Eigen::MatrixXd& J) const {
  for (int i = 0; i < tables(); ++i) {
    const TableFriction& of_table = table(i);
    const int at = table_at(i);
    const Vec3 e = table_radii(of_table);
    for (int axis = 0; axis < 3; ++axis) {
      const Coordinate& of = body(of_table.body).coordinates[static_cast<std::size_t>(axis)];
      if (of.index >= 0) {
        J(at + axis, of.index) += e[axis] * of.factor;
        J(of.index, at + axis) -= of.factor * h_ * of_table.limit_mn * e[axis];
      }
      J(at + axis, at + axis) += x[at + 3];
      J(at + axis, at + 3) += x[at + axis];
      J(at + 3, at + axis) -= 2.0 * x[at + axis];
    }
  }
}

namespace {

/// The largest change of a velocity in an iteration (scaled): steps are shortened to it.
constexpr double kMostVelocity = 3.0;

/// A pattern without a solution leaves the residual unchanged, to this part of it, repeatedly.
constexpr double kUnchanged = 1e-6;
constexpr int kMostUnchanged = 2;

/// The solution of dPhi step = Phi.
void find_step(double singular, mcp::SemismoothNewtonWorkspace& work) {
  work.lu.compute(work.dPhi);
  const auto pivots = work.lu.matrixLU().diagonal().cwiseAbs();
  if (pivots.minCoeff() > singular * pivots.maxCoeff()) {
    work.step = work.lu.solve(work.Phi);
    return;
  }
  work.minimum_norm.compute(work.dPhi, singular);
  work.minimum_norm.solve(work.Phi, work.step);
}

/// s after the step: p_t has moved by the linear p_n ds + s dp_n.
double moved_share(const FullContact& contact, const Eigen::VectorXd& z,
                   const Eigen::VectorXd& next) {
  const int s = contact.at.s;
  const double p_n = contact.normal_impulse(next);
  const double p_t = z[s] * p_n + contact.normal_impulse(z) * (next[s] - z[s]);
  if (p_n > 0.0) return p_t / p_n;
  return std::clamp(next[s], -1.0, 1.0);
}

/// Calls visit(s, sigma) with the first index and the number of the shares, and the index of the
/// slip, of all friction.
template <typename Visit>
void for_each_friction(const FullMncp& problem, Visit&& visit) {
  for (const FullContact& contact : problem.contacts) {
    if (contact.has_friction()) visit(contact.at.s, 1, contact.at.sigma);
  }
  for (int i = 0; i < problem.tables(); ++i) visit(problem.table_at(i), 3, problem.table_at(i) + 3);
}

class Newton {
 public:
  Newton(FullMncp& problem, const FullNewtonOptions& options, Eigen::VectorXd& z,
         mcp::SemismoothNewtonWorkspace& work)
      : problem_(problem), options_(options), z_(z), work_(work) {}

  /// Takes the branches at z, and z to them. Returns the residual there.
  double project() {
    problem_.evaluate(z_, work_.F);
    const int n = problem_.size();
    is_zero_.assign(static_cast<std::size_t>(n), false);
    for (int i = 0; i < n; ++i) {
      if (problem_.kind(i) == mcp::Kind::kFree) continue;
      is_zero_[static_cast<std::size_t>(i)] = z_[i] <= work_.F[i];
      z_[i] = z_[i] <= work_.F[i] ? 0.0 : std::max(z_[i], 0.0);
    }
    for (std::size_t i = 0; i < options_.modes.size(); ++i) {
      keep_mode(problem_.contacts[i].at, options_.modes[i]);
    }
    for_each_friction(problem_, [&](int s, int count, int sigma) {
      if (!is_zero_[static_cast<std::size_t>(sigma)]) z_.segment(s, count).normalize();
    });
    problem_.evaluate(z_, work_.F);
    if (slide_open_contacts()) problem_.evaluate(z_, work_.F);
    return mcp::natural_residual(problem_, z_, work_.F);
  }

  /// Takes the branches of a mode instead.
  void keep_mode(const FullContact::Layout& of, FullContactMode mode) {
    const bool opens = mode == FullContactMode::kOpen;
    is_zero_[static_cast<std::size_t>(of.p_n)] = opens;
    if (opens) z_[of.p_n] = 0.0;
    if (of.s < 0 || opens) return;
    const bool sticks = mode == FullContactMode::kSticks;
    is_zero_[static_cast<std::size_t>(of.sigma)] = sticks;
    if (sticks) {
      z_[of.sigma] = 0.0;
    } else {
      z_[of.s] = mode == FullContactMode::kSlidesForward ? -1.0 : 1.0;
    }
  }

  /// Without a normal impulse friction cannot hold anything: sigma = |v_t|. True if z has changed.
  bool slide_open_contacts() {
    bool changed = false;
    for (std::size_t i = 0; i < problem_.contacts.size(); ++i) {
      const FullContact& contact = problem_.contacts[i];
      if (!contact.has_friction() || contact.normal_impulse(z_) > 0.0) continue;
      const double v_t = problem_.at(i).v_t;
      z_[contact.at.s] = v_t > 0.0 ? -1.0 : 1.0;
      z_[contact.at.sigma] = std::abs(v_t) / problem_.units()[contact.at.sigma];
      is_zero_[static_cast<std::size_t>(contact.at.sigma)] = false;
      changed = true;
    }
    return changed;
  }

  void step() {
    problem_.jacobian(z_, work_.J);
    work_.dPhi = work_.J;
    work_.Phi = work_.F;
    for (int i = 0; i < problem_.size(); ++i) {
      if (!is_zero_[static_cast<std::size_t>(i)]) continue;
      work_.dPhi.row(i).setZero();
      work_.dPhi(i, i) = 1.0;
      work_.Phi[i] = 0.0;
    }
    find_step(options_.singular, work_);
    const double most =
        problem_.free_velocity().size() > 0
            ? work_.step.head(problem_.free_velocity().size()).lpNorm<Eigen::Infinity>()
            : 0.0;
    if (most > kMostVelocity) work_.step *= kMostVelocity / most;
    work_.trial = z_ - work_.step;
    for (const FullContact& contact : problem_.contacts) {
      if (contact.has_friction()) {
        work_.trial[contact.at.s] = moved_share(contact, z_, work_.trial);
      }
    }
    z_.swap(work_.trial);
  }

 private:
  FullMncp& problem_;
  const FullNewtonOptions& options_;
  Eigen::VectorXd& z_;
  mcp::SemismoothNewtonWorkspace& work_;
  std::vector<bool> is_zero_;  ///< unknowns whose branch is z_i = 0
};

}  // namespace

mcp::Result solve_full_newton(FullMncp& problem, const FullNewtonOptions& options,
                              Eigen::VectorXd& z, mcp::SemismoothNewtonWorkspace& work) {
  Newton newton(problem, options, z, work);
  int unchanged = 0;
  mcp::Result result;
  result.residual = newton.project();
  while (result.residual > options.tolerance) {
    if (!std::isfinite(result.residual)) {
      result.status = mcp::Status::kNotFinite;
      return result;
    }
    if (result.iterations == options.max_iterations || options.stops()) return result;
    newton.step();
    ++result.iterations;
    const double before = result.residual;
    result.residual = newton.project();
    unchanged = std::abs(result.residual - before) <= kUnchanged * before ? unchanged + 1 : 0;
    if (unchanged == kMostUnchanged && result.residual > options.tolerance) {
      result.status = mcp::Status::kStalled;
      return result;
    }
  }
  result.status = mcp::Status::kSolved;
  return result;
}

}  // namespace graspmap
