#include "bench/peers/outline.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>
#include <string>

namespace graspmap::bench {
namespace {

constexpr int kSamples = 4096;      ///< of a whole outline
constexpr double kFlatTurn = 1e-6;  ///< added to the normal's turn, which is zero along a flat

double parameter(double sample) { return 2.0 * std::numbers::pi * sample / kSamples; }

/// Samples first, ..., first + count - 1 of an outline; the indices go round.
struct Stretch {
  int first = 0;
  int count = 0;
};

/// The longest stretch of a piece's outline inside one other piece.
Stretch covered_stretch(const Part& part, std::size_t piece) {
  const Piece& own = part.pieces[piece];
  Stretch longest;
  for (std::size_t other = 0; other < part.pieces.size(); ++other) {
    if (other == piece) continue;
    const Piece& cover = part.pieces[other];
    int run = 0;
    for (int i = 0; i < 2 * kSamples && longest.count < kSamples; ++i) {
      const Vec2 x_P = transform(own.pose, boundary_point(own.shape, parameter(i)).position_mm);
      run = value(cover.shape, inverse_transform(cover.pose, x_P)) < 0.0 ? run + 1 : 0;
      if (run > longest.count) longest = {(i - run + 1) % kSamples, run};
    }
  }
  return longest;
}

}  // namespace

/// An edge of length l misses an arc of curvature k by k l^2 / 8: the same for all edges when each
/// spans the same integral of sqrt(k) along the outline.
Outline make_outline(const Part& part, std::size_t piece, int corners, double inset_mm) {
  const Superellipse& shape = part.pieces[piece].shape;
  const Stretch covered = covered_stretch(part, piece);
  if (covered.count == kSamples) return {};
  const bool whole = covered.count == 0;
  const int first = covered.first + covered.count;
  const int count = kSamples - covered.count;
  std::vector<double> integral{0.0};
  for (int i = 0; i < count; ++i) {
    const BoundaryPoint p = boundary_point(shape, parameter(first + i + 0.5));
    integral.push_back(integral.back() +
                       std::sqrt((p.normal_turn + kFlatTurn) * p.tangent_mm.norm()) * parameter(1));
  }
  const double span = integral.back() / (whole ? corners : corners - 1);

  Outline outline;
  outline.error_mm = span * span / 16.0;
  for (int k = 0; k < corners; ++k) {
    const double target = std::min((whole ? k + 0.5 : k) * span, integral.back());
    const auto above = std::upper_bound(integral.begin() + 1, integral.end() - 1, target);
    const auto i = above - integral.begin() - 1;
    const double part_of = (target - above[-1]) / (above[0] - above[-1]);
    const BoundaryPoint p =
        boundary_point(shape, parameter(first + static_cast<double>(i) + part_of));
    outline.corners_mm.emplace_back(p.position_mm + (outline.error_mm - inset_mm) * p.normal);
  }
  return outline;
}

/// n octagons, each sharing an edge with the next, have 6 n + 2 corners. The first has the eight in
/// the middle; each next one the three further ones on either side.
std::vector<std::vector<Vec2>> octagons(const Part& part, std::size_t piece, double error_mm,
                                        double inset_mm) {
  constexpr int kMost = 8;
  int pieces = 1;
  Outline outline = make_outline(part, piece, 8, inset_mm);
  while (outline.error_mm > error_mm && pieces < kMost) {
    outline = make_outline(part, piece, 6 * ++pieces + 2, inset_mm);
  }
  std::vector<std::vector<Vec2>> polygons;
  if (outline.corners_mm.empty()) return polygons;
  for (int k = 0; k < pieces; ++k) {
    std::vector<Vec2>& polygon = polygons.emplace_back();
    const auto low = outline.corners_mm.begin() + 3 * (pieces - 1 - k);
    const auto high = outline.corners_mm.end() - 4 - 3 * (pieces - 1 - k);
    polygon.insert(polygon.end(), low, low + 4);
    polygon.insert(polygon.end(), high, high + 4);
  }
  return polygons;
}

std::vector<Vec2> convex_corners(const OutlinePiece& piece, double inset_mm) {
  Part inset;
  const std::string vanished = oversize({{}, {piece}}, -inset_mm, inset);
  const OutlineLoop loop = placed(inset.outlines[0].outline, piece.pose).outer;
  std::vector<Vec2> corners;
  for (std::size_t k = 0; k < loop.size(); ++k) {
    const Vec2& next = loop[(k + 1) % loop.size()].begin_mm;
    const Vec2& after = loop[(k + 2) % loop.size()].begin_mm;
    const bool convex = cross(next - loop[k].begin_mm, after - next) > 0.0;
    if (loop[k].bulge != 0.0 || !convex || !vanished.empty() || !piece.outline.holes.empty()) {
      throw std::invalid_argument("piece \"" + piece.name + "\" is no convex polygon");
    }
    corners.push_back(loop[k].begin_mm);
  }
  return corners;
}

}  // namespace graspmap::bench
