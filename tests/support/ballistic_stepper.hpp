#pragma once

#include "lab/planar/stepper.hpp"

namespace graspmap::testing {

/// Moves every body as if there were no contacts: v + h M^-1 f, backward Euler. From `fails_at_s`
/// on it solves no step. `contacts` are reported by each step.
class BallisticStepper : public PlanarStepper {
 public:
  double fails_at_s = 1e300;
  std::vector<PlanarContact> contacts;

  void step(const PlanarScene& scene, const PlanarState& start, double h,
            PlanarStep& step) override {
    step = {};
    const Eigen::VectorXd force = applied_force(scene);
    const Eigen::VectorXd nu = start.nu + h * force.cwiseQuotient(mass_diagonal(scene));
    advance(scene, start, nu, h, step.end);
    step.contacts = contacts;
    step.iterations = 2;
    step.residual = 1e-12;
    step.worst_contact = contacts.empty() ? -1 : 0;
    const bool solved = start.time_s < fails_at_s;
    step.status = solved ? mcp::Status::kSolved : mcp::Status::kIterationLimit;
  }
};

}  // namespace graspmap::testing
