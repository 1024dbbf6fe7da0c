#pragma once

#include <cstdint>
#include <vector>

#include "lab/mcp/semismooth_newton.hpp"
#include "lab/planar/full/full_mncp.hpp"

namespace graspmap {

/// The mode of a contact.
enum class FullContactMode : std::uint8_t { kOpen, kSticks, kSlidesBackward, kSlidesForward };

struct FullNewtonOptions {
  double tolerance = 1e-10;  ///< largest natural residual of a solution (scaled)
  int max_iterations = 30;
  double singular = 1e-10;  ///< pivots below this, relative to the largest, count as zero: the step
                            ///< is the shortest least-squares one then
  std::vector<FullContactMode> modes;  ///< by contact, to be kept; empty: as the branches say
};

/// Newton's method on the natural map of the full problem with full steps: each iteration takes, of
/// every complementarity, the branch that is smaller (the pattern of open, sticking and sliding
/// contacts, of edges and vertices), and solves the linearised equations of the pattern. Momentum
/// is linear in p_t, so it is p_t that moves by the step and s = p_t / (mu p_n) that follows; a
/// contact that starts to slide goes to the edge of its cone at once. No line search: a change of
/// the pattern may raise the residual on its way. Ends in a few iterations where a method that
/// descends would creep, and may cycle: kIterationLimit then.
mcp::Result solve_full_newton(FullMncp& problem, const FullNewtonOptions& options,
                              Eigen::VectorXd& z, mcp::SemismoothNewtonWorkspace& work);

}  // namespace graspmap
