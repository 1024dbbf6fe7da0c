#include "bench/compare/limits.hpp"

namespace graspmap::bench {

const std::vector<Limit>& limits() {
  static const std::vector<Limit> rows = {
      {"pieces that are no discs", "exact superellipses", "octagons side by side",
       "a capsule, or a convex mesh"},
      {"friction of the table", "limit surface, solved in the step",
       "limits of force and moment from the last velocity", ""},
      {"table on three points", "yes", "no", ""},
      {"gap at the end of a step", "solved for: overlap below 1e-8 mm",
       "what 3 sweeps of position correction leave", "soft contacts: overlap holds the force"},
      {"accuracy of a step", "residual checked, else smaller steps",
       "fixed number of sweeps, unchecked", ""},
      {"steps that are not solved", "counted, told, replayable", "not noticed", ""},
      {"arithmetic", "double", "float", "double"},
      {"elastic contacts, bouncing", "no", "restitution", "compliance"},
      {"tilting, lifting", "no: the plane only", "no: the plane only", "yes: 3D"},
      {"joints, mechanisms, many bodies", "no joints; many bodies by slower steppers", "yes",
       "yes"},
  };
  return rows;
}

}  // namespace graspmap::bench
