#include "lab/spatial/lift_off.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace graspmap {
namespace {

constexpr double kNextToNothing = 1e-2;  // p_n of a contact that may be open, of the step's impulse

/// u and sigma of an open contact, by its slip.
void set_slip(const StepContact& contact, const SpatialContact& at, double velocity_mm_s,
              double* impulse) {
  const EllipticFriction& law = contact.friction;
  if (law.mu <= 0.0) return;
  const Vec3 slip =
      Vec3(law.e_t * at.v_t_mm_s, law.e_o * at.v_o_mm_s, law.e_r_mm * at.w_r_rad_s) / velocity_mm_s;
  const double sigma = slip.norm();
  const Vec3 u = sigma > 0.0 ? Vec3(-slip / sigma) : Vec3::Zero();
  std::copy(u.data(), u.data() + 3, impulse + 1);
  impulse[4] = sigma;
}

}  // namespace

mcp::Result solve_lift_off(const SpatialScene& scene, const SpatialState& start, double h,
                           const SpatialScales& scales, SpatialStepProblem& problem,
                           const mcp::SemismoothNewtonOptions& options, Eigen::VectorXd& z) {
  mcp::Result result;
  if (!z.allFinite()) return result;
  std::vector<StepContact> contacts = problem.contacts();
  std::vector<std::size_t> released;
  Eigen::VectorXd trial = z;
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    double* impulse = trial.data() + contacts[k].first + contacts[k].impulse();
    if (std::abs(impulse[0]) > kNextToNothing) continue;
    released.push_back(k);
    contacts[k].friction.mu = 0.0;
    std::fill(impulse, impulse + 5, 0.0);
  }
  if (released.empty()) return result;
  SpatialStepProblem without(scene, start, h, scales, contacts);
  result = mcp::solve_semismooth_newton(without, options, trial);
  if (result.status != mcp::Status::kSolved) return result;
  SpatialState end;
  without.read(trial, end);
  for (const std::size_t k : released) {
    const StepContact& contact = problem.contacts()[k];
    double* impulse = trial.data() + contact.first + contact.impulse();
    impulse[0] = std::max(0.0, impulse[0]);
    set_slip(contact, end.contacts[k], scales.velocity_mm_s, impulse);
  }
  Eigen::VectorXd F;
  problem.evaluate(trial, F);
  result.residual = mcp::natural_residual(problem, trial, F);
  const bool is_solved = result.residual <= options.tolerance;
  result.status = is_solved ? mcp::Status::kSolved : mcp::Status::kStalled;
  if (is_solved) z = trial;
  return result;
}

}  // namespace graspmap
