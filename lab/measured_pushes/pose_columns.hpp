#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "geometry/types.hpp"
#include "grasp/base/io/csv.hpp"

namespace graspmap {

/// The columns PREFIXx_mm, PREFIXy_mm and PREFIXtheta_rad.
class PoseColumns {
 public:
  PoseColumns(const CsvTable& table, const std::string& prefix)
      : table_(table),
        columns_{table.column(prefix + "x_mm"), table.column(prefix + "y_mm"),
                 table.column(prefix + "theta_rad")} {}

  [[nodiscard]] Pose2 pose(const CsvRow& row) const {
    return {{table_.number(row, columns_[0]), table_.number(row, columns_[1])},
            table_.number(row, columns_[2])};
  }
  /// Nothing where all three are empty.
  [[nodiscard]] std::optional<Pose2> pose_or_none(const CsvRow& row) const {
    const bool is_empty = std::all_of(columns_.begin(), columns_.end(),
                                      [&](std::size_t k) { return row.fields[k].empty(); });
    return is_empty ? std::nullopt : std::optional(pose(row));
  }

 private:
  const CsvTable& table_;
  std::array<std::size_t, 3> columns_;
};

}  // namespace graspmap
