#include "lab/spatial_scenes/solid_reader.hpp"

#include "lab/spatial_scenes/spatial_keys.hpp"

namespace graspmap {
namespace {

constexpr NumberRange kSuperquadricExponents{.min = 2.0, .max = 100.0};

struct SolidKind {
  std::string_view word;
  Solid (*read)(const TomlTable& table);
};

Solid read_sphere(const TomlTable& table) { return Sphere{table.number("radius_mm", kLengths_mm)}; }

Solid read_ellipsoid(const TomlTable& table) {
  return Ellipsoid{read_lengths3(table, "semi_axes_mm")};
}

Solid read_superquadric(const TomlTable& table) {
  return Superquadric{read_lengths3(table, "semi_axes_mm"),
                      table.number("exponent", kSuperquadricExponents)};
}

Solid read_box(const TomlTable& table) { return Box3{0.5 * read_lengths3(table, "size_mm")}; }

Solid read_cylinder(const TomlTable& table) {
  return Cylinder{table.number("radius_mm", kLengths_mm),
                  0.5 * table.number("length_mm", kLengths_mm)};
}

Solid read_half_space(const TomlTable&) { return HalfSpace{}; }

const std::vector<SolidKind>& solid_kinds() {
  static const std::vector<SolidKind> kinds = {
      {"sphere", read_sphere}, {"ellipsoid", read_ellipsoid}, {"superquadric", read_superquadric},
      {"box", read_box},       {"cylinder", read_cylinder},   {"half_space", read_half_space},
  };
  return kinds;
}

}  // namespace

Solid read_solid(const TomlTable& table) {
  std::vector<std::string_view> words;
  for (const SolidKind& kind : solid_kinds()) words.push_back(kind.word);
  return solid_kinds()[table.kind("kind", words)].read(table);
}

}  // namespace graspmap
