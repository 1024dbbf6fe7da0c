#include "geometry/outline_faults.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <sstream>

#include "geometry/outline.hpp"
#include "geometry/tolerances.hpp"

namespace graspmap {
namespace {

FaultyElement named(const OutlineLoop& chain, std::size_t loop, std::size_t element) {
  return {loop, element, element_name(chain, element)};
}

// --- Elements by themselves

bool is_finite(const OutlineElement& element) {
  const auto near = [](double x) { return std::abs(x) <= tolerances::kFarthestCoordinateMm; };
  return near(element.begin_mm.x()) && near(element.begin_mm.y()) && std::isfinite(element.bulge);
}

std::optional<OutlineFaultKind> fault_of_element(const OutlineElement& element, const Vec2& end_mm,
                                                 double touch_mm) {
  if ((end_mm - element.begin_mm).norm() <= touch_mm) return OutlineFaultKind::kZeroLength;
  const double bulge = std::abs(element.bulge);
  if (bulge == 0.0) return std::nullopt;
  const bool in_range = bulge >= tolerances::kLeastBulge && bulge <= tolerances::kLargestBulge;
  return in_range ? std::nullopt : std::optional(OutlineFaultKind::kBulge);
}

void append_element_faults(const OutlineLoop& chain, std::size_t loop,
                           std::vector<OutlineFault>& faults) {
  if (chain.size() < 2) {
    faults.push_back({OutlineFaultKind::kTooFew, loop, {}, Vec2(0, 0)});
    return;
  }
  const std::size_t before = faults.size();
  for (std::size_t k = 0; k < chain.size(); ++k) {
    if (is_finite(chain[k])) continue;
    faults.push_back(
        {OutlineFaultKind::kNotFinite, loop, {named(chain, loop, k)}, chain[k].begin_mm});
  }
  if (faults.size() != before) return;
  Eigen::AlignedBox2d box;
  for (const OutlineElement& element : chain) box.extend(element.begin_mm);
  const double touch_mm = tolerances::kRounding * box.sizes().maxCoeff();
  for (std::size_t k = 0; k < chain.size(); ++k) {
    const Vec2& end_mm = chain[(k + 1) % chain.size()].begin_mm;
    if (const auto kind = fault_of_element(chain[k], end_mm, touch_mm)) {
      faults.push_back({*kind, loop, {named(chain, loop, k)}, chain[k].begin_mm});
    }
  }
}

// --- Pairs of elements

struct LoopCurve {
  std::size_t loop;
  std::size_t element;
  OutlineCurve curve;
};

// How far two neighbours come apart between the point that they share and one where they meet.
double apart_mm(const OutlineCurve& before, const OutlineCurve& after,
                const CurveMeeting& meeting) {
  const Vec2 on_before = point_at(before, 0.5 * (1.0 + meeting.share_a));
  const Vec2 on_after = point_at(after, 0.5 * meeting.share_b);
  return std::max(distance_mm(after, on_before), distance_mm(before, on_after));
}

// Pairs of elements of an outline and what is wrong with them.
class ElementPairs {
 public:
  explicit ElementPairs(const Outline& outline) : loops_(loops_of(outline)) {
    Eigen::AlignedBox2d all;
    for (std::size_t loop = 0; loop < loops_.size(); ++loop) {
      const std::vector<OutlineCurve> chain = outline_curves(*loops_[loop]);
      for (std::size_t k = 0; k < chain.size(); ++k) {
        curves_.push_back({loop, k, chain[k]});
        boxes_.push_back(box_of(chain[k]));
        all.extend(boxes_.back());
      }
    }
    extent_mm_ = all.sizes().maxCoeff();
  }

  std::vector<OutlineFault> faults() const {
    std::vector<OutlineFault> found;
    for (const auto& [i, j] : overlapping_pairs(boxes_, touch_mm())) {
      if (const auto fault = fault_of(curves_[i], curves_[j])) found.push_back(*fault);
    }
    return found;
  }

 private:
  double touch_mm() const { return tolerances::kRounding * extent_mm_; }

  std::size_t next(const LoopCurve& curve) const {
    return (curve.element + 1) % loops_[curve.loop]->size();
  }

  OutlineFault fault(OutlineFaultKind kind, const LoopCurve& a, const LoopCurve& b,
                     const Vec2& at_mm) const {
    return {kind,
            b.loop,
            {named(*loops_[a.loop], a.loop, a.element), named(*loops_[b.loop], b.loop, b.element)},
            at_mm};
  }

  // True where neighbours meet as they should: at the point that they share, or so near to it that
  // they have hardly come apart.
  bool is_joint(const LoopCurve& before, const LoopCurve& after,
                const CurveMeeting& meeting) const {
    if ((meeting.point_mm - after.curve.begin_mm).norm() <= touch_mm()) return true;
    const bool runs_on = tangent_at(before.curve, 1.0).dot(tangent_at(after.curve, 0.0)) > 0.0;
    return runs_on &&
           apart_mm(before.curve, after.curve, meeting) <= tolerances::kDrawnRounding * extent_mm_;
  }

  std::optional<OutlineFault> fault_of(const LoopCurve& a, const LoopCurve& b) const {
    const bool b_follows = a.loop == b.loop && next(a) == b.element;
    const bool a_follows = a.loop == b.loop && next(b) == a.element;
    for (const CurveMeeting& meeting : meetings(a.curve, b.curve, touch_mm())) {
      const CurveMeeting reversed{meeting.point_mm, meeting.share_b, meeting.share_a};
      if (b_follows && is_joint(a, b, meeting)) continue;
      if (a_follows && is_joint(b, a, reversed)) continue;
      return fault(kind_of(a, b, meeting, b_follows, a_follows), a, b, meeting.point_mm);
    }
    return std::nullopt;
  }

  // Neighbours that run back meet in a stretch, at whose end they are parallel.
  OutlineFaultKind kind_of(const LoopCurve& a, const LoopCurve& b, const CurveMeeting& meeting,
                           bool b_follows, bool a_follows) const {
    const Vec2 along_a = tangent_at(a.curve, meeting.share_a);
    const Vec2 along_b = tangent_at(b.curve, meeting.share_b);
    const bool parallel = std::abs(cross(along_a, along_b)) <= tolerances::kDrawnRounding;
    if ((a_follows || b_follows) && parallel && along_a.dot(along_b) < 0.0)
      return OutlineFaultKind::kSpike;
    const auto inner = [&](const LoopCurve& curve) {
      return (meeting.point_mm - curve.curve.begin_mm).norm() > touch_mm() &&
             (meeting.point_mm - curve.curve.end_mm).norm() > touch_mm();
    };
    return !parallel && inner(a) && inner(b) ? OutlineFaultKind::kCrossing
                                             : OutlineFaultKind::kTouching;
  }

  std::vector<const OutlineLoop*> loops_;
  std::vector<LoopCurve> curves_;
  std::vector<Eigen::AlignedBox2d> boxes_;  // of the curves
  double extent_mm_ = 0.0;
};

// --- Chains

void append_area_faults(const Outline& outline, std::vector<OutlineFault>& faults) {
  const std::vector<const OutlineLoop*> loops = loops_of(outline);
  for (std::size_t loop = 0; loop < loops.size(); ++loop) {
    const double extent = box_of(*loops[loop]).sizes().maxCoeff();
    const double least_mm2 = tolerances::kRounding * extent * extent;
    if (std::abs(signed_area_mm2(*loops[loop])) > least_mm2) continue;
    faults.push_back({OutlineFaultKind::kZeroArea, loop, {}, loops[loop]->front().begin_mm});
  }
}

// Chains that do not meet are one within the other when one point is.
void append_hole_faults(const Outline& outline, std::vector<OutlineFault>& faults) {
  for (std::size_t h = 0; h < outline.holes.size(); ++h) {
    const Vec2& point = outline.holes[h].front().begin_mm;
    const FaultyElement at = named(outline.holes[h], h + 1, 0);
    if (!contains(outline.outer, point)) {
      faults.push_back({OutlineFaultKind::kHoleOutside, h + 1, {at}, point});
    }
    for (std::size_t other = 0; other < outline.holes.size(); ++other) {
      if (other == h || !contains(outline.holes[other], point)) continue;
      faults.push_back({OutlineFaultKind::kHoleInHole,
                        h + 1,
                        {at, named(outline.holes[other], other + 1, 0)},
                        point});
    }
  }
}

// --- Words

std::string loop_text(std::size_t loop) {
  return loop == 0 ? "the outer chain" : "hole " + std::to_string(loop);
}

std::string element_text(const FaultyElement& element) {
  return element.loop == 0 ? element.name : element.name + " of " + loop_text(element.loop);
}

std::string point_text(const Vec2& point_mm) {
  std::ostringstream text;
  text << '(' << point_mm.x() << ", " << point_mm.y() << ") mm";
  return text.str();
}

std::string pair_text(const OutlineFault& fault, const std::string& verb) {
  return element_text(fault.elements[0]) + " and " + element_text(fault.elements[1]) + " " + verb +
         " at " + point_text(fault.point_mm);
}

}  // namespace

std::vector<OutlineFault> outline_faults(const Outline& outline) {
  std::vector<OutlineFault> faults;
  const std::vector<const OutlineLoop*> loops = loops_of(outline);
  for (std::size_t loop = 0; loop < loops.size(); ++loop) {
    append_element_faults(*loops[loop], loop, faults);
  }
  if (!faults.empty()) return faults;
  faults = ElementPairs(outline).faults();
  if (!faults.empty()) return faults;
  append_area_faults(outline, faults);
  append_hole_faults(outline, faults);
  return faults;
}

std::string describe(const OutlineFault& fault) {
  switch (fault.kind) {
    case OutlineFaultKind::kNotFinite:
      return element_text(fault.elements[0]) + " has a coordinate or a bulge that is not finite " +
             "or beyond 1 km: it begins at " + point_text(fault.point_mm);
    case OutlineFaultKind::kTooFew:
      return loop_text(fault.loop) + " has fewer than two elements: it cannot close";
    case OutlineFaultKind::kZeroLength:
      return element_text(fault.elements[0]) + " has no length: it begins and ends at " +
             point_text(fault.point_mm);
    case OutlineFaultKind::kBulge:
      return element_text(fault.elements[0]) + ", which begins at " + point_text(fault.point_mm) +
             ", has a bulge so small that it is a segment (give 0), or so large that it is a " +
             "circle (give two half circles)";
    case OutlineFaultKind::kSpike:
      return pair_text(fault, "run back along each other");
    case OutlineFaultKind::kCrossing:
      return pair_text(fault, "cross");
    case OutlineFaultKind::kTouching:
      return pair_text(fault, "touch");
    case OutlineFaultKind::kZeroArea:
      return loop_text(fault.loop) + ", which begins at " + point_text(fault.point_mm) +
             ", encloses no area";
    case OutlineFaultKind::kHoleOutside:
      return loop_text(fault.loop) + ", which begins at " + point_text(fault.point_mm) +
             ", lies outside of the outer chain";
    case OutlineFaultKind::kHoleInHole:
      return loop_text(fault.loop) + ", which begins at " + point_text(fault.point_mm) +
             ", lies within " + loop_text(fault.elements[1].loop);
  }
  return {};
}

}  // namespace graspmap
