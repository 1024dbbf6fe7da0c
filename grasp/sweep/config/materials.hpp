#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

#include "geometry/assert.hpp"

namespace graspmap {

/// What [part] may name in place of a density.
struct Material {
  const char* name;
  double density_kg_mm3;
};

/// Round values; those of alloys and grades differ by some percent (metals 1, plastics 2).
inline constexpr std::array kMaterials{
    Material{"steel", 7.85e-6},           // EN 1993-1-2
    Material{"stainless-steel", 7.9e-6},  // 1.4301, EN 10088-1
    Material{"cast-iron", 7.2e-6},        // EN-GJL-250, EN 1561
    Material{"aluminium", 2.7e-6},        // EN 1999-1-1
    Material{"brass", 8.5e-6},            // EN 1991-1-1, table A.4; CW614N 8.47e-6, Aalco's sheet
    Material{"bronze", 8.5e-6},           // EN 1991-1-1, table A.4; CuSn8 8.8e-6, EN 1652
    Material{"copper", 8.9e-6},           // EN ISO 10456; Cu-ETP 8.94e-6
    Material{"titanium", 4.51e-6},   // CRC Handbook of Chemistry and Physics; Ti-6Al-4V 4.42e-6
    Material{"magnesium", 1.81e-6},  // AZ91D, azom.com
    Material{"zinc", 6.7e-6},        // die cast ZP0410, EN 12844
    Material{"abs", 1.05e-6},        // plastics: unfilled. engineersedge.com
    Material{"pa6", 1.13e-6},        // dry; matmake.com
    Material{"pa66", 1.14e-6},       // dry; matmake.com
    Material{"pc", 1.2e-6},          // EN ISO 10456
    Material{"pe-hd", 9.55e-7},      // matmake.com: 0.950 to 0.968
    Material{"peek", 1.32e-6},       // matmake.com
    Material{"pla", 1.24e-6},        // solid; NatureWorks Ingeo 4043D, ASTM D792
    Material{"pmma", 1.19e-6},       // cast sheet; EN ISO 10456 has 1.18e-6
    Material{"pom", 1.41e-6},        // POM-C, Ensinger TECAFORM AH, ASTM D792
    Material{"pp", 9.1e-7},          // homopolymer, EN ISO 10456
    Material{"ptfe", 2.19e-6},       // engineersedge.com
    Material{"pvc", 1.39e-6},        // rigid, EN ISO 10456
    Material{"glass", 2.5e-6},       // EN 572-1
};

inline constexpr std::array kMaterialNames = [] {
  std::array<const char*, kMaterials.size()> names{};
  for (std::size_t k = 0; k < names.size(); ++k) names[k] = kMaterials[k].name;
  return names;
}();

/// Of a name among kMaterialNames.
inline double density_of(std::string_view material) {
  const auto* const known = std::find_if(kMaterials.begin(), kMaterials.end(),
                                         [&](const Material& one) { return one.name == material; });
  GRASPMAP_CHECK(known != kMaterials.end());
  return known->density_kg_mm3;
}

}  // namespace graspmap
