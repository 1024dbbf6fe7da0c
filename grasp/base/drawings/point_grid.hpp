#pragma once

#include <cmath>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "geometry/types.hpp"

namespace graspmap {

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

}  // namespace graspmap
