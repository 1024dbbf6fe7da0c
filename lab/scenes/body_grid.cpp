#include "lab/scenes/body_grid.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "grasp/base/probability/random.hpp"
#include "lab/scenes/scene_keys.hpp"

namespace graspmap {
namespace {

constexpr std::int64_t kMostPerLine = 1000;
constexpr NumberRange kSpreads{.min = 0.0, .max = 0.9};

/// Uniform in (-1, 1).
double symmetric_draw(std::uint64_t seed, std::size_t index, std::uint32_t draw) {
  return 2.0 * uniform_open(seed, index, draw) - 1.0;
}

Vec2 read_pair_or_zero(const TomlTable& table, std::string_view key) {
  if (!table.has(key)) return Vec2::Zero();
  const auto [x, y] = read_components2(table, key);
  if (x < 0 || y < 0) table.fail(key, fmt::format("is [{}, {}]; both must be >= 0", x, y));
  return {x, y};
}

}  // namespace

std::vector<GridPlace> grid_places(const BodyGrid& grid) {
  std::vector<GridPlace> places;
  for (int row = 0; row < grid.rows; ++row) {
    for (int column = 0; column < grid.columns - row * grid.fewer_per_row; ++column) {
      const std::size_t k = places.size();
      const Vec2 regular(column * grid.spacing_mm.x() + row * grid.row_shift_mm,
                         row * grid.spacing_mm.y());
      const Vec2 jitter(symmetric_draw(grid.seed, k, 0), symmetric_draw(grid.seed, k, 1));
      places.push_back({regular + jitter.cwiseProduct(grid.jitter_mm),
                        1.0 + grid.size_spread * symmetric_draw(grid.seed, k, 2)});
    }
  }
  return places;
}

std::size_t grid_count(const BodyGrid& grid) {
  std::size_t count = 0;
  for (int row = 0; row < grid.rows; ++row) {
    count += static_cast<std::size_t>(std::max(0, grid.columns - row * grid.fewer_per_row));
  }
  return count;
}

BodyGrid read_body_grid(const TomlTable& table) {
  BodyGrid grid;
  grid.columns = static_cast<int>(table.integer("columns", 1, kMostPerLine));
  grid.rows = static_cast<int>(table.integer("rows", 1, kMostPerLine));
  const auto [x, y] = read_components2(table, "spacing_mm");
  grid.spacing_mm = {x, y};
  grid.row_shift_mm = table.number_or(0.0, "row_shift_mm", kComponents);
  if (table.has("fewer_per_row")) {
    grid.fewer_per_row = static_cast<int>(table.integer("fewer_per_row", 0, kMostPerLine));
  }
  grid.jitter_mm = read_pair_or_zero(table, "jitter_mm");
  grid.size_spread = table.number_or(0.0, "size_spread", kSpreads);
  if (table.has("seed")) {
    constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
    grid.seed = static_cast<std::uint64_t>(table.integer("seed", 0, kMost));
  }
  table.check_keys();
  return grid;
}

}  // namespace graspmap
