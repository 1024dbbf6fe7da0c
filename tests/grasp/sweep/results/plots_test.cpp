#include "grasp/sweep/results/plots.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <map>
#include <string>

#include "grasp/base/io/gnuplot.hpp"
#include "grasp/base/pictures/draw_figures.hpp"
#include "grasp/sweep/figures/bar_faces.hpp"
#include "grasp/sweep/figures/run_figures.hpp"
#include "grasp/sweep/results/map_csv.hpp"
#include "grasp/sweep/store/run_directory.hpp"
#include "tests/support/file_text.hpp"
#include "tests/support/maps.hpp"
#include "tests/support/temporary_folder.hpp"

namespace graspmap {
namespace {

namespace fs = std::filesystem;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;
using testing::add_trials;
using testing::file_text;
using testing::map_of;
using testing::TemporaryFolder;

constexpr std::array kAllFigures = {"success_map", "histogram_3d", "histogram_3d_half", "outcomes"};

/// A plateau in the middle of a slope.
SuccessMap slope_map() {
  return map_of({-4, 4, 8}, {-8, 0, 8}, 20,
                [](double, double y) { return std::min(1.0, -0.25 * y); });
}

/// The figures of a map, made in a temporary folder.
class MadeFigures {
 public:
  explicit MadeFigures(const SuccessMap& map, const std::string& title = "test",
                       double plateau_probability = 0.95) {
    write_file_atomically(run_.path() / run_files::kMap, map_csv(map));
    make_figures(run_.path(), map, find_sweet_spot(map, 1.0), title, plateau_probability);
  }

  [[nodiscard]] const fs::path& run_dir() const { return run_.path(); }
  [[nodiscard]] fs::path file(const std::string& name) const {
    return run_.path() / kFiguresFolder / name;
  }
  [[nodiscard]] std::string text(const std::string& name) const { return file_text(file(name)); }

  /// Every file in the folder of figures, by name.
  [[nodiscard]] std::map<std::string, std::string> all() const {
    std::map<std::string, std::string> texts;
    for (const auto& entry : fs::directory_iterator(run_.path() / kFiguresFolder)) {
      texts[entry.path().filename().string()] = file_text(entry.path());
    }
    return texts;
  }

 private:
  TemporaryFolder run_;
};

/// The SVG of one figure of a map, drawn alone.
std::string svg_of(Figure (*figure)(const FigureInput&), const SuccessMap& map,
                   const std::string& title = "test", double plateau_probability = 0.95) {
  const TemporaryFolder run;
  write_file_atomically(run.path() / run_files::kMap, map_csv(map));
  const Figure drawn = figure({map, find_sweet_spot(map, 1.0), plateau_probability, title});
  draw_figures(run.path() / kFiguresFolder, {drawn});
  return file_text(run.path() / kFiguresFolder / (drawn.name + ".svg"));
}

void check_pictures(const MadeFigures& figures, const std::string& name) {
  CAPTURE(name);
  CHECK_THAT(figures.text(name + ".png"), StartsWith("\x89PNG\r\n\x1a\n"));
  CHECK_THAT(figures.text(name + ".svg"), StartsWith("<?xml") && Contains("<svg"));
}

int count(const std::string& text, const std::string& part) {
  int found = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

TEST_CASE("make_figures: a script and two pictures of each figure, and nothing left behind") {
  const MadeFigures figures(slope_map());
  for (const std::string name : kAllFigures) {
    check_pictures(figures, name);
    CHECK(fs::exists(figures.file(name + ".gp")));
  }
  CHECK(figures.all().size() == 4 * 4);  // and what each of them draws
  CHECK_FALSE(fs::exists(figures.run_dir() / "figures.partial"));
}

TEST_CASE("make_figures: the same input gives the same files, byte for byte") {
  CHECK(MadeFigures(slope_map()).all() == MadeFigures(slope_map()).all());
}

TEST_CASE("make_figures: a script run again in its folder draws the same pictures") {
  const MadeFigures figures(slope_map());
  const auto before = figures.all();
  for (const std::string name : kAllFigures) {
    fs::remove(figures.file(name + ".png"));
    fs::remove(figures.file(name + ".svg"));
    run_gnuplot(figures.file(name + ".gp"), "gnuplot");
  }
  CHECK(figures.all() == before);
}

TEST_CASE("make_figures: other files in the folder stay, a figure made before is replaced") {
  const MadeFigures figures(slope_map());
  write_file_atomically(figures.file("my_style.gp"), "mine");
  const std::string old_picture = figures.text("success_map.svg");
  make_figures(figures.run_dir(), slope_map(), {}, "other title");
  CHECK(figures.text("my_style.gp") == "mine");
  CHECK(figures.text("success_map.svg") != old_picture);
}

TEST_CASE("trials: where they went, only where cells have different numbers of them") {
  SuccessMap map = slope_map();
  CHECK_FALSE(trials_figure({map, {}, 0.95, "even"}).has_value());
  map.add(0, 0, Outcome::kSuccess);  // as in a run that was interrupted
  CHECK_FALSE(trials_figure({map, {}, 0.95, "even but one"}).has_value());
  map.add(0, 0, Outcome::kSuccess);
  const auto figure = trials_figure({map, find_sweet_spot(map, 1.0), 0.95, "uneven"});
  REQUIRE(figure.has_value());
  CHECK_THAT(figure->script, Contains("1,282 trials went: 20 to 22 in a cell"));
  CHECK_THAT(figure->data.value(), Contains("1,-4,-3,-8,-7,22\n"));
  CHECK_THAT(figure->data.value(), Contains("1,-3,-2,-8,-7,20\n"));
}

TEST_CASE("make_figures: any title is shown as it is") {
  const MadeFigures figures(slope_map(), "lock_piece^2 {x} it's \"q\" `touch evil` @x \\n 100 %d");
  for (const std::string name : kAllFigures) {
    check_pictures(figures, name);
    CHECK_THAT(figures.text(name + ".svg"),
               Contains("lock_piece^2 {x} it's \"q\" `touch evil` @x \\n 100 %d"));
  }
  CHECK_FALSE(fs::exists(figures.file("evil")));
  CHECK_THAT(svg_of(success_map_figure, slope_map(), "a & b < c\nline"),
             Contains("a &amp; b &lt; c line"));
}

TEST_CASE("success map: legend of sweet spot and plateau, each only where there is one") {
  const std::string both = svg_of(success_map_figure, slope_map());
  CHECK_THAT(both, Contains("sweet spot (0, -6) mm") && Contains("±1 mm around it") &&
                       Contains("plateau: p ≥ 0.95") && Contains("1,280 trials"));
  CHECK_THAT(both, !Contains("no counted trials"));

  const SuccessMap half_good =
      map_of({-4, 4, 8}, {-8, 0, 8}, 20, [](double, double) { return 0.5; });
  const std::string no_plateau = svg_of(success_map_figure, half_good);
  CHECK_THAT(no_plateau, Contains("sweet spot (0, -4) mm") && !Contains("plateau:"));
  CHECK_THAT(svg_of(success_map_figure, half_good, "test", 0.5), Contains("plateau: p ≥ 0.5"));

  const SuccessMap small = map_of({0, 1, 1}, {0, 1, 1}, 20, [](double, double) { return 1.0; });
  CHECK_THAT(svg_of(success_map_figure, small), !Contains("sweet spot"));
}

TEST_CASE("success map: cells take the palette's colours") {
  // The dark end of the palette is also that of the colour box: compare the numbers of uses.
  const auto uniform = [](double p) {
    const SuccessMap map = map_of({-4, 4, 8}, {-8, 0, 8}, 20, [p](double, double) { return p; });
    return svg_of(success_map_figure, map);
  };
  const std::string zero = uniform(0.0);
  const std::string one = uniform(1.0);
  const int dark_difference = count(zero, "rgb( 68,   1,  84)") - count(one, "rgb( 68,   1,  84)");
  const int light_difference = count(one, "rgb(253, 231,  37)") - count(zero, "rgb(253, 231,  37)");
  CHECK(dark_difference >= 64);
  CHECK(light_difference >= 64);
}

TEST_CASE("figures of a map with failed trials and cells without trials") {
  SuccessMap map = slope_map();
  map.cells[5] = {};
  map.cells[6] = {};
  add_trials(map, 6, 0, Outcome::kFailed, 4);
  const MadeFigures figures(map);
  for (const std::string name : kAllFigures) check_pictures(figures, name);
  CHECK_THAT(figures.text("success_map.svg"),
             Contains("no counted trials") && Contains("4 failed, not counted"));
}

TEST_CASE("outcomes: a panel for each outcome that occurs") {
  SuccessMap map({0, 2, 2}, {0, 2, 2});
  add_trials(map, 0, 0, Outcome::kSuccess, 1996);
  add_trials(map, 1, 0, Outcome::kTimeout, 1);
  add_trials(map, 1, 1, Outcome::kBlocked, 3);
  const std::string picture = svg_of(outcomes_figure, map);
  CHECK_THAT(picture, Contains("success: 1,996 (99.8 %)") && Contains("timeout: 1 (&lt; 0.1 %)") &&
                          Contains("blocked: 3 (0.1 %)"));
  CHECK_THAT(picture, !Contains("wedged") && !Contains("missed") && !Contains("failed"));

  for (int j = 0; j < 2; ++j) {
    for (const Outcome outcome : kOutcomes) map.add(0, j, outcome);
  }
  const std::string all = svg_of(outcomes_figure, map);
  for (const Outcome outcome : kOutcomes)
    CHECK_THAT(all, Contains(name(outcome) + std::string(": ")));
}

TEST_CASE("figures of degenerate maps") {
  const auto one = [](double, double) { return 1.0; };
  const auto zero = [](double, double) { return 0.0; };
  const SuccessMap map = GENERATE_COPY(
      map_of({-4, 4, 8}, {-8, 0, 8}, 1, zero), map_of({-4, 4, 8}, {-8, 0, 8}, 1, one),
      map_of({-0.5, 0.5, 1}, {-20, 0, 20}, 3, one), map_of({-10, 10, 20}, {5, 5.5, 1}, 3, one),
      map_of({-1e-3, 1e-3, 1}, {0, 1e-3, 1}, 3, zero), map_of({-4, 4, 3}, {0, 100, 40}, 3, one),
      SuccessMap({-4, 4, 8}, {-8, 0, 8}));
  const MadeFigures figures(map);
  for (const std::string name : kAllFigures) check_pictures(figures, name);
}

/// Slopes that move with the angle: the plateau is widest in the middle.
SuccessMap turned_map(const Axis& theta) {
  SuccessMap map({-4, 4, 4}, {-8, 0, 4}, theta);
  for (int k = 0; k < theta.cells; ++k) {
    const double worse = std::abs(theta.cell_center(k));
    const SuccessMap slice = map_of(map.x_mm, map.y_mm, 10, [&](double, double y) {
      return std::clamp(-0.25 * y - worse, 0.0, 1.0);
    });
    for (std::size_t cell = 0; cell < slice.cells.size(); ++cell) {
      map.cells[static_cast<std::size_t>(k) * slice.cells.size() + cell] = slice.cells[cell];
    }
  }
  return map;
}

TEST_CASE("several angles: a success map for each, the sweet spot's in the other figures") {
  const SuccessMap map = turned_map({-0.9, 0.9, 3});
  const MadeFigures figures(map);
  for (const std::string name : kAllFigures) check_pictures(figures, name);
  const std::string picture = figures.text("success_map.svg");
  CHECK_THAT(picture, Contains("480 trials, 4 × 4 cells of 2 × 2 mm, at 3 angles ± 0.3 rad each"));
  CHECK_THAT(picture, Contains("θ = -0.6 rad (-34.4°)") && Contains("θ = 0 rad (0°)") &&
                          Contains("θ = 0.6 rad (34.4°)"));
  CHECK_THAT(picture, Contains("sweet spot (-1, -7) mm, θ = 0 rad (0°)") &&
                          Contains("±1 mm around it") && Contains("plateau: p ≥ 0.95"));
  CHECK_THAT(figures.text("histogram_3d.svg"),
             Contains("160 trials, 4 × 4 cells of 2 × 2 mm, at θ = 0 rad (0°) ± 0.3"));
  const std::string outcomes = figures.text("outcomes.svg");
  CHECK_THAT(outcomes, Contains("success: 116 (72.5 %)") && Contains("160 trials"));

  // Cells of p = 1: eight at the middle angle, four more at each of the others.
  CHECK(count(outcomes, "<polygon fill = 'rgb(253, 231,  37)'") == 8);
  CHECK(figures.text("histogram_3d.csv") == bar_faces_csv(map.slice(1), 0));
}

TEST_CASE("many angles: some of them are drawn, that of the sweet spot among them") {
  SuccessMap map = turned_map({-3, 3, 60});
  const SweetSpot spot = find_sweet_spot(map, 1);
  REQUIRE(spot.cell_theta == 29);  // of the slices 2, 5, ... 59 the tenth
  const Figure figure = success_map_figure({map, spot, 0.95, "test"});
  CHECK_THAT(figure.script, Contains(", 20 of them shown") && Contains("'θ = -0.05 rad") &&
                                Contains("$points_10 <<") && !Contains("no counted trials"));
  CHECK(count(figure.script, "  set title 'θ = ") == 20);
  CHECK(count(figure.script, "$points_") == 1 + 2);  // the sweet spot, and its point's two layers
  CHECK(count(*figure.data, "\n") == 1 + 20 * 16);
  CHECK_THAT(figure.script, Contains("$outline_10 <<"));

  for (CellCounts& cell : map.cells) cell = {};
  const Figure empty = success_map_figure({map, find_sweet_spot(map, 1), 0.95, "test"});
  CHECK_THAT(empty.script, Contains("no counted trials") && !Contains("$points_") &&
                               !Contains("$outline_") && !Contains("plateau: p"));
  CHECK(count(*empty.data, ",nan\n") == 20 * 16);
}

TEST_CASE("histogram of the half: none without cells at x >= 0") {
  const MadeFigures figures(map_of({-8, 0, 8}, {0, 2, 2}, 2, [](double, double) { return 1.0; }));
  CHECK(fs::exists(figures.file("histogram_3d.png")));
  CHECK_FALSE(fs::exists(figures.file("histogram_3d_half.gp")));
}

TEST_CASE("make_figures: without gnuplot, or when it fails, earlier figures stay as they were") {
  const MadeFigures figures(slope_map());
  const auto before = figures.all();
  const std::string program = GENERATE("/nowhere/gnuplot", "/bin/false");
  CHECK_THROWS_AS(make_figures(figures.run_dir(), slope_map(), {}, "new", 0.95, program), IoError);
  CHECK(figures.all() == before);
  CHECK_FALSE(fs::exists(figures.run_dir() / "figures.partial"));
}

TEST_CASE("make_figures: a picture cut short is an error") {
  const MadeFigures figures(slope_map());
  const TemporaryFolder tools;
  const fs::path program =
      tools.write("gnuplot", "#!/bin/sh\ngnuplot \"$@\" && printf '\\211PNG' > success_map.png\n");
  fs::permissions(program, fs::perms::owner_all);
  CHECK_THROWS_WITH(make_figures(figures.run_dir(), slope_map(), {}, "new", 0.95, program.string()),
                    Contains("success_map.png") && Contains("disk full"));
}

TEST_CASE("make_figures: a folder that cannot be written is an IoError") {
  CHECK_THROWS_AS(make_figures("/nowhere/run", slope_map(), {}, "test"), IoError);
}

}  // namespace
}  // namespace graspmap
