#include "geometry/boundary_cover.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "geometry/outline.hpp"
#include "geometry/tolerances.hpp"

namespace graspmap {
namespace {

constexpr double kPeriod = 2.0 * std::numbers::pi;

// Lengths below which things are the same, in mm.
struct Lengths {
  double tie;    // boundaries nearer than that all along a stretch coincide
  double touch;  // an end of an element nearer than that to a boundary cuts it
  double point;  // boundaries that coincide along less than that touch in a point
};

// An outline in P.
struct PlacedOutline {
  explicit PlacedOutline(const OutlinePiece& piece) : outline(placed(piece.outline, piece.pose)) {
    append_curves(outline.outer);
    for (const OutlineLoop& hole : outline.holes) append_curves(hole);
    for (const OutlineCurve& curve : curves) {
      boxes.push_back(box_of(curve));
      box.extend(boxes.back());
    }
  }

  void append_curves(const OutlineLoop& loop) {
    const std::vector<OutlineCurve> chain = outline_curves(loop);
    curves.insert(curves.end(), chain.begin(), chain.end());
  }

  Outline outline;
  std::vector<OutlineCurve> curves;  // of all loops, as `piece_boundary` counts them
  std::vector<Eigen::AlignedBox2d> boxes;
  Eigen::AlignedBox2d box;
};

// A boundary point in P and the direction of the boundary there, its piece on the left.
struct DirectedPoint {
  Vec2 position_mm;
  Vec2 along;
};

DirectedPoint point_on(const OutlineCurve& curve, double share) {
  return {point_at(curve, share), tangent_at(curve, share)};
}

DirectedPoint point_on(const Piece& piece, double parameter) {
  const BoundaryPoint point = boundary_point(piece.shape, parameter);
  return {transform(piece.pose, point.position_mm),
          Rotation2(piece.pose.angle_rad) * point.tangent_mm};
}

// Where a point lies to the boundary of a piece.
struct Depth {
  double outside_mm;    // < 0 inside; the distance from the boundary up to `touch`, else beyond it
  bool same_direction;  // as the piece's boundary near the point
};

Depth depth_in(const PlacedOutline& other, const DirectedPoint& point, const Lengths& lengths) {
  double nearest_mm = lengths.touch;
  bool same_direction = false;
  for (std::size_t k = 0; k < other.curves.size(); ++k) {
    if (other.boxes[k].squaredExteriorDistance(point.position_mm) > nearest_mm * nearest_mm) {
      continue;
    }
    const double distance = distance_mm(other.curves[k], point.position_mm);
    if (distance >= nearest_mm) continue;
    nearest_mm = distance;
    const double share = closest_share(other.curves[k], point.position_mm);
    same_direction = tangent_at(other.curves[k], share).dot(point.along) > 0.0;
  }
  return {contains(other.outline, point.position_mm) ? -nearest_mm : nearest_mm, same_direction};
}

// The distance is f / |grad f| where f is small, to first order.
Depth depth_in(const Piece& other, const DirectedPoint& point, const Lengths& lengths) {
  constexpr double kSmall = 0.1;
  const Vec2 local = inverse_transform(other.pose, point.position_mm);
  const double f = value(other.shape, local);
  const DirectedPoint near = point_on(other, parameter_towards(other, point.position_mm));
  const double outside_mm = std::abs(f) < kSmall ? f / gradient(other.shape, local).norm()
                                                 : std::copysign(lengths.touch, f);
  return {outside_mm, near.along.dot(point.along) > 0.0};
}

// How a stretch of a piece's boundary lies to another piece. Along some it coincides with the other
// one's boundary: in the same direction, or with the pieces on both sides of it.
enum class Lie { kInside, kOutside, kSameWay, kOpposite };

bool is_tie(Lie lie) { return lie == Lie::kSameWay || lie == Lie::kOpposite; }

// Unless the middle of a stretch is clear of the other boundary, the deepest of many points
// decides: a single one may be where both touch.
template <typename Curve, typename Other>
Lie lie_of(const Curve& curve, const Stretch& stretch, const Other& other, const Lengths& lengths) {
  constexpr int kPoints = tolerances::kArcPoints;
  const auto depth = [&](double share) {
    const double parameter = stretch.begin + share * (stretch.end - stretch.begin);
    return depth_in(other, point_on(curve, parameter), lengths);
  };
  Depth dominant = depth(0.5);
  for (int k = 0; k < kPoints && std::abs(dominant.outside_mm) < lengths.touch; ++k) {
    const Depth found = depth((k + 0.5) / kPoints);
    if (std::abs(found.outside_mm) > std::abs(dominant.outside_mm)) dominant = found;
  }
  if (std::abs(dominant.outside_mm) > lengths.tie) {
    return dominant.outside_mm < 0.0 ? Lie::kInside : Lie::kOutside;
  }
  return dominant.same_direction ? Lie::kSameWay : Lie::kOpposite;
}

// A piece's curve with the parameters at which the other boundary cuts it, sorted, its ends first
// and last; of a closed curve they are the same point.
template <typename Curve>
struct CutCurve {
  const Curve& curve;
  std::vector<double> cuts;
  bool is_closed;
  double mm_per_parameter;
};

// The stretches of a curve that another piece covers. Short ones along which the boundaries
// coincide are points where they touch: they belong to what is beside them.
template <typename Curve, typename Other>
std::vector<Stretch> covered_stretches(const CutCurve<Curve>& cut, const Other& other,
                                       bool covered_on_tie, const Lengths& lengths) {
  const std::size_t n = cut.cuts.size() - 1;
  std::vector<Lie> lies;
  for (std::size_t k = 0; k < n; ++k) {
    lies.push_back(lie_of(cut.curve, {cut.cuts[k], cut.cuts[k + 1]}, other, lengths));
  }
  const auto is_point = [&](std::size_t k) {
    return is_tie(lies[k]) &&
           (cut.cuts[k + 1] - cut.cuts[k]) * cut.mm_per_parameter < lengths.point;
  };
  // The nearest stretch forwards or backwards that is more than a point.
  const auto beside = [&](std::size_t k, bool forwards) {
    for (std::size_t count = 0; count < n && is_point(k); ++count) {
      if (!cut.is_closed && k == (forwards ? n - 1 : 0)) break;
      k = (forwards ? k + 1 : k + n - 1) % n;
    }
    return lies[k];
  };
  const auto settled = [&](std::size_t k) {
    if (!is_point(k)) return lies[k];
    const Lie before = beside(k, false);
    return is_tie(before) ? beside(k, true) : before;
  };
  std::vector<Stretch> covered;
  for (std::size_t k = 0; k < n; ++k) {
    const Lie lie = settled(k);
    if (lie == Lie::kOutside || (lie == Lie::kSameWay && !covered_on_tie)) continue;
    covered.push_back({cut.cuts[k], cut.cuts[k + 1]});
  }
  return covered;
}

// Sorts cuts, and takes those for one that are nearer to each other than `tie`, a parameter.
void merge_cuts(std::vector<double>& cuts, double tie) {
  std::sort(cuts.begin(), cuts.end());
  const auto same = [&](double a, double b) { return b - a <= tie; };
  cuts.erase(std::unique(cuts.begin(), cuts.end(), same), cuts.end());
}

// Appends what a piece covers of a segment or arc with the given cuts.
template <typename Other>
void append_covered(const OutlineCurve& curve, std::vector<double> cuts, const Other& other,
                    bool covered_on_tie, const Lengths& lengths, std::vector<Stretch>& covered) {
  const double length = curve.length_mm();
  const double tie = lengths.tie / length;
  std::erase_if(cuts, [&](double s) { return s <= tie || s >= 1.0 - tie; });
  cuts.insert(cuts.end(), {0.0, 1.0});
  merge_cuts(cuts, tie);
  const CutCurve<OutlineCurve> cut{curve, std::move(cuts), false, length};
  for (const Stretch& stretch : covered_stretches(cut, other, covered_on_tie, lengths)) {
    covered.push_back(stretch);
  }
}

// Appends what an outline covers of a superellipse with the given cuts.
void append_covered(const Piece& piece, std::vector<double> cuts, const PlacedOutline& other,
                    const Lengths& lengths, std::vector<Stretch>& covered) {
  const double size = piece.shape.bounding_radius_mm();
  for (double& t : cuts) t -= kPeriod * std::floor(t / kPeriod);
  merge_cuts(cuts, lengths.tie / size);
  if (cuts.empty()) cuts.push_back(0.0);
  cuts.push_back(cuts.front() + kPeriod);
  const CutCurve<Piece> cut{piece, std::move(cuts), true, size};
  for (const Stretch& stretch : covered_stretches(cut, other, false, lengths)) {
    covered.push_back({stretch.begin, std::min(stretch.end, kPeriod)});
    if (stretch.end > kPeriod) covered.push_back({0.0, stretch.end - kPeriod});
  }
}

// The parameters of a superellipse's boundary at which it crosses a line: as seen along the line's
// normal, the boundary rises on one side of the shape and falls on the other.
std::vector<double> line_crossings(const Superellipse& shape, const Vec2& point_mm,
                                   const Vec2& normal) {
  const auto beyond = [&](double t) {
    return normal.dot(boundary_point(shape, t).position_mm - point_mm);
  };
  const double highest = support_boundary_point(shape, normal).parameter();
  double lowest = support_boundary_point(shape, -normal).parameter();
  if (beyond(highest) < 0.0 || beyond(lowest) >= 0.0) return {};
  if (lowest < highest) lowest += kPeriod;
  return {sign_change_between(beyond, highest, lowest),
          sign_change_between(beyond, lowest, highest + kPeriod)};
}

std::vector<double> crossings_of_superellipse(const Piece& piece, const OutlineCurve& curve) {
  const Vec2 begin = inverse_transform(piece.pose, curve.begin_mm);
  if (!curve.is_arc()) {
    const Vec2 end = inverse_transform(piece.pose, curve.end_mm);
    return line_crossings(piece.shape, begin, perp(end - begin).normalized());
  }
  const Vec2 center = inverse_transform(piece.pose, curve.center_mm);
  const auto beyond = [&](double t) {
    return (boundary_point(piece.shape, t).position_mm - center).norm() - curve.radius_mm;
  };
  return sign_changes(beyond, sample_count(piece.shape));
}

// Where a superellipse meets a segment or arc; `share_a` is the superellipse's parameter.
std::vector<CurveMeeting> meetings(const Piece& piece, const OutlineCurve& curve,
                                   const Lengths& lengths) {
  std::vector<CurveMeeting> found;
  for (double t : crossings_of_superellipse(piece, curve)) {
    const Vec2 point = point_on(piece, t).position_mm;
    if (distance_mm(curve, point) > lengths.touch) continue;
    found.push_back({point, t, closest_share(curve, point)});
  }
  for (double end : {0.0, 1.0}) {
    const DirectedPoint point = point_on(curve, end);
    if (std::abs(depth_in(piece, point, lengths).outside_mm) >= lengths.touch) continue;
    found.push_back({point.position_mm, parameter_towards(piece, point.position_mm), end});
  }
  return found;
}

std::vector<CurveMeeting> meetings(const OutlineCurve& a, const OutlineCurve& b,
                                   const Lengths& lengths) {
  return meetings(a, b, lengths.touch);
}

// Appends to the cuts of both curves where they meet. Next to an end that lies on the other curve a
// crossing is not counted: where the curves are tangent there, rounding errors make one.
template <typename Curve>
void append_cuts(const Curve& a, const OutlineCurve& b, const Lengths& lengths,
                 std::vector<double>& cuts_a, std::vector<double>& cuts_b) {
  const std::vector<CurveMeeting> found = meetings(a, b, lengths);
  const auto is_end = [&](const CurveMeeting& at) {
    const auto is_end_share = [](double share) { return share == 0.0 || share == 1.0; };
    return is_end_share(at.share_a) || is_end_share(at.share_b);
  };
  const auto is_on_both = [&](const CurveMeeting& at) {
    return (point_on(a, at.share_a).position_mm - point_on(b, at.share_b).position_mm).norm() <=
           lengths.tie;
  };
  for (const CurveMeeting& at : found) {
    const bool is_beside_end =
        !is_end(at) && std::any_of(found.begin(), found.end(), [&](const CurveMeeting& end) {
          return is_end(end) && (end.point_mm - at.point_mm).norm() < lengths.point &&
                 is_on_both(end);
        });
    if (is_beside_end) continue;
    cuts_a.push_back(at.share_a);
    cuts_b.push_back(at.share_b);
  }
}

// What an outline and a superellipse cover of each other. The superellipse is the first piece.
void cover_each_other(const Piece& piece, const PlacedOutline& outline, const Lengths& lengths,
                      std::vector<Stretch>& on_piece, std::vector<Stretch>* on_outline) {
  const Vec2 reach = Vec2::Constant(piece.shape.bounding_radius_mm() + lengths.touch);
  const Eigen::AlignedBox2d box(piece.pose.position_mm - reach, piece.pose.position_mm + reach);
  if (!box.intersects(outline.box)) return;
  std::vector<double> cuts_of_piece;
  for (std::size_t k = 0; k < outline.curves.size(); ++k) {
    if (!box.intersects(outline.boxes[k])) continue;
    std::vector<double> cuts;
    append_cuts(piece, outline.curves[k], lengths, cuts_of_piece, cuts);
    append_covered(outline.curves[k], std::move(cuts), piece, true, lengths, on_outline[k]);
  }
  append_covered(piece, std::move(cuts_of_piece), outline, lengths, on_piece);
}

// What two outlines cover of each other.
void cover_each_other(const PlacedOutline& first, const PlacedOutline& second,
                      const Lengths& lengths, std::vector<Stretch>* on_first,
                      std::vector<Stretch>* on_second) {
  if (first.box.exteriorDistance(second.box) > lengths.touch) return;
  const std::size_t n = first.curves.size();
  std::vector<Eigen::AlignedBox2d> boxes = first.boxes;
  boxes.insert(boxes.end(), second.boxes.begin(), second.boxes.end());
  std::vector<std::vector<double>> cuts(boxes.size());
  for (const auto& [i, j] : overlapping_pairs(boxes, lengths.touch)) {
    if (i >= n || j < n) continue;
    append_cuts(first.curves[i], second.curves[j - n], lengths, cuts[i], cuts[j]);
  }
  for (std::size_t k = 0; k < boxes.size(); ++k) {
    const PlacedOutline& other = k < n ? second : first;
    if (boxes[k].exteriorDistance(other.box) > lengths.touch) continue;
    append_covered(k < n ? first.curves[k] : second.curves[k - n], std::move(cuts[k]), other,
                   k >= n, lengths, k < n ? on_first[k] : on_second[k - n]);
  }
}

}  // namespace

void append_covered_by_outlines(const Part& part, std::vector<std::vector<Stretch>>& covered) {
  const double size_mm = bounding_radius_mm(part, Vec2(0, 0));  // with it grow rounding errors in P
  const Lengths lengths{tolerances::kTieGauge * size_mm, tolerances::kOutlineTouch * size_mm,
                        tolerances::kTouchingStretch * size_mm};
  const std::size_t n = part.pieces.size();
  std::vector<PlacedOutline> outlines;
  std::vector<std::vector<Stretch>*> on_outline;  // what is covered of each one's first element
  std::vector<Stretch>* next = covered.data() + n;
  for (const OutlinePiece& piece : part.outlines) {
    outlines.emplace_back(piece);
    on_outline.push_back(next);
    next += outlines.back().curves.size();
  }
  for (std::size_t j = 0; j < outlines.size(); ++j) {
    for (std::size_t i = 0; i < n; ++i) {
      cover_each_other(part.pieces[i], outlines[j], lengths, covered[i], on_outline[j]);
    }
    for (std::size_t i = 0; i < j; ++i) {
      cover_each_other(outlines[i], outlines[j], lengths, on_outline[i], on_outline[j]);
    }
  }
}

}  // namespace graspmap
