#pragma once

#include <cstdint>

#include "lab/mcp/problem.hpp"
#include "lab/planar/linear/linear_step.hpp"

namespace graspmap {

/// The friction law of a slipping contact.
enum class FrictionLaw : std::uint8_t {
  kCoulomb,      ///< n^T v + gap/h >= 0, Hart and Anitescu 2003, eq. (2.9)
  kOptimisation  ///< n^T v + gap/h - mu lambda >= 0, (2.10): the problem is positive semidefinite
};

/// Solves a linear step by Lemke's method: Stewart and Trinkle 2000, eq. (13)-(20) with
/// Hart and Anitescu 2003, eq. (2.11)-(2.12) for pins. Unknowns are nu, the pins' impulses and, for
/// each contact, c_n, beta+, beta- and lambda (in the plane two directions are all of Coulomb's
/// cone; without friction c_n only; with a soft layer the core's impulse besides); for tables beta
/// and lambda. nu and pins are eliminated. Contacts that stay open are left out of the problem:
/// it begins with those that touch or close first, and takes in those that its solution violates,
/// one of a pair of bodies at a time. kRay: Lemke found no solution; other statuses as of
/// mcp::lemke. `unknowns` is set to the size of the last problem.
mcp::Result solve_contact_lcp(const LinearStep& step, FrictionLaw law, double tolerance,
                              StepSolution& solution, int& unknowns);

}  // namespace graspmap
