#pragma once

#include <array>
#include <cstddef>

namespace graspmap {

/// What [part] may name in place of a density.
struct Material {
  const char* name;
  double density_kg_mm3;
};

/// Round values; those of alloys and grades differ by some percent.
inline constexpr std::array kMaterials{
    Material{"steel", 7.85e-6},           // EN 1993-1-2
    Material{"stainless-steel", 7.9e-6},  // 1.4301, EN 10088-1
    Material{"cast-iron", 7.2e-6},        // EN-GJL-250, EN 1561
    Material{"aluminium", 2.7e-6},        // EN 1999-1-1
    Material{"brass", 8.5e-6},            // these three: EN 1991-1-1, table A.4
    Material{"bronze", 8.5e-6},
    Material{"copper", 8.9e-6},
    Material{"titanium", 4.51e-6},  // CRC Handbook of Chemistry and Physics
    Material{"abs", 1.05e-6},       // plastics: unfilled, from makers' data sheets
    Material{"pa6", 1.13e-6},
    Material{"pc", 1.2e-6},
    Material{"pla", 1.24e-6},
    Material{"pmma", 1.19e-6},
    Material{"pom", 1.41e-6},
};

inline constexpr std::array kMaterialNames = [] {
  std::array<const char*, kMaterials.size()> names{};
  for (std::size_t k = 0; k < names.size(); ++k) names[k] = kMaterials[k].name;
  return names;
}();

}  // namespace graspmap
