/// The rows of the full problem against finite differences, and against their meaning.

#include "lab/planar/full/full_mncp.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "lab/planar/full/full_contact_set.hpp"
#include "tests/support/keep_largest.hpp"
#include "tests/support/numeric_jacobian.hpp"
#include "tests/support/random.hpp"

using namespace graspmap;
using namespace graspmap::testing;

namespace {

PlanarBody body(const ConvexShape& shape, const Vec3& pose) {
  PlanarBody body;
  body.shapes = {{shape, {{1.0, -2.0}, 0.3}}};
  body.mass_kg = 0.3;
  body.inertia_kg_mm2 = 40.0;
  body.pose = pose;
  return body;
}

/// Two free bodies of these shapes, pinned to each other if asked, the first one on a table.
PlanarScene pair_scene(const ConvexShape& a, const ConvexShape& b, bool pinned) {
  PlanarScene scene;
  scene.mu = 0.3;
  scene.bodies = {body(a, {0.0, 0.0, 0.2}), body(b, {3.0, 25.0, -0.4})};
  set_free(scene, 0, {3.0, -5.0, 0.4});
  set_free(scene, 1, {-10.0, 20.0, -0.7});
  scene.drives.push_back({1, 200.0, 7.0});
  scene.tables.push_back({0, 1.0, 1.3, 8.0, 900.0});
  if (pinned) scene.pins.push_back({0, 1, {2.0, 12.0}, {-1.0, -13.0}});
  return scene;
}

/// The problem of a pair in contact, at random unknowns.
class PairProblem {
 public:
  PairProblem(const ConvexShape& a, const ConvexShape& b, bool pinned, bool soft, double h,
              const SoftLayers& layers = {})
      : scene_(pair_scene(a, b, pinned)) {
    if (is_soft(layers)) scene_.laws.push_back({0, 1, 0.3, true, std::nullopt, layers});
    if (soft) {
      scene_.laws.push_back({0, 1, 0.3, true, SoftLayer{50.0, 3.0, 2.0}});
    }
    library_.begin(scene_);
    PlanarState start = start_state(scene_);
    start.deflections.push_back(
        {{0, 0, 1, 0}, 0.4, {}, {Vec3(0.1, -0.2, 0.0), Vec3(0.3, 0.1, 0.0)}});
    problem.begin(scene_, start, h);
    problem.move(start.nu);
    std::vector<ContactKey> keys;
    near_contacts(scene_, start, 100.0, keys);
    std::vector<PiecePair> pairs;
    for (const ContactKey& key : keys) add_to_pairs(key, pairs);
    REQUIRE(pairs.size() == 1);
    closest_ = closest_of_pair(scene_, problem.end(), pairs[0], 1e-6);
    problem.contacts.push_back(full_contact(scene_, start, pairs[0], library_));
    choose_functions(closest_, problem, problem.contacts[0]);
    problem.lay_out();
  }

  Eigen::VectorXd random_unknowns(Random& random) {
    Eigen::VectorXd x = Eigen::VectorXd::Zero(problem.size());
    x.head(6) = scene_.start_velocity;
    guess_contact(closest_, problem, problem.contacts[0], x);
    Eigen::VectorXd z = x.cwiseQuotient(problem.units());
    for (int i = 0; i < z.size(); ++i) z[i] += random.uniform(-0.5, 0.5);
    return z;
  }

  FullMncp problem;

 private:
  PlanarScene scene_;
  PieceLibrary library_;
  PairClosest closest_;
};

/// The largest error of the Jacobian's columns, relative to each column's size.
double jacobian_error(FullMncp& problem, const Eigen::VectorXd& z) {
  Eigen::VectorXd F;
  Eigen::MatrixXd J;
  problem.evaluate(z, F);
  problem.jacobian(z, J);
  const Eigen::MatrixXd error = numeric_jacobian(problem, z, 1e-5) - J;
  double worst = 0.0;
  for (int i = 0; i < problem.size(); ++i) {
    const double size = 1.0 + J.col(i).norm();
    keep_largest(worst, error.col(i).norm() / size);
  }
  return worst;
}

RoundedPolygon with_radius(RoundedPolygon shape, double radius_mm) {
  shape.radius_mm = radius_mm;
  return shape;
}

}  // namespace

TEST_CASE("the Jacobian of the full problem agrees with finite differences") {
  const Superellipse disc{9.0, 9.0, 2.0};
  const Superellipse tooth{12.0, 7.0, 4.0};
  const RoundedPolygon box = polygon({{-9.0, -6.0}, {8.0, -7.0}, {10.0, 6.0}, {-8.0, 7.0}});
  const std::vector<std::pair<ConvexShape, ConvexShape>> shapes{{disc, tooth},
                                                                {tooth, box},
                                                                {box, tooth},
                                                                {box, box},
                                                                {half_plane_shape(), box},
                                                                {with_radius(box, 2.0), tooth},
                                                                {rod(14.0, 3.0), box}};
  Random random(5);
  for (const auto& [a, b] : shapes) {
    for (const bool soft : {false, true}) {
      PairProblem pair(a, b, soft, soft, 0.01);
      for (int k = 0; k < 5; ++k) {
        CHECK(jacobian_error(pair.problem, pair.random_unknowns(random)) < 1e-6);
      }
    }
    Eigen::Matrix3d K;
    K << 50.0, 12.0, 0.0, 12.0, 30.0, 0.0, 0.0, 0.0, 30.0;
    const SoftLayer coupled{50.0, 5.0, 2.0, SoftMatrices{K, 0.1 * K}};
    for (const SoftLayers& layers :
         {SoftLayers{coupled, std::nullopt}, SoftLayers{SoftLayer{20.0, 1.0, 1.0}, coupled}}) {
      PairProblem pair(a, b, false, false, 0.01, layers);
      for (int k = 0; k < 5; ++k) {
        CHECK(jacobian_error(pair.problem, pair.random_unknowns(random)) < 1e-6);
      }
    }
  }
}

TEST_CASE("a disc on a half-plane has the unknowns of the paper") {
  // eq. (41)-(47): 11, with a2's second coordinate, which is zero there
  PlanarScene scene;
  scene.mu = 0.4;
  scene.bodies = {body(half_plane_shape(), Vec3::Zero()),
                  body(Superellipse{10.0, 10.0, 2.0}, {0.0, 12.0, 0.0})};
  set_free(scene, 1, Vec3::Zero());
  PieceLibrary library;
  library.begin(scene);
  FullMncp problem;
  const PlanarState start = start_state(scene);
  problem.begin(scene, start, 0.01);
  problem.contacts.push_back(full_contact(scene, start, {0, 0, 1, 0, {ContactFeature{}}}, library));
  FullContact& contact = problem.contacts[0];
  contact.F.chosen = {0};
  contact.G.chosen = {0};
  problem.lay_out();
  CHECK(problem.size() == 12);
  CHECK(contact.F.body == 1);  // the paper's f is the disc
}
