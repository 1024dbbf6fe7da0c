#pragma once

#include <Eigen/Geometry>
#include <array>
#include <cmath>

#include "sim/hold/cone_program.hpp"
#include "tests/support/random.hpp"

namespace graspmap::testing {

/// The program of a random grasp: 2 to 11 contacts, each at one height or two, with friction or
/// without, on two jaws that press with 1 together; the most of a random load that they hold.
inline ConeProgram random_grasp_program(int number) {
  Random random(static_cast<std::uint64_t>(number));
  const int contacts = 2 + random.index(10);
  const double half_height = number % 3 == 0 ? 0.0 : random.uniform(0.0, 0.6);
  const double mu = number % 5 == 0 ? 0.0 : random.uniform(0.05, 0.85);
  const bool faces = number % 4 == 0;  // all normals along x
  ConeProgram program;
  for (int k = 0; k < contacts; ++k) {
    const double side = k % 2 == 0 ? -1.0 : 1.0;
    const double ny = faces ? 0.0 : random.uniform(-0.55, 0.55);
    const Eigen::Vector3d n(-side * std::sqrt(1.0 - ny * ny), ny, 0.0);
    const double y = random.uniform(-0.5, 0.5);
    for (const double z : {half_height, -half_height}) {
      const Eigen::Vector3d arm(side, y, z);
      const std::array<Eigen::Vector3d, 3> directions = {
          n, mu * Eigen::Vector3d(-n.y(), n.x(), 0.0), mu * Eigen::Vector3d::UnitZ()};
      ConeProgram::Block block = ConeProgram::Block::Zero();
      for (int d = 0; d < 3; ++d) {
        const Eigen::Vector3d& force = directions[static_cast<std::size_t>(d)];
        block.block<3, 1>(0, d) = force;
        block.block<3, 1>(3, d) = arm.cross(force);
        block(6, d) = -side * force.x();
      }
      program.a.push_back(block);
      program.g.emplace_back(Eigen::Vector3d::Zero());
    }
  }
  Eigen::Matrix<double, 6, 1> load;
  for (int row = 0; row < 6; ++row) load[row] = random.uniform(-0.3, 0.3);
  load[2] = -1.0;
  ConeProgram::Block block = ConeProgram::Block::Zero();
  block.block<6, 1>(0, 0) = load;
  program.a.push_back(block);
  program.g.emplace_back(1.0, 0.0, 0.0);
  program.b[6] = 1.0;
  return program;
}

}  // namespace graspmap::testing
