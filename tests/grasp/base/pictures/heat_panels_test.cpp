#include "grasp/base/pictures/heat_panels.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "grasp/base/pictures/figure.hpp"
#include "grasp/base/pictures/heat_layout.hpp"
#include "grasp/decide/compare/comparison_report.hpp"
#include "tests/support/file_text.hpp"
#include "tests/support/maps.hpp"
#include "tests/support/temporary_folder.hpp"

namespace graspmap {
namespace {

namespace fs = std::filesystem;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;
using testing::file_text;
using testing::TemporaryFolder;
using Kind = HeatMark::Kind;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
const HeatColours kProbabilities{HeatScale::kProbability, "success probability", {}};
const HeatColours kDifferences{HeatScale::kDifference, "difference", {}};

HeatPanel panel_of(const Axis& x, const Axis& y, double value) {
  HeatPanel panel;
  panel.x_mm = x;
  panel.y_mm = y;
  panel.values.assign(static_cast<std::size_t>(x.cells * y.cells), value);
  return panel;
}

HeatMark point_at(double x, double y, const std::string& label) {
  return {Kind::kPoint, x, y, 0, 0, 0, label};
}

HeatPanelsInput figure_of(std::vector<HeatPanel> panels) {
  HeatPanelsInput input;
  input.name = "panels";
  input.title = "title";
  input.subtitle = "subtitle";
  input.colours = kProbabilities;
  input.panels = std::move(panels);
  return input;
}

bool overlap(const PixelBox& a, const PixelBox& b) {
  return a.left < b.left + b.width && b.left < a.left + a.width && a.top < b.top + b.height &&
         b.top < a.top + a.height;
}

TEST_CASE("heat panels: the data have a row for each cell of each panel, x fastest") {
  HeatPanel second = panel_of({0, 2, 2}, {5, 7, 2}, 0.5);
  second.values = {0.25, kNan, -1, 3};
  const Figure figure = heat_panels_figure(figure_of({panel_of({-1, 1, 1}, {0, 4, 1}, 1), second}));
  CHECK(figure.name == "panels");
  CHECK(figure.data ==
        "panel,x_min_mm,x_max_mm,y_min_mm,y_max_mm,value\n"
        "1,-1,1,0,4,1\n"
        "2,0,1,5,6,0.25\n"
        "2,1,2,5,6,nan\n"
        "2,0,1,6,7,-1\n"
        "2,1,2,6,7,3\n");
}

TEST_CASE("heat panels: nothing overlaps and a millimetre is as long in y as in x") {
  const std::size_t count = GENERATE(1U, 2U, 3U, 4U, 5U, 6U, 9U, 12U, 25U);
  const bool is_mixed = GENERATE(false, true);
  HeatPanelsInput input = figure_of({});
  for (std::size_t k = 0; k < count; ++k) {
    const double y_max = k % 2 == 0 ? 20 : 5;
    input.panels.push_back(panel_of({-10, 10, 20}, {0, y_max, 5}, 0.5));
    input.panels.back().title = "a title that is much too long for the width of a single panel";
    if (is_mixed && k % 3 == 2) input.panels.back().colours = kDifferences;
  }
  const HeatLayout layout = heat_layout(input);
  std::vector<PixelBox> boxes;
  for (std::size_t k = 0; k < count; ++k) {
    const PanelPlace& place = layout.panels[k];
    const PixelBox& map = place.map;
    CHECK(map.width / map.height == Approx(20 / (k % 2 == 0 ? 20.0 : 5.0)));
    boxes.push_back(map);
    const double title = kLinePx * static_cast<double>(place.title_lines.size());
    boxes.push_back({map.left, map.top - title, map.width, title});
    for (const std::string& line : place.title_lines) {
      CHECK(text_width_px(line, kFontPx) <= map.width + 2 * place.room_at_right);
    }
    if (place.bar) boxes.push_back(place.bar->box);
  }
  for (std::size_t k = 0; k < boxes.size(); ++k) {
    CHECK(boxes[k].left >= 0);
    CHECK(boxes[k].top >= kLinePx * 2);
    CHECK(boxes[k].left + boxes[k].width <= layout.canvas.width);
    CHECK(boxes[k].top + boxes[k].height <= layout.legend_top);
    for (std::size_t other = k + 1; other < boxes.size(); ++other) {
      CHECK_FALSE(overlap(boxes[k], boxes[other]));
    }
  }
}

TEST_CASE("heat panels: one colour bar for equal colours, else one at the end of each run") {
  const HeatPanel p = panel_of({0, 1, 1}, {0, 1, 1}, 0.5);
  HeatPanel d = p;
  d.colours = kDifferences;
  const auto bars = [](const std::vector<HeatPanel>& panels) {
    std::string text;
    for (const PanelPlace& place : heat_layout(figure_of(panels)).panels) {
      text += place.bar ? '|' : '.';
    }
    return text;
  };
  CHECK(bars({p, p, p}) == "|..");
  CHECK(bars({p, p, d}) == ".||");
  CHECK(bars({d, p, d, p, p}) == "|||.|");
}

TEST_CASE("heat panels: ranges are given, or from all panels of these colours") {
  HeatPanelsInput input =
      figure_of({panel_of({0, 1, 1}, {0, 1, 1}, 0.25), panel_of({0, 1, 1}, {0, 1, 1}, -0.5),
                 panel_of({0, 1, 1}, {0, 1, 1}, kNan)});
  input.panels[2].colours = kProbabilities;
  input.colours = kDifferences;
  CHECK(colour_range(input, input.colours).low == -0.5);
  CHECK(colour_range(input, input.colours).high == 0.5);
  CHECK(colour_range(input, kProbabilities).low == 0);
  CHECK(colour_range(input, kProbabilities).high == 1);
  input.colours.most = 0.125;
  CHECK(colour_range(input, input.colours).low == -0.125);
  input.colours = {HeatScale::kFromZero, "mm", {}};
  CHECK(colour_range(input, input.colours).low == 0);
  CHECK(colour_range(input, input.colours).high == 0.5);
  input.panels.erase(input.panels.begin(), input.panels.begin() + 2);
  CHECK(colour_range(input, input.colours).high == 1);  // nothing known: any range
}

TEST_CASE("heat panels: a turned ellipse and a turned rectangle") {
  const double angle = 0.3;
  const HeatMark ellipse{Kind::kEllipse, 2, -1, 5, 3, angle, ""};
  const HeatMark rectangle{Kind::kRectangle, 2, -1, 5, 3, angle, ""};
  HeatMark dashed = ellipse;
  dashed.line = HeatMark::Line::kDashed;
  CHECK(mark_rings({ellipse, dashed}, HeatMark::Line::kDashed).size() == 1);
  const auto rings =
      mark_rings({ellipse, point_at(0, 0, ""), dashed, rectangle}, HeatMark::Line::kSolid);
  REQUIRE(rings.size() == 2);
  // Turned back about the centre, points satisfy the equations of the shapes.
  const auto back = [&](const Vec2& point) -> Vec2 {
    const Vec2 d = point - Vec2(2, -1);
    return {std::cos(angle) * d.x() + std::sin(angle) * d.y(),
            -std::sin(angle) * d.x() + std::cos(angle) * d.y()};
  };
  for (const Vec2& point : rings[0]) {
    CHECK(std::pow(back(point).x() / 5, 2) + std::pow(back(point).y() / 3, 2) == Approx(1));
  }
  CHECK(rings[1].size() == 5);
  for (const Vec2& point : rings[1]) {
    CHECK(std::abs(back(point).x()) == Approx(5));
    CHECK(std::abs(back(point).y()) == Approx(3));
  }
  for (const auto& ring : rings) CHECK((ring.front() - ring.back()).norm() < 1e-12);
}

TEST_CASE("heat panels: labels stay in the map, off each other and off points") {
  HeatPanel panel = panel_of({-10, 10, 20}, {-20, 0, 20}, 0.5);
  for (const double y : {-0.1, -10.0, -19.9}) {
    for (const double x : {-9.9, 0.0, 9.9}) panel.marks.push_back(point_at(x, y, "a label"));
  }
  panel.marks.push_back({Kind::kEllipse, 0, -10, 4, 2, 0.5, "an ellipse"});
  panel.marks.push_back(point_at(11, 0, "outside"));
  const PanelPlace place = heat_layout(figure_of({panel})).panels[0];
  const std::vector<MarkLabel> labels = place_mark_labels(panel, place);
  REQUIRE(labels.size() == 10);
  std::vector<PixelBox> boxes;
  for (const MarkLabel& label : labels) {
    REQUIRE(label.lines.size() == 1);
    const double width = text_width_px(label.lines[0], kLabelFontPx);
    boxes.push_back({label.center_px.x() - width / 2, label.center_px.y() - kLabelLinePx / 2, width,
                     kLabelLinePx});
    CHECK(boxes.back().left >= 0);
    CHECK(boxes.back().left + width <= place.map.width);
  }
  for (std::size_t k = 0; k < boxes.size(); ++k) {
    for (std::size_t other = k + 1; other < boxes.size(); ++other) {
      CHECK_FALSE(overlap(boxes[k], boxes[other]));
    }
    for (std::size_t mark = 0; mark < 9; ++mark) {
      const double scale = place.map.width / 20;
      const PixelBox point{scale * (panel.marks[mark].x_mm + 10) - 4,
                           scale * (panel.marks[mark].y_mm + 20) - 4, 8, 8};
      CHECK_FALSE(overlap(boxes[k], point));
    }
  }
}

TEST_CASE("heat panels: the legend says each thing once, in lines on the canvas") {
  HeatPanel panel = panel_of({0, 1, 1}, {-20, 0, 2}, 0.95);
  panel.values[1] = kNan;
  panel.border = 0.95;
  panel.marks = {point_at(0, -10, ""), {Kind::kRectangle, 0, -10, 3, 3, 0, ""}};
  panel.marks[0].legend = "a point";
  panel.marks[1].legend =
      "a long sentence about the square that lies around the point, with numbers";
  HeatPanelsInput input = figure_of({panel, panel});
  const HeatLayout layout = heat_layout(input);
  std::vector<std::string> texts;
  for (const LegendEntry& entry : layout.legend) {
    texts.push_back(entry.text);
    CHECK(entry.left >= 0);
    CHECK(entry.left + entry.width() <= layout.canvas.width);
    CHECK(entry.middle >= layout.legend_top + kLinePx / 2);
    CHECK(entry.middle + kLinePx / 2 <= layout.canvas.height);
  }
  CHECK(texts == std::vector<std::string>{"nothing known", "outlined: 0.95 or more", "a point",
                                          panel.marks[1].legend});
  for (std::size_t k = 1; k < layout.legend.size(); ++k) {
    const LegendEntry& before = layout.legend[k - 1];
    const LegendEntry& entry = layout.legend[k];
    const bool is_beside = entry.left >= before.left + before.width();
    CHECK((is_beside || entry.middle >= before.middle + kLinePx));
  }

  input.border_label = "the plateau";
  for (HeatPanel& p : input.panels) p.values = {0.9, 0.5};  // nothing hatched, nothing outlined
  CHECK(heat_layout(input).legend.size() == 2);
  input.panels[0].values[0] = 1.0;
  CHECK(heat_layout(input).legend[0].text == "the plateau");
}

TEST_CASE("heat panels: cells of a share of 0 are left white") {
  HeatPanelsInput input = figure_of({panel_of({0, 2, 2}, {0, 1, 1}, 0)});
  CHECK_THAT(heat_panels_figure(input).script, Contains("(x_known(0))"));
  input.colours.scale = HeatScale::kShare;
  CHECK_THAT(heat_panels_figure(input).script,
             Contains("(x_positive(0))") && !Contains("(x_known(0))"));
}

TEST_CASE("heat panels: values that do not fit the grid are our bug") {
  HeatPanel panel = panel_of({0, 2, 2}, {0, 1, 1}, 0.5);
  panel.values.pop_back();
  CHECK_THROWS_AS(heat_panels_figure(figure_of({panel})), std::logic_error);
  panel.values.push_back(std::numeric_limits<double>::infinity());
  CHECK_THROWS_AS(heat_panels_figure(figure_of({panel})), std::logic_error);
  CHECK_THROWS_AS(heat_panels_figure(figure_of({})), std::logic_error);
}

TEST_CASE("draw_figures: heat panels and a pair of histograms with all that may be in them") {
  const std::string evil = "it's \"q\" `touch evil` @x 100 % {a}_b^c";
  HeatPanel first = panel_of({-2, 2, 4}, {0, 3, 3}, 0.5);
  first.values[3] = kNan;
  first.values[4] = 1.0;
  first.title = evil;
  first.border = 0.95;
  first.marks = {point_at(0, 1, "the best"),
                 {Kind::kEllipse, 0, 1, 1, 0.5, 0.3, "noise"},
                 {Kind::kRectangle, 1, 2, 5, 0.5, 0, ""}};
  HeatPanel second = panel_of({0, 1e-3, 1}, {0, 1e-3, 1}, kNan);
  second.colours = kDifferences;
  HeatPanelsInput input = figure_of({first, second});
  input.title = evil + evil;
  const SuccessMap map =
      testing::map_of({-2, 2, 4}, {0, 3, 3}, 2, [](double, double) { return 0.5; });
  const TemporaryFolder folder;
  const fs::path figures = folder.path() / "made" / "";
  draw_figures(figures,
               {heat_panels_figure(input),
                histogram_pair_figure({"pair", "title", "", "left side", map, evil, map})});
  for (const std::string name : {"panels", "pair"}) {
    CHECK_THAT(file_text(figures / (name + ".png")), StartsWith("\x89PNG\r\n\x1a\n"));
    CHECK_THAT(file_text(figures / (name + ".svg")), Contains("`touch evil`"));
    CHECK(fs::exists(figures / (name + ".csv")));
  }
  CHECK_THAT(file_text(figures / "panels.svg"), Contains("the best") && Contains("noise") &&
                                                    Contains("nothing known") &&
                                                    Contains("outlined: 0.95 or more"));
  CHECK_THAT(file_text(figures / "pair.svg"), Contains("left side"));
  CHECK(std::distance(fs::directory_iterator(figures), {}) == 8);
  CHECK(std::distance(fs::directory_iterator(folder.path()), {}) == 1);
}

}  // namespace
}  // namespace graspmap
