// The lock-piece model in MuJoCo 2.2. What MuJoCo has no means for, and what stands for it here:
//
// The plane: the part has two sliding joints and a hinge, a jaw has one sliding joint. Shapes are
// solid, cut by z = 0.
//
// Superellipses: discs are spheres, whose contacts with a box have a closed form. Others are
// capsules, or prisms (meshes) over the polygon that follows the outline most closely. A capsule
// as wide as a tooth of the lock piece lacks up to 0.12 mm at its corners (a wider one is closer
// there, but agrees far less: jaws no longer fit between the teeth). Two capsules side by side are
// closer but take half as long again, and a mesh takes no longer than one.
//
// Rigid contact: contacts are springs with dampers, as stiff here as the fixed step allows. Bodies
// overlap by what they move in a step, and spring back.
//
// Coulomb's law: by MuJoCo's convex law a contact that slides also opens, at mu times its slip
// speed. Contacts are lost and found again, and a part that the jaws squeeze out is thrown too far:
// most of the disagreement, which falls with the step size.
//
// The ellipsoid limit surface: friction of the three joints. Its separate limits are set before
// each step to what the ellipsoid allows in the direction of the velocity, one step behind. At rest
// all are at their full limits: too large by up to sqrt(3), for the one step in which a jaw sets
// the part in motion. The tripod is refused.
//
// Stiff damping of the jaws (m/c is 1 ms): MuJoCo takes a joint's damping implicitly, but only
// after its solver has found the contact forces, which become too weak. A joint of mass m + h c
// (h c as armature) under the force F - c v takes exactly the implicit Euler step.
//
// The coupling of the jaws: an equality constraint, which is a stiff spring as well.

#include "bench/peers/mujoco_engine.hpp"

#include <mujoco/mujoco.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <iomanip>
#include <iterator>
#include <numbers>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/peers/outline.hpp"
#include "bench/peers/stepped_engine.hpp"
#include "geometry/part.hpp"

namespace graspmap::bench {
namespace {

/// MuJoCo's unit is 10 mm: mass and inertia of a part are then of the same order, and tolerances
/// are relative to both.
constexpr double kUnitsPerMm = 0.1;

/// MuJoCo's solref and solimp for contacts and constraints: the time constant in steps (MuJoCo
/// takes 2 at least), the damping ratio, and how nearly they hold. These agree best.
constexpr double kContactSteps = 2.5;
constexpr double kContactDamping = 1.5;
constexpr double kContactImpedance = 0.999;
constexpr double kConstraintSteps = 2.0;
constexpr double kCouplingImpedance = 0.9999;  ///< the largest

constexpr double kStartGapMm = 0.03;

constexpr double kCapsuleErrorMm = 0.15;  ///< at most, between a piece and its capsule

constexpr double kMeshErrorMm = 0.004;
constexpr int kFewestMeshCorners = 24;
constexpr int kMostMeshCorners = 192;
constexpr double kMeshHalfThicknessMm = 5.0;

/// The part counts as moving, for its support friction, above this speed (of rotation times e_r).
constexpr double kRestMmPerS = 1e-3;

/// Degrees of freedom: the part's x, y and angle, then the jaws.
enum Dof : int { kX, kY, kAngle, kRight, kLeft, kDofs };

/// c of the closing force F - c v, mN s/mm.
double damping(const Gripper& gripper) {
  return 1000.0 * gripper.closing_force_n / gripper.closing_speed_mm_s;
}

/// A length in MuJoCo's unit, as text.
std::string length(double mm) {
  std::ostringstream out;
  out << std::setprecision(17) << mm * kUnitsPerMm;
  return out.str();
}

std::string point(const Vec2& mm, double z_mm = 0.0) {
  return length(mm.x()) + " " + length(mm.y()) + " " + length(z_mm);
}

/// The MJCF text of a scenario.
class ModelText {
 public:
  ModelText(const Scenario& scenario, double step_s, const MujocoSettings& settings)
      : scenario_(scenario), step_s_(step_s), tooth_(settings.tooth) {
    out_ << std::setprecision(17) << "<mujoco>\n<compiler angle='radian'/>\n";
    add_options(settings);
    if (tooth_ == MujocoTooth::kMesh) add_meshes();
    out_ << "<worldbody>\n";
    add_part();
    add_jaw("right", 1.0);
    add_jaw("left", -1.0);
    out_ << "</worldbody>\n";
    if (scenario_.gripper.coupling == Coupling::kSymmetric) {
      out_ << "<equality><joint joint1='left' joint2='right' polycoef='0 -1 0 0 0'"
           << softness("", kConstraintSteps, 1.0, kCouplingImpedance) << "/></equality>\n";
    }
    out_ << "</mujoco>\n";
  }

  [[nodiscard]] std::string text() const { return out_.str(); }

 private:
  /// The attributes solref and solimp, whose names may end with `suffix`.
  [[nodiscard]] std::string softness(const std::string& suffix, double steps, double damping_ratio,
                                     double impedance) const {
    std::ostringstream out;
    out << std::setprecision(17) << " solref" << suffix << "='" << steps * step_s_ << " "
        << damping_ratio << "' solimp" << suffix << "='" << impedance << " " << impedance
        << " 1 0.5 2' ";
    return out.str();
  }

  /// A contact of each piece with each jaw, two points each at most; three rows for a contact.
  void add_options(const MujocoSettings& settings) {
    const std::size_t contacts =
        4 * (scenario_.part.pieces.size() + scenario_.part.outlines.size());
    out_ << "<option timestep='" << step_s_
         << "' gravity='0 0 0' cone='elliptic' solver='Newton' impratio='" << settings.impratio
         << "' tolerance='" << settings.tolerance << "' noslip_iterations='"
         << settings.noslip_iterations << "'/>\n"
         << "<size nconmax='" << contacts << "' njmax='" << 3 * contacts + 4 << "'/>\n"
         << "<default>\n<geom condim='3'"
         << softness("", kContactSteps, kContactDamping, kContactImpedance) << "/>\n<joint"
         << softness("friction", kConstraintSteps, 1.0, kContactImpedance) << "/>\n</default>\n";
  }

  void add_meshes() {
    const Part& part = scenario_.part;
    out_ << "<asset>\n";
    for (std::size_t i = 0; i < part.pieces.size(); ++i) {
      int corners = kFewestMeshCorners;
      Outline& outline = outlines_.emplace_back(make_outline(part, i, corners));
      while (outline.error_mm > kMeshErrorMm && corners < kMostMeshCorners) {
        outline = make_outline(part, i, corners *= 2);
      }
      if (part.pieces[i].shape.is_disc() || outline.corners_mm.empty()) continue;
      out_ << "<mesh name='" << i << "' vertex='";
      for (const double z_mm : {-kMeshHalfThicknessMm, kMeshHalfThicknessMm}) {
        for (const Vec2& corner : outline.corners_mm) out_ << point(corner, z_mm) << "  ";
      }
      out_ << "'/>\n";
    }
    for (std::size_t i = 0; i < part.outlines.size(); ++i) {
      out_ << "<mesh name='outline " << i << "' vertex='";
      for (const double z_mm : {-kMeshHalfThicknessMm, kMeshHalfThicknessMm}) {
        for (const Vec2& corner : convex_corners(part.outlines[i])) {
          out_ << point(corner - scenario_.mass.center_of_mass_P_mm, z_mm) << "  ";
        }
      }
      out_ << "'/>\n";
    }
    out_ << "</asset>\n";
  }

  void add_part() {
    const MassProperties& mass = scenario_.mass;
    const double inertia = mass.inertia_kg_mm2 * kUnitsPerMm * kUnitsPerMm;
    out_ << "<body>\n<inertial pos='0 0 0' mass='" << mass.mass_kg << "' diaginertia='" << inertia
         << " " << inertia << " " << inertia << "'/>\n"
         << "<joint type='slide' axis='1 0 0'/><joint type='slide' axis='0 1 0'/>"
         << "<joint type='hinge' axis='0 0 1'/>\n";
    for (std::size_t i = 0; i < scenario_.part.pieces.size(); ++i) add_piece(i);
    for (std::size_t i = 0; i < scenario_.part.outlines.size(); ++i) {
      if (tooth_ != MujocoTooth::kMesh) throw std::invalid_argument("MuJoCo: outlines need meshes");
      out_ << "<geom contype='1' conaffinity='2' type='mesh' mesh='outline " << i << "'/>\n";
    }
    out_ << "</body>\n";
  }

  void add_piece(std::size_t index) {
    const Piece& piece = scenario_.part.pieces[index];
    const Superellipse& shape = piece.shape;
    const bool mesh = tooth_ == MujocoTooth::kMesh && !shape.is_disc();
    if (mesh && outlines_[index].corners_mm.empty()) return;
    const Vec2 center = piece.pose.position_mm - scenario_.mass.center_of_mass_P_mm;
    const double angle = piece.pose.angle_rad;
    out_ << "<geom contype='1' conaffinity='2' ";
    if (shape.is_disc()) {
      out_ << "type='sphere' pos='" << point(center) << "' size='" << length(shape.a_mm) << "'";
    } else if (mesh) {
      out_ << "type='mesh' mesh='" << index << "' pos='" << point(center) << "' euler='0 0 "
           << angle << "'";
    } else {
      const double radius = std::min(shape.a_mm, shape.b_mm);
      const Vec2 half(shape.a_mm - radius, shape.b_mm - radius);
      require_like_capsule(piece, half, radius);
      const Vec2 axis = Rotation2(angle) * half;
      out_ << "type='capsule' fromto='" << point(center - axis) << " " << point(center + axis)
           << "' size='" << length(radius) << "'";
    }
    out_ << "/>\n";
  }

  /// Throws unless the outline is near the capsule (in the piece's axes: from -half to half) all
  /// around.
  static void require_like_capsule(const Piece& piece, const Vec2& half, double radius_mm) {
    constexpr int kSamples = 64;
    for (int i = 0; i < kSamples; ++i) {
      const double t = 2.0 * std::numbers::pi * i / kSamples;
      const Vec2 p = boundary_point(piece.shape, t).position_mm;
      const Vec2 axis_point = p.cwiseMin(half).cwiseMax(-half);
      if (std::abs((p - axis_point).norm() - radius_mm) > kCapsuleErrorMm) {
        throw std::invalid_argument("MuJoCo: piece \"" + piece.name +
                                    "\" is no capsule by far; take meshes");
      }
    }
  }

  void add_jaw(const char* name, double sign) {
    const double half = bounding_radius_mm(scenario_.part, scenario_.mass.center_of_mass_P_mm) +
                        0.5 * scenario_.gripper.opening_mm;
    const double mass = scenario_.gripper.jaw_mass_kg;
    out_ << "<body>\n<inertial pos='0 0 0' mass='" << mass << "' diaginertia='1 1 1'/>\n"
         << "<joint name='" << name << "' type='slide' axis='1 0 0' armature='"
         << step_s_ * damping(scenario_.gripper) << "'/>\n"
         << "<geom contype='2' conaffinity='1' type='box' pos='" << point({sign * half, -half})
         << "' size='" << length(half) << " " << length(half) << " " << length(half)
         << "'/>\n</body>\n";
  }

  const Scenario& scenario_;
  double step_s_;
  MujocoTooth tooth_;
  std::vector<Outline> outlines_;  ///< of the pieces; empty for capsules
  std::ostringstream out_;
};

struct ModelDeleter {
  void operator()(mjModel* model) const { mj_deleteModel(model); }
};
struct DataDeleter {
  void operator()(mjData* data) const { mj_deleteData(data); }
};

std::unique_ptr<mjModel, ModelDeleter> load(const std::string& text) {
  constexpr const char* kName = "model.xml";
  const auto files = std::make_unique<mjVFS>();
  mj_defaultVFS(files.get());
  mj_makeEmptyFileVFS(files.get(), kName, static_cast<int>(text.size()));
  std::memcpy(files->filedata[mj_findFileVFS(files.get(), kName)], text.data(), text.size());
  std::array<char, 1000> error{};
  mjModel* model = mj_loadXML(kName, files.get(), error.data(), static_cast<int>(error.size()));
  mj_deleteVFS(files.get());
  if (model == nullptr) throw std::invalid_argument(std::string("MuJoCo: ") + error.data());
  return std::unique_ptr<mjModel, ModelDeleter>(model);
}

class MujocoEngine : public SteppedEngine {
 public:
  MujocoEngine(const Scenario& scenario, const EllipsoidSupport& support, double step_s,
               const MujocoSettings& settings)
      : SteppedEngine(scenario, step_s, kStartGapMm),
        support_(support),
        model_(load(ModelText(scenario, step_s, settings).text())),
        data_(mj_makeData(model_.get())) {
    mju_user_warning = [](const char*) {};  // else into a file; step() looks at those that count
  }

 protected:
  void begin(const State& state, const TrialParameters& trial) override {
    friction_mn_ = trial.mu_support * scenario().mass.mass_kg * scenario().gravity_mm_s2;
    for (int geom = 0; geom < model_->ngeom; ++geom) model_->geom_friction[3 * geom] = trial.mu_jaw;
    mj_resetData(model_.get(), data_.get());
    mjtNum* q = data_->qpos;
    mjtNum* v = data_->qvel;
    q[kX] = state.part_pose[0] * kUnitsPerMm;
    q[kY] = state.part_pose[1] * kUnitsPerMm;
    q[kAngle] = state.part_pose[2];
    q[kRight] = state.jaw_right_mm * kUnitsPerMm;
    q[kLeft] = state.jaw_left_mm * kUnitsPerMm;
    v[kRight] = state.jaw_right_mm_s * kUnitsPerMm;
    v[kLeft] = state.jaw_left_mm_s * kUnitsPerMm;
  }

  [[nodiscard]] bool step() override {
    aim_support();
    const Gripper& gripper = scenario().gripper;
    const double force = 1000.0 * gripper.closing_force_n * kUnitsPerMm;
    data_->qfrc_applied[kRight] = -force - damping(gripper) * data_->qvel[kRight];
    data_->qfrc_applied[kLeft] = force - damping(gripper) * data_->qvel[kLeft];
    mj_step(model_.get(), data_.get());
    // Too many contacts, or numbers out of bounds, after which MuJoCo starts anew by itself.
    return std::all_of(std::begin(data_->warning), std::end(data_->warning),
                       [](const mjWarningStat& warning) { return warning.number == 0; });
  }

  [[nodiscard]] State state() const override {
    const mjtNum* q = data_->qpos;
    const mjtNum* v = data_->qvel;
    State s;
    s.part_pose = {q[kX] / kUnitsPerMm, q[kY] / kUnitsPerMm, q[kAngle]};
    s.part_velocity = {v[kX] / kUnitsPerMm, v[kY] / kUnitsPerMm, v[kAngle]};
    s.jaw_right_mm = q[kRight] / kUnitsPerMm;
    s.jaw_left_mm = q[kLeft] / kUnitsPerMm;
    s.jaw_right_mm_s = v[kRight] / kUnitsPerMm;
    s.jaw_left_mm_s = v[kLeft] / kUnitsPerMm;
    return s;
  }

  [[nodiscard]] bool touching() const override { return data_->ncon > 0; }

 private:
  /// The limits of the joints' frictions in the direction of the part's velocity v, by maximum
  /// power dissipation: f = -mu m g E^2 v / |E v|, E = diag(e_t, e_o, e_r).
  void aim_support() {
    const mjtNum* v = data_->qvel;
    const Vec3 e(support_.e_t, support_.e_o, support_.e_r_mm * kUnitsPerMm);
    const Vec3 slip = e.cwiseProduct(Vec3(v[kX], v[kY], v[kAngle]));
    const double norm = slip.norm();
    Vec3 share = Vec3::Ones();
    if (norm > kRestMmPerS * kUnitsPerMm) share = slip.cwiseAbs() / norm;
    for (int i = 0; i < 3; ++i) {
      model_->dof_frictionloss[i] = friction_mn_ * kUnitsPerMm * e[i] * share[i];
    }
  }

  EllipsoidSupport support_;
  std::unique_ptr<mjModel, ModelDeleter> model_;
  std::unique_ptr<mjData, DataDeleter> data_;
  double friction_mn_ = 0.0;
};

}  // namespace

std::unique_ptr<Engine> make_mujoco_engine(const Scenario& scenario, double step_s,
                                           const MujocoSettings& settings) {
  const auto* support = std::get_if<EllipsoidSupport>(&scenario.support);
  if (support == nullptr) {
    throw std::invalid_argument(
        "MuJoCo: the support must be the ellipsoid; joint friction knows no tripod");
  }
  return std::make_unique<MujocoEngine>(scenario, *support, step_s, settings);
}

}  // namespace graspmap::bench
