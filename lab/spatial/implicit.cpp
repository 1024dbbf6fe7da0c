#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>
#include <variant>
#include <vector>

#include "lab/mcp/minimum_norm.hpp"
#include "lab/mcp/semismooth_newton.hpp"
#include "lab/solids/closest_points3.hpp"
#include "lab/spatial/implicit_problem.hpp"
#include "lab/spatial/scene.hpp"
#include "lab/spatial/stepper.hpp"

namespace graspmap {
namespace {

/// The starts of Newton's method.
struct SpatialGuess {
  bool from_last = false;  ///< contacts that carried an impulse in the last step do so again
  int facets = 0;  ///< of a box or cylinder that touches: 1 face, 2 edge, 3 vertex (as many as it
                   ///< has); 0: those of its closest point
  double sigma = 0.1;  ///< slip of a new contact, in units of the scales
  double p_n = 0.5;    ///< impulse of a new contact, in the same units
};

/// The point of a solid that touches what lies along `direction`, body axes, with `facets` >= 1 of
/// its surfaces.
Vec3 touching_point(const Solid& solid, const Vec3& direction, int facets) {
  if (const auto* box = std::get_if<Box3>(&solid)) {
    std::array<int, 3> axes{0, 1, 2};
    std::stable_sort(axes.begin(), axes.end(),
                     [&](int i, int j) { return std::abs(direction[i]) > std::abs(direction[j]); });
    Vec3 point = Vec3::Zero();
    for (std::size_t k = 0; k < static_cast<std::size_t>(facets); ++k) {
      point[axes[k]] = std::copysign(box->half_extents_mm[axes[k]], direction[axes[k]]);
    }
    return point;
  }
  if (const auto* cylinder = std::get_if<Cylinder>(&solid)) {
    const Vec3 across(direction.x(), direction.y(), 0.0);
    const Vec3 end(0.0, 0.0, std::copysign(cylinder->half_length_mm, direction.z()));
    if (facets == 1 && std::abs(direction.z()) > across.norm()) return end;
    if (across.norm() == 0.0) return end;
    const Vec3 rim = cylinder->radius_mm * across.normalized();
    return facets == 1 ? rim : Vec3(rim + end);
  }
  return support_point(solid, direction);
}

/// l >= 0 with sum l_i grad f_i(x) near to `y`, of the functions on whose surface x lies.
Eigen::VectorXd multipliers(const std::vector<Surface>& surfaces, const Vec3& x, const Vec3& y,
                            double near_mm) {
  std::vector<int> active;
  Eigen::VectorXd l = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(surfaces.size()));
  for (std::size_t i = 0; i < surfaces.size(); ++i) {
    if (std::abs(surface_value(surfaces[i], x)) < near_mm) {
      active.push_back(static_cast<int>(i));
    }
  }
  while (!active.empty()) {
    Eigen::MatrixXd G(3, static_cast<Eigen::Index>(active.size()));
    for (std::size_t k = 0; k < active.size(); ++k) {
      const Surface& surface = surfaces[static_cast<std::size_t>(active[k])];
      G.col(static_cast<Eigen::Index>(k)) = surface_gradient(surface, x);
    }
    const Eigen::VectorXd weights = mcp::MinimumNorm(G).solve(y);
    Eigen::Index worst = 0;
    if (weights.minCoeff(&worst) >= 0.0) {
      for (std::size_t k = 0; k < active.size(); ++k) {
        l[active[k]] = weights[static_cast<Eigen::Index>(k)];
      }
      return l;
    }
    active.erase(active.begin() + worst);
  }
  return l;
}

/// The poses and velocities at the end of free motion.
struct FreeMotion {
  std::vector<Twist> velocities;
  std::vector<Pose3> poses;
};
FreeMotion free_motion(const SpatialScene& scene, const SpatialState& start, double h) {
  FreeMotion free{applied_impulses(scene, start, h), start.poses};
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    const SpatialBody& body = scene.bodies[i];
    if (body.is_fixed) continue;
    Twist& nu = free.velocities[i];
    nu.head<3>() = start.velocities[i].head<3>() + nu.head<3>() / body.mass_kg;
    nu.tail<3>() = start.velocities[i].tail<3>() +
                   inertia_in_world(body, start.poses[i]).inverse() * nu.tail<3>();
    free.poses[i] = moved(start.poses[i], nu, h);
  }
  return free;
}

class Guesser {
 public:
  Guesser(const SpatialScene& scene, const SpatialState& start, const SpatialScales& scales,
          const SpatialStepProblem& problem, const SpatialGuess& guess, FreeMotion free)
      : scene_(scene),
        start_(start),
        scales_(scales),
        problem_(problem),
        guess_(guess),
        free_(std::move(free)) {}

  Eigen::VectorXd run() {
    z_.setZero(problem_.size());
    for (std::size_t i = 0; i < scene_.bodies.size(); ++i) {
      const int first = problem_.first_of(static_cast<int>(i));
      if (first < 0) continue;
      z_.segment<6>(first) = free_.velocities[i] / scales_.velocity_mm_s;
      z_.segment<3>(first + 3) *= scales_.length_mm;
    }
    for (std::size_t k = 0; k < problem_.contacts().size(); ++k) {
      const StepContact& contact = problem_.contacts()[k];
      const SpatialContact* last = last_contact(contact);
      const auto a = static_cast<std::size_t>(contact.body_a);
      const auto b = static_cast<std::size_t>(contact.body_b);
      const SolidContact near = closest_points(scene_.bodies[a].solid, free_.poses[a],
                                               scene_.bodies[b].solid, free_.poses[b]);
      set_impulse(contact, last, near.gap_mm);
      if (!contact.is_condensed) set_points(k, last, near);
    }
    return z_;
  }

 private:
  [[nodiscard]] const SpatialContact* last_contact(const StepContact& contact) const {
    if (!guess_.from_last) return nullptr;
    for (const SpatialContact& last : start_.contacts) {
      const bool is_it = last.body_a == contact.body_a && last.body_b == contact.body_b;
      if (is_it && last.patch != PatchKind::kOpen) return &last;
    }
    return nullptr;
  }

  void set_impulse(const StepContact& contact, const SpatialContact* last, double gap_mm) {
    double* z = z_.data() + contact.first + contact.impulse();
    z[0] = guess_.from_last && gap_mm > 0.0 ? 0.0 : guess_.p_n;
    z[4] = guess_.sigma;
    if (last == nullptr) return;
    const EllipticFriction& law = contact.friction;
    const auto part = [&](double p, double e) {
      return e * law.mu > 0.0 ? p / (e * law.mu * last->p_n) : 0.0;
    };
    z[0] = last->p_n / scales_.impulse_mn_s;
    for (std::size_t i = 0; contact.soft && i < 2; ++i) {
      z[5 + i] = last->p_core[i] / scales_.impulse_mn_s;
    }
    z[1] = part(last->p_t, law.e_t);
    z[2] = part(last->p_o, law.e_o);
    z[3] = part(last->p_r, law.e_r_mm);
    z[4] = law.mu > 0.0 ? last->sigma_mm_s / scales_.velocity_mm_s : 0.0;
  }

  /// a_1, a_2, s and the multipliers.
  void set_points(std::size_t k, const SpatialContact* last, const SolidContact& near) {
    const StepContact& contact = problem_.contacts()[k];
    const auto a = static_cast<std::size_t>(contact.body_a);
    const auto b = static_cast<std::size_t>(contact.body_b);
    const Vec3 n = last != nullptr ? last->normal : near.normal;
    Vec3 a1 = near.on_a_mm;
    Vec3 a2 = near.on_b_mm;
    if (last != nullptr) {
      a1 = last->on_a_mm + moved_by(a, b);
      a2 = last->on_b_mm + moved_by(a, b);
    } else if (guess_.facets > 0) {
      touching_points(a, b, n, a1, a2);
    }
    double* z = z_.data() + contact.first;
    for (int i = 0; i < 3; ++i) {
      z[i] = (a1[i] - problem_.origin_mm(k)[i]) / scales_.length_mm;
      z[3 + i] = (a2[i] - problem_.origin_mm(k)[i]) / scales_.length_mm;
    }
    z[6] = n.dot(a1 - a2) / scales_.gap_mm;
    const auto weigh = [&](std::size_t body, const std::vector<Surface>& surfaces, const Vec3& at,
                           const Vec3& y, double* l) {
      const double near_mm = std::max(1e-3 * scales_.length_mm, 2.0 * scales_.gap_mm);
      const Pose3& pose = free_.poses[body];
      const Vec3 local_y = pose.orientation.conjugate() * y;
      const Eigen::VectorXd weights = multipliers(surfaces, pose.to_body(at), local_y, near_mm);
      std::copy(weights.data(), weights.data() + weights.size(), l);
    };
    weigh(a, contact.surfaces_a, a1, -n, z + contact.multiplier_a());
    weigh(b, contact.surfaces_b, a2, n, z + contact.multiplier_b());
  }

  /// Moves the contact of two bodies with the one that moves.
  [[nodiscard]] Vec3 moved_by(std::size_t a, std::size_t b) const {
    const std::size_t body = scene_.bodies[a].is_fixed ? b : a;
    return free_.poses[body].position_mm - start_.poses[body].position_mm;
  }

  [[nodiscard]] Vec3 touching_point_of(std::size_t body, const Vec3& direction) const {
    const Pose3& pose = free_.poses[body];
    const Vec3 local = pose.orientation.conjugate() * direction;
    return pose.to_world(touching_point(scene_.bodies[body].solid, local, guess_.facets));
  }

  void touching_points(std::size_t a, std::size_t b, const Vec3& n, Vec3& a1, Vec3& a2) const {
    const auto on_plane = [&](std::size_t plane, const Vec3& point) -> Vec3 {
      return point - n * n.dot(point - free_.poses[plane].position_mm);
    };
    if (std::holds_alternative<HalfSpace>(scene_.bodies[b].solid)) {
      a1 = touching_point_of(a, -n);
      a2 = on_plane(b, a1);
    } else if (std::holds_alternative<HalfSpace>(scene_.bodies[a].solid)) {
      a2 = touching_point_of(b, n);
      a1 = on_plane(a, a2);
    } else {
      a1 = touching_point_of(a, -n);
      a2 = touching_point_of(b, n);
    }
  }

  const SpatialScene& scene_;
  const SpatialState& start_;
  const SpatialScales& scales_;
  const SpatialStepProblem& problem_;
  const SpatialGuess& guess_;
  FreeMotion free_;
  Eigen::VectorXd z_;
};

/// The unknowns of a step: free motion, and the contacts as `guess` says. A function of its
/// arguments alone.
Eigen::VectorXd guess_step(const SpatialScene& scene, const SpatialState& start, double h,
                           const SpatialScales& scales, const SpatialStepProblem& problem,
                           const SpatialGuess& guess) {
  return Guesser(scene, start, scales, problem, guess, free_motion(scene, start, h)).run();
}

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
