#include "lab/spatial_scenes/solid_drawing.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <numbers>

using namespace graspmap;

namespace {

constexpr double kPi = std::numbers::pi;

double enclosed_area(const DrawnLine& polygon) {
  double sum = 0.0;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    sum += 0.5 * cross(polygon[i], polygon[(i + 1) % polygon.size()]);
  }
  return sum;
}

double drawn_length(const std::vector<DrawnLine>& lines) {
  double sum = 0.0;
  for (const DrawnLine& line : lines) {
    for (std::size_t k = 1; k < line.size(); ++k) sum += (line[k] - line[k - 1]).norm();
  }
  return sum;
}

Pose3 turned_pose() {
  const Eigen::AngleAxisd turn(0.7, Vec3(1, 2, 3).normalized());
  return {{10, 20, 30}, Eigen::Quaterniond(turn)};
}

}  // namespace

TEST_CASE("a view's axes are right-handed with z upright", "[spatial_scenes]") {
  const SpatialView view = view_from({1, -1, 1});
  CHECK((view.right.cross(view.up) - view.toward).norm() < 1e-15);
  CHECK(view.right.z() == Approx(0.0).margin(1e-15));
  CHECK(view.up.z() == Approx(std::sqrt(2.0 / 3.0)));
  CHECK(view.right.x() > 0.0);
  CHECK(view.right.y() > 0.0);
  CHECK(view_from({0, -1, 0}).flat({3, 4, 5}) == Vec2(3, 5));
}

TEST_CASE("motion in a plane is seen from its side", "[spatial_scenes]") {
  GrowingBox3 box;
  box.add({0, 0, 0}, {1000, 1000, 500});
  CHECK(view_of(box).toward.x() == Approx(-view_of(box).toward.y()));
  GrowingBox3 in_yz;
  in_yz.add({0, 0, 0}, {100, 1000, 500});
  CHECK(view_of(in_yz).toward.x() > 2.0 * std::abs(view_of(in_yz).toward.y()));
  GrowingBox3 in_xz;
  in_xz.add({0, 0, 0}, {1000, 100, 500});
  CHECK(-view_of(in_xz).toward.y() > 2.0 * view_of(in_xz).toward.x());
}

TEST_CASE("outlines of solids enclose the areas of their shadows", "[spatial_scenes]") {
  const SpatialView view = view_from({1, -0.5, 0.8});
  const Pose3 pose = turned_pose();
  const Vec3 d = pose.orientation.conjugate() * view.toward;
  const auto area = [&](const Solid& solid) {
    return enclosed_area(drawn_solid(solid, pose, view, 144).outline);
  };
  CHECK(area(Sphere{7}) == Approx(49 * kPi).epsilon(1e-3));
  const Box3 box{{1, 2, 3}};
  const Vec3 faces(4 * 2 * 3, 4 * 1 * 3, 4 * 1 * 2);
  CHECK(area(box) == Approx(faces.dot(d.cwiseAbs())).epsilon(1e-12));
  const double across = std::hypot(d.x(), d.y());
  CHECK(area(Cylinder{2, 5}) ==
        Approx(4 * kPi * std::abs(d.z()) + 2 * 2 * 10 * across).epsilon(1e-3));
  // The shadow of an ellipsoid: pi times the product of its axes and |(d_i / a_i)|.
  CHECK(area(Ellipsoid{{1, 2, 3}}) ==
        Approx(kPi * 6 * Vec3(d.x(), d.y() / 2, d.z() / 3).norm()).epsilon(2e-3));
}

TEST_CASE("of a box the nine edges are drawn that are not hidden", "[spatial_scenes]") {
  const DrawnSolid drawn =
      drawn_solid(Box3{{1, 2, 3}}, turned_pose(), view_from({1, -0.5, 0.8}), 24);
  CHECK(drawn.outline.size() == 6);
  CHECK(drawn.lines.size() == 9);
}

TEST_CASE("of a face-on box only the front is drawn", "[spatial_scenes]") {
  const DrawnSolid drawn = drawn_solid(Box3{{1, 2, 3}}, {}, view_from({1, 0, 0}), 24);
  CHECK(drawn.lines.size() == 4);
  REQUIRE(drawn.marks.size() == 1);  // that of the x face
  CHECK(drawn_length(drawn.marks) == Approx(0.6 * 6));
}

TEST_CASE("half of a sphere's circles is seen", "[spatial_scenes]") {
  const DrawnSolid drawn = drawn_solid(Sphere{1}, turned_pose(), view_from({1, -1, 1}), 96);
  std::size_t points = 0;
  for (const DrawnLine& line : drawn.lines) points += line.size();
  CHECK(points == Approx(3 * 48.5).margin(4));
}

TEST_CASE("marks turn with the body and hide behind it", "[spatial_scenes]") {
  const SpatialView view = view_from({0.01, 0, 1});
  const auto length = [&](double angle) {
    const Pose3 pose{Vec3::Zero(), Eigen::Quaterniond(Eigen::AngleAxisd(angle, Vec3::UnitX()))};
    return drawn_length(drawn_solid(Sphere{1}, pose, view, 96).marks);
  };
  // From the end of z: a ring of radius sin(atan(0.25)), and from it to the edge. From the other
  // end only the small ring.
  const double ring = std::sin(std::atan(0.25));
  CHECK(length(0.0) == Approx(2 * kPi * ring + 1 - std::sin(0.25)).epsilon(0.02));
  CHECK(length(kPi) == Approx(2 * kPi * std::sin(std::atan(0.1))).epsilon(0.03));
}

TEST_CASE("a cylinder seen from its end shows one cap and no sides", "[spatial_scenes]") {
  const Pose3 pose{Vec3::Zero(), Eigen::Quaterniond(Eigen::AngleAxisd(0.5 * kPi, Vec3::UnitY()))};
  const DrawnSolid drawn = drawn_solid(Cylinder{2, 5}, pose, view_from({1, 0, 0}), 96);
  CHECK(enclosed_area(drawn.outline) == Approx(4 * kPi).epsilon(2e-3));
  REQUIRE(drawn.lines.size() == 1);
  CHECK(drawn_length(drawn.lines) == Approx(4 * kPi).epsilon(2e-3));
}

TEST_CASE("a link without a ball has nothing to draw", "[spatial_scenes]") {
  const DrawnSolid drawn = drawn_solid(Sphere{0}, {}, view_from({1, 0, 0}), 96);
  CHECK(drawn.outline.empty());
  CHECK(drawn.lines.empty());
  CHECK(drawn.marks.empty());
}

TEST_CASE("boxes about turned solids are tight", "[spatial_scenes]") {
  const Pose3 pose{{1, 2, 3}, Eigen::Quaterniond(Eigen::AngleAxisd(0.25 * kPi, Vec3::UnitZ()))};
  const GrowingBox3 box = box_about(Box3{{1, 1, 4}}, pose);
  const double r = std::sqrt(2.0);
  CHECK((box.min - Vec3(1 - r, 2 - r, -1)).norm() < 1e-12);
  CHECK((box.max - Vec3(1 + r, 2 + r, 7)).norm() < 1e-12);
}
