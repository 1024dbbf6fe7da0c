#include "bench/compare/limits.hpp"

namespace graspmap::bench {

const std::vector<Limit>& limits() {
  static const std::vector<Limit> rows = {
      {"superellipses", "exact", "polygons of 8 corners", "capsules or prisms"},
      {"contacts", "rigid, overlap <= 1e-8 mm", "rigid, overlap undone later", "springs: overlap"},
      {"Coulomb's law at a slip", "as it is", "as it is", "slip opens the contact"},
      {"limit surface of the table", "solved with the step", "one step behind", "one step behind"},
      {"error of a solved step", "bounded, or retried", "iterations, unchecked",
       "iterations, unchecked"},
      {"trials it cannot solve", "counted, replayable", "only if not finite", "only if not finite"},
      {"arithmetic", "double", "float", "double"},
      {"bouncing, elasticity", "no", "bouncing", "both"},
      {"out of the plane", "no", "no", "yes"},
      {"joints, robots, sensors", "no", "joints", "yes"},
  };
  return rows;
}

}  // namespace graspmap::bench
