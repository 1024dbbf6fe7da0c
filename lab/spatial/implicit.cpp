#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>
#include <variant>
#include <vector>

#include "lab/mcp/semismooth_newton.hpp"
#include "lab/spatial/contact_frame.hpp"
#include "lab/spatial/implicit_guess.hpp"
#include "lab/spatial/implicit_problem.hpp"
#include "lab/spatial/lift_off.hpp"
#include "lab/spatial/near_pairs.hpp"
#include "lab/spatial/stepper.hpp"

namespace graspmap {
namespace {

using mcp::ComplementarityFunction;

/// The guesses in the order of the tries.
std::vector<SpatialGuess> guesses() {
  std::vector<SpatialGuess> list{{true, 0, 0.1, 0.5}, {true, 1, 0.1, 0.0}};
  for (const double p_n : {0.5, 0.0}) {
    for (const int facets : {0, 1, 2, 3}) {
      for (const double sigma : {0.1, 0.0, 1.0}) list.push_back({false, facets, sigma, p_n});
    }
  }
  return list;
}

/// A direction near the normal of a pair, for the choice of a frame: a half-space's normal, or the
/// line of centres.
Vec3 rough_normal(const SpatialScene& scene, const SpatialState& state, const BodyPair& pair) {
  const auto a = static_cast<std::size_t>(pair.body_a);
  const auto b = static_cast<std::size_t>(pair.body_b);
  for (const std::size_t body : {a, b}) {
    if (std::holds_alternative<HalfSpace>(scene.bodies[body].solid)) {
      return state.poses[body].orientation * Vec3::UnitZ();
    }
  }
  return (state.poses[a].position_mm - state.poses[b].position_mm).normalized();
}

void soften(const SoftLayers& layers, const SpatialState& start, double h, StepContact& contact) {
  contact.soft = soft_contact_step(layers, h);
  for (const SpatialDeflection& last : start.deflections) {
    if (last.body_a != contact.body_a || last.body_b != contact.body_b) continue;
    for (std::size_t i = 0; i < 2; ++i) {
      const Vec3& delta = last.layers_mm[i];
      contact.pressed_before_mm[i] = delta[0];
      contact.shifted_before_mm[i] = delta[1] * last.t + delta[2] * last.o;
    }
  }
}

class SpatialImplicit : public SpatialStepper {
 public:
  SpatialImplicit(const SpatialStepperSettings& settings, bool is_full)
      : settings_(settings), is_full_(is_full) {}

  void step(const SpatialScene& scene, const SpatialState& start, double h,
            SpatialStep& step) override {
    const SpatialScales scales = spatial_scales(scene, start, h);
    std::vector<BodyPair> pairs = near_pairs(scene, start, 2.0 * h * scales.velocity_mm_s);
    step.iterations = 0;
    bool again = true;
    while (again) {  // ends: there are finitely many pairs
      solve(scene, start, h, scales, pairs, step);
      again = step.status == mcp::Status::kSolved && add_overlapping(scene, step.end, pairs);
    }
  }

 private:
  void solve(const SpatialScene& scene, const SpatialState& start, double h,
             const SpatialScales& scales, const std::vector<BodyPair>& pairs,
             SpatialStep& step) const {
    SpatialStepProblem problem(scene, start, h, scales, contacts_of(scene, start, h, pairs));
    Eigen::VectorXd z;
    Eigen::VectorXd best;
    mcp::Result best_result;
    best_result.residual = std::numeric_limits<double>::infinity();
    for (const SpatialGuess& guess : guesses()) {
      for (const auto function :
           {ComplementarityFunction::kNaturalMap, ComplementarityFunction::kFischerBurmeister}) {
        z = guess_step(scene, start, h, scales, problem, guess);
        const mcp::Result result = newton(problem, function, z);
        step.iterations += result.iterations;
        if (best.size() == 0 || result.residual < best_result.residual) {
          best = z;
          best_result = result;
        }
        if (result.status == mcp::Status::kSolved) break;
        const mcp::Result lifted =
            solve_lift_off(scene, start, h, scales, problem, newton_options(), z);
        step.iterations += lifted.iterations;
        if (lifted.status != mcp::Status::kSolved) continue;
        best = z;
        best_result = lifted;
        break;
      }
      if (best_result.status == mcp::Status::kSolved || settings_.stops()) break;
    }
    set_step(problem, best, best_result, step);
  }

  [[nodiscard]] mcp::SemismoothNewtonOptions newton_options() const {
    mcp::SemismoothNewtonOptions options;
    options.tolerance = settings_.tolerance;
    options.max_iterations = settings_.max_iterations;
    options.is_stopped = settings_.is_stopped;
    return options;
  }

  mcp::Result newton(SpatialStepProblem& problem, ComplementarityFunction function,
                     Eigen::VectorXd& z) const {
    mcp::SemismoothNewtonOptions options = newton_options();
    options.function = function;
    return mcp::solve_semismooth_newton(problem, options, z);
  }

  static void set_step(SpatialStepProblem& problem, const Eigen::VectorXd& z,
                       const mcp::Result& result, SpatialStep& step) {
    step.status = result.status;
    step.residual = result.residual;
    step.unknowns = problem.size();
    problem.read(z, step.end);
    Eigen::VectorXd F;
    problem.evaluate(z, F);
    double worst = -1.0;
    for (int i = 0; i < problem.size(); ++i) {
      const bool is_free = problem.kind(i) == mcp::Kind::kFree;
      const double row = std::abs(is_free ? F[i] : std::min(z[i], F[i]));
      if (row <= worst) continue;
      worst = row;
      step.worst_contact = problem.contact_of_row(i);
    }
  }

  [[nodiscard]] std::vector<StepContact> contacts_of(const SpatialScene& scene,
                                                     const SpatialState& start, double h,
                                                     const std::vector<BodyPair>& pairs) const {
    std::vector<StepContact> list;
    for (const BodyPair& pair : pairs) {
      const Solid& a = scene.bodies[static_cast<std::size_t>(pair.body_a)].solid;
      const Solid& b = scene.bodies[static_cast<std::size_t>(pair.body_b)].solid;
      StepContact contact;
      contact.body_a = pair.body_a;
      contact.body_b = pair.body_b;
      const SpatialContactLaw law = contact_law(scene, pair.body_a, pair.body_b);
      contact.friction = law.friction;
      if (is_soft(law.layers)) soften(law.layers, start, h, contact);
      contact.is_condensed = !is_full_ && has_unique_closest_points(a, b);
      contact.axis = frame_axis(rough_normal(scene, start, pair));
      contact.surfaces_a = surfaces(a);
      contact.surfaces_b = surfaces(b);
      list.push_back(std::move(contact));
    }
    return list;
  }

  SpatialStepperSettings settings_;
  bool is_full_;
};

}  // namespace

std::unique_ptr<SpatialStepper> make_spatial_implicit(const SpatialStepperSettings& settings,
                                                      bool is_full) {
  return std::make_unique<SpatialImplicit>(settings, is_full);
}

}  // namespace graspmap
