#include "lab/measured_pushes/push_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <tuple>

#include "grasp/base/io/csv.hpp"
#include "grasp/base/io/errors.hpp"
#include "grasp/base/io/toml_document.hpp"
#include "grasp/base/io/toml_reader.hpp"
#include "grasp/sweep/config/scenario_reader.hpp"
#include "lab/measured_pushes/pose_columns.hpp"

namespace graspmap {
namespace {

namespace fs = std::filesystem;

constexpr double kSteel_kg_mm3 = 7.85e-6;
constexpr double kThickness_mm = 13.0;
constexpr double kCentroidError_mm = 0.01;

PushedShape read_shape(const TomlTable& table, const fs::path& folder) {
  const auto centroid = table.numbers<2>("centroid_mm");
  for (const char* not_needed : {"area_mm2", "rho_mm"}) {
    std::ignore = table.number_or(0.0, not_needed, kPositive);
  }
  std::vector<WrittenInput> no_inputs;
  DrawnScenario scenario;
  read_part(table, {folder, no_inputs}, scenario);
  PushedShape shape{scenario.part, mass_properties(scenario.part, kSteel_kg_mm3, kThickness_mm)};
  const Vec2& found = shape.mass.center_of_mass_P_mm;
  if ((found - Vec2(centroid[0], centroid[1])).norm() > kCentroidError_mm) {
    table.fail("centroid_mm",
               fmt::format("is [{}, {}]; must be the centroid of the pieces, [{:.3f}, {:.3f}]",
                           centroid[0], centroid[1], found.x(), found.y()));
  }
  return shape;
}

}  // namespace

std::map<std::string, PushedShape> read_shapes(const fs::path& file) {
  const toml::table document = load_toml(file, {});
  return read_toml(document, [&](const TomlTable& root) {
    std::map<std::string, PushedShape> shapes;
    for (const auto& [key, node] : document) {
      const std::string name(key.str());
      shapes.emplace(name, read_shape(root.table(name), file.parent_path()));
    }
    return shapes;
  });
}

const std::string& shape_in(const CsvTable& table, const CsvRow& row, std::size_t column,
                            const std::map<std::string, PushedShape>& shapes) {
  const std::string& name = row.fields[column];
  if (shapes.contains(name)) return name;
  table.fail(row, column, fmt::format("no shape '{}'; must be one of shapes.toml", name));
}

namespace {

void read_pairs(const fs::path& file, PushData& data) {
  const CsvTable table = read_csv(file);
  const std::size_t shape = table.column("shape");
  const std::size_t surface = table.column("surface");
  const std::size_t rho = table.column("rho_mm");
  const std::array columns{
      table.column("fx_n"),    table.column("fy_n"),    table.column("moment_over_rho_n"),
      table.column("vx_mm_s"), table.column("vy_mm_s"), table.column("omega_times_rho_mm_s")};
  for (const CsvRow& row : table.rows) {
    const PushSet set{shape_in(table, row, shape, data.shapes), row.fields[surface]};
    const double length_mm = table.number(row, rho);
    if (!(length_mm > 0.0)) table.fail(row, rho, fmt::format("{}; must be > 0", length_mm));
    const auto number = [&](std::size_t k) { return table.number(row, columns[k]); };
    data.lengths_mm.emplace(set, length_mm);
    PushFile& pairs = data.pairs[set];
    pairs.file = file.string();
    pairs.center_mm = data.shapes.at(set.first).mass.center_of_mass_P_mm;
    MeasuredPush push;
    push.group = pairs.groups++;
    push.wrench = {number(0), number(1), number(2) * length_mm};
    push.twist = {number(3), number(4), number(5) / length_mm};
    push.wrench[2] -= cross(pairs.center_mm, Vec2(push.wrench.head<2>()));
    push.twist.head<2>() += push.twist[2] * perp(pairs.center_mm);
    pairs.rows.push_back(push);
  }
}

/// The columns of a file that may be without them.
std::optional<PoseColumns> optional_pose(const CsvTable& table, const std::string& prefix) {
  if (!table.find_column(prefix + "x_mm")) return std::nullopt;
  return PoseColumns(table, prefix);
}

void read_pushes(const fs::path& file, PushData& data) {
  const CsvTable table = read_csv(file);
  const std::array names{table.column("push_id"), table.column("shape"), table.column("surface"),
                         table.column("window"), table.column("split")};
  const std::size_t speed = table.column("speed_mm_s");
  const std::array tip{table.column("tip_start_x_mm"), table.column("tip_start_y_mm"),
                       table.column("tip_end_x_mm"), table.column("tip_end_y_mm")};
  const PoseColumns start(table, "start_");
  const auto end = optional_pose(table, "end_");
  const auto quad = optional_pose(table, "quad_");
  const auto poly4 = optional_pose(table, "poly4_");
  const auto flags = table.find_column("flags");
  const auto pose = [](const std::optional<PoseColumns>& columns, const CsvRow& row) {
    return columns ? columns->pose_or_none(row) : std::nullopt;
  };
  for (const CsvRow& row : table.rows) {
    RecordedPush push;
    push.id = row.fields[names[0]];
    push.shape = shape_in(table, row, names[1], data.shapes);
    push.surface = row.fields[names[2]];
    push.window = row.fields[names[3]];
    push.split = row.fields[names[4]];
    push.speed_mm_s = table.number(row, speed);
    push.start = start.pose(row);
    push.tip_start_mm = {table.number(row, tip[0]), table.number(row, tip[1])};
    push.tip_end_mm = {table.number(row, tip[2]), table.number(row, tip[3])};
    push.end = pose(end, row);
    push.published_ellipsoid = pose(quad, row);
    push.published_fourth_order = pose(poly4, row);
    push.doubtful = flags && !row.fields[*flags].empty();
    if (!(push.speed_mm_s > 0.0)) {
      table.fail(row, speed, fmt::format("{}; must be > 0", push.speed_mm_s));
    }
    if (!data.pairs.contains(push.set())) {
      table.fail(row, names[2],
                 fmt::format("'{}' of {}: pairs.csv has no row of it; must have some", push.surface,
                             push.shape));
    }
    data.pushes.push_back(push);
  }
}

}  // namespace

PushData read_push_data(const fs::path& folder) {
  PushData data;
  data.shapes = read_shapes(folder / "shapes.toml");
  read_pairs(folder / "pairs.csv", data);
  read_pushes(folder / "pushes.csv", data);
  return data;
}

}  // namespace graspmap
