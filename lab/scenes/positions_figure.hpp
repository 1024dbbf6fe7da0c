#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "lab/scenes/scene_recording.hpp"
#include "lab/scenes/time_figures.hpp"

namespace graspmap {

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
