#include "grasp/plots.hpp"

#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <vector>

#include "grasp/figures/figure.hpp"
#include "grasp/gnuplot.hpp"
#include "grasp/run_directory.hpp"

namespace graspmap {
namespace fs = std::filesystem;
namespace {

/// A folder in which the figures are made, removed in the end. It lies in the folder of the run, so
/// that the scripts find ../map.csv and the finished files need only a new name.
class StagingFolder {
 public:
  explicit StagingFolder(const fs::path& run_dir) : path_(run_dir / "figures.partial") {
    std::error_code error;
    fs::remove_all(path_, error);
    fs::create_directory(path_, error);
    if (error) throw IoError(fmt::format("{}: {}", path_.string(), error.message()));
  }
  ~StagingFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  StagingFolder(const StagingFolder&) = delete;
  StagingFolder& operator=(const StagingFolder&) = delete;

  [[nodiscard]] const fs::path& path() const { return path_; }

  /// Gives every file its place in `folder`.
  void move_files_to(const fs::path& folder) const {
    std::error_code error;
    fs::create_directory(folder, error);
    for (const fs::directory_entry& file : fs::directory_iterator(path_)) {
      if (!error) fs::rename(file.path(), folder / file.path().filename(), error);
    }
    if (error) throw IoError(fmt::format("{}: {}", folder.string(), error.message()));
  }

 private:
  fs::path path_;
};

std::vector<Figure> all_figures(const FigureInput& input) {
  std::vector<Figure> figures{success_map_figure(input), histogram_figure(input),
                              outcomes_figure(input)};
  if (auto half = half_histogram_figure(input)) figures.push_back(std::move(*half));
  return figures;
}

/// The figures of a map of several angles: the success map has a panel for each, the others show
/// the sweet spot's, or the middle one without a sweet spot.
std::vector<Figure> all_figures_of_angles(const FigureInput& input) {
  const SweetSpot& spot = input.sweet_spot;
  const int k = spot.found ? spot.cell_theta : input.map.theta.cells / 2;
  const SuccessMap slice = input.map.slice(k);
  std::vector<Figure> figures =
      all_figures({slice, spot, input.plateau_probability, input.title, k});
  figures.front() = angle_maps_figure(input);
  return figures;
}

/// A picture cut short by a full disk does not end as it should, and gnuplot may not say so.
void check_complete(const fs::path& picture, const std::string& ending) {
  std::ifstream file(picture, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  constexpr std::size_t kTail = 32;
  const std::string tail = bytes.substr(bytes.size() > kTail ? bytes.size() - kTail : 0);
  if (tail.find(ending) == std::string::npos) {
    throw IoError(fmt::format("{}: gnuplot did not write it completely; is the disk full?",
                              picture.filename().string()));
  }
}

void draw(const Figure& figure, const fs::path& folder, const std::string& gnuplot) {
  const fs::path script = folder / (figure.name + ".gp");
  write_file_atomically(script, figure.script);
  if (figure.data) write_file_atomically(folder / (figure.name + ".csv"), *figure.data);
  run_gnuplot(script, gnuplot);
  check_complete(folder / (figure.name + ".png"), "IEND");
  check_complete(folder / (figure.name + ".svg"), "</svg>");
}

}  // namespace

void make_figures(const fs::path& run_dir, const SuccessMap& map, const SweetSpot& sweet_spot,
                  const std::string& title, double plateau_probability,
                  const std::string& gnuplot) {
  const FigureInput input{map, sweet_spot, plateau_probability, title};
  const StagingFolder staging(run_dir);
  const bool one_angle = map.theta.cells == 1;
  for (const Figure& figure : one_angle ? all_figures(input) : all_figures_of_angles(input)) {
    draw(figure, staging.path(), gnuplot);
  }
  staging.move_files_to(run_dir / kFiguresFolder);
}

}  // namespace graspmap
