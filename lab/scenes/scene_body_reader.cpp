#include "lab/scenes/scene_body_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "grasp/base/io/number.hpp"
#include "grasp/base/probability/random.hpp"
#include "lab/scenes/scene_keys.hpp"
#include "lab/scenes/scene_shapes.hpp"

namespace graspmap {
namespace {

constexpr std::size_t kMostPieces = 200;
constexpr std::size_t kMostPiecesOfScene = 10'000;
constexpr std::size_t kMostVerticesOfScene = 20'000;

/// The keys of a body that moves freely.
const std::vector<std::string_view> kMotionKeys = {
    "velocity_mm_s",  "angular_velocity_rad_s", "force_n",           "mass_kg",
    "inertia_kg_mm2", "center_of_mass_mm",      "density_kg_per_mm2"};

Vec2 read_vec2_or_zero(const TomlTable& table, std::string_view key) {
  if (!table.has(key)) return Vec2::Zero();
  const auto [x, y] = read_components2(table, key);
  return {x, y};
}

/// Mass about a centre of mass in the body's frame.
struct GivenMass {
  double mass_kg = 0.0;
  double inertia_kg_mm2 = 0.0;
  Vec2 center_mm = Vec2::Zero();
};

/// A [[body]] as it is written, before it is placed.
struct BodyText {
  std::string name;
  std::vector<PlacedShape> shapes;
  Pose2 pose;
  Vec3 velocity = Vec3::Zero();
  Vec2 force_n = Vec2::Zero();
  bool is_fixed = false;
  std::optional<Shake> shake;
  std::optional<GivenMass> mass;
  double density_kg_mm2 = 0.0;  ///< without a mass
  std::optional<BodyGrid> grid;
};

std::vector<PlacedShape> read_shapes(const TomlTable& table) {
  if (!table.has("piece")) return {{read_scene_shape(table), {}}};
  if (table.has("kind")) {
    table.fail("kind", "does not go with [[body.piece]]; give one of them");
  }
  std::vector<PlacedShape> shapes;
  const std::vector<TomlTable> pieces = table.tables("piece");
  check_count(table, "piece", pieces.size(), kMostPieces);
  for (const TomlTable& piece : pieces) shapes.push_back(read_scene_piece(piece));
  return shapes;
}

Shake read_shake(const TomlTable& table) {
  Shake shake;
  shake.amplitude_mm = table.number("amplitude_mm", kComponents);
  shake.duration_s = table.number("duration_s", kTimes_s);
  shake.period_s = table.number("period_s", kTimes_s);
  table.check_keys();
  if (shake.duration_s > shake.period_s) {
    table.fail("duration_s", fmt::format("is {}; must be at most period_s = {}", shake.duration_s,
                                         shake.period_s));
  }
  return shake;
}

void check_shapes_of_moving(const TomlTable& table, const std::vector<PlacedShape>& shapes) {
  const bool any_open = std::any_of(shapes.begin(), shapes.end(), [](const PlacedShape& placed) {
    return is_open(placed.shape);
  });
  if (!any_open) return;
  table.fail(table.has("kind") ? "kind" : "piece",
             "is a half-plane on a body that moves; give it fixed = true or shake");
}

/// Area that two pieces share counts twice, unless all are superellipses.
void check_density(const TomlTable& table, const std::vector<PlacedShape>& shapes) {
  const bool all_smooth = std::all_of(shapes.begin(), shapes.end(), [](const PlacedShape& placed) {
    return std::holds_alternative<Superellipse>(placed.shape);
  });
  if (all_smooth) return;
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    for (std::size_t j = i + 1; j < shapes.size(); ++j) {
      const double depth = overlap_mm(shapes[i], shapes[j]);
      const double size =
          std::min(bounding_radius_mm(shapes[i].shape), bounding_radius_mm(shapes[j].shape));
      if (depth <= 1e-9 * size) continue;
      table.fail("density_kg_per_mm2",
                 fmt::format("does not go with pieces that overlap (piece.{} and piece.{}, by "
                             "{:.4g} mm) unless all are discs or superellipses; give mass_kg, "
                             "inertia_kg_mm2 and center_of_mass_mm",
                             i, j, depth));
    }
  }
}

std::optional<GivenMass> read_mass(const TomlTable& table) {
  constexpr const char* kEither =
      "give either mass_kg and inertia_kg_mm2, or density_kg_per_mm2; or fixed = true";
  const bool given = table.has("mass_kg") || table.has("inertia_kg_mm2");
  if (!given && !table.has("density_kg_per_mm2")) {
    table.fail("mass_kg", fmt::format("missing; {}", kEither));
  }
  if (given && table.has("density_kg_per_mm2")) {
    table.fail("density_kg_per_mm2", fmt::format("does not go with mass_kg; {}", kEither));
  }
  if (!given) {
    if (table.has("center_of_mass_mm")) {
      table.fail("center_of_mass_mm", "goes with mass_kg only; a density gives it");
    }
    return std::nullopt;
  }
  const double mass_kg = table.number("mass_kg", kMasses_kg);
  const double inertia_kg_mm2 = table.number("inertia_kg_mm2", kInertias_kg_mm2);
  const double gyration_mm = std::sqrt(inertia_kg_mm2 / mass_kg);
  if (!kLengths_mm.contains(gyration_mm)) {
    table.fail("inertia_kg_mm2",
               fmt::format("is {}, of a radius of gyration of {:.4g} mm with "
                           "mass_kg = {}; must be of one from {:g} to {:g} mm",
                           inertia_kg_mm2, gyration_mm, mass_kg, kLengths_mm.min, kLengths_mm.max));
  }
  return GivenMass{mass_kg, inertia_kg_mm2, read_vec2_or_zero(table, "center_of_mass_mm")};
}

void read_motion(const TomlTable& table, BodyText& body) {
  check_shapes_of_moving(table, body.shapes);
  body.velocity.head<2>() = read_vec2_or_zero(table, "velocity_mm_s");
  body.velocity[2] = table.number_or(0.0, "angular_velocity_rad_s", kComponents);
  body.force_n = read_vec2_or_zero(table, "force_n");
  body.mass = read_mass(table);
  if (body.mass) return;
  body.density_kg_mm2 = table.number("density_kg_per_mm2", kPositive);
  check_density(table, body.shapes);
}

void read_grid(const TomlTable& table, BodyText& body) {
  body.grid = read_body_grid(table.table("grid"));
  if (body.mass && body.grid->size_spread > 0) {
    table.fail("mass_kg",
               "does not go with grid.size_spread, which changes masses; give density_kg_per_mm2");
  }
}

BodyText read_body(const TomlTable& table) {
  BodyText body;
  body.name = table.name("name");
  body.shapes = read_shapes(table);
  body.pose = {read_vec2_or_zero(table, "position_mm"),
               table.number_or(0.0, "angle_rad", kAngles_rad)};
  if (table.has("shake")) body.shake = read_shake(table.table("shake"));
  body.is_fixed = table.truth_or(body.shake.has_value(), "fixed");
  const std::string_view motion_key = table.first_present(kMotionKeys);
  const bool has_grid = table.has("grid");
  table.check_keys();
  if (body.shake && !body.is_fixed) table.fail("fixed", "is false; must be true with shake");
  if (!body.is_fixed) {
    read_motion(table, body);
  } else if (!motion_key.empty()) {
    table.fail(motion_key, "does not go with fixed or shake; only bodies that move freely have it");
  }
  if (has_grid) read_grid(table, body);
  return body;
}

GivenMass mass_of(const BodyText& text, const std::vector<PlacedShape>& shapes) {
  if (text.is_fixed) return {};
  if (text.mass) return *text.mass;
  const AreaIntegrals plate = plate_integrals(shapes);
  return {text.density_kg_mm2 * plate.area_mm2, text.density_kg_mm2 * plate.polar_moment_mm4,
          plate.centroid_P_mm};
}

/// The body at a place of its grid, its shapes about its centre of mass.
PlanarBody placed_body(const BodyText& text, const std::string& name, const GridPlace& place) {
  PlanarBody body;
  body.name = name;
  body.shapes = text.shapes;
  for (PlacedShape& shape : body.shapes) {
    shape.shape = scaled(shape.shape, place.size);
    shape.pose.position_mm *= place.size;
  }
  const GivenMass mass = mass_of(text, body.shapes);
  body.mass_kg = mass.mass_kg;
  body.inertia_kg_mm2 = mass.inertia_kg_mm2;
  for (PlacedShape& shape : body.shapes) shape.pose.position_mm -= mass.center_mm;
  const Pose2 frame{text.pose.position_mm + place.offset_mm, text.pose.angle_rad};
  body.pose.head<2>() = transform(frame, mass.center_mm);
  body.pose[2] = frame.angle_rad;
  body.shake = text.shake;
  return body;
}

void add_body(const BodyText& text, PlanarBody body, PlanarScene& scene) {
  const int index = static_cast<int>(scene.bodies.size());
  scene.bodies.push_back(std::move(body));
  if (text.is_fixed) return;
  set_free(scene, index, text.velocity);
  for (int axis = 0; axis < 2; ++axis) {
    if (text.force_n[axis] == 0.0) continue;
    const int coordinate = scene.bodies.back().coordinates[static_cast<std::size_t>(axis)].index;
    scene.drives.push_back({coordinate, kMillinewtonsPerNewton * text.force_n[axis], 0.0});
  }
}

SceneBlock add_block(const BodyText& text, PlanarScene& scene) {
  SceneBlock block{text.name, {}};
  const std::vector<GridPlace> places =
      text.grid ? grid_places(*text.grid) : std::vector<GridPlace>(1);
  for (std::size_t k = 0; k < places.size(); ++k) {
    const std::string name = text.grid ? fmt::format("{}_{}", text.name, k + 1) : text.name;
    block.bodies.push_back(static_cast<int>(scene.bodies.size()));
    add_body(text, placed_body(text, name, places[k]), scene);
  }
  return block;
}

/// What the bodies of a scene are made of.
struct SceneSize {
  std::size_t bodies = 0;
  std::size_t pieces = 0;
  std::size_t vertices = 0;

  void add(const BodyText& text) {
    const std::size_t copies = text.grid ? grid_count(*text.grid) : 1;
    bodies += copies;
    pieces += copies * text.shapes.size();
    for (const PlacedShape& placed : text.shapes) {
      const auto* polygon = std::get_if<RoundedPolygon>(&placed.shape);
      if (polygon != nullptr) vertices += copies * polygon->vertices.size();
    }
  }
};

/// Throws when a scene has become too large with a block of bodies.
void check_size(const TomlTable& table, const SceneSize& size) {
  const auto check = [&](const char* what, std::size_t count, std::size_t most) {
    if (count <= most) return;
    table.fail(table.has("grid") ? "grid" : "name",
               fmt::format("makes {} {} of the scene; must be at most {}", count, what, most));
  };
  check("bodies", size.bodies, kMostSceneBodies);
  check("pieces", size.pieces, kMostPiecesOfScene);
  check("vertices", size.vertices, kMostVerticesOfScene);
}

/// Throws when a density gave a body a mass that no scene may have.
void check_mass(const TomlTable& table, const BodyText& text, const PlanarBody& body) {
  if (text.is_fixed || text.mass || kMasses_kg.contains(body.mass_kg)) return;
  table.fail("density_kg_per_mm2",
             fmt::format("gives {} a mass of {:.4g} kg; must give one from {:g} to {:g} kg",
                         body.name, body.mass_kg, kMasses_kg.min, kMasses_kg.max));
}

void check_name(const TomlTable& table, const SceneBlock& block,
                const std::vector<SceneBlock>& blocks, const PlanarScene& scene) {
  const auto taken = [&](const std::string& name) {
    const auto first_own = scene.bodies.begin() + (block.bodies.empty() ? 0 : block.bodies[0]);
    return std::any_of(blocks.begin(), blocks.end(),
                       [&](const SceneBlock& other) { return other.name == name; }) ||
           std::any_of(scene.bodies.begin(), first_own,
                       [&](const PlanarBody& other) { return other.name == name; });
  };
  const auto check = [&](const std::string& name) {
    if (!taken(name)) return;
    table.fail("name", fmt::format("\"{}\" is the name of two bodies; must be unique", name));
  };
  check(block.name);
  for (const int body : block.bodies) check(scene.bodies[static_cast<std::size_t>(body)].name);
}

}  // namespace

std::vector<SceneBlock> read_scene_bodies(const std::vector<TomlTable>& tables,
                                          PlanarScene& scene) {
  std::vector<SceneBlock> blocks;
  SceneSize size;
  for (const TomlTable& table : tables) {
    const BodyText text = read_body(table);
    size.add(text);
    check_size(table, size);
    const SceneBlock block = add_block(text, scene);
    check_name(table, block, blocks, scene);
    for (const int body : block.bodies) {
      check_mass(table, text, scene.bodies[static_cast<std::size_t>(body)]);
    }
    blocks.push_back(block);
  }
  return blocks;
}

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
