#pragma once

#include "sim/articulated/system.hpp"
#include "sim/contact_space/contact_space.hpp"
#include "sim/spatial/snapshot.hpp"

namespace graspmap {

/// How time is stepped, Mylapilli and Jain 2017, section 2.7.
enum class ArticulatedIntegrator : std::uint8_t {
  kSemiImplicitEuler,  ///< eq. (25)-(26)
  kMoreauMidpoint      ///< eq. (27)-(29)
};
const char* name(ArticulatedIntegrator integrator);

struct ArticulatedSettings {
  ContactSolverSettings contact;
  ArticulatedIntegrator integrator = ArticulatedIntegrator::kSemiImplicitEuler;
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
