#include <catch2/catch.hpp>

#include "lab/articulated/forward_dynamics.hpp"
#include "tests/lab/articulated/articulated_systems.hpp"
#include "tests/lab/articulated/simbody/simbody_tree.hpp"

using namespace graspmap;
using namespace graspmap::testing;

namespace {

/// Points of links, and pairs of them.
struct StationPairs {
  std::vector<NodePair> pairs;
  Eigen::MatrixXd J;  ///< by Simbody
};

StationPairs random_stations(Random& random, const Tree& tree, const SimbodyTree& simbody) {
  const int links = static_cast<int>(tree.links.size());
  const int count = 1 + random.index(4);
  StationPairs stations;
  stations.J.resize(3 * count, tree.layout.nu_size);
  for (int i = 0; i < count; ++i) {
    NodePair pair{random.index(links), random.index(links + 1) - 1, Vec3::Zero(), Vec3::Zero(),
                  random_rotation(random)};
    const Vec3 a = random_point_mm(random);
    const Vec3 b = random_point_mm(random);
    pair.arm_a_mm = tree.links[static_cast<std::size_t>(pair.link_a)].arm(a);
    Eigen::MatrixXd rows = simbody.station_jacobian(pair.link_a, a);
    if (pair.link_b >= 0) {
      pair.arm_b_mm = tree.links[static_cast<std::size_t>(pair.link_b)].arm(b);
      rows -= simbody.station_jacobian(pair.link_b, b);
    }
    stations.J.middleRows<3>(3 * i) = pair.axes * rows;
    stations.pairs.push_back(pair);
  }
  return stations;
}

}  // namespace

TEST_CASE("Simbody and graspmap agree on the accelerations of random trees") {
  Random random(51);
  for (int trial = 0; trial < 30; ++trial) {
    const Tree tree(random_tree(random, 1 + random.index(12), false));
    const SimbodyTree simbody(tree.system);
    check_close(tree.free.nudot, simbody.accelerations(), 1e-9);
    CHECK(1e6 * energy(tree.system, tree.links).kinetic_j ==
          Approx(simbody.kinetic_energy()).epsilon(1e-11));
  }
}

TEST_CASE("Simbody and graspmap agree on operational-space inertias and responses to impulses") {
  Random random(52);
  OperationalSpace space;
  Eigen::MatrixXd Lambda;
  for (int trial = 0; trial < 30; ++trial) {
    const Tree tree(random_tree(random, 1 + random.index(12), false));
    const SimbodyTree simbody(tree.system);
    const StationPairs stations = random_stations(random, tree, simbody);
    const Eigen::MatrixXd response = simbody.inverse_mass_matrix() * stations.J.transpose();
    space.inverse_inertia(tree.system, tree.links, tree.inertias, stations.pairs, Lambda);
    check_close(Lambda, (stations.J * response).eval(), 1e-9);

    std::vector<Twist> impulses(tree.links.size(), Twist::Zero());
    const Eigen::VectorXd p = random_vector(random, static_cast<int>(Lambda.rows()), 10.0);
    for (std::size_t c = 0; c < stations.pairs.size(); ++c) {
      add_pair_impulse(stations.pairs[c], p.segment<3>(static_cast<Eigen::Index>(3 * c)), impulses);
    }
    Eigen::VectorXd change;
    impulse_response(tree.system, tree.layout, tree.links, tree.inertias, impulses, change);
    check_close(change, (response * p).eval(), 1e-9);
  }
}
