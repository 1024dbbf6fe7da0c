#include "geometry/contact_element.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <numbers>

#include "geometry/types.hpp"
#include "tests/support/outlines.hpp"
#include "tests/support/random_outlines.hpp"

using namespace graspmap;
using namespace graspmap::testing;

namespace {

using Kind = ContactElement::Kind;

constexpr double kPi = std::numbers::pi;

Vec2 outward_normal(const OutlineCurve& curve, double s) { return -perp(tangent_at(curve, s)); }

/// By how much the tangent turns at the begin of element k, > 0 at a convex corner.
double turn_at(const std::vector<OutlineCurve>& chain, std::size_t k) {
  const Vec2 u = tangent_at(chain[(k + chain.size() - 1) % chain.size()], 1.0);
  const Vec2 v = tangent_at(chain[k], 0.0);
  return std::atan2(cross(u, v), u.dot(v));
}

}  // namespace

TEST_CASE("a rectangle is four sides and four corners in turn") {
  const auto elements = elements_of(rectangle_loop(6.0, 4.0));
  REQUIRE(elements.size() == 8);
  for (int k = 0; k < 8; ++k) {
    const ContactElement& e = elements[index(k)];
    INFO(k);
    CHECK(e.kind == (k % 2 == 0 ? Kind::kRound : Kind::kSegment));
    CHECK(e.feature == (k % 2 == 0 ? 4 + k / 2 : k / 2));
    CHECK(e.at_lo == (k + 7) % 8);
    CHECK(e.at_hi == (k + 1) % 8);
    CHECK(e.beyond_lo_mm == 0.0);
    CHECK(e.beyond_hi_mm == 0.0);
    if (k % 2 == 0) {
      CHECK(e.radius_mm == 0.0);
      CHECK(e.span_rad == Approx(0.5 * kPi).epsilon(1e-14));
    } else {
      CHECK(e.length_mm == (k % 4 == 1 ? 6.0 : 4.0));
      CHECK(e.normal_lo == -perp(e.tangent));
    }
  }
  CHECK(elements[1].normal_lo == Vec2(0.0, -1.0));
  CHECK(elements[3].normal_lo == Vec2(1.0, 0.0));
}

TEST_CASE("a circle is one element, however many arcs it is drawn as") {
  for (const int pieces : {2, 3, 7}) {
    INFO(pieces << " arcs");
    OutlineLoop loop;
    for (int k = 0; k < pieces; ++k) {
      const double angle = 0.3 + 2.0 * kPi * k / pieces;
      loop.push_back({Vec2(3.0, -2.0) + 5.0 * Vec2(std::cos(angle), std::sin(angle)),
                      std::tan(0.5 * kPi / pieces), ""});
    }
    const auto elements = elements_of(loop);
    REQUIRE(elements.size() == 1);
    CHECK((elements[0].point_mm - Vec2(3.0, -2.0)).norm() <= 1e-14);
    CHECK(elements[0].radius_mm == Approx(5.0).epsilon(1e-14));
    CHECK(elements[0].span_rad == Approx(2.0 * kPi).epsilon(1e-14));
    for (double angle = -3.0; angle < 3.2; angle += 0.25) {
      const Vec2 u(std::cos(angle), std::sin(angle));
      CHECK(range_of(elements[0], u, 0.0) == NormalRange::kInside);
    }
  }
}

TEST_CASE("arcs of one circle are one element, also across the chain's begin, and others are not") {
  const double quarter = std::tan(kPi / 8.0);
  // A slot whose first end is two quarter circles, the chain's begin between them.
  const OutlineLoop slot{{{8, 0}, quarter, ""},
                         {{6, 2}, 0.0, ""},
                         {{-6, 2}, 1.0, ""},
                         {{-6, -2}, 0.0, ""},
                         {{6, -2}, quarter, ""}};
  const auto elements = elements_of(slot);
  REQUIRE(elements.size() == 4);
  int arcs = 0;
  for (const ContactElement& e : elements) {
    if (e.kind != Kind::kRound) continue;
    ++arcs;
    CHECK(e.span_rad == Approx(kPi).epsilon(1e-14));
    CHECK(e.radius_mm == Approx(2.0).epsilon(1e-14));
  }
  CHECK(arcs == 2);
  // Tangent arcs of different radii stay two, without a corner between them.
  const auto egg = elements_of({{{3, 0}, quarter, ""},
                                {{0, 3}, 0.0, ""},
                                {{-5, 3}, quarter, ""},
                                {{-8, 0}, quarter, ""},
                                {{-5, -3}, 0.0, ""},
                                {{0, -3}, quarter, ""}});
  CHECK(egg.size() == 4);
}

TEST_CASE("concave arcs are hollows: their normals run backwards") {
  // A square with a half-round notch of radius 1 in its top side.
  const auto elements = elements_of({{{-3, -3}, 0.0, ""},
                                     {{3, -3}, 0.0, ""},
                                     {{3, 3}, 0.0, ""},
                                     {{1, 3}, -1.0, ""},
                                     {{-1, 3}, 0.0, ""},
                                     {{-3, 3}, 0.0, ""}});
  REQUIRE(elements.size() == 6 + 6);
  int hollows = 0;
  for (const ContactElement& e : elements) {
    if (e.kind != Kind::kHollow) continue;
    ++hollows;
    CHECK((e.point_mm - Vec2(0, 3)).norm() <= 1e-15);
    CHECK((e.normal_lo - Vec2(1, 0)).norm() <= 1e-15);  // at (-1, 3), where the chain leaves it
    CHECK((e.normal_hi - Vec2(-1, 0)).norm() <= 1e-15);
    CHECK((e.lo_mm - Vec2(-1, 3)).norm() <= 1e-15);
    CHECK((e.hi_mm - Vec2(1, 3)).norm() <= 1e-15);
    CHECK(range_of(e, Vec2(0, 1), 0.0) == NormalRange::kInside);
    CHECK(range_of(e, Vec2(0, -1), 0.0) != NormalRange::kInside);
    CHECK(elements[index(e.at_lo)].kind == Kind::kRound);  // corners of 90 degrees at its ends
    CHECK(elements[index(e.at_hi)].kind == Kind::kRound);
  }
  CHECK(hollows == 1);
}

TEST_CASE("at a reflex corner there is no neighbour, and continuations reach into the region") {
  // An L: its reflex corner is (2, 1), both arms are 1 and 2 mm thick there.
  const auto elements = elements_of(polygon_loop({{0, 0}, {9, 0}, {9, 1}, {2, 1}, {2, 7}, {0, 7}}));
  REQUIRE(elements.size() == 6 + 5);
  int ends = 0;
  for (const ContactElement& e : elements) {
    if (e.at_lo < 0) {
      ++ends;
      CHECK(e.lo_mm == Vec2(2, 1));
      CHECK(e.beyond_lo_mm == Approx(0.5));  // through the foot: 1 mm, half of it
      CHECK(e.beyond_hi_mm == 0.0);
    }
    if (e.at_hi < 0) {
      ++ends;
      CHECK(e.hi_mm == Vec2(2, 1));
      CHECK(e.beyond_hi_mm == Approx(0.5));  // no more than that
    }
  }
  CHECK(ends == 2);
  // A thin wall.
  for (const ContactElement& e :
       elements_of(polygon_loop({{0, 0}, {9, 0}, {9, 0.2}, {2, 0.2}, {2, 7}, {0, 7}}))) {
    if (e.at_lo < 0) CHECK(e.beyond_lo_mm == Approx(0.1));
  }
}

TEST_CASE("elements of random outlines close the chain, and normals are continuous") {
  Random random(71);
  for (int n = 0; n < 160; ++n) {
    const OutlineLoop loop = random_outline(random, static_cast<OutlineKind>(n % 8));
    const std::vector<OutlineCurve> chain = outline_curves(loop);
    const auto elements = elements_of(loop);
    INFO("outline " << n);
    std::size_t corners = 0;
    int without_neighbour = 0;
    for (std::size_t k = 0; k < chain.size(); ++k) {
      if (turn_at(chain, k) > 1e-6) ++corners;
      if (turn_at(chain, k) < -1e-6) without_neighbour += 2;
    }
    CHECK(elements.size() == chain.size() + corners);
    double turn = 0.0;
    for (std::size_t i = 0; i < elements.size(); ++i) {
      const ContactElement& e = elements[i];
      turn += e.kind == Kind::kHollow ? -e.span_rad : e.span_rad;
      without_neighbour -= (e.at_lo < 0 ? 1 : 0) + (e.at_hi < 0 ? 1 : 0);
      CHECK(std::abs(e.normal_lo.norm() - 1.0) <= 1e-12);
      CHECK(std::abs(e.normal_hi.norm() - 1.0) <= 1e-12);
      CHECK(e.beyond_lo_mm >= 0.0);
      for (const bool at_hi : {false, true}) {
        const int next = at_hi ? e.at_hi : e.at_lo;
        if (next < 0) continue;
        const ContactElement& f = elements[index(next)];
        const Vec2 point = at_hi ? e.hi_mm : e.lo_mm;
        const Vec2 normal = at_hi ? e.normal_hi : e.normal_lo;
        // Normals turn on at a convex neighbour, and back along a concave one.
        const bool f_lo = (f.at_lo == static_cast<int>(i)) && ((point - f.lo_mm).norm() < 1e-9) &&
                          ((normal - f.normal_lo).norm() < 1e-8);
        const bool f_hi = (f.at_hi == static_cast<int>(i)) && ((point - f.hi_mm).norm() < 1e-9) &&
                          ((normal - f.normal_hi).norm() < 1e-8);
        CHECK((f_lo || f_hi));
      }
      const BoundingCircle circle = bounding_circle(e);
      CHECK((e.lo_mm - circle.center_mm).norm() <= circle.radius_mm * (1.0 + 1e-12));
      CHECK((e.hi_mm - circle.center_mm).norm() <= circle.radius_mm * (1.0 + 1e-12));
      if (e.feature >= static_cast<int>(chain.size())) continue;
      for (const double s : {0.0, 0.3, 0.5, 0.9, 1.0}) {
        const OutlineCurve& curve = chain[index(e.feature)];
        CHECK((point_at(curve, s) - circle.center_mm).norm() <= circle.radius_mm * (1.0 + 1e-12));
        CHECK(range_of(e, outward_normal(curve, s), 1e-12) == NormalRange::kInside);
      }
    }
    CHECK(without_neighbour == 0);
    // All turns, those at reflex corners included, make one.
    for (std::size_t k = 0; k < chain.size(); ++k) turn += std::min(turn_at(chain, k), 0.0);
    CHECK(turn == Approx(2.0 * kPi).epsilon(1e-9));
  }
}

TEST_CASE("placed elements are those of the placed outline") {
  Random random(72);
  for (int n = 0; n < 24; ++n) {
    const Outline outline{random_outline(random, static_cast<OutlineKind>(n % 8)), {}};
    const Pose2 pose{{random.uniform(-9.0, 9.0), random.uniform(-9.0, 9.0)},
                     random.uniform(-3.0, 3.0)};
    const auto moved = contact_elements(placed(outline, pose));
    const auto elements = contact_elements(outline);
    REQUIRE(moved.size() == elements.size());
    for (std::size_t i = 0; i < moved.size(); ++i) {
      const ContactElement e = placed(elements[i], pose, 7, 100);
      CHECK(e.kind == moved[i].kind);
      CHECK((e.point_mm - moved[i].point_mm).norm() <= 1e-12 * (1.0 + moved[i].radius_mm));
      CHECK((e.lo_mm - moved[i].lo_mm).norm() <= 1e-12);
      CHECK((e.normal_lo - moved[i].normal_lo).norm() <= 1e-12);
      CHECK((e.normal_hi - moved[i].normal_hi).norm() <= 1e-12);
      CHECK(e.at_lo == (moved[i].at_lo < 0 ? -1 : moved[i].at_lo + 7));
      CHECK(e.at_hi == (moved[i].at_hi < 0 ? -1 : moved[i].at_hi + 7));
      CHECK(e.feature == moved[i].feature + 100);
    }
  }
}

TEST_CASE("the circle around an arc of less than half a turn has the arc's chord as its diameter") {
  for (const double bulge : {0.1, 0.4, -0.4, 0.9}) {
    const Outline outline{{{{0, 0}, 0.0, ""}, {{9, 0}, bulge, ""}, {{5, 7}, 0.0, ""}}, {}};
    int arcs = 0;
    for (const ContactElement& e : contact_elements(outline)) {
      if (e.radius_mm == 0.0) continue;
      ++arcs;
      const BoundingCircle circle = bounding_circle(e);
      CHECK((circle.center_mm - Vec2(7.0, 3.5)).norm() <= 1e-12);
      CHECK(circle.radius_mm == Approx(0.5 * std::hypot(4.0, 7.0)));
    }
    CHECK(arcs == 1);
  }
}
