#include "tests/lab/mcp/siconos/siconos.hpp"

#include <catch2/catch.hpp>
#include <vector>

#include "lab/mcp/lemke.hpp"
#include "lab/mcp/levenberg_marquardt.hpp"
#include "lab/mcp/semismooth_newton.hpp"
#include "tests/lab/mcp/contact_lcps.hpp"
#include "tests/lab/mcp/linear_problems.hpp"
#include "tests/lab/mcp/nonlinear_problems.hpp"
#include "tests/support/random.hpp"

using namespace graspmap;
using namespace graspmap::testing;
using mcp::LinearProblem;
using mcp::Status;

TEST_CASE("Siconos and graspmap agree on random positive definite problems") {
  Random random(1);
  for (int trial = 0; trial < 50; ++trial) {
    const int n = 2 + random.index(40);
    const Eigen::MatrixXd M = random_definite(random, n);
    const Eigen::VectorXd q = random_vector(random, n);
    const SiconosResult by_lemke = siconos_lemke(M, q);
    const SiconosResult by_newton = siconos_newton(M, q);
    Eigen::VectorXd z;
    REQUIRE(mcp::lemke(M, q, {}, z).status == Status::kSolved);
    REQUIRE(by_lemke.is_solved);
    REQUIRE(by_newton.is_solved);
    CHECK((z - by_lemke.z).cwiseAbs().maxCoeff() <= 1e-9);
    CHECK((z - by_newton.z).cwiseAbs().maxCoeff() <= 1e-7);

    const LinearProblem problem = complementary_problem(M, q);
    mcp::LinearProblemView view(problem);
    mcp::SemismoothNewtonOptions options;
    options.function = mcp::ComplementarityFunction::kFischerBurmeister;
    Eigen::VectorXd start = Eigen::VectorXd::Zero(n);
    REQUIRE(solve_semismooth_newton(view, options, start).status == Status::kSolved);
    CHECK((start - by_lemke.z).cwiseAbs().maxCoeff() <= 1e-8);
  }
}

TEST_CASE("Siconos and graspmap agree on the motion of contacts without friction") {
  // M is semidefinite and singular: impulses may differ, w = M z + q may not.
  Random random(2);
  for (int trial = 0; trial < 20; ++trial) {
    PlanarContacts contacts = pyramid_of_discs(2 + random.index(3), 1.0, 0.0, random);
    for (auto& v : contacts.v_free) v += random.uniform(-0.3, 0.3);
    const auto k = contacts.normals.rows();
    const Eigen::MatrixXd M = contact_lcp(contacts).M.topLeftCorner(k, k);
    const Eigen::VectorXd q = contact_lcp(contacts).q.head(k);
    const SiconosResult expected = siconos_lemke(M, q);
    Eigen::VectorXd z;
    REQUIRE(expected.is_solved);
    REQUIRE(mcp::lemke(M, q, {}, z).status == Status::kSolved);
    CHECK((M * (z - expected.z)).cwiseAbs().maxCoeff() <= 1e-9);
  }
}

TEST_CASE("Siconos and graspmap agree on blocks with friction") {
  Random random(3);
  int compared = 0;
  for (int trial = 0; trial < 50; ++trial) {
    const double mass = random.uniform(0.5, 3.0);
    PlanarContacts contacts =
        block_on_table(mass, 0.3 * mass, 0.2, {-1.0, random.uniform(-0.5, 0.5), 1.0}, 0.3);
    contacts.v_free << random.uniform(-1.0, 1.0), random.uniform(-0.3, 0.0),
        random.uniform(-0.1, 0.1);
    const LinearProblem lcp = contact_lcp(contacts);
    const SiconosResult expected = siconos_lemke(lcp.M, lcp.q);
    Eigen::VectorXd z;
    REQUIRE(mcp::lemke(lcp, {}, z).status == Status::kSolved);
    if (!expected.is_solved) continue;  // it cannot always, the contacts being redundant
    ++compared;
    CHECK((motion(contacts, z) - motion(contacts, expected.z)).cwiseAbs().maxCoeff() <= 1e-9);
  }
  CHECK(compared > 25);
}

TEST_CASE("Siconos and graspmap both find rays") {
  Random random(4);
  int rays = 0;
  for (int trial = 0; trial < 50; ++trial) {
    const int n = 3 + random.index(6);
    const Eigen::MatrixXd A = random_matrix(random, n, n / 2);
    const Eigen::MatrixXd M = A * A.transpose();
    const Eigen::VectorXd q = random_vector(random, n);
    Eigen::VectorXd z;
    const Status status = mcp::lemke(M, q, {}, z).status;
    CHECK(siconos_lemke(M, q).is_solved == (status == Status::kSolved));
    if (status == Status::kRay) ++rays;
  }
  CHECK(rays > 5);
}

TEST_CASE("Siconos and graspmap agree on nonlinear problems") {
  JosephyProblem josephy;
  KojimaShindoProblem kojima_shindo;
  const std::vector<mcp::Problem*> problems = {&josephy, &kojima_shindo};
  for (mcp::Problem* problem : problems) {
    // Near the solution (sqrt(6)/2, 0, 0, 1/2) of both.
    const Eigen::Vector4d start(1.3, 0.1, 0.1, 0.6);
    const SiconosResult expected = siconos_newton(*problem, start);
    REQUIRE(expected.is_solved);
    Eigen::VectorXd z = start;
    REQUIRE(solve_semismooth_newton(*problem, {}, z).status == Status::kSolved);
    CHECK((z - expected.z).norm() <= 1e-6);
    z = start;
    REQUIRE(solve_regular_lm(*problem, {}, z).status == Status::kSolved);
    CHECK((z - expected.z).norm() <= 1e-6);
    z = start;
    REQUIRE(solve_projected_lm(*problem, {}, z).status == Status::kSolved);
    CHECK((z - expected.z).norm() <= 1e-6);
  }
}
