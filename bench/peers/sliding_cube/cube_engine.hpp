#pragma once

#include <Eigen/Geometry>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "bench/peers/sliding_cube/cube_case.hpp"

namespace graspmap::bench {

/// Where an engine has the cube.
struct CubeState {
  Vec3 position_m = Vec3::Zero();
  Eigen::Quaterniond attitude = Eigen::Quaterniond::Identity();
  Vec3 velocity_m_s = Vec3::Zero();
};

/// The sliding cube in some engine: as constructed it is at the start.
class CubeEngine {
 public:
  CubeEngine() = default;
  virtual ~CubeEngine() = default;
  CubeEngine(const CubeEngine&) = delete;
  CubeEngine& operator=(const CubeEngine&) = delete;

  /// One step; false when the engine says that it could not do it.
  [[nodiscard]] virtual bool step() = 0;
  [[nodiscard]] virtual CubeState state() const = 0;
};

/// An engine with its settings. `make` gives nothing for a case that the engine cannot express.
struct CubeContestant {
  std::string name;
  std::function<std::unique_ptr<CubeEngine>(const CubeCase&, double step_s)> make;
};

/// Ours: the implicit stepper first, then the Stewart-Trinkle LCP on the cube's four corners.
std::vector<CubeContestant> graspmap_cubes();
std::vector<CubeContestant> bullet_cubes();  ///< with GRASPMAP_BULLET only
std::vector<CubeContestant> ode_cubes();     ///< with GRASPMAP_ODE only

}  // namespace graspmap::bench
