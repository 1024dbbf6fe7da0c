#pragma once

#include <string>
#include <utility>
#include <vector>

#include "grasp/base/io/result_file.hpp"
#include "grasp/base/pictures/figure.hpp"
#include "grasp/decide/design/design_search.hpp"

namespace graspmap {

/// The best design, its gain, what each variable is worth and the ten best, in words.
std::string design_text(const DesignAnswer& answer);

/// design.json, designs.csv and variables.csv; docs/reference/formats.md says what is in them.
Object design_fields(const DesignAnswer& answer);
Table designs_table(const DesignAnswer& answer);
Table variables_table(const DesignAnswer& answer);
/// All three, design.toml, the best design, and drawings of its fingers.
std::vector<ResultFile> design_files(const DesignAnswer& answer);

/// The best fingers as drawings, by their files' names: finger.dxf and finger.svg, and those of the
/// left one where it is not the mirror image. What reaches on without an end is cut off.
std::vector<std::pair<std::string, std::string>> finger_drawings(const SweepConfig& config);

/// Part and fingers at the end of a grasp with the best design; each variable's profile; of two
/// objectives the front.
std::vector<Figure> design_figures(const DesignAnswer& answer);

}  // namespace graspmap
