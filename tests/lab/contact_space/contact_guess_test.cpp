#include <catch2/catch.hpp>
#include <cmath>

#include "lab/contact_space/contact_space.hpp"

using namespace graspmap;

TEST_CASE("exact cones are solved from polyhedral impulses where all other guesses stall") {
  // Three balls of a chain that drags over the floor in a plane: rows (n, o) of each, t is across.
  Eigen::MatrixXd R(6, 6);
  R << 0.30580502504123297, -0.29734276601721654, 0.0068598722442368464, -0.23784206929567578,
      0.0034077120874061689, -0.16403652919949188,  //
      -0.29734276601721654, 0.5028459792101988, -0.0061586402193459164, 0.42796261621352122,
      -0.0072027704343935479, 0.35488157711470425,  //
      0.0068598722442368464, -0.0061586402193459164, 0.95289662387416152, 0.24154644693676097,
      0.023526578685062312, -0.24627925827862845,  //
      -0.23784206929567578, 0.42796261621352122, 0.24154644693676097, 0.45285165472530714,
      -0.00062114284541274576, 0.26751640437826768,  //
      0.0034077120874061689, -0.0072027704343935479, 0.023526578685062312, -0.00062114284541274576,
      0.97590120711572381, 0.25187739821922017,  //
      -0.16403652919949188, 0.35488157711470425, -0.24627925827862845, 0.26751640437826768,
      0.25187739821922017, 0.42278271765763875;
  const double u[] = {-0.0095123810482183446,  3.3396042600746223,    -0.037268313901384416,
                      -1.0042820741747454e-05, -0.038094963927794809, 0.0067070576194699222};
  const int rows[] = {0, 2, 3, 5, 6, 8};
  ContactSpace space;
  space.R = Eigen::MatrixXd::Zero(9, 9);
  space.u_free = Eigen::VectorXd::Zero(9);
  for (int i = 0; i < 6; ++i) {
    space.u_free[rows[i]] = u[i];
    for (int j = 0; j < 6; ++j) space.R(rows[i], rows[j]) = R(i, j);
  }
  space.mu = Eigen::VectorXd::Constant(3, 0.5);
  space.angle_rad.resize(3);
  space.angle_rad << -1.5707963267948966, 1.5707963267948966, 1.5707963267948966;
  for (const ContactSolver solver : {ContactSolver::kMncpRlm, ContactSolver::kMncpPlm}) {
    CAPTURE(name(solver));
    ContactSolverSettings settings;
    settings.solver = solver;
    const ContactSpaceSolution found = solve_contact_space(space, settings);
    CHECK(found.status == mcp::Status::kSolved);
    for (int k = 0; k < 3; ++k) {
      const Eigen::Vector3d p = found.p.segment<3>(3 * k);
      const Eigen::Vector3d v = found.u.segment<3>(3 * k);
      CHECK(p[0] > 0.02);
      CHECK(std::abs(v[0]) <= 1e-9);
      CHECK(p.tail<2>().norm() <= 0.5 * p[0] + 1e-10);
      // Against the slip, and as large as it may be where there is one.
      CHECK((0.5 * p[0] * v.tail<2>() + v.tail<2>().norm() * p.tail<2>()).norm() <= 1e-9);
    }
  }
}
