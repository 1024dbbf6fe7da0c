#pragma once

#include <optional>
#include <string>
#include <vector>

#include "grasp/base/pictures/figure.hpp"
#include "lab/scenes/time_figures.hpp"
#include "lab/spatial_scenes/spatial_recording.hpp"

namespace graspmap {

/// The figures of a simulation in space: the energies, the positions, the contacts (where there are
/// any), the worst overlap, each over time, and the motion.
std::vector<Figure> scene_figures(const SpatialSceneFile& file, const SpatialResult& result);

/// The motion in one picture, NAME.gp, seen from above at an angle: the bodies at equal times until
/// they rest, earlier ones paler, in one panel; scenes of more than four moving bodies, and of
/// bodies that hardly move, have four moments side by side.
Figure spatial_motion_figure(const SpatialSceneFile& file, const SpatialResult& result,
                             const std::string& name = "motion");

/// The samples of the moments that it shows, ascending: at most `count`, the first and the one from
/// which on nothing moves by more than `least_mm` or turns by more than 0.05 rad among them.
std::vector<std::size_t> strobe_samples(const SpatialSceneFile& file,
                                        const SpatialRecording& recording, std::size_t count,
                                        double least_mm);

/// What two bodies exchange in the steps of the samples, all their contacts together.
struct PairForces {
  int body_a = 0;
  int body_b = 0;
  std::vector<double> normal_n;    ///< by sample, p_n / h
  std::vector<double> friction_n;  ///< |(p_t, p_o)| / h, summed over contacts
  std::vector<PatchKind> patch;    ///< the largest
};

/// The pairs of bodies that are in contact at any sample, those with the largest normal impulses
/// first.
std::vector<PairForces> pair_forces(const SpatialRecording& recording);

/// Normal force, friction and kind of contact over time, of the six pairs with the largest normal
/// impulses; none when nothing touches.
std::optional<Figure> contacts_figure(const SceneReport& report, const SpatialRecording& recording);

/// The gnuplot script of an animation, seen from above at an angle: the bodies, marks on them that
/// turn, links and joints, and the forces of the contacts as arrows on the bodies that move.
std::string scene_animation_script(const SpatialSceneFile& file, const SpatialResult& result);

}  // namespace graspmap
