#include "grasp/figures/heat_panels.hpp"
namespace graspmap { Figure heat_panels_figure(const HeatPanelsInput& i) { return {i.name, "", std::nullopt}; } }
