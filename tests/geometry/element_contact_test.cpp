#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <numbers>
#include <set>

#include "geometry/closest_points.hpp"
#include "geometry/types.hpp"
#include "tests/support/finite_differences.hpp"
#include "tests/support/outlines.hpp"
#include "tests/support/random_outlines.hpp"
#include "tests/support/region.hpp"

using namespace graspmap;
using namespace graspmap::testing;

namespace {

using Kind = ContactElement::Kind;
using Elements = std::vector<ContactElement>;

constexpr double kInfinite = std::numeric_limits<double>::infinity();

/// Where two bodies are, and the finger's x as in State.
struct Placing {
  Vec2 p_GB{0, 0};
  double theta = 0.0;
  Vec2 p_GF{0, 0};
};

ClosestPoints follow(const Elements& part, const Elements& finger, const Placing& at,
                     ElementPair& pair) {
  const Rotation2 R(at.theta);
  return follow_elements({part, at.p_GB, R}, {finger, at.p_GF}, pair);
}

bool is_facing(const Elements& part, const Elements& finger, const Placing& at,
               const ElementPair& pair) {
  const Rotation2 R(at.theta);
  return faces({part, at.p_GB, R}, {finger, at.p_GF}, pair, 1e-9);
}

/// Signed as ClosestPoints has it.
double radius_of(const ContactElement& e) {
  if (e.kind == Kind::kSegment) return kInfinite;
  return e.kind == Kind::kHollow ? -e.radius_mm : e.radius_mm;
}

/// The element's point with a normal at a share of its range, and for segments of its length.
struct Place {
  Vec2 point{0, 0};
  Vec2 normal{0, 0};
};

Place place_on(const ContactElement& e, double share) {
  if (e.kind == Kind::kSegment) return {e.lo_mm + share * (e.hi_mm - e.lo_mm), e.normal_lo};
  const Vec2 n = Rotation2(share * e.span_rad) * e.normal_lo;
  return {e.point_mm + (e.kind == Kind::kHollow ? -1.0 : 1.0) * e.radius_mm * n, n};
}

/// The part so that both places face each other, psi apart along the finger's normal.
Placing facing(const Place& part, const Place& finger, double psi, const Vec2& p_GF) {
  Placing at;
  at.p_GF = p_GF;
  at.theta = std::atan2(-finger.normal.y(), -finger.normal.x()) -
             std::atan2(part.normal.y(), part.normal.x());
  at.p_GB = p_GF + finger.point + psi * finger.normal - Rotation2(at.theta) * part.point;
  return at;
}

/// A pair of elements of two random outlines that can touch, and their kinds.
struct RandomPair {
  Elements part;
  Elements finger;
  ElementPair pair;

  explicit RandomPair(Random& random) {
    do {
      part = elements_of(random_outline(random, static_cast<OutlineKind>(random.index(8))));
      finger = elements_of(random_outline(random, static_cast<OutlineKind>(random.index(8))));
      pair = {random.index(static_cast<int>(part.size())),
              random.index(static_cast<int>(finger.size()))};
    } while (!can_touch(p(), f()));
  }
  [[nodiscard]] const ContactElement& p() const { return part[index(pair.part)]; }
  [[nodiscard]] const ContactElement& f() const { return finger[index(pair.finger)]; }
  /// Rounds, corners, segments and hollows as 0 to 3.
  [[nodiscard]] std::pair<int, int> kinds() const { return {kind_of(p()), kind_of(f())}; }
  /// How far apart they can be along a common normal, mm.
  [[nodiscard]] double room_mm() const {
    const double sum = p().radius_mm + f().radius_mm;
    const bool hollow = p().kind == Kind::kHollow || f().kind == Kind::kHollow;
    return hollow ? std::abs(p().radius_mm - f().radius_mm) : sum + 5.0;
  }

 private:
  static int kind_of(const ContactElement& e) {
    if (e.kind == Kind::kRound) return e.radius_mm > 0.0 ? 0 : 1;
    return e.kind == Kind::kSegment ? 2 : 3;
  }
};

/// All that can touch: 3 x 3 without two segments, and hollows with rounds and corners.
constexpr std::size_t kCombinations = 8 + 4;

}  // namespace

TEST_CASE("two segments cannot touch, nor a hollow what is no rounder") {
  const auto of = [](Kind kind, double radius_mm) {
    ContactElement e;
    e.kind = kind;
    e.radius_mm = radius_mm;
    return e;
  };
  const ContactElement segment = of(Kind::kSegment, 0.0);
  const ContactElement corner = of(Kind::kRound, 0.0);
  const ContactElement small = of(Kind::kRound, 1.0);
  const ContactElement large = of(Kind::kRound, 3.0);
  const ContactElement hollow = of(Kind::kHollow, 2.0);
  CHECK_FALSE(can_touch(segment, segment));
  CHECK_FALSE(can_touch(hollow, segment));
  CHECK_FALSE(can_touch(segment, hollow));
  CHECK_FALSE(can_touch(hollow, hollow));
  CHECK_FALSE(can_touch(hollow, large));
  CHECK_FALSE(can_touch(large, hollow));
  for (const ContactElement& e : {corner, small, large}) {
    CHECK(can_touch(e, segment));
    CHECK(can_touch(segment, e));
    CHECK(can_touch(e, corner));
  }
  for (const ContactElement& e : {corner, small}) {
    CHECK(can_touch(e, hollow));
    CHECK(can_touch(hollow, e));
  }
}

TEST_CASE("elements that face each other at known places are found there") {
  Random random(81);
  std::set<std::pair<int, int>> seen;
  for (int n = 0; n < 600; ++n) {
    const RandomPair a(random);
    const Place on_part = place_on(a.p(), random.uniform(0.05, 0.95));
    const Place on_finger = place_on(a.f(), random.uniform(0.05, 0.95));
    const double psi = random.uniform(0.0, 0.8) * a.room_mm();
    const Vec2 p_GF(random.uniform(-20.0, 20.0), 0.0);
    const Placing at = facing(on_part, on_finger, psi, p_GF);
    ElementPair pair = a.pair;
    const ClosestPoints closest = follow(a.part, a.finger, at, pair);
    INFO("pair " << n << " of kinds " << a.kinds().first << ", " << a.kinds().second);
    CHECK(pair == a.pair);
    CHECK(is_facing(a.part, a.finger, at, pair));
    // Large arcs lose digits of the gap by their radius.
    const double rounding = 1e-13 * (50.0 + a.p().radius_mm + a.f().radius_mm);
    CHECK(std::abs(closest.psi_mm - psi) <= rounding);
    const double along = 1e-6 + (psi < 1e-3 ? 1.0 : 0.0);  // of concentric arcs: any point
    CHECK((closest.on_jaw_mm - p_GF - on_finger.point).norm() <= along);
    CHECK((closest.on_piece_mm - at.p_GB - Rotation2(at.theta) * on_part.point).norm() <= along);
    CHECK(closest.piece_radius_mm == radius_of(a.p()));
    CHECK(closest.jaw_radius_mm == radius_of(a.f()));
    seen.insert(a.kinds());
  }
  CHECK(seen.size() == kCombinations);
}

TEST_CASE("contacts move as finite differences say, for all kinds of elements") {
  using Vec4 = Eigen::Vector4d;
  Random random(82);
  std::set<std::pair<int, int>> seen;
  int compared = 0;
  for (int n = 0; n < 1200; ++n) {
    const RandomPair a(random);
    const double room = a.room_mm();
    if (a.p().span_rad > 0.0 && a.p().span_rad < 0.1) continue;  // room for the differences
    if (a.f().span_rad > 0.0 && a.f().span_rad < 0.1) continue;
    if (std::max(a.p().radius_mm, a.f().radius_mm) > 100.0 || room < 0.05) continue;
    const double psi = random.uniform(0.1, 0.7) * std::min(room, 3.0);
    const Placing at =
        facing(place_on(a.p(), random.uniform(0.3, 0.7)), place_on(a.f(), random.uniform(0.3, 0.7)),
               psi, {random.uniform(-20.0, 20.0), 0.0});
    const Vec4 q(at.p_GB.x(), at.p_GB.y(), at.theta, at.p_GF.x());
    bool same_pair = true;
    const auto contact = [&](const Vec4& x) {
      ElementPair pair = a.pair;
      const ClosestPoints closest =
          follow(a.part, a.finger, {{x[0], x[1]}, x[2], {x[3], 0.0}}, pair);
      same_pair = same_pair && pair == a.pair;
      return closest;
    };
    const ClosestPoints here = contact(q);
    const Vec2 tau = -perp(here.normal);
    // (psi, turn of the normal, r): all rows that ContactMotion describes.
    const auto rows = [&](const Vec4& x) -> Vec4 {
      const ClosestPoints c = contact(x);
      const Vec2 r = c.on_piece_mm - Vec2(x[0], x[1]);
      return {c.psi_mm, std::asin(cross(here.normal, c.normal)), r.x(), r.y()};
    };
    const double h = 1e-4 * std::min(1.0, room);
    const Eigen::Matrix4d J = central_jacobian<4>(rows, q, h);
    if (!same_pair) continue;
    const ContactMotion motion = element_motion(here, at.p_GB);
    INFO("pair " << n << " of kinds " << a.kinds().first << ", " << a.kinds().second << ", psi "
                 << psi);
    const double scale = std::max(1.0, motion.turn.cwiseAbs().maxCoeff());
    CHECK((motion.gap - J.row(0)).norm() <= 1e-7 * (1.0 + J.row(0).norm()));
    CHECK((motion.turn - J.row(1)).norm() <= 1e-6 * scale);
    Eigen::Matrix<double, 2, 4> arm = tau * motion.slide;
    arm.col(2) += perp(motion.arm_mm);
    CHECK((arm - J.bottomRows<2>()).norm() <= 1e-6 * (1.0 + arm.norm()));
    CHECK((motion.arm_mm - (here.on_piece_mm - at.p_GB)).norm() <= 1e-12);
    seen.insert(a.kinds());
    ++compared;
  }
  CHECK(seen.size() == kCombinations);
  CHECK(compared > 400);
}

TEST_CASE("the nearest pair that faces is at the distance of the boundaries") {
  Random random(83);
  int apart = 0;
  for (int n = 0; n < 400; ++n) {
    const OutlineLoop part = random_outline(random, static_cast<OutlineKind>(n % 8));
    const OutlineLoop finger = random_outline(random, static_cast<OutlineKind>(n / 8 % 8));
    const Placing at{{random.uniform(-25.0, 25.0), random.uniform(-25.0, 25.0)},
                     random.uniform(-3.0, 3.0),
                     {0.0, 0.0}};
    const Region in_G(placed({part, {}}, {at.p_GB, at.theta}).outer);
    const double brute = distance_mm(in_G, Region(finger), kInfinite);
    if (brute <= 0.0) continue;
    ++apart;
    const Elements p = elements_of(part);
    const Elements f = elements_of(finger);
    double least = kInfinite;
    for (int i = 0; i < static_cast<int>(p.size()); ++i) {
      for (int k = 0; k < static_cast<int>(f.size()); ++k) {
        ElementPair pair{i, k};
        if (!is_facing(p, f, at, pair)) continue;
        const double psi = follow(p, f, at, pair).psi_mm;
        if (psi >= 0.0) least = std::min(least, psi);  // else from behind
      }
    }
    INFO("outlines " << n);
    CHECK(least == Approx(brute).margin(1e-9));
  }
  CHECK(apart > 150);
}

TEST_CASE(
    "a contact that walks round a convex outline stays at the distance, gap and normal smooth") {
  constexpr double kRadius = 1.5;
  constexpr double kStep = 2e-3;
  Random random(84);
  for (int n = 0; n < 24; ++n) {
    // A circle round a convex polygon with or without fillets, and with the roles changed.
    const bool of_part = n % 2 == 0;
    const OutlineLoop convex = rounded_chain(corners_about(random, 3 + n % 5, 0.2, 8.0, 8.0 + 1e-6),
                                             n % 3 == 0 ? 0.0 : random.uniform(0.2, 2.0));
    const Elements chain = elements_of(convex);
    const Elements circle = elements_of(circle_loop({0, 0}, kRadius));
    const Region region(convex);
    ElementPair pair{0, 0};
    ClosestPoints last;
    std::set<int> visited;
    for (double t = 0.0; t < 6.5; t += kStep) {
      const Vec2 c = 11.0 * Vec2(std::cos(t), std::sin(t));
      const Placing at = of_part ? Placing{{0, 0}, 0.0, c} : Placing{c, 0.3 * t, {0, 0}};
      const ClosestPoints now =
          of_part ? follow(chain, circle, at, pair) : follow(circle, chain, at, pair);
      visited.insert(of_part ? pair.part : pair.finger);
      CHECK(now.psi_mm == Approx(region.distance_from_mm(c) - kRadius).margin(1e-11));
      if (t > 0.0) {
        const double moved = 11.0 * kStep;
        CHECK(std::abs(now.psi_mm - last.psi_mm) <= moved * (1.0 + 1e-9));
        // No faster than about the corner itself.
        CHECK(std::abs(cross(last.normal, now.normal)) <= moved / (now.psi_mm + kRadius));
      }
      last = now;
    }
    CHECK(visited.size() == chain.size());
  }
}

TEST_CASE("gap and normal are the same on both sides of a joint") {
  Random random(85);
  int joints = 0;
  for (int n = 0; n < 80; ++n) {
    const Elements part = elements_of(random_outline(random, static_cast<OutlineKind>(n % 8)));
    const Elements tip = elements_of(circle_loop({0, 0}, 1e-2));
    for (int i = 0; i < static_cast<int>(part.size()); ++i) {
      const ContactElement& e = part[index(i)];
      if (e.at_hi < 0) continue;
      // A small circle at some distance of the joint, on its normal and a little to either side.
      constexpr double kPsi = 0.02;
      constexpr double kAside = 1e-9;
      const Vec2 at_joint = e.hi_mm + (kPsi + 1e-2) * e.normal_hi;
      const Vec2 t = perp(e.normal_hi);
      std::array<ClosestPoints, 2> sides;
      std::array<ElementPair, 2> pairs{{{i, 0}, {i, 0}}};
      for (const std::size_t k : {0u, 1u}) {
        const Vec2 c = at_joint + (k == 0 ? -kAside : kAside) * t;
        sides[k] = follow(part, tip, {{0, 0}, 0.0, c}, pairs[k]);
      }
      INFO("outline " << n << ", element " << i);
      CHECK(std::abs(sides[0].psi_mm - kPsi) <= 1e-11);
      CHECK(std::abs(sides[1].psi_mm - kPsi) <= 1e-11);
      CHECK((sides[0].normal - sides[1].normal).norm() <= 1e-6);
      CHECK((sides[0].normal + e.normal_hi).norm() <= 1e-6);
      if (!(pairs[0] == pairs[1])) ++joints;
    }
  }
  CHECK(joints > 300);
}

TEST_CASE("beyond a reflex corner a contact opens where its side's line leaves the region") {
  // A rib, 1 mm wide and 2 mm high, on a plate: the top of the plate goes on behind it.
  const Elements part = elements_of(
      polygon_loop({{-9, -3}, {9, -3}, {9, 0}, {0.5, 0}, {0.5, 2}, {-0.5, 2}, {-0.5, 0}, {-9, 0}}));
  const Elements tip = elements_of(circle_loop({0, 0}, 0.2));
  int right = -1;
  for (int i = 0; i < static_cast<int>(part.size()); ++i) {
    if (part[index(i)].feature == 2) right = i;
  }
  REQUIRE(right >= 0);
  const auto gap = [&](double x) {
    ElementPair pair{right, 0};
    return follow(part, tip, {{0, 0}, 0.0, {x, 0.2}}, pair).psi_mm;
  };
  CHECK(std::abs(gap(3.0)) <= 1e-15);
  CHECK(std::abs(gap(0.3)) <= 1e-15);  // in the rib: near the corner the line bounds what is there
  CHECK(gap(-0.5) == Approx(0.5));     // 1 mm beyond the corner, half of it more than it reaches
  CHECK(gap(-4.0) == Approx(4.0));     // on the plate's other side nothing is touched by this one
}

TEST_CASE("a contact whose normal faces away from a finger's arc is open") {
  const Elements part = elements_of(rectangle_loop(2.0, 2.0));
  const Elements finger =
      elements_of(filleted_chain({{0, -100}, {100, -100}, {100, 0}, {0, 0}}, {0, 0, 0, 1.0}));
  for (int i = 0; i < static_cast<int>(part.size()); ++i) {
    for (int k = 0; k < static_cast<int>(finger.size()); ++k) {
      if (finger[index(k)].radius_mm == 0.0) continue;
      ElementPair pair{i, k};
      // Far above the fingertip: nothing is near.
      const double psi = follow(part, finger, {{0.2, 30.0}, 0.3, {0, 0}}, pair).psi_mm;
      INFO(i << ", " << k);
      CHECK(psi >= 20.0);
    }
  }
}
