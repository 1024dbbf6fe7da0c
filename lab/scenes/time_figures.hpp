#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "grasp/base/pictures/figure.hpp"
#include "lab/scenes/scene_recording.hpp"
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

/// The figure of where bodies are over time, of a scene of any kind.
struct PositionsPicture {
  /// Lines that look alike: those of a [[body]] in the plane, or of one body in space.
  struct Group {
    std::size_t number = 0;
    std::vector<std::size_t> bodies;  ///< in snapshots; they move
    std::string look;                 ///< "lw 2.5 lc rgb '#0072b2'"
  };
  struct Panel {
    const char* column;
    const char* label;
  };

  std::string purpose;
  const char* key = "body";  ///< the column of positions.csv with the group's number
  std::vector<Panel> panels;
  std::vector<Group> groups;
  std::vector<CurveLegendEntry> legend;
};

/// The gnuplot script that draws it from positions.csv.
std::string positions_script(const PositionsPicture& picture, const SceneReport& report);

/// The figure with its positions.csv: every n-th sample of each body, at most 1000 rows of a body,
/// bodies separated by a blank line. `values(snapshot, body)` are the panels' columns.
template <typename Snapshot, typename Values>
Figure positions_figure(const PositionsPicture& picture, const SceneReport& report,
                        const SceneRecording<Snapshot>& recording, Values values) {
  constexpr std::size_t kMostRows = 1000;
  const auto& samples = recording.samples;
  const std::size_t every = (samples.size() + kMostRows - 1) / kMostRows;
  std::string csv = fmt::format("{},time_s", picture.key);
  for (const auto& panel : picture.panels) csv += fmt::format(",{}", panel.column);
  csv += '\n';
  for (const auto& group : picture.groups) {
    for (const std::size_t body : group.bodies) {
      for (std::size_t i = 0; i < samples.size(); i += every) {
        const Snapshot& at = samples[i].shown;
        csv += fmt::format("{},{},{:.9g}\n", group.number, at.time_s,
                           fmt::join(values(at, body), ","));
      }
      csv += '\n';
    }
  }
  return {"positions", positions_script(picture, report), csv};
}

}  // namespace graspmap
