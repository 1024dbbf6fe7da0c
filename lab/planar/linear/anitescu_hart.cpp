#include "lab/planar/linear/anitescu_hart.hpp"

#include <algorithm>

#include "lab/planar/linear/candidates.hpp"
#include "lab/planar/linear/linearise.hpp"
#include "lab/planar/linear/solve_linear_step.hpp"
#include "lab/planar/linear/step_outcome.hpp"

namespace graspmap {
namespace {

enum class Variant : std::uint8_t { kStabilised, kUnstabilised, kConvex };

class AnitescuHart : public PlanarStepper {
 public:
  AnitescuHart(Variant variant, const StepperSettings& settings)
      : variant_(variant), settings_(settings) {}

  void step(const PlanarScene& scene, const PlanarState& start, double h,
            PlanarStep& step) override {
    const StepPoint point = step_point(scene, start, h, Eigen::VectorXd::Zero(scene.velocities));
    const GapTerm gap_term =
        variant_ == Variant::kUnstabilised ? GapTerm::kVelocity : GapTerm::kPosition;
    const LinearStep linear =
        linearise(point, active_contacts(point), gap_term, settings_.table_directions);
    StepSolution solution;
    const mcp::Result result = solve(linear, solution, step);
    step.status = result.status;
    step.residual = result.residual;
    step.iterations = 1;
    set_outcome(scene, start, h, linear, solution, step);
  }

 private:
  /// A(q) of (2.13).
  [[nodiscard]] std::vector<ContactKey> active_contacts(const StepPoint& point) const {
    StepperSettings settings = settings_;
    if (variant_ == Variant::kUnstabilised) {  // a gap would be kept open
      settings.active_gap_mm =
          std::max(settings.active_gap_mm, closed_gap_mm(point.scene, point.start, point.h));
    }
    return candidate_contacts(point.scene, point.start, point.at, point.h, settings);
  }

  mcp::Result solve(const LinearStep& linear, StepSolution& solution, PlanarStep& step) const {
    step.worst_contact = -1;
    if (variant_ == Variant::kConvex) {
      return solve_optimisation_step(linear, settings_.tolerance, solution, step.unknowns);
    }
    const mcp::Result result =
        solve_linear_step(linear, settings_.tolerance, solution, step.unknowns);
    step.worst_contact = solution_residual(linear, solution).worst_contact;
    return result;
  }

  Variant variant_;
  StepperSettings settings_;
};

}  // namespace

std::unique_ptr<PlanarStepper> make_anitescu_hart(const StepperSettings& settings) {
  return std::make_unique<AnitescuHart>(Variant::kStabilised, settings);
}

std::unique_ptr<PlanarStepper> make_anitescu_hart_unstabilised(const StepperSettings& settings) {
  return std::make_unique<AnitescuHart>(Variant::kUnstabilised, settings);
}

std::unique_ptr<PlanarStepper> make_anitescu_hart_convex(const StepperSettings& settings) {
  return std::make_unique<AnitescuHart>(Variant::kConvex, settings);
}

}  // namespace graspmap
