#pragma once

#include <array>
#include <cstddef>
#include <limits>
#include <vector>

#include "geometry/tolerances.hpp"
#include "sim/closing/contact_bodies.hpp"
#include "sim/closing/contact_models.hpp"
#include "sim/closing/contact_set.hpp"
#include "sim/closing/model.hpp"

namespace graspmap {

/// The pieces of a part in a binary tree of circles: each node's circle holds all pieces below it.
class CircleTree {
 public:
  /// Cost: O(n log n). Keeps its memory.
  void build(const std::vector<BodyPiece>& pieces);

  /// Calls visit(i) for every piece i in a leaf whose circle, and all circles above it, meet
  /// is_near(center_B_mm, radius_mm). A piece that is_near itself is always among them. The order
  /// is that of the tree. is_near may change meanwhile from true to false.
  template <typename IsNear, typename Visit>
  void visit(const IsNear& is_near, const Visit& visit) const {
    for (std::size_t k = 0; k < nodes_.size();) {
      const Node& node = nodes_[k];
      if (!is_near(node.center_B_mm, node.radius_mm)) {
        k = node.after;
        continue;
      }
      for (std::size_t i = node.first; i < node.last; ++i) visit(order_[i]);
      ++k;
    }
  }

 private:
  struct Node {
    Vec2 center_B_mm{0, 0};
    double radius_mm = 0.0;
    std::size_t first = 0;  ///< of a leaf's pieces in order_; no pieces in an inner node
    std::size_t last = 0;
    std::size_t after = 0;  ///< the node that follows all nodes below this one
  };

  void add_node(const std::vector<BodyPiece>& pieces, std::size_t first, std::size_t last);

  std::vector<Node> nodes_;  ///< a node, all below its first child, all below its second
  std::vector<std::size_t> order_;
};

/// A part about its centre of mass, the fingers, and the pieces that are near one. What does not
/// depend on the trial is computed once for a part and a gripper; nothing is allocated afterwards.
class BroadPhase {
 public:
  /// Sets the part. True when it differs from the last one; for one that is equal to the last bit
  /// nothing is computed again.
  bool set_part(const Part& part, const Vec2& center_of_mass_P_mm);
  /// The same for a gripper's fingers and palm, and obstacles; quarter-planes until it is called.
  bool set_fingers(const Gripper& gripper, const std::vector<Obstacle>& obstacles = {});

  /// The part's pieces about its centre of mass, in their order, and the tree of their circles.
  [[nodiscard]] const std::vector<BodyPiece>& pieces() const { return bodies_.pieces; }
  [[nodiscard]] const ContactBodies& bodies() const { return bodies_; }
  [[nodiscard]] const CircleTree& tree() const { return tree_; }
  /// The largest distance of a point of the part from its centre of mass, bounded from above.
  [[nodiscard]] double reach_mm() const { return reach_mm_; }
  /// The smallest semi-axis of all superellipses, or half of the least width of an outline;
  /// infinity without any.
  [[nodiscard]] double smallest_semi_axis_mm() const { return smallest_semi_axis_mm_; }

  /// Calls visit(piece, side) for each pair with gap_lower_bound_mm <= reach_mm in configuration q,
  /// pieces ascending, the right jaw before the left. Cost: as the number of such pieces, with a
  /// search in the tree when the part or a jaw has moved far since the last.
  template <typename Visit>
  void visit_near_pairs(const Configuration& q, double reach_mm, const Visit& visit) {
    const double within_mm = reach_mm + moved_since_listed_mm(q, reach_mm);
    for (const NearPiece& near : near_) {
      for (int k = 0; k < bodies_.fingers.sides; ++k) {
        if (near.gap_mm[index(k)] > within_mm) continue;
        const JawSide side = kJawSides[index(k)];
        if (gap_bound_mm(bodies_.pieces[near.piece], q, side) <= reach_mm) visit(near.piece, side);
      }
    }
  }

  /// The least gap that a contact can have after both bodies have moved by `approach_mm` since they
  /// did not overlap. Outlines that overlap by more face each other from behind.
  [[nodiscard]] double least_gap_mm(double approach_mm) const {
    return with_contacts(bodies_,
                         [&](const auto& contacts) { return contacts.least_gap_mm(approach_mm); });
  }

  /// Calls visit(pair, closest) for each contact in configuration q with least_mm <= psi <=
  /// most_mm: visit_contacts for all pieces and sides.
  template <typename Visit>
  void visit_near_contacts(const Configuration& q, double least_mm, double most_mm, double slack,
                           const Visit& visit) {
    visit_near_pairs(q, most_mm + tolerances::kRounding, [&](std::size_t i, JawSide side) {
      visit_contacts(bodies_, static_cast<int>(i), side, q, least_mm, most_mm, slack, visit);
    });
  }

 private:
  [[nodiscard]] bool is_part(const Part& part, const Vec2& center_of_mass_P_mm) const;
  double moved_since_listed_mm(const Configuration& q, double reach_mm);
  void list_near_pieces(const Configuration& q, double reach_mm);
  void forget_near_pieces();
  [[nodiscard]] double gap_bound_mm(const BodyPiece& piece, const Configuration& q,
                                    JawSide side) const {
    return bodies_.fingers.quarter_planes
               ? gap_lower_bound_mm(piece, q, side)
               : circle_gap_mm(bodies_, piece.p_BA_mm, piece.bounding_radius_mm, q, side);
  }

  Part part_;        ///< as it was given, without names
  Gripper gripper_;  ///< of which the fingers and the palm were given
  std::vector<Obstacle> obstacles_;
  Vec2 center_of_mass_P_mm_{0, 0};
  ContactBodies bodies_;
  CircleTree tree_;
  double reach_mm_ = 0.0;
  double smallest_semi_axis_mm_ = std::numeric_limits<double>::infinity();

  /// A piece within listed_reach_mm_ of a finger at listed_at_.
  struct NearPiece {
    std::size_t piece = 0;
    std::array<double, kSideCount> gap_mm{};  ///< lower bounds there, by side
  };
  std::vector<NearPiece> near_;  ///< pieces ascending
  Configuration listed_at_;
  double listed_reach_mm_ = -std::numeric_limits<double>::infinity();
};

/// The closing of both jaws from rest with nothing in between: each obeys
/// m dv/dt = F - c v, so v(t) = v_c (1 - exp(-t/tau)), s(t) = v_c (t - tau (1 - exp(-t/tau))),
/// with tau = m/c and v_c = F/c the free closing speed.
struct FreeTravel {
  double speed_mm_s = 0.0;  ///< v_c
  double tau_s = 0.0;

  /// The jaws of a gripper, each under its whole closing force.
  explicit FreeTravel(const Gripper& gripper);

  [[nodiscard]] double speed_at(double time_s) const;   ///< v(t), mm/s
  [[nodiscard]] double travel_at(double time_s) const;  ///< s(t), mm
  /// What velocities are measured by in a closing over `travel_mm`, mm/s: v_c, or what the jaws
  /// reach where they accelerate for all of the way.
  [[nodiscard]] double reached_speed_mm_s(double travel_mm) const;
  /// The time, s, at which each jaw has moved by `travel_mm` >= 0.
  [[nodiscard]] double time_of(double travel_mm) const;
};

/// How far each jaw that moves can close from `state` (part at rest) before a first gap falls to
/// `gap_mm` > 0, or `limit_mm` if none does.
double travel_to_contact_mm(const BroadPhase& part, const State& state, double limit_mm,
                            double gap_mm, Coupling coupling = Coupling::kSymmetric);

/// Closes the jaws of `state`, the start of a trial, until a first gap falls to `gap_mm` > 0, they
/// are closed or the time is over: nothing touches the part before, so it rests, and the jaws close
/// freely. `part` is the scenario's. Returns the time that it took, s.
double skip_free_travel(const Scenario& scenario, const BroadPhase& part, double gap_mm,
                        State& state);
/// The same from any state with a part and jaws at rest, with the opening at which the jaws are
/// closed and the time that is over given.
double skip_free_travel(const Gripper& gripper, const BroadPhase& part, double gap_mm,
                        double closed_opening_mm, double longest_s, State& state);

}  // namespace graspmap
