#pragma once

#include <memory>

#include "bench/peers/engine.hpp"

namespace graspmap::bench {

/// Box2D 2.4 with a fixed step `step_s` > 0. Throws std::invalid_argument for what it cannot model:
/// the tripod support, an ellipsoid support with e_t != e_o.
std::unique_ptr<Engine> make_box2d_engine(const Scenario& scenario, double step_s);

}  // namespace graspmap::bench
