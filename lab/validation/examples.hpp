#pragma once

#include <array>

#include "lab/validation/validation_context.hpp"

namespace graspmap {

// The examples of the papers, by the ids of docs/lab/validation.md: a function each.

ExampleReport validate_polygon_losses(const ValidationContext& context);        ///< A0
ExampleReport validate_rolling_disc(const ValidationContext& context);          ///< A1
ExampleReport validate_sphere_on_spheres(const ValidationContext& context);     ///< A2
ExampleReport validate_soft_half_plane(const ValidationContext& context);       ///< A3
ExampleReport validate_lock_piece(const ValidationContext& context);            ///< A4
ExampleReport validate_sphere_on_plane(const ValidationContext& context);       ///< B1
ExampleReport validate_twelve_link_pendulum(const ValidationContext& context);  ///< B2
ExampleReport validate_falling_rod(const ValidationContext& context);           ///< C1
ExampleReport validate_four_balls(const ValidationContext& context);            ///< C2
ExampleReport validate_sliding_cube(const ValidationContext& context);          ///< D1
ExampleReport validate_turning_cylinder(const ValidationContext& context);      ///< D2
ExampleReport validate_falling_cube(const ValidationContext& context);          ///< D3
ExampleReport validate_handled_cylinder(const ValidationContext& context);      ///< D4
ExampleReport validate_ellipse(const ValidationContext& context);               ///< E1
ExampleReport validate_disc_pile(const ValidationContext& context);             ///< E2
ExampleReport validate_brazil_nut(const ValidationContext& context);            ///< E3
ExampleReport validate_joined_bodies(const ValidationContext& context);         ///< E4
ExampleReport validate_measured_pushes(const ValidationContext& context);       ///< R1
ExampleReport validate_repeated_pushes(const ValidationContext& context);       ///< R2

/// The rows of A3 on layers that give way in all directions and on both bodies, in the plane and in
/// space.
void add_soft_layers(const ValidationContext& context, ExampleReport& report);

struct ValidationExample {
  const char* id;
  const char* title;
  ExampleReport (*run)(const ValidationContext& context);
};

/// All examples, in the order of their ids.
inline constexpr std::array kValidationExamples = {
    ValidationExample{"A0", "energy lost by a rolling polygon", validate_polygon_losses},
    ValidationExample{"A1", "disc rolling on a plane", validate_rolling_disc},
    ValidationExample{"A2", "small sphere on two fixed spheres", validate_sphere_on_spheres},
    ValidationExample{"A3", "disc on a quasi-rigid half-plane", validate_soft_half_plane},
    ValidationExample{"A4", "grasping the lock piece", validate_lock_piece},
    ValidationExample{"B1", "sphere sliding and rolling on a plane", validate_sphere_on_plane},
    ValidationExample{"B2", "pendulum of twelve links against floor and wall",
                      validate_twelve_link_pendulum},
    ValidationExample{"C1", "falling, spinning rod", validate_falling_rod},
    ValidationExample{"C2", "four balls", validate_four_balls},
    ValidationExample{"D1", "cube sliding on a plane", validate_sliding_cube},
    ValidationExample{"D2", "cylinder rolling and turning, line contact",
                      validate_turning_cylinder},
    ValidationExample{"D3", "cube: point, line, surface contact", validate_falling_cube},
    ValidationExample{"D4", "cylinder tipped, rolled, pivoted, lifted", validate_handled_cylinder},
    ValidationExample{"E1", "ellipse on a tabletop", validate_ellipse},
    ValidationExample{"E2", "21 discs on a table", validate_disc_pile},
    ValidationExample{"E3", "Brazil nut, 201 bodies", validate_brazil_nut},
    ValidationExample{"E4", "joints and their stabilisation", validate_joined_bodies}};

/// What was measured in the real world; graspmap does not bring the data.
inline constexpr ValidationExample kMeasuredPushes{"R1", "measured pushes of eleven plates",
                                                   validate_measured_pushes};
inline constexpr ValidationExample kRepeatedPushes{"R2", "repeated pushes with two fingers",
                                                   validate_repeated_pushes};

/// What a shaken box with one large disc among small ones shows.
struct NutRun {
  Curve rank{"the large disc"};                      ///< share of small discs below it
  Curve contacts{"contacts within the margin"};      ///< of each step
  Curve computing{"computing time of a step (ms)"};  ///< on this machine
  double best_rank = 0.0;
  double worst_overlap_m = 0.0;
  double energy_ratio = 0.0;  ///< largest total energy over that at the start
  double step_s = 0.0;        ///< median computing time of a step
  SceneRun run;

  [[nodiscard]] double end_rank() const { return rank.y.back(); }
  /// The time from which the share below never falls under `rank` again; the run's end: never.
  [[nodiscard]] double on_top_from_s(double rank) const;
};

NutRun run_brazil_nut(const SceneFile& file);

}  // namespace graspmap
