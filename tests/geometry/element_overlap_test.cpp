#include "geometry/element_overlap.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <numbers>
#include <vector>

#include "tests/support/brute_force.hpp"
#include "tests/support/random_outlines.hpp"
#include "tests/support/region.hpp"

using namespace graspmap;
using namespace graspmap::testing;

namespace {

constexpr double kDepth_mm = 1e-6;

/// An outline with its elements, and a circle about its origin that holds it.
struct Drawn {
  OutlineLoop loop;
  Region region;
  std::vector<ContactElement> elements;
  double reach_mm = 0.0;

  explicit Drawn(OutlineLoop chain)
      : loop(std::move(chain)), region(loop), elements(contact_elements(Outline{loop, {}})) {
    for (const OutlineCurve& curve : region.curves()) {
      reach_mm = std::max(reach_mm, farthest_mm(curve, {0.0, 0.0}));
    }
  }
};

Drawn random_drawn(Random& random) {
  return Drawn(random_outline(random, static_cast<OutlineKind>(random.index(8))));
}

/// True when the curves of two bodies cut each other, or one begins within the other.
bool overlaps(const Drawn& a, const Drawn& b, const RelativePose& X) {
  const auto to_b = [&](const Vec2& x) { return X.R.inverse_times(x - X.p_mm); };
  if (a.region.distance_from_mm(X.p_mm + X.R * b.loop[0].begin_mm) < -kDepth_mm) return true;
  if (b.region.distance_from_mm(to_b(a.loop[0].begin_mm)) < -kDepth_mm) return true;
  return std::any_of(a.elements.begin(), a.elements.end(), [&](const ContactElement& e) {
    return std::any_of(b.elements.begin(), b.elements.end(), [&](const ContactElement& f) {
      return may_cut(e, X.p_mm, b.reach_mm) && cuts(e, f, X, kDepth_mm);
    });
  });
}

bool overlaps(const Drawn& a, const Superellipse& shape, const RelativePose& X) {
  const double radius = shape.bounding_radius_mm();
  if (a.region.distance_from_mm(X.p_mm) < 0.0) return true;
  return std::any_of(a.elements.begin(), a.elements.end(), [&](const ContactElement& e) {
    return may_cut(e, X.p_mm, radius) && cuts(e, shape, radius, X, kDepth_mm);
  });
}

/// The smallest gap of a boundary's points to a region, mm, from samples.
double least_gap_mm(const Drawn& a, const Drawn& b, const RelativePose& X) {
  const auto from_a = [&](const Vec2& x) { return a.region.distance_from_mm(X.p_mm + X.R * x); };
  const auto from_b = [&](const Vec2& x) {
    return b.region.distance_from_mm(X.R.inverse_times(x - X.p_mm));
  };
  double least = 1.0;
  for (const OutlineCurve& curve : b.region.curves()) {
    keep_smallest(least, least_along(curve, from_a, 1.0));
  }
  for (const OutlineCurve& curve : a.region.curves()) {
    keep_smallest(least, least_along(curve, from_b, 1.0));
  }
  return least;
}

double least_gap_mm(const Drawn& a, const Superellipse& shape, const RelativePose& X) {
  const auto at = [&](double t) {
    return -a.region.distance_from_mm(X.p_mm + X.R * boundary_point(shape, t).position_mm);
  };
  return -periodic_max(at, 400).value;
}

RelativePose random_pose(Random& random) {
  return {{random.uniform(-22.0, 22.0), random.uniform(-22.0, 22.0)},
          Rotation2(random.uniform(-3.0, 3.0))};
}

/// Moves the second body to a gap of nearly zero, by bisection along a line; false without one.
template <typename Gap>
bool bring_to(double gap_mm, const Gap& gap, RelativePose& X) {
  RelativePose far = X;
  far.p_mm = X.p_mm.normalized() * 80.0;
  if (gap(X) > gap_mm) return false;
  for (int k = 0; k < 50; ++k) {
    const Vec2 middle = 0.5 * (X.p_mm + far.p_mm);
    (gap(RelativePose{middle, X.R}) > gap_mm ? far : X).p_mm = middle;
  }
  X = far;
  return true;
}

}  // namespace

TEST_CASE("outlines that overlap cut each other, and others do not") {
  Random random(1);
  int overlapping = 0;
  for (int k = 0; k < 90; ++k) {
    const Drawn a = random_drawn(random);
    const Drawn b = random_drawn(random);
    RelativePose X = random_pose(random);
    const auto gap = [&](const RelativePose& pose) { return least_gap_mm(a, b, pose); };
    INFO(k);
    const double least = gap(X);
    if (std::abs(least) > 1e-4) CHECK(overlaps(a, b, X) == (least < 0.0));
    overlapping += least < -1e-4 ? 1 : 0;
    if (k % 3 == 0 && bring_to(1e-9, gap, X)) CHECK_FALSE(overlaps(a, b, X));
  }
  CHECK(overlapping > 20);
}

TEST_CASE("a superellipse that overlaps an outline is cut by it, and no other one") {
  Random random(2);
  int overlapping = 0;
  for (int k = 0; k < 90; ++k) {
    const Drawn a = random_drawn(random);
    const double length = random.uniform(2.0, 12.0);
    const Superellipse shape{length, length / std::pow(10.0, random.uniform(0.0, 2.0)),
                             k % 4 == 0 ? 2.0 : random.uniform(2.0, 100.0)};
    RelativePose X = random_pose(random);
    const auto gap = [&](const RelativePose& pose) { return least_gap_mm(a, shape, pose); };
    INFO(k);
    const double least = gap(X);
    if (std::abs(least) > 1e-3) CHECK(overlaps(a, shape, X) == (least < 0.0));
    overlapping += least < -1e-3 ? 1 : 0;
  }
  CHECK(overlapping > 20);
}

TEST_CASE("a needle that lies across a corner is found, however thin and shallow") {
  const Drawn square(
      OutlineLoop{{{-5, -5}, 0, ""}, {{5, -5}, 0, ""}, {{5, 5}, 0, ""}, {{-5, 5}, 0, ""}});
  const Rotation2 across(-0.25 * std::numbers::pi);
  const Vec2 out = Vec2(1.0, 1.0).normalized();
  for (const double b : {1e-2, 1.0}) {
    for (const double exponent : {2.0, 7.5, 100.0}) {
      const Superellipse needle{10.0, b, exponent};
      for (const double depth : {2e-6, 1e-4, 0.5 * b}) {
        const RelativePose X{Vec2(5, 5) + (b - depth) * out, across};
        CHECK(overlaps(square, needle, X));
      }
      const RelativePose clear{Vec2(5, 5) + (b - 1e-8) * out, across};
      CHECK_FALSE(overlaps(square, needle, clear));
      // Its tip in an edge.
      const RelativePose stuck{{0.0, 15.0 - 1e-4}, Rotation2(0.5 * std::numbers::pi)};
      CHECK(overlaps(square, needle, stuck));
      const RelativePose touching{{0.0, 15.0 - 1e-8}, Rotation2(0.5 * std::numbers::pi)};
      CHECK_FALSE(overlaps(square, needle, touching));
    }
  }
}

TEST_CASE("a disc in a round groove is clear up to the groove's radius") {
  const Drawn groove(OutlineLoop{{{-5, -9}, 0, ""},
                                 {{5, -9}, 0, ""},
                                 {{5, 0}, 0, ""},
                                 {{3, 0}, -1.0, ""},
                                 {{-3, 0}, 0, ""},
                                 {{-5, 0}, 0, ""}});
  const RelativePose at_centre;
  CHECK_FALSE(overlaps(groove, Superellipse{2.9, 2.9, 2.0}, at_centre));
  CHECK_FALSE(overlaps(groove, Superellipse{3.0, 3.0, 2.0}, at_centre));
  CHECK(overlaps(groove, Superellipse{3.0 + 1e-4, 3.0 + 1e-4, 2.0}, at_centre));
  const RelativePose lower{{0.0, -0.1 - 1e-5}, Rotation2()};
  CHECK(overlaps(groove, Superellipse{2.9, 2.9, 2.0}, lower));
  const RelativePose resting{{0.0, -0.1 + 1e-8}, Rotation2()};
  CHECK_FALSE(overlaps(groove, Superellipse{2.9, 2.9, 2.0}, resting));
}
