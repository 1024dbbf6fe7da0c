#pragma once

#include <memory>

#include "bench/peers/engine.hpp"

namespace graspmap::bench {

/// graspmap itself, with the scenario's own step and stepper.
std::unique_ptr<Engine> make_graspmap_engine(const Scenario& scenario);

}  // namespace graspmap::bench
