#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <utility>
#include <vector>

#include "geometry/assert.hpp"
#include "geometry/elementary/elementary.hpp"
#include "geometry/mass_properties.hpp"
#include "geometry/outline.hpp"
#include "geometry/tolerances.hpp"

namespace graspmap {
namespace {

constexpr double kPeriod = 2.0 * std::numbers::pi;

/// A stretch of a boundary's parameter.
struct Stretch {
  double begin;
  double end;
};

/// (|x/a|^e + |y/b|^e)^(1/e) - 1, the distance to a piece's boundary in units of the piece's own
/// size: unlike f it neither overflows far away nor flattens near the centre.
double gauge(const Piece& piece, const Vec2& x_P_mm) {
  const double f = value(piece.shape, inverse_transform(piece.pose, x_P_mm));
  return elementary::pow(f + 1.0, 1.0 / piece.shape.exponent) - 1.0;
}

/// The boundary parameter of the ray from the piece's centre through x.
double parameter_towards(const Piece& piece, const Vec2& x_P_mm) {
  const Vec2 local = inverse_transform(piece.pose, x_P_mm);
  return elementary::atan2(local.y() / piece.shape.b_mm, local.x() / piece.shape.a_mm);
}

/// As many samples of a superellipse's boundary as resolve its corners.
int sample_count(const Superellipse& shape) {
  return std::max(tolerances::kLeastBoundarySamples,
                  static_cast<int>(std::ceil(tolerances::kSamplesPerExponent * shape.exponent)));
}

/// Where f(t) changes its sign between lo and hi, where its signs differ: by bisection to rounding.
template <typename F>
double sign_change_between(const F& f, double lo, double hi) {
  const bool negative_at_lo = f(lo) < 0.0;
  while (true) {
    const double middle = 0.5 * (lo + hi);
    if (middle <= lo || middle >= hi) return middle;
    ((f(middle) < 0.0) == negative_at_lo ? lo : hi) = middle;
  }
}

/// A parameter in (lo, hi) where f has another sign than at lo and hi, if its extremum there has:
/// golden-section search, ended as soon as the sign changes.
template <typename F>
std::optional<double> dip_between(const F& f, double lo, double hi) {
  constexpr double kGolden = std::numbers::phi - 1.0;
  const bool negative_at_lo = f(lo) < 0.0;
  const double sign = negative_at_lo ? -1.0 : 1.0;
  double t_a = hi - kGolden * (hi - lo);
  double t_b = lo + kGolden * (hi - lo);
  double f_a = f(t_a);
  double f_b = f(t_b);
  for (int i = 0; i < tolerances::kDipIterations; ++i) {
    if ((f_a < 0.0) != negative_at_lo) return t_a;
    if ((f_b < 0.0) != negative_at_lo) return t_b;
    if (sign * f_a < sign * f_b) {
      hi = std::exchange(t_b, t_a);
      f_b = f_a;
      t_a = hi - kGolden * (hi - lo);
      f_a = f(t_a);
    } else {
      lo = std::exchange(t_a, t_b);
      f_a = f_b;
      t_b = lo + kGolden * (hi - lo);
      f_b = f(t_b);
    }
  }
  return std::nullopt;
}

/// Where f of period 2 pi changes its sign: between `n` samples, and between samples around an
/// extremum where it does so twice.
template <typename F>
std::vector<double> sign_changes(const F& f, int n) {
  const auto parameter = [n](int k) { return 2.0 * std::numbers::pi * k / n; };
  std::vector<double> values;
  for (int k = 0; k < n; ++k) values.push_back(f(parameter(k)));
  const auto sample = [&](int k) { return values[static_cast<std::size_t>((k + n) % n)]; };
  const auto same_sign = [&](int j, int k) { return (sample(j) < 0.0) == (sample(k) < 0.0); };

  std::vector<double> found;
  for (int k = 0; k < n; ++k) {
    if (!same_sign(k, k + 1)) {
      found.push_back(sign_change_between(f, parameter(k), parameter(k + 1)));
      continue;
    }
    const bool nearest = std::abs(sample(k)) <= std::abs(sample(k - 1)) &&
                         std::abs(sample(k)) < std::abs(sample(k + 1));
    if (!nearest || !same_sign(k - 1, k)) continue;
    if (const auto dip = dip_between(f, parameter(k - 1), parameter(k + 1))) {
      found.push_back(sign_change_between(f, parameter(k - 1), *dip));
      found.push_back(sign_change_between(f, *dip, parameter(k + 1)));
    }
  }
  return found;
}

// Lengths below which things are the same, in mm.
struct Lengths {
  double tie;    // boundaries nearer than that all along a stretch coincide
  double touch;  // an end of an element nearer than that to a boundary cuts it
  double point;  // boundaries that coincide along less than that touch in a point
};

// An outline in P.
struct PlacedOutline {
  explicit PlacedOutline(const OutlinePiece& piece) : outline(placed(piece.outline, piece.pose)) {
    for (const OutlineLoop* loop : loops_of(outline)) {
      for (const OutlineCurve& curve : outline_curves(*loop)) {
        curves.push_back(curve);
        boxes.push_back(box_of(curve));
        box.extend(boxes.back());
      }
    }
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

/// Appends to each curve's stretches those that an outline covers, or that another piece covers of
/// an outline: `covered` has a list for each superellipse of the part, then for each element of the
/// outlines, holes after outer chains. Crossings of segments and arcs are closed forms, those with
/// superellipses are bisected to rounding.
void append_covered_by_outlines(const Part& part, std::vector<std::vector<Stretch>>& covered) {
  const double size_mm = bounding_radius_mm(part, Vec2(0, 0));  // with it grow rounding errors in P
  const Lengths lengths{tolerances::kShapeRounding * size_mm, tolerances::kRounding * size_mm,
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

// The gauge of one piece along the boundary of another: negative where the first covers it.
struct GaugeAlong {
  const Piece& walked;
  const Piece& other;

  Vec2 position(double t) const {
    return transform(walked.pose, boundary_point(walked.shape, t).position_mm);
  }
  double operator()(double t) const { return gauge(other, position(t)); }
};

// The gauge of largest magnitude over an arc. A single point could be one where both boundaries
// touch; an arc along which all are small is one where they coincide.
double dominant_gauge(const GaugeAlong& along, const Stretch& arc) {
  constexpr int kPoints = tolerances::kArcPoints;
  double dominant = 0.0;
  for (int k = 0; k < kPoints; ++k) {
    const double g = along(arc.begin + (arc.end - arc.begin) * (k + 0.5) / kPoints);
    if (std::abs(g) > std::abs(dominant)) dominant = g;
  }
  return dominant;
}

// Appends the arcs between the given crossings that the other piece covers, within [0, 2 pi].
void append_covered(const GaugeAlong& along, std::vector<double> cuts, bool covered_on_tie,
                    std::vector<Stretch>& covered) {
  for (double& t : cuts) t -= kPeriod * std::floor(t / kPeriod);
  if (cuts.empty()) cuts.push_back(0.0);
  std::sort(cuts.begin(), cuts.end());
  for (std::size_t k = 0; k < cuts.size(); ++k) {
    const bool last = k + 1 == cuts.size();
    const double end = last ? cuts.front() + kPeriod : cuts[k + 1];
    const double g = dominant_gauge(along, {cuts[k], end});
    if (std::abs(g) <= tolerances::kShapeRounding ? !covered_on_tie : g > 0.0) continue;
    covered.push_back({cuts[k], last ? kPeriod : end});
    if (last) covered.push_back({0.0, cuts.front()});
  }
}

// Both sides of a pair use the same crossing points: arcs that meet then do so to rounding, even
// where the boundaries are nearly tangent and the crossing itself is ill-conditioned.
void cover_each_other(const Piece& first, const Piece& second, std::vector<Stretch>& on_first,
                      std::vector<Stretch>& on_second) {
  const GaugeAlong along_first{first, second};
  const std::vector<double> cuts_first = sign_changes(along_first, sample_count(first.shape));
  std::vector<double> cuts_second;
  for (double t : cuts_first) {
    cuts_second.push_back(parameter_towards(second, along_first.position(t)));
  }
  append_covered(along_first, cuts_first, false, on_first);
  append_covered({second, first}, cuts_second, true, on_second);
}

// Appends what is left of a piece's whole arc.
void append_uncovered(const BoundaryArc& whole, std::vector<Stretch> covered,
                      std::vector<BoundaryArc>& arcs) {
  const auto append = [&](double begin, double end) {
    arcs.push_back({whole.piece, begin, end, whole.loop, whole.element});
  };
  std::sort(covered.begin(), covered.end(),
            [](const Stretch& a, const Stretch& b) { return a.begin < b.begin; });
  double reached = whole.begin;
  for (const Stretch& stretch : covered) {
    if (stretch.begin > reached) append(reached, stretch.begin);
    reached = std::max(reached, stretch.end);
  }
  if (reached < whole.end) append(reached, whole.end);
}

}  // namespace

std::vector<BoundaryArc> piece_boundary(const Part& part, std::size_t piece) {
  if (piece < part.pieces.size()) return {{piece, 0.0, kPeriod}};
  const Outline& outline = part.outlines[piece - part.pieces.size()].outline;
  std::vector<BoundaryArc> arcs;
  const std::vector<const OutlineLoop*> loops = loops_of(outline);
  for (std::size_t loop = 0; loop < loops.size(); ++loop) {
    for (std::size_t k = 0; k < loops[loop]->size(); ++k) {
      arcs.push_back({piece, 0.0, 1.0, loop, k});
    }
  }
  return arcs;
}

std::vector<BoundaryArc> union_boundary(const Part& part) {
  for (const OutlinePiece& piece : part.outlines) {
    GRASPMAP_ASSERT(signed_area_mm2(piece.outline.outer) > 0.0);
    for (const OutlineLoop& hole : piece.outline.holes)
      GRASPMAP_ASSERT(signed_area_mm2(hole) < 0.0);
  }
  const std::size_t n = part.pieces.size();
  std::vector<BoundaryArc> whole;
  for (std::size_t i = 0; i < n + part.outlines.size(); ++i) {
    for (const BoundaryArc& arc : piece_boundary(part, i)) whole.push_back(arc);
  }
  std::vector<std::vector<Stretch>> covered(whole.size());
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i + 1; j < n; ++j) {
      cover_each_other(part.pieces[i], part.pieces[j], covered[i], covered[j]);
    }
  }
  if (!part.outlines.empty()) append_covered_by_outlines(part, covered);
  std::vector<BoundaryArc> arcs;
  for (std::size_t k = 0; k < whole.size(); ++k) {
    append_uncovered(whole[k], std::move(covered[k]), arcs);
  }
  return arcs;
}

namespace {

// The points at equal steps of the parameter, of which a whole turn would have `per_turn`.
template <typename Curve>
std::vector<Vec2> points_along(const BoundaryArc& arc, double turn_rad, int per_turn,
                               const Curve& point) {
  const int steps = 1 + static_cast<int>(per_turn * turn_rad / kPeriod);
  std::vector<Vec2> points;
  for (int k = 0; k <= steps; ++k) {
    points.push_back(point(arc.begin + (arc.end - arc.begin) * k / steps));
  }
  return points;
}

}  // namespace

std::vector<Vec2> boundary_points(const Part& part, const BoundaryArc& arc, int per_turn) {
  GRASPMAP_CHECK(per_turn > 0 && arc.piece < part.pieces.size() + part.outlines.size());
  if (arc.piece < part.pieces.size()) {
    const Piece& piece = part.pieces[arc.piece];
    return points_along(arc, arc.end - arc.begin, per_turn, [&](double t) {
      return transform(piece.pose, boundary_point(piece.shape, t).position_mm);
    });
  }
  const OutlinePiece& piece = part.outlines[arc.piece - part.pieces.size()];
  const OutlineCurve curve = outline_curve(*loops_of(piece.outline)[arc.loop], arc.element);
  const double turn_rad = (arc.end - arc.begin) * std::abs(curve.turn_rad);
  return points_along(arc, turn_rad, per_turn,
                      [&](double s) { return transform(piece.pose, point_at(curve, s)); });
}

}  // namespace graspmap
