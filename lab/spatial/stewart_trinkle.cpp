#include <algorithm>
#include <memory>
#include <vector>

#include "lab/spatial/linear_contact_step.hpp"
#include "lab/spatial/near_pairs.hpp"
#include "lab/spatial/patch_kind.hpp"
#include "lab/spatial/step_contact.hpp"
#include "lab/spatial/stepper.hpp"

namespace graspmap {
namespace {

constexpr double kTouching = 1e-12;  // gap of points that touch, of the bodies' size
constexpr double kClosed = 1e-6;     // the same at the end of a step, for the kind of a patch

std::vector<Pose3> poses_after(const SpatialScene& scene, const SpatialState& start, double h,
                               const std::vector<Twist>& velocities) {
  std::vector<Pose3> poses = start.poses;
  for (std::size_t i = 0; i < poses.size(); ++i) {
    if (!scene.bodies[i].is_fixed) poses[i] = moved(start.poses[i], velocities[i], h);
  }
  return poses;
}

bool are_finite(const std::vector<Twist>& velocities) {
  return std::all_of(velocities.begin(), velocities.end(),
                     [](const Twist& nu) { return nu.allFinite(); });
}

/// The time-steppers of Stewart and Trinkle 2000 and of Hart and Anitescu 2003 in space: they
/// differ in where the geometry is taken and in the gap term.
class SpatialStewartTrinkle : public SpatialStepper {
 public:
  SpatialStewartTrinkle(SpatialStepperKind kind, const SpatialStepperSettings& settings)
      : kind_(kind), settings_(settings) {}

  void step(const SpatialScene& scene, const SpatialState& start, double h,
            SpatialStep& step) override;

 private:
  /// A step's data, and the points and velocities found so far.
  struct Progress {
    const SpatialScene& scene;
    const SpatialState& start;
    double h;
    SpatialScales scales;
    FreeBodies free;
    std::vector<BodyPair> pairs;
    std::vector<PointPair> points;
    std::vector<Vec3> axes;  // of the points' tangents
    std::vector<Twist> v_hat;
  };

  [[nodiscard]] Progress begin(const SpatialScene& scene, const SpatialState& start,
                               double h) const;
  [[nodiscard]] bool is_hart() const {
    return kind_ == SpatialStepperKind::kAnitescuHart ||
           kind_ == SpatialStepperKind::kAnitescuHartUnstabilised;
  }
  [[nodiscard]] bool holds_velocities() const {
    return kind_ == SpatialStepperKind::kAnitescuPotra ||
           kind_ == SpatialStepperKind::kAnitescuHartUnstabilised;
  }
  void solve_linear(const Progress& progress, SpatialStep& step) const;
  static bool add_closed(Progress& progress, const std::vector<Twist>& velocities);
  void iterate_geometry(Progress& progress, SpatialStep& step) const;

  SpatialStepperKind kind_;
  SpatialStepperSettings settings_;
};

SpatialStewartTrinkle::Progress SpatialStewartTrinkle::begin(const SpatialScene& scene,
                                                             const SpatialState& start,
                                                             double h) const {
  const SpatialScales scales = spatial_scales(scene, start, h);
  const double reach = 2.0 * h * scales.velocity_mm_s;
  return {
      scene,
      start,
      h,
      scales,
      free_bodies(scene, start, h),
      near_pairs(scene, start, reach),
      {},
      {},
      is_hart() ? std::vector<Twist>(start.velocities.size(), Twist::Zero()) : start.velocities};
}

/// Adds points that touch or overlap after the step at given velocities.
bool SpatialStewartTrinkle::add_closed(Progress& progress, const std::vector<Twist>& velocities) {
  SpatialState end;
  end.poses = poses_after(progress.scene, progress.start, progress.h, velocities);
  add_overlapping(progress.scene, end, progress.pairs);
  const double touching_mm = kTouching * progress.scales.length_mm;
  const bool has_more =
      add_closed_points(progress.scene, end.poses, progress.pairs, touching_mm, progress.points);
  add_tangent_axes(progress.scene, progress.start.poses, progress.points, progress.axes);
  return has_more;
}

/// Solves the linear step at q^l + h v^ and fills `step`, but for the iterations.
void SpatialStewartTrinkle::solve_linear(const Progress& progress, SpatialStep& step) const {
  const std::vector<Pose3> q_hat =
      poses_after(progress.scene, progress.start, progress.h, progress.v_hat);
  const auto contacts = linear_contacts(progress.scene, q_hat, progress.points, progress.axes);
  const auto gap_term = holds_velocities() ? SpatialGapTerm::kVelocity : SpatialGapTerm::kPosition;
  const LinearContactStep linear(progress.free, contacts, progress.v_hat, q_hat, progress.h,
                                 gap_term, progress.scene.joints);
  const ContactSpaceSolution solution = linear.solve(settings_);
  step.status = solution.status;
  step.residual = solution.residual;
  step.unknowns = solution.unknowns;
  advance(progress.scene, progress.start, linear.velocities(solution.p), progress.h, step.end);
  if (!are_finite(step.end.velocities)) {
    step.status = mcp::Status::kNotFinite;
    return;
  }
  step.end.joint_impulses = linear.joint_loads(solution.p);
  const auto at_end =
      linear_contacts(progress.scene, step.end.poses, progress.points, progress.axes);
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    SpatialContact contact = linear.contact(k, solution.p);
    contact.on_a_mm = at_end[k].at.on_a_mm;
    contact.on_b_mm = at_end[k].at.on_b_mm;
    contact.normal = at_end[k].at.normal;
    contact.t = at_end[k].t;
    contact.o = at_end[k].o;
    contact.gap_mm = at_end[k].at.gap_mm;
    step.end.contacts.push_back(contact);
  }
  set_patches(kClosed * progress.scales.length_mm, step.end.contacts);
}

/// The nonlinear version, section 3.4: the geometry at the end that was found, until that does not
/// change by more than 1e-12 of the velocities and no more points close. With joints the tolerance
/// decides: rounding of Theta / h is larger than that in slow steps.
void SpatialStewartTrinkle::iterate_geometry(Progress& progress, SpatialStep& step) const {
  constexpr double kSame = 1e-12;
  const double same = progress.scene.joints.empty() ? kSame : std::max(kSame, settings_.tolerance);
  double change = 0.0;
  for (int i = 0; i < settings_.max_iterations; ++i) {
    solve_linear(progress, step);
    ++step.iterations;
    if (step.status != mcp::Status::kSolved) return;
    change = 0.0;
    for (std::size_t b = 0; b < progress.v_hat.size(); ++b) {
      Twist difference = step.end.velocities[b] - progress.v_hat[b];
      difference.tail<3>() *= progress.scales.length_mm;
      change = std::max(change, difference.cwiseAbs().maxCoeff() / progress.scales.velocity_mm_s);
    }
    progress.v_hat = step.end.velocities;
    const bool has_more = add_closed(progress, progress.v_hat);
    step.residual = std::max(step.residual, change);
    if (!has_more && change <= same) return;
  }
  step.status = mcp::Status::kIterationLimit;
}

void SpatialStewartTrinkle::step(const SpatialScene& scene, const SpatialState& start, double h,
                                 SpatialStep& step) {
  Progress progress = begin(scene, start, h);
  step.worst_contact = -1;
  step.iterations = 0;
  // Section 4: points that are closed at q^l + h v^l; and those that forces alone would close,
  // which holds the ones "active in the last step".
  add_closed(progress, start.velocities);
  if (holds_velocities()) {
    solve_linear(progress, step);
    ++step.iterations;
    return;
  }
  add_closed(progress, progress.free.velocities);
  if (kind_ == SpatialStepperKind::kStewartTrinkleNonlinear) {
    iterate_geometry(progress, step);
    return;
  }
  bool again = true;
  while (again) {  // ends: there are finitely many points
    solve_linear(progress, step);
    ++step.iterations;
    again = step.status == mcp::Status::kSolved && add_closed(progress, step.end.velocities);
  }
}

}  // namespace

std::unique_ptr<SpatialStepper> make_spatial_stewart_trinkle(
    SpatialStepperKind kind, const SpatialStepperSettings& settings) {
  return std::make_unique<SpatialStewartTrinkle>(kind, settings);
}

}  // namespace graspmap
