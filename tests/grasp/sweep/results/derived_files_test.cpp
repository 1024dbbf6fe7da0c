#include "grasp/sweep/results/derived_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <csignal>
#include <limits>
#include <map>
#include <string>

#include "grasp/base/io/gnuplot.hpp"
#include "grasp/base/pictures/figure.hpp"
#include "grasp/sweep/config/sweep_config.hpp"
#include "grasp/sweep/figures/map_figures.hpp"
#include "grasp/sweep/store/run_directory.hpp"
#include "tests/support/file_size_limit.hpp"
#include "tests/support/file_text.hpp"
#include "tests/support/maps.hpp"
#include "tests/support/numpy.hpp"
#include "tests/support/random_rows.hpp"
#include "tests/support/temporary_folder.hpp"

namespace graspmap {
namespace {

const std::string kHeader =
    "cell_x,cell_y,cell_theta,x_min_mm,x_max_mm,y_min_mm,y_max_mm,theta_min_rad,theta_max_rad,"
    "trials,success,wedged,missed,timeout,blocked,failed,success_probability,wilson_low,"
    "wilson_high\n";

std::string with_effective(std::string header) {
  header.insert(header.size() - 1, ",effective_trials");
  return header;
}

SuccessMap sample_map(const Axis& theta) {
  SuccessMap map({-0.1, 0.7, 3}, {-20, -18.5, 2}, theta);
  for (int cell = 0; cell < 6 * theta.cells; ++cell) {
    for (int k = 0; k < 3 * cell; ++k) {
      map.add({cell % 3, cell / 3 % 2, cell / 6},
              kOutcomes[static_cast<std::size_t>(k * k + cell) % kOutcomeCount]);
    }
  }
  return map;
}

TEST_CASE("a map is read back as it was written, bounds to the last bit") {
  const testing::TemporaryFolder folder;
  const auto theta =
      GENERATE(fixed_angle(0), fixed_angle(-1.0 / 3), Axis{0, 0.1, 1}, Axis{-0.1, 0.7, 3});
  const SuccessMap map = sample_map(theta);
  const SuccessMap back = read_map_csv(folder.write("map.csv", map_csv(map)));
  CHECK(back.x_mm.min == map.x_mm.min);
  CHECK(back.x_mm.max == map.x_mm.max);
  CHECK(back.x_mm.cells == 3);
  CHECK(back.y_mm.min == map.y_mm.min);
  CHECK(back.y_mm.max == map.y_mm.max);
  CHECK(back.y_mm.cells == 2);
  CHECK(back.theta_rad.min == theta.min);
  CHECK(back.theta_rad.max == theta.max);
  CHECK(back.theta_rad.cells == theta.cells);
  for (std::size_t k = 0; k < map.cells.size(); ++k) {
    CHECK(back.cells[k].by_outcome == map.cells[k].by_outcome);
  }
  CHECK(map_csv(back) == map_csv(map));
}

TEST_CASE("the map of an adaptive run has anytime intervals too") {
  SuccessMap map({0, 2, 2}, {0, 1, 1});
  map.add(0, 0, Outcome::kSuccess);
  const std::string text = map_csv(map, MapIntervals::kWilsonAndAnytime);
  CHECK_THAT(text, Catch::Contains(
                       ",wilson_low,wilson_high,anytime_low,anytime_high,effective_trials\n0,0,"));
  CHECK_THAT(text, Catch::EndsWith("\n1,0,0,1,2,0,1,0,0,0,0,0,0,0,0,0,nan,0,1,0,1,0\n"));
  const testing::TemporaryFolder folder;
  CHECK(map_csv(read_map_csv(folder.write("map.csv", text))) == map_csv(map));
}

TEST_CASE("map.csv has the documented columns and one row per cell") {
  SuccessMap map({0, 2, 2}, {0, 1, 1});
  map.add(0, 0, Outcome::kSuccess);
  const std::string text = map_csv(map);
  CHECK_THAT(text,
             Catch::StartsWith(with_effective(kHeader) + "0,0,0,0,1,0,1,0,0,1,1,0,0,0,0,0,1,"));
  CHECK_THAT(text, Catch::EndsWith("\n1,0,0,1,2,0,1,0,0,0,0,0,0,0,0,0,nan,0,1,0\n"));
}

TEST_CASE("map.csv keeps the design effects, and does without them") {
  const testing::TemporaryFolder folder;
  SuccessMap map({0, 2, 2}, {0, 1, 1});
  for (int k = 0; k < 10; ++k) map.add(k % 2, 0, k < 5 ? Outcome::kSuccess : Outcome::kWedged);
  map.cells[0].design_effect = 0.25;
  const SuccessMap back = read_map_csv(folder.write("map.csv", map_csv(map)));
  CHECK(back.cells[0].effective_trials() == 20);
  CHECK(back.cells[1].effective_trials() == 5);
  const std::string rows = "0,0,0,0,1,0,1,0,0,2,2,0,0,0,0,0,1,0,1";
  CHECK(read_map_csv(folder.write("old.csv", kHeader + rows + "\n")).cells[0].design_effect == 1);
  const auto file = folder.write("few.csv", with_effective(kHeader) + rows + ",1.5\n");
  CHECK_THROWS_WITH(read_map_csv(file), Catch::Contains(":2: effective_trials: fewer than"));
}

TEST_CASE("rows may come in any order") {
  const testing::TemporaryFolder folder;
  const auto file = folder.write("map.csv", kHeader +
                                                "1,0,0,1,2,0,1,0,0,3,3,0,0,0,0,0,1,0,1\n"
                                                "0,0,0,0,1,0,1,0,0,2,0,2,0,0,0,0,0,0,1\n");
  const SuccessMap map = read_map_csv(file);
  CHECK(map.at(0, 0).count(Outcome::kWedged) == 2);
  CHECK(map.at(1, 0).count(Outcome::kSuccess) == 3);
  CHECK(map.x_mm.max == 2);
}

TEST_CASE("a broken map.csv is refused with line and column") {
  const testing::TemporaryFolder folder;
  const auto reading = [&](const std::string& rows) {
    return [&folder, text = kHeader + rows] { read_map_csv(folder.write("map.csv", text)); };
  };
  const std::string good = "0,0,0,0,1,0,1,0,0,2,2,0,0,0,0,0,1,0,1\n";
  CHECK_NOTHROW(reading(good)());
  CHECK_THROWS_AS(reading("")(), ConfigError);
  CHECK_THROWS_WITH(reading(good + good)(), Catch::Contains(":3: cell_x: "));
  CHECK_THROWS_WITH(reading("0,0,0,0,1,0,1,0,0,3,2,0,0,0,0,0,1,0,1\n")(),
                    Catch::Contains(":2: trials: not the sum"));
  CHECK_THROWS_WITH(reading("0,0,0,0,1,0,1,0,0,1,2,-1,0,0,0,0,1,0,1\n")(),
                    Catch::Contains(":2: wedged: negative"));
  CHECK_THROWS_WITH(reading("-1,0,0,0,1,0,1,0,0,2,2,0,0,0,0,0,1,0,1\n")(),
                    Catch::Contains(":2: cell_x: "));
  CHECK_THROWS_WITH(reading("0,0,0,1,1,0,1,0,0,2,2,0,0,0,0,0,1,0,1\n")(),
                    Catch::Contains(":2: x_min_mm: "));
  CHECK_THROWS_WITH(reading("1,0,0,1,2,0,1,0,0,2,2,0,0,0,0,0,1,0,1\n")(),
                    Catch::Contains("1 rows"));
  const std::string turned = "0,0,1,0,1,0,1,0.5,1,2,2,0,0,0,0,0,1,0,1\n";
  CHECK_THROWS_WITH(reading(turned)(), Catch::Contains("1 rows; must have 2 for 1 x 1 x 2 cells"));
  CHECK_THROWS_WITH(reading(good + "0,0,1,0,1,0,1,0,0,2,2,0,0,0,0,0,1,0,1\n")(),
                    Catch::Contains(":2: theta_min_rad: the cells have no width"));
  CHECK_NOTHROW(reading("0,0,0,0,1,0,1,0,0.5,2,2,0,0,0,0,0,1,0,1\n" + turned)());
  CHECK_THROWS_WITH(reading("0,0,0,0,1,0,1,0,0,2,x,0,0,0,0,0,1,0,1\n")(),
                    Catch::Contains(":2: success: "));
}

/// Of a sweep without uncertain numbers.
const UncertainColumns& no_columns() {
  static const SweepConfig config;
  static const UncertainColumns columns(config);
  return columns;
}

TEST_CASE("a line of trials.csv has the fields of its row in the header's order") {
  TrialRow row;
  row.index = 10'000'000'000;
  row.cell_x = 3;
  row.cell_y = 4;
  row.cell_theta = 5;
  row.parameters = {0.1, -2.5, 1e-300, 0.25, 0.3};
  row.outcome = Outcome::kWedged;
  row.end_time_s = 0.5;
  row.final_pose = {{1.5, 2.5}, -0.75};
  row.jaw_right_mm = 13;
  row.jaw_left_mm = -14;
  row.statistics.steps = 5'000'000'00;
  row.statistics.newton_iterations = 777;
  row.statistics.worst_residual = 1e-10;
  std::string text = "before\n";
  append_trial_csv(text, row, no_columns());
  CHECK(trials_csv_header(no_columns()) ==
        "index,cell_x,cell_y,cell_theta,x_mm,y_mm,theta_rad,mu_jaw,mu_support,outcome,end_time_s,"
        "part_x_mm,part_y_mm,part_theta_rad,jaw_right_x_mm,jaw_left_x_mm,steps,worst_residual\n");
  CHECK(text ==
        "before\n10000000000,3,4,5,0.1,-2.5,1e-300,0.25,0.3,wedged,0.5,1.5,2.5,-0.75,13,-14,"
        "500000000,1e-10\n");
}

TEST_CASE("a number that is not known is empty in trials.csv") {
  using Limits = std::numeric_limits<double>;
  TrialRow row;
  row.outcome = Outcome::kTimeout;
  row.end_time_s = Limits::infinity();
  row.final_pose = {{Limits::quiet_NaN(), 2.5}, -Limits::infinity()};
  std::string text;
  append_trial_csv(text, row, no_columns());
  CHECK(text == "0,0,0,0,0,0,0,0,0,timeout,,,2.5,,0,0,0,0\n");
}

TEST_CASE("every row is one line with a value for each column") {
  const auto commas = [](const std::string& text) {
    return std::count(text.begin(), text.end(), ',');
  };
  std::string text;
  for (const TrialRow& row : testing::random_rows(3)) append_trial_csv(text, row, no_columns());
  CHECK(std::count(text.begin(), text.end(), '\n') == 3);
  CHECK(commas(text) == 3 * commas(trials_csv_header(no_columns())));
}

}  // namespace

namespace fs = std::filesystem;
namespace {

const std::atomic<int> kNoStop{0};
const std::atomic<int> kStop{SIGINT};

using Rows = std::vector<TrialRow>;

bool write_npz(const fs::path& file, const Rows& rows) {
  TrialsNpz npz(file, no_columns());
  for (const TrialRow& row : rows) npz.add(row);
  return npz.commit(kNoStop);
}

/// A number that is not known is NaN in the file.
std::string word(double value) {
  if (!std::isfinite(value)) value = std::numeric_limits<double>::quiet_NaN();
  return fmt::format(" {:016x}", std::bit_cast<std::uint64_t>(value));
}
std::string word(std::int64_t value) { return fmt::format(" {}", value); }

/// The line that numpy must find for a column.
template <class Value>
std::string line(const Rows& rows, const std::string& name_and_type, const Value& value) {
  std::string text = fmt::format("{} ({},)", name_and_type, rows.size());
  for (const TrialRow& row : rows) text += word(value(row));
  return text + '\n';
}

std::string steps_line(const Rows& rows, const std::string& name, Rung rung) {
  return line(rows, name + " <i4", [&](const TrialRow& row) {
    return row.statistics.by_rung[static_cast<std::size_t>(rung)];
  });
}

std::string placement_lines(const Rows& rows) {
  return line(rows, "index <i8", [](auto& row) { return row.index; }) +
         line(rows, "cell_x <i4", [](auto& row) { return std::int64_t{row.cell_x}; }) +
         line(rows, "cell_y <i4", [](auto& row) { return std::int64_t{row.cell_y}; }) +
         line(rows, "cell_theta <i4", [](auto& row) { return std::int64_t{row.cell_theta}; }) +
         line(rows, "x_mm <f8", [](auto& row) { return row.parameters.placement_x_mm; }) +
         line(rows, "y_mm <f8", [](auto& row) { return row.parameters.placement_y_mm; }) +
         line(rows, "theta_rad <f8", [](auto& row) { return row.parameters.theta_rad; }) +
         line(rows, "mu_jaw <f8", [](auto& row) { return row.parameters.mu_jaw; }) +
         line(rows, "mu_support <f8", [](auto& row) { return row.parameters.mu_support; });
}

std::string end_lines(const Rows& rows) {
  return line(rows, "outcome |u1", [](auto& row) { return std::int64_t(row.outcome); }) +
         line(rows, "end_time_s <f8", [](auto& row) { return row.end_time_s; }) +
         line(rows, "part_x_mm <f8", [](auto& row) { return row.final_pose.position_mm.x(); }) +
         line(rows, "part_y_mm <f8", [](auto& row) { return row.final_pose.position_mm.y(); }) +
         line(rows, "part_theta_rad <f8", [](auto& row) { return row.final_pose.angle_rad; }) +
         line(rows, "jaw_right_x_mm <f8", [](auto& row) { return row.jaw_right_mm; }) +
         line(rows, "jaw_left_x_mm <f8", [](auto& row) { return row.jaw_left_mm; });
}

std::string health_lines(const Rows& rows) {
  return line(rows, "steps <i4", [](auto& row) { return row.statistics.steps; }) +
         line(rows, "newton_iterations <i4",
              [](auto& row) { return row.statistics.newton_iterations; }) +
         steps_line(rows, "steps_warm", Rung::kWarm) + steps_line(rows, "steps_cold", Rung::kCold) +
         steps_line(rows, "steps_damped", Rung::kDamped) +
         steps_line(rows, "steps_pattern", Rung::kPattern) +
         steps_line(rows, "steps_halved", Rung::kHalved) +
         line(rows, "worst_residual <f8", [](auto& row) { return row.statistics.worst_residual; }) +
         line(rows, "worst_gap_mm <f8", [](auto& row) { return row.statistics.worst_gap_mm; }) +
         line(rows, "least_dissipation_mn_mm <f8",
              [](auto& row) { return row.statistics.least_dissipation; });
}

std::string all_lines(const Rows& rows) {
  return placement_lines(rows) + end_lines(rows) + health_lines(rows) +
         "outcome_names <U7 (6,) success wedged missed timeout blocked failed\n";
}

TEST_CASE("numpy finds every value of every row, bit for bit") {
  const testing::TemporaryFolder folder;
  const fs::path file = folder.path() / "trials.npz";
  Rows rows = testing::random_rows(GENERATE(0, 1, 20'000));  // 20,000 are more than a buffer
  if (!rows.empty()) {
    rows[0].index = std::numeric_limits<std::int64_t>::max();
    rows[0].parameters = {-0.0, std::numeric_limits<double>::denorm_min(),
                          std::numeric_limits<double>::infinity(), 0.1,
                          std::numeric_limits<double>::quiet_NaN()};
    rows[0].statistics.steps = std::numeric_limits<std::int32_t>::max();
  }
  REQUIRE(write_npz(file, rows));
  CHECK((testing::npz_dump(file) == all_lines(rows)));
  CHECK(testing::names_in(folder.path()) == testing::Names{"trials.npz"});
}

TEST_CASE("the same rows give the same bytes") {
  const testing::TemporaryFolder folder;
  const Rows rows = testing::random_rows(100);
  REQUIRE(write_npz(folder.path() / "a.npz", rows));
  REQUIRE(write_npz(folder.path() / "b.npz", rows));
  CHECK(
      (testing::file_text(folder.path() / "a.npz") == testing::file_text(folder.path() / "b.npz")));
}

TEST_CASE("a count that is too large for its column is an error, not another number") {
  const testing::TemporaryFolder folder;
  TrialRow row = testing::random_row(7);
  const std::int64_t too_large = std::int64_t{1} << 31;
  SECTION("iterations") { row.statistics.newton_iterations = too_large; }
  SECTION("steps") { row.statistics.steps = too_large; }
  SECTION("steps of a rung") { row.statistics.by_rung.back() = too_large; }
  TrialsNpz npz(folder.path() / "trials.npz", no_columns());
  CHECK_THROWS_AS(npz.add(row), IoError);
  CHECK_THROWS_WITH(npz.add(row), Catch::Contains("trial 7") && Catch::Contains("2147483648"));
}

TEST_CASE("without a commit, or stopped in it, no archive is left and an old one stays") {
  const testing::TemporaryFolder folder;
  const fs::path file = folder.write("trials.npz", "old");
  {
    TrialsNpz npz(file, no_columns());
    for (const TrialRow& row : testing::random_rows(20'000)) npz.add(row);
    CHECK(testing::names_in(folder.path()) == testing::Names{"trials.npz"});
    SECTION("no commit") {}
    SECTION("stopped") { CHECK_FALSE(npz.commit(kStop)); }
  }
  CHECK(testing::names_in(folder.path()) == testing::Names{"trials.npz"});
  CHECK(testing::file_text(file) == "old");
}

TEST_CASE("a full disk leaves no archive, whether an array or the archive does not fit") {
  const testing::TemporaryFolder folder;
  const fs::path file = folder.path() / "trials.npz";
  const rlim_t limit_bytes = GENERATE(100'000U, 1'000'000U);  // an array has 160,000 bytes at most
  CAPTURE(limit_bytes);
  const Rows rows = testing::random_rows(20'000);
  {
    const testing::FileSizeLimit limit(limit_bytes);
    CHECK_THROWS_AS(write_npz(file, rows), IoError);
    CHECK_THROWS_WITH(write_npz(file, rows),
                      Catch::Contains("trials.npz: cannot be written: File too large"));
  }
  CHECK(testing::names_in(folder.path()).empty());
}

TEST_CASE("an archive goes into a regular file only, in a folder that is there") {
  const testing::TemporaryFolder folder;
  CHECK_THROWS_WITH(TrialsNpz("/dev/null", no_columns()),
                    Catch::Contains("must be a regular file"));
  CHECK_THROWS_WITH(TrialsNpz(folder.path() / "none" / "a.npz", no_columns()),
                    Catch::Contains("a.npz") && Catch::Contains("No such file"));
}

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
  CHECK_THROWS_AS(
      make_figures(figures.run_dir(), slope_map(), {}, "new", 0.95, nullptr, nullptr, program),
      IoError);
  CHECK(figures.all() == before);
  CHECK_FALSE(fs::exists(figures.run_dir() / "figures.partial"));
}

TEST_CASE("make_figures: a picture cut short is an error") {
  const MadeFigures figures(slope_map());
  const TemporaryFolder tools;
  const fs::path program =
      tools.write("gnuplot", "#!/bin/sh\ngnuplot \"$@\" && printf '\\211PNG' > success_map.png\n");
  fs::permissions(program, fs::perms::owner_all);
  CHECK_THROWS_WITH(make_figures(figures.run_dir(), slope_map(), {}, "new", 0.95, nullptr, nullptr,
                                 program.string()),
                    Contains("success_map.png") && Contains("disk full"));
}

TEST_CASE("make_figures: a folder that cannot be written is an IoError") {
  CHECK_THROWS_AS(make_figures("/nowhere/run", slope_map(), {}, "test"), IoError);
}

}  // namespace

}  // namespace graspmap
