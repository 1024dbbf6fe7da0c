#include <catch2/catch.hpp>
#include <cmath>
#include <random>

#include "lab/articulated/simulate_articulated.hpp"
#include "lab/spatial/implicit_problem.hpp"
#include "lab/spatial/stepper.hpp"
#include "tests/lab/articulated/articulated_systems.hpp"
#include "tests/support/keep_largest.hpp"
#include "tests/support/numeric_jacobian.hpp"
#include "tests/support/spatial_scenes.hpp"

using namespace graspmap;

namespace {

constexpr double kJointGravity = 9810.0;  // mm/s^2

SpatialBody anchor() {
  SpatialBody body;
  body.name = "anchor";
  body.solid = Sphere{1.0};
  body.is_fixed = true;
  return body;
}

void join(SpatialScene& scene, SpatialJointKind kind, int a, int b, const Vec3& at_mm,
          const Vec3& axis = Vec3::UnitZ()) {
  const auto pose = [&](int body) { return scene.bodies[static_cast<std::size_t>(body)].pose; };
  scene.joints.push_back(joint_at(kind, a, pose(a), b, pose(b), at_mm, axis));
  scene.laws.push_back({std::min(a, b), std::max(a, b), {}, false});
}

struct Seen {
  std::vector<SpatialState> states;
  double gap_mm = 0.0;
  double gap_rad = 0.0;
};

Seen run_joined(const SpatialScene& scene, SpatialStepperKind kind, double h, int steps) {
  Seen seen;
  const auto stepper = make_spatial_stepper(kind, {});
  seen.states.push_back(start_state(scene));
  const bool solved =
      run_spatial(scene, *stepper, h, steps, [&](const SpatialState&, const SpatialStep& step) {
        seen.states.push_back(step.end);
        for (const SpatialJoint& joint : scene.joints) {
          const auto& poses = step.end.poses;
          const JointGap gap = joint_gap(joint, poses[static_cast<std::size_t>(joint.body_a)],
                                         poses[static_cast<std::size_t>(joint.body_b)]);
          testing::keep_largest(seen.gap_mm, gap.mm);
          testing::keep_largest(seen.gap_rad, gap.rad);
        }
      });
  REQUIRE(solved);
  return seen;
}

/// A ball on a string of length l at 0.6 rad from the vertical that goes round at the steady rate,
/// Omega^2 = g / (l cos).
constexpr double kString_mm = 500.0;
constexpr double kCone_rad = 0.6;
double steady_rate() { return std::sqrt(kJointGravity / (kString_mm * std::cos(kCone_rad))); }
SpatialScene conical_pendulum() {
  SpatialScene scene;
  const Vec3 place = kString_mm * Vec3(std::sin(kCone_rad), 0.0, -std::cos(kCone_rad));
  scene.bodies = {anchor(), uniform("ball", Sphere{50.0}, 2.0, place)};
  const Vec3 w(0.0, 0.0, steady_rate());
  scene.bodies[1].velocity = twist(w.cross(place), w);
  join(scene, SpatialJointKind::kSpherical, 1, 0, Vec3::Zero());
  return scene;
}

/// `count` boxes of 100 mm that hang on pins about y, all at `angle_rad` from the vertical.
SpatialScene box_chain(int count, double angle_rad) {
  SpatialScene scene;
  scene.bodies = {anchor()};
  const Vec3 down(std::sin(angle_rad), 0.0, -std::cos(angle_rad));
  for (int i = 0; i < count; ++i) {
    scene.bodies.push_back(
        uniform("box", Box3{Vec3(10.0, 10.0, 50.0)}, 0.2, (50.0 + 100.0 * i) * down));
    scene.bodies.back().pose.orientation =
        Eigen::Quaterniond(Eigen::AngleAxisd(-angle_rad, Vec3::UnitY()));
    join(scene, SpatialJointKind::kRevolute, i + 1, i, 100.0 * i * down, Vec3::UnitY());
  }
  for (int i = 1; i <= count; ++i) {
    for (int j = 0; j < i; ++j) scene.laws.push_back({j, i, {}, false});
  }
  return scene;
}

/// The same chain in minimal coordinates.
ArticulatedSystem same_chain(int count, double angle_rad) {
  ArticulatedSystem system;
  system.self_contact = false;
  for (int i = 0; i < count; ++i) {
    Link link;
    link.parent = i - 1;
    link.joint.axis = Vec3::UnitY();
    link.joint.at_mm = i == 0 ? Vec3(Vec3::Zero()) : Vec3(0.0, 0.0, -100.0);
    link.mass_kg = 0.2;
    link.centre_of_mass_mm = {0.0, 0.0, -50.0};
    link.inertia_kg_mm2 = (0.2 / 12.0) * Vec3(10400.0, 10400.0, 800.0).asDiagonal();
    if (i == 0) link.position = Eigen::VectorXd::Constant(1, -angle_rad);
    system.links.push_back(link);
  }
  return system;
}

constexpr std::array kPositionKinds{
    SpatialStepperKind::kImplicit, SpatialStepperKind::kImplicitFull,
    SpatialStepperKind::kStewartTrinkleNonlinear, SpatialStepperKind::kAnitescuHart};

}  // namespace

TEST_CASE("the Jacobian of a step with joints is that of finite differences") {
  const auto kind = GENERATE(SpatialJointKind::kSpherical, SpatialJointKind::kRevolute,
                             SpatialJointKind::kPrismatic);
  CAPTURE(name(kind));
  SpatialScene scene;
  scene.bodies = {anchor(), uniform("a", Box3{Vec3(50.0, 40.0, 30.0)}, 2.0, {10.0, -20.0, 30.0}),
                  uniform("b", Sphere{40.0}, 3.0, {80.0, 70.0, 20.0})};
  scene.bodies[1].pose.orientation = Eigen::Quaterniond(0.8, 0.2, -0.3, 0.4).normalized();
  scene.bodies[2].pose.orientation = Eigen::Quaterniond(0.3, 0.5, 0.1, -0.7).normalized();
  scene.bodies[1].velocity = twist({100.0, 50.0, -200.0}, {1.0, -2.0, 0.5});
  scene.bodies[2].velocity = twist({-50.0, 80.0, 10.0}, {-3.0, 1.0, 2.0});
  join(scene, kind, 1, 2, {50.0, 10.0, 40.0}, Vec3(1.0, 2.0, -2.0) / 3.0);
  join(scene, kind, 0, 1, {-30.0, 5.0, 20.0}, Vec3(-2.0, 1.0, 2.0) / 3.0);
  const SpatialState start = start_state(scene);
  constexpr double kH = 0.02;
  SpatialStepProblem problem(scene, start, kH, spatial_scales(scene, start, kH), {});
  std::mt19937 random(11);
  std::uniform_real_distribution<double> real(-1.0, 1.0);
  Eigen::VectorXd z(problem.size());
  for (int i = 0; i < z.size(); ++i) z[i] = real(random);
  Eigen::VectorXd F;
  Eigen::MatrixXd J;
  problem.evaluate(z, F);
  problem.jacobian(z, J);
  const Eigen::MatrixXd numeric = testing::numeric_jacobian(problem, z, 1e-6);
  CHECK((J - numeric).cwiseAbs().maxCoeff() < 1e-7 * numeric.cwiseAbs().maxCoeff());
  CHECK(numeric.cwiseAbs().maxCoeff() > 0.5);
}

TEST_CASE("gradients of a joint's constraints are their rates") {
  SpatialJoint joint = joint_at(SpatialJointKind::kPrismatic, 0,
                                {Vec3(1.0, 2.0, 3.0), Eigen::Quaterniond::Identity()}, 1, {},
                                {4.0, 5.0, 6.0}, Vec3(2.0, -1.0, 2.0) / 3.0);
  const Pose3 a{{11.0, -2.0, 5.0}, Eigen::Quaterniond(0.8, 0.2, -0.3, 0.4).normalized()};
  const Pose3 b{{-3.0, 4.0, 1.0}, Eigen::Quaterniond(0.1, 0.9, 0.3, -0.2).normalized()};
  const Twist nu_a = twist({30.0, -20.0, 10.0}, {0.5, 1.5, -1.0});
  const Twist nu_b = twist({-5.0, 7.0, 9.0}, {-0.7, 0.2, 1.1});
  for (const auto kind :
       {SpatialJointKind::kSpherical, SpatialJointKind::kRevolute, SpatialJointKind::kPrismatic}) {
    joint.kind = kind;
    const JointEquations at(joint, a, b);
    const auto rate = (at.rows(0) * nu_a + at.rows(1) * nu_b).eval();
    constexpr double kH = 1e-6;
    const JointEquations later(joint, moved(a, nu_a, kH), moved(b, nu_b, kH));
    const JointEquations before(joint, moved(a, nu_a, -kH), moved(b, nu_b, -kH));
    const auto numeric = ((later.theta() - before.theta()) / (2.0 * kH)).eval();
    CHECK((rate - numeric).cwiseAbs().maxCoeff() < 1e-6 * rate.cwiseAbs().maxCoeff());
    CHECK(at.size() == (kind == SpatialJointKind::kSpherical ? 3 : 5));
  }
}

TEST_CASE("a conical pendulum goes round at the steady rate, the string's force holds it") {
  const SpatialScene scene = conical_pendulum();
  const double period_s = 2.0 * M_PI / steady_rate();
  for (const SpatialStepperKind kind : kPositionKinds) {
    CAPTURE(name(kind));
    double last_error = 0.0;
    for (const int steps : {200, 400}) {
      const double h = period_s / steps;
      const Seen seen = run_joined(scene, kind, h, steps);
      const Vec3 end = seen.states.back().poses[1].position_mm;
      const double error = (end - seen.states[0].poses[1].position_mm).norm();
      if (last_error > 0.0) CHECK(last_error / error == Approx(2.0).epsilon(0.1));
      last_error = error;
      // On the ball along the string: m g / cos.
      const Twist load = seen.states.back().joint_impulses[0];
      CHECK(load.head<3>().norm() / h ==
            Approx(2.0 * kJointGravity / std::cos(kCone_rad)).epsilon(10.0 / steps));
      CHECK(load.tail<3>().norm() == 0.0);
      CHECK(seen.gap_mm < (kind == SpatialStepperKind::kAnitescuHart
                               ? 2.0 * std::pow(h * steady_rate(), 2) * 500.0
                               : 1e-8));
    }
    CHECK(last_error < 0.1 * kString_mm);
  }
}

TEST_CASE("the period of a wide swing on a pin is the complete elliptic integral's") {
  constexpr double kAngle = 1.5;
  const SpatialScene scene = box_chain(1, kAngle);
  const double I = 0.2 / 12.0 * 10400.0 + 0.2 * 50.0 * 50.0;
  double a = 1.0;  // arithmetic-geometric mean of 1 and cos(angle / 2)
  double b = std::cos(0.5 * kAngle);
  for (int i = 0; i < 8; ++i) {
    const double mean = 0.5 * (a + b);
    b = std::sqrt(a * b);
    a = mean;
  }
  const double period_s = 2.0 * M_PI * std::sqrt(I / (0.2 * kJointGravity * 50.0)) / a;
  for (const SpatialStepperKind kind : kPositionKinds) {
    CAPTURE(name(kind));
    // After half a period it is on the other side, at rest.
    double last_error = 0.0;
    for (const int steps : {200, 400}) {
      const Seen seen = run_joined(scene, kind, 0.5 * period_s / steps, steps);
      const Vec3 mirrored = seen.states[0].poses[1].position_mm.cwiseProduct(Vec3(-1.0, 1.0, 1.0));
      const double error = (seen.states.back().poses[1].position_mm - mirrored).norm();
      if (last_error > 0.0) CHECK(last_error / error > 1.7);
      last_error = error;
      CHECK(seen.gap_rad < 1e-10);  // in the plane the pin's axis does not tilt
    }
    CHECK(last_error < 3.0);
  }
}

TEST_CASE("backward Euler takes energy from a swinging chain, less with smaller steps") {
  const SpatialScene scene = box_chain(3, 1.2);
  double last_loss = 0.0;
  for (const double h : {0.002, 0.001}) {
    const Seen seen =
        run_joined(scene, SpatialStepperKind::kImplicit, h, static_cast<int>(std::lround(0.6 / h)));
    double energy_j = energy(scene, seen.states[0]).total_j();
    const double start_j = energy_j;
    for (const SpatialState& state : seen.states) {
      const double now_j = energy(scene, state).total_j();
      CHECK(now_j <= energy_j + 1e-12);
      energy_j = now_j;
    }
    const double loss = start_j - energy_j;
    if (last_loss > 0.0) CHECK(last_loss / loss == Approx(2.0).epsilon(0.15));
    last_loss = loss;
  }
}

TEST_CASE("a double pendulum of joined bodies converges to that of minimal coordinates") {
  constexpr double kAngle = 1.3;
  constexpr double kTime = 0.5;
  const ArticulatedSystem system = same_chain(2, kAngle);
  ArticulatedSettings settings;
  settings.integrator = ArticulatedIntegrator::kImplicitMoreau;  // of second order
  SpatialSnapshot reference;
  const auto end = simulate_articulated(system, settings, {1e-4, kTime, 0}, [&](const auto& shown) {
    reference = shown;
    return true;
  });
  REQUIRE_FALSE(end.failure);
  const SpatialScene scene = box_chain(2, kAngle);
  for (const SpatialStepperKind kind : kPositionKinds) {
    CAPTURE(name(kind));
    double last_error = 0.0;
    for (const double h : {0.001, 0.0005}) {
      const Seen seen = run_joined(scene, kind, h, static_cast<int>(std::lround(kTime / h)));
      double error = 0.0;
      for (std::size_t i = 0; i < 2; ++i) {
        error +=
            (seen.states.back().poses[i + 1].position_mm - reference.poses[i].position_mm).norm();
      }
      if (last_error > 0.0) CHECK(last_error / error == Approx(2.0).epsilon(0.2));
      last_error = error;
    }
    CHECK(last_error < 5.0);
  }
}

TEST_CASE("a slider on a slope falls as a mass on a slope, and its rail carries the rest") {
  constexpr double kSlope = 0.4;
  const Vec3 along(std::cos(kSlope), 0.0, -std::sin(kSlope));
  SpatialScene scene;
  scene.bodies = {anchor(), uniform("slider", Box3{Vec3(30.0, 20.0, 10.0)}, 1.5, Vec3::Zero())};
  scene.bodies[1].pose.orientation = Eigen::Quaterniond(Eigen::AngleAxisd(kSlope, Vec3::UnitY()));
  join(scene, SpatialJointKind::kPrismatic, 1, 0, {0.0, 0.0, 40.0}, along);
  constexpr double kH = 0.01;
  constexpr int kSteps = 100;
  for (const SpatialStepperKind kind : kPositionKinds) {
    CAPTURE(name(kind));
    const Seen seen = run_joined(scene, kind, kH, kSteps);
    const SpatialState& end = seen.states.back();
    const double g_along = kJointGravity * std::sin(kSlope);
    CHECK((end.velocities[1].head<3>() - g_along * kH * kSteps * along).norm() < 1e-6);
    CHECK(end.velocities[1].tail<3>().norm() < 1e-9);
    CHECK((end.poses[1].position_mm - 0.5 * g_along * kH * kH * kSteps * (kSteps + 1) * along)
              .norm() < 1e-6);
    const Vec3 force = end.joint_impulses[0].head<3>() / kH;
    const Vec3 across(std::sin(kSlope), 0.0, std::cos(kSlope));
    CHECK((force - 1.5 * kJointGravity * std::cos(kSlope) * across).norm() < 1e-5);
  }
}

TEST_CASE("a slider is stopped by a ball, which carries its weight along the slope") {
  constexpr double kSlope = 0.4;
  const Vec3 along(std::cos(kSlope), 0.0, -std::sin(kSlope));
  SpatialScene scene;
  scene.bodies = {anchor(), uniform("slider", Sphere{20.0}, 1.5, Vec3::Zero()),
                  uniform("stop", Sphere{30.0}, 1.0, 150.0 * along)};
  scene.bodies[2].is_fixed = true;
  join(scene, SpatialJointKind::kPrismatic, 1, 0, Vec3::Zero(), along);
  constexpr double kH = 0.005;
  for (const SpatialStepperKind kind : kPositionKinds) {
    CAPTURE(name(kind));
    const Seen seen = run_joined(scene, kind, kH, 100);
    const SpatialState& end = seen.states.back();
    CHECK((end.poses[1].position_mm - 100.0 * along).norm() < 1e-6);
    CHECK(end.velocities[1].norm() < 1e-6);
    REQUIRE(end.contacts.size() == 1);
    CHECK(end.contacts[0].p_n / kH == Approx(1.5 * kJointGravity * std::sin(kSlope)));
  }
}

TEST_CASE("a bar on a pin leans with its edge on the ground: the pin carries half its weight") {
  // Its centre is at half the distance from pin to edge, apart from the bar's thickness.
  SpatialScene scene;
  scene.bodies = {ground(), uniform("bar", Box3{Vec3(100.0, 20.0, 10.0)}, 1.0, {0.0, 0.0, 90.0})};
  scene.friction.mu = 0.3;
  scene.bodies[1].pose.orientation = Eigen::Quaterniond(Eigen::AngleAxisd(0.2, Vec3::UnitY()));
  const Vec3 pin = scene.bodies[1].pose.to_world({-100.0, 0.0, 0.0});
  scene.joints.push_back(
      joint_at(SpatialJointKind::kRevolute, 1, scene.bodies[1].pose, 0, {}, pin, Vec3::UnitY()));
  constexpr double kH = 0.005;
  for (const SpatialStepperKind kind : kPositionKinds) {
    CAPTURE(name(kind));
    const Seen seen = run_joined(scene, kind, kH, 120);
    const SpatialState& end = seen.states.back();
    CHECK(end.velocities[1].norm() < 1e-6);
    const Vec3 edge = end.poses[1].to_world({100.0, 0.0, -10.0});
    CHECK(std::abs(edge.z()) < 1e-6);
    Vec3 on_bar = Vec3::Zero();
    for (const SpatialContact& contact : end.contacts) {
      const double sign = contact.body_a == 1 ? 1.0 : -1.0;
      on_bar += sign / kH *
                (contact.p_n * contact.normal + contact.p_t * contact.t + contact.p_o * contact.o);
    }
    // Moments about the pin's axis, and all forces.
    const Vec3 arm = edge - pin;
    const Vec3 weight(0.0, 0.0, -kJointGravity);
    const double moment =
        arm.cross(on_bar).y() + (end.poses[1].position_mm - pin).cross(weight).y();
    CHECK(std::abs(moment) < 1e-6 * kJointGravity * 100.0);
    CHECK((Vec3(end.joint_impulses[0].head<3>() / kH) + on_bar + weight).norm() <
          1e-6 * kJointGravity);
    CHECK(on_bar.z() > 0.4 * kJointGravity);
    CHECK(on_bar.z() < 0.6 * kJointGravity);
  }
}

TEST_CASE("a door keeps turning about its hinge, which holds its weight and pulls it inwards") {
  SpatialScene scene;
  scene.bodies = {anchor(),
                  uniform("door", Box3{Vec3(400.0, 20.0, 900.0)}, 20.0, {400.0, 0.0, 0.0})};
  constexpr double kRate = 1.5;
  scene.bodies[1].velocity = twist({0.0, kRate * 400.0, 0.0}, {0.0, 0.0, kRate});
  join(scene, SpatialJointKind::kRevolute, 1, 0, Vec3::Zero(), Vec3::UnitZ());
  for (const SpatialStepperKind kind : kPositionKinds) {
    CAPTURE(name(kind));
    double last_slowed = 0.0;
    for (const double h : {0.01, 0.005}) {
      const Seen seen = run_joined(scene, kind, h, static_cast<int>(std::lround(2.0 / h)));
      const SpatialState& end = seen.states.back();
      const double slowed = kRate - end.velocities[1][5];
      if (last_slowed != 0.0) CHECK(last_slowed / slowed > 1.8);  // of order one, or two
      last_slowed = slowed;
      const Twist load = end.joint_impulses[0] / h;
      const double inwards = 20.0 * std::pow(end.velocities[1][5], 2) * 400.0;
      CHECK(load[2] == Approx(20.0 * kJointGravity));
      CHECK(load.head<2>().norm() == Approx(inwards).epsilon(0.02));
      // At mid-height: only the moment of the weight.
      CHECK(load.tail<3>().norm() == Approx(20.0 * kJointGravity * 400.0).epsilon(1e-3));
      CHECK(end.poses[1].position_mm.z() == Approx(0.0).margin(1e-6));
      CHECK(seen.gap_rad < 1e-9);
    }
    CHECK(std::abs(last_slowed) < 0.05 * kRate);
  }
}

TEST_CASE("joints do not drift over long runs when they are stabilised") {
  const SpatialScene scene = conical_pendulum();
  constexpr double kH = 0.005;
  constexpr int kSteps = 4000;  // 20 s
  const double unit = std::pow(kH * steady_rate(), 2) * kString_mm;
  const Seen implicit = run_joined(scene, SpatialStepperKind::kImplicit, kH, kSteps);
  CHECK(implicit.gap_mm < 1e-8);
  const Seen hart = run_joined(scene, SpatialStepperKind::kAnitescuHart, kH, kSteps);
  CHECK(hart.gap_mm < 2.0 * unit);
  CHECK(hart.gap_mm > 0.1 * unit);
  const Seen drifting =
      run_joined(scene, SpatialStepperKind::kAnitescuHartUnstabilised, kH, kSteps);
  CHECK(drifting.gap_mm > 50.0 * hart.gap_mm);
}

TEST_CASE("a closed loop of joined bodies has more constraints than it needs, and moves") {
  // A parallelogram of pins about y: in space its third pin is one constraint too many threefold.
  SpatialScene scene;
  scene.bodies = {anchor(), uniform("left", Box3{Vec3(5.0, 5.0, 50.0)}, 0.2, {0.0, 0.0, -50.0}),
                  uniform("beam", Box3{Vec3(100.0, 5.0, 5.0)}, 0.5, {100.0, 0.0, -100.0}),
                  uniform("right", Box3{Vec3(5.0, 5.0, 50.0)}, 0.2, {200.0, 0.0, -50.0})};
  const Vec3 y = Vec3::UnitY();
  join(scene, SpatialJointKind::kRevolute, 1, 0, {0.0, 0.0, 0.0}, y);
  join(scene, SpatialJointKind::kRevolute, 2, 1, {0.0, 0.0, -100.0}, y);
  join(scene, SpatialJointKind::kRevolute, 3, 2, {200.0, 0.0, -100.0}, y);
  join(scene, SpatialJointKind::kRevolute, 3, 0, {200.0, 0.0, 0.0}, y);
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < i; ++j) scene.laws.push_back({j, i, {}, false});
  }
  scene.bodies[1].velocity = twist({100.0, 0.0, 0.0}, {0.0, -2.0, 0.0});
  scene.bodies[3].velocity = scene.bodies[1].velocity;
  scene.bodies[2].velocity = twist({200.0, 0.0, 0.0});
  for (const SpatialStepperKind kind :
       {SpatialStepperKind::kImplicit, SpatialStepperKind::kAnitescuHart}) {
    CAPTURE(name(kind));
    const Seen seen = run_joined(scene, kind, 0.002, 200);
    const SpatialState& end = seen.states.back();
    CHECK(seen.gap_mm < 0.01);
    CHECK(end.velocities[2].tail<3>().norm() < 1e-6);  // the beam does not turn
    CHECK((end.velocities[1].tail<3>() - end.velocities[3].tail<3>()).norm() < 1e-6);
    // Its swing is that of a pendulum with 2 I + 4 m (l/2)^2 + M l^2 and the weights' lever.
    CHECK(end.poses[2].position_mm.x() != Approx(100.0).margin(0.1));
  }
}
