#include "geometry/outline.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <numbers>

#include "tests/support/outline_shapes.hpp"
#include "tests/support/random.hpp"

namespace graspmap {
namespace {

using namespace testing;
using std::numbers::pi;

// A C of outer radius 2, inner radius 1, open between -45 and 45 degrees.
OutlineLoop letter_c() {
  const double c = std::sqrt(0.5);
  const double bulge = std::tan(1.5 * pi / 4.0);
  return {{{2 * c, 2 * c}, bulge, ""},
          {{2 * c, -2 * c}, 0.0, ""},
          {{c, -c}, -bulge, ""},
          {{c, c}, 0.0, ""}};
}

bool is_in_letter_c(const Vec2& x) {
  const double r = x.norm();
  return r >= 1.0 && r <= 2.0 && std::abs(std::atan2(x.y(), x.x())) >= pi / 4.0;
}

TEST_CASE("points within a loop with arcs of more and less than half a turn") {
  Random random(1);
  const OutlineLoop c = letter_c();
  int inside = 0;
  for (int i = 0; i < 20000; ++i) {
    const Vec2 x(random.uniform(-2.2, 2.2), random.uniform(-2.2, 2.2));
    inside += is_in_letter_c(x);
    CHECK(contains(c, x) == is_in_letter_c(x));
    CHECK(contains(reversed(c), x) == is_in_letter_c(x));
  }
  CHECK(inside > 5000);
}

TEST_CASE("points at the height of corners, on chords and on their lines") {
  const OutlineLoop diamond = polygon_loop({{1, 0}, {0, 1}, {-1, 0}, {0, -1}});
  for (double x : {-2.0, -0.5, 0.0, 0.5, 2.0}) {
    CAPTURE(x);
    CHECK(contains(diamond, Vec2(x, 0)) == (std::abs(x) < 1));
    CHECK(contains(diamond, Vec2(0, x)) == (std::abs(x) < 1));
  }
  for (double angle : {0.0, 0.1, pi / 4.0, pi / 2.0, 2.0, pi, 4.0, 3 * pi / 2.0}) {
    CAPTURE(angle);
    const Outline disc = placed({circle_loop({0, 0}, 1), {}}, {{0, 0}, angle});
    for (double r : {-1.01, -0.99, -0.5, 0.0, 0.5, 0.99, 1.01, 3.0}) {
      const Vec2 on_chord = r * Vec2(std::cos(angle), std::sin(angle));
      CHECK(contains(disc, on_chord) == (std::abs(r) < 1));
      CHECK(contains(disc, perp(on_chord)) == (std::abs(r) < 1));
    }
  }
}

TEST_CASE("holes are not in an outline") {
  const Outline ring{circle_loop({0, 0}, 2), {reversed(circle_loop({0.5, 0}, 1))}};
  CHECK(contains(ring, Vec2(-1, 0)));
  CHECK_FALSE(contains(ring, Vec2(0, 0)));
  CHECK_FALSE(contains(ring, Vec2(2.1, 0)));
  CHECK(boundary_distance_mm(ring, Vec2(0.5, 0.25)) == Approx(0.75).epsilon(1e-14));
  CHECK(boundary_distance_mm(ring, Vec2(0, 5)) == Approx(3.0).epsilon(1e-14));
}

// The nearest of many points of a curve.
double sampled_distance(const OutlineCurve& curve, const Vec2& x) {
  double distance = (x - curve.end_mm).norm();
  for (int k = 0; k < 4000; ++k)
    distance = std::min(distance, (x - point_at(curve, k / 4000.0)).norm());
  return distance;
}

TEST_CASE("distances, farthest points and boxes of curves") {
  Random random(2);
  for (double bulge : {0.0, 0.02, -0.4, 1.0, -1.0, 2.5, -30.0}) {
    CAPTURE(bulge);
    const OutlineCurve curve = outline_curve({1, 2}, {2.5, 1}, bulge);
    const double step = curve.length_mm() / 4000.0;
    const Eigen::AlignedBox2d box = box_of(curve);
    Eigen::AlignedBox2d sampled;
    for (int k = 0; k <= 4000; ++k) {
      const Vec2 point = point_at(curve, k / 4000.0);
      sampled.extend(point);
      CHECK(distance_mm(curve, point) <= 1e-13 * (1.0 + curve.radius_mm));
      CHECK(closest_share(curve, point) == Approx(k / 4000.0).margin(1e-9));
    }
    CHECK((box.min() - sampled.min()).norm() <= step);
    CHECK((box.max() - sampled.max()).norm() <= step);
    CHECK((box.min() - sampled.min()).maxCoeff() <= 1e-13 * (1.0 + curve.radius_mm));
    for (int i = 0; i < 50; ++i) {
      const Vec2 x(random.uniform(-4, 8), random.uniform(-5, 7));
      const double distance = distance_mm(curve, x);
      CHECK(distance <= sampled_distance(curve, x) + 1e-13);
      CHECK(distance >= sampled_distance(curve, x) - step);
      CHECK((point_at(curve, closest_share(curve, x)) - x).norm() ==
            Approx(distance).epsilon(1e-12).margin(1e-12));
      double farthest = 0.0;
      for (int k = 0; k <= 4000; ++k) {
        farthest = std::max(farthest, (point_at(curve, k / 4000.0) - x).norm());
      }
      CHECK(farthest_mm(curve, x) == Approx(farthest).epsilon(1e-6));
      CHECK(farthest_mm(curve, x) >= farthest - 1e-12);
    }
  }
}

TEST_CASE("curves that cross meet on both") {
  Random random(3);
  int found = 0;
  for (int i = 0; i < 3000; ++i) {
    const auto curve = [&] {
      const double bulge = i % 3 == 0 ? 0.0 : random.uniform(-3, 3);
      return outline_curve({random.uniform(-1, 1), random.uniform(-1, 1)},
                           {random.uniform(-1, 1), random.uniform(-1, 1)}, bulge);
    };
    const OutlineCurve a = curve();
    const OutlineCurve b = i % 2 == 0 ? curve() : outline_curve({-1, 0.1}, {1, 0.2}, 0.0);
    // Signs of the distance from a closed chain that b's points have along a say how often.
    int changes = 0;
    const OutlineLoop closed{{b.begin_mm, std::tan(b.turn_rad / 4), ""}, {b.end_mm, 0.0, ""}};
    const OutlineCurve closing = outline_curve(b.end_mm, b.begin_mm, 0.0);
    for (int k = 0; k < 2000; ++k) {
      changes += contains(closed, point_at(a, k / 2000.0)) !=
                 contains(closed, point_at(a, (k + 1) / 2000.0));
    }
    const auto with_b = meetings(a, b, 1e-12);
    const auto with_closing = meetings(a, closing, 1e-12);
    for (const CurveMeeting& meeting : with_b) {
      const double size = 1.0 + a.radius_mm + b.radius_mm;
      CHECK((point_at(a, meeting.share_a) - meeting.point_mm).norm() <= 1e-10 * size);
      CHECK((point_at(b, meeting.share_b) - meeting.point_mm).norm() <= 1e-10 * size);
    }
    if (b.is_arc()) {  // else the chain has no inside
      const auto all = with_b.size() + with_closing.size();
      CHECK(all >= static_cast<std::size_t>(changes));
      CHECK((all - static_cast<std::size_t>(changes)) % 2 == 0);
      found += static_cast<int>(with_b.size());
    }
  }
  CHECK(found > 300);
}

TEST_CASE("curves that touch meet, curves that do not quite touch do not") {
  const OutlineCurve arc = outline_curve({1, 0}, {-1, 0}, 1.0);  // the upper half of a unit circle
  const auto above = [](double gap) { return outline_curve({-2, 1 + gap}, {2, 1 + gap}, 0.0); };
  CHECK_FALSE(meetings(arc, above(0.0), 1e-9).empty());
  CHECK_FALSE(meetings(arc, above(1e-10), 1e-9).empty());
  CHECK(meetings(arc, above(1e-8), 1e-9).empty());
  const auto beside = [](double gap) { return outline_curve({0, 3 + gap}, {0, 1 + gap}, 1.0); };
  CHECK_FALSE(meetings(arc, beside(1e-10), 1e-9).empty());
  CHECK(meetings(arc, beside(1e-8), 1e-9).empty());
  CHECK(meetings(beside(1e-8), arc, 1e-9).empty());
  const OutlineCurve edge = outline_curve({0, 0}, {4, 0}, 0.0);
  CHECK(meetings(edge, outline_curve({1, 0}, {3, 0}, 0.0), 1e-9).size() == 2);
  CHECK(meetings(edge, outline_curve({5, 0}, {7, 0}, 0.0), 1e-9).empty());
  CHECK(meetings(edge, outline_curve({1, 1e-8}, {3, 1e-8}, 0.0), 1e-9).empty());
}

TEST_CASE("the pairs of boxes that overlap") {
  Random random(4);
  std::vector<Eigen::AlignedBox2d> boxes;
  for (int i = 0; i < 150; ++i) {
    const Vec2 corner(random.uniform(0, 10), random.uniform(0, 10));
    boxes.emplace_back(corner, corner + Vec2(random.uniform(0, 2), random.uniform(0, 2)));
  }
  std::vector<std::pair<std::size_t, std::size_t>> expected;
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    for (std::size_t j = i + 1; j < boxes.size(); ++j) {
      if (boxes[i].intersects(boxes[j])) expected.emplace_back(i, j);
    }
  }
  CHECK(expected.size() > 300);
  CHECK(overlapping_pairs(boxes, 0.0) == expected);
  CHECK(overlapping_pairs(boxes, 0.1).size() > expected.size());
}

}  // namespace
}  // namespace graspmap
