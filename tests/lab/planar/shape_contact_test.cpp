#include <catch2/catch.hpp>
#include <limits>

#include "lab/planar/convex_shape.hpp"
#include "tests/support/brute_force.hpp"
#include "tests/support/random.hpp"
#include "tests/support/shapes.hpp"

using namespace graspmap;
using namespace graspmap::testing;

namespace {

double support(const Superellipse& shape, const Vec2& u) { return support_function(shape, u); }
double support(const RoundedPolygon& shape, const Vec2& u) {
  double largest = -std::numeric_limits<double>::infinity();
  for (const Vec2& vertex : shape.vertices) largest = std::max(largest, u.dot(vertex));
  return largest + shape.radius_mm * u.norm();
}

/// psi by brute force over all normals: n . (c_A - c_B) - h_A(-n) - h_B(n).
double brute_gap(const ConvexShape& a, const Pose2& X_GA, const ConvexShape& b, const Pose2& X_GB) {
  const auto h = [](const ConvexShape& shape, const Pose2& pose, const Vec2& u) {
    const Vec2 local = Rotation2(pose.angle_rad).inverse_times(u);
    return std::visit([&](const auto& s) { return support(s, local); }, shape);
  };
  const auto psi = [&](double phi) {
    const Vec2 n(std::cos(phi), std::sin(phi));
    return n.dot(X_GA.position_mm - X_GB.position_mm) - h(a, X_GA, -n) - h(b, X_GB, n);
  };
  return periodic_max(psi, 2000).value;
}

double least_gap(const ConvexShape& a, const Pose2& X_GA, const ConvexShape& b, const Pose2& X_GB) {
  std::vector<ContactFeature> features;
  near_features(a, X_GA, b, X_GB, 1e3, features);
  double least = std::numeric_limits<double>::infinity();
  for (const ContactFeature& feature : features) {
    least = std::min(least, shape_contact(a, X_GA, b, X_GB, feature).gap_mm);
  }
  return least;
}

std::vector<ConvexShape> closed_shapes() {
  std::vector<ConvexShape> shapes;
  for (const Superellipse& shape : sample_shapes()) shapes.emplace_back(shape);
  shapes.emplace_back(polygon({{-2, -1}, {3, -1}, {2, 1.5}, {-1, 2}}));
  shapes.emplace_back(regular_polygon(7, 2.0, 0.3));
  shapes.emplace_back(rod(3.0, 0.4));
  return shapes;
}

}  // namespace

TEST_CASE("gaps of all kinds of shapes are the brute-force distance of their closest points") {
  const std::vector<ConvexShape> shapes = closed_shapes();
  Random random(5);
  for (int k = 0; k < 150; ++k) {
    const ConvexShape& a =
        shapes[static_cast<std::size_t>(random.index(static_cast<int>(shapes.size())))];
    const ConvexShape& b =
        shapes[static_cast<std::size_t>(random.index(static_cast<int>(shapes.size())))];
    const double apart = bounding_radius_mm(a) + bounding_radius_mm(b) + random.uniform(0.0, 5.0);
    const double angle = random.uniform(-3.2, 3.2);
    const Pose2 X_GA{{1.0 + apart * std::cos(angle), apart * std::sin(angle)},
                     random.uniform(-3.2, 3.2)};
    const Pose2 X_GB{{1.0, 0.0}, random.uniform(-3.2, 3.2)};
    const double gap = least_gap(a, X_GA, b, X_GB);
    CHECK(gap == Approx(brute_gap(a, X_GA, b, X_GB)).epsilon(1e-9).margin(1e-9));
    CHECK(gap == Approx(least_gap(b, X_GB, a, X_GA)).epsilon(1e-9).margin(1e-9));
  }
}

TEST_CASE("the normal of a contact joins the closest points") {
  const std::vector<ConvexShape> shapes = closed_shapes();
  Random random(6);
  for (const ConvexShape& a : shapes) {
    for (const ConvexShape& b : shapes) {
      const double apart = bounding_radius_mm(a) + bounding_radius_mm(b) + 0.5;
      const Pose2 X_GA{{0.6 * apart, 0.8 * apart}, random.uniform(-3.2, 3.2)};
      const Pose2 X_GB{{0.0, 0.0}, random.uniform(-3.2, 3.2)};
      std::vector<ContactFeature> features;
      near_features(a, X_GA, b, X_GB, 1e3, features);
      REQUIRE_FALSE(features.empty());
      for (const ContactFeature& feature : features) {
        const ShapeContact contact = shape_contact(a, X_GA, b, X_GB, feature);
        CHECK(contact.normal.norm() == Approx(1.0));
        CHECK((contact.on_a_mm - contact.on_b_mm - contact.gap_mm * contact.normal).norm() < 1e-9);
      }
    }
  }
}

TEST_CASE("superellipses that overlap slightly have their penetration depth as a negative gap") {
  const Superellipse a{2.3, 1.1, 4.0};
  const Superellipse b{20.75, 20.75, 2.0};
  const Pose2 X_GB{{0.0, 0.0}, 0.0};
  for (const double angle : {0.2, 1.0, 1.4}) {
    Pose2 X_GA{{24.0 * std::cos(angle), 24.0 * std::sin(angle)}, 0.4};
    const ShapeContact apart = shape_contact(a, X_GA, b, X_GB, {});
    X_GA.position_mm -= (apart.gap_mm + 0.01) * apart.normal;
    CHECK(shape_contact(a, X_GA, b, X_GB, {}).gap_mm == Approx(-0.01).epsilon(1e-6));
    CHECK(brute_gap(a, X_GA, b, X_GB) == Approx(-0.01).epsilon(1e-6));
  }
}

TEST_CASE("an edge on an edge is two contacts, a corner on a corner is one") {
  const ConvexShape box = polygon({{-1, -1}, {1, -1}, {1, 1}, {-1, 1}});
  std::vector<ContactFeature> features;
  near_features(box, {{0.5, 2.0}, 0.0}, box, {{0.0, 0.0}, 0.0}, 1e-6, features);
  REQUIRE(features.size() == 2);
  for (const ContactFeature& feature : features) {
    const ShapeContact contact = shape_contact(box, {{0.5, 2.0}, 0.0}, box, {{0, 0}, 0.0}, feature);
    CHECK(contact.gap_mm == Approx(0.0).margin(1e-15));
    CHECK((contact.normal - Vec2(0.0, 1.0)).norm() < 1e-15);
  }
  features.clear();
  near_features(box, {{2.1, 2.1}, 0.0}, box, {{0.0, 0.0}, 0.0}, 0.2, features);
  REQUIRE(features.size() == 1);
  const ShapeContact corner =
      shape_contact(box, {{2.1, 2.1}, 0.0}, box, {{0, 0}, 0.0}, features[0]);
  CHECK(corner.gap_mm == Approx(0.1 * std::sqrt(2.0)));
  CHECK(corner.radius_a_mm == 0.0);
  CHECK(corner.radius_b_mm == 0.0);
}

TEST_CASE("boxes of one width stand on each other and not beside each other") {
  const ConvexShape box = polygon({{-4, -1}, {4, -1}, {4, 1}, {-4, 1}});
  for (const double shift : {0.0, 1e-14, -1e-14, 1e-3, -1e-3}) {
    for (const double overlap : {0.0, 1e-12, 0.01, 0.1}) {
      const Pose2 upper{{shift, 2.0 - overlap}, 0.0};
      std::vector<ContactFeature> features;
      near_features(box, upper, box, {}, 0.0, features);
      REQUIRE(features.size() >= 2);
      int held = 0;
      for (const ContactFeature& feature : features) {
        const ShapeContact contact = shape_contact(box, upper, box, {}, feature);
        CHECK(contact.normal.y() == Approx(1.0));
        held += contact.gap_mm == Approx(-overlap).margin(1e-13) ? 1 : 0;
      }
      CHECK(held >= 2);
    }
  }
}

TEST_CASE(
    "a rod on the ground touches with both ends, a disc on a half-plane with its lowest point") {
  const ConvexShape ground = half_plane_shape();
  std::vector<ContactFeature> features;
  near_features(rod(500, 50), {{0, 50}, 0.0}, ground, {}, 1e-6, features);
  CHECK(features.size() == 2);
  const ShapeContact disc = shape_contact(Superellipse{3, 3, 2}, {{1, 5}, 0.3}, ground, {}, {});
  CHECK(disc.gap_mm == Approx(2.0));
  CHECK((disc.on_a_mm - Vec2(1, 2)).norm() < 1e-12);
  CHECK(disc.radius_a_mm == Approx(3.0));
  CHECK(disc.radius_b_mm == std::numeric_limits<double>::infinity());
}
