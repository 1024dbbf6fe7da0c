#pragma once

#include <memory>

#include "bench/peers/engine.hpp"

namespace graspmap::bench {

/// How far a piece's octagons are from its outline, at most, unless that takes more than eight of
/// them: three octagons for a tooth of the lock piece. Two (0.01) or one (0.02) are faster, but
/// their facets turn the contacts' normals so far that 1 to 2 in 100 outcomes differ, at any step.
inline constexpr double kBox2dOutlineErrorMm = 0.004;

/// How Box2D is set up.
struct Box2dSettings {
  double outline_error_mm = kBox2dOutlineErrorMm;
  /// Iterations of each step, and those of velocities where both jaws touch the part. Its manual
  /// suggests 8 and 3 (hello.md, "Simulating the World"), and more for accuracy
  /// (loose_ends.md, "Limitations"; dynamics.md, "Simulation").
  int velocity_iterations = 8;
  int squeezed_velocity_iterations = 20;
  int position_iterations = 3;
  /// The length of 1 mm in its unit. Its slop and the skin of polygons are compiled in, 0.005 and
  /// 0.01 units (b2_common.h; overview.md, "Changing the length units"): larger numbers make
  /// them finer. A body moves by 2 units in a step at most.
  double units_per_mm = 1.0;
};

/// Box2D 2.4 with a fixed step `step_s` > 0. Throws std::invalid_argument for what it cannot model:
/// the tripod support, an ellipsoid support with e_t != e_o.
std::unique_ptr<Engine> make_box2d_engine(const Scenario& scenario, double step_s,
                                          const Box2dSettings& settings = {});

}  // namespace graspmap::bench
