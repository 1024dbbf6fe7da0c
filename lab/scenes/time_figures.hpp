#pragma once

#include <string>
#include <vector>

#include "grasp/base/pictures/figure.hpp"
#include "grasp/base/pictures/script_parts.hpp"
#include "lab/scenes/scene_report.hpp"

namespace graspmap {

/// Title and subtitle of the figures over time.
struct TimeFigureHead {
  std::string title;
  std::string subtitle;
};

/// "implicit, steps of 0.01 s", and when the run ended if that was early.
TimeFigureHead time_figure_head(const SceneReport& report);

/// How a script of a figure over time begins.
std::string time_figure_start(const TimeFigureHead& head, const std::string& figure,
                              const std::string& purpose, const Canvas& canvas);

/// The energies of ../energy.csv.
Figure energy_figure(const SceneReport& report);

/// The overlaps of ../steps.csv.
Figure overlap_figure(const SceneReport& report, const std::string& of_contacts);

/// The name and colour of a line in all panels.
struct CurveLegendEntry {
  std::string title;
  std::string color;
};

/// Panels above each other over a common time axis from 0 to `end_s`.
class TimePanels {
 public:
  /// On a canvas that is 1200 wide. With a legend it is listed at the right; without one the
  /// lines of the first panel are.
  TimePanels(int count, double end_s, const Canvas& canvas,
             const std::vector<CurveLegendEntry>& legend = {});

  /// The next panel: the label of its y axis, what is plotted ("  plot ..."), other settings.
  void add(const std::string& label, const std::string& plot, const std::string& settings = "");

  /// The commands for one picture; names the scene above.
  [[nodiscard]] std::string commands() const;

 private:
  void write_legend(const Canvas& canvas, const std::vector<CurveLegendEntry>& legend);

  int count_;
  int added_ = 0;
  double end_s_;
  double right_ = 0.80;  ///< edge of the panels, of the canvas
  std::string legend_;
  std::string panels_;
};

}  // namespace graspmap
