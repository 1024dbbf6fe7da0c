#pragma once

#include "lab/validation/validation_context.hpp"

namespace graspmap {

/// What a shaken box with one large disc among small ones shows.
struct NutRun {
  Curve rank{"the large disc", {}, {}};                      ///< share of small discs below it
  Curve contacts{"contacts within the margin", {}, {}};      ///< of each step
  Curve computing{"computing time of a step (ms)", {}, {}};  ///< on this machine
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
