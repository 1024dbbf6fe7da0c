#include "sim/closing/broad_phase.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "geometry/index.hpp"
#include "sim/closing/tolerances.hpp"

namespace graspmap {
namespace {

bool same(const Superellipse& a, const Superellipse& b) {
  return a.a_mm == b.a_mm && a.b_mm == b.b_mm && a.exponent == b.exponent;
}

bool same(const Pose2& a, const Pose2& b) {
  return a.position_mm == b.position_mm && a.angle_rad == b.angle_rad;
}

/// The rectangle of some pieces' circles.
struct Box {
  Vec2 low = Vec2::Constant(std::numeric_limits<double>::infinity());
  Vec2 high = -low;

  void add(const BodyPiece& piece) {
    low = low.cwiseMin((piece.p_BA_mm.array() - piece.bounding_radius_mm).matrix());
    high = high.cwiseMax((piece.p_BA_mm.array() + piece.bounding_radius_mm).matrix());
  }
};

}  // namespace

void CircleTree::build(const std::vector<BodyPiece>& pieces) {
  nodes_.clear();
  order_.resize(pieces.size());
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  if (!pieces.empty()) add_node(pieces, 0, pieces.size());
}

void CircleTree::add_node(const std::vector<BodyPiece>& pieces, std::size_t first,
                          std::size_t last) {
  Box box;
  for (std::size_t i = first; i < last; ++i) box.add(pieces[order_[i]]);
  Node node;
  node.center_B_mm = 0.5 * (box.low + box.high);
  for (std::size_t i = first; i < last; ++i) {
    const BodyPiece& piece = pieces[order_[i]];
    const double distance = (piece.p_BA_mm - node.center_B_mm).norm();
    node.radius_mm = std::max(node.radius_mm, distance + piece.bounding_radius_mm);
  }
  const std::size_t k = nodes_.size();
  nodes_.push_back(node);
  if (last - first <= index(tolerances::kLeafPieces)) {
    nodes_[k].first = first;
    nodes_[k].last = last;
  } else {
    const Vec2 size = box.high - box.low;
    const Eigen::Index axis = size.x() > size.y() ? 0 : 1;
    const std::size_t middle = first + (last - first) / 2;
    const auto at = [&](std::size_t i) { return order_.begin() + static_cast<std::ptrdiff_t>(i); };
    std::nth_element(at(first), at(middle), at(last), [&](std::size_t i, std::size_t j) {
      return pieces[i].p_BA_mm[axis] < pieces[j].p_BA_mm[axis];
    });
    add_node(pieces, first, middle);
    add_node(pieces, middle, last);
  }
  nodes_[k].after = nodes_.size();
}

bool BroadPhase::is_part(const Part& part, const Vec2& center_of_mass_P_mm) const {
  return center_of_mass_P_mm == center_of_mass_P_mm_ &&
         std::equal(part.pieces.begin(), part.pieces.end(), part_.pieces.begin(),
                    part_.pieces.end(),
                    [](const Piece& a, const Piece& b) {
                      return same(a.shape, b.shape) && same(a.pose, b.pose) &&
                             a.friction_factor == b.friction_factor;
                    }) &&
         std::equal(part.outlines.begin(), part.outlines.end(), part_.outlines.begin(),
                    part_.outlines.end(), [](const OutlinePiece& a, const OutlinePiece& b) {
                      return same_shape(a.outline, b.outline) && same(a.pose, b.pose) &&
                             a.friction_factor == b.friction_factor;
                    });
}

bool BroadPhase::set_part(const Part& part, const Vec2& center_of_mass_P_mm) {
  if (is_part(part, center_of_mass_P_mm)) return false;
  part_ = part;
  center_of_mass_P_mm_ = center_of_mass_P_mm;
  make_body_pieces(part, center_of_mass_P_mm, bodies_.pieces);
  add_outline_pieces(part, center_of_mass_P_mm, bodies_);
  bodies_.plain = part.outlines.empty() && bodies_.fingers.quarter_planes;
  tree_.build(bodies_.pieces);
  reach_mm_ = bounding_radius_mm(part, center_of_mass_P_mm);
  smallest_semi_axis_mm_ = std::numeric_limits<double>::infinity();
  for (const Piece& piece : part.pieces) {
    smallest_semi_axis_mm_ = std::min({smallest_semi_axis_mm_, piece.shape.a_mm, piece.shape.b_mm});
  }
  for (const OutlinePiece& piece : part.outlines) {
    smallest_semi_axis_mm_ = std::min(smallest_semi_axis_mm_, 0.5 * least_width_mm(piece.outline));
  }
  forget_near_pieces();
  return true;
}

bool BroadPhase::set_fingers(const Gripper& gripper) {
  if (same_fingers(gripper, gripper_)) return false;
  gripper_ = gripper;
  bodies_.fingers = Fingers(gripper);
  bodies_.plain = part_.outlines.empty() && bodies_.fingers.quarter_planes;
  forget_near_pieces();
  return true;
}

void BroadPhase::forget_near_pieces() {
  near_.clear();
  near_.reserve(bodies_.pieces.size());
  listed_reach_mm_ = -std::numeric_limits<double>::infinity();
}

/// By how much gaps may have changed since pieces were listed, with rounding: the gap of a circle
/// to a jaw changes by no more than the circle and the jaw move. Lists them again where the list
/// does not hold all within `reach_mm`.
double BroadPhase::moved_since_listed_mm(const Configuration& q, double reach_mm) {
  const double moved_mm =
      largest_motion_mm(listed_at_, q, reach_mm_) + tolerances::kBoundRoundingMm;
  if (reach_mm + moved_mm <= listed_reach_mm_) return moved_mm;
  list_near_pieces(q, reach_mm);
  return tolerances::kBoundRoundingMm;
}

/// The list reaches further than `reach_mm`: it then serves for some steps, in each of which part
/// and jaws move by up to `reach_mm`.
void BroadPhase::list_near_pieces(const Configuration& q, double reach_mm) {
  listed_at_ = q;
  listed_reach_mm_ = tolerances::kListedReaches * std::max(reach_mm, tolerances::kNearMarginMm);
  const auto is_near = [&](const Vec2& center_B_mm, double radius_mm) {
    const double limit = listed_reach_mm_ + tolerances::kBoundRoundingMm;
    return !(circle_gap_mm(bodies_, center_B_mm, radius_mm, q) > limit);
  };
  near_.clear();
  tree_.visit(is_near, [&](std::size_t i) {
    const BodyPiece& piece = bodies_.pieces[i];
    if (!is_near(piece.p_BA_mm, piece.bounding_radius_mm)) return;
    NearPiece near{i};
    for (int k = 0; k < bodies_.fingers.sides; ++k) {
      near.gap_mm[index(k)] = gap_bound_mm(piece, q, kAllSides[index(k)]);
    }
    near_.push_back(near);
  });
  std::sort(near_.begin(), near_.end(),
            [](const NearPiece& a, const NearPiece& b) { return a.piece < b.piece; });
}

}  // namespace graspmap
