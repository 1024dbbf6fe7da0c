#include "sim/hold/hold.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "geometry/assert.hpp"
#include "sim/closing/broad_phase.hpp"
#include "sim/closing/contact_bodies.hpp"
#include "sim/closing/length_unit.hpp"

namespace graspmap {
namespace {

/// Two contacts nearer than this, relative to the gap that counts as contact, are one.
constexpr double kSamePlace = 1e-3;

class Contacts {
 public:
  Contacts(const Scenario& scenario, const TrialParameters& trial, const State& state)
      : gap_mm_(scenario.stop.contact_gap_mm),
        deflection_mm_(most_deflection_mm(scenario.gripper)),
        mu_(friction_by_side(scenario.gripper, trial)),
        q_(state) {
    part_.set_part(scenario.part, scenario.mass.center_of_mass_P_mm);
    part_.set_fingers(scenario.gripper);
  }

  std::vector<GraspContact> find() {
    const ContactBodies& bodies = part_.bodies();
    part_.visit_near_contacts(q_, part_.least_gap_mm(0.0) - deflection_mm_, gap_mm_,
                              tolerances::kRounding,
                              [&](const Pair& pair, const ClosestPoints& closest) {
                                if (closest.psi_mm < gap_mm_) {
                                  add(pair, closest.on_jaw_mm, closest.normal);
                                }
                              });
    if (bodies.plain) return std::move(found_);
    for (const JawSide side : {JawSide::kRight, JawSide::kLeft, JawSide::kPalm}) {
      if (side_index(side) >= static_cast<std::size_t>(bodies.fingers.sides)) continue;
      visit_flush_edges(
          bodies, q_, side, gap_mm_, deflection_mm_,
          [&](const Pair& pair, const FlushStretch& stretch) { add_ends(pair, stretch); });
    }
    return std::move(found_);
  }

 private:
  void add(const Pair& pair, const Vec2& point_G_mm, const Vec2& normal_G) {
    const double same_mm = kSamePlace * gap_mm_;
    const bool known = std::any_of(found_.begin(), found_.end(), [&](const GraspContact& other) {
      return other.side == pair.side && (other.point_G_mm - point_G_mm).norm() < same_mm &&
             (other.normal_G - normal_G).norm() < kSamePlace;
    });
    if (known) return;
    const double factor = part_.bodies().pieces[index(pair.piece)].friction_factor;
    found_.push_back({pair.side, point_G_mm, normal_G, factor * mu_[side_index(pair.side)]});
  }

  void add_ends(const Pair& pair, const FlushStretch& stretch) {
    const ContactElement& f =
        part_.bodies().fingers.by_side[side_index(pair.side)].elements[index(pair.finger)];
    const Vec2 begin_G = f.point_mm + Vec2(q_.jaw_mm(pair.side), 0.0);
    for (const double at : {stretch.from_mm, stretch.to_mm}) {
      add(pair, begin_G + at * f.tangent, f.normal_lo);
    }
  }

  double gap_mm_;
  double deflection_mm_;  ///< by which pads let the part in at most
  std::array<double, 3> mu_;
  Configuration q_;
  BroadPhase part_;
  std::vector<GraspContact> found_;
};

}  // namespace

std::vector<GraspContact> grasp_contacts(const Scenario& scenario, const TrialParameters& trial,
                                         const State& state) {
  const double unit_mm = length_unit_mm(scenario);
  if (unit_mm == 1.0) return Contacts(scenario, trial, state).find();
  Scenario scaled = scenario;
  scale_lengths(1.0 / unit_mm, scaled);
  std::vector<GraspContact> contacts = Contacts(scaled, trial, in_mm(state, 1.0 / unit_mm)).find();
  for (GraspContact& contact : contacts) contact.point_G_mm *= unit_mm;
  return contacts;
}

namespace {

using Vec3d = Eigen::Vector3d;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kMilli = 1e-3;  ///< N in a mN
constexpr int kFirstDriveRow = 6;
constexpr int kMostArcs = 200;
/// This share of a load, or of what a jaw presses with, counts as 0: the solver resolves no less of
/// a program without an interior.
constexpr double kNoForce = 100 * kConeTolerance;

/// The smaller of two; not known where one of them is not.
double least(double a, double b) { return std::isnan(a) || b >= a ? a : b; }

constexpr std::size_t jaw_index(JawSide side) { return side == JawSide::kRight ? 0 : 1; }

/// Whether the drives leave the contacts no force along x: it is the left jaw's less the right
/// one's, both given, and no palm adds to it. Then no load along x is held, however small.
bool gives_way_along_x(const ConeProgram& contacts) {
  return std::all_of(contacts.a.begin(), contacts.a.end(), [](const ConeProgram::Block& block) {
    return block.row(0) == block.row(kFirstDriveRow + 1) - block.row(kFirstDriveRow);
  });
}

}  // namespace

Hold::Hold(const Scenario& scenario, const std::vector<GraspContact>& contacts,
           const Vec2& center_of_mass_G_mm, const HoldHeights& heights, HeldDrive drive)
    : force_n_(scenario.gripper.closing_force_n), length_mm_(0.0) {
  GRASPMAP_CHECK(heights.contact_high_mm >= heights.contact_low_mm);
  const Coupling coupling = scenario.gripper.coupling;
  if (drive == HeldDrive::kLocks || coupling == Coupling::kSymmetric) {
    drive_rows_ = {{{1.0, 1.0}, {0.0, 0.0}}};
  } else {
    drive_rows_[0][0] = moves(coupling, JawSide::kRight) ? 1.0 : 0.0;
    drive_rows_[1][1] = moves(coupling, JawSide::kLeft) ? 1.0 : 0.0;
  }
  std::vector<double> z_mm = {heights.contact_low_mm - heights.center_of_mass_mm};
  if (heights.contact_high_mm > heights.contact_low_mm) {
    z_mm.push_back(heights.contact_high_mm - heights.center_of_mass_mm);
  }
  for (const GraspContact& contact : contacts) {
    const Vec2 arm_mm = contact.point_G_mm - center_of_mass_G_mm;
    for (const double z : z_mm) {
      length_mm_ = std::max(length_mm_, std::sqrt(arm_mm.squaredNorm() + z * z));
    }
  }
  if (!(length_mm_ > 0.0)) length_mm_ = 1.0;
  for (std::size_t k = 0; k < 2; ++k) {
    program_.b[kFirstDriveRow + static_cast<int>(k)] = drive_rows_[k][0] + drive_rows_[k][1];
  }
  for (const GraspContact& contact : contacts) {
    for (const double z : z_mm) add_contact(contact, center_of_mass_G_mm, z);
  }
  without_load_ = solve(program_).status;
}

void Hold::add_contact(const GraspContact& contact, const Vec2& center_of_mass_G_mm, double z_mm) {
  const Vec2 arm_mm = contact.point_G_mm - center_of_mass_G_mm;
  const Vec3d arm = Vec3d(arm_mm.x(), arm_mm.y(), z_mm) / length_mm_;
  const Vec2 n = contact.normal_G;
  // s (p_n, p_t / mu, p_z / mu) lies in the cone, s = max(1, mu); without friction two columns are
  // zero.
  const double s = std::max(1.0, contact.mu);
  const std::array<Vec3d, 3> directions = {Vec3d(n.x(), n.y(), 0.0) / s,
                                           (contact.mu / s) * Vec3d(-n.y(), n.x(), 0.0),
                                           Vec3d(0.0, 0.0, contact.mu / s)};
  ConeProgram::Block block = ConeProgram::Block::Zero();
  for (int k = 0; k < 3; ++k) {
    const Vec3d& force = directions[static_cast<std::size_t>(k)];
    block.block<3, 1>(0, k) = force;
    block.block<3, 1>(3, k) = arm.cross(force);
    if (contact.side == JawSide::kPalm) continue;
    const double closing = -mirror_sign(contact.side) * force.x();
    for (std::size_t row = 0; row < 2; ++row) {
      block(kFirstDriveRow + static_cast<int>(row), k) =
          drive_rows_[row][jaw_index(contact.side)] * closing;
    }
  }
  program_.a.push_back(block);
  program_.g.emplace_back(Vec3d::Zero());
}

ConeProgram::Rows Hold::rows_of(const Wrench& wrench) const {
  ConeProgram::Rows rows = ConeProgram::Rows::Zero();
  rows.head<3>() = wrench.force_n / force_n_;
  rows.segment<3>(3) = wrench.moment_n_mm / (force_n_ * length_mm_);
  return rows;
}

ConeProgram Hold::program_beside(const Wrench& steady) const {
  ConeProgram program = program_;
  program.b -= rows_of(steady);
  return program;
}

double Hold::largest_factor(const Wrench& load, const Wrench& steady) const {
  ConeProgram program = program_beside(steady);
  const ConeProgram::Rows rows = rows_of(load);
  const double size = rows.norm();
  const bool is_steady = rows_of(steady).norm() > 0.0;
  const ConeStatus at_zero = is_steady ? solve(program).status : without_load_;
  if (at_zero == ConeStatus::kUnsolved) return kNaN;
  if (at_zero != ConeStatus::kOptimal) return 0.0;
  if (size == 0.0) return kMostHoldFactor;
  if (std::abs(rows[0]) > kNoForce * size && gives_way_along_x(program_)) return 0.0;
  ConeProgram::Block block = ConeProgram::Block::Zero();
  block.col(0) = rows / size;
  program.a.push_back(block);
  program.g.emplace_back(1.0, 0.0, 0.0);
  const ConeSolution solution = solve(program);
  switch (solution.status) {
    case ConeStatus::kOptimal:
      if (solution.value <= kNoForce) return 0.0;
      return std::min(solution.value / size, kMostHoldFactor);
    case ConeStatus::kUnbounded:
      return kMostHoldFactor;
    case ConeStatus::kInfeasible:  // what is held by rounding errors only
      return 0.0;
    case ConeStatus::kUnsolved:
      break;
  }
  return kNaN;
}

namespace {

struct Worst {
  double factor = std::numeric_limits<double>::infinity();
  Vec2 direction{1, 0};
};

/// The direction u in the plane with the least factor(u), where 1 / factor(v) is a convex function
/// of v, of any length. On an arc from u_1 to u_2 it is then at most what it is at the ends or at
/// the corner (u_1 + u_2) / (1 + u_1' u_2) of the tangents there, which shows arcs that need not be
/// divided.
template <typename Factor>
Worst worst_direction(const Factor& factor) {
  struct Arc {
    Vec2 from, to;
  };
  Worst worst;
  const auto look = [&](const Vec2& u) {
    const double f = least(worst.factor, factor(u));
    if (f != worst.factor) worst = {f, u};
  };
  std::vector<Arc> arcs;
  const std::array<Vec2, 4> axes = {Vec2(1, 0), Vec2(0, 1), Vec2(-1, 0), Vec2(0, -1)};
  for (std::size_t k = 0; k < axes.size(); ++k) {
    look(axes[k]);
    arcs.push_back({axes[k], axes[(k + 1) % axes.size()]});
  }
  for (int divided = 0; !arcs.empty() && divided < kMostArcs; ++divided) {
    const Arc arc = arcs.back();
    arcs.pop_back();
    const Vec2 corner = (arc.from + arc.to) / (1.0 + arc.from.dot(arc.to));
    const double beyond = factor(corner);
    if (beyond >= worst.factor * (1.0 - kWorstWithin)) continue;
    const Vec2 middle = corner / corner.norm();
    look(middle);
    if (!(worst.factor > 0.0)) break;
    arcs.push_back({arc.from, middle});
    arcs.push_back({middle, arc.to});
  }
  return arcs.empty() || !(worst.factor > 0.0) ? worst : Worst{kNaN, {1, 0}};
}

/// A part in the hand.
class Held {
 public:
  Held(const Scenario& scenario, const TrialParameters& trial, const State& state,
       const Manoeuvre& manoeuvre)
      : manoeuvre_(manoeuvre),
        gravity_mm_s2_(scenario.gravity_mm_s2),
        contacts_(grasp_contacts(scenario, trial, state)),
        hold_(scenario, contacts_, state.part_pose.head<2>(), manoeuvre.heights, manoeuvre.drive) {
    mass_kg_ = scenario.mass.mass_kg + manoeuvre.tool_mass_kg;
    const Vec2 tool_B = manoeuvre.tool_at_mm.head<2>() - scenario.mass.center_of_mass_P_mm;
    const Vec2 tool_G = Rotation2(state.part_pose[2]) * tool_B;
    tool_arm_mm_ = Vec3d(tool_G.x(), tool_G.y(),
                         manoeuvre.tool_at_mm.z() - manoeuvre.heights.center_of_mass_mm);
  }

  [[nodiscard]] bool is_between_jaws() const {
    const auto touches = [&](JawSide side) {
      return std::any_of(contacts_.begin(), contacts_.end(),
                         [&](const GraspContact& contact) { return contact.side == side; });
    };
    return touches(JawSide::kRight) && touches(JawSide::kLeft);
  }

  [[nodiscard]] const Hold& hold() const { return hold_; }

  /// The weight, and what the masses' inertia adds when the gripper accelerates.
  [[nodiscard]] Wrench load(const Vec3d& acceleration_mm_s2) const {
    const Vec3d per_kg = -kMilli * (acceleration_mm_s2 + gravity_mm_s2_ * Vec3d::UnitZ());
    Wrench wrench;
    wrench.force_n = mass_kg_ * per_kg;
    wrench.moment_n_mm = tool_arm_mm_.cross(manoeuvre_.tool_mass_kg * per_kg);
    return wrench;
  }

  [[nodiscard]] double factor() const {
    const double a = manoeuvre_.acceleration_mm_s2;
    if (manoeuvre_.all_horizontal && a > 0.0) {
      return worst_direction([&](const Vec2& u) {
               return hold_.largest_factor(load({a * u.x(), a * u.y(), 0.0}));
             })
          .factor;
    }
    double worst = kMostHoldFactor;
    for (const Vec3d& direction : manoeuvre_.directions) {
      worst = least(worst, hold_.largest_factor(load(a * direction)));
    }
    return worst;
  }

 private:
  const Manoeuvre& manoeuvre_;
  double gravity_mm_s2_;
  std::vector<GraspContact> contacts_;
  Hold hold_;
  double mass_kg_ = 0.0;
  Vec3d tool_arm_mm_ = Vec3d::Zero();
};

}  // namespace

double hold_factor(const Scenario& scenario, const TrialParameters& trial, const State& state,
                   const Manoeuvre& manoeuvre) {
  const Held held(scenario, trial, state, manoeuvre);
  return held.is_between_jaws() ? held.factor() : 0.0;
}

HoldCapacity hold_capacity(const Scenario& scenario, const TrialParameters& trial,
                           const State& state, const Manoeuvre& manoeuvre) {
  const Held held(scenario, trial, state, manoeuvre);
  if (!held.is_between_jaws()) return {};
  const Hold& hold = held.hold();
  const Wrench weight = held.load(Vec3d::Zero());
  // Largest loads are looked for in multiples of what one jaw presses with.
  const double force_n = scenario.gripper.closing_force_n;
  const auto in_newton = [&](double factor) {
    return factor < kMostHoldFactor ? force_n * factor : std::numeric_limits<double>::infinity();
  };
  const auto largest_n = [&](const Vec3d& direction) {
    return in_newton(hold.largest_factor({force_n * direction, Vec3d::Zero()}, weight));
  };
  const auto largest_moment = [&](int axis) {
    double worst = kMostHoldFactor;
    for (const double sign : {1.0, -1.0}) {
      const Wrench moment{Vec3d::Zero(), sign * force_n * Vec3d::Unit(axis)};
      worst = least(worst, hold.largest_factor(moment, weight));
    }
    return in_newton(worst);
  };
  HoldCapacity capacity;
  const double weight_n = weight.force_n.norm();
  if (weight_n > 0.0) {
    const double scale = force_n / weight_n;
    const Wrench scaled{scale * weight.force_n, scale * weight.moment_n_mm};
    capacity.vertical_n = in_newton(hold.largest_factor(scaled));
  } else {
    capacity.vertical_n = largest_n(-Vec3d::UnitZ());
  }
  const Worst worst = worst_direction([&](const Vec2& u) {
    const double length = u.norm();
    return largest_n({u.x() / length, u.y() / length, 0.0}) / length;
  });
  capacity.in_plane_n = worst.factor;
  capacity.worst_direction_G = worst.direction;
  capacity.moment_x_n_mm = largest_moment(0);
  capacity.moment_y_n_mm = largest_moment(1);
  capacity.moment_z_n_mm = largest_moment(2);
  return capacity;
}

}  // namespace graspmap
