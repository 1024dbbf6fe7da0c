#include "lab/planar/linear/stewart_trinkle.hpp"

#include <algorithm>

#include "lab/planar/linear/candidates.hpp"
#include "lab/planar/linear/linearise.hpp"
#include "lab/planar/linear/solve_linear_step.hpp"
#include "lab/planar/linear/step_outcome.hpp"

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

}  // namespace graspmap
