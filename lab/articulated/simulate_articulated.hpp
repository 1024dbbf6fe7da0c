#pragma once

#include "lab/articulated/system.hpp"
#include "lab/contact_space/contact_space.hpp"
#include "lab/spatial/snapshot.hpp"

namespace graspmap {

/// How time is stepped, Mylapilli and Jain 2017, section 2.7.
enum class ArticulatedIntegrator : std::uint8_t {
  kSemiImplicitEuler,  ///< eq. (25)-(26)
  kMoreauMidpoint,     ///< eq. (27)-(29)
  kImplicitEuler,      ///< eq. (25)-(26) with all quantities at the end of the step
  kImplicitMoreau      ///< eq. (28)-(29) with all of them at the mean of start and end
};
const char* name(ArticulatedIntegrator integrator);

/// Whether a step is solved again and again until the state at which its quantities are taken is
/// the one that it leads to (section 2.7.2, "iteratively solved").
bool is_implicit(ArticulatedIntegrator integrator);

struct ArticulatedSettings {
  ContactSolverSettings contact;
  ArticulatedIntegrator integrator = ArticulatedIntegrator::kSemiImplicitEuler;
  /// Of an implicit integrator: the change of nu in the last iteration, of the largest |nu|; and
  /// how many iterations a step may take.
  double implicit_tolerance = 1e-10;
  int implicit_iterations = 50;
  /// Of the first friction direction from the slip -v_t at the start of a step, rad (MLCP only).
  double direction_offset_rad = 0.0;
  /// The directions are fixed in space, at `direction_offset_rad` from the contact's t, and not
  /// turned with the slip.
  bool fixed_directions = false;
  /// Newton's restitution with friction can add energy where bodies are linked (Kane's paradox).
  /// The restitution of a step whose contact impulses would do work > 0 is lowered, for all its
  /// contacts alike and by the least number of 1024ths, until they do not; without restitution they
  /// cannot.
  bool limit_restitution = true;
};

/// Runs a system from its start, see `run_steps`. Bodies of the snapshots: the links (at the ball's
/// centre, or the centre of mass of a link without one, with the link's axes), then the obstacles.
/// Contacts have body indices likewise.
SceneRun simulate_articulated(const ArticulatedSystem& system, const ArticulatedSettings& settings,
                              const SceneRunSettings& run, const SnapshotObserver& observer);

}  // namespace graspmap
