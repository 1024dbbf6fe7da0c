#pragma once

#include <string>
#include <vector>

#include "bench/peers/sliding_cube/continuous_slide.hpp"
#include "bench/peers/sliding_cube/cube_engine.hpp"

namespace graspmap::bench {

/// One engine's run of one case, held against the continuous motion.
struct CubeMeasurement {
  std::string engine;
  double step_s = 0.0;
  bool possible = false;  ///< false: the engine cannot express the case, and nothing else is set
  int failed_steps = 0;   ///< 0 or 1: the run ends at the first one
  Vec3 end_m = Vec3::Zero();
  double error_percent = 0.0;     ///< of the end position, in per cent of the path's length
  double direction_deg = 0.0;     ///< between the displacements from start to end
  double slip_deg = 0.0;          ///< between the velocities, at most, while neither is slow
  double turning_rad = 0.0;       ///< angle of the largest rotation away from the start
  double penetration_mm = 0.0;    ///< of the lowest corner, at most
  double seconds_per_step = 0.0;  ///< median of the repetitions
  std::vector<Vec2> path_m;       ///< at the start and after each step
  std::vector<double> error_m;    ///< at the same times
};

/// A case at one step size: all engines in turns, so that what else the machine does hits all of
/// them. The first contestant's time is what ratios refer to.
struct CubeComparison {
  CubeCase cube;
  double step_s = 0.0;
  std::vector<Slide> exact;  ///< at the start and after each step
  std::vector<CubeMeasurement> measurements;
};

CubeComparison compare_cubes(const CubeCase& cube, double step_s,
                             const std::vector<CubeContestant>& contestants, int repetitions);

}  // namespace graspmap::bench
