#pragma once

#include <catch2/catch.hpp>
#include <vector>

#include "lab/articulated/forward_dynamics.hpp"
#include "lab/articulated/link_kinematics.hpp"

namespace graspmap::testing {

/// A system at its start, or where it is put, with all that the dynamics need.
struct Tree {
  explicit Tree(const ArticulatedSystem& tree)
      : system(tree), layout(coordinate_layout(tree)), state(start_state(tree)) {
    update();
  }
  void update() {
    place_links(system, layout, state.q, links);
    move_links(system, layout, state.nu, links);
    REQUIRE(articulate(system, links, inertias));
    forward_dynamics(system, layout, links, inertias, free);
  }
  /// Semi-implicit Euler without contacts.
  void step(double h) {
    state.nu += h * free.nudot;
    Eigen::VectorXd q;
    advance_coordinates(system, layout, state.q, state.nu, h, q);
    state.q = q;
    state.time_s += h;
    update();
  }
  double total_j() const { return energy(system, links).total_j(); }

  ArticulatedSystem system;
  CoordinateLayout layout;
  ArticulatedState state;
  std::vector<LinkKinematics> links;
  std::vector<ArticulatedInertia> inertias;
  FreeAcceleration free;
};

/// |a - b| <= tolerance (1 + |b|), in the largest entry.
template <typename A, typename B>
void check_close(const A& a, const B& b, double tolerance) {
  REQUIRE(a.rows() == b.rows());
  REQUIRE(a.cols() == b.cols());
  CHECK((a - b).cwiseAbs().maxCoeff() <= tolerance * (1.0 + b.cwiseAbs().maxCoeff()));
}

}  // namespace graspmap::testing
