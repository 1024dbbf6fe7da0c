#include "lab/planar/linear/linear_steppers.hpp"

#include <algorithm>

#include "lab/planar/linear/linear_step.hpp"
#include "lab/planar/linear/linearise.hpp"
#include "lab/planar/linear/solve_linear_step.hpp"

namespace graspmap {
namespace {

class StewartTrinkle : public PlanarStepper {
 public:
  explicit StewartTrinkle(const StepperSettings& settings) : settings_(settings) {}

  void step(const PlanarScene& scene, const PlanarState& start, double h,
            PlanarStep& step) override {
    Eigen::VectorXd nu_at = start.nu;
    if (settings_.linearise_at_start) nu_at.setZero();
    const StepPoint point = step_point(scene, start, h, nu_at);
    std::vector<ContactKey> keys = candidate_contacts(scene, start, point.at, h, settings_);
    step.iterations = 0;
    bool again = true;
    while (again) {  // ends: there are finitely many contacts
      solve(point, keys, GapTerm::kPosition, step);
      again = step.status == mcp::Status::kSolved && add_overlapping(scene, step.end, 0.0, keys);
    }
  }

 protected:
  void solve(const StepPoint& point, const std::vector<ContactKey>& keys, GapTerm gap_term,
             PlanarStep& step) const {
    const LinearStep linear = linearise(point, keys, gap_term, settings_.table_directions);
    StepSolution solution;
    step.status = solve_linear_step(linear, settings_.tolerance, solution, step.unknowns).status;
    ++step.iterations;
    const SolutionResidual residual = solution_residual(linear, solution);
    step.residual = residual.value;
    step.worst_contact = residual.worst_contact;
    set_outcome(point.scene, point.start, point.h, linear, solution, step);
  }

  StepperSettings settings_;
};

class AnitescuPotra : public StewartTrinkle {
 public:
  using StewartTrinkle::StewartTrinkle;

  void step(const PlanarScene& scene, const PlanarState& start, double h,
            PlanarStep& step) override {
    const StepPoint point = step_point(scene, start, h, start.nu);
    StepperSettings touching = settings_;
    touching.active_gap_mm = std::max(settings_.active_gap_mm, closed_gap_mm(scene, start, h));
    const auto keys = candidate_contacts(scene, start, point.at, h, touching);
    step.iterations = 0;
    solve(point, keys, GapTerm::kVelocity, step);
  }
};

}  // namespace

std::unique_ptr<PlanarStepper> make_stewart_trinkle(const StepperSettings& settings) {
  return std::make_unique<StewartTrinkle>(settings);
}

std::unique_ptr<PlanarStepper> make_anitescu_potra(const StepperSettings& settings) {
  return std::make_unique<AnitescuPotra>(settings);
}

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
