#include "lab/spatial_scenes/solid_reader.hpp"

#include "lab/spatial_scenes/spatial_keys.hpp"

namespace graspmap {
namespace {

constexpr NumberRange kSuperquadricExponents{.min = 2.0, .max = 100.0};

struct SolidKind {
  std::string_view word;
  std::vector<std::string_view> keys;
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
      {"sphere", {"radius_mm"}, read_sphere},
      {"ellipsoid", {"semi_axes_mm"}, read_ellipsoid},
      {"superquadric", {"semi_axes_mm", "exponent"}, read_superquadric},
      {"box", {"size_mm"}, read_box},
      {"cylinder", {"radius_mm", "length_mm"}, read_cylinder},
      {"half_space", {}, read_half_space},
  };
  return kinds;
}

}  // namespace

Solid read_solid(const TomlTable& table, std::vector<std::string_view> other_keys) {
  std::vector<std::string_view> words;
  for (const SolidKind& kind : solid_kinds()) words.push_back(kind.word);
  const SolidKind& kind = solid_kinds()[table.choice("kind", words)];
  other_keys.insert(other_keys.begin(), kind.keys.begin(), kind.keys.end());
  other_keys.insert(other_keys.begin(), "kind");
  table.allow_only(other_keys);
  return kind.read(table);
}

}  // namespace graspmap
