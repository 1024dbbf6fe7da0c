#include "grasp/base/pictures/outline.hpp"

namespace graspmap {
namespace {

/// A run of consecutive numbers [begin, end).
struct Run {
  int begin = 0;
  int end = 0;
};

/// The runs of k in [0, count) for which `is_in` holds.
std::vector<Run> runs(int count, const std::function<bool(int)>& is_in) {
  std::vector<Run> result;
  for (int k = 0; k < count; ++k) {
    if (!is_in(k)) continue;
    if (!result.empty() && result.back().end == k) {
      ++result.back().end;
    } else {
      result.push_back({k, k + 1});
    }
  }
  return result;
}

}  // namespace

std::vector<Segment> cells_outline(const Axis& x, const Axis& y,
                                   const std::function<bool(int, int)>& is_in) {
  const auto inside = [&](int i, int j) {
    const bool exists = i >= 0 && i < x.cells && j >= 0 && j < y.cells;
    return exists && is_in(i, j);
  };
  std::vector<Segment> outline;
  for (int i = 0; i <= x.cells; ++i) {
    const double at_x = x.cell_min(i);
    const auto is_border = [&](int j) { return inside(i - 1, j) != inside(i, j); };
    for (const Run& run : runs(y.cells, is_border)) {
      outline.push_back({at_x, y.cell_min(run.begin), at_x, y.cell_min(run.end)});
    }
  }
  for (int j = 0; j <= y.cells; ++j) {
    const double at_y = y.cell_min(j);
    const auto is_border = [&](int i) { return inside(i, j - 1) != inside(i, j); };
    for (const Run& run : runs(x.cells, is_border)) {
      outline.push_back({x.cell_min(run.begin), at_y, x.cell_min(run.end), at_y});
    }
  }
  return outline;
}

}  // namespace graspmap
