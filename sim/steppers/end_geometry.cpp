#include "sim/steppers/end_geometry.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "sim/steppers/candidates.hpp"
#include "sim/steppers/linearise.hpp"
#include "sim/steppers/solve_linear_step.hpp"
#include "sim/steppers/step_outcome.hpp"

namespace graspmap {
namespace {

/// (1 - share) a + share b.
StepSolution between(const StepSolution& a, const StepSolution& b, double share) {
  StepSolution mixed = a;
  mixed.nu += share * (b.nu - a.nu);
  for (std::size_t i = 0; i < a.contacts.size(); ++i) {
    mixed.contacts[i].p_n += share * (b.contacts[i].p_n - a.contacts[i].p_n);
    mixed.contacts[i].p_core += share * (b.contacts[i].p_core - a.contacts[i].p_core);
    mixed.contacts[i].p_t += share * (b.contacts[i].p_t - a.contacts[i].p_t);
  }
  for (std::size_t i = 0; i < a.pins.size(); ++i) mixed.pins[i] += share * (b.pins[i] - a.pins[i]);
  for (std::size_t i = 0; i < a.tables.size(); ++i) {
    mixed.tables[i] += share * (b.tables[i] - a.tables[i]);
  }
  return mixed;
}

/// An iterate: impulses and velocities, with the geometry that these lead to.
struct Iterate {
  StepPoint point;
  StepSolution solution;
  LinearStep linear;
  SolutionResidual residual;
};

class EndGeometryStepper : public PlanarStepper {
 public:
  EndGeometryStepper(EndGeometry linearisation, const StepperSettings& settings)
      : linearisation_(linearisation), settings_(settings) {}

  void step(const PlanarScene& scene, const PlanarState& start, double h,
            PlanarStep& step) override {
    step.iterations = 0;
    iterate(linearisation_, scene, start, h, step);
    // Newton's method overshoots for ever where the normal stands still along a boundary, as on the
    // flats of superellipses.
    if (step.status != mcp::Status::kSolved && linearisation_ == EndGeometry::kNewton) {
      iterate(EndGeometry::kFrozen, scene, start, h, step);
    }
  }

 private:
  static constexpr int kFreeIterations = 8;  // that may increase the residual
  static constexpr int kMaxBacktracks = 5;
  static constexpr double kRounding = 16.0 * std::numeric_limits<double>::epsilon();
  static constexpr double kFlatRounding = 1e-5;

  void iterate(EndGeometry linearisation, const PlanarScene& scene, const PlanarState& start,
               double h, PlanarStep& step) const {
    std::vector<ContactKey> keys = candidate_contacts(scene, start, start, h, settings_);
    Iterate now{step_point(scene, start, h, start.nu), {}, {}, {}};
    now.linear = linearise(now.point, keys);
    now.solution = free_motion(now.linear);
    now.solution.nu = start.nu;
    step.status = mcp::Status::kIterationLimit;
    for (int i = 0; i < settings_.max_iterations; ++i) {
      ++step.iterations;
      StepSolution next;
      const mcp::Status solved = solve(now, linearisation, next, step.unknowns);
      if (solved != mcp::Status::kSolved) {
        step.status = solved;
        break;
      }
      move_towards(next, i < kFreeIterations, keys, now);
      const bool is_new = take_in_overlapping(keys, now);
      if (!is_new && now.residual.value <= tolerance(now)) {
        step.status = mcp::Status::kSolved;
        break;
      }
    }
    step.residual = now.residual.value;
    step.worst_contact = now.residual.worst_contact;
    set_outcome(scene, start, h, now.linear, now.solution, step);
  }

  [[nodiscard]] LinearStep linearise(const StepPoint& point,
                                     const std::vector<ContactKey>& keys) const {
    return graspmap::linearise(point, keys, GapTerm::kPosition, settings_.table_directions);
  }

  void set(StepSolution solution, const std::vector<ContactKey>& keys, Iterate& now) const {
    now.solution = std::move(solution);
    move_to(now.solution.nu, now.point);
    now.linear = linearise(now.point, keys);
    now.residual = solution_residual(now.linear, now.solution);
  }

  /// Takes the step to `next`, or a part of it where that has the smaller residual.
  void move_towards(const StepSolution& next, bool may_get_worse,
                    const std::vector<ContactKey>& keys, Iterate& now) const {
    const StepSolution from = now.solution;
    const double before = now.residual.value;
    set(next, keys, now);
    double share = 1.0;
    for (int i = 0; i < kMaxBacktracks && !may_get_worse && now.residual.value > before; ++i) {
      share *= 0.5;
      set(between(from, next, share), keys, now);
    }
  }

  /// The residual to reach: the setting, or what rounding of the poses leaves.
  [[nodiscard]] double tolerance(const Iterate& now) const {
    return std::max({settings_.tolerance, rounding_of_gaps(now), rounding_of_arms(now)});
  }

  /// Gaps are differences of positions, and gap / h is compared with velocities that may be as
  /// small as g h.
  static double rounding_of_gaps(const Iterate& now) {
    double largest_mm = 0.0;
    for (const Vec3& pose : now.point.at.poses) {
      largest_mm = std::max(largest_mm, pose.head<2>().cwiseAbs().maxCoeff());
    }
    const StepScales& scales = now.linear.scales;
    return kRounding * (largest_mm + scales.length_mm) / (now.point.h * scales.velocity_mm_s);
  }

  /// Where almost flat boundaries touch, the closest points move by the radius of curvature times
  /// the rounding of an angle; on the flats of superellipses of exponent 4 by its cube root.
  static double rounding_of_arms(const Iterate& now) {
    const StepScales& scales = now.linear.scales;
    double rounding = 0.0;
    for (std::size_t i = 0; i < now.linear.contacts.size(); ++i) {
      const double moves = kRounding * now.linear.contacts[i].radius_mm / scales.length_mm;
      const double p_n = now.solution.contacts[i].p_n / scales.impulse_mn_s;
      rounding = std::max(rounding, p_n * std::min(kFlatRounding, moves));
    }
    return rounding;
  }

  /// Adds the contacts that were left out and overlap at the iterate. False when there are none.
  bool take_in_overlapping(std::vector<ContactKey>& keys, Iterate& now) const {
    const double slack = overlap_tolerance_mm(now.linear, now.point.h);
    if (!add_overlapping(now.point.scene, now.point.at, slack, keys)) return false;
    now.solution.contacts.resize(keys.size());
    set(now.solution, keys, now);
    return true;
  }

  [[nodiscard]] double overlap_tolerance_mm(const LinearStep& linear, double h) const {
    return settings_.tolerance * h * linear.scales.velocity_mm_s;
  }

  /// The next iterate from the last one. Where Newton's linear step has no solution, the frozen
  /// one's stands in for it.
  mcp::Status solve(const Iterate& now, EndGeometry linearisation, StepSolution& next,
                    int& unknowns) const {
    if (linearisation == EndGeometry::kNewton) {
      LinearStep newton = now.linear;
      add_geometric_terms(now.point, now.solution, newton);
      if (is_close(solve_linear_step(newton, settings_.tolerance, next, unknowns))) {
        return mcp::Status::kSolved;
      }
    }
    const mcp::Result result = solve_linear_step(now.linear, settings_.tolerance, next, unknowns);
    return is_close(result) ? mcp::Status::kSolved : result.status;
  }

  /// Good enough for an iterate: what is left of an ill-conditioned linear step's residual falls in
  /// the next iterations, and the nonlinear residual decides.
  static bool is_close(const mcp::Result& result) {
    constexpr double kClose = 1e-3;
    return result.status == mcp::Status::kSolved || result.residual <= kClose;
  }

  EndGeometry linearisation_;
  StepperSettings settings_;
};

}  // namespace

std::unique_ptr<PlanarStepper> make_end_geometry_stepper(EndGeometry linearisation,
                                                         const StepperSettings& settings) {
  return std::make_unique<EndGeometryStepper>(linearisation, settings);
}

}  // namespace graspmap
