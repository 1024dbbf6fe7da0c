#include "sim/closing/step_equations.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "sim/closing/broad_phase.hpp"
#include "tests/support/outline_shapes.hpp"
#include "tests/support/scenes.hpp"
#include "tests/support/supports.hpp"

using namespace graspmap;
using namespace graspmap::testing;

namespace {

using Residual = Eigen::VectorXd;

/// A step of one to three pieces that touch both jaws with impulses of the right size. Whatever the
/// features, the unknowns are not a solution.
struct Case {
  const char* name;
  Superellipse shape;
  double y_mm;                 ///< of the piece's centre: far below 0 touches the inside edges
  double theta_rad;            ///< of the part
  double separation_mm = 0.0;  ///< of two such pieces along y, or a single one
};

/// Data of a step as the model prescribes them, for a part of 50 g.
StepData step_data(const ContactBodies& bodies, Coupling coupling, double h) {
  StepData data;
  const double F = 10000.0;
  const double V = 50.0;
  const double m = 0.05;
  const double I = 8.0;
  const double jaws = coupling == Coupling::kSymmetric ? 2.0 : 1.0;
  data.bodies = &bodies;
  data.jaws = JawCoordinates(coupling);
  data.h = h;
  data.force_s = h;
  data.jaw_mass_kg = 0.2;
  data.inertia << m, m, I, jaws * (0.2 + h * F / V), jaws * (0.2 + h * F / V);
  data.free_impulse << 0.3, -0.2, 2.0, -jaws * (0.2 * 30.0 + h * F), 0.2 * 30.0 + h * F;
  data.support_impulse_limit = h * 0.4 * m * 9810.0;
  data.velocity_scale = V;
  data.impulse_scale = h * F;
  data.length_scale = std::sqrt(I / m);
  return data;
}

/// What a contact's tangential equation asks to vanish in its mode.
double friction_law(const StepData& data, double mu, ContactMode mode, double p_n, double p_t,
                    double v_t) {
  switch (mode) {
    case ContactMode::kOpen:
      return p_t / data.impulse_scale;
    case ContactMode::kStick:
      return v_t / data.velocity_scale;
    case ContactMode::kSlipPositive:
      return (p_t - mu * p_n) / data.impulse_scale;
    case ContactMode::kSlipNegative:
      return (p_t + mu * p_n) / data.impulse_scale;
  }
  return 0.0;
}

/// p_s - Proj(p_s - r u) outside the ball, or the slip u where the element sticks.
Vec3 support_law(const StepData& data, bool sticks, double limit, const Vec3& p_s, const Vec3& u) {
  if (sticks) return u / data.velocity_scale;
  const Vec3 z = p_s - data.inertia[0] * u;
  return (p_s - limit * z / z.norm()) / data.impulse_scale;
}

/// The equations of a pattern at x: momentum, gaps, slips, alignments, support.
Residual residual(StepEquations& equations, const Pattern& pattern, StepUnknowns x) {
  StepEvaluation at;
  equations.evaluate(x, at);
  const StepData& data = equations.data();
  std::vector<double> r;
  for (int k = 0; k < data.jaws.velocities; ++k) r.push_back(at.dynamics[k] / data.impulse_scale);
  for (std::size_t i = 0; i < static_cast<std::size_t>(equations.pairs().size); ++i) {
    const ContactMode mode = pattern.contact[i];
    const double gap = equations.gap_mm(i, at) / data.h / data.velocity_scale;
    r.push_back(mode == ContactMode::kOpen ? x.p_n[i] : gap);
    r.push_back(friction_law(data, equations.pairs().mu[i], mode, x.p_n[i], x.p_t[i], at.v_t[i]));
    r.push_back(at.misalignment[i]);
  }
  for (std::size_t j = 0; j < static_cast<std::size_t>(equations.support.size); ++j) {
    const double limit = data.support_impulse_limit * equations.support.elements[j].share;
    Vec3 law = support_law(data, pattern.support_sticks[j], limit, x.p_s[j], at.slip[j]);
    if (equations.support.surface && !pattern.support_sticks[j]) {
      law = x.p_s[j] / data.impulse_scale - at.surface.boundary;
    }
    r.insert(r.end(), law.begin(), law.end());
  }
  return Eigen::Map<const Residual>(r.data(), static_cast<Eigen::Index>(r.size()));
}

struct Setup {
  ContactBodies bodies;
  StepData data;
  StepPairs pairs;
  StepEquations equations{data, pairs};
  StepUnknowns x;
};

std::vector<BodyPiece> pieces_of(const Case& scene) {
  std::vector<BodyPiece> pieces;
  const int count = scene.separation_mm > 0.0 ? 2 : 1;
  for (int k = 0; k < count; ++k) {
    const double y = (k - 0.5 * (count - 1)) * scene.separation_mm;
    pieces.push_back(
        {scene.shape, {0.4, y}, Rotation2(0.0), scene.shape.bounding_radius_mm(), false, 0});
  }
  return pieces;
}

/// Where a jaw's inside comes within 0.1 micrometres of the pieces: by conservative advancement.
double jaw_at_contact(const std::vector<BodyPiece>& pieces, const Vec3& pose, JawSide side) {
  double jaw = 100.0;
  for (int k = 0; k < 200; ++k) {
    double gap = std::numeric_limits<double>::infinity();
    for (const BodyPiece& piece : pieces) {
      gap = std::min(gap, closest_points(piece, Configuration(pose, jaw, -jaw), side).psi_mm);
    }
    jaw -= gap - 1e-4;
  }
  return mirror_sign(side) * jaw;
}

/// A start from which the end of the step touches both jaws.
void place(const Case& scene, Setup& setup) {
  StepData& data = setup.data;
  const bool independent = data.jaws.velocities == 5;
  setup.x.nu << 20.0, -15.0, 0.7, -30.0, independent ? 25.0 : 0.0;
  const Vec3 end(0.0, scene.y_mm, scene.theta_rad);
  data.start.part_pose = end - data.h * setup.x.nu.head<3>();
  data.start.jaw_right_mm =
      jaw_at_contact(setup.bodies.pieces, end, JawSide::kRight) + data.h * 30.0;
  data.start.jaw_left_mm = jaw_at_contact(setup.bodies.pieces, end, JawSide::kLeft) -
                           data.h * (independent ? 25.0 : 30.0);
  data.base = data.start;
}

void prepare(const Case& scene, Coupling coupling, const Support& support, Random& random,
             Setup& setup) {
  setup.bodies.pieces = pieces_of(scene);
  setup.data = step_data(setup.bodies, coupling, 0.004);
  setup.equations.support = support;
  setup.equations.begin(setup.data);
  setup.pairs.size = 0;
  for (int piece = 0; piece < static_cast<int>(setup.bodies.pieces.size()); ++piece) {
    for (const JawSide side : {JawSide::kRight, JawSide::kLeft}) {
      const auto i = static_cast<std::size_t>(setup.pairs.size++);
      setup.pairs.pair[i] = {piece, side};
      setup.pairs.mu[i] = 0.3 + 0.05 * static_cast<double>(i);
    }
  }
  place(scene, setup);
  for (std::size_t i = 0; i < static_cast<std::size_t>(setup.pairs.size); ++i) {
    setup.x.p_n[i] = random.uniform(10.0, 60.0);
    setup.x.p_t[i] = random.uniform(-3.0, 3.0);
  }
  for (Vec3& p_s : setup.x.p_s) {
    p_s = Vec3(random.uniform(-0.2, 0.2), random.uniform(-0.2, 0.2), random.uniform(-0.2, 0.2));
  }
  for (std::size_t j = 0; j < support.in_use().size(); ++j) {
    if (support.elements[j].dimension == 2) setup.x.p_s[j].z() = 0.0;
  }
}

Pattern random_pattern(Random& random, int contacts, int elements) {
  Pattern pattern;
  for (int i = 0; i < contacts; ++i) {
    pattern.contact[static_cast<std::size_t>(i)] = static_cast<ContactMode>(random.index(4));
  }
  for (int j = 0; j < elements; ++j) {
    pattern.support_sticks[static_cast<std::size_t>(j)] = random.index(2) == 0;
  }
  return pattern;
}

/// The largest unknown of a direction: impulses in h F, velocities in V, parameters in rad.
double scaled_size(const StepEquations& equations, const StepDirection& direction) {
  double size = direction.nu.lpNorm<Eigen::Infinity>() / equations.data().velocity_scale;
  const double P = equations.data().impulse_scale;
  for (std::size_t i = 0; i < static_cast<std::size_t>(equations.pairs().size); ++i) {
    size = std::max({size, std::abs(direction.p_n[i]) / P, std::abs(direction.p_t[i]) / P,
                     std::abs(direction.slide[i])});
  }
  for (const Vec3& p_s : direction.p_s) size = std::max(size, p_s.norm() / P);
  return size;
}

/// The derivative of the residual along the Newton direction, by central differences.
Residual directional_derivative(StepEquations& equations, const Pattern& pattern,
                                const StepUnknowns& x, const StepDirection& direction,
                                double step) {
  const auto at = [&](double alpha) {
    StepUnknowns moved = x;
    equations.move(x, direction, alpha, moved);
    return residual(equations, pattern, moved);
  };
  return (8.0 * (at(step) - at(-step)) - (at(2.0 * step) - at(-2.0 * step))) / (12.0 * step);
}

const Case kCases[] = {
    {"disc at the vertices", {20.0, 20.0, 2.0}, 8.0, 0.1},
    {"disc on the inside edges", {20.0, 20.0, 2.0}, -30.0, 0.1},
    {"ellipse at the vertices", {20.0, 9.0, 2.0}, 4.0, 0.6},
    {"ellipse on the inside edges", {20.0, 9.0, 2.0}, -30.0, 0.6},
    {"exponent 4 at the vertices", {12.0, 9.0, 4.0}, 5.0, 0.5},
    {"exponent 4 on the inside edges", {12.0, 9.0, 4.0}, -30.0, 0.5},
    {"exponent 8 at the vertices", {12.0, 9.0, 8.0}, 6.0, 0.7},
    {"exponent 8 on the inside edges", {12.0, 9.0, 8.0}, -30.0, 0.3},
    {"two bars on the inside edges", {12.0, 4.0, 4.0}, -40.0, 0.02, 11.0},
    {"two discs", {8.0, 8.0, 2.0}, -40.0, 0.0, 20.0},
};

/// Checks the direction of a random pattern; false when the pattern has no one solution.
bool check_direction(const char* name, Setup& setup, Random& random) {
  StepEquations& equations = setup.equations;
  const Pattern pattern = random_pattern(random, equations.pairs().size, equations.support.size);
  StepUnknowns x = setup.x;
  StepEvaluation at;
  equations.evaluate(x, at);
  equations.project(pattern, x, at);
  StepDirection direction;
  if (!equations.newton_direction(pattern, x, at, 0.0, 0.0, direction)) return false;
  const double size = std::max(1.0, scaled_size(equations, direction));
  if (size > 1e3) return false;  // hyperstatic
  INFO(name << ", direction of size " << size);
  const Residual r = residual(equations, pattern, x);
  // The curvature of a surface with flat spots changes quickly.
  const double step = equations.support.surface ? 1e-5 : 1e-4;
  const Residual change = directional_derivative(equations, pattern, x, direction, step / size);
  CHECK((change + r).lpNorm<Eigen::Infinity>() <= 1e-6 * size);
  return true;
}

}  // namespace

TEST_CASE("the Newton direction solves the linearised equations of its pattern") {
  const Support supports[] = {make_support(EllipsoidSupport{1.0, 0.8, 9.0}),
                              make_support(tripod(9.0)),
                              make_support(some_support_points(), {0.5, -1.0}),
                              make_support(tilted_ellipsoid()), make_support(cornered_surface())};
  Random random(8);
  for (const Case& scene : kCases) {
    int checked = 0;
    for (const Coupling coupling : {Coupling::kSymmetric, Coupling::kIndependent}) {
      for (const Support& support : supports) {
        for (const GripperTwist& twist : {GripperTwist{}, GripperTwist{{60.0, 40.0}, 3.0}}) {
          Setup setup;
          prepare(scene, coupling, support, random, setup);
          setup.data.twist = twist;
          for (int k = 0; k < 30; ++k) {
            checked += check_direction(scene.name, setup, random) ? 1 : 0;
          }
        }
      }
    }
    INFO(scene.name);
    CHECK(checked >= 15);
  }
}

TEST_CASE("with pads it does too, where sides come to lie flush and ellipses roll") {
  Random random(18);
  const Support support = make_support(EllipsoidSupport{1.0, 0.8, 9.0});
  for (const Case& scene : kCases) {
    int checked = 0;
    int turned = 0;
    for (const Coupling coupling : {Coupling::kSymmetric, Coupling::kIndependent}) {
      for (const double damping_s : {0.0, 0.003}) {
        Setup setup;
        prepare(scene, coupling, support, random, setup);
        const Pad pad{.normal_n_per_mm2 = 40.0,
                      .shear_n_per_mm2 = 15.0,
                      .spread_mm = 2.0,
                      .most_deflection_mm = 5.0,
                      .damping_s = damping_s};
        const Configuration end(setup.equations.state_after(setup.x));
        setup.pairs.any_soft = true;
        for (std::size_t i = 0; i < static_cast<std::size_t>(setup.pairs.size); ++i) {
          const Pair& pair = setup.pairs.pair[i];
          PadMemory memory;
          memory.deflection_mm = 0.02;
          memory.force_mn = 3000.0;
          memory.normal_energy = 1e5;
          memory.shear_mm = 0.01;
          memory.shear_mn_per_mm = 1e5;
          keep_shape(setup.bodies, pair, closest_points(setup.bodies, pair, end), memory);
          setup.pairs.pad[i] = pad_contact(pad, pad_shape(setup.bodies, pair, end, memory, 5.0),
                                           memory, {0.004, 0.004, 0.0}, end.R_GB);
          turned += setup.pairs.pad[i].deflection(50.0, end.R_GB).moment != 0.0 ? 1 : 0;
        }
        for (int k = 0; k < 40; ++k) checked += check_direction(scene.name, setup, random) ? 1 : 0;
      }
    }
    INFO(scene.name);
    CHECK(checked >= 60);
    if (scene.shape.is_disc()) CHECK(turned == 0);
    if (!scene.shape.is_disc() && scene.y_mm < -20.0) CHECK(turned > 0);
  }
}

TEST_CASE("the state after a step is the start moved by its end velocity") {
  Random random(9);
  for (const Coupling coupling : {Coupling::kSymmetric, Coupling::kIndependent}) {
    Setup setup;
    prepare(kCases[0], coupling, make_support(tripod(9.0)), random, setup);
    const State& start = setup.data.start;
    const State end = setup.equations.state_after(setup.x);
    const double h = setup.data.h;
    CHECK(end.part_velocity == setup.x.nu.head<3>());
    CHECK((end.part_pose - start.part_pose - h * end.part_velocity).norm() < 1e-14);
    CHECK(end.jaw_right_mm_s == -30.0);
    CHECK(end.jaw_left_mm_s == (coupling == Coupling::kSymmetric ? 30.0 : 25.0));
    CHECK(end.jaw_right_mm == Approx(start.jaw_right_mm + h * end.jaw_right_mm_s));
    CHECK(end.jaw_left_mm == Approx(start.jaw_left_mm + h * end.jaw_left_mm_s));
  }
}

TEST_CASE("of two contacts that meet the first carries the impulses of both") {
  const Part part{{}, {OutlinePiece{"block", {rectangle_loop(20.0, 10.0, {0.0, 0.0}), {}}, {}}}};
  BroadPhase broad_phase;
  broad_phase.set_part(part, {0.0, 0.0});
  StepData data = step_data(broad_phase.bodies(), Coupling::kSymmetric, 0.004);
  data.start.part_pose = Vec3(0.0, -20.0, 0.0);
  data.start.jaw_right_mm = 10.2;
  data.start.jaw_left_mm = -10.2;
  data.base = data.start;
  StepPairs pairs;
  StepEquations equations(data, pairs);
  equations.support = make_support(EllipsoidSupport{1.0, 1.0, 9.0});
  equations.begin(data);
  StepUnknowns x;
  x.nu.setZero();
  pairs.size = 2;
  for (std::size_t i = 0; i < 2; ++i) {
    pairs.pair[i] = {0, JawSide::kRight, 0};
    pairs.mu[i] = 0.3;
    x.point[i] = first_point(pairs.pair[i]);
  }
  x.p_n[0] = 3.0;
  x.p_n[1] = 4.0;
  x.p_t[0] = 0.5;
  x.p_t[1] = -0.2;
  StepEvaluation at;
  equations.evaluate(x, at);
  CHECK_FALSE(at.met[0]);
  CHECK(at.met[1]);
  CHECK(x.p_n[0] == Approx(7.0));
  CHECK(x.p_t[0] == Approx(0.3));
  CHECK(x.p_n[1] == 0.0);
  CHECK(x.p_t[1] == 0.0);
}
