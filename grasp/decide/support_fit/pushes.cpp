#include "grasp/decide/support_fit/pushes.hpp"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <optional>

#include "geometry/types.hpp"
#include "grasp/base/io/csv.hpp"
#include "grasp/base/io/errors.hpp"
#include "grasp/decide/compare/experiment.hpp"

namespace graspmap {
namespace {

/// The columns of a file.
class PushColumns {
 public:
  explicit PushColumns(const CsvTable& table) : table_(table), push_(table.find_column("push")) {
    has_force_ = !table.find_column("fx_n");
    twist_ = {table.column("vx_mm_s"), table.column("vy_mm_s"), table.column("omega_rad_s")};
    if (!has_force_) {
      wrench_ = {table.column("fx_n"), table.column("fy_n"), table.column("moment_n_mm")};
    } else if (!table.find_column("force_x_n")) {
      throw config_error(table.place(table.header), "fx_n",
                         "missing; give the columns fx_n, fy_n, moment_n_mm, or force_x_n, "
                         "force_y_n, contact_x_mm, contact_y_mm");
    } else {
      wrench_ = {table.column("force_x_n"), table.column("force_y_n"), table.column("contact_x_mm"),
                 table.column("contact_y_mm")};
    }
  }

  /// The row with wrench and twist about `center`.
  [[nodiscard]] MeasuredPush read(const CsvRow& row, const Vec2& center) const {
    constexpr double kLargest = 1e9;  // squares and products of more are no numbers any longer
    const auto number = [&](std::size_t column) {
      const double value = table_.number(row, column);
      if (std::abs(value) <= kLargest) return value;
      table_.fail(row, column, fmt::format("{}; must be from -10^9 to 10^9", value));
    };
    MeasuredPush push;
    push.twist = {number(twist_[0]), number(twist_[1]), number(twist_[2])};
    push.twist.head<2>() += push.twist[2] * perp(center);
    const Vec2 force(number(wrench_[0]), number(wrench_[1]));
    push.wrench.head<2>() = force;
    push.wrench[2] = has_force_
                         ? cross(Vec2(number(wrench_[2]), number(wrench_[3])) - center, force)
                         : number(wrench_[2]) - cross(center, force);
    if (push.twist.norm() == 0.0) table_.fail(row, twist_[0], "no motion; a row must have some");
    if (push.wrench.norm() == 0.0) table_.fail(row, wrench_[0], "no force; a row must have some");
    return push;
  }

  [[nodiscard]] std::string push_of(const CsvRow& row) const {
    return push_ ? row.fields[*push_] : fmt::format("{}", row.line);
  }

 private:
  const CsvTable& table_;
  std::optional<std::size_t> push_;
  bool has_force_ = false;
  std::array<std::size_t, 3> twist_{};
  std::array<std::size_t, 4> wrench_{};
};

}  // namespace

std::vector<MeasuredPush> scaled_rows(std::vector<MeasuredPush> rows, double length_mm) {
  for (MeasuredPush& row : rows) {
    row.wrench[2] /= length_mm;
    row.twist[2] *= length_mm;
  }
  return rows;
}

PushFile read_pushes(const std::filesystem::path& file, const Vec2& center_mm) {
  PushFile pushes;
  pushes.file = file.string();
  pushes.center_mm = center_mm;
  const std::string text = read_table_text(file);
  const TableHead head = read_head(text, pushes.file);
  pushes.origin = name(head.origin);
  pushes.source = head.source;
  const CsvTable table = parse_csv(text, pushes.file);
  const PushColumns columns(table);
  std::map<std::string, std::size_t> groups;
  for (const CsvRow& row : table.rows) {
    MeasuredPush push = columns.read(row, center_mm);
    push.group = groups.try_emplace(columns.push_of(row), groups.size()).first->second;
    pushes.rows.push_back(push);
  }
  pushes.groups = groups.size();
  if (pushes.groups < kLeastPushGroups) {
    throw config_error(
        {pushes.file}, "",
        fmt::format("has {} pushes; at least {} are needed", pushes.groups, kLeastPushGroups));
  }
  return pushes;
}

}  // namespace graspmap
