#include "lab/solids/closest_points3.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "tests/lab/solids/random_solids.hpp"

using namespace graspmap;
using namespace graspmap::testing;

namespace {

Pose3 at_place(double x, double y, double z) { return {Vec3(x, y, z)}; }

/// The largest distance along n of a solid at a pose.
double highest(const Solid& solid, const Pose3& pose, const Vec3& n) {
  return n.dot(pose.to_world(support_point(solid, pose.orientation.conjugate() * n)));
}

/// What makes a contact one of closest points: it is the points' difference, the points are in
/// their solids, and a slab of the gap's width along the normal is between the solids (or around
/// what they share). Apart, that is optimal: no distance is less than the slab's width.
void check_contact(const Solid& a, const Pose3& pose_a, const Solid& b, const Pose3& pose_b,
                   const SolidContact& contact, double tolerance) {
  const Vec3& n = contact.normal;
  CHECK(n.norm() == Approx(1.0).epsilon(1e-12));
  CHECK((contact.on_a_mm - contact.on_b_mm - contact.gap_mm * n).norm() < 1e-9);
  CHECK(std::abs(n.dot(contact.on_a_mm) + highest(a, pose_a, -n)) < tolerance);
  CHECK(std::abs(n.dot(contact.on_b_mm) - highest(b, pose_b, n)) < tolerance);
  CHECK(gauge(a, pose_a.to_body(contact.on_a_mm)) < 1.0 + tolerance);
  if (!std::holds_alternative<HalfSpace>(b)) {
    CHECK(gauge(b, pose_b.to_body(contact.on_b_mm)) < 1.0 + tolerance);
  }
}

/// The largest separation over many directions evenly spread: no more than the gap.
double sampled_gap(const Solid& a, const Pose3& pose_a, const Solid& b, const Pose3& pose_b) {
  constexpr int kDirections = 2000;
  double gap = -1e9;
  for (int i = 0; i < kDirections; ++i) {
    const double z = 1.0 - (2.0 * i + 1.0) / kDirections;
    const double angle = i * M_PI * (3.0 - std::sqrt(5.0));
    const double across = std::sqrt(1.0 - z * z);
    const Vec3 n(across * std::cos(angle), across * std::sin(angle), z);
    gap = std::max(gap, -highest(a, pose_a, -n) - highest(b, pose_b, n));
  }
  return gap;
}

}  // namespace

TEST_CASE("two spheres apart and overlapping") {
  const Solid a = Sphere{2.0};
  const Solid b = Sphere{3.0};
  const SolidContact apart = closest_points(a, at_place(6.0, 8.0, 0.0), b, Pose3{});
  CHECK(apart.gap_mm == Approx(5.0));
  CHECK((apart.normal - Vec3(0.6, 0.8, 0.0)).norm() < 1e-15);
  CHECK((apart.on_b_mm - Vec3(1.8, 2.4, 0.0)).norm() < 1e-14);
  CHECK((apart.on_a_mm - Vec3(4.8, 6.4, 0.0)).norm() < 1e-14);
  CHECK(closest_points(a, at_place(0.0, 0.0, 4.0), b, Pose3{}).gap_mm == Approx(-1.0));
  CHECK(closest_points(a, Pose3{}, b, Pose3{}).gap_mm == Approx(-5.0));
}

TEST_CASE("a sphere at a box by face and edge and vertex and from inside") {
  const Solid sphere = Sphere{1.0};
  const Solid box = Box3{Vec3(4.0, 5.0, 6.0)};
  CHECK(closest_points(sphere, at_place(1.0, 2.0, 8.0), box, Pose3{}).gap_mm == Approx(1.0));
  const SolidContact edge = closest_points(sphere, at_place(7.0, 9.0, 0.5), box, Pose3{});
  CHECK(edge.gap_mm == Approx(4.0));
  CHECK((edge.on_b_mm - Vec3(4.0, 5.0, 0.5)).norm() < 1e-14);
  const SolidContact vertex = closest_points(box, Pose3{}, sphere, at_place(-5.0, -7.0, 8.0));
  CHECK(vertex.gap_mm == Approx(2.0));
  CHECK((vertex.normal - Vec3(1.0, 2.0, -2.0) / 3.0).norm() < 1e-14);
  const SolidContact inside = closest_points(sphere, at_place(-3.0, 0.0, 0.0), box, Pose3{});
  CHECK(inside.gap_mm == Approx(-2.0));
  CHECK((inside.normal + Vec3::UnitX()).norm() == 0.0);
}

TEST_CASE("a sphere at a cylinder by side and end and rim and from inside") {
  const Solid sphere = Sphere{1.0};
  const Solid cylinder = Cylinder{3.0, 4.0};
  CHECK(closest_points(sphere, at_place(3.0, 4.0, 1.0), cylinder, Pose3{}).gap_mm == Approx(1.0));
  CHECK(closest_points(sphere, at_place(1.0, 1.0, -7.0), cylinder, Pose3{}).gap_mm == Approx(2.0));
  const SolidContact rim = closest_points(sphere, at_place(6.0, 0.0, 8.0), cylinder, Pose3{});
  CHECK(rim.gap_mm == Approx(4.0));
  CHECK((rim.normal - Vec3(0.6, 0.0, 0.8)).norm() < 1e-14);
  CHECK(closest_points(sphere, at_place(0.0, 2.5, 0.0), cylinder, Pose3{}).gap_mm == Approx(-1.5));
  CHECK(closest_points(sphere, at_place(0.0, 0.0, 3.5), cylinder, Pose3{}).gap_mm == Approx(-1.5));
}

TEST_CASE("points on a cylinder to the last bit have its normal") {
  const Solid box = Box3{Vec3::Constant(1.0)};
  const Solid cylinder = Cylinder{3.0, 4.0};
  for (int k = 0; k < 200; ++k) {
    const double angle = 0.03 * k;
    const Vec3 radial(std::cos(angle), std::sin(angle), 0.0);
    Pose3 pose;
    pose.position_mm = 3.0 * radial - Vec3::Constant(1.0);  // its last vertex is on the side
    const auto contacts = contact_points(box, pose, cylinder, Pose3{});
    for (const SolidContact& contact : contacts) CHECK(contact.normal.allFinite());
    const SolidContact& vertex = contacts[8];  // after the closest points
    REQUIRE((vertex.on_a_mm - 3.0 * radial).norm() < 1e-14);
    CHECK((vertex.normal - radial).norm() < 1e-14);
    CHECK(std::abs(vertex.gap_mm) < 1e-14);
  }
}

TEST_CASE("boxes that are lines to rounding have a distance") {
  const Solid needle = Box3{Vec3(500.0, 1e-10, 1e-10)};
  const SolidContact contact = closest_points(needle, at_place(1.0, 0.0, 2.0), needle, Pose3{});
  CHECK(contact.gap_mm == Approx(2.0));
  CHECK((contact.normal - Vec3::UnitZ()).norm() < 1e-9);
}

TEST_CASE("every solid on a tilted half-space") {
  Random random(2);
  const Solid ground = HalfSpace{};
  for (int trial = 0; trial < 50; ++trial) {
    const Solid a = random_solid(random, trial % 5);
    const Pose3 pose = random_pose(random, 20.0);
    const Pose3 ground_pose = random_pose(random, 5.0);
    const SolidContact contact = closest_points(a, pose, ground, ground_pose);
    const Vec3 up = ground_pose.orientation * Vec3::UnitZ();
    CHECK((contact.normal - up).norm() < 1e-14);
    CHECK(contact.gap_mm == Approx(up.dot(contact.on_a_mm - ground_pose.position_mm)));
    CHECK(gauge(a, pose.to_body(contact.on_a_mm)) == Approx(1.0));
    CHECK(up.dot(contact.on_a_mm) == Approx(-highest(a, pose, -up)));
    const SolidContact other = closest_points(ground, ground_pose, a, pose);
    CHECK(other.gap_mm == contact.gap_mm);
    CHECK(other.normal == -contact.normal);
    CHECK(other.on_b_mm == contact.on_a_mm);
  }
}

TEST_CASE("closest points of all pairs of solids apart") {
  Random random(3);
  for (int trial = 0; trial < 300; ++trial) {
    const Solid a = random_solid(random, trial % 5);
    const Solid b = random_solid(random, trial / 5 % 5);
    const Pose3 pose_a = random_pose(random, 30.0);
    const Pose3 pose_b = random_pose(random, 30.0);
    const SolidContact contact = closest_points(a, pose_a, b, pose_b);
    if (contact.gap_mm <= 0.0) continue;
    INFO("trial " << trial << " gap " << contact.gap_mm);
    check_contact(a, pose_a, b, pose_b, contact, 1e-6);
    const SolidContact swapped = closest_points(b, pose_b, a, pose_a);
    CHECK(std::abs(swapped.gap_mm - contact.gap_mm) < 1e-8);
    CHECK((swapped.normal + contact.normal).norm() < 1e-4);
  }
}

TEST_CASE("least penetration of all pairs of solids") {
  Random random(4);
  int overlapping = 0;
  for (int trial = 0; trial < 100; ++trial) {
    const Solid a = random_solid(random, trial % 5);
    const Solid b = random_solid(random, trial / 5 % 5);
    const Pose3 pose_a = random_pose(random, 6.0);
    const Pose3 pose_b = random_pose(random, 6.0);
    const SolidContact contact = closest_points(a, pose_a, b, pose_b);
    if (contact.gap_mm >= 0.0) continue;
    ++overlapping;
    INFO("trial " << trial << " gap " << contact.gap_mm);
    check_contact(a, pose_a, b, pose_b, contact, 1e-4);
    const double sampled = sampled_gap(a, pose_a, b, pose_b);
    CHECK(sampled <= contact.gap_mm + 1e-9);
    CHECK(contact.gap_mm - sampled < 1.0);
  }
  CHECK(overlapping > 70);
}

TEST_CASE("gap and normal go smoothly through touching") {
  Random random(5);
  for (int trial = 0; trial < 50; ++trial) {
    const Solid a = random_solid(random, trial % 5);
    const Solid b = random_solid(random, trial / 5 % 5);
    Pose3 pose_a = random_pose(random, 30.0);
    const Pose3 pose_b = random_pose(random, 30.0);
    const SolidContact start = closest_points(a, pose_a, b, pose_b);
    if (start.gap_mm < 1.0) continue;
    INFO("trial " << trial << " gap " << start.gap_mm);
    const Vec3 place = pose_a.position_mm - start.gap_mm * start.normal;
    for (const double gap : {1e-2, 1e-6, 1e-10, 0.0, -1e-10, -1e-6, -1e-2}) {
      INFO(gap);
      pose_a.position_mm = place + gap * start.normal;
      const SolidContact contact = closest_points(a, pose_a, b, pose_b);
      // A vertex that has just entered may leave by a shorter way.
      CHECK(contact.gap_mm > gap - 1e-8);
      CHECK(contact.gap_mm < std::max(gap, 0.0) + 1e-8);
      if (trial % 5 < 3 && trial / 5 % 5 < 3)
        CHECK(std::abs(contact.gap_mm - gap) < 1e-5 * std::abs(gap) + 1e-8);
    }
  }
}

TEST_CASE("boxes face to face touch along the face's normal") {
  const Solid a = Box3{Vec3(10.0, 20.0, 30.0)};
  const Solid b = Box3{Vec3(50.0, 50.0, 5.0)};
  for (const double gap : {3.0, 1e-9, 0.0, -1e-9, -2.0}) {
    INFO(gap);
    const SolidContact contact = closest_points(a, at_place(5.0, -3.0, 35.0 + gap), b, Pose3{});
    CHECK(std::abs(contact.gap_mm - gap) < 1e-12);
    CHECK((contact.normal - Vec3::UnitZ()).norm() < 1e-12);
    CHECK(gauge(a, contact.on_a_mm - Vec3(5.0, -3.0, 35.0 + gap)) < 1.0 + 1e-12);
    CHECK(gauge(b, contact.on_b_mm) < 1.0 + 1e-12);
  }
}

TEST_CASE("boxes edge to edge") {
  const Solid box = Box3{Vec3(1.0, 1.0, 1.0)};
  const auto turned = [](double angle, const Vec3& axis) {
    return Eigen::Quaterniond(Eigen::AngleAxisd(angle, axis));
  };
  const Pose3 below{Vec3::Zero(), turned(M_PI / 4.0, Vec3::UnitX())};  // an edge along x on top
  for (const double gap : {0.5, 0.0, -0.25}) {
    const Pose3 above{Vec3(0.1, 0.2, 2.0 * std::sqrt(2.0) + gap),
                      turned(M_PI / 4.0, Vec3::UnitY())};
    const SolidContact contact = closest_points(box, above, box, below);
    CHECK(contact.gap_mm == Approx(gap).margin(1e-12));
    CHECK((contact.normal - Vec3::UnitZ()).norm() < 1e-9);
    CHECK((contact.on_b_mm - Vec3(0.1, 0.0, std::sqrt(2.0))).norm() < 1e-9);
  }
}

TEST_CASE("two ellipsoids along an axis") {
  const Solid a = Ellipsoid{Vec3(1.0, 2.0, 3.0)};
  const Solid b = Superquadric{Vec3(4.0, 5.0, 6.0), 3.0};
  for (const double gap : {1.0, 1e-8, 0.0, -1e-8, -0.5}) {
    INFO(gap);
    const SolidContact contact = closest_points(a, at_place(0.0, 0.0, 9.0 + gap), b, Pose3{});
    CHECK(contact.gap_mm == Approx(gap).margin(1e-12));
    CHECK((contact.on_a_mm - Vec3(0.0, 0.0, 6.0 + gap)).norm() < 1e-5);
  }
}

TEST_CASE("a box on a half-space has the gaps of its vertices") {
  const Solid box = Box3{Vec3(1.0, 2.0, 3.0)};
  const Solid ground = HalfSpace{};
  const Pose3 pose{Vec3(5.0, 6.0, 3.5)};
  const auto contacts = contact_points(box, pose, ground, Pose3{});
  REQUIRE(contacts.size() == 8);
  int low = 0;
  for (const SolidContact& contact : contacts) {
    CHECK(contact.normal == Vec3::UnitZ());
    CHECK(gauge(box, pose.to_body(contact.on_a_mm)) == Approx(1.0));
    CHECK(contact.on_b_mm.z() == 0.0);
    if (contact.gap_mm < 1.0) {
      CHECK(contact.gap_mm == Approx(0.5));
      ++low;
    }
  }
  CHECK(low == 4);
  const auto flipped = contact_points(ground, Pose3{}, box, pose);
  CHECK(flipped[0].normal == -Vec3::UnitZ());
  CHECK(flipped[0].on_b_mm == contacts[0].on_a_mm);
}

TEST_CASE("a cylinder on a half-space has its lowest points among those of its rims") {
  Random random(6);
  const Solid cylinder = Cylinder{3.0, 4.0};
  const Solid ground = HalfSpace{};
  for (int trial = 0; trial < 20; ++trial) {
    Pose3 pose = random_pose(random, 5.0);
    if (trial == 0) pose.orientation.setIdentity();
    const auto contacts = contact_points(cylinder, pose, ground, Pose3{});
    REQUIRE(contacts.size() == 8);
    double least = 1e9;
    for (const SolidContact& contact : contacts) {
      CHECK(gauge(cylinder, pose.to_body(contact.on_a_mm)) == Approx(1.0));
      least = std::min(least, contact.gap_mm);
    }
    CHECK(least == Approx(closest_points(cylinder, pose, ground, Pose3{}).gap_mm));
  }
}

TEST_CASE("a sphere touches a half-space at one point") {
  const auto contacts = contact_points(Sphere{2.0}, at_place(0.0, 1.0, 2.0), HalfSpace{}, Pose3{});
  REQUIRE(contacts.size() == 1);
  CHECK(contacts[0].gap_mm == Approx(0.0).margin(1e-15));
}

TEST_CASE("a box on a larger one has the gaps of its lower vertices") {
  const Solid small = Box3{Vec3(1.0, 2.0, 3.0)};
  const Solid large = Box3{Vec3(9.0, 9.0, 5.0)};
  const Pose3 pose = at_place(1.0, 2.0, 8.25);
  for (const bool is_small_first : {true, false}) {
    const auto contacts = is_small_first ? contact_points(small, pose, large, Pose3{})
                                         : contact_points(large, Pose3{}, small, pose);
    REQUIRE(contacts.size() == 1 + 8 + 8);
    CHECK(contacts[0].gap_mm == Approx(0.25));
    int low = 0;
    for (const SolidContact& contact : contacts) {
      CHECK((contact.on_a_mm - contact.on_b_mm - contact.gap_mm * contact.normal).norm() < 1e-12);
      if (contact.gap_mm > 0.26) continue;
      CHECK(contact.normal.z() == Approx(is_small_first ? 1.0 : -1.0));
      const Vec3& above = is_small_first ? contact.on_a_mm : contact.on_b_mm;
      CHECK(gauge(small, pose.to_body(above)) == Approx(1.0));
      ++low;
    }
    CHECK(low == 1 + 4);
  }
}

TEST_CASE("a cylinder on its side on a box touches with both rims") {
  const Solid cylinder = Cylinder{2.0, 5.0};
  const Pose3 lying{Vec3(0.0, 0.0, 12.0),
                    Eigen::Quaterniond(Eigen::AngleAxisd(M_PI / 2.0, Vec3::UnitX()))};
  const auto contacts = contact_points(cylinder, lying, Box3{Vec3::Constant(10.0)}, Pose3{});
  REQUIRE(contacts.size() == 1 + 8 + 8);
  int touching = 0;
  for (std::size_t i = 1; i < contacts.size(); ++i) {
    if (std::abs(contacts[i].gap_mm) > 1e-9) continue;
    CHECK(std::abs(contacts[i].on_a_mm.y()) == Approx(5.0));
    CHECK((contacts[i].normal - Vec3::UnitZ()).norm() < 1e-9);
    ++touching;
  }
  CHECK(touching == 2);
}
