#include "sim/closing/outline_touches.hpp"

#include <algorithm>

#include "geometry/index.hpp"

namespace graspmap {
namespace {

/// True when two segments, of the part and of a finger, face each other and are nearer than gap_mm
/// at both ends of what they share.
bool flush(const ContactElement& p, const ContactElement& f, const Configuration& q,
           const Vec2& p_GF, double gap_mm) {
  if (f.normal_lo.dot(q.R_GB * p.normal_lo) >= 0.0) return false;
  const Vec2 p_GB = q.part_pose.head<2>();
  const Vec2 from = p_GB + q.R_GB * p.lo_mm - p_GF - f.point_mm;
  const Vec2 to = p_GB + q.R_GB * p.hi_mm - p_GF - f.point_mm;
  const double a = from.dot(f.tangent);
  const double b = to.dot(f.tangent);
  const double begin = std::max(std::min(a, b), 0.0);
  const double end = std::min(std::max(a, b), f.length_mm);
  if (end <= begin || a == b) return false;
  const auto distance = [&](double along) {
    const double s = (along - a) / (b - a);
    return std::abs(f.normal_lo.dot(from + s * (to - from)));
  };
  return distance(begin) < gap_mm && distance(end) < gap_mm;
}

}  // namespace

void add_flush_edges(const ContactBodies& bodies, const Configuration& q, JawSide side,
                     double gap_mm, std::vector<int>& features) {
  const Vec2 p_GF(q.jaw_mm(side), 0.0);
  for (std::size_t i = 0; i < bodies.pieces.size(); ++i) {
    if (!bodies.pieces[i].is_element || bodies.elements[i].kind != ContactElement::Kind::kSegment)
      continue;
    for (const ContactElement& f : bodies.fingers.by_side[side_index(side)].elements) {
      if (f.kind == ContactElement::Kind::kSegment &&
          flush(bodies.elements[i], f, q, p_GF, gap_mm)) {
        features.push_back(bodies.pieces[i].feature);
      }
    }
  }
  std::sort(features.begin(), features.end());
}

void drop_corners_of_touched(const Part& part, std::vector<int>& features) {
  features.erase(std::unique(features.begin(), features.end()), features.end());
  for (std::size_t k = 0; k < part.outlines.size(); ++k) {
    const int n = static_cast<int>(part.outlines[k].outline.outer.size());
    const int first = first_feature(part, k);
    const auto touched = [&](int element) {
      return std::binary_search(features.begin(), features.end(), first + (element + n) % n);
    };
    const auto is_dropped = [&](int feature) {
      const int corner = feature - first - n;
      return corner >= 0 && corner < n && (touched(corner) || touched(corner - 1));
    };
    // A copy of the elements' part stays sorted while the corners are taken out.
    std::vector<int> kept;
    std::copy_if(features.begin(), features.end(), std::back_inserter(kept),
                 [&](int feature) { return !is_dropped(feature); });
    features = std::move(kept);
  }
}

}  // namespace graspmap
