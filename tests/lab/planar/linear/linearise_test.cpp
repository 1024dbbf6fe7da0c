#include "lab/planar/linear/linearise.hpp"

#include <catch2/catch.hpp>

#include "tests/support/planar_scenes.hpp"

namespace graspmap {
namespace {

/// Two bodies near each other, one of them pinned to a third, all moving.
PlanarScene three_bodies(const ConvexShape& a, const ConvexShape& b) {
  PlanarScene scene;
  scene.mu = 0.5;
  testing::add_free_body(scene, a, 2.0, 900.0, {3.0, 55.0, 0.3}, {40.0, -20.0, 3.0});
  testing::add_free_body(scene, b, 1.0, 700.0, {-4.0, -2.0, 0.4}, {-30.0, 15.0, -2.0});
  testing::add_free_body(scene, Superellipse{5.0, 5.0, 2.0}, 0.3, 30.0, {0.0, -70.0, 0.2},
                         {1.0, 2.0, 1.0});
  scene.pins.push_back({1, 2, {5.0, -35.0}, {4.0, 30.0}});
  return scene;
}

/// inertia nu - momentum - W(q(nu)) p with the geometry at the end of the step, and the slip.
struct AtEnd {
  Eigen::VectorXd balance;
  double slip_mm_s = 0.0;
  double gap_mm = 0.0;
};

AtEnd at_end(const PlanarScene& scene, const PlanarState& start, double h,
             const std::vector<ContactKey>& keys, const StepSolution& solution,
             const Eigen::VectorXd& nu) {
  const StepPoint point = step_point(scene, start, h, nu);
  const LinearStep step = linearise(point, keys, GapTerm::kPosition, 6);
  AtEnd end;
  end.balance = step.inertia.cwiseProduct(nu) - step.momentum;
  step.contacts[0].normal.add_to(end.balance, -solution.contacts[0].p_n);
  step.contacts[0].tangent.add_to(end.balance, -solution.contacts[0].p_t);
  for (std::size_t axis = 0; axis < 2; ++axis) {
    step.pins[0].rows[axis].add_to(end.balance, -solution.pins[0][static_cast<int>(axis)]);
  }
  end.slip_mm_s = step.contacts[0].slip_at(nu);
  end.gap_mm = contact_at(scene, point.at, keys[0]).gap_mm;
  return end;
}

TEST_CASE("Geometric terms are the derivatives of forces and slips at the end of a step",
          "[linearise]") {
  const ConvexShape ellipse = Superellipse{30.0, 20.0, 2.0};
  const ConvexShape box = polygon({{-35.0, -25.0}, {35.0, -25.0}, {35.0, 25.0}, {-35.0, 25.0}});
  const ConvexShape cushion = rod(60.0, 15.0);
  const auto shapes =
      GENERATE_COPY(values<std::pair<ConvexShape, ConvexShape>>({{ellipse, ellipse},
                                                                 {ellipse, box},
                                                                 {box, ellipse},
                                                                 {box, box},
                                                                 {cushion, box},
                                                                 {ellipse, cushion}}));
  const PlanarScene scene = three_bodies(shapes.first, shapes.second);
  const PlanarState start = start_state(scene);
  const double h = 0.02;
  std::vector<ContactKey> all;
  near_contacts(scene, start, 40.0, all);
  std::vector<ContactKey> keys;
  for (const ContactKey& key : all) {
    if (key.body_a == 0 && key.body_b == 1 && keys.empty()) keys.push_back(key);
  }
  REQUIRE(keys.size() == 1);

  const StepPoint point = step_point(scene, start, h, start.nu);
  LinearStep step = linearise(point, keys, GapTerm::kPosition, 6);
  StepSolution solution = free_motion(step);
  solution.contacts[0] = {300.0, 0.0, -120.0};
  solution.pins[0] = {70.0, -110.0};
  add_geometric_terms(point, solution, step);
  Eigen::MatrixXd jacobian = step.geometric;
  jacobian.diagonal() += step.inertia;

  for (int j = 0; j < scene.velocities; ++j) {
    const double d = j % 3 == 2 ? 1e-5 : 1e-3;
    const Eigen::VectorXd unit = Eigen::VectorXd::Unit(scene.velocities, j);
    const AtEnd plus = at_end(scene, start, h, keys, solution, start.nu + d * unit);
    const AtEnd minus = at_end(scene, start, h, keys, solution, start.nu - d * unit);
    const Eigen::VectorXd column = (plus.balance - minus.balance) / (2.0 * d);
    const double scale = 1.0 + jacobian.col(j).cwiseAbs().maxCoeff();
    CHECK((column - jacobian.col(j)).cwiseAbs().maxCoeff() < 1e-5 * scale);
    double slip = 0.0;
    double gap = 0.0;
    const LinearContact& contact = step.contacts[0];
    for (std::size_t k = 0; k < static_cast<std::size_t>(contact.slip.size); ++k) {
      if (contact.slip.index[k] == j) slip = contact.slip.value[k];
      if (contact.normal.index[k] == j) gap = h * contact.normal.value[k];
    }
    CHECK((plus.slip_mm_s - minus.slip_mm_s) / (2.0 * d) ==
          Approx(slip).epsilon(1e-5).margin(1e-5));
    CHECK((plus.gap_mm - minus.gap_mm) / (2.0 * d) == Approx(gap).epsilon(1e-5).margin(1e-7));
  }
  // The equations at the point itself are unchanged.
  const AtEnd here = at_end(scene, start, h, keys, solution, start.nu);
  Eigen::VectorXd balance = jacobian * start.nu - step.momentum;
  step.contacts[0].normal.add_to(balance, -300.0);
  step.contacts[0].tangent.add_to(balance, 120.0);
  step.pins[0].rows[0].add_to(balance, -70.0);
  step.pins[0].rows[1].add_to(balance, 110.0);
  CHECK((balance - here.balance).cwiseAbs().maxCoeff() < 1e-9);
  CHECK(step.contacts[0].slip_at(start.nu) == Approx(here.slip_mm_s).epsilon(1e-12));
}

TEST_CASE("Normal rows are gaps at the end of the step to first order", "[linearise]") {
  const PlanarScene scene =
      three_bodies(Superellipse{30.0, 20.0, 2.0}, Superellipse{35.0, 25.0, 2.0});
  const PlanarState start = start_state(scene);
  const double h = 1e-4;
  std::vector<ContactKey> keys;
  near_contacts(scene, start, 40.0, keys);
  REQUIRE(!keys.empty());
  const Eigen::VectorXd zero = Eigen::VectorXd::Zero(scene.velocities);
  const LinearStep at_start =
      linearise(step_point(scene, start, h, zero), {keys[0]}, GapTerm::kPosition, 6);
  const StepPoint end = step_point(scene, start, h, start.nu);
  const double gap_rate = contact_at(scene, end.at, keys[0]).gap_mm / h;
  CHECK(at_start.contacts[0].gap_rate(start.nu) == Approx(gap_rate).epsilon(1e-6));
  const LinearStep velocity =
      linearise(step_point(scene, start, h, zero), {keys[0]}, GapTerm::kVelocity, 6);
  const double opened =
      contact_at(scene, end.at, keys[0]).gap_mm - contact_at(scene, start, keys[0]).gap_mm;
  CHECK(velocity.contacts[0].gap_rate(start.nu) == Approx(opened / h).epsilon(1e-3));
}

TEST_CASE("The directions of a table lie on its ellipsoid in opposite pairs", "[linearise]") {
  const bool moves = GENERATE(false, true);
  PlanarScene scene = testing::sliding_disc(moves ? Vec3(3.0, -1.0, 0.2) : Vec3(0.0, 0.0, 0.0));
  scene.tables[0].e_t = 0.8;
  scene.tables[0].e_o = 1.3;
  const int count = GENERATE(6, 14, 26);
  const PlanarState start = start_state(scene);
  const StepPoint point = step_point(scene, start, 0.01, Eigen::VectorXd::Zero(scene.velocities));
  const LinearStep step = linearise(point, {}, GapTerm::kPosition, count);
  const LinearTable& table = step.tables[0];
  REQUIRE(table.directions.size() == static_cast<std::size_t>(moves ? count + 2 : count));
  CHECK(table.limit_mn_s == Approx(0.01 * 0.3 * 0.1 * 9810.0));
  Vec3 sum = Vec3::Zero();
  for (const Vec3& d : table.directions) {
    CHECK(d.cwiseQuotient(Vec3(0.8, 1.3, 40.0 / 3.0)).norm() == Approx(1.0));
    sum += d;
  }
  CHECK(sum.norm() < 1e-12);
}

}  // namespace
}  // namespace graspmap
