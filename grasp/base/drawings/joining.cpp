#include "grasp/base/drawings/joining.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <unordered_map>
#include <vector>

#include "geometry/elementary/elementary.hpp"
#include "geometry/outline.hpp"
#include "geometry/types.hpp"

namespace graspmap {
namespace {

/// Finds points that are near to one.
class PointGrid {
 public:
  /// `reach_mm` > 0 is how near.
  explicit PointGrid(double reach_mm) : reach_(reach_mm) {}

  void add(const Vec2& point, int index) {
    const auto [column, row] = cell(point);
    cells_[key(column, row)].push_back({point, index});
  }

  /// Calls see(index, distance) for all points within reach of one.
  template <typename See>
  void near(const Vec2& point, const See& see) const {
    const auto [column, row] = cell(point);
    for (std::int64_t i = column - 1; i <= column + 1; ++i) {
      for (std::int64_t j = row - 1; j <= row + 1; ++j) {
        const auto found = cells_.find(key(i, j));
        if (found == cells_.end()) continue;
        for (const Entry& entry : found->second) {
          const double distance = (entry.point - point).norm();
          if (distance <= reach_) see(entry.index, distance);
        }
      }
    }
  }

 private:
  struct Entry {
    Vec2 point;
    int index;
  };

  [[nodiscard]] std::pair<std::int64_t, std::int64_t> cell(const Vec2& point) const {
    return {static_cast<std::int64_t>(std::floor(point.x() / reach_)),
            static_cast<std::int64_t>(std::floor(point.y() / reach_))};
  }
  /// Cells that share a key are told apart by the distance.
  [[nodiscard]] static std::uint64_t key(std::int64_t column, std::int64_t row) {
    return static_cast<std::uint64_t>(column) * 0x9E3779B97F4A7C15U ^
           static_cast<std::uint64_t>(row) * 0xC2B2AE3D27D4EB4FU;
  }

  double reach_;
  std::unordered_map<std::uint64_t, std::vector<Entry>> cells_;
};

/// Ends that are nearer than this are at the same point, mm: the last digits of files differ.
constexpr double kSamePointMm = 1e-6;

/// A duplicate differs from its original by less than this share of its length, and of the
/// tolerance: the two sides of a sliver are no duplicates.
constexpr double kDuplicateShare = 0.1;

/// Ends among which the nearest pair is looked for when a chain is open.
constexpr std::size_t kMostOpenEnds = 2000;

/// One of the two ends of a stroke.
struct End {
  int stroke = 0;
  int side = 0;  ///< 0: its begin
};

class Joiner {
 public:
  Joiner(const SourceFile& source, const Sketch& sketch, double tolerance_mm, Drawing& drawing)
      : source_(source), sketch_(sketch), tolerance_(tolerance_mm), drawing_(drawing) {}

  std::vector<ClosedChain> join() {
    keep_strokes();
    find_nodes();
    drop_covered();
    check_junctions();
    join_gaps();
    check_open_ends();
    return trace();
  }

 private:
  [[nodiscard]] Stroke& stroke_of(End end) { return strokes_[index(end.stroke)]; }
  [[nodiscard]] Vec2& point_of(End end) {
    Stroke& stroke = stroke_of(end);
    return end.side == 0 ? stroke.begin_mm : stroke.end_mm;
  }
  [[nodiscard]] int node_of(End end) const { return nodes_of_[index(2 * end.stroke + end.side)]; }

  /// Drops strokes without length, and those that another one covers.
  void keep_strokes() {
    PointGrid middles(tolerance_);
    for (const Stroke& stroke : sketch_.strokes) {
      const double length = curve_of(stroke).length_mm();
      if (!(length > kSamePointMm) || !((stroke.end_mm - stroke.begin_mm).norm() > kSamePointMm)) {
        ++drawing_.zero_length;
        continue;
      }
      const Vec2 middle = point_at(curve_of(stroke), 0.5);
      const double slack = std::max(kSamePointMm, kDuplicateShare * std::min(tolerance_, length));
      bool is_duplicate = false;
      middles.near(middle, [&](int other, double distance) {
        is_duplicate |= distance <= slack && same_ends(stroke, strokes_[index(other)], slack);
      });
      if (is_duplicate) {
        ++drawing_.duplicates;
        continue;
      }
      middles.add(middle, static_cast<int>(strokes_.size()));
      strokes_.push_back(stroke);
    }
  }

  [[nodiscard]] static bool same_ends(const Stroke& a, const Stroke& b, double slack) {
    const auto near = [&](const Vec2& p, const Vec2& q) { return (p - q).norm() <= slack; };
    return (near(a.begin_mm, b.begin_mm) && near(a.end_mm, b.end_mm)) ||
           (near(a.begin_mm, b.end_mm) && near(a.end_mm, b.begin_mm));
  }

  /// Gives ends at the same point the same coordinates, and one node.
  void find_nodes() {
    PointGrid points(kSamePointMm);
    for (int stroke = 0; stroke < static_cast<int>(strokes_.size()); ++stroke) {
      for (const int side : {0, 1}) {
        const End end{stroke, side};
        int node = -1;
        double nearest = std::numeric_limits<double>::infinity();
        points.near(point_of(end), [&](int other, double distance) {
          if (distance < nearest) node = other;
          nearest = std::min(nearest, distance);
        });
        if (node < 0) {
          node = static_cast<int>(ends_.size());
          points.add(point_of(end), node);
          ends_.emplace_back();
        }
        ends_[index(node)].push_back(end);
        nodes_of_.push_back(node);
      }
    }
    // The ends of segments are as the file has them, those of arcs are computed.
    for (const std::vector<End>& node : ends_) {
      const auto segment = std::find_if(node.begin(), node.end(),
                                        [&](End end) { return stroke_of(end).bulge == 0.0; });
      const Vec2 point = point_of(segment == node.end() ? node.front() : *segment);
      for (const End end : node) point_of(end) = point;
    }
  }

  /// Drops strokes that lie on a longer one and continue nowhere, as a line drawn over again is:
  /// at their ends is nothing, or a corner that others pass. Where there are very many such ends,
  /// nothing is an outline.
  void drop_covered() {
    std::vector<std::size_t> loose;
    std::vector<Eigen::AlignedBox2d> boxes;
    for (std::size_t k = 0; k < strokes_.size(); ++k) {
      const Vec2 slack = Vec2::Constant(tolerance_);
      const Eigen::AlignedBox2d box = box_of(curve_of(strokes_[k]));
      boxes.emplace_back(box.min() - slack, box.max() + slack);
      const auto ends = [&](int side) {
        return ends_[index(node_of({static_cast<int>(k), side}))].size();
      };
      if (ends(0) != 2 && ends(1) != 2) loose.push_back(k);
    }
    if (loose.size() > kMostOpenEnds) return;
    std::vector<bool> is_covered(strokes_.size(), false);
    for (const std::size_t shorter : loose) {
      for (std::size_t k = 0; k < strokes_.size() && !is_covered[shorter]; ++k) {
        is_covered[shorter] = k != shorter && boxes[k].contains(boxes[shorter].center()) &&
                              covers(strokes_[k], strokes_[shorter]);
      }
    }
    std::vector<Stroke> kept;
    for (std::size_t k = 0; k < strokes_.size(); ++k) {
      if (!is_covered[k]) kept.push_back(strokes_[k]);
    }
    if (kept.size() == strokes_.size()) return;
    drawing_.duplicates += static_cast<int>(strokes_.size() - kept.size());
    strokes_ = std::move(kept);
    ends_.clear();
    nodes_of_.clear();
    find_nodes();
  }

  [[nodiscard]] bool covers(const Stroke& longer, const Stroke& shorter) const {
    const OutlineCurve curve = curve_of(longer);
    const OutlineCurve part = curve_of(shorter);
    const double slack = std::max(kSamePointMm, kDuplicateShare * tolerance_);
    if (part.length_mm() >= curve.length_mm()) return false;
    for (const double share : {0.0, 0.25, 0.5, 0.75, 1.0}) {
      if (distance_mm(curve, point_at(part, share)) > slack) return false;
    }
    return true;
  }

  void check_junctions() {
    for (const std::vector<End>& node : ends_) {
      if (node.size() <= 2) continue;
      std::string list;
      for (const End& end : node) list += fmt::format("{}{}", list.empty() ? "" : ", ", named(end));
      const Vec2 p = point_of(node.front());
      source_.fail(line_of(node.back()),
                   fmt::format("{} ends meet at ({:.6g}, {:.6g}) mm: {}; an outline passes each "
                               "corner once: remove what is no outline{}",
                               node.size(), p.x(), p.y(), list, or_layers(sketch_)));
    }
  }

  /// Joins each loose end with the nearest other one within the tolerance.
  void join_gaps() {
    struct Gap {
      double width;
      int a;
      int b;
    };
    std::vector<Gap> gaps;
    PointGrid points(tolerance_);
    for (const int node : loose_nodes()) {
      const Vec2 p = point_of(ends_[index(node)].front());
      points.near(p, [&](int other, double distance) {
        const bool is_same =
            ends_[index(node)].front().stroke == ends_[index(other)].front().stroke;
        if (!is_same) gaps.push_back({distance, other, node});
      });
      points.add(p, node);
    }
    std::stable_sort(gaps.begin(), gaps.end(),
                     [](const Gap& x, const Gap& y) { return x.width < y.width; });
    for (const Gap& gap : gaps) {
      if (ends_[index(gap.a)].size() == 1 && ends_[index(gap.b)].size() == 1) close(gap.a, gap.b);
    }
    std::stable_sort(
        drawing_.joined_gaps.begin(), drawing_.joined_gaps.end(),
        [](const JoinedGap& x, const JoinedGap& y) { return x.width_mm > y.width_mm; });
  }

  /// Segments give way to arcs, which keep their circle.
  void close(int a, int b) {
    const End first = ends_[index(a)].front();
    const End second = ends_[index(b)].front();
    const Vec2 p = point_of(first);
    const Vec2 q = point_of(second);
    const bool first_is_arc = stroke_of(first).bulge != 0.0;
    const bool second_is_arc = stroke_of(second).bulge != 0.0;
    const Vec2 meet = first_is_arc == second_is_arc ? Vec2(0.5 * (p + q)) : first_is_arc ? p : q;
    point_of(first) = meet;
    point_of(second) = meet;
    ends_[index(a)].push_back(second);
    ends_[index(b)].clear();
    nodes_of_[index(2 * second.stroke + second.side)] = a;
    drawing_.joined_gaps.push_back({0.5 * (p + q), (p - q).norm()});
  }

  [[nodiscard]] std::vector<int> loose_nodes() const {
    std::vector<int> loose;
    for (std::size_t node = 0; node < ends_.size(); ++node) {
      if (ends_[node].size() == 1) loose.push_back(static_cast<int>(node));
    }
    return loose;
  }

  void check_open_ends() {
    const std::vector<int> loose = loose_nodes();
    if (loose.empty()) return;
    // The narrowest gap is most probably one that was not meant.
    End end = ends_[index(loose.front())].front();
    End other = end;
    double width = std::numeric_limits<double>::infinity();
    const std::size_t most = std::min(loose.size(), kMostOpenEnds);
    for (std::size_t i = 0; i < most; ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        const End a = ends_[index(loose[j])].front();
        const End b = ends_[index(loose[i])].front();
        const double distance = (point_of(a) - point_of(b)).norm();
        if (!(distance < width) || (a.stroke == b.stroke && loose.size() > 2)) continue;
        end = a;
        other = b;
        width = distance;
      }
    }
    fail_open(end, other, loose.size());
  }

  [[noreturn]] void fail_open(End end, End other, std::size_t count) {
    const std::string rest = count > 2 ? fmt::format("; {} ends are open", count) : "";
    for (const End one : {end, other}) {
      const std::string crossed = element_at(point_of(one), one.stroke);
      if (crossed.empty()) continue;
      source_.fail(line_of(one),
                   fmt::format("the outline is open: {}, on {}: trim that one there{}{}",
                               ends_at(one), crossed, or_layers(sketch_), rest));
    }
    const Vec2 q = point_of(other);
    source_.fail(
        line_of(end),
        fmt::format("the outline is open: {}, the nearest open end is {:.4g} mm away, at "
                    "({:.6g}, {:.6g}) mm, of {}; up to {} mm would be joined (tolerance){}",
                    ends_at(end), (point_of(end) - q).norm(), q.x(), q.y(), named(other),
                    tolerance_, rest));
  }

  [[nodiscard]] std::string ends_at(End end) {
    const Vec2 p = point_of(end);
    return fmt::format("{} ends at ({:.6g}, {:.6g}) mm", named(end), p.x(), p.y());
  }

  /// The stroke in whose middle a point lies, or "".
  [[nodiscard]] std::string element_at(const Vec2& p, int but) {
    for (int k = 0; k < static_cast<int>(strokes_.size()); ++k) {
      const OutlineCurve curve = curve_of(strokes_[index(k)]);
      const bool is_end =
          std::min((p - curve.begin_mm).norm(), (p - curve.end_mm).norm()) <= tolerance_;
      if (k != but && !is_end && distance_mm(curve, p) <= tolerance_) return named({k, 0});
    }
    return "";
  }

  std::vector<ClosedChain> trace() {
    std::vector<ClosedChain> chains;
    std::vector<bool> is_used(strokes_.size(), false);
    for (int first = 0; first < static_cast<int>(strokes_.size()); ++first) {
      if (is_used[index(first)]) continue;
      ClosedChain chain;
      End from{first, 0};
      while (!is_used[index(from.stroke)]) {
        is_used[index(from.stroke)] = true;
        chain.push_back(from.side == 0 ? stroke_of(from) : reversed(stroke_of(from)));
        const End to{from.stroke, 1 - from.side};
        from = other_end(to);
      }
      chains.push_back(std::move(chain));
    }
    return chains;
  }

  /// The end that meets one at its node.
  [[nodiscard]] End other_end(End end) const {
    const std::vector<End>& both = ends_[index(node_of(end))];
    const bool is_first = both[0].stroke == end.stroke && both[0].side == end.side;
    return both[is_first ? 1 : 0];
  }

  [[nodiscard]] const SketchEntity& entity_of(End end) {
    return sketch_.entities[stroke_of(end).entity];
  }
  [[nodiscard]] int line_of(End end) { return entity_of(end).line; }
  [[nodiscard]] std::string named(End end) { return stroke_name(sketch_, stroke_of(end)); }

  const SourceFile& source_;
  const Sketch& sketch_;
  double tolerance_;
  Drawing& drawing_;
  std::vector<Stroke> strokes_;
  std::vector<std::vector<End>> ends_;  ///< that meet at each node
  std::vector<int> nodes_of_;           ///< 2 k + side: the node of that end of stroke k
};

}  // namespace

std::vector<ClosedChain> closed_chains(const SourceFile& source, const Sketch& sketch,
                                       double tolerance_mm, Drawing& drawing) {
  return Joiner(source, sketch, tolerance_mm, drawing).join();
}

namespace {

/// How far a merged stroke may be from those that it replaces, mm: the last digits of files.
constexpr double kMergedErrorMm = 1e-6;

/// Each stroke is compared with all that it replaces.
constexpr std::size_t kMostMerged = 500;

constexpr double kHalfCircle = M_PI * (1.0 + 1e-9);

/// Strokes that follow each other and lie on a line or a circle, in place of which `merged` stands.
struct Run {
  Stroke merged;
  std::vector<Vec2> joints;
};

bool lies_on(const OutlineCurve& curve, const Vec2& point) {
  if (curve.is_arc()) {
    return std::abs((point - curve.center_mm).norm() - curve.radius_mm) <= kMergedErrorMm;
  }
  const Vec2 chord = curve.end_mm - curve.begin_mm;
  return std::abs(cross(chord, point - curve.begin_mm)) <= kMergedErrorMm * chord.norm();
}

/// The stroke in place of a run and the one after it, if there is one.
std::optional<Stroke> joined(const Run& run, const Stroke& next) {
  const Stroke& last = run.merged;
  if (last.layer != next.layer || (last.bulge == 0.0) != (next.bulge == 0.0)) return std::nullopt;
  if (last.bulge * next.bulge < 0.0 || run.joints.size() >= kMostMerged) return std::nullopt;
  const OutlineCurve a = curve_of(last);
  const OutlineCurve b = curve_of(next);
  const double turn = a.turn_rad + b.turn_rad;
  if (std::abs(turn) > kHalfCircle || tangent_at(a, 1.0).dot(tangent_at(b, 0.0)) <= 0.0) {
    return std::nullopt;
  }
  Stroke both = last;
  both.end_mm = next.end_mm;
  both.bulge = elementary::tan(0.25 * turn);
  const OutlineCurve whole = curve_of(both);
  if (whole.is_arc() && (std::abs(a.radius_mm - whole.radius_mm) > kMergedErrorMm ||
                         std::abs(b.radius_mm - whole.radius_mm) > kMergedErrorMm)) {
    return std::nullopt;
  }
  const bool fits = lies_on(whole, next.begin_mm) &&
                    std::all_of(run.joints.begin(), run.joints.end(),
                                [&](const Vec2& joint) { return lies_on(whole, joint); });
  return fits ? std::optional(both) : std::nullopt;
}

}  // namespace

int merge_strokes(ClosedChain& chain) {
  const std::size_t before = chain.size();
  std::vector<Run> runs;
  for (const Stroke& stroke : chain) {
    const auto both = runs.empty() ? std::nullopt : joined(runs.back(), stroke);
    if (!both) {
      runs.push_back({stroke, {}});
      continue;
    }
    runs.back().joints.push_back(stroke.begin_mm);
    runs.back().merged = *both;
  }
  // Around the chain's begin.
  if (runs.size() > 2 && runs.front().joints.empty()) {
    if (const auto both = joined(runs.back(), runs.front().merged)) {
      runs.back().merged = *both;
      runs.erase(runs.begin());
    }
  }
  chain.clear();
  for (const Run& run : runs) chain.push_back(run.merged);
  return static_cast<int>(before - chain.size());
}

}  // namespace graspmap
