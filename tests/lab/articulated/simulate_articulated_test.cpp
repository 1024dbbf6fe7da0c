#include "lab/articulated/simulate_articulated.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "tests/lab/articulated/articulated_systems.hpp"

using namespace graspmap;
using namespace graspmap::testing;

namespace {

std::vector<SpatialSnapshot> run_articulated(const ArticulatedSystem& system,
                                             const ArticulatedSettings& settings, double step_s,
                                             double duration_s) {
  std::vector<SpatialSnapshot> seen;
  const SceneRunSettings run{step_s, duration_s, 0};
  const SceneRun end =
      simulate_articulated(system, settings, run, [&](const SpatialSnapshot& shown) {
        seen.push_back(shown);
        return true;
      });
  REQUIRE_FALSE(end.failure);
  return seen;
}

/// The first end of a step from which on the sphere rolls: no slip at the contact.
double roll_time(const std::vector<SpatialSnapshot>& seen) {
  for (const SpatialSnapshot& shown : seen) {
    if (shown.contacts.size() == 1 && shown.contacts[0].sigma_mm_s < 1e-6) return shown.time_s;
  }
  return 0.0;
}

}  // namespace

TEST_CASE("a sphere slides and then rolls by every contact solver") {
  for (const ContactSolver solver : kContactSolvers) {
    CAPTURE(name(solver));
    ArticulatedSettings settings;
    settings.contact.solver = solver;
    const auto seen = run_articulated(sliding_sphere(), settings, 1e-3, 0.6);
    CHECK(roll_time(seen) == Approx(0.292));  // the step after 2 v / (7 mu g) = 0.291248 s
    for (const SpatialSnapshot& shown : seen) {
      if (shown.time_s == 0.0) continue;  // no step has been made
      REQUIRE(shown.contacts.size() == 1);
      CHECK(shown.contacts[0].p_n == Approx(9.81));
    }
    const Twist& end = seen.back().velocities[0];
    CHECK(end[0] == Approx(2000.0 * 5.0 / 7.0).epsilon(1e-9));
    CHECK(end[4] == Approx(2.0 * 5.0 / 7.0).epsilon(1e-9));
    CHECK(std::abs(end[1]) + std::abs(end[2]) <= 1e-6);
    CHECK(std::abs(end[3]) + std::abs(end[5]) <= 1e-9);
    CHECK(seen[100].contacts[0].p_t == Approx(-0.2 * 9.81));
    CHECK(std::abs(seen[400].contacts[0].p_t) <= 1e-6);
    CHECK(seen.back().poses[0].position_mm.x() == Approx(940.07).margin(0.01));
  }
}

TEST_CASE("friction directions at 45 degrees to the slip make a sphere slide for longer") {
  for (const ContactSolver solver :
       {ContactSolver::kMlcpLemke, ContactSolver::kMlcpPfbRlm, ContactSolver::kMlcpPfbPlm}) {
    for (const bool is_fixed : {false, true}) {
      CAPTURE(name(solver), is_fixed);
      ArticulatedSettings settings;
      settings.contact.solver = solver;
      settings.direction_offset_rad = 0.25 * M_PI;
      settings.fixed_directions = is_fixed;
      const auto seen = run_articulated(sliding_sphere(), settings, 1e-3, 0.6);
      CHECK(roll_time(seen) == Approx(0.411887).margin(2e-3));
      for (const SpatialSnapshot& shown : seen) {
        CHECK(std::abs(shown.velocities[0][1]) <= 184.0);
        CHECK(std::abs(shown.velocities[0][3]) <= 0.461);
      }
      const Twist& end = seen.back().velocities[0];
      CHECK(end[0] == Approx(2000.0 * 5.0 / 7.0).epsilon(1e-6));
      CHECK(end[4] == Approx(2.0 * 5.0 / 7.0).epsilon(1e-6));
      CHECK(std::abs(end[1]) <= 1e-3);
    }
  }
}

TEST_CASE("fixed friction directions push a sphere aside") {
  const auto sideways = [](double degrees) {
    ArticulatedSettings settings;
    settings.contact.solver = ContactSolver::kMlcpLemke;
    settings.direction_offset_rad = degrees * M_PI / 180.0;
    settings.fixed_directions = true;
    return run_articulated(sliding_sphere(), settings, 1e-3, 0.6);
  };
  const auto fastest = [](const std::vector<SpatialSnapshot>& seen) {
    double most = 0.0;
    for (const auto& shown : seen) most = std::max(most, std::abs(shown.velocities[0][1]));
    return most;
  };
  const auto at_30 = sideways(30.0);
  CHECK(roll_time(at_30) == Approx(0.398).margin(1.5e-3));
  CHECK(fastest(at_30) == Approx(104.0).margin(1.0));
  CHECK(at_30.back().poses[0].position_mm.y() == Approx(-20.8).margin(0.2));
  const auto at_44 = sideways(44.0);
  CHECK(roll_time(at_44) == Approx(0.412).margin(1.5e-3));
  CHECK(fastest(at_44) == Approx(9.8).margin(0.2));
}

TEST_CASE("a dropped ball rebounds by the restitution") {
  ArticulatedSystem system = sliding_sphere();
  system.links[0].position[2] = 1100.0;
  system.links[0].velocity.setZero();
  system.restitution = 0.6;
  const auto seen = run_articulated(system, {}, 1e-3, 0.2);
  double before = 0.0;
  for (const auto& shown : seen) {
    if (!shown.contacts.empty()) {
      // Restitution acts on the velocity at the start of the step.
      CHECK(shown.velocities[0][2] == Approx(-0.6 * before));
      CHECK(shown.contacts[0].patch == PatchKind::kPoint);
      CHECK(shown.contacts[0].gap_mm > 0.0);
      break;
    }
    before = shown.velocities[0][2];
  }
  CHECK(before == Approx(-std::sqrt(2.0 * 9810.0 * 100.0)).margin(15.0));
}

TEST_CASE("a bob that swings against a wall rebounds by the restitution") {
  ArticulatedSystem system = pendulum_chain(1, 0.0);
  system.links[0].position[0] = -0.5;
  system.links[0].velocity[0] = 1.0;
  system.mu = 0.0;
  system.obstacles = {{"wall", {0.0, 250.0, 0.0}, -Vec3::UnitY()}};
  const auto seen = run_articulated(system, {}, 1e-4, 0.5);
  bool has_hit = false;
  for (std::size_t i = 1; i < seen.size() && !has_hit; ++i) {
    if (seen[i].contacts.empty()) continue;
    has_hit = true;
    const double before = seen[i - 1].velocities[0][3];
    CHECK(seen[i].velocities[0][3] == Approx(-0.7 * before).epsilon(1e-3));
    CHECK(seen[i].energy.total_j() < seen[i - 1].energy.total_j());
    // p_n = (1 + e) w I / L, I about the pin.
    const double I = 1e6 + 0.4 * 250.0 * 250.0;
    CHECK(seen[i].contacts[0].p_n == Approx(1.7 * before * I / 1000.0).epsilon(1e-3));
  }
  CHECK(has_hit);
}

TEST_CASE("two free balls exchange their velocities") {
  ArticulatedSystem system = sliding_sphere();
  system.obstacles.clear();
  system.gravity_mm_s2.setZero();
  system.restitution = 1.0;
  system.links.push_back(system.links[0]);
  system.links[1].position[0] = 2100.0;
  system.links[1].velocity.setZero();
  const auto seen = run_articulated(system, {}, 1e-3, 0.2);
  CHECK(std::abs(seen.back().velocities[0][0]) <= 1e-9);
  CHECK(seen.back().velocities[1][0] == Approx(2000.0));
  system.self_contact = false;
  CHECK(run_articulated(system, {}, 1e-3, 0.2).back().velocities[0][0] == Approx(2000.0));
}

TEST_CASE("collisions of free balls keep momentum and lose energy") {
  Random random(31);
  for (const auto integrator :
       {ArticulatedIntegrator::kSemiImplicitEuler, ArticulatedIntegrator::kMoreauMidpoint}) {
    ArticulatedSystem system;
    system.gravity_mm_s2.setZero();
    system.mu = 0.4;
    system.restitution = 0.5;
    for (int i = 0; i < 6; ++i) {
      Link ball = sliding_sphere().links[0];
      ball.ball->radius_mm = 100.0;
      ball.inertia_kg_mm2 = 4e3 * Mat3::Identity();
      ball.mass_kg = random.uniform(0.5, 2.0);
      const Vec3 place = 500.0 * Vec3(i % 3, i / 3, 0.2 * (i % 2)) + random_point_mm(random, 50.0);
      ball.position.head<3>() = place;
      ball.velocity.head<3>() = 2.0 * (Vec3(500.0, 250.0, 50.0) - place);
      ball.velocity.tail<3>() = random_vector(random, 3, 5.0);
      system.links.push_back(ball);
    }
    ArticulatedSettings settings;
    settings.integrator = integrator;
    const auto seen = run_articulated(system, settings, 1e-3, 1.0);
    const auto momentum = [&](const SpatialSnapshot& shown) {
      Twist sum = Twist::Zero();
      for (std::size_t k = 0; k < system.links.size(); ++k) {
        const Vec3 p = system.links[k].mass_kg * shown.velocities[k].head<3>();
        sum.head<3>() += p;
        sum.tail<3>() += shown.poses[k].position_mm.cross(p) +
                         system.links[k].inertia_kg_mm2 * shown.velocities[k].tail<3>();
      }
      return sum;
    };
    int hits = 0;
    for (std::size_t i = 1; i < seen.size(); ++i) {
      hits += seen[i].contacts.empty() ? 0 : 1;
      CHECK(seen[i].energy.total_j() <= seen[i - 1].energy.total_j() * (1.0 + 1e-12));
    }
    CHECK(hits >= 3);
    const Twist start = momentum(seen.front());
    const Twist end = momentum(seen.back());
    CHECK((end - start).head<3>().norm() <= 1e-8 * (1.0 + start.head<3>().norm()));
    // Equal and opposite impulses at points some gap apart.
    CHECK((end - start).tail<3>().norm() <= 2e-2 * 500.0 * 1000.0);
    CHECK(seen.back().energy.total_j() < 0.8 * seen.front().energy.total_j());
  }
}

TEST_CASE("the chain of twelve links falls as known until it touches the floor") {
  for (const bool is_left : {true, false}) {
    const ArticulatedSystem system = pendulum_chain(12, is_left ? 1.0 : -1.0);
    std::vector<SpatialSnapshot> seen;
    simulate_articulated(system, {}, {1e-3, 3.0, 0}, [&](const SpatialSnapshot& shown) {
      seen.push_back(shown);
      return shown.contacts.empty();
    });
    const SpatialSnapshot& before = seen[seen.size() - 2];
    CHECK(seen.front().energy.total_j() == Approx(-215.914).margin(5e-4));
    if (!is_left) {
      CHECK(seen.back().time_s == Approx(2.301).margin(0.0011));
      CHECK(seen.back().contacts[0].body_a == 10);
      continue;
    }
    CHECK(seen.back().time_s == Approx(0.157));
    CHECK(seen.back().contacts.size() == 1);
    CHECK(seen.back().contacts[0].body_a == 11);
    CHECK(seen.back().contacts[0].body_b == 12);
    CHECK(before.velocities[11][1] == Approx(10583.0).margin(30.0));
    CHECK(before.velocities[11][2] == Approx(-7555.0).margin(30.0));
    CHECK(before.energy.total_j() == Approx(-215.914).margin(0.02));
  }
}

TEST_CASE("the solvers agree on the first contacts of the chain and none adds energy") {
  std::vector<std::vector<SpatialSnapshot>> runs;
  for (const ContactSolver solver : kContactSolvers) {
    ArticulatedSettings settings;
    settings.contact.solver = solver;
    runs.push_back(run_articulated(pendulum_chain(12, 1.0), settings, 1e-3, 1.15));
  }
  int contacts = 0;
  for (std::size_t i = 0; i < runs[0].size(); ++i) {
    contacts += static_cast<int>(runs[0][i].contacts.size());
    for (const auto& run : runs) {
      CHECK(run[i].contacts.size() == runs[0][i].contacts.size());
      CHECK(run[i].contact_work_j <= 1e-9);
      for (std::size_t k = 0; k < 12; ++k) {
        const Vec3 apart = run[i].poses[k].position_mm - runs[0][i].poses[k].position_mm;
        CHECK(apart.norm() <= 1e-3);  // 1e-6 m
      }
    }
  }
  CHECK(contacts >= 3);
}

TEST_CASE("restitution with friction adds energy to a chain unless it is limited") {
  const auto first_contact = [](bool limited) {
    ArticulatedSettings settings;
    settings.limit_restitution = limited;
    const auto seen = run_articulated(pendulum_chain(12, 1.0), settings, 1e-3, 0.157);
    REQUIRE(seen.back().contacts.size() == 1);
    return seen.back();
  };
  const SpatialSnapshot newton = first_contact(false);
  CHECK(newton.velocities[11][2] > 0.6 * 7555.0);  // it rebounds as asked
  CHECK(newton.contact_work_j > 400.0);
  const SpatialSnapshot limited = first_contact(true);
  CHECK(limited.contact_work_j <= 0.0);
  CHECK(limited.contact_work_j >= -1.0);  // the most restitution that adds none
  CHECK(limited.velocities[11][2] > 0.2 * 7555.0);
}

TEST_CASE("a joint without inertia ends the run") {
  ArticulatedSystem system = pendulum_chain(2, 0.0);
  system.links[1].mass_kg = 0.0;
  system.links[1].inertia_kg_mm2.setZero();
  const SceneRun run =
      simulate_articulated(system, {}, {1e-3, 1.0, 2}, [](const SpatialSnapshot&) { return true; });
  REQUIRE(run.failure);
  CHECK(run.failure->status == mcp::Status::kNotFinite);
  CHECK(run.failure->time_s == 0.0);
}

TEST_CASE("an articulated run repeats itself to the last bit") {
  const auto first = run_articulated(pendulum_chain(6, 1.0), {}, 1e-3, 1.0);
  const auto second = run_articulated(pendulum_chain(6, 1.0), {}, 1e-3, 1.0);
  REQUIRE(first.size() == 1001);
  REQUIRE(second.size() == first.size());
  for (std::size_t i = 0; i < first.size(); ++i) {
    REQUIRE(first[i].velocities[5] == second[i].velocities[5]);
    REQUIRE(first[i].poses[5].position_mm == second[i].poses[5].position_mm);
  }
}
