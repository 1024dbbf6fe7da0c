#include "lab/scenes/positions_figure.hpp"

namespace graspmap {
namespace {

std::string position_lines(const PositionsPicture& picture, const char* column) {
  std::string layers;
  for (const auto& group : picture.groups) {
    layers +=
        fmt::format("{}data using (column('{}') == {} ? column('time_s') : NaN):'{}' with lines {}",
                    layers.empty() ? "  plot " : ", \\\n       ", picture.key, group.number, column,
                    group.look);
  }
  return layers + "\n";
}

}  // namespace

std::string positions_script(const PositionsPicture& picture, const SceneReport& report) {
  const int count = static_cast<int>(picture.panels.size());
  const Canvas canvas{1200, 450 + 200 * count};
  TimePanels panels(count, std::max(report.end_s, report.scene.run.step_s), canvas, picture.legend);
  for (const auto& panel : picture.panels) {
    panels.add(panel.label, position_lines(picture, panel.column));
  }
  return time_figure_start(time_figure_head(report), "positions", picture.purpose, canvas) +
         "data = figure.'.csv'\n" + panels.commands();
}

}  // namespace graspmap
