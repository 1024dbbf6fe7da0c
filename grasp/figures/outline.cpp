#include "grasp/figures/outline.hpp"

#include <functional>

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

std::vector<Segment> plateau_outline(const SuccessMap& map, double probability) {
  const auto inside = [&](int i, int j) {
    const bool exists = i >= 0 && i < map.x.cells && j >= 0 && j < map.y.cells;
    return exists && map.at(i, j).success_probability() >= probability;
  };
  std::vector<Segment> outline;
  for (int i = 0; i <= map.x.cells; ++i) {
    const double x = map.x.cell_min_mm(i);
    const auto is_border = [&](int j) { return inside(i - 1, j) != inside(i, j); };
    for (const Run& run : runs(map.y.cells, is_border)) {
      outline.push_back({x, map.y.cell_min_mm(run.begin), x, map.y.cell_min_mm(run.end)});
    }
  }
  for (int j = 0; j <= map.y.cells; ++j) {
    const double y = map.y.cell_min_mm(j);
    const auto is_border = [&](int i) { return inside(i, j - 1) != inside(i, j); };
    for (const Run& run : runs(map.x.cells, is_border)) {
      outline.push_back({map.x.cell_min_mm(run.begin), y, map.x.cell_min_mm(run.end), y});
    }
  }
  return outline;
}

}  // namespace graspmap
