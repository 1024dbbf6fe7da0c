#include "geometry/boundary_cover.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "geometry/gauge.hpp"
#include "geometry/outline_boundary.hpp"
#include "geometry/sign_changes.hpp"
#include "geometry/tolerances.hpp"

namespace graspmap {
namespace {

constexpr double kPeriod = 2.0 * std::numbers::pi;

// Lengths below which things are the same, in mm.
struct Lengths {
  double tie;    // boundaries nearer than that all along a stretch coincide
  double touch;  // an end of an element nearer than that to a boundary cuts it
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

// True when a piece covers a stretch of another one's boundary. Unless its middle is clear of the
// boundary, the deepest of many points decides: a single one may be where both touch. A stretch
// along which the boundaries coincide is covered when the pieces lie on both sides of it.
template <typename Curve, typename Other>
bool is_covered(const Curve& curve, const Stretch& stretch, const Other& other, bool covered_on_tie,
                const Lengths& lengths) {
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
  if (std::abs(dominant.outside_mm) > lengths.tie) return dominant.outside_mm < 0.0;
  return covered_on_tie || !dominant.same_direction;
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
  const double tie = lengths.tie / curve.length_mm();
  std::erase_if(cuts, [&](double s) { return s <= tie || s >= 1.0 - tie; });
  merge_cuts(cuts, tie);
  cuts.push_back(1.0);
  double begin = 0.0;
  for (double end : cuts) {
    if (is_covered(curve, {begin, end}, other, covered_on_tie, lengths)) {
      covered.push_back({begin, end});
    }
    begin = end;
  }
}

// Appends what an outline covers of a superellipse with the given cuts.
void append_covered(const Piece& piece, std::vector<double> cuts, const PlacedOutline& other,
                    const Lengths& lengths, std::vector<Stretch>& covered) {
  for (double& t : cuts) t -= kPeriod * std::floor(t / kPeriod);
  merge_cuts(cuts, lengths.tie / piece.shape.bounding_radius_mm());
  if (cuts.empty()) cuts.push_back(0.0);
  for (std::size_t k = 0; k < cuts.size(); ++k) {
    const bool last = k + 1 == cuts.size();
    const double end = last ? cuts.front() + kPeriod : cuts[k + 1];
    if (!is_covered(piece, {cuts[k], end}, other, false, lengths)) continue;
    covered.push_back({cuts[k], last ? kPeriod : end});
    if (last) covered.push_back({0.0, cuts.front()});
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

// What an outline and a superellipse cover of each other. The superellipse is the first piece.
void cover_each_other(const Piece& piece, const PlacedOutline& outline, const Lengths& lengths,
                      std::vector<Stretch>& on_piece, std::vector<Stretch>* on_outline) {
  const Vec2 reach = Vec2::Constant(piece.shape.bounding_radius_mm() + lengths.touch);
  const Eigen::AlignedBox2d box(piece.pose.position_mm - reach, piece.pose.position_mm + reach);
  if (!box.intersects(outline.box)) return;
  std::vector<double> cuts_of_piece;
  for (std::size_t k = 0; k < outline.curves.size(); ++k) {
    const OutlineCurve& curve = outline.curves[k];
    if (!box.intersects(outline.boxes[k])) continue;
    std::vector<double> cuts;
    for (double t : crossings_of_superellipse(piece, curve)) {
      const Vec2 point = point_on(piece, t).position_mm;
      if (distance_mm(curve, point) > lengths.touch) continue;
      cuts_of_piece.push_back(t);
      cuts.push_back(closest_share(curve, point));
    }
    const DirectedPoint begin = point_on(curve, 0.0);
    if (std::abs(depth_in(piece, begin, lengths).outside_mm) < lengths.touch) {
      cuts_of_piece.push_back(parameter_towards(piece, begin.position_mm));
    }
    append_covered(curve, std::move(cuts), piece, true, lengths, on_outline[k]);
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
    for (const CurveMeeting& at : meetings(first.curves[i], second.curves[j - n], lengths.touch)) {
      cuts[i].push_back(at.share_a);
      cuts[j].push_back(at.share_b);
    }
  }
  const auto append = [&](const OutlineCurve& curve, const Eigen::AlignedBox2d& box,
                          std::vector<double>& of_curve, const PlacedOutline& other,
                          bool covered_on_tie, std::vector<Stretch>& covered) {
    if (box.exteriorDistance(other.box) > lengths.touch) return;
    append_covered(curve, std::move(of_curve), other, covered_on_tie, lengths, covered);
  };
  for (std::size_t k = 0; k < n; ++k) {
    append(first.curves[k], boxes[k], cuts[k], second, false, on_first[k]);
  }
  for (std::size_t k = 0; k < second.curves.size(); ++k) {
    append(second.curves[k], boxes[n + k], cuts[n + k], first, true, on_second[k]);
  }
}

}  // namespace

void append_covered_by_outlines(const Part& part, std::vector<std::vector<Stretch>>& covered) {
  const double size_mm = bounding_radius_mm(part, Vec2(0, 0));  // with it grow rounding errors in P
  const Lengths lengths{tolerances::kTieGauge * size_mm, tolerances::kOutlineTouch * size_mm};
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
