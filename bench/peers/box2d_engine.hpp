#pragma once

#include <memory>

#include "bench/peers/engine.hpp"

namespace graspmap::bench {

/// How far a piece's octagons are from its outline, at most, unless that takes more than eight of
/// them: three octagons for a tooth of the lock piece. Two (0.01) or one (0.02) are faster, but
/// their facets turn the contacts' normals so far that 1 to 2 in 100 outcomes differ, at any step.
inline constexpr double kBox2dOutlineErrorMm = 0.004;

/// Box2D 2.4 with a fixed step `step_s` > 0. Throws std::invalid_argument for what it cannot model:
/// the tripod support, an ellipsoid support with e_t != e_o.
std::unique_ptr<Engine> make_box2d_engine(const Scenario& scenario, double step_s,
                                          double outline_error_mm = kBox2dOutlineErrorMm);

}  // namespace graspmap::bench
