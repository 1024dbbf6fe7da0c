#pragma once

#include <algorithm>
#include <concepts>
#include <limits>

#include "geometry/tolerances.hpp"
#include "sim/closing/contact_bodies.hpp"
#include "sim/closing/contact_set.hpp"
#include "sim/closing/tolerances.hpp"

namespace graspmap {

// How the contacts of a part with what is at the sides behave: two models, of which with_contacts
// chooses the one of a trial's part and fingers.

/// Superellipses between quarter-planes, all of them convex: a pair has one gap, which changes by
/// no more than the bodies move, and a contact stays that of its pair.
struct PlainContacts {
  static constexpr bool kWalk = false;
  const ContactBodies& bodies;

  /// The contact of a pair in configuration q near `point`, which is updated. One that carries an
  /// impulse keeps its tracked point.
  [[nodiscard]] ClosestPoints look(const Pair& pair, const Configuration& q, ContactPoint& point,
                                   bool carries, bool /*stays*/) const {
    const BodyPiece& piece = bodies.pieces[index(pair.piece)];
    const ClosestPoints closest = carries ? follow_contact(piece, q, pair.side, point)
                                          : closest_points(piece, q, pair.side, point);
    if (!carries) {
      point.feature = closest.feature;
      point.direction = closest.boundary.direction;
    }
    return closest;
  }

  /// Forgets where the contact of a pair was, if that depends on how it came there.
  void put_back(const Pair& /*pair*/, ContactPoint& /*point*/) const {}

  /// The gap that a pair has at least at the end of a step at whose end its contact is `closest`.
  [[nodiscard]] static double end_gap_mm(const ClosestPoints& closest) { return closest.psi_mm; }

  /// The least gap that a contact can have after both bodies have moved by `approach_mm` since they
  /// did not overlap.
  [[nodiscard]] static double least_gap_mm(double /*approach_mm*/) {
    return -std::numeric_limits<double>::infinity();
  }

  /// The gap of a pair, or a lower bound of it that is at least `enough_mm`. `point`: a contact
  /// near; it becomes the one found.
  [[nodiscard]] double gap_mm(const Pair& pair, const Configuration& q, double enough_mm,
                              ContactPoint& point) const {
    const BodyPiece& piece = bodies.pieces[index(pair.piece)];
    if (point.feature != JawFeature::kVertex) {
      const double along_edge_mm = edge_gap_mm(piece, q, pair.side, point.feature);
      if (along_edge_mm >= enough_mm) return along_edge_mm;
    }
    const ClosestPoints closest = closest_points(piece, q, pair.side, point);
    point = {closest.feature, closest.boundary.direction};
    return closest.psi_mm;
  }

  /// True when the gap of a pair is `least_mm` or more, by the nearer of the jaw's edges.
  [[nodiscard]] bool is_clear(const Pair& pair, const Configuration& q, double least_mm) const {
    const BodyPiece& piece = bodies.pieces[index(pair.piece)];
    for (const JawFeature edge : {JawFeature::kInsideEdge, JawFeature::kTopEdge}) {
      if (edge_gap_mm(piece, q, pair.side, edge) >= least_mm) return true;
    }
    return exact_gap_mm(bodies, pair, q) >= least_mm;
  }

  /// True for a contact that may lie on the far side of a thin piece.
  [[nodiscard]] static bool is_behind(const ClosestPoints& closest, JawSide side) {
    return graspmap::is_behind(closest, side);
  }

  /// True for a contact that cannot have closed, and for one at a jaw's edge whose gap along the
  /// normal there, a lower bound of it, is large enough; psi_mm becomes that if it was less.
  [[nodiscard]] bool is_apart(const Pair& pair, const Configuration& q,
                              const ClosestPoints& closest, double& psi_mm) const {
    if (closest.normal == Vec2::Zero()) return true;
    if (closest.feature == JawFeature::kVertex) return false;
    const BodyPiece& piece = bodies.pieces[index(pair.piece)];
    const double along_edge_mm = edge_gap_mm(piece, q, pair.side, closest.feature);
    if (along_edge_mm < -tolerances::kRounding) return false;
    psi_mm = std::max(psi_mm, along_edge_mm);
    return true;
  }
};

/// With outlines, of the part or of fingers: contacts walk along both bodies, from element to
/// element. They may leave their pair, meet, and begin beyond a corner; bodies that overlap deeply
/// face each other from behind.
struct OutlineContacts {
  static constexpr bool kWalk = true;
  const ContactBodies& bodies;

  /// `stays`: the contact of two elements of outlines does not walk.
  [[nodiscard]] ClosestPoints look(const Pair& pair, const Configuration& q, ContactPoint& point,
                                   bool carries, bool stays) const {
    if (stays && bodies.pieces[index(pair.piece)].is_element) {
      return stay_at_contact(bodies, q, pair.side, point);
    }
    return follow_contact(bodies, q, pair.side, point, carries);
  }
  void put_back(const Pair& pair, ContactPoint& point) const { point = first_point(pair); }
  [[nodiscard]] static double end_gap_mm(const ClosestPoints& /*closest*/) { return 0.0; }
  [[nodiscard]] static double least_gap_mm(double approach_mm) {
    return -tolerances::kTouchMm - approach_mm;
  }
  [[nodiscard]] double gap_mm(const Pair& pair, const Configuration& q, double /*enough_mm*/,
                              ContactPoint& /*point*/) const {
    return closest_points(bodies, pair, q).psi_mm;
  }
  [[nodiscard]] bool is_clear(const Pair& pair, const Configuration& q, double least_mm) const {
    return exact_gap_mm(bodies, pair, q) >= least_mm;
  }
  [[nodiscard]] static bool is_behind(const ClosestPoints& /*closest*/, JawSide /*side*/) {
    return false;
  }
  [[nodiscard]] static bool is_apart(const Pair& /*pair*/, const Configuration& /*q*/,
                                     const ClosestPoints& /*closest*/, double& /*psi_mm*/) {
    return false;
  }
};

template <typename Model>
concept ContactModel = requires(const Model& contacts, const Pair& pair, const Configuration& q,
                                ContactPoint& point, const ClosestPoints& closest, double& psi_mm) {
  { Model::kWalk } -> std::convertible_to<bool>;
  { contacts.look(pair, q, point, true, true) } -> std::same_as<ClosestPoints>;
  contacts.put_back(pair, point);
  { contacts.gap_mm(pair, q, 0.0, point) } -> std::same_as<double>;
  { contacts.end_gap_mm(closest) } -> std::same_as<double>;
  { contacts.least_gap_mm(0.0) } -> std::same_as<double>;
  { contacts.is_clear(pair, q, 0.0) } -> std::same_as<bool>;
  { contacts.is_apart(pair, q, closest, psi_mm) } -> std::same_as<bool>;
  { contacts.is_behind(closest, pair.side) } -> std::same_as<bool>;
};
static_assert(ContactModel<PlainContacts> && ContactModel<OutlineContacts>);

/// Calls f with the contact model of a part and fingers.
template <typename Function>
decltype(auto) with_contacts(const ContactBodies& bodies, const Function& f) {
  return bodies.plain ? f(PlainContacts{bodies}) : f(OutlineContacts{bodies});
}

/// True when contacts walk along the bodies: OutlineContacts.
inline bool contacts_walk(const ContactBodies& bodies) {
  return with_contacts(bodies, [](const auto& contacts) { return contacts.kWalk; });
}

}  // namespace graspmap
