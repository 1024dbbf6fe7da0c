#include "lab/planar/steppers/make_stepper.hpp"

#include <algorithm>
#include <limits>
#include <utility>
#include <variant>

#include "lab/planar/full/implicit_full.hpp"
#include "lab/planar/linear/linear_step.hpp"
#include "lab/planar/linear/linear_steppers.hpp"
#include "lab/planar/linear/linearise.hpp"
#include "lab/planar/linear/solve_linear_step.hpp"

namespace graspmap {

std::unique_ptr<PlanarStepper> make_stepper(StepperKind kind, const StepperSettings& settings) {
  switch (kind) {
    case StepperKind::kImplicit:
      return make_end_geometry_stepper(EndGeometry::kNewton, settings);
    case StepperKind::kImplicitFull:
      return make_implicit_full(settings);
    case StepperKind::kStewartTrinkle:
      return make_stewart_trinkle(settings);
    case StepperKind::kStewartTrinkleNonlinear:
      return make_end_geometry_stepper(EndGeometry::kFrozen, settings);
    case StepperKind::kAnitescuPotra:
      return make_anitescu_potra(settings);
    case StepperKind::kAnitescuHart:
      return make_anitescu_hart(settings);
    case StepperKind::kAnitescuHartUnstabilised:
      return make_anitescu_hart_unstabilised(settings);
    case StepperKind::kAnitescuHartConvex:
      return make_anitescu_hart_convex(settings);
  }
  return nullptr;
}

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

/// An iterate: impulses and velocities, with their geometry.
struct Iterate {
  StepPoint point;
  StepSolution solution;
  LinearStep linear;
  SolutionResidual residual;
};

/// True while the residual falls.
class Progress {
 public:
  void add(double residual) {
    ++since_;
    if (residual > kFall * least_) return;
    least_ = residual;
    since_ = 0;
  }
  [[nodiscard]] bool stands_still() const { return since_ >= kPatience; }

 private:
  static constexpr double kFall = 0.5;
  static constexpr int kPatience = 20;
  double least_ = std::numeric_limits<double>::infinity();
  int since_ = 0;
};

class EndGeometryStepper : public PlanarStepper {
 public:
  EndGeometryStepper(EndGeometry linearisation, const StepperSettings& settings)
      : linearisation_(linearisation), settings_(settings), full_(make_implicit_full(settings)) {}

  void step(const PlanarScene& scene, const PlanarState& start, double h,
            PlanarStep& step) override {
    if (linearisation_ == EndGeometry::kNewton && has_layers(scene)) {
      full_->step(scene, start, h, step);
      return;
    }
    step.iterations = 0;
    iterate(linearisation_, scene, start, h, step);
    if (step.status == mcp::Status::kSolved || linearisation_ == EndGeometry::kFrozen) return;
    // Newton's method overshoots for ever where the normal is constant along a boundary, as on the
    // flats of superellipses, and where contacts change their features.
    iterate(EndGeometry::kFrozen, scene, start, h, step);
    if (settings_.stops()) return;
    if (step.status == mcp::Status::kSolved || !has_full_problem(scene)) return;
    if (presses_on_flat(scene, step)) solve_full(scene, start, h, step);
  }

 private:
  static constexpr int kFreeIterations = 8;  // that may increase the residual
  static constexpr int kMaxBacktracks = 5;

  /// Laws with `layers` are solved in the full problem only.
  static bool has_layers(const PlanarScene& scene) {
    return std::any_of(scene.laws.begin(), scene.laws.end(),
                       [](const ContactLaw& law) { return is_soft(law.layers); });
  }

  /// Whether the step with the closest points as unknowns has the same solutions: there friction on
  /// tables is not polyhedral, and two polygons have one soft layer, not one a vertex.
  static bool has_full_problem(const PlanarScene& scene) {
    const auto is_soft = [](const ContactLaw& law) { return law.soft.has_value(); };
    return scene.tables.empty() && std::none_of(scene.laws.begin(), scene.laws.end(), is_soft);
  }

  /// True when an impulse acts on a superellipse with flats: there the closest point depends
  /// on the last bits of the angle.
  static bool presses_on_flat(const PlanarScene& scene, const PlanarStep& step) {
    const auto has_flats = [&](int body, int shape) {
      const auto& placed =
          scene.bodies[static_cast<std::size_t>(body)].shapes[static_cast<std::size_t>(shape)];
      const auto* smooth = std::get_if<Superellipse>(&placed.shape);
      return smooth != nullptr && smooth->exponent > 2.0;
    };
    return std::any_of(step.contacts.begin(), step.contacts.end(), [&](const PlanarContact& c) {
      return c.p_n > 0.0 &&
             (has_flats(c.key.body_a, c.key.shape_a) || has_flats(c.key.body_b, c.key.shape_b));
    });
  }

  /// The step as Chakraborty et al. 2014, eq. (21)-(22), (28)-(32): closest points that are
  /// unknowns are well determined on flats too.
  void solve_full(const PlanarScene& scene, const PlanarState& start, double h,
                  PlanarStep& step) const {
    const int iterations = step.iterations;
    full_->step(scene, start, h, step);
    step.iterations += iterations;
  }

  void iterate(EndGeometry linearisation, const PlanarScene& scene, const PlanarState& start,
               double h, PlanarStep& step) const {
    std::vector<ContactKey> keys = candidate_contacts(scene, start, start, h, settings_);
    Iterate now{step_point(scene, start, h, start.nu), {}, {}, {}};
    now.linear = linearise(now.point, keys);
    now.solution = free_motion(now.linear);
    now.solution.nu = start.nu;
    step.status = mcp::Status::kIterationLimit;
    Progress progress;
    for (int i = 0; i < settings_.max_iterations && !progress.stands_still() && !settings_.stops();
         ++i) {
      ++step.iterations;
      const mcp::Status solved =
          go_on(linearisation, i < kFreeIterations, keys, now, step.unknowns);
      if (solved != mcp::Status::kSolved) {
        step.status = solved;
        break;
      }
      const bool is_new = take_in_overlapping(keys, now);
      if (!is_new && now.residual.value <= settings_.tolerance) {
        step.status = mcp::Status::kSolved;
        break;
      }
      progress.add(now.residual.value);
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

  /// Adds the contacts that were left out and overlap at the iterate. False when no contact does.
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

  /// The next iterate from the last one. Where Newton's linear step ends in a ray, the frozen one's
  /// solution replaces it, or Newton's within the pattern of that one if it is better.
  mcp::Status go_on(EndGeometry linearisation, bool may_get_worse,
                    const std::vector<ContactKey>& keys, Iterate& now, int& unknowns) const {
    StepSolution next;
    LinearStep newton = now.linear;
    if (linearisation == EndGeometry::kNewton) {
      add_geometric_terms(now.point, now.solution, newton);
      if (is_close(solve_linear_step(newton, settings_.tolerance, next, unknowns))) {
        move_towards(next, may_get_worse, keys, now);
        return mcp::Status::kSolved;
      }
    }
    const mcp::Result result = solve_linear_step(now.linear, settings_.tolerance, next, unknowns);
    if (!is_close(result)) return result.status;
    if (linearisation == EndGeometry::kNewton && improve_in_pattern(newton, next, keys, now)) {
      return mcp::Status::kSolved;
    }
    move_towards(next, may_get_worse, keys, now);
    return mcp::Status::kSolved;
  }

  /// Takes Newton's step within the pattern of a solution if it lowers the residual much.
  bool improve_in_pattern(const LinearStep& newton, StepSolution pattern,
                          const std::vector<ContactKey>& keys, Iterate& now) const {
    constexpr double kMuch = 0.25;
    if (!solve_in_pattern(newton, pattern)) return false;
    const StepSolution from = now.solution;
    const double before = now.residual.value;
    set(std::move(pattern), keys, now);
    if (now.residual.value < kMuch * before) return true;
    set(from, keys, now);
    return false;
  }

  /// Good enough for an iterate: the rest of an ill-conditioned linear step's residual falls in the
  /// next iterations, and the nonlinear residual decides.
  static bool is_close(const mcp::Result& result) {
    constexpr double kClose = 1e-3;
    return result.status == mcp::Status::kSolved || result.residual <= kClose;
  }

  EndGeometry linearisation_;
  StepperSettings settings_;
  std::unique_ptr<PlanarStepper> full_;
};

}  // namespace

std::unique_ptr<PlanarStepper> make_end_geometry_stepper(EndGeometry linearisation,
                                                         const StepperSettings& settings) {
  return std::make_unique<EndGeometryStepper>(linearisation, settings);
}

}  // namespace graspmap
